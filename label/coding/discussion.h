/* discussion: what coders say to each other about posts and problems when they no longer code blind. `label discuss
 * --open` or the page Settle opens it once for a study. Until then all may write, and each sees only their own. */
#pragma once

#include "label/coding/decisions.h"

enum status MUST_USE discussion_is_open(struct db *db, bool *open, struct err *e);
/* In its own transaction; it cannot be closed again. Opened already, it stays as it is. */
enum status MUST_USE discussion_open(struct db *db, struct span by, struct err *e);

/* Writes a message in its own transaction. ST_INPUT for a subject that is not the id of a post or problem or is not
 * judged itself, a text that is empty, too long or not valid UTF-8, and a merged coder. */
enum status MUST_USE discussion_say(struct db *db, struct span coder, struct span subject, struct span text,
                                    struct err *e);

/* For db_note_next: messages about a post (0: all) that a coder may see, by time; before it opens, their own. */
enum status MUST_USE discussion_messages(struct db *db, struct span coder, int64_t post_id, struct sql **messages,
                                         struct err *e);
