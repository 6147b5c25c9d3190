/* What names of frameworks say: look-ups in the tables that are made of vocabulary.csv and aliases.csv. */
#include "check/facts/vocabulary.h"

#include <stdlib.h>

/* A way to write names that have another one. */
struct alias {
    struct span from, to;
    bool below; /* the names below it: from.x is to.x */
};

_Static_assert(TRAIT_END <= TRAIT_SETS * 64, "TRAIT_SETS is too small");

/* A span for the initializer of a static table. */
/* clang-format off */
#define FIXED(literal) {(literal), sizeof(literal) - 1}
/* clang-format on */
#define IN(set, trait) ((uint64_t)((trait) / 64 == (set)) << (trait) % 64)
#include "build/vocabulary.inc"

const struct word vocabulary_unknown = {{"", 0}, FRAMEWORK_OTHER, OP_NONE, 0, {0}};

enum { NAME_MAX = 300, ALIASES_MAX = 4 };

static int compare(const void *key, const void *element)
{
    return span_order(*(const struct span *)key, ((const struct word *)element)->name);
}

static const struct word *find_in(const struct word *table, size_t n, struct span name)
{
    return bsearch(&name, table, n, sizeof *table, compare);
}

/* Is the name `from`, or, of a module, below it? */
static bool fits(const struct alias *a, struct span name)
{
    if (!a->below)
        return span_eq(name, a->from);
    return span_starts(name, a->from) && name.len > a->from.len && name.ptr[a->from.len] == '.';
}

/* The line of the name itself, or of another way to write it. */
static const struct word *find_exact(struct span name, int depth)
{
    const struct word *found = find_in(words, ARRAY_LEN(words), name);
    char text[NAME_MAX];

    for (size_t i = 0; found == NULL && depth < ALIASES_MAX && i < ARRAY_LEN(same); i++) {
        struct span to = same[i].to, from = same[i].from;
        if (!fits(&same[i], name) || to.len + name.len - from.len > sizeof text)
            continue;
        memcpy(text, to.ptr, to.len);
        memcpy(text + to.len, name.ptr + from.len, name.len - from.len);
        found = find_exact((struct span){text, to.len + name.len - from.len}, depth + 1);
    }
    return found;
}

const struct word *vocabulary_find(struct span name)
{
    const struct word *best = find_exact(name, 0);

    /* In order: of those that begin one another the longest comes last. */
    for (size_t i = ARRAY_LEN(families); best == NULL && i-- > 0;)
        if (span_starts(name, families[i].name))
            best = &families[i];
    return best != NULL ? best : &vocabulary_unknown;
}

bool vocabulary_knows(struct span name)
{
    return find_exact(name, 0) != NULL;
}

const struct word *vocabulary_method(struct span last)
{
    const struct word *found = find_in(methods, ARRAY_LEN(methods), last);

    return found != NULL ? found : &vocabulary_unknown;
}

bool vocabulary_rename(struct buf *name)
{
    struct span text = buf_span(name);

    /* All begin so; most names do not. */
    if (text.len == 0 || (text.ptr[0] != 't' && text.ptr[0] != 'k'))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(renamed); i++) {
        const struct alias *a = &renamed[i];
        if (!span_eq(text, a->from) && !fits(a, text))
            continue;
        struct buf out = {0};
        buf_add_span(&out, a->to);
        buf_add(&out, text.ptr + a->from.len, text.len - a->from.len);
        buf_clear(name);
        *name = out;
        return true;
    }
    return false;
}

bool vocabulary_is_module(struct span name)
{
    return span_is_word(name, "tensorflow keras numpy torch torchvision torchaudio");
}

unsigned vocabulary_uses(struct span code)
{
    static const char *const tensorflow[] = {"tensorflow", "keras", "import_tf", "import tf"};
    static const char *const torch[] = {"import torch",           "from torch",
                                        "import lightning",       "import pytorch_lightning",
                                        "from pytorch_lightning", "from lightning"};

    return (span_has_any(code, tensorflow, ARRAY_LEN(tensorflow)) ? USES_TENSORFLOW : 0U) |
           (span_has_any(code, torch, ARRAY_LEN(torch)) ? USES_TORCH : 0U);
}
