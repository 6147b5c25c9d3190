/* refi_study: what a project of REFI-QDA is as a study: facets, categories and codes, posts, decisions. */
#include "base/csv.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "db/posts.h"
#include "db/study.h"
#include "label/coding/act.h"
#include "label/exchange/foreign_head.h"
#include "label/coding/memo.h"
#include "label/exchange/refi_project.h"
#include "label/coding/stored_codebook.h"

#include "stem/stem.h"
#include "base/maps.h"

#include <inttypes.h>

#include <jansson.h>

enum { QUOTE_MAX = 2000 }; /* bytes of the words of a passage that a reason has */

static const struct span no_site = {"rows.local", 10}; /* of sources that are not posts */

const char *const refi_variables[] = {
    [REFI_POST_ID] = "post_id", [REFI_SITE] = "site", [REFI_POST_TYPE] = "post_type", [REFI_VARIABLES] = NULL};

struct span refi_path(struct arena *arena, struct span category, struct span name)
{
    const char *between = category.len > 0 && name.len > 0 ? CATEGORY_BETWEEN : "";

    return arena_addf(arena, "%.*s%s%.*s", SPAN_ARG(category), between, SPAN_ARG(name));
}

/* --- codes --- */

static const struct refi_code *parent_of(const struct refi *r, const struct refi_code *code)
{
    return code->parent == SIZE_MAX ? NULL : &r->codes.at[code->parent];
}

/* Exactly the codes yes and no. */
static bool is_yes_no(const struct refi *r, size_t top)
{
    size_t n = 0, yes = 0, no = 0;

    for (size_t i = top + 1; i < r->codes.n && r->codes.at[i].depth > 0; i++) {
        n++;
        yes += span_eq(r->codes.at[i].name, SPAN("yes"));
        no += span_eq(r->codes.at[i].name, SPAN("no"));
    }
    return n == 2 && yes == 1 && no == 1;
}

static size_t add_facet(struct refi *r, struct span title, struct span asks, bool yes_no)
{
    struct span first = foreign_facet_name(&r->arena, title), name = first;

    for (size_t n = 2; array_find(&r->facets, name, name) < r->facets.n; n++)
        name = arena_addf(&r->arena, "%.*s %zu", SPAN_ARG(first), n);
    array_add(&r->facets, (struct refi_facet){name, title, asks, yes_no, 1});
    return r->facets.n - 1;
}

/* A code at the top that has others below it is a facet; the others are codes of one. Where that makes too many,
 * all are of one facet. The first facet judges posts. */
static void find_facets(struct refi *r)
{
    size_t n = 0, flat = SIZE_MAX;
    bool judges = r->codes.n > 0 && is_yes_no(r, 0);

    for (size_t i = 0; i < r->codes.n; i++)
        n += r->codes.at[i].depth == 0 && r->codes.at[i].has_children;
    if (!judges)
        (void)add_facet(r, SPAN("relevance"), SPAN(""), true);
    for (size_t i = 0; i < r->codes.n; i++) {
        struct refi_code *code = &r->codes.at[i];
        bool is_facet = code->depth == 0 && code->has_children && n + 2 <= FACETS_MAX;
        if (is_facet)
            code->facet = add_facet(r, code->name, code->definition, is_yes_no(r, i));
        else if (code->depth > 0 && n + 2 <= FACETS_MAX)
            code->facet = parent_of(r, code)->facet; /* that of the one at the top */
        else
            code->facet = flat = flat == SIZE_MAX ? add_facet(r, SPAN("Code"), SPAN(""), false) : flat;
        code->is_code = code->is_used || (code->codable && !is_facet);
        if (is_facet && code->is_used) /* it is one of its own codes; what it says is the facet's */
            code->definition = SPAN("");
    }
}

/* Codes of a facet differ in more than the case of letters. */
static struct span unique_name(struct refi *r, struct text_set *names, const struct refi_code *code)
{
    AT_END(buf_clear) struct buf key = {0}, name = {0};
    struct span category = code->category;
    bool is_new = false;

    for (size_t n = 1; !is_new; n++) {
        buf_set(&name, code->name);
        if (n > 1 && category.len > 0)
            buf_addf(&name, " (%.*s)",
                     (int)utf8_whole((struct span){category.ptr, category.len < 30 ? category.len : 30}), category.ptr);
        if (n > 2 || (n == 2 && category.len == 0))
            buf_addf(&name, " %zu", n);
        buf_reset(&key);
        buf_addf(&key, "%zu\n%.*s", code->facet, SPAN_ARG(name));
        for (size_t i = 0; i < key.len; i++)
            key.ptr[i] = ascii_lower(key.ptr[i]);
        is_new = text_set_add(names, arena_copy(&r->arena, buf_span(&key)), NULL);
    }
    return arena_copy(&r->arena, buf_span(&name));
}

/* --- sources --- */

static struct span body_of(const struct refi_source *source)
{
    return span_after(source->text, source->body);
}

/* "ds datascience.stackexchange.com", "stackoverflow.com" */
static size_t site_of(struct refi *r, struct span text)
{
    struct refi_site site = {.name = text};

    if (!span_cut(&site.name, ' ', &site.short_name) || site.name.len == 0)
        site = (struct refi_site){SPAN(""), text};
    for (size_t i = 0; i < r->sites.n; i++)
        if (span_eq(r->sites.at[i].name, site.name) && span_eq(r->sites.at[i].short_name, site.short_name))
            return i;
    array_add(&r->sites, site);
    return r->sites.n - 1;
}

static bool is_site(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] > 'z' ||
            strchr(" -./_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", s.ptr[i]) == NULL)
            return false;
    return s.len > 0;
}

static bool is_tags(struct span s)
{
    json_t *list = json_loadb(s.ptr, s.len, 0, NULL), *tag;
    bool is = json_is_array(list);
    size_t i;

    json_array_foreach(list, i, tag)
        is = is && json_is_string(tag);
    json_decref(list);
    return is;
}

/* False: it is not a value that a post has. */
static bool take_value(struct refi *r, struct refi_source *source, struct span name, struct span text)
{
    char date[TIME_TEXT_SIZE];
    int64_t number;

    if (span_eq(name, span_of(refi_variables[REFI_POST_ID])))
        return span_i64(text, &source->number) && source->number > 0 && source->number <= STUDY_ID_MAX;
    if (span_eq(name, span_of(refi_variables[REFI_SITE]))) {
        source->site = is_site(text) ? site_of(r, text) : SIZE_MAX;
        return is_site(text);
    }
    if (span_eq(name, span_of(refi_variables[REFI_POST_TYPE]))) {
        source->post.type = post_type_of(text);
        return source->post.type != POST_ABSENT;
    }
    for (size_t i = 0; i < n_post_members; i++) {
        const struct post_member *m = &post_members[i];
        if (!span_eq(name, span_of(m->name)) || strcmp(m->name, "body_html") == 0)
            continue;
        if (m->kind == MEMBER_NUMBER && span_i64(text, &number))
            *post_number_at(&source->post, m) = number;
        else if (m->kind == MEMBER_ISO_DATE && date_read(text, date))
            *post_text_at(&source->post, m) = arena_copy(&r->arena, span_of(date));
        else if (m->kind == MEMBER_TEXT || (m->kind == MEMBER_TAGS && is_tags(text)))
            *post_text_at(&source->post, m) = text;
        else
            return false;
        return true;
    }
    return false;
}

/* A source with the id of a post is that post, and held if its text is; any other is a post of a site of its own. */
static enum status MUST_USE arrange_sources(struct refi *r, const char *name, struct err *e)
{
    AT_END(text_set_clear) struct text_set ids = {0};
    enum status status = ST_OK;
    size_t other = SIZE_MAX, unknown = 0;

    for (size_t i = 0; i < r->sources.n; i++) {
        r->sources.at[i].post = post_empty();
        r->sources.at[i].site = SIZE_MAX;
    }
    for (size_t i = 0; i < r->values.n; i++) {
        const struct refi_value *value = &r->values.at[i];
        unknown += !take_value(r, &r->sources.at[value->source], r->variables.at[value->variable], value->text);
    }
    if (unknown > 0)
        buf_addf(&r->left_out, "values of variables that posts do not have: %zu\n", unknown);
    for (size_t i = 0; i < r->sources.n && status == ST_OK; i++) {
        struct refi_source *source = &r->sources.at[i];
        struct post *post = &source->post;
        bool is_ours = source->site != SIZE_MAX && source->number > 0;
        source->is_held = source->text.ptr != NULL && (!is_ours || post->type != POST_ABSENT);
        if (!is_ours) {
            other = other == SIZE_MAX ? site_of(r, r->sites.n > 0 ? SPAN("rl rows.local") : no_site) : other;
            source->site = other;
            source->number = (int64_t)i + 1;
            post->type = POST_QUESTION;
            post->title = source->name;
            post->url = span_starts(source->name, SPAN("http")) ? source->name : post->url;
        }
        if (post->title.len > 0 && span_starts(source->text, post->title) &&
            span_starts(span_after(source->text, post->title.len), SPAN("\n\n")))
            source->body = post->title.len + 2;
        struct span id = arena_addf(&r->arena, "%zu %" PRId64, source->site, source->number);
        if (!text_set_add(&ids, id, NULL))
            status = err_set(e, ST_INPUT, "%s: the post %" PRId64 " is two sources", name, source->number);
    }
    return status;
}

/* The byte at which the nth character, or unit of UTF-16, begins. */
static size_t byte_at(struct span text, size_t nth, bool utf16)
{
    size_t i = 0;

    for (size_t n = 0; i < text.len && n < nth; n++) {
        n += utf16 && (unsigned char)text.ptr[i] >= 0xf0;
        for (i++; i < text.len && ((unsigned char)text.ptr[i] & 0xc0) == 0x80;)
            i++;
    }
    return i;
}

static int by_place(const void *a, const void *b)
{
    const struct refi_coding *x = a, *y = b;
    const size_t keys[][2] = {{x->source, y->source},
                              {x->problem, y->problem},
                              {x->facet, y->facet},
                              {x->user, y->user},
                              {x->place, y->place}};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Where the codings of the decision end: what one coder said of one problem by one facet. */
static size_t decision_at(const struct refi *r, size_t at)
{
    const struct refi_coding *first = &r->codings.at[at], *c = first + 1, *end = r->codings.at + r->codings.n;

    while (c < end && c->source == first->source && c->problem == first->problem && c->facet == first->facet &&
           c->user == first->user)
        c++;
    return (size_t)(c - r->codings.at);
}

static bool is_again(const struct refi *r, size_t first, size_t at)
{
    for (size_t i = first; i < at; i++)
        if (r->codings.at[i].code == r->codings.at[at].code)
            return true;
    return false;
}

enum status refi_arrange(struct refi *r, const char *name, struct err *e)
{
    AT_END(text_set_clear) struct text_set names = {0};

    find_facets(r);
    for (size_t i = 0; i < r->codes.n; i++) {
        struct refi_code *code = &r->codes.at[i];
        const struct refi_code *parent = parent_of(r, code);
        bool at_top = parent == NULL || (parent->depth == 0 && span_eq(r->facets.at[code->facet].title, parent->name));
        code->category = at_top ? SPAN("") : refi_path(&r->arena, parent->category, parent->name);
    }
    for (size_t i = 0; i < r->codes.n; i++)
        if (r->codes.at[i].is_code)
            r->codes.at[i].unique = unique_name(r, &names, &r->codes.at[i]);
    enum status status = arrange_sources(r, name, e);
    if (status != ST_OK)
        return status;

    for (size_t i = 0; i < r->codings.n; i++) {
        struct refi_coding *c = &r->codings.at[i];
        struct span text = r->sources.at[c->source].text;
        c->facet = r->codes.at[c->code].facet;
        c->place = i;
        if (c->facet == FACET_JUDGES)
            c->problem = 0;
        if (c->is_passage) {
            c->start = byte_at(text, c->start, r->utf16);
            c->end = byte_at(text, c->end, r->utf16);
        }
    }
    array_sort(&r->codings, by_place);
    for (size_t at = 0, end; at < r->codings.n; at = end) {
        struct refi_facet *facet = &r->facets.at[r->codings.at[at].facet];
        size_t n = 0;
        end = decision_at(r, at);
        for (size_t i = at; i < end; i++)
            n += !is_again(r, at, i);
        facet->most = n > facet->most && !facet->yes_no ? (n < FACET_CODES_MAX ? n : FACET_CODES_MAX) : facet->most;
    }
    return ST_OK;
}

/* --- the files of a study --- */

/* A description of several lines, as one. */
static struct span joined(struct arena *arena, struct span s)
{
    char *copy = arena_text(arena, s);

    for (size_t i = 0; i < s.len; i++)
        copy[i] = (unsigned char)copy[i] < ' ' ? ' ' : copy[i];
    return (struct span){copy, s.len};
}

static void add_file(struct refi *r, struct foreign_files *files, const char *name, struct span content)
{
    array_add(files, (struct study_file){span_of(name), arena_copy(&r->arena, content)});
}

static void add_settings(struct refi *r, struct buf *ini)
{
    AT_END(buf_clear) struct buf name = {0};
    struct span day = SPAN("2000-01-01");
    size_t n = 0;

    for (size_t i = 0; i < r->title.len && name.len < 40; i++) {
        char c = ascii_lower(r->title.ptr[i]);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            buf_add_char(&name, c);
        else if (name.len > 0 && name.ptr[name.len - 1] != '-')
            buf_add_char(&name, '-');
    }
    for (size_t i = 0; i < r->codings.n; i++)
        if (r->codings.at[i].at.len > 0 && span_order(r->codings.at[i].at, day) > 0)
            day = r->codings.at[i].at;
    buf_addf(ini, "# From a project of REFI-QDA.\nname = %s\n", name.len > 0 ? buf_cstr(&name) : "project");
    if (r->title.len > 0)
        buf_addf_clean(ini, "title = %.*s", SPAN_ARG(r->title));
    buf_addf(ini, "\ntags = *\npublished_at = %.10s\n", day.ptr);
    for (size_t i = 0; i < r->sites.n; i++)
        if (r->sites.at[i].short_name.len == 0)
            buf_addf(ini, "site = %.*s\n", SPAN_ARG(r->sites.at[i].name));
    for (size_t i = 0; i < r->sites.n; i++)
        if (r->sites.at[i].short_name.len > 0)
            buf_addf(ini, "%s%.*s %.*s", n++ > 0 ? ", " : "sites = ", SPAN_ARG(r->sites.at[i].short_name),
                     SPAN_ARG(r->sites.at[i].name));
    buf_add_text(ini, n > 0 ? "\n" : "");
}

void refi_study(struct refi *r, struct foreign_files *files)
{
    AT_END(buf_clear) struct buf ini = {0}, facets = {0}, codebook = {0}, categories = {0};
    size_t n_codes = 0, n_categories = 0;

    add_settings(r, &ini);
    buf_add_text(&facets, "facet,title,about,kind,most,required,asks\n");
    for (size_t i = 0; i < r->facets.n; i++) {
        const struct refi_facet *f = &r->facets.at[i];
        char most[24];
        snprintf(most, sizeof most, "%zu", f->most);
        foreign_add_cells(&facets,
                          (const struct span[]){f->name, f->title, i == FACET_JUDGES ? SPAN("post") : SPAN("problem"),
                                                f->yes_no ? SPAN("yes/no") : SPAN("codes"), span_of(most),
                                                i == FACET_JUDGES ? SPAN("yes") : SPAN("no"),
                                                joined(&r->arena, f->asks)},
                          7);
    }
    buf_add_text(&codebook, "facet,category,code,short_name,definition,aliases\n");
    buf_add_text(&categories, "facet,category,definition\n");
    for (size_t i = 0; i < r->codes.n; i++) {
        const struct refi_code *c = &r->codes.at[i];
        const struct refi_facet *f = &r->facets.at[c->facet];
        if (c->is_code && !f->yes_no) {
            n_codes++;
            foreign_add_cells(&codebook,
                              (const struct span[]){f->name, c->category, c->unique, SPAN(""), c->definition, SPAN("")},
                              6);
        } else if (!f->yes_no && c->definition.len > 0 && c->depth > 0) {
            n_categories++;
            foreign_add_cells(&categories,
                              (const struct span[]){f->name, refi_path(&r->arena, c->category, c->name), c->definition},
                              3);
        }
    }
    add_file(r, files, "study.ini", buf_span(&ini));
    add_file(r, files, "keywords.txt",
             SPAN("# A study of labels that are there: no post is looked for. Your own words make a search"
                  " possible.\nproblem\n"));
    add_file(r, files, "facets.csv", buf_span(&facets));
    if (n_codes > 0)
        add_file(r, files, "codebook.csv", buf_span(&codebook));
    if (n_categories > 0)
        add_file(r, files, "categories.csv", buf_span(&categories));
}

void refi_definitions(const struct refi *r, const struct facets *facets, struct buf *csv)
{
    AT_END(text_set_clear) struct text_set seen = {0};
    AT_END(arena_clear) struct arena arena = {0};

    buf_add_text(csv, "facet,category,code,definition\n");
    for (size_t i = 0; i < r->codes.n; i++) {
        const struct refi_code *c = &r->codes.at[i];
        struct span list = r->facets.at[c->facet].name;
        size_t facet = facets_find(facets, list);
        AT_END(buf_clear) struct buf row = {0};
        if (facet < facets->n && facets->items[facet].list != SIZE_MAX)
            list = facets->lists[facets->items[facet].list];
        const struct span cells[] = {list, c->is_code ? c->category : refi_path(&arena, c->category, c->name),
                                     c->is_code ? c->name : SPAN(""), c->definition};
        foreign_add_cells(&row, cells, ARRAY_LEN(cells));
        if (c->definition.len > 0 && (c->is_code || c->depth > 0) && /* facets that share a list have the same ones */
            text_set_add(&seen, arena_copy(&arena, buf_span(&row)), NULL))
            buf_add_span(csv, buf_span(&row));
    }
}

/* --- into the database --- */

struct putting {
    struct refi *r;
    struct db *db;
    struct stored_codebook book;
    const struct facets *facets;
    size_t *facet_of;  /* of the study, by facet of the project; facets->n: it has none */
    int64_t *code_ids; /* by code of the project; 0: the study has none */
    int64_t run_id;
    struct span unknown;            /* who said what nobody said */
    char otherwise[TIME_TEXT_SIZE]; /* when, where the project does not say */
    size_t posts, decisions, notes, memos, no_code, too_many, no_memo;
    struct err *e;
};

static struct span user_of(const struct putting *p, size_t user)
{
    return user == SIZE_MAX ? p->unknown : p->r->users.at[user].name;
}

static enum status MUST_USE put_coders(struct putting *p)
{
    enum status status = ST_OK;
    bool nobody = false;

    for (size_t i = 0; i < p->r->codings.n; i++)
        nobody |= p->r->codings.at[i].user == SIZE_MAX;
    for (size_t i = 0; i < p->r->memos.n; i++)
        nobody |= p->r->memos.at[i].user == SIZE_MAX && p->r->memos.at[i].is_used;
    if (nobody)
        log_info("what the project says without a user is of the coder '%s'", p->unknown.ptr);
    if (nobody)
        status = db_coder_put(p->db, p->unknown, false, p->e);
    for (size_t i = 0; i < p->r->users.n && status == ST_OK; i++)
        status = db_coder_put(p->db, p->r->users.at[i].name, p->r->users.at[i].is_merged, p->e);
    return status;
}

static int64_t post_of(const struct putting *p, size_t source)
{
    const struct refi_source *s = &p->r->sources.at[source];
    struct span short_name = p->r->sites.at[s->site].short_name;

    return study_id(short_name.len > 0 ? study_site_code(short_name) : 0, s->number);
}

/* The id of the post, or of its problem of that number. */
static struct span subject_of(const struct putting *p, size_t source, size_t problem)
{
    char id[POST_ID_TEXT_SIZE];
    const char *post = post_id_text(post_of(p, source), id);

    return problem > 0 ? arena_addf(&p->r->arena, "%s_%zu", post, problem) : arena_addf(&p->r->arena, "%s", post);
}

/* Lines become paragraphs. */
static void add_html(struct buf *out, struct span text)
{
    struct span line;

    while (span_cut(&text, '\n', &line)) {
        buf_add_text(out, "<p>");
        for (size_t i = 0; i < line.len; i++)
            buf_add_markup(out, line.ptr[i]);
        buf_add_text(out, "</p>\n");
    }
}

static enum status MUST_USE put_posts(struct putting *p)
{
    const struct db_origin origin = {.run_id = p->run_id};
    enum status status = ST_OK;
    AT_END(buf_clear) struct buf html = {0};

    for (size_t i = 0; i < p->r->sources.n && status == ST_OK; i++) {
        const struct refi_source *source = &p->r->sources.at[i];
        struct post post = source->post;
        enum db_put what;
        if (!source->is_held)
            continue;
        buf_reset(&html);
        add_html(&html, body_of(source));
        post.post_id = post_of(p, i);
        post.body_html = buf_span(&html);
        p->posts++;
        status = db_post_put(p->db, &post, &origin, &what, p->e);
    }
    return status;
}

/* The codes, and values, of the study. */
static enum status MUST_USE find_codes(struct putting *p)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < p->r->codes.n && status == ST_OK; i++) {
        const struct refi_code *code = &p->r->codes.at[i];
        size_t facet = p->facet_of[code->facet];
        struct err why;
        if (!code->is_used || facet == p->facets->n || facet == FACET_JUDGES)
            continue;
        struct span list = p->facets->lists[p->facets->items[facet].list];
        size_t place = stored_codebook_find(&p->book, list, code->unique, &why);
        if (place == SIZE_MAX)
            continue;
        status = stored_codebook_keep(&p->book, p->db, place, p->e);
        p->code_ids[i] = p->book.code_ids[place];
    }
    return status;
}

/* The byte after the nth that is not white space. */
static size_t after_solid(struct span s, size_t n)
{
    size_t i = 0;

    for (; n > 0 && i < s.len; i++)
        n -= text_solid((struct span){s.ptr + i, 1});
    return i;
}

/* What a passage says becomes evidence in the reason: “words” [body 12-17]. */
static void add_evidence(struct putting *p, const struct refi_coding *c, struct buf *plain, struct buf *reason)
{
    const struct refi_source *source = &p->r->sources.at[c->source];
    struct span body = body_of(source), words;
    AT_END(buf_clear) struct buf html = {0}, quote = {0};

    if (!c->is_passage || c->problem > 0 || source->text.ptr == NULL || c->start < source->body || c->start >= c->end)
        return;
    if (plain->len == 0) {
        add_html(&html, body);
        text_from_html(plain, buf_span(&html), TEXT_INCLUDE_CODE);
    }
    size_t from = text_solid((struct span){body.ptr, c->start - source->body});
    size_t n = text_solid((struct span){body.ptr + c->start - source->body, c->end - c->start});
    size_t start = after_solid(buf_span(plain), from), end = after_solid(buf_span(plain), from + n);
    while (start < end && text_solid((struct span){plain->ptr + start, 1}) == 0)
        start++;
    words = (struct span){plain->ptr + start, end - start};
    if (words.len > QUOTE_MAX)
        words.len = utf8_whole((struct span){words.ptr, QUOTE_MAX});
    if (n > 0) /* as a page of `serve` writes it */
        buf_addf(&quote, "“%.*s” [body %zu-%zu]", SPAN_ARG(words), start, end);
    if (quote.len > 0 && reason->len + quote.len + 2 < ACT_TEXT_MAX && !span_has(buf_span(reason), buf_cstr(&quote)))
        buf_addf(reason, "%s%s", reason->len > 0 ? "; " : "", buf_cstr(&quote));
}

static enum status MUST_USE put_decision(struct putting *p, size_t at, size_t end, struct buf *plain)
{
    const struct refi_coding *first = &p->r->codings.at[at];
    size_t facet = p->facet_of[first->facet];
    int64_t ids[FACET_CODES_MAX];
    AT_END(buf_clear) struct buf reason = {0};
    struct span at_time = SPAN("");
    bool said = false; /* the reason, in words */
    struct db_decision d = {.coder = user_of(p, first->user), .facet = facet, .post_id = post_of(p, first->source)};

    for (size_t i = at; i < end; i++) {
        const struct refi_coding *c = &p->r->codings.at[i];
        bool yes = false, again = is_again(p->r, at, i);
        at_time = span_order(c->at, at_time) > 0 ? c->at : at_time;
        if (c->reason.len > 0 && !said) {
            buf_reset(&reason);
            size_t most = c->reason.len < ACT_TEXT_MAX ? c->reason.len : ACT_TEXT_MAX;
            buf_add(&reason, c->reason.ptr, utf8_whole((struct span){c->reason.ptr, most}));
            said = true;
        }
        if (!said)
            add_evidence(p, c, plain, &reason);
        if (again)
            continue;
        bool judges = facet == FACET_JUDGES && i == at;
        if (facet == p->facets->n || (facet != FACET_JUDGES && p->code_ids[c->code] == 0))
            p->no_code++;
        else if (facet == FACET_JUDGES ? !judges : d.codes.n == p->facets->items[facet].most)
            p->too_many++;
        else if (judges)
            d.is_problem = facet_yes_no(',', p->r->codes.at[c->code].name, &yes) && yes;
        else
            ids[d.codes.n++] = p->code_ids[c->code];
    }
    d.codes.ids = ids;
    d.subject = subject_of(p, first->source, first->problem);
    d.decided_at = at_time.len > 0 ? at_time : span_of(p->otherwise);
    d.reason = reason.len > 0 ? buf_span(&reason) : (struct span){0};
    bool wanted = facet == FACET_JUDGES || d.codes.n > 0;
    enum status status = wanted ? act_record(p->db, &d, p->e) : ST_OK;
    p->decisions += wanted;
    return status;
}

/* Judgements first, as coders make them. */
static enum status MUST_USE put_decisions(struct putting *p)
{
    enum status status = ST_OK;
    AT_END(buf_clear) struct buf plain = {0};

    for (size_t at = 0, end; at < p->r->codings.n && status == ST_OK; at = end) {
        end = decision_at(p->r, at);
        if (at == 0 || p->r->codings.at[at - 1].source != p->r->codings.at[at].source)
            buf_reset(&plain);
        status = put_decision(p, at, end, &plain);
    }
    return status;
}

static enum status MUST_USE put_notes(struct putting *p)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < p->r->remarks.n && status == ST_OK; i++) {
        const struct refi_remark *remark = &p->r->remarks.at[i];
        const struct refi_memo *memo = &p->r->memos.at[remark->memo];
        const struct db_note note = {memo->at.len > 0 ? memo->at : span_of(p->otherwise), user_of(p, memo->user),
                                     subject_of(p, remark->source, remark->problem), memo->text};
        status = db_note_put(p->db, DB_NOTE, &note, post_of(p, remark->source), p->e);
        p->notes++;
    }
    return status;
}

/* Facets and categories have no memos. */
static enum status MUST_USE put_memos(struct putting *p)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < p->r->pins.n && status == ST_OK; i++) {
        const struct refi_pin *pin = &p->r->pins.at[i];
        const struct refi_memo *from = &p->r->memos.at[pin->memo];
        struct memo memo = {.written_at = from->at.len > 0 ? from->at : span_of(p->otherwise),
                            .coder = user_of(p, from->user),
                            .text = from->text};
        struct err why;
        bool fits = memo_check(memo.text, &why) == ST_OK;
        if (pin->code != SIZE_MAX) {
            const struct refi_code *code = &p->r->codes.at[pin->code];
            size_t facet = p->facet_of[code->facet];
            size_t place = SIZE_MAX;
            fits = fits && code->is_code && facet < p->facets->n && p->facets->items[facet].list != SIZE_MAX;
            if (fits)
                place = codebook_find(&p->book.codebook, stored_codebook_list(&p->book, facet), code->unique, &why);
            fits = place != SIZE_MAX;
            memo.list = fits ? p->book.codebook.codes[place].facet : SPAN("");
            memo.code = fits ? p->book.codebook.codes[place].name : SPAN("");
        }
        if (fits)
            status = memo_record(p->db, &memo, (struct span){0}, p->e);
        p->memos += fits;
        p->no_memo += !fits;
    }
    return status;
}

enum status refi_put(struct refi *r, struct db *db, const struct study *s, struct err *e)
{
    struct putting p = {.r = r, .db = db, .unknown = SPAN("unknown"), .e = e};
    const struct db_run run = {.command = "init", .parameters = SPAN("{\"published\":true}"), .source = s->name};
    enum status (*const steps[])(struct putting *) = {put_posts,     put_coders, find_codes,
                                                      put_decisions, put_notes,  put_memos};

    snprintf(p.otherwise, sizeof p.otherwise, "%sT00:00:00.000Z",
             s->published_at[0] != '\0' ? s->published_at : "2000-01-01");
    p.facet_of = mem_zero(r->facets.n + 1, sizeof *p.facet_of);
    p.code_ids = mem_zero(r->codes.n + 1, sizeof *p.code_ids);
    enum status status = stored_codebook_load_any(&p.book, db, e);
    p.facets = p.book.facets;
    for (size_t i = 0; i < r->facets.n && status == ST_OK; i++)
        p.facet_of[i] = facets_find(p.facets, r->facets.at[i].name);
    THEN(status, db_run_begin(db, &run, &p.run_id, e));
    for (size_t i = 0; i < ARRAY_LEN(steps) && status == ST_OK; i++)
        status = steps[i](&p);
    THEN(status, db_run_end(db, p.run_id, "done", SPAN("{}"), e));
    stored_codebook_clear(&p.book);
    mem_free(p.facet_of);
    mem_free(p.code_ids);
    if (status != ST_OK)
        return status;

    log_info("posts with a text: %zu; decisions: %zu, of %zu codings; notes: %zu", p.posts, p.decisions, r->codings.n,
             p.notes);
    if (p.memos > 0)
        log_info("memos of codes and of the study: %zu", p.memos);
    if (p.no_memo > 0)
        log_warn(
            "left out: memos of facets and categories, of codes that the study does not have, or that are not text of"
            " at most %d bytes: %zu",
            MEMO_MAX, p.no_memo);
    if (p.no_code > 0)
        log_warn("left out: codings with codes that the study does not have: %zu", p.no_code);
    if (p.too_many > 0)
        log_warn("left out: codings that are more than one coder may give to a post by their facet: %zu", p.too_many);
    return ST_OK;
}

void refi_tell(const struct refi *r)
{
    size_t codes = 0, without = 0, unread = 0;
    struct span rest = buf_span(&r->left_out), line;

    for (size_t i = 0; i < r->codes.n; i++)
        codes += r->codes.at[i].is_code;
    for (size_t i = 0; i < r->sources.n; i++)
        without += r->sources.at[i].text.ptr == NULL;
    for (size_t i = 0; i < r->memos.n; i++)
        unread += !r->memos.at[i].is_used && r->memos.at[i].text.len > 0;
    log_info("read: facets: %zu; codes: %zu; users: %zu; sources: %zu; codings: %zu; passages: %zu", r->facets.n, codes,
             r->users.n, r->sources.n, r->codings.n, r->passages);
    while (span_cut(&rest, '\n', &line))
        log_info("left out: %.*s", SPAN_ARG(line));
    if (r->colours > 0)
        log_info("left out: colours of codes: %zu", r->colours);
    if (unread > 0)
        log_info("left out: notes that are about no source, code or coding: %zu", unread);
    if (without > 0)
        log_warn("sources without plain text in the file: %zu; their codings are kept, without the words", without);
    if (r->utf16)
        log_info("positions count units of UTF-16: a passage ends after the last character of its text");
    else if (r->astral > 0 && !span_starts(r->origin, SPAN(REFI_ORIGIN)))
        log_warn("in doubt: texts with characters above U+FFFF: %zu; positions are taken as characters, as the standard"
                 " has it",
                 r->astral);
}
