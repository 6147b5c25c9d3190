/* search_store: puts the parts of the full-text index into the tables of FTS5, of which it is one. */
#include "match/corpus/search_segment.h"
#include "match/corpus/search_store.h"

#include "db/schema.h"
#include "db/sql.h"

/* Rows of post_search_data: fts5_index.c, FTS5_AVERAGES_ROWID and what follows. */
enum {
    TOTALS_ID = 1,
    STRUCTURE_ID = 10,
    SEGMENT_BITS = 37, /* of a page's id, below the segment */
    SEGMENTS_MAX = 2000,
    COOKIE_SIZE = 4,
    KEEP_EACH = 256 /* posts, or pages of the index: about 1 MB */
};

/* Runs the part of schema.sql that is made by match. */
static enum status MUST_USE make_table(struct db *db, struct err *e)
{
    struct span schema = {schema_sql, schema_sql_len};
    size_t start = span_find(schema, span_of(SCHEMA_MADE_BY_MATCH));

    if (start == SIZE_MAX)
        return err_set(e, ST_DATABASE, "schema.sql: the line before the full-text index is missing");
    char *text = mem_text((struct span){schema.ptr + start, schema.len - start});
    enum status status = sql_exec(db, text, e);
    mem_free(text);
    return status;
}

enum status search_store_begin(struct search_store *s, struct db *db, struct err *e)
{
    *s = (struct search_store){.db = db};
    enum status status = make_table(db, e);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    return status;
}

SQL(INDEX_KEEP, "SELECT (SELECT max(run_id) FROM run), (SELECT max(post_id) FROM post_text),"
                "  (SELECT max(post_id) FROM candidate_post),"
                "  (SELECT post_id FROM hit ORDER BY post_id DESC LIMIT 1),"
                "  (SELECT post_id FROM post_fact ORDER BY post_id DESC LIMIT 1),"
                "  (SELECT max(id) FROM post_search_docsize),"
                "  (SELECT segid FROM post_search_idx ORDER BY segid DESC LIMIT 1),"
                "  (SELECT max(id) FROM post_search_data), (SELECT length(block) FROM post_search_data WHERE id = 10)");

/* Reads the pages that will be written again, so that they stay in SQLite's cache. A page that leaves it and is
 * written again takes its old place in the log, and at the end SQLite reads all of the log behind that place, and
 * sums it again. */
static enum status MUST_USE keep_open_pages(const struct search_store *s, struct err *e)
{
    bool row;
    enum status status = sql_row(s->db, SQL_INDEX_KEEP, &row, e);

    sql_reset(s->db, SQL_INDEX_KEEP);
    return status;
}

SQL(INDEX_PAGE_PUT, "INSERT INTO post_search_data (id, block) VALUES (:id, :block)");

static enum status MUST_USE put_pages(const struct search_store *s, const struct search_segment *segment,
                                      int64_t number, struct err *e)
{
    size_t start = 0;
    enum status status = ST_OK;

    for (size_t i = 0; i < segment->page_ends.n && status == ST_OK; i++) {
        size_t end = segment->page_ends.at[i];
        sql_bind_int(s->db, SQL_INDEX_PAGE_PUT, ":id", (number << SEGMENT_BITS) + (int64_t)i + 1);
        sql_bind_blob(s->db, SQL_INDEX_PAGE_PUT, ":block", (struct span){segment->pages.ptr + start, end - start});
        status = sql_done(s->db, SQL_INDEX_PAGE_PUT, e);
        if (status == ST_OK && i % KEEP_EACH == 0)
            status = keep_open_pages(s, e);
        start = end;
    }
    return status;
}

SQL(INDEX_LEAD_PUT, "INSERT INTO post_search_idx (segid, term, pgno) VALUES (:segid, :term, :pgno)");

static enum status MUST_USE put_leads(const struct search_store *s, const struct search_segment *segment,
                                      int64_t number, struct err *e)
{
    size_t start = 0;
    enum status status = ST_OK;

    for (size_t i = 0; i < segment->leads.n && status == ST_OK; i++) {
        const struct search_lead *lead = &segment->leads.at[i];
        const char *text = lead->end > start ? segment->first_terms.ptr + start : "";
        sql_bind_int(s->db, SQL_INDEX_LEAD_PUT, ":segid", number);
        sql_bind_blob(s->db, SQL_INDEX_LEAD_PUT, ":term", (struct span){text, lead->end - start});
        sql_bind_int(s->db, SQL_INDEX_LEAD_PUT, ":pgno", (int64_t)lead->page * 2);
        status = sql_done(s->db, SQL_INDEX_LEAD_PUT, e);
        start = lead->end;
    }
    return status;
}

SQL(INDEX_POST_PUT, "INSERT INTO post_search_docsize (id, sz) VALUES (:id, :sz)");

enum status search_store_put_post(struct search_store *s, int64_t post_id, const uint32_t *n_words, struct err *e)
{
    unsigned char sizes[SEARCH_COLUMNS * 9];
    size_t n = 0;

    for (size_t k = 0; k < SEARCH_COLUMNS; k++) {
        n += search_put_varint(sizes + n, n_words[k]);
        s->n_words[k] += n_words[k];
    }
    sql_bind_int(s->db, SQL_INDEX_POST_PUT, ":id", post_id);
    sql_bind_blob(s->db, SQL_INDEX_POST_PUT, ":sz", (struct span){(const char *)sizes, n});
    enum status status = sql_done(s->db, SQL_INDEX_POST_PUT, e);
    return status == ST_OK && s->n_posts++ % KEEP_EACH == 0 ? keep_open_pages(s, e) : status;
}

enum status search_store_put(struct search_store *s, const struct search_segment *segment, struct err *e)
{
    int64_t number = (int64_t)s->n_pages.n + 1;

    if (segment->page_ends.n == 0)
        return ST_OK;
    if (number > SEGMENTS_MAX)
        return err_set(e, ST_DATABASE, "the full-text index has more than %d parts", SEGMENTS_MAX);
    array_add(&s->n_pages, segment->page_ends.n);
    enum status status = put_pages(s, segment, number, e);
    return status == ST_OK ? put_leads(s, segment, number, e) : status;
}

static void add_varint(struct buf *out, uint64_t value)
{
    unsigned char bytes[9];

    buf_add(out, (const char *)bytes, search_put_varint(bytes, value));
}

SQL(INDEX_RECORD_PUT, "REPLACE INTO post_search_data (id, block) VALUES (:id, :block)");

static enum status MUST_USE put_record(struct search_store *s, int64_t id, const struct buf *record, struct err *e)
{
    sql_bind_int(s->db, SQL_INDEX_RECORD_PUT, ":id", id);
    sql_bind_blob(s->db, SQL_INDEX_RECORD_PUT, ":block", buf_span(record));
    return sql_done(s->db, SQL_INDEX_RECORD_PUT, e);
}

SQL(INDEX_RECORD_GET, "SELECT block FROM post_search_data WHERE id = :id");

/* One level of all segments. The cookie is FTS5's own. */
static enum status MUST_USE put_structure(struct search_store *s, struct err *e)
{
    struct buf record = {0};
    bool row;

    sql_bind_int(s->db, SQL_INDEX_RECORD_GET, ":id", STRUCTURE_ID);
    enum status status = sql_row(s->db, SQL_INDEX_RECORD_GET, &row, e);
    struct span was = row ? sql_blob(s->db, SQL_INDEX_RECORD_GET, 0) : (struct span){0};
    if (status == ST_OK && was.len < COOKIE_SIZE)
        status = err_set(e, ST_DATABASE, "the full-text index is not as FTS5 makes it");
    if (status == ST_OK)
        buf_add(&record, was.ptr, COOKIE_SIZE);
    sql_reset(s->db, SQL_INDEX_RECORD_GET);
    add_varint(&record, s->n_pages.n > 0); /* levels */
    add_varint(&record, s->n_pages.n);     /* segments in all */
    add_varint(&record, 0);                /* pages written since, for merging */
    if (s->n_pages.n > 0) {
        add_varint(&record, 0); /* segments of this level that are being merged */
        add_varint(&record, s->n_pages.n);
    }
    for (size_t i = 0; i < s->n_pages.n; i++) {
        add_varint(&record, i + 1);
        add_varint(&record, 1); /* its first page */
        add_varint(&record, s->n_pages.at[i]);
    }
    if (status == ST_OK)
        status = put_record(s, STRUCTURE_ID, &record, e);
    buf_clear(&record);
    return status;
}

enum status search_store_end(struct search_store *s, struct err *e)
{
    struct buf totals = {0};
    enum status status = put_structure(s, e);

    add_varint(&totals, s->n_posts);
    for (size_t i = 0; i < SEARCH_COLUMNS; i++)
        add_varint(&totals, s->n_words[i]);
    if (status == ST_OK)
        status = put_record(s, TOTALS_ID, &totals, e);
    buf_clear(&totals);
    return status;
}

void search_store_clear(struct search_store *s)
{
    if (s->db != NULL)
        sqlite3_db_config(s->db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    array_clear(&s->n_pages);
    *s = (struct search_store){0};
}
