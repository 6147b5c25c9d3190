/* label export: what coders say, as a table or a sheet in which they go on. */
#include "base/output_file.h"
#include "cli/options.h"
#include "label/exchange/export.h"
#include "label/coding/decisions.h"
#include "label/coding/disputes.h"
#include "base/files.h"
#include "base/log.h"

#include <errno.h>
#include <inttypes.h>

struct export
{
    struct coding_export_wanted wanted;
    struct table_output out;
    bool workbook; /* an xlsx file instead */
    struct buf coder_name;
    struct buf posts; /* JSON array of ids */
    struct coding_export made;
};

static enum status MUST_USE write_out(const struct invocation *in, const struct export *x, struct err *e)
{
    const char *path = in->values.output;
    struct table_output out = x->out;
    struct output_file file;

    if (path == NULL) {
        table_print(&x->made.table, &out);
        return ST_OK;
    }
    enum status status = output_file_begin(&file, path, in->values.force ? OUTPUT_REPLACE : OUTPUT_NEW, e);
    if (status != ST_OK)
        return status;
    const char *to = output_file_path(&file);
    if (x->workbook) {
        status = coding_export_workbook(&x->made, to, out.raw, e);
    } else {
        out.file = fopen(to, "we");
        if (out.file == NULL)
            return output_file_end(&file, err_set(e, ST_IO, "%s: %s", to, strerror(errno)), e);
        table_print(&x->made.table, &out);
        status = stream_check(out.file, to, e);
        if (fclose(out.file) != 0 && status == ST_OK)
            status = err_set(e, ST_IO, "%s: %s", to, strerror(errno));
    }
    return output_file_end(&file, status, e);
}

static enum status MUST_USE read_posts(struct export *x, const char *path, struct err *e)
{
    AT_END(id_list_clear) struct id_list list = {0};
    enum status status = id_list_read_of(&list, path, x->wanted.coder, e);

    buf_add_char(&x->posts, '[');
    for (size_t i = 0; i < list.n && status == ST_OK; i++) {
        int64_t post_id = 0;
        if (problem_id_read(list.ids[list.order[i]], &post_id))
            buf_addf(&x->posts, "%s%" PRId64, i > 0 ? "," : "", post_id);
    }
    buf_add_char(&x->posts, ']');
    x->wanted.posts = buf_span(&x->posts);
    return status;
}

static enum status run_label_export(struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    bool one = o->coder != NULL;
    struct export x = {.workbook = false};
    size_t format = format_of_name(o->output);
    enum status status = option_choice(in, &in->values.format, table_formats, &format, e);

    x.workbook = format == TABLE_AS_XLSX;
    THEN(status, output_of(in, format, &x.out, e));
    x.wanted.facet = DB_ALL_FACETS;
    THEN(status, facet_option(in, &x.wanted.facet, e));
    THEN(status, refuse(e, {one && o->all_coders, "label export: give --coder or --all-coders, not both"},
                        {!one && !o->all_coders, "label export: whose labels? Give --coder NAME, or --all-coders once"
                                                 " the coders may see each other's"},
                        {o->template && !one, "label export: --template is for one coder: give --coder"},
                        {x.workbook && o->output == NULL, "label export: xlsx goes into a file: give -o FILE.xlsx"}));
    if (status == ST_OK && one) {
        status = coder_option(in, &x.coder_name, e);
        x.wanted.coder = buf_span(&x.coder_name);
    }
    x.wanted.template = in->values.template;

    if (status == ST_OK) {
        const char *posts = in->values.posts;
        bool exists = true, is_merged;
        status = posts != NULL ? read_posts(&x, posts, e) : ST_OK;
        THEN(status, invocation_open_db(in, DB_READ, e));
        if (status == ST_OK && x.wanted.coder.ptr != NULL &&
            !x.wanted.template) /* a template may be the first sheet of a coder */
            status = db_coder_get(in->db, x.wanted.coder, &exists, &is_merged, e);
        if (status == ST_OK && !exists)
            status = err_set(e, ST_INPUT, "%s has no labels of a coder '%.*s'; --template makes a sheet to begin with",
                             in->db_path, SPAN_ARG(x.wanted.coder));
        THEN(status, coding_export(&x.made, in->db, &x.wanted, e));
    }
    THEN(status, write_out(in, &x, e));
    if (status == ST_OK && table_rows(&x.made.table) == 0) {
        log_info("%s", x.wanted.template ? "the sheet has no rows: there are no candidates; see `ppmine match`, or give"
                                           " --posts FILE"
                                         : "there are no labels yet");
        status = ST_NO;
    }
    coding_export_clear(&x.made);
    buf_clear(&x.coder_name);
    buf_clear(&x.posts);
    return status;
}

const struct command command_label_export = {
    .name = "label export",
    .summary = "Write the labels of a coder, or a sheet to code in",
    .options = OPTIONS(TEXT("coder", coder, "NAME", "export the labels of this coder", 'c'),
                       FLAG("all-coders", all_coders, "export the labels of every coder, with a column coder"),
                       TEXT("facet", facet, "FACET", "export one facet: {facets}"),
                       FLAG("template", template, "add candidates that are not judged yet, with url and title"),
                       TEXT("posts", posts, "FILE", "export only the posts that FILE lists, in its order"),
                       TEXT("output", output, "FILE", "write to FILE, in the format that its name ends with", 'o'),
                       FLAG("force", force, "replace an existing FILE"),
                       TEXT("format", format, "FORMAT", "write " TABLE_FORMATS_IN_WORDS " (default: csv)", 'f'),
                       SHEET_OPTIONS),
    .description =
        "Prints one row for each problem, and one for each judged post without labels. Coders must\n"
        "not see each other's labels before they compare them, so the command needs one --coder or\n"
        "--all-coders. `label import` reads the result. An existing file is replaced only with\n"
        "--force: it may be a sheet that a coder filled in.\n\n"
        "The rows of one coder have the reasons and private notes of the coder, if any; there is a row for each\n"
        "post or problem that has but a note. Delete the column note before you give the file to\n"
        "others. `label import` takes reasons and notes as known where they are unchanged. --all-coders\n"
        "and --facet without --template leave them out.",
    .examples = EXAMPLES(
        {"ppmine label export --coder ann > ann.csv", "ann's labels, as a backup or for another database"},
        {"ppmine label export --coder ann --template -o ann.xlsx",
         "a sheet in which ann continues to code, with lists of the codes"},
        {"ppmine label export --all-coders --format ndjson", "once coders may see each other's labels"}),
    .nothing = "there are no labels to export",
    .needs = NEEDS_DB_PATH,
    .run = run_label_export,
};
