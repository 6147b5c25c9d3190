/* PP615: a data set of PyTorch reads or parses for each item what it could once. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { DEEP_MAX = 4 };

static bool is_getitem(const struct py_file *f, uint32_t function)
{
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;

    return name != 0 && py_is(f, name, "__getitem__");
}

/* Is the method called by the __getitem__ of its class, and by no other method of it, as one that fills a cache? */
static bool serves_getitem(struct project *p, const struct py_file *f, uint32_t function, uint32_t class)
{
    size_t n;
    const struct call_site *sites = fact_callers(p, f, function, &n);

    bool serves = false;
    for (size_t i = 0; i < n; i++) {
        const struct py_file *caller = fact_file(p, sites[i].file);
        uint32_t by = py_function_of(caller, sites[i].call);
        bool own = caller == f && py_up(f, by, PY_CLASS) == class;
        if (own && !is_getitem(f, by))
            return false;
        serves = serves || own;
    }
    return serves;
}

/* The function, of a class of data sets, that runs n for each item: __getitem__, or a method that only it calls;
 * otherwise 0. */
static uint32_t item_function(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n), class = function > 1 ? py_up(f, function, PY_CLASS) : 0;
    bool items = class != 0 && py_def_in(f, f->nodes[class].sym, py_sym(f, SPAN("__len__"))) != 0 &&
                 py_def_in(f, f->nodes[class].sym, py_sym(f, SPAN("__getitem__"))) != 0;

    return items && (is_getitem(f, function) || serves_getitem(p, f, function, class)) ? function : 0;
}

/* Does the expression depend on anything but self and what is bound outside: on the item's number? */
static bool depends_on_item(const struct py_file *f, uint32_t n, uint32_t function, int depth)
{
    enum { DEFS_MAX = 4 };
    uint32_t defs[DEFS_MAX];

    static const char *const others[] = {"rand", "choice", "BytesIO"}; /* drawn; filled by its methods */

    if (n == 0 || depth > DEEP_MAX || span_has_any(py_text(f, n), others, ARRAY_LEN(others)))
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
    static const char *const names[] = {"json.load", "yaml.safe_load", "yaml.load",   "torch.load", "h5py.File",
                                        "glob.glob", "os.listdir",     "pickle.load", "joblib.load"};

    return fact_has(p, f, call, TRAIT_LOADS_DATA) || fact_has(p, f, call, TRAIT_READS_IMAGE) ||
           span_is_any(fact_name(p, f, call), names, ARRAY_LEN(names));
}

/* The open() whose file the call reads whole: open(path).read(), lines.readlines(); otherwise 0. */
static uint32_t opened_for(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method = {"", 0};
    uint32_t from = py_receiver(f, call, &method), defs[2];

    if (from == 0 || py_argument(f, call, 0) != 0 ||
        !(span_eq(method, SPAN("read")) || span_eq(method, SPAN("readlines"))))
        return 0;
    if (py_kind(f, from) == PY_IDENTIFIER) {
        const struct py_def *def = py_reaching(f, from, defs, 2) == 1 ? &f->defs[defs[0]] : NULL;
        from = def != NULL && (def->kind == DEF_WITH || def->kind == DEF_ASSIGN) ? def->value : 0;
    }
    return from != 0 && py_kind(f, from) == PY_CALL && fact_is(p, f, from, "builtins.open") ? from : 0;
}

static bool tokenizes(const struct py_file *f, uint32_t call)
{
    static const char *const names[] = {"tokenize",          "word_tokenize",         "tokenizer",   "encode_plus",
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

/* --- a search through all items --- */

/* self.items, self.table["id"], of what a constructor made: the whole; otherwise 0. */
static uint32_t whole_of(const struct py_file *f, uint32_t n)
{
    while (n != 0 && py_kind(f, n) == PY_SUBSCRIPT) {
        uint32_t index = py_child(f, n, FIELD_SUBSCRIPT);
        if (index == 0 || py_kind(f, index) != PY_STRING)
            return 0;
        n = py_child(f, n, FIELD_VALUE);
    }
    while (n != 0 && py_kind(f, n) == PY_ATTRIBUTE && py_kind(f, py_child(f, n, FIELD_OBJECT)) == PY_ATTRIBUTE)
        n = py_child(f, n, FIELD_OBJECT); /* self.table.id */
    uint32_t object = n != 0 && py_kind(f, n) == PY_ATTRIBUTE ? py_child(f, n, FIELD_OBJECT) : 0;
    return object != 0 && py_is(f, object, "self") ? n : 0;
}

/* self.table[self.table.id == id]: the table; otherwise 0. */
static uint32_t masked(const struct py_file *f, uint32_t n)
{
    uint32_t table = py_child(f, n, FIELD_VALUE), mask = py_child(f, n, FIELD_SUBSCRIPT);

    mask = mask != 0 ? py_bare(f, mask) : 0;
    if (table == 0 || mask == 0 || py_kind(f, mask) != PY_COMPARISON || !span_has(py_text(f, mask), "=="))
        return 0;
    uint32_t whole = whole_of(f, table), compared = whole_of(f, py_first(f, mask));
    return whole != 0 && compared != 0 && span_eq(py_text(f, whole), py_text(f, compared)) ? whole : 0;
}

/* [x for x in self.items if x.id == id]: the items; otherwise 0. */
static uint32_t filtered(const struct py_file *f, uint32_t n)
{
    uint32_t over = 0;
    bool asks = false;

    for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_FOR_IN)
            over = py_child(f, c, FIELD_RIGHT);
        asks = asks || (py_kind(f, c) == PY_IF_CLAUSE && span_has(py_text(f, c), "=="));
    }
    return over != 0 && asks && py_kind(f, over) == PY_ATTRIBUTE ? whole_of(f, over) : 0;
}

static void check_search(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t all = py_kind(f, n) == PY_SUBSCRIPT            ? masked(f, n)
                   : py_kind(f, n) == PY_LIST_COMPREHENSION ? filtered(f, n)
                                                            : 0;
    uint32_t function = all != 0 ? item_function(p, f, n) : 0;

    if (function == 0 || fact_first_time(f, n, function))
        return;
    struct rule_finding *found = rule_report(r, n, CHECK_MEDIUM, "all of %s is searched for each item",
                                             RULE_TEXT(f, all));
    rule_why(found, "An epoch takes the square of the number of items.");
    rule_advice(found, "Group it once, in the constructor: a dictionary from the key to what belongs to it.");
}

static const char *const splits[] = {"train", "test", "val", "dev", "eval"};

/* Is it a data set of Hugging Face, not a dictionary of several: load_dataset(name, split="train")? */
static bool is_table(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t index = py_kind(f, n) == PY_SUBSCRIPT ? py_child(f, n, FIELD_SUBSCRIPT) : 0;
    bool chosen = index != 0 && py_kind(f, index) == PY_STRING &&
                  span_has_any(py_text(f, index), splits, ARRAY_LEN(splits));
    struct value v = fact_value(p, f, chosen ? py_child(f, n, FIELD_VALUE) : n);

    return v.kind == VALUE_OBJECT && span_starts(fact_name_text(p, v.name), SPAN("datasets.load_")) &&
           (chosen || span_has(fact_name_text(p, v.name), "disk") || fact_mentions(p, f, "split="));
}

/* rows["text"][i] in __getitem__() or a loop: the whole column is decoded for one of its items. */
static void check_columns(struct rule_run *r, struct project *p, const struct py_file *f)
{
    for (uint32_t n = 1; n < f->n_nodes; n++) {
        uint32_t column = py_kind(f, n) == PY_SUBSCRIPT ? py_child(f, n, FIELD_VALUE) : 0, item, name, function;
        if (column == 0 || py_kind(f, column) != PY_SUBSCRIPT)
            continue;
        item = py_child(f, n, FIELD_SUBSCRIPT);
        name = py_child(f, column, FIELD_SUBSCRIPT);
        function = py_function_of(f, n);
        struct loop loop = fact_loop(p, f, n);
        bool each = (loop.node != 0 && loop.trip != TRIP_SHORT) ||
                    (function > 1 && py_is(f, py_child(f, function, FIELD_NAME), "__getitem__"));
        if (item == 0 || name == 0 || py_kind(f, name) != PY_STRING || !py_is_named(f, item) || !each ||
            span_has_any(py_text(f, name), splits, ARRAY_LEN(splits)) ||
            !is_table(p, f, py_child(f, column, FIELD_VALUE)))
            continue;
        struct rule_finding *found = rule_report(r, n, CHECK_HIGH, "%s reads the whole column for one item",
                                                 RULE_TEXT(f, n));
        rule_why(found, "The column is decoded to Python objects each time (with datasets before 4).");
        rule_advice(found, "Take the row first: %s[%s][%s].", RULE_TEXT(f, py_child(f, column, FIELD_VALUE)),
                    RULE_TEXT(f, item), RULE_TEXT(f, name));
    }
}

static void look(struct rule_run *r, struct project *p, const struct py_file *f)
{
    check_columns(r, p, f);
    for (uint32_t n = 1; n < f->n_nodes; n++)
        check_search(r, p, f, n);
}

/* --- text that is parsed --- */

static bool is_number_type(const struct py_file *f, uint32_t n)
{
    return n != 0 && (py_is(f, n, "float") || py_is(f, n, "int"));
}

/* [float(v) for v in row.split()], map(int, row.split(",")): what gets the split text makes numbers of it? */
static bool splits_into_numbers(const struct py_file *f, uint32_t call)
{
    struct span method = {"", 0};
    uint32_t up = py_parent(f, call), around = py_parent(f, up);

    if (py_receiver(f, call, &method) == 0 || !span_eq(method, SPAN("split")))
        return false;
    if (py_kind(f, up) == PY_ARGUMENT_LIST && py_kind(f, around) == PY_CALL)
        return py_is(f, py_child(f, around, FIELD_FUNCTION), "map") && is_number_type(f, py_argument(f, around, 0));
    uint32_t body = py_kind(f, up) == PY_FOR_IN && py_kind(f, around) == PY_LIST_COMPREHENSION
                        ? py_child(f, around, FIELD_BODY)
                        : 0;
    return body != 0 && py_kind(f, body) == PY_CALL && is_number_type(f, py_child(f, body, FIELD_FUNCTION));
}

/* Does the call make numbers of text, which takes many times as long as reading them as they are in memory? */
static bool parses_text(struct project *p, const struct py_file *f, uint32_t call)
{
    /* clang-format off */
    static const char *const names[] = {"numpy.loadtxt", "numpy.genfromtxt", "ast.literal_eval", "xml.etree.ElementTree.parse",
                                        "xml.etree.cElementTree.parse", "xml.dom.minidom.parse", "lxml.etree.parse"};
    /* clang-format on */

    if (span_is_any(fact_name(p, f, call), names, ARRAY_LEN(names)) || splits_into_numbers(f, call))
        return true;
    return fact_is(p, f, call, "numpy.fromstring") && py_keyword(f, call, "sep") != 0;
}

static void report_text(struct rule_run *r, const struct py_file *f, uint32_t call)
{
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s parses the same text in each epoch",
                                             RULE_TEXT(f, call));

    rule_why(found, "The numbers are the same each time; parsing takes many times as long as copying them.");
    rule_advice(found, "Parse it once and keep arrays: in the constructor, or as .npy files made before training.");
}

static void report_tokens(struct rule_run *r, const struct py_file *f, uint32_t call)
{
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s() cuts the same text into tokens in each epoch",
                                             RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)));

    rule_unsure(found);
    rule_why(found, "The result is the same each time, and takes longer than reading it.");
    rule_advice(found, "Keep the tokens: in memory, or in a file, made once before training.");
}

static bool reaches_tokens(struct project *p, const struct py_file *f, uint32_t call)
{
    (void)p;
    return tokenizes(f, call);
}

/* Of a function that makes a batch: a call, for each of its texts, that tokenizes, itself or through others. */
static void check_batch(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct py_file *file;
    uint32_t callee;

    if (!fact_mentions(p, f, "token") || fact_loop(p, f, call).node == 0 ||
        !(tokenizes(f, call) ||
          (fact_callee(p, f, call, &file, &callee) && fact_reaches(p, file, callee, reaches_tokens))))
        return;
    if (fact_collates(p, f, py_function_of(f, call)))
        report_tokens(r, f, call);
}

/* Reads the call a whole file that is the same for each item? */
static bool check_file(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t function)
{
    uint32_t reader = reads_all(p, f, call) ? call : opened_for(p, f, call);
    uint32_t list = reader != 0 ? py_child(f, reader, FIELD_ARGUMENTS) : 0;

    if (list == 0 || py_argument(f, reader, 0) == 0 || depends_on_item(f, list, function, 1))
        return false;
    rule_report(r, call, CHECK_HIGH, "%s is read again for each item", RULE_TEXT(f, py_argument(f, reader, 0)));
    return true;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = item_function(p, f, call);

    if (function == 0)
        check_batch(r, p, f, call);
    if (function == 0 || fact_first_time(f, call, function) || check_file(r, p, f, call, function))
        return;
    if (parses_text(p, f, call) && py_up(f, call, PY_IF) <= function) {
        report_text(r, f, call);
        return;
    }
    if (tokenizes(f, call) && py_up(f, call, PY_IF) <= function && !said_before(p, f, function, call))
        report_tokens(r, f, call);
}

const struct rule_looks rule_PP615 = {.run = look, .call = check_call};
