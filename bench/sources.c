/* What a post names, and whether the scripts of a pair name it. */
#include "bench/sources.h"
#include "bench/pair.h"

#define MAP_NAME word_set
#define MAP_KEY struct span
#include "base/map.h"

const char *const bench_word_names[] = {"API", "name", "number", NULL};

static const char libraries[] = "tf tensorflow keras np numpy torch nn K datasets layers model dataset pd cv2";

/* --- cutting --- */

struct cutter {
    struct span text;
    size_t at;
    bool is_code;
};

static char at(const struct cutter *c, size_t place)
{
    return place < c->text.len ? c->text.ptr[place] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_name(char c)
{
    return begins_name(c) || is_digit(c);
}

static struct span from(const struct cutter *c, size_t start)
{
    return (struct span){c->text.ptr + start, c->at - start};
}

/* Whether a comma is between thousands: digits without a fourth follow. */
static bool parts_thousands(const struct cutter *c)
{
    return !c->is_code && at(c, c->at) == ',' && is_digit(at(c, c->at + 1)) && is_digit(at(c, c->at + 2)) &&
           is_digit(at(c, c->at + 3)) && !is_digit(at(c, c->at + 4));
}

/* "10_000", "1e-3", "5GB" */
static struct span cut_number(struct cutter *c)
{
    size_t start = c->at;

    while (is_name(at(c, c->at)) || parts_thousands(c) || (at(c, c->at) == '.' && is_digit(at(c, c->at + 1))) ||
           ((at(c, c->at) == '-' || at(c, c->at) == '+') && is_digit(at(c, c->at + 1)) && c->at > start + 1 &&
            (at(c, c->at - 1) == 'e' || at(c, c->at - 1) == 'E') && is_digit(at(c, c->at - 2))))
        c->at++;
    return from(c, start);
}

/* --- judging --- */

/* "steps_per_epoch", "Conv2D", "ImageDataGenerator" */
static bool has_shape_of_name(struct span s)
{
    for (size_t i = 1; i < s.len; i++)
        if (s.ptr[i] == '_' || is_digit(s.ptr[i]) ||
            (s.ptr[i] >= 'A' && s.ptr[i] <= 'Z' && s.ptr[i - 1] >= 'a' && s.ptr[i - 1] <= 'z'))
            return true;
    return false;
}

/* BENCH_WORDS: nothing that can be told from running words. */
static enum bench_word kind_of(const struct cutter *c, struct span name)
{
    size_t dot = span_find(name, SPAN(".")), next = c->at;

    if (at(c, c->at) == '(')
        return BENCH_API;
    if (dot != SIZE_MAX)
        return c->is_code || span_is_word((struct span){name.ptr, dot}, libraries) ? BENCH_API : BENCH_WORDS;
    while (at(c, next) == ' ')
        next++;
    bool is_assigned = c->is_code && at(c, next) == '=' && at(c, next + 1) != '=';
    return is_assigned || has_shape_of_name(name) ? BENCH_NAME : BENCH_WORDS;
}

void bench_words_each(struct span text, bool is_code, void (*each)(void *ctx, enum bench_word kind, struct span words),
                      void *ctx)
{
    struct cutter c = {text, 0, is_code};

    while (c.at < text.len) {
        char now = at(&c, c.at);
        if (is_code && (now == '"' || now == '\'')) {
            /* Past a text in quotation marks that ends on its line. */
            size_t end = c.at + 1;

            while (end < c.text.len && at(&c, end) != now && at(&c, end) != '\n')
                end += at(&c, end) == '\\' ? 2 : 1;
            c.at = at(&c, end) == now ? end + 1 : c.at + 1;
        } else if (now == ':' && at(&c, c.at + 1) == '/' && at(&c, c.at + 2) == '/') {
            while (c.at < c.text.len && at(&c, c.at) != ' ' && at(&c, c.at) != '\n')
                c.at++;
        } else if (begins_name(now) || (now == '.' && begins_name(at(&c, c.at + 1)))) {
            size_t start = c.at++; /* "tf.data.Dataset", ".fit" */
            while (is_name(at(&c, c.at)) || (at(&c, c.at) == '.' && begins_name(at(&c, c.at + 1))))
                c.at++;
            struct span name = from(&c, start);
            enum bench_word kind = kind_of(&c, name);
            if (kind != BENCH_WORDS)
                each(ctx, kind, name);
        } else if (is_digit(now)) {
            each(ctx, BENCH_AMOUNT, cut_number(&c));
        } else {
            c.at++;
        }
    }
}

/* --- what the scripts say --- */

struct bench_shown {
    struct word_set words;
    struct arena arena;
};

/* In small letters, or the number that it begins with: "10_000" and "1e4" are one. */
static struct span normal(struct span word, char *room, size_t size)
{
    size_t n = 0, len = word.len < size - 1 ? word.len : size - 1;

    for (size_t i = 0; i < len; i++) {
        char c = word.ptr[i];
        bool is_parting = is_digit(word.ptr[0]) && (c == '_' || c == ',');
        if (!is_parting)
            room[n++] = ascii_lower(c);
    }
    room[n] = '\0';
    if (!is_digit(room[0]))
        return (struct span){room, n};
    snprintf(room, size, "%.15g", strtod(room, NULL));
    return span_of(room);
}

enum { WORD_MAX = 256 };

/* Calls back for each word and each number, dots or not; false ends it. */
static bool each_part(struct span text, bool (*each)(void *ctx, struct span part), void *ctx)
{
    struct cutter c = {text, 0, false};

    while (c.at < text.len) {
        size_t start = c.at;
        if (is_digit(at(&c, c.at))) {
            if (!each(ctx, cut_number(&c)))
                return false;
        } else if (begins_name(at(&c, c.at))) {
            while (is_name(at(&c, c.at)))
                c.at++;
            if (!each(ctx, from(&c, start)))
                return false;
        } else {
            c.at++;
        }
    }
    return true;
}

static bool add_part(void *ctx, struct span part)
{
    struct bench_shown *s = ctx;
    char room[WORD_MAX];
    struct word_set_entry *entry;

    if (word_set_add(&s->words, normal(part, room, sizeof room), &entry))
        entry->key = arena_copy(&s->arena, entry->key);
    return true;
}

static bool has_part(void *ctx, struct span part)
{
    const struct bench_shown *s = ctx;
    char room[WORD_MAX];

    return word_set_has(&s->words, normal(part, room, sizeof room));
}

struct bench_shown *bench_shown_new(const struct buf *texts, size_t n)
{
    struct bench_shown *s = mem_zero(1, sizeof *s);

    for (size_t i = 0; i < n; i++) {
        AT_END(buf_clear) struct buf bare = {0};
        bench_strip(buf_span(&texts[i]), &bare);
        each_part(buf_span(&bare), add_part, s);
    }
    return s;
}

void bench_shown_free(struct bench_shown *s)
{
    if (s == NULL)
        return;
    word_set_clear(&s->words);
    arena_clear(&s->arena);
    mem_free(s);
}

bool bench_shows(const struct bench_shown *s, enum bench_word kind, struct span words)
{
    size_t dot;

    while (kind == BENCH_API && (dot = span_find(words, SPAN("."))) != SIZE_MAX)
        words = span_after(words, dot + 1);
    return each_part(words, has_part, (void *)s);
}
