/* id_rows: the ids of a file, whatever it is: words, a table, or JSON. */
#include "base/csv.h"
#include "base/log.h"
#include "label/id_list.h"
#include "label/label.h"
#include "label/rows.h"

#include <inttypes.h>
#include <jansson.h>

enum { SHOWN_MAX = 60 };

static const char *const id_columns[] = {"problem_id", "post_id", "question_id", "url", "link", "id"};

struct listing {
    const char *path;
    const char *cell;
    enum status (*take)(void *ctx, const struct id_row *row, struct err *e);
    void *ctx;
    struct arena arena;
    uint64_t n;
    bool several; /* in a line */
};

/* --- one id --- */

static bool skip_text(struct span *s, const char *text)
{
    if (!span_starts(*s, span_of(text)))
        return false;
    *s = span_after(*s, strlen(text));
    return true;
}

static struct span digits(struct span s)
{
    size_t n = 0;

    while (n < s.len && s.ptr[n] >= '0' && s.ptr[n] <= '9')
        n++;
    return (struct span){s.ptr, n};
}

/* "https://stackoverflow.com/questions/5/title#6" is the answer 6. Only a study knows ids in other sites' links. */
static struct span link_id(struct span s)
{
    static const char *const begin[] = {"https://", "http://", "www."};

    for (size_t i = 0; i < ARRAY_LEN(begin); i++)
        skip_text(&s, begin[i]);
    if (!skip_text(&s, "stackoverflow.com/") ||
        !(skip_text(&s, "questions/") || skip_text(&s, "q/") || skip_text(&s, "a/")))
        return (struct span){0};
    struct span id = digits(s);
    size_t at = span_find(s, SPAN("#"));
    struct span part = at != SIZE_MAX ? span_after(s, at + 1) : (struct span){0};
    bool whole = id.len == s.len || strchr("/?#", s.ptr[id.len]) != NULL;
    if (part.len > 0 && digits(part).len == part.len)
        id = part;
    return whole ? id : (struct span){0};
}

static enum status MUST_USE take_id(struct listing *l, struct span text, struct id_row *row, struct err *e)
{
    struct span link = link_id(text);

    row->id = row_id(&l->arena, link.len > 0 ? link : text);
    if (span_is_digits(row->id) && !problem_id_read(row->id, &row->post_id) && row->id.ptr[0] != '0')
        return err_set(e, ST_INPUT, "%s:%zu: the id %.*s is too large: the largest is %" PRId64, l->path, row->line,
                       (int)(row->id.len < SHOWN_MAX ? row->id.len : SHOWN_MAX), row->id.ptr, STUDY_ID_MAX);
    if (!problem_id_read(row->id, &row->post_id))
        return err_set(e, ST_INPUT,
                       "%s:%zu: '%.*s': expected the id of a post or problem, such as 65160023 or"
                       " 65160023_1, or a link to it; a table names the column: post_id",
                       l->path, row->line, (int)(text.len < SHOWN_MAX ? text.len : SHOWN_MAX),
                       text.len > 0 ? text.ptr : "");
    l->n++;
    return l->take(l->ctx, row, e);
}

/* --- tables --- */

static size_t find_column(const struct workbook_row *row, const char *name)
{
    for (size_t i = 0; i < row->n_fields; i++)
        if (row_name_is(row->fields[i], name))
            return i;
    return SIZE_MAX;
}

/* SIZE_MAX: it is not a header. */
static size_t id_column(const struct workbook_row *row)
{
    size_t column = SIZE_MAX;

    for (size_t i = 0; i < ARRAY_LEN(id_columns) && column == SIZE_MAX; i++)
        column = find_column(row, id_columns[i]);
    return column;
}

static bool is_comment(const struct workbook_row *row)
{
    return row_is_blank(row) || span_starts(row->fields[0], SPAN("#"));
}

/* A workbook may have no header: then all of its cells are ids. */
static enum status MUST_USE read_table(struct listing *l, struct row_reader *rows, struct err *e)
{
    const struct workbook_row *row = &rows->row;
    size_t ids = SIZE_MAX, coders = SIZE_MAX, cell = SIZE_MAX;
    bool first = true;
    enum status status;

    while ((status = rows_next(rows, e)) == ST_OK) {
        if (is_comment(row))
            continue;
        if (first && (ids = id_column(row)) != SIZE_MAX) {
            coders = find_column(row, "coders");
            cell = l->cell != NULL ? find_column(row, l->cell) : SIZE_MAX;
            first = false;
            continue;
        }
        first = false;
        /* clang-format off */
        struct id_row id = {.line = row->number, .delimiter = rows->csv.delimiter, .has_coders = coders != SIZE_MAX, .has_cell = cell != SIZE_MAX,
                            .coders = rows_cell(rows, coders), .cell = rows_cell(rows, cell)};
        /* clang-format on */
        for (size_t i = 0; i < row->n_fields && ids == SIZE_MAX && status == ST_OK; i++)
            status = row->fields[i].len > 0 ? take_id(l, row->fields[i], &id, e) : ST_OK;
        if (ids != SIZE_MAX)
            status = take_id(l, rows_cell(rows, ids), &id, e);
        if (status != ST_OK)
            return status;
    }
    return status == ST_NO ? ST_OK : status;
}

/* --- words --- */

/* The next word of a line; a comment ends it. */
static bool next_word(struct span *line, struct span *word)
{
    static const struct span between = {" \t\r,;|", 6};
    size_t n = 0;

    while (line->len > 0 && memchr(between.ptr, line->ptr[0], between.len) != NULL)
        *line = span_after(*line, 1);
    while (n < line->len && memchr(between.ptr, line->ptr[n], between.len) == NULL)
        n++;
    *word = (struct span){line->ptr, n};
    *line = span_after(*line, n);
    return n > 0 && word->ptr[0] != '#';
}

/* Of "65160023, by ann": passes over the words after the id. An id among them is refused: nobody could say what it is. */
static enum status MUST_USE pass_columns(const struct listing *l, struct span rest, size_t line, struct err *e)
{
    while (rest.len > 0) {
        size_t n = 0;
        int64_t post_id;
        while (n < rest.len && (rest.ptr[n] == '\0' || strchr(",;\t|", rest.ptr[n]) == NULL))
            n++;
        if (problem_id_read(span_trim((struct span){rest.ptr, n}), &post_id))
            return err_set(e, ST_INPUT,
                           "%s:%zu: an id, words, and what could be one more id; write a first line that"
                           " names the columns, such as post_id,title",
                           l->path, line);
        rest = span_after(rest, n < rest.len ? n + 1 : n);
    }
    return ST_OK;
}

/* Of a table as text, or as Markdown, in which a name is "post\_id". */
static bool is_text_header(struct span word)
{
    size_t slash = span_find(word, SPAN("\\_"));
    AT_END(buf_clear) struct buf plain = {0};

    buf_add(&plain, word.ptr, slash != SIZE_MAX ? slash : word.len);
    if (slash != SIZE_MAX)
        buf_add_span(&plain, span_after(word, slash + 1));
    return row_name_is(buf_span(&plain), "problem_id") || row_name_is(buf_span(&plain), "post_id");
}

static enum status MUST_USE read_words(struct listing *l, struct span rest, struct err *e)
{
    enum status status = ST_OK;
    bool header = false, begun = false;
    struct span line, word;

    for (size_t n = 1; status == ST_OK && span_cut(&rest, '\n', &line); n++) {
        struct id_row row = {.line = n};
        uint64_t before = l->n;
        bool rule = span_starts(line, SPAN("|--"));
        while (status == ST_OK && !rule && next_word(&line, &word)) {
            bool names = !begun && is_text_header(word);
            header |= names;
            begun = true;
            bool words = l->n > before && digits(word).len == 0 && !span_has(word, ":");
            if (words)
                status = pass_columns(l, line, n, e);
            else if (!names)
                status = take_id(l, word, &row, e);
            if (header || words) /* the other columns */
                break;
        }
        l->several |= l->n > before + 1;
    }
    return status;
}

/* --- JSON: a list, or an object on each line --- */

static enum status MUST_USE take_json(struct listing *l, const json_t *value, size_t line, struct err *e)
{
    struct id_row row = {.line = line};
    const json_t *rows = json_object_get(value, "rows"), *one;
    const char *id = json_string_value(json_object_get(value, "id"));
    enum status status = ST_OK;
    char number[24];
    size_t n;

    if (json_is_array(rows) && id != NULL) { /* a table of a report; "rows" says what was read for it */
        json_array_foreach(rows, n, one)
            if (strcmp(id, "rows") != 0 && status == ST_OK)
                status = take_json(l, one, line, e);
        return status;
    }
    for (size_t i = 0; json_is_object(value) && i < ARRAY_LEN(id_columns); i++) {
        const json_t *member = json_object_get(value, id_columns[i]);
        if (member != NULL) {
            value = member;
            break;
        }
    }
    if (json_is_integer(value)) {
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return take_id(l, span_of(number), &row, e);
    }
    if (json_is_string(value))
        return take_id(l, (struct span){json_string_value(value), json_string_length(value)}, &row, e);
    return err_set(e, ST_INPUT, "%s:%zu: expected an id, or an object with a member post_id", l->path, line);
}

static enum status MUST_USE read_value(struct listing *l, struct span text, size_t line, struct err *e)
{
    json_error_t why;
    json_t *root = json_loadb(text.ptr, text.len, 0, &why);
    enum status status = ST_OK;

    if (root == NULL)
        return err_set(e, ST_INPUT, "%s:%zu: %s", l->path, line + (size_t)(why.line > 0 ? why.line - 1 : 0), why.text);
    if (json_is_array(root))
        for (size_t i = 0; i < json_array_size(root) && status == ST_OK; i++)
            status = take_json(l, json_array_get(root, i), line, e);
    else
        status = take_json(l, root, line, e);
    json_decref(root);
    return status;
}

/* --- files --- */

/* What is not CSV has no header. */
static bool has_header(struct span text)
{
    struct csv_reader csv;
    struct workbook_row row = {0};
    struct err ignored;

    csv_open(&csv, text, "");
    do {
        if (csv_next(&csv, &ignored) != ST_OK)
            break;
        row = (struct workbook_row){1, csv.fields.at, csv.fields.n};
    } while (is_comment(&row));
    bool found = id_column(&row) != SIZE_MAX;
    csv_close(&csv);
    return found;
}

enum status id_rows_each(const char *path, const char *encoding, const char *cell,
                         enum status (*take)(void *ctx, const struct id_row *row, struct err *e), void *ctx,
                         struct err *e)
{
    struct listing l = {.path = path, .cell = cell, .take = take, .ctx = ctx};
    struct row_reader rows;
    enum status status = rows_open_file(&rows, path, ROWS_FILE_MAX, NULL, encoding, e);

    struct span text = span_trim(rows.text), line;
    if (status == ST_OK && (rows.workbook != NULL || has_header(rows.text)))
        status = read_table(&l, &rows, e);
    else if (status == ST_OK && span_starts(text, SPAN("[")))
        status = read_value(&l, text, 1, e);
    else if (status == ST_OK && !span_starts(text, SPAN("{")))
        status = read_words(&l, rows.text, e);
    else
        for (size_t n = 1; status == ST_OK && span_cut(&text, '\n', &line); n++)
            status = span_trim(line).len > 0 ? read_value(&l, line, n, e) : ST_OK;
    if (status == ST_OK && l.n == 0)
        status = err_set(e, ST_INPUT, "%s: no id in it", path);
    if (status == ST_OK && l.several)
        log_info("%s: several ids on a line; all are taken, %zu in all", path, (size_t)l.n);
    rows_close(&rows);
    arena_clear(&l.arena);
    return status;
}
