/* PP425: pictures are transformed, again and again, by functions that OpenCV has many times faster. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* What is slow, and what does the same on bytes. */
static const struct twin {
    const char *name, *fast;
} twins[] = {
    {"matplotlib.colors.hsv_to_rgb", "cv2.cvtColor(image, cv2.COLOR_HSV2RGB)"},
    {"matplotlib.colors.rgb_to_hsv", "cv2.cvtColor(image, cv2.COLOR_RGB2HSV)"},
    {"scipy.misc.imresize", "cv2.resize(image, (width, height))"},
    {"scipy.misc.imrotate", "cv2.warpAffine()"},
    {"skimage.color.rgb2gray", "cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)"},
    {"skimage.color.rgb2hsv", "cv2.cvtColor(image, cv2.COLOR_RGB2HSV)"},
    {"skimage.color.rgb2lab", "cv2.cvtColor(image, cv2.COLOR_RGB2LAB)"},
    {"skimage.transform.rescale", "cv2.resize(image, None, fx=scale, fy=scale)"},
    {"skimage.transform.resize", "cv2.resize(image, (width, height))"},
    {"skimage.transform.rotate", "cv2.warpAffine()"},
};

static const struct twin *twin_of(struct span name)
{
    for (size_t i = 0; i < ARRAY_LEN(twins); i++)
        if (span_eq(name, span_of(twins[i].name)))
            return &twins[i];
    return NULL;
}

/* Is there such a call before it in the same function? That one has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = py_function_of(f, call);

    for (uint32_t n = function; n < call; n++)
        if (py_kind(f, n) == PY_CALL && py_function_of(f, n) == function && twin_of(fact_name(p, f, n)) != NULL)
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct twin *twin = twin_of(fact_name(p, f, call));
    struct repeated where;

    if (twin == NULL || !fact_repeated(p, f, call, &where) || said_before(p, f, call))
        return;
    if (!where.by_call && fact_guarded(f, call, where.loop.node))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s runs for each picture of the loop in %s",
                                             twin->name, RULE_PLACE(f, where.file, where.loop.node));
    rule_advice(found, "Use %s on bytes; compare the result, which is not the same to the last digit.", twin->fast);
    if (!fact_in_program(p, where.file, where.loop.node))
        rule_unsure(found);
}

const struct rule rule_PP425 = {
    .about =
        {
            .id = "PP425",
            .name = "slow-image-function",
            .summary = "Images are transformed by functions that are many times slower than those of OpenCV",
            .why = "It works on float64 in several passes; OpenCV works on bytes, on all processors.",
            .advice = "Use OpenCV's function on bytes.",
            .impact = CHECK_MEDIUM,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .call = check_call,
};
