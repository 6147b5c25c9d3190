/* PP501: arguments of layers that cost time for nothing, or keep the fast kernel out. */
#include "check/rules/PP501_costs.h"
#include "check/rules/rule.h"

/* The name behind "keras.layers.", or behind "tf.layers.". */
static struct span layer_name(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_LAYER) || fact_has(p, f, call, TRAIT_LAYER_FUNCTION)
               ? span_after_last(fact_name(p, f, call), '.')
               : (struct span){"", 0};
}

/* "relu", tf.nn.relu, keras.activations.relu: is it that one? */
static bool activation_is(struct project *p, const struct py_file *f, uint32_t n, const char *text)
{
    const struct py_file *file = f;
    uint32_t literal = fact_literal(p, f, n, &file);
    struct span name = fact_name(p, f, n), last = span_after_last(name, '.');

    return literal != 0 ? fact_string_is(file, literal, text) : last.len < name.len && span_eq(last, span_of(text));
}

/* --- LSTM and GRU without cuDNN --- */

struct reason {
    const char *text;
    bool weak; /* it may have been worth it */
};

static bool other_than(struct project *p, const struct py_file *f, uint32_t n, const char *text)
{
    const struct py_file *file;
    uint32_t literal;

    if (n == 0 || activation_is(p, f, n, text))
        return false;
    literal = fact_literal(p, f, n, &file);
    if (literal != 0)
        return py_kind(file, literal) == PY_STRING || py_kind(file, literal) == PY_NONE_LITERAL;
    return py_kind(f, n) != PY_CALL && fact_has(p, f, n, TRAIT_MAY_ACTIVATE);
}

static bool is_number_above_zero(struct project *p, const struct py_file *f, uint32_t n)
{
    const struct py_file *file;
    uint32_t literal = n != 0 ? fact_literal(p, f, n, &file) : 0;

    if (literal == 0 || (py_kind(file, literal) != PY_FLOAT && py_kind(file, literal) != PY_INTEGER))
        return false;
    struct span text = py_text(file, literal);
    for (size_t i = 0; i < text.len && text.ptr[i] != 'e'; i++)
        if (text.ptr[i] >= '1' && text.ptr[i] <= '9')
            return true;
    return false;
}

static bool keyword_is(struct project *p, const struct py_file *f, uint32_t call, const char *name, enum py_kind kind)
{
    uint32_t given = py_keyword(f, call, name);
    const struct py_file *file = f;

    return given != 0 && py_kind(file, fact_literal(p, f, given, &file)) == kind;
}

/* Why the layer cannot run on cuDNN's kernel; text NULL: nothing is seen. */
static struct reason kept_out(struct project *p, const struct py_file *f, uint32_t call, bool gru)
{
    if (is_number_above_zero(p, f, py_keyword(f, call, "recurrent_dropout")))
        return (struct reason){"recurrent_dropout", false};
    if (other_than(p, f, py_argument_or(f, call, 1, "activation"), "tanh"))
        return (struct reason){"activation other than tanh", false};
    if (other_than(p, f, py_argument_or(f, call, 2, "recurrent_activation"), "sigmoid"))
        return (struct reason){"recurrent_activation other than sigmoid", false};
    if (keyword_is(p, f, call, "use_bias", PY_FALSE))
        return (struct reason){"use_bias=False", false};
    if (gru && keyword_is(p, f, call, "reset_after", PY_FALSE))
        return (struct reason){"reset_after=False", false};
    if (keyword_is(p, f, call, "unroll", PY_TRUE))
        return (struct reason){"unroll=True", true};
    return (struct reason){NULL, false};
}

/* The layer that a cell could be given up for: LSTM for LSTMCell; empty: there is none. */
static struct span layer_of_cell(struct project *p, const struct py_file *f, uint32_t cell)
{
    struct span none = {"", 0};

    if (py_kind(f, cell) != PY_CALL || py_has_splat(f, cell))
        return none;
    struct span name = layer_name(p, f, cell);
    bool gru = span_eq(name, SPAN("GRUCell"));
    if ((!gru && !span_eq(name, SPAN("LSTMCell"))) || kept_out(p, f, cell, gru).text != NULL)
        return none;
    return (struct span){name.ptr, name.len - 4};
}

static void check_recurrent(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = layer_name(p, f, call);
    struct reason reason = {NULL, false};
    enum mode mode = fact_mode(p, f);

    if (mode == MODE_GRAPH || fact_word(p, f, call)->framework != FRAMEWORK_KERAS)
        return;
    if (span_eq(name, SPAN("GRU")) || span_eq(name, SPAN("LSTM"))) {
        reason = kept_out(p, f, call, span_eq(name, SPAN("GRU")));
    } else if (span_eq(name, SPAN("RNN"))) {
        name = layer_of_cell(p, f, py_argument_or(f, call, 0, "cell"));
        reason.text = name.len > 0 ? "a cell in keras.layers.RNN" : NULL;
    }
    if (reason.text == NULL)
        return;
    bool cell = reason.text[0] == 'a' && reason.text[1] == ' ';
    struct rule_finding *found = rule_report(r, call, reason.weak || mode == MODE_UNKNOWN ? CHECK_LOW : CHECK_MEDIUM,
                                             "%s keeps this %.*s off cuDNN's kernel", reason.text, SPAN_ARG(name));
    if (span_eq(span_of(reason.text), SPAN("recurrent_dropout")) && fact_has_call(p, f, 1, TRAIT_FITS))
        rule_sure(found); /* dropout says nothing of how the model learns, as an activation may */
    rule_why(found, "On a GPU it runs step by step, several times slower.");
    rule_advice(found, "%s", cell ? "Use the layer of that name." : "Leave it at its default, if the model allows it.");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    check_recurrent(r, p, f, call);
    costs_check(r, p, f, call);
}

const struct rule_looks rule_PP501 = {.call = check_call};
