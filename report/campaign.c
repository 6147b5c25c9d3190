/* campaign: how many findings were reported, confirmed, fixed, refused. */
#include "check/campaign/findings.h"
#include "report/report.h"
#include "report/tables.h"

const char *const report_campaign_ids[] = {"campaign", "campaign-project", "campaign-rule", NULL};

enum { TOTAL, BY_PROJECT, BY_RULE };

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

static void add_columns(struct campaign *c, const char *name)
{
    table_column_add(c->t, name, NULL, TABLE_TEXT);
    table_column_add(c->t, "findings", NULL, TABLE_INT);
    table_column_add(c->t, "gone", NULL, TABLE_INT);
    table_column_add(c->t, "reported", NULL, TABLE_INT);
    for (size_t i = 0; i < ARRAY_LEN(shares); i++)
        share_columns(c->t, shares[i].name, shares[i].title, c->confidence);
}

static void add_row(void *ctx, const struct db_campaign_row *row)
{
    struct campaign *c = ctx;

    if (row->name.ptr == NULL)
        return;
    table_add_text(c->t, row->name);
    table_add_int(c->t, row->findings);
    table_add_int(c->t, row->gone);
    table_add_int(c->t, row->reported);
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

static void add_notes(const struct campaign *c)
{
    table_note(c->t,
               "confirmed includes fixed. Shares of confirmed, fixed and refused are of the"
               " reported findings. from, to: Wilson score interval at %g%%.",
               c->confidence * 100);
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
            add_columns(&c, names[i]);
        }
        status = db_campaign_each(db, i == BY_RULE, i == TOTAL ? add_total : add_row, &c, e);
        add_notes(&c);
    }
    return status;
}
