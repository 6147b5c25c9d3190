/* What each approach achieves on a case: XLA, a profile, the findings of check. */
#include "bench/results.h"

#include <math.h>
#include <stdarg.h>

const char *const bench_grade_names[] = {"not applicable", "not solved", "partially solved", "solved", NULL};

static const double RATIO_LEAST = 1.5, WAY_LEAST = 1.0 / 3, REACH_LEAST = 1.2, LONGER_MOST = 1.2;

static PRINTF_LIKE(2, 3) struct bench_opinion opinion(enum bench_grade grade, const char *fmt, ...)
{
    struct bench_opinion o = {.grade = grade};
    va_list arguments;

    va_start(arguments, fmt);
    vsnprintf(o.why, sizeof o.why, fmt, arguments);
    va_end(arguments);
    return o;
}

/* --- XLA --- */

/* How far from buggy (0) to fixed (1) a figure is, on a log scale. */
static double way(const struct bench_xla *x, double figure)
{
    return log(x->buggy / figure) / log(x->buggy / x->fixed);
}

struct bench_opinion bench_judge_xla(const struct bench_case *c, const struct bench_xla *x)
{
    const char *how = c->metric == BENCH_HANG ? "runs into the time limit" : "lacks memory";
    double worst = x->fixed_worst / x->fixed, reach = worst > REACH_LEAST ? worst : REACH_LEAST;
    double gain = x->buggy / x->net, wanted = x->buggy / x->fixed, longer = x->work / x->buggy_work;
    enum bench_grade grade = BENCH_NOT_SOLVED;

    if (x->way == BENCH_PLAIN && x->failed)
        return opinion(BENCH_NOT_APPLICABLE, "failed under XLA: %s", x->said);
    if (x->way == BENCH_PLAIN)
        return opinion(BENCH_NOT_APPLICABLE, "XLA compiled nothing%s%s", x->said[0] != '\0' ? ": " : "", x->said);
    if (bench_is_failure(c->metric))
        return x->fails_so ? opinion(BENCH_NOT_SOLVED, "with XLA it %s as well", how)
                           : opinion(BENCH_SOLVED, "with XLA it no longer %s", how);
    if (x->too_long)
        return opinion(BENCH_NOT_SOLVED, "with XLA it was %s, after %.0f compilations", x->said, x->compilations);
    if (x->differs)
        return opinion(BENCH_NOT_SOLVED, "with XLA it computes something else");
    if (!(wanted >= RATIO_LEAST))
        return opinion(BENCH_NOT_APPLICABLE, "buggy over fixed is %.2f here, so there is nothing to solve", wanted);
    if (!(x->net > 0) || !(x->figure > 0))
        return opinion(BENCH_NOT_APPLICABLE, "failed under XLA: it printed no figures");

    if ((c->metric == BENCH_STEP_GROWTH || c->metric == BENCH_MEMORY_GROWTH) && longer > LONGER_MOST)
        return opinion(BENCH_NOT_SOLVED,
                       "growth is %.2f times less with XLA (fixed: %.2f), but all of it takes %.1f times as long", gain,
                       wanted, longer);
    if (x->net <= x->fixed * reach && way(x, x->figure) >= WAY_LEAST)
        grade = BENCH_SOLVED;
    else if (way(x, x->net) >= WAY_LEAST)
        grade = BENCH_PARTLY_SOLVED;
    return opinion(grade, "%.2f times better with XLA, %.2f with its compiling counted; fixed: %.2f", gain,
                   x->buggy / x->figure, wanted);
}

/* --- the Profiler --- */

static const struct span STAGE = {"Iterator::", 10};

static void drop(struct span *s, struct span prefix)
{
    if (s->len > prefix.len && span_starts(*s, prefix))
        *s = (struct span){s->ptr + prefix.len, s->len - prefix.len};
}

/* The name without what TensorFlow puts around it to say how the operation is done. */
static struct span plain_operation(struct span name)
{
    static const char *const prefixes[] = {"_", "Mkl", "Native", "Fused"};
    size_t n;

    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
        drop(&name, span_of(prefixes[i]));
    for (n = name.len; n > 0 && name.ptr[n - 1] >= '0' && name.ptr[n - 1] <= '9'; n--) {
    }
    if (n > 1 && n < name.len && name.ptr[n - 1] == 'V')
        name.len = n - 1;
    return name;
}

static bool is_entry(struct span costly, struct span name)
{
    if (!span_starts(costly, STAGE))
        return span_eq(plain_operation(costly), plain_operation(name));
    if (!span_starts(name, STAGE))
        return false;
    drop(&costly, STAGE);
    drop(&name, STAGE);
    drop(&name, SPAN("Parallel"));
    return span_starts(name, costly);
}

/* The place of the first costly entry, from 1; SIZE_MAX when there is none. */
static size_t costly_place(const struct bench_case *c, const struct bench_profile *p, const struct bench_entry **found)
{
    size_t at = 1;

    *found = NULL;
    for (size_t i = 0; i < p->n; i++) {
        for (struct span rest = span_of(c->costly), one; span_cut(&rest, ',', &one);)
            if (span_trim(one).len > 0 && is_entry(span_trim(one), span_of(p->entries[i].name))) {
                *found = &p->entries[i];
                return at;
            }
        at += strcmp(p->entries[i].name, "eager execution") != 0;
    }
    return SIZE_MAX;
}

/* Why there is nothing to compare; NULL: there is. */
static const char *no_profiles(const struct bench_case *c, const struct bench_profile *buggy,
                               const struct bench_profile *fixed)
{
    if (c->costly[0] == '\0')
        return "what the mistake costs is neither an operation nor a stage of input";
    if (c->metric == BENCH_MEMORY_GROWTH || c->metric == BENCH_PEAK_MEMORY || c->metric == BENCH_PEAK_MEMORY_TOTAL ||
        c->metric == BENCH_EXHAUSTION)
        return "the symptom is memory, and the profile is one of time";
    if (buggy->ran && buggy->n == 0)
        return "the Profiler recorded no operation";
    if (!buggy->ran)
        return buggy->said;
    return fixed->ran ? NULL : fixed->said;
}

struct bench_opinion bench_judge_profiles(const struct bench_case *c, const struct bench_profile *buggy,
                                          const struct bench_profile *fixed, size_t *place,
                                          const struct bench_entry **found)
{
    const char *none = no_profiles(c, buggy, fixed);
    const struct bench_entry *entry, *left;
    size_t at = costly_place(c, buggy, &entry), after = costly_place(c, fixed, &left);
    char there[100] = "not one of fixed.py";

    if (place != NULL)
        *place = none == NULL && entry != NULL ? at : 0;
    if (found != NULL)
        *found = none == NULL ? entry : NULL;
    if (none != NULL)
        return opinion(BENCH_NOT_APPLICABLE, "%s%s", none == buggy->said || none == fixed->said ? "no profile: " : "",
                       none);
    if (entry == NULL)
        return opinion(BENCH_NOT_SOLVED, "nothing that is costly is among the %zu entries", buggy->n);
    if (left != NULL)
        snprintf(there, sizeof there, "entry %zu of fixed.py, with %.3f s", after, left->seconds);
    return opinion(at <= BENCH_TOP && after > BENCH_TOP                 ? BENCH_SOLVED
                   : at <= BENCH_TOP_PARTLY && after > BENCH_TOP_PARTLY ? BENCH_PARTLY_SOLVED
                                                                        : BENCH_NOT_SOLVED,
                   "%.100s is entry %zu, with %.3f s, and %s", entry->name, at, entry->seconds, there);
}

/* --- a checker --- */

static size_t count(const struct bench_findings *f, int side, const char *rule, bool warnings_only)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n[side]; i++)
        n += (rule == NULL || strcmp(f->items[side][i].rule, rule) == 0) &&
             (f->items[side][i].warning || !warnings_only);
    return n;
}

/* The rule that has more findings in buggy, or NULL. */
static const char *telling_rule(const struct bench_findings *f, bool warnings_only)
{
    for (size_t i = 0; i < f->n[BENCH_BUGGY]; i++) {
        const char *rule = f->items[BENCH_BUGGY][i].rule;
        if (count(f, BENCH_BUGGY, rule, warnings_only) > count(f, BENCH_FIXED, rule, warnings_only))
            return rule;
    }
    return NULL;
}

struct bench_opinion bench_judge_findings(const struct bench_findings *f, const char **rule)
{
    const char *warned = telling_rule(f, true), *noted = telling_rule(f, false);
    size_t left = count(f, BENCH_FIXED, NULL, true);

    if (rule != NULL)
        *rule = warned != NULL ? warned : noted;
    if (f->unreadable)
        return opinion(BENCH_NOT_APPLICABLE, "a script could not be read");
    if (warned != NULL && left == 0)
        return opinion(BENCH_SOLVED, "%s warns of buggy.py, and nothing of fixed.py", warned);
    if (warned != NULL)
        return opinion(BENCH_PARTLY_SOLVED, "%s warns of buggy.py, but fixed.py has %zu warnings", warned, left);
    if (noted != NULL)
        return opinion(BENCH_PARTLY_SOLVED, "%s has a note on buggy.py", noted);
    if (f->n[BENCH_BUGGY] > 0)
        return opinion(BENCH_NOT_SOLVED, "%s, in both scripts", f->items[BENCH_BUGGY][0].rule);
    return opinion(BENCH_NOT_SOLVED, "no finding");
}
