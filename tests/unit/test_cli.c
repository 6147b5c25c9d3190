/* cli: how a command line is read, and the tables it is read by. */
#include "cli/command.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static char *words[16];
static struct invocation in;
static struct err e;

/* Reads "ppmine" and the words up to NULL. */
static enum status read_words(const char *first, ...)
{
    static char memory[512];
    va_list more;
    int n = 0;
    size_t used = 0;

    va_start(more, first);
    words[n++] = memory;
    used += (size_t)snprintf(memory, sizeof memory, "ppmine") + 1;
    for (const char *word = first; word != NULL; word = va_arg(more, const char *)) {
        words[n++] = memory + used;
        used += (size_t)snprintf(memory + used, sizeof memory - used, "%s", word) + 1;
    }
    va_end(more);
    words[n] = NULL;
    return invocation_read(&in, n, words, &e);
}

static bool was_listed(const char *group, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (strcmp(commands[i].group, group) == 0)
            return true;
    return false;
}

static void commands_are_grouped(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_commands; i++) {
        const char *group = commands[i].group;
        assert_ptr_equal(command_find(commands[i].command->name), commands[i].command);
        if (i > 0 && strcmp(commands[i - 1].group, group) != 0)
            assert_false(was_listed(group, i));
    }
    assert_null(command_find("a"));
    assert_null(command_find("zzz"));
}

static void operands_are_counted(void **state)
{
    static const struct {
        const char *usage;
        size_t min, max;
    } cases[] = {{"", 0, 0},
                 {"FILE", 1, 1},
                 {"CODE NAME", 2, 2},
                 {"[POST]", 0, 1},
                 {"[MACHINE MACHINE]", 0, 2},
                 {"NAME [FROM TO] FILE", 2, 4},
                 {"FILE…", 1, SIZE_MAX},
                 {"ID [FILE…]", 1, SIZE_MAX},
                 {"[FILE…] [-- COMMAND…]", 0, SIZE_MAX}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t min, max;
        operands_needed(cases[i].usage, &min, &max);
        assert_int_equal(min, cases[i].min);
        assert_int_equal(max, cases[i].max);
    }
}

/* A version of a program is what users of Defects4J name so; it has a value, and the global option none. */
static bool may_hide(const char *command, const struct option_spec *own, const struct option_spec *global)
{
    return strcmp(command, "bench checkout") == 0 && strcmp(own->name, "version") == 0 && own->argument != NULL &&
           global->argument == NULL;
}

static void check_beside_global(const struct command *c, const struct option_spec *own,
                                const struct option_spec *global)
{
    if (strcmp(own->name, global->name) == 0 && !may_hide(c->name, own, global))
        fail_msg("%s: --%s is a global option", c->name, own->name);
    if (own->short_name != '\0' && own->short_name == global->short_name)
        fail_msg("%s: -%c of --%s is that of the global --%s", c->name, own->short_name, own->name, global->name);
}

/* Two rows of a command that set one field: one of them acts as the other, and no compiler says so. */
static void check_field(const struct command *c, const struct option_spec *own)
{
    const struct option_spec *tables[] = {own + 1, global_options};

    if (own->kind == OPTION_OF_FACET) {
        if (own->name != facet_options_mark)
            fail_msg("%s: --%s sets no field", c->name, own->name);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        for (const struct option_spec *o = tables[i]; o->name != NULL; o++)
            if (o->kind != OPTION_OF_FACET && o->at == own->at)
                fail_msg("%s: --%s and --%s set one field", c->name, own->name, o->name);
}

/* What the help says of a number's default, when it says one: "… (default: 95)". */
static void check_default(const struct command *c, const struct option_spec *own)
{
    static const char says[] = "(default: ";
    const char *at = strstr(own->help != NULL ? own->help : "", says);

    if (own->kind != OPTION_NUMBER || at == NULL || !(at[sizeof says - 1] >= '0' && at[sizeof says - 1] <= '9'))
        return;
    if (strtoull(at + sizeof says - 1, NULL, 10) != own->range.otherwise)
        fail_msg("%s: --%s is %" PRIu64 " by default, but %s", c->name, own->name, own->range.otherwise, at);
}

static void tables_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_commands; i++) {
        const struct command *c = commands[i].command;
        size_t n = 0;
        for (const struct option_spec *g = global_options; g->name != NULL; g++)
            n++;
        for (const struct option_spec *o = c->options; o != NULL && o->name != NULL; o++, n++)
            for (const struct option_spec *g = global_options; g->name != NULL; g++)
                check_beside_global(c, o, g);
        for (const struct option_spec *o = c->options; o != NULL && o->name != NULL; o++) {
            check_field(c, o);
            check_default(c, o);
        }
        if (n > OPTIONS_MAX)
            fail_msg("%s: %zu options; OPTIONS_MAX is %d", c->name, n, OPTIONS_MAX);
        if (c->run == NULL)
            fail_msg("%s: no .run", c->name);
        if (c->examples == NULL || c->examples[0].line == NULL)
            fail_msg("%s: no example", c->name);
    }
}

static void takes_global_options_anywhere(void **state)
{
    (void)state;
    assert_int_equal(read_words("-d", "a.db", "stem", "-q", NULL), ST_OK);
    assert_string_equal(in.values.db, "a.db");
    assert_true(in.values.quiet);
    assert_string_equal(in.command->name, "stem");
    assert_int_equal(read_words("stem", "--db=b.db", "-da.db", NULL), ST_OK);
    assert_string_equal(in.values.db, "a.db"); /* the last one counts */
    assert_int_equal(read_words("stem", "-qvt", "-a", "porter", NULL), ST_OK);
    assert_true(in.values.tokens && in.values.verbose);
    assert_string_equal(in.values.algorithm, "porter");
    assert_int_equal(read_words("stem", "-qaporter", NULL), ST_OK);
    assert_string_equal(in.values.algorithm, "porter");
    assert_int_equal(read_words("--version", NULL), ST_OK);
    assert_null(in.command);
}

static void refuses_with_words(void **state)
{
    (void)state;
    assert_int_equal(read_words("stem", "--token", NULL), ST_USAGE); /* no abbreviations */
    assert_non_null(strstr(e.text, "did you mean --tokens?"));
    assert_int_equal(read_words("--algorithm", "x", "stem", NULL), ST_USAGE);
    assert_int_equal(read_words("stem", "--tokens=1", NULL), ST_USAGE);
    assert_int_equal(read_words("stem", "--algorithm", NULL), ST_USAGE);
    assert_int_equal(read_words("stem", "-x", NULL), ST_USAGE);
    assert_int_equal(read_words("stem", "file", NULL), ST_USAGE);
    assert_int_equal(read_words("stem", "--", "--tokens", NULL), ST_USAGE);
    assert_int_equal(read_words("stem", "-", NULL), ST_USAGE); /* an operand */
    assert_int_equal(read_words("stme", NULL), ST_USAGE);
    assert_non_null(strstr(e.text, "did you mean 'stem'?"));
    assert_int_equal(read_words("", NULL), ST_USAGE);
    assert_int_equal(read_words("stem", "file", "--help", NULL), ST_OK);
}

static const struct option_spec own_options[] = {
    TEXT("text", text, "TEXT", "a text"),
    TEXT("format", format, "FORMAT", "a choice"),
    TEXTS("tag", tag, "TAG…", "tags", 't'),
    FLAG("all", all, "all", 'a'),
    {0},
};
static const struct command counting = {.name = "count", .options = own_options};

/* Each kind sets its field, and no other. */
static void rows_set_fields(void **state)
{
    (void)state;
    in = (struct invocation){.command = &counting};
    assert_null(option_setting(&in, &in.values.all));
    assert_int_equal(option_give(&in, &own_options[3], NULL, &e), ST_OK);
    assert_true(in.values.all && in.values.text == NULL && in.values.format == NULL && in.values.tag.n == 0);
    assert_int_equal(option_give(&in, &own_options[2], "a", &e), ST_OK);
    assert_int_equal(option_give(&in, &own_options[2], "b", &e), ST_OK);
    assert_int_equal(in.values.tag.n, 2);
    assert_string_equal(in.values.tag.at[0], "a");
    assert_string_equal(in.values.tag.at[1], "b");
    assert_null(in.values.tag.at[2]);
    assert_int_equal(option_give(&in, &own_options[1], "x", &e), ST_OK);
    assert_int_equal(option_give(&in, &own_options[1], "y", &e), ST_OK);
    assert_string_equal(in.values.format, "y");
    const void *const fields[] = {&in.values.text, &in.values.format, &in.values.tag};
    assert_string_equal(option_first(&in, fields, 3), "format");
    assert_null(option_first(&in, fields, 1));
    invocation_clear(&in);
}

/* A number is read when the line is complete; what its row says where it is not given may be out of range. */
static void reads_numbers(void **state)
{
    (void)state;
    assert_int_equal(read_words("stats", NULL), ST_OK);
    assert_int_equal(in.values.confidence_whole, 95);
    assert_int_equal(read_words("stats", "--confidence", "x", "--confidence", "50", NULL), ST_OK);
    assert_int_equal(in.values.confidence_whole, 50);
    assert_int_equal(read_words("stats", "--confidence=99", NULL), ST_OK);
    assert_int_equal(in.values.confidence_whole, 99);
    assert_int_equal(read_words("stats", "--confidence=49", NULL), ST_USAGE);
    assert_int_equal(read_words("stats", "--confidence", "100", NULL), ST_USAGE);
    assert_string_equal(e.text, "stats: --confidence '100' is not a number from 50 to 99");
    assert_int_equal(read_words("stats", "--confidence", "100", "--help", NULL), ST_OK);
    assert_int_equal(read_words("keywords", "derive", NULL), ST_OK);
    assert_int_equal(in.values.n, 0);
    assert_int_equal(read_words("keywords", "derive", "--n", "0", NULL), ST_USAGE);
    assert_int_equal(read_words("stats", "--seed", "18446744073709551615", NULL), ST_OK);
    assert_true(in.values.seed == UINT64_MAX);
    /* those of facets are read later, and numbers after them */
    assert_int_equal(read_words("bench", "run", "--jobs", "0", "--unknown", "x", NULL), ST_OK);
    assert_int_equal(in.values.jobs, 1);
}

static void reads_choices(void **state)
{
    static const char *const formats[] = {"text", "json", NULL};
    size_t format = 0;

    (void)state;
    in = (struct invocation){.command = &counting};
    assert_int_equal(option_choice(&in, &in.values.format, formats, &format, &e), ST_OK);
    assert_int_equal(format, 0);
    assert_int_equal(option_give(&in, &own_options[1], "9", &e), ST_OK);
    assert_int_equal(option_choice(&in, &in.values.format, formats, &format, &e), ST_USAGE);
    assert_string_equal(e.text, "count: --format '9' is not one of: text, json");
    assert_int_equal(option_give(&in, &own_options[1], "json", &e), ST_OK);
    assert_int_equal(option_choice(&in, &in.values.format, formats, &format, &e), ST_OK);
    assert_int_equal(format, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_grouped), cmocka_unit_test(operands_are_counted),
        cmocka_unit_test(tables_are_sound),     cmocka_unit_test(takes_global_options_anywhere),
        cmocka_unit_test(refuses_with_words),   cmocka_unit_test(rows_set_fields),
        cmocka_unit_test(reads_numbers),        cmocka_unit_test(reads_choices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
