/* Dotted names, each once, written in one way. */
#include "check/facts/project.h"

enum { NAME_LEN_MAX = 300, RENAMES_MAX = 8 };

#define MAP_NAME name_map
#define MAP_KEY struct span
#define MAP_VALUE const struct word *
#include "base/map.h"

struct names {
    struct name_map map;          /* its places, from 1, are the names' numbers */
    struct file_methods *methods; /* of each file, found when asked for */
};

void names_new(struct project *p)
{
    p->names = mem_zero(1, sizeof *p->names);
    p->names->methods = mem_zero(p->n_files + 1, sizeof *p->names->methods);
}

void names_free(struct project *p)
{
    for (size_t i = 0; i < p->n_files; i++)
        array_clear(&p->names->methods[i]);
    mem_free(p->names->methods);
    name_map_clear(&p->names->map);
    mem_free(p->names);
}

uint32_t name_of(struct project *p, struct span dotted)
{
    struct name_map *map = &p->names->map;
    struct name_map_entry *entry;
    AT_END(buf_clear) struct buf work = {0};

    buf_add_span(&work, dotted);
    for (int i = 0; i < RENAMES_MAX && vocabulary_rename(&work);)
        i++;
    if (name_map_add(map, buf_span(&work), &entry)) {
        entry->key = arena_copy(&p->arena, buf_span(&work));
        entry->value = vocabulary_find(entry->key);
    }
    return (uint32_t)(entry - map->at) + 1;
}

uint32_t name_child(struct project *p, uint32_t parent, struct span last)
{
    char text[NAME_LEN_MAX];
    struct span base = fact_name_text(p, parent);

    if (base.len + 1 + last.len > sizeof text)
        return 0;
    memcpy(text, base.ptr, base.len);
    text[base.len] = '.';
    memcpy(text + base.len + 1, last.ptr, last.len);
    return name_of(p, (struct span){text, base.len + 1 + last.len});
}

struct span fact_name_text(const struct project *p, uint32_t name)
{
    return name == 0 ? (struct span){"", 0} : p->names->map.at[name - 1].key;
}

const struct word *fact_name_word(const struct project *p, uint32_t name)
{
    return name == 0 ? &vocabulary_unknown : p->names->map.at[name - 1].value;
}

uint32_t fact_method(const struct py_file *f, uint32_t call, enum trait trait)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    return receiver != 0 && vocabulary_method_has(method, trait) ? receiver : 0;
}

const struct file_methods *names_methods(struct project *p, const struct py_file *f)
{
    struct file_methods *methods = &p->names->methods[f->number];

    if (methods->n > 0)
        return methods;
    for (uint32_t sym = 1; sym <= f->n_syms; sym++) {
        const struct word *w = vocabulary_method(f->syms[sym]);
        if (w != &vocabulary_unknown)
            array_add(methods, {sym, w});
    }
    return methods;
}
