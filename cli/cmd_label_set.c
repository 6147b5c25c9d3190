/* label set: what a coder decides about a post or a problem. */
#include "cli/command.h"
#include "cli/options.h"
#include "coding/coders.h"
#include "coding/stored_codebook.h"
#include "db/decisions.h"
#include "db/derived.h"
#include "db/labels.h"
#include "db/posts.h"
#include "label/label.h"

struct setting {
    struct invocation *in;
    const struct facets *facets; /* of the codebook's database */
    struct span subject, coder, reason;
    int64_t post_id;
    char now[TIME_TEXT_SIZE]; /* of all decisions: they are one act */
    struct stored_codebook book;
    struct {
        bool given;
        size_t places[FACET_CODES_MAX]; /* of the codes, in the codebook */
        size_t n;
    } of[FACETS_MAX];
    bool any_label, any_code; /* any_code: one that is not empty */
    int is_problem; /* -1: not said */
};

/* --- the command line --- */

static enum status MUST_USE read_problem(struct setting *s, struct err *e)
{
    static const char *const choices[] = {"no", "yes", NULL};
    size_t choice = SIZE_MAX;
    enum status status = option_choice(s->in, s->facets->items[FACET_JUDGES].option.ptr, choices, &choice, e);

    s->is_problem = choice == SIZE_MAX ? -1 : (int)choice;
    return status;
}

static enum status MUST_USE read_facet(struct setting *s, size_t i, struct err *e)
{
    const struct facet *facet = &s->facets->items[i];
    const char *values[GIVEN_MAX], *option = facet->option.ptr;
    size_t n = option_texts(s->in, option, values);
    struct err why;

    s->of[i].given = n > 0;
    s->any_label |= n > 0;
    if (n > facet->most)
        return err_set(e, ST_USAGE, "label set: --%s stands %zu times; expected at most %zu",
                       option, n, facet->most);
    if (n == 1 && values[0][0] == '\0') /* no label of this facet */
        return ST_OK;
    s->any_code |= n > 0;
    for (size_t k = 0; k < n; k++) {
        size_t place = stored_codebook_find(&s->book, stored_codebook_list(&s->book, i),
                                            span_of(values[k]), &why);
        if (place == SIZE_MAX)
            return err_set(e, ST_USAGE, "label set: --%s: %s", option, why.text);
        for (size_t m = 0; m < k; m++)
            if (place == s->of[i].places[m])
                return err_set(e, ST_USAGE, "label set: --%s: the same code twice", option);
        s->of[i].places[s->of[i].n++] = place;
    }
    return ST_OK;
}

/* A facet with codes, for a message. */
static const char *example_option(const struct facets *f)
{
    return f->items[f->n > FACET_JUDGES + 1 ? FACET_JUDGES + 1 : FACET_JUDGES].option.ptr;
}

static enum status MUST_USE read_options(struct setting *s, struct err *e)
{
    enum status status = read_problem(s, e);

    s->subject = span_of(s->in->operands[0]);
    s->reason = span_of(option_text(s->in, "reason", NULL));
    if (s->reason.len == 0)
        s->reason.ptr = NULL;
    if (status == ST_OK && !problem_id_read(s->subject, &s->post_id))
        return err_set(e, ST_USAGE, "label set: '%s': expected the id of a post, with _1, _2, … if"
                       " it has several problems", s->in->operands[0]);
    for (size_t i = FACET_JUDGES + 1; i < s->facets->n && status == ST_OK; i++)
        status = read_facet(s, i, e);
    if (status != ST_OK)
        return status;
    if (s->is_problem < 0 && !s->any_label && !option_given(s->in, "note"))
        return err_set(e, ST_USAGE, "label set: nothing to set: give --%s yes or no, a code such as"
                       " --%s CODE, or --note TEXT", s->facets->items[FACET_JUDGES].option.ptr,
                       example_option(s->facets));
    if (s->is_problem == 0 && s->any_code)
        return err_set(e, ST_USAGE, "label set: --%s no excludes codes",
                       s->facets->items[FACET_JUDGES].option.ptr);
    return ST_OK;
}

/* --- what there is already --- */

/* A problem of the post that has codes which stay, and one that is another way to name this one. */
struct found {
    const struct setting *s;
    struct buf coded, clash;
};

static bool has_number(struct span subject)
{
    return span_find(subject, SPAN("_")) != SIZE_MAX;
}

static void find_codes(void *ctx, const struct db_coding *coding)
{
    struct found *f = ctx;
    bool here = span_eq(coding->subject, f->s->subject), stays = false;

    for (size_t i = 0; i < f->s->facets->n; i++)
        stays |= coding->codes[i].n > 0 && !(here && f->s->of[i].given);
    if (!stays)
        return;
    buf_reset(&f->coded);
    buf_add_span(&f->coded, coding->subject);
    if (has_number(coding->subject) == has_number(f->s->subject))
        return;
    buf_reset(&f->clash);
    buf_add_span(&f->clash, coding->subject);
}

/* "--symptom '' --root-cause ''": what takes all codes back. */
static void add_empty(const struct facets *f, struct buf *out)
{
    for (size_t i = FACET_JUDGES + 1; i < f->n; i++)
        buf_addf(out, "%s--%s ''", i > FACET_JUDGES + 1 ? " " : "", f->items[i].option.ptr);
}

static void say_found(const struct setting *s, struct found *f)
{
    const char *judgement = s->facets->items[FACET_JUDGES].option.ptr;
    struct buf empty = {0};

    add_empty(s->facets, &empty);
    if (s->is_problem == 0 && f->coded.len > 0)
        log_warn("%s has codes by %.*s, which stay, and count in agreement; to take them back:"
                 " ppmine label set %s --coder '%.*s' --%s no %s", buf_cstr(&f->coded),
                 (int)s->coder.len, s->coder.ptr, buf_cstr(&f->coded), (int)s->coder.len,
                 s->coder.ptr, judgement, buf_cstr(&empty));
    if (s->any_code && f->clash.len > 0)
        log_warn("%s has codes by %.*s too: one problem or several? If one, take its codes back:"
                 " ppmine label set %s --coder '%.*s' %s", buf_cstr(&f->clash), (int)s->coder.len,
                 s->coder.ptr, buf_cstr(&f->clash), (int)s->coder.len, s->coder.ptr,
                 buf_cstr(&empty));
    buf_clear(&empty);
}

/* A slip in the id is seen only here; a file of labels alone has no posts. */
static enum status MUST_USE check_held(struct setting *s, struct span posts, struct err *e)
{
    int64_t n_candidates, n_absent = 0;
    enum status status = db_candidate_count(s->in->db, &n_candidates, e);

    if (status == ST_OK && n_candidates > 0)
        status = db_posts_absent(s->in->db, posts, &n_absent, e);
    if (status == ST_OK && n_absent > 0)
        log_warn("post %lld is not in %s; if the id is wrong: ppmine label undo --coder '%.*s' %lld",
                 (long long)s->post_id, s->in->db_path, (int)s->coder.len, s->coder.ptr,
                 (long long)s->post_id);
    return status;
}

static enum status MUST_USE check_post(struct setting *s, struct err *e)
{
    struct found found = {.s = s};
    struct buf posts = {0};

    buf_addf(&posts, "[%lld]", (long long)s->post_id);
    struct db_coding_query query = {.coder = s->coder, .posts = buf_span(&posts)};
    enum status status = check_held(s, query.posts, e);
    if (status == ST_OK)
        status = db_coding_each(s->in->db, &query, find_codes, &found, e);
    if (status == ST_OK)
        say_found(s, &found);
    buf_clear(&found.coded);
    buf_clear(&found.clash);
    buf_clear(&posts);
    return status;
}

/* Codes are for problems; whoever gives one has judged. *judge: that is still to be written. */
static enum status MUST_USE check_judgement(struct setting *s, bool *judge, struct err *e)
{
    bool judged, is_problem;
    enum status status = db_is_judged(s->in->db, s->coder, s->post_id, &judged, &is_problem, e);

    *judge = s->is_problem >= 0 || (s->any_code && !judged);
    if (status == ST_OK && s->any_code && s->is_problem < 0 && judged && !is_problem)
        return err_set(e, ST_INPUT, "%lld: %.*s judged it to be no problem; give --%s yes too if it"
                       " is one", (long long)s->post_id, (int)s->coder.len, s->coder.ptr,
                       s->facets->items[FACET_JUDGES].option.ptr);
    return status;
}

/* --- writing --- */

static enum status MUST_USE put_labels(struct setting *s, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = FACET_JUDGES + 1; i < s->facets->n && status == ST_OK; i++) {
        int64_t ids[FACET_CODES_MAX];
        struct db_decision decision = {
            .coder = s->coder,
            .subject = s->subject,
            .post_id = s->post_id,
            .facet = i,
            .codes = {ids, s->of[i].n},
            .now = span_of(s->now),
            .reason = s->reason,
            .anew = true,
        };
        for (size_t k = 0; k < s->of[i].n; k++)
            ids[k] = s->book.code_ids[s->of[i].places[k]];
        if (s->of[i].given)
            status = db_decision_put(s->in->db, &decision, e);
    }
    return status;
}

static enum status MUST_USE put_all(struct setting *s, bool judge, struct err *e)
{
    const char *note = option_text(s->in, "note", NULL);
    struct db_decision judgement = {
        .coder = s->coder,
        .post_id = s->post_id,
        .facet = FACET_JUDGES,
        .is_problem = s->is_problem != 0,
        .now = span_of(s->now),
        .reason = s->reason,
    };
    enum status status = db_coder_put(s->in->db, s->coder, false, e);

    if (status == ST_OK && judge)
        status = db_decision_put(s->in->db, &judgement, e);
    if (status == ST_OK)
        status = put_labels(s, e);
    if (status == ST_OK && note != NULL)
        status = db_note_put(s->in->db, s->coder, s->subject, s->post_id, span_of(note), e);
    return status;
}

/* --- what the guide says of the codes that were chosen --- */

static bool is_chosen(const struct setting *s, size_t place)
{
    for (size_t i = 0; i < s->facets->n; i++)
        for (size_t k = 0; k < s->of[i].n; k++)
            if (s->of[i].places[k] == place)
                return true;
    return false;
}

static void say_guide(const struct setting *s)
{
    const struct codebook *c = &s->book.codebook;

    for (size_t i = 0; i < c->n_rules; i++) {
        const struct disambiguation *rule = &c->rules[i];
        if (is_chosen(s, rule->code) || is_chosen(s, rule->versus))
            log_info("%.*s or %.*s? %.*s", (int)c->codes[rule->code].name.len,
                     c->codes[rule->code].name.ptr, (int)c->codes[rule->versus].name.len,
                     c->codes[rule->versus].name.ptr, (int)rule->rule.len, rule->rule.ptr);
    }
}

/* --- the command --- */

static enum status MUST_USE set(struct setting *s, struct err *e)
{
    bool is_merged, judge = false;
    struct buf near = {0};
    enum status status = coder_known(s->in->db, s->coder, &is_merged, &near, e);

    if (near.len > 0)
        log_warn("'%.*s' is a new coder; if you are '%s': ppmine label undo --coder '%.*s'",
                 (int)s->coder.len, s->coder.ptr, buf_cstr(&near), (int)s->coder.len,
                 s->coder.ptr);
    buf_clear(&near);
    if (status == ST_OK && is_merged)
        return err_set(e, ST_INPUT, "'%.*s' is what coders agreed on in the end; ppmine label resolve"
                       " sets that", (int)s->coder.len, s->coder.ptr);
    if (status == ST_OK)
        status = check_judgement(s, &judge, e);
    if (status == ST_OK)
        status = check_post(s, e);
    if (status == ST_OK)
        status = put_all(s, judge, e);
    return status;
}

static enum status run_label_set(struct invocation *in, struct err *e)
{
    struct setting s = {.in = in};
    struct buf coder = {0};

    time_now(s.now);
    enum status status = coder_option(in, &coder, e);
    s.coder = buf_span(&coder);
    if (status == ST_OK)
        status = db_begin(in->db, e);
    if (status == ST_OK)
        status = stored_codebook_load(&s.book, in->db, e);
    s.facets = s.book.facets;
    if (status == ST_OK)
        status = read_options(&s, e);
    if (status == ST_OK)
        status = set(&s, e);
    if (status == ST_OK)
        status = db_commit(in->db, e);
    if (status != ST_OK)
        db_rollback(in->db);
    else
        say_guide(&s);
    stored_codebook_clear(&s.book);
    buf_clear(&coder);
    return status;
}

static struct option_spec option_of(const struct facet *facet, struct arena *arena)
{
    bool judges = facet->kind == FACET_YES_NO;
    struct buf help = {0};

    buf_addf(&help, "%s%s", judges ? "yes or no: " : "", facet->asks.ptr);
    if (facet->most == 2)
        buf_addf(&help, "; for two, twice, the main one first");
    else if (facet->most > 2)
        buf_addf(&help, "; up to %zu times, the main one first", facet->most);
    else if (!judges)
        buf_add_text(&help, "; once");
    struct option_spec spec = {facet->option.ptr, judges ? 'p' : '\0',
                               judges ? "ANSWER" : "CODE…",
                               arena_text(arena, buf_span(&help))};
    buf_clear(&help);
    return spec;
}

static const struct option_spec options[] = {
    CODER_OPTION,
    FACET_OPTIONS,
    {"reason", '\0', "TEXT", "why you decided so; published with the label"},
    {"note", '\0', "TEXT", "note to yourself; never published"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label set 48048297 --coder ann --problem no", NULL},
    {"ppmine label set 65160023_1 --coder ann --symptom 'slow execution time'"
     " --root-cause 'improper model parameter'", "a problem, with two of its four labels"},
    {NULL, NULL},
};

const struct command command_label_set = {
    .name = "label set",
    .summary = "Record what a coder decides about a post or a problem",
    .operands = "PROBLEM",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .facet_option = option_of,
    .description =
        "PROBLEM is the id of a post, with _1, _2, … for several problems of one post. A code is\n"
        "given by name, short name or alias, in any case. A code implies that the post is a\n"
        "problem; an empty code removes a label. When the guide contrasts a chosen code with\n"
        "another, its words are printed. Setting a label again adds nothing; `label undo` takes the\n"
        "last act back.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_label_set,
};
