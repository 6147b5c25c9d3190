/* project: what check/facts modules share. For check/facts only; rules do not include it. Each module keeps its memory
 * in its own private struct; only facts.c calls x_new and x_free. */
#pragma once

#include "check/facts/facts.h"

/* What is known of a file as soon as it is there. */
struct file_facts {
    struct ARRAY_OF(uint32_t) calls; /* in source order */
    enum file_role role;
};

/* Of py_file.named; a file may be of several projects, one after the other, and its bytes stay the same. */
enum {
    NAMES_TENSORFLOW = 1,   /* its bytes name tensorflow or keras */
    NAMES_HUGGING_FACE = 2, /* imports `datasets`, whose data sets have map too */
    NAMES_LOOKED = 4
};

struct call_site {
    uint32_t file, call;
};

struct project {
    struct py_file **files;
    struct file_facts *facts;
    size_t n_files;
    struct arena arena;
    enum mode target;
    uint16_t release; /* the oldest that it says it runs on; 0: not said */
    struct answer_memo *answers;
    struct names *names;
    struct module_map *modules;
    struct caller_map *callers;
    struct values *values;
    struct loops *loops;
    struct changes *changes;
    struct modes *modes;
    struct way_memo *ways;
};

/* A place in the project, as a number. */
static inline uint64_t place_key(const struct py_file *f, uint32_t n)
{
    return (uint64_t)f->number << 32 | n;
}

/* --- names.c --- */

void names_new(struct project *p);
void names_free(struct project *p);
uint32_t name_of(struct project *p, struct span dotted);
uint32_t name_child(struct project *p, uint32_t parent, struct span last); /* 0: it is too long */

/* The names in a file that the vocabulary has as last parts of names. */
struct file_method {
    uint32_t sym;
    const struct word *word;
};
struct file_methods ARRAY_OF(struct file_method);
const struct file_methods *names_methods(struct project *p, const struct py_file *f);

/* --- modules.c --- */

void modules_new(struct project *p);
void modules_free(struct project *p);
/* The project's file that `dotted` names when it is imported in `from`; NULL when there is none. */
const struct py_file *module_find(const struct project *p, const struct py_file *from, struct span dotted);
/* The file `dotted` (may be empty) below the folder `up` levels above; up 1: from's own folder. */
const struct py_file *module_relative(const struct project *p, const struct py_file *from, unsigned up,
                                      struct span dotted);
enum file_role role_of_file(const char *path, struct span code);

/* --- answers.c: questions that are asked once --- */

void answers_new(struct project *p);
void answers_free(struct project *p);
/* Was this question (a number) asked before of the node, and of the name there (0: none)? Then *yes is the answer. */
bool answer_find(const struct project *p, uintptr_t question, const struct py_file *f, uint32_t n, uint32_t sym,
                 bool *yes);
bool answer_keep(struct project *p, uintptr_t question, const struct py_file *f, uint32_t n, uint32_t sym,
                 bool yes); /* gives yes */

/* Places where a search was; no more than SEEN_MAX. */
enum { SEEN_MAX = 256 };
struct seen {
    uint64_t places[SEEN_MAX];
    size_t n;
};
/* Was the search there before? If not it is kept; where there is no room the search has gone far enough: true. */
bool seen_before(struct seen *seen, const struct py_file *f, uint32_t n);

/* --- values.c --- */

void values_new(struct project *p);
void values_free(struct project *p);
/* The call graph is there: what was answered without it is asked again. */
void values_link(struct project *p);
/* Is it there, and is no question of values being answered? Then answers may be remembered. */
bool values_settled(const struct project *p);
/* What an attribute of a class is, its bases included. */
struct value class_member(struct project *p, const struct py_file *f, uint32_t class, struct span name);
/* The first definition of an attribute by the class or the nearest base that has it; 0: none. *file: whose it is. */
uint32_t class_member_def(struct project *p, const struct py_file *f, uint32_t class, struct span name,
                          const struct py_file **file);
/* A network of PyTorch: of the project, or of a library. */
bool value_is_module(struct project *p, struct value v);
struct value def_value(struct project *p, const struct py_file *f, uint32_t def);

/* --- changes.c --- */

void changes_new(struct project *p);
void changes_free(struct project *p);
/* The name or attribute that the called method may change, or an item of it: x.append(…), x["a"].append(…); 0: none. */
uint32_t changes_receiver(const struct py_file *f, uint32_t call);
/* Is n in __init__? What that sets is its own. */
bool in_constructor(const struct py_file *f, uint32_t n);
/* Is the name n, of the module, bound by a function, too: global x? */
bool bound_by_function(const struct py_file *f, uint32_t n);
/* Does anything in the subtree `within` change the value of the variable, other than binding it? */
bool changes_in(struct project *p, const struct py_file *f, uint32_t within, uint32_t sym);
/* Is an attribute of this name set outside of __init__, anywhere in the project? */
bool changes_binds(struct project *p, struct span attribute);
/* Is the value of an attribute of this name changed, or the attribute set outside of __init__? */
bool changes_attribute(struct project *p, struct span attribute);

/* --- depends.c --- */

/* What decides the value of an expression of a function, besides what never changes. */
struct depends {
    uint64_t params; /* bit i: its parameter with index i; 0 of a method: its object */
    uint32_t inside; /* not 0: one run of this function, around it, whose names it uses */
};

/* The value of the expression; or which object it is, whatever becomes of that. */
enum depends_what { DEPENDS_VALUE, DEPENDS_OBJECT };

/* The same at each call when *out is. False: may differ: random, has effects, uses code or state not seen through. */
bool depends_on(struct project *p, const struct py_file *f, uint32_t n, enum depends_what what, struct depends *out);

/* Does the call give the same for the same: by its name; or as a method that only looks at *receiver, otherwise 0? */
bool call_repeats(struct project *p, const struct py_file *f, uint32_t call, uint32_t *receiver);

/* --- loops.c, mode.c, behind.c --- */

void loops_new(struct project *p);
void loops_free(struct project *p);
void modes_new(struct project *p);
void modes_free(struct project *p);
void ways_new(struct project *p);
void ways_free(struct project *p);

/* --- pipelines --- */

/* Is it a method of data sets that gives a data set, or what apply() is given for one? *kind: of which sort. */
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
