/* facets: the table of what coders decide, read from a study's facets.csv. */
#include "label/facets.h"

#include "base/csv.h"
#include "base/utf8.h"

const char *const facet_about_names[] = {"post", "problem", NULL};
const char *const facet_kind_names[] = {"yes/no", "codes", "number", "text", NULL};
const char *const facet_benchmark_names[] = {"", "shown", "group", NULL};

/* clang-format off */
enum {
    FACET, TITLE, PLURAL, ABOUT, KIND, MOST, CODES, REQUIRED, OPTION, ASKS, PROBLEM_PLACE, BENCHMARK,
    AGREEMENT, MIN, MAX, COLUMNS
};
/* clang-format on */

static const char *const column_names[COLUMNS] = {
    "facet",  "title", "plural",        "about",     "kind",      "most", "codes", "required",
    "option", "asks",  "problem_place", "benchmark", "agreement", "min",  "max",
};

struct loader {
    struct csv_reader csv;
    struct ARRAY_OF(struct facet) items;
    struct ARRAY_OF(struct span) lists; /* of each facet; ptr NULL: none */
    struct arena arena;                 /* until they are made one table */
    struct err *e;
};

/* --- the table --- */

void facets_clear(struct facets *f)
{
    arena_clear(&f->arena);
    *f = (struct facets){0};
}

struct span facets_copy(struct arena *arena, struct span text)
{
    return (struct span){arena_text(arena, text), text.len};
}

static bool is_gap(char c)
{
    return c == ' ' || c == '-';
}

static bool is_same(struct span a, struct span b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (a.ptr[i] != b.ptr[i] && !(is_gap(a.ptr[i]) && is_gap(b.ptr[i])))
            return false;
    return true;
}

size_t facets_find(const struct facets *f, struct span name)
{
    size_t i = 0;

    while (i < f->n && !is_same(f->items[i].name, name))
        i++;
    return i;
}

size_t facets_list(const struct facets *f, struct span name)
{
    size_t i = 0;

    while (i < f->n_lists && !is_same(f->lists[i], name))
        i++;
    return i;
}

size_t facets_share(const struct facets *f, size_t list)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        n += f->items[i].list == list;
    return n;
}

bool facets_has_codes(const struct facets *f, size_t list)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->items[i].list == list && !facet_is_written(&f->items[i]))
            return true;
    return false;
}

static bool is_name(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!(s.ptr[i] >= 'a' && s.ptr[i] <= 'z') && !(i > 0 && s.ptr[i] >= '0' && s.ptr[i] <= '9') &&
            !(i > 0 && i + 1 < s.len && is_gap(s.ptr[i]) && !is_gap(s.ptr[i - 1])))
            return false;
    return s.len > 0 && s.len <= FACET_NAME_MAX;
}

/* Options of the commands that also have one for each facet, and columns of sheets beside theirs. */
static bool is_taken(const struct facet *facet)
{
    static const char *const taken[] = {
        "agreed", "all",        "anyway", "as",       "back",  "by",         "code",    "coder",
        "db",     "decided-at", "error",  "evidence", "facet", "format",     "help",    "interactive",
        "note",   "plain",      "post",   "post-id",  "posts", "problem-id", "quiet",   "raw",
        "reason", "segments",   "single", "take",     "title", "url",        "verbose", "version"};
    AT_END(buf_clear) struct buf option = {0};

    for (size_t i = 0; i < facet->option.len; i++)
        buf_add_char(&option, is_gap(facet->option.ptr[i]) ? '-' : facet->option.ptr[i]);
    bool is = span_is_any(buf_span(&option), taken, ARRAY_LEN(taken));
    return is || span_is_any(facet->name, taken, ARRAY_LEN(taken));
}

/* What is wrong with a facet beside those before it; NULL: nothing. */
static const char *fault_of(const struct facet *items, size_t i, const struct span *lists)
{
    const struct facet *facet = &items[i];

    if (!is_name(facet->name) || !is_name(facet->option))
        return "expected a facet and an option of lower-case letters, digits and single blanks or"
               " '-', at most 60 bytes";
    if (is_taken(facet))
        return "an option or a column of the program has this name; give the facet another one";
    if (lists[i].ptr != NULL && !is_name(lists[i]))
        return "expected a list of codes with a name of lower-case letters";
    for (size_t k = 0; k < i; k++)
        if ((facet_is_written(facet) || facet_is_written(&items[k])) && lists[k].ptr != NULL && lists[i].ptr != NULL &&
            is_same(lists[k], lists[i]))
            return "its list of codes has the name of a facet whose values are written";
    if (i == FACET_JUDGES && (facet->about != FACET_ABOUT_POST || facet->kind != FACET_YES_NO))
        return "the first facet says which posts are problems: expected yes/no, of a post";
    if (i != FACET_JUDGES && facet->about != FACET_ABOUT_PROBLEM)
        return "expected a facet of a problem";
    if (facet->most < 1 || facet->most > (facet->kind == FACET_CODES ? FACET_CODES_MAX : 1))
        return "expected 1 to 9 codes at most, and 1 for other kinds";
    for (size_t k = 0; k < i; k++)
        if (is_same(items[k].name, facet->name) || is_same(items[k].option, facet->option))
            return "its name or option is that of another facet";
    return NULL;
}

enum status facets_make(struct facets *out, const struct facet *items, const struct span *lists, size_t n,
                        struct err *e)
{
    *out = (struct facets){0};
    if (n == 0 || n > FACETS_MAX)
        return err_set(e, ST_INPUT, "expected 1 to %d facets", FACETS_MAX);
    out->items = arena_alloc(&out->arena, n * sizeof *out->items);
    out->lists = arena_alloc(&out->arena, n * sizeof *out->lists);
    for (size_t i = 0; i < n; i++) {
        const char *fault = fault_of(items, i, lists);
        if (fault != NULL)
            return err_set(e, ST_INPUT, "the facet '%.*s': %s", SPAN_ARG(items[i].name), fault);
        struct facet *to = &out->items[out->n++];
        struct span *texts[] = {&to->name, &to->title, &to->plural, &to->option, &to->asks, &to->least, &to->greatest};
        *to = items[i];
        for (size_t k = 0; k < ARRAY_LEN(texts); k++)
            *texts[k] = facets_copy(&out->arena, *texts[k]);
        char *typed = arena_text(&out->arena, items[i].name);
        for (char *p = typed; *p != '\0'; p++)
            *p = is_gap(*p) ? '-' : *p;
        to->typed = span_of(typed);
        to->list = lists[i].ptr != NULL ? facets_list(out, lists[i]) : SIZE_MAX;
        if (to->list == out->n_lists)
            out->lists[out->n_lists++] = facets_copy(&out->arena, lists[i]);
    }
    /* Facets of problems by their place; those without one after them, in their order. */
    out->columns = arena_alloc(&out->arena, (n + 1) * sizeof *out->columns);
    for (size_t place = 1; place <= FACETS_MAX + 1; place++)
        for (size_t i = 0; i < n; i++) {
            size_t own = out->items[i].problem_place != 0 ? out->items[i].problem_place : FACETS_MAX + 1;
            if (out->items[i].about == FACET_ABOUT_PROBLEM && own == place)
                out->columns[out->n_columns++] = i;
        }
    return ST_OK;
}

/* --- values --- */

bool facet_is_written(const struct facet *facet)
{
    return facet->about != FACET_ABOUT_POST && facet->kind != FACET_CODES;
}

const char *facet_placeholder(const struct facet *facet)
{
    static const char *const words[] = {
        [FACET_YES_NO] = "yes|no", [FACET_CODES] = "CODE", [FACET_NUMBER] = "NUMBER", [FACET_TEXT] = "TEXT"};

    return words[facet->kind];
}

const struct facet *facets_writing(const struct facets *f, struct span list)
{
    for (size_t i = 0; i < f->n; i++)
        if (facet_is_written(&f->items[i]) && f->items[i].list != SIZE_MAX && span_eq(f->lists[f->items[i].list], list))
            return &f->items[i];
    return NULL;
}

static size_t count_digits(struct span s)
{
    size_t n = 0;

    while (n < s.len && s.ptr[n] >= '0' && s.ptr[n] <= '9')
        n++;
    return n;
}

/* "-12.50" as "-12.5". */
bool facet_number_read(struct span text, struct buf *out)
{
    bool minus = text.len > 0 && text.ptr[0] == '-';
    struct span whole = span_after(text, minus ? 1 : 0), part = {0};
    size_t n = count_digits(whole);

    if (n < whole.len && whole.ptr[n] == '.')
        part = span_after(whole, n + 1);
    if (n == 0 || count_digits(part) < part.len || (part.ptr == NULL && n < whole.len) ||
        (part.ptr != NULL && part.len == 0))
        return false;
    whole.len = n;
    while (whole.len > 1 && whole.ptr[0] == '0')
        whole = span_after(whole, 1);
    while (part.len > 0 && part.ptr[part.len - 1] == '0')
        part.len--;
    if (whole.len + part.len > FACET_DIGITS_MAX)
        return false;
    bool zero = part.len == 0 && whole.len == 1 && whole.ptr[0] == '0';
    buf_add_text(out, minus && !zero ? "-" : "");
    buf_add_span(out, whole);
    buf_add_text(out, part.len > 0 ? "." : "");
    buf_add_span(out, part);
    return true;
}

bool facet_yes_no(char delimiter, struct span text, bool *yes)
{
    enum { ENGLISH = 8 };
    static const char *const words[] = {
        "no",    "yes",    "false",    "true",      "0",     "1",          "n",      "y",     "FALSCH", "WAHR",
        "FAUX",  "VRAI",   "FALSO",    "VERDADERO", "FALSO", "VERDADEIRO", "FALSO",  "VERO",  "ONWAAR", "WAAR",
        "FAŁSZ", "PRAWDA", "NEPRAVDA", "PRAVDA",    "ЛОЖЬ",  "ИСТИНА",     "FALSKT", "SANT",  "FALSK",  "SAND",
        "USANN", "SANN",   "EPÄTOSI",  "TOSI",      "HAMIS", "IGAZ",       "YANLIŞ", "DOĞRU", "FALS",   "ADEVĂRAT"};
    size_t n = delimiter == ',' ? ENGLISH : ARRAY_LEN(words);

    for (size_t i = 0; i < n; i++)
        if (span_eq_any_case(text, span_of(words[i]))) {
            *yes = i % 2 == 1;
            return true;
        }
    return false;
}

enum status facet_cell(const struct facet *facet, char delimiter, struct span cell, struct buf *out, struct err *e)
{
    size_t before = out->len;
    bool yes = false;

    if (facet->kind == FACET_NUMBER && csv_number(delimiter, cell, out) == CSV_NUMBER_UNCLEAR)
        return err_set(e, ST_INPUT,
                       "'%.*s' may be thousands, or decimals: write it without the mark, or with other decimals",
                       SPAN_ARG(cell));
    if (facet->kind == FACET_YES_NO && facet_yes_no(delimiter, cell, &yes))
        buf_add_text(out, yes ? "yes" : "no");
    if (out->len == before)
        buf_add_span(out, cell);
    return ST_OK;
}

/* A text may have lines, but no other control characters. */
static bool is_text(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (((unsigned char)text.ptr[i] < ' ' && text.ptr[i] != '\n' && text.ptr[i] != '\t') || text.ptr[i] == 0x7f)
            return false;
    return text.len > 0 && text.len <= FACET_VALUE_MAX && utf8_valid_prefix(text) == text.len;
}

enum status facet_value_any(const struct facet *facet, struct span text, struct buf *out, struct err *e)
{
    int shown = text.len < 100 ? (int)text.len : 100;
    bool yes = false;

    text = span_trim(text);
    if (facet->kind == FACET_NUMBER && !facet_number_read(text, out))
        return err_set(e, ST_INPUT, "%s '%.*s': expected a number such as 12 or -0.5, with at most %d digits",
                       facet->name.ptr, shown, text.ptr, FACET_DIGITS_MAX);
    if (facet->kind == FACET_YES_NO && !facet_yes_no(',', text, &yes))
        return err_set(e, ST_INPUT, "%s '%.*s': expected yes or no", facet->name.ptr, shown, text.ptr);
    if (facet->kind == FACET_YES_NO)
        buf_add_text(out, yes ? "yes" : "no");
    if (facet->kind == FACET_TEXT && !is_text(text))
        return err_set(e, ST_INPUT, "%s: expected 1 to %d bytes of text in UTF-8, without control characters",
                       facet->name.ptr, FACET_VALUE_MAX);
    if (facet->kind == FACET_TEXT)
        buf_add_span(out, text);
    return ST_OK;
}

enum status facet_value(const struct facet *facet, struct span text, struct buf *out, struct err *e)
{
    AT_END(buf_clear) struct buf kept = {0}, range = {0};
    enum status status = facet_value_any(facet, text, &kept, e);

    facet_add_range(facet, "", &range);
    if (status == ST_OK && facet->kind == FACET_NUMBER &&
        ((facet->least.len > 0 && facet_number(buf_span(&kept)) < facet_number(facet->least)) ||
         (facet->greatest.len > 0 && facet_number(buf_span(&kept)) > facet_number(facet->greatest))))
        status = err_set(e, ST_INPUT, "%s '%s': expected a number: %s", facet->name.ptr, buf_cstr(&kept),
                         buf_cstr(&range));
    if (status == ST_OK)
        buf_add_span(out, buf_span(&kept));
    return status;
}

void facet_add_range(const struct facet *facet, const char *before, struct buf *out)
{
    const struct span *least = &facet->least, *greatest = &facet->greatest;

    if (least->len > 0 && greatest->len > 0)
        buf_addf(out, "%sfrom %.*s to %.*s", before, SPAN_ARG(*least), SPAN_ARG(*greatest));
    else if (least->len > 0)
        buf_addf(out, "%sat least %.*s", before, SPAN_ARG(*least));
    else if (greatest->len > 0)
        buf_addf(out, "%sat most %.*s", before, SPAN_ARG(*greatest));
}

double facet_number(struct span value)
{
    char text[FACET_DIGITS_MAX + 3];
    size_t n = value.len < sizeof text - 1 ? value.len : sizeof text - 1;

    memcpy(text, value.ptr, n);
    text[n] = '\0';
    return strtod(text, NULL);
}

/* --- measures of agreement --- */

static const struct {
    const char *name;
    unsigned measure;
} measure_names[] = {
    {"kappa", FACET_KAPPA},
    {"percent", FACET_PERCENT},
    {"ac1", FACET_AC1},
    {"ac2", FACET_AC2},
    {"pi", FACET_PI},
    {"pabak", FACET_PABAK},
    {"kappa-linear", FACET_KAPPA_LINEAR},
    {"kappa-quadratic", FACET_KAPPA_QUADRATIC},
    {"masi", FACET_MASI},
    {"jaccard", FACET_JACCARD},
    {"alpha", FACET_ALPHA},
    {"alpha-ordinal", FACET_ALPHA_ORDINAL},
    {"alpha-ratio", FACET_ALPHA_RATIO},
    {"icc", FACET_ICC},
};

enum {
    OF_NUMBERS = FACET_ALPHA | FACET_ALPHA_ORDINAL | FACET_ALPHA_RATIO | FACET_ICC,
    OF_SETS = FACET_KAPPA | FACET_PERCENT | FACET_AC1 | FACET_PI | FACET_PABAK | FACET_ALPHA,
    OF_CODES = OF_SETS | FACET_AC2 | FACET_KAPPA_LINEAR | FACET_KAPPA_QUADRATIC | FACET_ALPHA_ORDINAL,
    USUAL = FACET_KAPPA | FACET_PERCENT | FACET_AC1 | FACET_MASI
};

unsigned facet_measures_possible(enum facet_kind kind, size_t most)
{
    if (kind == FACET_NUMBER)
        return OF_NUMBERS;
    if (kind == FACET_TEXT)
        return 0;
    return most > 1 ? OF_SETS | FACET_MASI | FACET_JACCARD : OF_CODES;
}

unsigned facet_measures_usual(enum facet_kind kind, size_t most)
{
    unsigned possible = facet_measures_possible(kind, most);

    return kind == FACET_NUMBER ? FACET_ALPHA | FACET_ICC : possible & USUAL;
}

unsigned facet_measure_find(struct span word)
{
    for (size_t i = 0; i < ARRAY_LEN(measure_names); i++)
        if (span_eq(word, span_of(measure_names[i].name)))
            return measure_names[i].measure;
    return 0;
}

bool facet_measures_read(const struct facet *facet, struct span words, unsigned *measures)
{
    struct span rest = span_trim(words), word;

    *measures = rest.len == 0 ? facet_measures_usual(facet->kind, facet->most) : 0;
    while (span_cut(&rest, ' ', &word)) {
        unsigned measure = facet_measure_find(word);
        if (word.len == 0)
            continue;
        if ((facet_measures_possible(facet->kind, facet->most) & measure) == 0)
            return false;
        *measures |= measure;
    }
    return true;
}

void facet_measures_add(unsigned measures, struct buf *out)
{
    const char *before = "";

    for (size_t i = 0; i < ARRAY_LEN(measure_names); i++)
        if ((measures & measure_names[i].measure) != 0) {
            buf_addf(out, "%s%s", before, measure_names[i].name);
            before = " ";
        }
}

/* --- names --- */

void facet_add_underscored(struct span name, struct buf *out)
{
    for (size_t i = 0; i < name.len; i++)
        buf_add_char(out, is_gap(name.ptr[i]) ? '_' : name.ptr[i]);
}

void facet_column(const struct facet *facet, size_t place, struct buf *out)
{
    if (facet->kind == FACET_YES_NO) {
        buf_add_text(out, "is_");
        facet_add_underscored(facet->option, out);
        return;
    }
    facet_add_underscored(facet->name, out);
    if (facet->most > 1)
        buf_addf(out, "%zu", place + 1);
}

void facet_role(const struct facets *f, const struct facet *facet, struct buf *out)
{
    struct span role = facet->name, list = {0};

    if (facet->list != SIZE_MAX)
        list = f->lists[facet->list];
    if (list.len > 0 && role.len > list.len + 1 && role.ptr[role.len - list.len - 1] == ' ' &&
        span_eq((struct span){role.ptr + role.len - list.len, list.len}, list))
        role.len -= list.len + 1;
    buf_add_span(out, role);
}

static void add_name(struct buf *out, struct span name, size_t i, size_t n, const char *last)
{
    if (i > 0)
        buf_add_text(out, i + 1 == n ? last : ", ");
    buf_add_span(out, name);
}

void facets_add_names(const struct facets *f, const char *last, struct buf *out)
{
    for (size_t i = 0; i < f->n; i++)
        add_name(out, f->items[i].name, i, f->n, last);
}

void facets_add_lists(const struct facets *f, const char *last, struct buf *out)
{
    for (size_t i = 0; i < f->n_lists; i++)
        add_name(out, f->lists[i], i, f->n_lists, last);
}

/* --- facets.csv --- */

static enum status MUST_USE wrong(const struct loader *l, const char *what, struct span text)
{
    return err_set(l->e, ST_INPUT, "%s:%zu: '%.*s': %s", l->csv.name, l->csv.line, text.len < 100 ? (int)text.len : 100,
                   text.len > 0 ? text.ptr : "", what);
}

static struct span cell(const struct loader *l, size_t column)
{
    return csv_cell(&l->csv, column);
}

static enum status MUST_USE read_choice(const struct loader *l, size_t column, const char *const *choices,
                                        size_t *choice)
{
    struct span text = cell(l, column);

    for (*choice = 0; choices[*choice] != NULL; ++*choice)
        if (span_eq(text, span_of(choices[*choice])))
            return ST_OK;
    return err_set(l->e, ST_INPUT, "%s:%zu: %s '%.*s': expected one of those that the manual lists", l->csv.name,
                   l->csv.line, column_names[column], text.len < 100 ? (int)text.len : 100,
                   text.len > 0 ? text.ptr : "");
}

static enum status MUST_USE read_number(const struct loader *l, size_t column, size_t otherwise, size_t *number)
{
    struct span text = cell(l, column);
    uint64_t value = otherwise;

    if (text.len > 0 && !span_u64(text, FACETS_MAX, &value))
        return wrong(l, "expected a small number", text);
    *number = (size_t)value;
    return ST_OK;
}

/* `text`, or where that is empty `otherwise` with every `from` as `to`, and with `end` appended. */
static struct span text_or(struct loader *l, struct span text, struct span otherwise, char from, char to,
                           const char *end)
{
    AT_END(buf_clear) struct buf made = {0};

    if (text.len > 0)
        return arena_copy(&l->arena, text);
    for (size_t i = 0; i < otherwise.len; i++)
        buf_add_char(&made, otherwise.ptr[i] == from ? to : otherwise.ptr[i]);
    buf_add_text(&made, end);
    return arena_copy(&l->arena, buf_span(&made));
}

/* "single" and "multiple" are codes, of which one decision gives one or several. */
static enum status MUST_USE read_kind(const struct loader *l, struct facet *facet)
{
    size_t kind = FACET_CODES;
    bool single = span_eq(cell(l, KIND), SPAN("single"));
    bool multiple = span_eq(cell(l, KIND), SPAN("multiple"));
    enum status status = single || multiple ? ST_OK : read_choice(l, KIND, facet_kind_names, &kind);

    facet->kind = (enum facet_kind)kind;
    THEN(status, read_number(l, MOST, multiple ? FACET_CODES_MAX : 1, &facet->most));
    if (status == ST_OK && (single ? facet->most != 1 : multiple && facet->most < 2))
        return wrong(l, "single has 1 as most, and multiple 2 to 9", cell(l, MOST));
    if (status == ST_OK && !facet_measures_read(facet, cell(l, AGREEMENT), &facet->measures))
        return wrong(l,
                     "expected kappa, percent, ac1, pi, pabak, alpha; of one code also ac2,"
                     " kappa-linear, kappa-quadratic, alpha-ordinal; of several masi, jaccard; of"
                     " numbers alpha, alpha-ordinal, alpha-ratio, icc; of texts nothing",
                     cell(l, AGREEMENT));
    return status;
}

/* min and max, as numbers are kept. */
static enum status MUST_USE read_range(struct loader *l, struct facet *facet)
{
    static const size_t columns[] = {MIN, MAX};
    struct span *ends[] = {&facet->least, &facet->greatest};

    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        struct span text = cell(l, columns[i]);
        AT_END(buf_clear) struct buf kept = {0};
        bool fine = text.len == 0 || (facet->kind == FACET_NUMBER && facet_number_read(text, &kept));
        *ends[i] = arena_copy(&l->arena, buf_span(&kept));
        if (!fine)
            return wrong(l, "min and max are numbers such as 0 or 99.5, of a facet of the kind number", text);
    }
    if (facet->least.len > 0 && facet->greatest.len > 0 && facet_number(facet->least) > facet_number(facet->greatest))
        return wrong(l, "min is greater than max", cell(l, MIN));
    return ST_OK;
}

/* The plural ending of a singular noun, in place of the letter that it loses. A yes/no question is often no noun. */
static const char *plural_end(struct span *noun)
{
    char last = noun->len > 1 ? noun->ptr[noun->len - 1] : '\0';
    char before = noun->len > 1 ? noun->ptr[noun->len - 2] : '\0';

    if (last == 'y' && strchr("aeiou", before) == NULL) {
        noun->len--;
        return "ies";
    }
    if (last == 'x' || (last == 'h' && (before == 'c' || before == 's')))
        return "es";
    return last != 's' ? "s" : before == 's' ? "es" : "";
}

static enum status MUST_USE read_facet(struct loader *l)
{
    static const char *const yes_no[] = {"no", "yes", "", NULL};
    size_t about, required, benchmark;
    struct facet facet = {.name = arena_copy(&l->arena, cell(l, FACET))};
    struct span list = {0};
    enum status status = read_choice(l, ABOUT, facet_about_names, &about);

    THEN(status, read_kind(l, &facet));
    THEN(status, read_choice(l, REQUIRED, yes_no, &required));
    THEN(status, read_choice(l, BENCHMARK, facet_benchmark_names, &benchmark));
    THEN(status, read_number(l, PROBLEM_PLACE, 0, &facet.problem_place));
    THEN(status, read_range(l, &facet));
    if (status != ST_OK)
        return status;
    facet.about = (enum facet_about)about;
    facet.required = required != 0;
    facet.benchmark = (enum facet_benchmark)benchmark;
    facet.title = text_or(l, cell(l, TITLE), facet.name, '\0', '\0', "");
    struct span noun = facet.title;
    const char *end = facet.kind == FACET_YES_NO ? "" : plural_end(&noun);
    facet.plural = text_or(l, cell(l, PLURAL), noun, '\0', '\0', end);
    facet.option = text_or(l, cell(l, OPTION), facet.name, ' ', '-', "");
    facet.asks = arena_copy(&l->arena, cell(l, ASKS));
    if (facet_is_written(&facet))
        list = facet.name;
    if (facet.kind == FACET_CODES)
        list = text_or(l, cell(l, CODES), facet.name, '\0', '\0', "");
    array_add(&l->items, facet);
    array_add(&l->lists, list);
    const char *fault = fault_of(l->items.at, l->items.n - 1, l->lists.at);
    if (l->items.n > FACETS_MAX)
        fault = "too many facets";
    return fault == NULL ? ST_OK : wrong(l, fault, facet.name);
}

enum status facets_of_study(struct facets *out, const struct study *s, struct err *e)
{
    struct loader l = {.e = e};
    struct span content = study_file(s, "facets.csv");
    AT_END(study_clear) struct study embedded = {0};
    enum status status = ST_OK;

    *out = (struct facets){0};
    if (content.ptr == NULL) {
        status = study_load(&embedded, NULL, e);
        content = study_file(&embedded, "facets.csv");
    }
    csv_open_verbatim(&l.csv, content, "facets.csv");
    /* Any columns, in any order; these must be there. */
    l.csv.may_lack = ~(1U << FACET | 1U << ABOUT | 1U << KIND);
    while (csv_walk(&l.csv, column_names, COLUMNS, &status, e))
        status = read_facet(&l);
    if (status == ST_OK && l.items.n == 0)
        status = err_set(e, ST_INPUT, "facets.csv: no facet in it");
    THEN(status, facets_make(out, l.items.at, l.lists.at, l.items.n, e));
    array_clear(&l.items);
    array_clear(&l.lists);
    arena_clear(&l.arena);
    /* Which facets a model may code as one of two. */
    for (struct span rest = s->model_codes, name; status == ST_OK && rest.len > 0 && span_cut(&rest, ',', &name);) {
        size_t place = facets_find(out, span_trim(name));
        if (place == out->n)
            return err_set(e, ST_INPUT, "study.ini: model_codes: the study has no facet '%.*s'",
                           SPAN_ARG(span_trim(name)));
        out->items[place].model_codes = true;
    }
    return status;
}
