/* Reads a file with tree-sitter and keeps what is asked for. */
#define _GNU_SOURCE

#include "check/python/py_parts.h"

#include "base/log.h"
#include "check/python/pool.h"

#include <pthread.h>
#include <time.h>
#include <tree_sitter/api.h>

/* The grammar's own name for its entry. */
const TSLanguage *tree_sitter_python(void);

static const char *const kind_names[PY_N_KINDS] = {
    [PY_MODULE] = "module",
    [PY_BLOCK] = "block",
    [PY_EXPRESSION_STATEMENT] = "expression_statement",
    [PY_ASSIGNMENT] = "assignment",
    [PY_AUGMENTED_ASSIGNMENT] = "augmented_assignment",
    [PY_NAMED_EXPRESSION] = "named_expression",
    [PY_CALL] = "call",
    [PY_ARGUMENT_LIST] = "argument_list",
    [PY_KEYWORD_ARGUMENT] = "keyword_argument",
    [PY_LIST_SPLAT] = "list_splat",
    [PY_DICTIONARY_SPLAT] = "dictionary_splat",
    [PY_ATTRIBUTE] = "attribute",
    [PY_SUBSCRIPT] = "subscript",
    [PY_SLICE] = "slice",
    [PY_IDENTIFIER] = "identifier",
    [PY_INTEGER] = "integer",
    [PY_FLOAT] = "float",
    [PY_STRING] = "string",
    [PY_CONCATENATED_STRING] = "concatenated_string",
    [PY_STRING_CONTENT] = "string_content",
    [PY_INTERPOLATION] = "interpolation",
    [PY_TRUE] = "true",
    [PY_FALSE] = "false",
    [PY_NONE_LITERAL] = "none",
    [PY_ELLIPSIS] = "ellipsis",
    [PY_LIST] = "list",
    [PY_TUPLE] = "tuple",
    [PY_DICTIONARY] = "dictionary",
    [PY_SET] = "set",
    [PY_PAIR] = "pair",
    [PY_PARENTHESIZED] = "parenthesized_expression",
    [PY_EXPRESSION_LIST] = "expression_list",
    [PY_BINARY_OPERATOR] = "binary_operator",
    [PY_UNARY_OPERATOR] = "unary_operator",
    [PY_BOOLEAN_OPERATOR] = "boolean_operator",
    [PY_NOT_OPERATOR] = "not_operator",
    [PY_COMPARISON] = "comparison_operator",
    [PY_CONDITIONAL] = "conditional_expression",
    [PY_AWAIT] = "await",
    [PY_YIELD] = "yield",
    [PY_LAMBDA] = "lambda",
    [PY_LIST_COMPREHENSION] = "list_comprehension",
    [PY_SET_COMPREHENSION] = "set_comprehension",
    [PY_DICTIONARY_COMPREHENSION] = "dictionary_comprehension",
    [PY_GENERATOR] = "generator_expression",
    [PY_FOR_IN] = "for_in_clause",
    [PY_IF_CLAUSE] = "if_clause",
    [PY_FUNCTION] = "function_definition",
    [PY_CLASS] = "class_definition",
    [PY_DECORATED] = "decorated_definition",
    [PY_DECORATOR] = "decorator",
    [PY_PARAMETERS] = "parameters",
    [PY_DEFAULT_PARAMETER] = "default_parameter",
    [PY_TYPED_PARAMETER] = "typed_parameter",
    [PY_TYPED_DEFAULT_PARAMETER] = "typed_default_parameter",
    [PY_LIST_SPLAT_PATTERN] = "list_splat_pattern",
    [PY_DICTIONARY_SPLAT_PATTERN] = "dictionary_splat_pattern",
    [PY_PATTERN_LIST] = "pattern_list",
    [PY_TUPLE_PATTERN] = "tuple_pattern",
    [PY_LIST_PATTERN] = "list_pattern",
    [PY_TYPE] = "type",
    [PY_IF] = "if_statement",
    [PY_ELIF] = "elif_clause",
    [PY_ELSE] = "else_clause",
    [PY_FOR] = "for_statement",
    [PY_WHILE] = "while_statement",
    [PY_TRY] = "try_statement",
    [PY_EXCEPT] = "except_clause",
    [PY_FINALLY] = "finally_clause",
    [PY_WITH] = "with_statement",
    [PY_WITH_CLAUSE] = "with_clause",
    [PY_WITH_ITEM] = "with_item",
    [PY_AS_PATTERN] = "as_pattern",
    [PY_AS_PATTERN_TARGET] = "as_pattern_target",
    [PY_MATCH] = "match_statement",
    [PY_CASE] = "case_clause",
    [PY_RETURN] = "return_statement",
    [PY_RAISE] = "raise_statement",
    [PY_BREAK] = "break_statement",
    [PY_CONTINUE] = "continue_statement",
    [PY_PASS] = "pass_statement",
    [PY_DELETE] = "delete_statement",
    [PY_GLOBAL] = "global_statement",
    [PY_NONLOCAL] = "nonlocal_statement",
    [PY_ASSERT] = "assert_statement",
    [PY_PRINT] = "print_statement",
    [PY_IMPORT] = "import_statement",
    [PY_IMPORT_FROM] = "import_from_statement",
    [PY_FUTURE_IMPORT] = "future_import_statement",
    [PY_ALIASED_IMPORT] = "aliased_import",
    [PY_DOTTED_NAME] = "dotted_name",
    [PY_RELATIVE_IMPORT] = "relative_import",
    [PY_IMPORT_PREFIX] = "import_prefix",
    [PY_WILDCARD_IMPORT] = "wildcard_import",
    [PY_COMMENT] = "comment",
    [PY_ERROR] = "ERROR",
};

static const char *const field_names[PY_N_FIELDS] = {
    [FIELD_NAME] = "name",
    [FIELD_VALUE] = "value",
    [FIELD_LEFT] = "left",
    [FIELD_RIGHT] = "right",
    [FIELD_FUNCTION] = "function",
    [FIELD_ARGUMENTS] = "arguments",
    [FIELD_OBJECT] = "object",
    [FIELD_ATTRIBUTE] = "attribute",
    [FIELD_SUBSCRIPT] = "subscript",
    [FIELD_BODY] = "body",
    [FIELD_PARAMETERS] = "parameters",
    [FIELD_CONDITION] = "condition",
    [FIELD_CONSEQUENCE] = "consequence",
    [FIELD_ALTERNATIVE] = "alternative",
    [FIELD_ALIAS] = "alias",
    [FIELD_MODULE_NAME] = "module_name",
    [FIELD_SUPERCLASSES] = "superclasses",
    [FIELD_DEFINITION] = "definition",
    [FIELD_TYPE] = "type",
    [FIELD_RETURN_TYPE] = "return_type",
    [FIELD_OPERATOR] = "operator",
    [FIELD_ARGUMENT] = "argument",
    [FIELD_KEY] = "key",
};

enum { GRAMMAR_SYMBOLS_MAX = 1024, GRAMMAR_FIELDS_MAX = 256 };

/* Of the grammar's numbers; the same for all threads. */
static struct {
    uint32_t n_symbols, n_fields;
    uint8_t kinds[GRAMMAR_SYMBOLS_MAX], fields[GRAMMAR_FIELDS_MAX];
    bool fits; /* the library reads the grammar */
} grammar;

static void number_kinds(const TSLanguage *language)
{
    for (uint32_t i = 0; i < grammar.n_symbols; i++)
        for (unsigned k = 1; k < PY_N_KINDS; k++)
            if (ts_language_symbol_type(language, (TSSymbol)i) == TSSymbolTypeRegular &&
                strcmp(ts_language_symbol_name(language, (TSSymbol)i), kind_names[k]) == 0)
                grammar.kinds[i] = (uint8_t)k;
}

static void number_fields(const TSLanguage *language)
{
    for (uint32_t i = 1; i < grammar.n_fields; i++)
        for (unsigned k = 1; k < PY_N_FIELDS; k++)
            if (strcmp(ts_language_field_name_for_id(language, (TSFieldId)i), field_names[k]) == 0)
                grammar.fields[i] = (uint8_t)k;
}

static void load_grammar(void)
{
    const TSLanguage *language = tree_sitter_python();

    ts_set_allocator(pool_malloc, pool_calloc, pool_realloc, pool_release);
    TSParser *parser = ts_parser_new();
    grammar.n_symbols = ts_language_symbol_count(language);
    grammar.n_fields = ts_language_field_count(language) + 1;
    grammar.fits = ts_parser_set_language(parser, language) && grammar.n_symbols <= GRAMMAR_SYMBOLS_MAX &&
                   grammar.n_fields <= GRAMMAR_FIELDS_MAX;
    ts_parser_delete(parser);
    if (!grammar.fits) {
        log_error("the Python grammar is not for this tree-sitter library");
        return;
    }
    number_kinds(language);
    number_fields(language);
}

struct py_parser {
    struct pool *pool;
    struct py_node *nodes; /* of the file that is being read */
    uint32_t capacity;
};

struct py_parser *py_parser_new(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load_grammar);
    if (!grammar.fits)
        return NULL;
    struct py_parser *p = mem_zero(1, sizeof *p);
    p->pool = pool_new();
    return p;
}

void py_parser_free(struct py_parser *p)
{
    if (p == NULL)
        return;
    pool_free(p->pool);
    mem_free(p->nodes);
    mem_free(p);
}

static uint32_t *sym_slot(struct py_file *f, struct span name)
{
    size_t mask = f->n_sym_slots - 1;
    size_t at = span_hash(name) & mask;

    while (f->sym_slots[at] != 0 && !span_eq(f->syms[f->sym_slots[at]], name))
        at = (at + 1) & mask;
    return &f->sym_slots[at];
}

static void grow_syms(struct py_file *f)
{
    mem_free(f->sym_slots);
    f->n_sym_slots = f->n_sym_slots == 0 ? 256 : f->n_sym_slots * 2;
    f->sym_slots = mem_zero(f->n_sym_slots, sizeof *f->sym_slots);
    for (uint32_t i = 1; i <= f->n_syms; i++)
        *sym_slot(f, f->syms[i]) = i;
}

static uint32_t intern(struct py_file *f, struct span name)
{
    if (f->n_sym_slots == 0 || f->n_syms >= f->n_sym_slots / 2)
        grow_syms(f);
    uint32_t *slot = sym_slot(f, name);
    if (*slot != 0)
        return *slot;
    if (f->n_syms + 1 >= f->syms_capacity) {
        f->syms_capacity *= 2;
        f->syms = mem_resize(f->syms, f->syms_capacity, sizeof *f->syms);
    }
    f->syms[++f->n_syms] = name;
    *slot = f->n_syms;
    return *slot;
}

/* Number 0: what has no name has an empty one. */
static void add_no_name(struct py_file *f)
{
    enum { SYMS_AT_FIRST = 64 };

    f->syms_capacity = SYMS_AT_FIRST;
    f->syms = mem_resize(f->syms, f->syms_capacity, sizeof *f->syms);
    f->syms[0] = (struct span){"", 0};
}

uint32_t py_sym(const struct py_file *f, struct span name)
{
    if (f->n_sym_slots == 0)
        return 0;
    size_t mask = f->n_sym_slots - 1;
    size_t at = span_hash(name) & mask;

    while (f->sym_slots[at] != 0 && !span_eq(f->syms[f->sym_slots[at]], name))
        at = (at + 1) & mask;
    return f->sym_slots[at];
}

static uint32_t add_node(struct py_file *f, struct py_node node)
{
    if (f->n_nodes >= f->nodes_capacity) {
        f->nodes_capacity = f->nodes_capacity == 0 ? 1024 : f->nodes_capacity + f->nodes_capacity / 2;
        f->nodes = mem_resize(f->nodes, f->nodes_capacity, sizeof *f->nodes);
    }
    f->nodes[f->n_nodes] = node;
    return f->n_nodes++;
}

static void add_comment(struct py_file *f, uint32_t start, uint32_t end)
{
    if (f->n_comments >= f->comments_capacity) {
        f->comments_capacity = f->comments_capacity == 0 ? 64 : f->comments_capacity * 2;
        f->comments = mem_resize(f->comments, f->comments_capacity, sizeof *f->comments);
    }
    f->comments[f->n_comments++] = (struct py_comment){start, end};
}

/* The node that the cursor is at becomes one of ours; 0 when it is not kept, and what is in it
 * neither. What was parsed begins at base. */
static uint32_t take_node(struct py_file *f, TSTreeCursor *cursor, uint32_t base, uint32_t parent)
{
    TSNode node = ts_tree_cursor_current_node(cursor);
    uint32_t start, end;
    TSSymbol symbol = ts_node_symbol(node);

    if (!ts_node_is_named(node))
        return 0;
    enum py_kind kind = symbol < grammar.n_symbols ? (enum py_kind)grammar.kinds[symbol]
                        : symbol == (TSSymbol)-1   ? PY_ERROR
                                                   : PY_OTHER;
    start = base + ts_node_start_byte(node);
    end = base + ts_node_end_byte(node);
    if (kind == PY_COMMENT) {
        struct span text = {f->code.ptr + start, end - start};
        if (span_has(text, "ppmine:"))
            add_comment(f, start, end);
        return 0;
    }
    if (kind == PY_PRINT)
        f->python2 = true;
    TSFieldId field = ts_tree_cursor_current_field_id(cursor);
    struct py_node made = {
        .start = start,
        .end = end,
        .parent = parent,
        .kind = (uint8_t)kind,
        .field = field < grammar.n_fields ? grammar.fields[field] : (uint8_t)FIELD_NONE,
        .depth = (uint16_t)(parent == 0 ? 0 : f->nodes[parent].depth + 1),
    };
    if (kind == PY_IDENTIFIER)
        made.sym = intern(f, (struct span){f->code.ptr + start, end - start});
    uint32_t n = add_node(f, made);
    f->nodes[n].after = n + 1;
    return n;
}

/* What is known of a node when all that is in it was seen. */
static void finish_node(struct py_file *f, uint32_t n)
{
    struct py_node *node = &f->nodes[n];

    node->after = f->n_nodes;
    if (node->kind == PY_ATTRIBUTE) {
        uint32_t name = py_child(f, n, FIELD_ATTRIBUTE);
        node->sym = name != 0 ? f->nodes[name].sym : 0;
    } else if (node->kind == PY_KEYWORD_ARGUMENT) {
        uint32_t name = py_child(f, n, FIELD_NAME);
        node->sym = name != 0 ? f->nodes[name].sym : 0;
    }
}

/* A string that no code stands in: nobody asks for its parts. */
static bool is_plain_string(const struct py_file *f, uint32_t n)
{
    const struct py_node *node = &f->nodes[n];

    if (node->kind != PY_STRING)
        return false;
    for (uint32_t at = node->start; at < node->end; at++) {
        char c = f->code.ptr[at];
        if (c == '"' || c == '\'')
            return true;
        if ((c | 0x20) == 'f' || (c | 0x20) == 't')
            return false;
    }
    return false;
}

/* Without recursion: `open` holds the nodes around the cursor, 0 for those that are not kept. The
 * roots of all pieces are one module. */
static void take_tree(struct py_file *f, TSTree *tree, uint32_t base)
{
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    uint32_t open = f->n_nodes > 1 ? 1 : take_node(f, &cursor, base, 0);

    while (open != 0) {
        bool down = f->nodes[open].depth < PY_DEPTH_MAX && !is_plain_string(f, open) &&
                    ts_tree_cursor_goto_first_child(&cursor);
        if (!down) {
            finish_node(f, open);
            uint32_t parent = f->nodes[open].parent;
            while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
                if (parent == 0 || !ts_tree_cursor_goto_parent(&cursor)) {
                    ts_tree_cursor_delete(&cursor);
                    return;
                }
                finish_node(f, parent);
                parent = f->nodes[parent].parent;
            }
            open = parent;
        }
        /* At a child of `open` now; those that are not kept are stepped over. */
        uint32_t taken;
        while ((taken = take_node(f, &cursor, base, open)) == 0) {
            while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
                finish_node(f, open);
                open = f->nodes[open].parent;
                if (open == 0 || !ts_tree_cursor_goto_parent(&cursor)) {
                    ts_tree_cursor_delete(&cursor);
                    return;
                }
            }
        }
        open = taken;
    }
    ts_tree_cursor_delete(&cursor);
}

double py_seconds(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* One try to read a piece of a file. */
struct attempt {
    struct py_piece *piece;
    TSTree *tree; /* NULL: it was given up */
};

/* The parser and the tree come from the pool, and go with it. The library's limit is by the clock
 * on the wall; on a busy machine a parse that was stopped goes on, until its own time is up. */
static void parse(void *ctx)
{
    struct attempt *a = ctx;
    const struct py_piece *piece = a->piece;
    TSParser *parser = ts_parser_new();

    ts_parser_set_language(parser, tree_sitter_python());
    ts_parser_set_timeout_micros(parser, 500000);
    while (a->tree == NULL && py_seconds() < piece->until)
        a->tree = ts_parser_parse_string(parser, NULL, piece->f->code.ptr + piece->from, piece->to - piece->from);
}

static void take(void *ctx)
{
    struct attempt *a = ctx;

    a->piece->has_errors = ts_node_has_error(ts_tree_root_node(a->tree));
    take_tree(a->piece->f, a->tree, a->piece->from);
}

/* What a tree may take, and what small files may besides. Of Python it takes some hundred bytes for
 * each of its code, of rubbish sometimes thousands. */
enum { TREE_BYTES_FACTOR = 256, TREE_BYTES_MORE = 64 << 20, CURSOR_BYTES = 1 << 20 };

bool py_read_piece(struct py_parser *p, struct py_piece *piece, double seconds)
{
    size_t size = piece->to - piece->from;
    double until = py_seconds() + seconds + (double)size / 500000;
    struct attempt a = {.piece = piece};

    if (piece->until == 0 || piece->until > until)
        piece->until = until;
    bool fine = pool_run(p->pool, TREE_BYTES_MORE + size * TREE_BYTES_FACTOR, parse, &a) && a.tree != NULL &&
                pool_run(p->pool, CURSOR_BYTES, take, &a);
    pool_reset(p->pool);
    return fine;
}

/* Those of a large file are not copied: the array would be there twice. */
static void keep_nodes(struct py_parser *p, struct py_file *f)
{
    enum { COPIED_MAX = 100000 };

    if (f->n_nodes > COPIED_MAX) {
        f->nodes = mem_resize(f->nodes, f->n_nodes, sizeof *f->nodes);
        p->nodes = NULL;
        p->capacity = 0;
    } else {
        p->nodes = f->nodes;
        p->capacity = f->nodes_capacity;
        f->nodes = mem_alloc(f->n_nodes * sizeof *f->nodes);
        memcpy(f->nodes, p->nodes, f->n_nodes * sizeof *f->nodes);
    }
    f->nodes_capacity = f->n_nodes;
}

/* Nodes are gathered in the parser's array, which has grown before. */
void py_begin(struct py_parser *p, struct py_file *f)
{
    add_no_name(f);
    f->nodes = p->nodes;
    f->nodes_capacity = p->capacity;
    add_node(f, (struct py_node){0}); /* number 0 is "none" */
}

bool py_end(struct py_parser *p, struct py_file *f)
{
    bool fine = f->n_nodes > 1;

    if (!fine)
        add_node(f, (struct py_node){.kind = PY_MODULE, .after = 2});
    f->nodes[1].kind = PY_MODULE; /* also where the whole is one error */
    if (f->n_unread > 0 || f->code.len > PY_PART_BYTES)
        f->nodes[1].end = (uint32_t)f->code.len;
    keep_nodes(p, f);
    return fine;
}
