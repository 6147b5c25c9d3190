/* What the user does not want to hear. */
#include "check/session/run.h"

static bool listed(const struct check_list *list, const struct check_rule *rule)
{
    for (size_t i = 0; i < list->n; i++)
        if (check_rule_fits(rule, span_of(list->items[i])))
            return true;
    return false;
}

bool rule_trusted(const struct check_options *o, const struct check_rule *rule)
{
    return listed(&o->trust, rule);
}

bool rule_wanted(const struct check_options *o, const struct check_rule *rule, const char *path)
{
    bool wanted = o->select.n > 0 ? listed(&o->select, rule) : rule->on;

    if (!wanted || listed(&o->ignore, rule))
        return false;
    for (size_t i = 0; i + 1 < o->per_file.n; i += 2)
        if (check_rule_fits(rule, span_of(o->per_file.items[i + 1])) &&
            pattern_fits(span_of(o->per_file.items[i]), span_of(path), false))
            return false;
    return true;
}

/* Behind "ppmine: ignore": a list in brackets, or nothing, which means all rules. */
static bool covers(struct span rest, const struct check_rule *rule)
{
    struct span part;

    rest = span_trim(rest);
    if (rest.len == 0 || rest.ptr[0] != '[')
        return true;
    const char *end = memchr(rest.ptr, ']', rest.len);
    struct span list = {rest.ptr + 1, end != NULL ? (size_t)(end - rest.ptr) - 1 : rest.len - 1};
    while (span_cut(&list, ',', &part))
        if (check_rule_fits(rule, span_trim(part)))
            return true;
    return false;
}

/* "# ppmine: ignore[PP301] why", "# ppmine: ignore-file". */
static bool comment_ignores(struct span comment, const struct check_rule *rule,
                            bool *whole_file)
{
    static const char mark[] = "ppmine:";
    size_t at = span_find(comment, span_of(mark));

    *whole_file = false;
    if (at == SIZE_MAX)
        return false;
    struct span rest = {comment.ptr + at + strlen(mark), comment.len - at - strlen(mark)};
    rest = span_trim(rest);
    if (!span_starts(rest, SPAN("ignore")))
        return false;
    rest.ptr += 6;
    rest.len -= 6;
    if (span_starts(rest, SPAN("-file"))) {
        *whole_file = true;
        rest.ptr += 5;
        rest.len -= 5;
    }
    return covers(rest, rule);
}

static struct span comment_text(const struct py_file *f, uint32_t i)
{
    return (struct span){f->code.ptr + f->comments[i].start,
                         f->comments[i].end - f->comments[i].start};
}

/* The first comment that begins at this byte or behind it. */
static uint32_t comment_from(const struct py_file *f, uint32_t start)
{
    uint32_t low = 0, high = f->n_comments;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->comments[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Is there a comment for the whole file? They are looked for once. */
static bool ignored_in_file(struct source *s, const struct check_rule *rule)
{
    const struct py_file *f = &s->file;
    bool whole_file, found = false;

    if (s->no_file_comment)
        return false;
    s->no_file_comment = true;
    for (uint32_t i = 0; i < f->n_comments && !found; i++) {
        found = comment_ignores(comment_text(f, i), rule, &whole_file) && whole_file;
        s->no_file_comment = s->no_file_comment && !whole_file;
    }
    return found;
}

/* A comment counts for the lines of the finding, for the statement's first and last line, and,
 * alone on its line, for the line below. */
bool suppressed(struct source *s, const struct rule_finding *found)
{
    const struct py_file *f = found->file;
    uint32_t statement = py_statement(f, found->node);
    uint32_t first = py_line(f, found->start), last = py_line(f, found->end);
    uint32_t head = py_line(f, f->nodes[statement].start);
    uint32_t from = head < first ? head : first;
    bool whole_file;

    if (f->n_comments == 0)
        return false;
    if (ignored_in_file(s, found->f.rule))
        return true;
    for (uint32_t i = comment_from(f, f->lines[from > 1 ? from - 2 : 0]); i < f->n_comments; i++) {
        struct span text = comment_text(f, i);
        uint32_t line = py_line(f, f->comments[i].start);
        if (line > last && line > head)
            return false;
        if (!comment_ignores(text, found->f.rule, &whole_file))
            continue;
        bool alone = span_trim(py_line_text(f, line)).len == text.len;
        if ((line >= first && line <= last) || line == head ||
            (alone && (line + 1 == first || line + 1 == head)))
            return true;
    }
    return false;
}
