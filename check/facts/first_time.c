/* What runs for the first time only, or seldom: repetition that does not count. */
#include "check/facts/project.h"
#include "check/facts/training.h"

enum { GUARDS_MAX = 1000, SITES_MAX = 8, CALLERS_DEEP = 3, TOP = 1 };

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

/* --- now and then --- */

/* if step % 100 == 0: …, between n and the loop. */
static bool is_chosen(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = n, up = py_parent(f, n); up > loop; at = up, up = py_parent(f, up))
        if (py_kind(f, up) == PY_IF && f->nodes[at].field == FIELD_CONSEQUENCE &&
            span_has(py_text(f, py_child(f, up, FIELD_CONDITION)), "%"))
            return true;
    return false;
}

/* Is n in a loop of many rounds; *seldom: but not run in each step of it? */
static bool in_rounds(struct project *p, const struct py_file *f, uint32_t n, bool *seldom)
{
    struct loop loop = fact_loop(p, f, n);

    while (loop.node != 0 && loop.trip == TRIP_SHORT)
        loop = fact_outer_loop(p, f, loop);
    *seldom = loop.node != 0 && (is_chosen(f, n, loop.node) || fact_epoch_of_steps(p, f, loop.node));
    return loop.node != 0;
}

static bool seldom(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    size_t n_sites = 0;
    bool now_and_then;

    if (in_rounds(p, f, n, &now_and_then))
        return now_and_then;
    uint32_t function = py_function_of(f, n);
    if (function <= TOP || depth == CALLERS_DEEP)
        return function <= TOP;
    struct span name = py_title(f, function);
    if (span_is_word(name, "__init__ setup") || span_starts(name, SPAN("setup_")) || fact_cached(f, function))
        return true;
    const struct call_site *sites = fact_callers(p, f, function, &n_sites);
    for (size_t i = 0; i < n_sites && n_sites <= SITES_MAX; i++)
        if (!seldom(p, fact_file(p, sites[i].file), sites[i].call, depth + 1))
            return false;
    return n_sites > 0 && n_sites <= SITES_MAX;
}

bool fact_seldom(struct project *p, const struct py_file *f, uint32_t n)
{
    return seldom(p, f, n, 0);
}

/* A loop of many rounds, no loop of steps, that runs a module in each of them. */
static bool runs_modules(struct project *p, const struct py_file *f, uint32_t loop)
{
    bool runs = false;

    if ((py_kind(f, loop) != PY_FOR && py_kind(f, loop) != PY_WHILE) || fact_goes_backward(p, f, loop) ||
        fact_loop(p, f, py_first(f, py_body(f, loop))).trip == TRIP_SHORT || fact_loader(p, f, loop) != 0)
        return false;
    for (uint32_t n = loop; n < f->nodes[loop].after && !runs; n++)
        runs = py_kind(f, n) == PY_CALL && fact_module_run(p, f, n, NULL) != 0;
    return runs;
}

static bool beside_runs(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    uint32_t function = py_function_of(f, n);
    size_t n_sites = 0;

    for (uint32_t at = function; function > TOP && at < f->nodes[function].after; at++)
        if (py_function_of(f, at) == function && !py_inside(f, n, at) && fact_once(p, f, at, runs_modules))
            return true;
    if (function <= TOP || fact_loop(p, f, n).node != 0 || depth == CALLERS_DEEP)
        return false;
    const struct call_site *sites = fact_callers(p, f, function, &n_sites);
    for (size_t i = 0; i < n_sites && n_sites <= SITES_MAX; i++)
        if (!beside_runs(p, fact_file(p, sites[i].file), sites[i].call, depth + 1))
            return false;
    return n_sites > 0 && n_sites <= SITES_MAX;
}

bool fact_beside_many_runs(struct project *p, const struct py_file *f, uint32_t n)
{
    return beside_runs(p, f, n, 0);
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
    size_t n = 0;
    const struct call_site *sites = function > TOP ? fact_callers(p, f, function, &n) : NULL;

    for (size_t i = 0; i < n && n <= SITES_MAX; i++)
        if (!site_shows(p, fact_file(p, sites[i].file), sites[i].call))
            return false;
    return n > 0 && n <= SITES_MAX;
}

bool fact_cached(const struct py_file *f, uint32_t function)
{
    static const char *const words[] = {"cache", "memoize", "lazy"};

    for (uint32_t d = 0; (d = py_decorator(f, function, d)) != 0;)
        if (span_has_any(py_text(f, d), words, ARRAY_LEN(words)))
            return true;
    return false;
}

bool fact_used(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n), class = py_up(f, function, PY_CLASS);
    uint32_t whole = class != 0 ? class : function, name = py_child(f, whole, FIELD_NAME);
    size_t found = 0, own = 0, uses;

    (void)py_uses(f, py_sym(f, py_text(f, name)), whole, &own); /* its name, super(Net, self) */
    for (size_t i = 0; name != 0 && i < fact_n_files(p) && found <= own; i++) {
        const struct py_file *other = fact_file(p, i);
        (void)py_uses(other, py_sym(other, py_text(f, name)), 1, &uses);
        found += uses;
    }
    return name == 0 || found > own;
}
