/* label: the codebook, and coders' names. */
#include "label/label.h"

#include "tests/unit/unit.h"

#define CODE_HEADER "facet,category,code,short_name,definition,aliases\n"
#define RULE_HEADER "facet,code,versus,rule\n"

static const char codes[] = CODE_HEADER
    "symptom,Time,slow execution time,slow,\"Too\nslow.\",Slow Execution Time;Time: slowness; ;\n"
    "symptom,Time,program hang,hang,,\n"
    "symptom,Memory,memory leak,leak,,Memory:  Leaks\n"
    "symptom,Processor,not using GPU,slow,,slowness of CPU\n"
    "root cause,API,misuse,hang,,\n"
    "stage,,training,train,,fit\n"
    "stage,,training set up,slow,,leak\n";
static const char rules[] = RULE_HEADER "symptom,PROGRAM hang,slow execution  time,\"Ask, then tell.\"\n"
                                        "symptom,slow execution time,program hang,The other way round.\n"
                                        "stage,fit,training set up,Look.\n";

static struct facets facets; /* of the study that is built in */

static int load_facets(void **state)
{
    struct study none = {0};
    struct err e;

    (void)state;
    return facets_of_study(&facets, &none, &e) == ST_OK ? 0 : -1;
}

static int clear_facets(void **state)
{
    (void)state;
    facets_clear(&facets);
    return 0;
}

TEST(loads)
{
    struct codebook c;
    struct err e;

    assert_int_equal(codebook_load(&c, &facets, span_of(codes), span_of(rules), &e), ST_OK);
    assert_int_equal(c.n_codes, 7);
    assert_true(span_eq(c.codes[0].facet, SPAN("symptom")));
    assert_true(span_eq(c.codes[0].category, SPAN("Time")));
    assert_true(span_eq(c.codes[0].definition, SPAN("Too\nslow.")));
    assert_true(span_eq(c.codes[0].aliases, SPAN("Slow Execution Time;Time: slowness; ;")));
    assert_true(span_eq(c.codes[2].short_name, SPAN("leak")));
    assert_int_equal(c.codes[5].category.len, 0);
    assert_int_equal(c.n_rules, 3);
    assert_true(c.rules[0].code == 1 && c.rules[0].versus == 0);
    assert_true(span_eq(c.rules[0].rule, SPAN("Ask, then tell.")));
    assert_true(c.rules[2].code == 5 && c.rules[2].versus == 6);
    codebook_clear(&c);
    assert_int_equal(codebook_load(&c, &facets, span_of(codes), (struct span){0}, &e), ST_OK);
    assert_int_equal(c.n_rules, 0);
    codebook_clear(&c);
}

TEST(finds)
{
    static const struct {
        const char *facet, *text;
        size_t code;       /* SIZE_MAX: none */
        const char *words; /* then */
    } finds[] = {
        {"symptom", "slow execution time", 0, ""},
        {"symptom", "  SLOW  Execution\ttime\n", 0, ""},
        {"symptom", "Time: slow execution time", 0, ""},
        {"symptom", "time:slow execution time", 0, ""},
        {"symptom", "Time : slow", 0, ""},
        {"symptom", "Time: slowness", 0, ""},
        {"symptom", "Processor: slow", 3, ""},
        {"symptom", "hang", 1, ""},
        {"symptom", "memory: leaks", 2, ""},
        {"root cause", "hang", 4, ""},
        {"stage", "Fit", 5, ""},
        {"stage", "leak", 6, ""},
        {"symptom", "Memory: program hang", SIZE_MAX, "(did you mean 'program hang'?)"},
        {"symptom", "slow", SIZE_MAX,
         "symptom 'slow' may be 'slow execution time' or 'not using GPU'; write one of them"},
        {"symptom", "slow execution tmie", SIZE_MAX,
         "no symptom 'slow execution tmie' in the codebook (did you mean 'slow execution time'?)"},
        {"stage", "trainning", SIZE_MAX, "(did you mean 'training'?)"},
        {"stage", "Slowness of CPU", SIZE_MAX, "there are: training, training set up"},
        {"stage", "", SIZE_MAX, "there are: training, training set up"},
        {"stage", " \t ", SIZE_MAX, "there are: training, training set up"},
        {"colour", "red", SIZE_MAX, "the codebook has no colour"},
    };
    struct codebook c;
    struct err e;

    assert_int_equal(codebook_load(&c, &facets, span_of(codes), span_of(rules), &e), ST_OK);
    for (size_t i = 0; i < ARRAY_LEN(finds); i++) {
        size_t code = codebook_find(&c, span_of(finds[i].facet), span_of(finds[i].text), &e);
        if (code != finds[i].code)
            fail_msg("'%s' is %zu, not %zu", finds[i].text, code, finds[i].code);
        if (code == SIZE_MAX) {
            assert_int_equal(e.status, ST_INPUT);
            if (strstr(e.text, finds[i].words) == NULL)
                fail_msg("\"%s\" is not in: %s", finds[i].words, e.text);
        }
    }
    codebook_clear(&c);
}

/* Texts of any length around that of the longest key. */
TEST(finds_long_texts)
{
    struct buf text = {0};
    struct codebook c;
    struct err e;

    assert_int_equal(codebook_load(&c, &facets, span_of(codes), span_of(rules), &e), ST_OK);
    for (size_t len = 0; len < 2000; len++) {
        assert_true(codebook_find(&c, SPAN("symptom"), buf_span(&text), &e) == SIZE_MAX);
        buf_add_char(&text, len % 3 == 0 ? ':' : len % 3 == 1 ? ' ' : 'x');
    }
    buf_reset(&text);
    for (size_t len = 0; len < 300; len++)
        buf_add_char(&text, ' ');
    buf_add_text(&text, "program");
    for (size_t len = 0; len < 300; len++)
        buf_add_char(&text, ' ');
    buf_add_text(&text, "hang   ");
    assert_int_equal(codebook_find(&c, SPAN("symptom"), buf_span(&text), &e), 1);
    buf_clear(&text);
    codebook_clear(&c);
}

TEST(refuses)
{
    static const struct {
        const char *codes, *rules, *words;
    } bad[] = {
        {"", "", "codebook.csv: empty"},
        {CODE_HEADER, "", "codebook.csv:1: no code in it"},
        {"facet,category,short_name,definition,aliases\n", "", "codebook.csv:1: the column 'code' is missing"},
        {"facet,category,code,short_name,definition,alias\n", "",
         "codebook.csv:1: unknown column 'alias' (did you mean 'aliases'?)"},
        {CODE_HEADER "symtom,,a,,,\n", "", "codebook.csv:2: unknown facet 'symtom' (did you mean 'symptom'?)"},
        {CODE_HEADER "stage,,a,,,\ncolour,,a,,,\n", "",
         "codebook.csv:3: unknown facet 'colour'; there are: symptom, root cause, stage"},
        {CODE_HEADER "stage,,a,,,\nstage,, ,,,\n", "", "codebook.csv:3: a code without a name"},
        {CODE_HEADER "stage,,a,,,\nstage,,b,,\n", "", "codebook.csv:3: 5 fields under a header of 6 columns"},
        {CODE_HEADER "stage,,a,,\"x\n\n\",\nstage,,b,,,\nstage,,A,,,\n", "",
         "codebook.csv:6: the stage 'a' is already in line 2"},
        {CODE_HEADER "stage,,a,,,b\nstage,,b,,,\n", "", "codebook.csv:3: the stage 'b' is already in line 2"},
        {CODE_HEADER "stage,,a,,,x; y\nstage,,b,,,z;Y\n", "", "codebook.csv:3: the stage 'y' is already in line 2"},
        {CODE_HEADER "stage,,a,,\"x\n", "", "codebook.csv:2: the quote"},
        {CODE_HEADER "stage,,a,,,\nstage,,b,,,\n", "facet,code,rule\n",
         "disambiguation.csv:1: the column 'versus' is missing"},
        {CODE_HEADER "stage,,a,,,\nstage,,b,,,\n", RULE_HEADER "stage,a,c,x\n",
         "disambiguation.csv:2: no stage 'c' in the codebook; there are: a, b"},
        {CODE_HEADER "stage,,a,,,\nsymptom,,b,,,\n", RULE_HEADER "stage,a,b,x\n", "disambiguation.csv:2: no stage 'b'"},
        {CODE_HEADER "stage,,a,,,x\n", RULE_HEADER "stage,a,X,x\n",
         "disambiguation.csv:2: a rule that tells a code from itself"},
        {CODE_HEADER "stage,,a,,,\nstage,,b,,,\n", RULE_HEADER "stage,a,b, \n",
         "disambiguation.csv:2: a rule without words"},
        {CODE_HEADER "stage,,a,,,\nstage,,b,,,\n", RULE_HEADER "stage,a,b,x\nstage,A,b,y\n",
         "disambiguation.csv:3: a second rule"},
        {CODE_HEADER "stage,,a,,,\n", RULE_HEADER "color,a,b,x\n", "disambiguation.csv:2: unknown facet 'color'"},
    };

    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct codebook c;
        struct err e;
        assert_int_equal(codebook_load(&c, &facets, span_of(bad[i].codes), span_of(bad[i].rules), &e), ST_INPUT);
        if (!span_starts(span_of(e.text), span_of(bad[i].words)))
            fail_msg("\"%s\" does not begin: %s", bad[i].words, e.text);
        codebook_clear(&c);
    }
}

TEST(refuses_long_names)
{
    struct buf content = {0};
    struct codebook c;
    struct err e;

    buf_add_text(&content, CODE_HEADER "stage,,");
    for (size_t i = 0; i < 200; i++)
        buf_add_char(&content, 'x');
    buf_add_text(&content, ",,,\n");
    assert_int_equal(codebook_load(&c, &facets, buf_span(&content), (struct span){0}, &e), ST_INPUT);
    assert_string_equal(e.text, "codebook.csv:2: a name, short name or alias is longer than 199 bytes");
    codebook_clear(&c);
    buf_clear(&content);
}

/* The composed forms are those of Python's unicodedata.normalize('NFC', …). */
TEST(checks_coders_names)
{
    char long_name[2 * CODER_NAME_MAX + 3];
    const struct {
        const char *typed, *kept; /* or, for a bad one, the words */
        bool good;
    } names[] = {
        {"ann", "ann", true},
        {"A. N. Other-Smith, PhD", "A. N. Other-Smith, PhD", true},
        {"Zo\xc3\xab", "Zo\xc3\xab", true},
        {"Zoe\xcc\x88", "Zo\xc3\xab", true},
        {"\xe1\x84\x80\xe1\x85\xa1", "\xea\xb0\x80", true},
        {"\xe7\x8e\x8b\xe5\x8a\x9b", "\xe7\x8e\x8b\xe5\x8a\x9b", true},
        {"\xd9\x86\xe2\x80\x8c\xd9\x86", "\xd9\x86\xe2\x80\x8c\xd9\x86", true},
        {"a=b", "a=b", true},
        {"", "is empty", false},
        {" ann", "begins with a blank", false},
        {"ann ", "ends with a blank", false},
        {"ann\xc2\xa0", "ends with a blank", false},
        {"\xe3\x80\x80"
         "ann",
         "begins with a blank", false},
        {"an\nn", "contains a control character", false},
        {"an\x7fn", "contains a control character", false},
        {"an\xc2\x85n", "contains a control character", false},
        {"an\xe2\x80\xa8n", "contains a control character", false},
        /* NOLINTNEXTLINE(misc-misleading-bidirectional): that it is misleading is the point */
        {"an\xe2\x80\xaen", "contains a control character", false},
        {"an\xffn", "is not valid UTF-8", false},
        {"an\xed\xa0\x80n", "is not valid UTF-8", false},
        {"=ann", "begins with '=', which spreadsheets take for a formula", false},
        {"@ann", "begins with '@', which spreadsheets take for a formula", false},
        {long_name + 2, long_name + 2, true},
        {long_name, "has more than 100 characters", false},
    };
    struct buf kept = {0};
    struct err e;

    for (size_t i = 0; i + 1 < sizeof long_name; i += 2)
        memcpy(long_name + i, "\xc3\xb6", 2);
    long_name[sizeof long_name - 1] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        enum status status = coder_name_check(span_of(names[i].typed), &kept, &e);
        assert_int_equal(status, names[i].good ? ST_OK : ST_INPUT);
        assert_string_equal(names[i].good ? buf_cstr(&kept) : e.text, names[i].kept);
    }
    assert_int_equal(coder_name_check((struct span){"a\0b", 3}, &kept, &e), ST_INPUT);
    buf_clear(&kept);
}

TEST(ids)
{
    static const char *const wrong[] = {
        "",     "0",      "045",     "-1",   "+1",   "1 ",    " 1",   "1_1",   "9007199254740992",    "ds:",   ":1",
        "ds:0", "ds:045", "ds:ds:1", "DS:1", "1s:1", "dsx:1", "d-:1", "ds: 1", "ds:9007199254740992", "ds:1_1"};
    static const char *const wrong_problems[] = {"1_0", "1_", "_1", "1_01", "1_1_1", "ds:1_", "ds_1:1"};
    static const char *const posts[] = {"1", "65160023", "9007199254740991", "d:1", "ds:45", "z9:9007199254740991"};
    int64_t id, of;
    char text[POST_ID_TEXT_SIZE];

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        if (post_id_read(span_of(wrong[i]), &id))
            fail_msg("'%s' is the id of a post", wrong[i]);
    for (size_t i = 0; i < ARRAY_LEN(wrong_problems); i++)
        if (problem_id_read(span_of(wrong_problems[i]), &id))
            fail_msg("'%s' is the id of a problem", wrong_problems[i]);
    for (size_t i = 0; i < ARRAY_LEN(posts); i++) {
        char problem[40];
        assert_true(post_id_read(span_of(posts[i]), &id));
        assert_string_equal(post_id_text(id, text), posts[i]);
        snprintf(problem, sizeof problem, "%s_12", posts[i]);
        assert_true(problem_id_read(span_of(problem), &of));
        assert_true(of == id);
    }
    assert_true(post_id_read(SPAN("65160023"), &id) && id == 65160023);
}

/* Each short name has a code of its own, and ids of all sites and signs come back. */
TEST(ids_of_every_site)
{
    static const char seconds[] = "\0abcdefghijklmnopqrstuvwxyz0123456789";
    static const int64_t numbers[] = {1, 45, STUDY_ID_MAX, -1, -STUDY_ID_MAX};
    int64_t last = 0;

    for (int first = 'a'; first <= 'z'; first++)
        for (size_t i = 0; i < sizeof seconds - 1; i++) {
            char name[3] = {(char)first, seconds[i], '\0'}, back[2];
            int64_t code = study_site_code(span_of(name));
            assert_true(code == last + 1);
            last = code;
            assert_int_equal(study_site_short(code, back), strlen(name));
            assert_memory_equal(back, name, strlen(name));
            for (size_t k = 0; k < ARRAY_LEN(numbers); k++) {
                int64_t id = study_id(code, numbers[k]);
                assert_true(study_id_code(id) == code && study_id_number(id) == numbers[k]);
            }
        }
    assert_true(last == 962);
    assert_true(study_id(7, INT64_MIN) == INT64_MIN && study_id(7, INT64_MAX) == INT64_MIN);
    assert_true(study_id_number(INT64_MIN) == INT64_MIN && study_id(0, 45) == 45);
}

/* What a reason quotes, as the words that the text has there: "words@start-end", '-' for words that it does not have. */
static void quotes_of(const char *reason, const char *text, struct buf *out)
{
    struct span rest = span_of(reason);
    struct quote quote;
    size_t start, end;

    buf_reset(out);
    while (quote_next(&rest, &quote))
        if (quote_find(&quote, span_of(text), &start, &end))
            buf_addf(out, "%.*s:%.*s@%zu-%zu|", SPAN_ARG(quote.field), (int)(end - start), text + start, start, end);
        else
            buf_addf(out, "%.*s:-|", SPAN_ARG(quote.field));
}

TEST(finds_what_a_reason_quotes)
{
    static const struct {
        const char *reason, *text, *found;
    } cases[] = {
        {"see “slow” [body 4-8]", "old slow, slow", "body:slow@4-8|"},
        {"“slow” [body 10-14]", "old slow, slow", "body:slow@10-14|"},
        {"“slow” [body 4-8]", "new fast", "body:-|"}, /* the post was edited */
        {"“slow” [body 4-8]", "now it is slow", "body:slow@10-14|"},
        {"“slow” [body 4-80]", "it is slow", "body:slow@6-10|"},
        {"“a  b” [title 0-3]", "a\nb c", "title:a\nb@0-3|"},
        {"“the first of” [body 0-16]", "the first of all", "body:the first of all@0-16|"}, /* of a long passage */
        {"“x” and “y” [body 2-3]", "x y", ":x@0-1|body:y@2-3|"},
        {"“a “b” c” [body 0-15]", "a “b” c x", "body:a “b” c@0-11|"},
        {"“a ”b” [body 0-6]", "a ”b a", "body:a ”b@0-6|"},
        {"“b” [answer 12 1-2]", "abc", "answer 12:b@1-2|"},
        {"“é” [body 1-2]", "éé", "body:é@0-2|"}, /* within a character */
        {"“x", "x", ""},
        {"“” [body 0-1]", "x", "body:-|"},
    };
    AT_END(buf_clear) struct buf found = {0};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        quotes_of(cases[i].reason, cases[i].text, &found);
        assert_string_equal(buf_cstr(&found), cases[i].found);
    }
}

int main(void)
{
    return unit_run(load_facets, clear_facets, NULL, NULL);
}
