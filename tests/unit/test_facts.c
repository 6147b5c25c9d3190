/* What check knows of a program, and what it guesses: each answer says which. */
#include "check/facts/facts.h"

#include <stdint.h>

#include "tests/unit/unit.h"

/* A project of one file. */
struct program {
    struct py_file file, *files[1];
    struct project *p;
};

static void begin(struct program *g, const char *code)
{
    struct py_parser *parser = py_parser_new();

    g->file = (struct py_file){.path = "a.py", .code = span_of(code)};
    g->files[0] = &g->file;
    assert_non_null(parser);
    assert_true(py_read(parser, &g->file));
    py_parser_free(parser);
    g->p = project_new(g->files, 1, MODE_UNKNOWN);
}

static void end(struct program *g)
{
    project_free(g->p);
    py_clear(&g->file);
}

/* The last node with the text, of those that are one of the kind. */
static uint32_t node(const struct program *g, enum py_kind kind, const char *text)
{
    for (uint32_t n = g->file.n_nodes - 1; n > 0; n--)
        if (py_kind(&g->file, n) == kind && py_is(&g->file, n, text))
            return n;
    fail_msg("no '%s'", text);
    return 0;
}

static void loop_is(const char *head, enum trip trip, enum certainty sure)
{
    struct program g;
    char code[512];

    snprintf(code, sizeof code,
             "import tensorflow as tf\n"
             "def run(train_ds, batches, layers, xs):\n"
             "    %s\n"
             "        here()\n",
             head);
    begin(&g, code);
    struct loop loop = fact_loop(g.p, &g.file, node(&g, PY_CALL, "here()"));
    assert_int_not_equal(loop.node, 0);
    assert_int_equal(loop.trip, trip);
    assert_int_equal(loop.sure, sure);
    end(&g);
}

TEST(test_loops)
{
    loop_is("for i in range(1000):", TRIP_STEPS, CERTAIN);
    loop_is("for i in range(3):", TRIP_SHORT, CERTAIN);
    loop_is("while True:", TRIP_STEPS, CERTAIN);
    loop_is("for x in tf.data.TFRecordDataset('a'):", TRIP_STEPS, CERTAIN);
    loop_is("for x in train_ds:", TRIP_STEPS, LIKELY);
    loop_is("for batch in batches:", TRIP_STEPS, LIKELY);
    loop_is("for layer in layers:", TRIP_SHORT, LIKELY);
    loop_is("for x in xs:", TRIP_UNKNOWN, NOT_SEEN);
}

TEST(test_loops_of_a_handful)
{
    loop_is("for x in xs[:3]:", TRIP_SHORT, CERTAIN);
    loop_is("for x in xs[:10]:", TRIP_SHORT, CERTAIN);
    loop_is("for x in xs[:11]:", TRIP_UNKNOWN, NOT_SEEN);
    loop_is("for x in xs[3:]:", TRIP_UNKNOWN, NOT_SEEN);
    loop_is("for x in xs[:-3]:", TRIP_UNKNOWN, NOT_SEEN);
    loop_is("for x in xs[-3:]:", TRIP_SHORT, CERTAIN);
    loop_is("for x in xs[-30:]:", TRIP_UNKNOWN, NOT_SEEN);
    loop_is("for x in xs[20:25]:", TRIP_SHORT, CERTAIN);
    loop_is("for x in xs[2:-5]:", TRIP_UNKNOWN, NOT_SEEN);
    loop_is("for x in xs[0:50]:", TRIP_UNKNOWN, NOT_SEEN);
    loop_is("for x in xs[n:5]:", TRIP_UNKNOWN, NOT_SEEN);
    loop_is("for x in xs[3]:", TRIP_UNKNOWN, NOT_SEEN);
    loop_is("for i, x in enumerate(batches[:2]):", TRIP_SHORT, CERTAIN);
    loop_is("for x in train_ds.take(3):", TRIP_SHORT, CERTAIN);
    loop_is("for x in train_ds.take(300):", TRIP_STEPS, LIKELY);
    loop_is("for x in train_ds.skip(3):", TRIP_STEPS, LIKELY);
    loop_is("for i, x in enumerate(batches):\n        if i == 3:\n            break", TRIP_SHORT, CERTAIN);
    loop_is("for i, x in enumerate(batches):\n        if i >= 3:\n            return", TRIP_SHORT, CERTAIN);
    loop_is("for i, x in enumerate(batches):\n        if i == 300:\n            break", TRIP_STEPS, LIKELY);
    loop_is("for i, x in enumerate(batches):\n        if i != 3:\n            break", TRIP_STEPS, LIKELY);
    loop_is("for i, x in enumerate(batches):\n        if i == 3:\n            continue", TRIP_STEPS, LIKELY);
    loop_is("for i, x in enumerate(batches):\n        if layers == 3:\n            break", TRIP_STEPS, LIKELY);
}

static void value_is(const char *expression, enum value_kind kind, bool guessed)
{
    struct program g;
    char code[512];

    snprintf(code, sizeof code,
             "import tensorflow as tf\n"
             "def run(train_ds, xs, trainer):\n"
             "    a = tf.data.Dataset.range(9).batch(3)\n"
             "    (%s)\n",
             expression);
    begin(&g, code);
    char text[512];
    snprintf(text, sizeof text, "(%s)", expression);
    uint32_t n = py_bare(&g.file, node(&g, PY_PARENTHESIZED, text));
    struct value v = fact_value(g.p, &g.file, n);
    assert_int_equal(v.kind, kind);
    assert_int_equal(v.guessed, guessed);
    end(&g);
}

TEST(test_values)
{
    value_is("a", VALUE_DATASET, false);
    value_is("a.repeat()", VALUE_DATASET, false);
    value_is("train_ds", VALUE_DATASET, true);
    value_is("train_ds.batch(9)", VALUE_DATASET, true);
    value_is("xs.prefetch(1).repeat()", VALUE_DATASET, true);
    value_is("trainer.test_session()", VALUE_SESSION, true);
    value_is("tf.Session()", VALUE_SESSION, false);
    value_is("xs", VALUE_UNKNOWN, false);
    value_is("xs.batch(9)", VALUE_UNKNOWN, false);
}

static void invariant_is(const char *expression, enum certainty sure)
{
    struct program g;
    char code[512];

    snprintf(code, sizeof code,
             "import tensorflow as tf\n"
             "import numpy as np\n"
             "def run(xs, config):\n"
             "    size = 3\n"
             "    for i in range(9):\n"
             "        y = i + 1\n"
             "        here(%s)\n",
             expression);
    begin(&g, code);
    uint32_t loop = 0, argument = 0;
    for (uint32_t n = 1; n < g.file.n_nodes; n++) {
        struct span callee = {"", 0};
        if (py_kind(&g.file, n) == PY_FOR)
            loop = n;
        if (py_kind(&g.file, n) == PY_CALL)
            callee = py_name(&g.file, py_child(&g.file, n, FIELD_FUNCTION));
        if (span_eq(callee, SPAN("here")))
            argument = py_argument(&g.file, n, 0);
    }
    assert_int_equal(fact_invariant(g.p, &g.file, argument, loop), sure);
    end(&g);
}

TEST(test_what_stays_the_same)
{
    invariant_is("tf.zeros([3])", CERTAIN);
    invariant_is("tf.zeros([size])", CERTAIN);
    invariant_is("np.mean([1, 2])", CERTAIN);
    invariant_is("tf.zeros([config.size])", LIKELY);
    invariant_is("tf.shape(xs)", LIKELY);
    invariant_is("tf.zeros([i])", NOT_SEEN);
    invariant_is("tf.zeros([y])", NOT_SEEN);
    invariant_is("np.random.rand(3)", NOT_SEEN);
    invariant_is("tf.random.normal([3])", NOT_SEEN);
    invariant_is("input()", NOT_SEEN);
}

TEST(test_training_by_name)
{
    assert_int_equal(fact_name_steps(SPAN("apply_gradients")), CERTAIN);
    assert_int_equal(fact_name_steps(SPAN("train_step_fn")), LIKELY);
    assert_int_equal(fact_name_steps(SPAN("fit")), NOT_SEEN);
    assert_int_equal(fact_name_trains(SPAN("fit")), CERTAIN);
    assert_int_equal(fact_name_trains(SPAN("my_train_step")), LIKELY);
    assert_int_equal(fact_name_trains(SPAN("learn")), POSSIBLE);
    assert_int_equal(fact_name_trains(SPAN("load_weights")), NOT_SEEN);
    assert_true(fact_may_change_weights(SPAN("load_weights")));
    assert_false(fact_may_change_weights(SPAN("predict")));
}

static void trains_is(const char *body, enum certainty sure)
{
    struct program g;
    char code[512];

    snprintf(code, sizeof code,
             "import tensorflow as tf\n"
             "for x in tf.data.TFRecordDataset('a'):\n"
             "    here()\n"
             "    %s\n",
             body);
    begin(&g, code);
    struct loop loop = fact_loop(g.p, &g.file, node(&g, PY_CALL, "here()"));
    assert_int_equal(fact_trains(g.p, &g.file, loop.node), sure);
    end(&g);
}

TEST(test_loops_that_train)
{
    trains_is("with tf.GradientTape() as tape: y = model(x)", CERTAIN);
    trains_is("opt.minimize(loss)", CERTAIN);
    trains_is("train_step(x)", LIKELY);
    trains_is("evaluate(x)", NOT_SEEN);
}

static void call_is(const char *before, const char *call, enum certainty run, enum certainty model)
{
    struct program g;
    char code[512];

    snprintf(code, sizeof code, "%s\nhere = %s\n", before, call);
    begin(&g, code);
    uint32_t n = node(&g, PY_CALL, call), receiver = py_receiver(&g.file, n, NULL);
    assert_int_equal(fact_session_run(g.p, &g.file, n), run);
    assert_int_equal(fact_model(g.p, &g.file, receiver), model);
    end(&g);
}

TEST(test_sessions_and_models)
{
    call_is("import tensorflow as tf\ns = tf.Session()", "s.run(x)", CERTAIN, NOT_SEEN);
    call_is("import tensorflow as tf", "sess.run(x)", LIKELY, NOT_SEEN);
    call_is("import tensorflow as tf", "thread.run(x)", NOT_SEEN, NOT_SEEN);
    call_is("import tensorflow as tf", "y.run(feed_dict={x: 1})", CERTAIN, NOT_SEEN);
    call_is("import keras\nm = keras.Sequential()", "m.predict(x)", NOT_SEEN, CERTAIN);
    call_is("import keras", "model.predict(x)", NOT_SEEN, LIKELY);
    call_is("import keras\nimport sklearn", "model.predict(x)", NOT_SEEN, NOT_SEEN);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
