/*
 * py_parts: how much of a file is given to the parser at a time. Between py.c, which reads a piece,
 * and py_parts.c, which says which pieces.
 */
#pragma once

#include "check/python/python.h"

/* The parser's tree takes a hundred times the code, so that larger files are read in parts. */
enum { PY_PART_BYTES = 1 << 20 };

struct py_piece {
    struct py_file *f;
    uint32_t from, to; /* bytes of its code */
    double until;      /* of py_seconds, the latest time to end; 0: none */
    bool has_errors;   /* comes back */
};

/* Adds the piece's nodes to those of the file, below one module, or nothing, after `seconds` at
 * least and two for each MB of code, of which Python takes one at most. false: it took more time or
 * memory, or could not be counted. */
bool MUST_USE py_read_piece(struct py_parser *p, struct py_piece *piece, double seconds);
/* What this thread has used of the processor. */
double py_seconds(void);

/* Adds what can be read of f->code, all of it or pieces, to f->nodes; sets has_errors and what was
 * left unread. */
void py_read_code(struct py_parser *p, struct py_file *f);
