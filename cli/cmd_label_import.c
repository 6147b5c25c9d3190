/* label import: what a coder says, from a file that export or a spreadsheet wrote. */
#include "base/files.h"
#include "base/log.h"
#include "base/output_file.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "label/exchange/import.h"

#include <inttypes.h>
#include <unistd.h>

enum { IMPORT_MAX = 256 << 20, FAULTS_SHOWN = 20 };

/* --- words --- */

static void say_done(const struct coding_import *m, struct span coder, bool dry, bool notes)
{
    const char *would = dry ? "would be " : "";
    AT_END(buf_clear) struct buf others = {0}; /* columns with names that are not those of codings */

    if (m->sheet.of_several.len > 0)
        log_info("%s: several sheets; read: '%.*s'", m->sheet.name, SPAN_ARG(m->sheet.of_several));
    if (m->sheet.encoding == TEXT_UTF16)
        log_info("%s: read as UTF-16", m->sheet.name);
    if (m->new_coder && m->count.decided > 0)
        log_info("'%.*s' is a new coder", SPAN_ARG(coder));
    size_t n = m->sheet.n_rows, taken = n - m->sheet.n_bad - m->n_empty;
    log_info("rows: %zu = %zu that say something + %zu empty + %zu bad", n, taken, m->n_empty, m->sheet.n_bad);
    if (taken == 0)
        log_warn("%s: nothing was imported: %s", m->sheet.name,
                 n == 0 ? "it has no rows under the header" : "no good row has a judgement or a code");
    log_info("decisions %sadded: %zu; codes %staken back: %zu; the same as before: %zu", would, m->count.decided, would,
             m->count.withdrawn, m->count.same);
    if (m->n_notes > 0)
        log_info("notes %sadded: %zu", would, m->n_notes);
    for (size_t i = 0; i < m->sheet.others.n; i++)
        buf_addf(&others, "%s%.*s", i > 0 ? ", " : "", SPAN_ARG(m->sheet.header[m->sheet.others.at[i]]));
    if (m->sheet.others.n > 0)
        log_info("columns that %s: %s%s", notes ? "are notes" : "were not read", buf_cstr(&others),
                 notes ? "" : "; --extra-notes keeps them as notes");
    if (m->n_absent > 0)
        log_info("posts that are not in the database: %" PRId64, m->n_absent);
    if (m->n_no_but_coded > 0)
        log_info("rows with codes of a post that is judged no problem: %zu", m->n_no_but_coded);
    if (m->n_unjudged > 0)
        log_info("rows with codes of a post that is not judged (is_problem is empty): %zu", m->n_unjudged);
}

/* --- the command --- */

struct bad_rows {
    const char *path;
    bool written;
};

static enum status keep_bad(void *ctx, struct span csv, struct err *e)
{
    struct bad_rows *bad = ctx;
    enum status status = output_file_write(bad->path, OUTPUT_NEW, csv, e);

    bad->written = status == ST_OK;
    return status;
}

static enum status MUST_USE import(struct invocation *in, struct coding_import *m, struct coding_import_how *how,
                                   struct buf *content, struct err *e)
{
    const char *path = in->operands[0], *keep_going = in->values.keep_going;
    bool standard = strcmp(path, "-") == 0;
    enum status status = invocation_open_db(in, DB_WRITE, e);

    how->skip_bad = keep_going != NULL;
    THEN(status, file_read_named(path, IMPORT_MAX, content, e));
    THEN(status, coding_import(m, in->db, buf_span(content), standard ? "standard input" : path, how, e));
    size_t shown = 0;

    for (size_t i = 0; i < m->sheet.n_rows && shown < FAULTS_SHOWN; i++) {
        const struct sheet_row *row = &m->sheet.rows[i];
        if (row->faults.ptr == NULL)
            continue;
        shown++;
        log_error("%s:%zu: %.*s", m->sheet.name, row->line, SPAN_ARG(row->faults));
    }
    if (m->sheet.n_bad > shown)
        log_error("%s: %zu more bad rows", m->sheet.name, m->sheet.n_bad - shown);
    if (status != ST_OK)
        return status;
    if (how->only_notes) {
        /* Of an import of notes alone. */
        const struct sheet *s = &m->sheet;
        size_t n = 0;

        for (size_t i = 0; i < s->n_rows; i++)
            n += s->rows[i].faults.ptr == NULL && s->rows[i].note.len > 0;
        log_info("rows: %zu = %zu with a note + %zu without one + %zu bad", s->n_rows, n, s->n_rows - s->n_bad - n,
                 s->n_bad);
        log_info("notes %sadded: %zu; the same as before: %zu", how->dry_run ? "would be " : "", m->n_notes,
                 n - m->n_notes);
        log_info("columns of labels, and with other names, that were not read: %zu", s->others.n);
    } else {
        say_done(m, how->coder, how->dry_run, how->others_are_notes);
    }
    if (m->sheet.n_bad == 0)
        return ST_OK;
    log_warn("bad rows, not imported: %zu%s%s", m->sheet.n_bad,
             how->dry_run ? "" : "; mend and import them: ", how->dry_run ? "" : keep_going);
    return ST_NO;
}

static enum status run_label_import(struct invocation *in, struct err *e)
{
    struct coding_import_how how = {
        .keep_times = in->values.keep_times,
        .dry_run = in->values.dry_run,
        .encoding = in->values.encoding,
        .map = in->values.map.at,
        .n_map = in->values.map.n,
        .only_notes = in->values.only_notes,
        .others_are_notes = in->values.extra_notes,
        .keep_bad = keep_bad,
    };
    AT_END(coding_import_clear) struct coding_import m = {.new_coder = false};
    struct buf coder = {0}, content = {0};

    const char *const files[] = {in->db_path, in->values.keep_going};
    invocation_confine(files, files[1] != NULL ? 2 : 1, false);
    if (in->values.only_notes && in->values.extra_notes)
        return usage_error(in, e, "--only-notes reads the column note alone, --extra-notes others too");
    if (in->values.coder == NULL)
        return usage_error(in, e, "whose labels? Give --coder NAME");
    enum status status = coder_option(in, &coder, e);
    how.coder = buf_span(&coder);
    struct bad_rows bad = {.path = option_or(in->values.keep_going, "")};
    how.ctx = &bad;
    THEN(status, import(in, &m, &how, &content, e));
    if (status != ST_OK && status != ST_NO && bad.written) /* the good rows were not stored */
        unlink(bad.path);
    buf_clear(&coder);
    buf_clear(&content);
    return status;
}

const struct command command_label_import = {
    .name = "label import",
    .summary = "Read the labels of a coder from a workbook or a CSV file",
    .operands = "FILE",
    .options = OPTIONS(TEXT("coder", coder, "NAME", "the coder whose labels these are", 'c'),
                       TEXT("keep-going", keep_going, "FILE", "import the good rows and write the bad ones to FILE"),
                       FLAG("keep-times", keep_times, "take the times of decisions from the column decided_at"),
                       FLAG("only-notes", only_notes, "read the column note, and no labels"),
                       FLAG("extra-notes", extra_notes, "keep cells of columns with other names as notes"),
                       FLAG("dry-run", dry_run, "check and count, and import nothing", 'n'), ENCODING_OPTION,
                       TEXTS("map", map, "THEIRS=OURS…", "read their column as ours, such as 'Post=post_id'")),
    .description = "FILE is an xlsx workbook or a CSV file, with some or all of the columns of `label export\n"
                   "--template`; - is standard input. In a workbook it reads the visible sheet 'labels', else the\n"
                   "first visible one. A row without judgement and codes is skipped. In other rows an empty cell\n"
                   "removes the coder's current code. A label that is already current adds nothing. The column\n"
                   "reason gives the reason of what the row decides, the column note a private note. Columns with\n"
                   "other names are not read, or are kept as notes. With --only-notes the file needs no labels:\n"
                   "those in it are not read.",
    .examples = EXAMPLES({"ppmine label import ann.xlsx --coder ann", "if a row is bad, nothing is imported"},
                         {"ppmine label import ann.csv --coder ann --keep-going bad.csv",
                          "imports the good rows; then correct bad.csv and import it"},
                         {"ppmine label import ann.csv --coder ann --encoding windows-1252 --map 'Post No.=post_id'",
                          "a file of an old spreadsheet, with its own names"},
                         {"ppmine label import empirical_study.csv --coder authors --only-notes --map comment=note",
                          "notes that the authors of a study wrote beside their labels"}),
    .nothing = "with --keep-going: some rows were bad; the others were imported",
    .needs = NEEDS_DB_PATH,
    .run = run_label_import,
};
