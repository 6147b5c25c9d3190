/*
 * facts: what is known of a project's Python, for rules to ask. For check only.
 *
 * A project is a set of files that were read (check/python/python.h). Facts add to their trees, scopes and definitions:
 * names resolved through imports, values of expressions, the call graph, loops and data-set pipelines. One thread
 * answers all questions, from caches. Every answer is bounded in depth; the unknown is reported as unknown. An answer
 * from names and habits alone is a guess: see enum certainty, and check/facts/guess.h for the words.
 *
 * Names of frameworks are written in one way, however they were imported:
 *   tf.…      tensorflow, its compat.v1 and compat.v2, and the modules below tensorflow.python
 *   keras.…   keras, tf.keras, tf_keras, tensorflow.python.keras
 *   tfds.…    tensorflow_datasets
 *   torch.…   PyTorch; torchvision.… and torchaudio.… beside it
 * Everything else keeps the name of its module: numpy.random.rand, random.random.
 */
#pragma once

#include "check/facts/vocabulary.h"
#include "check/python/python.h"

struct project;

/* Certain: the code shows it. Likely: a name or habit that hardly means anything else. Possible: a word in a name. */
enum certainty { NOT_SEEN, POSSIBLE, LIKELY, CERTAIN };

/* --- values --- */

enum value_kind {
    VALUE_UNKNOWN,
    VALUE_CONSTANT, /* a literal; node: where */
    VALUE_NAME,     /* a thing of a module that is not in the project: a function, class, module */
    VALUE_MODULE,   /* a module of the project; file */
    VALUE_FUNCTION, /* a def or lambda of the project; file, node */
    VALUE_CLASS,    /* a class of the project; file, node */
    VALUE_INSTANCE, /* an object of it; file, node: of the class */
    VALUE_OBJECT,   /* what calling a VALUE_NAME gave, of no kind below; name: what was called */
    VALUE_DATASET,  /* a tf.data.Dataset */
    VALUE_ITERATOR, /* of a data set */
    VALUE_SESSION,  /* a tf.Session */
    VALUE_TENSOR,   /* what an op gave; name: the op */
    VALUE_VARIABLE, /* a tf.Variable */
    VALUE_MODEL     /* a Keras model or layer of the framework; name: what was called */
};

struct value {
    enum value_kind kind;
    uint32_t file, node;
    uint32_t name; /* see fact_name_text; 0: none */
    bool guessed;  /* a data set or session by its name, or by what is done with it: LIKELY */
};

/* Of an expression, all that reaches it considered; unknown when it may be of several kinds. */
struct value fact_value(struct project *p, const struct py_file *f, uint32_t n);
/* The dotted name of an identifier, attribute, or called function: "tf.data.Dataset.range"; empty: none. */
struct span fact_name(struct project *p, const struct py_file *f, uint32_t n);
struct span fact_name_text(const struct project *p, uint32_t name);
bool fact_is(struct project *p, const struct py_file *f, uint32_t n, const char *name);
/* A function of the project: its PY_FUNCTION or PY_LAMBDA. */
struct function {
    const struct py_file *f;
    uint32_t n;
};
/* What a call runs, also through functools.partial, tf.function, self.f, instances, classes (their __call__ or call).
 * false: not known. *callee may be NULL. */
bool fact_callee(struct project *p, const struct py_file *f, uint32_t call, struct function *callee);
/* The same for an expression that is handed on as a function. */
bool fact_function(struct project *p, const struct py_file *f, uint32_t n, struct function *function);
/* Is the decorator on the function, or one of several: "staticmethod classmethod"? */
bool fact_decorated(const struct py_file *f, uint32_t function, const char *names);
/* Is it a method that gets its object as its first parameter? */
bool fact_has_self(const struct py_file *f, uint32_t function);
/* The i-th base of a class, but for keywords; false: it has fewer, or `class` is 0. */
bool fact_base(struct project *p, const struct py_file *f, uint32_t class, size_t i, struct value *base);
/* Has one of the bases of the class, or of theirs, the trait; is it of the framework? */
bool fact_derives(struct project *p, const struct py_file *f, uint32_t class, enum trait trait);
bool fact_derives_from(struct project *p, const struct py_file *f, uint32_t class, enum framework framework);

/* --- what the vocabulary says --- */

/* Of the name of an identifier or attribute, or of what a call calls; never NULL. */
const struct word *fact_word(struct project *p, const struct py_file *f, uint32_t n);
bool fact_has(struct project *p, const struct py_file *f, uint32_t n, enum trait trait);
enum op_kind fact_op(struct project *p, const struct py_file *f, uint32_t n);
/* Of a name's number, as in struct value. */
const struct word *fact_name_word(const struct project *p, uint32_t name);

/* The o of the call o.m(…) of a method that has the trait by its name; 0 for all else. */
uint32_t fact_method(const struct py_file *f, uint32_t call, enum trait trait);

/* --- files and their context --- */

enum file_role { ROLE_CODE, ROLE_TEST, ROLE_EXAMPLE, ROLE_VENDORED, ROLE_NOTEBOOK };
enum mode { MODE_UNKNOWN, MODE_GRAPH, MODE_EAGER };

/* Takes the files (which stay the caller's) and finds what they have in common. */
struct project *project_new(struct py_file **files, size_t n, enum mode target);
void project_free(struct project *p);
/* The oldest release that the project says it runs on: 204 is 2.4; 0: it says none. */
void project_release(struct project *p, uint16_t release);
/* Does the project surely have that release or a later one: does it say so, or use `text` (static, as for
 * fact_mentions)? */
bool fact_has_release(struct project *p, uint16_t release, const char *text);

size_t fact_n_files(const struct project *p);
const struct py_file *fact_file(const struct project *p, size_t i);
/* By its path; examples count as code in a project that has next to nothing else. */
enum file_role fact_role(const struct project *p, const struct py_file *f);
/* Does a test call the code of the file: a loop in it says nothing of how often programs do? */
bool fact_only_tests(struct project *p, const struct py_file *f, const struct py_file *caller);
/* TF1 graphs and sessions, or eager execution; from --target, or from what the file and those beside it use. */
enum mode fact_mode(struct project *p, const struct py_file *f);
/* Does n run inside a tf.function, a data-set mapper, or a Keras call method? */
bool fact_in_graph_function(struct project *p, const struct py_file *f, uint32_t n);
/* Does n run for an element of a data set: inside a function that the file hands to its map? */
bool fact_in_mapper(struct project *p, const struct py_file *f, uint32_t n);
/* Does the loop surely run eagerly: in a TensorFlow 2 file, with no graph function on any seen way to it, and outside
 * of functions or with code that no graph function can run? */
bool fact_runs_eagerly(struct project *p, const struct py_file *f, uint32_t loop);
/* May a graph function run n, by a call seen or not seen: its function is passed by name, or has unknown decorators? */
bool fact_may_be_traced(struct project *p, const struct py_file *f, uint32_t n);
/* The decorator that makes a tf.function of the function, or 0: the name or the call. */
uint32_t fact_graph_decorator(struct project *p, const struct py_file *f, uint32_t function);
/* Is n in a `with tf.Graph()…` block inside `loop`? Then each round has its own graph. */
bool fact_own_graph(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop);
/* Is the graph of `with self.graph.as_default()` made once for each object: does only __init__ bind the attribute (a
 * node)? */
bool fact_kept_graph(struct project *p, const struct py_file *f, uint32_t graph);
/* Is the function called for each request of a web service: @app.post("/predict")? */
bool fact_handles_requests(const struct py_file *f, uint32_t function);
/* How to write `tf` where n stands; empty when no name for it is in scope. */
struct span fact_tf_name(struct project *p, const struct py_file *f, uint32_t n);
/* Does the file, or any of the project, contain the text, or one of several: "keras|torch"? `text` is static: answers
 * are remembered by its address. */
bool fact_mentions(struct project *p, const struct py_file *f, const char *text);
bool fact_any_mentions(struct project *p, const char *text);
/* All calls of the file, in source order. */
struct py_nodes fact_calls(struct project *p, const struct py_file *f);

/* --- loops --- */

enum trip {
    TRIP_SHORT, /* a handful of rounds: literals, range(3), layers, levels */
    TRIP_UNKNOWN,
    TRIP_STEPS /* training steps, epochs, records, forever */
};

struct loop {
    uint32_t node; /* PY_FOR, PY_WHILE or a comprehension; 0: no loop */
    enum trip trip;
    enum certainty sure; /* of trip: by names it is LIKELY */
    int64_t rounds;      /* -1: not known */
};

/* The innermost loop of n's own function that runs n again each round; one of more than 20,000 nodes counts as none. */
struct loop fact_loop(struct project *p, const struct py_file *f, uint32_t n);
/* The next one around it, of the same function; node 0 when there is none. */
struct loop fact_outer_loop(struct project *p, const struct py_file *f, struct loop inner);
/* Is n repeated: in a loop that is not short, of its function or a caller, to any depth? *where: the loop. */
struct repeated {
    const struct py_file *file;
    struct loop loop;
    bool by_call; /* the loop is in a caller */
};
bool fact_repeated(struct project *p, const struct py_file *f, uint32_t n, struct repeated *where);
/* The same value in each round: no part of it is bound, changed or drawn at random in the loop, and it has no effect.
 * Likely: if nobody changes an object that is not seen through. */
enum certainty fact_invariant(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop);
/* The same, and sees through names that the loop binds once, before n, to the same value each time. */
enum certainty fact_invariant_through(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop);
/* Where a function is called again and again. */
struct behind {
    const struct py_file *file; /* of the loop */
    struct loop loop;
    const struct py_file *entry_file; /* the function that the loop calls, */
    uint32_t entry;
    unsigned calls; /* and how many calls lie between the loop and the expression, from 1 */
};
/* Does n, in a function, give the same at each call from a loop that is not short, through any number of calls: does it
 * depend on no state, and no parameter that varies? *where: the loop with most runs, then the nearest. */
bool fact_behind(struct project *p, const struct py_file *f, uint32_t n, struct behind *where);
/* The call sites of a function of the project, to go through as with py_take. */
struct call_sites {
    const struct project *p;
    const struct call_site *at;
    size_t all, taken;
    const struct py_file *file; /* of the one that was taken, */
    uint32_t call;              /* and the call itself */
};
struct call_sites fact_callers(struct project *p, const struct py_file *f, uint32_t function);
bool fact_take(struct call_sites *sites);

/* What the call gives for the parameter of a function of the project; 0: nothing that is seen. */
uint32_t fact_argument(const struct py_file *caller, uint32_t call, const struct py_file *f,
                       const struct py_def *param);

/* Is it a loop over epochs: does its head say so? */
bool fact_epoch_loop(const struct py_file *f, uint32_t loop);
/* The calls in the function and in project functions that it calls, `depth` deep. false from `visit` ends it, and is
 * returned. */
typedef bool fact_visitor(void *ctx, struct project *p, const struct py_file *f, uint32_t call);
bool fact_visit_calls(struct project *p, const struct py_file *f, uint32_t function, unsigned depth,
                      fact_visitor *visit, void *ctx);
/* The same for an expression passed as a function. A method of an object (self.decode) uses its class's overrides. */
bool fact_visit_calls_of(struct project *p, const struct py_file *f, uint32_t n, unsigned depth, fact_visitor *visit,
                         void *ctx);
/* Does n run in some rounds of the loop only: is it after an `if`, in an `except`, after an `if …: continue`? */
bool fact_guarded(const struct py_file *f, uint32_t n, uint32_t loop);
/* Does the loop itself, not an inner one, train a model: by a tape, a train step, or the name of what it calls? */
enum certainty fact_trains(struct project *p, const struct py_file *f, uint32_t loop);
/* The same by the functions that the loop calls, a few calls deep, also on replicas: do they apply gradients? */
bool fact_trains_within(struct project *p, const struct py_file *f, uint32_t loop);
/* Does a function that ends in this name do one step of training; train at all? */
enum certainty fact_name_steps(struct span name);
enum certainty fact_name_trains(struct span name);
/* Could it leave a model with other weights? */
bool fact_may_change_weights(struct span name);
/* Does a session run what trains, as far as the names of what it fetches say? */
bool fact_fetches_training(const struct py_file *f, uint32_t fetches);

/* Is it certain what the name or attribute means: no parameter, no variable that is bound twice? */
bool fact_certain(const struct py_file *f, uint32_t n);
/* Does the content of a string literal equal the text? */
bool fact_string_is(const struct py_file *f, uint32_t n, const char *text);
/* The literal that the expression is, through names that are bound to it once; 0: not known. */
uint32_t fact_literal(struct project *p, const struct py_file *f, uint32_t n, const struct py_file **literal_file);

/* --- what runs seldom --- */

/* Does n, in the loop or function `within`, run only the first time, or seldom: after `if x is None`, `if not
 * hasattr(…)`, `if i == 0`, `if key not in cache`, `if built: return`, in an except, or before its branch's break or
 * return? */
bool fact_first_time(const struct py_file *f, uint32_t n, uint32_t within);
/* Is it a loop over epochs in which another one goes through the steps, so that what is in it alone runs seldom? */
bool fact_once_in_epoch(struct project *p, const struct py_file *f, uint32_t loop);
/* Does n, in the loop or function `within`, run only by a setting that is off by default: a command-line option, a
 * constant, a parameter that all callers leave or set so? */
bool fact_switched_off(struct project *p, const struct py_file *f, uint32_t n, uint32_t within);
/* Does n, in no long loop itself, run seldom: at a program's top, in rounds that `%` selects, once in an epoch of
 * steps, in what makes or sets up an object, or in a function that is only called so? */
bool fact_seldom(struct project *p, const struct py_file *f, uint32_t n);
/* Is the function's result only shown: print(generate(model)), or a caller that returns nothing and prints or draws? */
bool fact_only_shown(struct project *p, const struct py_file *f, uint32_t function);
/* Does a project of several files that has programs name the function of n, or the class of that method, nowhere? */
bool fact_unused(struct project *p, const struct py_file *f, uint32_t n);
/* The parser.add_argument() of the file whose option gives the attribute; 0: none. */
uint32_t fact_option(struct project *p, const struct py_file *f, struct span attribute);
/* Is what the function gives kept: lru_cache, cached_property, …? */
bool fact_cached(const struct py_file *f, uint32_t function);

/* --- sessions and models --- */

/* Does the call run a TF1 graph: session.run, op.eval, op.run, keras.backend.eval? */
enum certainty fact_session_run(struct project *p, const struct py_file *f, uint32_t call);
bool fact_runs_session(struct project *p, const struct py_file *f, uint32_t call); /* likely, at least */
/* Is it a Keras model? Likely: only its name says so, in a file with Keras and no other model library. */
enum certainty fact_model(struct project *p, const struct py_file *f, uint32_t n);

/* --- searches --- */

/* Is there a call in n of a method, or of a function, whose last name has the trait? */
bool fact_has_call(struct project *p, const struct py_file *f, uint32_t n, enum trait trait);
/* Does `test` accept a call in n (a loop or function), or in what n calls, a few levels deep? Long searches: false. */
bool fact_reaches(struct project *p, const struct py_file *f, uint32_t n,
                  bool (*test)(struct project *, const struct py_file *, uint32_t call));
/* May n's value in a round depend on what the call `on`, in the loop, gave in this or an earlier round? Through
 * assignments, methods of objects and elements. */
bool fact_depends(const struct py_file *f, uint32_t n, uint32_t on, uint32_t loop);
/* What the question says of the node, which is asked once. */
bool fact_once(struct project *p, const struct py_file *f, uint32_t n,
               bool (*question)(struct project *p, const struct py_file *f, uint32_t n));
/* The same with a name, of which the question is asked for that node. */
bool fact_once_of(struct project *p, const struct py_file *f, uint32_t n, uint32_t sym,
                  bool (*question)(struct project *p, const struct py_file *f, uint32_t n, uint32_t sym));

/* --- data sets --- */

enum stage_kind {
    STAGE_SOURCE, /* from_tensor_slices, TFRecordDataset, tfds.load, a parameter, … */
    STAGE_MAP,    /* map, map_with_legacy_function */
    STAGE_INTERLEAVE,
    STAGE_FLAT_MAP,
    STAGE_BATCH, /* batch, padded_batch, ragged_batch */
    STAGE_UNBATCH,
    STAGE_SHUFFLE,
    STAGE_REPEAT,
    STAGE_CACHE,
    STAGE_PREFETCH,
    STAGE_FILTER,
    STAGE_TAKE,
    STAGE_WINDOW,
    STAGE_OTHER /* any other transformation */
};

/* One transformation of a pipeline: the call that makes it. */
struct stage {
    const struct py_file *file;
    uint32_t call; /* 0 for a source that is not a call */
    enum stage_kind kind;
    struct span method;      /* "map"; of a source the name of what made it */
    const struct word *made; /* of a source: what made it; otherwise of the method */
};

enum { STAGES_MAX = 64 };

/* The transformation that a call is, when its receiver is a data set. */
bool fact_stage(struct project *p, const struct py_file *f, uint32_t call, struct stage *stage);
/* What a map or interleave is given for num_parallel_calls, by keyword or by position; 0: nothing. */
uint32_t fact_parallel_calls(const struct stage *stage);
/* The stages before the data set n, nearest first, through variables, functions and parameters; last a STAGE_SOURCE,
 * when found. */
size_t fact_upstream(struct project *p, const struct py_file *f, uint32_t n, struct stage stages[STAGES_MAX]);
/* What becomes of the data set that call makes, on all paths that are seen. */
struct flow {
    struct stage stages[STAGES_MAX]; /* in the order in which they were found */
    size_t n_stages;
    bool prefetched; /* every path that reaches a consumer ends in prefetch */
    bool escapes;    /* handed to code that is not seen, or returned to nobody that is seen */
    bool given_out;  /* the latter, by a function, and not after a prefetch */
    /* Who takes it last, not after a prefetch: the first that was found; call 0: nobody. */
    enum { CONSUMER_NONE, CONSUMER_FIT, CONSUMER_LOOP, CONSUMER_ITERATOR } consumer;
    const struct py_file *consumer_file;
    uint32_t consumed; /* the expression that is consumed */
};

void fact_downstream(struct project *p, const struct py_file *f, uint32_t call, struct flow *flow);

/* --- functions that map data sets --- */

struct mapper {
    bool known;       /* its code was found */
    bool trivial;     /* packs, picks, sets shapes: nothing that takes time */
    bool light;       /* besides, a few casts, reshapes, sums: next to nothing */
    bool works;       /* does something that is known to take time, or very much */
    bool records;     /* takes records or lines apart, and does nothing else that takes time */
    bool unknown;     /* calls what may take time */
    bool arithmetic;  /* goes over every number, so that a batch of them is work */
    bool model;       /* runs a model, whose ops use all processors by themselves */
    bool random;      /* draws random numbers */
    bool stateful;    /* changes something outside itself */
    bool reads;       /* reads files, decodes, parses */
    bool python;      /* leaves TensorFlow: py_function, numpy_function */
    bool elementwise; /* only ops that act alike on one element and on a batch */
    bool nested;      /* makes or handles data sets */
    bool parses;      /* reads records by ops that take a batch of them as well, or have a twin that
                      * does, and does nothing else that does not take a batch */
};

struct mapper fact_mapper(struct project *p, const struct py_file *f, uint32_t function);
