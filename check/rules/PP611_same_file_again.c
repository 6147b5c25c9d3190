/* PP611: the same file is read in each round of a loop of steps. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* Does the call read a file, whole? */
static bool reads_whole(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    struct span name = fact_name(p, f, call);
    static const char *const others[] = {"json.load",   "yaml.safe_load", "yaml.load",   "torch.load",
                                         "joblib.load", "pickle.load",    "cPickle.load"};

    return word_has(w, TRAIT_LOADS_DATA) || word_has(w, TRAIT_READS_IMAGE) ||
           span_is_any(name, others, ARRAY_LEN(others));
}

/* A literal path, "names.txt", alone or in open("names.txt", "rb"). */
static bool names_one_file(const struct py_file *f, uint32_t n)
{
    n = n != 0 ? py_bare(f, n) : 0;
    if (n != 0 && py_kind(f, n) == PY_CALL) {
        uint32_t callee = py_child(f, n, FIELD_FUNCTION);
        if (callee == 0 || !py_is(f, callee, "open"))
            return false;
        n = py_argument(f, n, 0);
    }
    return n != 0 && py_kind(f, n) == PY_STRING && !span_has(py_text(f, n), "{");
}

static bool loads_by_name(struct span name)
{
    return span_starts(name, SPAN("load_")) || span_starts(name, SPAN("read_"));
}

static bool opens_file(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);

    return reads_whole(p, f, call) || (callee != 0 && py_is(f, callee, "open"));
}

/* load_classes("data/names"): a function of the project that reads. */
static bool runs_reader(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct py_file *file;
    uint32_t callee;

    return loads_by_name(py_name(f, py_child(f, call, FIELD_FUNCTION))) && fact_callee(p, f, call, &file, &callee) &&
           fact_reaches(p, file, callee, opens_file);
}

/* The loop, of n's own function, of unknown or many rounds, which runs n each time. */
static uint32_t long_loop(struct project *p, const struct py_file *f, uint32_t n)
{
    struct loop loop = fact_loop(p, f, n);

    while (loop.node != 0 && loop.trip == TRIP_SHORT)
        loop = fact_outer_loop(p, f, loop);
    return loop.node != 0 && (loop.trip == TRIP_STEPS || fact_loader(p, f, loop.node) != 0) ? loop.node : 0;
}

/* What the call opens, without open(): a path. */
static uint32_t path_of(const struct py_file *f, uint32_t n)
{
    uint32_t callee = py_kind(f, n) == PY_CALL ? py_child(f, n, FIELD_FUNCTION) : 0;

    return callee != 0 && py_is(f, callee, "open") ? py_argument(f, n, 0) : n;
}

/* A part of a path: is it the same in each round of the loop, or at each call from one? */
static bool is_same_part(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop, struct behind *where)
{
    return loop != 0 ? fact_invariant(p, f, n, loop) != NOT_SEEN : fact_behind(p, f, n, where);
}

/* os.path.join(self.folder, "means.npy"), folder + name: are all of its parts the same, and is there one that is not
 * literal? */
static bool is_same_path(struct project *p, const struct py_file *f, uint32_t path, uint32_t loop, struct behind *where)
{
    uint32_t list = py_kind(f, path) == PY_CALL ? py_child(f, path, FIELD_ARGUMENTS) : path;
    bool named = false;

    if (py_kind(f, path) == PY_CALL && !span_eq(py_name(f, py_child(f, path, FIELD_FUNCTION)), SPAN("join")))
        return false;
    for (uint32_t n = list; n < f->nodes[list].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_CALL || kind == PY_SUBSCRIPT || kind == PY_INTERPOLATION)
            return false;
        if ((kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE) || f->nodes[n].field == FIELD_OBJECT ||
            f->nodes[n].field == FIELD_ATTRIBUTE)
            continue;
        if (!is_same_part(p, f, n, loop, where))
            return false;
        named = true;
    }
    return named;
}

/* Does a loop of steps call the function that reads, with nothing that changes the path? */
static bool is_read_by_calls(struct project *p, const struct py_file *f, uint32_t call, uint32_t path,
                             struct behind *where)
{
    enum { ROOT = 1 };
    uint32_t function = py_function_of(f, call);

    return function > ROOT && fact_loop(p, f, call).node == 0 && !fact_first_time(f, call, function) &&
           !fact_cached(f, function) && !fact_guarded(f, call, function) && is_same_path(p, f, path, 0, where) &&
           (where->loop.trip == TRIP_STEPS || fact_loader(p, where->file, where->loop.node) != 0);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0), path;
    bool reads = first != 0 && (reads_whole(p, f, call) || runs_reader(p, f, call));
    uint32_t loop = reads ? long_loop(p, f, call) : 0;
    struct behind where;

    if (!reads || (path = path_of(f, py_bare(f, first))) == 0)
        return;
    if (loop == 0) {
        if (is_read_by_calls(p, f, call, path, &where) && !fact_epoch_of_steps(p, where.file, where.loop.node))
            rule_report(r, call, CHECK_MEDIUM, "%s is read again in each round of the loop in %s", RULE_TEXT(f, path),
                        RULE_PLACE(f, where.file, where.loop.node));
        return;
    }
    if (fact_first_time(f, call, loop) || fact_epoch_of_steps(p, f, loop) ||
        (!names_one_file(f, first) && (fact_guarded(f, call, loop) || !is_same_path(p, f, path, loop, &where))))
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s reads the same file in each round of the loop in %s", RULE_TEXT(f, call),
                RULE_PLACE(f, f, loop));
}

const struct rule_looks rule_PP611 = {.call = check_call};
