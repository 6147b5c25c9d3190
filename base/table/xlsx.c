/* xlsx: a table is a sheet (ECMA-376), with title and note below the rows. Texts are inline, and never formulas. */
#include "base/csv.h"
#include "base/log.h"
#include "base/table/render.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <strings.h>

/* Of a sheet: more rows are in another one. Of a cell: units of UTF-16. Of a number: a spreadsheet makes zeros of
 * the other digits. */
enum { ROWS_MAX = 1048576, COLUMNS_MAX = 16384, UNITS_MAX = 32767, DIGITS_MAX = 15, NAME_BYTES = 31 };
static const size_t SHEET_MAX = (size_t)1 << 30; /* bytes: sizes in an archive have 32 bits */

enum style { GENERAL, HEADER, TEXT };

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define OFFICE "http://schemas.openxmlformats.org/"
#define MAIN "xmlns=\"" OFFICE "spreadsheetml/2006/main\""
#define TYPE "application/vnd.openxmlformats-officedocument.spreadsheetml."

/* What is XML is a sheet, but for these: how many there will be is not known yet. */
static const char types[] = XML
    "<Types xmlns=\"" OFFICE "package/2006/content-types\">"
    "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
    "<Default Extension=\"xml\" ContentType=\"" TYPE "worksheet+xml\"/>"
    "<Override PartName=\"/xl/workbook.xml\" ContentType=\"" TYPE "sheet.main+xml\"/>"
    "<Override PartName=\"/xl/styles.xml\" ContentType=\"" TYPE "styles+xml\"/></Types>";
static const char relations[] = XML
    "<Relationships xmlns=\"" OFFICE "package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"" OFFICE
    "officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>";
/* In the order of enum style. */
static const char styles[] = XML
    "<styleSheet " MAIN "><fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>"
    "<font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts><fills count=\"2\"><fill>"
    "<patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>"
    "<borders count=\"1\"><border/></borders><cellStyleXfs count=\"1\"><xf/></cellStyleXfs><cellXfs count=\"3\">"
    "<xf xfId=\"0\"/><xf fontId=\"1\" applyFont=\"1\" xfId=\"0\"/>"
    "<xf numFmtId=\"49\" applyNumberFormat=\"1\" xfId=\"0\"/></cellXfs>"
    "<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>";

/* --- the archive --- */

static void add_file(struct table_printer *p, const char *name, struct span content)
{
    zip_add(&p->xlsx.zip, &p->text, name, content);
    if (p->xlsx.zip.too_large && p->error == 0)
        p->error = EFBIG;
}

/* --- cells --- */

static bool is_escape(struct span s)
{
    return s.len >= 7 && memcmp(s.ptr, "_x", 2) == 0 && hex_digit(s.ptr[2]) >= 0 && hex_digit(s.ptr[3]) >= 0 &&
           hex_digit(s.ptr[4]) >= 0 && hex_digit(s.ptr[5]) >= 0 && s.ptr[6] == '_';
}

static void open_cell(struct buf *out, size_t row, size_t column, enum style style, const char *rest)
{
    char letters[8] = "";
    size_t at = sizeof letters - 1;

    for (size_t left = column + 1; left > 0; left = (left - 1) / 26)
        letters[--at] = (char)('A' + (left - 1) % 26);
    buf_addf(out, "<c r=\"%s%zu\" s=\"%d\"%s>", letters + at, row, (int)style, rest);
}

static void add_text(struct table_printer *p, size_t column, enum style style, struct span s)
{
    open_cell(&p->xlsx.sheet, p->xlsx.row, column, style, " t=\"inlineStr\"");
    buf_add_text(&p->xlsx.sheet, "<is><t xml:space=\"preserve\">");
    bool guarded = !p->raw && csv_is_formula(s);
    const char *at = s.ptr, *end = s.ptr + s.len, *valid = s.ptr + utf8_valid_prefix(s);
    size_t units = guarded ? 1 : 0;

    buf_add_text(&p->xlsx.sheet, guarded ? "'" : "");
    while (at < end && units + 1 < UNITS_MAX) { /* one may need two */
        uint32_t c = 0;
        size_t len = at < valid ? utf8_decode(at, end, &c) : 1;
        /* What XML cannot have is "_x0001_", and the begin of such a text "_x005F_"; what is not a character
         * is U+FFFD. */
        if (c == 0)
            buf_add_text(&p->xlsx.sheet, "\xef\xbf\xbd");
        else if ((c < 0x20 && c != '\t' && c != '\n') || c == 0xfffe || c == 0xffff ||
                 is_escape((struct span){at, (size_t)(end - at)}))
            buf_addf(&p->xlsx.sheet, "_x%04" PRIX32 "_", c);
        else if (c == '&' || c == '<' || c == '>')
            buf_addf(&p->xlsx.sheet, "&%s;", c == '&' ? "amp" : c == '<' ? "lt" : "gt");
        else
            buf_add(&p->xlsx.sheet, at, len);
        at += len;
        units += c > 0xffff ? 2 : 1;
        if (at > valid)
            valid = at + utf8_valid_prefix((struct span){at, (size_t)(end - at)});
    }
    if (at < end)
        p->xlsx.n_cut++;
    buf_add_text(&p->xlsx.sheet, "</t></is></c>");
}

/* A double here is a double there; of other numbers a spreadsheet keeps so many digits. */
static bool is_number(const struct table_cell *cell, const char *s)
{
    size_t digits = 0;

    for (const char *p = s; *p != '\0'; p++)
        digits += isdigit((unsigned char)*p) != 0;
    return cell->is == TABLE_IS_REAL || (digits > 0 && digits <= DIGITS_MAX && s[strspn(s, "-.0123456789")] == '\0');
}

static void add_cell(struct table_printer *p, const struct table *t, size_t row, size_t column)
{
    const struct table_cell *cell = table_cell_at(t, row, column);
    enum table_kind kind = t->columns[column].kind;
    struct buf *out = &p->xlsx.sheet;

    if (cell->is == TABLE_ABSENT)
        return;
    if (cell_is_words(t, row, column)) {
        add_text(p, column, TEXT, cell->text);
        return;
    }
    buf_reset(&p->cell);
    cell_for_programs(&p->cell, t, row, column);
    if (kind == TABLE_BOOLEAN && cell->is == TABLE_IS_TEXT) {
        open_cell(out, p->xlsx.row, column, GENERAL, " t=\"b\"");
        buf_addf(out, "<v>%d</v></c>", span_eq(cell->text, SPAN("1")));
    } else if (kind != TABLE_TEXT && is_number(cell, buf_cstr(&p->cell))) {
        open_cell(out, p->xlsx.row, column, GENERAL, "");
        buf_addf(out, "<v>%s</v></c>", buf_cstr(&p->cell));
    } else {
        add_text(p, column, TEXT, buf_span(&p->cell));
    }
}

/* --- sheets --- */

/* Of letters, digits and '-', so that a name needs no escape. */
static void add_name(struct table_printer *p, const char *id)
{
    struct xlsx *x = &p->xlsx;
    char name[NAME_BYTES + 1], number[24] = "";
    struct span names, other;
    bool taken = true;

    buf_reset(&p->cell);
    add_anchor(&p->cell, *id != '\0' ? id : "table");
    for (size_t n = 1; taken; n++) {
        if (n > 1)
            snprintf(number, sizeof number, "-%zu", n);
        snprintf(name, sizeof name, "%.*s%s", (int)(NAME_BYTES - strlen(number)), buf_cstr(&p->cell), number);
        taken = strcasecmp(name, "history") == 0; /* one of its own, to Excel */
        for (names = buf_span(&x->names); span_cut(&names, '\n', &other);)
            taken = taken || (other.len == strlen(name) && strncasecmp(other.ptr, name, other.len) == 0);
    }
    buf_addf(&x->names, "%s\n", name);
}

static void head(struct table_printer *p, const struct table *t)
{
    struct xlsx *x = &p->xlsx;
    size_t n = t->n_columns < COLUMNS_MAX ? t->n_columns : COLUMNS_MAX;

    add_name(p, t->id);
    buf_reset(&x->sheet);
    buf_add_text(&x->sheet, XML "<worksheet " MAIN "><sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\""
                                " topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView>"
                                "</sheetViews><sheetData><row r=\"1\">");
    x->row = 1;
    x->n_left_out += t->n_columns - n;
    for (size_t i = 0; i < n; i++)
        add_text(p, i, HEADER, span_of(t->columns[i].name));
    buf_add_text(&x->sheet, "</row>");
}

static void end_sheet(struct table_printer *p)
{
    char name[64];

    buf_add_text(&p->xlsx.sheet, "</sheetData></worksheet>");
    snprintf(name, sizeof name, "xl/worksheets/sheet%zu.xml", ++p->xlsx.n_sheets);
    add_file(p, name, buf_span(&p->xlsx.sheet));
    buf_reset(&p->xlsx.sheet);
}

/* An empty row, title and note. */
static void foot(struct table_printer *p, const struct table *t)
{
    const struct span below[] = {t->title, t->note};

    p->xlsx.row++;
    for (size_t i = 0; i < 2 && !p->plain; i++)
        if (below[i].len > 0) {
            buf_addf(&p->xlsx.sheet, "<row r=\"%zu\">", ++p->xlsx.row);
            add_text(p, 0, TEXT, below[i]);
            buf_add_text(&p->xlsx.sheet, "</row>");
        }
    end_sheet(p);
}

static void row_of(struct table_printer *p, const struct table *t, size_t row)
{
    struct xlsx *x = &p->xlsx;

    if (x->row >= ROWS_MAX - 3 || x->sheet.len > SHEET_MAX) {
        end_sheet(p);
        head(p, t);
    }
    buf_addf(&x->sheet, "<row r=\"%zu\">", ++x->row);
    for (size_t i = 0; i < t->n_columns && i < COLUMNS_MAX; i++)
        add_cell(p, t, row, i);
    buf_add_text(&x->sheet, "</row>");
}

static void begin(struct table_printer *p)
{
    add_file(p, "[Content_Types].xml", SPAN(types));
    add_file(p, "_rels/.rels", SPAN(relations));
    add_file(p, "xl/styles.xml", SPAN(styles));
}

#define RELATION "<Relationship Id=\"rId%zu\" Type=\"" OFFICE "officeDocument/2006/relationships/"

static void add_sheets(struct table_printer *p)
{
    struct xlsx *x = &p->xlsx;
    AT_END(buf_clear) struct buf book = {0}, links = {0};
    struct span names = buf_span(&x->names), name;
    size_t i = 0;

    buf_add_text(&book, XML "<workbook " MAIN " xmlns:r=\"" OFFICE "officeDocument/2006/relationships\"><sheets>");
    buf_add_text(&links, XML "<Relationships xmlns=\"" OFFICE "package/2006/relationships\">");
    for (i = 1; i <= x->n_sheets && span_cut(&names, '\n', &name); i++) {
        buf_addf(&book, "<sheet name=\"%.*s\" sheetId=\"%zu\" r:id=\"rId%zu\"/>", SPAN_ARG(name), i, i);
        buf_addf(&links, RELATION "worksheet\" Target=\"worksheets/sheet%zu.xml\"/>", i, i);
    }
    buf_addf(&links, RELATION "styles\" Target=\"styles.xml\"/></Relationships>", i);
    buf_add_text(&book, "</sheets></workbook>");
    add_file(p, "xl/workbook.xml", buf_span(&book));
    add_file(p, "xl/_rels/workbook.xml.rels", buf_span(&links));
}

static void end(struct table_printer *p)
{
    static const struct table none = {.id = "none"};
    struct xlsx *x = &p->xlsx;

    if (x->n_sheets == 0) { /* a workbook has one */
        head(p, &none);
        end_sheet(p);
    }
    add_sheets(p);
    zip_end(&x->zip, &p->text);
    if (x->n_cut > 0)
        log_warn("%zu texts are longer than a cell can be (%d characters), and were cut; CSV has them whole", x->n_cut,
                 UNITS_MAX);
    if (x->n_left_out > 0)
        log_warn("%zu columns are left out: a sheet can have %d; CSV has them all", x->n_left_out, COLUMNS_MAX);
}

void xlsx_clear(struct xlsx *x)
{
    buf_clear(&x->sheet);
    zip_clear(&x->zip);
    buf_clear(&x->names);
}

const struct renderer render_xlsx = {
    .streams = true, .begin = begin, .head = head, .row = row_of, .foot = foot, .end = end};
