/*
 * campaign: what check found in projects, scan by scan, and what became of it. A part of db.h, in its own file for its
 * size; others include db.h. schema.sql describes the tables.
 *
 * In all _each functions `each` may not write to the database, and spans live for the call; ptr NULL stands for NULL.
 */
#pragma once

#include "db/db.h"

/* --- scans --- */

struct db_scan {
    struct span project, url; /* url ptr NULL: not known */
    struct span commit;       /* a hash, or the version of a package */
    struct span code_at;      /* ISO 8601 with milliseconds; ptr NULL: now */
    struct span options;      /* a JSON object: what findings depend on */
    int64_t files, unread;
};

enum db_seen { DB_SEEN_FOUND, DB_SEEN_IGNORED, DB_SEEN_BASELINE, DB_SEEN_UNREAD, DB_SEEN_GONE };

/* "found", "ignored", "baseline", "unread", "gone"; NULL ends. */
extern const char *const db_seen_names[];

struct db_found {
    uint64_t fingerprint; /* one finding of a project for each */
    enum db_seen how;     /* DB_SEEN_FOUND to DB_SEEN_BASELINE */
    struct span rule, file, severity, message;
    struct span function; /* ptr NULL: none */
    int64_t line, cell;   /* cell 0: none */
};

struct db_scanned {
    int64_t scan_id;
    bool known;     /* the same was found in this version before: nothing was written */
    int64_t n_new;  /* findings that the project did not have */
    int64_t n_gone; /* that the scan before with these options saw */
    int64_t n_back; /* that it did not see, but an older one did */
};

/* Stores a scan and its findings in its own transaction: all or nothing. `unread`: unreadable files, and folders (with
 * "/" at the end, or ""); what the scan before saw in them is taken to be still there. */
enum status MUST_USE db_scan_put(struct db *db, const struct db_scan *scan, const struct db_found *found,
                                 size_t n_found, const struct span *unread, size_t n_unread, struct db_scanned *out,
                                 struct err *e);

struct db_scan_row {
    int64_t scan_id;
    struct span project, commit, code_at, tool_version;
    int64_t files, unread;
    int64_t found, ignored, baseline; /* findings */
};

/* Of a project (ptr NULL: of all), by project, then in the order of the code's time. */
enum status MUST_USE db_scan_each(struct db *db, struct span project,
                                  void (*each)(void *ctx, const struct db_scan_row *scan), void *ctx, struct err *e);

/* --- findings --- */

/* A row of the view finding_current. */
struct db_finding {
    struct span finding_id, project, rule, severity, file, function, message, seen;
    int64_t line, cell; /* cell 0: none */
    struct span commit; /* of the scan that saw it last */
    int64_t gone_since; /* scan_id; 0: it is not gone */
    struct span gone_commit;
    bool tool_differs, returned;
    struct span state, url;
    bool still_found; /* in a version from after the day on which it was fixed */
};

struct db_finding_query {
    struct span project, rule, state, seen; /* ptr NULL: any; rule: how it begins; state "none" */
};

/* By project, file and line. */
enum status MUST_USE db_finding_each(struct db *db, const struct db_finding_query *query,
                                     void (*each)(void *ctx, const struct db_finding *finding), void *ctx,
                                     struct err *e);

enum { DB_FINDING_ID_LEN = 16 };

/* The finding whose id begins with `typed`; ST_INPUT when there is none or several. */
enum status MUST_USE db_finding_find(struct db *db, struct span typed, char out[DB_FINDING_ID_LEN + 1], struct err *e);

/* --- states --- */

enum db_state { DB_REPORTED, DB_CONFIRMED, DB_FIXED, DB_REFUSED, DB_STATES };

/* "reported", "confirmed", "fixed", "refused"; NULL ends. */
extern const char *const db_state_names[];

struct db_state_change {
    const char *finding_id; /* whole */
    enum db_state state;
    struct span by;
    struct span url, reason, happened; /* ptr NULL: none; happened: '2021-03-04' */
};

/* Adds a state, in the caller's transaction. *changed: false when the current one is equal; an absent url, reason or
 * day removes nothing. ST_INPUT when the state cannot follow the current one: the first is "reported", and after
 * "fixed" only "reported" may come. */
enum status MUST_USE db_state_put(struct db *db, const struct db_state_change *change, bool *changed, struct err *e);
/* Takes the state that counts back by a further row; *undone gets its name, NULL: there was none. */
enum status MUST_USE db_state_undo(struct db *db, const char *finding_id, struct span by, struct span reason,
                                   const char **undone, struct err *e);

/* What happened to a finding: a state that was set, or a scan. */
struct db_finding_event {
    struct span at, finding_id;
    struct span what;                      /* a state, "undo", or as `seen` of finding_current */
    int64_t scan_id;                       /* 0: a state */
    struct span commit;                    /* of a scan */
    struct span by, happened, url, reason; /* of a state */
    bool undone;
};

/* In the order of time. Of a finding: states and the scans that could see it; ptr NULL: the states of all. */
enum status MUST_USE db_finding_event_each(struct db *db, struct span finding_id,
                                           void (*each)(void *ctx, const struct db_finding_event *event), void *ctx,
                                           struct err *e);

/* --- counts --- */

struct db_campaign_row {
    struct span name;                    /* project or rule; ptr NULL: the sum of the projects, which comes last */
    int64_t projects, projects_reported; /* 0 for a rule */
    int64_t findings, reported, confirmed, fixed, refused, gone;
};

/* The views campaign and campaign_rule. */
enum status MUST_USE db_campaign_each(struct db *db, bool by_rule,
                                      void (*each)(void *ctx, const struct db_campaign_row *row), void *ctx,
                                      struct err *e);
