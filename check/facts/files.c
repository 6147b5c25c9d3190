/* The files of a project, as rules ask for them. */
#include "check/facts/project.h"

size_t fact_n_files(const struct project *p)
{
    return p->n_files;
}

const struct py_file *fact_file(const struct project *p, size_t i)
{
    return p->files[i];
}

enum file_role fact_role(const struct project *p, const struct py_file *f)
{
    return p->facts[f->number].role;
}

const uint32_t *fact_calls(struct project *p, const struct py_file *f, size_t *n)
{
    *n = p->facts[f->number].calls.n;
    return p->facts[f->number].calls.at;
}

void project_release(struct project *p, uint16_t release)
{
    p->release = release;
}

bool fact_has_release(struct project *p, uint16_t release, const char *text)
{
    if (p->release >= release)
        return true;
    for (size_t i = 0; i < p->n_files; i++)
        if (fact_mentions(p, p->files[i], text))
            return true;
    return false;
}
