/* sheet: the rows of a file of codings, read and checked. */
#include "label/exchange/sheet.h"

#include "label/coding/act.h"
#include "label/rows.h"
#include "label/label.h"
#include "base/csv.h"
#include "base/day.h"
#include "base/files.h"
#include "base/visible.h"

#include <jansson.h>

/* --- columns --- */

/* Those that every study has; in the place of CODING_CODE are those of the facets. */
static const struct {
    const char *name;
    double width;
} fixed[CODING_KINDS] = {
    [CODING_PROBLEM_ID] = {"problem_id", 13},
    [CODING_POST_ID] = {"post_id", 11},
    [CODING_CODER] = {"coder", 12},
    [CODING_JUDGEMENT] = {NULL, 11},
    [CODING_CODE] = {NULL, 26},
    [CODING_REASON] = {"reason", 40},
    [CODING_NOTE] = {"note", 40},
    [CODING_DECIDED_AT] = {"decided_at", 25},
    [CODING_URL] = {"url", 46},
    [CODING_TITLE] = {"title", 80},
    [CODING_ERROR] = {"error", 80},
};

static void add_column(struct coding_columns *c, enum coding_kind kind, size_t facet, size_t place)
{
    AT_END(buf_clear) struct buf name = {0};

    if (fixed[kind].name != NULL)
        buf_add_text(&name, fixed[kind].name);
    else
        facet_column(&c->facets->items[facet], place, &name);
    if (c->at[kind] == SIZE_MAX)
        c->at[kind] = c->n;
    c->items[c->n++] = (struct coding_column){
        .name = arena_text(&c->arena, buf_span(&name)),
        .kind = kind,
        .facet = facet,
        .place = place,
        .width = fixed[kind].width,
    };
}

void coding_columns_make(struct coding_columns *out, const struct facets *facets)
{
    size_t most = CODING_KINDS;

    *out = (struct coding_columns){.facets = facets};
    for (size_t i = 0; i < facets->n; i++)
        most += facets->items[i].most;
    out->items = arena_alloc(&out->arena, most * sizeof *out->items);
    for (size_t kind = 0; kind < CODING_KINDS; kind++)
        out->at[kind] = SIZE_MAX;
    for (size_t kind = 0; kind < CODING_KINDS; kind++) {
        if (kind != CODING_CODE)
            add_column(out, (enum coding_kind)kind, FACET_JUDGES, 0);
        for (size_t i = 0; i < facets->n && kind == CODING_CODE; i++)
            for (size_t k = 0; k < facets->items[i].most && i != FACET_JUDGES; k++)
                add_column(out, CODING_CODE, i, k);
    }
}

void coding_columns_clear(struct coding_columns *c)
{
    arena_clear(&c->arena);
    *c = (struct coding_columns){0};
}

/* --- the sheet --- */

struct reading {
    struct sheet *sheet;
    const struct coding_import_how *how;
    struct stored_codebook *book; /* gets the new written values */
    struct row_reader rows;
    struct err *e;
};

void sheet_clear(struct sheet *s)
{
    mem_free(s->rows);
    mem_free(s->order);
    array_clear(&s->others);
    coding_columns_clear(&s->columns);
    arena_clear(&s->arena);
    *s = (struct sheet){0};
}

int64_t *sheet_codes(const struct sheet *s, const struct sheet_row *row, size_t facet)
{
    return row->codes + s->code_at[facet];
}

bool sheet_row_is_empty(const struct sheet_row *row)
{
    return !row->is_judged && !row->is_coded;
}

/* --- faults --- */

void sheet_fault(struct sheet *s, struct sheet_row *row, const char *column, const char *fmt, ...)
{
    AT_END(buf_clear) struct buf text = {0};
    char words[512];
    va_list args;

    s->n_bad += row->faults.ptr == NULL;
    va_start(args, fmt);
    vsnprintf(words, sizeof words, fmt, args);
    va_end(args);
    if (row->faults.ptr != NULL) {
        buf_add_span(&text, row->faults);
        buf_add_text(&text, "; ");
    }
    buf_addf(&text, "%s: ", column);
    buf_add_clean(&text, (struct span){words, utf8_valid_prefix(span_of(words))}); /* it may be cut in a character */
    row->faults = arena_copy(&s->arena, buf_span(&text));
}

/* --- the header --- */

/* Likely a slip in the name of a column is refused; another one is not read as a column of codings. */
static enum status MUST_USE other_column(struct reading *r, struct span name, size_t place)
{
    const struct coding_columns *c = &r->sheet->columns;
    const char **names = mem_zero(c->n, sizeof *names), *near;
    AT_END(buf_clear) struct buf safe = {0};
    enum status status = ST_OK;

    for (size_t i = 0; i < c->n; i++)
        names[i] = c->items[i].name;
    near = span_nearest(name, names, c->n);
    buf_add_clean(&safe, name);
    if (near != NULL)
        status = err_set(r->e, ST_INPUT, "%s:%zu: unknown column '%.100s' (did you mean '%s'?)", r->sheet->name,
                         r->rows.row.number, buf_cstr(&safe), near);
    else if (name.len == 0)
        status = err_set(r->e, ST_INPUT, "%s:%zu: column %zu has no name", r->sheet->name, r->rows.row.number,
                         place + 1);
    else
        array_add(&r->sheet->others, place);
    mem_free(names);
    return status;
}

static enum status MUST_USE place_column(struct reading *r, struct span name, size_t place)
{
    struct sheet *s = r->sheet;
    size_t column = 0;

    for (size_t i = 0; i < r->how->n_map; i++) { /* what it is called here */
        const char *equal = strrchr(r->how->map[i], '=');
        if (span_eq(name, (struct span){r->how->map[i], (size_t)(equal - r->how->map[i])})) {
            name = span_of(equal + 1);
            break;
        }
    }
    while (column < s->columns.n && !row_name_is(name, s->columns.items[column].name))
        column++;
    if (column == s->columns.n)
        return other_column(r, name, place);
    const struct coding_column *found = &s->columns.items[column];
    if (r->how->only_notes && found->kind != CODING_PROBLEM_ID && found->kind != CODING_POST_ID &&
        found->kind != CODING_CODER && found->kind != CODING_NOTE) {
        array_add(&s->others, place);
        return ST_OK;
    }
    if (s->places[column] != SIZE_MAX)
        return err_set(r->e, ST_INPUT, "%s:%zu: the column '%s' occurs a second time", r->sheet->name,
                       r->rows.row.number, found->name);
    s->places[column] = place;
    if (found->kind == CODING_CODE || found->kind == CODING_JUDGEMENT)
        s->has_facet[found->facet] = true;
    return ST_OK;
}

static const char *column_name(const struct sheet *s, enum coding_kind kind)
{
    return s->columns.items[s->columns.at[kind]].name;
}

static bool has_column(const struct sheet *s, enum coding_kind kind)
{
    return s->places[s->columns.at[kind]] != SIZE_MAX;
}

/* A column of codes, for a message: one that is not numbered, if there is one. */
static const char *example_column(const struct coding_columns *c)
{
    size_t first = c->at[CODING_CODE];

    for (size_t i = 0; i < c->n; i++)
        if (c->items[i].kind == CODING_CODE && c->facets->items[c->items[i].facet].most == 1)
            return c->items[i].name;
    return first != SIZE_MAX ? c->items[first].name : "title";
}

static enum status MUST_USE check_columns(const struct reading *r)
{
    const struct sheet *s = r->sheet;
    const struct coding_columns *c = &s->columns;
    bool says = false;

    for (size_t i = 0; i < c->facets->n; i++)
        says |= s->has_facet[i];
    if (!has_column(s, CODING_PROBLEM_ID) && !has_column(s, CODING_POST_ID))
        return err_set(r->e, ST_INPUT, "%s:%zu: the column 'problem_id' or 'post_id' is missing", r->sheet->name,
                       r->rows.row.number);
    if (r->how->only_notes)
        return has_column(s, CODING_NOTE)
                   ? ST_OK
                   : err_set(r->e, ST_INPUT, "%s:%zu: the column 'note' is missing; --map THEIRS=note", s->name,
                             r->rows.row.number);
    if (!says)
        return err_set(r->e, ST_INPUT,
                       "%s:%zu: neither '%s' nor a column of codes, such as '%s'; --map THEIRS=OURS"
                       " reads one of another name",
                       r->sheet->name, r->rows.row.number, column_name(s, CODING_JUDGEMENT), example_column(c));
    for (size_t facet = 0; facet < c->facets->n; facet++) {
        const char *first = NULL, *last = NULL;
        size_t n = 0, n_there = 0;
        r->sheet->code_at[facet] = r->sheet->n_codes;
        r->sheet->n_codes += s->has_facet[facet] ? c->facets->items[facet].most : 0;
        for (size_t i = 0; i < c->n; i++) {
            if (c->items[i].kind != CODING_CODE || c->items[i].facet != facet)
                continue;
            first = n++ == 0 ? c->items[i].name : first;
            last = c->items[i].name;
            n_there += s->places[i] != SIZE_MAX;
        }
        if (n_there > 0 && n_there < n) /* an empty cell takes a code back */
            return err_set(r->e, ST_INPUT, "%s:%zu: '%s' %s '%s' belong together; add the other column%s", s->name,
                           r->rows.row.number, first, n == 2 ? "and" : "to", last,
                           n == 2 ? ", even an empty one" : "s, even empty ones");
    }
    return ST_OK;
}

/* Columns without a name, at the end, are what a spreadsheet left there. */
static enum status MUST_USE read_header(struct reading *r)
{
    struct sheet *s = r->sheet;
    enum status status = rows_next(&r->rows, r->e);

    s->places = arena_alloc(&s->arena, s->columns.n * sizeof *s->places);
    for (size_t i = 0; i < s->columns.n; i++)
        s->places[i] = SIZE_MAX;
    if (status == ST_NO)
        return err_set(r->e, ST_INPUT, "%s: empty; the first line names the columns", s->name);
    if (status != ST_OK)
        return status;
    s->n_header = r->rows.row.n_fields;
    while (s->n_header > 0 && span_trim(r->rows.row.fields[s->n_header - 1]).len == 0)
        s->n_header--;
    s->header = arena_alloc(&s->arena, (s->n_header + 1) * sizeof *s->header);
    for (size_t i = 0; i < s->n_header; i++)
        s->header[i] = arena_copy(&s->arena, rows_cell(&r->rows, i));
    for (size_t i = 0; i < r->how->n_map; i++) { /* each name of the map is in the file, each name here is known */
        const char *pair = r->how->map[i], *equal = strrchr(pair, '=');
        size_t column = 0;
        if (equal == NULL || equal == pair || equal[1] == '\0')
            return err_set(r->e, ST_USAGE, "--map '%s': expected THEIRS=OURS, such as 'Post=post_id'", pair);
        struct span theirs = {pair, (size_t)(equal - pair)};
        while (column < s->columns.n && !span_eq(span_of(equal + 1), span_of(s->columns.items[column].name)))
            column++;
        if (span_among(theirs, s->header, s->n_header) == s->n_header)
            return err_set(r->e, ST_INPUT, "%s:%zu: --map: there is no column '%.*s'", s->name, r->rows.row.number,
                           SPAN_ARG(theirs));
        if (column == s->columns.n)
            return err_set(r->e, ST_USAGE, "--map '%s': import reads no column '%s'", pair, equal + 1);
    }
    for (size_t i = 0; i < s->n_header && status == ST_OK; i++)
        status = place_column(r, s->header[i], i);
    return status == ST_OK ? check_columns(r) : status;
}

/* --- cells --- */

static struct span cell_at(struct sheet *s, const struct sheet_row *row, size_t column)
{
    size_t place = s->places[column];

    return place < row->n_fields ? row_plain(&s->arena, row->fields[place]) : (struct span){0};
}

static struct span cell(struct sheet *s, const struct sheet_row *row, enum coding_kind kind)
{
    return cell_at(s, row, s->columns.at[kind]);
}

/* "65160023.0", "6,5160023E+07": what was an id before a spreadsheet took it for a number. */
static bool was_number(struct span s)
{
    size_t i = 0, digits = 0;
    bool marked = false;

    for (; i < s.len && strchr("0123456789.,", s.ptr[i]) != NULL && s.ptr[i] != '\0'; i++) {
        digits += s.ptr[i] >= '0' && s.ptr[i] <= '9';
        marked |= s.ptr[i] == '.' || s.ptr[i] == ',';
    }
    if (digits == 0)
        return false;
    if (i == s.len)
        return marked;
    if (s.ptr[i] != 'e' && s.ptr[i] != 'E')
        return false;
    i += i + 1 < s.len && strchr("+-", s.ptr[i + 1]) != NULL ? 2 : 1;
    while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
        i++;
    return i == s.len;
}

static void add_id_fault(struct sheet *s, struct sheet_row *row, enum coding_kind column, struct span text)
{
    const char *name = column_name(s, column);

    if (text.len == 0)
        sheet_fault(s, row, name, "empty; expected an id such as 65160023%s",
                    column == CODING_PROBLEM_ID ? ", or 65160023_1" : "");
    else if (was_number(text))
        sheet_fault(s, row, name,
                    "'%.*s': a spreadsheet made a number of this id; give the column"
                    " the format Text and write the id again",
                    SPAN_ARG(text));
    else if (span_is_digits(text) && text.len > 16)
        sheet_fault(s, row, name, "'%.*s': too large for an id", SPAN_ARG(text));
    else
        sheet_fault(s, row, name, "'%.*s': expected an id such as 65160023%s", SPAN_ARG(text),
                    column == CODING_PROBLEM_ID ? ", or 65160023_1 if the post has several problems" : "");
}

/* The problem's id says which post it is of; a post's id beside it must be that. */
static void read_ids(struct sheet *s, struct sheet_row *row)
{
    bool by_problem = has_column(s, CODING_PROBLEM_ID);
    enum coding_kind main = by_problem ? CODING_PROBLEM_ID : CODING_POST_ID;
    struct span id = row_id(&s->arena, cell(s, row, main)), post = row_id(&s->arena, cell(s, row, CODING_POST_ID));
    int64_t beside;
    char of[POST_ID_TEXT_SIZE];

    if (by_problem && id.len == 0 && post.len > 0) {
        main = CODING_POST_ID;
        id = post;
    }
    if (main == CODING_PROBLEM_ID ? !problem_id_read(id, &row->post_id) : !post_id_read(id, &row->post_id)) {
        row->post_id = 0;
        add_id_fault(s, row, main, id);
        return;
    }
    row->subject = id;
    if (main == CODING_POST_ID || post.len == 0)
        return;
    if (!post_id_read(post, &beside))
        add_id_fault(s, row, CODING_POST_ID, post);
    else if (beside != row->post_id)
        sheet_fault(s, row, "post_id", "%.*s, but the problem is of post %s", SPAN_ARG(post),
                    post_id_text(row->post_id, of));
}

static const char *leave_empty(struct span text)
{
    return csv_is_na(text) ? "; leave the cell empty where nothing was coded" : "";
}

static void read_one_code(const struct reading *r, struct sheet_row *row, size_t column, struct span written,
                          struct span text)
{
    struct sheet *s = r->sheet;
    const struct coding_column *c = &s->columns.items[column];
    struct stored_codebook *book = r->book;
    struct span list = stored_codebook_list(book, c->facet);
    AT_END(buf_clear) struct buf plain = {0};
    int64_t *codes = sheet_codes(s, row, c->facet);
    size_t found = SIZE_MAX;
    bool again = false;
    struct err why;

    /* A code may have no-break spaces of its own, so it is first looked for as it is written. */
    if (facet_cell(&book->facets->items[c->facet], s->delimiter, text, &plain, &why) == ST_OK &&
        (found = stored_codebook_find(book, list, written, &why)) == SIZE_MAX)
        found = stored_codebook_find(book, list, buf_span(&plain), &why);
    if (found == SIZE_MAX) {
        sheet_fault(r->sheet, row, c->name, "%s%s", why.text, leave_empty(text));
        return;
    }
    codes[c->place] = book->code_ids[found];
    row->is_coded = true;
    for (size_t i = 0; i < c->place; i++) {
        if (codes[i] == codes[c->place])
            sheet_fault(r->sheet, row, c->name, "the same as %s; leave it empty",
                        s->columns.items[column - c->place + i].name);
        again |= codes[i] == codes[c->place];
    }
    if (c->place > 0 && !again && codes[c->place - 1] == 0 && cell_at(s, row, column - 1).len == 0)
        sheet_fault(r->sheet, row, c->name, "%s is empty; write the code there", s->columns.items[column - 1].name);
}

/* {"choices":["a","b"]} of Label Studio, ["a","b"] of doccano: the codes of a facet from this column on. */
static bool read_list(const struct reading *r, struct sheet_row *row, size_t column, struct span text)
{
    const struct coding_columns *all = &r->sheet->columns;
    const struct coding_column *c = &all->items[column];
    bool is_list = span_starts(text, SPAN("[\"")) || span_starts(text, SPAN("{\"choices\""));
    json_t *root = is_list ? json_loadb(text.ptr, text.len, 0, NULL) : NULL;
    const json_t *list = json_is_object(root) ? json_object_get(root, "choices") : root, *code;
    size_t i, room = r->sheet->columns.facets->items[c->facet].most - c->place;

    is_list = json_is_array(list);
    if (json_array_size(list) > room)
        sheet_fault(r->sheet, row, c->name, "a list of %zu codes, and %zu can be given", json_array_size(list), room);
    else
        json_array_foreach(list, i, code) {
            struct span name = {json_string_value(code), json_string_length(code)};
            name = name.ptr != NULL ? arena_copy(&r->sheet->arena, name) : SPAN("?");
            read_one_code(r, row, column + i, name, name);
        }
    json_decref(root);
    return is_list;
}

static void read_time(const struct reading *r, struct sheet_row *row)
{
    struct span text = cell(r->sheet, row, CODING_DECIDED_AT);
    char now[TIME_TEXT_SIZE], time[TIME_TEXT_SIZE];

    if (!r->how->keep_times || text.len == 0)
        return;
    time_now(now);
    if (text.len != sizeof "2026-11-21T01:12:21.000Z" - 1 || !day_or_time_read(text, time))
        sheet_fault(r->sheet, row, "decided_at",
                    "'%.*s': expected a time such as 2026-11-21T01:12:21.000Z; if a spreadsheet rewrote it, import"
                    " without --keep-times",
                    SPAN_ARG(text));
    else if (memcmp(text.ptr, now, sizeof now - 1) > 0)
        sheet_fault(r->sheet, row, "decided_at", "'%.*s' is still to come, and would count for ever", SPAN_ARG(text));
    else
        row->decided_at = text;
}

enum { NOTES_MAX = 100 * ACT_TEXT_MAX }; /* label merge reads no note above 1 MiB */

/* As it was written, no-break spaces and all. */
static struct span words_of(const struct sheet *s, const struct sheet_row *row, enum coding_kind kind)
{
    size_t place = s->places[s->columns.at[kind]];

    return place < row->n_fields ? span_trim(row->fields[place]) : (struct span){0};
}

static void read_words(struct sheet *s, struct sheet_row *row)
{
    size_t longest = 0;

    row->reason = words_of(s, row, CODING_REASON);
    row->note = words_of(s, row, CODING_NOTE);
    /* Export puts several notes into one cell, each in lines of its own, and each may be as long as one may be. */
    for (struct span rest = row->note, line; span_cut(&rest, '\n', &line);)
        longest = line.len > longest ? line.len : longest;
    if (row->reason.len > ACT_TEXT_MAX)
        sheet_fault(s, row, "reason", "too long: at most %d bytes", ACT_TEXT_MAX);
    if (longest > ACT_TEXT_MAX || row->note.len > NOTES_MAX)
        sheet_fault(s, row, "note", "too long: at most %d bytes in a line, and %d in all", ACT_TEXT_MAX, NOTES_MAX);
    if (row->reason.len > 0 && sheet_row_is_empty(row))
        sheet_fault(s, row, "reason",
                    "there is nothing that it is a reason of; write a judgement or a"
                    " code, or write it into the column note");
}

/* --- rows --- */

static struct sheet_row *add_row(struct reading *r)
{
    struct sheet *s = r->sheet;

    s->rows = array_room(s->rows, s->n_rows, 1, &s->capacity, sizeof *s->rows);
    struct sheet_row *row = &s->rows[s->n_rows++];
    *row = (struct sheet_row){.line = r->rows.row.number, .n_fields = r->rows.row.n_fields};
    row->fields = arena_alloc(&s->arena, (row->n_fields + 1) * sizeof *row->fields);
    for (size_t i = 0; i < row->n_fields; i++)
        row->fields[i] = arena_copy(&s->arena, r->rows.row.fields[i]);
    row->codes = arena_alloc(&s->arena, (s->n_codes + 1) * sizeof *row->codes);
    memset(row->codes, 0, s->n_codes * sizeof *row->codes);
    return row;
}

/* Fewer fields than columns are what Excel writes when the last cells of many rows are empty. */
static void read_row(struct reading *r)
{
    struct sheet *s = r->sheet;
    struct sheet_row *row;

    if (row_is_blank(&r->rows.row))
        return;
    row = add_row(r);
    for (size_t i = s->n_header; i < row->n_fields; i++)
        if (span_trim(row->fields[i]).len > 0) {
            sheet_fault(s, row, "row", "%zu fields under a header of %zu columns", row->n_fields, s->n_header);
            return;
        }
    /* An empty cell takes a code back: half a line must not. */
    if (row->n_fields < s->n_header && r->rows.no_line_end) {
        sheet_fault(s, row, "row", "%zu fields under a header of %zu columns, and no line end: is the file cut off?",
                    row->n_fields, s->n_header);
        return;
    }
    row->n_fields = row->n_fields < s->n_header ? row->n_fields : s->n_header;
    read_ids(s, row);
    struct span coder = cell(s, row, CODING_CODER), judgement = cell(s, row, CODING_JUDGEMENT);
    AT_END(buf_clear) struct buf name = {0};
    struct err why;
    if (coder.len > 0 && (coder_name_check(coder, &name, &why) != ST_OK || !span_eq(buf_span(&name), r->how->coder)))
        sheet_fault(s, row, "coder",
                    "'%.*s': these rows are imported for %.*s only; export each coder's to its own file",
                    SPAN_ARG(coder), SPAN_ARG(r->how->coder));
    row->is_judged = facet_yes_no(s->delimiter, judgement, &row->is_problem);
    if (!row->is_judged && judgement.len > 0)
        sheet_fault(s, row, column_name(s, CODING_JUDGEMENT), "'%.*s': expected yes or no (or true or false, 1 or 0)%s",
                    SPAN_ARG(judgement), leave_empty(judgement));
    for (size_t i = 0; i < s->columns.n; i++) {
        struct span text = s->columns.items[i].kind == CODING_CODE ? cell_at(s, row, i) : SPAN("");
        if (text.len > 0 && !read_list(r, row, i, text))
            read_one_code(r, row, i, span_trim(row->fields[s->places[i]]), text);
    }
    read_time(r, row);
    read_words(s, row);
}

/* --- rows that speak of the same --- */

/* By post and subject, then as in the file. */
static int compare_rows(const void *a, const void *b)
{
    const struct sheet_row *x = *(const struct sheet_row *const *)a, *y = *(const struct sheet_row *const *)b;
    int order = x->post_id != y->post_id           ? (x->post_id < y->post_id ? -1 : 1)
                : x->subject.len != y->subject.len ? (x->subject.len < y->subject.len ? -1 : 1)
                                                   : span_order(x->subject, y->subject);

    return order != 0 ? order : (x > y) - (x < y);
}

static void check_rows(struct sheet *s)
{
    struct sheet_row *judged = NULL;
    AT_END(mem_end) const struct sheet_row **rows = mem_zero(s->n_rows + 1, sizeof(const struct sheet_row *));

    s->order = mem_zero(s->n_rows + 1, sizeof *s->order);
    for (size_t i = 0; i < s->n_rows; i++)
        rows[i] = &s->rows[i];
    qsort(rows, s->n_rows, sizeof(const struct sheet_row *), compare_rows);
    for (size_t i = 0; i < s->n_rows; i++)
        s->order[i] = (size_t)(rows[i] - s->rows);
    for (size_t i = 0; i < s->n_rows; i++) {
        struct sheet_row *row = &s->rows[s->order[i]];
        struct sheet_row *before = i > 0 ? &s->rows[s->order[i - 1]] : NULL;
        if (row->subject.len == 0) /* its id is bad */
            continue;
        if (judged != NULL && judged->post_id != row->post_id)
            judged = NULL;
        /* Which of two rows counts would be nobody's decision, so both are bad. */
        if (before != NULL && before->post_id == row->post_id && span_eq(before->subject, row->subject)) {
            sheet_fault(s, before, "problem_id", "%.*s is in line %zu too", SPAN_ARG(row->subject), row->line);
            sheet_fault(s, row, "problem_id", "%.*s is already in line %zu", SPAN_ARG(row->subject), before->line);
        }
        if (judged != NULL && row->is_judged && judged->is_problem != row->is_problem) {
            sheet_fault(s, judged, column_name(s, CODING_JUDGEMENT), "line %zu says the other of the same post",
                        row->line);
            sheet_fault(s, row, column_name(s, CODING_JUDGEMENT), "line %zu says the other of the same post",
                        judged->line);
        }
        judged = judged == NULL && row->is_judged ? row : judged;
    }
}

/* --- the file --- */

enum { SHEET_ROWS_MAX = 1048576 }; /* as of a workbook */

enum status sheet_read(struct sheet *out, struct span content, const char *name, const struct coding_import_how *how,
                       struct stored_codebook *book, struct err *e)
{
    struct reading r = {.sheet = out, .how = how, .book = book, .e = e};
    size_t n_visible;

    *out = (struct sheet){.name = name};
    coding_columns_make(&out->columns, book->facets);
    enum status status = rows_open(&r.rows, content, name, SHEET_NAME, how->encoding, e);
    out->delimiter = r.rows.csv.delimiter;
    if (status == ST_OK && r.rows.workbook != NULL) {
        struct span sheet = workbook_reader_sheet(r.rows.workbook, &n_visible);
        if (n_visible > 1)
            out->of_several = arena_copy(&out->arena, sheet);
    }
    THEN(status, read_header(&r));
    while (status == ST_OK && (status = rows_next(&r.rows, e)) == ST_OK) {
        if (out->n_rows < SHEET_ROWS_MAX)
            read_row(&r);
        else
            status = err_set(e, ST_INPUT, "%s:%zu: more than %d rows; split the file", name, r.rows.row.number,
                             SHEET_ROWS_MAX);
    }
    status = status == ST_NO ? ST_OK : status;
    out->encoding = r.rows.encoding;
    out->crlf = r.rows.crlf;
    rows_close(&r.rows);
    if (status == ST_OK)
        check_rows(out);
    return status;
}

/* --- bad rows, to be mended --- */

/* The fault comes first, so that a row with too many fields stays as it was behind it. */
static void add_line(const struct sheet *s, struct buf *out, struct span fault, const struct span *fields,
                     size_t n_fields, void (*add)(struct buf *out, struct span s, char delimiter))
{
    add(out, fault, s->delimiter);
    for (size_t i = 0; i < n_fields || i < s->n_header; i++) {
        if (i == s->places[s->columns.at[CODING_ERROR]])
            continue;
        buf_add_char(out, s->delimiter);
        add(out, i < n_fields ? fields[i] : SPAN(""), s->delimiter);
    }
    buf_add_text(out, s->crlf ? "\r\n" : "\n");
}

void sheet_bad_rows(const struct sheet *s, struct buf *out)
{
    if (s->encoding != TEXT_UTF8) /* the spreadsheet that wrote it reads UTF-8 by this mark only */
        buf_add_text(out, "\xef\xbb\xbf");
    add_line(s, out, SPAN("error"), s->header, s->n_header, buf_add_csv_name);
    for (size_t i = 0; i < s->n_rows; i++)
        if (s->rows[i].faults.ptr != NULL)
            add_line(s, out, s->rows[i].faults, s->rows[i].fields, s->rows[i].n_fields, buf_add_csv_with);
}
