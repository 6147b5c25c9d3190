/* foreign: reads the tables of somebody else's study, whatever form they are in. */
#include "label/exchange/foreign_head.h"

#include "base/files.h"
#include "base/log.h"
#include "base/visible.h"
#include "base/zip.h"
#include "label/rows.h"

#include <archive.h>
#include <archive_entry.h>
#include <jansson.h>

enum { CELLS_MAX = 64 << 20, ENTRIES_MAX = 20000, PIECE = 1 << 16, JSON_DEPTH_MAX = 8 };

struct span foreign_cell(const struct foreign_table *t, size_t row, size_t column)
{
    return column < t->n_columns ? t->cells.at[row * t->n_columns + column] : SPAN("");
}

void foreign_clear(struct foreign *f)
{
    for (size_t i = 0; i < f->tables.n; i++) {
        array_clear(&f->tables.at[i].cells);
        array_clear(&f->tables.at[i].lines);
    }
    array_clear(&f->tables);
    text_set_clear(&f->documents);
    arena_clear(&f->arena);
}

/* Rows of before get wider. */
static enum status MUST_USE widen(struct foreign_table *t, size_t n, const char *name, struct err *e)
{
    size_t before = t->n_columns;

    if (n <= before)
        return ST_OK;
    if (n > CELLS_MAX / (t->n_rows + 1))
        return err_set(e, ST_INPUT, "%s: more than %d cells", name, CELLS_MAX);
    array_reserve(&t->cells, t->n_rows * (n - before));
    t->cells.n = t->n_rows * n;
    for (size_t row = t->n_rows; row-- > 0;)
        for (size_t i = n; i-- > 0;)
            t->cells.at[row * n + i] = i < before ? t->cells.at[row * before + i] : SPAN("");
    t->n_columns = n;
    return ST_OK;
}

/* A row of empty cells, at least `n` of them. */
static enum status MUST_USE add_row(struct foreign_table *t, size_t n, size_t line, const char *name, struct err *e)
{
    enum status status = widen(t, n, name, e);

    if (status == ST_OK && t->n_columns > 0 && t->n_rows >= CELLS_MAX / t->n_columns)
        status = err_set(e, ST_INPUT, "%s: more than %d cells", name, CELLS_MAX);
    if (status != ST_OK)
        return status;
    for (size_t i = 0; i < t->n_columns; i++)
        array_add(&t->cells, SPAN(""));
    array_add(&t->lines, line);
    t->n_rows++;
    return ST_OK;
}

/* Trimmed, also of no-break spaces, which spreadsheets leave behind names. */
static struct span cell_of(struct foreign *f, struct span s)
{
    static const struct span wide = {"\xc2\xa0", 2};
    struct span cell = span_trim(s);

    while (span_ends(cell, wide))
        cell = span_trim((struct span){cell.ptr, cell.len - wide.len});
    while (span_starts(cell, wide))
        cell = span_trim(span_after(cell, wide.len));
    f->n_trimmed += cell.len < s.len && cell.len > 0;
    return arena_copy(&f->arena, cell);
}

static struct foreign_table *add_table(struct foreign *f, const char *name, struct span sheet)
{
    const char *slash = strrchr(name, '/');
    AT_END(buf_clear) struct buf full = {0};

    buf_add_clean(&full, span_of(slash != NULL && slash[1] != '\0' ? slash + 1 : name));
    if (sheet.len > 0) {
        buf_add_char(&full, '#');
        buf_add_clean(&full, sheet);
    }
    return array_add(&f->tables, (struct foreign_table){.name = arena_copy(&f->arena, buf_span(&full))});
}

struct foreign_table *foreign_table_named(struct foreign *f, struct span name)
{
    size_t place = array_find(&f->tables, name, name);

    return place < f->tables.n ? &f->tables.at[place] : array_add(&f->tables, (struct foreign_table){.name = name});
}

/* --- rows of CSV and of sheets --- */

static enum status MUST_USE read_rows(struct foreign *f, struct row_reader *r, const char *name, struct span sheet,
                                      struct err *e)
{
    struct foreign_table *t = add_table(f, name, sheet);
    enum status status;

    while ((status = rows_next(r, e)) == ST_OK) {
        if (row_is_blank(&r->row))
            continue;
        status = add_row(t, r->row.n_fields, r->row.number, name, e);
        if (status != ST_OK)
            break;
        struct span *row = &t->cells.at[(t->n_rows - 1) * t->n_columns];
        for (size_t i = 0; i < r->row.n_fields; i++)
            row[i] = cell_of(f, r->row.fields[i]);
    }
    return status == ST_NO ? ST_OK : status;
}

static enum status MUST_USE read_sheets(struct foreign *f, struct span content, const char *name, struct err *e)
{
    enum status status = ST_OK;
    size_t n_sheets = 1;

    for (size_t i = 0; i < n_sheets && status == ST_OK; i++) {
        struct row_reader r;
        AT_END(mem_end) char *sheet = NULL;
        if (i > 0 || workbook_is(content)) {
            struct workbook_reader *first = NULL;
            status = workbook_reader_new(&first, content, name, NULL, e);
            struct span shown = status == ST_OK ? workbook_reader_sheet(first, &n_sheets) : SPAN("");
            if (shown.len > 0)
                sheet = mem_text(workbook_reader_sheet_at(first, i));
            workbook_reader_free(first);
        }
        if (status == ST_OK) {
            status = rows_open(&r, content, name, sheet, NULL, e);
            THEN(status, read_rows(f, &r, name, span_of(sheet), e));
            rows_close(&r);
        }
    }
    return status;
}

/* --- JSON --- */

enum status foreign_put(struct foreign *f, struct foreign_table *t, struct span head, struct span value, struct err *e)
{
    size_t column = span_among(head, t->cells.at, t->n_columns);
    enum status status = ST_OK;

    if (column == t->n_columns && (status = widen(t, column + 1, "JSON", e)) == ST_OK)
        t->cells.at[column] = arena_copy(&f->arena, head);
    if (status == ST_OK)
        t->cells.at[(t->n_rows - 1) * t->n_columns + column] = cell_of(f, value);
    return status;
}

enum status foreign_row(struct foreign_table *t, struct err *e)
{
    enum status status = t->n_rows == 0 ? add_row(t, 0, 0, "JSON", e) : ST_OK; /* the heads */

    return status == ST_OK ? add_row(t, 0, t->n_rows, "JSON", e) : status;
}

static void add_scalar(struct buf *out, const json_t *value)
{
    if (json_is_string(value))
        buf_add(out, json_string_value(value), json_string_length(value));
    else if (json_is_integer(value))
        buf_addf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        buf_addf(out, "%.15g", json_real_value(value));
    else if (json_is_boolean(value))
        buf_add_text(out, json_is_true(value) ? "true" : "false");
}

/* Members of members are columns "a.b"; an array of plain values is one cell, with ';' between them. */
static enum status MUST_USE json_cells(struct foreign *f, struct foreign_table *t, json_t *object, struct span prefix,
                                       int depth, struct err *e)
{
    enum status status = ST_OK;
    const char *key;
    json_t *value, *part;
    size_t i;

    json_object_foreach(object, key, value) {
        AT_END(buf_clear) struct buf head = {0}, text = {0};
        buf_add_span(&head, prefix);
        buf_add_clean(&head, span_of(key));
        if (json_is_object(value) && depth < JSON_DEPTH_MAX) {
            buf_add_char(&head, '.');
            status = json_cells(f, t, value, buf_span(&head), depth + 1, e);
        } else {
            json_array_foreach(value, i, part) {
                buf_add_text(&text, i > 0 ? "; " : "");
                add_scalar(&text, part);
            }
            add_scalar(&text, value);
            status = foreign_put(f, t, buf_span(&head), buf_span(&text), e);
        }
        if (status != ST_OK)
            return status;
    }
    return ST_OK;
}

static enum status MUST_USE json_row(struct foreign *f, struct foreign_table *t, json_t *object, const char *name,
                                     struct err *e)
{
    if (!json_is_object(object))
        return err_set(e, ST_INPUT,
                       "%s: element %zu is not an object; expected an array of objects, or one"
                       " object on each line",
                       name, t->n_rows);
    enum status status = foreign_row(t, e);
    return status == ST_OK ? json_cells(f, t, object, SPAN(""), 0, e) : status;
}

/* The longest array of objects: the document, or a member of it. */
static json_t *rows_of(json_t *document)
{
    json_t *found = document, *value;
    const char *key;

    if (json_is_object(document))
        json_object_foreach(document, key, value)
            if (json_is_array(value) && json_array_size(value) > json_array_size(found) &&
                json_is_object(json_array_get(value, 0)))
                found = value;
    return found;
}

static enum status MUST_USE read_json(struct foreign *f, struct span content, const char *name, struct err *e)
{
    struct foreign_table *t = NULL;
    enum status status = ST_OK;
    json_error_t why;
    size_t at = 0, i;

    while (status == ST_OK && (at == 0 || span_trim(span_after(content, at)).len > 0)) {
        json_t *row, *document = json_loadb(content.ptr + at, content.len - at, JSON_DISABLE_EOF_CHECK, &why);
        if (document == NULL)
            return err_set(e, ST_INPUT, "%s: byte %zu: %s", name, at + (size_t)why.position, why.text);
        at += (size_t)why.position;
        if (json_object_get(document, "%FEATURE_STRUCTURES") != NULL) {
            status = foreign_cas_json(f, document, name, e);
            json_decref(document);
            return status;
        }
        t = t == NULL ? add_table(f, name, SPAN("")) : t;
        json_t *rows = rows_of(document);
        if (!json_is_array(rows))
            status = json_row(f, t, rows, name, e);
        json_array_foreach(rows, i, row)
            THEN(status, json_row(f, t, row, name, e));
        json_decref(document);
    }
    return status;
}

/* --- files --- */

static bool is_table_name(struct span name)
{
    struct span ending = span_after_last(name, '.');

    return ending.len + 1 < name.len && span_is_word(ending, "csv tsv xlsx json jsonl ndjson xmi") &&
           !span_has(name, "__MACOSX/") && !span_has(name, "/~$") && !span_has(name, "exportedproject");
}

enum status foreign_unpack(struct archive *zip, const char *name, size_t *unpacked, struct buf *out, struct err *e)
{
    ssize_t got;

    do {
        buf_reserve(out, PIECE);
        got = archive_read_data(zip, out->ptr + out->len, PIECE);
        out->len += got > 0 ? (size_t)got : 0;
        *unpacked += got > 0 ? (size_t)got : 0;
    } while (got > 0 && *unpacked <= FOREIGN_BYTES_MAX);
    return got == 0
               ? ST_OK
               : err_set(e, ST_INPUT, "%s: damaged, encrypted, or larger than %zu MiB", name, FOREIGN_BYTES_MAX >> 20);
}

/* *is_workbook: reads nothing, since an xlsx file is a zip, too. `annotators`: the zip is of one document and annotator
 * (its name says them), with the types beside. */
static enum status MUST_USE read_zip(struct foreign *f, struct span content, const char *name, bool annotators,
                                     bool *is_workbook, struct err *e)
{
    struct archive *zip = archive_read_new();
    struct archive_entry *entry;
    enum status status = ST_OK;
    size_t left_out = 0, unpacked = 0, n = 0;
    AT_END(buf_clear) struct buf bytes = {0};
    int result;

    archive_read_support_format_zip(zip);
    if (archive_read_open_memory(zip, content.ptr, content.len) != ARCHIVE_OK)
        status = err_set(e, ST_INPUT, "%s: damaged: %s", name, archive_error_string(zip));
    while (status == ST_OK && (result = archive_read_next_header(zip, &entry)) != ARCHIVE_EOF) {
        const char *path = archive_entry_pathname(entry);
        if (result < ARCHIVE_WARN || path == NULL || ++n > ENTRIES_MAX) {
            status = err_set(e, ST_INPUT, "%s: damaged, or more than %d files", name, ENTRIES_MAX);
            break;
        }
        *is_workbook |= strcmp(path, "[Content_Types].xml") == 0;
        if (*is_workbook)
            break;
        struct span file = span_of(path);
        /* INCEpTION puts the XMI of an annotator into a zip of its own, which is named so. */
        bool inner = !annotators && span_ends(file, SPAN(".zip")) &&
                     (span_has(file, "annotation/") || span_has(file, "curation/")),
             no_workbook = false;
        if (!is_table_name(file) && !inner) {
            left_out += archive_entry_filetype(entry) != AE_IFDIR;
            continue;
        }
        buf_reset(&bytes);
        status = foreign_unpack(zip, name, &unpacked, &bytes, e);
        THEN(status, inner ? read_zip(f, buf_span(&bytes), path, true, &no_workbook, e)
                           : foreign_read(f, buf_span(&bytes), annotators ? name : path, e));
    }
    if (left_out > 0 && !*is_workbook && !annotators)
        log_info("%s: left out: %zu files that are not tables", name, left_out);
    archive_read_free(zip);
    return status;
}

enum status foreign_read(struct foreign *f, struct span content, const char *name, struct err *e)
{
    struct span start = span_trim((struct span){content.ptr, content.len < 64 ? content.len : 64});
    bool is_workbook = false;

    if (zip_begins(content)) {
        enum status status = read_zip(f, content, name, false, &is_workbook, e);
        if (status != ST_OK || !is_workbook)
            return status;
    } else if (start.len > 0 && (start.ptr[0] == '[' || start.ptr[0] == '{')) {
        return read_json(f, content, name, e);
    } else if (span_starts(start, SPAN("#FORMAT=WebAnno"))) {
        return foreign_webanno_tsv(f, content, name, e);
    } else if (span_starts(start, SPAN("<?xml")) || span_starts(start, SPAN("<xmi:XMI"))) {
        return foreign_cas_xmi(f, content, name, e);
    }
    return read_sheets(f, content, name, e);
}

/* --- links --- */

static bool number_at(struct span *s, int64_t *number)
{
    size_t n = 0;
    uint64_t value;

    while (n < s->len && s->ptr[n] >= '0' && s->ptr[n] <= '9')
        n++;
    if (!span_u64((struct span){s->ptr, n}, STUDY_ID_MAX, &value) || value == 0)
        return false;
    *number = (int64_t)value;
    *s = (struct span){s->ptr + n, s->len - n};
    return true;
}

/* What comes before the number, in the links of each site; the site's name ends with the path before it. */
static const char paths[] = "/questions/ /q/ /-/issues/ /-/merge_requests/ /issues/ /pull/ /pulls/ /discussions/"
                            " /show_bug.cgi?id= /+/ /c/ /a/ /t/";

static bool url_read(struct arena *arena, struct span rest, struct span *site, int64_t *number)
{
    for (struct span all = SPAN(paths), path; span_cut(&all, ' ', &path);) {
        size_t at = span_find(rest, path);
        if (at == SIZE_MAX || at == 0)
            continue;
        struct span host = {rest.ptr, at}, tail = span_after(rest, at + path.len);
        if (!number_at(&tail, number) || host.len > 120)
            continue;
        size_t change = span_find(host, SPAN("/c/")); /* Gerrit: review.example.org/c/project/+/5 */
        host.len = change != SIZE_MAX ? change : host.len;
        char *name = arena_text(arena, host);
        for (char *p = name; *p != '\0'; p++)
            *p = ascii_lower(*p);
        *site = span_of(strncmp(name, "www.", 4) == 0 ? name + 4 : name);
        return true;
    }
    return false;
}

/* Discourse: "/t/slug/5", the slug of which may be missing. */
static struct span without_slug(struct arena *arena, struct span url)
{
    size_t topic = span_find(url, SPAN("/t/")), end = topic == SIZE_MAX ? url.len : topic + 3;

    while (end < url.len && url.ptr[end] != '/')
        end++;
    if (topic == SIZE_MAX || end + 1 >= url.len || url.ptr[end + 1] < '0' || url.ptr[end + 1] > '9')
        return url;
    return arena_addf(arena, "%.*s%.*s", (int)topic + 2, url.ptr, SPAN_ARG(span_after(url, end)));
}

bool foreign_link(struct arena *arena, struct span text, struct span *site, int64_t *number)
{
    struct span rest = text;
    size_t scheme = span_find(text, SPAN("://")), hash = span_find(text, SPAN("#"));

    if (scheme != SIZE_MAX)
        return url_read(arena, without_slug(arena, span_after(text, scheme + 3)), site, number);
    if (hash != SIZE_MAX) { /* #5, o/r#5, CASS#398 */
        rest = span_after(text, hash + 1);
        struct span before = span_trim((struct span){text.ptr, hash});
        if (span_has(before, "/"))
            *site = arena_addf(arena, "github.com/%.*s", SPAN_ARG(before));
    }
    return number_at(&rest, number) && span_trim(rest).len == 0;
}
