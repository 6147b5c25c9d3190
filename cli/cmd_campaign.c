/* campaign: what check found in projects, and what became of it. */
#include "cli/command.h"
#include "cli/options.h"
#include "base/day.h"
#include "check/campaign/findings.h"
#include "report/report.h"
#include "check/campaign/campaign.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/utf8.h"

/* --- campaign list --- */

static const char *const states[] = {"none", "reported", "confirmed", "fixed", "refused", NULL};

static struct table_cell optional(int64_t value)
{
    return value != 0 ? table_int(value) : table_absent();
}

/* What to think of before believing what `seen` says. */
static struct span remark(const struct db_finding *f)
{
    if (f->gone_since != 0 && f->tool_differs)
        return SPAN("another tool");
    if (f->still_found && !f->returned)
        return SPAN("still found");
    return f->returned ? SPAN("came back") : (struct span){0};
}

static void add_finding(void *ctx, const struct db_finding *f)
{
    table_add_row(ctx, table_text(f->finding_id), table_text(f->project), table_text(f->rule), table_text(f->severity),
                  table_text(f->file), table_int(f->line), optional(f->cell), table_text(f->function),
                  table_text(f->seen), table_text(f->commit), optional(f->gone_since), table_text(f->gone_commit),
                  table_text(remark(f)), table_text(f->state), table_text(f->url), table_text(f->message));
}

static enum status run_campaign_list(struct invocation *in, struct err *e)
{
    struct db_finding_query query = {0};
    struct table t;
    size_t state = SIZE_MAX, seen = SIZE_MAX;
    enum status status = option_choice(in, &in->values.state, states, &state, e);

    THEN(status, option_choice(in, &in->values.seen, db_seen_names, &seen, e));
    query.project = span_of(in->values.project);
    query.rule = span_of(in->values.rule);
    if (state != SIZE_MAX)
        query.state = span_of(states[state]);
    if (seen != SIZE_MAX)
        query.seen = span_of(db_seen_names[seen]);

    table_init(&t, "campaign-list", "Findings",
               "finding; project <30; rule; severity; file <40; line int; cell int; function <30; "
               "seen; commit <12; since int; since_commit <12; remark; state; url; message <60");
    THEN(status, invocation_open_db(in, DB_READ, e));
    THEN(status, db_finding_each(in->db, &query, add_finding, &t, e));
    return table_end(&t, status, &in->out);
}

const struct command command_campaign_list = {
    .name = "campaign list",
    .summary = "List findings with their state, and whether the last scan found them",
    .options = OPTIONS(
        TEXT("project", project, "NAME", "list the findings of this project"),
        TEXT("rule", rule, "RULE", "list the findings of this rule (PP301), or of all that begin with PP1"),
        TEXT("state", state, "STATE", "list findings in this state: none, reported, confirmed, fixed or refused"),
        TEXT("seen", seen, "HOW", "list findings that the last scan saw as: found, ignored, baseline, unread or gone"),
        OUTPUT_OPTIONS),
    .description = "A finding is gone if a later scan with the same options did not find it; `since` is that\n"
                   "scan. This suggests a fix, but does not prove it.",
    .examples = EXAMPLES({"ppmine campaign list --state none --seen found", "findings that could be reported"},
                         {"ppmine campaign list --state reported --seen gone", "fixed without an answer?"},
                         {"ppmine campaign list --state fixed --seen found", "not fixed after all?"}),
    .nothing = "there is no such finding",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_list,
};

/* --- campaign scans --- */

static void add_scan(void *ctx, const struct db_scan_row *scan)
{
    table_add_row(ctx, table_int(scan->scan_id), table_text(scan->project), table_text(scan->commit),
                  table_text(scan->code_at), table_text(scan->tool_version), table_int(scan->files),
                  table_int(scan->unread), table_int(scan->found), table_int(scan->ignored), table_int(scan->baseline));
}

static enum status run_campaign_scans(struct invocation *in, struct err *e)
{
    struct table t;
    enum status status = invocation_open_db(in, DB_READ, e);

    table_init(&t, "campaign-scans", "Scans",
               "scan int; project <30; commit <12; code_at; tool_version; files int; unread int; "
               "found int; ignored int; baseline int");
    THEN(status, db_scan_each(in->db, span_of(in->values.project), add_scan, &t, e));
    return table_end(&t, status, &in->out);
}

const struct command command_campaign_scans = {
    .name = "campaign scans",
    .summary = "List the scans that check kept: project, version, number of findings",
    .options = OPTIONS(TEXT("project", project, "NAME", "list the scans of this project"), OUTPUT_OPTIONS),
    .description = "Scans are ordered by project and date of the code.",
    .examples = EXAMPLES({"ppmine campaign scans", NULL}),
    .nothing = "there is no scan",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_scans,
};

/* --- campaign set --- */

enum { URL_MAX = 2000 };

struct set_asked {
    struct db_state_change change;
    struct buf by;
    size_t n_set, n_same;
};

static bool is_url(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] <= ' ' || s.ptr[i] == 0x7f)
            return false;
    return (span_starts(s, SPAN("https://")) || span_starts(s, SPAN("http://"))) && s.len > 10 && s.len <= URL_MAX &&
           utf8_valid_prefix(s) == s.len;
}

static enum status MUST_USE read_state(const char *text, enum db_state *state, struct err *e)
{
    AT_END(buf_clear) struct buf list = {0};

    for (size_t i = 0; db_state_names[i] != NULL; i++) {
        *state = (enum db_state)i;
        if (strcmp(db_state_names[i], text) == 0)
            return ST_OK;
        buf_addf(&list, "%s%s", i > 0 ? ", " : "", db_state_names[i]);
    }
    return err_set(e, ST_USAGE, "campaign set: '%s' is not a state; expected one of: %s", text, buf_cstr(&list));
}

static enum status set_one(void *ctx, struct db *db, const char *finding_id, struct err *e)
{
    struct set_asked *a = ctx;
    bool changed;

    a->change.finding_id = finding_id;
    enum status status = db_state_put(db, &a->change, &changed, e);
    a->n_set += changed;
    a->n_same += !changed;
    return status;
}

static enum status run_campaign_set(struct invocation *in, struct err *e)
{
    struct set_asked a = {0};
    struct db_state_change *change = &a.change;
    enum status status = read_state(in->operands[0], &change->state, e);

    if (status == ST_OK && in->n_operands < 2)
        status = usage_error(in, e, "which findings? `ppmine campaign list` has their ids");
    THEN(status, by_option(in, &a.by, e));
    THEN(status, reason_option(in, &change->reason, e));
    change->by = buf_span(&a.by);
    change->url = span_of(in->values.url);
    change->happened = span_of(in->values.date);
    if (status == ST_OK && change->url.ptr != NULL && !is_url(change->url))
        status = usage_error(in, e, "--url '%.200s': expected an address that begins with https:// or http://",
                             change->url.ptr);
    if (status == ST_OK && change->happened.ptr != NULL && !day_is(change->happened))
        status = usage_error(in, e, "--date '%.40s': expected a day such as 2021-03-04", change->happened.ptr);
    if (status == ST_OK && change->state == DB_REFUSED && change->reason.ptr == NULL)
        status = usage_error(in, e, "refused needs --reason: it says how the checker can be improved");
    THEN(status, invocation_open_db(in, DB_WRITE, e));
    THEN(status, campaign_each(in->db, in->operands + 1, in->n_operands - 1, set_one, &a, e));
    if (status == ST_OK)
        log_info("%s: %zu; said so already: %zu", db_state_names[a.change.state], a.n_set, a.n_same);
    buf_clear(&a.by);
    return status;
}

const struct command command_campaign_set = {
    .name = "campaign set",
    .summary = "Set the state of findings: reported, confirmed, fixed, refused",
    .operands = "STATE FINDING…",
    .min_operands = 1, /* it says itself where findings are listed */
    .options = OPTIONS(BY_OPTION, TEXT("url", url, "URL", "address of the report, or of the reply to it"),
                       TEXT("reason", reason, "TEXT", "the reason; needed for refused"),
                       TEXT("date", date, "DAY", "the day on which it happened: 2021-03-04")),
    .description = "A finding is named by its id or the beginning of its id. It must be reported first. A\n"
                   "confirmed finding may be fixed or refused, a refused one may get any state, and a fixed\n"
                   "one may only be reported again. Either all findings are set or none. Nothing is erased:\n"
                   "`campaign undo` takes the last state back, `campaign history` shows all.",
    .examples = EXAMPLES({"ppmine campaign set reported 5e1f 80c2 --by ann --url https://example.org/issues/7", NULL},
                         {"ppmine campaign set fixed 5e1f --by ann --date 2021-03-04", NULL},
                         {"ppmine campaign set refused 80c2 --by ann --reason 'the loop runs twice'", NULL}),
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_set,
};

/* --- campaign undo --- */

struct undo_asked {
    struct buf by;
    struct span reason;
    size_t n_undone;
};

static enum status undo_one(void *ctx, struct db *db, const char *finding_id, struct err *e)
{
    struct undo_asked *a = ctx;
    const char *undone;
    enum status status = db_state_undo(db, finding_id, buf_span(&a->by), a->reason, &undone, e);

    if (status == ST_OK && undone == NULL)
        log_info("%s: has no state", finding_id);
    else if (status == ST_OK)
        log_info("%s: no longer %s", finding_id, undone);
    a->n_undone += status == ST_OK && undone != NULL;
    return status;
}

static enum status run_campaign_undo(struct invocation *in, struct err *e)
{
    struct undo_asked a = {0};
    enum status status = by_option(in, &a.by, e);

    THEN(status, reason_option(in, &a.reason, e));
    THEN(status, invocation_open_db(in, DB_WRITE, e));
    THEN(status, campaign_each(in->db, in->operands, in->n_operands, undo_one, &a, e));
    buf_clear(&a.by);
    return status == ST_OK && a.n_undone == 0 ? ST_NO : status;
}

const struct command command_campaign_undo = {
    .name = "campaign undo",
    .summary = "Undo the last state of findings",
    .operands = "FINDING…",
    .options = OPTIONS(BY_OPTION, TEXT("reason", reason, "TEXT", "the reason")),
    .description = "The previous state becomes current again. Run it again to undo that one too. Nothing is\n"
                   "erased: `campaign history` shows all.",
    .examples = EXAMPLES({"ppmine campaign undo 5e1f --by ann --reason 'another finding was meant'", NULL}),
    .nothing = "there is nothing to undo",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_undo,
};

/* --- campaign history --- */

static void add_event(void *ctx, const struct db_finding_event *event)
{
    table_add_row(ctx, table_text(event->at), table_text(event->finding_id), table_text(event->what),
                  optional(event->scan_id), table_text(event->commit), table_text(event->by),
                  table_text(event->happened), table_text(event->undone ? SPAN("yes") : (struct span){0}),
                  table_text(event->url), table_text(event->reason));
}

static enum status run_campaign_history(struct invocation *in, struct err *e)
{
    char id[DB_FINDING_ID_LEN + 1];
    struct span finding = {0};
    struct table t;
    enum status status = invocation_open_db(in, DB_READ, e);

    table_init(&t, "campaign-history", "What was said of findings",
               "at; finding; what; scan int; commit <12; by; happened; undone; url; reason <60");
    if (status == ST_OK && in->n_operands > 0) {
        status = db_finding_find(in->db, span_of(in->operands[0]), id, e);
        finding = span_of(id);
    }
    THEN(status, db_finding_event_each(in->db, finding, add_event, &t, e));
    return table_end(&t, status, &in->out);
}

const struct command command_campaign_history = {
    .name = "campaign history",
    .summary = "List the states of findings: who set them and when",
    .operands = "[FINDING]",
    .options = OPTIONS(OUTPUT_OPTIONS),
    .description = "The oldest state is first; undone states are marked. For one finding, the list also has\n"
                   "the scans that checked its file, each with found or gone.",
    .examples = EXAMPLES(
        {"ppmine campaign history 5e1f", "the states of a finding, and the scans that checked its file"},
        {"ppmine campaign history --format csv > history.csv", "all states of all findings"}),
    .nothing = "there is no such finding or event",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_history,
};

/* --- campaign report --- */

static enum status run_campaign_report(struct invocation *in, struct err *e)
{
    size_t table = SIZE_MAX;
    AT_END(table_list_clear) struct table_list r = {0};
    enum status status = option_choice(in, &in->values.table, report_campaign_ids, &table, e);

    THEN(status, invocation_open_db(in, DB_READ, e));
    THEN(status, report_campaign(&r, in->db, table < SIZE_MAX ? report_campaign_ids[table] : NULL,
                                 (double)in->values.confidence_whole / 100, e));
    if (status == ST_OK && r.n == 0) {
        log_warn("%s: the study has no campaign.csv: no figures of a published campaign", in->db_path);
        status = ST_NO;
    } else if (status == ST_OK && table_rows(r.tables[0]) == 0) { /* the first is ours, unless one was asked for */
        log_warn("%s has no scans of projects: `ppmine -d %s check .` makes one", in->db_path, in->db_path);
        status = ST_NO;
    }
    if (status == ST_OK)
        table_list_print(&r, &in->out);
    return status;
}

const struct command command_campaign_report = {
    .name = "campaign report",
    .summary = "Count findings that were reported, confirmed, fixed, refused",
    .options = OPTIONS(
        TEXT("table", table, "ID",
             "print one table: campaign, campaign-project, campaign-rule, campaign-published or campaign-listed", 't'),
        NUMBER("confidence", confidence_whole, "PERCENT", 50, 99, 95, "level of the intervals (default: 95)"),
        OUTPUT_OPTIONS),
    .description = "Counts are total, by project and by rule. A confirmed or fixed finding counts as reported,\n"
                   "and a fixed one as confirmed. Shares have Wilson intervals. A study with a campaign.csv (the\n"
                   "built-in one has it) published a campaign: its figures are printed beside ours,\n"
                   "with how much of each its public list names, and the listed projects beside our scans.",
    .examples = EXAMPLES(
        {"ppmine campaign report", NULL}, {"ppmine campaign report --table campaign-rule --format csv", NULL},
        {"ppmine campaign report --table campaign-published", "the published figures, and which can be checked"}),
    .nothing = "no project was scanned",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_report,
};
