/*
 * A session of an editor. Each byte of `kinds` begins a message, with what follows up to a NUL: a document
 * is opened or changed to be that text, fixes are asked for, a body is sent as it is. Every answer is a
 * whole message, every request is answered once, and what is said of a document is inside it.
 */
#include "base/log.h"
#include "base/utf8.h"
#include "check/check.h"

#include <jansson.h>
#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

enum { SCRIPT, NOTEBOOK, DOCUMENTS };

static const char *const uris[DOCUMENTS] = {"file:///w/a%20b.py", "file:///w/n.ipynb"};

/* What the editor knows. */
struct editor {
    struct buf sent;
    json_int_t n_requests;
    struct {
        struct buf texts[64]; /* in the order in which they were sent; the last is open */
        size_t n, seen;
    } documents[DOCUMENTS];
    bool raw; /* sent what it does not know itself: answers are only looked at for their form */
};

static void send_body(struct editor *d, struct span body)
{
    buf_addf(&d->sent, "Content-Length: %zu\r\n\r\n", body.len);
    buf_add_span(&d->sent, body);
}

static void send_json(struct editor *d, json_t *message)
{
    require(message != NULL);
    char *text = json_dumps(message, 0);
    send_body(d, span_of(text));
    mem_free(text);
    json_decref(message);
}

static void set_document(struct editor *d, size_t which, const char *method, struct span text)
{
    text.len = utf8_valid_prefix(text);
    if (d->documents[which].n == ARRAY_LEN(d->documents[which].texts))
        return;
    buf_add_span(&d->documents[which].texts[d->documents[which].n++], text);
    if (strcmp(method, "textDocument/didOpen") == 0 || d->documents[which].n == 1)
        send_json(d, json_pack("{s:s,s:{s:{s:s,s:s%}}}", "method", "textDocument/didOpen", "params", "textDocument",
                               "uri", uris[which], "text", text.ptr, text.len));
    else
        send_json(d, json_pack("{s:s,s:{s:{s:s},s:[{s:s%}]}}", "method", method, "params", "textDocument", "uri",
                               uris[which], "contentChanges", "text", text.ptr, text.len));
}

static void ask_fixes(struct editor *d, size_t which)
{
    send_json(d, json_pack("{s:I,s:s,s:{s:{s:s},s:{s:{s:i,s:i},s:{s:i,s:i}}}}", "id", d->n_requests++, "method",
                           "textDocument/codeAction", "params", "textDocument", "uri", uris[which], "range", "start",
                           "line", 0, "character", 0, "end", "line", 1 << 20, "character", 0));
}

static void send_message(struct editor *d, char kind, struct span text)
{
    switch (kind) {
    case 'o':
        set_document(d, SCRIPT, "textDocument/didOpen", text);
        break;
    case 'n':
        set_document(d, NOTEBOOK, "textDocument/didOpen", text);
        break;
    case 'c':
        set_document(d, SCRIPT, "textDocument/didChange", text);
        break;
    case 'a':
        ask_fixes(d, SCRIPT);
        break;
    case 'b':
        ask_fixes(d, NOTEBOOK);
        break;
    case 'j':
        d->raw = true;
        send_body(d, text);
        break;
    case 'h':
        d->raw = true;
        buf_add_span(&d->sent, text);
        break;
    default:
        break;
    }
}

/* --- what is said --- */

static size_t units(struct span line)
{
    size_t n = 0;

    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.ptr[i];
        n += (c & 0xC0U) != 0x80 ? 1 + (c >= 0xF0) : 0;
    }
    return n;
}

/* The place as line * 2^32 + column, which orders places; it is in the text. */
static uint64_t check_place(struct span text, const json_t *place)
{
    json_int_t line = json_integer_value(json_object_get(place, "line"));
    json_int_t column = json_integer_value(json_object_get(place, "character"));
    struct span rest = text, at = {0};

    require(line >= 0 && column >= 0);
    /* An end of line of the protocol is \n, \r\n or \r. The \r alone is none of Python's and of our lines:
     * where there is one, columns are not looked at. */
    if (text.ptr == NULL || memchr(text.ptr, '\r', text.len) != NULL)
        return 0;
    for (json_int_t i = 0; i <= line; i++) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        at = (struct span){rest.ptr, end != NULL ? (size_t)(end - rest.ptr) : rest.len};
        require(i == line || end != NULL);
        if (end != NULL)
            rest = (struct span){end + 1, rest.len - at.len - 1};
    }
    require((size_t)column <= units(at));
    return (uint64_t)line << 32U | (uint64_t)column;
}

static void check_range(struct span text, const json_t *range)
{
    require(json_is_object(range));
    uint64_t start = check_place(text, json_object_get(range, "start"));
    uint64_t end = check_place(text, json_object_get(range, "end"));
    require(start <= end);
}

static size_t which_document(const char *uri)
{
    size_t i = 0;

    while (i < DOCUMENTS && (uri == NULL || strcmp(uri, uris[i]) != 0))
        i++;
    require(i < DOCUMENTS);
    return i;
}

static void check_published(struct editor *d, const json_t *params)
{
    size_t which = which_document(json_string_value(json_object_get(params, "uri")));
    const json_t *list = json_object_get(params, "diagnostics");

    require(d->documents[which].seen < d->documents[which].n);
    struct span text = buf_span(&d->documents[which].texts[d->documents[which].seen++]);
    for (size_t i = 0; i < json_array_size(list); i++)
        check_range(text, json_object_get(json_array_get(list, i), "range"));
}

static void check_fixes(struct editor *d, const json_t *fixes)
{
    for (size_t i = 0; i < json_array_size(fixes); i++) {
        const json_t *edit = json_object_get(json_array_get(fixes, i), "edit");
        json_t *changes = json_object_get(edit, "changes"), *edits;
        const char *uri;
        json_object_foreach(changes, uri, edits) {
            size_t which = which_document(uri), last = d->documents[which].seen;
            require(last > 0);
            for (size_t k = 0; k < json_array_size(edits); k++)
                check_range(buf_span(&d->documents[which].texts[last - 1]),
                            json_object_get(json_array_get(edits, k), "range"));
        }
    }
}

static void check_answers(struct editor *d, struct span said)
{
    static const char header[] = "Content-Length: ";
    json_int_t answered = 0;

    while (said.len > 0) {
        char *end;
        require(span_starts(said, SPAN(header)));
        size_t len = strtoul(said.ptr + sizeof header - 1, &end, 10);
        require(strncmp(end, "\r\n\r\n", 4) == 0 && len <= said.len - (size_t)(end + 4 - said.ptr));
        json_t *message = json_loadb(end + 4, len, 0, NULL);
        require(message != NULL);
        said = (struct span){end + 4 + len, said.len - (size_t)(end + 4 - said.ptr) - len};
        const json_t *result = json_object_get(message, "result");
        if (!d->raw && json_object_get(message, "method") != NULL)
            check_published(d, json_object_get(message, "params"));
        if (!d->raw && json_object_get(message, "id") != NULL) {
            require(json_integer_value(json_object_get(message, "id")) == answered++);
            check_fixes(d, result);
        }
        json_decref(message);
    }
    require(d->raw || answered == d->n_requests);
    for (size_t i = 0; !d->raw && i < DOCUMENTS; i++)
        require(d->documents[i].seen == d->documents[i].n);
}

static void run_session(struct editor *d)
{
    struct check_options o = {.jobs = 1};
    struct err e = {0};
    char *said = NULL;
    size_t len = 0;

    FILE *in = fmemopen(d->sent.ptr, d->sent.len, "r");
    FILE *out = open_memstream(&said, &len);
    require(in != NULL && out != NULL);
    enum status status = check_serve(&o, in, out, &e);
    require(status == ST_OK || status == ST_INPUT);
    fclose(in);
    fclose(out);
    check_answers(d, (struct span){said, len});
    mem_free(said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span rest = {(const char *)data, size}, message;
    struct editor d = {0};

    log_set_level(LOG_QUIET);
    send_json(&d, json_pack("{s:I,s:s}", "id", d.n_requests++, "method", "initialize"));
    while (span_cut(&rest, '\0', &message))
        if (message.len > 0)
            send_message(&d, message.ptr[0], (struct span){message.ptr + 1, message.len - 1});
    if (rest.len > 0)
        send_message(&d, rest.ptr[0], (struct span){rest.ptr + 1, rest.len - 1});
    run_session(&d);
    buf_clear(&d.sent);
    for (size_t i = 0; i < DOCUMENTS; i++)
        for (size_t k = 0; k < d.documents[i].n; k++)
            buf_clear(&d.documents[i].texts[k]);
    return 0;
}
