/* post_hints: what the words of a post suggest. */
#include "label/post_hints.h"

#include "base/files.h"
#include "base/log.h"
#include "stem/stem.h"

#include <inttypes.h>

static const char *const field_names[HINT_FIELDS] = {
    [HINT_TITLE] = "title",
    [HINT_BODY] = "body",
    [HINT_CODE] = "code",
};

enum status post_hints_init(struct post_hints *out, const struct study *study, const char *path, struct err *e)
{
    AT_END(buf_clear) struct buf file = {0};
    struct span content = study_file(study, "hints.csv");
    AT_END(facets_clear) struct facets facets = {0};
    enum status status = ST_OK;

    *out = (struct post_hints){0};
    if (path != NULL) {
        status = file_read(path, STUDY_FILE_MAX, &file, e);
        content = buf_span(&file);
    }
    if (status == ST_OK && content.len > 0)
        status = facets_of_study(&facets, study, e);
    if (status == ST_OK && content.len > 0)
        status = codebook_of_study(&out->codebook, &facets, study, e);
    if (status != ST_OK)
        return status;
    status = hints_load(&out->hints, &out->codebook, content, e);
    /* Its messages name the file as a study has it. */
    struct span name = SPAN("hints.csv");
    struct err why = *e;
    if (status == ST_INPUT && path != NULL && span_starts(span_of(why.text), name))
        status = err_set(e, status, "%s%s", path, why.text + name.len);
    return status;
}

void post_hints_clear(struct post_hints *h)
{
    hint_list_clear(&h->list);
    hints_free(h->hints);
    codebook_clear(&h->codebook);
    for (size_t i = 0; i < HINT_FIELDS; i++)
        buf_clear(&h->content[i]);
    *h = (struct post_hints){0};
}

const struct hint_list *post_hints_find(struct post_hints *h, enum hint_kinds kinds, struct span title,
                                        struct span body_html)
{
    for (size_t i = 0; i < HINT_FIELDS; i++)
        buf_reset(&h->content[i]);
    text_from_title(&h->content[HINT_TITLE], title);
    text_from_html(&h->content[HINT_BODY], body_html, TEXT_PLAIN);
    text_from_html(&h->content[HINT_CODE], body_html, TEXT_ONLY_CODE);
    for (size_t i = 0; i < HINT_FIELDS; i++)
        h->texts[i] = (struct hint_text){field_names[i], buf_span(&h->content[i])};
    if (h->hints != NULL)
        hints_suggest(h->hints, kinds, h->texts, HINT_FIELDS, &h->list);
    return &h->list;
}

void post_hints_tell_losses(const struct post_hints *h, const struct hint_losses *losses, int64_t post_id)
{
    char id[POST_ID_TEXT_SIZE];

    if (losses->given_up == 0)
        return;
    size_t line = hints_row(h->hints, losses->row)->line;
    if (post_id == 0)
        log_debug("%zu patterns took too many steps; the first is in line %zu", losses->given_up, line);
    else
        log_debug("post %s: %zu patterns took too many steps; the first is in line %zu of hints.csv",
                  post_id_text(post_id, id), losses->given_up, line);
}
