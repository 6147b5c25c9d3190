/*
 * base: what every room builds on; knows no word of the domain.
 *
 * Spans passed in are borrowed for the call. Spans handed out live until the object's next call
 * or until its arena is reset, unless a function says otherwise. Nothing here returns a status for
 * "out of memory": mem.c ends the process with one line, so callers cap their inputs first.
 */
#ifndef BASE_H
#define BASE_H

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

/* The outcome of a call; also the exit code of the program. */
enum status {
    ST_OK = 0,
    ST_NO = 1,       /* nothing found, findings present */
    ST_USAGE = 2,    /* the command line is wrong */
    ST_INPUT = 3,    /* a file that was read is wrong */
    ST_NETWORK = 4,
    ST_DATABASE = 5,
    ST_IO = 6,       /* the operating system refused: no such file, no space, … */
};

/* One error: the first that happened, in words that say what to do next. */
struct err {
    enum status status;
    char text[1024];
};

/* Sets *e (cleaned as buf_add_clean does; longer texts are cut) and returns the status, so that
 * `return err_set(…)` reads well. */
enum status err_set(struct err *e, enum status status, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* --- spans: a pointer and a length, not NUL-terminated --- */

struct span {
    const char *ptr; /* may be NULL only when len is 0 */
    size_t len;
};

#define SPAN(literal) ((struct span){(literal), sizeof(literal) - 1})

struct span MUST_USE span_of(const char *text); /* NULL gives the empty span */
bool MUST_USE span_eq(struct span a, struct span b);
/* By bytes, what is shorter first: below, at or above 0, as qsort wants it. */
int MUST_USE span_order(struct span a, struct span b);
bool MUST_USE span_starts(struct span s, struct span prefix);
struct span MUST_USE span_trim(struct span s); /* ASCII white space off both ends */
/* Cuts the part before the first `delimiter` (or all) off *rest; false when *rest was used up.
 * A trailing delimiter does not make a last empty part. */
bool MUST_USE span_cut(struct span *rest, char delimiter, struct span *part);
/* Decimal digits only, no sign, no blanks; false when empty, not a number or above `max`. */
bool MUST_USE span_u64(struct span s, uint64_t max, uint64_t *value);
bool MUST_USE span_i64(struct span s, int64_t *value); /* an optional '-' and digits */
int MUST_USE hex_digit(char c); /* its value; -1 for another character */
/* FNV-1a (Fowler, Noll, Vo), folded to size_t: the same on every machine. For fingerprints of what we
 * write ourselves; base/map.h hashes keys that strangers choose. */
size_t MUST_USE span_hash(struct span s);
/* Byte offset of `needle` in `s`, or SIZE_MAX. */
size_t MUST_USE span_find(struct span s, struct span needle);
bool MUST_USE span_has(struct span s, const char *text); /* does s contain it? Every s contains "" */

/* Is s one of the n texts? Does s contain one of them? */
bool MUST_USE span_is_any(struct span s, const char *const *texts, size_t n);
bool MUST_USE span_has_any(struct span s, const char *const *texts, size_t n);

/* Where each line of a text below 4 GiB begins. There are *n lines, one more than LFs. Free with
 * mem_free. */
uint32_t *MUST_USE span_lines(struct span s, uint32_t *n);
/* Which of those lines, from 0, contains the byte. */
uint32_t MUST_USE span_line_at(const uint32_t *starts, uint32_t n, size_t offset);

/* Of `names` the one that `typed` was likely meant to be, or NULL; for error messages. */
const char *MUST_USE span_nearest(struct span typed, const char *const *names, size_t n);

/* --- memory --- */

void *MUST_USE mem_alloc(size_t size);              /* never NULL; free with mem_free */
void *MUST_USE mem_zero(size_t count, size_t size); /* the same, zeroed, overflow checked */
void *MUST_USE mem_resize(void *block, size_t count, size_t size);
char *MUST_USE mem_text(struct span s); /* a NUL-terminated copy */
void mem_free(void *block);
/* Ends the program, as the others do, if `size` bytes are not to be had: before the call of a library that
 * takes as much and does not look at what it is given. */
void mem_expect(size_t size);
/* Ends the process as lack of memory does: there are more than max of what a container takes. */
/* Ends the process as a lack of memory does: for libraries that return NULL. */
_Noreturn void mem_lacking(size_t size);
_Noreturn void mem_exceeded(const char *what, size_t max);

/* A growing array of any type: `struct ARRAY_OF(uint32_t) ids;` is one, and
 * `struct id_list ARRAY_OF(uint32_t);` a type of them. a.at[0] .. a.at[a.n - 1] are its elements.
 * All-zero is a valid empty one; its size is bounded by memory alone, so callers cap their input.
 * Each of these evaluates its arguments once, and does not compile for what is not an array, nor for
 * values of another type; the address of an element lives until the next one is added. */
#define ARRAY_OF(type) { __typeof__(type) *at; size_t n, capacity; }

/* Adds a value, an expression or an initialiser, after the last one; gives its address. The value
 * may be read from the same array. */
#define array_add(array, ...)                                                                      \
    __extension__({                                                                                \
        __typeof__(array) array_to_ = (array);                                                     \
        __typeof__(*array_to_->at) array_value_ = __VA_ARGS__;                                     \
        array_reserve_(array_to_, 1);                                                              \
        array_to_->at[array_to_->n] = array_value_;                                                \
        &array_to_->at[array_to_->n++];                                                            \
    })
/* Makes room for `more` elements after the last one, which the caller fills and counts. */
#define array_reserve(array, more)                                                                 \
    __extension__({                                                                                \
        __typeof__(array) array_of_ = (array);                                                     \
        array_reserve_(array_of_, more);                                                           \
    })
/* Frees the elements; the array is an empty one. */
#define array_clear(array)                                                                         \
    __extension__({                                                                                \
        __typeof__(array) array_of_ = (array);                                                     \
        mem_free(array_of_->at);                                                                   \
        array_of_->at = NULL;                                                                      \
        array_of_->n = array_of_->capacity = 0;                                                    \
    })

/* As qsort, of an empty array too. */
#define array_sort(array, compare)                                                                 \
    __extension__({                                                                                \
        __typeof__(array) array_of_ = (array);                                                     \
        if (array_of_->n > 1)                                                                      \
            qsort(array_of_->at, array_of_->n, sizeof *array_of_->at, compare);                    \
    })

/* Of the macros above alone. */
#define array_reserve_(array, more)                                                                \
    ((array)->at = array_room((array)->at, (array)->n, (more), &(array)->capacity,                 \
                              sizeof *(array)->at))
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
/* JSON that a database keeps, for output: the same value, escaped as by buf_add_json. */
void buf_add_json_text(struct buf *b, struct span json);
/* A JSON string as databases keep it: only C0 and DEL are escaped. Ids are hashes of it, so that it
 * must never change. */
void buf_add_json_kept(struct buf *b, struct span s);
/* JSON with U+FFFD in the place of each half of a surrogate pair: it is no character, and one of them
 * makes all of a document unreadable. */
void buf_add_json_mended(struct buf *b, struct span json);
void buf_reset(struct buf *b);                   /* empty, memory kept */
void buf_clear(struct buf *b);                   /* frees */
struct span MUST_USE buf_span(const struct buf *b);
const char *MUST_USE buf_cstr(struct buf *b); /* NUL-terminated view, valid until the next change */

/* An arena: many small copies freed at once. All-zero is a valid empty one. */
struct arena {
    struct arena_block *block;
};

void *MUST_USE arena_alloc(struct arena *a, size_t size); /* aligned for any object, not zeroed */
struct span MUST_USE arena_copy(struct arena *a, struct span s);
char *MUST_USE arena_text(struct arena *a, struct span s); /* a copy with a NUL after it */
void arena_reset(struct arena *a); /* keeps one block */
void arena_clear(struct arena *a);

/* A set of 32-bit numbers, one bit each, in pages made when first needed. All-zero is empty. */
struct bitset {
    uint64_t **pages;
};

void bitset_add(struct bitset *b, uint32_t number);
bool MUST_USE bitset_has(const struct bitset *b, uint32_t number);
void bitset_clear(struct bitset *b);

/* --- UTF-8 --- */

/* Length of the longest valid prefix (RFC 3629: no surrogates, no overlong forms). */
size_t MUST_USE utf8_valid_prefix(struct span s);
/* The length without the first bytes of a last character, if the others are missing. */
size_t MUST_USE utf8_whole(struct span s);
/* Cuts off *rest what is valid, or one byte that is not, for which U+FFFD comes back. */
struct span MUST_USE utf8_cut(struct span *rest);
/* Decodes one character of *valid* UTF-8 at p (p < end) and returns its length in bytes. */
size_t MUST_USE utf8_decode(const char *p, const char *end, uint32_t *code_point);
/* Encodes (surrogates and > U+10FFFF: returns 0); at most 4 bytes. */
/* Not utf8_encode, as jansson has that in its archive. */
size_t MUST_USE utf8_put(uint32_t code_point, char out[4]);

/* What spreadsheets save as text. */
enum text_encoding { TEXT_UTF8, TEXT_UTF8_MARKED, TEXT_UTF16, TEXT_NAMED };

/* *text becomes the text of a file as UTF-8, without a byte order mark: a span of `bytes`, or of *room. `encoding`: as iconv names it ("windows-1252");
 * NULL: UTF-8, or UTF-16 of either order, which is known by its mark or by a first ASCII character. Nothing is
 * guessed: ST_INPUT with file:line for bytes that are in none of them, ST_USAGE for an encoding that is not known. A
 * file that is marked as UTF-8 is not looked at: csv_next does. */
enum status MUST_USE text_decode(struct span bytes, const char *encoding, const char *name, struct buf *room,
                                 struct span *text, enum text_encoding *found, struct err *e);

/* --- what people see --- */

/* Does a terminal, or what lays out text, take this character for a command: control characters (C0,
 * DEL, C1), those that change the direction of writing, ends of lines and paragraphs? Joiners (U+200C,
 * U+200D) stay: scripts and emoji need them. */
bool MUST_USE is_command_character(uint32_t code_point);
/* Adds the text with '?' for each command character, and U+FFFD for each byte that is not UTF-8.
 * Whatever came from a post, a file or a database is said in this way, and in no other. */
void buf_add_clean(struct buf *b, struct span s);
void buf_add_clean_lines(struct buf *b, struct span s); /* the same, but LF and tab stay */
/* buf_addf, cleaned as a whole: for a line, or a piece of one. */
void buf_addf_clean(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool MUST_USE text_is_clean(struct span s); /* would buf_add_clean change nothing? */

/* Of valid UTF-8, the columns that it takes on a terminal (UAX #11): East Asian wide characters take
 * two, combining ones and controls none. */
size_t MUST_USE text_width(struct span s);
/* The part from its start that fits into `width` columns. *taken (may be NULL): how many it takes. */
struct span text_cut(struct span s, size_t width, size_t *taken);
/* Adds the words of valid UTF-8 in lines of at most `width` columns (0: one line), each after `indent`
 * blanks; ends the last line. */
void buf_add_wrapped(struct buf *b, struct span text, size_t indent, size_t width);
/* Adds valid UTF-8, and blanks up to `width` columns; `right`: the blanks come first. */
void buf_add_padded(struct buf *b, struct span s, size_t width, bool right);
/* Columns of the terminal that the stream is; 0 when it is not one. */
size_t MUST_USE terminal_width(FILE *stream);

/* --- CSV --- */

/*
 * Would a spreadsheet compute a cell with this text? It does when the text begins with = + - or @ (also
 * full-width ones), a tab or a line end, after any blanks and quotes; a plain number is not a formula.
 *
 * Such a cell is guarded in files that others may open: an apostrophe before it makes it a text. A
 * text that begins with an apostrophe before a formula is one as well, and gets another, so that who
 * takes one apostrophe off each guarded cell has every text back.
 */
bool MUST_USE csv_is_formula(struct span s);
struct span MUST_USE csv_unguarded(struct span field);
/* One field, guarded, and quoted where RFC 4180 asks for it. */
void buf_add_csv(struct buf *out, struct span s);
void buf_add_csv_with(struct buf *out, struct span s, char delimiter);
/* The same of the name of a column: quoted where it contains any delimiter, so that csv_open, which counts
 * them in the first line, finds the one of the file. */
void buf_add_csv_name(struct buf *out, struct span s, char delimiter);
void buf_add_csv_raw(struct buf *out, struct span s); /* not guarded */

/* Reads RFC 4180: fields in double quotes may contain delimiters, line ends and doubled quotes; lines
 * end in LF, CRLF or CR; a byte order mark is passed over. The guard of a cell is taken off. The
 * content stays the caller's; fields live until the next row. */
struct csv_reader {
    struct span rest;
    const char *name; /* of the file, for messages */
    char delimiter;
    bool verbatim;    /* guards stay */
    size_t line;      /* where the last row began, from 1 */
    size_t lines_seen;
    struct ARRAY_OF(struct span) fields;
    struct span row;  /* the last one, as it is in the content, without its line end */
    size_t n_columns; /* of the header that csv_header read */
    bool no_line_end; /* the last row ends with the content: it may have been cut off */
    struct buf unquoted;
};

/* The delimiter is taken from the first line: ',', ';' or a tab, as spreadsheets write them; a
 * first line "sep=;" says it, and is no row. */
void csv_open(struct csv_reader *r, struct span content, const char *name);
/* The same for files that people write, such as a study's: an apostrophe is meant, and stays. */
void csv_open_verbatim(struct csv_reader *r, struct span content, const char *name);
/* The most fields of a row: 16 MB of spans. */
#define CSV_FIELDS_MAX ((size_t)1 << 20)
/* The next row that has a field that is not empty; ST_NO at the end; ST_INPUT with file:line for a
 * quote that is not closed, bytes after a closing quote, invalid UTF-8, a NUL, or too many fields. */
enum status MUST_USE csv_next(struct csv_reader *r, struct err *e);
/* Reads a header line that has these `n` columns, in any order, and no others: columns[i] becomes
 * the place of the field that names[i] names. ST_INPUT with file:line otherwise. */
enum status MUST_USE csv_header(struct csv_reader *r, const char *const *names, size_t n,
                                size_t *columns, struct err *e);
/* csv_next, and ST_INPUT for a row with more or fewer fields than the header. */
enum status MUST_USE csv_record(struct csv_reader *r, struct err *e);
void csv_close(struct csv_reader *r);

/* --- random numbers: the same from the same seed on every machine; not for secrets --- */

/* xoshiro256** 1.0 (Blackman & Vigna, ACM Trans. Math. Softw. 47(4), 2021), its state filled from
 * the seed by SplitMix64 (Steele, Lea & Flood, OOPSLA 2014), so that every seed, 0 too, is good. */
struct random {
    uint64_t state[4]; /* never all zero */
};

void random_seed(struct random *r, uint64_t seed);
uint64_t random_next(struct random *r); /* 64 random bits */
/* Even over 0 .. n-1: the top bits of random_next, drawn again until they are below n. For n <= 1
 * it is 0 and nothing is drawn. */
uint64_t MUST_USE random_below(struct random *r, uint64_t n);

/* --- talk, on stderr, cleaned as buf_add_clean does --- */

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

void log_set_program(const char *name); /* how each line begins; it stays the caller's */
void log_set_level(enum log_level level);
enum log_level log_get_level(void);
void log_error(const char *fmt, ...) PRINTF_LIKE(1, 2); /* always */
void log_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);  /* unless the level is LOG_QUIET */
void log_info(const char *fmt, ...) PRINTF_LIKE(1, 2);  /* unless the level is LOG_QUIET */
void log_debug(const char *fmt, ...) PRINTF_LIKE(1, 2); /* with LOG_VERBOSE */

/* What another program said, in lines; bytes of a character that is not complete yet are left: returns
 * how many bytes were written. */
size_t log_output(struct span lines);

/* A progress line, cut at the terminal's width; draws only when stderr is a terminal and the level is not LOG_QUIET. */
struct progress {
    const char *label; /* borrowed until progress_end */
    uint64_t total;    /* 0: unknown */
    uint64_t done;
    double started, drawn;
    bool active;
};

void progress_begin(struct progress *p, const char *label, uint64_t total);
/* `note` (may be "") follows the bar. Cheap: draws ten times a second at most. */
void progress_update(struct progress *p, uint64_t done, const char *note);
void progress_end(struct progress *p); /* wipes the line */

/* --- the operating system --- */

/* The time now as "2026-11-21T01:12:21.000Z"; $PPMINE_NOW, in that form, replaces it, so that
 * tests and simulations own the clock. */
#define TIME_TEXT_SIZE 25
void time_now(char out[TIME_TEXT_SIZE]);
double time_monotonic(void); /* seconds */

/* Reads a whole file of at most `max` bytes into *out (which the caller clears). */
enum status MUST_USE file_read(const char *path, size_t max, struct buf *out, struct err *e);
/* The same of a regular file: ST_INPUT for a FIFO, a device or a folder, which is not waited for. For
 * files that are looked for in a folder, not those that somebody names. */
enum status MUST_USE file_read_regular(const char *path, size_t max, struct buf *out, struct err *e);
/* Writes a file, over what was there; `fresh`: ST_IO when something is. `name`: for messages. What
 * was written before an error stays. */
enum status MUST_USE file_write(const char *path, bool fresh, struct span bytes, const char *name,
                                struct err *e);
/* Writes it beside the old one and then takes its place, so that nobody ever reads half a file. */
enum status MUST_USE file_replace(const char *path, struct span bytes, struct err *e);
/* Whether a path, with all links in it followed, is the folder or in it; false, too, for what is not
 * there. */
bool path_is_inside(const char *folder, const char *path);
/* Makes each folder of the path that is missing. */
enum status MUST_USE folders_make(const char *dir, struct err *e);
bool MUST_USE program_is_there(const char *name); /* on the PATH */
/* Flushes and checks a stream that was written: a full disk is an error, not a short file. */
enum status MUST_USE stream_check(FILE *stream, const char *name, struct err *e);

/* SIGINT, SIGTERM, SIGQUIT and SIGHUP end the process at once, and take along what output_file has not given
 * its name yet. A SIGHUP that was ignored stays so (nohup). */
void signals_end_cleanly(void);
/* From then on they only set a flag, so that a command can commit and end. A second SIGINT ends the process at
 * once; so does a second that went by, unless PPMINE_STOP_UNHURRIED is set. */
void signals_catch(void);
bool signals_stop_asked(void);
int signals_exit_code(void); /* 128 + the signal's number */
/* Ends what another thread waits for in a call of the kernel; after signals_catch. */
void signals_wake(pthread_t thread);

#endif
