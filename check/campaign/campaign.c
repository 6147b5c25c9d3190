/* campaign: what check found in projects, kept in the database. */
#include "base/day.h"
#include "check/campaign/findings.h"
#include "check/campaign/campaign.h"
#include "check/campaign/git.h"
#include "base/utf8.h"

#include <stdlib.h>

enum { NAME_MAX_BYTES = 200, COMMIT_MIN = 7 };

void check_store_clear(struct check_store *s)
{
    buf_clear(&s->root);
    buf_clear(&s->project);
    buf_clear(&s->url);
    buf_clear(&s->commit);
}

/* --- which project, which version --- */

static bool is_name(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' || s.ptr[i] == 0x7f)
            return false;
    return s.len > 0 && s.len <= NAME_MAX_BYTES && span_trim(s).len == s.len && utf8_valid_prefix(s) == s.len;
}

static enum status MUST_USE check_name(const char *option, struct span s, struct err *e)
{
    if (is_name(s))
        return ST_OK;
    return err_set(e, ST_USAGE,
                   "check: --%s '%.*s': expected one line of 1 to %d bytes of UTF-8 without blanks around it", option,
                   s.len < NAME_MAX_BYTES ? (int)s.len : NAME_MAX_BYTES, s.len > 0 ? s.ptr : "", NAME_MAX_BYTES);
}

/* --commit is the version as given, but a prefix of .git's hash becomes the whole hash. Without .git, or with another
 * --commit, the project's top is the checked folder: an unpacked package may be inside somebody's repository. */
static enum status MUST_USE find_version(struct check_store *s, const struct check_place *p, struct err *e)
{
    const char *given = p->commit;
    AT_END(buf_clear) struct buf folder = {0};
    struct err why = {0};

    check_common_folder(p->paths, p->n_paths, &folder);
    bool has_git = git_top(buf_cstr(&folder), &s->root);
    enum status status = has_git ? git_commit(buf_cstr(&s->root), &s->commit, &why) : ST_INPUT;
    if (given != NULL &&
        (status != ST_OK || strlen(given) < COMMIT_MIN || !span_starts(buf_span(&s->commit), span_of(given)))) {
        buf_set(&s->commit, span_of(given));
        if (!has_git || status == ST_OK)
            buf_set(&s->root, buf_span(&folder));
        status = check_name("commit", span_of(given), e);
    } else if (!has_git) {
        status = err_set(e, ST_USAGE,
                         "check: which version is this? There is no .git at %s or above:"
                         " give --commit with a hash or the version of the package",
                         buf_cstr(&folder));
    } else if (status != ST_OK) {
        *e = why;
    }
    return status;
}

enum status check_store_begin(struct check_store *s, const struct check_place *p, struct check_options *o,
                              struct err *e)
{
    for (size_t i = 0; i < p->n_paths; i++)
        if (strcmp(p->paths[i], "-") == 0)
            return err_set(e, ST_USAGE,
                           "check: a database keeps what is found in the files of a project, not in standard input");
    if (p->date != NULL && !day_or_time_read(span_of(p->date), s->code_at))
        return err_set(e, ST_USAGE, "check: --date '%s': expected 2021-03-04 or 2021-03-04T12:30:00Z", p->date);
    enum status status = find_version(s, p, e);
    o->root = buf_cstr(&s->root);
    if (status != ST_OK)
        return status;
    /* --project, else what the repository is called where it was cloned from, else the folder's name. */
    git_url(o->root, &s->url);
    struct span name = git_url_name(buf_span(&s->url));
    if (!is_name(name))
        name = span_after_last(span_of(o->root), '/');
    if (p->project != NULL)
        name = span_of(p->project);
    buf_add_span(&s->project, name);
    if (p->project == NULL && !is_name(name))
        return err_set(e, ST_USAGE, "check: what is the project called? Give --project NAME");
    return check_name("project", name, e);
}

/* --- what is kept --- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_list(struct buf *out, const char *name, const struct check_list *list)
{
    buf_addf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < list->n; i++) {
        if (i > 0)
            buf_add_char(out, ',');
        buf_add_json_kept(out, span_of(list->items[i]));
    }
    buf_add_char(out, ']');
}

static void add_options(struct buf *out, const struct check_place *p, const struct check_options *o)
{
    static const char *const targets[] = {"any", "tf1", "tf2"};
    AT_END(check_list_clear) struct check_list paths = {0};
    AT_END(buf_clear) struct buf absolute = {0};

    buf_addf(out, "{\"target\":\"%s\",\"gitignore\":%s", targets[o->target], o->no_gitignore ? "false" : "true");
    /* Where it looked, in an order of its own. */
    for (size_t i = 0; i < p->n_paths || i == 0; i++) {
        const char *path = p->n_paths > 0 ? p->paths[i] : ".";
        const char *below = check_below(o->root, path, &absolute);
        check_list_add(&paths, span_of(below != NULL ? below : path));
    }
    qsort(paths.items, paths.n, sizeof *paths.items, by_text);
    add_list(out, "paths", &paths);
    add_list(out, "select", &o->select);
    add_list(out, "ignore", &o->ignore);
    add_list(out, "trust", &o->trust);
    add_list(out, "exclude", &o->exclude);
    add_list(out, "per_file_ignores", &o->per_file);
    buf_add_char(out, '}');
}

/* What is shown by default is a warning; the rest are notes. The message is the finding in full. */
static struct db_found found_of(struct arena *a, const struct check_finding *f, enum db_seen how)
{
    bool worth = f->certainty == CHECK_CERTAIN && f->impact > CHECK_LOW;
    AT_END(buf_clear) struct buf text = {0};

    check_finding_text(&text, f, " ");
    struct span message = arena_copy(a, buf_span(&text));
    return (struct db_found){
        .fingerprint = f->fingerprint,
        .how = how,
        .rule = span_of(f->rule->id),
        .file = span_of(f->project_path),
        .severity = span_of(worth ? "warning" : "note"),
        .message = message,
        .function = f->function.len > 0 ? f->function : (struct span){0},
        .line = f->line,
        .cell = f->cell,
    };
}

enum status check_store_end(const struct check_store *s, struct db *db, const struct check_place *p,
                            const struct check_options *o, const struct check_run *c, struct db_scanned *done,
                            struct err *e)
{
    AT_END(buf_clear) struct buf options = {0};
    size_t n_shown, n_more, n_hidden, n_comments, n_found = 0, n_unread = 0;
    const char *path;
    const struct check_finding *shown = check_findings(c, &n_shown), *more = check_more(c, &n_more);
    const struct check_finding *hidden = check_hidden(c, &n_hidden, &n_comments);
    AT_END(arena_clear) struct arena messages = {0};
    AT_END(mem_end) struct db_found *found = mem_zero(n_shown + n_more + n_hidden + 1, sizeof *found);
    AT_END(mem_end) struct span *unread = mem_zero(check_totals(c).unreadable + 1, sizeof *unread);

    for (size_t i = 0; i < n_shown; i++)
        found[n_found++] = found_of(&messages, &shown[i], DB_SEEN_FOUND);
    for (size_t i = 0; i < n_more; i++)
        found[n_found++] = found_of(&messages, &more[i], DB_SEEN_FOUND);
    for (size_t i = 0; i < n_hidden; i++)
        found[n_found++] = found_of(&messages, &hidden[i], i < n_comments ? DB_SEEN_IGNORED : DB_SEEN_BASELINE);
    while (n_unread < check_totals(c).unreadable && (path = check_unread(c, n_unread)) != NULL)
        unread[n_unread++] = span_of(path);
    add_options(&options, p, o);
    struct db_scan scan = {
        .project = buf_span(&s->project),
        .commit = buf_span(&s->commit),
        .options = buf_span(&options),
        .files = (int64_t)check_totals(c).files,
        .unread = (int64_t)n_unread,
    };
    if (s->url.len > 0)
        scan.url = buf_span(&s->url);
    if (s->code_at[0] != '\0')
        scan.code_at = span_of(s->code_at);
    return db_scan_put(db, &scan, found, n_found, unread, n_unread, done, e);
}

/* --- findings --- */

enum status campaign_each(struct db *db, char *const *findings, size_t n,
                          enum status (*act)(void *ctx, struct db *db, const char *finding_id, struct err *e),
                          void *ctx, struct err *e)
{
    char id[DB_FINDING_ID_LEN + 1];
    enum status status = db_begin(db, e);

    for (size_t i = 0; i < n && status == ST_OK; i++) {
        status = db_finding_find(db, span_of(findings[i]), id, e);
        THEN(status, act(ctx, db, id, e));
    }
    return db_end(db, status, e);
}
