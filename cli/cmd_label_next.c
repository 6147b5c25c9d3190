/* label next: the next post for a coder, with all that is needed to judge it. */
#include "base/log.h"
#include "base/visible.h"
#include "cli/options.h"
#include "label/coding/decisions.h"
#include "label/coding/queue.h"
#include "label/label.h"

#include <inttypes.h>

/* --- which post --- */

/* The post that comes next, and how far the coder is in a list. */
struct place {
    int64_t post_id;         /* 0: none */
    size_t judged, n_listed; /* n_listed 0: no list */
};

static enum status MUST_USE choose(const struct invocation *in, struct span coder, struct place *out, struct err *e)
{
    const char *posts = in->values.posts, *after_text = in->values.after;
    int64_t after = 0;

    if (after_text != NULL && !post_id_read(span_of(after_text), &after))
        return usage_error(in, e, "--after '%s': expected the id of a post", after_text);
    if (in->n_operands > 0 && !post_id_read(span_of(in->operands[0]), &out->post_id))
        return usage_error(in, e, "'%s': expected the id of a post", in->operands[0]);
    if (in->n_operands > 0)
        return ST_OK;
    if (posts == NULL)
        return db_candidate_next(in->db, coder, in->values.unfinished, after, &out->post_id, e);
    if (in->values.unfinished)
        return usage_error(in, e, "--posts or --unfinished, not both");
    /* The first listed post that the coder has not judged, in the order of the file, in which a sample was drawn: an
     * early stop leaves a smaller sample. */
    AT_END(array_end) struct queue_list list = {0};
    enum status status = queue_list_read(&list, posts, coder, e);
    bool judged = true, is_problem, passed = after == 0;

    out->n_listed = list.n;
    for (size_t i = 0; i < list.n && status == ST_OK; i++) {
        int64_t id = list.at[i];
        status = db_is_judged(in->db, coder, id, &judged, &is_problem, e);
        out->judged += judged;
        if (passed && status == ST_OK && !judged && out->post_id == 0)
            out->post_id = id;
        passed |= id == after;
    }
    return status;
}

/* --- showing it --- */

static enum status MUST_USE print_text(const struct post_view *view, const struct place *place, struct span coder,
                                       struct err *e)
{
    const struct facets *facets = view->book->facets;
    char id[POST_ID_TEXT_SIZE];
    AT_END(buf_clear) struct buf out = {0};
    int64_t candidates, judged;
    enum status status = post_view_text(view, place->post_id, &out, e);

    THEN(status, db_coder_progress(view->db, coder, &candidates, &judged, e));
    if (status != ST_OK)
        return status;
    /* How to go on: "no", or codes. */
    post_id_text(place->post_id, id);
    buf_add_char(&out, '\n');
    buf_addf_clean(&out, "ppmine label set %s --coder '%.*s' --%s no", id, SPAN_ARG(coder),
                   facets->items[FACET_JUDGES].option.ptr);
    buf_add_char(&out, '\n');
    buf_addf_clean(&out, "ppmine label set %s --coder '%.*s'", id, SPAN_ARG(coder));
    for (size_t i = FACET_JUDGES + 1; i < facets->n; i++)
        buf_addf(&out, " --%s %s", facets->items[i].option.ptr, facet_placeholder(&facets->items[i]));
    buf_add_char(&out, '\n');
    fwrite(out.ptr, 1, out.len, stdout);
    if (place->n_listed > 0)
        log_info("%.*s has judged %zu of the %zu listed posts", SPAN_ARG(coder), place->judged, place->n_listed);
    else
        log_info("%.*s has judged %" PRId64 " of %" PRId64 " candidates", SPAN_ARG(coder), judged, candidates);
    return ST_OK;
}

static enum status MUST_USE print_json(const struct post_view *view, const struct place *place, struct span coder,
                                       struct err *e)
{
    AT_END(buf_clear) struct buf out = {0};
    int64_t candidates = 0, judged = 0;

    buf_add_char(&out, '{');
    enum status status = post_view_json(view, place->post_id, &out, e);
    THEN(status, db_coder_progress(view->db, coder, &candidates, &judged, e));
    buf_addf(&out, ",\"judged\":%" PRId64 ",\"candidates\":%" PRId64, judged, candidates);
    if (place->n_listed > 0)
        buf_addf(&out, ",\"listed\":%zu,\"listed_judged\":%zu", place->n_listed, place->judged);
    buf_add_text(&out, "}\n");
    if (status == ST_OK)
        fwrite(out.ptr, 1, out.len, stdout);
    return status;
}

/* --- the command --- */

static enum status run_label_next(struct invocation *in, struct err *e)
{
    bool as_json = false;
    struct place place = {.post_id = 0};
    int64_t candidates, judged;
    AT_END(buf_clear) struct buf coder = {0};
    enum status status = option_json(in, &as_json, e);

    THEN(status, coder_option(in, &coder, e));
    THEN(status, choose(in, buf_span(&coder), &place, e));
    if (status == ST_OK && place.post_id == 0) {
        bool listed = in->values.posts != NULL;
        status = db_coder_progress(in->db, buf_span(&coder), &candidates, &judged, e);
        if (status == ST_OK && candidates == 0 && !listed)
            log_info("there are no candidates yet: ppmine load, then ppmine match");
        else if (status == ST_OK)
            log_info("nothing is left for %s%s", buf_cstr(&coder),
                     in->values.unfinished || listed ? "" : "; --unfinished shows problems that lack codes");
        return status == ST_OK ? ST_NO : status;
    }
    if (status != ST_OK)
        return status;
    AT_END(post_shown_clear) struct post_shown shown;
    status = post_shown_init(&shown, in, e);
    THEN(status, post_shown_relate(&shown, e));
    shown.view.coder = buf_span(&coder);
    THEN(status, (as_json ? print_json : print_text)(&shown.view, &place, buf_span(&coder), e));
    return status;
}

const struct command command_label_next = {
    .name = "label next",
    .summary = "Show the next post that a coder has not judged",
    .operands = "[POST]",
    .options = OPTIONS(
        CODER_OPTION, FLAG("unfinished", unfinished, "show a post that was judged a problem and lacks a code", 'u'),
        TEXT("posts", posts, "FILE", "show only the posts that FILE lists, in its order"),
        TEXT("after", after, "POST", "skip to the first post after POST"), FLAG("blind", blind, "show no hints", 'b'),
        FLAG("no-answers", no_answers, "show the question alone"),
        TEXT("format", format, "FORMAT", "print text or json", 'f')),
    .description = "Shows the candidate with the lowest id that the coder has not judged, or the given post:\n"
                   "the post and its answers, keywords in context, hints, the codes, and how to continue. It\n"
                   "never shows decisions of other coders. If study.ini has 'blind = yes', it shows no hints\n"
                   "either.",
    .examples = EXAMPLES(
        {"ppmine label next --coder ann", NULL},
        {"ppmine label next --coder ann --blind --posts sample.csv", "posts of a sample, without hints"}),
    .nothing = "nothing is left to judge",
    .needs = NEEDS_DB_READ,
    .run = run_label_next,
};
