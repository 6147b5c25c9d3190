/* command: reads a command line by the tables of the commands. */
#include "cli/command.h"

#include "base/sandbox.h"

#include <inttypes.h>
#include <strings.h>
#include <unistd.h>

const char facet_options_mark[] = "facet options";

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < n_commands; i++)
        if (strcmp(name, commands[i].command->name) == 0)
            return commands[i].command;
    return NULL;
}

/* --- reading options --- */

struct reader {
    struct invocation *in;
    int argc, at;
    char **argv;
    struct err *e;
};

enum status usage_error(const struct invocation *in, struct err *e, const char *fmt, ...)
{
    AT_END(buf_clear) struct buf words = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&words, fmt, args);
    va_end(args);
    if (in->command == NULL)
        return err_set(e, ST_USAGE, "%s", buf_cstr(&words));
    return err_set(e, ST_USAGE, "%s: %s", in->command->name, buf_cstr(&words));
}

enum status refuse_first(struct err *e, const struct refusal *refusals)
{
    while (refusals->words != NULL && !refusals->is)
        refusals++;
    return refusals->words != NULL ? err_set(e, ST_USAGE, "%s", refusals->words) : ST_OK;
}

static const struct option_spec *find_in(const struct option_spec *table, struct span name, char short_name)
{
    for (; table != NULL && table->name != NULL; table++)
        if (short_name != '\0' ? table->short_name == short_name : span_eq(span_of(table->name), name))
            return table;
    return NULL;
}

static const struct option_spec *find_option(const struct invocation *in, struct span name, char short_name)
{
    const struct option_spec *spec = NULL;

    if (in->command != NULL)
        spec = find_in(in->command->options, name, short_name);
    return spec != NULL ? spec : find_in(global_options, name, short_name);
}

static enum status unknown_option(const struct invocation *in, struct span name, struct err *e)
{
    const char *names[OPTIONS_MAX];
    size_t n = 0;
    const struct option_spec *own = in->options;

    if (own == NULL && in->command != NULL)
        own = in->command->options;

    for (; own != NULL && own->name != NULL && n < OPTIONS_MAX; own++)
        names[n++] = own->name;
    for (own = global_options; own->name != NULL && n < OPTIONS_MAX; own++)
        names[n++] = own->name;
    const char *near = span_nearest(name, names, n);
    if (near == NULL)
        return usage_error(in, e, "unknown option --%.*s", SPAN_ARG(name));
    return usage_error(in, e, "unknown option --%.*s (did you mean --%s?)", SPAN_ARG(name), near);
}

/* The field that an option sets; NULL for that of a facet, which has none. */
static void *field_of(const struct invocation *in, const struct option_spec *spec)
{
    return spec->kind != OPTION_OF_FACET ? (char *)&in->values + spec->at : NULL;
}

/* Numbers are as their rows say until they are read, which is when the line is complete. */
static void set_numbers(struct invocation *in)
{
    const struct option_spec *spec = in->command != NULL ? in->command->options : NULL;

    for (; spec != NULL && spec->name != NULL; spec++)
        if (spec->kind == OPTION_NUMBER)
            *(uint64_t *)field_of(in, spec) = spec->range.otherwise;
}

enum status option_give(struct invocation *in, const struct option_spec *spec, const char *value, struct err *e)
{
    if (in->n_given == GIVEN_MAX)
        return err_set(e, ST_USAGE, "more than %d options", GIVEN_MAX);
    void *field = field_of(in, spec);
    struct option_texts *texts = field;

    if (spec->kind == OPTION_FLAG) {
        *(bool *)field = true;
    } else if (spec->kind == OPTION_TEXT) {
        *(const char **)field = value;
    } else if (spec->kind == OPTION_TEXTS) {
        if (texts->n == 0)
            texts->at = arena_alloc(&in->arena, (GIVEN_MAX + 1) * sizeof *texts->at);
        texts->at[texts->n++] = value;
        texts->at[texts->n] = NULL;
    }
    bool repeats = span_ends(span_of(spec->argument), SPAN("…"));
    for (size_t i = 0; i < in->n_given && !repeats; i++)
        if (in->given[i].spec == spec) {
            in->given[i].value = value;
            return ST_OK;
        }
    in->given[in->n_given].spec = spec;
    in->given[in->n_given++].value = value;
    return ST_OK;
}

static const char lacks_value[] = "--%s needs a value: --%s %s";

static enum status give_next(struct reader *r, const struct option_spec *spec)
{
    if (++r->at >= r->argc)
        return usage_error(r->in, r->e, lacks_value, spec->name, spec->name, spec->argument);
    return option_give(r->in, spec, r->argv[r->at], r->e);
}

/* It may be of a facet; those all take a value. */
static enum status read_later(struct reader *r, const char *text, const char *value, bool is_short)
{
    struct invocation *in = r->in;

    if (in->n_late == GIVEN_MAX)
        return err_set(r->e, ST_USAGE, "more than %d options", GIVEN_MAX);
    if (value == NULL)
        value = ++r->at < r->argc ? r->argv[r->at] : NULL;
    in->late[in->n_late].text = text;
    in->late[in->n_late].value = value;
    in->late[in->n_late++].is_short = is_short;
    return ST_OK;
}

static enum status read_long(struct reader *r, const char *text)
{
    const char *equals = strchr(text, '=');
    struct span name = {text, equals != NULL ? (size_t)(equals - text) : strlen(text)};
    const struct option_spec *spec = find_option(r->in, name, '\0');

    if (spec == NULL && r->in->command != NULL && r->in->command->facet_option != NULL)
        return read_later(r, text, equals != NULL ? equals + 1 : NULL, false);
    if (spec == NULL)
        return unknown_option(r->in, name, r->e);
    if (equals != NULL && spec->argument == NULL)
        return usage_error(r->in, r->e, "--%s takes no value", spec->name);
    if (spec->argument == NULL)
        return option_give(r->in, spec, NULL, r->e);
    return equals != NULL ? option_give(r->in, spec, equals + 1, r->e) : give_next(r, spec);
}

/* "-q", "-qv", "-d FILE", "-dFILE" */
static enum status read_short(struct reader *r, const char *letters)
{
    enum status status = ST_OK;

    for (; status == ST_OK && *letters != '\0'; letters++) {
        const struct option_spec *spec = find_option(r->in, SPAN(""), *letters);
        if (spec == NULL && r->in->command != NULL && r->in->command->facet_option != NULL)
            return read_later(r, letters, letters[1] != '\0' ? letters + 1 : NULL, true);
        if (spec == NULL)
            return usage_error(r->in, r->e, "unknown option -%c", *letters);
        if (spec->argument != NULL)
            return letters[1] != '\0' ? option_give(r->in, spec, letters + 1, r->e) : give_next(r, spec);
        status = option_give(r->in, spec, NULL, r->e);
    }
    return status;
}

/* --- reading operands --- */

/* Begins a word of the command's name with this one? "codes" does with "code" too. */
static bool has_word(const char *command, struct span word)
{
    struct span rest = span_of(command), own;

    word.len -= word.len > 3 && word.ptr[word.len - 1] == 's';
    while (span_cut(&rest, ' ', &own))
        if (word.len >= 3 && span_starts(own, word))
            return true;
    return false;
}

/* The first command that has all words of `typed`, which '-' parts: "add-code" is in "codebook add". */
static const char *same_words(const char *typed)
{
    for (size_t i = 0; i < n_commands; i++) {
        const char *name = commands[i].command->name;
        struct span rest = span_of(typed), word;
        bool all = true;
        while (all && span_cut(&rest, '-', &word))
            all = has_word(name, word);
        if (all)
            return name;
    }
    return NULL;
}

static bool is_of_group(const char *command, const char *group)
{
    size_t len = strlen(group);

    return strncmp(command, group, len) == 0 && command[len] == ' ';
}

/* `second`: the word after a group's name; NULL where the first word was unknown already. */
static const char *nearest_command(const char *first, const char *second)
{
    const char *names[128], *typed = second != NULL ? second : first, *near = NULL;
    size_t n = 0, skipped = second != NULL ? strlen(first) + 1 : 0;

    for (size_t i = 0; i < n_commands && n < ARRAY_LEN(names); i++) {
        const char *name = commands[i].command->name;
        if (second != NULL && !is_of_group(name, first))
            continue;
        names[n++] = name + skipped;
        if (near == NULL && span_starts(span_of(name + skipped), span_of(typed)))
            near = name + skipped;
    }
    const char *same = near == NULL ? same_words(typed) : NULL;
    if (same != NULL)
        return same;
    if (near == NULL)
        near = span_nearest(span_of(typed), names, n);
    return near != NULL ? near - skipped : NULL;
}

static enum status MUST_USE unknown_command(struct reader *r, const char *name)
{
    AT_END(buf_clear) struct buf list = {0};
    /* The second words of the commands that begin with `name`. */
    for (size_t i = 0; i < n_commands; i++) {
        const char *full = commands[i].command->name;
        if (is_of_group(full, name))
            buf_addf(&list, "%s%s", list.len > 0 ? ", " : "", full + strlen(name) + 1);
    }
    bool is_group = list.len > 0;
    const char *second = is_group && r->at + 1 < r->argc ? r->argv[r->at + 1] : NULL;
    if (second != NULL && second[0] == '-')
        second = NULL;
    const char *near = is_group && second == NULL ? NULL : nearest_command(name, second);

    if (near != NULL)
        return err_set(r->e, ST_USAGE, "unknown command '%s%s%s' (did you mean '%s'?)", name, second != NULL ? " " : "",
                       option_or(second, ""), near);
    if (is_group)
        return err_set(r->e, ST_USAGE, "%s: expected one of: %s", name, buf_cstr(&list));
    return err_set(r->e, ST_USAGE, "unknown command '%s'", name);
}

static enum status read_word(struct reader *r, bool options_ended)
{
    char *word = r->argv[r->at];

    if (!options_ended && word[0] == '-' && word[1] == '-')
        return read_long(r, word + 2);
    if (!options_ended && word[0] == '-' && word[1] != '\0')
        return read_short(r, word + 1);
    if (r->in->command == NULL) {
        /* The command named by the word at r->at, and the next one where both name it. */
        struct invocation *in = r->in;
        AT_END(mem_end) char *two = mem_addf("%s %s", word, r->at + 1 < r->argc ? r->argv[r->at + 1] : "");

        in->command = command_find(two);
        r->at += in->command != NULL;
        if (in->command == NULL)
            in->command = command_find(word);
        set_numbers(in);
        return in->command != NULL ? ST_OK : unknown_command(r, word);
    }
    r->in->operands[r->in->n_operands++] = word; /* never ahead of r->at */
    return ST_OK;
}

void operands_needed(const char *usage, size_t *min, size_t *max)
{
    bool may_be_missing = false;

    *min = *max = 0;
    for (const char *word = usage; *word != '\0'; word += strcspn(word, " "), word += strspn(word, " ")) {
        may_be_missing |= *word == '[';
        *min += !may_be_missing;
        ++*max;
        may_be_missing &= memchr(word, ']', strcspn(word, " ")) == NULL;
    }
    if (strstr(usage, "…") != NULL)
        *max = SIZE_MAX;
}

/* Of the complete line: are there too few or too many operands, and what are the numbers? */
static enum status end_line(struct invocation *in, struct err *e)
{
    const struct command *c = in->command;
    size_t min, max;

    operands_needed(c->operands != NULL ? c->operands : "", &min, &max);
    min = c->min_operands != 0 ? c->min_operands : min;
    max = c->max_operands != 0 ? c->max_operands : max;
    if (in->n_operands < min)
        return usage_error(in, e, "%s is missing", c->operands);
    if (in->n_operands > max)
        return usage_error(in, e, "unexpected argument '%s'", in->operands[max]);
    for (size_t i = 0; i < in->n_given; i++) {
        const struct option_spec *spec = in->given[i].spec;
        const struct option_range *range = &spec->range;
        const char *text = in->given[i].value;
        uint64_t number;
        if (spec->kind != OPTION_NUMBER)
            continue;
        if (!span_u64(span_of(text), range->max, &number) || number < range->min)
            return usage_error(in, e, "--%s '%s' is not a number from %" PRIu64 " to %" PRIu64, spec->name, text,
                               range->min, range->max);
        *(uint64_t *)field_of(in, spec) = number;
    }
    return ST_OK;
}

enum status invocation_read(struct invocation *in, int argc, char **argv, struct err *e)
{
    struct reader r = {.in = in, .argc = argc, .argv = argv, .at = 1, .e = e};
    bool options_ended = false;

    *in = (struct invocation){.operands = argv + (argc > 0 ? 1 : 0), .command = program.only};
    set_numbers(in);
    for (; r.at < argc; r.at++) {
        if (!options_ended && strcmp(argv[r.at], "--") == 0) {
            options_ended = true;
            in->n_before_dashes = in->n_operands;
            continue;
        }
        enum status status = read_word(&r, options_ended);
        if (status != ST_OK)
            return status;
    }
    if (!options_ended)
        in->n_before_dashes = in->n_operands;
    if (in->command == NULL || in->values.help || in->n_late > 0)
        return ST_OK;
    return end_line(in, e);
}

/* --- asking for what was read --- */

const char *option_or(const char *given, const char *otherwise)
{
    return given != NULL ? given : otherwise;
}

const char *option_setting(const struct invocation *in, const void *field)
{
    return option_first(in, &field, 1);
}

const char *option_first(const struct invocation *in, const void *const *fields, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < in->n_given; k++)
            if (field_of(in, in->given[k].spec) == fields[i])
                return in->given[k].spec->name;
    return NULL;
}

size_t option_of_facet(const struct invocation *in, const struct facet *facet, const char *values[GIVEN_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < in->n_given; i++)
        if (strcmp(in->given[i].spec->name, facet->option.ptr) == 0)
            values[n++] = in->given[i].value;
    return n;
}

enum status option_percent(const struct invocation *in, const char *const *field, double least, double most,
                           double *share, struct err *e)
{
    const char *text = *field;
    char *end;

    if (text == NULL)
        return ST_OK;
    double value = strtod(text, &end);
    /* strtod takes blanks, "inf" and hexadecimal numbers too */
    if (end == text || strspn(text, "0123456789.") != (size_t)(end - text) || (*end != '\0' && strcmp(end, "%") != 0) ||
        !(value >= least && value <= most))
        return usage_error(in, e, "--%s '%s' is not a percentage from %g to %g", option_setting(in, field), text, least,
                           most);
    *share = value / 100;
    return ST_OK;
}

/* Equal but for '-' and ' '? Options say "root-cause", tables and files "root cause": both are understood. */
static bool is_same_choice(const char *choice, const char *text)
{
    for (; *choice != '\0' && *text != '\0'; choice++, text++)
        if (*choice != *text && !(strchr(" -", *choice) && strchr(" -", *text)))
            return false;
    return *choice == *text;
}

enum status option_choose(const struct invocation *in, const char *name, const char *text, const char *const *choices,
                          size_t *index, struct err *e)
{
    AT_END(buf_clear) struct buf list = {0};

    for (size_t i = 0; choices[i] != NULL; i++) {
        if (is_same_choice(choices[i], text)) {
            *index = i;
            return ST_OK;
        }
        buf_addf(&list, "%s%s", i > 0 ? ", " : "", choices[i]);
    }
    return usage_error(in, e, "--%s '%s' is not one of: %s", name, text, buf_cstr(&list));
}

enum status option_choice(const struct invocation *in, const char *const *field, const char *const *choices,
                          size_t *index, struct err *e)
{
    return *field == NULL ? ST_OK : option_choose(in, option_setting(in, field), *field, choices, index, e);
}

enum status option_json(const struct invocation *in, bool *as_json, struct err *e)
{
    static const char *const formats[] = {"text", "json", NULL};
    size_t format = 0;
    enum status status = option_choice(in, &in->values.format, formats, &format, e);

    *as_json = format == 1;
    return status;
}

enum table_format format_of_name(const char *path)
{
    static const struct {
        const char *ending;
        enum table_format format;
    } others[] = {{"jsonl", TABLE_AS_NDJSON}, {"md", TABLE_AS_MARKDOWN}, {"tex", TABLE_AS_LATEX}};
    const char *end = path != NULL ? strrchr(path, '.') : NULL;

    for (size_t i = 0; end != NULL && table_formats[i] != NULL; i++)
        if (strcasecmp(end + 1, table_formats[i]) == 0)
            return (enum table_format)i;
    for (size_t i = 0; end != NULL && i < ARRAY_LEN(others); i++)
        if (strcasecmp(end + 1, others[i].ending) == 0)
            return others[i].format;
    return TABLE_AS_CSV;
}

enum status output_of(const struct invocation *in, size_t format, struct table_output *out, struct err *e)
{
    *out = (struct table_output){(enum table_format)format, stdout, in->values.raw, in->values.bom};
    if (out->raw && format != TABLE_AS_CSV && format != TABLE_AS_XLSX)
        return usage_error(in, e, "--raw needs --format csv or xlsx");
    if (out->bom && format != TABLE_AS_CSV)
        return usage_error(in, e, "--bom needs --format csv");
    if (format == TABLE_AS_XLSX && in->values.output == NULL && isatty(STDOUT_FILENO) == 1)
        return usage_error(in, e, "a workbook is not for a terminal: write it to a file, with > FILE.xlsx");
    return ST_OK;
}

enum status output_option(const struct invocation *in, enum table_format otherwise, struct table_output *out,
                          struct err *e)
{
    size_t format = otherwise;
    enum status status = option_choice(in, &in->values.format, table_formats, &format, e);

    return status == ST_OK ? output_of(in, format, out, e) : status;
}

const char output_help[] = "print " TABLE_FORMATS_IN_WORDS;

enum status output_read(struct invocation *in, struct err *e)
{
    for (const struct option_spec *o = in->command->options; o != NULL && o->name != NULL; o++)
        if (o->help == output_help)
            return output_option(in, TABLE_AS_TEXT, &in->out, e);
    return ST_OK;
}

uint64_t output_limit(const struct invocation *in)
{
    return in->out.format == TABLE_AS_TEXT || option_setting(in, &in->values.limit) != NULL ? in->values.limit : 0;
}

void invocation_confine(const char *const *files, size_t n, bool programs)
{
    enum { FILES_MAX = 4 };
    char *folders[FILES_MAX] = {NULL};
    size_t n_folders = 0;

    for (size_t i = 0; i < n && n_folders < FILES_MAX; i++) {
        /* The folder of a file, also of one that is still to be made. */
        AT_END(mem_end) char *typed = mem_text(span_of(files[i]));
        char *real = realpath(files[i], NULL), *path = real != NULL ? real : typed, *slash = strrchr(path, '/');
        if (slash != NULL)
            slash[slash == path] = '\0'; /* "/a" is in "/" */
        char *folder = real != NULL ? real : realpath(slash != NULL ? typed : ".", NULL);
        if (folder != NULL)
            folders[n_folders++] = folder;
    }
    sandbox_enter((const char *const *)folders, n_folders, programs ? SANDBOX_STARTS_PROGRAMS : SANDBOX_READER);
    while (n_folders > 0)
        mem_free(folders[--n_folders]);
}

/* --- the facets of the study --- */

const struct option_spec *invocation_options(struct invocation *in)
{
    const struct command *c = in->command;
    size_t n = 0, k = 0;

    if (c == NULL || c->options == NULL || c->facet_option == NULL)
        return c != NULL ? c->options : NULL;
    if (in->options != NULL)
        return in->options;
    const struct facets *f = invocation_facets(in);
    while (c->options[n].name != NULL)
        n++;
    in->options = arena_alloc(&in->arena, (n + f->n + 1) * sizeof *in->options);
    for (size_t i = 0; i <= n; i++) {
        if (c->options[i].name != facet_options_mark)
            in->options[k++] = c->options[i];
        for (size_t j = 0; j < f->n && c->options[i].name == facet_options_mark; j++) {
            in->options[k] = c->facet_option(&f->items[j], &in->arena);
            k += in->options[k].name != NULL;
        }
    }
    return in->options;
}

enum status invocation_read_late(struct invocation *in, struct err *e)
{
    enum status status = ST_OK;

    if (in->n_late == 0 || in->values.help)
        return ST_OK;
    const struct option_spec *own = invocation_options(in);
    for (size_t i = 0; i < in->n_late && status == ST_OK; i++) {
        const char *text = in->late[i].text;
        struct span name = {text, strcspn(text, "=")};
        bool is_short = in->late[i].is_short;
        const struct option_spec *spec = find_in(own, is_short ? SPAN("") : name, is_short ? text[0] : '\0');
        if (spec == NULL && is_short)
            return usage_error(in, e, "unknown option -%c", text[0]);
        if (spec == NULL)
            return unknown_option(in, name, e);
        if (in->late[i].value == NULL)
            return usage_error(in, e, lacks_value, spec->name, spec->name, spec->argument);
        status = option_give(in, spec, in->late[i].value, e);
    }
    return status == ST_OK ? end_line(in, e) : status;
}
