/* Graph or eager; what runs inside a graph function; how TensorFlow is called here. */
#include "check/facts/project.h"

/* What becomes of a function that is handed on, in its own file. */
struct handed_over {
    bool mapped, compiled; /* to a data set's map; to tf.function */
};

#define MAP_NAME handed_map
#define MAP_KEY uint64_t
#define MAP_VALUE struct handed_over
#include "base/map.h"

struct file_modes {
    bool mode_known, handed_known;
    enum mode mode;
};

struct modes {
    struct file_modes *files;
    struct handed_map functions;
};

void modes_new(struct project *p)
{
    p->modes = mem_zero(1, sizeof *p->modes);
    p->modes->files = mem_zero(p->n_files + 1, sizeof *p->modes->files);
}

void modes_free(struct project *p)
{
    mem_free(p->modes->files);
    handed_map_clear(&p->modes->functions);
    mem_free(p->modes);
}

static enum mode mode_of(struct project *p, const struct py_file *f)
{
    bool graph = false, eager = false; /* has names that only one of the two worlds uses */

    for (struct py_nodes call = fact_calls(p, f); py_take(&call);) {
        const struct word *w = fact_word(p, f, call.n);
        graph = graph || word_has(w, TRAIT_GRAPH_MODE);
        eager = eager || word_has(w, TRAIT_EAGER_MODE);
    }
    for (uint32_t n = 1; n < f->n_nodes && !eager; n++)
        if (py_kind(f, n) == PY_DECORATOR && py_first(f, n) != 0)
            eager = fact_has(p, f, py_first(f, n), TRAIT_GRAPH_FUNCTION);
    if (graph != eager)
        return graph ? MODE_GRAPH : MODE_EAGER;
    if (graph)
        return span_has_word(f->code, "Session( session") ? MODE_GRAPH : MODE_EAGER;
    if (span_has_word(f->code, "tensorflow.compat.v1 tensorflow.contrib tf.contrib"))
        return MODE_GRAPH;
    /* tf.keras, tf.io and what else is written mostly for eager execution, whatever the name of tf is in the file */
    static const char *const text[] = {"tf.keras", "tensorflow.keras", "from tensorflow import keras",
                                       "tf.data.AUTOTUNE", "tf.io."};
    eager = span_has_any(f->code, text, ARRAY_LEN(text));
    for (uint32_t n = 1; n < f->n_nodes && !eager; n++)
        eager = py_kind(f, n) == PY_ATTRIBUTE && span_is_word(py_name(f, n), "keras io") &&
                fact_is(p, f, py_first(f, n), "tf");
    return eager ? MODE_EAGER : MODE_UNKNOWN;
}

enum mode fact_mode(struct project *p, const struct py_file *f)
{
    struct file_modes *modes = &p->modes->files[f->number];

    if (p->target != MODE_UNKNOWN)
        return p->target;
    if (!modes->mode_known) {
        modes->mode = mode_of(p, f);
        modes->mode_known = true;
    }
    return modes->mode;
}

uint32_t fact_graph_decorator(struct project *p, const struct py_file *f, uint32_t function)
{
    for (uint32_t d = 0; (d = py_decorator(f, function, d)) != 0;) {
        uint32_t what = py_first(f, d), given = py_kind(f, what) == PY_CALL ? py_argument(f, what, 0) : 0;
        if (fact_has(p, f, what, TRAIT_GRAPH_FUNCTION) ||
            (given != 0 && fact_has(p, f, given, TRAIT_GRAPH_FUNCTION))) /* partial(tf.function, …) */
            return what;
    }
    return 0;
}

/* Marks the functions that the call, in their own file, hands to a data set or to tf.function. */
static void mark_handed_over(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument_or(f, call, 0, "map_func");
    struct span method = {"", 0};
    enum stage_kind kind;
    struct function to;
    bool method_fits = py_receiver(f, call, &method) != 0 && stage_of_method(method, &kind) &&
                       (kind == STAGE_MAP || kind == STAGE_INTERLEAVE || kind == STAGE_FLAT_MAP ||
                        kind == STAGE_FILTER);

    if (first == 0 || !(method_fits || fact_has(p, f, call, TRAIT_GRAPH_FUNCTION)) ||
        !fact_function(p, f, first, &to) || to.f != f)
        return;
    struct handed_map_entry *entry;
    handed_map_add(&p->modes->functions, place_key(f, to.n), &entry);
    entry->value.mapped = entry->value.mapped || method_fits;
    entry->value.compiled = entry->value.compiled || !method_fits;
}

/* What is known of the function from the calls of its file. */
static struct handed_over handed_over(struct project *p, const struct py_file *f, uint32_t function)
{
    struct file_modes *modes = &p->modes->files[f->number];

    for (struct py_nodes call = fact_calls(p, f); !modes->handed_known && py_take(&call);)
        mark_handed_over(p, f, call.n);
    modes->handed_known = true;
    const struct handed_map_entry *entry = handed_map_find(&p->modes->functions, place_key(f, function));
    return entry != NULL ? entry->value : (struct handed_over){false, false};
}

bool fact_in_mapper(struct project *p, const struct py_file *f, uint32_t n)
{
    for (uint32_t at = py_function_of(f, n); at > 1; at = py_function_of(f, at))
        if (handed_over(p, f, at).mapped)
            return true;
    return false;
}

bool fact_in_graph_function(struct project *p, const struct py_file *f, uint32_t n)
{
    for (uint32_t at = py_function_of(f, n); at > 1; at = py_function_of(f, at)) {
        struct handed_over handed = handed_over(p, f, at);
        if (handed.mapped || handed.compiled)
            return true;
        if (py_kind(f, at) != PY_FUNCTION)
            continue;
        if (fact_graph_decorator(p, f, at) != 0)
            return true;
        /* Methods of Keras' classes that it calls inside a tf.function of its own. */
        uint32_t class = py_class_of(f, at);
        if (class != 0 && span_is_word(py_title(f, at), "call train_step test_step update_state") &&
            fact_derives_from(p, f, class, FRAMEWORK_KERAS))
            return true;
    }
    return false;
}

/* --- loops that run eagerly --- */

enum { TRACED_DEPTH_MAX = 6, TRACED_SITES_MAX = 200, EAGER_NODES_MAX = 60000 };

/* May a graph function run n, by a call that is seen or by one that is not? */
static bool may_be_traced(struct project *p, const struct py_file *f, uint32_t n, unsigned depth, unsigned *sites)
{
    /* What command lines and the like decorate. */
    static const char harmless[] = "staticmethod classmethod command click main option argument configurable";
    uint32_t function = py_function_of(f, n), name = py_child(f, function, FIELD_NAME);

    if (fact_in_graph_function(p, f, n) || depth > TRACED_DEPTH_MAX)
        return true;
    if (function <= 1)
        return false;
    if (f->n_nodes > EAGER_NODES_MAX || py_decorated(f, function, harmless, false))
        return true;
    for (struct py_nodes use = py_uses(f, f->nodes[name].sym, 1); py_take(&use);) { /* is it handed on, by its name? */
        enum py_kind around = py_kind(f, py_parent(f, use.n));
        if (py_kind(f, use.n) != PY_KEYWORD_ARGUMENT &&
            (around == PY_ARGUMENT_LIST || (around == PY_KEYWORD_ARGUMENT && f->nodes[use.n].field == FIELD_VALUE)))
            return true;
    }
    for (struct call_sites site = fact_callers(p, f, function); fact_take(&site);)
        if ((*sites)++ >= TRACED_SITES_MAX || may_be_traced(p, site.file, site.call, depth + 1, sites))
            return true;
    return false;
}

bool fact_may_be_traced(struct project *p, const struct py_file *f, uint32_t n)
{
    unsigned sites = 0;

    return may_be_traced(p, f, n, 0, &sites);
}

bool fact_runs_eagerly(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t iterable = py_child_of(f, loop, PY_FOR, FIELD_RIGHT);
    unsigned sites = 0;

    /* for x in dataset: TF1 graphs cannot. */
    bool eager = fact_mode(p, f) == MODE_EAGER ||
                 (fact_mode(p, f) != MODE_GRAPH && fact_value(p, f, iterable).kind == VALUE_DATASET);
    if (!eager || may_be_traced(p, f, loop, 0, &sites))
        return false;
    bool cannot = py_function_of(f, loop) == 1 || fact_trains(p, f, loop); /* in a graph */
    for (uint32_t n = loop; n < f->nodes[loop].after && n - loop < EAGER_NODES_MAX && !cannot; n++)
        cannot = py_kind(f, n) == PY_PRINT || (py_kind(f, n) == PY_CALL && (fact_method(f, n, TRAIT_EAGER_ONLY) != 0 ||
                                                                            fact_has(p, f, n, TRAIT_EAGER_ONLY)));
    return cannot;
}

/* `with g.as_default():`, g a graph that was made in `within`. */
static bool enters_own_graph(struct project *p, const struct py_file *f, uint32_t call, uint32_t within)
{
    enum { DEFS_MAX = 4 };

    for (struct py_defs d = py_reaching(f, py_method(f, call, "as_default"), DEFS_MAX); py_take_def(&d);)
        if (py_inside(f, d.def->node, within) && d.def->value != 0 && fact_has(p, f, d.def->value, TRAIT_MAKES_GRAPH))
            return true;
    return false;
}

/* Does tf.reset_default_graph() or keras.backend.clear_session() start anew in the loop, at either end? */
static bool resets_in(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++)
        if (py_kind(f, n) == PY_CALL && fact_has(p, f, n, TRAIT_RESETS_GRAPH))
            return true;
    return false;
}

bool fact_own_graph(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = py_parent(f, n); at > loop; at = py_parent(f, at)) {
        if (py_kind(f, at) != PY_WITH)
            continue;
        uint32_t clause = py_first(f, at);
        for (uint32_t c = clause; c < f->nodes[clause].after; c++)
            if (py_kind(f, c) == PY_CALL && (fact_has(p, f, c, TRAIT_MAKES_GRAPH) || enters_own_graph(p, f, c, loop) ||
                                             span_has(py_text(f, c), "Graph()")))
                return true;
    }
    return fact_once(p, f, loop, resets_in);
}

bool fact_kept_graph(struct project *p, const struct py_file *f, uint32_t graph)
{
    uint32_t object = py_child_of(f, graph, PY_ATTRIBUTE, FIELD_OBJECT);
    uint32_t function = py_function_of(f, graph);

    return object != 0 && py_is(f, object, "self") && !py_is(f, py_child(f, function, FIELD_NAME), "__init__") &&
           !changes_binds(p, py_name(f, graph));
}

struct span fact_tf_name(struct project *p, const struct py_file *f, uint32_t n)
{
    static const char *const usual[] = {"tf", "tensorflow", "tf1", "tfv1", "tf_v1", "tf2"};

    for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
        uint32_t def = py_def_for(f, n, py_sym(f, span_of(usual[i])));
        struct value v = def != 0 ? def_value(p, f, def) : (struct value){0};
        if (v.kind == VALUE_NAME && span_eq(fact_name_text(p, v.name), SPAN("tf")))
            return span_of(usual[i]);
    }
    return (struct span){"", 0};
}
