/* check: the static checker. */
#include "base/sandbox.h"
#include "cli/checking.h"
#include "check/campaign/campaign.h"
#include "bench/store/fix_trial.h"
#include "base/output_file.h"
#include "base/log.h"
#include "base/signals.h"

/* Where what is found is kept, if it is. */
struct keeping {
    bool keeps;
    struct check_place place;
    struct check_store store;
};

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
        return err_set(e, ST_USAGE,
                       "check --sandbox: this system lacks Landlock or seccomp, as `ppmine doctor` shows; without"
                       " --sandbox, the command runs with all your rights");
    if (status == ST_OK && spec->n_argv == 0)
        return err_set(e, ST_USAGE,
                       "check --try: the command to measure follows --, as in"
                       " ppmine check --try --same 'loss: [0-9.]+' -- python train.py");
    if (status == ST_OK && spec->n_patterns + spec->n_files == 0)
        return err_set(e, ST_USAGE,
                       "check --try: say what must stay the same, printed lines with --same"
                       " 'loss: [0-9.]+' or files with --same-file NAME");
    return status;
}

static enum status measure(struct invocation *in, const struct check_run *c, const struct command_pair_spec *spec,
                           const struct table_output *out, struct err *e)
{
    struct fix_trial trial = {.spec = spec, .run = c};
    struct bench_lock lock = {-1, -1};
    const char *path = in->values.patch;
    struct table rows;

    table_init(&rows, "trials", NULL, "");
    fix_trial_columns(&rows);
    enum status status = bench_lock(&lock, NULL, e);
    THEN(status, fix_trial(&trial, &rows, e));
    bench_unlock(&lock);
    if (status == ST_OK && path != NULL && trial.patch.len > 0)
        status = output_file_write(path, OUTPUT_REPLACE, buf_span(&trial.patch), e);
    if (status == ST_OK)
        log_info("%zu of %zu changes help%s%s", trial.n_helped, trial.n_tried,
                 path == NULL || trial.n_helped == 0 ? "" : "; the patch is ",
                 path == NULL || trial.n_helped == 0 ? "" : path);
    status = table_end(&rows, status, out);
    buf_clear(&trial.patch);
    return status == ST_OK && trial.n_helped == 0 ? ST_NO : status;
}

static enum status try_fixes(struct invocation *in, struct checking *a, void *ctx, bool *done, struct err *e)
{
    static const enum table_format formats[] = {
        [CHECK_TEXT] = TABLE_AS_TEXT,
        [CHECK_JSON] = TABLE_AS_JSON,
        [CHECK_CSV] = TABLE_AS_CSV,
        [CHECK_HTML] = TABLE_AS_HTML,
    };
    struct command_pair_spec spec;
    AT_END(buf_clear) struct buf folder = {0};
    struct table_output out = {.file = stdout};

    (void)ctx;
    *done = in->values.try;
    if (!*done)
        return ST_OK;
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
    status = checking_add(in, in->n_before_dashes, a, c, e);
    THEN(status, check_go(c, e));
    THEN(status, measure(in, c, &spec, &out, e));
    check_free(c);
    return status;
}

/* --- the database --- */

static enum status begin(struct invocation *in, struct checking *a, void *ctx, struct err *e)
{
    struct keeping *k = ctx;
    const struct option_values *o = &in->values;

    if (o->try && (o->fix || o->diff || o->statistics || o->write_baseline != NULL))
        return err_set(e, ST_USAGE, "check --try changes no files; --patch FILE writes what helps");
    k->keeps = o->db != NULL || o->project != NULL || o->commit != NULL || o->date != NULL;
    if (!k->keeps)
        return ST_OK;
    if (o->lsp || o->why_not != NULL)
        return err_set(e, ST_USAGE, "check: %s keeps nothing in a database; leave out -d, --project, --commit, --date",
                       o->lsp ? "--lsp" : "--why-not");
    k->place = (struct check_place){
        .paths = in->operands,
        .n_paths = in->n_operands,
        .project = o->project,
        .commit = o->commit,
        .date = o->date,
    };
    enum status status = check_store_begin(&k->store, &k->place, &a->options, e);
    return status == ST_OK ? invocation_open_db(in, DB_WRITE, e) : status;
}

static enum status keep(struct invocation *in, struct checking *a, const struct check_run *c, void *ctx, struct err *e)
{
    struct keeping *k = ctx;
    struct check_store *s = &k->store;
    struct db_scanned done;
    size_t n_unread = check_totals(c).unreadable;

    if (!k->keeps)
        return ST_OK;
    enum status status = check_store_end(s, in->db, &k->place, &a->options, c, &done, e);
    if (status != ST_OK)
        return status;
    log_info("%s: %.*s, %.*s: scan %lld%s", in->db_path, SPAN_ARG(s->project), SPAN_ARG(s->commit),
             (long long)done.scan_id, done.known ? " found the same; nothing was added" : "");
    if (!done.known)
        log_info("new: %lld; found again: %lld; no longer found: %lld", (long long)done.n_new, (long long)done.n_back,
                 (long long)done.n_gone);
    if (n_unread > 0)
        log_warn("%zu file%s or folder%s could not be read; findings from earlier scans of %s are kept", n_unread,
                 n_unread == 1 ? "" : "s", n_unread == 1 ? "" : "s", n_unread == 1 ? "it" : "them");
    return ST_OK;
}

static enum status run_check(struct invocation *in, struct err *e)
{
    struct keeping k = {0};
    const struct checking_more more = {begin, try_fixes, keep, &k};
    enum status status = checking_run(in, &more, e);

    check_store_clear(&k.store);
    return status;
}

const struct command command_check = {
    .name = "check",
    .summary = "Find performance problems in Python code that uses TensorFlow or PyTorch",
    .operands = CHECKING_OPERANDS " [-- COMMAND…]",
    .options = OPTIONS(
        CHECKING_OPTIONS, FLAG("try", try, "measure what each fix is worth to the command after --"),
        TEXTS("same", same, "REGEX…", "with --try: what this matches in the printed lines must stay the same"),
        TEXTS("same-file", same_file, "FILE…", "with --try: this file, which the command writes, must stay the same"),
        TEXT("tolerance", tolerance, "PERCENT", "with --try: real numbers may differ by this much (default: 0.1)"),
        NUMBER("runs", runs, "N", 3, BENCH_RUNS_MAX, 5,
               "with --try: run the command N times with and N times without a fix (default: 5)"),
        FLAG("sandbox", sandbox, "with --try: the command has no network and writes only in its copies"),
        TEXTS("link", link, "NAME…",
              "with --try: link this folder of data, which the command only reads, and do not copy it"),
        TEXT("patch", patch, "FILE", "with --try: write the fixes that help, with what was measured, to FILE"),
        TEXT("project", project, "NAME", "also keep the findings in the database, under this project name"),
        TEXT("commit", commit, "VERSION", "the commit or version of the code (default: the commit in .git)"),
        TEXT("date", date, "DATE", "date of that commit or version; scans are ordered by it (default: now)")),
    .description = CHECKING_DESCRIPTION
    "\n"
    "With --try, each fix is measured: the command after -- runs in copies of this folder, with and\n"
    "without the fix in turn. A fix that changes what --same or --same-file name is refused. Besides\n"
    "the fixes of --fix, proposals are tried that may change results: tf.function for a train step,\n"
    "workers for a DataLoader, no_grad, eager flags off. Nothing in this folder changes. The command\n"
    "runs with all your rights, so try only code that you would run. --sandbox takes away the\n"
    "network, sockets of this machine too, and writing outside of the copies, to devices as GPUs\n"
    "too: what needs them fails.\n\n"
    "With -d FILE or --project NAME, the findings are also kept in the database, by project and\n"
    "commit, for ppmine campaign. Without -d it is the database of $PPMINE_DB. Without\n"
    "--project, the project has the name of the repository that git cloned, or of the folder.\n"
    "Checking the same code again adds nothing.",
    .examples = EXAMPLES(
        {"ppmine check", "the files below this folder"}, {"ppmine check --format sarif src > findings.sarif", NULL},
        {"ppmine check --diff train.py", "what --fix would change"},
        {"ppmine check --explain PP301", "why, and when not"},
        {"ppmine check --write-baseline known.csv", "known findings, which --baseline known.csv then leaves out"},
        {"ppmine check --try --same 'loss: [0-9.]+' -- python train.py --steps 50", "measure what each fix gains"},
        {"ppmine check --stdin-name train.py - < train.py", NULL},
        {"ppmine -d so.db check .", "also keep the findings, for ppmine campaign"},
        {"ppmine -d so.db check --project spektral --commit 1.3.1 spektral-1.3.1", NULL}),
    .nothing = CHECKING_NOTHING "; with --try, no fix helps",
    .needs = NEEDS_DB_PATH,
    .run = run_check,
};
