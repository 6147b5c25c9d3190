/* latex: floats with booktabs rules; \usepackage{booktabs} and UTF-8 input. */
#include "report/render.h"

static void add_escaped(struct buf *out, struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '\\')
            buf_add_text(out, "\\textbackslash{}");
        else if (c == '~')
            buf_add_text(out, "\\textasciitilde{}");
        else if (c == '^')
            buf_add_text(out, "\\textasciicircum{}");
        else if (c == '<')
            buf_add_text(out, "\\textless{}");
        else if (c == '>')
            buf_add_text(out, "\\textgreater{}");
        else if (c == '|')
            buf_add_text(out, "\\textbar{}");
        else if (c == '"')
            buf_add_text(out, "\\textquotedbl{}");
        else if (strchr("&%$#_{}", c) != NULL)
            buf_addf(out, "\\%c", c);
        else
            buf_add_char(out, c);
    }
}

static void begin(struct buf *out, const struct report *r)
{
    (void)r;
    buf_add_text(out, "% \\usepackage[T1]{fontenc}\n% \\usepackage{booktabs}\n");
}

static void add_rows(struct buf *out, const struct report_table *t)
{
    struct buf cell = {0};

    for (size_t row = 0; row < report_rows(t); row++)
        for (size_t k = 0; k < t->n_columns; k++) {
            buf_reset(&cell);
            cell_for_people(&cell, report_cell_at(t, row, k), t->columns[k].kind);
            buf_add_text(out, k > 0 ? " & " : "    ");
            if (!report_cell_at(t, row, k)->present)
                buf_add_text(out, "--");
            add_escaped(out, buf_span(&cell));
            if (k + 1 == t->n_columns)
                buf_add_text(out, " \\\\\n");
        }
    buf_clear(&cell);
}

static void add_note(struct buf *out, const struct report_table *t)
{
    if (t->note.len == 0)
        return;
    buf_add_text(out, "  \\par\\smallskip\\footnotesize ");
    add_escaped(out, t->note);
    buf_add_char(out, '\n');
}

static void add_table(struct buf *out, const struct report *r, size_t i)
{
    const struct report_table *t = r->tables[i];

    buf_add_text(out, "\n\\begin{table}[htbp]\n  \\centering\n  \\caption{");
    add_escaped(out, t->title);
    buf_addf(out, "}\n  \\label{tab:%s}\n  \\small\n  \\begin{tabular}{@{}", t->id);
    for (size_t k = 0; k < t->n_columns; k++)
        buf_add_char(out, kind_is_number(t->columns[k].kind) ? 'r' : 'l');
    buf_add_text(out, "@{}}\n    \\toprule\n");
    for (size_t k = 0; k < t->n_columns; k++) {
        buf_add_text(out, k > 0 ? " & " : "    ");
        add_escaped(out, t->columns[k].title);
    }
    buf_add_text(out, " \\\\\n    \\midrule\n");
    add_rows(out, t);
    buf_add_text(out, "    \\bottomrule\n  \\end{tabular}\n");
    add_note(out, t);
    buf_add_text(out, "\\end{table}\n");
}

const struct renderer render_latex = {begin, add_table, NULL};
