/* label: hints. */
#include "label/label.h"
#include "base/study/study.h"

#include <stdlib.h>

#include "base/csv.h"
#include "base/files.h"
#include "tests/unit/unit.h"

#define HEADER "facet,code,pattern,weight\n"

static const char codes[] = "facet,category,code,short_name,definition,aliases\n"
                            "symptom,Time,slow,,,Slowness\n"
                            "symptom,Time,hang,,,\n"
                            "root cause,API,misuse,,,\n"
                            "stage,,training,,,fit\n";

static void load_codebook(struct codebook *c, const char *text)
{
    struct study none = {0};
    struct facets facets;
    struct err e;

    assert_int_equal(facets_of_study(&facets, &none, &e), ST_OK);
    enum status status = codebook_load(c, &facets, span_of(text), (struct span){0}, &e);
    facets_clear(&facets);
    if (status != ST_OK)
        fail_msg("%s", e.text);
}

static struct hints *load(const struct codebook *c, struct span csv)
{
    struct hints *h;
    struct err e;

    if (hints_load(&h, c, csv, &e) != ST_OK)
        fail_msg("%s", e.text);
    return h;
}

/* --- hints.csv --- */

TEST(loads)
{
    struct codebook c;
    struct hints *h;
    struct err e;

    load_codebook(&c, codes);
    h = load(&c, SPAN(HEADER "symptom, Slowness ,\"slow(er|ly)?, or\",3\n\n"
                             "fact,batch size,(?P<value>\\d+),1\n"));
    assert_int_equal(hints_count(h), 2);
    const struct hint *row = hints_row(h, 0);
    assert_true(span_eq(row->facet, SPAN("symptom")) && span_eq(row->name, SPAN("slow")));
    assert_true(row->code == 0 && row->weight == 3 && row->line == 2);
    assert_true(span_eq(row->pattern, SPAN("slow(er|ly)?, or")));
    row = hints_row(h, 1);
    assert_true(span_eq(row->facet, SPAN("fact")) && span_eq(row->name, SPAN("batch size")));
    assert_true(row->code == SIZE_MAX && row->weight == 1 && row->line == 4);
    hints_free(h);
    assert_int_equal(hints_load(&h, &c, (struct span){0}, &e), ST_OK);
    assert_null(h);
    hints_free(h);
    codebook_clear(&c);
}

TEST(refuses)
{
    static const struct {
        const char *csv, *words;
    } bad[] = {
        {"facet,code,pattern\n", "hints.csv:1: the column 'weight' is missing"},
        {"facet,code,pattern,wieght\n", "hints.csv:1: unknown column 'wieght'"},
        {HEADER "symptm,slow,x,1\n", "hints.csv:2: unknown facet 'symptm' (did you mean 'symptom'?)"},
        {HEADER "colour,slow,x,1\n",
         "hints.csv:2: unknown facet 'colour'; there are: symptom, root cause, stage, fact"},
        {HEADER "symptom,slow,x,1\nsymptom,slwo,x,1\n",
         "hints.csv:3: no symptom 'slwo' in the codebook (did you mean 'slow'?)"},
        {HEADER "stage,hang,x,1\n", "hints.csv:2: no stage 'hang' in the codebook; there are: "},
        {HEADER "symptom,slow,a(b,1\n",
         "hints.csv:2: the pattern is wrong after its byte 3: missing closing parenthesis"},
        {HEADER "symptom,slow,[z-a],1\n", "hints.csv:2: the pattern is wrong after its byte 3: range out of order"},
        {HEADER "symptom,slow,a\\Cb,1\n", "hints.csv:2: the pattern is wrong after its byte"},
        {HEADER "symptom,slow,x*,1\n", "hints.csv:2: the pattern can match the empty text"},
        {HEADER "symptom,slow,,1\n", "hints.csv:2: a row without a pattern"},
        {HEADER "fact,gpu,GTX,1\n", "hints.csv:2: the pattern of a fact needs a group (?P<value>...)"},
        {HEADER "fact,gpu,(?J)(?P<value>a)|(?P<value>b),1\n",
         "hints.csv:2: the pattern of a fact has more than one group (?P<value>...)"},
        {HEADER "fact,,(?P<value>a),1\n", "hints.csv:2: a fact without a name"},
        {HEADER "symptom,slow,x,0\n", "hints.csv:2: weight '0' is not a number from 1 to 3"},
        {HEADER "symptom,slow,x,4\n", "hints.csv:2: weight '4' is not a number from 1 to 3"},
        {HEADER "symptom,slow,x,\n", "hints.csv:2: weight '' is not a number from 1 to 3"},
        {HEADER "symptom,slow,x,1.5\n", "hints.csv:2: weight '1.5' is not a number from 1 to 3"},
        {HEADER "symptom,slow,x,1\nsymptom,hang,x,1\nsymptom,Slowness,x,2\n", "hints.csv:4: the same row as line 2"},
        {HEADER "symptom,slow,x\n", "hints.csv:2: 3 fields under a header of 4 columns"},
    };
    struct codebook c;
    struct hints *h;
    struct err e;

    load_codebook(&c, codes);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        if (hints_load(&h, &c, span_of(bad[i].csv), &e) != ST_INPUT)
            fail_msg("taken: %s", bad[i].csv);
        assert_null(h);
        if (strstr(e.text, bad[i].words) != e.text)
            fail_msg("not \"%s\" but: %s", bad[i].words, e.text);
    }
    codebook_clear(&c);
}

TEST(refuses_what_is_too_large)
{
    struct buf csv = {0};
    struct codebook c;
    struct hints *h;
    struct err e;

    load_codebook(&c, codes);
    buf_add_text(&csv, HEADER "symptom,slow,");
    for (size_t i = 0; i <= HINT_PATTERN_MAX; i++)
        buf_add_char(&csv, 'x');
    buf_add_text(&csv, ",1\n");
    assert_int_equal(hints_load(&h, &c, buf_span(&csv), &e), ST_INPUT);
    assert_non_null(strstr(e.text, "longer than the limit"));
    buf_reset(&csv);
    buf_add_text(&csv, HEADER);
    for (size_t i = 0; i <= HINT_ROWS_MAX; i++)
        buf_addf(&csv, "symptom,slow,x%zu,1\n", i);
    assert_int_equal(hints_load(&h, &c, buf_span(&csv), &e), ST_INPUT);
    assert_string_equal(e.text, "hints.csv:4098: more than 4096 rows");
    buf_clear(&csv);
    codebook_clear(&c);
}

/* --- matches --- */

struct found {
    struct buf text; /* a line for each */
    size_t n;
};

static void add_found(void *ctx, const struct hint_match *m)
{
    struct found *f = ctx;

    f->n++;
    buf_addf(&f->text, "%zu %zu %zu-%zu %.*s [%.*s]\n", m->row, m->text, m->start, m->end, (int)m->words.len,
             m->words.ptr, (int)m->value.len, m->value.ptr != NULL ? m->value.ptr : "");
}

static struct hint_losses find(struct hints *h, enum hint_kinds kinds, struct span title, struct span body,
                               struct found *f)
{
    const struct hint_text texts[] = {{"title", title}, {"body", body}};
    struct hint_losses losses = {0};

    buf_reset(&f->text);
    f->n = 0;
    hints_find(h, kinds, texts, 2, add_found, f, &losses);
    return losses;
}

TEST(finds_places)
{
    struct found f = {0};
    struct codebook c;

    load_codebook(&c, codes);
    struct hints *h = load(&c, SPAN(HEADER "symptom,slow,\\bslow(?:er|ly)?\\b,3\n"
                                           "fact,batch,batch (?:of )?(?P<value>\\d+)|huge batch,1\n"
                                           "symptom,hang,ä+,1\n"));
    find(h, HINT_ALL, SPAN("Slow, SLOWER; slowest"), SPAN("a huge batch\nbatch 12 batch of 3"), &f);
    assert_string_equal(buf_cstr(&f.text), "0 0 0-4 Slow []\n"
                                           "0 0 6-12 SLOWER []\n"
                                           "1 1 13-21 batch 12 [12]\n"
                                           "1 1 22-32 batch of 3 [3]\n");
    find(h, HINT_FACTS, SPAN("slow"), SPAN("batch 12"), &f);
    assert_string_equal(buf_cstr(&f.text), "1 1 0-8 batch 12 [12]\n");
    find(h, HINT_CODES, SPAN("slow"), SPAN("batch 12"), &f);
    assert_string_equal(buf_cstr(&f.text), "0 0 0-4 slow []\n");
    /* Case of other letters; bytes that are no UTF-8 hide nothing but themselves. */
    find(h, HINT_ALL, SPAN("xÄäx"), SPAN("\xff slow \xc3\xe2\x82 slow\x80"), &f);
    assert_string_equal(buf_cstr(&f.text), "0 1 2-6 slow []\n"
                                           "0 1 11-15 slow []\n"
                                           "2 0 1-5 Ää []\n");
    find(h, HINT_ALL, (struct span){0}, SPAN(""), &f);
    assert_int_equal(f.n, 0);
    hints_free(h);
    buf_clear(&f.text);
    codebook_clear(&c);
}

/* Longer texts are searched in pieces: nothing that has white space beside it is lost at their
 * ends, and places count from the text's beginning. */
TEST(finds_in_long_texts)
{
    struct buf text = {0};
    struct found f = {0};
    struct codebook c;

    load_codebook(&c, codes);
    struct hints *h = load(&c, SPAN(HEADER "symptom,slow,\\bslow\\b,3\nsymptom,hang,\\bé,1\n"));
    for (size_t shift = 0; shift < 12; shift++) {
        buf_reset(&text);
        for (size_t i = 0; i < shift; i++)
            buf_add_char(&text, 'x');
        while (text.len < 3 * HINT_PIECE_MAX)
            buf_add_text(&text, " sloow loow");
        size_t places[] = {HINT_PIECE_MAX - 9, HINT_PIECE_MAX + 20, 2 * HINT_PIECE_MAX + 300};
        for (size_t i = 0; i < ARRAY_LEN(places); i++)
            memcpy(text.ptr + places[i], " slow ", 6);
        struct hint_losses losses = find(h, HINT_ALL, buf_span(&text), (struct span){0}, &f);
        assert_int_equal(f.n, ARRAY_LEN(places));
        assert_int_equal(losses.given_up + losses.capped, 0);
        assert_non_null(strstr(buf_cstr(&f.text), "0 0 8184-8188 slow"));
    }
    /* No white space at all: pieces end before a character. */
    buf_reset(&text);
    buf_add_char(&text, 'x');
    while (text.len < 3 * HINT_PIECE_MAX)
        buf_add_text(&text, "é");
    find(h, HINT_ALL, buf_span(&text), (struct span){0}, &f);
    for (size_t i = 0; i < f.text.len; i++)
        assert_true((unsigned char)f.text.ptr[i] < 0xf8);
    hints_free(h);
    buf_clear(&text);
    buf_clear(&f.text);
    codebook_clear(&c);
}

TEST(cannot_be_made_to_hang)
{
    static const char *const patterns[] = {
        "(?:a|aa)+[bc]",     "(a+)+[bc]",          "(?:a?){40}a{40}[bc]", "(?=(a+))a*[bc]\\1", "\\w+\\s*[xy]",
        "(?:\\w+\\W?)+[!?]", "(?<n>a(?&n)?)+[bc]", "(a|[bc]|ab)*[de]",    "a.*a.*a.*[bc]",
    };
    struct buf text = {0}, csv = {0};
    struct found f = {0};
    struct codebook c;
    double start = time_monotonic();
    size_t given_up = 0;

    load_codebook(&c, codes);
    for (size_t i = 0; i < 30000; i++)
        buf_add_char(&text, 'a');
    for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
        buf_reset(&csv);
        buf_addf(&csv, HEADER "symptom,slow,%s,1\nsymptom,hang,^aa,1\n", patterns[i]);
        struct hints *h = load(&c, buf_span(&csv));
        struct hint_losses losses = find(h, HINT_ALL, buf_span(&text), SPAN("aab"), &f);
        given_up += losses.given_up;
        assert_true(losses.given_up == 0 || losses.row == 0);
        /* The other row is found all the same. */
        assert_non_null(strstr(buf_cstr(&f.text), "1 1 0-2 aa []"));
        hints_free(h);
    }
    assert_true(given_up >= 5);
    if (time_monotonic() - start > 300)
        fail_msg("took %.1f s", time_monotonic() - start);
    buf_clear(&text);
    buf_clear(&csv);
    buf_clear(&f.text);
    codebook_clear(&c);
}

TEST(caps_matches)
{
    struct buf text = {0};
    struct found f = {0};
    struct codebook c;

    load_codebook(&c, codes);
    struct hints *h = load(&c, SPAN(HEADER "symptom,slow,slow,1\n"
                                           "fact,number,slow (?P<value>\\d+),1\n"));
    for (size_t i = 0; text.len < 10000000; i++)
        buf_addf(&text, "slow %zu ", i);
    struct hint_losses losses = find(h, HINT_ALL, SPAN("slow"), buf_span(&text), &f);
    assert_int_equal(f.n, 1 + 2 * HINT_MATCHES_MAX);
    assert_int_equal(losses.capped, 2);
    assert_int_equal(losses.given_up, 0);
    text.len = (size_t)(strstr(buf_cstr(&text), "slow 100 ") - text.ptr); /* just as many */
    losses = find(h, HINT_ALL, SPAN("slow"), buf_span(&text), &f);
    assert_int_equal(f.n, 1 + 2 * HINT_MATCHES_MAX);
    assert_int_equal(losses.capped, 0);
    hints_free(h);
    buf_clear(&text);
    buf_clear(&f.text);
    codebook_clear(&c);
}

/* --- suggestions --- */

static void print_list(const struct hint_list *list, struct buf *out)
{
    buf_reset(out);
    for (size_t i = 0; i < list->n_suggestions; i++) {
        const struct hint_suggestion *s = &list->suggestions[i];
        buf_addf(out, "%.*s/%.*s %u: %.*s\n", (int)s->facet.len, s->facet.ptr, (int)s->name.len, s->name.ptr, s->weight,
                 (int)s->words.len, s->words.ptr);
    }
    for (size_t i = 0; i < list->n_facts; i++) {
        const struct hint_fact *f = &list->facts[i];
        buf_addf(out, "%.*s=%.*s in %s: %.*s\n", (int)f->fact.len, f->fact.ptr, (int)f->value.len, f->value.ptr,
                 f->field, (int)f->words.len, f->words.ptr);
    }
}

static const char ranked[] = HEADER "stage,fit,fits?,1\n"
                                    "symptom,hang,hang\\w*,2\n"
                                    "symptom,slow,slow(?:er)?,1\n"
                                    "fact,gpu,on a\\s+(?P<value>GTX\\s+\\d+),1\n"
                                    "symptom,slow,too\\s+slow,1\n"
                                    "fact,gpu,\\b(?P<value>RTX \\d+),1\n";

TEST(ranks)
{
    struct hint_list list = {0};
    struct buf printed = {0};
    struct codebook c;

    load_codebook(&c, codes);
    struct hints *h = load(&c, SPAN(ranked));
    struct hint_text texts[] = {{"title", SPAN("It fits: Slow")},
                                {"body", SPAN("too \n slow, SLOW, slower hangs on a GTX \t 1080")},
                                {"code", SPAN("rtx 2080 on a gtx 1080")}};
    hints_suggest(h, HINT_ALL, texts, 3, &list);
    print_list(&list, &printed);
    /* Of equal sums the first of the codebook, although hang matched first. */
    assert_string_equal(buf_cstr(&printed), "symptom/slow 2: Slow; slower; too slow\n"
                                            "symptom/hang 2: hangs\n"
                                            "stage/training 1: fits\n"
                                            "gpu=GTX 1080 in body: on a GTX 1080\n"
                                            "gpu=rtx 2080 in code: rtx 2080\n");
    assert_int_equal(list.losses.given_up, 0);
    assert_true(list.losses.row == SIZE_MAX);
    texts[0].text = SPAN("hang hangs hanging");
    hints_suggest(h, HINT_CODES, texts, 1, &list);
    print_list(&list, &printed);
    assert_string_equal(buf_cstr(&printed), "symptom/hang 2: hang; hangs; hanging\n");
    texts[0].text = SPAN("nothing");
    hints_suggest(h, HINT_ALL, texts, 1, &list);
    assert_int_equal(list.n_suggestions + list.n_facts, 0);
    hint_list_clear(&list);
    hints_free(h);
    buf_clear(&printed);
    codebook_clear(&c);
}

/* Words of one code are kept up to a number of them. */
TEST(keeps_few_words)
{
    struct hint_list list = {0};
    struct buf text = {0};
    struct codebook c;

    load_codebook(&c, codes);
    struct hints *h = load(&c, SPAN(HEADER "symptom,slow,w\\d+,1\n"));
    for (size_t i = 0; i < 50; i++)
        buf_addf(&text, "w%zu ", i);
    struct hint_text body = {"body", buf_span(&text)};
    hints_suggest(h, HINT_ALL, &body, 1, &list);
    assert_int_equal(list.n_suggestions, 1);
    assert_true(span_eq(list.suggestions[0].words, SPAN("w0; w1; w2; w3; w4; w5; w6; w7; w8; w9; w10; w11")));
    hint_list_clear(&list);
    hints_free(h);
    buf_clear(&text);
    codebook_clear(&c);
}

/* The codebook of a study goes on: codes get other names, become one, or are given up. */
TEST(follows_the_codebook)
{
    struct hint_list list = {0};
    struct buf printed = {0};
    struct codebook before, now;

    load_codebook(&before, codes);
    load_codebook(&now, "facet,category,code,short_name,definition,aliases\n"
                        "stage,,learning,,,training\n"
                        "symptom,Time,lengthy,,,slow;hang\n");
    struct hints *h = load(&before, SPAN(HEADER "symptom,slow,slow,1\nsymptom,hang,hangs,3\n"
                                                "root cause,misuse,misused,1\nstage,fit,fits,1\n"
                                                "fact,n,(?P<value>\\d),1\n"));
    struct hint_text body = {"body", SPAN("slow hangs misused fits 7")};
    hints_follow(h, &now);
    hints_suggest(h, HINT_ALL, &body, 1, &list);
    print_list(&list, &printed);
    assert_string_equal(buf_cstr(&printed), "symptom/lengthy 4: slow; hangs\n"
                                            "stage/learning 1: fits\n"
                                            "n=7 in body: 7\n");
    hint_list_clear(&list);
    hints_free(h);
    buf_clear(&printed);
    codebook_clear(&before);
    codebook_clear(&now);
}

/* --- the study's hints.csv, sentence by sentence --- */

enum { VERDICT, FACET, CODE, VALUE, SENTENCE, COLUMNS };

struct expected {
    struct span facet, name, value;
    bool *row_seen; /* by a sentence of its own code */
    bool wanted;
    bool found, any_code;
};

static void look(void *ctx, const struct hint_match *m)
{
    struct expected *x = ctx;

    x->any_code = x->any_code || m->hint->code != SIZE_MAX;
    if (!span_eq(m->hint->facet, x->facet) || !span_eq(m->hint->name, x->name))
        return;
    if (m->hint->code == SIZE_MAX && x->value.len > 0 && !span_eq(m->value, x->value))
        return;
    x->found = true;
    x->row_seen[m->row] = x->row_seen[m->row] || x->wanted;
}

static void check_sentence(struct hints *h, const struct span fields[COLUMNS], struct expected *x)
{
    bool wanted = span_eq(fields[VERDICT], SPAN("yes"));
    struct hint_text body = {"body", fields[SENTENCE]};
    struct hint_losses losses = {0};

    *x = (struct expected){.facet = fields[FACET],
                           .name = fields[CODE],
                           .value = fields[VALUE],
                           .row_seen = x->row_seen,
                           .wanted = wanted};
    hints_find(h, HINT_ALL, &body, 1, look, x, &losses);
    if (fields[FACET].len == 0 ? x->any_code : x->found != wanted)
        fail_msg("%.*s %.*s: \"%.*s\": %s", (int)fields[FACET].len, fields[FACET].ptr, (int)fields[CODE].len,
                 fields[CODE].ptr, (int)body.text.len, body.text.ptr,
                 wanted ? "no pattern matches" : "a pattern matches");
    assert_int_equal(losses.given_up + losses.capped, 0);
}

static void check_sentences(struct hints *h, struct expected *x)
{
    static const char *const names[COLUMNS] = {"verdict", "facet", "code", "value", "sentence"};
    struct buf path = {0}, content = {0};
    size_t n = 0;
    struct csv_reader csv;
    struct err e;
    enum status status = ST_OK;

    buf_addf(&path, "%s/tests/data/hints.csv", getenv("ROOT") != NULL ? getenv("ROOT") : ".");
    assert_int_equal(file_read(buf_cstr(&path), 1 << 20, &content, &e), ST_OK);
    csv_open(&csv, buf_span(&content), "hints.csv");
    for (; csv_walk(&csv, names, COLUMNS, &status, &e); n++) {
        struct span fields[COLUMNS];
        for (size_t i = 0; i < COLUMNS; i++)
            fields[i] = csv.fields.at[csv.columns[i]];
        check_sentence(h, fields, x);
    }
    assert_int_equal(status, ST_OK);
    assert_true(n > 250);
    buf_clear(&path);
    buf_clear(&content);
}

TEST(has_sentences_for_every_pattern)
{
    struct study study;
    struct codebook c;
    struct err e;

    assert_int_equal(study_load(&study, NULL, &e), ST_OK);
    struct facets facets;
    assert_int_equal(facets_of_study(&facets, &study, &e), ST_OK);
    assert_int_equal(codebook_of_study(&c, &facets, &study, &e), ST_OK);
    facets_clear(&facets);
    struct hints *h = load(&c, study_file(&study, "hints.csv"));
    bool *row_seen = mem_zero(hints_count(h), sizeof *row_seen);
    bool *code_seen = mem_zero(c.n_codes, sizeof *code_seen);
    struct expected x = {.row_seen = row_seen};
    check_sentences(h, &x);
    for (size_t i = 0; i < hints_count(h); i++) {
        const struct hint *row = hints_row(h, i);
        if (!row_seen[i])
            fail_msg("hints.csv:%zu: no sentence for this pattern", row->line);
        if (row->code != SIZE_MAX)
            code_seen[row->code] = true;
    }
    for (size_t i = 0; i < c.n_codes; i++)
        if (!code_seen[i] && !span_eq(c.codes[i].name, SPAN("unknown")) && !span_eq(c.codes[i].name, SPAN("others")))
            fail_msg("no pattern for %.*s", (int)c.codes[i].name.len, c.codes[i].name.ptr);
    mem_free(row_seen);
    mem_free(code_seen);
    hints_free(h);
    codebook_clear(&c);
    study_clear(&study);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
