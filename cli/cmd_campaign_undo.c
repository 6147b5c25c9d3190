/* campaign undo: takes the last state of findings back. */
#include "cli/options.h"
#include "results/campaign.h"

struct asked {
    struct buf by;
    struct span reason;
    size_t n_undone;
};

static enum status undo_one(void *ctx, struct db *db, const char *finding_id, struct err *e)
{
    struct asked *a = ctx;
    const char *undone;
    enum status status = db_state_undo(db, finding_id, buf_span(&a->by), a->reason, &undone, e);

    if (status != ST_OK)
        return status;
    if (undone == NULL) {
        log_info("%s: has no state", finding_id);
        return ST_OK;
    }
    a->n_undone++;
    log_info("%s: no longer %s", finding_id, undone);
    return ST_OK;
}

static enum status run_campaign_undo(struct invocation *in, struct err *e)
{
    struct asked a = {0};
    enum status status = by_option(in, &a.by, e);

    if (status == ST_OK)
        status = reason_option(in, &a.reason, e);
    if (status == ST_OK)
        status = invocation_open_db(in, DB_WRITE, e);
    if (status == ST_OK)
        status = campaign_each(in->db, in->operands, in->n_operands, undo_one, &a, e);
    buf_clear(&a.by);
    return status == ST_OK && a.n_undone == 0 ? ST_NO : status;
}

static const struct option_spec options[] = {
    BY_OPTION,
    {"reason", '\0', "TEXT", "the reason"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine campaign undo 5e1f --by ann --reason 'another finding was meant'", NULL},
    {NULL, NULL},
};

const struct command command_campaign_undo = {
    .name = "campaign undo",
    .summary = "Undo the last state of findings",
    .operands = "FINDING…",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options = options,
    .description =
        "The previous state becomes current again. Repeated, it undoes that one too. Nothing is\n"
        "erased: `campaign history` shows all.",
    .examples = examples,
    .nothing = "there is nothing to undo",
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_undo,
};
