/* study: study.ini and what is asked of a study. */
#include "base/study/study.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "tests/unit/unit.h"

#define LEAST "name = x\ntags = keras\n"

static enum status load(struct study *s, struct span ini, struct err *e)
{
    const struct study_file files[] = {
        {SPAN("study.ini"), ini},
        {SPAN("keywords.txt"), SPAN("slow\n")},
        {SPAN("notes.txt"), SPAN("not of the study")},
    };

    return study_load_files(s, files, ARRAY_LEN(files), e);
}

TEST(loads_the_study_compiled_in)
{
    struct study s;
    struct err e = {0};

    assert_int_equal(study_load(&s, NULL, &e), ST_OK);
    assert_true(span_eq(s.name, SPAN("dlperf")));
    assert_true(span_eq(s.site, SPAN("stackoverflow.com")));
    assert_true(span_eq(s.stemmer, SPAN("nltk")));
    assert_string_equal(s.from, "2018-01-01");
    assert_string_equal(s.to, "2021-03-03");
    assert_true(study_has_tag(&s, SPAN("tensorflow2.0")) && study_has_tag(&s, SPAN("keras")));
    assert_false(study_has_tag(&s, SPAN("pytorch")));
    assert_true(span_find(study_file(&s, "keywords.txt"), SPAN("\nslowli\n")) != SIZE_MAX);
    assert_null(study_file(&s, "Posts.xml").ptr);
    study_clear(&s);
}

TEST(has_defaults)
{
    struct study s;
    struct err e = {0};

    assert_int_equal(load(&s, SPAN(LEAST), &e), ST_OK);
    assert_true(span_eq(s.site, SPAN("stackoverflow.com")));
    assert_true(span_eq(s.stemmer, SPAN("nltk")));
    assert_true(s.match_title && s.match_body);
    assert_false(s.include_code || s.candidate_answers || s.blind);
    assert_true(study_has_date(&s, SPAN("1970-01-01")));
    assert_int_equal(s.n_files, 2); /* notes.txt is no file of a study */
    study_clear(&s);
}

TEST(takes_every_key)
{
    struct study s;
    struct err e = {0};

    assert_int_equal(load(&s,
                          SPAN("\xef\xbb\xbf# from Windows\r\n name=a-1\r\ntitle = b = c \r\n"
                               "site=x.org\r\ntags=a* , b\r\nfrom=2020-02-29\r\n"
                               "to=2020-02-29\r\ninclude_code=yes\r\nstemmer=english\r\n"
                               "candidates=question,answer\r\nfields= body\r\nblind=yes"),
                          &e),
                     ST_OK);
    assert_true(span_eq(s.title, SPAN("b = c")));
    assert_true(s.include_code && s.candidate_answers && s.blind && s.match_body && !s.match_title);
    assert_int_equal(s.n_tags, 2);
    assert_true(study_has_date(&s, SPAN("2020-02-29T23:59:59.999Z")));
    assert_false(study_has_date(&s, SPAN("2020-02-28T23:59:59.999Z")));
    assert_false(study_has_date(&s, SPAN("2020-03-01T00:00:00.000Z")));
    assert_false(study_has_date(&s, SPAN("2020")));
    study_clear(&s);
}

/* clang-format off */
#define INI(text) {(text), sizeof(text) - 1} /* as an initializer, which SPAN is not */
/* clang-format on */

TEST(says_what_is_wrong)
{
    static const struct {
        struct span ini;
        const char *words;
    } cases[] = {
        {INI(LEAST "tgas = a\n"), "study.ini:3: unknown key 'tgas' (did you mean 'tags'?)"},
        {INI(LEAST "colour = red\n"), "study.ini:3: unknown key 'colour'; the keys are: authors, blind"},
        {INI(LEAST "name = y\n"), "study.ini:3: 'name' occurs a second time"},
        {INI("name = x\n"), "study.ini: 'tags' is missing"},
        {INI("tags = x\n"), "study.ini: 'name' is missing"},
        {INI(""), "study.ini: 'name' is missing"},
        {INI(LEAST "[more]\n"), "study.ini:3: expected 'key = value'"},
        {INI(LEAST "title =\n"), "study.ini:3: 'title' has no value"},
        {INI(LEAST "from = 2019-02-29\n"), "from = 2019-02-29: expected a day"},
        {INI(LEAST "model_codes = symptom,,b\n"), "model_codes = symptom,,b: expected names of facets"},
        {INI(LEAST "from = 1900-02-29\n"), "expected a day"},
        {INI(LEAST "from = 2019-13-01\n"), "expected a day"},
        {INI(LEAST "from = 2019-00-01\n"), "expected a day"},
        {INI(LEAST "from = 2019-04-31\n"), "expected a day"},
        {INI(LEAST "to = 2019-4-3\n"), "expected a day"},
        {INI(LEAST "to = 2019-01-01\nfrom = 2019-01-02\n"), "study.ini:4: the window ends before"},
        {INI(LEAST "include_code = true\n"), "include_code = true: expected yes or no"},
        {INI(LEAST "candidates = answer\n"), "expected question, or question, answer"},
        {INI(LEAST "candidates = question, question\n"), "expected question, or"},
        {INI(LEAST "fields = code\n"), "fields = code: expected title, body"},
        {INI(LEAST "site = https://x.org\n"), "expected a host name"},
        {INI(LEAST "stemmer = N L T K\n"), "stemmer = N L T K"},
        {INI("name = My Study\ntags = a\n"), "study.ini:1: name = My Study: expected lower-case"},
        {INI("name = x\ntags = a, Keras\n"), "study.ini:2: tags: 'Keras': tags are lower-case"},
        {INI("name = x\ntags = a b\n"), "tags: 'a b': a blank in a tag"},
        {INI("name = x\ntags = a,,b\n"), "tags: '': an empty tag"},
        {INI("name = x\ntags = a?\n"), "the only wildcard is '*'"},
        {INI(LEAST "title = \xff\n"), "study.ini:3: invalid UTF-8 at byte 30"},
        {INI(LEAST "title = \0\n"), "study.ini:3: a NUL at byte 30"},
    };
    struct study s;
    struct err e;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(load(&s, cases[i].ini, &e), ST_INPUT);
        assert_int_equal(e.status, ST_INPUT);
        if (strstr(e.text, cases[i].words) == NULL)
            fail_msg("'%s' is not in '%s'", cases[i].words, e.text);
        study_clear(&s);
    }
}

TEST(wants_both_files)
{
    const struct study_file only = {SPAN("study.ini"), SPAN(LEAST)};
    struct study s;
    struct err e;

    assert_int_equal(study_load_files(&s, &only, 1, &e), ST_INPUT);
    assert_non_null(strstr(e.text, "keywords.txt: missing"));
    study_clear(&s);
    assert_int_equal(study_load_files(&s, NULL, 0, &e), ST_INPUT);
    assert_non_null(strstr(e.text, "study.ini: missing"));
    study_clear(&s);
    assert_int_equal(study_load(&s, "no/such/folder", &e), ST_IO);
    study_clear(&s);
}

TEST(matches_tags)
{
    static const struct {
        const char *pattern, *tag;
        bool matches;
    } cases[] = {
        {"keras", "keras", true},
        {"keras", "keras2", false},
        {"keras", "kera", false},
        {"keras*", "keras", true},
        {"keras*", "keras-2", true},
        {"*", "", true},
        {"*", "a", true},
        {"a*b", "ab", true},
        {"a*b", "axbxb", true},
        {"a*b", "axbx", false},
        {"*a*b*", "xxaxxbxx", true},
        {"*a*b*", "xxbxxaxx", false},
        {"**", "x", true},
        {"a*a", "a", false},
        {"c++", "c++", true},
        {"*aab", "aaaaaaaaaab", true},
        {"*.*", "tensorflow2.0", true},
        {"*.*", "keras", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct span pattern = span_of(cases[i].pattern);
        struct study s = {.tags = &pattern, .n_tags = 1};
        if (study_has_tag(&s, span_of(cases[i].tag)) != cases[i].matches)
            fail_msg("%s against %s", cases[i].pattern, cases[i].tag);
    }
}

/* A study is published with its files: what a link brings in would be, too. */
TEST(takes_no_file_from_elsewhere)
{
    struct study s;
    struct err e = {0};

    assert_int_equal(mkdir("study", 0777), 0);
    assert_int_equal(file_write("study/study.ini", false, SPAN(LEAST), "study.ini", &e), ST_OK);
    assert_int_equal(file_write("words", false, SPAN("slow\n"), "words", &e), ST_OK);
    assert_int_equal(symlink("../words", "study/keywords.txt"), 0);
    assert_int_equal(study_load(&s, "study", &e), ST_INPUT);
    assert_non_null(strstr(e.text, "a link that leads out of the study folder"));
    study_clear(&s);
    assert_int_equal(unlink("study/keywords.txt"), 0);
    assert_int_equal(rename("words", "study/words"), 0);
    assert_int_equal(symlink("words", "study/keywords.txt"), 0);
    assert_int_equal(study_load(&s, "study", &e), ST_OK);
    assert_true(span_eq(study_file(&s, "keywords.txt"), SPAN("slow\n")));
    study_clear(&s);
    assert_int_equal(unlink("study/keywords.txt") | unlink("study/words") | unlink("study/study.ini") | rmdir("study"),
                     0);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
