/*
 * post: the contract in memory between where posts come from (fetch) and where they are kept (db).
 *
 * A post's spans are borrowed: they live as long as what handed the post out says. Text is valid
 * UTF-8. An absent text has ptr NULL; an empty one has len 0 and ptr set. An absent number is
 * POST_ABSENT.
 */
#ifndef POST_H
#define POST_H

#include "base/base.h"

#define POST_ABSENT INT64_MIN

/* The ids of Stack Exchange are 32-bit integers. */
#define POST_ID_MAX INT64_C(0x7fffffff)

struct post {
    int64_t post_id;
    int64_t type; /* PostTypeId of the dump schema: 1 question, 2 answer, …; see post_type_name */
    int64_t parent_id;
    int64_t accepted_answer_id;
    struct span created_at; /* "2018-01-02T01:12:20.123Z", UTC, all dates */
    struct span deleted_at;
    int64_t score;
    int64_t view_count;
    struct span body_html; /* as the site stores it: HTML, decoded once from XML or JSON */
    struct span title;     /* plain text */
    struct span tags;      /* a JSON array of strings; absent for posts without tags */
    int64_t owner_user_id;
    struct span owner_display_name;
    int64_t last_editor_user_id;
    struct span last_editor_display_name;
    struct span last_edited_at;
    struct span last_activity_at;
    int64_t answer_count;
    int64_t comment_count;
    int64_t favorite_count;
    struct span closed_at;
    struct span community_owned_at;
    struct span content_license; /* "CC BY-SA 4.0"; derived from created_at where not given */
};

/* A post with everything absent. */
struct post post_empty(void);

/* "question", "answer", "orphaned_wiki", … for PostTypeId; NULL for a number without a name.
 * Names after the PostTypes table of the Stack Exchange Data Explorer. */
const char *post_type_name(int64_t type);
#define POST_QUESTION 1
#define POST_ANSWER 2

/* The content licence of a contribution made at `date` (ISO 8601): CC BY-SA 2.5 until 2011-04-07,
 * 3.0 until 2018-05-01, 4.0 from 2018-05-02 (https://stackoverflow.com/help/licensing). */
struct span post_license_at(struct span date);

/* True for the two rows that the data dumps of 2025 contain as a watermark and that no user
 * wrote. */
bool post_is_watermark(int64_t post_id);

/* Takes the next tag off *rest, which holds the dump's "<a><b>" or "|a|b|" with XML decoded. */
bool post_tag_next(struct span *rest, struct span *tag);

/* Normalises "2018-01-02T01:12:20", with or without fraction and Z, to TIME_TEXT_SIZE - 1 bytes
 * "2018-01-02T01:12:20.000Z"; false when it is no such date. */
bool post_date(struct span text, char out[TIME_TEXT_SIZE]);

#endif
