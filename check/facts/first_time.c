/* What runs for the first time only, or seldom: repetition that does not count. */
#include "check/facts/project.h"
#include "check/facts/training.h"

enum { GUARDS_MAX = 1000, SITES_MAX = 8, CALLERS_DEEP = 3, TOP = 1 };

/* if "2000" in path: asks for a kind of item, not whether something was made. */
static bool asks_kind(struct span test)
{
    return test.len > 0 && (test.ptr[0] == '"' || test.ptr[0] == '\'');
}

/* Does the condition hold only until something was made? */
static bool says_not_yet(struct span test)
{
    static const char *const words[] = {" is None", "not hasattr", " not in ",       "not self.",  "first", "== None",
                                        "not _",    "not built",   "not isinstance", "is_initial", "len("};
    size_t length = span_find(test, SPAN("len(")), more = span_find(test, SPAN(">")), less = span_find(test, SPAN("<"));

    /* len(memory) > n, n <= len(memory): holds from some round on, in all that follow. */
    bool enough = length != SIZE_MAX && ((more != SIZE_MAX && more > length) || less < length);
    if (enough || asks_kind(test))
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
        uint32_t test = py_child_of(f, s, PY_IF, FIELD_CONDITION);
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
    bool loop = py_is_loop(f, within);

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
        bool inner = py_is_loop(f, n);
        uint32_t first = inner ? py_first(f, py_body(f, n)) : 0;
        if (first != 0 && fact_loop(p, f, first).trip != TRIP_SHORT)
            return true;
    }
    return false;
}

/* --- now and then --- */

/* Is n in a loop of many rounds; *seldom: but not run in each step of it? */
static bool in_rounds(struct project *p, const struct py_file *f, uint32_t n, bool *seldom)
{
    struct loop loop = fact_loop(p, f, n);

    while (loop.node != 0 && loop.trip == TRIP_SHORT)
        loop = fact_outer_loop(p, f, loop);
    *seldom = loop.node != 0 && fact_epoch_of_steps(p, f, loop.node);
    for (uint32_t at = n, up = py_parent(f, n); loop.node != 0 && up > loop.node; at = up, up = py_parent(f, up))
        *seldom = *seldom || (py_kind(f, up) == PY_IF && f->nodes[at].field == FIELD_CONSEQUENCE &&
                              span_has(py_text(f, py_child(f, up, FIELD_CONDITION)), "%")); /* if step % 100 == 0: … */
    return loop.node != 0;
}

static bool seldom(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    bool now_and_then;

    if (in_rounds(p, f, n, &now_and_then))
        return now_and_then;
    uint32_t function = py_function_of(f, n);
    if (function <= TOP || depth == CALLERS_DEEP)
        return function <= TOP;
    struct span name = py_title(f, function);
    if (span_is_word(name, "__init__ setup") || span_starts(name, SPAN("setup_")) || fact_cached(f, function))
        return true;
    struct call_sites site = fact_callers(p, f, function);
    while (site.all <= SITES_MAX && fact_take(&site))
        if (!seldom(p, site.file, site.call, depth + 1))
            return false;
    return site.all > 0 && site.all <= SITES_MAX;
}

bool fact_seldom(struct project *p, const struct py_file *f, uint32_t n)
{
    return seldom(p, f, n, 0);
}

/* Does the call write or draw for somebody to look at? */
static bool shows(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_PRINTS) ||
           span_is_word(py_called(f, call), "imshow plot show savefig matshow scatter add_text");
}

/* print(f(x)); or a function that gives nothing, shows, and calls it; neither for each of many items. */
static bool site_shows(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = py_function_of(f, call), statement = py_statement(f, call);
    bool any = false, now_and_then;

    if (in_rounds(p, f, call, &now_and_then) && !now_and_then)
        return false;
    for (uint32_t up = py_parent(f, call); up > statement; up = py_parent(f, up))
        if (py_kind(f, up) == PY_CALL && shows(p, f, up))
            return true;
    if (function <= TOP)
        return false;
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        if (py_kind(f, n) == PY_RETURN && py_first(f, n) != 0)
            return false;
        any = any || (py_kind(f, n) == PY_CALL && shows(p, f, n));
    }
    return any;
}

bool fact_only_shown(struct project *p, const struct py_file *f, uint32_t function)
{
    struct call_sites site = fact_callers(p, f, function);

    while (site.all <= SITES_MAX && fact_take(&site))
        if (!site_shows(p, site.file, site.call))
            return false;
    return site.all > 0 && site.all <= SITES_MAX;
}

bool fact_cached(const struct py_file *f, uint32_t function)
{
    return py_decorated(f, function, "cache memoize lazy", true);
}

/* Has the project a program: if __name__ == "__main__":, or top code that calls a function of the project? Asked of
 * any file. */
static bool has_program(struct project *p, const struct py_file *any, uint32_t root)
{
    (void)any;
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *f = fact_file(p, i);
        for (struct py_nodes use = py_uses(f, py_sym(f, SPAN("__name__")), root); py_take(&use);)
            if (py_kind(f, py_parent(f, use.n)) == PY_COMPARISON)
                return true;
        for (struct py_nodes call = fact_calls(p, f); py_take(&call);)
            if (py_function_of(f, call.n) == root && fact_callee(p, f, call.n, NULL))
                return true;
    }
    return false;
}

/* Does a string of the file, but in the node `but`, end in the name: "Net", "models.Net"? It may be looked up by it. */
static bool has_string(const struct py_file *f, struct span name, uint32_t but)
{
    for (uint32_t n = 1; n < f->n_nodes; n++) {
        struct span text = py_kind(f, n) == PY_STRING ? py_text(f, n) : (struct span){"", 0};
        if (text.len >= name.len + 2 && span_ends((struct span){text.ptr, text.len - 1}, name) &&
            !ascii_is_letter(text.ptr[text.len - name.len - 2]) && !(but != 0 && py_inside(f, n, but)))
            return true;
    }
    return false;
}

/* Is the function or class named outside of itself, perhaps for a namesake, or decorated, so perhaps registered? */
static bool is_named(struct project *p, const struct py_file *f, uint32_t whole)
{
    struct span name = py_name(f, py_child(f, whole, FIELD_NAME));

    if (name.len == 0 || py_kind(f, py_parent(f, whole)) == PY_DECORATED)
        return true;
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *other = fact_file(p, i);
        for (struct py_nodes use = py_uses(other, py_sym(other, name), TOP); py_take(&use);) {
            uint32_t renamed = py_up(other, use.n, PY_ALIASED_IMPORT);
            uint32_t def = py_def_at(other, renamed != 0 ? py_child(other, renamed, FIELD_ALIAS) : use.n);
            struct value v = def != 0 ? def_value(p, other, def) : fact_value(p, other, use.n);
            bool one = v.kind == VALUE_CLASS || v.kind == VALUE_FUNCTION;
            if (!(one && (v.file != f->number || v.node != whole)) && !(other == f && py_inside(f, use.n, whole)))
                return true;
        }
    }
    for (size_t i = 0; i < fact_n_files(p); i++) /* every string: after what an index says */
        if (has_string(fact_file(p, i), name, fact_file(p, i) == f ? whole : 0))
            return true;
    return false;
}

bool fact_unused(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n), class = py_up(f, function, PY_CLASS);

    return function > TOP && fact_n_files(p) > 1 && fact_once(p, fact_file(p, 0), TOP, has_program) &&
           !fact_once(p, f, class != 0 ? class : function, is_named);
}
