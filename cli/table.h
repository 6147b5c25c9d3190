/*
 * table: rows of a result, printed for people or for programs. Of cli only.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/base.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_NDJSON };

/* For option_choice. */
extern const char *const table_formats[];

struct table_column {
    const char *name;
    bool number;      /* right-aligned; bare in JSON */
    size_t max_width; /* in text, longer cells are cut with "…"; 0: never */
};

struct table {
    const struct table_column *columns;
    size_t n_columns;
    struct span *cells; /* row by row; ptr NULL: absent */
    size_t n_cells, capacity;
    struct arena arena;
};

/* The columns stay the caller's and must outlive the table. */
void table_init(struct table *t, const struct table_column *columns, size_t n_columns);
/* Adds the next cell, a copy; ptr NULL is an absent one (null in JSON, empty otherwise). */
void table_add(struct table *t, struct span cell);
void table_add_int(struct table *t, int64_t value);
void table_add_real(struct table *t, double value, int decimals);
size_t table_rows(const struct table *t);
/* CSV after RFC 4180, with a header line, "\n" ends. Prints the first `limit` rows. */
void table_print(const struct table *t, enum table_format format, size_t limit, FILE *out);
void table_clear(struct table *t);
/* The end of a command that lists: prints all rows when the status is ST_OK, and clears the table.
 * ST_NO when there are none; another status is given back. */
enum status MUST_USE table_end(struct table *t, enum status status, enum table_format format);
/* Writes a text with '?' for what would move a terminal's cursor, as in tables of text. */
void table_print_safe(struct span s, FILE *out);

#endif
