/* refi_read: a project or codebook of REFI-QDA, from whatever program, as codes, coders, sources and what was said. */
#define _GNU_SOURCE /* timegm */
#include "base/day.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "label/coding/foreign_head.h"
#include "label/coding/refi_project.h"
#include "label/coding/refi_text.h"

#include <inttypes.h>
#include <strings.h>
#include <time.h>

#include <archive.h>
#include <archive_entry.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

enum { ENTRIES_MAX = 200000, CODES_MAX = 20000, DEPTH_MAX = 32, NAME_MAX_BYTES = 150 };

#define MAP_NAME part_map /* by the path in small letters */
#define MAP_KEY struct span
#define MAP_VALUE struct span
#include "base/map.h"
#include "base/zip.h"

struct reader {
    struct refi *r;
    const char *name; /* of the file, for messages */
    struct part_map parts;
    size_t unpacked;
    size_t owner; /* of the project; SIZE_MAX: not said */
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

static enum status MUST_USE keep_part(struct reader *in, struct archive *zip, struct span path)
{
    struct part_map_entry *entry;
    struct buf bytes = {0};
    enum status status = foreign_unpack(zip, in->name, &in->unpacked, &bytes, in->e);

    if (status == ST_OK && part_map_add(&in->parts, path, &entry))
        entry->value = arena_copy(&in->r->arena, buf_span(&bytes));
    buf_clear(&bytes);
    return status;
}

static bool ends(struct span s, const char *end)
{
    size_t n = strlen(end);

    return s.len >= n && memcmp(s.ptr + s.len - n, end, n) == 0;
}

/* Texts and the project; pictures, recordings and formatted documents stay where they are. */
static enum status MUST_USE unpack(struct reader *in, struct span content)
{
    struct archive *zip = archive_read_new();
    struct archive_entry *entry;
    enum status status = ST_OK;
    int result = ARCHIVE_OK;

    archive_read_support_format_zip_seekable(zip);
    if (archive_read_open_memory(zip, content.ptr, content.len) != ARCHIVE_OK)
        result = ARCHIVE_FATAL;
    for (size_t n = 0; status == ST_OK && result >= ARCHIVE_WARN; n++) {
        result = archive_read_next_header(zip, &entry);
        if (result < ARCHIVE_WARN || result == ARCHIVE_EOF)
            break;
        const char *path = archive_entry_pathname(entry);
        struct span small = small_letters(&in->r->arena, span_of(path));
        if (path == NULL || n > ENTRIES_MAX)
            result = ARCHIVE_FATAL;
        else if (ends(small, ".qde") || ends(small, ".txt"))
            status = keep_part(in, zip, small);
    }
    if (status == ST_OK && result != ARCHIVE_EOF)
        status = err_set(in->e, ST_INPUT, "%s: the zip file is damaged, or has more than %d files", in->name,
                         ENTRIES_MAX);
    archive_read_free(zip);
    return status;
}

/* --- XML --- */

static enum status wrong(const struct reader *in, const xmlNode *node, const char *what, struct span about)
{
    struct buf words = {0};

    buf_addf_clean(&words, what, about.len < 100 ? (int)about.len : 100, about.len > 0 ? about.ptr : "");
    err_set(in->e, ST_INPUT, "%s: line %ld: %s", in->name, xmlGetLineNo(node), buf_cstr(&words));
    buf_clear(&words);
    return ST_INPUT;
}

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static const xmlNode *child(const xmlNode *node, const char *name)
{
    for (const xmlNode *n = node != NULL ? node->children : NULL; n != NULL; n = n->next)
        if (is(n, name))
            return n;
    return NULL;
}

/* ptr NULL: there is none. */
static struct span attribute(struct reader *in, const xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    struct span copy = {0};

    if (value != NULL)
        copy = arena_copy(&in->r->arena, span_trim(span_of((const char *)value)));
    xmlFree(value);
    return copy;
}

static struct span content_of(struct reader *in, const xmlNode *node)
{
    xmlChar *value = node != NULL ? xmlNodeGetContent(node) : NULL;
    struct span copy = {0};

    if (value != NULL)
        copy = arena_copy(&in->r->arena, span_of((const char *)value));
    xmlFree(value);
    return copy;
}

/* --- GUIDs --- */

static bool is_guid(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (i == 8 || i == 13 || i == 18 || i == 23 ? s.ptr[i] != '-' : hex_digit(s.ptr[i]) < 0)
            return false;
    return s.len == 36;
}

/* In small letters, without braces. */
static enum status MUST_USE guid_at(struct reader *in, const xmlNode *node, const char *name, struct span *guid)
{
    struct span s = attribute(in, node, name);

    if (s.len > 1 && s.ptr[0] == '{' && s.ptr[s.len - 1] == '}')
        s = (struct span){s.ptr + 1, s.len - 2};
    if (!is_guid(s))
        return wrong(in, node, "'%.*s' is not a GUID", s);
    *guid = small_letters(&in->r->arena, s);
    return ST_OK;
}

static enum status MUST_USE define(struct reader *in, const xmlNode *node, enum refi_kind kind, size_t place)
{
    struct guid_map_entry *entry;
    struct span guid;
    enum status status = guid_at(in, node, "guid", &guid);

    if (status == ST_OK && !guid_map_add(&in->r->guids, guid, &entry))
        status = wrong(in, node, "the GUID %.*s occurs a second time", guid);
    else if (status == ST_OK)
        entry->value = (struct refi_thing){kind, place};
    return status;
}

static enum status MUST_USE refer(struct reader *in, const xmlNode *node, const char *name, enum refi_kind kind,
                                  size_t *place)
{
    static const char *const words[] = {[REFI_CODE] = "there is no code with the GUID %.*s",
                                        [REFI_NOTE] = "there is no note with the GUID %.*s",
                                        [REFI_VARIABLE] = "there is no variable with the GUID %.*s"};
    struct span guid = {0};
    enum status status = guid_at(in, node, name, &guid);
    const struct guid_map_entry *entry = status == ST_OK ? guid_map_find(&in->r->guids, guid) : NULL;

    if (status == ST_OK && (entry == NULL || entry->value.kind != kind))
        return wrong(in, node, words[kind], guid);
    if (status == ST_OK)
        *place = entry->value.place;
    return status;
}

/* *user stays where the element does not say who. A program may leave users out of <Users>: each is one all the same,
 * called by its GUID, so that coders stay apart. */
static enum status MUST_USE user_at(struct reader *in, const xmlNode *node, const char *name, size_t *user)
{
    struct guid_map_entry *entry;
    struct span guid = {0};
    enum status status = attribute(in, node, name).len > 0 ? guid_at(in, node, name, &guid) : ST_OK;

    if (status != ST_OK || guid.len == 0)
        return status;
    if (guid_map_add(&in->r->guids, guid, &entry)) {
        log_warn("%s: line %ld: the user with the GUID %.*s is not among its users, and is called by it", in->name,
                 xmlGetLineNo(node), SPAN_ARG(guid));
        entry->value = (struct refi_thing){REFI_USER, in->r->users.n};
        array_add(&in->r->users, (struct refi_user){.name = guid});
    }
    if (entry->value.kind != REFI_USER)
        return wrong(in, node, "the GUID %.*s is not of a user", guid);
    *user = entry->value.place;
    return ST_OK;
}

/* "2023-08-16T17:49:36+02:00" as the database writes it; without a zone it is taken for UTC. len 0: not said. */
static enum status MUST_USE time_at(struct reader *in, const xmlNode *node, struct span *at)
{
    struct span s = attribute(in, node, "creationDateTime");
    struct tm tm = {0};
    char text[TIME_TEXT_SIZE], thousandths[4] = "000";
    size_t n = 0;

    if (s.len == 0)
        return ST_OK;
    if (s.len < 19 || s.len > 40)
        return wrong(in, node, "'%.*s' is not a time", s);
    const char *zone = s.ptr + 19, *end = s.ptr + s.len;
    for (zone += zone < end && *zone == '.'; zone < end && *zone >= '0' && *zone <= '9'; zone++)
        if (n < 3)
            thousandths[n++] = *zone;
    char *start = arena_text(&in->r->arena, (struct span){s.ptr, 19});
    if (strptime(start, "%Y-%m-%dT%H:%M:%S", &tm) == NULL)
        return wrong(in, node, "'%.*s' is not a time", s);
    time_t seconds = timegm(&tm);
    uint64_t hours, minutes;
    if (end - zone == 6 && (*zone == '+' || *zone == '-') && zone[3] == ':' &&
        span_u64((struct span){zone + 1, 2}, 14, &hours) && span_u64((struct span){zone + 4, 2}, 59, &minutes)) {
        time_t east = (time_t)(hours * 60 + minutes) * 60;
        seconds -= *zone == '-' ? -east : east;
    } else if (end - zone > 1 || (end - zone == 1 && *zone != 'Z')) {
        return wrong(in, node, "'%.*s' is not a time", s);
    }
    if (gmtime_r(&seconds, &tm) == NULL || tm.tm_year < 0 || tm.tm_year > 8099)
        return wrong(in, node, "'%.*s' is not a time", s);
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    (void)snprintf(text + 19, sizeof text - 19, ".%sZ", thousandths);
    *at = arena_copy(&in->r->arena, span_of(text));
    return ST_OK;
}

/* --- users, codes, variables --- */

static enum status MUST_USE read_users(struct reader *in, const xmlNode *project)
{
    const xmlNode *users = child(project, "Users");
    enum status status = ST_OK;

    for (const xmlNode *n = users != NULL ? users->children : NULL; n != NULL && status == ST_OK; n = n->next) {
        struct span name = attribute(in, n, "name"), id = attribute(in, n, "id");
        struct buf kept = {0};
        struct err why;
        if (!is(n, "User"))
            continue;
        if (name.len == 0)
            name = id.len > 0 ? id : attribute(in, n, "guid");
        status = define(in, n, REFI_USER, in->r->users.n);
        if (status == ST_OK && coder_name_check(name, &kept, &why) != ST_OK)
            status = wrong(in, n, "the user's name %.*s", span_of(why.text));
        if (status == ST_OK)
            array_add(&in->r->users, (struct refi_user){.name = arena_copy(&in->r->arena, buf_span(&kept)),
                                                        .is_merged = span_eq(id, SPAN("merged"))});
        buf_clear(&kept);
    }
    in->owner = SIZE_MAX;
    return status == ST_OK ? user_at(in, project, "creatingUserGUID", &in->owner) : status;
}

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

/* The notes that the element refers to: *last becomes the text of the last one; with `pins`, they are memos of a code, or
 * (SIZE_MAX) of the project. */
static enum status MUST_USE read_memos(struct reader *in, const xmlNode *node, const size_t *pins, struct span *last)
{
    enum status status = ST_OK;
    size_t memo = 0;

    for (const xmlNode *n = node->children; n != NULL && status == ST_OK; n = n->next)
        if (is(n, "NoteRef") && (status = refer(in, n, "targetGUID", REFI_NOTE, &memo)) == ST_OK &&
            in->r->memos.at[memo].text.len > 0) {
            *last = in->r->memos.at[memo].text;
            in->r->memos.at[memo].is_used = true;
            if (pins != NULL)
                array_add(&in->r->pins, (struct refi_pin){*pins, memo});
        }
    return status;
}

static enum status MUST_USE read_code(struct reader *in, const xmlNode *node, size_t parent, size_t depth)
{
    struct refi *r = in->r;
    size_t place = r->codes.n;
    struct refi_code code = {.name = one_line(in, attribute(in, node, "name")),
                             .definition = span_trim(content_of(in, child(node, "Description"))),
                             .parent = parent,
                             .depth = depth,
                             .line = (size_t)xmlGetLineNo(node)};
    struct span codable = attribute(in, node, "isCodable"), memo = {0};

    code.codable = !span_eq(codable, SPAN("false")) && !span_eq(codable, SPAN("0"));
    r->colours += attribute(in, node, "color").len > 0;
    if (code.name.len == 0 || code.name.len > NAME_MAX_BYTES || !text_is_clean(code.name))
        return wrong(in, node, "'%.*s': the name of a code has 1 to 150 bytes, and no control characters", code.name);
    if (depth > DEPTH_MAX || place == CODES_MAX)
        return wrong(in, node, "'%.*s': more than 20000 codes, or more than 32 levels of them", code.name);
    enum status status = define(in, node, REFI_CODE, place);
    if (status == ST_OK)
        status = read_memos(in, node, &place, &memo);
    if (code.definition.len == 0 && !span_starts(r->origin, SPAN(REFI_ORIGIN)))
        code.definition = memo;
    if (status == ST_OK)
        array_add(&r->codes, code);
    for (const xmlNode *n = node->children; n != NULL && status == ST_OK; n = n->next)
        if (is(n, "Code")) {
            r->codes.at[place].has_children = true;
            status = read_code(in, n, place, depth + 1);
        }
    return status;
}

static enum status MUST_USE read_codes(struct reader *in, const xmlNode *book)
{
    const xmlNode *codes = child(book, "Codes");
    enum status status = ST_OK;

    for (const xmlNode *n = codes != NULL ? codes->children : NULL; n != NULL && status == ST_OK; n = n->next)
        if (is(n, "Code"))
            status = read_code(in, n, SIZE_MAX, 0);
    return status;
}

static enum status MUST_USE read_variables(struct reader *in, const xmlNode *project)
{
    const xmlNode *variables = child(project, "Variables");
    enum status status = ST_OK;

    for (const xmlNode *n = variables != NULL ? variables->children : NULL; n != NULL && status == ST_OK; n = n->next)
        if (is(n, "Variable")) {
            status = define(in, n, REFI_VARIABLE, in->r->variables.n);
            array_add(&in->r->variables, attribute(in, n, "name"));
        }
    return status;
}

/* --- texts --- */

/* The text of a source or note, without a byte order mark; ptr NULL: there is none in the file. */
static enum status MUST_USE text_at(struct reader *in, const xmlNode *node, struct span *text)
{
    struct span path = attribute(in, node, "plainTextPath");
    const xmlNode *inside = child(node, "PlainTextContent");
    enum text_encoding encoding;
    struct buf room = {0};
    struct err why;

    *text = (struct span){0};
    if (inside != NULL) {
        *text = content_of(in, inside);
        return ST_OK;
    }
    if (!span_starts(path, SPAN("internal://"))) /* none, or a file on somebody's disk */
        return ST_OK;
    struct span file = span_after(path, 11);
    if (file.len == 0 || span_has(file, "/") || span_has(file, "\\") || span_has(file, ".."))
        return wrong(in, node, "the path '%.*s' leads out of the folder Sources", path);
    buf_addf(&room, "sources/%.*s", SPAN_ARG(file));
    const struct part_map_entry *part = part_map_find(&in->parts, small_letters(&in->r->arena, buf_span(&room)));
    buf_reset(&room);
    if (part == NULL) {
        buf_clear(&room);
        return wrong(in, node, "'%.*s' is not in the file", path);
    }
    if (text_decode(part->value, NULL, "", &room, text, &encoding, &why) != ST_OK ||
        utf8_valid_prefix(*text) < text->len) {
        buf_clear(&room);
        *text = (struct span){0};
        return wrong(in, node, "'%.*s' is neither UTF-8 nor UTF-16", path);
    }
    *text = arena_copy(&in->r->arena, *text);
    buf_clear(&room);
    return ST_OK;
}

static enum status MUST_USE read_notes(struct reader *in, const xmlNode *project)
{
    const xmlNode *notes = child(project, "Notes");
    enum status status = ST_OK;

    for (const xmlNode *n = notes != NULL ? notes->children : NULL; n != NULL && status == ST_OK; n = n->next) {
        struct refi_memo memo = {.user = in->owner};
        if (!is(n, "Note"))
            continue;
        status = define(in, n, REFI_NOTE, in->r->memos.n);
        if (status == ST_OK)
            status = user_at(in, n, "creatingUser", &memo.user);
        if (status == ST_OK)
            status = time_at(in, n, &memo.at);
        if (status == ST_OK)
            status = text_at(in, n, &memo.text);
        memo.text = span_trim(memo.text);
        array_add(&in->r->memos, memo);
    }
    return status;
}

static enum status MUST_USE position(struct reader *in, const xmlNode *node, const char *name, size_t *value)
{
    struct span s = attribute(in, node, name);
    uint64_t number;

    if (!span_u64(s, UINT32_MAX, &number))
        return wrong(in, node, "the position '%.*s' is not a number of characters", s);
    *value = number;
    return ST_OK;
}

/* --- sources --- */

/* Codings have one code; some programs write several. */
static enum status MUST_USE read_coding(struct reader *in, const xmlNode *node, struct refi_coding coding)
{
    size_t n_codes = 0;
    enum status status = user_at(in, node, "creatingUser", &coding.user);

    if (status == ST_OK)
        status = time_at(in, node, &coding.at);
    if (status == ST_OK)
        status = read_memos(in, node, NULL, &coding.reason);
    for (const xmlNode *n = node->children; n != NULL && status == ST_OK; n = n->next)
        if (is(n, "CodeRef") && (status = refer(in, n, "targetGUID", REFI_CODE, &coding.code)) == ST_OK) {
            in->r->codes.at[coding.code].is_used = true;
            array_add(&in->r->codings, coding);
            n_codes++;
        }
    return status == ST_OK && n_codes == 0 ? wrong(in, node, "a Coding without a CodeRef%.*s", SPAN("")) : status;
}

static enum status MUST_USE read_note_ref(struct reader *in, const xmlNode *node, size_t source, size_t problem)
{
    size_t memo = 0;
    enum status status = refer(in, node, "targetGUID", REFI_NOTE, &memo);

    if (status == ST_OK && in->r->memos.at[memo].text.len > 0) {
        in->r->memos.at[memo].is_used = true;
        array_add(&in->r->remarks, (struct refi_remark){source, memo, problem});
    }
    return status;
}

/* "48068013_2" of the post 48068013 is its second problem; 0: no problem's name. */
static size_t problem_of(struct span name)
{
    size_t under = span_find(name, SPAN("_"));
    uint64_t number;

    if (under == SIZE_MAX || !span_u64(span_after(name, under + 1), 1000, &number))
        return 0;
    int64_t post;
    return problem_id_read(name, &post) ? number : 0;
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
static enum status MUST_USE position_of(struct reader *in, const xmlNode *node, bool end, size_t *value)
{
    if (is(node, "PlainTextSelection"))
        return position(in, node, end ? "endPosition" : "startPosition", value);
    return position(in, point_of(in, node, end ? "toSyncPoint" : "fromSyncPoint"), "position", value);
}

static enum status MUST_USE read_selection(struct reader *in, const xmlNode *node, size_t source)
{
    const struct refi_source *of = &in->r->sources.at[source];
    struct refi_coding coding = {.source = source, .user = in->owner, .is_passage = true};
    size_t start = 0, end = 0;
    enum status status = position_of(in, node, false, &start);

    coding.problem = problem_of(attribute(in, node, "name"));
    if (status == ST_OK)
        status = position_of(in, node, true, &end);
    if (status == ST_OK && start > end)
        status = wrong(in, node, "the passage ends before it begins%.*s", SPAN(""));
    if (status == ST_OK && of->text.ptr != NULL && end > of->n_units)
        status = wrong(in, node, "the passage ends after the end of '%.*s'", of->name);
    in->r->utf16 |= of->text.ptr != NULL && end > of->n_characters;
    if (status == ST_OK)
        status = user_at(in, node, "creatingUser", &coding.user);
    if (status == ST_OK)
        status = time_at(in, node, &coding.at);
    coding.start = start;
    coding.end = end;
    for (const xmlNode *n = node->children; n != NULL && status == ST_OK; n = n->next)
        if (is(n, "Coding"))
            status = read_coding(in, n, coding);
        else if (is(n, "NoteRef"))
            status = read_note_ref(in, n, source, coding.problem);
    in->r->passages++;
    return status;
}

static enum status MUST_USE read_value(struct reader *in, const xmlNode *node, size_t source)
{
    const xmlNode *ref = child(node, "VariableRef");
    size_t variable = 0;
    enum status status = ref != NULL ? refer(in, ref, "targetGUID", REFI_VARIABLE, &variable)
                                     : wrong(in, node, "a value without a VariableRef%.*s", SPAN(""));

    for (const xmlNode *n = node->children; n != NULL && status == ST_OK; n = n->next)
        if (n->type == XML_ELEMENT_NODE && n != ref)
            array_add(&in->r->values, (struct refi_value){source, variable, content_of(in, n)});
    return status;
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

static enum status MUST_USE read_within(struct reader *in, const xmlNode *node, size_t source, struct refi_coding whole)
{
    enum status status = ST_OK;

    for (const xmlNode *n = node->children; n != NULL && status == ST_OK; n = n->next)
        if (is(n, "PlainTextSelection") || (is(n, "TranscriptSelection") && point_of(in, n, "fromSyncPoint") != NULL &&
                                            point_of(in, n, "toSyncPoint") != NULL))
            status = read_selection(in, n, source);
        else if (is(n, "TranscriptSelection")) /* known by the clock alone */
            status = read_within(in, n, source, whole);
        else if (is(n, "Coding"))
            status = read_coding(in, n, whole);
        else if (is(n, "NoteRef"))
            status = read_note_ref(in, n, source, 0);
        else if (is(n, "VariableValue"))
            status = read_value(in, n, source);
    return status;
}

static enum status MUST_USE read_source(struct reader *in, const xmlNode *node, const xmlNode *text)
{
    size_t source = in->r->sources.n;
    struct refi_coding whole = {.source = source, .user = in->owner};
    struct refi_source it = {.name = attribute(in, node, "name")};
    enum status status = text_at(in, text, &it.text);

    it.n_characters = it.n_units = utf8_count(it.text);
    for (size_t i = 0; i < it.text.len; i++)
        it.n_units += (unsigned char)it.text.ptr[i] >= 0xf0;
    in->r->astral += it.n_units > it.n_characters;
    it.name = it.name.len > 0 ? one_line(in, it.name) : attribute(in, node, "guid");
    if (status == ST_OK)
        status = define(in, node, REFI_SOURCE, source);
    if (status == ST_OK)
        status = user_at(in, node, "creatingUser", &whole.user);
    if (status == ST_OK)
        status = time_at(in, node, &whole.at);
    array_add(&in->r->sources, it);
    if (status == ST_OK)
        status = read_within(in, node, source, whole);
    return status == ST_OK && text != node ? read_within(in, text, source, whole) : status;
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
static const char *const known[] = {"Project",       "Users",
                                    "User",          "CodeBook",
                                    "Codes",         "Code",
                                    "Sources",       "Coding",
                                    "CodeRef",       "Notes",
                                    "Note",          "NoteRef",
                                    "TextSource",    "PlainTextSelection",
                                    "Cases",         "Sets",
                                    "Links",         "PlainTextContent",
                                    "Variables",     "Variable",
                                    "VariableValue", "Graphs",
                                    "Vertex",        "Edge",
                                    "VariableRef",   "SourceRef",
                                    "SelectionRef",  "Representation",
                                    "Transcript",    "TextDescription",
                                    "SyncPoint",     "TranscriptSelection",
                                    "MemberCode",    "MemberSource",
                                    "MemberNote",    "TextValue",
                                    "BooleanValue",  "IntegerValue",
                                    "FloatValue",    "DateValue",
                                    "DateTimeValue"};

struct unread {
    size_t n[ARRAY_LEN(others)], codings, elements;
    struct span first; /* of the elements that nobody knows */
};

static bool is_read(const xmlNode *source)
{
    return text_of(source) != NULL;
}

static void count_unread(struct unread *u, const xmlNode *node, bool lost)
{
    for (const xmlNode *n = node->children; n != NULL; n = n->next) {
        bool lost_here = lost, names = false;
        if (n->type != XML_ELEMENT_NODE)
            continue;
        for (size_t i = 0; i < ARRAY_LEN(known) && !names; i++)
            names = strcmp((const char *)n->name, known[i]) == 0;
        for (size_t i = 0; i < ARRAY_LEN(others) && !names; i++) {
            if (!is(n, others[i].name))
                continue;
            names = true;
            bool of_code = is(n, "Description") && (is(node, "Code") || lost);
            u->n[i] += !of_code && !(is_read(n) && is(node, "Sources"));
            lost_here |= !of_code && !is_read(n);
        }
        u->codings += lost && is(n, "Coding");
        if (!names && u->elements++ == 0)
            u->first = span_of((const char *)n->name);
        count_unread(u, n, lost_here);
    }
}

static void tell_unread(struct reader *in, const xmlNode *root)
{
    struct unread u = {.codings = 0};
    struct buf *out = &in->r->left_out;

    count_unread(&u, root, false);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (u.n[i] > 0)
            buf_addf(out, "%s: %zu\n", others[i].what, u.n[i]);
    if (u.codings > 0)
        buf_addf(out, "codings of these: %zu\n", u.codings);
    if (u.elements > 0)
        buf_addf(out, "elements of other programs, such as %.*s: %zu\n", SPAN_ARG(u.first), u.elements);
}

static enum status MUST_USE read_project(struct reader *in, const xmlNode *project)
{
    const xmlNode *sources = child(project, "Sources");
    struct span ignored;
    enum status status = read_users(in, project);

    in->r->title = one_line(in, attribute(in, project, "name"));
    if (status == ST_OK)
        status = read_variables(in, project);
    if (status == ST_OK)
        status = read_notes(in, project);
    if (status == ST_OK)
        status = read_codes(in, child(project, "CodeBook"));
    for (const xmlNode *n = sources != NULL ? sources->children : NULL; n != NULL && status == ST_OK; n = n->next)
        if (n->type == XML_ELEMENT_NODE && text_of(n) != NULL) {
            status = read_source(in, n, text_of(n));
            for (const xmlNode *t = text_of(n); t != n && status == ST_OK && (t = t->next) != NULL;)
                if (is(t, "Transcript")) /* a recording may have several */
                    status = read_source(in, t, t);
        }
    if (status == ST_OK)
        status = read_memos(in, project, &(size_t){SIZE_MAX}, &ignored);
    tell_unread(in, project);
    return status;
}

static enum status MUST_USE read_document(struct reader *in, const xmlDoc *doc)
{
    const xmlNode *root = xmlDocGetRootElement(doc);
    struct span space = root->ns != NULL ? span_of((const char *)root->ns->href) : SPAN("");
    enum status status;

    if (doc->intSubset != NULL)
        return wrong(in, root, "a DTD, which no project has%.*s", SPAN(""));
    in->r->origin = attribute(in, root, "origin");
    if (is(root, "Project") && span_eq(space, SPAN(REFI_PROJECT)))
        return read_project(in, root);
    if (!is(root, "CodeBook") || !span_eq(space, SPAN(REFI_CODEBOOK)))
        return wrong(in, root, "neither a project nor a codebook of REFI-QDA 1.0 or 1.5, but of '%.*s'", space);
    in->r->title = SPAN("codebook");
    status = read_codes(in, root);
    tell_unread(in, root);
    return status;
}

static enum status MUST_USE parse(struct reader *in, struct span xml)
{
    xmlParserCtxtPtr context = xmlNewParserCtxt();
    enum text_encoding encoding;
    struct buf room = {0};
    enum status status = text_decode(xml, NULL, in->name, &room, &xml, &encoding, in->e);

    if (context == NULL)
        mem_lacking(1);
    xmlDocPtr doc = status != ST_OK ? NULL
                                    : xmlCtxtReadMemory(context, xml.ptr, (int)xml.len, NULL, "UTF-8",
                                                        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (doc != NULL) {
        status = read_document(in, doc);
    } else if (status == ST_OK) {
        struct span why = span_trim(span_of(context->lastError.message));
        status = err_set(in->e, ST_INPUT, "%s: line %d: %.*s", in->name, context->lastError.line, SPAN_ARG(why));
    }
    xmlFreeDoc(doc);
    xmlFreeParserCtxt(context);
    buf_clear(&room);
    return status;
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
    enum status status = ST_OK;

    if (zip_begins(content)) {
        status = unpack(&in, content);
        const struct part_map_entry *project = part_map_find(&in.parts, SPAN("project.qde"));
        if (status == ST_OK && project == NULL)
            status = err_set(e, ST_INPUT, "%s: no project.qde in it", name);
        content = project != NULL ? project->value : content;
    }
    if (status == ST_OK)
        status = parse(&in, content);
    if (status == ST_OK)
        status = refi_arrange(r, name, e);
    part_map_clear(&in.parts);
    return status;
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
