/* Tests of text_safe_html: what strangers write becomes HTML of a closed list, balanced. */

#include "tests/unit/unit.h"

#include "base/host.h"
#include "base/utf8.h"
#include "stem/stem.h"

static const struct text_marks none = {0};

/* Every image is kept: as what strangers write shows more then, all tests are made with it, too. */
static bool keep_all(void *ctx, struct span url, struct text_image *out)
{
    (void)ctx;
    assert_true(span_starts(url, SPAN("http")) || span_starts(url, SPAN("HTTP")) || span_starts(url, SPAN("hTTp")));
    for (size_t i = 0; i < url.len; i++)
        assert_true(url.ptr[i] > ' ' && url.ptr[i] < 0x7f);
    *out = (struct text_image){SPAN("/images/1"), 30, 4};
    return true;
}

static const struct text_page all_kept = {.find = keep_all};

static void assert_safe(const char *out);

static const char *safe(struct buf *out, struct span html, const struct text_marks *marks)
{
    buf_reset(out);
    text_safe_html(out, html, SPAN("https://example.org"), marks, &all_kept);
    assert_safe(buf_cstr(out));
    buf_reset(out);
    text_safe_html(out, html, SPAN("https://example.org"), marks, NULL);
    return buf_cstr(out);
}

/* --- an oracle of its own: reads the output, tag by tag, as strictly as can be --- */

static const char *const with_end[] = {
    "p",    "h3",  "h4", "h5",     "h6", "ul",  "ol",  "li",    "dl",    "dt",    "dd", "blockquote", "div", "pre",
    "code", "kbd", "em", "strong", "s",  "sub", "sup", "table", "thead", "tbody", "tr", "th",         "td",  "mark"};
static const char link_end[] = "\" target=\"_blank\" rel=\"noopener noreferrer nofollow\"";

struct open_tags {
    struct span names[1000];
    size_t n;
};

static bool take(struct span *s, const char *text)
{
    if (!span_starts(*s, span_of(text)))
        return false;
    *s = (struct span){s->ptr + strlen(text), s->len - strlen(text)};
    return true;
}

/* href="http…" with nothing in it that could end it or be another scheme */
static bool take_link(struct span *s)
{
    if (!take(s, "a href=\"") || (!span_starts(*s, SPAN("http://")) && !span_starts(*s, SPAN("https://")) &&
                                  !span_starts(*s, SPAN("HTTP")) && !span_starts(*s, SPAN("hTTp"))))
        return false;
    while (s->len > 0 && s->ptr[0] > ' ' && s->ptr[0] < 0x7f && strchr("\"'<>`", s->ptr[0]) == NULL)
        *s = (struct span){s->ptr + 1, s->len - 1};
    if (!take(s, link_end))
        return false;
    take(s, " class=\"image\"");
    return take(s, ">");
}

static bool take_image(struct span *s)
{
    if (!take(s, "img src=\"/images/1\" width=\"30\" height=\"4\" loading=\"lazy\" alt=\""))
        return false;
    while (s->len > 0 && strchr("\"'<>", s->ptr[0]) == NULL)
        *s = (struct span){s->ptr + 1, s->len - 1};
    return take(s, "\">");
}

static void read_tag(struct span *s, struct open_tags *open, const char *all)
{
    if (take_image(s))
        return;
    if (take(s, "br>") || take(s, "hr>"))
        return;
    if (take(s, "/")) {
        struct span name = open->n > 0 ? open->names[--open->n] : SPAN("nothing is open");
        struct span end = {s->ptr, name.len};
        if (s->len <= name.len || !span_eq(end, name) || s->ptr[name.len] != '>')
            fail_msg("not balanced: %s", all);
        *s = (struct span){s->ptr + name.len + 1, s->len - name.len - 1};
        return;
    }
    assert_true(open->n < ARRAY_LEN(open->names));
    if (take_link(s)) {
        open->names[open->n++] = SPAN("a");
        return;
    }
    static const char *const spans[] = {"span class=\"image\">", "span class=\"word\">", "span class=\"text\">",
                                        "span class=\"number\">", "span class=\"comment\">"};
    bool is_span = false;
    for (size_t i = 0; i < ARRAY_LEN(spans) && !is_span; i++)
        is_span = take(s, spans[i]);
    if (is_span) {
        open->names[open->n++] = SPAN("span");
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(with_end); i++) {
        struct span name = span_of(with_end[i]);
        if (span_starts(*s, name) && s->len > name.len && s->ptr[name.len] == '>') {
            open->names[open->n++] = name;
            *s = (struct span){s->ptr + name.len + 1, s->len - name.len - 1};
            return;
        }
    }
    fail_msg("a tag that is not of the list: %s", all);
}

static void assert_safe(const char *out)
{
    struct open_tags *open = mem_zero(1, sizeof *open);
    struct span s = span_of(out);

    assert_int_equal(utf8_valid_prefix(s), s.len);
    while (s.len > 0) {
        char c = s.ptr[0];
        s = (struct span){s.ptr + 1, s.len - 1};
        if (c == '<')
            read_tag(&s, open, out);
        else if (c == '>' || c == '"' || c == '\'')
            fail_msg("a character that is not escaped: %s", out);
    }
    if (open->n > 0)
        fail_msg("not closed: %s", out);
    mem_free(open);
}

/* --- what strangers write --- */

/* clang-format off */
static const char *const attacks[] = {
    "<script>alert(1)</script>", "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>", "<img src=x onerror=alert(1)>",
    "<img src='javascript:alert(1)' alt='\"><script>alert(1)</script>'>",
    "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>", "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href=' javascript:alert(1)'>x</a>", "<a href='java\nscript:alert(1)'>x</a>",
    "<a href='java&#10;script:alert(1)'>x</a>", "<a href='&#106;avascript:alert(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>", "<a href='vbscript:x'>x</a>",
    "<a href=\"https://a.example/\" onclick=\"alert(1)\" style=\"position:fixed\">x</a>",
    "<a href='https://a.example/\"onmouseover=\"alert(1)'>x</a>",
    "<a href='https://a.example/&quot;><script>alert(1)</script>'>x</a>",
    "<a href='//evil.example'>x</a>", "<a href='/questions/1'>x</a>", "<a href='#x'>x</a>",
    "<a href='https://a.example'><a href='https://b.example'>x</a></a>",
    "<a href='https://a.example'><img src='https://b.example/i.png' alt='a<b'></a>",
    "<iframe src='javascript:alert(1)'></iframe>", "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data='javascript:alert(1)'></object>", "<embed src='javascript:alert(1)'>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>", "<base href='https://evil.example/'>",
    "<link rel=stylesheet href='https://evil.example/x.css'>", "<style>*{background:url(//evil)}</style>",
    "<div style='background:url(javascript:alert(1))'>x</div>", "<input autofocus onfocus=alert(1)>",
    "<button formaction='javascript:alert(1)'>x</button>", "<form action='//evil.example'><input></form>",
    "<details open ontoggle=alert(1)>x</details>", "<video><source onerror=alert(1)></video>",
    "<body onload=alert(1)>x", "<html manifest='x'>", "<title></title><script>alert(1)</script>",
    "<textarea><script>alert(1)</script></textarea>", "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>", "<xmp><script>alert(1)</script></xmp>",
    "<plaintext><script>alert(1)</script>", "<!--><script>alert(1)</script>-->", "<![CDATA[<script>alert(1)</script>]]>",
    "<?php echo '<script>alert(1)</script>' ?>", "<p id=state class=panel name=coding>x</p>",
    "</div></article></main><form action=/code/1>x", "</p></p></p>x", "<p><b><i>x</p></b></i>",
    "<table><tr><td><table><tr><td>x", "<td>x</td>", "<li>x<li>y", "<ul><ul><ul>x", "<pre><p>x</pre>",
    "<h1>x<h2>y</h1>z", "<mark>x</mark>", "<x-y z>x</x-y>", "\"'><b>x", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)", "<p title=\"&gt;<script>alert(1)</script>\">x", "<<p>>x", "<", "&", "<p", "<p ",
    "<a href=", "<a href='https://", "<img alt='&#8238;'>", "&#8238;right to left", "a\xff\xfe!", "<p>\x01\x1b[31mx"
};
/* clang-format on */

TEST(lets_nothing_through_but_the_list)
{
    struct buf out = {0};

    for (size_t i = 0; i < ARRAY_LEN(attacks); i++) {
        assert_safe(safe(&out, span_of(attacks[i]), &none));
        if (strstr(buf_cstr(&out), "javascript:") != NULL)
            fail_msg("%s: %s", attacks[i], buf_cstr(&out));
    }
    buf_clear(&out);
}

/* Each attack inside of each other one. */
TEST(lets_nothing_through_in_pairs)
{
    struct buf out = {0}, html = {0};

    for (size_t i = 0; i < ARRAY_LEN(attacks); i++)
        for (size_t k = 0; k < ARRAY_LEN(attacks); k++) {
            buf_reset(&html);
            buf_add(&html, attacks[i], strlen(attacks[i]) / 2);
            buf_add_text(&html, attacks[k]);
            buf_add_text(&html, attacks[i] + strlen(attacks[i]) / 2);
            assert_safe(safe(&out, buf_span(&html), &none));
        }
    buf_clear(&html);
    buf_clear(&out);
}

TEST(writes_what_posts_are_made_of)
{
    static const struct {
        const char *html, *safe;
    } samples[] = {
        {"<p>a <b>b</b> <i>c</i></p>", "<p>a <strong>b</strong> <em>c</em></p>"},
        {"<h2>a</h2><ul><li>b</li></ul><hr>", "<h4>a</h4><ul><li>b</li></ul><hr>"},
        {"<pre><code>a &lt; b\n  c</code></pre>", "<pre>\n<code>a &lt; b\n  c</code></pre>"},
        {"<pre>for x1 in [1e-3, 'a&lt;']: # it's\nx.inner</pre>",
         "<pre>\n<span class=\"word\">for</span> x1 <span class=\"word\">in</span> [<span class=\"number\">1e-3"
         "</span>, <span class=\"text\">&#39;a&lt;&#39;</span>]: <span class=\"comment\"># it&#39;s</span>\n"
         "x.inner</pre>"},
        {"<pre>it's\n\"\"\"a\nb\"\"\" '\\'' \"open</pre>",
         "<pre>\nit&#39;s\n<span class=\"text\">&quot;&quot;&quot;a\nb&quot;&quot;&quot;</span> <span class=\"text\">"
         "&#39;\\&#39;&#39;</span> &quot;open</pre>"},
        {"<table><tr><th>a</th></tr></table>", "<table><tr><th>a</th></tr></table>"},
        {"<p><a href=\"http://a.example/?b=1&amp;c\" rel=x>d</a></p>",
         "<p><a href=\"http://a.example/?b=1&amp;c\" target=\"_blank\" rel=\"noopener noreferrer"
         " nofollow\">d</a></p>"},
        {"<p><a href=\"/q/1\">d</a></p>",
         "<p><a href=\"https://example.org/q/1\" target=\"_blank\" rel=\"noopener noreferrer"
         " nofollow\">d</a></p>"},
        {"<p><a href=\"ftp://a\">d</a></p>", "<p>d</p>"},
        {"<p><img src=\"https://i.example/é.png\" alt=\"a graph\"></p>",
         "<p><a href=\"https://i.example/%C3%A9.png\" target=\"_blank\" rel=\"noopener noreferrer"
         " nofollow\" class=\"image\">image: a graph</a></p>"},
        {"<p><a href=\"http://a\"><img src=\"http://b\" alt=\"\"></a></p>",
         "<p><a href=\"http://a\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">"
         "<span class=\"image\">image: without words</span></a></p>"},
        {"", ""},
    };
    struct buf out = {0};

    for (size_t i = 0; i < ARRAY_LEN(samples); i++)
        assert_string_equal(safe(&out, span_of(samples[i].html), &none), samples[i].safe);
    buf_clear(&out);
}

TEST(is_not_broken_by_depth)
{
    struct buf html = {0}, out = {0};

    for (size_t i = 0; i < 5000; i++)
        buf_add_text(&html, i % 2 > 0 ? "<blockquote>" : "<div>");
    buf_add_text(&html, "x");
    assert_safe(safe(&out, buf_span(&html), &none));
    buf_clear(&html);
    buf_clear(&out);
}

/* --- marks --- */

struct marked {
    const char *html, *words, *safe; /* the words are marked wherever they are in the text */
    enum text_options options;
};

static void assert_marked(const struct marked *m)
{
    struct buf text = {0}, out = {0};
    struct text_mark at[20];
    size_t n = 0, from = 0, len = strlen(m->words);

    text_from_html(&text, span_of(m->html), m->options);
    for (;;) {
        struct span rest = {text.ptr + from, text.len - from};
        size_t found = span_find(rest, span_of(m->words));
        if (found == SIZE_MAX)
            break;
        at[n++] = (struct text_mark){from + found, from + found + len};
        from += found + len;
    }
    struct text_marks marks = {buf_span(&text), at, n};
    assert_true(n > 0);
    assert_string_equal(safe(&out, span_of(m->html), &marks), m->safe);
    assert_safe(buf_cstr(&out));
    buf_clear(&text);
    buf_clear(&out);
}

TEST(marks_words_where_they_are)
{
    static const struct marked samples[] = {
        {"<p>so slow, slow</p>", "slow", "<p>so <mark>slow</mark>, <mark>slow</mark></p>", TEXT_PLAIN},
        {"<p>so   slow\n now</p>", "slow", "<p>so   <mark>slow</mark>\n now</p>", TEXT_PLAIN},
        {"<p>very\n slow now</p>", "very slow", "<p><mark>very\n slow</mark> now</p>", TEXT_PLAIN},
        {"<p>very <b>slow</b></p>", "very slow", "<p><mark>very </mark><strong><mark>slow</mark></strong></p>",
         TEXT_PLAIN},
        {"<pre>slow</pre><p>slow</p>", "slow", "<pre>\nslow</pre><p><mark>slow</mark></p>", TEXT_PLAIN},
        {"<pre>slow</pre><p>slow</p>", "slow", "<pre>\n<mark>slow</mark></pre><p><mark>slow</mark></p>",
         TEXT_INCLUDE_CODE},
        {"<script>slow</script><p>&eacute; slow</p>", "slow", "<p>\xc3\xa9 <mark>slow</mark></p>", TEXT_PLAIN},
        {"<p>a<br>slow &amp; b</p>", "slow", "<p>a<br><mark>slow</mark> &amp; b</p>", TEXT_PLAIN},
    };

    for (size_t i = 0; i < ARRAY_LEN(samples); i++)
        assert_marked(&samples[i]);
}

TEST(marks_nothing_in_another_text)
{
    static const struct text_mark at[] = {{0, 4}, {2, 900}, {8, 3}};
    struct text_marks marks = {SPAN("slow once"), at, ARRAY_LEN(at)};
    struct buf out = {0};

    assert_string_equal(safe(&out, SPAN("<p>slow twice</p>"), &marks), "<p>slow twice</p>");
    assert_string_equal(safe(&out, SPAN("<p>slow once</p>"), &marks), "<p><mark>slow</mark> once</p>");
    buf_clear(&out);
}

/* A mark without an end is looked for once, however many there are. */
TEST(hostile_code_costs_no_more)
{
    static const char *const pieces[] = {"'''\\",  "'\\", "\\'", "\"'\\",   "'\"\"\"\\",
                                         "\"\\\\", "0e+", "#'",  "''\"\"\""};
    struct buf html = {0}, out = {0};

    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        buf_reset(&html);
        buf_add_text(&html, "<pre>");
        for (size_t n = 0; n < 200000; n++)
            buf_add_text(&html, pieces[i]);
        assert_true(strlen(safe(&out, buf_span(&html), &none)) > html.len);
    }
    buf_clear(&html);
    buf_clear(&out);
}

static void add_line(void *ctx, struct span url)
{
    buf_add_span(ctx, url);
    buf_add_char(ctx, '\n');
}

TEST(shows_images_that_are_kept)
{
    const struct span html = SPAN(
        "<p><img src=\"/a&amp;b.png\" alt=\"x<y\"><a href=\"https://e.example/\"><img src=\"//i.example/é.png\"></a>"
        "<img src=\"data:image/png;base64,AAAA\"><script><img src=\"http://no.example/\"></script></p>");
    struct buf out = {0};

    text_safe_html(&out, html, SPAN("https://example.org"), &none, &all_kept);
    assert_string_equal(
        buf_cstr(&out),
        "<p><a href=\"https://example.org/a&amp;b.png\" target=\"_blank\" rel=\"noopener noreferrer nofollow\""
        " class=\"image\"><img src=\"/images/1\" width=\"30\" height=\"4\" loading=\"lazy\" alt=\"x&lt;y\"></a>"
        "<a href=\"https://e.example/\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">"
        "<img src=\"/images/1\" width=\"30\" height=\"4\" loading=\"lazy\" alt=\"without words\"></a>"
        "<span class=\"image\">image: without words</span></p>");
    buf_reset(&out);
    text_image_each(html, SPAN("https://example.org"), add_line, &out);
    assert_string_equal(buf_cstr(&out), "https://example.org/a&b.png\nhttps://i.example/%C3%A9.png\n");
    buf_clear(&out);
}

/* A cookie goes to every port of its host, and there another user of the machine may listen. */
TEST(leads_to_no_server_on_this_machine)
{
    static const char *const local[] = {"http://127.0.0.1:9999/",
                                        "https://127.0.0.1/",
                                        "HTTP://127.0.0.1:9999",
                                        "//127.0.0.1:9999/x",
                                        "http://127.1.2.3:9/",
                                        "http://127.1:9/",
                                        "http://127.0.1:9/",
                                        "http://2130706433:9/",
                                        "http://0x7f000001:9/",
                                        "http://0x7F.1:9/",
                                        "http://0177.0.0.1:9/",
                                        "http://017700000001/",
                                        "http://0.0.0.0:9/",
                                        "http://0:9/",
                                        "http://0.0.0.1:9/",
                                        "http://localhost:9/",
                                        "http://LOCALHOST:9/",
                                        "http://localhost.:9/",
                                        "http://a.b.localhost:9/",
                                        "http://127.0.0.1.:9/",
                                        "http://[::1]:9/",
                                        "http://[::]:9/",
                                        "http://[0:0:0:0:0:0:0:1]:9/",
                                        "http://[::ffff:127.0.0.1]:9/",
                                        "http://[::ffff:7f00:1]:9/",
                                        "http://[::127.0.0.1]:9/",
                                        "http://a@127.0.0.1:9/",
                                        "http://a:b@c@127.0.0.1:9/",
                                        "http://example.org:80@127.0.0.1:9/",
                                        "http:///127.0.0.1:9/",
                                        "http:////127.0.0.1:9/",
                                        "http://\\127.0.0.1:9/",
                                        "http://%31%32%37.0.0.1:9/",
                                        "http://loc%61lhost:9/",
                                        "http://１２７.0.0.1:9/",
                                        "http://127。0。0。1:9/",
                                        "http://ⓛocalhost:9/",
                                        "http://127.0.0\t.1:9/",
                                        "http://lo\ncalhost:9/",
                                        "http://127.0.0.1:9?@example.org/",
                                        "http://127.0.0.1:9#@example.org/",
                                        "  http://127.0.0.1:9/",
                                        "http://127.0.0.256/",
                                        "http://127.0.0.1",
                                        "http://[::1",
                                        "http://",
                                        "http:///"};
    static const char *const remote[] = {"http://example.org:9/127.0.0.1",
                                         "https://example.org/?u=http://127.0.0.1/",
                                         "http://128.0.0.1/",
                                         "http://127.example.org/",
                                         "http://notlocalhost/",
                                         "http://localhost.example.org/",
                                         "http://1.2.3.127/",
                                         "http://[2001:db8::1]:9/",
                                         "http://a@example.org/@127.0.0.1",
                                         "//example.org",
                                         "http://xn--e1afmkfd.example/",
                                         "http://[::ffff:8.8.8.8]/",
                                         "/a",
                                         "http://a_b.example/",
                                         "HTTPS://EXAMPLE.ORG"};
    static const char *const kinds[] = {"<a href=\"%s\">x</a>", "<img src=\"%s\" alt=x>",
                                        "<a href=\"%s\"><img src=\"%s\" alt=x></a>"};
    struct buf html = {0}, out = {0};

    for (size_t i = 0; i < ARRAY_LEN(local) + ARRAY_LEN(remote); i++) {
        bool is_local = i < ARRAY_LEN(local);
        const char *url = is_local ? local[i] : remote[i - ARRAY_LEN(local)];
        for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
            buf_reset(&html);
            buf_addf(&html, kinds[k], url, url);
            const char *page = safe(&out, buf_span(&html), &none);
            if ((strstr(page, "href") == NULL) != is_local || strchr(page, 'x') == NULL)
                fail_msg("%s: %s", url, page);
        }
        if (is_local && text_may_lead(span_of(url), NULL))
            fail_msg("%s: may lead", url);
    }
    /* A browser takes '\\' for '/'; in a link of ours it is "%5C". */
    assert_false(text_may_lead(SPAN("http://127.0.0.1\\@example.org/"), NULL));
    buf_clear(&html);
    buf_clear(&out);
}

static bool is_example(void *ctx, struct span host)
{
    (void)ctx;
    return span_eq_any_case(host, SPAN("study.example.org"));
}

TEST(leads_to_no_port_of_our_own_host)
{
    static const struct text_page page = {.is_ours = is_example};
    struct buf out = {0};

    text_safe_html(&out,
                   SPAN("<p><a href=\"https://Study.example.org:9/\">x</a><a href=\"https://example.org/\">y</a></p>"),
                   SPAN(""), &none, &page);
    assert_string_equal(buf_cstr(&out), "<p>x<a href=\"https://example.org/\" target=\"_blank\""
                                        " rel=\"noopener noreferrer nofollow\">y</a></p>");
    buf_reset(&out);
    text_safe_html(&out, SPAN("<a href=\"/x\">x</a>"), SPAN("http://127.0.0.1:9999"), &none, NULL);
    assert_null(strstr(buf_cstr(&out), "href"));
    buf_clear(&out);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
