/* text_functions: what stem and match offer to SQLite. */
#include "match/corpus/text_functions.h"

#include "match/match.h"
#include "base/study/study.h"

struct functions {
    struct stemmer *stemmer;
    struct match_set *set; /* NULL until a keyword hit is first asked for */
    struct matcher *matcher;
};

static void forget_set(struct functions *f)
{
    matcher_free(f->matcher);
    match_set_free(f->set);
    f->matcher = NULL;
    f->set = NULL;
}

static void free_functions(void *ctx)
{
    struct functions *f = ctx;

    forget_set(f);
    stemmer_free(f->stemmer);
    mem_free(f);
}

static bool load_set(struct functions *f, struct span keywords, struct span algorithm)
{
    struct err e;

    forget_set(f);
    if (match_set_load(&f->set, keywords, "keywords.txt", algorithm, MATCH_STEMMED, &e) != ST_OK)
        return false;
    f->matcher = matcher_new(f->set);
    return true;
}

static bool use_study(void *ctx, struct span keywords, struct span algorithm)
{
    struct functions *f = ctx;
    struct stemmer *stemmer;
    struct err e;

    if (stemmer_new(&stemmer, algorithm, &e) != ST_OK)
        return false;
    stemmer_free(f->stemmer);
    f->stemmer = stemmer;
    return load_set(f, keywords, algorithm);
}

static int each_token(void *ctx, struct span text,
                      int (*each)(void *each_ctx, struct span stem, size_t start, size_t end), void *each_ctx)
{
    struct functions *f = ctx;
    struct token_reader reader = token_reader(text);
    struct token token;
    int status = 0;

    while (status == 0 && token_next(&reader, &token)) {
        struct span word = {text.ptr + token.start, token.end - token.start};
        status = each(each_ctx, stemmer_stem(f->stemmer, word), token.start, token.end);
    }
    return status;
}

static bool hits_json(void *ctx, struct span text, struct buf *out)
{
    struct functions *f = ctx;
    const struct hit *hits;

    if (f->set == NULL) {
        AT_END(study_clear) struct study study;
        struct err e;
        if (study_load(&study, NULL, &e) != ST_OK || !load_set(f, study_file(&study, "keywords.txt"), study.stemmer))
            return false;
    }
    size_t n = matcher_find(f->matcher, text, &hits);
    buf_add_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        buf_add_text(out, i > 0 ? ",{\"keyword\":" : "{\"keyword\":");
        buf_add_json(out, match_set_keyword(f->set, hits[i].keyword)->text);
        buf_addf(out, ",\"start\":%zu,\"end\":%zu}", hits[i].start, hits[i].end);
    }
    buf_add_char(out, ']');
    return true;
}

struct db_text text_functions(void)
{
    struct functions *f = mem_zero(1, sizeof *f);
    struct err e;

    if (stemmer_new(&f->stemmer, SPAN("nltk"), &e) != ST_OK)
        f->stemmer = NULL; /* cannot be: "nltk" is ours */
    return (struct db_text){
        .ctx = f, .free_ctx = free_functions, .tokens = each_token, .hits_json = hits_json, .use_study = use_study};
}
