/* dialog: a coder codes post after post; each answer is stored at once. */
#include "label/coding/dialog.h"

#include "base/terminal.h"
#include "label/coding/act.h"
#include "label/coding/said.h"
#include "label/coding/decisions.h"
#include "db/posts.h"
#include "base/log.h"
#include "base/visible.h"

#include <inttypes.h>

/* The questions: is it a problem (0), each facet in turn (its place, from 1), whether to go on to the next post. */
enum { ASKS_JUDGEMENT };

struct dialog {
    const struct dialog_how *how;
    struct stored_codebook *book;
    const struct facet *facets; /* of problems */
    size_t n_facets;
    int64_t post_id, asked;            /* asked: about which post the last question was; 0: none yet */
    struct buf title, subject, reason; /* of this post; subject: the problem */
    struct act_said said;
    size_t step, menu_of;           /* menu_of: the step whose codes are on the screen; SIZE_MAX: none */
    struct ARRAY_OF(int64_t) trail; /* the posts that were shown */
    size_t at;                      /* in the trail */
    size_t n_acts, n_judged;
    struct buf line;
    struct span typed; /* what followed a command */
    bool assisted;     /* what models say of this post was shown */
    bool ended;
};

static bool is_asked_last(const struct dialog *d)
{
    return d->step > d->n_facets;
}

/* The facet that is asked about; at the judgement, the first one: its codes say that it is a problem. */
static size_t facet_of(const struct dialog *d)
{
    return d->step > 0 ? d->step - 1 : 0;
}

/* Is it the question of a value that the coder writes: a number, a text, yes or no? */
static bool asks_value(const struct dialog *d, enum facet_kind kind)
{
    return d->step > ASKS_JUDGEMENT && !is_asked_last(d) && facet_is_written(&d->facets[facet_of(d)]) &&
           d->facets[facet_of(d)].kind == kind;
}

/* At the judgement, a code of the first facet says yes; a value does not, as it may be any text. */
static bool takes_codes(const struct dialog *d)
{
    return d->n_facets > 0 && !is_asked_last(d) && (d->step > ASKS_JUDGEMENT || !facet_is_written(&d->facets[0]));
}

/* --- a post --- */

static const struct act_problem *problem_of(const struct dialog *d)
{
    return act_problem(&d->said, buf_span(&d->subject));
}

static enum status MUST_USE read_said(struct dialog *d, struct err *e)
{
    const struct queue *q = &d->how->queue;

    act_said_clear(&d->said);
    return act_said_read(&d->said, q->db, d->book, q->coder, d->post_id, e);
}

static size_t count_first(const struct dialog *d, const struct act_problem *problem)
{
    size_t n = 0;

    while (n < d->n_facets && problem->has[n])
        n++;
    return n;
}

/* "[4 of 15] ", by the list, else by what was judged. */
static enum status MUST_USE add_progress(const struct dialog *d, struct buf *out, struct err *e)
{
    const struct queue *q = &d->how->queue;
    size_t place = queue_place(q, d->post_id);
    int64_t judged, total;

    if (place > 0) {
        buf_addf(out, "[%zu of %zu] ", place, q->list->n);
        return ST_OK;
    }
    enum status status = queue_progress(q, &judged, &total, e);
    if (status == ST_OK && q->list == NULL)
        buf_addf(out, "[%" PRId64 " judged, %" PRId64 " candidates] ", judged, total);
    return status;
}

static enum status MUST_USE show_post(struct dialog *d, struct err *e)
{
    AT_END(buf_clear) struct buf out = {0}, models = {0};
    enum status status = add_progress(d, &out, e);

    THEN(status, post_view_text(&d->how->view, d->post_id, &out, e));
    if (status == ST_OK && said_shows_models(d->book, d->how->suggests, &d->said, buf_span(&d->subject)))
        status = said_by_models(d->how->queue.db, d->book, d->post_id, &models, e);
    d->assisted = models.len > 0;
    if (d->assisted)
        buf_addf(&out, "\nWhat models say; what you decide now is recorded as assisted\n%s", buf_cstr(&models));
    buf_add_char(&out, '\n');
    if (status == ST_OK)
        terminal_show(buf_span(&out), d->how->pages);
    d->menu_of = SIZE_MAX;
    return status;
}

static enum status MUST_USE open_post(struct dialog *d, int64_t post_id, struct err *e)
{
    d->post_id = post_id;
    buf_reset(&d->title);
    buf_reset(&d->reason);
    enum status status = db_post_title(d->how->queue.db, post_id, &d->title, e);
    THEN(status, read_said(d, e));
    if (status != ST_OK)
        return status;

    /* The coder goes on at what lacks a code, or at the judgement. */
    const struct act_problem *problem = d->said.problems.at;
    size_t k = 0, n = d->said.problems.n;
    while (k < n && count_first(d, &problem[k]) == d->n_facets)
        k++;
    buf_reset(&d->subject);
    if (n > 0)
        buf_add_span(&d->subject, problem[k < n ? k : 0].subject);
    else
        post_id_add(&d->subject, post_id);
    d->step = ASKS_JUDGEMENT;
    if (d->said.is_problem && (k < n || n == 0))
        d->step = 1 + (k < n ? count_first(d, &problem[k]) : 0);
    return show_post(d, e);
}

static enum status MUST_USE next_post(struct dialog *d, struct err *e)
{
    const struct queue *q = &d->how->queue;
    int64_t post_id;

    if (d->at + 1 < d->trail.n)
        return open_post(d, d->trail.at[++d->at], e);
    enum status status = d->how->unfinished ? db_candidate_next(q->db, q->coder, true, d->post_id, &post_id, e)
                                            : queue_next(q, d->post_id, &post_id, e);
    if (status != ST_OK)
        return status;
    if (post_id == 0) {
        log_info("nothing is left");
        d->ended = true;
        return ST_OK;
    }
    for (size_t i = 0; i < d->trail.n; i++)
        if (d->trail.at[i] == post_id) {
            log_info("what was passed over comes again");
            break;
        }
    array_add(&d->trail, post_id);
    d->at = d->trail.n - 1;
    return open_post(d, post_id, e);
}

/* --- writing --- */

static void say_written(struct dialog *d, const char *what)
{
    char id[POST_ID_TEXT_SIZE];

    log_info("%s: %s", d->step > 0 ? buf_cstr(&d->subject) : post_id_text(d->post_id, id), what);
}

/* ST_NO here and in what follows: it was refused, *e says why, and it is asked again. */
static enum status MUST_USE put(struct dialog *d, struct act *act, struct err *e)
{
    const struct queue *q = &d->how->queue;
    bool judged = d->said.is_judged;

    act->coder = q->coder;
    act->subject = buf_span(&d->subject);
    act->post_id = d->post_id;
    act->assisted = d->assisted;
    if (d->reason.len > 0)
        act->reason = buf_span(&d->reason);
    enum status status = act_put(q->db, d->book, act, e);
    if (status == ST_INPUT)
        return ST_NO;
    THEN(status, read_said(d, e));
    d->n_judged += status == ST_OK && !judged && d->said.is_judged;
    return status;
}

/* The codes of a facet, all of them. */
static enum status MUST_USE put_codes(struct dialog *d, const struct act_codes *codes, struct err *e)
{
    size_t facet = facet_of(d);
    struct act act = {.judgement = ACT_SAYS_NOTHING}; /* a code says yes where that is not said yet */
    AT_END(buf_clear) struct buf said = {0};

    act.given[facet] = true;
    act.codes[facet] = *codes;
    enum status status = put(d, &act, e);
    if (status != ST_OK)
        return status;
    const struct act_problem *problem = problem_of(d);
    d->n_acts++;
    d->step = facet + 1;
    if (problem != NULL)
        said_add_problem(&said, d->book, problem);
    say_written(d, said.len > 0 ? buf_cstr(&said) : "no codes");
    return ST_OK;
}

/* --- codes, as they are typed --- */

static struct span list_of(const struct dialog *d)
{
    return act_list(d->book, &d->facets[facet_of(d)]);
}

/* The only code whose name begins so; SIZE_MAX, and *e says what there is. */
static size_t code_beginning(const struct dialog *d, struct span text, struct err *e)
{
    const struct codebook *c = &d->book->codebook;
    AT_END(buf_clear) struct buf names = {0};
    size_t found = SIZE_MAX, n = 0;

    for (size_t i = 0; i < c->n_codes; i++) {
        struct span name = c->codes[i].name;
        if (!span_eq(c->codes[i].facet, list_of(d)) || name.len < text.len ||
            span_find_any_case((struct span){name.ptr, text.len}, text) != 0)
            continue;
        buf_add_text(&names, n++ > 0 ? "; " : "");
        buf_add_clean(&names, name);
        found = i;
    }
    if (n > 1)
        (void)err_set(e, ST_INPUT, "'%.*s' may be %s", SPAN_ARG(text), buf_cstr(&names));
    return n == 1 ? found : SIZE_MAX;
}

/* By its key, its name or an alias, or the first letters of its name. */
static size_t find_code(const struct dialog *d, struct span text, struct err *e)
{
    const struct codebook *c = &d->book->codebook;
    size_t nth = code_of_key(text);

    for (size_t i = 0; nth != SIZE_MAX && i < c->n_codes; i++)
        if (span_eq(c->codes[i].facet, list_of(d)) && nth-- == 0)
            return i;
    size_t place = stored_codebook_find(d->book, list_of(d), text, e);
    return place != SIZE_MAX ? place : code_beginning(d, text, e);
}

static enum status MUST_USE read_codes(const struct dialog *d, struct span text, struct act_codes *out, struct err *e)
{
    const struct facet *facet = &d->facets[facet_of(d)];
    struct span part;
    struct err why;

    while (span_cut(&text, ';', &part)) {
        size_t place = find_code(d, span_trim(part), &why);
        if (place == SIZE_MAX)
            return err_set(e, ST_NO, "%s; or ? for help", why.text);
        if (out->n == facet->most)
            return err_set(e, ST_NO, "%s: at most %zu", facet->name.ptr, facet->most);
        out->at[out->n++] = place;
    }
    return ST_OK;
}

/* The codes that are given, with this one added, or taken away when it is one of them. */
static enum status MUST_USE toggle_code(const struct dialog *d, size_t place, struct act_codes *out, struct err *e)
{
    const struct act_problem *problem = problem_of(d);
    const struct facet *facet = &d->facets[facet_of(d)];
    bool taken = false;

    if (facet->most > 1 && problem != NULL)
        for (size_t i = 0; i < problem->codes[facet_of(d)].n; i++) {
            size_t given = problem->codes[facet_of(d)].at[i];
            taken |= given == place;
            if (given != place)
                out->at[out->n++] = given;
        }
    if (!taken && out->n == facet->most)
        return err_set(e, ST_NO, "%s: at most %zu; the key of a given code takes it away", facet->name.ptr,
                       facet->most);
    if (!taken)
        out->at[out->n++] = place;
    return ST_OK;
}

/* A value is one, whatever is in it. */
static enum status MUST_USE give_value(struct dialog *d, struct span text, struct err *e)
{
    struct act_codes codes = {.n = 1};
    struct err why;

    codes.at[0] = stored_codebook_find(d->book, list_of(d), text, &why);
    if (codes.at[0] == SIZE_MAX)
        return err_set(e, ST_NO, "%s; or ? for help", why.text);
    enum status status = put_codes(d, &codes, e);
    d->step += status == ST_OK;
    return status;
}

/* A key adds one code, and is followed by another where there may be more; a line gives all codes. */
static enum status MUST_USE give_codes(struct dialog *d, struct span text, bool by_key, struct err *e)
{
    struct act_codes codes = {.n = 0};

    if (!takes_codes(d))
        return err_set(e, ST_NO, "'%.*s' is not an answer; %s, ? is for help", SPAN_ARG(text),
                       is_asked_last(d) ? "Enter goes to the next post" : "y or n is expected");
    size_t most = d->facets[facet_of(d)].most;
    if (facet_is_written(&d->facets[facet_of(d)]))
        return give_value(d, text, e);
    enum status status = read_codes(d, text, &codes, e);
    if (status != ST_OK || codes.n == 0)
        return status;
    if (by_key) {
        codes.n = 0;
        status = toggle_code(d, codes.at[0], &codes, e);
    }
    THEN(status, put_codes(d, &codes, e));
    d->step += status == ST_OK && (!by_key || codes.n == most);
    return status;
}

/* --- commands --- */

static enum status say_yes(struct dialog *d, struct err *e)
{
    struct act act = {.judgement = ACT_SAYS_YES};
    bool before = d->said.is_problem;

    d->step = ASKS_JUDGEMENT;
    enum status status = before ? ST_OK : put(d, &act, e);
    if (status != ST_OK)
        return status;
    d->n_acts += !before;
    if (!before)
        say_written(d, "a problem");
    d->step++;
    return ST_OK;
}

static enum status say_no(struct dialog *d, struct err *e)
{
    struct act act = {.judgement = ACT_SAYS_NO};
    bool before = d->said.is_judged && !d->said.is_problem;

    d->step = ASKS_JUDGEMENT;
    enum status status = put(d, &act, e);
    if (status != ST_OK)
        return status;
    d->n_acts += !before;
    say_written(d, "no problem");
    return next_post(d, e);
}

static enum status MUST_USE put_note(struct dialog *d, struct span text, const char *what, struct err *e)
{
    struct act act = {.note = text};
    struct buf reason = d->reason;

    d->reason = (struct buf){0}; /* it is of decisions */
    enum status status = put(d, &act, e);
    d->reason = reason;
    if (status == ST_OK)
        say_written(d, what);
    return status;
}

static enum status say_unsure(struct dialog *d, struct err *e)
{
    enum status status = put_note(d, span_of(queue_unsure), "unsure; it comes again at the end", e);

    return status == ST_OK ? next_post(d, e) : status;
}

static enum status write_note(struct dialog *d, struct err *e)
{
    return d->typed.len > 0 ? put_note(d, d->typed, "noted", e) : ST_OK;
}

static enum status write_reason(struct dialog *d, struct err *e)
{
    (void)e;
    buf_set(&d->reason, d->typed);
    log_info(d->typed.len > 0 ? "the reason of the next answers about this post" : "no reason");
    return ST_OK;
}

static enum status other_problem(struct dialog *d, struct err *e)
{
    if (d->said.problems.n == 0)
        return err_set(e, ST_NO, "the post has no problem with codes yet");
    buf_reset(&d->subject);
    act_next_problem(&d->said, d->post_id, &d->subject);
    d->step = 1;
    d->menu_of = SIZE_MAX;
    return ST_OK;
}

static enum status go_back(struct dialog *d, struct err *e)
{
    if (d->at == 0)
        return err_set(e, ST_NO, "this is the first post of this session");
    enum status status = open_post(d, d->trail.at[--d->at], e);
    d->step = ASKS_JUDGEMENT;
    return status;
}

/* What was undone last, and the first step of it. */
struct undone {
    const struct dialog *d;
    struct buf subject;
    size_t step;
};

static void keep_undone(void *ctx, const struct db_act *act)
{
    struct undone *u = ctx;
    size_t step = facets_find(u->d->book->facets, act->facet);

    log_info("undone: %.*s, %.*s: %.*s", SPAN_ARG(act->subject), SPAN_ARG(act->facet), SPAN_ARG(act->value));
    if (step >= u->step)
        return;
    u->step = step;
    buf_set(&u->subject, act->subject);
}

static enum status undo(struct dialog *d, struct err *e)
{
    const struct queue *q = &d->how->queue;
    struct undone undone = {.d = d, .step = SIZE_MAX};
    int64_t post_id;

    if (d->n_acts == 0)
        return err_set(e, ST_NO,
                       "nothing was decided in this session;"
                       " `ppmine label undo --coder %.*s` undoes what was decided before",
                       SPAN_ARG(q->coder));
    d->n_acts--;
    enum status status = db_decision_undo(q->db, q->coder, 0, 0, keep_undone, &undone, e);
    if (status == ST_OK && problem_id_read(buf_span(&undone.subject), &post_id)) { /* it is asked again */
        if (post_id == d->post_id) {
            status = read_said(d, e);
        } else {
            while (d->at > 0 && d->trail.at[d->at] != post_id)
                d->at--;
            status = open_post(d, post_id, e);
        }
        d->n_judged -= d->n_judged > 0 && undone.step == ASKS_JUDGEMENT && !d->said.is_judged;
        buf_set(&d->subject, buf_span(&undone.subject));
        d->step = undone.step;
        d->menu_of = SIZE_MAX;
    }
    buf_clear(&undone.subject);
    return status == ST_NO ? ST_OK : status;
}

static enum status define(struct dialog *d, struct err *e)
{
    const struct codebook *c = &d->book->codebook;
    size_t width = d->how->view.width;
    AT_END(buf_clear) struct buf out = {0}, rule = {0}, shown = {0};

    (void)e;
    for (size_t i = 0; i < c->n_codes && takes_codes(d); i++) {
        if (!span_eq(c->codes[i].facet, list_of(d)))
            continue;
        buf_add_text(&out, "  ");
        buf_add_clean(&out, c->codes[i].name);
        buf_add_char(&out, '\n');
        buf_add_wrapped(&out, c->codes[i].definition, 6, width);
        for (size_t k = 0; k < c->n_rules; k++) {
            struct span versus = c->codes[c->rules[k].versus].name;
            if (c->rules[k].code != i)
                continue;
            buf_reset(&rule);
            buf_addf_clean(&rule, "or %.*s? %.*s", SPAN_ARG(versus), SPAN_ARG(c->rules[k].rule));
            buf_add_wrapped(&out, buf_span(&rule), 6, width);
        }
    }
    buf_add_clean_lines(&shown, buf_span(&out)); /* definitions are a stranger's */
    terminal_show(buf_span(&shown), d->how->pages);
    return ST_OK;
}

static enum status quit(struct dialog *d, struct err *e)
{
    (void)e;
    d->ended = true;
    return ST_OK;
}

static enum status help(struct dialog *d, struct err *e);

/* The letters are those of the page, as far as it has them; none is the key of a code. */
static const struct command {
    const char *key, *word, *what;
    enum status (*run)(struct dialog *d, struct err *e);
    const char *asks; /* a text is to follow; NULL: none */
} commands[] = {
    {"y", "yes", "a problem", say_yes, NULL},
    {"n", "no", "not a problem; shows the next post", say_no, NULL},
    {"k", "skip", "shows the next post; this one comes again at the end", next_post, NULL},
    {"u", "unsure", "the same, and keeps that you are unsure", say_unsure, NULL},
    {"j", "back", "the post before", go_back, NULL},
    {"o", "undo", "undoes the last answer of this session", undo, NULL},
    {"p", "problem", "another problem in the same post", other_problem, NULL},
    {"h", "reason", "the reason of the next answers about this post; it is published", write_reason, "reason: "},
    {"m", "note", "a note; it is never published", write_note, "note: "},
    {"i", "definitions", "what the codes mean", define, NULL},
    {".", "post", "shows the post again", show_post, NULL},
    {"?", "help", "this help", help, NULL},
    {"q", "quit", "ends, as Esc does; all answers are stored already", quit, NULL},
};

static enum status help(struct dialog *d, struct err *e)
{
    (void)e;
    log_info("the key of a code, or its name or its first letters%s: gives the code",
             d->how->lines != NULL ? " (several with ';' between)" : " after /");
    log_info("Enter: leaves it as it is");
    if (asks_value(d, FACET_TEXT))
        log_info("/ before a text that is one of these words: is not a command");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        log_info("%s, %s: %s", commands[i].key, commands[i].word, commands[i].what);
    return ST_OK;
}

/* --- answers --- */

static const struct command *find_command(struct span word)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (span_eq(word, span_of(commands[i].key)) || span_eq(word, span_of(commands[i].word)))
            return &commands[i];
    return NULL;
}

static enum status MUST_USE run(struct dialog *d, const struct command *command, struct span text, struct err *e)
{
    d->typed = text;
    return command->run(d, e);
}

static enum status MUST_USE leave(struct dialog *d, struct err *e)
{
    if (is_asked_last(d) || (d->step == ASKS_JUDGEMENT && !d->said.is_problem))
        return next_post(d, e);
    d->step++;
    return ST_OK;
}

/* The command that the line gives, and the text after it; NULL: the line is not a command. */
static const struct command *command_of(struct span line, struct span *text)
{
    struct span word = {0};
    const struct command *command = span_cut(&line, ' ', &word) ? find_command(word) : NULL;

    *text = span_trim(line);
    return command != NULL && (command->asks != NULL || text->len == 0) ? command : NULL;
}

/* "/quit" is the text "quit", "//quit" is "/quit", and "/usr/bin" is what it is. */
static struct span without_mark(struct span text)
{
    struct span bare = text, rest;

    while (bare.len > 0 && bare.ptr[0] == '/')
        bare = span_after(bare, 1);
    return bare.len < text.len && command_of(bare, &rest) != NULL ? span_after(text, 1) : text;
}

/* What is an answer to the question for a value, and not a command. */
static bool is_value(const struct dialog *d, struct span line)
{
    static const char *const words[] = {"y", "yes", "n", "no"};
    struct span rest;

    return (asks_value(d, FACET_YES_NO) && span_is_any(line, words, ARRAY_LEN(words))) ||
           (asks_value(d, FACET_TEXT) && line.len > 0 && command_of(line, &rest) == NULL);
}

/* "hang # no end in a day": with a reason; but a text may have any words. */
static enum status MUST_USE take_line(struct dialog *d, struct span line, struct err *e)
{
    struct span text;
    size_t mark = span_find(line, SPAN(" # "));

    if (is_value(d, line))
        return give_value(d, asks_value(d, FACET_TEXT) ? without_mark(line) : line, e);
    const struct command *command = command_of(line, &text);
    if (command != NULL)
        return run(d, command, text, e);
    if (mark != SIZE_MAX) {
        buf_set(&d->reason, span_trim(span_after(line, mark + 3)));
        line = span_trim((struct span){line.ptr, mark});
        command = find_command(line);
        enum status status = command != NULL ? run(d, command, (struct span){0}, e) : give_codes(d, line, false, e);
        buf_reset(&d->reason);
        return status;
    }
    return line.len > 0 ? give_codes(d, line, false, e) : leave(d, e);
}

/* A line of the terminal, for what is more than a key. */
static enum status MUST_USE ask_text(struct dialog *d, const char *question, const struct command *command,
                                     struct err *e)
{
    fputs(question, stderr);
    if (!line_read(stdin, &d->line))
        return ST_OK;
    struct span text = span_trim(buf_span(&d->line));
    if (command != NULL)
        return run(d, command, text, e);
    return text.len > 0 ? give_codes(d, text, false, e) : ST_OK;
}

static enum status MUST_USE take_key(struct dialog *d, int key, struct err *e)
{
    const char text[] = {(char)key, '\0'};

    if (key == TERMINAL_END || key == '\033')
        return quit(d, e);
    if (key == TERMINAL_OTHER)
        return ST_OK;
    if (key == '\n')
        return leave(d, e);
    if (key == ' ')
        return show_post(d, e);
    if (key == '/')
        return ask_text(d, "code: ", NULL, e);
    const struct command *command = is_value(d, span_of(text)) ? NULL : find_command(span_of(text));
    if (command == NULL)
        return give_codes(d, span_of(text), true, e);
    return command->asks != NULL ? ask_text(d, command->asks, command, e) : run(d, command, (struct span){0}, e);
}

/* --- questions --- */

struct menu {
    struct buf *out;
    size_t width, column;
    struct span category;
};

enum { MENU_INDENT = 12 };

static void add_choice(struct menu *m, const struct code *code, const char *key, bool given)
{
    AT_END(buf_clear) struct buf text = {0};
    bool begins = m->column == 0 || !span_eq(code->category, m->category);

    buf_addf(&text, "%s%s ", key[0] != '\0' ? key : "/", given ? "*" : "");
    buf_add_clean(&text, code->name);
    size_t width = text_width(buf_span(&text));
    if (begins || m->column + 2 + width > m->width) {
        buf_add_text(m->out, m->column > 0 ? "\n  " : "  ");
        AT_END(buf_clear) struct buf category = {0};
        if (begins)
            buf_add_clean(&category, code->category);
        buf_add_padded(m->out, buf_span(&category), MENU_INDENT - 2, false);
        m->column = MENU_INDENT;
    } else {
        buf_add_text(m->out, "  ");
        m->column += 2;
    }
    m->category = code->category;
    buf_add_span(m->out, buf_span(&text));
    m->column += width;
}

/* The codes of the facet, each with its key; a '*' is after that of one which is given. */
static void show_menu(const struct dialog *d)
{
    const struct codebook *c = &d->book->codebook;
    const struct facet *facet = &d->facets[facet_of(d)];
    const struct act_problem *problem = problem_of(d);
    const struct act_codes codes = problem != NULL ? problem->codes[facet_of(d)] : (struct act_codes){.n = 0};
    AT_END(buf_clear) struct buf out = {0};
    struct menu menu = {.out = &out, .width = d->how->view.width};
    size_t n = 0;

    buf_addf_clean(&out, "%s%s%s", facet->name.ptr, facet->asks.len > 0 ? ": " : "", facet->asks.ptr);
    buf_add_char(&out, '\n');
    for (size_t i = 0; i < c->n_codes; i++) {
        bool given = false;
        if (!span_eq(c->codes[i].facet, list_of(d)))
            continue;
        for (size_t k = 0; k < codes.n; k++)
            given |= codes.at[k] == i;
        add_choice(&menu, &c->codes[i], code_key(n++), given);
    }
    if (facet_is_written(facet) && codes.n > 0) {
        buf_add_text(&out, "            now: ");
        buf_add_clean(&out, c->codes[codes.at[0]].name);
    }
    buf_add_char(&out, '\n');
    fwrite(out.ptr, 1, out.len, stdout);
}

static void show_question(struct dialog *d)
{
    size_t menu = d->n_facets > 0 && !is_asked_last(d) ? facet_of(d) : d->n_facets;
    AT_END(buf_clear) struct buf out = {0};

    if (menu != d->menu_of && menu < d->n_facets)
        show_menu(d);
    else if (menu != d->menu_of) /* what was said about the post so far */
        said_add_text(&out, d->book, &d->said, d->post_id, "  ");
    fwrite(out.ptr, 1, out.len, stdout);
    d->menu_of = menu;
    fflush(stdout);
}

static const char *const answer_names[] = {
    [FACET_YES_NO] = "y, n", [FACET_CODES] = "a code", [FACET_NUMBER] = "a number", [FACET_TEXT] = "a text"};

static enum status MUST_USE print_prompt(const struct dialog *d, struct err *e)
{
    AT_END(buf_clear) struct buf out = {0};
    enum status status = add_progress(d, &out, e);
    const char *keys = d->how->lines != NULL ? "? help" : "? help, q quit";

    buf_add_clean(&out, buf_span(&d->subject));
    buf_add_char(&out, ' ');
    buf_add_clean(&out, text_cut(buf_span(&d->title), 50, NULL));
    buf_add_char(&out, '\n');
    if (d->step == ASKS_JUDGEMENT)
        buf_addf_clean(&out, "%s (y, n%s; %s)? ", d->book->facets->items[FACET_JUDGES].option.ptr,
                       takes_codes(d) ? ", a code" : "", keys);
    else if (is_asked_last(d))
        buf_addf(&out, "next post (Enter; p another problem, %s)? ", keys);
    else
        buf_addf_clean(&out, "%s (%s, Enter; %s)? ", d->facets[facet_of(d)].name.ptr,
                       answer_names[d->facets[facet_of(d)].kind], keys);
    if (status == ST_OK && log_get_level() != LOG_QUIET)
        fwrite(out.ptr, 1, out.len, stderr);
    return status;
}

/* --- the whole --- */

/* The post to begin with: one, of the list if there is one, that a session before left unfinished comes first. */
static enum status MUST_USE find_first(const struct dialog *d, int64_t *post_id, struct err *e)
{
    const struct queue *q = &d->how->queue;
    enum status status = ST_OK;

    *post_id = d->how->first;
    if (*post_id == 0 && d->n_facets > 0)
        do
            status = db_candidate_next(q->db, q->coder, true, *post_id, post_id, e);
        while (status == ST_OK && *post_id != 0 && q->list != NULL && queue_place(q, *post_id) == 0);
    if (status == ST_OK && *post_id == 0 && !d->how->unfinished)
        status = queue_next(q, 0, post_id, e);
    return status;
}

enum status dialog_run(const struct dialog_how *how, struct err *e)
{
    struct dialog d = {.how = how, .book = how->view.book, .menu_of = SIZE_MAX};
    int64_t first;

    d.facets = act_facets(d.book, &d.n_facets);
    enum status status = find_first(&d, &first, e);
    if (status == ST_OK && first == 0)
        status = ST_NO;
    if (status == ST_OK) {
        array_add(&d.trail, first);
        status = open_post(&d, first, e);
    }
    while (status == ST_OK && !d.ended) {
        /* Numbers and texts have more than one key. */
        bool by_line = how->lines != NULL || asks_value(&d, FACET_NUMBER) || asks_value(&d, FACET_TEXT);
        show_question(&d);
        if (how->lines == NULL && d.asked != 0 && d.asked != d.post_id)
            terminal_drop_keys(); /* nobody answers about a post before it is shown */
        d.asked = d.post_id;
        status = print_prompt(&d, e);
        if (status != ST_OK)
            break;
        int key = by_line ? 0 : terminal_key();
        if (log_get_level() != LOG_QUIET)
            fputc('\n', stderr);
        if (!by_line)
            status = take_key(&d, key, e);
        else if (line_read(how->lines != NULL ? how->lines : stdin, &d.line))
            status = take_line(&d, span_trim(buf_span(&d.line)), e);
        else
            d.ended = true;
        if (status == ST_NO) {
            log_warn("%s", e->text);
            status = ST_OK;
        }
    }
    if (status == ST_OK)
        log_info("%zu post%s judged in this session", d.n_judged, d.n_judged == 1 ? "" : "s");
    act_said_clear(&d.said);
    array_clear(&d.trail);
    buf_clear(&d.title);
    buf_clear(&d.subject);
    buf_clear(&d.reason);
    buf_clear(&d.line);
    return status;
}
