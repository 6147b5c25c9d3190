/* part: what a part of the posts adds to numbers that need all of them. Lines with the same first column are added up,
 * from any parts: n-grams with their posts, features with their texts. Shingles have a line for each post. */
#include "match/corpus/part.h"

#include "match/corpus/shingles.h"

#include <inttypes.h>

enum { COUNTED_MAX = 1 << 20 }; /* n-grams or features in memory, some 100 bytes each */

struct part {
    const struct mine_stream_how *how;
    const struct part_lists *lists;
    enum text_options text_options;
    struct derivation *derivation;
    void *counter; /* of how->features */
    struct shingler *shingler;
    struct shingles shingles;
    struct buf title, body;
};

/* --- lists --- */

enum status part_lists_read(struct part_lists *lists, const struct mine_stream_how *how, struct err *e)
{
    enum status status = ST_OK;

    lists->all_others = how->others_path == NULL;
    if (how->problems_path != NULL)
        status = post_ids_read(&lists->problems, how->problems_path, NULL, e);
    if (status == ST_OK && how->others_path != NULL)
        status = post_ids_read(&lists->others, how->others_path, NULL, e);
    return status;
}

void part_lists_clear(struct part_lists *lists)
{
    post_ids_clear(&lists->problems);
    post_ids_clear(&lists->others);
}

/* --- a part --- */

enum status part_new(struct part **out, const struct study *study, const struct mine_stream_how *how,
                     const struct part_lists *lists, struct err *e)
{
    struct part *p = mem_zero(1, sizeof *p);
    enum status status = ST_OK;

    p->how = how;
    p->lists = lists;
    p->text_options = study->include_code ? TEXT_INCLUDE_CODE : TEXT_PLAIN;
    if (how->part == MINE_PART_NGRAMS)
        status = derivation_new(&p->derivation, study->stemmer, e);
    else if (how->part == MINE_PART_SHINGLES)
        status = shingler_new(&p->shingler, study, e);
    else
        status = how->features->begin(&p->counter, study, e);
    if (p->derivation != NULL)
        derivation_part(p->derivation);
    *out = p;
    return status;
}

void part_free(struct part *p)
{
    if (p == NULL)
        return;
    derivation_free(p->derivation);
    if (p->counter != NULL)
        p->how->features->end(p->counter);
    shingler_free(p->shingler);
    array_clear(&p->shingles);
    buf_clear(&p->title);
    buf_clear(&p->body);
    mem_free(p);
}

void part_add(struct part *p, const struct post *post, struct buf *out)
{
    bool is_question = post->type == POST_QUESTION;
    size_t size = 0;

    if (p->how->part == MINE_PART_NGRAMS) {
        const struct part_lists *lists = p->lists;
        bool problem = post_ids_have(&lists->problems, post->post_id);
        if (problem || (lists->all_others ? is_question : post_ids_have(&lists->others, post->post_id))) {
            buf_reset(&p->title);
            buf_reset(&p->body);
            text_from_title(&p->title, post->title);
            text_from_html(&p->body, post->body_html, p->text_options);
            struct span texts[] = {buf_span(&p->title), buf_span(&p->body)};
            derivation_add(p->derivation, texts, ARRAY_LEN(texts), problem);
        }
        size = derivation_size(p->derivation);
    } else if (p->how->part == MINE_PART_SHINGLES && is_question) {
        p->shingles.n = 0;
        size_t n = shingler_read(p->shingler, post, &p->shingles);
        if (n == 0)
            return;
        buf_addf(out, "%" PRId64 "\t%016" PRIx64, post->post_id, shingles_content(p->shingles.at, n));
        for (unsigned band = 0; band < SHINGLE_BANDS; band++)
            buf_addf(out, "%c%016" PRIx64, band == 0 ? '\t' : ' ', shingles_band(p->shingles.at, n, band));
        for (size_t i = 0; i < n; i++)
            buf_addf(out, "%c%" PRIu32, i == 0 ? '\t' : ' ', p->shingles.at[i]);
        buf_add_char(out, '\n');
    } else if (p->how->part == MINE_PART_FEATURES && is_question) {
        p->how->features->add(p->counter, post);
        size = p->how->features->size(p->counter);
    }
    if (size > COUNTED_MAX)
        part_end(p, out);
}

void part_end(struct part *p, struct buf *out)
{
    if (p->derivation != NULL)
        derivation_write(p->derivation, out);
    if (p->counter != NULL)
        p->how->features->write(p->counter, out);
}
