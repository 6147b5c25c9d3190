/* Dotted names, written in one way. */
#include "check/facts/project.h"

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
    enum { RENAMES_MAX = 8 };
    struct buf work = {0};

    buf_add_span(&work, dotted);
    for (int i = 0; i < RENAMES_MAX && vocabulary_rename(&work);)
        i++;
    dotted = buf_span(&work);
    if (p->n_name_slots == 0 || p->n_names >= p->n_name_slots / 2)
        grow(p);
    uint32_t *slot = name_slot(p, dotted);
    if (*slot == 0) {
        if (p->n_names + 1 >= p->names_capacity) {
            p->names_capacity = p->names_capacity == 0 ? 512 : p->names_capacity * 2;
            p->names = mem_resize(p->names, p->names_capacity, sizeof *p->names);
        }
        p->names[++p->n_names] = (struct name){arena_copy(&p->arena, dotted), vocabulary_find(dotted)};
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

const struct word *fact_name_word(const struct project *p, uint32_t name)
{
    return name == 0 ? &vocabulary_unknown : p->names[name].word;
}
