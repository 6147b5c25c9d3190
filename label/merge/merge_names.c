/* merge_names: names that codes get when copies are merged: of two codes of one name, one gets its own name. The row of
 * the history that added it says so: its `code` is the current name, its `became` the name that it was added with. So a
 * file that still has the old name is known again, and is read as if the code always had its own one: codes, history,
 * and decisions, whose ids follow from their content. */
#include "label/coding/labels.h"
#include "label/merge/merging.h"
#include "base/utf8.h"

enum { NAME_MAX_BYTES = 199, SUFFIX_MAX = 80 };

/* --- texts --- */

/* In [a,"b"], elements `was` become `is`, both JSON strings. Quotes in strings are escaped: a match is an element. */
static bool replace_elements(struct span array, struct span was, struct span is, struct buf *out)
{
    bool any = false;

    buf_reset(out);
    for (size_t i = 0; i < array.len; i++) {
        bool begins = i > 0 && (array.ptr[i - 1] == '[' || array.ptr[i - 1] == ',');
        size_t end = i + was.len;
        bool same = begins && end < array.len && (array.ptr[end] == ',' || array.ptr[end] == ']') &&
                    memcmp(array.ptr + i, was.ptr, was.len) == 0;
        if (same)
            buf_add_span(out, is);
        else
            buf_add_char(out, array.ptr[i]);
        i = same ? end - 1 : i;
        any |= same;
    }
    return any;
}

/* Is it the only element of the array, as changes have it? */
static bool is_only(struct span array, struct span name)
{
    AT_END(buf_clear) struct buf text = {0};

    buf_add_jsonf(&text, "[?]", name);
    return span_eq(buf_span(&text), array);
}

/* --- a name in a book --- */

static bool is_of(const struct book *book, struct span code_id, struct span list)
{
    const struct grid *g = &book->grids[CODES];

    for (size_t i = 0; i < g->n; i++)
        if (span_eq(row_of(g, i)[CODE_ID], code_id))
            return span_eq(row_of(g, i)[FACET], list);
    return false;
}

static bool names_a_code(const struct book *book, struct span list, struct span name)
{
    const struct grid *codes = &book->grids[CODES], *aliases = &book->grids[ALIASES];

    for (size_t i = 0; i < codes->n; i++) {
        const struct span *row = row_of(codes, i);
        if (span_eq(row[FACET], list) && (span_eq_any_case(row[NAME], name) || span_eq_any_case(row[SHORT_NAME], name)))
            return true;
    }
    for (size_t i = 0; i < aliases->n; i++)
        if (span_eq_any_case(row_of(aliases, i)[1], name) && is_of(book, row_of(aliases, i)[0], list))
            return true;
    return false;
}

static void give_name(struct merge *m, struct book *book, size_t side, const struct merge_name *name)
{
    struct grid *g = &book->grids[CHANGES], *codes = &book->grids[CODES], *aliases = &book->grids[ALIASES];
    size_t kept = span_starts(name->is, name->was) ? name->was.len : 0;
    AT_END(buf_clear) struct buf was = {0}, is = {0}, became = {0};

    for (size_t i = 0; i < codes->n; i++) {
        struct span *row = row_of(codes, i);
        if (!span_eq(row[FACET], name->list) || !span_eq(row[NAME], name->was))
            continue;
        row[NAME] = name->is;
        if (row[SHORT_NAME].len > 0) /* two codes cannot have one short name either */
            row[SHORT_NAME] = arena_addf(&m->arena, "%.*s%.*s", SPAN_ARG(row[SHORT_NAME]),
                                         SPAN_ARG(span_after(name->is, kept)));
    }
    for (size_t i = 0; i < aliases->n; i++)
        if (span_eq(row_of(aliases, i)[1], name->was) && is_of(book, row_of(aliases, i)[0], name->list))
            row_of(aliases, i)[1] = name->is;

    buf_add_json(&was, name->was);
    buf_add_json(&is, name->is);
    for (size_t i = 0; i < g->n; i++) {
        struct span *row = row_of(g, i);
        if (!span_eq(row[CHANGE_FACET], name->list))
            continue;
        if (span_eq(row[CHANGE_CODE], name->was))
            row[CHANGE_CODE] = name->is;
        if (!span_eq(row[ACTION], SPAN("add")) && replace_elements(row[BECAME], buf_span(&was), buf_span(&is), &became))
            row[BECAME] = arena_copy(&m->arena, buf_span(&became));
    }
    array_add(&m->names[side], *name);
}

/* --- a name that one side gave before --- */

/* What an added code is known by, whatever its name is now. */
#define ADDED(row) \
    CELLS((row)[ACTION], (row)[CHANGE_FACET], (row)[CHANGED_AT], (row)[CHANGED_BY], (row)[BECAME], (row)[REASON])

static enum status MUST_USE align(struct merge *m, struct book *const books[SIDES], const struct span *ours,
                                  const struct span *theirs)
{
    const struct span names[SIDES] = {ours[CHANGE_CODE], theirs[CHANGE_CODE]};
    bool bare[SIDES] = {is_only(ours[BECAME], names[OURS]), is_only(ours[BECAME], names[THEIRS])};
    bool own = !bare[OURS] && !bare[THEIRS];
    /* The own name stays, of two the one that sorts first: the same on both sides. */
    size_t side = own ? (size_t)(span_order(names[OURS], names[THEIRS]) < 0) : (size_t)bare[THEIRS];
    struct merge_name name = {.list = ours[CHANGE_FACET], .was = names[side], .is = names[!side]};

    if (!names_a_code(books[side], name.list, name.is)) {
        give_name(m, books[side], side, &name);
        return ST_OK;
    }
    if (own)
        return ST_OK;
    struct span list = merge_shown(m, name.list), is = merge_shown(m, name.is);
    return err_set(m->e, ST_INPUT,
                   "%s: the codebooks cannot be joined: the %.*s '%.*s' is two codes; nothing"
                   " was merged: rename a code in one of the copies",
                   m->path, SPAN_ARG(list), SPAN_ARG(is));
}

/* The same code was added on both sides, and has another name there. */
enum status merge_names_align(struct merge *m, struct book *const books[SIDES])
{
    const struct grid *a = &books[OURS]->grids[CHANGES], *b = &books[THEIRS]->grids[CHANGES];
    AT_END(merge_rows_clear) struct rows added = {0};
    AT_END(mem_end) size_t *next = mem_zero(b->n, sizeof *next); /* one that was added in the same way */
    enum status status = ST_OK;

    for (size_t k = b->n; k-- > 0;) {
        size_t *first = merge_row_kept(m, &added, ADDED(row_of(b, k)));
        next[k] = *first;
        *first = k;
    }
    for (size_t i = 0; i < a->n; i++) {
        const struct span *ours = row_of(a, i);
        size_t k = span_eq(ours[ACTION], SPAN("add")) ? merge_row(&added, ADDED(ours)) : NOWHERE;
        for (; k != NOWHERE && status == ST_OK; k = next[k])
            if (!span_eq(ours[CHANGE_CODE], row_of(b, k)[CHANGE_CODE]))
                status = align(m, books, ours, row_of(b, k));
    }
    return status;
}

/* --- a new name --- */

/* A code of ours that was added under this name too, got its own, and says the same; ptr NULL: none. */
static struct span find_own(const struct book *ours, const struct span *theirs)
{
    const struct grid *g = &ours->grids[CHANGES], *codes = &ours->grids[CODES];

    for (size_t i = 0; i < g->n; i++) {
        const struct span *change = row_of(g, i);
        if (!span_eq(change[ACTION], SPAN("add")) || !span_eq(change[CHANGE_FACET], theirs[FACET]) ||
            !is_only(change[BECAME], theirs[NAME]) || span_eq(change[CHANGE_CODE], theirs[NAME]))
            continue;
        for (size_t row = 0; row < codes->n; row++) {
            const struct span *code = row_of(codes, row);
            if (span_eq(code[FACET], theirs[FACET]) && span_eq(code[NAME], change[CHANGE_CODE]) &&
                same_cell(code[DEFINITION], theirs[DEFINITION]) && same_cell(code[CATEGORY], theirs[CATEGORY]) &&
                code[RETIRED_IN].ptr == NULL)
                return code[NAME];
        }
    }
    return (struct span){0};
}

static struct span cut(struct span s, size_t max)
{
    struct span begin = {s.ptr, s.len < max ? s.len : max};

    begin.len = utf8_valid_prefix(begin);
    return begin;
}

/* "stalls (bob)", "stalls (bob 2)", …: the first that names no code in either copy. */
static struct span new_name(struct merge *m, struct book *const books[SIDES], struct span list, struct span code)
{
    const struct grid *g = &books[THEIRS]->grids[CHANGES];
    AT_END(buf_clear) struct buf suffix = {0}, text = {0};
    struct span by = SPAN("");

    for (size_t i = g->n; i-- > 0;) { /* who added it first */
        const struct span *row = row_of(g, i);
        if (span_eq(row[ACTION], SPAN("add")) && span_eq(row[CHANGE_FACET], list) && span_eq(row[CHANGE_CODE], code))
            by = row[CHANGED_BY];
    }
    by = cut(by, SUFFIX_MAX);
    for (int n = 1;; n++) {
        buf_reset(&suffix);
        buf_add_text(&suffix, " (");
        for (size_t i = 0; i < by.len; i++)
            if ((unsigned char)by.ptr[i] >= ' ' && by.ptr[i] != 0x7f && by.ptr[i] != ';')
                buf_add_char(&suffix, by.ptr[i]);
        if (n > 1 || suffix.len == 2)
            buf_addf(&suffix, "%s%d", suffix.len == 2 ? "" : " ", n + (by.len == 0));
        buf_add_char(&suffix, ')');
        buf_set(&text, cut(code, NAME_MAX_BYTES - suffix.len));
        buf_add_span(&text, buf_span(&suffix));
        if (!names_a_code(books[OURS], list, buf_span(&text)) && !names_a_code(books[THEIRS], list, buf_span(&text)))
            return arena_copy(&m->arena, buf_span(&text));
    }
}

void merge_names_part(struct merge *m, struct book *const books[SIDES], const struct span *theirs)
{
    struct merge_name name = {.list = theirs[FACET], .was = theirs[NAME]};

    name.is = find_own(books[OURS], theirs);
    if (name.is.ptr == NULL)
        name.is = new_name(m, books, name.list, name.was);
    name.is_new = true;
    give_name(m, books[THEIRS], THEIRS, &name);
}

/* --- decisions --- */

/* The value with current names; false: it is the same. Decisions spell names in JSON differently than changes. */
static bool rename_value(const struct merge *m, size_t side, struct span facet, struct buf *value)
{
    const struct facets *facets = facets_kept(m->db);
    size_t place = facets_find(facets, facet);
    AT_END(buf_clear) struct buf was = {0}, is = {0}, made = {0};
    bool any = false;

    if (place == facets->n || place == FACET_JUDGES || facet_is_written(&facets->items[place]))
        return false;
    struct span list = facets->lists[facets->items[place].list];
    for (size_t i = 0; i < m->names[side].n; i++) {
        const struct merge_name *name = &m->names[side].at[i];
        if (!span_eq(name->list, list))
            continue;
        buf_reset(&was);
        buf_reset(&is);
        buf_add_json_kept(&was, name->was);
        buf_add_json_kept(&is, name->is);
        if (!replace_elements(buf_span(value), buf_span(&was), buf_span(&is), &made))
            continue;
        any = true;
        buf_set(value, buf_span(&made));
    }
    return any;
}

/* Gives the decision the current names and the id that follows, in the arena; false: it stays as it is. */
static bool move(struct merge *m, const struct text_pairs *moved, size_t side, struct merge_decision *d)
{
    AT_END(buf_clear) struct buf value = {0};
    char id[SHA256_TEXT_SIZE];
    bool any;

    if (d->undoes.ptr != NULL) {
        const struct text_pairs_entry *entry = text_pairs_find(moved, d->undoes);
        any = entry != NULL;
        if (any) {
            d->undoes = entry->value;
            buf_addf(&value, "{\"undoes\":\"%.*s\"}", SPAN_ARG(d->undoes));
        }
    } else {
        buf_add_span(&value, d->value);
        any = rename_value(m, side, d->facet, &value);
    }
    if (any) {
        d->value = arena_copy(&m->arena, buf_span(&value));
        db_decision_id(d->coder, d->subject, d->facet, d->value, d->decided_at, id);
        d->id = arena_copy(&m->arena, span_of(id));
    }
    return any;
}

/* One walk over a side's decisions: fills the map or, with `rows`, gives the old and new ids of rows to write. */
struct move_list ARRAY_OF(struct span);

/* Decisions, with what their ids follow from. */
#define NAMED(schema) \
    "SELECT decision_id, decided_at, coder, subject, facet, value, undoes" \
    " FROM " schema ".decision NOT INDEXED"

SQL(OTHER_NAMED, NAMED("other"));

SQL(BOOK_NAMED, NAMED("main"));

static enum status MUST_USE walk(struct merge *m, size_t side, struct text_pairs *moved, struct move_list *rows)
{
    struct sql *which = side == OURS ? SQL_BOOK_NAMED : SQL_OTHER_NAMED;
    struct text_pairs_entry *entry;
    enum status status = ST_OK;

    while (side == OURS ? sql_next(m->db, which, &status, m->e) : merge_next(m, which, &status)) {
        struct merge_decision d = {
            .id = sql_text(m->db, which, 0),
            .decided_at = sql_text(m->db, which, 1),
            .coder = sql_text(m->db, which, 2),
            .subject = sql_text(m->db, which, 3),
            .facet = sql_text(m->db, which, 4),
            .value = sql_text(m->db, which, 5),
            .undoes = sql_text(m->db, which, 6),
        };
        struct span was = d.id;
        if ((rows == NULL && d.undoes.ptr != NULL) || !move(m, moved, side, &d))
            continue;
        was = arena_copy(&m->arena, was);
        if (rows == NULL) {
            (void)text_pairs_add(moved, was, &entry);
            entry->value = d.id;
        } else {
            array_add(rows, was);
            array_add(rows, d.id);
            array_add(rows, d.value);
            array_add(rows, d.undoes.ptr != NULL ? arena_copy(&m->arena, d.undoes) : d.undoes);
        }
    }
    return status;
}

/* A decision (:old_id) with names that codes got: its id, value, and what it undoes. */
SQL(MERGE_MOVE, "UPDATE OR REPLACE decision SET decision_id = :decision_id, value = :value,"
                " undoes = :undoes WHERE decision_id = :old_id");

/* The name of a code is not in the id of a memo; two that differed in it alone are one. */
SQL(MERGE_MOVE_MEMO, SQL_OR_NOTHING "UPDATE OR REPLACE memo SET code = :is WHERE facet = :list AND code = :was");

struct span merge_names_code(const struct merge *m, struct span list, struct span code)
{
    for (size_t i = 0; i < m->names[THEIRS].n; i++) {
        const struct merge_name *name = &m->names[THEIRS].at[i];
        if (span_eq(name->list, list) && span_eq(name->was, code))
            code = name->is;
    }
    return code;
}

enum status merge_names_decisions(struct merge *m)
{
    enum { OF_A_ROW = 4 };
    AT_END(text_pairs_clear) struct text_pairs moved = {0};
    AT_END(array_end) struct move_list rows = {0};
    enum status status = ST_OK;

    for (size_t i = 0; i < m->names[OURS].n && status == ST_OK; i++) {
        const struct merge_name *name = &m->names[OURS].at[i];
        status = sql_run(m->db, SQL_MERGE_MOVE_MEMO, m->e, BIND(":list", name->list), BIND(":was", name->was),
                         BIND(":is", name->is));
    }
    if (m->names[OURS].n > 0) {
        THEN(status, walk(m, OURS, &moved, NULL));
        THEN(status, walk(m, OURS, &moved, &rows));
    }
    for (size_t i = 0; i < rows.n && status == ST_OK; i += OF_A_ROW) {
        const struct span *r = &rows.at[i];
        status = sql_run(m->db, SQL_MERGE_MOVE, m->e, BIND(":old_id", r[0]), BIND(":decision_id", r[1]),
                         BIND(":value", r[2]), BIND(":undoes", r[3]));
    }
    return status == ST_OK && m->names[THEIRS].n > 0 ? walk(m, THEIRS, &m->moved, NULL) : status;
}

void merge_names_decision(struct merge *m, struct merge_decision *d)
{
    if (m->names[THEIRS].n > 0)
        (void)move(m, &m->moved, THEIRS, d);
}

void merge_names_say(struct merge *m)
{
    struct db_merged *out = m->out;
    size_t n = m->names[OURS].n + m->names[THEIRS].n;

    out->renamed = arena_alloc(&out->arena, (n + 1) * sizeof *out->renamed);
    for (size_t s = 0; s < SIDES; s++)
        for (size_t i = 0; i < m->names[s].n; i++) {
            const struct merge_name *name = &m->names[s].at[i];
            if (s == THEIRS && !name->is_new)
                continue; /* said when it got the name */
            out->renamed[out->n_renamed++] = (struct db_renamed){
                .list = merge_shown(m, name->list),
                .was = merge_shown(m, name->was),
                .is = merge_shown(m, name->is),
                .here = s == OURS,
            };
        }
}
