/* load and rebuild: posts of a data dump, of NDJSON, or of the answers of the API that were kept, into the database. */
#include "base/day.h"
#include "base/files.h"
#include "base/signals.h"
#include "cli/command.h"
#include "fetch/crawl/crawl.h"

static void print_counts(void *ctx, struct span counts)
{
    const bool *as_json = ctx;

    if (*as_json)
        printf("%.*s\n", SPAN_ARG(counts));
}

static enum status run_load(struct invocation *in, struct err *e)
{
    struct crawl_load_how how = {
        .ndjson = in->values.ndjson,
        .all_tags = in->values.all_tags,
        .strict = in->values.strict,
        .batch = in->values.batch,
        .threads = (unsigned)in->values.threads,
        .site = span_of(in->values.site),
    };
    bool as_json = false;
    char as_of[TIME_TEXT_SIZE];
    const char *given = in->values.as_of;

    if (given != NULL && !day_or_time_read(span_of(given), as_of))
        return err_set(e, ST_USAGE, "--as-of: '%s' is not a date; expected YYYY-MM-DD, such as 2024-04-01", given);
    how.as_of = given != NULL ? span_of(as_of) : (struct span){0};
    enum status status = option_json(in, &as_json, e);
    if (status != ST_OK)
        return status;
    signals_catch();
    how.temporary = tmpfile();                 /* no file can be made there afterwards; few dumps need it */
    invocation_confine(&in->db_path, 1, true); /* 7z */
    status = crawl_load(in->db, in->operands, in->n_operands, &how, print_counts, &as_json, e);
    if (how.temporary != NULL)
        fclose(how.temporary);
    return status;
}

const struct command command_load = {
    .name = "load",
    .summary = "Load posts from a data dump, or from JSON or CSV",
    .operands = "FILE…",
    .options = OPTIONS(
        FLAG("ndjson", ndjson, "refuse data dumps: FILE has posts as JSON or in a table"),
        FLAG("all-tags", all_tags, "keep every post, whatever its tags, date and type", 'a'),
        TEXT("site", site, "NAME", "posts that name no site are of NAME, a site of the study"),
        TEXT("as-of", as_of, "DATE", "the content is of DATE (default: the last activity in the file)"),
        FLAG("strict", strict, "treat a row that cannot be used as an error"),
        NUMBER("threads", threads, "N", 1, 64, 0, "read with N threads (default: one for each processor)"),
        NUMBER("batch", batch, "N", 1, 10000000, 10000, "commit N posts at a time (default: 10000)"),
        TEXT("format", format, "FORMAT", "print text, or json: one line with the counts of each file", 'f')),
    .description =
        "FILE is Posts.xml of a Stack Exchange data dump: plain, .gz, .xz, .bz2 or .zst, in a .7z, .zip\n"
        "or .tar archive, or - for standard input. It reads all files of a folder that can be loaded,\n"
        "posts before comments, and names the others; from an archive also Comments.xml and\n"
        "PostLinks.xml. The command keeps questions with a tag of the study, created within its dates,\n"
        "and their answers. A post that is already stored is updated if the file is newer. A dump is as old as its last activity, or as --as-of says; a post from\n"
        "the API is as old as its response. The older body is kept as a revision. Files can be\n"
        "loaded in any order, and again. Rows that cannot be used are named and left out. Rows that\n"
        "must wait for the end of the file are written to a temporary file.\n\n"
        "FILE may also have posts as JSON, or in a table with a header (CSV): in the form that\n"
        "docs/posts.md describes and `export --table posts --format ndjson` writes, or in those of\n"
        "Perceval, the APIs of Stack Exchange, GitHub, GitLab, Jira, Bugzilla and Discourse, `gh --json`,\n"
        "GH Archive, BigQuery and the Data Explorer. Comments.xml adds the comments on posts that are\n"
        "stored, PostLinks.xml their links and what they are duplicates of. A record in no form that is\n"
        "known is refused and named, and so is a file that changes its form.\n\n"
        "What is read is kept, or left out for a reason: the three commonest are printed, and all of them\n"
        "with -v and with --format json. A file of which nothing can be used is an error.\n\n"
        "In a study of several sites (`sites` in study.ini), a dump needs --site. Posts in NDJSON\n"
        "name their site.",
    .examples = EXAMPLES(
        {"ppmine load stackoverflow.com-Posts.7z", "the posts of the study in ppmine.db"},
        {"ppmine load --as-of 2014-05-01 old-Posts.xml", "an extract of a dump of that date"},
        {"zstdcat Posts.xml.zst | ppmine load -", NULL},
        {"ppmine load --all-tags issues.ndjson", "posts of any source"},
        {"ppmine load --site datascience.stackexchange.com Posts.xml", "posts of one of several sites"}),
    .needs = NEEDS_DB_WRITE,
    .run = run_load,
};

/* --- rebuild: no network is used --- */

static enum status run_rebuild(struct invocation *in, struct err *e)
{
    const char *from = in->n_operands > 0 ? in->operands[0] : NULL;
    const char *const files[] = {in->db_path, from != NULL ? from : in->db_path};
    AT_END(buf_clear) struct buf counts = {0};
    struct db *source = NULL;
    bool as_json = false;
    enum status status = option_json(in, &as_json, e);

    signals_catch();
    invocation_confine(files, ARRAY_LEN(files), false);
    if (status == ST_OK && from != NULL)
        status = db_open(&source, from, DB_READ, e);
    THEN(status, crawl_rebuild(in->db, source != NULL ? source : in->db, from, &counts, e));
    if (status == ST_OK && as_json)
        printf("%s\n", buf_cstr(&counts));
    db_close(source);
    return status;
}

const struct command command_rebuild = {
    .name = "rebuild",
    .summary = "Rebuild posts from the stored responses of the API",
    .operands = "[FROM]",
    .options = OPTIONS(TEXT("format", format, "FORMAT", "print text, or json: one object with the counts", 'f')),
    .description = "Reads every response of the API that `ppmine fetch` kept, in the order of arrival, and\n"
                   "stores its posts, comments, authors and deletions. FROM is the database with the responses\n"
                   "(default: the database that is written). The network is not used. Either all responses are\n"
                   "stored or none. A post that is stored in a newer version stays as it is.",
    .examples = EXAMPLES({"ppmine rebuild", "after an update of ppmine that reads more of each response"},
                         {"ppmine -d new.db rebuild old.db", "into another database"}),
    .needs = NEEDS_DB_WRITE,
    .run = run_rebuild,
};
