/* Ops that take a batch as well as an element. */
#include "check/rules/batched.h"

/* Ops of one element that work on a batch as well, or have a twin that does; the element is the
 * first argument. What to write instead. */
static const struct {
    enum trait trait;
    const char *instead;
} batched[] = {
    {TRAIT_BATCHES_IMAGES, "it takes batches of images"},
    {TRAIT_MULTIPLIES_BATCHES, "it multiplies batches of matrices"},
    {TRAIT_BATCHES_MATRICES, "it takes batches of matrices"},
    {TRAIT_TAKES_LEADING_AXES, "it takes batches"},
    {TRAIT_TWIN_DIAG, "tf.linalg.diag takes batches"},
    {TRAIT_TWIN_DIAG_PART, "tf.linalg.diag_part takes batches"},
    {TRAIT_LONGER_PERM, "it takes batches, with a longer perm"},
    {TRAIT_GIVEN_AXIS, "give it the axis of the element"},
    {TRAIT_LAST_AXIS, "it works on the last axis of a batch"},
    {TRAIT_SORTS_LAST_AXIS, "it sorts along the last axis of a batch"},
    {TRAIT_BATCH_DIMS, "it takes batch_dims"},
    {TRAIT_BATCH_SHAPE, "it has batch_shape"},
};

/* NULL: it does not work on a batch in one of these ways. */
const char *batched_instead(const struct word *w)
{
    for (size_t i = 0; i < ARRAY_LEN(batched); i++)
        if (word_has(w, batched[i].trait))
            return batched[i].instead;
    return NULL;
}

bool batched_is_parameter(const struct batched_body *b, uint32_t n)
{
    uint32_t value;

    if (py_kind(b->f, n) == PY_IDENTIFIER)
        return !b->tuple && b->f->nodes[n].sym == b->sym;
    if (!b->tuple || py_kind(b->f, n) != PY_SUBSCRIPT)
        return false;
    value = py_child(b->f, n, FIELD_VALUE);
    uint32_t index = py_child(b->f, n, FIELD_SUBSCRIPT);
    return b->f->nodes[value].sym == b->sym && index != 0 && py_kind(b->f, index) == PY_INTEGER;
}
