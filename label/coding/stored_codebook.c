/* stored_codebook: the codebook as the database has it by now. */
#include "label/coding/stored_codebook.h"

#include "label/code_table.h"

struct stored_code {
    int64_t code_id, retired_in, merged_into;
    struct code code;
    struct buf aliases; /* separated by ';' */
    size_t place;       /* in the codebook; SIZE_MAX: no longer given */
};

/* What is read before it becomes a codebook. */
struct reading {
    struct stored_codebook *s;
    size_t held_capacity;
    struct ARRAY_OF(struct db_rule) rules;
};

/* --- reading the tables --- */

static struct stored_code *held_code(const struct stored_codebook *s, int64_t code_id)
{
    return s->n_held == 0 ? NULL : bsearch(&code_id, s->held, s->n_held, sizeof *s->held, number_order);
}

static bool is_value(const struct stored_code *code)
{
    return code->code_id >= DB_VALUES_FROM;
}

static bool has_codebook(const struct stored_codebook *s)
{
    bool written = false;

    for (size_t i = 0; i < s->facets->n; i++)
        written |= facet_is_written(&s->facets->items[i]);
    return written || (s->n_held > 0 && !is_value(&s->held[0]));
}

static enum status MUST_USE read_tables(struct reading *r, struct db *db, struct err *e)
{
    struct stored_codebook *s = r->s;
    struct db_code code;
    struct db_rule rule;
    struct db_alias alias;
    enum status status = db_facets(db, &s->facets, e);

    THEN(status, db_codebook_version(db, &s->version, e));
    while (db_code_next(db, &code, &status, e)) { /* by id */
        s->held = array_room(s->held, s->n_held, 1, &r->held_capacity, sizeof *s->held);
        s->held[s->n_held++] = (struct stored_code){
            .code_id = code.code_id,
            .retired_in = code.retired_in,
            .merged_into = code.merged_into,
            .code = {.facet = arena_copy(&s->arena, code.facet),
                     .category = arena_copy(&s->arena, code.category),
                     .name = arena_copy(&s->arena, code.name),
                     .short_name = arena_copy(&s->arena, code.short_name),
                     .definition = arena_copy(&s->arena, code.definition)},
            .place = SIZE_MAX,
        };
    }
    while (db_code_alias_next(db, &alias, &status, e)) {
        struct stored_code *of = held_code(s, alias.code_id);
        if (of == NULL)
            continue;
        buf_add_text(&of->aliases, of->aliases.len > 0 ? ";" : "");
        buf_add_span(&of->aliases, alias.alias);
    }
    while (db_disambiguation_next(db, &rule, &status, e)) {
        rule.rule = arena_copy(&s->arena, rule.rule);
        array_add(&r->rules, rule);
    }
    if (status == ST_OK && !has_codebook(s))
        return err_set(e, ST_INPUT,
                       "the database has no codebook; give the study a codebook.csv"
                       " and make a new database with `ppmine init --study FOLDER`");
    return status;
}

/* --- the codebook --- */

/* Behind the codes of the codebook. */
static size_t add_value(struct stored_codebook *s, const struct code *value, int64_t id)
{
    size_t place = s->codebook.n_codes + s->n_values;

    if (place >= s->values_capacity) {
        s->values_capacity = 2 * place + 16;
        s->codebook.codes = mem_resize(s->codebook.codes, s->values_capacity, sizeof *s->codebook.codes);
        s->code_ids = mem_resize(s->code_ids, s->values_capacity, sizeof *s->code_ids);
    }
    s->codebook.codes[place] = *value;
    s->code_ids[place] = id;
    s->n_values++;
    return place;
}

static enum status MUST_USE make_codebook(struct reading *r, struct err *e)
{
    struct stored_codebook *s = r->s;
    AT_END(mem_end) struct code *codes = mem_zero(s->n_held + 1, sizeof *codes);
    AT_END(mem_end) struct disambiguation *rules = mem_zero(r->rules.n + 1, sizeof *rules);
    struct err why;
    size_t n = 0, n_rules = 0;

    /* What a code was called that was merged into another one still names that one. */
    for (size_t i = 0; i < s->n_held; i++) {
        const struct stored_code *old = &s->held[i];
        struct stored_code *now = held_code(s, old->merged_into);
        if (now == NULL)
            continue;
        buf_addf(&now->aliases, "%s%.*s", now->aliases.len > 0 ? ";" : "", SPAN_ARG(old->code.name));
        buf_add_text(&now->aliases, old->aliases.len > 0 ? ";" : "");
        buf_add_span(&now->aliases, buf_span(&old->aliases));
    }
    s->code_ids = mem_zero(s->n_held + 1, sizeof *s->code_ids);
    for (size_t i = 0; i < s->n_held; i++) {
        struct stored_code *held = &s->held[i];
        if (held->retired_in != 0 || is_value(held))
            continue;
        held->code.aliases = buf_span(&held->aliases);
        held->place = n;
        s->code_ids[n] = held->code_id;
        codes[n++] = held->code;
    }
    for (size_t i = 0; i < r->rules.n; i++) { /* those about codes that are no longer given tell nobody anything */
        const struct stored_code *code = held_code(s, r->rules.at[i].code_id);
        const struct stored_code *versus = held_code(s, r->rules.at[i].versus_id);
        if (code != NULL && versus != NULL && code->place != SIZE_MAX && versus->place != SIZE_MAX)
            rules[n_rules++] = (struct disambiguation){code->place, versus->place, r->rules.at[i].rule};
    }
    enum status status = codebook_make(&s->codebook, s->facets, codes, n, rules, n_rules, &why);
    if (status != ST_OK)
        status = err_set(e, ST_INPUT, "the codebook of the database: %s", why.text);
    for (size_t i = 0; i < s->n_held && status == ST_OK; i++)
        if (is_value(&s->held[i]))
            s->held[i].place = add_value(s, &s->held[i].code, s->held[i].code_id);
    s->n_held_values = s->n_values;
    return status;
}

enum status stored_codebook_load(struct stored_codebook *out, struct db *db, struct err *e)
{
    struct reading r = {.s = out};

    *out = (struct stored_codebook){0};
    enum status status = read_tables(&r, db, e);
    THEN(status, make_codebook(&r, e));
    array_clear(&r.rules);
    return status;
}

enum status stored_codebook_load_any(struct stored_codebook *out, struct db *db, struct err *e)
{
    struct err why = {0};
    enum status status = stored_codebook_load(out, db, &why);

    if (status == ST_INPUT && out->codebook.n_codes == 0 && !has_codebook(out)) /* lists without codes */
        return codebook_make(&out->codebook, out->facets, NULL, 0, NULL, 0, e);
    if (status != ST_OK)
        *e = why;
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

/* --- asking --- */

struct span stored_codebook_list(const struct stored_codebook *s, size_t facet)
{
    size_t list = s->facets->items[facet].list;

    return list != SIZE_MAX ? s->facets->lists[list] : SPAN("");
}

size_t stored_codebook_place(const struct stored_codebook *s, int64_t code_id)
{
    const struct stored_code *held = held_code(s, code_id);

    if (held != NULL)
        return held->place;
    for (size_t i = s->codebook.n_codes + s->n_held_values; i < s->codebook.n_codes + s->n_values; i++)
        if (s->code_ids[i] == code_id)
            return i;
    return SIZE_MAX;
}

enum status stored_codebook_keep(const struct stored_codebook *s, struct db *db, size_t place, struct err *e)
{
    if (place < s->codebook.n_codes || place >= s->codebook.n_codes + s->n_values)
        return ST_OK;
    return db_value_put(db, s->codebook.codes[place].facet, s->codebook.codes[place].name, e);
}

size_t stored_codebook_find(struct stored_codebook *s, struct span list, struct span text, struct err *e)
{
    const struct facet *written = s->facets != NULL ? facets_writing(s->facets, list) : NULL;
    AT_END(buf_clear) struct buf value = {0};
    size_t place;

    if (written != NULL) {
        if (facet_value(written, text, &value, e) != ST_OK)
            return SIZE_MAX;
        int64_t id = db_value_id(list, buf_span(&value));
        place = stored_codebook_place(s, id);
        return place != SIZE_MAX
                   ? place
                   : add_value(s, &(struct code){.facet = list, .name = facets_copy(&s->arena, buf_span(&value))}, id);
    }
    place = codebook_find(&s->codebook, list, text, e);
    for (size_t i = 0; i < s->n_held && place == SIZE_MAX; i++) {
        const struct stored_code *c = &s->held[i];
        if (c->retired_in != 0 && c->merged_into == 0 && span_eq(c->code.facet, list) &&
            span_eq(c->code.name, span_trim(text)))
            err_set(e, ST_INPUT,
                    "%.*s '%.*s' is no longer given since version %lld of the codebook;"
                    " `ppmine codebook history` says what it was split into",
                    SPAN_ARG(list), SPAN_ARG(c->code.name), (long long)c->retired_in);
    }
    return place;
}

bool stored_codebook_was(const struct stored_codebook *s, struct span list, struct span name)
{
    for (size_t i = 0; i < s->n_held; i++) {
        const struct stored_code *c = &s->held[i];
        if (c->retired_in != 0 && span_eq(c->code.facet, list) && span_eq_any_case(c->code.name, name))
            return true;
    }
    return false;
}

struct span stored_codebook_name(const struct stored_codebook *s, int64_t code_id)
{
    const struct stored_code *code = held_code(s, code_id);
    size_t value = code == NULL && code_id >= DB_VALUES_FROM ? stored_codebook_place(s, code_id) : SIZE_MAX;

    if (value != SIZE_MAX)
        return s->codebook.codes[value].name;
    return code != NULL ? code->code.name : SPAN("");
}

/* --- the keys of codes, in reach of the left hand; the other letters are for commands, and q quits --- */

static const char *const code_keys[] = {"1", "2", "3", "4", "5", "6", "w", "e", "r", "t", "a", "s",
                                        "d", "f", "g", "z", "x", "c", "v", "b", "7", "W", "E", "R",
                                        "T", "A", "S", "D", "F", "G", "Z", "X", "C", "V", "B"};

const char *code_key(size_t n)
{
    return n < ARRAY_LEN(code_keys) ? code_keys[n] : "";
}

size_t code_of_key(struct span key)
{
    size_t place = span_place(key, code_keys, ARRAY_LEN(code_keys));

    return place < ARRAY_LEN(code_keys) ? place : SIZE_MAX;
}
