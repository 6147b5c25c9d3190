/* What the user does not want to hear. */
#include "base/bitset.h"
#include "check/session/run.h"

bool rule_listed(const struct check_list *list, const struct check_rule *rule)
{
    for (size_t i = 0; i < list->n; i++)
        if (check_rule_fits(rule, span_of(list->items[i])))
            return true;
    return false;
}

bool rule_wanted(const struct check_options *o, const struct check_rule *rule, const char *path)
{
    bool wanted = o->select.n > 0 ? rule_listed(&o->select, rule) : true;

    if (!wanted || rule_listed(&o->ignore, rule))
        return false;
    for (size_t i = 0; i + 1 < o->per_file.n; i += 2)
        if (check_rule_fits(rule, span_of(o->per_file.items[i + 1])) &&
            pattern_fits(span_of(o->per_file.items[i]), span_of(path), false))
            return false;
    return true;
}

bool source_wants(const struct source *s, const struct check_rule *rule)
{
    const struct check_options *o = s->options;
    AT_END(buf_clear) struct buf absolute = {0};
    bool from_folder = o->per_file.n > 0 && o->folder != NULL;
    const char *there = from_folder ? check_below(o->folder, s->absolute, &absolute) : NULL;

    return rule_wanted(o, rule, s->path) && (s->file.path == NULL || rule_wanted(o, rule, s->file.path)) &&
           (there == NULL || rule_wanted(o, rule, there));
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

/* "# ppmine: ignore[PP301] why", "# ppmine: ignore-file"; *rest is behind that. */
static bool is_ignore(struct span comment, struct span *rest, bool *whole_file)
{
    static const char mark[] = "ppmine:";
    size_t at = span_find(comment, span_of(mark));

    *whole_file = false;
    if (at == SIZE_MAX)
        return false;
    *rest = span_trim(span_after(comment, at + strlen(mark)));
    if (!span_starts(*rest, SPAN("ignore")))
        return false;
    *whole_file = span_starts(*rest, SPAN("ignore-file"));
    *rest = span_after(*rest, *whole_file ? 11 : 6);
    return rest->len == 0 || (rest->ptr[0] | 0x20) < 'a' || (rest->ptr[0] | 0x20) > 'z'; /* "ignored in the docs" */
}

static bool comment_ignores(struct span comment, const struct check_rule *rule, bool *whole_file)
{
    struct span rest;

    return is_ignore(comment, &rest, whole_file) && covers(rest, rule);
}

static struct span comment_text(const struct py_file *f, uint32_t i)
{
    return (struct span){f->code.ptr + f->comments[i].start, f->comments[i].end - f->comments[i].start};
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
        if (found)
            bitset_add(&s->used, i);
        s->no_file_comment = s->no_file_comment && !whole_file;
    }
    return found;
}

/* A comment counts for the finding's lines, the statement's first and last line, and, if alone on its line, the next
 * line. */
bool suppressed(struct source *s, const struct rule_finding *found)
{
    const struct py_file *f = found->file;
    uint32_t statement = py_statement(f, found->node);
    uint32_t first = py_line(f, found->start), last = py_line(f, found->end);
    uint32_t head = py_line(f, f->nodes[statement].start); /* the last line counts where no others are in it */
    uint32_t foot = py_has(f, statement, PY_BLOCK) ? head : py_line(f, f->nodes[statement].end);
    uint32_t from = head < first ? head : first;
    bool whole_file;

    if (f->n_comments == 0)
        return false;
    if (ignored_in_file(s, found->f.rule))
        return true;
    for (uint32_t i = comment_from(f, f->lines[from > 1 ? from - 2 : 0]); i < f->n_comments; i++) {
        struct span text = comment_text(f, i);
        uint32_t line = py_line(f, f->comments[i].start);
        if (line > last && line > foot)
            return false;
        if (!comment_ignores(text, found->f.rule, &whole_file))
            continue;
        bool alone = span_trim(py_line_text(f, line)).len == text.len;
        if ((line >= first && line <= last) || line == head || line == foot ||
            (alone && (line + 1 == first || line + 1 == head))) {
            bitset_add(&s->used, i);
            return true;
        }
    }
    return false;
}

/* Is it a comment to us, and were rules that it names asked for, or does it name none that there is? */
static bool is_for_rules(const struct source *s, struct span comment)
{
    struct span rest;
    bool whole_file, named = false;

    if (!is_ignore(comment, &rest, &whole_file))
        return false;
    for (size_t i = 0; i < n_rules; i++)
        if (covers(rest, &rules[i].about)) {
            named = true;
            if (source_wants(s, &rules[i].about))
                return true;
        }
    return !named;
}

void find_unused(struct check_run *c)
{
    for (size_t i = 0; i < c->n_sources; i++) {
        const struct source *s = &c->sources[i];
        const struct py_file *f = &s->file;
        bool whole = false; /* ignored: then comments of lines are not missed, nor of use */
        for (uint32_t k = 0; s->asked && k < f->n_comments; k++)
            whole |= bitset_has(&s->used, k) && span_has(comment_text(f, k), "ignore-file");
        if (!s->asked || whole)
            continue;
        for (uint32_t k = 0; f->n_nodes > 0 && k < f->n_comments; k++) {
            uint32_t line = py_line(f, f->comments[k].start);
            AT_END(buf_clear) struct buf text = {0};
            if (bitset_has(&s->used, k) || !is_for_rules(s, comment_text(f, k)))
                continue;
            buf_add_text(&text, s->path);
            if (s->cells != NULL && line <= s->n_cells)
                buf_addf(&text, ":cell %u:%u", s->cells[line - 1].cell, s->cells[line - 1].line);
            else
                buf_addf(&text, ":%u", line);
            buf_add_text(&text, ": this comment hides nothing: ");
            buf_add_span(&text, comment_text(f, k));
            check_list_add(&c->unused, buf_span(&text));
        }
    }
}

const char *check_unused(const struct check_run *c, size_t i)
{
    return i < c->unused.n ? c->unused.items[i] : NULL;
}
