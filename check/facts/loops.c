/* Loops, how often they run, and what is the same in each round. */
#include "check/facts/guess.h"
#include "check/facts/project.h"

/* Skips loops of 20,000 nodes, some 2,000 lines, which nobody writes by hand: rules scan a loop for each call. */
enum { SHORT_ROUNDS = 10, CALL_DEPTH_MAX = 24, LOOP_NODES_MAX = 20000, ITERABLES_DEEP = 8 };

#define MEMO_NAME loop_memo
#define MEMO_KEY uint64_t
#define MEMO_ANSWER struct loop
#include "base/memo.h"

#define MEMO_NAME repeated_memo
#define MEMO_KEY uint64_t
#define MEMO_ANSWER struct repeated
#include "base/memo.h"

struct loops {
    struct loop_memo described;
    struct repeated_memo functions; /* is it called again and again? file NULL: no */
};

void loops_new(struct project *p)
{
    p->loops = mem_zero(1, sizeof *p->loops);
}

void loops_free(struct project *p)
{
    loop_memo_clear(&p->loops->described);
    repeated_memo_clear(&p->loops->functions);
    mem_free(p->loops);
}

/* In data.size() it is the length of the data, in x.shape[1] that of an axis. */
static bool asks_size(const struct py_file *f, uint32_t name)
{
    uint32_t attribute = py_parent(f, name);

    if (f->nodes[name].field == FIELD_ATTRIBUTE && py_is(f, name, "shape"))
        return py_kind(f, py_parent(f, attribute)) == PY_SUBSCRIPT && f->nodes[attribute].field == FIELD_VALUE;
    return f->nodes[name].field == FIELD_ATTRIBUTE && f->nodes[py_parent(f, name)].field == FIELD_FUNCTION &&
           py_is(f, name, "size");
}

static bool mentions(const struct py_file *f, uint32_t n, const char *words)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == PY_IDENTIFIER && !asks_size(f, at) && guess_part(py_text(f, at), words))
            return true;
    return false;
}

/* The value of a constant expression, through names that are bound once to a literal. */
static bool constant_integer(struct project *p, const struct py_file *f, uint32_t n, int64_t *value)
{
    if (n == 0)
        return false;
    if (py_integer(f, n, value))
        return true;
    struct value v = fact_value(p, f, n);
    return v.kind == VALUE_CONSTANT && py_integer(p->files[v.file], v.node, value);
}

static bool is_small(int64_t value)
{
    return value <= INT32_MAX && value >= INT32_MIN;
}

static bool range_rounds(struct project *p, const struct py_file *f, uint32_t call, int64_t *rounds)
{
    int64_t a = 0, b = 0, step = 1;
    uint32_t second = py_argument(f, call, 1), third = py_argument(f, call, 2);

    if (!constant_integer(p, f, py_argument(f, call, 0), &a))
        return false;
    if (second == 0) {
        *rounds = a > 0 ? a : 0;
        return true;
    }
    if (!constant_integer(p, f, second, &b) || (third != 0 && !constant_integer(p, f, third, &step)) || step == 0 ||
        !is_small(a) || !is_small(b))
        return false;
    int64_t distance = step > 0 ? b - a : a - b, stride = step > 0 ? step : -step;
    *rounds = distance > 0 && stride > 0 ? (distance + stride - 1) / stride : 0;
    return true;
}

static int64_t rounds_of(struct project *p, const struct py_file *f, uint32_t n, int depth);

/* The number, where it is known and makes a handful: rounds are so many at most; otherwise -1. */
static int64_t handful(struct project *p, const struct py_file *f, uint32_t n)
{
    int64_t value;

    return constant_integer(p, f, n, &value) && value >= 0 && value <= SHORT_ROUNDS ? value : -1;
}

/* images[:3], images[2:5], images[-3:]. */
static int64_t rounds_of_slice(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t slice = py_child(f, n, FIELD_SUBSCRIPT), first = py_kind(f, slice) == PY_SLICE ? py_first(f, slice) : 0;
    int64_t from, to = 0;

    if (first == 0)
        return -1;
    if (span_starts(py_text(f, slice), SPAN(":")))
        return handful(p, f, first);
    uint32_t last = py_next(f, first);
    if (!constant_integer(p, f, first, &from) || (last != 0 && !constant_integer(p, f, last, &to)) ||
        (from < 0) != (last == 0) || to - from < 0 || to - from > SHORT_ROUNDS)
        return -1;
    return to - from;
}

static int64_t rounds_of_call(struct project *p, const struct py_file *f, uint32_t call, int depth)
{
    const struct word *callee = fact_word(p, f, call);
    uint32_t items = fact_method(f, call, TRAIT_ITERATES_ITEMS), from = py_method(f, call, "take");
    int64_t rounds;

    if (word_has(callee, TRAIT_COUNTS))
        return range_rounds(p, f, call, &rounds) ? rounds : -1;
    if (word_has(callee, TRAIT_PASSES_ON))
        return rounds_of(p, f, py_argument(f, call, 0), depth + 1);
    if (items != 0)
        return rounds_of(p, f, items, depth + 1);
    if (from != 0 && fact_value(p, f, from).kind == VALUE_DATASET)
        return handful(p, f, py_argument(f, call, 0));
    /* itertools.islice(rows, 3), random.sample(rows, 3) */
    bool picks = py_argument(f, call, 2) == 0 && span_is_word(fact_name(p, f, call), "itertools.islice random.sample");
    return picks ? handful(p, f, py_argument_or(f, call, 1, "k")) : -1;
}

/* How many rounds over this iterable; -1: not known. */
static int64_t rounds_of(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    int64_t count = 0;

    n = py_bare(f, n);
    if (n == 0 || depth > ITERABLES_DEEP)
        return -1;
    switch (py_kind(f, n)) {
    case PY_LIST:
    case PY_TUPLE:
    case PY_SET:
    case PY_DICTIONARY:
    case PY_EXPRESSION_LIST:
        for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c), count++)
            if (py_kind(f, c) == PY_LIST_SPLAT || py_kind(f, c) == PY_DICTIONARY_SPLAT)
                return -1;
        return count;
    case PY_CALL:
        return rounds_of_call(p, f, n, depth);
    case PY_SUBSCRIPT:
        return rounds_of_slice(p, f, n);
    case PY_IDENTIFIER:
        n = py_assigned(f, n);
        return py_kind(f, n) != PY_IDENTIFIER ? rounds_of(p, f, n, depth + 1) : -1; /* no chain of names */
    default:
        return -1;
    }
}

/* Of the loop, or of the first `for` of a comprehension: what it goes over (FIELD_RIGHT), or binds. */
static uint32_t head_of(const struct py_file *f, uint32_t loop, enum py_field field)
{
    if (py_kind(f, loop) == PY_FOR)
        return py_child(f, loop, field);
    for (uint32_t c = py_first(f, loop); c != 0; c = py_next(f, c))
        if (py_kind(f, c) == PY_FOR_IN)
            return py_child(f, c, field);
    return 0;
}

/* Steps, epochs, records; layers, levels, axes. */
static const char many[] =
    "step epoch iter iteration batch episode sample example record frame dataset data loader stream minibatch "
    "image sentence line file time timestep rollout update trial generator queue event train query document "
    "token row niter nsteps input img video clip utterance sequence text word filename";
static const char few[] =
    "layer level block head scale corner stage stack unit filter hidden dim kernel gpu tower device replica axis "
    "depth loss metric output branch anchor param variable gradient grad var name cell feature key channel ndim "
    "rank fold component shard part config mode split size weight shape tensor column";

/* How often the rounds come, by what the names in the loop's head speak of. */
static enum trip trip_by_names(const struct py_file *f, uint32_t iterable, uint32_t target)
{
    /* os.listdir(folder), sorted(glob.glob("*.png")): what files are called says nothing of how many there are. */
    if (span_has_word(py_text(f, iterable), "listdir( glob( scandir( iterdir( os.walk("))
        return TRIP_STEPS;
    if (mentions(f, iterable, few))
        return mentions(f, target, many) ? TRIP_UNKNOWN : TRIP_SHORT;
    if (mentions(f, iterable, many) || mentions(f, target, many))
        return TRIP_STEPS;
    return mentions(f, target, few) ? TRIP_SHORT : TRIP_UNKNOWN;
}

/* for i, rows in enumerate(loader): if i == 3: break: does a number of rounds that is a handful end the loop? */
static bool stops_early(struct project *p, const struct py_file *f, uint32_t loop, uint32_t target)
{
    for (uint32_t c = py_first(f, py_body(f, loop)); c != 0 && target != 0; c = py_next(f, c)) {
        uint32_t test = py_kind(f, c) == PY_IF ? py_bare(f, py_child(f, c, FIELD_CONDITION)) : 0;
        uint32_t left = py_kind(f, test) == PY_COMPARISON ? py_first(f, test) : 0, right = py_next(f, left);
        enum py_kind last = py_kind(f, py_last(f, py_child(f, c, FIELD_CONSEQUENCE)));
        if (py_kind(f, left) != PY_IDENTIFIER || (last != PY_BREAK && last != PY_RETURN) || handful(p, f, right) < 0 ||
            !span_is_word(span_trim(py_between(f, left, right)), "== > >="))
            continue;
        if (py_uses(f, f->nodes[left].sym, target).all > 0)
            return true;
    }
    return false;
}

static struct loop describe(struct project *p, const struct py_file *f, uint32_t node)
{
    struct loop loop = {.node = node, .trip = TRIP_UNKNOWN, .rounds = -1};

    if (node == 0)
        return loop;
    enum py_kind last = py_kind(f, py_last(f, py_child(f, node, FIELD_BODY)));
    bool once = last == PY_BREAK || last == PY_RETURN || last == PY_RAISE; /* it always ends in its first round */
    loop.sure = CERTAIN;
    if (py_kind(f, node) == PY_WHILE) {
        loop.trip = once ? TRIP_SHORT : TRIP_STEPS;
        return loop;
    }
    uint32_t iterable = head_of(f, node, FIELD_RIGHT), target = head_of(f, node, FIELD_LEFT);
    loop.rounds = once                                                            ? 1
                  : py_kind(f, node) == PY_FOR && stops_early(p, f, node, target) ? SHORT_ROUNDS
                                                                                  : rounds_of(p, f, iterable, 0);
    struct value v = iterable != 0 ? fact_value(p, f, iterable) : (struct value){0};
    if (loop.rounds >= 0) {
        loop.trip = loop.rounds <= SHORT_ROUNDS ? TRIP_SHORT : TRIP_STEPS;
    } else if (v.kind == VALUE_DATASET || v.kind == VALUE_ITERATOR) {
        loop.trip = TRIP_STEPS;
        loop.sure = v.guessed ? LIKELY : CERTAIN;
    } else {
        loop.trip = trip_by_names(f, iterable, target);
        loop.sure = loop.trip == TRIP_UNKNOWN ? NOT_SEEN : LIKELY;
    }
    return loop;
}

/* describe, once for each loop when the call graph is there. */
static struct loop described(struct project *p, const struct py_file *f, uint32_t node)
{
    struct loop_memo *memo = &p->loops->described;
    struct loop loop;

    if (node == 0 || !values_settled(p))
        return describe(p, f, node);
    if (loop_memo_known(memo, place_key(f, node), &loop))
        return loop;
    loop = describe(p, f, node);
    return loop_memo_keep(memo, place_key(f, node), loop);
}

/* Is `n` in a part of the loop that runs once, before it: the iterable, the else? */
static bool runs_once(const struct py_file *f, uint32_t n, uint32_t loop)
{
    if (py_is_loop(f, loop)) {
        uint32_t body = py_child(f, loop, FIELD_BODY), test = py_child(f, loop, FIELD_CONDITION);
        return !py_inside(f, n, body) && !(test != 0 && py_inside(f, n, test));
    }
    return py_inside(f, n, head_of(f, loop, FIELD_RIGHT));
}

static uint32_t loop_node(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = py_parent(f, n), from = n; at != 0; from = at, at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_CLASS || kind == PY_FUNCTION || kind == PY_LAMBDA) {
            /* A default or decorator runs where it is written. */
            if (f->nodes[from].field == FIELD_BODY)
                return 0;
            continue;
        }
        bool loop = kind == PY_FOR || kind == PY_WHILE || kind == PY_LIST_COMPREHENSION ||
                    kind == PY_SET_COMPREHENSION || kind == PY_DICTIONARY_COMPREHENSION || kind == PY_GENERATOR;
        if (loop && f->nodes[at].after - at <= LOOP_NODES_MAX && !runs_once(f, n, at))
            return at;
    }
    return 0;
}

struct loop fact_loop(struct project *p, const struct py_file *f, uint32_t n)
{
    return described(p, f, loop_node(f, n));
}

struct loop fact_outer_loop(struct project *p, const struct py_file *f, struct loop inner)
{
    return described(p, f, inner.node != 0 ? loop_node(f, inner.node) : 0);
}

static bool repeated(struct project *p, const struct py_file *f, uint32_t n, struct repeated *where, int depth);

static bool function_repeated(struct project *p, const struct py_file *f, uint32_t function, struct repeated *where,
                              int depth)
{
    struct repeated_memo *memo = &p->loops->functions;
    uint64_t key = place_key(f, function);
    struct repeated found = {.file = NULL};

    if (depth > CALL_DEPTH_MAX)
        return false;
    if (!repeated_memo_known(memo, key, &found)) {
        (void)repeated_memo_keep(memo, key, found); /* not, as far as the search has come */
        for (struct call_sites site = fact_callers(p, f, function); found.file == NULL && fact_take(&site);)
            if (fact_only_tests(p, f, site.file) || !repeated(p, site.file, site.call, &found, depth + 1))
                found.file = NULL;
        found.by_call = true;
        (void)repeated_memo_keep(memo, key, found);
    }
    if (found.file == NULL)
        return false;
    *where = found;
    return true;
}

static bool repeated(struct project *p, const struct py_file *f, uint32_t n, struct repeated *where, int depth)
{
    for (struct loop loop = fact_loop(p, f, n); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (loop.trip != TRIP_SHORT) {
            *where = (struct repeated){f, loop, false};
            return true;
        }
    }
    uint32_t function = py_function_of(f, n);
    return function > 1 && function_repeated(p, f, function, where, depth);
}

bool fact_repeated(struct project *p, const struct py_file *f, uint32_t n, struct repeated *where)
{
    return repeated(p, f, n, where, 0);
}
