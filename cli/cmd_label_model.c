/* label model: a language model codes posts, as a coder of its own kind. */
#define _GNU_SOURCE
#include "cli/options.h"
#include "cli/secret.h"
#include "fetch/chat.h"
#include "label/coding/model.h"
#include "label/coding/queue.h"
#include "base/run_lock.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/signals.h"
#include "base/utf8.h"
#include "base/visible.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ATTEMPTS = 3, TRIES = 6, BYTES_OF_TOKEN = 4 };
#define WAIT_MOST 120.0 /* seconds between two tries, unless the server asks for more */

static const struct table_column columns[] = {
    {.name = "what"},
    {.name = "n", .kind = TABLE_INT},
};

/* How the work goes. */
struct run {
    struct invocation *in;
    struct stored_codebook book;
    struct model_task task;
    struct buf coder, key, first_model;
    struct chat *chat;
    struct queue_list posts;
    double price_in, price_out; /* of a million tokens; NAN: not given */
    int64_t counts[MODEL_OUTCOMES], requests, answered_before, tokens_in, tokens_out, unstated;
    bool stopped; /* at --max-requests */
};

/* --- what is asked for --- */

static enum status MUST_USE read_prices(struct run *r, struct err *e)
{
    const char *text = r->in->values.prices;
    char *end;

    r->price_in = r->price_out = NAN;
    if (text == NULL)
        return ST_OK;
    r->price_in = strtod(text, &end);
    if (end != text && *end == ',')
        r->price_out = strtod(end + 1, &end);
    if (*end == '\0' && r->price_in >= 0 && r->price_out >= 0 && isfinite(r->price_in + r->price_out))
        return ST_OK;
    return err_set(e, ST_USAGE,
                   "label model: --prices '%s': expected the prices of a million tokens sent and"
                   " received, such as 0.5,1.5",
                   text);
}

static enum status MUST_USE read_coder(struct run *r, struct err *e)
{
    struct buf typed = {0};
    struct err why;

    buf_addf(&typed, CODER_MODEL_PREFIX "%s", r->in->operands[0]);
    enum status status = coder_name_check(buf_span(&typed), &r->coder, &why);
    if (status != ST_OK)
        err_set(e, ST_USAGE, "label model: the coder's name %s", why.text);
    buf_clear(&typed);
    return status == ST_OK ? ST_OK : ST_USAGE;
}

static void add_candidate(void *ctx, int64_t post_id)
{
    array_add((struct queue_list *)ctx, post_id);
}

static enum status MUST_USE read_posts(struct run *r, struct err *e)
{
    struct queue_list all = {0};
    enum status status = r->in->values.posts != NULL
                             ? queue_list_read(&all, r->in->values.posts, buf_span(&r->coder), e)
                             : model_candidates(r->in->db, add_candidate, &all, e);

    for (size_t i = 0; i < all.n && status == ST_OK; i++) {
        bool is = false;
        status = model_is_answered(&r->task, all.at[i], &is, e);
        r->answered_before += is;
        if (!is)
            array_add(&r->posts, all.at[i]);
    }
    if (status == ST_OK && all.n == 0) {
        log_warn("there are no candidates: `ppmine match`, or --posts FILE");
        status = ST_NO;
    } else if (status == ST_OK && r->posts.n == 0) {
        log_info("all %zu posts were answered before", all.n);
        status = ST_NO;
    }
    array_clear(&all);
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
    return status == ST_OK ? model_task_begin(&r->task, e) : status;
}

/* --- what is said before --- */

static void say_left_out(const struct run *r)
{
    struct buf names = {0};

    for (size_t i = FACET_JUDGES + 1; i < r->book.facets->n; i++)
        if (!model_asks_for(&r->book.facets->items[i]))
            buf_addf(&names, "%s%s", names.len > 0 ? ", " : "", r->book.facets->items[i].typed.ptr);
    if (names.len > 0)
        log_warn("the model is not asked for numbers, texts and yes/no of problems: %s", buf_cstr(&names));
    buf_clear(&names);
}

static void add_price(struct buf *out, const struct run *r, double tokens_in, double tokens_out)
{
    if (!isnan(r->price_in))
        buf_addf(out, ", %.4g at the prices given", (tokens_in * r->price_in + tokens_out * r->price_out) / 1e6);
}

/* Sent is all that is asked about the first post, times the posts; an answer is taken to have 300 tokens. */
static enum status MUST_USE say_plan(struct run *r, struct err *e)
{
    enum { ANSWER_TOKENS = 300 };
    struct buf text = {0}, request = {0}, words = {0};
    enum status status = model_post_text(&r->task, r->posts.at[0], &text, e);

    if (status == ST_OK) {
        model_request_add(&r->task, buf_span(&text), &request);
        double sent = (double)request.len / BYTES_OF_TOKEN * (double)r->posts.n;
        buf_addf(&words,
                 "%zu posts (%" PRId64 " were answered before) are sent to %s for the model %s: the codebook and"
                 " the text of each post, without names of people and links; about %.0f tokens",
                 r->posts.n, r->answered_before, r->task.api_url, r->task.model, sent);
        add_price(&words, r, sent, ANSWER_TOKENS * (double)r->posts.n);
        log_info("%s", buf_cstr(&words));
        say_left_out(r);
    }
    buf_clear(&text);
    buf_clear(&request);
    buf_clear(&words);
    return status;
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
}

static double seconds_to_wait(const struct chat_reply *reply, int nth)
{
    double wait = (double)(1 << nth);

    if (reply->retry_after > 0)
        return (double)reply->retry_after;
    return wait < WAIT_MOST ? wait : WAIT_MOST;
}

static enum status give_up(const struct run *r, const struct chat_reply *reply, struct span said, struct err *e)
{
    struct buf words = {0};

    buf_add_clean(&words, (struct span){said.ptr, said.len < 200 ? said.len : 200});
    words.len = utf8_valid_prefix(buf_span(&words));
    err_set(e, ST_NETWORK, "%s: %s%s%.0ld%s%s; what was answered is kept, and the same command goes on",
            r->task.api_url, reply->failed, reply->code != 0 ? ", status " : "", reply->code, words.len > 0 ? ": " : "",
            buf_cstr(&words));
    buf_clear(&words);
    return ST_NETWORK;
}

static void count_answer(struct run *r, const struct model_answer *a)
{
    r->tokens_in += a->tokens_in > 0 ? a->tokens_in : 0;
    r->tokens_out += a->tokens_out > 0 ? a->tokens_out : 0;
    r->unstated += a->tokens_in < 0 || a->tokens_out < 0;
}

/* Labels of two models under one name would be nobody's. */
static enum status MUST_USE check_model(struct run *r, struct model_answer *a, struct err *e)
{
    if (r->first_model.len == 0)
        buf_add_span(&r->first_model, buf_span(&a->model));
    if (a->model.len == 0 || span_eq(buf_span(&r->first_model), buf_span(&a->model)))
        return ST_OK;
    return err_set(e, ST_INPUT,
                   "the server answers as '%s' now; under the name '%s' it was '%s'; give another model"
                   " another name",
                   buf_cstr(&a->model), buf_cstr(&r->coder), buf_cstr(&r->first_model));
}

/* Sends one request until there is an answer, which is read and kept. */
static enum status MUST_USE ask(struct run *r, int64_t post_id, int64_t attempt, struct span post_text,
                                struct model_answer *a, struct err *e)
{
    struct buf request = {0}, body = {0};
    int64_t request_id = 0;
    enum status status = ST_OK, other = ST_OK;
    bool done = false;
    double wait = 0;

    model_request_add(&r->task, post_text, &request);
    for (int nth = 0; status == ST_OK && !done; nth++) {
        struct chat_reply reply;
        status = model_request_put(&r->task, post_id, attempt, buf_span(&request), &request_id, e);
        if (status != ST_OK)
            break;
        r->requests++;
        chat_ask(r->chat, buf_span(&request), wait, &reply);
        buf_reset(&body);
        add_without_key(r, reply.body, &body);
        model_answer_clear(a);
        if (signals_stop_asked()) {
            status = ST_NO;
        } else if (reply.failed == NULL) {
            model_answer_read(a, &r->task, post_text, buf_span(&body));
            count_answer(r, a);
            other = check_model(r, a, e);
            if (other != ST_OK) {
                a->outcome = MODEL_FAILED; /* kept, and does not count */
                buf_reset(&a->why);
                buf_add_text(&a->why, e->text);
            }
            done = true;
        } else {
            *a = (struct model_answer){.outcome = MODEL_FAILED, .tokens_in = -1, .tokens_out = -1};
            buf_add_text(&a->why, reply.failed);
        }
        if (a->outcome == MODEL_INVALID && attempt == ATTEMPTS)
            a->outcome = MODEL_UNSURE; /* never a guess of ours */
        if (status == ST_OK)
            status = model_answer_put(&r->task, request_id, post_id, a, reply.code, buf_span(&body), e);
        wait = seconds_to_wait(&reply, nth);
        if (status == ST_OK && !done && (!reply.may_pass || nth + 1 == TRIES))
            status = give_up(r, &reply, buf_span(&body), e);
        if (status == ST_OK && !done)
            log_info("%s, status %ld: again in %.0f seconds", reply.failed, reply.code, wait);
    }
    buf_clear(&request);
    buf_clear(&body);
    return status == ST_OK ? other : status;
}

static bool may_ask(struct run *r)
{
    r->stopped |= r->in->values.max_requests > 0 && r->requests >= (int64_t)r->in->values.max_requests;
    return !r->stopped;
}

static enum status MUST_USE code_post(struct run *r, int64_t post_id, struct err *e)
{
    struct model_answer a = {.outcome = MODEL_INVALID};
    struct buf text = {0};
    enum status status = model_post_text(&r->task, post_id, &text, e);

    for (int64_t attempt = 1; status == ST_OK && attempt <= ATTEMPTS && may_ask(r); attempt++) {
        status = ask(r, post_id, attempt, buf_span(&text), &a, e);
        if (status == ST_OK)
            r->counts[a.outcome]++;
        if (status == ST_OK && a.outcome == MODEL_INVALID)
            log_debug("%" PRId64 ": no answer: %s", post_id, buf_cstr(&a.why));
        if (a.outcome != MODEL_INVALID)
            break;
    }
    model_answer_clear(&a);
    buf_clear(&text);
    return status;
}

/* --- all --- */

static enum status MUST_USE print_counts(const struct run *r, enum status status, const struct table_output *out)
{
    static const char *const whats[MODEL_OUTCOMES] = {"judged yes", "judged no", "unsure", "no answer, asked again"};
    struct table t;

    table_init(&t, "label-model", "What the model answered", columns, ARRAY_LEN(columns));
    for (int i = 0; i < MODEL_FAILED; i++) {
        table_add_text(&t, span_of(whats[i]));
        table_add_int(&t, r->counts[i]);
    }
    const struct {
        const char *what;
        int64_t n;
    } more[] = {
        {"posts left", (int64_t)r->posts.n - r->counts[MODEL_YES] - r->counts[MODEL_NO] - r->counts[MODEL_UNSURE]},
        {"requests", r->requests},
        {"tokens sent", r->tokens_in},
        {"tokens received", r->tokens_out},
    };
    for (size_t i = 0; i < ARRAY_LEN(more); i++) {
        table_add_text(&t, span_of(more[i].what));
        table_add_int(&t, more[i].n);
    }
    if (r->unstated > 0)
        table_note(&t, "%" PRId64 " answers did not say their tokens.", r->unstated);
    enum status printed = table_end(&t, ST_OK, out); /* whatever ended the work, this much was done */
    return status == ST_OK ? printed : status;
}

static enum status MUST_USE work(struct run *r, const struct table_output *out, struct err *e)
{
    struct progress progress;
    enum status status = ST_OK;

    progress_begin(&progress, "asking", r->posts.n);
    for (size_t i = 0; i < r->posts.n && status == ST_OK && may_ask(r) && !signals_stop_asked(); i++) {
        status = code_post(r, r->posts.at[i], e);
        progress_update(&progress, i + 1, "");
    }
    progress_end(&progress);
    if (signals_stop_asked())
        status = ST_OK; /* the program ends with the signal's code; what was answered is kept */
    status = print_counts(r, status, out);
    if (status == ST_OK && r->stopped)
        log_warn("--max-requests is reached; the same command goes on");
    return status;
}

static enum status MUST_USE show_prompt(struct run *r, struct err *e)
{
    struct buf text = {0}, request = {0}, shown = {0};
    int64_t post_id;

    if (!post_id_read(span_of(r->in->values.show_prompt), &post_id))
        return err_set(e, ST_USAGE, "label model: --show-prompt '%s': expected the id of a post",
                       r->in->values.show_prompt);
    enum status status = model_post_text(&r->task, post_id, &text, e);
    if (status == ST_OK) {
        model_request_add(&r->task, buf_span(&text), &request);
        buf_add_json_text(&shown, buf_span(&request));
        buf_add_char(&shown, '\n');
        fwrite(shown.ptr, 1, shown.len, stdout);
    }
    buf_clear(&text);
    buf_clear(&shown);
    buf_clear(&request);
    return status;
}

static enum status MUST_USE send_all(struct run *r, const struct table_output *out, struct err *e)
{
    int64_t lost = 0;
    int lock = -1;
    enum status status = secret_read(&r->key, r->in->values.key_file, "PPMINE_MODEL_KEY", e);

    if (status == ST_OK)
        status = chat_open(&r->chat, r->task.api_url, r->key.len > 0 ? buf_cstr(&r->key) : NULL, e);
    if (status == ST_USAGE)
        status = name_command(r->in, status, e);
    if (status == ST_OK) /* two at once would pay twice */
        status = run_lock_take(r->in->db_path, "model-lock", &lock, e);
    if (status == ST_NO)
        log_warn("%s", e->text);
    if (status == ST_OK)
        status = read_posts(r, e);
    if (status == ST_OK)
        status = model_first(&r->task, &r->first_model, e);
    if (status == ST_OK)
        status = model_lost(&r->task, &lost, e);
    if (status == ST_OK && lost > 0)
        log_warn("%" PRId64 " requests were under way when the program ended; they are sent again, and may be paid"
                 " twice",
                 lost);
    if (status == ST_OK)
        status = say_plan(r, e);
    if (status == ST_OK)
        status = ask_once(r, e);
    signals_catch();
    signal(SIGPIPE, SIG_IGN); /* of a connection that is gone */
    if (status == ST_OK)
        status = work(r, out, e);
    run_lock_release(lock);
    return status;
}

static enum status run_label_model(struct invocation *in, struct err *e)
{
    struct run r = {.in = in};
    struct table_output out;
    bool shows = in->values.show_prompt != NULL;
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK && (in->values.model == NULL || in->values.api_url == NULL))
        status = err_set(e, ST_USAGE, "label model: --model says which, --api-url where it is");
    if (status == ST_OK)
        status = read_prices(&r, e);
    if (status == ST_OK)
        status = read_coder(&r, e);
    if (status == ST_OK)
        status = invocation_open_db(in, shows ? DB_READ : DB_WRITE, e);
    if (status == ST_OK)
        status = begin(&r, e);
    if (status == ST_OK)
        status = shows ? show_prompt(&r, e) : send_all(&r, &out, e);
    chat_close(r.chat);
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

static const struct option_spec options[] = {
    {"api-url", '\0', TEXT(api_url, "URL"),
     "where the model is asked (chat/completions; https, or http to this machine)"},
    {"model", '\0', TEXT(model, "NAME"), "which model, as the server calls it"},
    {"key-file", '\0', TEXT(key_file, "FILE"), "a file with the server's key (default: $PPMINE_MODEL_KEY)"},
    {"posts", '\0', TEXT(posts, "FILE"), "the posts that FILE lists (default: the candidates)"},
    {"seed", '\0', NUMBER(seed, "N", 0, INT64_MAX, 1), "seed that the model is asked to use (default: 1)"},
    {"max-requests", '\0', NUMBER(max_requests, "N", 1, INT64_MAX, 0), "send N requests at most"},
    {"prices", '\0', TEXT(prices, "IN,OUT"), "prices of a million tokens sent and received, for the estimate"},
    {"show-prompt", '\0', TEXT(show_prompt, "POST"), "print what would be sent about a post, and send nothing"},
    {"yes", '\0', FLAG(yes), "send without a question"},
    OUTPUT_OPTIONS,
    {0},
};

static const struct example examples[] = {
    {"ppmine label model qwen --api-url http://127.0.0.1:8080/v1 --model qwen3-8b --show-prompt 65160023", NULL},
    {"ppmine label model qwen --api-url http://127.0.0.1:8080/v1 --model qwen3-8b --posts sample.csv --yes",
     "from cron"},
    {"ppmine agree --all --coders ann,model:qwen", "whether the model can be trusted"},
    {NULL, NULL},
};

const struct command command_label_model = {
    .name = "label model",
    .summary = "Let a language model code posts, as a declared coder",
    .operands = "NAME",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .description =
        "Asks a language model about each post, over the interface that llama.cpp's server, Ollama, vLLM and\n"
        "hosted services share. Its labels are those of the coder model:NAME. They never settle a label and\n"
        "never count as agreed: `agree` compares them with those of people. What is asked comes from the\n"
        "study: its question, facets, codes, definitions and rules, and prompt.md of the study folder. Each\n"
        "code needs a passage of the post that shows it. An answer in another form, with an unknown code or\n"
        "with words that the post does not have, is asked for twice again; then the model is unsure. Each\n"
        "request and answer is kept, word for word. The same command goes on where it ended.",
    .examples = examples,
    .nothing = "all posts were answered before, there are none, or the question was answered with no",
    .needs = NEEDS_DB_PATH,
    .online = true,
    .run = run_label_model,
};
