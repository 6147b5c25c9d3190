/* The files of a project together: the call graph, and what each file is. */
#include "check/facts/project.h"

static struct function_info *info_slot(struct project *p, uint64_t key)
{
    size_t mask = p->n_function_slots - 1;
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15U >> 20) & mask;

    while (p->functions[at].key != 0 && p->functions[at].key != key)
        at = (at + 1) & mask;
    return &p->functions[at];
}

static void grow_functions(struct project *p)
{
    struct function_info *old = p->functions;
    size_t n_old = p->n_function_slots;

    p->n_function_slots = n_old == 0 ? 1024 : n_old * 2;
    p->functions = mem_zero(p->n_function_slots, sizeof *p->functions);
    for (size_t i = 0; i < n_old; i++)
        if (old[i].key != 0)
            *info_slot(p, old[i].key) = old[i];
    mem_free(old);
}

struct function_info *function_info(struct project *p, uint32_t file, uint32_t node, bool make)
{
    uint64_t key = (uint64_t)file << 32 | node;

    if (p->n_function_slots == 0 || p->n_functions >= p->n_function_slots / 2)
        grow_functions(p);
    struct function_info *info = info_slot(p, key);
    if (info->key == key)
        return info;
    if (!make)
        return NULL;
    info->key = key;
    p->n_functions++;
    return info;
}

static void add_caller(struct project *p, const struct py_file *f, uint32_t call,
                       const struct py_file *callee_file, uint32_t callee)
{
    struct function_info *info = function_info(p, callee_file->number, callee, true);

    if (info->n_callers >= info->capacity) {
        info->capacity = info->capacity == 0 ? 4 : info->capacity * 2;
        info->callers = mem_resize(info->callers, info->capacity, sizeof *info->callers);
    }
    info->callers[info->n_callers++] = (struct call_site){f->number, call};
}

const struct call_site *fact_callers(struct project *p, const struct py_file *f, uint32_t function,
                                     size_t *n)
{
    struct function_info *info = function_info(p, f->number, function, false);

    *n = info != NULL ? info->n_callers : 0;
    return info != NULL ? info->callers : NULL;
}

static struct answer *answer_slot(const struct project *p, uintptr_t question, uint64_t key,
                                  uint32_t sym)
{
    size_t mask = p->n_answer_slots - 1;
    uint64_t mixed = key ^ (uint64_t)question << 7 ^ sym * (uint64_t)0x9E3779B1U;
    size_t at = (size_t)(mixed * 0x9E3779B97F4A7C15U >> 32) & mask;

    while (p->answers[at].question != 0 &&
           (p->answers[at].question != question || p->answers[at].key != key ||
            p->answers[at].sym != sym))
        at = (at + 1) & mask;
    return &p->answers[at];
}

static void grow_answers(struct project *p)
{
    struct answer *old = p->answers;
    size_t n_old = p->n_answer_slots;

    p->n_answer_slots = n_old == 0 ? 1024 : n_old * 2;
    p->answers = mem_zero(p->n_answer_slots, sizeof *p->answers);
    for (size_t i = 0; i < n_old; i++)
        if (old[i].question != 0)
            *answer_slot(p, old[i].question, old[i].key, old[i].sym) = old[i];
    mem_free(old);
}

bool fact_mentions(struct project *p, const struct py_file *f, const char *text)
{
    bool yes;

    if (!answer_find(p, (uintptr_t)text, f, 1, 0, &yes)) {
        yes = span_has(f->code, text);
        answer_keep(p, (uintptr_t)text, f, 1, 0, yes);
    }
    return yes;
}

bool seen_before(uint64_t *seen, size_t *n_seen, size_t max, const struct py_file *f, uint32_t n)
{
    uint64_t key = (uint64_t)f->number << 32 | n;

    for (size_t i = 0; i < *n_seen; i++)
        if (seen[i] == key)
            return true;
    if (*n_seen == max)
        return true;
    seen[(*n_seen)++] = key;
    return false;
}

bool answer_find(const struct project *p, uintptr_t question, const struct py_file *f, uint32_t n,
                 uint32_t sym, bool *yes)
{
    if (p->n_answer_slots == 0)
        return false;
    const struct answer *a = answer_slot(p, question, (uint64_t)f->number << 32 | n, sym);
    *yes = a->yes;
    return a->question != 0;
}

void answer_keep(struct project *p, uintptr_t question, const struct py_file *f, uint32_t n,
                 uint32_t sym, bool yes)
{
    uint64_t key = (uint64_t)f->number << 32 | n;

    if (p->n_answers >= p->n_answer_slots / 2)
        grow_answers(p);
    struct answer *a = answer_slot(p, question, key, sym);
    p->n_answers += a->question == 0;
    *a = (struct answer){question, key, sym, yes};
}

/* What was answered without the call graph is asked again with it. */
static void forget(struct project *p)
{
    for (size_t i = 0; i < p->n_files; i++)
        memset(p->facts[i].defs, 0, (p->files[i]->n_defs + 1) * sizeof *p->facts[i].defs);
    if (p->n_call_slots > 0)
        memset(p->calls, 0, p->n_call_slots * sizeof *p->calls);
    p->n_calls = 0;
}

/* Of a data set's map the mapper is no call site: it is asked for by the pipeline's rules. */
static void link_calls(struct project *p)
{
    for (size_t i = 0; i < p->n_files; i++) {
        const struct file_facts *facts = &p->facts[i];
        for (size_t c = 0; c < facts->n_calls; c++) {
            const struct py_file *file;
            uint32_t callee;
            if (fact_callee(p, p->files[i], facts->calls[c], &file, &callee))
                add_caller(p, p->files[i], facts->calls[c], file, callee);
        }
    }
    forget(p);
    p->linked = true;
}

static void list_stars(const struct py_file *f, struct file_facts *facts)
{
    size_t capacity = 0;

    for (uint32_t n = py_first(f, 1); n != 0; n = py_next(f, n)) {
        uint32_t last = py_kind(f, n) == PY_IMPORT_FROM ? py_last(f, n) : 0;
        if (last == 0 || py_kind(f, last) != PY_WILDCARD_IMPORT)
            continue;
        if (facts->n_stars >= capacity) {
            capacity = capacity == 0 ? 4 : capacity * 2;
            facts->stars = mem_resize(facts->stars, capacity, sizeof *facts->stars);
        }
        facts->stars[facts->n_stars++] = n;
    }
}

static void list_calls(const struct py_file *f, struct file_facts *facts)
{
    size_t n = 0;

    for (uint32_t i = 1; i < f->n_nodes; i++)
        n += f->nodes[i].kind == PY_CALL;
    facts->calls = mem_alloc((n + 1) * sizeof *facts->calls);
    for (uint32_t i = 1; i < f->n_nodes; i++)
        if (f->nodes[i].kind == PY_CALL)
            facts->calls[facts->n_calls++] = i;
}

const uint32_t *fact_calls(struct project *p, const struct py_file *f, size_t *n)
{
    *n = p->facts[f->number].n_calls;
    return p->facts[f->number].calls;
}

const struct file_methods *project_methods(struct project *p, const struct py_file *f)
{
    struct file_facts *facts = &p->facts[f->number];

    for (uint32_t sym = 1; sym <= f->n_syms && !facts->methods_known; sym++) {
        const struct word *w = vocabulary_method(f->syms[sym]);
        if (w->name.len > 0)
            array_add(&facts->methods, {sym, w});
    }
    facts->methods_known = true;
    return &facts->methods;
}

struct project *project_new(struct py_file **files, size_t n, enum mode target)
{
    struct project *p = mem_zero(1, sizeof *p);

    p->files = files;
    p->n_files = n;
    p->target = target;
    p->facts = mem_zero(n + 1, sizeof *p->facts);
    for (size_t i = 0; i < n; i++) {
        struct file_facts *facts = &p->facts[i];
        files[i]->number = (uint32_t)i;
        facts->defs = mem_zero(files[i]->n_defs + 1, sizeof *facts->defs);
        facts->role = role_of_path(files[i]->path);
        facts->has_tensorflow = vocabulary_in(files[i]->code) || span_has(files[i]->code, "tf.");
        facts->hugging_face = span_has(files[i]->code, "import datasets") ||
                              span_has(files[i]->code, "from datasets import") ||
                              span_has(files[i]->code, "pyspark") || span_has(files[i]->code, "beam.");
        list_calls(files[i], facts);
        list_stars(files[i], facts);
        facts->values = mem_zero(files[i]->n_nodes, sizeof *facts->values);
    }
    modules_index(p);
    name_of(p, SPAN("tf"));
    link_calls(p);
    return p;
}

void project_free(struct project *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->n_files; i++) {
        array_clear(&p->facts[i].methods);
        mem_free(p->facts[i].defs);
        mem_free(p->facts[i].calls);
        mem_free(p->facts[i].values);
        mem_free(p->facts[i].stars);
        mem_free(p->facts[i].resets);
    }
    changes_free(p);
    behind_free(p);
    for (size_t i = 0; i < p->n_function_slots; i++)
        mem_free(p->functions[i].callers);
    mem_free(p->functions);
    mem_free(p->facts);
    mem_free(p->modules);
    mem_free(p->names);
    mem_free(p->name_slots);
    mem_free(p->calls);
    mem_free(p->values);
    mem_free(p->answers);
    mem_free(p->loops);
    arena_clear(&p->arena);
    mem_free(p);
}

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
