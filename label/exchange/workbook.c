/* workbook: one sheet as an xlsx file, with drop-down lists. */
#include "label/exchange/workbook.h"

#include "base/csv.h"
#include "base/files.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <xlsxwriter.h>

enum {
    LINKS_MAX = 65000, /* a sheet can have 65530 */
    ROWS_MAX = 1048575 /* under the header */
};

struct writer {
    lxw_workbook *workbook;
    lxw_worksheet *sheet, *lists;
    lxw_format *header, *text;
    struct buf cell;
    bool raw;
    lxw_error error; /* the first */
};

static void note(struct writer *w, lxw_error error)
{
    if (w->error == LXW_NO_ERROR)
        w->error = error;
}

static const char *clean(struct writer *w, struct span s)
{
    const char *p = s.ptr, *end = s.ptr + s.len, *valid = s.ptr + utf8_valid_prefix(s);

    buf_reset(&w->cell);
    if (!w->raw && csv_is_formula(s))
        buf_add_char(&w->cell, '\'');
    for (size_t n = 0; p < end && n + 1 < WORKBOOK_TEXT_MAX;) { /* one may need two of UTF-16 */
        uint32_t c = 0xffff;
        size_t len = p < valid ? utf8_decode(p, end, &c) : 1;
        /* XML 1.0 has no control characters but these, and neither U+FFFE nor U+FFFF. */
        if (c >= 0x20 ? c != 0xfffe && c != 0xffff : c == '\t' || c == '\n')
            buf_add(&w->cell, p, len);
        else
            buf_add_text(&w->cell, "\xef\xbf\xbd");
        p += len;
        n += c > 0xffff ? 2 : 1;
        if (p > valid)
            valid = p + utf8_valid_prefix((struct span){p, (size_t)(end - p)});
    }
    return buf_cstr(&w->cell);
}

static void add_text(struct writer *w, bool link, lxw_row_t row, lxw_col_t col, struct span s)
{
    if (s.len == 0)
        note(w, worksheet_write_blank(w->sheet, row, col, w->text));
    else if (link && row <= LINKS_MAX && span_starts(s, SPAN("https://")) &&
             worksheet_write_url(w->sheet, row, col, clean(w, s), NULL) == LXW_NO_ERROR)
        return; /* a link that Excel cannot have is a text */
    else
        note(w, worksheet_write_string(w->sheet, row, col, clean(w, s), w->text));
}

static void add_cell(struct writer *w, const struct workbook_sheet *s, size_t row, size_t column)
{
    const struct table_cell *cell = table_cell_at(s->table, row, column);
    lxw_row_t to = (lxw_row_t)row + 1;
    lxw_col_t col = (lxw_col_t)column;
    char digits[24];

    snprintf(digits, sizeof digits, "%" PRId64, cell->is == TABLE_IS_INT ? cell->integer : 0);
    if (cell->is == TABLE_IS_TEXT)
        add_text(w, s->columns[column].link, to, col, cell->text);
    else if (s->table->columns[column].kind == TABLE_TEXT)
        add_text(w, false, to, col, cell->is == TABLE_IS_INT ? span_of(digits) : SPAN(""));
    else if (cell->is == TABLE_IS_INT)
        note(w, worksheet_write_number(w->sheet, to, col, (double)cell->integer, NULL));
}

/* A drop-down list from a column of the hidden sheet: a list in the cell itself must be shorter than 256 characters. */
static void add_list(struct writer *w, const struct workbook_sheet *s, lxw_col_t col, lxw_col_t list)
{
    const struct workbook_column *column = &s->columns[col];
    lxw_row_t rows = (lxw_row_t)table_rows(s->table);
    char formula[80];
    lxw_data_validation validation = {
        .validate = LXW_VALIDATION_TYPE_LIST_FORMULA,
        .ignore_blank = LXW_VALIDATION_ON,
        .error_title = "Not in the codebook",
        .error_message = "Take one from the list, or leave the cell empty.",
    };

    for (size_t i = 0; i < column->n_choices; i++)
        note(w, worksheet_write_string(w->lists, (lxw_row_t)i, list, clean(w, column->choices[i]), w->text));
    snprintf(formula, sizeof formula, "=lists!$%c$1:$%c$%zu", 'A' + list, 'A' + list, column->n_choices);
    validation.value_formula = formula;
    note(w, worksheet_data_validation_range(w->sheet, 1, col, rows, col, &validation));
}

static enum status MUST_USE write_here(const char *path, const struct workbook_sheet *s, struct err *e)
{
    struct writer w = {.raw = s->raw};
    size_t n_rows = table_rows(s->table);
    lxw_col_t n_lists = 0;
    char now[TIME_TEXT_SIZE];
    struct tm tm = {0};

    w.workbook = workbook_new(path);
    w.sheet = workbook_add_worksheet(w.workbook, s->name);
    w.lists = workbook_add_worksheet(w.workbook, "lists");
    w.header = workbook_add_format(w.workbook);
    w.text = workbook_add_format(w.workbook);
    format_set_bold(w.header);
    format_set_num_format(w.text, "@"); /* ids like 65160023_1 and 65160023 stay what they are */
    worksheet_hide(w.lists);
    worksheet_freeze_panes(w.sheet, 1, 1);

    time_now(now); /* so that the same data at the same time is the same file */
    (void)strptime(now, "%Y-%m-%dT%H:%M:%S", &tm);
    note(&w, workbook_set_properties(w.workbook, &(lxw_doc_properties){.created = timegm(&tm)}));

    for (size_t i = 0; i < s->table->n_columns; i++) {
        const struct workbook_column *column = &s->columns[i];
        const struct table_column *named = &s->table->columns[i];
        lxw_col_t col = (lxw_col_t)i;
        note(&w, worksheet_set_column(w.sheet, col, col, column->width, named->kind == TABLE_TEXT ? w.text : NULL));
        note(&w, worksheet_write_string(w.sheet, 0, col, named->name, w.header));
        if (column->choices != NULL && column->n_choices > 0 && n_rows > 0)
            add_list(&w, s, col, n_lists++);
    }
    for (size_t row = 0; row < n_rows; row++)
        for (size_t i = 0; i < s->table->n_columns; i++)
            add_cell(&w, s, row, i);
    errno = 0;
    note(&w, workbook_close(w.workbook));
    buf_clear(&w.cell);
    if (w.error == LXW_NO_ERROR)
        return ST_OK;
    return err_set(e, ST_IO, "%s: %s", path, errno != 0 ? strerror(errno) : lxw_strerror(w.error));
}

/* In a process of its own: libxlsxwriter uses what malloc gives without a look. */
enum status workbook_write(const char *path, const struct workbook_sheet *s, struct err *e)
{
    size_t n_rows = table_rows(s->table), n = 0;
    struct err outcome = {0};
    int fd[2], ended = 0;
    ssize_t got;

    if (n_rows > ROWS_MAX)
        return err_set(e, ST_INPUT, "%zu rows: a sheet can have %d; export CSV, or fewer posts with --posts", n_rows,
                       ROWS_MAX);
    if (pipe2(fd, O_CLOEXEC) != 0)
        return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        outcome.status = write_here(path, s, &outcome);
        _exit(write(fd[1], &outcome, sizeof outcome) == (ssize_t)sizeof outcome ? 0 : ST_IO);
    }
    close(fd[1]);

    /* What the child found out, whole or not at all. */
    while (child > 0 && n < sizeof outcome &&
           ((got = read(fd[0], (char *)&outcome + n, sizeof outcome - n)) > 0 || (got < 0 && errno == EINTR)))
        n += got > 0 ? (size_t)got : 0;
    close(fd[0]);
    if (child < 0)
        return err_set(e, ST_IO, "%s: no process can be made: %s", path, strerror(errno));
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    if (n < sizeof outcome)
        return err_set(e, ST_IO,
                       "%s: it could not be made; is there too little memory? Fewer posts (--posts) or CSV need less",
                       path);
    if (outcome.status != ST_OK)
        *e = outcome;
    return outcome.status;
}
