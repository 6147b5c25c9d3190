/* refi_text: names and places that both directions of REFI-QDA know. For label/exchange/refi_*.c only. */
#pragma once

#include "base/base.h"

#define REFI_PROJECT "urn:QDA-XML:project:1.0"
#define REFI_CODEBOOK "urn:QDA-XML:codebook:1.0"
#define REFI_ORIGIN "ppmine"

/* Appends a quote of the body as a page of `serve` writes it. */
void refi_quote_add(struct buf *out, struct span words, size_t start, size_t end);

/* A category, or code, with those that it is within; either may be empty. */
struct span MUST_USE refi_path(struct arena *arena, struct span category, struct span name);

/* The variables of a source that are not members of a post (base/post/post.h). */
extern const char *const refi_variables[];
enum { REFI_POST_ID, REFI_SITE, REFI_POST_TYPE, REFI_VARIABLES };
