/* forms: what records of other programs look like, and how their members map to struct post; private to fetch. forms.c
 * has the table, form.c reads by it. */
#pragma once

#include "fetch/fetch.h"

#include <jansson.h>

/* What a rule fills, by offset; struct post and a little more. */
struct taken {
    struct post post; /* of a comment: post_id is its own id, parent_id its post; of a
                        * link, parent_id is the other post, and type LinkTypeId */
    int64_t edited, reply_to;
    struct span author_link, editor_link;
};

/* First the numbers, then what is neither number nor text, then the texts. */
enum form_as {
    AS_NUMBER,
    AS_MINUS,       /* a number that is taken from the one that is there; absent: there is none */
    AS_TYPE,        /* PostTypeId */
    AS_TYPE_NAME,   /* of docs/posts.md */
    AS_LAST_NUMBER, /* the digits at the end of a link */
    AS_FLAG,
    AS_SKIP,    /* true: no post */
    AS_VERSION, /* the last of the numbers */
    AS_LIST,
    AS_ISO_DATE, /* as docs/posts.md has dates */
    AS_DATE,     /* in the spellings of databases and trackers */
    AS_EPOCH,    /* seconds; a date, too */
    AS_TAGS,
    AS_SITE, /* host and path of a link to a project, or to what is in it */
    AS_HOST,
    AS_STACK_SITE, /* the name that the API of Stack Exchange has for a site */
    AS_TEXT,       /* from here on, an empty text is a text */
    AS_PLAIN,      /* a text that the API of Stack Exchange escaped for HTML */
    AS_HTML,
    AS_MARKDOWN,
    AS_PLAIN_MARKDOWN,
    AS_LINES /* a text that is not HTML */
};

#define OWN_FAMILY "posts of docs/posts.md"

struct form_rule {
    size_t to; /* in struct taken */
    enum form_as as;
    const char *from; /* names, with dots between those of objects in each other; "a|b": the first that is there */
    const struct form *each; /* of AS_LIST */
};

enum { FORM_COMMENT = -1, FORM_AUTHOR = -2, FORM_LINK = -3, FORM_ANY_TYPE = 0 }; /* in place of a post's type */

struct form {
    const char *name;    /* of one: "an issue of GitHub" */
    const char *family;  /* a file has one */
    const char *backend; /* of Perceval, before the categories: "GitHub issue pull_request" */
    /* The members that such an object has, and only it: "a|b c !d" is a or b, and c, and not d. */
    const char *known;
    int64_t type;
    int64_t row;                     /* of ids that are counted by themselves */
    const struct form_rule *rules;   /* up to one without a name */
    void (*prepare)(json_t *object); /* what no rule says; may be NULL */
    const char *within;              /* of an object around posts: where they are, by blanks */
    const char *refused;             /* why it is known, and not taken */
    bool authors;                    /* who wrote is told */
    bool licensed;                   /* under the licence of its date */
    bool needs_text;                 /* one without a text is not a post */
    bool tracker;                    /* of a site that is not of Stack Exchange: it is to be named */
    bool closed;                     /* other members than those of the rules make it another form */
    const char *texts;               /* without one of these, too: one of the others may be the text */
};

extern const struct form forms[];
extern const size_t n_forms;

/* Objects around a list of others: the member that shows it, and where the list is. */
struct form_wrapper {
    const char *known, *list;
};
extern const struct form_wrapper form_wrappers[];
extern const size_t n_form_wrappers;

/* The member at a path; NULL for none, or null. *name (may be NULL): the name that was there. */
json_t *form_at(const json_t *object, const char *path, struct span *name);

/* Hands a comment to a reader of comments, and an author with an id to a reader of authors. */
enum status MUST_USE form_tell_comment(const struct api_reader *reader, const struct taken *t, struct err *e);
enum status MUST_USE form_tell_author(const struct api_reader *reader, const struct api_author *author, struct err *e);
