/* Reads the codebook: categories, codes, aliases, what tells codes apart. */
#include "label/label.h"

#include <stdlib.h>

static const char *const facets[] = {"symptom", "root cause", "stage"};

static size_t facet_index(struct span name)
{
    size_t i = 0;

    while (i < ARRAY_LEN(facets) && !span_eq(name, span_of(facets[i])))
        i++;
    return i;
}

const char *codebook_facet(struct span name)
{
    size_t i = facet_index(name);

    return i < ARRAY_LEN(facets) ? facets[i] : NULL;
}

/* --- keys: each spelling of each code, as it is compared --- */

enum rank {
    OWN,   /* name or alias: of one code only */
    SHORT, /* short name, or a name behind its category: may be of several */
};

struct codebook_key {
    size_t facet;
    enum rank rank;
    size_t code;
    size_t line;      /* of codebook.csv */
    struct span text; /* NUL-terminated */
};

enum { KEY_MAX = 200 }; /* no longer text names a code */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Lower-case, runs of blanks as one, none at the ends and around ':'. False: too long or empty. */
static bool fold(struct span text, char out[KEY_MAX + 1], size_t *len)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len && n < KEY_MAX; i++) {
        char c = text.ptr[i];
        if (is_blank(c)) {
            if (n > 0 && out[n - 1] != ' ' && out[n - 1] != ':')
                out[n++] = ' ';
            continue;
        }
        if (c == ':' && n > 0 && out[n - 1] == ' ')
            n--;
        out[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    if (n > 0 && n < KEY_MAX && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
    *len = n;
    return n > 0 && n < KEY_MAX;
}

static int compare_text(size_t facet, struct span text, const struct codebook_key *key)
{
    if (facet != key->facet)
        return facet < key->facet ? -1 : 1;
    size_t len = text.len < key->text.len ? text.len : key->text.len;
    int order = memcmp(text.ptr, key->text.ptr, len);
    if (order != 0)
        return order;
    return (text.len > key->text.len) - (text.len < key->text.len);
}

static int compare_keys(const void *a, const void *b)
{
    const struct codebook_key *left = a, *right = b;
    int order = compare_text(left->facet, left->text, right);

    if (order == 0)
        order = (left->rank > right->rank) - (left->rank < right->rank);
    if (order == 0)
        order = (left->code > right->code) - (left->code < right->code);
    return order;
}

/* The first key that is not before the text. */
static size_t lower_bound(const struct codebook *c, size_t facet, struct span text)
{
    size_t low = 0, high = c->n_keys;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_text(facet, text, &c->keys[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum status ambiguous(const struct codebook *c, const char *facet, struct span text,
                             size_t one, size_t other, struct err *e)
{
    struct span a = c->codes[one].name, b = c->codes[other].name;

    return err_set(e, ST_INPUT, "%s '%.*s' may be '%.*s' or '%.*s'; write one of them", facet,
                   (int)text.len, text.ptr, (int)a.len, a.ptr, (int)b.len, b.ptr);
}

/* The code with a key that `text` was likely meant to be; SIZE_MAX: none. */
static size_t nearest_code(const struct codebook *c, size_t facet, struct span text)
{
    const char **names = mem_zero(c->n_keys + 1, sizeof *names);
    size_t first = lower_bound(c, facet, SPAN("")), n = 0, code = SIZE_MAX;

    for (; first + n < c->n_keys && c->keys[first + n].facet == facet; n++)
        names[n] = c->keys[first + n].text.ptr;
    const char *near = span_nearest(text, names, n);
    for (size_t i = 0; i < n; i++)
        if (names[i] == near)
            code = c->keys[first + i].code;
    mem_free(names);
    return code;
}

static enum status unknown_code(const struct codebook *c, const char *facet, struct span text,
                                size_t near, struct err *e)
{
    struct buf list = {0};
    int shown = text.len < KEY_MAX ? (int)text.len : KEY_MAX;

    for (size_t i = 0; i < c->n_codes; i++)
        if (span_eq(c->codes[i].facet, span_of(facet)))
            buf_addf(&list, "%s%.*s", list.len > 0 ? ", " : "", (int)c->codes[i].name.len,
                     c->codes[i].name.ptr);
    if (near != SIZE_MAX)
        err_set(e, ST_INPUT, "no %s '%.*s' in the codebook (did you mean '%.*s'?)", facet, shown,
                text.ptr, (int)c->codes[near].name.len, c->codes[near].name.ptr);
    else if (list.len > 0)
        err_set(e, ST_INPUT, "no %s '%.*s' in the codebook; there are: %s", facet, shown, text.ptr,
                buf_cstr(&list));
    else
        err_set(e, ST_INPUT, "the codebook has no %s", facet);
    buf_clear(&list);
    return ST_INPUT;
}

size_t codebook_find(const struct codebook *c, const char *facet, struct span text, struct err *e)
{
    char space[KEY_MAX + 1];
    struct span key = {space, 0};
    size_t f = facet_index(span_of(facet)), near = SIZE_MAX;

    if (fold(text, space, &key.len)) {
        size_t first = lower_bound(c, f, key), other = first, i = first;
        for (; i < c->n_keys && compare_text(f, key, &c->keys[i]) == 0; i++)
            other = c->keys[i].code != c->keys[first].code ? i : other;
        if (i > first && (other == first || c->keys[first].rank == OWN))
            return c->keys[first].code;
        if (i > first) {
            ambiguous(c, facet, text, c->keys[first].code, c->keys[other].code, e);
            return SIZE_MAX;
        }
        near = nearest_code(c, f, key);
    }
    unknown_code(c, facet, text, near, e);
    return SIZE_MAX;
}

/* --- codebook.csv --- */

struct loader {
    struct codebook *codebook;
    struct csv_reader csv;
    size_t code_capacity, rule_capacity, key_capacity;
    struct err *e;
};

static enum status wrong(const struct loader *l, const char *what)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: %s", l->csv.name, l->csv.line, what);
}

/* Room for one more at array[n]. */
static void *grown(void *array, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return array;
    *capacity = *capacity > 0 ? 2 * *capacity : 64;
    return mem_resize(array, *capacity, size);
}

static enum status MUST_USE add_key(struct loader *l, enum rank rank, struct span text)
{
    struct codebook *c = l->codebook;
    char space[KEY_MAX + 1];
    struct span key = {space, 0};

    if (!fold(text, space, &key.len))
        return wrong(l, "a name, short name or alias is longer than 199 bytes");
    key.len++; /* with its NUL */
    key = arena_copy(&c->arena, key);
    key.len--;
    c->keys = grown(c->keys, c->n_keys, &l->key_capacity, sizeof *c->keys);
    c->keys[c->n_keys++] = (struct codebook_key){
        .facet = facet_index(c->codes[c->n_codes - 1].facet),
        .rank = rank,
        .code = c->n_codes - 1,
        .line = l->csv.line,
        .text = key,
    };
    return ST_OK;
}

/* "Time: slow execution time" */
static enum status MUST_USE add_categorized(struct loader *l, struct span category,
                                            struct span name)
{
    struct buf text = {0};

    if (category.len == 0)
        return ST_OK;
    buf_add_span(&text, category);
    buf_add_char(&text, ':');
    buf_add_span(&text, name);
    enum status status = add_key(l, SHORT, buf_span(&text));
    buf_clear(&text);
    return status;
}

static enum status MUST_USE add_keys(struct loader *l, const struct code *code)
{
    struct span aliases = code->aliases, alias;
    enum status status = add_key(l, OWN, code->name);

    while (status == ST_OK && span_cut(&aliases, ';', &alias))
        if (span_trim(alias).len > 0)
            status = add_key(l, OWN, alias);
    if (status == ST_OK)
        status = add_categorized(l, code->category, code->name);
    if (status == ST_OK && code->short_name.len > 0)
        status = add_key(l, SHORT, code->short_name);
    if (status == ST_OK && code->short_name.len > 0)
        status = add_categorized(l, code->category, code->short_name);
    return status;
}

static struct span kept_field(struct loader *l, size_t column)
{
    return arena_copy(&l->codebook->arena, span_trim(l->csv.fields.at[column]));
}

static enum status MUST_USE check_facet(const struct loader *l, struct span facet)
{
    const char *near = span_nearest(facet, facets, ARRAY_LEN(facets));

    if (codebook_facet(facet) != NULL)
        return ST_OK;
    if (near != NULL)
        return err_set(l->e, ST_INPUT, "%s:%zu: unknown facet '%.*s' (did you mean '%s'?)",
                       l->csv.name, l->csv.line, (int)facet.len, facet.ptr, near);
    return err_set(l->e, ST_INPUT,
                   "%s:%zu: unknown facet '%.*s'; there are: symptom, root cause, stage",
                   l->csv.name, l->csv.line, (int)facet.len, facet.ptr);
}

enum { FACET, CATEGORY, CODE, SHORT_NAME, DEFINITION, ALIASES, CODE_COLUMNS };

static enum status MUST_USE add_code(struct loader *l, const size_t columns[CODE_COLUMNS])
{
    struct codebook *c = l->codebook;
    struct code code = {
        .facet = kept_field(l, columns[FACET]),
        .category = kept_field(l, columns[CATEGORY]),
        .name = kept_field(l, columns[CODE]),
        .short_name = kept_field(l, columns[SHORT_NAME]),
        .definition = kept_field(l, columns[DEFINITION]),
        .aliases = kept_field(l, columns[ALIASES]),
    };
    enum status status = check_facet(l, code.facet);

    if (status != ST_OK)
        return status;
    if (code.name.len == 0)
        return wrong(l, "a code without a name");
    c->codes = grown(c->codes, c->n_codes, &l->code_capacity, sizeof *c->codes);
    c->codes[c->n_codes++] = code;
    return add_keys(l, &code);
}

/* What is a code's own must not be another's too. */
static enum status MUST_USE check_keys(const struct loader *l)
{
    const struct codebook *c = l->codebook;

    for (size_t i = 1; i < c->n_keys; i++) {
        const struct codebook_key *a = &c->keys[i - 1], *b = &c->keys[i];
        if (a->rank != OWN || b->rank != OWN || a->code == b->code ||
            compare_text(a->facet, a->text, b) != 0)
            continue;
        return err_set(l->e, ST_INPUT, "%s:%zu: the %s '%s' stands in line %zu already",
                       l->csv.name, b->line, facets[b->facet], b->text.ptr, a->line);
    }
    return ST_OK;
}

static enum status MUST_USE load_codes(struct loader *l, struct span content)
{
    static const char *const names[CODE_COLUMNS] = {"facet",      "category",   "code",
                                                    "short_name", "definition", "aliases"};
    size_t columns[CODE_COLUMNS];
    struct codebook *c = l->codebook;

    csv_open_verbatim(&l->csv, content, "codebook.csv");
    enum status status = csv_header(&l->csv, names, CODE_COLUMNS, columns, l->e);
    while (status == ST_OK && (status = csv_record(&l->csv, l->e)) == ST_OK)
        status = add_code(l, columns);
    if (status == ST_NO)
        status = c->n_codes > 0 ? ST_OK : wrong(l, "no code in it");
    if (status == ST_OK)
        qsort(c->keys, c->n_keys, sizeof *c->keys, compare_keys);
    if (status == ST_OK)
        status = check_keys(l);
    csv_close(&l->csv);
    return status;
}

/* --- disambiguation.csv --- */

enum { RULE_FACET, RULE_CODE, RULE_VERSUS, RULE_TEXT, RULE_COLUMNS };

static enum status MUST_USE find_code(const struct loader *l, const char *facet, struct span text,
                                      size_t *code)
{
    struct err why;

    *code = codebook_find(l->codebook, facet, text, &why);
    if (*code != SIZE_MAX)
        return ST_OK;
    return wrong(l, why.text);
}

static enum status MUST_USE add_rule(struct loader *l, const size_t columns[RULE_COLUMNS])
{
    struct codebook *c = l->codebook;
    const struct span *fields = l->csv.fields.at;
    struct span facet = span_trim(fields[columns[RULE_FACET]]);
    struct disambiguation rule = {.rule = kept_field(l, columns[RULE_TEXT])};
    enum status status = check_facet(l, facet);

    if (status == ST_OK)
        status = find_code(l, codebook_facet(facet), fields[columns[RULE_CODE]], &rule.code);
    if (status == ST_OK)
        status = find_code(l, codebook_facet(facet), fields[columns[RULE_VERSUS]], &rule.versus);
    if (status != ST_OK)
        return status;
    if (rule.code == rule.versus)
        return wrong(l, "a rule that tells a code from itself");
    if (rule.rule.len == 0)
        return wrong(l, "a rule without words");
    for (size_t i = 0; i < c->n_rules; i++)
        if (c->rules[i].code == rule.code && c->rules[i].versus == rule.versus)
            return wrong(l, "a second rule for these two codes");
    c->rules = grown(c->rules, c->n_rules, &l->rule_capacity, sizeof *c->rules);
    c->rules[c->n_rules++] = rule;
    return ST_OK;
}

static enum status MUST_USE load_rules(struct loader *l, struct span content)
{
    static const char *const names[RULE_COLUMNS] = {"facet", "code", "versus", "rule"};
    size_t columns[RULE_COLUMNS];

    csv_open_verbatim(&l->csv, content, "disambiguation.csv");
    enum status status = csv_header(&l->csv, names, RULE_COLUMNS, columns, l->e);
    while (status == ST_OK && (status = csv_record(&l->csv, l->e)) == ST_OK)
        status = add_rule(l, columns);
    csv_close(&l->csv);
    return status == ST_NO ? ST_OK : status;
}

enum status codebook_load(struct codebook *out, struct span codes, struct span rules,
                          struct err *e)
{
    struct loader l = {.codebook = out, .e = e};

    *out = (struct codebook){0};
    enum status status = load_codes(&l, codes);
    if (status == ST_OK && rules.len > 0)
        status = load_rules(&l, rules);
    return status;
}

void codebook_clear(struct codebook *c)
{
    mem_free(c->codes);
    mem_free(c->rules);
    mem_free(c->keys);
    arena_clear(&c->arena);
    *c = (struct codebook){0};
}

enum status codebook_of_study(struct codebook *out, const struct study *s, struct err *e)
{
    struct span codes = study_file(s, "codebook.csv");
    struct span rules = study_file(s, "disambiguation.csv");

    *out = (struct codebook){0};
    if (codes.ptr != NULL)
        return codebook_load(out, codes, rules, e);
    if (rules.ptr != NULL)
        return err_set(e, ST_INPUT, "codebook.csv: missing; disambiguation.csv is about its codes");
    return ST_OK;
}
