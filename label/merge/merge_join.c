/* merge_join: joins two codebooks that were changed on both sides since the copies parted. A code from before is known
 * by its id, an added one by its list and the name that it was added with. Changes that both have are anchors; those
 * between them are in the order of time. A code that one side changed is as that side has it; where both changed it,
 * and differ, it is a question, or nothing is merged. */
#include "label/facet_table.h"
#include "label/merge/merging.h"
#include "label/label.h"
#include "base/files.h"

enum { ROWS_MAX = 10000 }; /* of one table of one side: what people write is less */

/* Joined codes. */
struct pair {
    size_t code, versus;
};

struct side {
    const struct book *book;
    size_t *same;        /* of each change: the same one of the other side */
    size_t *place;       /* of each change: in the joined history */
    size_t *code;        /* of each row of the codes: the joined code */
    bool *changed;       /* of each row of the codes: by a change that the other side has not */
    struct pair *rules;  /* of each rule: its joined codes */
    struct rows ids;     /* of codes */
    struct rows names;   /* of codes, with their lists: those that they have, and that they had */
    struct rows aliases; /* with the ids of their codes */
    struct rows paired;  /* rules by their joined codes */
};

struct joined_change {
    size_t of[SIDES]; /* the change of each side, or NOWHERE */
};

struct joined_code {
    size_t row[SIDES]; /* of each side, or NOWHERE */
    size_t taken;      /* the side whose row it gets */
    struct span added; /* the name that it was added with; ptr NULL: it was there before */
    struct span id;
    bool rules_differ; /* both have a rule about this code and another one, in other words */
};

struct join {
    struct merge *m;
    struct side sides[SIDES];
    int64_t first; /* version of the first change */
    struct ARRAY_OF(struct joined_change) history;
    struct ARRAY_OF(struct joined_code) codes;
    struct rows added;               /* codes by their lists and the names that they were added with */
    struct ARRAY_OF(size_t) settled; /* codes that a question was answered about */
    struct ARRAY_OF(size_t) parted;  /* rows of theirs that are other codes than ours of that name */
    struct book book;
};

static const struct grid *grid_of(const struct join *j, size_t side, size_t part)
{
    return &j->sides[side].book->grids[part];
}

static const struct span *cells_of(const struct join *j, size_t side, size_t part, size_t row)
{
    return row_of(grid_of(j, side, part), row);
}

/* The row of a code that both or one side has. */
static const struct span *cells_of_code(const struct join *j, const struct joined_code *c, size_t side)
{
    return cells_of(j, side, CODES, c->row[side]);
}

static const struct span *taken_cells(const struct join *j, const struct joined_code *c)
{
    return cells_of_code(j, c, c->taken);
}

static struct span number_text(struct merge *m, int64_t number)
{
    return arena_addf(&m->arena, "%lld", (long long)number);
}

static enum status does_not_go(struct merge *m, const char *what)
{
    return err_set(m->e, ST_INPUT, "%s: the codebooks cannot be joined: %s; nothing was merged", m->path, what);
}

/* --- the histories --- */

/* All but the version and the ids of codes, which depend on what else was changed. */
#define SAID(row) (row) + CHANGED_AT, REASON - CHANGED_AT + 1

static enum status MUST_USE match_changes(struct join *j)
{
    const struct grid *a = grid_of(j, OURS, CHANGES), *b = grid_of(j, THEIRS, CHANGES);
    size_t *ours = j->sides[OURS].same, *theirs = j->sides[THEIRS].same, next = 0;
    AT_END(merge_rows_clear) struct rows said = {0};
    AT_END(mem_end) size_t *after = mem_zero(b->n, sizeof *after); /* one that says the same */

    for (size_t k = b->n; k-- > 0;) {
        size_t *first = merge_row_kept(j->m, &said, SAID(row_of(b, k)));
        after[k] = *first;
        *first = k;
        theirs[k] = NOWHERE;
    }
    for (size_t i = 0; i < a->n; i++) {
        bool passed = false;
        size_t k = merge_row(&said, SAID(row_of(a, i)));
        for (; k != NOWHERE && k < next; k = after[k])
            passed |= theirs[k] == NOWHERE;
        if (k == NOWHERE && passed)
            return does_not_go(j->m, "the same changes are in another order");
        ours[i] = k;
        if (k == NOWHERE)
            continue;
        theirs[k] = i;
        next = k + 1;
    }
    return ST_OK;
}

/* Which sides' next change comes next: a bit for each. */
static unsigned next_sides(const struct join *j, size_t i, size_t k, struct span *const late[SIDES])
{
    static const size_t columns[] = {CHANGED_BY, CHANGED_AT, ACTION, CHANGE_FACET, CHANGE_CODE, BECAME, REASON};
    const struct grid *a = grid_of(j, OURS, CHANGES), *b = grid_of(j, THEIRS, CHANGES);

    if (i == a->n || k == b->n)
        return i < a->n ? 1U << OURS : k < b->n ? 1U << THEIRS : 0;
    if (j->sides[OURS].same[i] == k)
        return 1U << OURS | 1U << THEIRS;
    if (j->sides[OURS].same[i] != NOWHERE)
        return 1U << THEIRS;
    if (j->sides[THEIRS].same[k] != NOWHERE)
        return 1U << OURS;
    int order = span_order(late[OURS][i], late[THEIRS][k]);
    for (size_t c = 0; c < ARRAY_LEN(columns) && order == 0; c++)
        order = span_order(row_of(a, i)[columns[c]], row_of(b, k)[columns[c]]);
    return order <= 0 ? 1U << OURS : 1U << THEIRS;
}

static void weave(struct join *j)
{
    size_t at[SIDES] = {0, 0};
    struct span *late[SIDES];
    unsigned which;

    /* The latest time until each change: what a clock that was put back says is not an order. */
    for (size_t s = 0; s < SIDES; s++) {
        late[s] = arena_alloc(&j->m->arena, grid_of(j, s, CHANGES)->n * sizeof *late[s]);
        for (size_t i = 0; i < grid_of(j, s, CHANGES)->n; i++) {
            late[s][i] = cells_of(j, s, CHANGES, i)[CHANGED_AT];
            if (i > 0 && span_order(late[s][i - 1], late[s][i]) > 0)
                late[s][i] = late[s][i - 1];
        }
    }
    while ((which = next_sides(j, at[OURS], at[THEIRS], late)) != 0) {
        struct joined_change next = {{NOWHERE, NOWHERE}};
        for (size_t s = 0; s < SIDES; s++)
            if ((which >> s & 1U) != 0) {
                j->sides[s].place[at[s]] = j->history.n;
                next.of[s] = at[s]++;
            }
        array_add(&j->history, next);
    }
}

static const struct span *change_cells(const struct join *j, size_t place)
{
    const struct joined_change *c = &j->history.at[place];
    size_t side = c->of[OURS] != NOWHERE ? OURS : THEIRS;

    return cells_of(j, side, CHANGES, c->of[side]);
}

/* --- the codes --- */

/* The row of the code that a change is of, by a name that it has or had; NOWHERE: none. */
static size_t row_of_change(struct join *j, size_t side, const struct span *change)
{
    return merge_row(&j->sides[side].names, CELLS(change[CHANGE_FACET], change[CHANGE_CODE]));
}

/* In the order of the joined history, so that their ids follow from it. */
static enum status MUST_USE find_added_codes(struct join *j)
{
    for (size_t i = 0; i < j->history.n; i++)
        for (size_t s = 0; s < SIDES; s++) {
            if (j->history.at[i].of[s] == NOWHERE || !span_eq(change_cells(j, i)[ACTION], SPAN("add")))
                continue;
            const struct span *change = cells_of(j, s, CHANGES, j->history.at[i].of[s]);
            size_t row = row_of_change(j, s, change);
            if (row == NOWHERE)
                return merge_another_codebook(j->m, CODES, change[CHANGE_CODE]);
            size_t *code = &j->sides[s].code[row];
            size_t *place = merge_row_kept(j->m, &j->added, CELLS(change[CHANGE_FACET], change[CHANGE_CODE]));
            if (*place == NOWHERE && *code == NOWHERE) {
                *place = j->codes.n;
                array_add(&j->codes, (struct joined_code){.row = {NOWHERE, NOWHERE}, .added = change[CHANGE_CODE]});
            }
            if (*place == NOWHERE || (*code != NOWHERE && *code != *place) ||
                (j->codes.at[*place].row[s] != NOWHERE && j->codes.at[*place].row[s] != row))
                return merge_another_codebook(j->m, CODES, change[CHANGE_CODE]);
            j->codes.at[*place].row[s] = row;
            *code = *place;
        }
    return ST_OK;
}

static enum status MUST_USE find_old_codes(struct join *j)
{
    const struct grid *a = grid_of(j, OURS, CODES), *b = grid_of(j, THEIRS, CODES);
    int64_t id, last = 0;

    for (size_t i = 0; i < a->n; i++) {
        const struct span *row = row_of(a, i);
        if (j->sides[OURS].code[i] != NOWHERE)
            continue;
        size_t k = merge_row(&j->sides[THEIRS].ids, &row[CODE_ID], 1);
        if (k == NOWHERE || j->sides[THEIRS].code[k] != NOWHERE || !span_eq(row_of(b, k)[FACET], row[FACET]))
            return merge_another_codebook(j->m, CODES, row[NAME]);
        struct joined_code c = {.row = {i, k}, .id = row[CODE_ID]};
        j->sides[OURS].code[i] = j->sides[THEIRS].code[k] = j->codes.n;
        array_add(&j->codes, c);
        if (span_i64(c.id, &id) && id > last)
            last = id;
    }
    for (size_t i = 0; i < b->n; i++)
        if (j->sides[THEIRS].code[i] == NOWHERE)
            return merge_another_codebook(j->m, CODES, row_of(b, i)[NAME]);
    for (size_t i = 0; i < j->codes.n; i++)
        if (j->codes.at[i].added.ptr != NULL)
            j->codes.at[i].id = number_text(j->m, ++last);
    return ST_OK;
}

static bool is_changed(const struct join *j, const struct joined_code *c, size_t side)
{
    return c->row[side] != NOWHERE && j->sides[side].changed[c->row[side]];
}

/* --- what both sides have --- */

/* The joined code of an id of one side; NOWHERE: it has none. */
static size_t joined_of(struct join *j, size_t side, struct span id)
{
    size_t row = id.ptr != NULL ? merge_row(&j->sides[side].ids, &id, 1) : NOWHERE;

    return row != NOWHERE ? j->sides[side].code[row] : NOWHERE;
}

/* The joined codes of a rule of one side, as a key. */
static struct span pair_of(const struct join *j, size_t side, size_t row)
{
    return (struct span){(const char *)&j->sides[side].rules[row], sizeof(struct pair)};
}

/* The row of a rule of `from` on the other side; NOWHERE: it has none about the two. */
static size_t same_rule(struct join *j, size_t from, size_t row)
{
    return merge_row(&j->sides[!from].paired, CELLS(pair_of(j, from, row)));
}

/* Which codes a side changed, or has rules about. */
static void find_changed(struct join *j)
{
    for (size_t s = 0; s < SIDES; s++) {
        for (size_t i = 0; i < grid_of(j, s, CHANGES)->n; i++) {
            size_t row = row_of_change(j, s, cells_of(j, s, CHANGES, i));
            if (j->sides[s].same[i] == NOWHERE && row != NOWHERE)
                j->sides[s].changed[row] = true;
        }
        for (size_t i = 0; i < grid_of(j, s, RULES)->n; i++) {
            const struct span *rule = cells_of(j, s, RULES, i);
            j->sides[s].rules[i] = (struct pair){joined_of(j, s, rule[0]), joined_of(j, s, rule[1])};
            merge_row_keep(j->m, &j->sides[s].paired, CELLS(pair_of(j, s, i)), i);
        }
    }
    for (size_t i = 0; i < grid_of(j, OURS, RULES)->n; i++) {
        size_t k = same_rule(j, OURS, i), code = j->sides[OURS].rules[i].code;
        if (k != NOWHERE && code != NOWHERE &&
            !span_eq(cells_of(j, OURS, RULES, i)[2], cells_of(j, THEIRS, RULES, k)[2]))
            j->codes.at[code].rules_differ = true;
    }
}

/* Says which changes of the code only one side has. */
static enum status MUST_USE restructured(struct join *j, size_t code)
{
    const struct joined_code *c = &j->codes.at[code];
    struct merge *m = j->m;
    struct db_merged *out = m->out;
    struct span name = merge_shown(m, taken_cells(j, c)[NAME]), list = merge_shown(m, taken_cells(j, c)[FACET]);

    out->conflicts = arena_alloc(&out->arena, (j->history.n + 1) * sizeof *out->conflicts);
    for (size_t i = 0; i < j->history.n; i++) {
        const struct span *cells = change_cells(j, i);
        size_t side = j->history.at[i].of[OURS] != NOWHERE ? OURS : THEIRS;
        size_t row = row_of_change(j, side, cells);
        if (j->history.at[i].of[!side] != NOWHERE || row == NOWHERE || j->sides[side].code[row] != code)
            continue;
        struct db_code_change change = {
            .changed_at = merge_shown(m, cells[CHANGED_AT]),
            .changed_by = merge_shown(m, cells[CHANGED_BY]),
            .action = merge_shown(m, cells[ACTION]),
            .facet = merge_shown(m, cells[CHANGE_FACET]),
            .code = merge_shown(m, cells[CHANGE_CODE]),
            .became = merge_shown(m, cells[BECAME]),
            .reason = merge_shown(m, cells[REASON]),
        };
        if (!span_i64(cells[VERSION], &change.version))
            change.version = 0;
        struct db_conflict *conflict = &out->conflicts[out->n_conflicts++];
        *conflict = (struct db_conflict){0};
        *(side == OURS ? &conflict->ours : &conflict->theirs) = change;
    }
    return err_set(m->e, ST_INPUT,
                   "%s: the %.*s '%.*s' was changed in both copies in ways that cannot be joined; nothing was merged:"
                   " make the changes of one side on a copy of the other, or rename a code in one of them",
                   m->path, SPAN_ARG(list), SPAN_ARG(name));
}

/* Both defined it, in other words: what was answered, or another question. */
static void ask(struct join *j, size_t code)
{
    struct joined_code *c = &j->codes.at[code];
    struct db_merged *out = j->m->out;
    const struct db_merge_how *how = j->m->how;
    const struct span *ours = cells_of_code(j, c, OURS), *theirs = cells_of_code(j, c, THEIRS);
    struct db_question q = {
        .list = merge_shown(j->m, ours[FACET]),
        .code = merge_shown(j->m, ours[NAME]),
        .definitions = {merge_shown(j->m, ours[DEFINITION]), merge_shown(j->m, theirs[DEFINITION])},
        .both_added = c->added.ptr != NULL && span_eq(c->added, ours[NAME]),
        .take = how->take,
    };

    for (size_t i = 0; i < how->n_answers && q.take == DB_TAKE_ASK; i++) {
        const struct db_question *a = &how->answers[i];
        if (span_eq(a->list, q.list) && span_eq(a->code, q.code) &&
            span_eq(a->definitions[OURS], q.definitions[OURS]) &&
            span_eq(a->definitions[THEIRS], q.definitions[THEIRS]))
            q.take = a->take;
    }
    if (q.take == DB_TAKE_BOTH && !q.both_added)
        q.take = DB_TAKE_ASK;
    c->taken = q.take == DB_TAKE_THEIRS ? THEIRS : OURS;
    if (q.take == DB_TAKE_ASK) {
        array_add(&out->questions, q);
    } else if (q.take == DB_TAKE_BOTH) {
        array_add(&j->parted, c->row[THEIRS]);
    } else {
        array_add(&j->settled, code);
    }
}

static enum status MUST_USE take_code(struct join *j, size_t code)
{
    static const size_t columns[] = {CATEGORY, NAME, SHORT_NAME, DEFINITION};
    struct joined_code *c = &j->codes.at[code];

    c->taken = c->row[OURS] != NOWHERE ? OURS : THEIRS;
    if (c->row[!c->taken] == NOWHERE)
        return ST_OK;
    const struct span *a = cells_of_code(j, c, OURS), *b = cells_of_code(j, c, THEIRS);
    bool ours = is_changed(j, c, OURS), theirs = is_changed(j, c, THEIRS);
    bool same = !c->rules_differ && (a[RETIRED_IN].ptr == NULL) == (b[RETIRED_IN].ptr == NULL) &&
                (a[MERGED_INTO].ptr == NULL) == (b[MERGED_INTO].ptr == NULL);
    for (size_t k = 0; k < ARRAY_LEN(columns); k++)
        same &= same_cell(a[columns[k]], b[columns[k]]);
    if (same && ours && theirs && c->added.ptr != NULL)
        j->m->out->n_same++;
    if (same)
        return ST_OK;
    if (!ours && !theirs)
        return merge_another_codebook(j->m, CODES, a[NAME]);
    if (ours != theirs) {
        c->taken = ours ? OURS : THEIRS;
        return ST_OK;
    }
    if (!span_eq(a[NAME], b[NAME]) || a[RETIRED_IN].ptr != NULL || b[RETIRED_IN].ptr != NULL)
        return restructured(j, code);
    ask(j, code);
    return ST_OK;
}

static enum status MUST_USE take_codes(struct join *j)
{
    struct db_merged *out = j->m->out;
    enum status status = ST_OK;
    bool both = j->m->how->take != DB_TAKE_BOTH;

    j->m->out->n_same = 0;
    for (size_t i = 0; i < j->codes.n && status == ST_OK; i++)
        status = take_code(j, i);
    for (size_t i = 0; i < out->questions.n; i++)
        both &= out->questions.at[i].both_added;
    if (status == ST_OK && out->questions.n > 0)
        status = err_set(j->m->e, ST_INPUT,
                         "%s: %zu code%s defined here and there in other words; nothing"
                         " was merged: say whose definition stays, with --take ours or --take theirs%s",
                         j->m->path, out->questions.n, out->questions.n == 1 ? " was" : "s were",
                         both ? ", or keep two codes, with --take both"
                              : "; only a code that both copies added can become two");
    return status;
}

/* --- the joined codebook --- */

/* The joined version that a change of this side became; of what is none, the text itself. */
static struct span joined_version(const struct join *j, size_t side, struct span version)
{
    int64_t number;

    if (version.ptr == NULL || !span_i64(version, &number) || number < j->first ||
        number - j->first >= (int64_t)grid_of(j, side, CHANGES)->n)
        return version;
    return number_text(j->m, j->first + (int64_t)j->sides[side].place[number - j->first]);
}

/* The end of the row of codes that were merged into each other; NOWHERE: there is no end. */
static size_t last_of(struct join *j, size_t code)
{
    for (size_t steps = 0; steps <= j->codes.n && code != NOWHERE; steps++) {
        const struct joined_code *c = &j->codes.at[code];
        struct span into = taken_cells(j, c)[MERGED_INTO];
        if (into.ptr == NULL)
            return code;
        code = joined_of(j, c->taken, into);
    }
    return NOWHERE;
}

static enum status MUST_USE put_code(struct join *j, size_t code)
{
    const struct joined_code *c = &j->codes.at[code];
    struct span cells[MERGED_INTO + 1];
    size_t other = !c->taken;

    memcpy(cells, taken_cells(j, c), sizeof cells);
    cells[CODE_ID] = c->id;
    cells[RETIRED_IN] = joined_version(j, c->taken, cells[RETIRED_IN]);
    if (cells[MERGED_INTO].ptr != NULL) {
        size_t into = last_of(j, code);
        if (into == NOWHERE || taken_cells(j, &j->codes.at[into])[RETIRED_IN].ptr != NULL)
            return restructured(j, code);
        cells[MERGED_INTO] = j->codes.at[into].id;
    }
    if (c->row[other] != NOWHERE && cells[RETIRED_IN].ptr != NULL) {
        struct span theirs = joined_version(j, other, cells_of_code(j, c, other)[RETIRED_IN]);
        size_t into = joined_of(j, other, cells_of_code(j, c, other)[MERGED_INTO]);
        if (theirs.ptr != NULL && into != NOWHERE && last_of(j, into) != last_of(j, code))
            return restructured(j, code);
        int64_t a, b;
        if (theirs.ptr != NULL && span_i64(theirs, &b) && span_i64(cells[RETIRED_IN], &a) && b < a)
            cells[RETIRED_IN] = theirs;
    }
    merge_add_row(&j->book.grids[CODES], cells);
    return ST_OK;
}

/* May one side have something about a code that the other lacks? */
static bool may_differ(const struct join *j, size_t code, size_t side)
{
    const struct joined_code *c = &j->codes.at[code];

    return c->row[!side] == NOWHERE || is_changed(j, c, side);
}

/* The alias of a code of the other side; no alias is ever lost. */
static enum status MUST_USE put_aliases(struct join *j, size_t side)
{
    const struct grid *g = grid_of(j, side, ALIASES);

    for (size_t i = 0; i < g->n; i++) {
        const struct span *row = row_of(g, i);
        size_t code = joined_of(j, side, row[0]);
        if (code == NOWHERE)
            return merge_another_codebook(j->m, ALIASES, row[1]);
        const struct joined_code *c = &j->codes.at[code];
        bool both = c->row[!side] != NOWHERE &&
                    merge_row(&j->sides[!side].aliases, CELLS(cells_of_code(j, c, !side)[CODE_ID], row[1])) != NOWHERE;
        if (!both && !may_differ(j, code, side))
            return merge_another_codebook(j->m, ALIASES, row[1]);
        if (!both || side == OURS)
            merge_add_row(&j->book.grids[ALIASES], (const struct span[]){c->id, row[1]});
    }
    return ST_OK;
}

static enum status MUST_USE put_rules(struct join *j, size_t side)
{
    const struct grid *g = grid_of(j, side, RULES);

    for (size_t i = 0; i < g->n; i++) {
        const struct span *row = row_of(g, i);
        size_t code = j->sides[side].rules[i].code, versus = j->sides[side].rules[i].versus;
        if (code == NOWHERE || versus == NOWHERE)
            return merge_another_codebook(j->m, RULES, row[2]);
        const struct joined_code *c = &j->codes.at[code];
        size_t other = same_rule(j, side, i);
        if (other == NOWHERE && !may_differ(j, code, side) && !may_differ(j, versus, side))
            return merge_another_codebook(j->m, RULES, row[2]);
        if (other == NOWHERE || c->taken == side)
            merge_add_row(&j->book.grids[RULES], (const struct span[]){c->id, j->codes.at[versus].id, row[2]});
    }
    return ST_OK;
}

/* "[2,5]" with ids of one side, as joined ones. */
static enum status MUST_USE join_ids(struct join *j, size_t side, struct span ids, struct span *joined)
{
    AT_END(buf_clear) struct buf text = {0};
    bool fine = ids.len >= 2 && ids.ptr[0] == '[' && ids.ptr[ids.len - 1] == ']';
    struct span rest = fine ? (struct span){ids.ptr + 1, ids.len - 2} : SPAN(""), id;

    buf_add_char(&text, '[');
    while (fine && span_cut(&rest, ',', &id)) {
        size_t code = joined_of(j, side, id);
        fine = code != NOWHERE;
        if (fine)
            buf_addf(&text, "%s%.*s", text.len > 1 ? "," : "", SPAN_ARG(j->codes.at[code].id));
    }
    buf_add_char(&text, ']');
    *joined = arena_copy(&j->m->arena, buf_span(&text));
    return fine ? ST_OK : does_not_go(j->m, "look_again of a change names no codes");
}

static enum status MUST_USE put_history(struct join *j)
{
    for (size_t i = 0; i < j->history.n; i++) {
        struct span cells[LOOK_AGAIN + 1], ids[SIDES] = {{0}};
        memcpy(cells, change_cells(j, i), sizeof cells);
        cells[VERSION] = number_text(j->m, j->first + (int64_t)i);
        for (size_t s = 0; s < SIDES; s++) {
            size_t change = j->history.at[i].of[s];
            if (change == NOWHERE)
                continue;
            enum status status = join_ids(j, s, cells_of(j, s, CHANGES, change)[LOOK_AGAIN], &ids[s]);
            if (status != ST_OK)
                return status;
        }
        if (ids[OURS].ptr != NULL && ids[THEIRS].ptr != NULL && !span_eq(ids[OURS], ids[THEIRS]))
            return merge_another_codebook(j->m, CHANGES, cells[CHANGE_CODE]);
        cells[LOOK_AGAIN] = ids[OURS].ptr != NULL ? ids[OURS] : ids[THEIRS];
        merge_add_row(&j->book.grids[CHANGES], cells);
    }
    return ST_OK;
}

/* An answer to a question is a change, by the coder whose definition stays: labels must be looked at again. */
static void put_answer(struct join *j, size_t code)
{
    const struct joined_code *c = &j->codes.at[code];
    const struct grid *changes = grid_of(j, c->taken, CHANGES);
    struct grid *g = &j->book.grids[CHANGES];
    const struct span *row = taken_cells(j, c);
    struct span cells[LOOK_AGAIN + 1];
    AT_END(buf_clear) struct buf became = {0};
    char now[TIME_TEXT_SIZE];

    time_now(now);
    buf_add_jsonf(&became, "[?]", row[NAME]);
    cells[VERSION] = number_text(j->m, j->first + (int64_t)g->n);
    cells[CHANGED_AT] = arena_copy(&j->m->arena, span_of(now));
    cells[CHANGED_BY] = SPAN("");
    for (size_t i = 0; i < changes->n; i++)
        if (j->sides[c->taken].same[i] == NOWHERE && row_of_change(j, c->taken, row_of(changes, i)) == c->row[c->taken])
            cells[CHANGED_BY] = row_of(changes, i)[CHANGED_BY];
    cells[ACTION] = SPAN("define");
    cells[CHANGE_FACET] = row[FACET];
    cells[CHANGE_CODE] = row[NAME];
    cells[BECAME] = arena_copy(&j->m->arena, buf_span(&became));
    cells[REASON] = SPAN("chosen of two definitions when copies were merged");
    cells[LOOK_AGAIN] = arena_addf(&j->m->arena, "[%.*s]", SPAN_ARG(c->id));
    merge_add_row(g, cells);
}

/* A name names one code, also where it is a short name, or one that a code had. */
static enum status MUST_USE check_names(struct join *j)
{
    const struct grid *g = &j->book.grids[CODES], *aliases = &j->book.grids[ALIASES];
    AT_END(mem_end) struct code *codes = mem_zero(g->n + 1, sizeof *codes);
    AT_END(mem_end) struct buf *names = mem_zero(g->n + 1, sizeof *names);
    AT_END(codebook_clear) struct codebook made;
    AT_END(merge_rows_clear) struct rows ids = {0};
    struct err why;

    merge_rows_keep(j->m, &ids, g, 1);
    for (size_t i = 0; i < aliases->n; i++) {
        size_t code = merge_row(&ids, row_of(aliases, i), 1);
        if (code == NOWHERE)
            continue;
        buf_add_text(&names[code], names[code].len > 0 ? ";" : "");
        buf_add_span(&names[code], row_of(aliases, i)[1]);
    }
    for (size_t i = 0; i < g->n; i++) {
        const struct span *row = row_of(g, i);
        codes[i] = (struct code){.facet = row[FACET],
                                 .category = row[CATEGORY],
                                 .name = row[NAME],
                                 .short_name = row[RETIRED_IN].ptr == NULL ? row[SHORT_NAME] : SPAN(""),
                                 .aliases = buf_span(&names[i])};
    }
    enum status status = codebook_make(&made, facets_kept(j->m->db), codes, g->n, NULL, 0, &why);
    if (status != ST_OK)
        status = err_set(j->m->e, ST_INPUT,
                         "%s: the codebooks of both cannot be joined: %s; nothing was"
                         " merged: rename a code in one of the copies",
                         j->m->path, why.text);
    for (size_t i = 0; i < g->n; i++)
        buf_clear(&names[i]);
    return status;
}

static enum status MUST_USE make_book(struct join *j)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < PARTS; i++)
        j->book.grids[i].n_columns = merge_parts[i].n_columns;
    for (int added = 0; added < 2; added++) /* ids in the order of numbers: those of before, then the added ones */
        for (size_t i = 0; i < j->codes.n && status == ST_OK; i++)
            if ((j->codes.at[i].added.ptr != NULL) == (added == 1))
                status = put_code(j, i);
    for (size_t s = 0; s < SIDES && status == ST_OK; s++)
        status = put_aliases(j, s);
    for (size_t s = 0; s < SIDES && status == ST_OK; s++)
        status = put_rules(j, s);
    THEN(status, put_history(j));
    if (status != ST_OK)
        return status;
    for (size_t i = 0; i < j->settled.n; i++)
        put_answer(j, j->settled.at[i]);
    const struct grid *g = &j->book.grids[CHANGES];
    j->book.version = row_of(g, g->n - 1)[VERSION];
    return check_names(j);
}

/* --- versions --- */

/* Does the change ask to look at labels again? */
static bool asks(const struct grid *changes, size_t place)
{
    return !span_eq(row_of(changes, place)[LOOK_AGAIN], SPAN("[]"));
}

/* For each version of a side, the version of the joined codebook that its decisions were made with: that of the last
 * change that the side had then. But if the side lacked an earlier change that asks to look at labels again, it is the
 * version of the last change before that one that asks for it, too. So in whatever order copies are joined, the same
 * labels are looked at again, and the same versions come out. */
static int64_t *version_map(struct join *j, size_t side, size_t *n)
{
    const struct grid *g = grid_of(j, side, CHANGES), *joined = &j->book.grids[CHANGES];
    int64_t *map;
    size_t missed = 0, asked = 0; /* asked: one more than the place of the last one that asks */

    *n = (size_t)j->first + g->n;
    map = arena_alloc(&j->m->arena, (*n + 1) * sizeof *map);
    for (size_t v = 0; v < *n; v++) {
        size_t seen = v + 1 > (size_t)j->first ? v + 1 - (size_t)j->first : 0; /* changes */
        size_t last = seen > 0 ? j->sides[side].place[seen - 1] + 1 : 0;
        while (missed < joined->n &&
               (!asks(joined, missed) || (missed < j->history.n && j->history.at[missed].of[side] < seen))) {
            if (asks(joined, missed))
                asked = missed + 1;
            missed++;
        }
        map[v] = seen == 0 ? (int64_t)v : j->first - 1 + (int64_t)(last <= missed ? last : asked);
    }
    return map;
}

/* What each version, from 0 on, became (:versions, a JSON array). */
SQL(MERGE_VERSIONS, SQL_OR_NOTHING
    "WITH map AS MATERIALIZED (SELECT key AS was, value AS became FROM json_each(:versions) WHERE key <> value)"
    " UPDATE decision SET codebook_version = map.became FROM map WHERE codebook_version = map.was");

/* --- all of it --- */

static bool has_more(const struct join *j, size_t side)
{
    for (size_t i = 0; i < grid_of(j, side, CHANGES)->n; i++)
        if (j->sides[side].same[i] == NOWHERE)
            return true;
    return false;
}

/* *again: codes of theirs got their own names, and all begins anew. */
static enum status MUST_USE join_books(struct join *j, struct book *const books[SIDES], bool *again)
{
    AT_END(buf_clear) struct buf json = {0};
    size_t n;
    enum status status = match_changes(j);

    if (status != ST_OK)
        return status;
    weave(j);
    status = find_added_codes(j);
    THEN(status, find_old_codes(j));
    if (status != ST_OK)
        return status;
    find_changed(j);
    status = take_codes(j);
    *again = status == ST_OK && j->parted.n > 0;
    for (size_t i = 0; i < j->parted.n && *again; i++)
        merge_names_part(j->m, books, cells_of(j, THEIRS, CODES, j->parted.at[i]));
    if (status == ST_OK && !*again)
        status = make_book(j);
    if (status != ST_OK || *again)
        return status;
    j->m->their_versions = version_map(j, THEIRS, &j->m->n_their_versions);
    j->m->out->codebook = DB_CODEBOOK_OLDER;
    if (!has_more(j, THEIRS) && j->m->names[OURS].n == 0)
        return ST_OK;
    const int64_t *map = version_map(j, OURS, &n);
    for (size_t i = 0; i < n; i++)
        buf_addf(&json, "%c%lld", i == 0 ? '[' : ',', (long long)map[i]);
    buf_add_char(&json, ']');
    status = sql_run(j->m->db, SQL_MERGE_VERSIONS, j->m->e, BIND(":versions", buf_span(&json)));
    THEN(status, merge_adopt(j->m, &j->book));
    if (has_more(j, OURS))
        j->m->out->codebook = DB_CODEBOOK_JOINED;
    return status;
}

static enum status MUST_USE check_history(struct join *j, size_t side)
{
    const struct grid *g = grid_of(j, side, CHANGES);

    for (size_t i = 0; i < PARTS; i++)
        if (grid_of(j, side, i)->n > ROWS_MAX)
            return does_not_go(j->m, "one of them has more than 10000 rows in a table");
    for (size_t i = 0; i < g->n; i++) {
        int64_t version;
        if (!span_i64(row_of(g, i)[VERSION], &version))
            version = -1;
        if (i == 0 && side == OURS)
            j->first = version;
        if (j->first < 1 || j->first > ROWS_MAX || version != j->first + (int64_t)i)
            return does_not_go(j->m, "versions are missing in a history, or the first ones differ");
    }
    return ST_OK;
}

/* Where the codes of a side are found, and room for what is found out about them. */
static void prepare(struct join *j, size_t s)
{
    struct side *side = &j->sides[s];
    const struct grid *codes = grid_of(j, s, CODES), *aliases = grid_of(j, s, ALIASES);
    size_t n_changes = grid_of(j, s, CHANGES)->n;

    side->same = arena_alloc(&j->m->arena, n_changes * sizeof *side->same);
    side->place = arena_alloc(&j->m->arena, n_changes * sizeof *side->place);
    side->code = arena_alloc(&j->m->arena, codes->n * sizeof *side->code);
    side->changed = arena_alloc(&j->m->arena, codes->n * sizeof *side->changed);
    side->rules = arena_alloc(&j->m->arena, grid_of(j, s, RULES)->n * sizeof *side->rules);
    merge_rows_keep(j->m, &side->ids, codes, 1);
    merge_rows_keep(j->m, &side->aliases, aliases, 2);
    for (size_t i = 0; i < codes->n; i++) {
        side->code[i] = NOWHERE;
        side->changed[i] = false;
        merge_row_keep(j->m, &side->names, CELLS(row_of(codes, i)[FACET], row_of(codes, i)[NAME]), i);
    }
    for (size_t i = 0; i < aliases->n; i++) {
        size_t code = merge_row(&side->ids, row_of(aliases, i), 1);
        if (code != NOWHERE)
            merge_row_keep(j->m, &side->names, CELLS(row_of(codes, code)[FACET], row_of(aliases, i)[1]), code);
    }
}

static void join_clear(struct join *j)
{
    for (struct side *side = j->sides; side < j->sides + SIDES; side++) {
        merge_rows_clear(&side->ids);
        merge_rows_clear(&side->names);
        merge_rows_clear(&side->aliases);
        merge_rows_clear(&side->paired);
    }
    merge_rows_clear(&j->added);
    merge_book_clear(&j->book);
    array_clear(&j->history);
    array_clear(&j->codes);
    array_clear(&j->settled);
    array_clear(&j->parted);
}

enum status merge_join(struct merge *m, struct book *const books[SIDES])
{
    enum status status = ST_OK;
    bool again = true;

    while (again && status == ST_OK) {
        AT_END(join_clear) struct join j = {.m = m, .sides = {{.book = books[OURS]}, {.book = books[THEIRS]}}};
        again = false;
        for (size_t s = 0; s < SIDES && status == ST_OK; s++) {
            status = check_history(&j, s);
            if (status == ST_OK)
                prepare(&j, s);
        }
        THEN(status, join_books(&j, books, &again));
    }
    return status;
}
