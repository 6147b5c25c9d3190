/* Sessions and models: what runs a graph, what is asked about items. */
#include "check/facts/guess.h"
#include "check/facts/project.h"

enum certainty fact_session_run(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    if (receiver == 0)
        return NOT_SEEN;
    bool run = span_eq(method, SPAN("run")), eval = span_eq(method, SPAN("eval"));
    if (!run && !eval && !span_eq(method, SPAN("get_value")))
        return NOT_SEEN;
    if (fact_name(p, f, call).len > 0)
        return fact_has(p, f, call, TRAIT_FETCHES) ? CERTAIN : NOT_SEEN;
    if (!run && !eval)
        return NOT_SEEN;
    if (py_keyword(f, call, "feed_dict") != 0 || py_keyword(f, call, "session") != 0)
        return CERTAIN;
    struct value v = fact_value(p, f, receiver);
    if (eval)
        return v.kind == VALUE_TENSOR || v.kind == VALUE_VARIABLE ? CERTAIN : NOT_SEEN;
    if (v.kind == VALUE_SESSION)
        return v.guessed ? LIKELY : CERTAIN;
    return v.kind == VALUE_UNKNOWN && guess_session(py_text(f, receiver)) ? LIKELY : NOT_SEEN;
}

bool fact_runs_session(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_session_run(p, f, call) != NOT_SEEN;
}

static bool keras_alone(struct project *p, const struct py_file *f)
{
    return fact_mentions(p, f, "keras") && !fact_mentions(p, f, "sklearn") && !fact_mentions(p, f, "import torch") &&
           !fact_mentions(p, f, "xgboost") && !fact_mentions(p, f, "lightgbm");
}

enum certainty fact_model(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);
    enum py_kind kind = py_kind(f, n);

    if (v.kind == VALUE_MODEL)
        return CERTAIN;
    if (v.kind == VALUE_INSTANCE)
        return fact_derives_from(p, fact_file(p, v.file), v.node, FRAMEWORK_KERAS) ? CERTAIN : NOT_SEEN;
    if (v.kind != VALUE_UNKNOWN || (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE) || !keras_alone(p, f))
        return NOT_SEEN;
    return guess_model(f->syms[f->nodes[n].sym]) ? LIKELY : NOT_SEEN;
}
