/* export: tables of the study as data, and the replication package. */
#include "base/output_file.h"
#include "cli/command.h"
#include "label/exchange/refi.h"
#include "report/published.h"

#include "report/report.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/signals.h"
#include "base/utf8.h"

#include <errno.h>
#include <strings.h>
#include <sys/stat.h>

/* --- one table --- */

static enum status write_to(struct invocation *in, enum db_table table, const char *path, const char *shown,
                            struct err *e)
{
    struct table_output out = in->out;

    out.file = fopen(path, "we");
    if (out.file == NULL)
        return err_set(e, ST_IO, "%s: %s", shown, strerror(errno));
    enum status status = report_data_write(in->db, table, in->values.level, &out, shown, e);
    if (fclose(out.file) != 0 && status == ST_OK)
        status = err_set(e, ST_IO, "%s: %s", shown, strerror(errno));
    return status;
}

static enum status export_table(struct invocation *in, enum db_table table, bool parquet, struct err *e)
{
    const char *path = in->values.output;
    AT_END(buf_clear) struct buf unsettled = {0};
    struct stat info;
    struct output_file file = {0};
    enum status status = invocation_open_db(in, DB_READ, e);

    /* The table of problems has what is settled; it is data, and has neither title nor column for what it lacks. */
    if (status == ST_OK && table == DB_TABLE_PROBLEMS)
        status = report_settled_text(in->db, &unsettled, e);
    if (status != ST_OK)
        return status;
    if (unsettled.len > 0)
        log_warn("%s", buf_cstr(&unsettled));
    if (parquet)
        return report_data_parquet(in->db, table, in->values.level, path, e);
    if (path == NULL)
        return report_data_write(in->db, table, in->values.level, &in->out, "standard output", e);
    /* A file is replaced when the new one is complete; what is not a file (a pipe, /dev/null) is written to. */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return write_to(in, table, path, path, e);
    status = output_file_begin(&file, path, OUTPUT_REPLACE, e);
    THEN(status, write_to(in, table, output_file_path(&file), path, e));
    return output_file_end(&file, status, e);
}

/* --- the package --- */

static enum status export_package(struct invocation *in, struct err *e)
{
    struct report_package wanted = {
        .folder = option_or(in->values.package, ""),
        .with_text = in->values.with_text,
        .with_memos = in->values.with_memos,
        .plots = !in->values.no_plots,
        .open = in->values.open,
        .licence = span_of(in->values.licence),
    };

    if (in->values.licence != NULL && span_trim(wanted.licence).len == 0)
        return err_set(e, ST_USAGE,
                       "export: --licence says nothing; name the licence of the labels, such as 'CC BY 4.0'");
    if (utf8_valid_prefix(wanted.licence) < wanted.licence.len)
        return usage_error(in, e, "--licence is not UTF-8");
    signals_catch();
    enum status status = invocation_open_db(in, DB_READ, e);
    THEN(status, report_package(in->db, &wanted, e));
    if (status == ST_OK)
        log_info("%s: made; check it with: cd %s && sha256sum -c SHA256SUMS && python3 check.py", wanted.folder,
                 wanted.folder);
    return status;
}

/* --- a project of REFI-QDA --- */

/* Private, for it has texts of posts and the names of coders. */
static enum status export_refi(struct invocation *in, struct err *e)
{
    const char *path = option_or(in->values.qdpx, in->values.qdc);
    bool notes = in->values.with_notes;
    struct refi_written n;
    AT_END(buf_clear) struct buf bytes = {0};
    enum status status = invocation_open_db(in, DB_READ, e);

    THEN(status, in->values.qdpx != NULL ? refi_write(in->db, notes, in->values.with_memos, &bytes, &n, e)
                                         : refi_write_codebook(in->db, &bytes, &n, e));
    THEN(status, output_file_write(path, OUTPUT_PRIVATE, buf_span(&bytes), e));
    if (status != ST_OK)
        return status;
    if (in->values.qdc != NULL)
        log_info("%s: codes: %zu", path, n.codes);
    else
        log_info("%s: codes: %zu; sources: %zu; codings: %zu, of %zu passages; notes: %zu", path, n.codes, n.sources,
                 n.codings, n.passages, n.notes);
    if (in->values.qdpx != NULL && n.absent > 0)
        log_info("posts without a text in the database, which have their address instead: %zu", n.absent);
    if (n.lost_quotes > 0)
        log_warn("quoted words that their post no longer has: %zu; such codes are those of the whole post",
                 n.lost_quotes);
    if (in->values.qdpx != NULL && n.texts > 0)
        log_info("left out: values of facets of kind text, which are not codes: %zu", n.texts);
    if (in->values.qdpx != NULL && n.private_notes > 0)
        log_info("left out: private notes: %zu; --with-notes takes them", n.private_notes);
    if (n.memos > 0 || n.private_memos > 0)
        log_info(n.memos > 0 ? "memos of codes and of the study: %zu"
                             : "left out: memos of codes and of the study: %zu; --with-memos takes them",
                 n.memos > 0 ? n.memos : n.private_memos);
    return ST_OK;
}

/* --- the command --- */

static enum status check_options(const struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    const void *const of_package[] = {&o->with_text, &o->no_plots, &o->open, &o->licence};
    const void *const of_tables[] = {&o->format, &o->raw, &o->bom};
    const char *packages = option_first(in, of_package, ARRAY_LEN(of_package));
    const char *prints = option_first(in, of_tables, ARRAY_LEN(of_tables));
    bool package = o->package != NULL, table = o->table != NULL, refi = o->qdpx != NULL || o->qdc != NULL;
    int what = (int)package + (int)table + (int)o->list + (o->qdpx != NULL) + (o->qdc != NULL);
    enum status status = refuse(
        e,
        {what != 1, "export: say what, one of: --package DIR (everything, for others to check), --table NAME, --list"
                    " (their names), --qdpx FILE, --qdc FILE"},
        {o->with_notes && o->qdpx == NULL, "export: --with-notes needs --qdpx"},
        {o->with_memos && o->qdpx == NULL && !package, "export: --with-memos needs --qdpx or --package"});

    if (status == ST_OK && packages != NULL && !package)
        return usage_error(in, e, "--%s needs --package", packages);
    THEN(status, refuse(e, {o->level > 0 && !table, "export: --level needs --table"},
                        {o->output != NULL && !table, "export: --output needs --table"}));
    if (status == ST_OK && prints != NULL && (package || refi))
        return usage_error(in, e, "--%s needs --table or --list", prints);
    return status;
}

static enum status run_export(struct invocation *in, struct err *e)
{
    size_t table = 0;
    bool lists = in->values.list;
    enum status status = check_options(in, e);

    const char *end = in->values.output != NULL ? strrchr(in->values.output, '.') : NULL;
    bool parquet = in->values.format != NULL ? strcmp(in->values.format, "parquet") == 0
                                             : end != NULL && strcasecmp(end, ".parquet") == 0;
    THEN(status, option_choice(in, &in->values.table, report_data_names, &table, e));
    if (status == ST_OK && (in->values.qdpx != NULL || in->values.qdc != NULL))
        return export_refi(in, e);
    if (status == ST_OK && parquet) {
        const char *path = in->values.output;

        if (path == NULL || in->values.table == NULL || in->values.raw || in->values.bom)
            return usage_error(in, e, "--format parquet needs --table and --output FILE, and without --raw and --bom");
        return export_table(in, (enum db_table)table, true, e);
    }
    THEN(status, output_option(in, lists ? TABLE_AS_TEXT : format_of_name(in->values.output), &in->out, e));
    if (status != ST_OK)
        return status;
    if (lists) {
        AT_END(buf_clear) struct buf meaning = {0};
        AT_END(table_clear) struct table t;

        table_init(&t, "tables", "Tables that can be exported", "table; content");
        for (int i = 0; i < DB_TABLES; i++) {
            buf_reset(&meaning);
            report_data_meaning((enum db_table)i, &meaning);
            table_add_row(&t, table_text(span_of(report_data_names[i])), table_text(buf_span(&meaning)));
        }
        table_print(&t, &in->out);
        return ST_OK;
    }
    return in->values.package != NULL ? export_package(in, e) : export_table(in, (enum db_table)table, false, e);
}

const struct command command_export = {
    .name = "export",
    .summary = "Write tables of the study, or a replication package",
    .options = OPTIONS(
        TEXT("package", package, "DIR", "make a replication package; DIR must not exist or be empty", 'p'),
        FLAG("with-text", with_text, "include titles and bodies of posts, with their attribution"),
        FLAG("no-plots", no_plots, "leave out the plots"),
        FLAG("open", open, "make it although disagreements are open, and say so in it"),
        TEXT("licence", licence, "TEXT", "the licence of the labels, as their authors chose it"),
        TEXT("table", table, "NAME", "write this table", 't'), FLAG("list", list, "list the tables", 'l'),
        NUMBER("level", level, "N", 1, 32, 0,
               "with --table problems or coding: write codes as the category of level N that they are in"),
        TEXT("format", format, "FORMAT",
             "write " TABLE_FORMATS_IN_WORDS
             ", or parquet (default: what the name of --output ends with, else csv; for --list, text)",
             'f'),
        SHEET_OPTIONS, TEXT("output", output, "FILE", "write the table to FILE instead of standard output", 'o'),
        TEXT("qdpx", qdpx, "FILE", "write a project for programs of qualitative analysis (REFI-QDA)"),
        TEXT("qdc", qdc, "FILE", "write the codebook alone for them"),
        FLAG("with-notes", with_notes, "with --qdpx: include private notes of coders"),
        FLAG("with-memos", with_memos, "with --qdpx or --package: include memos of codes and of the study")),
    .description = "A package is a folder with which others can check the study. It has the data as CSV files,\n"
                   "a dictionary of their columns, the database, the tables of `stats` and `agree --all`,\n"
                   "plots, checksums, and a Python program that verifies all of it and recomputes the numbers.\n"
                   "It never contains private notes, and contains titles and bodies of posts only with\n"
                   "--with-text. The same database gives the same bytes, except for the time.\n\n"
                   "In CSV, a cell that a spreadsheet would run as a formula, such as a name that begins with\n"
                   "'=', gets an apostrophe before it; --raw writes it unchanged. Parquet needs --output and\n"
                   "the program ppmine-parquet; see docs/duckdb.md.\n\n"
                   "A project has the posts that somebody coded, with their texts, codes, coders and reasons. The\n"
                   "words that a reason quotes are a coded passage. The same study gives the same bytes. `init\n"
                   "--from` reads projects and codebooks; docs/exchange.md says what becomes what.",
    .examples = EXAMPLES(
        {"ppmine export --package out --licence 'CC BY 4.0'", "for an archive"}, {"ppmine export --list", NULL},
        {"ppmine export --table problems > problems.csv", NULL},
        {"ppmine export --table problems --level 1", "each code as its outermost category, once for a problem"},
        {"ppmine export --table decisions --format ndjson -o decisions.ndjson", NULL},
        {"ppmine export --table problems -o problems.xlsx", "the name says the format"},
        {"ppmine export --qdpx study.qdpx", "for NVivo, MAXQDA, ATLAS.ti and others"}),
    .needs = NEEDS_DB_PATH,
    .run = run_export,
};
