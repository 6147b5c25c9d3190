/* memo: memos of codes and of the study. */
#include "label/coding/memo.h"

#include "base/files.h"
#include "base/utf8.h"
#include "db/ids.h"
#include "db/sql.h"
#include "label/coding/decisions.h"

enum status memo_check(struct span text, struct err *e)
{
    bool is_text = text.len > 0 && text.len <= MEMO_MAX && utf8_valid_prefix(text) == text.len;

    for (size_t i = 0; i < text.len && is_text; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        is_text = (c >= ' ' && c != 0x7f) || c == '\t' || c == '\n' || c == '\r';
    }
    return is_text ? ST_OK
                   : err_set(e, ST_INPUT,
                             "a memo is 1 to %d bytes of UTF-8, without control characters but tabs and line ends",
                             MEMO_MAX);
}

void memo_id(const struct span row[MEMO_CELLS], char id[SHA256_TEXT_SIZE])
{
    AT_END(buf_clear) struct buf value = {0};

    if (row[MEMO_UNDOES].ptr != NULL)
        buf_addf(&value, "{\"undoes\":\"%.*s\"}", SPAN_ARG(row[MEMO_UNDOES]));
    else
        buf_add_json_kept(&value, row[MEMO_TEXT]);
    db_decision_id(row[MEMO_CODER], SPAN(""), row[MEMO_LIST], buf_span(&value), row[MEMO_AT], id);
}

SQL(MEMO_HAS, "SELECT 1 FROM memo WHERE memo_id = :memo_id AND code = :code");

SQL(MEMO_PUT, SQL_OR_NOTHING "INSERT INTO memo (memo_id, written_at, coder, facet, code, text, undoes)"
                             " VALUES (:memo_id, :written_at, :coder, :facet, :code, :text, :undoes)"
                             " ON CONFLICT (memo_id, code) DO NOTHING");

enum status memo_put(struct db *db, const struct span row[MEMO_CELLS], bool *is_new, struct err *e)
{
    for (int i = 0; i < MEMO_CELLS; i++)
        sql_bind_text_at(db, SQL_MEMO_PUT, i + 1, row[i]);
    sql_bind_text(db, SQL_MEMO_HAS, ":code", row[MEMO_CODE]);
    return sql_put_once(db, SQL_MEMO_PUT, SQL_MEMO_HAS, row[MEMO_ID], is_new, e);
}

static struct span or_empty(struct span s)
{
    return s.ptr != NULL ? s : SPAN("");
}

enum status memo_record(struct db *db, const struct memo *memo, struct span undoes, struct err *e)
{
    char id[SHA256_TEXT_SIZE], now[TIME_TEXT_SIZE];
    bool is_new;

    time_now(now);
    struct span row[MEMO_CELLS] = {[MEMO_AT] = memo->written_at.len > 0 ? memo->written_at : span_of(now),
                                   [MEMO_CODER] = memo->coder,
                                   [MEMO_LIST] = or_empty(memo->list),
                                   [MEMO_CODE] = or_empty(memo->code),
                                   [MEMO_TEXT] = or_empty(memo->text),
                                   [MEMO_UNDOES] = undoes};
    memo_id(row, id);
    row[MEMO_ID] = span_of(id);
    return memo_put(db, row, &is_new, e);
}

/* The coder's newest one about a code, or (:code '') about the study, with the name that is in its row. */
SQL(MEMO_NEWEST, "SELECT memo_id, ifnull(named, '') FROM code_memo WHERE coder = :coder AND NOT undone"
                 " AND ifnull(facet, '') = :facet AND ifnull(code, '') = :code"
                 " ORDER BY written_at DESC, memo_id DESC LIMIT 1");

enum status memo_write(struct db *db, const struct memo *memo, bool takes_back, struct err *e)
{
    struct sql *newest = SQL_MEMO_NEWEST;
    AT_END(arena_clear) struct arena arena = {0};
    struct memo row = *memo;
    struct span undoes = {0};

    row.text = takes_back ? (struct span){0} : span_trim(memo->text);
    enum status status = takes_back ? ST_OK : memo_check(row.text, e);
    if (status != ST_OK)
        return status;
    status = db_begin(db, e);
    THEN(status, coder_must_not_be_merged(db, memo->coder, ", and writes no memos", e));
    if (status == ST_OK && takes_back) {
        sql_bind(db, newest, BIND(":coder", memo->coder), BIND(":facet", or_empty(memo->list)),
                 BIND(":code", or_empty(memo->code)));
        while (sql_next(db, newest, &status, e)) {
            undoes = arena_copy(&arena, sql_text(db, newest, 0));
            row.code = arena_copy(&arena, sql_text(db, newest, 1));
        }
        if (status == ST_OK && undoes.ptr == NULL)
            status = ST_NO;
    } else if (status == ST_OK) {
        status = db_coder_put(db, memo->coder, false, e);
    }
    THEN(status, memo_record(db, &row, undoes, e));
    return db_end(db, status, e);
}

SQL(MEMO_EACH, "SELECT written_at, coder, text, facet, code, named, undone FROM code_memo"
               " WHERE :facet IS NULL OR (ifnull(facet, '') = :facet AND ifnull(code, '') = :code)"
               " ORDER BY written_at, memo_id, facet, code");

struct sql *memo_walk(struct db *db, struct span list, struct span code)
{
    sql_bind(db, SQL_MEMO_EACH, BIND(":facet", list), BIND(":code", or_empty(code)));
    return SQL_MEMO_EACH;
}

bool memo_next(struct db *db, struct sql *walk, struct memo *memo, enum status *status, struct err *e)
{
    return sql_next_into(db, walk, status, e, INTO(memo->written_at), INTO(memo->coder), INTO(memo->text),
                         INTO(memo->list), INTO(memo->code), INTO(memo->named), INTO(memo->undone));
}

enum status memos_read(struct memos *out, struct db *db, struct err *e)
{
    struct sql *walk = memo_walk(db, (struct span){0}, SPAN(""));
    struct memo memo;
    struct span *texts[] = {&memo.written_at, &memo.coder, &memo.text, &memo.list, &memo.code, &memo.named};
    enum status status = ST_OK;

    *out = (struct memos){.arena = {0}};
    while (memo_next(db, walk, &memo, &status, e)) {
        for (size_t i = 0; i < ARRAY_LEN(texts); i++)
            *texts[i] = texts[i]->ptr != NULL ? arena_copy(&out->arena, *texts[i]) : *texts[i];
        array_add(&out->items, memo);
    }
    return status;
}

void memos_clear(struct memos *m)
{
    array_clear(&m->items);
    arena_clear(&m->arena);
}
