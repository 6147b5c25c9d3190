/* checking: the checker on a command line, for ppmine check and ppcheck. */
#include "cli/checking.h"

#include "base/log.h"

#include <sys/stat.h>
#include <unistd.h>

enum { STDIN_MAX = 64 << 20 };

static const char *const targets[] = {"any", "tf1", "tf2", NULL};

/* --per-file-ignores 'tests/:PP301,PP302' */
static enum status per_file_ignores(struct checking *a, const char *text, struct err *e)
{
    struct span rest = span_of(text), pattern, rule;

    if (!span_cut(&rest, ':', &pattern) || pattern.len == 0 || rest.len == 0)
        return err_set(e, ST_USAGE, "--per-file-ignores: '%s' is not PATTERN:RULE,…", text);
    while (span_cut(&rest, ',', &rule)) {
        check_list_add(&a->options.per_file, pattern);
        check_list_add(&a->options.per_file, span_trim(rule));
        enum status status = check_rule_known(a->options.per_file.items[a->options.per_file.n - 1], e);
        if (status != ST_OK)
            return status;
    }
    return ST_OK;
}

static enum status read_options(struct invocation *in, struct checking *a, struct err *e)
{
    const struct option_values *o = &in->values;
    const struct check_list *const of_rules[] = {&a->options.select, &a->options.ignore, &a->options.trust};
    size_t target = 0, least = o->all ? CHECK_LOW : CHECK_MEDIUM, surest = o->all ? CHECK_LIKELY : CHECK_CERTAIN;
    enum status status = option_choice(in, &o->format, check_formats, &a->format, e);

    a->fail_on = CHECK_HIGH;
    THEN(status, option_choice(in, &o->target, targets, &target, e));
    THEN(status, option_choice(in, &o->impact, check_impacts, &least, e));
    THEN(status, option_choice(in, &o->certainty, check_certainties, &surest, e));
    THEN(status, option_choice(in, &o->fail_on, check_fail_levels, &a->fail_on, e));
    a->options.least = (enum check_impact)least;
    a->options.surest = (enum check_certainty)surest;
    a->options.levels_given = o->all || o->impact != NULL || o->certainty != NULL;
    a->options.target = (enum check_target)target;
    a->options.jobs = (unsigned)o->jobs;
    a->options.no_gitignore = o->no_gitignore;
    a->options.baseline = o->baseline;
    a->options.profile = o->profile;
    if (status != ST_OK)
        return status;

    check_list_split(&a->options.select, o->select);
    check_list_split(&a->options.ignore, o->ignore);
    check_list_split(&a->options.trust, o->trust);
    check_list_split(&a->options.exclude, o->exclude);
    if (o->per_file_ignores != NULL)
        status = per_file_ignores(a, o->per_file_ignores, e);
    for (size_t i = 0; i < ARRAY_LEN(of_rules); i++)
        for (size_t k = 0; k < of_rules[i]->n && status == ST_OK; k++)
            status = check_rule_known(of_rules[i]->items[k], e);
    return status;
}

static enum status check_modes(const struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    bool changes = o->fix || o->diff, of_input = false;

    for (size_t i = 0; i < in->n_operands; i++)
        of_input |= strcmp(in->operands[i], "-") == 0;
    return refuse(e, {o->fix && o->diff, "check: --diff shows what --fix would write; give one"},
                  {changes && o->write_baseline != NULL,
                   "check: --write-baseline only writes what is found; leave out --fix and --diff"},
                  {o->why_not != NULL && (changes || o->write_baseline != NULL),
                   "check: --why-not only answers; leave out --fix, --diff, --write-baseline"},
                  {o->fix && of_input, "check: --fix cannot write standard input; --diff shows what it would change"});
}

static enum status read_input(struct checking *a, struct err *e)
{
    for (;;) {
        buf_reserve(&a->input, 65536);
        ssize_t got = read(STDIN_FILENO, a->input.ptr + a->input.len, 65536);
        if (got < 0)
            return err_set(e, ST_IO, "cannot read standard input");
        if (got == 0)
            return ST_OK;
        a->input.len += (size_t)got;
        if (a->input.len > STDIN_MAX)
            return err_set(e, ST_INPUT, "standard input is larger than %d bytes", STDIN_MAX);
    }
}

enum status checking_add(struct invocation *in, size_t n, struct checking *a, struct check_run *c, struct err *e)
{
    const char *name = option_or(in->values.stdin_name, "stdin.py");
    enum status status = ST_OK;

    for (size_t i = 0; i < n && status == ST_OK; i++) {
        if (strcmp(in->operands[i], "-") != 0) {
            status = check_add(c, in->operands[i], e);
            continue;
        }
        status = read_input(a, e);
        if (status == ST_OK)
            check_add_content(c, name, buf_span(&a->input));
        if (status == ST_OK)
            check_add_project(c, name);
    }
    return n == 0 ? check_add(c, ".", e) : status;
}

static void say_totals(const struct check_run *c, const bool *fixed)
{
    struct check_totals t = check_totals(c);
    size_t n, n_fixed = 0;

    check_findings(c, &n);
    for (size_t i = 0; i < n; i++)
        n_fixed += fixed[i];
    log_info("%zu finding%s; checked %zu of %zu file%s that use%s TensorFlow, Keras or PyTorch", n, n == 1 ? "" : "s",
             t.parsed, t.files, t.files == 1 ? "" : "s", t.files == 1 ? "s" : "");
    if (t.more > 0)
        log_info("%zu more: --all shows them", t.more);
    if (t.profiler != NULL)
        log_info("profile: %s; %.1f %% of its time is in the files checked, %.1f %% in their import statements",
                 t.profiler, t.profiled * 100, t.imported * 100);
    if (t.cold > 0)
        log_info("left out: %zu that take%s less than 1 %% of the time; --all shows them", t.cold,
                 t.cold == 1 ? "s" : "");
    if (n_fixed > 0)
        log_info("fixed %zu of them", n_fixed);
    if (t.suppressed > 0 || t.baselined > 0)
        log_info("left out: %zu by comments, %zu by the baseline", t.suppressed, t.baselined);
}

/* What is certain, low and done by a machine. */
static bool is_small_fix(const struct check_finding *f)
{
    return f->impact == CHECK_LOW && f->certainty == CHECK_CERTAIN && f->n_edits > 0;
}

static bool has_fix(const struct check_finding *f)
{
    return f->n_edits > 0;
}

static bool has_no_fix(const struct check_finding *f)
{
    return f->n_edits == 0;
}

/* How many of the findings are such, but for but[i]; and the names of some of their rules. */
static size_t count_such(const struct check_finding *f, size_t n, bool (*is_such)(const struct check_finding *),
                         const bool *but, struct buf *names)
{
    enum { NAMES_MAX = 3 };
    const struct check_rule *named[NAMES_MAX];
    size_t such = 0, n_named = 0, k;

    for (size_t i = 0; i < n; i++) {
        if (!is_such(&f[i]) || (but != NULL && but[i]))
            continue;
        such++;
        for (k = 0; k < n_named && named[k] != f[i].rule; k++)
            ;
        if (k < n_named || n_named == NAMES_MAX)
            continue;
        named[n_named++] = f[i].rule;
        buf_addf(names, "%s%s", names->len > 0 ? ", " : "", f[i].rule->name);
    }
    return such;
}

/* What --fix leaves to the author, and to the next --fix; small fixes that are not shown; comments that hide nothing. */
static void say_left(const struct check_run *c, const bool *fixed, bool fixes)
{
    enum { SAID_MAX = 10 };
    AT_END(buf_clear) struct buf without = {0}, left = {0}, small = {0};
    size_t n, n_more;
    const struct check_finding *f = check_findings(c, &n), *more = check_more(c, &n_more);
    size_t n_left = count_such(f, n, has_fix, fixed, &left), n_without = count_such(f, n, has_no_fix, NULL, &without);
    size_t n_small = count_such(more, n_more, is_small_fix, NULL, &small);
    const char *unused;

    if (fixes && n_left > 0)
        log_info("fixes left out: %zu (%s): another fix changed the same code (run --fix again), or a warning says why",
                 n_left, buf_cstr(&left));
    if (fixes && n_without > 0)
        log_info(
            "not fixed: %zu (%s): no change is proven to keep the results, or it is in a notebook, which is not written",
            n_without, buf_cstr(&without));
    if (n_small > 0)
        log_info("%zu small fix%s (%s): --impact low --diff shows %s", n_small, n_small == 1 ? "" : "es",
                 buf_cstr(&small), n_small == 1 ? "it" : "them");
    for (n = 0; (unused = check_unused(c, n)) != NULL; n++)
        if (n < SAID_MAX)
            log_warn("%s", unused);
    if (n > SAID_MAX)
        log_warn("%zu more comments or entries hide nothing", n - SAID_MAX);
}

/* --why-not RULE[:FILE[:LINE]] or FILE:LINE; *path is for the caller to free. */
static enum status read_why_not(struct checking *a, const char *text, char **path, struct err *e)
{
    struct span rest = span_of(text), first = rest;
    uint64_t line = 0;

    if (!span_cut(&rest, ':', &first))
        first = (struct span){0};
    a->why_not.rule = check_rule_find(first);
    struct span file = a->why_not.rule != NULL ? rest : span_of(text);
    const char *colon = memrchr(file.ptr != NULL ? file.ptr : "", ':', file.len);
    if (colon != NULL) {
        struct span number = {colon + 1, file.len - (size_t)(colon + 1 - file.ptr)};
        if (!span_u64(number, UINT32_MAX, &line) || line == 0)
            return err_set(e, ST_USAGE, "--why-not '%s': expected RULE, RULE:FILE, RULE:FILE:LINE or FILE:LINE", text);
        file.len = (size_t)(colon - file.ptr);
    }
    if (a->why_not.rule == NULL && (line == 0 || file.len == 0))
        return err_set(e, ST_USAGE,
                       "--why-not '%s': no such rule; expected RULE, RULE:FILE, RULE:FILE:LINE or FILE:LINE", text);
    a->why_not.line = (uint32_t)line;
    if (file.len > 0) {
        AT_END(mem_end) char *typed = mem_text(file);
        *path = mem_text(check_shown(typed));
    }
    a->why_not.path = *path;
    a->options.why_not = &a->why_not;
    return ST_OK;
}

static enum status finish(const struct invocation *in, const struct checking *a, struct check_run *c, struct err *e)
{
    const struct option_values *o = &in->values;
    size_t n, n_medium = 0, n_failing = 0;
    enum status status = ST_OK;
    const struct check_finding *f = check_findings(c, &n);
    AT_END(mem_end) bool *fixed = mem_zero(n + 1, sizeof *fixed);

    if (a->options.why_not != NULL)
        return check_print_why_not(c, stdout, e);
    if (o->write_baseline != NULL)
        return check_write_baseline(c, o->write_baseline, e);
    if (o->diff)
        check_print_diff(c, (enum check_format)a->format, stdout);
    else if (o->statistics)
        check_print_statistics(c, (enum check_format)a->format, stdout);
    else
        check_print(c, (enum check_format)a->format, stdout);
    fflush(stdout); /* main checks the stream; the summary comes after it, also in one pipe */
    if (o->fix)
        status = check_fix(c, fixed, e);
    say_totals(c, fixed);
    say_left(c, fixed, o->fix);
    for (size_t i = 0; i < n; i++) {
        size_t of_file = f[i].options->fail_on;
        size_t fail_on = o->fail_on != NULL || of_file == 0 ? a->fail_on : of_file - 1;
        n_medium += f[i].impact == CHECK_MEDIUM && !fixed[i] && of_file == 0;
        n_failing += (size_t)f[i].impact >= fail_on && !fixed[i];
    }
    if (status != ST_OK || n_failing > 0)
        return status == ST_OK ? ST_NO : status;
    /* Where nobody chose the level, findings below it and exit code 0 could be taken for none. */
    if (o->fail_on == NULL && n_medium > 0)
        log_info("%zu of medium impact do%s not fail: exit code 0; --fail-on medium changes it", n_medium,
                 n_medium == 1 ? "es" : "");
    return ST_OK;
}

/* By pyproject.toml, as it is seen from what is checked; a language server looks for it for each document. */
static enum status configure(struct invocation *in, struct checking *a, struct err *e)
{
    size_t n = in->values.try ? in->n_before_dashes : in->n_operands;
    AT_END(buf_clear) struct buf folder = {0};

    a->options.no_config = in->values.no_config;
    if (in->values.no_config || in->values.lsp)
        return ST_OK;
    check_common_folder(in->operands, n, &folder);
    bool from_stdin = n == 1 && strcmp(in->operands[0], "-") == 0 && in->values.stdin_name != NULL;
    return check_configure(&a->options, from_stdin ? in->values.stdin_name : buf_cstr(&folder), e);
}

static enum status explain(const char *id, struct err *e)
{
    const struct check_rule *rule = check_rule_find(span_of(id));

    if (rule == NULL) {
        enum status status = check_rule_known(id, e);
        return status != ST_OK ? status : err_set(e, ST_USAGE, "--explain: '%s' is not a whole id", id);
    }
    struct span page = check_page(rule);
    AT_END(buf_clear) struct buf gains = {0};
    enum status status = check_gains(&gains, rule, e);
    fwrite(page.ptr, 1, page.len, stdout);
    if (gains.len > 0)
        fwrite(gains.ptr, 1, gains.len, stdout);
    return status;
}

/* What is found is printed also when it cannot be kept. */
static enum status check_all(struct invocation *in, const struct checking_more *more, struct checking *a, struct err *e)
{
    struct check_run *c = check_new(&a->options);
    enum status status = ST_OK, kept = ST_OK;
    struct stat st;
    struct err not_kept;

    /* The file that --why-not asks about is checked, wherever it is, and alone if nothing else is named. */
    bool asks = a->why_not.path != NULL && stat(a->why_not.path, &st) == 0;
    if (asks && S_ISDIR(st.st_mode))
        status = err_set(e, ST_USAGE, "--why-not: %s is a folder; name a file and a line", a->why_not.path);
    else if (asks)
        status = check_add(c, a->why_not.path, e);
    if (status == ST_OK && !(asks && in->n_operands == 0))
        status = checking_add(in, in->n_operands, a, c, e);
    THEN(status, check_go(c, e));
    if (status == ST_OK && more->keep != NULL)
        kept = more->keep(in, a, c, more->ctx, &not_kept);
    THEN(status, finish(in, a, c, e));
    check_free(c);
    if (kept == ST_OK || status > ST_NO)
        return status;
    *e = not_kept;
    return kept;
}

enum status checking_run(struct invocation *in, const struct checking_more *more, struct err *e)
{
    struct checking a = {0};
    const char *id = in->values.explain;
    AT_END(mem_end) char *path = NULL;
    bool done = false;

    if (id != NULL)
        return explain(id, e);
    if (in->values.rules) {
        for (size_t i = 0; i < check_n_rules(); i++) {
            const struct check_rule *rule = check_rule_at(i);
            printf("%s  %-6s  %-7s  %-3s  %-7s  %s\n", rule->id, check_impacts[rule->impact],
                   check_certainties[rule->certainty], "on", rule->fixable ? "fixable" : "", rule->summary);
        }
        return ST_OK;
    }
    enum status status = read_options(in, &a, e);
    THEN(status, check_modes(in, e));
    if (status == ST_OK && in->values.why_not != NULL)
        status = read_why_not(&a, in->values.why_not, &path, e);
    THEN(status, configure(in, &a, e));
    if (status == ST_OK && more->begin != NULL)
        status = more->begin(in, &a, more->ctx, e);
    if (!in->values.fix && in->values.write_baseline == NULL && !in->values.try)
        invocation_confine(&in->db_path, in->db != NULL ? 1 : 0, false);
    if (status == ST_OK && in->values.lsp)
        status = check_serve(&a.options, stdin, stdout, e);
    else if (status == ST_OK && more->instead != NULL)
        status = more->instead(in, &a, more->ctx, &done, e);
    if (status == ST_OK && !done && !in->values.lsp)
        status = check_all(in, more, &a, e);
    check_options_clear(&a.options);
    buf_clear(&a.input);
    return status;
}
