/* label model: a language model codes posts, as a coder of its own kind. */
#include "cli/options.h"
#include "fetch/chat.h"
#include "label/coding/model.h"
#include "label/coding/queue.h"
#include "label/coding/subject.h"
#include "base/run_lock.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/signals.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/maps.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { ATTEMPTS = 3, TRIES = 6, BYTES_OF_TOKEN = 4, RUNS_MAX = 20, PARALLEL_MAX = 64, EXAMPLES_MAX = 50 };
#define WAIT_MOST 120.0 /* seconds between two tries, unless the server asks for more */

/* What is under way: one request. */
struct slot {
    struct chat *chat;
    bool busy;
    struct buf text, sent; /* the post's, the request */
    struct model_request request;
    int nth;         /* try of this request, from 0 */
    double reserved; /* of its price */
};

/* How the work goes. */
struct run {
    struct invocation *in;
    struct stored_codebook book;
    struct model_task task;
    struct buf coder, key, first_model;
    struct slot *slots;
    size_t n_slots, next; /* next: of `asked` */
    struct ARRAY_OF(struct model_request) asked;
    struct queue_list posts;    /* all, answered or not */
    double price_in, price_out; /* of a million tokens; NAN: not given */
    double price, reserved;     /* of what was answered, and about that of what is under way */
    double most;                /* of the price */
    int64_t counts[MODEL_OUTCOMES], requests, answered_before, tokens_in, bytes_in, tokens_out, unstated;
    bool waits;          /* for the price of what is under way */
    const char *stopped; /* the option that ends it; NULL: none did */
};

/* --- what is asked for --- */

static enum status MUST_USE read_prices(struct run *r, struct err *e)
{
    const char *text = r->in->values.prices, *most = r->in->values.max_cost;
    char *end;

    r->price_in = r->price_out = NAN;
    r->most = INFINITY;
    if (text == NULL && most != NULL)
        return usage_error(r->in, e, "--max-cost needs --prices IN,OUT");
    if (text == NULL)
        return ST_OK;
    r->price_in = strtod(text, &end);
    if (end != text && *end == ',')
        r->price_out = strtod(end + 1, &end);
    if (*end != '\0' || !(r->price_in >= 0 && r->price_out >= 0 && isfinite(r->price_in + r->price_out)))
        return usage_error(r->in, e,
                           "--prices '%s': expected the prices of a million tokens sent and received, such as 0.5,1.5",
                           text);
    if (most == NULL)
        return ST_OK;
    r->most = strtod(most, &end);
    if (end != most && *end == '\0' && r->most > 0 && isfinite(r->most))
        return ST_OK;
    return usage_error(r->in, e, "--max-cost '%s': expected a number above 0, such as 2.5", most);
}

/* --- posts that can be asked about --- */

/* What cannot be labelled would be paid, and end the work. */
static enum status MUST_USE leave_out(struct run *r, struct err *e)
{
    AT_END(id_set_clear) struct id_set fit = {0};
    AT_END(buf_clear) struct buf ids = {0};
    size_t n = r->posts.n, kept = 0, n_answers = 0;
    struct db_standing post;
    enum status status = ST_OK;

    for (size_t i = 0; i < n; i++)
        buf_addf(&ids, "%c%" PRId64, i == 0 ? '[' : ',', r->posts.at[i]);
    buf_add_char(&ids, ']');
    struct sql *walk = db_standings(r->in->db, buf_span(&ids));
    while (n > 0 && db_standing_next(r->in->db, walk, &post, &status, e))
        if (subject_is_refused(&post))
            n_answers++;
        else
            id_set_add(&fit, post.post_id, NULL);
    for (size_t i = 0; i < n && status == ST_OK; i++)
        if (id_set_has(&fit, r->posts.at[i]))
            r->posts.at[kept++] = r->posts.at[i];
    if (status == ST_OK && kept < n)
        log_warn("%zu of %zu posts are left out: %zu that the database does not have, %zu answers, which are coded with"
                 " their question",
                 n - kept, n, n - kept - n_answers, n_answers);
    r->posts.n = kept;
    return status;
}

/* Those of this time, which are not posts that are asked about; and posts that were examples before are not asked about. */
static enum status MUST_USE read_examples(struct run *r, struct err *e)
{
    struct model_examples n;
    struct queue_list before = {0};
    size_t kept = 0;
    enum status status = model_examples_before(&r->task, &before, e);

    for (size_t i = 0; i < r->posts.n; i++) {
        bool was = false;
        for (size_t k = 0; k < before.n && !was; k++)
            was = before.at[k] == r->posts.at[i];
        if (!was)
            r->posts.at[kept++] = r->posts.at[i];
    }
    if (kept < r->posts.n)
        log_warn("%zu posts were examples for %s, and are not asked about", r->posts.n - kept, buf_cstr(&r->coder));
    r->posts.n = kept;
    array_clear(&before);
    if (status != ST_OK || r->in->values.examples == 0)
        return status;
    status = model_examples_read(&r->task, r->in->values.examples, r->posts.at, r->posts.n, &n, e);
    if (status == ST_OK)
        log_info(
            "examples: %zu of %zu settled posts; left out: %zu that are asked about, %zu that several people coded,"
            " %zu that were asked about before, %zu without text, %zu more than wanted",
            n.taken, n.settled, n.left_out[1], n.left_out[2], n.left_out[3], n.left_out[4], n.left_out[0]);
    if (status == ST_OK && n.taken == 0)
        log_warn("there are no examples: settle posts that one person coded, and list other posts with --posts");
    return status;
}

/* All posts once, then all again: labels come first. */
static enum status MUST_USE choose(struct run *r, struct err *e)
{
    enum status status = ST_OK;
    int64_t runs = (int64_t)r->in->values.runs;

    for (int64_t run = 1; run <= runs; run++)
        for (size_t i = 0; i < r->posts.n && status == ST_OK; i++) {
            bool is = false;
            status = model_is_answered(&r->task, run, r->posts.at[i], &is, e);
            r->answered_before += is;
            if (!is)
                array_add(&r->asked, ((struct model_request){.post_id = r->posts.at[i], .run = run, .attempt = 1}));
        }
    if (status == ST_OK && r->posts.n == 0) {
        log_warn(r->in->values.posts != NULL ? "there is no post to ask about"
                                             : "there are no candidates: `ppmine match`, or --posts FILE");
        status = ST_NO;
    } else if (status == ST_OK && r->asked.n == 0) {
        log_info("all %zu posts were answered before", r->posts.n);
        status = ST_NO;
    }
    return status;
}

static enum status MUST_USE begin(struct run *r, struct err *e)
{
    enum status status = stored_codebook_load_any(&r->book, r->in->db, e);

    r->task = (struct model_task){.db = r->in->db,
                                  .book = &r->book,
                                  .coder = buf_span(&r->coder),
                                  .model = r->in->values.model,
                                  .api_url = r->in->values.api_url,
                                  .seed = r->in->values.seed};
    THEN(status, model_task_begin(&r->task, e));
    if (status == ST_OK && (r->in->values.show_prompt == NULL || r->in->values.examples > 0))
        status = r->in->values.posts != NULL ? queue_list_read(&r->posts, r->in->values.posts, buf_span(&r->coder), e)
                                             : model_candidates(r->in->db, &r->posts, e);
    THEN(status, leave_out(r, e));
    return status == ST_OK ? read_examples(r, e) : status;
}

/* --- what is said before --- */

/* At the prices given; NAN where there are none. */
static double price_of(const struct run *r, double tokens_in, double tokens_out)
{
    return (tokens_in * r->price_in + tokens_out * r->price_out) / 1e6;
}

/* Of a request: what answers had so far, or at first some. */
static double expected_price(const struct run *r, struct span request)
{
    enum { ANSWER_TOKENS = 300 };
    int64_t n = r->requests - r->unstated;
    double mean = n > 0 ? (double)r->tokens_out / (double)n : 0;

    double of_byte = r->tokens_in > 0 ? (double)r->tokens_in / (double)r->bytes_in : 1.0 / BYTES_OF_TOKEN;
    return price_of(r, (double)request.len * of_byte, mean > ANSWER_TOKENS ? mean : ANSWER_TOKENS);
}

/* Sent is all that is asked about the first post, times the posts. */
static enum status MUST_USE say_plan(struct run *r, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0}, request = {0}, words = {0};
    double n = (double)r->asked.n;
    enum status status = model_post_text(&r->task, r->asked.at[0].post_id, &text, e);

    if (status != ST_OK)
        return status;
    model_request_add(&r->task, 1, buf_span(&text), &request);
    buf_addf(&words, "%zu posts", r->posts.n);
    if (r->in->values.runs > 1)
        buf_addf(&words, ", each %" PRIu64 " times", r->in->values.runs);
    buf_addf(&words,
             " (%" PRId64 " were answered before), are sent to %s for the model %s: the codebook and the text of each"
             " post, without names of people and links; about %.0f tokens",
             r->answered_before, r->task.api_url, r->task.model, (double)request.len / BYTES_OF_TOKEN * n);
    if (!isnan(r->price_in))
        buf_addf(&words, ", %.4g at the prices given", expected_price(r, buf_span(&request)) * n);
    log_info("%s", buf_cstr(&words));
    return ST_OK;
}

/* Once, before anything leaves this machine. */
static enum status MUST_USE ask_once(const struct run *r, struct err *e)
{
    char answer[16] = "";

    if (r->in->values.yes)
        return ST_OK;
    if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1)
        return err_set(e, ST_USAGE, "label model: nothing was sent; --yes sends it without a question");
    fprintf(stderr, "Send it? [y/N] ");
    if (fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y'))
        return ST_OK;
    log_info("nothing was sent");
    return ST_NO;
}

/* --- one post --- */

/* Takes the escapes of JSON out, one level of them. */
static void unescape(struct span text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        i += text.ptr[i] == '\\' && i + 1 < text.len;
        bool is_ascii = i > 0 && text.ptr[i - 1] == '\\' && text.len - i > 4 && memcmp(text.ptr + i, "u00", 3) == 0 &&
                        hex_digit(text.ptr[i + 3]) >= 0 && hex_digit(text.ptr[i + 4]) >= 0;
        buf_add_char(out,
                     is_ascii ? (char)(16 * hex_digit(text.ptr[i + 3]) + hex_digit(text.ptr[i + 4])) : text.ptr[i]);
        i += is_ascii ? 4 : 0;
    }
}

/* Whether the key is in the text as JSON may write it: an answer is a text within a text, so escapes are escaped. */
static bool has_escaped(struct span body, struct span key)
{
    AT_END(buf_clear) struct buf text = {0}, plain = {0};

    buf_add_span(&text, body);
    for (int level = 0; level < 4 && memchr(text.ptr, '\\', text.len) != NULL; level++) {
        buf_reset(&plain);
        unescape(buf_span(&text), &plain);
        if (span_find(buf_span(&plain), key) != SIZE_MAX)
            return true;
        struct buf next = plain;
        plain = text;
        text = next;
    }
    return false;
}

/* A server may repeat the key in what it says of a wrong one. */
static void add_without_key(const struct run *r, struct span body, struct buf *out)
{
    struct span key = buf_span(&r->key);

    for (size_t at; key.len > 0 && (at = span_find(body, key)) != SIZE_MAX;) {
        buf_add(out, body.ptr, at);
        buf_add_text(out, "[key]");
        body = (struct span){body.ptr + at + key.len, body.len - at - key.len};
    }
    buf_add_span(out, body);
    if (key.len > 0 && out->len > 0 && has_escaped(buf_span(out), key)) {
        buf_reset(out);
        buf_add_text(out, "[the answer has the key in it, and is not kept]");
    }
}

static enum status give_up(const struct run *r, const struct chat_reply *reply, struct span said, struct err *e)
{
    AT_END(buf_clear) struct buf words = {0};

    buf_add_clean(&words, (struct span){said.ptr, said.len < 200 ? said.len : 200});
    words.len = utf8_valid_prefix(buf_span(&words));
    return err_set(e, ST_NETWORK, "%s: %s%s%.0ld%s%s; answers so far are kept; run the same command again to continue",
                   r->task.api_url, reply->failed, reply->code != 0 ? ", status " : "", reply->code,
                   words.len > 0 ? ": " : "", buf_cstr(&words));
}

/* Labels of two models under one name would be nobody's. */
static enum status MUST_USE check_model(struct run *r, struct model_answer *a, struct err *e)
{
    if (r->first_model.len == 0)
        buf_add_span(&r->first_model, buf_span(&a->model));
    if (a->model.len == 0 || span_eq(buf_span(&r->first_model), buf_span(&a->model)))
        return ST_OK;
    return err_set(e, ST_INPUT,
                   "the server answers as '%s' now; under the name '%s' it was '%s'; give another model another name",
                   buf_cstr(&a->model), buf_cstr(&r->coder), buf_cstr(&r->first_model));
}

/* Whether one more request of this price may be sent. Where only what is under way keeps it from that, it may later. */
static bool may_ask(struct run *r, double price)
{
    if (r->in->values.max_requests > 0 && r->requests >= (int64_t)r->in->values.max_requests)
        r->stopped = "max-requests";
    else if (r->price + price > r->most)
        r->stopped = "max-cost";
    r->waits = r->price + r->reserved + price > r->most;
    return r->stopped == NULL && !r->waits && !signals_stop_asked();
}

/* Sends the request of the slot, if it may be sent; else the slot is free. */
static enum status MUST_USE send_one(struct run *r, struct slot *s, double wait, struct err *e)
{
    double price = expected_price(r, buf_span(&s->sent));

    s->busy = may_ask(r, price);
    if (!s->busy)
        return ST_OK;
    s->reserved = isnan(price) ? 0 : price;
    enum status status = model_request_put(&r->task, &s->request, buf_span(&s->sent), e);
    s->busy = status == ST_OK;
    if (!s->busy)
        return status;
    r->requests++;
    r->reserved += s->reserved;
    chat_start(s->chat, buf_span(&s->sent), wait);
    return ST_OK;
}

/* What an answer is, for the record. */
static double read_reply(struct run *r, struct slot *s, const struct chat_reply *reply, struct span body,
                         struct model_answer *a, enum status *other, struct err *e)
{
    if (reply->failed != NULL) {
        *a = (struct model_answer){.outcome = MODEL_FAILED, .tokens_in = -1, .tokens_out = -1};
        buf_add_text(&a->why, reply->failed);
        return NAN;
    }
    model_answer_read(a, &r->task, buf_span(&s->text), body);
    /* What a server does not say is taken from the bytes, for --max-cost alone. The price for the record, or NAN. */
    bool stated = a->tokens_in >= 0 && a->tokens_out >= 0;
    double in = stated ? (double)a->tokens_in : (double)s->sent.len / BYTES_OF_TOKEN;
    double out = stated ? (double)a->tokens_out : (double)body.len / BYTES_OF_TOKEN;

    r->tokens_in += a->tokens_in > 0 ? a->tokens_in : 0;
    r->bytes_in += a->tokens_in > 0 ? (int64_t)s->sent.len : 0;
    r->tokens_out += a->tokens_out > 0 ? a->tokens_out : 0;
    r->unstated += !stated;
    r->price += isnan(r->price_in) ? 0 : price_of(r, in, out);
    double price = stated ? price_of(r, in, out) : NAN;
    *other = check_model(r, a, e);
    if (*other != ST_OK) {
        a->outcome = MODEL_FAILED; /* kept, and does not count */
        buf_reset(&a->why);
        buf_add_text(&a->why, e->text);
    } else if (a->outcome == MODEL_INVALID && s->request.attempt == ATTEMPTS) {
        a->outcome = MODEL_UNSURE; /* never a guess of ours */
    }
    return price;
}

/* Reads and stores an answer; asks again if there is none. */
static enum status MUST_USE take(struct run *r, struct slot *s, const struct chat_reply *reply, bool ends,
                                 struct err *e)
{
    AT_END(buf_clear) struct buf body = {0};
    AT_END(model_answer_clear) struct model_answer a = {.outcome = MODEL_FAILED};
    enum status other = ST_OK;
    double wait = reply->retry_after > 0 ? (double)reply->retry_after : fmin((double)(1 << s->nth), WAIT_MOST);

    s->busy = r->waits = false;
    r->reserved -= s->reserved;
    add_without_key(r, reply->body, &body);
    double price = read_reply(r, s, reply, buf_span(&body), &a, &other, e);
    struct err kept = *e;
    enum status status = model_answer_put(&r->task, &s->request, &a, reply->code, price, buf_span(&body), e);
    if (status == ST_OK && other != ST_OK) {
        *e = kept;
        status = other;
    } else if (status == ST_OK && reply->failed == NULL) {
        r->counts[a.outcome]++;
        if (a.outcome == MODEL_INVALID) {
            log_debug("%" PRId64 ": no answer: %s", s->request.post_id, buf_cstr(&a.why));
            s->request.attempt++;
            s->nth = 0;
            status = ends ? ST_OK : send_one(r, s, 0, e);
        }
    } else if (status == ST_OK && !ends && !signals_stop_asked()) {
        if (!reply->may_pass || ++s->nth == TRIES) {
            status = give_up(r, reply, buf_span(&body), e);
        } else {
            log_info("%s, status %ld: again in %.0f seconds", reply->failed, reply->code, wait);
            status = send_one(r, s, wait, e);
        }
    }
    return status;
}

/* Looks at all that is under way. After an error nothing is sent, and what comes is kept still: it is paid. */
static enum status MUST_USE look(struct run *r, enum status so_far, size_t *n_busy, struct err *e)
{
    enum status status = so_far;

    *n_busy = 0;
    for (size_t i = 0; i < r->n_slots; i++) {
        struct slot *s = &r->slots[i];
        struct chat_reply reply;
        struct err later;
        if (s->busy && chat_take(s->chat, &reply)) {
            enum status one = take(r, s, &reply, status != ST_OK, status == ST_OK ? e : &later);
            status = status == ST_OK ? one : status;
        }
        if (!s->busy && status == ST_OK && r->next < r->asked.n && !r->waits && may_ask(r, 0)) {
            s->request = r->asked.at[r->next];
            s->nth = 0;
            buf_reset(&s->text);
            buf_reset(&s->sent);
            status = model_post_text(&r->task, s->request.post_id, &s->text, e);
            if (status == ST_OK)
                model_request_add(&r->task, s->request.run, buf_span(&s->text), &s->sent);
            THEN(status, send_one(r, s, 0, e));
            r->next += s->busy;
        }
        *n_busy += s->busy;
    }
    return status;
}

/* --- all --- */

static int64_t n_answered(const struct run *r)
{
    return r->counts[MODEL_YES] + r->counts[MODEL_NO] + r->counts[MODEL_UNSURE];
}

static enum status MUST_USE print_counts(const struct run *r, enum status status, const struct table_output *out)
{
    const struct {
        const char *what;
        int64_t n;
    } rows[] = {
        {"judged yes", r->counts[MODEL_YES]},
        {"judged no", r->counts[MODEL_NO]},
        {"unsure", r->counts[MODEL_UNSURE]},
        {"no answer, asked again", r->counts[MODEL_INVALID]},
        {"left to ask", (int64_t)r->asked.n - n_answered(r)},
        {"requests", r->requests},
        {"tokens sent", r->tokens_in},
        {"tokens received", r->tokens_out},
    };
    struct table t;

    table_init(&t, "label-model", "What the model answered", "what; n int");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        table_add_row(&t, table_text(span_of(rows[i].what)), table_int(rows[i].n));
    }
    if (!isnan(r->price_in))
        table_note(&t, "At the prices given: %.4g.", r->price);
    if (r->unstated > 0)
        table_note(&t, "%" PRId64 " answers did not say their tokens; a token is taken to have %d bytes.", r->unstated,
                   BYTES_OF_TOKEN);
    enum status printed = table_end(&t, ST_OK, out); /* whatever ended the work, this much was done */
    return status == ST_OK ? printed : status;
}

static enum status MUST_USE work(struct run *r, const struct table_output *out, struct err *e)
{
    static const struct timespec pause = {.tv_nsec = 2000000};
    struct progress progress;
    enum status status = ST_OK;
    size_t n_busy = 1;

    progress_begin(&progress, "asking", r->asked.n);
    while (n_busy > 0) {
        status = look(r, status, &n_busy, e);
        uint64_t done = (uint64_t)n_answered(r);
        char note[64] = "";
        if (!isnan(r->price_in) && done > 0)
            snprintf(note, sizeof note, "%.4g of about %.4g", r->price, r->price / (double)done * (double)r->asked.n);
        progress_update(&progress, done, note);
        if (n_busy > 0)
            nanosleep(&pause, NULL);
    }
    progress_end(&progress);
    if (signals_stop_asked())
        status = ST_OK; /* the program ends with the signal's code; what was answered is kept */
    status = print_counts(r, status, out);
    if (status == ST_OK && r->stopped != NULL)
        log_warn("--%s is reached; run the same command again to continue", r->stopped);
    return status;
}

static enum status MUST_USE show_prompt(struct run *r, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0}, request = {0}, shown = {0};
    int64_t post_id;

    if (!post_id_read(span_of(r->in->values.show_prompt), &post_id))
        return usage_error(r->in, e, "--show-prompt '%s': expected the id of a post", r->in->values.show_prompt);
    enum status status = model_post_text(&r->task, post_id, &text, e);
    if (status == ST_OK) {
        model_request_add(&r->task, 1, buf_span(&text), &request);
        buf_add_json_text(&shown, buf_span(&request));
        buf_add_char(&shown, '\n');
        fwrite(shown.ptr, 1, shown.len, stdout);
    }
    return status;
}

static enum status MUST_USE send_all(struct run *r, const struct table_output *out, struct err *e)
{
    int64_t lost = 0;
    int lock = -1;
    enum status status = secret_read(&r->key, r->in->values.key_file, "PPMINE_MODEL_KEY", e);

    r->n_slots = r->in->values.parallel;
    r->slots = mem_zero(r->n_slots, sizeof *r->slots);
    for (size_t i = 0; i < r->n_slots && status == ST_OK; i++)
        status = chat_open(&r->slots[i].chat, r->task.api_url, r->key.len > 0 ? buf_cstr(&r->key) : NULL, e);
    if (status == ST_USAGE)
        status = name_command(r->in, status, e);
    if (status == ST_OK) /* two at once would pay twice */
        status = run_lock_take(r->in->db_path, "model-lock", &lock, e);
    if (status == ST_NO)
        log_warn("%s", e->text);
    THEN(status, choose(r, e));
    THEN(status, model_first(&r->task, &r->first_model, e));
    THEN(status, model_lost(&r->task, &lost, e));
    if (status == ST_OK && lost > 0)
        log_warn("%" PRId64 " requests were under way when the program ended; they are sent again, and may be paid"
                 " twice",
                 lost);
    THEN(status, say_plan(r, e));
    THEN(status, ask_once(r, e));
    signals_catch();
    signal(SIGPIPE, SIG_IGN); /* of a connection that is gone */
    THEN(status, work(r, out, e));
    run_lock_release(lock);
    return status;
}

static enum status run_label_model(struct invocation *in, struct err *e)
{
    struct run r = {.in = in};
    struct err why;
    bool shows = in->values.show_prompt != NULL;
    enum status status = ST_OK;

    if (in->values.model == NULL || in->values.api_url == NULL)
        status = usage_error(in, e, "--model says which, --api-url where it is");
    THEN(status, read_prices(&r, e));
    AT_END(mem_end) char *typed = mem_addf(CODER_MODEL_PREFIX "%s", in->operands[0]);
    if (status == ST_OK && coder_name_check(span_of(typed), &r.coder, &why) != ST_OK)
        status = usage_error(in, e, "the coder's name %s", why.text);
    THEN(status, invocation_open_db(in, shows ? DB_READ : DB_WRITE, e));
    THEN(status, begin(&r, e));
    THEN(status, shows ? show_prompt(&r, e) : send_all(&r, &in->out, e));
    for (size_t i = 0; i < r.n_slots; i++) {
        chat_close(r.slots[i].chat);
        buf_clear(&r.slots[i].text);
        buf_clear(&r.slots[i].sent);
    }
    mem_free(r.slots);
    array_clear(&r.asked);
    model_task_clear(&r.task);
    stored_codebook_clear(&r.book);
    array_clear(&r.posts);
    if (r.key.len > 0)
        explicit_bzero(r.key.ptr, r.key.len);
    buf_clear(&r.key);
    buf_clear(&r.coder);
    buf_clear(&r.first_model);
    return status;
}

const struct command command_label_model = {
    .name = "label model",
    .summary = "Let a language model code posts, as a declared coder",
    .operands = "NAME",
    .options = OPTIONS(
        TEXT("api-url", api_url, "URL", "where the model is asked (chat/completions; https, or http to this machine)"),
        TEXT("model", model, "NAME", "which model, as the server calls it"),
        TEXT("key-file", key_file, "FILE", "a file with the server's key (default: $PPMINE_MODEL_KEY)"),
        TEXT("posts", posts, "FILE", "the posts that FILE lists (default: the candidates)"),
        NUMBER("examples", examples, "N", 1, EXAMPLES_MAX, 0, "add N settled posts to the prompt as examples"),
        NUMBER("seed", seed, "N", 0, INT64_MAX, 1, "seed that the model is asked to use (default: 1)"),
        NUMBER("runs", runs, "N", 1, RUNS_MAX, 1, "ask N times; the first labels, all show how stable it is"),
        NUMBER("parallel", parallel, "N", 1, PARALLEL_MAX, 1, "ask about N posts at a time (default: 1)"),
        NUMBER("max-requests", max_requests, "N", 1, INT64_MAX, 0, "send N requests at most"),
        TEXT("prices", prices, "IN,OUT", "prices of a million tokens sent and received, for the estimate"),
        TEXT("max-cost", max_cost, "N", "stop before it costs more than N at the prices given"),
        TEXT("show-prompt", show_prompt, "POST", "print what would be sent about a post, and send nothing"),
        FLAG("yes", yes, "send without a question"), OUTPUT_OPTIONS),
    .description =
        "Asks a language model about each post, over the interface that llama.cpp's server, Ollama, vLLM and\n"
        "hosted services share. Its labels are those of the coder model:NAME. They settle nothing and do not\n"
        "count as agreed, but in facets that model_codes of study.ini declares, beside exactly one person:\n"
        "`agree` compares them with those of people. The questions come from the\n"
        "study: its question, facets, codes, definitions and rules, and prompt.md of the study folder. Each\n"
        "code or value needs a passage of the post that shows it. An answer in another form, with an unknown\n"
        "code or with words that the post does not have, is asked for twice again; then the model is unsure.\n"
        "Each request and answer is kept, word for word. The same command continues where it ended. Posts that the\n"
        "database does not have, and answers, are counted and left out before anything is sent.\n\n"
        "Examples are posts that coders settled and one person at most coded. A post that is listed, that was\n"
        "asked about or that several people coded is not an example, and an example is never asked about: so\n"
        "agreement is not measured on what the prompt told.",
    .examples = EXAMPLES(
        {"ppmine label model qwen --api-url http://127.0.0.1:8080/v1 --model qwen3-8b --show-prompt 65160023", NULL},
        {"ppmine label model qwen --api-url http://127.0.0.1:8080/v1 --model qwen3-8b --posts sample.csv --yes",
         "from cron"},
        {"ppmine agree --all --coders ann,model:qwen", "whether the model can be trusted"}),
    .nothing = "all posts were answered before, there are none, or the question was answered with no",
    .needs = NEEDS_DB_PATH,
    .online = true,
    .run = run_label_model,
};
