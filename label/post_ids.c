/* post_ids: a list of posts, out of a file. */
#include "label/post_ids.h"

#include "label/facets.h"
#include "label/label.h"

enum { NO_COLUMN = -1 };

struct list_file {
    const char *path;
    struct span content;
    const char *judgement; /* the name of the column with yes and no; NULL: it does not matter */
    int64_t id_column, judgement_column; /* of CSV; NO_COLUMN: there is none */
};

static void add_id(struct post_ids *list, int64_t id)
{
    list->wanted += id_set_add(&list->ids, id, NULL);
}

/* --- lines --- */

/* A line is an id of a post; other columns, the _1 of a problem and '#' comments may follow. */
static bool read_id(struct span line, int64_t *id)
{
    size_t len = 0;

    while (len < line.len && strchr("_,;\t #", line.ptr[len]) == NULL)
        len++;
    return post_id_read((struct span){line.ptr, len}, id);
}

static enum status MUST_USE read_lines(struct post_ids *list, const struct list_file *file, struct err *e)
{
    struct span rest = file->content, line;
    int64_t id;

    if (span_starts(rest, SPAN("\xef\xbb\xbf")))
        rest = (struct span){rest.ptr + 3, rest.len - 3};
    for (size_t n = 1; span_cut(&rest, '\n', &line); n++) {
        line = span_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        if (!read_id(line, &id))
            return err_set(e, ST_INPUT, "%s:%zu: expected a post id at the start of the line", file->path, n);
        add_id(list, id);
    }
    return ST_OK;
}

/* --- CSV --- */

static bool is_comment(const struct csv_reader *csv)
{
    return csv->fields.at[0].len > 0 && csv->fields.at[0].ptr[0] == '#';
}

static int64_t find_column(const struct csv_reader *csv, const char *name)
{
    for (size_t i = 0; i < csv->fields.n; i++)
        if (span_eq(span_trim(csv->fields.at[i]), span_of(name)))
            return (int64_t)i;
    return NO_COLUMN;
}

static struct span cell(const struct csv_reader *csv, int64_t column)
{
    bool there = column != NO_COLUMN && (size_t)column < csv->fields.n;

    return there ? span_trim(csv->fields.at[column]) : (struct span){0};
}

/* What is no CSV has no header. */
static bool has_header(struct list_file *file)
{
    struct csv_reader csv;
    struct err ignored;

    csv_open(&csv, file->content, file->path);
    enum status status = csv_next(&csv, &ignored);
    while (status == ST_OK && is_comment(&csv))
        status = csv_next(&csv, &ignored);
    file->id_column = status == ST_OK ? find_column(&csv, "post_id") : NO_COLUMN;
    bool judged = status == ST_OK && file->judgement != NULL;
    file->judgement_column = judged ? find_column(&csv, file->judgement) : NO_COLUMN;
    csv_close(&csv);
    return file->id_column != NO_COLUMN;
}

static enum status MUST_USE add_judged(struct post_ids *list, struct post_judgements *j,
                                       const struct csv_reader *csv, const struct list_file *file, int64_t id,
                                       struct err *e)
{
    struct span text = cell(csv, file->judgement_column);
    bool is_problem = false;

    if (text.len == 0) {
        j->n_open++;
        return ST_OK;
    }
    if (!facet_yes_no(text, &is_problem))
        return err_set(e, ST_INPUT, "%s:%zu: %s '%.*s': expected yes or no (or true or false, 1 or 0)",
                       file->path, csv->line, file->judgement, (int)(text.len < 100 ? text.len : 100), text.ptr);
    if (post_ids_have(is_problem ? &j->others : &j->problems, id))
        return err_set(e, ST_INPUT, "%s:%zu: the post has yes and no in %s", file->path, csv->line,
                       file->judgement);
    j->open_between |= j->n_open > 0;
    add_id(is_problem ? &j->problems : &j->others, id);
    add_id(list, id);
    return ST_OK;
}

static enum status MUST_USE read_row(struct post_ids *list, struct post_judgements *j,
                                     const struct csv_reader *csv, const struct list_file *file, struct err *e)
{
    int64_t id;

    if (!read_id(cell(csv, file->id_column), &id))
        return err_set(e, ST_INPUT, "%s:%zu: expected a post id in the column post_id", file->path, csv->line);
    if (j->given)
        return add_judged(list, j, csv, file, id, e);
    add_id(list, id);
    return ST_OK;
}

static enum status MUST_USE read_csv(struct post_ids *list, struct post_judgements *j,
                                     const struct list_file *file, struct err *e)
{
    struct csv_reader csv;
    enum status status;
    bool header = true;

    csv_open(&csv, file->content, file->path);
    while ((status = csv_next(&csv, e)) == ST_OK) {
        if (is_comment(&csv))
            continue;
        if (!header)
            status = read_row(list, j, &csv, file, e);
        header = false;
        if (status != ST_OK)
            break;
    }
    csv_close(&csv);
    return status == ST_NO ? ST_OK : status;
}

/* --- files --- */

static enum status no_ids(const struct post_judgements *j, const struct list_file *file, struct err *e)
{
    if (j->n_open == 0)
        return err_set(e, ST_INPUT, "%s: no post id in it", file->path);
    return err_set(e, ST_INPUT, "%s: no post in it is judged; write yes or no into the column %s", file->path,
                   file->judgement);
}

static enum status MUST_USE read_list(struct post_ids *list, struct post_judgements *j, const char *column,
                                      const char *path, struct err *e)
{
    struct buf content = {0};
    enum status status = file_read(path, STUDY_FILE_MAX, &content, e);
    struct list_file file = {.path = path, .content = buf_span(&content), .judgement = column};

    if (status == ST_OK && has_header(&file)) {
        j->given = file.judgement_column != NO_COLUMN;
        status = read_csv(list, j, &file, e);
    } else if (status == ST_OK) {
        status = read_lines(list, &file, e);
    }
    if (status == ST_OK && list->wanted == 0)
        status = no_ids(j, &file, e);
    buf_clear(&content);
    return status;
}

enum status post_ids_read(struct post_ids *list, const char *path, struct err *e)
{
    struct post_judgements none = {.given = false};

    return read_list(list, &none, NULL, path, e);
}

enum status post_ids_read_judged(struct post_ids *list, struct post_judgements *out, const char *column,
                                 const char *path, struct err *e)
{
    *out = (struct post_judgements){.given = false};
    return read_list(list, out, column, path, e);
}

void post_ids_clear(struct post_ids *list)
{
    id_set_clear(&list->ids);
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
