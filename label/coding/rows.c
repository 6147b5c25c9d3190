/* rows: the rows of a table that people made, from a workbook or from CSV. */
#include "label/coding/rows.h"

static enum status MUST_USE open_csv(struct row_reader *r, struct span content, const char *name,
                                     struct err *e)
{
    enum status status = text_decode(content, name, &r->text, &r->encoding, e);

    buf_reserve(&r->text, 1); /* so that there is a pointer, also to nothing */
    if (status != ST_OK)
        return status;
    const char *end = memchr(r->text.ptr, '\n', r->text.len);
    r->crlf = end != NULL && end > r->text.ptr && end[-1] == '\r';
    csv_open(&r->csv, buf_span(&r->text), name);
    return ST_OK;
}

enum status rows_open(struct row_reader *r, struct span content, const char *name, const char *sheet,
                      struct err *e)
{
    *r = (struct row_reader){.encoding = TEXT_UTF8_MARKED};
    if (!workbook_is(content))
        return open_csv(r, content, name, e);
    r->csv.delimiter = ',';
    return workbook_reader_new(&r->workbook, content, name, sheet, e);
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
    buf_clear(&r->text);
}

bool row_is_blank(const struct workbook_row *row)
{
    for (size_t i = 0; i < row->n_fields; i++)
        if (span_trim(row->fields[i]).len > 0)
            return false;
    return true;
}
