/* What the rules of pipelines ask of one stage. */
#include "check/rules/stages.h"

uint32_t stage_line(const struct stage *s)
{
    uint32_t callee = py_child(s->file, s->call, FIELD_FUNCTION);
    uint32_t name = py_child(s->file, callee, FIELD_ATTRIBUTE);

    if (name != 0)
        return py_line(s->file, s->file->nodes[name].start);
    return s->call != 0 ? py_line(s->file, s->file->nodes[s->call].start) : 0;
}

struct mapper stage_mapper(struct project *p, const struct stage *s)
{
    return fact_mapper(p, s->file, py_argument_or(s->file, s->call, 0, "map_func"));
}

/* A fact_visitor: the test, and whether a call was found. */
struct search {
    bool (*test)(struct project *, const struct py_file *, uint32_t call);
    bool found;
};

static bool look(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    struct search *s = ctx;

    s->found = s->test(p, f, call);
    return !s->found;
}

bool stage_calls(struct project *p, const struct stage *s,
                 bool (*test)(struct project *, const struct py_file *, uint32_t call))
{
    uint32_t argument = py_argument_or(s->file, s->call, 0, "map_func");
    struct function to;
    struct search search = {test, false};

    if (fact_function(p, s->file, argument, &to))
        fact_visit_calls(p, to.f, to.n, STAGES_CALLS_DEEP, look, &search);
    return search.found;
}

static bool reads_file(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_READS_FILE);
}

/* Before it, there are only names of files: the cache keeps nothing that took time to make. */
bool stage_opens_files(struct project *p, const struct stage *s)
{
    uint32_t argument = py_argument_or(s->file, s->call, 0, "map_func");
    struct function to;

    if (fact_function(p, s->file, argument, &to))
        return stage_calls(p, s, reads_file);
    return argument != 0 && reads_file(p, s->file, argument);
}

bool stage_counts_one(const struct py_file *f, uint32_t n)
{
    int64_t value;

    return n != 0 && py_integer(f, n, &value) && value <= 1;
}

const char *stage_autotune(struct project *p, const struct py_file *f)
{
    bool old = fact_mode(p, f) == MODE_GRAPH || fact_mentions(p, f, "experimental.AUTOTUNE") ||
               !fact_has_release(p, 204, ".data.AUTOTUNE");

    return old ? ".data.experimental.AUTOTUNE" : ".data.AUTOTUNE";
}
