/* base: the growing array, the map, the set, the memo. */
#include "base/map.h"

#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"

struct pair {
    uint32_t a, b;
};

static uint64_t hash_pair(struct pair p, const struct map_secret *secret)
{
    return map_hash_number(map_hash_number(p.a, secret) + p.b, secret);
}

static bool same_pair(struct pair x, struct pair y)
{
    return x.a == y.a && x.b == y.b;
}

#define MAP_NAME word_map
#define MAP_KEY struct span
#define MAP_VALUE uint64_t
#include "base/map.h"

#define MAP_NAME number_map
#define MAP_KEY uint64_t
#define MAP_VALUE size_t
#include "base/map.h"

#define MAP_NAME id_set
#define MAP_KEY int64_t
#include "base/map.h"

#define MAP_NAME pair_set
#define MAP_KEY struct pair
#define MAP_HASH(key, secret) hash_pair(key, secret)
#define MAP_EQUAL(x, y) same_pair(x, y)
#include "base/map.h"

#define MEMO_NAME sum_memo
#define MEMO_KEY uint64_t
#define MEMO_ANSWER struct pair
#include "base/memo.h"
#include "base/random.h"

struct text_list ARRAY_OF(const char *);

/* --- the array --- */

TEST(keeps_what_was_added)
{
    struct ARRAY_OF(struct pair) pairs = {0};
    struct text_list texts = {0};

    for (uint32_t i = 0; i < 10000; i++) {
        struct pair *added = array_add(&pairs, {.a = i, .b = i * i});
        assert_ptr_equal(added, &pairs.at[i]);
        assert_int_equal(pairs.n, i + 1);
        assert_true(pairs.capacity >= pairs.n && pairs.capacity <= 2 * pairs.n + 8);
    }
    for (uint32_t i = 0; i < 10000; i++)
        assert_true(pairs.at[i].a == i && pairs.at[i].b == i * i);
    array_add(&texts, "one");
    array_add(&texts, "two");
    assert_string_equal(texts.at[0], "one");
    assert_string_equal(texts.at[1], "two");
    array_clear(&texts);
    array_clear(&pairs);
    assert_true(pairs.at == NULL && pairs.n == 0 && pairs.capacity == 0);
}

/* When the array moves (another one takes the place behind it), the value was already read from
 * where it was. */
TEST(adds_what_is_in_it)
{
    struct ARRAY_OF(uint32_t) numbers = {0}, others = {0};

    array_add(&numbers, 7);
    for (int i = 0; i < 5000; i++) {
        const uint32_t *first = numbers.at, *last = &numbers.at[numbers.n - 1];
        array_add(&numbers, *first + *last);
        array_add(&others, 0);
    }
    for (uint32_t i = 0; i < numbers.n; i++)
        assert_int_equal(numbers.at[i], 7 * (i + 1));
    array_clear(&others);
    array_clear(&numbers);
}

static struct text_list *asked_for(struct text_list *list, int *times)
{
    ++*times;
    return list;
}

TEST(looks_at_arguments_once)
{
    struct text_list list = {0};
    int times = 0;
    const char *text = "abc";

    array_add(asked_for(&list, &times), text++);
    assert_int_equal(times, 1);
    assert_string_equal(text, "bc");
    array_reserve(asked_for(&list, &times), (size_t)(text++, 100));
    assert_int_equal(times, 2);
    assert_string_equal(text, "c");
    assert_true(list.capacity >= 101 && list.n == 1);
    array_clear(asked_for(&list, &times));
    assert_int_equal(times, 3);
}

TEST(reserves_room)
{
    struct ARRAY_OF(uint64_t) numbers = {0};

    for (size_t more = 0; more < 1000; more += 37) {
        array_reserve(&numbers, more);
        assert_true(numbers.capacity - numbers.n >= more);
        for (size_t i = 0; i < more; i++)
            numbers.at[numbers.n++] = i;
    }
    array_clear(&numbers);
}

/* --- the map, against the binary trees of the C library --- */

struct word {
    char bytes[9];
    size_t len;
    uint64_t count;
};

static int compare_words(const void *left, const void *right)
{
    const struct word *a = left, *b = right;
    int order = memcmp(a->bytes, b->bytes, a->len < b->len ? a->len : b->len);

    return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
}

/* Short ones of few bytes, so that many come again; the empty one and NULs are among them. */
static struct word any_word(struct random *r)
{
    struct word w = {.len = random_below(r, sizeof w.bytes + 1)};

    for (size_t i = 0; i < w.len; i++)
        w.bytes[i] = (char)random_below(r, i < 1 ? 256 : 2);
    return w;
}

TEST(counts_words_like_a_tree)
{
    enum { ROUNDS = 200000 };
    struct word_map m = {0};
    struct word *words = mem_zero(ROUNDS, sizeof *words);
    struct arena arena = {0};
    struct random r;
    void *tree = NULL;
    size_t n = 0;

    random_seed(&r, 1);
    for (int i = 0; i < ROUNDS; i++) {
        struct word_map_entry *entry;
        words[n] = any_word(&r);
        struct span key = {words[n].bytes, words[n].len};
        struct word *known = *(struct word **)tsearch(&words[n], &tree, compare_words);
        bool is_new = known == &words[n];
        assert_int_equal(word_map_has(&m, key), !is_new);
        assert_int_equal(word_map_add(&m, key, &entry), is_new);
        assert_ptr_equal(entry, &m.at[is_new ? n : (size_t)(known - words)]);
        assert_int_equal(entry->value, known->count); /* 0 of a new one */
        if (is_new)
            entry->key = arena_copy(&arena, key);
        n += is_new;
        entry->value = ++known->count;
    }
    assert_int_equal(m.n, n);
    assert_in_range(n, 10000, ROUNDS / 2); /* both happened often */
    for (size_t i = 0; i < n; i++) {       /* in the order in which they came */
        struct span key = {words[i].bytes, words[i].len};
        assert_true(span_eq(m.at[i].key, key) && m.at[i].value == words[i].count);
        assert_ptr_equal(word_map_find(&m, key), &m.at[i]);
    }
    while (tree != NULL)
        tdelete(*(struct word **)tree, &tree, compare_words);
    arena_clear(&arena);
    mem_free(words);
    word_map_clear(&m);
    assert_true(m.at == NULL && m.n == 0 && word_map_find(&m, SPAN("")) == NULL);
}

TEST(numbers_numbers)
{
    enum { N = 300000 };
    struct number_map m = {0};

    assert_null(number_map_find(&m, 0));
    for (uint64_t i = 0; i < N; i++) {
        struct number_map_entry *entry;
        assert_true(number_map_add(&m, i << 32 | i % 7, &entry));
        entry->value = i;
    }
    for (uint64_t i = 0; i < N; i++) {
        struct number_map_entry *entry = number_map_find(&m, i << 32 | i % 7);
        assert_true(entry != NULL && entry->value == i);
        assert_null(number_map_find(&m, i << 32 | 8));
    }
    number_map_reset(&m);
    assert_null(number_map_find(&m, 0));
    assert_true(number_map_add(&m, UINT64_C(5) << 32 | 5, NULL)); /* nothing is left of the old ones */
    number_map_reset(&m);
    assert_true(number_map_add(&m, UINT64_MAX, NULL));
    assert_false(number_map_add(&m, UINT64_MAX, NULL));
    assert_int_equal(m.n, 1);
    number_map_clear(&m);
}

TEST(takes_other_keys)
{
    struct pair_set pairs = {0};
    struct id_set ids = {0};

    for (uint32_t a = 0; a < 200; a++)
        for (uint32_t b = 0; b < 200; b++)
            assert_true(pair_set_add(&pairs, (struct pair){a, b}, NULL));
    assert_true(pair_set_has(&pairs, (struct pair){199, 0}));
    assert_false(pair_set_has(&pairs, (struct pair){0, 200}));
    for (int64_t id = -1000; id < 1000; id++) {
        assert_true(id_set_add(&ids, id, NULL));
        assert_false(id_set_add(&ids, id, NULL));
    }
    assert_true(id_set_has(&ids, -1000) && !id_set_has(&ids, 1000));
    id_set_clear(&ids);
    pair_set_clear(&pairs);
}

/* Of the entries the one that is farthest from the slot where its search begins. */
static size_t longest_search(const struct map_index *index)
{
    size_t longest = 0, mask = index->n_slots - 1;

    for (size_t i = 0; i < index->n_slots; i++) {
        size_t distance = (i - index->slots[i].hash) & mask;
        if (index->slots[i].place != 0 && distance > longest)
            longest = distance;
    }
    return longest;
}

/* Words and numbers that would all begin in one slot of 4096 if the secret were known. */
TEST(cannot_be_flooded)
{
    enum { N = 1500, SLOTS = 4096 };
    static const struct map_secret guessed = {0x0123456789abcdef, 0xfedcba9876543210};
    static char texts[N][16];
    struct word_map words = {0};
    struct number_map numbers = {0};

    for (uint64_t i = 0; words.n < N; i++) {
        char *text = texts[words.n];
        snprintf(text, sizeof texts[0], "word%llu", (unsigned long long)i);
        if (map_hash_span(span_of(text), &guessed) % SLOTS == 0)
            word_map_add(&words, span_of(text), NULL);
    }
    for (uint64_t i = 0; numbers.n < N; i++)
        if (map_hash_number(i, &guessed) % SLOTS == 0)
            number_map_add(&numbers, i, NULL);
    assert_int_equal(words.index.n_slots, SLOTS);
    assert_in_range(longest_search(&words.index), 1, 100);
    assert_in_range(longest_search(&numbers.index), 1, 100);
    number_map_clear(&numbers);
    word_map_clear(&words);
}

/* From Python 3.11, whose bytes are hashed by SipHash-1-3, with no secret:
 * PYTHONHASHSEED=0 python3 -c "print(hex(hash(b'tensor') & (1 << 64) - 1))"
 * and, for keys of every length: sum = (sum * 31 + hash(bytes(range(256))[-n:])) mod 2^64. */
TEST(hashes_as_published)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } cases[] = {
        {"a", 0x407448d2b89b1813},
        {"tensor", 0x65df3ad1ad888abb},
        {"12345678", 0x3489982430560a87},
        {"tensorflow", 0xc5b873d501c77518},
        {"a dataset that is mapped before it is batched", 0xd1ee66c594e54c65},
    };
    static const struct map_secret none = {0, 0};
    uint64_t sum = 0;
    char all[256];

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_true(map_hash_span(span_of(cases[i].text), &none) == cases[i].hash);
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = (char)i;
    for (size_t n = 1; n <= sizeof all; n++)
        sum = sum * 31 + map_hash_span((struct span){all + sizeof all - n, n}, &none);
    assert_true(sum == 0xbb8c4a90a0631f84);
}

/* --- the memo --- */

struct sums {
    struct sum_memo memo;
    size_t asked;
};

/* 1 + .. + n in b, by way of all smaller numbers. */
static struct pair sum(struct sums *s, uint64_t n)
{
    struct pair answer;

    if (sum_memo_known(&s->memo, n, &answer))
        return answer;
    s->asked++;
    uint32_t below = n > 0 ? sum(s, n - 1).b : 0;
    return sum_memo_keep(&s->memo, n, (struct pair){(uint32_t)n, below + (uint32_t)n});
}

TEST(asks_once)
{
    struct sums s = {0};
    struct pair answer;

    assert_int_equal(sum(&s, 1000).b, 500500);
    assert_int_equal(s.asked, 1001);
    assert_int_equal(sum(&s, 1000).b, 500500);
    assert_int_equal(sum(&s, 10).b, 55);
    assert_int_equal(s.asked, 1001);
    sum_memo_keep(&s.memo, 10, (struct pair){10, 56}); /* over the earlier answer */
    assert_true(sum_memo_known(&s.memo, 10, &answer) && answer.b == 56);
    sum_memo_reset(&s.memo);
    assert_false(sum_memo_known(&s.memo, 10, &answer));
    assert_int_equal(sum(&s, 10).b, 55);
    assert_int_equal(s.asked, 1012);
    sum_memo_clear(&s.memo);
}

/* --- bounds --- */

static void add_beyond_memory(void)
{
    struct ARRAY_OF(struct pair) full = {.n = SIZE_MAX / 8, .capacity = SIZE_MAX / 8};

    array_add(&full, (struct pair){0});
}

static void add_beyond_the_map(void)
{
    struct id_set full = {.n = MAP_MAX};

    id_set_add(&full, 1, NULL);
}

static int exit_code_of(void (*work)(void))
{
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, STDERR_FILENO);
        work();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ends_when_there_are_too_many)
{
    assert_int_equal(exit_code_of(add_beyond_memory), ST_IO);
    assert_int_equal(exit_code_of(add_beyond_the_map), ST_IO);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
