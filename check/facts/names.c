/* Dotted names, written in one way. */
#include "check/facts/project.h"

/* A module as it is imported, and as it is written here. Whole parts only; applied until none
 * fits. */
static const struct {
    struct span from, to;
} renamed[] = {
    {FIXED("tensorflow"), FIXED("tf")},
    {FIXED("tf.compat.v1"), FIXED("tf")},
    {FIXED("tf.compat.v2"), FIXED("tf")},
    {FIXED("tf.contrib.data"), FIXED("tf.data")},
    {FIXED("tf.contrib.eager"), FIXED("tf")},
    {FIXED("tf.contrib.keras"), FIXED("keras")},
    {FIXED("tf.keras"), FIXED("keras")},
    {FIXED("tf.python.client.session"), FIXED("tf")},
    {FIXED("tf.python.data.ops.dataset_ops"), FIXED("tf.data")},
    {FIXED("tf.python.data.ops.readers"), FIXED("tf.data")},
    {FIXED("tf.python.framework.constant_op"), FIXED("tf")},
    {FIXED("tf.python.framework.dtypes"), FIXED("tf")},
    {FIXED("tf.python.framework.ops"), FIXED("tf")},
    {FIXED("tf.python.keras"), FIXED("keras")},
    {FIXED("tf.python.ops.array_ops"), FIXED("tf")},
    {FIXED("tf.python.ops.control_flow_ops"), FIXED("tf")},
    {FIXED("tf.python.ops.math_ops"), FIXED("tf")},
    {FIXED("tf.python.ops.nn"), FIXED("tf.nn")},
    {FIXED("tf.python.ops.nn_ops"), FIXED("tf.nn")},
    {FIXED("tf.python.ops.random_ops"), FIXED("tf.random")},
    {FIXED("tf.python.ops.state_ops"), FIXED("tf")},
    {FIXED("tf.python.ops.variable_scope"), FIXED("tf")},
    {FIXED("tf.python.ops.variables"), FIXED("tf")},
    {FIXED("tf_keras"), FIXED("keras")},
    {FIXED("keras.api"), FIXED("keras")},
    {FIXED("keras.src"), FIXED("keras")},
    {FIXED("tensorflow_addons"), FIXED("tfa")},
    {FIXED("tensorflow_datasets"), FIXED("tfds")},
};

static bool has_prefix(struct span name, struct span prefix)
{
    return span_starts(name, prefix) &&
           (name.len == prefix.len || name.ptr[prefix.len] == '.');
}

static bool rename_once(struct span *name, struct buf *work)
{
    /* All begin so; most names do not. */
    if (name->len == 0 || (name->ptr[0] != 't' && name->ptr[0] != 'k'))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(renamed); i++) {
        if (!has_prefix(*name, renamed[i].from))
            continue;
        struct buf out = {0};
        buf_add_span(&out, renamed[i].to);
        buf_add(&out, name->ptr + renamed[i].from.len, name->len - renamed[i].from.len);
        buf_clear(work);
        *work = out;
        *name = buf_span(work);
        return true;
    }
    return false;
}

static uint32_t *name_slot(struct project *p, struct span full)
{
    size_t mask = p->n_name_slots - 1;
    size_t at = span_hash(full) & mask;

    while (p->name_slots[at] != 0 && !span_eq(p->names[p->name_slots[at]].full, full))
        at = (at + 1) & mask;
    return &p->name_slots[at];
}

static void grow(struct project *p)
{
    mem_free(p->name_slots);
    p->n_name_slots = p->n_name_slots == 0 ? 1024 : p->n_name_slots * 2;
    p->name_slots = mem_zero(p->n_name_slots, sizeof *p->name_slots);
    for (uint32_t i = 1; i <= p->n_names; i++)
        *name_slot(p, p->names[i].full) = i;
}

uint32_t name_of(struct project *p, struct span dotted)
{
    struct buf work = {0};

    for (int i = 0; i < 8 && rename_once(&dotted, &work);)
        i++;
    if (p->n_name_slots == 0 || p->n_names >= p->n_name_slots / 2)
        grow(p);
    uint32_t *slot = name_slot(p, dotted);
    if (*slot == 0) {
        if (p->n_names + 1 >= p->names_capacity) {
            p->names_capacity = p->names_capacity == 0 ? 512 : p->names_capacity * 2;
            p->names = mem_resize(p->names, p->names_capacity, sizeof *p->names);
        }
        p->names[++p->n_names] = (struct name){0, arena_copy(&p->arena, dotted)};
        *slot = p->n_names;
    }
    uint32_t found = *slot;
    buf_clear(&work);
    return found;
}

enum { NAME_LEN_MAX = 300 };

uint32_t name_child(struct project *p, uint32_t parent, struct span last)
{
    char text[NAME_LEN_MAX];
    struct span base = p->names[parent].full;

    if (base.len + 1 + last.len > sizeof text)
        return 0;
    memcpy(text, base.ptr, base.len);
    text[base.len] = '.';
    memcpy(text + base.len + 1, last.ptr, last.len);
    return name_of(p, (struct span){text, base.len + 1 + last.len});
}

struct span fact_name_text(const struct project *p, uint32_t name)
{
    return name == 0 ? (struct span){"", 0} : p->names[name].full;
}
