/* Questions that are asked once, and their answers. */
#include "check/facts/project.h"

/* A question about a node, and about a name there. */
struct question {
    uintptr_t asked;
    uint64_t place;
    uint32_t sym;
};

static bool same_question(struct question a, struct question b)
{
    return a.asked == b.asked && a.place == b.place && a.sym == b.sym;
}

#include "base/map.h"

static uint64_t hash_question(struct question q, const struct map_secret *secret)
{
    return map_hash_number(map_hash_number(q.place, secret) + (q.asked << 8) + q.sym, secret);
}

#define MEMO_NAME answer_memo
#define MEMO_KEY struct question
#define MEMO_ANSWER bool
#define MEMO_HASH hash_question
#define MEMO_EQUAL same_question
#include "base/memo.h"

void answers_new(struct project *p)
{
    p->answers = mem_zero(1, sizeof *p->answers);
}

void answers_free(struct project *p)
{
    answer_memo_clear(p->answers);
    mem_free(p->answers);
}

bool answer_find(const struct project *p, uintptr_t question, const struct py_file *f, uint32_t n, uint32_t sym,
                 bool *yes)
{
    return answer_memo_known(p->answers, (struct question){question, place_key(f, n), sym}, yes);
}

bool answer_keep(struct project *p, uintptr_t question, const struct py_file *f, uint32_t n, uint32_t sym, bool yes)
{
    return answer_memo_keep(p->answers, (struct question){question, place_key(f, n), sym}, yes);
}

bool fact_once(struct project *p, const struct py_file *f, uint32_t n,
               bool (*question)(struct project *p, const struct py_file *f, uint32_t n))
{
    bool yes;

    if (answer_find(p, (uintptr_t)question, f, n, 0, &yes))
        return yes;
    return answer_keep(p, (uintptr_t)question, f, n, 0, question(p, f, n));
}

bool fact_once_of(struct project *p, const struct py_file *f, uint32_t n, uint32_t sym,
                  bool (*question)(struct project *p, const struct py_file *f, uint32_t n, uint32_t sym))
{
    bool yes;

    if (answer_find(p, (uintptr_t)question, f, n, sym, &yes))
        return yes;
    return answer_keep(p, (uintptr_t)question, f, n, sym, question(p, f, n, sym));
}

bool fact_mentions(struct project *p, const struct py_file *f, const char *text)
{
    bool yes = false;

    if (answer_find(p, (uintptr_t)text, f, 1, 0, &yes))
        return yes;
    struct span texts = span_of(text), one;
    while (!yes && span_cut(&texts, '|', &one))
        yes = span_find(f->code, one) != SIZE_MAX;
    return answer_keep(p, (uintptr_t)text, f, 1, 0, yes);
}

bool fact_any_mentions(struct project *p, const char *text)
{
    bool yes = false;

    if (answer_find(p, (uintptr_t)text, p->files[0], 0, 0, &yes))
        return yes;
    for (size_t i = 0; !yes && i < p->n_files; i++)
        yes = fact_mentions(p, p->files[i], text);
    return answer_keep(p, (uintptr_t)text, p->files[0], 0, 0, yes);
}

bool seen_before(struct seen *seen, const struct py_file *f, uint32_t n)
{
    uint64_t key = place_key(f, n);

    for (size_t i = 0; i < seen->n; i++)
        if (seen->places[i] == key)
            return true;
    if (seen->n == SEEN_MAX)
        return true;
    seen->places[seen->n++] = key;
    return false;
}
