/* A Python file, from its text to its nodes, scopes and names. */
#include "check/python/py_parts.h"
#include "check/python/scope.h"

bool py_read(struct py_parser *p, struct py_file *f)
{
    if (f->code.ptr == NULL)
        f->code = (struct span){"", 0};
    f->lines = span_lines(f->code, &f->n_lines);
    py_begin(p, f);
    if (f->code.len <= PY_CODE_MAX)
        py_read_code(p, f);
    bool fine = py_end(p, f);
    scope_build(f);
    uses_build(f);
    return fine;
}

void py_clear(struct py_file *f)
{
    mem_free(f->nodes);
    mem_free(f->comments);
    mem_free(f->syms);
    mem_free(f->sym_slots);
    mem_free(f->scopes);
    mem_free(f->defs);
    mem_free(f->def_slots);
    mem_free(f->def_order);
    mem_free(f->uses);
    mem_free(f->first_uses);
    mem_free(f->lines);
    *f = (struct py_file){0};
}
