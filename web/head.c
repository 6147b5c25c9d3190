/* head: whether the head of a request reads the same for us as for a proxy before us. */
#include "web/head.h"

#include <strings.h>

/*
 * libmicrohttpd 0.9 passes over a NUL and what follows it, drops folded lines, takes a lone LF for the end
 * of a line and a blank before a colon for part of the name. It cuts the head up in place: so each piece
 * must begin where the one before it ended, and the last one must end where the head does. The versions
 * from 1.0 refuse all of this, and lay out the pieces as they like.
 */
static bool lies_in_place(void)
{
    return strncmp(MHD_get_version(), "0.9.", 4) == 0;
}

struct reading {
    uintptr_t next; /* where the next piece must begin */
    bool right, chunked;
    unsigned n_lengths, n_encodings;
};

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_of(const char *text, size_t size, const char *allowed)
{
    return size > 0 && strspn(text, allowed) == size;
}

static bool is_value(const char *value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)value[i] < ' ' && value[i] != '\t') || value[i] == 0x7F)
            return false;
    return true;
}

static bool is_called(const char *name, size_t size, const char *wanted)
{
    return size == strlen(wanted) && strncasecmp(name, wanted, size) == 0;
}

static enum MHD_Result take_line(void *ctx, enum MHD_ValueKind kind, const char *name, size_t name_size,
                                 const char *value, size_t value_size)
{
    struct reading *r = ctx;
    uintptr_t after_colon = (uintptr_t)name + name_size + 1;

    (void)kind;
    if (value == NULL)
        value = "", value_size = 0;
    r->right &= is_of(name, name_size, LETTERS DIGITS "!#$%&'*+-.^_`|~") && is_value(value, value_size);
    if (lies_in_place())
        r->right &= (uintptr_t)name == r->next && (uintptr_t)value >= after_colon &&
                    (uintptr_t)value - after_colon <= HEAD_BLANKS_MAX;
    r->next = (uintptr_t)value + value_size + strlen("\r\n");
    if (is_called(name, name_size, "Content-Length")) {
        r->n_lengths++;
        r->right &= is_of(value, value_size, DIGITS);
    } else if (is_called(name, name_size, "Transfer-Encoding")) {
        r->n_encodings++;
        r->chunked = is_called(value, value_size, "chunked");
    }
    return MHD_YES;
}

/* One length, or chunks by a client that can know them: a second opinion is how requests are smuggled. */
static bool says_one_length(const struct reading *r, const char *version)
{
    if (r->n_encodings == 0)
        return r->n_lengths <= 1;
    return r->n_encodings == 1 && r->n_lengths == 0 && r->chunked && strcmp(version, "HTTP/1.1") == 0;
}

bool head_is_right(struct MHD_Connection *connection, const struct head_line *line)
{
    struct reading r = {.next = (uintptr_t)line->version + strlen(line->version) + strlen("\r\n"), .right = true};
    const union MHD_ConnectionInfo *size = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);

    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, take_line, &r);
    if (lies_in_place())
        r.right &= line->target == (uintptr_t)line->method + strlen(line->method) + 1 &&
                   (uintptr_t)line->version == line->target + line->target_size + 1 && size != NULL &&
                   r.next + strlen("\r\n") == (uintptr_t)line->method + size->header_size;
    return r.right && says_one_length(&r, line->version) &&
           (strcmp(line->version, "HTTP/1.1") == 0 || strcmp(line->version, "HTTP/1.0") == 0);
}
