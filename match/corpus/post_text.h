/* post_text: one post's fields as text, and the keyword hits in them. */
#pragma once

#include "match/match.h"
#include "base/study/study.h"

/* The fields that are matched, in the order of their hits. */
enum field { FIELD_TITLE, FIELD_BODY, FIELDS };

const char *field_name(enum field field);

/* Works on one post after another; one per thread. */
struct post_text {
    struct matcher *matcher;
    enum text_options options;
    bool matched[FIELDS]; /* the fields the study matches */
    struct buf text[FIELDS];
};

/* Borrows the set. TEXT_INCLUDE_CODE is added to the options where the study wants it. */
void post_text_init(struct post_text *t, const struct match_set *set, const struct study *study,
                    enum text_options options);
void post_text_clear(struct post_text *t);
/* Fills t->text. */
/* Takes texts that were extracted before. */
void post_text_set(struct post_text *t, struct span title, struct span body);
void post_text_extract(struct post_text *t, struct span title, struct span body_html);
/* The hits of a field of the extracted post, none in one that is not matched; *hits lives until the next call. */
size_t post_text_find(struct post_text *t, enum field field, const struct hit **hits);
