/* screen doubtful: answers of a coder that the model finds unlikely, to be looked at again. */
#include "cli/screen_options.h"
#include "db/posts.h"
#include "base/table/table.h"
#include "base/log.h"

static enum status MUST_USE list(const struct invocation *in, const struct screen_session *s, uint64_t most,
                                 const struct table_output *out, struct err *e)
{
    AT_END(mem_end) struct screening_doubt *doubts;
    struct table t;
    size_t n;
    struct err why = {0};
    enum status status = screening_doubts(s->screening, &doubts, &n, &why);

    if (status == ST_NO)
        log_info("too few answers: %s", why.text);
    if (status == ST_OK) {
        table_init(&t, "screen-doubtful", "Doubtful answers",
                   "post_id int; answer; score real.2; doubt real.2; title <60");
        table_note(&t, "score: by a model that did not see the answer. doubt: standard deviations from"
                       " the other answers of the kind.");
        for (size_t i = 0; i < (n < most ? n : (size_t)most) && status == ST_OK; i++) {
            post_id_cell(&t, doubts[i].post_id);
            table_add_row(&t, table_text(doubts[i].is_yes ? SPAN("yes") : SPAN("no")), table_real(doubts[i].score),
                          table_real(doubts[i].doubt));
            status = db_post_title_cell(in->db, doubts[i].post_id, &t, e);
        }
        status = table_end(&t, status, out);
    }
    return status;
}

static enum status run_screen_doubtful(struct invocation *in, struct err *e)
{
    struct screen_session session = {0};
    enum status status = screen_session_open(&session, in, e);

    THEN(status, list(in, &session, in->values.n, &in->out, e));
    screen_session_close(&session);
    return status;
}

const struct command command_screen_doubtful = {
    .name = "screen doubtful",
    .summary = "List answers that the model finds unlikely",
    .options = OPTIONS(CODER_OPTION, {"n", 'n', NUMBER(n, "N", 1, UINT32_MAX, 20), "list N answers (default: 20)"},
                       SCREEN_OPTIONS, OUTPUT_OPTIONS),
    .description = "Scores each answer of the coder by a model that learned from the other answers (5-fold\n"
                   "cross-validation), and lists those that are least like the others of their kind, the most\n"
                   "doubtful first. They may be slips, or just unusual: look at them again.",
    .examples = EXAMPLES({"ppmine screen doubtful --coder ann", "then: ppmine label set POST --problem ANSWER"}),
    .nothing = "there are too few answers: five of yes and of no are needed",
    .needs = NEEDS_DB_READ,
    .run = run_screen_doubtful,
};
