/* All statements: their text, preparing them, binding, reading columns. */
#include "db/publish.h"
#include "db/sql.h"

#include <errno.h>
#include <math.h>

const char SQL_BEGIN[] = "BEGIN IMMEDIATE";
const char SQL_COMMIT[] = "COMMIT";
const char SQL_ROLLBACK[] = "ROLLBACK";

/* Large pages: a post is 1.5 KB, and the fewer pages the less there is to log and to look up (a
 * load of 23,000 posts: 0.3 s, with pages of 4 KB 0.4 s). The log is moved into the file every 2000
 * pages (32 MB). FULL syncs the log at each commit: with NORMAL, a power cut takes answers that serve
 * has confirmed, and what a command wrote while another had the database open. Debian's SQLite overwrites freed pages with zeros by default, which public posts
 * do not need. */
const char SQL_OPEN_SETTINGS[] = "PRAGMA foreign_keys = ON;"
                                 "PRAGMA trusted_schema = OFF;"
                                 "PRAGMA temp_store = MEMORY;"
                                 "PRAGMA mmap_size = 0;"
                                 "PRAGMA cache_size = -8192;";
const char SQL_READ_SETTINGS[] = "PRAGMA query_only = ON;";
const char SQL_WRITE_SETTINGS[] = "PRAGMA journal_mode = WAL;"
                                  "PRAGMA synchronous = FULL;"
                                  "PRAGMA secure_delete = OFF;"
                                  "PRAGMA wal_autocheckpoint = 2000;";
const char SQL_CREATE_SETTINGS[] = "PRAGMA page_size = 16384;"
                                   "PRAGMA encoding = 'UTF-8';";
const char SQL_FILL_SETTINGS[] = "PRAGMA journal_mode = TRUNCATE;"
                                 "PRAGMA synchronous = FULL;";
/* No log beside the file, which stays as it is when somebody only reads it. */
const char SQL_COPY_SETTINGS[] = "PRAGMA journal_mode = DELETE;"
                                 "PRAGMA synchronous = OFF;"
                                 "PRAGMA secure_delete = ON;";
const char SQL_COPY[] = "VACUUM INTO ?1";
const char SQL_REFERENCES_TRUST[] = "PRAGMA foreign_keys = OFF";
const char SQL_REFERENCES_CHECK[] = "PRAGMA foreign_keys = ON";
const char SQL_QUERY_ONLY[] = "PRAGMA query_only";
const char SQL_COPY_BEGIN[] = "PRAGMA query_only = OFF";
const char SQL_COPY_END[] = "PRAGMA query_only = ON";
/* Of a row l of label. Codes of the same act as the "no" are as published, and stay. */
#define IS_WITHDRAWN \
    "EXISTS (SELECT 1 FROM judgement AS j WHERE j.post_id = l.post_id AND j.coder = l.coder" \
    " AND j.is_problem = 0 AND j.decided_at > l.decided_at)"
/* Of a row l of label, by coder c: a merged coder left the problem out, which is no code; unless that
 * was because the post was no problem, and it became one again. */
#define IS_DISMISSED \
    "(l.place = 1 AND l.code_id IS NULL AND l.value IS NULL AND c.is_merged AND NOT EXISTS" \
    " (SELECT 1 FROM judgement AS y WHERE y.post_id = l.post_id AND y.coder = l.coder" \
    "  AND y.is_problem AND y.decided_at > l.decided_at))"
/* Where a run read from says where on a disk somebody's files lie: of paths the last part stays. */
#define IS_PATH(text) \
    "(" text " LIKE '%/%' AND (" text " NOT LIKE '%://%' OR " text " LIKE 'file:%'))"
#define LAST_PART(text) \
    "substr(rtrim(" text ", '/')," \
    "  length(rtrim(rtrim(" text ", '/'), replace(" text ", '/', ''))) + 1)"
#define WITHOUT_FOLDER(text) "iif(" IS_PATH(text) ", " LAST_PART(text) ", " text ")"
#define EACH_WITHOUT_FOLDER(type, value, atoms) \
    "CASE " type " WHEN 'text' THEN " WITHOUT_FOLDER(value) \
    " WHEN 'true' THEN json('true') WHEN 'false' THEN json('false')" \
    " WHEN 'object' THEN json(" value ") WHEN 'array' THEN " atoms " ELSE " value " END"
#define RUN_SOURCE WITHOUT_FOLDER("source")
#define RUN_PARAMETERS \
    "iif(json_valid(parameters) AND json_type(parameters) = 'object'," \
    "  (SELECT json_group_object(p.key, " EACH_WITHOUT_FOLDER( \
        "p.type", "p.value", \
        "(SELECT json_group_array(" EACH_WITHOUT_FOLDER("a.type", "a.value", "json(a.value)") \
        ") FROM json_each(p.value) AS a)") \
    ") FROM json_each(parameters) AS p), '{}')"
const char SQL_COPY_STRIP[] =
    "DELETE FROM note;"
    "DELETE FROM message WHERE NOT EXISTS (SELECT 1 FROM study WHERE key = 'settling_opened');"
    /* The last words of a script may have somebody's paths in them. */
    "UPDATE bench_run SET said = '' WHERE said <> '';"
    "UPDATE bench_result SET why = substr(why, 1, instr(why || ': ', ': ') - 1)"
    " WHERE verdict = 'broken' AND instr(why, ': ') > 0;"
    "UPDATE run SET source = " RUN_SOURCE ", parameters = " RUN_PARAMETERS ";";
/* Versions that differ in the title alone become one. */
const char SQL_COPY_STRIP_TEXT[] =
    "DELETE FROM post_text;"
    "DELETE FROM image;"
    "UPDATE OR REPLACE revision SET title = NULL, body_html = NULL;"
    "UPDATE post SET title = NULL, body_html = NULL;";
const char SQL_COPY_PACK[] = "VACUUM";
const char SQL_DATA_VERSION[] = "PRAGMA data_version";
const char SQL_FILE_KIND[] = "SELECT application_id, user_version, page_count "
                             "FROM pragma_application_id, pragma_user_version, pragma_page_count";
const char SQL_TABLE_COUNT[] = "SELECT count(*) FROM sqlite_schema";
const char SQL_HAS_POSTS[] = "SELECT EXISTS (SELECT 1 FROM post)";
const char SQL_SEARCH_DROP[] = "DROP TABLE IF EXISTS post_search";

/* See health.c. */
const char SQL_INTEGRITY[] = "PRAGMA integrity_check(20)";
const char SQL_REFERENCES[] =
    "SELECT coalesce('row ' || rowid, 'a row') || ' of ' || \"table\" || ' refers to a row of ' || parent"
    "  || ' that is not there' FROM pragma_foreign_key_check LIMIT 20";
const char SQL_HAS_SEARCH[] = "SELECT count(*) FROM sqlite_schema WHERE name = 'post_search'";
const char SQL_SEARCH_CHECK[] =
    "INSERT INTO post_search (post_search) VALUES ('integrity-check')";
const char SQL_LAST_MATCH[] =
    "SELECT parameters FROM run WHERE command = 'match' AND outcome = 'done'"
    " ORDER BY run_id DESC LIMIT 1";
const struct sql_derived sql_derived[DB_DERIVED] = {
    {"keyword", "SELECT * FROM keyword ORDER BY keyword_id"},
    {"post_text", "SELECT * FROM post_text ORDER BY post_id"},
    {"hit", "SELECT * FROM hit ORDER BY post_id, field, start, \"end\", keyword_id"},
    {"candidate_post", "SELECT * FROM candidate_post ORDER BY post_id"},
    {"post_fact", "SELECT * FROM post_fact ORDER BY post_id, fact, value"},
    {"judgement", "SELECT * FROM judgement ORDER BY post_id, coder"},
    {"label", "SELECT * FROM label ORDER BY subject, facet, coder, place"},
    {"problem", "SELECT * FROM problem ORDER BY problem_id"},
};

const char SQL_ATTACH[] = "ATTACH ?1 AS other";
const char SQL_DETACH[] = "DETACH other";
const char SQL_OTHER_KIND[] = "PRAGMA other.application_id";
const char SQL_OTHER_VERSION[] = "PRAGMA other.user_version";
/* A view or a virtual table would run what the file says; so would a computed column. */
const char SQL_OTHER_TABLES[] =
    "SELECT count(*) FROM other.sqlite_schema AS t WHERE type = 'table' AND rootpage > 0"
    " AND name IN ('study', 'code', 'code_alias', 'disambiguation', 'code_change', 'coder',"
    "  'decision', 'note', 'message', 'problem_date', 'assessment', 'screening', 'post',"
    "  'facet')"
    " AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name, 'other') WHERE hidden <> 0)";
const char SQL_OTHER_POSTS[] =
    "SELECT count(*) FROM other.post AS p WHERE typeof(p.post_id) = 'integer'"
    " AND NOT EXISTS (SELECT 1 FROM main.post AS q WHERE q.post_id = p.post_id)";
const char SQL_OTHER_FACETS[] =
    "SELECT EXISTS (SELECT facet, about, kind, most, list FROM main.facet"
    "               EXCEPT SELECT facet, about, kind, most, list FROM other.facet)"
    " OR EXISTS (SELECT facet, about, kind, most, list FROM other.facet"
    "            EXCEPT SELECT facet, about, kind, most, list FROM main.facet)";
const char SQL_DEFER_KEYS[] = "PRAGMA defer_foreign_keys = ON";

/* Of each group of decisions the newest: SQLite takes the other columns from the row that has the
 * maximum. A blank is smaller than all that a date is made of. */
#define NEWEST "max(decided_at || ' ' || decision_id)"
#define COUNTS "undoes IS NULL AND NOT EXISTS" \
               " (SELECT 1 FROM decision AS u WHERE u.undoes = d.decision_id)"

/* Whether a row of finding_state, t, counts. */
#define STATE_COUNTS "t.undoes IS NULL AND NOT EXISTS" \
                     " (SELECT 1 FROM finding_state AS u WHERE u.undoes = t.state_id)"
/* A scan (?1) and the one before it that could have seen the same. */
#define SCAN_BEFORE \
    "WITH this AS (SELECT * FROM scan WHERE scan_id = ?1)," \
    " before AS (SELECT c.scan_id FROM scan AS c JOIN this AS t" \
    "             ON c.project = t.project AND c.options = t.options" \
    "              AND (c.code_at, c.scan_id) < (t.code_at, t.scan_id)" \
    "            ORDER BY c.code_at DESC, c.scan_id DESC LIMIT 1)"

/* The time as it would be written; a modifier makes SQLite think of 30 February as of 2 March. */
#define REAL_TIME(column) "strftime('%Y-%m-%dT%H:%M:%fZ', " column ", '+0 days')"

/* Of the two values of a column the larger one; NULL loses. Whichever came first, it stays. */
#define LARGER(table, column) \
    "max(ifnull(" table "." column ", excluded." column "), ifnull(excluded." column ", " table "." \
    column "))"

/* Rows of screening by age, and then by all else, so that two that differ are never equal. */
#define SCREENING_ORDER(table) \
    "(" table ".read_at, " table ".answer, " table ".stratum, " table ".place, " table ".model, " \
    table ".n_learned, " table ".seed, ifnull(" table ".score, -9e999))"

/* What there is of a codebook; the columns are those of the tables, in their order. */
/* In the table of codes, those that are in the codebook; the others are values that coders wrote. */
#define VALUES_FROM "4503599627370496"
#define IN_CODEBOOK "code_id < " VALUES_FROM
#define CODES(schema) \
    "SELECT code_id, facet, category, name, short_name, definition, retired_in, merged_into" \
    " FROM " schema ".code NOT INDEXED WHERE " IN_CODEBOOK " ORDER BY code_id"
#define ALIASES(schema) \
    "SELECT code_id, alias FROM " schema ".code_alias ORDER BY code_id, alias"
#define RULES(schema) \
    "SELECT code_id, versus_id, rule FROM " schema ".disambiguation ORDER BY code_id, versus_id"
#define CHANGES(schema) \
    "SELECT codebook_version, changed_at, changed_by, action, facet, code, became, reason," \
    "  look_again FROM " schema ".code_change NOT INDEXED ORDER BY codebook_version"
/* The names of a facet (?1) that changes behind a version (?2) are about. */
#define MENTIONED(schema) \
    "SELECT ?3 IN (SELECT code FROM " schema ".code_change" \
    "               WHERE facet = ?1 AND codebook_version > ?2" \
    "              UNION ALL" \
    "              SELECT j.value FROM " schema ".code_change AS h, json_each(h.became) AS j" \
    "               WHERE h.facet = ?1 AND h.codebook_version > ?2)"

/* Decisions, with what their ids follow from. */
#define NAMED(schema) \
    "SELECT decision_id, decided_at, coder, subject, facet, value, undoes" \
    " FROM " schema ".decision NOT INDEXED"

/* Where a decision (?5) and the one that counts are of the same time: is its id the larger one? */
#define IS_LAST_OF_TIE(table) \
    "(excluded.decided_at = " table ".decided_at AND NOT EXISTS" \
    " (SELECT 1 FROM decision AS n JOIN decision AS d USING (subject, facet, coder, decided_at)" \
    "  WHERE n.decision_id = ?5 AND d.decision_id > ?5 AND d." COUNTS "))"

/* The code that a decision names, of a list; also by a name that the code had once. What was merged
 * into another code counts as that one. */
#define CODE_NAMED(list, name) \
    "coalesce((SELECT coalesce(c.merged_into, c.code_id) FROM code AS c" \
    "          WHERE c.facet = " list " AND c.name = " name ")," \
    "         (SELECT coalesce(c.merged_into, c.code_id) FROM code AS c" \
    "          JOIN code_alias AS a USING (code_id)" \
    "          WHERE c.facet = " list " AND a.alias = " name "))"
#define JUDGING "(SELECT facet FROM facet WHERE place = 1)"

/* Rows of judgement and label out of the decisions for which `condition` is true. */
#define JUDGEMENT_FILL(condition) \
    "INSERT INTO judgement (post_id, coder, is_problem, decided_at)" \
    " SELECT post_id, coder, value = 'true', decided_at FROM" \
    "  (SELECT *, " NEWEST " FROM decision AS d" \
    "   WHERE facet = " JUDGING " AND " COUNTS " AND " condition \
    "   GROUP BY post_id, coder)"
/* Codes that became one by a merge count once. A label without codes has a row, too. */
#define LABEL_FILL(condition) \
    "INSERT INTO label (subject, post_id, coder, facet, place, code_id, value, decided_at," \
    "  codebook_version, spelling)" \
    " SELECT subject, post_id, coder, facet, place, code_id, iif(has_codes, NULL, value), decided_at," \
    "  codebook_version, iif(place = 1, spelling, NULL) FROM" \
    "  (SELECT *, row_number() OVER (PARTITION BY subject, facet, coder" \
    "                                ORDER BY code_id IS NULL, at) AS place FROM" \
    "   (SELECT d.*, min(j.key) AS at, f.list IS NOT NULL AS has_codes," \
    "     " CODE_NAMED("f.list", "j.value") " AS code_id" \
    "    FROM (SELECT *, " NEWEST " FROM decision AS d" \
    "          WHERE facet <> " JUDGING " AND " COUNTS " AND " condition \
    "          GROUP BY subject, facet, coder) AS d JOIN facet AS f USING (facet)" \
    "    LEFT JOIN json_each(iif(f.list IS NOT NULL, d.value, '[]')) AS j" \
    "    GROUP BY subject, facet, coder, code_id))" \
    " WHERE code_id IS NOT NULL OR place = 1"

/* Rows of problem out of the labels for which `condition` is true; the newest one counts where
 * several merged coders have one. Whose codes were all taken back is none. */
#define PROBLEM_FILL(condition) \
    "INSERT INTO problem (problem_id, post_id, created_at, labels)" \
    " SELECT subject, max(post_id)," \
    "  (SELECT created_at FROM problem_date AS d WHERE d.problem_id = n.subject)," \
    "  json_group_object(facet, json(said)) FROM" \
    " (SELECT subject, post_id, facet, coalesce(value, '[' ||" \
    "   (SELECT group_concat(code_id) FROM (SELECT m.code_id FROM label AS m" \
    "     WHERE m.subject = l.subject AND m.facet = l.facet AND m.coder = l.coder" \
    "     ORDER BY m.place)) || ']') AS said" \
    "  FROM (SELECT subject, post_id, facet, coder, value, max(decided_at || ' ' || coder)" \
    "        FROM label WHERE coder IN (SELECT coder FROM coder WHERE is_merged) AND place = 1" \
    "         AND " condition " GROUP BY subject, facet) AS l" \
    "  JOIN facet AS f USING (facet) ORDER BY subject, f.place) AS n" \
    " WHERE said IS NOT NULL GROUP BY subject" \
    " ON CONFLICT (problem_id) DO UPDATE SET post_id = excluded.post_id," \
    "  labels = excluded.labels"

const char SQL_PROBLEMS_REBUILD[] = "DELETE FROM problem;" PROBLEM_FILL("1") ";";
/* The values that coders wrote, made again out of their decisions. */
#define VALUES_FILL \
    "DELETE FROM code WHERE NOT " IN_CODEBOOK ";" \
    "INSERT OR IGNORE INTO code (code_id, facet, name)" \
    " SELECT DISTINCT value_id(f.list, j.value), f.list, j.value" \
    " FROM facet AS f JOIN decision AS d USING (facet), json_each(d.value) AS j" \
    " WHERE f.place > 1 AND f.kind <> 'codes' AND d.undoes IS NULL AND j.type = 'text';"
const char SQL_LABELS_REBUILD[] =
    VALUES_FILL
    "DELETE FROM judgement;" JUDGEMENT_FILL("1") ";"
    "DELETE FROM label;" LABEL_FILL("1") ";"
    "DELETE FROM problem;" PROBLEM_FILL("1") ";";

const char SQL_FACETS[] =
    "SELECT facet, about, kind, most, list, required, title, plural, option, asks, benchmark,"
    " problem_place, agreement, (SELECT value FROM study WHERE key = 'range ' || facet) FROM facet ORDER BY place";
const char SQL_FACETS_CLEAR[] = "PRAGMA defer_foreign_keys = ON; DELETE FROM facet; DELETE FROM study WHERE key GLOB 'range *';";
const char SQL_FACET_RANGE_PUT[] = "INSERT INTO study (key, value) VALUES ('range ' || ?1, ?2)";
const char SQL_FACETS_DECIDED[] = "SELECT DISTINCT facet FROM decision";
const char SQL_FACET_PUT[] =
    "INSERT INTO facet (facet, about, kind, most, list, required, title, plural, option, asks,"
    " benchmark, problem_place, place, agreement)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";

/* Between Unix seconds and the dates of the file. */
#define ISO(seconds) "strftime('%Y-%m-%dT%H:%M:%fZ', " seconds ", 'unixepoch')"
/* A row that was seen at `as_of` and, as is known since, was gone at `seconds`; the first such time
 * is kept. */
#define GONE_AT(seconds, as_of) \
    "(deleted_at IS NULL OR deleted_at > " ISO(seconds) ") AND " as_of " <= " ISO(seconds)
#define POST_AS_OF \
    "coalesce((SELECT s.as_of FROM post_state AS s WHERE s.post_id = post.post_id)," \
    " (SELECT r.as_of FROM run AS r WHERE r.run_id = post.first_run_id), last_activity_at, '')"
#define SECONDS(date) "CAST(strftime('%s', " date ") AS INTEGER)"
/* Ids with their site, see study_id: 2^53 - 1 masks the id on the site; people may be negative. */
#define ID_MASK "9007199254740991"
#define NUMBER_OF(id) "(" id " & " ID_MASK ")"
#define PERSON_NUMBER(id) "iif(" id " < 0, -(-(" id ") & " ID_MASK "), " NUMBER_OF(id) ")"
#define BASE_URL(id) "(SELECT base_url FROM site WHERE site_id = " id " >> 53)"
#define SITE_LETTERS "'abcdefghijklmnopqrstuvwxyz0123456789'"
/* As people read and write them: "45", "ds:45"; and back, of a post's or problem's id. */
#define PUBLIC_ID(id) \
    "(iif(" id " >> 53 = 0, ''," \
    " substr(" SITE_LETTERS ", ((" id " >> 53) - 1) / 37 + 1, 1)" \
    " || iif(((" id " >> 53) - 1) % 37 = 0, ''," \
    "     substr(" SITE_LETTERS ", ((" id " >> 53) - 1) % 37, 1)) || ':') || " NUMBER_OF(id) ")"
#define POST_OF(id) \
    "(iif(instr(" id ", ':') = 0, 0," \
    "  (1 + (unicode(" id ") - 97) * 37" \
    "   + iif(instr(" id ", ':') = 2, 0, instr(" SITE_LETTERS ", substr(" id ", 2, 1)))) << 53)" \
    " | CAST(substr(" id ", instr(" id ", ':') + 1) AS INTEGER))"
#define URL_OF(type, id) \
    "coalesce((SELECT u.url FROM post_url AS u WHERE u.post_id = " id ")," \
    "  " BASE_URL(id) " || iif(" type " = 'answer', '/a/', '/questions/') || " NUMBER_OF(id) ")"
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
#define BY_PROBLEM(id) POST_OF(id) ", length(" id "), " id
#define IS_UNDONE "EXISTS (SELECT 1 FROM decision AS u WHERE u.undoes = d.decision_id)"

/* The tags of a post, or of an answer's question, with blanks between them: no tag holds one. */
#define POST_TAGS \
    "(SELECT group_concat(t.value, ' ') FROM json_each(coalesce(p.tags," \
    "  (SELECT q.tags FROM post AS q WHERE q.post_id = p.parent_id))) AS t)"
#define POST_URL(post_id) URL_OF("p.post_type", post_id)

/* Whole posts, as docs/posts.md has them, with ids as on their site; `site` and `url` are columns that
 * few databases need. */
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

/* Posts and problems about which a coder said something, ?1 (NULL: any coder). */
#define IS_SAID "(code_id IS NOT NULL OR value IS NOT NULL)"
#define CODED "SELECT post_id, coder FROM label WHERE place = 1 AND " IS_SAID
#define STANDING \
    "SELECT p.post_id, p.post_type = 'answer', p.parent_id, EXISTS" \
    " (SELECT 1 FROM candidate_post AS c WHERE c.post_id = p.post_id) FROM post AS p"
#define UNCODED_BY "NOT IN (SELECT post_id FROM judgement WHERE coder = ?1" \
                   " UNION ALL SELECT post_id FROM label WHERE coder = ?1 AND place = 1 AND " \
                   IS_SAID ")"

#define CODING_OF_SAID \
    " SELECT s.subject, s.post_id, s.coder, j.is_problem, j.decided_at," \
    "  " POST_URL("s.post_id") "," \
    "  coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id))" \
    " FROM said AS s LEFT JOIN post AS p ON p.post_id = s.post_id" \
    " LEFT JOIN judgement AS j ON j.post_id = s.post_id AND j.coder = s.coder"

/* POST_INSERT, _GET, _THREAD and _UPDATE name the columns in one order, that of posts.c. */
static const char *const sql_texts[SQL_KINDS] = {
    [SQL_SETTING_PUT] =
        "INSERT INTO study (key, value) VALUES (?1, ?2)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    [SQL_SETTING_GET] =
        "SELECT value FROM study WHERE key = ?1",
    [SQL_STUDY_FILE_PUT] =
        "INSERT INTO study_file (name, content, sha256, changed_at) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (name) DO UPDATE SET content = excluded.content, sha256 = excluded.sha256,"
        "  changed_at = excluded.changed_at WHERE sha256 <> excluded.sha256",
    [SQL_STUDY_FILE_REMOVE] = "DELETE FROM study_file WHERE name = ?1",
    [SQL_STUDY_CHANGE_PUT] =
        "INSERT INTO study_change (changed_at, changed_by, file, reason, before, after)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [SQL_STUDY_CHANGE_EACH] =
        "SELECT changed_at, changed_by, file, reason, before, after FROM study_change ORDER BY change_id",
    [SQL_STUDY_FILE_EACH] =
        "SELECT name, content FROM study_file ORDER BY name",
    [SQL_STUDY_FILE_GET] =
        "SELECT name, content FROM study_file WHERE name = ?1",

    [SQL_RUN_BEGIN] =
        "INSERT INTO run (command, tool_version, parameters, source, started_at)"
        " VALUES (?1, ?2, ?3, ?4, ?5)",
    [SQL_RUN_END] =
        "UPDATE run SET finished_at = ?2, outcome = ?3, counts = ?4 WHERE run_id = ?1",
    [SQL_RUN_AS_OF] =
        "UPDATE run SET as_of = ?2 WHERE run_id = ?1",

    [SQL_POST_INSERT] =
        "INSERT INTO post (post_id, post_type, parent_id, accepted_answer_id, title, tags, score,"
        "  view_count, answer_count, comment_count, favorite_count, created_at, deleted_at,"
        "  last_edited_at, last_activity_at, closed_at, community_owned_at, owner_user_id,"
        "  owner_display_name, last_editor_user_id, last_editor_display_name, content_license,"
        "  body_html, body_sha256, run_id, first_run_id)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
        "  ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?25)"
        " ON CONFLICT (post_id) DO NOTHING",
    [SQL_POST_GET] =
        "SELECT post_id, post_type, parent_id, accepted_answer_id, title, tags, score,"
        "  view_count, answer_count, comment_count, favorite_count, created_at, deleted_at,"
        "  last_edited_at, last_activity_at, closed_at, community_owned_at, owner_user_id,"
        "  owner_display_name, last_editor_user_id, last_editor_display_name, content_license,"
        "  body_html,"
        "  coalesce((SELECT as_of FROM post_state AS s WHERE s.post_id = post.post_id),"
        "           (SELECT as_of FROM run AS r WHERE r.run_id = post.first_run_id))"
        " FROM post WHERE post_id = ?1",
    [SQL_POST_THREAD] =
        "SELECT post_id, post_type, parent_id, accepted_answer_id, title, tags, score,"
        "  view_count, answer_count, comment_count, favorite_count, created_at, deleted_at,"
        "  last_edited_at, last_activity_at, closed_at, community_owned_at, owner_user_id,"
        "  owner_display_name, last_editor_user_id, last_editor_display_name, content_license,"
        "  body_html, " POST_URL("p.post_id")
        " FROM post AS p WHERE post_id = ?1 OR parent_id = ?1"
        " ORDER BY post_id <> ?1,"
        "  post_id <> ifnull((SELECT accepted_answer_id FROM post WHERE post_id = ?1), 0),"
        "  score DESC, post_id",
    [SQL_POST_UPDATE] =
        "UPDATE post SET post_type = ?2, parent_id = ?3, accepted_answer_id = ?4, title = ?5,"
        "  tags = ?6, score = ?7, view_count = ?8, answer_count = ?9, comment_count = ?10,"
        "  favorite_count = ?11, created_at = ?12, deleted_at = ?13, last_edited_at = ?14,"
        "  last_activity_at = ?15, closed_at = ?16, community_owned_at = ?17, owner_user_id = ?18,"
        "  owner_display_name = ?19, last_editor_user_id = ?20, last_editor_display_name = ?21,"
        "  content_license = ?22, body_html = ?23, body_sha256 = ?24, run_id = ?25"
        " WHERE post_id = ?1",
    [SQL_POST_URL_PUT] =
        "INSERT INTO post_url (post_id, url) VALUES (?1, ?2)"
        " ON CONFLICT (post_id) DO UPDATE SET url = excluded.url WHERE url <> excluded.url",
    [SQL_POST_STATE_PUT] =
        "INSERT INTO post_state (post_id, as_of) VALUES (?1, ?2)"
        " ON CONFLICT (post_id) DO UPDATE SET as_of = excluded.as_of",
    [SQL_POST_VALUE_PUT] =
        "INSERT INTO post_value (post_id, name, as_of) VALUES (?1, ?2, ?3)",
    [SQL_POST_VALUE_CLEAR] =
        "DELETE FROM post_value WHERE post_id = ?1",
    [SQL_POST_VALUE_EACH] =
        "SELECT name, as_of FROM post_value WHERE post_id = ?1",
    [SQL_POST_EACH_ID] =
        "SELECT post_id, post_type FROM post ORDER BY post_id",
    [SQL_POST_EACH_TEXT] =
        "SELECT post_id, post_type, title, body_html FROM post ORDER BY post_id",
    [SQL_POST_TEXT] =
        "SELECT post_id, post_type, title, body_html FROM post WHERE post_id = ?1",
    [SQL_POST_COUNT] =
        "SELECT count(*) FILTER (WHERE post_type = 'question'),"
        "  count(*) FILTER (WHERE post_type = 'answer'), count(*) FROM post",

    [SQL_REVISION_PUT] =
        "INSERT INTO revision (post_id, title, tags, edited_at, content_license, run_id, seen_at,"
        "  body_sha256, body_html) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        " ON CONFLICT (post_id, ifnull(body_sha256, ''), ifnull(title, ''), ifnull(tags, ''))"
        " DO UPDATE SET edited_at = excluded.edited_at, content_license = excluded.content_license"
        " WHERE excluded.edited_at > ifnull(edited_at, '')",
    [SQL_REVISION_DELETE] =
        "DELETE FROM revision WHERE post_id = ?1 AND ifnull(body_sha256, '') = ifnull(?2, '')"
        " AND ifnull(title, '') = ifnull(?3, '') AND ifnull(tags, '') = ifnull(?4, '')",

    [SQL_KEYWORD_PUT] =
        "INSERT INTO keyword (keyword_id, keyword, stems, n_words, dead, note)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        " ON CONFLICT (keyword_id) DO UPDATE SET keyword = excluded.keyword,"
        "  stems = excluded.stems, n_words = excluded.n_words, dead = excluded.dead,"
        "  note = excluded.note",
    [SQL_TEXT_PUT] =
        "INSERT INTO post_text (post_id, title, body) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (post_id) DO UPDATE SET title = excluded.title, body = excluded.body",
    [SQL_HIT_PUT] =
        "INSERT INTO hit (post_id, field, \"start\", \"end\", keyword_id)"
        " VALUES (?1, ?2, ?3, ?4, ?5)"
        " ON CONFLICT (post_id, field, \"start\", keyword_id) DO UPDATE"
        "  SET \"end\" = excluded.\"end\"",
    [SQL_FACT_PUT] =
        "INSERT INTO post_fact (post_id, fact, value, words, field) VALUES (?1, ?2, ?3, ?4, ?5)"
        " ON CONFLICT (post_id, fact, value) DO NOTHING",
    [SQL_CLEAR_FACT] = "DELETE FROM post_fact",
    [SQL_CLEAR_HIT] = "DELETE FROM hit",
    [SQL_CLEAR_CANDIDATE] = "DELETE FROM candidate_post",
    [SQL_CLEAR_TEXT] = "DELETE FROM post_text",
    [SQL_CLEAR_KEYWORD] = "DELETE FROM keyword",
    [SQL_CANDIDATE_FILL] =
        "INSERT INTO candidate_post (post_id, n_hits, keywords)"
        " SELECT h.post_id, count(*),"
        "  (SELECT group_concat(keyword, ', ') FROM"
        "    (SELECT DISTINCT k.keyword_id, k.keyword FROM hit AS o JOIN keyword AS k"
        "     USING (keyword_id) WHERE o.post_id = h.post_id ORDER BY k.keyword_id))"
        " FROM hit AS h JOIN post AS p USING (post_id)"
        " WHERE p.post_type = 'question' OR (?1 AND p.post_type = 'answer')"
        " GROUP BY h.post_id",
    [SQL_SEARCH_EXISTS] =
        "SELECT sql LIKE '%tokenize = ''ascii''%' FROM sqlite_schema WHERE name = 'post_search'",

    [SQL_CANDIDATE_EACH] =
        "SELECT post_id, title, url, created_at, n_hits, keywords FROM candidate"
        " ORDER BY n_hits DESC, post_id LIMIT ?1",
    [SQL_CANDIDATE_EACH_KEYWORD] =
        "SELECT DISTINCT c.post_id, h.keyword_id FROM candidate_post AS c JOIN hit AS h"
        " USING (post_id) ORDER BY c.post_id, h.keyword_id",
    [SQL_MATCHED_TEXT] = "SELECT title, body FROM post_text WHERE post_id = ?1",
    /* A run that is not about labels may have brought posts. */
    [SQL_MATCH_IS_CURRENT] =
        "SELECT json_extract(r.parameters, '$.include_code') = ?1"
        "  AND coalesce(json_extract(r.parameters, '$.stemmer'), ?2) = ?2"
        "  AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'post_search'"
        "   AND sql LIKE '%tokenize = ''ascii''%')"
        "  AND NOT EXISTS (SELECT 1 FROM run AS o WHERE o.run_id > r.run_id"
        "   AND o.command NOT LIKE 'label %')"
        " FROM run AS r WHERE r.command = 'match' AND r.outcome = 'done'"
        " ORDER BY r.run_id DESC LIMIT 1",
    [SQL_VERDICT_EACH] =
        "SELECT post_id, coalesce(max(is_problem) FILTER (WHERE is_merged), max(is_problem))"
        " FROM judgement JOIN coder USING (coder) GROUP BY post_id ORDER BY post_id",
    [SQL_HIT_EACH] =
        "SELECT h.field, k.keyword, iif(h.field = 'title', t.title, t.body), h.\"start\","
        "  h.\"end\" FROM hit AS h JOIN keyword AS k USING (keyword_id)"
        " JOIN post_text AS t USING (post_id)"
        " WHERE h.post_id = ?1 ORDER BY h.field DESC, h.\"start\", k.keyword_id",
    [SQL_CANDIDATE_COUNT] =
        "SELECT count(*) FROM candidate_post",
    [SQL_UNMATCHED_COUNT] =
        "SELECT count(*) FROM post WHERE post_type = 'question'"
        " AND post_id NOT IN (SELECT post_id FROM post_text)",
    [SQL_CANDIDATE_EACH_TEXT] =
        "SELECT p.post_id, p.post_type, p.title, p.body_html"
        " FROM candidate_post AS c JOIN post AS p USING (post_id) ORDER BY c.post_id",
    [SQL_KEYWORD_EACH] =
        "SELECT k.keyword_id, k.keyword, k.stems, k.n_words, k.dead, k.note,"
        "  count(DISTINCT c.post_id), count(DISTINCT h.post_id), count(h.post_id)"
        " FROM keyword AS k LEFT JOIN hit AS h USING (keyword_id)"
        " LEFT JOIN candidate_post AS c ON c.post_id = h.post_id"
        " GROUP BY k.keyword_id ORDER BY k.keyword_id",

    [SQL_CODE_PUT] =
        "INSERT INTO code (code_id, facet, category, name, short_name, definition) VALUES ("
        "  1 + coalesce((SELECT max(code_id) FROM code WHERE " IN_CODEBOOK "), 0), ?1, ?2, ?3, ?4, ?5)"
        " ON CONFLICT (facet, name) DO UPDATE SET category = excluded.category,"
        "  short_name = excluded.short_name, definition = excluded.definition"
        " RETURNING code_id",
    /* The name that the id has then, which is another one only where two values have one id. */
    [SQL_VALUE_PUT] =
        "INSERT INTO code (code_id, facet, name) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    [SQL_VALUE_GET] = "SELECT name = ?3 AND facet = ?2 FROM code WHERE code_id = ?1",
    [SQL_CODE_RENAME] =
        "UPDATE code SET name = ?2 WHERE code_id = ?1",
    [SQL_CODE_RETIRE] =
        "UPDATE code SET retired_in = coalesce(retired_in, ?2), merged_into = ?3"
        " WHERE code_id = ?1 OR (?3 IS NOT NULL AND merged_into = ?1)",
    [SQL_CODE_CHANGE_PUT] =
        "INSERT INTO code_change (codebook_version, changed_at, changed_by, action, facet, code,"
        "  became, reason, look_again) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [SQL_CODE_CHANGE_EACH] =
        "SELECT codebook_version, changed_at, changed_by, action, facet, code, became, reason"
        " FROM code_change ORDER BY codebook_version",
    [SQL_CODE_ALIAS_EACH] =
        "SELECT code_id, alias FROM code_alias ORDER BY code_id, alias",
    [SQL_DISAMBIGUATION_EACH] =
        "SELECT code_id, versus_id, rule FROM disambiguation ORDER BY code_id, versus_id",
    [SQL_REVIEW_EACH] =
        "SELECT problem_id, facet, coder, code, codebook_version, action, changed_at, changed_by,"
        "  reason FROM label_review WHERE ?1 IS NULL OR coder = ?1"
        " ORDER BY " BY_PROBLEM("problem_id") ", facet, coder,"
        "  codebook_version",
    [SQL_CODE_ALIAS_PUT] =
        "INSERT INTO code_alias (code_id, alias) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    [SQL_DISAMBIGUATION_PUT] =
        "INSERT INTO disambiguation (code_id, versus_id, rule) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (code_id, versus_id) DO UPDATE SET rule = excluded.rule",
    [SQL_CODE_EACH] =
        "SELECT code_id, facet, category, name, short_name, definition, retired_in, merged_into"
        " FROM code ORDER BY code_id",

    [SQL_CODER_PUT] =
        "INSERT INTO coder (coder, is_merged) VALUES (?1, ?2)"
        " ON CONFLICT (coder) DO UPDATE SET is_merged = excluded.is_merged",
    [SQL_CODER_EACH] =
        "SELECT coder, is_merged FROM coder ORDER BY coder",
    [SQL_DECISION_PUT] =
        "INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value,"
        "  codebook_version, spelling, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
        " ON CONFLICT (decision_id) DO NOTHING",
    [SQL_DECISION_UNDONE] =
        "SELECT 1 FROM decision WHERE undoes = ?1",
    /* The newest that counts, and all of the same time about the same post: they were one act. */
    [SQL_DECISION_LAST] =
        "SELECT iif(?2 IS NULL AND decided_at IN"
        "  (SELECT json_extract(counts, '$.decided_at') FROM run"
        "   WHERE command = 'label import' AND json_extract(parameters, '$.coder') = ?1),"
        "  NULL, post_id) AS post, decided_at FROM decision AS d"
        " WHERE coder = ?1 AND (?2 IS NULL OR post_id = ?2) AND " COUNTS
        " GROUP BY post, decided_at ORDER BY decided_at DESC, max(decision_id) DESC"
        " LIMIT 1 OFFSET ?3",
    [SQL_DECISION_AFTER] =
        "SELECT max(?2, ifnull(strftime('%Y-%m-%dT%H:%M:%fZ', max(decided_at), '+0.001 seconds'),"
        "  '')) FROM decision WHERE coder = ?1",
    [SQL_DECISION_ACT] =
        "SELECT decision_id, subject, facet, value, post_id FROM decision AS d"
        " WHERE coder = ?1 AND (?2 IS NULL OR post_id = ?2) AND decided_at = ?3 AND " COUNTS
        " ORDER BY subject, facet",
    [SQL_DECISION_UNDO] =
        "INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value,"
        "  codebook_version, undoes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [SQL_DECISION_EACH] =
        "SELECT decided_at, coder, subject, facet, value, codebook_version, reason,"
        "  EXISTS (SELECT 1 FROM decision AS u WHERE u.undoes = d.decision_id)"
        " FROM decision AS d WHERE (?1 IS NULL OR coder = ?1) AND (?2 IS NULL OR post_id = ?2)"
        " ORDER BY decided_at, decision_id",
    [SQL_JUDGEMENT_CLEAR] = "DELETE FROM judgement WHERE post_id = ?1 AND coder = ?2",
    [SQL_JUDGEMENT_REFILL] = JUDGEMENT_FILL("subject = ?3 AND post_id = ?1 AND coder = ?2"),
    [SQL_LABEL_CLEAR] = "DELETE FROM label WHERE subject = ?1 AND facet = ?2 AND coder = ?3",
    [SQL_LABEL_REFILL] = LABEL_FILL("subject = ?1 AND facet = ?2 AND coder = ?3"),
    [SQL_PROBLEM_CLEAR] = "DELETE FROM problem WHERE problem_id = ?1",
    [SQL_NOTE_PUT] =
        "INSERT INTO note (note_id, written_at, coder, subject, post_id, text)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (note_id) DO NOTHING",
    [SQL_NOTE_EACH] =
        "SELECT written_at, coder, subject, text FROM note WHERE (?1 IS NULL OR coder = ?1)"
        " AND (?2 IS NULL OR post_id = ?2) ORDER BY written_at, note_id",
    [SQL_MESSAGE_PUT] =
        "INSERT INTO message (message_id, written_at, coder, subject, post_id, text)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (message_id) DO NOTHING",
    [SQL_MESSAGE_EACH] =
        "SELECT written_at, coder, subject, text FROM message WHERE (?1 IS NULL OR coder = ?1)"
        " AND (?2 IS NULL OR post_id = ?2) ORDER BY written_at, message_id",
    [SQL_CANDIDATE_IDS] =
        "SELECT post_id FROM candidate_post WHERE post_id > ?1 ORDER BY post_id",
    [SQL_JUDGED_IDS] =
        "SELECT post_id FROM judgement WHERE coder = ?1 AND post_id > ?2 ORDER BY post_id",
    [SQL_JUDGED] =
        "SELECT is_problem FROM judgement WHERE coder = ?1 AND post_id = ?2",
    /* A post that is judged to be a problem, and lacks a required label of the coder. */
    [SQL_UNFINISHED_NEXT] =
        "SELECT post_id FROM judgement AS j WHERE coder = ?1 AND post_id > ?2 AND is_problem"
        " AND (SELECT count(*) FROM label AS l JOIN facet AS f USING (facet)"
        "       WHERE l.subject >= " PUBLIC_ID("j.post_id")
        "       AND l.subject < " PUBLIC_ID("j.post_id") " || '`' AND l.post_id = j.post_id"
        "       AND l.coder = ?1 AND l.place = 1 AND f.required)"
        "  < (SELECT count(*) FROM facet WHERE place > 1 AND required)"
        "    * max(1, (SELECT count(DISTINCT l.subject) FROM label AS l"
        "       WHERE l.subject >= " PUBLIC_ID("j.post_id")
        "         AND l.subject < " PUBLIC_ID("j.post_id") " || '`' AND l.post_id = j.post_id"
        "         AND l.coder = ?1))"
        " ORDER BY post_id LIMIT 1",
    [SQL_CODER_PROGRESS] =
        "SELECT iif(?2, (SELECT count(*) FROM candidate_post), 0),"
        "  (SELECT count(*) FROM judgement WHERE coder = ?1)",
    [SQL_JUDGEMENT_PUT] =
        "INSERT INTO judgement (post_id, coder, is_problem, decided_at)"
        " VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (post_id, coder) DO UPDATE SET is_problem = excluded.is_problem,"
        "  decided_at = excluded.decided_at"
        " WHERE excluded.decided_at > judgement.decided_at OR " IS_LAST_OF_TIE("judgement"),
    /* When a decision of ?3 is made: later than the one that it replaces, whatever clocks say. */
    [SQL_JUDGEMENT_NOW] =
        "SELECT max(?3, strftime('%Y-%m-%dT%H:%M:%fZ', decided_at, '+0.001 seconds')), is_problem"
        " FROM judgement WHERE post_id = ?1 AND coder = ?2",
    [SQL_LABEL_PUT] =
        "INSERT INTO label (subject, post_id, coder, facet, place, code_id, decided_at,"
        "  codebook_version, spelling) VALUES (?1, ?2, ?3, ?4, 1, ?6, ?7, ?8, ?9)"
        " ON CONFLICT (subject, facet, coder, place) DO UPDATE SET post_id = excluded.post_id,"
        "  code_id = excluded.code_id, decided_at = excluded.decided_at,"
        "  codebook_version = excluded.codebook_version, spelling = excluded.spelling"
        " WHERE excluded.decided_at > label.decided_at OR " IS_LAST_OF_TIE("label"),
    /* Further codes of a facet that may have several. */
    [SQL_LABEL_REST_CLEAR] =
        "DELETE FROM label WHERE subject = ?1 AND facet = ?2 AND coder = ?3 AND place > 1",
    [SQL_LABEL_REST_PUT] =
        "INSERT INTO label (subject, post_id, coder, facet, place, code_id, decided_at,"
        "  codebook_version) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [SQL_LABEL_NOW] =
        "SELECT max(?4, strftime('%Y-%m-%dT%H:%M:%fZ', decided_at, '+0.001 seconds')), code_id,"
        "  codebook_version"
        " FROM label WHERE subject = ?1 AND facet = ?2 AND coder = ?3 ORDER BY place",
    [SQL_REASON_NOW] =
        "SELECT reason FROM decision AS d WHERE subject = ?1 AND facet = ?2 AND coder = ?3 AND " COUNTS
        " ORDER BY decided_at DESC, decision_id DESC LIMIT 1",
    [SQL_PROBLEM_PUT] = PROBLEM_FILL("subject = ?1"),

    [SQL_IDENTIFICATION_EACH] =
        "SELECT post_id, coder, is_problem FROM judgement ORDER BY post_id, coder",
    [SQL_LABEL_EACH] =
        "SELECT subject, post_id, coder, facet, place, code_id, spelling, " IS_WITHDRAWN
        " FROM label AS l WHERE facet = ?1 ORDER BY post_id, length(subject), subject, coder, place",
    /* In the order of the primary key, so that nothing is sorted: a million rows are read here. */
    [SQL_LABEL_WALK] =
        "SELECT subject, post_id, coder, facet, place, code_id, spelling, " IS_WITHDRAWN
        " FROM label AS l ORDER BY subject, facet, coder, place",
    [SQL_PROBLEM_EACH] =
        "SELECT l.problem_id, l.post_id, coalesce(l.created_at, p.created_at), p.tags, l.labels,"
        "  (SELECT name FROM site WHERE site_id = l.post_id >> 53)"
        " FROM problem AS l LEFT JOIN post AS p ON p.post_id = l.post_id"
        " ORDER BY l.post_id, length(l.problem_id), l.problem_id",
    [SQL_PROBLEM_DATE_PUT] =
        "INSERT INTO problem_date (problem_id, created_at) VALUES (?1, ?2)"
        " ON CONFLICT (problem_id) DO UPDATE SET created_at = excluded.created_at",
    [SQL_PROBLEM_DATE_COPY] =
        "UPDATE problem SET created_at = ?2 WHERE problem_id = ?1",
    [SQL_CODER_GET] =
        "SELECT is_merged FROM coder WHERE coder = ?1",
    [SQL_CODING_EACH] =
        "WITH said (subject, post_id, coder) AS ("
        "  SELECT subject, post_id, coder FROM label"
        "   WHERE place = 1 AND " IS_SAID " AND (?1 IS NULL OR coder = ?1)"
        "  UNION SELECT " PUBLIC_ID("post_id") ", post_id, coder FROM judgement"
        "   WHERE (?1 IS NULL OR coder = ?1) AND (post_id, coder) NOT IN (" CODED ")"
        "  UNION SELECT " PUBLIC_ID("post_id") ", post_id, ?1 FROM candidate_post"
        "   WHERE ?2 AND ?3 IS NULL AND post_id " UNCODED_BY
        "  UNION SELECT " PUBLIC_ID("value") ", value, ?1 FROM json_each(?3)"
        "   WHERE ?2 AND value " UNCODED_BY
        "  UNION SELECT subject, post_id, coder FROM note WHERE ?4 AND coder = ?1),"
        " listed (post_id, place) AS MATERIALIZED"
        " (SELECT value, min(key) FROM json_each(?3) GROUP BY value)"
        CODING_OF_SAID
        " LEFT JOIN listed AS o ON o.post_id = s.post_id"
        " WHERE ?3 IS NULL OR o.post_id IS NOT NULL"
        " ORDER BY o.place, s.post_id, length(s.subject), s.subject, s.coder",
    /* The same of coder ?1 and post ?2, without a walk over all labels. */
    [SQL_CODING_OF_POST] =
        "WITH coded (subject, post_id, coder) AS ("
        "  SELECT subject, post_id, coder FROM label WHERE subject = " PUBLIC_ID("?2")
        "   AND coder = ?1 AND place = 1 AND " IS_SAID
        "  UNION SELECT subject, post_id, coder FROM label"
        "   WHERE subject > " PUBLIC_ID("?2") " || '_' AND subject < " PUBLIC_ID("?2") " || '`'"
        "   AND coder = ?1 AND place = 1 AND " IS_SAID "),"
        " said (subject, post_id, coder) AS (SELECT * FROM coded"
        "  UNION SELECT " PUBLIC_ID("post_id") ", post_id, coder FROM judgement"
        "   WHERE post_id = ?2 AND coder = ?1 AND NOT EXISTS (SELECT 1 FROM coded))"
        CODING_OF_SAID
        " ORDER BY length(s.subject), s.subject",
    /* The codes of a coder about a subject. */
    [SQL_CODES_OF] =
        "SELECT facet, code_id, decided_at FROM label"
        " WHERE subject = ?1 AND coder = ?2 AND code_id IS NOT NULL ORDER BY facet, place",
    [SQL_POSTS_ABSENT] =
        "SELECT count(DISTINCT j.value) FROM json_each(?1) AS j"
        " LEFT JOIN post AS p ON p.post_id = j.value WHERE p.post_id IS NULL",
    [SQL_STANDING_EACH] =
        STANDING " WHERE p.post_id IN (SELECT value FROM json_each(?1)) ORDER BY p.post_id",
    [SQL_STANDING_EACH_CODED] =
        STANDING " WHERE p.post_id IN (SELECT post_id FROM judgement"
        "  UNION SELECT post_id FROM label WHERE place = 1 AND " IS_SAID ") ORDER BY p.post_id",
    [SQL_POPULATION_CANDIDATES] =
        "SELECT " PUBLIC_ID("p.post_id") ", p.post_id, p.created_at, " POST_TAGS ","
        "  " POST_URL("p.post_id")
        " FROM candidate_post JOIN post AS p USING (post_id) ORDER BY p.post_id",
    [SQL_POPULATION_QUESTIONS] =
        "SELECT " PUBLIC_ID("p.post_id") ", p.post_id, p.created_at, " POST_TAGS ","
        "  " POST_URL("p.post_id")
        " FROM post AS p WHERE p.post_type = 'question' ORDER BY p.post_id",
    [SQL_POPULATION_PROBLEMS] =
        "SELECT l.problem_id, l.post_id, coalesce(l.created_at, p.created_at), " POST_TAGS ","
        "  " POST_URL("l.post_id")
        " FROM problem AS l LEFT JOIN post AS p ON p.post_id = l.post_id"
        " ORDER BY l.post_id, length(l.problem_id), l.problem_id",
    [SQL_POPULATION_OUTSIDE] =
        "SELECT " PUBLIC_ID("p.post_id") ", p.post_id, p.created_at, " POST_TAGS ","
        "  " POST_URL("p.post_id")
        " FROM post AS p WHERE p.post_type = 'question'"
        "  AND p.post_id NOT IN (SELECT post_id FROM candidate_post)"
        "  AND NOT EXISTS (SELECT 1 FROM post AS a JOIN candidate_post AS c ON c.post_id = a.post_id"
        "   WHERE a.parent_id = p.post_id)"
        " ORDER BY p.post_id",
    [SQL_ASSESSMENT_PUT] =
        "INSERT INTO assessment (problem_id, approach, status, library) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (problem_id, approach) DO UPDATE SET status = excluded.status,"
        "  library = excluded.library",
    [SQL_ASSESSMENT_EACH] =
        "SELECT problem_id, approach, status, library FROM assessment"
        " ORDER BY " BY_PROBLEM("problem_id") ", approach",

    [SQL_API_ANSWER_PUT] =
        "INSERT INTO api_answer (run_id, answered_at, method, request, n_items, quota_remaining,"
        "  safe_filter, body_zstd)"
        " VALUES (?1, " ISO("?2") ", ?3, ?4, ?5, ?6, ?7, ?8)",
    [SQL_API_ANSWER_EACH] =
        "SELECT " SECONDS("answered_at") ", method, request, n_items, quota_remaining, safe_filter,"
        "  body_zstd FROM api_answer ORDER BY answer_id",
    [SQL_API_ANSWER_COUNT] =
        "SELECT count(*) FROM api_answer",
    [SQL_WINDOW_PUT] =
        "UPDATE api_window SET tag = ?2, created_from = " ISO("?3") ", created_to = " ISO("?4") ","
        "  active_until = " ISO("?5") ", tie_from = " ISO("?6") ", tie_to = " ISO("?7") ","
        "  page = ?8, caught_up_at = " ISO("?9") " WHERE window_id = ?1",
    [SQL_WINDOW_NEW] =
        "INSERT INTO api_window (tag, created_from, created_to, active_until, tie_from, tie_to,"
        "  page, caught_up_at) VALUES (?2, " ISO("?3") ", " ISO("?4") ", " ISO("?5") ","
        "  " ISO("?6") ", " ISO("?7") ", ?8, " ISO("?9") ")",
    [SQL_WINDOW_DELETE] =
        "DELETE FROM api_window WHERE window_id = ?1",
    [SQL_WINDOW_EACH] =
        "SELECT window_id, tag, " SECONDS("created_from") ", " SECONDS("created_to") ","
        "  " SECONDS("active_until") ", " SECONDS("tie_from") ", " SECONDS("tie_to") ", page,"
        "  " SECONDS("caught_up_at") " FROM api_window ORDER BY tag, created_from",
    [SQL_LIST_GET] =
        "SELECT position FROM api_list WHERE name = ?1",
    [SQL_LIST_PUT] =
        "INSERT INTO api_list (name, position, started_at) VALUES (?1, ?2, " ISO("?3") ")"
        " ON CONFLICT (name) DO UPDATE SET position = excluded.position",
    [SQL_LIST_DELETE] =
        "DELETE FROM api_list WHERE name = ?1",
    [SQL_QUESTION_IDS] =
        "SELECT post_id FROM post WHERE post_id > ?1 AND post_type = 'question'"
        " AND post_id <= " ID_MASK " ORDER BY post_id LIMIT ?2",
    [SQL_DUE_PUT] =
        "INSERT INTO api_due (method, post_id, expected, since, page) VALUES (?1, ?2, ?3, ?4, ?5)"
        " ON CONFLICT (method, post_id) DO UPDATE SET expected = excluded.expected,"
        "  since = excluded.since, page = excluded.page",
    [SQL_DUE_DELETE] =
        "DELETE FROM api_due WHERE method = ?1 AND post_id = ?2",
    [SQL_DUE_EACH] =
        "SELECT post_id, expected, since, page FROM api_due WHERE method = ?1"
        " ORDER BY since DESC, page DESC, post_id LIMIT ?2",
    [SQL_API_STATE_PUT] =
        "INSERT INTO api_state (key, value) VALUES (?1, ?2)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value",
    [SQL_API_STATE_EACH] =
        "SELECT key, value FROM api_state ORDER BY key",
    [SQL_RUN_KILLED] =
        "SELECT finished_at IS NULL FROM run WHERE command = ?1 ORDER BY run_id DESC LIMIT 1",
    [SQL_COMMENT_EACH] =
        "SELECT c.created_at, coalesce(c.user_display_name,"
        "  (SELECT a.display_name FROM author AS a WHERE a.user_id = c.user_id)), c.score,"
        "  c.body_html FROM comment AS c WHERE c.post_id = ?1 AND c.deleted_at IS NULL"
        " ORDER BY c.created_at, c.comment_id",
    [SQL_COMMENT_PUT] =
        "INSERT INTO comment (comment_id, post_id, user_id, user_display_name, reply_to_user_id,"
        "  score, edited, created_at, content_license, run_id, body_html, as_of, deleted_at)"
        " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, " ISO("?13") ","
        "  ifnull(?12, (SELECT min(listed_at) FROM api_listing WHERE post_id = ?2 AND what = 'comments'"
        "   AND listed_at > ifnull(" ISO("?13") ", '')"
        "   AND created_from <= ifnull(?8, '') AND created_to > ifnull(?8, '')))"
        " WHERE true"
        " ON CONFLICT (comment_id) DO UPDATE SET post_id = excluded.post_id,"
        "  user_id = excluded.user_id, user_display_name = excluded.user_display_name,"
        "  reply_to_user_id = excluded.reply_to_user_id, score = excluded.score,"
        "  edited = excluded.edited, created_at = excluded.created_at,"
        "  deleted_at = excluded.deleted_at, content_license = excluded.content_license,"
        "  run_id = excluded.run_id, body_html = excluded.body_html, as_of = excluded.as_of"
        " WHERE ifnull(as_of, '') <= ifnull(excluded.as_of, '')"
        "  AND (post_id, user_id, user_display_name, reply_to_user_id, score, edited, created_at,"
        "  deleted_at, content_license, body_html) IS NOT (excluded.post_id, excluded.user_id,"
        "  excluded.user_display_name, excluded.reply_to_user_id, excluded.score,"
        "  excluded.edited, excluded.created_at, excluded.deleted_at, excluded.content_license,"
        "  excluded.body_html)",
    [SQL_COMMENT_SEEN] =
        "UPDATE comment SET as_of = " ISO("?2")
        " WHERE comment_id = ?1 AND ifnull(as_of, '') < " ISO("?2"),
    [SQL_AUTHOR_PUT] =
        "INSERT INTO author (user_id, display_name, link, as_of) VALUES (?1, ?2, ?3, " ISO("?4") ")"
        " ON CONFLICT (user_id) DO UPDATE SET"
        "  display_name = iif(ifnull(excluded.as_of, '') >= ifnull(as_of, ''),"
        "   ifnull(excluded.display_name, display_name), ifnull(display_name, excluded.display_name)),"
        "  link = iif(ifnull(excluded.as_of, '') >= ifnull(as_of, ''),"
        "   ifnull(excluded.link, link), ifnull(link, excluded.link)),"
        "  as_of = nullif(max(ifnull(excluded.as_of, ''), ifnull(as_of, '')), '')"
        " WHERE excluded.as_of > ifnull(as_of, '') OR display_name IS NULL OR link IS NULL"
        "  OR (excluded.as_of IS as_of AND (display_name, link) IS NOT"
        "      (ifnull(excluded.display_name, display_name), ifnull(excluded.link, link)))",
    [SQL_ANSWERS_HELD] =
        "SELECT 1 FROM post WHERE parent_id = ?1 AND post_type = 'answer' LIMIT 1",
    [SQL_COMMENTS_HELD] =
        "SELECT 1 FROM comment WHERE post_id = ?1 LIMIT 1",
    [SQL_ANSWERS_PRESENT] =
        "UPDATE post SET deleted_at = " ISO("?3") ", run_id = ?6"
        " WHERE parent_id = ?1 AND post_type = 'answer' AND " GONE_AT("?3", POST_AS_OF)
        "  AND post_id NOT IN (SELECT value FROM json_each(?2))"
        "  AND ifnull(created_at, '') >= " ISO("?4") " AND ifnull(created_at, '') < " ISO("?5"),
    [SQL_COMMENTS_PRESENT] =
        "UPDATE comment SET deleted_at = " ISO("?3") ", run_id = ?6"
        " WHERE post_id = ?1 AND " GONE_AT("?3", "ifnull(as_of, '')")
        "  AND comment_id NOT IN (SELECT value FROM json_each(?2))"
        "  AND ifnull(created_at, '') >= " ISO("?4") " AND ifnull(created_at, '') < " ISO("?5"),
    [SQL_POST_GONE] =
        "UPDATE post SET deleted_at = " ISO("?2") ", run_id = ?3"
        " WHERE (post_id = ?1 OR (parent_id = ?1 AND post_type = 'answer'))"
        "  AND " GONE_AT("?2", POST_AS_OF),
    [SQL_LISTING_PUT] =
        "INSERT INTO api_listing (post_id, what, listed_at, created_from, created_to)"
        " VALUES (?1, ?2, " ISO("?3") ", " ISO("?4") ", " ISO("?5") ")"
        " ON CONFLICT DO UPDATE SET created_to = max(created_to, excluded.created_to)",
    [SQL_LISTING_ANY] =
        "SELECT 1 FROM api_listing LIMIT 1",
    /* When a post (?1), an answer to ?2, created at ?3 and last seen at ?4, was found to be gone. */
    [SQL_LISTING_GONE] =
        "SELECT min(listed_at) FROM"
        " (SELECT min(listed_at) AS listed_at FROM api_listing"
        "  WHERE post_id IN (?1, ?2) AND what = 'post' AND listed_at > ?4"
        "  UNION ALL"
        "  SELECT min(listed_at) FROM api_listing WHERE post_id = ?2 AND what = 'answers'"
        "   AND listed_at > ?4 AND created_from <= ifnull(?3, '') AND created_to > ifnull(?3, ''))",
    [SQL_YEAR_EACH] =
        "SELECT ifnull(substr(created_at, 1, 4), '') AS year,"
        "  count(*) FILTER (WHERE post_type = 'question'),"
        "  count(*) FILTER (WHERE post_type = 'answer')"
        " FROM post WHERE deleted_at IS NULL GROUP BY year ORDER BY year",
    /* The posts of threads that a coder may be shown, if there may be an image in them. */
    [SQL_IMAGE_POST_EACH] =
        "WITH coded (post_id) AS (SELECT post_id FROM candidate_post UNION SELECT post_id FROM judgement),"
        " thread (thread_id) AS (SELECT DISTINCT ifnull(q.parent_id, q.post_id)"
        "                        FROM coded JOIN post AS q USING (post_id))"
        " SELECT p.body_html, " POST_URL("p.post_id")
        " FROM thread JOIN post AS p ON p.post_id = thread_id OR p.parent_id = thread_id"
        " WHERE p.body_html LIKE '%<img%' ORDER BY p.post_id",
    [SQL_IMAGE_PUT] =
        "INSERT INTO image (url, asked_at, tries, failed, may_pass, type, width, height, bytes)"
        " VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, ?8)"
        " ON CONFLICT (url) DO UPDATE SET asked_at = excluded.asked_at, tries = tries + 1,"
        "  failed = excluded.failed, may_pass = excluded.may_pass, type = excluded.type,"
        "  width = excluded.width, height = excluded.height, bytes = excluded.bytes",
    [SQL_IMAGE_FIND] =
        "SELECT image_id, failed, may_pass, tries, width, height FROM image WHERE url = ?1",
    [SQL_IMAGE_GET] =
        "SELECT type, bytes FROM image WHERE image_id = ?1 AND failed IS NULL",
    [SQL_IMAGE_BYTES] =
        "SELECT ifnull(sum(length(bytes)), 0) FROM image",
    [SQL_BENCH_SETUP_FIND] =
        "SELECT setup_id FROM bench_setup WHERE machine = ?1 AND processor IS ?2"
        "  AND processors IS ?3 AND memory_kb IS ?4 AND system IS ?5 AND kernel IS ?6"
        "  AND architecture IS ?7 AND memory_limit IS ?8 AND versions = ?9",
    [SQL_BENCH_SETUP_PUT] =
        "INSERT INTO bench_setup (machine, processor, processors, memory_kb, system, kernel,"
        "  architecture, memory_limit, versions) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        " RETURNING setup_id",
    [SQL_BENCH_RESULT_KNOWN] =
        "SELECT 1 FROM bench_result WHERE sha256 = ?1",
    [SQL_BENCH_RESULT_PUT] =
        "INSERT INTO bench_result (sha256, problem_id, finished_at, verdict, why, metric, unit,"
        "  case_sha256, buggy, fixed, ratio, ratio_low, ratio_high, load_after, setup_id, seed, limit_seconds,"
        "  limit_memory_mb)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    [SQL_BENCH_RUN_PUT] =
        "INSERT INTO bench_run (result_id, place, warm_up, lacked_memory, code, peak_kb,"
        "  sampled_peak_kb, out_bytes, err_bytes, metric, wall_seconds, user_seconds,"
        "  system_seconds, work_seconds, work_rss_before_kb, work_peak_rss_kb, ready_seconds, side,"
        "  ended, digest, said, computed, step_seconds, step_rss_kb, samples)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
        "  ?19, ?20, ?21, ?22, ?23, ?24, ?25)",
    [SQL_BENCH_MACHINE_EACH] =
        "SELECT machine, cases, results, last_at FROM bench_machine ORDER BY last_at DESC, machine",
    [SQL_BENCH_LAST_EACH] =
        "SELECT problem_id, finished_at, verdict, why, metric, unit, buggy, fixed, ratio, ratio_low,"
        "  ratio_high FROM bench_last WHERE machine = ?1 ORDER BY problem_id",
    [SQL_PROJECT_PUT] =
        "INSERT INTO project (project, url) VALUES (?1, ?2)"
        " ON CONFLICT (project) DO UPDATE SET url = excluded.url"
        " WHERE project.url IS NULL AND excluded.url IS NOT NULL",
    [SQL_SCAN_FIND] =
        "SELECT scan_id FROM scan WHERE project = ?1 AND commit_id = ?2 AND tool_version = ?3"
        " AND options = ?4 AND found_sha256 = ?5",
    [SQL_SCAN_PUT] =
        "INSERT INTO scan (project, commit_id, tool_version, options, found_sha256, code_at,"
        "  scanned_at, files, unread) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    /* How many findings the scan before (of the same options) saw and this one does not, and how
     * many this one sees that an older one did and the one before did not. */
    [SQL_SCAN_CHANGES] =
        SCAN_BEFORE
        " SELECT (SELECT count(*) FROM before AS b JOIN finding_seen AS s USING (scan_id)"
        "   WHERE NOT EXISTS (SELECT 1 FROM finding_seen AS n"
        "                     WHERE n.scan_id = ?1 AND n.finding_id = s.finding_id)),"
        "  (SELECT count(*) FROM before AS b, finding_seen AS n WHERE n.scan_id = ?1"
        "   AND NOT EXISTS (SELECT 1 FROM finding_seen AS s"
        "                   WHERE s.scan_id = b.scan_id AND s.finding_id = n.finding_id)"
        "   AND EXISTS (SELECT 1 FROM finding_seen AS s JOIN scan AS c USING (scan_id)"
        "               JOIN this AS t ON c.options = t.options"
        "                AND (c.code_at, c.scan_id) < (t.code_at, t.scan_id)"
        "               WHERE s.finding_id = n.finding_id))",
    [SQL_SCAN_EACH] =
        "SELECT c.scan_id, c.project, c.commit_id, c.code_at, c.tool_version, c.files, c.unread,"
        "  count(*) FILTER (WHERE s.how = 'found'), count(*) FILTER (WHERE s.how = 'ignored'),"
        "  count(*) FILTER (WHERE s.how = 'baseline')"
        " FROM scan AS c LEFT JOIN finding_seen AS s USING (scan_id)"
        " WHERE ?1 IS NULL OR c.project = ?1"
        " GROUP BY c.scan_id ORDER BY c.project, c.code_at, c.scan_id",
    [SQL_FINDING_PUT] =
        "INSERT INTO finding (finding_id, project, fingerprint, rule, file, function)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
    [SQL_FINDING_SEEN_PUT] =
        "INSERT INTO finding_seen (scan_id, finding_id, how, severity, line, cell, message)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [SQL_FINDING_UNREAD] =
        SCAN_BEFORE
        " INSERT INTO finding_seen (scan_id, finding_id, how, severity, line, cell, message)"
        " SELECT ?1, s.finding_id, 'unread', s.severity, s.line, s.cell, s.message"
        " FROM before AS b JOIN finding_seen AS s USING (scan_id) JOIN finding AS f USING (finding_id)"
        " WHERE (f.file = ?2 OR ((?2 = '' OR substr(?2, -1) = '/')"
        "                        AND substr(f.file, 1, length(?2)) = ?2))"
        "  AND NOT EXISTS (SELECT 1 FROM finding_seen AS n"
        "                  WHERE n.scan_id = ?1 AND n.finding_id = s.finding_id)",
    [SQL_FINDING_EACH] =
        "SELECT finding_id, project, rule, severity, file, line, cell, function, message, seen,"
        "  commit_id, gone_since, gone_commit, tool_differs, returned, state, url,"
        "  state = 'fixed' AND seen = 'found' AND (SELECT s.code_at FROM scan AS s"
        "   WHERE s.scan_id = c.scan_id) > ifnull(happened || 'T23:59:59.999Z', state_at)"
        " FROM finding_current AS c"
        " WHERE (?1 IS NULL OR project = ?1) AND (?2 IS NULL OR substr(rule, 1, length(?2)) = ?2)"
        "  AND (?3 IS NULL OR ifnull(state, 'none') = ?3) AND (?4 IS NULL OR seen = ?4)"
        " ORDER BY project, file, cell, line, rule, finding_id",
    [SQL_FINDING_FIND] =
        "SELECT finding_id FROM finding WHERE finding_id >= ?1 AND finding_id < ?1 || 'g'"
        " ORDER BY finding_id LIMIT 2",
    /* The scans of a finding (?1) are those that saw it, and those with the same options since. */
    [SQL_FINDING_EVENT_EACH] =
        "SELECT t.set_at AS at, t.finding_id, t.state, NULL, NULL, t.set_by, t.happened, t.url,"
        "  t.reason,"
        "  EXISTS (SELECT 1 FROM finding_state AS u WHERE u.undoes = t.state_id), t.state_id AS id"
        " FROM finding_state AS t WHERE ?1 IS NULL OR t.finding_id = ?1"
        " UNION ALL"
        " SELECT c.code_at, f.finding_id, ifnull(s.how, 'gone'), c.scan_id, c.commit_id, NULL,"
        "  NULL, NULL, NULL, 0, printf('%012d', c.scan_id)"
        " FROM finding AS f JOIN scan AS c USING (project)"
        " LEFT JOIN finding_seen AS s ON s.finding_id = f.finding_id AND s.scan_id = c.scan_id"
        " WHERE f.finding_id = ?1"
        "  AND c.options IN (SELECT o.options FROM finding_seen AS x JOIN scan AS o USING (scan_id)"
        "                    WHERE x.finding_id = ?1)"
        "  AND (c.code_at, c.scan_id) >= (SELECT o.code_at, o.scan_id"
        "                                 FROM finding_seen AS x JOIN scan AS o USING (scan_id)"
        "                                 WHERE x.finding_id = ?1"
        "                                 ORDER BY o.code_at, o.scan_id LIMIT 1)"
        " ORDER BY at, id",
    [SQL_STATE_NOW] =
        "SELECT t.state, t.state_id, t.url, t.reason, t.happened FROM finding_state AS t"
        " WHERE t.finding_id = ?1 AND " STATE_COUNTS
        " ORDER BY t.set_at DESC, t.state_id DESC LIMIT 1",
    [SQL_STATE_TIME] =
        "SELECT max(?2, ifnull(strftime('%Y-%m-%dT%H:%M:%fZ', max(set_at), '+0.001 seconds'), ''))"
        " FROM finding_state WHERE finding_id = ?1",
    [SQL_STATE_PUT] =
        "INSERT INTO finding_state (state_id, finding_id, state, set_at, set_by, happened, url,"
        "  reason, undoes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [SQL_CAMPAIGN_EACH] =
        "SELECT project, projects, projects_reported, findings, reported, confirmed, fixed, refused,"
        "  gone FROM campaign ORDER BY project IS NULL, project",
    [SQL_CAMPAIGN_RULE_EACH] =
        "SELECT rule, NULL, NULL, findings, reported, confirmed, fixed, refused, gone"
        " FROM campaign_rule ORDER BY rule",
    [SQL_SCREEN_POST_EACH] =
        "SELECT p.post_id, p.title, p.body_html, " POST_TAGS
        " FROM post AS p WHERE p.post_type = 'question' AND p.deleted_at IS NULL ORDER BY p.post_id",
    [SQL_SCREEN_HIT_EACH] = "SELECT post_id, n_hits FROM candidate_post ORDER BY post_id",
    /* Posts change only in runs; one that goes on may change them at any time. */
    [SQL_SCREEN_STATE] =
        "SELECT group_concat(run_id || ' ' || finished_at || coalesce(source, '')"
        "  || coalesce(counts, '')), max(finished_at IS NULL)"
        " FROM (SELECT run_id, finished_at, source, counts FROM run ORDER BY run_id)",
    [SQL_SCREEN_PUT] =
        "INSERT INTO screening (coder, post_id, place, answer, stratum, read_at, score, n_learned,"
        "  model, seed)"
        " VALUES (?1, ?2, (SELECT coalesce(max(place), 0) + 1 FROM screening WHERE coder = ?1),"
        "  ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        " ON CONFLICT (coder, post_id) DO UPDATE SET place = excluded.place, answer = excluded.answer,"
        "  stratum = excluded.stratum, read_at = excluded.read_at, score = excluded.score,"
        "  n_learned = excluded.n_learned, model = excluded.model, seed = excluded.seed",
    [SQL_SCREEN_PROBLEMS] =
        "SELECT count(*), total(ranked), total((keyword OR (by_hand AND candidate)) AND NOT ranked),"
        "  total(ranked OR keyword)"
        " FROM (SELECT EXISTS (SELECT 1 FROM screening AS s WHERE s.post_id = p.post_id"
        "                      AND stratum = 'ranked') AS ranked,"
        "              EXISTS (SELECT 1 FROM screening AS s WHERE s.post_id = p.post_id"
        "                      AND stratum = 'keyword') AS keyword,"
        "              NOT EXISTS (SELECT 1 FROM screening AS s WHERE s.post_id = p.post_id) AS by_hand,"
        "              p.post_id IN (SELECT post_id FROM candidate_post) AS candidate"
        "       FROM (SELECT DISTINCT post_id FROM problem) AS p)",
    [SQL_SCREEN_SHARED] =
        "SELECT count(*), total(ranked), total((keyword OR (by_hand AND candidate)) AND NOT ranked),"
        "  total(ranked OR keyword)"
        " FROM (SELECT max(stratum = 'ranked') AS ranked, max(stratum = 'keyword') AS keyword,"
        "         min(stratum = 'hand') AS by_hand,"
        "         post_id IN (SELECT post_id FROM candidate_post) AS candidate"
        "       FROM screening_read JOIN coder USING (coder) WHERE NOT is_merged"
        "       GROUP BY post_id HAVING count(*) > 1)",
    [SQL_SCREEN_RANDOM] =
        "SELECT post_id FROM screening_read JOIN coder USING (coder) WHERE NOT is_merged"
        " GROUP BY post_id HAVING min(stratum = 'random') ORDER BY post_id",
    [SQL_SCREEN_CODES] =
        "SELECT DISTINCT code, post_id FROM problem_code WHERE facet = ?1 ORDER BY code, post_id",
    [SQL_SCREEN_EACH] =
        "SELECT post_id, answer, stratum FROM screening_read WHERE coder = ?1 ORDER BY place",
    [SQL_TABLES + DB_TABLE_PROBLEMS] =
        "SELECT * FROM problem_label ORDER BY post_id, length(problem_id), problem_id",
    [SQL_TABLES + DB_TABLE_IDENTIFICATION] =
        "SELECT j.post_id, j.coder, c.is_merged, j.is_problem, j.decided_at"
        " FROM judgement AS j JOIN coder AS c USING (coder) ORDER BY j.post_id, j.coder",
    [SQL_TABLES + DB_TABLE_CODING] =
        "SELECT * FROM coding ORDER BY post_id, length(problem_id), problem_id, facet, coder",
    [SQL_TABLES + DB_TABLE_DECISIONS] =
        "SELECT decision_id, decided_at, coder, subject, post_id, facet, value, codebook_version,"
        "  " IS_UNDONE " AS undone, undoes, spelling, reason"
        " FROM decision AS d ORDER BY decided_at, decision_id",
    [SQL_TABLES + DB_TABLE_CANDIDATES] =
        "SELECT post_id, url, created_at, n_hits, keywords FROM candidate ORDER BY post_id",
    [SQL_TABLES + DB_TABLE_KEYWORDS] =
        "SELECT k.keyword_id, k.keyword, k.stems, k.n_words, k.dead, k.note,"
        "  count(DISTINCT c.post_id) AS candidates, count(DISTINCT h.post_id) AS posts,"
        "  count(h.post_id) AS hits"
        " FROM keyword AS k LEFT JOIN hit AS h USING (keyword_id)"
        " LEFT JOIN candidate_post AS c ON c.post_id = h.post_id"
        " GROUP BY k.keyword_id ORDER BY k.keyword_id",
    [SQL_TABLES + DB_TABLE_CODEBOOK] =
        "SELECT c.code_id, c.facet, c.category, c.name AS code, c.short_name, c.definition,"
        "  (SELECT json_group_array(alias) FROM (SELECT alias FROM code_alias AS a"
        "    WHERE a.code_id = c.code_id ORDER BY alias)) AS aliases,"
        "  c.retired_in, c.merged_into"
        " FROM code AS c WHERE " IN_CODEBOOK " ORDER BY c.code_id",
    [SQL_TABLES + DB_TABLE_DISAMBIGUATION] =
        "SELECT a.facet, a.name AS code, b.name AS versus, d.rule"
        " FROM disambiguation AS d JOIN code AS a ON a.code_id = d.code_id"
        " JOIN code AS b ON b.code_id = d.versus_id ORDER BY d.code_id, d.versus_id",
    [SQL_TABLES + DB_TABLE_CODE_CHANGES] =
        "SELECT codebook_version, changed_at, changed_by, action, facet, code, became, reason,"
        "  look_again FROM code_change ORDER BY codebook_version",
    [SQL_TABLES + DB_TABLE_ASSESSMENT] =
        "SELECT problem_id, " POST_OF("problem_id") " AS post_id, approach, status, library"
        " FROM assessment ORDER BY " BY_PROBLEM("problem_id") ", approach",
    /* Every post that any other table names. Ids grow with time, so posts between two dated ones of
     * the same licence have that licence. */
    [SQL_TABLES + DB_TABLE_BENCH_SETUPS] =
        "SELECT setup_id, machine, processor, processors, memory_kb, system, kernel, architecture,"
        "  memory_limit, versions FROM bench_setup ORDER BY setup_id",
    [SQL_TABLES + DB_TABLE_BENCH_RESULTS] =
        "SELECT result_id, setup_id, problem_id, finished_at, verdict, why, metric, unit, buggy,"
        "  fixed, ratio, ratio_low, ratio_high, seed, case_sha256, limit_seconds, limit_memory_mb,"
        "  load_after, sha256 FROM bench_result ORDER BY result_id",
    [SQL_TABLES + DB_TABLE_BENCH_RUNS] =
        "SELECT result_id, side, place, warm_up, ended, code, metric, wall_seconds, user_seconds,"
        "  system_seconds, peak_kb, sampled_peak_kb, out_bytes, err_bytes, lacked_memory,"
        "  work_seconds, work_rss_before_kb, work_peak_rss_kb, ready_seconds, digest, computed,"
        "  step_seconds, step_rss_kb, samples FROM bench_run ORDER BY result_id, side, place",
    [SQL_TABLES + DB_TABLE_ATTRIBUTION] =
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
        " LEFT JOIN post_provenance AS v USING (post_id) ORDER BY k.post_id",
    [SQL_TABLES + DB_TABLE_RUNS] =
        "SELECT run_id, command, tool_version, " RUN_PARAMETERS " AS parameters,"
        "  " RUN_SOURCE " AS source, started_at, finished_at, outcome, counts"
        " FROM run ORDER BY run_id",
    [SQL_TABLES + DB_TABLE_SETTINGS] =
        "SELECT key, value FROM study WHERE key NOT GLOB 'keys *' ORDER BY key", /* of coders, by name */
    [SQL_TABLES + DB_TABLE_TEXTS] =
        "SELECT post_id, title, body_html FROM post ORDER BY post_id",
    [SQL_TABLES + DB_TABLE_POSTS] = WHOLE_POSTS("", ""),
    [SQL_POSTS_OF_SITES] =
        WHOLE_POSTS("(SELECT name FROM site WHERE site_id = p.post_id >> 53) AS site, ",
                    "(SELECT u.url FROM post_url AS u WHERE u.post_id = p.post_id) AS url, "),
    [SQL_SITE_GET] = "SELECT 1 FROM site WHERE site_id = ?1 >> 53",
    [SQL_HAS_SITES] =
        "SELECT EXISTS (SELECT 1 FROM study WHERE key = 'sites') OR EXISTS (SELECT 1 FROM post_url)",
    [SQL_TABLES + DB_TABLE_HITS] =
        "SELECT h.post_id, h.field, h.\"start\", h.\"end\", k.keyword FROM hit AS h"
        " JOIN keyword AS k USING (keyword_id) ORDER BY h.post_id, h.field, h.\"start\", keyword_id",
    [SQL_TABLES + DB_TABLE_PROJECTS] =
        "SELECT p.project, p.url, c.findings, c.reported, c.confirmed, c.fixed, c.refused, c.gone"
        " FROM project AS p JOIN campaign AS c USING (project) ORDER BY p.project",
    [SQL_TABLES + DB_TABLE_SCANS] =
        "SELECT scan_id, project, commit_id, code_at, scanned_at, tool_version, options, files,"
        "  unread, found_sha256 FROM scan ORDER BY scan_id",
    [SQL_TABLES + DB_TABLE_FINDINGS] =
        "SELECT finding_id, project, f.fingerprint, c.rule, c.file, c.function, severity, line, cell,"
        "  message, seen, gone_since, tool_differs, returned, state, url"
        " FROM finding_current AS c JOIN finding AS f USING (finding_id, project)"
        " ORDER BY finding_id",
    [SQL_TABLES + DB_TABLE_FINDING_SEEN] =
        "SELECT scan_id, finding_id, how, severity, line, cell, message FROM finding_seen"
        " ORDER BY scan_id, finding_id",
    [SQL_TABLES + DB_TABLE_FINDING_STATES] =
        "SELECT t.state_id, t.finding_id, t.state, t.set_at, t.set_by, t.happened, t.url, t.reason,"
        "  t.undoes, EXISTS (SELECT 1 FROM finding_state AS u WHERE u.undoes = t.state_id) AS undone"
        " FROM finding_state AS t ORDER BY t.set_at, t.state_id",
    [SQL_TABLES + DB_TABLE_DISCUSSION] =
        "SELECT message_id, written_at, coder, subject, post_id, text FROM message"
        " ORDER BY written_at, message_id",
    /* What coders say of each subject and facet, where ?3 of it is true: 0, they differ, and no
     * merged coder decided since; 1, at least two say the same, and no merged coder does or decided
     * since; 2, only one coder said something, and no merged coder since; 3, always. Codes that were
     * taken back count as not said, and of a post that is settled to be no problem no code is
     * asked for. Of a facet (?1) and post (?2), or with NULL of all. */
    [SQL_SEGMENT_EACH] =
        "SELECT l.post_id, l.coder, c.is_merged, l.subject, max(l.decided_at),"
        "  coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id)),"
        "  " POST_URL("l.post_id")
        " FROM label AS l JOIN coder AS c USING (coder) LEFT JOIN post AS p ON p.post_id = l.post_id"
        " WHERE l.place = 1 AND (?1 IS NULL OR l.post_id = ?1) AND NOT " IS_WITHDRAWN
        "  AND (" IS_SAID " OR " IS_DISMISSED ")"
        "  AND NOT EXISTS (SELECT 1 FROM judgement AS j JOIN coder AS k USING (coder)"
        "   WHERE j.post_id = l.post_id AND k.is_merged AND NOT j.is_problem)"
        " GROUP BY l.post_id, l.coder, l.subject"
        " ORDER BY l.post_id, c.is_merged, l.coder, length(l.subject), l.subject",
    [SQL_DISPUTE_EACH] =
        "WITH said (place, facet, subject, post_id, coder, codes, decided_at) AS"
        " (SELECT 1, " JUDGING ", " PUBLIC_ID("post_id") ", post_id, coder, CAST(is_problem AS TEXT),"
        "   decided_at FROM judgement WHERE ?2 IS NULL OR post_id = ?2"
        "  UNION ALL"
        "  SELECT f.place, l.facet, l.subject, max(l.post_id), l.coder,"
        "   group_concat(l.code_id, ' '), max(l.decided_at)"
        "  FROM (SELECT l.* FROM label AS l JOIN coder AS c USING (coder)"
        "        WHERE (code_id IS NOT NULL OR " IS_DISMISSED ") AND (?2 IS NULL OR post_id = ?2)"
        "        ORDER BY subject, facet, coder, place) AS l JOIN facet AS f USING (facet)"
        "  GROUP BY l.subject, l.facet, l.coder),"
        " opinion AS"
        " (SELECT said.*, is_merged,"
        "   max(decided_at) FILTER (WHERE NOT is_merged) OVER one AS said_at,"
        "   max(decided_at) FILTER (WHERE is_merged) OVER one AS settled_at,"
        "   count(*) FILTER (WHERE NOT is_merged) OVER one AS coders,"
        "   min(codes) FILTER (WHERE NOT is_merged) OVER one"
        "    <> max(codes) FILTER (WHERE NOT is_merged) OVER one AS differ,"
        "   min(ifnull(codes, '')) OVER one <> max(ifnull(codes, '')) OVER one AS any_differ"
        "  FROM said JOIN coder USING (coder) WHERE ?1 IS NULL OR facet = ?1"
        "  WINDOW one AS (PARTITION BY subject, facet))"
        " SELECT o.facet, o.subject, o.post_id, o.coder, o.is_merged, o.codes, o.decided_at,"
        "  (SELECT d.reason FROM decision AS d INDEXED BY decision_subject"
        "   WHERE d.subject = o.subject AND d.facet = o.facet"
        "    AND d.coder = o.coder AND d.decided_at = o.decided_at AND " COUNTS
        "   ORDER BY d.decision_id DESC LIMIT 1),"
        "  coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id)),"
        "  " POST_URL("o.post_id")
        " FROM opinion AS o"
        " LEFT JOIN post AS p ON p.post_id = o.post_id"
        " WHERE CASE WHEN ?3 = 3 THEN coders > 0 WHEN settled_at >= said_at THEN 0"
        "  WHEN ?3 = 0 THEN differ"
        "  WHEN ?3 = 1 THEN coders > 1 AND NOT differ AND (settled_at IS NULL OR any_differ)"
        "  ELSE coders = 1 END"
        " AND (?3 = 3 OR o.place = 1 OR NOT EXISTS"
        "  (SELECT 1 FROM judgement AS j JOIN coder AS c USING (coder)"
        "   WHERE j.post_id = o.post_id AND c.is_merged AND NOT j.is_problem))"
        " ORDER BY o.post_id, length(o.subject), o.subject, o.place, o.is_merged, o.coder",
    /* When a merged coder (?1) settles something about a post (?2): now (?4), but not before what
     * was said about the subject (?3), and later than all that this coder decided about the post, so
     * that each is an act of its own. */
    [SQL_RESOLUTION_TIME] =
        "SELECT max(?4,"
        "  ifnull((SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(decided_at), '+0.001 seconds')"
        "          FROM decision INDEXED BY decision_subject"
        "          WHERE subject >= " PUBLIC_ID("?2") " AND subject < " PUBLIC_ID("?2") " || '`'"
        "            AND post_id = ?2 AND coder = ?1), ''),"
        "  ifnull((SELECT max(decided_at) FROM decision WHERE subject = ?3), ''))",

    [SQL_SEARCH_EACH] =
        "SELECT p.post_id, coalesce(p.title, (SELECT q.title FROM post AS q"
        "   WHERE q.post_id = p.parent_id)), p.created_at, c.n_hits, j.is_problem"
        " FROM post AS p LEFT JOIN candidate_post AS c USING (post_id)"
        " LEFT JOIN judgement AS j ON j.post_id = p.post_id AND j.coder = ?1"
        " WHERE p.post_id > ?2 AND (?3 OR c.post_id IS NOT NULL)"
        "  AND (?4 IS NULL OR p.post_id IN (SELECT rowid FROM post_search WHERE post_search MATCH stem(?4)))"
        "  AND (?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(p.tags) AS t WHERE t.value = ?5))"
        "  AND (?6 IS NULL OR p.created_at >= ?6) AND (?7 IS NULL OR substr(p.created_at, 1, 10) <= ?7)"
        "  AND (?8 IS NULL OR ifnull(j.is_problem, -1) = ?8)"
        "  AND (?9 IS NULL OR EXISTS (SELECT 1 FROM label AS l"
        "   WHERE l.subject >= " PUBLIC_ID("p.post_id") " AND l.subject < " PUBLIC_ID("p.post_id") " || '`'"
        "    AND l.post_id = p.post_id AND l.coder = ?1 AND l.code_id = ?9))"
        " ORDER BY p.post_id LIMIT ?10",
    [SQL_SEARCH_IDS] =
        "SELECT s.rowid FROM post_search AS s CROSS JOIN post AS p ON p.post_id = s.rowid"
        " WHERE post_search MATCH ?1"
        "  AND (p.post_type = 'question' OR (?2 AND p.post_type = 'answer'))",
    [SQL_INDEX_PAGE_PUT] = "INSERT INTO post_search_data (id, block) VALUES (?1, ?2)",
    [SQL_INDEX_LEAD_PUT] = "INSERT INTO post_search_idx (segid, term, pgno) VALUES (?1, ?2, ?3)",
    [SQL_INDEX_POST_PUT] = "INSERT INTO post_search_docsize (id, sz) VALUES (?1, ?2)",
    [SQL_INDEX_RECORD_GET] = "SELECT block FROM post_search_data WHERE id = ?1",
    [SQL_INDEX_KEEP] =
        "SELECT (SELECT max(run_id) FROM run), (SELECT max(post_id) FROM post_text),"
        "  (SELECT max(post_id) FROM candidate_post),"
        "  (SELECT post_id FROM hit ORDER BY post_id DESC LIMIT 1),"
        "  (SELECT post_id FROM post_fact ORDER BY post_id DESC LIMIT 1),"
        "  (SELECT max(id) FROM post_search_docsize),"
        "  (SELECT segid FROM post_search_idx ORDER BY segid DESC LIMIT 1),"
        "  (SELECT max(id) FROM post_search_data), (SELECT length(block) FROM post_search_data WHERE id = 10)",
    [SQL_INDEX_RECORD_PUT] = "REPLACE INTO post_search_data (id, block) VALUES (?1, ?2)",
    [SQL_BOOK_CODES] = CODES("main"),
    [SQL_BOOK_ALIASES] = ALIASES("main"),
    [SQL_BOOK_RULES] = RULES("main"),
    [SQL_BOOK_CHANGES] = CHANGES("main"),
    [SQL_OTHER_CODES] = CODES("other"),
    [SQL_OTHER_ALIASES] = ALIASES("other"),
    [SQL_OTHER_RULES] = RULES("other"),
    [SQL_OTHER_CHANGES] = CHANGES("other"),
    [SQL_CODES_CLEAR] = "DELETE FROM code WHERE " IN_CODEBOOK,
    [SQL_ALIASES_CLEAR] = "DELETE FROM code_alias",
    [SQL_RULES_CLEAR] = "DELETE FROM disambiguation",
    [SQL_CHANGES_CLEAR] = "DELETE FROM code_change",
    [SQL_CODES_FILL] =
        "INSERT INTO code (code_id, facet, category, name, short_name, definition, retired_in,"
        "  merged_into) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [SQL_ALIASES_FILL] = "INSERT INTO code_alias (code_id, alias) VALUES (?1, ?2)",
    [SQL_RULES_FILL] =
        "INSERT INTO disambiguation (code_id, versus_id, rule) VALUES (?1, ?2, ?3)",
    [SQL_CHANGES_FILL] =
        "INSERT INTO code_change (codebook_version, changed_at, changed_by, action, facet, code,"
        "  became, reason, look_again) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [SQL_BOOK_MENTIONED] = MENTIONED("main"),
    [SQL_OTHER_MENTIONED] = MENTIONED("other"),
    [SQL_OTHER_SETTING] = "SELECT value FROM other.study WHERE key = ?1",
    [SQL_OTHER_CODERS] = "SELECT coder, is_merged FROM other.coder NOT INDEXED",
    [SQL_OTHER_DECISIONS] =
        "SELECT decision_id, decided_at, coder, subject, post_id, facet, value, codebook_version,"
        "  undoes, spelling, reason, " REAL_TIME("decided_at")
        " FROM other.decision NOT INDEXED",
    [SQL_OTHER_NAMED] = NAMED("other"),
    [SQL_BOOK_NAMED] = NAMED("main"),
    [SQL_OTHER_NOTES] =
        "SELECT note_id, written_at, coder, subject, post_id, text,"
        "  " REAL_TIME("written_at")
        " FROM other.note NOT INDEXED",
    [SQL_OTHER_MESSAGES] =
        "SELECT message_id, written_at, coder, subject, post_id, text,"
        "  " REAL_TIME("written_at")
        " FROM other.message NOT INDEXED",
    [SQL_OTHER_DATES] = "SELECT problem_id, created_at FROM other.problem_date NOT INDEXED",
    [SQL_OTHER_ASSESSMENTS] =
        "SELECT problem_id, approach, status, library FROM other.assessment NOT INDEXED",
    [SQL_OTHER_SCREENINGS] =
        "SELECT coder, answer, stratum, read_at, model, post_id, place, n_learned, seed, score,"
        "  " REAL_TIME("read_at")
        " FROM other.screening NOT INDEXED",
    /* How many names a value (?1) holds, and how many of them are, or were, of a code of the facet;
     * for what is no array of names, one and none. */
    [SQL_MERGE_VALUE] =
        "SELECT count(*), count(*) FILTER (WHERE j.type = 'text' AND"
        "  (EXISTS (SELECT 1 FROM code AS c WHERE c.facet = ?2 AND c.name = j.value)"
        "   OR EXISTS (SELECT 1 FROM code AS c JOIN code_alias AS a USING (code_id)"
        "              WHERE c.facet = ?2 AND a.alias = j.value)))"
        " FROM json_each(CASE WHEN NOT json_valid(?1) THEN '[0]'"
        "                     WHEN json_type(?1) = 'array' THEN ?1 ELSE '[0]' END) AS j",
    /* The same of a value (?1) that a coder wrote: its only text. */
    [SQL_MERGE_WRITTEN] =
        "SELECT count(*), min(j.value) FILTER (WHERE j.type = 'text')"
        " FROM json_each(CASE WHEN NOT json_valid(?1) THEN '[0]'"
        "                     WHEN json_type(?1) = 'array' THEN ?1 ELSE '[0]' END) AS j",
    [SQL_MERGE_HAS_DECISION] = "SELECT 1 FROM decision WHERE decision_id = ?1",
    [SQL_MERGE_HAS_NOTE] = "SELECT 1 FROM note WHERE note_id = ?1",
    [SQL_MERGE_HAS_MESSAGE] = "SELECT 1 FROM message WHERE message_id = ?1",
    /* The decision that one (?1) undoes is of the same coder, about the same, and undoes nothing. */
    [SQL_MERGE_UNDONE] =
        "SELECT 1 FROM decision AS u JOIN decision AS d ON d.decision_id = u.undoes"
        " WHERE u.decision_id = ?1 AND d.coder = u.coder AND d.subject = u.subject"
        "  AND d.facet = u.facet AND d.undoes IS NULL",
    [SQL_MERGE_CODER] =
        "INSERT INTO coder (coder, is_merged) VALUES (?1, ?2)"
        " ON CONFLICT (coder) DO UPDATE SET is_merged = max(is_merged, excluded.is_merged)",
    [SQL_MERGE_DECISION] =
        "INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value,"
        "  codebook_version, undoes, spelling, reason)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
        " ON CONFLICT (decision_id) DO UPDATE SET spelling = " LARGER("decision", "spelling") ","
        "  reason = " LARGER("decision", "reason") ","
        "  codebook_version = min(decision.codebook_version, excluded.codebook_version)",
    /* What each version, from 0 on, became (?1, a JSON array). */
    [SQL_MERGE_VERSIONS] =
        "UPDATE decision SET codebook_version = (SELECT j.value FROM json_each(?1) AS j"
        "                                        WHERE j.key = codebook_version)"
        " WHERE codebook_version IN (SELECT j.key FROM json_each(?1) AS j"
        "                            WHERE j.key <> j.value)",
    /* A decision (?1) with names that codes got: its id, value, and what it undoes. */
    [SQL_MERGE_MOVE] =
        "UPDATE OR REPLACE decision SET decision_id = ?2, value = ?3, undoes = ?4 WHERE decision_id = ?1",
    [SQL_MERGE_NOTE] =
        "INSERT INTO note (note_id, written_at, coder, subject, post_id, text)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (note_id) DO NOTHING",
    [SQL_MERGE_MESSAGE] =
        "INSERT INTO message (message_id, written_at, coder, subject, post_id, text)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (message_id) DO NOTHING",
    [SQL_MERGE_DATE] =
        "INSERT INTO problem_date (problem_id, created_at) VALUES (?1, ?2)"
        " ON CONFLICT (problem_id) DO UPDATE SET"
        "  created_at = max(problem_date.created_at, excluded.created_at)",
    [SQL_MERGE_ASSESSMENT] =
        "INSERT INTO assessment (problem_id, approach, status, library) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (problem_id, approach) DO UPDATE SET"
        "  status = max(assessment.status, excluded.status),"
        "  library = " LARGER("assessment", "library"),
    /* What was read last counts, and all of it: a coder may have read a post in both files. */
    [SQL_MERGE_SCREENING] =
        "INSERT INTO screening (coder, answer, stratum, read_at, model, post_id, place, n_learned,"
        "  seed, score)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
        " ON CONFLICT (coder, post_id) DO UPDATE SET place = excluded.place,"
        "  answer = excluded.answer, stratum = excluded.stratum, read_at = excluded.read_at,"
        "  score = excluded.score, n_learned = excluded.n_learned, model = excluded.model,"
        "  seed = excluded.seed"
        " WHERE " SCREENING_ORDER("excluded") " > " SCREENING_ORDER("screening"),
};

static enum status MUST_USE prepare(struct db *db, size_t from, size_t to, struct err *e)
{
    for (size_t i = from; i < to; i++)
        if (sqlite3_prepare_v3(db->handle, sql_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &db->stmts[i], NULL) != SQLITE_OK)
            return sql_fail(db, e);
    return ST_OK;
}

enum status sql_prepare(struct db *db, struct err *e)
{
    return prepare(db, 0, SQL_SEARCH_IDS, e);
}

enum status sql_prepare_ids(struct db *db, struct err *e)
{
    if (db->stmts[SQL_SEARCH_IDS] != NULL)
        return ST_OK;
    return prepare(db, SQL_SEARCH_IDS, SQL_SEARCH_FIRST, e);
}

enum status sql_prepare_search(struct db *db, struct err *e)
{
    if (db->stmts[SQL_SEARCH_FIRST] != NULL)
        return ST_OK;
    return prepare(db, SQL_SEARCH_FIRST, SQL_INDEX_FIRST, e);
}

enum status sql_prepare_index(struct db *db, struct err *e)
{
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    return prepare(db, SQL_INDEX_FIRST, SQL_MERGE_FIRST, e);
}

enum status sql_prepare_merge(struct db *db, struct err *e)
{
    return prepare(db, SQL_MERGE_FIRST, SQL_KINDS, e);
}

static void finalize(struct db *db, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        sqlite3_finalize(db->stmts[i]);
        db->stmts[i] = NULL;
    }
}

void sql_finalize_index(struct db *db)
{
    finalize(db, SQL_INDEX_FIRST, SQL_MERGE_FIRST);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}

void sql_finalize_merge(struct db *db)
{
    finalize(db, SQL_MERGE_FIRST, SQL_KINDS);
}

void sql_finalize(struct db *db)
{
    finalize(db, 0, SQL_KINDS);
}

static bool is_full(int code, int os_error)
{
    return code == SQLITE_FULL || os_error == ENOSPC || os_error == EDQUOT || os_error == EFBIG;
}

/* What went wrong and what to do, for the kinds of failure that are not the program's fault. */
static const char *advice(int code, int os_error)
{
    if (is_full(code, os_error))
        return "no space left on the disk, or over a quota or limit; nothing of the last"
               " transaction was kept: free some space and run the command again";
    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "locked by another process; wait until that ends and run the command again";
    case SQLITE_READONLY:
        return "cannot be written; check the permissions of the file and of its folder";
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        return "cannot be opened; check that the folder is there and the permissions of both";
    case SQLITE_NOTADB:
        return "not an SQLite database; give the right file with -d";
    case SQLITE_CORRUPT:
        return "the database is damaged; restore a copy, or save what can be read with"
               " `sqlite3 FILE .recover`";
    case SQLITE_IOERR:
        return "the operating system could not read or write the file";
    case SQLITE_TOOBIG:
        return "a text is larger than SQLite can contain";
    case SQLITE_NOMEM:
        return "out of memory";
    default:
        return NULL;
    }
}

enum status sql_fail(const struct db *db, struct err *e)
{
    int last_errno = errno;
    int extended = sqlite3_extended_errcode(db->handle);
    int code = extended & 0xff;
    bool system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_FULL;
    int os_error = system ? sqlite3_system_errno(db->handle) : 0;

    if (code == SQLITE_IOERR && os_error == 0) /* SQLite forgets it when a commit fails */
        os_error = last_errno;
    const char *text = advice(code, os_error);
    enum status status = is_full(code, os_error) ? ST_IO : ST_DATABASE;

    if (text == NULL)
        return err_set(e, ST_DATABASE, "%s: %s (SQLite code %d)", db->path,
                       sqlite3_errmsg(db->handle), extended);
    if (os_error != 0)
        return err_set(e, status, "%s: %s (%s)", db->path, text, strerror(os_error));
    return err_set(e, status, "%s: %s", db->path, text);
}

enum status sql_exec(struct db *db, const char *text, struct err *e)
{
    if (sqlite3_exec(db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
        return sql_fail(db, e);
    return ST_OK;
}

enum status sql_integers(struct db *db, const char *text, int64_t *values, size_t n, struct err *e)
{
    sqlite3_stmt *stmt = NULL;

    for (size_t i = 0; i < n; i++)
        values[i] = 0;
    if (sqlite3_prepare_v2(db->handle, text, -1, &stmt, NULL) != SQLITE_OK)
        return sql_fail(db, e);
    int rc = sqlite3_step(stmt);
    for (size_t i = 0; i < n && rc == SQLITE_ROW; i++)
        values[i] = sqlite3_column_int64(stmt, (int)i);
    enum status status = rc == SQLITE_ROW || rc == SQLITE_DONE ? ST_OK : sql_fail(db, e);
    sqlite3_finalize(stmt);
    return status;
}

enum status sql_row(struct db *db, enum sql which, bool *row, struct err *e)
{
    int rc = sqlite3_step(db->stmts[which]);
    enum status status = ST_OK;

    *row = rc == SQLITE_ROW;
    if (*row)
        return ST_OK;
    if (rc != SQLITE_DONE)
        status = sql_fail(db, e);
    sql_reset(db, which);
    return status;
}

enum status sql_each_pair(struct db *db, enum sql which,
                          void (*each)(void *ctx, int64_t first, int64_t second), void *ctx,
                          struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        each(ctx, sql_int(db, which, 0), sql_int(db, which, 1));
    }
}

enum status sql_done(struct db *db, enum sql which, struct err *e)
{
    enum status status = ST_OK;

    if (sqlite3_step(db->stmts[which]) != SQLITE_DONE)
        status = sql_fail(db, e);
    sql_reset(db, which);
    return status;
}

void sql_reset(struct db *db, enum sql which)
{
    sqlite3_reset(db->stmts[which]);
}

/* A failed bind (a text of more than 1 GB, memory) leaves NULL behind and its code on the
 * connection; the callers' inputs are capped far below, so it is not looked at again. */
void sql_bind_text(struct db *db, enum sql which, int parameter, struct span text)
{
    if (text.ptr == NULL)
        sqlite3_bind_null(db->stmts[which], parameter);
    else
        sqlite3_bind_text64(db->stmts[which], parameter, text.ptr, text.len, SQLITE_STATIC,
                            SQLITE_UTF8);
}

void sql_bind_int(struct db *db, enum sql which, int parameter, int64_t value)
{
    if (value == POST_ABSENT)
        sqlite3_bind_null(db->stmts[which], parameter);
    else
        sqlite3_bind_int64(db->stmts[which], parameter, value);
}

void sql_bind_real(struct db *db, enum sql which, int parameter, double value)
{
    sqlite3_bind_double(db->stmts[which], parameter, value); /* SQLite takes NAN for NULL */
}

void sql_bind_blob(struct db *db, enum sql which, int parameter, struct span bytes)
{
    sqlite3_bind_blob64(db->stmts[which], parameter, bytes.ptr, bytes.len, SQLITE_STATIC);
}

struct span sql_blob(struct db *db, enum sql which, int column)
{
    const char *bytes = sqlite3_column_blob(db->stmts[which], column);

    return (struct span){bytes, (size_t)sqlite3_column_bytes(db->stmts[which], column)};
}

struct span sql_text(struct db *db, enum sql which, int column)
{
    sqlite3_stmt *stmt = db->stmts[which];
    const char *text = (const char *)sqlite3_column_text(stmt, column);

    return (struct span){text, text == NULL ? 0 : (size_t)sqlite3_column_bytes(stmt, column)};
}

int64_t sql_int(struct db *db, enum sql which, int column)
{
    sqlite3_stmt *stmt = db->stmts[which];

    if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
        return POST_ABSENT;
    return sqlite3_column_int64(stmt, column);
}

int64_t sql_int_or_zero(struct db *db, enum sql which, int column)
{
    return sqlite3_column_int64(db->stmts[which], column);
}

double sql_real(struct db *db, enum sql which, int column)
{
    sqlite3_stmt *stmt = db->stmts[which];

    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? NAN
                                                            : sqlite3_column_double(stmt, column);
}
