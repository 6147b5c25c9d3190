/* The files of a run. Reads the sources, and parses those that matter: what names TensorFlow, Keras or PyTorch, and
 * what such files import, or what imports them, as far as data sets, tensors or loops may pass through. */
#include "base/files.h"
#include "check/session/run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct source *source_add(struct check_run *c, struct span path, bool asked)
{
    c->sources = array_room(c->sources, c->n_sources, 1, &c->capacity, sizeof *c->sources);
    AT_END(buf_clear) struct buf absolute = {0};
    char *shown = mem_text(path);
    check_absolute(shown, &absolute);
    c->sources[c->n_sources] = (struct source){
        .path = shown, .absolute = mem_text(buf_span(&absolute)), .asked = asked};
    return &c->sources[c->n_sources++];
}

void source_clear(struct source *s)
{
    py_clear(&s->file);
    buf_clear(&s->content);
    buf_clear(&s->code);
    bitset_clear(&s->used);
    mem_free(s->cells);
    mem_free(s->path);
    mem_free(s->absolute);
}

struct source *source_of(const struct check_run *c, const struct py_file *f)
{
    return &c->sources[c->parsed[f->number]];
}

struct span source_bytes(const struct source *s)
{
    return s->has_given ? s->given : buf_span(&s->content);
}

/* What is parsed: the file, or a notebook's cells. */
static struct span source_code(const struct source *s)
{
    return s->cells != NULL ? buf_span(&s->code) : source_bytes(s);
}

const struct source *source_find(const struct check_run *c, const char *path)
{
    for (size_t i = 0; i < c->n_sources; i++)
        if (strcmp(c->sources[i].path, path) == 0)
            return &c->sources[i];
    return NULL;
}

static int by_absolute(const void *key, const void *item)
{
    return strcmp(key, ((const struct source *)item)->absolute);
}

struct source *source_at(struct source *sources, size_t n, const char *absolute)
{
    return n > 0 ? bsearch(absolute, sources, n, sizeof *sources, by_absolute) : NULL;
}

/* --- reading them --- */

enum { JOBS_MAX = 64 };

enum work { WORK_READ, WORK_PARSE };

struct crew {
    struct check_run *run;
    enum work work;
    atomic_size_t next;
};

static bool is_notebook(const char *path)
{
    return span_ends(span_of(path), SPAN(".ipynb"));
}

static void read_one(struct source *s)
{
    enum status status = ST_OK;

    if (s->content.len > 0 || s->failed) { /* it was kept */
        s->uses = s->own_uses;
        return;
    }
    if (!s->has_given)
        status = file_read(s->path, FILE_BYTES_MAX, &s->content, &s->why);
    unsigned uses = status == ST_OK ? vocabulary_uses(source_bytes(s)) : 0;
    if (uses != 0 && is_notebook(s->path))
        status = notebook_read(s, &s->why);
    s->failed = status != ST_OK;
    s->own_uses = s->uses = status == ST_OK && (!is_notebook(s->path) || s->cells != NULL) ? uses : 0;
}

static void parse_one(struct py_parser *parser, struct source *s)
{
    if (s->uses == 0 || s->file.n_nodes > 0)
        return;
    s->file.beside = !s->asked;
    if (!s->asked && source_code(s).len > BESIDE_BYTES_MAX) {
        s->failed = s->left_out = true;
        s->uses = s->own_uses = 0;
        err_set(&s->why, ST_INPUT, "%s: not read for what it says of other files: more than %d bytes of code", s->path,
                BESIDE_BYTES_MAX);
        return;
    }
    s->file.path = s->absolute;
    s->file.code = source_code(s);
    s->file.cells = s->cells;
    s->file.n_cells = s->n_cells;
    if (!py_read(parser, &s->file)) {
        s->failed = true;
        err_set(&s->why, ST_INPUT, "%s: cannot be read as Python: it takes too long", s->path);
    } else if (s->file.n_unread > 0) {
        uint32_t line = s->file.unread;
        char cell[32] = "";
        if (s->cells != NULL && line <= s->n_cells) { /* the line is that of its cell */
            snprintf(cell, sizeof cell, " of cell %u", s->cells[line - 1].cell);
            line = s->cells[line - 1].line;
        }
        err_set(&s->why, ST_INPUT,
                "%s: %u of %u lines are left out, from line %u%s on: too deep, too long or too slow to read", s->path,
                s->file.n_unread, s->file.n_lines, line, cell);
    }
    s->left_out = s->failed || s->file.n_unread > 0;
}

static void *work_on(void *argument)
{
    struct crew *crew = argument;
    struct py_parser *parser = crew->work == WORK_PARSE ? py_parser_new() : NULL;
    size_t i;

    while ((i = atomic_fetch_add(&crew->next, 1)) < crew->run->n_sources) {
        if (crew->work == WORK_READ)
            read_one(&crew->run->sources[i]);
        else if (parser != NULL)
            parse_one(parser, &crew->run->sources[i]);
    }
    py_parser_free(parser);
    return NULL;
}

static void work_all(struct check_run *c, enum work work)
{
    struct crew crew = {.run = c, .work = work};
    pthread_t threads[JOBS_MAX];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = c->options->jobs > 0 ? c->options->jobs : processors > 0 ? (size_t)processors : 1;
    size_t started = 0;

    if (jobs > JOBS_MAX)
        jobs = JOBS_MAX;
    if (jobs > c->n_sources)
        jobs = c->n_sources;
    while (started + 1 < jobs && pthread_create(&threads[started], NULL, work_on, &crew) == 0)
        started++;
    work_on(&crew); /* this thread works too, alone when there are no others */
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* --- files that matter because of others --- */

/* A set of names, as spans into what lives on. */
#define MAP_NAME name_set
#define MAP_KEY struct span
#include "base/map.h"

/* A module's import name: its own, or its folder's for __init__.py. From an absolute path: the shown one depends on
 * where the run began. */
static struct span module_name(const char *path)
{
    struct span rest = span_of(path), part, last = {"", 0}, before = {"", 0};

    while (span_cut(&rest, '/', &part)) {
        before = last;
        last = part;
    }
    if (span_eq(last, SPAN("__init__.py")))
        return before;
    if (last.len > 3)
        last.len -= 3;
    return last;
}

/* The words of lines that begin with import or from. */
static bool imports_any(struct span content, struct name_set *wanted)
{
    struct span line;

    while (span_cut(&content, '\n', &line)) {
        if (line.len >= 400 || !span_has(line, "import "))
            continue;
        while (line.len > 0 && (*line.ptr == ' ' || *line.ptr == '\t'))
            line = span_after(line, 1);
        bool imports = span_starts(line, SPAN("import ")) || span_starts(line, SPAN("from "));
        for (size_t i = 0; imports && i < line.len;) {
            size_t start = i;
            while (i < line.len &&
                   (line.ptr[i] == '_' || (line.ptr[i] | 0x20) >= 'a' || (line.ptr[i] >= '0' && line.ptr[i] <= '9')))
                i++;
            if (i > start && name_set_has(wanted, (struct span){line.ptr + start, i - start}))
                return true;
            i += i == start;
        }
    }
    return false;
}

static void add_imported(struct name_set *set, const struct py_file *f)
{
    for (uint32_t n = 1; n < f->n_nodes; n++)
        for (uint32_t c = py_kind(f, n) == PY_DOTTED_NAME ? py_first(f, n) : 0; c != 0; c = py_next(f, c))
            if (py_text(f, c).len > 0) /* it is empty where the parser misses a name */
                name_set_add(set, py_text(f, c), NULL);
}

/* Could it pass on data sets, tensors, models, TensorFlow or PyTorch, or prepare pictures and sounds for a model? */
static bool may_pass(struct span s, unsigned framework)
{
    static const char *const torch[] = {"torch",  "import *", ".to(",    ".cuda(",  ".backward(",  ".item(",
                                        "loader", ".step(",   "forward", ".eval()", "np.maximum(", "np.zeros(("};
    static const char *const words[] = {".map(",     ".batch(",    ".run(",          "tf.",    "import *",
                                        "import tf", ".prefetch(", "import cv2",     "PIL",    "skimage",
                                        "imageio",   "imgaug",     "albumentations", "librosa"};

    return framework == USES_TORCH ? span_has_any(s, torch, ARRAY_LEN(torch))
                                   : span_has_any(s, words, ARRAY_LEN(words));
}

/* Files that matter as others that use the framework import them, or they those. */
static bool choose_others(struct check_run *c, unsigned framework)
{
    /* Other frameworks, whose models and calls may have the same names. */
    static const char *const strange[] = {"import mxnet", "from mxnet",     "import paddle", "from paddle",
                                          "import jax",   "import chainer", "from chainer"};
    AT_END(name_set_clear) struct name_set imported = {0}, parsed = {0};
    bool any = false;

    for (size_t i = 0; i < c->n_sources; i++) {
        const struct source *s = &c->sources[i];
        if ((s->uses & framework) == 0 || s->file.n_nodes == 0)
            continue;
        add_imported(&imported, &s->file);
        if (module_name(s->absolute).len > 0)
            name_set_add(&parsed, module_name(s->absolute), NULL);
    }
    for (size_t i = 0; i < c->n_sources && parsed.n > 0; i++) {
        struct source *s = &c->sources[i];
        struct span bytes = source_bytes(s);
        if ((s->uses & framework) != 0 || s->failed || is_notebook(s->path))
            continue;
        bool called = name_set_has(&imported, module_name(s->absolute)) && may_pass(bytes, framework);
        if ((called || imports_any(bytes, &parsed)) && !span_has_any(bytes, strange, ARRAY_LEN(strange))) {
            s->uses |= framework;
            any = true;
        }
    }
    return any;
}

void sources_read(struct check_run *c)
{
    work_all(c, WORK_READ);
    work_all(c, WORK_PARSE);
    /* Twice: a program may use the framework through two modules of its own. */
    for (int i = 0; i < 2; i++) {
        bool more = choose_others(c, USES_TENSORFLOW);
        more = choose_others(c, USES_TORCH) || more;
        if (!more)
            break;
        work_all(c, WORK_PARSE);
    }
    for (size_t i = 0; i < c->n_sources; i++)
        if (c->sources[i].uses == 0 && c->kept == NULL)
            buf_clear(&c->sources[i].content);
}
