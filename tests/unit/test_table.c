/* table: cells, eight formats, what each escapes, and printing while a table is filled. */
#include "base/table/render.h"

#include <errno.h>
#include <math.h>

#include "base/files.h"
#include "base/log.h"
#include "base/utf8.h"
#include "tests/unit/unit.h"

static char *printed;
static struct table table;
static struct table_list list;

static const char *print_as(enum table_format format)
{
    size_t size;

    mem_free(printed);
    FILE *out = open_memstream(&printed, &size);
    table_print(&table, &(struct table_output){.format = format, .file = out});
    fclose(out);
    return printed;
}

static const char *print_list_as(enum table_format format)
{
    size_t size;

    mem_free(printed);
    FILE *out = open_memstream(&printed, &size);
    table_list_print(&list, &(struct table_output){.format = format, .file = out});
    fclose(out);
    return printed;
}

static int clear(void **state)
{
    (void)state;
    mem_free(printed);
    printed = NULL;
    table_clear(&table);
    table_list_clear(&list);
    return 0;
}

static void begin(const char *columns)
{
    table_clear(&table);
    table_init(&table, "some-id", "Some title", columns);
}

TEST(names_every_format)
{
    struct buf words = {0};
    size_t n = 0;

    while (table_formats[n] != NULL)
        n++;
    assert_int_equal(n, 8);
    for (size_t i = 0; i < n; i++)
        buf_addf(&words, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", table_formats[i]);
    assert_string_equal(buf_cstr(&words), TABLE_FORMATS_IN_WORDS);
    buf_clear(&words);
}

/* --- a plain table --- */

static const char plain_columns[] = "name <6; n int; x real.2 = X of it; yes boolean; note";

static void plain_rows(void)
{
    begin(plain_columns);
    table_add_text(&table, SPAN("日本語の"));
    table_add_int(&table, -7);
    table_add_real(&table, 1.005);
    table_add_text(&table, SPAN("1"));
    table_add_text(&table, SPAN("a, \"b\""));
    table_add_text(&table, SPAN("é"));
    table_add_int(&table, INT64_MIN);
    table_add_real(&table, NAN);
    table_add_text(&table, SPAN("0"));
    table_add_absent(&table);
}

TEST(prints_plain_tables)
{
    plain_rows();
    assert_int_equal(table_rows(&table), 2);
    assert_string_equal(print_as(TABLE_AS_TEXT), "name                       n     x  yes  note\n"
                                                 "日本…                     -7  1.00  yes  a, \"b\"\n"
                                                 "é       -9223372036854775808        no\n");
    assert_string_equal(print_as(TABLE_AS_CSV), "name,n,x,yes,note\n"
                                                "日本語の,-7,1.00,1,\"a, \"\"b\"\"\"\n"
                                                "é,-9223372036854775808,,0,\n");
    assert_string_equal(print_as(TABLE_AS_JSON), "[{\"name\":\"日本語の\",\"n\":-7,\"x\":1.00,\"yes\":true,"
                                                 "\"note\":\"a, \\\"b\\\"\"},\n"
                                                 " {\"name\":\"é\",\"n\":-9223372036854775808,\"x\":null,\"yes\":false,"
                                                 "\"note\":null}]\n");
    assert_string_equal(print_as(TABLE_AS_NDJSON),
                        "{\"name\":\"日本語の\",\"n\":-7,\"x\":1.00,\"yes\":true,"
                        "\"note\":\"a, \\\"b\\\"\"}\n"
                        "{\"name\":\"é\",\"n\":-9223372036854775808,\"x\":null,\"yes\":false,"
                        "\"note\":null}\n");
    assert_string_equal(print_as(TABLE_AS_MARKDOWN), "### Some title\n"
                                                     "\n"
                                                     "| name | n | X of it | yes | note |\n"
                                                     "|---|---:|---:|---|---|\n"
                                                     "| 日本語の | -7 | 1.00 | yes | a, \"b\" |\n"
                                                     "| é | -9223372036854775808 |  | no |  |\n");
    assert_non_null(strstr(print_as(TABLE_AS_LATEX),
                           "  \\caption{Some title}\n"
                           "  \\label{tab:some-id}\n"
                           "  \\small\n"
                           "  \\begin{tabular}{@{}lrrll@{}}\n"
                           "    \\toprule\n"
                           "    name & n & X of it & yes & note \\\\\n"
                           "    \\midrule\n"
                           "    日本語の & -7 & 1.00 & yes & a, \\textquotedbl{}b\\textquotedbl{} \\\\\n"));
    assert_non_null(strstr(print_as(TABLE_AS_HTML),
                           "<tr><th scope=\"row\">é</th><td class=\"n\">-9223372036854775808</td>"
                           "<td class=\"n\">–</td><td>no</td><td>–</td></tr>\n"));
}

TEST(prints_empty_tables)
{
    begin("name <6; n int");
    assert_string_equal(print_as(TABLE_AS_TEXT), "name  n\n");
    assert_string_equal(print_as(TABLE_AS_CSV), "name,n\n");
    assert_string_equal(print_as(TABLE_AS_JSON), "[]\n");
    assert_string_equal(print_as(TABLE_AS_NDJSON), "");
    assert_string_equal(print_list_as(TABLE_AS_JSON), "[]\n");
    assert_string_equal(print_list_as(TABLE_AS_TEXT), "");
    FILE *out = tmpfile();
    assert_int_equal(table_end(&table, ST_OK, &(struct table_output){.file = out}), ST_NO);
    assert_int_equal(ftell(out), 8);
    begin("name <6; n int");
    assert_int_equal(table_end(&table, ST_INPUT, &(struct table_output){.file = out}), ST_INPUT);
    assert_int_equal(ftell(out), 8);
    fclose(out);
}

static const char *failure(size_t rows, enum table_format format)
{
    static struct err e;
    FILE *full = fopen("/dev/full", "we");

    e = (struct err){0};
    begin("name <6; n int");
    for (size_t i = 0; i < rows; i++) {
        table_add_text(&table, SPAN("a text"));
        table_add_int(&table, 1);
    }
    table_print(&table, &(struct table_output){.format = format, .file = full});
    enum status status = stream_check(full, "x", &e);
    assert_int_equal(status, ST_IO);
    assert_int_equal(stream_check(stderr, "y", &e), ST_OK); /* another stream has not failed */
    fclose(full);
    return e.text;
}

TEST(says_why_a_table_could_not_be_written)
{
    for (size_t rows = 1; rows <= 100000; rows *= 100000)
        for (enum table_format format = TABLE_AS_TEXT; format <= TABLE_AS_XLSX; format++)
            assert_string_equal(failure(rows, format), "x: No space left on device");
}

/* Sizes in an archive have 32 bits. */
TEST(refuses_a_workbook_that_is_too_large)
{
    for (size_t room = 0; room < 2; room++) {
        struct table_printer p = {.renderer = &render_xlsx,
                                  .xlsx.zip.written = UINT32_MAX - UINT16_MAX - (room > 0 ? 4096 : 0)};
        p.renderer->begin(&p);
        assert_int_equal(p.error, room > 0 ? 0 : EFBIG);
        buf_clear(&p.text);
        xlsx_clear(&p.xlsx);
    }
}

/* --- a report --- */

static void one_nasty_table(const char *text)
{
    table_list_clear(&list);
    struct table *t = table_list_add(&list, "id", text);
    table_column_add(t, "a&b", NULL, TABLE_TEXT);
    table_column_add(t, "share", NULL, TABLE_SHARE);
    table_column_add(t, "p", NULL, TABLE_P);
    table_column_add(t, "none", NULL, TABLE_REAL);
    table_add_text(t, span_of(text));
    table_add_real(t, 0.1);
    table_add_real(t, 1e-300);
    table_add_absent(t);
    table_add_text(t, (struct span){0});
    table_add_real(t, NAN);
    table_add_real(t, 1);
    table_add_absent(t);
}

TEST(escapes)
{
    one_nasty_table("<b> \"x\", 'y' & 50%_|\\$#{}~^*`[] -- a@b");
    assert_non_null(
        strstr(print_list_as(TABLE_AS_HTML), "&lt;b&gt; &quot;x&quot;, &#39;y&#39; &amp; 50%_|\\$#{}~^*`[] -- a@b"));
    assert_null(strstr(printed, "<b>"));
    assert_non_null(strstr(print_list_as(TABLE_AS_LATEX),
                           "\\textless{}b\\textgreater{} \\textquotedbl{}x\\textquotedbl{}, 'y' "
                           "\\& 50\\%\\_\\textbar{}\\textbackslash{}\\$\\#\\{\\}"
                           "\\textasciitilde{}\\textasciicircum{}{*}\\textasciigrave{}{[}] -{}- a@b"));
    assert_non_null(strstr(print_list_as(TABLE_AS_MARKDOWN),
                           "| &lt;b\\> \"x\", 'y' &amp; 50%\\_\\|\\\\\\$\\#{}\\~\\^\\*\\`\\[\\] -- "
                           "a\\@b |"));
    assert_non_null(
        strstr(print_list_as(TABLE_AS_CSV), "\"<b> \"\"x\"\", 'y' & 50%_|\\$#{}~^*`[] -- a@b\",0.1,1e-300,\n,,1,\n"));
    assert_non_null(strstr(print_list_as(TABLE_AS_NDJSON), "\"share\":0.1,\"p\":1e-300,\"none\":null}\n"
                                                           "{\"table\":\"id\",\"a&b\":null,\"share\":null,\"p\":1,"
                                                           "\"none\":null}\n"));
}

/* A text with each kind of what a terminal takes for a command. */
static const char hostile[] = "a\nb\033[31mc\xc2\x9b"
                              "d\xe2\x80\xae\xe2\x80\xac"
                              "e\xff";

TEST(prints_no_commands)
{
    one_nasty_table(hostile);
    table_note(list.tables[0], "Of %s.", hostile);
    list.tables[0]->id = hostile;
    table_column_add(list.tables[0], hostile, hostile, TABLE_TEXT);
    list.tables[0]->n_cells = 0;
    for (int i = 0; i < 5; i++)
        if (i == 0 || i == 4)
            table_add_text(list.tables[0], SPAN(hostile));
        else
            table_add_absent(list.tables[0]);
    for (size_t i = 0; table_formats[i] != NULL; i++) {
        print_list_as((enum table_format)i);
        if (i == TABLE_AS_CSV || i == TABLE_AS_XLSX)
            continue;
        for (const char *p = printed; *p != '\0'; p++)
            assert_true((unsigned char)*p >= 0x20 || *p == '\n');
        assert_int_equal(utf8_valid_prefix(span_of(printed)), strlen(printed));
        assert_null(strstr(printed, "\xc2\x9b"));
        assert_null(strstr(printed, "\xe2\x80\xae\xe2\x80\xac"));
        assert_null(strstr(printed, "a\n"));
    }
    /* Data stays data: a reader of CSV gets back what was there, as far as CSV can have it. */
    assert_non_null(strstr(print_list_as(TABLE_AS_CSV), "\n\"a\nb\033[31mc\xc2\x9b"
                                                        "d\xe2\x80\xae\xe2\x80\xac"
                                                        "e\xef\xbf\xbd\","));
    begin("name <6");
    table_add_text(&table, (struct span){"a\0b\xff", 4});
    assert_string_equal(print_as(TABLE_AS_CSV), "name\na\xef\xbf\xbd"
                                                "b\xef\xbf\xbd\n");
}

TEST(prints_full_numbers)
{
    struct table *t = table_list_add(&list, "id", "numbers");
    table_column_add(t, "x", NULL, TABLE_REAL);
    table_add_real(t, 1.0 / 3);
    table_add_real(t, 0.1 + 0.2);
    table_add_real(t, 1e22);
    assert_string_equal(print_list_as(TABLE_AS_CSV), "x\n0.3333333333333333\n0.30000000000000004\n1e+22\n");
}

TEST(prints_no_negative_nothing)
{
    struct table *t = table_list_add(&list, "id", "numbers");
    table_column_add(t, "x", NULL, TABLE_REAL);
    table_add_real(t, -0.0);
    table_add_real(t, -0.00004);
    table_add_real(t, -0.00006);
    assert_string_equal(print_list_as(TABLE_AS_CSV), "x\n0\n-4e-05\n-6e-05\n");
    assert_non_null(strstr(print_list_as(TABLE_AS_JSON), "{\"x\":0}"));
    assert_non_null(strstr(print_list_as(TABLE_AS_TEXT), " 0.0000\n 0.0000\n-0.0001\n"));
}

/* What the numbers do not count is said by titles, or by a column where there are none. */
TEST(says_what_is_not_counted)
{
    struct table *t = table_list_add(&list, "id", "Numbers");
    table_column_add(t, "x", NULL, TABLE_INT);
    table_add_int(t, 1);
    table_add_int(t, 2);
    table_caveat(t, SPAN(""));
    assert_string_equal(print_list_as(TABLE_AS_CSV), "x\n1\n2\n");
    table_caveat(t, SPAN("1 of 2"));
    assert_string_equal(print_list_as(TABLE_AS_CSV), "x,not_counted\n1,1 of 2\n2,1 of 2\n");
    assert_string_equal(print_list_as(TABLE_AS_NDJSON), "{\"table\":\"id\",\"x\":1,\"not_counted\":\"1 of 2\"}\n"
                                                        "{\"table\":\"id\",\"x\":2,\"not_counted\":\"1 of 2\"}\n");
    assert_string_equal(print_list_as(TABLE_AS_TEXT), "Numbers. 1 of 2 (id)\n\nx\n1\n2\n");
    assert_non_null(strstr(print_list_as(TABLE_AS_JSON), "\"title\":\"Numbers. 1 of 2\""));
    assert_null(strstr(print_list_as(TABLE_AS_JSON), "not_counted"));
}

TEST(prints_reports)
{
    one_nasty_table("t");
    assert_string_equal(print_list_as(TABLE_AS_TEXT), "t (id)\n\n"
                                                      "a&b  share        p\n"
                                                      "t    10.0%  <0.0001\n"
                                                      "-        -   1.0000\n"); /* without "none" */
    struct table *t = table_list_add(&list, "b", "Second");
    table_column_add(t, "n", "How many", TABLE_INT);
    table_add_int(t, 3);
    table_note(t, "A note of %d words.", 5);
    table_note(t, "And more.");
    assert_non_null(strstr(print_list_as(TABLE_AS_TEXT), "1.0000\n\nSecond (b)\n\nHow many\n       3\n\n"
                                                         "A note of 5 words. And more.\n"));
    assert_non_null(
        strstr(print_list_as(TABLE_AS_CSV), "table,a&b,share,p,none\nid,t,0.1,1e-300,\nid,,,1,\n\ntable,n\nb,3\n"));
    assert_non_null(strstr(print_list_as(TABLE_AS_JSON),
                           ",\n{\"id\":\"b\",\"title\":\"Second\",\"note\":\"A note of 5 words. And "
                           "more.\",\n \"columns\":[{\"name\":\"n\",\"kind\":\"int\"}],\n"
                           " \"rows\":[\n  {\"n\":3}]}]\n"));
    assert_non_null(strstr(print_list_as(TABLE_AS_HTML), "<li><a href=\"#b\">Second</a></li>"));
}

TEST(makes_workbooks)
{
    char long_text[40001];
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    for (int i = 0; i < 3; i++) {
        struct table *t = table_list_add(&list, i == 2 ? "History" : "an id/of [more] than 31 characters", "T & T");
        table_column_add(t, "a", NULL, TABLE_TEXT);
        table_column_add(t, "b", NULL, TABLE_INT);
        table_add_text(t, span_of(i == 0 ? "=1+1\r_x000D_\001<" : i == 1 ? "\xff\xf0\x9f\x98\x80" : long_text));
        table_add_int(t, i == 0 ? INT64_MIN : -7);
    }
    log_set_level(LOG_QUIET);
    table_list_print(&list, &(struct table_output){.format = TABLE_AS_XLSX, .file = out});
    log_set_level(LOG_NORMAL);
    fclose(out);
    static const char *const wanted[] = {
        "<sheet name=\"an-id-of--more--than-31-charact\" sheetId=\"1\"",
        "<sheet name=\"an-id-of--more--than-31-chara-2\" sheetId=\"2\"",
        "<sheet name=\"History-2\" sheetId=\"3\"",
        ">'=1+1_x000D__x005F_x000D__x0001_&lt;</t>",
        "<c r=\"B2\" s=\"2\" t=\"inlineStr\"><is><t xml:space=\"preserve\">-9223372036854775808</t>",
        ">\xef\xbf\xbd\xf0\x9f\x98\x80</t>",
        "<c r=\"B2\" s=\"0\"><v>-7</v></c>",
        "<row r=\"4\"><c r=\"A4\" s=\"2\" t=\"inlineStr\"><is><t xml:space=\"preserve\">T &amp; T</t>",
    };
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
        if (memmem(bytes, size, wanted[i], strlen(wanted[i])) == NULL)
            fail_msg("the workbook does not have: %s", wanted[i]);
    assert_null(memmem(bytes, size, long_text, 32768)); /* a cell has 32767 */
    assert_non_null(memmem(bytes, size, long_text, 32766));
    mem_free(bytes);
}

/* --- while it is filled --- */

TEST(streams)
{
    struct table_stream s;
    struct err e;
    char *streamed;
    size_t size;

    for (size_t format = 0; table_formats[format] != NULL; format++) {
        FILE *out = open_memstream(&streamed, &size);
        struct table_output output = {.format = (enum table_format)format, .file = out};
        struct table rows;
        table_init(&rows, "some-id", "Some title", "name <6; n int");
        begin("name <6; n int");
        table_stream_begin(&s, &rows, &output);
        for (int i = 0; i < 20000; i++) {
            char name[32];
            snprintf(name, sizeof name, "row %d", i);
            table_add_text(&rows, span_of(name));
            table_add_int(&rows, i);
            table_add_text(&table, span_of(name));
            table_add_int(&table, i);
            if (i % 3 == 0)
                assert_int_equal(table_stream_rows(&s, "out", &e), ST_OK);
        }
        bool keeps = format != TABLE_AS_CSV && format != TABLE_AS_JSON && format != TABLE_AS_NDJSON &&
                     format != TABLE_AS_XLSX;
        assert_int_equal(table_rows(&rows), keeps ? 20000 : 1);
        assert_int_equal(table_stream_end(&s, ST_OK, "out", &e), ST_OK);
        fclose(out);
        assert_string_equal(streamed, print_as((enum table_format)format));
        mem_free(streamed);
        table_clear(&rows);
    }
}

TEST(says_that_a_disk_is_full)
{
    struct table_stream s;
    struct err e = {0};
    FILE *full = fopen("/dev/full", "w");

    if (full == NULL)
        skip();
    begin("name <6");
    table_stream_begin(&s, &table, &(struct table_output){.format = TABLE_AS_CSV, .file = full});
    enum status status = ST_OK;
    for (int i = 0; i < 100000 && status == ST_OK; i++) {
        table_add_text(&table, SPAN("a text that fills the disk"));
        status = table_stream_rows(&s, "the file", &e);
    }
    assert_int_equal(status, ST_IO);
    assert_int_equal(table_stream_end(&s, status, "the file", &e), ST_IO);
    assert_string_equal(e.text, "the file: No space left on device");
    fclose(full);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, clear);
}
