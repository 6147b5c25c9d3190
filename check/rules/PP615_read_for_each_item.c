/* PP615: a data set of PyTorch reads for each item what it could once. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { DEEP_MAX = 4 };

/* Is the method called by the __getitem__ of its class, and by no other method of it, as one that fills a cache? */
static bool serves_getitem(struct project *p, const struct py_file *f, uint32_t function, uint32_t class)
{
    bool serves = false;

    for (struct call_sites site = fact_callers(p, f, function); fact_take(&site);) {
        uint32_t by = py_function_of(site.file, site.call);
        bool own = site.file == f && py_up(f, by, PY_CLASS) == class;
        if (own && !span_eq(py_title(f, by), SPAN("__getitem__")))
            return false;
        serves = serves || own;
    }
    return serves;
}

/* Does the expression depend on anything but self and what is bound outside: on the item's number? */
static bool depends_on_item(const struct py_file *f, uint32_t n, uint32_t function, int depth)
{
    enum { DEFS_MAX = 4 };

    if (n == 0 || depth > DEEP_MAX ||
        span_has_word(py_text(f, n), "rand choice BytesIO" /* drawn; filled by its methods */))
        return true;
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        bool outside = f->nodes[at].field == FIELD_ATTRIBUTE || py_is(f, at, "self");
        for (struct py_defs d = py_reaching(f, outside ? 0 : at, DEFS_MAX); py_take_def(&d);) {
            bool seen = d.def->kind == DEF_WITH || d.def->kind == DEF_ASSIGN;
            if (f->scopes[d.def->scope].node == function &&
                (!seen || depends_on_item(f, d.def->value, function, depth + 1)))
                return true;
        }
    }
    return false;
}

/* The open() whose file the call reads whole: open(path).read(), lines.readlines(); otherwise 0. */
static uint32_t opened_for(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t from = py_method(f, call, "read readlines");

    if (from == 0 || py_argument(f, call, 0) != 0)
        return 0;
    if (py_kind(f, from) == PY_IDENTIFIER) {
        const struct py_def *def = py_bound(f, from);
        from = def != NULL && (def->kind == DEF_WITH || def->kind == DEF_ASSIGN) ? def->value : 0;
    }
    return from != 0 && py_kind(f, from) == PY_CALL && fact_is(p, f, from, "builtins.open") ? from : 0;
}

static const char splits[] = "train test val dev eval";

/* rows["text"][i] in __getitem__() or a loop: the whole column is decoded for one of its items. */
static void check_column(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t column = py_child_of(f, n, PY_SUBSCRIPT, FIELD_VALUE);
    if (py_kind(f, column) != PY_SUBSCRIPT)
        return;
    uint32_t item = py_child(f, n, FIELD_SUBSCRIPT), name = py_child(f, column, FIELD_SUBSCRIPT);
    struct loop loop = fact_loop(p, f, n);
    bool each = (loop.node != 0 && loop.trip != TRIP_SHORT) ||
                span_eq(py_title(f, py_function_of(f, n)), SPAN("__getitem__"));
    if (py_kind(f, name) != PY_STRING || !py_is_named(f, item) ||
        !rule_needs(r, n, n, each, "no loop and no __getitem__() is seen that takes one item after the other"))
        return;
    /* Is it a data set of Hugging Face, not a dictionary of several: load_dataset(name, split="train")? */
    uint32_t table = py_child(f, column, FIELD_VALUE), index = py_child_of(f, table, PY_SUBSCRIPT, FIELD_SUBSCRIPT);
    bool chosen = py_kind(f, index) == PY_STRING && span_has_word(py_text(f, index), splits);
    struct value v = fact_value(p, f, chosen ? py_child(f, table, FIELD_VALUE) : table);
    struct span made = fact_name_text(p, v.name);
    bool rows = v.kind == VALUE_OBJECT && span_starts(made, SPAN("datasets.load_")) &&
                (chosen || span_has(made, "disk") || fact_mentions(p, f, "split="));
    if (!rule_needs(r, n, column, !span_has_word(py_text(f, name), splits) && rows,
                    "it is not known to be a column of a data set of Hugging Face"))
        return;
    rule_report(r, n, CHECK_HIGH, "%s reads the whole column for one item", RULE_TEXT(f, n));
    rule_why(r, "The column is decoded to Python objects each time (with datasets before 4).");
    rule_advice(r, "Take the row first: %s[%s][%s].", RULE_TEXT(f, py_child(f, column, FIELD_VALUE)),
                RULE_TEXT(f, item), RULE_TEXT(f, name));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    bool all = fact_has(p, f, call, TRAIT_LOADS_DATA) || fact_has(p, f, call, TRAIT_READS_IMAGE) ||
               span_is_word(fact_name(p, f, call), "json.load yaml.safe_load yaml.load torch.load h5py.File glob.glob "
                                                   "os.listdir pickle.load joblib.load");
    uint32_t reader = all ? call : opened_for(p, f, call), list = py_child(f, reader, FIELD_ARGUMENTS);

    if (list == 0 || py_argument(f, reader, 0) == 0)
        return;
    /* the __getitem__ of a class of data sets, or a method that only it calls */
    uint32_t function = py_function_of(f, call), class = function > ROOT ? py_up(f, function, PY_CLASS) : 0;
    bool items = class != 0 && py_def_in(f, f->nodes[class].sym, py_sym(f, SPAN("__len__"))) != 0 &&
                 py_def_in(f, f->nodes[class].sym, py_sym(f, SPAN("__getitem__"))) != 0 &&
                 (span_eq(py_title(f, function), SPAN("__getitem__")) || serves_getitem(p, f, function, class));
    if (rule_needs(r, call, call, items, "it is not seen to run for each item of a data set") &&
        rule_needs(r, call, call, !fact_first_time(f, call, function), "it runs the first time only") &&
        rule_needs(r, call, py_argument(f, reader, 0), !depends_on_item(f, list, function, 1),
                   "it may be another one for each item"))
        rule_report(r, call, CHECK_HIGH, "%s is read again for each item", RULE_TEXT(f, py_argument(f, reader, 0)));
}

const struct rule_looks rule_PP615 = {.node = check_column, .call = check_call};
