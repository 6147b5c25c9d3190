/* rebuild: posts again out of the answers of the API that were kept. No network is used. */
#include "cli/command.h"
#include "crawl/crawl.h"

static enum status run_rebuild(struct invocation *in, struct err *e)
{
    static const char *const formats[] = {"text", "json", NULL};
    const char *from = in->n_operands > 0 ? in->operands[0] : NULL;
    struct buf counts = {0};
    struct db *source = NULL;
    size_t format = 0;
    enum status status = option_choice(in, "format", formats, &format, e);

    signals_catch();
    if (status == ST_OK && from != NULL)
        status = db_open(&source, from, DB_READ, e);
    if (status == ST_OK)
        status = crawl_rebuild(in->db, source != NULL ? source : in->db, from, &counts, e);
    if (status == ST_OK && format == 1)
        printf("%s\n", buf_cstr(&counts));
    db_close(source);
    buf_clear(&counts);
    return status;
}

static const struct option_spec options[] = {
    {"format", 'f', "FORMAT", "print text, or json: counts as one object on stdout"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine rebuild", "again, with a version that reads more out of the same answers"},
    {"ppmine -d new.db rebuild old.db", "into another database"},
    {NULL, NULL},
};

const struct command command_rebuild = {
    .name = "rebuild",
    .summary = "Make posts again from the stored answers of the API",
    .operands = "[FROM]",
    .max_operands = 1,
    .options = options,
    .description =
        "Reads every API answer that `ppmine fetch` kept, in the order of arrival, and stores its\n"
        "posts, comments, authors and deletions. FROM is the database with the answers (default:\n"
        "the database that is written). The network is not used. All is one transaction. Newer\n"
        "versions of posts that are already stored stay.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_rebuild,
};
