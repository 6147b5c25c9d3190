/* Where names stand and are bound in a Python file: the ordered lists against a walk over all nodes. */
#include "check/python/python.h"

#include "tests/unit/unit.h"

static const char code[] = "import tensorflow as tf, tf.keras as k\n"
                           "count = total = 0\n"
                           "def step(x, *rest, scale=count):\n"
                           "    global count\n"
                           "    count += 1\n"
                           "    x = x * scale\n"
                           "    y = [x for x in rest if (last := x)]\n"
                           "    def inner():\n"
                           "        nonlocal y\n"
                           "        y = x\n"
                           "        return y\n"
                           "    return tf.add(x, y, name='x')\n"
                           "class Model:\n"
                           "    size = 3\n"
                           "    def __init__(self):\n"
                           "        self.size = self.size + 1\n"
                           "        self.a, (self.b, self.size) = 1, (2, 3)\n"
                           "    def go(self, size=size):\n"
                           "        for i, (a, b) in enumerate(size):\n"
                           "            with open(a) as b:\n"
                           "                del a\n"
                           "        count = 5\n"
                           "        try: pass\n"
                           "        except E as e: x = e\n"
                           "x = Model().go(size=x)\n";

static void read_code(struct py_file *f, struct span text)
{
    struct py_parser *parser = py_parser_new();

    *f = (struct py_file){.path = "a.py", .code = text};
    assert_non_null(parser);
    assert_true(py_read(parser, f));
    py_parser_free(parser);
}

TEST(uses_are_those_of_a_walk)
{
    struct py_file f;

    read_code(&f, SPAN(code));
    for (uint32_t within = 1; within < f.n_nodes; within++)
        for (uint32_t sym = 1; sym <= f.n_syms; sym++) {
            struct py_nodes use = py_uses(&f, sym, within);
            for (uint32_t at = within; at < f.nodes[within].after; at++)
                if (span_eq(py_name(&f, at), f.syms[sym])) {
                    assert_true(py_take(&use));
                    assert_int_equal(use.n, at);
                }
            assert_false(py_take(&use));
        }
    py_clear(&f);
}

TEST(a_definition_is_found_by_its_node)
{
    struct py_file f;
    uint32_t found = 0;

    read_code(&f, SPAN(code));
    for (uint32_t n = 1; n < f.n_nodes; n++) {
        uint32_t expected = 0;
        for (uint32_t d = 1; py_is_named(&f, n) && d <= f.n_defs; d++)
            if (f.defs[d].node == n)
                expected = d;
        uint32_t def = py_is_named(&f, n) ? py_def_at(&f, n) : 0;
        assert_int_equal(def, expected);
        found += def != 0;
    }
    assert_int_equal(found, f.n_defs);
    py_clear(&f);
}

static uint32_t last_use(const struct py_file *f, struct span name)
{
    struct py_nodes use = py_uses(f, py_sym(f, name), 1);

    assert_true(use.all > 0);
    return use.at[use.all - 1];
}

/* As a program writes it: ten thousand times the same name, then a look at it. */
TEST(the_last_of_many_bindings_reaches)
{
    enum { TIMES = 10000 };
    struct buf text = {0};
    struct py_file f;

    for (int i = 0; i < TIMES; i++)
        buf_addf(&text, "x = f(%d)\n", i);
    buf_add_text(&text, "print(x)\n");
    read_code(&f, buf_span(&text));
    struct py_defs d = py_reaching(&f, last_use(&f, SPAN("x")), 4);
    assert_int_equal(d.all, 1);
    assert_true(py_take_def(&d) && py_line(&f, f.nodes[d.def->node].start) == TIMES);
    py_clear(&f);
    buf_clear(&text);
}

/* A function that declares many names global binds each of them in the module. */
TEST(declared_names_are_bound_where_they_point)
{
    enum { TIMES = 1000 };
    struct buf text = {0};
    struct py_file f;

    buf_add_text(&text, "def f():\n");
    for (int i = 0; i < TIMES; i++)
        buf_addf(&text, "    global a%d\n    a%d = 1\n    b%d = 2\n", i, i, i);
    read_code(&f, buf_span(&text));
    for (int i = 0; i < TIMES; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%d", i);
        assert_true(py_def_in(&f, 1, py_sym(&f, span_of(name))) != 0);
        name[0] = 'b';
        assert_int_equal(py_def_in(&f, 1, py_sym(&f, span_of(name))), 0);
    }
    py_clear(&f);
    buf_clear(&text);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
