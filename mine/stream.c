/* stream: match without a database, posts in, hits out. */
#include "mine/mine.h"

#include "fetch/fetch.h"
#include "mine/post_text.h"

enum { LINE_BYTES_MAX = 64 << 20, CHUNK = 256 * 1024 };

struct stream {
    const struct study *study;
    const struct match_set *set;
    enum text_options text;
    unsigned threads;
    FILE *out;
    struct post_text *texts; /* one for each worker */
    struct refused refused;
};

static void add_hit(struct buf *out, const struct match_set *set, enum field field,
                    const struct hit *hit)
{
    buf_add_text(out, "{\"keyword\":");
    buf_add_json(out, match_set_keyword(set, hit->keyword)->text);
    buf_addf(out, ",\"field\":\"%s\",\"start\":%zu,\"end\":%zu}", field_name(field), hit->start,
             hit->end);
}

/* Adds the post's line to *out when it has a hit. */
static void add_post(struct post_text *t, const struct match_set *set, int64_t id,
                     struct span title, struct span body, struct buf *out)
{
    const struct hit *hits;
    size_t before = out->len, n_hits = 0;

    post_text_extract(t, title, body);
    buf_addf(out, "{\"id\":%lld,\"hits\":[", (long long)id);
    for (enum field field = FIELD_TITLE; field < FIELDS; field++) {
        size_t n = post_text_find(t, field, &hits);
        for (size_t i = 0; i < n; i++) {
            if (n_hits++ > 0)
                buf_add_char(out, ',');
            add_hit(out, set, field, &hits[i]);
        }
    }
    if (n_hits > 0)
        buf_add_text(out, "]}\n");
    else
        out->len = before;
}

/* --- dump rows --- */

static void scan_block(void *ctx, unsigned worker, struct dump_block *b)
{
    struct stream *s = ctx;
    struct span title, body;
    const char *why;
    struct row row;

    while (dump_next(b, &row)) {
        if (!match_possible(s->set, row.raw))
            continue;
        arena_reset(&b->arena);
        if (row_texts(&row, &b->arena, &title, &body, &why))
            add_post(&s->texts[worker], s->set, row.id, title, body, &b->out);
        else
            dump_refuse(b, &row, why);
    }
}

static enum status write_block(void *ctx, struct dump_block *b, struct err *e)
{
    const struct stream *s = ctx;

    if (b->out.len > 0 && fwrite(b->out.ptr, 1, b->out.len, s->out) < b->out.len)
        return stream_check(s->out, "standard output", e);
    return ST_OK;
}

static void refuse_row(void *ctx, uint64_t offset, int64_t id, const char *why)
{
    refused_add(&((struct stream *)ctx)->refused, offset, id, why);
}

static enum status read_rows(struct stream *s, struct source *source, struct err *e)
{
    struct dump_options options = {.threads = s->threads, .fragment = true};
    struct dump_handler handler = {
        .ctx = s, .scan = scan_block, .take = write_block, .refused = refuse_row};
    unsigned n = dump_workers(&options);
    struct dump_stats stats;

    s->texts = mem_zero(n, sizeof *s->texts);
    for (unsigned i = 0; i < n; i++)
        post_text_init(&s->texts[i], s->set, s->study, s->text);
    enum status status = dump_read(source, &options, &handler, &stats, e);
    for (unsigned i = 0; i < n; i++)
        post_text_clear(&s->texts[i]);
    mem_free(s->texts);
    return status;
}

/* --- NDJSON posts --- */

struct lines {
    struct stream *stream;
    struct post_text text;
    struct arena arena;
    struct buf in, out;
    uint64_t offset; /* of `in` */
};

/* Without a byte order mark. */
static struct span without_mark(struct span text)
{
    if (span_starts(text, SPAN("\xef\xbb\xbf")))
        return (struct span){text.ptr + 3, text.len - 3};
    return text;
}

static enum status match_line(struct lines *l, struct span line, uint64_t offset, struct err *e)
{
    struct post post;
    const char *why;

    line = span_trim(offset == 0 ? without_mark(line) : line);
    if (line.len == 0)
        return ST_OK;
    arena_reset(&l->arena);
    if (!ndjson_post(line, &l->arena, &post, &why)) {
        refused_add(&l->stream->refused, offset, 0, why);
        return ST_OK;
    }
    add_post(&l->text, l->stream->set, post.post_id, post.title, post.body_html, &l->out);
    if (l->out.len < CHUNK)
        return ST_OK;
    bool written = fwrite(l->out.ptr, 1, l->out.len, l->stream->out) == l->out.len;
    buf_reset(&l->out);
    return written ? ST_OK : stream_check(l->stream->out, "standard output", e);
}

/* Takes the whole lines off the input; `from` is where no line end was looked for yet. */
static enum status match_lines(struct lines *l, size_t from, struct err *e)
{
    size_t done = 0;
    const char *end;

    while (from < l->in.len && (end = memchr(l->in.ptr + from, '\n', l->in.len - from)) != NULL) {
        struct span line = {l->in.ptr + done, (size_t)(end - l->in.ptr) - done};
        enum status status = match_line(l, line, l->offset + done, e);
        if (status != ST_OK)
            return status;
        done += line.len + 1;
        from = done;
    }
    memmove(l->in.ptr, l->in.ptr + done, l->in.len - done);
    l->in.len -= done;
    l->offset += done;
    if (l->in.len > LINE_BYTES_MAX)
        return err_set(e, ST_INPUT, "standard input: the line at byte %llu is longer than %d bytes",
                       (unsigned long long)l->offset, LINE_BYTES_MAX);
    return ST_OK;
}

static enum status read_lines(struct lines *l, struct source *source, struct err *e)
{
    size_t got;

    do {
        buf_reserve(&l->in, CHUNK);
        enum status status = source_read(source, l->in.ptr + l->in.len, CHUNK, &got, e);
        if (status != ST_OK)
            return status;
        size_t from = l->in.len;
        l->in.len += got;
        status = match_lines(l, from, e);
        if (status != ST_OK)
            return status;
    } while (got > 0);
    return match_line(l, buf_span(&l->in), l->offset, e);
}

static enum status read_ndjson(struct stream *s, struct source *source, struct err *e)
{
    struct lines l = {.stream = s};

    post_text_init(&l.text, s->set, s->study, s->text);
    enum status status = read_lines(&l, source, e);
    /* After an error too: what was found before it counts. */
    bool written = l.out.len == 0 || fwrite(l.out.ptr, 1, l.out.len, s->out) == l.out.len;
    if (status == ST_OK && !written)
        status = stream_check(s->out, "standard output", e);
    post_text_clear(&l.text);
    arena_clear(&l.arena);
    buf_clear(&l.in);
    buf_clear(&l.out);
    return status;
}

static bool is_json(struct span head)
{
    head = span_trim(without_mark(head));
    return head.len > 0 && head.ptr[0] == '{';
}

static enum status read_posts(struct stream *s, bool strict, struct err *e)
{
    struct source *source;
    enum status status = source_open(&source, "-", e);

    if (status != ST_OK)
        return status;
    s->refused.source = source_name(source);
    status = is_json(source_head(source)) ? read_ndjson(s, source, e) : read_rows(s, source, e);
    if (status == ST_OK)
        status = refused_end(&s->refused, strict, e);
    source_close(source);
    return status;
}

enum status mine_stream(const struct study *study, const struct mine_how *how, unsigned threads,
                        bool strict, FILE *out, struct err *e)
{
    struct stream s = {.study = study, .text = how->text, .threads = threads, .out = out};
    struct match_set *set = NULL;
    struct buf content = {0};
    enum status status = mine_set(&set, study, how->keywords_path, how->match, &content, e);

    s.set = set;
    if (status == ST_OK)
        status = read_posts(&s, strict, e);
    match_set_free(set);
    buf_clear(&content);
    return status;
}
