/* Hints on any text by fixed patterns, and on a text by any patterns: matches lie inside the text, in
 * order, apart; values inside them; and a plain pattern finds what a plain search finds. Input: a
 * text; or 'p', a line end, rows of hints.csv, a NUL, a text. */
#include "base/utf8.h"
#include "label/label.h"

#include <stdlib.h>

static const char codes[] = "facet,category,code,short_name,definition,aliases\n"
                            "symptom,,slow,,,\nstage,,training,,,\n";
static const char header[] = "facet,code,pattern,weight\n";
static const char fixed[] = "facet,code,pattern,weight\n"
                            "symptom,slow,war\\d,1\n"
                            "symptom,slow,\\b(?:gets?|got)\\s+(?:\\w+\\s+)?(?:slower|longer)\\b,2\n"
                            "stage,training,\"train(?:s|ing)?\\b(?:[^.?!\\n]|\\.(?=\\S)){0,30}\\bslow\",3\n"
                            "fact,version,\\btf\\s*[:=]?\\s*(?P<value>\\d\\.\\d+)\\b,1\n"
                            "fact,shape,(?P<value>\\d+\\s?[x×]\\s?\\d+)|é+,1\n";

static void require(bool holds)
{
    if (!holds)
        abort();
}

struct seen {
    const struct hint_text *text;
    size_t row, end; /* of the last match */
    size_t n_plain;
};

static void look(void *ctx, const struct hint_match *m)
{
    struct seen *s = ctx;

    require(m->row >= s->row);
    require(m->text == 0 && m->start < m->end && m->end <= s->text->text.len);
    require(m->row != s->row || m->start >= s->end);
    require(m->words.ptr == s->text->text.ptr + m->start && m->words.len == m->end - m->start);
    require((m->hint->code == SIZE_MAX) == (m->value.ptr != NULL));
    require(m->value.ptr == NULL || (m->value.len > 0 && m->value.ptr >= s->text->text.ptr &&
                                     m->value.ptr + m->value.len <= s->text->text.ptr + s->text->text.len));
    s->n_plain += m->row == 0;
    s->row = m->row;
    s->end = m->end;
}

static bool is_letter(char c, char lower)
{
    return c == lower || c == lower - 'a' + 'A';
}

/* Matches of the first fixed pattern. */
static size_t count_plain(struct span text)
{
    size_t n = 0;

    for (size_t i = 0; i + 3 < text.len; i++)
        n += is_letter(text.ptr[i], 'w') && is_letter(text.ptr[i + 1], 'a') && is_letter(text.ptr[i + 2], 'r') &&
             text.ptr[i + 3] >= '0' && text.ptr[i + 3] <= '9';
    return n;
}

static size_t check(struct hints *h, struct span content)
{
    const struct hint_text text = {"body", content};
    struct hint_losses losses = {0};
    struct hint_list list = {0};
    struct seen s = {.text = &text};

    hints_find(h, HINT_ALL, &text, 1, look, &s, &losses);
    hints_suggest(h, HINT_ALL, &text, 1, &list);
    for (size_t i = 0; i < list.n_suggestions; i++)
        require(list.suggestions[i].weight > 0 && list.suggestions[i].words.len > 0);
    require(list.losses.given_up == losses.given_up && list.losses.capped == losses.capped);
    hint_list_clear(&list);
    return s.n_plain;
}

static void check_rows(const struct codebook *c, struct span input)
{
    struct span rows;
    struct buf csv = {0};
    struct hints *h;
    struct err e;

    if (!span_cut(&input, '\0', &rows))
        return;
    buf_add_text(&csv, header);
    buf_add_span(&csv, rows);
    if (hints_load(&h, c, buf_span(&csv), &e) == ST_OK) {
        check(h, input);
        hints_free(h);
    } else {
        require(e.status == ST_INPUT && strstr(e.text, "hints.csv:") == e.text);
    }
    buf_clear(&csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct codebook c;
    static struct hints *h;
    const struct study none = {0};
    static struct facets facets; /* the codebook refers to it */
    struct span input = {(const char *)data, size};
    struct err e;

    if (h == NULL)
        require(facets_of_study(&facets, &none, &e) == ST_OK &&
                codebook_load(&c, &facets, span_of(codes), (struct span){0}, &e) == ST_OK &&
                hints_load(&h, &c, span_of(fixed), &e) == ST_OK);
    if (span_starts(input, SPAN("p\n"))) {
        input.ptr += 2;
        input.len -= 2;
        check_rows(&c, input);
        return 0;
    }
    size_t n = check(h, input);
    size_t plain = count_plain(input);
    if (size <= HINT_PIECE_MAX && utf8_valid_prefix(input) == size)
        require(n == (plain < HINT_MATCHES_MAX ? plain : HINT_MATCHES_MAX));
    return 0;
}
