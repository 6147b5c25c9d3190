/* published: the queries of the tables, and walks over their rows. */
#include "report/published.h"

#include "db/fragments.h"
#include "db/sql.h"
#include "label/fragments.h"

#define PERSON_NUMBER(id) "iif(" id " < 0, -(-(" id ") & " ID_MASK "), " NUMBER_OF(id) ")"
#define LICENCE_BY(date) \
    "CASE WHEN " date " IS NULL THEN NULL WHEN " date " < '2011-04-08' THEN 'CC BY-SA 2.5'" \
    " WHEN " date " < '2018-05-02' THEN 'CC BY-SA 3.0' ELSE 'CC BY-SA 4.0' END"
/* The date of the nearest dated post, this one included, in the direction of the order. */
#define NEAREST(fold, order) \
    "substr(" fold "(iif(created_at IS NULL, NULL, printf('%012d %s', post_id, created_at)))" \
    "  OVER (PARTITION BY post_id >> 53 ORDER BY post_id " order "), 14)"
/* Only there does a licence follow from a date. */
#define IS_STACK_EXCHANGE(id) \
    "EXISTS (SELECT 1 FROM site AS s WHERE s.site_id = " id " >> 53 AND (s.name IN" \
    " ('stackoverflow.com', 'serverfault.com', 'superuser.com', 'askubuntu.com'," \
    "  'mathoverflow.net', 'stackapps.com')" \
    " OR s.name LIKE '%.stackexchange.com' OR s.name LIKE '%.stackoverflow.com'))"
#define IS_UNDONE "EXISTS (SELECT 1 FROM decision AS u WHERE u.undoes = d.decision_id)"
/* Whole posts, as in docs/posts.md, with their sites' ids; few databases need the columns `site` and `url`. */
/* clang-format off */
#define WHOLE_POSTS(site, url) \
    "SELECT 1 AS v, " site NUMBER_OF("post_id") " AS post_id, post_type," \
    "  " NUMBER_OF("parent_id") " AS parent_id, " NUMBER_OF("accepted_answer_id") \
    "   AS accepted_answer_id, title," \
    "  iif(json_valid(tags), json(tags), NULL) AS tags, score, view_count, answer_count," \
    "  comment_count, favorite_count, created_at, deleted_at, last_edited_at," \
    "  last_activity_at, closed_at, community_owned_at," \
    "  " PERSON_NUMBER("owner_user_id") " AS owner_user_id, owner_display_name," \
    "  " PERSON_NUMBER("last_editor_user_id") " AS last_editor_user_id, last_editor_display_name," \
    "  content_license, " url "body_html," \
    "  (SELECT nullif(json_group_array(json_patch('{}', json_object(" \
    "     'comment_id', " NUMBER_OF("comment_id") ", 'user_id', " PERSON_NUMBER("user_id") "," \
    "     'user_display_name', user_display_name," \
    "     'reply_to_user_id', " PERSON_NUMBER("reply_to_user_id") "," \
    "     'score', score, 'edited', json(iif(edited, 'true', iif(edited = 0, 'false', 'null')))," \
    "     'created_at', created_at, 'deleted_at', deleted_at," \
    "     'content_license', content_license, 'body_html', body_html))), '[]')" \
    "   FROM (SELECT * FROM comment AS c WHERE c.post_id = p.post_id ORDER BY comment_id))" \
    "  AS comments," \
    "  (SELECT nullif(json_group_array(json_patch('{}', json_object(" \
    "     'user_id', " PERSON_NUMBER("user_id") ", 'display_name', display_name, 'link', link)))," \
    "     '[]')" \
    "   FROM author WHERE user_id IN (p.owner_user_id, p.last_editor_user_id)" \
    "    OR user_id IN (SELECT c.user_id FROM comment AS c WHERE c.post_id = p.post_id)" \
    "    OR user_id IN (SELECT reply_to_user_id FROM comment AS c" \
    "                   WHERE c.post_id = p.post_id)) AS authors" \
    " FROM post AS p ORDER BY p.post_id"
/* clang-format on */

/* --- tables --- */

/* Whether posts have more than what follows from their ids: a site of several, or a URL. */
SQL(HAS_SITES, "SELECT EXISTS (SELECT 1 FROM study WHERE key = 'sites') OR EXISTS (SELECT 1 FROM post_url)");

SQL(POSTS_OF_SITES, WHOLE_POSTS("(SELECT name FROM site WHERE site_id = p.post_id >> 53) AS site, ",
                                "(SELECT u.url FROM post_url AS u WHERE u.post_id = p.post_id) AS url, "));

/* clang-format off */
#define TABLE(name, ...) {#name, __VA_ARGS__, 0}
/* clang-format on */

/* clang-format off */
static struct sql tables[DB_TABLES] = {
    [DB_TABLE_PROBLEMS] = TABLE(DB_TABLE_PROBLEMS,
    "SELECT * FROM problem_label ORDER BY post_id, length(problem_id), problem_id"),
    [DB_TABLE_IDENTIFICATION] = TABLE(DB_TABLE_IDENTIFICATION,
    "SELECT j.post_id, j.coder, c.is_merged, j.is_problem, j.decided_at"
    " FROM judgement AS j JOIN coder AS c USING (coder) ORDER BY j.post_id, j.coder"),
    [DB_TABLE_CODING] = TABLE(DB_TABLE_CODING,
    "SELECT * FROM coding ORDER BY post_id, length(problem_id), problem_id, facet, coder"),
    [DB_TABLE_DECISIONS] = TABLE(DB_TABLE_DECISIONS,
    "SELECT decision_id, decided_at, coder, subject, post_id, facet, value, codebook_version,"
    "  " IS_UNDONE " AS undone, undoes, spelling, reason, assisted_by"
    " FROM decision AS d ORDER BY decided_at, decision_id"),
    [DB_TABLE_CANDIDATES] = TABLE(DB_TABLE_CANDIDATES,
    "SELECT post_id, url, created_at, n_hits, keywords FROM candidate ORDER BY post_id"),
    [DB_TABLE_KEYWORDS] = TABLE(DB_TABLE_KEYWORDS,
    "SELECT k.keyword_id, k.keyword, k.stems, k.n_words, k.dead, k.note,"
    "  count(DISTINCT c.post_id) AS candidates, count(DISTINCT h.post_id) AS posts,"
    "  count(h.post_id) AS hits"
    " FROM keyword AS k LEFT JOIN hit AS h USING (keyword_id)"
    " LEFT JOIN candidate_post AS c ON c.post_id = h.post_id"
    " GROUP BY k.keyword_id ORDER BY k.keyword_id"),
    [DB_TABLE_CODEBOOK] = TABLE(DB_TABLE_CODEBOOK,
    "SELECT c.code_id, c.facet, c.category, c.name AS code, c.short_name, c.definition,"
    "  (SELECT json_group_array(alias) FROM (SELECT alias FROM code_alias AS a"
    "    WHERE a.code_id = c.code_id ORDER BY alias)) AS aliases,"
    "  c.retired_in, c.merged_into"
    " FROM code AS c WHERE " IN_CODEBOOK " ORDER BY c.code_id"),
    [DB_TABLE_DISAMBIGUATION] = TABLE(DB_TABLE_DISAMBIGUATION,
    "SELECT a.facet, a.name AS code, b.name AS versus, d.rule"
    " FROM disambiguation AS d JOIN code AS a ON a.code_id = d.code_id"
    " JOIN code AS b ON b.code_id = d.versus_id ORDER BY d.code_id, d.versus_id"),
    [DB_TABLE_CODE_CHANGES] = TABLE(DB_TABLE_CODE_CHANGES,
    "SELECT codebook_version, changed_at, changed_by, action, facet, code, became, reason,"
    "  look_again FROM code_change ORDER BY codebook_version"),
    [DB_TABLE_ASSESSMENT] = TABLE(DB_TABLE_ASSESSMENT,
    "SELECT problem_id, " POST_OF("problem_id") " AS post_id, approach, status, library"
    " FROM assessment ORDER BY " BY_PROBLEM("problem_id") ", approach"),
    [DB_TABLE_BENCH_SETUPS] = TABLE(DB_TABLE_BENCH_SETUPS,
    "SELECT setup_id, machine, processor, processors, memory_kb, system, kernel, architecture,"
    "  memory_limit, versions FROM bench_setup ORDER BY setup_id"),
    [DB_TABLE_BENCH_RESULTS] = TABLE(DB_TABLE_BENCH_RESULTS,
    "SELECT result_id, setup_id, problem_id, finished_at, verdict, why, metric, unit, buggy,"
    "  fixed, ratio, ratio_low, ratio_high, seed, case_sha256, limit_seconds, limit_memory_mb,"
    "  load_after, sha256 FROM bench_result ORDER BY result_id"),
    [DB_TABLE_BENCH_RUNS] = TABLE(DB_TABLE_BENCH_RUNS,
    "SELECT result_id, side, place, warm_up, ended, code, metric, wall_seconds, user_seconds,"
    "  system_seconds, peak_kb, sampled_peak_kb, out_bytes, err_bytes, lacked_memory,"
    "  work_seconds, work_rss_before_kb, work_peak_rss_kb, ready_seconds, digest, computed,"
    "  step_seconds, step_rss_kb, samples FROM bench_run ORDER BY result_id, side, place"),
    /* Every post that any other table names. Ids grow with time, so posts between two dated ones of
     * the same licence have that licence. */
    [DB_TABLE_ATTRIBUTION] = TABLE(DB_TABLE_ATTRIBUTION,
    "WITH named AS (SELECT post_id FROM post UNION SELECT post_id FROM decision"
    "   UNION SELECT post_id FROM problem"
    "   UNION SELECT " POST_OF("problem_id") " FROM problem_date"
    "   UNION SELECT " POST_OF("problem_id") " FROM assessment),"
    " told AS (SELECT " POST_OF("problem_id") " AS post_id, min(created_at) AS created_at"
    "   FROM problem_date GROUP BY 1),"
    " dated AS (SELECT n.post_id, coalesce(p.created_at, t.created_at) AS created_at,"
    "   " IS_STACK_EXCHANGE("n.post_id") " AS is_told"
    "   FROM named AS n LEFT JOIN post AS p USING (post_id) LEFT JOIN told AS t USING (post_id)),"
    " near AS (SELECT *, " LICENCE_BY(NEAREST("max", "ASC")) " AS before,"
    "   " LICENCE_BY(NEAREST("min", "DESC")) " AS after FROM dated),"
    " known AS (SELECT n.*,"
    "   iif(is_told, " LICENCE_BY("created_at") ", NULL) AS by_date,"
    "   iif(is_told AND before = after, before, NULL) AS by_id FROM near AS n)"
    " SELECT k.post_id, " URL_OF("p.post_type", "k.post_id") " AS url,"
    "  v.author, v.author_url,"
    "  coalesce(p.content_license, by_date, by_id) AS content_license,"
    "  'https://creativecommons.org/licenses/by-sa/' || substr(nullif(coalesce("
    "    iif(p.content_license GLOB 'CC BY-SA [0-9].[0-9]', p.content_license,"
    "      iif(p.content_license IS NULL, NULL, '')), by_date, by_id), ''), 10) || '/'"
    "    AS license_url,"
    "  CASE WHEN p.content_license IS NOT NULL THEN 'source' WHEN by_date IS NOT NULL"
    "    THEN 'by date' WHEN by_id IS NOT NULL THEN 'by id' ELSE 'unknown' END"
    "    AS license_basis,"
    "  k.created_at, v.loaded_at AS retrieved_at, p.body_sha256"
    " FROM known AS k LEFT JOIN post AS p USING (post_id)"
    " LEFT JOIN post_provenance AS v USING (post_id) ORDER BY k.post_id"),
    [DB_TABLE_RUNS] = TABLE(DB_TABLE_RUNS,
    "SELECT run_id, command, tool_version, " RUN_PARAMETERS " AS parameters,"
    "  " RUN_SOURCE " AS source, started_at, finished_at, outcome, counts"
    " FROM run ORDER BY run_id"),
    [DB_TABLE_SETTINGS] = TABLE(DB_TABLE_SETTINGS,
    /* The keys of the page are settings of coders, by name. */
    "SELECT key, value FROM study WHERE key NOT GLOB 'keys *' ORDER BY key"),
    [DB_TABLE_TEXTS] = TABLE(DB_TABLE_TEXTS,
    "SELECT post_id, title, body_html FROM post ORDER BY post_id"),
    [DB_TABLE_POSTS] = TABLE(DB_TABLE_POSTS,
    WHOLE_POSTS("", "")),
    [DB_TABLE_HITS] = TABLE(DB_TABLE_HITS,
    "SELECT h.post_id, h.field, h.\"start\", h.\"end\", k.keyword FROM hit AS h"
    " JOIN keyword AS k USING (keyword_id) ORDER BY h.post_id, h.field, h.\"start\", keyword_id"),
    [DB_TABLE_PROJECTS] = TABLE(DB_TABLE_PROJECTS,
    "SELECT p.project, p.url, c.findings, c.reported, c.confirmed, c.fixed, c.refused, c.gone"
    " FROM project AS p JOIN campaign AS c USING (project) ORDER BY p.project"),
    [DB_TABLE_SCANS] = TABLE(DB_TABLE_SCANS,
    "SELECT scan_id, project, commit_id, code_at, scanned_at, tool_version, options, files,"
    "  unread, found_sha256 FROM scan ORDER BY scan_id"),
    [DB_TABLE_FINDINGS] = TABLE(DB_TABLE_FINDINGS,
    "SELECT finding_id, project, f.fingerprint, c.rule, c.file, c.function, severity, line, cell,"
    "  message, seen, gone_since, tool_differs, returned, state, url"
    " FROM finding_current AS c JOIN finding AS f USING (finding_id, project)"
    " ORDER BY finding_id"),
    [DB_TABLE_FINDING_SEEN] = TABLE(DB_TABLE_FINDING_SEEN,
    "SELECT scan_id, finding_id, how, severity, line, cell, message FROM finding_seen"
    " ORDER BY scan_id, finding_id"),
    [DB_TABLE_FINDING_STATES] = TABLE(DB_TABLE_FINDING_STATES,
    "SELECT t.state_id, t.finding_id, t.state, t.set_at, t.set_by, t.happened, t.url, t.reason,"
    "  t.undoes, EXISTS (SELECT 1 FROM finding_state AS u WHERE u.undoes = t.state_id) AS undone"
    " FROM finding_state AS t ORDER BY t.set_at, t.state_id"),
    [DB_TABLE_DISCUSSION] = TABLE(DB_TABLE_DISCUSSION,
    "SELECT message_id, written_at, coder, subject, post_id, text FROM message"
    " ORDER BY written_at, message_id"),
};
/* clang-format on */

const struct sql *db_table_statement(enum db_table table)
{
    return &tables[table];
}

static struct sql *query_of(struct db *db, enum db_table table)
{
    struct err ignored;
    int64_t has_sites = 0;

    if (table == DB_TABLE_POSTS && sql_one_int(db, SQL_HAS_SITES, &has_sites, &ignored) == ST_OK && has_sites == 1)
        return SQL_POSTS_OF_SITES;
    return &tables[table];
}

const char *db_table_column(struct db *db, enum db_table table, size_t column)
{
    return sql_column_name(db, query_of(db, table), (int)column);
}

enum status db_table_each(struct db *db, enum db_table table,
                          enum status (*each)(void *ctx, const struct span *cells, size_t n, struct err *e), void *ctx,
                          struct err *e)
{
    struct sql *query = query_of(db, table);
    int n = sql_columns(db, query);
    struct span cells[DB_TABLE_COLUMNS_MAX];
    enum status status = ST_OK;

    n = n < DB_TABLE_COLUMNS_MAX ? n : DB_TABLE_COLUMNS_MAX;
    while (sql_next(db, query, &status, e)) {
        for (int i = 0; i < n; i++)
            cells[i] = sql_text(db, query, i);
        status = each(ctx, cells, (size_t)n, e);
    }
    return status;
}

enum status db_table_is_empty(struct db *db, enum db_table table, bool *empty, struct err *e)
{
    bool row;
    enum status status = sql_row(db, query_of(db, table), &row, e);

    *empty = !row;
    sql_reset(db, query_of(db, table));
    return status;
}
