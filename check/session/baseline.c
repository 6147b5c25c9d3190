/* Fingerprints, and findings that were there before. */
#include "base/csv.h"
#include "base/files.h"
#include "base/output_file.h"
#include "base/visible.h"
#include "check/session/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BASELINE_BYTES_MAX = 64 << 20 };

static const char *const columns[] = {"fingerprint", "rule", "file", "message"};

#define MAP_NAME twins_map /* how many were alike so far */
#define MAP_KEY uint64_t
#define MAP_VALUE uint64_t
#include "base/map.h"

struct entry {
    struct span rule, file, row; /* in the arena of the run */
    size_t line;
    bool used;
};

#define MAP_NAME entry_map
#define MAP_KEY uint64_t /* a fingerprint */
#define MAP_VALUE struct entry
#include "base/map.h"

#define MAP_NAME file_set
#define MAP_KEY struct span
#include "base/map.h"

/* FNV-1a, 64 bits (Fowler, Noll, Vo); blanks do not count. */
static void mix(uint64_t *hash, struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\')
            continue;
        *hash = (*hash ^ c) * 0x100000001B3U;
    }
    *hash = (*hash ^ 0xFFU) * 0x100000001B3U;
}

/* Of the rule, the file, the functions and classes around it, and the code itself: what stays when lines move. */
static uint64_t fingerprint(const struct rule_finding *found, const char *path)
{
    uint64_t h = 0xCBF29CE484222325U;
    const struct py_file *f = found->file;

    const struct check_rule *rule = found->f.rule;
    mix(&h, span_of(rule->split_from != NULL ? rule->split_from : rule->id));
    mix(&h, span_of(path));
    for (uint32_t n = found->node; n != 0; n = py_parent(f, n)) {
        uint32_t name = py_kind(f, n) == PY_FUNCTION || py_kind(f, n) == PY_CLASS ? py_child(f, n, FIELD_NAME) : 0;
        if (name != 0)
            mix(&h, py_text(f, name));
    }
    mix(&h, (struct span){f->code.ptr + found->start, found->end - found->start});
    return h;
}

/* The second of two that are alike gets another than the first, also when a comment hides that one. */
static uint64_t numbered(uint64_t value, uint64_t twins)
{
    return value + twins * 0x9E3779B97F4A7C15U;
}

void fingerprints(struct check_run *c)
{
    AT_END(twins_map_clear) struct twins_map twins = {0};

    for (size_t i = 0; i < c->found.n; i++) {
        struct rule_finding *found = c->found.items[i];
        struct twins_map_entry *before;
        uint64_t value = fingerprint(found, found->f.project_path);
        twins_map_add(&twins, value, &before);
        found->f.fingerprint = numbered(value, before->value++);
    }
}

/* --- the baseline --- */

static enum status read_baseline(struct check_run *c, struct entry_map *known, struct err *e)
{
    const char *path = c->options->baseline;
    AT_END(buf_clear) struct buf content = {0};
    struct csv_reader r;
    enum status status = file_read(path, BASELINE_BYTES_MAX, &content, e);

    if (status != ST_OK)
        return status;
    csv_open(&r, buf_span(&content), path);
    while (csv_walk(&r, columns, ARRAY_LEN(columns), &status, e)) {
        struct span field = r.fields.at[r.columns[0]];
        struct entry_map_entry *entry;
        char digits[17] = "";
        if (!span_is_hex(field) || field.len != 16)
            status = err_set(e, ST_INPUT, "%s:%zu: '%.*s' is not a fingerprint of 16 digits", path, r.line,
                             SPAN_ARG(field));
        else if (entry_map_add(known, strtoull(memcpy(digits, field.ptr, 16), NULL, 16), &entry))
            entry->value = (struct entry){.rule = arena_copy(&c->arena, r.fields.at[r.columns[1]]),
                                          .file = arena_copy(&c->arena, r.fields.at[r.columns[2]]),
                                          .row = arena_copy(&c->arena, r.row),
                                          .line = r.line};
    }
    return status;
}

static bool use(struct entry_map *known, const struct check_finding *f)
{
    struct entry_map_entry *entry = entry_map_find(known, f->fingerprint);

    if (entry != NULL)
        entry->value.used = true;
    return entry != NULL;
}

/* Where the file of an entry is now: a source, or NULL. *there: or another file that is on disk. */
static const struct source *file_of(const struct check_run *c, struct span file, bool *there)
{
    const struct source *found = NULL;

    *there = false;
    for (size_t i = 0; i <= c->roots.n && found == NULL; i++) {
        const char *root = i < c->roots.n ? c->roots.items[i] : c->options->root;
        AT_END(mem_end) char *path = mem_addf("%s/%.*s", root != NULL ? root : "", SPAN_ARG(file));
        *there = *there || access(path, F_OK) == 0;
        found = source_at(c->sources, c->n_sources, path);
    }
    return found;
}

/* Is one path the end of the other? It is where the same file is seen from another top folder. */
static bool may_be_same(struct span a, struct span b)
{
    struct span longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;

    return span_ends(longer, shorter) && (longer.len == shorter.len || longer.ptr[longer.len - shorter.len - 1] == '/');
}

/* Entries of moved files, or from another top folder, fit their fingerprint in files that the baseline does not
 * name. */
static void use_moved(const struct check_run *c, struct entry_map *known, bool *fits)
{
    AT_END(file_set_clear) struct file_set named = {0};

    for (size_t i = 0; i < known->n; i++)
        file_set_add(&named, known->at[i].value.file, NULL);
    for (size_t i = 0; i < known->n; i++) {
        AT_END(mem_end) char *file = mem_text(known->at[i].value.file);
        bool there;
        if (known->at[i].value.used)
            continue;
        bool gone = file_of(c, span_of(file), &there) == NULL && !there;
        for (size_t k = 0; k < c->n_findings; k++) {
            const struct rule_finding *found = c->found.items[k];
            struct span now = span_of(found->f.project_path);
            struct entry_map_entry *entry = NULL;
            if (fits[k] || file_set_has(&named, now) || !(gone || may_be_same(span_of(file), now)))
                continue;
            uint64_t value = fingerprint(found, file);
            for (uint64_t twins = 0; (entry = entry_map_find(known, numbered(value, twins))) != NULL; twins++)
                if (!entry->value.used)
                    break;
            fits[k] = entry != NULL;
            if (entry != NULL)
                entry->value.used = true;
        }
    }
}

/* Says of the entries that fit nothing which do not, although their files and rules were looked at. The others are kept. */
static void part_unused(struct check_run *c, const struct entry_map *known)
{
    bool whole = true, ours = false, there = false; /* ours: it was written for this project, not one around it */

    for (size_t i = 0; i < c->roots.n; i++)
        whole = whole && check_list_has(&c->walked, c->roots.items[i]);
    for (size_t i = 0; i < known->n && !ours; i++) {
        (void)file_of(c, known->at[i].value.file, &there);
        ours = there;
    }
    for (size_t i = 0; i < known->n; i++) {
        const struct entry *entry = &known->at[i].value;
        AT_END(mem_end) char *file = mem_text(entry->file);
        AT_END(buf_clear) struct buf text = {0};
        const struct check_rule *rule = check_rule_find(entry->rule);
        if (entry->used)
            continue;
        const struct source *s = file_of(c, entry->file, &there);
        bool looked = s != NULL ? s->asked && !s->failed : whole && ours && !there;
        bool wanted = rule == NULL ||
                      (looked && s != NULL ? source_wants(s, rule) : rule_wanted(c->options, rule, file));
        if (!looked || !wanted) {
            check_list_add(&c->kept_entries, entry->row);
            continue;
        }
        buf_addf_clean(&text, "%s:%zu: this entry hides nothing: %.*s in %s", c->options->baseline, entry->line,
                       SPAN_ARG(entry->rule), file);
        check_list_add(&c->unused, buf_span(&text));
    }
}

enum status baseline_apply(struct check_run *c, struct err *e)
{
    AT_END(entry_map_clear) struct entry_map known = {0};
    AT_END(mem_end) bool *fits = mem_zero(c->n_findings + 1, sizeof *fits);
    size_t kept = 0;
    enum status status = read_baseline(c, &known, e);

    if (status != ST_OK)
        return status;
    for (size_t i = 0; i < c->n_findings; i++)
        fits[i] = use(&known, &c->findings[i]);
    for (size_t i = 0; i < c->n_hidden; i++)
        (void)use(&known, &c->hidden[i]);
    use_moved(c, &known, fits);
    part_unused(c, &known);
    for (size_t i = 0; i < c->n_findings; i++)
        if (fits[i])
            c->hidden[c->n_hidden++] = c->findings[i];
        else
            c->findings[kept++] = c->findings[i];
    c->totals.baselined = c->n_findings - kept;
    c->n_findings = kept;
    return ST_OK;
}

static void add_rows(struct buf *out, const struct check_finding *f, size_t n)
{
    for (const struct check_finding *end = f + n; f < end; f++) {
        buf_addf(out, "%016" PRIx64 ",%s,", f->fingerprint, f->rule->id);
        add_clean_field(out, span_of(f->project_path));
        buf_add_char(out, ',');
        add_clean_field(out, f->message);
        buf_add_char(out, '\n');
    }
}

enum status check_write_baseline(const struct check_run *c, const char *path, struct err *e)
{
    AT_END(buf_clear) struct buf out = {0};

    buf_add_text(&out, "fingerprint,rule,file,message\n");
    add_rows(&out, c->findings, c->n_findings);
    add_rows(&out, c->more, c->totals.more);
    add_rows(&out, c->hidden + c->totals.suppressed, c->totals.baselined); /* what is known stays so */
    for (size_t i = 0; i < c->kept_entries.n; i++)
        buf_addf(&out, "%s\n", c->kept_entries.items[i]);
    struct stat info;
    bool is_file = stat(path, &info) != 0 || S_ISREG(info.st_mode);
    return is_file ? output_file_write(path, OUTPUT_REPLACE, buf_span(&out), e)
                   : file_write(path, false, buf_span(&out), path, e);
}
