/* Joins a profile with findings: what each can gain at most, and the hottest places that have none. */
#include "check/session/profile.h"

#include <stdlib.h>

enum { HOT_MAX = 5, CALLS_DEEP_MAX = 4 };
#define HOT_LEAST 0.01
#define COUNTED_LEAST 0.0005 /* of what is printed with one place after the point */

struct lines {
    const struct py_file *file;
    uint32_t first, last;
};

struct join {
    struct check_run *c;
    struct project *p;
    const struct profile *profile;
    struct ARRAY_OF(struct lines) backward; /* lines, or functions, that go backward; each once */
};

static uint32_t source_number(const struct join *j, const struct py_file *f)
{
    return (uint32_t)(source_of(j->c, f) - j->c->sources);
}

static struct lines lines_of(const struct py_file *f, uint32_t n)
{
    uint32_t whole = py_kind(f, n) == PY_FUNCTION && py_kind(f, py_parent(f, n)) == PY_DECORATED ? py_parent(f, n) : n;
    uint32_t end = f->nodes[whole].end;

    return (struct lines){f, py_line(f, f->nodes[whole].start),
                          py_line(f, end > f->nodes[whole].start ? end - 1 : end)};
}

/* The sum of what the lines have. */
static struct profile_place sum(const struct join *j, struct lines at)
{
    struct profile_place all = {0};
    uint32_t source = source_number(j, at.file);

    for (size_t i = 0; i < j->profile->places.n; i++) {
        const struct place_map_entry *entry = &j->profile->places.at[i];
        uint32_t line = (uint32_t)entry->key;
        if (entry->key >> 32 != source || line < at.first || line > at.last)
            continue;
        all.all += entry->value.all;
        all.waits += entry->value.waits;
        all.aside += entry->value.aside;
    }
    return all;
}

/* The same where no calls are known: with the functions of the project that the lines call. */
static double with_called(const struct join *j, struct lines at, unsigned depth)
{
    double all = sum(j, at).all;

    for (struct py_nodes call = fact_calls(j->p, at.file); depth < CALLS_DEEP_MAX && py_take(&call);) {
        struct function to;
        uint32_t line = py_line(at.file, at.file->nodes[call.n].start);
        if (line < at.first || line > at.last || !fact_callee(j->p, at.file, call.n, &to))
            continue;
        struct lines called = lines_of(to.f, to.n);
        bool is_within = to.f == at.file && called.first >= at.first && called.last <= at.last;
        all += is_within || (to.f == at.file && line >= called.first && line <= called.last)
                   ? 0
                   : with_called(j, called, depth + 1);
    }
    return all;
}

static double share_of(const struct join *j, double time)
{
    double share = time / j->profile->total;

    return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double share_of_lines(const struct join *j, struct lines at)
{
    return share_of(j, j->profile->flat ? with_called(j, at, 0) : sum(j, at).all);
}

/* The function n, or around n, as the profile names it: its first line alone; of the top of a file, the whole. */
static struct lines function_at(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_kind(f, n) == PY_FUNCTION ? n : py_up(f, n, PY_FUNCTION);
    struct lines at = function != 0 ? lines_of(f, function) : (struct lines){f, 1, 1};

    at.last = function != 0 ? py_line(f, f->nodes[function].start) : 1;
    return at;
}

/* Rules whose fix is an op in place of the whole loop. */
static bool replaces_loop(const struct check_rule *rule)
{
    return strstr("PP410 PP609 PP620", rule->id) != NULL;
}

/* What the finding is about: a whole loop, function or class where it points at the head of one, since no time is
 * spent in the head; with a profile of functions the function around it; else its own lines. */
static struct lines lines_of_finding(const struct join *j, const struct rule_finding *found)
{
    const struct py_file *f = found->file;
    uint32_t n = found->node, parent = py_parent(f, n);

    if (py_kind(f, parent) == PY_FUNCTION && py_child(f, parent, FIELD_NAME) == n)
        n = parent;
    if (j->profile->by_function)
        return function_at(f, n);
    if (!py_is_loop(f, n) && replaces_loop(found->f.rule) && fact_loop(j->p, f, n).node != 0)
        n = fact_loop(j->p, f, n).node;
    if (py_is_loop(f, n) || py_kind(f, n) == PY_FUNCTION || py_kind(f, n) == PY_CLASS)
        return lines_of(f, n);
    return (struct lines){f, py_line(f, found->start), py_line(f, found->end)};
}

/* --- what a profile cannot tell --- */

/* NULL: it can tell. */
static const char *cannot_tell(struct join *j, const struct rule_finding *found, const struct profile_place *at)
{
    const struct py_file *f = found->file;
    const struct source *s = source_of(j->c, f);
    const char *id = found->f.rule->id;

    if (s->cells != NULL)
        return "the profile does not tell: it has no cells of notebooks";
    if (bitset_has(&j->profile->moved, source_number(j, f)))
        return "the profile does not tell: the file changed since it was recorded";
    if (fact_in_graph_function(j->p, f, found->node) ||
        py_decorated(f, py_up(f, found->node, PY_FUNCTION), "torch.compile jit.script jit.trace jax.jit", true))
        return "waits here: it runs in a compiled graph, whose time is where the graph is called";
    if (strstr("PP102 PP103 PP613", id) != NULL) /* graphs that grow: making a node is little */
        return "the profile does not tell: what it leaves behind slows what runs later, in other lines";
    if (strncmp(id, "PP3", 3) == 0 || strstr("PP201 PP408 PP413 PP602 PP618", id) != NULL ||
        fact_in_mapper(j->p, f, found->node))
        return "waits here: the profile shows the time of a data pipeline where its data are taken";
    if (at->aside > at->all || (at->all <= 0 && span_is_word(py_title(f, py_up(f, found->node, PY_FUNCTION)),
                                                             "__getitem__ __getitems__ collate_fn")))
        return "waits here: it runs in other threads or processes than the main one";
    if (at->waits > 0 && at->waits >= at->all / 2)
        return "waits here for the GPU, whose work goes on at the same time";
    return NULL;
}

/* --- findings --- */

/* Rules about ops of a forward pass: each that a fix saves has a part in backward(), whose time is in another line. */
static double share_of_backward(const struct join *j, const struct check_rule *rule, struct lines at)
{
    bool forward = strstr("PP402 PP409 PP410 PP609 PP610 PP620 PP626", rule->id) != NULL;
    double all = 0;

    for (size_t i = 0; i < j->backward.n && forward; i++) {
        struct lines back = j->backward.at[i];
        if (back.file != at.file || back.last < at.first || at.last < back.first)
            all += sum(j, back).all;
    }
    return share_of(j, all);
}

static void add_gain(struct buf *b, double share, double backward)
{
    if (share < COUNTED_LEAST) {
        buf_add_text(b, "no time, so a fix gains nothing there");
        return;
    }
    buf_addf(b, "%.1f %% of the time", share * 100);
    if (backward >= COUNTED_LEAST)
        buf_addf(b, ", backward() %.1f %%, some of it for this", backward * 100);
    buf_add_text(b, "; a fix gains at most ");
    share += backward;
    if (share < 0.99)
        buf_addf(b, "%.2f×", 1 / (1 - share));
    else
        buf_add_text(b, "100× or more");
}

static void join_finding(struct join *j, struct rule_finding *found)
{
    const struct py_file *f = found->file;
    struct lines at = lines_of_finding(j, found);
    struct loop loop = fact_loop(j->p, f, found->node);
    AT_END(buf_clear) struct buf text = {0};

    struct profile_place place = sum(j, at);
    const char *why = cannot_tell(j, found, &place);
    found->f.share = -1;
    if (why != NULL) {
        buf_add_text(&text, why);
        if (share_of(j, place.waits) > 0)
            buf_addf(&text, " (%.1f %% of the time)", share_of(j, place.waits) * 100);
    } else {
        found->f.share = share_of_lines(j, at);
        if (j->profile->by_function)
            buf_addf(&text, "its function takes ");
        add_gain(&text, found->f.share, share_of_backward(j, found->f.rule, at));
        if (!j->profile->by_function && loop.node != 0 && !py_is_loop(f, found->node) && !replaces_loop(found->f.rule))
            buf_addf(&text, "; its loop in line %u takes %.1f %%", py_line(f, f->nodes[loop.node].start),
                     share_of_lines(j, lines_of(f, loop.node)) * 100);
    }
    found->f.profile = arena_copy(&j->c->arena, buf_span(&text));
}

/* --- the hottest places without a finding --- */

/* Are a finding's lines, or its function, at this place? */
static bool has_finding(const struct join *j, const struct py_file *f, uint32_t line)
{
    for (size_t i = 0; i < j->c->found.n; i++) {
        const struct rule_finding *found = j->c->found.items[i];
        if (found->file != f)
            continue;
        struct lines at = lines_of_finding(j, found);
        if (at.first <= line && line <= at.last)
            return true;
    }
    return false;
}

uint32_t node_at(const struct py_file *f, uint32_t line)
{
    uint32_t first = 0;

    for (uint32_t n = 1; n < f->n_nodes; n++) {
        if (py_line(f, f->nodes[n].start) != line)
            continue;
        if (py_kind(f, n) == PY_CALL)
            return n;
        first = first == 0 ? n : first;
    }
    return first;
}

struct caller {
    uint64_t place; /* as profile_key */
    double time;
};

/* The outside place that ran the lines longest, and its share of all such time; .time 0: none is known. */
static struct caller caller_of(const struct join *j, struct lines at)
{
    const struct place_map *places = &j->profile->places;
    uint32_t source = source_number(j, at.file);
    double *times = mem_zero(places->n + 1, sizeof *times), all = 0;
    struct caller most = {0};

    for (size_t i = 0; i < j->profile->calls.n; i++) {
        const struct call_map_entry *call = &j->profile->calls.at[i];
        uint64_t from = places->at[call->key >> 32].key, to = places->at[(uint32_t)call->key].key;
        bool own = from >> 32 == source && at.first <= (uint32_t)from && (uint32_t)from <= at.last;
        if (to >> 32 != source || own || (uint32_t)to < at.first || at.last < (uint32_t)to)
            continue;
        all += call->value;
        times[call->key >> 32] += call->value;
        if (times[call->key >> 32] > most.time)
            most = (struct caller){from, times[call->key >> 32]};
    }
    mem_free(times);
    most.time = most.time > 0 ? most.time / all : 0;
    return most;
}

/* Who calls the function: as the profile saw it, otherwise the first call in the code, and that there are others. */
static void describe_caller(const struct join *j, const struct py_file *f, uint32_t function, struct buf *b)
{
    struct caller caller = caller_of(j, lines_of(f, function));
    const struct py_file *file = caller.time > 0 ? &j->c->sources[caller.place >> 32].file : NULL;

    if (file != NULL) {
        buf_addf(b, ", called from line %u", (uint32_t)caller.place);
        if (file != f)
            buf_addf(b, " of %s", file->path);
        if (caller.time < 0.995)
            buf_addf(b, " (%.0f %% of its time)", caller.time * 100);
        return;
    }
    struct call_sites site = fact_callers(j->p, f, function);
    if (fact_take(&site))
        buf_addf(b, ", called from %s", RULE_PLACE(f, site.file, site.call));
    if (site.all > 1)
        buf_addf(b, " and %zu other place%s", site.all - 1, site.all == 2 ? "" : "s");
}

static void describe(const struct join *j, const struct py_file *f, uint32_t n, bool waits, struct buf *b)
{
    struct loop loop = py_is_loop(f, n) ? (struct loop){.node = n} : fact_loop(j->p, f, n);
    uint32_t function = py_kind(f, n) == PY_FUNCTION ? n : py_up(f, n, PY_FUNCTION);

    if (function == 0 && py_kind(f, n) == PY_DECORATED)
        function = py_last(f, n);
    if (loop.node != 0 && !j->profile->by_function)
        buf_addf(b, "in the loop of line %u", py_line(f, f->nodes[loop.node].start));
    if (waits)
        buf_addf(b, "%swaits for the GPU", b->len > 0 ? ", " : "");
    if (function == 0 || py_kind(f, function) != PY_FUNCTION)
        return;
    struct span name = py_text(f, py_child(f, function, FIELD_NAME));
    buf_addf(b, "%sin %.*s", b->len > 0 ? ", " : "", SPAN_ARG(name));
    describe_caller(j, f, function, b);
    if (fact_in_graph_function(j->p, f, function))
        buf_add_text(b, ", in a compiled graph");
}

static int by_time(const void *a, const void *b)
{
    const struct check_hot *x = a, *y = b;
    int order = (x->share < y->share) - (x->share > y->share);

    if (order == 0)
        order = strcmp(x->path, y->path);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static bool is_import(const struct py_file *f, uint32_t line)
{
    for (uint32_t n = 1; n < f->n_nodes; n++)
        if ((py_kind(f, n) == PY_IMPORT || py_kind(f, n) == PY_IMPORT_FROM) && py_line(f, f->nodes[n].start) == line)
            return true;
    return false;
}

static void find_hot(struct join *j)
{
    AT_END(array_end) struct ARRAY_OF(struct check_hot) all = {0};

    for (size_t i = 0; i < j->profile->places.n; i++) {
        const struct place_map_entry *entry = &j->profile->places.at[i];
        const struct source *s = &j->c->sources[entry->key >> 32];
        uint32_t line = (uint32_t)entry->key;
        double share = share_of(j, entry->value.own);
        if (share >= COUNTED_LEAST && is_import(&s->file, line)) {
            j->c->totals.imported += share; /* once for each start of the program, and not to be avoided */
            continue;
        }
        if (share >= HOT_LEAST && s->cells == NULL && line <= s->file.n_lines &&
            !bitset_has(&j->profile->moved, (uint32_t)(entry->key >> 32)) && !has_finding(j, &s->file, line))
            array_add(&all, (struct check_hot){.path = s->path, .line = line, .share = share});
    }
    array_sort(&all, by_time);
    j->c->n_hot = all.n < HOT_MAX ? all.n : HOT_MAX;
    j->c->hot = arena_alloc(&j->c->arena, HOT_MAX * sizeof *j->c->hot);
    for (size_t i = 0; all.at != NULL && i < j->c->n_hot; i++) {
        struct check_hot *h = &j->c->hot[i];
        AT_END(buf_clear) struct buf context = {0};
        *h = all.at[i];
        const struct source *s = source_find(j->c, h->path);
        uint32_t n = s != NULL ? node_at(&s->file, h->line) : 0;
        if (s != NULL) {
            uint64_t key = profile_key(source_number(j, &s->file), h->line);
            const struct place_map_entry *entry = place_map_find(&j->profile->places, key);
            bool waits = entry != NULL && entry->value.waits > 0 && entry->value.waits >= entry->value.all / 2;
            h->code = span_trim(py_line_text(&s->file, h->line));
            if (n != 0)
                describe(j, &s->file, n, waits, &context);
        }
        h->context = arena_copy(&j->c->arena, buf_span(&context));
    }
}

enum status profile_join(struct check_run *c, struct project *p, const struct profile *profile, struct err *e)
{
    struct join j = {.c = c, .p = p, .profile = profile};
    double own = 0;

    for (size_t i = 0; i < profile->places.n; i++)
        own += profile->places.at[i].value.own + profile->places.at[i].value.aside;
    if (!(own > 0))
        return err_set(e, ST_INPUT, "%s: %s: none of its time is in the files checked; is it of another program?",
                       profile->path, profile->kind);
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *f = fact_file(p, i);
        for (struct py_nodes call = fact_calls(p, f); py_take(&call);) {
            if (py_method(f, call.n, "backward gradient") == 0)
                continue;
            uint32_t line = py_line(f, f->nodes[call.n].start);
            struct lines at = profile->by_function ? function_at(f, call.n) : (struct lines){f, line, line};
            const struct lines *last = j.backward.n > 0 ? &j.backward.at[j.backward.n - 1] : NULL;
            if (last == NULL || last->file != f || last->first != at.first)
                array_add(&j.backward, at);
        }
    }
    for (size_t i = 0; i < c->found.n; i++)
        join_finding(&j, c->found.items[i]);
    array_clear(&j.backward);
    find_hot(&j);
    c->totals.profiler = profile->kind;
    c->totals.profiled = share_of(&j, own);
    return ST_OK;
}

static int by_share(const void *a, const void *b)
{
    const struct check_finding *x = a, *y = b;
    int order = (x->share < y->share) - (x->share > y->share);

    if (order == 0)
        order = strcmp(x->path, y->path);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    return order != 0 ? order : strcmp(x->rule->id, y->rule->id);
}

void profile_order(struct check_run *c)
{
    if (c->n_findings > 1)
        qsort(c->findings, c->n_findings, sizeof *c->findings, by_share);
}
