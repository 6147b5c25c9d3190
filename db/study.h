/* study: the files and settings of the study, and the runs that wrote to the database. */
#pragma once

#include "db/db.h"
#include "base/study/study.h"

enum status MUST_USE db_study_file_put(struct db *db, struct span name, struct span content, struct err *e);
/* Calls back for each file; spans live for the call. */
enum status MUST_USE db_study_file_each(struct db *db, void (*each)(void *ctx, struct span name, struct span content),
                                        void *ctx, struct err *e);
/* The same for one file; no call when it is not held. */
enum status MUST_USE db_study_file_get(struct db *db, const char *name,
                                       void (*each)(void *ctx, struct span name, struct span content), void *ctx,
                                       struct err *e);
/* Its content, added to *out; nothing when it is not held. */
enum status MUST_USE db_study_file_read(struct db *db, const char *name, struct buf *out, struct err *e);
/* Reads the study that the database contains. *out needs study_clear in either case. */
enum status MUST_USE db_study_load(struct study *out, struct db *db, struct err *e);
/* The same without its labels, which are most of it: what is needed to look at a post. */
enum status MUST_USE db_study_load_unlabelled(struct study *out, struct db *db, struct err *e);
enum status MUST_USE db_study_file_remove(struct db *db, struct span name, struct err *e);

/* A change of the study while it was under way. */
struct db_study_change {
    struct span changed_at; /* not for db_study_change_put: that is now */
    struct span changed_by, file, reason;
    struct span before, after; /* contents; ptr NULL: there was, or is, no such file */
};

enum status MUST_USE db_study_change_put(struct db *db, const struct db_study_change *change, struct err *e);
/* In the order of the changes. */
bool db_study_change_next(struct db *db, struct db_study_change *change, enum status *status, struct err *e);
enum status MUST_USE db_setting_put(struct db *db, const char *key, struct span value, struct err *e);
/* *value is copied to the arena; ptr NULL when there is no such setting. */
enum status MUST_USE db_setting_get(struct db *db, const char *key, struct arena *arena, struct span *value,
                                    struct err *e);

/* --- provenance --- */

struct db_run {
    const char *command;    /* "load" */
    struct span parameters; /* a JSON object */
    struct span source;     /* a path or URL; ptr NULL for none */
};

/* A run that wrote posts or derived tables; the version and the time are added here. */
enum status MUST_USE db_run_begin(struct db *db, const struct db_run *run, int64_t *run_id, struct err *e);
/* The date of the content that the run brings, ISO; see db_post_put. */
enum status MUST_USE db_run_as_of(struct db *db, int64_t run_id, struct span as_of, struct err *e);
/* `counts`: a JSON object of what was done. */
enum status MUST_USE db_run_end(struct db *db, int64_t run_id, const char *outcome, struct span counts, struct err *e);
