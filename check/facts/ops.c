/*
 * What TensorFlow's and Keras' functions are, by name. From the public API lists of TensorFlow 1.15
 * and 2.x; what a name does not say is OP_NONE, and rules are silent about it.
 */
#include "check/facts/project.h"

#include <stdlib.h>

/* Ordered. Functions right below tf. */
static const char *const pure[] = {
    "abs",           "accumulate_n",   "acos",          "acosh",          "add",
    "add_n",         "angle",          "argmax",        "argmin",         "argsort",
    "as_string",     "asin",           "asinh",         "atan",           "atan2",
    "atanh",         "batch_gather",   "batch_to_space", "betainc",       "bincount",
    "bitcast",       "boolean_mask",   "broadcast_to",  "case",           "cast",
    "ceil",          "cholesky",       "clip_by_average_norm", "clip_by_global_norm", "clip_by_norm",
    "clip_by_value", "complex",        "concat",        "cond",           "conj",
    "convert_to_tensor", "cos",        "cosh",          "cross",          "cumprod",
    "cumsum",        "decode_base64",  "decode_csv",    "decode_raw",     "depth_to_space",
    "dequantize",    "diag",           "diag_part",     "digamma",        "div",
    "div_no_nan",    "divide",         "dynamic_partition", "dynamic_stitch", "edit_distance",
    "einsum",        "encode_base64",  "equal",         "erf",            "erfc",
    "exp",           "expand_dims",    "expm1",         "extract_image_patches", "eye",
    "fft",           "fft2d",          "fill",          "floor",          "floor_div",
    "floordiv",      "floormod",       "foldl",         "foldr",          "gather",
    "gather_nd",     "global_norm",    "greater",       "greater_equal",  "histogram_fixed_width",
    "identity",      "identity_n",     "ifft",          "ifft2d",         "igamma",
    "igammac",       "imag",           "invert_permutation", "is_finite", "is_inf",
    "is_nan",        "is_non_decreasing", "is_strictly_increasing", "lbeta", "less",
    "less_equal",    "lgamma",         "linspace",      "log",            "log1p",
    "log_sigmoid",   "logical_and",    "logical_not",   "logical_or",     "logical_xor",
    "map_fn",        "matmul",         "matrix_band_part", "matrix_diag", "matrix_inverse",
    "matrix_set_diag", "matrix_solve", "matrix_transpose", "maximum",     "meshgrid",
    "minimum",       "mod",            "multiply",      "negative",       "norm",
    "not_equal",     "one_hot",        "ones",          "ones_like",      "pad",
    "parallel_stack", "polygamma",     "pow",           "qr",             "range",
    "real",          "realdiv",        "reciprocal",    "reduce_all",     "reduce_any",
    "reduce_join",   "reduce_logsumexp", "reduce_max",  "reduce_mean",    "reduce_min",
    "reduce_prod",   "reduce_sum",     "repeat",        "reshape",        "reverse",
    "reverse_sequence", "rint",        "roll",          "round",          "rsqrt",
    "saturate_cast", "scalar_mul",     "scan",          "scatter_nd",     "searchsorted",
    "segment_max",   "segment_mean",   "segment_min",   "segment_prod",   "segment_sum",
    "self_adjoint_eig", "self_adjoint_eigvals", "sequence_mask", "sigmoid", "sign",
    "sin",           "sinh",           "slice",         "sort",           "space_to_batch",
    "space_to_batch_nd", "space_to_depth", "sparse_concat", "sparse_tensor_dense_matmul", "sparse_to_dense",
    "split",         "sqrt",           "square",        "squared_difference", "squeeze",
    "stack",         "stop_gradient",  "strided_slice", "string_join",    "string_split",
    "string_to_hash_bucket", "string_to_number", "substr", "subtract",    "svd",
    "tan",           "tanh",           "tensor_scatter_nd_update", "tensordot", "tile",
    "to_double",     "to_float",       "to_int32",      "to_int64",       "top_k",
    "trace",         "transpose",      "truediv",       "truncatediv",    "truncatemod",
    "tuple",         "unique",         "unique_with_counts", "unravel_index", "unsorted_segment_max",
    "unsorted_segment_mean", "unsorted_segment_sum", "unstack", "vectorized_map", "where",
    "where_v2",      "zeros",          "zeros_like",    "zeta",
};

static const char *const cheap[] = {
    "TensorShape", "broadcast_dynamic_shape", "broadcast_static_shape", "constant", "rank",
    "shape",       "shape_n",                 "size",
};

static const char *const random_ops[] = {
    "multinomial",     "random_crop",      "random_gamma",   "random_normal",
    "random_poisson",  "random_shuffle",   "random_uniform", "truncated_normal",
};

static const char *const stateful[] = {
    "AggregationMethod", "ConditionalAccumulator", "FIFOQueue", "Graph", "PaddingFIFOQueue",
    "RandomShuffleQueue", "TensorArray", "Variable", "assert_equal", "assign",
    "assign_add", "assign_sub", "constant_initializer", "count_up_to", "get_local_variable",
    "get_variable", "global_variables_initializer", "gradients", "group", "hessians",
    "initialize_all_variables", "initialize_variables", "local_variables_initializer", "no_op", "ones_initializer",
    "placeholder", "placeholder_with_default", "print", "py_func", "py_function",
    "random_normal_initializer", "random_uniform_initializer", "report_uninitialized_variables", "scatter_add", "scatter_nd_update",
    "scatter_sub", "scatter_update", "sparse_placeholder", "tables_initializer", "truncated_normal_initializer",
    "variables_initializer", "while_loop", "zeros_initializer",
};

/* Longest first where one begins another. Names below these are of the kind. */
static const struct {
    struct span prefix;
    enum op_kind kind;
} families[] = {
    {FIXED("tf.random."), OP_RANDOM},
    {FIXED("tf.image.random_"), OP_RANDOM},
    {FIXED("tf.image.stateless_random_"), OP_RANDOM},
    {FIXED("tf.image.sample_distorted_bounding_box"), OP_RANDOM},
    {FIXED("tf.image."), OP_PURE},
    {FIXED("tf.nn.dropout"), OP_RANDOM},
    {FIXED("tf.nn.sampled_softmax_loss"), OP_RANDOM},
    {FIXED("tf.nn.nce_loss"), OP_RANDOM},
    {FIXED("tf.nn.rnn_cell."), OP_NONE},
    {FIXED("tf.nn.dynamic_rnn"), OP_STATEFUL},
    {FIXED("tf.nn.static_rnn"), OP_STATEFUL},
    {FIXED("tf.nn.bidirectional_dynamic_rnn"), OP_STATEFUL},
    {FIXED("tf.nn.batch_normalization"), OP_PURE},
    {FIXED("tf.nn."), OP_PURE},
    {FIXED("tf.math."), OP_PURE},
    {FIXED("tf.linalg.LinearOperator"), OP_NONE},
    {FIXED("tf.linalg."), OP_PURE},
    {FIXED("tf.signal."), OP_PURE},
    {FIXED("tf.spectral."), OP_PURE},
    {FIXED("tf.strings."), OP_PURE},
    {FIXED("tf.bitwise."), OP_PURE},
    {FIXED("tf.sets."), OP_PURE},
    {FIXED("tf.sparse."), OP_PURE},
    {FIXED("tf.ragged."), OP_PURE},
    {FIXED("tf.io.FixedLen"), OP_NONE},
    {FIXED("tf.io.VarLen"), OP_NONE},
    {FIXED("tf.io.decode_"), OP_PURE},
    {FIXED("tf.io.parse_"), OP_PURE},
    {FIXED("tf.layers."), OP_STATEFUL},
    {FIXED("tf.contrib.layers."), OP_STATEFUL},
    {FIXED("tf.summary.create_file_writer"), OP_NONE},
    {FIXED("tf.summary."), OP_STATEFUL},
    {FIXED("tf.lookup."), OP_STATEFUL},
    {FIXED("tf.initializers."), OP_STATEFUL},
    {FIXED("tf.train.Saver"), OP_STATEFUL},
    {FIXED("keras.backend.random_"), OP_RANDOM},
    {FIXED("keras.backend.dropout"), OP_RANDOM},
    {FIXED("keras.ops."), OP_PURE},
};

static const char *const keras_backend[] = {
    "abs",     "all",       "any",        "arange",  "argmax",      "argmin",        "batch_dot",
    "cast",    "clip",      "concatenate", "constant", "cos",       "cumprod",       "cumsum",
    "dot",     "elu",       "equal",      "exp",     "expand_dims", "eye",           "flatten",
    "gather",  "greater",   "less",       "log",     "max",         "maximum",       "mean",
    "min",     "minimum",   "not_equal",  "one_hot", "ones",        "ones_like",     "permute_dimensions",
    "pow",     "prod",      "relu",       "repeat",  "repeat_elements", "reshape",   "reverse",
    "round",   "sigmoid",   "sign",       "sin",     "softmax",     "softplus",      "sqrt",
    "square",  "squeeze",   "stack",      "std",     "sum",         "tanh",          "tile",
    "transpose", "var",     "zeros",      "zeros_like",
};

static int compare_name(const void *key, const void *element)
{
    const struct span *name = key;
    struct span other = span_of(*(const char *const *)element);
    size_t n = name->len < other.len ? name->len : other.len;
    int order = memcmp(name->ptr, other.ptr, n);

    return order != 0 ? order : (name->len > other.len) - (name->len < other.len);
}

static bool listed(struct span name, const char *const *list, size_t n)
{
    return bsearch(&name, list, n, sizeof *list, compare_name) != NULL;
}
#define LISTED(name, list) listed(name, list, ARRAY_LEN(list))

static bool cut_prefix(struct span *name, struct span prefix)
{
    if (!span_starts(*name, prefix))
        return false;
    name->ptr += prefix.len;
    name->len -= prefix.len;
    return true;
}

enum op_kind fact_op(struct span name)
{
    if (span_eq(name, SPAN("tf.Session")) || span_eq(name, SPAN("tf.InteractiveSession")) ||
        span_eq(name, SPAN("tf.train.MonitoredTrainingSession")) ||
        span_eq(name, SPAN("tf.train.MonitoredSession")))
        return OP_SESSION;
    if (span_eq(name, SPAN("keras.ops.convert_to_tensor")))
        return OP_CHEAP;
    for (size_t i = 0; i < ARRAY_LEN(families); i++)
        if (span_starts(name, families[i].prefix))
            return families[i].kind;
    if (cut_prefix(&name, SPAN("keras.backend.")))
        return LISTED(name, keras_backend) ? OP_PURE : OP_NONE;
    if (!cut_prefix(&name, SPAN("tf.")))
        return OP_NONE;
    if (LISTED(name, cheap))
        return OP_CHEAP;
    if (LISTED(name, pure))
        return OP_PURE;
    if (LISTED(name, random_ops))
        return OP_RANDOM;
    return LISTED(name, stateful) ? OP_STATEFUL : OP_NONE;
}

static const char *const dataset_sources[] = {
    "keras.preprocessing.image_dataset_from_directory",
    "keras.preprocessing.text_dataset_from_directory",
    "keras.preprocessing.timeseries_dataset_from_array",
    "keras.utils.audio_dataset_from_directory",
    "keras.utils.image_dataset_from_directory",
    "keras.utils.text_dataset_from_directory",
    "keras.utils.timeseries_dataset_from_array",
    "tf.data.Dataset.choose_from_datasets",
    "tf.data.Dataset.from_generator",
    "tf.data.Dataset.from_sparse_tensor_slices",
    "tf.data.Dataset.from_tensor_slices",
    "tf.data.Dataset.from_tensors",
    "tf.data.Dataset.list_files",
    "tf.data.Dataset.load",
    "tf.data.Dataset.random",
    "tf.data.Dataset.range",
    "tf.data.Dataset.sample_from_datasets",
    "tf.data.Dataset.zip",
    "tf.data.FixedLengthRecordDataset",
    "tf.data.TFRecordDataset",
    "tf.data.TextLineDataset",
    "tf.data.experimental.CsvDataset",
    "tf.data.experimental.RandomDataset",
    "tf.data.experimental.SqlDataset",
    "tf.data.experimental.choose_from_datasets",
    "tf.data.experimental.load",
    "tf.data.experimental.make_batched_features_dataset",
    "tf.data.experimental.make_csv_dataset",
    "tf.data.experimental.sample_from_datasets",
    "tfds.as_dataset",
    "tfds.load",
};

bool is_dataset_source(struct span name)
{
    return LISTED(name, dataset_sources);
}

static const struct {
    struct span method;
    enum stage_kind kind;
} methods[] = {
    {FIXED("map"), STAGE_MAP},
    {FIXED("map_with_legacy_function"), STAGE_MAP},
    {FIXED("interleave"), STAGE_INTERLEAVE},
    {FIXED("flat_map"), STAGE_FLAT_MAP},
    {FIXED("batch"), STAGE_BATCH},
    {FIXED("padded_batch"), STAGE_BATCH},
    {FIXED("ragged_batch"), STAGE_BATCH},
    {FIXED("dense_to_ragged_batch"), STAGE_BATCH},
    {FIXED("bucket_by_sequence_length"), STAGE_BATCH},
    {FIXED("unbatch"), STAGE_UNBATCH},
    {FIXED("rebatch"), STAGE_BATCH},
    {FIXED("shuffle"), STAGE_SHUFFLE},
    {FIXED("repeat"), STAGE_REPEAT},
    {FIXED("cache"), STAGE_CACHE},
    {FIXED("prefetch"), STAGE_PREFETCH},
    {FIXED("filter"), STAGE_FILTER},
    {FIXED("filter_with_legacy_function"), STAGE_FILTER},
    {FIXED("take"), STAGE_TAKE},
    {FIXED("window"), STAGE_WINDOW},
    {FIXED("group_by_window"), STAGE_WINDOW},
    {FIXED("skip"), STAGE_OTHER},
    {FIXED("take_while"), STAGE_OTHER},
    {FIXED("apply"), STAGE_OTHER},
    {FIXED("concatenate"), STAGE_OTHER},
    {FIXED("enumerate"), STAGE_OTHER},
    {FIXED("shard"), STAGE_OTHER},
    {FIXED("scan"), STAGE_OTHER},
    {FIXED("snapshot"), STAGE_OTHER},
    {FIXED("unique"), STAGE_OTHER},
    {FIXED("rejection_resample"), STAGE_OTHER},
    {FIXED("ignore_errors"), STAGE_OTHER},
    {FIXED("with_options"), STAGE_OTHER},
    {FIXED("assert_cardinality"), STAGE_OTHER},
    {FIXED("sparse_batch"), STAGE_BATCH},
};

bool dataset_method(struct span method, enum stage_kind *kind)
{
    for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
        if (span_eq(method, methods[i].method)) {
            *kind = methods[i].kind;
            return true;
        }
    }
    return false;
}

struct value value_of_call(struct span callee, uint32_t name)
{
    struct value v = {.kind = VALUE_OBJECT, .name = name};

    if (is_dataset_source(callee)) {
        v.kind = VALUE_DATASET;
    } else if (span_starts(callee, SPAN("keras.layers.")) ||
               span_eq(callee, SPAN("keras.Model")) || span_eq(callee, SPAN("keras.Sequential")) ||
               span_starts(callee, SPAN("keras.models.")) ||
               span_starts(callee, SPAN("keras.applications.")) ||
               span_eq(callee, SPAN("keras.Input"))) {
        v.kind = VALUE_MODEL;
    } else if (span_eq(callee, SPAN("tf.Variable")) || span_eq(callee, SPAN("tf.get_variable"))) {
        v.kind = VALUE_VARIABLE;
    } else {
        enum op_kind op = fact_op(callee);
        if (op == OP_SESSION)
            v.kind = VALUE_SESSION;
        else if (op == OP_PURE || op == OP_CHEAP || op == OP_RANDOM ||
                 span_starts(callee, SPAN("tf.placeholder")))
            v.kind = VALUE_TENSOR;
    }
    return v;
}
