/* The oldest release of TensorFlow that a project says it runs on, from its files of requirements. */
#include "base/files.h"
#include "check/session/run.h"

#include <ctype.h>

enum { REQUIREMENTS_BYTES_MAX = 1 << 20, BEYOND = 100 };

/* clang-format off */
static const char *const requirement_files[] = {
    "requirements.txt", "requirements/base.txt", "requirements/requirements.txt",
    "pyproject.toml",   "setup.py",              "setup.cfg",
    "environment.yml",  "environment.yaml",      "Pipfile"
};
/* clang-format on */

static const char *skip(const char *at, const char *end, const char *of)
{
    while (at < end && strchr(of, *at) != NULL && *at != '\0')
        at++;
    return at;
}

static unsigned number(const char **at, const char *end)
{
    unsigned value = 0;

    for (; *at < end && isdigit((unsigned char)**at); ++*at)
        value = value < BEYOND ? value * 10 + (unsigned)(**at - '0') : value;
    return value < BEYOND ? value : BEYOND - 1;
}

/* What follows "tensorflow": "-gpu>=2.4", " == 1.15.0", " = \"^2.8\""; 204 for 2.4, 0: no lower bound. */
static uint16_t lower_bound(const char *at, const char *end)
{
    static const char *const builds[] = {"-gpu", "-cpu", "_gpu", "-macos", "-intel"};

    for (size_t i = 0; i < ARRAY_LEN(builds); i++)
        if (span_starts((struct span){at, (size_t)(end - at)}, span_of(builds[i])))
            at += strlen(builds[i]);
    if (at < end && *at == '[') /* tensorflow[and-cuda] */
        while (at < end && *at != '\n' && *at++ != ']')
            ;
    at = skip(at, end, " \t\"'");
    if (at == end || strchr("=>~^", *at) == NULL)
        return 0;
    at = skip(at, end, "=>~^ \t\"'");
    if (at == end || !isdigit((unsigned char)*at))
        return 0;
    unsigned major = number(&at, end), minor = 0;
    if (at < end && *at == '.') {
        at++;
        minor = number(&at, end);
    }
    return (uint16_t)(major * 100 + minor);
}

static void oldest_in(struct span text, uint16_t *oldest)
{
    const char *end = text.ptr + text.len;
    size_t at = 0, found;

    while ((found = span_find(span_after(text, at), SPAN("tensorflow"))) != SIZE_MAX) {
        unsigned char before = at + found > 0 ? (unsigned char)text.ptr[at + found - 1] : ' ';
        bool begins_word = !isalnum(before) && strchr("-_./", before) == NULL;
        at += found + strlen("tensorflow");
        uint16_t bound = begins_word ? lower_bound(text.ptr + at, end) : 0;
        if (bound > 0 && (*oldest == 0 || bound < *oldest))
            *oldest = bound;
    }
}

uint16_t release_of(const struct check_list *folders)
{
    uint16_t oldest = 0;
    struct err ignored; /* a file that is not there says nothing */

    for (size_t i = 0; i < folders->n; i++)
        for (size_t k = 0; k < ARRAY_LEN(requirement_files); k++) {
            AT_END(mem_end) char *path = mem_addf("%s/%s", folders->items[i], requirement_files[k]);
            AT_END(buf_clear) struct buf content = {0};
            if (file_read_regular(path, REQUIREMENTS_BYTES_MAX, &content, &ignored) == ST_OK)
                oldest_in(buf_span(&content), &oldest);
        }
    return oldest;
}
