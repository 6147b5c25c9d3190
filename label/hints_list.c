/* hints_list: ranks the codes that a post's words suggest. */
#include "label/label.h"

/* What the matches come to, while they are counted. */
struct tally {
    size_t code;
    const struct hint *hint; /* of the code, any */
    unsigned weight;
    struct span words[HINT_WORDS_MAX];
    size_t n_words;
};

struct counting {
    struct ARRAY_OF(struct tally) tallies; /* one for each code that is suggested */
    size_t last_row;                       /* that was weighed; matches come row by row */
    const struct hint_text *texts;
    struct hint_list *list;
};

/* A copy with white space as one blank, and none at the ends. */
static struct span folded(struct arena *arena, struct span text)
{
    text = span_trim(text);
    char *copy = arena_alloc(arena, text.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_space(text.ptr[i]))
            copy[n++] = text.ptr[i];
        else if (copy[n - 1] != ' ')
            copy[n++] = ' ';
    return (struct span){copy, n};
}

static void count_code(struct counting *c, const struct hint_match *match)
{
    if (span_trim(match->words).len == 0) /* a pattern of white space: there is nothing to show */
        return;
    size_t place = 0;
    while (place < c->tallies.n && c->tallies.at[place].code != match->hint->code)
        place++;
    if (place == c->tallies.n)
        array_add(&c->tallies, (struct tally){.code = match->hint->code, .hint = match->hint});
    struct tally *tally = &c->tallies.at[place];

    if (c->last_row != match->row)
        tally->weight += match->hint->weight;
    c->last_row = match->row;
    if (tally->n_words == HINT_WORDS_MAX)
        return;
    struct span words = folded(&c->list->arena, match->words);
    for (size_t i = 0; i < tally->n_words; i++)
        if (span_eq_any_case(tally->words[i], words))
            return;
    tally->words[tally->n_words++] = words;
}

static void count_fact(struct counting *c, const struct hint_match *match)
{
    struct hint_list *list = c->list;
    struct span value = folded(&list->arena, match->value);

    for (size_t i = 0; i < list->n_facts; i++)
        if (span_eq(list->facts[i].fact, match->hint->name) && span_eq_any_case(list->facts[i].value, value))
            return;
    if (value.len == 0)
        return;
    list->facts = array_room(list->facts, list->n_facts, 1, &list->fact_capacity, sizeof *list->facts);
    list->facts[list->n_facts++] = (struct hint_fact){
        .fact = match->hint->name,
        .value = value,
        .words = folded(&list->arena, match->words),
        .field = c->texts[match->text].field,
    };
}

static void count(void *ctx, const struct hint_match *match)
{
    if (match->hint->code == SIZE_MAX)
        count_fact(ctx, match);
    else
        count_code(ctx, match);
}

static int compare_tallies(const void *a, const void *b)
{
    const struct tally *left = a, *right = b;

    if (left->hint->list != right->hint->list)
        return left->hint->list < right->hint->list ? -1 : 1;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return (left->code > right->code) - (left->code < right->code);
}

void hints_suggest(struct hints *h, enum hint_kinds kinds, const struct hint_text *texts, size_t n,
                   struct hint_list *out)
{
    struct counting c = {.last_row = SIZE_MAX, .texts = texts, .list = out};
    AT_END(buf_clear) struct buf words = {0};

    arena_reset(&out->arena);
    *out = (struct hint_list){
        .facts = out->facts, .fact_capacity = out->fact_capacity, .losses = {.row = SIZE_MAX}, .arena = out->arena};
    hints_find(h, kinds, texts, n, count, &c, &out->losses);
    array_sort(&c.tallies, compare_tallies);
    out->suggestions = arena_alloc(&out->arena, (c.tallies.n + 1) * sizeof *out->suggestions);
    for (size_t i = 0; i < c.tallies.n; i++) {
        const struct tally *tally = &c.tallies.at[i];
        buf_reset(&words);
        for (size_t k = 0; k < tally->n_words; k++)
            buf_addf(&words, "%s%.*s", k > 0 ? "; " : "", SPAN_ARG(tally->words[k]));
        out->suggestions[out->n_suggestions++] = (struct hint_suggestion){
            .facet = tally->hint->facet,
            .code = tally->code,
            .name = tally->hint->name,
            .weight = tally->weight,
            .words = arena_copy(&out->arena, buf_span(&words)),
        };
    }
    array_clear(&c.tallies);
}

void hint_list_clear(struct hint_list *list)
{
    mem_free(list->facts);
    arena_clear(&list->arena);
    *list = (struct hint_list){0};
}
