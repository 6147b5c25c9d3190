#include "cli/report_candidates.h"

#include "db/derived.h"
#include "table/table.h"

struct collected {
    struct table table;
    bool text; /* for people, to whom the day of a date says enough */
};

static void add_candidate(void *ctx, const struct db_candidate *c)
{
    enum { DAY_LENGTH = 10 };
    struct collected *collected = ctx;
    struct table *t = &collected->table;
    struct span created = c->created_at;

    if (collected->text && created.len > DAY_LENGTH)
        created.len = DAY_LENGTH;
    table_add_int(t, c->post_id);
    table_add_int(t, c->n_hits);
    table_add_text(t, c->keywords);
    table_add_text(t, c->title);
    table_add_text(t, created);
    table_add_text(t, c->url);
}

static void print_rest(const struct invocation *in, int64_t shown, int64_t all)
{
    if (all == 0)
        log_info("no candidates; see 'ppmine keywords' for what the keywords find");
    else if (shown < all)
        log_info("the first %lld of %lld candidates; --limit 0 prints all, or: sqlite3 %s "
                 "\"SELECT * FROM candidate\"",
                 (long long)shown, (long long)all, in->db_path);
}

enum status report_read(struct report *out, const struct invocation *in, struct err *e)
{
    enum status status = output_option(in, TABLE_AS_TEXT, &out->out, e);

    out->limit = out->out.format == TABLE_AS_TEXT ? 20 : 0;
    return status == ST_OK ? option_number(in, "limit", 0, INT64_MAX, &out->limit, e) : status;
}

enum status report_candidates(const struct invocation *in, const struct report *report,
                              struct err *e)
{
    static const struct table_column columns[] = {
        {.name = "post_id", .kind = TABLE_INT}, {.name = "n_hits", .kind = TABLE_INT},
        {.name = "keywords", .max_width = 36}, {.name = "title", .max_width = 60},
        {.name = "created_at"}, {.name = "url"},
    };
    int64_t all = 0, limit = report->limit > 0 ? (int64_t)report->limit : -1;
    bool text = report->out.format == TABLE_AS_TEXT;
    struct collected collected = {.text = text};
    struct table *t = &collected.table;

    table_init(t, "candidates", "Candidates", columns, ARRAY_LEN(columns));
    enum status status = db_candidate_each(in->db, limit, add_candidate, &collected, e);
    if (status == ST_OK)
        status = db_candidate_count(in->db, &all, e);
    if (status == ST_OK && (all > 0 || !text))
        table_print(t, &report->out);
    if (status == ST_OK && text)
        print_rest(in, (int64_t)table_rows(t), all);
    table_clear(t);
    return status;
}
