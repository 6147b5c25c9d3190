/* labels: what coders decide. The table `decision` is kept; judgement, label and problem follow from it: row by row in
 * db_decision_put, all at once in SQL_LABELS_REBUILD. */
#include "label/coding/labels.h"
#include "label/code_table.h"
#include "db/fragments.h"
#include "label/fragments.h"
#include "db/sql.h"
#include "label/coding/counted.h"
#include "label/coding/names.h"
#include "label/label.h"
#include "base/day.h"

/* --- what is read once, so that a decision costs no look-up --- */

struct named_code {
    int64_t code_id;
    struct span facet, name;
    int64_t retired_in; /* POST_ABSENT: it is given still */
};

struct names {
    struct ARRAY_OF(struct named_code) codes;
    struct ARRAY_OF(struct db_coder) coders;
    int64_t codebook_version;
    bool any_undone; /* decisions: most databases have none, and are not asked for each */
    struct arena arena;
};

/* Where a decision (:decision_id) and the one that counts are of the same time: is its id the larger one? */
#define IS_LAST_OF_TIE(table) \
    "(excluded.decided_at = " table ".decided_at AND NOT EXISTS" \
    " (SELECT 1 FROM decision AS n JOIN decision AS d USING (subject, facet, coder, decided_at)" \
    "  WHERE n.decision_id = :decision_id AND d.decision_id > :decision_id AND d." COUNTS "))"
/* Rows of problem from the labels with `condition`; of several merged coders the newest counts. Without codes: none. */
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
    " WHERE said IS NOT NULL GROUP BY subject ORDER BY max(post_id), subject" \
    " ON CONFLICT (problem_id) DO UPDATE SET post_id = excluded.post_id," \
    "  labels = excluded.labels"
/* The values that coders wrote, made again out of their decisions. */
#define VALUES_FILL \
    "DELETE FROM code WHERE NOT " IN_CODEBOOK ";" \
    "INSERT OR IGNORE INTO code (code_id, facet, name)" \
    " SELECT DISTINCT value_id(f.list, j.value), f.list, j.value" \
    " FROM facet AS f JOIN decision AS d USING (facet), json_each(d.value) AS j" \
    " WHERE f.place > 1 AND f.kind <> 'codes' AND d.undoes IS NULL AND j.type = 'text';"

static const char SQL_LABELS_REBUILD[] = VALUES_FILL "DELETE FROM judgement;" JUDGEMENT_FILL(
    "1") ";"
         "DELETE FROM label;" LABEL_FILL("1") ";"
                                              "DELETE FROM problem;" PROBLEM_FILL("1") ";";

static void drop_names(void *what)
{
    struct names *names = what;

    array_clear(&names->codes);
    array_clear(&names->coders);
    arena_clear(&names->arena);
    mem_free(names);
}

static struct sql_kind names_kind = {.drop = drop_names};

/* NULL: they were not read, or somebody wrote since. */
static struct names *names_of(const struct db *db)
{
    return sql_kept(db, &names_kind);
}

/* A coder who saw an older codebook decided by that one: `codebook review` lists it. */
static int64_t version_of(const struct db *db, const struct db_decision *decision)
{
    int64_t now = names_of(db)->codebook_version;

    return decision->seen_version > 0 && decision->seen_version < now ? decision->seen_version : now;
}

SQL(CODE_NAME_EACH, "SELECT code_id, facet, name, retired_in FROM code ORDER BY code_id");

static const char SQL_STATE[] = "SELECT (SELECT CAST(value AS INTEGER) FROM study WHERE key = 'codebook_version'),"
                                " EXISTS (SELECT 1 FROM decision WHERE undoes IS NOT NULL)";

static enum status MUST_USE read_names(struct db *db, struct err *e)
{
    const struct facets *facets;
    struct names *names = mem_zero(1, sizeof *names);
    struct named_code code;
    struct db_coder coder;
    int64_t state[2] = {0};

    sql_keep(db, &names_kind, names);
    enum status status = db_facets(db, &facets, e);
    while (sql_next_into(db, SQL_CODE_NAME_EACH, &status, e, INTO(code.code_id), INTO(code.facet), INTO(code.name),
                         INTO(code.retired_in))) {
        code.facet = arena_copy(&names->arena, code.facet);
        code.name = arena_copy(&names->arena, code.name);
        array_add(&names->codes, code);
    }
    while (db_coder_next(db, &coder, &status, e))
        array_add(&names->coders, (struct db_coder){arena_copy(&names->arena, coder.coder), coder.is_merged});
    THEN(status, sql_integers(db, SQL_STATE, state, ARRAY_LEN(state), e));
    names->codebook_version = state[0];
    names->any_undone = state[1] != 0;
    if (status != ST_OK)
        sql_keep(db, &names_kind, NULL);
    return status;
}

enum status labels_know_names(struct db *db, struct err *e)
{
    enum status status = sql_refresh(db, e);

    return status == ST_OK && names_of(db) == NULL ? read_names(db, e) : status;
}

static struct db_coder *coder_named(const struct db *db, struct span coder)
{
    struct names *names = names_of(db);
    size_t place = names != NULL ? array_find(&names->coders, coder, coder) : 0;

    return names != NULL && place < names->coders.n ? &names->coders.at[place] : NULL;
}

static const struct named_code *code_of_id(const struct names *names, int64_t code_id)
{
    return names->codes.n > 0
               ? bsearch(&code_id, names->codes.at, names->codes.n, sizeof *names->codes.at, number_order)
               : NULL;
}

struct span labels_code_name(const struct db *db, int64_t code_id)
{
    const struct named_code *code = code_of_id(names_of(db), code_id);

    return code != NULL ? code->name : (struct span){0};
}

SQL(CODER_PUT, "INSERT INTO coder (coder, is_merged) VALUES (:coder, :is_merged)"
               " ON CONFLICT (coder) DO UPDATE SET is_merged = excluded.is_merged");

static const char SQL_PROBLEMS_REBUILD[] = "DELETE FROM problem;" PROBLEM_FILL("1") ";";

/* --- coders --- */

enum status db_coder_put(struct db *db, struct span coder, bool is_merged, struct err *e)
{
    enum status status = labels_know_names(db, e);

    if (status != ST_OK)
        return status;
    struct names *names = names_of(db);
    struct db_coder *held = coder_named(db, coder);
    if (held != NULL && held->is_merged == is_merged)
        return ST_OK;
    status = sql_run(db, SQL_CODER_PUT, e, BIND(":coder", coder), BIND(":is_merged", is_merged));
    if (status != ST_OK)
        return status;
    if (held != NULL) {
        held->is_merged = is_merged;
        return sql_exec(db, SQL_PROBLEMS_REBUILD, e);
    }
    array_add(&names->coders, (struct db_coder){arena_copy(&names->arena, coder), is_merged});
    return ST_OK;
}

/* --- decisions --- */

/* A decision as it is written. */
struct entry {
    const struct db_decision *decision;
    const struct facet *facet;
    const struct db_coder *coder;
    struct span subject, decided_at;
    char subject_space[POST_ID_TEXT_SIZE], time_space[TIME_TEXT_SIZE];
    struct buf value;
    char decision_id[SHA256_TEXT_SIZE];
};

/* Whether a code, the one at `place`, can be given. */
static enum status MUST_USE check_code(const struct db *db, const struct entry *entry, size_t place,
                                       const struct named_code *code, struct err *e)
{
    const struct facet *facet = entry->facet;
    const struct db_codes *codes = &entry->decision->codes;
    struct span list = facets_kept(db)->lists[facet->list];
    bool again = codes->ids[place] == 0;

    for (size_t i = 0; i < place; i++)
        again |= codes->ids[i] == codes->ids[place];
    if (codes->n > facet->most || again)
        return err_set(e, ST_INPUT,
                       "%.*s: expected at most %zu of the facet '%s', each once, the first in the first place",
                       SPAN_ARG(entry->subject), facet->most, facet->name.ptr);
    if (code == NULL || !span_eq(code->facet, list))
        return err_set(e, ST_INPUT, "%.*s: the codebook has no code %lld of the facet '%s'", SPAN_ARG(entry->subject),
                       (long long)codes->ids[place], list.ptr);
    if (code->retired_in == POST_ABSENT)
        return ST_OK;
    return err_set(e, ST_INPUT,
                   "%.*s: '%.*s' is no longer given since version %lld of the"
                   " codebook; `ppmine codebook history` says what became of it",
                   SPAN_ARG(entry->subject), SPAN_ARG(code->name), (long long)code->retired_in);
}

static enum status MUST_USE describe(struct db *db, struct entry *entry, struct err *e)
{
    const struct db_decision *decision = entry->decision;
    enum status status = ST_OK;

    entry->coder = coder_named(db, decision->coder);
    if (entry->coder == NULL) { /* a first decision, or of somebody who came meanwhile */
        status = read_names(db, e);
        entry->coder = coder_named(db, decision->coder);
    }
    if (status != ST_OK)
        return status;
    if (entry->coder == NULL)
        return err_set(e, ST_INPUT, "there is no coder '%.*s' in the database", SPAN_ARG(decision->coder));
    if (decision->facet >= facets_kept(db)->n)
        return err_set(e, ST_INPUT, "a decision about a facet that the study does not have");
    entry->facet = &facets_kept(db)->items[decision->facet];
    entry->subject = decision->subject;
    if (decision->facet == FACET_JUDGES) {
        entry->subject = span_of(post_id_text(decision->post_id, entry->subject_space));
        buf_add_text(&entry->value, decision->is_problem ? "true" : "false");
        return ST_OK;
    }
    if (entry->subject.len == 0)
        return err_set(e, ST_INPUT, "a decision about a problem without an id");
    for (size_t i = 0; i < decision->codes.n; i++) { /* ["out of memory","memory leak"] */
        const struct named_code *code = code_of_id(names_of(db), decision->codes.ids[i]);
        status = check_code(db, entry, i, code, e);
        if (status != ST_OK || code == NULL)
            return status;
        buf_add_char(&entry->value, i > 0 ? ',' : '[');
        buf_add_json_kept(&entry->value, code->name);
    }
    buf_add_text(&entry->value, decision->codes.n > 0 ? "]" : "[]");
    return ST_OK;
}

/* "2026-11-21T01:12:21.000Z" */
static bool is_time(struct span s)
{
    return s.len == TIME_TEXT_SIZE - 1 && day_has_form(s, SPAN("0000-00-00T00:00:00.000Z"));
}

/* When a decision of :now is made: later than the one that it replaces, whatever clocks say. */
SQL(JUDGEMENT_NOW, "SELECT max(:now, strftime('%Y-%m-%dT%H:%M:%fZ', decided_at, '+0.001 seconds')), is_problem"
                   " FROM judgement WHERE post_id = :post_id AND coder = :coder");

SQL(LABEL_NOW, "SELECT max(:now, strftime('%Y-%m-%dT%H:%M:%fZ', decided_at, '+0.001 seconds')), code_id,"
               "  codebook_version"
               " FROM label WHERE subject = :subject AND facet = :facet AND coder = :coder ORDER BY place");

/* Whether what counts, of which the first row was read, says the same as the decision. */
static enum status MUST_USE says_same(struct db *db, const struct entry *entry, bool *same, struct err *e)
{
    const struct db_decision *decision = entry->decision;
    struct sql *which = SQL_LABEL_NOW;
    enum status status = ST_OK;
    size_t n = 0;

    if (decision->facet == FACET_JUDGES) {
        *same = (sql_int(db, SQL_JUDGEMENT_NOW, 1) != 0) == decision->is_problem;
        return ST_OK;
    }
    *same = !decision->anew || sql_int(db, which, 2) >= version_of(db, decision);
    for (bool row = true; row && status == ST_OK; status = sql_row(db, which, &row, e)) {
        int64_t code_id = sql_int(db, which, 1);
        if (code_id == POST_ABSENT)
            continue;
        *same &= n < decision->codes.n && decision->codes.ids[n] == code_id;
        n++;
    }
    *same &= n == decision->codes.n;
    return status;
}

SQL(REASON_NOW,
    "SELECT reason FROM decision AS d WHERE subject = :subject AND facet = :facet AND coder = :coder AND " COUNTS
    " ORDER BY decided_at DESC, decision_id DESC LIMIT 1");

/* A reason that was not given before is new, be the decision the same. */
static enum status MUST_USE says_reason(struct db *db, const struct entry *entry, bool *same, struct err *e)
{
    struct sql *which = SQL_REASON_NOW;
    enum status status = ST_OK;

    if (!*same || entry->decision->reason.len == 0)
        return ST_OK;
    *same = false;
    sql_bind(db, which, BIND(":subject", entry->subject), BIND(":facet", entry->facet->name),
             BIND(":coder", entry->decision->coder));
    while (sql_next(db, which, &status, e))
        *same = span_eq(sql_text(db, which, 0), entry->decision->reason);
    return status;
}

/* Gives a decision without a time one; *same when what counts says the same already. */
static enum status MUST_USE settle_time(struct db *db, struct entry *entry, bool *same, struct err *e)
{
    const struct db_decision *decision = entry->decision;
    struct sql *which = decision->facet == FACET_JUDGES ? SQL_JUDGEMENT_NOW : SQL_LABEL_NOW;
    bool row;

    *same = false;
    entry->decided_at = decision->decided_at;
    if (entry->decided_at.ptr != NULL && !is_time(entry->decided_at))
        return err_set(e, ST_INPUT, "'%.*s' is not a time such as 2026-11-21T01:12:21.000Z",
                       SPAN_ARG(entry->decided_at));
    if (entry->decided_at.ptr != NULL && !decision->only_changes)
        return ST_OK;
    time_now(entry->time_space);
    if (is_time(decision->now))
        memcpy(entry->time_space, decision->now.ptr, decision->now.len);
    sql_bind(db, which, BIND(":coder", decision->coder), BIND(":now", span_of(entry->time_space)));
    if (decision->facet == FACET_JUDGES)
        sql_bind_int(db, which, ":post_id", decision->post_id);
    else
        sql_bind(db, which, BIND(":subject", entry->subject), BIND(":facet", entry->facet->name));
    enum status status = sql_row(db, which, &row, e);
    *same = !row && decision->facet != FACET_JUDGES && decision->codes.n == 0;
    if (row && sql_text(db, which, 0).len == TIME_TEXT_SIZE - 1)
        memcpy(entry->time_space, sql_text(db, which, 0).ptr, TIME_TEXT_SIZE - 1);
    if (entry->decided_at.ptr == NULL)
        entry->decided_at = span_of(entry->time_space);
    if (!row)
        return status;
    status = says_same(db, entry, same, e);
    sql_reset(db, which);
    return status == ST_OK && !decision->only_changes ? says_reason(db, entry, same, e) : status;
}

SQL(DECISION_PUT,
    SQL_OR_NOTHING "INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value,"
                   "  codebook_version, spelling, reason, assisted_by) VALUES (:decision_id, :decided_at, :coder,"
                   " :subject, :post_id, :facet, :value, :codebook_version, :spelling, :reason, iif(:assisted,"
                   "  (SELECT nullif(json_group_array(coder), '[]') FROM judgement"
                   "   WHERE post_id = :post_id AND NOT " IS_PERSON("coder") "), NULL))"
                                                                             " ON CONFLICT (decision_id) DO NOTHING");

SQL(DECISION_HAS, "SELECT 1 FROM decision WHERE decision_id = :decision_id");

SQL(JUDGEMENT_PUT, SQL_OR_NOTHING "INSERT INTO judgement (post_id, coder, is_problem, decided_at)"
                                  " VALUES (:post_id, :coder, :is_problem, :decided_at)"
                                  " ON CONFLICT (post_id, coder) DO UPDATE SET is_problem = excluded.is_problem,"
                                  "  decided_at = excluded.decided_at"
                                  " WHERE excluded.decided_at > judgement.decided_at OR " IS_LAST_OF_TIE("judgement"));

SQL(PROBLEM_CLEAR, "DELETE FROM problem WHERE post_id = :post_id");

SQL(PROBLEM_PUT, SQL_OR_NOTHING PROBLEM_FILL(SUBJECTS_OF(":post_id")));

enum status labels_put_problems(struct db *db, int64_t post_id, struct err *e)
{
    static struct sql *steps[] = {SQL_PROBLEM_CLEAR, SQL_PROBLEM_PUT};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(steps) && status == ST_OK; i++)
        status = sql_run(db, steps[i], e, BIND(":post_id", post_id));
    return status;
}

SQL(LABEL_CLEAR, "DELETE FROM label WHERE " SUBJECTS_OF(":post_id") " AND coder = :coder AND decided_at < :before");

enum status labels_clear(struct db *db, int64_t post_id, struct span coder, struct span before, struct err *e)
{
    return sql_run(db, SQL_LABEL_CLEAR, e, BIND(":post_id", post_id), BIND(":coder", coder), BIND(":before", before));
}

static enum status MUST_USE put_judgement(struct db *db, const struct entry *entry, struct err *e)
{
    const struct db_decision *d = entry->decision;
    enum status status = sql_run(db, SQL_JUDGEMENT_PUT, e, BIND(":post_id", d->post_id), BIND(":coder", d->coder),
                                 BIND(":is_problem", d->is_problem), BIND(":decided_at", entry->decided_at),
                                 BIND(":decision_id", span_of(entry->decision_id)));

    if (status != ST_OK || d->is_problem)
        return status;
    /* A "no" withdraws what the coder coded of the post before. */
    status = labels_clear(db, d->post_id, d->coder, entry->decided_at, e);
    bool any = sqlite3_changes(db->handle) > 0;
    return status == ST_OK && any && entry->coder->is_merged ? labels_put_problems(db, d->post_id, e) : status;
}

/* Further codes of a facet that may have several. */
SQL(LABEL_REST_CLEAR, "DELETE FROM label WHERE subject = :subject AND facet = :facet AND coder = :coder AND place > 1");

SQL(LABEL_REST_PUT, "INSERT INTO label (subject, post_id, coder, facet, place, code_id, decided_at,"
                    "  codebook_version) VALUES (:subject, :post_id, :coder, :facet, :place, :code_id, :decided_at,"
                    " :codebook_version)");

SQL(LABEL_PUT, SQL_OR_NOTHING
    "INSERT INTO label (subject, post_id, coder, facet, place, code_id, decided_at,"
    "  codebook_version, spelling) SELECT :subject, :post_id, :coder, :facet, 1, :code_id,"
    " :decided_at, :codebook_version, :spelling WHERE :of_one_time OR NOT " WITHDRAWN(
        ":post_id", ":coder",
        ":decided_at") " ON CONFLICT (subject, facet, coder, place) DO UPDATE SET post_id = excluded.post_id,"
                       "  code_id = excluded.code_id, decided_at = excluded.decided_at,"
                       "  codebook_version = excluded.codebook_version, spelling = excluded.spelling"
                       " WHERE excluded.decided_at > label.decided_at OR " IS_LAST_OF_TIE("label"));

static enum status MUST_USE put_label(struct db *db, const struct entry *entry, struct err *e)
{
    const struct db_decision *d = entry->decision;
    struct span subject = entry->subject, facet = entry->facet->name;

    enum status status = sql_run(db, SQL_LABEL_PUT, e, BIND(":subject", subject), BIND(":post_id", d->post_id),
                                 BIND(":coder", d->coder), BIND(":facet", facet),
                                 BIND(":decision_id", span_of(entry->decision_id)),
                                 BIND(":code_id", d->codes.n > 0 ? d->codes.ids[0] : POST_ABSENT),
                                 BIND(":decided_at", entry->decided_at), BIND(":codebook_version", version_of(db, d)),
                                 BIND(":spelling", d->spelling), BIND(":of_one_time", d->of_one_time));
    /* The codes after the first one; those of before go. */
    bool has_rest = status == ST_OK && sqlite3_changes(db->handle) > 0 && entry->facet->most > 1;
    if (has_rest)
        status = sql_run(db, SQL_LABEL_REST_CLEAR, e, BIND(":subject", subject), BIND(":facet", facet),
                         BIND(":coder", d->coder));
    for (size_t i = 1; has_rest && i < d->codes.n && status == ST_OK; i++)
        status = sql_run(db, SQL_LABEL_REST_PUT, e, BIND(":subject", subject), BIND(":post_id", d->post_id),
                         BIND(":coder", d->coder), BIND(":facet", facet), BIND(":place", i + 1),
                         BIND(":code_id", d->codes.ids[i]), BIND(":decided_at", entry->decided_at),
                         BIND(":codebook_version", version_of(db, d)));
    return status == ST_OK && entry->coder->is_merged && !d->in_bulk ? labels_put_problems(db, d->post_id, e) : status;
}

SQL(DECISION_UNDONE, "SELECT 1 FROM decision WHERE undoes = :undoes");

static enum status MUST_USE put_entry(struct db *db, struct entry *entry, struct err *e)
{
    const struct db_decision *d = entry->decision;
    bool same = false, is_new = false, undone = false;
    enum status status = describe(db, entry, e);

    THEN(status, settle_time(db, entry, &same, e));
    if (status != ST_OK || same || entry->facet == NULL)
        return status;
    db_decision_id(d->coder, entry->subject, entry->facet->name, buf_span(&entry->value), entry->decided_at,
                   entry->decision_id);
    sql_bind(db, SQL_DECISION_PUT, BIND(":decision_id", span_of(entry->decision_id)),
             BIND(":decided_at", entry->decided_at), BIND(":coder", d->coder), BIND(":subject", entry->subject),
             BIND(":post_id", d->post_id), BIND(":facet", entry->facet->name), BIND(":value", buf_span(&entry->value)),
             BIND(":codebook_version", version_of(db, entry->decision)), BIND(":spelling", d->spelling),
             BIND(":reason", d->reason), BIND(":assisted", d->assisted));
    status = sql_put_once(db, SQL_DECISION_PUT, SQL_DECISION_HAS, span_of(entry->decision_id), &is_new, e);
    if (is_new && d->n_new != NULL)
        ++*d->n_new;
    if (status == ST_OK && is_new && names_of(db)->any_undone) {
        sql_bind_text(db, SQL_DECISION_UNDONE, ":undoes", span_of(entry->decision_id));
        status = sql_row(db, SQL_DECISION_UNDONE, &undone, e);
        sql_reset(db, SQL_DECISION_UNDONE);
    }
    if (status != ST_OK || !is_new || undone)
        return status;
    if (d->facet == FACET_JUDGES)
        return put_judgement(db, entry, e);
    return put_label(db, entry, e);
}

enum status db_decision_put(struct db *db, const struct db_decision *decision, struct err *e)
{
    struct entry entry = {.decision = decision};
    bool alone = sqlite3_get_autocommit(db->handle) != 0;
    enum status status = alone ? db_begin(db, e) : ST_OK;

    THEN(status, put_entry(db, &entry, e));
    buf_clear(&entry.value);
    return alone ? db_end(db, status, e) : status;
}

enum status db_problems_rebuild(struct db *db, struct err *e)
{
    return sql_exec(db, SQL_PROBLEMS_REBUILD, e);
}

enum status db_labels_rebuild(struct db *db, struct err *e)
{
    return sql_exec(db, SQL_LABELS_REBUILD, e);
}

/* --- reading --- */

enum status db_labels_read(struct db_labels *walk, struct db *db, struct err *e)
{
    *walk = (struct db_labels){0};
    return counted_read(db, 0, &walk->counted, e);
}

bool db_label_next(struct db_labels *walk, struct db_label *label)
{
    const struct counted *c = walk->counted;

    if (c == NULL || walk->at == c->rows.n)
        return false;
    const struct counted_row *row = &c->rows.at[walk->at++];
    *label = (struct db_label){
        .subject = row->subject,
        .post_id = row->post_id,
        .coder = c->coders.at[row->coder].coder,
        .coder_is_merged = c->coders.at[row->coder].is_merged,
        .facet = row->facet,
        .is_problem = row->facet == FACET_JUDGES && row->code_id == 1,
        .codes = {walk->ids, 0},
        .spelling = row->spelling != NULL ? *row->spelling : (struct span){0},
        .decided_at = row->decided_at,
    };
    if (row->facet != FACET_JUDGES && row->code_id != POST_ABSENT)
        walk->ids[label->codes.n++] = row->code_id;
    for (; walk->at < c->rows.n && c->rows.at[walk->at].place > 1; walk->at++)
        if (label->codes.n < FACET_CODES_MAX)
            walk->ids[label->codes.n++] = c->rows.at[walk->at].code_id;
    return true;
}

/* --- problems --- */

/* Numbers up to the next "]"; NULL: nobody wants them. Returns where they end. */
static const char *read_ids(const char *at, const char *end, int64_t ids[FACET_CODES_MAX], struct db_codes *codes)
{
    while (at < end && *at != ']') {
        int64_t id = 0;
        if (*at < '0' || *at > '9') {
            at++;
            continue;
        }
        for (; at < end && *at >= '0' && *at <= '9' && id < INT64_MAX / 16; at++)
            id = 10 * id + (*at - '0');
        if (codes != NULL && codes->n < FACET_CODES_MAX)
            ids[codes->n++] = id;
    }
    return at;
}

/* The codes of a problem as the database writes them: {"symptom":[12,17],"root cause":[5]}. By hand: a page of results
 * reads fifteen thousand, for which jansson takes half of the time. */
static void read_labels(struct db_problem *p, const struct facets *facets, struct span text)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    size_t facet = FACET_JUDGES;

    for (size_t i = 0; i < facets->n; i++)
        p->codes[i] = (struct db_codes){p->ids[i], 0};
    while (at < end && (at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        const char *name = at + 1, *close = name < end ? memchr(name, '"', (size_t)(end - name)) : NULL;
        if (close == NULL)
            return;
        struct span named = {name, (size_t)(close - name)};
        facet++; /* that of the one before is likely */
        if (facet >= facets->n || !span_eq(facets->items[facet].name, named))
            facet = facets_find(facets, named);
        bool known = facet < facets->n;
        at = read_ids(close + 1, end, known ? p->ids[facet] : NULL, known ? &p->codes[facet] : NULL);
    }
}

SQL(PROBLEM_EACH, "SELECT l.problem_id, l.post_id, coalesce(l.created_at, p.created_at), p.tags, l.labels, s.name"
                  " FROM problem AS l LEFT JOIN post AS p ON p.post_id = l.post_id"
                  "  LEFT JOIN site AS s ON s.site_id = l.post_id >> 53"
                  " ORDER BY l.post_id, length(l.problem_id), l.problem_id");

bool db_problem_next(struct db *db, struct db_problem *problem, enum status *status, struct err *e)
{
    const struct facets *facets = NULL;
    struct span labels;

    THEN(*status, db_facets(db, &facets, e));
    bool row = sql_next_into(db, SQL_PROBLEM_EACH, status, e, INTO(problem->problem_id), INTO(problem->post_id),
                             INTO(problem->created_at), INTO(problem->tags), INTO(labels), INTO(problem->site));
    if (row && facets != NULL)
        read_labels(problem, facets, labels);
    return row;
}

SQL(PROBLEM_DATE_PUT, "INSERT INTO problem_date (problem_id, created_at) VALUES (:problem_id, :created_at)"
                      " ON CONFLICT (problem_id) DO UPDATE SET created_at = excluded.created_at");

SQL(PROBLEM_DATE_COPY, SQL_OR_NOTHING "UPDATE problem SET created_at = :created_at WHERE problem_id = :problem_id");

enum status db_problem_date_put(struct db *db, struct span problem_id, struct span created_at, struct err *e)
{
    static struct sql *puts[] = {SQL_PROBLEM_DATE_PUT, SQL_PROBLEM_DATE_COPY};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(puts) && status == ST_OK; i++)
        status = sql_run(db, puts[i], e, BIND(":problem_id", problem_id), BIND(":created_at", created_at));
    return status;
}

SQL(ASSESSMENT_PUT, "INSERT INTO assessment (problem_id, approach, status, library) VALUES (:problem_id, :approach,"
                    " :status, :library)"
                    " ON CONFLICT (problem_id, approach) DO UPDATE SET status = excluded.status,"
                    "  library = excluded.library");

/* --- the benchmark --- */

enum status db_assessment_put(struct db *db, const struct db_assessment *assessment, struct err *e)
{
    return sql_run(db, SQL_ASSESSMENT_PUT, e, BIND(":problem_id", assessment->problem_id),
                   BIND(":approach", assessment->approach), BIND(":status", assessment->status),
                   BIND(":library", assessment->library.len > 0 ? assessment->library : (struct span){0}));
}

SQL(ASSESSMENT_EACH, "SELECT problem_id, approach, status, library FROM assessment"
                     " ORDER BY " BY_PROBLEM("problem_id") ", approach");

bool db_assessment_next(struct db *db, struct db_assessment *assessment, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_ASSESSMENT_EACH, status, e, INTO(assessment->problem_id), INTO(assessment->approach),
                         INTO(assessment->status), INTO(assessment->library));
}
