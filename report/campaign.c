/* campaign: how many findings were reported, confirmed, fixed, refused. */
#include "base/csv.h"
#include "check/campaign/findings.h"
#include "db/study.h"
#include "report/tables.h"

const char *const report_campaign_ids[] = {"campaign",           "campaign-project", "campaign-rule",
                                           "campaign-published", "campaign-listed",  NULL};

enum { TOTAL, BY_PROJECT, BY_RULE, PUBLISHED, LISTED };

struct campaign {
    struct table *t;
    double confidence;
};

static const struct share {
    const char *name, *title;
    size_t count; /* place in db_campaign_row */
} shares[] = {
    {"confirmed", "confirmed", offsetof(struct db_campaign_row, confirmed)},
    {"fixed", "fixed", offsetof(struct db_campaign_row, fixed)},
    {"refused", "refused", offsetof(struct db_campaign_row, refused)},
};

static int64_t count_of(const struct db_campaign_row *row, size_t place)
{
    int64_t n;

    memcpy(&n, (const char *)row + place, sizeof n);
    return n;
}

static void add_row(void *ctx, const struct db_campaign_row *row)
{
    struct campaign *c = ctx;

    if (row->name.ptr == NULL)
        return;
    table_add_row(c->t, table_text(row->name), table_int(row->findings), table_int(row->gone),
                  table_int(row->reported));
    for (size_t i = 0; i < ARRAY_LEN(shares); i++)
        add_share(c->t, count_of(row, shares[i].count), row->reported, c->confidence);
}

/* `of` < 0: no share. */
static void add_line(struct campaign *c, const char *what, int64_t n, int64_t of)
{
    table_add_text(c->t, span_of(what));
    if (of >= 0) {
        add_share(c->t, n, of, c->confidence);
        return;
    }
    table_add_int(c->t, n);
    for (int i = 0; i < 3; i++)
        table_add_absent(c->t);
}

static void add_total(void *ctx, const struct db_campaign_row *row)
{
    struct campaign *c = ctx;

    if (row->name.ptr != NULL)
        return;
    add_line(c, "projects", row->projects, -1);
    add_line(c, "projects with reports", row->projects_reported, row->projects);
    add_line(c, "findings", row->findings, -1);
    add_line(c, "no longer found", row->gone, row->findings);
    add_line(c, "reported", row->reported, row->findings);
    for (size_t i = 0; i < ARRAY_LEN(shares); i++)
        add_line(c, shares[i].title, count_of(row, shares[i].count), row->reported);
    add_line(c, "without an answer", row->reported - row->confirmed - row->refused, row->reported);
}

/* --- the study's own campaign: campaign.csv --- */

/* A row is a published figure, or (with a project) what the study's public list has of it. */
enum { WHAT, N, CHECKER, PROJECT, URL, CELLS };

/* clang-format off */
static const struct figure {
    const char *name;
    size_t ours; /* place in db_campaign_row */
} figures[] = {
    {"projects with reports", offsetof(struct db_campaign_row, projects_reported)},
    {"reported", offsetof(struct db_campaign_row, reported)},
    {"confirmed", offsetof(struct db_campaign_row, confirmed)},
    {"fixed", offsetof(struct db_campaign_row, fixed)},
    {"refused", offsetof(struct db_campaign_row, refused)},
};
/* clang-format on */

struct published {
    struct csv_rows csv;
    struct db_campaign_row *ours; /* of each row: of the same project; of a figure, of all */
};

static const struct figure *figure_of(const struct csv_row *row)
{
    size_t i = 0;

    while (i < ARRAY_LEN(figures) && !span_eq(row->cells[WHAT], span_of(figures[i].name)))
        i++;
    return i < ARRAY_LEN(figures) ? &figures[i] : NULL;
}

/* 0 to UINT32_MAX; -1: it is not such a number. */
static int64_t number_of(const struct csv_row *row)
{
    int64_t n;

    return span_i64(row->cells[N], &n) && n >= 0 && n <= UINT32_MAX ? n : -1;
}

static enum status MUST_USE read_published(struct csv_rows *csv, struct span content, struct err *e)
{
    static const char *const names[CELLS] = {"what", "n", "checker", "project", "url"};
    enum status status = csv_rows_read(csv, content, "campaign.csv", names, CELLS, e);

    for (size_t i = 0; i < csv->items.n && status == ST_OK; i++) {
        const struct csv_row *row = &csv->items.at[i];
        if (figure_of(row) == NULL || number_of(row) < 0)
            status = err_set(e, ST_INPUT,
                             "campaign.csv:%zu: expected what (projects with reports, reported, confirmed, fixed or"
                             " refused) and n, a number",
                             row->line);
    }
    return status;
}

enum status report_campaign_check(struct span content, struct err *e)
{
    AT_END(csv_rows_clear) struct csv_rows csv;
    return read_published(&csv, content, e);
}

static void add_ours(void *ctx, const struct db_campaign_row *row)
{
    struct published *p = ctx;

    for (size_t i = 0; i < p->csv.items.n; i++)
        if (span_eq(p->csv.items.at[i].cells[PROJECT], row->name.ptr != NULL ? row->name : SPAN("")))
            p->ours[i] = *row;
}

/* Each figure, and how much of it the list names. */
static void add_figures(struct table *t, const struct published *p)
{
    table_columns(t, "what; published int; listed int; links int; ours int; check");
    for (size_t i = 0; i < p->csv.items.n; i++) {
        const struct csv_row *figure = &p->csv.items.at[i];
        int64_t listed = 0, links = 0;
        if (figure->cells[PROJECT].len > 0)
            continue;
        for (size_t j = 0; j < p->csv.items.n; j++) {
            const struct csv_row *row = &p->csv.items.at[j];
            if (row->cells[PROJECT].len == 0 || !span_eq(row->cells[WHAT], figure->cells[WHAT]))
                continue;
            listed += number_of(row);
            links += row->cells[URL].len > 0;
        }
        int64_t n = number_of(figure);
        const char *check = listed < n ? "a part is listed" : "differs: more are listed";
        if (listed == n)
            check = "agrees with the list";
        table_add_row(t, table_text(figure->cells[WHAT]), table_int(n), table_int(listed), table_int(links),
                      table_int(count_of(&p->ours[i], figure_of(figure)->ours)),
                      table_text(span_of(listed == 0 ? "cannot be: nothing is listed" : check)));
    }
    table_note(t, "published: the figures of the study. listed, links: what its public list says of them. check:"
                  " whether the list and the figure agree. ours: this database.");
}

static void add_listed(struct table *t, const struct published *p)
{
    table_columns(t, "project; what; checker; url; listed int; ours int");
    for (size_t i = 0; i < p->csv.items.n; i++) {
        const struct csv_row *row = &p->csv.items.at[i];
        if (row->cells[PROJECT].len == 0)
            continue;
        table_add_row(t, table_text(row->cells[PROJECT]), table_text(row->cells[WHAT]), table_text(row->cells[CHECKER]),
                      table_text(row->cells[URL]), table_int(number_of(row)),
                      p->ours[i].projects > 0 ? table_int(count_of(&p->ours[i], figure_of(row)->ours))
                                              : table_absent());
    }
    table_note(t, "listed: problems of the project in the study's public list. ours: how many of our findings are in"
                  " that state. A dash: this database has no scan of a project of this name.");
}

static enum status MUST_USE add_study(struct table_list *r, struct db *db, const char *table, struct err *e)
{
    struct published p = {0};
    AT_END(buf_clear) struct buf content = {0};
    enum status status = db_study_file_read(db, "campaign.csv", &content, e);

    if (status == ST_OK && content.ptr != NULL)
        status = read_published(&p.csv, buf_span(&content), e);
    p.ours = mem_zero(p.csv.items.n + 1, sizeof *p.ours);
    if (status == ST_OK && p.csv.items.n > 0)
        status = db_campaign_each(db, false, add_ours, &p, e);
    for (int i = PUBLISHED; i <= LISTED && status == ST_OK && p.csv.items.n > 0; i++)
        if (table == NULL || strcmp(table, report_campaign_ids[i]) == 0)
            (i == PUBLISHED ? add_figures : add_listed)(
                table_list_add(r, report_campaign_ids[i],
                               i == PUBLISHED ? "Campaign of the study" : "Projects in the study's list"),
                &p);
    mem_free(p.ours);
    csv_rows_clear(&p.csv);
    return status;
}

enum status report_campaign(struct table_list *r, struct db *db, const char *table, double confidence, struct err *e)
{
    static const char *const titles[] = {"Campaign", "Campaign by project", "Campaign by rule"};
    static const char *const names[] = {"what", "project", "rule"};
    enum status status = ST_OK;

    for (int i = TOTAL; i <= BY_RULE && status == ST_OK; i++) {
        if (table != NULL && strcmp(table, report_campaign_ids[i]) != 0)
            continue;
        struct campaign c = {table_list_add(r, report_campaign_ids[i], titles[i]), confidence};
        if (i == TOTAL) {
            table_column_add(c.t, names[i], NULL, TABLE_TEXT);
            share_columns(c.t, "", NULL, confidence);
        } else {
            table_columns(c.t, "%s; findings int; gone int; reported int", names[i]);
            for (size_t k = 0; k < ARRAY_LEN(shares); k++)
                share_columns(c.t, shares[k].name, shares[k].title, confidence);
        }
        status = db_campaign_each(db, i == BY_RULE, i == TOTAL ? add_total : add_row, &c, e);
        table_note(c.t,
                   "confirmed includes fixed. Shares of confirmed, fixed and refused are of the"
                   " reported findings. from, to: Wilson score interval at %g%%.",
                   c.confidence * 100);
    }
    return status == ST_OK ? add_study(r, db, table, e) : status;
}
