/* stored_codebook: the codebook as the database has it by now. */
#include "coding/stored_codebook.h"

#include "db/codebook.h"

#include <strings.h>

const char *const code_facets[] = {"symptom", "root cause", "stage", NULL};

struct stored_code {
    int64_t code_id, retired_in, merged_into;
    struct span facet, category, name, short_name, definition;
    struct buf aliases; /* separated by ';' */
};

struct stored_rule {
    int64_t code_id, versus_id;
    struct span rule;
};

/* What is read before it becomes a codebook. */
struct reading {
    struct stored_codebook *s;
    struct stored_rule *rules;
    size_t n_rules;
    struct buf *aliases; /* of the code whose aliases are read */
};

/* --- reading the tables --- */

static void add_held(void *ctx, const struct db_code *code)
{
    struct stored_codebook *s = ((struct reading *)ctx)->s;

    s->held = mem_resize(s->held, s->n_held + 1, sizeof *s->held);
    s->held[s->n_held++] = (struct stored_code){
        .code_id = code->code_id,
        .retired_in = code->retired_in,
        .merged_into = code->merged_into,
        .facet = arena_copy(&s->arena, code->facet),
        .category = arena_copy(&s->arena, code->category),
        .name = arena_copy(&s->arena, code->name),
        .short_name = arena_copy(&s->arena, code->short_name),
        .definition = arena_copy(&s->arena, code->definition),
    };
}

static void add_alias(void *ctx, struct span alias)
{
    struct buf *aliases = ((struct reading *)ctx)->aliases;

    buf_add_text(aliases, aliases->len > 0 ? ";" : "");
    buf_add_span(aliases, alias);
}

static void add_rule(void *ctx, int64_t code_id, int64_t versus_id, struct span rule)
{
    struct reading *r = ctx;

    r->rules = mem_resize(r->rules, r->n_rules + 1, sizeof *r->rules);
    r->rules[r->n_rules++] =
        (struct stored_rule){code_id, versus_id, arena_copy(&r->s->arena, rule)};
}

static struct stored_code *held_code(const struct stored_codebook *s, int64_t code_id)
{
    for (size_t i = 0; i < s->n_held; i++)
        if (s->held[i].code_id == code_id)
            return &s->held[i];
    return NULL;
}

/* What a code was called that was merged into another one still names that one. */
static void pass_on_names(struct stored_codebook *s)
{
    for (size_t i = 0; i < s->n_held; i++) {
        const struct stored_code *old = &s->held[i];
        struct stored_code *now = held_code(s, old->merged_into);
        if (now == NULL)
            continue;
        buf_addf(&now->aliases, "%s%.*s", now->aliases.len > 0 ? ";" : "", (int)old->name.len,
                 old->name.ptr);
        buf_add_text(&now->aliases, old->aliases.len > 0 ? ";" : "");
        buf_add_span(&now->aliases, buf_span(&old->aliases));
    }
}

static enum status MUST_USE read_tables(struct reading *r, struct db *db, struct err *e)
{
    struct stored_codebook *s = r->s;
    enum status status = db_codebook_version(db, &s->version, e);

    if (status == ST_OK)
        status = db_code_each(db, add_held, r, e);
    for (size_t i = 0; i < s->n_held && status == ST_OK; i++) {
        r->aliases = &s->held[i].aliases;
        status = db_code_alias_each(db, s->held[i].code_id, add_alias, r, e);
    }
    if (status == ST_OK)
        status = db_disambiguation_each(db, add_rule, r, e);
    if (status == ST_OK && s->n_held == 0)
        return err_set(e, ST_INPUT, "the database has no codebook; give the study a codebook.csv"
                       " and make a new database with `ppmine init --study FOLDER`");
    return status;
}

/* --- as CSV: what label reads a codebook from --- */

static void add_row(struct buf *out, const struct span *fields, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        buf_add_text(out, i > 0 ? "," : "");
        buf_add_csv_raw(out, fields[i]);
    }
    buf_add_char(out, '\n');
}

void stored_codebook_csv(const struct stored_codebook *s, struct buf *out)
{
    buf_add_text(out, "facet,category,code,short_name,definition,aliases\n");
    for (size_t i = 0; i < s->n_held; i++) {
        const struct stored_code *c = &s->held[i];
        struct span fields[] = {c->facet,      c->category,   c->name,
                                c->short_name, c->definition, buf_span(&c->aliases)};
        if (c->retired_in == 0)
            add_row(out, fields, ARRAY_LEN(fields));
    }
}

static void add_guide_row(struct buf *out, const struct stored_code *code,
                          const struct stored_code *versus, struct span rule)
{
    struct span fields[] = {code->facet, code->name, versus->name, rule};

    add_row(out, fields, ARRAY_LEN(fields));
}

static const char guide_header[] = "facet,code,versus,rule\n";

/* Rules about codes that are no longer given tell nobody anything. */
static void add_guide(const struct reading *r, struct buf *out)
{
    buf_add_text(out, guide_header);
    for (size_t i = 0; i < r->n_rules; i++) {
        const struct stored_code *code = held_code(r->s, r->rules[i].code_id);
        const struct stored_code *versus = held_code(r->s, r->rules[i].versus_id);
        if (code != NULL && versus != NULL && code->retired_in == 0 && versus->retired_in == 0)
            add_guide_row(out, code, versus, r->rules[i].rule);
    }
}

void stored_codebook_guide_csv(const struct stored_codebook *s, struct buf *out)
{
    const struct codebook *c = &s->codebook;

    buf_add_text(out, guide_header);
    for (size_t i = 0; i < c->n_rules; i++) {
        const struct disambiguation *rule = &c->rules[i];
        struct span fields[] = {c->codes[rule->code].facet, c->codes[rule->code].name,
                                c->codes[rule->versus].name, rule->rule};
        add_row(out, fields, ARRAY_LEN(fields));
    }
}

/* --- the codebook --- */

static enum status MUST_USE make_codebook(struct reading *r, struct err *e)
{
    struct stored_codebook *s = r->s;
    struct buf codes = {0}, guide = {0};
    struct err why;
    size_t n = 0;

    pass_on_names(s);
    stored_codebook_csv(s, &codes);
    add_guide(r, &guide);
    enum status status = codebook_load(&s->codebook, buf_span(&codes), buf_span(&guide), &why);
    if (status != ST_OK)
        status = err_set(e, ST_INPUT, "the codebook of the database, written as %s", why.text);
    buf_clear(&codes);
    buf_clear(&guide);
    s->code_ids = mem_zero(s->n_held, sizeof *s->code_ids);
    for (size_t i = 0; i < s->n_held; i++)
        if (s->held[i].retired_in == 0)
            s->code_ids[n++] = s->held[i].code_id;
    return status;
}

enum status stored_codebook_load(struct stored_codebook *out, struct db *db, struct err *e)
{
    struct reading r = {.s = out};

    *out = (struct stored_codebook){0};
    enum status status = read_tables(&r, db, e);
    if (status == ST_OK)
        status = make_codebook(&r, e);
    mem_free(r.rules);
    return status;
}

void stored_codebook_clear(struct stored_codebook *s)
{
    for (size_t i = 0; i < s->n_held; i++)
        buf_clear(&s->held[i].aliases);
    mem_free(s->held);
    mem_free(s->code_ids);
    codebook_clear(&s->codebook);
    arena_clear(&s->arena);
    *s = (struct stored_codebook){0};
}

size_t stored_codebook_find(const struct stored_codebook *s, const char *facet, struct span text,
                            struct err *e)
{
    size_t place = codebook_find(&s->codebook, facet, text, e);

    for (size_t i = 0; i < s->n_held && place == SIZE_MAX; i++) {
        const struct stored_code *c = &s->held[i];
        if (c->retired_in != 0 && c->merged_into == 0 && span_eq(c->facet, span_of(facet)) &&
            span_eq(c->name, span_trim(text)))
            err_set(e, ST_INPUT, "%s '%.*s' is no longer given since version %lld of the codebook;"
                    " `ppmine label code-history` says what it was split into", facet,
                    (int)c->name.len, c->name.ptr, (long long)c->retired_in);
    }
    return place;
}

bool stored_codebook_was(const struct stored_codebook *s, const char *facet, struct span name)
{
    for (size_t i = 0; i < s->n_held; i++) {
        const struct stored_code *c = &s->held[i];
        if (c->retired_in != 0 && span_eq(c->facet, span_of(facet)) && c->name.len == name.len &&
            strncasecmp(c->name.ptr, name.ptr, name.len) == 0)
            return true;
    }
    return false;
}

struct span stored_codebook_name(const struct stored_codebook *s, int64_t code_id)
{
    const struct stored_code *code = held_code(s, code_id);

    return code != NULL ? code->name : SPAN("");
}
