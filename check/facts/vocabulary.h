/*
 * vocabulary: what functions, classes and methods of frameworks are, by their names. For check only.
 *
 * vocabulary.csv has a line for each name, in order. A name that ends in '*' is a prefix. The longest line that fits a
 * name counts, alone. A name that begins with '.' is any dotted name's last part: what such a method or function does,
 * of any object. aliases.csv folds spellings of a name. `make test T=scripts/check-vocabulary` finds errors in both:
 * order, unreachable lines, unused traits.
 *
 * From the public API lists of TensorFlow 1.15 and 2.x, Keras 2 and 3, PyTorch 2, NumPy and Python. What a name does
 * not tell is OP_NONE without traits, and rules ignore it.
 */
#pragma once

#include "base/base.h"

enum framework {
    FRAMEWORK_OTHER, /* a library that is not a framework, or what is not known */
    FRAMEWORK_PYTHON,
    FRAMEWORK_NUMPY,
    FRAMEWORK_TENSORFLOW,
    FRAMEWORK_KERAS,
    FRAMEWORK_TORCH /* PyTorch, torchvision, torchaudio, and what trains with them */
};

enum op_kind {
    OP_NONE,     /* no op that is known */
    OP_PURE,     /* a tensor from tensors, the same each time */
    OP_CHEAP,    /* pure, and next to nothing: tf.shape, tf.constant */
    OP_RANDOM,   /* pure but for the numbers it draws */
    OP_STATEFUL, /* makes or changes state, or a node that cannot be shared: Variable, assign */
    OP_SESSION   /* tf.Session */
};

/* In vocabulary.csv they are in small letters and without TRAIT_. */
enum trait {
    TRAIT_NONE,

    /* What comes of calling it. */
    TRAIT_DATASET,        /* a data set */
    TRAIT_FROM_GENERATOR, /* one that a Python generator fills */
    TRAIT_SLICES,         /* one with an element for each row of what it is given */
    TRAIT_ONE_ELEMENT,    /* one with all that it is given as its only element */
    TRAIT_RANGE_DATASET,  /* one that counts */
    TRAIT_ZIPS_DATASETS,
    TRAIT_FILE_DATASET,   /* one that reads files */
    TRAIT_DATA_MODULE,    /* anything of the module that makes data sets */
    TRAIT_MAKES_ITERATOR, /* of a data set */
    TRAIT_ITERATOR,       /* of what it is given */
    TRAIT_LAYER,
    TRAIT_LAYER_FUNCTION, /* makes a layer and calls it at once */
    TRAIT_MODEL,          /* a model, or something else of Keras that is called with tensors */
    TRAIT_MAKES_MODEL,    /* a model, from nothing or from layers */
    TRAIT_SEQUENTIAL,
    TRAIT_FUNCTIONAL_MODEL,
    TRAIT_INPUT_LAYER,
    TRAIT_LOADS_MODEL,
    TRAIT_VARIABLE,       /* a variable */
    TRAIT_MAKES_VARIABLE, /* a new one each time */
    TRAIT_PLACEHOLDER,
    TRAIT_GIVES_TENSOR,     /* though it is not a pure op */
    TRAIT_GIVES_MANY,       /* a list of tensors */
    TRAIT_FILLABLE,         /* something that is changed in place */
    TRAIT_RANDOM_GENERATOR, /* of NumPy */
    TRAIT_MAPS_FILE,        /* an array that may be larger than memory */
    TRAIT_ONE_HOT_LABELS,
    TRAIT_PYTHON_OBJECT, /* of TensorFlow, but no op */
    TRAIT_PYTHON_NUMBER, /* converts to one */
    TRAIT_PYTHON_STRING,
    TRAIT_SETTINGS, /* stands for what a file of settings gives */
    TRAIT_NEW_AXIS, /* the value, as an index */
    TRAIT_AUTOTUNE, /* the value */

    /* What kind of thing it is. */
    TRAIT_DATASET_CLASS,
    TRAIT_TENSOR_CLASS,
    TRAIT_SEQUENCE_CLASS, /* gives batches by number */
    TRAIT_HARMLESS,       /* has state or effects, but in another order nothing is lost */
    TRAIT_WRITES_SUMMARY,
    TRAIT_AUGMENTS_IMAGES, /* gives batches of pictures that Python transforms */
    TRAIT_CALLBACK,
    TRAIT_TEST_CASE,
    TRAIT_GRAPH_FUNCTION, /* tf.function */
    TRAIT_TAPE,           /* records ops for gradients */
    TRAIT_NAME_SCOPE,
    TRAIT_WRAPS_FUNCTION, /* gives something that runs the function it is given */
    TRAIT_PARTIAL,        /* functools.partial */
    TRAIT_GRAPH_MODE,     /* only programs that build graphs and run sessions use it */
    TRAIT_EAGER_MODE,     /* only programs that run eagerly do */
    TRAIT_EAGER_ONLY,     /* is in code that runs step by step, not in code that is traced */

    /* What the same again would give. */
    TRAIT_REPEATABLE, /* the same for the same; and it has no effect */
    TRAIT_DIFFERS,    /* another Python number at each call */
    TRAIT_HAS_EFFECT,
    TRAIT_DOES_NOTHING, /* an op that is there to be run */
    TRAIT_LOOKS,        /* a method that leaves its object as it is */

    /* What it does to numbers. */
    TRAIT_ELEMENTWISE,      /* acts on each alike, whatever axes there are */
    TRAIT_TAKES_AXIS,       /* has an axis to name, or a form for batches */
    TRAIT_TAKES_BATCHES,    /* the same on a batch of elements as on one */
    TRAIT_ARITHMETIC,       /* goes once over all of them */
    TRAIT_LIGHT,            /* moves or relabels them */
    TRAIT_PACKS,            /* packs, picks or tells shapes: takes no time */
    TRAIT_HANDS_ON,         /* hands on what it gets, perhaps in another shape or type */
    TRAIT_TAKES_TIME,       /* whatever it is given */
    TRAIT_SUPERLINEAR,      /* its work grows faster than what goes in */
    TRAIT_HAS_OP,           /* NumPy, Python: TensorFlow has an op for it */
    TRAIT_LEAVES_FRAMEWORK, /* runs Python inside the framework */
    TRAIT_MATCHES_PATTERN,  /* searches a text for one */
    TRAIT_SCALES,           /* images, or decodes them */
    TRAIT_RESIZES,          /* images */
    TRAIT_ADDS_AXIS,
    TRAIT_FROM_LIST, /* an array or tensor from a list */
    TRAIT_RESHAPES,
    TRAIT_CONVERTS, /* as many items as went in */
    TRAIT_JOINS,    /* the arrays or tensors of a list */
    TRAIT_APPENDS,  /* its second argument to its first */
    TRAIT_STACKS,
    TRAIT_SPLITS,
    TRAIT_GATHERS,
    TRAIT_SELECTS,       /* tf.where */
    TRAIT_BRANCHES,      /* tf.cond */
    TRAIT_MAPS_ELEMENTS, /* tf.map_fn */
    TRAIT_SUMS,          /* Python's sum */

    /* Why an op of one element serves a batch as well. */
    TRAIT_BATCHES_IMAGES,
    TRAIT_BATCHES_MATRICES,
    TRAIT_MULTIPLIES_BATCHES,
    TRAIT_TAKES_LEADING_AXES,
    TRAIT_TWIN_DIAG,
    TRAIT_TWIN_DIAG_PART,
    TRAIT_LONGER_PERM,
    TRAIT_GIVEN_AXIS,
    TRAIT_LAST_AXIS,
    TRAIT_SORTS_LAST_AXIS,
    TRAIT_BATCH_DIMS,
    TRAIT_BATCH_SHAPE,

    /* Shapes: which argument has that of the result. */
    TRAIT_TAKES_SHAPE,          /* `shape`, the first */
    TRAIT_TAKES_SIZE,           /* `size`, the first */
    TRAIT_TAKES_SIZE_THIRD,     /* `size`, the third */
    TRAIT_TAKES_DIMS,           /* `dims`, the first */
    TRAIT_TAKES_DIMS_APART,     /* each is an argument */
    TRAIT_KEEPS_SHAPE_OF_FIRST, /* the result has that of its first argument */
    TRAIT_KEEPS_SHAPE,          /* a layer whose output has the shape of its input */
    TRAIT_ASKS_SHAPE,
    TRAIT_ASKS_RANK,
    TRAIT_ASKS_LENGTH,

    /* Files and formats. */
    TRAIT_READS_FILE,
    TRAIT_READS_FORMAT,   /* reads files, decodes, parses */
    TRAIT_PARSES_RECORDS, /* takes records or lines apart: microseconds, but for large ones */
    TRAIT_PARSES_BATCHES, /* a batch of strings as well as one, or has a twin that does */
    TRAIT_RECORD_FORMAT,  /* only tells the format */
    TRAIT_GIVES_COLUMNS,
    TRAIT_READS_IMAGE,
    TRAIT_DECODES_IMAGE,
    TRAIT_READS_RECORDS,
    TRAIT_READS_SOUND,
    TRAIT_LOADS_DATA, /* all of a data set */

    /* Python's loops. */
    TRAIT_RANGE,     /* counts with Python's numbers */
    TRAIT_COUNTS,    /* gives as many as it is told: range(n), tf.range(n) */
    TRAIT_PASSES_ON, /* gives what it is given, one after the other */
    TRAIT_ENUMERATES,
    TRAIT_ZIPS,
    TRAIT_PROGRESS,       /* shows how far a loop is */
    TRAIT_ITERATES_ITEMS, /* of a mapping */

    /* Graphs and sessions. */
    TRAIT_MAKES_GRAPH,
    TRAIT_RESETS_GRAPH,
    TRAIT_FREES_MODELS, /* or ends what refers to them */
    TRAIT_SAVES,
    TRAIT_BACKWARD,       /* adds the backward pass */
    TRAIT_MAKES_FUNCTION, /* with its own nodes */
    TRAIT_INITIALIZES,    /* all variables */
    TRAIT_INITIALIZER_OP, /* its name ends in _initializer */
    TRAIT_NO_NODES,       /* adds none to the graph, whatever its family does */
    TRAIT_FETCHES,        /* a value from the device */
    TRAIT_PRINTS,

    /* Layers and losses. */
    TRAIT_MAY_ACTIVATE, /* activations are among its family */

    /* Methods of data sets, or what apply() is given: the kind of stage; in the order of enum stage_kind. */
    TRAIT_STAGE_MAP,
    TRAIT_STAGE_INTERLEAVE,
    TRAIT_STAGE_FLAT_MAP,
    TRAIT_STAGE_BATCH,
    TRAIT_STAGE_UNBATCH,
    TRAIT_STAGE_SHUFFLE,
    TRAIT_STAGE_REPEAT,
    TRAIT_STAGE_CACHE,
    TRAIT_STAGE_PREFETCH,
    TRAIT_STAGE_FILTER,
    TRAIT_STAGE_TAKE,
    TRAIT_STAGE_WINDOW,
    TRAIT_STAGE_OTHER,
    TRAIT_SHOWS_DATASET, /* only data sets have such a method */

    /* Methods, by name alone. */
    TRAIT_TRAINS,
    TRAIT_TRAIN_STEP,      /* trains, one step */
    TRAIT_CHANGES_WEIGHTS, /* of a model, but does not train it */
    TRAIT_ASSIGNS,         /* to a variable */
    TRAIT_FITS,            /* a model */
    TRAIT_RUNS_MODEL,
    TRAIT_APPLIES_MODEL, /* to what it is given */
    TRAIT_ASKS_MODEL,    /* or trains it, with what it is given */
    TRAIT_TAKES_DATASET, /* and goes through it */
    TRAIT_REPLACES_MODEL,
    TRAIT_COMPILES_MODEL,
    TRAIT_BUILDS_MODEL, /* or does away with one */
    TRAIT_CLEARS_SESSION,
    TRAIT_RESTORES, /* a model, or waits for one */
    TRAIT_WAITS,
    TRAIT_RUNS_REPLICA,
    TRAIT_KEEPS_BLOCK, /* with …: what is done in the block is done there on purpose */
    TRAIT_NAMES_BLOCK, /* with …: only names it */
    TRAIT_ONE_BY_ONE,  /* cameras, players, environments: items come one after the other */
    TRAIT_READS_PICTURE,
    TRAIT_ACTS, /* in an environment */

    /* PyTorch. */
    TRAIT_MAKES_TENSOR,  /* from a shape or from numbers, on the device that it is told */
    TRAIT_WEIGHTLESS,    /* a layer that has no weights: a loss, an activation */
    TRAIT_WRAPS_MODULE,  /* gives the module or tensor that it is given, parallel or compiled */
    TRAIT_MODULE_METHOD, /* of a module, gives it */
    TRAIT_TENSOR_METHOD, /* of a tensor, gives one */
    TRAIT_GOES_BACKWARD, /* computes gradients */
    TRAIT_WITHOUT_GRAD,  /* what runs in it, or after it, records no graph */
    TRAIT_LOADER,        /* gives batches of what it is given */
    TRAIT_PICTURE_ITEMS, /* a data set that decodes or transforms each item */
    TRAIT_MEMORY_ITEMS,  /* one that lies in memory */
    TRAIT_WRAPS_ITEMS,   /* gives items of the data set that it is given */

    TRAIT_END
};

enum { TRAIT_SETS = 4 };

/* A line of the vocabulary. */
struct word {
    struct span name; /* without its '.' or '*' */
    enum framework framework;
    enum op_kind op;
    uint16_t since; /* the release that has it first: 204 is 2.4; 0: any */
    uint64_t traits[TRAIT_SETS];
};

static inline bool word_has(const struct word *w, enum trait trait)
{
    return (w->traits[trait / 64] >> trait % 64 & 1) != 0;
}

/* Of which nothing is known. */
extern const struct word vocabulary_unknown;

/* Of a dotted name, as check/facts/facts.h writes them, its aliases considered. Never NULL. */
const struct word *vocabulary_find(struct span name);
bool vocabulary_knows(struct span name); /* has it, or one of its aliases, its own line? */
/* Of the last part of a name alone. */
const struct word *vocabulary_method(struct span last);
static inline bool vocabulary_has(struct span name, enum trait trait)
{
    return word_has(vocabulary_find(name), trait);
}
static inline bool vocabulary_method_has(struct span last, enum trait trait)
{
    return word_has(vocabulary_method(last), trait);
}

/* Replaces a name as it was imported by how it is written here, and returns true; or leaves it. */
bool vocabulary_rename(struct buf *name);
/* Is it the name of a framework's module, so that no file beside it is meant? */
bool vocabulary_is_module(struct span name);
/* The frameworks that a program mentions. */
enum { USES_TENSORFLOW = 1, USES_TORCH = 2 };
unsigned vocabulary_uses(struct span code);
