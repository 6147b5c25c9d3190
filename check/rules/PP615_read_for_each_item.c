/* PP615: a data set of PyTorch reads or parses for each item what it could once. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { DEEP_MAX = 4 };

/* The __getitem__ of a class with __len__ that runs the call; otherwise 0. */
static uint32_t item_function(const struct py_file *f, uint32_t call)
{
    uint32_t function = py_function_of(f, call), name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;
    uint32_t class = name != 0 && py_is(f, name, "__getitem__") ? py_up(f, function, PY_CLASS) : 0;

    return class != 0 && py_def_in(f, f->nodes[class].sym, py_sym(f, SPAN("__len__"))) != 0 ? function : 0;
}

/* Does the expression depend on anything but self and what is bound outside: on the item's number? */
static bool depends_on_item(const struct py_file *f, uint32_t n, uint32_t function, int depth)
{
    enum { DEFS_MAX = 4 };
    uint32_t defs[DEFS_MAX];

    if (n == 0 || depth > DEEP_MAX)
        return true;
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        if (py_kind(f, at) != PY_IDENTIFIER || f->nodes[at].field == FIELD_ATTRIBUTE || py_is(f, at, "self"))
            continue;
        size_t count = py_reaching(f, at, defs, DEFS_MAX);
        for (size_t i = 0; i < count; i++) {
            const struct py_def *def = &f->defs[defs[i]];
            if (f->scopes[def->scope].node != function)
                continue;
            if (def->kind == DEF_WITH || def->kind == DEF_ASSIGN) {
                if (depends_on_item(f, def->value, function, depth + 1))
                    return true;
            } else {
                return true;
            }
        }
    }
    return false;
}

static bool reads_all(struct project *p, const struct py_file *f, uint32_t call)
{
    static const char *const names[] = {"json.load", "yaml.safe_load", "yaml.load",  "torch.load", "h5py.File",
                                        "glob.glob", "os.listdir",     "pickle.load", "joblib.load"};

    return fact_has(p, f, call, TRAIT_LOADS_DATA) || span_is_any(fact_name(p, f, call), names, ARRAY_LEN(names));
}

static bool tokenizes(const struct py_file *f, uint32_t call)
{
    static const char *const names[] = {"tokenize",    "word_tokenize",     "tokenizer", "encode_plus",
                                        "batch_encode_plus", "convert_tokens_to_ids", "batch_encode"};
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);

    return callee != 0 && span_is_any(py_name(f, callee), names, ARRAY_LEN(names));
}

/* Is another call before it in the function one that cuts a text into tokens? That one has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t function, uint32_t call)
{
    (void)p;
    for (uint32_t n = function; n < call; n++)
        if (py_kind(f, n) == PY_CALL && tokenizes(f, n))
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = item_function(f, call), list = py_child(f, call, FIELD_ARGUMENTS);

    if (function == 0 || fact_first_time(f, call, function))
        return;
    if (reads_all(p, f, call) && list != 0 && py_argument(f, call, 0) != 0 &&
        !depends_on_item(f, list, function, 1)) {
        rule_report(r, call, CHECK_HIGH, "%s is read anew for each item", RULE_TEXT(f, py_argument(f, call, 0)));
        return;
    }
    if (!tokenizes(f, call) || py_up(f, call, PY_IF) > function || said_before(p, f, function, call))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s() cuts the same text into tokens in each epoch",
                                             RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)));
    rule_unsure(found);
    rule_why(found, "The result is the same each time, and takes longer than reading it.");
    rule_advice(found, "Keep the tokens: in memory, or in a file, made once before training.");
}

const struct rule rule_PP615 = {
    .about = {
        .id = "PP615",
        .name = "read-for-each-item",
        .summary = "A data set reads or parses for each item what it could once",
        .why = "The whole file or folder is read to take one item of it.",
        .advice = "Read it once, in the constructor, or in a worker the first time.",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .uses = USES_TORCH,
    .call = check_call,
};
