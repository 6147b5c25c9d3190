/* team: a file with a line for each coder that has a link: the hash of its token, the role, the name. */
#include <sys/stat.h>

#include "base/files.h"
#include "base/log.h"
#include "base/output_file.h"
#include "web/site.h"

enum { HASH_DIGITS = 64, FILE_MAX = 1 << 20 };

static const char *const roles[] = {"coder", "owner"};

static const char heading[] = "# Who may open the pages of 'ppmine serve --coders': hash of the link, role, name\n";

struct link {
    struct span sha256, coder;
    bool is_owner;
};

struct team {
    const char *path;
    struct stat seen; /* of the file when it was read */
    bool is_read;
    struct buf content;
    struct arena arena;
    struct ARRAY_OF(struct link) links;
};

/* --- the file --- */

static enum status MUST_USE read_team(struct team *t, struct err *e)
{
    struct span rest, line, sha256, role;
    size_t number = 0;
    struct err why;

    t->links.n = 0;
    buf_reset(&t->content);
    enum status status = file_read(t->path, FILE_MAX, &t->content, e);
    rest = buf_span(&t->content);
    while (status == ST_OK && span_cut(&rest, '\n', &line)) {
        AT_END(buf_clear) struct buf name = {0};
        number++;
        line = span_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        if (span_cut(&line, ' ', &sha256) && span_cut(&line, ' ', &role) && sha256.len == HASH_DIGITS &&
            span_is_any(role, roles, ARRAY_LEN(roles)) && coder_name_check(line, &name, &why) == ST_OK)
            array_add(&t->links, ((struct link){sha256, arena_copy(&t->arena, buf_span(&name)),
                                                span_eq(role, span_of(roles[1]))}));
        else
            status = err_set(e, ST_INPUT,
                             "%s:%zu: expected a hash of 64 digits, coder or owner, and a name;"
                             " 'ppmine serve --invite' writes such lines",
                             t->path, number);
    }
    if (status != ST_OK)
        t->links.n = 0;
    return status;
}

enum status team_open(struct team **out, const char *path, struct err *e)
{
    struct team *t = mem_zero(1, sizeof *t);

    *out = t;
    t->path = path;
    if (stat(path, &t->seen) != 0)
        return err_set(e, ST_IO,
                       "there is no file %s; make it with 'ppmine serve --coders %s --invite"
                       " NAME'",
                       path, path);
    t->is_read = true;
    return read_team(t, e);
}

void team_close(struct team *t)
{
    if (t == NULL)
        return;
    array_clear(&t->links);
    buf_clear(&t->content);
    arena_clear(&t->arena);
    mem_free(t);
}

/* --- who --- */

/* A file that cannot be read lets nobody in: a link may have been revoked. */
static void follow_file(struct team *t)
{
    struct stat now = {0};
    struct err e;
    bool there = stat(t->path, &now) == 0;

    if (there == t->is_read && now.st_ino == t->seen.st_ino && now.st_size == t->seen.st_size &&
        now.st_mtim.tv_sec == t->seen.st_mtim.tv_sec && now.st_mtim.tv_nsec == t->seen.st_mtim.tv_nsec)
        return;
    t->seen = now;
    t->is_read = there;
    if (read_team(t, &e) != ST_OK)
        log_error("%s; links do not work until it is corrected", e.text);
}

bool team_find(struct team *t, const char sha256[65], struct arena *arena, struct span *coder, bool *is_owner)
{
    follow_file(t);
    for (size_t i = 0; i < t->links.n; i++) {
        if (!same_hash(t->links.at[i].sha256.ptr, sha256))
            continue;
        *coder = arena_copy(arena, t->links.at[i].coder);
        *is_owner = t->links.at[i].is_owner;
        return true;
    }
    return false;
}

void team_coders(struct team *t, struct coder_names *out, struct arena *arena)
{
    follow_file(t);
    for (size_t i = 0; i < t->links.n; i++)
        array_add(out, arena_copy(arena, t->links.at[i].coder));
}

/* --- inviting and revoking --- */

/* The lines of the file but those of this coder; *found: there was one. */
static enum status MUST_USE read_others(const char *path, struct span coder, struct buf *out, bool *found,
                                        struct err *e)
{
    struct team t = {.path = path};
    enum status status = read_team(&t, e);

    *found = false;
    for (size_t i = 0; i < t.links.n; i++) {
        const struct link *link = &t.links.at[i];
        if (span_eq(link->coder, coder)) {
            *found = true;
            continue;
        }
        buf_add_span(out, link->sha256);
        buf_addf(out, " %s %.*s\n", roles[link->is_owner], (int)link->coder.len, link->coder.ptr);
    }
    array_clear(&t.links);
    buf_clear(&t.content);
    arena_clear(&t.arena);
    return status;
}

enum status web_invite(const char *path, struct span coder, bool is_owner, struct buf *token, struct err *e)
{
    AT_END(buf_clear) struct buf lines = {0};
    char sha256[65];
    struct stat info;
    bool found;
    enum status status = ST_OK;

    buf_add_text(&lines, heading);
    if (stat(path, &info) == 0)
        status = read_others(path, coder, &lines, &found, e);
    guard_draw(token, sha256);
    buf_addf(&lines, "%s %s %.*s\n", sha256, roles[is_owner], (int)coder.len, coder.ptr);
    THEN(status, output_file_write(path, OUTPUT_PRIVATE, buf_span(&lines), e));
    return status;
}

enum status web_revoke(const char *path, struct span coder, struct err *e)
{
    AT_END(buf_clear) struct buf lines = {0};
    bool found;

    buf_add_text(&lines, heading);
    enum status status = read_others(path, coder, &lines, &found, e);
    if (status == ST_OK && !found)
        status = err_set(e, ST_NO, "%.*s has no link in %s", (int)coder.len, coder.ptr, path);
    THEN(status, output_file_write(path, OUTPUT_PRIVATE, buf_span(&lines), e));
    return status;
}
