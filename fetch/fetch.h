/*
 * fetch: where posts come from. May include base and post; knows no database.
 *
 * source bytes of a file, decompressed on the way dump rows of a Stack Exchange data dump (Posts.xml), read by several
 * threads ndjson posts, one JSON object per line, and the forms of other programs api the Stack Exchange API: see
 * api.h, which belongs to this header
 */
#pragma once

#include "base/base.h"
#include "fetch/api.h"
#include "base/refused.h"
#include "base/post/post.h"

/* --- source --- */

struct source;

/* Opens a file, plain, compressed (gz, xz, bz2, zst) or in an archive (7z, zip, tar), by content, not by name, or
 * standard input for "-". Of an archive with several files the one named Posts.xml is read (or the only one). ST_IO, or
 * ST_INPUT for an archive without posts. */
enum status MUST_USE source_open(struct source **out, const char *path, struct err *e);
/* The files of a site's dump that are read. */
enum source_member { SOURCE_POSTS, SOURCE_COMMENTS, SOURCE_LINKS, SOURCE_MEMBERS };
const char *source_member_name(enum source_member member);
/* Another member of an archive; and which others there are: 1 << SOURCE_COMMENTS, …, known when it was read. */
enum status MUST_USE source_open_member(struct source **out, const char *path, enum source_member member,
                                        struct err *e);
unsigned source_others(const struct source *s);
/* The same of the next `bytes` of a plain file, or of standard input, and nothing else. */
enum status MUST_USE source_open_part(struct source **out, const char *path, uint64_t bytes, struct err *e);
/* The same of a text, which is copied; `name` is what messages call it. */
struct source *MUST_USE source_of_text(struct span text, const char *name);
void source_close(struct source *s);
/* Reads up to `size` bytes; *got is 0 only at the end. ST_INPUT for a damaged archive. */
enum status MUST_USE source_read(struct source *s, char *bytes, size_t size, size_t *got, struct err *e);
/* For progress: bytes of the file itself, consumed so far and in all (0: unknown). */
uint64_t source_consumed(const struct source *s);
uint64_t source_size(const struct source *s);
const char *source_name(const struct source *s); /* for messages */
/* Whether source_read decompresses, in this process. */
bool source_decompresses(const struct source *s);
/* The first bytes that source_read gives, a few; only before it is called. */
struct span source_head(const struct source *s);

/* --- dump --- */

/* The attributes of a row in the dump schema. */
#define ATTR_OF(member, kind, attribute) ATTR_##attribute,
enum attribute { ATTR_Id, ATTR_PostTypeId, ATTR_Body, POST_MEMBERS(ATTR_OF) ATTR_COUNT };

/* A row as it is in the file: attribute values still escaped. */
struct row {
    struct span raw;   /* "<row Id=… />" */
    uint64_t offset;   /* of raw in the decompressed stream */
    int64_t id;        /* 1 … POST_ID_MAX */
    int64_t type;      /* PostTypeId */
    int64_t parent_id; /* POST_ABSENT for none */
    struct span tags;  /* escaped; ptr NULL for none */
    bool wanted;       /* for a handler's scan to tell its take; false at first */
    const char *why;   /* the same: not wanted for this reason, static text; NULL at first */
};

/* A row longer than this is left out: no post of the site comes near it (bodies end at 30,000
 * characters), and memory stays bounded. */
#define DUMP_ROW_MAX ((size_t)8 << 20)

/* A piece of the dump that contains whole rows. `rows` and `out` are the scan callback's, to hand
 * over to take; emptied before each scan. */
struct dump_block {
    struct ARRAY_OF(struct row) rows;
    struct buf out;
    struct arena arena;           /* for what rows and out point to; reset before each scan */
    struct dump_scan *scan_state; /* private to dump.c */
};

/* The next row of the block; false at its end. Rows that cannot be read are noted and passed over. */
bool dump_next(struct dump_block *b, struct row *row);
/* Notes a row that the caller cannot use, in scan or in take; `why` is static text. */
void dump_refuse(struct dump_block *b, const struct row *row, const char *why);

struct dump_handler {
    void *ctx;
    /* Looks at the rows of a block; called on several threads at once, `worker`, less than
     * dump_workers(), tells them apart. May be called again for the same block. */
    void (*scan)(void *ctx, unsigned worker, struct dump_block *b);
    /* Takes a scanned block; called on the thread of dump_read, in file order. */
    enum status (*take)(void *ctx, struct dump_block *b, struct err *e);
    /* A row that cannot be used; same thread as take, after it for its block, in file order. id 0: unknown. */
    void (*refused)(void *ctx, uint64_t offset, int64_t id, const char *why);
};

struct dump_options {
    unsigned threads; /* that scan; 0: one for each processor */
    bool fragment;    /* bare rows without a root element are fine: a piece of a dump */
    /* The rows are cut out of a file that others read the rest of: a comment, of which they may have
     * the other end, is then ST_INPUT. */
    bool is_piece;
    uint64_t offset; /* of the first byte, for messages */
};

/* How many different values `worker` can have. */
unsigned dump_workers(const struct dump_options *options);

struct dump_stats {
    uint64_t bytes; /* of the decompressed stream, with the offset */
    uint64_t rows;  /* usable ones */
    uint64_t refused;
    uint64_t watermarks; /* rows left out as fabricated */
};

/*
 * Reads the rows of a dump to its end. Memory: a few blocks, whatever the file's size.
 *
 * Rows may be in any order, several on a line, with attributes in any order; the plain form of
 * the public dumps is scanned at memory speed, anything else well-formed goes through libxml2.
 * ST_INPUT, with the byte offset, for what is not a dump and for one that ends in the middle: take
 * has then seen every whole row before that place. A status from take ends the reading.
 */
enum status MUST_USE dump_read(struct source *s, const struct dump_options *options, const struct dump_handler *handler,
                               struct dump_stats *stats, struct err *e);

/* An attribute of the row, still escaped; ptr NULL when the row has none. */
struct span row_attribute(const struct row *row, enum attribute which);
/* Decodes XML character references; the result is `escaped` itself where there are none. An
 * unknown reference is kept as it is. */
struct span row_unescape(struct arena *arena, struct span escaped);
/* The whole row; what it points to is in the arena or in the row. False with *why (static text)
 * for a row that cannot be used: invalid UTF-8, a NUL, a number or date that is not one. */
bool row_post(const struct row *row, struct arena *arena, struct post *out, const char **why);

/* Only title and body of the row, decoded; ptr NULL for absent ones. The rest as row_post. */
bool row_texts(const struct row *row, struct arena *arena, struct span *title, struct span *body, const char **why);

/* --- ndjson --- */

/* The most bytes of a record: no post of any site comes near it, and memory stays bounded. */
#define NDJSON_RECORD_MAX ((size_t)64 << 20)

/* Whether bytes at the beginning of a file are those of records, and not of Posts.xml: JSON objects one after the
 * other or in a list, a table with a header (CSV), Comments.xml. */
bool ndjson_begins(struct span head);

struct ndjson_handler {
    void *ctx;
    /* A record: the line from `offset` on, or, of a file that is indented, the lines from one "{" to
     * the next "}", or an element of a list; of a table, a row as JSON. Never empty; lives for the call. A status other than ST_OK ends the reading. */
    enum status (*record)(void *ctx, struct span record, uint64_t offset, struct err *e);
    /* One that cannot be read; `why` is static text. */
    void (*refused)(void *ctx, uint64_t offset, const char *why);
    uint64_t *line; /* where the line of the record, from 1, is told; may be NULL */
};

/* Reads the records of a source to its end. *bytes (may be NULL): how many were read. */
enum status MUST_USE ndjson_each(struct source *s, const struct ndjson_handler *handler, uint64_t *bytes,
                                 struct err *e);

struct form_plans;

/* What is known of a file while its records are read; all-zero at its beginning. */
struct ndjson_file {
    const char *family; /* of forms; NULL: nothing was read yet */
    uint64_t line;      /* of the record, from 1 */
    bool is_of_stack;   /* posts that name no site are of one of Stack Exchange, so that issues must name theirs */
    /* Names, with commas between them: members beside the form of docs/posts.md, such as a date under another name, and
     * lists of texts beside those of other forms. */
    struct buf unread, unread_lists;
    struct form_plans *plans; /* private to form.c */
};
void ndjson_file_clear(struct ndjson_file *file);
/* Warns of what `unread` and `unread_lists` name. */
void ndjson_say_unread(struct ndjson_file *file, const char *name);

/* Calls back for what is in a record, a question before its answers: a post in the form of docs/posts.md, or in one of
 * the forms of other programs (forms.h), with the answers and comments in it, or a list of them. What is in none is
 * refused and named. ST_INPUT for a record of another family of forms than those before it in `file` (NULL: none were).
 * `refused`, `comment` and `author` may be NULL; `list` and `wants` are not used. Texts live for the call. */
enum status MUST_USE ndjson_read(struct span record, const struct api_reader *reader, struct ndjson_file *file,
                                 struct err *e);
