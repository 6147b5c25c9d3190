/* Findings in every format. */
#include "check/session/run.h"

#include "table/table.h"

#include <inttypes.h>

const char *const check_formats[] = {"text", "json", "sarif", "github", "csv", "html", NULL};

static void flush(struct buf *b, FILE *out)
{
    if (b->len > 0)
        fwrite(b->ptr, 1, b->len, out); /* main checks the stream */
    buf_clear(b);
}

static const char *severity_of(const struct check_finding *f)
{
    return check_severities[f->severity];
}

/* --- text --- */

/* A file may be called "::error", which GitHub would take for a command at the start of a line. */
static void add_place(struct buf *b, const struct check_finding *f)
{
    if (strchr(": \t", f->path[0]) != NULL)
        buf_add_text(b, "./");
    buf_add_clean(b, span_of(f->path));
    if (f->cell > 0)
        buf_addf(b, ":cell %u", f->cell);
    buf_addf(b, ":%u:%u", f->line, f->column);
}

static void print_text(const struct check_run *c, struct buf *b)
{
    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        add_place(b, f);
        buf_addf(b, ": %s %s: ", f->rule->id, severity_of(f));
        buf_add_clean(b, f->message);
        if (f->n_edits > 0)
            buf_add_text(b, " [fixable]");
        buf_add_char(b, '\n');
    }
}

/* --- JSON --- */

static void add_string(struct buf *b, const char *name, struct span value)
{
    buf_addf(b, "\"%s\":", name);
    buf_add_json(b, value);
}

static void add_edits(struct buf *b, const struct check_finding *f, const struct py_file *file)
{
    for (size_t i = 0; i < f->n_edits; i++) {
        const struct check_edit *e = &f->edits[i];
        uint32_t start = (uint32_t)e->start, end = (uint32_t)e->end;
        buf_addf(b, "%s{\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u,",
                 i > 0 ? "," : "", py_line(file, start), py_column(file, start),
                 py_line(file, end), py_column(file, end));
        add_string(b, "text", e->text);
        buf_add_char(b, '}');
    }
}

static void add_finding_json(struct buf *b, const struct check_run *c,
                             const struct check_finding *f)
{
    buf_add_char(b, '{');
    add_string(b, "rule", span_of(f->rule->id));
    buf_add_char(b, ',');
    add_string(b, "name", span_of(f->rule->name));
    buf_add_char(b, ',');
    add_string(b, "severity", span_of(severity_of(f)));
    buf_add_char(b, ',');
    add_string(b, "file", span_of(f->path));
    if (f->cell > 0)
        buf_addf(b, ",\"cell\":%u", f->cell);
    buf_addf(b, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u,", f->line,
             f->column, f->end_line, f->end_column);
    add_string(b, "message", f->message);
    buf_addf(b, ",\"fingerprint\":\"%016" PRIx64 "\",\"fix\":", f->fingerprint);
    const struct source *s = f->n_edits > 0 ? source_find(c, f->path) : NULL;
    if (s == NULL) {
        buf_add_text(b, "null}");
        return;
    }
    buf_add_char(b, '{');
    add_string(b, "title", span_of(f->fix));
    buf_add_text(b, ",\"edits\":[");
    add_edits(b, f, &s->file);
    buf_add_text(b, "]}}");
}

static void print_json(const struct check_run *c, struct buf *b)
{
    buf_add_text(b, "{\"version\":1,\"findings\":[");
    for (size_t i = 0; i < c->n_findings; i++) {
        buf_add_text(b, i > 0 ? ",\n" : "\n");
        add_finding_json(b, c, &c->findings[i]);
    }
    buf_add_text(b, c->n_findings > 0 ? "\n]}\n" : "]}\n");
}

/* --- SARIF 2.1.0 (OASIS) --- */

static const char *sarif_level(enum check_severity severity)
{
    static const char *const levels[] = {"note", "warning", "error"};

    return levels[severity];
}

static void add_sarif_rules(struct buf *b)
{
    for (size_t i = 0; i < n_rules; i++) {
        const struct check_rule *rule = &rules[i]->about;
        buf_addf(b, "%s\n{\"id\":\"%s\",\"name\":\"%s\",\"shortDescription\":{", i > 0 ? "," : "",
                 rule->id, rule->name);
        add_string(b, "text", span_of(rule->summary));
        buf_add_text(b, "},\"help\":{");
        add_string(b, "text", span_of(rule->summary));
        buf_add_char(b, ',');
        add_string(b, "markdown", check_page(rule));
        buf_addf(b, "},\"defaultConfiguration\":{\"level\":\"%s\",\"enabled\":%s}}",
                 sarif_level(rule->severity), rule->on ? "true" : "false");
    }
}

/* A path as a relative URI reference (RFC 3986). */
static void add_uri(struct buf *b, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    static const char digits[] = "0123456789ABCDEF";

    buf_add_char(b, '"');
    for (; *path != '\0'; path++) {
        unsigned char c = (unsigned char)*path;
        if (strchr(plain, *path) != NULL) {
            buf_add_char(b, *path);
        } else {
            buf_add_char(b, '%');
            buf_add_char(b, digits[c >> 4]);
            buf_add_char(b, digits[c & 15]);
        }
    }
    buf_add_char(b, '"');
}

static size_t rule_index(const struct check_rule *rule)
{
    size_t i = 0;

    while (i < n_rules && &rules[i]->about != rule)
        i++;
    return i;
}

static void add_sarif_fix(struct buf *b, const struct check_finding *f)
{
    buf_add_text(b, ",\"fixes\":[{\"description\":{");
    add_string(b, "text", span_of(f->fix));
    buf_add_text(b, "},\"artifactChanges\":[{\"artifactLocation\":{\"uri\":");
    add_uri(b, f->path);
    buf_add_text(b, "},\"replacements\":[");
    for (size_t i = 0; i < f->n_edits; i++) {
        buf_addf(b, "%s{\"deletedRegion\":{\"byteOffset\":%zu,\"byteLength\":%zu},"
                    "\"insertedContent\":{", i > 0 ? "," : "",
                 f->edits[i].start, f->edits[i].end - f->edits[i].start);
        add_string(b, "text", f->edits[i].text);
        buf_add_text(b, "}}");
    }
    buf_add_text(b, "]}]}]");
}

static void add_sarif_result(struct buf *b, const struct check_finding *f)
{
    buf_addf(b, "{\"ruleId\":\"%s\",\"ruleIndex\":%zu,\"level\":\"%s\",\"message\":{", f->rule->id,
             rule_index(f->rule), sarif_level(f->severity));
    add_string(b, "text", f->message);
    buf_add_text(b, "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    add_uri(b, f->path);
    buf_add_char(b, '}');
    if (f->cell == 0) /* a line of a cell is none of the file */
        buf_addf(b,
                 ",\"region\":{\"startLine\":%u,\"startColumn\":%u,\"endLine\":%u,\"endColumn\":%u}",
                 f->line, f->column, f->end_line, f->end_column);
    buf_addf(b, "}}],\"partialFingerprints\":{\"ppmine/v1\":\"%016" PRIx64 "\"}",
             f->fingerprint);
    if (f->n_edits > 0)
        add_sarif_fix(b, f);
    buf_add_char(b, '}');
}

static void print_sarif(const struct check_run *c, struct buf *b)
{
    buf_add_text(b, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                    "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{"
                    "\"name\":\"ppmine\",\"version\":\"" PPMINE_VERSION "\",\"rules\":[");
    add_sarif_rules(b);
    buf_add_text(b, "\n]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[");
    for (size_t i = 0; i < c->n_findings; i++) {
        buf_add_text(b, i > 0 ? ",\n" : "\n");
        add_sarif_result(b, &c->findings[i]);
    }
    buf_add_text(b, "\n]}]}\n");
}

/* --- commands of GitHub's workflows --- */

static void add_escaped(struct buf *b, struct span s, bool property)
{
    struct buf clean = {0};

    buf_add_clean(&clean, s);
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.ptr[i];
        if (c == '%' || (property && (c == ':' || c == ',')))
            buf_addf(b, "%%%02X", (unsigned)(unsigned char)c);
        else
            buf_add_char(b, c);
    }
    buf_clear(&clean);
}

static void print_github(const struct check_run *c, struct buf *b)
{
    static const char *const levels[] = {"notice", "warning", "error"};

    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        buf_addf(b, "::%s file=", levels[f->severity]);
        add_escaped(b, span_of(f->path), true);
        buf_addf(b, ",line=%u,col=%u,endLine=%u,endColumn=%u,title=%s %s::", f->line, f->column,
                 f->end_line, f->end_column, f->rule->id, f->rule->name);
        add_escaped(b, f->message, false);
        buf_add_char(b, '\n');
    }
}

/* --- CSV --- */

void add_clean_field(struct buf *b, struct span s)
{
    struct buf clean = {0};

    buf_add_clean(&clean, s);
    buf_add_csv(b, buf_span(&clean));
    buf_clear(&clean);
}

static void print_csv(const struct check_run *c, struct buf *b)
{
    buf_add_text(b, "rule,severity,file,cell,line,column,end_line,end_column,message,fix,"
                    "fingerprint\n");
    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        buf_addf(b, "%s,%s,", f->rule->id, severity_of(f));
        add_clean_field(b, span_of(f->path));
        buf_add_char(b, ',');
        if (f->cell > 0)
            buf_addf(b, "%u", f->cell);
        buf_addf(b, ",%u,%u,%u,%u,", f->line, f->column, f->end_line, f->end_column);
        add_clean_field(b, f->message);
        buf_add_char(b, ',');
        if (f->n_edits > 0)
            add_clean_field(b, span_of(f->fix));
        buf_addf(b, ",%016" PRIx64 "\n", f->fingerprint);
    }
}

/* --- HTML --- */

static void add_code(struct buf *b, const struct check_run *c, const struct check_finding *f)
{
    const struct source *s = source_find(c, f->path);

    if (s == NULL || f->cell > 0)
        return;
    uint32_t first = f->line > 2 ? f->line - 2 : 1;
    buf_add_text(b, "<pre>");
    for (uint32_t line = first; line <= f->line + 2 && line <= s->file.n_lines; line++) {
        struct span text = py_line_text(&s->file, line);
        buf_addf(b, "%s%5u  ", line == f->line ? "<b>" : "", line);
        table_escape_html_lines(b, text);
        buf_add_text(b, line == f->line ? "</b>\n" : "\n");
    }
    buf_add_text(b, "</pre>\n");
}

static void begin_page(struct buf *b)
{
    buf_add_text(b,
                 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<title>ppmine check</title>\n<style>\n"
                 "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\n"
                 "pre{background:#f4f4f4;padding:.5em;overflow:auto}\n"
                 ".note{color:#555}.warning{color:#a50}.error{color:#b00}\n"
                 "</style>\n</head>\n<body>\n<h1>ppmine check</h1>\n");
}

void print_html_lines(struct buf *b, struct span lines)
{
    begin_page(b);
    buf_add_text(b, "<pre>");
    table_escape_html_lines(b, lines);
    buf_add_text(b, "</pre>\n</body>\n</html>\n");
}

static void print_html(const struct check_run *c, struct buf *b)
{
    const char *last = NULL;

    begin_page(b);
    buf_addf(b, "<p>%zu findings in %zu files that use TensorFlow, Keras or PyTorch, of %zu.</p>\n",
             c->n_findings, c->totals.parsed, c->totals.files);
    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        if (last == NULL || strcmp(last, f->path) != 0) {
            buf_add_text(b, "<h2>");
            table_escape_html(b, span_of(f->path));
            buf_add_text(b, "</h2>\n");
        }
        last = f->path;
        buf_addf(b, "<p><b class=\"%s\">%s</b> ", severity_of(f), f->rule->id);
        if (f->cell > 0)
            buf_addf(b, "cell %u, ", f->cell);
        buf_addf(b, "line %u: ", f->line);
        table_escape_html(b, f->message);
        buf_add_text(b, "</p>\n");
        add_code(b, c, f);
    }
    buf_add_text(b, "</body>\n</html>\n");
}

void check_print(const struct check_run *c, enum check_format format, FILE *out)
{
    static void (*const printers[])(const struct check_run *, struct buf *) = {
        [CHECK_TEXT] = print_text,     [CHECK_JSON] = print_json, [CHECK_SARIF] = print_sarif,
        [CHECK_GITHUB] = print_github, [CHECK_CSV] = print_csv,   [CHECK_HTML] = print_html,
    };
    struct buf b = {0};

    printers[format](c, &b);
    flush(&b, out);
}

/* --- statistics --- */

void check_print_statistics(const struct check_run *c, enum check_format format, FILE *out)
{
    struct buf b = {0};
    bool first = true;

    buf_add_text(&b, format == CHECK_JSON ? "{\"version\":1,\"rules\":["
                     : format == CHECK_CSV ? "rule,name,warnings,notes,fixable\n"
                                           : "");
    for (size_t r = 0; r < n_rules; r++) {
        size_t count[3] = {0}, fixable = 0;
        for (size_t i = 0; i < c->n_findings; i++) {
            if (c->findings[i].rule != &rules[r]->about)
                continue;
            count[c->findings[i].severity]++;
            fixable += c->findings[i].n_edits > 0;
        }
        size_t warnings = count[CHECK_WARNING] + count[CHECK_ERROR], notes = count[CHECK_NOTE];
        const struct check_rule *rule = &rules[r]->about;
        if (warnings + notes == 0)
            continue;
        if (format == CHECK_JSON)
            buf_addf(&b, "%s\n{\"rule\":\"%s\",\"name\":\"%s\",\"warnings\":%zu,\"notes\":%zu,"
                         "\"fixable\":%zu}",
                     first ? "" : ",", rule->id, rule->name, warnings, notes, fixable);
        else if (format == CHECK_CSV)
            buf_addf(&b, "%s,%s,%zu,%zu,%zu\n", rule->id, rule->name, warnings, notes, fixable);
        else
            buf_addf(&b, "%s  %5zu warnings  %5zu notes  %5zu fixable  %s\n", rule->id, warnings,
                     notes, fixable, rule->summary);
        first = false;
    }
    if (format == CHECK_JSON)
        buf_add_text(&b, first ? "]}\n" : "\n]}\n");
    flush(&b, out);
}
