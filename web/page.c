/* page: the frame of every page, and texts in it. */
#include "base/table/table.h"
#include "report/published.h"
#include "web/site.h"

static const struct place {
    const char *name, *path, *title;
} places[] = {
    {"code", "/code", "Code"},
    {"screen", "/screen", "Screen"},
    {"search", "/search", "Search"},
    {"settle", "/settle", "Settle"},
    {"agreement", "/agreement", "Agreement"},
    {"results", "/results", "Results"},
    {"benchmark", "/benchmark", "Benchmark"},
    {"campaign", "/campaign", "Campaign"},
    {"codebook", "/codebook", "Codebook"},
    {"keys", "/keys", "Keys"},
    {"api", "/api", "API"},
};

void page_text(struct buf *out, const char *before, struct span text, const char *after)
{
    buf_add_text(out, before);
    table_escape_html(out, text);
    buf_add_text(out, after);
}

void page_hidden(struct buf *out, const char *name, struct span value)
{
    html(out, SPAN("hidden"), span_of(name), value);
}

void page_rules(struct buf *out, const struct codebook *c, size_t code)
{
    for (size_t i = 0; i < c->n_rules; i++) {
        const struct disambiguation *rule = &c->rules[i];
        if (rule->code == code || rule->versus == code)
            html(out, SPAN("rule"), c->codes[rule->code == code ? rule->versus : rule->code].name, rule->rule);
    }
}

void page_table(struct buf *out, const char *columns)
{
    struct span rest = span_of(columns), column;

    buf_add_text(out, "<table><thead><tr>");
    while (span_cut(&rest, ';', &column))
        page_text(out, "<th scope=\"col\">", column, "</th>");
    buf_add_text(out, "</tr></thead>\n<tbody>\n");
}

bool page_subject(struct buf *out, const char *before, struct span subject, const char *after)
{
    int64_t post_id;
    char id[POST_ID_TEXT_SIZE];

    if (!problem_id_read(subject, &post_id))
        return false;
    buf_addf(out, "%s<a href=\"/code/%s?problem=", before, post_id_text(post_id, id));
    page_text(out, "", subject, "\">");
    page_text(out, "", subject, "</a>");
    buf_add_text(out, after);
    return true;
}

void page_encoded(struct buf *out, struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((text.ptr[i] >= 'a' && text.ptr[i] <= 'z') || text.ptr[i] == '_')
            buf_add_char(out, text.ptr[i]);
        else
            buf_addf(out, "%%%02x", (unsigned)(unsigned char)text.ptr[i]);
}

/* A study without a benchmark, or without findings of check, has no page of them. */
static bool has_place(struct visit *v, const char *name)
{
    static const struct {
        const char *name;
        enum db_table of[2];
    } needs[] = {
        {"benchmark", {DB_TABLE_BENCH_RESULTS, DB_TABLE_ASSESSMENT}},
        {"campaign", {DB_TABLE_PROJECTS, DB_TABLE_SCANS}},
    };
    bool empty = false, all_empty = false;
    struct err why;

    for (size_t i = 0; i < ARRAY_LEN(needs) && v->worker != NULL; i++) {
        if (strcmp(needs[i].name, name) != 0)
            continue;
        all_empty = true;
        for (size_t k = 0; k < ARRAY_LEN(needs[i].of) && all_empty; k++) /* a page that fails says why itself */
            all_empty = db_table_is_empty(v->worker->db, needs[i].of[k], &empty, &why) == ST_OK && empty;
    }
    return !all_empty;
}

void page_begin(struct visit *v, const char *title, const char *here)
{
    answer_begin(v, 200, "text/html; charset=utf-8");
    html(v->out, SPAN("page"), span_of(title), span_of(here));
    const char *at = v->coder.len > 0 ? here : "";
    buf_add_text(v->out, "<nav aria-label=\"Pages\">\n");
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (strcmp(places[i].name, at) == 0 || has_place(v, places[i].name))
            buf_addf(v->out, "<a href=\"%s\"%s>%s</a>\n", places[i].path,
                     strcmp(places[i].name, at) == 0 ? " aria-current=\"page\"" : "", places[i].title);
    buf_add_text(v->out, "</nav>\n");
    if (v->coder.len > 0)
        html(v->out, SPAN("who"), v->coder);
    buf_add_text(v->out, "</header>\n<main>\n");
    if (strcmp(here, "code") != 0 && strcmp(here, "screen") != 0) /* the post has a heading of its own */
        page_text(v->out, "<h1>", span_of(title), "</h1>\n");
}

void page_end(struct visit *v)
{
    buf_add_text(v->out, "</main>\n</body>\n</html>\n");
}
