/* Any bytes as a project or codebook of REFI-QDA: it is refused with a reason, or what it says are files that a study
 * is read from, and definitions that are a table. 'z' and bytes: they are the file of a text, in a project's archive. */
#include "base/csv.h"
#include "base/log.h"
#include "base/zip.h"
#include "label/coding/categories.h"
#include "label/exchange/refi.h"

#include <stdlib.h>

static void require(bool fine)
{
    if (!fine)
        abort();
}

static const char project[] =
    "<Project xmlns=\"urn:QDA-XML:project:1.0\" name=\"f\"><CodeBook><Codes><Code"
    " guid=\"00000001-0000-0000-0000-000000000000\" name=\"a\" isCodable=\"true\"/></Codes></CodeBook><Sources><TextSource"
    " guid=\"00000002-0000-0000-0000-000000000000\" plainTextPath=\"internal://t.txt\"><PlainTextSelection"
    " guid=\"00000003-0000-0000-0000-000000000000\" startPosition=\"1\" endPosition=\"3\"/></TextSource></Sources></Project>";

static void check_study(struct refi *r)
{
    struct foreign_files files = {0};
    struct facets facets = {0};
    struct codebook codebook = {0};
    struct study s = {0};
    struct buf csv = {0};
    struct csv_rows rows;
    struct err e = {0};

    refi_study(r, &files);
    enum status status = study_load_files(&s, files.at, files.n, &e);
    if (status == ST_OK)
        status = facets_of_study(&facets, &s, &e);
    if (status == ST_OK)
        status = codebook_of_study(&codebook, &facets, &s, &e);
    require(status == ST_OK);
    require(categories_check(study_file(&s, "categories.csv"), &e) == ST_OK);
    refi_definitions(r, &facets, &csv);
    static const char *const columns[] = {"facet", "category", "code", "definition"};
    require(csv_rows_read(&rows, buf_span(&csv), "d", columns, ARRAY_LEN(columns), &e) == ST_OK);
    csv_rows_clear(&rows);
    codebook_clear(&codebook);
    facets_clear(&facets);
    study_clear(&s);
    array_clear(&files);
    buf_clear(&csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span input = {(const char *)data, size};
    struct zip zip = {0};
    struct buf made = {0};
    struct refi *r = NULL;
    struct err e = {0};

    log_set_level(LOG_QUIET);
    if (size > 0 && data[0] == 'z') {
        zip_add(&zip, &made, "Sources/T.txt", (struct span){input.ptr + 1, size - 1});
        zip_add(&zip, &made, "project.qde", SPAN(project));
        zip_end(&zip, &made);
        input = buf_span(&made);
        require(refi_is(input));
    }
    enum status status = refi_read(&r, input, "f", &e);
    require(status == ST_OK || (status == ST_INPUT && e.text[0] != '\0'));
    if (status == ST_OK) {
        refi_tell(r);
        check_study(r);
    }
    refi_free(r);
    zip_clear(&zip);
    buf_clear(&made);
    return 0;
}
