/* PP501: arguments of layers that cost time for nothing, or keep the fast kernel out. */
#include "check/rules/PP501_costs.h"
#include "check/rules/rule.h"

enum { REACHING_MAX = 8, DEPTH_MAX = 6 };

/* --- layers and what is known of them --- */

/* The only value of an identifier, or of an attribute of self; 0: not known. */
static uint32_t only_value(const struct py_file *f, uint32_t n)
{
    uint32_t defs[REACHING_MAX], def = 0;

    if (py_kind(f, n) == PY_IDENTIFIER) {
        if (py_reaching(f, n, defs, REACHING_MAX) != 1)
            return 0;
        def = defs[0];
    } else if (py_kind(f, n) == PY_ATTRIBUTE && py_is(f, py_child(f, n, FIELD_OBJECT), "self")) {
        uint32_t class = py_up(f, n, PY_CLASS);
        def = class != 0 ? py_def_in(f, f->nodes[class].sym, f->nodes[n].sym) : 0;
        if (def != 0 && f->defs[def].next != 0)
            return 0;
    }
    return def != 0 && f->defs[def].kind == DEF_ASSIGN ? f->defs[def].value : 0;
}

/* The call that made the layer or model that the expression is. */
static uint32_t constructor(struct project *p, const struct py_file *f, uint32_t n)
{
    for (int i = 0; n != 0 && i < DEPTH_MAX; i++) {
        n = py_bare(f, n);
        if (n == 0)
            return 0;
        if (py_kind(f, n) == PY_CALL)
            return fact_word(p, f, n)->framework == FRAMEWORK_KERAS ? n : 0;
        n = only_value(f, n);
    }
    return 0;
}

static bool is_sequential(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_SEQUENTIAL);
}

static bool is_model(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_FUNCTIONAL_MODEL);
}

/* The name behind "keras.layers.", or behind "tf.layers.". */
static struct span layer_name(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = fact_name(p, f, call);
    size_t from = name.len;

    if (!fact_has(p, f, call, TRAIT_LAYER) && !fact_has(p, f, call, TRAIT_LAYER_FUNCTION))
        return (struct span){"", 0};
    while (from > 0 && name.ptr[from - 1] != '.')
        from--;
    return (struct span){name.ptr + from, name.len - from};
}

/* "relu", tf.nn.relu, keras.activations.relu: is it that one? */
static bool activation_is(struct project *p, const struct py_file *f, uint32_t n, const char *text)
{
    const struct py_file *file = f;
    uint32_t literal = fact_literal(p, f, n, &file);
    struct span name = fact_name(p, f, n), word = span_of(text);

    if (literal != 0)
        return fact_string_is(file, literal, text);
    return name.len > word.len && name.ptr[name.len - word.len - 1] == '.' &&
           memcmp(name.ptr + name.len - word.len, word.ptr, word.len) == 0;
}

static bool is_literal_kind(struct project *p, const struct py_file *f, uint32_t n, enum py_kind kind)
{
    const struct py_file *file;
    uint32_t literal = fact_literal(p, f, n, &file);

    return literal != 0 && py_kind(file, literal) == kind;
}

/* --- softmax before a loss from logits --- */

static bool gives(struct project *p, const struct py_file *f, uint32_t n, const char *activation, int depth);

/* The argument of `o.add(…)`, when the statement is that alone; *object: the o. */
static uint32_t added(const struct py_file *f, uint32_t statement, struct span *object)
{
    struct span method;
    uint32_t call = py_kind(f, statement) == PY_EXPRESSION_STATEMENT ? py_first(f, statement) : statement;

    if (call == 0 || py_kind(f, call) != PY_CALL || py_receiver(f, call, &method) == 0 || !span_eq(method, SPAN("add")))
        return 0;
    *object = py_text(f, py_receiver(f, call, NULL));
    return py_argument(f, call, 0);
}

/* The last layer that was added to the model before this call, in the same block. */
static uint32_t last_added(const struct py_file *f, uint32_t model, uint32_t before)
{
    uint32_t def_at = only_value(f, model), last = 0;
    struct span name = py_text(f, model), object = {"", 0};
    uint32_t block = def_at != 0 ? py_parent(f, py_statement(f, def_at)) : 0;

    for (uint32_t s = block != 0 ? py_first(f, block) : 0; s != 0; s = py_next(f, s)) {
        uint32_t layer = s > def_at && s < before ? added(f, s, &object) : 0;
        if (layer != 0 && span_eq(object, name))
            last = layer;
    }
    return last;
}

static bool argument_activates(struct project *p, const struct py_file *f, uint32_t argument, const char *activation)
{
    return argument != 0 && activation_is(p, f, argument, activation);
}

/* The call of the last layer in Sequential([…]); 0: it is not seen. */
static uint32_t last_layer(const struct py_file *f, uint32_t call)
{
    uint32_t list = py_argument_or(f, call, 0, "layers"), last = 0;

    if (list == 0 || py_kind(f, list) != PY_LIST)
        return 0;
    for (uint32_t n = py_first(f, list); n != 0; n = py_next(f, n))
        last = n;
    return last != 0 && py_kind(f, last) == PY_CALL ? last : 0;
}

/* Does the layer, or the last layer of the model, that the call makes end in the activation? */
static bool layer_gives(struct project *p, const struct py_file *f, uint32_t call, const char *activation, int depth)
{
    struct span name = layer_name(p, f, call);
    uint32_t last;

    if (call == 0 || depth > DEPTH_MAX)
        return false;
    if (span_eq(name, SPAN("Softmax")))
        return strcmp(activation, "softmax") == 0;
    if (span_eq(name, SPAN("Activation")))
        return argument_activates(p, f, py_argument_or(f, call, 0, "activation"), activation);
    if (span_eq(name, SPAN("Dense")))
        return argument_activates(p, f, py_argument_or(f, call, 1, "activation"), activation);
    if (span_eq(name, SPAN("dense")))
        return argument_activates(p, f, py_argument_or(f, call, 2, "activation"), activation);
    if (is_sequential(p, f, call)) {
        last = last_layer(f, call);
        return last != 0 && layer_gives(p, f, last, activation, depth + 1);
    }
    if (!is_model(p, f, call))
        return false;
    last = py_argument_or(f, call, 1, "outputs");
    return last != 0 && gives(p, f, last, activation, depth + 1);
}

static bool model_gives(struct project *p, const struct py_file *f, uint32_t model, uint32_t where,
                        const char *activation, int depth)
{
    uint32_t made = constructor(p, f, model);

    if (made == 0)
        return false;
    if (is_sequential(p, f, made) && py_argument_or(f, made, 0, "layers") == 0) {
        uint32_t last = last_added(f, model, where);
        return last != 0 && py_kind(f, last) == PY_CALL && layer_gives(p, f, last, activation, depth + 1);
    }
    return layer_gives(p, f, made, activation, depth);
}

/* Is the tensor what a softmax gave? */
static bool gives(struct project *p, const struct py_file *f, uint32_t n, const char *activation, int depth)
{
    n = n != 0 ? py_bare(f, n) : 0;
    if (n == 0 || depth > DEPTH_MAX)
        return false;
    if (py_kind(f, n) != PY_CALL)
        return gives(p, f, only_value(f, n), activation, depth + 1);
    if (fact_has(p, f, n, TRAIT_LAYER_FUNCTION))
        return layer_gives(p, f, n, activation, depth + 1);
    if (fact_name(p, f, n).len > 0)
        return fact_has(p, f, n, TRAIT_MAY_ACTIVATE) && activation_is(p, f, py_child(f, n, FIELD_FUNCTION), activation);
    uint32_t callee = py_child(f, n, FIELD_FUNCTION);
    return callee != 0 && model_gives(p, f, callee, n, activation, depth + 1);
}

/* The loss that takes logits which the call is, or makes; NULL: none. *logits: where they are; 0: they
 * are given to what the call makes. */
static const char *wants_logits(struct project *p, const struct py_file *f, uint32_t call, uint32_t *logits)
{
    const struct word *w = fact_word(p, f, call);
    bool says = word_has(w, TRAIT_SAYS_FROM_LOGITS), second = word_has(w, TRAIT_LOGITS_SECOND);
    struct span name = py_name(f, py_child(f, call, FIELD_FUNCTION));
    bool class = says && name.len > 0 && name.ptr[0] >= 'A' && name.ptr[0] <= 'Z';
    uint32_t given = py_keyword(f, call, "from_logits");

    if (class && given == 0)
        given = py_argument(f, call, 0);
    if (says && (given == 0 || !is_literal_kind(p, f, given, PY_TRUE)))
        return NULL;
    *logits = class    ? 0
              : says   ? py_argument_or(f, call, 1, "y_pred")
              : second ? py_argument_or(f, call, 1, "logits")
                       : py_keyword(f, call, "logits");
    if (word_has(w, TRAIT_SOFTMAX_LOSS))
        return "softmax";
    return word_has(w, TRAIT_SIGMOID_LOSS) ? "sigmoid" : NULL;
}

/* Keras 2.15 was tried: its losses find what its own softmax was made of, and give the same with
 * from_logits and without. */
static void report_logits(struct rule_run *r, const struct py_file *f, uint32_t node, const char *activation,
                          uint32_t what, bool keras)
{
    struct rule_finding *found = rule_report(r, node, keras ? CHECK_LOW : CHECK_MEDIUM,
                                             "the loss takes logits, but %s has gone through %s", RULE_TEXT(f, what),
                                             activation);
    rule_why(found, "%s is applied twice, so training is slow to get anywhere.%s", activation,
             keras ? " Later releases of Keras undo what its own layer did." : "");
    rule_advice(found, "Pass the values from before it.");
}

/* model.compile(loss=SparseCategoricalCrossentropy(from_logits=True)) */
static void check_compile(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t model)
{
    uint32_t logits = 0, loss = py_argument_or(f, call, 1, "loss");

    loss = loss != 0 ? constructor(p, f, loss) : 0;
    const char *activation = loss != 0 ? wants_logits(p, f, loss, &logits) : NULL;
    if (activation != NULL && model_gives(p, f, model, call, activation, 0))
        report_logits(r, f, call, activation, model, true);
}

/* loss = SparseCategoricalCrossentropy(from_logits=True); loss(y, p) */
static void check_loss_object(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION), output = py_argument(f, call, 1);
    uint32_t logits = 0, loss = callee != 0 && output != 0 ? constructor(p, f, callee) : 0;
    const char *activation = loss != 0 ? wants_logits(p, f, loss, &logits) : NULL;

    if (activation != NULL && logits == 0 && gives(p, f, output, activation, 0))
        report_logits(r, f, call, activation, output, true);
}

static void check_loss(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t logits = 0;
    const char *activation = wants_logits(p, f, call, &logits);
    struct span method = {"", 0};

    if (activation != NULL && logits != 0 && gives(p, f, logits, activation, 0))
        report_logits(r, f, call, activation, logits, fact_word(p, f, call)->framework == FRAMEWORK_KERAS);
    if (fact_name(p, f, call).len > 0)
        return;
    uint32_t receiver = py_receiver(f, call, &method);
    if (receiver != 0 && span_eq(method, SPAN("compile")))
        check_compile(r, p, f, call, receiver);
    else
        check_loss_object(r, p, f, call);
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

    return given != 0 && is_literal_kind(p, f, given, kind);
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

    if (cell == 0 || py_kind(f, cell) != PY_CALL || py_has_splat(f, cell))
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

static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    for (size_t i = 0; i < n; i++) {
        check_loss(r, p, f, calls[i]);
        check_recurrent(r, p, f, calls[i]);
        costs_check(r, p, f, calls[i]);
    }
}

const struct rule_looks rule_PP501 = {.run = run};
