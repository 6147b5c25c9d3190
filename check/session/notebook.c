/* The code cells of a Jupyter notebook (nbformat 4 and 3) as one program. The JSON is read here, in one pass without a
 * tree, and every line knows its cell. */
#include "base/utf8.h"
#include "check/session/run.h"

struct json {
    struct span text;
    size_t at;
    bool wrong;
};

struct reading {
    struct json j;
    struct source *s;
    uint32_t cells; /* of all kinds, to number them as Jupyter's users count */
    size_t lines_capacity;
    size_t line_start; /* of the last line, in the code */
};

static char peek(struct json *j)
{
    while (j->at < j->text.len && strchr(" \t\r\n", j->text.ptr[j->at]) != NULL && j->text.ptr[j->at] != '\0')
        j->at++;
    return j->at < j->text.len ? j->text.ptr[j->at] : '\0';
}

static bool take(struct json *j, char c)
{
    if (peek(j) != c) {
        j->wrong = true;
        return false;
    }
    j->at++;
    return true;
}

/* Behind the string that begins here; *raw: what is between the quotes. */
static bool take_string(struct json *j, struct span *raw)
{
    if (!take(j, '"'))
        return false;
    size_t start = j->at;
    while (j->at < j->text.len && j->text.ptr[j->at] != '"')
        j->at += j->text.ptr[j->at] == '\\' ? 2 : 1;
    if (j->at >= j->text.len) {
        j->wrong = true;
        return false;
    }
    *raw = (struct span){j->text.ptr + start, j->at - start};
    j->at++;
    return true;
}

/* Behind any value, however deep. */
static void skip_value(struct json *j)
{
    size_t depth = 0;
    struct span ignored;

    do {
        char c = peek(j);
        if (c == '"') {
            if (!take_string(j, &ignored))
                return;
        } else if (c == '{' || c == '[') {
            depth++;
            j->at++;
        } else if (c == '}' || c == ']') {
            if (depth == 0)
                return;
            depth--;
            j->at++;
        } else if (c == '\0') {
            j->wrong = true;
            return;
        } else {
            j->at++; /* numbers, words, commas, colons */
            if (depth == 0)
                while (j->at < j->text.len && strchr(",]} \t\r\n", j->text.ptr[j->at]) == NULL)
                    j->at++;
        }
    } while (depth > 0);
}

static bool hex4(const char *p, const char *end, uint32_t *value)
{
    *value = 0;
    if (end - p < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0)
            return false;
        *value = *value * 16 + (uint32_t)digit;
    }
    return true;
}

/* \uXXXX at p, behind the u; both halves of a pair. The bytes it takes; 0: it is not one. */
static size_t escape_at(const char *p, const char *end, uint32_t *character)
{
    uint32_t low;

    if (!hex4(p, end, character))
        return 0;
    if (*character < 0xD800 || *character >= 0xDC00 || end - p < 10 || p[4] != '\\' || p[5] != 'u' ||
        !hex4(p + 6, end, &low) || low < 0xDC00 || low >= 0xE000)
        return 4;
    *character = 0x10000 + ((*character - 0xD800) << 10) + (low - 0xDC00);
    return 10;
}

static void begin_line(struct reading *r, uint32_t line, const char *at)
{
    struct source *s = r->s;

    s->cells = array_room(s->cells, s->n_cells, 1, &r->lines_capacity, sizeof *s->cells);
    s->cells[s->n_cells++] = (struct py_cell_line){r->cells, line, (uint32_t)(at - r->j.text.ptr)};
}

/* Adds a string of JSON as text; every line end begins a line. */
static void add_text(struct reading *r, struct span raw, uint32_t *line)
{
    static const char from[] = "nrtbf\"\\/", to[] = "\n\r\t\b\f\"\\/";
    struct buf *out = &r->s->code;
    const char *p = raw.ptr, *end = raw.ptr + raw.len, *known;
    uint32_t character;
    char utf8[4];

    if (out->len == r->line_start) /* the line before ended with its string */
        r->s->cells[r->s->n_cells - 1].at = (uint32_t)(p - r->j.text.ptr);
    while (p < end) {
        if (*p != '\\') {
            buf_add_char(out, *p++);
            continue;
        }
        if (++p >= end)
            break;
        if (*p == 'u') {
            size_t used = escape_at(p + 1, end, &character), len = used > 0 ? utf8_put(character, utf8) : 0;
            if (used > 0)
                buf_add(out, len > 0 ? utf8 : "\xEF\xBF\xBD", len > 0 ? len : 3); /* else U+FFFD */
            p += 1 + used;
        } else if ((known = strchr(from, *p)) != NULL && *p != '\0') {
            buf_add_char(out, to[known - from]);
            if (*p++ == 'n') {
                begin_line(r, ++*line, p);
                r->line_start = out->len;
            }
        } else {
            p++;
        }
    }
}

/* Is the byte of the line one of these? */
static bool is_at(struct span line, size_t i, const char *these)
{
    return i < line.len && line.ptr[i] != '\0' && strchr(these, line.ptr[i]) != NULL;
}

/* Where a command of IPython begins in a line: %time, !ls, ?help, x = !ls; its length: nowhere. What formats ("% x") or
 * compares ("!= x") is Python. */
static size_t magic_in(struct span line)
{
    size_t i = 0;
    bool named = false;

    for (; i < line.len && (ascii_is_letter(line.ptr[i]) || is_at(line, i, " \t_,.0123456789")); i++)
        named = named || !is_at(line, i, " \t");
    if (named && is_at(line, i, "="))
        for (i++; is_at(line, i, " \t");)
            i++;
    else if (named)
        return line.len;
    return is_at(line, i, "%!?") && !is_at(line, i + 1, " \t(=") ? i : line.len;
}

/* What is no Python becomes comments of the same length; what it would give becomes a name, x = _#s. */
static void hide_magic(struct buf *code, size_t start)
{
    bool whole = false, goes_on = false;

    for (size_t at = start, len; at < code->len; at += len + 1) {
        char *line = code->ptr + at, *end = memchr(line, '\n', code->len - at);
        len = end != NULL ? (size_t)(end - line) : code->len - at;
        size_t magic = whole || goes_on ? 0 : magic_in((struct span){line, len});
        goes_on = magic < len && line[len - 1] == '\\';
        /* %%bash and the like; what %%time measures is Python. */
        struct span command = {line + magic, len - magic};
        whole = whole || (at == start && span_starts(command, SPAN("%%")) && !span_starts(command, SPAN("%%time")) &&
                          !span_starts(command, SPAN("%%capture")) && !span_starts(command, SPAN("%%prun")));
        if (magic < len && memchr(line, '=', magic) != NULL)
            line[magic++] = '_';
        if (magic < len)
            line[magic] = '#';
    }
}

static void add_cell(struct reading *r, size_t source)
{
    struct json back = r->j;
    size_t start = r->s->code.len;
    uint32_t line = 1;
    struct span raw;

    r->j.at = source;
    begin_line(r, 1, r->j.text.ptr + source);
    r->line_start = start;
    if (peek(&r->j) == '[') {
        r->j.at++;
        while (peek(&r->j) == '"' && take_string(&r->j, &raw)) {
            add_text(r, raw, &line);
            if (peek(&r->j) == ',')
                r->j.at++;
        }
    } else if (peek(&r->j) == '"' && take_string(&r->j, &raw)) {
        add_text(r, raw, &line);
    }
    hide_magic(&r->s->code, start);
    buf_add_char(&r->s->code, '\n');
    r->j = back;
}

static void read_cell(struct reading *r)
{
    size_t source = SIZE_MAX; /* where the value of "source" or "input" begins; SIZE_MAX: neither was seen */
    struct json *j = &r->j;
    struct span key, type = {"", 0};

    r->cells++;
    if (!take(j, '{'))
        return;
    while (!j->wrong && peek(j) == '"' && take_string(j, &key) && take(j, ':')) {
        peek(j);
        if (span_eq(key, SPAN("source")) || span_eq(key, SPAN("input")))
            source = j->at;
        if (!span_eq(key, SPAN("cell_type")) || peek(j) != '"')
            skip_value(j);
        else
            (void)take_string(j, &type);
        if (peek(j) == ',')
            j->at++;
    }
    take(j, '}');
    if (!j->wrong && span_eq(type, SPAN("code")) && source != SIZE_MAX)
        add_cell(r, source);
}

static void read_object(struct reading *r, int depth);

/* A list of cells, or (nbformat 3) of worksheets that hold such. */
static void read_list(struct reading *r, bool cells, int depth)
{
    struct json *j = &r->j;

    if (peek(j) != '[') {
        skip_value(j);
        return;
    }
    j->at++;
    while (!j->wrong && peek(j) != ']') {
        size_t before = j->at;
        if (peek(j) != '{')
            skip_value(j);
        else if (cells)
            read_cell(r);
        else
            read_object(r, depth + 1);
        if (peek(j) == ',')
            j->at++;
        if (j->at == before)
            j->wrong = true;
    }
    take(j, ']');
}

static void read_object(struct reading *r, int depth)
{
    struct json *j = &r->j;
    struct span key;

    if (depth > 2 || !take(j, '{')) {
        j->wrong = true;
        return;
    }
    while (!j->wrong && peek(j) == '"' && take_string(j, &key) && take(j, ':')) {
        if (span_eq(key, SPAN("cells")))
            read_list(r, true, depth);
        else if (span_eq(key, SPAN("worksheets")))
            read_list(r, false, depth);
        else
            skip_value(j);
        if (peek(j) == ',')
            j->at++;
    }
    take(j, '}');
}

enum status notebook_read(struct source *s, struct err *e)
{
    struct reading r = {.s = s, .j = {.text = source_bytes(s)}};

    if (span_starts(r.j.text, SPAN("\xEF\xBB\xBF")))
        r.j.at = 3;
    read_object(&r, 0);
    if (r.j.wrong) {
        buf_clear(&s->code);
        mem_free(s->cells);
        s->cells = NULL;
        s->n_cells = 0;
        return err_set(e, ST_INPUT, "%s: is not a notebook: the JSON breaks off at byte %zu", s->path, r.j.at);
    }
    begin_line(&r, 1, r.j.text.ptr + r.j.text.len); /* behind the last line end */
    return ST_OK;
}

/* How many bytes of JSON the character takes that begins at p. */
static size_t json_character(const char *p, const char *end)
{
    uint32_t ignored;
    size_t len = 1;

    if (*p == '\\' && end - p >= 2)
        return 2 + (p[1] == 'u' ? escape_at(p + 2, end, &ignored) : 0);
    while (*p != '\\' && p + len < end && ((unsigned char)p[len] & 0xC0U) == 0x80)
        len++;
    return len;
}

size_t check_cell_offset(const struct check_run *c, uint32_t cell, uint32_t line, uint32_t column)
{
    const struct source *s = c->sources;

    while (s < c->sources + c->n_sources - 1 && !s->asked)
        s++;
    struct span text = source_bytes(s);
    size_t i = 0;

    while (i < s->n_cells && (s->cells[i].cell != cell || s->cells[i].line != line))
        i++;
    if (i == s->n_cells)
        return text.len;
    const char *p = text.ptr + s->cells[i].at, *end = text.ptr + text.len;
    for (uint32_t at = 1; at < column && p < end && *p != '"'; at++)
        p += json_character(p, end);
    return (size_t)(p - text.ptr);
}
