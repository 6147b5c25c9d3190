/* codings: whole rows, for coders and samples of what they code; labels.c reads decision by decision. */
#include "label/coding/decisions.h"
#include "label/coding/labels.h"
#include "db/posts.h"
#include "db/fragments.h"
#include "label/fragments.h"
#include "db/sql.h"
#include "base/files.h"

#define CODED "SELECT post_id, coder FROM label WHERE place = 1 AND " IS_SAID
#define STANDING \
    "SELECT p.post_id, p.post_type = 'answer', p.parent_id, EXISTS" \
    " (SELECT 1 FROM candidate_post AS c WHERE c.post_id = p.post_id) FROM post AS p"
#define UNCODED_BY \
    "NOT IN (SELECT post_id FROM judgement WHERE coder = :coder" \
    " UNION ALL SELECT post_id FROM label WHERE coder = :coder AND place = 1 AND " IS_SAID ")"
#define CODING_OF_SAID \
    " SELECT s.subject, s.post_id, s.coder, j.is_problem, j.decided_at," \
    "  " POST_URL("s.post_id") "," \
                               "  coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id))" \
                               " FROM said AS s LEFT JOIN post AS p ON p.post_id = s.post_id" \
                               " LEFT JOIN judgement AS j ON j.post_id = s.post_id AND j.coder = s.coder"

SQL(CODER_GET, "SELECT is_merged FROM coder WHERE coder = :coder");

enum status db_coder_get(struct db *db, struct span coder, bool *exists, bool *is_merged, struct err *e)
{
    sql_bind_text(db, SQL_CODER_GET, ":coder", coder);
    enum status status = sql_row(db, SQL_CODER_GET, exists, e);
    *is_merged = *exists ? sql_int(db, SQL_CODER_GET, 0) != 0 : span_eq(coder, SPAN("merged"));
    sql_reset(db, SQL_CODER_GET);
    return status;
}

enum status coder_must_not_be_merged(struct db *db, struct span coder, const char *but, struct err *e)
{
    bool exists, is_merged;
    enum status status = db_coder_get(db, coder, &exists, &is_merged, e);

    if (status == ST_OK && is_merged)
        status = err_set(e, ST_INPUT, "'%.*s' is what coders agreed on in the end%s", SPAN_ARG(coder), but);
    return status;
}

/* The codes of a coder about a subject. */
SQL(CODES_OF, "SELECT facet, code_id, decided_at FROM label"
              " WHERE subject = :subject AND coder = :coder AND code_id IS NOT NULL ORDER BY facet, place");

bool db_coding_next(struct db *db, struct sql *walk, struct db_coding *coding, enum status *status, struct err *e)
{
    struct sql *which = SQL_CODES_OF;
    const struct facets *facets;
    int64_t judgement;

    if (!sql_next_into(db, walk, status, e, INTO(coding->subject), INTO(coding->post_id), INTO(coding->coder),
                       INTO(judgement), INTO(coding->decided_at), INTO(coding->url), INTO(coding->title)))
        return false;
    coding->is_judged = judgement != POST_ABSENT;
    coding->is_problem = judgement == 1;
    *status = db_facets(db, &facets, e);
    memset(coding->newest, 0, sizeof coding->newest);
    for (size_t i = 0; i < FACETS_MAX; i++)
        coding->codes[i] = (struct db_codes){coding->ids[i], 0};
    sql_bind(db, which, BIND(":subject", coding->subject), BIND(":coder", coding->coder));
    while (sql_next(db, which, status, e)) {
        struct span at = sql_text(db, which, 2);
        size_t facet = facets_find(facets, sql_text(db, which, 0));
        if (facet == facets->n || coding->codes[facet].n == FACET_CODES_MAX)
            continue;
        coding->ids[facet][coding->codes[facet].n++] = sql_int(db, which, 1);
        if (at.len == TIME_TEXT_SIZE - 1 && memcmp(at.ptr, coding->newest, at.len) > 0)
            memcpy(coding->newest, at.ptr, at.len);
    }
    if (coding->newest[0] != '\0')
        coding->decided_at = span_of(coding->newest);
    return *status == ST_OK || sql_next(db, walk, status, e); /* which ends the walk */
}

#define ID PUBLIC_ID("post_id")
SQL(CODING_EACH, "WITH said (subject, post_id, coder) AS ("
                 "  SELECT subject, post_id, coder FROM label"
                 "   WHERE place = 1 AND " IS_SAID " AND (:coder IS NULL OR coder = :coder)"
                 "  UNION SELECT " ID ", post_id, coder FROM (SELECT post_id, coder FROM judgement"
                 "   WHERE :coder IS NULL OR coder = :coder EXCEPT " CODED ")" /* NOT IN would look at all for each */
                 "  UNION SELECT " ID ", post_id, :coder FROM candidate_post"
                 "   WHERE :all AND :posts IS NULL AND post_id " UNCODED_BY "  UNION SELECT " ID
                 ", post_id, :coder FROM (SELECT value AS post_id FROM json_each(:posts))"
                 "   WHERE :all AND post_id " UNCODED_BY
                 "  UNION SELECT subject, post_id, coder FROM note WHERE :notes AND coder = :coder),"
                 " listed (post_id, place) AS MATERIALIZED"
                 " (SELECT value, min(key) FROM json_each(:posts) GROUP BY value)" CODING_OF_SAID
                 " LEFT JOIN listed AS o ON o.post_id = s.post_id"
                 " WHERE :posts IS NULL OR o.post_id IS NOT NULL"
                 " ORDER BY o.place, s.post_id, length(s.subject), s.subject, s.coder");

struct sql *db_codings(struct db *db, const struct db_coding_query *query)
{
    sql_bind(db, SQL_CODING_EACH, BIND(":coder", query->coder), BIND(":all", query->unjudged),
             BIND(":posts", query->posts), BIND(":notes", query->noted));
    return SQL_CODING_EACH;
}

/* The same of coder :coder and post :post_id, without a walk over all labels. */
#define THE_ID PUBLIC_ID(":post_id")
SQL(CODING_OF_POST,
    "WITH coded (subject, post_id, coder) AS ("
    "  SELECT subject, post_id, coder FROM label"
    "   WHERE subject = " THE_ID " AND coder = :coder AND place = 1 AND " IS_SAID
    "  UNION SELECT subject, post_id, coder FROM label"
    "   WHERE subject > " THE_ID " || '_' AND subject < " THE_ID " || '`'"
    "   AND coder = :coder AND place = 1 AND " IS_SAID "),"
    " said (subject, post_id, coder) AS (SELECT * FROM coded UNION SELECT " ID ", post_id, coder FROM judgement"
    "   WHERE post_id = :post_id AND coder = :coder AND NOT EXISTS (SELECT 1 FROM coded))" CODING_OF_SAID
    " ORDER BY length(s.subject), s.subject");

struct sql *db_codings_of_post(struct db *db, struct span coder, int64_t post_id)
{
    sql_bind(db, SQL_CODING_OF_POST, BIND(":coder", coder), BIND(":post_id", post_id));
    return SQL_CODING_OF_POST;
}

SQL(POSTS_ABSENT, "SELECT count(DISTINCT j.value) FROM json_each(:posts) AS j"
                  " LEFT JOIN post AS p ON p.post_id = j.value WHERE p.post_id IS NULL");

enum status db_posts_absent(struct db *db, struct span posts, int64_t *n, struct err *e)
{
    sql_bind_text(db, SQL_POSTS_ABSENT, ":posts", posts);
    return sql_one_int(db, SQL_POSTS_ABSENT, n, e);
}

SQL(STANDING_EACH, STANDING " WHERE p.post_id IN (SELECT value FROM json_each(:posts)) ORDER BY p.post_id");

SQL(STANDING_EACH_CODED,
    STANDING " WHERE p.post_id IN (SELECT post_id FROM judgement"
             "  UNION SELECT post_id FROM label WHERE place = 1 AND " IS_SAID ") ORDER BY p.post_id");

struct sql *db_standings(struct db *db, struct span posts)
{
    if (posts.ptr == NULL)
        return SQL_STANDING_EACH_CODED;
    sql_bind_text(db, SQL_STANDING_EACH, ":posts", posts);
    return SQL_STANDING_EACH;
}

bool db_standing_next(struct db *db, struct sql *walk, struct db_standing *post, enum status *status, struct err *e)
{
    bool row = sql_next_into(db, walk, status, e, INTO(post->post_id), INTO(post->is_answer), INTO(post->question_id),
                             INTO(post->is_candidate));

    if (row && post->question_id == POST_ABSENT)
        post->question_id = 0;
    return row;
}

#define ITEM_ID PUBLIC_ID("p.post_id")
#define ITEM_URL POST_URL("p.post_id")
#define ITEM "SELECT " ITEM_ID ", p.post_id, p.created_at, " POST_TAGS ", " ITEM_URL " FROM "

SQL(POPULATION_CANDIDATES, ITEM "candidate_post JOIN post AS p USING (post_id) ORDER BY p.post_id");

SQL(POPULATION_QUESTIONS, ITEM "post AS p WHERE p.post_type = 'question' ORDER BY p.post_id");

SQL(POPULATION_PROBLEMS, "SELECT l.problem_id, l.post_id, coalesce(l.created_at, p.created_at), " POST_TAGS ","
                         "  " POST_URL("l.post_id") " FROM problem AS l LEFT JOIN post AS p ON p.post_id = l.post_id"
                                                    " ORDER BY l.post_id, length(l.problem_id), l.problem_id");

SQL(POPULATION_OUTSIDE,
    ITEM "post AS p WHERE p.post_type = 'question' AND p.post_id NOT IN (SELECT post_id FROM candidate_post)"
         "  AND NOT EXISTS (SELECT 1 FROM post AS a JOIN candidate_post AS c ON c.post_id = a.post_id"
         "   WHERE a.parent_id = p.post_id)"
         " ORDER BY p.post_id");

enum status db_population_each(struct db *db, enum db_population population,
                               void (*each)(void *ctx, const struct db_item *item), void *ctx, struct err *e)
{
    static struct sql *statements[DB_POPULATIONS] = {
        [DB_CANDIDATES] = SQL_POPULATION_CANDIDATES,
        [DB_QUESTIONS] = SQL_POPULATION_QUESTIONS,
        [DB_PROBLEMS] = SQL_POPULATION_PROBLEMS,
        [DB_OUTSIDE] = SQL_POPULATION_OUTSIDE,
    };
    struct db_item item;
    enum status status = ST_OK;

    while (sql_next_into(db, statements[population], &status, e, INTO(item.item_id), INTO(item.post_id),
                         INTO(item.created_at), INTO(item.tags), INTO(item.url)))
        each(ctx, &item);
    return status;
}
