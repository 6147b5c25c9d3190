/* label discuss: what coders say to each other about a post or problem. */
#include "cli/options.h"
#include "label/coding/discussion.h"
#include "label/label.h"
#include "base/table/table.h"
#include "base/log.h"

static enum status MUST_USE print_thread(const struct invocation *in, struct span coder, int64_t post_id, struct err *e)
{
    struct table t;
    struct sql *messages = NULL;
    struct db_note message;
    bool open;
    enum status status = discussion_is_open(in->db, &open, e);

    table_init(&t, "discussion", "Discussion", "written_at; coder; subject; text <80");
    THEN(status, discussion_messages(in->db, coder, post_id, &messages, e));
    while (status == ST_OK && db_note_next(in->db, messages, &message, &status, e))
        table_add_row(&t, table_text(message.written_at), table_text(message.coder), table_text(message.subject),
                      table_text(message.text));
    if (status == ST_OK && !open)
        log_info("coding is still blind: only your own messages are shown; `ppmine label discuss --open`,"
                 " when all coders have finished");
    return table_end(&t, status, &in->out);
}

static enum status run_label_discuss(struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    AT_END(buf_clear) struct buf coder = {0};
    struct span subject = span_of(in->n_operands > 0 ? in->operands[0] : NULL);
    int64_t post_id = 0; /* all */

    if (subject.ptr != NULL && !problem_id_read(subject, &post_id))
        return usage_error(in, e, "'%s': expected the id of a post, with _1, _2, … for a problem", subject.ptr);
    enum status status = refuse(
        e, {o->say != NULL && subject.ptr == NULL, "label discuss: --say needs the post or problem that it is about"},
        {o->open && (o->say != NULL || subject.ptr != NULL), "label discuss: --open takes no post and no --say"});
    THEN(status, coder_option(in, &coder, e));
    THEN(status, invocation_open_db(in, o->open || o->say != NULL ? DB_WRITE : DB_READ, e));
    if (status == ST_OK && o->open) {
        status = discussion_open(in->db, buf_span(&coder), e);
        if (status == ST_OK)
            log_info("the discussion is open: every coder sees all messages");
    } else if (status == ST_OK && o->say != NULL) {
        status = discussion_say(in->db, buf_span(&coder), subject, span_of(o->say), e);
        if (status == ST_OK)
            log_info("%.*s: said", SPAN_ARG(subject));
    } else if (status == ST_OK) {
        status = print_thread(in, buf_span(&coder), post_id, e);
    }
    return status;
}

const struct command command_label_discuss = {
    .name = "label discuss",
    .summary = "Write and read what coders say about a post or problem",
    .operands = "[SUBJECT]",
    .options = OPTIONS(CODER_OPTION, TEXT("say", say, "TEXT", "write this message"),
                       FLAG("open", open, "let coders see each other's messages; cannot be undone"), OUTPUT_OPTIONS),
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
