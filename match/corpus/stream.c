/* stream: match without a database, posts in, hits out. */

#include "base/files.h"
#include "base/log.h"
#include "fetch/fetch.h"
#include "match/corpus/part.h"
#include "match/corpus/post_text.h"

#include <inttypes.h>

enum { THREADS_FILE_MAX = 1 << 30 };

/* Of questions by site and id. A thread is a question with its answers. */
struct thread_key {
    struct span site; /* ptr NULL: of posts that do not say it */
    int64_t id;
};

#define MAP_NAME thread_map
#define MAP_KEY struct thread_key
#define MAP_HASH(key, secret) map_hash_number(map_hash_span((key).site, secret) + (uint64_t)(key).id, secret)
#define MAP_EQUAL(a, b) ((a).id == (b).id && span_eq((a).site, (b).site))
#include "base/map.h"

struct thread_set {
    struct buf content;
    struct thread_map map;
};

struct stream {
    const struct study *study;
    const struct match_set *set;
    const struct mine_stream_how *how;
    struct thread_set threads;
    struct part_lists lists;
    FILE *out;
    struct worker {
        struct post_text text;
        struct part *part;    /* NULL: hits are printed */
        uint64_t posts, hits; /* posts with a hit, and their hits */
    } * workers;
    unsigned n_workers;
    struct refused refused;
    uint64_t bytes, read, watermarks; /* of the input; posts that were read */
};

/* --- threads --- */

/* Reads lines of "ID" or "SITE ID", # for comments. ST_INPUT with file:line for anything else. */
static enum status MUST_USE thread_set_load(struct thread_set *set, const char *path, struct err *e)
{
    enum status status = file_read(path, THREADS_FILE_MAX, &set->content, e);
    struct span rest = buf_span(&set->content), line;

    for (size_t n = 1; status == ST_OK && span_cut(&rest, '\n', &line); n++) {
        struct thread_key key;
        line = span_trim(line);
        if (line.len == 0 || *line.ptr == '#')
            continue;
        size_t blank = line.len;
        while (blank > 0 && line.ptr[blank - 1] != ' ' && line.ptr[blank - 1] != '\t')
            blank--;
        key.site = blank > 0 ? span_trim((struct span){line.ptr, blank}) : (struct span){0};
        if (span_i64(span_after(line, blank), &key.id) && key.id >= 1)
            thread_map_add(&set->map, key, NULL);
        else
            status = err_set(e, ST_INPUT, "%s:%zu: a line is an id, or a site, a blank and an id", path, n);
    }
    return status;
}

/* Whether the post, or the one it answers (POST_ABSENT: none), is in the set. */
static bool thread_set_has(const struct thread_set *set, struct span site, int64_t id, int64_t parent)
{
    if (thread_map_has(&set->map, (struct thread_key){site, id}))
        return true;
    return parent != POST_ABSENT && thread_map_has(&set->map, (struct thread_key){site, parent});
}

/* --- a post --- */

/* Adds the post's line to *out when it has a hit, or is wanted in any case. */
static void match_post(const struct stream *s, struct worker *w, const struct post *post, struct buf *out)
{
    size_t before = out->len, n_hits = 0;
    const struct hit *hits;

    if (w->part != NULL) {
        part_add(w->part, post, out);
        return;
    }
    post_text_extract(&w->text, post->title, post->body_html);
    if (s->how->whole_posts) {
        buf_add_char(out, '{');
        post_add_json(out, post);
    } else if (post->site.ptr != NULL) {
        buf_add_text(out, "{\"site\":");
        buf_add_json(out, post->site);
        buf_addf(out, ",\"id\":%" PRId64, post->post_id);
    } else {
        buf_addf(out, "{\"id\":%" PRId64, post->post_id);
    }
    buf_add_text(out, ",\"hits\":[");
    for (enum field field = FIELD_TITLE; field < FIELDS; field++) {
        size_t n = post_text_find(&w->text, field, &hits);
        for (size_t i = 0; i < n; i++) {
            if (n_hits++ > 0)
                buf_add_char(out, ',');
            const struct hit *hit = &hits[i];
            buf_add_text(out, "{\"keyword\":");
            buf_add_json(out, match_set_keyword(s->set, hit->keyword)->text);
            buf_addf(out, ",\"field\":\"%s\",\"start\":%zu,\"end\":%zu}", field_name(field), hit->start, hit->end);
        }
    }
    w->posts += n_hits > 0;
    w->hits += n_hits;
    if (n_hits > 0 || s->how->threads_path != NULL)
        buf_add_text(out, "]}\n");
    else
        out->len = before;
}

static enum status flush(const struct stream *s, struct buf *out, struct err *e)
{
    enum status status = stream_write(s->out, buf_span(out), "standard output", e);

    buf_reset(out);
    return status;
}

static enum status MUST_USE start_workers(struct stream *s, unsigned n, struct err *e)
{
    enum status status = ST_OK;

    s->workers = mem_zero(n, sizeof *s->workers);
    s->n_workers = n;
    for (unsigned i = 0; i < n; i++)
        post_text_init(&s->workers[i].text, s->set, s->study, s->how->mine.text);
    for (unsigned i = 0; i < n && s->how->part != MINE_PART_NONE && status == ST_OK; i++)
        status = part_new(&s->workers[i].part, s->study, s->how, &s->lists, e);
    return status;
}

/* --- dump rows --- */

static void scan_block(void *ctx, unsigned worker, struct dump_block *b)
{
    struct stream *s = ctx;
    struct post post;
    const char *why;
    struct row row;

    while (dump_next(b, &row)) {
        bool part = s->how->part != MINE_PART_NONE, usable;
        if (s->how->threads_path != NULL ? !thread_set_has(&s->threads, s->how->site, row.id, row.parent_id)
                                         : !part && !match_possible(s->set, row.raw))
            continue;
        arena_reset(&b->arena);
        if (s->how->whole_posts || part) {
            usable = row_post(&row, &b->arena, &post, &why);
        } else {
            post = post_empty();
            post.post_id = row.id;
            usable = row_texts(&row, &b->arena, &post.title, &post.body_html, &why);
        }
        post.site = s->how->site;
        if (usable)
            match_post(s, &s->workers[worker], &post, &b->out);
        else
            dump_refuse(b, &row, why);
    }
}

static enum status write_block(void *ctx, struct dump_block *b, struct err *e)
{
    return flush(ctx, &b->out, e);
}

static void refuse_row(void *ctx, uint64_t offset, int64_t id, const char *why)
{
    refused_add(&((struct stream *)ctx)->refused, offset, id, why);
}

static enum status read_rows(struct stream *s, struct source *source, struct err *e)
{
    struct dump_options options = {
        .threads = s->how->mine.threads,
        .fragment = true,
        .is_piece = s->how->is_piece,
        .offset = s->how->offset,
    };
    struct dump_handler handler = {.ctx = s, .scan = scan_block, .take = write_block, .refused = refuse_row};
    struct dump_stats stats;

    enum status status = start_workers(s, dump_workers(&options), e);
    if (status != ST_OK)
        return status;
    status = dump_read(source, &options, &handler, &stats, e);
    s->bytes = stats.bytes > s->how->offset ? stats.bytes - s->how->offset : 0;
    s->read = stats.rows;
    s->watermarks = stats.watermarks;
    return status;
}

/* --- NDJSON posts --- */

struct lines {
    struct stream *stream;
    struct buf out;
    uint64_t offset; /* of the record */
    struct ndjson_file file;
};

static enum status take_post(void *ctx, const struct post *post, struct err *e)
{
    enum { CHUNK = 256 * 1024 };
    struct lines *l = ctx;
    struct stream *s = l->stream;
    struct post placed = *post;

    s->read++;
    if (placed.site.ptr == NULL)
        placed.site = s->how->site;
    if (s->how->threads_path != NULL && !thread_set_has(&s->threads, placed.site, placed.post_id, placed.parent_id))
        return ST_OK;
    match_post(s, &s->workers[0], &placed, &l->out);
    return l->out.len < CHUNK ? ST_OK : flush(s, &l->out, e);
}

static void refuse_post(void *ctx, int64_t id, const char *why)
{
    struct lines *l = ctx;

    refused_add(&l->stream->refused, l->stream->how->offset + l->offset, id, why);
}

static void refuse_record(void *ctx, uint64_t offset, const char *why)
{
    struct lines *l = ctx;

    refused_add(&l->stream->refused, l->stream->how->offset + offset, 0, why);
}

static enum status take_record(void *ctx, struct span record, uint64_t offset, struct err *e)
{
    struct lines *l = ctx;
    struct api_reader reader = {.ctx = l, .post = take_post, .refused = refuse_post};

    l->offset = offset;
    return ndjson_read(record, &reader, &l->file, e);
}

static enum status read_ndjson(struct stream *s, struct source *source, struct err *e)
{
    struct lines l = {.stream = s};
    struct ndjson_handler handler = {.ctx = &l, .record = take_record, .refused = refuse_record, .line = &l.file.line};
    struct err second;

    enum status status = start_workers(s, 1, e);
    if (status != ST_OK)
        return status;
    status = ndjson_each(source, &handler, &s->bytes, e);
    /* After an error too: what was found before it is good. */
    enum status written = flush(s, &l.out, status == ST_OK ? e : &second);
    buf_clear(&l.out);
    ndjson_say_unread(&l.file, source_name(source));
    ndjson_file_clear(&l.file);
    return status == ST_OK ? written : status;
}

/* --- the whole --- */

static enum status read_posts(struct stream *s, struct err *e)
{
    struct source *source;
    enum status status = s->how->length < UINT64_MAX ? source_open_part(&source, "-", s->how->length, e)
                                                     : source_open(&source, "-", e);

    if (status != ST_OK)
        return status;
    s->refused.source = source_name(source);
    /* A piece of a dump may begin with any text. */
    struct span head = span_trim(source_head(source));
    bool is_json = s->how->is_piece ? span_starts(head, SPAN("{")) : ndjson_begins(head);
    status = is_json ? read_ndjson(s, source, e) : read_rows(s, source, e);
    if (status == ST_INPUT && s->read > 0)
        log_warn("%s: not read to its end: %" PRIu64 " posts were read", source_name(source), s->read);
    if (status == ST_OK) {
        AT_END(buf_clear) struct buf out = {0};
        for (unsigned i = 0; i < s->n_workers && status == ST_OK; i++) {
            if (s->workers[i].part != NULL)
                part_end(s->workers[i].part, &out);
            status = flush(s, &out, e);
        }
    }
    THEN(status, refused_end(&s->refused, s->how->strict, s->read, e));
    if (status == ST_OK && s->how->counts_path != NULL) {
        AT_END(buf_clear) struct buf line = {0};
        uint64_t posts = 0, hits = 0;
        for (unsigned i = 0; i < s->n_workers; i++) {
            posts += s->workers[i].posts;
            hits += s->workers[i].hits;
        }
        buf_addf(&line,
                 "{\"bytes\":%" PRIu64 ",\"posts_read\":%" PRIu64 ",\"posts\":%" PRIu64 ",\"hits\":%" PRIu64
                 ",\"watermarks\":%" PRIu64 ",\"refused\":%" PRIu64 ",\"left_out\":",
                 s->bytes, s->read, posts, hits, s->watermarks, s->refused.n);
        refused_json(&s->refused, &line);
        buf_add_text(&line, "}\n");
        status = file_write(s->how->counts_path, false, buf_span(&line), s->how->counts_path, e);
    }
    if (s->refused.n > 0)
        refused_say(&s->refused);
    refused_clear(&s->refused);
    source_close(source);
    return status;
}

enum status mine_stream(const struct study *study, const struct mine_stream_how *how, FILE *out, struct err *e)
{
    struct stream s = {.study = study, .how = how, .out = out};
    struct match_set *set = NULL;
    AT_END(buf_clear) struct buf content = {0};
    enum status status = mine_set(&set, study, how->mine.keywords_path, how->mine.match, &content, e);

    s.set = set;
    if (status == ST_OK && how->threads_path != NULL)
        status = thread_set_load(&s.threads, how->threads_path, e);
    THEN(status, part_lists_read(&s.lists, how, e));
    THEN(status, read_posts(&s, e));
    for (unsigned i = 0; i < s.n_workers; i++) {
        post_text_clear(&s.workers[i].text);
        part_free(s.workers[i].part);
    }
    mem_free(s.workers);
    part_lists_clear(&s.lists);
    thread_map_clear(&s.threads.map);
    buf_clear(&s.threads.content);
    match_set_free(set);
    return status;
}
