/* keywords: the keyword set, and what each keyword finds in the database. */
#include "cli/command.h"
#include "match/corpus/derived.h"
#include "db/study.h"
#include "match/corpus/mine.h"
#include "base/table/table.h"
#include "base/log.h"

#include <unistd.h>

static void add_counted(void *ctx, const struct db_keyword *k, int64_t candidates, int64_t posts, int64_t hits)
{
    struct table *t = ctx;

    table_add_row(t, table_text(k->keyword), table_text(k->stems), table_int(candidates), table_int(posts),
                  table_int(hits));
    /* What hits is not dead, whatever its words look like. */
    table_add_row(t, table_text(hits > 0 ? (struct span){0} : k->dead), table_text(k->note));
}

static enum status run_keywords(struct invocation *in, struct err *e)
{
    bool other_set = in->values.keywords != NULL || in->values.verbatim;
    bool named = in->values.db != NULL || access(in->db_path, F_OK) == 0;
    enum match_options options = in->values.verbatim ? MATCH_VERBATIM : MATCH_STEMMED;
    AT_END(table_clear) struct table t;
    AT_END(study_clear) struct study study = {0};
    AT_END(buf_clear) struct buf content = {0}, exclusions = {0};
    struct match_set *set = NULL;
    enum status status = named ? invocation_open_db(in, DB_READ, e) : ST_OK;

    table_init(&t, "keywords", "Keywords", "keyword; stems; candidates int; posts int; hits int; dead; note");
    if (status == ST_OK && in->db != NULL && !other_set)
        status = db_keyword_each(in->db, add_counted, &t, e);
    if (status == ST_OK && table_rows(&t) == 0) {
        /* A set that was not matched yet: the database's, a file's, or the one that is built in. */
        status = in->db != NULL ? db_study_load(&study, in->db, e) : study_load(&study, NULL, e);
        THEN(status, mine_set(&set, &study, in->values.keywords, options, &content, e));
        for (size_t i = 0; status == ST_OK && i < match_set_size(set); i++) {
            const struct keyword *k = match_set_keyword(set, i);
            table_add_row(&t, table_text(k->text), table_text(k->stems), table_absent(), table_absent(), table_absent(),
                          table_text(k->dead), table_text(k->note));
        }
        size_t n = status == ST_OK ? match_set_exclusions(set) : 0;
        for (size_t i = 0; i < n; i++)
            buf_addf(&exclusions, "%s%.*s", i > 0 ? "; " : "", SPAN_ARG(match_set_exclusion(set, i)));
        if (n > 0)
            log_info("no hit is inside of %zu exclusions: %s", n, buf_cstr(&exclusions));
        match_set_free(set);
    }
    if (status == ST_OK)
        table_print(&t, &in->out);
    return status;
}

const struct command command_keywords = {
    .name = "keywords",
    .summary = "List the keyword set and what each keyword finds",
    .options = OPTIONS(
        TEXT("keywords", keywords, "FILE", "list the keywords of FILE instead, without counts", 'k'),
        FLAG("verbatim", verbatim, "list the keywords as 'match --verbatim' compares them, without counts"),
        OUTPUT_OPTIONS),
    .description = "After a match, the counts are those of the database: candidates, posts (with answers) and\n"
                   "hits. A keyword that can never match is marked dead, with the reason.",
    .examples = EXAMPLES({"ppmine keywords", "each keyword, its stems, the posts that it finds"},
                         {"ppmine keywords --verbatim", "which printed keywords can never match"}),
    .needs = NEEDS_DB_PATH,
    .run = run_keywords,
};
