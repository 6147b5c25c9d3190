/* SHA-256 as text. */
#include "base/sha256.h"

#include <nettle/base16.h>

void sha256_add(struct sha256_ctx *sha, struct span bytes)
{
    if (bytes.len > 0)
        sha256_update(sha, bytes.len, (const uint8_t *)bytes.ptr);
}

void sha256_text(struct sha256_ctx *sha, char out[SHA256_TEXT_SIZE])
{
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_digest(sha, sizeof digest, digest);
    base16_encode_update(out, sizeof digest, digest);
    out[2 * sizeof digest] = '\0';
}

void sha256_of(struct span bytes, char out[SHA256_TEXT_SIZE])
{
    struct sha256_ctx sha;

    sha256_init(&sha);
    sha256_add(&sha, bytes);
    sha256_text(&sha, out);
}
