/* campaign set: what became of findings. */
#include "base/day.h"
#include "cli/options.h"
#include "results/campaign.h"

enum { URL_MAX = 2000 };

struct asked {
    struct db_state_change change;
    struct buf by;
    size_t n_set, n_same;
};

static bool is_url(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] <= ' ' || s.ptr[i] == 0x7f)
            return false;
    return (span_starts(s, SPAN("https://")) || span_starts(s, SPAN("http://"))) && s.len > 10 &&
           s.len <= URL_MAX && utf8_valid_prefix(s) == s.len;
}

static enum status MUST_USE read_state(const char *text, enum db_state *state, struct err *e)
{
    struct buf list = {0};

    for (size_t i = 0; db_state_names[i] != NULL; i++) {
        *state = (enum db_state)i;
        if (strcmp(db_state_names[i], text) == 0) {
            buf_clear(&list);
            return ST_OK;
        }
        buf_addf(&list, "%s%s", i > 0 ? ", " : "", db_state_names[i]);
    }
    err_set(e, ST_USAGE, "campaign set: '%s' is no state; there are: %s", text, buf_cstr(&list));
    buf_clear(&list);
    return ST_USAGE;
}

static enum status MUST_USE read_asked(const struct invocation *in, struct asked *a,
                                       struct err *e)
{
    struct db_state_change *change = &a->change;
    enum status status = read_state(in->operands[0], &change->state, e);

    if (status == ST_OK && in->n_operands < 2)
        status = err_set(e, ST_USAGE, "campaign set: which findings? `ppmine campaign list` has"
                                      " their ids");
    if (status == ST_OK)
        status = by_option(in, &a->by, e);
    if (status == ST_OK)
        status = reason_option(in, &change->reason, e);
    if (status != ST_OK)
        return status;
    change->by = buf_span(&a->by);
    if (option_given(in, "url"))
        change->url = span_of(option_text(in, "url", ""));
    if (option_given(in, "date"))
        change->happened = span_of(option_text(in, "date", ""));
    if (change->url.ptr != NULL && !is_url(change->url))
        return err_set(e, ST_USAGE, "campaign set: --url '%.200s': expected an address that begins"
                                    " with https:// or http://", change->url.ptr);
    if (change->happened.ptr != NULL && !day_is(change->happened))
        return err_set(e, ST_USAGE, "campaign set: --date '%.40s': expected a day such as"
                                    " 2021-03-04", change->happened.ptr);
    if (change->state == DB_REFUSED && change->reason.ptr == NULL)
        return err_set(e, ST_USAGE, "campaign set: why was it refused? Give --reason: such answers"
                                    " are what makes a checker better");
    return ST_OK;
}

static enum status set_one(void *ctx, struct db *db, const char *finding_id, struct err *e)
{
    struct asked *a = ctx;
    bool changed;

    a->change.finding_id = finding_id;
    enum status status = db_state_put(db, &a->change, &changed, e);
    a->n_set += changed;
    a->n_same += !changed;
    return status;
}

static enum status run_campaign_set(struct invocation *in, struct err *e)
{
    struct asked a = {0};
    enum status status = read_asked(in, &a, e);

    if (status == ST_OK)
        status = invocation_open_db(in, DB_WRITE, e);
    if (status == ST_OK)
        status = campaign_each(in->db, in->operands + 1, in->n_operands - 1, set_one, &a, e);
    if (status == ST_OK)
        log_info("%s: %zu; said so already: %zu", db_state_names[a.change.state], a.n_set,
                 a.n_same);
    buf_clear(&a.by);
    return status;
}

static const struct option_spec options[] = {
    BY_OPTION,
    {"url", '\0', "URL", "address of the report, or of the answer to it"},
    {"reason", '\0', "TEXT", "the reason; needed for refused"},
    {"date", '\0', "DAY", "the day on which it happened: 2021-03-04"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine campaign set reported 5e1f 80c2 --by ann --url https://example.org/issues/7", NULL},
    {"ppmine campaign set fixed 5e1f --by ann --date 2021-03-04", NULL},
    {"ppmine campaign set refused 80c2 --by ann --reason 'the loop runs twice'", NULL},
    {NULL, NULL},
};

const struct command command_campaign_set = {
    .name = "campaign set",
    .summary = "Set the state of findings: reported, confirmed, fixed, refused",
    .operands = "STATE FINDING…",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options = options,
    .description =
        "A finding is named by its id or the beginning of its id. It must be reported first. A\n"
        "confirmed finding may be fixed or refused, a refused one may get any state, and a fixed\n"
        "one may only be reported again. Either all findings are set or none. Nothing is erased:\n"
        "`campaign undo` takes the last state back, `campaign history` shows all.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_campaign_set,
};
