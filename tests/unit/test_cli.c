/* cli: how a command line is read, and the tables it is read by. */
#include "cli/command.h"

#include <setjmp.h>
#include <stdarg.h>

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

/* "[FILE…]" may be missing, and "FILE…" may not: the usage line says what is checked. */
static void operands_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_commands; i++) {
        const struct command *c = commands[i].command;
        if (c->operands == NULL)
            assert_int_equal(c->min_operands, 0);
        else if ((c->min_operands == 0) != (c->operands[0] == '['))
            fail_msg("%s: operands are %s, but at least %zu are needed", c->name, c->operands,
                     c->min_operands);
    }
}

/* A version of a program is what users of Defects4J name so; it has a value, and the global option none. */
static bool may_hide(const char *command, const struct option_spec *own, const struct option_spec *global)
{
    return strcmp(command, "bench checkout") == 0 && strcmp(own->name, "version") == 0 &&
           own->argument != NULL && global->argument == NULL;
}

static void check_beside_global(const struct command *c, const struct option_spec *own,
                                const struct option_spec *global)
{
    if (strcmp(own->name, global->name) == 0 && !may_hide(c->name, own, global))
        fail_msg("%s: --%s is a global option", c->name, own->name);
    if (own->short_name != '\0' && own->short_name == global->short_name)
        fail_msg("%s: -%c of --%s is that of the global --%s", c->name, own->short_name, own->name,
                 global->name);
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
    assert_string_equal(option_text(&in, "db", ""), "a.db");
    assert_true(option_given(&in, "quiet"));
    assert_string_equal(in.command->name, "stem");
    assert_int_equal(read_words("stem", "--db=b.db", "-da.db", NULL), ST_OK);
    assert_string_equal(option_text(&in, "db", ""), "a.db"); /* the last one counts */
    assert_int_equal(read_words("stem", "-qvt", "-a", "porter", NULL), ST_OK);
    assert_true(option_given(&in, "tokens") && option_given(&in, "verbose"));
    assert_string_equal(option_text(&in, "algorithm", ""), "porter");
    assert_int_equal(read_words("stem", "-qaporter", NULL), ST_OK);
    assert_string_equal(option_text(&in, "algorithm", ""), "porter");
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

static const struct option_spec number_option[] = {{"n", '\0', "N", "a number"}, {0}};
static const struct command counting = {.name = "count", .options = number_option};

static void reads_values(void **state)
{
    static const char *const formats[] = {"text", "json", NULL};
    uint64_t n = 7;
    size_t format = 0;

    (void)state;
    in = (struct invocation){.command = &counting};
    assert_int_equal(option_number(&in, "n", 1, 9, &n, &e), ST_OK);
    assert_int_equal(n, 7);
    in.n_given = 1;
    in.given[0].spec = number_option;
    in.given[0].value = "9";
    assert_int_equal(option_number(&in, "n", 1, 9, &n, &e), ST_OK);
    assert_int_equal(n, 9);
    assert_int_equal(option_number(&in, "n", 1, 8, &n, &e), ST_USAGE);
    assert_int_equal(option_number(&in, "n", 10, 11, &n, &e), ST_USAGE);
    assert_string_equal(e.text, "count: --n '9' is not a number from 10 to 11");
    assert_int_equal(option_choice(&in, "n", formats, &format, &e), ST_USAGE);
    assert_string_equal(e.text, "count: --n '9' is not one of: text, json");
    in.given[0].value = "json";
    assert_int_equal(option_choice(&in, "n", formats, &format, &e), ST_OK);
    assert_int_equal(format, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_grouped),
        cmocka_unit_test(operands_are_sound),
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(takes_global_options_anywhere),
        cmocka_unit_test(refuses_with_words),
        cmocka_unit_test(reads_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
