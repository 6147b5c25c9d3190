/*
 * facets: what coders decide about posts and problems, as the study has it in facets.csv. All that
 * depends on facets (options, columns, tables, agreement) follows from this table.
 */
#ifndef LABEL_FACETS_H
#define LABEL_FACETS_H

#include "base/base.h"
#include "study/study.h"

enum facet_about { FACET_ABOUT_POST, FACET_ABOUT_PROBLEM };

enum facet_kind {
    FACET_YES_NO,
    FACET_CODES /* of a list of the codebook */
};

/* Where the benchmark shows it. */
enum facet_benchmark { FACET_NOT_SHOWN, FACET_SHOWN, FACET_GROUPS };

enum {
    FACETS_MAX = 32,
    FACET_NAME_MAX = 60,  /* bytes */
    FACET_CODES_MAX = 9,  /* codes that one decision may give */
    FACET_JUDGES = 0      /* the place of the facet that says whether a post is a problem at all */
};

struct facet {
    struct span name;   /* "root cause" */
    struct span title;  /* "Root cause" */
    struct span plural; /* "Root causes" */
    struct span typed;  /* the name as people type it: "root-cause" */
    struct span option; /* of the command line: "root-cause"; for yes/no, "problem" */
    struct span asks;   /* what it asks, for help; may be empty */
    enum facet_about about;
    enum facet_kind kind;
    size_t most;          /* codes of one decision; 1 for yes/no */
    size_t list;          /* place in facets.lists; SIZE_MAX: no codes */
    bool required;        /* a problem is finished when it has all of these */
    size_t problem_place; /* among the columns of a problem's table, from 1; 0: after those */
    enum facet_benchmark benchmark;
};

/* The facets in their order; the first one judges posts. A NUL follows each text, so that .ptr is a C
 * string. All-zero is a valid empty table. */
struct facets {
    struct facet *items;
    size_t n;
    struct span *lists; /* the names of the lists of codes: "symptom", "root cause", "stage" */
    size_t n_lists;
    size_t *columns;    /* places of the facets of problems, in the order of a problem's columns */
    size_t n_columns;
    struct arena arena; /* owns all of the above */
};

/* A copy of a text, with a NUL after it. */
struct span facets_copy(struct arena *arena, struct span text);

/*
 * Reads facets.csv. Needed columns: facet, about (post, problem), kind (yes/no, codes). Others may be
 * missing or empty: title (the name), plural (the title with s), most (1), codes (the list in
 * codebook.csv; the name), required (yes), option (the name with '-'), asks, problem_place,
 * benchmark (shown, group). The first facet is yes/no and of the post, the others codes of problems.
 * ST_INPUT with file:line otherwise, and for a name that is used twice. *out needs facets_clear in
 * either case.
 */
enum status MUST_USE facets_load(struct facets *out, struct span content, struct err *e);
/* Those of a study; a study without facets.csv has those of the study that is built in. */
enum status MUST_USE facets_of_study(struct facets *out, const struct study *s, struct err *e);
/* From facets that somebody else kept, which are copied; `typed` and `list` of each follow. lists[i] is
 * the name of the list of items[i], ptr NULL for none. */
enum status MUST_USE facets_make(struct facets *out, const struct facet *items,
                                 const struct span *lists, size_t n, struct err *e);
void facets_clear(struct facets *f);

/* The place of the facet of that name, with blanks or '-' between words; f->n: there is none. */
size_t facets_find(const struct facets *f, struct span name);
/* The place of the list of codes; f->n_lists: there is none. */
size_t facets_list(const struct facets *f, struct span name);
/* How many facets have their codes from the list. */
size_t facets_share(const struct facets *f, size_t list);

/* The name of the facet's column in tables and sheets, appended: "root_cause"; of one with several
 * codes with its place, from 0: "symptom1"; of yes/no, "is_problem". */
void facet_column(const struct facet *facet, size_t place, struct buf *out);
/* What tells facets of one list apart, appended: "introducing" of "introducing stage"; the whole name
 * where it does not end in the list's. */
void facet_role(const struct facets *f, const struct facet *facet, struct buf *out);

/* The names of the facets, or of the lists, as a sentence has them: "symptom, root cause or stage".
 * `last`: what is between the last two, such as " or " or ", ". */
void facets_add_names(const struct facets *f, const char *last, struct buf *out);
void facets_add_lists(const struct facets *f, const char *last, struct buf *out);

extern const char *const facet_about_names[];    /* by enum facet_about; NULL ends */
extern const char *const facet_kind_names[];  /* by enum facet_kind */
extern const char *const facet_benchmark_names[];

#endif
