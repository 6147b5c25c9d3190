/* A file as one piece; a large one in parts; one that cannot be read, but for the lines that are the
 * trouble. */
#include "check/python/py_parts.h"

/* The lines from … to-1 (from 0). */
static bool read_lines(struct py_parser *p, struct py_file *f, uint32_t from, uint32_t to, double until)
{
    struct py_piece piece = {.f = f, .from = f->lines[from], .until = until};

    piece.to = to < f->n_lines ? f->lines[to] : (uint32_t)f->code.len;
    return py_read_piece(p, &piece, 1);
}

/* Reads the most lines from `from` on that can be read before line `bad`, and says how far it came:
 * what stands before the trouble is sound, and keeps its nodes. Short pieces come first, so that
 * something is read when time is short. */
static uint32_t read_sound(struct py_parser *p, struct py_file *f, uint32_t from, uint32_t bad, double until)
{
    uint32_t good = from, n_nodes = f->n_nodes, n_comments = f->n_comments;

    while (bad - good > 1 && py_seconds() < until) {
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
    double until = py_seconds() + PY_PIECES_SECONDS;
    uint32_t line = 0;

    f->has_errors = true;
    for (; line < f->n_lines; line++) { /* one line is left out each time */
        if (line > 0 && read_lines(p, f, line, f->n_lines, until))
            return;
        line = read_sound(p, f, line, f->n_lines, until);
        if (f->n_unread++ == 0)
            f->unread = line + 1;
        if (py_seconds() >= until) {
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
    if (!py_read_piece(p, &piece, PY_SECONDS_MAX))
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

/* Where the next part begins: with the last statement of this one, which may go on there. What
 * stands before it was decided by what was seen. 0 when there is no such place: only one statement,
 * or errors, which come of a cut in a string or in brackets, too. */
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

/* Was a string of several lines cut? Then what stands in it was read as code. Errors may mislead
 * the answer, towards yes as well as towards no. */
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

/* Gives the same nodes as read_whole for Python without errors. false: it is to be read as one;
 * *hopeless: or not even so, since it is not for a cut that a part cannot be read. */
static bool read_parts(struct py_parser *p, struct py_file *f, bool *hopeless)
{
    bool has_errors = false;
    size_t size = PY_PART_BYTES;

    for (uint32_t from = 0, tries = 0, next; tries < PART_TRIES;) {
        uint32_t n_nodes = f->n_nodes, n_comments = f->n_comments;
        struct py_piece piece = {.f = f, .from = from, .to = part_end(f, from, size)};
        bool last = piece.to == f->code.len;
        if (last && from == 0)
            return false;
        if (!py_read_piece(p, &piece, PY_SECONDS_MAX)) {
            *hopeless = !cuts_string(&piece);
            return false;
        }
        if (last || (next = next_part(f, &piece, n_nodes > 1 ? n_nodes : 2)) != 0) {
            has_errors = has_errors || piece.has_errors;
            f->has_errors = has_errors;
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

void py_read_code(struct py_parser *p, struct py_file *f)
{
    bool hopeless = false;

    if (f->code.len > PY_PART_BYTES && read_parts(p, f, &hopeless))
        return;
    if (!hopeless && read_whole(p, f))
        return;
    f->n_nodes = 1;
    f->n_comments = 0;
    read_pieces(p, f);
}
