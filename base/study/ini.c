/* Reads study.ini. */
#include "base/study/embedded.h"

#include "base/day.h"

enum { DAY_LEN = sizeof "2018-01-31" - 1 };

struct ini {
    struct study *study;
    const char *path;
    size_t line;
    unsigned seen; /* a bit for each key */
    struct err *e;
};

/* --- values --- */

static enum status bad_value(const struct ini *ini, const char *key, struct span value, const char *expected)
{
    return err_set(ini->e, ST_INPUT, "%s:%zu: %s = %.*s: expected %s", ini->path, ini->line, key, SPAN_ARG(value),
                   expected);
}

static bool only_of(struct span s, const char *allowed)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] == '\0' || strchr(allowed, s.ptr[i]) == NULL)
            return false;
    return s.len > 0;
}

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* github.com/keras-team/keras: a repository is a site of its own. */
static bool is_site(struct span value)
{
    struct span path = value, host;

    return span_cut(&path, '/', &host) && only_of(host, LOWER DIGITS "-.") &&
           (host.len == value.len || only_of(path, LOWER UPPER DIGITS "-._/"));
}

/* How many parts a list with commas has. */
static size_t parts_of(struct span value)
{
    size_t n = 1;

    for (size_t i = 0; i < value.len; i++)
        n += value.ptr[i] == ',';
    return n;
}

static enum status read_site(const struct ini *ini, struct span value)
{
    if (!is_site(value))
        return bad_value(ini, "site", value, "a host name such as stackoverflow.com, or host/path");
    ini->study->site = value;
    return ST_OK;
}

/* "so stackoverflow.com, ds datascience.stackexchange.com" */
static enum status read_sites(const struct ini *ini, struct span value)
{
    struct study *s = ini->study;
    struct span rest = value, pair;

    s->sites = arena_alloc(&s->arena, parts_of(value) * sizeof *s->sites);
    while (span_cut(&rest, ',', &pair)) {
        pair = span_trim(pair);
        struct study_site site = {.name = pair};
        if (!span_cut(&site.name, ' ', &site.short_name))
            site.short_name = pair;
        site.name = span_trim(site.name);
        if (study_site_code(site.short_name) == 0 || !is_site(site.name))
            return bad_value(ini, "sites", pair,
                             "a short name of a letter, or a letter and a letter or digit, then the"
                             " site, as in: so stackoverflow.com, ds datascience.stackexchange.com");
        for (size_t i = 0; i < s->n_sites; i++)
            if (span_eq(site.name, s->sites[i].name) || span_eq(site.short_name, s->sites[i].short_name))
                return bad_value(ini, "sites", pair, "each site and short name once");
        s->sites[s->n_sites++] = site;
    }
    return ST_OK;
}

static enum status read_model_shown(const struct ini *ini, struct span value)
{
    ini->study->model_suggests = span_eq(value, SPAN("suggestions"));
    if (!ini->study->model_suggests && !span_eq(value, SPAN("blind")))
        return bad_value(ini, "model_shown", value, "blind or suggestions");
    return ST_OK;
}

/* "crashes", "security smells": in the middle of a sentence. */
static enum status read_problems(const struct ini *ini, struct span value)
{
    if (value.len == 0 || value.len > 60)
        return bad_value(ini, "problems", value, "words such as crashes, at most 60 bytes");
    ini->study->problems = value;
    return ST_OK;
}

/* --- lists of values --- */

/* A list of words out of `first` and `second`, each at most once. */
static bool read_two(struct span list, struct span first, struct span second, bool *has_first, bool *has_second)
{
    struct span part;

    *has_first = *has_second = false;
    while (span_cut(&list, ',', &part)) {
        bool *which = span_eq(span_trim(part), first)    ? has_first
                      : span_eq(span_trim(part), second) ? has_second
                                                         : NULL;
        if (which == NULL || *which)
            return false;
        *which = true;
    }
    return *has_first || *has_second;
}

static enum status read_candidates(const struct ini *ini, struct span value)
{
    bool questions;

    if (!read_two(value, SPAN("question"), SPAN("answer"), &questions, &ini->study->candidate_answers) || !questions)
        return bad_value(ini, "candidates", value, "question, or question, answer");
    return ST_OK;
}

static enum status read_fields(const struct ini *ini, struct span value)
{
    if (!read_two(value, SPAN("title"), SPAN("body"), &ini->study->match_title, &ini->study->match_body))
        return bad_value(ini, "fields", value, "title, body or title, body");
    return ST_OK;
}

/* What is wrong with a tag pattern; NULL when nothing is. */
static const char *pattern_fault(struct span tag)
{
    if (tag.len == 0)
        return "an empty tag";
    for (size_t i = 0; i < tag.len; i++) {
        char c = tag.ptr[i];
        if (c >= 'A' && c <= 'Z')
            return "tags are lower-case";
        if (c == ' ' || c == '\t')
            return "a blank in a tag; tags are separated by commas";
        if (strchr("?[]<>|\"\\", c) != NULL)
            return "a character that no tag has; the only wildcard is '*'";
    }
    return NULL;
}

static enum status read_tags(const struct ini *ini, struct span value)
{
    struct study *s = ini->study;
    struct span rest = value, tag;

    s->tags = arena_alloc(&s->arena, parts_of(value) * sizeof *s->tags);
    while (span_cut(&rest, ',', &tag)) {
        tag = span_trim(tag);
        const char *fault = pattern_fault(tag);
        if (fault != NULL)
            return err_set(ini->e, ST_INPUT, "%s:%zu: tags: '%.*s': %s", ini->path, ini->line, SPAN_ARG(tag), fault);
        s->tags[s->n_tags++] = tag;
    }
    return ST_OK;
}

/* --- keys --- */

/* Which names of stemmers and facets there are is known to rooms that this one does not see. */
#define NAMES LOWER DIGITS "_- "

/* clang-format off */
#define AT(member) offsetof(struct study, member)
static const struct key {
    const char *name;
    enum { OWN, TEXT, LIST, DAY, YES_NO } kind;
    bool required;
    size_t at;           /* in struct study */
    const char *allowed; /* characters of a text, or of each in a list; NULL: any */
    const char *expected;
    enum status (*read)(const struct ini *ini, struct span value);
} keys[] = {
    {"authors", TEXT, false, AT(authors), NULL, NULL, NULL},
    {"blind", YES_NO, false, AT(blind), NULL, "yes or no", NULL},
    {"candidates", OWN, false, 0, NULL, NULL, read_candidates},
    {"fields", OWN, false, 0, NULL, NULL, read_fields},
    {"from", DAY, false, AT(from), NULL, "a day such as 2018-01-31", NULL},
    {"include_code", YES_NO, false, AT(include_code), NULL, "yes or no", NULL},
    {"model_codes", LIST, false, AT(model_codes), NAMES, "names of facets, separated by commas", NULL},
    {"model_shown", OWN, false, 0, NULL, NULL, read_model_shown},
    {"name", TEXT, true, AT(name), LOWER DIGITS "-_", "lower-case letters, digits, '-' and '_'", NULL},
    {"problems", OWN, false, 0, NULL, NULL, read_problems},
    {"published_at", DAY, false, AT(published_at), NULL, "a day such as 2018-01-31", NULL},
    {"site", OWN, false, 0, NULL, NULL, read_site},
    {"sites", OWN, false, 0, NULL, NULL, read_sites},
    {"sought", TEXT, false, AT(sought), NAMES, "the name of a facet of codebook.csv", NULL},
    {"stemmer", TEXT, false, AT(stemmer), LOWER DIGITS "_", "a name that 'ppmine stem --list' prints", NULL},
    {"tags", OWN, true, 0, NULL, NULL, read_tags},
    {"title", TEXT, false, AT(title), NULL, NULL, NULL},
    {"to", DAY, false, AT(to), NULL, "a day such as 2018-01-31", NULL},
};
/* clang-format on */

static enum status read_value(const struct ini *ini, const struct key *k, struct span value)
{
    struct study *s = ini->study;
    void *at = (char *)s + k->at;
    struct span rest = value, part;
    bool yes = span_eq(value, SPAN("yes")), fits = true;

    switch (k->kind) {
    case OWN:
        return k->read(ini, value);
    case TEXT:
        fits = k->allowed == NULL || only_of(value, k->allowed);
        *(struct span *)at = value;
        break;
    case LIST:
        while (fits && span_cut(&rest, ',', &part))
            fits = only_of(span_trim(part), k->allowed);
        *(struct span *)at = value;
        break;
    case DAY:
        fits = day_is(value);
        memcpy(at, value.ptr, fits ? DAY_LEN : 0);
        break;
    case YES_NO:
        fits = yes || span_eq(value, SPAN("no"));
        *(bool *)at = yes;
        break;
    }
    if (!fits)
        return bad_value(ini, k->name, value, k->expected);
    if (s->from[0] != '\0' && s->to[0] != '\0' && strcmp(s->from, s->to) > 0)
        return err_set(ini->e, ST_INPUT, "%s:%zu: the window ends before it begins: %s to %s", ini->path, ini->line,
                       s->from, s->to);
    return ST_OK;
}

static enum status unknown_key(const struct ini *ini, struct span key)
{
    const char *names[ARRAY_LEN(keys)];
    AT_END(buf_clear) struct buf list = {0};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        names[i] = keys[i].name;
        buf_addf(&list, "%s%s", i > 0 ? ", " : "", keys[i].name);
    }
    const char *near = span_nearest(key, names, ARRAY_LEN(keys));
    if (near != NULL)
        err_set(ini->e, ST_INPUT, "%s:%zu: unknown key '%.*s' (did you mean '%s'?)", ini->path, ini->line,
                SPAN_ARG(key), near);
    else
        err_set(ini->e, ST_INPUT, "%s:%zu: unknown key '%.*s'; the keys are: %s", ini->path, ini->line, SPAN_ARG(key),
                buf_cstr(&list));
    return ST_INPUT;
}

static enum status read_line(struct ini *ini, struct span line)
{
    line = span_trim(line);
    if (line.len == 0 || line.ptr[0] == '#')
        return ST_OK;
    size_t equals = span_find(line, SPAN("="));
    if (equals == SIZE_MAX)
        return err_set(ini->e, ST_INPUT, "%s:%zu: expected 'key = value' or '# comment'", ini->path, ini->line);
    struct span key = span_trim((struct span){line.ptr, equals});
    struct span value = span_trim((struct span){line.ptr + equals + 1, line.len - equals - 1});
    size_t i = 0;

    while (i < ARRAY_LEN(keys) && !span_eq(key, span_of(keys[i].name)))
        i++;
    if (i == ARRAY_LEN(keys))
        return unknown_key(ini, key);
    if ((ini->seen & 1U << i) != 0)
        return err_set(ini->e, ST_INPUT, "%s:%zu: '%s' occurs a second time", ini->path, ini->line, keys[i].name);
    ini->seen |= 1U << i;
    if (value.len == 0)
        return err_set(ini->e, ST_INPUT, "%s:%zu: '%s' has no value", ini->path, ini->line, keys[i].name);
    return read_value(ini, &keys[i], value);
}

enum status ini_read(struct study *s, struct span content, const char *path, struct err *e)
{
    struct ini ini = {.study = s, .path = path, .e = e};
    struct span line;
    enum status status = ST_OK;

    s->title = SPAN("");
    s->stemmer = SPAN("nltk");
    s->sought = SPAN("");
    s->match_title = s->match_body = true;
    if (span_starts(content, SPAN("\xef\xbb\xbf"))) {
        content.ptr += 3;
        content.len -= 3;
    }
    while (status == ST_OK && span_cut(&content, '\n', &line)) {
        ini.line++;
        status = read_line(&ini, line);
    }
    for (size_t i = 0; status == ST_OK && i < ARRAY_LEN(keys); i++)
        if (keys[i].required && (ini.seen & 1U << i) == 0)
            status = err_set(e, ST_INPUT, "%s: '%s' is missing; add a line '%s = …'%s", path, keys[i].name,
                             keys[i].name, keys[i].read == read_tags ? ", or 'tags = *' for every tag" : "");
    if (s->site.len == 0)
        s->site = s->n_sites > 0 ? s->sites[0].name : SPAN("stackoverflow.com");
    return status;
}
