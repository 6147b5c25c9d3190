/* A Python file, from its text to its nodes, which tree-sitter gives, scopes and names. */
#include "base/log.h"
#include "check/python/pool.h"
#include "check/python/scope.h"

#include <pthread.h>
#include <time.h>
#include <tree_sitter/api.h>

/* The grammar's own name for its entry. */
const TSLanguage *tree_sitter_python(void);

#define WORD(number, word) [number] = (word),
static const char *const kind_names[PY_N_KINDS] = {PY_KINDS(WORD)}, *const field_names[PY_N_FIELDS] = {PY_FIELDS(WORD)};

enum { GRAMMAR_SYMBOLS_MAX = 1024, GRAMMAR_FIELDS_MAX = 256 };

/* Of the grammar's numbers; the same for all threads. */
static struct {
    uint32_t n_symbols, n_fields;
    uint8_t kinds[GRAMMAR_SYMBOLS_MAX], fields[GRAMMAR_FIELDS_MAX];
    bool fits; /* the library reads the grammar */
} grammar;

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
    for (uint32_t i = 0; i < grammar.n_symbols; i++)
        for (unsigned k = 1; k < PY_N_KINDS; k++)
            if (ts_language_symbol_type(language, (TSSymbol)i) == TSSymbolTypeRegular &&
                strcmp(ts_language_symbol_name(language, (TSSymbol)i), kind_names[k]) == 0)
                grammar.kinds[i] = (uint8_t)k;
    for (uint32_t i = 1; i < grammar.n_fields; i++)
        for (unsigned k = 1; k < PY_N_FIELDS; k++)
            if (strcmp(ts_language_field_name_for_id(language, (TSFieldId)i), field_names[k]) == 0)
                grammar.fields[i] = (uint8_t)k;
}

struct py_parser {
    struct pool *pool;
    struct py_node *nodes; /* of the file that is being read */
    size_t capacity;
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

static uint32_t *sym_slot(const struct py_file *f, struct span name)
{
    size_t mask = f->n_sym_slots - 1;
    size_t at = span_hash(name) & mask;

    while (f->sym_slots[at] != 0 && !span_eq(f->syms[f->sym_slots[at]], name))
        at = (at + 1) & mask;
    return &f->sym_slots[at];
}

static uint32_t intern(struct py_file *f, struct span name)
{
    if (f->n_sym_slots == 0 || f->n_syms >= f->n_sym_slots / 2) {
        mem_free(f->sym_slots);
        f->n_sym_slots = f->n_sym_slots == 0 ? 256 : f->n_sym_slots * 2;
        f->sym_slots = mem_zero(f->n_sym_slots, sizeof *f->sym_slots);
        for (uint32_t i = 1; i <= f->n_syms; i++)
            *sym_slot(f, f->syms[i]) = i;
    }
    uint32_t *slot = sym_slot(f, name);
    if (*slot != 0)
        return *slot;
    f->syms = array_room(f->syms, f->n_syms + 1, 1, &f->syms_capacity, sizeof *f->syms);
    f->syms[++f->n_syms] = name;
    *slot = f->n_syms;
    return *slot;
}

uint32_t py_sym(const struct py_file *f, struct span name)
{
    return f->n_sym_slots == 0 ? 0 : *sym_slot(f, name);
}

static uint32_t add_node(struct py_file *f, struct py_node node)
{
    if (f->n_nodes >= f->nodes_capacity) { /* by half: they are most of what a file takes */
        f->nodes_capacity = f->nodes_capacity == 0 ? 1024 : f->nodes_capacity + f->nodes_capacity / 2;
        f->nodes = mem_resize(f->nodes, f->nodes_capacity, sizeof *f->nodes);
    }
    f->nodes[f->n_nodes] = node;
    return f->n_nodes++;
}

/* Takes the cursor's node; 0: it and its children are not kept. The parsed text begins at base. */
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
        if (span_has((struct span){f->code.ptr + start, end - start}, "ppmine:")) {
            f->comments = array_room(f->comments, f->n_comments, 1, &f->comments_capacity, sizeof *f->comments);
            f->comments[f->n_comments++] = (struct py_comment){start, end};
        }
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
    if (node->kind == PY_ATTRIBUTE || node->kind == PY_KEYWORD_ARGUMENT) {
        uint32_t name = py_child(f, n, node->kind == PY_ATTRIBUTE ? FIELD_ATTRIBUTE : FIELD_NAME);
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

/* Without recursion: `open` is the node around the cursor, or at it. The roots of all pieces are one module. */
static void take_tree(struct py_file *f, TSTree *tree, uint32_t base)
{
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    uint32_t taken = f->n_nodes > 1 ? 1 : take_node(f, &cursor, base, 0), open = taken;

    while (open != 0) {
        if (taken != 0) { /* the cursor is at it: into it, if there is anything */
            open = taken;
            if (f->nodes[open].depth < PY_DEPTH_MAX && !is_plain_string(f, open) &&
                ts_tree_cursor_goto_first_child(&cursor)) {
                taken = take_node(f, &cursor, base, open);
                continue;
            }
            finish_node(f, open);
            open = f->nodes[open].parent;
        }
        taken = 0;
        if (ts_tree_cursor_goto_next_sibling(&cursor)) {
            taken = take_node(f, &cursor, base, open);
        } else if (open != 0 && ts_tree_cursor_goto_parent(&cursor)) {
            finish_node(f, open);
            open = f->nodes[open].parent;
        } else {
            break;
        }
    }
    ts_tree_cursor_delete(&cursor);
}

/* What this thread has used of the processor. */
static double seconds_used(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- how much of a file is given to the parser at a time --- */

/* The parser's tree takes a hundred times the code, so that larger files are read in parts. */
enum { PY_PART_BYTES = 1 << 20 };

struct py_piece {
    struct py_file *f;
    uint32_t from, to; /* bytes of its code */
    double until;      /* of seconds_used, the latest time to end; 0: none */
    TSTree *tree;      /* NULL: there is none yet, or it was given up */
    bool has_errors;   /* comes back */
};

/* The pool owns parser and tree. The library's limit is wall time: on a busy machine a stopped parse continues until
 * its own processor time is up. */
static void parse(void *ctx)
{
    struct py_piece *piece = ctx;
    TSParser *parser = ts_parser_new();

    ts_parser_set_language(parser, tree_sitter_python());
    ts_parser_set_timeout_micros(parser, 500000);
    while (piece->tree == NULL && seconds_used() < piece->until)
        piece->tree = ts_parser_parse_string(parser, NULL, piece->f->code.ptr + piece->from, piece->to - piece->from);
}

static void take(void *ctx)
{
    struct py_piece *piece = ctx;

    piece->has_errors = ts_node_has_error(ts_tree_root_node(piece->tree));
    take_tree(piece->f, piece->tree, piece->from);
}

/* A tree's most memory, and extra for small files. A byte of Python takes some hundred, of rubbish at times
 * thousands. */
enum { TREE_BYTES_FACTOR = 256, TREE_BYTES_MORE = 64 << 20, CURSOR_BYTES = 1 << 20 };

/* Adds the piece's nodes to those of the file, below one module, or nothing, after `seconds` at least and two for each
 * MB of code, of which Python takes one at most. false: it took more time or memory, or could not be counted. */
static bool read_piece(struct py_parser *p, struct py_piece *piece, double seconds)
{
    size_t size = piece->to - piece->from;
    double until = seconds_used() + seconds + (double)size / 500000;

    if (piece->until == 0 || piece->until > until)
        piece->until = until;
    bool fine = pool_run(p->pool, TREE_BYTES_MORE + size * TREE_BYTES_FACTOR, parse, piece) && piece->tree != NULL &&
                pool_run(p->pool, CURSOR_BYTES, take, piece);
    pool_reset(p->pool);
    return fine;
}

/* The lines from … to-1 (from 0). */
static bool read_lines(struct py_parser *p, struct py_file *f, uint32_t from, uint32_t to, double until)
{
    uint32_t end = to < f->n_lines ? f->lines[to] : (uint32_t)f->code.len;

    return read_piece(p, &(struct py_piece){.f = f, .from = f->lines[from], .to = end, .until = until}, 1);
}

/* Reads the most lines from `from` on that can be read before line `bad`, and says how far it came: what stands before
 * the trouble is sound, and keeps its nodes. Short pieces come first, so that something is read when time is short. */
static uint32_t read_sound(struct py_parser *p, struct py_file *f, uint32_t from, uint32_t bad, double until)
{
    uint32_t good = from, n_nodes = f->n_nodes, n_comments = f->n_comments;

    while (bad - good > 1 && seconds_used() < until) {
        uint32_t nodes = f->n_nodes, comments = f->n_comments;
        uint32_t step = (bad - good) / (good == from ? 16 : 2), middle = good + (step > 0 ? step : 1);
        f->n_nodes = n_nodes;
        f->n_comments = n_comments;
        if (read_lines(p, f, from, middle, until)) {
            good = middle;
        } else {
            f->n_nodes = nodes;
            f->n_comments = comments;
            bad = middle;
        }
    }
    return good;
}

/* A file that cannot be read as a whole: the lines before the trouble, and those behind it. */
static void read_pieces(struct py_parser *p, struct py_file *f)
{
    double until = seconds_used() + (f->beside ? PY_BESIDE_SECONDS : PY_PIECES_SECONDS);
    uint32_t line = 0;

    f->has_errors = true;
    for (; line < f->n_lines; line++) { /* one line is left out each time */
        if (line > 0 && read_lines(p, f, line, f->n_lines, until))
            return;
        line = read_sound(p, f, line, f->n_lines, until);
        if (f->n_unread++ == 0)
            f->unread = line + 1;
        if (seconds_used() >= until) {
            f->n_unread += f->n_lines - line - 1;
            return;
        }
    }
}

static bool read_whole(struct py_parser *p, struct py_file *f)
{
    struct py_piece piece = {.f = f, .to = (uint32_t)f->code.len};

    f->n_nodes = 1;
    f->n_comments = 0;
    if (!read_piece(p, &piece, f->beside ? PY_BESIDE_SECONDS : PY_SECONDS_MAX))
        return false;
    f->has_errors = piece.has_errors;
    return true;
}

enum { PART_TRIES = 4 };

/* Behind at least `size` bytes, where a line begins as statements do. */
static uint32_t part_end(const struct py_file *f, uint32_t from, size_t size)
{
    if (size >= f->code.len - from)
        return (uint32_t)f->code.len;
    for (uint32_t line = py_line(f, from + (uint32_t)size); line < f->n_lines; line++) {
        uint32_t at = f->lines[line];
        char c = at < f->code.len ? f->code.ptr[at] : ' ';
        if (c == '@' || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
            return at;
    }
    return (uint32_t)f->code.len;
}

/* The start of the next part: this one's last statement, which may continue there; what precedes it is settled. 0: only
 * one statement, or errors, which a cut in a string or in brackets causes, too. */
static uint32_t next_part(struct py_file *f, const struct py_piece *piece, uint32_t first)
{
    uint32_t last = py_last(f, 1);

    if (piece->has_errors || last <= first)
        return 0;
    uint32_t start = f->nodes[last].start;
    f->n_nodes = last;
    while (f->n_comments > 0 && f->comments[f->n_comments - 1].start >= start)
        f->n_comments--;
    return start;
}

/* The end of the string that begins at `at`, or `to`. */
static uint32_t string_end(const char *code, uint32_t at, uint32_t to)
{
    char quote = code[at];
    bool block = to - at > 2 && code[at + 1] == quote && code[at + 2] == quote;

    for (at += block ? 3 : 1; at < to; at++) {
        if (code[at] == '\\')
            at++;
        else if (!block && (code[at] == quote || code[at] == '\n'))
            return at + 1;
        else if (block && to - at > 2 && memcmp(code + at, (char[]){quote, quote, quote}, 3) == 0)
            return at + 3;
    }
    return to;
}

/* Was a string of several lines cut, and its rest read as code? Errors may make this answer wrong either way. */
static bool cuts_string(const struct py_piece *piece)
{
    const char *code = piece->f->code.ptr;

    for (uint32_t at = piece->from; at < piece->to;) {
        if (code[at] == '#') {
            const char *end = memchr(code + at, '\n', piece->to - at);
            at = end != NULL ? (uint32_t)(end - code) : piece->to;
        } else if (code[at] == '"' || code[at] == '\'') {
            at = string_end(code, at, piece->to);
            if (at == piece->to)
                return true;
        } else {
            at++;
        }
    }
    return false;
}

/* Gives read_whole's nodes for Python without errors. false: read it whole; *hopeless: not even so, as no cut is to
 * blame. */
static bool read_parts(struct py_parser *p, struct py_file *f, bool *hopeless)
{
    size_t size = PY_PART_BYTES;

    for (uint32_t from = 0, tries = 0, next; tries < PART_TRIES;) {
        uint32_t n_nodes = f->n_nodes, n_comments = f->n_comments;
        struct py_piece piece = {.f = f, .from = from, .to = part_end(f, from, size)};
        bool last = piece.to == f->code.len;
        if (last && from == 0)
            return false;
        if (!read_piece(p, &piece, PY_SECONDS_MAX)) {
            *hopeless = !cuts_string(&piece);
            return false;
        }
        if (last || (next = next_part(f, &piece, n_nodes > 1 ? n_nodes : 2)) != 0) {
            f->has_errors = f->has_errors || piece.has_errors;
            if (last)
                return true;
            from = next;
            size = PY_PART_BYTES;
            tries = 0;
        } else {
            f->n_nodes = n_nodes;
            f->n_comments = n_comments;
            size *= 4;
            tries++;
        }
    }
    return false;
}

/* --- all of it --- */

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

bool py_read(struct py_parser *p, struct py_file *f)
{
    if (f->code.ptr == NULL)
        f->code = SPAN("");
    f->lines = span_lines(f->code, &f->n_lines);
    f->syms = array_room(NULL, 0, 1, &f->syms_capacity, sizeof *f->syms);
    f->syms[0] = SPAN(""); /* what has no name has an empty one */
    f->nodes = p->nodes;   /* gathered in the parser's array, which has grown before */
    f->nodes_capacity = p->capacity;
    add_node(f, (struct py_node){0}); /* number 0 is "none" */
    /* A file that is too long is left unread. */
    bool hopeless = false, done = f->code.len > PY_CODE_MAX;
    if (!done && f->code.len > PY_PART_BYTES)
        done = read_parts(p, f, &hopeless);
    if (!done && !hopeless)
        done = read_whole(p, f);
    if (!done) {
        f->n_nodes = 1;
        f->n_comments = 0;
        read_pieces(p, f);
    }
    bool fine = f->n_nodes > 1;
    if (!fine)
        add_node(f, (struct py_node){.kind = PY_MODULE, .after = 2});
    f->nodes[1].kind = PY_MODULE; /* also where the whole is one error */
    if (f->n_unread > 0 || f->code.len > PY_PART_BYTES)
        f->nodes[1].end = (uint32_t)f->code.len;
    keep_nodes(p, f);
    scope_build(f);
    uses_build(f);
    return fine;
}

void py_clear(struct py_file *f)
{
    mem_free(f->nodes);
    mem_free(f->comments);
    mem_free(f->syms);
    mem_free(f->sym_slots);
    mem_free(f->scopes);
    mem_free(f->defs);
    mem_free(f->def_slots);
    mem_free(f->def_order);
    mem_free(f->uses);
    mem_free(f->first_uses);
    mem_free(f->lines);
    *f = (struct py_file){0};
}
