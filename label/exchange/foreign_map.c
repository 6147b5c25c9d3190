/* foreign_map: tables of somebody else's study become the label files of ours, as mapping.ini says. */
#include "base/ini.h"
#include "label/exchange/foreign_head.h"
#include "label/label.h"

#include "base/csv.h"
#include "base/log.h"
#include "base/visible.h"
#include "base/maps.h"

enum { SITES_MAX = 900, COLUMNS_OF_ONE = 64 };

/* A line "code symptom by ann = Ann's symptom" of the mapping. */
struct mapped_column {
    size_t facet;
    struct span coder, head;
};

/* The settings of a section with one value. The first are columns whose cells are taken as they are. */
enum { LINK, DATE, TITLE, TAGS, AUTHOR, CODER, NEEDS, CELLS, SITE = CELLS, YES, BLANK, SKIP, UNMARKED, SETTINGS };
static const char *const settings[SETTINGS] = {"link",  "date", "title", "tags",  "author", "coder",
                                               "needs", "site", "yes",   "blank", "skip",   "unmarked"};

/* A section of the mapping. */
struct section {
    struct span pattern, set[SETTINGS], texts[FOREIGN_TEXTS_MAX]; /* heads; those of texts make one text */
    size_t n_texts, heads, line;
    struct ARRAY_OF(struct mapped_column) columns;
    struct span splits[FACETS_MAX];
    size_t used; /* tables */
};

struct item {
    struct span site, date;
    int64_t number;
    size_t place; /* of items of one number, from 1 */
};

/* What a coder gave to an item, of each facet. */
struct given {
    size_t item;
    struct span coder;
    const struct section *s;
    struct span *of;
};

struct mapper {
    struct foreign *f;
    const struct facets *facets;
    const struct codebook *codebook;
    struct ARRAY_OF(struct section) sections;
    struct ARRAY_OF(struct item) items;
    struct ARRAY_OF(struct given) given;
    struct ARRAY_OF(struct span) sites;
    struct text_numbers by_item, by_given, places, most, by_post; /* keys are in the arena of f */
    size_t skipped, empty, unlinked, too_many, again, nobodys;
    struct foreign_posts posts;
    struct err *e;
};

static const struct span merged = {"merged", 6};

/* --- mapping.ini --- */

static enum status wrong(const struct ini_line *line, const char *what, struct err *e)
{
    return err_set(e, ST_INPUT, "%s:%zu: %.*s: %s", line->path, line->line, SPAN_ARG(line->key), what);
}

static enum status MUST_USE read_column(struct mapper *m, struct section *s, const struct ini_line *line,
                                        struct span name)
{
    struct mapped_column column = {facets_find(m->facets, span_trim(name)), merged, line->value};

    for (size_t i = 0; i + 4 < name.len && column.facet == m->facets->n; i++) /* a facet may have "by" in its name */
        if (memcmp(name.ptr + i, " by ", 4) == 0) {
            column.coder = span_trim(span_after(name, i + 4));
            column.facet = facets_find(m->facets, span_trim((struct span){name.ptr, i}));
        }
    if (column.facet == m->facets->n)
        return wrong(line, "no such facet in facets.csv", m->e);
    if (column.coder.len == 0 || s->columns.n == COLUMNS_OF_ONE)
        return wrong(line, "expected: code FACET by RATER = COLUMN, at most 64 of them", m->e);
    array_add(&s->columns, column);
    return ST_OK;
}

static enum status read_setting(void *ctx, const struct ini_line *line, struct err *e)
{
    struct mapper *m = ctx;
    struct section *s = m->sections.n > 0 ? &m->sections.at[m->sections.n - 1] : NULL;
    uint64_t heads;

    if (line->key.ptr == NULL) {
        array_add(&m->sections, (struct section){.pattern = line->section, .heads = 1, .line = line->line});
        return ST_OK;
    }
    if (s == NULL)
        return wrong(line, "a line comes before the first section, such as [labels.csv]", e);
    for (size_t i = 0; i < SETTINGS; i++)
        if (span_eq(line->key, span_of(settings[i]))) {
            s->set[i] = line->value.len > 0 ? line->value : (struct span){0};
            return ST_OK;
        }
    if (span_eq(line->key, SPAN("text"))) {
        if (s->n_texts == FOREIGN_TEXTS_MAX)
            return wrong(line, "at most 8 columns make the text", e);
        s->texts[s->n_texts++] = line->value;
        return ST_OK;
    }
    if (span_starts(line->key, SPAN("code ")))
        return read_column(m, s, line, span_after(line->key, 5));
    if (span_starts(line->key, SPAN("split "))) {
        size_t facet = facets_find(m->facets, span_trim(span_after(line->key, 6)));
        if (facet == m->facets->n)
            return wrong(line, "no such facet in facets.csv", e);
        s->splits[facet] = line->value;
        return ST_OK;
    }
    if (!span_eq(line->key, SPAN("heads")) || !span_u64(line->value, 2, &heads))
        return wrong(line,
                     "expected heads (0, 1 or 2), link, site, date, title, text, tags, author, coder, needs, yes,"
                     " unmarked, blank, skip, code FACET or split FACET",
                     e);
    s->heads = heads;
    return ST_OK;
}

/* '*' stands for any text. */
static bool fits(struct span pattern, struct span text)
{
    size_t star = span_find(pattern, SPAN("*"));

    if (star == SIZE_MAX)
        return span_eq(pattern, text);
    if (!span_starts(text, (struct span){pattern.ptr, star}))
        return false;
    pattern = span_after(pattern, star + 1);
    for (size_t i = star; i <= text.len; i++)
        if (fits(pattern, span_after(text, i)))
            return true;
    return false;
}

/* A list with commas has the text, in any case; at its start, too, with `starts`. */
static bool list_has(struct span list, struct span text, bool starts)
{
    struct span one;

    while (span_cut(&list, ',', &one)) {
        one = span_trim(one);
        size_t n = starts && text.len > one.len ? one.len : text.len;
        bool same = one.len == n && one.len > 0;
        for (size_t i = 0; i < n && same; i++)
            same = (one.ptr[i] | 32) == (text.ptr[i] | 32) || one.ptr[i] == text.ptr[i];
        if (same)
            return true;
    }
    return false;
}

/* --- rows --- */

void foreign_head(const struct foreign_table *t, size_t heads, size_t column, struct buf *out)
{
    struct span upper = heads > 0 ? foreign_cell(t, 0, column) : SPAN("");
    struct span lower = heads > 1 ? foreign_cell(t, 1, column) : SPAN("");

    for (size_t i = column; heads > 1 && upper.len == 0 && i-- > 0;)
        upper = foreign_cell(t, 0, i); /* a head over several columns */
    buf_add_span(out, upper);
    if (upper.len > 0 && lower.len > 0)
        buf_add_text(out, " / ");
    buf_add_span(out, lower);
    if (out->len == 0)
        buf_addf(out, "column %zu", column + 1);
    for (size_t i = 0; i < out->len; i++) /* a head is one line of mapping.ini */
        if (out->ptr[i] == '\n' || out->ptr[i] == '\r' || out->ptr[i] == '\t')
            out->ptr[i] = ' ';
}

struct foreign_parts foreign_parts(struct span cell, struct span split)
{
    bool is_list = cell.len > 1 && cell.ptr[0] == '[' && cell.ptr[cell.len - 1] == ']' && span_eq(split, SPAN("list"));
    bool each = is_list && (span_has(cell, "][") || span_has(cell, "] [")); /* "[a] [b]" */

    return (struct foreign_parts){
        .rest = is_list ? (struct span){cell.ptr + 1, cell.len - 2} : cell,
        .by = each                                       ? ']'
              : is_list || span_eq(split, SPAN("comma")) ? ','
              : span_eq(split, SPAN("line"))             ? '\n'
              : split.len == 1                           ? split.ptr[0]
                                                         : '\0',
        .is_list = is_list,
    };
}

bool foreign_part(struct foreign_parts *p, struct span *value)
{
    while (p->rest.len > 0) {
        if (p->by == '\0') {
            *value = p->rest;
            p->rest.len = 0;
        } else if (!span_cut(&p->rest, p->by, value)) {
            return false;
        }
        *value = span_trim(*value);
        if (p->by == ']' && value->len > 0 && value->ptr[0] == '[')
            *value = span_trim((struct span){value->ptr + 1, value->len - 1});
        while (p->is_list && value->len > 1 && (value->ptr[0] == '\'' || value->ptr[0] == '"'))
            *value = span_trim((struct span){value->ptr + 1, value->len - 2});
        if (value->len > 0)
            return true;
    }
    return false;
}

/* From the column `i` on. */
static size_t next_column_of(const struct foreign_table *t, const struct section *s, struct span head, size_t i)
{
    AT_END(buf_clear) struct buf name = {0};

    for (; i < t->n_columns; i++) {
        buf_reset(&name);
        foreign_head(t, s->heads, i, &name);
        if (span_eq(span_trim(buf_span(&name)), head))
            break;
    }
    return i;
}

/* The column with this head; n_columns: no column has it, and *missing is the head if the mapping names one. */
static size_t column_of(const struct foreign_table *t, const struct section *s, struct span head, struct span *missing)
{
    size_t i = next_column_of(t, s, head, head.ptr != NULL ? 0 : t->n_columns);

    if (head.ptr != NULL && i == t->n_columns)
        *missing = head;
    return i;
}

/* The site of a row whose link says none: "github.com/{project}" with the cell of that column. */
static struct span site_of(struct mapper *m, const struct foreign_table *t, const struct section *s, size_t row)
{
    AT_END(buf_clear) struct buf out = {0};
    size_t open = span_find(s->set[SITE], SPAN("{")), close = span_find(s->set[SITE], SPAN("}"));

    if (open == SIZE_MAX || close == SIZE_MAX || close < open)
        return s->set[SITE];
    struct span head = {s->set[SITE].ptr + open + 1, close - open - 1}, missing;
    struct span value = foreign_cell(t, row, column_of(t, s, head, &missing));
    buf_add(&out, s->set[SITE].ptr, open);
    for (size_t i = 0; i < value.len; i++) {
        char c = ascii_lower(value.ptr[i]);
        buf_add_char(&out, (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || strchr("-._/", c) != NULL ? c : '-');
    }
    buf_add_span(&out, span_after(s->set[SITE], close + 1));
    return arena_copy(&m->f->arena, buf_span(&out));
}

static size_t site_place(struct mapper *m, struct span site)
{
    size_t i = span_among(site, m->sites.at, m->sites.n);

    if (i == m->sites.n)
        array_add(&m->sites, site);
    return i;
}

static struct span key_of(struct mapper *m, struct span a, struct span b, int64_t number)
{
    char *key = arena_alloc(&m->f->arena, a.len + b.len + 2 + sizeof number);
    struct span rest[] = {a, SPAN("\n"), b, SPAN("\n"), {(const char *)&number, sizeof number}};
    size_t len = 0;

    for (size_t i = 0; i < ARRAY_LEN(rest); len += rest[i++].len)
        if (rest[i].len > 0)
            memcpy(key + len, rest[i].ptr, rest[i].len);
    return (struct span){key, len};
}

/* What the columns of one coder say in a row, blank ones apart. */
struct row_said {
    const struct foreign_table *table;
    const struct section *s;
    struct span site, coder, column_coder, date, *values; /* whom the mapping names, unless the row does */
    int64_t number;
};

/* Another table said something else of the item in a facet, or is about the same facets: rows of the second are more. */
static bool is_another(struct mapper *m, const struct row_said *r, size_t item)
{
    const struct text_numbers_entry *said = text_numbers_find(&m->by_given,
                                                              key_of(m, r->coder, SPAN(""), (int64_t)item));
    const struct given *g = said != NULL ? &m->given.at[said->value] : NULL;
    bool adds = g == NULL, says = false;

    for (size_t i = 0; i < r->s->columns.n && g != NULL; i++) {
        const struct mapped_column *c = &r->s->columns.at[i];
        size_t same = 0;
        if (!span_eq(c->coder, r->column_coder))
            continue;
        if (r->values[i].len > 0 && g->of[c->facet].len > 0 && !span_eq(g->of[c->facet], r->values[i]))
            return true;
        while (same < g->s->columns.n && g->s->columns.at[same].facet != c->facet)
            same++;
        adds |= same == g->s->columns.n;
        says |= r->values[i].len > 0;
    }
    return says && !adds;
}

/* The item of a row. A coder's second row of a number in a table is the next item of that number; a row of another
 * table may say more about the same item. */
static size_t item_of(struct mapper *m, const struct row_said *r)
{
    struct text_numbers_entry *place, *most, *entry;
    bool is_new;

    (void)text_numbers_add(
        &m->places, key_of(m, key_of(m, r->coder, SPAN(""), r->table - m->f->tables.at), r->site, r->number), &place);
    do {
        place->value++;
        struct span nth = arena_addf(&m->f->arena, "%zu", place->value);
        is_new = text_numbers_add(&m->by_item, key_of(m, nth, r->site, r->number), &entry);
    } while (!is_new && is_another(m, r, entry->value));
    (void)text_numbers_add(&m->most, key_of(m, SPAN(""), r->site, r->number), &most);
    if (place->value > most->value)
        most->value = place->value;
    if (is_new) {
        entry->value = m->items.n;
        array_add(&m->items,
                  (struct item){.site = r->site, .number = r->number, .place = place->value, .date = r->date});
    }
    return entry->value;
}

static void give(struct mapper *m, size_t item, const struct section *s, struct span coder, size_t facet,
                 struct span value)
{
    struct text_numbers_entry *entry;

    if (text_numbers_add(&m->by_given, key_of(m, coder, SPAN(""), (int64_t)item), &entry)) {
        entry->value = m->given.n;
        struct span *of = arena_alloc(&m->f->arena, m->facets->n * sizeof *of);
        for (size_t i = 0; i < m->facets->n; i++)
            of[i] = SPAN("");
        array_add(&m->given, (struct given){item, coder, s, of});
    }
    m->given.at[entry->value].of[facet] = value;
}

/* A table's columns, found once. */
struct places {
    size_t cells[CELLS], texts[FOREIGN_TEXTS_MAX], of[COLUMNS_OF_ONE];
};

static bool is_skipped(const struct foreign_table *t, const struct section *s, const struct places *at, size_t row)
{
    if (s->set[NEEDS].len > 0 && foreign_cell(t, row, at->cells[NEEDS]).len == 0)
        return true;
    for (size_t i = 0; i < t->n_columns; i++)
        if (foreign_cell(t, row, i).len > 0)
            return list_has(s->set[SKIP], foreign_cell(t, row, i), true);
    return true;
}

static void map_post(struct mapper *m, const struct foreign_table *t, const struct section *s, const struct places *at,
                     size_t row, struct span site, int64_t number)
{
    struct foreign_post post = {.site = site, .number = number, .table = t, .n_texts = s->n_texts};
    struct span *const cells[] = {&post.link, &post.date, &post.title, &post.tags, &post.author};
    struct text_numbers_entry *entry;

    if (s->set[TITLE].len == 0 && s->n_texts == 0)
        return;
    for (size_t i = 0; i < ARRAY_LEN(cells); i++)
        *cells[i] = foreign_cell(t, row, at->cells[i]);
    for (size_t i = 0; i < s->n_texts; i++)
        post.texts[i] = foreign_cell(t, row, at->texts[i]);
    struct span key = key_of(m, SPAN(""), site, number);
    size_t place = text_numbers_find(&m->by_post, key) != NULL ? text_numbers_find(&m->by_post, key)->value
                                                               : m->posts.kept.n;
    if (!foreign_posts_add(&m->posts, &post, place))
        return;
    if (text_numbers_add(&m->by_post, key, &entry)) {
        entry->value = place;
        (void)site_place(m, site);
    }
}

static void map_row(struct mapper *m, const struct foreign_table *t, const struct section *s, const struct places *at,
                    size_t row)
{
    struct span site = s->set[SITE].len > 0 ? site_of(m, t, s, row) : SPAN("");
    int64_t number = (int64_t)(row - s->heads + 1);
    struct span values[COLUMNS_OF_ONE];
    bool any = false;

    if (is_skipped(t, s, at, row)) {
        m->skipped++;
        return;
    }
    if (s->set[LINK].len > 0 &&
        (!foreign_link(&m->f->arena, foreign_cell(t, row, at->cells[LINK]), &site, &number) || site.len == 0)) {
        m->unlinked++;
        site = SPAN("rows.local");
        number = (int64_t)(row - s->heads + 1);
    }
    map_post(m, t, s, at, row, site, number);
    for (size_t i = 0; i < s->columns.n; i++) {
        bool yes = false, is_yes_no = m->facets->items[s->columns.at[i].facet].kind == FACET_YES_NO;
        values[i] = foreign_cell(t, row, at->of[i]);
        if (is_yes_no && values[i].len == 0 && s->set[UNMARKED].len > 0) {
            values[i] = SPAN("0");
        } else if (is_yes_no && values[i].len > 0) {
            yes = s->set[YES].len > 0
                      ? list_has(s->set[YES], values[i], false)
                      : (facet_yes_no(',', values[i], &yes) && yes) || list_has(SPAN("x"), values[i], false);
            values[i] = yes ? SPAN("1") : SPAN("0");
        }
        if (list_has(s->set[BLANK], values[i], false))
            values[i] = SPAN("");
        any |= values[i].len > 0;
    }
    m->empty += !any;
    struct row_said said = {.table = t, .s = s, .site = site, .values = values, .number = number};
    said.date = foreign_cell(t, row, at->cells[DATE]);
    AT_END(buf_clear) struct buf name = {0};
    struct span by = foreign_cell(t, row, at->cells[CODER]);
    if (csv_is_formula(by)) /* a coder's name may be a number or begin with a sign */
        buf_add_char(&name, '_');
    buf_add_clean(&name, (struct span){by.ptr, by.len < 80 ? by.len : 80});
    struct span of_row = arena_copy(&m->f->arena, span_trim(buf_span(&name)));
    if (any && s->set[CODER].len > 0 && of_row.len == 0) {
        m->nobodys++;
        return;
    }
    for (size_t i = 0; i < s->columns.n; i++) {
        said.column_coder = s->columns.at[i].coder;
        said.coder = of_row.len > 0 && span_eq(said.column_coder, merged) ? of_row : said.column_coder;
        size_t first = 0;
        while (!span_eq(s->columns.at[first].coder, said.column_coder))
            first++;
        if (first < i)
            continue;
        size_t item = item_of(m, &said);
        for (size_t j = i; j < s->columns.n; j++)
            if (values[j].len > 0 && span_eq(s->columns.at[j].coder, said.column_coder))
                give(m, item, s, said.coder, s->columns.at[j].facet, values[j]);
    }
}

static enum status MUST_USE find_columns(struct mapper *m, const struct foreign_table *t, const struct section *s,
                                         struct places *at)
{
    struct span missing = {0};

    for (size_t i = 0; i < CODER; i++)
        at->cells[i] = column_of(t, s, s->set[i], &missing);
    for (size_t i = 0; i < s->n_texts; i++)
        at->texts[i] = column_of(t, s, s->texts[i], &missing);
    for (size_t i = 0; i < s->columns.n; i++) {
        struct span head = s->columns.at[i].head;
        at->of[i] = column_of(t, s, head, &missing);
        if (next_column_of(t, s, head, at->of[i] + 1) < t->n_columns)
            log_warn("%.*s: of the columns with the head '%.*s' the first is read", SPAN_ARG(t->name), SPAN_ARG(head));
    }
    for (size_t i = CODER; i < CELLS; i++)
        at->cells[i] = column_of(t, s, s->set[i], &missing);
    if (missing.ptr == NULL)
        return ST_OK;
    return err_set(m->e, ST_INPUT, "%.*s: no column '%.*s', which mapping.ini names in its section of line %zu",
                   SPAN_ARG(t->name), SPAN_ARG(missing), s->line);
}

static enum status MUST_USE map_tables(struct mapper *m)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < m->f->tables.n && status == ST_OK; i++) {
        const struct foreign_table *t = &m->f->tables.at[i];
        struct section *s = NULL;
        struct places at;
        for (size_t j = 0; j < m->sections.n && s == NULL; j++)
            s = fits(m->sections.at[j].pattern, t->name) ? &m->sections.at[j] : NULL;
        if (s == NULL || s->columns.n == 0) {
            log_info("left out: %.*s, %zu rows: mapping.ini takes nothing from it", SPAN_ARG(t->name), t->n_rows);
            continue;
        }
        s->used++;
        status = find_columns(m, t, s, &at);
        for (size_t row = s->heads; row < t->n_rows && status == ST_OK; row++)
            map_row(m, t, s, &at, row);
    }
    for (size_t j = 0; j < m->sections.n && status == ST_OK; j++)
        if (m->sections.at[j].used == 0 && m->sections.at[j].columns.n > 0)
            status = err_set(m->e, ST_INPUT, "mapping.ini:%zu: none of the files has a table '%.*s'",
                             m->sections.at[j].line, SPAN_ARG(m->sections.at[j].pattern));
    return status;
}

/* --- the label files --- */

/* Short names: "a0" and on. With one site, ids are numbers. */
static void add_id(struct mapper *m, const struct item *item, bool problem, struct buf *out)
{
    const struct text_numbers_entry *most = text_numbers_find(&m->most, key_of(m, SPAN(""), item->site, item->number));
    size_t site = site_place(m, item->site);

    if (m->sites.n > 1)
        buf_addf(out, "%c%c:", (char)('a' + site / 36), "0123456789abcdefghijklmnopqrstuvwxyz"[site % 36]);
    buf_addf(out, "%lld", (long long)item->number);
    if (problem && most != NULL && most->value > 1)
        buf_addf(out, "_%zu", item->place);
}

/* The codes of a cell, each a field; no more than the facet takes. */
static void add_codes(struct mapper *m, size_t facet, struct span value, struct buf *out)
{
    const struct facet *of = &m->facets->items[facet];
    size_t most = of->most, n = 0, codes[FACET_CODES_MAX];
    struct span split = SPAN(""), one;
    struct err ignored;

    for (size_t i = 0; i < m->sections.n && split.len == 0; i++)
        split = m->sections.at[i].splits[facet];
    struct foreign_parts parts = foreign_parts(value, split);
    while (foreign_part(&parts, &one)) {
        size_t code = of->kind == FACET_CODES ? codebook_find(m->codebook, m->facets->lists[of->list], one, &ignored)
                                              : SIZE_MAX;
        bool again = false;
        for (size_t i = 0; i < n && code != SIZE_MAX; i++)
            again |= codes[i] == code;
        if (again) {
            m->again++;
            continue;
        }
        if (n == most) {
            m->too_many++;
            break;
        }
        codes[n++] = code;
        buf_add_char(out, ',');
        buf_add_csv_raw(out, one);
    }
    for (; n < most; n++)
        buf_add_char(out, ',');
}

static void add_head(const struct facets *facets, const char *first, struct buf *out)
{
    buf_add_text(out, first);
    for (size_t i = 1; i < facets->n; i++)
        for (size_t j = 0; j < facets->items[i].most; j++) {
            buf_add_char(out, ',');
            facet_column(&facets->items[i], j, out);
        }
    buf_add_char(out, '\n');
}

static void add_given(struct mapper *m, const struct given *g, struct buf *identification, struct buf *coding,
                      struct buf *problems)
{
    const struct item *item = &m->items.at[g->item];
    bool is_merged = span_eq(g->coder, merged), any = false;
    struct buf *out = is_merged ? problems : coding;

    if (g->of[0].len > 0 && item->place == 1) {
        add_id(m, item, false, identification);
        buf_addf(identification, ",%.*s,%.*s\n", SPAN_ARG(g->coder), SPAN_ARG(g->of[0]));
    }
    for (size_t i = 1; i < m->facets->n; i++)
        any |= g->of[i].len > 0;
    if (!any)
        return;
    add_id(m, item, true, out);
    buf_add_char(out, ',');
    if (is_merged) {
        add_id(m, item, false, out);
        buf_add_char(out, ',');
        if (item->date.len >= 10 && item->date.ptr[4] == '-' && item->date.ptr[7] == '-')
            buf_add(out, item->date.ptr, 10);
    } else {
        buf_add_csv_raw(out, g->coder);
    }
    for (size_t i = 1; i < m->facets->n; i++)
        add_codes(m, i, g->of[i], out);
    buf_add_char(out, '\n');
}

static void add_file(struct mapper *m, struct foreign_files *files, const char *name, struct buf *content, bool wanted)
{
    if (wanted)
        array_add(files, (struct study_file){span_of(name), arena_copy(&m->f->arena, buf_span(content))});
    buf_clear(content);
}

static void add_study(struct mapper *m, const struct study *s, struct foreign_files *files)
{
    struct buf ini = {0};

    buf_add_span(&ini, study_file(s, "study.ini"));
    if (m->sites.n == 1 && !span_eq(s->site, m->sites.at[0]))
        buf_addf(&ini, "\nsite = %.*s\n", SPAN_ARG(m->sites.at[0]));
    for (size_t i = 0; i < m->sites.n && m->sites.n > 1; i++)
        buf_addf(&ini, "%s%c%c %.*s", i == 0 ? "\nsites = " : ", ", (char)('a' + i / 36),
                 "0123456789abcdefghijklmnopqrstuvwxyz"[i % 36], (int)m -> sites.at[i].len, m->sites.at[i].ptr);
    buf_add_char(&ini, '\n');
    add_file(m, files, "study.ini", &ini, true);
    for (size_t i = 0; i < s->n_files; i++)
        if (!span_eq(s->files[i].name, SPAN("study.ini")))
            array_add(files, s->files[i]);
}

static void write_files(struct mapper *m, const struct study *s, struct foreign_files *files)
{
    struct buf identification = {0}, coding = {0}, problems = {0};
    size_t heads[3];

    buf_add_text(&identification, "post_id,coder,");
    facet_column(&m->facets->items[0], 0, &identification);
    buf_add_char(&identification, '\n');
    add_head(m->facets, "problem_id,coder", &coding);
    add_head(m->facets, "problem_id,post_id,created_at", &problems);
    heads[0] = identification.len;
    heads[1] = coding.len;
    heads[2] = problems.len;
    for (size_t i = 0; i < m->given.n; i++)
        add_given(m, &m->given.at[i], &identification, &coding, &problems);
    add_study(m, s, files);
    add_file(m, files, "identification.csv", &identification, identification.len > heads[0]);
    add_file(m, files, "coding.csv", &coding, coding.len > heads[1]);
    add_file(m, files, "problems.csv", &problems, problems.len > heads[2]);

    log_info("mapped: %zu items of %zu sites, %zu labellings; left out: %zu rows of totals, %zu rows without a label",
             m->items.n, m->sites.n, m->given.n, m->skipped, m->empty);
    if (m->unlinked > 0)
        log_info("without a link that can be read: %zu rows; they are known by their row, in the site rows.local",
                 m->unlinked);
    if (m->nobodys > 0)
        log_warn("left out: %zu rows with labels, but without the name of a rater", m->nobodys);
    if (m->again > 0)
        log_info("left out: codes that are in their cell already, in some spelling: %zu", m->again);
    if (m->too_many > 0)
        log_warn("left out: codes of %zu cells that have more than their facet takes", m->too_many);
}

enum status foreign_map(struct foreign *f, const struct study *s, struct foreign_files *files, struct buf *posts,
                        struct err *e)
{
    struct span mapping = study_file(s, "mapping.ini");
    AT_END(facets_clear) struct facets facets = {0};
    AT_END(codebook_clear) struct codebook codebook = {0};
    struct mapper m = {.f = f, .facets = &facets, .codebook = &codebook, .e = e};
    enum status status = facets_of_study(&facets, s, e);

    THEN(status, codebook_of_study(&codebook, &facets, s, e));
    if (status == ST_OK && mapping.ptr == NULL)
        status = err_set(e, ST_INPUT, "mapping.ini: missing; `ppmine init --from FILE…` writes one");
    THEN(status, ini_each(mapping, "mapping.ini", read_setting, &m, e));
    THEN(status, map_tables(&m));
    if (status == ST_OK) {
        for (size_t i = 0; i < m.items.n; i++)
            (void)site_place(&m, m.items.at[i].site);
        if (m.sites.n > SITES_MAX)
            status = err_set(e, ST_INPUT, "the links name %zu sites; a study has at most %d", m.sites.n, SITES_MAX);
    }
    if (status == ST_OK) {
        write_files(&m, s, files);
        foreign_posts_write(&m.posts, posts);
    }
    for (size_t i = 0; i < m.sections.n; i++)
        array_clear(&m.sections.at[i].columns);
    array_clear(&m.sections);
    array_clear(&m.items);
    array_clear(&m.given);
    array_clear(&m.sites);
    foreign_posts_clear(&m.posts);
    struct text_numbers *const maps[] = {&m.by_item, &m.by_given, &m.places, &m.most, &m.by_post};
    for (size_t i = 0; i < ARRAY_LEN(maps); i++)
        text_numbers_clear(maps[i]);
    return status;
}
