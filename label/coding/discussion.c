/* discussion: what coders say to each other when they no longer code blind. */
#include "label/coding/discussion.h"

#include "label/coding/act.h"
#include "label/coding/decisions.h"
#include "label/coding/subject.h"
#include "db/study.h"
#include "base/files.h"
#include "base/utf8.h"

static const char setting[] = "settling_opened";

enum status discussion_is_open(struct db *db, bool *open, struct err *e)
{
    AT_END(arena_clear) struct arena arena = {0};
    struct span value = {0};
    enum status status = db_setting_get(db, setting, &arena, &value, e);

    *open = status == ST_OK && value.ptr != NULL;
    return status;
}

static enum status MUST_USE is_person(struct span coder, struct err *e)
{
    if (!coder_is_model(coder))
        return ST_OK;
    return err_set(e, ST_INPUT, "'%.*s' is the name of a language model, and a person says this", SPAN_ARG(coder));
}

enum status discussion_open(struct db *db, struct span by, struct err *e)
{
    char now[TIME_TEXT_SIZE];
    AT_END(buf_clear) struct buf value = {0};
    bool open;
    enum status status = is_person(by, e);

    if (status != ST_OK)
        return status;
    status = db_begin(db, e);
    time_now(now);
    buf_addf(&value, "%s by %.*s", now, SPAN_ARG(by));
    THEN(status, discussion_is_open(db, &open, e));
    if (status == ST_OK && !open)
        status = db_setting_put(db, setting, buf_span(&value), e);
    return db_end(db, status, e);
}

/* --- messages --- */

enum status discussion_say(struct db *db, struct span coder, struct span subject, struct span text, struct err *e)
{
    const struct db_note message = {.coder = coder, .subject = subject, .text = span_trim(text)};
    int64_t post_id;

    if (!problem_id_read(subject, &post_id))
        return err_set(e, ST_INPUT, "'%.*s': expected the id of a post, with _1, _2, … for a problem",
                       SPAN_ARG(subject));
    if (message.text.len == 0 || message.text.len > ACT_TEXT_MAX || utf8_valid_prefix(message.text) < message.text.len)
        return err_set(e, ST_INPUT, "a message is 1 to %d bytes of UTF-8", ACT_TEXT_MAX);
    enum status status = is_person(coder, e);
    if (status != ST_OK)
        return status;
    status = db_begin(db, e);
    THEN(status, coder_must_not_be_merged(db, coder, ", and says nothing", e));
    THEN(status, subject_check(db, post_id, e));
    THEN(status, db_coder_put(db, coder, false, e));
    THEN(status, db_note_put(db, DB_MESSAGE, &message, post_id, e));
    return db_end(db, status, e);
}

enum status discussion_messages(struct db *db, struct span coder, int64_t post_id, struct sql **messages, struct err *e)
{
    bool open = false;
    enum status status = discussion_is_open(db, &open, e);

    *messages = db_notes(db, DB_MESSAGE, open ? (struct span){0} : coder, post_id);
    return status;
}
