/* sha256: SHA-256 as text. */
#pragma once

#include "base/base.h"

#include <nettle/sha2.h>

#define SHA256_TEXT_SIZE 65 /* hexadecimal */

void sha256_add(struct sha256_ctx *sha, struct span bytes);
void sha256_text(struct sha256_ctx *sha, char out[SHA256_TEXT_SIZE]); /* and begins again */
void sha256_of(struct span bytes, char out[SHA256_TEXT_SIZE]);
