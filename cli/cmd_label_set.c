/* label set: what a coder decides about a post or a problem. */
#include "cli/command.h"
#include "cli/options.h"
#include "label/coding/subject.h"
#include "label/coding/coders.h"
#include "label/coding/stored_codebook.h"
#include "label/coding/decisions.h"
#include "match/corpus/derived.h"
#include "label/coding/labels.h"
#include "db/posts.h"
#include "label/label.h"

struct setting {
    struct invocation *in;
    const struct facets *facets; /* of the codebook's database */
    struct span subject, coder, reason;
    struct buf reasoned; /* the reason with its evidence */
    int64_t post_id, evidence; /* evidence: an answer; 0: none */
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
    const struct facet *judges = &s->facets->items[FACET_JUDGES];
    const char *values[GIVEN_MAX];
    size_t choice = SIZE_MAX;
    enum status status = ST_OK;

    if (option_of_facet(s->in, judges, values) > 0)
        status = option_choose(s->in, judges->option.ptr, values[0], choices, &choice, e);

    s->is_problem = choice == SIZE_MAX ? -1 : (int)choice;
    return status;
}

static enum status MUST_USE read_facet(struct setting *s, size_t i, struct err *e)
{
    const struct facet *facet = &s->facets->items[i];
    const char *values[GIVEN_MAX], *option = facet->option.ptr;
    size_t n = option_of_facet(s->in, facet, values);
    struct err why;

    s->of[i].given = n > 0;
    s->any_label |= n > 0;
    if (n > facet->most)
        return err_set(e, ST_USAGE, "label set: --%s is given %zu times; expected at most %zu",
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

/* The answer is a part of the reason, so it is shown, exported and published where that is. */
static enum status MUST_USE read_reason(struct setting *s, struct err *e)
{
    const char *evidence = s->in->values.evidence;

    s->reason = span_of(s->in->values.reason);
    if (s->reason.len == 0)
        s->reason.ptr = NULL;
    if (evidence == NULL)
        return ST_OK;
    if (!post_id_read(span_of(evidence), &s->evidence))
        return err_set(e, ST_USAGE, "label set: --evidence: '%s': expected the id of an answer",
                       evidence);
    buf_add_span(&s->reasoned, s->reason);
    buf_addf(&s->reasoned, "%sanswer %s", s->reason.len > 0 ? "; " : "", evidence);
    s->reason = buf_span(&s->reasoned);
    return ST_OK;
}

static enum status MUST_USE read_options(struct setting *s, struct err *e)
{
    enum status status = read_problem(s, e);

    s->subject = span_of(s->in->operands[0]);
    if (status == ST_OK)
        status = read_reason(s, e);
    if (status == ST_OK && !problem_id_read(s->subject, &s->post_id))
        return err_set(e, ST_USAGE, "label set: '%s': expected the id of a post, with _1, _2, … if"
                       " it has several problems", s->in->operands[0]);
    for (size_t i = FACET_JUDGES + 1; i < s->facets->n && status == ST_OK; i++)
        status = read_facet(s, i, e);
    if (status != ST_OK)
        return status;
    if (s->is_problem < 0 && !s->any_label && s->in->values.note == NULL)
        return err_set(e, ST_USAGE, "label set: nothing to set: give --%s yes or no, a code such as"
                       " --%s CODE, or --note TEXT", s->facets->items[FACET_JUDGES].option.ptr,
                       example_option(s->facets));
    if (s->evidence != 0 && s->is_problem < 0 && !s->any_label)
        return err_set(e, ST_USAGE, "label set: --evidence needs a judgement or a code too");
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
    char id[POST_ID_TEXT_SIZE];
    enum status status = db_candidate_count(s->in->db, &n_candidates, e);

    if (status == ST_OK && n_candidates > 0)
        status = db_posts_absent(s->in->db, posts, &n_absent, e);
    if (status == ST_OK && n_absent > 0)
        log_warn("post %s is not in %s; if the id is wrong: ppmine label undo --coder '%.*s' %s",
                 post_id_text(s->post_id, id), s->in->db_path, (int)s->coder.len, s->coder.ptr,
                 id);
    return status;
}

static enum status MUST_USE check_evidence(const struct setting *s, struct err *e)
{
    bool held;

    if (s->evidence == 0)
        return ST_OK;
    enum status status = subject_check_evidence(s->in->db, s->evidence, s->post_id, &held, e);
    if (status == ST_OK && !held)
        log_warn("answer %lld is not in %s", (long long)s->evidence, s->in->db_path);
    return status;
}

static enum status MUST_USE check_post(struct setting *s, struct err *e)
{
    struct found found = {.s = s};
    struct buf posts = {0};

    buf_addf(&posts, "[%lld]", (long long)s->post_id);
    struct db_coding_query query = {.coder = s->coder, .posts = buf_span(&posts)};
    enum status status = subject_check(s->in->db, s->post_id, e);
    if (status == ST_OK)
        status = check_evidence(s, e);
    if (status == ST_OK)
        status = check_held(s, query.posts, e);
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
    char id[POST_ID_TEXT_SIZE];
    bool judged, is_problem;
    enum status status = db_is_judged(s->in->db, s->coder, s->post_id, &judged, &is_problem, e);

    *judge = s->is_problem >= 0 || (s->any_code && !judged);
    if (status == ST_OK && s->any_code && s->is_problem < 0 && judged && !is_problem)
        return err_set(e, ST_INPUT, "%s: %.*s judged it to be no problem; give --%s yes too if it"
                       " is one", post_id_text(s->post_id, id), (int)s->coder.len, s->coder.ptr,
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
        for (size_t k = 0; k < s->of[i].n && status == ST_OK; k++) {
            ids[k] = s->book.code_ids[s->of[i].places[k]];
            status = stored_codebook_keep(&s->book, s->in->db, s->of[i].places[k], e);
        }
        if (s->of[i].given && status == ST_OK)
            status = db_decision_put(s->in->db, &decision, e);
    }
    return status;
}

static enum status MUST_USE put_all(struct setting *s, bool judge, struct err *e)
{
    const char *note = s->in->values.note;
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

/* --- what was recorded --- */

static enum status keep_title(void *ctx, const struct post *post, struct err *e)
{
    (void)e;
    if (post->title.len > 0)
        buf_add_text(ctx, ", ");
    buf_add_clean(ctx, post->title);
    return ST_OK;
}

/* "symptom out of memory and memory leak", or "no symptom". */
static void add_codes(const struct setting *s, size_t facet, struct buf *out)
{
    const char *name = s->facets->items[facet].name.ptr;

    buf_addf(out, s->of[facet].n > 0 ? "; %s " : "; no %s", name);
    for (size_t k = 0; k < s->of[facet].n; k++) {
        buf_add_text(out, k > 0 ? " and " : "");
        buf_add_clean(out, s->book.codebook.codes[s->of[facet].places[k]].name);
    }
}

/* "105_1, Keras LSTM is slower: problem yes; symptom slow execution time; noted" */
static enum status MUST_USE say_recorded(const struct setting *s, bool judge, struct err *e)
{
    struct buf out = {0}, what = {0};

    if (judge)
        buf_addf(&what, "; %s %s", s->facets->items[FACET_JUDGES].option.ptr,
                 s->is_problem == 0 ? "no" : "yes");
    for (size_t i = FACET_JUDGES + 1; i < s->facets->n; i++)
        if (s->of[i].given)
            add_codes(s, i, &what);
    buf_add_text(&what, (s->in->values.note != NULL) ? "; noted" : "");
    buf_add_clean(&out, s->subject);
    enum status status = db_post_text(s->in->db, s->post_id, keep_title, &out, e);
    if (status == ST_OK)
        log_info("%s: %s", buf_cstr(&out), buf_cstr(&what) + strlen("; "));
    buf_clear(&out);
    buf_clear(&what);
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

static enum status MUST_USE set(struct setting *s, bool *judge, struct err *e)
{
    bool is_merged;
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
        status = check_judgement(s, judge, e);
    if (status == ST_OK)
        status = check_post(s, e);
    if (status == ST_OK)
        status = put_all(s, *judge, e);
    return status;
}

static enum status run_label_set(struct invocation *in, struct err *e)
{
    struct setting s = {.in = in};
    struct buf coder = {0};
    bool judge = false;

    time_now(s.now);
    enum status status = coder_option(in, &coder, e);
    s.coder = buf_span(&coder);
    if (status == ST_OK)
        status = db_begin(in->db, e);
    if (status == ST_OK)
        status = stored_codebook_load_any(&s.book, in->db, e);
    s.facets = s.book.facets;
    if (status == ST_OK)
        status = read_options(&s, e);
    if (status == ST_OK)
        status = set(&s, &judge, e);
    if (status == ST_OK)
        status = db_commit(in->db, e);
    if (status != ST_OK)
        db_rollback(in->db);
    else
        status = say_recorded(&s, judge, e);
    if (status == ST_OK)
        say_guide(&s);
    stored_codebook_clear(&s.book);
    buf_clear(&s.reasoned);
    buf_clear(&coder);
    return status;
}

static struct option_spec option_of(const struct facet *facet, struct arena *arena)
{
    bool judges = facet->about == FACET_ABOUT_POST;
    bool written = facet_is_written(facet);
    struct buf help = {0};

    buf_addf(&help, "%s%s",
             facet->kind == FACET_YES_NO   ? "yes or no: "
             : facet->kind == FACET_NUMBER ? "a number: "
                                           : "",
             facet->asks.ptr);
    facet_add_range(facet, "; ", &help);
    if (facet->most == 2)
        buf_addf(&help, "; give it twice for two, the main one first");
    else if (facet->most > 2)
        buf_addf(&help, "; give it up to %zu times, the main one first", facet->most);
    else if (!judges && !written)
        buf_add_text(&help, "; once");
    struct option_spec spec = {
        .name = facet->option.ptr,
        .short_name = judges ? 'p' : '\0',
        .argument = judges ? "ANSWER"
                    : facet->kind == FACET_CODES ? "CODE…"
                    : facet_placeholder(facet),
        .help = arena_text(arena, buf_span(&help)),
    };
    buf_clear(&help);
    return spec;
}

static const struct option_spec options[] = {
    CODER_OPTION,
    FACET_OPTIONS,
    {"reason", '\0', TEXT(reason, "TEXT"), "why you decided so; published with the label"},
    {"evidence", '\0', TEXT(evidence, "ANSWER"), "id of the answer that shows it, kept with the reason"},
    {"note", '\0', TEXT(note, "TEXT"), "note; others see it when disagreements are settled; never published"},
    {0},
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
        "PROBLEM is the id of a post, with _1, _2, … for several problems of one post. A problem\n"
        "belongs to its question: the id of an answer is refused, unless the study's candidates\n"
        "include answers and it is one of them. An answer may be given as --evidence. A code is\n"
        "given by name, short name or alias, in any case. A code implies that the post is a\n"
        "problem; an empty code removes a label. If the guide says how to tell a chosen code from\n"
        "another, that rule is printed. Setting the same label again adds nothing; `label undo`\n"
        "takes the last act back.\n"
        "\n"
        "Options and examples are those of the study in the database; without a database, those of the\n"
        "built-in study.",
    .examples = examples,
    .judging_example = "ppmine label set 48048297 --coder ann",
    .coding_example = "ppmine label set 65160023_1 --coder ann",
    .needs = NEEDS_DB_WRITE,
    .run = run_label_set,
};
