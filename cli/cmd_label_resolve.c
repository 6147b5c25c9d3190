/* label resolve: where coders differ, and what they settle on. */
#include "cli/resolver.h"
#include "db/decisions.h"
#include "db/disputes.h"
#include "table/table.h"

#include <unistd.h>

/* --- listing --- */

static const struct table_column columns[] = {
    {.name = "subject"}, {.name = "facet"}, {.name = "coder"}, {.name = "code"},
    {.name = "second_code"}, {.name = "decided_at"}, {.name = "reason", .max_width = 40},
    {.name = "url"},
};

static void add_rows(struct table *t, const struct db_dispute *dispute)
{
    for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next) {
        if (o->is_merged)
            continue;
        table_add_text(t, dispute->subject);
        table_add_text(t, db_facet_name(dispute->facet));
        table_add_text(t, o->coder);
        table_add_text(t, o->names[0]);
        table_add_text(t, o->names[1]);
        table_add_text(t, o->decided_at);
        table_add_text(t, o->reason);
        table_add_text(t, dispute->url);
    }
}

static enum status MUST_USE print_table(const struct db_disputes *disputes, size_t n,
                                        const struct table_output *out)
{
    struct table t;

    table_init(&t, "disputes", "Where coders differ", columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < n; i++)
        add_rows(&t, &disputes->items[i]);
    table_print(&t, out);
    table_clear(&t);
    return n > 0 ? ST_OK : ST_NO;
}

/* --- the options --- */

static const struct facet_option {
    enum db_facet facet;
    const char *name;
} facet_options[] = {
    {DB_IDENTIFICATION, "problem"},
    {DB_SYMPTOM, "symptom"},
    {DB_ROOT_CAUSE, "root-cause"},
    {DB_INTRODUCING_STAGE, "introducing-stage"},
    {DB_EXPOSING_STAGE, "exposing-stage"},
};

static const char *const facet_names[] = {"identification", "symptom", "root cause",
                                          "introducing stage", "exposing stage", NULL};

struct wanted {
    size_t facet; /* DB_FACETS: all */
    int64_t post_id;
    struct span subject; /* len 0: none */
    bool settles;        /* the command line says how */
};

static enum status MUST_USE read_wanted(const struct invocation *in, struct wanted *w,
                                        struct err *e)
{
    const char *post = option_text(in, "post", NULL);
    enum status status;

    *w = (struct wanted){.facet = DB_FACETS, .settles = option_given(in, "take")};
    status = option_choice(in, "facet", facet_names, &w->facet, e);
    if (status == ST_OK && post != NULL && !post_id_read(span_of(post), &w->post_id))
        status = err_set(e, ST_USAGE, "label resolve: --post '%s' is no id of a post", post);
    for (size_t i = 0; i < ARRAY_LEN(facet_options); i++)
        w->settles |= option_given(in, facet_options[i].name);
    if (status != ST_OK || in->n_operands == 0)
        return status;
    w->subject = span_of(in->operands[0]);
    if (post != NULL)
        return err_set(e, ST_USAGE, "label resolve: --post goes without '%s'", in->operands[0]);
    if (!problem_id_read(w->subject, &w->post_id))
        return err_set(e, ST_USAGE, "label resolve: '%s': expected the id of a post, with _1, _2, …"
                       " if it holds several problems", in->operands[0]);
    return ST_OK;
}

static enum status MUST_USE check_modes(const struct invocation *in, const struct wanted *w,
                                        struct err *e)
{
    static const char *const modes[] = {"all", "single", "agreed", "interactive"};
    size_t n = w->settles;

    for (size_t i = 0; i < ARRAY_LEN(modes); i++)
        n += option_given(in, modes[i]);
    if (n > 1)
        return err_set(e, ST_USAGE, "label resolve: only one of --all, --single, --agreed,"
                       " --interactive, and a code or --take");
    if (w->settles && w->subject.len == 0)
        return err_set(e, ST_USAGE, "label resolve: what is settled? Give the id of the post or"
                       " problem");
    if (option_given(in, "agreed") && w->subject.len > 0)
        return err_set(e, ST_USAGE, "label resolve: --agreed goes with --post, not with '%s'",
                       in->operands[0]);
    return ST_OK;
}

/* --- settling one subject --- */

/* What was said about the subject in a facet, or NULL. */
static const struct db_dispute *find_said(const struct db_disputes *said, struct span subject,
                                          enum db_facet facet)
{
    for (size_t i = 0; i < said->n; i++)
        if (said->items[i].facet == facet && span_eq(said->items[i].subject, subject))
            return &said->items[i];
    return NULL;
}

static enum status MUST_USE put_and_say(struct resolver *r, const struct settlement *s,
                                        struct span reason, struct err *e)
{
    struct span facet = db_facet_name(s->facet);

    log_info("settled: %.*s, %.*s", (int)s->subject.len, s->subject.ptr, (int)facet.len,
             facet.ptr);
    return settlement_put(r, s, reason, e);
}

/* The codes that the command line gives for a facet, joined as settlement_read wants them. */
static enum status MUST_USE settle_facet(struct resolver *r, const struct wanted *w,
                                         const struct facet_option *option,
                                         const struct db_disputes *said, struct err *e)
{
    const char *values[GIVEN_MAX];
    size_t n = option_texts(r->in, option->name, values);
    struct settlement s = {.facet = option->facet, .subject = w->subject, .post_id = w->post_id};
    struct buf text = {0};
    struct err why;

    if (find_said(said, w->subject, option->facet) == NULL)
        return err_set(e, ST_INPUT, "%.*s: no coder decided about --%s; check the id, `ppmine label"
                       " resolve --all` lists what is open", (int)w->subject.len, w->subject.ptr,
                       option->name);
    for (size_t i = 0; i < n; i++)
        buf_addf(&text, "%s%s", i > 0 ? ";" : "", values[i]);
    enum status status = settlement_read(r, &s, buf_span(&text), &why);
    buf_clear(&text);
    if (status != ST_OK)
        return err_set(e, ST_USAGE, "label resolve: --%s: %s", option->name, why.text);
    return put_and_say(r, &s, span_of(option_text(r->in, "reason", "")), e);
}

static enum status MUST_USE settle_codes(struct resolver *r, const struct wanted *w, struct err *e)
{
    struct db_disputes said = {0};
    enum status status = db_disputes_read(r->in->db, DB_SAID, DB_FACETS, w->post_id, &said, e);

    for (size_t i = 0; i < ARRAY_LEN(facet_options) && status == ST_OK; i++)
        if (option_given(r->in, facet_options[i].name))
            status = settle_facet(r, w, &facet_options[i], &said, e);
    db_disputes_clear(&said);
    return status;
}

/* With a facet, also what is not open; without, all that is. */
static enum status MUST_USE take(struct resolver *r, const struct wanted *w, struct err *e)
{
    struct span coder = span_of(option_text(r->in, "take", ""));
    struct span reason = span_of(option_text(r->in, "reason", ""));
    struct db_disputes open = {0};
    struct buf text = {0};
    size_t n = 0;
    enum status status = db_disputes_read(r->in->db, w->facet < DB_FACETS ? DB_SAID : DB_DISPUTED,
                                          (enum db_facet)w->facet, w->post_id, &open, e);

    for (size_t i = 0; i < open.n && status == ST_OK; i++) {
        const struct db_opinion *o = open.items[i].opinions;
        while (o != NULL && (o->is_merged || !span_eq(o->coder, coder)))
            o = o->next;
        if (o == NULL || !span_eq(open.items[i].subject, w->subject))
            continue;
        struct settlement s = settlement_of(&open.items[i], o);
        buf_reset(&text);
        settlement_taken(&text, o, reason);
        status = put_and_say(r, &s, buf_span(&text), e);
        n++;
    }
    if (status == ST_OK && n == 0)
        status = err_set(e, ST_INPUT, "%.*s: nothing is open that '%.*s' decided; `ppmine label"
                         " resolve --all` lists what is open, and with --facet what is settled is"
                         " settled anew", (int)w->subject.len, w->subject.ptr, (int)coder.len,
                         coder.ptr);
    buf_clear(&text);
    db_disputes_clear(&open);
    return status;
}

static enum status MUST_USE settle_subject(struct resolver *r, const struct wanted *w,
                                           struct err *e)
{
    bool takes = option_given(r->in, "take");
    bool has_reason = span_trim(span_of(option_text(r->in, "reason", ""))).len > 0;

    for (size_t i = 0; i < ARRAY_LEN(facet_options); i++)
        if (takes && option_given(r->in, facet_options[i].name))
            return err_set(e, ST_USAGE, "label resolve: --take goes without --%s; name the facet"
                           " with --facet", facet_options[i].name);
    if (r->by.len == 0)
        return err_set(e, ST_USAGE, "label resolve: who settles it? Give --by NAME or set"
                       " PPMINE_CODER");
    if (!takes && !has_reason)
        return err_set(e, ST_USAGE, "label resolve: --reason TEXT is needed: others will ask why");
    enum status status = db_begin(r->in->db, e);
    if (status == ST_OK)
        status = takes ? take(r, w, e) : settle_codes(r, w, e);
    if (status == ST_OK)
        status = db_commit(r->in->db, e);
    if (status != ST_OK)
        db_rollback(r->in->db);
    return status;
}

/* --- what all agree on --- */

/* "ann, bob agree" */
static void agreeing(const struct db_dispute *dispute, struct buf *out)
{
    buf_reset(out);
    for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next) {
        if (o->is_merged)
            continue;
        buf_add_text(out, out->len > 0 ? ", " : "");
        buf_add_span(out, o->coder);
    }
    buf_add_text(out, " agree");
}

static enum status MUST_USE settle_agreed(struct resolver *r, const struct db_disputes *agreed,
                                          size_t *n, struct err *e)
{
    struct buf text = {0};
    enum status status = ST_OK;

    for (size_t i = 0; i < agreed->n && status == ST_OK; i++) {
        struct settlement s = settlement_of(&agreed->items[i], agreed->items[i].opinions);
        if (!settlement_is_current(r, &s)) {
            log_warn("%.*s: left out, since the code is no longer given; `ppmine label review"
                     " --all-coders` lists such labels", (int)s.subject.len, s.subject.ptr);
            continue;
        }
        agreeing(&agreed->items[i], &text);
        status = settlement_put(r, &s, buf_span(&text), e);
        ++*n;
    }
    buf_clear(&text);
    return status;
}

static enum status MUST_USE settle_all_agreed(struct resolver *r, const struct wanted *w,
                                              struct err *e)
{
    struct db_disputes agreed = {0};
    size_t n = 0;
    enum status status = db_begin(r->in->db, e);

    if (status == ST_OK)
        status = db_disputes_read(r->in->db, DB_AGREED, (enum db_facet)w->facet, w->post_id,
                                  &agreed, e);
    if (status == ST_OK)
        status = settle_agreed(r, &agreed, &n, e);
    if (status == ST_OK)
        status = db_commit(r->in->db, e);
    if (status != ST_OK)
        db_rollback(r->in->db);
    else
        log_info("%zu label%s settled on which the coders agree", n, n == 1 ? "" : "s");
    db_disputes_clear(&agreed);
    return status;
}

/* --- the command --- */

/* Those of one problem, where it is named. */
static void keep_subject(struct db_disputes *disputes, struct span subject)
{
    size_t n = 0;

    for (size_t i = 0; i < disputes->n && subject.len > 0; i++)
        if (span_eq(disputes->items[i].subject, subject))
            disputes->items[n++] = disputes->items[i];
    if (subject.len > 0)
        disputes->n = n;
}

static enum status MUST_USE print_next(const struct resolver *r, const struct db_disputes *disputes,
                                       struct err *e)
{
    const struct db_dispute *next = disputes->items;
    enum status status = dispute_print(r, next, stdout, e);
    struct span facet = db_facet_name(next->facet), coder = next->opinions->coder;
    struct buf how = {0};

    if (status == ST_OK) {
        buf_addf_clean(&how, "  settle it: ppmine label resolve %.*s --facet '%.*s' --take '%.*s'"
                       " --by NAME", (int)next->subject.len, next->subject.ptr, (int)facet.len,
                       facet.ptr, (int)coder.len, coder.ptr);
        puts(buf_cstr(&how));
    }
    buf_clear(&how);
    log_info("%zu open", disputes->n);
    return status;
}

static enum status MUST_USE show(struct resolver *r, const struct wanted *w,
                                 const struct table_output *out, bool asks, struct err *e)
{
    const struct invocation *in = r->in;
    bool single = option_given(in, "single"), all = single || option_given(in, "all");
    struct db_disputes disputes = {0};
    enum status status = db_disputes_read(in->db, single ? DB_SINGLE : DB_DISPUTED,
                                          (enum db_facet)w->facet, w->post_id, &disputes, e);

    keep_subject(&disputes, w->subject);
    if (status == ST_OK && all)
        status = print_table(&disputes, disputes.n, out);
    else if (status == ST_OK && option_given(in, "format"))
        status = print_table(&disputes, disputes.n > 0, out);
    else if (status == ST_OK && disputes.n == 0) {
        log_info("nothing to settle");
        status = ST_NO;
    } else if (status == ST_OK)
        status = asks ? resolver_ask(r, &disputes, stdin, e) : print_next(r, &disputes, e);
    db_disputes_clear(&disputes);
    return status;
}

static enum status run_label_resolve(struct invocation *in, struct err *e)
{
    bool lists = option_given(in, "all") || option_given(in, "single") ||
                 option_given(in, "format");
    bool asks = option_given(in, "interactive") ||
                (!lists && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1);
    struct resolver r = {0};
    struct wanted w;
    struct table_output out;
    enum status status = read_wanted(in, &w, e);
    bool writes = w.settles || asks || option_given(in, "agreed");

    if (status == ST_OK)
        status = output_option(in, TABLE_AS_TEXT, &out, e);
    if (status == ST_OK)
        status = check_modes(in, &w, e);
    if (status == ST_OK)
        status = invocation_open_db(in, writes ? DB_WRITE : DB_READ, e);
    if (status == ST_OK)
        status = resolver_open(&r, in, e);
    if (status == ST_OK && asks && r.by.len == 0 && !w.settles && !option_given(in, "agreed"))
        status = err_set(e, ST_USAGE, "label resolve: who settles it? Give --by NAME or set"
                         " PPMINE_CODER");
    if (status == ST_OK && w.settles)
        status = settle_subject(&r, &w, e);
    else if (status == ST_OK && option_given(in, "agreed"))
        status = settle_all_agreed(&r, &w, e);
    else if (status == ST_OK)
        status = show(&r, &w, &out, asks, e);
    resolver_clear(&r);
    return status;
}

static const struct option_spec options[] = {
    {"all", 'a', NULL, "list all open disagreements"},
    {"single", '\0', NULL, "list what only one coder decided and nobody settled"},
    {"agreed", '\0', NULL, "settle all labels on which two or more coders agree"},
    {"interactive", 'i', NULL, "ask about one after another (the default on a terminal)"},
    {"post", '\0', "POST", "show only what is about this post"},
    {"facet", '\0', "FACET", "only identification, symptom, root cause, introducing stage, exposing stage"},
    {"take", '\0', "CODER", "settle as this coder decided"},
    {"problem", '\0', "ANSWER", "settle whether it is a problem: yes or no"},
    {"symptom", '\0', "CODE…", "settle the symptom; given twice, both"},
    {"root-cause", '\0', "CODE", "settle the root cause"},
    {"introducing-stage", '\0', "CODE", "settle the stage that introduces the problem"},
    {"exposing-stage", '\0', "CODE", "settle the stage that exposes the problem"},
    {"reason", '\0', "TEXT", "the reason; needed with a code or --problem"},
    {"by", '\0', "NAME", "who settles it (default: $PPMINE_CODER)"},
    {"as", '\0', "NAME", "the coder whose decisions are final (default: merged)"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label resolve", "the next disagreement"},
    {"ppmine label resolve --agreed", "begin with what needs no talk"},
    {"ppmine label resolve 65160023_1 --take ann --by cam", NULL},
    {"ppmine label resolve 65160023_1 --symptom 'program hang' --by cam --reason 'no end in a day'",
     NULL},
    {"ppmine label resolve --all --format csv", NULL},
    {NULL, NULL},
};

const struct command command_label_resolve = {
    .name = "label resolve",
    .summary = "Show disagreements between coders, and settle them",
    .operands = "[SUBJECT]",
    .max_operands = 1,
    .options = options,
    .description =
        "A disagreement stays open until it is settled, and reopens if a coder changes a label\n"
        "afterwards. A settled label is a decision of the coder `merged` and is used in the study's\n"
        "numbers; its reason begins with who settled it (\"by cam: ...\").\n"
        "\n"
        "Answers with --interactive: the number of a coder; the name of a code (two symptoms with\n"
        "';' between them); yes or no. A reason may follow after ' # '. s skips, u undoes, q quits.\n"
        "Each answer is stored at once.",
    .examples = examples,
    .nothing = "nothing is open",
    .needs = NEEDS_DB_PATH,
    .run = run_label_resolve,
};
