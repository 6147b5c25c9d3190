/* A language server (LSP 3.17): diagnostics when a document is opened, changed or saved, and code actions for
 * fixes. Checks a document in its project, with open documents as the editor has them; rereads only changed files
 * from disk. */
#include "base/log.h"
#include "check/check.h"

#include <jansson.h>
#include <poll.h>

enum { MESSAGE_MAX = 64 << 20, HEADER_MAX = 1024, DOCUMENTS_MAX = 4096 };
enum { METHOD_NOT_FOUND = -32601, INVALID_REQUEST = -32600, PARSE_ERROR = -32700, NOT_INITIALIZED = -32002 };

struct document {
    char *uri, *path;
    char *text;
    size_t len;
    uint32_t *lines, n_lines;      /* see span_lines */
    struct check_run *run;         /* of the text as it is */
    struct check_options *options; /* the server's, and those of its pyproject.toml */
    bool stale;                    /* what is beside it was saved since */
};

struct server {
    const struct check_options *options;
    FILE *in, *out;
    struct ARRAY_OF(struct document) documents;
    struct check_kept *kept;
    bool initialized, shut_down, ended;
};

/* --- messages --- */

static void send(struct server *s, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    AT_END(mem_end) char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    AT_END(buf_clear) struct buf body = {0};

    if (text == NULL)
        mem_lacking(1);
    buf_add_json_text(&body, span_of(text));
    fprintf(s->out, "Content-Length: %zu\r\n\r\n%s", body.len, buf_cstr(&body));
    fflush(s->out);
}

static void answer(struct server *s, json_t *id, json_t *result)
{
    send(s, json_pack("{s:O,s:o}", "id", id, "result", result));
}

static void refuse(struct server *s, json_t *id, int code, const char *why)
{
    send(s, json_pack("{s:O,s:{s:i,s:s}}", "id", id != NULL ? id : json_null(), "error", "code", code, "message", why));
}

/* The body of the next message; false at the end of the input or when it is not a message. */
static bool receive(struct server *s, struct buf *body)
{
    static const struct span length = {"Content-Length:", 15};
    uint64_t size = UINT64_MAX;
    char line[HEADER_MAX];

    while (fgets(line, sizeof line, s->in) != NULL) {
        struct span header = span_trim(span_of(line));
        if (header.len == 0) {
            if (size > MESSAGE_MAX)
                return false;
            buf_reset(body);
            buf_reserve(body, size + 1);
            body->len = fread(body->ptr, 1, size, s->in);
            return body->len == size;
        }
        if (span_find_any_case(header, length) == 0 &&
            !span_u64(span_trim(span_after(header, length.len)), MESSAGE_MAX, &size))
            return false;
    }
    return false;
}

/* --- places --- */

/* Lines from 0, columns in UTF-16 units, as the protocol counts. */
static json_t *position_of(const struct document *d, size_t offset)
{
    uint32_t line = span_line_at(d->lines, d->n_lines, offset);
    json_int_t column = 0;

    for (size_t at = d->lines[line]; at < offset && at < d->len; at++) {
        unsigned char c = (unsigned char)d->text[at];
        if ((c & 0xC0U) != 0x80)
            column += c >= 0xF0 ? 2 : 1;
    }
    return json_pack("{s:I,s:I}", "line", (json_int_t)line, "character", column);
}

static json_t *range_of(const struct document *d, size_t start, size_t end)
{
    return json_pack("{s:o,s:o}", "start", position_of(d, start), "end", position_of(d, end));
}

/* The byte at a line and column of a finding; those of a notebook are in the JSON that is edited. */
static size_t offset_of(const struct document *d, uint32_t cell, uint32_t line, uint32_t column)
{
    if (cell > 0)
        return check_cell_offset(d->run, cell, line, column);
    if (line > d->n_lines)
        return d->len;
    size_t at = d->lines[line > 0 ? line - 1 : 0];
    for (uint32_t c = 1; c < column && at < d->len && d->text[at] != '\n'; c++)
        for (at++; at < d->len && ((unsigned char)d->text[at] & 0xC0U) == 0x80;)
            at++;
    return at;
}

/* --- documents --- */

static char *path_of(const char *uri)
{
    AT_END(buf_clear) struct buf path = {0};

    if (strncmp(uri, "file://", 7) == 0)
        uri += 7;
    while (*uri != '\0') {
        int high = *uri == '%' ? hex_digit(uri[1]) : -1;
        int low = high >= 0 ? hex_digit(uri[2]) : -1;
        buf_add_char(&path, low >= 0 ? (char)(high * 16 + low) : *uri);
        uri += low >= 0 ? 3 : 1;
    }
    return mem_text(buf_span(&path));
}

static struct document *document_find(struct server *s, const char *uri)
{
    for (size_t i = 0; i < s->documents.n; i++)
        if (uri != NULL && strcmp(s->documents.at[i].uri, uri) == 0)
            return &s->documents.at[i];
    return NULL;
}

static void document_clear(struct document *d)
{
    check_free(d->run);
    check_options_clear(d->options);
    mem_free(d->options);
    mem_free(d->uri);
    mem_free(d->path);
    mem_free(d->text);
    mem_free(d->lines);
}

static json_t *diagnostic(const struct document *d, const struct check_finding *f)
{
    /* Warning, information, hint: what is slow is not an error. */
    static const int severities[] = {[CHECK_HIGH] = 2, [CHECK_MEDIUM] = 3, [CHECK_LOW] = 4};
    AT_END(buf_clear) struct buf text = {0};

    check_finding_text(&text, f, "\n");
    return json_pack(
        "{s:o,s:i,s:s,s:s,s:s%}", "range",
        range_of(d, offset_of(d, f->cell, f->line, f->column), offset_of(d, f->cell, f->end_line, f->end_column)),
        "severity", severities[f->impact], "code", f->rule->id, "source", "ppmine", "message", text.ptr, text.len);
}

static void publish(struct server *s, const char *uri, const struct document *d)
{
    json_t *list = json_array();
    size_t n = 0;
    const struct check_finding *f = d != NULL ? check_findings(d->run, &n) : NULL;

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, diagnostic(d, &f[i]));
    send(s, json_pack("{s:s,s:{s:s,s:o}}", "method", "textDocument/publishDiagnostics", "params", "uri", uri,
                      "diagnostics", list));
}

/* Tells the editor what is found in the document. */
static void document_check(struct server *s, struct document *d)
{
    struct err e = {0};

    d->stale = false;
    check_free(d->run);
    check_options_clear(d->options);
    check_options_copy(d->options, s->options);
    d->options->as_walked = true;
    if (!s->options->no_config && check_configure(d->options, d->path, &e) != ST_OK)
        log_warn("%s", e.text);
    d->run = check_new(d->options);
    check_keep(d->run, s->kept);
    check_add_content(d->run, d->path, (struct span){d->text, d->len});
    check_add_project(d->run, d->path);
    for (size_t i = 0; i < s->documents.n; i++)
        if (&s->documents.at[i] != d)
            check_add_beside(d->run, s->documents.at[i].path,
                             (struct span){s->documents.at[i].text, s->documents.at[i].len});
    if (check_go(d->run, &e) != ST_OK)
        log_warn("%s", e.text);
    publish(s, d->uri, d);
}

/* --- what the editor asks --- */

static const char *uri_in(json_t *params)
{
    return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

/* The whole text, as we asked for it, of a document that is open. */
static void did_set(struct server *s, json_t *params, json_t *text)
{
    struct document *d = document_find(s, uri_in(params));

    if (d == NULL || !json_is_string(text))
        return;
    mem_free(d->text);
    mem_free(d->lines);
    d->len = json_string_length(text);
    d->text = mem_text((struct span){json_string_value(text), d->len});
    d->lines = span_lines((struct span){d->text, d->len}, &d->n_lines);
    document_check(s, d);
}

static void did_open(struct server *s, json_t *params)
{
    const char *uri = uri_in(params);
    json_t *text = json_object_get(json_object_get(params, "textDocument"), "text");

    if (uri != NULL && json_is_string(text) && document_find(s, uri) == NULL && s->documents.n < DOCUMENTS_MAX)
        array_add(&s->documents, {.uri = mem_text(span_of(uri)),
                                  .path = path_of(uri),
                                  .options = mem_zero(1, sizeof(struct check_options))});
    did_set(s, params, text);
}

static void all_stale(struct server *s)
{
    for (size_t i = 0; i < s->documents.n; i++)
        s->documents.at[i].stale = true;
}

static void did_close(struct server *s, json_t *params)
{
    struct document *d = document_find(s, uri_in(params));

    if (d == NULL)
        return;
    publish(s, d->uri, NULL);
    document_clear(d);
    *d = s->documents.at[--s->documents.n];
    all_stale(s); /* what was not saved may have mattered to the others */
}

static json_t *code_action(const struct document *d, const struct check_finding *f)
{
    json_t *edits = json_array(), *changes = json_object();

    for (size_t i = 0; i < f->n_edits; i++)
        json_array_append_new(edits, json_pack("{s:o,s:s%}", "range", range_of(d, f->edits[i].start, f->edits[i].end),
                                               "newText", f->edits[i].text.ptr, f->edits[i].text.len));
    json_object_set_new(changes, d->uri, edits);
    return json_pack("{s:s+++,s:s,s:[o],s:{s:o}}", "title", f->rule->id, ": ", f->fix, "", "kind", "quickfix",
                     "diagnostics", diagnostic(d, f), "edit", "changes", changes);
}

/* The fixes of findings that the asked lines (from 0) touch. The text of a notebook is JSON, which fixes do not write. */
static json_t *code_actions(struct server *s, json_t *params)
{
    json_t *list = json_array(), *range = json_object_get(params, "range");
    json_t *start = json_object_get(json_object_get(range, "start"), "line");
    json_t *end = json_object_get(json_object_get(range, "end"), "line");
    struct document *d = document_find(s, uri_in(params));
    size_t n = 0;
    const struct check_finding *f = d != NULL ? check_findings(d->run, &n) : NULL;

    for (size_t i = 0; i < n; i++)
        if (f[i].n_edits > 0 && f[i].cell == 0 && (json_int_t)f[i].line - 1 <= json_integer_value(end) &&
            (json_int_t)f[i].end_line - 1 >= json_integer_value(start))
            json_array_append_new(list, code_action(d, &f[i]));
    return list;
}

static void notified(struct server *s, const char *method, json_t *params)
{
    json_t *changes = json_object_get(params, "contentChanges"); /* the last one counts */

    if (strcmp(method, "exit") == 0) {
        s->ended = true;
    } else if (!s->initialized || s->shut_down) {
        return;
    } else if (strcmp(method, "textDocument/didOpen") == 0) {
        did_open(s, params);
    } else if (strcmp(method, "textDocument/didChange") == 0 && json_array_size(changes) > 0) {
        did_set(s, params, json_object_get(json_array_get(changes, json_array_size(changes) - 1), "text"));
    } else if (strcmp(method, "textDocument/didClose") == 0) {
        did_close(s, params);
    } else if (strcmp(method, "textDocument/didSave") == 0) {
        all_stale(s); /* what was saved may matter to the others */
    }
}

static void asked(struct server *s, const char *method, json_t *id, json_t *params)
{
    if (s->shut_down) {
        refuse(s, id, INVALID_REQUEST, "the server is shut down");
    } else if (strcmp(method, "initialize") == 0) {
        s->initialized = true;
        answer(s, id,
               json_pack("{s:{s:{s:b,s:i,s:b},s:{s:[s]}},s:{s:s,s:s}}", "capabilities", "textDocumentSync", "openClose",
                         1, "change", 1, "save", 1, "codeActionProvider", "codeActionKinds", "quickfix", "serverInfo",
                         "name", "ppmine check", "version", PPMINE_VERSION));
    } else if (!s->initialized) {
        refuse(s, id, NOT_INITIALIZED, "initialize comes first");
    } else if (strcmp(method, "shutdown") == 0) {
        s->shut_down = true;
        answer(s, id, json_null());
    } else if (strcmp(method, "textDocument/codeAction") == 0) {
        answer(s, id, code_actions(s, params));
    } else {
        refuse(s, id, METHOD_NOT_FOUND, "this server has no such method");
    }
}

static void handle(struct server *s, struct span body)
{
    AT_END(buf_clear) struct buf mended = {0};
    json_auto_t *message = json_loadb(body.ptr, body.len, JSON_ALLOW_NUL, NULL);

    /* A document may contain what no text has; the rest of it is checked all the same. */
    if (message == NULL) {
        buf_add_json_mended(&mended, body);
        message = json_loadb(mended.ptr, mended.len, JSON_ALLOW_NUL, NULL);
    }
    json_t *id = json_object_get(message, "id");
    const char *method = json_string_value(json_object_get(message, "method"));
    if (message == NULL)
        refuse(s, NULL, PARSE_ERROR, "the message is not JSON");
    else if (method != NULL && id != NULL)
        asked(s, method, id, json_object_get(message, "params"));
    else if (method != NULL)
        notified(s, method, json_object_get(message, "params"));
    else if (json_object_get(message, "result") == NULL && json_object_get(message, "error") == NULL)
        refuse(s, id, INVALID_REQUEST, "the message names no method");
}

enum status check_serve(const struct check_options *o, FILE *in, FILE *out, struct err *e)
{
    struct server s = {.options = o, .in = in, .out = out, .kept = check_kept_new()};
    struct pollfd more = {.fd = fileno(in), .events = POLLIN};
    AT_END(buf_clear) struct buf body = {0};

    setvbuf(in, NULL, _IONBF, 0); /* poll() knows of nothing that is in a buffer */
    while (!s.ended && receive(&s, &body)) {
        handle(&s, buf_span(&body));
        /* What is stale is checked until the editor says something more, which is not to wait. */
        for (size_t i = 0; i < s.documents.n && poll(&more, 1, 0) <= 0; i++)
            if (s.documents.at[i].stale)
                document_check(&s, &s.documents.at[i]);
    }
    for (size_t i = 0; i < s.documents.n; i++)
        document_clear(&s.documents.at[i]);
    array_clear(&s.documents);
    check_kept_free(s.kept);
    /* The protocol: an exit that was not asked for by shutdown is a failure. */
    return s.shut_down ? ST_OK : err_set(e, ST_INPUT, "the editor went without saying shutdown");
}
