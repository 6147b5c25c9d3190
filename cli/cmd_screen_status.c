/* screen status: how far a screening is, and whether it may end. */
#include "cli/screen_options.h"
#include "table/table.h"

#include <math.h>

static void add_count(struct table *t, const char *what, size_t value)
{
    table_add_text(t, span_of(what));
    table_add_int(t, (int64_t)value);
}

static void add_real(struct table *t, const char *what, double value)
{
    table_add_text(t, span_of(what));
    table_add_real(t, value);
}

static void fill(struct table *t, const struct screen_session *s, const struct screening_state *now)
{
    static const struct table_column columns[] = {
        {.name = "measure"}, {.name = "value", .kind = TABLE_REAL, .decimals = 3}};

    table_init(t, "screen-status", "Screening", columns, ARRAY_LEN(columns));
    add_count(t, "posts", now->n_posts);
    add_count(t, "read", now->n_read);
    add_count(t, "read: ranked", now->n_of[DB_SCREEN_RANKED]);
    add_count(t, "read: random", now->n_of[DB_SCREEN_RANDOM]);
    add_count(t, "read: keyword", now->n_of[DB_SCREEN_KEYWORD]);
    add_count(t, "read: by hand", now->n_of[DB_SCREEN_HAND]);
    add_count(t, "found", now->n_found);
    add_count(t, "unsure", now->n_unsure);
    add_real(t, "recall, at least", now->recall_least);
    add_count(t, "left to find, at most", now->most_left);
    add_real(t, "p of less recall than promised", now->p);
    table_add_text(t, SPAN("may stop"));
    table_add_text(t, now->may_stop ? SPAN("yes") : SPAN("no"));
    table_add_text(t, SPAN("random posts without a find that prove it too"));
    if (now->random_needed == SIZE_MAX)
        table_add_absent(t);
    else
        table_add_int(t, (int64_t)now->random_needed);
    add_count(t, "read since the last find (a heuristic, no proof)", now->n_since_find);
    table_note(t, "Recall of %g %% is promised with %g %% confidence.", 100 * s->how.rule.recall,
               100 * s->how.rule.confidence);
}

static enum status run_screen_status(struct invocation *in, struct err *e)
{
    struct screen_session session = {0};
    struct screening_state now;
    struct table_output out;
    struct table t;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK)
        status = screen_session_open(&session, in, e);
    if (status == ST_OK) {
        screening_state(session.screening, &now);
        fill(&t, &session, &now);
        table_print(&t, &out);
        table_clear(&t);
        status = now.may_stop ? ST_OK : ST_NO;
    }
    screen_session_close(&session);
    return status;
}

static const struct option_spec options[] = {
    CODER_OPTION,
    SCREEN_OPTIONS,
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine screen status --coder ann", "exit code 0: you may stop"},
    {"ppmine screen status --coder ann --recall 90 --format json", NULL},
    {NULL, NULL},
};

const struct command command_screen_status = {
    .name = "screen status",
    .summary = "Say how far a screening is, and whether it may end",
    .options = options,
    .description =
        "Counts what the coder has read and found, and tests whether the promised recall was\n"
        "reached: a hypergeometric test over all past moments of the reading (Callaghan and\n"
        "Mueller-Hansen 2020), or random posts without a find. Unsure posts count as not read.",
    .examples = examples,
    .nothing = "reading must go on",
    .needs = NEEDS_DB_READ,
    .run = run_screen_status,
};
