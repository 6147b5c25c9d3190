/* subject: what may be judged or coded: a question, not its answers. */
#include "label/coding/subject.h"

#include "label/label.h"

#include <inttypes.h>

bool subject_is_refused(const struct db_standing *post)
{
    return post->is_answer && !post->is_candidate;
}

void subject_refusal(const struct db_standing *post, struct buf *out)
{
    char id[POST_ID_TEXT_SIZE];

    buf_addf(out, "%s is an answer", post_id_text(post->post_id, id));
    post_id_text(post->question_id, id);
    if (post->question_id != 0)
        buf_addf(out, " to %s", id);
    buf_add_text(out, "; a problem belongs to its question");
    if (post->question_id != 0)
        buf_addf(out, ": code %s", id);
}

enum status subject_standing(struct db *db, int64_t post_id, struct db_standing *post, bool *held, struct err *e)
{
    AT_END(buf_clear) struct buf posts = {0};
    enum status status = ST_OK;

    *held = false;
    buf_addf(&posts, "[%" PRId64 "]", post_id);
    for (struct sql *walk = db_standings(db, buf_span(&posts)); db_standing_next(db, walk, post, &status, e);)
        *held = true;
    return status;
}

enum status subject_check(struct db *db, int64_t post_id, struct err *e)
{
    struct db_standing post;
    AT_END(buf_clear) struct buf words = {0};
    char id[POST_ID_TEXT_SIZE];
    bool has_site, held;
    enum status status = db_has_site(db, post_id, &has_site, e);

    if (status == ST_OK && !has_site)
        return err_set(e, ST_INPUT,
                       "%s: the study has no such site; ids need the short name of a site of"
                       " the study, such as so:%lld",
                       post_id_text(post_id, id), (long long)study_id_number(post_id));
    THEN(status, subject_standing(db, post_id, &post, &held, e));
    if (status == ST_OK && held && subject_is_refused(&post)) {
        subject_refusal(&post, &words);
        status = err_set(e, ST_INPUT, "%s, with --evidence %s", buf_cstr(&words), post_id_text(post_id, id));
    }
    return status;
}

enum status subject_check_evidence(struct db *db, int64_t answer_id, int64_t post_id, bool *held, struct err *e)
{
    char answer[POST_ID_TEXT_SIZE], of[POST_ID_TEXT_SIZE], not_of[POST_ID_TEXT_SIZE];
    struct db_standing post;
    enum status status = subject_standing(db, answer_id, &post, held, e);

    if (status != ST_OK || !*held)
        return status;
    if (!post.is_answer)
        return err_set(e, ST_INPUT, "%s is not an answer", post_id_text(answer_id, answer));
    if (post.question_id != post_id)
        return err_set(e, ST_INPUT, "%s is an answer to %s, not to %s", post_id_text(answer_id, answer),
                       post_id_text(post.question_id, of), post_id_text(post_id, not_of));
    return ST_OK;
}

enum status subjects_misplaced(struct db *db, struct subjects_misplaced *out, struct err *e)
{
    struct sql *coded = db_standings(db, (struct span){0});
    struct db_standing post;
    enum status status = ST_OK;

    *out = (struct subjects_misplaced){0};
    while (db_standing_next(db, coded, &post, &status, e))
        if (subject_is_refused(&post) && out->n++ == 0)
            *out = (struct subjects_misplaced){1, post.post_id, post.question_id};
    return status;
}
