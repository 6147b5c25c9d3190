/*
 * What check reads beside code: a pyproject.toml ('t' and the file), a baseline ('b' and the file),
 * messages of an editor ('m' and the stream as it comes, or 'j' and bodies of JSON with a NUL
 * between them, which get their headers here), what a profiler wrote ('p' and the file). And a list of ids ('i' and the file).
 */
#include "base/log.h"
#include "check/check.h"
#include "label/id_list.h"
#include "label/label.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char code[] = "import tensorflow as tf\n"
                           "ds = tf.data.TFRecordDataset(\"x\").map(lambda r: tf.io.decode_png(r))\n";

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void write_all(int fd, struct span content)
{
    require(fd >= 0 && ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    require(content.len == 0 || write(fd, content.ptr, content.len) == (ssize_t)content.len);
}

/* A folder of its own, which goes with the process. */
static char folder[] = "/tmp/ppmine-fuzz-XXXXXX", config[64];

static void remove_folder(void)
{
    unlink(config);
    rmdir(folder);
}

static void read_config(struct span content)
{
    static int fd = -1;
    struct check_options o = {.jobs = 1};
    struct err e = {0};

    if (fd < 0) {
        require(mkdtemp(folder) != NULL);
        (void)snprintf(config, sizeof config, "%s/pyproject.toml", folder);
        fd = open(config, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        atexit(remove_folder);
    }
    write_all(fd, content);
    enum status status = check_configure(&o, folder, &e);
    require(status == ST_OK || status == ST_INPUT || status == ST_USAGE);
    require(status == ST_OK || e.text[0] != '\0');
    /* What was read can be used. */
    struct check_run *c = check_new(&o);
    check_add_content(c, "tests/a.py", SPAN(code));
    require(check_go(c, &e) == ST_OK);
    check_free(c);
    check_options_clear(&o);
}

static void read_baseline(struct span content)
{
    static int fd = -1;
    char path[64];
    struct err e = {0};

    if (fd < 0)
        fd = memfd_create("baseline", MFD_CLOEXEC);
    write_all(fd, content);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct check_options o = {.jobs = 1, .baseline = path};
    struct check_run *c = check_new(&o);
    check_add_content(c, "a.py", SPAN(code));
    enum status status = check_go(c, &e);
    require(status == ST_OK || (status == ST_INPUT && e.text[0] != '\0'));
    check_free(c);
}

static void read_profile(struct span content)
{
    static int fd = -1;
    char path[64];
    struct err e = {0};

    if (fd < 0)
        fd = memfd_create("profile", MFD_CLOEXEC);
    write_all(fd, content);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct check_options o = {.jobs = 1, .profile = path};
    struct check_run *c = check_new(&o);
    check_add_content(c, "train.py", SPAN(code));
    enum status status = check_go(c, &e);
    require(status == ST_OK || (status == ST_INPUT && e.text[0] != '\0'));
    size_t n;
    const struct check_finding *f = check_findings(c, &n);
    for (size_t i = 0; i < n; i++)
        require(f[i].profile.len > 0 && f[i].share <= 1);
    check_free(c);
}

static enum status take_id(void *ctx, const struct id_row *row, struct err *e)
{
    int64_t post_id;

    (void)ctx, (void)e;
    require(row->id.len > 0 && row->post_id > 0 && problem_id_read(row->id, &post_id) && post_id == row->post_id);
    return ST_OK;
}

static void read_ids(struct span content)
{
    static int fd = -1;
    char path[64];
    struct err e = {0};

    if (fd < 0)
        fd = memfd_create("ids", MFD_CLOEXEC);
    write_all(fd, content);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    enum status status = id_rows_each(path, NULL, "status", take_id, NULL, &e);
    require(status == ST_OK || (status == ST_INPUT && e.text[0] != '\0'));
}

static void serve(struct span stream)
{
    struct check_options o = {.jobs = 1};
    struct err e = {0};
    char *said = NULL;
    size_t len = 0;

    if (stream.len == 0)
        return;
    char *copy = mem_text(stream);
    FILE *in = fmemopen(copy, stream.len, "r");
    FILE *out = open_memstream(&said, &len);
    require(in != NULL && out != NULL);
    enum status status = check_serve(&o, in, out, &e);
    require(status == ST_OK || status == ST_INPUT);
    fclose(in);
    mem_free(copy);
    fclose(out);
    require(len == 0 || strncmp(said, "Content-Length: ", 16) == 0);
    mem_free(said);
}

static void serve_bodies(struct span bodies)
{
    struct buf stream = {0};
    struct span body;

    while (span_cut(&bodies, '\0', &body)) {
        buf_addf(&stream, "Content-Length: %zu\r\n\r\n", body.len);
        buf_add_span(&stream, body);
    }
    serve(buf_span(&stream));
    buf_clear(&stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        char letter;
        void (*read)(struct span content);
    } kinds[] = {{'t', read_config},  {'b', read_baseline}, {'m', serve},
                 {'j', serve_bodies}, {'p', read_profile},  {'i', read_ids}};

    log_set_level(LOG_QUIET);
    for (size_t i = 0; size > 0 && i < ARRAY_LEN(kinds); i++)
        if (kinds[i].letter == (char)data[0])
            kinds[i].read((struct span){(const char *)data + 1, size - 1});
    return 0;
}
