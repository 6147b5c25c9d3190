/* site: what the pages of web share: a visit, its fields, the frame of a page. For web only. */
#pragma once

#include <pthread.h>

#include "label/coding/act.h"
#include "label/coding/queue.h"
#include "db/db.h"
#include "label/label.h"
#include "label/post_hints.h"
#include "base/study/study.h"
#include "web/web.h"

enum {
    FIELDS_MAX = 256, /* of a query or a form */
    SESSIONS_MAX = 256,
    SESSIONS_OF_LINK = 16, /* its oldest one makes room */
    WORKERS_MAX = 6,       /* connections to the database */
    SCREENINGS_MAX = 32,   /* of coders, open at once */
    TRAIL_MAX = 64         /* posts that "back" goes through */
};

/* --- who visits --- */

struct session {
    char sha256[65];          /* of the cookie; "": free */
    char link_sha256[65];     /* of the link that it came by, which may be revoked; "": the launch link */
    uint64_t began;           /* in the order of sessions */
    int64_t user;             /* who has it: a cookie goes to every port of a host, so others may get it */
    int64_t trail[TRAIL_MAX]; /* the posts that were shown, the last one at the end */
    size_t n_trail;
    size_t n_judged; /* posts since the first one was */
    double busy_seconds, last_judged;
    char act_id[33]; /* of its last act, as its page calls it; "": none */
    int64_t undone;  /* the post of that act, when it was an undo */
};

/* --- what answers --- */

/* A connection with what is read from it once. */
struct worker {
    struct db *db;
    struct study study;
    struct stored_codebook book;
    struct post_hints hints;
    bool busy, has_text;
};

struct web {
    struct web_options options;
    struct buf coder;
    struct queue_lists lists; /* the posts of options.posts, in their order */
    struct ARRAY_OF(struct span) hosts;
    struct arena arena;
    uint16_t port;
    char launch_sha256[65]; /* "": used up */
    struct buf launch;
    struct session sessions[SESSIONS_MAX];
    uint64_t n_sessions;
    struct worker workers[WORKERS_MAX];
    int64_t n_candidates;    /* as they were a moment ago */
    double counted;          /* when; 0: not yet */
    pthread_mutex_t lock;    /* of sessions, workers and candidates */
    pthread_mutex_t writing; /* one act at a time: the others wait here, not in SQLite */
    struct waiting *waiting; /* for a worker, in the order in which they came */
    struct server *server;
    struct db *checkpointer; /* of checkpoint_run alone; NULL: not opened yet */
    struct kept *kept;
    struct screenings *screenings;
    struct relations *relations;
    struct team *team; /* NULL: one coder alone */
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
    struct screening_place *screening; /* that is used; NULL: none */
    struct span path, coder;           /* coder: "" without a session */
    size_t session;                    /* its place */
    bool is_owner, wants_json;
    struct fields query, form;
    int64_t seen_version; /* of the codebook on the page that sends this; 0: that of now */
    struct json_t *keys;  /* that the coder changed; NULL: not read */
    struct json_t *body;  /* of a POST to /api/: an object */
    struct arena arena;
    struct err error;
};

/* The path after its beginning. */
static inline struct span web_rest(const struct visit *v, const char *begin)
{
    return span_after(v->path, strlen(begin));
}

/* The value of a field, the last one of that name; ptr NULL without. */
struct span field_of(const struct fields *fields, const char *name);
/* The same, trimmed; ptr NULL when nothing is left, too. */
struct span field_text(const struct fields *fields, const char *name);
/* Reads "a=1&b=2"; false for bad UTF-8, a NUL, a bad '%', or too many. */
bool MUST_USE fields_read(struct fields *out, struct span text, struct arena *arena);

/* --- guard.c: who may --- */

/* Fills w->hosts. */
void guard_open(struct web *w);
/* 0, or the code to refuse with; *why says so in words. Sets the coder of the visit. */
unsigned guard_check(struct visit *v, const char **why);
/* False without a session; else the coder of the visit is set. */
bool guard_find_session(struct visit *v);
/* Exchanges the token of a launch link for a session and its cookie in the answer; false for a bad or used link. */
bool guard_launch(struct visit *v, struct span token);
/* In a time that does not depend on where they differ; false for an empty one. 64 digits. */
bool same_hash(const char *a, const char *b);
/* 256 random bits in hexadecimal, and their hash. */
void guard_draw(struct buf *token, char sha256[65]);

/* --- team.c: links of coders --- */

/* Reads the file; team_close in any case. */
enum status MUST_USE team_open(struct team **out, const char *path, struct err *e);
void team_close(struct team *t);
/* Whose link has this hash, by the file as it is now. The caller has w->lock. */
bool team_find(struct team *t, const char sha256[65], struct arena *arena, struct span *coder, bool *is_owner);
struct coder_names ARRAY_OF(struct span);
/* Those who have a link, added to *out. The caller has w->lock. */
void team_coders(struct team *t, struct coder_names *out, struct arena *arena);

/* --- http.c --- */

void server_stop(struct web *w); /* nothing when none listens */

/* --- peer.c --- */

enum { PEER_ELSEWHERE = -1 };

/* The user of this machine whose program has the other end of the TCP connection; PEER_ELSEWHERE for another machine, a
 * closed connection, or where the system does not tell. */
int64_t peer_user(int fd);

/* --- workers.c --- */

/* A connection for this visit, current with the codebook; v->worker is NULL when that fails. */
enum status MUST_USE worker_take(struct visit *v, struct err *e);
void worker_give(struct visit *v);
void workers_close(struct web *w);

/* --- kept.c: answers that take long to compute --- */

enum { KEPT_NEVER = -1 }; /* a version of the database with which nothing is kept */

void kept_open(struct web *w);
void kept_close(struct web *w); /* nothing when it was not opened */
/* Answers as it was answered before, if nothing was written since; *version is for kept_put. */
bool kept_find(struct visit *v, int64_t *version);
/* Keeps an answer that was computed after kept_find. */
void kept_put(struct visit *v, int64_t version);

/* Moves saves from the write-ahead log into the database, so that no save has to. One thread calls it, about once a
 * second. */
void checkpoint_run(struct web *w);

/* --- answers --- */

/* Sets code and type, and empties the body. */
void answer_begin(struct visit *v, unsigned code, const char *type);
/* JSON that begins with the id of a post; 0: null. */
void answer_begin_of(struct visit *v, const char *before, int64_t post_id);
enum status answer_see(struct visit *v, const char *fmt, ...) PRINTF_LIKE(2, 3); /* 303; ST_OK */
/* A page, or JSON, that says what went wrong. ST_OK: it is the answer. */
enum status answer_refuse(struct visit *v, unsigned code, const char *why);
/* Of what is read for the answer when the act is stored already: a fault then says so. */
enum status MUST_USE answer_after(struct visit *v, enum status status);

/* --- page.c: the frame --- */

void page_begin(struct visit *v, const char *title, const char *here);
void page_end(struct visit *v);
/* before, the text escaped, after */
void page_text(struct buf *out, const char *before, struct span text, const char *after);
/* The tag of a field that is not seen. */
void page_hidden(struct buf *out, const char *name, struct span value);
/* What the guide says of the code. */
void page_rules(struct buf *out, const struct codebook *c, size_t code);
/* The head of a table: "Of;Facet;Why". Its body begins. */
void page_table(struct buf *out, const char *columns);
/* A link to a post or problem: before, the link, after. False, and nothing is written, when the text is not an id. */
bool page_subject(struct buf *out, const char *before, struct span subject, const char *after);
/* Text as a value in the query of an address. */
void page_encoded(struct buf *out, struct span text);

/* --- html.c: HTML of web/parts.html --- */

/* Adds the part that the first text names; the other texts, escaped, replace each {}. A backslash joins lines. */
#define html(out, ...) \
    html_add(out, (const struct span[]){__VA_ARGS__}, sizeof((const struct span[]){__VA_ARGS__}) / sizeof(struct span))
void html_add(struct buf *out, const struct span *texts, size_t n);
struct span html_number(struct visit *v, int64_t number); /* lives as long as the visit */
/* An attribute, say, that is there only then. */
static inline struct span html_if(bool is, const char *text)
{
    return is ? span_of(text) : SPAN("");
}

/* --- thread.c: a post with its question, answers and comments --- */

struct thread_post {
    struct buf title, body; /* as stored; body: HTML */
};

/* Reasons quote a post as page.js does it: “its words” [body 10-25]. */
struct thread_quotes ARRAY_OF(struct span);
/* Writes the thread and fills *post; marks keywords or, if there are reasons, what they quote. ST_NO, with words, when
 * the database has no such post. thread_post_clear in any case. */
enum status MUST_USE thread_write(struct visit *v, int64_t post_id, const struct thread_quotes *reasons,
                                  struct thread_post *post, struct err *e);
void thread_post_clear(struct thread_post *post);

/* --- relations.c: which candidates say nearly the same or link to each other --- */

struct post_relations;

void relations_open(struct web *w);
void relations_close(struct web *w); /* nothing when it was not opened */
/* A thread reads it at the first request, and again when the candidates change. NULL during the first reading, after a
 * moment's wait; otherwise it lives as long as the server. */
const struct post_relations *relations_of(struct visit *v);

/* --- progress.c: which post comes next, and how far a coder is --- */

struct progress_state {
    int64_t judged, total;
    double per_hour, hours_left; /* 0: unknown */
};

/* The queue of the visit's coder. */
struct queue queue_of(const struct visit *v);
enum status MUST_USE progress_read(struct visit *v, struct progress_state *out, struct err *e);
/* For an owner: how far each coder with assigned posts is, or else with a link; nothing of what they said. */
enum status MUST_USE progress_of_team(struct visit *v, struct err *e);
void progress_json(struct buf *out, const struct progress_state *p);
void trail_add(struct visit *v, int64_t post_id);
/* The post before this one; 0: none. */
int64_t trail_back(struct visit *v, int64_t post_id);
void progress_count(struct visit *v); /* a post was judged */

/* --- acts.c --- */

enum { WEB_STATE_SIZE = 48 };

/* What an act was made on. */
struct act_on {
    int64_t post_id;    /* of the page */
    struct span state;  /* of web_state, when the page was made; ptr NULL: whatever it is */
    struct span act_id; /* drawn by the page, the same when it sends the act again; len 0: none */
};

/* What may have changed: what the coder said about the post, or about any; what all coders decided about the post. */
enum web_state_of { STATE_OF_POST, STATE_OF_ANY, STATE_OF_ALL };

/* A name for it; the first two have one name, in two parts. After it is the version of the codebook. */
enum status MUST_USE web_state(struct visit *v, enum web_state_of of, int64_t post_id, char out[WEB_STATE_SIZE],
                               struct err *e);
/* The version of the codebook that a page with this state showed; 0: it is not said. */
int64_t web_state_version(struct span state);
/* ST_NO, with words, when it changed since. */
enum status MUST_USE web_state_check(struct visit *v, enum web_state_of of, int64_t post_id, struct span state,
                                     struct err *e);
/* Answers ST_NO of it: nothing was saved, what was typed is not lost, and the link leads to the post as it is. */
enum status answer_stale(struct visit *v, const char *link);
/* A page sends its act again when the answer was lost: was it done already? The caller has web->writing, and keeps the
 * act once it is done. */
bool web_is_again(struct visit *v, const struct act_on *on);
void web_keep_act(struct visit *v, const struct act_on *on);
/* ST_NO as web_state_check. An act that was done already is not done again. */
enum status MUST_USE web_act(struct visit *v, const struct act *act, const struct act_on *on, struct err *e);
/* Undoes the coder's last act, on any post or (of not 0) that one; *post_id is its post. ST_NO: none, or as web_act. */
enum status MUST_USE web_undo(struct visit *v, int64_t of, const struct act_on *on, int64_t *post_id, struct err *e);

/* --- screenings.c --- */

struct screening;

void screenings_open(struct web *w);
void screenings_close(struct web *w); /* nothing when it was not opened */
/* The screening of the visit's coder, for this visit alone until screening_give. ST_NO: still opening; ask later. */
enum status MUST_USE screening_take(struct visit *v, struct screening **out, struct err *e);
void screening_give(struct visit *v); /* nothing when none was taken */

/* --- settling.c --- */

extern const char settling_gap[]; /* begins a reason that says that the guide has a gap */

/* Whether coders may see what others decided; until then no page shows it. If not, sets the answer. */
enum status MUST_USE settling_must_be_open(struct visit *v, const char *title, const char *here, bool *open);

/* --- pages: GET and POST; each writes v->answer, or returns what answer_fault answers --- */

typedef enum status web_page(struct visit *v);
web_page code_page, code_form, screen_page, screen_form, codebook_page, code_change_form, keys_page, settle_page,
    settle_form;
web_page overruled_page, agreement_page, results_page, results_file, benchmark_page, campaign_page, campaign_findings;
web_page search_page, image_file, api_page;
web_page api_next, api_post, api_progress, api_codebook, api_decide, api_screen, api_screen_answer, api_undo, api_quote,
    api_keys;
web_page api_thread, api_say;
web_page code_change_page; /* of the code or the facet in the query */
/* The visitor's labels that must be checked again, and the changes of the codebook. */
enum status MUST_USE codebook_history(struct visit *v, struct err *e);
/* Reads v->body; false, with the answer set, unless it is an object with only members that the address takes, of their
 * kinds. */
bool MUST_USE api_body_read(struct visit *v);
/* A text of it, trimmed; ptr NULL: there is none of that name. */
struct span body_text(const struct json_t *object, const char *name);
/* Its member post_id: a number, or a text such as "ds:45". False: it is neither. */
bool body_post_id(const struct json_t *body, int64_t *post_id);

/* --- keys.c --- */

enum { KEYS_CODE = 1, KEYS_SCREEN = 2 };

/* Reads what the visit's coder changed; before the two below. */
enum status MUST_USE keys_read(struct visit *v, struct err *e);
/* The key of the nth code of a facet: "q", or "Q" with shift; "" when they are used up. */
const char *key_of_code(const struct visit *v, struct span facet, struct span code, size_t nth);
/* The commands of a page, to be opened with '?'. */
void keys_add(struct visit *v, unsigned where);

/* --- embedded files (scripts/embed-web) --- */

struct web_file {
    struct span name, content;
};
extern const struct web_file web_files[];
extern const size_t web_file_count;
