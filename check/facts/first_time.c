/* What runs for the first time only, or seldom: repetition that does not count. */
#include "check/facts/project.h"

enum { GUARDS_MAX = 1000 };

/* if "2000" in path: asks for a kind of item, not whether something was made. */
static bool asks_kind(struct span test)
{
    return test.len > 0 && (test.ptr[0] == '"' || test.ptr[0] == '\'');
}

/* len(memory) > n, n <= len(memory): holds from some round on, in all that follow. */
static bool says_enough(struct span test)
{
    size_t length = span_find(test, SPAN("len(")), more = span_find(test, SPAN(">")), less = span_find(test, SPAN("<"));

    if (length == SIZE_MAX)
        return false;
    return (more != SIZE_MAX && more > length) || (less != SIZE_MAX && less < length);
}

/* Does the condition hold only until something was made? */
static bool says_not_yet(struct span test)
{
    static const char *const words[] = {" is None", "not hasattr", " not in ",       "not self.",  "first", "== None",
                                        "not _",    "not built",   "not isinstance", "is_initial", "len("};

    if (asks_kind(test) || says_enough(test))
        return false;
    if (span_has_any(test, words, ARRAY_LEN(words)))
        return true;
    return span_has(test, "== 0") && !span_has(test, "%");
}

static bool says_already(struct span test)
{
    static const char *const words[] = {"is not None", "hasattr(", " in ",   "built", "initialized",
                                        "cache",       "exists",   "loaded", "made",  "!= None"};

    if (asks_kind(test))
        return false;
    /* if self._graph; but not if len(rows) != len(self._rows) */
    if (span_has(test, "self._") && !span_has(test, "=") && !span_has(test, "<") && !span_has(test, ">"))
        return true;
    return span_has_any(test, words, ARRAY_LEN(words));
}

/* `if built: return` before the statement, in its block. */
static bool behind_guard(const struct py_file *f, uint32_t statement)
{
    uint32_t block = py_parent(f, statement);
    unsigned looked_at = 0;

    for (uint32_t s = py_first(f, block); s != 0 && s < statement && looked_at++ < GUARDS_MAX; s = py_next(f, s)) {
        uint32_t test = py_kind(f, s) == PY_IF ? py_child(f, s, FIELD_CONDITION) : 0;
        enum py_kind last = py_kind(f, py_last(f, py_child(f, s, FIELD_CONSEQUENCE)));
        bool leaves = last == PY_RETURN || last == PY_BREAK || last == PY_RAISE || last == PY_CONTINUE;
        if (test != 0 && leaves && says_already(py_text(f, test)) && !span_has(py_text(f, test), " not "))
            return true;
    }
    return false;
}

static bool branch_is_rare(const struct py_file *f, uint32_t n, uint32_t branch)
{
    enum py_kind kind = py_kind(f, branch);
    uint32_t test = py_child(f, branch, FIELD_CONDITION);

    if (kind == PY_EXCEPT || kind == PY_RAISE || kind == PY_ASSERT)
        return true;
    if ((kind != PY_IF && kind != PY_ELIF) || py_inside(f, n, test))
        return false;
    uint32_t then = py_child(f, branch, FIELD_CONSEQUENCE);
    return py_inside(f, n, then) ? says_not_yet(py_text(f, test)) : says_already(py_text(f, test));
}

bool fact_first_time(const struct py_file *f, uint32_t n, uint32_t within)
{
    bool loop = py_kind(f, within) == PY_FOR || py_kind(f, within) == PY_WHILE;

    for (uint32_t at = n, up; at > within; at = up) {
        up = py_parent(f, at);
        if (branch_is_rare(f, n, at))
            return true;
        if (py_kind(f, up) != PY_BLOCK)
            continue;
        if (behind_guard(f, at))
            return true;
        uint32_t last = loop ? py_last(f, up) : 0;
        if (last != 0 && (py_kind(f, last) == PY_RETURN || py_kind(f, last) == PY_BREAK))
            return true;
    }
    return false;
}

bool fact_once_in_epoch(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t body = py_body(f, loop);

    if (!fact_epoch_loop(f, loop))
        return false;
    for (uint32_t n = body; n < f->nodes[body].after; n++) {
        bool inner = py_kind(f, n) == PY_FOR || py_kind(f, n) == PY_WHILE;
        uint32_t first = inner ? py_first(f, py_body(f, n)) : 0;
        if (first != 0 && fact_loop(p, f, first).trip != TRIP_SHORT)
            return true;
    }
    return false;
}

bool fact_cached(const struct py_file *f, uint32_t function)
{
    static const char *const words[] = {"cache", "memoize", "lazy"};

    for (uint32_t d = 0; (d = py_decorator(f, function, d)) != 0;)
        if (span_has_any(py_text(f, d), words, ARRAY_LEN(words)))
            return true;
    return false;
}
