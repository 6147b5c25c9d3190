/* act: what one coder says about a post and its problems, and how that changes. */
#include "label/coding/act.h"

#include "label/coding/subject.h"
#include "label/coding/disputes.h"
#include "label/coding/labels.h"
#include "label/coding/queue.h"
#include "base/files.h"
#include "base/utf8.h"

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

enum status act_said_read(struct act_said *out, struct db *db, const struct stored_codebook *book, struct span coder,
                          int64_t post_id, struct err *e)
{
    struct sql *walk = db_codings_of_post(db, coder, post_id);
    struct db_coding coding;
    enum status status = ST_OK;

    *out = (struct act_said){0};
    while (db_coding_next(db, walk, &coding, &status, e)) {
        struct act_problem problem = {0};
        bool any = false;
        for (size_t i = 0; i < count_of(book); i++) {
            struct db_codes codes = coding.codes[FIRST + i];
            struct act_codes *given = &problem.codes[i];
            for (size_t k = 0; k < codes.n && given->n < ACT_CODES_MAX; k++) {
                size_t place = stored_codebook_place(book, codes.ids[k]);
                if (place != SIZE_MAX)
                    given->at[given->n++] = place;
            }
            problem.has[i] = codes.n > 0;
            any |= problem.has[i];
        }
        if (!any || out->problems.n == ACT_PROBLEMS_MAX)
            continue;
        problem.subject = arena_copy(&out->arena, coding.subject);
        array_add(&out->problems, problem);
    }
    THEN(status, db_is_judged(db, coder, post_id, &out->is_judged, &out->is_problem, e));
    return status;
}

void act_said_clear(struct act_said *said)
{
    array_clear(&said->problems);
    arena_clear(&said->arena);
    *said = (struct act_said){0};
}

const struct act_problem *act_problem(const struct act_said *said, struct span subject)
{
    size_t place = array_find(&said->problems, subject, subject);

    return place < said->problems.n ? &said->problems.at[place] : NULL;
}

/* --- an act --- */

struct acting {
    struct db *db;
    const struct stored_codebook *book;
    const struct act *act;
    char now[TIME_TEXT_SIZE]; /* of all its decisions */
};

static bool gives_code(const struct acting *a)
{
    bool gives = false;

    for (size_t i = 0; i < count_of(a->book); i++)
        gives |= a->act->given[i] && a->act->codes[i].n > 0;
    return gives;
}

enum status act_check_codes(struct db *db, struct span coder, int64_t post_id, enum act_judgement judgement,
                            struct err *e)
{
    bool judged = false, is_problem = false;
    char id[POST_ID_TEXT_SIZE];
    enum status status = ST_OK;

    post_id_text(post_id, id);
    if (judgement == ACT_SAYS_NO)
        return err_set(e, ST_INPUT, "%s: no excludes codes; leave them out, or say yes", id);
    if (judgement == ACT_SAYS_NOTHING)
        status = db_is_judged(db, coder, post_id, &judged, &is_problem, e);
    if (status == ST_OK && judged && !is_problem)
        return err_set(e, ST_INPUT, "%s: %.*s judged it not to be a problem; say yes too if it is one", id,
                       SPAN_ARG(coder));
    return status;
}

/* A reason alone is about what currently counts: its facet; else all codes of the subject, else the judgement. These
 * are said again with it. */
static enum status MUST_USE complete(struct acting *a, struct act *whole, struct err *e)
{
    const struct act *act = a->act;
    bool says = act->judgement != ACT_SAYS_NOTHING && (!act->reason_of_one || act->reason_facet == FACET_JUDGES);
    AT_END(act_said_clear) struct act_said said = {0};

    for (size_t i = 0; i < count_of(a->book); i++)
        says |= act->given[i] && (!act->reason_of_one || act->reason_facet == FIRST + i);
    if (says || act->reason.len == 0 || act->is_record)
        return ST_OK;
    enum status status = act_said_read(&said, a->db, a->book, act->coder, act->post_id, e);
    const struct act_problem *problem = status == ST_OK ? act_problem(&said, act->subject) : NULL;
    *whole = *act;
    for (size_t i = 0; problem != NULL && i < count_of(a->book); i++) {
        if (problem->codes[i].n == 0 || (act->reason_of_one && act->reason_facet != FIRST + i))
            continue;
        whole->given[i] = says = true;
        whole->codes[i] = problem->codes[i];
    }
    if (!says && said.is_judged && (!act->reason_of_one || act->reason_facet == FACET_JUDGES)) {
        whole->judgement = said.is_problem ? ACT_SAYS_YES : ACT_SAYS_NO;
        says = true;
    }
    a->act = whole;
    if (status == ST_OK && !says)
        status = err_set(e, ST_INPUT, "%.*s: a reason needs a judgement or a code", SPAN_ARG(act->subject));
    return status;
}

static enum status MUST_USE check(const struct acting *a, struct err *e)
{
    const struct act *act = a->act;
    bool exists, is_merged;

    if (act->reason.len > ACT_TEXT_MAX || act->note.len > ACT_TEXT_MAX)
        return err_set(e, ST_INPUT, "the text is too long: at most %d bytes", ACT_TEXT_MAX);
    if (utf8_valid_prefix(act->reason) < act->reason.len || utf8_valid_prefix(act->note) < act->note.len)
        return err_set(e, ST_INPUT, "the text is not UTF-8");
    enum status status = db_coder_get(a->db, act->coder, &exists, &is_merged, e);
    if (status != ST_OK)
        return status;
    /* A merged coder is one who settles; a new name becomes what the act says. */
    if (coder_is_model(act->coder) != act->by_model && !act->is_record)
        return err_set(e, ST_INPUT,
                       "'%.*s': names that begin with \"model:\" are of language models;"
                       " ppmine label model codes with one",
                       SPAN_ARG(act->coder));
    if (is_merged && !act->settles)
        return err_set(e, ST_INPUT, "'%.*s' is what coders agreed on in the end; ppmine label resolve sets that",
                       SPAN_ARG(act->coder));
    if (exists && !is_merged && act->settles)
        return err_set(e, ST_INPUT, "'%.*s' is one of the coders, and settles nothing", SPAN_ARG(act->coder));
    if (!act->is_record && !act->settles) /* what coders said is settled as they said it */
        status = subject_check(a->db, act->post_id, e);
    if (status == ST_OK && !act->is_record && gives_code(a))
        status = act_check_codes(a->db, act->coder, act->post_id, act->judgement, e);
    return status;
}

/* Of *what the facet and what it says are set. */
static enum status MUST_USE put_row(const struct acting *a, const struct db_decision *what, struct err *e)
{
    const struct act *act = a->act;
    struct db_decision decision = *what;
    bool says = what->facet == FACET_JUDGES || what->codes.n > 0;
    size_t n_new = 0;

    decision.coder = act->coder;
    decision.post_id = act->post_id;
    decision.now = span_of(a->now);
    if (act->is_record)
        decision.decided_at = what->facet == FACET_JUDGES ? act->judged_at : act->decided_at;
    else if (act->settles && act->now.ptr == NULL) /* what was settled is settled again */
        decision.decided_at = span_of(a->now);
    decision.reason = act->reason.len > 0 && (!act->reason_of_one || act->reason_facet == what->facet)
                          ? act->reason
                          : (struct span){0};
    decision.only_changes = act->only_changes;
    decision.seen_version = act->seen_version != 0 ? act->seen_version : a->book->version;
    decision.assisted = act->assisted;
    decision.in_bulk = act->in_bulk;
    decision.n_new = &n_new;
    enum status status = db_decision_put(a->db, &decision, e);
    if (status != ST_OK || act->count == NULL)
        return status;
    act->count->decided += says && n_new > 0;
    act->count->withdrawn += !says && n_new > 0;
    act->count->same += says && n_new == 0;
    return ST_OK;
}

/* One facet of one problem. */
static enum status MUST_USE put_codes(const struct acting *a, struct span subject, size_t facet,
                                      const struct act_codes *codes, struct err *e)
{
    int64_t ids[ACT_CODES_MAX];
    struct db_decision decision = {
        .subject = subject,
        .facet = FIRST + facet,
        .codes = {ids, codes->n},
        .anew = codes->n > 0 && !a->act->only_changes,
    };
    enum status status = ST_OK;

    for (size_t i = 0; i < codes->n && status == ST_OK; i++) {
        ids[i] = a->book->code_ids[codes->at[i]];
        if (!a->act->in_bulk) /* what is settled in bulk is in labels, so it is kept */
            status = stored_codebook_keep(a->book, a->db, codes->at[i], e);
    }
    return status == ST_OK ? put_row(a, &decision, e) : status;
}

/* --- a second problem --- */

/* The number of a problem, "65160023_2"; 0: it has none. */
static uint64_t number_of(struct span subject)
{
    struct span head;
    uint64_t number = 0;

    return span_cut(&subject, '_', &head) && span_u64(subject, 1000000, &number) ? number : 0;
}

/* The first codes of a second problem: the only one so far, with the post's id, gets _1. Undo takes both back. */
static enum status MUST_USE number_first(const struct acting *a, struct err *e)
{
    static const struct act_codes none = {.n = 0};
    const struct act nothing = {.coder = a->act->coder, .post_id = a->act->post_id, .assisted = a->act->assisted};
    struct acting moving = *a;
    AT_END(act_said_clear) struct act_said said = {0};
    AT_END(buf_clear) struct buf subject = {0};

    if (a->act->is_record || a->act->settles || number_of(a->act->subject) < 2 || !gives_code(a))
        return ST_OK;
    moving.act = &nothing;
    enum status status = act_said_read(&said, a->db, a->book, a->act->coder, a->act->post_id, e);
    if (status != ST_OK || said.problems.n != 1 || number_of(said.problems.at[0].subject) > 0)
        return status;
    const struct act_problem *problem = &said.problems.at[0];
    post_id_add(&subject, a->act->post_id);
    buf_add_text(&subject, "_1");
    for (size_t i = 0; i < count_of(a->book) && status == ST_OK; i++) {
        if (problem->codes[i].n > 0)
            status = put_codes(&moving, buf_span(&subject), i, &problem->codes[i], e);
        if (status == ST_OK && problem->has[i])
            status = put_codes(&moving, problem->subject, i, &none, e);
    }
    return status;
}

static enum status MUST_USE put_all(const struct acting *a, struct err *e)
{
    const struct act *act = a->act;
    const struct db_decision judgement = {.facet = FACET_JUDGES, .is_problem = act->judgement != ACT_SAYS_NO};
    bool codes = act->judgement != ACT_SAYS_NO || act->is_record, is_problem;
    /* The first code of a coder says that the post is a problem. */
    bool implied = act->judgement == ACT_SAYS_NOTHING && !act->is_record && !act->settles && gives_code(a);
    bool says = act->judgement != ACT_SAYS_NOTHING || implied, judged = false;
    enum status status = db_coder_put(a->db, act->coder, act->settles, e);

    if (status == ST_OK && implied)
        status = db_is_judged(a->db, act->coder, act->post_id, &judged, &is_problem, e);
    if (status == ST_OK && says && !judged)
        status = put_row(a, &judgement, e);
    THEN(status, number_first(a, e));
    for (size_t i = 0; i < count_of(a->book) && codes && status == ST_OK; i++)
        if (act->given[i])
            status = put_codes(a, act->subject, i, &act->codes[i], e);
    const struct span notes[] = {act->note, act->unsure ? span_of(queue_unsure) : (struct span){0}};
    for (size_t i = 0; i < ARRAY_LEN(notes) && status == ST_OK; i++)
        if (notes[i].len > 0)
            status = db_note_put(a->db, DB_NOTE,
                                 &(struct db_note){.coder = act->coder, .subject = act->subject, .text = notes[i]},
                                 act->post_id, e);
    return status;
}

bool act_says(const struct act *act)
{
    bool says = act->judgement != ACT_SAYS_NOTHING || act->reason.len > 0 || act->note.len > 0 || act->unsure;

    for (size_t i = 0; i < ACT_FACETS_MAX; i++)
        says |= act->given[i];
    return says;
}

enum status act_write(struct db *db, const struct stored_codebook *book, const struct act *act, struct err *e)
{
    struct acting a = {.db = db, .book = book, .act = act};
    AT_END(mem_end) struct act *whole = mem_zero(1, sizeof *whole);
    struct span given = act->now.ptr != NULL ? act->now : act->settled_at, subject = act->subject;
    char post[POST_ID_TEXT_SIZE];
    enum status status = check(&a, e);

    THEN(status, complete(&a, whole, e));
    if (a.act->judgement != ACT_SAYS_NOTHING)
        subject = span_of(post_id_text(act->post_id, post));
    /* After all that the coder decided: so a no follows the codes that it withdraws, whatever clocks say, and undo
     * takes back this act alone. */
    if (given.len == TIME_TEXT_SIZE - 1)
        memcpy(a.now, given.ptr, given.len); /* a NUL is behind it */
    else if (status == ST_OK && act->settles)
        status = db_resolution_after(db, act->coder, subject, act->post_id, a.now, e);
    else if (status == ST_OK)
        status = db_decision_after(db, act->coder, a.now, e);
    THEN(status, put_all(&a, e));
    return status;
}

enum status act_record(struct db *db, const struct db_decision *decision, struct err *e)
{
    return db_decision_put(db, decision, e);
}

enum status act_put(struct db *db, const struct stored_codebook *book, const struct act *act, struct err *e)
{
    enum status status = db_begin(db, e);

    THEN(status, act_write(db, book, act, e));
    return db_end(db, status, e);
}

void act_next_problem(const struct act_said *said, int64_t post_id, struct buf *subject)
{
    uint64_t last = 1;

    for (size_t i = 0; i < said->problems.n; i++) {
        uint64_t number = number_of(said->problems.at[i].subject);
        last = number > last ? number : last;
    }
    post_id_add(subject, post_id);
    if (said->problems.n > 0)
        buf_addf(subject, "_%" PRIu64, last + 1);
}
