/* code_change: changes of the codebook, each with its row of history. */
#include "label/coding/code_change.h"

#include "base/utf8.h"
#include "label/coding/act.h"
#include "label/coding/categories.h"
#include "label/coding/decisions.h"

enum status code_change_begin(struct code_change *c, struct db *db, struct span by, struct span why, struct err *e)
{
    enum status status = db_begin(db, e);

    *c = (struct code_change){.db = db};
    THEN(status, coder_must_not_be_merged(db, by, ", and changes no codebook", e));
    THEN(status, stored_codebook_load_any(&c->book, db, e));
    c->change = (struct db_code_change){.version = c->book.version + 1, .changed_by = by, .reason = why};
    c->first_version = c->change.version;
    return status;
}

/* --- names --- */

/* ST_INPUT unless `name` can be new in the list: one line of text, 1 to 199 bytes, no ';', never the name of a code. */
static enum status MUST_USE name_is_new(const struct code_change *c, struct span list, struct span name, struct err *e)
{
    const struct codebook *book = &c->book.codebook;
    bool one_line = utf8_valid_prefix(name) == name.len;
    struct err why;

    for (size_t i = 0; i < name.len; i++)
        one_line &= (unsigned char)name.ptr[i] >= ' ' && name.ptr[i] != 0x7f && name.ptr[i] != ';';
    if (name.len == 0 || name.len > 199 || !one_line)
        return err_set(e, ST_INPUT, "'%.*s': expected a name of one line, 1 to 199 bytes of UTF-8 without ';'",
                       name.len < 200 ? (int)name.len : 200, name.ptr);
    size_t place = codebook_find(book, list, name, &why);
    if (place != SIZE_MAX)
        return err_set(e, ST_INPUT,
                       "'%.*s' names the %.*s '%.*s' already; a name is never used for"
                       " something else; its definition: codebook define",
                       SPAN_ARG(name), SPAN_ARG(list), SPAN_ARG(book->codes[place].name));
    if (stored_codebook_was(&c->book, list, name))
        return err_set(e, ST_INPUT, "'%.*s' was a %.*s once; a name is never used for something else", SPAN_ARG(name),
                       SPAN_ARG(list));
    return ST_OK;
}

static void add_became(struct code_change *c, struct span name)
{
    buf_add_char(&c->became, c->became.len > 0 ? ',' : '[');
    buf_add_json(&c->became, name);
}

static void add_look_again(struct code_change *c, int64_t code_id)
{
    buf_addf(&c->look_again, "%c%lld", c->look_again.len > 0 ? ',' : '[', (long long)code_id);
}

/* --- the changes --- */

enum status code_change_add(struct code_change *c, const struct db_code *code, const size_t *versus, size_t n_versus,
                            struct span rule, struct err *e)
{
    int64_t code_id = 0;
    enum status status = name_is_new(c, code->facet, code->name, e);

    if (status == ST_OK && code->short_name.len > 0)
        status = name_is_new(c, code->facet, code->short_name, e);
    THEN(status, db_code_put(c->db, code, &code_id, e));
    add_became(c, code->name);
    c->added = arena_copy(&c->book.arena, code->name);
    for (size_t i = 0; i < n_versus && status == ST_OK; i++) {
        add_look_again(c, c->book.code_ids[versus[i]]);
        if (rule.ptr != NULL)
            status = db_disambiguation_put(c->db, code_id, c->book.code_ids[versus[i]], rule, e);
    }
    return status;
}

enum status code_change_example(struct code_change *c, struct span list, struct span problem, struct err *e)
{
    AT_END(buf_clear) struct buf reason = {0}, coder = {0};
    struct err why;
    int64_t post_id;

    if (!problem_id_read(problem, &post_id))
        return err_set(e, ST_INPUT, "'%.*s': expected the id of a post, with _1, _2, … if it has several problems",
                       problem.len < 100 ? (int)problem.len : 100, problem.ptr);
    if (facets_share(c->book.facets, facets_list(c->book.facets, list)) != 1)
        return err_set(e, ST_INPUT,
                       "several facets have the list '%.*s': add the code, then give it with `ppmine label set`",
                       SPAN_ARG(list));
    enum status status = coder_name_check(c->change.changed_by, &coder, &why);
    if (status != ST_OK)
        return err_set(e, status, "who gives the code: the name %s", why.text);
    buf_addf(&reason, "%.*s (first example: %.*s)", SPAN_ARG(c->change.reason), SPAN_ARG(problem));
    c->change.reason = arena_copy(&c->book.arena, buf_span(&reason));
    c->change.changed_by = arena_copy(&c->book.arena, buf_span(&coder));
    c->example = problem;
    return ST_OK;
}

/* With the codebook that has the code. */
static enum status MUST_USE give_example(struct code_change *c, struct err *e)
{
    AT_END(stored_codebook_clear) struct stored_codebook book;
    struct act act = {.coder = c->change.changed_by, .subject = c->example};
    enum status status = stored_codebook_load(&book, c->db, e);
    size_t n, i = 0, place = SIZE_MAX;

    if (status == ST_OK)
        place = stored_codebook_find(&book, c->change.facet, c->added, e);
    if (place == SIZE_MAX || !problem_id_read(c->example, &act.post_id))
        return status == ST_OK ? ST_INPUT : status;
    const struct facet *facets = act_facets(&book, &n);
    while (i + 1 < n && !span_eq(act_list(&book, &facets[i]), c->change.facet))
        i++;
    act.given[i] = true;
    act.codes[i] = (struct act_codes){{place}, 1};
    return act_write(c->db, &book, &act, e);
}

enum status code_change_define(struct code_change *c, size_t place, struct span definition, struct span short_name,
                               bool same_meaning, struct err *e)
{
    const struct code *old = &c->book.codebook.codes[place];
    struct db_code code = {
        .facet = old->facet,
        .category = old->category.len > 0 ? old->category : (struct span){0},
        .name = old->name,
        .short_name = short_name.ptr != NULL ? short_name : old->short_name,
        .definition = definition.ptr != NULL ? definition : old->definition,
    };
    int64_t code_id;

    add_became(c, old->name);
    if (definition.ptr != NULL && !same_meaning)
        add_look_again(c, c->book.code_ids[place]);
    return db_code_put(c->db, &code, &code_id, e);
}

/* --- the texts of a file --- */

#define MAP_NAME rule_map
#define MAP_KEY uint64_t /* the two codes */
#define MAP_VALUE struct span
#include "base/map.h"

struct new_texts ARRAY_OF(struct codebook_text);

/* As the codebook has the codes. */
static int compare_texts(const void *a, const void *b)
{
    const struct codebook_text *left = a, *right = b;

    if (left->code != right->code)
        return left->code < right->code ? -1 : 1;
    return (left->versus > right->versus) - (left->versus < right->versus);
}

/* What differs from the codebook, by code. */
static void new_texts(const struct codebook *book, const struct codebook_file *f, struct new_texts *out)
{
    AT_END(rule_map_clear) struct rule_map rules = {0};
    struct rule_map_entry *rule;

    for (size_t i = 0; i < book->n_rules; i++)
        if (rule_map_add(&rules, (uint64_t)book->rules[i].code << 32 | book->rules[i].versus, &rule))
            rule->value = book->rules[i].rule;
    for (size_t i = 0; i < f->texts.n; i++) {
        const struct codebook_text *text = &f->texts.at[i];
        struct span old = {0};
        if (text->kind == TEXT_OF_CODE)
            old = book->codes[text->code].definition;
        else if ((rule = rule_map_find(&rules, (uint64_t)text->code << 32 | (text->versus & UINT32_MAX))) != NULL)
            old = rule->value;
        if (text->kind != TEXT_OF_CATEGORY && !span_eq(text->text, old))
            array_add(out, *text);
    }
    array_sort(out, compare_texts);
}

/* All that the file says of one code, from `at` on. *n grows by what is new. */
static enum status MUST_USE load_code(struct code_change *c, const struct new_texts *texts, size_t at,
                                      bool same_meaning, size_t *n, struct err *e)
{
    struct span definition = {0};
    enum status status = ST_OK;
    size_t place = texts->at[at].code;

    for (size_t i = at; i < texts->n && texts->at[i].code == place && status == ST_OK; i++) {
        const struct codebook_text *text = &texts->at[i];
        *n += 1;
        if (text->kind == TEXT_OF_CODE)
            definition = text->text;
        else
            status = db_disambiguation_put(c->db, c->book.code_ids[place], c->book.code_ids[text->versus], text->text,
                                           e);
    }
    if (status != ST_OK)
        return status;
    if (definition.ptr == NULL && !same_meaning)
        add_look_again(c, c->book.code_ids[place]);
    return code_change_define(c, place, definition, (struct span){0}, same_meaning, e);
}

static struct span closed_array(struct buf *b)
{
    buf_add_text(b, b->len > 0 ? "]" : "[]");
    return buf_span(b);
}

static void name_change(struct code_change *c, const char *action, struct span list, struct span code)
{
    c->change.action = span_of(action);
    c->change.facet = list;
    c->change.code = code;
    c->change.became = closed_array(&c->became);
    c->change.look_again = closed_array(&c->look_again);
}

enum status code_change_load(struct code_change *c, const struct codebook_file *f, bool same_meaning, size_t *n,
                             struct err *e)
{
    struct new_texts texts = {0};
    enum status status = ST_OK;

    *n = 0;
    new_texts(&c->book.codebook, f, &texts);
    while (*n < texts.n && status == ST_OK) {
        const struct code *code = &c->book.codebook.codes[texts.at[*n].code];
        status = load_code(c, &texts, *n, same_meaning, n, e);
        if (status != ST_OK)
            break;
        name_change(c, "define", code->facet, code->name);
        status = db_code_change_put(c->db, &c->change, e);
        buf_reset(&c->became);
        buf_reset(&c->look_again);
        c->change.version++;
    }
    array_clear(&texts);
    THEN(status, categories_take(c->db, &c->book.codebook, f, c->change.changed_by, c->change.reason, n, e));
    return status == ST_OK && *n == 0 ? ST_NO : status;
}

enum status code_change_rename(struct code_change *c, size_t place, struct span name, struct err *e)
{
    const struct code *code = &c->book.codebook.codes[place];
    struct err why;
    bool is_alias = codebook_find(&c->book.codebook, code->facet, name, &why) == place;
    enum status status = ST_OK;

    if (span_eq(code->name, name))
        return err_set(e, ST_INPUT, "'%.*s' is its name already", SPAN_ARG(name));
    if (!is_alias) /* an alias may become the name */
        status = name_is_new(c, code->facet, name, e);
    add_became(c, name);
    return status == ST_OK ? db_code_rename(c->db, c->book.code_ids[place], name, e) : status;
}

enum status code_change_merge(struct code_change *c, size_t place, size_t into, struct err *e)
{
    add_became(c, c->book.codebook.codes[into].name);
    add_look_again(c, c->book.code_ids[into]);
    return db_code_retire(c->db, c->book.code_ids[place], c->change.version, c->book.code_ids[into], e);
}

enum status code_change_split(struct code_change *c, size_t place, const size_t *into, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        add_became(c, c->book.codebook.codes[into[i]].name);
    add_look_again(c, c->book.code_ids[place]);
    return db_code_retire(c->db, c->book.code_ids[place], c->change.version, 0, e);
}

/* --- the end --- */

enum status code_change_end(struct code_change *c, enum status status, const char *action, struct span list,
                            struct span code, struct code_changed *changed, struct err *e)
{
    struct db_review review;
    bool pending = *action != '\0';

    name_change(c, action, list, code);
    *changed = (struct code_changed){.version = c->change.version - !pending};
    if (status == ST_OK && pending)
        status = db_code_change_put(c->db, &c->change, e);
    if (status == ST_OK && c->example.ptr != NULL)
        status = give_example(c, e);
    THEN(status, db_labels_rebuild(c->db, e));
    for (struct sql *all = db_reviews(c->db, (struct span){0}); db_review_next(c->db, all, &review, &status, e);)
        changed->n_review += review.change.version >= c->first_version;
    THEN(status, db_commit(c->db, e));
    if (status != ST_OK)
        db_rollback(c->db);
    buf_clear(&c->became);
    buf_clear(&c->look_again);
    stored_codebook_clear(&c->book);
    return status;
}
