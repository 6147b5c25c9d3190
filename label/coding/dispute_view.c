/* dispute_view: the parts of a dispute, in the order in which they are shown. */
#include "label/coding/dispute_view.h"

#include "label/code_table.h"

void dispute_add_codes(struct buf *out, const struct db_opinion *opinion, size_t first)
{
    for (size_t i = first; i < opinion->n_names; i++) {
        buf_add_text(out, i > first ? "; " : "");
        buf_add_span(out, opinion->names[i]);
    }
}

struct span dispute_facet(const struct settler *settler, const struct db_dispute *dispute)
{
    return dispute->facet == DB_SEGMENTS ? SPAN("segmentation") : settler->book.facets->items[dispute->facet].name;
}

/* --- what coders say --- */

static void show_labels(const struct dispute_view *v, const struct db_dispute *dispute)
{
    AT_END(buf_clear) struct buf codes = {0};
    size_t nth = 0;

    for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next) {
        char letter[] = {(char)('A' + nth % 26), '\0'};
        buf_reset(&codes);
        dispute_add_codes(&codes, o, 0);
        const struct dispute_part part = {
            .kind = DISPUTE_LABEL,
            .nth = ++nth,
            .is_merged = o->is_merged,
            .who = v->hides_names && !o->is_merged ? span_of(letter) : o->coder,
            .what = buf_span(&codes),
            .when = o->decided_at,
            .text = o->reason,
        };
        v->each(v->ctx, &part);
    }
}

static void show_union(const struct dispute_view *v, const struct db_dispute *dispute)
{
    size_t most = v->settler->book.facets->items[dispute->facet].most, longest = 0, n = 0;
    struct span names[FACET_CODES_MAX];
    AT_END(buf_clear) struct buf all = {0};

    for (const struct db_opinion *o = dispute->opinions; o != NULL && n <= most; o = o->next) {
        longest = !o->is_merged && o->n_names > longest ? o->n_names : longest;
        for (size_t i = 0; i < o->n_names && !o->is_merged && n <= most; i++) {
            if (span_among(o->names[i], names, n) < n)
                continue;
            if (n < FACET_CODES_MAX)
                names[n] = o->names[i];
            n++;
            buf_addf(&all, "%s%.*s", all.len > 0 ? "; " : "", SPAN_ARG(o->names[i]));
        }
    }
    if (most > 1 && n <= most && n > longest)
        v->each(v->ctx, &(struct dispute_part){.kind = DISPUTE_UNION, .what = buf_span(&all)});
}

/* --- what codes mean --- */

static bool is_said(const struct db_dispute *dispute, int64_t code_id)
{
    for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next)
        for (size_t i = 0; i < o->codes.n; i++)
            if (!o->is_merged && o->codes.ids[i] == code_id)
                return true;
    return false;
}

static enum status MUST_USE show_rules(const struct dispute_view *v, const struct db_dispute *dispute, struct err *e)
{
    const struct stored_codebook *book = &v->settler->book;
    enum status status = ST_OK;
    struct db_rule rule;

    while (db_disambiguation_next(v->settler->db, &rule, &status, e)) {
        if (!is_said(dispute, rule.code_id) || !is_said(dispute, rule.versus_id))
            continue;
        const struct dispute_part part = {
            .kind = DISPUTE_RULE,
            .who = stored_codebook_name(book, rule.code_id),
            .what = stored_codebook_name(book, rule.versus_id),
            .text = rule.rule,
        };
        v->each(v->ctx, &part);
    }
    return status;
}

static void show_definitions(const struct dispute_view *v, const struct db_dispute *dispute)
{
    const struct stored_codebook *book = &v->settler->book;
    AT_END(array_end) struct ARRAY_OF(size_t) shown = {0};

    for (const struct db_opinion *o = dispute->opinions; o != NULL; o = o->next)
        for (size_t i = 0; i < o->codes.n; i++) {
            size_t place = stored_codebook_place(book, o->codes.ids[i]), k = 0;
            while (k < shown.n && shown.at[k] != place)
                k++;
            if (k < shown.n || place >= book->codebook.n_codes || book->codebook.codes[place].definition.len == 0)
                continue;
            array_add(&shown, place);
            const struct code *code = &book->codebook.codes[place];
            v->each(v->ctx,
                    &(struct dispute_part){.kind = DISPUTE_DEFINITION, .who = code->name, .text = code->definition});
        }
}

enum status dispute_view_each(const struct dispute_view *v, const struct db_dispute *dispute, struct err *e)
{
    enum status status = ST_OK;

    show_labels(v, dispute);
    if (dispute->facet == DB_SEGMENTS)
        return ST_OK;
    if (dispute->facet != FACET_JUDGES)
        status = show_rules(v, dispute, e);
    if (status != ST_OK)
        return status;
    show_union(v, dispute);
    show_definitions(v, dispute);
    return ST_OK;
}

/* --- what was said aside --- */

enum status dispute_view_asides(const struct dispute_view *v, int64_t post_id, struct err *e)
{
    static const enum dispute_part_kind kinds[] = {[DB_NOTE] = DISPUTE_NOTE, [DB_MESSAGE] = DISPUTE_MESSAGE};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct sql *notes = db_notes(v->settler->db, (enum db_note_kind)i, (struct span){0}, post_id);
        struct db_note note;
        while (db_note_next(v->settler->db, notes, &note, &status, e)) {
            const struct dispute_part part = {
                .kind = kinds[i],
                .who = v->hides_names ? SPAN("a coder") : note.coder,
                .what = note.subject,
                .when = note.written_at,
                .text = note.text,
            };
            v->each(v->ctx, &part);
        }
    }
    return status;
}
