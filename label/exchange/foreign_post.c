/* foreign_post: rows of somebody else's tables as posts, in the form of docs/posts.md. */
#include "base/log.h"
#include "base/post/post.h"
#include "base/visible.h"
#include "label/exchange/foreign_head.h"

enum { PARTS_MAX = 1000 }; /* of the text of one post */

struct foreign_part {
    struct span text;
    size_t next; /* 0: the last one */
};

struct foreign_kept {
    struct foreign_post post;
    size_t first, last, n; /* its parts, from 1 */
};

static void add_text(struct buf *out, const char *name, struct span text)
{
    if (text.len == 0)
        return;
    buf_addf(out, ",\"%s\":", name);
    buf_add_json(out, text);
}

/* A day, or a time of UTC, with a blank or T between them; other zones are not known here. */
static bool read_date(struct span text, char out[TIME_TEXT_SIZE])
{
    enum { DAY = 10, SECONDS = 19 };
    static const char *const utc[] = {" UTC", "+00:00", "+0000", "Z"};
    char time[TIME_TEXT_SIZE + 8];

    for (size_t i = 0; i < ARRAY_LEN(utc) && text.len > SECONDS; i++)
        if (text.len >= SECONDS + strlen(utc[i]) && span_ends(text, span_of(utc[i])))
            text.len -= strlen(utc[i]);
    if (text.len != DAY && (text.len < SECONDS || text.len >= sizeof time || strchr(" T", text.ptr[DAY]) == NULL))
        return false;
    snprintf(time, sizeof time, "%.*s%s", SPAN_ARG(text), text.len == DAY ? "T00:00:00" : "");
    time[DAY] = 'T';
    return date_read(span_of(time), out);
}

/* Issues are Markdown, whatever tags are in them; so is what has a fence. Tags of Stack Exchange say that a text is HTML. */
static void add_body(struct buf *out, struct span site, struct span text)
{
    AT_END(buf_clear) struct buf html = {0};

    if (span_has_word(site, "github.com/ gitlab.") || span_has(text, "```")) {
        add_text(out, "body_markdown", text);
    } else if (span_has_word(text, "<p> </p> <pre <code> <br </a> </li>") || text.len == 0) {
        add_text(out, "body_html", text);
    } else {
        buf_add_text(&html, "<p>");
        for (size_t i = 0; i < text.len; i++) {
            bool ends = text.ptr[i] == '\n' && i + 1 < text.len && text.ptr[i + 1] == '\n';
            i += ends; /* a blank line ends a paragraph */
            if (ends)
                buf_add_text(&html, "</p>\n<p>");
            else
                buf_add_markup(&html, text.ptr[i]);
        }
        buf_add_text(&html, "</p>");
        add_text(out, "body_html", buf_span(&html));
    }
}

bool foreign_posts_add(struct foreign_posts *p, const struct foreign_post *post, size_t at)
{
    size_t filled = post->title.len > 0, others = 0;

    for (size_t i = 0; i < post->n_texts; i++)
        filled += post->texts[i].len > 0;
    p->n_rows++;
    p->n_textless += filled == 0;
    if (filled == 0)
        return false;
    bool is_new = at == p->kept.n;
    if (is_new)
        array_add(&p->kept, (struct foreign_kept){.post = *post});
    struct foreign_kept *kept = &p->kept.at[at];
    bool takes = kept->post.table == post->table && kept->n + post->n_texts < PARTS_MAX;
    for (size_t i = 0; i <= post->n_texts; i++) {
        struct span text = i == 0 ? post->title : post->texts[i - 1];
        bool has = text.len == 0 || span_eq(kept->post.title, text);
        for (size_t k = kept->first; k != 0 && !has; k = p->parts.at[k - 1].next)
            has = span_eq(p->parts.at[k - 1].text, text);
        if (has)
            continue;
        others++;
        if (!takes)
            continue;
        array_add(&p->parts, (struct foreign_part){.text = text});
        *(kept->n++ > 0 ? &p->parts.at[kept->last - 1].next : &kept->first) = p->parts.n;
        kept->last = p->parts.n;
    }
    p->n_joined += !is_new && takes && others > 0;
    p->n_same += !is_new && others == 0;
    p->n_other += !is_new && !takes && others > 0;
    return true;
}

void foreign_posts_write(struct foreign_posts *p, struct buf *out)
{
    for (size_t k = 0; k < p->kept.n; k++) {
        const struct foreign_post *post = &p->kept.at[k].post;
        char created_at[TIME_TEXT_SIZE];
        bool dated = read_date(post->date, created_at);
        AT_END(buf_clear) struct buf text = {0};
        p->n_undated += !dated && post->date.len > 0;
        for (size_t i = p->kept.at[k].first; i != 0; i = p->parts.at[i - 1].next) {
            buf_add_text(&text, text.len > 0 ? "\n\n" : "");
            buf_add_span(&text, p->parts.at[i - 1].text);
        }
        buf_addf(out, "{\"post_id\":%lld", (long long)post->number);
        add_text(out, "site", post->site);
        add_text(out, "title", post->title);
        add_text(out, "tags", post->tags);
        add_text(out, "owner_display_name", post->author);
        add_text(out, "created_at", dated ? span_of(created_at) : SPAN(""));
        add_text(out, "url", span_has(post->link, "://") ? post->link : SPAN(""));
        add_body(out, post->site, buf_span(&text));
        buf_add_text(out, "}\n");
    }
    if (p->n_rows == 0)
        return;
    log_info(
        "texts: %zu rows are %zu posts, %zu rows add to the text of one; left out: %zu rows without a text, %zu with"
        " texts that are there, %zu with another text of a post of another table",
        p->n_rows, p->kept.n, p->n_joined, p->n_textless, p->n_same, p->n_other);
    if (p->n_undated > 0)
        log_info("left out: dates of %zu posts; expected YYYY-MM-DD, or a time of UTC", p->n_undated);
}

void foreign_posts_clear(struct foreign_posts *p)
{
    array_clear(&p->kept);
    array_clear(&p->parts);
}
