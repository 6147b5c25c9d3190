/* The ids of problems: a post's, with _1, _2, … when it holds several. */
#include "label/label.h"

enum { ID_MAX = 0x7fffffff }; /* as POST_ID_MAX: the ids of Stack Exchange are 32-bit integers */

bool post_id_read(struct span text, int64_t *post_id)
{
    uint64_t value;

    if (text.len == 0 || text.ptr[0] == '0' || !span_u64(text, ID_MAX, &value))
        return false;
    *post_id = (int64_t)value;
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
    return post_id_read(head, post_id) && post_id_read(tail, &number);
}
