/* post_ids: a list of posts, out of a file. */
#include "label/post_ids.h"

#include "base/csv.h"
#include "label/facets.h"
#include "label/id_list.h"

struct list_file {
    struct post_ids *list;
    struct post_judgements *judged;
    const char *path;
    const char *judgement; /* the name of the column with yes and no; NULL: it does not matter */
};

static void add_id(struct post_ids *list, const struct id_row *row)
{
    if (id_set_add(&list->ids, row->post_id, NULL))
        list->wanted++;
    else
        refused_leave(&list->left, row->line, row->post_id, "listed before");
}

static enum status take(void *ctx, const struct id_row *row, struct err *e)
{
    const struct list_file *file = ctx;
    struct post_judgements *j = file->judged;
    struct span text = row->cell;
    bool is_problem = false;

    if (!row->has_cell) {
        add_id(file->list, row);
        return ST_OK;
    }
    j->given = true;
    if (text.len == 0) {
        j->n_open++;
        refused_leave(&file->list->left, row->line, row->post_id, "not judged");
        return ST_OK;
    }
    if (!facet_yes_no(row->delimiter, text, &is_problem))
        return err_set(e, ST_INPUT, "%s:%zu: %s '%.*s': expected yes or no (or true or false, 1 or 0)%s", file->path,
                       row->line, file->judgement, (int)(text.len < 100 ? text.len : 100), text.ptr,
                       csv_is_na(text) ? "; leave the cell empty where nothing was judged" : "");
    if (post_ids_have(is_problem ? &j->others : &j->problems, row->post_id))
        return err_set(e, ST_INPUT, "%s:%zu: the post has yes and no in %s", file->path, row->line, file->judgement);
    j->open_between |= j->n_open > 0;
    id_set_add(is_problem ? &j->problems.ids : &j->others.ids, row->post_id, NULL);
    add_id(file->list, row);
    return ST_OK;
}

enum status post_ids_read_judged(struct post_ids *list, struct post_judgements *out, const char *column,
                                 const char *path, const char *encoding, struct err *e)
{
    struct list_file file = {list, out, path, column};

    if (out != NULL)
        *out = (struct post_judgements){.given = false};
    list->left.source = path;
    list->left.unit = "line";
    enum status status = id_rows_each(path, encoding, column, take, &file, e);

    if (status == ST_OK && column != NULL && list->wanted == 0)
        status = err_set(e, ST_INPUT, "%s: no post in it is judged; write yes or no into the column %s", path, column);
    return status;
}

enum status post_ids_read(struct post_ids *list, const char *path, const char *encoding, struct err *e)
{
    return post_ids_read_judged(list, NULL, NULL, path, encoding, e);
}

void post_ids_clear(struct post_ids *list)
{
    id_set_clear(&list->ids);
    refused_clear(&list->left);
}

void post_judgements_clear(struct post_judgements *j)
{
    post_ids_clear(&j->problems);
    post_ids_clear(&j->others);
}

bool post_ids_have(const struct post_ids *list, int64_t id)
{
    return id_set_has(&list->ids, id);
}
