/* fetch: rows out of dumps of every shape, references, posts, NDJSON. */
#include "fetch/fetch.h"

#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/unit.h"

/* --- reading a text as a dump; what happened is one text too, so that a failure can be read --- */

struct reading {
    struct span input;
    bool offsets;    /* that they point into the input is checked; not so when it was converted */
    struct buf said; /* the rows, then what was refused */
    struct buf refused;
    struct dump_stats stats;
    enum status status;
    struct err err;
};

static void keep_all(void *ctx, unsigned worker, struct dump_block *b)
{
    struct row row;

    (void)ctx;
    (void)worker;
    while (dump_next(b, &row))
        array_add(&b->rows, row);
}

static enum status say_rows(void *ctx, struct dump_block *b, struct err *e)
{
    struct reading *r = ctx;

    (void)e;
    for (size_t i = 0; i < b->rows.n; i++) {
        const struct row *row = &b->rows.at[i];
        struct span there = {r->input.ptr + row->offset, r->input.len - row->offset};
        if (r->offsets && !span_starts(there, SPAN("<row")))
            fail_msg("row %lld: no row at byte %llu", (long long)row->id, (unsigned long long)row->offset);
        buf_addf(&r->said, "%lld/%lld", (long long)row->id, (long long)row->type);
        if (row->parent_id != POST_ABSENT)
            buf_addf(&r->said, " of %lld", (long long)row->parent_id);
        if (row->tags.ptr != NULL)
            buf_addf(&r->said, " %.*s", (int)row->tags.len, row->tags.ptr);
        buf_add_char(&r->said, '\n');
    }
    return ST_OK;
}

/* Shows the first bytes that stand at the offset. */
static void say_refused(void *ctx, uint64_t offset, int64_t id, const char *why)
{
    struct reading *r = ctx;
    size_t len = r->input.len - offset < 11 ? r->input.len - offset : 11;

    assert_true(offset <= r->input.len);
    buf_addf(&r->refused, "! %lld %s", (long long)id, why);
    if (r->offsets)
        buf_addf(&r->refused, ": %.*s", (int)len, r->input.ptr + offset);
    buf_add_char(&r->refused, '\n');
}

static char path[] = "dump.XXXXXX";

static void write_file(struct span bytes)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

static void read_dump(struct reading *r, struct span input, unsigned threads, bool fragment)
{
    struct dump_options options = {.threads = threads, .fragment = fragment};
    struct dump_handler handler = {.ctx = r, .scan = keep_all, .take = say_rows, .refused = say_refused};
    struct source *source;

    buf_reset(&r->said);
    r->input = input;
    r->err = (struct err){0};
    write_file(input);
    r->status = source_open(&source, path, &r->err);
    assert_int_equal(r->status, ST_OK);
    r->status = dump_read(source, &options, &handler, &r->stats, &r->err);
    source_close(source);
    buf_add_span(&r->said, buf_span(&r->refused));
    buf_clear(&r->refused);
}

static void expect(struct span input, const char *said)
{
    struct reading r = {.offsets = true};

    read_dump(&r, input, 2, false);
    if (r.status != ST_OK)
        fail_msg("%s", r.err.text);
    assert_string_equal(buf_cstr(&r.said), said);
    assert_int_equal(r.stats.bytes, input.len);
    buf_clear(&r.said);
}

/* Rows within a root element. */
static void expect_rows(const char *rows, const char *said)
{
    struct buf input = {0};

    buf_addf(&input,
             "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<posts>\r\n%s\r\n"
             "</posts>",
             rows);
    expect(buf_span(&input), said);
    buf_clear(&input);
}

static void expect_error(const char *input, const char *error)
{
    struct reading r = {.offsets = true};

    read_dump(&r, span_of(input), 2, false);
    assert_int_equal(r.status, ST_INPUT);
    /* "file: " stands before it */
    assert_string_equal(r.err.text + strlen(path) + 2, error);
    buf_clear(&r.said);
}

#define GOOD(id) "<row Id=\"" id "\" PostTypeId=\"1\" Tags=\"|x|\" />"

/* --- the form of rows --- */

TEST(reads_attributes_in_any_order_and_quotes)
{
    expect_rows("<row Id=\"1\" PostTypeId=\"1\" Body=\"b\" Tags=\"&lt;a&gt;\" Score=\"2\" />\r\n"
                "<row Id=\"2\" PostTypeId=\"2\" ParentId=\"1\" Body=\"b\" />\r\n"
                "<row Tags=\"|a|b|\" Body=\"b\" PostTypeId=\"1\" Id=\"3\" />\r\n"
                "<row Body='b' ParentId='1' PostTypeId='2' Id='4'/>\r\n"
                "<row  Id = \"5\"\tPostTypeId\n=\n'1'\r\nTags=\"|x|\"\n/>\n"
                "<row\nId=\"6\"\nPostTypeId=\"5\"\n/>\n"
                "<row Id=\"7\" PostTypeId=\"1\" Body=\"a > b /> c\" Tags=\"|x|\" />\n",
                "1/1 &lt;a&gt;\n2/2 of 1\n3/1 |a|b|\n4/2 of 1\n5/1 |x|\n6/5\n7/1 |x|\n");
}

TEST(reads_rows_that_are_not_empty_elements)
{
    expect_rows("<row Id=\"1\" PostTypeId=\"1\" Tags=\"|x|\"></row>" GOOD(
                    "2") "<row Id='3' PostTypeId='1' Tags=\"a&lt;b&#xA;c\" >\n</row >\n"
                         "<row Id='4' PostTypeId='1'>text<i>more</i></row>" GOOD("5"),
                "1/1 |x|\n2/1 |x|\n3/1 a&lt;b&#10;c\n4/1\n5/1 |x|\n");
}

TEST(is_not_fooled_by_what_a_value_says)
{
    expect_rows("<row Id=\"1\" PostTypeId=\"1\" Body='say Tags=\"|no|\" ' />\n"
                "<row Id=\"2\" PostTypeId=\"1\" Body='say Tags=\"|no|\" ' Score=\"5\" />\n"
                "<row Id=\"3\" PostTypeId=\"1\" Body='say Tags=\"|no|\" />' Tags='|yes|' />\n"
                "<row Id=\"4\" PostTypeId=\"1\" Body='a Tags=\"|no|\" b=\"' Tags=\"|yes|\" />\n"
                "<row Id=\"5\" PostTypeId=\"1\" XTags=\"|no|\" Body=\" Tags=|no| \" />\n"
                "<row Id=\"6\" PostTypeId=\"2\" Body=' ParentId=\"9\"' ParentId=\"5\" />\n"
                "<row Body=' Id=\"99\" ' Id=\"7\" PostTypeId=\"1\" />\n",
                "1/1\n2/1\n3/1 |yes|\n4/1 |yes|\n5/1\n6/2 of 5\n7/1\n");
}

TEST(reads_rows_wherever_lines_end)
{
    expect_rows(GOOD("1") GOOD("2") " " GOOD("3") "\n\n\n" GOOD("4") "\r" GOOD("5"),
                "1/1 |x|\n2/1 |x|\n3/1 |x|\n4/1 |x|\n5/1 |x|\n");
}

/* --- rows that cannot be used: named, and nothing else is lost --- */

TEST(names_rows_without_a_usable_id)
{
    expect_rows("<row PostTypeId=\"1\" />\n<row Id=\"\" PostTypeId=\"1\" />\n"
                "<row Id=\"0\" PostTypeId=\"1\" />\n<row Id=\"-5\" PostTypeId=\"1\" />\n"
                "<row Id=\"2147483648\" PostTypeId=\"1\" />\n<row Id=\"x7\" PostTypeId=\"1\" />\n"
                "<row Id=\"123456789012345678901234567890\" PostTypeId=\"1\" />\n"
                "<row Id=\"2147483647\" PostTypeId=\"1\" />\n<row/>\n<row />\n<row></row>\n",
                "2147483647/1\n"
                "! 0 no Id: <row PostTy\n! 0 Id is not a number: <row Id=\"\" \n"
                "! 0 Id is not between 1 and 2147483647: <row Id=\"0\"\n"
                "! 0 Id is not between 1 and 2147483647: <row Id=\"-5\n"
                "! 2147483648 Id is too large: the largest is 2147483647: <row Id=\"21\n"
                "! 0 Id is not a number: <row Id=\"x7\n! 0 Id is too large: the largest is 2147483647: <row Id=\"12\n"
                "! 0 no Id: <row/>\n<row\n! 0 no Id: <row />\n<ro\n! 0 no Id: <row></row>\n");
}

TEST(names_rows_without_a_type)
{
    expect_rows("<row Id=\"3\" />\n<row Id=\"4\" PostTypeId=\"\" />\n"
                "<row Id=\"5\" PostTypeId=\"one\" />\n"
                "<row Id=\"6\" PostTypeId=\"2\" ParentId=\"five\" />\n" GOOD("7"),
                "7/1 |x|\n"
                "! 3 no PostTypeId: <row Id=\"3\"\n! 4 PostTypeId is not a number: <row Id=\"4\"\n"
                "! 5 PostTypeId is not a number: <row Id=\"5\"\n"
                "! 6 ParentId is not a number: <row Id=\"6\"\n");
}

TEST(names_rows_with_an_attribute_twice)
{
    expect_rows("<row Id=\"1\" Id=\"2\" PostTypeId=\"1\" />\n" GOOD("3"),
                "3/1 |x|\n! 0 an attribute is given twice: <row Id=\"1\"\n");
}

TEST(loses_only_the_broken_row)
{
    static const char *const broken[] = {
        "<row Id=\"2\" PostTypeId=\"1\" Body=\"a < b\" Tags=\"|x|\" />",
        "<row Id=\"2\" PostTypeId=\"1\" Body=\"<p>a</p>\" Tags=\"|x|\" />",
        "<row Id=\"2\" PostTypeId=\"1\" Body=\"<p>a</p>\n<ul><li>b</li></ul>\n\" />",
        "<row Id=\"2\" PostTypeId=\"1\" Body=\"a \"quoted\" word\" />",
        "<row Id=\"2\" PostTypeId=\"1\" Body=\"not closed />",
        "<row Id=\"2\" PostTypeId=\"1\" Body=b />",
        "<row Id=\"2\" PostTypeId=\"1\"Body=\"b\" />",
        "<row Id=\"2\" PostTypeId=\"1\" Body />",
        "<row Id=\"2\" PostTypeId=\"1\">",
        "<row Id=\"2\" PostTypeId=\"1\"></col>",
        "<row Id=\"2\" PostTypeId=\"1\"><i></row>",
    };

    for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
        struct buf rows = {0};
        buf_addf(&rows, "%s\n%s\n%s\n%s", GOOD("1"), broken[i], GOOD("3"), GOOD("4"));
        expect_rows(buf_cstr(&rows), "1/1 |x|\n3/1 |x|\n4/1 |x|\n"
                                     "! 2 not well-formed XML: <row Id=\"2\"\n");
        buf_reset(&rows);
        buf_addf(&rows, "%s\n%s", GOOD("1"), broken[i]); /* nothing but the end tag follows */
        expect_rows(buf_cstr(&rows), "1/1 |x|\n! 2 not well-formed XML: <row Id=\"2\"\n");
        buf_clear(&rows);
    }
}

TEST(leaves_watermarks_out)
{
    struct reading r = {.offsets = true};

    read_dump(&r,
              SPAN("<posts>" GOOD("1000000001") GOOD("1000000002") "<row PostTypeId=\"1\" "
                                                                   "Id=\"1000000010\" /></posts>"),
              1, false);
    assert_int_equal(r.status, ST_OK);
    assert_string_equal(buf_cstr(&r.said), "1000000002/1 |x|\n");
    assert_int_equal(r.stats.watermarks, 2);
    assert_int_equal(r.stats.rows, 1);
    buf_clear(&r.said);
}

/* --- what is not a row --- */

TEST(passes_over_what_is_no_row)
{
    expect_rows(GOOD("1") "<!-- " GOOD("90") " -->" GOOD("2") "<!----><?pi " GOOD("91") " ?>" GOOD(
                    "3") "<!-- > -- " GOOD("92") "\n-->",
                "1/1 |x|\n2/1 |x|\n3/1 |x|\n");
    expect_rows(GOOD("1") "<![CDATA[ " GOOD("90") " ]]>" GOOD("2"),
                "1/1 |x|\n2/1 |x|\n! 0 text between rows: <![CDATA[ <\n");
    expect_rows(GOOD("1") " junk <!-- " GOOD("90") " -->" GOOD("2") "\n\nmore junk",
                "1/1 |x|\n2/1 |x|\n! 0 text between rows: junk <!-- <\n"
                "! 0 text between rows: more junk\r\n\n");
    expect_rows("<rowing Id=\"1\" />" GOOD("1") "<p/><q>text</q>\n" GOOD("2"),
                "1/1 |x|\n2/1 |x|\n! 0 an element that is not a row: <rowing Id=\n"
                "! 0 an element that is not a row: <p/><q>text\n"
                "! 0 an element that is not a row: <q>text</q>\n");
}

TEST(accepts_any_prolog_and_root)
{
    /* clang-format off */
    static const char *const heads[] = {
        "<xml>", "<posts>", "\n<posts\n>", "<posts a=\"b\">", "<rows>",
        "<?xml version=\"1.0\"?><!-- <row Id=\"9\" PostTypeId=\"1\" /> --><posts>",
        "<!DOCTYPE posts SYSTEM \"posts.dtd\"><posts>",
        "<!DOCTYPE posts [ <!ELEMENT posts (row*)> <!ENTITY a \"b\"> ] ><posts>",
        "<?xml version=\"1.0\" encoding = 'utf-8' ?><?pi > ?><posts>",
        "<?xml version=\"1.0\"?><posts><!-- encoding=\"latin1\" -->",
    };
    /* clang-format on */

    for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
        struct buf input = {0};
        buf_addf(&input, "%s%s</any>\n<!-- end -->\n", heads[i], GOOD("1"));
        expect(buf_span(&input), "1/1 |x|\n");
        buf_clear(&input);
    }
    expect(SPAN("<posts/>"), "");
    expect(SPAN("<posts></posts>\n"), "");
    expect(SPAN("<posts>" GOOD("1") "</posts>\njunk"), "1/1 |x|\n! 0 text after the end of the root element: junk\n");
    expect(SPAN("<posts>" GOOD("1") "</posts>\xef\xbb\xbf<?xml version=\"1.0\"?><posts>" GOOD("2") "</posts>"),
           "1/1 |x|\n2/1 |x|\n" /* cat a/Posts.xml b/Posts.xml */
           "! 0 a second document begins here; its rows are read too: <posts><row\n");
}

#define NOT_A_DUMP \
    "not posts: a data dump begins with <posts>, JSON with { or [, a table with a line of names, Id among them (byte "
#define TRUNCATED "the file is truncated (byte "

TEST(says_what_is_no_dump)
{
    expect_error("", NOT_A_DUMP "0)");
    expect_error(" \n", NOT_A_DUMP "2)");
    expect_error("hello", NOT_A_DUMP "0)");
    expect_error("\n\n{\"Id\": 1}", NOT_A_DUMP "2)");
    expect_error("<", NOT_A_DUMP "0)");
    expect_error("<posts", NOT_A_DUMP "0)");
    expect_error("<?xml version=\"1.0\"?>\n" GOOD("1"), NOT_A_DUMP "22)");
    expect_error("<!DOCTYPE xml>\n<xml><head></head></xml>", NOT_A_DUMP "20)");
    expect_error("<xml>text</xml>", NOT_A_DUMP "5)");
    expect_error("<users>\n  <row Id=\"1\" /></users>",
                 "this is the dump's Users.xml; posts are in Posts.xml (byte 0)");
}

TEST(says_where_a_dump_is_truncated)
{
    expect_error("<posts>", "ends before the end tag of the root element: " TRUNCATED "7)");
    expect_error("<posts>\n</pos", "ends before the end tag of the root element: " TRUNCATED "13)");
    expect_error("<posts>" GOOD("1") "\n<row Id=\"2\" PostTy", "ends in the middle of a row: " TRUNCATED "48)");
    expect_error("<posts>" GOOD("1") "<!-- x", "ends inside a comment or other markup: " TRUNCATED "53)");
}

TEST(keeps_what_stands_before_a_truncation)
{
    struct span whole = SPAN("<posts>" GOOD("1") "\n" GOOD("2") "\n</posts>");
    struct reading r = {.offsets = true};

    for (size_t len = 0; len < whole.len; len++) {
        read_dump(&r, (struct span){whole.ptr, len}, 1, false);
        if (r.status != ST_INPUT)
            fail_msg("%zu bytes are taken for a whole dump", len);
        const char *rows = len >= 88 ? "1/1 |x|\n2/1 |x|\n" : len >= 47 ? "1/1 |x|\n" : "";
        if (strncmp(buf_cstr(&r.said), rows, strlen(rows)) != 0)
            fail_msg("of %zu bytes: %s", len, buf_cstr(&r.said));
    }
    buf_clear(&r.said);
}

TEST(reads_fragments_when_asked)
{
    struct reading r = {.offsets = true};

    read_dump(&r, SPAN("  " GOOD("1") "\n" GOOD("2")), 2, true);
    assert_int_equal(r.status, ST_OK);
    assert_string_equal(buf_cstr(&r.said), "1/1 |x|\n2/1 |x|\n");
    read_dump(&r, SPAN(""), 2, true);
    assert_int_equal(r.status, ST_OK);
    read_dump(&r, SPAN(GOOD("1") "<row Id=\"2\""), 2, true);
    assert_int_equal(r.status, ST_INPUT);
    buf_clear(&r.said);
}

/* --- encodings --- */

/* Every character of the text as two bytes, or one of ISO-8859-1; the text is ASCII but for '~',
 * which becomes a character that takes two bytes in UTF-8. */
static void add_encoded(struct buf *out, const char *text, const char *encoding)
{
    for (; *text != '\0'; text++) {
        char c = *text == '~' ? '\xe9' : *text;
        if (strcmp(encoding, "UTF-16BE") == 0)
            buf_add_char(out, '\0');
        buf_add_char(out, c);
        if (strcmp(encoding, "UTF-16LE") == 0)
            buf_add_char(out, '\0');
    }
}

/* Longer than several blocks, so that characters stand across the border of every buffer. */
static void make_encoded(struct buf *out, const char *encoding, unsigned shift)
{
    static const char some[] = "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~";
    struct buf row = {0};

    if (strcmp(encoding, "UTF-16BE") == 0)
        buf_add_text(out, "\xfe\xff");
    if (strcmp(encoding, "UTF-16LE") == 0)
        buf_add_text(out, "\xff\xfe");
    buf_addf(&row, "<?xml version='1.0' encoding='%.*s'?><posts>%*s", strncmp(encoding, "UTF-16", 6) == 0 ? 6 : 20,
             encoding, (int)shift, "");
    add_encoded(out, buf_cstr(&row), encoding);
    for (int id = 1; id <= 12000; id++) {
        buf_reset(&row);
        buf_addf(&row, "<row Id=\"%d\" PostTypeId=\"1\" Body=\"%s%s\" Tags=\"|~|\" />", id, some, some);
        add_encoded(out, buf_cstr(&row), encoding);
    }
    add_encoded(out, "</posts>", encoding);
    buf_clear(&row);
}

TEST(converts_other_encodings)
{
    static const char *const encodings[] = {"ISO-8859-1", "UTF-16LE", "UTF-16BE"};
    struct buf said = {0}, input = {0};
    struct reading r = {0};

    for (int id = 1; id <= 12000; id++)
        buf_addf(&said, "%d/1 |\xc3\xa9|\n", id);
    for (size_t i = 0; i < ARRAY_LEN(encodings); i++)
        for (unsigned shift = 0; shift < 4; shift++) {
            buf_reset(&input);
            make_encoded(&input, encodings[i], shift);
            read_dump(&r, buf_span(&input), 2, false);
            if (r.status != ST_OK || !span_eq(buf_span(&r.said), buf_span(&said)))
                fail_msg("%s, moved by %u: %s; %llu rows", encodings[i], shift, r.err.text,
                         (unsigned long long)r.stats.rows);
        }
    buf_clear(&said);
    buf_clear(&input);
    buf_clear(&r.said);
}

TEST(refuses_bad_encodings)
{
    struct reading r = {0};

    expect_error("<?xml version=\"1.0\" encoding=\"klingon\"?><posts/>", "unknown encoding 'klingon'");
    expect_error("<?xml version=\"1.0\" encoding=\"utf-16be\"?>", "ends in the middle of a "
                                                                  "character (byte 40)");
    expect_error("<?xml version='1.0' encoding='euc-jp'?><posts>\xff</posts>",
                 "bytes that are not in the declared encoding (byte 46)");
    /* What a post says about encodings is not the declaration. */
    read_dump(&r,
              SPAN("<?xml version=\"1.0\"?><posts><row Id=\"1\" PostTypeId=\"1\" "
                   "Body=\"encoding=&quot;klingon&quot;\" /></posts>"),
              1, false);
    assert_int_equal(r.status, ST_OK);
    buf_clear(&r.said);
}

/* --- blocks --- */

/* Numbers that look random, the same ones every time. */
static uint32_t next_random(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

static void add_filler(struct buf *out, uint32_t *seed, uint32_t len)
{
    static const char letters[] = "abcdefghijklmno pqrstuvwxyz /> >";

    while (len-- > 0)
        buf_add_char(out, letters[next_random(seed, 32)]);
}

/* A row of one of the forms that are read; `said` gets what the reader must say. */
static void add_row(struct buf *out, struct buf *said, uint32_t *seed, unsigned id, uint32_t len)
{
    uint32_t form = next_random(seed, 4);
    const char *quote = form == 1 ? "'" : "\"";

    buf_addf(out, "<row Id=%s%u%s PostTypeId=%s1%s Body=%s", quote, id, quote, quote, quote, quote);
    add_filler(out, seed, len);
    buf_addf(out, "%s Tags=%s|t%u|%s %s", quote, quote, id, quote, form == 2 ? "></row>" : "/>");
    buf_addf(said, "%u/1 |t%u|\n", id, id);
}

static void add_comment(struct buf *out, uint32_t *seed, uint32_t rows)
{
    struct buf ignored = {0};

    buf_add_text(out, "<!-- ");
    for (uint32_t i = 0; i < rows; i++)
        add_row(out, &ignored, seed, 1000000 + i, 100);
    buf_add_text(out, "-->");
    buf_clear(&ignored);
}

static void make_dump(struct buf *out, struct buf *said, uint32_t seed)
{
    buf_add_text(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    if (seed % 2 == 0) /* the root element stands behind more than a block */
        add_comment(out, &seed, 5000);
    buf_add_text(out, "<posts>\n");
    for (unsigned id = 1; out->len < 3 << 20; id++) {
        uint32_t dice = next_random(&seed, 1000);
        add_row(out, said, &seed, id, next_random(&seed, dice < 5 ? 900000 : 1500));
        if (dice > 996)
            add_comment(out, &seed, next_random(&seed, 8000));
        else if (dice > 990)
            add_comment(out, &seed, 1);
        if (dice % 4 != 0)
            buf_add_char(out, '\n');
    }
    buf_add_text(out, "</posts>\n");
}

TEST(finds_the_same_rows_however_blocks_fall)
{
    static const unsigned threads[] = {1, 2, 5};
    struct buf input = {0}, said = {0};
    struct reading r = {.offsets = true};

    for (uint32_t seed = 1; seed <= 6; seed++) {
        buf_reset(&input);
        buf_reset(&said);
        make_dump(&input, &said, seed);
        for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
            read_dump(&r, buf_span(&input), threads[i], false);
            if (r.status != ST_OK)
                fail_msg("dump %u: %s", (unsigned)seed, r.err.text);
            if (!span_eq(buf_span(&r.said), buf_span(&said)))
                fail_msg("dump %u, %u threads: other rows than were written; %llu, %llu refused", (unsigned)seed,
                         threads[i], (unsigned long long)r.stats.rows, (unsigned long long)r.stats.refused);
            assert_int_equal(r.stats.bytes, input.len);
        }
    }
    buf_clear(&input);
    buf_clear(&said);
    buf_clear(&r.said);
}

/* A file that is exactly as long as a block, and a little more or less. */
TEST(reads_files_as_long_as_a_block)
{
    struct buf input = {0};

    for (size_t len = (512 << 10) - 6; len <= (512 << 10) + 6; len++) {
        buf_reset(&input);
        buf_add_text(&input, "<posts>" GOOD("1"));
        while (input.len < len - strlen(GOOD("2") "</posts>"))
            buf_add_char(&input, ' ');
        buf_add_text(&input, GOOD("2") "</posts>");
        expect(buf_span(&input), "1/1 |x|\n2/1 |x|\n");
    }
    buf_clear(&input);
}

static void add_long_row(struct buf *out, int id, size_t len)
{
    size_t begin = out->len;

    buf_addf(out, "<row Id=\"%d\" PostTypeId=\"1\" Body=\"", id);
    buf_reserve(out, len);
    while (out->len - begin < len - 4)
        buf_add_char(out, 'b');
    buf_add_text(out, "\" />");
}

/* The longest row that is read has DUMP_ROW_MAX bytes, wherever it stands. */
TEST(leaves_long_rows_out)
{
    static const size_t before[] = {0, 1000, 300000, 524288, 5000000};
    struct buf input = {0};

    for (size_t i = 0; i < ARRAY_LEN(before); i++) {
        buf_reset(&input);
        buf_add_text(&input, "<posts>");
        add_long_row(&input, 1, 100 + before[i]);
        add_long_row(&input, 2, DUMP_ROW_MAX);
        buf_add_text(&input, GOOD("3"));
        add_long_row(&input, 4, DUMP_ROW_MAX + 1);
        buf_add_text(&input, GOOD("5"));
        add_long_row(&input, 6, 2 * DUMP_ROW_MAX);
        buf_add_text(&input, "</posts>");
        struct reading r = {.offsets = true};
        read_dump(&r, buf_span(&input), 2, false);
        assert_int_equal(r.status, ST_OK);
        assert_string_equal(buf_cstr(&r.said), "1/1\n2/1\n3/1 |x|\n"
                                               "5/1 |x|\n! 4 longer than 8 MiB: <row Id=\"4\"\n"
                                               "! 6 longer than 8 MiB: <row Id=\"6\"\n");
        buf_clear(&r.said);
    }
    buf_clear(&input);
}

TEST(ends_when_a_long_row_is_cut_off)
{
    struct buf input = {0};
    struct reading r = {.offsets = true};

    buf_add_text(&input, "<posts>" GOOD("1"));
    add_long_row(&input, 2, 3 * DUMP_ROW_MAX);
    read_dump(&r, (struct span){input.ptr, input.len - 100}, 2, false);
    assert_int_equal(r.status, ST_INPUT);
    assert_string_equal(buf_cstr(&r.said), "1/1 |x|\n! 2 longer than 8 MiB: <row Id=\"2\"\n");
    buf_clear(&input);
    buf_clear(&r.said);
}

/* Not the whole of a large file is read to see that it is none. */
TEST(gives_up_early_on_what_is_no_dump)
{
    struct buf input = {0};
    struct reading r = {.offsets = true};

    while (input.len < 64 << 20)
        buf_add_text(&input, "0123456789abcdef0123456789abcdef");
    read_dump(&r, buf_span(&input), 1, false);
    assert_int_equal(r.status, ST_INPUT);
    assert_true(r.stats.bytes < 16 << 20);
    buf_clear(&input);
    buf_clear(&r.said);
}

/* --- errors while other threads scan --- */

static enum status refuse_to_take(void *ctx, struct dump_block *b, struct err *e)
{
    int *left = ctx;

    (void)b;
    return --*left > 0 ? ST_OK : err_set(e, ST_DATABASE, "enough");
}

static void ignore_refused(void *ctx, uint64_t offset, int64_t id, const char *why)
{
    (void)ctx;
    (void)offset;
    (void)id;
    (void)why;
}

TEST(stops_when_the_taker_fails)
{
    struct buf input = {0}, said = {0};
    struct source *source;
    struct err e;

    make_dump(&input, &said, 1);
    write_file(buf_span(&input));
    for (int after = 1; after < 5; after++) {
        int left = after;
        struct dump_handler handler = {
            .ctx = &left, .scan = keep_all, .take = refuse_to_take, .refused = ignore_refused};
        struct dump_options options = {.threads = 4};
        struct dump_stats stats;
        assert_int_equal(source_open(&source, path, &e), ST_OK);
        assert_int_equal(dump_read(source, &options, &handler, &stats, &e), ST_DATABASE);
        assert_string_equal(e.text, "enough");
        assert_int_equal(left, 0);
        source_close(source);
    }
    buf_clear(&input);
    buf_clear(&said);
}

/* --- values --- */

TEST(decodes_references)
{
    /* clang-format off */
    static const char *const cases[][2] = {
        {"", ""}, {"plain", "plain"}, {"&lt;p&gt;&amp;lt;&quot;&apos;", "<p>&lt;\"'"},
        {"&#65;&#x41;&#x4a;&#X4A;", "AAJJ"}, {"&#xA;&#xD;&#9;", "\n\r\t"},
        {"a\nb\r\nc\rd\te", "a b c d e"}, {"\r\n", " "}, {"\n\r", "  "},
        {"&#x20AC;&#8364;&#xe9;", "\xe2\x82\xac\xe2\x82\xac\xc3\xa9"},
        {"&#x10FFFF;&#1114111;", "\xf4\x8f\xbf\xbf\xf4\x8f\xbf\xbf"},
        {"&#x110000;", "&#x110000;"}, {"&#xD800;", "&#xD800;"}, {"&#0;", "&#0;"},
        {"&#x;&#;&;&x;", "&#x;&#;&;&x;"}, {"&nbsp;&LT;", "&nbsp;&LT;"}, {"&", "&"},
        {"&amp", "&amp"}, {"a & b;", "a & b;"}, {"&&amp;&", "&&&"}, {"&#x4G;", "&#x4G;"},
        {"&#-5;&# 5;", "&#-5;&# 5;"}, {"&#99999999999999999999;", "&#99999999999999999999;"},
        {"&amp;amp;", "&amp;"}, {"&#38;lt;", "&lt;"}, {"\xc3\xa9&lt;", "\xc3\xa9<"},
    };
    /* clang-format on */
    struct arena arena = {0};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        /* No byte behind the value may be looked at. */
        struct span value = span_of(cases[i][0]);
        char *copy = mem_alloc(value.len);
        memcpy(copy, value.ptr, value.len);
        struct span decoded = row_unescape(&arena, (struct span){copy, value.len});
        if (!span_eq(decoded, span_of(cases[i][1])))
            fail_msg("'%s' became '%.*s'", cases[i][0], (int)decoded.len, decoded.ptr);
        mem_free(copy);
    }
    arena_clear(&arena);
}

#define WHOLE_ROW \
    "<row Id=\"7\" PostTypeId=\"1\" AcceptedAnswerId=\"8\" ParentId=\"5\" " \
    "CreationDate=\"2018-01-02T01:12:20.123\" DeletionDate=\"2020-01-01T00:00:00\" " \
    "Score=\"-3\" ViewCount=\"12\" Body=\"&lt;p&gt;a&amp;amp;b&lt;/p&gt;&#xA;\" " \
    "OwnerUserId=\"-1\" OwnerDisplayName=\"\" LastEditorUserId=\"22\" " \
    "LastEditorDisplayName=\"\xc3\xa9\" LastEditDate=\"2019-01-01T00:00:00.5\" " \
    "LastActivityDate=\"2019-01-02T00:00:00\" Title=\"A &quot;title&quot;\" " \
    "Tags=\"&lt;c#&gt;&lt;keras&gt;\" AnswerCount=\"1\" CommentCount=\"0\" FavoriteCount=\"\" " \
    "ClosedDate=\"2019-01-03T00:00:00\" CommunityOwnedDate=\"2019-01-04T00:00:00\" " \
    "ContentLicense=\"CC BY-SA 3.0\" Later=\"unknown\" />"

TEST(reads_every_attribute_of_the_schema)
{
    struct row row = {.raw = SPAN(WHOLE_ROW), .id = 7, .type = 1};
    struct arena arena = {0};
    struct post post;
    const char *why;

    assert_true(row_post(&row, &arena, &post, &why));
    assert_null(why);
    assert_int_equal(post.post_id, 7);
    assert_int_equal(post.type, 1);
    assert_int_equal(post.accepted_answer_id, 8);
    assert_int_equal(post.parent_id, 5);
    assert_true(span_eq(post.created_at, SPAN("2018-01-02T01:12:20.123Z")));
    assert_true(span_eq(post.deleted_at, SPAN("2020-01-01T00:00:00.000Z")));
    assert_int_equal(post.score, -3);
    assert_int_equal(post.view_count, 12);
    assert_true(span_eq(post.body_html, SPAN("<p>a&amp;b</p>\n")));
    assert_true(span_eq(post.title, SPAN("A \"title\"")));
    assert_true(span_eq(post.tags, SPAN("[\"c#\",\"keras\"]")));
    assert_int_equal(post.owner_user_id, -1);
    assert_non_null(post.owner_display_name.ptr); /* empty is not absent */
    assert_int_equal(post.owner_display_name.len, 0);
    assert_int_equal(post.last_editor_user_id, 22);
    assert_true(span_eq(post.last_editor_display_name, SPAN("\xc3\xa9")));
    assert_true(span_eq(post.last_edited_at, SPAN("2019-01-01T00:00:00.500Z")));
    assert_true(span_eq(post.last_activity_at, SPAN("2019-01-02T00:00:00.000Z")));
    assert_int_equal(post.answer_count, 1);
    assert_int_equal(post.comment_count, 0);
    assert_true(post.favorite_count == POST_ABSENT); /* an empty number is absent */
    assert_true(span_eq(post.closed_at, SPAN("2019-01-03T00:00:00.000Z")));
    assert_true(span_eq(post.community_owned_at, SPAN("2019-01-04T00:00:00.000Z")));
    assert_true(span_eq(post.content_license, SPAN("CC BY-SA 3.0")));
    arena_clear(&arena);
}

TEST(leaves_absent_what_a_row_has_not)
{
    struct row row = {.raw = SPAN("<row Id=\"7\" PostTypeId=\"2\" Tags=\"\" "
                                  "CreationDate=\"2018-05-02T00:00:00\" ContentLicense=\"\" />"),
                      .id = 7,
                      .type = 2};
    struct arena arena = {0};
    struct post post;
    const char *why;

    assert_true(row_post(&row, &arena, &post, &why));
    assert_null(post.body_html.ptr);
    assert_null(post.title.ptr);
    assert_null(post.tags.ptr);
    assert_null(post.closed_at.ptr);
    assert_true(post.parent_id == POST_ABSENT && post.score == POST_ABSENT);
    assert_true(span_eq(post.content_license, SPAN("CC BY-SA 4.0"))); /* derived */
    arena_clear(&arena);
}

/* clang-format off */
#define SPAN_OF(literal) {(literal), sizeof(literal) - 1}
/* clang-format on */
#define ROW_WITH(attributes) "<row Id=\"7\" PostTypeId=\"1\" " attributes " />"

TEST(says_why_a_row_makes_no_post)
{
    static const struct {
        struct span raw;
        const char *why;
    } cases[] = {
        {SPAN_OF(ROW_WITH("Body=\"\xff\"")), "invalid UTF-8"},
        {SPAN_OF(ROW_WITH("Body=\"\xed\xa0\x80\"")), "invalid UTF-8"},
        {SPAN_OF(ROW_WITH("Body=\"\xc3\"")), "invalid UTF-8"},
        {SPAN_OF(ROW_WITH("Body=\"a\0b\"")), "a NUL byte"},
        {SPAN_OF(ROW_WITH("Score=\"many\"")), "an invalid number"},
        {SPAN_OF(ROW_WITH("Score=\"99999999999999999999\"")), "an invalid number"},
        {SPAN_OF(ROW_WITH("ViewCount=\"1.5\"")), "an invalid number"},
        {SPAN_OF(ROW_WITH("CreationDate=\"yesterday\"")), "an invalid date"},
        {SPAN_OF(ROW_WITH("Score=\"1\" Score=\"2\"")), "an attribute is given twice"},
        {SPAN_OF("<row Id=\"7\" PostTypeId=\"1\""), "not well-formed XML"},
    };
    struct arena arena = {0};
    struct post post;
    const char *why;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct row row = {.raw = cases[i].raw, .id = 7, .type = 1};
        if (row_post(&row, &arena, &post, &why))
            fail_msg("a post: %s", cases[i].raw.ptr);
        assert_string_equal(why, cases[i].why);
    }
    arena_clear(&arena);
}

TEST(reads_titles_and_bodies_alone)
{
    struct row row = {.raw = SPAN(WHOLE_ROW), .id = 7, .type = 1};
    struct row answer = {.raw = SPAN("<row Id=\"8\" PostTypeId=\"2\" Body=\"b\" Score=\"x\" />")};
    struct arena arena = {0};
    struct span title, body;
    const char *why;

    assert_true(row_texts(&row, &arena, &title, &body, &why));
    assert_true(span_eq(title, SPAN("A \"title\"")));
    assert_true(span_eq(body, SPAN("<p>a&amp;b</p>\n")));
    assert_true(row_texts(&answer, &arena, &title, &body, &why));
    assert_null(title.ptr);
    assert_true(span_eq(body, SPAN("b")));
    arena_clear(&arena);
}

/* Of answers of an API there is no byte to name. */
TEST(counts_what_is_left_out_by_reason)
{
    struct refused r = {.source = "answers"};
    struct buf json = {0};

    refused_add(&r, REFUSED_NO_BYTE, 7, "no date");
    refused_add(&r, REFUSED_NO_BYTE, 0, "no id");
    refused_add(&r, REFUSED_NO_BYTE, 9, "no id");
    refused_leave(&r, 12, 8, "no tag");
    refused_json(&r, &json);
    assert_string_equal(buf_cstr(&json), "[{\"why\":\"no id\",\"n\":2},{\"why\":\"no date\",\"n\":1,\"first_id\":7},"
                                         "{\"why\":\"no tag\",\"n\":1,\"first_byte\":12,\"first_id\":8}]");
    assert_int_equal(r.n, 3);
    assert_int_equal(r.n_left, 4);
    refused_clear(&r);
    buf_clear(&json);
}

static int make_path(void **state)
{
    (void)state;
    return close(mkstemp(path));
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    return unit_run(make_path, remove_path, NULL, NULL);
}
