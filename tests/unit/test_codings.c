/* What one coder says about one post, read alone and out of all codings: the same rows. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "label/facet_table.h"
#include "label/exchange/published.h"
#include "label/coding/decisions.h"
#include "label/coding/labels.h"
#include "db/study.h"

static struct err e;

#define OK(call) assert_int_equal((call), ST_OK)

static void put_study(struct db *db)
{
    struct study study;
    struct facets facets;
    struct codebook book;
    struct published_counts counts;

    OK(study_load(&study, NULL, &e));
    OK(facets_of_study(&facets, &study, &e));
    OK(codebook_of_study(&book, &facets, &study, &e));
    for (size_t i = 0; i < study.n_files; i++)
        OK(db_study_file_put(db, study.files[i].name, study.files[i].content, &e));
    OK(published_put(db, &study, &facets, &book, &counts, &e));
    codebook_clear(&book);
    facets_clear(&facets);
    study_clear(&study);
}

/* Subjects whose ids begin alike, and a problem that was taken back. */
static void put_alike(struct db *db)
{
    static const struct {
        const char *subject;
        int64_t post_id, code;
    } said[] = {{"1", 1, 1}, {"12", 12, 1}, {"12_2", 12, 2}, {"12_10", 12, 3}, {"121", 121, 1}, {"121", 121, 0}};
    struct span coder = SPAN("ann");

    OK(db_coder_put(db, coder, false, &e));
    for (size_t i = 0; i < ARRAY_LEN(said); i++) {
        struct db_decision d = {.coder = coder,
                                .subject = span_of(said[i].subject),
                                .post_id = said[i].post_id,
                                .facet = FACET_JUDGES + 1,
                                .codes = {&said[i].code, said[i].code > 0}};
        OK(db_decision_put(db, &d, &e));
        struct db_decision judged = {
            .coder = coder, .post_id = said[i].post_id, .facet = FACET_JUDGES, .is_problem = true};
        OK(db_decision_put(db, &judged, &e));
    }
}

struct rows {
    struct buf text;
    struct ARRAY_OF(int64_t) posts;
};

static void add_row(struct rows *rows, const struct db_coding *c)
{
    buf_addf(&rows->text, "%.*s %" PRId64 " %.*s %d %d %.*s %.*s", (int)c->subject.len, c->subject.ptr, c->post_id,
             (int)c->coder.len, c->coder.ptr, c->is_judged, c->is_problem, (int)c->decided_at.len, c->decided_at.ptr,
             (int)c->url.len, c->url.ptr);
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < c->codes[i].n; k++)
            buf_addf(&rows->text, " %zu:%" PRId64, i, c->codes[i].ids[k]);
    buf_add_char(&rows->text, '\n');
    array_add(&rows->posts, c->post_id);
}

static void add_rows(struct db *db, struct sql *walk, struct rows *rows)
{
    struct db_coding coding;
    enum status status = ST_OK;

    while (db_coding_next(db, walk, &coding, &status, &e))
        add_row(rows, &coding);
    OK(status);
}

static void compare_post(struct db *db, struct span coder, int64_t post_id)
{
    struct rows alone = {0}, all = {0};
    struct buf posts = {0};

    buf_addf(&posts, "[%" PRId64 "]", post_id);
    struct db_coding_query query = {.coder = coder, .posts = buf_span(&posts)};
    add_rows(db, db_codings(db, &query), &all);
    add_rows(db, db_codings_of_post(db, coder, post_id), &alone);
    assert_string_equal(buf_cstr(&alone.text), buf_cstr(&all.text));
    buf_clear(&posts);
    buf_clear(&all.text);
    buf_clear(&alone.text);
    array_clear(&all.posts);
    array_clear(&alone.posts);
}

static void compare_coder(struct db *db, const char *name, size_t least)
{
    struct rows rows = {0};
    struct db_coding_query query = {.coder = span_of(name)};

    add_rows(db, db_codings(db, &query), &rows);
    assert_in_range(rows.posts.n, least, 10000);
    for (size_t i = 0; i < rows.posts.n; i += 7)
        compare_post(db, span_of(name), rows.posts.at[i]);
    buf_clear(&rows.text);
    array_clear(&rows.posts);
}

static void one_post_is_read_as_all_are(void **state)
{
    char folder[] = "/tmp/ppmine-test-XXXXXX", file[64];
    struct db *db;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/a.db", folder);
    OK(study_db_create(&db, file, &e));
    OK(db_begin(db, &e));
    put_study(db);
    put_alike(db);
    OK(db_commit(db, &e));
    compare_coder(db, "merged", 700);
    compare_coder(db, "coder1", 700);
    for (int64_t id = 0; id < 130; id++)
        compare_post(db, SPAN("ann"), id);
    db_close(db);
    for (size_t i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s/a.db%s", folder, (const char *const[]){"", "-wal", "-shm"}[i]);
        unlink(file);
    }
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_post_is_read_as_all_are)};

    return cmocka_run_group_tests_name("codings", tests, NULL, NULL);
}
