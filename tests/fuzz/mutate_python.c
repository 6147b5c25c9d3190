/*
 * Grammar mutations for Python: what libFuzzer calls to make a new input of an old one. Half of the
 * inputs are mutated as bytes; in the others whole nodes of the syntax tree are cut, doubled,
 * moved, swapped, renamed, wrapped or nested, lines are indented anew, statements that the rules
 * know are put in. An input is one file, or two with a NUL between them: one of them is mutated.
 */
#include "base/random.h"
#include "check/python/python.h"

enum { NODES_MAX = 200000, TRIES = 8 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out, unsigned seed);

struct work {
    struct random random;
    struct py_file f;
    struct buf out;
};

static size_t below(struct work *w, size_t n)
{
    return (size_t)random_below(&w->random, n);
}

/* Mostly few, now and then far more than the tree keeps. */
static size_t some_depth(struct work *w)
{
    return below(w, 16) == 0 ? 1 + below(w, PY_DEPTH_MAX + 100) : 1 + below(w, 4);
}

static struct py_parser *parser(void)
{
    static struct py_parser *p;

    if (p == NULL)
        p = py_parser_new();
    return p;
}

static void read_file(struct work *w, struct span code)
{
    w->f = (struct py_file){.path = "a.py", .code = code};
    if (!py_read(parser(), &w->f))
        return; /* no nodes but the module: nothing but bytes is mutated */
}

static bool is_statement(const struct py_file *f, uint32_t n)
{
    enum py_kind around = py_kind(f, py_parent(f, n));

    return around == PY_BLOCK || around == PY_MODULE;
}

static bool is_expression(const struct py_file *f, uint32_t n)
{
    enum py_kind kind = py_kind(f, n);

    return kind >= PY_CALL && kind <= PY_GENERATOR && kind != PY_ARGUMENT_LIST && kind != PY_STRING_CONTENT &&
           f->nodes[n].end > f->nodes[n].start;
}

static bool is_leaf(const struct py_file *f, uint32_t n)
{
    return py_first(f, n) == 0;
}

/* A node of which `fits` holds, or 0. */
static uint32_t pick(struct work *w, bool (*fits)(const struct py_file *, uint32_t))
{
    const struct py_file *f = &w->f;

    if (f->n_nodes < 3 || f->n_nodes > NODES_MAX)
        return 0;
    uint32_t start = 2 + (uint32_t)below(w, f->n_nodes - 2);
    for (uint32_t i = 0; i < f->n_nodes - 2; i++) {
        uint32_t n = 2 + (start - 2 + i) % (f->n_nodes - 2);
        if (fits(f, n))
            return n;
    }
    return 0;
}

/* --- making the output --- */

static void add_code(struct work *w, size_t start, size_t end)
{
    if (end > start)
        buf_add(&w->out, w->f.code.ptr + start, end - start);
}

/* The code with the bytes start … end replaced. */
static void replace(struct work *w, size_t start, size_t end, struct span text)
{
    add_code(w, 0, start);
    buf_add_span(&w->out, text);
    add_code(w, end, w->f.code.len);
}

static size_t line_start(const struct work *w, size_t at)
{
    while (at > 0 && w->f.code.ptr[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const struct work *w, size_t at)
{
    while (at < w->f.code.len && w->f.code.ptr[at] != '\n')
        at++;
    return at < w->f.code.len ? at + 1 : at;
}

static struct span indentation(const struct work *w, size_t at)
{
    size_t start = line_start(w, at), end = start;

    while (end < w->f.code.len && (w->f.code.ptr[end] == ' ' || w->f.code.ptr[end] == '\t'))
        end++;
    return (struct span){w->f.code.ptr + start, end - start};
}

/* Adds lines with `from` at their beginning taken off and `to` put there. */
static void add_indented(struct work *w, struct span lines, struct span from, const char *to, size_t depth)
{
    struct span line;

    while (span_cut(&lines, '\n', &line)) {
        if (span_starts(line, from)) {
            line.ptr += from.len;
            line.len -= from.len;
        }
        for (size_t i = 0; i < depth; i++)
            buf_add_text(&w->out, to);
        buf_add_span(&w->out, line);
        buf_add_char(&w->out, '\n');
    }
}

/* --- mutations; each leaves the output empty when it does not apply --- */

static void cut_node(struct work *w)
{
    uint32_t n = 2 + (w->f.n_nodes > 2 ? (uint32_t)below(w, w->f.n_nodes - 2) : 0);

    if (n < w->f.n_nodes)
        replace(w, w->f.nodes[n].start, w->f.nodes[n].end, (struct span){"", 0});
}

static void cut_statement(struct work *w)
{
    uint32_t n = pick(w, is_statement);

    if (n != 0)
        replace(w, line_start(w, w->f.nodes[n].start), line_end(w, w->f.nodes[n].end), (struct span){"", 0});
}

/* A statement again, behind itself or behind another one, with the other's indentation. */
static void copy_statement(struct work *w)
{
    uint32_t n = pick(w, is_statement), to = below(w, 2) == 0 ? n : pick(w, is_statement);

    if (n == 0 || to == 0)
        return;
    size_t start = line_start(w, w->f.nodes[n].start), end = line_end(w, w->f.nodes[n].end);
    size_t at = line_end(w, w->f.nodes[to].end), copies = below(w, 8) == 0 ? 1 + below(w, 40) : 1;
    char *indent = mem_text(indentation(w, w->f.nodes[to].start));
    add_code(w, 0, at);
    if (at > 0 && w->f.code.ptr[at - 1] != '\n')
        buf_add_char(&w->out, '\n');
    for (size_t i = 0; i < copies; i++)
        add_indented(w, (struct span){w->f.code.ptr + start, end - start}, indentation(w, w->f.nodes[n].start), indent,
                     1);
    add_code(w, at, w->f.code.len);
    mem_free(indent);
}

static void replace_expression(struct work *w)
{
    uint32_t n = pick(w, is_expression), by = pick(w, is_expression);

    if (n != 0)
        replace(w, w->f.nodes[n].start, w->f.nodes[n].end, py_text(&w->f, by));
}

static void swap(struct work *w, bool (*fits)(const struct py_file *, uint32_t))
{
    uint32_t a = pick(w, fits), b = pick(w, fits);
    const struct py_node *first = &w->f.nodes[a < b ? a : b], *second = &w->f.nodes[a < b ? b : a];

    if (a == 0 || first->end > second->start)
        return;
    add_code(w, 0, first->start);
    add_code(w, second->start, second->end);
    add_code(w, first->end, second->start);
    add_code(w, first->start, first->end);
    add_code(w, second->end, w->f.code.len);
}

static void swap_expressions(struct work *w)
{
    swap(w, is_expression);
}

static void swap_statements(struct work *w)
{
    swap(w, is_statement);
}

static void swap_leaves(struct work *w)
{
    swap(w, is_leaf);
}

/* An expression inside another, once or very deep. */
static void wrap(struct work *w)
{
    static const struct {
        const char *before, *after;
    } ways[] = {
        {"(", ")"},
        {"[", "]"},
        {"{", "}"},
        {"f(", ")"},
        {"not ", ""},
        {"-", ""},
        {"lambda: ", ""},
        {"", ".map(f)"},
        {"", ".batch(8)"},
        {"tf.zeros(", ")"},
        {"", "[0]"},
        {"", ".x"},
        {"", "()"},
        {"lambda x: (", ")"},
        {"[x for x in ", "]"},
        {"(x for x in ", ")"},
        {"tf.add(x, ", ")"},
        {"x if y else ", ""},
        {"f'{", "}'"},
        {"await ", ""},
        {"*", ""},
        {"**", ""},
        {"x := ", ""},
        {"tf.function(", ")"},
        {"sess.run(", ")"},
        {"{'a': ", "}"},
        {"partial(", ")"},
    };
    uint32_t n = pick(w, is_expression);
    size_t way = below(w, ARRAY_LEN(ways)), depth = some_depth(w);

    if (n == 0)
        return;
    add_code(w, 0, w->f.nodes[n].start);
    for (size_t i = 0; i < depth; i++)
        buf_add_text(&w->out, ways[way].before);
    add_code(w, w->f.nodes[n].start, w->f.nodes[n].end);
    for (size_t i = 0; i < depth; i++)
        buf_add_text(&w->out, ways[way].after);
    add_code(w, w->f.nodes[n].end, w->f.code.len);
}

/* A statement inside another, once or very deep. */
static void nest(struct work *w)
{
    /* clang-format off */
    static const char *const heads[] = {
        "for i in range(n):", "while True:", "if x:", "def f(x):", "class A(tf.keras.Model):",
        "with tf.Graph().as_default():", "with tf.GradientTape() as tape:", "try:", "else:",
        "for step in range(10000):", "with tf.Session() as sess:", "async def g(self, x):",
        "for epoch in range(epochs):", "elif y:", "except E as e:", "finally:", "match x:",
        "case [a, *b]:", "@tf.function\ndef h(x):", "for x, y in ds:", "global x\nif x:"
    };
    /* clang-format on */
    uint32_t n = pick(w, is_statement);
    const char *head = heads[below(w, ARRAY_LEN(heads))], *step = below(w, 4) == 0 ? "\t" : " ";
    size_t depth = some_depth(w);

    if (n == 0)
        return;
    size_t start = line_start(w, w->f.nodes[n].start), end = line_end(w, w->f.nodes[n].end);
    char *indent = mem_text(indentation(w, w->f.nodes[n].start));
    add_code(w, 0, start);
    for (size_t i = 0; i < depth; i++) {
        struct span lines = span_of(head), line;
        while (span_cut(&lines, '\n', &line)) {
            buf_add_text(&w->out, indent);
            for (size_t k = 0; k < i; k++)
                buf_add_text(&w->out, step);
            buf_add_span(&w->out, line);
            buf_add_char(&w->out, '\n');
        }
    }
    add_indented(w, (struct span){w->f.code.ptr + start, end - start}, (struct span){"", 0}, step, depth);
    add_code(w, end, w->f.code.len);
    mem_free(indent);
}

/* Some lines further in or out. */
static void indent(struct work *w)
{
    static const char *const steps[] = {" ", "  ", "    ", "\t"};
    size_t start = line_start(w, below(w, w->f.code.len + 1)), end = start;

    for (size_t lines = 1 + below(w, 5); lines > 0; lines--)
        end = line_end(w, end);
    struct span part = {w->f.code.ptr + start, end - start}, none = {"", 0};
    const char *step = steps[below(w, ARRAY_LEN(steps))];
    add_code(w, 0, start);
    if (below(w, 2) == 0)
        add_indented(w, part, none, step, 1);
    else
        add_indented(w, part, span_of(step), "", 0);
    add_code(w, end, w->f.code.len);
}

/* All uses of one name become uses of another. */
static void rename_all(struct work *w)
{
    const struct py_file *f = &w->f;
    size_t at = 0;

    if (f->n_syms < 2)
        return;
    uint32_t from = 1 + (uint32_t)below(w, f->n_syms), to = 1 + (uint32_t)below(w, f->n_syms);
    bool all = below(w, 2) == 0;
    for (uint32_t n = 2; n < f->n_nodes; n++) {
        if (py_kind(f, n) != PY_IDENTIFIER || f->nodes[n].sym != from || f->nodes[n].start < at ||
            (!all && below(w, 2) == 0))
            continue;
        add_code(w, at, f->nodes[n].start);
        buf_add_span(&w->out, f->syms[to]);
        at = f->nodes[n].end;
    }
    add_code(w, at, f->code.len);
}

/* A statement that rules look for, on a line of its own. */
static void add_statement(struct work *w)
{
    /* clang-format off */
    static const char *const statements[] = {
        "import tensorflow as tf", "import tensorflow.compat.v1 as tf", "from . import *",
        "from .a import f, x, A", "from pkg.a import *", "import pkg.a", "from keras import *",
        "ds = tf.data.Dataset.range(n)", "ds = ds.map(f)", "ds = ds.map(lambda x: x + 1)",
        "ds = ds.batch(8)", "ds = ds.shuffle(10).repeat().cache()", "ds = ds.prefetch(1)",
        "ds = ds.interleave(f, 4)", "model.fit(ds, epochs=3)", "sess.run(tf.argmax(p, 1))",
        "x = tf.zeros([3])", "y = tf.concat([y, x], 0)", "loss = tf.Variable(0.)", "break",
        "self.x = tf.constant(1)", "self.f(x)", "x = f(x)", "f = tf.function(f)", "return x",
        "yield x", "global x", "nonlocal x", "del x", "print x", "exec 'x'", "f(*a, **k)",
        "model.predict(x[i:i + 1])", "print(loss.numpy())", "tf.map_fn(lambda x: x + 1, x)",
        "model.compile(loss='categorical_crossentropy')", "model.add(Dense(2, activation='softmax'))",
        "tf.train.Saver().save(sess, p)", "feed_dict = {x: data}", "# ppmine: ignore[PP301]",
        "ds = tf.data.Dataset.from_generator(g, tf.int32)", "sess.run(op, feed_dict={x: train_x})",
        "tf.py_function(f, [x], tf.int32)", "acc.append(x)", "y = tf.stack(acc)", "x: int = 3",
        "model.add(LSTM(3, recurrent_dropout=0.1))", "tf.keras.backend.clear_session()",
        "for a, (b, *c) in ds: pass", "with a as b, c as (d, e): pass", "x += tf.ones(3)",
        "model = tf.keras.models.load_model(p)", "f.g = lambda self, *a, k=1, **b: self.g(k)",
    };
    /* clang-format on */
    size_t at = line_start(w, below(w, w->f.code.len + 1));

    add_code(w, 0, at);
    buf_add_span(&w->out, indentation(w, at));
    buf_add_text(&w->out, statements[below(w, ARRAY_LEN(statements))]);
    buf_add_text(&w->out, below(w, 8) == 0 ? "; " : "\n");
    add_code(w, at, w->f.code.len);
}

/* The file as another editor would save it. */
static void convert(struct work *w)
{
    size_t way = below(w, 4);

    if (way == 0)
        buf_add_text(&w->out, "\xEF\xBB\xBF");
    for (size_t i = 0; i < w->f.code.len; i++) {
        char c = w->f.code.ptr[i];
        if (way == 1 && c == '\n')
            buf_add_char(&w->out, '\r');
        if (way == 2 && c == '\n')
            c = '\r';
        bool four = way == 3 && w->f.code.len - i >= 4 && memcmp(w->f.code.ptr + i, "    ", 4) == 0;
        buf_add_char(&w->out, four ? '\t' : c);
        i += four ? 3 : 0;
    }
}

static void (*const mutations[])(struct work *) = {
    cut_node, cut_statement, copy_statement, replace_expression, swap_expressions, swap_statements, swap_leaves,
    wrap,     nest,          indent,         rename_all,         add_statement,    add_statement,   convert};

static void mutate(struct work *w, struct span code)
{
    read_file(w, code);
    for (int i = 0; i < TRIES && w->out.len == 0; i++)
        mutations[below(w, ARRAY_LEN(mutations))](w);
    py_clear(&w->f);
}

static void clear(struct work *w)
{
    buf_clear(&w->out);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct work w = {0};
    struct span rest = {(const char *)data, size}, first = {0};
    struct buf result = {0};

    random_seed(&w.random, seed);
    if (size == 0 || below(&w, 2) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    bool two = span_cut(&rest, '\0', &first) && first.len < size;
    if (two && below(&w, 2) == 0) {
        mutate(&w, rest);
        buf_add(&result, first.ptr, first.len + 1);
        buf_add_span(&result, buf_span(&w.out));
    } else {
        mutate(&w, first);
        buf_add_span(&result, buf_span(&w.out));
        buf_add(&result, first.ptr + first.len, size - first.len);
    }
    clear(&w);
    if (result.len == 0 || result.len > max_size)
        size = LLVMFuzzerMutate(data, size, max_size);
    else
        memcpy(data, result.ptr, size = result.len);
    buf_clear(&result);
    return size;
}

/* A statement or expression of the other input in the place of one of ours; or both as two files. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out, unsigned seed)
{
    struct work w = {0}, other = {0};
    bool (*fits)(const struct py_file *, uint32_t) = seed % 2 == 0 ? is_statement : is_expression;
    size_t len = 0;

    random_seed(&w.random, seed);
    random_seed(&other.random, seed + 1U);
    read_file(&w, (struct span){(const char *)data1, size1});
    read_file(&other, (struct span){(const char *)data2, size2});
    uint32_t at = pick(&w, fits), from = pick(&other, fits);
    if (below(&w, 6) == 0 || at == 0 || from == 0) {
        buf_add(&w.out, (const char *)data1, size1);
        buf_add_char(&w.out, '\0');
        buf_add(&w.out, (const char *)data2, size2);
    } else {
        replace(&w, w.f.nodes[at].start, w.f.nodes[at].end, py_text(&other.f, from));
    }
    if (w.out.len <= max_out)
        memcpy(out, w.out.ptr, len = w.out.len);
    py_clear(&w.f);
    py_clear(&other.f);
    clear(&w);
    return len;
}
