/* bench import-original: the scripts of the study's authors as cases beside ours. */
#include "base/output_file.h"
#include "cli/options.h"
#include "base/table/table.h"
#include "base/files.h"
#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

enum { DEPTH_MAX = 4, SCRIPT_MAX = 1 << 20 };

static const char *const script_names[BENCH_SIDES] = {"buggy.py", "fixed.py"};

struct originals {
    const char *dir, *out;
    struct bench_cases ours;
    struct table t;
    size_t n_taken;
};

static enum status take(struct originals *o, const char *id, const char *path, struct err *e)
{
    AT_END(buf_clear) struct buf ini = {0};
    AT_END(mem_end) char *folder = mem_addf("%s/%s", o->out, id), *ini_path = mem_addf("%s/case.ini", folder);
    enum status status = folders_make(folder, e);

    for (int side = 0; side < BENCH_SIDES && status == ST_OK; side++) {
        AT_END(mem_end) char *from = mem_addf("%s/%s", path, script_names[side]);
        AT_END(mem_end) char *to = mem_addf("%s/%s", folder, script_names[side]);
        AT_END(buf_clear) struct buf text = {0};
        if (!path_is_inside(o->dir, from))
            return err_set(e, ST_INPUT, "%s: a link that leads out of %s", from, o->dir);
        status = file_read_regular(from, SCRIPT_MAX, &text, e);
        THEN(status, output_file_write(to, OUTPUT_NEW, buf_span(&text), e));
    }
    /* The whole process is timed, since the scripts mark no part; they print no digest. */
    buf_addf(&ini,
             "[case]\nproblem_id = %s\nsummary = the scripts of the study's authors\n"
             "fix = that of the study's authors\n\n"
             "[origin]\nmade_from = the study's data set\n\n[measure]\nmetric = time\n\n"
             "[needs]\ntensorflow = 2\ngpu = no\nreason =\n\n"
             "[limits]\nseconds = 3600\nmemory_mb = 16384\n\n[digest]\ntolerance = none\n",
             id);
    THEN(status, output_file_write(ini_path, OUTPUT_NEW, buf_span(&ini), e));
    if (status == ST_OK) {
        const struct bench_case *c = bench_cases_find(&o->ours, id);

        table_add_row(&o->t, table_text(span_of(id)),
                      c != NULL ? table_text(span_of(bench_fidelity_names[c->fidelity])) : table_absent(),
                      c != NULL ? table_text(span_of(bench_metric_names[c->metric])) : table_absent(),
                      table_text(span_of(path)));
        o->n_taken++;
    }
    return status;
}

static bool has_script(const char *path, const char *name)
{
    AT_END(mem_end) char *file = mem_addf("%s/%s", path, name);
    return access(file, F_OK) == 0;
}

static int is_folder(const struct dirent *entry)
{
    return entry->d_type == DT_DIR && entry->d_name[0] != '.';
}

/* `id`: of the problem whose folder this is in; NULL: of none. */
static enum status look(struct originals *o, const char *path, const char *id, int depth, struct err *e)
{
    struct dirent **entries;
    enum status status = ST_OK;

    if (id != NULL && has_script(path, script_names[BENCH_BUGGY]) && has_script(path, script_names[BENCH_FIXED]))
        return take(o, id, path, e);
    int n = depth < DEPTH_MAX ? scandir(path, &entries, is_folder, alphasort) : 0;
    if (n < 0)
        return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    for (int i = 0; i < n && status == ST_OK; i++) {
        const char *name = entries[i]->d_name;
        AT_END(mem_end) char *below = mem_addf("%s/%s", path, name);
        /* A problem's id is the number of its post, and may have "_1". */
        size_t digits = strspn(name, "0123456789");
        bool is_problem = digits >= 4 && (name[digits] == '\0' || name[digits] == '_') && bench_is_id(name);
        status = look(o, below, is_problem ? name : id, depth + 1, e);
    }
    for (int i = 0; i < n; i++)
        mem_free(entries[i]);
    if (n > 0)
        mem_free(entries);
    return status;
}

static enum status run_bench_import_original(struct invocation *in, struct err *e)
{
    struct originals o = {.dir = in->operands[0], .out = option_or(in->values.out, "original/cases")};
    enum status status = bench_cases_given(&o.ours, in, e);

    table_init(&o.t, "bench-original", "The scripts of the study's authors, and our cases",
               "problem_id; ours; our_metric; path <100");
    THEN(status, look(&o, o.dir, NULL, 0, e));
    if (status == ST_OK && o.n_taken == 0) {
        log_warn("%s has no folder of a problem's number with buggy.py and fixed.py", o.dir);
        status = ST_NO;
    }
    if (status == ST_OK)
        table_print(&o.t, &in->out);
    table_clear(&o.t);
    bench_cases_clear(&o.ours);
    return status;
}

const struct command command_bench_import_original = {
    .name = "bench import-original",
    .summary = "Turn the scripts of the study's authors into cases",
    .operands = "DIR",
    .options = OPTIONS(TEXT("out", out, "DIR", "the folder of cases to make (default: original/cases)"),
                       BENCH_CASES_OPTION, OUTPUT_OPTIONS),
    .description = "The authors' scripts are a data set on Kaggle, junmingcao/dlperf, which needs an account.\n"
                   "Unpack it into DIR. Each folder with buggy.py and fixed.py becomes a case if its name, or\n"
                   "that of a folder around it, is the id of a problem (65160023_1). A table says for which of\n"
                   "them the benchmark has a case already.\n\n"
                   "These cases are timed as whole processes; their results are not compared. They were\n"
                   "written for TensorFlow 1.12 to 2.5: `bench run --python` names a Python that has such a\n"
                   "release. Files beside the scripts are not copied.",
    .examples = EXAMPLES(
        {"ppmine bench import-original dlperf", "makes the cases, and lists those that the benchmark has already"},
        {"ppmine bench run --cases original/cases --results original/results", "time them"}),
    .nothing = "no folder of a problem has both scripts",
    .run = run_bench_import_original,
};
