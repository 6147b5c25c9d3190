/* post_ids: a list of posts, out of a file. */
#include "mine/post_ids.h"

#include "label/label.h"

/* A line is an id of a post; other columns, the _1 of a problem and '#' comments may follow. */
static bool read_id(struct span line, int64_t *id)
{
    size_t len = 0;

    while (len < line.len && strchr("_,;\t #", line.ptr[len]) == NULL)
        len++;
    return post_id_read((struct span){line.ptr, len}, id);
}

enum status post_ids_read(struct post_ids *list, const char *path, struct err *e)
{
    struct buf content = {0};
    struct span rest, line;
    int64_t id;
    enum status status = file_read(path, STUDY_FILE_MAX, &content, e);

    rest = buf_span(&content);
    if (span_starts(rest, SPAN("\xef\xbb\xbf")))
        rest = (struct span){rest.ptr + 3, rest.len - 3};
    for (size_t n = 1; status == ST_OK && span_cut(&rest, '\n', &line); n++) {
        line = span_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        if (!read_id(line, &id))
            status = err_set(e, ST_INPUT, "%s:%zu: expected a post id at the start of the line",
                             path, n);
        else
            list->wanted += id_set_add(&list->ids, id, NULL);
    }
    if (status == ST_OK && list->wanted == 0)
        status = err_set(e, ST_INPUT, "%s: no post id in it", path);
    buf_clear(&content);
    return status;
}

void post_ids_clear(struct post_ids *list)
{
    id_set_clear(&list->ids);
}

bool post_ids_have(const struct post_ids *list, int64_t id)
{
    return id_set_has(&list->ids, id);
}
