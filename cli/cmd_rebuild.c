/* rebuild: posts again out of the answers of the API that were kept. No network is used. */
#include "base/signals.h"
#include "cli/command.h"
#include "fetch/crawl/crawl.h"

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
    .options = OPTIONS({"format", 'f', TEXT(format, "FORMAT"), "print text, or json: one object with the counts"}),
    .description = "Reads every response of the API that `ppmine fetch` kept, in the order of arrival, and\n"
                   "stores its posts, comments, authors and deletions. FROM is the database with the responses\n"
                   "(default: the database that is written). The network is not used. Either all responses are\n"
                   "stored or none. A post that is stored in a newer version stays as it is.",
    .examples = EXAMPLES({"ppmine rebuild", "after an update of ppmine that reads more of each response"},
                         {"ppmine -d new.db rebuild old.db", "into another database"}),
    .needs = NEEDS_DB_WRITE,
    .run = run_rebuild,
};
