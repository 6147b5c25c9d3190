/* study: the study folder: which posts are of the study, and the files that say so. Knows the format of study.ini, not
 * the other files' content. The files of the default study are compiled into the program (build/studies.S). */
#pragma once

#include "base/base.h"

#define STUDY_FILE_MAX ((size_t)64 << 20)

struct study_file {
    struct span name; /* "keywords.txt" */
    struct span content;
};

/* A site whose posts have its short name in their ids: "ds:45". */
struct study_site {
    struct span short_name; /* "ds" */
    struct span name;       /* "datascience.stackexchange.com", "github.com/keras-team/keras" */
};

struct study {
    struct span name, title;
    struct span site;         /* of posts that do not name theirs, and of the crawl */
    struct study_site *sites; /* those with a short name; posts of `site` may be without */
    size_t n_sites;
    struct span problems;         /* what it calls its problems; may be empty */
    struct span authors;          /* separated by ';'; may be empty */
    struct span stemmer;          /* "nltk", or a libstemmer algorithm */
    struct span sought;           /* the facet whose codes say what is looked for; "": none */
    bool include_code;            /* text inside <pre> is matched too */
    bool candidate_answers;       /* answers can be candidates, not only questions */
    bool blind;                   /* coders see no hints */
    bool model_suggests;          /* coders see what a model says of a post before they coded it */
    struct span model_codes;      /* facets that a model may code as one of two, separated by ','; may be empty */
    bool match_title, match_body; /* the fields that are matched; at least one */
    char from[11], to[11];        /* "2018-01-01" … "2021-03-03", both inclusive; "" is open */
    char published_at[11];        /* of the labels in the study's files; "": not said */
    struct span *tags;            /* patterns: lower-case, `*` stands for any characters */
    size_t n_tags;
    struct study_file *files; /* every file of the folder that is part of the study */
    size_t n_files;
    struct arena arena; /* owns all of the above */
};

/* The files of a study to begin with; compiled in as the default study is. */
extern const struct study_file study_skeleton_files[];
extern const size_t study_skeleton_count;

/* Reads a folder, whose tables may be CSV or TSV, or with dir NULL the study compiled in. ST_INPUT with file:line for a
 * bad file, ST_IO for a missing folder. *out needs study_clear in either case. */
enum status MUST_USE study_load(struct study *out, const char *dir, struct err *e);
/* The same, with tables that are workbooks, which `sheet` makes CSV: rows_as_csv of label, which base does not include. */
typedef enum status study_sheet(struct span content, const char *name, struct buf *out, struct err *e);
enum status MUST_USE study_load_sheets(struct study *out, const char *dir, study_sheet *sheet, struct err *e);
/* A table of a study in UTF-8, and a workbook as CSV: *text, which may be in *room. `encoding` NULL: UTF-8 or
 * UTF-16. `path` is for messages. */
enum status MUST_USE study_text(const char *path, const char *encoding, study_sheet *sheet, struct span *text,
                                struct buf *room, struct err *e);
/* The same from files that somebody else kept (a database); they are copied. */
enum status MUST_USE study_load_files(struct study *out, const struct study_file *files, size_t n, struct err *e);
/* A study of the library, compiled in. ST_USAGE, with the names that there are, where it has none of that name. */
enum status MUST_USE study_load_library(struct study *out, const char *name, struct err *e);
void study_clear(struct study *s);

/* The content of a file of the study; ptr is NULL when there is no file of that name. */
struct span study_file(const struct study *s, const char *name);

/* A tag (lower-case) against the patterns of the study. */
bool study_has_tag(const struct study *s, struct span tag);
/* The first of the study's patterns that the tag fits; n_tags when it is not one of the study's. */
size_t study_tag_place(const struct study *s, struct span tag);
/* False only when no part of `text`, a list of tags, escaped for XML or not, can be a tag of the study. Fast. */
bool study_may_have_tag(const struct study *s, struct span text);
/* A date (ISO 8601, at least its first ten characters) against the window. */
bool study_has_date(const struct study *s, struct span date);

/* --- ids of several sites --- */

/* In a database an id (of a post, comment or user) is a number of 64 bits: the id on the site, and above
 * STUDY_ID_BITS the site's short name, a letter and maybe a letter or digit, as a number, or 0 without one. So the
 * ids of a study of one site are those of the site. Ids need no table to be read or written, and are the same in
 * every copy of a study. */
enum { STUDY_ID_BITS = 53 };
#define STUDY_ID_MAX ((INT64_C(1) << STUDY_ID_BITS) - 1) /* the largest id on a site */

/* A short name as a number; 0 if it is not one. */
int64_t study_site_code(struct span short_name);
/* The short name of a code above 0, into `out`; returns its length. */
size_t study_site_short(int64_t code, char out[2]);
/* The code of a site of the study, by its name or short name; -1: the study has no such site. */
int64_t study_code_of(const struct study *s, struct span site);
/* The sites as the database has them, a JSON object: {"ds":"datascience.stackexchange.com"} */
void study_add_sites(struct buf *out, const struct study *s);
/* From the id on the site, and back. Negative ids (Stack Exchange's user -1) stay; absent or too large: INT64_MIN. */
int64_t study_id(int64_t code, int64_t number);
int64_t study_id_code(int64_t id);
int64_t study_id_number(int64_t id);
