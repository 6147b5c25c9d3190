/* chart: a table of results as an SVG drawing, whose bars and cells lead to the problems they count. */
#include "web/chart.h"

#include <math.h>

/* clang-format off */
enum {
    WIDTH = 760, LABELS = 280, BAR_HEIGHT = 16, ROW = 22, TOP = 26, NUMBERS = 110,
    CELL = 58, HEAD = 110, NAME_MAX = 40, ROWS_MAX = 40, COLUMNS_MAX = 24
};
/* clang-format on */

static const char *const fills[] = {"#1f5f99", "#b8860b"};

/* --- parts --- */

static void add_number(struct buf *out, const char *name, double value)
{
    buf_addf(out, " %s=\"%.1f\"", name, value);
}

static void add_name(struct buf *out, struct span name)
{
    size_t n = name.len < NAME_MAX ? name.len : NAME_MAX;

    while (n > 0 && n < name.len && ((unsigned char)name.ptr[n] & 0xC0) == 0x80) /* amid a character */
        n--;
    table_escape_html(out, (struct span){name.ptr, n});
    buf_add_text(out, n < name.len ? "…" : "");
}

static void begin_text(struct buf *out, double x, double y, const char *anchor)
{
    buf_addf(out, "<text x=\"%.0f\" y=\"%.0f\"", x, y);
    if (strcmp(anchor, "start") != 0)
        buf_addf(out, " text-anchor=\"%s\"", anchor);
    buf_add_char(out, '>');
}

/* Whether there is an address, of the page; a file has no links. */
static bool begin_link(const struct chart *c, size_t row, size_t column, struct span said, double n)
{
    struct buf href = {0};
    bool any = false;

    if (c->links != NULL && n > 0)
        c->links->href(c->links->ctx, c->table, row, column, &href);
    if (href.len > 0) {
        page_text(c->out, "<a href=\"", buf_span(&href), "\"");
        page_text(c->out, " aria-label=\"", said, "");
        buf_addf(c->out, ": %.0f\">", n);
        any = true;
    }
    buf_clear(&href);
    return any;
}

static void end_link(const struct chart *c, bool any)
{
    buf_add_text(c->out, any ? "</a>" : "");
}

static double real_at(const struct table *t, size_t row, size_t column)
{
    const struct table_cell *cell = table_cell_at(t, row, column);

    return cell->is == TABLE_IS_REAL ? cell->real : cell->is == TABLE_IS_INT ? (double)cell->integer : 0;
}

static size_t shown_rows(const struct table *t)
{
    return table_rows(t) < ROWS_MAX ? table_rows(t) : ROWS_MAX;
}

static void begin_drawing(const struct chart *c, int width, size_t height)
{
    buf_addf(c->out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 %d %zu\""
             " width=\"%d\" height=\"%zu\" font-family=\"sans-serif\" font-size=\"12\""
             " fill=\"#1c1f23\" role=\"group\"",
             width, height, width, height);
    page_text(c->out, " aria-label=\"", c->table->title, "\">\n");
    buf_addf(c->out, "<rect class=\"ground\" width=\"%d\" height=\"%zu\" fill=\"#ffffff\"/>\n", width, height);
}

static void end_drawing(const struct chart *c)
{
    buf_add_text(c->out, "</svg>\n");
}

/* --- bars: shares with their intervals --- */

/* A share in column s, its interval in the two columns after it, its count in the one before. */
static bool is_share(const struct table *t, size_t s)
{
    return s > 0 && s + 2 < t->n_columns && t->columns[s].kind == TABLE_SHARE && t->columns[s - 1].kind == TABLE_INT &&
           t->columns[s + 1].kind == TABLE_SHARE && t->columns[s + 2].kind == TABLE_SHARE;
}

/* The columns of shares that are drawn, at most two; of problems with any code none. */
static size_t find_shares(const struct table *t, size_t at[2])
{
    size_t n = 0;

    for (size_t i = 1; i < t->n_columns && n < 2; i++)
        if (is_share(t, i) && strcmp(t->columns[i - 1].name, "any") != 0) {
            at[n++] = i;
            i += 2;
        }
    return n;
}

static double greatest_high(const struct table *t, const size_t *at, size_t n)
{
    double most = 0.01;

    for (size_t row = 0; row < shown_rows(t); row++)
        for (size_t k = 0; k < n; k++)
            most = fmax(most, real_at(t, row, at[k] + 2));
    return most;
}

/* The texts before the first number: "2019", "time", "slow execution time". */
static struct span row_name(const struct table *t, size_t row)
{
    struct span name = {0};

    for (size_t i = 0; i < t->n_columns && t->columns[i].kind == TABLE_TEXT; i++)
        if (table_cell_at(t, row, i)->is == TABLE_IS_TEXT && table_cell_at(t, row, i)->text.len > 0)
            name = table_cell_at(t, row, i)->text;
    return name;
}

static void add_bar(const struct chart *c, size_t row, size_t share, size_t nth, double y, double scale)
{
    const struct table *t = c->table;
    double n = real_at(t, row, share - 1), width = real_at(t, row, share) * scale;
    double low = LABELS + real_at(t, row, share + 1) * scale;
    double high = LABELS + real_at(t, row, share + 2) * scale, middle = y + BAR_HEIGHT / 2.0;
    bool linked = begin_link(c, row, share - 1, row_name(t, row), n);

    buf_addf(c->out, "<rect class=\"bar-%zu\" x=\"%d\" y=\"%.0f\" height=\"%d\" fill=\"%s\"", nth, LABELS, y,
             BAR_HEIGHT, fills[nth]);
    add_number(c->out, "width", width);
    buf_add_text(c->out, "/>");
    buf_addf(c->out,
             "<path class=\"line\" d=\"M%.1f %.0fH%.1fM%.1f %.0fv8M%.1f %.0fv8\" stroke=\"#1c1f23\""
             " fill=\"none\"/>",
             low, middle, high, low, middle - 4, high, middle - 4);
    begin_text(c->out, high + 6, y + 12, "start");
    buf_addf(c->out, "%.0f (%.1f %%)</text>", n, 100 * real_at(t, row, share));
    end_link(c, linked);
    buf_add_char(c->out, '\n');
}

static void add_legend(const struct chart *c, const size_t *at, size_t n)
{
    for (size_t k = 0; k < n && n > 1; k++) {
        buf_addf(c->out, "<rect class=\"bar-%zu\" x=\"%zu\" y=\"6\" width=\"12\" height=\"12\" fill=\"%s\"/>", k,
                 LABELS + 160 * k, fills[k]);
        begin_text(c->out, (double)LABELS + 160 * (double)k + 18, 16, "start");
        add_name(c->out, span_of(c->table->columns[at[k] - 1].name));
        buf_add_text(c->out, "</text>\n");
    }
}

static void draw_bars(const struct chart *c, const size_t *at, size_t n)
{
    const struct table *t = c->table;
    double scale = (WIDTH - LABELS - NUMBERS) / greatest_high(t, at, n);

    begin_drawing(c, WIDTH, TOP + shown_rows(t) * n * ROW + 8);
    add_legend(c, at, n);
    for (size_t row = 0; row < shown_rows(t); row++) {
        size_t y = TOP + row * n * ROW;
        begin_text(c->out, LABELS - 8, (double)y + 12, "end");
        add_name(c->out, row_name(t, row));
        buf_add_text(c->out, "</text>");
        for (size_t k = 0; k < n; k++)
            add_bar(c, row, at[k], k, (double)(y + k * ROW), scale);
    }
    end_drawing(c);
}

/* --- a map: rows by columns --- */

/* What is drawn: names, and the cells of the table that their counts are. */
struct map {
    struct span rows[ROWS_MAX], columns[COLUMNS_MAX];
    size_t n_rows, n_columns;
    struct {
        size_t row, column; /* column 0: none, which is 0 */
    } at[ROWS_MAX][COLUMNS_MAX];
};

/* All columns but the first are counts; the last one may be their total. */
static bool read_counts(const struct table *t, struct map *m)
{
    for (size_t i = 1; i < t->n_columns; i++)
        if (t->columns[i].kind != TABLE_INT)
            return false;
    for (size_t i = 1; i < t->n_columns && m->n_columns < COLUMNS_MAX; i++) {
        const char *title = t->columns[i].title;
        if (strcmp(t->columns[i].name, "total") != 0)
            m->columns[m->n_columns++] = span_of(title != NULL && title[0] != '\0' ? title : t->columns[i].name);
    }
    for (size_t row = 0; row < shown_rows(t); row++) {
        m->rows[m->n_rows++] = row_name(t, row);
        for (size_t i = 0; i < m->n_columns; i++) {
            m->at[row][i].row = row;
            m->at[row][i].column = i + 1;
        }
    }
    return m->n_columns > 1 && t->columns[0].kind == TABLE_TEXT;
}

/* The place of a name, added when it is new; `max`: there is no room. */
static size_t find_name(struct span *names, size_t *n, size_t max, struct span name)
{
    size_t i = 0;

    while (i < *n && !span_eq(names[i], name))
        i++;
    if (i == *n && *n < max)
        names[(*n)++] = name;
    return i;
}

/* A table with a column of groups in front: groups become columns. */
static bool read_groups(const struct table *t, struct map *m)
{
    static const char *const groups[] = {"tag", "year", "site"};
    size_t count = 0;

    while (count < t->n_columns && t->columns[count].kind == TABLE_TEXT)
        count++;
    if (count < 2 || count == t->n_columns || !span_is_any(span_of(t->columns[0].name), groups, ARRAY_LEN(groups)))
        return false;
    for (size_t row = 0; row < table_rows(t); row++) {
        size_t c = find_name(m->columns, &m->n_columns, COLUMNS_MAX, table_cell_at(t, row, 0)->text);
        size_t r = find_name(m->rows, &m->n_rows, ROWS_MAX, row_name(t, row));
        if (r == ROWS_MAX || c == COLUMNS_MAX)
            continue;
        m->at[r][c].row = row;
        m->at[r][c].column = count;
    }
    return m->n_rows > 0;
}

static double count_at(const struct chart *c, const struct map *m, size_t row, size_t column)
{
    size_t from = m->at[row][column].column;

    return from > 0 ? real_at(c->table, m->at[row][column].row, from) : 0;
}

static double greatest_count(const struct chart *c, const struct map *m)
{
    double most = 1;

    for (size_t row = 0; row < m->n_rows; row++)
        for (size_t i = 0; i < m->n_columns; i++)
            most = fmax(most, count_at(c, m, row, i));
    return most;
}

static void add_count(const struct chart *c, const struct map *m, size_t row, size_t column, double most)
{
    double n = count_at(c, m, row, column), x = LABELS + CELL * (double)column;
    double y = HEAD + ROW * (double)row;
    bool linked = begin_link(c, m->at[row][column].row, m->at[row][column].column, m->rows[row], n);

    buf_addf(c->out,
             "<rect class=\"bar-0\" x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"%s\""
             " fill-opacity=\"%.2f\"/>",
             x, y, CELL - 2, ROW - 2, fills[0], 0.5 * n / most);
    if (n > 0) {
        begin_text(c->out, x + CELL / 2.0, y + 15, "middle");
        buf_addf(c->out, "%.0f</text>", n);
    }
    end_link(c, linked);
}

static void draw_map(const struct chart *c, const struct map *m)
{
    double most = greatest_count(c, m);

    begin_drawing(c, LABELS + CELL * (int)m->n_columns + HEAD, HEAD + m->n_rows * ROW + 8);
    for (size_t i = 0; i < m->n_columns; i++) {
        double x = LABELS + CELL * (double)i + CELL / 2.0;
        buf_addf(c->out, "<text transform=\"translate(%.0f %d) rotate(-40)\">", x, HEAD - 8);
        add_name(c->out, m->columns[i]);
        buf_add_text(c->out, "</text>\n");
    }
    for (size_t row = 0; row < m->n_rows; row++) {
        begin_text(c->out, LABELS - 8, HEAD + ROW * (double)row + 15, "end");
        add_name(c->out, m->rows[row]);
        buf_add_text(c->out, "</text>");
        for (size_t i = 0; i < m->n_columns; i++)
            add_count(c, m, row, i, most);
        buf_add_char(c->out, '\n');
    }
    end_drawing(c);
}

/* --- kappas with their intervals, window by window --- */

static size_t column_of(const struct table *t, const char *name)
{
    size_t i = 0;

    while (i < t->n_columns && strcmp(t->columns[i].name, name) != 0)
        i++;
    return i;
}

static bool is_course(const struct table *t)
{
    return strcmp(t->id, "drift") == 0 && table_rows(t) > 0;
}

/* From 0 to 1: what is below agrees less than by chance. */
static double place_of(double kappa)
{
    return LABELS + (WIDTH - LABELS - NUMBERS) * fmin(fmax(kappa, 0), 1);
}

static void add_kappa(const struct chart *c, size_t row, double y)
{
    const struct table *t = c->table;
    size_t at = column_of(t, "kappa");
    double kappa = real_at(t, row, at), low = real_at(t, row, at + 1), high = real_at(t, row, at + 2);

    if (table_cell_at(t, row, at)->is != TABLE_IS_REAL)
        return;
    buf_addf(c->out, "<path class=\"line\" d=\"M%.1f %.0fH%.1f\" stroke=\"#1c1f23\" fill=\"none\"/>", place_of(low), y,
             place_of(high));
    buf_addf(c->out, "<circle class=\"bar-0\" cx=\"%.1f\" cy=\"%.0f\" r=\"5\" fill=\"%s\"/>", place_of(kappa), y,
             fills[0]);
    begin_text(c->out, place_of(1) + 12, y + 4, "start");
    buf_addf(c->out, "%.2f (n %.0f)</text>\n", kappa, real_at(t, row, column_of(t, "n")));
}

static void draw_course(const struct chart *c)
{
    const struct table *t = c->table;
    size_t window = column_of(t, "window");

    begin_drawing(c, WIDTH, TOP + shown_rows(t) * ROW + 8);
    for (size_t i = 0; i <= 4; i++) {
        begin_text(c->out, place_of((double)i / 4), 16, "middle");
        buf_addf(c->out, "%.2f</text>", (double)i / 4);
    }
    for (size_t row = 0; row < shown_rows(t); row++) {
        double y = TOP + ROW * (double)row + 10;
        begin_text(c->out, LABELS - 8, y + 4, "end");
        for (size_t i = 0; i < window; i++) {
            add_name(c->out, table_cell_at(t, row, i)->text);
            buf_add_text(c->out, i == 1 ? " – " : " ");
        }
        buf_addf(c->out, "%.0f</text>", real_at(t, row, window));
        add_kappa(c, row, y);
    }
    end_drawing(c);
}

/* --- which of them --- */

bool chart_add(const struct chart *c)
{
    size_t at[2] = {0}, n = find_shares(c->table, at);
    struct map *map = mem_zero(1, sizeof *map);
    bool is_map = table_rows(c->table) > 0 && (read_groups(c->table, map) || read_counts(c->table, map));
    bool is_bars = !is_map && table_rows(c->table) > 0 && n > 0;

    if (is_course(c->table))
        draw_course(c);
    else if (is_map)
        draw_map(c, map);
    else if (is_bars)
        draw_bars(c, at, n);
    mem_free(map);
    return is_course(c->table) || is_map || is_bars;
}
