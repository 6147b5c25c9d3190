/* project: what stands behind check/facts/facts.h. Of check only; rules do not include it. */
#ifndef CHECK_PROJECT_H
#define CHECK_PROJECT_H

#include "check/facts/facts.h"

/* A dotted name, in the project's arena, and what the vocabulary says of it. */
struct name {
    struct span full;
    const struct word *word;
};

/* What is remembered of a call. */
struct call_memo {
    uint64_t key; /* file << 32 | node; 0: a free slot, since no call is node 0 */
    struct value value;
};

/* What is remembered of a definition. */
enum memo_state { MEMO_NONE, MEMO_RUNNING, MEMO_DONE };
struct def_memo {
    struct value value;
    uint8_t state;
};

enum { LOOPED_UNKNOWN, LOOPED_RUNNING, LOOPED_NO, LOOPED_YES };

/* A function's place in the call graph. */
struct function_info {
    uint64_t key;
    struct call_site *callers;
    uint32_t n_callers, capacity;
    uint8_t looped; /* is it called again and again? */
    struct repeated where;
    bool mapped, compiled; /* it is handed to a data set's map, to tf.function; see context.c */
    uint8_t followed; /* see behind.c: 0 not known, 1 no, 2 yes */
};

/* Names in a file that are in the vocabulary as last parts of names. */
struct file_methods {
    struct {
        uint32_t sym;
        const struct word *word;
    } *at;
    size_t n, capacity;
};

struct file_facts {
    struct file_methods methods; /* see project_methods */
    bool methods_known;
    struct def_memo *defs;
    uint32_t *calls;
    size_t n_calls;
    enum file_role role;
    bool uses_graph, uses_eager;
    bool has_tensorflow; /* its bytes name tensorflow or keras */
    bool hugging_face;   /* imports `datasets`, whose data sets have map too */
    bool mode_known, mappers_known, resets_known, changes_known;
    enum mode mode;
    struct change *changes; /* ordered by name, then place; see changes_know */
    uint32_t n_changes;
    uint32_t *values; /* for each node, what is remembered of it: see values.c */
    uint32_t *stars;  /* from m import *, in source order */
    size_t n_stars;
    uint32_t *resets; /* calls after which the default graph is a new one */
    size_t n_resets;
};

/* A place that changes a thing without binding a name: x[i] = …, o.x = …, x.append(…). */
struct change {
    uint32_t sym, node;
    bool binds; /* o.x = … */
};

/* What is known of a loop. */
struct loop_memo {
    uint64_t key; /* as in call_memo; 0: a free slot */
    struct loop loop;
};

/* The answer to a question that is asked again and again. */
struct answer {
    uintptr_t question;
    uint64_t key; /* as in call_memo */
    uint32_t sym;
    bool yes;
};

struct module_key {
    struct span last; /* the module's own name; the folder's for __init__.py */
    uint32_t file;
};

struct project {
    struct py_file **files;
    struct file_facts *facts;
    size_t n_files;
    struct module_key *modules; /* ordered by `last` */
    struct arena arena;
    struct name *names; /* from 1 */
    uint32_t n_names, names_capacity;
    uint32_t *name_slots;
    uint32_t n_name_slots;
    struct call_memo *calls;
    size_t n_calls, n_call_slots;
    struct value *values; /* from 1 */
    uint32_t n_values, values_capacity;
    struct loop_memo *loops;
    size_t n_loops, n_loop_slots;
    struct answer *answers;
    size_t n_answers, n_answer_slots;
    struct function_info *functions;
    size_t n_functions, n_function_slots;
    struct way *ways; /* see behind.c */
    size_t n_ways, n_way_slots;
    struct bitset bound_attributes, changed_attributes; /* names; see changes.c */
    bool attributes_known;
    enum mode target;
    unsigned depth; /* of the question that is being answered */
    unsigned steps;
    bool linked; /* the call graph is there */
};

const struct file_methods *project_methods(struct project *p, const struct py_file *f);

/* Was the question, which a number stands for, asked of the node before, and of the name there (or of
 * none: 0)? Then *yes is the answer. */
bool answer_find(const struct project *p, uintptr_t question, const struct py_file *f, uint32_t n,
                 uint32_t sym, bool *yes);
void answer_keep(struct project *p, uintptr_t question, const struct py_file *f, uint32_t n,
                 uint32_t sym, bool yes);

/* Was the search at the node of the file before? If not it is kept in `seen`, of *n_seen places; where
 * those are `max` already the search has gone far enough: true. */
bool seen_before(uint64_t *seen, size_t *n_seen, size_t max, const struct py_file *f, uint32_t n);

/* --- names.c --- */

uint32_t name_of(struct project *p, struct span dotted);
uint32_t name_child(struct project *p, uint32_t parent, struct span last);

/* --- modules.c --- */

void modules_index(struct project *p);
/* The project's file that `dotted` names when it is imported in `from`; NULL when there is none. */
const struct py_file *module_find(const struct project *p, const struct py_file *from,
                                  struct span dotted);
/* The file `dotted` (may be empty) below the folder `up` levels above; up 1: from's own folder. */
const struct py_file *module_relative(const struct project *p, const struct py_file *from,
                                      unsigned up, struct span dotted);
enum file_role role_of_path(const char *path);

/* --- values.c --- */

/* What a name stands for at the end of a module. */
struct value module_member(struct project *p, const struct py_file *f, struct span name);
/* What an attribute of a class is, its bases included. */
struct value class_member(struct project *p, const struct py_file *f, uint32_t class,
                          struct span name);
/* The first definition of an attribute by the class or the nearest base that has it; 0: none.
 * *file: whose it is. */
uint32_t class_member_def(struct project *p, const struct py_file *f, uint32_t class,
                          struct span name, const struct py_file **file);
struct function_info *function_info(struct project *p, uint32_t file, uint32_t node, bool make);
struct value def_value(struct project *p, const struct py_file *f, uint32_t def);

/* --- invariant.c --- */

/* A name that people give to what training changes. */
bool invariant_trained(struct span name);

/* --- changes.c --- */

/* Does anything in the subtree `within` change what the variable holds, other than binding it? */
bool changes_in(struct project *p, const struct py_file *f, uint32_t within, uint32_t sym);
/* Is an attribute of this name set outside of __init__, anywhere in the project? */
bool changes_binds(struct project *p, struct span attribute);
/* Is what an attribute of this name holds changed, or the attribute set outside of __init__? */
bool changes_attribute(struct project *p, struct span attribute);
void changes_free(struct project *p);

/* --- depends.c --- */

/* What decides the value of an expression of a function, besides what never changes. */
struct depends {
    uint64_t params; /* bit i: its parameter with index i; 0 of a method: its object */
    uint32_t inside; /* not 0: one run of this function, around it, whose names it uses */
};

/* The same at each call when what is in *out is. False: it may differ all the same: it is random,
 * has effects, comes out of code or state that is not seen through. */
bool depends_on(struct project *p, const struct py_file *f, uint32_t n, struct depends *out);
/* The same for which object the expression is, whatever becomes of it. */
bool depends_object(struct project *p, const struct py_file *f, uint32_t n, struct depends *out);

/* --- behind.c --- */

void behind_free(struct project *p);

/* --- pipelines --- */

/* Is it a method of data sets that gives a data set, or what apply() is given for one? *kind: of which
 * sort. */
static inline bool stage_of(const struct word *w, enum stage_kind *kind)
{
    for (int t = TRAIT_STAGE_MAP; t <= TRAIT_STAGE_OTHER; t++)
        if (word_has(w, (enum trait)t)) {
            *kind = (enum stage_kind)(STAGE_MAP + (t - TRAIT_STAGE_MAP));
            return true;
        }
    return false;
}
static inline bool stage_of_method(struct span method, enum stage_kind *kind)
{
    return stage_of(vocabulary_method(method), kind);
}

#endif
