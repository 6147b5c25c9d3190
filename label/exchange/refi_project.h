/* refi_project: a project of REFI-QDA as read, and names and places of both directions. For refi_*.c only. */
#pragma once

#include "base/post/post.h"
#include "label/exchange/refi.h"

#define REFI_PROJECT "urn:QDA-XML:project:1.0"
#define REFI_CODEBOOK "urn:QDA-XML:codebook:1.0"
#define REFI_ORIGIN "ppmine"

/* A category, or code, with those that it is within; either may be empty. */
struct span MUST_USE refi_path(struct arena *arena, struct span category, struct span name);

/* The variables of a source that are not members of a post (base/post/post.h). */
extern const char *const refi_variables[];
enum { REFI_POST_ID, REFI_SITE, REFI_POST_TYPE, REFI_VARIABLES };

enum refi_kind { REFI_CODE, REFI_USER, REFI_SOURCE, REFI_NOTE, REFI_VARIABLE };

struct refi_thing {
    enum refi_kind kind;
    size_t place; /* in its list below */
};

#define MAP_NAME guid_map
#define MAP_KEY struct span
#define MAP_VALUE struct refi_thing
#include "base/map.h"

struct refi_user {
    struct span name;
    bool is_merged;
};

struct refi_code {
    struct span name, definition;
    size_t parent, depth; /* parent SIZE_MAX: at the top */
    bool codable, has_children, is_used;
    /* of refi_arrange: */
    bool is_code;         /* else it is but a facet or a category */
    size_t facet;         /* place in facets */
    struct span category; /* the path above it */
    struct span unique;   /* its name in the codebook, where no other code of the facet has it */
};

struct refi_facet {
    struct span name, title, asks;
    bool yes_no;
    size_t most; /* codes that one coder gave at once */
};

struct refi_memo {
    struct span text, at;
    size_t user; /* SIZE_MAX: not said */
    bool is_used;
};

struct refi_source {
    struct span name, text;       /* text.ptr NULL: not in the file */
    size_t n_characters, n_units; /* of the text: the units are those of UTF-16 */
    /* of refi_arrange: */
    size_t site;
    int64_t number;   /* of the post, on its site */
    bool is_held;     /* it becomes a post */
    struct post post; /* with what the variables say */
    size_t body;      /* where the body begins in the text */
};

struct refi_coding {
    size_t source, code, user, problem; /* problem 0: the post's only one */
    struct span at, reason;             /* len 0: not said */
    bool is_passage;
    size_t start, end;   /* of it; refi_arrange makes bytes of the text of what the file counts */
    size_t facet, place; /* of refi_arrange: of the code; in the file */
};

struct refi_remark {
    size_t source, memo, problem;
};

struct refi_pin {
    size_t code, memo; /* code SIZE_MAX: of the project */
};

struct refi_value {
    size_t source, variable;
    struct span text;
};

struct refi_site {
    struct span short_name, name;
};

struct refi {
    struct span title, origin;
    struct ARRAY_OF(struct refi_user) users;
    struct ARRAY_OF(struct refi_code) codes; /* parents before their children */
    struct ARRAY_OF(struct refi_facet) facets;
    struct ARRAY_OF(struct span) variables;
    struct ARRAY_OF(struct refi_memo) memos;
    struct ARRAY_OF(struct refi_source) sources;
    struct ARRAY_OF(struct refi_coding) codings;
    struct ARRAY_OF(struct refi_remark) remarks;
    struct ARRAY_OF(struct refi_pin) pins;
    struct ARRAY_OF(struct refi_value) values;
    struct ARRAY_OF(struct refi_site) sites;
    struct guid_map guids;
    size_t passages, colours, astral; /* texts with characters that are two units of UTF-16 */
    bool utf16;                       /* positions count such units */
    struct buf left_out;              /* lines */
    struct arena arena;
};

/* Decides which code is a facet, a category or a code, and which post a source is. */
enum status MUST_USE refi_arrange(struct refi *r, const char *name, struct err *e);
