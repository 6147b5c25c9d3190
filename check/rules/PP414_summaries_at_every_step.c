/* PP414: summaries are computed, fetched and written at every step of a TF1 training. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

#include <string.h>

/* Behind an `if` that asks for more than whether there is a writer, up to `within`? */
static bool is_rare(const struct py_file *f, uint32_t n, uint32_t writer, uint32_t within)
{
    for (uint32_t at = py_parent(f, n); at != 0 && at != within; at = py_parent(f, at)) {
        uint32_t test = py_child_of(f, at, PY_IF, FIELD_CONDITION);
        if (py_kind(f, at) == PY_IF && (test == 0 || span_find(py_text(f, test), py_text(f, writer)) == SIZE_MAX))
            return true;
    }
    return false;
}

/* On the whole way from the loop to the call. */
static bool is_rare_on_way(const struct py_file *f, uint32_t call, uint32_t writer, const struct steps *steps)
{
    uint32_t within = steps->entry == 0 ? steps->loop.node : py_function_of(f, call);

    return is_rare(f, call, writer, within) ||
           (steps->entry != 0 && fact_guarded(steps->entry_file, steps->entry, steps->loop.node));
}

/* The writer of what a session gave, itself or by a name; 0: the call writes no such summary. *run: the session's call. */
static uint32_t written(struct project *p, const struct py_file *f, uint32_t call, uint32_t *run)
{
    enum { DEFS_MAX = 4 };
    uint32_t writer = fact_method(f, call, TRAIT_WRITES_SUMMARY), summary = writer != 0 ? py_argument(f, call, 0) : 0;

    if (summary == 0)
        return 0;
    *run = summary;
    struct py_defs d = py_reaching(f, summary, DEFS_MAX);
    if (d.all < DEFS_MAX && py_take_def(&d) && (d.def->kind == DEF_ASSIGN || d.def->kind == DEF_UNPACK))
        *run = d.def->value;
    return py_kind(f, *run) == PY_CALL && fact_runs_session(p, f, *run) ? writer : 0;
}

/* Does the file import the other, by its name? */
static bool uses_module(const struct py_file *f, const struct py_file *other)
{
    const char *slash = strrchr(other->path, '/'), *name = slash != NULL ? slash + 1 : other->path;
    const char *end = strrchr(name, '.');
    struct span module = {name, end != NULL ? (size_t)(end - name) : strlen(name)};

    for (uint32_t n = 1; n < f->n_nodes; n++)
        if (py_kind(f, n) == PY_DOTTED_NAME)
            for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c))
                if (span_eq(py_text(f, c), module))
                    return true;
    return false;
}

/* Histograms and pictures take time; a few numbers hardly do. The model that has them may be in another file. */
static bool takes_time(struct project *p, const struct py_file *f)
{
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *other = fact_file(p, i);
        if ((other == f || uses_module(f, other)) &&
            fact_mentions(p, other, "histogram|summary.image|image_summary|summary.audio"))
            return true;
    }
    return false;
}

/* Does the loop run what trains? */
static bool runs_training(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++)
        if (py_kind(f, n) == PY_CALL && fact_fetches_training(f, py_argument_or(f, n, 0, "fetches")) &&
            fact_runs_session(p, f, n))
            return true;
    return false;
}

/* A method that trains, whose callers are not seen, is called at each step. */
static bool may_be_step(const struct py_file *f, uint32_t call, uint32_t writer)
{
    uint32_t function = py_function_of(f, call);

    for (uint32_t n = call; n != 0 && n != function; n = py_parent(f, n))
        if (py_is_loop(f, n))
            return false;
    return function > ROOT && !is_rare(f, call, writer, function);
}

static size_t count_children(const struct py_file *f, uint32_t n)
{
    size_t count = 0;

    for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c))
        count += py_kind(f, c) != PY_COMMENT;
    return count;
}

/* Is the method called, by name and number of arguments, in a loop of steps, and in none behind an `if` or over epochs?
 * At least two arguments: dict.update() and the like take one. */
static bool called_at_steps(struct project *p, const struct py_file *f, uint32_t function)
{
    enum { SELF = 1, ARGUMENTS_MIN = 2 };
    size_t n_parameters = count_children(f, py_child(f, function, FIELD_PARAMETERS));
    struct span name = py_name(f, py_child(f, function, FIELD_NAME));
    bool found = false;

    if (n_parameters < SELF + ARGUMENTS_MIN)
        return false;
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *from = fact_file(p, i);
        for (struct py_nodes call = fact_calls(p, from); py_take(&call);) {
            struct span method;
            if (py_receiver(from, call.n, &method) == 0 || !span_eq(method, name) || py_has_splat(from, call.n) ||
                count_children(from, py_child(from, call.n, FIELD_ARGUMENTS)) != n_parameters - SELF)
                continue;
            struct loop loop = fact_loop(p, from, call.n);
            if (loop.node == 0) /* tried once */
                continue;
            if (loop.trip == TRIP_SHORT || fact_epoch_loop(from, loop.node) || fact_guarded(from, call.n, loop.node))
                return false;
            found = true;
        }
    }
    return found;
}

/* Is there a loop of steps that runs the call in each of them? */
static bool at_each_step(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t writer,
                         struct steps *steps)
{
    *steps = (struct steps){0};
    return rule_needs(r, call, call, fact_steps(p, f, call, steps) != NOT_SEEN && steps->loop.node != 0,
                      "no loop of steps is seen that runs it") &&
           rule_needs(r, call, call, !is_rare_on_way(f, call, writer, steps), "it runs in some steps only");
}

/* writer.flush() at every step: Python waits for the file. */
static void check_flush(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t writer = py_method(f, call, "flush");
    struct steps steps;

    if (!span_has_word(py_text(f, writer), "writer Writer summar tensorboard tb_log") ||
        !at_each_step(r, p, f, call, writer, &steps) ||
        !rule_needs(r, call, call, !fact_epoch_of_steps(p, steps.file, steps.loop.node), "the loop is one of epochs"))
        return;
    rule_report(r, call, CHECK_LOW, "%s.flush() waits for the file at every step of %s", RULE_TEXT(f, writer),
                steps.file == f ? RULE_PLACE(f, f, steps.loop.node) : "training");
    rule_why(
        r,
        "Each flush hands what was gathered to the system and waits, where the writer does so by itself now and then.");
    rule_advice(r, "Leave it to the writer (flush_secs, flush_millis), or flush every few hundred steps.");
}

/* writer.add_histogram(name, weights) of PyTorch's SummaryWriter: its writer; 0: it is no such call, or writes a number. */
static uint32_t draws(const struct py_file *f, uint32_t call)
{
    uint32_t writer = py_method(f, call,
                                "add_histogram add_image add_images add_figure add_video add_audio "
                                "add_embedding add_mesh add_graph add_pr_curve");

    return span_has_word(py_text(f, writer), "writer Writer board summar tb log") ? writer : 0;
}

/* Histograms and pictures at every step of a training with PyTorch. */
static void check_drawing(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t writer = draws(f, call);
    struct steps steps;

    if (writer == 0 || !at_each_step(r, p, f, call, writer, &steps) ||
        !rule_needs(r, call, call,
                    !fact_epoch_of_steps(p, steps.file, steps.loop.node) &&
                        fact_goes_backward(p, steps.file, steps.loop.node),
                    "the loop is one of epochs, or does not go backward"))
        return;
    uint32_t from = steps.entry == 0 ? steps.loop.node : py_function_of(f, call);
    for (uint32_t n = from; n < call; n++)
        if (draws(f, n) != 0 && !fact_now_and_then(f, n, from) && py_function_of(f, n) == py_function_of(f, call)) {
            rule_lacks(r, call, call, "a call before it is reported");
            return;
        }
    rule_report(r, call, CHECK_MEDIUM, "%s() draws at every step of %s",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)),
                steps.file == f ? RULE_PLACE(f, f, steps.loop.node) : "training");
    rule_why(r, "It copies the tensor to the host, waits for it, and computes a histogram or a picture there.");
    rule_advice(r, "Draw every few hundred steps only.");
}

/* writer.add_summary() of what a session gave. */
static void check_written(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t run, writer = written(p, f, call, &run);
    uint32_t function = py_function_of(f, call), loop = writer != 0 ? fact_loop(p, f, call).node : 0, ignored;
    struct steps steps = {0};
    bool said = false; /* Another summary that is written before it in the same loop has the finding. */

    for (uint32_t n = loop != 0 ? loop : function; writer != 0 && n < call && !said; n++)
        said = py_kind(f, n) == PY_CALL && written(p, f, n, &ignored) != 0 && fact_loop(p, f, n).node == loop &&
               py_function_of(f, n) == function;
    if (writer == 0 || !rule_needs(r, call, call, !said, "a call before it is reported"))
        return;
    enum certainty sure = fact_steps(p, f, call, &steps);
    bool seen = sure != NOT_SEEN && steps.loop.node != 0;
    bool trains = fact_fetches_training(f, py_argument_or(f, run, 0, "fetches")) ||
                  (seen && fact_once(p, steps.file, steps.loop.node, runs_training));
    if (!rule_needs(r, call, call,
                    seen ? !is_rare_on_way(f, call, writer, &steps) : trains && may_be_step(f, call, writer),
                    seen ? "it runs in some steps only" : "no loop of steps is seen that runs it"))
        return;
    static const char *const words[] = {"every iteration", "each iteration", "every step", "each step", "every batch"};
    uint32_t line = py_line(f, f->nodes[call].start);
    struct span above = span_trim(py_line_text(f, line - 1)); /* # Write logs at every iteration */
    bool meant = span_starts(above, SPAN("#")) && span_has_any(above, words, ARRAY_LEN(words));
    rule_report(r, call, takes_time(p, f) && !meant ? CHECK_MEDIUM : CHECK_LOW,
                "summaries are computed and written at every step of %s",
                seen && steps.file == f ? RULE_PLACE(f, f, steps.loop.node) : "training");
    rule_unsure(r, !seen ? !called_at_steps(p, f, function) : !trains && sure != CERTAIN);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    check_drawing(r, p, f, call);
    check_flush(r, p, f, call);
    check_written(r, p, f, call);
}

const struct rule_looks rule_PP414 = {.call = check_call};
