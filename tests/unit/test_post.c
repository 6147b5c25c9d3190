/* post: dates, licences, tags, and which rows nobody wrote. */
#include "base/post/post.h"

#include <stdlib.h>

#include "base/files.h"
#include "tests/unit/unit.h"

TEST(normalises_dates)
{
    static const char *const cases[][2] = {
        {"2018-01-02T01:12:20", "2018-01-02T01:12:20.000Z"},
        {"2018-01-02", "2018-01-02T00:00:00.000Z"},
        {"2018-01-02T01:12:20Z", "2018-01-02T01:12:20.000Z"},
        {"2018-01-02T01:12:20.5", "2018-01-02T01:12:20.500Z"},
        {"2018-01-02T01:12:20.123", "2018-01-02T01:12:20.123Z"},
        {"2018-01-02T01:12:20.123Z", "2018-01-02T01:12:20.123Z"},
        {"2018-01-02T01:12:20.1239999", "2018-01-02T01:12:20.123Z"}, /* cut, not rounded */
        {"2016-02-29T00:00:00", "2016-02-29T00:00:00.000Z"},
        {"2000-02-29T00:00:00", "2000-02-29T00:00:00.000Z"},
        {"2016-12-31T23:59:60", "2016-12-31T23:59:60.000Z"}, /* a leap second */
    };
    char out[TIME_TEXT_SIZE];

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (!date_read(span_of(cases[i][0]), out))
            fail_msg("refused: %s", cases[i][0]);
        assert_string_equal(out, cases[i][1]);
    }
}

TEST(refuses_what_is_no_date)
{
    /* clang-format off */
    static const char *const cases[] = {
        "", "2018", "2018-01-32", "2018-01-0x", "2018-01-02Z", "2018-01-02 01:12:20", "2018-01-02T01:12", "2018-1-2T01:12:20",
        "2018-00-02T01:12:20", "2018-13-02T01:12:20", "2018-01-00T01:12:20",
        "2018-01-32T01:12:20", "2018-04-31T01:12:20", "2018-02-29T01:12:20",
        "1900-02-29T01:12:20", "2018-01-02T24:12:20", "2018-01-02T01:60:20",
        "2018-01-02T01:12:61", "2018-01-02T01:12:20.", "2018-01-02T01:12:20.Z",
        "2018-01-02T01:12:20.12x", "2018-01-02T01:12:20+01:00", "2018-01-02T01:12:20ZZ",
        " 2018-01-02T01:12:20", "2018-01-02T01:12:20 ", "-018-01-02T01:12:20"
    };
    /* clang-format on */
    char out[TIME_TEXT_SIZE];

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (date_read(span_of(cases[i]), out))
            fail_msg("taken for a date: '%s'", cases[i]);
    assert_false(date_read((struct span){0}, out));
}

/* https://stackoverflow.com/help/licensing */
TEST(derives_the_licence_from_the_day)
{
    static const char *const cases[][2] = {
        {"2008-07-31T21:42:52.667Z", "CC BY-SA 2.5"}, {"2011-04-07T23:59:59.999Z", "CC BY-SA 2.5"},
        {"2011-04-08T00:00:00.000Z", "CC BY-SA 3.0"}, {"2018-05-01T23:59:59.999Z", "CC BY-SA 3.0"},
        {"2018-05-02T00:00:00.000Z", "CC BY-SA 4.0"}, {"2024-01-01T00:00:00.000Z", "CC BY-SA 4.0"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (!span_eq(post_license_at(span_of(cases[i][0])), span_of(cases[i][1])))
            fail_msg("%s is not %s", cases[i][0], cases[i][1]);
}

TEST(takes_tags_of_both_forms)
{
    static const char *const forms[] = {"<c#><.net-core><tensorflow2.0>", "|c#|.net-core|tensorflow2.0|",
                                        "c#|.net-core|tensorflow2.0"};
    static const char *const expected[] = {"c#", ".net-core", "tensorflow2.0"};
    struct span tag;

    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        struct span rest = span_of(forms[i]);
        for (size_t t = 0; t < ARRAY_LEN(expected); t++) {
            assert_true(post_tag_next(&rest, &tag));
            assert_true(span_eq(tag, span_of(expected[t])));
        }
        assert_false(post_tag_next(&rest, &tag));
    }
}

TEST(finds_no_tag_where_none_is)
{
    static const char *const forms[] = {"", "<>", "||", "<><>"};
    struct span tag, nothing = {0};

    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        struct span rest = span_of(forms[i]);
        assert_false(post_tag_next(&rest, &tag));
    }
    assert_false(post_tag_next(&nothing, &tag));
}

TEST(names_types)
{
    assert_string_equal(post_type_name(POST_QUESTION), "question");
    assert_string_equal(post_type_name(POST_ANSWER), "answer");
    assert_string_equal(post_type_name(17), "collective_collection");
    assert_null(post_type_name(0));
    assert_null(post_type_name(11));
    assert_null(post_type_name(16));
    assert_null(post_type_name(18));
    assert_null(post_type_name(-1));
    assert_null(post_type_name(POST_ABSENT));
    assert_null(post_type_name(INT64_MAX));
}

TEST(knows_the_watermarks)
{
    assert_true(post_is_watermark(1000000001));
    assert_true(post_is_watermark(1000000010));
    assert_false(post_is_watermark(1000000002));
    assert_false(post_is_watermark(1));
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
