/* PP426: a recurrent layer of a TF1 graph runs a loop of small ops where a fused one does. */
#include "check/rules/rule.h"

enum { RESOLVE_MAX = 8 };

static bool is_plain(const struct py_file *f, uint32_t n, int depth);

static bool is_plain_call(const struct py_file *f, uint32_t call, int depth)
{
    static const char *const cells[] = {"GRUCell", "LSTMCell", "BasicLSTMCell"};
    static const char *const wraps[] = {"MultiRNNCell", "DropoutWrapper"};
    struct span name = py_name(f, py_child(f, call, FIELD_FUNCTION));

    if (span_is_any(name, cells, ARRAY_LEN(cells)))
        return py_keyword(f, call, "activation") == 0 && py_keyword(f, call, "num_proj") == 0;
    uint32_t inner = py_argument_or(f, call, 0, "cell");
    return span_is_any(name, wraps, ARRAY_LEN(wraps)) &&
           is_plain(f, inner != 0 ? inner : py_keyword(f, call, "cells"), depth + 1);
}

/* The cell is a plain one, alone or in layers of such: what a fused layer computes as well. */
static bool is_plain(const struct py_file *f, uint32_t n, int depth)
{
    enum { DEFS_MAX = 4 };
    bool found = false;

    n = n != 0 ? py_bare(f, n) : 0;
    if (n == 0 || depth > RESOLVE_MAX)
        return false;
    if (py_kind(f, n) == PY_CALL)
        return is_plain_call(f, n, depth);
    if (py_kind(f, n) == PY_LIST || py_kind(f, n) == PY_LIST_COMPREHENSION)
        return is_plain(f, py_first(f, n), depth + 1);
    if (py_kind(f, n) == PY_BINARY_OPERATOR) /* [cell] * layers */
        return is_plain(f, py_child(f, n, FIELD_LEFT), depth + 1);
    uint32_t defs[DEFS_MAX];
    size_t count = py_kind(f, n) == PY_IDENTIFIER ? py_reaching(f, n, defs, DEFS_MAX) : 0;
    for (size_t i = 0; i < count; i++) {
        if (f->defs[defs[i]].kind != DEF_ASSIGN || !is_plain(f, f->defs[defs[i]].value, depth + 1))
            return false;
        found = true;
    }
    return found;
}

static bool trains(struct project *p, const struct py_file *f)
{
    return fact_mentions(p, f, ".minimize(") || fact_mentions(p, f, "apply_gradients(") ||
           fact_mentions(p, f, "optimize_loss(");
}

/* Is the layer trained: in its file, or in another of the program? A notebook is a program of its own. */
static bool is_trained(struct project *p, const struct py_file *f)
{
    if (trains(p, f) || fact_role(p, f) == ROLE_NOTEBOOK)
        return trains(p, f);
    for (size_t i = 0; i < fact_n_files(p); i++)
        if (fact_role(p, fact_file(p, i)) != ROLE_NOTEBOOK && trains(p, fact_file(p, i)))
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = fact_name(p, f, call);
    bool both = span_eq(name, SPAN("tf.nn.bidirectional_dynamic_rnn"));
    uint32_t cell = both ? py_argument_or(f, call, 0, "cell_fw") : py_argument_or(f, call, 0, "cell");

    if ((!both && !span_eq(name, SPAN("tf.nn.dynamic_rnn"))) || cell == 0 || fact_mode(p, f) == MODE_EAGER ||
        !is_plain(f, cell, 0) || !is_trained(p, f))
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s runs %s in a loop of small ops",
                both ? "bidirectional_dynamic_rnn()" : "dynamic_rnn()", RULE_TEXT(f, cell));
}

const struct rule rule_PP426 = {
    .about =
        {
            .id = "PP426",
            .name = "rnn-op-by-op",
            .summary = "A recurrent layer runs op by op where a fused one does",
            .why = "Each time step starts a dozen small ops, forward and backward; a GPU waits for most of them.",
            .advice =
                "Use tf.contrib.cudnn_rnn on GPUs, LSTMBlockFusedCell or GRUBlockCell on processors; keras.layers.LSTM in TF2.",
            .impact = CHECK_MEDIUM,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .call = check_call,
};
