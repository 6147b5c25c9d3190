/* rows: the rows of a table that people made, from a workbook or from CSV. */
#include "label/rows.h"

#include "base/files.h"

#include <jansson.h>
#include <uninorm.h>

/* --- objects, as tools for labelling write them --- */

static int add_piece(const char *bytes, size_t n, void *text)
{
    buf_add(text, bytes, n);
    return 0;
}

static void add_value(struct buf *out, const json_t *value)
{
    AT_END(buf_clear) struct buf text = {0};

    if (json_is_string(value))
        buf_add(&text, json_string_value(value), json_string_length(value));
    else if (value != NULL && !json_is_null(value))
        (void)json_dump_callback(value, add_piece, &text, JSON_ENCODE_ANY | JSON_COMPACT);
    buf_add_csv_raw(out, buf_span(&text));
}

/* The objects of a list, or one after the other, as a list. NULL: it is something else. */
static json_t *read_objects(struct span content, json_error_t *why)
{
    json_t *all = json_array(), *one;
    size_t at = 0;

    while (all != NULL && span_trim(span_after(content, at)).len > 0) {
        one = json_loadb(content.ptr + at, content.len - at, JSON_DISABLE_EOF_CHECK, why);
        at += one != NULL ? (size_t)why->position : 0;
        if (json_is_array(one) ? json_array_extend(all, one) != 0 : json_array_append(all, one) != 0) {
            json_decref(all);
            all = NULL;
        }
        json_decref(one);
    }
    return all;
}

/* A row for each object, with a column for each member that any of them has. */
static enum status MUST_USE open_objects(struct row_reader *r, struct span content, struct err *e)
{
    json_error_t why = {.text = "no object"};
    json_t *all = read_objects(content, &why), *names = json_object(), *object, *value;
    const char *name;
    enum status status = ST_OK;
    size_t i;

    json_array_foreach(all, i, object)
        json_object_update(names, object);
    json_object_foreach(names, name, value) {
        buf_add_text(&r->room, r->room.len > 0 ? "," : "");
        buf_add_csv_name(&r->room, span_of(name), ',');
    }
    json_array_foreach(all, i, object) {
        size_t n = 0;
        buf_add_char(&r->room, '\n');
        json_object_foreach(names, name, value) {
            buf_add_text(&r->room, n++ > 0 ? "," : "");
            add_value(&r->room, json_object_get(object, name));
        }
        if (!json_is_object(object))
            status = err_set(e, ST_INPUT, "%s: element %zu of the list is not an object", r->name, i + 1);
    }
    buf_add_char(&r->room, '\n');
    if (all == NULL)
        status = err_set(e, ST_INPUT, "%s:%d: %s; expected objects, on lines or in a list", r->name, why.line,
                         why.text);
    json_decref(all);
    json_decref(names);
    r->text = buf_span(&r->room);
    csv_open_verbatim(&r->csv, r->text, r->name);
    r->csv.delimiter = ',';
    return status;
}

static enum status MUST_USE open_content(struct row_reader *r, struct span content, const char *sheet,
                                         const char *encoding, struct err *e)
{
    if (workbook_is(content)) {
        r->csv.delimiter = ',';
        return workbook_reader_new(&r->workbook, content, r->name, sheet != NULL ? sheet : "", e);
    }
    enum status status = text_decode(content, encoding, r->name, &r->room, &r->text, &r->encoding, e);
    if (r->text.len == 0)
        r->text = SPAN(""); /* so that there is a pointer, also to nothing */
    if (status != ST_OK)
        return status;
    const char *end = memchr(r->text.ptr, '\n', r->text.len);
    r->crlf = end != NULL && end > r->text.ptr && end[-1] == '\r';
    csv_open(&r->csv, r->text, r->name);
    return ST_OK;
}

enum status rows_open(struct row_reader *r, struct span content, const char *name, const char *sheet,
                      const char *encoding, struct err *e)
{
    struct span start = span_trim((struct span){content.ptr, content.len < 64 ? content.len : 64});

    *r = (struct row_reader){.encoding = TEXT_UTF8_MARKED, .name = name};
    return span_starts(start, SPAN("{")) || span_starts(start, SPAN("[{"))
               ? open_objects(r, content, e)
               : open_content(r, content, sheet, encoding, e);
}

enum status rows_open_file(struct row_reader *r, const char *path, size_t max, const char *sheet, const char *encoding,
                           struct err *e)
{
    bool standard = strcmp(path, "-") == 0;

    *r = (struct row_reader){.encoding = TEXT_UTF8_MARKED, .name = standard ? "standard input" : path};
    enum status status = file_read_named(path, max, &r->content, e);
    return status == ST_OK ? open_content(r, buf_span(&r->content), sheet, encoding, e) : status;
}

enum status rows_next(struct row_reader *r, struct err *e)
{
    if (r->workbook != NULL)
        return workbook_next(r->workbook, &r->row, e);
    enum status status = csv_next(&r->csv, e);
    r->row = (struct workbook_row){r->csv.line, r->csv.fields.at, r->csv.fields.n};
    r->no_line_end = r->csv.no_line_end;
    return status;
}

void rows_close(struct row_reader *r)
{
    workbook_reader_free(r->workbook);
    csv_close(&r->csv);
    buf_clear(&r->room);
    arena_clear(&r->arena);
    buf_clear(&r->content);
}

enum status rows_as_csv(struct span content, const char *name, struct buf *out, struct err *e)
{
    struct row_reader r;
    size_t n = 0;
    enum status status = rows_open(&r, content, name, NULL, NULL, e);

    while (status == ST_OK && (status = rows_next(&r, e)) == ST_OK) {
        n = n > 0 ? n : r.row.n_fields;
        for (size_t i = 0; i < n || i < r.row.n_fields; i++) {
            buf_add_text(out, i > 0 ? "," : "");
            buf_add_csv_raw(out, i < r.row.n_fields ? r.row.fields[i] : SPAN(""));
        }
        buf_add_char(out, '\n');
    }
    rows_close(&r);
    return status == ST_NO ? ST_OK : status;
}

bool row_is_blank(const struct workbook_row *row)
{
    for (size_t i = 0; i < row->n_fields; i++)
        if (span_trim(row->fields[i]).len > 0)
            return false;
    return true;
}

/* --- cells --- */

/* Bytes of the blank that the text begins with: U+00A0, U+2007, U+202F and the mark U+FEFF are blanks too. */
static size_t blank_len(struct span s)
{
    static const char *const wide[] = {"\xc2\xa0", "\xe2\x80\x87", "\xe2\x80\xaf", "\xef\xbb\xbf"};

    for (size_t i = 0; i < ARRAY_LEN(wide); i++)
        if (span_starts(s, span_of(wide[i])))
            return strlen(wide[i]);
    return s.len > 0 && strchr(" \t\r\n\v\f", s.ptr[0]) != NULL && s.ptr[0] != '\0';
}

bool row_name_is(struct span text, const char *name)
{
    size_t at = 0;

    while (text.len > 0) {
        size_t blank = blank_len(text);
        size_t len = blank > 0 ? blank : 1;
        char c = blank > 0 || text.ptr[0] == '-' ? '_' : ascii_lower(text.ptr[0]);
        bool around = blank > 0 && (at == 0 || name[at] == '\0');
        if (!around && name[at++] != c)
            return false;
        text = span_after(text, len);
    }
    return name[at] == '\0';
}

struct span row_plain(struct arena *a, struct span text)
{
    AT_END(buf_clear) struct buf plain = {0};
    size_t wide = 0;

    if (text.len == 0 || (memchr(text.ptr, '\xc2', text.len) == NULL && memchr(text.ptr, '\xe2', text.len) == NULL &&
                          memchr(text.ptr, '\xef', text.len) == NULL))
        return span_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        size_t blank = blank_len(span_after(text, i));
        buf_add_char(&plain, blank > 1 ? ' ' : text.ptr[i]);
        wide += blank > 1;
        i += blank > 1 ? blank - 1 : 0;
    }
    return span_trim(wide > 0 ? arena_copy(a, span_trim(buf_span(&plain))) : text);
}

struct span row_id(struct arena *a, struct span text)
{
    struct span id = row_plain(a, text);
    size_t digits = 0, zeros = 0;

    while (digits < id.len && id.ptr[digits] >= '0' && id.ptr[digits] <= '9')
        digits++;
    while (zeros < 2 && digits + 1 + zeros < id.len && id.ptr[digits + 1 + zeros] == '0')
        zeros++;
    if (zeros > 0 && digits + 1 + zeros == id.len && (id.ptr[digits] == '.' || id.ptr[digits] == ','))
        id.len = digits;
    return id;
}

/* Letters and their marks in one form: programs and keyboards write é as one character or as two. */
struct span rows_cell(struct row_reader *r, size_t place)
{
    size_t i = 0, len = 0;

    if (place >= r->row.n_fields)
        return (struct span){0};
    struct span text = row_plain(&r->arena, r->row.fields[place]);
    while (i < text.len && (unsigned char)text.ptr[i] < 0xcc) /* marks are U+0300 and more */
        i++;
    uint8_t *nfc = i < text.len && utf8_valid_prefix(text) == text.len
                       ? u8_normalize(UNINORM_NFC, (const uint8_t *)text.ptr, text.len, NULL, &len)
                       : NULL;
    if (nfc != NULL && !span_eq(text, (struct span){(char *)nfc, len}))
        text = arena_copy(&r->arena, (struct span){(char *)nfc, len});
    mem_free(nfc); /* libunistring's memory is the C library's, as mem's is */
    return text;
}
