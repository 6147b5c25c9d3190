/* screen_options: opens the screening that the options of a command describe. */
#include "cli/screen_options.h"

#include "db/study.h"

static enum status MUST_USE read_options(struct screen_session *s, const struct invocation *in,
                                         struct err *e)
{
    s->how = (struct screening_how){.study = &s->study, .settings = screen_settings_default(),
                                    .rule = {.recall = 0.95, .confidence = 0.95}, .seed = 1,
                                    .refresh = option_given(in, "refresh")};
    enum status status = coder_option(in, &s->coder, e);
    if (status == ST_OK)
        status = option_percent(in, "recall", 1, 100, &s->how.rule.recall, e);
    if (status == ST_OK)
        status = option_percent(in, "confidence", 50, 99.99, &s->how.rule.confidence, e);
    if (status == ST_OK)
        status = option_number(in, "seed", 0, INT64_MAX, &s->how.seed, e);
    s->how.coder = buf_span(&s->coder);
    buf_addf(&s->cache, "%s-screen", in->db_path);
    s->how.cache = option_given(in, "no-cache") ? NULL : buf_cstr(&s->cache);
    return status;
}

enum status screen_session_open(struct screen_session *s, const struct invocation *in,
                                struct err *e)
{
    struct buf why = {0};

    *s = (struct screen_session){0};
    enum status status = read_options(s, in, e);
    if (status == ST_OK)
        status = db_study_load_unlabelled(&s->study, in->db, e);
    if (status == ST_OK)
        status = screening_open(&s->screening, in->db, &s->how, &why, e);
    if (why.len > 0)
        log_warn("%s; the next start reads the posts again (--no-cache: without this file)",
                 buf_cstr(&why));
    if (status == ST_NO)
        log_info("%s has no questions: ppmine load or ppmine fetch brings some", in->db_path);
    buf_clear(&why);
    return status;
}

void screen_session_close(struct screen_session *s)
{
    screening_close(s->screening);
    study_clear(&s->study);
    buf_clear(&s->coder);
    buf_clear(&s->cache);
}

void screen_session_tell(const struct screen_session *s)
{
    struct screening_state now;

    screening_state(s->screening, &now);
    if (now.n_read == 0)
        log_info("%zu posts to read", now.n_posts);
    else
        log_info("%zu of %zu posts read, %zu found; at least %.0f %% of what there is (%g %%"
                 " confidence)%s", now.n_read, now.n_posts, now.n_found,
                 100 * now.recall_least, 100 * s->how.rule.confidence,
                 now.may_stop ? ": you may stop" : "");
}
