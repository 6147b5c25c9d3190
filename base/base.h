/*
 * base: what every room builds on; it knows nothing of the domain.
 *
 * Spans passed in are borrowed for the call. Spans handed out live until the object's next call or until its arena is
 * reset, unless a function says otherwise. No function here returns a status for "out of memory": mem.c ends the
 * process with one line, so callers cap their inputs first.
 */
#pragma once

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PPMINE_VERSION "0.1.0"

/* For each function whose result says whether it worked, or which does nothing but give one. */
#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
/* Before a local variable: `clear` gets its address when its scope ends, however it ends. What it points to must
 * be set by then, so the variable is initialised where it is declared, or before the first return. */
#define AT_END(clear) __attribute__((cleanup(clear)))

/* The outcome of a call; also the exit code of the program. */
enum status {
    ST_OK = 0,
    ST_NO = 1,    /* nothing found, findings present */
    ST_USAGE = 2, /* the command line is wrong */
    ST_INPUT = 3, /* a file that was read is wrong */
    ST_NETWORK = 4,
    ST_DATABASE = 5,
    ST_IO = 6, /* the operating system refused: no such file, no space, … */
};

/* The next step of several, which is not done after one that failed: the first status that is not ST_OK stays.
 *
 *     enum status status = check_study(m);
 *     THEN(status, check_facets(m));
 *     THEN(status, merge_codebook(m)); */
#define THEN(status, ...) ((status) = (status) == ST_OK ? (__VA_ARGS__) : (status))

/* One error: the first that happened, in words that say what to do next. */
struct err {
    enum status status;
    char text[1024];
};

/* Sets *e (cleaned as buf_add_clean does, and cut if too long); returns the status, for `return err_set(…)`. */
enum status err_set(struct err *e, enum status status, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* --- spans: a pointer and a length, not NUL-terminated --- */

struct span {
    const char *ptr; /* may be NULL only when len is 0 */
    size_t len;
};

#define SPAN(literal) ((struct span){(literal), sizeof(literal) - 1})
/* The two arguments that "%.*s" takes; `span` is evaluated twice. */
#define SPAN_ARG(span) (int)(span).len, (span).ptr

struct span MUST_USE span_of(const char *text); /* NULL gives the empty span */
bool MUST_USE span_eq(struct span a, struct span b);
bool MUST_USE span_eq_any_case(struct span a, struct span b); /* of letters from A to Z */
/* By bytes, what is shorter first: below, at or above 0, as qsort wants it. */
int MUST_USE span_order(struct span a, struct span b);
bool MUST_USE span_starts(struct span s, struct span prefix);
bool MUST_USE span_ends(struct span s, struct span suffix);
/* The part after the last c; the whole of a span without c. */
struct span MUST_USE span_after_last(struct span s, char c);
/* The part after the first n bytes; s has at least n. */
static inline struct span MUST_USE span_after(struct span s, size_t n)
{
    return n > 0 ? (struct span){s.ptr + n, s.len - n} : s; /* s.ptr may be NULL */
}

struct span MUST_USE span_trim(struct span s); /* ASCII white space off both ends */
/* The order of two int64_t, or of two texts, or of structs that begin with one, for qsort and bsearch. */
int MUST_USE number_order(const void *a, const void *b);
int MUST_USE text_order(const void *a, const void *b);
/* Cuts the part before the first `delimiter` (or all) off *rest; false at its end. "a," has no empty second part. */
bool MUST_USE span_cut(struct span *rest, char delimiter, struct span *part);
/* Decimal digits only, no sign, no blanks; false when empty, not a number or above `max`. */
bool MUST_USE span_u64(struct span s, uint64_t max, uint64_t *value);
bool MUST_USE span_i64(struct span s, int64_t *value); /* an optional '-' and digits */
bool span_is_digits(struct span s);                    /* at least one: a number, and perhaps one that is too large */
bool span_is_hex(struct span s);                       /* at least one of 0-9 and a-f */
int MUST_USE hex_digit(char c);                        /* its value; -1 for another character */

/* A to Z as small letters, whatever the locale; other bytes as they are. */
static inline char MUST_USE ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool MUST_USE ascii_is_letter(char c)
{
    return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

/* White space as C has it, and as XML and JSON have it: without the vertical tab and the form feed. */
static inline bool MUST_USE ascii_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool MUST_USE ascii_is_data_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* FNV-1a (Fowler, Noll, Vo), folded to size_t: the same on every machine. For fingerprints of what we
 * write ourselves; base/map.h hashes keys that strangers choose. */
size_t MUST_USE span_hash(struct span s);
/* Byte offset of `needle` in `s`, or SIZE_MAX. */
size_t MUST_USE span_find(struct span s, struct span needle);
/* The same, whatever the case of letters from A to Z. */
size_t MUST_USE span_find_any_case(struct span s, struct span needle);
bool MUST_USE span_has(struct span s, const char *text); /* does s contain it? Every s contains "" */

/* The place of s among n texts; n: it is not one of them. Among n elements, or those of an array, by a member that is a
 * span: array_find(&said->problems, subject, s). */
size_t MUST_USE span_place(struct span s, const char *const *texts, size_t n);
size_t MUST_USE span_among(struct span s, const struct span *texts, size_t n);
#define items_find(items, n, member, s) \
    span_place_of(s, items, n, sizeof *(items), offsetof(__typeof__(*(items)), member))
#define array_find(array, member, s) items_find((array)->at, (array)->n, member, s)
size_t MUST_USE span_place_of(struct span s, const void *items, size_t n, size_t size, size_t offset);
/* Is s one of the n texts? Does s contain one of them? */
bool MUST_USE span_is_any(struct span s, const char *const *texts, size_t n);
bool MUST_USE span_has_any(struct span s, const char *const *texts, size_t n);
/* The same of words in one text, with a blank between two: "zeros ones full". */
bool MUST_USE span_is_word(struct span s, const char *words);
bool MUST_USE span_has_word(struct span s, const char *words);

/* Small letters and digits alone, and all that is not ASCII: what spellings of one name have in common. */
struct arena;
struct span MUST_USE span_folded(struct arena *arena, struct span s);

/* Where each line of a text below 4 GiB begins. There are *n lines, one more than LFs. Free with mem_free. */
uint32_t *MUST_USE span_lines(struct span s, uint32_t *n);
/* Which of those lines, from 0, contains the byte. */
uint32_t MUST_USE span_line_at(const uint32_t *starts, uint32_t n, size_t offset);

/* Of `names` the one that `typed` was likely meant to be, or NULL; for error messages. */
const char *MUST_USE span_nearest(struct span typed, const char *const *names, size_t n);

/* --- memory --- */

void *MUST_USE mem_alloc(size_t size);              /* never NULL; free with mem_free */
void *MUST_USE mem_zero(size_t count, size_t size); /* the same, zeroed, overflow checked */
void *MUST_USE mem_resize(void *block, size_t count, size_t size);
char *MUST_USE mem_text(struct span s);                          /* a NUL-terminated copy */
char *MUST_USE mem_addf(const char *fmt, ...) PRINTF_LIKE(1, 2); /* what printf makes of it, with a NUL after it */
void mem_free(void *block);
void mem_end(void *pointer); /* for AT_END: frees what this pointer points to */
/* Ends the process as a lack of memory does: for libraries that return NULL. */
_Noreturn void mem_lacking(size_t size);
/* The same where there are more than max of what a container takes. */
_Noreturn void mem_exceeded(const char *what, size_t max);

/* A growing array of any type: `struct ARRAY_OF(uint32_t) ids;` is one, `struct id_list ARRAY_OF(uint32_t);` a type of
 * them. Its elements are a.at[0] .. a.at[a.n - 1]; an element's address lives until the next one is added. All-zero is
 * a valid empty array. Only memory limits its size, so callers cap their input. Each macro evaluates its arguments
 * once, and compiles only for arrays and values of the right type. */
/* clang-format off */
#define ARRAY_OF(type) { __typeof__(type) *at; size_t n, capacity; }
/* clang-format on */

/* Appends a value, an expression or an initialiser, which may read from the same array; gives its address. */
#define array_add(array, ...) \
    __extension__({ \
        __typeof__(array) array_to_ = (array); \
        __typeof__(*array_to_->at) array_value_ = __VA_ARGS__; \
        array_reserve_(array_to_, 1); \
        array_to_->at[array_to_->n] = array_value_; \
        &array_to_->at[array_to_->n++]; \
    })
/* Makes room for `more` elements after the last one, which the caller fills and counts. */
#define array_reserve(array, more) \
    __extension__({ \
        __typeof__(array) array_of_ = (array); \
        array_reserve_(array_of_, more); \
    })
/* Frees the elements; the array is an empty one. */
#define array_clear(array) \
    __extension__({ \
        __typeof__(array) array_of_ = (array); \
        mem_free(array_of_->at); \
        array_of_->at = NULL; \
        array_of_->n = array_of_->capacity = 0; \
    })

void array_end(void *array); /* for AT_END: the elements of one of any type */

/* As qsort, of an empty array too. */
#define array_sort(array, compare) \
    __extension__({ \
        __typeof__(array) array_of_ = (array); \
        if (array_of_->n > 1) \
            qsort(array_of_->at, array_of_->n, sizeof *array_of_->at, compare); \
    })

/* The macros above use these. array_room is also for structs with several arrays, which count each by itself: the array
 * with room for `more` elements after the first n. */
#define array_reserve_(array, more) \
    ((array)->at = array_room((array)->at, (array)->n, (more), &(array)->capacity, sizeof *(array)->at))
void *array_grow(void *at, size_t n, size_t more, size_t *capacity, size_t size);
static inline void *array_room(void *at, size_t n, size_t more, size_t *capacity, size_t size)
{
    return more <= *capacity && n <= *capacity - more ? at : array_grow(at, n, more, capacity, size);
}

/* A growing byte buffer. All-zero is a valid empty one. */
struct buf {
    char *ptr;
    size_t len, capacity;
};

void buf_reserve(struct buf *b, size_t more); /* room for `more` bytes after len */
void buf_add(struct buf *b, const char *bytes, size_t len);
void buf_add_span(struct buf *b, struct span s);
void buf_add_char(struct buf *b, char c);
void buf_add_text(struct buf *b, const char *text);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_addv(struct buf *b, const char *fmt, va_list args) PRINTF_LIKE(2, 0);
/* A JSON string for output: invalid UTF-8 becomes U+FFFD, and what is_command_character says of is
 * written as \u2028, so that no terminal takes it for a command. */
void buf_add_json(struct buf *b, struct span s);
/* JSON as the form has it, with ' for ". ? becomes a text as a string; ! too, or null where ptr is NULL. */
#define buf_add_jsonf(b, form, ...) buf_add_json_form(b, form, (const struct span[]){__VA_ARGS__})
void buf_add_json_form(struct buf *b, const char *form, const struct span *texts);
/* JSON that a database keeps, for output: the same value, escaped as by buf_add_json. */
void buf_add_json_text(struct buf *b, struct span json);
/* A JSON string as databases store it: only C0 and DEL are escaped. Must never change: ids are hashes of it. */
void buf_add_json_kept(struct buf *b, struct span s);
/* JSON with U+FFFD for each unpaired half of a surrogate pair, as one of them makes a whole document unreadable. */
void buf_add_json_mended(struct buf *b, struct span json);
void buf_reset(struct buf *b);              /* empty, memory kept */
void buf_set(struct buf *b, struct span s); /* s alone, which is not of b */
void buf_clear(struct buf *b);              /* frees */
struct span MUST_USE buf_span(const struct buf *b);
const char *MUST_USE buf_cstr(struct buf *b); /* NUL-terminated view, valid until the next change */

/* An arena: many small copies freed at once. All-zero is a valid empty one. */
struct arena {
    struct arena_block *block;
};

void *MUST_USE arena_alloc(struct arena *a, size_t size); /* aligned for any object, not zeroed */
struct span MUST_USE arena_copy(struct arena *a, struct span s);
char *MUST_USE arena_text(struct arena *a, struct span s); /* a copy with a NUL after it */
/* What printf makes of it, with a NUL after it. */
struct span MUST_USE arena_addf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void arena_reset(struct arena *a); /* keeps one block */
void arena_clear(struct arena *a);
