/* foreign: tables of somebody else's study, from CSV, xlsx (all visible sheets), JSON, JSON lines and zip files of
 * these, and what their columns seem to be. Texts live until foreign_clear. */
#pragma once

#include "base/base.h"
#include "base/study/study.h"
#include "base/maps.h"

/* A rectangle of cells, padded with empty ones; the heads are among the rows. */
struct foreign_table {
    struct span name; /* "dataset.xlsx#data", "round1.csv" */
    size_t n_columns, n_rows;
    struct ARRAY_OF(struct span) cells;
    struct ARRAY_OF(size_t) lines; /* of each row, as a spreadsheet shows it */
};

struct foreign {
    struct ARRAY_OF(struct foreign_table) tables;
    struct text_set documents; /* rows of one table, "documents"; the place of each is its number, from 0 */
    size_t n_trimmed;          /* cells with blanks at an end, which were taken off */
    struct arena arena;
};

/* A file of somebody else, and what is in it unpacked. */
#define FOREIGN_BYTES_MAX ((size_t)256 << 20)

/* Adds a file's tables; names and skips all else in a zip. ST_INPUT. *f begins all zero, and needs foreign_clear. */
enum status MUST_USE foreign_read(struct foreign *f, struct span content, const char *name, struct err *e);
void foreign_clear(struct foreign *f);

struct span foreign_cell(const struct foreign_table *t, size_t row, size_t column);

/* Where an item is: "https://github.com/o/r/issues/5" is number 5 of github.com/o/r, so are o/r#5 and, with `site`, #5
 * or 5. Stack Overflow, GitHub, GitLab, Gerrit, Bugzilla. False: there is no number. *site is copied into the arena. */
bool MUST_USE foreign_link(struct arena *arena, struct span text, struct span *site, int64_t *number);

/* What the tables seem to be, as the files of a study: study.ini, keywords.txt, mapping.ini, facets.csv, codebook.csv,
 * whose texts live as long as *f. Says what was decided, what is in doubt, and what was not taken. ST_INPUT where
 * nothing looks like labels. */
struct foreign_files ARRAY_OF(struct study_file);
enum status MUST_USE foreign_guess(struct foreign *f, struct foreign_files *files, struct err *e);

/* Turns the tables into the study's label files by its mapping.ini: identification.csv, coding.csv, problems.csv, and
 * study.ini with the sites that the links name. `files` gets all files of the study; texts live as long as *f and *s.
 * `posts` gets the posts of the rows that have texts, as NDJSON in the form of docs/posts.md. Says what was left out
 * and why. ST_INPUT with mapping.ini:line. */
enum status MUST_USE foreign_map(struct foreign *f, const struct study *s, struct foreign_files *files,
                                 struct buf *posts, struct err *e);
