/* id_list: ids of posts or problems that a file lists. */
#include "label/id_list.h"

#include "label/label.h"

#include <stdlib.h>

enum { ID_FILE_MAX = 256 << 20 };

static int compare_ids(const void *a, const void *b)
{
    return span_order(*(const struct span *)a, *(const struct span *)b);
}

static void add_id(struct id_list *l, struct span id)
{
    if (l->n == l->capacity) {
        l->capacity = l->capacity > 0 ? 2 * l->capacity : 64;
        l->ids = mem_resize(l->ids, l->capacity, sizeof *l->ids);
    }
    l->ids[l->n++] = arena_copy(&l->arena, id);
}

static size_t column_named(const struct csv_reader *csv, const char *name)
{
    for (size_t i = 0; i < csv->fields.n; i++)
        if (span_eq(span_trim(csv->fields.at[i]), span_of(name)))
            return i;
    return SIZE_MAX;
}

/* In which column of a header the ids stand; SIZE_MAX: it is no header. */
static size_t id_column(const struct csv_reader *csv)
{
    size_t column = column_named(csv, "problem_id");

    return column != SIZE_MAX ? column : column_named(csv, "post_id");
}

static bool is_named(const struct id_list *l, struct span coder)
{
    for (size_t i = 0; i < l->coders.n; i++)
        if (span_eq(l->coders.at[i], coder))
            return true;
    return false;
}

/* Whether a cell "ann;bob" names the coder. */
static bool names_coder(struct id_list *l, struct span names, struct span coder)
{
    struct span name;
    bool found = false;

    while (span_cut(&names, ';', &name)) {
        name = span_trim(name);
        found |= span_eq(name, coder);
        if (name.len > 0 && !is_named(l, name))
            array_add(&l->coders, arena_copy(&l->arena, name));
    }
    return found;
}

static enum status MUST_USE read_rows(struct id_list *l, struct csv_reader *csv, struct span coder,
                                      struct err *e)
{
    enum status status;
    size_t column = 0, coders = SIZE_MAX;
    bool first = true;

    while ((status = csv_next(csv, e)) == ST_OK) {
        int64_t post_id;
        if (csv->fields.at[0].len > 0 && csv->fields.at[0].ptr[0] == '#')
            continue;
        size_t header = first ? id_column(csv) : SIZE_MAX;
        first = false;
        if (header != SIZE_MAX) {
            column = header;
            coders = column_named(csv, "coders");
            continue;
        }
        struct span id = column < csv->fields.n ? span_trim(csv->fields.at[column])
                                                : (struct span){0};
        if (!problem_id_read(id, &post_id))
            return err_set(e, ST_INPUT, "%s:%zu: expected the id of a post or problem, such as"
                           " 65160023 or 65160023_1", csv->name, csv->line);
        struct span names = coders < csv->fields.n ? csv->fields.at[coders] : (struct span){0};
        if (coders == SIZE_MAX || names_coder(l, names, coder) || coder.ptr == NULL)
            add_id(l, id);
    }
    return status == ST_NO ? ST_OK : status;
}

static enum status MUST_USE not_named(const struct id_list *l, const char *path, struct span coder,
                                      struct err *e)
{
    struct buf names = {0};

    for (size_t i = 0; i < l->coders.n; i++) {
        buf_add_text(&names, i > 0 ? ", " : "");
        buf_add_span(&names, l->coders.at[i]);
    }
    err_set(e, ST_INPUT, "%s: no post is assigned to '%.*s'; the column 'coders' names %s", path, (int)coder.len,
            coder.ptr, names.len > 0 ? buf_cstr(&names) : "nobody");
    buf_clear(&names);
    return ST_INPUT;
}

static void sort(struct id_list *l)
{
    size_t kept = 0;

    if (l->n > 0)
        qsort(l->ids, l->n, sizeof *l->ids, compare_ids);
    for (size_t i = 0; i < l->n; i++)
        if (i == 0 || !span_eq(l->ids[i], l->ids[kept - 1]))
            l->ids[kept++] = l->ids[i];
    l->n = kept;
}

static size_t find(const struct id_list *l, struct span id)
{
    const struct span *found =
        l->n > 0 ? bsearch(&id, l->ids, l->n, sizeof *l->ids, compare_ids) : NULL;

    return found != NULL ? (size_t)(found - l->ids) : SIZE_MAX;
}

/* Sorts; of an id that comes twice the first place counts. */
static void order(struct id_list *l)
{
    size_t n = l->n, n_ordered = 0;
    struct span *as_read = mem_zero(n + 1, sizeof *as_read);
    bool *seen = mem_zero(n + 1, sizeof *seen);

    if (n > 0)
        memcpy(as_read, l->ids, n * sizeof *as_read);
    sort(l);
    l->order = mem_zero(l->n + 1, sizeof *l->order);
    for (size_t i = 0; i < n; i++) {
        size_t place = find(l, as_read[i]);
        if (!seen[place])
            l->order[n_ordered++] = place;
        seen[place] = true;
    }
    mem_free(as_read);
    mem_free(seen);
}

enum status id_list_read(struct id_list *out, const char *path, struct err *e)
{
    return id_list_read_of(out, path, (struct span){0}, e);
}

enum status id_list_read_of(struct id_list *out, const char *path, struct span coder, struct err *e)
{
    struct buf content = {0};
    struct csv_reader csv;

    *out = (struct id_list){0};
    enum status status = file_read(path, ID_FILE_MAX, &content, e);
    if (status == ST_OK) {
        csv_open(&csv, buf_span(&content), path);
        status = read_rows(out, &csv, coder, e);
        csv_close(&csv);
    }
    buf_clear(&content);
    order(out);
    if (status == ST_OK && out->n == 0 && out->coders.n > 0)
        return not_named(out, path, coder, e);
    if (status == ST_OK && out->n == 0)
        status = err_set(e, ST_INPUT, "%s: no id in it", path);
    return status;
}

void id_list_clear(struct id_list *l)
{
    mem_free(l->ids);
    mem_free(l->order);
    array_clear(&l->coders);
    arena_clear(&l->arena);
    *l = (struct id_list){0};
}

bool id_list_has(const struct id_list *l, struct span id)
{
    return find(l, id) != SIZE_MAX;
}
