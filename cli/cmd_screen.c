/* screen: the next post for a coder, and what the coder answers. */
#include "base/log.h"
#include "base/terminal.h"
#include "cli/screen_options.h"
#include "db/study.h"
#include "label/coding/queue.h"
#include "label/label.h"

#include <math.h>
#include <unistd.h>

static const char *const orders[] = {"ranked", "random", "keyword", NULL};
static const char *const answers[] = {"no", "yes", "unsure", NULL};

/* --- the session of the commands of screen --- */

enum status screen_session_open(struct screen_session *s, const struct invocation *in, struct err *e)
{
    AT_END(buf_clear) struct buf why = {0};

    *s = (struct screen_session){0};
    s->how = screening_how_default();
    s->how.study = &s->study;
    s->how.refresh = in->values.refresh;
    s->how.seed = in->values.seed;
    enum status status = coder_option(in, &s->coder, e);
    THEN(status, option_percent(in, &in->values.recall, 1, 100, &s->how.rule.recall, e));
    THEN(status, option_percent(in, &in->values.confidence, 50, 99.99, &s->how.rule.confidence, e));
    s->how.learn_from = in->values.learn_from;
    s->how.coder = buf_span(&s->coder);
    buf_addf(&s->cache, "%s-screen", in->db_path);
    s->how.cache = in->values.no_cache ? NULL : buf_cstr(&s->cache);
    THEN(status, db_study_load_unlabelled(&s->study, in->db, e));
    THEN(status, screening_open(&s->screening, in->db, &s->how, &why, e));
    if (why.len > 0)
        log_info("%s", buf_cstr(&why));
    if (status == ST_NO)
        log_info("%s has no questions: ppmine load or ppmine fetch brings some", in->db_path);
    if (status == ST_OK) {
        struct screening_state now;
        screening_state(s->screening, &now);
        if (now.n_elsewhere > 0)
            log_warn("%zu posts that '%.*s' judged are not counted: they are deleted, or are not questions of %s",
                     now.n_elsewhere, SPAN_ARG(s->how.coder), in->db_path);
    }
    return status;
}

void screen_session_close(struct screen_session *s)
{
    screening_close(s->screening);
    study_clear(&s->study);
    buf_clear(&s->coder);
    buf_clear(&s->cache);
}

/* "12 of 800 read, 5 found" and what that proves. */
static void tell_session(const struct screen_session *s)
{
    struct screening_state now;

    screening_state(s->screening, &now);
    if (now.is_limited)
        log_info("%zu of the %zu posts of the list read", now.n_listed_read, now.n_listed);
    if (now.n_read == 0 && !now.is_limited)
        log_info("%zu posts to read", now.n_posts);
    else if (now.n_read > 0)
        log_info("%s%zu of %zu posts read, %zu found; at least %.0f %% of what there is (%g %% confidence)%s",
                 now.is_limited ? "of all questions: " : "", now.n_read, now.n_posts, now.n_found,
                 100 * now.recall_least, 100 * s->how.rule.confidence, now.may_stop ? ": you may stop" : "");
}

/* --- screen --- */

struct screen {
    const struct invocation *in;
    struct screen_session session;
    struct post_shown shown;
    enum db_screen_stratum order;
    bool answered; /* --answer: what about which post */
    size_t answer;
    int64_t post_id;
};

/* --- showing a post --- */

static enum status MUST_USE print_text(const struct screen *s, const struct screening_next *next, struct err *e)
{
    AT_END(buf_clear) struct buf out = {0};
    enum status status = post_view_text(&s->shown.view, next->post_id, &out, e);

    if (status == ST_OK) {
        buf_add_char(&out, '\n');
        fwrite(out.ptr, 1, out.len, stdout);
        fflush(stdout);
    }
    return status;
}

static enum status MUST_USE print_json(const struct screen *s, const struct screening_next *next, struct err *e)
{
    struct screening_state now;
    AT_END(buf_clear) struct buf out = {0};

    screening_state(s->session.screening, &now);
    buf_add_char(&out, '{');
    enum status status = post_view_json(&s->shown.view, next->post_id, &out, e);
    buf_addf(&out, ",\"stratum\":\"%s\",\"score\":", orders[next->stratum]);
    if (isfinite(next->score))
        buf_addf(&out, "%.6g", next->score);
    else
        buf_add_text(&out, "null");
    buf_addf(&out,
             ",\"learned_from\":%zu,\"read\":%zu,\"found\":%zu,\"posts\":%zu,"
             "\"may_stop\":%s}\n",
             next->n_learned, now.n_read, now.n_found, now.n_posts, now.may_stop ? "true" : "false");
    if (status == ST_OK)
        fwrite(out.ptr, 1, out.len, stdout);
    return status;
}

/* --- answers --- */

static enum status MUST_USE read_answer(struct screen *s, struct err *e)
{
    const struct invocation *in = s->in;

    s->answered = in->values.answer != NULL;
    if (s->answered != (in->n_operands > 0))
        return err_set(e, ST_USAGE, "screen: --answer and the id of a post go together");
    if (s->answered && !post_id_read(span_of(in->operands[0]), &s->post_id))
        return err_set(e, ST_USAGE, "screen: '%s': expected the id of a post", in->operands[0]);
    return option_choice(in, &in->values.answer, answers, &s->answer, e);
}

enum reply { REPLY_QUIT = DB_SCREEN_UNSURE + 1, REPLY_NONE };

/* The first letter says it: y, n, u or q. */
static int read_reply(struct span line)
{
    static const struct {
        char letter;
        int reply;
    } replies[] = {{'n', DB_SCREEN_NO}, {'q', REPLY_QUIT}, {'u', DB_SCREEN_UNSURE}, {'y', DB_SCREEN_YES}};

    line = span_trim(line);
    for (size_t i = 0; i < ARRAY_LEN(replies) && line.len > 0; i++)
        if (line.ptr[0] == replies[i].letter)
            return replies[i].reply;
    return REPLY_NONE;
}

/* Enter after a key is not an answer to the next question. */
static int read_key(void)
{
    int key;

    do
        key = terminal_key();
    while (key == '\n');
    char letter = key > ' ' && key < 0x7f ? (char)key : ' ';
    fprintf(stderr, "%c\n", letter);
    return key == TERMINAL_END ? REPLY_QUIT : read_reply((struct span){&letter, 1});
}

/* Until there is nothing left, or an end of standard input. */
static enum status MUST_USE ask_all(struct screen *s, struct err *e)
{
    struct screening_next next;
    enum status status = ST_OK;
    AT_END(buf_clear) struct buf line = {0};
    bool told = false;
    size_t n = 0;

    for (; status == ST_OK; n++) {
        bool has_other_posts;
        status = screening_follow(s->session.screening, &has_other_posts, e);
        if (status == ST_OK && has_other_posts && !told)
            log_warn("there are other posts now than at the start; to read them too: quit, and begin again");
        told |= has_other_posts;
        if (status != ST_OK)
            break;
        if (!screening_next(s->session.screening, s->order, &next)) {
            log_info("nothing is left to read");
            status = n == 0 ? ST_NO : ST_OK;
            break;
        }
        status = print_text(s, &next, e);
        if (status != ST_OK)
            break;
        bool keys = isatty(STDIN_FILENO) == 1;
        int reply;

        if (keys && n > 0)
            terminal_drop_keys(); /* nobody answers about a post before it is shown */

        do {
            fputs("Is this what the study looks for? y(es), n(o), u(nsure), q(uit): ", stderr);
            reply = keys ? read_key() : line_read(stdin, &line) ? read_reply(buf_span(&line)) : REPLY_QUIT;
        } while (reply == REPLY_NONE);
        if (reply == REPLY_QUIT)
            break;
        status = screening_answer(s->session.screening, &next, (enum db_screen_answer)reply, e);
        if (status == ST_OK)
            tell_session(&s->session);
    }
    return status;
}

/* --- the command --- */

static enum status MUST_USE screen(struct screen *s, struct err *e)
{
    const char *posts = s->in->values.posts;
    size_t order = 0;
    bool as_json = false;
    enum status status = option_choice(s->in, &s->in->values.order, orders, &order, e);

    s->order = (enum db_screen_stratum)order;
    THEN(status, option_json(s->in, &as_json, e));
    THEN(status, read_answer(s, e));
    THEN(status, screen_session_open(&s->session, s->in, e));
    if (status == ST_OK && posts != NULL) {
        AT_END(array_end) struct queue_list list = {0};
        status = queue_list_read(&list, posts, buf_span(&s->session.coder), e);
        if (status == ST_OK)
            screening_limit(s->session.screening, list.at, list.n);
    }
    THEN(status, post_shown_init(&s->shown, s->in, e));
    if (status == ST_OK && s->answered) {
        /* An answer to a post that is not the next one is by hand. */
        struct screening_next next;

        if (!screening_next(s->session.screening, s->order, &next) || next.post_id != s->post_id)
            next = (struct screening_next){s->post_id, DB_SCREEN_HAND, NAN, 0};
        status = screening_answer(s->session.screening, &next, (enum db_screen_answer)s->answer, e);
    }
    if (status != ST_OK)
        return status;
    if (s->answered || as_json || s->in->values.next) {
        struct screening_next next;

        tell_session(&s->session);
        if (screening_next(s->session.screening, s->order, &next))
            return as_json ? print_json(s, &next, e) : print_text(s, &next, e);
        log_info("nothing is left to read");
        return ST_NO;
    }
    return ask_all(s, e);
}

static enum status run_screen(struct invocation *in, struct err *e)
{
    struct screen s = {.in = in};
    enum status status = screen(&s, e);

    post_shown_clear(&s.shown);
    screen_session_close(&s.session);
    return status;
}

const struct command command_screen = {
    .name = "screen",
    .summary = "Show the most promising post, and learn from the answer",
    .operands = "[POST]",
    .options = OPTIONS(
        CODER_OPTION, TEXT("order", order, "ORDER", "how to choose the next post: ranked (default), random or keyword"),
        LEARN_FROM_OPTION, TEXT("posts", posts, "FILE", "show only the posts that FILE lists"),
        FLAG("next", next, "show the next post and exit", 'n'),
        TEXT("answer", answer, "ANSWER", "answer yes, no or unsure about POST; show the next"),
        FLAG("blind", blind, "show no hints", 'b'), FLAG("no-answers", no_answers, "show the question alone"),
        SCREEN_OPTIONS, TEXT("format", format, "FORMAT", "print text or json; with json, exit after one post", 'f')),
    .description = "Ranks all questions, not only the candidates, and shows the most promising one that the\n"
                   "coder has not read. An answer is stored as a judgement, as by `label set`, and the\n"
                   "ranking learns from it. It learns from this coder's answers only, so coding stays\n"
                   "blind. Before the first answer it ranks by the keywords and the codebook. The database\n"
                   "also records why each post was shown. On a terminal one key answers. Standard input may be\n"
                   "a file of answers: y, n or u on each line.",
    .examples = EXAMPLES({"ppmine screen --coder ann", "post after post; the key y, n, u or q"},
                         {"ppmine screen --coder ann --next --format json", "for a program"},
                         {"ppmine screen --coder ann --answer yes 65160023", "answer, and show the next post"},
                         {"ppmine screen --coder ann --learn-from labelled.csv",
                          "start from the texts of another study; give it at each start"},
                         {"ppmine screen --coder ann --order random", "a random sample, for ppmine screen estimate"}),
    .nothing = "nothing is left to read",
    .needs = NEEDS_DB_WRITE,
    .run = run_screen,
};
