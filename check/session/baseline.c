/* Fingerprints, and findings that were there before. */
#include "base/csv.h"
#include "base/files.h"
#include "check/session/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { BASELINE_BYTES_MAX = 64 << 20 };

static const char *const columns[] = {"fingerprint", "rule", "file", "message"};

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

/* Of the rule, the file, the functions and classes around it, and the code itself: what stays when
 * lines move. */
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

struct numbered {
    uint64_t value;
    size_t at;
};

static int by_value(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

void fingerprints(struct check_run *c)
{
    AT_END(mem_end) struct numbered *all = mem_zero(c->found.n + 1, sizeof *all);

    for (int in_project = 0; in_project < 2; in_project++) {
        uint64_t twins = 0;
        for (size_t i = 0; i < c->found.n; i++) {
            const struct check_finding *f = &c->found.items[i]->f;
            const char *path = in_project ? f->project_path : f->path;
            all[i] = (struct numbered){fingerprint(c->found.items[i], path), i};
        }
        if (c->found.n > 1)
            qsort(all, c->found.n, sizeof *all, by_value);
        /* The second of two that are alike gets another than the first, also when a comment hides that one. */
        for (size_t i = 0; i < c->found.n; i++) {
            struct check_finding *f = &c->found.items[all[i].at]->f;
            twins = i > 0 && all[i].value == all[i - 1].value ? twins + 1 : 0;
            uint64_t value = all[i].value + twins * 0x9E3779B97F4A7C15U;
            *(in_project ? &f->project_fingerprint : &f->fingerprint) = value;
        }
    }
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

struct fingerprints ARRAY_OF(uint64_t);

static enum status read_baseline(const char *path, struct fingerprints *known, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0};
    struct csv_reader r;
    size_t at[ARRAY_LEN(columns)];
    enum status status = file_read(path, BASELINE_BYTES_MAX, &content, e);

    if (status != ST_OK)
        return status;
    csv_open(&r, buf_span(&content), path);
    status = csv_header(&r, columns, ARRAY_LEN(columns), at, e);
    while (status == ST_OK && (status = csv_record(&r, e)) == ST_OK) {
        struct span field = r.fields.at[at[0]];
        char digits[17] = "";
        if (span_is_hex(field) && field.len == 16)
            array_add(known, strtoull(memcpy(digits, field.ptr, 16), NULL, 16));
        else
            status = err_set(e, ST_INPUT, "%s:%zu: '%.*s' is not a fingerprint of 16 digits", path, r.line,
                             SPAN_ARG(field));
    }
    csv_close(&r);
    return status == ST_NO ? ST_OK : status;
}

enum status baseline_apply(struct check_run *c, struct err *e)
{
    AT_END(array_end) struct fingerprints known = {0};
    size_t kept = 0;
    enum status status = read_baseline(c->options->baseline, &known, e);

    if (status == ST_OK && known.n > 0) {
        array_sort(&known, by_number);
        for (size_t i = 0; i < c->n_findings; i++) {
            uint64_t wanted = c->findings[i].fingerprint;
            if (bsearch(&wanted, known.at, known.n, sizeof *known.at, by_number) != NULL)
                c->hidden[c->n_hidden++] = c->findings[i];
            else
                c->findings[kept++] = c->findings[i];
        }
        c->totals.baselined = c->n_findings - kept;
        c->n_findings = kept;
    }
    return status;
}

static void add_rows(struct buf *out, const struct check_finding *f, size_t n)
{
    for (const struct check_finding *end = f + n; f < end; f++) {
        buf_addf(out, "%016" PRIx64 ",%s,", f->fingerprint, f->rule->id);
        add_clean_field(out, span_of(f->path));
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
    struct stat info;
    bool is_file = stat(path, &info) != 0 || S_ISREG(info.st_mode);
    return is_file ? file_replace(path, buf_span(&out), e) : file_write(path, false, buf_span(&out), path, e);
}
