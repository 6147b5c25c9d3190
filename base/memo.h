/*
 * memo: remembers answers to questions. A template like map.h, for any room:
 *
 *     #define MEMO_NAME loop_memo        the type, struct loop_memo, and the prefix of its functions
 *     #define MEMO_KEY uint64_t          the question; MEMO_HASH and MEMO_EQUAL as in map.h
 *     #define MEMO_ANSWER struct loop
 *     #include "base/memo.h"
 *
 * gives
 *
 *     bool loop_memo_known(const struct loop_memo *m, MEMO_KEY question, MEMO_ANSWER *answer)
 *     MEMO_ANSWER loop_memo_keep(struct loop_memo *m, MEMO_KEY question, MEMO_ANSWER answer)
 *                                        remembers it, over an earlier one, and returns it
 *     void loop_memo_reset(struct loop_memo *m)                   forgets all, keeps the memory
 *     void loop_memo_clear(struct loop_memo *m)                   frees
 *
 * for use as in
 *
 *     struct loop loop;
 *     if (!loop_memo_known(&p->loops, node, &loop))
 *         loop = loop_memo_keep(&p->loops, node, describe(p, node));
 *     return loop;
 *
 * For a question that can lead to itself, first keep a provisional answer, and then the real one. Answers are values:
 * other questions may be asked and kept in between.
 */
#include "base/map.h"

#ifdef MEMO_NAME

#define MEMO_FN(verb) MAP_JOIN(MEMO_NAME, verb)
#define MEMO_MAP MEMO_FN(map)
#define MEMO_ENTRY MAP_JOIN(MEMO_MAP, entry)

#define MAP_NAME MEMO_MAP
#define MAP_KEY MEMO_KEY
#define MAP_VALUE MEMO_ANSWER
#ifdef MEMO_HASH
#define MAP_HASH MEMO_HASH
#endif
#ifdef MEMO_EQUAL
#define MAP_EQUAL MEMO_EQUAL
#endif
#include "base/map.h"

struct MEMO_NAME {
    struct MEMO_MAP answers;
};

static inline bool MUST_USE MEMO_FN(known)(const struct MEMO_NAME *m, MEMO_KEY question, MEMO_ANSWER *answer)
{
    const struct MEMO_ENTRY *found = MAP_JOIN(MEMO_MAP, find)(&m->answers, question);

    if (found != NULL)
        *answer = found->value;
    return found != NULL;
}

static inline MEMO_ANSWER MEMO_FN(keep)(struct MEMO_NAME *m, MEMO_KEY question, MEMO_ANSWER answer)
{
    struct MEMO_ENTRY *entry;

    MAP_JOIN(MEMO_MAP, add)(&m->answers, question, &entry);
    entry->value = answer;
    return answer;
}

static inline void MEMO_FN(reset)(struct MEMO_NAME *m)
{
    MAP_JOIN(MEMO_MAP, reset)(&m->answers);
}

static inline void MEMO_FN(clear)(struct MEMO_NAME *m)
{
    MAP_JOIN(MEMO_MAP, clear)(&m->answers);
}

#undef MEMO_ENTRY
#undef MEMO_MAP
#undef MEMO_FN
#undef MEMO_EQUAL
#undef MEMO_HASH
#undef MEMO_ANSWER
#undef MEMO_KEY
#undef MEMO_NAME

#endif
