/* refi_read: a project or codebook of REFI-QDA, from whatever program, as codes, coders, sources and what was said. */
#include "base/day.h"
#include "base/log.h"
#include "base/maps.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/zip.h"
#include "label/exchange/foreign_head.h"
#include "label/exchange/refi_project.h"

#include <time.h>

#include <archive.h>
#include <archive_entry.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

enum { ENTRIES_MAX = 200000, CODES_MAX = 20000, DEPTH_MAX = 32, NAME_MAX_BYTES = 150 };

struct reader {
    struct refi *r;
    const char *name;        /* of the file, for messages */
    struct text_pairs parts; /* by the path in small letters */
    size_t unpacked;
    size_t owner;       /* of the project; SIZE_MAX: not said */
    enum status status; /* the first that was not ST_OK: then nothing more is read */
    struct err *e;
};

/* --- the archive --- */

static struct span small_letters(struct arena *arena, struct span s)
{
    char *small = arena_text(arena, s);

    for (char *p = small; p < small + s.len; p++)
        *p = ascii_lower(*p);
    return (struct span){small, s.len};
}

/* Texts and the project; pictures, recordings and formatted documents stay where they are. */
static void unpack(struct reader *in, struct span content)
{
    struct archive *zip = archive_read_new();
    struct archive_entry *entry;
    struct text_pairs_entry *part;
    AT_END(buf_clear) struct buf bytes = {0};
    int result = ARCHIVE_OK;

    archive_read_support_format_zip_seekable(zip);
    if (archive_read_open_memory(zip, content.ptr, content.len) != ARCHIVE_OK)
        result = ARCHIVE_FATAL;
    for (size_t n = 0; in->status == ST_OK && result >= ARCHIVE_WARN; n++) {
        result = archive_read_next_header(zip, &entry);
        if (result < ARCHIVE_WARN || result == ARCHIVE_EOF)
            break;
        const char *path = archive_entry_pathname(entry);
        struct span small = small_letters(&in->r->arena, span_of(path));
        if (path == NULL || n > ENTRIES_MAX)
            result = ARCHIVE_FATAL;
        else if (span_ends(small, SPAN(".qde")) || span_ends(small, SPAN(".txt"))) {
            buf_reset(&bytes);
            in->status = foreign_unpack(zip, in->name, &in->unpacked, &bytes, in->e);
            if (in->status == ST_OK && text_pairs_add(&in->parts, small, &part))
                part->value = arena_copy(&in->r->arena, buf_span(&bytes));
        }
    }
    if (in->status == ST_OK && result != ARCHIVE_EOF)
        in->status = err_set(in->e, ST_INPUT, "%s: the zip file is damaged, or has more than %d files", in->name,
                             ENTRIES_MAX);
    archive_read_free(zip);
}

/* --- XML --- */

/* The first fault counts. */
static void wrong(struct reader *in, const xmlNode *node, const char *what, struct span about)
{
    AT_END(buf_clear) struct buf words = {0};

    if (in->status != ST_OK)
        return;
    buf_addf_clean(&words, what, about.len < 100 ? (int)about.len : 100, about.len > 0 ? about.ptr : "");
    in->status = err_set(in->e, ST_INPUT, "%s: line %ld: %s", in->name, xmlGetLineNo(node), buf_cstr(&words));
}

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* The next element of that name after `last`, or the first one (NULL) within `of`; NULL: none, or a fault. */
static const xmlNode *each(const struct reader *in, const xmlNode *of, const xmlNode *last, const char *name)
{
    const xmlNode *n = of == NULL || in->status != ST_OK ? NULL : last == NULL ? of->children : last->next;

    while (n != NULL && !is(n, name))
        n = n->next;
    return n;
}

static const xmlNode *child(const xmlNode *node, const char *name)
{
    for (const xmlNode *n = node != NULL ? node->children : NULL; n != NULL; n = n->next)
        if (is(n, name))
            return n;
    return NULL;
}

/* A copy of a text that libxml2 made; frees the original. ptr NULL for NULL. */
static struct span kept(struct reader *in, xmlChar *value)
{
    struct span copy = {0};

    if (value != NULL)
        copy = arena_copy(&in->r->arena, span_of((const char *)value));
    xmlFree(value);
    return copy;
}

static struct span attribute(struct reader *in, const xmlNode *node, const char *name)
{
    return span_trim(kept(in, xmlGetNoNsProp(node, (const xmlChar *)name)));
}

static struct span content_of(struct reader *in, const xmlNode *node)
{
    return kept(in, node != NULL ? xmlNodeGetContent(node) : NULL);
}

/* --- GUIDs --- */

/* In small letters, without braces. */
static struct span guid_at(struct reader *in, const xmlNode *node, const char *name)
{
    struct span s = attribute(in, node, name);
    bool is_guid;

    if (s.len > 1 && s.ptr[0] == '{' && s.ptr[s.len - 1] == '}')
        s = (struct span){s.ptr + 1, s.len - 2};
    is_guid = s.len == 36;
    for (size_t i = 0; i < s.len && is_guid; i++)
        is_guid = i == 8 || i == 13 || i == 18 || i == 23 ? s.ptr[i] == '-' : hex_digit(s.ptr[i]) >= 0;
    if (!is_guid)
        wrong(in, node, "'%.*s' is not a GUID", s);
    return small_letters(&in->r->arena, s);
}

static void define(struct reader *in, const xmlNode *node, enum refi_kind kind, size_t place)
{
    struct guid_map_entry *entry;
    struct span guid = guid_at(in, node, "guid");

    if (in->status == ST_OK && !guid_map_add(&in->r->guids, guid, &entry))
        wrong(in, node, "the GUID %.*s occurs a second time", guid);
    else if (in->status == ST_OK)
        entry->value = (struct refi_thing){kind, place};
}

/* The place of what the element refers to; 0 where that is not there. */
static size_t refer(struct reader *in, const xmlNode *node, enum refi_kind kind)
{
    static const char *const words[] = {[REFI_CODE] = "there is no code with the GUID %.*s",
                                        [REFI_NOTE] = "there is no note with the GUID %.*s",
                                        [REFI_VARIABLE] = "there is no variable with the GUID %.*s"};
    struct span guid = guid_at(in, node, "targetGUID");
    const struct guid_map_entry *entry = guid_map_find(&in->r->guids, guid);
    bool found = entry != NULL && entry->value.kind == kind;

    if (!found)
        wrong(in, node, words[kind], guid);
    return found ? entry->value.place : 0;
}

/* `otherwise` where the element does not say who. A user who is missing in <Users> gets its GUID as a name, so that
 * coders stay apart. */
static size_t user_at(struct reader *in, const xmlNode *node, const char *name, size_t otherwise)
{
    struct guid_map_entry *entry;

    if (attribute(in, node, name).len == 0)
        return otherwise;
    struct span guid = guid_at(in, node, name);
    if (in->status != ST_OK)
        return otherwise;
    if (guid_map_add(&in->r->guids, guid, &entry)) {
        log_warn("%s: line %ld: the user with the GUID %.*s is not among its users, and is called by it", in->name,
                 xmlGetLineNo(node), SPAN_ARG(guid));
        entry->value = (struct refi_thing){REFI_USER, in->r->users.n};
        array_add(&in->r->users, (struct refi_user){.name = guid});
    }
    if (entry->value.kind != REFI_USER)
        wrong(in, node, "the GUID %.*s is not of a user", guid);
    return entry->value.place;
}

/* "2023-08-16T17:49:36+02:00" as the database writes it; without a zone it is taken for UTC. `otherwise`: not said. */
static struct span time_at(struct reader *in, const xmlNode *node, struct span otherwise)
{
    struct span s = attribute(in, node, "creationDateTime");
    struct tm tm = {0};
    char text[TIME_TEXT_SIZE], thousandths[4] = "000";
    size_t n = 0;
    uint64_t hours, minutes;
    time_t east = 0;
    bool valid = s.len >= 19 && s.len <= 40;

    if (s.len == 0)
        return otherwise;
    const char *end = s.ptr + s.len, *zone = valid ? s.ptr + 19 : end;
    for (zone += zone < end && *zone == '.'; zone < end && *zone >= '0' && *zone <= '9'; zone++)
        if (n < 3)
            thousandths[n++] = *zone;
    valid = valid && strptime(arena_text(&in->r->arena, (struct span){s.ptr, 19}), "%Y-%m-%dT%H:%M:%S", &tm) != NULL;
    if (end - zone == 6 && (*zone == '+' || *zone == '-') && zone[3] == ':' &&
        span_u64((struct span){zone + 1, 2}, 14, &hours) && span_u64((struct span){zone + 4, 2}, 59, &minutes))
        east = (time_t)(hours * 60 + minutes) * (*zone == '-' ? -60 : 60);
    else if (end - zone > 1 || (end - zone == 1 && *zone != 'Z'))
        valid = false;
    time_t seconds = timegm(&tm) - east;
    if (!valid || gmtime_r(&seconds, &tm) == NULL || tm.tm_year < 0 || tm.tm_year > 8099) {
        wrong(in, node, "'%.*s' is not a time", s);
        return otherwise;
    }
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    return arena_addf(&in->r->arena, "%s.%sZ", text, thousandths);
}

/* --- users, codes, variables --- */

/* Blanks of any kind as one: a name is one line, and its spellings are compared so. */
static struct span one_line(struct reader *in, struct span s)
{
    char *copy = arena_text(&in->r->arena, s);
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        bool blank = strchr(" \t\r\n", copy[i]) != NULL;
        if (!blank || (n > 0 && copy[n - 1] != ' '))
            copy[n++] = blank ? ' ' : copy[i];
    }
    return span_trim((struct span){copy, n});
}

/* A note with a text that the element refers to; SIZE_MAX: it has none. */
static size_t memo_at(struct reader *in, const xmlNode *node)
{
    size_t memo = refer(in, node, REFI_NOTE);

    if (in->status != ST_OK || in->r->memos.at[memo].text.len == 0)
        return SIZE_MAX;
    in->r->memos.at[memo].is_used = true;
    return memo;
}

/* The text of the element's last note; with `pins`, all notes are memos of a code, or (SIZE_MAX) of the project. */
static struct span read_memos(struct reader *in, const xmlNode *node, const size_t *pins)
{
    struct span last = {0};

    for (const xmlNode *n = NULL; (n = each(in, node, n, "NoteRef")) != NULL;) {
        size_t memo = memo_at(in, n);
        if (memo == SIZE_MAX)
            continue;
        last = in->r->memos.at[memo].text;
        if (pins != NULL)
            array_add(&in->r->pins, (struct refi_pin){*pins, memo});
    }
    return last;
}

static void read_codes(struct reader *in, const xmlNode *within, size_t parent, size_t depth)
{
    struct refi *r = in->r;

    for (const xmlNode *n = NULL; (n = each(in, within, n, "Code")) != NULL;) {
        size_t place = r->codes.n;
        struct refi_code code = {.name = one_line(in, attribute(in, n, "name")),
                                 .definition = span_trim(content_of(in, child(n, "Description"))),
                                 .parent = parent,
                                 .depth = depth};
        struct span codable = attribute(in, n, "isCodable");
        code.codable = !span_eq(codable, SPAN("false")) && !span_eq(codable, SPAN("0"));
        r->colours += attribute(in, n, "color").len > 0;
        if (code.name.len == 0 || code.name.len > NAME_MAX_BYTES || !text_is_clean(code.name))
            wrong(in, n, "'%.*s': the name of a code has 1 to 150 bytes, and no control characters", code.name);
        if (depth > DEPTH_MAX || place == CODES_MAX)
            wrong(in, n, "'%.*s': more than 20000 codes, or more than 32 levels of them", code.name);
        define(in, n, REFI_CODE, place);
        struct span memo = read_memos(in, n, &place);
        if (code.definition.len == 0 && !span_starts(r->origin, SPAN(REFI_ORIGIN)))
            code.definition = memo;
        code.has_children = child(n, "Code") != NULL;
        array_add(&r->codes, code);
        read_codes(in, n, place, depth + 1);
    }
}

/* --- texts --- */

/* The text of a source or note, without a byte order mark; ptr NULL: the file does not contain it. */
static struct span text_at(struct reader *in, const xmlNode *node)
{
    struct span path = attribute(in, node, "plainTextPath"), text = {0};
    const xmlNode *inside = child(node, "PlainTextContent");
    enum text_encoding encoding;
    AT_END(buf_clear) struct buf room = {0};
    struct err why;

    if (inside != NULL)
        return content_of(in, inside);
    if (!span_starts(path, SPAN("internal://"))) /* none, or a file on somebody's disk */
        return text;
    struct span file = span_after(path, strlen("internal://"));
    if (file.len == 0 || span_has(file, "/") || span_has(file, "\\") || span_has(file, "..")) {
        wrong(in, node, "the path '%.*s' leads out of the folder Sources", path);
        return text;
    }
    file = small_letters(&in->r->arena, arena_addf(&in->r->arena, "sources/%.*s", SPAN_ARG(file)));
    const struct text_pairs_entry *part = text_pairs_find(&in->parts, file);
    if (part == NULL)
        wrong(in, node, "'%.*s' is not in the file", path);
    else if (text_decode(part->value, NULL, "", &room, &text, &encoding, &why) != ST_OK ||
             utf8_valid_prefix(text) < text.len)
        wrong(in, node, "'%.*s' is neither UTF-8 nor UTF-16", path);
    return in->status == ST_OK ? arena_copy(&in->r->arena, text) : (struct span){0};
}

/* --- sources --- */

/* Who says it, and when, where the element does. */
static void read_by(struct reader *in, const xmlNode *node, struct refi_coding *coding)
{
    coding->user = user_at(in, node, "creatingUser", coding->user);
    coding->at = time_at(in, node, coding->at);
}

/* Codings have one code; some programs write several. */
static void read_coding(struct reader *in, const xmlNode *node, struct refi_coding coding)
{
    size_t n_before = in->r->codings.n;

    read_by(in, node, &coding);
    coding.reason = read_memos(in, node, NULL);
    for (const xmlNode *n = NULL; (n = each(in, node, n, "CodeRef")) != NULL;) {
        coding.code = refer(in, n, REFI_CODE);
        if (in->status != ST_OK)
            return;
        in->r->codes.at[coding.code].is_used = true;
        array_add(&in->r->codings, coding);
    }
    if (in->r->codings.n == n_before)
        wrong(in, node, "a Coding without a CodeRef%.*s", SPAN(""));
}

static void read_note_ref(struct reader *in, const xmlNode *node, size_t source, size_t problem)
{
    size_t memo = memo_at(in, node);

    if (memo != SIZE_MAX)
        array_add(&in->r->remarks, (struct refi_remark){source, memo, problem});
}

/* The point in time of a transcript that says a place in its text; NULL: none does. */
static const xmlNode *point_of(struct reader *in, const xmlNode *node, const char *which)
{
    struct span point = attribute(in, node, which);

    for (const xmlNode *n = node->parent->children; n != NULL && point.len > 0; n = n->next)
        if (is(n, "SyncPoint") && span_eq(attribute(in, n, "guid"), point) && attribute(in, n, "position").len > 0)
            return n;
    return NULL;
}

/* The place of a passage is at itself, or in a transcript that of a point in time. */
static size_t position_of(struct reader *in, const xmlNode *node, const char *name, const char *sync)
{
    bool at_itself = is(node, "PlainTextSelection");
    const xmlNode *at = at_itself ? node : point_of(in, node, sync);
    struct span s = attribute(in, at, at_itself ? name : "position");
    uint64_t number = 0;

    if (!span_u64(s, UINT32_MAX, &number))
        wrong(in, at, "the position '%.*s' is not a number of characters", s);
    return number;
}

static void read_selection(struct reader *in, const xmlNode *node, size_t source)
{
    const struct refi_source *of = &in->r->sources.at[source];
    struct refi_coding coding = {.source = source, .user = in->owner, .is_passage = true};

    /* "48068013_2" of the post 48068013 is its second problem. */
    struct span name = attribute(in, node, "name");
    size_t under = span_find(name, SPAN("_"));
    uint64_t number;
    int64_t post;
    if (under != SIZE_MAX && span_u64(span_after(name, under + 1), 1000, &number) && problem_id_read(name, &post))
        coding.problem = number;
    coding.start = position_of(in, node, "startPosition", "fromSyncPoint");
    coding.end = position_of(in, node, "endPosition", "toSyncPoint");
    if (coding.start > coding.end)
        wrong(in, node, "the passage ends before it begins%.*s", SPAN(""));
    if (of->text.ptr != NULL && coding.end > of->n_units)
        wrong(in, node, "the passage ends after the end of '%.*s'", of->name);
    in->r->utf16 |= of->text.ptr != NULL && coding.end > of->n_characters;
    read_by(in, node, &coding);
    for (const xmlNode *n = node->children; n != NULL && in->status == ST_OK; n = n->next)
        if (is(n, "Coding"))
            read_coding(in, n, coding);
        else if (is(n, "NoteRef"))
            read_note_ref(in, n, source, coding.problem);
    in->r->passages++;
}

static void read_value(struct reader *in, const xmlNode *node, size_t source)
{
    const xmlNode *ref = child(node, "VariableRef");

    if (ref == NULL) {
        wrong(in, node, "a value without a VariableRef%.*s", SPAN(""));
        return;
    }
    size_t variable = refer(in, ref, REFI_VARIABLE);
    for (const xmlNode *n = node->children; n != NULL && in->status == ST_OK; n = n->next)
        if (n->type == XML_ELEMENT_NODE && n != ref)
            array_add(&in->r->values, (struct refi_value){source, variable, content_of(in, n)});
}

/* Where the text of a source is: of a document, a picture or a recording it is beside what is seen or heard. */
static const xmlNode *text_of(const xmlNode *node)
{
    static const char *const names[] = {"Representation", "TextDescription", "Transcript"};
    const xmlNode *text = is(node, "TextSource") ? node : NULL;

    for (size_t i = 0; i < ARRAY_LEN(names) && text == NULL; i++)
        text = child(node, names[i]);
    return text;
}

static void read_within(struct reader *in, const xmlNode *node, size_t source, struct refi_coding whole)
{
    for (const xmlNode *n = node->children; n != NULL && in->status == ST_OK; n = n->next)
        if (is(n, "PlainTextSelection") || (is(n, "TranscriptSelection") && point_of(in, n, "fromSyncPoint") != NULL &&
                                            point_of(in, n, "toSyncPoint") != NULL))
            read_selection(in, n, source);
        else if (is(n, "TranscriptSelection")) /* known by the clock alone */
            read_within(in, n, source, whole);
        else if (is(n, "Coding"))
            read_coding(in, n, whole);
        else if (is(n, "NoteRef"))
            read_note_ref(in, n, source, 0);
        else if (is(n, "VariableValue"))
            read_value(in, n, source);
}

static void read_source(struct reader *in, const xmlNode *node, const xmlNode *text)
{
    size_t source = in->r->sources.n;
    struct refi_coding whole = {.source = source, .user = in->owner};
    struct refi_source it = {.name = attribute(in, node, "name"), .text = text_at(in, text)};

    it.n_characters = it.n_units = utf8_count(it.text);
    for (size_t i = 0; i < it.text.len; i++)
        it.n_units += (unsigned char)it.text.ptr[i] >= 0xf0;
    in->r->astral += it.n_units > it.n_characters;
    it.name = it.name.len > 0 ? one_line(in, it.name) : attribute(in, node, "guid");
    define(in, node, REFI_SOURCE, source);
    read_by(in, node, &whole);
    array_add(&in->r->sources, it);
    read_within(in, node, source, whole);
    if (text != node)
        read_within(in, text, source, whole);
}

/* What others write and nobody here reads, by element. */
static const struct {
    const char *name, *what;
} others[] = {
    {"PDFSource", "PDF documents"},
    {"PictureSource", "pictures"},
    {"AudioSource", "recordings"},
    {"VideoSource", "films"},
    {"PDFSelection", "places in PDF documents"},
    {"PictureSelection", "places in pictures"},
    {"AudioSelection", "places in recordings"},
    {"VideoSelection", "places in films"},
    {"Case", "cases"},
    {"Set", "sets"},
    {"Link", "links"},
    {"Graph", "drawings"},
    {"Description", "descriptions except of codes"},
};

/* Names that are read, and those within what is left out, which is counted as a whole. */
static const char known[] =
    "Project Users User CodeBook Codes Code Sources Coding CodeRef Notes Note NoteRef TextSource PlainTextSelection"
    " Cases Sets Links PlainTextContent Variables Variable VariableValue Graphs Vertex Edge VariableRef SourceRef"
    " SelectionRef Representation Transcript TextDescription SyncPoint TranscriptSelection MemberCode MemberSource"
    " MemberNote TextValue BooleanValue IntegerValue FloatValue DateValue DateTimeValue";

struct unread {
    struct text_set known;
    size_t n[ARRAY_LEN(others)], codings, elements;
    struct span first; /* of the elements that nobody knows */
};

static void count_unread(struct unread *u, const xmlNode *node, bool lost)
{
    for (const xmlNode *n = node->children; n != NULL; n = n->next) {
        if (n->type != XML_ELEMENT_NODE)
            continue;
        bool lost_here = lost, names = text_set_has(&u->known, span_of((const char *)n->name));
        for (size_t i = 0; i < ARRAY_LEN(others) && !names; i++) {
            if (!is(n, others[i].name))
                continue;
            names = true;
            bool of_code = is(n, "Description") && (is(node, "Code") || lost);
            u->n[i] += !of_code && (text_of(n) == NULL || !is(node, "Sources"));
            lost_here |= !of_code && text_of(n) == NULL;
        }
        u->codings += lost && is(n, "Coding");
        if (!names && u->elements++ == 0)
            u->first = span_of((const char *)n->name);
        count_unread(u, n, lost_here);
    }
}

static void read_project(struct reader *in, const xmlNode *project)
{
    const xmlNode *sources = child(project, "Sources"), *variables = child(project, "Variables");
    const xmlNode *notes = child(project, "Notes"), *users = child(project, "Users");

    for (const xmlNode *n = NULL; (n = each(in, users, n, "User")) != NULL;) {
        struct span name = attribute(in, n, "name"), id = attribute(in, n, "id");
        AT_END(buf_clear) struct buf clean = {0};
        struct err why;
        if (name.len == 0)
            name = id.len > 0 ? id : attribute(in, n, "guid");
        define(in, n, REFI_USER, in->r->users.n);
        if (coder_name_check(name, &clean, &why) != ST_OK)
            wrong(in, n, "the user's name %.*s", span_of(why.text));
        array_add(&in->r->users, (struct refi_user){.name = arena_copy(&in->r->arena, buf_span(&clean)),
                                                    .is_merged = span_eq(id, SPAN("merged"))});
    }
    in->owner = user_at(in, project, "creatingUserGUID", SIZE_MAX);
    in->r->title = one_line(in, attribute(in, project, "name"));
    for (const xmlNode *n = NULL; (n = each(in, variables, n, "Variable")) != NULL;) {
        define(in, n, REFI_VARIABLE, in->r->variables.n);
        array_add(&in->r->variables, attribute(in, n, "name"));
    }
    for (const xmlNode *n = NULL; (n = each(in, notes, n, "Note")) != NULL;) {
        define(in, n, REFI_NOTE, in->r->memos.n);
        struct refi_memo memo = {.user = user_at(in, n, "creatingUser", in->owner)};
        memo.at = time_at(in, n, memo.at);
        memo.text = span_trim(text_at(in, n));
        array_add(&in->r->memos, memo);
    }
    read_codes(in, child(child(project, "CodeBook"), "Codes"), SIZE_MAX, 0);
    for (const xmlNode *n = sources != NULL ? sources->children : NULL; n != NULL && in->status == ST_OK; n = n->next)
        if (n->type == XML_ELEMENT_NODE && text_of(n) != NULL) {
            read_source(in, n, text_of(n));
            for (const xmlNode *t = text_of(n); t != n && in->status == ST_OK && (t = t->next) != NULL;)
                if (is(t, "Transcript")) /* a recording may have several */
                    read_source(in, t, t);
        }
    (void)read_memos(in, project, &(size_t){SIZE_MAX});
}

static void read_document(struct reader *in, const xmlDoc *doc)
{
    const xmlNode *root = xmlDocGetRootElement(doc);
    struct span space = root->ns != NULL ? span_of((const char *)root->ns->href) : SPAN("");
    struct span names = SPAN(known), one;
    struct buf *out = &in->r->left_out;
    struct unread u = {.codings = 0};

    /* First: an attribute may name entities, which reading it expands. */
    if (doc->intSubset != NULL) {
        wrong(in, root, "a DTD, which no project has%.*s", SPAN(""));
        return;
    }
    in->r->origin = attribute(in, root, "origin");
    if (is(root, "Project") && span_eq(space, SPAN(REFI_PROJECT)))
        read_project(in, root);
    else if (!is(root, "CodeBook") || !span_eq(space, SPAN(REFI_CODEBOOK)))
        wrong(in, root, "neither a project nor a codebook of REFI-QDA 1.0 or 1.5, but of '%.*s'", space);
    else {
        in->r->title = SPAN("codebook");
        read_codes(in, child(root, "Codes"), SIZE_MAX, 0);
    }

    while (span_cut(&names, ' ', &one))
        (void)text_set_add(&u.known, one, NULL);
    count_unread(&u, root, false);
    text_set_clear(&u.known);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (u.n[i] > 0)
            buf_addf(out, "%s: %zu\n", others[i].what, u.n[i]);
    if (u.codings > 0)
        buf_addf(out, "codings of these: %zu\n", u.codings);
    if (u.elements > 0)
        buf_addf(out, "elements of other programs, such as %.*s: %zu\n", SPAN_ARG(u.first), u.elements);
}

bool refi_is(struct span content)
{
    struct span head = {content.ptr, content.len < 4096 ? content.len : 4096};
    bool is_zip = zip_begins(content);

    return is_zip ? span_has(content, ".qde")
                  : span_has(head, "urn:QDA-XML:") || span_find(head, SPAN("Q\0D\0A\0-\0X\0M\0L")) != SIZE_MAX;
}

enum status refi_read(struct refi **out, struct span content, const char *name, struct err *e)
{
    struct refi *r = *out = mem_zero(1, sizeof *r);
    struct reader in = {.r = r, .name = name, .owner = SIZE_MAX, .e = e};
    AT_END(buf_clear) struct buf room = {0};
    enum text_encoding encoding;

    if (zip_begins(content)) {
        unpack(&in, content);
        const struct text_pairs_entry *project = text_pairs_find(&in.parts, SPAN("project.qde"));
        if (in.status == ST_OK && project == NULL)
            in.status = err_set(e, ST_INPUT, "%s: no project.qde in it", name);
        content = project != NULL ? project->value : content;
    }
    THEN(in.status, text_decode(content, NULL, name, &room, &content, &encoding, e));
    xmlParserCtxtPtr context = xmlNewParserCtxt();
    if (context == NULL)
        mem_lacking(1);
    xmlDocPtr doc = in.status != ST_OK ? NULL
                                       : xmlCtxtReadMemory(context, content.ptr, (int)content.len, NULL, "UTF-8",
                                                           XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (doc != NULL) {
        read_document(&in, doc);
    } else if (in.status == ST_OK) {
        struct span why = span_trim(span_of(context->lastError.message));
        in.status = err_set(e, ST_INPUT, "%s: line %d: %.*s", name, context->lastError.line, SPAN_ARG(why));
    }
    xmlFreeDoc(doc);
    xmlFreeParserCtxt(context);
    THEN(in.status, refi_arrange(r, name, e));
    text_pairs_clear(&in.parts);
    return in.status;
}

void refi_free(struct refi *r)
{
    if (r == NULL)
        return;
    array_clear(&r->users);
    array_clear(&r->codes);
    array_clear(&r->facets);
    array_clear(&r->variables);
    array_clear(&r->memos);
    array_clear(&r->sources);
    array_clear(&r->codings);
    array_clear(&r->remarks);
    array_clear(&r->pins);
    array_clear(&r->values);
    array_clear(&r->sites);
    guid_map_clear(&r->guids);
    buf_clear(&r->left_out);
    arena_clear(&r->arena);
    mem_free(r);
}
