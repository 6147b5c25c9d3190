/* load: posts of a data dump into the database. */
#include "cli/command.h"
#include "crawl/crawl.h"

static void print_counts(void *ctx, struct span counts)
{
    const bool *as_json = ctx;

    if (*as_json)
        printf("%.*s\n", (int)counts.len, counts.ptr);
}

static enum status run_load(struct invocation *in, struct err *e)
{
    static const char *const formats[] = {"text", "json", NULL};
    struct crawl_load_how how = {
        .all_tags = option_given(in, "all-tags"),
        .strict = option_given(in, "strict"),
        .batch = 10000,
    };
    uint64_t threads = 0;
    size_t format = 0;
    enum status status = option_number(in, "threads", 1, 64, &threads, e);

    if (status == ST_OK)
        status = option_number(in, "batch", 1, 10000000, &how.batch, e);
    if (status == ST_OK)
        status = option_choice(in, "format", formats, &format, e);
    if (status != ST_OK)
        return status;
    bool as_json = format == 1;
    how.threads = (unsigned)threads;
    signals_catch();
    return crawl_load(in->db, in->operands, in->n_operands, &how, print_counts, &as_json, e);
}

static const struct option_spec options[] = {
    {"all-tags", 'a', NULL, "keep every post, whatever its tags, date and type"},
    {"strict", '\0', NULL, "a row that cannot be used is an error"},
    {"threads", '\0', "N", "threads that read (default: processors)"},
    {"batch", '\0', "N", "posts in a transaction (default: 10000)"},
    {"format", 'f', "FORMAT", "text, or json: the counts of each file on a line of stdout"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine load stackoverflow.com-Posts.7z", "the posts of the study in ppmine.db"},
    {"zstdcat Posts.xml.zst | ppmine load -", NULL},
    {NULL, NULL},
};

const struct command command_load = {
    .name = "load",
    .summary = "Load posts from a data dump",
    .operands = "FILE…",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options = options,
    .description =
        "FILE is a Posts.xml of a Stack Exchange data dump: plain, .gz, .xz, .bz2 or .zst, a .7z\n"
        "archive that holds it, or - for standard input. Questions with a tag of the study in its\n"
        "dates are kept, their answers, and posts held already, which are updated: an older body\n"
        "becomes a revision. Loading again is harmless. Rows may stand in any order: an answer that\n"
        "comes before its question waits in a temporary file. Rows that cannot be used are named\n"
        "and left out.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_load,
};
