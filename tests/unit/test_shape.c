/* shape: integers and shapes are those that numpy gives, or nothing is said. */
#include "check/facts/shape.h"

#include "tests/unit/unit.h"

enum { UNKNOWN = -1 };

static const char program[] = "import numpy as np\n"
                              "import tensorflow as tf\n"
                              "N = 64\n"
                              "def run(i, unseen, often):\n"
                              "    x = np.zeros((5, 7))\n"
                              "    sizes = (3, 4, N)\n"
                              "    rng = np.random.default_rng(1)\n"
                              "    state = np.random.RandomState(1)\n"
                              "    two = 1\n"
                              "    two = 2 if unseen else 3\n"
                              "    steps = 1\n"
                              "    steps += 1\n"
                              "    grown = np.ones((2, 3))\n"
                              "    grown += 1\n"
                              "    (%s)\n";

/* Asks about the last parentheses of the program with this expression in them. */
static void ask(const char *expression, int64_t *integer, struct shape *shape)
{
    struct py_parser *parser = py_parser_new();
    struct buf code = {0};
    struct py_file file = {.path = "a.py"}, *files[] = {&file};

    buf_add_span(&code, (struct span){program, strlen(program) - strlen("    (%s)\n")});
    buf_addf(&code, "    (%s)\n", expression);
    file.code = buf_span(&code);
    assert_non_null(parser);
    assert_true(py_read(parser, &file));
    py_parser_free(parser);
    struct project *p = project_new(files, 1, MODE_UNKNOWN);
    uint32_t n = file.n_nodes - 1;
    while (n > 0 && (py_kind(&file, n) != PY_PARENTHESIZED || file.nodes[n].end + 1 != file.code.len))
        n--;
    assert_int_not_equal(n, 0);
    if (!shape_integer(p, &file, n, integer))
        *integer = UNKNOWN;
    *shape = shape_of(p, &file, n);
    project_free(p);
    py_clear(&file);
    buf_clear(&code);
}

TEST(calculates)
{
    static const struct {
        const char *expression;
        int64_t value; /* UNKNOWN: it is not said */
    } cases[] = {
        {"3", 3},
        {"(2 + 3) * 4", 20},
        {"12 - 10", 2},
        {"17 // 5", 3},
        {"17%5", 2},
        {"2 ** 10", 1024},
        {"7 ** 2", 49},
        {"N", 64},
        {"N // 2 + 1", 33},
        {"int(N)", 64},
        {"len(x)", 5},
        {"x.shape[1]", 7},
        {"x.shape[-1]", 7},
        {"x.shape[-2] * x.shape[1]", 35},
        {"sizes[0]", 3},
        {"sizes[-1]", 64},
        {"len(np.arange(9))", 9},
        {"2 ** 49", (int64_t)1 << 49},
        /* What Python rounds otherwise than C, what is no integer, what is too large. */
        {"(0 - 17) // 5", UNKNOWN},
        {"(0 - 17) % 5", UNKNOWN},
        {"17 // 0", UNKNOWN},
        {"17 % 0", UNKNOWN},
        {"17 / 5", UNKNOWN},
        {"7 ** 3", UNKNOWN},
        {"2 ** (0 - 1)", UNKNOWN},
        {"2 ** 63", UNKNOWN},
        {"2 ** 50", UNKNOWN},
        {"2 ** 49 * 2 ** 49", UNKNOWN},
        {"(2 ** 49) ** 2", UNKNOWN},
        {"2 ** 62 + 2 ** 62", UNKNOWN},
        {"1.5", UNKNOWN},
        {"'3'", UNKNOWN},
        {"not N", UNKNOWN},
        /* What is not known here: parameters, names that are bound twice, places that are not there. */
        {"i", UNKNOWN},
        {"i + 1", UNKNOWN},
        {"two", UNKNOWN},
        {"steps", UNKNOWN},
        {"sizes[i]", UNKNOWN},
        {"sizes[3]", UNKNOWN},
        {"sizes[0 - 4]", UNKNOWN},
        {"x.shape[2]", UNKNOWN},
        {"x.shape[-3]", UNKNOWN},
        {"unseen.shape[0]", UNKNOWN},
        {"len(unseen)", UNKNOWN},
        {"len()", UNKNOWN},
        {"max(N, 2)", UNKNOWN},
        {"np.zeros((i, 3)).shape[0]", UNKNOWN},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct shape shape;
        int64_t value;
        ask(cases[i].expression, &value, &shape);
        if (value != cases[i].value)
            fail_msg("%s: %lld", cases[i].expression, (long long)value);
    }
}

/* "5 ? 7": the second dimension is not known; "": nothing is. */
static void say_shape(struct shape s, struct buf *out)
{
    for (unsigned i = 0; i < s.rank; i++) {
        buf_add_text(out, i > 0 ? " " : "");
        if (s.dims[i] < 0)
            buf_add_text(out, "?");
        else
            buf_addf(out, "%lld", (long long)s.dims[i]);
    }
}

TEST(follows_shapes)
{
    static const struct {
        const char *expression, *shape;
    } cases[] = {
        /* Made with a shape. */
        {"x", "5 7"},
        {"grown", "2 3"},
        {"np.zeros(5)", "5"},
        {"np.ones(shape=[2, 3])", "2 3"},
        {"np.zeros(sizes)", "3 4 64"},
        {"np.zeros((i, 3))", "? 3"},
        {"np.zeros((N * 2, len(x)))", "128 5"},
        {"np.arange(10)", "10"},
        {"np.random.rand(4, 5)", "4 5"},
        {"np.random.random((4, 5))", "4 5"},
        {"np.random.normal(0, 1, (3, 2))", "3 2"},
        {"np.random.normal(size=(3, 2))", "3 2"},
        {"rng.random((2, 3))", "2 3"},
        {"rng.normal(0, 1, (2, 3))", "2 3"},
        {"rng.integers(0, 9, size=4)", "4"},
        {"state.randn(2, 3)", "2 3"},
        {"tf.zeros([2, 3])", "2 3"},
        {"tf.random.normal((2, 3))", "2 3"},
        /* Changed. */
        {"x.astype('float32')", "5 7"},
        {"x.copy()", "5 7"},
        {"tf.cast(tf.zeros([2, 3]), tf.int32)", "2 3"},
        {"x.reshape(7, 5)", "7 5"},
        {"x.reshape((7, 5))", "7 5"},
        {"x.reshape(-1, 5)", "? 5"},
        {"x.reshape(35)", "35"},
        {"np.reshape(x, (7, 5))", "7 5"},
        {"tf.reshape(tf.zeros([6]), [2, 3])", "2 3"},
        {"np.expand_dims(x, 0)", "1 5 7"},
        {"np.expand_dims(x, 1)", "5 1 7"},
        {"np.expand_dims(x, axis=-1)", "5 7 1"},
        {"np.expand_dims(x, -3)", "1 5 7"},
        {"tf.expand_dims(tf.zeros([2]), 1)", "2 1"},
        /* Indexed. */
        {"x[0]", "7"},
        {"x[-1]", "7"},
        {"x[N]", "7"}, /* numpy refuses the place; the shape would be this */
        {"x[:, 0]", "5"},
        {"x[..., 0]", "5"},
        {"x[0, ...]", "7"},
        {"x[...]", "5 7"},
        {"x[:]", "5 7"},
        {"x[1:3]", "? 7"},
        {"x[:, 1:3]", "5 ?"},
        {"x[None]", "1 5 7"},
        {"x[:, None]", "5 1 7"},
        {"x[:, np.newaxis, :]", "5 1 7"},
        {"x[..., None]", "5 7 1"},
        {"x[None, ..., 0]", "1 5"},
        {"np.zeros((2, 3, 4))[..., 0]", "2 3"},
        {"np.zeros((2, 3, 4))[0, ..., 0]", "3"},
        /* Arithmetic stretches dimensions of 1. */
        {"x + 1", "5 7"},
        {"2 * x", "5 7"},
        {"x + np.ones(7)", "5 7"},
        {"x * np.zeros((5, 1))", "5 7"},
        {"np.zeros((5, 1)) + np.zeros((1, 7))", "5 7"},
        {"np.zeros((i, 7)) + np.zeros((5, 7))", "5 7"},
        {"np.zeros((i, 7)) + np.zeros((1, 7))", "? 7"},
        /* Not known. */
        {"unseen", ""},
        {"unseen[0]", ""},
        {"unseen.reshape(i)", ""},
        {"unseen.random((2, 3))", ""},
        {"rng.shuffle(x)", ""},
        {"x[i]", ""},
        {"x[unseen > 1]", ""},
        {"x[0, 0, 0]", ""},
        {"x[0][0][0]", ""},
        {"np.arange(2, 10)", ""},
        {"np.expand_dims(x, 9)", ""},
        {"np.expand_dims(x, -9)", ""},
        {"np.expand_dims(unseen, 0)", ""},
        {"np.expand_dims(x, i)", ""},
        {"np.zeros((*sizes, 3))", ""},
        {"np.zeros((1, 2, 3, 4, 5, 6, 7, 8, 9))", ""},
        {"np.zeros((1, 2, 3, 4, 5, 6, 7, 8))", "1 2 3 4 5 6 7 8"},
        {"np.zeros((1, 2, 3, 4, 5, 6, 7, 8))[None]", ""},
        {"np.expand_dims(np.zeros((1, 2, 3, 4, 5, 6, 7, 8)), 0)", ""},
        {"'abc'", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct shape shape;
        struct buf said = {0};
        int64_t value;
        ask(cases[i].expression, &value, &shape);
        say_shape(shape, &said);
        if (strcmp(buf_cstr(&said), cases[i].shape) != 0)
            fail_msg("%s: (%s)", cases[i].expression, buf_cstr(&said));
        buf_clear(&said);
    }
}

TEST(counts_numbers)
{
    struct shape shape;
    int64_t value;

    ask("np.zeros((5, 7, 2))", &value, &shape);
    assert_int_equal(shape_numbers(shape), 70);
    ask("np.zeros((5, i))", &value, &shape);
    assert_int_equal(shape_numbers(shape), -1);
    ask("unseen", &value, &shape);
    assert_int_equal(shape_numbers(shape), -1);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
