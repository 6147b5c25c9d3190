/* Reads the codebook: categories, codes, aliases, what tells codes apart. */
#include "base/csv.h"
#include "label/label.h"

#include <unicase.h>

/* --- keys: each spelling of each code, as it is compared --- */

enum rank {
    OWN,   /* name or alias: of one code only */
    SHORT, /* short name, or a name behind its category: may be of several */
};

struct codebook_key {
    size_t list;
    enum rank rank;
    size_t code;
    size_t line;      /* of codebook.csv; 0: it is not a file */
    struct span text; /* NUL-terminated */
};

enum { KEY_MAX = 200, NEAR_MOST = 1000 }; /* no longer text names a code */

/* Lower-case, runs of blanks as one, none at the ends and around ':'. False: too long or empty. */
static bool fold(struct span text, char out[KEY_MAX + 1], size_t *len)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len && n < KEY_MAX; i++) {
        char c = text.ptr[i];
        if (ascii_is_space(c)) {
            if (n > 0 && out[n - 1] != ' ' && out[n - 1] != ':')
                out[n++] = ' ';
            continue;
        }
        if (c == ':' && n > 0 && out[n - 1] == ' ')
            n--;
        out[n++] = ascii_lower(c);
    }
    if (n > 0 && n < KEY_MAX && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
    *len = n;
    return n > 0 && n < KEY_MAX;
}

/* The same, also with letters beyond A to Z in lower case and in one Unicode form. False: the key stays the same. */
static bool fold_letters(struct span text, char out[KEY_MAX + 1], size_t *len)
{
    char narrow[KEY_MAX + 1];
    size_t n = 0, narrow_len;
    bool ascii = true;

    for (size_t i = 0; i < text.len && i < KEY_MAX; i++)
        ascii &= (unsigned char)text.ptr[i] < 0x80;
    if (ascii || !fold(text, narrow, &narrow_len))
        return false;
    uint8_t *letters = u8_casefold((const uint8_t *)text.ptr, text.len, NULL, UNINORM_NFC, NULL, &n);
    bool folded = letters != NULL && fold((struct span){(char *)letters, n}, out, len);
    mem_free(letters); /* libunistring's memory is the C library's, as mem's is */
    return folded && !span_eq((struct span){narrow, narrow_len}, (struct span){out, *len});
}

static int compare_text(size_t list, struct span text, const struct codebook_key *key)
{
    return list != key->list ? (list < key->list ? -1 : 1) : span_order(text, key->text);
}

static int compare_keys(const void *a, const void *b)
{
    const struct codebook_key *left = a, *right = b;
    int order = compare_text(left->list, left->text, right);

    if (order == 0)
        order = (left->rank > right->rank) - (left->rank < right->rank);
    if (order == 0)
        order = (left->code > right->code) - (left->code < right->code);
    return order;
}

/* The first key that is not before the text. */
static size_t lower_bound(const struct codebook *c, size_t list, struct span text)
{
    size_t low = 0, high = c->n_keys;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_text(list, text, &c->keys[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The code that `text` probably means; SIZE_MAX: none. In a large list only keys near its place are compared: not
 * thousands of unknown names with thousands of codes. */
static size_t nearest_code(const struct codebook *c, size_t list, struct span text)
{
    const char *names[NEAR_MOST] = {0};
    size_t first = lower_bound(c, list, SPAN("")), end = lower_bound(c, list + 1, SPAN("")), n = 0;

    if (end - first > NEAR_MOST) {
        size_t place = lower_bound(c, list, text);
        first = place > first + NEAR_MOST / 2 ? place - NEAR_MOST / 2 : first;
        first = end - first > NEAR_MOST ? first : end - NEAR_MOST;
    }
    for (; n < NEAR_MOST && first + n < end; n++)
        names[n] = c->keys[first + n].text.ptr;
    const char *near = span_nearest(text, names, n);
    for (size_t i = 0; i < n; i++)
        if (names[i] == near)
            return c->keys[first + i].code;
    return SIZE_MAX;
}

static void unknown_code(const struct codebook *c, struct span list, struct span text, size_t near, struct err *e)
{
    AT_END(buf_clear) struct buf names = {0};
    int shown = text.len < KEY_MAX ? (int)text.len : KEY_MAX;

    for (size_t i = 0; i < c->n_codes && names.len < sizeof e->text; i++)
        if (span_eq(c->codes[i].facet, list))
            buf_addf(&names, "%s%.*s", names.len > 0 ? ", " : "", SPAN_ARG(c->codes[i].name));
    if (near != SIZE_MAX)
        err_set(e, ST_INPUT, "no %.*s '%.*s' in the codebook (did you mean '%.*s'?)", SPAN_ARG(list), shown, text.ptr,
                SPAN_ARG(c->codes[near].name));
    else if (names.len > 0)
        err_set(e, ST_INPUT, "no %.*s '%.*s' in the codebook; there are: %s", SPAN_ARG(list), shown, text.ptr,
                buf_cstr(&names));
    else
        err_set(e, ST_INPUT, "the codebook has no %.*s", SPAN_ARG(list));
}

size_t codebook_list(const struct codebook *c, struct span name)
{
    return span_among(name, c->lists, c->n_lists);
}

size_t codebook_find(const struct codebook *c, struct span list, struct span text, struct err *e)
{
    char space[KEY_MAX + 1], letters[KEY_MAX + 1];
    struct span key = {space, 0}, wide = {letters, 0};
    size_t l = codebook_list(c, list), near = SIZE_MAX;

    if (fold(text, space, &key.len)) {
        size_t first = lower_bound(c, l, key);
        if ((first == c->n_keys || compare_text(l, key, &c->keys[first]) != 0) &&
            fold_letters(text, letters, &wide.len)) {
            key = wide;
            first = lower_bound(c, l, key);
        }
        size_t other = first, i = first;
        for (; i < c->n_keys && compare_text(l, key, &c->keys[i]) == 0; i++)
            other = c->keys[i].code != c->keys[first].code ? i : other;
        if (i > first && (other == first || c->keys[first].rank == OWN))
            return c->keys[first].code;
        if (e == NULL)
            return SIZE_MAX;
        if (i > first) {
            err_set(e, ST_INPUT, "%.*s '%.*s' may be '%.*s' or '%.*s'; write one of them", SPAN_ARG(list),
                    SPAN_ARG(text), SPAN_ARG(c->codes[c->keys[first].code].name),
                    SPAN_ARG(c->codes[c->keys[other].code].name));
            return SIZE_MAX;
        }
        near = nearest_code(c, l, key);
    }
    if (e != NULL)
        unknown_code(c, list, text, near, e);
    return SIZE_MAX;
}

bool codebook_has_categories(const struct codebook *c, struct span list)
{
    for (size_t i = 0; i < c->n_codes; i++)
        if (span_eq(c->codes[i].facet, list) && c->codes[i].category.len > 0)
            return true;
    return false;
}

struct span category_at(struct span category, size_t level)
{
    struct span rest = category;

    for (size_t end; level > 0; level--) {
        end = span_find(rest, SPAN(CATEGORY_BETWEEN));
        if (end == SIZE_MAX)
            break;
        if (level == 1)
            return (struct span){category.ptr, (size_t)(rest.ptr - category.ptr) + end};
        end += strlen(CATEGORY_BETWEEN);
        rest = span_after(rest, end);
    }
    return category;
}

struct span code_at(struct span category, struct span code, size_t level)
{
    size_t depth = category.len > 0;

    while (category_at(category, depth).len < category.len)
        depth++;
    return level > 0 && depth >= level ? category_at(category, level) : code;
}

bool category_is_within(struct span category, struct span above)
{
    return span_starts(category, above) &&
           (category.len == above.len || span_starts(span_after(category, above.len), SPAN(CATEGORY_BETWEEN)));
}

/* --- building --- */

struct builder {
    struct codebook *codebook;
    const struct facets *facets;
    size_t code_capacity, rule_capacity, key_capacity;
    size_t line; /* 0: no file */
    struct err *e;
};

static void begin(struct builder *b, struct codebook *out, const struct facets *facets, struct err *e)
{
    *out = (struct codebook){0};
    *b = (struct builder){.codebook = out, .facets = facets, .e = e};
    out->lists = arena_alloc(&out->arena, (facets->n_lists + 1) * sizeof *out->lists);
    for (size_t i = 0; i < facets->n_lists; i++)
        out->lists[out->n_lists++] = facets_copy(&out->arena, facets->lists[i]);
}

static void put_key(struct builder *b, enum rank rank, struct span key)
{
    struct codebook *c = b->codebook;

    c->keys = array_room(c->keys, c->n_keys, 1, &b->key_capacity, sizeof *c->keys);
    c->keys[c->n_keys++] = (struct codebook_key){
        .list = codebook_list(c, c->codes[c->n_codes - 1].facet),
        .rank = rank,
        .code = c->n_codes - 1,
        .line = b->line,
        .text = facets_copy(&c->arena, key),
    };
}

static enum status MUST_USE add_key(struct builder *b, enum rank rank, struct span text)
{
    char space[KEY_MAX + 1], letters[KEY_MAX + 1];
    struct span key = {space, 0}, wide = {letters, 0};

    if (!fold(text, space, &key.len))
        return err_set(b->e, ST_INPUT, "a name, short name or alias is longer than 199 bytes");
    put_key(b, rank, key);
    if (fold_letters(text, letters, &wide.len))
        put_key(b, SHORT, wide); /* older codebooks may have two of them */
    return ST_OK;
}

/* "Time: slow execution time" */
static enum status MUST_USE add_categorized(struct builder *b, struct span category, struct span name)
{
    AT_END(buf_clear) struct buf text = {0};

    if (category.len == 0)
        return ST_OK;
    buf_add_span(&text, category);
    buf_add_char(&text, ':');
    buf_add_span(&text, name);
    return add_key(b, SHORT, buf_span(&text));
}

/* Copies its texts. */
static enum status MUST_USE build_code(struct builder *b, const struct code *code)
{
    struct codebook *c = b->codebook;
    struct arena *arena = &c->arena;

    if (codebook_list(c, code->facet) == c->n_lists)
        return err_set(b->e, ST_INPUT, "unknown facet '%.*s'", SPAN_ARG(code->facet));
    if (facets_writing(b->facets, code->facet) != NULL)
        return err_set(b->e, ST_INPUT, "the facet '%.*s' has no codes: coders write its values", SPAN_ARG(code->facet));
    if (code->name.len == 0)
        return err_set(b->e, ST_INPUT, "a code without a name");
    c->codes = array_room(c->codes, c->n_codes, 1, &b->code_capacity, sizeof *c->codes);
    c->codes[c->n_codes++] = (struct code){
        .facet = arena_copy(arena, code->facet),
        .category = arena_copy(arena, code->category),
        .name = arena_copy(arena, code->name),
        .short_name = arena_copy(arena, code->short_name),
        .definition = arena_copy(arena, code->definition),
        .aliases = arena_copy(arena, code->aliases),
    };
    struct span aliases = code->aliases, alias;
    enum status status = add_key(b, OWN, code->name);
    while (status == ST_OK && span_cut(&aliases, ';', &alias))
        if (span_trim(alias).len > 0)
            status = add_key(b, OWN, alias);
    THEN(status, add_categorized(b, code->category, code->name));
    if (status == ST_OK && code->short_name.len > 0)
        status = add_key(b, SHORT, code->short_name);
    if (status == ST_OK && code->short_name.len > 0)
        status = add_categorized(b, code->category, code->short_name);
    return status;
}

/* Sorts the keys. No two codes may own one key: *again is such a key, *first the other one; NULL: none. */
static void build_end(struct codebook *c, const struct codebook_key **first, const struct codebook_key **again)
{
    *first = *again = NULL;
    if (c->n_keys > 0)
        qsort(c->keys, c->n_keys, sizeof *c->keys, compare_keys);
    for (size_t i = 1; i < c->n_keys && *again == NULL; i++) {
        const struct codebook_key *a = &c->keys[i - 1], *b = &c->keys[i];
        if (a->rank != OWN || b->rank != OWN || a->code == b->code || compare_text(a->list, a->text, b) != 0)
            continue;
        *first = a;
        *again = b;
    }
}

static void build_rule(struct builder *b, const struct disambiguation *rule)
{
    struct codebook *c = b->codebook;

    c->rules = array_room(c->rules, c->n_rules, 1, &b->rule_capacity, sizeof *c->rules);
    c->rules[c->n_rules++] = (struct disambiguation){rule->code, rule->versus, arena_copy(&c->arena, rule->rule)};
}

enum status codebook_make(struct codebook *out, const struct facets *facets, const struct code *codes, size_t n_codes,
                          const struct disambiguation *rules, size_t n_rules, struct err *e)
{
    const struct codebook_key *first, *again;
    struct builder b;
    enum status status = ST_OK;

    begin(&b, out, facets, e);
    for (size_t i = 0; i < n_codes && status == ST_OK; i++)
        status = build_code(&b, &codes[i]);
    build_end(out, &first, &again);
    if (status == ST_OK && again != NULL)
        status = err_set(e, ST_INPUT, "the %.*s '%s' is two codes", SPAN_ARG(out->lists[again->list]), again->text.ptr);
    for (size_t i = 0; i < n_rules && status == ST_OK; i++)
        build_rule(&b, &rules[i]);
    return status;
}

/* --- codebook.csv --- */

struct loader {
    struct builder builder;
    struct csv_reader csv;
    struct err *e;
};

static enum status wrong(const struct loader *l, const char *what)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: %s", l->csv.name, l->csv.line, what);
}

enum status codebook_no_list(const struct codebook *c, const struct csv_reader *csv, struct span text, const char *more,
                             struct err *e)
{
    const char *names[FACETS_MAX + 1];
    AT_END(buf_clear) struct buf list = {0};
    size_t n = 0;

    for (; n < c->n_lists; n++)
        names[n] = c->lists[n].ptr;
    if (more != NULL)
        names[n++] = more;
    for (size_t i = 0; i < n; i++)
        buf_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    const char *near = span_nearest(text, names, n);
    return near != NULL ? err_set(e, ST_INPUT, "%s:%zu: unknown facet '%.*s' (did you mean '%s'?)", csv->name,
                                  csv->line, SPAN_ARG(text), near)
                        : err_set(e, ST_INPUT, "%s:%zu: unknown facet '%.*s'; there are: %s", csv->name, csv->line,
                                  SPAN_ARG(text), buf_cstr(&list));
}

static enum status MUST_USE check_facet(const struct loader *l, struct span facet)
{
    const struct codebook *c = l->builder.codebook;

    return codebook_list(c, facet) < c->n_lists ? ST_OK : codebook_no_list(c, &l->csv, facet, NULL, l->e);
}

enum { FACET, CATEGORY, CODE, SHORT_NAME, DEFINITION, ALIASES };

static enum status MUST_USE add_code(struct loader *l)
{
    struct code code = {
        .facet = csv_cell(&l->csv, FACET),
        .category = csv_cell(&l->csv, CATEGORY),
        .name = csv_cell(&l->csv, CODE),
        .short_name = csv_cell(&l->csv, SHORT_NAME),
        .definition = csv_cell(&l->csv, DEFINITION),
        .aliases = csv_cell(&l->csv, ALIASES),
    };
    struct err why;
    enum status status = check_facet(l, code.facet);

    if (status != ST_OK)
        return status;
    l->builder.line = l->csv.line;
    l->builder.e = &why;
    status = build_code(&l->builder, &code);
    l->builder.e = NULL;
    return status == ST_OK ? ST_OK : wrong(l, why.text);
}

/* --- disambiguation.csv --- */

enum { RULE_FACET, RULE_CODE, RULE_VERSUS, RULE_TEXT };

static enum status MUST_USE find_code(const struct loader *l, struct span list, struct span text, size_t *code)
{
    struct err why;

    *code = codebook_find(l->builder.codebook, list, text, &why);
    return *code != SIZE_MAX ? ST_OK : wrong(l, why.text);
}

static enum status MUST_USE add_rule(struct loader *l)
{
    const struct codebook *c = l->builder.codebook;
    struct span facet = csv_cell(&l->csv, RULE_FACET);
    struct disambiguation rule = {.rule = csv_cell(&l->csv, RULE_TEXT)};
    enum status status = check_facet(l, facet);

    THEN(status, find_code(l, facet, csv_cell(&l->csv, RULE_CODE), &rule.code));
    THEN(status, find_code(l, facet, csv_cell(&l->csv, RULE_VERSUS), &rule.versus));
    if (status != ST_OK)
        return status;
    if (rule.code == rule.versus)
        return wrong(l, "a rule that tells a code from itself");
    if (rule.rule.len == 0)
        return wrong(l, "a rule without words");
    for (size_t i = 0; i < c->n_rules; i++)
        if (c->rules[i].code == rule.code && c->rules[i].versus == rule.versus)
            return wrong(l, "a second rule for these two codes");
    build_rule(&l->builder, &rule);
    return ST_OK;
}

enum status codebook_load(struct codebook *out, const struct facets *facets, struct span codes, struct span rules,
                          struct err *e)
{
    static const char *const of_code[] = {"facet", "category", "code", "short_name", "definition", "aliases"};
    static const char *const of_rule[] = {"facet", "code", "versus", "rule"};
    const struct codebook_key *first, *again;
    struct loader l = {.e = e};
    enum status status = ST_OK;

    begin(&l.builder, out, facets, e);
    csv_open_verbatim(&l.csv, codes, "codebook.csv");
    l.csv.may_lack = 1U << CATEGORY | 1U << SHORT_NAME | 1U << DEFINITION | 1U << ALIASES;
    while (csv_walk(&l.csv, of_code, ARRAY_LEN(of_code), &status, e))
        status = add_code(&l);
    if (status == ST_OK && out->n_codes == 0)
        status = wrong(&l, "no code in it");
    build_end(out, &first, &again);
    if (status == ST_OK && again != NULL)
        status = err_set(e, ST_INPUT, "%s:%zu: the %.*s '%s' is already in line %zu", l.csv.name, again->line,
                         SPAN_ARG(out->lists[again->list]), again->text.ptr, first->line);
    if (status != ST_OK || rules.len == 0)
        return status;
    csv_open_verbatim(&l.csv, rules, "disambiguation.csv");
    while (csv_walk(&l.csv, of_rule, ARRAY_LEN(of_rule), &status, e))
        status = add_rule(&l);
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

enum status codebook_of_study(struct codebook *out, const struct facets *facets, const struct study *s, struct err *e)
{
    struct span codes = study_file(s, "codebook.csv");
    struct span rules = study_file(s, "disambiguation.csv");

    if (codes.ptr != NULL)
        return codebook_load(out, facets, codes, rules, e);
    enum status status = codebook_make(out, facets, NULL, 0, NULL, 0, e);
    if (status == ST_OK && rules.ptr != NULL)
        status = err_set(e, ST_INPUT, "codebook.csv: missing; disambiguation.csv is about its codes");
    return status;
}
