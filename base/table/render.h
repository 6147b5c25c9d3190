/* render: what each format does; one file each. For table only. */
#pragma once

#include "base/table/table.h"
#include "base/zip.h"

/* The workbook that is being made. */
struct xlsx {
    struct zip zip;
    struct buf sheet, names; /* of the archive */
    size_t row;              /* of the sheet: the last one */
    size_t n_sheets, n_cut, n_left_out;
};

struct table_printer {
    const struct renderer *renderer;
    FILE *file;
    bool plain;    /* table_print; else a report */
    bool terminal; /* the file is one */
    bool raw;      /* cells are not guarded */
    bool bom;      /* of CSV */
    const struct table_list *list;
    const struct table_links *links; /* of HTML; NULL: none */
    size_t n_tables;                 /* of the report that were begun */
    size_t n_rows;                   /* of the table that were printed */
    size_t *widths;                  /* of the columns, in text */
    struct buf text;                 /* still to be written */
    struct buf cell;                 /* scratch */
    struct xlsx xlsx;
    int error; /* the first errno of writing */
};

/* NULL: nothing to do. */
struct renderer {
    bool streams; /* needs no row but the one that it prints */
    bool people;
    bool rows_only; /* of a report, too: neither title nor note */
    void (*begin)(struct table_printer *p);
    void (*head)(struct table_printer *p, const struct table *t);
    void (*row)(struct table_printer *p, const struct table *t, size_t row);
    void (*foot)(struct table_printer *p, const struct table *t);
    void (*end)(struct table_printer *p);
};

extern const struct renderer render_text, render_csv, render_json, render_ndjson, render_markdown, render_latex,
    render_html, render_xlsx;

extern const char *const table_kinds[]; /* the names of enum table_kind */

void xlsx_clear(struct xlsx *x);

/* The cell as people read it: "52.2%", "0.9057", "<0.0001"; absent: empty. Lives in p->cell until the next call. */
struct span cell_for_people(struct table_printer *p, const struct table *t, size_t row, size_t column);
/* Is it a text that may be anything, which formats for programs must escape? */
bool cell_is_words(const struct table *t, size_t row, size_t column);
/* Adds the cell in full, so that reading a number gives the same double. */
void cell_for_programs(struct buf *out, const struct table *t, size_t row, size_t column);
bool cell_is_present(const struct table *t, size_t row, size_t column);
/* What heads a column for people. */
struct span title_of(const struct table_column *column);
/* Adds the id with '-' for what anchors and labels cannot have. */
void add_anchor(struct buf *out, const char *id);
