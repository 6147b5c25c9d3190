/* act: what one coder says about a post and its problems, and how that changes. */
#include "label/coding/act.h"

#include "label/coding/subject.h"
#include "label/coding/coders.h"
#include "label/coding/decisions.h"
#include "label/coding/labels.h"

#include <inttypes.h>

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

static void read_codes(const struct stored_codebook *book, struct db_codes codes,
                       struct act_codes *out)
{
    for (size_t i = 0; i < codes.n && out->n < ACT_CODES_MAX; i++) {
        size_t place = stored_codebook_place(book, codes.ids[i]);
        if (place != SIZE_MAX)
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
    bool judged, is_problem;

    *out = (struct act_said){0};
    enum status status = db_coding_of_post(db, coder, post_id, read_coding, &reading, e);
    if (status == ST_OK)
        status = db_is_judged(db, coder, post_id, &judged, &is_problem, e);
    if (status == ST_OK) {
        out->is_judged = judged;
        out->is_problem = judged && is_problem;
    }
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
    if (utf8_valid_prefix(act->reason) < act->reason.len || utf8_valid_prefix(act->note) < act->note.len)
        return err_set(e, ST_INPUT, "the text is not UTF-8");
    enum status status = coder_known(a->db, act->coder, &is_merged, &near, e);
    buf_clear(&near);
    if (status == ST_OK && is_merged)
        return err_set(e, ST_INPUT, "'%.*s' is what coders agreed on in the end, and codes nothing",
                       (int)act->coder.len, act->coder.ptr);
    return status == ST_OK ? subject_check(a->db, act->post_id, e) : status;
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

    enum status status = ST_OK;
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        ids[i] = a->book->code_ids[codes->at[i]];
        status = stored_codebook_keep(a->book, a->db, codes->at[i], e);
    }
    return status == ST_OK ? db_decision_put(a->db, &decision, e) : status;
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

enum status act_write(struct db *db, const struct stored_codebook *book, const struct act *act,
                      struct err *e)
{
    struct acting a = {.db = db, .book = book, .act = act};

    time_now(a.now);
    enum status status = check(&a, e);
    if (status == ST_OK && act->apart)
        status = db_decision_after(db, act->coder, a.now, e);
    if (status == ST_OK)
        status = act_said_read(&a.said, db, book, act->coder, act->post_id, e);
    if (status == ST_OK)
        status = put_all(&a, e);
    act_said_clear(&a.said);
    return status;
}

enum status act_put(struct db *db, const struct stored_codebook *book, const struct act *act,
                    struct err *e)
{
    enum status status = db_begin(db, e);

    if (status == ST_OK)
        status = act_write(db, book, act, e);
    if (status == ST_OK)
        status = db_commit(db, e);
    if (status != ST_OK)
        db_rollback(db);
    return status;
}

/* --- a second problem --- */

static enum status MUST_USE move_codes(const struct acting *a, const struct act_problem *problem,
                                       struct err *e)
{
    struct buf subject = {0};
    enum status status = ST_OK;

    post_id_add(&subject, a->act->post_id);
    buf_add_text(&subject, "_1");
    for (size_t i = 0; i < count_of(a->book) && status == ST_OK; i++) {
        if (problem->codes[i].n > 0)
            status = put_codes(a, buf_span(&subject), i, &problem->codes[i], e);
        if (status == ST_OK && problem->has[i])
            status = put_codes(a, problem->subject, i, NULL, e);
    }
    buf_clear(&subject);
    return status;
}

/* The only problem of a post gets _1. */
static enum status MUST_USE number_first(struct db *db, const struct stored_codebook *book,
                                         struct span coder, int64_t post_id, struct err *e)
{
    const struct act nothing = {.coder = coder, .post_id = post_id};
    struct acting a = {.db = db, .book = book, .act = &nothing};

    enum status status = db_begin(db, e);
    if (status == ST_OK)
        status = db_decision_after(db, coder, a.now, e);
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

/* The number of a problem, "65160023_2"; 0: it has none. */
static uint64_t number_of(struct span subject)
{
    struct span head;
    uint64_t number = 0;

    return span_cut(&subject, '_', &head) && span_u64(subject, 1000000, &number) ? number : 0;
}

enum status act_other_problem(struct db *db, const struct stored_codebook *book, struct span coder,
                              int64_t post_id, struct buf *subject, struct err *e)
{
    struct act_said said = {0};
    uint64_t last = 1;
    enum status status = number_first(db, book, coder, post_id, e);

    if (status == ST_OK)
        status = act_said_read(&said, db, book, coder, post_id, e);
    for (size_t i = 0; i < said.problems.n; i++) {
        uint64_t number = number_of(said.problems.at[i].subject);
        last = number > last ? number : last;
    }
    post_id_add(subject, post_id);
    if (said.problems.n > 0)
        buf_addf(subject, "_%" PRIu64, last + 1);
    act_said_clear(&said);
    return status;
}
