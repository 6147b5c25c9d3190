/* The ids of problems: a post's, with _1, _2, … when it holds several. */
#include "label/label.h"

/* Post ids are 32-bit, as elsewhere. */
static bool read_number(struct span text, int64_t *number)
{
    uint64_t value;

    if (text.len == 0 || text.ptr[0] == '0' || !span_u64(text, UINT32_MAX, &value))
        return false;
    *number = (int64_t)value;
    return true;
}

bool post_id_read(struct span text, int64_t *post_id)
{
    return read_number(text, post_id);
}

bool problem_id_read(struct span text, int64_t *post_id)
{
    struct span rest = text, head, tail = SPAN("1");
    int64_t number;

    span_cut(&rest, '_', &head);
    if (head.len < text.len)
        tail = (struct span){text.ptr + head.len + 1, text.len - head.len - 1};
    return read_number(head, post_id) && read_number(tail, &number);
}
