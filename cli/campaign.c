#include "cli/campaign.h"

#include "db/campaign.h"
#include "label/label.h"

#include <stdlib.h>

enum { REASON_MAX = 10000 };

enum status campaign_by(const struct invocation *in, struct buf *name, struct err *e)
{
    const char *typed = option_text(in, "by", getenv("PPMINE_CODER"));
    struct err why = {0};

    if (typed == NULL || typed[0] == '\0')
        return err_set(e, ST_USAGE, "%s: who says so? Give --by NAME or set PPMINE_CODER",
                       in->command->name);
    if (coder_name_check(span_of(typed), name, &why) == ST_OK)
        return ST_OK;
    return err_set(e, ST_USAGE, "%s: the name with --by %s", in->command->name, why.text);
}

enum status campaign_reason(const struct invocation *in, struct span *reason, struct err *e)
{
    const char *typed = option_text(in, "reason", NULL);
    struct span s = span_trim(span_of(typed));

    *reason = typed != NULL ? s : (struct span){0};
    if (typed != NULL && (s.len == 0 || s.len > REASON_MAX || utf8_valid_prefix(s) < s.len))
        return err_set(e, ST_USAGE, "%s: --reason: expected 1 to %d bytes of UTF-8",
                       in->command->name, REASON_MAX);
    return ST_OK;
}

enum status campaign_each_operand(struct invocation *in, size_t first,
                                  enum status (*act)(void *ctx, struct db *db,
                                                     const char *finding_id, struct err *e),
                                  void *ctx, struct err *e)
{
    char id[DB_FINDING_ID_LEN + 1];
    enum status status = invocation_open_db(in, DB_WRITE, e);

    if (status == ST_OK)
        status = db_begin(in->db, e);
    for (size_t i = first; i < in->n_operands && status == ST_OK; i++) {
        status = db_finding_find(in->db, span_of(in->operands[i]), id, e);
        if (status == ST_OK)
            status = act(ctx, in->db, id, e);
    }
    if (status == ST_OK)
        status = db_commit(in->db, e);
    if (status != ST_OK && in->db != NULL)
        db_rollback(in->db);
    return status;
}
