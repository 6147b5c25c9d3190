/*
 * db: the study's SQLite file, behind schema.sql. May include base, post and study; the only room that
 * includes sqlite3.h, and where all SQL stands (db/sql.c).
 *
 * Every write can be repeated without harm. Functions that return a status set *e; ST_DATABASE
 * unless they say otherwise, with words on what to do (locked, read-only, foreign, full).
 * Connections are for one thread.
 */
#ifndef DB_H
#define DB_H

#include "base/base.h"
#include "db/api.h"
#include "db/bench.h"
#include "db/campaign.h"
#include "post/post.h"
#include "study/study.h"

struct db;

enum db_mode {
    DB_READ,   /* must exist; also on a medium that cannot be written */
    DB_WRITE,  /* must exist; older schemas are migrated */
    DB_CREATE, /* must not exist, or be empty; made with schema.sql */
    DB_COPY    /* must exist; written without a log beside it: for a copy that is only ours */
};

/* What words and keyword hits are is not db's business: who opens a database for full-text search
 * hands in these functions (cli does, from stem and match). */
struct db_text {
    void *ctx; /* freed with free_ctx when the connection goes */
    void (*free_ctx)(void *ctx);
    /* Calls `each` for every token of the text; a status other than 0 from it ends the walk and is
     * returned. */
    int (*tokens)(void *ctx, struct span text,
                  int (*each)(void *each_ctx, struct span stem, size_t start, size_t end),
                  void *each_ctx);
    /* A JSON array of the text's keyword hits, or false when there is no keyword set. */
    bool (*hits_json)(void *ctx, struct span text, struct buf *out);
    /* Gives the keyword set and stemmer of a database to later calls; false if they are bad. Called
     * once, before the first text, when the database holds a study. NULL: the caller knows them. */
    bool (*use_study)(void *ctx, struct span keywords, struct span stemmer);
};

enum status MUST_USE db_open(struct db **out, const char *path, enum db_mode mode, struct err *e);
void db_close(struct db *db); /* rolls an open transaction back */

enum status MUST_USE db_begin(struct db *db, struct err *e); /* IMMEDIATE: takes the write lock */
enum status MUST_USE db_commit(struct db *db, struct err *e);
void db_rollback(struct db *db);
/* Moves the write-ahead log into the database file, as far as readers allow. */
enum status MUST_USE db_checkpoint(struct db *db, struct err *e);

/*
 * Says that a bulk load follows. A database without posts is then filled without a write-ahead log,
 * which would write every page twice (23,000 posts: 0.20 s, not 0.29 s); transactions are as safe
 * as with it, but readers wait while one is committed. db_checkpoint and db_close turn the log on
 * again. Does nothing when there are posts, or when another process has the file open.
 */
enum status MUST_USE db_fill_begin(struct db *db, struct err *e);

/* --- the study --- */

enum status MUST_USE db_study_file_put(struct db *db, struct span name, struct span content,
                                       struct err *e);
/* Calls back for each file; spans live for the call. */
enum status MUST_USE db_study_file_each(struct db *db,
                                        void (*each)(void *ctx, struct span name,
                                                     struct span content),
                                        void *ctx, struct err *e);
/* The same for one file; no call when it is not held. */
enum status MUST_USE db_study_file_get(struct db *db, const char *name,
                                       void (*each)(void *ctx, struct span name,
                                                    struct span content),
                                       void *ctx, struct err *e);
/* Reads the study that the database holds. *out needs study_clear in either case. */
enum status MUST_USE db_study_load(struct study *out, struct db *db, struct err *e);
/* The same without its labels, which are most of it: what is needed to look at a post. */
enum status MUST_USE db_study_load_unlabelled(struct study *out, struct db *db, struct err *e);
enum status MUST_USE db_setting_put(struct db *db, const char *key, struct span value,
                                    struct err *e);
/* *value is copied to the arena; ptr NULL when there is no such setting. */
enum status MUST_USE db_setting_get(struct db *db, const char *key, struct arena *arena,
                                    struct span *value, struct err *e);

/* --- provenance --- */

struct db_run {
    const char *command;     /* "load" */
    struct span parameters;  /* a JSON object */
    struct span source;      /* a path or URL; ptr NULL for none */
};

/* A run that wrote posts or derived tables; the version and the time are added here. */
enum status MUST_USE db_run_begin(struct db *db, const struct db_run *run, int64_t *run_id,
                                  struct err *e);
/* `counts`: a JSON object of what was done. */
enum status MUST_USE db_run_end(struct db *db, int64_t run_id, const char *outcome,
                                struct span counts, struct err *e);

/* --- posts --- */

enum db_put {
    DB_PUT_NEW,
    DB_PUT_CHANGED, /* updated; a different title, body or tags became a revision */
    DB_PUT_SAME,
    DB_PUT_OLDER,   /* what is held was edited later: kept, and this body became a revision */
    DB_PUT_KINDS
};

/*
 * Keeps a post, or what is new about it. Which of two versions is newer is decided by
 * last_edited_at (or created_at), then last_activity_at, to the second, and not by the order of the
 * calls; where the dates do not say, the later call wins. An absent value does not wipe out a held
 * one, except where it says something: posts.c has the list. ST_INPUT for a post without id or type.
 */
enum status MUST_USE db_post_put(struct db *db, const struct post *post, int64_t run_id,
                                 enum db_put *what, struct err *e);
/* Calls back for each held post's id and PostTypeId, in order of id. */
enum status MUST_USE db_post_each_id(struct db *db, void (*each)(void *ctx, int64_t post_id,
                                                                 int64_t type),
                                     void *ctx, struct err *e);
/* Calls back for each held post, in order of id, with post_id, type, title and body_html set; a
 * status other than ST_OK ends the walk and is returned. */
enum status MUST_USE db_post_each_text(struct db *db,
                                       enum status (*each)(void *ctx, const struct post *post,
                                                           struct err *e),
                                       void *ctx, struct err *e);
/* The same of the candidates, and of one post (no call when it is not held). */
enum status MUST_USE db_candidate_each_text(struct db *db,
                                            enum status (*each)(void *ctx,
                                                                const struct post *post,
                                                                struct err *e),
                                            void *ctx, struct err *e);
enum status MUST_USE db_post_text(struct db *db, int64_t post_id,
                                  enum status (*each)(void *ctx, const struct post *post,
                                                      struct err *e),
                                  void *ctx, struct err *e);
/* Calls back for a question, then its answers: the accepted one, then by score. */
enum status MUST_USE db_thread_each(struct db *db, int64_t question_id,
                                    void (*each)(void *ctx, const struct post *post), void *ctx,
                                    struct err *e);
enum status MUST_USE db_post_count(struct db *db, int64_t *questions, int64_t *answers,
                                   int64_t *others, struct err *e);

/* --- derived: text, hits, candidates, full-text index --- */

struct db_keyword {
    int64_t keyword_id; /* place in the set, from 1 */
    struct span keyword, stems;
    int64_t n_words;
    struct span dead, note; /* ptr NULL for none */
};

struct db_hit {
    int64_t post_id;
    const char *field; /* "title" or "body" */
    int64_t start, end;
    int64_t keyword_id;
};

/* What a candidate says about its setting: see the table post_fact. */
struct db_fact {
    int64_t post_id;
    struct span fact, value, words, field;
};

/* Drops everything derived; within the caller's transaction and outside the walks of the _each
 * functions. Needs db_use_text once there is a full-text index. */
enum status MUST_USE db_derived_clear(struct db *db, struct err *e);
enum status MUST_USE db_keyword_put(struct db *db, const struct db_keyword *keyword,
                                    struct err *e);
enum status MUST_USE db_text_put(struct db *db, int64_t post_id, struct span title,
                                 struct span body, struct err *e);
enum status MUST_USE db_hit_put(struct db *db, const struct db_hit *hit, struct err *e);
/* Fills candidate_post from the hits (questions; answers too when asked) and the full-text index
 * from the texts. Needs db_use_text. */
enum status MUST_USE db_derived_finish(struct db *db, bool answers_too, struct err *e);

/* Registers the tokenizer `ppmine` and the functions stem() and keyword_hits(). Takes over *text,
 * also when it fails. */
enum status MUST_USE db_use_text(struct db *db, const struct db_text *text, struct err *e);

/* A fact and value that the post has already is no second one. */
enum status MUST_USE db_fact_put(struct db *db, const struct db_fact *fact, struct err *e);
/* Calls back for each fact of a post, by name. */
enum status MUST_USE db_fact_each(struct db *db, int64_t post_id,
                                  void (*each)(void *ctx, const struct db_fact *fact), void *ctx,
                                  struct err *e);

struct db_candidate {
    int64_t post_id;
    struct span title, url, created_at;
    int64_t n_hits;
    struct span keywords;
};

/* The candidates, most hits first, at most `limit` (< 0: all). */
enum status MUST_USE db_candidate_each(struct db *db, int64_t limit,
                                       void (*each)(void *ctx, const struct db_candidate *c),
                                       void *ctx, struct err *e);
enum status MUST_USE db_candidate_count(struct db *db, int64_t *n, struct err *e);

/* How many of the posts of a JSON array of ids are not held. */
enum status MUST_USE db_posts_absent(struct db *db, struct span posts, int64_t *n, struct err *e);

/* What samples are drawn from. */
enum db_population { DB_CANDIDATES, DB_QUESTIONS, DB_PROBLEMS, DB_POPULATIONS };

struct db_item {
    struct span item_id;    /* the post's id; of a problem its own */
    int64_t post_id;
    struct span created_at; /* ptr NULL when unknown */
    struct span tags;       /* with blanks between them; ptr NULL when unknown */
    struct span url;
};

/* Ordered by post id, then suffix. */
enum status MUST_USE db_population_each(struct db *db, enum db_population population,
                                        void (*each)(void *ctx, const struct db_item *item),
                                        void *ctx, struct err *e);

/* A keyword's place in a post: bytes start to end (first behind) of the text of the field. */
struct db_hit_text {
    struct span field, keyword, text;
    size_t start, end;
};

/* Those of a post: title, then body, in the order of their places. */
enum status MUST_USE db_hit_each(struct db *db, int64_t post_id,
                                 void (*each)(void *ctx, const struct db_hit_text *hit), void *ctx,
                                 struct err *e);

/* Each keyword of the last match with the posts and hits it has. */
enum status MUST_USE db_keyword_each(struct db *db,
                                     void (*each)(void *ctx, const struct db_keyword *k,
                                                  int64_t candidates, int64_t posts, int64_t hits),
                                     void *ctx, struct err *e);

/* --- the codebook --- */

struct db_code {
    int64_t code_id;      /* given by db_code_put */
    struct span facet;    /* "symptom", "root cause", "stage" */
    struct span category; /* ptr NULL: the facet has none */
    struct span name, short_name, definition;
    int64_t retired_in;   /* version of the codebook since which it is not given; 0: it is */
    int64_t merged_into;  /* code_id; 0: none */
};

/* Codes in the order of the codebook; a name once per facet. Decisions are recorded with the
 * setting "codebook_version", a number. */
enum status MUST_USE db_code_put(struct db *db, const struct db_code *code, int64_t *code_id,
                                 struct err *e);
enum status MUST_USE db_code_alias_put(struct db *db, int64_t code_id, struct span alias,
                                       struct err *e);
enum status MUST_USE db_disambiguation_put(struct db *db, int64_t code_id, int64_t versus_id,
                                           struct span rule, struct err *e);
enum status MUST_USE db_code_each(struct db *db,
                                  void (*each)(void *ctx, const struct db_code *code), void *ctx,
                                  struct err *e);

enum status MUST_USE db_code_alias_each(struct db *db, int64_t code_id,
                                        void (*each)(void *ctx, struct span alias), void *ctx,
                                        struct err *e);
enum status MUST_USE db_disambiguation_each(struct db *db,
                                            void (*each)(void *ctx, int64_t code_id,
                                                         int64_t versus_id, struct span rule),
                                            void *ctx, struct err *e);
/* The old name becomes an alias. */
enum status MUST_USE db_code_rename(struct db *db, int64_t code_id, struct span name,
                                    struct err *e);
/* The code is no longer given from `version` on. With merged_into set, its labels, and those of
 * codes that were merged into it, count as of that code once db_labels_rebuild was called. */
enum status MUST_USE db_code_retire(struct db *db, int64_t code_id, int64_t version,
                                    int64_t merged_into, struct err *e);

struct db_code_change {
    int64_t version;        /* of the codebook, that the change leads to */
    struct span changed_at; /* for db_code_change_put: ptr NULL is now */
    struct span changed_by, action, facet, code;
    struct span became;     /* JSON array of names */
    struct span reason;
    struct span look_again; /* JSON array of code_ids; not set by db_code_change_each */
};

/* Writes the history and sets the version; the change itself is the caller's, in the same
 * transaction. */
enum status MUST_USE db_code_change_put(struct db *db, const struct db_code_change *change,
                                        struct err *e);
enum status MUST_USE db_code_change_each(struct db *db,
                                         void (*each)(void *ctx,
                                                      const struct db_code_change *change),
                                         void *ctx, struct err *e);
/* The codebook's version; 0 when there is none. */
enum status MUST_USE db_codebook_version(struct db *db, int64_t *version, struct err *e);

/* A label that must be looked at again: see the view label_review. */
struct db_review {
    struct span problem_id, facet, coder, code;
    struct db_code_change change; /* version, changed_at, changed_by, action, reason */
};

/* Of one coder, or with ptr NULL of all. */
enum status MUST_USE db_review_each(struct db *db, struct span coder,
                                    void (*each)(void *ctx, const struct db_review *review),
                                    void *ctx, struct err *e);

/* --- what coders decide --- */

/* The facets of a decision. DB_IDENTIFICATION is about a post, the others about a problem. */
enum db_facet {
    DB_IDENTIFICATION,
    DB_SYMPTOM,
    DB_ROOT_CAUSE,
    DB_INTRODUCING_STAGE,
    DB_EXPOSING_STAGE,
    DB_FACETS
};

enum { DB_CODES_MAX = 2 }; /* a problem has up to two symptoms, one of each other facet */

/* "identification", "symptom", "root cause", "introducing stage", "exposing stage" */
struct span db_facet_name(enum db_facet facet);

/* One decision of one coder; the table `decision` only ever grows, and the newest one of a coder,
 * subject and facet counts. Put again, the same decision is no second one. */
struct db_decision {
    struct span coder;
    struct span subject;     /* a problem id such as "65160023_1", or a post id */
    int64_t post_id;
    enum db_facet facet;
    bool is_problem;         /* for DB_IDENTIFICATION */
    int64_t codes[DB_CODES_MAX]; /* code ids, first label first; 0: none */
    struct span decided_at;  /* ptr NULL: now */
    struct span now;         /* ptr NULL: by the clock; one time for all decisions of an act */
    struct span spelling;    /* ptr NULL, or how published labels spell the first code */
    struct span reason;      /* ptr NULL for none */
    bool anew; /* what was decided under an older codebook is decided again, be it the same */
};

/* A coder whose decisions are what the coders agreed on in the end has is_merged set. */
enum status MUST_USE db_coder_put(struct db *db, struct span coder, bool is_merged,
                                  struct err *e);
/*
 * Callers wrap many in one transaction. Of DB_IDENTIFICATION the subject is the post, whatever
 * `subject` says. With decided_at absent, what says the same as the decision that counts is no new
 * one, and a new one is later than that. ST_INPUT for a coder, code or date that is none.
 */
enum status MUST_USE db_decision_put(struct db *db, const struct db_decision *decision,
                                     struct err *e);

struct db_act {
    struct span decided_at, subject, facet, value; /* value: JSON, see schema.sql */
};

/*
 * Undoes the last act of a coder whose decisions still count: all decisions of one time about one
 * post, of any post or (post_id not 0) of that one. Calls back for each. ST_NO when there is none.
 */
enum status MUST_USE db_decision_undo(struct db *db, struct span coder, int64_t post_id,
                                      void (*each)(void *ctx, const struct db_act *act), void *ctx,
                                      struct err *e);

/* A row of what was decided, undone or not. */
struct db_event {
    struct span decided_at, coder, subject, facet, value; /* value: JSON, see schema.sql */
    int64_t codebook_version;
    struct span reason; /* ptr NULL for none */
    bool undone;
};

/* All decisions in the order in which they were made; of a coder (ptr NULL: of all) and about a
 * post (0: about all). */
enum status MUST_USE db_event_each(struct db *db, struct span coder, int64_t post_id,
                                   void (*each)(void *ctx, const struct db_event *event),
                                   void *ctx, struct err *e);

/* A private note, of now. */
enum status MUST_USE db_note_put(struct db *db, struct span coder, struct span subject,
                                 int64_t post_id, struct span text, struct err *e);
enum status MUST_USE db_note_each(struct db *db, struct span coder, int64_t post_id, /* 0: all */
                                  void (*each)(void *ctx, struct span written_at,
                                               struct span subject, struct span text),
                                  void *ctx, struct err *e);

/* The first candidate behind `after` that the coder has not judged; with `unfinished`, the first
 * post that the coder judged to be a problem and that lacks a label. *post_id is 0 when there is
 * none. */
enum status MUST_USE db_candidate_next(struct db *db, struct span coder, bool unfinished,
                                       int64_t after, int64_t *post_id, struct err *e);
enum status MUST_USE db_is_judged(struct db *db, struct span coder, int64_t post_id, bool *judged,
                                  bool *is_problem, struct err *e);
/* How many candidates there are, and how many posts the coder judged. */
enum status MUST_USE db_coder_progress(struct db *db, struct span coder, int64_t *candidates,
                                       int64_t *judged, struct err *e);
/* Calls back for each coder, by name. */
enum status MUST_USE db_coder_each(struct db *db,
                                   void (*each)(void *ctx, struct span coder, bool is_merged),
                                   void *ctx, struct err *e);

/* Makes judgement, label and problem anew from the decisions: db_decision_put keeps them current,
 * so this is for decisions that came in another way (merged files, undone ones). */
enum status MUST_USE db_labels_rebuild(struct db *db, struct err *e);

/* --- where coders say different things --- */

/* What merged coders do not count to; codes that were taken back count as not said. Codes of a post
 * that a merged coder judged to be no problem are left out, but with DB_SAID. */
enum db_dispute_kind {
    DB_DISPUTED, /* coders differ, and since then no merged coder decided */
    DB_AGREED,   /* two or more say the same, and no merged coder does, or decided since */
    DB_SINGLE,   /* only one coder said something, and no merged coder decided since */
    DB_SAID      /* whatever coders said */
};

struct db_opinion {
    struct db_opinion *next;
    struct span coder;
    bool is_merged; /* what was decided before a coder changed their mind; behind the coders */
    bool is_problem;             /* for DB_IDENTIFICATION */
    int64_t codes[DB_CODES_MAX]; /* for the others; 0: none */
    struct span names[DB_CODES_MAX]; /* of the codes; "yes" or "no"; ptr NULL: none */
    struct span decided_at, reason;  /* ptr NULL: no reason */
};

struct db_dispute {
    enum db_facet facet;
    struct span subject;
    int64_t post_id;
    struct span title, url; /* title ptr NULL: the post is not held */
    struct db_opinion *opinions; /* by coder */
};

struct db_disputes {
    struct db_dispute *items; /* by post, problem and facet */
    size_t n;
    struct arena arena;
};

/* Of a facet (DB_FACETS: of all) and a post (0: of all). *out needs db_disputes_clear in any
 * case. */
enum status MUST_USE db_disputes_read(struct db *db, enum db_dispute_kind kind,
                                      enum db_facet facet, int64_t post_id,
                                      struct db_disputes *out, struct err *e);
void db_disputes_clear(struct db_disputes *disputes);
/* db_decision_put for a merged coder. It counts from now on, but not before what the coders said,
 * whatever clocks say; and each one is an act of its own for db_decision_undo. */
enum status MUST_USE db_resolution_put(struct db *db, const struct db_decision *decision,
                                       struct err *e);

/* --- what another coder did --- */

struct db_merge_how {
    bool dry_run;  /* nothing is written; all else is the same */
    bool no_notes; /* notes are left where they are */
};

struct db_merged_coder {
    struct span coder;
    int64_t new_decisions, known_decisions, new_notes;
};

/* A change of the codebook that one side made and the other did not, or made otherwise; version 0:
 * none. Texts are cut for messages; look_again is not set. */
struct db_conflict {
    struct db_code_change ours, theirs;
};

enum db_codebook {
    DB_CODEBOOK_SAME,
    DB_CODEBOOK_OLDER,  /* the other side has not seen all changes */
    DB_CODEBOOK_ADOPTED /* this side had not; now it has them */
};

struct db_merged {
    struct db_merged_coder *coders; /* of the other file, by name */
    size_t n_coders;
    enum db_codebook codebook;
    struct db_conflict *conflicts;
    size_t n_conflicts;
    int64_t posts_not_here; /* posts are not merged */
    struct arena arena;
};

/*
 * Takes coders, decisions, notes, dates of problems and assessments of another file of the same
 * study, which is only read; then labels are made anew. In one transaction, and in any order and as
 * often as one likes the same comes out: of two reasons, spellings, dates or assessments of the
 * same thing the larger text stays, of two versions the older, and who is a merged coder in one
 * file is one. ST_DATABASE when the file is none of ppmine's, or of another schema version;
 * ST_INPUT for another study, for codebooks that were changed on both sides since the files parted
 * (*out says how), and for a row that cannot be right. *out needs db_merged_clear in any case.
 */
enum status MUST_USE db_merge(struct db *db, const char *path, const struct db_merge_how *how,
                              struct db_merged *out, struct err *e);
void db_merged_clear(struct db_merged *merged);

/* --- what counts --- */

/* The decisions that count, ordered by subject (post id, then suffix), then coder. */
struct db_label {
    struct span subject;
    int64_t post_id;
    struct span coder;
    bool coder_is_merged;
    enum db_facet facet;
    bool is_problem;             /* for DB_IDENTIFICATION */
    int64_t codes[DB_CODES_MAX]; /* code ids; 0: none */
    struct span spelling;        /* as in db_decision */
};

enum status MUST_USE db_label_each(struct db *db, enum db_facet facet,
                                   void (*each)(void *ctx, const struct db_label *label),
                                   void *ctx, struct err *e);
/* The same of all facets but DB_IDENTIFICATION in one walk, in less than half the time for those who
 * want all: as they are stored, ordered by the subject's bytes, the facet's name, the coder. In both
 * walks `each` may not write decisions or coders. */
enum status MUST_USE db_label_walk(struct db *db,
                                   void (*each)(void *ctx, const struct db_label *label),
                                   void *ctx, struct err *e);

/* A coder whose decisions are held; *exists and *is_merged are set. */
enum status MUST_USE db_coder_get(struct db *db, struct span coder, bool *exists, bool *is_merged,
                                  struct err *e);

/* All that counts of what one coder says about one subject: a problem with any code, or a post that
 * was judged and has none. Ordered by subject (post id, then suffix), then coder. */
struct db_coding {
    struct span subject; /* a problem's id, or the post's */
    int64_t post_id;
    struct span coder;
    bool is_judged, is_problem;              /* is_problem only of posts that were judged */
    int64_t codes[DB_FACETS][DB_CODES_MAX];  /* code ids; 0: none; of DB_IDENTIFICATION none */
    struct span decided_at; /* the newest of its codes, else of the judgement; ptr NULL: neither */
    struct span url;
    struct span title;      /* of an answer its question's; ptr NULL: not held */
};

struct db_coding_query {
    struct span coder;   /* ptr NULL: every coder */
    bool unjudged;       /* also posts about which `coder` said nothing yet: the candidates, or */
    struct span posts;   /* … those of this JSON array of post ids, and then only these posts at
                          * all; ptr NULL: no such list */
};

enum status MUST_USE db_coding_each(struct db *db, const struct db_coding_query *query,
                                    void (*each)(void *ctx, const struct db_coding *coding),
                                    void *ctx, struct err *e);

/* The final problems: those that a merged coder labelled. Ordered as labels. */
struct db_problem {
    struct span problem_id;
    int64_t post_id;
    struct span created_at;   /* of the post; ptr NULL when unknown */
    struct span tags;         /* JSON array; ptr NULL when the post is not held */
    int64_t introducing_stage, exposing_stage, symptom1, symptom2, root_cause; /* 0: none */
};

enum status MUST_USE db_problem_each(struct db *db,
                                     void (*each)(void *ctx, const struct db_problem *problem),
                                     void *ctx, struct err *e);
/* Says when the post of a problem was created, for posts that are not held. */
enum status MUST_USE db_problem_date_put(struct db *db, struct span problem_id,
                                         struct span created_at, struct err *e);

/* RQ4: what became of a benchmark problem under an approach ("profiler", "xla", "documentation"):
 * "not applied", "not solved", "partially solved". */
struct db_assessment {
    struct span problem_id, approach, status, library;
};

enum status MUST_USE db_assessment_put(struct db *db, const struct db_assessment *assessment,
                                       struct err *e);
enum status MUST_USE db_assessment_each(struct db *db,
                                        void (*each)(void *ctx,
                                                     const struct db_assessment *assessment),
                                        void *ctx, struct err *e);

/* --- what is published --- */

/* Tables of the study as they are published: each a query, its rows in an order of their own. */
enum db_table {
    DB_TABLE_PROBLEMS,
    DB_TABLE_IDENTIFICATION,
    DB_TABLE_CODING,
    DB_TABLE_DECISIONS,
    DB_TABLE_CANDIDATES,
    DB_TABLE_KEYWORDS,
    DB_TABLE_CODEBOOK,
    DB_TABLE_DISAMBIGUATION,
    DB_TABLE_CODE_CHANGES,
    DB_TABLE_ASSESSMENT,
    DB_TABLE_BENCH_SETUPS,
    DB_TABLE_BENCH_RESULTS,
    DB_TABLE_BENCH_RUNS,
    DB_TABLE_ATTRIBUTION,
    DB_TABLE_RUNS,
    DB_TABLE_SETTINGS,
    DB_TABLE_TEXTS, /* titles and bodies of posts */
    DB_TABLE_PROJECTS, /* of the campaign of check, as those below */
    DB_TABLE_SCANS,
    DB_TABLE_FINDINGS,
    DB_TABLE_FINDING_SEEN,
    DB_TABLE_FINDING_STATES,
    DB_TABLES
};

/* The name of a column of the query, counted from 0; NULL behind the last. */
const char *db_table_column(struct db *db, enum db_table table, size_t column);
/* Calls back for each row; a cell that is NULL has ptr NULL. A status other than ST_OK ends the
 * walk and is returned. */
enum status MUST_USE db_table_each(struct db *db, enum db_table table,
                                   enum status (*each)(void *ctx, const struct span *cells,
                                                       size_t n, struct err *e),
                                   void *ctx, struct err *e);

enum status MUST_USE db_table_is_empty(struct db *db, enum db_table table, bool *empty,
                                       struct err *e);

/* Writes the database as it is at one moment to a new file. Also into a folder that is full: then
 * ST_IO, and what is there of the file is the caller's to remove. */
enum status MUST_USE db_copy(struct db *db, const char *path, struct err *e);
/*
 * Takes out of a DB_COPY what is not published: private notes, the folders that runs read from, what
 * failing runs of the benchmark said, the full-text index (`ppmine match` makes it again), and, unless
 * with_text, titles, bodies and plain texts of posts and of their revisions. Packs the file, so that
 * nothing of it can be recovered.
 * Needs db_use_text. ST_IO when the file cannot be written.
 */
enum status MUST_USE db_copy_strip(struct db *copy, bool with_text, struct err *e);

/* schema.sql, and its version. */
struct span db_schema(void);
int db_schema_version(void);

/* SHA-256 in lower-case hexadecimal. */
#define SHA256_TEXT_SIZE 65
void db_sha256(struct span bytes, char out[SHA256_TEXT_SIZE]);

#endif
