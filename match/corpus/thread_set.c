/* thread_set: questions by site and id, out of a file. */
#include "match/corpus/thread_set.h"

#include "base/files.h"

enum { FILE_MAX = 1 << 30 };

static bool read_line(struct span line, struct thread_key *key)
{
    size_t blank = line.len;

    while (blank > 0 && line.ptr[blank - 1] != ' ' && line.ptr[blank - 1] != '\t')
        blank--;
    key->site = span_trim((struct span){line.ptr, blank});
    if (key->site.len == 0)
        key->site = (struct span){0};
    return span_i64((struct span){line.ptr + blank, line.len - blank}, &key->id) && key->id >= 1;
}

enum status thread_set_load(struct thread_set *set, const char *path, struct err *e)
{
    enum status status = file_read(path, FILE_MAX, &set->content, e);
    struct span rest = buf_span(&set->content), line;

    for (size_t n = 1; status == ST_OK && span_cut(&rest, '\n', &line); n++) {
        struct thread_key key;
        line = span_trim(line);
        if (line.len == 0 || *line.ptr == '#')
            continue;
        if (read_line(line, &key))
            thread_map_add(&set->map, key, NULL);
        else
            status = err_set(e, ST_INPUT, "%s:%zu: a line is an id, or a site, a blank and an id", path, n);
    }
    return status;
}

void thread_set_clear(struct thread_set *set)
{
    thread_map_clear(&set->map);
    buf_clear(&set->content);
}

bool thread_set_has(const struct thread_set *set, struct span site, int64_t id, int64_t parent)
{
    if (thread_map_has(&set->map, (struct thread_key){site, id}))
        return true;
    return parent != POST_ABSENT && thread_map_has(&set->map, (struct thread_key){site, parent});
}
