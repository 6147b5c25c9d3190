/* act: what one coder says about a post and its problems, and how that changes. */
#include "coding/act.h"

#include "coding/coders.h"
#include "db/decisions.h"
#include "db/labels.h"

enum { FIRST = FACET_JUDGES + 1 }; /* the facets of problems begin here */

const struct facet *act_facets(const struct stored_codebook *book, size_t *n)
{
    *n = book->facets->n - FIRST;
    return book->facets->items + FIRST;
}

struct span act_list(const struct stored_codebook *book, const struct facet *facet)
{
    return book->facets->lists[facet->list];
}

static size_t count_of(const struct stored_codebook *book)
{
    return book->facets->n - FIRST;
}

/* --- what was said --- */

struct reading {
    struct act_said *said;
    const struct stored_codebook *book;
};

static size_t place_of(const struct stored_codebook *book, int64_t code_id)
{
    size_t place = 0;

    while (place < book->codebook.n_codes && book->code_ids[place] != code_id)
        place++;
    return place;
}

static void read_codes(const struct stored_codebook *book, struct db_codes codes,
                       struct act_codes *out)
{
    for (size_t i = 0; i < codes.n && out->n < ACT_CODES_MAX; i++) {
        size_t place = place_of(book, codes.ids[i]);
        if (place < book->codebook.n_codes)
            out->at[out->n++] = place;
    }
}

static void read_coding(void *ctx, const struct db_coding *coding)
{
    const struct reading *r = ctx;
    struct act_problem problem = {0};
    bool any = false;

    r->said->is_judged |= coding->is_judged;
    r->said->is_problem |= coding->is_problem;
    for (size_t i = 0; i < count_of(r->book); i++) {
        read_codes(r->book, coding->codes[FIRST + i], &problem.codes[i]);
        problem.has[i] = coding->codes[FIRST + i].n > 0;
        any |= problem.has[i];
    }
    if (!any || r->said->problems.n == ACT_PROBLEMS_MAX)
        return;
    problem.subject = arena_copy(&r->said->arena, coding->subject);
    array_add(&r->said->problems, problem);
}

enum status act_said_read(struct act_said *out, struct db *db, const struct stored_codebook *book,
                          struct span coder, int64_t post_id, struct err *e)
{
    struct reading reading = {.said = out, .book = book};
    struct buf posts = {0};
    bool judged, is_problem;

    *out = (struct act_said){0};
    buf_addf(&posts, "[%lld]", (long long)post_id);
    struct db_coding_query query = {.coder = coder, .posts = buf_span(&posts)};
    enum status status = db_coding_each(db, &query, read_coding, &reading, e);
    if (status == ST_OK)
        status = db_is_judged(db, coder, post_id, &judged, &is_problem, e);
    if (status == ST_OK) {
        out->is_judged = judged;
        out->is_problem = judged && is_problem;
    }
    buf_clear(&posts);
    return status;
}

void act_said_clear(struct act_said *said)
{
    array_clear(&said->problems);
    arena_clear(&said->arena);
    *said = (struct act_said){0};
}

/* --- an act --- */

struct acting {
    struct db *db;
    const struct stored_codebook *book;
    const struct act *act;
    struct act_said said;
    char now[TIME_TEXT_SIZE]; /* of all its decisions */
};

static enum status MUST_USE check(const struct acting *a, struct err *e)
{
    const struct act *act = a->act;
    bool is_merged;
    struct buf near = {0};

    if (act->reason.len > ACT_TEXT_MAX || act->note.len > ACT_TEXT_MAX)
        return err_set(e, ST_INPUT, "the text is too long: at most %d bytes", ACT_TEXT_MAX);
    enum status status = coder_known(a->db, act->coder, &is_merged, &near, e);
    buf_clear(&near);
    if (status == ST_OK && is_merged)
        return err_set(e, ST_INPUT, "'%.*s' is what coders agreed on in the end, and codes nothing",
                       (int)act->coder.len, act->coder.ptr);
    return status;
}

static bool gives_code(const struct acting *a)
{
    bool gives = false;

    for (size_t i = 0; i < count_of(a->book); i++)
        gives |= a->act->given[i] && a->act->codes[i].n > 0;
    return gives;
}

static enum status MUST_USE put_judgement(const struct acting *a, struct err *e)
{
    const struct act *act = a->act;
    bool yes = act->judgement == ACT_SAYS_YES || gives_code(a);
    struct db_decision decision = {
        .coder = act->coder,
        .post_id = act->post_id,
        .facet = FACET_JUDGES,
        .is_problem = yes,
        .now = span_of(a->now),
        .reason = act->reason,
    };

    if (act->judgement == ACT_SAYS_NOTHING && (!yes || a->said.is_problem))
        return ST_OK;
    return db_decision_put(a->db, &decision, e);
}

/* One facet of one problem; codes NULL: taken back. */
static enum status MUST_USE put_codes(const struct acting *a, struct span subject, size_t facet,
                                      const struct act_codes *codes, struct err *e)
{
    int64_t ids[ACT_CODES_MAX];
    size_t n = codes != NULL ? codes->n : 0;
    struct db_decision decision = {
        .coder = a->act->coder,
        .subject = subject,
        .post_id = a->act->post_id,
        .facet = FIRST + facet,
        .codes = {ids, n},
        .now = span_of(a->now),
        .reason = a->act->reason,
        .anew = n > 0,
    };

    for (size_t i = 0; i < n; i++)
        ids[i] = a->book->code_ids[codes->at[i]];
    return db_decision_put(a->db, &decision, e);
}

static const struct act_problem *find_problem(const struct act_said *said, struct span subject)
{
    for (size_t i = 0; i < said->problems.n; i++)
        if (span_eq(said->problems.at[i].subject, subject))
            return &said->problems.at[i];
    return NULL;
}

static enum status MUST_USE put_given(const struct acting *a, struct err *e)
{
    const struct act_problem *before = find_problem(&a->said, a->act->subject);
    enum status status = ST_OK;

    for (size_t i = 0; i < count_of(a->book) && status == ST_OK; i++)
        if (a->act->given[i] &&
            (a->act->codes[i].n > 0 || (before != NULL && before->has[i])))
            status = put_codes(a, a->act->subject, i, &a->act->codes[i], e);
    return status;
}

static enum status MUST_USE take_all_back(const struct acting *a, struct err *e)
{
    enum status status = ST_OK;

    for (size_t k = 0; k < a->said.problems.n; k++)
        for (size_t i = 0; i < count_of(a->book) && status == ST_OK; i++)
            if (a->said.problems.at[k].has[i])
                status = put_codes(a, a->said.problems.at[k].subject, i, NULL, e);
    return status;
}

static enum status MUST_USE put_all(const struct acting *a, struct err *e)
{
    const struct act *act = a->act;
    enum status status = db_coder_put(a->db, act->coder, false, e);

    if (status == ST_OK)
        status = put_judgement(a, e);
    if (status == ST_OK && act->judgement == ACT_SAYS_NO && !gives_code(a))
        status = take_all_back(a, e);
    else if (status == ST_OK)
        status = put_given(a, e);
    if (status == ST_OK && act->note.len > 0)
        status = db_note_put(a->db, act->coder, act->subject, act->post_id, act->note, e);
    return status;
}

enum status act_put(struct db *db, const struct stored_codebook *book, const struct act *act,
                    struct err *e)
{
    struct acting a = {.db = db, .book = book, .act = act};

    time_now(a.now);
    enum status status = db_begin(db, e);
    if (status == ST_OK)
        status = check(&a, e);
    if (status == ST_OK)
        status = act_said_read(&a.said, db, book, act->coder, act->post_id, e);
    if (status == ST_OK)
        status = put_all(&a, e);
    if (status == ST_OK)
        status = db_commit(db, e);
    if (status != ST_OK)
        db_rollback(db);
    act_said_clear(&a.said);
    return status;
}

/* --- a second problem --- */

static enum status MUST_USE move_codes(const struct acting *a, const struct act_problem *problem,
                                       struct err *e)
{
    struct buf subject = {0};
    enum status status = ST_OK;

    buf_addf(&subject, "%lld_1", (long long)a->act->post_id);
    for (size_t i = 0; i < count_of(a->book) && status == ST_OK; i++) {
        if (problem->codes[i].n > 0)
            status = put_codes(a, buf_span(&subject), i, &problem->codes[i], e);
        if (status == ST_OK && problem->has[i])
            status = put_codes(a, problem->subject, i, NULL, e);
    }
    buf_clear(&subject);
    return status;
}

enum status act_number(struct db *db, const struct stored_codebook *book, struct span coder,
                       int64_t post_id, struct err *e)
{
    const struct act nothing = {.coder = coder, .post_id = post_id};
    struct acting a = {.db = db, .book = book, .act = &nothing};

    time_now(a.now);
    enum status status = db_begin(db, e);
    if (status == ST_OK)
        status = act_said_read(&a.said, db, book, coder, post_id, e);
    if (status == ST_OK && a.said.problems.n == 1 &&
        span_find(a.said.problems.at[0].subject, SPAN("_")) == SIZE_MAX)
        status = move_codes(&a, &a.said.problems.at[0], e);
    if (status == ST_OK)
        status = db_commit(db, e);
    if (status != ST_OK)
        db_rollback(db);
    act_said_clear(&a.said);
    return status;
}
