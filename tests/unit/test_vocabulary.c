/* The vocabulary of check: how names are looked up. tests/scripts/check-vocabulary.sh looks at its lines. */
#include "base/files.h"
#include "check/facts/vocabulary.h"

#include <stdint.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

static const struct word *find(const char *name)
{
    return vocabulary_find(span_of(name));
}

static bool has(const char *name, enum trait trait)
{
    return word_has(find(name), trait);
}

/* A line that the search does not find is out of order. */
TEST(test_every_line_is_found)
{
    const char *root = getenv("ROOT");
    AT_END(buf_clear) struct buf path = {0}, csv = {0};
    size_t n = 0, n_methods = 0;
    struct span line;
    struct err e;

    buf_addf(&path, "%s/check/facts/vocabulary.csv", root != NULL ? root : ".");
    assert_int_equal(file_read(buf_cstr(&path), 1 << 20, &csv, &e), ST_OK);
    struct span rest = buf_span(&csv);
    assert_true(span_cut(&rest, '\n', &line)); /* the head */
    while (span_cut(&rest, '\n', &line)) {
        struct span name = {line.ptr, strcspn(line.ptr, ",")};
        bool method = *line.ptr == '.';
        if (method)
            name = span_after(name, 1);
        if (span_ends(name, SPAN("*"))) /* a family */
            continue;
        assert_true(span_eq((method ? vocabulary_method(name) : vocabulary_find(name))->name, name));
        n += !method;
        n_methods += method;
    }
    assert_true(n > 700 && n_methods > 100);
}

TEST(test_aliases_are_the_same_word)
{
    static const char *const pairs[][2] = {
        {"tf.math.maximum", "tf.maximum"},     {"tf.dtypes.cast", "tf.cast"},
        {"tf.nn.sigmoid", "tf.sigmoid"},       {"tf.io.decode_raw", "tf.decode_raw"},
        {"tf.strings.join", "tf.string_join"}, {"six.moves.range", "builtins.range"},
        {"keras.models.Model", "keras.Model"}, {"keras.layers.core.Dense", "keras.layers.Dense"},
        {"tf.linalg.matmul", "tf.matmul"},
    };

    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        assert_true(find(pairs[i][0])->name.len > 0);
        assert_ptr_equal(find(pairs[i][0]), find(pairs[i][1]));
    }
    /* Two ops of one name: tf.diag puts a vector of any rank onto a diagonal, tf.linalg.diag each vector
     * of a batch. */
    assert_ptr_not_equal(find("tf.linalg.diag"), find("tf.diag"));
}

/* Of families that fit, and of a line of the name's own, the longest counts, alone. */
TEST(test_longest_line_counts)
{
    assert_int_equal(find("tf.image.rot90_by_some")->op, OP_PURE);
    assert_int_equal(find("tf.image.random_hue")->op, OP_RANDOM);
    assert_true(has("tf.image.adjust_hue", TRAIT_TAKES_TIME));
    assert_false(has("tf.image.flip_left_right", TRAIT_TAKES_TIME));
    assert_int_equal(find("tf.no_such_op")->op, OP_NONE);
    assert_int_equal(find("tf.no_such_op")->framework, FRAMEWORK_TENSORFLOW);
    assert_int_equal(find("cv2.no_such_function")->framework, FRAMEWORK_OTHER);
    assert_int_equal(find("")->framework, FRAMEWORK_OTHER);
    assert_false(vocabulary_knows(SPAN("tf.no_such_op")));
    assert_true(vocabulary_knows(SPAN("tf.math.abs")));
}

/* Found by accident in words that have them in the middle: un-sort-ed, s-parse_, expm-1. */
TEST(test_names_are_no_substrings)
{
    assert_false(has("tf.unsorted_segment_sum", TRAIT_SUPERLINEAR));
    assert_false(has("tf.sparse_reshape", TRAIT_PARSES_RECORDS));
    assert_false(has("tf.expm1", TRAIT_SUPERLINEAR));
    assert_true(has("tf.linalg.expm", TRAIT_SUPERLINEAR));
    assert_true(has("tf.sort", TRAIT_SUPERLINEAR));
}

TEST(test_methods)
{
    assert_true(vocabulary_method_has(SPAN("fit"), TRAIT_FITS));
    assert_false(vocabulary_method_has(SPAN("fit_transform"), TRAIT_FITS));
    assert_false(vocabulary_method_has(SPAN(""), TRAIT_FITS));
    assert_false(has("fit", TRAIT_FITS));
}

TEST(test_releases)
{
    assert_int_equal(find("tf.data.AUTOTUNE")->since, 204);
    assert_int_equal(find("tf.data.experimental.AUTOTUNE")->since, 113);
    assert_int_equal(find("tf.abs")->since, 0);
}

static void renames_to(const char *from, const char *to)
{
    struct buf name = {0};

    buf_add_text(&name, from);
    while (vocabulary_rename(&name))
        ;
    assert_string_equal(buf_cstr(&name), to);
    buf_clear(&name);
}

TEST(test_names_are_written_in_one_way)
{
    renames_to("tensorflow", "tf");
    renames_to("tensorflow.compat.v1.keras.layers.Dense", "keras.layers.Dense");
    renames_to("tensorflow.python.keras.Model", "keras.Model");
    renames_to("tensorflow_text.Tokenizer", "tensorflow_text.Tokenizer");
    renames_to("tensorflowjs", "tensorflowjs");
    renames_to("tf_keras.Model", "keras.Model");
    renames_to("keras.src.Model", "keras.Model");
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
