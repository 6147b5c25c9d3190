/* fetch: where posts come from: files (source), data dumps of Stack Exchange (dump), JSON of any program (ndjson), and
 * the Stack Exchange API (api.h). May include base and post; knows no database. */
#pragma once

#include "base/base.h"
#include "fetch/api.h"
#include "base/refused.h"
#include "base/post/post.h"

/* --- source --- */

struct source;

/* Opens a file, or "-" for standard input: plain, compressed (gz, xz, bz2, zst) or an archive (7z, zip, tar), by
 * content, not name. Reads an archive's Posts.xml, or its only file. ST_IO, or ST_INPUT for an archive without
 * posts. */
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

/* Longer rows are left out, which bounds memory: bodies of the site end at 30,000 characters. */
#define DUMP_ROW_MAX ((size_t)8 << 20)

/* A piece of the dump with whole rows. The scan callback fills `rows` and `out` for take; a scan finds them empty. */
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
    /* Looks at the rows of a block, on several threads at once: `worker`, less than dump_workers(), tells them apart.
     * May be called again for the same block. */
    void (*scan)(void *ctx, unsigned worker, struct dump_block *b);
    /* Takes a scanned block; called on the thread of dump_read, in file order. */
    enum status (*take)(void *ctx, struct dump_block *b, struct err *e);
    /* A row that cannot be used; same thread as take, after it for its block, in file order. id 0: unknown. */
    void (*refused)(void *ctx, uint64_t offset, int64_t id, const char *why);
};

struct dump_options {
    unsigned threads; /* that scan; 0: one for each processor */
    bool fragment;    /* bare rows without a root element are fine: a piece of a dump */
    /* Others read the rest of the file: a comment, whose other end they may have, is then ST_INPUT. */
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

/* Reads the rows of a dump to its end, in a few blocks of memory. Rows may be in any order, several on a line, with
 * attributes in any order; the plain form of the public dumps is scanned at memory speed, other well-formed XML goes
 * through libxml2. ST_INPUT, with the byte offset, for what is not a dump or ends in the middle; take has then seen all
 * whole rows before. A status from take ends the reading. */
enum status MUST_USE dump_read(struct source *s, const struct dump_options *options, const struct dump_handler *handler,
                               struct dump_stats *stats, struct err *e);

/* An attribute of the row, still escaped; ptr NULL when the row has none. */
struct span row_attribute(const struct row *row, enum attribute which);
/* Decodes XML character references, but keeps unknown ones; returns `escaped` itself where there are none. */
struct span row_unescape(struct arena *arena, struct span escaped);
/* The row as a post, in the arena or the row. False with *why (static text) for bad UTF-8, NUL, a bad number or
 * date. */
bool row_post(const struct row *row, struct arena *arena, struct post *out, const char **why);

/* Only title and body, decoded; ptr NULL for absent ones. The rest as row_post. */
bool row_texts(const struct row *row, struct arena *arena, struct span *title, struct span *body, const char **why);

/* --- ndjson --- */

/* The most bytes of a record, which bounds memory; real posts are far smaller. */
#define NDJSON_RECORD_MAX ((size_t)64 << 20)

/* Whether `head` begins records: JSON objects, a list of them, CSV with a header, or Comments.xml; not Posts.xml. */
bool ndjson_begins(struct span head);

struct ndjson_handler {
    void *ctx;
    /* A record: the line from `offset` on; if indented, the lines from one "{" to the next "}"; an element of a list; a
     * row of a table, as JSON. Never empty; lives for the call. A status other than ST_OK ends the reading. */
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
    /* Names, with commas between them: unknown members in the form of docs/posts.md, such as a date under another name,
     * and unknown lists of texts in other forms. */
    struct buf unread, unread_lists;
    struct form_plans *plans; /* private to form.c */
};
void ndjson_file_clear(struct ndjson_file *file);
/* Warns of what `unread` and `unread_lists` name. */
void ndjson_say_unread(struct ndjson_file *file, const char *name);

/* Calls back for what a record has, a question before its answers: a post in the form of docs/posts.md or of another
 * program (forms.h), with its answers and comments, or a list of them. Refuses and names any other form. ST_INPUT for
 * another family of forms than earlier records of `file` (NULL: none) had. `refused`, `comment` and `author` may be
 * NULL; `list` and `wants` are not used. Texts live for the call. */
enum status MUST_USE ndjson_read(struct span record, const struct api_reader *reader, struct ndjson_file *file,
                                 struct err *e);
