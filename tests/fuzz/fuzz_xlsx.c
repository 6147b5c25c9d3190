/* Any parts as a workbook, or any bytes as its file: the rows come in order, their fields are UTF-8, and
 * what cannot be read is said. An input is the sheet, shared strings, styles, workbook and its relations,
 * with a NUL between; what is missing is as a spreadsheet writes it. */
#include "base/utf8.h"
#include "label/workbook_reader.h"

#include <stdlib.h>

#include <zlib.h>

static const struct {
    const char *path, *usual;
} parts[] = {
    {"xl/worksheets/sheet1.xml", "<worksheet><sheetData/></worksheet>"},
    {"xl/sharedStrings.xml", "<sst><si><t>post_id</t></si><si><r><t>a</t></r><rPh><t>b</t></rPh></si></sst>"},
    {"xl/styles.xml", "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\"/></numFmts>"
                      "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/></cellXfs>"
                      "</styleSheet>"},
    {"xl/workbook.xml", "<workbook><sheets><sheet name=\"labels\" id=\"r1\"/></sheets></workbook>"},
    {"xl/_rels/workbook.xml.rels",
     "<Relationships><Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
     "<Relationship Id=\"r2\" Type=\"x/sharedStrings\" Target=\"sharedStrings.xml\"/>"
     "<Relationship Id=\"r3\" Type=\"x/styles\" Target=\"/xl/styles.xml\"/></Relationships>"},
    {"_rels/.rels", "<Relationships><Relationship Id=\"r1\" Type=\"x/officeDocument\""
                    " Target=\"xl/workbook.xml\"/></Relationships>"},
};

static void require(bool fine)
{
    if (!fine)
        abort();
}

static void add_number(struct buf *out, size_t bytes, uint64_t number)
{
    for (size_t i = 0; i < bytes; i++)
        buf_add_char(out, (char)(i < sizeof number ? number >> (8 * i) & 0xff : 0));
}

/* What the local header of a zip entry and the central one share. */
static void add_entry(struct buf *out, const char *path, struct span content)
{
    add_number(out, 2, 20);
    add_number(out, 8, 0); /* flags, method (stored), time and date */
    add_number(out, 4, crc32(0, (const Bytef *)content.ptr, (uInt)content.len));
    add_number(out, 4, content.len);
    add_number(out, 4, content.len);
    add_number(out, 2, strlen(path));
    add_number(out, 2, 0);
}

static void make_zip(struct buf *zip, struct span input)
{
    struct buf central = {0};
    struct span content;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (!span_cut(&input, '\0', &content) || content.len == 0)
            content = span_of(parts[i].usual);
        size_t at = zip->len;
        buf_add(zip, "PK\x03\x04", 4);
        add_entry(zip, parts[i].path, content);
        buf_add_text(zip, parts[i].path);
        buf_add_span(zip, content);
        buf_add(&central, "PK\x01\x02\x14\x00", 6);
        add_entry(&central, parts[i].path, content);
        add_number(&central, 10, 0);
        add_number(&central, 4, at);
        buf_add_text(&central, parts[i].path);
    }
    size_t at = zip->len;
    buf_add_span(zip, buf_span(&central));
    buf_add(zip, "PK\x05\x06\0\0\0\0", 8);
    add_number(zip, 2, ARRAY_LEN(parts));
    add_number(zip, 2, ARRAY_LEN(parts));
    add_number(zip, 4, central.len);
    add_number(zip, 4, at);
    add_number(zip, 2, 0);
    buf_clear(&central);
}

static void check_row(const struct workbook_row *row, size_t before)
{
    require(row->number > before && row->number <= 1048576);
    require(row->n_fields > 0 && row->n_fields <= 1024);
    for (size_t i = 0; i < row->n_fields; i++)
        require(utf8_valid_prefix(row->fields[i]) == row->fields[i].len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span input = {(const char *)data, size};
    struct workbook_reader *reader;
    struct workbook_row row = {0};
    struct buf zip = {0};
    struct err e = {0};

    if (!workbook_is(input)) {
        make_zip(&zip, input);
        input = buf_span(&zip);
    }
    enum status status = workbook_reader_new(&reader, input, "f", "labels", &e);
    while (status == ST_OK) {
        size_t before = row.number;
        status = workbook_next(reader, &row, &e);
        if (status == ST_OK)
            check_row(&row, before);
    }
    require(status == ST_NO || (status == ST_INPUT && e.text[0] != '\0'));
    workbook_reader_free(reader);
    buf_clear(&zip);
    return 0;
}
