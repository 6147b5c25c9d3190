/* LaTeX: floats with booktabs rules; T1 fonts and UTF-8 input. */
#include "base/table/render.h"
#include "base/visible.h"

/* clang-format off */
static const char *const words[128] = {
    ['\\'] = "\\textbackslash{}", ['~'] = "\\textasciitilde{}", ['^'] = "\\textasciicircum{}",
    ['<'] = "\\textless{}",       ['>'] = "\\textgreater{}",    ['|'] = "\\textbar{}",
    ['"'] = "\\textquotedbl{}",   ['`'] = "\\textasciigrave{}", ['&'] = "\\&",
    ['%'] = "\\%",                ['$'] = "\\$",                ['#'] = "\\#",
    ['_'] = "\\_",                ['{'] = "\\{",                ['}'] = "\\}",
    /* After the end of a row these would be its arguments. */
    ['['] = "{[}",                ['*'] = "{*}",
};
/* clang-format on */

static void escape(struct buf *out, struct span s)
{
    AT_END(buf_clear) struct buf clean = {0};

    buf_add_clean(&clean, s);
    for (size_t i = 0; i < clean.len; i++) {
        unsigned char c = (unsigned char)clean.ptr[i];
        if (c < ARRAY_LEN(words) && words[c] != NULL)
            buf_add_text(out, words[c]);
        else
            buf_add_char(out, (char)c);
        /* Two of them would become another sign. */
        if (i + 1 < clean.len && strchr("-,'", c) != NULL && clean.ptr[i + 1] == (char)c)
            buf_add_text(out, "{}");
    }
}

static void begin(struct table_printer *p)
{
    buf_add_text(&p->text, "% \\usepackage[T1]{fontenc}\n% \\usepackage{booktabs}\n");
}

static void head(struct table_printer *p, const struct table *t)
{
    struct buf *out = &p->text;

    buf_add_text(out, "\n\\begin{table}[htbp]\n  \\centering\n  \\caption{");
    escape(out, t->title);
    buf_add_text(out, "}\n  \\label{tab:");
    add_anchor(out, t->id);
    buf_add_text(out, "}\n  \\small\n  \\begin{tabular}{@{}");
    for (size_t i = 0; i < t->n_columns; i++)
        buf_add_text(out, t->columns[i].prose                        ? "p{0.35\\linewidth}"
                          : table_kind_is_number(t->columns[i].kind) ? "r"
                                                                     : "l");
    buf_add_text(out, "@{}}\n    \\toprule\n");
    for (size_t i = 0; i < t->n_columns; i++) {
        buf_add_text(out, i > 0 ? " & " : "    ");
        escape(out, title_of(&t->columns[i]));
    }
    buf_add_text(out, " \\\\\n    \\midrule\n");
}

static void row_of(struct table_printer *p, const struct table *t, size_t row)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        buf_add_text(&p->text, i > 0 ? " & " : "    ");
        if (cell_is_present(t, row, i))
            escape(&p->text, cell_for_people(p, t, row, i));
        else
            buf_add_text(&p->text, "--");
    }
    buf_add_text(&p->text, " \\\\\n");
}

static void foot(struct table_printer *p, const struct table *t)
{
    struct buf *out = &p->text;

    buf_add_text(out, "    \\bottomrule\n  \\end{tabular}\n");
    if (t->note.len > 0) {
        buf_add_text(out, "  \\par\\smallskip\\footnotesize ");
        escape(out, t->note);
        buf_add_char(out, '\n');
    }
    buf_add_text(out, "\\end{table}\n");
}

const struct renderer render_latex = {.people = true, .begin = begin, .head = head, .row = row_of, .foot = foot};
