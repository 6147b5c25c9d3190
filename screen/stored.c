/* screen: what screening reads, and how each post came to be read. */
#include "screen/stored.h"

#include "base/files.h"
#include "db/fragments.h"
#include "db/sql.h"

SQL(SCREEN_POST_EACH, "SELECT p.post_id, p.title, p.body_html, " POST_TAGS
                      " FROM post AS p WHERE p.post_type = 'question' AND p.deleted_at IS NULL ORDER BY p.post_id");

bool db_screen_post_next(struct db *db, struct db_screen_post *post, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_SCREEN_POST_EACH, status, e, INTO(post->post_id), INTO(post->title),
                         INTO(post->body_html), INTO(post->tags));
}

SQL(SCREEN_HIT_EACH, "SELECT post_id, n_hits FROM candidate_post ORDER BY post_id");

bool db_screen_hit_next(struct db *db, struct db_screen_hits *hits, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_SCREEN_HIT_EACH, status, e, INTO(hits->post_id), INTO(hits->n));
}

/* Posts change only in runs; one that goes on may change them at any time. */
SQL(SCREEN_STATE, "SELECT group_concat(run_id || ' ' || finished_at || coalesce(source, '')"
                  "  || coalesce(counts, '')), max(finished_at IS NULL)"
                  " FROM (SELECT run_id, finished_at, source, counts FROM run ORDER BY run_id)");

enum status db_screen_state(struct db *db, struct buf *state, bool *settled, struct err *e)
{
    bool row;
    enum status status = sql_row(db, SQL_SCREEN_STATE, &row, e);

    *settled = false;
    if (!row)
        return status;
    buf_add_span(state, sql_text(db, SQL_SCREEN_STATE, 0));
    *settled = sql_int_or_zero(db, SQL_SCREEN_STATE, 1) == 0;
    sql_reset(db, SQL_SCREEN_STATE);
    return ST_OK;
}

SQL(SCREEN_PUT, "INSERT INTO screening (coder, post_id, place, answer, stratum, read_at, score, n_learned,"
                "  model, seed)"
                " VALUES (:coder, :post_id, (SELECT coalesce(max(place), 0) + 1 FROM screening WHERE coder = :coder),"
                "  :answer, :stratum, :read_at, :score, :n_learned, :model, :seed)"
                " ON CONFLICT (coder, post_id) DO UPDATE SET place = excluded.place, answer = excluded.answer,"
                "  stratum = excluded.stratum, read_at = excluded.read_at, score = excluded.score,"
                "  n_learned = excluded.n_learned, model = excluded.model, seed = excluded.seed");

enum status db_screen_read_put(struct db *db, struct span coder, const struct db_screen_read *read, struct err *e)
{
    struct sql *which = SQL_SCREEN_PUT;
    char now[TIME_TEXT_SIZE];

    time_now(now);
    return sql_run(db, which, e, BIND(":coder", coder), BIND(":post_id", read->post_id),
                   BIND(":answer", span_of(db_screen_answers[read->answer])),
                   BIND(":stratum", span_of(db_screen_strata[read->stratum])), BIND(":read_at", span_of(now)),
                   BIND(":score", read->score), BIND(":n_learned", read->n_learned), BIND(":model", read->model),
                   BIND(":seed", read->seed));
}

SQL(SCREEN_CHANGE, SQL_OR_NOTHING "UPDATE screening SET answer = :answer WHERE coder = :coder AND post_id = :post_id");

enum status db_screen_read_change(struct db *db, struct span coder, int64_t post_id, enum db_screen_answer answer,
                                  struct err *e)
{
    return sql_run(db, SQL_SCREEN_CHANGE, e, BIND(":coder", coder), BIND(":post_id", post_id),
                   BIND(":answer", span_of(db_screen_answers[answer])));
}

/* The place of a word that the schema allows. */
static size_t place_of(struct span word, const char *const *words)
{
    size_t place = 0;

    while (words[place + 1] != NULL && !span_eq(word, span_of(words[place])))
        place++;
    return place;
}

/* The view screening_read of one person, in a third of its time, since nothing is numbered. */
SQL(SCREEN_EACH, "SELECT j.post_id, iif(j.is_problem, 'yes', 'no'), coalesce(s.stratum, 'hand'),"
                 "  coalesce(s.read_at, j.decided_at) AS read_at, coalesce(s.place, 0) AS counted"
                 " FROM judgement AS j LEFT JOIN screening AS s USING (coder, post_id) WHERE j.coder = :coder"
                 " UNION ALL"
                 " SELECT s.post_id, s.answer, s.stratum, s.read_at, s.place FROM screening AS s"
                 " WHERE s.coder = :coder AND s.answer = 'unsure' AND NOT EXISTS"
                 "  (SELECT 1 FROM judgement AS j WHERE j.coder = s.coder AND j.post_id = s.post_id)"
                 " ORDER BY read_at, counted, post_id");

void db_screen_reads(struct db *db, struct span coder)
{
    sql_bind_text(db, SQL_SCREEN_EACH, ":coder", coder);
}

bool db_screen_read_next(struct db *db, struct db_screen_read *read, enum status *status, struct err *e)
{
    struct span answer = {0}, stratum = {0};
    bool row = sql_next_into(db, SQL_SCREEN_EACH, status, e, INTO(read->post_id), INTO(answer), INTO(stratum));

    read->answer = (enum db_screen_answer)place_of(answer, db_screen_answers);
    read->stratum = (enum db_screen_stratum)place_of(stratum, db_screen_strata);
    return row;
}

static enum status MUST_USE read_strata(struct db *db, struct sql *which, struct db_screen_strata *out, struct err *e)
{
    bool row;
    enum status status = sql_row(db, which, &row, e);

    *out = (struct db_screen_strata){0};
    if (!row)
        return status;
    out->n_posts = sql_int(db, which, 0);
    out->n_ranked = (int64_t)sql_real(db, which, 1);
    out->n_keyword = (int64_t)sql_real(db, which, 2);
    out->n_picked = (int64_t)sql_real(db, which, 3);
    sql_reset(db, which);
    return ST_OK;
}

SQL(SCREEN_PROBLEMS, "SELECT count(*), total(ranked), total((keyword OR (by_hand AND candidate)) AND NOT ranked),"
                     "  total(ranked OR keyword)"
                     " FROM (SELECT EXISTS (SELECT 1 FROM screening AS s WHERE s.post_id = p.post_id"
                     "                      AND stratum = 'ranked') AS ranked,"
                     "              EXISTS (SELECT 1 FROM screening AS s WHERE s.post_id = p.post_id"
                     "                      AND stratum = 'keyword') AS keyword,"
                     "              NOT EXISTS (SELECT 1 FROM screening AS s WHERE s.post_id = p.post_id) AS by_hand,"
                     "              p.post_id IN (SELECT post_id FROM candidate_post) AS candidate"
                     "       FROM (SELECT DISTINCT post_id FROM problem) AS p)");

enum status db_screen_problems(struct db *db, struct db_screen_strata *out, struct err *e)
{
    return read_strata(db, SQL_SCREEN_PROBLEMS, out, e);
}

SQL(SCREEN_SHARED, "SELECT count(*), total(ranked), total((keyword OR (by_hand AND candidate)) AND NOT ranked),"
                   "  total(ranked OR keyword)"
                   " FROM (SELECT max(stratum = 'ranked') AS ranked, max(stratum = 'keyword') AS keyword,"
                   "         min(stratum = 'hand') AS by_hand,"
                   "         post_id IN (SELECT post_id FROM candidate_post) AS candidate"
                   "       FROM screening_read JOIN coder USING (coder) WHERE NOT is_merged"
                   "       GROUP BY post_id HAVING count(*) > 1)");

enum status db_screen_shared(struct db *db, struct db_screen_strata *out, struct err *e)
{
    return read_strata(db, SQL_SCREEN_SHARED, out, e);
}

SQL(SCREEN_RANDOM, "SELECT post_id FROM screening_read JOIN coder USING (coder) WHERE NOT is_merged"
                   " GROUP BY post_id HAVING min(stratum = 'random') ORDER BY post_id");

enum status db_screen_random(struct db *db, struct queue_list *out, struct err *e)
{
    enum status status = ST_OK;
    int64_t post_id;

    while (sql_next_into(db, SQL_SCREEN_RANDOM, &status, e, INTO(post_id)))
        array_add(out, post_id);
    return status;
}

SQL(SCREEN_CODES, "SELECT DISTINCT code, post_id FROM problem_code WHERE facet = :facet ORDER BY code, post_id");

enum status db_screen_code_each(struct db *db, struct span facet,
                                void (*each)(void *ctx, struct span code, int64_t post_id), void *ctx, struct err *e)
{
    struct sql *which = SQL_SCREEN_CODES;

    sql_bind_text(db, which, ":facet", facet);
    enum status status = ST_OK;
    while (sql_next(db, which, &status, e))
        each(ctx, sql_text(db, which, 0), sql_int(db, which, 1));
    return status;
}
