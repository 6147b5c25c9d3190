/* Loads a study: a folder, or one that is compiled in; its tags and sites. */

#include "base/files.h"
#include "base/study/embedded.h"
#include "base/zip.h"
#include "base/utf8.h"

#include <errno.h>
#include <sys/stat.h>

/* The files that belong to a study; a folder may hold others beside them. */
static const char *const known_files[] = {"assessment.csv", "campaign.csv",       "categories.csv",     "claims.csv",
                                          "codebook.csv",   "coding.csv",         "disambiguation.csv", "facets.csv",
                                          "hints.csv",      "identification.csv", "keywords.txt",       "mapping.ini",
                                          "problems.csv",   "prompt.md",          "statistics.csv",     "study.ini"};

/* The settings, once s->files is complete. `folder` is "" or ends in '/'. */
static enum status settle(struct study *s, const char *folder, struct err *e)
{
    static const char *const required[] = {"study.ini", "keywords.txt"};

    for (size_t i = 0; i < ARRAY_LEN(required); i++)
        if (study_file(s, required[i]).ptr == NULL)
            return err_set(e, ST_INPUT, "%s%s: missing; a study has a study.ini and a keywords.txt", folder,
                           required[i]);
    for (size_t i = 0; i < s->n_files; i++) {
        struct span text = s->files[i].content;
        size_t valid = utf8_valid_prefix(text), line = 1;
        const char *nul = text.len > 0 ? memchr(text.ptr, '\0', valid) : NULL;
        size_t at = nul != NULL ? (size_t)(nul - text.ptr) : valid;
        for (size_t k = 0; k < at && at < text.len; k++)
            line += text.ptr[k] == '\n';
        if (at < text.len)
            return err_set(e, ST_INPUT, "%s%.*s:%zu: %s at byte %zu; the file must be UTF-8 text", folder,
                           SPAN_ARG(s->files[i].name), line, nul != NULL ? "a NUL" : "invalid UTF-8", at);
    }
    AT_END(mem_end) char *path = mem_addf("%sstudy.ini", folder);
    return ini_read(s, study_file(s, "study.ini"), path, e);
}

static void add_file(struct study *s, struct span name, struct span content)
{
    s->files[s->n_files].name = arena_copy(&s->arena, name);
    s->files[s->n_files++].content = arena_copy(&s->arena, content);
}

static void start(struct study *s)
{
    *s = (struct study){0};
    s->files = arena_alloc(&s->arena, ARRAY_LEN(known_files) * sizeof *s->files);
}

enum status study_load_files(struct study *out, const struct study_file *files, size_t n, struct err *e)
{
    start(out);
    for (size_t i = 0; i < n; i++)
        if (span_is_any(files[i].name, known_files, ARRAY_LEN(known_files)) && out->n_files < ARRAY_LEN(known_files))
            add_file(out, files[i].name, files[i].content);
    return settle(out, "", e);
}

enum status study_text(const char *path, const char *encoding, study_sheet *sheet, struct span *text, struct buf *room,
                       struct err *e)
{
    enum text_encoding found;

    if (!zip_begins(*text))
        return text_decode(*text, encoding, path, room, text, &found, e);
    if (sheet == NULL)
        return err_set(e, ST_INPUT, "%s: a workbook; save the sheet as CSV", path);
    enum status status = sheet(*text, path, room, e);
    *text = buf_span(room);
    return status;
}

/* A table may have another ending. Two of one name are ST_INPUT: an edited one would be passed over. */
static enum status find_file(const char *folder, const char *name, struct buf *path, struct err *e)
{
    static const char *const endings[] = {".csv", ".tsv", ".xlsx"};
    size_t stem = strlen(name) - 4;
    AT_END(buf_clear) struct buf other = {0};
    struct stat st;
    bool found = false;
    enum status status = ST_OK;

    buf_addf(path, "%s%s", folder, name);
    for (size_t i = 0; i < ARRAY_LEN(endings) && strcmp(name + stem, ".csv") == 0 && status == ST_OK; i++) {
        buf_reset(&other);
        buf_addf(&other, "%s%.*s%s", folder, (int)stem, name, endings[i]);
        if (stat(buf_cstr(&other), &st) != 0)
            continue;
        if (found)
            status = err_set(e, ST_INPUT, "%s and %s: a study has one of them; move the other one out of the folder",
                             buf_cstr(path), buf_cstr(&other));
        buf_set(path, buf_span(&other));
        found = true;
    }
    return status;
}

/* Adds the file unless the folder has none of that name. */
static enum status read_file(struct study *s, const char *folder, const char *name, study_sheet *sheet, struct err *e)
{
    AT_END(buf_clear) struct buf path = {0}, content = {0}, room = {0};
    struct stat st;
    enum status status = find_file(folder, name, &path, e);

    if (status != ST_OK)
        return status;
    if (stat(buf_cstr(&path), &st) != 0) {
        if (errno != ENOENT)
            status = err_set(e, ST_IO, "%s: %s", buf_cstr(&path), strerror(errno));
    } else if (!path_is_inside(folder[0] != '\0' ? folder : ".", buf_cstr(&path))) {
        status = err_set(e, ST_INPUT,
                         "%s: a link that leads out of the study folder; a study is"
                         " published with its files: copy this one there",
                         buf_cstr(&path));
    } else if (!S_ISREG(st.st_mode)) {
        status = err_set(e, ST_INPUT, "%s: not a regular file", buf_cstr(&path));
    } else {
        status = file_read_regular(buf_cstr(&path), STUDY_FILE_MAX, &content, e);
        struct span text = buf_span(&content);
        /* a byte that is no UTF-8 is for the reader of the file to refuse: no option names the encoding of a folder */
        bool marked = text.len > 1 && (text.ptr[0] == '\xff' || text.ptr[0] == '\xfe');
        if (status == ST_OK && (marked || zip_begins(text)))
            status = study_text(buf_cstr(&path), NULL, sheet, &text, &room, e);
        if (status == ST_OK)
            add_file(s, span_of(name), text);
    }
    return status;
}

enum status study_load_sheets(struct study *out, const char *dir, study_sheet *sheet, struct err *e)
{
    if (dir == NULL)
        return study_load_files(out, study_embedded_files, study_embedded_count, e);
    start(out);
    struct stat st;
    AT_END(buf_clear) struct buf folder = {0};
    enum status status = ST_OK;

    if (stat(dir, &st) != 0)
        return err_set(e, ST_IO, "%s: %s", dir, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ST_INPUT, "%s: not a folder; a study is a folder with a study.ini", dir);
    buf_add_text(&folder, dir);
    if (folder.len == 0 || folder.ptr[folder.len - 1] != '/')
        buf_add_char(&folder, '/');
    for (size_t i = 0; status == ST_OK && i < ARRAY_LEN(known_files); i++)
        status = read_file(out, buf_cstr(&folder), known_files[i], sheet, e);
    return status == ST_OK ? settle(out, buf_cstr(&folder), e) : status;
}

enum status study_load(struct study *out, const char *dir, struct err *e)
{
    return study_load_sheets(out, dir, NULL, e);
}

enum status study_load_library(struct study *out, const char *name, struct err *e)
{
    AT_END(array_end) struct ARRAY_OF(struct study_file) files = {0};
    AT_END(buf_clear) struct buf names = {0};
    struct span last = {0};
    enum status status;

    *out = (struct study){0};
    for (size_t i = 0; i < study_library_count; i++) {
        struct span file = study_library_files[i].name, folder;
        if (!span_cut(&file, '/', &folder))
            continue;
        if (span_eq(folder, span_of(name)))
            array_add(&files, (struct study_file){file, study_library_files[i].content});
        if (!span_eq(folder, last))
            buf_addf(&names, "%s%.*s", names.len > 0 ? ", " : "", SPAN_ARG(folder));
        last = folder;
    }
    if (files.n > 0)
        status = study_load_files(out, files.at, files.n, e);
    else
        status = err_set(e, ST_USAGE, "the library has no study '%s'; it has %s", name, buf_cstr(&names));
    return status;
}

void study_clear(struct study *s)
{
    arena_clear(&s->arena);
    *s = (struct study){0};
}

struct span study_file(const struct study *s, const char *name)
{
    for (size_t i = 0; i < s->n_files; i++)
        if (span_eq(s->files[i].name, span_of(name)))
            return s->files[i].content;
    return (struct span){0};
}

/* --- which tags belong to a study: patterns with stars --- */

/* `*` matches any characters. Remembers only the last star: once it is reached, earlier ones never need more. */
static bool glob(struct span pattern, struct span text)
{
    size_t p = 0, t = 0;
    size_t star = SIZE_MAX, star_text = 0;

    while (t < text.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            star_text = t;
        } else if (p < pattern.len && pattern.ptr[p] == text.ptr[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}

size_t study_tag_place(const struct study *s, struct span tag)
{
    size_t i = 0;

    while (i < s->n_tags && !glob(s->tags[i], tag))
        i++;
    return i;
}

bool study_has_tag(const struct study *s, struct span tag)
{
    return study_tag_place(s, tag) < s->n_tags;
}

bool study_has_date(const struct study *s, struct span date)
{
    if (date.len < 10)
        return false;
    return (s->from[0] == '\0' || memcmp(date.ptr, s->from, 10) >= 0) &&
           (s->to[0] == '\0' || memcmp(date.ptr, s->to, 10) <= 0);
}

bool study_may_have_tag(const struct study *s, struct span text)
{
    if (span_find(text, SPAN("&#")) != SIZE_MAX)
        return true; /* any letter may be written as a number */
    for (size_t i = 0; i < s->n_tags; i++) {
        struct span literal = s->tags[i], start;
        /* What stands before the first '*', if only tags' own letters, which nothing escapes. */
        if (!span_cut(&literal, '*', &start) || memchr(start.ptr, '&', start.len) != NULL ||
            span_find(text, start) != SIZE_MAX)
            return true;
    }
    return false;
}

/* --- the sites of a study, and ids that name theirs --- */

enum { SECONDS = 37 }; /* what may follow the first letter: nothing, a letter, a digit */

static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";

int64_t study_site_code(struct span short_name)
{
    int64_t second = 0;

    if (short_name.len < 1 || short_name.len > 2 || !(short_name.ptr[0] >= 'a' && short_name.ptr[0] <= 'z'))
        return 0;
    if (short_name.len == 2) {
        const char *found = memchr(letters, short_name.ptr[1], sizeof letters - 1);
        if (found == NULL)
            return 0;
        second = found - letters + 1;
    }
    return 1 + (short_name.ptr[0] - 'a') * SECONDS + second;
}

size_t study_site_short(int64_t code, char out[2])
{
    int64_t second = (code - 1) % SECONDS;

    out[0] = letters[(code - 1) / SECONDS % 26];
    if (second == 0)
        return 1;
    out[1] = letters[second - 1];
    return 2;
}

int64_t study_code_of(const struct study *s, struct span site)
{
    for (size_t i = 0; i < s->n_sites; i++)
        if (span_eq(site, s->sites[i].name) || span_eq(site, s->sites[i].short_name))
            return study_site_code(s->sites[i].short_name);
    return span_eq(site, s->site) ? 0 : -1;
}

int64_t study_id(int64_t code, int64_t number)
{
    if (number < -STUDY_ID_MAX || number > STUDY_ID_MAX)
        return INT64_MIN;
    return number + (number < 0 ? -code : code) * (STUDY_ID_MAX + 1);
}

int64_t study_id_code(int64_t id)
{
    return id == INT64_MIN ? 0 : (id < 0 ? -id : id) >> STUDY_ID_BITS;
}

int64_t study_id_number(int64_t id)
{
    if (id == INT64_MIN)
        return id;
    return id < 0 ? -(-id & STUDY_ID_MAX) : id & STUDY_ID_MAX;
}

void study_add_sites(struct buf *out, const struct study *s)
{
    buf_add_char(out, '{');
    for (size_t i = 0; i < s->n_sites; i++) {
        buf_add_text(out, i > 0 ? "," : "");
        buf_add_json(out, s->sites[i].short_name);
        buf_add_char(out, ':');
        buf_add_json(out, s->sites[i].name);
    }
    buf_add_char(out, '}');
}
