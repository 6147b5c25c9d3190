/* load: the data of a database, and what its coders said. */
#include "label/coding/decisions.h"
#include "label/coding/model.h"
#include "db/study.h"
#include "report/report.h"

#include <inttypes.h>

#define MAP_NAME code_map /* code_id: its place in the ratings */
#define MAP_KEY int64_t
#define MAP_VALUE int32_t
#include "base/map.h"

#define MAP_NAME said_no
#define MAP_KEY int64_t
#define MAP_VALUE uint64_t
#include "base/map.h"

enum status report_data_load(struct report_data *d, struct db *db, struct err *e)
{
    struct db_code code;
    struct db_problem problem;
    struct db_assessment assessment;
    struct db_settled *of = arena_alloc(&d->arena, FACETS_MAX * sizeof *of);
    enum status status = db_facets(db, &d->facets, e);

    THEN(status, db_setting_get(db, "problems", &d->arena, &d->called, e));
    if (status == ST_OK)
        d->called = (struct span){arena_text(&d->arena, d->called), d->called.len};
    while (db_code_next(db, &code, &status, e))
        report_data_code(d, &code);
    while (db_problem_next(db, &problem, &status, e))
        report_data_problem(d, &problem);
    while (db_assessment_next(db, &assessment, &status, e))
        report_data_assessment(d, &assessment);
    THEN(status, db_settled_read(db, of, e));
    d->settled = of;
    return status;
}

/* --- ratings --- */

/* The facets that are read, with the code ids of the database and their places in the ratings. */
struct reading {
    struct db *db;
    enum status status; /* of look-ups while labels are walked through */
    struct err *error;
    const struct report_rated *wanted;
    const struct facets *facets;
    struct reading_facet {
        struct report_ratings *ratings; /* NULL: not wanted */
        struct span list;               /* of its codes */
        struct code_map codes;
        bool too_many;
        size_t n_spelled; /* labels whose spelling made them a code of its own */
    } * of;               /* each facet */
    struct report_ratings judges;
    struct said_no said_no; /* posts, with a bit for each judge */
};

static int32_t place_of(const struct reading_facet *f, int64_t code_id)
{
    const struct code_map_entry *entry = code_map_find(&f->codes, code_id);

    return entry != NULL ? entry->value : REPORT_NO_CODE;
}

/* Two codes may be of one category, or be one code by now. */
static void add_once(int32_t codes[FACET_CODES_MAX], size_t *n, int32_t place)
{
    bool again = place == REPORT_NO_CODE;

    for (size_t k = 0; k < *n; k++)
        again |= codes[k] == place;
    if (!again)
        codes[(*n)++] = place;
}

/* The places of what was said; 0: nothing that is known. */
static size_t said(const struct reading *r, struct reading_facet *f, const struct db_label *label,
                   int32_t codes[FACET_CODES_MAX])
{
    size_t n = 0;

    if (f->ratings->yes_no) {
        codes[0] = label->is_problem;
        return 1;
    }
    for (size_t i = 0; i < label->codes.n; i++) {
        int32_t place = place_of(f, label->codes.ids[i]);
        /* A spelling that the published files tell from the code's name is a code of its own, as it was in the
         * published figures. */
        if (i == 0 && label->spelling.ptr != NULL && !r->wanted->ignore_spelling && r->wanted->level == 0) {
            size_t own = report_ratings_code(f->ratings, label->spelling);
            place = own == SIZE_MAX ? REPORT_NO_CODE : (int32_t)own;
            f->too_many |= own == SIZE_MAX;
            f->n_spelled++;
        }
        if (place == REPORT_NO_CODE && i == 0)
            return 0;
        add_once(codes, &n, place);
    }
    return n;
}

static bool is_wanted(const struct report_rated *wanted, const struct db_label *label)
{
    if (wanted->posts != NULL && (wanted->n_posts == 0 || bsearch(&label->post_id, wanted->posts, wanted->n_posts,
                                                                  sizeof *wanted->posts, number_order) == NULL))
        return false;
    if (wanted->n_coders > 0)
        return span_among(label->coder, wanted->coders, wanted->n_coders) < wanted->n_coders;
    return !label->coder_is_merged && (wanted->in_course || !coder_is_model(label->coder));
}

/* Published labels have codes also of problems whose coder said that the post is none. */
static bool is_withdrawn(struct reading *r, const struct db_label *label)
{
    size_t judge = report_ratings_coder(&r->judges, label->coder);
    struct said_no_entry *no;

    if (judge == SIZE_MAX || (label->facet == FACET_JUDGES && label->is_problem))
        return false;
    if (label->facet != FACET_JUDGES)
        return (no = said_no_find(&r->said_no, label->post_id)) != NULL && (no->value >> judge & 1) != 0;
    (void)said_no_add(&r->said_no, label->post_id, &no);
    no->value |= UINT64_C(1) << judge;
    return false;
}

static void add_label(struct reading *r, const struct db_label *label)
{
    struct reading_facet *f = &r->of[label->facet];
    int32_t codes[FACET_CODES_MAX];
    bool timed = r->wanted->times || r->wanted->in_course, is_left_out = false;

    if (timed && !label->coder_is_merged)
        is_left_out = is_withdrawn(r, label);
    if (f->ratings == NULL)
        return;
    f->ratings->not_in_course |= is_left_out || label->spelling.ptr != NULL || coder_is_model(label->coder);
    if (!is_wanted(r->wanted, label) || (r->wanted->in_course && is_left_out))
        return;
    size_t n = said(r, f, label, codes);
    if (n == 0)
        return;
    size_t coder = report_ratings_coder(f->ratings, label->coder);
    if (coder == SIZE_MAX) {
        f->too_many = true;
        return;
    }
    report_ratings_add(f->ratings, report_ratings_subject(f->ratings, label->subject), coder, codes, n);
    if (timed)
        f->ratings->ratings[f->ratings->n_ratings - 1].at = arena_copy(&f->ratings->arena, label->decided_at);
}

static void begin_facet(struct reading *r, size_t facet, struct report_ratings *ratings)
{
    struct reading_facet *f = &r->of[facet];
    const struct facet *of = &r->facets->items[facet];

    *ratings = (struct report_ratings){.facet = of->typed.ptr,
                                       .plural = of->plural,
                                       .most = of->most,
                                       .yes_no = facet == FACET_JUDGES,
                                       .numbers = of->kind == FACET_NUMBER,
                                       .texts = of->kind == FACET_TEXT,
                                       .measures = of->measures};
    f->ratings = ratings;
    if (of->list != SIZE_MAX)
        f->list = r->facets->lists[of->list];
    for (size_t i = 0; i < r->wanted->n_coders; i++)
        report_ratings_coder(ratings, r->wanted->coders[i]);
    if (ratings->yes_no) {
        report_ratings_code(ratings, SPAN("no"));
        report_ratings_code(ratings, SPAN("yes"));
        ratings->n_ordered = ratings->n_codes;
    }
}

/* --- runs of a model --- */

/* Answers have the names of their time, and a code may have another one since. */
static int32_t place_of_name(struct reading *r, struct reading_facet *f, struct span name)
{
    int64_t code_id = 0;

    if (r->status == ST_OK && f->list.len > 0)
        r->status = db_code_named(r->db, f->list, name, &code_id, r->error);
    int32_t known = place_of(f, code_id);
    if (known != REPORT_NO_CODE)
        return known;
    size_t place = report_ratings_code(f->ratings, name);
    f->too_many |= place == SIZE_MAX;
    return place == SIZE_MAX ? REPORT_NO_CODE : (int32_t)place;
}

static void add_said(void *ctx, const struct model_said *said)
{
    struct reading *r = ctx;
    size_t facet = said->facet.ptr == NULL ? FACET_JUDGES : facets_find(r->facets, said->facet);
    struct reading_facet *f = facet < r->facets->n ? &r->of[facet] : NULL;
    int32_t codes[FACET_CODES_MAX];
    size_t n = 0;
    char run[32];

    if (f == NULL || f->ratings == NULL || (said->facet.ptr != NULL && facet == FACET_JUDGES))
        return;
    snprintf(run, sizeof run, "run %" PRId64, said->run);
    size_t coder = report_ratings_coder(f->ratings, span_of(run));
    f->too_many |= coder == SIZE_MAX;
    for (size_t i = 0; i < said->n; i++)
        add_once(codes, &n, place_of_name(r, f, said->names[i]));
    if (!f->too_many && r->status == ST_OK)
        report_ratings_add(f->ratings, report_ratings_subject(f->ratings, said->subject), coder, codes, n);
}

/* --- all --- */

enum status report_ratings_load(struct report_ratings *ratings, struct db *db, size_t first, size_t n,
                                const struct report_rated *wanted, size_t *n_spelled, struct err *e)
{
    struct reading r = {.db = db, .error = e, .wanted = wanted};
    struct db_code code;
    struct db_labels labels = {.counted = NULL};
    struct db_label label;
    enum status status = db_facets(db, &r.facets, e);

    if (status != ST_OK)
        return status;
    r.of = mem_zero(r.facets->n, sizeof *r.of);
    for (size_t i = 0; i < n; i++)
        begin_facet(&r, first + i, &ratings[i]);
    while (db_code_next(db, &code, &status, e))
        for (size_t i = FACET_JUDGES + 1; i < r.facets->n; i++) {
            struct reading_facet *f = &r.of[i];
            struct code_map_entry *entry;
            if (f->ratings == NULL || !span_eq(code.facet, f->list))
                continue;
            size_t place = report_ratings_code(f->ratings, code_at(code.category, code.name, wanted->level));
            f->too_many |= place == SIZE_MAX;
            if (code_map_add(&f->codes, code.code_id, &entry))
                entry->value = (int32_t)place;
            f->ratings->n_ordered = f->ratings->n_codes;
        }
    THEN(status, wanted->runs_of.ptr != NULL ? model_said_each(db, wanted->runs_of, add_said, &r, e)
                                             : db_labels_read(&labels, db, e));
    while (status == ST_OK && db_label_next(&labels, &label))
        add_label(&r, &label);
    status = status == ST_OK ? r.status : status;
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        if (r.of[first + i].too_many)
            status = err_set(e, ST_INPUT, "%s: more than %d coders or %d codes", ratings[i].facet, REPORT_CODERS_MAX,
                             REPORT_RATED_CODES_MAX);
        else
            report_ratings_sort(&ratings[i], wanted->n_coders > 0);
        n_spelled[i] = r.of[first + i].n_spelled;
    }
    for (size_t i = 0; i < r.facets->n; i++)
        code_map_clear(&r.of[i].codes);
    mem_free(r.of);
    report_ratings_clear(&r.judges);
    said_no_clear(&r.said_no);
    return status;
}

enum status report_agree_load(struct table_list *r, struct db *db, const struct report_rated *rated,
                              const struct report_agreement *wanted, bool *common, struct err *e)
{
    AT_END(mem_end) struct report_ratings *ratings = mem_zero(FACETS_MAX, sizeof *ratings);
    AT_END(db_disputes_clear) struct db_disputes posts = {0};
    size_t n_spelled[FACETS_MAX] = {0};
    const struct facets *facets = NULL;
    enum status status = db_facets(db, &facets, e);

    THEN(status, report_ratings_load(ratings, db, 0, facets->n, rated, n_spelled, e));
    *common = status == ST_OK && report_agree(r, ratings, facets->n, wanted);
    if (status == ST_OK && wanted->segments) {
        status = db_segments_read(db, DB_SAID, 0, &posts, e);
        if (status == ST_OK)
            report_segments(r, &posts, rated, wanted);
        THEN(status, report_drift(r, db, 0, facets->n, rated->times ? ratings : NULL, e));
    }
    for (size_t i = 0; i < FACETS_MAX; i++)
        report_ratings_clear(&ratings[i]);
    return status;
}

/* --- coders --- */

enum status report_merged_load(struct report_ratings *coders, struct db *db, struct err *e)
{
    struct db_coder coder;
    bool too_many = false;
    enum status status = ST_OK;

    while (db_coder_next(db, &coder, &status, e))
        too_many |= coder.is_merged && report_ratings_coder(coders, coder.coder) == SIZE_MAX;
    if (status == ST_OK && too_many)
        status = err_set(e, ST_INPUT, "more than %d coders", REPORT_CODERS_MAX);
    return status;
}

bool report_has_coder(const struct report_ratings *coders, struct span coder)
{
    return span_among(coder, coders->coders, coders->n_coders) < coders->n_coders;
}

/* --- in memory: codes are places in one array --- */

void report_data_clear(struct report_data *d)
{
    mem_free(d->codes);
    mem_free(d->categories);
    mem_free(d->problems);
    mem_free(d->assessments);
    arena_clear(&d->arena);
    *d = (struct report_data){.facets = d->facets};
}

/* A list without categories has one without a name. */
static int32_t category_of(struct report_data *d, size_t list, struct span name)
{
    for (size_t i = 0; i < d->n_categories; i++)
        if (d->categories[i].list == list && span_eq(d->categories[i].name, name))
            return (int32_t)i;
    d->categories = array_room(d->categories, d->n_categories, 1, &d->categories_capacity, sizeof *d->categories);
    d->categories[d->n_categories] = (struct report_category){list, arena_copy(&d->arena, name)};
    return (int32_t)d->n_categories++;
}

void report_data_code(struct report_data *d, const struct db_code *code)
{
    size_t list = facets_list(d->facets, code->facet);

    if (list == d->facets->n_lists)
        return;
    d->codes = array_room(d->codes, d->n_codes, 1, &d->codes_capacity, sizeof *d->codes);
    struct span short_name = code->short_name.len > 0 ? code->short_name : code->name;
    d->codes[d->n_codes++] = (struct report_code){
        .code_id = code->code_id,
        .list = list,
        .category = category_of(d, list, category_at(code->category, d->level)),
        .name = arena_copy(&d->arena, code->name),
        .short_name = arena_copy(&d->arena, short_name),
        .retired = code->retired_in > 0,
    };
}

size_t report_data_places(const struct report_data *d, size_t facet, struct db_codes codes, int32_t *out)
{
    size_t n = 0;

    for (size_t i = 0; i < codes.n && d->n_codes > 0; i++) {
        const struct report_code *code = bsearch(&codes.ids[i], d->codes, d->n_codes, sizeof *code, number_order);
        bool again = code == NULL || code->list != d->facets->items[facet].list;
        for (size_t k = 0; k < n; k++)
            again |= d->codes + out[k] == code;
        if (!again)
            out[n++] = (int32_t)(code - d->codes);
    }
    return n;
}

void report_data_problem(struct report_data *d, const struct db_problem *problem)
{
    d->problems = array_room(d->problems, d->n_problems, 1, &d->problems_capacity, sizeof *d->problems);
    struct report_problem *p = &d->problems[d->n_problems++];
    uint64_t year = 0;
    bool dated = problem->created_at.len >= 4 && span_u64((struct span){problem->created_at.ptr, 4}, 9999, &year);
    *p = (struct report_problem){
        .problem_id = arena_copy(&d->arena, problem->problem_id),
        .post_id = problem->post_id,
        .year = dated ? (int32_t)year : 0,
        .of = arena_alloc(&d->arena, d->facets->n * sizeof *p->of),
    };
    for (size_t i = 0; i < d->facets->n; i++) {
        int32_t *at = arena_alloc(&d->arena, (problem->codes[i].n + 1) * sizeof *at);
        p->of[i] = (struct report_codes){at, report_data_places(d, i, problem->codes[i], at)};
    }
    if (problem->site.ptr != NULL)
        p->site = arena_copy(&d->arena, problem->site);
    if (problem->tags.ptr != NULL)
        p->tags = arena_copy(&d->arena, problem->tags);
}

void report_data_assessment(struct report_data *d, const struct db_assessment *assessment)
{
    d->assessments = array_room(d->assessments, d->n_assessments, 1, &d->assessments_capacity, sizeof *d->assessments);
    d->assessments[d->n_assessments++] = (struct report_assessment){
        arena_copy(&d->arena, assessment->problem_id),
        arena_copy(&d->arena, assessment->approach),
        arena_copy(&d->arena, assessment->status),
    };
}
