/* search: posts by words, tag, date, and by what the coder who asks said of them. */
#include <inttypes.h>

#include "base/day.h"
#include "match/corpus/derived.h"
#include "match/corpus/text_functions.h"
#include "base/post/post.h"
#include "base/table/table.h"
#include "stem/stem.h"
#include "web/site.h"

enum { PAGE_ROWS = 50, WORDS_MAX = 20, COUNT_MAX = 10000, BEFORE_HIT = 60, PLACE_SIZE = 200 };

struct listing {
    struct visit *v;
    int64_t n, last;
    struct stemmer *stemmer;
    struct span stems[WORDS_MAX]; /* of the words that are looked for */
    size_t n_stems;
};

static const struct {
    const char *name, *words;
    int64_t judged;
} judgements[] = {
    {"", "any", POST_ABSENT},
    {"not", "not judged by me", -1},
    {"no", "no, I said", 0},
    {"yes", "yes, I said", 1},
};

static enum status MUST_USE read_search(struct visit *v, struct db_search *s, struct err *e)
{
    struct span judged = field_of(&v->query, "judged"), code = field_of(&v->query, "code");
    struct span after = field_of(&v->query, "after"), words = field_of(&v->query, "words");
    struct token_reader reader = token_reader(words);
    struct token token;
    AT_END(buf_clear) struct buf query = {0};

    for (size_t n = 0; n < WORDS_MAX && token_next(&reader, &token); n++) {
        buf_add_text(&query, n > 0 ? " " : "");
        buf_add(&query, words.ptr + token.start, token.end - token.start);
    }
    *s = (struct db_search){
        .coder = v->coder,
        .words = query.len > 0 ? arena_copy(&v->arena, buf_span(&query)) : (struct span){0},
        .tag = field_text(&v->query, "tag"),
        .from = field_text(&v->query, "from"),
        .to = field_text(&v->query, "to"),
        .judged = POST_ABSENT,
        .all = field_of(&v->query, "all").len > 0,
        .limit = PAGE_ROWS,
    };
    for (size_t i = 0; i < ARRAY_LEN(judgements); i++)
        if (span_eq(judged, span_of(judgements[i].name)))
            s->judged = judgements[i].judged;
    if ((s->from.ptr != NULL && !day_is(s->from)) || (s->to.ptr != NULL && !day_is(s->to)))
        return err_set(e, ST_INPUT, "a day is written as 2021-03-04");
    if (after.len > 0 && !post_id_read(after, &s->after))
        return err_set(e, ST_INPUT, "'after' is the id of a post");
    if (code.len > 0 && !span_i64(code, &s->code_id))
        return err_set(e, ST_INPUT, "'code' is the number of a code");
    return ST_OK;
}

/* --- what was found --- */

/* The words around the first hit, with all hits among them marked. */
static void add_place(struct listing *l, struct span stored)
{
    char *blanks = arena_text(&l->v->arena, stored); /* for ends of paragraphs */
    struct span text = {blanks, stored.len};
    for (size_t i = 0; i < text.len; i++)
        blanks[i] = blanks[i] == '\n' ? ' ' : blanks[i];
    struct token_reader reader = token_reader(text);
    struct buf *out = l->v->out;
    struct token token;
    size_t at = SIZE_MAX, end = 0;

    while (token_next(&reader, &token) && (at == SIZE_MAX || token.start < end)) {
        struct span word = {text.ptr + token.start, token.end - token.start};
        if (span_among(stemmer_stem(l->stemmer, word), l->stems, l->n_stems) == l->n_stems)
            continue;
        if (at == SIZE_MAX) {
            at = token.start > BEFORE_HIT ? token.start - BEFORE_HIT : 0;
            while (at > 0 && at < token.start && text.ptr[at] != ' ') /* a word is not cut, nor a letter */
                at++;
            end = at + PLACE_SIZE < text.len ? at + PLACE_SIZE : text.len;
            buf_add_text(out, at > 0 ? "…" : "");
        }
        table_escape_html(out, (struct span){text.ptr + at, token.start - at});
        page_text(out, "<mark>", word, "</mark>");
        at = token.end;
    }
    if (at == SIZE_MAX)
        return;
    while (end > at && end < text.len && text.ptr[end] != ' ')
        end--;
    if (end > at)
        table_escape_html(out, (struct span){text.ptr + at, end - at});
    buf_add_text(out, end < text.len ? "…" : "");
}

static void add_row(void *ctx, const struct db_match *found)
{
    struct listing *l = ctx;
    struct buf *out = l->v->out;
    char id[POST_ID_TEXT_SIZE];

    if (l->n++ == 0)
        page_table(out, "Post;Title;Date;Keywords;My judgement");
    l->last = found->post_id;
    post_id_text(found->post_id, id);
    buf_addf(out, "<tr><td><a href=\"/code/%s\">%s</a></td>", id, id);
    page_text(out, "<td>", found->title, "");
    if (found->text.len > 0) {
        buf_add_text(out, "<br><small class=\"place\">");
        add_place(l, found->text);
        buf_add_text(out, "</small>");
    }
    page_text(out, "</td><td>", day_of(found->created_at), "</td>");
    buf_addf(out, "<td class=\"n\">%" PRId64 "</td><td>%s</td></tr>\n",
             found->n_hits != POST_ABSENT ? found->n_hits : 0,
             found->judged == POST_ABSENT ? ""
             : found->judged != 0         ? "yes"
                                          : "no");
}

/* How many there are on all pages, and those of this one. */
static enum status MUST_USE list(struct listing *l, struct db_search search, struct err *e)
{
    struct db *db = l->v->worker->db;
    struct token_reader reader = token_reader(search.words);
    struct db_search all = search;
    struct token token;
    int64_t n = 0;
    enum status status = stemmer_new(&l->stemmer, l->v->worker->study.stemmer, e);

    while (status == ST_OK && l->n_stems < WORDS_MAX && token_next(&reader, &token))
        l->stems[l->n_stems++] = arena_copy(
            &l->v->arena,
            stemmer_stem(l->stemmer, (struct span){search.words.ptr + token.start, token.end - token.start}));
    all.after = 0;
    all.limit = COUNT_MAX + 1;
    THEN(status, db_search_count(db, &all, &n, e));
    if (status == ST_OK && n > COUNT_MAX)
        buf_addf(l->v->out, "<p>More than %d posts</p>\n", COUNT_MAX);
    else if (status == ST_OK && n > 0)
        buf_addf(l->v->out, "<p>%" PRId64 " post%s</p>\n", n, n == 1 ? "" : "s");
    THEN(status, db_search_each(db, &search, add_row, l, e));
    stemmer_free(l->stemmer);
    return status;
}

enum status search_page(struct visit *v)
{
    const struct fields *q = &v->query;
    const struct stored_codebook *book = &v->worker->book;
    struct db_search search;
    struct listing listing = {.v = v};
    char id[POST_ID_TEXT_SIZE];
    enum status status = read_search(v, &search, &v->error);

    if (status == ST_OK && !v->worker->has_text) {
        struct db_text functions = text_functions();
        v->worker->has_text = true;
        status = db_use_text(v->worker->db, &functions, &v->error);
    }
    if (status != ST_OK)
        return status;
    page_begin(v, "Search", "search");
    html(v->out, SPAN("search"), field_of(q, "words"), field_of(q, "tag"), field_of(q, "from"), field_of(q, "to"));
    for (size_t i = 0; i < ARRAY_LEN(judgements); i++)
        html(v->out, SPAN("option"), span_of(judgements[i].name),
             html_if(search.judged == judgements[i].judged, " selected"), span_of(judgements[i].words));
    html(v->out, SPAN("search-codes"));
    for (size_t i = 0; i < book->codebook.n_codes; i++)
        html(v->out, SPAN("search-code"), html_number(v, book->code_ids[i]),
             html_if(book->code_ids[i] == search.code_id, " selected"), book->codebook.codes[i].facet,
             book->codebook.codes[i].name);
    html(v->out, SPAN("search-end"), html_if(search.all, " checked"));
    status = list(&listing, search, &v->error);
    buf_add_text(v->out, listing.n > 0 ? "</tbody></table>\n" : "<p>No post was found.</p>\n");
    if (listing.n == PAGE_ROWS) { /* the same search from the last row on */
        buf_add_text(v->out, "<form method=\"get\" action=\"/search\">");
        for (size_t i = 0; i < q->n; i++)
            if (!span_eq(q->at[i].name, SPAN("after")))
                html(v->out, SPAN("hidden"), q->at[i].name, q->at[i].value);
        html(v->out, SPAN("more"), span_of(post_id_text(listing.last, id)));
    }
    page_end(v);
    return status;
}
