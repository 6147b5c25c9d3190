/*
 * sql: a connection, its statements, and the few verbs with which the files of db/ run them.
 * Internal to db/. The SQL itself is in sql.c and schema.sql, nowhere else.
 */
#ifndef DB_SQL_H
#define DB_SQL_H

#include <sqlite3.h>

#include "db/db.h"
#include "db/facets.h"
#include "db/health.h"
#include "db/publish.h"
#include "base/post/post.h"

/* In the order of the table in sql.c; sql_prepare prepares all but those of db_merge
 * and of the full-text search. */
enum sql {
    SQL_SETTING_PUT,
    SQL_SETTING_GET,
    SQL_STUDY_FILE_PUT,
    SQL_STUDY_FILE_REMOVE,
    SQL_STUDY_CHANGE_PUT,
    SQL_STUDY_CHANGE_EACH,
    SQL_STUDY_FILE_EACH,
    SQL_STUDY_FILE_GET,
    SQL_RUN_BEGIN,
    SQL_RUN_END,
    SQL_RUN_AS_OF,
    SQL_POST_INSERT,
    SQL_POST_GET,
    SQL_POST_THREAD,
    SQL_POST_UPDATE,
    SQL_POST_URL_PUT,
    SQL_POST_STATE_PUT,
    SQL_POST_VALUE_PUT,
    SQL_POST_VALUE_CLEAR,
    SQL_POST_VALUE_EACH,
    SQL_POST_EACH_ID,
    SQL_POST_EACH_TEXT,
    SQL_POST_TEXT,
    SQL_POST_COUNT,
    SQL_REVISION_PUT,
    SQL_REVISION_DELETE,
    SQL_KEYWORD_PUT,
    SQL_TEXT_PUT,
    SQL_HIT_PUT,
    SQL_FACT_PUT,
    SQL_CLEAR_FACT,
    SQL_CLEAR_HIT,
    SQL_CLEAR_CANDIDATE,
    SQL_CLEAR_TEXT,
    SQL_CLEAR_KEYWORD,
    SQL_CANDIDATE_FILL,
    SQL_SEARCH_EXISTS,
    SQL_CANDIDATE_EACH,
    SQL_CANDIDATE_EACH_KEYWORD,
    SQL_MATCHED_TEXT,
    SQL_MATCH_IS_CURRENT,
    SQL_VERDICT_EACH,
    SQL_HIT_EACH,
    SQL_CANDIDATE_COUNT,
    SQL_UNMATCHED_COUNT,
    SQL_CANDIDATE_EACH_TEXT,
    SQL_KEYWORD_EACH,
    SQL_CODE_PUT,
    SQL_VALUE_PUT,
    SQL_VALUE_GET,
    SQL_CODE_RENAME,
    SQL_CODE_RETIRE,
    SQL_CODE_CHANGE_PUT,
    SQL_CODE_CHANGE_EACH,
    SQL_CODE_ALIAS_EACH,
    SQL_DISAMBIGUATION_EACH,
    SQL_REVIEW_EACH,
    SQL_CODE_ALIAS_PUT,
    SQL_DISAMBIGUATION_PUT,
    SQL_CODE_EACH,
    SQL_CODER_PUT,
    SQL_CODER_EACH,
    SQL_DECISION_PUT,
    SQL_DECISION_UNDONE,
    SQL_DECISION_LAST,
    SQL_DECISION_AFTER,
    SQL_DECISION_ACT,
    SQL_DECISION_UNDO,
    SQL_DECISION_EACH,
    SQL_JUDGEMENT_CLEAR,
    SQL_JUDGEMENT_REFILL,
    SQL_LABEL_CLEAR,
    SQL_LABEL_REFILL,
    SQL_PROBLEM_CLEAR,
    SQL_NOTE_PUT,
    SQL_NOTE_EACH,
    SQL_MESSAGE_PUT,
    SQL_MESSAGE_EACH,
    SQL_CANDIDATE_IDS,
    SQL_JUDGED_IDS,
    SQL_JUDGED,
    SQL_UNFINISHED_NEXT,
    SQL_CODER_PROGRESS,
    SQL_JUDGEMENT_PUT,
    SQL_JUDGEMENT_NOW,
    SQL_LABEL_PUT,
    SQL_LABEL_REST_CLEAR,
    SQL_LABEL_REST_PUT,
    SQL_LABEL_NOW,
    SQL_REASON_NOW,
    SQL_PROBLEM_PUT,
    SQL_IDENTIFICATION_EACH,
    SQL_LABEL_EACH,
    SQL_LABEL_WALK,
    SQL_PROBLEM_EACH,
    SQL_PROBLEM_DATE_PUT,
    SQL_PROBLEM_DATE_COPY,
    SQL_CODER_GET,
    SQL_CODING_EACH,
    SQL_CODING_OF_POST,
    SQL_CODES_OF,
    SQL_POSTS_ABSENT,
    SQL_SEGMENT_EACH,
    SQL_STANDING_EACH,
    SQL_STANDING_EACH_CODED,
    SQL_POPULATION_CANDIDATES,
    SQL_POPULATION_QUESTIONS,
    SQL_POPULATION_PROBLEMS,
    SQL_POPULATION_OUTSIDE,
    SQL_ASSESSMENT_PUT,
    SQL_ASSESSMENT_EACH,
    SQL_API_ANSWER_PUT,
    SQL_API_ANSWER_EACH,
    SQL_API_ANSWER_COUNT,
    SQL_WINDOW_PUT,
    SQL_WINDOW_NEW,
    SQL_WINDOW_DELETE,
    SQL_WINDOW_EACH,
    SQL_LIST_GET,
    SQL_LIST_PUT,
    SQL_LIST_DELETE,
    SQL_QUESTION_IDS,
    SQL_DUE_PUT,
    SQL_DUE_DELETE,
    SQL_DUE_EACH,
    SQL_API_STATE_PUT,
    SQL_API_STATE_EACH,
    SQL_RUN_KILLED,
    SQL_COMMENT_PUT,
    SQL_COMMENT_EACH,
    SQL_COMMENT_SEEN,
    SQL_AUTHOR_PUT,
    SQL_ANSWERS_HELD,
    SQL_COMMENTS_HELD,
    SQL_ANSWERS_PRESENT,
    SQL_COMMENTS_PRESENT,
    SQL_POST_GONE,
    SQL_LISTING_PUT,
    SQL_LISTING_ANY,
    SQL_LISTING_GONE,
    SQL_YEAR_EACH,
    SQL_IMAGE_POST_EACH,
    SQL_IMAGE_PUT,
    SQL_IMAGE_FIND,
    SQL_IMAGE_GET,
    SQL_IMAGE_BYTES,
    SQL_BENCH_SETUP_FIND,
    SQL_BENCH_SETUP_PUT,
    SQL_BENCH_RESULT_KNOWN,
    SQL_BENCH_RESULT_PUT,
    SQL_BENCH_RUN_PUT,
    SQL_BENCH_MACHINE_EACH,
    SQL_BENCH_LAST_EACH,
    SQL_PROJECT_PUT,
    SQL_SCAN_FIND,
    SQL_SCAN_PUT,
    SQL_SCAN_CHANGES,
    SQL_SCAN_EACH,
    SQL_FINDING_PUT,
    SQL_FINDING_SEEN_PUT,
    SQL_FINDING_UNREAD,
    SQL_FINDING_EACH,
    SQL_FINDING_FIND,
    SQL_FINDING_EVENT_EACH,
    SQL_STATE_NOW,
    SQL_STATE_TIME,
    SQL_STATE_PUT,
    SQL_CAMPAIGN_EACH,
    SQL_CAMPAIGN_RULE_EACH,
    SQL_SCREEN_POST_EACH,
    SQL_SCREEN_HIT_EACH,
    SQL_SCREEN_STATE,
    SQL_SCREEN_PUT,
    SQL_SCREEN_EACH,
    SQL_SCREEN_PROBLEMS,
    SQL_SCREEN_SHARED,
    SQL_SCREEN_RANDOM,
    SQL_SCREEN_CODES,
    SQL_TABLES, /* DB_TABLES of them, in the order of enum db_table */
    SQL_DISPUTE_EACH = SQL_TABLES + DB_TABLES,
    SQL_RESOLUTION_TIME,
    SQL_POSTS_OF_SITES,
    SQL_HAS_SITES,
    SQL_SITE_GET,
    SQL_SEARCH_IDS,   /* prepared by sql_prepare_ids: it needs the index, but no function */
    SQL_SEARCH_FIRST, /* prepared by sql_prepare_search: it needs the full-text index */
    SQL_SEARCH_EACH = SQL_SEARCH_FIRST,
    SQL_INDEX_FIRST, /* prepared by sql_prepare_index: FTS5's own tables */
    SQL_INDEX_PAGE_PUT = SQL_INDEX_FIRST,
    SQL_INDEX_LEAD_PUT,
    SQL_INDEX_POST_PUT,
    SQL_INDEX_RECORD_GET,
    SQL_INDEX_RECORD_PUT,
    SQL_INDEX_KEEP,
    SQL_MERGE_FIRST, /* from here on prepared by sql_prepare_merge: they name what is attached */
    SQL_BOOK_CODES = SQL_MERGE_FIRST,
    SQL_BOOK_ALIASES,
    SQL_BOOK_RULES,
    SQL_BOOK_CHANGES,
    SQL_OTHER_CODES, /* in the same order */
    SQL_OTHER_ALIASES,
    SQL_OTHER_RULES,
    SQL_OTHER_CHANGES,
    SQL_CODES_CLEAR,
    SQL_ALIASES_CLEAR,
    SQL_RULES_CLEAR,
    SQL_CHANGES_CLEAR,
    SQL_CODES_FILL,
    SQL_ALIASES_FILL,
    SQL_RULES_FILL,
    SQL_CHANGES_FILL,
    SQL_BOOK_MENTIONED,
    SQL_OTHER_MENTIONED,
    SQL_OTHER_SETTING,
    SQL_OTHER_CODERS,
    SQL_OTHER_DECISIONS,
    SQL_OTHER_NAMED,
    SQL_BOOK_NAMED,
    SQL_OTHER_NOTES,
    SQL_OTHER_MESSAGES,
    SQL_OTHER_DATES,
    SQL_OTHER_ASSESSMENTS,
    SQL_OTHER_SCREENINGS,
    SQL_MERGE_VALUE,
    SQL_MERGE_WRITTEN,
    SQL_MERGE_HAS_DECISION,
    SQL_MERGE_HAS_NOTE,
    SQL_MERGE_HAS_MESSAGE,
    SQL_MERGE_UNDONE,
    SQL_MERGE_CODER,
    SQL_MERGE_DECISION,
    SQL_MERGE_VERSIONS,
    SQL_MERGE_MOVE,
    SQL_MERGE_NOTE,
    SQL_MERGE_MESSAGE,
    SQL_MERGE_DATE,
    SQL_MERGE_ASSESSMENT,
    SQL_MERGE_SCREENING,
    SQL_KINDS
};

/* For sql_exec and sql_integers: rare, or naming what is not there when the others are prepared. */
extern const char SQL_BEGIN[];
extern const char SQL_COMMIT[];
extern const char SQL_ROLLBACK[];
extern const char SQL_OPEN_SETTINGS[];   /* every connection */
extern const char SQL_READ_SETTINGS[];   /* and one that only reads */
extern const char SQL_WRITE_SETTINGS[];  /* and one that writes */
extern const char SQL_CREATE_SETTINGS[]; /* before anything is in the file */
extern const char SQL_COPY_SETTINGS[]; /* a copy that nobody else has open, see DB_COPY */
extern const char SQL_COPY[];          /* ?1: the path of the copy */
extern const char SQL_REFERENCES_TRUST[];
extern const char SQL_REFERENCES_CHECK[];
extern const char SQL_QUERY_ONLY[];    /* whether the connection only reads */
extern const char SQL_COPY_BEGIN[];    /* copying writes, elsewhere */
extern const char SQL_COPY_END[];
extern const char SQL_COPY_STRIP[];      /* what is never published */
extern const char SQL_COPY_STRIP_TEXT[]; /* and the texts of posts */
extern const char SQL_COPY_PACK[];       /* so that nothing of it can be recovered */
extern const char SQL_FILL_SETTINGS[];   /* while an empty database is filled, see db_fill_begin */
extern const char SQL_DATA_VERSION[];    /* changes when another connection has written */
extern const char SQL_FILE_KIND[];       /* application_id, user_version, page_count */
extern const char SQL_TABLE_COUNT[];
extern const char SQL_HAS_POSTS[];
extern const char SQL_SEARCH_DROP[];
extern const char SQL_LABELS_REBUILD[];   /* judgement, label, problem */
extern const char SQL_INTEGRITY[];
extern const char SQL_REFERENCES[];
extern const char SQL_HAS_SEARCH[];
extern const char SQL_SEARCH_CHECK[];
extern const char SQL_LAST_MATCH[];
extern const struct sql_derived {
    const char *name, *query;
} sql_derived[DB_DERIVED];
/* db_merge attaches the other database as `other`. */
extern const char SQL_ATTACH[];
extern const char SQL_DETACH[];
extern const char SQL_OTHER_KIND[];      /* application_id */
extern const char SQL_OTHER_VERSION[];   /* user_version */
extern const char SQL_OTHER_TABLES[];    /* how many of its tables db_merge can read */
enum { OTHER_TABLES = 14 };              /* that there must be */
extern const char SQL_OTHER_POSTS[];     /* how many are not in main */
extern const char SQL_OTHER_FACETS[];    /* whether its facets are others */
extern const char SQL_DEFER_KEYS[];      /* foreign keys are looked at when it is committed */
/* See facets.c: needed before the statements of the table can be prepared. */
extern const char SQL_FACETS[];
extern const char SQL_FACETS_CLEAR[];
extern const char SQL_FACETS_DECIDED[];
extern const char SQL_FACET_PUT[];
extern const char SQL_FACET_RANGE_PUT[]; /* of a facet of numbers: "0 to 600", "0 to " */
extern const char SQL_PROBLEMS_REBUILD[]; /* problem alone, after a change in coder */

struct db {
    sqlite3 *handle;
    char *path; /* as the user wrote it, for messages */
    sqlite3_stmt *stmts[SQL_KINDS];
    bool has_text; /* db_use_text was called */
    bool expects_held; /* the last post that was put was stored already */
    enum { LISTINGS_UNKNOWN, LISTINGS_NONE, LISTINGS_SOME } listings; /* as of db_begin */
    bool fills;    /* db_fill_begin turned the write-ahead log off */
    int written_fd; /* of the file, to start its way to the disk; -1: none; see sql_write_behind */
    uint64_t n_put; /* posts since db_fill_begin */
    struct names *names; /* of codes and coders, see labels.c; NULL: not read yet */
    int64_t data_version; /* of the file when they were read */
    struct facets *facets; /* see facets.c; NULL: not read yet */
    bool puts_facets; /* in this transaction */
};

/* While a database is filled: asks the system to begin writing what SQLite handed to it, without
 * waiting, so that a commit has less to wait for. */
void sql_write_behind(const struct db *db);

struct file_kind {
    int64_t application_id, version, pages;
};

/* ST_DATABASE unless a file of this kind is one of this program; words on what to do with a foreign
 * file, or one of an unknown version, and with a newer one. */
enum status MUST_USE sql_check_kind(const char *path, const struct file_kind *kind,
                                    const char *if_foreign, const char *if_newer, struct err *e);

/* The path as a URI, so that no name (":memory:", "file:…", "a?b") means anything else. */
enum uri_mode { URI_WRITE, URI_READ, URI_IMMUTABLE };
void sql_add_uri(struct buf *uri, const char *path, enum uri_mode mode);

/* Of labels.c: the id of a decision, which schema.sql defines; value is JSON. */
void labels_make_id(struct span coder, struct span subject, struct span facet, struct span value,
                    struct span decided_at, char out[SHA256_TEXT_SIZE]);
/* Of labels.c: value_id(list, value) for SQL, and forgetting what was read of codes and coders, which
 * others may have changed by now. */
int labels_register_id(sqlite3 *handle);
void labels_forget(struct db *db);
/* The same, when another process changed the file since; within a transaction. */
enum status MUST_USE labels_refresh(struct db *db, struct err *e);
/* The name of a code; ptr NULL: there is none of this id. Codes must have been read. */
struct span labels_code_name(const struct db *db, int64_t code_id);
enum status MUST_USE labels_read_names(struct db *db, struct err *e);

/* Of facets.c: what was read of facets; the views that follow from them; facets of a new file. */
void facets_forget(struct db *db);
enum status MUST_USE facets_make_views(struct db *db, struct err *e);
enum status MUST_USE facets_put(struct db *db, const struct facets *facets, struct err *e);

/* Prepares all statements but those of db_merge. */
enum status MUST_USE sql_prepare(struct db *db, struct err *e);
/* Prepares those, and ends them; `other` is attached. */
enum status MUST_USE sql_prepare_search(struct db *db, struct err *e); /* what is prepared stays */
enum status MUST_USE sql_prepare_merge(struct db *db, struct err *e);
void sql_finalize_merge(struct db *db);
/* The search for ids. */
enum status MUST_USE sql_prepare_ids(struct db *db, struct err *e);
/* Those that write the tables of the full-text index. Until they are finalized, in the same transaction,
 * the connection may write what SQLite keeps from being written by SQL. */
enum status MUST_USE sql_prepare_index(struct db *db, struct err *e);
void sql_finalize_index(struct db *db);
void sql_finalize(struct db *db);

/* Turns the last error of the connection into words. */
enum status sql_fail(const struct db *db, struct err *e);

/* Runs text of several statements that give no rows. */
enum status MUST_USE sql_exec(struct db *db, const char *text, struct err *e);
/* Runs one statement of a row with integers, not one of the table; fewer than n columns: zeros. */
enum status MUST_USE sql_integers(struct db *db, const char *text, int64_t *values, size_t n,
                                  struct err *e);

/* Steps to the next row; *row is false, and the statement reset, after the last or on error. */
enum status MUST_USE sql_row(struct db *db, enum sql which, bool *row, struct err *e);
/* Calls back with the two integers of each row. */
enum status MUST_USE sql_each_pair(struct db *db, enum sql which,
                                   void (*each)(void *ctx, int64_t first, int64_t second),
                                   void *ctx, struct err *e);
/* Runs a statement that gives no rows. */
enum status MUST_USE sql_done(struct db *db, enum sql which, struct err *e);
/* Ends a walk before its last row. */
void sql_reset(struct db *db, enum sql which);

/* Parameters count from 1. Text is borrowed until the statement ran; ptr NULL and POST_ABSENT stand
 * for NULL. */
void sql_bind_text(struct db *db, enum sql which, int parameter, struct span text);
void sql_bind_int(struct db *db, enum sql which, int parameter, int64_t value);
void sql_bind_real(struct db *db, enum sql which, int parameter, double value); /* NAN: NULL */

/* Columns count from 0. Spans live until the statement's next step or reset. */
void sql_bind_blob(struct db *db, enum sql which, int parameter, struct span bytes);
struct span sql_blob(struct db *db, enum sql which, int column);
struct span sql_text(struct db *db, enum sql which, int column); /* NULL: NULL ptr */
int64_t sql_int(struct db *db, enum sql which, int column);      /* NULL: POST_ABSENT */
int64_t sql_int_or_zero(struct db *db, enum sql which, int column);
double sql_real(struct db *db, enum sql which, int column); /* NULL: NAN */

#endif
