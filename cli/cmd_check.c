/* check: the static checker. */
#include "base/sandbox.h"
#include "cli/command.h"
#include "cli/options.h"
#include "check/campaign/campaign.h"
#include "bench/store/fix_trial.h"

#include <unistd.h>

enum { STDIN_MAX = 64 << 20 };

static const char *const targets[] = {"any", "tf1", "tf2", NULL};
static const char *const levels[] = {"low", "medium", "high", "never", NULL};

/* What the command line asks for. */
struct asked {
    struct check_options options;
    size_t format, fail_on;
    bool fix, diff, statistics;
    const char *write_baseline;
    struct buf input;
    bool keeps; /* in a database */
    struct check_place place;
    struct check_store store;
    bool tries;
};

static enum status known_rules(const struct check_list *list, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < list->n && status == ST_OK; i++)
        status = check_rule_known(list->items[i], e);
    return status;
}

/* --per-file-ignores 'tests/:PP301,PP302' */
static enum status per_file_ignores(struct asked *a, const char *text, struct err *e)
{
    struct span rest = span_of(text), pattern, rule;

    if (!span_cut(&rest, ':', &pattern) || pattern.len == 0 || rest.len == 0)
        return err_set(e, ST_USAGE, "--per-file-ignores: '%s' is not PATTERN:RULE,…", text);
    while (span_cut(&rest, ',', &rule)) {
        check_list_add(&a->options.per_file, pattern);
        check_list_add(&a->options.per_file, span_trim(rule));
        enum status status =
            check_rule_known(a->options.per_file.items[a->options.per_file.n - 1], e);
        if (status != ST_OK)
            return status;
    }
    return ST_OK;
}

/* Options that are lists. */
static enum status read_lists(struct invocation *in, struct asked *a, struct err *e)
{
    const struct option_values *o = &in->values;
    enum status status = ST_OK;

    check_list_split(&a->options.select, o->select);
    check_list_split(&a->options.ignore, o->ignore);
    check_list_split(&a->options.trust, o->trust);
    check_list_split(&a->options.exclude, o->exclude);
    if (o->per_file_ignores != NULL)
        status = per_file_ignores(a, o->per_file_ignores, e);
    if (status == ST_OK)
        status = known_rules(&a->options.select, e);
    if (status == ST_OK)
        status = known_rules(&a->options.ignore, e);
    return status == ST_OK ? known_rules(&a->options.trust, e) : status;
}

/* What is shown. */
static enum status read_levels(struct invocation *in, struct check_options *o, struct err *e)
{
    bool all = in->values.all;
    size_t least = all ? CHECK_LOW : CHECK_MEDIUM, surest = all ? CHECK_LIKELY : CHECK_CERTAIN;
    enum status status = option_choice(in, &in->values.impact, check_impacts, &least, e);

    if (status == ST_OK)
        status = option_choice(in, &in->values.certainty, check_certainties, &surest, e);
    o->least = (enum check_impact)least;
    o->surest = (enum check_certainty)surest;
    o->levels_given = all || (in->values.impact != NULL) || in->values.certainty != NULL;
    return status;
}

static enum status read_options(struct invocation *in, struct asked *a, struct err *e)
{
    size_t target = 0;
    enum status status = option_choice(in, &in->values.format, check_formats, &a->format, e);

    a->fail_on = CHECK_HIGH;
    if (status == ST_OK)
        status = option_choice(in, &in->values.target, targets, &target, e);
    if (status == ST_OK)
        status = read_levels(in, &a->options, e);
    if (status == ST_OK)
        status = option_choice(in, &in->values.fail_on, levels, &a->fail_on, e);
    if (status == ST_OK)
        status = read_lists(in, a, e);
    a->options.target = (enum check_target)target;
    a->options.jobs = (unsigned)in->values.jobs;
    a->options.no_gitignore = in->values.no_gitignore;
    a->options.baseline = in->values.baseline;
    a->write_baseline = in->values.write_baseline;
    a->fix = in->values.fix;
    a->diff = in->values.diff;
    a->statistics = in->values.statistics;
    a->tries = in->values.try;
    if (status == ST_OK && a->tries && (a->fix || a->diff || a->statistics || a->write_baseline != NULL))
        status = err_set(e, ST_USAGE, "check --try changes no files; --patch FILE writes what helps");
    if (status == ST_OK && a->fix && a->diff)
        status = err_set(e, ST_USAGE, "check: --diff shows what --fix would write; give one");
    for (size_t i = 0; i < in->n_operands && status == ST_OK && a->fix; i++)
        if (strcmp(in->operands[i], "-") == 0)
            status = err_set(e, ST_USAGE, "check: --fix cannot write standard input; --diff shows"
                                          " what it would change");
    return status;
}

static enum status read_input(struct asked *a, struct err *e)
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

static enum status add_operands(struct invocation *in, struct asked *a, struct check_run *c,
                                struct err *e)
{
    const char *name = option_or(in->values.stdin_name, "stdin.py");
    enum status status = ST_OK;

    size_t n = a->tries ? in->n_before_dashes : in->n_operands;

    for (size_t i = 0; i < n && status == ST_OK; i++) {
        if (strcmp(in->operands[i], "-") != 0) {
            status = check_add(c, in->operands[i], e);
            continue;
        }
        status = read_input(a, e);
        if (status == ST_OK)
            check_add_content(c, name, buf_span(&a->input));
    }
    return n == 0 ? check_add(c, ".", e) : status;
}

static void say_totals(const struct check_run *c, size_t fixed)
{
    struct check_totals t = check_totals(c);
    size_t n;

    check_findings(c, &n);
    log_info("%zu finding%s; checked %zu of %zu file%s that use%s TensorFlow, Keras or PyTorch", n,
             n == 1 ? "" : "s", t.parsed, t.files, t.files == 1 ? "" : "s", t.files == 1 ? "s" : "");
    if (t.more > 0)
        log_info("%zu more: --all shows them", t.more);
    if (fixed > 0)
        log_info("fixed %zu of them", fixed);
    if (t.suppressed > 0 || t.baselined > 0)
        log_info("left out: %zu by comments, %zu by the baseline", t.suppressed, t.baselined);
}

static bool fails(const struct check_run *c, size_t fail_on, bool fixed)
{
    size_t n;
    const struct check_finding *f = check_findings(c, &n);

    for (size_t i = 0; i < n; i++)
        if ((size_t)f[i].impact >= fail_on && !(fixed && f[i].n_edits > 0))
            return true;
    return false;
}

static enum status finish(struct asked *a, struct check_run *c, struct err *e)
{
    size_t fixed = 0;
    enum status status = ST_OK;

    if (a->write_baseline != NULL)
        return check_write_baseline(c, a->write_baseline, e);
    if (a->diff)
        check_print_diff(c, (enum check_format)a->format, stdout);
    else if (a->statistics)
        check_print_statistics(c, (enum check_format)a->format, stdout);
    else
        check_print(c, (enum check_format)a->format, stdout);
    fflush(stdout); /* main checks the stream; the summary comes after it, also in one pipe */
    if (a->fix)
        status = check_fix(c, &fixed, e);
    say_totals(c, fixed);
    if (status != ST_OK)
        return status;
    return fails(c, a->fail_on, a->fix) ? ST_NO : ST_OK;
}

/* --- measuring --- */

static enum status read_trial(struct invocation *in, struct command_pair_spec *spec, struct err *e)
{
    double tolerance = 0.001;
    enum status status = option_percent(in, &in->values.tolerance, 0, 100, &tolerance, e);

    *spec = (struct command_pair_spec){
        .argv = in->operands + in->n_before_dashes,
        .n_argv = in->n_operands - in->n_before_dashes,
        .patterns = in->values.same.at,
        .n_patterns = in->values.same.n,
        .files = in->values.same_file.at,
        .n_files = in->values.same_file.n,
        .linked = in->values.link.at,
        .n_linked = in->values.link.n,
        .tolerance = tolerance,
        .runs = in->values.runs,
        .sandbox = in->values.sandbox,
    };
    if (status == ST_OK && spec->sandbox && (sandbox_landlock() == 0 || !sandbox_has_seccomp()))
        return err_set(e, ST_USAGE, "check --sandbox: this system lacks Landlock or seccomp, as `ppmine doctor` shows; without"
                                    " --sandbox, the command runs with all your rights");
    if (status == ST_OK && spec->n_argv == 0)
        return err_set(e, ST_USAGE, "check --try: the command to measure follows --, as in"
                                    " ppmine check --try --same 'loss: [0-9.]+' -- python train.py");
    if (status == ST_OK && spec->n_patterns + spec->n_files == 0)
        return err_set(e, ST_USAGE, "check --try: say what must stay the same, printed lines with --same"
                                    " 'loss: [0-9.]+' or files with --same-file NAME");
    return status;
}

static enum status measure(struct invocation *in, const struct check_run *c,
                           const struct command_pair_spec *spec, const struct table_output *out,
                           struct err *e)
{
    struct fix_trial trial = {.spec = spec, .run = c};
    struct bench_lock lock = {-1, -1};
    const char *path = in->values.patch;
    struct table rows;

    table_init(&rows, "trials", NULL, NULL, 0);
    fix_trial_columns(&rows);
    enum status status = bench_lock(&lock, NULL, e);
    if (status == ST_OK)
        status = fix_trial(&trial, &rows, e);
    bench_unlock(&lock);
    if (status == ST_OK && path != NULL && trial.patch.len > 0)
        status = file_replace(path, buf_span(&trial.patch), e);
    if (status == ST_OK)
        log_info("%zu of %zu changes help%s%s", trial.n_helped, trial.n_tried,
                 path == NULL || trial.n_helped == 0 ? "" : "; the patch is ",
                 path == NULL || trial.n_helped == 0 ? "" : path);
    status = table_end(&rows, status, out);
    buf_clear(&trial.patch);
    return status == ST_OK && trial.n_helped == 0 ? ST_NO : status;
}

static enum status try_fixes(struct invocation *in, struct asked *a, struct err *e)
{
    static const enum table_format formats[] = {
        [CHECK_TEXT] = TABLE_AS_TEXT, [CHECK_JSON] = TABLE_AS_JSON,
        [CHECK_CSV] = TABLE_AS_CSV, [CHECK_HTML] = TABLE_AS_HTML,
    };
    struct command_pair_spec spec;
    struct buf folder = {0};
    struct table_output out = {.file = stdout};
    enum status status = read_trial(in, &spec, e);

    if (status != ST_OK)
        return status;
    if (a->format == CHECK_SARIF || a->format == CHECK_GITHUB)
        return err_set(e, ST_USAGE, "check --try prints text, json, csv or html");
    out.format = formats[a->format];
    check_absolute(".", &folder);
    spec.folder = buf_cstr(&folder);
    signals_catch();
    struct check_run *c = check_new(&a->options);
    status = add_operands(in, a, c, e);
    if (status == ST_OK)
        status = check_go(c, e);
    if (status == ST_OK)
        status = measure(in, c, &spec, &out, e);
    check_free(c);
    buf_clear(&folder);
    return status;
}

/* --- the database --- */

static enum status begin_keeping(struct invocation *in, struct asked *a, struct err *e)
{
    a->keeps = (in->values.db != NULL) || (in->values.project != NULL) ||
               (in->values.commit != NULL) || in->values.date != NULL;
    if (!a->keeps)
        return ST_OK;
    if (in->values.lsp)
        return err_set(e, ST_USAGE, "check: --lsp keeps nothing in a database; leave out -d,"
                       " --project, --commit, --date");
    a->place = (struct check_place){
        .paths = in->operands,
        .n_paths = in->n_operands,
        .project = in->values.project,
        .commit = in->values.commit,
        .date = in->values.date,
    };
    enum status status = check_store_begin(&a->store, &a->place, &a->options, e);
    return status == ST_OK ? invocation_open_db(in, DB_WRITE, e) : status;
}

static void say_kept(const struct check_store *s, const char *db_path,
                     const struct db_scanned *done, size_t n_unread)
{
    log_info("%s: %.*s, %.*s: scan %lld%s", db_path, (int)s->project.len, s->project.ptr,
             (int)s->commit.len, s->commit.ptr, (long long)done->scan_id,
             done->known ? " found the same; nothing was added" : "");
    if (!done->known)
        log_info("new: %lld; found again: %lld; no longer found: %lld", (long long)done->n_new,
                 (long long)done->n_back, (long long)done->n_gone);
    if (n_unread > 0)
        log_warn("%zu file%s or folder%s could not be read; findings from earlier scans of %s are kept",
                 n_unread, n_unread == 1 ? "" : "s", n_unread == 1 ? "" : "s", n_unread == 1 ? "it" : "them");
}

static enum status keep(const struct invocation *in, const struct asked *a,
                        const struct check_run *c, struct err *e)
{
    struct db_scanned done;
    enum status status =
        check_store_end(&a->store, in->db, &a->place, &a->options, c, &done, e);

    if (status == ST_OK)
        say_kept(&a->store, in->db_path, &done, check_totals(c).unreadable);
    return status;
}

/* What is found is printed also when it cannot be kept. */
static enum status check_all(struct invocation *in, struct asked *a, struct err *e)
{
    struct check_run *c = check_new(&a->options);
    enum status status = add_operands(in, a, c, e), kept = ST_OK;
    struct err not_kept;

    if (status == ST_OK)
        status = check_go(c, e);
    if (status == ST_OK && a->keeps)
        kept = keep(in, a, c, &not_kept);
    if (status == ST_OK)
        status = finish(a, c, e);
    check_free(c);
    if (kept == ST_OK || status > ST_NO)
        return status;
    *e = not_kept;
    return kept;
}

static enum status explain(const char *id, struct err *e)
{
    const struct check_rule *rule = check_rule_find(span_of(id));

    if (rule == NULL) {
        enum status status = check_rule_known(id, e);
        return status != ST_OK ? status : err_set(e, ST_USAGE, "--explain: '%s' is not a whole id", id);
    }
    struct span page = check_page(rule);
    struct buf gains = {0};
    enum status status = check_gains(&gains, rule, e);
    fwrite(page.ptr, 1, page.len, stdout);
    if (gains.len > 0)
        fwrite(gains.ptr, 1, gains.len, stdout);
    buf_clear(&gains);
    return status;
}

static enum status list_rules(void)
{
    for (size_t i = 0; i < check_n_rules(); i++) {
        const struct check_rule *rule = check_rule_at(i);
        printf("%s  %-6s  %-7s  %-3s  %-7s  %s\n", rule->id, check_impacts[rule->impact],
               check_certainties[rule->certainty], rule->on ? "on" : "off",
               rule->fixable ? "fixable" : "", rule->summary);
    }
    return ST_OK;
}

static enum status run_check(struct invocation *in, struct err *e)
{
    struct asked a = {0};
    const char *id = in->values.explain;

    if (id != NULL)
        return explain(id, e);
    if (in->values.rules)
        return list_rules();
    enum status status = read_options(in, &a, e);
    if (status == ST_OK && !in->values.no_config)
        status = check_configure(&a.options, ".", e);
    if (status == ST_OK)
        status = begin_keeping(in, &a, e);
    if (!in->values.fix && in->values.write_baseline == NULL && !a.tries)
        invocation_confine(&in->db_path, in->db != NULL ? 1 : 0, false);
    if (status == ST_OK && in->values.lsp)
        status = check_serve(&a.options, stdin, stdout, e);
    else if (status == ST_OK && a.tries)
        status = try_fixes(in, &a, e);
    else if (status == ST_OK)
        status = check_all(in, &a, e);
    check_options_clear(&a.options);
    check_store_clear(&a.store);
    buf_clear(&a.input);
    return status;
}

static const struct option_spec options[] = {
    {"format", 'f', TEXT(format, "FORMAT"), "print text (default), json, sarif, github, csv or html"},
    {"select", '\0', TEXT(select, "RULES"),
     "report these rules only: PP301; PP1 selects all rules that begin with PP1"},
    {"ignore", '\0', TEXT(ignore, "RULES"), "do not report these rules"},
    {"trust", '\0', TEXT(trust, "RULES"), "treat likely findings of these rules as certain"},
    {"per-file-ignores", '\0', TEXT(per_file_ignores, "PATTERN:RULES"), "do not report these rules in files that match the pattern"},
    {"exclude", '\0', TEXT(exclude, "PATTERNS"), "skip files and folders that match a pattern, as in .gitignore"},
    {"no-gitignore", '\0', FLAG(no_gitignore), "also check files that .gitignore names"},
    {"no-config", '\0', FLAG(no_config), "do not read pyproject.toml"},
    {"target", '\0', TEXT(target, "VERSION"), "check the code as tf1 or tf2 (default: guessed from the code)"},
    {"all", '\0', FLAG(all), "show all findings: --impact low --certainty likely"},
    {"impact", '\0', TEXT(impact, "LEVEL"), "show findings from this impact on: low, medium (default) or high"},
    {"certainty", '\0', TEXT(certainty, "LEVEL"), "show findings from this certainty on: likely or certain (default)"},
    {"fail-on", '\0', TEXT(fail_on, "LEVEL"), "exit with 1 when this impact is shown: low, medium, high (default) or never"},
    {"fix", '\0', FLAG(fix), "write the fixes into the files"},
    {"diff", '\0', FLAG(diff), "print what --fix would change"},
    {"statistics", '\0', FLAG(statistics), "print the number of findings of each rule"},
    {"try", '\0', FLAG(try), "measure what each fix is worth to the command after --"},
    {"same", '\0', TEXTS(same, "REGEX…"), "with --try: what this matches in the printed lines must stay the same"},
    {"same-file", '\0', TEXTS(same_file, "FILE…"), "with --try: this file, which the command writes, must stay the same"},
    {"tolerance", '\0', TEXT(tolerance, "PERCENT"), "with --try: real numbers may differ by this much (default: 0.1)"},
    {"runs", '\0', NUMBER(runs, "N", 3, BENCH_RUNS_MAX, 5), "with --try: run the command N times with and N times without a fix (default: 5)"},
    {"sandbox", '\0', FLAG(sandbox), "with --try: the command has no network and writes only in its copies"},
    {"link", '\0', TEXTS(link, "NAME…"), "with --try: link this folder of data, which the command only reads, and do not copy it"},
    {"patch", '\0', TEXT(patch, "FILE"), "with --try: write the fixes that help, with what was measured, to FILE"},
    {"baseline", '\0', TEXT(baseline, "FILE"), "leave out the findings of FILE"},
    {"write-baseline", '\0', TEXT(write_baseline, "FILE"), "write the findings to FILE, for --baseline"},
    {"explain", '\0', TEXT(explain, "RULE"), "print the page of a rule and exit"},
    {"rules", '\0', FLAG(rules), "list the rules and exit"},
    {"stdin-name", '\0', TEXT(stdin_name, "PATH"), "use this path for what comes on standard input"},
    {"project", '\0', TEXT(project, "NAME"), "also keep the findings in the database, under this project name"},
    {"commit", '\0', TEXT(commit, "VERSION"), "the commit or version of the code (default: the commit in .git)"},
    {"date", '\0', TEXT(date, "DATE"), "date of that commit or version; scans are ordered by it (default: now)"},
    {"lsp", '\0', FLAG(lsp), "run as a language server on standard input and output"},
    {"jobs", 'j', NUMBER(jobs, "N", 1, 64, 0), "read files with N threads (default: one for each processor)"},
    {0},
};

static const struct example examples[] = {
    {"ppmine check", "the files below this folder"},
    {"ppmine check --format sarif src > findings.sarif", NULL},
    {"ppmine check --diff train.py", "what --fix would change"},
    {"ppmine check --explain PP301", "why, and when not"},
    {"ppmine check --write-baseline known.csv",
     "known findings, which --baseline known.csv then leaves out"},
    {"ppmine check --try --same 'loss: [0-9.]+' -- python train.py --steps 50", "what each fix is worth here"},
    {"ppmine check --stdin-name train.py - < train.py", NULL},
    {"ppmine -d so.db check .", "also keep the findings, for ppmine campaign"},
    {"ppmine -d so.db check --project spektral --commit 1.3.1 spektral-1.3.1", NULL},
    {NULL, NULL},
};

const struct command command_check = {
    .name = "check",
    .summary = "Find performance problems in Python code that uses TensorFlow or PyTorch",
    .operands = "[FILE|FOLDER|-]… [-- COMMAND…]",
    .min_operands = 0,
    .max_operands = SIZE_MAX,
    .options = options,
    .description =
        "Checks Python files and Jupyter notebooks that use TensorFlow, Keras or PyTorch. Files\n"
        "that .gitignore names are skipped. Findings that are certain and have high or medium\n"
        "impact are shown; the others are counted. Only --fix changes files; it fixes the findings\n"
        "that are shown.\n"
        "\n"
        "A comment hides a finding of its line: # ppmine: ignore[PP301] reason. In pyproject.toml,\n"
        "the table [tool.ppmine] may set select, ignore, trust, exclude, target, impact, certainty\n"
        "and the table per-file-ignores.\n"
        "\n"
        "With --try, each fix is measured: the command after -- runs in copies of this folder, with and\n"
        "without the fix in turn. A fix that changes what --same or --same-file name is refused. Besides\n"
        "the fixes of --fix, proposals are tried that may change results: tf.function for a train step,\n"
        "workers for a DataLoader, no_grad, eager flags off. Nothing in this folder changes. The command\n"
        "runs with all your rights, so try only code that you would run. --sandbox takes away the\n"
        "network, sockets of this machine too, and writing outside of the copies, to devices as GPUs\n"
        "too: what needs them fails.\n"
        "\n"
        "With -d FILE or --project NAME, the findings are also kept in the database, by project and\n"
        "commit, for ppmine campaign. Without -d it is the database of $PPMINE_DB. Without\n"
        "--project, the project has the name of the repository that git cloned, or of the folder.\n"
        "Checking the same code again adds nothing.",
    .examples = examples,
    .nothing = "a finding is shown whose impact is that of --fail-on or higher; with --try, no fix helps",
    .needs = NEEDS_DB_PATH,
    .run = run_check,
};
