/* PP618: a buffer of NumPy holds what a network gets as 32 bits, or as bytes, in 64 bits. */
#include "check/facts/guess.h"
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { DTYPE_AT = 1, SIDE_MIN = 32, ROWS_MIN = 100000 };

static bool makes_array(struct project *p, const struct py_file *f, uint32_t call)
{
    return span_is_word(fact_name(p, f, call), "numpy.zeros numpy.empty numpy.ones");
}

/* np.zeros((capacity, n)), np.empty(…) of floats, of 64 bits or of 32: the shape; otherwise 0. */
static uint32_t made_shape(struct project *p, const struct py_file *f, uint32_t call, bool wide)
{
    bool made = makes_array(p, f, call);
    uint32_t type = made && !py_has_splat(f, call) ? py_argument_or(f, call, DTYPE_AT, "dtype") : 0;
    bool fits = type == 0 || py_is(f, type, "float") ||
                span_is_word(fact_name(p, f, type), "numpy.float numpy.float64");

    if (!wide)
        fits = type != 0 && span_has(py_text(f, type), "float32");
    return made && fits && !py_has_splat(f, call) ? py_argument_or(f, call, 0, "shape") : 0;
}

/* [n, 84, 84, 4]: pictures, two equal sides of 32 or more among the axes? */
static bool holds_pictures(const struct py_file *f, uint32_t shape)
{
    int64_t last = 0, side;

    for (uint32_t c = is_sequence(f, shape) ? py_first(f, shape) : 0; c != 0; c = py_next(f, c)) {
        side = py_integer(f, c, &side) ? side : 0;
        if (side >= SIDE_MIN && side == last)
            return true;
        last = side;
    }
    return false;
}

/* Is a row of it written, one at a time: self.memory[i] = …, self.memory[i, :] = …? */
static bool is_filled(const struct py_file *f, uint32_t target)
{
    for (struct py_nodes use = py_uses(f, f->nodes[target].sym, ROOT); py_take(&use);) {
        uint32_t up = py_parent(f, use.n), around = py_parent(f, up);
        if (py_kind(f, up) == PY_SUBSCRIPT && py_child(f, up, FIELD_VALUE) == use.n &&
            py_kind(f, around) == PY_ASSIGNMENT && f->nodes[up].field == FIELD_LEFT)
            return true;
    }
    return false;
}

/* What the buffer of that shape is bound to; 0: the call makes none. r: NULL where nobody asks what it lacks. */
static uint32_t buffer_of_shape(struct rule_run *r, const struct py_file *f, uint32_t call, uint32_t shape)
{
    static const char words[] = "memory buffer replay storage rollout";
    uint32_t up = py_parent(f, call);
    uint32_t target = shape != 0 && py_kind(f, up) == PY_ASSIGNMENT ? py_child(f, up, FIELD_LEFT) : 0;
    uint32_t first = is_sequence(f, shape) ? py_first(f, shape) : 0;
    bool columns = first != 0 ? py_next(f, first) != 0 && !py_is(f, first, "0") && !py_is(f, py_last(f, shape), "1")
                              : py_kind(f, shape) == PY_BINARY_OPERATOR &&
                                    py_kind(f, py_child(f, shape, FIELD_RIGHT)) != PY_INTEGER;

    return shape != 0 &&
                   rule_needs(r, call, call, target != 0 && py_is_named(f, target), "it is not bound to a name") &&
                   rule_needs(r, call, shape, columns, "it is not seen to have rows of several numbers") &&
                   rule_needs(r, call, target,
                              guess_word(py_name(f, target), words) ||
                                  guess_word(py_title(f, py_up(f, call, PY_CLASS)), words),
                              "neither its name nor that of its class says that it is a memory") &&
                   rule_needs(r, call, target, is_filled(f, target), "its rows are not seen to be written one by one")
               ? target
               : 0;
}

static uint32_t buffer_of(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    return buffer_of_shape(r, f, call, made_shape(p, f, call, true));
}

/* Pictures come as bytes; whether these do is not seen. */
static void check_pictures(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t shape = made_shape(p, f, call, false), target = buffer_of_shape(r, f, call, shape);
    uint32_t last = target != 0 && is_sequence(f, shape) ? py_last(f, shape) : 0;
    /* (size, *input_shape), of the states that a network with convolutions gets? */
    bool inputs = py_kind(f, last) == PY_LIST_SPLAT && guess_word(py_name(f, target), "state obs frame") &&
                  fact_sees_pictures(p, f);

    if (target == 0 ||
        !rule_needs(r, call, shape, inputs || holds_pictures(f, shape), "it is not seen to be the shape of pictures"))
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s has pictures as numbers of 32 bits", RULE_TEXT(f, target));
    rule_why(r, "Frames of games and cameras are bytes: as such they take a quarter of the memory.");
    rule_advice(r, "Pass dtype=np.uint8, and divide by 255 on the device.");
    rule_unsure(r, !inputs); /* a network that gets them is not seen */
}

/* Is it known, by a default at the least, to have some ten thousand rows, of no pictures: a few megabytes? */
static bool is_small(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t shape = made_shape(p, f, call, true);
    const struct py_file *file = f;
    int64_t rows;

    if (!is_sequence(f, shape) || holds_pictures(f, shape) || py_kind(f, py_last(f, shape)) == PY_LIST_SPLAT)
        return false;
    uint32_t n = fact_literal(p, f, py_first(f, shape), &file);
    uint32_t def = py_def_in(f, py_scope_of(f, call), py_sym(f, py_name(f, py_first(f, shape))));
    n = n == 0 && def != 0 && f->defs[def].kind == DEF_PARAM ? f->defs[def].value : n; /* self.rows = rows */
    return n != 0 && py_integer(file, n, &rows) && rows < ROWS_MIN;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t target = buffer_of(r, p, f, call);

    check_pictures(r, p, f, call);
    if (target == 0 && rule_asked(r, call) && makes_array(p, f, call) && made_shape(p, f, call, true) == 0)
        rule_lacks(r, call, call, "its numbers are not seen to have 64 bits");
    bool said = false; /* Of several in a function the first has the finding. */
    for (uint32_t n = py_function_of(f, call); target != 0 && n < call && !said; n++)
        said = py_kind(f, n) == PY_CALL && buffer_of(NULL, p, f, n) != 0;
    if (target == 0 || !rule_needs(r, call, call, !said, "a buffer before it is reported"))
        return;
    rule_report(r, call, is_small(p, f, call) ? CHECK_LOW : CHECK_MEDIUM, "%s has 64 bits for each number",
                RULE_TEXT(f, target));
    uint32_t numpy = py_receiver(f, call, NULL), type = py_argument_or(f, call, DTYPE_AT, "dtype");
    if (numpy == 0)
        return;
    struct span name = py_text(f, numpy);
    if (type != 0)
        rule_edit(r, f->nodes[type].start, f->nodes[type].end, "%.*s.float32", SPAN_ARG(name));
    else
        rule_add_argument(r, call, "dtype=%.*s.float32", SPAN_ARG(name));
    rule_propose(r, "use 32 bits for each number");
}

const struct rule_looks rule_PP618 = {.call = check_call};
