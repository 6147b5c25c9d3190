#include "cli/code_change.h"

#include "db/codebook.h"
#include "db/decisions.h"

enum status code_change_begin(struct code_change *c, struct invocation *in, struct err *e)
{
    const char *by = option_text(in, "by", ""), *why = option_text(in, "why", "");

    *c = (struct code_change){.in = in};
    if (span_trim(span_of(by)).len == 0 || span_trim(span_of(why)).len == 0)
        return err_set(e, ST_USAGE, "%s: --by NAME and --why TEXT are needed: the history of the"
                       " codebook says who changed it and why", in->command->name);
    enum status status = db_begin(in->db, e);
    if (status == ST_OK)
        status = stored_codebook_load(&c->book, in->db, e);
    c->change = (struct db_code_change){
        .version = c->book.version + 1,
        .changed_by = span_trim(span_of(by)),
        .reason = span_trim(span_of(why)),
    };
    return status;
}

/* The first operand, in the facet of --facet or in the only one that has it. */
static enum status MUST_USE find_operand(const struct code_change *c, size_t *place, struct err *e)
{
    size_t facet = 0;

    while (code_facets[facet] != NULL)
        facet++;
    enum status status = option_choice(c->in, "facet", code_facets, &facet, e);
    if (status != ST_OK)
        return status;
    return code_option(c->in, &c->book.codebook, code_facets[facet], "the code",
                       c->in->operands[0], place, e);
}

static bool is_one_line(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' || s.ptr[i] == 0x7f || s.ptr[i] == ';')
            return false;
    return utf8_valid_prefix(s) == s.len;
}

enum status code_change_name_is_new(const struct code_change *c, const char *facet,
                                    struct span name, struct err *e)
{
    const struct codebook *book = &c->book.codebook;
    struct err why;

    if (name.len == 0 || name.len > 199 || !is_one_line(name))
        return err_set(e, ST_INPUT, "'%.*s': expected a name of one line, 1 to 199 bytes of UTF-8"
                       " without ';'", name.len < 200 ? (int)name.len : 200, name.ptr);
    size_t place = codebook_find(book, facet, name, &why);
    if (place != SIZE_MAX)
        return err_set(e, ST_INPUT, "'%.*s' names the %s '%.*s' already; a name is never used for"
                       " something else", (int)name.len, name.ptr, facet,
                       (int)book->codes[place].name.len, book->codes[place].name.ptr);
    if (stored_codebook_was(&c->book, facet, name))
        return err_set(e, ST_INPUT, "'%.*s' was a %s once; a name is never used for something else",
                       (int)name.len, name.ptr, facet);
    return ST_OK;
}

void code_change_became(struct code_change *c, struct span name)
{
    buf_add_char(&c->became, c->became.len > 0 ? ',' : '[');
    buf_add_json_kept(&c->became, name);
}

void code_change_look_again(struct code_change *c, int64_t code_id)
{
    buf_addf(&c->look_again, "%c%lld", c->look_again.len > 0 ? ',' : '[', (long long)code_id);
}

static struct span closed_array(struct buf *b)
{
    buf_add_text(b, b->len > 0 ? "]" : "[]");
    return buf_span(b);
}

struct review_count {
    int64_t version;
    size_t n;
};

static void count_review(void *ctx, const struct db_review *review)
{
    struct review_count *count = ctx;

    count->n += review->change.version == count->version;
}

static enum status MUST_USE finish(struct code_change *c, struct err *e)
{
    struct db *db = c->in->db;
    struct review_count count = {.version = c->change.version};
    enum status status = db_code_change_put(db, &c->change, e);

    if (status == ST_OK)
        status = db_labels_rebuild(db, e);
    if (status == ST_OK)
        status = db_review_each(db, (struct span){0}, count_review, &count, e);
    if (status == ST_OK)
        status = db_commit(db, e);
    if (status != ST_OK)
        return status;
    log_info("the codebook has version %lld now", (long long)c->change.version);
    if (count.n > 0)
        log_info("%zu label%s must be looked at again; each coder's: ppmine label review --coder NAME",
                 count.n, count.n == 1 ? "" : "s");
    return ST_OK;
}

enum status code_change_end(struct code_change *c, enum status status, const char *action,
                            struct span facet, struct span code, struct err *e)
{
    c->change.action = span_of(action);
    c->change.facet = facet;
    c->change.code = code;
    c->change.became = closed_array(&c->became);
    c->change.look_again = closed_array(&c->look_again);
    if (status == ST_OK)
        status = finish(c, e);
    if (status != ST_OK)
        db_rollback(c->in->db);
    buf_clear(&c->became);
    buf_clear(&c->look_again);
    stored_codebook_clear(&c->book);
    return status;
}

enum status code_change_run(struct invocation *in, const char *action,
                            enum status (*change)(struct code_change *c, size_t place,
                                                  struct err *e),
                            struct err *e)
{
    struct code code = {0};
    size_t place;
    struct code_change c;
    enum status status = code_change_begin(&c, in, e);

    if (status == ST_OK)
        status = find_operand(&c, &place, e);
    if (status == ST_OK && place < c.book.codebook.n_codes && c.book.codebook.codes != NULL) {
        code = c.book.codebook.codes[place];
        status = change(&c, place, e);
    }
    return code_change_end(&c, status, action, code.facet, code.name, e);
}
