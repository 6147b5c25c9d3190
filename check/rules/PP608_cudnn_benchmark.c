/* PP608: convolutions over images of one size, without the search for the fastest of them. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { ROOT = 1 };

static bool is_convolution(struct project *p, const struct py_file *f, uint32_t call)
{
    return span_has(fact_name(p, f, call), "torch.nn.Conv") || span_has(fact_name(p, f, call), "torchvision.models.") ||
           span_has(fact_name(p, f, call), "torch.nn.functional.conv");
}

static bool convolves(struct project *p, const struct py_file *f, uint32_t root)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    (void)root;
    for (size_t i = 0; i < n; i++)
        if (is_convolution(p, f, calls[i]))
            return true;
    return false;
}

/* In the file, or one whose functions or classes it calls. */
static bool convolves_near(struct project *p, const struct py_file *f, uint32_t root)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    if (fact_once(p, f, root, convolves))
        return true;
    for (size_t i = 0; i < n; i++) {
        const struct py_file *file;
        uint32_t callee;
        if (fact_callee(p, f, calls[i], &file, &callee) && file != f && fact_once(p, file, root, convolves))
            return true;
    }
    return false;
}

static bool is_resized(struct project *p, const struct py_file *f)
{
    return fact_mentions(p, f, "Resize(") || fact_mentions(p, f, "RandomCrop(") || fact_mentions(p, f, "CenterCrop(") ||
           fact_mentions(p, f, "RandomResizedCrop(") || fact_mentions(p, f, "hr_shape") ||
           fact_mentions(p, f, "img_size") || fact_mentions(p, f, "image_size");
}

/* Where the program asks for the device, or moves its module there; 0: nowhere. */
static uint32_t asks_for_device(struct project *p, const struct py_file *f)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    for (size_t i = 0; i < n; i++) {
        struct span method = {"", 0};
        uint32_t receiver = py_receiver(f, calls[i], &method);
        if (fact_is(p, f, calls[i], "torch.cuda.is_available") ||
            (receiver != 0 && span_eq(method, SPAN("cuda")) && fact_module(p, f, receiver) != NOT_SEEN))
            return calls[i];
    }
    return 0;
}

static bool sets_it(struct project *p)
{
    for (size_t i = 0; i < fact_n_files(p); i++)
        if (fact_mentions(p, fact_file(p, i), "cudnn.benchmark = True") ||
            fact_mentions(p, fact_file(p, i), "cudnn.benchmark=True"))
            return true;
    return false;
}

/* Does the file run modules in a loop at its top, or in a function that is the program? */
static bool is_program(struct project *p, const struct py_file *f)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    for (size_t i = 0; i < n; i++)
        if (fact_module_run(p, f, calls[i], NULL) != 0 && fact_loop(p, f, calls[i]).node != 0)
            return true;
    return false;
}

static void look(struct rule_run *r, struct project *p, const struct py_file *f)
{
    uint32_t asks = asks_for_device(p, f);

    if (asks == 0 || sets_it(p) || fact_mentions(p, f, "cudnn") || !is_resized(p, f) || !is_program(p, f) ||
        !fact_once(p, f, ROOT, convolves_near))
        return;
    rule_report(r, asks, CHECK_LOW, "all images have one size, but cudnn.benchmark is not set");
}

const struct rule_looks rule_PP608 = {.run = look};
