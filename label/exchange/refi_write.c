/* refi_write: the study as a project or codebook of REFI-QDA. Every GUID follows from names (UUID version 5), so the same
 * study is the same file. */
#include "base/map.h"
#include "base/post/post.h"
#include "base/utf8.h"
#include "base/zip.h"
#include "db/fragments.h"
#include "db/posts.h"
#include "db/sql.h"
#include "db/study.h"
#include "label/coding/categories.h"
#include "label/coding/decisions.h"
#include "label/coding/memo.h"
#include "label/exchange/refi_project.h"
#include "label/fragments.h"
#include "stem/stem.h"
#include "base/maps.h"

#include <inttypes.h>

#include <nettle/sha1.h>

struct code_row {
    size_t facet;
    struct span category, name, definition;
};

/* What somebody said about a post: a code, or (name.ptr NULL) a note, whose text is `reason`. */
struct said_row {
    int64_t post_id;
    struct span subject, coder, category, name, at, reason;
    size_t facet;
    struct span memo; /* the GUID of the note with the reason */
    bool is_done;
};

/* A code, or a category, of the facet that is written. */
struct node {
    struct span name, category; /* category: the path of the one above; empty: the facet */
    const struct code_row *own; /* NULL: it is no code */
    size_t first, last, next;   /* below it; beside it; 0: none */
};

struct node_key {
    size_t above;
    struct span name;
};

#define MAP_NAME node_map
#define MAP_KEY struct node_key
#define MAP_VALUE size_t
#define MAP_HASH(key, secret) map_hash_number(map_hash_span((key).name, secret) + (key).above, secret)
#define MAP_EQUAL(a, b) ((a).above == (b).above && span_eq((a).name, (b).name))
#include "base/map.h"

/* A memo of a code, or (code.len 0) of the study. */
struct pinned {
    struct span list, code, guid;
};

struct writer {
    struct db *db;
    const struct facets *facets;
    struct refi_written *n;
    struct arena arena;
    struct categories categories;
    struct ARRAY_OF(struct code_row) codes;
    struct ARRAY_OF(struct node) nodes; /* the first one is the facet */
    struct node_map by_name;
    struct ARRAY_OF(struct said_row) said, notes;
    struct ARRAY_OF(struct pinned) pinned;
    struct buf users, book, sources, memos;                   /* parts of the XML */
    struct buf selections, codings, references, values, text; /* of one source */
    struct zip zip;
    struct buf *out;
    struct text_set written; /* notes; each is of one post */
    struct span post_guid;
    size_t title_end; /* of the text: where its body begins */
    bool held;
    struct err *e;
};

/* --- XML --- */

/* A text of an element or, in quotes, of an attribute. What XML cannot have is U+FFFD. */
static void add_xml(struct buf *out, struct span s)
{
    while (s.len > 0) {
        struct span one = utf8_cut(&s);
        for (const char *p = one.ptr, *end = one.ptr + one.len; p < end;) {
            uint32_t c;
            size_t len = utf8_decode(p, end, &c);
            if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\n' || c == '\t' || c == '\r')
                buf_addf(out, "&#%" PRIu32 ";", c); /* line ends of an attribute would be blanks */
            else if (c < ' ' || c == 0xfffe || c == 0xffff)
                buf_add_text(out, "\xef\xbf\xbd");
            else
                buf_add(out, p, len);
            p += len;
        }
    }
}

static void add_attribute(struct buf *out, const char *name, struct span value)
{
    buf_addf(out, " %s=\"", name);
    add_xml(out, value);
    buf_add_char(out, '"');
}

static void add_element(struct buf *out, const char *name, struct span text)
{
    buf_addf(out, "<%s>", name);
    add_xml(out, text);
    buf_addf(out, "</%s>", name);
}

/* UUID version 5 (RFC 9562) of the parts with a line end after each, in a name space of this program alone. */
static struct span guid_of(struct writer *w, const char *kind, const struct span *parts, size_t n)
{
    static const uint8_t space[] = {0x3f, 0x0c, 0x5b, 0x1e, 0x96, 0x0a, 0x5d, 0x71,
                                    0x8e, 0x44, 0x27, 0xd2, 0x6b, 0x90, 0xc3, 0x58};
    uint8_t digest[SHA1_DIGEST_SIZE];
    struct sha1_ctx sha1;
    AT_END(buf_clear) struct buf text = {0};

    sha1_init(&sha1);
    sha1_update(&sha1, sizeof space, space);
    buf_addf(&text, "%s\n", kind);
    for (size_t i = 0; i < n; i++)
        buf_addf(&text, "%.*s\n", (int)parts[i].len, parts[i].len > 0 ? parts[i].ptr : "");
    sha1_update(&sha1, text.len, (const uint8_t *)text.ptr);
    sha1_digest(&sha1, sizeof digest, digest);
    digest[6] = (uint8_t)((digest[6] & 0x0f) | 0x50);
    digest[8] = (uint8_t)((digest[8] & 0x3f) | 0x80);
    buf_reset(&text);
    for (size_t i = 0; i < 16; i++)
        buf_addf(&text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", digest[i]);
    return arena_copy(&w->arena, buf_span(&text));
}

#define GUID(w, kind, ...) \
    guid_of(w, kind, (const struct span[]){__VA_ARGS__}, \
            sizeof((const struct span[]){__VA_ARGS__}) / sizeof(struct span))

static void add_ref(struct buf *out, const char *name, struct span guid)
{
    buf_addf(out, "<%s targetGUID=\"%.*s\"/>", name, SPAN_ARG(guid));
}

/* --- codes --- */

/* Takes the first name off a path. */
static struct span cut_category(struct span *rest)
{
    size_t at = span_find(*rest, SPAN(CATEGORY_BETWEEN));
    struct span name = {rest->ptr, at != SIZE_MAX ? at : rest->len};

    *rest = span_after(*rest, at != SIZE_MAX ? at + strlen(CATEGORY_BETWEEN) : rest->len);
    return name;
}

/* A name may have in it what is between categories. */
static struct span code_guid(struct writer *w, size_t facet, struct span category, struct span name)
{
    AT_END(buf_clear) struct buf path = {0};

    for (struct span rest = category; rest.len > 0;) {
        buf_add_span(&path, cut_category(&rest));
        buf_add_char(&path, '\n');
    }
    buf_add_span(&path, name);
    return GUID(w, "code", w->facets->items[facet].title, buf_span(&path));
}

SQL(REFI_CODE,
    "SELECT f.place, c.category, c.name, c.definition FROM facet AS f JOIN code AS c ON c.facet = f.list"
    " LEFT JOIN (SELECT DISTINCT facet, code_id FROM label) AS l ON l.facet = f.facet AND l.code_id = c.code_id"
    " WHERE f.place > 1 AND f.kind IN ('codes', 'number')"
    "  AND (l.code_id IS NOT NULL OR (c.retired_in IS NULL AND c." IN_CODEBOOK "))"
    " ORDER BY f.place, iif(c." IN_CODEBOOK ", c.code_id, " VALUES_FROM "), c.name");

static void add_code(struct writer *w, size_t facet, struct span category, struct span name, struct span definition)
{
    array_add(&w->codes, (struct code_row){facet, arena_copy(&w->arena, category), arena_copy(&w->arena, name),
                                           arena_copy(&w->arena, definition)});
    w->n->codes++;
}

static void open_code(struct buf *out, struct span guid, struct span name, bool codable, struct span description)
{
    buf_addf(out, "<Code guid=\"%.*s\"", SPAN_ARG(guid));
    add_attribute(out, "name", name);
    add_attribute(out, "isCodable", codable ? SPAN("true") : SPAN("false"));
    buf_add_char(out, '>');
    if (description.len > 0)
        add_element(out, "Description", description);
}

/* The node of that name below another one (of a facet: 0), made where it is not there. */
static size_t node_below(struct writer *w, size_t above, struct span name, struct span category)
{
    struct node_map_entry *entry;

    if (!node_map_add(&w->by_name, (struct node_key){above, name}, &entry))
        return entry->value;
    entry->value = w->nodes.n;
    if (w->nodes.at[above].last != 0)
        w->nodes.at[w->nodes.at[above].last].next = w->nodes.n;
    else
        w->nodes.at[above].first = w->nodes.n;
    w->nodes.at[above].last = w->nodes.n;
    array_add(&w->nodes, ((struct node){.name = name, .category = category}));
    return w->nodes.n - 1;
}

static void add_note_refs(struct writer *w, struct buf *out, struct span list, struct span code)
{
    for (size_t i = 0; i < w->pinned.n; i++)
        if (span_eq(w->pinned.at[i].list, list) && span_eq(w->pinned.at[i].code, code))
            add_ref(out, "NoteRef", w->pinned.at[i].guid);
}

static void add_nodes(struct writer *w, size_t facet, size_t above)
{
    const struct facets *f = w->facets;
    size_t list = f->items[facet].list;

    for (size_t i = w->nodes.at[above].first; i != 0; i = w->nodes.at[i].next) {
        const struct node *node = &w->nodes.at[i];
        struct span path = refi_path(&w->arena, node->category, node->name);
        const struct csv_row *row = list != SIZE_MAX ? categories_find(&w->categories, f->lists[list], path) : NULL;
        open_code(&w->book, code_guid(w, facet, node->category, node->name), node->name, node->own != NULL,
                  node->own != NULL && node->own->definition.len > 0 ? node->own->definition
                  : row != NULL                                      ? row->cells[CATEGORY_DEFINITION]
                                                                     : SPAN(""));
        if (node->own != NULL && list != SIZE_MAX)
            add_note_refs(w, &w->book, f->lists[list], node->name);
        add_nodes(w, facet, i);
        buf_add_text(&w->book, "</Code>\n");
    }
}

static enum status MUST_USE write_codes(struct writer *w)
{
    enum status status = db_facets(w->db, &w->facets, w->e);

    THEN(status, categories_of_db(&w->categories, w->db, w->e));
    for (size_t i = 0; status == ST_OK && i < w->facets->n; i++)
        if (w->facets->items[i].kind == FACET_YES_NO) {
            add_code(w, i, SPAN(""), SPAN("yes"), SPAN(""));
            add_code(w, i, SPAN(""), SPAN("no"), SPAN(""));
        }
    while (status == ST_OK && sql_next(w->db, SQL_REFI_CODE, &status, w->e))
        add_code(w, (size_t)sql_int(w->db, SQL_REFI_CODE, 0) - 1, sql_text(w->db, SQL_REFI_CODE, 1),
                 sql_text(w->db, SQL_REFI_CODE, 2), sql_text(w->db, SQL_REFI_CODE, 3));
    buf_add_text(&w->book, "<Codes>\n");
    for (size_t i = 0; status == ST_OK && i < w->facets->n; i++) {
        const struct facet *facet = &w->facets->items[i];
        if (facet->kind == FACET_TEXT)
            continue;
        open_code(&w->book, code_guid(w, i, SPAN(""), SPAN("")), facet->title, false, facet->asks);
        buf_add_char(&w->book, '\n');
        /* The codes below their categories, in the order in which the codebook has them first. */
        w->nodes.n = 0;
        node_map_reset(&w->by_name);
        array_add(&w->nodes, (struct node){.own = NULL});
        for (size_t k = 0; k < w->codes.n; k++) {
            const struct code_row *code = &w->codes.at[k];
            struct span rest = code->category;
            size_t at = 0;
            if (code->facet != i)
                continue;
            while (rest.len > 0) {
                struct span above = {code->category.ptr, (size_t)(rest.ptr - code->category.ptr)};
                above.len -= above.len > 0 ? strlen(CATEGORY_BETWEEN) : 0;
                at = node_below(w, at, cut_category(&rest), above);
            }
            at = node_below(w, at, code->name, code->category);
            w->nodes.at[at].own = code;
        }
        add_nodes(w, i, 0);
        buf_add_text(&w->book, "</Code>\n");
    }
    buf_add_text(&w->book, "</Codes>\n");
    return status;
}

/* --- coders --- */

static struct span user_guid(struct writer *w, struct span coder)
{
    return GUID(w, "user", coder);
}

static void add_by(struct writer *w, struct buf *out, struct span coder, struct span at)
{
    add_attribute(out, "creatingUser", user_guid(w, coder));
    add_attribute(out, "creationDateTime", at);
}

/* --- what they said of a post --- */

/* clang-format off */
#define REASON_OF(row, subject, facet) \
    "(SELECT max(d.reason) FROM decision AS d WHERE d.subject = " subject " AND +d.coder = " row ".coder" \
    " AND d.facet = " facet " AND +d.decided_at = " row ".decided_at AND " COUNTS ")"

SQL(REFI_SAID,
    "SELECT l.post_id AS post_id, l.subject AS subject, l.coder AS coder, f.place AS facet, l.place AS place,"
    "  c.category, c.name, l.decided_at, " REASON_OF("l", "l.subject", "l.facet") ", length(l.subject) AS width"
    " FROM label AS l JOIN facet AS f USING (facet) JOIN code AS c USING (code_id) WHERE f.kind <> 'text'"
    " UNION ALL SELECT post_id, " PUBLIC_ID("post_id") ", coder, 1, 1, NULL, iif(is_problem, 'yes', 'no'),"
    "  decided_at, " REASON_OF("j", PUBLIC_ID("j.post_id"), JUDGING) ", 0 FROM judgement AS j"
    " ORDER BY post_id, width, subject, facet, coder, place");
/* clang-format on */

SQL(REFI_NOTE, "SELECT post_id, subject, coder, written_at, text FROM note ORDER BY post_id, length(subject), subject,"
               " written_at, note_id");

static enum status MUST_USE read_said(struct writer *w, bool with_notes)
{
    struct said_row said = {.is_done = false};
    struct span *texts[] = {&said.subject, &said.coder, &said.category, &said.name, &said.at, &said.reason};
    struct sql *which = SQL_REFI_NOTE;
    int64_t place;
    enum status status = ST_OK;

    while (sql_next_into(w->db, SQL_REFI_SAID, &status, w->e, INTO(said.post_id), INTO(said.subject), INTO(said.coder),
                         INTO(said.facet), INTO(place), INTO(said.category), INTO(said.name), INTO(said.at),
                         INTO(said.reason))) {
        said.facet--;
        for (size_t i = 0; i < ARRAY_LEN(texts); i++)
            *texts[i] = arena_copy(&w->arena, *texts[i]);
        array_add(&w->said, said);
    }
    while (status == ST_OK && sql_next(w->db, which, &status, w->e)) {
        w->n->private_notes += !with_notes;
        if (!with_notes)
            continue;
        array_add(&w->notes, (struct said_row){.post_id = sql_int(w->db, which, 0),
                                               .subject = arena_copy(&w->arena, sql_text(w->db, which, 1)),
                                               .coder = arena_copy(&w->arena, sql_text(w->db, which, 2)),
                                               .at = arena_copy(&w->arena, sql_text(w->db, which, 3)),
                                               .reason = arena_copy(&w->arena, sql_text(w->db, which, 4))});
        w->n->notes++;
    }
    return status;
}

/* A note of what was said, once for all that it is the reason of, or that it is about; its GUID. */
static struct span add_memo(struct writer *w, const char *kind, const struct said_row *said)
{
    struct span guid = GUID(w, kind, w->post_guid, said->coder, said->at, said->reason);

    if (!text_set_add(&w->written, guid, NULL))
        return guid;
    buf_addf(&w->memos, "<Note guid=\"%.*s\" name=\"%s\"", SPAN_ARG(guid), kind);
    add_by(w, &w->memos, said->coder, said->at);
    buf_add_char(&w->memos, '>');
    add_element(&w->memos, "PlainTextContent", said->reason);
    buf_add_text(&w->memos, "</Note>\n");
    return guid;
}

static void add_coding(struct writer *w, struct buf *out, const struct said_row *said, struct span memo,
                       struct span within)
{
    struct span facet = w->facets->items[said->facet].title;
    struct span guid = GUID(w, "coding", w->post_guid, said->subject, said->coder, facet,
                            refi_path(&w->arena, said->category, said->name), within);

    buf_addf(out, "<Coding guid=\"%.*s\"", SPAN_ARG(guid));
    add_by(w, out, said->coder, said->at);
    buf_add_char(out, '>');
    add_ref(out, "CodeRef", code_guid(w, said->facet, said->category, said->name));
    if (memo.len > 0)
        add_ref(out, "NoteRef", memo);
    buf_add_text(out, "</Coding>");
}

/* Of a post with several problems the id, "48068013_2"; else empty. */
static struct span problem_of(const struct said_row *said)
{
    return memchr(said->subject.ptr, '_', said->subject.len) != NULL ? said->subject : SPAN("");
}

static void open_selection(struct writer *w, struct span problem, struct span of, size_t start, size_t end)
{
    struct buf *out = &w->selections;
    struct span place = arena_addf(&w->arena, "%zu-%zu", start, end);
    struct span guid = GUID(w, "selection", w->post_guid, problem, place, of);

    buf_addf(out, "<PlainTextSelection guid=\"%.*s\"", SPAN_ARG(guid));
    if (problem.len > 0)
        add_attribute(out, "name", problem);
    buf_addf(out, " startPosition=\"%zu\" endPosition=\"%zu\">", start, end);
}

/* Where the quoted words are in the text, in bytes; false: it is not there. */
static bool find_quote(const struct writer *w, const struct quote *quote, size_t *start, size_t *end)
{
    struct span text = buf_span(&w->text), body = span_after(text, w->title_end);
    bool is_title = span_eq(quote->field, SPAN("title")), is_body = span_eq(quote->field, SPAN("body"));

    if (!w->held || (quote->field.ptr != NULL && !is_title && !is_body))
        return false;
    if (!quote_find(quote, is_title ? (struct span){text.ptr, w->title_end} : is_body ? body : text, start, end)) {
        w->n->lost_quotes += is_title || is_body;
        return false;
    }
    *start += is_body ? w->title_end : 0;
    *end += is_body ? w->title_end : 0;
    return true;
}

/* What the reason quotes are passages with the code; without any it is of the post, or of its problem. */
static bool add_passages(struct writer *w, const struct said_row *said, struct span memo)
{
    struct span rest = said->reason, facet = w->facets->items[said->facet].title;
    struct quote quote;
    size_t start, end, n = 0;

    while (quote_next(&rest, &quote))
        if (find_quote(w, &quote, &start, &end)) {
            size_t first = utf8_count((struct span){w->text.ptr, start});
            struct span nth = arena_addf(&w->arena, "%zu", n++);
            struct span of = GUID(w, "passage", said->coder, facet, refi_path(&w->arena, said->category, said->name),
                                  nth);
            open_selection(w, problem_of(said), of, first,
                           first + utf8_count((struct span){w->text.ptr + start, end - start}));
            add_coding(w, &w->selections, said, memo, of);
            buf_add_text(&w->selections, "</PlainTextSelection>\n");
            w->n->passages++;
        }
    return n > 0;
}

/* --- a post --- */

static void add_value(struct writer *w, const char *name, const char *kind, struct span text)
{
    if (text.ptr == NULL)
        return;
    buf_add_text(&w->values, "<VariableValue>");
    add_ref(&w->values, "VariableRef", GUID(w, "variable", span_of(name)));
    add_element(&w->values, arena_addf(&w->arena, "%sValue", kind).ptr, text);
    buf_add_text(&w->values, "</VariableValue>");
}

/* All but the body, which is the source's text. */
static bool is_variable(const struct post_member *m)
{
    return strcmp(m->name, "body_html") != 0;
}

/* Dates of the database are whole ones. */
static const char *const value_kinds[] = {
    [MEMBER_NUMBER] = "Integer", [MEMBER_TEXT] = "Text", [MEMBER_ISO_DATE] = "DateTime", [MEMBER_TAGS] = "Text"};

static void take_post(void *ctx, const struct post *post)
{
    struct writer *w = ctx;
    struct post copy = *post;
    char type[POST_TYPE_TEXT_SIZE];

    if (w->held) /* an answer */
        return;
    w->held = true;
    buf_reset(&w->text);
    if (post->title.ptr != NULL) {
        text_from_title(&w->text, post->title);
        buf_add_text(&w->text, "\n\n");
    }
    w->title_end = w->text.len;
    text_from_html(&w->text, post->body_html, TEXT_INCLUDE_CODE);
    add_value(w, refi_variables[REFI_POST_TYPE], "Text", span_of(post_type_text(post->type, type)));
    for (size_t i = 0; i < n_post_members; i++) {
        const struct post_member *m = &post_members[i];
        struct span value = {0};
        if (m->kind != MEMBER_NUMBER)
            value = *post_text_at(&copy, m);
        else if (*post_number_at(&copy, m) != POST_ABSENT)
            value = arena_addf(&w->arena, "%" PRId64, *post_number_at(&copy, m));
        if (is_variable(m))
            add_value(w, m->name, value_kinds[m->kind], value);
    }
}

SQL(REFI_PLACE, "SELECT name, " URL_OF("'question'", ":id") " FROM site WHERE site_id = :id >> 53");

/* Site and id; a post that is not held has its address for a text. */
static enum status MUST_USE write_place(struct writer *w, int64_t post_id)
{
    char short_name[2];
    int64_t code = study_id_code(post_id);
    AT_END(buf_clear) struct buf site = {0};
    struct span number = arena_addf(&w->arena, "%" PRId64, study_id_number(post_id));
    bool row;

    sql_bind_int(w->db, SQL_REFI_PLACE, ":id", post_id);
    enum status status = sql_row(w->db, SQL_REFI_PLACE, &row, w->e);
    if (row) {
        if (code != 0)
            buf_addf(&site, "%.*s ", (int)study_site_short(code, short_name), short_name);
        buf_add_span(&site, sql_text(w->db, SQL_REFI_PLACE, 0));
        buf_add_span(&w->text, sql_text(w->db, SQL_REFI_PLACE, 1));
        sql_reset(w->db, SQL_REFI_PLACE);
    }
    w->post_guid = GUID(w, "source", buf_span(&site), number);
    add_value(w, refi_variables[REFI_POST_ID], "Integer", number);
    add_value(w, refi_variables[REFI_SITE], "Text", buf_span(&site));
    return status;
}

/* Those of a problem of several share a passage, the whole text, unless the reason quotes one. */
static void write_said(struct writer *w, struct said_row *said, size_t n)
{
    size_t all = utf8_count(buf_span(&w->text));
    struct span open = SPAN("");

    w->n->codings += n;
    for (size_t i = 0; i < n; i++) {
        bool again = i > 0 && span_eq(said[i].subject, said[i - 1].subject) &&
                     span_eq(said[i].coder, said[i - 1].coder) && said[i].facet == said[i - 1].facet;
        said[i].memo = said[i].reason.len == 0 ? SPAN("") /* a decision has one reason for its codes */
                       : again                 ? said[i - 1].memo
                                               : add_memo(w, "reason", &said[i]);
        said[i].is_done = add_passages(w, &said[i], said[i].memo);
    }
    for (size_t i = 0; i < n; i++) {
        struct span problem = problem_of(&said[i]);
        if (said[i].is_done)
            continue;
        if (open.len > 0 && !span_eq(problem, open))
            buf_add_text(&w->selections, "</PlainTextSelection>\n");
        if (problem.len > 0 && !span_eq(problem, open))
            open_selection(w, problem, SPAN(""), 0, all);
        add_coding(w, problem.len > 0 ? &w->selections : &w->codings, &said[i], said[i].memo, SPAN(""));
        open = problem;
    }
    buf_add_text(&w->selections, open.len > 0 ? "</PlainTextSelection>\n" : "");
}

static void end_source(struct writer *w, int64_t post_id)
{
    AT_END(buf_clear) struct buf name = {0};
    struct buf *out = &w->sources;
    struct buf *parts[] = {&w->selections, &w->codings, &w->references, &w->values};

    buf_addf(&name, "Sources/%.*s.txt", SPAN_ARG(w->post_guid));
    zip_add(&w->zip, w->out, buf_cstr(&name), buf_span(&w->text));
    buf_reset(&name);
    buf_addf(&name, "%" PRId64, study_id_number(post_id));
    if (w->held && w->title_end > 2)
        buf_addf(&name, " %.*s", (int)w->title_end - 2, w->text.ptr);
    buf_addf(out, "<TextSource guid=\"%.*s\"", SPAN_ARG(w->post_guid));
    add_attribute(out, "name", buf_span(&name));
    buf_addf(out, " plainTextPath=\"internal://%.*s.txt\">\n", SPAN_ARG(w->post_guid));
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        buf_add_span(out, buf_span(parts[i]));
        buf_reset(parts[i]);
    }
    buf_add_text(out, "</TextSource>\n");
}

static enum status MUST_USE write_sources(struct writer *w)
{
    enum status status = ST_OK;
    size_t said = 0, notes = 0;

    while (status == ST_OK && (said < w->said.n || notes < w->notes.n)) {
        int64_t post_id = said < w->said.n ? w->said.at[said].post_id : INT64_MAX;
        if (notes < w->notes.n && w->notes.at[notes].post_id < post_id)
            post_id = w->notes.at[notes].post_id;
        size_t n_said = 0;
        while (said + n_said < w->said.n && w->said.at[said + n_said].post_id == post_id)
            n_said++;
        w->held = false;
        w->title_end = 0;
        buf_reset(&w->text);
        status = write_place(w, post_id);
        THEN(status, db_thread_each(w->db, post_id, take_post, w, w->e));
        if (n_said > 0)
            write_said(w, &w->said.at[said], n_said);
        for (; notes < w->notes.n && w->notes.at[notes].post_id == post_id; notes++) {
            const struct said_row *note = &w->notes.at[notes];
            struct span problem = problem_of(note), memo = add_memo(w, "note", note);
            if (problem.len > 0)
                open_selection(w, problem, memo, 0, utf8_count(buf_span(&w->text)));
            add_ref(problem.len > 0 ? &w->selections : &w->references, "NoteRef", memo);
            buf_add_text(&w->selections, problem.len > 0 ? "</PlainTextSelection>\n" : "");
        }
        end_source(w, post_id);
        w->n->sources++;
        w->n->absent += !w->held;
        said += n_said;
    }
    return status;
}

/* --- the project --- */

#define HEAD(root, space) "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<" root " xmlns=\"" space "\""

static void add_part(struct buf *out, const char *name, const struct buf *part)
{
    if (part->len > 0) {
        buf_addf(out, "<%s>\n", name);
        buf_add_span(out, buf_span(part));
        buf_addf(out, "</%s>\n", name);
    }
}

static enum status MUST_USE add_project(struct writer *w, struct buf *out)
{
    AT_END(buf_clear) struct buf variables = {0};
    struct span title;
    enum status status = db_setting_get(w->db, "title", &w->arena, &title, w->e);

    if (status == ST_OK && title.len == 0)
        status = db_setting_get(w->db, "name", &w->arena, &title, w->e);
    buf_add_text(out, HEAD("Project", REFI_PROJECT));
    add_attribute(out, "name", title);
    buf_add_text(out, " origin=\"" REFI_ORIGIN " " PPMINE_VERSION "\">\n");
    add_part(out, "Users", &w->users);
    add_part(out, "CodeBook", &w->book);
    for (size_t i = 0; i < REFI_VARIABLES + n_post_members && w->sources.len > 0; i++) {
        const struct post_member *m = i < REFI_VARIABLES ? NULL : &post_members[i - REFI_VARIABLES];
        const char *name = m != NULL ? m->name : refi_variables[i];
        struct span guid = GUID(w, "variable", span_of(name));
        if (m == NULL || is_variable(m))
            buf_addf(&variables, "<Variable guid=\"%.*s\" name=\"%s\" typeOfVariable=\"%s\"/>\n", SPAN_ARG(guid), name,
                     m != NULL           ? value_kinds[m->kind]
                     : i == REFI_POST_ID ? "Integer"
                                         : "Text");
    }
    add_part(out, "Variables", &variables);
    add_part(out, "Sources", &w->sources);
    add_part(out, "Notes", &w->memos);
    add_note_refs(w, out, SPAN(""), SPAN(""));
    buf_add_text(out, "</Project>\n");
    return status;
}

static void writer_clear(struct writer *w)
{
    struct buf *bufs[] = {&w->users,   &w->book,       &w->sources, &w->memos, &w->selections,
                          &w->codings, &w->references, &w->values,  &w->text};

    for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
        buf_clear(bufs[i]);
    categories_clear(&w->categories);
    array_clear(&w->codes);
    array_clear(&w->pinned);
    array_clear(&w->said);
    array_clear(&w->notes);
    array_clear(&w->nodes);
    node_map_clear(&w->by_name);
    text_set_clear(&w->written);
    zip_clear(&w->zip);
    arena_clear(&w->arena);
}

enum status refi_write(struct db *db, bool notes, bool memos, struct buf *out, struct refi_written *n, struct err *e)
{
    AT_END(writer_clear) struct writer w = {.db = db, .n = n, .out = out, .e = e};
    AT_END(buf_clear) struct buf project = {0};
    int64_t texts = 0;

    *n = (struct refi_written){0};
    struct sql *walk = memo_walk(db, (struct span){0}, (struct span){0});
    struct memo memo;
    struct db_coder coder;
    enum status status = ST_OK;
    while (memo_next(db, walk, &memo, &status, e)) {
        n->private_memos += !memo.undone && !memos;
        if (memo.undone || !memos)
            continue;
        const struct said_row said = {.coder = memo.coder, .at = memo.written_at, .reason = memo.text};
        array_add(&w.pinned, (struct pinned){arena_copy(&w.arena, memo.list), arena_copy(&w.arena, memo.code),
                                             add_memo(&w, "memo", &said)});
        n->memos++;
    }
    THEN(status, write_codes(&w));
    while (db_coder_next(db, &coder, &status, e)) {
        struct span guid = user_guid(&w, coder.coder);
        buf_addf(&w.users, "<User guid=\"%.*s\"", SPAN_ARG(guid));
        add_attribute(&w.users, "name", coder.coder);
        buf_add_text(&w.users, coder.is_merged ? " id=\"merged\"/>\n" : "/>\n");
    }
    THEN(status, read_said(&w, notes));
    THEN(status, sql_integers(db, "SELECT count(code_id) FROM label JOIN facet USING (facet) WHERE kind = 'text'",
                              &texts, 1, e));
    n->texts = (size_t)texts;
    THEN(status, write_sources(&w));
    THEN(status, add_project(&w, &project));
    if (status == ST_OK) {
        zip_add(&w.zip, out, "project.qde", buf_span(&project));
        zip_end(&w.zip, out);
        if (w.zip.too_large)
            status = err_set(e, ST_INPUT,
                             "the project is larger than a zip archive can be: 65535 files of 4 GiB in all");
    }
    return status;
}

enum status refi_write_codebook(struct db *db, struct buf *out, struct refi_written *n, struct err *e)
{
    AT_END(writer_clear) struct writer w = {.db = db, .n = n, .out = out, .e = e};

    *n = (struct refi_written){0};
    enum status status = write_codes(&w);
    buf_add_text(out, HEAD("CodeBook", REFI_CODEBOOK) " origin=\"" REFI_ORIGIN " " PPMINE_VERSION "\">\n");
    buf_add_span(out, buf_span(&w.book));
    buf_add_text(out, "</CodeBook>\n");
    return status;
}
