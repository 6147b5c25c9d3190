/* kept: answers that take long to compute, as long as nothing in the database changes. */
#include "db/db.h"
#include "web/site.h"

enum { ANSWERS_MAX = 16 };

struct kept {
    pthread_mutex_t lock; /* of all below */
    struct db *db;        /* sees whether any other connection wrote; NULL: not opened yet */
    struct kept_answer {
        struct buf key, body; /* key: who asks for what */
        int64_t version;
        const char *type;
        bool save;
    } answers[ANSWERS_MAX];
    size_t next; /* the place of the next one: that of the oldest */
};

void kept_open(struct web *w)
{
    w->kept = mem_zero(1, sizeof *w->kept);
    pthread_mutex_init(&w->kept->lock, NULL);
}

void kept_close(struct web *w)
{
    struct kept *k = w->kept;

    if (k == NULL)
        return;
    for (size_t i = 0; i < ANSWERS_MAX; i++) {
        buf_clear(&k->answers[i].key);
        buf_clear(&k->answers[i].body);
    }
    db_close(k->db);
    pthread_mutex_destroy(&k->lock);
    mem_free(k);
    w->kept = NULL;
}

static void add_key(const struct visit *v, struct buf *key)
{
    buf_add_text(key, v->is_owner ? "owner " : "");
    buf_add_span(key, v->coder);
    buf_add_char(key, '\n');
    buf_add_span(key, v->request->target);
}

bool kept_find(struct visit *v, int64_t *version)
{
    struct kept *k = v->web->kept;
    AT_END(buf_clear) struct buf key = {0};
    bool found = false;
    enum status status = ST_OK;

    add_key(v, &key);
    pthread_mutex_lock(&k->lock);
    if (k->db == NULL)
        status = db_open(&k->db, v->web->options.db_path, DB_READ, &v->error);
    THEN(status, db_data_version(k->db, version, &v->error));
    if (status != ST_OK)
        *version = KEPT_NEVER;
    for (size_t i = 0; i < ANSWERS_MAX && !found && status == ST_OK; i++) {
        const struct kept_answer *a = &k->answers[i];
        found = a->version == *version && a->key.len > 0 && span_eq(buf_span(&a->key), buf_span(&key));
        if (found) {
            answer_begin(v, 200, a->type);
            buf_add_span(v->out, buf_span(&a->body));
            v->answer->save = a->save;
        }
    }
    pthread_mutex_unlock(&k->lock);
    return found;
}

void kept_put(struct visit *v, int64_t version)
{
    struct kept *k = v->web->kept;

    if (version == KEPT_NEVER || v->answer->code != 200)
        return;
    pthread_mutex_lock(&k->lock);
    struct kept_answer *a = &k->answers[k->next++ % ANSWERS_MAX];
    a->version = version;
    a->type = v->answer->type;
    a->save = v->answer->save;
    buf_reset(&a->key);
    buf_reset(&a->body);
    add_key(v, &a->key);
    buf_add_span(&a->body, buf_span(v->out));
    pthread_mutex_unlock(&k->lock);
}
