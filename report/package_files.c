/* package_files: the folder of a package: files in it, walking through it, checksums. */
#include "base/log.h"
#include "report/package.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

void package_path(const struct package *p, const char *name, struct buf *path)
{
    buf_set(path, buf_span(&p->folder));
    buf_addf(path, "/%s", name);
}

enum status package_folder(const struct package *p, const char *name, struct err *e)
{
    AT_END(buf_clear) struct buf path = {0};
    enum status status = ST_OK;

    package_path(p, name, &path);
    if (mkdir(buf_cstr(&path), 0777) != 0)
        status = err_set(e, ST_IO, "%s: %s", buf_cstr(&path), strerror(errno));
    return status;
}

enum status package_open(const struct package *p, const char *name, FILE **file, struct err *e)
{
    AT_END(buf_clear) struct buf path = {0};
    enum status status = ST_OK;

    package_path(p, name, &path);
    *file = fopen(buf_cstr(&path), "wxe");
    if (*file == NULL)
        status = err_set(e, ST_IO, "%s: %s", buf_cstr(&path), strerror(errno));
    return status;
}

enum status package_close(FILE *file, const char *name, enum status status, struct err *e)
{
    THEN(status, stream_check(file, name, e));
    if (fclose(file) != 0 && status == ST_OK)
        status = err_set(e, ST_IO, "%s: %s", name, strerror(errno));
    return status;
}

enum status package_write(const struct package *p, const char *name, struct span content, struct err *e)
{
    FILE *file;
    enum status status = package_open(p, name, &file, e);

    if (status != ST_OK)
        return status;
    if (content.len > 0 && fwrite(content.ptr, 1, content.len, file) < content.len)
        status = err_set(e, ST_IO, "%s: %s", name, strerror(errno));
    return package_close(file, name, status, e);
}

/* --- walking --- */

/* Calls back for each file below `folder`, and each folder after its content; `name` is relative to it. The first
 * status but ST_OK ends the walk. A folder that cannot be read is an error: its files would be neither synced nor in
 * SHA256SUMS. */
static enum status MUST_USE walk_tree(const char *folder,
                                      enum status (*visit)(void *ctx, const char *path, const char *name,
                                                           bool is_folder, struct err *e),
                                      void *ctx, struct err *e)
{
    AT_END(mem_end) char *root = mem_text(span_of(folder));
    char *const roots[] = {root, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    const FTSENT *entry = NULL;
    enum status status = ST_OK;

    while (tree != NULL && status == ST_OK && (errno = 0, entry = fts_read(tree)) != NULL) {
        if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
            status = err_set(e, ST_IO, "%s: %s", entry->fts_path, strerror(entry->fts_errno));
        else if (entry->fts_info != FTS_D && entry->fts_level > 0)
            status = visit(ctx, entry->fts_path, entry->fts_path + strlen(folder) + 1, entry->fts_info == FTS_DP, e);
    }
    if (status == ST_OK && (tree == NULL || errno != 0))
        status = err_set(e, ST_IO, "%s: %s", folder, strerror(errno));
    if (tree != NULL)
        fts_close(tree);
    return status;
}

static enum status sync_entry(void *ctx, const char *path, const char *name, bool is_folder, struct err *e)
{
    (void)ctx;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool failed = fd < 0 || (fsync(fd) != 0 && !is_folder); /* some file systems sync no folders */
    enum status status = failed ? err_set(e, ST_IO, "%s: %s", name, strerror(errno)) : ST_OK;

    if (fd >= 0)
        close(fd);
    return status;
}

enum status tree_sync(const char *folder, struct err *e)
{
    enum status status = walk_tree(folder, sync_entry, NULL, e);

    return status == ST_OK ? sync_entry(NULL, folder, folder, true, e) : status;
}

static enum status remove_entry(void *ctx, const char *path, const char *name, bool is_folder, struct err *e)
{
    (void)ctx;
    (void)name;
    (void)e;
    if ((is_folder ? rmdir(path) : unlink(path)) != 0)
        log_debug("%s: %s", path, strerror(errno));
    return ST_OK;
}

void tree_remove(const char *folder)
{
    struct err ignored;

    if (walk_tree(folder, remove_entry, NULL, &ignored) == ST_OK)
        rmdir(folder);
}

/* --- checksums --- */

static enum status add_file(void *ctx, const char *path, const char *name, bool is_folder, struct err *e)
{
    struct package *p = ctx;
    struct package_entry entry = {0};
    struct stat info;
    uint8_t block[65536];
    struct sha256_ctx sha;
    size_t n;

    for (size_t i = 0; i < p->files.n; i++)
        if (strcmp(p->files.at[i].name, name) == 0)
            return ST_OK;
    if (is_folder)
        return ST_OK;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    bool failed = fstat(fileno(file), &info) != 0;
    sha256_init(&sha);
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        sha256_update(&sha, n, block);
    failed |= ferror(file) != 0;
    fclose(file);
    if (failed)
        return err_set(e, ST_IO, "%s: cannot be read", path);
    sha256_text(&sha, entry.sha256);
    entry.size = (uint64_t)info.st_size;
    entry.name = mem_text(span_of(name));
    array_add(&p->files, entry);
    return ST_OK;
}

/* By name, in the order of bytes. */
static int compare_files(const void *a, const void *b)
{
    const struct package_entry *x = a, *y = b;

    return strcmp(x->name, y->name);
}

enum status package_list(struct package *p, struct err *e)
{
    enum status status = walk_tree(buf_cstr(&p->folder), add_file, p, e);

    array_sort(&p->files, compare_files);
    return status;
}

enum status package_sums(struct package *p, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0};
    enum status status = package_list(p, e);

    for (size_t i = 0; i < p->files.n; i++)
        buf_addf(&content, "%s  %s\n", p->files.at[i].sha256, p->files.at[i].name);
    return status == ST_OK ? package_write(p, "SHA256SUMS", buf_span(&content), e) : status;
}
