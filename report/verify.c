/* verify: recomputes the published numbers of claims.csv, and looks for what explains a difference. */
#include "label/coding/decisions.h"
#include "report/report.h"

#include "base/csv.h"
#include "base/maps.h"

#include <math.h>

enum {
    CONDITIONS_MAX = 8,
    SHOWN_MAX = 5,        /* rows that an explanation names */
    EXPLANATIONS_MAX = 3, /* of a claim */
    ALONE_MAX = 5000,     /* items of which each is left out by itself */
    CELLS_MAX = 1 << 28,  /* items x coders x facets */
    MERGED = 0            /* the place of the merged coders: what was settled */
};

enum what { PROBLEMS, POSTS, SHARE, LABELS, CODES, CODERS, RATED, MEASURE, CELL };

static const struct statistic {
    const char *name;
    enum what what;
    enum agreement_measure measure;
} statistics[] = {
    {"problems", PROBLEMS, 0},
    {"posts", POSTS, 0},
    {"share", SHARE, 0},
    {"labels", LABELS, 0},
    {"codes", CODES, 0},
    {"coders", CODERS, 0},
    {"rated", RATED, 0},
    {"agreement", MEASURE, AGREEMENT_PERCENT},
    {"kappa", MEASURE, AGREEMENT_KAPPA},
    {"pi", MEASURE, AGREEMENT_PI},
    {"pabak", MEASURE, AGREEMENT_PABAK},
    {"ac1", MEASURE, AGREEMENT_AC1},
    {"fleiss", MEASURE, AGREEMENT_FLEISS},
    {"alpha", MEASURE, AGREEMENT_ALPHA},
    {"cell", CELL, 0},
};

/* "symptom:category = Memory"; without a code any code of the facet. */
struct condition {
    size_t facet;
    struct span code; /* ptr NULL: any */
    bool category, first, base;
    bool *fits[2]; /* each code of the data, or its spelling; of yes/no of posts the places 0 and 1 */
};

struct claim {
    struct span where, arguments, published;
    const struct statistic *statistic;
    double value, tolerance;
    bool percent, of_all;
    struct condition conditions[CONDITIONS_MAX];
    size_t n_conditions;
    struct span words[REPORT_CODERS_MAX]; /* coders after "by"; of a cell table, row, column */
    size_t n_words;
};

struct claims {
    struct ARRAY_OF(struct claim) items;
    struct arena arena;
};

/* What a coder gave to an item of a facet. */
struct given {
    size_t item, coder, facet, n;
    int32_t codes[FACET_CODES_MAX];
    struct span spelling; /* of the first code; ptr NULL: its name */
};

struct item {
    struct span subject;
    int64_t post_id;
};

struct verifier {
    struct report_data data;
    struct table_list tables; /* of the study, for claims about their cells */
    struct ARRAY_OF(struct item) items;
    struct ARRAY_OF(struct given) given;
    struct texts ARRAY_OF(struct span) coders, spellings;
    struct text_numbers by_subject;
    uint32_t *at; /* item, coder, facet: 1 + the place in `given`; 0: none */
    bool too_many;
    struct arena arena;
};

/* How a number is computed otherwise than the claim says. */
struct look {
    bool spelled, similar, first, later, of_all;
    const bool *dropped; /* items; NULL: none */
};

/* --- claims.csv --- */

static enum status MUST_USE wrong(const struct csv_reader *csv, struct span text, const char *what, struct err *e)
{
    return err_set(e, ST_INPUT, "%s:%zu: '%.*s': %s", csv->name, csv->line, text.len < 100 ? (int)text.len : 100,
                   text.len > 0 ? text.ptr : "", what);
}

/* "0.79", "41.8%": half of the last digit is the tolerance where none is given. */
static bool read_value(char delimiter, struct span text, double *value, double *tolerance)
{
    bool percent = text.len > 0 && text.ptr[text.len - 1] == '%';
    struct span number = span_trim((struct span){text.ptr, text.len - percent});
    AT_END(buf_clear) struct buf kept = {0}, plain = {0};
    enum csv_number kind = csv_number(delimiter, number, &plain); /* 0,79 where ';' is between the cells */
    number = kind == CSV_NUMBER ? buf_span(&plain) : number;
    bool minus = number.len > 0 && number.ptr[0] == '-';
    bool read = kind != CSV_NUMBER_UNCLEAR && facet_number_read(number, &kept);
    const char *point = number.len > 0 ? memchr(number.ptr, '.', number.len) : NULL;
    int decimals = point != NULL ? (int)(number.ptr + number.len - point) - 1 : 0;

    if (read) {
        *value = facet_number(buf_span(&kept)) / (percent ? 100 : 1);
        *tolerance = (point == NULL && !percent) ? 0 : 0.5 * pow(10, -decimals - (percent ? 2 : 0));
    }
    return read && decimals <= FACET_DIGITS_MAX && (minus || *value >= 0);
}

static enum status MUST_USE read_condition(const struct csv_reader *csv, const struct facets *facets, struct span text,
                                           struct claim *c, struct err *e)
{
    struct condition *found = &c->conditions[c->n_conditions];
    size_t equals = span_find(text, SPAN("="));
    struct span name = text, word;

    if (c->n_conditions == CONDITIONS_MAX)
        return wrong(csv, text, "more than 8 facets", e);
    *found = (struct condition){0};
    if (equals != SIZE_MAX) {
        found->code = span_trim((struct span){text.ptr + equals + 1, text.len - equals - 1});
        name = span_trim((struct span){text.ptr, equals});
    }
    if ((found->base = span_starts(name, SPAN("of "))))
        name = span_trim((struct span){name.ptr + 3, name.len - 3});
    struct span rest = name;
    if (!span_cut(&rest, ':', &name))
        name = SPAN("");
    found->facet = facets_find(facets, span_trim(name));
    if (found->facet == facets->n)
        return wrong(csv, text, "no such facet in facets.csv", e);
    while (span_cut(&rest, ':', &word)) {
        word = span_trim(word);
        if (!span_eq(word, SPAN("category")) && !span_eq(word, SPAN("first")) && !span_eq(word, SPAN("code")))
            return wrong(csv, text, "expected :category, :code or :first after the facet", e);
        found->category |= span_eq(word, SPAN("category"));
        found->first |= span_eq(word, SPAN("first"));
    }
    c->n_conditions++;
    return ST_OK;
}

/* "symptom = Crash; by ann; by ben", "of all", "rq1-code; Memory / memory leak; n" */
static enum status MUST_USE read_arguments(const struct csv_reader *csv, const struct facets *facets, struct claim *c,
                                           struct err *e)
{
    enum what what = c->statistic->what;
    struct span rest = c->arguments, part;
    enum status status = ST_OK;

    while (status == ST_OK && span_cut(&rest, ';', &part)) {
        bool by = span_starts(part = span_trim(part), SPAN("by "));
        if (part.len == 0)
            continue;
        if (by || what == CELL) {
            if (c->n_words == ARRAY_LEN(c->words))
                return wrong(csv, part, "too many names", e);
            c->words[c->n_words++] = by ? span_trim((struct span){part.ptr + 3, part.len - 3}) : part;
        } else if (span_eq(part, SPAN("of all"))) {
            c->of_all = true;
        } else {
            status = read_condition(csv, facets, part, c, e);
        }
    }
    if (status == ST_OK && what == CELL && c->n_words != 3)
        return wrong(csv, c->arguments, "expected TABLE; ROW; COLUMN", e);
    if (status == ST_OK && what >= RATED && what < CELL && c->n_conditions != 1)
        return wrong(csv, c->arguments, "expected one facet, and coders: FACET; by NAME; by NAME", e);
    if (status == ST_OK && (what == SHARE || what == LABELS || what == CODES) && c->n_conditions == 0)
        return wrong(csv, c->arguments, "expected a facet", e);
    if (status == ST_OK && what < CODERS && c->n_words > 1)
        return wrong(csv, c->arguments, "expected one coder at most after 'by'", e);
    return status;
}

static enum status MUST_USE read_claim(struct claims *claims, const struct csv_reader *csv, const struct facets *facets,
                                       struct err *e)
{
    struct span cells[5];
    struct claim c = {0};
    double given;

    for (size_t i = 0; i < ARRAY_LEN(cells); i++)
        cells[i] = arena_copy(&claims->arena, csv_cell(csv, i));
    c.where = cells[0];
    c.arguments = cells[2];
    c.published = cells[3];
    for (size_t i = 0; i < ARRAY_LEN(statistics); i++)
        if (span_eq(cells[1], span_of(statistics[i].name)))
            c.statistic = &statistics[i];
    if (c.statistic == NULL)
        return wrong(csv, cells[1], "no such statistic; ppmine verify --help lists them", e);
    if (!read_value(csv->delimiter, c.published, &c.value, &c.tolerance))
        return wrong(csv, c.published, "expected a number, such as 295, 0.79 or 41.8%", e);
    if (cells[4].len > 0 && (!read_value(csv->delimiter, cells[4], &c.tolerance, &given) || c.tolerance < 0))
        return wrong(csv, cells[4], "expected a tolerance, such as 0.005, or nothing", e);
    c.percent = c.published.ptr[c.published.len - 1] == '%';
    enum status status = read_arguments(csv, facets, &c, e);
    if (status == ST_OK)
        array_add(&claims->items, c);
    return status;
}

static void claims_clear(struct claims *claims)
{
    array_clear(&claims->items);
    arena_clear(&claims->arena);
}

static enum status MUST_USE claims_load(struct claims *out, struct span content, const char *name,
                                        const struct facets *facets, struct err *e)
{
    static const char *const names[] = {"where", "statistic", "arguments", "value", "tolerance"};
    struct csv_reader csv;
    enum status status = ST_OK;

    csv_open_verbatim(&csv, content, name);
    while (csv_walk(&csv, names, ARRAY_LEN(names), &status, e))
        status = read_claim(out, &csv, facets, e);
    return status;
}

enum status report_claims_check(struct span content, const char *name, const struct facets *facets, struct err *e)
{
    AT_END(claims_clear) struct claims claims = {0};

    return claims_load(&claims, content, name, facets, e);
}

/* --- what was given --- */

/* The place of a text, from `from` on, added where it is not there. */
static size_t place_of(struct verifier *v, struct texts *texts, size_t from, struct span text)
{
    size_t place = from + span_among(text, texts->at + from, texts->n - from);

    if (place == texts->n) /* which moves them */
        array_add(texts, arena_copy(&v->arena, text));
    return place;
}

static void add_label(struct verifier *v, const struct db_label *label)
{
    struct text_numbers_entry *entry;
    struct given g = {.facet = label->facet};

    if (coder_is_model(label->coder) || v->too_many)
        return;
    if (label->facet == FACET_JUDGES)
        g.codes[g.n++] = label->is_problem;
    else
        g.n = report_data_places(&v->data, label->facet, label->codes, g.codes);
    if (g.n == 0)
        return;
    if (label->spelling.ptr != NULL) {
        size_t place = place_of(v, &v->spellings, 0, label->spelling);
        g.spelling = v->spellings.at[place];
    }
    if (text_numbers_add(&v->by_subject, label->subject, &entry)) {
        entry->key = arena_copy(&v->arena, label->subject);
        entry->value = v->items.n;
        array_add(&v->items, (struct item){entry->key, label->post_id});
    }
    g.item = entry->value;
    g.coder = label->coder_is_merged ? MERGED : place_of(v, &v->coders, MERGED + 1, label->coder);
    array_add(&v->given, g);
    v->too_many = v->items.n > CELLS_MAX / (v->coders.n * v->data.facets->n);
}

static size_t place_at(const struct verifier *v, size_t item, size_t coder, size_t facet)
{
    return (item * v->coders.n + coder) * v->data.facets->n + facet;
}

static enum status MUST_USE load(struct verifier *v, struct db *db, struct err *e)
{
    struct db_labels labels = {.counted = NULL};
    struct db_label label;
    enum status status = report_data_load(&v->data, db, e);

    array_add(&v->coders, SPAN("merged"));
    THEN(status, db_labels_read(&labels, db, e));
    while (status == ST_OK && db_label_next(&labels, &label))
        add_label(v, &label);
    if (status == ST_OK && v->too_many)
        status = err_set(e, ST_INPUT, "the database has more items, coders and facets than are compared");
    if (status != ST_OK)
        return status;
    v->at = mem_zero(v->items.n * v->coders.n * v->data.facets->n + 1, sizeof *v->at);
    for (size_t i = v->given.n; i-- > 0;) { /* of several merged coders the first one counts */
        const struct given *g = &v->given.at[i];
        v->at[place_at(v, g->item, g->coder, g->facet)] = (uint32_t)i + 1;
    }
    return ST_OK;
}

static const struct given *given_at(const struct verifier *v, size_t item, size_t coder, size_t facet)
{
    uint32_t at = v->at[place_at(v, item, coder, facet)];

    return at > 0 ? &v->given.at[at - 1] : NULL;
}

/* --- numbers --- */

/* Which codes a condition means, and, with `alike`, which are spelled alike; false: there is none. */
static bool find_codes(struct verifier *v, struct condition *c)
{
    const struct report_data *d = &v->data;
    struct span code = span_folded(&v->arena, c->code);
    bool any = c->code.ptr == NULL, yes;

    for (size_t alike = 0; alike < 2; alike++) {
        bool *fits = c->fits[alike] = arena_alloc(&v->arena, d->n_codes + 2);
        memset(fits, 0, d->n_codes + 2);
        if (c->facet == FACET_JUDGES && facet_yes_no(',', c->code, &yes))
            any = fits[yes] = true;
        for (size_t i = 0; i < d->n_codes && c->facet != FACET_JUDGES; i++) {
            struct span name = c->category ? d->categories[d->codes[i].category].name : d->codes[i].name;
            fits[i] = d->codes[i].list == d->facets->items[c->facet].list &&
                      ((c->category ? category_is_within(name, c->code) : span_eq(name, c->code)) ||
                       (alike > 0 && span_eq(span_folded(&v->arena, name), code)));
            any |= fits[i] && alike == 0;
        }
    }
    return any;
}

/* How many codes of an item a condition fits. */
static size_t fitting(const struct verifier *v, const struct condition *c, size_t item, size_t coder,
                      const struct look *l)
{
    const struct given *g = given_at(v, item, coder, c->facet);
    size_t n = 0, of = g == NULL ? 0 : (c->first || l->first) && !l->later ? 1 : g->n;

    for (size_t i = 0; i < of; i++) {
        bool spelled = l->spelled && i == 0 && g->spelling.ptr != NULL && !c->category;
        n += c->code.ptr == NULL || (spelled ? span_eq(g->spelling, c->code) : c->fits[l->similar][g->codes[i]]);
    }
    return n;
}

static bool is_dropped(const struct look *l, size_t item)
{
    return l->dropped != NULL && l->dropped[item];
}

static bool is_about(const struct claim *c, size_t facet)
{
    for (size_t i = 0; i < c->n_conditions; i++)
        if (c->conditions[i].facet == facet)
            return true;
    return false;
}

/* Whether the coder labelled the item; with a condition on the judgement of posts, whether it was judged. */
static bool is_item(const struct verifier *v, const struct claim *c, size_t item, size_t coder)
{
    if (is_about(c, FACET_JUDGES))
        return given_at(v, item, coder, FACET_JUDGES) != NULL;
    for (size_t facet = FACET_JUDGES + 1; facet < v->data.facets->n; facet++)
        if (given_at(v, item, coder, facet) != NULL)
            return true;
    return false;
}

/* Is it of what a share is of? Without "of" the problems that have a label of each facet. */
static bool is_of_base(const struct verifier *v, const struct claim *c, size_t item, size_t coder, const struct look *l)
{
    bool base = false, fits = true;

    for (size_t i = 0; i < c->n_conditions; i++)
        base |= c->conditions[i].base;
    for (size_t i = 0; i < c->n_conditions && !c->of_all && !l->of_all; i++)
        fits &= base ? !c->conditions[i].base || fitting(v, &c->conditions[i], item, coder, l) > 0
                     : given_at(v, item, coder, c->conditions[i].facet) != NULL;
    return fits;
}

/* `in` gets the items that are counted. */
static double counted(const struct verifier *v, const struct claim *c, size_t coder, const struct look *l, bool *in)
{
    AT_END(array_end) struct ARRAY_OF(int64_t) posts = {0};
    AT_END(mem_end) bool *used = mem_zero(v->data.n_codes + 2, sizeof *used);
    size_t n = 0, of = 0, labels = 0, codes = 0, n_posts = 0;

    for (size_t item = 0; item < v->items.n; item++) {
        size_t least = SIZE_MAX;
        in[item] = false;
        if (is_dropped(l, item) || !is_item(v, c, item, coder) || !is_of_base(v, c, item, coder, l))
            continue;
        of++;
        for (size_t i = 0; i < c->n_conditions; i++) {
            size_t fits = fitting(v, &c->conditions[i], item, coder, l);
            least = fits < least ? fits : least;
        }
        if (least == 0)
            continue;
        in[item] = true;
        n++;
        labels += c->n_conditions > 0 ? least : 0;
        array_add(&posts, v->items.at[item].post_id);
        for (size_t k = 0; c->statistic->what == CODES && k < given_at(v, item, coder, c->conditions[0].facet)->n; k++)
            used[given_at(v, item, coder, c->conditions[0].facet)->codes[k]] = true;
    }
    array_sort(&posts, number_order);
    for (size_t i = 0; i < posts.n; i++)
        n_posts += i == 0 || posts.at[i] != posts.at[i - 1];
    for (size_t i = 0; i < v->data.n_codes + 2; i++)
        codes += used[i];
    switch (c->statistic->what) {
    case POSTS:
        return (double)n_posts;
    case SHARE:
        return of > 0 ? (double)n / (double)of : NAN;
    case LABELS:
        return (double)labels;
    case CODES:
        return (double)codes;
    default:
        return (double)n;
    }
}

/* What a coder gave, as a text: two coders agree where it is the same. */
static void add_set(const struct verifier *v, const struct condition *c, const struct given *g, const struct look *l,
                    size_t coder, struct buf *out)
{
    int32_t sorted[FACET_CODES_MAX];

    buf_reset(out);
    if (c->code.ptr != NULL) {
        buf_add_text(out, fitting(v, c, g->item, coder, l) > 0 ? "yes" : "no");
        return;
    }
    for (size_t i = 0; i < g->n; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > g->codes[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = g->codes[i];
    }
    for (size_t i = 0; i < g->n; i++)
        buf_addf(out, "%d ", sorted[i]);
    if (!l->spelled && g->spelling.ptr != NULL)
        buf_add_span(out, g->spelling);
}

/* As `agree` does: published each spelling is a code, unless look says `spelled`. */
static double agreed(struct verifier *v, const struct claim *c, const size_t *coders, size_t n, const struct look *l,
                     bool *in, const char **why)
{
    AT_END(arena_clear) struct arena arena = {0};
    AT_END(text_numbers_clear) struct text_numbers sets = {0};
    AT_END(array_end) struct ARRAY_OF(int32_t) cells = {0};
    struct coefficient result = {0};
    AT_END(buf_clear) struct buf set = {0};
    size_t rated = 0;

    for (size_t item = 0; item < v->items.n; item++) {
        size_t said = 0;
        in[item] = false;
        for (size_t i = 0; i < n; i++)
            said += given_at(v, item, coders[i], c->conditions[0].facet) != NULL;
        if (said == 0 || is_dropped(l, item))
            continue;
        in[item] = said > 1;
        rated += said == n;
        for (size_t i = 0; i < n; i++) {
            const struct given *g = given_at(v, item, coders[i], c->conditions[0].facet);
            struct text_numbers_entry *entry;
            int32_t code = -1;
            if (g != NULL) {
                add_set(v, &c->conditions[0], g, l, coders[i], &set);
                if (text_numbers_add(&sets, buf_span(&set), &entry)) {
                    entry->key = arena_copy(&arena, buf_span(&set));
                    entry->value = sets.n - 1;
                }
                code = (int32_t)entry->value;
            }
            array_add(&cells, code);
        }
    }
    struct ratings ratings = {n > 0 ? cells.n / n : 0, n, sets.n, cells.at};
    if (c->statistic->what == MEASURE) {
        agreement_of(&ratings, c->statistic->measure, SCALE_NOMINAL, NULL, &result);
        *why = result.reason != AGREEMENT_FEW_ITEMS ? agreement_words(result.reason) : NULL;
    }
    return c->statistic->what == RATED ? (double)rated : *why == NULL ? result.value : NAN;
}

/* The coders that a claim names, or all people who said something of its facets. */
static size_t coders_of(const struct verifier *v, const struct claim *c, size_t out[REPORT_CODERS_MAX],
                        struct span *unknown)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_words; i++) {
        size_t coder = span_among(c->words[i], v->coders.at, v->coders.n);
        if (coder == v->coders.n)
            *unknown = c->words[i];
        else
            out[n++] = coder;
    }
    for (size_t coder = MERGED + 1; c->n_words == 0 && coder < v->coders.n && n < REPORT_CODERS_MAX; coder++) {
        bool any = false;
        for (size_t i = 0; i < v->given.n && !any; i++)
            any = v->given.at[i].coder == coder && (c->n_conditions == 0 || is_about(c, v->given.at[i].facet));
        if (any)
            out[n++] = coder;
    }
    return n;
}

static double cell_of(const struct verifier *v, const struct claim *c, const char **why)
{
    AT_END(buf_clear) struct buf name = {0};

    *why = "stats prints no such table, row or column";
    for (size_t n = 0; n < v->tables.n; n++) {
        const struct table *t = v->tables.tables[n];
        for (size_t row = 0; row < table_rows(t) && span_eq(c->words[0], span_of(t->id)); row++) {
            /* The texts that a row begins with, " / " between them. */
            buf_reset(&name);
            for (size_t i = 0; i < t->n_columns && table_cell_at(t, row, i)->is == TABLE_IS_TEXT; i++) {
                struct span text = table_cell_at(t, row, i)->text;
                if (text.len > 0)
                    buf_addf(&name, "%s%.*s", name.len > 0 ? " / " : "", SPAN_ARG(text));
            }
            for (size_t k = 0; k < t->n_columns && span_eq(buf_span(&name), c->words[1]); k++) {
                const struct table_cell *cell = table_cell_at(t, row, k);
                if (!span_eq(span_of(t->columns[k].name), c->words[2]) || cell->is < TABLE_IS_INT)
                    continue;
                *why = NULL;
                return cell->is == TABLE_IS_INT ? (double)cell->integer : cell->real;
            }
        }
    }
    return NAN;
}

/* The number, or NAN and why it cannot be computed. */
static double evaluate(struct verifier *v, const struct claim *c, const struct look *l, bool *in, struct buf *why)
{
    size_t coders[REPORT_CODERS_MAX] = {MERGED};
    struct span unknown = {0};
    const char *words = NULL;
    double value = NAN;

    size_t n = c->statistic->what == CELL ? 0 : coders_of(v, c, coders, &unknown);
    if (unknown.ptr != NULL) {
        buf_addf(why, "the database has no coder '%.*s'", (int)unknown.len, unknown.ptr);
        return NAN;
    }
    if (c->statistic->what == CELL)
        value = cell_of(v, c, &words);
    else if (c->statistic->what == CODERS)
        value = (double)n;
    else if (c->statistic->what >= RATED)
        value = agreed(v, c, coders, n, l, in, &words);
    else
        value = counted(v, c, c->n_words > 0 ? coders[0] : MERGED, l, in);
    if (words != NULL)
        buf_add_text(why, words);
    else if (isnan(value))
        buf_add_text(why, "it is a share of nothing");
    return value;
}

static bool is_equal(const struct claim *c, double value)
{
    return fabs(value - c->value) <= c->tolerance + 1e-9;
}

/* --- what explains a difference --- */

struct explaining {
    struct verifier *v;
    const struct claim *claim;
    const bool *before; /* items, as these are: */
    bool *in, *dropped;
    struct buf *out;
    size_t n;
};

/* Tries the number as `look` says; what it is then said of ends in rows. */
static bool try_look(struct explaining *x, const struct look *l, const char *words, struct span name)
{
    AT_END(buf_clear) struct buf ignored = {0};
    bool any = false;

    if (x->n == EXPLANATIONS_MAX)
        return false;
    double value = evaluate(x->v, x->claim, l, x->in, &ignored);
    if (isnan(value) || !is_equal(x->claim, value))
        return false;
    AT_END(mem_end) bool *of = mem_zero(x->v->items.n + 1, sizeof *of);
    for (size_t i = 0; i < x->v->given.n && l->spelled && x->claim->statistic->what >= RATED; i++)
        if (is_about(x->claim, x->v->given.at[i].facet) && x->v->given.at[i].spelling.ptr != NULL)
            x->in[x->v->given.at[i].item] = !x->before[x->v->given.at[i].item];
    for (size_t i = 0; i < x->v->items.n; i++) {
        of[i] = l->dropped != NULL ? l->dropped[i] && x->before[i] : x->before[i] != x->in[i];
        any |= of[i];
    }
    buf_addf(x->out, "%sequal %s", x->n++ > 0 ? "; or " : "", words);
    if (name.len > 0)
        buf_addf(x->out, " '%.*s'", (int)name.len, name.ptr);
    if (any) {
        buf_add_text(x->out, " (");
        /* "3 rows: 12, 15, 20" of the items that are counted otherwise. */
        size_t n = 0;

        for (size_t i = 0; i < x->v->items.n; i++)
            n += of[i];
        buf_addf(x->out, "%zu row%s", n, n == 1 ? "" : "s");
        for (size_t i = 0, shown = 0; i < x->v->items.n && shown < SHOWN_MAX; i++)
            if (of[i]) {
                struct span subject = x->v->items.at[i].subject;
                buf_addf(x->out, "%s%.*s", shown++ > 0 ? ", " : ": ", (int)subject.len, subject.ptr);
            }
        if (n > SHOWN_MAX)
            buf_add_text(x->out, ", …");
        buf_add_char(x->out, ')');
    }
    return true;
}

/* Leaves out the items that were marked, unless there are none. Afterwards none is marked. */
static void try_dropped(struct explaining *x, const char *words, struct span name)
{
    bool any = false;

    for (size_t i = 0; i < x->v->items.n; i++)
        any |= x->dropped[i];
    if (any)
        (void)try_look(x, &(struct look){.dropped = x->dropped}, words, name);
    memset(x->dropped, 0, (x->v->items.n + 1) * sizeof *x->dropped);
}

/* Rows that are spelled in one way, or lack a label; several of one post; of agreement those with some code, and each row
 * by itself. */
static void try_rows(struct explaining *x)
{
    const struct verifier *v = x->v;
    bool agreement = x->claim->statistic->what >= RATED;
    AT_END(id_set_clear) struct id_set posts = {0};
    size_t alone = 0, first = 0;
    AT_END(buf_clear) struct buf ignored = {0};

    for (size_t s = 0; s < v->spellings.n; s++) {
        for (size_t i = 0; i < v->given.n; i++)
            x->dropped[v->given.at[i].item] |= is_about(x->claim, v->given.at[i].facet) &&
                                               v->given.at[i].spelling.ptr == v->spellings.at[s].ptr;
        try_dropped(x, "without those spelled", v->spellings.at[s]);
    }
    for (size_t facet = FACET_JUDGES + 1; facet < v->data.facets->n; facet++) {
        for (size_t i = 0; i < v->items.n; i++)
            x->dropped[i] = given_at(v, i, MERGED, facet) == NULL;
        try_dropped(x, "without those that lack a settled", v->data.facets->items[facet].name);
    }
    for (size_t i = 0; i < v->items.n; i++)
        x->dropped[i] = !id_set_add(&posts, v->items.at[i].post_id, NULL);
    try_dropped(x, "without further rows of a post", SPAN(""));
    for (size_t code = 0; agreement && code < v->data.n_codes; code++) {
        for (size_t i = 0; i < v->given.n; i++)
            for (size_t k = 0; k < v->given.at[i].n && v->given.at[i].facet != FACET_JUDGES; k++)
                x->dropped[v->given.at[i].item] |= is_about(x->claim, v->given.at[i].facet) &&
                                                   v->given.at[i].codes[k] == (int32_t)code;
        try_dropped(x, "without those that a coder coded", v->data.codes[code].name);
    }
    for (size_t i = 0; agreement && x->n == 0 && v->items.n <= ALONE_MAX && i < v->items.n; i++) {
        if (!x->before[i])
            continue;
        x->dropped[i] = true;
        double value = evaluate(x->v, x->claim, &(struct look){.dropped = x->dropped}, x->in, &ignored);
        x->dropped[i] = false;
        first = is_equal(x->claim, value) && alone++ == 0 ? i : first;
    }
    if (alone > 0) {
        struct span subject = v->items.at[first].subject;
        buf_addf(x->out, "equal without one row, such as %.*s (%zu such rows)", (int)subject.len, subject.ptr, alone);
    }
}

static void explain(struct verifier *v, const struct claim *c, const bool *before, struct buf *out)
{
    struct explaining x = {.v = v, .claim = c, .before = before, .out = out};
    bool agreement = c->statistic->what >= RATED;

    if (c->statistic->what != CELL && c->statistic->what != CODERS) {
        x.in = mem_zero(v->items.n + 1, sizeof *x.in);
        x.dropped = mem_zero(v->items.n + 1, sizeof *x.dropped);
        (void)try_look(&x, &(struct look){.spelled = true},
                       agreement ? "where spellings are the codes that they mean" : "where each spelling is a code",
                       SPAN(""));
        (void)try_look(&x, &(struct look){.similar = true}, "with codes that are spelled alike", SPAN(""));
        (void)try_look(&x, &(struct look){.first = true}, "where only first codes count", SPAN(""));
        (void)try_look(&x, &(struct look){.later = true}, "where later codes count, too", SPAN(""));
        if (c->statistic->what == SHARE)
            (void)try_look(&x, &(struct look){.of_all = true}, "as a share of all", SPAN(""));
        try_rows(&x);
        mem_free(x.in);
        mem_free(x.dropped);
    }
    if (out->len == 0)
        buf_add_text(out, "no spelling and no kind of row explains it");
}

/* --- the table --- */

static void add_number(struct table *t, double value, bool percent)
{
    AT_END(buf_clear) struct buf text = {0};

    if (isnan(value))
        table_add_absent(t);
    else if (percent)
        buf_addf(&text, "%.2f%%", 100 * value);
    else
        buf_addf(&text, "%.6g", value);
    if (!isnan(value))
        table_add_text(t, buf_span(&text));
}

static void add_claim(struct table *t, struct verifier *v, struct claim *c, bool *in, struct report_verified *counts)
{
    AT_END(buf_clear) struct buf why = {0};

    for (size_t i = 0; i < c->n_conditions && why.len == 0; i++)
        if (!find_codes(v, &c->conditions[i]))
            buf_addf(&why, "the codebook has no %s '%.*s'", c->conditions[i].category ? "category" : "code",
                     (int)c->conditions[i].code.len, c->conditions[i].code.ptr);
    double value = why.len > 0 ? NAN : evaluate(v, c, &(struct look){0}, in, &why);
    bool same = !isnan(value) && is_equal(c, value);

    if (!isnan(value) && !same)
        explain(v, c, in, &why);
    counts->reproduced += same;
    counts->differ += !isnan(value) && !same;
    counts->not_computed += isnan(value);
    table_add_row(t, table_text(c->where), table_text(span_of(c->statistic->name)), table_text(c->arguments),
                  table_text(c->published));
    add_number(t, value, c->percent);
    table_add_text(t, span_of(isnan(value) ? "cannot be computed" : same ? "reproduced" : "differs"));
    add_number(t, same ? NAN : value - c->value, c->percent);
    table_add_row(t, table_some(buf_span(&why)));
}

static void verifier_clear(struct verifier *v)
{
    report_data_clear(&v->data);
    table_list_clear(&v->tables);
    array_clear(&v->items);
    array_clear(&v->given);
    array_clear(&v->coders);
    array_clear(&v->spellings);
    text_numbers_clear(&v->by_subject);
    mem_free(v->at);
    arena_clear(&v->arena);
}

enum status report_verify(struct table_list *list, struct db *db, struct span content, const char *name,
                          struct report_verified *counts, struct err *e)
{
    AT_END(verifier_clear) struct verifier v = {0};
    AT_END(claims_clear) struct claims claims = {0};
    AT_END(report_plan_clear) struct report_plan plan = {0};
    AT_END(buf_clear) struct buf settled = {0};
    enum status status = load(&v, db, e);

    *counts = (struct report_verified){0};
    THEN(status, report_settled_text(db, &settled, e));
    THEN(status, claims_load(&claims, content, name, v.data.facets, e));
    bool cells = false;
    for (size_t i = 0; i < claims.items.n; i++)
        cells |= claims.items.at[i].statistic->what == CELL;
    if (status == ST_OK && cells) {
        struct report_wanted wanted = {.questions = ~0U, .confidence = 0.95, .seed = 1};
        status = report_plan_of_db(&plan, db, e);
        if (status == ST_OK)
            report_study(&v.tables, &v.data, &plan, &wanted);
    }
    if (status == ST_OK) {
        struct table *t = table_list_add(list, "verify", "Published numbers, recomputed");
        AT_END(mem_end) bool *in = mem_zero(v.items.n + 1, sizeof *in);
        table_columns(t, "where; statistic; arguments; published; recomputed; verdict; difference; why");
        for (size_t i = 0; i < claims.items.n; i++)
            add_claim(t, &v, &claims.items.at[i], in, counts);
        table_caveat(t, buf_span(&settled));
        table_note(t, "%zu of %zu published numbers are reproduced, %zu differ, %zu cannot be computed.",
                   counts->reproduced, claims.items.n, counts->differ, counts->not_computed);
    }
    return status;
}
