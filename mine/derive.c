/* derive: the n-grams of two lists of posts of a database. */
#include "db/posts.h"
#include "db/study.h"
#include "mine/mine.h"

#include <inttypes.h>

struct deriving {
    struct derivation *derivation;
    struct post_ids {
        struct bitset ids;
        uint64_t wanted, found;
    } problems, others;
    bool all_others; /* every held question that is no problem */
    enum text_options text;
    bool problem_pass;
    struct buf title, body;
};

/* --- lists of ids --- */

/* A line is an id; "65160023_1" is the problem _1 of that post; other columns and '#' comments may
 * follow. */
static bool read_id(struct span line, uint64_t *id)
{
    size_t len = 0;

    while (len < line.len && line.ptr[len] >= '0' && line.ptr[len] <= '9')
        len++;
    if (len < line.len && strchr("_,;\t #", line.ptr[len]) == NULL)
        return false;
    return span_u64((struct span){line.ptr, len}, POST_ID_MAX, id) && *id > 0;
}

static enum status read_ids(struct post_ids *list, const char *path, struct err *e)
{
    struct buf content = {0};
    struct span rest, line;
    uint64_t id;
    enum status status = file_read(path, STUDY_FILE_MAX, &content, e);

    rest = buf_span(&content);
    if (span_starts(rest, SPAN("\xef\xbb\xbf")))
        rest = (struct span){rest.ptr + 3, rest.len - 3};
    for (size_t n = 1; status == ST_OK && span_cut(&rest, '\n', &line); n++) {
        line = span_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        if (!read_id(line, &id))
            status = err_set(e, ST_INPUT, "%s:%zu: expected a post id at the start of the line",
                             path, n);
        else if (!bitset_has(&list->ids, (uint32_t)id)) {
            bitset_add(&list->ids, (uint32_t)id);
            list->wanted++;
        }
    }
    if (status == ST_OK && list->wanted == 0)
        status = err_set(e, ST_INPUT, "%s: no post id in it", path);
    buf_clear(&content);
    return status;
}

/* --- counting --- */

static bool is_wanted(struct deriving *d, const struct post *post)
{
    bool problem = bitset_has(&d->problems.ids, (uint32_t)post->post_id);

    if (d->problem_pass)
        return problem;
    if (problem)
        return false;
    return d->all_others ? post->type == POST_QUESTION
                         : bitset_has(&d->others.ids, (uint32_t)post->post_id);
}

static enum status count_post(void *ctx, const struct post *post, struct err *e)
{
    struct deriving *d = ctx;

    (void)e;
    if (!is_wanted(d, post))
        return ST_OK;
    buf_reset(&d->title);
    buf_reset(&d->body);
    text_from_title(&d->title, post->title);
    text_from_html(&d->body, post->body_html, d->text);
    struct span texts[] = {buf_span(&d->title), buf_span(&d->body)};
    derivation_add(d->derivation, texts, ARRAY_LEN(texts), d->problem_pass);
    if (d->problem_pass)
        d->problems.found++;
    else
        d->others.found++;
    return ST_OK;
}

static void say_missing(const struct post_ids *list, const char *path)
{
    if (list->found < list->wanted)
        log_warn("%s: %" PRIu64 " of %" PRIu64 " posts are not in the database", path,
                 list->wanted - list->found, list->wanted);
}

static enum status count_posts(struct deriving *d, struct db *db,
                               const struct mine_derive_how *how, struct err *e)
{
    d->problem_pass = true;
    enum status status = db_post_each_text(db, count_post, d, e);
    d->problem_pass = false;
    if (status == ST_OK)
        status = db_post_each_text(db, count_post, d, e);
    if (status != ST_OK)
        return status;
    say_missing(&d->problems, how->problems);
    if (!d->all_others)
        say_missing(&d->others, how->others);
    if (d->problems.found == 0 || d->others.found == 0)
        return err_set(e, ST_INPUT, "the database contains none of the %s posts; load or fetch them "
                                    "first", d->problems.found == 0 ? "problem" : "other");
    return ST_OK;
}

static enum status begin(struct deriving *d, struct db *db, struct err *e)
{
    struct study study;
    enum status status = db_study_load(&study, db, e);

    if (status == ST_OK) {
        d->text = study.include_code ? TEXT_INCLUDE_CODE : TEXT_PLAIN;
        status = derivation_new(&d->derivation, study.stemmer, e);
    }
    study_clear(&study);
    return status;
}

enum status mine_derive(struct db *db, const struct mine_derive_how *how, struct derivation **out,
                        struct err *e)
{
    struct deriving d = {.all_others = how->others == NULL};
    enum status status = read_ids(&d.problems, how->problems, e);

    if (status == ST_OK && how->others != NULL)
        status = read_ids(&d.others, how->others, e);
    if (status == ST_OK)
        status = begin(&d, db, e);
    if (status == ST_OK)
        status = count_posts(&d, db, how, e);
    *out = d.derivation;
    bitset_clear(&d.problems.ids);
    bitset_clear(&d.others.ids);
    buf_clear(&d.title);
    buf_clear(&d.body);
    return status;
}
