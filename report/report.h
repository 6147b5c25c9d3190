/* report: the study's numbers as tables, their look in each format, and plots. May include base, db, label and stat.
 * Three steps: a struct report_data is filled (from a database, or problem by problem), tables are computed from it
 * into a struct report, and the report is printed. Tables own their texts; data owns its own. */
#pragma once

#include "base/base.h"
#include "label/code_table.h"
#include "match/corpus/derived.h"
#include "label/coding/disputes.h"
#include "label/coding/labels.h"
#include "report/published.h"
#include "label/label.h"
#include "base/stat/stat.h"
#include "base/table/table.h"

/* --- the study's data --- */

enum { REPORT_NO_CODE = -1 };

struct report_code {
    int64_t code_id;
    size_t list;      /* its place in facets.lists */
    int32_t category; /* place in the data's categories */
    struct span name, short_name;
    bool retired; /* no longer given */
};

struct report_category {
    size_t list;
    struct span name; /* empty: the list has no categories */
};

/* Codes as places in `codes`, each once. */
struct report_codes {
    const int32_t *at;
    size_t n;
};

struct report_problem {
    struct span problem_id;
    int64_t post_id;
    int32_t year;            /* 0: unknown */
    struct span tags;        /* JSON array; ptr NULL when the post is not held */
    struct span site;        /* empty: unknown */
    struct report_codes *of; /* of each facet */
};

struct report_assessment {
    struct span problem_id, approach, status;
};

/* All-zero but for the facets, which must outlive it, is a valid empty one. */
struct report_data {
    const struct facets *facets;
    size_t level;              /* categories count as the one above them of this level; 0: as themselves */
    struct span called;        /* what the study calls its problems, a NUL after it; "": problems */
    struct report_code *codes; /* in the order of the codebook */
    size_t n_codes, codes_capacity;
    struct report_category *categories;
    size_t n_categories, categories_capacity;
    struct report_problem *problems;
    size_t n_problems, problems_capacity;
    struct report_assessment *assessments;
    size_t n_assessments, assessments_capacity;
    const struct db_settled *settled; /* of each facet; NULL: nothing is known of it */
    struct arena arena;
};

/* The texts are copied. Codes come by id, before problems. */
void report_data_code(struct report_data *d, const struct db_code *code);
void report_data_problem(struct report_data *d, const struct db_problem *problem);
void report_data_assessment(struct report_data *d, const struct db_assessment *assessment);
/* The places of codes of a facet, each once; how many of them the data have. */
size_t report_data_places(const struct report_data *d, size_t facet, struct db_codes codes, int32_t *out);
/* Sets the facets, too; they are the database's. */
enum status MUST_USE report_data_load(struct report_data *d, struct db *db, struct err *e);
void report_data_clear(struct report_data *d);

/* --- the study's tables --- */

enum report_kind {
    REPORT_TOTALS,
    REPORT_YEARS,
    REPORT_CATEGORIES, /* how often each category of a facet's codes is given */
    REPORT_CODES,      /* how often each code is */
    REPORT_CROSSTAB,   /* two facets, each by category or by code; tested for independence */
    REPORT_ROLES,      /* two facets that share a list of codes, side by side */
    REPORT_MATRIX,     /* the same as rows and columns */
    REPORT_ORDER,      /* which of the two comes first, in the order of the codebook */
    REPORT_TESTS,      /* of all crosstabs */
    REPORT_ASSESSMENT,
    REPORT_NUMBERS, /* n, quartiles, mean of a number */
    REPORT_MEDIANS  /* the same by the categories or codes of another facet: rows; columns is the number */
};
enum { REPORT_KINDS = REPORT_MEDIANS + 1 };

struct report_statistic {
    const char *id, *title;
    const char *plot;   /* the name of its drawing; NULL: none */
    unsigned questions; /* bit 1 << n: of research question n; 0: of none */
    enum report_kind kind;
    size_t rows, columns;               /* facets; SIZE_MAX: none */
    bool rows_by_code, columns_by_code; /* else by category */
};

enum { REPORT_QUESTIONS_MAX = 30 };

/* The tables that a study wants, in the order in which they are printed. */
struct report_plan {
    struct report_statistic *items;
    size_t n;
    const char **ids;       /* of the items; NULL ends */
    const char **questions; /* "all", "1", "2", …; NULL ends */
    struct arena arena;
};

/* Reads statistics.csv: table, question, statistic, rows, columns, title, plot. Where content.ptr is NULL the plan is
 * that of the built-in study if its facets are all there; else tables for each facet, titled with what the study calls
 * its problems (empty: problems). ST_INPUT with file:line. *out needs report_plan_clear in either case. */
enum status MUST_USE report_plan_load(struct report_plan *out, const struct facets *facets, struct span called,
                                      struct span content, struct err *e);
/* That of a database; with db NULL, of the built-in study. */
enum status MUST_USE report_plan_of_db(struct report_plan *out, struct db *db, struct err *e);
void report_plan_clear(struct report_plan *p);
/* The tables that can be printed for each group (report_by). */
bool report_can_group(const struct report_statistic *s);

enum report_by { REPORT_BY_NOTHING, REPORT_BY_TAG, REPORT_BY_YEAR, REPORT_BY_SITE };

/* "tag", "year", "site", by enum report_by but for the first; NULL ends. */
extern const char *const report_by_names[];

struct report_wanted {
    unsigned questions; /* bit 1 << n: research question n; all bits: everything */
    const char *table;  /* the id of the only table wanted; NULL: all */
    enum report_by by;  /* the tables of categories and codes for each group */
    double confidence;  /* of intervals, e.g. 0.95 */
    uint64_t seed;      /* for tests that are simulated */
};

/* --- what is not counted --- */

struct report_ratings;

/* Appends, for each wanted facet (NULL: all) that is not wholly settled, "Symptoms: 4 of 7 settled; 2 disputed, 1 coded
 * by one coder: not counted", with `between` between two. Facets with the same numbers share a sentence. */
void report_settled_add(struct buf *out, const struct facets *facets, const struct db_settled *of, const bool *wanted,
                        const char *between);
/* The same where what is not settled counts, too. */
void report_unsettled_add(struct buf *out, const struct facets *facets, const struct db_settled *of);
/* "symptom: 5 of 6 coded by two or more; 1 coded by one coder: not counted", where that is not all of them. */
void report_compared_add(struct buf *out, const struct report_ratings *r);
/* report_settled_add of a database, of all facets. */
enum status MUST_USE report_settled_text(struct db *db, struct buf *out, struct err *e);
/* The facets that a statistic counts, and the one that judges posts; `wanted` has room for all. */
void report_settled_of(const struct facets *facets, const struct report_statistic *what, bool *wanted);

/* Says at the head of a table that codes count as the category of this level; nothing for level 0. */
void report_say_level(struct table *t, size_t level);

/* The title of each table ends with what it does not count, see report_settled_add, and with the level. */
void report_study(struct table_list *r, const struct report_data *d, const struct report_plan *plan,
                  const struct report_wanted *wanted);

/* Adds a table with a row for each code of the list (SIZE_MAX: all): definition, how many problems have it, the first of
 * them, specific agreement of the coders. */
enum status MUST_USE report_codebook(struct table_list *r, struct db *db, const struct codebook *book, size_t list,
                                     double confidence, struct err *e);

/* --- which problems a figure counts --- */

/* A cell of a table of report_study that is a count. */
struct report_cell {
    const struct report_statistic *what;
    enum report_by by;
    struct span group; /* of `by`, or the year of a table of years; ptr NULL: all */
    struct report_condition {
        size_t facet;
        int32_t place;     /* of a code or category; REPORT_NO_CODE: any */
        bool by_code, any; /* any: also one that is not the first */
    } of[2];
    size_t n_of;
    bool without_unknown; /* problems whose codes are known, of `any` place above */
    size_t row;           /* of tables whose rows are not codes */
    struct span approach, column;
};

/* `by` is what the table was made with, `column` the name of the column. False when the cell is not a count
 * of problems. The texts are the table's. */
bool report_cell_find(struct report_cell *out, const struct report_data *d, const struct report_plan *plan,
                      enum report_by by, const struct table *t, size_t row, struct span column);
/* The table of two facets that a row of tests is about, and whether it leaves out unknown; NULL: there is none. */
const struct report_statistic *report_tested(const struct report_data *d, const struct report_plan *plan, size_t row,
                                             bool *without_unknown);
/* Calls back for each problem that is counted, by post. */
void report_cell_each(const struct report_data *d, const struct report_cell *cell,
                      void (*each)(void *ctx, struct span problem_id, int64_t post_id), void *ctx);

/* Draws the plots as SVG, and if wanted as PDF (which contains the time when it was made), into the folder, which is
 * made when it is missing; gnuplot's input stays beside them. ST_IO when gnuplot is not there or fails. */
enum status MUST_USE report_plot(const struct report_data *d, const struct report_plan *plan, const char *folder,
                                 bool pdf, struct err *e);
/* Whether gnuplot is there. */
bool report_can_plot(void);

/* --- plots of ratios --- */

enum { REPORT_SERIES_MAX = 2 };

/* A row of the plot, with a ratio in each series. */
struct report_ratio {
    struct span name, group; /* group may be empty */
    struct {
        double ratio, low, high; /* NAN, or not above 0: none */
        bool clear;              /* drawn filled, others hollow */
        bool fails;              /* in place of a ratio: the one fails and the other does not */
    } of[REPORT_SERIES_MAX];
};

struct report_ratios {
    const struct report_ratio *items;
    size_t n, n_series;                    /* 1 or 2 series */
    struct span series[REPORT_SERIES_MAX]; /* their names */
    double least;                          /* a line is drawn here, besides that at 1; 0: none */
};

/* Draws bench-ratios.svg as report_plot does: ratios with intervals on a logarithmic axis, the group with most rows and
 * within it the largest ratio first, without rows that lack a ratio. ST_NO, without words: there is nothing to draw. */
enum status MUST_USE report_plot_ratios(const struct report_ratios *ratios, const char *folder, bool pdf,
                                        struct err *e);

/* --- a plot of screenings --- */

/* Shares of the texts that were read, and of what is looked for that was found by then. */
struct report_recall_point {
    double read, mean, least, most; /* over all screenings */
};

struct report_recall {
    const struct report_recall_point *points; /* from few read to all */
    size_t n, n_screenings;
    double keywords_read, keywords_recall; /* what the keywords find; NAN: no such point */
    double stopped;                        /* when the rule stops, on average; NAN: never */
};

/* Draws screen-recall.svg, as report_plot. */
enum status MUST_USE report_plot_recall(const struct report_recall *recall, const char *folder, bool pdf,
                                        struct err *e);
/* --- the campaign of check --- */

/* The ids of its tables; NULL ends. */
extern const char *const report_campaign_ids[];

/* Adds the tables, or only the one of this id (NULL: all): what became of findings in all, by project
 * and by rule, with Wilson intervals (see base/stat/statistics.h). Without scans they have no rows. Two more if the
 * study has a campaign.csv: its published figures, and the projects that it lists, beside ours. */
enum status MUST_USE report_campaign(struct table_list *r, struct db *db, const char *table, double confidence,
                                     struct err *e);

/* ST_INPUT with file:line for a campaign.csv that cannot be used; ptr NULL: the study has none. */
enum status MUST_USE report_campaign_check(struct span content, struct err *e);

/* --- agreement of coders --- */

/* What coders said about subjects, each with a set of codes. All-zero but for `facet` is a valid empty one. */
struct report_ratings {
    const char *facet;   /* "root-cause"; the caller's */
    struct span plural;  /* "Root causes"; the caller's */
    size_t most;         /* codes that could be given at once */
    bool yes_no;         /* the codes are no (0) and yes (1) */
    bool numbers, texts; /* the codes are numbers, or texts that coders wrote */
    bool not_in_course;  /* report_rated.in_course has others */
    unsigned measures;   /* enum facet_measure; 0: those that are usual */
    struct span *subjects, *coders, *codes;
    size_t n_subjects, subjects_capacity;
    size_t n_coders, coders_capacity;
    size_t n_codes, codes_capacity;
    size_t n_ordered; /* the first codes have the order of the codebook; 0: only numbers have one */
    struct report_set {
        const int32_t *codes; /* ascending */
        size_t n;
    } * sets; /* the different ones */
    size_t n_sets, sets_capacity;
    struct report_rating {
        size_t subject, coder, set; /* places in the arrays above */
        struct span at;             /* when it was given; ptr NULL: not asked for */
    } * ratings;
    size_t n_ratings, ratings_capacity;
    struct ratings_index *index; /* of codes and sets; ratings.c */
    struct arena arena;
};

enum { REPORT_RATED_CODES_MAX = 16384, REPORT_CODERS_MAX = 64 };

/* The place of a text, which is copied and added when it is new. A subject is new unless it is the
 * last one. SIZE_MAX when there are more coders or codes than the limits. */
size_t report_ratings_subject(struct report_ratings *r, struct span subject);
size_t report_ratings_coder(struct report_ratings *r, struct span coder);
size_t report_ratings_code(struct report_ratings *r, struct span code);
/* 1 to FACET_CODES_MAX codes in any order. Of a coder's ratings of one subject the last one counts. */
void report_ratings_add(struct report_ratings *r, size_t subject, size_t coder, const int32_t *codes, size_t n);
/* Puts the subjects in the order of the number that they begin with, then the shorter first, then
 * of their bytes; and coders in that of their names, unless they are to stay. */
void report_ratings_sort(struct report_ratings *r, bool coders_stay);
void report_ratings_clear(struct report_ratings *r);

struct report_rated {
    const struct span *coders; /* only these, in this order */
    size_t n_coders;           /* 0: all but merged ones */
    bool ignore_spelling;      /* published spellings are the codebook's codes */
    size_t level;              /* codes count as the category above them of this level; 0: as themselves */
    const int64_t *posts;      /* only subjects of these, ascending; NULL: all */
    size_t n_posts;
    bool times;     /* with the time of each rating */
    bool in_course; /* the same; also those of models, but no codes of posts that their coder judged to be none */
    struct span
        runs_of; /* a model: the runs of its answers are the coders; of the above, level counts; ptr NULL: none */
};

/* What a database contains of n facets from `first` on, in one walk. All n ratings need report_ratings_clear in either
 * case. A spelling that the published files distinguish from the code's name is its own code, as in the published
 * figures; n_spelled[] says how many labels that are. ST_INPUT above the limits. */
enum status MUST_USE report_ratings_load(struct report_ratings *ratings, struct db *db, size_t first, size_t n,
                                         const struct report_rated *wanted, size_t *n_spelled, struct err *e);

/* Adds the merged coders, whose labels are what was settled, and nothing of what they said; ST_INPUT above the limit. */
enum status MUST_USE report_merged_load(struct report_ratings *coders, struct db *db, struct err *e);
bool report_has_coder(const struct report_ratings *coders, struct span coder);

struct report_agreement {
    unsigned measures; /* enum facet_measure, of codes and yes/no; 0: those that each facet asks for */
    bool confusion, per_code, disagreements;
    bool segments;    /* also where coders see the same problems in every post */
    struct span with; /* of a coder: only the pairs with this one, kappa and numbers alone; ptr NULL: all */
};

/* Adds the tables of these facets; true when two coders rated something in common. */
bool report_agree(struct table_list *r, const struct report_ratings *ratings, size_t n_ratings,
                  const struct report_agreement *wanted);

/* The same out of a database, of all facets; with `segments` also the tables of report_segments and report_drift. */
enum status MUST_USE report_agree_load(struct table_list *r, struct db *db, const struct report_rated *rated,
                                       const struct report_agreement *wanted, bool *common, struct err *e);

/* Adds what is settled when labels that `coder` alone gave are taken: of each facet, `n_of` of them, their
 * share of all that is coded; and how far the coder agrees with others on what both coded. */
enum status MUST_USE report_single(struct table_list *r, struct db *db, struct span coder,
                                   const size_t n_of[FACETS_MAX], struct err *e);

/* Adds the table of kappa over time, of n facets from `first` on: what two coders both coded, in windows by the time of
 * the later one. No rows where there is too little for two windows. `read`: the ratings of all coders, with times;
 * NULL: reads them. */
enum status MUST_USE report_drift(struct table_list *list, struct db *db, size_t first, size_t n,
                                  const struct report_ratings *read, struct err *e);

/* Adds the table of how far language models agree with people and with each other, of n facets from `first` on; no
 * table where none coded. *any: a model and another coder have something in common. */
enum status MUST_USE report_models(struct table_list *list, struct db *db, size_t first, size_t n, bool *any,
                                   struct err *e);

/* What its plot shows; all-zero is an empty one. */
struct report_saturation {
    struct buf points, titles; /* of each facet a block of "problems codes" lines; its title, a line each */
    size_t most;               /* codes of a facet */
    struct buf caveat;         /* see report_unsettled_add */
};

/* Adds the table of saturation: for each facet of codes, how many new ones every ten problems brought, in order of
 * coding, and the problem after which none came. No table without codes. *plot always needs report_saturation_clear. */
enum status MUST_USE report_saturation_add(struct table_list *list, struct report_saturation *plot,
                                           const struct report_data *d, struct db *db, struct err *e);
void report_saturation_clear(struct report_saturation *plot);
/* Draws saturation.svg, and .pdf, into the folder. */
enum status MUST_USE report_plot_saturation(const struct report_saturation *saturation, const char *folder,
                                            struct err *e);

/* Adds the table of how far coders see the same problems in posts, of the pairs who do not. `posts`: of
 * db_segments_read, DB_SAID. */
void report_segments(struct table_list *r, const struct db_disputes *posts, const struct report_rated *rated,
                     const struct report_agreement *wanted);

/* --- published numbers --- */

struct report_verified {
    size_t reproduced, differ, not_computed; /* claims */
};

/* Reads claims.csv: where, statistic, arguments, value, tolerance. ST_INPUT with `name`:line. */
enum status MUST_USE report_claims_check(struct span content, const char *name, const struct facets *facets,
                                         struct err *e);
/* Adds the table of the claims, each recomputed: whether it comes out, by how much it differs and which rows explain it, or
 * why it cannot be computed. ST_INPUT as above. */
enum status MUST_USE report_verify(struct table_list *list, struct db *db, struct span content, const char *name,
                                   struct report_verified *counts, struct err *e);

/* --- what is published --- */

/* Names of the tables of db.h, in its order: "problems"; NULL ends. */
extern const char *const report_data_names[];

/* Writes a table, as table.h says of one that is printed by itself. ST_IO when the file, called `name` in words, cannot
 * be written. `level` > 0: with each code as the category of this level that it is in, once where a problem has several
 * of it; says how many that are. ST_USAGE for a table that has no codes of problems. */
enum status MUST_USE report_data_write(struct db *db, enum db_table table, size_t level, const struct table_output *out,
                                       const char *name, struct err *e);
/* The same as Parquet, by the program ppmine-parquet, to `path`, which is replaced when the file is
 * complete. ST_IO when the program is not there, or fails. */
enum status MUST_USE report_data_parquet(struct db *db, enum db_table table, size_t level, const char *path,
                                         struct err *e);
/* Adds a sentence on what a table contains. */
void report_data_meaning(enum db_table table, struct buf *out);

/* A replication package: a folder with everything that a reader needs to check a study. */
struct report_package {
    const char *folder;  /* must not exist, or be empty */
    bool with_text;      /* titles and bodies of posts too */
    bool with_memos;     /* of codes and of the study */
    bool plots;          /* if gnuplot is there */
    bool open;           /* also where coders disagree and nobody settled it */
    struct span licence; /* of the labels; ptr NULL: the authors have not chosen yet */
};

/* Makes the package under another name beside `folder` and renames it when it is complete: a failure or an interruption
 * (signals_catch) leaves nothing. All is read from one copy of the database, made at one moment. The same database and
 * time (time_now) give the same bytes. ST_USAGE where disagreements are open, unless they may be (`open`); ST_IO, also
 * for a full disk and for a folder that is not empty. */
enum status MUST_USE report_package(struct db *db, const struct report_package *wanted, struct err *e);
