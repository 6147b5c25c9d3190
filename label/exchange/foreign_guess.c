/* foreign_guess: what the columns of somebody else's tables seem to be, and a study folder that says so. */
#include "label/exchange/foreign_guess.h"
#include "label/label.h"

#include "base/csv.h"
#include "base/log.h"
#include "base/maps.h"

#include <unicase.h>

enum { CODES_MAX = 150, OPEN_CODES_MAX = 1000, CODE_LENGTH_MAX = 80, CODE_LONGEST = 150, LOOK_AT = 400 };

static bool is_number(struct span s)
{
    size_t digits = 0;

    for (size_t i = 0; i < s.len; i++) {
        digits += s.ptr[i] >= '0' && s.ptr[i] <= '9';
        if (!(s.ptr[i] >= '0' && s.ptr[i] <= '9') && strchr("#.,-+%eE", s.ptr[i]) == NULL)
            return false;
    }
    return digits > 0;
}

static bool is_date(struct span s)
{
    return s.len >= 10 && s.len <= 40 && s.ptr[4] == '-' && s.ptr[7] == '-' && is_number((struct span){s.ptr, 4});
}

static bool is_link(struct span s)
{
    return span_starts(s, SPAN("http://")) || span_starts(s, SPAN("https://"));
}

struct span foreign_folded(struct arena *arena, struct span s)
{
    size_t i = 0;

    while (i < s.len && (unsigned char)s.ptr[i] < 0x80)
        i++;
    if (i < s.len) { /* other letters in lower case and in one form, as they may be typed in several */
        size_t len = 0;
        uint8_t *letters = u8_casefold((const uint8_t *)s.ptr, s.len, NULL, UNINORM_NFC, NULL, &len);
        s = letters != NULL ? arena_copy(arena, (struct span){(char *)letters, len}) : s;
        mem_free(letters); /* libunistring's memory is the C library's, as mem's is */
    }
    return span_folded(arena, s);
}

/* --- heads --- */

static size_t filled(const struct foreign_table *t, size_t row)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n_columns; i++)
        n += foreign_cell(t, row, i).len > 0;
    return n;
}

/* Names of columns are neither numbers, links nor dates, and do not come again below. */
static bool is_heads(const struct foreign_table *t, size_t row)
{
    size_t again = 0, n = filled(t, row);

    for (size_t i = 0; i < t->n_columns; i++) {
        struct span cell = foreign_cell(t, row, i);
        if (cell.len > 120 || is_link(cell) || is_number(cell) || is_date(cell))
            return false;
        for (size_t j = row + 1; j < t->n_rows && j < LOOK_AT && cell.len > 0; j++)
            if (span_eq(cell, foreign_cell(t, j, i))) {
                again++;
                break;
            }
    }
    return n > 0 && again * 3 < n;
}

/* --- columns --- */

static bool is_label(const struct column *c)
{
    return c->role == LABEL || c->role == YES_NO;
}

static const char about_item[] = "status state user agent author created closed merged repo project branch version"
                                 " score file tags document datasource datasouce framework model language linenum"
                                 " patchnum collection";
/* Of these, few values that come again and again are labels. */
static const char about_text[] = "body title comment answer message snippet command text";
static const char about_label[] = "label class code categor rating symptom cause type stage pattern related tbdf";

/* Text cells that are marks: "x", "X". */
static bool is_mark(struct span s)
{
    return s.len == 1 && (s.ptr[0] | 32) == 'x';
}

static const char cutters[] = ",;/|\n";

/* How many parts of the cells with the character recur: most parts are values too, or there are fewer different parts
 * than cells, unlike in names with a comma. 0: it separates nothing. */
static size_t cuts(const struct text_numbers *values, char by)
{
    AT_END(text_numbers_clear) struct text_numbers distinct = {0};
    size_t parts = 0, known = 0, cells = 0;

    for (size_t i = 0; i < values->n; i++) {
        struct span rest = values->at[i].key, one;
        if (memchr(rest.ptr, by, rest.len) == NULL)
            continue;
        cells++;
        while (span_cut(&rest, by, &one)) {
            one = span_trim(one);
            parts++;
            known += text_numbers_has(values, one);
            (void)text_numbers_add(&distinct, one, NULL);
        }
    }
    bool few = cells >= 4 && distinct.n * 3 <= cells * 2 && distinct.n <= CODES_MAX;
    return few ? parts : parts >= 2 && known * 10 >= parts * 6 ? known : 0;
}

/* The character between the codes of a cell; NUL: a cell is one code. */
static char cut_by(const struct text_numbers *values)
{
    size_t most = 0;
    char by = '\0';

    for (const char *c = cutters; *c != '\0'; c++) {
        size_t n = cuts(values, *c);
        by = n > most ? *c : by;
        most = n > most ? n : most;
    }
    return by;
}

static void decide(struct column *c, size_t n_rows)
{
    size_t longest = 0, links = 0, numbers = 0, dates = 0, length = 0, yes_no = 0, distinct = c->values.n;
    bool yes;

    for (size_t i = 0; i < c->values.n; i++) {
        struct span value = c->values.at[i].key;
        size_t n = c->values.at[i].value;
        links += is_link(value) ? n : 0;
        numbers += is_number(value) ? n : 0;
        dates += is_date(value) ? n : 0;
        yes_no += facet_yes_no(',', value, &yes) || is_mark(value) ? n : 0;
        length += value.len * n;
        longest = value.len > longest ? value.len : longest;
    }
    /* codes of open coding are many */
    bool open = c->says_label && c->lists * 2 > c->n && distinct <= OPEN_CODES_MAX && longest <= CODE_LONGEST;
    c->numeric = numbers * 2 > c->n;
    if (c->n == 0)
        c->why_not = "empty";
    else if (links * 2 > c->n)
        c->role = LINK;
    else if (dates * 10 > c->n * 9)
        c->role = DATE;
    else if (!open && (length > c->n * CODE_LENGTH_MAX || (longest > CODE_LONGEST && dates + links == 0)))
        c->why_not = "texts";
    else if (!c->says_label && (span_has_word(c->folded, about_item) ||
                                ((c->numeric ? distinct > 2 : distinct > 30 || distinct * 5 > c->n) &&
                                 span_has_word(c->folded, about_text))))
        c->why_not = "it is about the item, and not a label of coders";
    else if (numbers * 10 > c->n * 9 && distinct * 2 > c->n && c->n * 10 > n_rows * 9)
        c->role = NUMBER;
    else if (yes_no == c->n && (distinct > 1 || c->n < n_rows) && (numbers == 0 || distinct <= 2))
        c->role = YES_NO;
    else if (numbers * 10 > c->n * 9 && !(distinct <= 12 && c->says_label))
        c->why_not = "numbers";
    else if (distinct < 2)
        c->why_not = "the same in all rows";
    else if (!open && (distinct > CODES_MAX || (c->n >= 10 && distinct * 2 > c->n)) && cut_by(&c->values) == '\0')
        c->why_not = "nearly every row has its own value";
    else if (c->n * 20 < n_rows)
        c->why_not = "filled in fewer than 1 of 20 rows";
    else
        c->role = LABEL;
}

/* What a post is made of, as mapping.ini calls it, and the likeliest names of its column, small, the first one first. */
static const struct {
    enum role role;
    const char *key, *names[8];
} of_post[] = {
    {TITLE, "title", {"title", "issuetitle", "prtitle", "posttitle", "questiontitle", "subject", "summary"}},
    {TEXT, "text", {"body", "bodytext", "fullbody", "text", "commentbody", "description", "message", "comment"}},
    {TAGS, "tags", {"tags", "labels"}},
    {AUTHOR, "author", {"author", "user", "username", "login", "owner"}},
};

static void find_post_columns(struct looked *l)
{
    size_t texts = 0;

    for (size_t what = 0; what < ARRAY_LEN(of_post); what++) {
        bool found = false;
        for (size_t i = 0; i < ARRAY_LEN(of_post[what].names) && of_post[what].names[i] != NULL; i++)
            for (size_t j = 0; j < l->columns.n && !found; j++) {
                struct column *c = &l->columns.at[j];
                found = c->role == NOTHING && c->n > 0 && !c->numeric &&
                        span_eq(c->folded, span_of(of_post[what].names[i]));
                c->role = found ? of_post[what].role : c->role;
            }
    }

    /* "Labels" beside title and text are those of the tracker. */
    for (size_t i = 0; i < l->columns.n; i++)
        texts += l->columns.at[i].role == TITLE || l->columns.at[i].role == TEXT || l->columns.at[i].role == TAGS;
    for (size_t i = 0; i < l->columns.n; i++)
        if (texts == 2 && l->columns.at[i].role == LABEL && span_eq(l->columns.at[i].folded, SPAN("labels")))
            l->columns.at[i].role = TAGS;
}

/* Where nothing else is a label, whole numbers of which a few come again and again are codes that a list elsewhere names. */
static void take_numbers(struct guess *g, struct looked *l)
{
    size_t labels = 0, n = 0;

    for (size_t i = 0; i < l->columns.n; i++)
        labels += is_label(&l->columns.at[i]);
    for (size_t i = 0; i < l->columns.n && labels == 0; i++) {
        struct column *c = &l->columns.at[i];
        bool whole = c->role == NOTHING && c->numeric && c->n >= 10 && c->values.n > 1 && c->values.n * 2 <= c->n &&
                     c->values.n <= 60 && !span_has_word(c->folded, about_item);
        for (size_t k = 0; k < c->values.n && whole; k++)
            for (size_t j = 0; j < c->values.at[k].key.len; j++)
                whole &= c->values.at[k].key.ptr[j] >= '0' && c->values.at[k].key.ptr[j] <= '9';
        if (!whole)
            continue;
        c->role = LABEL;
        if (n++ == 0)
            buf_addf(&g->doubts, "%.*s: numbers are taken for codes:", SPAN_ARG(l->table->name));
        buf_addf(&g->doubts, "%s '%.*s'", n > 1 ? "," : "", SPAN_ARG(c->head));
    }
    if (n > 0)
        buf_add_char(&g->doubts, '\n');
}

/* "Total", "sum of all": a row that would count others again. */
static bool is_total(const struct foreign_table *t, size_t row)
{
    AT_END(arena_clear) struct arena arena = {0};
    size_t i = 0;

    while (i + 1 < t->n_columns && foreign_cell(t, row, i).len == 0)
        i++;
    return span_is_word(foreign_folded(&arena, foreign_cell(t, row, i)), "total sum subtotal grandtotal");
}

/* Counts the parts of a cell, `times` each; how many there are. */
static size_t add_parts(struct foreign_parts parts, struct text_numbers *to, size_t times)
{
    struct text_numbers_entry *entry;
    struct span one;
    size_t n = 0;

    for (; foreign_part(&parts, &one); n++) {
        (void)text_numbers_add(to, one, &entry);
        entry->value += times;
    }
    return n;
}

static void look_at_column(struct guess *g, struct looked *l, size_t place, size_t n_rows)
{
    struct column *c = &l->columns.at[place];
    AT_END(buf_clear) struct buf head = {0};

    foreign_head(l->table, l->heads, place, &head);
    c->head = span_trim(arena_copy(&g->arena, buf_span(&head)));
    c->folded = foreign_folded(&g->arena, c->head);
    c->says_label = span_has_word(c->folded, about_label);
    for (size_t row = l->heads; row < l->table->n_rows; row++) {
        struct span cell = foreign_cell(l->table, row, place);
        if (cell.len == 0 || l->totals[row])
            continue;
        c->n++;
        c->last = row;
        struct foreign_parts parts = foreign_parts(cell, SPAN("list"));
        c->lists += parts.is_list;
        if (!parts.is_list) /* of a list the values come again, and not the cell */
            parts.by = '\0';
        size_t n = add_parts(parts, &c->values, 1);
        c->most = n > c->most ? n : c->most;
    }
    decide(c, n_rows);
    c->by = c->role == LABEL ? cut_by(&c->values) : '\0';
}

/* A block of columns with something in them, from *from on: where it ends, the most cells of one, and the last row. */
static size_t block_end(const struct looked *l, size_t from, size_t *greatest, size_t *last)
{
    size_t to = from;

    for (*greatest = *last = 0; to < l->columns.n && l->columns.at[to].n > 0; to++) {
        *greatest = l->columns.at[to].n > *greatest ? l->columns.at[to].n : *greatest;
        *last = l->columns.at[to].last > *last ? l->columns.at[to].last : *last;
    }
    return to;
}

/* Leaves out columns beside the data, after an empty one: pivots and sums, which have other rows. Marks in some rows go
 * all the way down. */
static void leave_blocks(struct looked *l)
{
    size_t best = 0, most = 0, n = l->columns.n, greatest, last;

    for (size_t from = 0, to; from < n; from = to + 1) {
        to = block_end(l, from, &greatest, &last);
        best = greatest > most ? from : best;
        most = greatest > most ? greatest : most;
    }
    for (size_t from = 0, to; from < n; from = to + 1) {
        to = block_end(l, from, &greatest, &last);
        bool beside = from != best && greatest * 2 < most && (last - l->heads) * 3 < (l->table->n_rows - l->heads) * 2;
        for (size_t i = from; i < to && beside; i++) {
            l->columns.at[i].role = NOTHING;
            l->columns.at[i].why_not = "beside the data: another table, such as a pivot";
        }
    }
}

struct span foreign_facet_name(struct arena *arena, struct span head)
{
    static const char taken[] = "all code coder error facet format note post reason single title url take by as";
    AT_END(buf_clear) struct buf name = {0};

    for (size_t i = 0; i < head.len && name.len < 40; i++) {
        char c = ascii_lower(head.ptr[i]);
        if (c >= 'a' && c <= 'z' && i > 0 && head.ptr[i] < 'a' && head.ptr[i - 1] >= 'a' && head.ptr[i - 1] <= 'z')
            buf_add_char(&name, ' '); /* rootCause */
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9' && name.len > 0))
            buf_add_char(&name, c);
        else if (name.len > 0 && name.ptr[name.len - 1] != ' ')
            buf_add_char(&name, ' ');
    }
    struct span s = span_trim(buf_span(&name));
    if (s.len == 0 || span_is_word(s, taken)) {
        buf_add_text(&name, s.len == 0 ? "label" : " label");
        s = span_trim(buf_span(&name));
    }
    return arena_copy(arena, s);
}

/* How surely such a column has ids of items; 0: nothing says so. */
static size_t names_ids(const struct column *c)
{
    static const char *const names[] = {"issueid", "number", "postid", "prid", "bugid", "id"};
    size_t score = 0;

    for (size_t j = 0; j < ARRAY_LEN(names); j++)
        if (span_eq(c->folded, span_of(names[j])) || (span_has(c->folded, names[j]) && names[j][2] != '\0'))
            score = score == 0 ? 8 - j : score;
    return score;
}

/* The first link that differs from row to row, else a column of numbers, best one with such a name. */
static void find_link(struct looked *l)
{
    size_t best = 0;

    l->link = l->columns.n;
    for (size_t i = 0; i < l->columns.n; i++) {
        const struct column *c = &l->columns.at[i];
        struct span site;
        int64_t number;
        size_t score = 0;
        AT_END(arena_clear) struct arena scratch = {0};
        if (c->role == LINK && c->n * 10 > (l->table->n_rows - l->heads) * 5 &&
            foreign_link(&scratch, c->values.at[c->values.n / 2].key, &site, &number))
            score = 10 + c->values.n * 10 / (c->n + 1);
        score = score == 0 && c->role == NUMBER ? names_ids(c) : score;
        if (score > best) {
            best = score;
            l->link = i;
        }
    }
}

/* Where several raters have a row each for an item, its id comes again in each of them, as a code does. */
static void find_repeated_link(struct guess *g, struct looked *l)
{
    static const char items[] = "item document instance sample sentence question post issue";

    for (size_t i = 0; i < l->columns.n && l->link == l->columns.n; i++) {
        struct column *c = &l->columns.at[i];
        bool is_key = span_ends(c->folded, SPAN("id")) || span_is_word(c->folded, items);
        if ((names_ids(c) == 0 && !is_key) || c->n * 10 <= (l->table->n_rows - l->heads) * 9 ||
            foreign_row_rater(g, l, i) == l->columns.n)
            continue;
        if (!c->numeric) {
            buf_addf(&g->doubts,
                     "%.*s: each row is taken for another item, since '%.*s' has neither numbers nor links\n",
                     SPAN_ARG(l->table->name), SPAN_ARG(c->head));
            return;
        }
        l->link = i;
        c->role = NUMBER;
        c->why_not = NULL;
    }
}

/* mapping.ini cannot say which of two columns with the same head it means. */
static void leave_twins(struct guess *g, struct looked *l)
{
    AT_END(text_numbers_clear) struct text_numbers heads = {0};

    for (size_t i = 0; i < l->columns.n; i++) {
        struct column *c = &l->columns.at[i];
        if (c->n == 0 || text_numbers_add(&heads, c->head, NULL))
            continue;
        c->role = NOTHING;
        c->why_not = "a column before it has the same head";
        buf_addf(&g->doubts,
                 "%.*s: of the columns with the head '%.*s' the first is taken: give them heads that differ\n",
                 SPAN_ARG(l->table->name), SPAN_ARG(c->head));
    }
}

/* One link and one date are taken. */
static void leave_others(struct looked *l)
{
    bool dated = false;

    for (size_t i = 0; i < l->columns.n; i++) {
        struct column *c = &l->columns.at[i];
        bool other = c->role == DATE ? dated : (c->role == LINK || c->role == NUMBER) && i != l->link;
        dated |= c->role == DATE;
        if (other)
            c->why_not = c->role == DATE ? "another date" : c->role == LINK ? "another link" : "numbers";
        c->role = other ? NOTHING : c->role;
    }
}

/* Sums and other tables below the data come after a blank row, and lack what each row of data has. */
static void find_needs(struct looked *l)
{
    const struct foreign_table *t = l->table;

    l->needs = t->n_columns;
    for (size_t row = l->heads + 1; row < t->n_rows && l->needs == t->n_columns; row++) {
        size_t above = row - l->heads;
        if (t->lines.at[row] == t->lines.at[row - 1] + 1 || above * 4 < (t->n_rows - l->heads) * 3)
            continue;
        for (size_t i = 0; i < t->n_columns && l->needs == t->n_columns; i++) {
            size_t of_data = 0, below = 0;
            for (size_t j = l->heads; j < t->n_rows; j++)
                *(j < row ? &of_data : &below) += foreign_cell(t, j, i).len > 0;
            if (below == 0 && of_data * 10 >= above * 9)
                l->needs = i;
        }
    }
}

static bool is_facet_of_another(const struct looked *l, struct span name, struct span folded)
{
    for (size_t i = 0; i < l->columns.n; i++)
        if (span_eq(l->columns.at[i].facet, name) && !span_eq(l->columns.at[i].folded, folded))
            return true;
    return false;
}

/* Heads that differ are facets that differ, also where a name keeps nothing of them: in another script. */
static struct span facet_of_head(struct guess *g, const struct looked *l, const struct column *c)
{
    struct span base = foreign_facet_name(&g->arena, c->head), name = base;

    for (size_t n = 2;; n++) {
        bool taken = is_facet_of_another(l, name, c->folded);
        for (size_t i = 0; i < g->tables.n && !taken; i++)
            taken = is_facet_of_another(&g->tables.at[i], name, c->folded);
        if (!taken)
            return name;
        name = arena_addf(&g->arena, "%.*s %zu", SPAN_ARG(base), n);
    }
}

static void look_at(struct guess *g, const struct foreign_table *t)
{
    struct looked l = {.table = t};
    size_t n_rows = 0, numbers = 0;

    if (t->n_rows >= 2 && is_heads(t, 0))
        l.heads = t->n_rows > 3 && filled(t, 0) < filled(t, 1) && is_heads(t, 1) ? 2 : 1;
    l.totals = mem_zero(t->n_rows + 1, sizeof *l.totals);
    find_needs(&l);
    if (l.needs < t->n_columns)
        buf_addf(&g->doubts, "%.*s: rows below the data, without what each row of it has, are taken for sums\n",
                 SPAN_ARG(t->name));
    for (size_t row = l.heads; row < t->n_rows; row++) {
        l.totals[row] = is_total(t, row) || (l.needs < t->n_columns && foreign_cell(t, row, l.needs).len == 0);
        n_rows += !l.totals[row];
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        array_add(&l.columns, (struct column){0});
        look_at_column(g, &l, i, n_rows);
        numbers += l.columns.at[i].numeric;
    }
    mem_free(l.totals);
    leave_twins(g, &l);
    find_post_columns(&l);
    leave_blocks(&l);
    find_link(&l);
    find_repeated_link(g, &l);
    leave_others(&l);
    take_numbers(g, &l);
    foreign_find_row_rater(g, &l);
    for (size_t i = 0; i < l.columns.n; i++)
        if (is_label(&l.columns.at[i]))
            l.columns.at[i].facet = facet_of_head(g, &l, &l.columns.at[i]);
    foreign_find_raters(g, &l);
    if (t->n_rows <= l.heads)
        l.left_out = "has no rows";
    else if (l.heads == 0 && l.link == l.columns.n && t->n_rows < 20)
        l.left_out = "few rows, with neither heads nor a key";
    else if (l.link == l.columns.n && numbers >= 5 && t->n_rows - l.heads <= 2 * numbers &&
             numbers * 3 >= l.columns.n * 2)
        l.left_out = "a matrix of counts, such as of two raters' codes";
    array_add(&g->tables, l);
}

/* --- several tables --- */

static bool same_heads(const struct looked *a, const struct looked *b)
{
    size_t n = 0, of_a = 0, of_b = 0;

    for (size_t j = 0; j < b->columns.n; j++)
        of_b += b->columns.at[j].n > 0 && b->columns.at[j].role != NOTHING;
    for (size_t i = 0; i < a->columns.n; i++) {
        const struct column *c = &a->columns.at[i];
        bool found = c->role == NOTHING;
        of_a += c->n > 0 && c->role != NOTHING;
        for (size_t j = 0; j < b->columns.n && !found; j++)
            n += found = b->columns.at[j].role != NOTHING && span_eq(c->folded, b->columns.at[j].folded);
    }
    return n > 0 && n * 5 >= of_a * 4 && n * 5 >= of_b * 4;
}

/* Of 100 items of the smaller, those that are in the larger. */
static size_t same_items(const struct looked *a, const struct looked *b)
{
    const struct looked *small = a->table->n_rows <= b->table->n_rows ? a : b, *large = small == a ? b : a;

    if (a->link == a->columns.n || b->link == b->columns.n)
        return 0;
    const struct column *s = &small->columns.at[small->link], *l = &large->columns.at[large->link];
    size_t n = 0;
    for (size_t i = 0; i < s->values.n; i++)
        n += text_numbers_has(&l->values, s->values.at[i].key);
    return s->values.n > 0 ? n * 100 / s->values.n : 0;
}

/* What tells one file's name from the other's: "A1" of "sample_A1.csv" and "sample_A2.csv"; empty: more than a word. */
static struct span own_part(struct span name, struct span other)
{
    size_t from = 0, to = 0;

    while (from < name.len && from < other.len && name.ptr[from] == other.ptr[from])
        from++;
    while (from > 0 && ((name.ptr[from - 1] | 32) >= 'a' && (name.ptr[from - 1] | 32) <= 'z'))
        from--;
    while (to < name.len - from && to < other.len && name.ptr[name.len - 1 - to] == other.ptr[other.len - 1 - to])
        to++;
    struct span part = {name.ptr + from, name.len - from - to};
    return part.len > 0 && part.len <= 20 && memchr(part.ptr, '#', part.len) == NULL ? part : SPAN("");
}

/* A table is what was agreed by its name. */
static bool is_agreed(struct guess *g, struct span part)
{
    struct span name = foreign_folded(&g->arena, part);

    return foreign_says_agreed(name) || span_eq(name, SPAN("merged"));
}

/* Rows of labels that differ: the second is no copy of the first. */
static bool labels_differ(const struct looked *a, const struct looked *b)
{
    for (size_t i = 0; i < a->columns.n; i++)
        for (size_t j = 0; j < b->columns.n && a->columns.at[i].facet.len > 0; j++)
            for (size_t row = 0; row < a->table->n_rows && span_eq(a->columns.at[i].folded, b->columns.at[j].folded);
                 row++)
                if (!span_eq(foreign_cell(a->table, row, i), foreign_cell(b->table, row, j)))
                    return true;
    return false;
}

static bool same_values(const struct column *a, const struct column *b)
{
    bool same = a->n == b->n && a->values.n == b->values.n;

    for (size_t i = 0; i < a->values.n && same; i++) {
        const struct text_numbers_entry *other = text_numbers_find(&b->values, a->values.at[i].key);
        same = other != NULL && other->value == a->values.at[i].value;
    }
    return same;
}

/* A table without heads and key whose labels another one has as often, in whatever order of rows. */
static bool is_extract(const struct looked *l, const struct looked *of)
{
    size_t labels = 0, there = 0;

    for (size_t i = 0; i < l->columns.n && l->heads == 0 && l->link == l->columns.n; i++) {
        bool found = false;
        labels += l->columns.at[i].facet.len > 0;
        for (size_t j = 0; j < of->columns.n && l->columns.at[i].facet.len > 0 && !found; j++)
            found = same_values(&l->columns.at[i], &of->columns.at[j]);
        there += found;
    }
    return labels > 0 && there == labels && l->table->n_rows >= 20;
}

static void compare_tables(struct guess *g, struct looked *a, struct looked *b)
{
    struct looked *extract = is_extract(a, b) ? a : is_extract(b, a) ? b : NULL;
    size_t same = same_items(a, b);
    struct span of_a = own_part(a->table->name, b->table->name), of_b = own_part(b->table->name, a->table->name);
    bool sheets = span_has(a->table->name, "#");

    if (extract != NULL) {
        extract->left_out = "its labels are in another table, and would count twice:";
        extract->of = (extract == a ? b : a)->table->name;
    }
    if (extract != NULL || !same_heads(a, b) || same < 90)
        return;
    if (of_a.len > 0 && of_b.len > 0 && a->table->n_rows == b->table->n_rows && (!sheets || labels_differ(a, b))) {
        bool a_agreed = is_agreed(g, of_a), b_agreed = is_agreed(g, of_b);
        a->coder = a->coder.ptr == NULL && !a_agreed ? of_a : a->coder;
        b->coder = b_agreed ? b->coder : of_b;
        if (a_agreed || b_agreed) {
            buf_addf(&g->doubts,
                     "%.*s has what was agreed, and %.*s what a rater said: so their names and columns say\n",
                     SPAN_ARG((a_agreed ? a : b)->table->name), SPAN_ARG((a_agreed ? b : a)->table->name));
            return;
        }
        buf_addf(&g->doubts,
                 "%.*s and %.*s have the same items and columns: taken for the files of raters %.*s and %.*s\n",
                 SPAN_ARG(a->table->name), SPAN_ARG(b->table->name), SPAN_ARG(a->coder), SPAN_ARG(of_b));
        return;
    }
    struct looked *small = a->table->n_rows < b->table->n_rows ? a : b, *large = small == a ? b : a;
    small->left_out = "its items are in another table, and would count twice:";
    small->of = large->table->name;
}

/* What is a label in one table is one in a smaller table, too, where few rows do not show it. */
static void learn_labels(struct looked *l, const struct looked *from)
{
    for (size_t i = 0; i < l->columns.n; i++)
        for (size_t j = 0; j < from->columns.n && l->columns.at[i].facet.len == 0; j++) {
            struct column *c = &l->columns.at[i];
            const struct column *other = &from->columns.at[j];
            if (c->n > 0 && c->role != LINK && other->facet.len > 0 && other->coder.ptr == NULL &&
                span_eq(c->folded, other->folded)) {
                c->role = other->role;
                c->facet = other->facet;
            }
        }
}

static void compare_all(struct guess *g)
{
    for (size_t i = 0; i < g->tables.n; i++) { /* a pivot on a sheet of its own has a count in each row */
        struct looked *l = &g->tables.at[i];
        size_t rows = l->table->n_rows - l->heads;
        bool beside = false, distinct = false, numbers = false;
        for (size_t j = 0; j < g->tables.n; j++)
            beside |= g->tables.at[j].link < g->tables.at[j].columns.n && g->tables.at[j].table->n_rows >= 5 * rows;
        for (size_t j = 0; j < l->columns.n; j++) {
            numbers |= l->columns.at[j].numeric;
            distinct |= l->columns.at[j].facet.len > 0 && l->columns.at[j].values.n == l->columns.at[j].n;
        }
        if (l->left_out == NULL && beside && l->link == l->columns.n && rows < 20 && numbers && distinct)
            l->left_out = "few rows with counts and without a key, beside a table of many";
    }
    for (size_t i = 0; i < g->tables.n; i++)
        for (size_t j = 0; j < g->tables.n; j++)
            if (i != j)
                foreign_learn_raters(g, &g->tables.at[i], &g->tables.at[j]);
    for (size_t i = 0; i < g->tables.n; i++) {
        size_t labels = 0;
        for (size_t j = 0; j < g->tables.n; j++)
            if (i != j)
                learn_labels(&g->tables.at[i], &g->tables.at[j]);
        for (size_t j = 0; j < g->tables.at[i].columns.n; j++)
            labels += g->tables.at[i].columns.at[j].facet.len > 0;
        if (labels == 0 && g->tables.at[i].left_out == NULL)
            g->tables.at[i].left_out = "nothing in it looks like labels";
    }
    for (size_t i = 0; i < g->tables.n; i++)
        for (size_t j = i + 1; j < g->tables.n; j++)
            if (g->tables.at[i].left_out == NULL && g->tables.at[j].left_out == NULL)
                compare_tables(g, &g->tables.at[i], &g->tables.at[j]);
    for (size_t i = 0; i < g->tables.n; i++) {
        struct looked *l = &g->tables.at[i];
        for (size_t j = 0; j < l->columns.n && l->coder.ptr != NULL; j++)
            if (is_label(&l->columns.at[j]))
                l->columns.at[j].coder = l->coder;
    }
}

static struct span file_of(struct span name)
{
    size_t sheet = span_find(name, SPAN("#"));

    return (struct span){name.ptr, sheet != SIZE_MAX ? sheet : name.len};
}

/* Another sheet of the file has the same texts in the same rows: one facet of them in each. */
static bool shares_items(const struct guess *g, const struct looked *l)
{
    bool shares = false;

    for (size_t i = 0; i < g->tables.n && !shares; i++) {
        const struct looked *other = &g->tables.at[i];
        size_t text = 0;
        while (text < l->columns.n && l->columns.at[text].role != TEXT && l->columns.at[text].role != TITLE)
            text++;
        if (other == l || other->table->n_rows != l->table->n_rows || text == l->columns.n ||
            !span_eq(file_of(l->table->name), file_of(other->table->name)))
            continue;
        shares = true;
        for (size_t row = l->heads; row < l->table->n_rows && shares; row++)
            shares = span_eq(foreign_cell(l->table, row, text), foreign_cell(other->table, row, text));
    }
    return shares;
}

/* Bare numbers need a site: that of the repository that a column names, else their own one. */
static void find_site(struct guess *g, struct looked *l)
{
    size_t i = 0;

    if (l->link < l->columns.n && l->columns.at[l->link].role == LINK)
        return;
    while (i < l->columns.n &&
           (l->link == l->columns.n || l->columns.at[i].n == 0 || l->columns.at[i].values.n >= CODES_MAX ||
            !span_has_word(l->columns.at[i].folded, "repo project framework")))
        i++;
    if (i < l->columns.n) {
        const char *of = span_has(l->columns.at[i].values.at[0].key, "/") ? "github.com" : "rows.local";
        l->site = arena_addf(&g->arena, "%s/{%.*s}", of, SPAN_ARG(l->columns.at[i].head));
    } else {
        struct span name = foreign_folded(&g->arena, shares_items(g, l) ? file_of(l->table->name) : l->table->name);
        l->site = arena_addf(&g->arena, "rows.local/%.*s", SPAN_ARG(name));
    }
}

/* --- facets and codes --- */

struct facet_found {
    struct span name, split;
    bool yes_no;
    size_t most;
    const char *hierarchy; /* what is between a parent and its child, or '[' of "[A.6] B"; NULL: none */
    size_t parent;         /* the facet whose codes are above these, by another column; SIZE_MAX: none */
    struct text_pairs above;
    struct text_numbers cells, codes; /* each with how often it is there */
};

struct facets_found ARRAY_OF(struct facet_found);

/* "A.6" of "[A.6] B"; len 0: it has none. */
static struct span id_of(struct span code)
{
    size_t close = span_find(code, SPAN("]"));

    return close == SIZE_MAX || close < 2 || close + 1 == code.len || code.ptr[0] != '['
               ? SPAN("")
               : (struct span){code.ptr + 1, close - 1};
}

static void find_facets(struct guess *g, struct facets_found *all)
{
    static const char *const between[] = {"[", " - ", "->", ": ", " > ", " ("};

    for (size_t i = 0; i < g->tables.n; i++)
        for (size_t j = 0; j < g->tables.at[i].columns.n && g->tables.at[i].left_out == NULL; j++) {
            const struct column *c = &g->tables.at[i].columns.at[j];
            if (c->facet.len == 0)
                continue;
            size_t place = array_find(all, name, c->facet);
            struct facet_found *f = place < all->n
                                        ? &all->at[place]
                                        : array_add(all, (struct facet_found){
                                                             .name = c->facet, .most = 1, .parent = SIZE_MAX});
            f->yes_no |= c->role == YES_NO;
            f->split = c->lists > 0 ? SPAN("list") : f->split;
            f->most = c->most > f->most ? (c->most > FACET_CODES_MAX ? FACET_CODES_MAX : c->most) : f->most;
            for (size_t k = 0; k < c->values.n; k++) {
                struct text_numbers_entry *entry;
                (void)text_numbers_add(&f->cells, c->values.at[k].key, &entry);
                entry->value += c->values.at[k].value;
            }
        }
    for (size_t i = 0; i < all->n; i++) {
        struct facet_found *f = &all->at[i];
        char by = f->yes_no || span_eq(f->split, SPAN("list")) ? '\0' : cut_by(&f->cells);
        if (by != '\0')
            f->split = by == ',' ? SPAN("comma") : by == '\n' ? SPAN("line") : (struct span){strchr(cutters, by), 1};
        for (size_t k = 0; k < f->cells.n; k++) {
            size_t n = add_parts(foreign_parts(f->cells.at[k].key, f->split), &f->codes, f->cells.at[k].value);
            f->most = n > f->most ? (n > FACET_CODES_MAX ? FACET_CODES_MAX : n) : f->most;
        }
        for (size_t k = 0; k < ARRAY_LEN(between) && f->hierarchy == NULL; k++) {
            size_t n = 0;
            for (size_t j = 0; j < f->codes.n; j++)
                n += k == 0 ? id_of(f->codes.at[j].key).len > 0 : span_has(f->codes.at[j].key, between[k]);
            f->hierarchy = n * 2 > f->codes.n ? between[k] : NULL;
        }
        text_numbers_clear(&f->cells);
    }
}

static int by_count(const void *a, const void *b)
{
    const struct text_numbers_entry *x = a, *y = b;

    return x->value != y->value ? (x->value < y->value) - (x->value > y->value) : span_order(x->key, y->key);
}

/* Which code of the facet `above` is in the rows of each code of `f`: one, but for slips. */
static bool find_above(struct guess *g, struct facet_found *f, const struct facet_found *above)
{
    size_t rows = 0, slips = 0;

    for (size_t i = 0; i < g->tables.n; i++) {
        const struct looked *l = &g->tables.at[i];
        size_t child = array_find(&l->columns, facet, f->name), parent = array_find(&l->columns, facet, above->name);
        for (size_t row = l->heads; row < l->table->n_rows && l->left_out == NULL; row++) {
            struct span code = foreign_cell(l->table, row, child), over = foreign_cell(l->table, row, parent);
            struct text_pairs_entry *entry;
            if (!text_numbers_has(&f->codes, code) || !text_numbers_has(&above->codes, over))
                continue;
            if (text_pairs_add(&f->above, code, &entry))
                entry->value = over;
            slips += !span_eq(foreign_folded(&g->arena, entry->value), foreign_folded(&g->arena, over));
            rows++;
        }
    }
    return rows > 0 && slips * 20 <= rows && f->above.n * 10 >= f->codes.n * 9;
}

/* A column "sub cause" beside "cause": the one is within the other, where the rows say so, too. */
static void find_parents(struct guess *g, struct facets_found *all)
{
    for (size_t i = 0; i < all->n; i++) {
        struct facet_found *f = &all->at[i];
        bool named = false; /* the name of another facet is in its own: "sub root cause" is within no "type" */
        for (size_t j = 0; j < all->n; j++)
            named |= j != i && !all->at[j].yes_no && span_find(f->name, all->at[j].name) != SIZE_MAX;
        for (size_t j = 0; j < all->n && f->parent == SIZE_MAX; j++) {
            const struct facet_found *above = &all->at[j];
            if (i == j || f->yes_no || above->yes_no || f->hierarchy != NULL || above->codes.n >= f->codes.n ||
                above->parent == i || !span_has_word(f->name, "sub leaf child low fine detail specific") ||
                span_has(above->name, "sub") || (named && span_find(f->name, above->name) == SIZE_MAX))
                continue;
            if (!find_above(g, f, above)) {
                text_pairs_clear(&f->above);
                continue;
            }
            f->parent = j;
            buf_addf(&g->doubts, "%.*s: taken for codes within those of %.*s, which are in the same rows\n",
                     SPAN_ARG(f->name), SPAN_ARG(above->name));
        }
    }
}

/* Where the code is: "A > B", of what its name, its id in brackets or another column says. */
static void add_category(const struct facets_found *all, const struct facet_found *f, struct span name, struct buf *out)
{
    const struct text_pairs_entry *above = text_pairs_find(&f->above, name);
    struct span between = span_of(f->hierarchy), rest = name, id = id_of(name);
    bool is_id = f->hierarchy != NULL && *f->hierarchy == '[';

    if (above != NULL) {
        add_category(all, &all->at[f->parent], above->value, out);
        buf_addf(out, "%s%.*s", out->len > 0 ? CATEGORY_BETWEEN : "", SPAN_ARG(above->value));
    } else if (is_id) {
        for (size_t i = 0; i < id.len; i++)
            if (id.ptr[i] == '.')
                buf_addf(out, "%s%.*s", out->len > 0 ? CATEGORY_BETWEEN : "", (int)i, id.ptr);
        if (out->len == 0)
            buf_add_span(out, id.len > 0 ? id : name);
    } else if (f->hierarchy != NULL) {
        size_t at = span_find(rest, between);
        for (bool first = true; at != SIZE_MAX || first; at = span_find(rest, between)) {
            struct span part = span_trim((struct span){rest.ptr, at != SIZE_MAX ? at : rest.len});
            buf_addf(out, "%s%.*s", first ? "" : CATEGORY_BETWEEN, SPAN_ARG(part));
            first = false;
            if (at == SIZE_MAX || between.ptr[1] == '(') /* what is in brackets is not a path */
                break;
            rest = span_after(rest, at + between.len);
        }
    }
}

/* A cell with line breaks, in a message of one line. */
static struct span one_line(struct guess *g, struct span s)
{
    char *text = arena_text(&g->arena, s);

    for (char *p = text; *p != '\0'; p++)
        *p = *p == '\n' || *p == '\r' ? ' ' : *p;
    return span_of(text);
}

void foreign_add_cells(struct buf *csv, const struct span *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        buf_add_csv_raw(csv, cells[i]);
        buf_add_char(csv, i + 1 < n ? ',' : '\n');
    }
}

/* The codes of a facet, the commonest first; spellings that differ in case, blanks and signs are aliases of it. */
static void add_codes(struct guess *g, const struct facets_found *all, struct facet_found *f, struct buf *codebook)
{
    AT_END(array_end) struct ARRAY_OF(struct text_numbers_entry) codes = {0};
    AT_END(mem_end) struct span *folds = mem_zero(f->codes.n + 1, sizeof *folds);

    for (size_t i = 0; i < f->codes.n; i++)
        array_add(&codes, f->codes.at[i]);
    array_sort(&codes, by_count);
    for (size_t i = 0; i < codes.n; i++)
        folds[i] = foreign_folded(&g->arena, codes.at[i].key);
    for (size_t i = 0; i < codes.n; i++) {
        struct span name = codes.at[i].key;
        bool is_alias = false;
        AT_END(buf_clear) struct buf aliases = {0}, category = {0};
        for (size_t j = 0; j < i && !is_alias; j++)
            is_alias = folds[i].len > 0 && span_eq(folds[i], folds[j]);
        if (is_alias)
            continue;
        for (size_t j = i + 1; j < codes.n; j++)
            if (folds[i].len > 0 && span_eq(folds[i], folds[j])) {
                if (memchr(codes.at[j].key.ptr, ';', codes.at[j].key.len) == NULL) /* parts aliases */
                    buf_addf(&aliases, "%s%.*s", aliases.len > 0 ? ";" : "", SPAN_ARG(codes.at[j].key));
                buf_addf(&g->doubts, "%.*s: '%.*s' (%zu) is taken for a spelling of '%.*s' (%zu)\n", SPAN_ARG(f->name),
                         SPAN_ARG(one_line(g, codes.at[j].key)), codes.at[j].value, SPAN_ARG(one_line(g, name)),
                         codes.at[i].value);
            }
        if (span_is_word(name, "- -- ? ?? n/a N/A NA nan NaN none None null"))
            buf_addf(&g->doubts, "%.*s: '%.*s' (%zu) is a code, unless a line `blank` of mapping.ini names it\n",
                     SPAN_ARG(f->name), SPAN_ARG(name), codes.at[i].value);
        if (name.len > 1 && name.ptr[name.len - 1] == '?')
            buf_addf(&g->doubts, "%.*s: '%.*s' (%zu): a coder in doubt? It is its own code\n", SPAN_ARG(f->name),
                     SPAN_ARG(name), codes.at[i].value);
        add_category(all, f, name, &category);
        const struct span cells[] = {f->name, buf_span(&category), name, {0}, {0}, buf_span(&aliases)};
        foreign_add_cells(codebook, cells, ARRAY_LEN(cells));
    }
}

/* --- the folder --- */

/* The one word that says yes in a column of what was agreed, beside the marks of raters. */
static void add_yes(struct guess *g, const struct looked *l, struct buf *out)
{
    bool any = false, unmarked = false;

    for (size_t i = 0; i < l->columns.n; i++) {
        const struct column *c = &l->columns.at[i];
        bool yes, marks = c->role == YES_NO && c->facet.len > 0;
        for (size_t j = 0; j < c->values.n && marks; j++)
            marks = is_mark(c->values.at[j].key) || !facet_yes_no(',', c->values.at[j].key, &yes) || yes;
        unmarked |= marks;
        if (c->role != YES_NO || c->values.n != 1 || facet_yes_no(',', c->values.at[0].key, &yes) ||
            is_mark(c->values.at[0].key))
            continue;
        buf_addf(out, "%s%.*s", any ? ", " : "yes = x, ", SPAN_ARG(c->values.at[0].key));
        any = true;
    }
    buf_add_text(out, any ? "\n" : "");
    if (!unmarked) /* something there says no */
        return;
    buf_add_text(out, "unmarked = no\n");
    buf_addf(&g->doubts, "%.*s: empty cells of marks are taken for no\n", SPAN_ARG(l->table->name));
}

static void add_section(struct guess *g, const struct looked *l, const struct facets_found *facets, struct buf *out)
{
    buf_addf(out, "\n[%.*s]\n", SPAN_ARG(l->table->name));
    if (l->left_out != NULL) {
        buf_addf(out, "# left out: %s %.*s\n", l->left_out, SPAN_ARG(l->of));
        return;
    }
    buf_addf(out, "heads = %zu\n", l->heads);
    if (l->link < l->columns.n)
        buf_addf(out, "link = %.*s\n", SPAN_ARG(l->columns.at[l->link].head));
    if (l->site.len > 0)
        buf_addf(out, "site = %.*s\n", SPAN_ARG(l->site));
    for (size_t i = 0; i < l->columns.n; i++)
        if (l->columns.at[i].role == DATE) {
            buf_addf(out, "date = %.*s\n", SPAN_ARG(l->columns.at[i].head));
            break;
        }
    for (size_t i = 0; i < ARRAY_LEN(of_post); i++)
        for (size_t j = 0; j < l->columns.n; j++)
            if (l->columns.at[j].role == of_post[i].role)
                buf_addf(out, "%s = %.*s\n", of_post[i].key, SPAN_ARG(l->columns.at[j].head));
    if (l->by < l->columns.n)
        buf_addf(out, "coder = %.*s\n", SPAN_ARG(l->columns.at[l->by].head));
    if (l->needs < l->columns.n)
        buf_addf(out, "needs = %.*s\n", SPAN_ARG(l->columns.at[l->needs].head));
    buf_add_text(out, "skip = total, sum, subtotal, grand total\nblank =\n");
    add_yes(g, l, out);
    for (size_t i = 0; i < l->columns.n; i++) {
        const struct column *c = &l->columns.at[i];
        if (c->facet.len == 0 || c->role == NOTHING) {
            if (c->why_not != NULL && c->n > 0 && c->role == NOTHING)
                buf_addf(out, "# not taken: %.*s: %s\n", SPAN_ARG(c->head), c->why_not);
            continue;
        }
        size_t place = array_find(facets, name, c->facet);
        buf_addf(out, "%scode %.*s", place + 1 < FACETS_MAX ? "" : "# a facet too many: ", SPAN_ARG(c->facet));
        if (c->coder.ptr != NULL)
            buf_addf(out, " by %.*s", SPAN_ARG(c->coder));
        buf_addf(out, " = %.*s\n", SPAN_ARG(c->head));
        if (place + 1 < FACETS_MAX && facets->at[place].split.len > 0)
            buf_addf(out, "split %.*s = %.*s\n", SPAN_ARG(c->facet), SPAN_ARG(facets->at[place].split));
    }
}

static void tell(struct guess *g, const struct facets_found *facets)
{
    struct span rest, line;

    for (size_t i = 0; i < g->tables.n; i++) {
        const struct looked *l = &g->tables.at[i];
        bool has_key = l->link < l->columns.n;
        struct span known_by = has_key ? l->columns.at[l->link].head : SPAN("their place");
        size_t not_taken = 0, labels = 0;
        for (size_t j = 0; j < l->columns.n; j++) {
            not_taken += l->columns.at[j].facet.len == 0 && l->columns.at[j].n > 0;
            labels += l->columns.at[j].facet.len > 0;
        }
        if (l->left_out != NULL)
            log_info("left out: %.*s: %s%s%.*s", SPAN_ARG(l->table->name), l->left_out, l->of.len > 0 ? " " : "",
                     SPAN_ARG(l->of));
        else
            log_info("%.*s: %zu rows%s, known by %.*s; %zu columns of labels, %zu others that mapping.ini names",
                     SPAN_ARG(l->table->name), l->table->n_rows - l->heads, has_key ? "" : " without a key",
                     SPAN_ARG(known_by), labels, not_taken);
    }
    for (size_t i = 0; i < facets->n; i++)
        log_info("facet %.*s: %zu values%s%s", SPAN_ARG(facets->at[i].name), facets->at[i].codes.n,
                 facets->at[i].hierarchy != NULL || facets->at[i].parent != SIZE_MAX ? ", with categories" : "",
                 facets->at[i].most > 1 ? ", several in a cell" : "");
    for (rest = buf_span(&g->doubts); span_cut(&rest, '\n', &line);)
        log_info("in doubt: %.*s", SPAN_ARG(line));
}

enum status foreign_guess(struct foreign *f, struct foreign_files *files, struct err *e)
{
    static const char ini[] =
        "# Written by ppmine init --from. Change what is wrong here, in mapping.ini, facets.csv and codebook.csv.\n"
        "name = study\ntags = *\n# The day on which the labels were published:\npublished_at = 2000-01-01\n";
    static const char words[] =
        "# A study of labels that are there: no post is looked for. Your own words make a new search possible.\nproblem\n";
    struct guess g = {0};
    struct facets_found facets = {0};
    AT_END(buf_clear) struct buf mapping = {0}, facet_file = {0}, codebook = {0};
    enum status status = ST_OK;
    bool has_codes = false;

    for (size_t i = 0; i < f->tables.n; i++)
        look_at(&g, &f->tables.at[i]);
    compare_all(&g);
    find_facets(&g, &facets);
    find_parents(&g, &facets);
    buf_add_text(
        &mapping,
        "# Which column is what; a section for each table, '*' in its name stands for any text. The first that\n"
        "# fits counts. `code FACET = COLUMN` is the agreed label, `code FACET by NAME = COLUMN` a rater's.\n"
        "# The rows with a title or text become posts; several lines `text` make one text.\n");
    buf_add_text(&facet_file, "facet,about,kind,most,required\nrelevance,post,yes/no,1,yes\n");
    for (size_t i = 0; i < facets.n && i + 1 < FACETS_MAX; i++)
        buf_addf(&facet_file, "%.*s,problem,%s,%zu,no\n", SPAN_ARG(facets.at[i].name),
                 facets.at[i].yes_no ? "yes/no" : "codes", facets.at[i].most);
    buf_add_text(&codebook, "facet,category,code,short_name,definition,aliases\n");
    for (size_t i = 0; i < facets.n; i++) {
        has_codes |= !facets.at[i].yes_no;
        if (!facets.at[i].yes_no)
            add_codes(&g, &facets, &facets.at[i], &codebook);
    }
    for (size_t i = 0; i < g.tables.n; i++) {
        find_site(&g, &g.tables.at[i]);
        add_section(&g, &g.tables.at[i], &facets, &mapping);
    }
    if (f->n_trimmed > 0)
        buf_addf(&g.doubts,
                 "%zu cells have blanks at an end, which are taken off: codes that differ in these alone are one\n",
                 f->n_trimmed);
    buf_add_text(&g.doubts, "the day of the labels: study.ini says 2000-01-01\n");
    tell(&g, &facets);
    if (facets.n == 0)
        status = err_set(e, ST_INPUT,
                         "nothing in these files looks like labels: no column has few values that come again");
    else if (facets.n >= FACETS_MAX)
        log_warn("left out: %zu facets; a study has at most %d", facets.n + 1 - FACETS_MAX, FACETS_MAX);
    const struct study_file made[] = {{SPAN("study.ini"), SPAN(ini)},
                                      {SPAN("keywords.txt"), SPAN(words)},
                                      {SPAN("mapping.ini"), buf_span(&mapping)},
                                      {SPAN("facets.csv"), buf_span(&facet_file)},
                                      {SPAN("codebook.csv"), buf_span(&codebook)}};
    for (size_t i = 0; i < ARRAY_LEN(made) - !has_codes; i++) /* a study of yes and no alone has no codes */
        array_add(files, (struct study_file){made[i].name, arena_copy(&f->arena, made[i].content)});
    for (size_t i = 0; i < g.tables.n; i++) {
        for (size_t j = 0; j < g.tables.at[i].columns.n; j++)
            text_numbers_clear(&g.tables.at[i].columns.at[j].values);
        array_clear(&g.tables.at[i].columns);
    }
    for (size_t i = 0; i < facets.n; i++) {
        text_numbers_clear(&facets.at[i].codes);
        text_pairs_clear(&facets.at[i].above);
    }
    array_clear(&g.tables);
    array_clear(&facets);
    arena_clear(&g.arena);
    buf_clear(&g.doubts);
    return status;
}
