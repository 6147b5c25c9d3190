/* In XML a '<' always begins markup, since values escape it. So a row reaches from its '<' to the next one, whatever
 * the lines, and one memchr per row finds it. The public dumps begin rows with Id, PostTypeId and ParentId, and have
 * Tags near the end, so the long Body is skipped; in another order, all attributes are walked. */
#include "fetch/scan.h"

#include "fetch/row.h"

#define ID_TOO_LARGE "Id is too large: the largest is 2147483647"

void scan_begin(struct dump_scan *s, struct scan_place place)
{
    s->place = place;
    s->foreign = false;
    s->at = 0;
    s->notes.n = 0;
    s->rows = 0;
    s->watermarks = 0;
    s->fatal = NULL;
}

void scan_clear(struct dump_scan *s)
{
    array_clear(&s->notes);
}

void scan_note(struct dump_scan *s, uint64_t offset, int64_t id, const char *why)
{
    array_add(&s->notes, (struct scan_note){offset, id, why});
}

static bool fatal(struct dump_scan *s, size_t at, const char *why)
{
    s->fatal = why;
    s->fatal_offset = s->offset + at;
    s->at = s->bytes.len;
    return false;
}

static struct span rest_from(const struct dump_scan *s, size_t at)
{
    return (struct span){s->bytes.ptr + at, s->bytes.len - at};
}

/* --- what a row is --- */

/* Takes `text` and then decimal digits off *p. Inlined for constant texts: runs two or three times on every row. */
__attribute__((always_inline)) static inline bool take_number(const char **p, const char *end, struct span text,
                                                              int64_t *value)
{
    const char *q = *p;

    if ((size_t)(end - q) <= text.len || memcmp(q, text.ptr, text.len) != 0)
        return false;
    q += text.len;
    const char *digits = q;
    int64_t v = 0;
    while (q < end && *q >= '0' && *q <= '9' && q - digits < 18)
        v = v * 10 + (*q++ - '0');
    if (q == digits || q == end || *q != '"')
        return false;
    *p = q;
    *value = v;
    return true;
}

/* Looks for Tags from the end of a row that ends in "/>". Sound: a value in double quotes has none inside, so the quote
 * before the last one opens the last value, and so on. A ' in place of a " shows single quotes: false, walk forward. */
static bool find_tags_backward(struct span raw, struct span *tags)
{
    size_t end = raw.len - 2;

    for (;;) {
        while (end > 0 && ascii_is_data_space(raw.ptr[end - 1]))
            end--;
        if (end < 6 || raw.ptr[end - 1] != '"')
            return end == 4; /* "<row": all attributes were seen */
        const char *open = memrchr(raw.ptr, '"', end - 1);
        if (open == NULL || open - raw.ptr < 6 || open[-1] != '=')
            return false;
        if (memcmp(open - 6, " Tags=", 6) == 0) {
            *tags = (struct span){open + 1, (size_t)(raw.ptr + end - 1 - open) - 1};
            return true;
        }
        const char *name = memrchr(raw.ptr, ' ', (size_t)(open - raw.ptr));
        if (name == NULL || memchr(name, '"', (size_t)(open - name)) != NULL)
            return false;
        end = (size_t)(name - raw.ptr) + 1;
    }
}

/* Reads the row in the form of the public dumps; false when it has another. */
static bool read_plain(struct row *row)
{
    const char *p = row->raw.ptr, *end = p + row->raw.len;

    if (!take_number(&p, end, SPAN("<row Id=\""), &row->id) ||
        !take_number(&p, end, SPAN("\" PostTypeId=\""), &row->type))
        return false;
    row->tags = (struct span){0};
    row->parent_id = POST_ABSENT;
    if (row->type == POST_ANSWER)
        return take_number(&p, end, SPAN("\" ParentId=\""), &row->parent_id);
    return find_tags_backward(row->raw, &row->tags);
}

/* Reads the row attribute by attribute. *why is set for one that is well-formed but of no use. */
static bool read_walking(struct row *row, size_t *len, const char **why)
{
    struct span values[ATTR_COUNT];
    bool twice;

    if (!row_attributes(row->raw, values, len, &twice))
        return false;
    row->raw.len = *len;
    row->id = 0;
    row->parent_id = POST_ABSENT;
    row->tags = values[ATTR_Tags];
    if (twice)
        *why = "an attribute is given twice";
    else if (values[ATTR_Id].ptr == NULL)
        *why = "no Id";
    else if (!span_i64(values[ATTR_Id], &row->id))
        *why = span_is_digits(values[ATTR_Id]) ? ID_TOO_LARGE : "Id is not a number";
    else if (values[ATTR_PostTypeId].ptr == NULL)
        *why = "no PostTypeId";
    else if (!span_i64(values[ATTR_PostTypeId], &row->type))
        *why = "PostTypeId is not a number";
    else if (values[ATTR_ParentId].len > 0 && !span_i64(values[ATTR_ParentId], &row->parent_id))
        *why = span_is_digits(values[ATTR_ParentId]) ? "ParentId is too large" : "ParentId is not a number";
    return true;
}

/* Notes a refused row; returns whether this one can be used. */
static bool usable(struct dump_scan *s, const struct row *row, const char *why)
{
    if (why == NULL && post_is_watermark(row->id)) {
        s->watermarks++;
        return false;
    }
    if (why == NULL && (row->id < 1 || row->id > POST_ID_MAX))
        why = row->id > POST_ID_MAX ? ID_TOO_LARGE : "Id is not between 1 and 2147483647";
    if (why == NULL) {
        s->rows++;
        return true;
    }
    scan_note(s, row->offset, row->id > 0 ? row->id : 0, why);
    return false;
}

/* --- rows that are not in the plain form --- */

static bool begins_row(struct span s)
{
    return span_starts(s, SPAN("<row")) && s.len > 5 &&
           (ascii_is_data_space(s.ptr[4]) || s.ptr[4] == '/' || s.ptr[4] == '>');
}

/* Where the next row at or behind `at` begins; the end of the bytes for none. */
static size_t next_row(const struct dump_scan *s, size_t at)
{
    for (;; at++) {
        size_t found = span_find(rest_from(s, at), SPAN("<row"));
        if (found == SIZE_MAX)
            return s->bytes.len;
        at += found;
        if (begins_row(rest_from(s, at)))
            return at;
    }
}

/* Where the last end tag behind `begin` stands, if markup or nothing follows it; the end of the bytes for none. */
static size_t last_end_tag(const struct dump_scan *s, size_t begin)
{
    size_t end = s->bytes.len;
    const char *found;

    while ((found = memrchr(s->bytes.ptr + begin, '<', end - begin)) != NULL) {
        end = (size_t)(found - s->bytes.ptr);
        struct span tag = rest_from(s, end);
        size_t len = span_find(tag, SPAN(">"));
        if (!span_starts(tag, SPAN("</")) || len == SIZE_MAX)
            continue;
        struct span behind = span_trim((struct span){tag.ptr + len + 1, tag.len - len - 1});
        return behind.len == 0 || *behind.ptr == '<' ? end : s->bytes.len;
    }
    return s->bytes.len;
}

static bool read_careful(struct dump_scan *s, size_t begin, struct arena *arena, struct row *row)
{
    struct span text = {s->bytes.ptr + begin, next_row(s, begin + 1) - begin}, plain = {0};
    size_t end_tag = span_find(text, SPAN("</row"));
    const char *close = end_tag != SIZE_MAX ? memchr(text.ptr + end_tag, '>', text.len - end_tag) : NULL;
    const char *why = NULL;
    size_t len;

    if (close != NULL) {
        text.len = (size_t)(close - text.ptr) + 1;
        plain = row_rewrite(text, arena);
    }
    if (plain.ptr == NULL) {
        if (s->last && memrchr(s->bytes.ptr + begin, '>', s->bytes.len - begin) == NULL)
            return fatal(s, begin, "ends in the middle of a row: the file is truncated");
        scan_note(s, s->offset + begin, row_first_id(rest_from(s, begin)), "not well-formed XML");
        /* Moves past the broken row at `begin`: to the next row, or to the root's end tag. (Other end tags may be HTML
         * that somebody forgot to escape.) */
        s->at = next_row(s, begin + 1);
        if (s->at == s->bytes.len && s->last)
            s->at = last_end_tag(s, begin + 1);
        return false;
    }
    s->at = begin + text.len;
    row->raw = plain;
    return read_walking(row, &len, &why) && usable(s, row, why);
}

/* --- rows --- */

/* The row that begins at `begin`; false when it cannot be used. Sets s->at behind it. */
static bool read_row(struct dump_scan *s, size_t begin, struct arena *arena, struct row *row)
{
    const char *start = s->bytes.ptr + begin;
    size_t left = s->bytes.len - begin;
    const char *next = memchr(start + 1, '<', left - 1);
    size_t len = next != NULL ? (size_t)(next - start) : left;
    const char *why = NULL;

    row->wanted = false;
    row->offset = s->offset + begin;
    s->at = begin + len;
    while (len > 0 && ascii_is_data_space(start[len - 1]))
        len--;
    row->raw = (struct span){start, len};
    if (len > DUMP_ROW_MAX) {
        scan_note(s, row->offset, row_first_id(row->raw), ROW_TOO_LONG);
        return false;
    }
    if (start[len - 1] == '>' && start[len - 2] == '/' && read_plain(row))
        return usable(s, row, NULL);
    if (read_walking(row, &len, &why)) {
        s->at = begin + len; /* there may be text behind it */
        return usable(s, row, why);
    }
    return read_careful(s, begin, arena, row);
}

/* --- what is not a row --- */

/* Goes on behind the text that ends what the scan is inside of; false when it is not there. */
static bool skip_inside(struct dump_scan *s)
{
    struct span end = span_of(s->place.inside);
    size_t found = span_find(rest_from(s, s->at), end);

    if (found == SIZE_MAX) {
        s->at = s->bytes.len;
        return s->last && fatal(s, s->at, "ends inside a comment or other markup: the file is truncated");
    }
    s->place.inside = NULL;
    s->at += found + end.len;
    return true;
}

static bool skip_until(struct dump_scan *s, const char *end)
{
    s->place.inside = end;
    return skip_inside(s);
}

#define NOT_A_DUMP \
    "not posts: a data dump begins with <posts>, JSON with { or [, a table with a line of names, Id among them"
#define TEXT_BETWEEN_ROWS "text between rows"

static bool read_root(struct dump_scan *s)
{
    static const struct {
        const char *root;
        const char *why;
    } others[] = {
        {"badges", "this is the dump's Badges.xml; posts are in Posts.xml"},
        {"comments", "this is the dump's Comments.xml, which load reads by itself; posts are in Posts.xml"},
        {"posthistory", "this is the dump's PostHistory.xml; posts are in Posts.xml"},
        {"postlinks", "this is the dump's PostLinks.xml, which load reads by itself; posts are in Posts.xml"},
        {"tags", "this is the dump's Tags.xml; posts are in Posts.xml"},
        {"users", "this is the dump's Users.xml; posts are in Posts.xml"},
        {"votes", "this is the dump's Votes.xml; posts are in Posts.xml"},
    };
    struct span rest = rest_from(s, s->at);
    size_t end = span_find(rest, SPAN(">"));
    size_t len = 1;

    if (end == SIZE_MAX)
        return fatal(s, s->at, NOT_A_DUMP);
    while (len < end && !ascii_is_data_space(rest.ptr[len]) && rest.ptr[len] != '/')
        len++;
    struct span name = {rest.ptr + 1, len - 1};
    if (name.len == 0 || memchr(name.ptr, '<', name.len) != NULL)
        return fatal(s, s->at, NOT_A_DUMP);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (span_eq(name, span_of(others[i].root)))
            return fatal(s, s->at, others[i].why);
    s->foreign = !span_eq(name, SPAN("posts"));
    s->place.part = rest.ptr[end - 1] == '/' ? PLACE_TAIL : PLACE_ROWS;
    s->at += end + 1;
    return true;
}

/* Goes to the next markup over an element that is not a row, or over text; false at the end of the bytes. */
static bool pass_over(struct dump_scan *s, const char *what)
{
    bool in_rows = s->place.part == PLACE_ROWS;
    size_t left = s->bytes.len - s->at;

    /* A file of rows may call its root element anything, but not have other things come first. */
    if (in_rows && s->foreign && s->rows + s->watermarks + s->notes.n == 0)
        return fatal(s, s->at, NOT_A_DUMP);
    scan_note(s, s->offset + s->at, 0, in_rows ? what : "text after the end of the root element");
    const char *next = memchr(s->bytes.ptr + s->at + 1, '<', left - 1);
    s->at = next != NULL ? (size_t)(next - s->bytes.ptr) : s->bytes.len;
    return next != NULL;
}

/* Goes on over markup that is not a row; false at the end of the bytes. */
static bool read_other(struct dump_scan *s)
{
    struct span rest = rest_from(s, s->at);
    bool head = s->place.part == PLACE_HEAD;

    if (s->is_piece && !head && (span_starts(rest, SPAN("<!")) || span_starts(rest, SPAN("<?"))))
        return fatal(s, s->at,
                     "a comment or declaration between rows may end in another piece: read the file as a whole");
    if (span_starts(rest, SPAN("<!--"))) {
        s->at += 4;
        return skip_until(s, "-->");
    }
    if (span_starts(rest, SPAN("<?")))
        return skip_until(s, "?>");
    if (head && span_starts(rest, SPAN("<!DOCTYPE"))) { /* `<!DOCTYPE posts [ … ]>` */
        bool has_list = span_find(rest, SPAN("[")) < span_find(rest, SPAN(">"));
        return (!has_list || skip_until(s, "]")) && skip_until(s, ">");
    }
    if (head)
        return read_root(s);
    if (span_starts(rest, SPAN("<![CDATA["))) {
        if (s->place.part == PLACE_ROWS)
            scan_note(s, s->offset + s->at, 0, TEXT_BETWEEN_ROWS);
        return skip_until(s, "]]>");
    }
    if (span_starts(rest, SPAN("</"))) {
        size_t len = span_find(rest_from(s, s->at), SPAN(">"));
        if (len != SIZE_MAX)
            s->place.part = PLACE_TAIL;
        s->at = len != SIZE_MAX ? s->at + len + 1 : s->bytes.len;
        return len != SIZE_MAX;
    }
    if (s->place.part == PLACE_TAIL && span_starts(rest, SPAN("<posts"))) {
        /* Two files that were joined: what is in the second is read, but nobody may have meant it. */
        scan_note(s, s->offset + s->at, 0, SECOND_DOCUMENT);
        s->place.part = PLACE_ROWS;
        return skip_until(s, ">");
    }
    return pass_over(s, "an element that is not a row");
}

/* From s->at over white space to the next '<'; text on the way is noted. */
static bool find_markup(struct dump_scan *s)
{
    bool head = s->place.part == PLACE_HEAD;

    if (((head && s->at == 0) || s->place.part == PLACE_TAIL) && span_starts(rest_from(s, s->at), SPAN("\xef\xbb\xbf")))
        s->at += 3;
    while (s->at < s->bytes.len && ascii_is_data_space(s->bytes.ptr[s->at]))
        s->at++;
    if (s->at == s->bytes.len || s->bytes.ptr[s->at] == '<')
        return s->at < s->bytes.len;
    if (head)
        return fatal(s, s->at, NOT_A_DUMP);
    return pass_over(s, TEXT_BETWEEN_ROWS);
}

bool scan_next(struct dump_scan *s, struct arena *arena, struct row *row)
{
    if (s->place.inside != NULL && !skip_inside(s))
        return false;
    while (find_markup(s)) {
        bool is_row = begins_row(rest_from(s, s->at));
        if (is_row && s->place.part == PLACE_HEAD && !s->fragment)
            return fatal(s, s->at, NOT_A_DUMP);
        if (is_row) {
            s->place.part = PLACE_ROWS;
            if (read_row(s, s->at, arena, row))
                return true;
        } else if (!read_other(s)) {
            break;
        }
    }
    if (s->fatal != NULL || !s->last)
        return false;
    if (s->place.part == PLACE_HEAD && !s->fragment)
        return fatal(s, s->bytes.len, NOT_A_DUMP);
    if (s->place.part == PLACE_ROWS && !s->fragment)
        return fatal(s, s->bytes.len, "ends before the end tag of the root element: the file is truncated");
    return false;
}
