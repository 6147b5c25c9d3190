/* post_text: the fields of a post as text, and the keyword hits in them. */
#include "match/corpus/post_text.h"

const char *field_name(enum field field)
{
    static const char *const names[] = {[FIELD_TITLE] = "title", [FIELD_BODY] = "body"};

    return names[field];
}

void post_text_init(struct post_text *t, const struct match_set *set, const struct study *study,
                    enum text_options options)
{
    *t = (struct post_text){
        .matcher = matcher_new(set),
        .options = study->include_code ? options | TEXT_INCLUDE_CODE : options,
        .matched = {[FIELD_TITLE] = study->match_title, [FIELD_BODY] = study->match_body},
    };
}

void post_text_clear(struct post_text *t)
{
    matcher_free(t->matcher);
    for (size_t i = 0; i < FIELDS; i++)
        buf_clear(&t->text[i]);
}

void post_text_extract(struct post_text *t, struct span title, struct span body_html)
{
    for (size_t i = 0; i < FIELDS; i++)
        buf_reset(&t->text[i]);
    text_from_title(&t->text[FIELD_TITLE], title);
    text_from_html(&t->text[FIELD_BODY], body_html, t->options);
}

void post_text_set(struct post_text *t, struct span title, struct span body)
{
    for (size_t i = 0; i < FIELDS; i++)
        buf_reset(&t->text[i]);
    buf_add_span(&t->text[FIELD_TITLE], title);
    buf_add_span(&t->text[FIELD_BODY], body);
}

size_t post_text_find(struct post_text *t, enum field field, const struct hit **hits)
{
    static const unsigned bits[] = {[FIELD_TITLE] = KEYWORD_IN_TITLE, [FIELD_BODY] = KEYWORD_IN_BODY};

    if (!t->matched[field])
        return 0;
    matcher_in(t->matcher, bits[field]);
    return matcher_find(t->matcher, buf_span(&t->text[field]), hits);
}
