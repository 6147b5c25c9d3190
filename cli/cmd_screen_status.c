/* screen status and doubtful: how far a screening is, and whether it may end; answers to be looked at again. */
#include "cli/screen_options.h"
#include "base/log.h"
#include "base/table/table.h"
#include "db/posts.h"

#include <math.h>

static struct table_cell size_cell(size_t value)
{
    return value == SIZE_MAX ? table_absent() : table_int((int64_t)value); /* SIZE_MAX: not known */
}

static size_t read_by(const struct screening_state *now, enum db_screen_stratum stratum)
{
    const size_t *n = now->n_of[stratum];

    return n[DB_SCREEN_NO] + n[DB_SCREEN_YES] + n[DB_SCREEN_UNSURE];
}

static void fill(struct table *t, const struct screen_session *s, const struct screening_state *now)
{
    const struct {
        const char *measure;
        struct table_cell value;
    } rows[] = {
        {"posts", size_cell(now->n_posts)},
        {"read", size_cell(now->n_read)},
        {"read: ranked", size_cell(read_by(now, DB_SCREEN_RANKED))},
        {"read: random", size_cell(read_by(now, DB_SCREEN_RANDOM))},
        {"read: keyword", size_cell(read_by(now, DB_SCREEN_KEYWORD))},
        {"read: by hand", size_cell(read_by(now, DB_SCREEN_HAND))},
        {"found", size_cell(now->n_found)},
        {"unsure", size_cell(now->n_unsure)},
        {"recall, at least", table_real(now->recall_least)},
        {"left to find, at most", size_cell(now->most_left)},
        {"p of less recall than promised", table_real(now->p)},
        {"may stop", table_text(now->may_stop ? SPAN("yes") : SPAN("no"))},
        {"random posts without a find that prove it too", size_cell(now->random_needed)},
        {"found in the end, as SEMI guesses (a heuristic, no proof)", size_cell(screening_guess(s->screening))},
        {"read since the last find (a heuristic, no proof)", size_cell(now->n_since_find)},
    };

    table_init(t, "screen-status", "Screening", "measure; value real.3");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        table_add_row(t, table_text(span_of(rows[i].measure)), rows[i].value);
    table_note(t, "Recall of %g %% is promised with %g %% confidence.", 100 * s->how.rule.recall,
               100 * s->how.rule.confidence);
}

/* --- how posts came to be read --- */

static void fill_from(struct table *t, const struct screen_session *s, const struct screening_state *now)
{
    table_init(t, "screen-from", "How posts came to be read",
               "from; read int; share_of_read share = of all read; yes int; no int; unsure int; "
               "share_of_yes share = yes of yes and no; low share; high share");
    for (size_t i = 0; i < DB_SCREEN_STRATA; i++) {
        const size_t *n = now->n_of[i];
        size_t n_read = read_by(now, (enum db_screen_stratum)i);
        table_add_row(t, table_text(span_of(db_screen_strata[i])), table_int((int64_t)n_read),
                      table_real(now->n_read > 0 ? (double)n_read / (double)now->n_read : NAN),
                      table_int((int64_t)n[DB_SCREEN_YES]), table_int((int64_t)n[DB_SCREEN_NO]),
                      table_int((int64_t)n[DB_SCREEN_UNSURE]));
        /* Of random posts alone the share says something about others. */
        bool random = i == DB_SCREEN_RANDOM;
        size_t judged = n[DB_SCREEN_YES] + n[DB_SCREEN_NO];
        struct proportion yes = {.share = NAN, .low = NAN, .high = NAN};

        if (judged > 0)
            wilson_interval(n[DB_SCREEN_YES], judged, s->how.rule.confidence, &yes);
        table_add_row(t, table_real(yes.share), table_real(random ? yes.low : NAN),
                      table_real(random ? yes.high : NAN));
    }
    table_note(t,
               "%zu of %zu posts are read. Only random posts are a sample, of the posts that were"
               " not read before them (%g %% interval); the other shares describe what was chosen.",
               now->n_read, now->n_posts, 100 * s->how.rule.confidence);
}

static enum status run_screen_status(struct invocation *in, struct err *e)
{
    struct screen_session session = {0};
    struct screening_state now;
    struct table t;
    enum status status = screen_session_open(&session, in, e);

    if (status == ST_OK) {
        screening_state(session.screening, &now);
        (in->values.from_flag ? fill_from : fill)(&t, &session, &now);
        table_print(&t, &in->out);
        table_clear(&t);
        status = now.may_stop ? ST_OK : ST_NO;
    }
    screen_session_close(&session);
    return status;
}

const struct command command_screen_status = {
    .name = "screen status",
    .summary = "Show the progress of a screening, and whether it may stop",
    .options = OPTIONS(CODER_OPTION,
                       FLAG("from", from_flag, "print how posts came to be read: ranked, random, keyword or hand"),
                       SCREEN_OPTIONS, OUTPUT_OPTIONS),
    .description = "Counts the posts that the coder has read and the problems found, and tests whether the\n"
                   "recall of --recall is reached: by a hypergeometric test over the whole history of the\n"
                   "reading (Callaghan and Mueller-Hansen 2020), or by random posts of which none was a\n"
                   "problem. Posts answered with 'unsure' are treated as not read.\n\n"
                   "With --from, it counts the answers by how the posts were chosen instead; the exit code is\n"
                   "the same.",
    .examples = EXAMPLES({"ppmine screen status --coder ann", "exit code 0: you may stop"},
                         {"ppmine screen status --coder ann --recall 90 --format json", NULL},
                         {"ppmine screen status --coder ann --from --format latex", "for the paper"}),
    .nothing = "the recall is not reached yet: continue reading",
    .needs = NEEDS_DB_READ,
    .run = run_screen_status,
};

/* --- screen doubtful: answers of a coder that the model finds unlikely --- */

static enum status run_screen_doubtful(struct invocation *in, struct err *e)
{
    struct screen_session session = {0};
    AT_END(mem_end) struct screening_doubt *doubts = NULL;
    struct table t;
    size_t n = 0;
    struct err why = {0};
    enum status status = screen_session_open(&session, in, e);
    bool opened = status == ST_OK;

    THEN(status, screening_doubts(session.screening, &doubts, &n, &why));
    if (opened && status == ST_NO)
        log_info("too few answers: %s", why.text);
    if (status == ST_OK) {
        table_init(&t, "screen-doubtful", "Doubtful answers",
                   "post_id int; answer; score real.2; doubt real.2; title <60");
        table_note(&t, "score: by a model that did not see the answer. doubt: standard deviations from"
                       " the other answers of the kind.");
        for (size_t i = 0; i < n && i < in->values.n && status == ST_OK; i++) {
            post_id_cell(&t, doubts[i].post_id);
            table_add_row(&t, table_text(doubts[i].is_yes ? SPAN("yes") : SPAN("no")), table_real(doubts[i].score),
                          table_real(doubts[i].doubt));
            status = db_post_title_cell(in->db, doubts[i].post_id, &t, e);
        }
        status = table_end(&t, status, &in->out);
    }
    screen_session_close(&session);
    return status;
}

const struct command command_screen_doubtful = {
    .name = "screen doubtful",
    .summary = "List answers that the model finds unlikely",
    .options = OPTIONS(CODER_OPTION, NUMBER("n", n, "N", 1, UINT32_MAX, 20, "list N answers (default: 20)", 'n'),
                       SCREEN_OPTIONS, OUTPUT_OPTIONS),
    .description = "Scores each answer of the coder by a model that learned from the other answers (5-fold\n"
                   "cross-validation), and lists those that are least like the others of their kind, the most\n"
                   "doubtful first. They may be slips, or just unusual: look at them again.",
    .examples = EXAMPLES({"ppmine screen doubtful --coder ann", "then: ppmine label set POST --problem ANSWER"}),
    .nothing = "there are too few answers: five of yes and of no are needed",
    .needs = NEEDS_DB_READ,
    .run = run_screen_doubtful,
};
