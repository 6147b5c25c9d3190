/* matrix_file: a matrix in a file that is mapped into memory, so that it is there at once. */
#include "screen/matrix.h"

#include "base/files.h"
#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_SIZE = 64, FILE_VERSION = 2, PARTS = 8 };

#define MARK "ppmine screen\n"
#define BYTE_ORDER_MARK UINT32_C(0x01020304)

/* Parts follow in the order of `part_sizes`, each at a multiple of 8 bytes. */
struct header {
    char mark[16];
    uint32_t version, byte_order;
    char key[KEY_SIZE];
    uint64_t n_rows, n_features, n_entries;
};

static uint64_t padded(uint64_t size)
{
    return (size + 7) / 8 * 8;
}

static void part_sizes(const struct header *h, uint64_t sizes[PARTS])
{
    sizes[0] = (h->n_rows + 1) * sizeof(uint64_t); /* starts */
    sizes[1] = h->n_entries * sizeof(uint32_t);    /* entries */
    sizes[2] = h->n_features * sizeof(uint64_t);   /* fingerprints */
    sizes[3] = h->n_features * sizeof(uint32_t);   /* numbers */
    sizes[4] = h->n_features * sizeof(float);      /* idf */
    sizes[5] = h->n_features * sizeof(float);      /* mean */
    sizes[6] = h->n_rows * sizeof(float);          /* scale */
    sizes[7] = h->n_rows * sizeof(int64_t);        /* ids */
}

/* --- saving --- */

static void write_part(FILE *out, const void *bytes, uint64_t size)
{
    static const char zeros[8];

    if (size > 0)
        fwrite(bytes, 1, (size_t)size, out);
    fwrite(zeros, 1, (size_t)(padded(size) - size), out);
}

enum status screen_matrix_save(const struct screen_matrix *m, struct span key, const int64_t *ids, const char *path,
                               struct err *e)
{
    /* clang-format off */
    struct header h = {.mark = MARK, .version = FILE_VERSION, .byte_order = BYTE_ORDER_MARK,
                       .n_rows = m->n_rows, .n_features = m->n_features,
                       .n_entries = m->starts[m->n_rows]};
    /* clang-format on */
    const void *parts[PARTS] = {m->starts, m->entries, m->fingerprints, m->numbers, m->idf, m->mean, m->scale, ids};
    uint64_t sizes[PARTS];
    struct output_file file = {0};
    enum status status = output_file_begin(&file, path, OUTPUT_PRIVATE, e);

    if (status != ST_OK)
        return status;
    FILE *out = fopen(output_file_path(&file), "wb");
    if (out == NULL)
        status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    if (out != NULL) {
        memcpy(h.key, key.ptr, key.len < KEY_SIZE ? key.len : KEY_SIZE);
        part_sizes(&h, sizes);
        write_part(out, &h, sizeof h);
        for (size_t i = 0; i < PARTS; i++)
            write_part(out, parts[i], sizes[i]);
        status = stream_check(out, path, e);
        if (fclose(out) != 0 && status == ST_OK)
            status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    }
    return output_file_end(&file, status, e);
}

/* --- loading --- */

static enum status MUST_USE map_file(const char *path, const void **bytes, size_t *len, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;

    if (fd < 0)
        return err_set(e, ST_NO, "%s: %s", path, strerror(errno));
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || (uint64_t)about.st_size < sizeof(struct header)) {
        close(fd);
        return err_set(e, ST_NO, "%s: not a file of ppmine screen", path);
    }
    *len = (size_t)about.st_size;
    *bytes = mmap(NULL, *len, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (*bytes != MAP_FAILED)
        return ST_OK;
    *bytes = NULL;
    return err_set(e, ST_NO, "%s: %s", path, strerror(errno));
}

static const char *why_refused(const struct header *h, struct span key, size_t len)
{
    char wanted[KEY_SIZE] = {0};
    uint64_t sizes[PARTS], sum = padded(sizeof *h), most = UINT64_C(1) << 40;

    memcpy(wanted, key.ptr, key.len < KEY_SIZE ? key.len : KEY_SIZE);
    if (memcmp(h->mark, MARK, sizeof MARK) != 0)
        return "not a file of ppmine screen";
    if (h->byte_order != BYTE_ORDER_MARK)
        return "made on a machine with another order of bytes";
    if (h->version != FILE_VERSION)
        return "made by another version of ppmine";
    /* Counts that cannot be are refused before sizes are made of them. */
    bool fits = h->n_rows < UINT32_MAX && h->n_features <= FEATURES_MAX && h->n_entries <= most;
    if (fits)
        part_sizes(h, sizes);
    for (size_t i = 0; i < PARTS && fits; i++)
        sum += padded(sizes[i]);
    if (!fits || sum != len)
        return "damaged: its size is not what its head says";
    return memcmp(h->key, wanted, KEY_SIZE) != 0 ? "posts or settings changed since it was made" : NULL;
}

static void find_parts(struct screen_matrix *m, const struct header *h, const int64_t **ids)
{
    const char *at = (const char *)h + padded(sizeof *h);
    uint64_t sizes[PARTS];
    const void *parts[PARTS];

    part_sizes(h, sizes);
    for (size_t i = 0; i < PARTS; i++) {
        parts[i] = at;
        at += padded(sizes[i]);
    }
    m->n_rows = (size_t)h->n_rows;
    m->n_features = (size_t)h->n_features;
    m->starts = parts[0];
    m->entries = parts[1];
    m->fingerprints = parts[2];
    m->numbers = parts[3];
    m->idf = parts[4];
    m->mean = parts[5];
    m->scale = parts[6];
    *ids = parts[7];
}

void screen_matrix_free(struct screen_matrix *m)
{
    if (m == NULL)
        return;
    if (m->mapped == NULL) {
        mem_free((void *)m->starts);
        mem_free((void *)m->entries);
        mem_free((void *)m->fingerprints);
        mem_free((void *)m->numbers);
        mem_free((void *)m->idf);
        mem_free((void *)m->mean);
        mem_free((void *)m->scale);
    } else {
        munmap((void *)m->mapped, m->mapped_len);
    }
    mem_free(m->directory);
    mem_free(m);
}

/* Nothing in it leads out of it. */
static bool is_sound(const struct screen_matrix *m, uint64_t n_entries)
{
    uint32_t most = 0;

    for (size_t i = 0; i < m->n_rows; i++)
        if (m->starts[i] > m->starts[i + 1])
            return false;
    for (size_t i = 0; i < m->n_features; i++)
        if (m->numbers[i] >= m->n_features || (i > 0 && m->fingerprints[i - 1] >= m->fingerprints[i]))
            return false;
    for (uint64_t i = 0; i < n_entries; i++)
        most = m->entries[i] > most ? m->entries[i] : most;
    return m->starts[0] == 0 && m->starts[m->n_rows] == n_entries &&
           (n_entries == 0 || entry_feature(most) < m->n_features);
}

enum status screen_matrix_load(struct screen_matrix **out, struct span key, const int64_t **ids, const char *path,
                               struct err *e)
{
    struct screen_matrix *m = mem_zero(1, sizeof *m);
    enum status status = map_file(path, &m->mapped, &m->mapped_len, e);
    const struct header *h = m->mapped;

    *out = NULL;
    if (h == NULL) {
        mem_free(m);
        return status;
    }
    const char *why = why_refused(h, key, m->mapped_len);
    if (why == NULL) {
        find_parts(m, h, ids);
        if (!is_sound(m, h->n_entries))
            why = "damaged";
    }
    if (why != NULL) {
        status = err_set(e, ST_NO, "%s: %s", path, why);
        screen_matrix_free(m);
        return status;
    }
    matrix_prepare(m);
    *out = m;
    return ST_OK;
}
