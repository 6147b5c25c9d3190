/* Any study.ini and keywords.txt (a NUL byte between them), in both ways of comparing. */
#include "match/match.h"
#include "base/study/study.h"
#include "base/utf8.h"

#include <stdlib.h>

static void load_set(struct span content, struct span algorithm, enum match_options options)
{
    struct match_set *set;
    struct err e = {0};

    if (match_set_load(&set, content, "keywords.txt", algorithm, options, &e) != ST_OK) {
        if (set != NULL || e.text[0] == '\0')
            abort();
        return;
    }
    struct matcher *m = matcher_new(set);
    const struct hit *hits;
    size_t valid = utf8_valid_prefix(content);
    matcher_find(m, (struct span){content.ptr, valid}, &hits);
    match_possible(set, content);
    matcher_free(m);
    match_set_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span rest = {(const char *)data, size}, ini = {0};
    struct study study;
    struct err e = {0};

    if (span_cut(&rest, '\0', &ini)) {
        const struct study_file files[] = {{SPAN("study.ini"), ini}, {SPAN("keywords.txt"), rest}};
        if (study_load_files(&study, files, ARRAY_LEN(files), &e) == ST_OK) {
            study_has_tag(&study, SPAN("tensorflow2.0"));
            study_has_date(&study, SPAN("2020-02-29"));
        } else if (e.text[0] == '\0') {
            abort();
        }
        study_clear(&study);
    }
    load_set(rest, SPAN("nltk"), MATCH_STEMMED);
    load_set(rest, SPAN("porter"), MATCH_VERBATIM);
    return 0;
}
