/* subject: a problem belongs to its question. An answer is judged only where the study's candidates include answers and
 * it is one of them; elsewhere it may be the evidence for a problem. */
#pragma once

#include "db/posts.h"

/* Where the post stands; *held: it is stored. */
enum status MUST_USE subject_standing(struct db *db, int64_t post_id, struct db_standing *post, bool *held,
                                      struct err *e);
/* Such a post is not judged itself. */
bool subject_is_refused(const struct db_standing *post);
/* Says so, and what to code instead; appended. */
void subject_refusal(const struct db_standing *post, struct buf *out);

/* ST_INPUT with these words when the post is stored and is not judged itself. */
enum status MUST_USE subject_check(struct db *db, int64_t post_id, struct err *e);
/* ST_INPUT unless the answer is one to this post; *held: it is stored, else nothing is known of it. */
enum status MUST_USE subject_check_evidence(struct db *db, int64_t answer_id, int64_t post_id, bool *held,
                                            struct err *e);

/* How many posts are judged or coded against this rule, and one of them: coded before it was stored, or in a copy. */
struct subjects_misplaced {
    size_t n;
    int64_t answer_id, question_id; /* question_id 0: unknown */
};

enum status MUST_USE subjects_misplaced(struct db *db, struct subjects_misplaced *out, struct err *e);
