/* label set: what a coder decides about a post or a problem. */
#include "cli/command.h"
#include "cli/options.h"
#include "label/coding/act.h"
#include "label/coding/decisions.h"
#include "label/coding/subject.h"
#include "match/corpus/derived.h"
#include "db/posts.h"
#include "label/label.h"
#include "base/log.h"
#include "base/visible.h"

struct setting {
    struct invocation *in;
    const struct facets *facets; /* of the codebook's database */
    struct buf reasoned;         /* the reason with its evidence */
    int64_t evidence;            /* an answer; 0: none */
    struct stored_codebook book;
    struct act act;
    bool any_label, any_code; /* any_code: one that is not empty */
    bool judges;              /* the act says yes or no, or implies yes */
    bool withdraws;           /* codes, by a no */
};

/* --- the command line --- */

static enum status MUST_USE read_facet(struct setting *s, size_t i, struct err *e)
{
    const struct facet *facet = &s->facets->items[i];
    struct act_codes *codes = &s->act.codes[i - FACET_JUDGES - 1];
    const char *values[GIVEN_MAX], *option = facet->option.ptr;
    size_t n = option_of_facet(s->in, facet, values);
    struct err why;

    s->act.given[i - FACET_JUDGES - 1] = n > 0;
    s->any_label |= n > 0;
    if (n > facet->most)
        return err_set(e, ST_USAGE, "label set: --%s is given %zu times; expected at most %zu", option, n, facet->most);
    if (n == 1 && values[0][0] == '\0') /* no label of this facet */
        return ST_OK;
    s->any_code |= n > 0;
    for (size_t k = 0; k < n; k++) {
        size_t place = stored_codebook_find(&s->book, stored_codebook_list(&s->book, i), span_of(values[k]), &why);
        if (place == SIZE_MAX)
            return err_set(e, ST_USAGE, "label set: --%s: %s", option, why.text);
        for (size_t m = 0; m < k; m++)
            if (place == codes->at[m])
                return err_set(e, ST_USAGE, "label set: --%s: the same code twice", option);
        codes->at[codes->n++] = place;
    }
    return ST_OK;
}

static enum status MUST_USE read_options(struct setting *s, struct err *e)
{
    static const char *const choices[] = {"no", "yes", NULL};
    const struct facet *judges = &s->facets->items[FACET_JUDGES];
    const struct facet *coded = s->facets->n > FACET_JUDGES + 1 ? judges + 1 : judges;
    const char *values[GIVEN_MAX], *evidence = s->in->values.evidence;
    size_t choice = SIZE_MAX;
    enum status status = ST_OK;

    if (option_of_facet(s->in, judges, values) > 0)
        status = option_choose(s->in, judges->option.ptr, values[0], choices, &choice, e);
    s->act.judgement = choice == SIZE_MAX ? ACT_SAYS_NOTHING : choice == 0 ? ACT_SAYS_NO : ACT_SAYS_YES;

    s->act.subject = span_of(s->in->operands[0]);
    s->act.note = span_of(s->in->values.note);
    s->act.reason = span_of(s->in->values.reason);
    if (status == ST_OK && evidence != NULL) {
        if (!post_id_read(span_of(evidence), &s->evidence))
            return usage_error(s->in, e, "--evidence: '%s': expected the id of an answer", evidence);
        /* It is a part of the reason, so it is shown, exported and published where that is. */
        buf_add_span(&s->reasoned, s->act.reason);
        buf_addf(&s->reasoned, "%sanswer %s", s->act.reason.len > 0 ? "; " : "", evidence);
        s->act.reason = buf_span(&s->reasoned);
    }
    if (status == ST_OK && !problem_id_read(s->act.subject, &s->act.post_id))
        return usage_error(s->in, e, "'%s': expected the id of a post, with _1, _2, … if it has several problems",
                           s->in->operands[0]);
    for (size_t i = FACET_JUDGES + 1; i < s->facets->n && status == ST_OK; i++)
        status = read_facet(s, i, e);
    if (status == ST_OK && s->act.judgement == ACT_SAYS_NOTHING && !s->any_label && s->act.note.len == 0 &&
        s->act.reason.len == 0)
        return usage_error(
            s->in, e, "nothing to set: give --%s yes or no, a code such as --%s CODE, --reason TEXT or --note TEXT",
            judges->option.ptr, coded->option.ptr);
    return status;
}

/* --- what there is already --- */

static bool has_number(struct span subject)
{
    return span_find(subject, SPAN("_")) != SIZE_MAX;
}

/* A problem of the post that is another way to name this one. */
static void say_clash(const struct setting *s, const struct act_said *said)
{
    for (size_t i = said->problems.n; i > 0 && s->any_code; i--) {
        struct span subject = said->problems.at[i - 1].subject, coder = s->act.coder;
        AT_END(buf_clear) struct buf empty = {0};
        if (has_number(subject) == has_number(s->act.subject))
            continue;
        for (size_t k = FACET_JUDGES + 1; k < s->facets->n; k++)
            buf_addf(&empty, " --%s ''", s->facets->items[k].option.ptr);
        log_warn("%.*s has codes by %.*s too: one problem or several? If one, take its codes back:"
                 " ppmine label set %.*s --coder '%.*s'%s",
                 SPAN_ARG(subject), SPAN_ARG(coder), SPAN_ARG(subject), SPAN_ARG(coder), buf_cstr(&empty));
        return;
    }
}

/* --- what was recorded --- */

/* "105_1, Keras LSTM is slower: problem yes; symptom slow execution time; noted" */
static enum status MUST_USE say_recorded(const struct setting *s, struct err *e)
{
    AT_END(buf_clear) struct buf out = {0}, what = {0}, title = {0};
    bool no = s->act.judgement == ACT_SAYS_NO;

    if (s->judges)
        buf_addf(&what, "; %s %s", s->facets->items[FACET_JUDGES].option.ptr, no ? "no" : "yes");
    buf_add_text(&what, s->withdraws ? "; its codes no longer count" : "");
    for (size_t i = FACET_JUDGES + 1; i < s->facets->n; i++)
        if (s->act.given[i - FACET_JUDGES - 1] && !no) {
            /* "symptom out of memory and memory leak", or "no symptom". */
            const struct act_codes *codes = &s->act.codes[i - FACET_JUDGES - 1];

            buf_addf(&what, codes->n > 0 ? "; %s " : "; no %s", s->facets->items[i].name.ptr);
            for (size_t k = 0; k < codes->n; k++) {
                buf_add_text(&what, k > 0 ? " and " : "");
                buf_add_clean(&what, s->book.codebook.codes[codes->at[k]].name);
            }
        }
    buf_add_text(&what, what.len == 0 && s->act.reason.len > 0 ? "; reason" : "");
    buf_add_text(&what, s->act.note.len > 0 ? "; noted" : "");
    buf_add_clean(&out, s->act.subject);
    enum status status = db_post_title(s->in->db, s->act.post_id, &title, e);
    buf_add_text(&out, title.len > 0 ? ", " : "");
    buf_add_clean(&out, buf_span(&title));
    if (status == ST_OK)
        log_info("%s: %s", buf_cstr(&out), buf_cstr(&what) + strlen("; "));
    return status;
}

/* --- what the guide says of the codes that were chosen --- */

static bool is_chosen(const struct setting *s, size_t place)
{
    for (size_t i = 0; i < ARRAY_LEN(s->act.codes); i++)
        for (size_t k = 0; k < s->act.codes[i].n; k++)
            if (s->act.codes[i].at[k] == place)
                return true;
    return false;
}

/* --- the command --- */

/* Within a transaction. */
static enum status MUST_USE set(struct setting *s, struct err *e)
{
    struct span coder = s->act.coder;
    int64_t n_candidates = 0, n_absent = 0;
    char id[POST_ID_TEXT_SIZE];
    AT_END(buf_clear) struct buf near = {0};
    bool is_merged, held = true;
    enum status status = stored_codebook_load_any(&s->book, s->in->db, e);

    s->facets = s->book.facets;
    THEN(status, read_options(s, e));
    THEN(status, coder_known(s->in->db, coder, &is_merged, &near, e));
    if (near.len > 0)
        log_warn("'%.*s' is a new coder; if you are '%s': ppmine label undo --coder '%.*s'", SPAN_ARG(coder),
                 buf_cstr(&near), SPAN_ARG(coder));
    if (status == ST_OK) {
        AT_END(act_said_clear) struct act_said said;
        status = act_said_read(&said, s->in->db, &s->book, s->act.coder, s->act.post_id, e);
        s->judges = s->act.judgement != ACT_SAYS_NOTHING || (s->any_code && !said.is_judged);
        s->withdraws = s->act.judgement == ACT_SAYS_NO && said.problems.n > 0;
        if (status == ST_OK)
            say_clash(s, &said);
    }
    if (status == ST_OK && s->evidence != 0)
        status = subject_check_evidence(s->in->db, s->evidence, s->act.post_id, &held, e);
    if (status == ST_OK && !held)
        log_warn("answer %lld is not in %s", (long long)s->evidence, s->in->db_path);
    THEN(status, act_write(s->in->db, &s->book, &s->act, e));

    /* A slip in the id is seen only here; a file of labels alone has no posts. */
    AT_END(mem_end) char *posts = mem_addf("[%lld]", (long long)s->act.post_id);
    THEN(status, db_candidate_count(s->in->db, &n_candidates, e));
    if (status == ST_OK && n_candidates > 0)
        status = db_posts_absent(s->in->db, span_of(posts), &n_absent, e);
    if (status == ST_OK && n_absent > 0)
        log_warn("post %s is not in %s; if the id is wrong: ppmine label undo --coder '%.*s' %s",
                 post_id_text(s->act.post_id, id), s->in->db_path, SPAN_ARG(coder), id);
    return status;
}

static enum status run_label_set(struct invocation *in, struct err *e)
{
    struct setting s = {.in = in};
    AT_END(buf_clear) struct buf coder = {0};
    enum status status = coder_option(in, &coder, e);

    s.act.coder = buf_span(&coder);
    THEN(status, db_begin(in->db, e));
    THEN(status, set(&s, e));
    THEN(status, db_commit(in->db, e));
    if (status != ST_OK)
        db_rollback(in->db);
    THEN(status, say_recorded(&s, e));
    const struct codebook *c = &s.book.codebook;
    for (size_t i = 0; i < c->n_rules && status == ST_OK; i++) {
        const struct disambiguation *rule = &c->rules[i];
        if (is_chosen(&s, rule->code) || is_chosen(&s, rule->versus))
            log_info("%.*s or %.*s? %.*s", SPAN_ARG(c->codes[rule->code].name), SPAN_ARG(c->codes[rule->versus].name),
                     SPAN_ARG(rule->rule));
    }
    stored_codebook_clear(&s.book);
    buf_clear(&s.reasoned);
    return status;
}

static struct option_spec option_of(const struct facet *facet, struct arena *arena)
{
    bool judges = facet->about == FACET_ABOUT_POST;
    AT_END(buf_clear) struct buf help = {0};

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
    else if (!judges && !facet_is_written(facet))
        buf_add_text(&help, "; once");
    return (struct option_spec){
        .name = facet->option.ptr,
        .short_name = judges ? 'p' : '\0',
        .argument = judges                       ? "ANSWER"
                    : facet->kind == FACET_CODES ? "CODE…"
                                                 : facet_placeholder(facet),
        .help = arena_text(arena, buf_span(&help)),
    };
}

const struct command command_label_set = {
    .name = "label set",
    .summary = "Record what a coder decides about a post or a problem",
    .operands = "PROBLEM",
    .options = OPTIONS(
        CODER_OPTION, FACET_OPTIONS, TEXT("reason", reason, "TEXT", "why you decided so; published with the label"),
        TEXT("evidence", evidence, "ANSWER", "id of the answer that shows it, kept with the reason"),
        TEXT("note", note, "TEXT", "note; others see it when disagreements are settled; never published")),
    .facet_option = option_of,
    .description =
        "PROBLEM is the id of a post, with _1, _2, … for several problems of one post. A problem\n"
        "belongs to its question: the id of an answer is refused, unless the study's candidates\n"
        "include answers and it is one of them. An answer may be given as --evidence. A code is\n"
        "given by name, short name or alias, in any case. A code implies that the post is a\n"
        "problem; after a no it is refused, unless yes is said with it. A no withdraws the coder's\n"
        "codes of the post. An empty code removes a label. If the guide says how to tell a chosen code from\n"
        "another, that rule is printed. Setting the same label again adds nothing; `label undo`\n"
        "takes the last act back.\n\n"
        "Options and examples are those of the study in the database; without a database, those of the\n"
        "built-in study.",
    .examples = EXAMPLES({"ppmine label set 48048297 --coder ann --problem no", NULL},
                         {"ppmine label set 65160023_1 --coder ann --symptom 'slow execution time'"
                          " --root-cause 'improper model parameter'",
                          "a problem, with two of its four labels"}),
    .judging_example = "ppmine label set 48048297 --coder ann",
    .coding_example = "ppmine label set 65160023_1 --coder ann",
    .needs = NEEDS_DB_WRITE,
    .run = run_label_set,
};
