/* workbook_reader: the rows of one sheet of an xlsx file (ECMA-376), which is XML parts in a zip file. */
#include "label/workbook_reader.h"

#include "base/csv.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/zip.h"

#include <math.h>
#include <time.h>

#include <archive.h>
#include <archive_entry.h>
#include <libxml/xmlreader.h>

enum {
    PARTS_MAX = 256 << 20,   /* bytes that are unpacked, of all parts that are read */
    ENTRIES_MAX = 10000,     /* of the zip file */
    ROWS_MAX = 1048576,      /* of a sheet */
    COLUMNS_MAX = 1024,      /* a sheet can have 16384: a sheet of codings has some ten */
    FIELDS_MAX = 16 << 20,   /* of all rows, empty ones too */
    DATE_SHIFT = 25569,      /* 1970-01-01 as spreadsheets count days from 1899-12-30 */
    DATE_SHIFT_1904 = 24107, /* and from 1904-01-01 */
    SECONDS_A_DAY = 86400
};

static const char TOO_MUCH[] = "too much";

enum cell_type {
    CELL_NUMBER,
    CELL_SHARED, /* the number of a shared string */
    CELL_TEXT,   /* the result of a formula */
    CELL_INLINE,
    CELL_TRUTH,
    CELL_ERROR,
    CELL_DATE,
};

static const char *const cell_types[] = {
    [CELL_NUMBER] = "n", [CELL_SHARED] = "s", [CELL_TEXT] = "str", [CELL_INLINE] = "inlineStr",
    [CELL_TRUTH] = "b",  [CELL_ERROR] = "e",  [CELL_DATE] = "d"};

/* A part while it is unpacked and parsed; it stays where it is. */
struct part {
    char *path;
    struct workbook_reader *reader;
    struct archive *zip;
    const char *failed; /* why it cannot be unpacked further */
    xmlTextReaderPtr xml;
};

struct relation {
    struct span id, type, target;
    bool external;
};

struct relations ARRAY_OF(struct relation);

struct sheet_entry {
    struct span name, id;
    bool hidden;
};

struct cell {
    size_t column;
    enum cell_type type;
    size_t style;
};

struct workbook_reader {
    struct span content;
    const char *name;
    enum status status; /* the first fault: then nothing more is read */
    struct err *e;      /* of the call */
    size_t unpacked;    /* bytes so far */
    struct arena arena;
    struct relations relations; /* of the workbook */
    struct ARRAY_OF(struct sheet_entry) sheets;
    size_t n_visible;
    struct span sheet_name;
    struct ARRAY_OF(struct span) strings; /* the shared ones */
    struct ARRAY_OF(uint64_t) date_formats;
    struct ARRAY_OF(bool) date_styles; /* by number of style */
    bool from_1904;
    struct part part;   /* the sheet */
    size_t row, column; /* of the next cell, where it does not say */
    size_t n_all_fields, n_merged;
    struct ARRAY_OF(struct span) fields;
    struct arena row_arena;
    struct buf value, formula;
};

static void damaged(struct workbook_reader *r, const char *path, const char *what)
{
    AT_END(buf_clear) struct buf safe = {0};

    if (r->status != ST_OK)
        return;
    buf_add_clean(&safe, span_of(path));
    r->status = err_set(r->e, ST_INPUT, "%s: %s: %s; save the workbook again, or save the sheet as CSV", r->name,
                        buf_cstr(&safe), what);
}

bool workbook_is(struct span content)
{
    return zip_begins(content) || span_starts(content, SPAN("\xd0\xcf\x11\xe0"));
}

/* --- the zip file --- */

/* For libxml2; -1: it failed. */
static int unpack(void *part, char *bytes, int size)
{
    struct part *p = part;
    ssize_t got = archive_read_data(p->zip, bytes, (size_t)size);

    if (got < 0)
        p->failed = "this part of the file is damaged or encrypted";
    else if ((p->reader->unpacked += (size_t)got) > PARTS_MAX)
        p->failed = TOO_MUCH;
    return p->failed != NULL ? -1 : (int)got;
}

/* False where there is no such part. */
static bool find_part(struct part *p)
{
    struct archive_entry *entry;
    int result = ARCHIVE_OK;

    for (size_t n = 0; n < ENTRIES_MAX; n++) {
        result = archive_read_next_header(p->zip, &entry);
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN && result != ARCHIVE_EOF)
            damaged(p->reader, p->path, "the zip file is damaged");
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
            return false;
        const char *found = archive_entry_pathname(entry);
        if (found != NULL && strcmp(found, p->path) == 0)
            return true;
    }
    damaged(p->reader, p->path, "the zip file has too many parts");
    return false;
}

/* --- XML --- */

static void part_close(struct part *p)
{
    xmlFreeTextReader(p->xml);
    archive_read_free(p->zip);
    mem_free(p->path);
    *p = (struct part){0};
}

/* Where there is no such part, it is empty: its xml is NULL. */
static void part_open(struct workbook_reader *r, struct part *p, const char *path)
{
    *p = (struct part){.path = mem_text(span_of(path)), .reader = r, .zip = archive_read_new()};
    if (p->zip == NULL)
        mem_lacking(1);
    archive_read_support_format_zip_seekable(p->zip);
    if (archive_read_open_memory(p->zip, r->content.ptr, r->content.len) != ARCHIVE_OK)
        damaged(r, path, "the zip file is damaged");
    if (r->status != ST_OK || !find_part(p))
        return;
    p->xml = xmlReaderForIO(unpack, NULL, p, NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (p->xml == NULL)
        damaged(r, path, p->failed != NULL ? p->failed : "cannot be read");
}

/* The next start, text or end; false at the end and after a fault: also a DTD, which could define entities. */
static bool part_next(struct workbook_reader *r, const struct part *p, int *type)
{
    int result = r->status == ST_OK && p->xml != NULL ? xmlTextReaderRead(p->xml) : 0;

    if (p->failed == TOO_MUCH && r->status == ST_OK)
        r->status = err_set(r->e, ST_INPUT, "%s: unpacks to more than %d MiB; save the sheet as CSV", r->name,
                            PARTS_MAX >> 20);
    else if (p->failed != NULL)
        damaged(r, p->path, p->failed);
    else if (result < 0)
        damaged(r, p->path, "no well-formed XML");
    if (r->status != ST_OK || result == 0)
        return false;
    *type = xmlTextReaderNodeType(p->xml);
    if (*type == XML_READER_TYPE_DOCUMENT_TYPE || *type == XML_READER_TYPE_ENTITY_REFERENCE)
        damaged(r, p->path, "has a DTD, which workbooks do not have");
    return r->status == ST_OK;
}

static bool is_named(const struct part *p, const char *name)
{
    const xmlChar *found = xmlTextReaderConstLocalName(p->xml);

    return found != NULL && strcmp((const char *)found, name) == 0;
}

static bool starts(const struct part *p, int type, const char *name)
{
    return type == XML_READER_TYPE_ELEMENT && is_named(p, name);
}

/* Ends here: also <name/>. */
static bool ends(const struct part *p, int type, const char *name)
{
    return (type == XML_READER_TYPE_END_ELEMENT ||
            (type == XML_READER_TYPE_ELEMENT && xmlTextReaderIsEmptyElement(p->xml) == 1)) &&
           is_named(p, name);
}

static bool is_text(int type)
{
    return type == XML_READER_TYPE_TEXT || type == XML_READER_TYPE_CDATA ||
           type == XML_READER_TYPE_SIGNIFICANT_WHITESPACE || type == XML_READER_TYPE_WHITESPACE;
}

/* An attribute by its name without prefix; ptr NULL when it is missing. It lives until the next node. */
static struct span attribute(const struct part *p, const char *name)
{
    struct span value = {0};

    while (value.ptr == NULL && xmlTextReaderMoveToNextAttribute(p->xml) == 1)
        if (is_named(p, name))
            value = span_of((const char *)xmlTextReaderConstValue(p->xml));
    xmlTextReaderMoveToElement(p->xml);
    return value;
}

static struct span keep_attribute(struct workbook_reader *r, const struct part *p, const char *name)
{
    struct span value = attribute(p, name);

    return value.ptr != NULL ? arena_copy(&r->arena, value) : value;
}

/* Collects the text of elements `t`, but for those of phonetic hints. */
struct string_reader {
    bool in_text;
    size_t hints; /* open ones */
};

static void read_string(const struct part *p, int type, struct string_reader *s, struct buf *out)
{
    bool empty = type == XML_READER_TYPE_ELEMENT && xmlTextReaderIsEmptyElement(p->xml) == 1;

    if (is_text(type) && s->in_text && s->hints == 0)
        buf_add_text(out, (const char *)xmlTextReaderConstValue(p->xml));
    else if (starts(p, type, "t"))
        s->in_text = !empty;
    else if (ends(p, type, "t"))
        s->in_text = false;
    else if (starts(p, type, "rPh") && !empty)
        s->hints++;
    else if (ends(p, type, "rPh") && !empty && s->hints > 0)
        s->hints--;
}

/* --- relations: which part is which --- */

static void read_relations(struct workbook_reader *r, const char *path, struct relations *out)
{
    struct part p;
    int type;

    for (part_open(r, &p, path); part_next(r, &p, &type);)
        if (starts(&p, type, "Relationship")) {
            struct span mode = attribute(&p, "TargetMode");
            array_add(out, (struct relation){.id = keep_attribute(r, &p, "Id"),
                                             .type = keep_attribute(r, &p, "Type"),
                                             .target = keep_attribute(r, &p, "Target"),
                                             .external = span_eq(mode, SPAN("External"))});
        }
    part_close(&p);
}

/* By the last part of the type: "…/relationships/worksheet". Two dialects have two beginnings. */
static bool is_type(const struct relation *relation, const char *last)
{
    struct span type = relation->type, end = span_of(last);

    return type.len > end.len && type.ptr[type.len - end.len - 1] == '/' && span_ends(type, end);
}

static const struct relation *find_type(const struct relations *list, const char *last)
{
    for (size_t i = 0; i < list->n; i++)
        if (is_type(&list->at[i], last))
            return &list->at[i];
    return NULL;
}

/* The path of a part from a part in `folder` ("xl/"); NULL: a fault. */
static const char *part_path(struct workbook_reader *r, const char *folder, const struct relation *relation)
{
    struct span target = relation->target;

    if (relation->external || target.len == 0 || span_has(target, "..")) {
        damaged(r, *folder != '\0' ? folder : "_rels/.rels", "refers to another file");
        return NULL;
    }
    if (target.ptr[0] == '/')
        return arena_text(&r->arena, span_after(target, 1));
    return arena_addf(&r->arena, "%s%.*s", folder, SPAN_ARG(target)).ptr;
}

/* --- the workbook: its sheets, and how it counts days --- */

static bool is_true(struct span value)
{
    return span_eq(value, SPAN("1")) || span_eq(value, SPAN("true"));
}

static void read_workbook(struct workbook_reader *r, const char *path)
{
    struct part p;
    int type;

    for (part_open(r, &p, path); part_next(r, &p, &type);)
        if (starts(&p, type, "workbookPr")) {
            r->from_1904 = is_true(attribute(&p, "date1904"));
        } else if (starts(&p, type, "sheet")) {
            struct span state = attribute(&p, "state");
            bool hidden = state.ptr != NULL && !span_eq(state, SPAN("visible"));
            array_add(&r->sheets, (struct sheet_entry){.name = keep_attribute(r, &p, "name"),
                                                       .id = keep_attribute(r, &p, "id"),
                                                       .hidden = hidden});
        }
    part_close(&p);
    if (r->sheets.n == 0)
        damaged(r, path, "has no sheet");
}

static const struct relation *sheet_relation(const struct workbook_reader *r, const struct sheet_entry *sheet)
{
    for (size_t i = 0; i < r->relations.n; i++)
        if (span_eq(r->relations.at[i].id, sheet->id) && is_type(&r->relations.at[i], "worksheet"))
            return &r->relations.at[i];
    return NULL;
}

/* --- shared strings --- */

static int escaped(struct span s)
{
    int value = 0;

    if (s.len < 7 || s.ptr[0] != '_' || s.ptr[1] != 'x' || s.ptr[6] != '_')
        return -1;
    for (size_t i = 2; i < 6; i++) {
        int digit = hex_digit(s.ptr[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* "_x000D_" is the character that XML cannot have, or "_x005F_" the underscore of such a text. */
static void unescape(struct buf *text, size_t start)
{
    size_t to = start;

    for (size_t i = start; i < text->len;) {
        int value = escaped((struct span){text->ptr + i, text->len - i});
        char bytes[4];
        size_t len = value > 0 ? utf8_put((uint32_t)value, bytes) : 0;
        if (len == 0) {
            text->ptr[to++] = text->ptr[i++];
            continue;
        }
        memcpy(text->ptr + to, bytes, len);
        to += len;
        i += 7;
    }
    text->len = to;
}

static void read_strings(struct workbook_reader *r, const char *path)
{
    struct string_reader string = {.in_text = false};
    struct buf *text = &r->value;
    struct part p;
    int type;

    buf_reset(text);
    for (part_open(r, &p, path); part_next(r, &p, &type);) {
        read_string(&p, type, &string, text);
        if (!ends(&p, type, "si"))
            continue;
        unescape(text, 0);
        array_add(&r->strings, arena_copy(&r->arena, buf_span(text)));
        buf_reset(text);
    }
    part_close(&p);
}

/* --- styles: which numbers are dates --- */

/* A format with a letter of dates outside of quotes, brackets and escapes. */
static bool is_date_format(struct span code)
{
    for (size_t i = 0; i < code.len; i++) {
        char c = code.ptr[i], end = c == '"' ? '"' : c == '[' ? ']' : '\0';
        if (end != '\0') {
            while (++i < code.len && code.ptr[i] != end)
                continue;
        } else if (c == '\\' || c == '_' || c == '*') {
            i++;
        } else if (strchr("dDmMyYhHsS", c) != NULL && c != '\0') {
            return true;
        }
    }
    return false;
}

static uint64_t number_of(struct span value)
{
    uint64_t number = 0;

    return span_u64(value, UINT32_MAX, &number) ? number : 0;
}

static void read_styles(struct workbook_reader *r, const char *path)
{
    struct part p;
    bool in_cells = false;
    int type;

    for (part_open(r, &p, path); part_next(r, &p, &type);) {
        if (starts(&p, type, "numFmt") && is_date_format(attribute(&p, "formatCode")))
            array_add(&r->date_formats, number_of(attribute(&p, "numFmtId")));
        if (starts(&p, type, "cellXfs"))
            in_cells = true;
        if (in_cells && starts(&p, type, "xf")) {
            /* Those from 14 to 22 and from 45 to 47 every workbook has: ECMA-376 part 1, 18.8.30. */
            uint64_t format = number_of(attribute(&p, "numFmtId"));
            bool is_date = (format >= 14 && format <= 22) || (format >= 45 && format <= 47);
            for (size_t i = 0; i < r->date_formats.n && !is_date; i++)
                is_date = r->date_formats.at[i] == format;
            array_add(&r->date_styles, is_date);
        }
        if (ends(&p, type, "cellXfs"))
            in_cells = false;
    }
    part_close(&p);
}

/* --- opening --- */

static void read_if_there(struct workbook_reader *r, const char *folder, const char *type,
                          void (*read)(struct workbook_reader *r, const char *path))
{
    const struct relation *relation = find_type(&r->relations, type);
    const char *path = relation != NULL ? part_path(r, folder, relation) : NULL;

    if (path != NULL)
        read(r, path);
}

/* "xl/workbook.xml" is in "xl/", and its relations in "xl/_rels/workbook.xml.rels". */
static void open_workbook(struct workbook_reader *r, const char *path, const char *wanted)
{
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    const char *folder = arena_text(&r->arena, (struct span){path, (size_t)(file - path)});
    const struct relation *chosen = NULL;

    read_relations(r, arena_addf(&r->arena, "%s_rels/%s.rels", folder, file).ptr, &r->relations);
    read_workbook(r, path);
    read_if_there(r, folder, "sharedStrings", read_strings);
    read_if_there(r, folder, "styles", read_styles);
    for (size_t i = 0; i < r->sheets.n; i++) {
        const struct sheet_entry *sheet = &r->sheets.at[i];
        const struct relation *relation = sheet_relation(r, sheet);
        if (sheet->hidden || relation == NULL || (r->n_visible++ > 0 && !span_eq(sheet->name, span_of(wanted))))
            continue;
        chosen = relation;
        r->sheet_name = sheet->name;
    }
    if (r->status == ST_OK && chosen == NULL)
        r->status = err_set(r->e, ST_INPUT, "%s: no sheet of cells is visible", r->name);
    const char *found = r->status == ST_OK && chosen != NULL ? part_path(r, folder, chosen) : NULL;
    if (found == NULL)
        return;
    part_open(r, &r->part, found);
    if (r->part.xml == NULL)
        damaged(r, found, "is missing");
}

enum status workbook_reader_new(struct workbook_reader **out, struct span content, const char *name, const char *sheet,
                                struct err *e)
{
    struct workbook_reader *r = *out = mem_zero(1, sizeof *r);
    AT_END(array_end) struct relations top = {0};

    r->content = content;
    r->name = name;
    r->e = e;
    if (!span_starts(content, SPAN("PK")))
        return r->status = err_set(e, ST_INPUT,
                                   "%s: a workbook in the old form (xls), or protected by a password;"
                                   " save it as xlsx without one, or the sheet as CSV",
                                   name);
    read_relations(r, "_rels/.rels", &top);
    const struct relation *main = find_type(&top, "officeDocument");
    const char *path = main != NULL ? part_path(r, "", main) : NULL;
    if (path != NULL)
        open_workbook(r, path, sheet);
    else if (r->status == ST_OK)
        r->status = err_set(e, ST_INPUT, "%s: a zip file, but no xlsx workbook; save the sheet as xlsx or CSV", name);
    return r->status;
}

void workbook_reader_free(struct workbook_reader *r)
{
    if (r == NULL)
        return;
    part_close(&r->part);
    array_clear(&r->relations);
    array_clear(&r->sheets);
    array_clear(&r->strings);
    array_clear(&r->date_formats);
    array_clear(&r->date_styles);
    array_clear(&r->fields);
    arena_clear(&r->arena);
    arena_clear(&r->row_arena);
    buf_clear(&r->value);
    buf_clear(&r->formula);
    mem_free(r);
}

struct span workbook_reader_sheet(const struct workbook_reader *r, size_t *n_visible)
{
    *n_visible = r->n_visible;
    return r->sheet_name;
}

/* --- cells --- */

static void bad_cell(struct workbook_reader *r, const struct cell *c, const char *what)
{
    r->status = err_set(r->e, ST_INPUT, "%s:%zu: column %zu: %s; save the workbook again, or save the sheet as CSV",
                        r->name, r->row, c->column + 1, what);
}

/* To the millisecond; false for what is not a day from 1900 to 9999. */
static bool add_date(const struct workbook_reader *r, double serial, struct buf *out)
{
    enum { MILLISECONDS = 1000 };
    int64_t shift = r->from_1904 ? DATE_SHIFT_1904 : DATE_SHIFT;
    struct tm tm;
    char text[32];

    if (!(serial >= (r->from_1904 ? 0 : 61) && serial < 2957004))
        return false;
    int64_t all = llround(serial * SECONDS_A_DAY * MILLISECONDS);
    bool is_time = all % ((int64_t)SECONDS_A_DAY * MILLISECONDS) > 0;
    time_t seconds = all / MILLISECONDS - shift * SECONDS_A_DAY;
    gmtime_r(&seconds, &tm);
    strftime(text, sizeof text, is_time ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%d", &tm);
    buf_add_text(out, text);
    if (is_time)
        buf_addf(out, ".%03dZ", (int)(all % MILLISECONDS));
    return true;
}

/* 17 digits tell a number apart from any other, and fewer do where they give the same one. */
static void add_number(struct buf *out, double value)
{
    char text[32];

    if (fabs(value) < 9007199254740992.0 && value == trunc(value)) {
        buf_addf(out, "%.0f", value == 0 ? 0 : value);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    buf_add_text(out, text);
}

/* Makes what is in r->value the text of the cell. Of a number that was never computed it is the formula. */
static void cell_text(struct workbook_reader *r, const struct cell *c)
{
    const char *text = buf_cstr(&r->value);
    uint64_t index;
    double number;
    char *end;

    switch (c->type) {
    case CELL_NUMBER: /* as in XML: "65160023", "6.5160023E7", "0.1" */
        number = strtod(text, &end);
        if (r->value.len == 0) {
            buf_add_char(&r->value, '=');
            buf_add_span(&r->value, buf_span(&r->formula));
        } else if (strspn(text, "0123456789.eE+-") != r->value.len || *end != '\0' || !isfinite(number)) {
            bad_cell(r, c, "no number, though it says that it is one");
        } else {
            buf_reset(&r->value);
            if (c->style >= r->date_styles.n || !r->date_styles.at[c->style] || !add_date(r, number, &r->value))
                add_number(&r->value, number);
        }
        break;
    case CELL_SHARED:
        if (!span_u64(buf_span(&r->value), UINT32_MAX, &index) || index >= r->strings.n)
            bad_cell(r, c, "refers to a text that the workbook does not have");
        else
            buf_set(&r->value, r->strings.at[index]);
        break;
    case CELL_TRUTH:
        buf_set(&r->value, is_true(buf_span(&r->value)) ? SPAN("true") : SPAN("false"));
        break;
    default:
        unescape(&r->value, 0);
    }
}

/* "XFD1048576": the letters; false when they are none. */
static bool read_column(struct span place, size_t *column)
{
    size_t n = 0, i = 0;

    for (; i < place.len && place.ptr[i] >= 'A' && place.ptr[i] <= 'Z' && n <= COLUMNS_MAX; i++)
        n = n * 26 + (size_t)(place.ptr[i] - 'A') + 1;
    *column = n - 1;
    return i > 0;
}

static void begin_cell(struct workbook_reader *r, struct cell *c)
{
    struct span place = attribute(&r->part, "r"), type;
    size_t kind = CELL_NUMBER;

    *c = (struct cell){.column = r->column};
    if (place.ptr != NULL && (!read_column(place, &c->column) || c->column < r->column)) {
        damaged(r, r->part.path, "its cells are out of order");
        return;
    }
    r->column = c->column + 1;
    c->style = (size_t)number_of(attribute(&r->part, "s"));
    type = attribute(&r->part, "t");
    while (type.ptr != NULL && kind < ARRAY_LEN(cell_types) && !span_eq(type, span_of(cell_types[kind])))
        kind++;
    if (c->column >= COLUMNS_MAX)
        bad_cell(r, c, "too far to the right; delete the empty columns before it");
    else if (kind == ARRAY_LEN(cell_types))
        bad_cell(r, c, "a cell of a type that workbooks do not have");
    c->type = (enum cell_type)kind;
    buf_reset(&r->value);
    buf_reset(&r->formula);
}

/* Up to the end of the cell. */
static void read_cell(struct workbook_reader *r)
{
    struct string_reader string = {.in_text = false};
    struct cell c;
    struct buf *into = NULL;
    int type = XML_READER_TYPE_ELEMENT;

    begin_cell(r, &c);
    while (!ends(&r->part, type, "c")) {
        if (!part_next(r, &r->part, &type)) {
            damaged(r, r->part.path, "ends inside of a cell");
            return;
        }
        if (c.type == CELL_INLINE)
            read_string(&r->part, type, &string, &r->value);
        else if (is_text(type) && into != NULL)
            buf_add_text(into, (const char *)xmlTextReaderConstValue(r->part.xml));
        if (starts(&r->part, type, "v") || starts(&r->part, type, "f"))
            into = is_named(&r->part, "v") ? &r->value : &r->formula;
        if (ends(&r->part, type, "v") || ends(&r->part, type, "f"))
            into = NULL;
    }
    if (r->status == ST_OK && r->value.len + r->formula.len > 0)
        cell_text(r, &c);
    if (r->status != ST_OK || r->value.len == 0)
        return;
    while (r->fields.n < c.column)
        array_add(&r->fields, SPAN(""));
    array_add(&r->fields, arena_copy(&r->row_arena, csv_unguarded(buf_span(&r->value))));
}

/* --- rows --- */

static void read_row(struct workbook_reader *r)
{
    struct span number = attribute(&r->part, "r");
    uint64_t row = r->row + 1;
    int type = XML_READER_TYPE_ELEMENT;

    if ((number.ptr != NULL && !span_u64(number, ROWS_MAX, &row)) || row <= r->row || row > ROWS_MAX) {
        damaged(r, r->part.path, "its rows are out of order");
        return;
    }
    r->row = (size_t)row;
    r->fields.n = r->column = 0;
    arena_reset(&r->row_arena);
    while (!ends(&r->part, type, "row")) {
        if (!part_next(r, &r->part, &type)) {
            damaged(r, r->part.path, "ends inside of a row");
            return;
        }
        if (starts(&r->part, type, "c")) {
            read_cell(r);
            type = XML_READER_TYPE_NONE; /* the end of the cell is none of the row */
        }
    }
    r->n_all_fields += r->fields.n;
    if (r->status == ST_OK && r->n_all_fields > FIELDS_MAX)
        r->status = err_set(r->e, ST_INPUT,
                            "%s:%zu: the sheet has more than %d cells up to here; delete empty"
                            " columns, or save the sheet as CSV",
                            r->name, r->row, FIELDS_MAX);
}

enum status workbook_next(struct workbook_reader *r, struct workbook_row *row, struct err *e)
{
    int type = XML_READER_TYPE_NONE;

    r->e = e;
    r->fields.n = 0;
    while (r->fields.n == 0 && part_next(r, &r->part, &type))
        if (starts(&r->part, type, "row")) {
            read_row(r);
        } else if (starts(&r->part, type, "mergeCell") && r->n_merged++ == 0) {
            /* Which row people mean by a cell of several is not in the file. */
            AT_END(buf_clear) struct buf place = {0};
            buf_add_clean(&place, attribute(&r->part, "ref"));
            log_warn("%s: the cells %s are merged: the first one has the value, and the others count as empty", r->name,
                     buf_cstr(&place));
        }
    *row = (struct workbook_row){r->row, r->fields.at, r->fields.n};
    return r->status == ST_OK && r->fields.n == 0 ? ST_NO : r->status;
}

struct span workbook_reader_sheet_at(const struct workbook_reader *r, size_t place)
{
    for (size_t i = 0; i < r->sheets.n; i++)
        if (!r->sheets.at[i].hidden && sheet_relation(r, &r->sheets.at[i]) != NULL && place-- == 0)
            return r->sheets.at[i].name;
    return SPAN("");
}
