/* bench import: results that are files, of this machine or another, into the database. */
#include "cli/options.h"
#include "bench/store/store.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/signals.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

struct counted {
    char *machine;
    int64_t n_new, n_known;
};

struct import {
    struct db *db;
    const char *machine; /* --machine; NULL: as the files say */
    struct ARRAY_OF(struct counted) machines;
    size_t n_refused;
};

/* What is not a result is said and passed over. */
static enum status import_file(struct import *im, const char *path, struct err *e)
{
    AT_END(bench_record_clear) struct bench_record record;
    bool known;
    enum status status = bench_record_load(&record, path, e);

    if (status != ST_OK) {
        log_warn("%s", e->text);
        im->n_refused++;
        status = ST_OK;
    } else {
        const char *machine = option_or(im->machine, record.machine);
        size_t i = 0;

        status = bench_store_put(im->db, &record, im->machine, &known, e);
        while (i < im->machines.n && strcmp(im->machines.at[i].machine, machine) != 0)
            i++;
        if (i == im->machines.n)
            array_add(&im->machines, {.machine = mem_text(span_of(machine))});
        im->machines.at[i].n_new += status == ST_OK && !known;
        im->machines.at[i].n_known += status == ST_OK && known;
    }
    return status;
}

static int is_result(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);

    return len > 5 && entry->d_name[0] != '.' && strcmp(entry->d_name + len - 5, ".json") == 0;
}

static enum status import_folder(struct import *im, const char *dir, struct err *e)
{
    struct dirent **entries;
    struct stat info;
    enum status status = ST_OK;
    int n = scandir(dir, &entries, is_result, alphasort);

    if (n < 0)
        return err_set(e, ST_IO, "%s: %s", dir, strerror(errno));
    if (n == 0)
        log_warn("%s has no results: files *.json", dir);
    for (int i = 0; i < n; i++) {
        AT_END(mem_end) char *path = mem_addf("%s/%s", dir, entries[i]->d_name);
        mem_free(entries[i]);
        if (status != ST_OK || signals_stop_asked())
            continue;
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
            status = import_file(im, path, e);
        } else { /* it may be a FIFO, which would be waited for */
            log_warn("%s: not a regular file", path);
            im->n_refused++;
        }
    }
    mem_free(entries);
    return status;
}

static enum status run_bench_import(struct invocation *in, struct err *e)
{
    struct import im = {.machine = in->values.machine};
    AT_END(table_clear) struct table t;
    struct stat info;
    enum status status = ST_OK;

    if (im.machine != NULL && !bench_is_machine(im.machine))
        status = usage_error(in, e, "--machine '%.100s' is not a name: 1 to 200 bytes of UTF-8, on one line",
                             im.machine);
    THEN(status, invocation_open_db(in, DB_WRITE, e));
    im.db = in->db;
    signals_catch();
    table_init(&t, "bench-import", "Results taken in", "machine <60; new int; known int");
    bool opened = status == ST_OK;
    for (size_t i = 0; i < in->n_operands && status == ST_OK; i++) {
        const char *path = in->operands[i];
        if (stat(path, &info) != 0)
            status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
        else
            status = S_ISDIR(info.st_mode) ? import_folder(&im, path, e) : import_file(&im, path, e);
    }
    for (size_t i = 0; i < im.machines.n; i++)
        table_add_row(&t, table_text(span_of(im.machines.at[i].machine)), table_int(im.machines.at[i].n_new),
                      table_int(im.machines.at[i].n_known));
    if (opened) /* whatever ended it, this much was done */
        table_print(&t, &in->out);
    if (status == ST_OK && im.n_refused > 0)
        status = err_set(e, ST_INPUT,
                         "bench import: %zu files are not valid results, see above; the others are in the database",
                         im.n_refused);
    for (size_t i = 0; i < im.machines.n; i++)
        mem_free(im.machines.at[i].machine);
    array_clear(&im.machines);
    return status;
}

const struct command command_bench_import = {
    .name = "bench import",
    .summary = "Import results of other machines into the database",
    .operands = "DIR|FILE…",
    .options = OPTIONS(TEXT("machine", machine, "NAME", "name of the machine (default: the name in the results)"),
                       OUTPUT_OPTIONS),
    .description = "Reads the files *.json of folders of results, as `bench run` writes them. A result that is\n"
                   "already stored is not stored again, even under another machine name. Medians, ratio,\n"
                   "interval and verdict are recomputed from the runs. A file with other values, or a file\n"
                   "that is not a result, is named and left out, and the exit code is 3.",
    .examples = EXAMPLES(
        {"ppmine -d so.db bench import bench-results", NULL},
        {"ppmine -d so.db bench import server/bench-results --machine server", "the results of another machine"}),
    .needs = NEEDS_DB_PATH,
    .run = run_bench_import,
};
