/*
 * fetch: posts from the Stack Exchange API into the database, made to be run from cron.
 *
 * What a run does is a plan of chains (windows of tags, lists of ids), one after the other; each of
 * their answers is kept with the place behind it in one transaction. So a run can end at any time,
 * by a signal, a used-up quota or a power cut, and the next one goes on.
 */
#define _GNU_SOURCE
#include "base/run_lock.h"
#include "cli/command.h"
#include "crawl/status.h"
#include "crawl/work.h"
#include "db/api.h"
#include "db/posts.h"
#include "db/study.h"
#include "mine/study_set.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    RATE_DEFAULT = 20,       /* requests in a second */
    RESERVE_DEFAULT = 10,
    MAX_WAIT_DEFAULT = 600,
    TAG_DAYS = 7,            /* after so many days the tags of a pattern are asked for again */
    REST_AFTER_KILL = 30,    /* seconds; see rest_if_killed */
    REST_WITHIN = 3600,
};
#define IDS_FILE_MAX ((size_t)64 << 20)
#define SECRET_MAX 4096
#define DAY_SECONDS 86400

struct plan {
    struct study study;
    struct api_options options;
    struct buf key, token, ids_text;
    int64_t from, to;
    int64_t *ids;
    size_t n_ids, ids_capacity;
    bool refresh, as_json;
    const char *tags[GIVEN_MAX];
    size_t n_tags;
    struct buf tag_list; /* with '|' before each; "a;b": questions that have both */
};

/* --- secrets --- */

static enum status MUST_USE check_secret(struct buf *secret, const char *from, struct err *e)
{
    struct span trimmed = span_trim(buf_span(secret));

    for (size_t i = 0; i < trimmed.len; i++)
        if (trimmed.ptr[i] <= ' ' || trimmed.ptr[i] > '~')
            return err_set(e, ST_INPUT, "%s: holds no key: one word of printable characters is"
                                        " expected", from);
    if (trimmed.len == 0 || trimmed.len > SECRET_MAX)
        return err_set(e, ST_INPUT, "%s: holds no key", from);
    memmove(secret->ptr, trimmed.ptr, trimmed.len);
    secret->len = trimmed.len;
    return ST_OK;
}

static enum status MUST_USE read_secret_file(struct buf *out, const char *path, struct err *e)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode) || (info.st_mode & 077) != 0)
        return err_set(e, ST_INPUT, "%s: others can read it; chmod 600 %s", path, path);
    enum status status = file_read(path, SECRET_MAX, out, e);
    return status == ST_OK ? check_secret(out, path, e) : status;
}

static enum status MUST_USE read_secret(struct buf *out, const struct invocation *in,
                                        const char *option, const char *variable, struct err *e)
{
    const char *path = option_text(in, option, NULL), *value = getenv(variable);

    if (path != NULL)
        return read_secret_file(out, path, e);
    if (value == NULL || value[0] == '\0')
        return ST_OK;
    buf_add_text(out, value);
    return check_secret(out, variable, e);
}

/* --- the plan --- */

static enum status MUST_USE read_date(const struct invocation *in, const char *option,
                                      const char *otherwise, int64_t *seconds, bool is_end,
                                      struct err *e)
{
    const char *text = option_text(in, option, otherwise);

    if (text[0] == '\0')
        return ST_OK;
    if (!api_time_of(span_of(text), seconds))
        return err_set(e, ST_USAGE, "fetch: --%s '%s' is no date such as 2018-01-31", option, text);
    if (is_end && strlen(text) == 10) /* the whole day */
        *seconds += DAY_SECONDS - 1;
    return ST_OK;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

static size_t without_doubles(int64_t *ids, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (i == 0 || ids[i] != ids[i - 1])
            ids[kept++] = ids[i];
    return kept;
}

/* One id on each line; blanks, empty lines and # comments are fine. */
static enum status MUST_USE read_ids(struct plan *p, const char *path, struct err *e)
{
    struct buf file = {0};
    enum status status = file_read(path, IDS_FILE_MAX, &file, e);
    struct span rest = buf_span(&file), line;
    size_t number = 0;

    while (status == ST_OK && span_cut(&rest, '\n', &line)) {
        struct span word;
        uint64_t id;
        number++;
        if (!span_cut(&line, '#', &word) || (word = span_trim(word)).len == 0)
            continue;
        if (!span_u64(word, POST_ID_MAX, &id) || id == 0) {
            status = err_set(e, ST_INPUT, "%s:%zu: '%.*s' is no id of a post", path, number,
                             (int)(word.len < 40 ? word.len : 40), word.ptr);
            break;
        }
        if (p->n_ids == p->ids_capacity) {
            p->ids_capacity = p->ids_capacity * 2 + 128;
            p->ids = mem_resize(p->ids, p->ids_capacity, sizeof *p->ids);
        }
        p->ids[p->n_ids++] = (int64_t)id;
    }
    buf_clear(&file);
    if (status == ST_OK && p->n_ids == 0)
        status = err_set(e, ST_INPUT, "%s: no ids in it", path);
    if (status != ST_OK)
        return status;
    qsort(p->ids, p->n_ids, sizeof *p->ids, compare_ids);
    p->n_ids = without_doubles(p->ids, p->n_ids);
    return ST_OK;
}

static enum status MUST_USE check_tag(const char *tag, struct err *e)
{
    size_t n = 1;

    for (const char *p = tag; *p != '\0'; p++) {
        n += *p == ';';
        if (*p == '*' || *p == ',' || *p == '|' || (unsigned char)*p <= ' ')
            return err_set(e, ST_USAGE, "fetch: --tag '%s' is no tag; give each in a --tag of its"
                                        " own", tag);
    }
    if (n > API_TAGS_MAX)
        return err_set(e, ST_USAGE,
                       "fetch: --tag '%s': %zu tags at once find nothing, the API takes %d; for"
                       " questions with any of them, give each in a --tag of its own",
                       tag, n, API_TAGS_MAX);
    if (tag[0] == '\0' || tag[0] == ';' || tag[strlen(tag) - 1] == ';')
        return err_set(e, ST_USAGE, "fetch: --tag '%s' is no tag", tag);
    return ST_OK;
}

static enum status MUST_USE read_modes(struct plan *p, const struct invocation *in, struct err *e)
{
    const char *ids = option_text(in, "ids", NULL);
    enum status status = ST_OK;

    p->refresh = option_given(in, "refresh");
    p->n_tags = option_texts(in, "tag", p->tags);
    if ((ids != NULL) + p->refresh + (p->n_tags > 0) > 1)
        return err_set(e, ST_USAGE, "fetch: --tag, --ids and --refresh are three different runs");
    for (size_t i = 0; i < p->n_tags && status == ST_OK; i++)
        status = check_tag(p->tags[i], e);
    if (status == ST_OK && ids != NULL)
        status = read_ids(p, ids, e);
    return status;
}

static enum status MUST_USE read_window(struct plan *p, const struct invocation *in, struct err *e)
{
    p->from = 0;
    p->to = DB_TIME_MAX;
    enum status status = read_date(in, "from", p->study.from, &p->from, false, e);
    if (status == ST_OK)
        status = read_date(in, "to", p->study.to, &p->to, true, e);
    if (status == ST_OK && p->from > p->to)
        status = err_set(e, ST_USAGE, "fetch: --from is later than --to");
    return status;
}

static enum status MUST_USE read_plan(struct plan *p, const struct invocation *in, struct err *e)
{
    static const char *const formats[] = {"text", "json", NULL};
    size_t format = 0;
    uint64_t reserve = RESERVE_DEFAULT, rate = RATE_DEFAULT, max_wait = MAX_WAIT_DEFAULT;
    enum status status = read_modes(p, in, e);

    if (status == ST_OK)
        status = read_window(p, in, e);
    if (status == ST_OK)
        status = option_choice(in, "format", formats, &format, e);
    if (status == ST_OK)
        status = option_number(in, "quota-reserve", 0, 1000000, &reserve, e);
    if (status == ST_OK)
        status = option_number(in, "rate", 0, API_RATE_MAX, &rate, e);
    if (status == ST_OK)
        status = option_number(in, "max-wait", 0, 1000000, &max_wait, e);
    if (status == ST_OK)
        status = read_secret(&p->key, in, "key-file", "PPMINE_API_KEY", e);
    if (status == ST_OK)
        status = read_secret(&p->token, in, "token-file", "PPMINE_API_TOKEN", e);
    p->as_json = format == 1;
    p->options = (struct api_options){
        .url = option_text(in, "api-url", NULL),
        .site = p->study.site,
        .key = p->key.len > 0 ? buf_cstr(&p->key) : NULL,
        .token = p->token.len > 0 ? buf_cstr(&p->token) : NULL,
        .key_in_query = option_given(in, "key-in-query"),
        .rate = (double)rate,
        .quota_reserve = (int64_t)reserve,
        .max_wait = (int64_t)max_wait,
    };
    return status;
}

static void clear_plan(struct plan *p)
{
    if (p->key.ptr != NULL)
        explicit_bzero(p->key.ptr, p->key.len);
    if (p->token.ptr != NULL)
        explicit_bzero(p->token.ptr, p->token.len);
    buf_clear(&p->key);
    buf_clear(&p->token);
    buf_clear(&p->tag_list);
    mem_free(p->ids);
    study_clear(&p->study);
}

/* --- which tags --- */

struct setting {
    const char *key;
    struct buf *value;
    bool found;
};

static void read_setting(void *ctx, struct span key, struct span value)
{
    struct setting *s = ctx;

    if (!span_eq(key, span_of(s->key)))
        return;
    s->found = true;
    buf_add_span(s->value, value);
}

static void add_tag(struct buf *list, struct span tag)
{
    struct span rest = buf_span(list), held;

    while (span_cut(&rest, '|', &held))
        if (span_eq(held, tag))
            return;
    buf_add_char(list, '|');
    buf_add_span(list, tag);
}

/* Asks for the names that the study's patterns stand for. Where the API has no such list, the names
 * in the patterns have to do. */
static enum status MUST_USE expand_pattern(struct fetch *f, struct plan *p, struct span pattern,
                                           struct err *e)
{
    struct buf names = {0};
    struct span rest, name, literal;

    if (memchr(pattern.ptr, '*', pattern.len) == NULL) {
        add_tag(&p->tag_list, pattern);
        return ST_OK;
    }
    enum status status = fetch_tags(f, pattern, &names, e);
    if (status == ST_INPUT) {
        log_warn("the names that %.*s stands for cannot be asked for (%s); without the `*` it is",
                 (int)pattern.len, pattern.ptr, e->text);
        literal = pattern;
        while (span_cut(&literal, '*', &name))
            if (name.len > 0)
                add_tag(&p->tag_list, name);
        status = ST_OK;
    }
    rest = buf_span(&names);
    while (status == ST_OK && span_cut(&rest, ';', &name))
        if (name.len > 0 && study_has_tag(&p->study, name))
            add_tag(&p->tag_list, name);
    buf_clear(&names);
    return status;
}

static enum status MUST_USE expand_study(struct fetch *f, struct plan *p, int64_t now,
                                         struct err *e)
{
    char at[32];
    enum status status = ST_OK;

    buf_reset(&p->tag_list);
    for (size_t i = 0; i < p->study.n_tags && status == ST_OK; i++)
        status = expand_pattern(f, p, p->study.tags[i], e);
    snprintf(at, sizeof at, "%" PRId64, now);
    if (status == ST_OK)
        status = db_api_state_put(f->db, "tags", buf_span(&p->tag_list), e);
    if (status == ST_OK)
        status = db_api_state_put(f->db, "tags_at", span_of(at), e);
    return status;
}

static enum status MUST_USE study_tags(struct fetch *f, struct plan *p, struct err *e)
{
    struct buf at = {0};
    struct setting tags = {"tags", &p->tag_list, false}, asked = {"tags_at", &at, false};
    int64_t now, then = 0;
    enum status status = api_now(f->api, &now, e);

    if (status == ST_OK)
        status = db_api_state_each(f->db, read_setting, &tags, e);
    if (status == ST_OK)
        status = db_api_state_each(f->db, read_setting, &asked, e);
    bool fresh = tags.found && span_i64(buf_span(&at), &then) &&
                 now - then < (int64_t)TAG_DAYS * DAY_SECONDS;
    buf_clear(&at);
    return status != ST_OK || fresh ? status : expand_study(f, p, now, e);
}

/* --- the run --- */

static enum status MUST_USE run_tags(struct fetch *f, struct plan *p, struct err *e)
{
    struct fetch_windows windows = {0};
    enum status status = ST_OK;

    for (size_t i = 0; i < p->n_tags; i++)
        add_tag(&p->tag_list, span_of(p->tags[i]));
    if (p->n_tags == 0)
        status = study_tags(f, p, e);
    struct span rest = buf_span(&p->tag_list), tag;
    while (status == ST_OK && span_cut(&rest, '|', &tag))
        if (tag.len > 0)
            status = fetch_windows_add(&windows, f->db, tag, p->from, p->to, e);
    f->n_windows = windows.n;
    for (size_t i = 0; i < windows.n && status == ST_OK; i++)
        status = fetch_window(f, &windows.list[i], e);
    fetch_windows_clear(&windows);
    if (status == ST_OK)
        status = fetch_due(f, e);
    if (status == ST_OK)
        status = fetch_windows_join(f->db, e);
    if (status == ST_OK && f->n_stuck > 0)
        status = err_set(e, ST_NETWORK,
                         "%" PRIu64 " of %" PRIu64 " windows stand where the API does not show all questions; see"
                         " the warnings above", f->n_stuck, f->n_windows);
    return status;
}

static enum status MUST_USE run_ids(struct fetch *f, const struct plan *p, struct err *e)
{
    char sha256[SHA256_TEXT_SIZE], name[SHA256_TEXT_SIZE + 8] = "refresh";

    f->n_windows = 1;
    if (!p->refresh) {
        db_sha256((struct span){(const char *)p->ids, p->n_ids * sizeof *p->ids}, sha256);
        snprintf(name, sizeof name, "ids %s", sha256);
    }
    enum status status = fetch_ids(f, name, p->refresh ? NULL : p->ids, p->n_ids, e);
    if (!p->refresh && f->n_ids > f->store.counts.questions)
        log_info("%" PRIu64 " of %" PRIu64 " ids that were asked for are no questions: deleted, or"
                 " ids of answers", f->n_ids - f->store.counts.questions, f->n_ids);
    return status == ST_OK ? fetch_due(f, e) : status;
}

static void add_parameters(const struct plan *p, struct buf *out)
{
    buf_addf(out, "{\"mode\":\"%s\",\"tags\":[",
             p->refresh ? "refresh" : p->n_ids > 0 ? "ids" : "tags");
    for (size_t i = 0; i < p->n_tags; i++) {
        buf_add_text(out, i > 0 ? "," : "");
        buf_add_json(out, span_of(p->tags[i]));
    }
    buf_addf(out, "],\"from\":%" PRId64 ",\"to\":%" PRId64 ",\"ids\":%zu}", p->from, p->to,
             p->n_ids);
}

static enum status MUST_USE begin_run(struct fetch *f, const struct plan *p, struct err *e)
{
    struct buf parameters = {0};
    struct db_run run = {.command = "fetch",
                         .source = span_of(p->options.url != NULL ? p->options.url : API_URL)};

    add_parameters(p, &parameters);
    run.parameters = buf_span(&parameters);
    enum status status = db_run_begin(f->db, &run, &f->store.run_id, e);
    buf_clear(&parameters);
    return status;
}

/* Of the request that a killed process had sent, the answer may have said `backoff`, and nobody
 * knows now. The usual one is 10 seconds. */
static enum status MUST_USE rest_if_killed(struct fetch *f, const struct api_state *state,
                                           struct err *e)
{
    bool killed;
    int64_t now;
    enum status status = db_run_was_killed(f->db, "fetch", &killed, e);

    if (status == ST_OK)
        status = api_now(f->api, &now, e);
    if (status != ST_OK || !killed || (state->quota_at != POST_ABSENT &&
                                       now - state->quota_at > REST_WITHIN))
        return status;
    log_debug("the last run was killed: waiting %d s, as the API may have asked to", REST_AFTER_KILL);
    api_rest(f->api, REST_AFTER_KILL);
    return ST_OK;
}

static void say_summary(const struct fetch *f, const char *end)
{
    const struct fetch_counts *c = &f->store.counts;
    const struct api_state *state = api_state(f->api);
    char quota[32] = "unknown";

    if (state->quota_remaining != POST_ABSENT)
        snprintf(quota, sizeof quota, "%" PRId64, state->quota_remaining);
    log_info("fetch: %" PRIu64 " requests, %" PRIu64 " questions, %" PRIu64 " answers, %" PRIu64
             " comments: %" PRIu64 " posts new, %" PRIu64 " changed, %" PRIu64
             " deleted; quota left %s; %s",
             api_requests(f->api), c->questions, c->answers, c->comments, c->n_put[DB_PUT_NEW],
             c->n_put[DB_PUT_CHANGED], c->gone, quota, end);
}

static void add_counts(const struct fetch *f, bool is_done, struct buf *out)
{
    const struct api_state *state = api_state(f->api);
    const char *why;
    char until[TIME_TEXT_SIZE];

    buf_addf(out, "{\"done\":%s,", is_done ? "true" : "false");
    if (api_pause(f->api, &why) > 0 && api_time_text(api_pause(f->api, &why), until))
        buf_addf(out, "\"goes_on_at\":\"%.19sZ\",", until);
    buf_addf(out, "\"requests\":%" PRIu64 ",", api_requests(f->api));
    fetch_counts_json(&f->store.counts, out);
    if (state->quota_remaining != POST_ABSENT)
        buf_addf(out, ",\"quota_remaining\":%" PRId64, state->quota_remaining);
    buf_add_char(out, '}');
}

/* "done", or why and when it goes on. */
static void describe_end(const struct fetch *f, enum status status, struct buf *out)
{
    const char *why;
    int64_t until = api_pause(f->api, &why);
    char text[TIME_TEXT_SIZE];

    if (status == ST_OK)
        buf_add_text(out, "done");
    else if (status == ST_NO && api_time_text(until, text))
        buf_addf(out, "%s: the next run goes on at %.19sZ or later", why, text);
    else
        buf_add_text(out, "not done");
}

static enum status MUST_USE end_run(struct fetch *f, const struct plan *p, enum status status,
                                    struct err *e)
{
    struct buf counts = {0}, end = {0};
    struct err ignored;
    const char *outcome = status == ST_OK                             ? "done"
                          : status == ST_NO || signals_stop_asked() ? "stopped"
                                                                      : "failed";

    add_counts(f, status == ST_OK, &counts);
    describe_end(f, status, &end);
    enum status ended = db_run_end(f->db, f->store.run_id, outcome, buf_span(&counts),
                                   status == ST_OK || status == ST_NO ? e : &ignored);
    if (p->as_json)
        printf("%.*s\n", (int)counts.len, counts.ptr);
    say_summary(f, buf_cstr(&end));
    buf_clear(&counts);
    buf_clear(&end);
    if (status == ST_NO) /* the quota is used up: nobody needs to do anything */
        status = ST_OK;
    return status == ST_OK ? ended : status;
}

/* The site of the posts that are held, once there are some of the API. */
static enum status MUST_USE check_site(struct fetch *f, const struct plan *p, const char *path,
                                       struct err *e)
{
    struct buf held = {0};
    struct setting site = {"site", &held, false};
    enum status status = db_api_state_each(f->db, read_setting, &site, e);

    if (status == ST_OK && p->study.site.len == 0)
        status = err_set(e, ST_INPUT, "%s: the study names no site; put `site = stackoverflow.com`"
                                      " into its study.ini", path);
    if (status == ST_OK && site.found && !span_eq(buf_span(&held), p->study.site))
        status = err_set(e, ST_DATABASE,
                         "%s: holds posts of %.*s, and the study is about %.*s now; use a database"
                         " for each site", path, (int)held.len, held.ptr, (int)p->study.site.len,
                         p->study.site.ptr);
    if (status == ST_OK && !site.found)
        status = db_api_state_put(f->db, "site", p->study.site, e);
    buf_clear(&held);
    return status;
}

static enum status MUST_USE run_plan(struct fetch *f, struct plan *p, const char *path,
                                     struct err *e)
{
    struct api_state state;
    enum status status = check_site(f, p, path, e);

    if (status == ST_OK)
        status = fetch_state_load(f->db, &state, e);
    if (status == ST_OK)
        status = api_open(&f->api, &p->options, &state, e);
    if (status == ST_OK && p->options.rate <= 0 && !api_is_local(f->api))
        status = err_set(e, ST_USAGE, "fetch: --rate 0 is for a server on this machine");
    if (status == ST_OK)
        status = rest_if_killed(f, &state, e);
    if (status == ST_OK)
        status = begin_run(f, p, e);
    if (status != ST_OK)
        return status;
    progress_begin(&f->progress, "fetch", 1);
    status = fetch_filter(f, e);
    if (status == ST_OK)
        status = p->refresh || p->n_ids > 0 ? run_ids(f, p, e) : run_tags(f, p, e);
    progress_end(&f->progress);
    return end_run(f, p, status, e);
}

static enum status run_locked(struct invocation *in, struct plan *p, struct err *e)
{
    struct fetch f = {.db = in->db, .store = {.db = in->db}};
    int lock;
    enum status status = run_lock_take(in->db_path, "fetch-lock", &lock, e);

    if (status == ST_NO) {
        log_info("%s; nothing was done", e->text);
        return ST_OK;
    }
    if (status == ST_OK)
        status = run_plan(&f, p, in->db_path, e);
    api_close(f.api);
    run_lock_release(lock);
    return status;
}

static enum status run_fetch(struct invocation *in, struct err *e)
{
    struct plan p = {0};
    bool show = option_given(in, "status");
    enum status status = invocation_open_db(in, show ? DB_READ : DB_WRITE, e);

    if (status == ST_OK)
        status = db_study_load(&p.study, in->db, e);
    if (status == ST_OK)
        status = read_plan(&p, in, e);
    if (status == ST_OK && show) {
        status = fetch_status_print(in->db, p.as_json, e);
    } else if (status == ST_OK) {
        signals_catch();
        signal(SIGPIPE, SIG_IGN); /* of a connection that is gone */
        status = run_locked(in, &p, e);
    }
    clear_plan(&p);
    return status;
}

static const struct option_spec options[] = {
    {"tag", 't', "TAG…", "questions with this tag (default: the study's tags)"},
    {"from", '\0', "DATE", "created on this day or later (default: the study's)"},
    {"to", '\0', "DATE", "created on this day or before (default: the study's)"},
    {"ids", '\0', "FILE", "questions by id, one id on each line"},
    {"refresh", 'r', NULL, "all questions that are held: edits, votes, deletions"},
    {"status", 's', NULL, "print how far it got, the quota and posts by year"},
    {"quota-reserve", '\0', "N", "requests of the quota to leave (default: 10)"},
    {"max-wait", '\0', "SECONDS", "longest wait; if longer, end for now (default: 600)"},
    {"rate", '\0', "N", "requests in a second, at most 25 (default: 20)"},
    {"key-file", '\0', "FILE", "file with the key, mode 0600 (default: $PPMINE_API_KEY)"},
    {"token-file", '\0', "FILE", "the same with an access token ($PPMINE_API_TOKEN)"},
    {"key-in-query", '\0', NULL, "send the key the old way, as a parameter"},
    {"api-url", '\0', "URL", "another server (default: " API_URL ")"},
    {"format", 'f', "FORMAT", "text, or json: counts, or the status, on stdout"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine fetch", "the study's tags and dates, from where the last run stopped"},
    {"ppmine fetch --tag tensorflow --tag keras --from 2018-01-01 --to 2021-03-03", NULL},
    {"ppmine fetch --ids ids.txt", "questions by their ids, 100 in a request"},
    {"ppmine fetch --refresh", "edits and deletions of what is held"},
    {"ppmine fetch --status", NULL},
    {NULL, NULL},
};

const struct command command_fetch = {
    .name = "fetch",
    .summary = "Fetch posts from the Stack Exchange API",
    .options = options,
    .description =
        "Gets questions with their answers and comments, and keeps each answer of the API as it\n"
        "came. Made for cron: it goes on where the last run stopped, also when that was killed; it\n"
        "obeys the API's limits, and ends with exit code 0 when the quota is used up, saying when it\n"
        "will go on. A second run at the same time does nothing. Deleted posts are marked, edited\n"
        "ones leave their older body in `revision`.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_fetch,
};
