/* Reads the patterns whose matches in a post suggest a code. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/csv.h"
#include "label/label.h"

#include <pcre2.h>

static const char file_name[] = "hints.csv";
static const char fact_facet[] = "fact";

enum { JIT_STACK_MIN = 32 << 10, JIT_STACK_MAX = 512 << 10 };

struct pattern {
    pcre2_code *code;
    uint32_t value; /* number of the group `value`; 0: none */
    bool is_mute;   /* its code is no longer given */
    bool is_native; /* machine code was made, or asked for in vain */
};

struct hints {
    struct ARRAY_OF(struct hint) rows;
    struct ARRAY_OF(struct pattern) patterns; /* of the rows */
    bool interprets;                          /* no machine code is wanted */
    pcre2_compile_context *compiling;
    pcre2_match_context *limits;
    pcre2_match_data *found;
    pcre2_jit_stack *stack;
    struct arena arena; /* owns the texts of the rows */
};

size_t hints_count(const struct hints *h)
{
    return h->rows.n;
}

const struct hint *hints_row(const struct hints *h, size_t row)
{
    return &h->rows.at[row];
}

/* --- hints.csv --- */

struct loader {
    struct hints *hints;
    const struct codebook *codebook;
    struct csv_reader csv;
    struct err *e;
};

static enum status wrong(const struct loader *l, const char *what)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: %s", file_name, l->csv.line, what);
}

/* PCRE2 allocates with these; running out of memory ends the program, as everywhere. */
static void *allocate(size_t size, void *ctx)
{
    (void)ctx;
    return mem_alloc(size);
}

static void release(void *block, void *ctx)
{
    (void)ctx;
    mem_free(block);
}

static struct hints *hints_new(void)
{
    struct hints *h = mem_zero(1, sizeof *h);
    pcre2_general_context *general = pcre2_general_context_create(allocate, release, NULL);

    h->interprets = getenv("PPMINE_NO_JIT") != NULL;
    h->compiling = pcre2_compile_context_create(general);
    pcre2_set_newline(h->compiling, PCRE2_NEWLINE_LF);
    pcre2_set_max_pattern_length(h->compiling, HINT_PATTERN_MAX);
    h->limits = pcre2_match_context_create(general);
    pcre2_set_match_limit(h->limits, HINT_STEPS_MAX);
    pcre2_set_depth_limit(h->limits, HINT_STEPS_MAX);
    pcre2_set_heap_limit(h->limits, HINT_HEAP_MAX);
    h->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, general);
    pcre2_jit_stack_assign(h->limits, NULL, h->stack); /* NULL, without JIT, is fine with it */
    pcre2_general_context_free(general);
    return h;
}

static enum status MUST_USE compile(const struct loader *l, struct span text, pcre2_code **out)
{
    const uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C;
    uint32_t matches_empty = 0;
    PCRE2_UCHAR words[256];
    size_t offset;
    int code;

    *out = pcre2_compile((PCRE2_SPTR)text.ptr, text.len, options, &code, &offset, l->hints->compiling);
    if (*out == NULL)
        return pcre2_get_error_message(code, words, sizeof words) < 0
                   ? wrong(l, "the pattern does not compile")
                   : err_set(l->e, ST_INPUT, "%s:%zu: the pattern is wrong after its byte %zu: %s", file_name,
                             l->csv.line, offset, (const char *)words);
    pcre2_pattern_info(*out, PCRE2_INFO_MATCHEMPTY, &matches_empty);
    if (matches_empty != 0)
        return wrong(l, "the pattern can match the empty text, so it would match everywhere");
    return ST_OK;
}

enum { FACET, CODE, PATTERN, WEIGHT, COLUMNS };

static enum status MUST_USE find_code(const struct loader *l, struct hint *hint)
{
    const struct codebook *c = l->codebook;
    struct span facet = csv_cell(&l->csv, FACET), text = csv_cell(&l->csv, CODE);
    struct err why;

    hint->list = codebook_list(c, facet);
    hint->facet = hint->list < c->n_lists ? c->lists[hint->list] : span_of(fact_facet);
    hint->code = SIZE_MAX;
    if (!span_eq(facet, hint->facet))
        return codebook_no_list(c, &l->csv, (struct span){facet.ptr, facet.len < 80 ? facet.len : 80}, fact_facet,
                                l->e);
    if (span_eq(hint->facet, span_of(fact_facet))) {
        hint->name = arena_copy(&l->hints->arena, text);
        return text.len > 0 ? ST_OK : wrong(l, "a fact without a name");
    }
    hint->code = codebook_find(c, hint->facet, text, &why);
    if (hint->code == SIZE_MAX)
        return wrong(l, why.text);
    hint->name = c->codes[hint->code].name;
    return ST_OK;
}

static enum status MUST_USE check_row(const struct loader *l, const struct hint *hint, struct span weight)
{
    const struct hints *h = l->hints;

    if (hint->weight == 0)
        return err_set(l->e, ST_INPUT, "%s:%zu: weight '%.*s' is not a number from 1 to %d", file_name, l->csv.line,
                       weight.len < 80 ? (int)weight.len : 80, weight.ptr, HINT_WEIGHT_MAX);
    if (hint->pattern.len == 0)
        return wrong(l, "a row without a pattern");
    if (h->rows.n == HINT_ROWS_MAX)
        return err_set(l->e, ST_INPUT, "%s:%zu: more than %d rows", file_name, l->csv.line, HINT_ROWS_MAX);
    for (size_t i = 0; i < h->rows.n; i++) {
        const struct hint *is = &h->rows.at[i];
        if (span_eq(is->facet, hint->facet) && span_eq(is->name, hint->name) && span_eq(is->pattern, hint->pattern))
            return err_set(l->e, ST_INPUT, "%s:%zu: the same row as line %zu", file_name, l->csv.line, is->line);
    }
    return ST_OK;
}

static enum status MUST_USE add_row(const struct loader *l)
{
    struct hints *h = l->hints;
    struct span weight = csv_cell(&l->csv, WEIGHT);
    uint64_t number = 0;
    struct hint hint = {.line = l->csv.line};
    enum status status = find_code(l, &hint);

    if (span_u64(weight, HINT_WEIGHT_MAX, &number))
        hint.weight = (unsigned)number;
    hint.pattern = arena_copy(&h->arena, l->csv.fields.at[l->csv.columns[PATTERN]]);
    THEN(status, check_row(l, &hint, weight));
    if (status != ST_OK)
        return status;
    array_add(&h->rows, hint);
    struct pattern *pattern = array_add(&h->patterns, (struct pattern){0}); /* there, so that hints_free sees it */
    status = compile(l, hint.pattern, &pattern->code);
    if (status != ST_OK || hint.code != SIZE_MAX)
        return status;
    int value = pcre2_substring_number_from_name(pattern->code, (PCRE2_SPTR) "value");
    if (value == PCRE2_ERROR_NOUNIQUESUBSTRING)
        return wrong(l, "the pattern of a fact has more than one group (?P<value>...)");
    if (value < 0)
        return wrong(l, "the pattern of a fact needs a group (?P<value>...)");
    pattern->value = (uint32_t)value;
    return ST_OK;
}

enum status hints_load(struct hints **out, const struct codebook *c, struct span csv, struct err *e)
{
    *out = NULL;
    if (csv.len == 0)
        return ST_OK;
    static const char *const names[COLUMNS] = {"facet", "code", "pattern", "weight"};
    uint32_t most = 0; /* groups of a pattern */
    enum status status = ST_OK;
    struct loader l = {.hints = hints_new(), .codebook = c, .e = e};
    struct hints *h = l.hints;
    csv_open_verbatim(&l.csv, csv, file_name);
    while (csv_walk(&l.csv, names, COLUMNS, &status, e))
        status = add_row(&l);
    if (status != ST_OK) {
        hints_free(h);
        return status;
    }
    for (size_t i = 0; i < h->patterns.n; i++) {
        uint32_t groups = 0;
        pcre2_pattern_info(h->patterns.at[i].code, PCRE2_INFO_CAPTURECOUNT, &groups);
        most = groups > most ? groups : most;
    }
    pcre2_general_context *general = pcre2_general_context_create(allocate, release, NULL);
    h->found = pcre2_match_data_create(most + 1, general);
    pcre2_general_context_free(general);
    *out = h;
    return ST_OK;
}

void hints_follow(struct hints *h, const struct codebook *now)
{
    struct err why;

    for (size_t i = 0; i < h->rows.n; i++) {
        struct hint *hint = &h->rows.at[i];
        if (hint->code == SIZE_MAX)
            continue;
        size_t code = codebook_find(now, hint->facet, hint->name, &why);
        h->patterns.at[i].is_mute = code == SIZE_MAX;
        if (code == SIZE_MAX)
            continue;
        hint->code = code;
        hint->name = now->codes[code].name;
    }
}

void hints_free(struct hints *h)
{
    if (h == NULL)
        return;
    for (size_t i = 0; i < h->rows.n; i++)
        pcre2_code_free(h->patterns.at[i].code);
    pcre2_match_data_free(h->found);
    pcre2_match_context_free(h->limits);
    pcre2_compile_context_free(h->compiling);
    pcre2_jit_stack_free(h->stack);
    array_clear(&h->rows);
    array_clear(&h->patterns);
    arena_clear(&h->arena);
    mem_free(h);
}

/* --- searching --- */

struct search {
    struct hints *hints;
    size_t row, text;
    struct span content; /* of the text */
    size_t n;            /* matches of the row in the text */
    void (*each)(void *ctx, const struct hint_match *match);
    void *ctx;
    struct hint_losses *losses;
};

/* The end of the piece from `start`: after white space in its second half, else before a character. */
static size_t piece_end(struct span text, size_t start)
{
    if (text.len - start <= HINT_PIECE_MAX)
        return text.len;
    size_t end = start + HINT_PIECE_MAX;
    for (size_t i = end; i > start + HINT_PIECE_MAX / 2; i--)
        if (ascii_is_space(text.ptr[i - 1]))
            return i;
    while (end > start + HINT_PIECE_MAX - 3 && ((unsigned char)text.ptr[end] & 0xc0) == 0x80)
        end--;
    return end;
}

/* Hands on the match that was found in the piece at `base`. */
static void report(struct search *s, size_t base, size_t start, size_t end)
{
    const struct hints *h = s->hints;
    const PCRE2_SIZE *places = pcre2_get_ovector_pointer(h->found);
    uint32_t group = h->patterns.at[s->row].value;
    struct hint_match match = {
        .row = s->row,
        .hint = &h->rows.at[s->row],
        .text = s->text,
        .start = base + start,
        .end = base + end,
        .words = {s->content.ptr + base + start, end - start},
    };

    if (group > 0) {
        PCRE2_SIZE from = places[2 * (size_t)group], to = places[2 * (size_t)group + 1];
        if (from == PCRE2_UNSET || to <= from)
            return; /* the group stands in an alternative that was not taken */
        match.value = (struct span){s->content.ptr + base + from, to - from};
    }
    s->each(s->ctx, &match);
}

/* False: no more of this row in this text. */
static bool search_piece(struct search *s, size_t base, size_t end)
{
    const struct hints *h = s->hints;
    PCRE2_SPTR piece = (PCRE2_SPTR)s->content.ptr + base;
    size_t at = 0;

    while (at < end - base) {
        int rc = pcre2_match(h->patterns.at[s->row].code, piece, end - base, at, PCRE2_NOTEMPTY, h->found, h->limits);
        if (rc == PCRE2_ERROR_NOMATCH)
            return true;
        if (rc < 0) {
            if (s->losses->given_up++ == 0)
                s->losses->row = s->row;
            return false;
        }
        if (s->n++ == HINT_MATCHES_MAX) {
            s->losses->capped++;
            return false;
        }
        const PCRE2_SIZE *places = pcre2_get_ovector_pointer(h->found);
        if (places[0] < places[1]) /* \K may turn them round */
            report(s, base, places[0], places[1]);
        at = places[1] > at ? places[1] : at + 1;
    }
    return true;
}

void hints_find(struct hints *h, enum hint_kinds kinds, const struct hint_text *texts, size_t n,
                void (*each)(void *ctx, const struct hint_match *match), void *ctx, struct hint_losses *losses)
{
    struct search s = {.hints = h, .each = each, .ctx = ctx, .losses = losses};

    for (s.row = 0; s.row < h->rows.n; s.row++) {
        bool is_fact = h->rows.at[s.row].code == SIZE_MAX;
        if ((kinds & (is_fact ? HINT_FACTS : HINT_CODES)) == 0 || h->patterns.at[s.row].is_mute)
            continue;
        /* Machine code takes longer to make (0.07 ms) than all else about a pattern, so it is made for those that are
         * searched for. Without machine code, pcre2_match interprets. */
        struct pattern *pattern = &h->patterns.at[s.row];
        if (!pattern->is_native && !h->interprets)
            (void)pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
        pattern->is_native = true;
        for (s.text = 0; s.text < n; s.text++) {
            s.content = texts[s.text].text;
            s.n = 0;
            for (size_t base = 0, end; base < s.content.len; base = end) {
                end = piece_end(s.content, base);
                if (!search_piece(&s, base, end))
                    break;
            }
        }
    }
}
