/* package_models: what language models were asked and answered, and the page that reviewers ask for. */
#include "report/package.h"

#include <inttypes.h>

#include "db/sql.h"
#include "label/coding/model.h"
#include "label/fragments.h"

/* One line for each coder, prompt and model: what was used, and what came of it. */
SQL(PACKAGE_MODELS,
    "SELECT r.coder, json_extract(iif(json_valid(r.request), r.request, '{}'), '$.model'),"
    "  coalesce(a.model, ''), r.api_url, min(r.sent_at), max(r.sent_at), r.prompt_sha256, count(*),"
    "  count(*) FILTER (WHERE a.outcome = 'yes'), count(*) FILTER (WHERE a.outcome = 'no'),"
    "  count(*) FILTER (WHERE a.outcome = 'unsure'), count(*) FILTER (WHERE a.outcome IN ('invalid', 'failed')),"
    "  count(*) FILTER (WHERE a.outcome IS NULL), total(a.tokens_in), total(a.tokens_out),"
    "  coalesce(round(sum(a.price), 6), ''),"
    "  json_extract(iif(json_valid(r.request), r.request, '{}'), '$.temperature'),"
    "  group_concat(DISTINCT json_extract(iif(json_valid(r.request), r.request, '{}'), '$.seed')), max(r.run),"
    "  coalesce(r.examples, '')"
    " FROM model_request AS r LEFT JOIN model_answer AS a USING (request_id)"
    " GROUP BY r.coder, r.prompt_sha256, a.model, r.api_url ORDER BY min(r.request_id)");

static const char ROLE[] =
    "\nA model labels as a coder whose name begins with `model:`. Its labels are in `data/decisions.csv`\n"
    "and `data/coding.csv` under that name; of several runs, those of the first. Statistics count what people settled.\n"
    "`ppmine agree --all` on the database prints how far models agree with people.\n\n";

static const char RECORD[] =
    "\n`models/requests.jsonl` has each request and each answer, as they were sent and received, with their times, the\n"
    "hash of the prompt, and what became of the answer. An answer in another form than was asked for, with an unknown\n"
    "code, or with a quoted passage that the post does not have, is `invalid`: the post was asked about twice more, and\n"
    "the model counts as unsure after that. A request without an outcome was under way when the program ended.\n";

static const char WITHOUT_TEXT[] =
    "The texts of posts are not in this package, so each request is without the post, and each answer without its\n"
    "words, which quote it; outcome and labels are as they were.\n";

static const char OPEN[] =
    "\n## For the authors to write\n\n"
    "The guidelines for studies with language models (llm-guidelines.org) ask for what no program knows:\n\n"
    "- Why was this model chosen, and why is it fit for the task? What is its exact version, where the name above is\n"
    "  none, and may others use it?\n"
    "- How was the prompt developed, and on which posts? Were they other posts than those it was measured on?\n"
    "- Who looked at the model's labels, at which, and with what result?\n"
    "- What does an open model answer?\n"
    "- Can the posts be in what the model was trained on? Which limits follow for the conclusions?\n"
    "- Was anything sent that its authors would not want to be sent?\n";

static void add_use(struct db *db, struct buf *out)
{
    struct sql *all = SQL_PACKAGE_MODELS;
    /* clang-format off */
    static const char *const names[] = {"coder", "model that was asked for", "model that answered", "server",
                                        "first request", "last request", "SHA-256 of the prompt", "requests",
                                        "judged yes", "judged no", "unsure", "invalid or failed", "without an answer",
                                        "tokens sent", "tokens received", "price", "temperature", "seed", "runs", "posts in the prompt as examples"};
    /* clang-format on */

    for (int i = 0; i < (int)ARRAY_LEN(names); i++) {
        struct span value = sql_text(db, all, i);
        buf_addf(out, "%s%s: ", i == 0 ? "\n- " : "  ", names[i]);
        if (value.len == 0)
            buf_add_text(out, "not said");
        else
            table_escape_markdown(out, value);
        buf_add_text(out, i + 1 < (int)ARRAY_LEN(names) ? "  \n" : "\n");
    }
}

/* In which facets a model counted as one of two, and of how many labels. */
static enum status MUST_USE add_declared(const struct package *p, struct buf *out, struct err *e)
{
    const struct facets *facets = NULL;
    enum status status = db_facets(p->copy, &facets, e);
    size_t n = 0;

    for (size_t i = 0; status == ST_OK && i < facets->n; i++) {
        if (!facets->items[i].model_codes)
            continue;
        buf_add_text(out, n++ == 0
                              ? "The study declares facets that a model codes as one of two, where exactly one person"
                                " coded. What\nboth said alike was agreed, what differed a person settled:\n\n"
                              : "");
        buf_addf(out, "- %s: of %" PRId64 " settled labels, %" PRId64 " are of one person and a model\n",
                 facets->items[i].typed.ptr, p->settled[i].settled, p->settled[i].with_model);
    }
    buf_add_text(out, n > 0 ? "\n"
                            : "The study declares no facet that a model codes as one of two: no label of a model"
                              " was settled or counted as\nagreed by the program.\n\n");
    return status;
}

static const char SQL_ASSISTED[] = "SELECT count(*), count(assisted_by) FROM decision"
                                   " WHERE undoes IS NULL AND " IS_PERSON(
                                       "coder") " AND coder NOT IN (SELECT coder FROM coder WHERE is_merged)";

enum status package_models(struct package *p, struct err *e)
{
    AT_END(buf_clear) struct buf record = {0};
    enum status status = model_record_add(p->copy, &record, e);

    if (status == ST_OK && record.len > 0) {
        status = package_folder(p, "models", e);
        THEN(status, package_write(p, "models/requests.jsonl", buf_span(&record), e));
        if (status == ST_OK) {
            AT_END(buf_clear) struct buf text = {0};

            buf_add_text(&text, "# Language models as coders\n");
            buf_add_text(&text, ROLE);
            status = add_declared(p, &text, e);
            int64_t n[2] = {0}; /* as check.py counts it again */
            THEN(status, sql_integers(p->copy, SQL_ASSISTED, n, ARRAY_LEN(n), e));
            buf_addf(&text,
                     "Of %" PRId64 " decisions of people, %" PRId64
                     " were made while the labels of a model were shown.\n\n",
                     n[0], n[1]);
            buf_add_text(&text, "## What was used\n");
            while (sql_next(p->copy, SQL_PACKAGE_MODELS, &status, e))
                add_use(p->copy, &text);
            buf_add_text(&text, RECORD);
            if (!p->wanted->with_text)
                buf_add_text(&text, WITHOUT_TEXT);
            buf_add_text(&text, OPEN);
            THEN(status, package_write(p, "MODELS.md", buf_span(&text), e));
        }
    }
    return status;
}
