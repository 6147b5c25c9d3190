/* codebook load: definitions and the guide, from the files of a codebook's authors. */
#include "base/files.h"
#include "base/log.h"
#include "cli/options.h"
#include "label/coding/codebook_file.h"
#include "label/exchange/refi.h"

enum { BYTES_MAX = 16 << 20 };

static void say_remarks(const char *path, const struct codebook_remark *said, size_t n, const char *what)
{
    for (size_t i = 0; i < n && i < CODEBOOK_REMARKS_MAX; i++)
        log_info("%s:%zu: %s: %.*s", path, said[i].row, what, SPAN_ARG(said[i].words));
    if (n > CODEBOOK_REMARKS_MAX)
        log_info("%s: %s: %zu more", path, what, n - CODEBOOK_REMARKS_MAX);
}

static enum status MUST_USE load(struct invocation *in, struct codebook_file *f, struct span content, const char *path,
                                 struct err *e)
{
    struct code_change c;
    bool dry_run = in->values.dry_run;
    size_t n = 0;
    struct refi *project = NULL;
    AT_END(buf_clear) struct buf definitions = {0}, table = {0};
    enum status status = code_change_option(&c, in, e);

    if (status == ST_OK && refi_is(content)) {
        status = refi_read(&project, content, path, e);
        if (status == ST_OK)
            refi_definitions(project, c.book.facets, &definitions);
        content = buf_span(&definitions);
        buf_addf(&table, "%s#codes", path); /* its rows are counted, the heads among them */
        path = buf_cstr(&table);
    }
    THEN(status, codebook_file_read(f, content, path, in->values.encoding, &c.book.codebook, e));
    if (status == ST_OK) {
        status = code_change_load(&c, f, in->values.same_meaning, &n, e);
        if (status == ST_OK || status == ST_NO) {
            size_t n_read = f->texts.n + f->left_out.n;

            say_remarks(path, f->doubts.at, f->doubts.n, "taken with a doubt");
            say_remarks(path, f->left_out.at, f->left_out.n, "left out");
            log_info("%s: texts: %zu; %staken: %zu; the same as before: %zu; left out: %zu", path, n_read,
                     dry_run ? "would be " : "", n, f->texts.n - n, f->left_out.n);
        }
    }
    refi_free(project);
    bool would = status == ST_OK && dry_run; /* ST_NO takes it all back */
    status = code_change_say(&c, would ? ST_NO : status, "", SPAN(""), SPAN(""), e);
    return would && status == ST_NO ? ST_OK : status;
}

static enum status run_codebook_load(struct invocation *in, struct err *e)
{
    const char *path = in->operands[0], *const files[] = {in->db_path};
    AT_END(codebook_file_clear) struct codebook_file f = {0};
    AT_END(buf_clear) struct buf content = {0};

    invocation_confine(files, ARRAY_LEN(files), false);
    enum status status = invocation_open_db(in, DB_WRITE, e);
    THEN(status, file_read(path, BYTES_MAX, &content, e));
    THEN(status, load(in, &f, buf_span(&content), path, e));
    return status;
}

const struct command command_codebook_load = {
    .name = "codebook load",
    .summary = "Take definitions and the guide from the files of a codebook's authors",
    .operands = "FILE",
    .options = OPTIONS(FLAG("same-meaning", same_meaning, "only the wording changed: no label must be checked again"),
                       FLAG("dry-run", dry_run, "read and say what would be taken, and change nothing", 'n'),
                       ENCODING_OPTION, CODE_CHANGE_OPTIONS),
    .description =
        "FILE is an xlsx workbook, a CSV file, or a codebook of REFI-QDA (.qdc). A table with a column\n"
        "'definition' or 'description' defines codes and categories. A matrix whose first row and first column name codes, or a table with the\n"
        "columns code, versus and rule, tells codes apart. A title above a table, or a column facet,\n"
        "says what it is about; without either, the codes say it. Codes must be in the codebook, by\n"
        "name, short name or alias: others are left out, and named. The codebook gets a version for\n"
        "each code with a new text. Definitions of categories go into the study's categories.csv. A definition for which a label must be checked again is listed by\n"
        "`codebook review`, unless --same-meaning is given.",
    .examples = EXAMPLES(
        {"ppmine codebook load codebook.xlsx --same-meaning --by ann --why 'the words of its authors'", NULL},
        {"ppmine codebook load theirs.qdc --by ann --why 'written in NVivo'", NULL},
        {"ppmine codebook load guide.csv --dry-run --by ann --why 'the guide'", "says what it would take"}),
    .nothing = "the file says nothing new",
    .needs = NEEDS_DB_PATH,
    .run = run_codebook_load,
};
