#include "cli/resolver.h"

#include "db/codebook.h"
#include "db/decisions.h"
#include "db/disputes.h"

#include <stdlib.h>

/* --- who settles, and as whom --- */

static enum status MUST_USE read_name(const struct invocation *in, const char *option,
                                      const char *typed, struct buf *name, struct err *e)
{
    struct err why;

    if (coder_name_check(span_of(typed), name, &why) == ST_OK)
        return ST_OK;
    return err_set(e, ST_USAGE, "label resolve: the name with --%s %s%s", option, why.text,
                   in->n_given > 0 ? "" : "; see PPMINE_CODER");
}

struct search {
    struct span sought;
    bool known, is_merged;
};

static void find_coder(void *ctx, struct span coder, bool is_merged)
{
    struct search *s = ctx;

    if (!span_eq(coder, s->sought))
        return;
    s->known = true;
    s->is_merged = is_merged;
}

static enum status MUST_USE check_as(struct resolver *r, struct err *e)
{
    struct search search = {.sought = buf_span(&r->as)};
    enum status status = db_coder_each(r->in->db, find_coder, &search, e);

    r->as_is_known = search.known;
    if (status == ST_OK && search.known && !search.is_merged)
        return err_set(e, ST_INPUT, "'%s' is one of the coders; what is settled needs a name of its"
                       " own: give another with --as", buf_cstr(&r->as));
    return status;
}

enum status resolver_open(struct resolver *r, struct invocation *in, struct err *e)
{
    const char *by = option_text(in, "by", getenv("PPMINE_CODER"));
    int64_t version;

    *r = (struct resolver){.in = in};
    enum status status = read_name(in, "as", option_text(in, "as", "merged"), &r->as, e);
    if (status == ST_OK && by != NULL && by[0] != '\0')
        status = read_name(in, "by", by, &r->by, e);
    if (status == ST_OK && r->by.len > 0 && memchr(r->by.ptr, ':', r->by.len) != NULL)
        status = err_set(e, ST_USAGE, "label resolve: the name with --by holds a ':'");
    if (status == ST_OK)
        status = check_as(r, e);
    if (status == ST_OK)
        status = db_codebook_version(in->db, &version, e);
    if (status == ST_OK && version > 0)
        status = stored_codebook_load(&r->book, in->db, e);
    return status;
}

void resolver_clear(struct resolver *r)
{
    stored_codebook_clear(&r->book);
    buf_clear(&r->as);
    buf_clear(&r->by);
}

/* --- settling --- */

struct settlement settlement_of(const struct db_dispute *dispute, const struct db_opinion *opinion)
{
    struct settlement s = {
        .facet = dispute->facet,
        .subject = dispute->subject,
        .post_id = dispute->post_id,
        .is_problem = opinion->is_problem,
    };

    memcpy(s.codes, opinion->codes, sizeof s.codes);
    return s;
}

/* The facet of the codes of a facet of decisions. */
static const char *codes_of(enum db_facet facet)
{
    static const char *const codes[DB_FACETS] = {
        [DB_SYMPTOM] = "symptom",          [DB_ROOT_CAUSE] = "root cause",
        [DB_INTRODUCING_STAGE] = "stage",  [DB_EXPOSING_STAGE] = "stage",
    };

    return codes[facet];
}

static enum status MUST_USE read_yes(struct settlement *s, struct span text, struct err *e)
{
    s->is_problem = span_eq(text, SPAN("yes"));
    if (s->is_problem || span_eq(text, SPAN("no")))
        return ST_OK;
    return err_set(e, ST_INPUT, "'%.*s': expected yes or no", text.len < 100 ? (int)text.len : 100,
                   text.ptr);
}

enum status settlement_read(const struct resolver *r, struct settlement *s, struct span text,
                            struct err *e)
{
    size_t most = s->facet == DB_SYMPTOM ? DB_CODES_MAX : 1, n = 0;
    struct span name;

    if (s->facet == DB_IDENTIFICATION)
        return read_yes(s, span_trim(text), e);
    memset(s->codes, 0, sizeof s->codes);
    while (span_cut(&text, ';', &name)) {
        if (n == most)
            return err_set(e, ST_INPUT, "expected at most %zu %s of a problem", most,
                           most == 1 ? "code" : "codes");
        size_t place = stored_codebook_find(&r->book, codes_of(s->facet), span_trim(name), e);
        if (place == SIZE_MAX)
            return ST_INPUT;
        s->codes[n++] = r->book.code_ids[place];
    }
    if (n == 0)
        return err_set(e, ST_INPUT, "expected the name of a code");
    return ST_OK;
}

bool settlement_is_current(const struct resolver *r, const struct settlement *s)
{
    for (size_t i = 0; i < DB_CODES_MAX && s->facet != DB_IDENTIFICATION; i++) {
        bool found = s->codes[i] == 0;
        for (size_t k = 0; k < r->book.codebook.n_codes && !found; k++)
            found = r->book.code_ids[k] == s->codes[i];
        if (!found)
            return false;
    }
    return true;
}

void settlement_taken(struct buf *out, const struct db_opinion *opinion, struct span reason)
{
    buf_addf(out, "took %.*s's", (int)opinion->coder.len, opinion->coder.ptr);
    if (reason.len == 0)
        return;
    buf_add_text(out, ": ");
    buf_add_span(out, reason);
}

/* A problem that has codes, or had. */
struct coded {
    struct coded *next;
    enum db_facet facet;
    struct span subject;
};

struct coded_list {
    struct coded *first;
    struct arena arena;
};

static void add_coded(void *ctx, const struct db_event *event)
{
    struct coded_list *list = ctx;

    if (event->undone || span_starts(event->value, SPAN("{")))
        return;
    for (enum db_facet facet = DB_SYMPTOM; facet < DB_FACETS; facet++) {
        if (!span_eq(event->facet, db_facet_name(facet)))
            continue;
        struct coded *coded = arena_alloc(&list->arena, sizeof *coded);
        *coded = (struct coded){list->first, facet, arena_copy(&list->arena, event->subject)};
        list->first = coded;
    }
}

/* Of a post that is settled to be no problem the codes that were settled before are taken back: else
 * it would stay among the study's problems. Before the "no", which `u` then undoes. */
static enum status MUST_USE take_codes_back(struct resolver *r, const struct db_decision *no,
                                            struct err *e)
{
    struct coded_list list = {0};
    enum status status = db_event_each(r->in->db, no->coder, no->post_id, add_coded, &list, e);

    for (const struct coded *c = list.first; c != NULL && status == ST_OK; c = c->next) {
        struct db_decision decision = {
            .coder = no->coder,
            .subject = c->subject,
            .post_id = no->post_id,
            .facet = c->facet,
            .reason = no->reason,
        };
        status = db_resolution_put(r->in->db, &decision, e);
    }
    arena_clear(&list.arena);
    return status;
}

enum status settlement_put(struct resolver *r, const struct settlement *s, struct span reason,
                           struct err *e)
{
    struct buf text = {0};
    struct db_decision decision = {
        .coder = buf_span(&r->as),
        .subject = s->subject,
        .post_id = s->post_id,
        .facet = s->facet,
        .is_problem = s->is_problem,
    };
    enum status status = ST_OK;

    if (!r->as_is_known)
        status = db_coder_put(r->in->db, decision.coder, true, e);
    r->as_is_known |= status == ST_OK;
    if (r->by.len > 0)
        buf_addf(&text, "by %s: ", buf_cstr(&r->by));
    buf_add_span(&text, reason);
    memcpy(decision.codes, s->codes, sizeof decision.codes);
    decision.reason = buf_span(&text);
    if (status == ST_OK && s->facet == DB_IDENTIFICATION && !s->is_problem)
        status = take_codes_back(r, &decision, e);
    if (status == ST_OK)
        status = db_resolution_put(r->in->db, &decision, e);
    buf_clear(&text);
    return status;
}

/* --- for people --- */

/* A text of people or posts, padded to `width` columns. */
static void add_field(struct buf *out, struct span s, size_t width)
{
    struct buf clean = {0};

    buf_add_clean(&clean, s);
    buf_add_padded(out, buf_span(&clean), width, false);
    buf_clear(&clean);
}

static void names_of(const struct db_opinion *o, struct buf *out)
{
    buf_reset(out);
    buf_add_span(out, o->names[0]);
    if (o->names[1].ptr != NULL) {
        buf_add_text(out, "; ");
        buf_add_span(out, o->names[1]);
    }
}

static void add_opinion(struct buf *out, const struct db_opinion *o, size_t number)
{
    struct buf names = {0};

    names_of(o, &names);
    buf_addf(out, "  %zu  ", number);
    add_field(out, o->coder, 12);
    buf_add_char(out, ' ');
    add_field(out, buf_span(&names), 36);
    buf_add_char(out, ' ');
    buf_add_clean(out, o->decided_at);
    if (o->is_merged)
        buf_add_text(out, "  (settled, and open again)");
    if (o->reason.ptr != NULL)
        buf_add_text(out, "  ");
    buf_add_clean(out, o->reason);
    buf_add_char(out, '\n');
    buf_clear(&names);
}

struct guide {
    const struct resolver *r;
    const struct db_dispute *dispute;
    struct buf *out;
};

static bool is_said(const struct db_dispute *dispute, int64_t code_id)
{
    for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next)
        for (size_t i = 0; i < DB_CODES_MAX; i++)
            if (!o->is_merged && o->codes[i] == code_id)
                return true;
    return false;
}

static void add_rule(void *ctx, int64_t code_id, int64_t versus_id, struct span rule)
{
    const struct guide *g = ctx;

    if (!is_said(g->dispute, code_id) || !is_said(g->dispute, versus_id))
        return;
    buf_add_text(g->out, "  guide, ");
    buf_add_clean(g->out, stored_codebook_name(&g->r->book, code_id));
    buf_add_text(g->out, " or ");
    buf_add_clean(g->out, stored_codebook_name(&g->r->book, versus_id));
    buf_add_text(g->out, ": ");
    buf_add_clean(g->out, rule);
    buf_add_char(g->out, '\n');
}

enum status dispute_print(const struct resolver *r, const struct db_dispute *dispute, FILE *out,
                          struct err *e)
{
    struct buf text = {0};
    struct guide guide = {r, dispute, &text};
    enum status status = ST_OK;
    size_t n = 0;

    buf_add_clean(&text, dispute->subject);
    buf_add_text(&text, ", ");
    buf_add_clean(&text, db_facet_name(dispute->facet));
    if (dispute->title.ptr != NULL)
        buf_add_text(&text, "\n  ");
    buf_add_clean(&text, dispute->title);
    buf_add_text(&text, "\n  ");
    buf_add_clean(&text, dispute->url);
    buf_add_char(&text, '\n');
    for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next)
        add_opinion(&text, o, ++n);
    if (dispute->facet != DB_IDENTIFICATION)
        status = db_disambiguation_each(r->in->db, add_rule, &guide, e);
    fwrite(text.ptr, 1, text.len, out);
    buf_clear(&text);
    return status;
}

/* --- asking --- */

enum { ANSWER_MAX = 4096 };

/* What was settled in this session, for undo. */
struct session {
    struct resolver *r;
    const struct db_disputes *disputes;
    size_t at;
    size_t *settled; /* places in disputes */
    size_t n_settled, n_skipped;
    bool ended;
    struct err *e;
};

/* The next line; false at the end. A line that is too long is passed over and comes as empty. */
static bool read_answer(FILE *in, char line[ANSWER_MAX])
{
    size_t n = 0;
    int c;

    while ((c = fgetc(in)) != EOF && c != '\n')
        if (n++ < ANSWER_MAX - 1)
            line[n - 1] = (char)c;
    if (n >= ANSWER_MAX)
        log_warn("a line of more than %d bytes is no answer", ANSWER_MAX);
    line[n < ANSWER_MAX ? n : 0] = '\0';
    return c != EOF || n > 0;
}

static const struct db_opinion *opinion_numbered(const struct db_dispute *dispute, struct span text)
{
    const struct db_opinion *o = dispute->opinions;
    uint64_t number;

    if (!span_u64(text, UINT32_MAX, &number) || number == 0)
        return NULL;
    while (o != NULL && --number > 0)
        o = o->next;
    return o;
}

static enum status MUST_USE settle(struct session *s, struct span answer, struct span reason)
{
    const struct db_dispute *dispute = &s->disputes->items[s->at];
    const struct db_opinion *taken = opinion_numbered(dispute, answer);
    struct db *db = s->r->in->db;
    struct settlement settlement = settlement_of(dispute, taken != NULL ? taken : dispute->opinions);
    struct buf text = {0};
    struct err why;

    if (taken == NULL && settlement_read(s->r, &settlement, answer, &why) != ST_OK) {
        log_warn("%s; or ? for help", why.text);
        return ST_OK;
    }
    if (taken != NULL)
        settlement_taken(&text, taken, reason);
    else
        buf_add_span(&text, reason.len > 0 ? reason : SPAN("settled"));
    enum status status = db_begin(db, s->e);
    if (status == ST_OK)
        status = settlement_put(s->r, &settlement, buf_span(&text), &why);
    if (status == ST_OK)
        status = db_commit(db, &why);
    buf_clear(&text);
    if (status != ST_OK)
        db_rollback(db);
    if (status == ST_INPUT) { /* such as a code that is no longer given: another one may do */
        log_warn("%s", why.text);
        return ST_OK;
    }
    if (status != ST_OK)
        *s->e = why;
    else
        s->settled[s->n_settled++] = s->at++;
    return status;
}

static void say_undone(void *ctx, const struct db_act *act)
{
    (void)ctx;
    log_info("undone: %.*s, %.*s: %.*s", (int)act->subject.len, act->subject.ptr,
             (int)act->facet.len, act->facet.ptr, (int)act->value.len, act->value.ptr);
}

static enum status MUST_USE undo(struct session *s)
{
    if (s->n_settled == 0) {
        log_warn("nothing was settled in this session; `ppmine label undo --coder %s` undoes what"
                 " was settled before", buf_cstr(&s->r->as));
        return ST_OK;
    }
    s->at = s->settled[--s->n_settled];
    enum status status = db_decision_undo(s->r->in->db, buf_span(&s->r->as),
                                          s->disputes->items[s->at].post_id, say_undone, NULL,
                                          s->e);
    return status == ST_NO ? ST_OK : status;
}

static enum status MUST_USE act_on(struct session *s, struct span line)
{
    size_t mark = span_find(line, SPAN(" # "));
    struct span answer = span_trim((struct span){line.ptr, mark == SIZE_MAX ? line.len : mark});
    struct span reason = {0};

    if (mark != SIZE_MAX)
        reason = span_trim((struct span){line.ptr + mark + 3, line.len - mark - 3});
    if (answer.len == 0)
        return ST_OK;
    if (span_eq(answer, SPAN("?"))) {
        log_info("a number: that coder is right; the name of a code, or two symptoms with ';'"
                 " between; yes or no; behind ' # ' a reason");
        log_info("s: skip; u: undo the last answer; q: quit. Each answer is kept at once.");
    } else if (span_eq(answer, SPAN("s"))) {
        s->at++;
        s->n_skipped++;
    } else if (span_eq(answer, SPAN("q"))) {
        s->ended = true;
    } else if (span_eq(answer, SPAN("u"))) {
        return undo(s);
    } else {
        return settle(s, answer, reason);
    }
    return ST_OK;
}

static enum status MUST_USE ask_next(struct session *s, FILE *answers, size_t *shown)
{
    char line[ANSWER_MAX];
    enum status status = ST_OK;

    if (*shown != s->at)
        status = dispute_print(s->r, &s->disputes->items[s->at], stdout, s->e);
    *shown = s->at;
    fflush(stdout);
    if (status != ST_OK)
        return status;
    if (log_get_level() != LOG_QUIET)
        fprintf(stderr, "[%zu of %zu] who is right? (number, code, s, u, q, ?) ", s->at + 1,
                s->disputes->n);
    s->ended = !read_answer(answers, line);
    return s->ended ? ST_OK : act_on(s, span_of(line));
}

enum status resolver_ask(struct resolver *r, const struct db_disputes *disputes, FILE *answers,
                         struct err *e)
{
    struct session s = {.r = r, .disputes = disputes, .e = e};
    size_t shown = SIZE_MAX, before;
    enum status status = ST_OK;

    s.settled = mem_zero(disputes->n, sizeof *s.settled);
    while (status == ST_OK && !s.ended && s.at < disputes->n) {
        before = s.at;
        status = ask_next(&s, answers, &shown);
        if (s.at != before)
            shown = SIZE_MAX;
    }
    log_info("%zu settled, %zu left", s.n_settled, disputes->n - s.n_settled);
    mem_free(s.settled);
    return status;
}
