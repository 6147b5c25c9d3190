/* similar: pairs of posts that say nearly the same. */
#include "cli/command.h"
#include "match/corpus/derived.h"
#include "db/posts.h"
#include "label/label.h"
#include "match/corpus/mine.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/signals.h"

#include <math.h>

/* --- candidates that are related in any way --- */

static enum status MUST_USE print_related(const struct invocation *in, struct err *e)
{
    static const char related[] = "post_id int; other_id int; relation; similarity real.3; title <44; other_title <44";
    uint64_t limit = output_limit(in);
    AT_END(post_relations_clear) struct post_relations found;
    struct table t;
    size_t n = 0;
    int64_t n_candidates;
    enum status status = mine_related_read(&found, in->db, e);

    THEN(status, db_candidate_count(in->db, &n_candidates, e));
    if (status == ST_OK && n_candidates > MINE_RELATED_POSTS_MAX)
        log_warn("there are more than %d candidates, and none of so many are related", MINE_RELATED_POSTS_MAX);
    table_init(&t, "related", "Related candidates", related);
    for (size_t i = 0; i < found.all.n && status == ST_OK; i++) {
        const struct post_relation *r = &found.all.at[i];
        if (r->post_id > r->other_id) /* each is there from both sides */
            continue;
        if (limit == 0 || n < limit) {
            post_id_cell(&t, r->post_id);
            post_id_cell(&t, r->other_id);
            table_add_row(&t, table_text(span_of(post_relation_names[r->kind])),
                          table_real(r->kind == POST_SIMILAR ? r->similarity : NAN));
            status = db_post_title_cell(in->db, r->post_id, &t, e); /* a link may lead to a post that is not here */
            THEN(status, db_post_title_cell(in->db, r->other_id, &t, e));
        }
        n++;
    }
    if (status == ST_OK)
        log_info("%zu pairs%s", n, limit > 0 && n > limit ? "; --limit 0 prints all" : "");
    return table_end(&t, status, &in->out);
}

static enum status run_similar(struct invocation *in, struct err *e)
{
    static const char *const populations[] = {"questions", "candidates", NULL};
    AT_END(mine_similar_clear) struct mine_similar found = {.n_posts = 0};
    struct mine_similar_how how = {.least = 0.7};
    struct table t;
    uint64_t limit = output_limit(in);
    size_t of = 0;
    enum status status = option_percent(in, &in->values.min, 60, 100, &how.least, e);

    THEN(status, option_choice(in, &in->values.of, populations, &of, e));
    if (status == ST_OK && in->values.related && ((in->values.of != NULL) || in->values.min != NULL))
        status = usage_error(in, e, "--related is of candidates, from 70 %% on: without --of and --min");
    if (status != ST_OK)
        return status;
    how.candidates = of == 1;
    signals_catch();
    if (in->values.related)
        return print_related(in, e);
    status = mine_similar(in->db, &how, &found, e);
    table_init(&t, "similar", "Similar posts",
               "post_id int; other_id int; similarity real.3; title <44; other_title <44");
    for (size_t i = 0; i < found.pairs.n && (limit == 0 || i < limit) && status == ST_OK; i++) {
        post_id_cell(&t, found.pairs.at[i].post_id);
        post_id_cell(&t, found.pairs.at[i].other_id);
        table_add_real(&t, found.pairs.at[i].similarity);
        status = db_post_title_cell(in->db, found.pairs.at[i].post_id, &t, e);
        THEN(status, db_post_title_cell(in->db, found.pairs.at[i].other_id, &t, e));
    }
    if (status == ST_OK)
        log_info("%zu pairs among %zu posts%s", found.pairs.n, found.n_posts,
                 limit > 0 && found.pairs.n > limit ? "; --limit 0 prints all" : "");
    if (status == ST_OK && found.n_crowded > 0)
        log_warn("very many posts are alike, and not all of them were compared with each other");
    return table_end(&t, status, &in->out);
}

const struct command command_similar = {
    .name = "similar",
    .summary = "List pairs of posts with nearly the same text",
    .options = OPTIONS(
        TEXT("of", of, "POSTS", "compare questions (default) or candidates"),
        TEXT("min", min, "PERCENT", "list pairs with at least this share in common, 60 to 100 (default: 70)", 'm'),
        FLAG("related", related, "list pairs of candidates that are similar or of which one links to the other"),
        NUMBER("limit", limit, "N", 0, INT64_MAX, 50, "print N pairs; 0: all (default: 50 as text, else all)", 'n'),
        OUTPUT_OPTIONS),
    .description = "Compares the stemmed words of titles and bodies, in runs of three, and lists the pairs of\n"
                   "posts with most runs in common (Jaccard similarity), the most similar first. Code blocks\n"
                   "are left out unless the study matches them. MinHash finds the pairs, and each is compared\n"
                   "exactly; about 1 in 100 pairs of 60 % is missed, of 70 % and more 1 in 5,000. Posts with\n"
                   "the same words are each paired with the first of them only. The command changes nothing:\n"
                   "coders decide which posts are duplicates.\n\n"
                   "--related lists what coders are shown while they code: for each candidate those with 70 % and\n"
                   "more in common, the questions that it links to, and those that it names as its duplicate.\n"
                   "Both lists are computed from the posts as they are now.",
    .examples = EXAMPLES({"ppmine similar", "questions that were asked twice"},
                         {"ppmine similar --of candidates --format csv", "candidates, before coding begins"},
                         {"ppmine similar --related", "related posts, in one list"}),
    .nothing = "no posts are that similar",
    .needs = NEEDS_DB_READ,
    .run = run_similar,
};
