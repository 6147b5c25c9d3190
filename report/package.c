/* package: makes a replication package, step by step, under a name that nobody else uses. */
#include "report/package.h"

#include "base/output_file.h"
#include "label/code_table.h"
#include "label/facet_table.h"
#include "db/copy.h"
#include "db/study.h"
#include "base/signals.h"
#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- tables and files of the study --- */

static enum status write_data(struct package *p, struct err *e)
{
    enum status status = package_folder(p, "data", e);

    /* Texts when they are wanted; whole posts and hits never: the database has them; what not every study has, when
     * there is any. */
    for (enum db_table i = 0; i < DB_TABLES && status == ST_OK; i++) {
        bool empty = i == DB_TABLE_POSTS || i == DB_TABLE_HITS || (i == DB_TABLE_TEXTS && !p->wanted->with_text);
        if (i > DB_TABLE_HITS || (i >= DB_TABLE_BENCH_SETUPS && i <= DB_TABLE_BENCH_RUNS))
            status = db_table_is_empty(p->copy, i, &empty, e);
        p->has_table[i] = !empty;
        if (status != ST_OK || empty)
            continue;
        AT_END(buf_clear) struct buf name = {0};
        FILE *file;
        buf_addf(&name, "data/%s.csv", report_data_names[i]);
        status = package_open(p, buf_cstr(&name), &file, e);
        if (status == ST_OK) {
            const struct table_output out = {.format = TABLE_AS_CSV, .file = file};
            status = report_data_write(p->copy, i, 0, &out, buf_cstr(&name), e);
            status = package_close(file, buf_cstr(&name), status, e);
        }
    }
    return status;
}

/* A database may come from anybody: a name is a file in this folder, and fits a list of checksums. */
static bool is_file_name(struct span name)
{
    bool fine = name.len > 0 && name.len <= 255 && name.ptr[0] != '.' && name.ptr[0] != '-';

    for (size_t i = 0; i < name.len && fine; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        fine = c > 0x20 && c != 0x7f && c != '/' && c != '\\';
    }
    return fine && utf8_valid_prefix(name) == name.len;
}

struct study_files {
    struct package *package;
    enum status status;
    struct err *e;
};

static void write_study_file(void *ctx, struct span name, struct span content)
{
    struct study_files *f = ctx;
    AT_END(buf_clear) struct buf path = {0};

    if (f->status != ST_OK)
        return;
    if (!is_file_name(name)) {
        f->status = err_set(f->e, ST_INPUT, "study_file: '%.*s' is not a name for a file", SPAN_ARG(name));
        return;
    }
    buf_add_text(&path, "study/");
    buf_add_span(&path, name);
    f->status = package_write(f->package, buf_cstr(&path), content, f->e);
}

static enum status write_study(struct package *p, struct err *e)
{
    struct study_files f = {.package = p, .e = e};
    enum status status = package_folder(p, "study", e);

    THEN(status, db_study_file_each(p->copy, write_study_file, &f, e));
    return status == ST_OK ? f.status : status;
}

static enum status write_check(struct package *p, struct err *e)
{
    enum status status = package_write(p, "schema.sql", db_schema(), e);

    THEN(status, package_write(p, "check.py", package_embedded("check.py"), e));
    /* Else git changes line ends on Windows, and no checksum is right. */
    return status == ST_OK ? package_write(p, ".gitattributes", SPAN("* -text\n"), e) : status;
}

/* So that the file is as it will be read, before it is summed up. */
static enum status close_database(struct package *p, struct err *e)
{
    (void)e;
    db_close(p->copy);
    p->copy = NULL;
    return ST_OK;
}

/* --- what is not settled --- */

static enum status read_settled(struct package *p, const struct facets *facets, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};
    AT_END(db_disputes_clear) struct db_disputes posts = {0};
    enum status status = db_settled_read(p->copy, p->settled, e);

    THEN(status, db_segments_read(p->copy, DB_DISPUTED, 0, &posts, e));
    if (status != ST_OK)
        return status;
    /* Posts in which coders see different problems are one disagreement each, as `label resolve` asks. */
    p->n_open = (int64_t)posts.n;
    for (size_t i = 0; i < facets->n; i++)
        p->n_open += p->settled[i].open;
    report_settled_add(&text, facets, p->settled, NULL, ". ");
    p->not_counted = (struct span){arena_text(&p->arena, buf_span(&text)), text.len};
    if (p->n_open == 0 || p->wanted->open)
        return ST_OK;
    return err_set(e, ST_USAGE,
                   "%lld disagreement%s open: settle %s (`ppmine label resolve --all` lists %s), or"
                   " say --open, and the package says that they are not counted",
                   (long long)p->n_open, p->n_open == 1 ? " is" : "s are", p->n_open == 1 ? "it" : "them",
                   p->n_open == 1 ? "it" : "them");
}

/* --- the folder --- */

static enum status (*const steps[])(struct package *p, struct err *e) = {
    write_data,      package_models,   write_study,        package_statistics, package_parameters,
    package_licence, write_check,      package_dictionary, package_reviewers,  package_readme,
    close_database,  package_metadata, package_sums};

static enum status fill(struct package *p, struct db *from, struct err *e)
{
    const struct facets *facets;
    AT_END(buf_clear) struct buf path = {0};
    enum status status = dictionary_load(&p->dictionary, e);

    package_path(p, "ppmine.db", &path);
    THEN(status, db_copy(from, buf_cstr(&path), e));
    THEN(status, db_open(&p->copy, buf_cstr(&path), DB_COPY, e));
    THEN(status, db_copy_strip(p->copy, p->wanted->with_text, p->wanted->with_memos, e));
    THEN(status, db_setting_get(p->copy, "name", &p->arena, &p->name, e));
    THEN(status, db_setting_get(p->copy, "title", &p->arena, &p->title, e));
    THEN(status, db_setting_get(p->copy, "problems", &p->arena, &p->called, e));
    THEN(status, db_setting_get(p->copy, "authors", &p->arena, &p->authors, e));
    THEN(status, db_codebook_version(p->copy, &p->codebook_version, e));
    THEN(status, db_facets(p->copy, &facets, e));
    THEN(status, read_settled(p, facets, e));
    THEN(status, dictionary_fit(&p->dictionary, facets, e));
    dictionary_call(&p->dictionary, p->called);
    for (size_t i = 0; i < ARRAY_LEN(steps) && status == ST_OK; i++)
        status = signals_stop_asked() ? err_set(e, ST_IO, "stopped by a signal") : steps[i](p, e);
    return status;
}

static bool is_empty(const char *folder)
{
    DIR *d = opendir(folder);
    const struct dirent *entry;
    size_t n = 0;

    if (d == NULL)
        return false;
    while ((entry = readdir(d)) != NULL)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(d);
    return n == 0;
}

/* The folder's name without what is behind it. */
static enum status check_folder(const char *folder, struct buf *name, struct err *e)
{
    struct span s = span_of(folder);
    struct stat info;

    while (s.len > 1 && s.ptr[s.len - 1] == '/')
        s.len--;
    buf_add_span(name, s);
    const char *text = buf_cstr(name), *slash = strrchr(text, '/');
    const char *last = slash != NULL ? slash + 1 : text;
    if (last[0] == '\0' || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
        return err_set(e, ST_USAGE, "export: --package needs the name of a folder, not '%s'", folder);
    if (lstat(text, &info) == 0 && !(S_ISDIR(info.st_mode) && is_empty(text)))
        return err_set(e, ST_IO,
                       "%s: there is something already, and export replaces nothing; name another folder, or remove it",
                       folder);
    return ST_OK;
}

static void clear(struct package *p)
{
    if (p->copy != NULL)
        db_close(p->copy);
    dictionary_clear(&p->dictionary);
    for (size_t i = 0; i < p->files.n; i++)
        mem_free(p->files.at[i].name);
    array_clear(&p->files);
    if (p->lock >= 0)
        close(p->lock);
    table_clear(&p->claims);
    buf_clear(&p->folder);
    arena_clear(&p->arena);
}

static enum status begin(struct package *p, const char *name, struct err *e)
{
    struct stat info;

    unfinished_remove_left(name, tree_remove);
    p->lock = unfinished_make(name, UNFINISHED_FOLDER, &p->folder);
    /* Closed until all that is private is taken out of the copy. */
    if (p->lock < 0 || fstat(p->lock, &info) != 0 || fchmod(p->lock, S_IRWXU) != 0)
        return err_set(e, ST_IO, "%s: cannot be made: %s", name, strerror(errno));
    p->mode = info.st_mode & 07777;
    return ST_OK;
}

enum status report_package(struct db *db, const struct report_package *wanted, struct err *e)
{
    AT_END(clear) struct package p = {.wanted = wanted, .lock = -1};
    AT_END(buf_clear) struct buf name = {0};
    enum status status = check_folder(wanted->folder, &name, e);

    const char *path = buf_cstr(&name);
    time_now(p.now);
    THEN(status, begin(&p, path, e));
    if (status != ST_OK)
        return status;
    status = fill(&p, db, e);
    THEN(status, tree_sync(buf_cstr(&p.folder), e));
    if (status == ST_OK && fchmod(p.lock, p.mode) == 0 && rename(buf_cstr(&p.folder), path) == 0)
        folder_sync(path);
    else if (status == ST_OK && (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR))
        status = err_set(e, ST_IO, "somebody else put something there in the meantime");
    else if (status == ST_OK)
        status = err_set(e, ST_IO, "%s", strerror(errno));
    if (p.copy != NULL)
        close_database(&p, e);
    if (status != ST_OK) { /* takes what there is of it away, and says so */
        struct err why = *e;
        tree_remove(buf_cstr(&p.folder));
        status = err_set(e, why.status, "%s: not made: %s", wanted->folder, why.text);
    }
    return status;
}
