/* options: options that several commands have. */
#include "cli/options.h"

#include "base/files.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "db/study.h"
#include "match/corpus/mine.h"
#include "label/coding/subject.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

enum status name_command(const struct invocation *in, enum status status, struct err *e)
{
    return status == ST_USAGE ? usage_error(in, e, "%s", e->text) : status;
}

/* --- who --- */

/* `asks`: what to ask without a name. */
static enum status MUST_USE read_name(const struct invocation *in, const char *given, const char *option,
                                      const char *asks, struct buf *name, struct err *e)
{
    const char *typed = option_or(given, getenv("PPMINE_CODER"));
    struct err why = {0};

    if (typed == NULL || typed[0] == '\0')
        return usage_error(in, e, "%s? Give --%s NAME or set PPMINE_CODER", asks, option);
    if (coder_name_check(span_of(typed), name, &why) == ST_OK)
        return ST_OK;
    return usage_error(in, e, "the name with --%s %s", option, why.text);
}

enum status coder_option(const struct invocation *in, struct buf *name, struct err *e)
{
    return read_name(in, in->values.coder, "coder", "who codes", name, e);
}

enum status by_option(const struct invocation *in, struct buf *name, struct err *e)
{
    enum status status = read_name(in, in->values.by, "by", "who says so", name, e);

    if (status == ST_OK && coder_is_model(buf_span(name)))
        return usage_error(in, e, "'%s' is the name of a language model, and a person says this", buf_cstr(name));
    return status;
}

enum status reason_option(const struct invocation *in, struct span *reason, struct err *e)
{
    enum { REASON_MAX = 10000 };
    const char *typed = in->values.reason;
    struct span s = span_trim(span_of(typed));

    *reason = typed != NULL ? s : (struct span){0};
    if (typed != NULL && (s.len == 0 || s.len > REASON_MAX || utf8_valid_prefix(s) < s.len))
        return usage_error(in, e, "--reason: expected 1 to %d bytes of UTF-8", REASON_MAX);
    return ST_OK;
}

enum status warn_of_answers(const struct invocation *in, struct err *e)
{
    struct subjects_misplaced judged;
    AT_END(buf_clear) struct buf instead = {0};
    char id[POST_ID_TEXT_SIZE];
    enum status status = subjects_misplaced(in->db, &judged, e);

    if (status != ST_OK || judged.n == 0)
        return status;
    if (judged.question_id != 0)
        buf_addf(&instead, " (to %s)", post_id_text(judged.question_id, id));
    post_id_text(judged.answer_id, id);
    log_warn("judged or coded posts that are answers: %zu, such as %s%s; these are counted, but a problem belongs to"
             " its question: code that, and take these back with `ppmine label undo --coder NAME %s`",
             judged.n, id, buf_cstr(&instead), id);
    return status;
}

/* --- facets and codes --- */

enum status facet_option(struct invocation *in, size_t *facet, struct err *e)
{
    const char *names[FACETS_MAX + 1] = {0};

    if (in->values.facet == NULL)
        return ST_OK;
    const struct facets *f = invocation_facets(in);
    for (size_t i = 0; i < f->n; i++)
        names[i] = f->items[i].typed.ptr;
    return option_choice(in, &in->values.facet, names, facet, e);
}

enum status list_option(struct invocation *in, const char *const *others, size_t *list, struct err *e)
{
    enum { OTHERS_MAX = 4 };
    const char *names[FACETS_MAX + OTHERS_MAX + 1] = {0};
    size_t n = 0;

    if (in->values.facet == NULL)
        return ST_OK;
    const struct facets *f = invocation_facets(in);
    for (; n < f->n_lists; n++)
        names[n] = f->lists[n].ptr;
    for (size_t i = 0; others != NULL && others[i] != NULL && i < OTHERS_MAX; i++)
        names[n++] = others[i];
    return option_choice(in, &in->values.facet, names, list, e);
}

enum status code_option(const struct invocation *in, const struct codebook *c, struct span list, const char *what,
                        const char *text, size_t *place, struct err *e)
{
    struct err why;

    *place = SIZE_MAX;
    for (size_t i = 0; i < c->n_lists; i++) {
        if (list.ptr != NULL && !span_eq(list, c->lists[i]))
            continue;
        size_t found = codebook_find(c, c->lists[i], span_of(text), &why);
        if (found != SIZE_MAX && *place != SIZE_MAX)
            return usage_error(in, e, "%s '%s' is a %.*s and a %s: say which with --facet", what, text,
                               SPAN_ARG(c->codes[*place].facet), c->lists[i].ptr);
        if (found != SIZE_MAX)
            *place = found;
    }
    if (*place != SIZE_MAX)
        return ST_OK;
    if (list.ptr != NULL)
        return usage_error(in, e, "%s: %s", what, why.text);
    return usage_error(in, e, "%s: no code '%s' in the codebook; `ppmine codebook list` lists them", what, text);
}

/* --- changes of the codebook --- */

enum status code_change_option(struct code_change *c, struct invocation *in, struct err *e)
{
    struct span typed = span_trim(span_of(option_or(in->values.by, "")));
    struct span why = span_trim(span_of(option_or(in->values.why, "")));
    AT_END(buf_clear) struct buf by = {0};

    *c = (struct code_change){.db = in->db};
    if (typed.len == 0 || why.len == 0)
        return usage_error(in, e,
                           "--by NAME and --why TEXT are needed: the history of the codebook says who changed it and"
                           " why");
    enum status status = by_option(in, &by, e);
    return status == ST_OK ? code_change_begin(c, in->db, arena_copy(&in->arena, buf_span(&by)), why, e) : status;
}

enum status code_change_say(struct code_change *c, enum status status, const char *action, struct span list,
                            struct span code, struct err *e)
{
    struct code_changed changed;

    status = code_change_end(c, status, action, list, code, &changed, e);
    if (status != ST_OK)
        return status;
    log_info("the codebook has version %lld now", (long long)changed.version);
    if (changed.n_review > 0)
        log_info("%zu label%s must be looked at again; each coder's: ppmine codebook review --coder NAME",
                 changed.n_review, changed.n_review == 1 ? "" : "s");
    return ST_OK;
}

/* --- the benchmark --- */

enum status bench_cases_given(struct bench_cases *out, const struct invocation *in, struct err *e)
{
    AT_END(buf_clear) struct buf path = {0};

    bench_data_path(&path, "cases");
    const char *dir = option_or(in->values.cases, buf_cstr(&path));
    enum status status = bench_cases_load(out, dir, e);
    if (status == ST_OK && out->items.n == 0)
        status = err_set(e, ST_INPUT, "%s has no cases: folders with a case.ini", dir);
    return status;
}

enum status bench_case_given(struct bench_cases *cases, const struct bench_case **c, const struct invocation *in,
                             struct err *e)
{
    enum status status = bench_cases_given(cases, in, e);

    *c = bench_cases_find(cases, in->operands[0]);
    if (status == ST_OK && *c == NULL)
        status = usage_error(in, e, "there is no case '%s'; 'ppmine bench list' names them", in->operands[0]);
    return status;
}

enum status bench_cases_named(struct bench_chosen *out, const struct bench_cases *cases, const struct invocation *in,
                              struct err *e)
{
    *out = (struct bench_chosen){mem_zero(cases->items.n + 1, sizeof(struct bench_case *)), 0};
    for (size_t i = 0; i < in->n_operands; i++) {
        const struct bench_case *found = bench_cases_find(cases, in->operands[i]);
        bool is_there = false;
        if (found == NULL)
            return usage_error(in, e, "there is no case '%s'; 'bench list' names them", in->operands[i]);
        for (size_t k = 0; k < out->n; k++)
            is_there |= out->items[k] == found;
        if (!is_there)
            out->items[out->n++] = found;
    }
    for (size_t i = 0; i < cases->items.n && in->n_operands == 0; i++)
        out->items[out->n++] = &cases->items.at[i];
    return ST_OK;
}

/* The path of --python, or of the Python of --environment. */
static enum status MUST_USE python_given(struct buf *out, const struct invocation *in, struct err *e)
{
    const char *given = in->values.python;
    struct bench_environment environment;
    AT_END(buf_clear) struct buf folder = {0};
    AT_END(arena_clear) struct arena arena = {0};

    if (given != NULL && in->values.environment != NULL)
        return usage_error(in, e, "--python or --environment, not both");
    if (given != NULL) {
        /* Runs have their own folders, so a path must be absolute; keeps links, which define a virtual environment. */
        char here[PATH_MAX];

        if (given[0] != '/' && strchr(given, '/') != NULL && getcwd(here, sizeof here) != NULL)
            buf_addf(out, "%s/", here);
        buf_add_text(out, given);
        return ST_OK;
    }
    bench_data_path(&folder, "environments");
    enum status status = name_command(in,
                                      bench_environment_named(&environment, buf_cstr(&folder),
                                                              option_or(in->values.environment, BENCH_ENVIRONMENT),
                                                              &arena, e),
                                      e);
    THEN(status, bench_environment_python(out, &environment, e));
    if (status == ST_NO)
        e->status = status = ST_INPUT; /* here it is not an answer but a lack */
    return status;
}

const char *bench_db_path(const struct invocation *in)
{
    bool is_named = in->values.db != NULL || option_or(getenv("PPMINE_DB"), "")[0] != '\0';

    return is_named || access(in->db_path, F_OK) == 0 ? in->db_path : NULL;
}

/* --- of the commands that measure --- */

enum status bench_measuring_given(struct bench_measuring *m, const struct invocation *in, struct err *e)
{
    bool waits = in->values.when_idle, anyway = in->values.anyway;
    static const char *const own[] = {"HOME", "TMPDIR", "PYTHONPATH", "TF_NUM_INTRAOP_THREADS",
                                      "TF_NUM_INTEROP_THREADS"};
    const struct option_texts *variables = &in->values.env;
    enum status status = ST_OK;

    if (variables->n > BENCH_VARIABLES_MAX)
        status = usage_error(in, e, "--env is given more than %d times", BENCH_VARIABLES_MAX);
    for (size_t i = 0; i < variables->n && status == ST_OK; i++) {
        /* "NAME" or "NAME=VALUE", and no name that decides what is measured. */
        const char *given = variables->at[i];
        struct span name = {given, strcspn(given, "=")};
        if (name.len == 0 ||
            strspn(given, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") < name.len)
            status = usage_error(in, e, "--env '%.100s': expected NAME or NAME=VALUE", given);
        else if (span_is_any(name, own, ARRAY_LEN(own)))
            status = usage_error(in, e, "--env %.*s: the runner sets it%s", SPAN_ARG(name),
                                 span_starts(name, SPAN("TF_NUM")) ? "; see --threads" : "");
    }
    m->setting.variables = variables->at;
    m->setting.n_variables = variables->n;
    m->setting.threads = in->values.threads;
    m->setting.when = waits ? BENCH_WHEN_IDLE : anyway ? BENCH_ANYWAY : BENCH_REFUSE_BUSY;
    if (status == ST_OK && waits && anyway)
        status = usage_error(in, e, "--when-idle or --anyway, not both");
    THEN(status, python_given(&m->python, in, e));
    m->setting.python = buf_cstr(&m->python);
    if (status == ST_OK)
        m->in_use = bench_environment_use(m->setting.python);
    return status;
}

void bench_measuring_clear(struct bench_measuring *m)
{
    if (m->in_use >= 0)
        close(m->in_use);
    buf_clear(&m->python);
    buf_clear(&m->setting.versions);
}

/* --- a key for a server --- */

enum { SECRET_MAX = 4096 };

static enum status MUST_USE check_secret(struct buf *secret, const char *from, struct err *e)
{
    struct span trimmed = span_trim(buf_span(secret));

    for (size_t i = 0; i < trimmed.len; i++)
        if (trimmed.ptr[i] <= ' ' || trimmed.ptr[i] > '~')
            return err_set(e, ST_INPUT, "%s: contains no key: expected one word of printable characters", from);
    if (trimmed.len == 0 || trimmed.len > SECRET_MAX)
        return err_set(e, ST_INPUT, "%s: contains no key", from);
    memmove(secret->ptr, trimmed.ptr, trimmed.len);
    secret->len = trimmed.len;
    return ST_OK;
}

enum status secret_read(struct buf *out, const char *path, const char *variable, struct err *e)
{
    char *value = getenv(variable);
    struct stat info;
    enum status status = ST_OK;

    if (path != NULL) {
        if (stat(path, &info) != 0)
            status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
        else if (!S_ISREG(info.st_mode) || (info.st_mode & 077) != 0)
            status = err_set(e, ST_INPUT, "%s: others can read it; chmod 600 %s", path, path);
        THEN(status, file_read(path, SECRET_MAX, out, e));
        THEN(status, check_secret(out, path, e));
    } else if (value != NULL && value[0] != '\0') {
        buf_add_text(out, value);
        status = check_secret(out, variable, e);
    }
    if (value != NULL) /* a core dump would show it, and a child inherit it */
        explicit_bzero(value, strlen(value));
    unsetenv(variable);
#ifdef PR_SET_DUMPABLE
    if (out->len > 0 && prctl(PR_SET_DUMPABLE, 0) != 0)
        log_debug("a core dump of this process may show the key");
#endif
    return status;
}

/* --- a post on standard output --- */

enum { WIDTH_DEFAULT = 100, WIDTH_MAX = 120 };

enum status post_shown_init(struct post_shown *p, const struct invocation *in, struct err *e)
{
    size_t width = terminal_width(stdout);

    *p = (struct post_shown){0};
    enum status status = db_study_load_unlabelled(&p->study, in->db, e);

    THEN(status, stored_codebook_load(&p->book, in->db, e));
    p->view = (struct post_view){.db = in->db,
                                 .book = &p->book,
                                 .width = width == 0          ? WIDTH_DEFAULT
                                          : width < WIDTH_MAX ? width
                                                              : WIDTH_MAX,
                                 .with_answers = !in->values.no_answers};
    if (status == ST_OK && !in->values.blind && !p->study.blind) {
        status = post_hints_init(&p->hints, &p->study, NULL, e);
        p->view.hints = p->hints.hints != NULL ? &p->hints : NULL;
        if (p->hints.hints != NULL)
            hints_follow(p->hints.hints, &p->book.codebook);
    }
    return status;
}

enum status post_shown_relate(struct post_shown *p, struct err *e)
{
    p->view.related = &p->related;
    return mine_related_read(&p->related, p->view.db, e);
}

void post_shown_clear(struct post_shown *p)
{
    post_relations_clear(&p->related);
    post_hints_clear(&p->hints);
    stored_codebook_clear(&p->book);
    study_clear(&p->study);
}
