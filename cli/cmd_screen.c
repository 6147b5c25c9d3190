/* screen: the next post for a coder, and what the coder answers. */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "cli/post_shown.h"
#include "cli/screen_options.h"
#include "label/label.h"

#include <inttypes.h>
#include <math.h>

static const char *const orders[] = {"ranked", "random", "keyword", NULL};
static const char *const answers[] = {"no", "yes", "unsure", NULL};

struct screen {
    const struct invocation *in;
    struct screen_session session;
    struct post_shown shown;
    enum db_screen_stratum order;
};

/* --- the posts of a list --- */

static enum status MUST_USE limit_to_list(struct screen *s, const char *path, struct err *e)
{
    struct id_list list = {0};
    struct ARRAY_OF(int64_t) ids = {0};
    enum status status = id_list_read(&list, path, e);

    for (size_t i = 0; i < list.n && status == ST_OK; i++) {
        int64_t id;
        if (problem_id_read(list.ids[i], &id))
            array_add(&ids, id);
    }
    if (status == ST_OK)
        screening_limit(s->session.screening, ids.at, ids.n);
    id_list_clear(&list);
    array_clear(&ids);
    return status;
}

/* --- showing a post --- */

static enum status MUST_USE print_text(const struct screen *s, const struct screening_next *next,
                                       struct err *e)
{
    struct buf out = {0};
    enum status status = post_view_text(&s->shown.view, next->post_id, &out, e);

    if (status == ST_OK) {
        buf_add_char(&out, '\n');
        fwrite(out.ptr, 1, out.len, stdout);
        fflush(stdout);
    }
    buf_clear(&out);
    return status;
}

static enum status MUST_USE print_json(const struct screen *s, const struct screening_next *next,
                                       struct err *e)
{
    struct screening_state now;
    struct buf out = {0};

    screening_state(s->session.screening, &now);
    buf_add_char(&out, '{');
    enum status status = post_view_json(&s->shown.view, next->post_id, &out, e);
    buf_addf(&out, ",\"stratum\":\"%s\",\"score\":", orders[next->stratum]);
    if (isfinite(next->score))
        buf_addf(&out, "%.6g", next->score);
    else
        buf_add_text(&out, "null");
    buf_addf(&out, ",\"learned_from\":%zu,\"read\":%zu,\"found\":%zu,\"posts\":%zu,"
                   "\"may_stop\":%s}\n", next->n_learned, now.n_read, now.n_found, now.n_posts,
             now.may_stop ? "true" : "false");
    if (status == ST_OK)
        fwrite(out.ptr, 1, out.len, stdout);
    buf_clear(&out);
    return status;
}

static enum status MUST_USE show(const struct screen *s, const struct screening_next *next,
                                 bool as_json, struct err *e)
{
    return as_json ? print_json(s, next, e) : print_text(s, next, e);
}

/* --- answers --- */

/* An answer to a post that is not the next one is by hand. */
static enum status MUST_USE answer_given(struct screen *s, const char *post, struct err *e)
{
    struct screening_next next;
    size_t answer = 0;
    int64_t post_id;
    enum status status = option_choice(s->in, "answer", answers, &answer, e);

    if (status == ST_OK && !post_id_read(span_of(post), &post_id))
        return err_set(e, ST_USAGE, "screen: '%s': expected the id of a post", post);
    if (status != ST_OK)
        return status;
    if (!screening_next(s->session.screening, s->order, &next) || next.post_id != post_id)
        next = (struct screening_next){post_id, DB_SCREEN_HAND, NAN, 0};
    return screening_answer(s->session.screening, &next, (enum db_screen_answer)answer, e);
}

enum reply { REPLY_QUIT = DB_SCREEN_UNSURE + 1, REPLY_NONE };

/* The first letter says it: y, n, u or q. */
static int read_reply(struct span line)
{
    static const struct {
        char letter;
        int reply;
    } replies[] = {{'n', DB_SCREEN_NO}, {'q', REPLY_QUIT}, {'u', DB_SCREEN_UNSURE},
                   {'y', DB_SCREEN_YES}};

    line = span_trim(line);
    for (size_t i = 0; i < ARRAY_LEN(replies) && line.len > 0; i++)
        if (line.ptr[0] == replies[i].letter)
            return replies[i].reply;
    return REPLY_NONE;
}

static int ask(char **line, size_t *capacity)
{
    for (;;) {
        fputs("Is this what the study looks for? y(es), n(o), u(nsure), q(uit): ", stderr);
        ssize_t len = getline(line, capacity, stdin);
        if (len < 0)
            return REPLY_QUIT;
        int reply = read_reply((struct span){*line, (size_t)len});
        if (reply != REPLY_NONE)
            return reply;
    }
}

/* Until there is nothing left, or an end of standard input. */
static enum status MUST_USE ask_all(struct screen *s, struct err *e)
{
    struct screening_next next;
    enum status status = ST_OK;
    char *line = NULL;
    size_t capacity = 0, n = 0;

    for (; status == ST_OK; n++) {
        if (!screening_next(s->session.screening, s->order, &next)) {
            log_info("nothing is left to read");
            status = n == 0 ? ST_NO : ST_OK;
            break;
        }
        status = print_text(s, &next, e);
        if (status != ST_OK)
            break;
        int reply = ask(&line, &capacity);
        if (reply == REPLY_QUIT)
            break;
        status = screening_answer(s->session.screening, &next, (enum db_screen_answer)reply, e);
        if (status == ST_OK)
            screen_session_tell(&s->session);
    }
    mem_free(line);
    return status;
}

static enum status MUST_USE show_next(struct screen *s, bool as_json, struct err *e)
{
    struct screening_next next;

    screen_session_tell(&s->session);
    if (screening_next(s->session.screening, s->order, &next))
        return show(s, &next, as_json, e);
    log_info("nothing is left to read");
    return ST_NO;
}

/* --- the command --- */

static enum status MUST_USE screen(struct screen *s, struct err *e)
{
    static const char *const formats[] = {"text", "json", NULL};
    const char *posts = option_text(s->in, "posts", NULL);
    size_t order = 0, format = 0;
    bool answered = option_given(s->in, "answer");
    enum status status = option_choice(s->in, "order", orders, &order, e);

    s->order = (enum db_screen_stratum)order;
    if (status == ST_OK)
        status = option_choice(s->in, "format", formats, &format, e);
    if (status == ST_OK && answered != (s->in->n_operands > 0))
        status = err_set(e, ST_USAGE, "screen: --answer and the id of a post go together");
    if (status == ST_OK)
        status = screen_session_open(&s->session, s->in, e);
    if (status == ST_OK && posts != NULL)
        status = limit_to_list(s, posts, e);
    if (status == ST_OK)
        status = post_shown_init(&s->shown, s->in, e);
    if (status == ST_OK && answered)
        status = answer_given(s, s->in->operands[0], e);
    if (status != ST_OK)
        return status;
    if (answered || format == 1 || option_given(s->in, "next"))
        return show_next(s, format == 1, e);
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

static const struct option_spec options[] = {
    CODER_OPTION,
    {"order", '\0', "ORDER", "next is the most promising (ranked), random or keyword"},
    {"posts", '\0', "FILE", "show only posts of this list"},
    {"next", 'n', NULL, "show the next post and end"},
    {"answer", '\0', "ANSWER", "answer yes, no or unsure about POST; show the next"},
    {"blind", 'b', NULL, "show no hints"},
    {"no-answers", '\0', NULL, "show the question alone"},
    SCREEN_OPTIONS,
    {"format", 'f', "FORMAT", "print text or json; json ends after one post"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine screen --coder ann", "post after post, with y, n, u or q"},
    {"ppmine screen --coder ann --next --format json", "for a program"},
    {"ppmine screen --coder ann --answer yes 65160023", "answers, and shows the next"},
    {"ppmine screen --coder ann --order random", "a random sample, for ppmine screen estimate"},
    {NULL, NULL},
};

const struct command command_screen = {
    .name = "screen",
    .summary = "Show the most promising post, and learn from the answer",
    .operands = "[POST]",
    .max_operands = 1,
    .options = options,
    .description =
        "Ranks all questions, not only the candidates, and shows the most promising one that the\n"
        "coder has not read. An answer is a judgement, as `label set --problem` writes it, and the\n"
        "ranking learns from it: from this coder's answers alone, so blind coding stays blind. It\n"
        "starts from the keywords and the codebook. How each post came to be read is kept too.\n"
        "Standard input may be a file of answers: y, n or u on each line.",
    .examples = examples,
    .nothing = "nothing is left to read",
    .needs = NEEDS_DB_WRITE,
    .run = run_screen,
};
