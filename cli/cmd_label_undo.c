/* label undo: takes a coder's last act back. */
#include "cli/options.h"
#include "coding/coders.h"
#include "db/decisions.h"
#include "label/label.h"

static void say_undone(void *ctx, const struct db_act *act)
{
    (void)ctx;
    log_info("undone: %.*s, %.*s: %.*s, of %.*s", (int)act->subject.len, act->subject.ptr,
             (int)act->facet.len, act->facet.ptr, (int)act->value.len, act->value.ptr,
             (int)act->decided_at.len, act->decided_at.ptr);
}

static enum status run_label_undo(struct invocation *in, struct err *e)
{
    struct buf coder = {0};
    int64_t post_id = 0;
    enum status status = coder_option(in, &coder, e);

    if (status == ST_OK && in->n_operands > 0 && !post_id_read(span_of(in->operands[0]), &post_id))
        status = err_set(e, ST_USAGE, "label undo: '%s': expected the id of a post",
                         in->operands[0]);
    if (status == ST_OK)
        status = coder_must_exist(in->db, buf_span(&coder), e);
    if (status == ST_OK)
        status = db_decision_undo(in->db, buf_span(&coder), post_id, say_undone, NULL, e);
    if (status == ST_NO)
        log_info("nothing to undo");
    buf_clear(&coder);
    return status;
}

static const struct option_spec options[] = {
    CODER_OPTION,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label undo --coder ann", NULL},
    {"ppmine label undo --coder ann 65160023", "the last act about this post"},
    {NULL, NULL},
};

const struct command command_label_undo = {
    .name = "label undo",
    .summary = "Take a coder's last act back",
    .operands = "[POST]",
    .max_operands = 1,
    .options = options,
    .description =
        "An act is all that one `label set` decided about a post. The previous decision becomes\n"
        "current again. Repeated, it takes back the act before. Nothing is erased: `label history`\n"
        "shows all.",
    .examples = examples,
    .nothing = "there is nothing to undo",
    .needs = NEEDS_DB_WRITE,
    .run = run_label_undo,
};
