/*
 * site: what the pages of web share: a visit, its fields, the frame of a page. Of web only.
 */
#ifndef WEB_SITE_H
#define WEB_SITE_H

#include <pthread.h>

#include "coding/act.h"
#include "db/db.h"
#include "label/label.h"
#include "mine/post_hints.h"
#include "study/study.h"
#include "web/web.h"

enum {
    FIELDS_MAX = 256,   /* of a query or a form */
    SESSIONS_MAX = 256, /* the oldest makes room */
    WORKERS_MAX = 8,    /* connections to the database */
    TRAIL_MAX = 64      /* posts that "back" goes through */
};

/* --- who visits --- */

struct session {
    char sha256[65]; /* of the cookie; "": free */
    struct span coder;
    bool is_owner;
    uint64_t began;              /* in the order of sessions */
    int64_t trail[TRAIL_MAX];    /* the posts that were shown, the last one at the end */
    size_t n_trail;
    size_t n_judged;             /* posts since the first one was */
    double busy_seconds, last_judged;
};

/* --- what answers --- */

/* A connection with what is read from it once. */
struct worker {
    struct db *db;
    struct study study;
    struct stored_codebook book;
    struct post_hints hints;
    struct buf base_url;
    bool busy, has_text;
};

struct web {
    struct web_options options;
    struct buf coder;
    struct ARRAY_OF(int64_t) list;  /* the posts of options.posts, in their order */
    struct ARRAY_OF(struct span) hosts;
    struct arena arena;
    uint16_t port;
    char launch_sha256[65];         /* "": used up */
    struct buf launch;
    struct session sessions[SESSIONS_MAX];
    uint64_t n_sessions;
    struct worker workers[WORKERS_MAX];
    pthread_mutex_t lock;           /* of sessions and workers */
    pthread_mutex_t writing;        /* one act at a time: the others wait here, not in SQLite */
    pthread_cond_t worker_is_free;
    struct server *server;
};

/* --- a visit --- */

struct field {
    struct span name, value;
};

struct fields {
    struct field at[FIELDS_MAX];
    size_t n;
};

/* One request on its way to its answer. */
struct visit {
    struct web *web;
    const struct web_request *request;
    struct web_answer *answer;
    struct buf *out; /* the answer's body */
    struct worker *worker;
    struct span path, coder; /* coder: "" without a session */
    size_t session;          /* its place */
    bool is_owner, wants_json;
    struct fields query, form;
    struct arena arena;
    struct err error;
};

/* The value of a field, the last one of that name; ptr NULL without. */
struct span field_of(const struct fields *fields, const char *name);
/* Reads "a=1&b=2"; false for bad UTF-8, a NUL, a bad '%', or too many. */
bool MUST_USE fields_read(struct fields *out, struct span text, struct arena *arena);

/* --- guard.c: who may --- */

/* Fills w->hosts. */
void guard_open(struct web *w);
/* 0, or the code to refuse with; *why says so in words. Sets the coder of the visit. */
unsigned guard_check(struct visit *v, const char **why);
/* Exchanges the token of a launch link for a session, and its cookie for the answer; false when it
 * is none, or was used. */
bool guard_launch(struct visit *v, struct span token);
/* 256 random bits in hexadecimal, and their hash. */
void guard_draw(struct buf *token, char sha256[65]);

/* --- http.c --- */

void server_stop(struct web *w); /* nothing when none listens */

/* --- workers.c --- */

/* A connection for this visit, current with the codebook. */
enum status MUST_USE worker_take(struct visit *v, struct err *e);
void worker_give(struct visit *v);
void workers_close(struct web *w);

/* --- answers --- */

/* Sets code and type, and empties the body. */
void answer_begin(struct visit *v, unsigned code, const char *type);
void answer_see(struct visit *v, const char *fmt, ...) PRINTF_LIKE(2, 3); /* 303 */
/* A page, or JSON, that says what went wrong. */
void answer_refuse(struct visit *v, unsigned code, const char *why);
/* For a status that is not ST_OK, with v->error. */
void answer_fault(struct visit *v, enum status status);

/* --- page.c: the frame --- */

void page_begin(struct visit *v, const char *title, const char *here);
void page_end(struct visit *v);
/* before, the text escaped, after */
void page_text(struct buf *out, const char *before, struct span text, const char *after);

/* --- progress.c: which post comes next, and how far a coder is --- */

struct progress_state {
    int64_t judged, total;
    double per_hour, hours_left; /* 0: unknown */
};

enum status MUST_USE next_post(struct visit *v, int64_t after, int64_t *post_id, struct err *e);
enum status MUST_USE progress_read(struct visit *v, struct progress_state *out, struct err *e);
void progress_json(struct buf *out, const struct progress_state *p);
void trail_add(struct visit *v, int64_t post_id);
/* The post before this one; 0: none. */
int64_t trail_back(struct visit *v, int64_t post_id);
void progress_count(struct visit *v); /* a post was judged */
/* A note that says "unsure", found again by it. */
extern const char unsure_mark[];

/* --- acts.c --- */

enum status MUST_USE web_act(struct visit *v, const struct act *act, struct err *e);
/* Takes the coder's last act back; *post_id is its post. ST_NO when there is none. */
enum status MUST_USE web_undo(struct visit *v, int64_t *post_id, struct err *e);
/* The id of one more problem of the post: "65160023_2". */
enum status MUST_USE web_other_problem(struct visit *v, int64_t post_id, struct buf *subject,
                                       struct err *e);

/* --- settling.c --- */

/* Whether coders may see what others decided; until then no page has a byte of it. */
enum status MUST_USE settling_is_open(struct visit *v, bool *open, struct err *e);
/* The same; false, and the answer is set, when it is not or cannot be known. */
bool settling_must_be_open(struct visit *v, const char *title, const char *here);

/* --- pages: GET and POST; each writes v->answer --- */

void code_page(struct visit *v);
void code_form(struct visit *v);
void codebook_page(struct visit *v);
void keys_page(struct visit *v);
void settle_page(struct visit *v);
void settle_form(struct visit *v);
void agreement_page(struct visit *v);
void results_page(struct visit *v);
void results_file(struct visit *v);
void search_page(struct visit *v);
void api_page(struct visit *v);

void api_next(struct visit *v);
void api_post(struct visit *v);
void api_progress(struct visit *v);
void api_codebook(struct visit *v);
void api_decide(struct visit *v);
void api_undo(struct visit *v);
void api_quote(struct visit *v);
/* The JSON object that was sent; NULL, and the answer is set, for anything else. json_decref. */
struct json_t *api_body(struct visit *v);

/* --- keys.c --- */

/* The key of the nth code of a facet: "q", or "Q" with shift; "" when they are used up. */
const char *key_of_code(size_t n);
/* Commands with their keys, for the page and for page.js; name NULL ends. */
struct key_command {
    const char *name, *key, *what;
};
extern const struct key_command key_commands[];

/* --- embedded files (scripts/embed-web) --- */

struct web_file {
    struct span name, content;
};
extern const struct web_file web_files[];
extern const size_t web_file_count;

#endif
