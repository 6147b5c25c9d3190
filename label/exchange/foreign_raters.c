/* foreign_raters: which columns of somebody else's tables are what raters said, and which is what they agreed on. */
#include "label/exchange/foreign_guess.h"

static const char *const about_rater[] = {"rater",   "coder",    "annotator", "reviewer",
                                          "labeler", "labeller", "researcher"};
static const char about_row_rater[] = "rater coder annotator labeler labeller worker participant respondent submission"
                                      " annotatedby labeledby";

enum { RATERS_MAX = 8 };

bool foreign_says_agreed(struct span folded)
{
    return span_has_word(folded, "gold final agreed consensus resolved majority selected adjudicated");
}

static bool says_rater(const struct column *c)
{
    return span_has_any(c->folded, about_rater, ARRAY_LEN(about_rater));
}

/* Is one of the codes of a cell in `of`? */
static bool has_part(struct guess *g, struct span cell, char by, const struct text_numbers *of)
{
    struct span one;
    bool found = false;

    while (!found && span_cut(&cell, by, &one))
        found = text_numbers_has(of, foreign_folded(&g->arena, span_trim(one)));
    return found;
}

static void add_parts(struct guess *g, struct span cell, char by, struct text_numbers *to)
{
    struct span one;

    while (span_cut(&cell, by, &one))
        (void)text_numbers_add(to, foreign_folded(&g->arena, span_trim(one)), NULL);
}

/* What is between the codes of a cell, in both columns: one of the raters may have given one code everywhere. */
static char cut_of(const struct column *a, const struct column *b)
{
    return a->by != '\0' ? a->by : b->by;
}

/* How many cells of `a` have a value that `b` has, too, of 100. */
static size_t shared(struct guess *g, const struct column *a, const struct column *b)
{
    AT_END(text_numbers_clear) struct text_numbers of = {0};
    char by = cut_of(a, b);
    size_t n = 0;

    for (size_t i = 0; i < b->values.n; i++)
        add_parts(g, b->values.at[i].key, by, &of);
    for (size_t i = 0; i < a->values.n; i++)
        n += has_part(g, a->values.at[i].key, by, &of) ? a->values.at[i].value : 0;
    return a->n > 0 ? n * 100 / a->n : 0;
}

static void set_rater(struct guess *g, struct column *c, struct span facet, struct span coder)
{
    char *name = arena_text(&g->arena, coder);

    for (char *p = name; *p != '\0'; p++) /* it is left of '=' in mapping.ini */
        *p = *p == '=' ? '-' : *p;
    c->coder = span_of(name);
    c->facet = facet;
}

/* Of 100 rows in which both say something, those in which they say the same, or one of several codes is. */
static size_t agree(struct guess *g, const struct looked *l, size_t a, size_t b)
{
    AT_END(text_numbers_clear) struct text_numbers of = {0}; /* the codes on the left */
    char by = cut_of(&l->columns.at[a], &l->columns.at[b]);
    size_t n = 0, same = 0;

    for (size_t row = l->heads; row < l->table->n_rows; row++) {
        struct span left = foreign_cell(l->table, row, a), right = foreign_cell(l->table, row, b);
        if (left.len == 0 || right.len == 0)
            continue;
        text_numbers_reset(&of);
        add_parts(g, left, by, &of);
        n++;
        same += has_part(g, right, by, &of);
    }
    return n > 0 ? same * 100 / n : 0;
}

/* A column of what the raters agreed on beside theirs; all its cells may be the one word that says yes. */
static void find_agreed(struct guess *g, struct looked *l, struct span facet, enum role role)
{
    for (size_t i = 0; i < l->columns.n; i++) {
        struct column *c = &l->columns.at[i];
        if (c->coder.ptr != NULL || !foreign_says_agreed(c->folded) ||
            (c->role != role && (role != YES_NO || c->values.n != 1)))
            continue;
        size_t most = 0;
        c->role = role;
        c->facet = facet;
        for (size_t j = 0; j < l->columns.n; j++) { /* "final_symptom", or one with the codes of a rater's column */
            const struct column *of = &l->columns.at[j];
            if (of->coder.ptr == NULL)
                continue;
            bool named = span_has(c->folded, arena_text(&g->arena, foreign_folded(&g->arena, of->facet)));
            size_t same = named ? 101 : shared(g, c, of);
            c->facet = same > most ? of->facet : c->facet;
            most = same > most ? same : most;
        }
    }
}

/* "Symptom (Ann)", "Symptom - Ann", "symptom_A", "symptom1": what is rated, and who rates. */
static bool cut_name(struct span head, struct span *what, struct span *who, bool *brief)
{
    size_t at = head.len, dash = span_find(head, SPAN(" - ")), open = span_find(head, SPAN("("));

    *brief = false;
    if (open != SIZE_MAX && head.ptr[head.len - 1] == ')') {
        *who = (struct span){head.ptr + open + 1, head.len - open - 2};
        at = open;
    } else if (dash != SIZE_MAX) {
        *who = span_after(head, dash + 3);
        at = dash;
    } else if (head.len > 1) {
        char last = head.ptr[head.len - 1], before = head.ptr[head.len - 2];
        bool digit = last >= '1' && last <= '9', apart = strchr(" _-.", before) != NULL;
        *brief = digit || ascii_is_letter(last);
        at = apart && *brief ? head.len - 2 : digit && ascii_is_letter(before) ? head.len - 1 : head.len;
        *who = (struct span){head.ptr + head.len - 1, 1};
    }
    *what = span_trim((struct span){head.ptr, at});
    *who = span_trim(*who);
    return at < head.len && what->len > 0 && who->len > 0;
}

/* Both say something in most rows, and the same more often than by chance. */
static bool agree_as_raters(struct guess *g, const struct looked *l, size_t a, size_t b)
{
    const struct column *x = &l->columns.at[a], *y = &l->columns.at[b];
    double chance = 0;

    for (size_t i = 0; i < x->values.n; i++) {
        const struct text_numbers_entry *same = text_numbers_find(&y->values, x->values.at[i].key);
        if (same != NULL)
            chance += (double)x->values.at[i].value / (double)x->n * (double)same->value / (double)y->n;
    }
    double kappa = ((double)agree(g, l, a, b) / 100 - chance) / (1 - chance),
           spread = chance / (1 - chance) / (double)x->n;
    return x->n * 10 >= y->n * 8 && y->n * 10 >= x->n * 8 && kappa >= 0.1 && kappa * kappa >= 2.3 * 2.3 * spread;
}

/* Are two columns what two raters said of one thing? A column of second codes has such a head, too, but is filled in
 * few rows, never with the first code again; questions 1 to 12 are too many for raters. */
static bool name_two_raters(struct guess *g, const struct looked *l, size_t a, size_t b)
{
    enum { STEM_LEAST = 3 };
    const struct column *x = &l->columns.at[a], *y = &l->columns.at[b];
    struct span what = {0}, who = {0}, of_other = {0}, other = {0};
    bool brief, other_brief;

    return a != b && x->role == LABEL && y->role == LABEL && cut_name(x->head, &what, &who, &brief) &&
           cut_name(y->head, &of_other, &other, &other_brief) && brief == other_brief && span_eq(what, of_other) &&
           (shared(g, x, y) >= 50 || shared(g, y, x) >= 50) &&
           (!brief || (what.len >= STEM_LEAST && strchr("1234abcdABCD", who.ptr[0]) != NULL && !says_rater(x) &&
                       agree_as_raters(g, l, a, b)));
}

static bool find_named_raters(struct guess *g, struct looked *l)
{
    struct span what = {0}, who = {0};
    bool brief;
    size_t n = 0;

    for (size_t i = 0; i < l->columns.n; i++) {
        struct column *c = &l->columns.at[i];
        bool other = false;
        for (size_t j = 0; j < l->columns.n && !other; j++)
            other = name_two_raters(g, l, i, j);
        if (!other || !cut_name(c->head, &what, &who, &brief))
            continue;
        set_rater(g, c, foreign_facet_name(&g->arena, what), who);
        if (n == 0)
            buf_addf(&g->doubts, "%.*s: taken for what raters said:", SPAN_ARG(l->table->name));
        buf_addf(&g->doubts, "%s '%.*s'", n > 0 ? "," : "", SPAN_ARG(c->head));
        find_agreed(g, l, c->facet, LABEL);
        n++;
    }
    if (n > 0)
        buf_add_char(&g->doubts, '\n');
    return n > 0;
}

/* "symptom_coder1" is what coder1 said of the symptom: *rater is that part of the head, and *rest is without it. */
static void cut_rater(struct guess *g, struct span head, struct span *rater, struct span *rest)
{
    size_t from = SIZE_MAX, to;

    for (size_t i = 0; i < ARRAY_LEN(about_rater) && from == SIZE_MAX; i++)
        from = span_find_any_case(head, span_of(about_rater[i]));
    from = from == SIZE_MAX ? 0 : from;
    for (to = from; to < head.len && ascii_is_letter(head.ptr[to]);)
        to++;
    while (from > 0 && ascii_is_letter(head.ptr[from - 1]))
        from--;
    size_t end = to + (to < head.len && strchr(" _-", head.ptr[to]) != NULL), digits = end;
    while (digits < head.len && head.ptr[digits] >= '0' && head.ptr[digits] <= '9')
        digits++;
    if (digits > end)
        to = digits;
    else if (end < head.len && ascii_is_letter(head.ptr[end]) &&
             (end + 1 == head.len || !ascii_is_letter(head.ptr[end + 1])))
        to = end + 1;
    *rater = (struct span){head.ptr + from, to - from};
    *rest = span_trim(arena_addf(&g->arena, "%.*s %.*s", (int)from, head.ptr, SPAN_ARG(span_after(head, to))));
}

/* "Ann rater" and "Ben rater" with the same codes: what is beside the word names the rater, and not what is rated. */
static bool names_come_first(struct guess *g, struct looked *l, const size_t *columns, size_t n)
{
    struct span first = {0}, rater, rest;

    for (size_t i = 0; i < n; i++) {
        const struct column *c = &l->columns.at[columns[i]], *other = &l->columns.at[columns[0]];
        cut_rater(g, c->head, &rater, &rest);
        first = i == 0 ? rater : first;
        if (rest.len == 0 || !span_eq(foreign_folded(&g->arena, rater), foreign_folded(&g->arena, first)) ||
            (shared(g, c, other) < 50 && shared(g, other, c) < 50))
            return false;
    }
    return n >= 2;
}

/* Columns whose heads say so are raters'. So are two to eight with the same codes where there are no other labels and no
 * key, or where their heads say nothing of labels and they mostly agree: those may be the names of people. */
void foreign_find_raters(struct guess *g, struct looked *l)
{
    size_t said[RATERS_MAX * 4], named[RATERS_MAX], n_said = 0, n_named = 0, labels = 0;
    size_t sheet = span_find(l->table->name, SPAN("#"));
    bool marks = true, same = true, agreed = true;

    if (find_named_raters(g, l))
        return;
    for (size_t i = 0; i < l->columns.n; i++) {
        struct column *c = &l->columns.at[i];
        if (c->role == NOTHING && c->values.n == 1 && !c->numeric && says_rater(c))
            c->role = LABEL; /* a rater who always says the same */
        if (c->role != LABEL && c->role != YES_NO)
            continue;
        if (says_rater(c) && !foreign_says_agreed(c->folded) && n_said < ARRAY_LEN(said)) {
            said[n_said++] = i;
            marks &= c->role == YES_NO;
        }
        labels++;
        if (c->role != LABEL || c->says_label || foreign_says_agreed(c->folded) || n_named == RATERS_MAX)
            continue;
        const struct column *first = n_named > 0 ? &l->columns.at[named[0]] : c;
        bool alike = shared(g, c, first) >= 50 || shared(g, first, c) >= 50;
        same &= alike;
        if (!alike)
            continue;
        for (size_t j = 0; j < c->head.len; j++) /* a name is one word */
            agreed &= ascii_is_letter(c->head.ptr[j]) || (unsigned char)c->head.ptr[j] >= 0x80;
        agreed &= n_named == 0 || agree(g, l, named[0], i) >= 50;
        named[n_named++] = i;
    }
    bool by_heads = n_said >= 2;
    bool alone = same && n_named == labels && l->link == l->columns.n;
    if (!by_heads && (n_named < 2 || (!alone && !agreed)))
        return;
    const size_t *raters = by_heads ? said : named, n = by_heads ? n_said : n_named;
    /* of yes and no, the sheet says about what: */
    struct span facet = marks && by_heads && sheet != SIZE_MAX
                            ? foreign_facet_name(&g->arena, span_after(l->table->name, sheet + 1))
                            : SPAN("label");
    buf_addf(&g->doubts, "%.*s: %zu columns %s: taken for what raters said\n", SPAN_ARG(l->table->name), n,
             by_heads ? "have heads of raters" : "have the same codes");
    bool by_names = by_heads && names_come_first(g, l, raters, n);
    for (size_t i = 0; i < n; i++) {
        struct column *c = &l->columns.at[raters[i]];
        struct span rater = c->head, rest = SPAN("");
        if (by_heads && !by_names)
            cut_rater(g, c->head, &rater, &rest);
        bool says = foreign_folded(&g->arena, rest).len > 0;
        set_rater(g, c, says ? foreign_facet_name(&g->arena, rest) : facet, says ? rater : c->head);
    }
    find_agreed(g, l, facet, l->columns.at[raters[0]].role);
}

void foreign_learn_raters(struct guess *g, struct looked *l, const struct looked *from)
{
    size_t raters = 0, here = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < from->columns.n && (pass == 0 || (raters >= 2 && here == raters)); i++) {
            const struct column *other = &from->columns.at[i];
            raters += pass == 0 && other->coder.ptr != NULL;
            for (size_t j = 0; j < l->columns.n && other->coder.ptr != NULL; j++) {
                struct column *c = &l->columns.at[j];
                if (c->role != other->role || c->coder.ptr != NULL || !span_eq(c->folded, other->folded))
                    continue;
                here += pass == 0;
                if (pass == 1)
                    set_rater(g, c, other->facet, other->coder);
                break;
            }
        }
}

/* Does each row say what one rater said of one item, of those in the column `key`? */
static bool rates_rows(struct guess *g, const struct looked *l, size_t key, size_t by)
{
    const struct column *c = &l->columns.at[by];
    AT_END(text_numbers_clear) struct text_numbers pairs = {0};
    size_t rows = 0;

    if (by == key || c->values.n < 2 || c->coder.ptr != NULL || !span_has_word(c->folded, about_row_rater))
        return false;
    for (size_t i = 0; i < l->columns.n; i++) {
        const struct column *other = &l->columns.at[i];
        size_t same = 0;
        for (size_t k = 0; k < c->values.n && other != c; k++)
            same += text_numbers_has(&other->values, c->values.at[k].key);
        if (same > 0 && span_has_word(other->folded, about_row_rater))
            return false; /* "Ann rater" and "Ben rater" have the same codes; names of raters are in one column */
    }
    for (size_t row = l->heads; row < l->table->n_rows; row++) {
        struct span item = foreign_cell(l->table, row, key), rater = foreign_cell(l->table, row, by);
        if (item.len == 0 || rater.len == 0)
            continue;
        struct span pair = arena_addf(&g->arena, "%.*s\n%.*s", SPAN_ARG(item), SPAN_ARG(rater));
        (void)text_numbers_add(&pairs, pair, NULL);
        rows++;
    }
    return rows * 10 >= c->n * 9 && pairs.n * 20 >= rows * 19;
}

size_t foreign_row_rater(struct guess *g, const struct looked *l, size_t key)
{
    size_t by = 0;

    while (by < l->columns.n && !rates_rows(g, l, key, by))
        by++;
    return by;
}

void foreign_find_row_rater(struct guess *g, struct looked *l)
{
    l->by = l->columns.n;
    if (l->link == l->columns.n || l->columns.at[l->link].values.n * 10 > l->columns.at[l->link].n * 9)
        return;
    l->by = foreign_row_rater(g, l, l->link);
    if (l->by == l->columns.n)
        return;
    struct column *c = &l->columns.at[l->by];
    c->role = NOTHING;
    c->why_not = NULL;
    buf_addf(&g->doubts, "%.*s: an item has several rows: column '%.*s' is taken for who rated\n",
             SPAN_ARG(l->table->name), SPAN_ARG(c->head));
}
