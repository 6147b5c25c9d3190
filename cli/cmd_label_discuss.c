/* label discuss: what coders say to each other about a post or problem. */
#include "cli/options.h"
#include "label/coding/discussion.h"
#include "label/label.h"
#include "base/table/table.h"
#include "base/log.h"

struct discussing {
    struct invocation *in;
    struct buf coder;
    struct span subject; /* ptr NULL: none */
    int64_t post_id;     /* 0: all */
};

static enum status MUST_USE print_thread(const struct discussing *d, const struct table_output *out, struct err *e)
{
    struct table t;
    struct sql *messages = NULL;
    struct db_note message;
    bool open;
    enum status status = discussion_is_open(d->in->db, &open, e);

    table_init(&t, "discussion", "Discussion", "written_at; coder; subject; text <80");
    THEN(status, discussion_messages(d->in->db, buf_span(&d->coder), d->post_id, &messages, e));
    while (status == ST_OK && db_note_next(d->in->db, messages, &message, &status, e))
        table_add_row(&t, table_text(message.written_at), table_text(message.coder), table_text(message.subject),
                      table_text(message.text));
    if (status == ST_OK && !open)
        log_info("coding is still blind: only your own messages are shown; `ppmine label discuss --open`,"
                 " when all coders have finished");
    return table_end(&t, status, out);
}

static enum status MUST_USE read_wanted(struct discussing *d, struct err *e)
{
    struct invocation *in = d->in;

    if (in->n_operands > 0) {
        d->subject = span_of(in->operands[0]);
        if (!problem_id_read(d->subject, &d->post_id))
            return err_set(e, ST_USAGE, "label discuss: '%s': expected the id of a post, with _1, _2, … for a problem",
                           in->operands[0]);
    }
    if (in->values.say != NULL && d->subject.ptr == NULL)
        return err_set(e, ST_USAGE, "label discuss: --say needs the post or problem that it is about");
    if (in->values.open && ((in->values.say != NULL) || d->subject.ptr != NULL))
        return err_set(e, ST_USAGE, "label discuss: --open takes no post and no --say");
    return coder_option(in, &d->coder, e);
}

static enum status run_label_discuss(struct invocation *in, struct err *e)
{
    struct discussing d = {.in = in};
    bool writes = (in->values.say != NULL) || in->values.open;
    enum status status = read_wanted(&d, e);

    THEN(status, invocation_open_db(in, writes ? DB_WRITE : DB_READ, e));
    if (status == ST_OK && in->values.open)
        status = discussion_open(in->db, buf_span(&d.coder), e);
    else if (status == ST_OK && writes)
        status = discussion_say(in->db, buf_span(&d.coder), d.subject, span_of(in->values.say), e);
    else if (status == ST_OK)
        status = print_thread(&d, &in->out, e);
    if (status == ST_OK && in->values.open)
        log_info("the discussion is open: every coder sees all messages");
    else if (status == ST_OK && writes)
        log_info("%.*s: said", SPAN_ARG(d.subject));
    buf_clear(&d.coder);
    return status;
}

const struct command command_label_discuss = {
    .name = "label discuss",
    .summary = "Write and read what coders say about a post or problem",
    .operands = "[SUBJECT]",
    .options = OPTIONS(CODER_OPTION, {"say", '\0', TEXT(say, "TEXT"), "write this message"},
                       {"open", '\0', FLAG(open), "let coders see each other's messages; cannot be undone"},
                       OUTPUT_OPTIONS),
    .description = "Prints the messages of coders about the post of SUBJECT, or about all posts. Coders may write\n"
                   "at any time. While they code blind, each sees only their own messages; --open, or opening the\n"
                   "settling on the page of `ppmine serve`, ends that. `label merge` merges messages as it merges\n"
                   "decisions. A replication package contains them once the discussion is open. A note (`label set\n"
                   "--note`) is different: it is private, and never published.",
    .examples = EXAMPLES(
        {"ppmine label discuss 65160023_1 --coder ann --say 'It ends after an hour, see the comments.'", NULL},
        {"ppmine label discuss 65160023 --coder bob", "all messages about the post"},
        {"ppmine label discuss --open --coder ann", "when all coders have finished"}),
    .nothing = "there is no message",
    .needs = NEEDS_DB_PATH,
    .run = run_label_discuss,
};
