/* trial: which candidates another keyword set would give, beside those that there are. */
#include "match/corpus/derived.h"
#include "db/posts.h"
#include "db/sql.h"
#include "db/study.h"
#include "match/corpus/mine.h"
#include "match/corpus/post_text.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/signals.h"
#include "base/table/table.h"

/* A keyword in a post; ordered by post. */
struct occurrence {
    int64_t post_id;
    size_t keyword; /* place in the trial's keywords */
};

struct occurrences {
    struct ARRAY_OF(struct occurrence) list;
    size_t at;                      /* while the posts are compared */
    struct ARRAY_OF(size_t) places; /* in the trial's keywords, of each keyword of the set */
};

struct verdict {
    int64_t post_id;
    bool is_problem;
};

struct trying {
    struct mine_trial *out;
    const struct match_set *set;
    struct post_text text;
    bool answers_too;
    struct occurrences before, after;
    struct ARRAY_OF(struct verdict) verdicts; /* by post */
    size_t verdict_at;
    struct ARRAY_OF(struct span) stems; /* of the trial's keywords */
    struct ARRAY_OF(int64_t) unsure;    /* posts that the index cannot tell about */
    struct progress progress;
    uint64_t n_posts;
};

/* Keywords with the same stems look for the same, however they are printed. */
static void add_keyword(struct trying *t, struct occurrences *of, struct span keyword, struct span stems)
{
    struct arena *arena = &t->out->arena;
    size_t place = span_among(stems, t->stems.at, t->stems.n);

    if (place == t->stems.n) {
        array_add(&t->stems, arena_copy(arena, stems));
        array_add(&t->out->keywords, (struct mine_trial_keyword){.keyword = arena_copy(arena, keyword)});
    }
    array_add(&of->places, place);
}

/* --- what there is --- */

static void add_stored_keyword(void *ctx, const struct db_keyword *k, int64_t candidates, int64_t posts, int64_t hits)
{
    struct trying *t = ctx;

    (void)candidates;
    (void)posts;
    (void)hits;
    add_keyword(t, &t->before, k->keyword, k->stems);
}

/* --- what the other set finds --- */

static void find(struct trying *t, int64_t post_id)
{
    for (enum field field = FIELD_TITLE; field < FIELDS; field++) {
        const struct hit *hits;
        size_t n = post_text_find(&t->text, field, &hits);
        for (size_t i = 0; i < n; i++)
            array_add(&t->after.list, (struct occurrence){post_id, t->after.places.at[hits[i].keyword]});
    }
}

static int compare_occurrences(const void *a, const void *b)
{
    const struct occurrence *left = a, *right = b;

    if (left->post_id != right->post_id)
        return left->post_id < right->post_id ? -1 : 1;
    return (left->keyword > right->keyword) - (left->keyword < right->keyword);
}

/* Each once, by post and then by place of the keyword. */
static void sort_found(struct occurrences *of)
{
    size_t n = 0;

    array_sort(&of->list, compare_occurrences);
    for (size_t i = 0; i < of->list.n; i++)
        if (n == 0 || compare_occurrences(&of->list.at[n - 1], &of->list.at[i]) != 0)
            of->list.at[n++] = of->list.at[i];
    of->list.n = n;
}

/* --- found by the full-text index --- */

SQL(SEARCH_IDS, "SELECT s.rowid FROM post_search AS s CROSS JOIN post AS p ON p.post_id = s.rowid"
                " WHERE post_search MATCH :words"
                "  AND (p.post_type = 'question' OR (:answers AND p.post_type = 'answer'))");

/* One word is where the index says. Of several the index does not know the ends of lines, nor what is in a
 * gap, and of what is near an exclusion not what is inside of it: these posts are read. */
static enum status MUST_USE find_pattern(struct trying *t, struct db *db, const struct match_pattern *p, struct err *e)
{
    bool exclusion = p->keyword == MATCH_EXCLUSION, sure = p->n_words == 1 && !exclusion;
    unsigned fields = exclusion ? KEYWORD_IN_ALL : match_set_keyword(t->set, p->keyword)->fields;
    AT_END(buf_clear) struct buf query = {0};
    enum status status = ST_OK;

    if (!t->text.matched[FIELD_TITLE])
        fields &= ~(unsigned)KEYWORD_IN_TITLE;
    if (!t->text.matched[FIELD_BODY])
        fields &= ~(unsigned)KEYWORD_IN_BODY;
    if (fields == 0)
        return ST_OK;
    /* What FTS5 is asked for: {title body} : ("run slow"). */
    buf_addf(&query, "{%s%s} : (\"", fields & KEYWORD_IN_TITLE ? "title " : "", fields & KEYWORD_IN_BODY ? "body" : "");
    for (size_t i = 0; i < p->n_words; i++) {
        if (!token_is_whole(p->stems[i])) /* nothing matches it */
            return ST_OK;
        buf_add_text(&query, i == 0 ? "" : p->has_gap ? "\" AND \"" : " ");
        buf_add_span(&query, p->stems[i]);
    }
    buf_add_text(&query, "\")");
    sql_bind(db, SQL_SEARCH_IDS, BIND(":words", buf_span(&query)), BIND(":answers", t->answers_too));
    while (sql_next(db, SQL_SEARCH_IDS, &status, e)) {
        int64_t post_id = sql_int(db, SQL_SEARCH_IDS, 0);
        if (sure)
            array_add(&t->after.list, (struct occurrence){post_id, t->after.places.at[p->keyword]});
        else
            array_add(&t->unsure, post_id);
    }
    return status;
}

SQL(MATCHED_TEXT, "SELECT title, body FROM post_text WHERE post_id = :post_id");

static enum status MUST_USE search_posts(struct trying *t, struct db *db, struct err *e)
{
    enum status status = ST_OK;

    log_debug("answered from the full-text index");
    for (size_t i = 0; i < match_set_patterns(t->set) && status == ST_OK; i++) {
        struct match_pattern p = match_set_pattern(t->set, i);
        status = find_pattern(t, db, &p, e);
    }
    if (status != ST_OK)
        return status;
    /* Of posts that are read, what the index said before is dropped. */
    size_t kept = 0, at = 0;
    array_sort(&t->unsure, number_order);
    sort_found(&t->after);
    for (size_t i = 0; i < t->after.list.n; i++) {
        int64_t id = t->after.list.at[i].post_id;
        while (at < t->unsure.n && t->unsure.at[at] < id)
            at++;
        if (at == t->unsure.n || t->unsure.at[at] != id)
            t->after.list.at[kept++] = t->after.list.at[i];
    }
    t->after.list.n = kept;
    for (size_t i = 0; i < t->unsure.n && status == ST_OK; i++) {
        if (i > 0 && t->unsure.at[i] == t->unsure.at[i - 1])
            continue;
        sql_bind_int(db, SQL_MATCHED_TEXT, ":post_id", t->unsure.at[i]);
        while (sql_next(db, SQL_MATCHED_TEXT, &status, e)) {
            post_text_set(&t->text, sql_text(db, SQL_MATCHED_TEXT, 0), sql_text(db, SQL_MATCHED_TEXT, 1));
            find(t, t->unsure.at[i]);
        }
    }
    return status;
}

/* FTS5 cuts words that are longer. */
static bool has_long_word(const struct match_set *set)
{
    enum { LONGEST = 1000 };

    for (size_t i = 0; i < match_set_patterns(set); i++) {
        struct match_pattern p = match_set_pattern(set, i);
        for (size_t k = 0; k < p.n_words; k++)
            if (p.stems[k].len > LONGEST)
                return true;
    }
    return false;
}

/* --- found in the posts --- */

static enum status try_post(void *ctx, const struct post *post, struct err *e)
{
    struct trying *t = ctx;

    if ((post->type == POST_QUESTION || (t->answers_too && post->type == POST_ANSWER)) &&
        (match_possible(t->set, post->title) || match_possible(t->set, post->body_html))) {
        post_text_extract(&t->text, post->title, post->body_html);
        find(t, post->post_id);
    }
    progress_update(&t->progress, ++t->n_posts, "");
    if (!signals_stop_asked())
        return ST_OK;
    return err_set(e, (enum status)signals_exit_code(), "stopped");
}

/* --- comparing --- */

static void count(struct mine_trial_count *c, const struct mine_trial_post *post)
{
    c->candidates++;
    c->judged += post->judged;
    c->problems += post->is_problem;
}

/* The keywords of the post, in front of the list; how many. */
static size_t of_post(const struct occurrences *of, int64_t post_id)
{
    size_t n = 0;

    while (of->at + n < of->list.n && of->list.at[of->at + n].post_id == post_id)
        n++;
    return n;
}

static void compare_post(struct trying *t, int64_t post_id)
{
    struct mine_trial *out = t->out;
    size_t n_before = of_post(&t->before, post_id), n_after = of_post(&t->after, post_id);
    struct mine_trial_post post = {.post_id = post_id, .gained = n_before == 0};
    const struct occurrences *of = post.gained ? &t->after : &t->before;

    while (t->verdict_at < t->verdicts.n && t->verdicts.at[t->verdict_at].post_id < post.post_id)
        t->verdict_at++;
    post.judged = t->verdict_at < t->verdicts.n && t->verdicts.at[t->verdict_at].post_id == post.post_id;
    post.is_problem = post.judged && t->verdicts.at[t->verdict_at].is_problem;
    if (n_before > 0)
        count(&out->before, &post);
    if (n_after > 0)
        count(&out->after, &post);
    for (size_t i = 0; i < n_before; i++)
        count(&out->keywords.at[t->before.list.at[t->before.at + i].keyword].before, &post);
    for (size_t i = 0; i < n_after; i++)
        count(&out->keywords.at[t->after.list.at[t->after.at + i].keyword].after, &post);
    if (n_before > 0 && n_after > 0) {
        count(&out->both, &post);
    } else {
        size_t n = n_before + n_after;
        for (size_t i = 0; i < n; i++) {
            struct mine_trial_keyword *k = &out->keywords.at[of->list.at[of->at + i].keyword];
            count(post.gained ? &k->gained : &k->lost, &post);
        }
        count(post.gained ? &out->gained : &out->lost, &post);
        AT_END(buf_clear) struct buf names = {0};
        for (size_t i = 0; i < n; i++) {
            buf_add_text(&names, i > 0 ? ", " : "");
            buf_add_span(&names, out->keywords.at[of->list.at[of->at + i].keyword].keyword);
        }
        post.keywords = arena_copy(&out->arena, buf_span(&names));
        array_add(&out->posts, post);
    }
    t->before.at += n_before;
    t->after.at += n_after;
}

/* Each post that was judged, by id: as a merged coder did, else as any coder said yes. */
SQL(VERDICT_EACH, "SELECT post_id, coalesce(max(is_problem) FILTER (WHERE is_merged), max(is_problem))"
                  " FROM judgement JOIN coder USING (coder) WHERE substr(coder, 1, 6) <> 'model:'"
                  " GROUP BY post_id ORDER BY post_id");

SQL(CANDIDATE_EACH_KEYWORD, "SELECT DISTINCT c.post_id, h.keyword_id FROM candidate_post AS c JOIN hit AS h"
                            " USING (post_id) ORDER BY c.post_id, h.keyword_id");

/* Are texts and index those of the posts as they are now, made with these settings? A run that is not about labels may
 * have brought posts. */
SQL(MATCH_IS_CURRENT, "SELECT json_extract(r.parameters, '$.include_code') = :include_code"
                      "  AND coalesce(json_extract(r.parameters, '$.stemmer'), :stemmer) = :stemmer"
                      "  AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'post_search'"
                      "   AND sql LIKE '%tokenize = ''ascii''%')"
                      "  AND NOT EXISTS (SELECT 1 FROM run AS o WHERE o.run_id > r.run_id"
                      "   AND o.command NOT LIKE 'label %')"
                      " FROM run AS r WHERE r.command = 'match' AND r.outcome = 'done'"
                      " ORDER BY r.run_id DESC LIMIT 1");

static enum status MUST_USE try_set(struct trying *t, struct db *db, struct span stemmer, struct err *e)
{
    int64_t current = POST_ABSENT;
    enum status status = db_keyword_each(db, add_stored_keyword, t, e);

    for (size_t i = 0; i < match_set_size(t->set); i++) {
        const struct keyword *k = match_set_keyword(t->set, i);
        add_keyword(t, &t->after, k->text, k->stems);
    }
    while (sql_next(db, SQL_CANDIDATE_EACH_KEYWORD, &status, e)) {
        int64_t keyword_id = sql_int(db, SQL_CANDIDATE_EACH_KEYWORD, 1); /* place in the set, from 1 */
        if (keyword_id > 0 && (size_t)keyword_id <= t->before.places.n)
            array_add(&t->before.list, (struct occurrence){sql_int(db, SQL_CANDIDATE_EACH_KEYWORD, 0),
                                                           t->before.places.at[keyword_id - 1]});
    }
    while (sql_next(db, SQL_VERDICT_EACH, &status, e))
        array_add(&t->verdicts,
                  (struct verdict){sql_int(db, SQL_VERDICT_EACH, 0), sql_int(db, SQL_VERDICT_EACH, 1) != 0});
    sql_bind(db, SQL_MATCH_IS_CURRENT, BIND(":include_code", (t->text.options & TEXT_INCLUDE_CODE) != 0),
             BIND(":stemmer", stemmer));
    THEN(status, sql_one_int(db, SQL_MATCH_IS_CURRENT, &current, e));
    if (status == ST_OK && current == 1 && !has_long_word(t->set)) {
        status = search_posts(t, db, e);
    } else if (status == ST_OK) {
        int64_t questions = 0, answers = 0, others = 0;
        status = db_post_count(db, &questions, &answers, &others, e);
        progress_begin(&t->progress, "matching", (uint64_t)(questions + answers + others));
        THEN(status, db_post_each_text(db, try_post, t, e));
        progress_end(&t->progress);
    }
    sort_found(&t->after);
    while (status == ST_OK && (t->before.at < t->before.list.n || t->after.at < t->after.list.n)) {
        int64_t before = t->before.at < t->before.list.n ? t->before.list.at[t->before.at].post_id : INT64_MAX;
        int64_t after = t->after.at < t->after.list.n ? t->after.list.at[t->after.at].post_id : INT64_MAX;
        compare_post(t, before < after ? before : after);
    }
    return status;
}

enum status mine_try(struct db *db, const struct mine_how *how, struct mine_trial *out, struct err *e)
{
    struct trying t = {.out = out};
    AT_END(study_clear) struct study study = {0};
    struct match_set *set = NULL;
    AT_END(buf_clear) struct buf content = {0};
    enum status status = db_study_load(&study, db, e);

    *out = (struct mine_trial){.before = {0}};
    THEN(status, mine_set(&set, &study, how->keywords_path, how->match, &content, e));
    if (status == ST_OK) {
        t.set = set;
        t.answers_too = study.candidate_answers;
        post_text_init(&t.text, set, &study, how->text);
        status = try_set(&t, db, study.stemmer, e);
        post_text_clear(&t.text);
    }
    array_clear(&t.before.list);
    array_clear(&t.before.places);
    array_clear(&t.after.list);
    array_clear(&t.after.places);
    array_clear(&t.verdicts);
    array_clear(&t.stems);
    array_clear(&t.unsure);
    match_set_free(set);
    return status;
}

void mine_trial_clear(struct mine_trial *trial)
{
    array_clear(&trial->keywords);
    array_clear(&trial->posts);
    arena_clear(&trial->arena);
    *trial = (struct mine_trial){.before = {0}};
}

/* --- the tables --- */

static void add_counts(struct table *t, const struct mine_trial_count *c)
{
    table_add_row(t, table_int((int64_t)c->candidates), table_int((int64_t)c->judged), table_int((int64_t)c->problems));
}

static void add_keywords(struct table_list *r, const struct mine_trial *trial)
{
    struct table *t = table_list_add(r, "trial-keywords", "Keyword by keyword");

    table_columns(t,
                  "keyword; now int; candidates int = with this set; gained int; gained_judged int = judged;"
                  " gained_problems int = problems; lost int; lost_judged int = judged; lost_problems int = problems");
    for (size_t i = 0; i < trial->keywords.n; i++) {
        const struct mine_trial_keyword *k = &trial->keywords.at[i];
        table_add_row(t, table_text(k->keyword), table_int((int64_t)k->before.candidates),
                      table_int((int64_t)k->after.candidates));
        add_counts(t, &k->gained);
        add_counts(t, &k->lost);
    }
    table_note(t, "Gained and lost: candidates with this keyword; one with several is in each.");
}

static void add_posts(struct table_list *r, const struct mine_trial *trial, size_t limit)
{
    struct table *t = table_list_add(r, "trial-posts", "Posts gained and lost");

    table_columns(t, "post_id int; change; judged; keywords");
    for (size_t i = 0; i < trial->posts.n && (limit == 0 || i < limit); i++) {
        const struct mine_trial_post *post = &trial->posts.at[i];
        struct span verdict = post->is_problem ? SPAN("problem") : SPAN("no problem");
        table_add_row(t, table_int(post->post_id), table_text(post->gained ? SPAN("gained") : SPAN("lost")),
                      post->judged ? table_text(verdict) : table_absent(), table_text(post->keywords));
    }
    if (limit > 0 && trial->posts.n > limit)
        table_note(t, "The first %zu of %zu; --limit 0 prints all.", limit, trial->posts.n);
}

void mine_trial_print(const struct mine_trial *trial, size_t limit, const struct table_output *out)
{
    AT_END(table_list_clear) struct table_list r = {0};

    static const char *const words[] = {"now", "with this set", "both", "gained", "lost"};
    const struct mine_trial_count *counts[] = {&trial->before, &trial->after, &trial->both, &trial->gained,
                                               &trial->lost};
    struct table *t = table_list_add(&r, "trial", "Candidates now and with this set");

    table_columns(t, "which; candidates int; judged int; problems int");
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        table_add_text(t, span_of(words[i]));
        add_counts(t, counts[i]);
    }
    table_note(t, "Judged: by any coder. Problems: as the merged labels say, else if any coder said yes."
                  " Nothing was written; --replace takes this set.");
    add_keywords(&r, trial);
    if (trial->posts.n > 0 || out->format != TABLE_AS_TEXT)
        add_posts(&r, trial, limit);
    table_list_print(&r, out);
}

void mine_trial_say(const struct mine_trial *trial)
{
    log_info("candidates: %zu before, %zu now; gained: %zu, of which judged: %zu; lost: %zu, of"
             " which judged: %zu (problems: %zu)",
             trial->before.candidates, trial->after.candidates, trial->gained.candidates, trial->gained.judged,
             trial->lost.candidates, trial->lost.judged, trial->lost.problems);
    if (trial->lost.judged > 0)
        log_warn("judged posts that are no longer candidates: %zu; they keep their labels, and agree and stats count"
                 " them, but progress and label next do not; plain `ppmine match` returns to the study's keywords",
                 trial->lost.judged);
}
