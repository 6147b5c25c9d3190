/* label code: post after post is shown and coded, with keys or with lines. */
#include "base/log.h"
#include "cli/options.h"
#include "label/coding/decisions.h"
#include "label/coding/dialog.h"
#include "label/coding/subject.h"
#include "label/label.h"

#include <unistd.h>

/* Who types the name of another coder by mistake would code as that one. */
static enum status MUST_USE check_coder(struct span coder, struct db *db, struct err *e)
{
    AT_END(buf_clear) struct buf near = {0};
    bool is_merged;
    enum status status = coder_known(db, coder, &is_merged, &near, e);

    if (near.len > 0)
        log_warn("'%.*s' is a new coder; do you mean '%s'?", SPAN_ARG(coder), buf_cstr(&near));
    if (status == ST_OK && is_merged)
        return err_set(e, ST_INPUT, "'%.*s' is what coders agreed on in the end; ppmine label resolve sets that",
                       SPAN_ARG(coder));
    return status;
}

static enum status run_label_code(struct invocation *in, struct err *e)
{
    const char *posts = in->values.posts, *term = getenv("TERM");
    struct dialog_how how = {.unfinished = in->values.unfinished, .lines = isatty(STDIN_FILENO) == 1 ? NULL : stdin};
    AT_END(buf_clear) struct buf name = {0};
    AT_END(array_end) struct queue_list list = {0};
    AT_END(post_shown_clear) struct post_shown shown = {.book = {0}};

    if (in->n_operands > 0 && !post_id_read(span_of(in->operands[0]), &how.first))
        return usage_error(in, e, "'%s': expected the id of a post", in->operands[0]);
    if (posts != NULL && how.unfinished)
        return usage_error(in, e, "--posts or --unfinished, not both");
    enum status status = coder_option(in, &name, e);
    struct span coder = buf_span(&name);
    if (status == ST_OK && posts != NULL)
        status = queue_list_read(&list, posts, coder, e);
    THEN(status, check_coder(coder, in->db, e));
    if (status == ST_OK && how.first != 0)
        status = subject_check(in->db, how.first, e);
    THEN(status, post_shown_init(&shown, in, e));
    THEN(status, post_shown_relate(&shown, e));

    how.pages = how.lines == NULL && !in->values.no_pager;
    how.view = shown.view;
    how.view.coder = coder;
    how.view.without_codes = true;
    how.suggests = shown.study.model_suggests && !in->values.blind;
    if (isatty(STDOUT_FILENO) == 1 && term != NULL && strcmp(term, "dumb") != 0) { /* ECMA-48 has reverse video */
        how.view.before_mark = "\033[7m";
        how.view.after_mark = "\033[27m";
    }
    how.queue = (struct queue){.db = in->db, .coder = coder, .list = posts != NULL ? &list : NULL};
    THEN(status, dialog_run(&how, e));
    if (status == ST_NO)
        log_info("nothing is left for %s", buf_cstr(&name));
    return status;
}

const struct command command_label_code = {
    .name = "label code",
    .summary = "Code post after post in the terminal",
    .operands = "[POST]",
    .options = OPTIONS(
        CODER_OPTION, TEXT("posts", posts, "FILE", "show only posts of this list, in its order"),
        FLAG("unfinished", unfinished, "show only posts that were judged a problem and lack a code", 'u'),
        FLAG("blind", blind, "show no hints, and no suggestions of a model", 'b'),
        FLAG("no-answers", no_answers, "show the question alone"),
        FLAG("no-pager", no_pager, "write long posts without $PAGER")),
    .description = "Shows a post that the coder has not judged, with its keywords marked, then asks: is it a\n"
                   "problem, and which codes does it have, facet by facet? A key answers, such as n for no\n"
                   "problem; ? lists the keys, and each code is shown with its own. Enter leaves a question as\n"
                   "it is. Each answer is stored at once; q, Esc or Ctrl-D ends, and the next start goes on\n"
                   "where this one ended. A number or a text is typed as a line. Nothing of other coders is shown.\n\n"
                   "When standard input is not a terminal, each line is an answer: a key; a word such as no, skip,\n"
                   "unsure, back, undo, problem or quit; note TEXT; reason TEXT; or codes by key, name or first\n"
                   "letters, with ';' between them and a reason after ' # '.",
    .examples = EXAMPLES({"ppmine label code --coder ann --posts sample.csv", "with keys, in a terminal"},
                         {"printf 'no\\nslow execution time\\n' | ppmine label code --coder ann", "with lines"}),
    .nothing = "nothing is left to judge",
    .needs = NEEDS_DB_WRITE,
    .run = run_label_code,
};
