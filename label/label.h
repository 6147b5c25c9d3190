/* label: the codebook, coders' names, hints, ids. May include base, table, study. Only this room includes pcre2.h. */
#pragma once

#include "base/base.h"
#include "label/facets.h"
#include "label/hints.h"
#include "label/id_list.h"
#include "base/study/study.h"

struct table;

/* --- codebook --- */

struct code {
    struct span facet;      /* the list that it is of: "symptom", "root cause", "stage" */
    struct span category;   /* "Time", "API", …; empty where the facet has no categories */
    struct span name;       /* "slow execution time" */
    struct span short_name; /* for narrow tables */
    struct span definition;
    struct span aliases; /* published spellings, separated by ';' */
};

struct disambiguation {
    size_t code, versus; /* indexes of codes of one list */
    struct span rule;    /* how to tell them apart */
};

struct codebook {
    struct code *codes; /* in the order of the file */
    size_t n_codes;
    struct disambiguation *rules;
    size_t n_rules;
    struct codebook_key *keys; /* what codebook_find looks texts up in */
    size_t n_keys;
    struct span *lists; /* as the facets have them, a NUL after each */
    size_t n_lists;
    struct arena arena; /* owns all texts */
};

/* Reads codebook.csv (facet, category, code, short_name, definition, aliases) and, where its span is not empty,
 * disambiguation.csv (facet, code, versus, rule). ST_INPUT with file:line (the file without a folder) for a missing or
 * unknown column, an unknown facet, a code or alias that occurs twice in a facet, a rule about an unknown code. *out
 * needs codebook_clear in either case. */
enum status MUST_USE codebook_load(struct codebook *out, const struct facets *facets, struct span codes,
                                   struct span rules, struct err *e);
/* The same from codes and rules read elsewhere, which are copied. ST_INPUT for a name of two codes. */
enum status MUST_USE codebook_make(struct codebook *out, const struct facets *facets, const struct code *codes,
                                   size_t n_codes, const struct disambiguation *rules, size_t n_rules, struct err *e);
/* Reads the study's codebook; empty when it has none. *out needs codebook_clear in either case. */
enum status MUST_USE codebook_of_study(struct codebook *out, const struct facets *facets, const struct study *s,
                                       struct err *e);
void codebook_clear(struct codebook *c);

/* Categories may be within others, to any depth: "Memory > GPU > leak". */
#define CATEGORY_BETWEEN " > "
/* The first `level` names of the path, all of them where it has fewer or level is 0. */
struct span category_at(struct span category, size_t level);
/* What a code counts as at a level: the category of that level, or itself where its category is not that deep. */
struct span code_at(struct span category, struct span code, size_t level);
/* Is it this category, or one within it? */
bool category_is_within(struct span category, struct span above);

/* The place of a list of codes; c->n_lists: there is none of that name. */
size_t codebook_list(const struct codebook *c, struct span name);
/* ST_INPUT: the row that was read names no list, nor `more` (NULL: nothing more is a name). */
struct csv_reader;
enum status codebook_no_list(const struct codebook *c, const struct csv_reader *csv, struct span text, const char *more,
                             struct err *e);
bool codebook_has_categories(const struct codebook *c, struct span list);

/* The index of the code of a list that `text` names: by name, short name or alias, in any case, with runs of blanks as
 * one, with or without its category in front ("Time: slow execution time"). A name or alias of one code comes before
 * the short name of another. SIZE_MAX, with the nearest name or all in *e (ST_INPUT), when there is none or more than
 * one. e NULL: nothing is said, which is much faster. */
size_t codebook_find(const struct codebook *c, struct span list, struct span text, struct err *e);

/* --- coders --- */

enum { CODER_NAME_MAX = 100 }; /* characters */

/* --- quotes --- */

/* Words that a reason quotes: “words”, and perhaps where they are: “words” [body 12-17]. */
struct quote {
    struct span words;
    struct span field; /* "body", "title"; ptr NULL: it says none; others are not of the post */
    size_t start, end; /* bytes of the field's text */
};
/* The next one of *rest; false after the last. */
bool MUST_USE quote_next(struct span *rest, struct quote *out);
/* Where the quote's words are in its field's text: at its place, or elsewhere after an edit; false: nowhere. */
bool MUST_USE quote_find(const struct quote *quote, struct span text, size_t *start, size_t *end);
/* The first place of the words in the text, white space apart. */
bool MUST_USE words_find(struct span text, struct span words, size_t *start, size_t *end);

/* --- ids and coders --- */

/* "65160023", or with its site's short name "ds:45"; see study_id. False for all else: signs, blanks, leading zeros. */
bool post_id_read(struct span text, int64_t *post_id);
/* "65160023", or "65160023_1" where a post has several problems; also with a site. */
bool problem_id_read(struct span text, int64_t *post_id);
/* The same text, appended; in JSON a number, or a text that has the site. */
void post_id_add(struct buf *out, int64_t post_id);
void post_id_add_json(struct buf *out, int64_t post_id);
/* As the next cell of a table, of a column of kind TABLE_INT. */
void post_id_cell(struct table *t, int64_t post_id);
/* As a C string, for messages. */
enum { POST_ID_TEXT_SIZE = 24 };
const char *post_id_text(int64_t post_id, char out[POST_ID_TEXT_SIZE]);

/* Puts a coder's typed name into *name, in Unicode's form NFC: the same however a keyboard composes its letters.
 * ST_INPUT, with words that need "the coder's name" or the like in front, for one that is empty or too long, is not
 * valid UTF-8, begins or ends with a blank, contains control characters (or those that turn the direction of text: two
 * names must not look the same), or begins as formulas of spreadsheets do. */
enum status MUST_USE coder_name_check(struct span typed, struct buf *name, struct err *e);

/* The names of language models, and of no person, begin so (label/coding/model.h). */
#define CODER_MODEL_PREFIX "model:"
bool coder_is_model(struct span coder);
