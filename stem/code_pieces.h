/* code_pieces: code cut where its colour changes. For stem only. */
#pragma once

#include "base/base.h"

enum code_piece { CODE_PLAIN, CODE_WORD, CODE_TEXT, CODE_NUMBER, CODE_COMMENT };

/* Cuts the next piece off *code, which is not empty; any bytes, and all of them come out in order. Knows
 * Python; a quotation mark without a second one on its line is plain, as posts show output as well. */
enum code_piece code_piece(struct span *code, struct span *piece);
