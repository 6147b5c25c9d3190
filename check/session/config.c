/* [tool.ppmine] of pyproject.toml: the part of TOML 1.0 that it needs, and enough more to skip other tables. */
#include "base/files.h"
#include "base/log.h"
#include "check/session/run.h"

#include <unistd.h>

enum { CONFIG_BYTES_MAX = 4 << 20 };

const char *const check_fail_levels[] = {"low", "medium", "high", "never", NULL};

struct config {
    struct check_options *o;
    struct span text;
    size_t at;
    const char *path;
    struct err *e;
    struct buf table; /* the name of the one that is read, with a dot behind it */
    /* Lists that the command line gave win over the file's. */
    bool has_select, has_target;
    bool is_ours; /* it has a table of ours */
};

static enum status wrong(struct config *c, const char *what)
{
    size_t line = 1;

    for (size_t i = 0; i < c->at && i < c->text.len; i++)
        line += c->text.ptr[i] == '\n';
    return err_set(c->e, ST_INPUT, "%s:%zu: [tool.ppmine]: %s", c->path, line, what);
}

static char here(const struct config *c)
{
    return c->at < c->text.len ? c->text.ptr[c->at] : '\0';
}

static bool at_string(const struct config *c)
{
    return here(c) == '"' || here(c) == '\'';
}

/* Blanks; comments and line ends too when `lines`. */
static void skip(struct config *c, bool lines)
{
    for (; c->at < c->text.len; c->at++) {
        char ch = here(c);
        if (ch == '#') {
            while (c->at + 1 < c->text.len && c->text.ptr[c->at + 1] != '\n')
                c->at++;
            continue;
        }
        if (strchr(" \t\r\n", ch) == NULL || ch == '\0' || (ch == '\n' && !lines))
            return;
    }
}

static bool begins(const struct config *c, const char *text)
{
    size_t n = strlen(text);

    return c->text.len - c->at >= n && memcmp(c->text.ptr + c->at, text, n) == 0;
}

/* A string in quotes of any of the four kinds; escapes other than \" and \\ stay as they are. */
static bool take_string(struct config *c, struct buf *out)
{
    char quote = here(c);
    const char *three = quote == '"' ? "\"\"\"" : "'''";
    bool is_long = begins(c, three);

    buf_reset(out);
    c->at += is_long ? 3 : 1;
    while (c->at < c->text.len) {
        if (is_long ? begins(c, three) : here(c) == quote) {
            c->at += is_long ? 3 : 1;
            return true;
        }
        if (!is_long && here(c) == '\n')
            return false;
        if (quote == '"' && here(c) == '\\' && c->at + 1 < c->text.len)
            c->at++;
        buf_add_char(out, c->text.ptr[c->at++]);
    }
    return false;
}

static bool take_key(struct config *c, struct buf *out)
{
    buf_reset(out);
    for (;;) {
        skip(c, false);
        if (at_string(c)) {
            AT_END(buf_clear) struct buf part = {0};
            bool fine = take_string(c, &part);
            buf_add_span(out, buf_span(&part));
            if (!fine)
                return false;
        } else {
            size_t start = c->at;
            while (c->at < c->text.len && strchr(" \t\r\n=.]#\"'", here(c)) == NULL)
                buf_add_char(out, c->text.ptr[c->at++]);
            if (c->at == start)
                return false;
        }
        skip(c, false);
        if (here(c) != '.')
            return true;
        buf_add_char(out, '.');
        c->at++;
    }
}

/* Steps over any value. */
static bool skip_value(struct config *c)
{
    AT_END(buf_clear) struct buf ignored = {0};
    int depth = 0;

    while (c->at < c->text.len) {
        char ch = here(c);
        if (at_string(c)) {
            if (!take_string(c, &ignored))
                return false;
        } else if (ch == '#' && depth > 0) {
            skip(c, true);
        } else {
            depth += (ch == '[' || ch == '{') - (ch == ']' || ch == '}');
            if (depth < 0 || (depth == 0 && (ch == '\n' || ch == '#')))
                break;
            c->at++;
        }
    }
    return true;
}

/* A list of strings, or one string, into *list. */
static enum status take_list(struct config *c, struct check_list *list)
{
    static const char expected[] = "a list of strings is expected, such as [\"PP301\"]";
    AT_END(buf_clear) struct buf item = {0};

    if (at_string(c)) {
        if (!take_string(c, &item))
            return wrong(c, "a string is not closed");
        check_list_split(list, buf_cstr(&item));
        return ST_OK;
    }
    if (here(c) != '[')
        return wrong(c, expected);
    c->at++;
    for (skip(c, true); here(c) != ']'; skip(c, true)) {
        if (!at_string(c) || !take_string(c, &item))
            return wrong(c, expected);
        check_list_add(list, buf_span(&item));
        skip(c, true);
        c->at += here(c) == ',';
    }
    c->at++;
    return ST_OK;
}

static enum status take_choice(struct config *c, const char *const *choices, const char *what, size_t *index)
{
    AT_END(buf_clear) struct buf value = {0};

    if (!at_string(c) || !take_string(c, &value))
        return wrong(c, what);
    for (size_t i = 0; choices[i] != NULL; i++)
        if (span_eq(buf_span(&value), span_of(choices[i]))) {
            *index = i;
            return ST_OK;
        }
    return wrong(c, what);
}

static enum status known(struct config *c, const struct check_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct err e;
        if (check_rule_known(list->items[i], &e) != ST_OK)
            return wrong(c, e.text);
    }
    return ST_OK;
}

/* A pattern and its rules: "tests/" = ["PP301"]. */
static enum status per_file(struct config *c, struct span pattern)
{
    AT_END(check_list_clear) struct check_list listed = {0};
    enum status status = take_list(c, &listed);

    for (size_t i = 0; i < listed.n; i++) {
        check_list_add(&c->o->per_file, pattern);
        check_list_add(&c->o->per_file, span_of(listed.items[i]));
    }
    return status == ST_OK ? known(c, &listed) : status;
}

/* per-file-ignores = { "tests/" = ["PP301"] } */
static enum status inline_per_file(struct config *c)
{
    static const char expected[] = "per-file-ignores is a table of patterns and lists of rules";
    AT_END(buf_clear) struct buf key = {0};

    if (here(c) != '{')
        return wrong(c, expected);
    c->at++;
    for (skip(c, true); here(c) != '}'; skip(c, true)) {
        if (!take_key(c, &key) || here(c) != '=')
            return wrong(c, expected);
        c->at++;
        skip(c, true);
        enum status status = per_file(c, buf_span(&key));
        if (status != ST_OK)
            return status;
        skip(c, true);
        c->at += here(c) == ',';
    }
    c->at++;
    return ST_OK;
}

/* target = "tf2", and what is shown or fails, from these on: impact = "low", certainty = "likely", fail-on = "medium".
 * false: the key is none of them. What the command line gave stays. */
static bool take_level(struct config *c, struct span key, enum status *status)
{
    static const char *const targets[] = {"any", "tf1", "tf2", NULL};
    struct check_options *o = c->o;
    size_t index = 0;

    if (span_eq(key, SPAN("target"))) {
        *status = take_choice(c, targets, "target is \"tf1\", \"tf2\" or \"any\"", &index);
        o->target = *status == ST_OK && !c->has_target ? (enum check_target)index : o->target;
    } else if (span_eq(key, SPAN("impact"))) {
        *status = take_choice(c, check_impacts, "impact is \"low\", \"medium\" or \"high\"", &index);
        o->least = *status == ST_OK && !o->levels_given ? (enum check_impact)index : o->least;
    } else if (span_eq(key, SPAN("certainty"))) {
        *status = take_choice(c, check_certainties, "certainty is \"likely\" or \"certain\"", &index);
        o->surest = *status == ST_OK && !o->levels_given ? (enum check_certainty)index : o->surest;
    } else if (span_eq(key, SPAN("fail-on"))) {
        *status = take_choice(c, check_fail_levels, "fail-on is \"low\", \"medium\", \"high\" or \"never\"", &index);
        o->fail_on = *status == ST_OK ? 1 + (unsigned)index : o->fail_on;
    } else {
        return false;
    }
    return true;
}

static enum status set_option(struct config *c, struct span key)
{
    struct check_options *o = c->o;
    const struct {
        const char *key;
        struct check_list *list;
        bool given;
    } lists[] = {{"select", &o->select, c->has_select},
                 {"ignore", &o->ignore, false},
                 {"trust", &o->trust, false},
                 {"exclude", &o->exclude, false}};
    enum status status;

    if (take_level(c, key, &status))
        return status;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        if (!span_eq(key, span_of(lists[i].key)))
            continue;
        if (lists[i].given)
            return skip_value(c) ? ST_OK : wrong(c, "a string is not closed");
        status = take_list(c, lists[i].list);
        return status == ST_OK && lists[i].list != &o->exclude ? known(c, lists[i].list) : status;
    }
    if (span_eq(key, SPAN("per-file-ignores")))
        return inline_per_file(c);
    if (span_starts(key, SPAN("per-file-ignores.")))
        return per_file(c, span_after(key, 17));
    return wrong(c, "only select, ignore, trust, exclude, target, impact, certainty, fail-on and"
                    " per-file-ignores are known");
}

/* One table header, or one key and its value. Outside our tables nothing is wrong. */
static enum status read_entry(struct config *c, struct buf *key)
{
    static const struct span ours = {"tool.ppmine.", 12};

    if (here(c) == '[') {
        bool many = begins(c, "[[");
        c->at += many ? 2 : 1;
        bool named = take_key(c, key) && !many;
        buf_set(&c->table, named ? buf_span(key) : SPAN("[]"));
        buf_add_char(&c->table, '.');
        c->is_ours = c->is_ours || span_starts(buf_span(&c->table), ours);
        while (c->at < c->text.len && here(c) != '\n')
            c->at++;
        return ST_OK;
    }
    AT_END(buf_clear) struct buf whole = {0};
    bool fine = take_key(c, key) && here(c) == '=';
    buf_set(&whole, buf_span(&c->table));
    buf_add_span(&whole, buf_span(key));
    if (fine) {
        c->at++;
        skip(c, false);
    }
    c->is_ours = c->is_ours || span_starts(buf_span(&whole), ours);
    if (span_starts(buf_span(&whole), ours) && fine)
        return set_option(c, span_after(buf_span(&whole), ours.len));
    if (span_starts(buf_span(&whole), ours) || span_eq(buf_span(&whole), SPAN("tool.ppmine")))
        return wrong(c, fine ? "write it as a table with a header" : "NAME = VALUE is expected");
    if (!fine || !skip_value(c))
        while (c->at < c->text.len && here(c) != '\n')
            c->at++;
    return ST_OK;
}

/* Reads the file at `path`, if there is one; *ours: it has a table of ours. */
static enum status read_config(struct check_options *o, const char *path, bool *ours, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0}, key = {0};

    if (access(path, R_OK) != 0)
        return ST_OK;
    AT_END(mem_end) char *shown = mem_text(check_shown(path));
    enum status status = file_read_regular(path, CONFIG_BYTES_MAX, &content, e);
    struct config c = {
        .o = o,
        .text = buf_span(&content),
        .at = span_starts(buf_span(&content), SPAN("\xEF\xBB\xBF")) ? 3 : 0,
        .path = shown,
        .e = e,
        .has_select = o->select.n > 0,
        .has_target = o->target != CHECK_TARGET_ANY,
    };
    for (skip(&c, true); status == ST_OK && c.at < c.text.len; skip(&c, true))
        status = read_entry(&c, &key);
    buf_clear(&c.table);
    *ours = c.is_ours;
    return status;
}

enum status check_configure(struct check_options *o, const char *folder, struct err *e)
{
    AT_END(buf_clear) struct buf path = {0};
    enum status status = ST_OK;
    bool ours = false;

    o->given = mem_zero(1, sizeof *o->given);
    check_options_copy(o->given, o);
    check_absolute(folder, &path);
    for (bool top = false; status == ST_OK && !ours && !top; top = path.len == 0) {
        size_t len = path.len;
        buf_add_text(&path, "/pyproject.toml");
        status = read_config(o, buf_cstr(&path), &ours, e);
        path.len = len;
        if (ours)
            o->folder = mem_text(buf_span(&path));
        while (path.len > 0 && path.ptr[--path.len] != '/')
            ;
    }
    return status;
}

/* --- one for each file --- */

/* NULL: the folder has no table of ours. */
static const struct check_options *own(struct check_run *c, struct span folder)
{
    AT_END(mem_end) char *path = mem_addf("%.*s/pyproject.toml", SPAN_ARG(folder));
    struct err e;
    bool ours = false;

    if (c->options->folder != NULL && span_eq(span_of(c->options->folder), folder))
        return c->options;
    if (access(path, R_OK) != 0)
        return NULL;
    struct check_options *o = mem_zero(1, sizeof *o);
    check_options_copy(o, c->options->given);
    enum status status = read_config(o, path, &ours, &e);
    o->folder = mem_text(folder);
    array_add(&c->configs, {.options = o});
    if (status != ST_OK && c->wrong == ST_OK) {
        c->wrong = status;
        c->why_wrong = e;
    }
    return ours ? o : NULL;
}

const struct check_options *options_near(struct check_run *c, struct span folder)
{
    const struct near_map_entry *known = near_map_find(&c->near, folder);
    struct near_map_entry *entry;

    if (known != NULL || c->options->given == NULL)
        return known != NULL ? known->value : c->options;
    const struct check_options *near = own(c, folder);
    const char *slash = folder.len > 0 ? memrchr(folder.ptr, '/', folder.len) : NULL;
    if (near == NULL && slash != NULL && slash > folder.ptr) /* that of / itself is nobody's, see check_configure */
        near = options_near(c, (struct span){folder.ptr, (size_t)(slash - folder.ptr)});
    else if (near == NULL)
        near = c->options->folder == NULL ? c->options : c->options->given;
    near_map_add(&c->near, arena_copy(&c->arena, folder), &entry);
    entry->value = near;
    return near;
}

enum status options_give(struct check_run *c, struct err *e)
{
    for (size_t i = 0; i < c->n_sources; i++) {
        struct source *s = &c->sources[i];
        const char *slash = strrchr(s->absolute, '/');
        if (s->asked)
            s->options = options_near(c, (struct span){s->absolute, slash != NULL ? (size_t)(slash - s->absolute) : 0});
    }
    for (size_t k = 0; k < c->configs.n; k++) {
        const struct check_options *o = c->configs.at[k].options;
        bool used = false;
        for (size_t i = 0; i < c->n_sources && o->target != c->options->target && !used; i++)
            used = c->sources[i].asked && c->sources[i].options == o;
        if (used)
            log_warn("%.*s/pyproject.toml: its target is not used: a run has one target; check this folder by itself",
                     SPAN_ARG(check_shown(o->folder)));
    }
    if (c->wrong == ST_OK)
        return ST_OK;
    if (!c->options->as_walked)
        return err_set(e, c->wrong, "%s", c->why_wrong.text);
    log_warn("%s", c->why_wrong.text); /* an editor shows what it can */
    return ST_OK;
}

void options_free(struct check_run *c)
{
    for (size_t i = 0; i < c->configs.n; i++) {
        check_options_clear(c->configs.at[i].options);
        mem_free(c->configs.at[i].options);
    }
    array_clear(&c->configs);
    near_map_clear(&c->near);
}
