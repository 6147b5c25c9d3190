/* How a rule reports: findings, their places, their fixes. */
#include "base/bitset.h"
#include "check/rules/rules.h"

#include <stdarg.h>

enum { TEXT_MAX = 40 };

/* One rule at work on one file. */
struct rule_run {
    const struct rule *rule;
    const struct py_file *file;
    struct rule_findings *findings;
    struct rule_finding *last; /* what was reported last */
    struct bitset said;        /* nodes that have a finding */
};

static struct span formatted(struct rule_run *r, const char *fmt, va_list list)
{
    char text[1024];
    int n = vsnprintf(text, sizeof text, fmt, list);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;

    return arena_copy(&r->findings->arena, (struct span){text, len});
}

/* At most so many characters, at a character's end; the names of the code may be long. */
static struct span shortened(struct span message)
{
    size_t characters = 0;

    for (size_t i = 0; i < message.len; i++) {
        characters += ((unsigned char)message.ptr[i] & 0xC0U) != 0x80;
        if (characters > CHECK_MESSAGE_MAX)
            return (struct span){message.ptr, i};
    }
    return message;
}

void rule_report(struct rule_run *r, uint32_t node, enum check_impact impact, const char *fmt, ...)
{
    struct rule_findings *all = r->findings;
    struct rule_finding *found = r->last = arena_alloc(&all->arena, sizeof *found);
    va_list list;

    const struct py_node *at = &r->file->nodes[node];
    *found = (struct rule_finding){
        .f = {.rule = &r->rule->about,
              .impact = impact,
              .certainty = CHECK_CERTAIN,
              .path = r->file->path,
              .why = span_of(r->rule->about.why),
              .advice = span_of(r->rule->about.advice)},
        .file = r->file,
        .node = node,
        .start = at->start,
        .end = at->end,
    };
    va_start(list, fmt);
    found->f.message = shortened(formatted(r, fmt, list));
    va_end(list);
    if (bitset_has(&r->said, node))
        return;
    bitset_add(&r->said, node);
    all->items = array_room(all->items, all->n, 1, &all->capacity, sizeof(struct rule_finding *));
    all->items[all->n++] = found;
}

bool rule_asked(const struct rule_run *r, uint32_t n)
{
    if (r == NULL || r->findings->asked != r->file)
        return false;
    uint32_t body = py_child(r->file, n, FIELD_BODY); /* of what has one, a loop, the head is asked about */
    uint32_t first = py_line(r->file, r->file->nodes[n].start), line = r->findings->asked_line;
    return line == first || (first < line && body == 0 && line <= py_line(r->file, r->file->nodes[n].end));
}

void rule_lacks(struct rule_run *r, uint32_t n, uint32_t about, const char *lacks)
{
    if (!rule_asked(r, n))
        return;
    struct rule_lack lack = {&r->rule->about, about != 0 ? about : n, lacks};
    for (size_t i = 0; i < r->findings->lacks.n; i++) {
        const struct rule_lack *said = &r->findings->lacks.at[i];
        if (said->rule == lack.rule && said->about == lack.about && said->lacks == lacks)
            return;
    }
    array_add(&r->findings->lacks, lack);
}

void rule_unsure(struct rule_run *r, bool it_is)
{
    if (it_is)
        r->last->f.certainty = CHECK_LIKELY;
}

void rule_sure(struct rule_run *r)
{
    r->last->sure = true;
}

void rule_why(struct rule_run *r, const char *fmt, ...)
{
    va_list list;

    va_start(list, fmt);
    r->last->f.why = formatted(r, fmt, list);
    va_end(list);
}

void rule_advice(struct rule_run *r, const char *fmt, ...)
{
    va_list list;

    va_start(list, fmt);
    r->last->f.advice = formatted(r, fmt, list);
    va_end(list);
}

void rule_point_at(struct rule_run *r, uint32_t start, uint32_t end)
{
    r->last->start = start;
    r->last->end = end;
}

void rule_point_at_method(struct rule_run *r, uint32_t call)
{
    const struct py_file *f = r->file;
    uint32_t name = py_child(f, py_child(f, call, FIELD_FUNCTION), FIELD_ATTRIBUTE);

    if (name != 0)
        rule_point_at(r, f->nodes[name].start, f->nodes[call].end);
}

void rule_fix(struct rule_run *r, const char *title)
{
    r->last->f.fix = title;
}

void rule_propose(struct rule_run *r, const char *title)
{
    struct rule_finding *found = r->last;

    if (found->f.n_edits == 0)
        return;
    found->f.proposal = title;
    found->f.proposed = found->f.edits;
    found->f.n_proposed = found->f.n_edits;
    found->f.edits = NULL;
    found->f.n_edits = 0;
    found->edits_capacity = 0;
}

/* Where the lines of the file end in \r\n, so do those of a fix. */
static struct span with_line_ends(struct rule_run *r, struct span text)
{
    const struct py_file *f = r->file;
    AT_END(buf_clear) struct buf out = {0};

    if (f->n_lines < 2 || f->lines[1] < 2 || f->code.ptr[f->lines[1] - 2] != '\r' || !span_has(text, "\n"))
        return text;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n' && (i == 0 || text.ptr[i - 1] != '\r'))
            buf_add_char(&out, '\r');
        buf_add_char(&out, text.ptr[i]);
    }
    return arena_copy(&r->findings->arena, buf_span(&out));
}

void rule_edit(struct rule_run *r, uint32_t start, uint32_t end, const char *fmt, ...)
{
    struct rule_finding *found = r->last;
    va_list list;

    if (found->f.n_edits >= found->edits_capacity) {
        size_t capacity = found->edits_capacity == 0 ? 2 : found->edits_capacity * 2;
        struct check_edit *edits = arena_alloc(&r->findings->arena, capacity * sizeof *edits);
        if (found->f.n_edits > 0)
            memcpy(edits, found->f.edits, found->f.n_edits * sizeof *edits);
        found->f.edits = edits;
        found->edits_capacity = capacity;
    }
    va_start(list, fmt);
    found->f.edits[found->f.n_edits++] = (struct check_edit){
        .start = start, .end = end, .text = with_line_ends(r, formatted(r, fmt, list))};
    va_end(list);
}

struct span rule_before(const struct py_file *f, uint32_t n)
{
    uint32_t start = f->nodes[n].start, line = f->lines[py_line(f, start) - 1];

    return (struct span){f->code.ptr + line, start - line};
}

void rule_statement(struct rule_run *r, uint32_t before, struct span statement)
{
    uint32_t start = r->file->nodes[before].start;

    rule_edit(r, start, start, "%.*s\n%.*s", SPAN_ARG(statement), SPAN_ARG(rule_before(r->file, before)));
    r->last->f.edits[r->last->f.n_edits - 1].statement = true;
}

struct rule_text rule_text(const struct py_file *f, uint32_t n)
{
    struct span text = py_text(f, n);
    struct rule_text out;
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (blank && (len == 0 || out.text[len - 1] == ' ' || out.text[len - 1] == '('))
            continue;
        /* At a character's begin, or where none has so many bytes. */
        if (len >= TEXT_MAX && (((unsigned char)c & 0xC0U) != 0x80 || len >= TEXT_MAX + 3)) {
            memcpy(out.text + len, "…", sizeof "…" - 1);
            len += sizeof "…" - 1;
            break;
        }
        out.text[len++] = blank ? ' ' : c;
    }
    out.text[len] = '\0';
    return out;
}

struct rule_place rule_place(const struct py_file *here, const struct py_file *f, uint32_t n)
{
    uint32_t line = py_line(f, f->nodes[n].start);
    struct rule_place place;

    if (f->cells != NULL && line <= f->n_cells)
        snprintf(place.text, sizeof place.text, "cell %u, line %u", f->cells[line - 1].cell, f->cells[line - 1].line);
    else if (f == here)
        snprintf(place.text, sizeof place.text, "line %u", line);
    else
        snprintf(place.text, sizeof place.text, "line %u of %.280s", line, f->path);
    return place;
}

void rule_add_argument(struct rule_run *r, uint32_t call, const char *fmt, ...)
{
    const struct py_file *f = r->file;
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS), last = py_last(f, list);
    va_list args;

    if (py_kind(f, list) != PY_ARGUMENT_LIST)
        return;
    va_start(args, fmt);
    struct span text = formatted(r, fmt, args);
    va_end(args);
    /* Behind the last argument; a comma that follows it stays behind ours. */
    uint32_t at = last != 0 ? f->nodes[last].end : f->nodes[list].start + 1;
    rule_edit(r, at, at, "%s%.*s", last != 0 ? ", " : "", SPAN_ARG(text));
}

void rule_look(const struct rule *rule, struct project *p, const struct py_file *f, bool trusted,
               struct rule_findings *out)
{
    struct rule_run r = {.rule = rule, .file = f, .findings = out};
    enum file_role role = fact_role(p, f);
    size_t first = out->n;

    const struct rule_looks *looks = rule->looks;
    if (looks->run != NULL)
        looks->run(&r, p, f);
    for (uint32_t n = 1; looks->node != NULL && n < f->n_nodes; n++)
        looks->node(&r, p, f, n);
    for (struct py_nodes c = fact_calls(p, f); looks->call != NULL && py_take(&c);)
        looks->call(&r, p, f, c.n);
    for (size_t n = first; n < out->n; n++) {
        struct rule_finding *found = out->items[n];
        /* Nobody waits for tests and unused code; vendored code is for others to change; examples should be simple. */
        if ((role != ROLE_CODE && role != ROLE_NOTEBOOK) ||
            (found->f.impact != CHECK_LOW && fact_unused(p, f, found->node)))
            found->f.impact = CHECK_LOW;
        /* Of what such rules find too little is worth a change for that to be otherwise. */
        if (found->f.certainty > rule->about.certainty && !trusted && !found->sure)
            found->f.certainty = rule->about.certainty;
        /* Leaves a partly unread statement alone: its argument may be another call's, and the finding would recur. */
        if (found->f.n_edits + found->f.n_proposed > 0 && f->has_errors &&
            py_has(f, py_statement(f, found->node), PY_ERROR)) {
            found->f.n_edits = found->f.n_proposed = 0;
            found->f.fix = found->f.proposal = NULL;
        }
    }
    bitset_clear(&r.said);
}

void rule_findings_clear(struct rule_findings *all)
{
    mem_free(all->items);
    array_clear(&all->lacks);
    arena_clear(&all->arena);
    *all = (struct rule_findings){0};
}
