/* facets: what coders decide about posts and problems, as in the study's facets.csv. All that depends on facets
 * (options, columns, tables, agreement) follows from this table. */
#pragma once

#include "base/base.h"
#include "base/study/study.h"

enum facet_about { FACET_ABOUT_POST, FACET_ABOUT_PROBLEM };

enum facet_kind {
    FACET_YES_NO,
    FACET_CODES, /* of a list of the codebook */
    FACET_NUMBER,
    FACET_TEXT
};

/* Measures of agreement, as a set. Those with an order need numbers, or codes in the codebook's order. */
enum facet_measure {
    FACET_KAPPA = 1,   /* Cohen's, and of many coders Fleiss' and alpha; sets of codes are one code */
    FACET_MASI = 2,    /* alpha of sets of codes, by the distance MASI */
    FACET_JACCARD = 4, /* the same, by Jaccard's distance */
    FACET_ALPHA = 8,   /* Krippendorff's: nominal; of numbers, by the squared difference */
    FACET_ICC = 16,    /* of numbers: ICC(2,1), absolute agreement of one coder */
    FACET_PERCENT = 32,
    FACET_AC1 = 64,
    FACET_AC2 = 128, /* AC1 with quadratic weights: codes with an order */
    FACET_PI = 256,  /* Scott's */
    FACET_PABAK = 512,
    FACET_KAPPA_LINEAR = 1024,
    FACET_KAPPA_QUADRATIC = 2048,
    FACET_ALPHA_ORDINAL = 4096,
    FACET_ALPHA_RATIO = 8192
};

/* Where the benchmark shows it. */
enum facet_benchmark { FACET_NOT_SHOWN, FACET_SHOWN, FACET_GROUPS };

enum {
    FACETS_MAX = 32,
    FACET_NAME_MAX = 60,    /* bytes */
    FACET_CODES_MAX = 9,    /* codes that one decision may give */
    FACET_DIGITS_MAX = 15,  /* of a number, before and after the point: a double has as many */
    FACET_VALUE_MAX = 2000, /* bytes of a text */
    FACET_JUDGES = 0        /* the place of the facet that says whether a post is a problem at all */
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
    size_t list;          /* place in facets.lists: of the codebook, or the values written so far; SIZE_MAX: none */
    unsigned measures;    /* of agreement: enum facet_measure; 0 of the kind text */
    bool required;        /* a problem is finished when it has all of these */
    bool model_codes;     /* a model may code it as one of two (label/coding/disputes.h); not in facets.csv */
    size_t problem_place; /* among the columns of a problem's table, from 1; 0: after those */
    enum facet_benchmark benchmark;
    struct span least, greatest; /* of a number, as it is kept; empty: any */
};

/* The facets in order; the first judges posts. A NUL follows each text: .ptr is a C string. All-zero: empty table. */
struct facets {
    struct facet *items;
    size_t n;
    struct span *lists; /* the names of the lists of codes: "symptom", "root cause", "stage" */
    size_t n_lists;
    size_t *columns; /* places of the facets of problems, in the order of a problem's columns */
    size_t n_columns;
    struct arena arena; /* owns all of the above */
};

/* A copy of a text, with a NUL after it. */
struct span facets_copy(struct arena *arena, struct span text);

/* From facets.csv, whose columns the manual of init describes, or from the built-in study where the study has no such
 * file. ST_INPUT with file:line for bad facets, and where model_codes of study.ini names another. *out needs
 * facets_clear in either case. */
enum status MUST_USE facets_of_study(struct facets *out, const struct study *s, struct err *e);
/* Copies facets from elsewhere; makes their `typed` and `list`. lists[i] names the list of items[i]; ptr NULL: none. */
enum status MUST_USE facets_make(struct facets *out, const struct facet *items, const struct span *lists, size_t n,
                                 struct err *e);
void facets_clear(struct facets *f);

/* The place of the facet of that name, with blanks or '-' between words; f->n: there is none. */
size_t facets_find(const struct facets *f, struct span name);
/* The place of the list of codes; f->n_lists: there is none. */
size_t facets_list(const struct facets *f, struct span name);
/* How many facets have their codes from the list. */
size_t facets_share(const struct facets *f, size_t list);
/* Is it a list of codes of the codebook, and not of values that coders wrote? */
bool facets_has_codes(const struct facets *f, size_t list);

/* Of facets about problems: does the coder write the value, rather than name a code of the codebook? */
bool facet_is_written(const struct facet *facet);
/* The word in the place of a value, in a command to copy: NUMBER. */
const char *facet_placeholder(const struct facet *facet);
/* The facet whose values make the list; NULL: it is a list of the codebook, or there is none. */
const struct facet *facets_writing(const struct facets *f, struct span list);
/* Appends a value as it is kept: a number as plain decimal digits ("1.50" is "1.5"), yes or no, a text without blanks
 * around it. ST_INPUT with what was expected, also for a number outside its range. */
enum status MUST_USE facet_value(const struct facet *facet, struct span text, struct buf *out, struct err *e);
/* The same without a look at the range, which may be younger than the value. */
enum status MUST_USE facet_value_any(const struct facet *facet, struct span text, struct buf *out, struct err *e);
/* "from 0 to 600", "at least 0" or "at most 600", appended after `before`; nothing where there is no range. */
void facet_add_range(const struct facet *facet, const char *before, struct buf *out);
/* A number as it is kept, appended; false: it is not one. */
bool facet_number_read(struct span text, struct buf *out);
/* Is it yes or no (or true or false, 1 or 0, y or n), in any case? *yes is set if it is. `delimiter` is the file's:
 * with ';' or a tab, WAHR, VRAI and the other truth values of spreadsheets count too. */
bool facet_yes_no(char delimiter, struct span text, bool *yes);
/* Appends a cell of a file with this delimiter as facet_value takes it. ST_INPUT for a number whose mark may be for
 * thousands or for decimals. */
enum status MUST_USE facet_cell(const struct facet *facet, char delimiter, struct span cell, struct buf *out,
                                struct err *e);
/* The number that a kept value says. */
double facet_number(struct span value);

/* The measures that suit a kind of which a decision gives up to `most` codes, and those printed by default. */
unsigned facet_measures_possible(enum facet_kind kind, size_t most);
unsigned facet_measures_usual(enum facet_kind kind, size_t most);
/* "ac1"; 0: there is no such measure. */
unsigned facet_measure_find(struct span word);
/* Words such as "alpha icc" as a set; no words: those of the kind. False: a word is unknown or of another kind. */
bool facet_measures_read(const struct facet *facet, struct span words, unsigned *measures);
/* And back, with blanks between them, appended. */
void facet_measures_add(unsigned measures, struct buf *out);

/* Appends the column's name: "root_cause"; with several codes, "symptom1" for place 0; for yes/no, "is_problem". */
void facet_column(const struct facet *facet, size_t place, struct buf *out);
/* A name with '_' between its words. */
void facet_add_underscored(struct span name, struct buf *out);
/* Appends what tells facets of one list apart: "introducing" of "introducing stage"; else the whole name. */
void facet_role(const struct facets *f, const struct facet *facet, struct buf *out);

/* Appends the facets' or lists' names: "symptom, root cause or stage". `last`, such as " or ", joins the last two. */
void facets_add_names(const struct facets *f, const char *last, struct buf *out);
void facets_add_lists(const struct facets *f, const char *last, struct buf *out);

extern const char *const facet_about_names[]; /* by enum facet_about; NULL ends */
extern const char *const facet_kind_names[];  /* by enum facet_kind */
extern const char *const facet_benchmark_names[];
