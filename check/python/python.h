/*
 * py: a Python file as a compact syntax tree with scopes and definitions. For check only; rules use check/facts.
 *
 * A node is a number: 1 is the module; 0 means "none", without kind, text or nodes in or after it. Nodes are in source
 * order, each before its children: a subtree is n … after-1, and "is a inside b" is two comparisons. Nodes deeper than
 * PY_DEPTH_MAX are left out, which bounds recursion. Punctuation has no nodes; comments have their own list.
 */
#pragma once

#include "base/base.h"

enum { PY_DEPTH_MAX = 300 };

/* clang-format off */
/* The kinds of nodes that anyone asks for, and the grammar's words for them. */
#define PY_KINDS(K) \
    K(PY_MODULE, "module") \
    K(PY_BLOCK, "block") \
    K(PY_EXPRESSION_STATEMENT, "expression_statement") \
    K(PY_ASSIGNMENT, "assignment") \
    K(PY_AUGMENTED_ASSIGNMENT, "augmented_assignment") \
    K(PY_NAMED_EXPRESSION, "named_expression") \
    K(PY_CALL, "call") \
    K(PY_ARGUMENT_LIST, "argument_list") \
    K(PY_KEYWORD_ARGUMENT, "keyword_argument") \
    K(PY_LIST_SPLAT, "list_splat") \
    K(PY_DICTIONARY_SPLAT, "dictionary_splat") \
    K(PY_ATTRIBUTE, "attribute") \
    K(PY_SUBSCRIPT, "subscript") \
    K(PY_SLICE, "slice") \
    K(PY_IDENTIFIER, "identifier") \
    K(PY_INTEGER, "integer") \
    K(PY_FLOAT, "float") \
    K(PY_STRING, "string") \
    K(PY_CONCATENATED_STRING, "concatenated_string") \
    K(PY_STRING_CONTENT, "string_content") \
    K(PY_INTERPOLATION, "interpolation") \
    K(PY_TRUE, "true") \
    K(PY_FALSE, "false") \
    K(PY_NONE_LITERAL, "none") \
    K(PY_ELLIPSIS, "ellipsis") \
    K(PY_LIST, "list") \
    K(PY_TUPLE, "tuple") \
    K(PY_DICTIONARY, "dictionary") \
    K(PY_SET, "set") \
    K(PY_PAIR, "pair") \
    K(PY_PARENTHESIZED, "parenthesized_expression") \
    K(PY_EXPRESSION_LIST, "expression_list") \
    K(PY_BINARY_OPERATOR, "binary_operator") \
    K(PY_UNARY_OPERATOR, "unary_operator") \
    K(PY_BOOLEAN_OPERATOR, "boolean_operator") \
    K(PY_NOT_OPERATOR, "not_operator") \
    K(PY_COMPARISON, "comparison_operator") \
    K(PY_CONDITIONAL, "conditional_expression") \
    K(PY_AWAIT, "await") \
    K(PY_YIELD, "yield") \
    K(PY_LAMBDA, "lambda") \
    K(PY_LIST_COMPREHENSION, "list_comprehension") \
    K(PY_SET_COMPREHENSION, "set_comprehension") \
    K(PY_DICTIONARY_COMPREHENSION, "dictionary_comprehension") \
    K(PY_GENERATOR, "generator_expression") \
    K(PY_FOR_IN, "for_in_clause") \
    K(PY_IF_CLAUSE, "if_clause") \
    K(PY_FUNCTION, "function_definition") \
    K(PY_CLASS, "class_definition") \
    K(PY_DECORATED, "decorated_definition") \
    K(PY_DECORATOR, "decorator") \
    K(PY_DEFAULT_PARAMETER, "default_parameter") \
    K(PY_TYPED_PARAMETER, "typed_parameter") \
    K(PY_TYPED_DEFAULT_PARAMETER, "typed_default_parameter") \
    K(PY_LIST_SPLAT_PATTERN, "list_splat_pattern") \
    K(PY_DICTIONARY_SPLAT_PATTERN, "dictionary_splat_pattern") \
    K(PY_PATTERN_LIST, "pattern_list") \
    K(PY_TUPLE_PATTERN, "tuple_pattern") \
    K(PY_LIST_PATTERN, "list_pattern") \
    K(PY_TYPE, "type") \
    K(PY_IF, "if_statement") \
    K(PY_ELIF, "elif_clause") \
    K(PY_ELSE, "else_clause") \
    K(PY_FOR, "for_statement") \
    K(PY_WHILE, "while_statement") \
    K(PY_TRY, "try_statement") \
    K(PY_EXCEPT, "except_clause") \
    K(PY_FINALLY, "finally_clause") \
    K(PY_WITH, "with_statement") \
    K(PY_WITH_ITEM, "with_item") \
    K(PY_AS_PATTERN, "as_pattern") \
    K(PY_AS_PATTERN_TARGET, "as_pattern_target") \
    K(PY_MATCH, "match_statement") \
    K(PY_CASE, "case_clause") \
    K(PY_RETURN, "return_statement") \
    K(PY_RAISE, "raise_statement") \
    K(PY_BREAK, "break_statement") \
    K(PY_CONTINUE, "continue_statement") \
    K(PY_PASS, "pass_statement") \
    K(PY_DELETE, "delete_statement") \
    K(PY_GLOBAL, "global_statement") \
    K(PY_NONLOCAL, "nonlocal_statement") \
    K(PY_ASSERT, "assert_statement") \
    K(PY_PRINT, "print_statement") \
    K(PY_IMPORT, "import_statement") \
    K(PY_IMPORT_FROM, "import_from_statement") \
    K(PY_ALIASED_IMPORT, "aliased_import") \
    K(PY_DOTTED_NAME, "dotted_name") \
    K(PY_RELATIVE_IMPORT, "relative_import") \
    K(PY_WILDCARD_IMPORT, "wildcard_import") \
    K(PY_COMMENT, "comment") \
    K(PY_ERROR, "ERROR")
enum py_kind {
    PY_OTHER,
#define K(kind, word) kind,
    PY_KINDS(K)
#undef K
    PY_N_KINDS
};

/* The role of a node in its parent, where the grammar names it. */
#define PY_FIELDS(F) \
    F(FIELD_NAME, "name") \
    F(FIELD_VALUE, "value") \
    F(FIELD_LEFT, "left") \
    F(FIELD_RIGHT, "right") \
    F(FIELD_FUNCTION, "function") \
    F(FIELD_ARGUMENTS, "arguments") \
    F(FIELD_OBJECT, "object") \
    F(FIELD_ATTRIBUTE, "attribute") \
    F(FIELD_SUBSCRIPT, "subscript") \
    F(FIELD_BODY, "body") \
    F(FIELD_PARAMETERS, "parameters") \
    F(FIELD_CONDITION, "condition") \
    F(FIELD_CONSEQUENCE, "consequence") \
    F(FIELD_ALTERNATIVE, "alternative") \
    F(FIELD_ALIAS, "alias") \
    F(FIELD_MODULE_NAME, "module_name") \
    F(FIELD_SUPERCLASSES, "superclasses") \
    F(FIELD_TYPE, "type")
enum py_field {
    FIELD_NONE,
#define F(field, word) field,
    PY_FIELDS(F)
#undef F
    PY_N_FIELDS
};
/* clang-format on */

struct py_node {
    uint32_t start, end; /* bytes of the file's code */
    uint32_t parent;
    uint32_t after; /* the first node after the subtree */
    /* The number of the name (identifier, attribute, keyword argument) or of the scope (module, class, function,
     * lambda, comprehension); else 0. */
    uint32_t sym;
    uint8_t kind, field;
    uint16_t depth;
};

enum scope_kind { SCOPE_MODULE, SCOPE_CLASS, SCOPE_FUNCTION, SCOPE_COMPREHENSION };

struct py_scope {
    uint32_t node, parent; /* parent: a scope; the module's own is 0 */
    enum scope_kind kind;
};

enum def_kind {
    DEF_ASSIGN,   /* value: the expression */
    DEF_UNPACK,   /* value: of the whole; index: which part, or -1 */
    DEF_AUGMENT,  /* value: the right side */
    DEF_FOR,      /* value: the iterable; index as for DEF_UNPACK, -2 when it is not unpacked */
    DEF_WITH,     /* value: the context */
    DEF_OTHER,    /* except … as x, del x, captures */
    DEF_PARAM,    /* value: the default, if any; index: its position, -1 after a star */
    DEF_FUNCTION, /* value: the definition */
    DEF_CLASS,
    DEF_IMPORT,  /* value: dotted name that is bound; index 1: the alias or only name of it */
    DEF_FROM,    /* value: the name in the module; node's import is py_up(PY_IMPORT_FROM) */
    DEF_DECLARED /* x: T without a value; value is 0 */
};

struct py_def {
    uint32_t scope, sym;
    uint32_t node;                         /* the identifier (or attribute) that is bound */
    uint32_t value;                        /* see def_kind */
    uint32_t type;                         /* its annotation, or 0 */
    uint32_t next;                         /* of the same name in the same scope, in source order; 0 ends */
    uint32_t last;                         /* in the first of them: the last */
    uint32_t begin, n_names, n_attributes; /* in the first of them: see py_file.def_order */
    int16_t index;
    uint8_t kind;
    bool attribute; /* self.x = …, kept in the scope of the class */
};

/* In a notebook, where a line of the code stands. */
struct py_cell_line {
    uint32_t cell, line; /* from 1 */
    uint32_t at;         /* the byte of the notebook at which it begins */
};

/* A comment that speaks to us ("ppmine:"), from # to the end of its line. */
struct py_comment {
    uint32_t start, end;
};

struct py_file {
    const char *path;                 /* as it is seen from its project */
    struct span code;                 /* what was parsed; the caller's, must outlive the file */
    const struct py_cell_line *cells; /* of a notebook, for each line; otherwise NULL; borrowed */
    size_t n_cells;
    struct py_node *nodes;
    struct py_comment *comments;
    struct span *syms;       /* by number, from 1; 0 is empty */
    struct py_scope *scopes; /* by number, from 1: the module */
    struct py_def *defs;     /* by number, from 1 */
    uint32_t *sym_slots, *def_slots;
    size_t nodes_capacity, comments_capacity, syms_capacity, scopes_capacity, defs_capacity;
    uint32_t n_nodes, n_comments, n_syms, n_scopes, n_defs, n_sym_slots, n_def_slots;
    uint32_t number; /* in its project */
    /* Definitions by name and scope: those that are not attributes, then attributes, both in the order of nodes. */
    uint32_t *def_order;
    /* Nodes with a py_name, by the name's number, in order; those of sym: first_uses[sym] to first_uses[sym + 1]. */
    uint32_t *uses, *first_uses;
    uint32_t *lines; /* where each begins */
    uint32_t n_lines;
    uint32_t unread, n_unread; /* lines that were left out: the first one's number, how many */
    bool has_errors;           /* parts of it are not Python */
    bool python2;              /* has print statements */
    bool beside;               /* read for what it says of others: given up sooner */
    unsigned char named;       /* of check/facts: what its bytes name; 0: nobody looked */
};

/* A parser for one thread. */
struct py_parser;
struct py_parser *py_parser_new(void);
void py_parser_free(struct py_parser *p);

/* Reads f->code (at most PY_CODE_MAX bytes) into *f, all-zero but for path, code, number and beside. Wrong Python never
 * fails: what cannot be read is left out. When the parser takes more than PY_SECONDS_MAX of processor time (and two for
 * each MB of code), far more memory than Python does, or has too many open brackets to count, reads only the lines
 * before and after the one where that begins, for PY_PIECES_SECONDS more. f->beside: at most PY_BESIDE_SECONDS, twice.
 * false: nothing was read; the file's only node is the module. */
enum { PY_CODE_MAX = 64 << 20, PY_SECONDS_MAX = 20, PY_PIECES_SECONDS = 10, PY_BESIDE_SECONDS = 2 };
bool MUST_USE py_read(struct py_parser *p, struct py_file *f);
void py_clear(struct py_file *f);

/* --- the tree --- */

static inline enum py_kind py_kind(const struct py_file *f, uint32_t n)
{
    return (enum py_kind)f->nodes[n].kind;
}
static inline uint32_t py_parent(const struct py_file *f, uint32_t n)
{
    return f->nodes[n].parent;
}
/* The first node in n, or 0. */
static inline uint32_t py_first(const struct py_file *f, uint32_t n)
{
    return f->nodes[n].after > n + 1 ? n + 1 : 0;
}
/* The node after n in the same parent, or 0. */
static inline uint32_t py_next(const struct py_file *f, uint32_t n)
{
    uint32_t after = f->nodes[n].after;

    return after < f->nodes[f->nodes[n].parent].after ? after : 0;
}
/* The last node in n, of those directly in it, or 0. */
static inline uint32_t py_last(const struct py_file *f, uint32_t n)
{
    uint32_t last = f->nodes[n].after;

    if (last <= n + 1)
        return 0;
    for (last--; f->nodes[last].parent != n;)
        last = f->nodes[last].parent;
    return last;
}
/* Is it a `for` or `while` statement? */
static inline bool py_is_loop(const struct py_file *f, uint32_t n)
{
    return py_kind(f, n) == PY_FOR || py_kind(f, n) == PY_WHILE;
}
/* n is `outer` or is in it. */
static inline bool py_inside(const struct py_file *f, uint32_t n, uint32_t outer)
{
    return outer <= n && n < f->nodes[outer].after;
}
/* The first child with the field, or 0. */
uint32_t py_child(const struct py_file *f, uint32_t n, enum py_field field);
/* The same where n is of the kind; 0 for all else. */
static inline uint32_t py_child_of(const struct py_file *f, uint32_t n, enum py_kind kind, enum py_field field)
{
    return py_kind(f, n) == kind ? py_child(f, n, field) : 0;
}
/* Is there a node of the kind in n, or is n one? */
bool py_has(const struct py_file *f, uint32_t n, enum py_kind kind);
/* n or the nearest node around it that has the kind, or 0. */
uint32_t py_up(const struct py_file *f, uint32_t n, enum py_kind kind);
/* The statement that n is part of: the node whose parent is a block or the module. */
uint32_t py_statement(const struct py_file *f, uint32_t n);
/* The block of a loop or function that runs each time; the node itself if there is none. */
uint32_t py_body(const struct py_file *f, uint32_t loop);
/* The class whose method the function is, or 0. */
uint32_t py_class_of(const struct py_file *f, uint32_t function);
/* The decorator (PY_DECORATOR) of the function or class that comes after this one, from 0 on; 0: there is no other. */
uint32_t py_decorator(const struct py_file *f, uint32_t function, uint32_t last);
/* Has the function a decorator in whose text is one of the words; or (!has) one in which none is? */
bool py_decorated(const struct py_file *f, uint32_t function, const char *words, bool has);
/* n without parentheses around it. */
uint32_t py_bare(const struct py_file *f, uint32_t n);
/* What the statement n, a return of this very function, gives, without parentheses; 0: it is another one, or gives nothing. */
uint32_t py_returned(const struct py_file *f, uint32_t n, uint32_t function);
/* Of a tuple the part with this index, 0 where it is no tuple or has none; the whole for -1. */
uint32_t py_part(const struct py_file *f, uint32_t value, int part);
struct span py_text(const struct py_file *f, uint32_t n);
/* The text between two nodes, without blanks around it: operators have no nodes. */
struct span py_between(const struct py_file *f, uint32_t left, uint32_t right);
bool py_is(const struct py_file *f, uint32_t n, const char *text);
/* An integer literal, perhaps with a sign. */
bool py_integer(const struct py_file *f, uint32_t n, int64_t *value);
/* Line from 1; column from 1 in characters. */
uint32_t py_line(const struct py_file *f, uint32_t offset);
uint32_t py_column(const struct py_file *f, uint32_t offset);
struct span py_line_text(const struct py_file *f, uint32_t line); /* without its end */

/* --- calls --- */

/* The i-th positional argument, or 0; stars end the count. */
uint32_t py_argument(const struct py_file *f, uint32_t call, size_t i);
/* The value of the keyword argument, or 0. */
uint32_t py_keyword(const struct py_file *f, uint32_t call, const char *name);
uint32_t py_keyword_of(const struct py_file *f, uint32_t call, struct span name);
/* Positional or keyword, or 0. */
uint32_t py_argument_or(const struct py_file *f, uint32_t call, size_t i, const char *name);
/* Arguments came by * or **: what is not seen may be there. */
bool py_has_splat(const struct py_file *f, uint32_t call);
/* Is it an identifier, attribute or keyword argument with a name? */
static inline bool py_is_named(const struct py_file *f, uint32_t n)
{
    enum py_kind kind = py_kind(f, n);

    return (kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE || kind == PY_KEYWORD_ARGUMENT) && f->nodes[n].sym != 0;
}
/* Is it an identifier that stands for a variable: no attribute, and not the name of a keyword argument? */
static inline bool py_is_variable(const struct py_file *f, uint32_t n)
{
    return py_kind(f, n) == PY_IDENTIFIER && f->nodes[n].field != FIELD_ATTRIBUTE &&
           !(f->nodes[n].field == FIELD_NAME && py_kind(f, py_parent(f, n)) == PY_KEYWORD_ARGUMENT);
}
/* The name of an identifier, attribute (o.m: m) or keyword argument; empty for others, whose sym is 0, or a scope. */
struct span py_name(const struct py_file *f, uint32_t n);
/* For `o.m(…)`: the o, and *method. Other calls: 0, and *method is empty, as after a syntax error without a name. */
uint32_t py_receiver(const struct py_file *f, uint32_t call, struct span *method);

/* The o of the call `o.m(…)` of that method, or of one of several: "read readlines"; 0 for all else. */
uint32_t py_method(const struct py_file *f, uint32_t n, const char *methods);
/* The last name of what the call n calls, "zeros" of np.zeros(3); empty for all else. */
struct span py_called(const struct py_file *f, uint32_t n);
/* The name of a function or class; empty for all else. */
struct span py_title(const struct py_file *f, uint32_t n);

/* --- names --- */

/* The number of a name that the file has, or 0. */
uint32_t py_sym(const struct py_file *f, struct span name);
/* The scope that n's names are looked up in first. */
uint32_t py_scope_of(const struct py_file *f, uint32_t n);
/* The function or lambda (module: 1) whose run executes n. */
uint32_t py_function_of(const struct py_file *f, uint32_t n);
/* First definition of the name in this very scope, or 0. */
uint32_t py_def_in(const struct py_file *f, uint32_t scope, uint32_t sym);
/* The method of this name that the class itself has, or 0. */
uint32_t py_own_method(const struct py_file *f, uint32_t class, struct span name);
/* First definition that the name would refer to if it stood at n, or 0. */
uint32_t py_def_for(const struct py_file *f, uint32_t n, uint32_t sym);
/* First definition that an identifier refers to by Python's scoping rules, or 0. */
uint32_t py_def_of(const struct py_file *f, uint32_t identifier);
/* The definition that binds the identifier or attribute, or 0 when it is only read there. */
uint32_t py_def_at(const struct py_file *f, uint32_t target);
/* Nodes to go through: for (struct py_nodes use = py_uses(…); py_take(&use);) … use.n … */
struct py_nodes {
    const uint32_t *at; /* the file's own */
    size_t all, taken;
    uint32_t n; /* the one that was taken */
};
static inline bool py_take(struct py_nodes *nodes)
{
    if (nodes->taken == nodes->all)
        return false;
    nodes->n = nodes->at[nodes->taken++];
    return true;
}
/* The identifiers, attributes and keyword arguments with that name in the subtree of `within`, in source order. */
struct py_nodes py_uses(const struct py_file *f, uint32_t sym, uint32_t within);
/* Is an identifier of that name in n? */
bool py_mentions(const struct py_file *f, uint32_t n, uint32_t sym);
/* Is an identifier in a of the same name as one in b? */
bool py_shares_name(const struct py_file *f, uint32_t a, uint32_t b);
/* Definitions that may be in force at the identifier, at most `max`, in source order: not those of branches that
 * exclude it, nor overwritten values; in outer scopes all count. None for other nodes. To go through: for (struct
 * py_defs d = py_reaching(…); py_take_def(&d);) … d.def … */
enum { PY_REACHING_MAX = 32 };
struct py_defs {
    const struct py_file *f;
    uint32_t at[PY_REACHING_MAX];
    size_t all, taken;
    const struct py_def *def; /* the one that was taken, */
    uint32_t number;          /* and its number */
};
struct py_defs py_reaching(const struct py_file *f, uint32_t identifier, size_t max);
static inline bool py_take_def(struct py_defs *d)
{
    if (d->taken == d->all)
        return false;
    d->number = d->at[d->taken++];
    d->def = &d->f->defs[d->number];
    return true;
}
/* The only definition that may be in force at the identifier; NULL: none, several, or no identifier. */
const struct py_def *py_bound(const struct py_file *f, uint32_t identifier);
/* The value of the only assignment that may be in force at the identifier; 0: another binding, several, none, or no
 * identifier. */
uint32_t py_assigned(const struct py_file *f, uint32_t identifier);
