/* The ids of posts, "45" or with their site "ds:45"; those of problems have _1, _2, … if a post has several. */
#include "label/label.h"

#include "base/study/study.h"
#include "base/table/table.h"

#include <inttypes.h>

static bool number_read(struct span text, int64_t *number)
{
    uint64_t value;

    if (text.len == 0 || text.ptr[0] == '0' || !span_u64(text, STUDY_ID_MAX, &value))
        return false;
    *number = (int64_t)value;
    return true;
}

bool post_id_read(struct span text, int64_t *post_id)
{
    size_t colon = span_find(text, SPAN(":"));
    int64_t code = 0;

    if (colon != SIZE_MAX) {
        code = study_site_code((struct span){text.ptr, colon});
        if (code == 0)
            return false;
        text = (struct span){text.ptr + colon + 1, text.len - colon - 1};
    }
    if (!number_read(text, post_id))
        return false;
    *post_id = study_id(code, *post_id);
    return true;
}

bool problem_id_read(struct span text, int64_t *post_id)
{
    struct span rest = text, head, tail = SPAN("1");
    int64_t number;

    if (!span_cut(&rest, '_', &head))
        return false;
    if (head.len < text.len)
        tail = (struct span){text.ptr + head.len + 1, text.len - head.len - 1};
    return post_id_read(head, post_id) && number_read(tail, &number);
}

void post_id_add(struct buf *out, int64_t post_id)
{
    char text[POST_ID_TEXT_SIZE];

    buf_add_text(out, post_id_text(post_id, text));
}

void post_id_cell(struct table *t, int64_t post_id)
{
    char text[POST_ID_TEXT_SIZE];

    if (study_id_code(post_id) == 0)
        table_add_int(t, post_id);
    else
        table_add_text(t, span_of(post_id_text(post_id, text)));
}

void post_id_add_json(struct buf *out, int64_t post_id)
{
    const char *quote = study_id_code(post_id) != 0 ? "\"" : "";

    buf_add_text(out, quote);
    post_id_add(out, post_id);
    buf_add_text(out, quote);
}

const char *post_id_text(int64_t post_id, char out[POST_ID_TEXT_SIZE])
{
    size_t n = 0;

    if (study_id_code(post_id) != 0) {
        n = study_site_short(study_id_code(post_id), out);
        out[n++] = ':';
    }
    snprintf(out + n, POST_ID_TEXT_SIZE - n, "%" PRId64, study_id_number(post_id));
    return out;
}
