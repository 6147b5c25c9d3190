/* fragments: pieces of SQL about codes and decisions, for the statements of this room and those above it. */
#pragma once

/* A person, not a model (coder_is_model): what a model says counts only where it is asked for by name, and in the views
 * counted_judgement and counted_label. */
#define IS_PERSON(coder) "substr(" coder ", 1, 6) <> 'model:'"
/* Subjects of a post: the post itself and its problems. */
#define SUBJECTS_OF(post) "subject >= " PUBLIC_ID(post) " AND subject < " PUBLIC_ID(post) " || '`' AND post_id = " post
/* The coder said "no" to the post after a code of this time, which counts no longer. The same act's
 * "no" withdraws nothing: published coders said both. */
#define WITHDRAWN(post, coder, time) \
    "EXISTS (SELECT 1 FROM decision AS n INDEXED BY decision_subject" \
    " WHERE n.subject = " PUBLIC_ID(post) " AND n.facet = " JUDGING " AND n.coder = " coder \
                                          "  AND n.value = 'false' AND n.decided_at > " time " AND NOT EXISTS" \
                                          "  (SELECT 1 FROM decision AS u WHERE u.undoes = n.decision_id))"
/* Of each group of decisions the newest: SQLite takes the other columns from the row that has the
 * maximum. A blank is smaller than all that a date is made of. */
#define NEWEST "max(decided_at || ' ' || decision_id)"
#define COUNTS \
    "undoes IS NULL AND NOT EXISTS" \
    " (SELECT 1 FROM decision AS u WHERE u.undoes = d.decision_id)"
/* What there is of a codebook; the columns are those of the tables, in their order. */
/* In the table of codes, those that are in the codebook; the others are values that coders wrote. */
#define VALUES_FROM "4503599627370496"
#define IN_CODEBOOK "code_id < " VALUES_FROM
/* The code of a list that a decision names, by any name it ever had. A code merged into another counts as that one. */
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
    "   WHERE facet = " JUDGING " AND " COUNTS " AND " condition "   GROUP BY post_id, coder)"
/* Codes that a later "no" withdrew are left out; those that became one by a merge count once. A label without codes has a row, too. */
/* clang-format off */
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
    "           AND NOT " WITHDRAWN("d.post_id", "d.coder", "d.decided_at") \
    "          GROUP BY subject, facet, coder) AS d JOIN facet AS f USING (facet)" \
    "    LEFT JOIN json_each(iif(f.list IS NOT NULL, d.value, '[]')) AS j" \
    "    GROUP BY subject, facet, coder, code_id))" \
    " WHERE code_id IS NOT NULL OR place = 1"
/* clang-format on */
/* Posts and problems about which a coder said something, ?1 (NULL: any coder). */
#define IS_SAID "(code_id IS NOT NULL OR value IS NOT NULL)"
