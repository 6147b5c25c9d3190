/* Findings in every format. */
#include "check/session/run.h"

#include "base/csv.h"
#include "base/table/table.h"
#include "base/utf8.h"
#include "base/visible.h"

#include <inttypes.h>

const char *const check_formats[] = {"text", "json", "sarif", "github", "csv", "html", NULL};

static void flush(struct buf *b, FILE *out)
{
    if (b->len > 0)
        fwrite(b->ptr, 1, b->len, out); /* main checks the stream */
    buf_clear(b);
}

/* One part of a finding as a sentence of its own. */
static void add_part(struct buf *b, const char *between, const char *head, struct span text)
{
    if (text.len == 0)
        return;
    if (b->len > 0)
        buf_add_text(b, between);
    buf_add_text(b, head);
    buf_add_span(b, text);
    if (strchr(".!?…", text.ptr[text.len - 1]) == NULL)
        buf_add_char(b, '.');
}

void check_finding_text(struct buf *b, const struct check_finding *f, const char *between)
{
    add_part(b, between, "", f->message);
    add_part(b, between, "", f->why);
    add_part(b, between, "Do this: ", f->advice);
    add_part(b, between, "Gain measured: ", f->gain);
    add_part(b, between, "Profile: ", f->profile);
}

/* --- text --- */

static void add_line(struct buf *b, const char *head, struct span text)
{
    if (text.len == 0)
        return;
    buf_addf(b, "    %s: ", head);
    buf_add_clean(b, text);
    buf_add_char(b, '\n');
}

/* A line of code, cut where it is long. */
static void add_code_line(struct buf *b, struct span code)
{
    enum { CODE_MAX = 120 };
    struct span cut = {code.ptr, code.len > CODE_MAX ? CODE_MAX : code.len};

    if (code.len == 0)
        return;
    cut.len = code.len > CODE_MAX ? utf8_whole(cut) : cut.len;
    buf_add_text(b, "    > ");
    buf_add_clean(b, cut);
    buf_add_text(b, cut.len < code.len ? "…\n" : "\n");
}

static void print_text(const struct check_run *c, struct buf *b)
{
    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        /* A file may be called "::error", which GitHub would take for a command at the start of a line. */
        buf_add_text(b, strchr(": \t", f->path[0]) != NULL ? "./" : "");
        buf_add_clean(b, span_of(f->path));
        if (f->cell > 0)
            buf_addf(b, ":cell %u", f->cell);
        buf_addf(b, ":%u:%u: %s %s%s: ", f->line, f->column, f->rule->id, check_impacts[f->impact],
                 f->certainty == CHECK_CERTAIN ? "" : ", likely");
        buf_add_clean(b, f->message);
        buf_add_text(b, f->n_edits > 0 ? " [fixable]\n" : "\n");
        add_code_line(b, f->code);
        add_line(b, "why", f->why);
        add_line(b, "do this", f->advice);
        add_line(b, "gain measured", f->gain);
        add_line(b, "profile", f->profile);
    }
    if (c->n_hot > 0)
        buf_add_text(b, "hottest places without a finding:\n");
    for (size_t i = 0; i < c->n_hot; i++) {
        const struct check_hot *h = &c->hot[i];
        buf_add_text(b, "    ");
        buf_add_clean(b, span_of(h->path));
        buf_addf(b, ":%u: %.1f %% of the time", h->line, h->share * 100);
        if (h->context.len > 0)
            buf_addf_clean(b, ", %.*s", SPAN_ARG(h->context));
        buf_add_text(b, "\n    ");
        add_code_line(b, h->code);
    }
}

/* --- JSON --- */

static void add_finding_json(struct buf *b, const struct check_run *c, const struct check_finding *f)
{
    buf_add_jsonf(b, "{'rule':?,'name':?,'impact':?,'certainty':?,'file':?", span_of(f->rule->id),
                  span_of(f->rule->name), span_of(check_impacts[f->impact]), span_of(check_certainties[f->certainty]),
                  span_of(f->path));
    if (f->cell > 0)
        buf_addf(b, ",\"cell\":%u", f->cell);
    buf_addf(b, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u", f->line, f->column, f->end_line,
             f->end_column);
    buf_add_jsonf(b, ",'message':?,'why':?,'advice':?", f->message, f->why, f->advice);
    if (f->gain.len > 0)
        buf_add_jsonf(b, ",'gain':?", f->gain);
    if (f->profile.len > 0)
        buf_add_jsonf(b, ",'profile':?", f->profile);
    if (f->profile.len > 0 && f->share >= 0)
        buf_addf(b, ",\"share\":%.4f", f->share);
    buf_addf(b, ",\"fingerprint\":\"%016" PRIx64 "\",\"fix\":", f->fingerprint);
    const struct source *s = f->n_edits > 0 ? source_find(c, f->path) : NULL;
    if (s == NULL) {
        buf_add_text(b, "null}");
        return;
    }
    buf_add_jsonf(b, "{'title':?,'edits':[", span_of(f->fix));
    for (size_t i = 0; i < f->n_edits; i++) {
        uint32_t start = (uint32_t)f->edits[i].start, end = (uint32_t)f->edits[i].end;
        buf_addf(b, "%s{\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u", i > 0 ? "," : "",
                 py_line(&s->file, start), py_column(&s->file, start), py_line(&s->file, end),
                 py_column(&s->file, end));
        buf_add_jsonf(b, ",'text':?}", f->edits[i].text);
    }
    buf_add_text(b, "]}}");
}

static void print_json(const struct check_run *c, struct buf *b)
{
    buf_add_text(b, "{\"version\":2,\"findings\":[");
    for (size_t i = 0; i < c->n_findings; i++) {
        buf_add_text(b, i > 0 ? ",\n" : "\n");
        add_finding_json(b, c, &c->findings[i]);
    }
    buf_addf(b, "%s],\"more\":%zu", c->n_findings > 0 ? "\n" : "", c->totals.more);
    if (c->options->profile != NULL) {
        buf_add_text(b, ",\"hot\":[");
        for (const struct check_hot *h = c->hot; h < c->hot + c->n_hot; h++) {
            buf_add_text(b, h > c->hot ? ",\n" : "\n");
            buf_add_jsonf(b, "{'file':?", span_of(h->path));
            buf_addf(b, ",\"line\":%u,\"share\":%.4f", h->line, h->share);
            buf_add_jsonf(b, ",'code':?,'context':?}", h->code, h->context);
        }
        buf_add_text(b, c->n_hot > 0 ? "\n]" : "]");
    }
    buf_add_text(b, "}\n");
}

/* --- SARIF 2.1.0 (OASIS) --- */

static const char *const sarif_levels[] = {"note", "warning", "error"}; /* of impacts */

/* A path as a relative URI reference (RFC 3986). */
static void add_uri(struct buf *b, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";

    buf_add_char(b, '"');
    for (; *path != '\0'; path++) {
        if (strchr(plain, *path) != NULL)
            buf_add_char(b, *path);
        else
            buf_addf(b, "%%%02X", (unsigned)(unsigned char)*path);
    }
    buf_add_char(b, '"');
}

static void add_sarif_result(struct buf *b, const struct check_finding *f)
{
    AT_END(buf_clear) struct buf text = {0};
    size_t index = 0;

    while (index < n_rules && &rules[index].about != f->rule)
        index++;
    buf_addf(b, "{\"ruleId\":\"%s\",\"ruleIndex\":%zu,\"level\":\"%s\",\"message\":{", f->rule->id, index,
             sarif_levels[f->impact]);
    if (f->cell > 0) /* a finding in a cell has no region, so its text says the line */
        buf_addf(&text, "Cell %u, line %u", f->cell, f->line);
    check_finding_text(&text, f, "\n\n");
    buf_add_jsonf(b, "'text':?},'locations':[{'physicalLocation':{'artifactLocation':{'uri':", buf_span(&text));
    add_uri(b, f->path);
    buf_add_char(b, '}');
    if (f->cell == 0)
        buf_addf(b, ",\"region\":{\"startLine\":%u,\"startColumn\":%u,\"endLine\":%u,\"endColumn\":%u}", f->line,
                 f->column, f->end_line, f->end_column);
    buf_add_char(b, '}');
    if (f->cell > 0)
        buf_addf(b,
                 ",\"logicalLocations\":[{\"name\":\"cell %u\",\"fullyQualifiedName\":"
                 "\"cell %u, line %u\"}]",
                 f->cell, f->cell, f->line);
    buf_addf(b,
             "}],\"partialFingerprints\":{\"ppmine/v1\":\"%016" PRIx64 "\"},"
             "\"properties\":{\"impact\":\"%s\",\"certainty\":\"%s\"}",
             f->fingerprint, check_impacts[f->impact], check_certainties[f->certainty]);
    if (f->n_edits > 0) {
        buf_add_jsonf(
            b, ",'fixes':[{'description':{'text':?},'artifactChanges':[{'artifactLocation':{'uri':", span_of(f->fix));
        add_uri(b, f->path);
        buf_add_text(b, "},\"replacements\":[");
    }
    for (size_t i = 0; i < f->n_edits; i++) {
        buf_addf(b, "%s{\"deletedRegion\":{\"byteOffset\":%zu,\"byteLength\":%zu},", i > 0 ? "," : "",
                 f->edits[i].start, f->edits[i].end - f->edits[i].start);
        buf_add_jsonf(b, "'insertedContent':{'text':?}}", f->edits[i].text);
    }
    buf_add_text(b, f->n_edits > 0 ? "]}]}]}" : "}");
}

static void print_sarif(const struct check_run *c, struct buf *b)
{
    buf_add_text(b, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                    "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{"
                    "\"name\":\"ppmine\",\"version\":\"" PPMINE_VERSION "\",\"rules\":[");
    for (size_t i = 0; i < n_rules; i++) {
        const struct check_rule *rule = &rules[i].about;
        struct span summary = span_of(rule->summary);
        buf_add_text(b, i > 0 ? ",\n" : "\n");
        buf_add_jsonf(b,
                      "{'id':?,'name':?,'shortDescription':{'text':?},'help':{'text':?,'markdown':?},"
                      "'defaultConfiguration':{'level':?,'enabled':true}}",
                      span_of(rule->id), span_of(rule->name), summary, summary, check_page(rule),
                      span_of(sarif_levels[rule->impact]));
    }
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
    AT_END(buf_clear) struct buf clean = {0};

    buf_add_clean(&clean, s);
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.ptr[i];
        if (c == '%' || (property && (c == ':' || c == ',')))
            buf_addf(b, "%%%02X", (unsigned)(unsigned char)c);
        else
            buf_add_char(b, c);
    }
}

static void print_github(const struct check_run *c, struct buf *b)
{
    static const char *const levels[] = {"notice", "warning", "error"};
    /* A line of the text is a line of the annotation. */
    static const char *const heads[] = {"", "%0A", "%0ADo this: ", "%0AGain measured: ", "%0AProfile: "};

    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        const struct span parts[] = {f->message, f->why, f->advice, f->gain, f->profile};
        buf_addf(b, "::%s file=", levels[f->impact]);
        add_escaped(b, span_of(f->path), true);
        if (f->cell == 0)
            buf_addf(b, ",line=%u,col=%u,endLine=%u,endColumn=%u", f->line, f->column, f->end_line, f->end_column);
        buf_addf(b, ",title=%s %s::", f->rule->id, f->rule->name);
        if (f->cell > 0)
            buf_addf(b, "Cell %u, line %u: ", f->cell, f->line);
        for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
            buf_add_text(b, parts[k].len > 0 ? heads[k] : "");
            add_escaped(b, parts[k], false);
        }
        buf_add_char(b, '\n');
    }
}

/* --- CSV --- */

void add_clean_field(struct buf *b, struct span s)
{
    AT_END(buf_clear) struct buf clean = {0};

    buf_add_clean(&clean, s);
    buf_add_csv(b, buf_span(&clean));
}

static void print_csv(const struct check_run *c, struct buf *b)
{
    buf_add_text(b, "rule,impact,certainty,file,cell,line,column,end_line,end_column,message,why,"
                    "advice,gain,fix,fingerprint");
    buf_add_text(b, c->options->profile != NULL ? ",share,profile\n" : "\n");
    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        buf_addf(b, "%s,%s,%s,", f->rule->id, check_impacts[f->impact], check_certainties[f->certainty]);
        add_clean_field(b, span_of(f->path));
        buf_add_char(b, ',');
        if (f->cell > 0)
            buf_addf(b, "%u", f->cell);
        buf_addf(b, ",%u,%u,%u,%u,", f->line, f->column, f->end_line, f->end_column);
        const struct span parts[] = {f->message, f->why, f->advice, f->gain};
        for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
            add_clean_field(b, parts[k]);
            buf_add_char(b, ',');
        }
        if (f->n_edits > 0)
            add_clean_field(b, span_of(f->fix));
        buf_addf(b, ",%016" PRIx64, f->fingerprint);
        if (c->options->profile != NULL) {
            buf_add_char(b, ',');
            if (f->share >= 0)
                buf_addf(b, "%.4f", f->share);
            buf_add_char(b, ',');
            add_clean_field(b, f->profile);
        }
        buf_add_char(b, '\n');
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
    buf_add_text(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<title>ppmine check</title>\n<style>\n"
                    "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\n"
                    "pre{background:#f4f4f4;padding:.5em;overflow:auto}\n"
                    ".low{color:#555}.medium{color:#a50}.high{color:#b00}\n"
                    "dl{margin:0 0 1em 2em}dt{float:left;color:#555}dd{margin-left:9em}\n"
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
    static const char *const heads[] = {"Why", "Do this", "Gain measured", "Profile"};
    const char *last = NULL;

    begin_page(b);
    buf_addf(b, "<p>%zu findings in %zu files that use TensorFlow, Keras or PyTorch, of %zu.", c->n_findings,
             c->totals.parsed, c->totals.files);
    if (c->totals.more > 0)
        buf_addf(b, " %zu more: <code>--all</code> shows them.", c->totals.more);
    buf_add_text(b, "</p>\n");
    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        if (last == NULL || strcmp(last, f->path) != 0) {
            buf_add_text(b, "<h2>");
            table_escape_html(b, span_of(f->path));
            buf_add_text(b, "</h2>\n");
        }
        last = f->path;
        buf_addf(b, "<p><b class=\"%s\">%s %s%s</b> ", check_impacts[f->impact], f->rule->id, check_impacts[f->impact],
                 f->certainty == CHECK_CERTAIN ? "" : ", likely");
        if (f->cell > 0)
            buf_addf(b, "cell %u, ", f->cell);
        buf_addf(b, "line %u: ", f->line);
        table_escape_html(b, f->message);
        buf_add_text(b, "</p>\n");
        const struct span parts[] = {f->why, f->advice, f->gain, f->profile};
        buf_add_text(b, "<dl>\n");
        for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
            if (parts[k].len == 0)
                continue;
            buf_addf(b, "<dt>%s</dt><dd>", heads[k]);
            table_escape_html(b, parts[k]);
            buf_add_text(b, "</dd>\n");
        }
        buf_add_text(b, "</dl>\n");
        add_code(b, c, f);
    }
    buf_add_text(b, "</body>\n</html>\n");
}

void check_print(const struct check_run *c, enum check_format format, FILE *out)
{
    static void (*const printers[])(const struct check_run *, struct buf *) = {
        [CHECK_TEXT] = print_text,     [CHECK_JSON] = print_json, [CHECK_SARIF] = print_sarif,
        [CHECK_GITHUB] = print_github, [CHECK_CSV] = print_csv,   [CHECK_HTML] = print_html};
    struct buf b = {0};

    printers[format](c, &b);
    flush(&b, out);
}

/* --- statistics --- */

void check_print_statistics(const struct check_run *c, enum check_format format, FILE *out)
{
    struct buf b = {0};

    buf_add_text(&b, format == CHECK_JSON  ? "{\"version\":2,\"rules\":["
                     : format == CHECK_CSV ? "rule,name,high,medium,low,fixable\n"
                                           : "");
    for (size_t r = 0; r < n_rules; r++) {
        size_t by[3] = {0}, fixable = 0;
        for (const struct check_finding *f = c->findings; f < c->findings + c->n_findings; f++) {
            by[f->impact] += f->rule == &rules[r].about;
            fixable += f->rule == &rules[r].about && f->n_edits > 0;
        }
        const struct check_rule *rule = &rules[r].about;
        size_t low = by[CHECK_LOW], medium = by[CHECK_MEDIUM], high = by[CHECK_HIGH];
        if (low + medium + high == 0)
            continue;
        if (format == CHECK_JSON)
            buf_addf(&b,
                     "%s\n{\"rule\":\"%s\",\"name\":\"%s\",\"high\":%zu,\"medium\":%zu,\"low\":%zu,\"fixable\":%zu}",
                     b.ptr[b.len - 1] == '}' ? "," : "", rule->id, rule->name, high, medium, low, fixable);
        else if (format == CHECK_CSV)
            buf_addf(&b, "%s,%s,%zu,%zu,%zu,%zu\n", rule->id, rule->name, high, medium, low, fixable);
        else
            buf_addf(&b, "%s  %5zu high  %5zu medium  %5zu low  %5zu fixable  %s\n", rule->id, high, medium, low,
                     fixable, rule->summary);
    }
    if (format == CHECK_JSON)
        buf_add_text(&b, b.ptr[b.len - 1] == '}' ? "\n]}\n" : "]}\n");
    flush(&b, out);
}
