/* Any file as a sheet of codings: what is good has an id and codes, and the bad rows, written to
 * be mended, are read again as as many rows. */
#include "label/exchange/sheet.h"
#include "label/coding/decisions.h"
#include "label/id_list.h"
#include "base/study/study.h"

#include <stdlib.h>

static struct facets facets; /* of the study that is built in */
static struct stored_codebook codebook;

static void require(bool fine)
{
    if (!fine)
        abort();
}

static void prepare(void)
{
    static const char text[] = "facet,category,code,short_name,definition,aliases\n"
                               "symptom,T,slow,s,,\nsymptom,M,leak,l,,\nroot cause,,x,,,\n"
                               "stage,,train,,,\n";
    struct study none = {0};
    struct err e;

    require(facets_of_study(&facets, &none, &e) == ST_OK);
    codebook.facets = &facets;
    require(codebook_load(&codebook.codebook, &facets, span_of(text), (struct span){0}, &e) == ST_OK);
    codebook.code_ids = mem_zero(codebook.codebook.n_codes, sizeof *codebook.code_ids);
    for (size_t i = 0; i < codebook.codebook.n_codes; i++)
        codebook.code_ids[i] = (int64_t)i + 1;
}

static void check_good(const struct sheet *s, const struct sheet_row *row)
{
    int64_t post_id;

    require(problem_id_read(row->subject, &post_id) && post_id == row->post_id);
    for (size_t f = 0; f < facets.n; f++) {
        const int64_t *codes = sheet_codes(s, row, f);
        for (size_t i = 1; s->has_facet[f] && i < facets.items[f].most; i++)
            require(codes[i] == 0 || (codes[i - 1] != 0 && codes[i - 1] != codes[i]));
    }
}

/* The fields of bad rows come back as they were, behind the fault; the column of faults is not written. */
static void check_bad(const struct sheet *before, const struct sheet *after)
{
    size_t error = before->places[before->columns.at[CODING_ERROR]], n = 0;

    require(after->n_rows == before->n_bad && after->delimiter == before->delimiter);
    for (size_t i = 0; i < before->n_rows; i++) {
        const struct sheet_row *row = &before->rows[i];
        if (row->faults.ptr == NULL)
            continue;
        const struct sheet_row *again = &after->rows[n++];
        for (size_t k = 0, place = 1; k < row->n_fields; place += k != error, k++) {
            struct span is = place < again->n_fields ? again->fields[place] : SPAN("");
            require(k == error || span_eq(span_trim(is), span_trim(row->fields[k])));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct coding_import_how how = {.coder = SPAN("ann"), .keep_times = true};
    struct sheet sheet, again = {0};
    struct buf bad = {0};
    struct err e = {0};

    if (codebook.code_ids == NULL)
        prepare();
    if (sheet_read(&sheet, (struct span){(const char *)data, size}, "f", &how, &codebook, &e) == ST_OK) {
        for (size_t i = 0; i < sheet.n_rows; i++)
            if (sheet.rows[i].faults.ptr == NULL)
                check_good(&sheet, &sheet.rows[i]);
        sheet_bad_rows(&sheet, &bad);
        require(sheet_read(&again, buf_span(&bad), "g", &how, &codebook, &e) == ST_OK);
        check_bad(&sheet, &again);
    } else {
        require(e.text[0] != '\0');
    }
    sheet_clear(&sheet);
    sheet_clear(&again);
    buf_clear(&bad);
    return 0;
}
