/* model_examples: what coders settled, as examples for a language model; never of posts on which it is measured. */
#include "label/coding/model.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "db/sql.h"
#include "label/fragments.h"

enum { EXAMPLE_TEXT_MAX = 2000 }; /* bytes of a post that are sent as an example */

/* Of each code (and of no) one post after the other, so that few examples show many codes. */
SQL(MODEL_EXAMPLES,
    "WITH said AS (SELECT l.post_id, l.coder, l.facet || ' ' || l.code_id AS what FROM label AS l"
    "   JOIN coder AS c USING (coder) WHERE c.is_merged AND l.code_id IS NOT NULL"
    "  UNION SELECT j.post_id, j.coder, 'no' FROM judgement AS j JOIN coder AS c USING (coder)"
    "   WHERE c.is_merged AND NOT j.is_problem),"
    " person AS (SELECT post_id, coder FROM judgement UNION SELECT post_id, coder FROM label),"
    " marked AS (SELECT post_id, coder, what,"
    "   CASE WHEN post_id IN (SELECT value FROM json_each(:posts)) THEN 1"
    "    WHEN (SELECT count(*) FROM person AS p JOIN coder AS c USING (coder)"
    "          WHERE p.post_id = said.post_id AND NOT c.is_merged AND " IS_PERSON(
        "p.coder") ") > 1 THEN 2"
                   "    WHEN EXISTS (SELECT 1 FROM model_request AS r WHERE r.coder = :coder AND r.post_id = said.post_id) THEN 3"
                   "    WHEN NOT EXISTS (SELECT 1 FROM post AS h WHERE h.post_id = said.post_id AND h.body_html IS NOT NULL) THEN 4"
                   "    ELSE 0 END AS reason FROM said)"
                   " SELECT post_id, min(coder), reason FROM (SELECT post_id, coder, reason,"
                   "   row_number() OVER (PARTITION BY what, reason ORDER BY post_id) AS nth FROM marked)"
                   " GROUP BY post_id ORDER BY min(nth), post_id");

static enum status MUST_USE add_example(struct model_task *t, int64_t post_id, struct span coder, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};
    AT_END(act_said_clear) struct act_said said = {0};
    enum status status = model_post_text(t, post_id, &text, e);

    THEN(status, act_said_read(&said, t->db, t->book, coder, post_id, e));
    if (status != ST_OK)
        return status;
    struct buf *out = &t->example_texts;
    bool cut = text.len > EXAMPLE_TEXT_MAX;
    if (cut)
        text.len = utf8_valid_prefix((struct span){text.ptr, EXAMPLE_TEXT_MAX});
    buf_addf(&t->examples, "%s%" PRId64, t->examples.len > 0 ? "," : "[", post_id);
    buf_add_text(out, out->len > 0 ? ""
                                   : "Posts that the coders of the study settled, as examples, with their codes but"
                                     " without the quotes and reasons that your answer needs.\n\n");
    buf_addf(out, "Example:\n=====\n%.*s%s\n=====\nCodes: {\"judgement\":\"%s\",\"problems\":[", SPAN_ARG(text),
             cut ? "\n[cut here]" : "", said.is_problem || said.problems.n > 0 ? "yes" : "no");
    for (size_t i = 0; i < said.problems.n; i++) {
        buf_add_text(out, i > 0 ? "," : "");
        model_codes_add(t, said.problems.at[i].codes, out);
    }
    buf_add_text(out, "]}\n\n");
    return ST_OK;
}

enum status model_examples_read(struct model_task *t, size_t most, const int64_t *posts, size_t n_posts,
                                struct model_examples *out, struct err *e)
{
    AT_END(buf_clear) struct buf list = {0};
    struct ARRAY_OF(struct chosen {
        int64_t post_id;
        struct span coder;
    }) chosen = {0};
    AT_END(arena_clear) struct arena arena = {0};
    enum status status = ST_OK;

    *out = (struct model_examples){0};
    for (size_t i = 0; i < n_posts; i++)
        buf_addf(&list, "%s%" PRId64, i > 0 ? "," : "[", posts[i]);
    buf_add_text(&list, n_posts > 0 ? "]" : "[]");
    sql_bind(t->db, SQL_MODEL_EXAMPLES, BIND(":posts", buf_span(&list)), BIND(":coder", t->coder));
    while (sql_next(t->db, SQL_MODEL_EXAMPLES, &status, e)) {
        size_t reason = (size_t)sql_int(t->db, SQL_MODEL_EXAMPLES, 2);
        out->settled++;
        out->left_out[reason] += reason > 0 || chosen.n == most;
        if (reason == 0 && chosen.n < most)
            array_add(&chosen, ((struct chosen){sql_int(t->db, SQL_MODEL_EXAMPLES, 0),
                                                arena_copy(&arena, sql_text(t->db, SQL_MODEL_EXAMPLES, 1))}));
    }
    for (size_t i = 0; i < chosen.n && status == ST_OK; i++)
        status = add_example(t, chosen.at[i].post_id, chosen.at[i].coder, e);
    out->taken = chosen.n;
    if (chosen.n > 0)
        buf_add_char(&t->examples, ']');
    model_task_hash(t);
    array_clear(&chosen);
    return status;
}

SQL(MODEL_EXAMPLES_BEFORE,
    "SELECT DISTINCT j.value FROM (SELECT DISTINCT examples FROM model_request WHERE coder = :coder"
    " AND json_valid(examples)) AS r, json_each(r.examples) AS j WHERE typeof(j.value) = 'integer'");

enum status model_examples_before(const struct model_task *t, struct queue_list *out, struct err *e)
{
    enum status status = ST_OK;
    int64_t post_id;

    sql_bind_text(t->db, SQL_MODEL_EXAMPLES_BEFORE, ":coder", t->coder);
    while (sql_next_into(t->db, SQL_MODEL_EXAMPLES_BEFORE, &status, e, INTO(post_id)))
        array_add(out, post_id);
    return status;
}
