/* A project from its files: what is known at once, then the call graph. */
#include "base/bitset.h"
#include "check/facts/project.h"

struct caller_list ARRAY_OF(struct call_site);

#define MAP_NAME caller_map /* of each function that is called */
#define MAP_KEY uint64_t
#define MAP_VALUE struct caller_list
#include "base/map.h"

struct call_sites fact_callers(struct project *p, const struct py_file *f, uint32_t function)
{
    const struct caller_map_entry *entry = caller_map_find(p->callers, place_key(f, function));

    return (struct call_sites){
        .p = p, .at = entry != NULL ? entry->value.at : NULL, .all = entry != NULL ? entry->value.n : 0};
}

bool fact_take(struct call_sites *sites)
{
    if (sites->taken == sites->all)
        return false;
    const struct call_site *site = &sites->at[sites->taken++];
    sites->file = sites->p->files[site->file];
    sites->call = site->call;
    return true;
}

static void look_at_file(struct project *p, struct py_file *f, uint32_t number)
{
    static const char *const others[] = {"import datasets", "from datasets import", "pyspark", "beam."};
    struct file_facts *facts = &p->facts[number];

    f->number = number;
    facts->role = role_of_file(f->path, f->code);
    if (f->named == 0) {
        bool tensorflow = (vocabulary_uses(f->code) & USES_TENSORFLOW) != 0 || span_has(f->code, "tf.");
        bool hugging_face = span_has_any(f->code, others, ARRAY_LEN(others));
        f->named = (unsigned char)(NAMES_LOOKED | (tensorflow ? NAMES_TENSORFLOW : 0) |
                                   (hugging_face ? NAMES_HUGGING_FACE : 0));
    }
    for (uint32_t n = 1; n < f->n_nodes; n++)
        if (py_kind(f, n) == PY_CALL)
            array_add(&facts->calls, n);
}

/* Twice: arguments that are objects with methods are known once callers are. A data set's mapper is no call site here:
 * the pipeline's rules ask for it. */
static void link_calls(struct project *p)
{
    AT_END(bitset_clear) struct bitset linked = {0}; /* calls whose function is known, by their numbers */

    for (int pass = 0; pass < 2; pass++) {
        uint32_t number = 0;
        for (uint32_t i = 0; i < p->n_files; i++)
            for (struct py_nodes call = fact_calls(p, p->files[i]); py_take(&call); number++) {
                struct caller_map_entry *entry;
                struct function to;
                if (bitset_has(&linked, number) || !fact_callee(p, p->files[i], call.n, &to))
                    continue;
                bitset_add(&linked, number);
                caller_map_add(p->callers, place_key(to.f, to.n), &entry);
                array_add(&entry->value, {i, call.n});
            }
        if (pass == 0)
            values_link(p);
    }
}

/* In this order: names and files first, then what is made of them. */
struct project *project_new(struct py_file **files, size_t n, enum mode target)
{
    enum { EXAMPLES_FOR_EACH = 5 };
    struct project *p = mem_zero(1, sizeof *p);

    p->files = files;
    p->n_files = n;
    p->target = target;
    p->facts = mem_zero(n + 1, sizeof *p->facts);
    for (size_t i = 0; i < n; i++)
        look_at_file(p, files[i], (uint32_t)i);
    /* A course or a collection of examples is its project's purpose: its programs count as code where little else
     * is. */
    size_t code = 0, examples = 0;
    for (size_t i = 0; i < n; i++) {
        code += p->facts[i].role == ROLE_CODE;
        examples += p->facts[i].role == ROLE_EXAMPLE;
    }
    bool course = examples >= EXAMPLES_FOR_EACH && examples >= code * EXAMPLES_FOR_EACH;
    for (size_t i = 0; course && i < n; i++)
        if (p->facts[i].role == ROLE_EXAMPLE)
            p->facts[i].role = ROLE_CODE;
    answers_new(p);
    names_new(p);
    modules_new(p);
    p->callers = mem_zero(1, sizeof *p->callers);
    values_new(p);
    loops_new(p);
    changes_new(p);
    modes_new(p);
    ways_new(p);
    link_calls(p);
    return p;
}

void project_free(struct project *p)
{
    if (p == NULL)
        return;
    ways_free(p);
    modes_free(p);
    changes_free(p);
    loops_free(p);
    values_free(p);
    for (size_t i = 0; i < p->callers->n; i++)
        array_clear(&p->callers->at[i].value);
    caller_map_clear(p->callers);
    mem_free(p->callers);
    modules_free(p);
    names_free(p);
    answers_free(p);
    for (size_t i = 0; i < p->n_files; i++)
        array_clear(&p->facts[i].calls);
    mem_free(p->facts);
    arena_clear(&p->arena);
    mem_free(p);
}

/* --- the files, as rules ask for them --- */

size_t fact_n_files(const struct project *p)
{
    return p->n_files;
}

const struct py_file *fact_file(const struct project *p, size_t i)
{
    return p->files[i];
}

enum file_role fact_role(const struct project *p, const struct py_file *f)
{
    return p->facts[f->number].role;
}

bool fact_only_tests(struct project *p, const struct py_file *f, const struct py_file *caller)
{
    return fact_role(p, f) != ROLE_TEST && fact_role(p, caller) == ROLE_TEST;
}

struct py_nodes fact_calls(struct project *p, const struct py_file *f)
{
    return (struct py_nodes){.at = p->facts[f->number].calls.at, .all = p->facts[f->number].calls.n};
}

void project_release(struct project *p, uint16_t release)
{
    p->release = release;
}

bool fact_has_release(struct project *p, uint16_t release, const char *text)
{
    return p->release >= release || fact_any_mentions(p, text);
}
