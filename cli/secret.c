/* secret: a key, from a file that nobody else reads or from the environment. */
#define _GNU_SOURCE
#include "cli/secret.h"

#include "base/files.h"
#include "base/log.h"

#include <errno.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/prctl.h>

#endif

#define SECRET_MAX 4096

static enum status MUST_USE check_secret(struct buf *secret, const char *from, struct err *e)
{
    struct span trimmed = span_trim(buf_span(secret));

    for (size_t i = 0; i < trimmed.len; i++)
        if (trimmed.ptr[i] <= ' ' || trimmed.ptr[i] > '~')
            return err_set(e, ST_INPUT, "%s: contains no key: expected one word of printable characters", from);
    if (trimmed.len == 0 || trimmed.len > SECRET_MAX)
        return err_set(e, ST_INPUT, "%s: contains no key", from);
    memmove(secret->ptr, trimmed.ptr, trimmed.len);
    secret->len = trimmed.len;
    return ST_OK;
}

static enum status MUST_USE read_secret_file(struct buf *out, const char *path, struct err *e)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode) || (info.st_mode & 077) != 0)
        return err_set(e, ST_INPUT, "%s: others can read it; chmod 600 %s", path, path);
    enum status status = file_read(path, SECRET_MAX, out, e);
    return status == ST_OK ? check_secret(out, path, e) : status;
}

enum status secret_read(struct buf *out, const char *path, const char *variable, struct err *e)
{
    char *value = getenv(variable);
    enum status status = ST_OK;

    if (path != NULL) {
        status = read_secret_file(out, path, e);
    } else if (value != NULL && value[0] != '\0') {
        buf_add_text(out, value);
        status = check_secret(out, variable, e);
    }
    if (value != NULL) /* a core dump would show it, and a child inherit it */
        explicit_bzero(value, strlen(value));
    unsetenv(variable);
#ifdef PR_SET_DUMPABLE
    if (out->len > 0 && prctl(PR_SET_DUMPABLE, 0) != 0)
        log_debug("a core dump of this process may show the key");
#endif
    return status;
}
