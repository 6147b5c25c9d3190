/* Runs a user's command in two copies of a folder in turn, and compares what it says. */
#include "bench/command_pair.h"

#include "base/files.h"
#include "bench/copy.h"
#include "bench/same_text.h"
#include "bench/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <regex.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const command_verdicts[] = {"faster", "no faster", "slower", "another result", "fails", "not read", NULL};

enum {
    PRINTED_MAX = 256 << 20, /* bytes that the command may print */
    FILE_MAX = 1 << 30
};

static const uint64_t COPY_MOST = UINT64_C(2000000000);
static const double LEAST_SECONDS = 60, SLOWER_MOST = 10;

struct command_pair {
    const struct command_pair_spec *spec;
    struct scratch scratch;
    struct buf dirs[BENCH_SIDES], printed;
    regex_t *patterns;
    size_t n_compiled, n_tried;
    /* What must be the same, of a run as it is: for each pattern what matched, a line each; then each file. */
    struct buf *wanted;
    double seconds; /* of a run as it is */
    uint64_t seed;
    bool times_of_reading; /* the file system keeps them */
};

static size_t n_said(const struct command_pair *p)
{
    return p->spec->n_patterns + p->spec->n_files;
}

static struct buf *said_new(const struct command_pair *p)
{
    return mem_zero(n_said(p) + 1, sizeof(struct buf));
}

static void said_free(struct buf *said, const struct command_pair *p)
{
    for (size_t i = 0; said != NULL && i < n_said(p); i++)
        buf_clear(&said[i]);
    mem_free(said);
}

/* --- the command, in a copy --- */

/* Where the text names the folder, or something below it, the copy's name. */
static void add_moved(struct buf *out, const struct command_pair *p, enum bench_side side, struct span text)
{
    struct span folder = span_of(p->spec->folder);
    bool below = span_starts(text, folder) && (text.len == folder.len || text.ptr[folder.len] == '/');

    if (below) {
        buf_add_span(out, buf_span(&p->dirs[side]));
        text = span_after(text, folder.len);
    }
    buf_add_span(out, text);
}

struct words ARRAY_OF(const char *);

static const char *kept_word(struct arena *arena, struct buf *word)
{
    const char *kept = arena_text(arena, buf_span(word));

    buf_reset(word);
    return kept;
}

/* That of this process, without its key; what names the folder names the copy. */
static void make_variables(struct words *out, const struct command_pair *p, enum bench_side side, struct arena *arena)
{
    AT_END(buf_clear) struct buf word = {0};

    for (char **v = environ; *v != NULL; v++) {
        struct span rest = span_of(*v), name, path;
        if (!span_cut(&rest, '=', &name) || span_eq(name, SPAN("PPMINE_API_KEY")) ||
            (p->spec->sandbox && span_eq(name, SPAN("TMPDIR"))))
            continue;
        if (!span_eq(name, SPAN("PWD")) && !span_eq(name, SPAN("PYTHONPATH"))) {
            array_add(out, *v);
            continue;
        }
        buf_addf(&word, "%.*s=", (int)name.len, name.ptr);
        for (bool first = true; span_cut(&rest, ':', &path); first = false) {
            if (!first)
                buf_add_char(&word, ':');
            add_moved(&word, p, side, path);
        }
        array_add(out, kept_word(arena, &word));
    }
    if (p->spec->sandbox)
        array_add(out, arena_addf(arena, "TMPDIR=%.*s", SPAN_ARG(p->scratch.path)).ptr);
    array_add(out, NULL);
}

static enum status run_once(struct bench_process *process, struct command_pair *p, enum bench_side side, struct err *e)
{
    AT_END(arena_clear) struct arena arena = {0};
    AT_END(array_end) struct words words = {0}, variables = {0};
    double most = p->seconds * SLOWER_MOST;

    /* /bin/sh puts what is printed into a file, and becomes the command. */
    AT_END(buf_clear) struct buf word = {0};

    array_add(&words, "/bin/sh");
    array_add(&words, "-c");
    array_add(&words, "out=$1; shift; exec \"$@\" >\"$out\" 2>&1");
    array_add(&words, "sh");
    array_add(&words, buf_cstr(&p->printed));
    for (size_t i = 0; i < p->spec->n_argv; i++) {
        add_moved(&word, p, side, span_of(p->spec->argv[i]));
        array_add(&words, kept_word(&arena, &word));
    }
    array_add(&words, NULL);
    make_variables(&variables, p, side, &arena);
    struct bench_command command = {
        .argv = words.at,
        .environment = variables.at,
        .dir = buf_cstr(&p->dirs[side]),
        .sandbox = p->spec->sandbox ? buf_cstr(&p->scratch.path) : NULL,
        .seconds = p->seconds <= 0        ? 0
                   : most > LEAST_SECONDS ? most
                                          : LEAST_SECONDS,
    };
    return bench_process_run(process, &command, e);
}

/* --- what must be the same --- */

static void add_matches(struct buf *out, const regex_t *pattern, const char *line)
{
    regmatch_t found;

    for (int flags = 0; regexec(pattern, line, 1, &found, flags) == 0; flags = REG_NOTBOL) {
        if (found.rm_eo > found.rm_so) {
            buf_add(out, line + found.rm_so, (size_t)(found.rm_eo - found.rm_so));
            buf_add_char(out, '\n');
        } else if (line[found.rm_eo] == '\0') {
            return;
        }
        line += found.rm_eo + (found.rm_eo == found.rm_so);
    }
}

/* What a bar of progress writes over itself are lines, too. */
static bool next_line(struct span *rest, struct buf *line)
{
    size_t n = 0;

    if (rest->len == 0)
        return false;
    while (n < rest->len && rest->ptr[n] != '\n' && rest->ptr[n] != '\r')
        n++;
    buf_set(line, (struct span){rest->ptr, n});
    *rest = span_after(*rest, n + (n < rest->len));
    return true;
}

static enum status read_said(struct buf *said, struct command_pair *p, enum bench_side side, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0}, line = {0};
    size_t n = p->spec->n_patterns;
    enum status status = n > 0 ? file_read_regular(buf_cstr(&p->printed), PRINTED_MAX, &text, e) : ST_OK;
    struct span rest = buf_span(&text);

    while (status == ST_OK && next_line(&rest, &line))
        for (size_t i = 0; i < n; i++)
            add_matches(&said[i], &p->patterns[i], buf_cstr(&line));
    for (size_t i = 0; i < p->spec->n_files && status == ST_OK; i++) {
        AT_END(mem_end) char *path = mem_addf("%s/%s", buf_cstr(&p->dirs[side]), p->spec->files[i]);
        status = file_read_regular(path, FILE_MAX, &said[n + i], e);
        if (status != ST_OK)
            status = err_set(e, ST_INPUT, "the command writes no file %s", p->spec->files[i]);
    }
    return status;
}

static void add_line(struct buf *out, struct span text, size_t at)
{
    enum { SHOWN_MAX = 80 };
    /* The line of the text that has this byte. */
    size_t start = at < text.len ? at : text.len, end = start;

    while (start > 0 && text.ptr[start - 1] != '\n')
        start--;
    while (end < text.len && text.ptr[end] != '\n')
        end++;
    struct span line = {text.ptr + start, end - start};
    bool binary = line.len > 0 && memchr(line.ptr, '\0', line.len) != NULL;

    if (at >= text.len)
        buf_add_text(out, "nothing");
    else if (binary)
        buf_addf(out, "other bytes at %zu", at);
    else
        buf_addf(out, "'%.*s'", (int)(line.len < SHOWN_MAX ? line.len : SHOWN_MAX), line.ptr);
}

/* The first of what must be the same that is not, in words: "line 'loss: 0.3', not 'loss: 0.5'". */
static bool says_same(const struct command_pair *p, const struct buf *now, struct buf *why)
{
    for (size_t i = 0; i < n_said(p); i++) {
        struct span was = buf_span(&p->wanted[i]), is = buf_span(&now[i]);
        size_t at = 0;
        if (same_text(was, is, p->spec->tolerance, &at))
            continue;
        if (i >= p->spec->n_patterns)
            buf_addf(why, "%s: ", p->spec->files[i - p->spec->n_patterns]);
        /* Up to there both have the same number of lines. */
        size_t line = 0, there = 0;
        for (size_t k = 0; k < at && k < was.len; k++)
            line += was.ptr[k] == '\n';
        for (; line > 0 && there < is.len; there++)
            line -= is.ptr[there] == '\n';
        add_line(why, is, there);
        buf_add_text(why, ", not ");
        add_line(why, was, at);
        return false;
    }
    return true;
}

/* --- the copies --- */

static enum status make_ready(struct command_pair *p, enum bench_side side, const struct command_change *changes,
                              size_t n, struct err *e)
{
    const struct copy_spec spec = {p->spec->linked, p->spec->n_linked, COPY_MOST};
    enum status status = copy_folder(p->spec->folder, buf_cstr(&p->dirs[side]), &spec, e);

    for (size_t i = 0; i < n && side == BENCH_FIXED && status == ST_OK; i++) {
        /* Sets another modification time, as Python would use old compiled code, and an early access time, which shows
         * whether the file is read. */
        struct stat info;

        AT_END(mem_end) char *path = mem_addf("%s/%s", buf_cstr(&p->dirs[BENCH_FIXED]), changes[i].path);
        status = stat(path, &info) == 0 ? file_write(path, false, changes[i].content, changes[i].path, e)
                                        : err_set(e, ST_IO, "%s: %s", changes[i].path, strerror(errno));
        struct timespec times[2] = {{1, 0}, info.st_mtim};
        times[1].tv_sec += (time_t)p->n_tried;
        if (status == ST_OK && utimensat(AT_FDCWD, path, times, 0) != 0)
            status = err_set(e, ST_IO, "%s: %s", changes[i].path, strerror(errno));
    }
    return status;
}

static bool was_read(struct command_pair *p, const struct command_change *changes, size_t n)
{
    struct stat info;
    bool any = !p->times_of_reading;

    for (size_t i = 0; i < n && !any; i++) {
        AT_END(mem_end) char *path = mem_addf("%s/%s", buf_cstr(&p->dirs[BENCH_FIXED]), changes[i].path);
        any = stat(path, &info) != 0 || info.st_atim.tv_sec > 1;
    }
    return any;
}

/* Not with noatime. */
static bool keeps_times_of_reading(struct command_pair *p)
{
    const struct timespec times[2] = {{1, 0}, {2, 0}};
    const char *path = buf_cstr(&p->printed);
    AT_END(buf_clear) struct buf text = {0};
    struct stat info = {0};
    struct err ignored;

    return file_write(path, false, SPAN("x"), path, &ignored) == ST_OK && utimensat(AT_FDCWD, path, times, 0) == 0 &&
           file_read_regular(path, 1, &text, &ignored) == ST_OK && stat(path, &info) == 0 && info.st_atim.tv_sec > 1;
}

/* --- the command as it is --- */

static void add_end(struct buf *out, struct command_pair *p, const struct bench_process *process)
{
    if (process->end == BENCH_TIMED_OUT)
        buf_addf(out, "it was still running after %.0f s", process->wall);
    else if (process->end == BENCH_EXITED)
        buf_addf(out, "exit code %d", process->code);
    else
        buf_addf(out, "it was ended by signal %d", process->code);
    /* The last line that was printed, for messages. */
    AT_END(buf_clear) struct buf text = {0}, line = {0};
    struct err ignored;

    if (file_read_regular(buf_cstr(&p->printed), PRINTED_MAX, &text, &ignored) == ST_OK) {
        struct span rest = buf_span(&text);
        while (rest.len > 0 && (rest.ptr[rest.len - 1] == '\n' || rest.ptr[rest.len - 1] == ' '))
            rest.len--;
        while (next_line(&rest, &line)) {
        }
    }
    if (line.len > 0)
        buf_addf(out, ": %.*s", (int)(line.len < 200 ? line.len : 200), line.ptr);
}

static bool succeeded(const struct bench_process *process)
{
    return process->end == BENCH_EXITED && process->code == 0;
}

static enum status run_as_it_is(struct command_pair *p, struct buf *said, struct err *e)
{
    AT_END(bench_process_clear) struct bench_process process = {0};
    AT_END(buf_clear) struct buf words = {0};
    enum status status = make_ready(p, BENCH_BUGGY, NULL, 0, e);

    THEN(status, run_once(&process, p, BENCH_BUGGY, e));
    if (status == ST_OK && !succeeded(&process)) {
        add_end(&words, p, &process);
        status = err_set(e, ST_INPUT, "the command fails without any change: %s", buf_cstr(&words));
    }
    p->seconds = process.wall;
    return status == ST_OK ? read_said(said, p, BENCH_BUGGY, e) : status;
}

static enum status know_result(struct command_pair *p, struct err *e)
{
    struct buf *again = said_new(p);
    AT_END(buf_clear) struct buf why = {0};

    p->wanted = said_new(p);
    enum status status = run_as_it_is(p, p->wanted, e);
    for (size_t i = 0; i < p->spec->n_patterns && status == ST_OK; i++)
        if (p->wanted[i].len == 0)
            status = err_set(e, ST_USAGE, "nothing that the command prints matches '%s'", p->spec->patterns[i]);
    THEN(status, run_as_it_is(p, again, e));
    if (status == ST_OK && !says_same(p, again, &why))
        status = err_set(e, ST_INPUT,
                         "the command gives another result each time (%s): set a seed, or allow for"
                         " it with --tolerance",
                         buf_cstr(&why));
    said_free(again, p);
    return status;
}

enum status command_pair_begin(struct command_pair **out, const struct command_pair_spec *spec, struct err *e)
{
    struct command_pair *p = *out = mem_zero(1, sizeof *p);
    char words[200];

    p->spec = spec;
    p->seed = 1;
    p->patterns = mem_zero(spec->n_patterns + 1, sizeof *p->patterns);
    for (; p->n_compiled < spec->n_patterns; p->n_compiled++) {
        int error = regcomp(&p->patterns[p->n_compiled], spec->patterns[p->n_compiled], REG_EXTENDED);
        if (error != 0) {
            regerror(error, &p->patterns[p->n_compiled], words, sizeof words);
            return err_set(e, ST_USAGE, "'%s' is not an extended regular expression: %s", spec->patterns[p->n_compiled],
                           words);
        }
    }
    scratch_remove_left();
    enum status status = scratch_open(&p->scratch, e);
    if (status != ST_OK)
        return status;
    buf_addf(&p->dirs[BENCH_BUGGY], "%s/as-it-is", buf_cstr(&p->scratch.path));
    buf_addf(&p->dirs[BENCH_FIXED], "%s/changed", buf_cstr(&p->scratch.path));
    buf_addf(&p->printed, "%s/printed", buf_cstr(&p->scratch.path));
    p->times_of_reading = keeps_times_of_reading(p);
    return know_result(p, e);
}

void command_pair_end(struct command_pair *p)
{
    if (p == NULL)
        return;
    said_free(p->wanted, p);
    for (size_t i = 0; i < p->n_compiled; i++)
        regfree(&p->patterns[i]);
    mem_free(p->patterns);
    scratch_close(&p->scratch);
    for (int side = 0; side < BENCH_SIDES; side++)
        buf_clear(&p->dirs[side]);
    buf_clear(&p->printed);
    mem_free(p);
}

/* --- with a change --- */

struct measured {
    struct bench_numbers seconds[BENCH_SIDES], peak_kb[BENCH_SIDES];
};

/* False when the change is refused. */
static bool judge_run(struct command_pair *p, enum bench_side side, const struct bench_process *process,
                      struct command_result *out)
{
    struct buf *now = said_new(p);
    AT_END(buf_clear) struct buf why = {0};
    struct err e;
    bool ended = succeeded(process), fine = false;

    if (!ended)
        add_end(&why, p, process);
    else if (read_said(now, p, side, &e) != ST_OK)
        buf_add_text(&why, e.text);
    else
        fine = says_same(p, now, &why);
    if (!fine) {
        out->verdict = ended ? COMMAND_OTHER_RESULT : COMMAND_FAILS;
        snprintf(out->why, sizeof out->why, "%s", buf_cstr(&why));
    }
    said_free(now, p);
    return fine;
}

static enum status run_side(struct command_pair *p, enum bench_side side, const struct command_change *changes,
                            size_t n, struct measured *m, struct command_result *out, bool *refused, struct err *e)
{
    AT_END(bench_process_clear) struct bench_process process = {0};
    enum status status = make_ready(p, side, changes, n, e);

    THEN(status, run_once(&process, p, side, e));
    if (status == ST_OK) {
        *refused = !judge_run(p, side, &process, out);
        if (*refused && side == BENCH_BUGGY)
            status = err_set(e, ST_INPUT, "without any change, the command does not do the same each time: %s",
                             out->why);
        if (m != NULL) {
            array_add(&m->seconds[side], process.wall);
            array_add(&m->peak_kb[side], (double)process.sampled_peak_kb);
            out->others = isnan(out->others) ? process.others : fmax(out->others, process.others);
        }
    }
    return status;
}

static enum status measure(struct command_pair *p, const struct command_change *changes, size_t n, struct measured *m,
                           struct command_result *out, struct err *e)
{
    bool refused = false;
    enum status status = run_side(p, BENCH_FIXED, changes, n, NULL, out, &refused, e);

    if (status == ST_OK && !refused && !was_read(p, changes, n)) {
        out->verdict = COMMAND_NOT_READ;
        snprintf(out->why, sizeof out->why, "the command does not read %s of this folder", changes[0].path);
        return ST_OK;
    }
    for (uint64_t i = 0; i < p->spec->runs * BENCH_SIDES && status == ST_OK && !refused; i++)
        status = run_side(p, (enum bench_side)(i % BENCH_SIDES), changes, n, m, out, &refused, e);
    if (status == ST_OK && !refused) {
        const struct bench_numbers *s = m->seconds, *kb = m->peak_kb;
        for (int side = 0; side < BENCH_SIDES; side++) {
            out->seconds[side] = stat_median(s[side].at, s[side].n);
            out->peak_kb[side] = stat_median(kb[side].at, kb[side].n);
        }
        out->time = stat_ratio(s[BENCH_BUGGY].at, s[BENCH_BUGGY].n, s[BENCH_FIXED].at, s[BENCH_FIXED].n, p->seed);
        out->memory = stat_ratio(kb[BENCH_BUGGY].at, kb[BENCH_BUGGY].n, kb[BENCH_FIXED].at, kb[BENCH_FIXED].n, p->seed);
        out->verdict = out->time.low > COMMAND_LEAST_GAIN        ? COMMAND_FASTER
                       : out->time.high < 1 / COMMAND_LEAST_GAIN ? COMMAND_SLOWER
                                                                 : COMMAND_NO_FASTER;
    }
    return status;
}

enum status command_pair_try(struct command_pair *p, const struct command_change *changes, size_t n,
                             struct command_result *out, struct err *e)
{
    const struct stat_ratio none = {NAN, NAN, NAN};
    struct measured m = {0};

    *out = (struct command_result){
        .time = none, .memory = none, .seconds = {NAN, NAN}, .peak_kb = {NAN, NAN}, .others = NAN};
    p->n_tried++;
    enum status status = measure(p, changes, n, &m, out, e);
    for (int side = 0; side < BENCH_SIDES; side++) {
        array_clear(&m.seconds[side]);
        array_clear(&m.peak_kb[side]);
    }
    return status;
}
