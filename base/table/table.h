/*
 * table: rows of a result, for people and for programs, in eight formats. May include base.
 *
 * A table has columns of a kind, cells, a title and a note; several tables are a list, printed as one report. A table
 * copies all texts. Each format escapes them in its own way; formats for people clean them (buf_add_clean) and measure
 * wide characters (text_width). So texts of posts, files and databases can go in as they are.
 */
#pragma once

#include "base/base.h"

/* --- a table --- */

enum table_kind {
    TABLE_TEXT,
    TABLE_INT,
    TABLE_SHARE,   /* 0..1; a percentage for people */
    TABLE_REAL,    /* four decimals for people, unless the column says how many for all */
    TABLE_P,       /* a probability that may be very small */
    TABLE_NUMBER,  /* a number that comes as text, and is printed as it is */
    TABLE_BOOLEAN, /* "0" or "1" as text; yes and no for people, false and true in JSON */
    TABLE_JSON     /* a JSON value as text: a value in JSON, a text in other formats */
};

struct table_column {
    const char *name;  /* for programs: "any_share" */
    const char *title; /* for people; NULL: the name */
    size_t max_width;  /* in text, longer cells of a plain table are cut with "…"; 0: never */
    enum table_kind kind;
    int decimals; /* of TABLE_REAL, in every format; 0: as its kind says */
    bool prose;   /* sentences: LaTeX breaks their lines */
};

/* What a cell is does not depend on its column: an integer among texts is printed as a text. */
enum table_value { TABLE_ABSENT, TABLE_IS_TEXT, TABLE_IS_INT, TABLE_IS_REAL };

struct table_cell {
    enum table_value is; /* absent: null in JSON, empty or a dash elsewhere */
    union {
        struct span text;
        int64_t integer;
        double real;
    };
};

struct table {
    const char *id; /* "rq1-category"; of letters, digits and '-' where it is shown */
    struct span title, note;
    struct span caveat; /* what the numbers do not count; "": nothing */
    struct table_column *columns;
    size_t n_columns, columns_capacity;
    struct table_cell *cells; /* row by row */
    size_t n_cells, cells_capacity;
    struct arena arena;
    struct arena texts; /* of cells */
};

/* Columns first, then cells, row by row. `columns`: as table_columns reads them; "": none yet. */
void table_init(struct table *t, const char *id, const char *title, const char *columns);
void table_clear(struct table *t);
/*
 * Adds columns that a text names, with ';' between them. After a name may be its kind (of the enum, in small letters),
 * with the decimals of a real; its width; and, after '=', its title:
 *
 *     table_columns(t, "code <40; n int; low share = 95%% from; ratio real.3");
 */
void table_columns(struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* One, whatever its name. `title` NULL or empty: the name. */
void table_column_add(struct table *t, const char *name, const char *title, enum table_kind kind);
void table_column_add_span(struct table *t, struct span name, struct span title, enum table_kind kind);
/* Cells, for table_add_row(t, table_text(name), table_int(n)): all of a row, or some. */
struct table_cell MUST_USE table_text(struct span text); /* ptr NULL: absent */
struct table_cell MUST_USE table_some(struct span text); /* "": absent */
struct table_cell MUST_USE table_int(int64_t value);
struct table_cell MUST_USE table_real(double value); /* of any kind of real; not finite: absent */
struct table_cell MUST_USE table_absent(void);
#define table_add_row(t, ...) \
    table_add_cells((t), (const struct table_cell[]){__VA_ARGS__}, \
                    ARRAY_LEN(((const struct table_cell[]){__VA_ARGS__})))
void table_add_cells(struct table *t, const struct table_cell *cells, size_t n);
/* One. */
#define table_add_text(t, ...) table_add_row(t, table_text(__VA_ARGS__))
#define table_add_int(t, ...) table_add_row(t, table_int(__VA_ARGS__))
#define table_add_real(t, ...) table_add_row(t, table_real(__VA_ARGS__))
#define table_add_absent(t) table_add_row(t, table_absent())
void table_note(struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3); /* appends */
/* What the numbers do not count ("": nothing): ends the title, and is a column where there are no titles. */
void table_caveat(struct table *t, struct span words);
size_t table_rows(const struct table *t);
const struct table_cell *table_cell_at(const struct table *t, size_t row, size_t column);
bool table_kind_is_number(enum table_kind kind);

/* --- several --- */

/* All-zero is a valid empty one. */
struct table_list {
    struct table **tables;
    size_t n, capacity;
};

/* A new table at the end; lives as long as the list. */
struct table *table_list_add(struct table_list *l, const char *id, const char *title);
/* Takes the last one away. */
void table_list_drop(struct table_list *l);
void table_list_clear(struct table_list *l);
/* What was read of `things`, and why some was left out: a row of the report's last table, or of a new one. */
struct refused;
void table_list_account(struct table_list *report, struct refused *left, const char *things, uint64_t kept);

/* --- formats --- */

enum table_format {
    TABLE_AS_TEXT,
    TABLE_AS_CSV,
    TABLE_AS_JSON,
    TABLE_AS_NDJSON,
    TABLE_AS_MARKDOWN,
    TABLE_AS_LATEX,
    TABLE_AS_HTML,
    TABLE_AS_XLSX
};

/* Their names in this order, NULL at the end; the same in words. */
extern const char *const table_formats[];
#define TABLE_FORMATS_IN_WORDS "text, csv, json, ndjson, markdown, latex, html or xlsx"

struct table_output {
    enum table_format format;
    FILE *file; /* its opener checks it (stream_check) */
    bool raw;   /* CSV and XLSX: what a spreadsheet would compute is not guarded (csv_is_formula) */
    bool bom;   /* CSV: begins with a byte order mark, by which Excel knows UTF-8 */
};

/* A table by itself. Text, CSV (RFC 4180 with a header line and "\n" ends), JSON (an array of objects) and NDJSON (an
 * object on each line) have rows alone; the other formats have title and note too. A CSV file has texts as they are,
 * except that formulas of spreadsheets are guarded and U+FFFD replaces NUL and what is not UTF-8; on a terminal it is
 * cleaned. XLSX is a workbook of one sheet, not for a terminal; texts too long for a cell are cut, with a warning. */
void table_print(const struct table *t, const struct table_output *out);

/* Tables as a report, each with title, id and note. In CSV an empty line is between them, and the first column is the
 * table's id when there are several. JSON is an array of objects with id, title, note, columns and rows. In NDJSON each
 * row has its table's id. In XLSX each is a sheet named by its id, with title and note below the rows. Formats for
 * people leave out columns without any cell, and show absent cells as dashes. */
void table_list_print(const struct table_list *l, const struct table_output *out);

/* In JSON the report of the table and those of `more`; else the table by itself. */
void table_print_with(struct table *t, const struct table_list *more, const struct table_output *out);

/* Links of a table on a page: `href` adds the address to which a cell leads, or nothing. It gets the table as it is
 * shown, without columns that have no cell. */
struct table_links {
    void (*href)(void *ctx, const struct table *t, size_t row, size_t column, struct buf *out);
    void *ctx;
};
/* One table as a section of a page: what TABLE_AS_HTML prints of it in a report. `links` may be NULL. */
void table_add_html_linked(struct buf *out, const struct table *t, const struct table_links *links);

/* Ends a command that lists: prints all rows when the status is ST_OK, and clears the table. ST_NO when there are none;
 * another status is returned unchanged. */
enum status MUST_USE table_end(struct table *t, enum status status, const struct table_output *out);

/* A table of any length, printed while it is filled: after each row or some, table_stream_rows
 * prints what there is and forgets it. Formats that must know all rows first keep them. */
struct table_stream {
    struct table *table;
    struct table_printer *printer;
};

void table_stream_begin(struct table_stream *s, struct table *t, const struct table_output *out);
/* ST_IO when the file, called `name` in words, cannot be written. */
enum status MUST_USE table_stream_rows(struct table_stream *s, const char *name, struct err *e);
/* Prints the rest with `status` ST_OK, which becomes ST_IO when that fails; frees. */
enum status MUST_USE table_stream_end(struct table_stream *s, enum status status, const char *name, struct err *e);

/* --- escaping, of one line of any text; cleaned first --- */

void table_escape_html(struct buf *out, struct span s);       /* for text and attributes in quotes */
void table_escape_html_lines(struct buf *out, struct span s); /* keeps LF and tab */
void table_escape_markdown(struct buf *out, struct span s);   /* within a line, or a cell */
