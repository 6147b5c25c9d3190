/* label resolve: where coders differ, and what they settle on. */
#include "base/day.h"
#include "base/terminal.h"
#include "cli/command.h"
#include "cli/options.h"
#include "label/coding/discussion.h"
#include "label/coding/dispute_view.h"
#include "label/label.h"
#include "report/report.h"
#include "base/log.h"
#include "base/visible.h"

#include <ctype.h>
#include <unistd.h>

struct resolving {
    struct invocation *in;
    const struct facets *facets;
    struct settler settler;
    size_t facet; /* DB_ALL_FACETS: all */
    int64_t post_id;
    struct span subject; /* len 0: none */
    struct span reason;
    bool settles; /* the command line says how */
};

static const struct facet *facet_at(const struct resolving *r, size_t facet)
{
    return &r->facets->items[facet];
}

/* --- listing --- */

/* What is open: which problems posts have, then what these are. */
struct open {
    struct db_disputes segments, disputes;
};

/* All, or the first one. */
static enum status MUST_USE print_table(const struct resolving *r, const struct open *open, bool all)
{
    AT_END(table_clear) struct table t;
    size_t n = open->segments.n + open->disputes.n;

    table_init(&t, "disputes", "Where coders differ",
               "subject; facet; coder; code; second_code; decided_at; reason <40; url");
    for (size_t i = 0; i < n && (all || i == 0); i++) {
        const struct db_dispute *dispute = i < open->segments.n ? &open->segments.items[i]
                                                                : &open->disputes.items[i - open->segments.n];
        AT_END(buf_clear) struct buf others = {0};

        for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next) {
            if (o->is_merged)
                continue;
            buf_reset(&others);
            dispute_add_codes(&others, o, 1);
            table_add_row(&t, table_text(dispute->subject), table_text(dispute_facet(&r->settler, dispute)),
                          table_text(o->coder), table_text(o->n_names > 0 ? o->names[0] : (struct span){0}),
                          table_text(others.len > 0 ? buf_span(&others) : (struct span){0}), table_text(o->decided_at),
                          table_text(o->reason), table_text(dispute->url));
        }
    }
    table_print(&t, &r->in->out);
    return n > 0 ? ST_OK : ST_NO;
}

/* --- one dispute, for people --- */

static void add_part(void *ctx, const struct dispute_part *part)
{
    static const char *const asides[] = {[DISPUTE_NOTE] = "note", [DISPUTE_MESSAGE] = "said"};
    struct span who = part->who, what = part->what, day = day_of(part->when);
    AT_END(buf_clear) struct buf name = {0}, label = {0};
    struct buf *out = ctx;

    if (part->kind == DISPUTE_LABEL) {
        buf_add_clean(&name, who);
        buf_add_clean(&label, what);
        buf_addf(out, "  %zu  ", part->nth);
        buf_add_padded(out, buf_span(&name), 12, false);
        buf_add_char(out, ' ');
        buf_add_padded(out, buf_span(&label), 36, false);
        buf_addf_clean(out, " %.*s%s%s", SPAN_ARG(part->when), part->is_merged ? "  (settled, and open again)" : "",
                       part->text.ptr != NULL ? "  " : "");
    } else if (part->kind == DISPUTE_RULE)
        buf_addf_clean(out, "  guide, %.*s or %.*s: ", SPAN_ARG(who), SPAN_ARG(what));
    else if (part->kind == DISPUTE_UNION)
        buf_addf_clean(out, "  all: %.*s", SPAN_ARG(what));
    else if (part->kind == DISPUTE_DEFINITION)
        buf_addf_clean(out, "  %.*s: ", SPAN_ARG(who));
    else
        buf_addf_clean(out, "  %s by %.*s, %.*s, %.*s: ", asides[part->kind], SPAN_ARG(who), SPAN_ARG(day),
                       SPAN_ARG(what));
    buf_add_clean(out, part->text);
    buf_add_char(out, '\n');
}

/* Who says what, and what the guide says about the codes. */
static enum status MUST_USE print_dispute(struct resolving *r, const struct db_dispute *dispute, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};
    const struct dispute_view view = {.settler = &r->settler, .each = add_part, .ctx = &text};
    struct span facet = dispute_facet(&r->settler, dispute);

    buf_addf_clean(&text, "%.*s, %.*s", SPAN_ARG(dispute->subject), SPAN_ARG(facet));
    if (dispute->title.ptr != NULL)
        buf_add_text(&text, "\n  ");
    buf_add_clean(&text, dispute->title);
    buf_add_text(&text, "\n  ");
    buf_add_clean(&text, dispute->url);
    buf_add_char(&text, '\n');
    enum status status = dispute_view_each(&view, dispute, e);
    THEN(status, dispute_view_asides(&view, dispute->post_id, e));
    fwrite(text.ptr, 1, text.len, stdout);
    return status;
}

/* --- asking about one after another --- */

/* What was settled in this session, for undo. */
struct session {
    struct resolving *r;
    const struct db_disputes *disputes;
    size_t at;
    struct settled {
        size_t at;     /* place in disputes */
        size_t n_acts; /* that undo takes back */
    } * settled;
    size_t n_settled;
    bool ended;
    struct err *e;
};

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

/* Ends the transaction of an answer. */
static enum status MUST_USE keep_settled(struct session *s, enum status status, struct err *why, size_t n_acts)
{
    struct db *db = s->r->settler.db;

    status = db_end(db, status, why);
    if (status == ST_INPUT) { /* such as a code that is no longer given: another one may do */
        log_warn("%s", why->text);
        return ST_OK;
    }
    if (status != ST_OK)
        *s->e = *why;
    else
        s->settled[s->n_settled++] = (struct settled){s->at++, n_acts};
    return status;
}

static enum status MUST_USE settle_problems(struct session *s, struct span answer, struct span reason)
{
    const struct db_dispute *post = &s->disputes->items[s->at];
    const struct db_opinion *taken = opinion_numbered(post, answer);
    size_t n = 0;
    struct err why;

    if (taken == NULL) {
        log_warn("which problems the post has comes first: the number of the coder who sees them right; or s, u, q");
        return ST_OK;
    }
    enum status status = db_begin(s->r->settler.db, &why);
    THEN(status, settle_segments(&s->r->settler, post, taken, reason, &n, &why));
    return keep_settled(s, status, &why, n);
}

static enum status MUST_USE settle(struct session *s, struct span answer, struct span reason)
{
    const struct db_dispute *dispute = &s->disputes->items[s->at];
    const struct db_opinion *taken = opinion_numbered(dispute, answer);
    const struct db_opinion *said = taken != NULL ? taken : dispute->opinions;
    struct settlement settlement = settlement_of(dispute, said);
    AT_END(buf_clear) struct buf text = {0};
    struct err why;

    if (taken == NULL && settlement_read(&s->r->settler, &settlement, answer, &why) != ST_OK) {
        log_warn("%s; or ? for help", why.text);
        return ST_OK;
    }
    settlement_reason(&text, taken, reason);
    enum status status = db_begin(s->r->settler.db, &why);
    THEN(status, settlement_put(&s->r->settler, &settlement, buf_span(&text), &why));
    return keep_settled(s, status, &why, 1);
}

static void say_undone(void *ctx, const struct db_act *act)
{
    (void)ctx;
    log_info("undone: %.*s, %.*s: %.*s", SPAN_ARG(act->subject), SPAN_ARG(act->facet), SPAN_ARG(act->value));
}

static enum status MUST_USE undo(struct session *s)
{
    if (s->n_settled == 0) {
        log_warn("nothing was settled in this session; `ppmine label undo --coder %s` undoes what was settled before",
                 buf_cstr(&s->r->settler.as));
        return ST_OK;
    }
    enum status status = ST_OK;
    const struct settled *last = &s->settled[--s->n_settled];
    s->at = last->at;
    for (size_t i = 0; i < last->n_acts && status == ST_OK; i++)
        status = db_decision_undo(s->r->settler.db, buf_span(&s->r->settler.as), s->disputes->items[s->at].post_id, 0,
                                  say_undone, NULL, s->e);
    return status == ST_NO ? ST_OK : status;
}

static void say_answers(const struct resolving *r)
{
    AT_END(buf_clear) struct buf several = {0};

    for (const struct facet *facet = r->facets->items; facet < r->facets->items + r->facets->n; facet++) {
        if (facet->most < 2)
            continue;
        if (facet->most == 2)
            buf_add_text(&several, ", or two ");
        else
            buf_addf(&several, ", or up to %zu ", facet->most);
        for (size_t k = 0; k < facet->plural.len; k++)
            buf_add_char(&several, (char)tolower((unsigned char)facet->plural.ptr[k]));
    }
    log_info("a number: that coder is right; the name of a code%s%s; yes or no; a reason may follow after ' # '",
             buf_cstr(&several), several.len > 0 ? " with ';' between" : "");
    log_info("m and a text: a message to the other coders; s: skip; u: undo the last answer; q: quit."
             " Each answer is kept at once.");
}

/* "m TEXT" */
static enum status MUST_USE say(struct session *s, struct span text)
{
    const struct db_dispute *dispute = &s->disputes->items[s->at];
    struct settler *settler = &s->r->settler;
    enum status status = discussion_say(settler->db, buf_span(&settler->by), dispute->subject, text, s->e);

    if (status == ST_INPUT) {
        log_warn("%s", s->e->text);
        return ST_OK;
    }
    if (status == ST_OK)
        log_info("%.*s: said", SPAN_ARG(dispute->subject));
    return status;
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
    if (span_starts(line, SPAN("m ")))
        return say(s, (struct span){line.ptr + 2, line.len - 2});
    if (span_eq(answer, SPAN("?"))) {
        say_answers(s->r);
    } else if (span_eq(answer, SPAN("s"))) {
        s->at++;
    } else if (span_eq(answer, SPAN("q"))) {
        s->ended = true;
    } else if (span_eq(answer, SPAN("u"))) {
        return undo(s);
    } else if (s->disputes->items[s->at].facet == DB_SEGMENTS) {
        return settle_problems(s, answer, reason);
    } else {
        return settle(s, answer, reason);
    }
    return ST_OK;
}

/* Answers come line by line, questions go to stderr. *ended: before the last one. */
static enum status MUST_USE ask(struct resolving *r, const struct db_disputes *disputes, bool *ended, struct err *e)
{
    AT_END(mem_end) struct settled *settled = mem_zero(disputes->n, sizeof *settled);
    struct session s = {.r = r, .disputes = disputes, .settled = settled, .e = e};
    AT_END(buf_clear) struct buf line = {0};
    size_t shown = SIZE_MAX;
    enum status status = ST_OK;

    while (status == ST_OK && !s.ended && s.at < disputes->n) {
        if (shown != s.at)
            status = print_dispute(r, &disputes->items[s.at], e);
        shown = s.at;
        fflush(stdout);
        if (status != ST_OK)
            break;
        if (log_get_level() != LOG_QUIET)
            fprintf(stderr, "[%zu of %zu] who is right? (number, code, s, u, q, ?) ", s.at + 1, disputes->n);
        s.ended = !line_read(stdin, &line);
        if (!s.ended)
            status = act_on(&s, buf_span(&line));
    }
    log_info("%zu settled, %zu left", s.n_settled, disputes->n - s.n_settled);
    *ended = s.ended;
    return status;
}

/* --- the options --- */

/* The option of a facet by which the command line settles it, or NULL. */
static const char *given_facet(const struct resolving *r, size_t facet)
{
    const char *values[GIVEN_MAX];
    const struct facet *of = facet_at(r, facet);

    return option_of_facet(r->in, of, values) > 0 ? of->option.ptr : NULL;
}

static enum status MUST_USE read_wanted(struct resolving *r, struct err *e)
{
    struct invocation *in = r->in;
    const char *post = in->values.post;
    enum status status = facet_option(in, &r->facet, e);

    r->settles = (in->values.take != NULL && !in->values.single) || in->values.segments != NULL;
    r->reason = span_of(option_or(in->values.reason, ""));
    if (status == ST_OK && post != NULL && !post_id_read(span_of(post), &r->post_id))
        status = err_set(e, ST_USAGE, "label resolve: --post '%s' is not an id of a post", post);
    for (size_t i = 0; i < r->facets->n; i++)
        r->settles |= given_facet(r, i) != NULL;
    if (status != ST_OK || in->n_operands == 0)
        return status;
    r->subject = span_of(in->operands[0]);
    if (post != NULL)
        return err_set(e, ST_USAGE, "label resolve: --post excludes '%s'", in->operands[0]);
    if (!problem_id_read(r->subject, &r->post_id))
        return err_set(e, ST_USAGE,
                       "label resolve: '%s': expected the id of a post, with _1, _2, … if it has several problems",
                       in->operands[0]);
    return ST_OK;
}

static enum status MUST_USE check_modes(const struct resolving *r, struct err *e)
{
    const struct option_values *o = &r->in->values;
    bool adopts = o->single && o->take != NULL;

    enum status status = refuse(
        e,
        {r->settles + o->all + o->single + o->agreed + o->interactive > 1,
         "label resolve: only one of --all, --single, --agreed, --interactive, and a code or --take"},
        {r->settles && r->subject.len == 0, "label resolve: what is settled? Give the id of the post or problem"});

    if (status == ST_OK && (o->agreed || adopts) && r->subject.len > 0)
        return usage_error(r->in, e, "--%s takes --post, not '%s'", o->agreed ? "agreed" : "single --take",
                           r->in->operands[0]);
    if (status == ST_OK && o->dry_run && !o->agreed && !adopts)
        return usage_error(r->in, e, "--dry-run needs --agreed, or --single with --take");
    return status;
}

static enum status MUST_USE read_name(const struct invocation *in, const char *option, const char *typed,
                                      struct buf *name, struct err *e)
{
    struct err why;

    if (coder_name_check(span_of(typed), name, &why) == ST_OK)
        return ST_OK;
    return err_set(e, ST_USAGE, "label resolve: the name with --%s %s%s", option, why.text,
                   in->n_given > 0 ? "" : "; see PPMINE_CODER");
}

/* --- settling one subject --- */

static enum status MUST_USE put_and_say(struct resolving *r, const struct settlement *s, struct span reason,
                                        struct err *e)
{
    log_info("settled: %.*s, %s", SPAN_ARG(s->subject), facet_at(r, s->facet)->name.ptr);
    return settlement_put(&r->settler, s, reason, e);
}

/* With the codes that the command line gives for facets, joined as settlement_read wants them. */
static enum status MUST_USE settle_codes(struct resolving *r, struct err *e)
{
    AT_END(db_disputes_clear) struct db_disputes said = {0};
    AT_END(buf_clear) struct buf text = {0};
    const char *values[GIVEN_MAX];
    struct err why;
    enum status status = db_disputes_read(r->in->db, DB_SAID, DB_ALL_FACETS, r->post_id, &said, e);

    for (size_t i = 0; i < r->facets->n && status == ST_OK; i++) {
        const char *option = facet_at(r, i)->option.ptr;
        size_t n = option_of_facet(r->in, facet_at(r, i), values);
        struct settlement s = {.facet = i, .subject = r->subject, .post_id = r->post_id};
        bool decided = false;
        if (n == 0)
            continue;
        for (size_t k = 0; k < said.n; k++)
            decided |= said.items[k].facet == i && span_eq(said.items[k].subject, r->subject);
        if (!decided)
            return err_set(e, ST_INPUT,
                           "%.*s: no coder decided about --%s; check the id, `ppmine label"
                           " resolve --all` lists what is open",
                           SPAN_ARG(r->subject), option);
        buf_reset(&text);
        for (size_t k = 0; k < n; k++)
            buf_addf(&text, "%s%s", k > 0 ? ";" : "", values[k]);
        if (settlement_read(&r->settler, &s, buf_span(&text), &why) != ST_OK)
            return usage_error(r->in, e, "--%s: %s", option, why.text);
        status = put_and_say(r, &s, r->reason, e);
    }
    return status;
}

/* With a facet, also what is not open; without, all that is. */
static enum status MUST_USE take(struct resolving *r, struct err *e)
{
    struct span coder = span_of(option_or(r->in->values.take, ""));
    AT_END(db_disputes_clear) struct db_disputes open = {0};
    AT_END(buf_clear) struct buf text = {0};
    size_t n = 0;
    enum db_dispute_kind kind = r->facet < r->facets->n ? DB_SAID : DB_DISPUTED;
    enum status status = db_disputes_read(r->in->db, kind, r->facet, r->post_id, &open, e);

    for (size_t i = 0; i < open.n && status == ST_OK; i++) {
        const struct db_opinion *o = open.items[i].opinions;
        while (o != NULL && (o->is_merged || !span_eq(o->coder, coder)))
            o = o->next;
        if (o == NULL || !span_eq(open.items[i].subject, r->subject))
            continue;
        struct settlement s = settlement_of(&open.items[i], o);
        buf_reset(&text);
        settlement_reason(&text, o, r->reason);
        status = put_and_say(r, &s, buf_span(&text), e);
        n++;
    }
    if (status == ST_OK && n == 0)
        status = err_set(e, ST_INPUT,
                         "%.*s: nothing is open that '%.*s' decided; `ppmine label"
                         " resolve --all` lists what is open, --single what one coder alone said; with"
                         " --facet, that is taken too, and what is settled is settled again",
                         SPAN_ARG(r->subject), SPAN_ARG(coder));
    return status;
}

/* Which problems the post of the subject has. */
static enum status MUST_USE take_segments(struct resolving *r, struct err *e)
{
    struct span coder = span_of(option_or(r->in->values.segments, ""));
    AT_END(db_disputes_clear) struct db_disputes posts = {0};
    const struct db_opinion *o = NULL;
    char id[POST_ID_TEXT_SIZE];
    size_t n;
    enum status status = db_segments_read(r->in->db, DB_SAID, r->post_id, &posts, e);

    for (o = posts.n > 0 ? posts.items[0].opinions : NULL; o != NULL; o = o->next)
        if (span_eq(o->coder, coder))
            break;
    if (status == ST_OK && o == NULL)
        status = err_set(e, ST_INPUT, "%s: '%.*s' coded no problem of this post", post_id_text(r->post_id, id),
                         SPAN_ARG(coder));
    THEN(status, settle_segments(&r->settler, &posts.items[0], o, r->reason, &n, e));
    if (status == ST_OK && n == 0)
        status = err_set(e, ST_INPUT, "%s: all coders see the same problems in this post",
                         post_id_text(r->post_id, id));
    if (status == ST_OK)
        log_info("settled: %s, segmentation", post_id_text(r->post_id, id));
    return status;
}

static enum status MUST_USE settle_subject(struct resolving *r, struct err *e)
{
    const char *coder = r->in->values.take, *segments = r->in->values.segments;
    bool takes = coder != NULL || segments != NULL;

    for (size_t i = 0; i < r->facets->n && takes; i++)
        if (given_facet(r, i) != NULL)
            return err_set(e, ST_USAGE,
                           "label resolve: --take and --segments exclude --%s; name the facet with --facet",
                           given_facet(r, i));
    if (coder != NULL && segments != NULL)
        return usage_error(r->in, e, "--segments excludes --take");
    if (r->settler.by.len == 0)
        return usage_error(r->in, e, "who settles it? Give --by NAME or set PPMINE_CODER");
    if (!takes && span_trim(r->reason).len == 0)
        return usage_error(r->in, e, "--reason TEXT is needed: others will ask why");
    enum status status = db_begin(r->in->db, e);
    THEN(status, segments != NULL ? take_segments(r, e) : coder != NULL ? take(r, e) : settle_codes(r, e));
    return db_end(r->in->db, status, e);
}

/* --- settling many --- */

static void say_left_out(void *ctx, struct span subject)
{
    (void)ctx;
    log_warn("%.*s: left out, since the code is no longer given; `ppmine codebook review"
             " --all-coders` lists such labels",
             SPAN_ARG(subject));
}

/* Settles what all agree on, or takes what one coder alone said; the latter shows its share of all labels, and the
 * agreement on what others coded too. */
static enum status MUST_USE settle_many(struct resolving *r, struct err *e)
{
    const struct table_output *out = &r->in->out;
    bool single = r->in->values.single, exists = true, is_merged = false;
    const struct span coder = span_of(r->in->values.take);
    /* clang-format off */
    const struct settle_bulk how = {.kind = single ? DB_SINGLE : DB_AGREED, .coder = coder, .facet = r->facet,
                                    .post_id = r->post_id, .reason = single ? r->reason : SPAN(""),
                                    .only_looks = r->in->values.dry_run, .left_out = say_left_out};
    /* clang-format on */
    struct settle_count count;
    AT_END(table_list_clear) struct table_list tables = {0};
    enum status status = single ? db_coder_get(r->in->db, coder, &exists, &is_merged, e) : ST_OK;

    if (status == ST_OK && (!exists || is_merged))
        status = err_set(e, ST_INPUT, "label resolve: '%.*s' is not a coder of this database", SPAN_ARG(coder));
    THEN(status, settle_bulk(&r->settler, &how, &count, e));
    if (status == ST_OK && single)
        status = report_single(&tables, r->in->db, coder, count.of, e);
    if (status != ST_OK)
        return status;
    if (single && (count.n > 0 || out->format != TABLE_AS_TEXT))
        table_list_print(&tables, out);
    log_info("%zu label%s %s%s%.*s", count.n, count.n == 1 ? "" : "s", how.only_looks ? "would be " : "",
             single ? "taken from " : "settled on which the coders agree", SPAN_ARG(coder));
    if (count.retired > 0)
        log_info("%zu left out: their codes are no longer given", count.retired);
    if (count.disputed > 0)
        log_info("%zu left out: coders dispute the judgement or the problems of the post; settle that first",
                 count.disputed);
    return single && count.n == 0 ? ST_NO : ST_OK;
}

/* --- the command --- */

/* Which problems a post has is asked first; the codes of others may then be settled, too. */
static enum status MUST_USE read_open(struct resolving *r, struct open *open, struct err *e)
{
    bool single = r->in->values.single;
    enum status status = ST_OK;

    db_disputes_clear(&open->segments);
    db_disputes_clear(&open->disputes);
    if (!single && r->facet == DB_ALL_FACETS)
        status = db_segments_read(r->in->db, DB_DISPUTED, r->post_id, &open->segments, e);
    THEN(status,
         db_disputes_read(r->in->db, single ? DB_SINGLE : DB_DISPUTED, r->facet, r->post_id, &open->disputes, e));
    struct db_disputes *all = &open->disputes;
    size_t n = all->n;
    all->n = 0;
    for (size_t i = 0; i < n; i++) /* those of one problem, where it is named */
        if (r->subject.len == 0 || span_eq(all->items[i].subject, r->subject))
            all->items[all->n++] = all->items[i];
    return status;
}

static enum status MUST_USE show(struct resolving *r, bool asks, struct err *e)
{
    const struct invocation *in = r->in;
    bool all = in->values.single || in->values.all, ended = false;
    struct open open = {.segments = {0}};
    AT_END(buf_clear) struct buf how = {0};
    enum status status = read_open(r, &open, e);

    if (status == ST_OK && (all || in->values.format != NULL)) {
        status = print_table(r, &open, all);
    } else if (status == ST_OK && open.segments.n + open.disputes.n == 0) {
        log_info("nothing to settle");
        status = ST_NO;
    } else if (status == ST_OK && !asks) {
        /* The first of what is open, and how to take its first opinion. */
        const struct db_dispute *next = open.segments.n > 0 ? open.segments.items : open.disputes.items;
        struct span coder = next->opinions->coder, facet = dispute_facet(&r->settler, next);

        status = print_dispute(r, next, e);
        buf_addf_clean(&how, "  settle it: ppmine label resolve %.*s", SPAN_ARG(next->subject));
        if (next->facet == DB_SEGMENTS)
            buf_addf_clean(&how, " --segments '%.*s'", SPAN_ARG(coder));
        else
            buf_addf_clean(&how, " --facet '%.*s' --take '%.*s'", SPAN_ARG(facet), SPAN_ARG(coder));
        if (status == ST_OK)
            printf("%s --by NAME\n", buf_cstr(&how));
        log_info("%zu open", open.segments.n + open.disputes.n);
    } else if (status == ST_OK) {
        if (open.segments.n > 0) {
            status = ask(r, &open.segments, &ended, e);
            THEN(status, read_open(r, &open, e));
        }
        if (status == ST_OK && !ended && open.disputes.n > 0)
            status = ask(r, &open.disputes, &ended, e);
    }
    db_disputes_clear(&open.segments);
    db_disputes_clear(&open.disputes);
    return status;
}

static enum status run_label_resolve(struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    bool lists = o->all || o->single || o->format != NULL;
    bool asks = o->interactive || (!lists && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1);
    bool adopts = o->single && o->take != NULL, bulk = o->agreed || adopts;
    const char *typed = option_or(o->by, getenv("PPMINE_CODER"));
    AT_END(buf_clear) struct buf as = {0}, by = {0};
    struct resolving r = {.in = in, .facets = invocation_facets(in), .facet = DB_ALL_FACETS};
    enum status status = read_wanted(&r, e);

    THEN(status, check_modes(&r, e));
    bool writes = !o->dry_run && (r.settles || asks || bulk);
    THEN(status, invocation_open_db(in, writes ? DB_WRITE : DB_READ, e));
    THEN(status, read_name(in, "as", option_or(o->as, "merged"), &as, e));
    if (status == ST_OK && typed != NULL && typed[0] != '\0')
        status = read_name(in, "by", typed, &by, e);
    if (status == ST_OK && by.len > 0 && memchr(by.ptr, ':', by.len) != NULL)
        status = usage_error(in, e, "the name with --by contains a ':'");
    THEN(status, settler_open(&r.settler, in->db, buf_span(&as), buf_span(&by), e));
    if (status == ST_OK && by.len == 0 && ((asks && !r.settles && !bulk) || (adopts && writes)))
        status = usage_error(in, e, "who settles it? Give --by NAME or set PPMINE_CODER");
    THEN(status, r.settles ? settle_subject(&r, e) : bulk ? settle_many(&r, e) : show(&r, asks, e));
    settler_clear(&r.settler);
    return status;
}

static struct option_spec option_of(const struct facet *facet, struct arena *arena)
{
    bool judges = facet->about == FACET_ABOUT_POST;
    AT_END(buf_clear) struct buf help = {0};

    if (judges && span_eq(facet->option, SPAN("problem")))
        buf_add_text(&help, "settle whether it is a problem: yes or no");
    else
        buf_addf(&help, judges ? "settle '%s': yes or no" : "settle the %s", facet->name.ptr);
    facet_add_range(facet, ", ", &help);
    if (facet->most == 2)
        buf_add_text(&help, "; give it twice to settle on two codes");
    else if (facet->most > 2)
        buf_addf(&help, "; give it up to %zu times to settle on several codes", facet->most);
    return (struct option_spec){
        .name = facet->option.ptr,
        .argument = judges                    ? "ANSWER"
                    : facet_is_written(facet) ? "VALUE"
                    : facet->most > 1         ? "CODE…"
                                              : "CODE",
        .help = arena_text(arena, buf_span(&help)),
    };
}

const struct command command_label_resolve = {
    .name = "label resolve",
    .summary = "Show disagreements between coders, and settle them",
    .operands = "[SUBJECT]",
    .options = OPTIONS(
        FLAG("all", all, "list all open disagreements", 'a'),
        FLAG("single", single, "list labels that only one coder gave and nobody settled; with --take, settle them"),
        FLAG("agreed", agreed, "settle all labels on which two or more coders agree"),
        FLAG("interactive", interactive, "ask about each disagreement in turn (the default on a terminal)", 'i'),
        TEXT("post", post, "POST", "show only the disagreements about this post"),
        TEXT("facet", facet, "FACET", "only {facets}"),
        TEXT("take", take, "CODER", "accept the decision of this coder"),
        FLAG("dry-run", dry_run, "with --agreed or --single --take: say what would be settled, and write nothing", 'n'),
        TEXT("segments", segments, "CODER", "accept the problems that this coder sees in the post"), FACET_OPTIONS,
        TEXT("reason", reason, "TEXT", "the reason; needed with a code or a judgement"),
        TEXT("by", by, "NAME", "name of the person who settles it (default: $PPMINE_CODER)"),
        TEXT("as", as, "NAME", "the coder whose decisions are final (default: merged)"), OUTPUT_OPTIONS),
    .facet_option = option_of,
    .description = "A disagreement stays open until it is settled, and reopens if a coder changes a label\n"
                   "afterwards. A settled label is a decision of the coder `merged` and is used in the study's\n"
                   "numbers; its reason begins with who settled it (\"by cam: ...\").\n\n"
                   "If one coder sees one problem in a post and another coder sees two, settle this first:\n"
                   "--segments NAME accepts the problems that NAME sees. Their undisputed codes become final,\n"
                   "and problems that only others see are left out. Until then, --agreed skips the codes of\n"
                   "such posts.\n\n"
                   "Where coders share only a part of the sample, --single --take NAME accepts all labels that\n"
                   "NAME alone gave. It prints how many these are, their share, and how far NAME agrees with\n"
                   "others on what both coded: look at that first, with --dry-run. Codes of a post whose\n"
                   "judgement is disputed are left out. All are stored, or none.\n\n"
                   "Answers to --interactive: the number of a coder; the name of a code, or several with ';'\n"
                   "between them; yes or no. A reason may follow after ' # '. m TEXT is a message to the other\n"
                   "coders (label discuss). s skips, u undoes, q quits. Each\n"
                   "answer is stored at once.\n\n"
                   "Options and examples are those of the study in the database; without a database, those of the\n"
                   "built-in study.",
    .examples = EXAMPLES(
        {"ppmine label resolve", "the next disagreement"},
        {"ppmine label resolve --agreed", "first the labels on which coders agree"},
        {"ppmine label resolve --single --take ann --by cam --dry-run", "then those that only ann coded"},
        {"ppmine label resolve 65160023_1 --take ann --by cam", NULL},
        {"ppmine label resolve 65160023_1 --symptom 'program hang' --by cam --reason 'no end in a day'", NULL},
        {"ppmine label resolve --all --format csv", NULL}),
    .coding_example = "ppmine label resolve 65160023_1 --by cam --reason WHY",
    .nothing = "nothing is open",
    .needs = NEEDS_DB_PATH,
    .run = run_label_resolve,
};
