/* --why-not: which rules looked at a place, what became of what they found, and what is known of the place. */
#include "base/visible.h"
#include "check/session/profile.h"

static bool is_asked(const struct check_run *c, const struct check_rule *rule)
{
    return c->options->why_not->rule == NULL || c->options->why_not->rule == rule;
}

/* --- what is known of the line: asked while the project is there --- */

/* What a call is of: the value that a method is called on is what rules most often do not know. */
static void add_call(struct project *p, const struct py_file *f, uint32_t call, struct buf *b)
{
    /* clang-format off */
    static const char *const kinds[] = {
        [VALUE_UNKNOWN] = "not known",       [VALUE_CONSTANT] = "a constant",
        [VALUE_NAME] = "of a library",       [VALUE_MODULE] = "a module of the project",
        [VALUE_FUNCTION] = "a function",     [VALUE_CLASS] = "a class",
        [VALUE_INSTANCE] = "an object of the project", [VALUE_OBJECT] = "an object of a library",
        [VALUE_DATASET] = "a data set",      [VALUE_ITERATOR] = "an iterator of a data set",
        [VALUE_SESSION] = "a session",       [VALUE_TENSOR] = "a tensor",
        [VALUE_VARIABLE] = "a variable",     [VALUE_MODEL] = "a model or layer",
    };
    /* clang-format on */
    struct span method, name = fact_name(p, f, py_child(f, call, FIELD_FUNCTION));
    uint32_t receiver = py_receiver(f, call, &method);
    struct function to;

    buf_addf(b, "  call: %s", RULE_TEXT(f, call));
    if (fact_callee(p, f, call, &to))
        buf_addf(b, ": runs the function of %s", RULE_PLACE(f, to.f, to.n));
    else if (name.len > 0)
        buf_addf(b, ": is %.*s", SPAN_ARG(name));
    else if (receiver != 0)
        buf_addf(b, ": what %s is: %s", RULE_TEXT(f, receiver), kinds[fact_value(p, f, receiver).kind]);
    else
        buf_add_text(b, ": what it calls is not known");
    buf_add_char(b, '\n');
}

static void add_known(struct project *p, const struct py_file *f, uint32_t line, struct buf *b)
{
    enum { CALLS_MAX = 5 };
    static const char *const modes[] = {
        [MODE_UNKNOWN] = "", [MODE_GRAPH] = ", with graphs and sessions", [MODE_EAGER] = ", and runs eagerly"};
    static const char *const roles[] = {[ROLE_CODE] = "code",
                                        [ROLE_TEST] = "a test, which lowers impacts",
                                        [ROLE_EXAMPLE] = "an example, which lowers impacts",
                                        [ROLE_VENDORED] = "code of others, which lowers impacts",
                                        [ROLE_NOTEBOOK] = "a notebook"};
    static const char *const trips[] = {
        [TRIP_SHORT] = "few rounds", [TRIP_UNKNOWN] = "an unknown number of rounds", [TRIP_STEPS] = "many rounds"};
    uint32_t at = node_at(f, line);
    struct repeated where;
    size_t shown = 0;

    if (at == 0) {
        buf_add_text(b, "  no code begins in this line\n");
        return;
    }
    for (struct py_nodes call = fact_calls(p, f); shown < CALLS_MAX && py_take(&call);)
        if (py_line(f, f->nodes[call.n].start) == line) {
            add_call(p, f, call.n, b);
            shown++;
        }
    if (shown == 0)
        buf_add_text(b, "  call: none begins in this line\n");
    struct loop loop = fact_loop(p, f, at);
    if (loop.node != 0)
        buf_addf(b, "  loop: %s, %s\n", RULE_PLACE(f, f, loop.node), trips[loop.trip]);
    else
        buf_add_text(b, "  loop: none in its function\n");
    if (!fact_repeated(p, f, at, &where))
        buf_add_text(b, "  repeated: not that is seen\n");
    else if (where.by_call)
        buf_addf(b, "  repeated: by the loop in %s, which calls it\n", RULE_PLACE(f, where.file, where.loop.node));
    if (fact_in_graph_function(p, f, at) || fact_in_mapper(p, f, at))
        buf_add_text(b, "  runs: in a compiled graph or for elements of a data set\n");
    buf_addf(b, "  file: %s%s\n", roles[fact_role(p, f)], modes[fact_mode(p, f)]);
}

void why_not_find(struct check_run *c)
{
    AT_END(buf_clear) struct buf absolute = {0};

    if (c->options->why_not == NULL || c->options->why_not->path == NULL)
        return;
    check_absolute(c->options->why_not->path, &absolute);
    for (size_t i = 0; i < c->n_sources && c->asked == NULL; i++)
        if (strcmp(c->sources[i].absolute, buf_cstr(&absolute)) == 0)
            c->asked = &c->sources[i];
}

void why_not_ask(struct check_run *c, const struct py_file *f)
{
    const struct check_why_not *w = c->options->why_not;

    if (c->asked == NULL || w->line == 0 || source_of(c, f) != c->asked)
        return;
    c->found.asked = f;
    c->found.asked_line = w->line;
}

void why_not_know(struct check_run *c, struct project *p)
{
    const struct source *s = c->asked;
    const struct py_file *f = c->found.asked;
    AT_END(buf_clear) struct buf b = {0};

    /* What the rules lacked, with the line where a name that it is about is bound. */
    for (size_t i = 0; f != NULL && i < c->found.lacks.n; i++) {
        const struct rule_lack *lack = &c->found.lacks.at[i];
        const struct py_def *def = py_bound(f, lack->about);
        if (!is_asked(c, lack->rule))
            continue;
        buf_addf(&b, "%s: %s, %s", lack->rule->id, RULE_PLACE(f, f, lack->about), RULE_TEXT(f, lack->about));
        if (def != NULL && def->node != lack->about)
            buf_addf(&b, " (%s %s)", def->kind == DEF_PARAM ? "a parameter," : "bound in", RULE_PLACE(f, f, def->node));
        buf_addf(&b, ": %s\n", lack->lacks);
    }
    c->lacked = arena_copy(&c->arena, buf_span(&b));
    b.len = 0;
    if (s != NULL && s->file.n_nodes > 0 && c->options->why_not->line > 0)
        add_known(p, &s->file, c->options->why_not->line, &b);
    c->known = arena_copy(&c->arena, buf_span(&b));
}

/* --- what became of it --- */

static bool is_there(const struct check_run *c, const struct check_finding *f)
{
    const struct check_why_not *w = c->options->why_not;

    return is_asked(c, f->rule) && (c->asked == NULL || strcmp(f->path, c->asked->path) == 0) &&
           (w->line == 0 || (f->line <= w->line && w->line <= f->end_line));
}

static void add_found(struct buf *b, const struct check_run *c, const struct check_finding *all, size_t n,
                      const char *what)
{
    for (size_t i = 0; i < n; i++) {
        const struct check_finding *f = &all[i];
        if (!is_there(c, f))
            continue;
        buf_addf_clean(b, "%s:%u: %s %s, %s: %.*s: %s", f->path, f->line, f->rule->id, check_impacts[f->impact],
                       check_certainties[f->certainty], SPAN_ARG(f->message), what);
        buf_add_char(b, '\n');
    }
}

/* What a rule did of the file or its line. */
enum outcome { UNREAD, UNUSED, OTHERS, UNWANTED, LOOKED, FOUND, LACKED, NOTHING_THERE, OUTCOMES };

static bool found_there(const struct check_run *c, const struct check_rule *rule)
{
    const struct check_finding *const lists[] = {c->findings, c->more, c->hidden};
    const size_t counts[] = {c->n_findings, c->totals.more, c->n_hidden};

    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        for (size_t k = 0; k < counts[i]; k++)
            if (lists[i][k].rule == rule && is_there(c, &lists[i][k]))
                return true;
    return false;
}

static enum outcome outcome_of(const struct check_run *c, const struct rule *rule, const struct source *s)
{
    if (s->failed)
        return UNREAD;
    if (s->file.n_nodes == 0)
        return UNUSED;
    if ((s->uses & rule->uses) == 0)
        return OTHERS;
    /* A file that was read for others has no options of its own. */
    if (!(s->asked ? source_wants(s, &rule->about) : rule_wanted(c->options, &rule->about, s->path)))
        return UNWANTED;
    if (found_there(c, &rule->about))
        return FOUND;
    if (c->options->why_not->line == 0)
        return LOOKED;
    for (size_t i = 0; i < c->found.lacks.n; i++)
        if (c->found.lacks.at[i].rule == &rule->about)
            return LACKED;
    return NOTHING_THERE;
}

/* The rules by what they did, where it was not said above. */
static void add_outcomes(struct buf *b, const struct check_run *c, const struct source *s)
{
    static const char *const texts[OUTCOMES] = {
        [UNREAD] = "did not look: the file could not be read",
        [UNUSED] = "did not look: the file uses neither TensorFlow, Keras nor PyTorch",
        [OTHERS] = "did not look: the rule is for a framework that the file does not use",
        [UNWANTED] = "did not look: the rule is not selected, or is ignored there",
        [LOOKED] = "looked, and found nothing",
        [NOTHING_THERE] = "looked, and saw nothing in the line that the rule is for",
    };

    for (enum outcome o = UNREAD; o < OUTCOMES; o++) {
        size_t n = 0;
        for (size_t i = 0; i < n_rules && texts[o] != NULL; i++)
            if (is_asked(c, &rules[i].about) && outcome_of(c, &rules[i], s) == o)
                buf_addf(b, "%s%s", n++ == 0 ? "" : ", ", rules[i].about.id);
        if (n > 0)
            buf_addf(b, ": %s\n", texts[o]);
    }
}

static const struct rule *asked_rule(const struct check_run *c)
{
    for (size_t i = 0; i < n_rules; i++)
        if (&rules[i].about == c->options->why_not->rule)
            return &rules[i];
    return NULL;
}

static void add_source(struct buf *b, const struct check_run *c, const struct source *s)
{
    const struct rule *rule = asked_rule(c);

    buf_add_clean_lines(b, c->lacked);
    add_outcomes(b, c, s);
    if (c->options->why_not->line == 0)
        return;
    buf_addf(b, "known of line %u:\n", c->options->why_not->line);
    buf_add_clean_lines(b, c->known);
    if (rule == NULL || outcome_of(c, rule, s) <= FOUND)
        return;
    /* What its page says under "When not". */
    struct span page = check_page(&rule->about);
    size_t at = span_find(page, SPAN("## When not\n"));
    if (at == SIZE_MAX)
        return;
    page = span_after(page, at + 12);
    size_t end = span_find(page, SPAN("\n## "));
    buf_addf(b, "%s is not for:\n", rule->about.id);
    buf_add_span(b, span_trim((struct span){page.ptr, end == SIZE_MAX ? page.len : end}));
    buf_add_char(b, '\n');
}

enum status check_print_why_not(const struct check_run *c, FILE *out, struct err *e)
{
    const struct check_why_not *w = c->options->why_not;
    const struct source *s = c->asked;
    size_t n, n_comments;
    AT_END(buf_clear) struct buf b = {0};

    if (w->path != NULL && s == NULL)
        return err_set(
            e, ST_INPUT,
            "--why-not: there is no file %s, nor a text of this name that is checked; give its path from here",
            w->path);
    const struct check_finding *hidden = check_hidden(c, &n, &n_comments);
    add_found(&b, c, c->findings, c->n_findings, "shown");
    add_found(&b, c, c->more, c->totals.more, "found, below what is shown; --all shows it");
    add_found(&b, c, hidden, n_comments, "found, hidden by a comment");
    add_found(&b, c, hidden + n_comments, n - n_comments, "found, left out by the baseline");
    if (s != NULL) {
        add_source(&b, c, s);
    } else { /* for a rule alone: files by reason */
        const struct rule *rule = asked_rule(c);
        size_t counts[OUTCOMES] = {0};
        for (size_t i = 0; i < c->n_sources; i++)
            counts[outcome_of(c, rule, &c->sources[i])]++;
        buf_addf(&b,
                 "%s: looked at %zu of %zu files; in %zu it is not asked for, %zu cannot be read or do not use its"
                 " framework\n",
                 rule->about.id, counts[LOOKED] + counts[FOUND], c->n_sources, counts[UNWANTED],
                 counts[UNREAD] + counts[UNUSED] + counts[OTHERS]);
    }
    fwrite(b.ptr, 1, b.len, out); /* main checks the stream */
    return ST_OK;
}
