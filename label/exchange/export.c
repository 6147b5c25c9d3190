/* export: what coders say, as a table or a sheet in which they go on. */
#include "label/exchange/export.h"

#include "label/exchange/workbook.h"
#include "label/coding/disputes.h"
#include "label/coding/labels.h"

/* --- rows --- */

/* Import takes a reason for that of what the row says, and refuses it where the row says nothing. */
static bool says_more(const struct coding_export *x, const struct db_coding *c)
{
    char id[POST_ID_TEXT_SIZE];
    size_t n_codes = 0;

    for (size_t i = FACET_JUDGES + 1; i < x->book.facets->n; i++)
        n_codes += c->codes[i].n;
    return n_codes > 0 || (c->is_judged && span_eq(c->subject, span_of(post_id_text(c->post_id, id))));
}

static void add_cell(struct coding_export *x, const struct coding_column *column, const struct db_coding *c)
{
    const struct db_codes *codes = &c->codes[column->facet];
    const struct span absent = {0};

    switch (column->kind) {
    case CODING_PROBLEM_ID:
        if (x->wanted.facet == FACET_JUDGES) /* about the post, however many problems it holds */
            post_id_cell(&x->table, c->post_id);
        else
            table_add_text(&x->table, c->subject);
        break;
    case CODING_POST_ID:
        post_id_cell(&x->table, c->post_id);
        break;
    case CODING_CODER:
        table_add_text(&x->table, c->coder);
        break;
    case CODING_JUDGEMENT:
        table_add_text(&x->table, !c->is_judged ? absent : c->is_problem ? SPAN("yes") : SPAN("no"));
        break;
    case CODING_CODE:
        table_add_row(
            &x->table,
            table_some(column->place < codes->n ? stored_codebook_name(&x->book, codes->ids[column->place]) : absent));
        break;
    case CODING_DECIDED_AT:
        table_add_text(&x->table, c->decided_at);
        break;
    case CODING_REASON: /* as import reads it: without blanks around it */
        table_add_row(&x->table,
                      table_some(says_more(x, c) ? span_trim(remarks_reason(&x->remarks, c->subject)) : absent));
        break;
    case CODING_NOTE:
        table_add_row(&x->table, table_some(span_trim(remarks_note(&x->remarks, c->subject))));
        break;
    case CODING_URL:
        table_add_text(&x->table, c->url);
        break;
    default: /* titles come from strangers: each format guards them in its way */
        table_add_text(&x->table, c->title);
    }
}

/* --- columns --- */

/* Notes are private, so those of one coder only. A reason may be of any facet. */
static bool has_remarks(const struct coding_export_wanted *wanted)
{
    return wanted->template || (wanted->coder.ptr != NULL && wanted->facet == DB_ALL_FACETS);
}

static bool is_shown(const struct coding_export *x, const struct coding_column *column)
{
    size_t facet = x->wanted.facet;

    switch (column->kind) {
    case CODING_CODER:
        return x->wanted.coder.ptr == NULL;
    case CODING_JUDGEMENT:
    case CODING_CODE:
        return facet == DB_ALL_FACETS || facet == column->facet;
    case CODING_REASON: /* a coder without any, as those of the published study, has no empty columns */
        return x->wanted.template || (has_remarks(&x->wanted) && x->remarks.reasons.n > 0);
    case CODING_NOTE:
        return x->wanted.template || (has_remarks(&x->wanted) && x->remarks.notes.n > 0);
    case CODING_URL:
    case CODING_TITLE:
        return x->wanted.template;
    default:
        return column->kind != CODING_ERROR;
    }
}

enum status coding_export(struct coding_export *out, struct db *db, const struct coding_export_wanted *wanted,
                          struct err *e)
{
    struct db_coding_query query = {
        .coder = wanted->coder, .unjudged = wanted->template, .posts = wanted->posts, .noted = has_remarks(wanted)};

    *out = (struct coding_export){.wanted = *wanted};
    table_init(&out->table, "labels", "Labels", "");
    enum status status = stored_codebook_load_any(&out->book, db, e);
    if (status != ST_OK)
        return status;
    coding_columns_make(&out->columns, out->book.facets);
    if (has_remarks(wanted))
        status = remarks_read(&out->remarks, db, wanted->coder, e);
    out->shown = arena_alloc(&out->columns.arena, out->columns.n * sizeof *out->shown);
    for (size_t i = 0; i < out->columns.n; i++) {
        const struct coding_column *column = &out->columns.items[i];
        if (!is_shown(out, column))
            continue;
        out->shown[out->table.n_columns] = i;
        table_column_add(&out->table, column->name, NULL, column->kind == CODING_POST_ID ? TABLE_INT : TABLE_TEXT);
    }

    AT_END(buf_clear) struct buf last_coder = {0}; /* of judgements alone there is one row per post and coder */
    int64_t last_post = 0;
    struct db_coding c;
    for (struct sql *walk = db_codings(db, &query); db_coding_next(db, walk, &c, &status, e);) {
        bool again = wanted->facet == FACET_JUDGES && c.post_id == last_post && span_eq(c.coder, buf_span(&last_coder));
        last_post = c.post_id;
        buf_set(&last_coder, c.coder);
        for (size_t i = 0; i < out->table.n_columns && !again; i++)
            add_cell(out, &out->columns.items[out->shown[i]], &c);
    }
    return status;
}

void coding_export_clear(struct coding_export *x)
{
    table_clear(&x->table);
    coding_columns_clear(&x->columns);
    stored_codebook_clear(&x->book);
    remarks_clear(&x->remarks);
}

/* --- a workbook --- */

/* What is cut would come back as another reason or note. In bytes, so that it is certain. */
static enum status MUST_USE check_lengths(const struct coding_export *x, struct err *e)
{
    for (size_t i = 0; i < x->table.n_columns; i++) {
        const struct coding_column *column = &x->columns.items[x->shown[i]];
        if (column->kind != CODING_REASON && column->kind != CODING_NOTE)
            continue;
        for (size_t row = 0; row < table_rows(&x->table); row++) {
            const struct table_cell *cell = table_cell_at(&x->table, row, i);
            if (cell->is == TABLE_IS_TEXT && cell->text.len > WORKBOOK_TEXT_MAX)
                return err_set(e, ST_INPUT,
                               "a cell of the column %s would be longer than the %d bytes that"
                               " fit into a workbook; write CSV instead",
                               column->name, WORKBOOK_TEXT_MAX);
        }
    }
    return ST_OK;
}

enum status coding_export_workbook(const struct coding_export *x, const char *path, bool raw, struct err *e)
{
    const struct codebook *book = &x->book.codebook;
    size_t n_columns = x->table.n_columns, most = book->n_codes + 2; /* yes and no */
    AT_END(mem_end) struct workbook_column *columns = mem_zero(n_columns, sizeof *columns);
    struct workbook_sheet sheet = {SHEET_NAME, &x->table, columns, raw};
    AT_END(mem_end) struct span *choices = mem_zero(n_columns, most * sizeof *choices);

    for (size_t i = 0; i < n_columns; i++) {
        const struct coding_column *column = &x->columns.items[x->shown[i]];
        struct span *own = choices + i * most;
        size_t n = 0;
        if (column->kind == CODING_JUDGEMENT) {
            own[n++] = SPAN("yes");
            own[n++] = SPAN("no");
        }
        for (size_t k = 0; column->kind == CODING_CODE && k < book->n_codes; k++)
            if (span_eq(book->codes[k].facet, stored_codebook_list(&x->book, column->facet)))
                own[n++] = book->codes[k].name;
        columns[i] = (struct workbook_column){
            .width = column->width,
            .link = column->kind == CODING_URL,
            .choices = n > 0 ? own : NULL,
            .n_choices = n,
        };
    }
    enum status status = check_lengths(x, e);
    THEN(status, workbook_write(path, &sheet, e));
    return status;
}
