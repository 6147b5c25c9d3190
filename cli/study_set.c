#include "cli/study_set.h"

struct file_list {
    struct study_file *files;
    size_t n;
    struct arena arena;
};

static void add_file(void *ctx, struct span name, struct span content)
{
    struct file_list *list = ctx;

    list->files = mem_resize(list->files, list->n + 1, sizeof *list->files);
    list->files[list->n++] =
        (struct study_file){arena_copy(&list->arena, name), arena_copy(&list->arena, content)};
}

static enum status MUST_USE load_list(struct study *out, struct file_list *list,
                                      enum status status, struct err *e)
{
    if (status == ST_OK)
        status = study_load_files(out, list->files, list->n, e);
    mem_free(list->files);
    arena_clear(&list->arena);
    return status;
}

enum status study_of_db(struct study *out, struct db *db, struct err *e)
{
    struct file_list list = {0};

    memset(out, 0, sizeof *out);
    enum status status = db_study_file_each(db, add_file, &list, e);
    return load_list(out, &list, status, e);
}

enum status study_of_db_unlabelled(struct study *out, struct db *db, struct err *e)
{
    static const char *const names[] = {"codebook.csv", "disambiguation.csv", "hints.csv",
                                        "keywords.txt", "study.ini"};
    struct file_list list = {0};
    enum status status = ST_OK;

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < ARRAY_LEN(names) && status == ST_OK; i++)
        status = db_study_file_get(db, names[i], add_file, &list, e);
    return load_list(out, &list, status, e);
}

enum status study_set(struct match_set **out, const struct study *study,
                      const char *keywords_path, enum match_options options, struct buf *content,
                      struct err *e)
{
    *out = NULL;
    if (keywords_path == NULL) {
        buf_add_span(content, study_file(study, "keywords.txt"));
    } else {
        enum status status = file_read(keywords_path, STUDY_FILE_MAX, content, e);
        if (status != ST_OK)
            return status;
    }
    return match_set_load(out, buf_span(content),
                          keywords_path != NULL ? keywords_path : "keywords.txt", study->stemmer,
                          options, e);
}
