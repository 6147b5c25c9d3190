/* A run from its paths to its findings. */
#include "base/log.h"
#include "check/session/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void check_list_add(struct check_list *list, struct span item)
{
    list->items = array_room(list->items, list->n, 1, &list->capacity, sizeof *list->items);
    list->items[list->n++] = mem_text(item);
}

void check_list_split(struct check_list *list, const char *text)
{
    struct span rest = span_of(text), part;

    while (span_cut(&rest, ',', &part)) {
        part = span_trim(part);
        if (part.len > 0)
            check_list_add(list, part);
    }
}

void check_list_clear(struct check_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        mem_free(list->items[i]);
    mem_free(list->items);
    *list = (struct check_list){0};
}

void check_options_copy(struct check_options *to, const struct check_options *from)
{
    struct check_list *const lists[] = {&to->select, &to->ignore, &to->trust, &to->exclude, &to->per_file};

    *to = *from;
    to->given = NULL;
    to->folder = from->folder != NULL ? mem_text(span_of(from->folder)) : NULL;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct check_list items = *lists[i];
        *lists[i] = (struct check_list){0};
        for (size_t k = 0; k < items.n; k++)
            check_list_add(lists[i], span_of(items.items[k]));
    }
}

void check_options_clear(struct check_options *o)
{
    if (o->given != NULL)
        check_options_clear(o->given);
    mem_free(o->given);
    mem_free(o->folder);
    check_list_clear(&o->select);
    check_list_clear(&o->ignore);
    check_list_clear(&o->trust);
    check_list_clear(&o->exclude);
    check_list_clear(&o->per_file);
}

struct check_run *check_new(const struct check_options *o)
{
    struct check_run *c = mem_zero(1, sizeof *c);

    c->options = o;
    return c;
}

void check_free(struct check_run *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->n_sources; i++)
        source_clear(&c->sources[i]);
    mem_free(c->sources);
    options_free(c);
    mem_free(c->parsed);
    rule_findings_clear(&c->found);
    mem_free(c->findings);
    mem_free(c->hidden);
    mem_free(c->more);
    check_list_clear(&c->roots);
    check_list_clear(&c->walked);
    check_list_clear(&c->unread);
    check_list_clear(&c->unused);
    check_list_clear(&c->kept_entries);
    arena_clear(&c->arena);
    mem_free(c);
}

/* Relative to here where it is below, without "./". */
struct span check_shown(const char *path)
{
    static char here[4096];
    struct span s = span_of(path);

    if (getcwd(here, sizeof here - 1) != NULL) {
        size_t n = strlen(here);
        if (n > 1 && strncmp(path, here, n) == 0 && (path[n] == '/' || path[n] == '\0'))
            s = span_after(s, n + (path[n] == '/'));
    }
    while (span_starts(s, SPAN("./")))
        for (s = span_after(s, 2); span_starts(s, SPAN("/"));)
            s = span_after(s, 1);
    while (s.len > 1 && s.ptr[s.len - 1] == '/')
        s.len--;
    return s.len == 0 ? span_of(".") : s;
}

bool check_list_has(const struct check_list *list, const char *text)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

void check_add_project(struct check_run *c, const char *path)
{
    AT_END(buf_clear) struct buf root = {0};

    root_of(path, &root);
    if (root.len > 0 && !check_list_has(&c->roots, buf_cstr(&root)))
        check_list_add(&c->roots, buf_span(&root));
}

enum status check_add(struct check_run *c, const char *path, struct err *e)
{
    struct stat st;
    struct span shown = check_shown(path);
    AT_END(buf_clear) struct buf absolute = {0};

    if (stat(path, &st) != 0)
        return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    check_add_project(c, path);
    if (!S_ISDIR(st.st_mode)) {
        source_add(c, shown, true);
        return ST_OK;
    }
    check_absolute(path, &absolute);
    check_list_add(&c->walked, buf_span(&absolute));
    AT_END(mem_end) char *folder = mem_text(shown);
    walk_folder(c, folder, true);
    return ST_OK;
}

void check_add_content(struct check_run *c, const char *path, struct span content)
{
    struct source *s = source_add(c, check_shown(path), true);

    s->given = content;
    s->has_given = true;
}

void check_add_beside(struct check_run *c, const char *path, struct span content)
{
    check_add_content(c, path, content);
    c->sources[c->n_sources - 1].asked = false;
}

/* The rest of their projects is read for what it says of the files that were asked for. */
static void add_projects(struct check_run *c)
{
    for (size_t i = 0; i < c->roots.n; i++)
        if (!check_list_has(&c->walked, c->roots.items[i])) {
            AT_END(mem_end) char *shown = mem_text(check_shown(c->roots.items[i]));
            walk_folder(c, shown, false);
        }
}

static int by_path(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    int order = strcmp(x->absolute, y->absolute);

    if (order == 0)
        order = (int)y->has_given - (int)x->has_given;
    return order != 0 ? order : (int)y->asked - (int)x->asked;
}

/* In the order of paths; what was named twice stays once, given content before the disk's. */
static void order_sources(struct check_run *c)
{
    size_t kept = 0;

    if (c->n_sources > 1)
        qsort(c->sources, c->n_sources, sizeof *c->sources, by_path);
    for (size_t i = 0; i < c->n_sources; i++) {
        if (kept > 0 && strcmp(c->sources[kept - 1].absolute, c->sources[i].absolute) == 0) {
            c->sources[kept - 1].asked |= c->sources[i].asked;
            c->sources[kept - 1].walked |= c->sources[i].walked;
            source_clear(&c->sources[i]);
        } else {
            c->sources[kept++] = c->sources[i];
        }
    }
    c->n_sources = kept;
    for (size_t i = 0; i < kept && c->options->as_walked && c->roots.n > 0; i++)
        c->sources[i].asked &= c->sources[i].walked || access(c->sources[i].path, F_OK) != 0;
}

static void place(const struct source *s, struct rule_finding *found)
{
    const struct py_file *f = found->file;
    struct check_finding *out = &found->f;

    out->path = s->path;
    out->options = s->options;
    out->line = py_line(f, found->start);
    out->column = py_column(f, found->start);
    out->code = span_trim(py_line_text(f, out->line));
    out->end_line = py_line(f, found->end);
    out->end_column = py_column(f, found->end);
    if (s->cells != NULL && out->line <= s->n_cells) {
        const struct py_cell_line *first = &s->cells[out->line - 1];
        const struct py_cell_line *last = &s->cells[out->end_line - 1];
        out->n_edits = out->n_proposed = 0; /* fixes are for files of code */
        out->cell = first->cell;
        out->line = first->line;
        out->end_line = last->cell == first->cell ? last->line : first->line;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct rule_finding *x = *(const struct rule_finding *const *)a;
    const struct rule_finding *y = *(const struct rule_finding *const *)b;

    if (x->file->number != y->file->number)
        return x->file->number < y->file->number ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    int order = strcmp(x->f.rule->id, y->f.rule->id);
    return order != 0 ? order : (x->node > y->node) - (x->node < y->node);
}

/* What is left, and what comments took away. */
static void part(struct check_run *c)
{
    struct rule_findings *all = &c->found;
    size_t kept = 0;

    c->findings = mem_zero(all->n + 1, sizeof *c->findings);
    c->hidden = mem_zero(all->n + 1, sizeof *c->hidden); /* the baseline may fill it up */
    for (size_t i = 0; i < all->n; i++) {
        struct rule_finding *found = all->items[i];
        if (found->hidden) {
            c->hidden[c->n_hidden++] = found->f;
            continue;
        }
        c->findings[kept] = found->f;
        all->items[kept++] = found;
    }
    c->totals.suppressed = c->n_hidden;
    all->n = c->n_findings = kept;
}

/* With a profile, what takes time is shown whatever its level, and what takes none is not. */
static bool is_shown(struct check_run *c, const struct check_finding *f)
{
    const struct check_options *o = f->options;
    bool by_level = f->impact >= o->least && f->certainty >= o->surest;

    if (o->profile == NULL || o->levels_given || f->share < 0)
        return by_level;
    bool cold = f->certainty == CHECK_CERTAIN && f->share < 0.01;
    c->totals.cold += by_level && cold;
    return f->share >= 0.05 || (by_level && !cold);
}

/* Keeps what is to be shown, and lays the rest aside. */
static void part_by_level(struct check_run *c)
{
    size_t kept = 0;

    c->more = mem_zero(c->n_findings + 1, sizeof *c->more);
    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        if (is_shown(c, f))
            c->findings[kept++] = *f;
        else
            c->more[c->totals.more++] = *f;
    }
    c->n_findings = kept;
}

static void collect(struct check_run *c)
{
    struct rule_findings *all = &c->found;

    for (size_t i = 0; i < all->n; i++) {
        struct rule_finding *found = all->items[i];
        struct source *s = source_of(c, found->file);
        place(s, found);
        found->f.function = function_name(c, found);
        found->hidden = suppressed(s, found);
    }
    find_unused(c);
    if (all->n > 1)
        qsort(all->items, all->n, sizeof(struct rule_finding *), by_place);
    project_paths(c);
    fingerprints(c);
    part(c);
}

/* The rules, one after the other, over each file. */
static void run_rules(struct check_run *c, struct project *p)
{
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *f = fact_file(p, i);
        const struct source *s = source_of(c, f);
        why_not_ask(c, f);
        for (size_t k = 0; k < n_rules && s->asked; k++) {
            const struct check_rule *about = &rules[k].about;
            if ((s->uses & rules[k].uses) != 0 && source_wants(s, about))
                rule_look(&rules[k], p, f, rule_listed(&s->options->trust, about), &c->found);
        }
    }
    rule_add_gains(&c->found);
}

static enum status add_profile(struct check_run *c, struct project *p, struct err *e)
{
    struct profile profile;

    if (c->options->profile == NULL)
        return ST_OK;
    enum status status = profile_read(&profile, c->options->profile, c, e);
    THEN(status, profile_join(c, p, &profile, e));
    profile_clear(&profile);
    return status;
}

/* --- what a run read of a project for the sake of the files that it was asked for, kept for the next run --- */

struct check_kept {
    struct source *sources; /* in the order of their absolute paths */
    size_t n;
};

struct check_kept *check_kept_new(void)
{
    return mem_zero(1, sizeof(struct check_kept));
}

static void kept_clear(struct check_kept *k)
{
    for (size_t i = 0; i < k->n; i++)
        source_clear(&k->sources[i]);
    mem_free(k->sources);
    *k = (struct check_kept){0};
}

void check_kept_free(struct check_kept *k)
{
    if (k != NULL)
        kept_clear(k);
    mem_free(k);
}

void check_keep(struct check_run *c, struct check_kept *k)
{
    c->kept = k;
}

/* Takes from it what did not change since. */
static void kept_take(struct check_run *c)
{
    struct check_kept *k = c->kept;

    for (size_t i = 0; i < c->n_sources && k != NULL; i++) {
        struct source *s = &c->sources[i], *found;
        if (s->asked || s->has_given || stat(s->path, &s->stat) != 0)
            continue;
        found = source_at(k->sources, k->n, s->absolute);
        const struct stat *now = &s->stat, *then = found != NULL ? &found->stat : NULL;
        if (then == NULL || now->st_ino != then->st_ino || now->st_dev != then->st_dev ||
            now->st_size != then->st_size || now->st_mtim.tv_sec != then->st_mtim.tv_sec ||
            now->st_mtim.tv_nsec != then->st_mtim.tv_nsec)
            continue;
        struct source fresh = *s; /* an exchange: what is left in k is freed with it */
        *s = *found;
        *found = fresh;
    }
}

static void kept_leave(struct check_run *c)
{
    struct check_kept *k = c->kept;
    size_t asked = 0;

    if (k == NULL)
        return;
    kept_clear(k);
    k->sources = mem_zero(c->n_sources + 1, sizeof *k->sources);
    for (size_t i = 0; i < c->n_sources; i++)
        if (c->sources[i].asked || c->sources[i].has_given)
            c->sources[asked++] = c->sources[i];
        else
            k->sources[k->n++] = c->sources[i];
    c->n_sources = asked;
}

enum status check_go(struct check_run *c, struct err *e)
{
    static const enum mode modes[] = {
        [CHECK_TARGET_ANY] = MODE_UNKNOWN, [CHECK_TARGET_TF1] = MODE_GRAPH, [CHECK_TARGET_TF2] = MODE_EAGER};
    AT_END(mem_end) struct py_file **files = NULL;

    add_projects(c);
    order_sources(c);
    enum status status = options_give(c, e);
    if (status != ST_OK)
        return status;
    why_not_find(c);
    kept_take(c);
    sources_read(c);
    struct span base = roots_common(c);
    files = mem_zero(c->n_sources + 1, sizeof(struct py_file *));
    c->parsed = mem_zero(c->n_sources + 1, sizeof *c->parsed);
    for (size_t i = 0; i < c->n_sources; i++) {
        struct source *s = &c->sources[i];
        bool parsed = s->uses != 0 && s->file.n_nodes > 0;
        c->totals.files += s->asked;
        c->totals.parsed += s->asked && parsed;
        c->totals.unreadable += s->asked && s->failed;
        if (s->left_out || (s->asked && s->failed))
            log_warn("%s", s->why.text);
        s->left_out = false;
        if (!parsed)
            continue;
        bool inside = base.len > 0 && span_starts(span_of(s->absolute), base) && s->absolute[base.len] == '/';
        s->file.path = inside ? s->absolute + base.len + 1 : s->path;
        c->parsed[c->n_parsed] = (uint32_t)i;
        files[c->n_parsed++] = &s->file;
    }
    struct project *p = project_new(files, c->n_parsed, modes[c->options->target]);
    project_release(p, release_of(&c->roots));
    run_rules(c, p);
    status = add_profile(c, p, e);
    collect(c);
    if (c->options->why_not != NULL)
        why_not_know(c, p);
    project_free(p);
    if (status == ST_OK && c->options->baseline != NULL)
        status = baseline_apply(c, e);
    part_by_level(c);
    if (c->options->profile != NULL)
        profile_order(c);
    kept_leave(c);
    return status;
}

const struct check_finding *check_findings(const struct check_run *c, size_t *n)
{
    *n = c->n_findings;
    return c->findings;
}

const struct check_finding *check_more(const struct check_run *c, size_t *n)
{
    *n = c->totals.more;
    return c->more;
}

const struct check_finding *check_hidden(const struct check_run *c, size_t *n, size_t *n_comments)
{
    *n = c->n_hidden;
    *n_comments = c->totals.suppressed;
    return c->hidden;
}

const char *check_unread(const struct check_run *c, size_t i)
{
    for (size_t k = 0; k < c->n_sources; k++)
        if (c->sources[k].failed && c->sources[k].asked && i-- == 0)
            return c->sources[k].project_path;
    return i < c->unread.n ? c->unread.items[i] : NULL;
}

struct check_totals check_totals(const struct check_run *c)
{
    return c->totals;
}
