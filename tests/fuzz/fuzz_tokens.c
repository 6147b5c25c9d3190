/* Tokens of any text: in order, not empty, inside it, apart. Their stems by every algorithm that is
 * used most: never empty, and the word begins with the sure prefix of its stem. */
#include "base/utf8.h"
#include "stem/stem.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_stem(struct stemmer *s, struct span word)
{
    struct span stem = stemmer_stem(s, word);
    char *kept = mem_text(stem);
    size_t sure = stemmer_sure_prefix(s, stem);

    require(stem.len > 0 && utf8_valid_prefix(stem) == stem.len);
    struct span lowered = stemmer_lower(s, word);
    require(utf8_valid_prefix(lowered) == lowered.len);
    require(sure <= lowered.len && memcmp(kept, lowered.ptr, sure) == 0);
    mem_free(kept);
}

static void check_tokens(struct stemmer *s, struct span text)
{
    struct token_reader reader = token_reader(text);
    struct token token;
    size_t end = 0;

    while (token_next(&reader, &token)) {
        require(token.start >= end && token.end > token.start && token.end <= text.len);
        require(token.start > end || end == 0); /* something stands between two words */
        struct span between = {text.ptr + end, token.start - end};
        require(token.new_line == (span_find(between, SPAN("\n")) != SIZE_MAX));
        check_stem(s, (struct span){text.ptr + token.start, token.end - token.start});
        end = token.end;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const algorithms[] = {"nltk", "porter", "english", "german"};
    static struct stemmer *stemmers[ARRAY_LEN(algorithms)];
    struct span text = {(const char *)data, size};
    struct err e;

    text.len = utf8_valid_prefix(text);
    for (size_t i = 0; i < ARRAY_LEN(algorithms); i++) {
        if (stemmers[i] == NULL && stemmer_new(&stemmers[i], span_of(algorithms[i]), &e) != ST_OK)
            abort();
        check_tokens(stemmers[i], text);
    }
    return 0;
}
