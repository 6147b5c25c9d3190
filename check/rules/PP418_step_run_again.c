/* PP418: a second run of the session computes a training step's forward pass again, to fetch values. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

#include <string.h>

/* The parts of session.run(fetches, feed_dict), op.run(feed_dict), op.eval(feed_dict). */
struct run {
    uint32_t fetches; /* or the op */
    uint32_t feed;    /* 0: none */
};

static struct run run_of(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method = {"", 0};
    uint32_t receiver = py_receiver(f, call, &method);
    struct value v = fact_value(p, f, receiver);
    bool session = span_eq(method, SPAN("run")) && (v.kind == VALUE_SESSION || span_has(py_text(f, receiver), "sess"));

    return session ? (struct run){py_argument_or(f, call, 0, "fetches"), py_argument_or(f, call, 1, "feed_dict")}
                   : (struct run){receiver, py_argument_or(f, call, 0, "feed_dict")};
}

static bool same_text(const struct py_file *f, uint32_t a, uint32_t b)
{
    struct span one = py_text(f, a), other = py_text(f, b);
    size_t i = 0, k = 0;

    /* The same but for blanks. */
    for (;; i++, k++) {
        while (i < one.len && strchr(" \n\t", one.ptr[i]) != NULL)
            i++;
        while (k < other.len && strchr(" \n\t", other.ptr[k]) != NULL)
            k++;
        if (i >= one.len || k >= other.len)
            return i >= one.len && k >= other.len;
        if (one.ptr[i] != other.ptr[k])
            return false;
    }
}

/* Has `all` the pair? */
static bool has_pair(const struct py_file *f, uint32_t all, uint32_t pair)
{
    for (uint32_t c = py_first(f, all); c != 0; c = py_next(f, c))
        if (same_text(f, c, pair))
            return true;
    return false;
}

/* Is all that is fed there fed here as well? */
static bool feeds_part(const struct py_file *f, uint32_t feed, uint32_t all)
{
    if (py_kind(f, feed) != PY_DICTIONARY || py_kind(f, all) != PY_DICTIONARY || py_first(f, feed) == 0)
        return same_text(f, feed, all);
    for (uint32_t c = py_first(f, feed); c != 0; c = py_next(f, c))
        if (!has_pair(f, all, c))
            return false;
    return true;
}

/* Is a name of the feed bound between the two, so that they get other values? */
static bool changes_between(const struct py_file *f, uint32_t feed, uint32_t from, uint32_t to)
{
    for (uint32_t n = feed; n < f->nodes[feed].after; n++) {
        size_t uses = 0;
        const uint32_t *of = py_kind(f, n) == PY_IDENTIFIER ? py_uses(f, f->nodes[n].sym, 1, &uses) : NULL;
        for (size_t i = 0; i < uses; i++)
            if (of[i] >= f->nodes[from].after && of[i] < py_statement(f, to) && py_def_at(f, of[i]) != 0)
                return true;
    }
    for (uint32_t n = feed; n < f->nodes[feed].after; n++)
        if (py_kind(f, n) == PY_CALL) /* next_batch(): another one */
            return true;
    return false;
}

/* The block that the statement around n is in, through `with` blocks. */
static uint32_t block_of(const struct py_file *f, uint32_t n)
{
    uint32_t block = py_parent(f, py_statement(f, n));

    while (py_kind(f, py_parent(f, block)) == PY_WITH)
        block = py_parent(f, py_statement(f, py_parent(f, block)));
    return block;
}

/* What changes state is run for that, and a summary is another finding. */
static bool only_asks(const struct py_file *f, uint32_t fetches)
{
    static const char *const words[] = {"assign", "init", "enqueue", "summ", "merged", "copy", "clip", "reset", "sync"};

    return !span_has_any(py_text(f, fetches), words, ARRAY_LEN(words));
}

/* Does the call only ask for values of a model? */
static bool asks(struct project *p, const struct py_file *f, uint32_t call)
{
    if (py_receiver(f, call, NULL) == 0 || !fact_runs_session(p, f, call))
        return false;
    uint32_t fetches = run_of(p, f, call).fetches;
    return fetches != 0 && !fact_fetches_training(f, fetches) && only_asks(f, fetches);
}

/* The run that trains with the same feed, before the call in the same block; 0: none. */
static uint32_t training_run_before(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t feed = run_of(p, f, call).feed, block = block_of(f, call);

    for (uint32_t n = loop; feed != 0 && n < call; n++) {
        if (py_kind(f, n) != PY_CALL || f->nodes[n].after > call || block_of(f, n) != block ||
            py_receiver(f, n, NULL) == 0 || !fact_runs_session(p, f, n))
            continue;
        struct run run = run_of(p, f, n);
        if (run.feed != 0 && fact_fetches_training(f, run.fetches) && feeds_part(f, feed, run.feed) &&
            !changes_between(f, feed, n, call))
            return n;
    }
    return 0;
}

/* Is there another run of this kind before it in the loop? That one has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call, uint32_t run, uint32_t loop)
{
    for (uint32_t n = run + 1; n < call; n++)
        if (py_kind(f, n) == PY_CALL && f->nodes[n].after <= call && asks(p, f, n) &&
            training_run_before(p, f, n, loop) != 0)
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct loop loop = fact_loop(p, f, call);

    if (loop.node == 0 || loop.trip == TRIP_SHORT || !asks(p, f, call) || fact_guarded(f, call, loop.node))
        return;
    uint32_t run = training_run_before(p, f, call, loop.node);
    if (run == 0 || said_before(p, f, call, run, loop.node))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s runs the model again for the step of %s",
                                             RULE_TEXT(f, run_of(p, f, call).fetches), RULE_PLACE(f, f, run));
    rule_advice(found, "Fetch it in %s, together with the op that trains; the value is then that of before the update.",
                RULE_PLACE(f, f, run));
}

const struct rule rule_PP418 = {
    .about =
        {
            .id = "PP418",
            .name = "step-run-again",
            .summary = "A second run of the session computes the forward pass of a training step again",
            .why =
                "The step has computed the values; the second run copies the same batch and computes them once more.",
            .advice = "Fetch them in the run that trains.",
            .impact = CHECK_MEDIUM,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .call = check_call,
};
