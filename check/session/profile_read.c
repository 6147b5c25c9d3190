/* Readers of what profilers write: Scalene, py-spy (speedscope), cProfile, PyTorch. */
#include "base/bitset.h"
#include "base/files.h"
#include "base/log.h"
#include "check/session/profile.h"

#include <jansson.h>
#include <math.h>

enum { PROFILE_BYTES_MAX = 256 << 20, LINE_MAX_ = 1 << 30 };

#define NO_PLACE UINT32_MAX

struct reader {
    struct profile *out;
    const struct check_run *c;
    struct err *e;
};

static enum status wrong(const struct reader *r, const char *what)
{
    return err_set(r->e, ST_INPUT, "%s: %s: %s", r->out->path, r->out->kind, what);
}

/* A share or time from a stranger's file, or an event's start in PyTorch before 2.2: some 1.7e15 microseconds since
 * 1970. */
static double within(double n)
{
    return isfinite(n) && n > 0 && n < 1e17 ? n : 0;
}

static double number(const json_t *value)
{
    return within(json_number_value(value));
}

static struct span text_of(const json_t *value)
{
    return (struct span){json_is_string(value) ? json_string_value(value) : "", json_string_length(value)};
}

static uint32_t line_of(const json_t *value)
{
    json_int_t n = json_integer_value(value);

    return n > 0 && n < LINE_MAX_ ? (uint32_t)n : 0;
}

/* --- files --- */

/* How many folders and names at their ends are the same. */
static size_t same_parts(struct span a, struct span b)
{
    size_t n = 0, length = 0;

    while (length < a.len && length < b.len && a.ptr[a.len - 1 - length] == b.ptr[b.len - 1 - length]) {
        length++;
        bool whole_a = length == a.len || a.ptr[a.len - 1 - length] == '/';
        bool whole_b = length == b.len || b.ptr[b.len - 1 - length] == '/';
        n += whole_a && whole_b;
    }
    return n;
}

/* The source by its absolute path; where the program ran elsewhere, the one whose path ends most alike. */
static uint32_t look_for(struct reader *r, struct span file)
{
    uint32_t best = 0;
    size_t most = 0;

    for (size_t i = 0; i < r->c->n_sources; i++) {
        struct span whole = span_of(r->c->sources[i].absolute);
        if (span_eq(whole, file))
            return (uint32_t)i + 1;
        size_t n = span_has_word(file, "/site-packages/ /dist-packages/ /lib/python <frozen") ? 0
                                                                                              : same_parts(whole, file);
        if (n > most)
            best = (uint32_t)i + 1;
        else if (n == most)
            best = 0; /* either may be meant */
        most = n > most ? n : most;
    }
    if (best == 0 && most > 0)
        log_warn("%s: %.*s may be any of several files of the project; its time is left out", r->out->path,
                 SPAN_ARG(file));
    return best;
}

/* 1 + the source; 0: the file is not of the project. */
static uint32_t source_of_file(struct reader *r, struct span file)
{
    struct file_map_entry *entry;

    while (span_starts(file, SPAN("./")))
        file = span_after(file, 2);
    if (file_map_add(&r->out->files, file, &entry)) {
        entry->key = arena_copy(&r->out->arena, file);
        entry->value = file.len > 0 ? look_for(r, file) : 0;
        if (entry->value != 0 && r->c->sources[entry->value - 1].file.n_nodes == 0)
            entry->value = 0;
    }
    return entry->value;
}

/* Is the line in a function or class of that name? What has no name of its own is not asked for. */
static bool is_in(const struct py_file *f, uint32_t line, struct span name)
{
    for (uint32_t n = 1; n < f->n_nodes; n++) {
        uint32_t whole = py_kind(f, py_parent(f, n)) == PY_DECORATED ? py_parent(f, n) : n;
        if (span_eq(py_title(f, n), name) && py_line(f, f->nodes[whole].start) <= line &&
            line <= py_line(f, f->nodes[whole].end))
            return true;
    }
    return false;
}

/* Some profilers name a method by all that is around it, "Net.forward" or "train.<locals>.<lambda>": the last is its own. */
static struct span own_name(struct span function)
{
    const char *dot = function.len > 0 ? memrchr(function.ptr, '.', function.len) : NULL;

    return dot != NULL ? span_after(function, (size_t)(dot + 1 - function.ptr)) : function;
}

/* The place of a line of a source (from 1, as source_of_file says) that ran in a function; its number. */
static uint32_t place_at(struct reader *r, uint32_t source, uint32_t line, struct span function)
{
    struct place_map_entry *entry;
    const struct py_file *f = &r->c->sources[source - 1].file;

    if (place_map_add(&r->out->places, profile_key(source - 1, line), &entry) && function.len > 0 &&
        function.ptr[0] != '<' && !is_in(f, line, function))
        bitset_add(&r->out->moved, source - 1);
    return (uint32_t)(entry - r->out->places.at);
}

static struct profile_place *place_number(struct reader *r, uint32_t number)
{
    return &r->out->places.at[number].value;
}

/* One place of the project ran the other, itself or through libraries. */
static void add_call(struct reader *r, uint32_t caller, uint32_t called, double time)
{
    struct call_map_entry *entry;

    if (called == NO_PLACE || caller == called)
        return;
    call_map_add(&r->out->calls, (uint64_t)caller << 32 | called, &entry);
    entry->value += time;
}

/* --- Scalene --- */

static void scalene_line(struct reader *r, uint32_t source, const json_t *row)
{
    const struct py_file *f = &r->c->sources[source - 1].file;
    uint32_t line = line_of(json_object_get(row, "lineno"));
    double share = number(json_object_get(row, "n_cpu_percent_python")) +
                   number(json_object_get(row, "n_cpu_percent_c")) + number(json_object_get(row, "n_sys_percent"));
    struct span text = span_trim(text_of(json_object_get(row, "line")));

    if (line == 0 || share <= 0)
        return;
    if (line > f->n_lines || (text.len > 0 && !span_eq(span_trim(py_line_text(f, line)), text))) {
        bitset_add(&r->out->moved, source - 1);
        return;
    }
    struct profile_place *p = place_number(r, place_at(r, source, line, SPAN("")));
    p->all += share;
    p->own += share;
    if (number(json_object_get(row, "n_gpu_percent")) > 0)
        p->waits += share;
}

static enum status read_scalene(struct reader *r, json_t *files)
{
    const char *name;
    json_t *file, *row;
    size_t i;

    r->out->kind = "Scalene";
    r->out->flat = true;
    r->out->total = 100;
    json_object_foreach(files, name, file) {
        uint32_t source = source_of_file(r, span_of(name));
        json_t *lines = json_object_get(file, "lines");
        if (!json_is_array(lines))
            return wrong(r, "a file has no \"lines\"");
        json_array_foreach(lines, i, row)
            if (source != 0)
                scalene_line(r, source, row);
    }
    return ST_OK;
}

/* --- speedscope, as py-spy writes it --- */

struct frame {
    uint32_t place;
    struct span name;
};
struct frames {
    struct frame *at;
    size_t n;
    uint64_t n_samples;
    /* For each source, how often a line that called a function of the project names it, and how often not. Calls
     * of generators and operators do not, but most do, unless lines moved. */
    struct calls_seen {
        size_t named, unnamed;
    } * calls;
};

static void look_at_call(struct reader *r, struct frames *frames, const struct frame *caller, struct span callee)
{
    uint64_t key = r->out->places.at[caller->place].key;
    const struct py_file *f = &r->c->sources[key >> 32].file;
    struct span line = (uint32_t)key <= f->n_lines ? py_line_text(f, (uint32_t)key) : SPAN("");

    if (callee.len == 0 || callee.ptr[0] == '<' || callee.ptr[0] == '_')
        return;
    bool named = memmem(line.ptr, line.len, callee.ptr, callee.len) != NULL;
    struct calls_seen *seen = &frames->calls[key >> 32];
    *(named ? &seen->named : &seen->unnamed) += 1;
}

static double weight_of(const json_t *profile)
{
    json_t *weights = json_object_get(profile, "weights");
    double sum = 0;

    for (size_t i = 0; i < json_array_size(weights); i++)
        sum += number(json_array_get(weights, i));
    return sum;
}

/* The outermost frame comes first. */
static void add_sample(struct reader *r, struct frames *frames, const json_t *stack, double weight, bool main)
{
    const struct frame *called = NULL; /* by the frame outside of it; NULL: by none of the project */
    uint32_t inner = NO_PLACE;

    frames->n_samples++;
    for (size_t k = json_array_size(stack); k-- > 0;) {
        json_int_t index = json_integer_value(json_array_get(stack, k));
        const struct frame *frame = index >= 0 && (size_t)index < frames->n ? &frames->at[index] : NULL;
        if (frame == NULL || frame->place == NO_PLACE) {
            called = NULL;
            continue;
        }
        if (called != NULL)
            look_at_call(r, frames, frame, called->name);
        called = frame;
        struct profile_place *p = place_number(r, frame->place);
        if (p->seen != frames->n_samples)
            *(main ? &p->all : &p->aside) += weight;
        p->seen = frames->n_samples;
        if (inner == NO_PLACE && main)
            p->own += weight;
        if (main)
            add_call(r, frame->place, inner, weight);
        inner = frame->place;
    }
}

static enum status add_samples(struct reader *r, struct frames *frames, const json_t *profile, bool main)
{
    json_t *samples = json_object_get(profile, "samples"), *weights = json_object_get(profile, "weights");

    if (!json_is_array(samples) || json_array_size(samples) != json_array_size(weights))
        return wrong(r, "a profile has no samples, or not a weight for each; record with --format speedscope");
    for (size_t i = 0; i < json_array_size(samples); i++)
        add_sample(r, frames, json_array_get(samples, i), number(json_array_get(weights, i)), main);
    return ST_OK;
}

static enum status read_speedscope(struct reader *r, json_t *root)
{
    json_t *list = json_object_get(json_object_get(root, "shared"), "frames"), *row;
    json_t *profiles = json_object_get(root, "profiles");
    size_t i, main = 0;
    enum status status = ST_OK;

    r->out->kind = "speedscope";
    if (!json_is_array(list) || !json_is_array(profiles))
        return wrong(r, "\"shared\".\"frames\" or \"profiles\" is missing");
    struct frames frames = {.at = mem_zero(json_array_size(list) + 1, sizeof *frames.at),
                            .n = json_array_size(list),
                            .calls = mem_zero(r->c->n_sources + 1, sizeof *frames.calls)};
    json_array_foreach(list, i, row) {
        uint32_t line = line_of(json_object_get(row, "line"));
        uint32_t source = source_of_file(r, text_of(json_object_get(row, "file")));
        frames.at[i].name = own_name(text_of(json_object_get(row, "name")));
        frames.at[i].place = source != 0 && line != 0 ? place_at(r, source, line, frames.at[i].name) : NO_PLACE;
    }
    json_array_foreach(profiles, i, row)
        if (weight_of(row) > weight_of(json_array_get(profiles, main)))
            main = i;
    r->out->total = weight_of(json_array_get(profiles, main));
    for (i = 0; i < json_array_size(profiles) && status == ST_OK; i++)
        status = add_samples(r, &frames, json_array_get(profiles, i), i == main);
    for (i = 0; i < r->c->n_sources; i++)
        if (frames.calls[i].unnamed > frames.calls[i].named)
            bitset_add(&r->out->moved, (uint32_t)i);
    mem_free(frames.at);
    mem_free(frames.calls);
    return status;
}

/* --- PyTorch's trace --- */

struct event {
    double start, end;
    uint64_t thread;
    uint32_t place; /* NO_PLACE: a wait for the GPU */
};
struct events ARRAY_OF(struct event);

static int by_start(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end);
}

/* "train.py(12): step" */
static uint32_t place_of_name(struct reader *r, struct span name)
{
    const char *close = memmem(name.ptr, name.len, "): ", 3);
    const char *open = close != NULL ? memrchr(name.ptr, '(', (size_t)(close - name.ptr)) : NULL;
    uint64_t line;

    if (open == NULL || !span_u64((struct span){open + 1, (size_t)(close - open - 1)}, LINE_MAX_, &line) || line == 0)
        return NO_PLACE;
    uint32_t source = source_of_file(r, (struct span){name.ptr, (size_t)(open - name.ptr)});
    struct span function = {close + 3, name.len - (size_t)(close + 3 - name.ptr)};
    return source != 0 ? place_at(r, source, (uint32_t)line, own_name(function)) : NO_PLACE;
}

/* What is open when an event of one thread begins. */
struct open_calls {
    struct event at[256];
    size_t n;
};

static void add_event(struct reader *r, struct open_calls *open, const struct event *event, bool main)
{
    double took = event->end - event->start;

    if (event->place == NO_PLACE) {
        for (size_t i = 0; i < open->n && main; i++)
            place_number(r, open->at[i].place)->waits += took;
        return;
    }
    struct profile_place *p = place_number(r, event->place);
    if (main && open->n > 0) {
        place_number(r, open->at[open->n - 1].place)->own -= took;
        add_call(r, open->at[open->n - 1].place, event->place, took);
    }
    if (main)
        p->own += took;
    if (p->seen == 0)
        *(main ? &p->all : &p->aside) += took;
    if (open->n < ARRAY_LEN(open->at)) {
        p->seen++;
        open->at[open->n++] = *event;
    }
}

/* Of the sorted events: in the thread in which most of the time is, between its first and last. */
static uint64_t main_thread(struct profile *out, const struct events *events)
{
    uint64_t main = 0;

    for (size_t i = 0; i < events->n;) {
        uint64_t thread = events->at[i].thread;
        double start = events->at[i].start, end = start;
        for (; i < events->n && events->at[i].thread == thread; i++)
            end = events->at[i].end > end ? events->at[i].end : end;
        if (end - start > out->total) {
            out->total = end - start;
            main = thread;
        }
    }
    return main;
}

static enum status read_trace(struct reader *r, json_t *list)
{
    AT_END(array_end) struct events events = {0};
    size_t i, n_frames = 0;
    json_t *row;

    r->out->kind = "PyTorch trace";
    r->out->by_function = true;
    json_array_foreach(list, i, row) {
        struct span category = text_of(json_object_get(row, "cat")), name = text_of(json_object_get(row, "name"));
        bool frame = span_eq(category, SPAN("python_function"));
        bool waits = span_eq(category, SPAN("cuda_runtime")) && span_has(name, "Synchronize");
        /* Of all processes of a trace: two may have a thread of the same number, as in containers. */
        uint64_t process = (uint64_t)json_integer_value(json_object_get(row, "pid")) * 0x9E3779B97F4A7C15U;
        struct event event = {.thread = process + (uint64_t)json_integer_value(json_object_get(row, "tid")),
                              .place = NO_PLACE};
        event.start = number(json_object_get(row, "ts"));
        event.end = event.start + number(json_object_get(row, "dur"));
        n_frames += frame;
        if (frame)
            event.place = place_of_name(r, name);
        if (waits || event.place != NO_PLACE)
            array_add(&events, event);
    }
    if (n_frames == 0)
        return wrong(r, "it has no stacks; record with profile(with_stack=True)");
    array_sort(&events, by_start);
    uint64_t main = main_thread(r->out, &events);
    AT_END(mem_end) struct open_calls *open = mem_zero(1, sizeof *open);
    for (i = 0; i < events.n; i++) {
        bool other = i > 0 && events.at[i].thread != events.at[i - 1].thread;
        while (open->n > 0 && (other || open->at[open->n - 1].end <= events.at[i].start))
            place_number(r, open->at[--open->n].place)->seen--;
        add_event(r, open, &events.at[i], events.at[i].thread == main);
    }
    return ST_OK;
}

/* --- cProfile's statistics: a dictionary as Python marshals it --- */

enum { MARSHAL_DEPTH_MAX = 64 };

/* What is read; parts are behind each other. A dictionary has keys and values in turn. */
struct object {
    char kind; /* 's' text, 'i' a number, '(' a tuple, '{' a dictionary, 'N' anything else */
    double value;
    struct span text;
    struct ARRAY_OF(uint32_t) parts; /* numbers of objects */
};

struct marshal {
    struct span rest;
    struct ARRAY_OF(uint32_t) refs;
    struct ARRAY_OF(struct object) all; /* the first is what could not be read */
    bool failed;
};

static struct span take(struct marshal *m, size_t n)
{
    struct span s = {m->rest.ptr, n};

    if (n > m->rest.len) {
        m->failed = true;
        return (struct span){0};
    }
    m->rest = span_after(m->rest, n);
    return s;
}

/* Little-endian, of 1 to 8 bytes. */
static uint64_t take_number(struct marshal *m, size_t n)
{
    struct span s = take(m, n);
    uint64_t value = 0;

    for (size_t i = 0; i < s.len; i++)
        value |= (uint64_t)(unsigned char)s.ptr[i] << 8 * i;
    return value;
}

static uint32_t take_object(struct marshal *m, unsigned depth);

/* The content of an object whose kind is known; false: the kind is none of those that cProfile writes. */
static bool take_content(struct marshal *m, struct object *o, char kind, unsigned depth)
{
    o->kind = 'N';
    if (strchr("sutaA", kind) != NULL || strchr("zZ", kind) != NULL) {
        o->kind = 's';
        o->text = take(m, take_number(m, strchr("zZ", kind) != NULL ? 1 : 4));
    } else if (kind == '(' || kind == ')') {
        o->kind = '(';
        uint64_t n = take_number(m, kind == ')' ? 1 : 4);
        m->failed = m->failed || n > m->rest.len;
        for (uint64_t i = 0; i < n && !m->failed; i++)
            array_add(&o->parts, take_object(m, depth));
    } else if (kind == '{') {
        o->kind = '{';
        while (!m->failed && m->rest.len > 0 && m->rest.ptr[0] != '0') {
            array_add(&o->parts, take_object(m, depth)); /* a key, a value */
            array_add(&o->parts, take_object(m, depth));
        }
        (void)take(m, 1);
    } else if (kind == 'i') {
        o->kind = 'i';
        o->value = (int32_t)take_number(m, 4);
    } else if (kind == 'g') {
        o->kind = 'i';
        uint64_t bits = take_number(m, 8);
        memcpy(&o->value, &bits, sizeof o->value);
        o->value = isfinite(o->value) ? o->value : 0;
    } else if (kind == 'l') { /* a number of more than 32 bits, in digits of 15 */
        int32_t digits = (int32_t)take_number(m, 4);
        (void)take(m, 2 * (size_t)(digits < 0 ? -(int64_t)digits : digits));
    } else {
        return strchr("NTF", kind) != NULL;
    }
    return true;
}

static uint32_t take_object(struct marshal *m, unsigned depth)
{
    unsigned byte = (unsigned)take_number(m, 1);
    char kind = (char)(byte & 0x7F);
    struct object o = {.kind = 'N'};

    if (m->failed || kind == '\0' || depth > MARSHAL_DEPTH_MAX) {
        m->failed = true;
        return 0;
    }
    if (kind == 'r') {
        uint64_t i = take_number(m, 4);
        m->failed = m->failed || i >= m->refs.n;
        return m->failed ? 0 : m->refs.at[i];
    }
    uint32_t number = (uint32_t)m->all.n;
    array_add(&m->all, o);
    if (byte & 0x80)
        array_add(&m->refs, number);
    if (!take_content(m, &o, kind, depth + 1))
        m->failed = true;
    m->all.at[number] = o;
    return number;
}

/* Part i of a tuple or dictionary. */
static const struct object *part(const struct marshal *m, const struct object *o, size_t i)
{
    return &m->all.at[i < o->parts.n ? o->parts.at[i] : 0];
}

/* The place of (file, line, name); NO_PLACE: not of the project. */
static uint32_t place_of_function(struct reader *r, const struct marshal *m, const struct object *key)
{
    const struct object *file = part(m, key, 0), *line = part(m, key, 1), *name = part(m, key, 2);

    if (key->kind != '(' || key->parts.n != 3 || file->kind != 's' || line->kind != 'i' || name->kind != 's')
        return NO_PLACE;
    uint32_t source = source_of_file(r, file->text);
    if (source == 0 || line->value < 0 || line->value > LINE_MAX_)
        return NO_PLACE;
    return place_at(r, source, line->value < 1 ? 1 : (uint32_t)line->value, name->text);
}

/* Part i of (calls, calls without recursion, own time, time with what it calls, …). */
static double time_of(const struct marshal *m, const struct object *stat, size_t i)
{
    const struct object *time = part(m, stat, i);

    return stat->kind == '(' && time->kind == 'i' ? within(time->value) : 0;
}

static void add_function(struct reader *r, const struct marshal *m, const struct object *key, const struct object *stat)
{
    uint32_t at = place_of_function(r, m, key);
    const struct object *callers = part(m, stat, 4);

    r->out->total += time_of(m, stat, 2);
    if (at == NO_PLACE)
        return;
    place_number(r, at)->all += time_of(m, stat, 3);
    place_number(r, at)->own += time_of(m, stat, 3);
    for (size_t i = 0; stat->kind == '(' && callers->kind == '{' && i + 1 < callers->parts.n; i += 2) {
        uint32_t caller = place_of_function(r, m, part(m, callers, i));
        if (caller == NO_PLACE || caller == at)
            continue;
        place_number(r, caller)->own -= time_of(m, part(m, callers, i + 1), 3);
        add_call(r, caller, at, time_of(m, part(m, callers, i + 1), 3));
    }
}

static enum status read_cprofile(struct reader *r, struct span bytes)
{
    struct marshal m = {.rest = bytes};
    enum status status = ST_OK;

    r->out->kind = "cProfile";
    r->out->by_function = true;
    array_add(&m.all, (struct object){.kind = 'N'});
    uint32_t number = take_object(&m, 0);
    const struct object *root = &m.all.at[number];
    if (m.failed || root->kind != '{')
        status = wrong(r, "the statistics are damaged, or of no kind that is known");
    for (size_t i = 0; status == ST_OK && i + 1 < root->parts.n; i += 2)
        add_function(r, &m, part(&m, root, i), part(&m, root, i + 1));
    for (size_t i = 0; i < m.all.n; i++)
        array_clear(&m.all.at[i].parts);
    array_clear(&m.all);
    array_clear(&m.refs);
    return status;
}

/* --- which of them --- */

static enum status read_json(struct reader *r, struct span bytes)
{
    json_error_t why;
    json_t *root = json_loadb(bytes.ptr, bytes.len, 0, &why);
    json_t *files = json_object_get(root, "files"), *events = json_object_get(root, "traceEvents");
    enum status status;

    r->out->kind = "JSON";
    if (root == NULL)
        status = err_set(r->e, ST_INPUT, "%s:%d: not valid JSON: %s", r->out->path, why.line, why.text);
    else if (json_is_array(events))
        status = read_trace(r, events);
    else if (json_object_get(root, "shared") != NULL)
        status = read_speedscope(r, root);
    else if (json_is_object(files) && json_object_get(root, "elapsed_time_sec") != NULL)
        status = read_scalene(r, files);
    else
        status = wrong(r, "of no profiler that is known: Scalene, speedscope (py-spy), PyTorch's trace, cProfile");
    json_decref(root);
    return status;
}

enum status profile_read(struct profile *out, const char *path, const struct check_run *c, struct err *e)
{
    struct reader r = {.out = out, .c = c, .e = e};
    AT_END(buf_clear) struct buf bytes = {0};

    *out = (struct profile){.path = path, .kind = "profile"};
    enum status status = file_read(path, PROFILE_BYTES_MAX, &bytes, e);
    struct span s = buf_span(&bytes), text = span_trim(s);
    bool is_json = text.len > 1 &&
                   (text.ptr[0] == '[' || (text.ptr[0] == '{' && strchr("\" \t\r\n}", text.ptr[1]) != NULL));
    if (status == ST_OK && span_starts(s, SPAN("\x1f\x8b")))
        status = wrong(&r, "it is compressed; unpack it first, as with gunzip");
    else if (status == ST_OK)
        status = is_json ? read_json(&r, s) : read_cprofile(&r, s);
    if (status == ST_OK && !(out->total > 0))
        status = wrong(&r, "it has no time in it");
    return status;
}

void profile_clear(struct profile *p)
{
    place_map_clear(&p->places);
    call_map_clear(&p->calls);
    file_map_clear(&p->files);
    bitset_clear(&p->moved);
    arena_clear(&p->arena);
}
