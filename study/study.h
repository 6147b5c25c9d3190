/*
 * study: the study folder. Which posts are of the study, and the files that say so. May be included
 * by cli and by tests; knows the format of study.ini and nothing of the other files' content.
 *
 * Files of the default study are compiled into the program (build/studies.S).
 */
#ifndef STUDY_H
#define STUDY_H

#include "base/base.h"

#define STUDY_FILE_MAX ((size_t)64 << 20)

struct study_file {
    struct span name; /* "keywords.txt" */
    struct span content;
};

struct study {
    struct span name, title, site;
    struct span stemmer;       /* "nltk", or a libstemmer algorithm */
    struct span sought;        /* the facet whose codes say what is looked for; "": none */
    bool include_code;         /* text inside <pre> is matched too */
    bool candidate_answers;    /* answers can be candidates, not only questions */
    bool blind;                /* coders see no hints */
    bool match_title, match_body; /* the fields that are matched; at least one */
    char from[11], to[11];     /* "2018-01-01" … "2021-03-03", both inclusive; "" is open */
    char published_at[11];     /* of the labels in the study's files; "": not said */
    struct span *tags;         /* patterns: lower-case, `*` stands for any characters */
    size_t n_tags;
    struct study_file *files;  /* every file of the folder that is part of the study */
    size_t n_files;
    struct arena arena;        /* owns all of the above */
};

/* Reads a folder, or with dir NULL the study compiled in. ST_INPUT with file:line for a bad file,
 * ST_IO for a missing folder. *out needs study_clear in either case. */
enum status MUST_USE study_load(struct study *out, const char *dir, struct err *e);
/* The same from files that somebody else kept (a database); they are copied. */
enum status MUST_USE study_load_files(struct study *out, const struct study_file *files, size_t n,
                                      struct err *e);
void study_clear(struct study *s);

/* The content of a file of the study; ptr is NULL when there is no file of that name. */
struct span study_file(const struct study *s, const char *name);

/* A tag (lower-case) against the patterns of the study. */
bool study_has_tag(const struct study *s, struct span tag);
/* The first of the study's patterns that the tag fits; n_tags when it is not one of the study's. */
size_t study_tag_place(const struct study *s, struct span tag);
/* False only when no part of `text` can be a tag of the study: a quick look at a list of tags before it
 * is taken apart, escaped for XML or not. */
bool study_may_have_tag(const struct study *s, struct span text);
/* A date (ISO 8601, at least its first ten characters) against the window. */
bool study_has_date(const struct study *s, struct span date);


#endif
