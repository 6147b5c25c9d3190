/* figures: pages of tables, each of which is a file in all formats, too. For web only. */
#pragma once

#include "base/table/table.h"
#include "report/report.h"
#include "web/site.h"

/* Tables on a page; `path` is that of the page: "/results". */
struct figures {
    struct visit *v;
    const char *path;
    struct span query; /* what the addresses of its files need: "by=year"; may be empty */
    struct table_list tables;
    const struct table_links *links; /* NULL: none */
};

/* A table with its files. Long ones are cut, with a word on where the rest is. */
void figures_add(struct figures *f, const struct table *t);
void figures_add_files(struct figures *f, const struct table *t); /* the files alone */
/* What is not settled, and so not counted (report_settled_add); nothing where all is. `d` NULL: it is read. */
enum status MUST_USE figures_add_settled(struct visit *v, const struct report_data *d);
/* The scripts that draw the tables of the page. */
void figures_add_charts(struct visit *v);
/* Answers with the file of the visit's path: "/results/rq1-code.csv". */
enum status MUST_USE figures_send(struct figures *f);
static inline void figures_clear(struct figures *f)
{
    table_list_clear(&f->tables);
}
