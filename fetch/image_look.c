/* image_look: what kind of image bytes are, and how large, by their first bytes. */
#include "fetch/image.h"

/* --- numbers --- */

static uint32_t byte_at(struct span s, size_t at)
{
    return at < s.len ? (unsigned char)s.ptr[at] : 0;
}

enum order { BIG, LITTLE };

/* Of n bytes, the highest first (BIG) or last. */
static uint32_t number(struct span s, size_t at, size_t n, enum order order)
{
    uint32_t value = 0;

    for (size_t i = 0; i < n; i++)
        value = value << 8 | byte_at(s, at + (order == BIG ? i : n - 1 - i));
    return value;
}

static bool has_at(struct span s, size_t at, struct span what)
{
    return s.len >= at + what.len && memcmp(s.ptr + at, what.ptr, what.len) == 0;
}

/* --- the formats; each leaves the size 0 when it is not there --- */

static bool look_png(struct span s, struct image_look *out)
{
    if (!has_at(s, 0, SPAN("\x89PNG\r\n\x1a\n")))
        return false;
    if (has_at(s, 12, SPAN("IHDR")) && s.len >= 24) {
        out->width = number(s, 16, 4, BIG);
        out->height = number(s, 20, 4, BIG);
    }
    return true;
}

static bool look_gif(struct span s, struct image_look *out)
{
    if (!has_at(s, 0, SPAN("GIF87a")) && !has_at(s, 0, SPAN("GIF89a")))
        return false;
    out->width = number(s, 6, 2, LITTLE);
    out->height = number(s, 8, 2, LITTLE);
    return true;
}

static bool look_jpeg(struct span s, struct image_look *out)
{
    size_t at = 2;

    if (!has_at(s, 0, SPAN("\xff\xd8\xff")))
        return false;
    while (at + 9 <= s.len && byte_at(s, at) == 0xff) {
        uint32_t marker = byte_at(s, at + 1);
        if (marker == 0xff) { /* fill */
            at++;
            continue;
        }
        /* A frame header is one of SOF0 to SOF15 but for three numbers in between that are tables. */
        if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
            out->height = number(s, at + 5, 2, BIG);
            out->width = number(s, at + 7, 2, BIG);
            break;
        }
        at += 2 + number(s, at + 2, 2, BIG);
    }
    return true;
}

static bool look_webp(struct span s, struct image_look *out)
{
    if (!has_at(s, 0, SPAN("RIFF")) || !has_at(s, 8, SPAN("WEBPVP8")) || s.len < 30)
        return false;
    switch (s.ptr[15]) {
    case ' ': /* lossy: after the frame's tag and start code */
        if (has_at(s, 23, SPAN("\x9d\x01\x2a"))) {
            out->width = number(s, 26, 2, LITTLE) & 0x3fff;
            out->height = number(s, 28, 2, LITTLE) & 0x3fff;
        }
        break;
    case 'L': /* lossless: 14 bits for each, one less than it is */
        if (byte_at(s, 20) == 0x2f) {
            out->width = (number(s, 21, 4, LITTLE) & 0x3fff) + 1;
            out->height = (number(s, 21, 4, LITTLE) >> 14 & 0x3fff) + 1;
        }
        break;
    case 'X': /* more than one part: the canvas */
        out->width = number(s, 24, 3, LITTLE) + 1;
        out->height = number(s, 27, 3, LITTLE) + 1;
        break;
    default:
        break;
    }
    return true;
}

static const struct {
    const char *type;
    bool (*look)(struct span s, struct image_look *out);
} kinds[] = {
    {"image/png", look_png},
    {"image/jpeg", look_jpeg},
    {"image/gif", look_gif},
    {"image/webp", look_webp},
};

bool image_look(struct span bytes, struct image_look *out, const char **why)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        *out = (struct image_look){.type = kinds[i].type};
        if (!kinds[i].look(bytes, out))
            continue;
        bool sized = out->width > 0 && out->height > 0;
        *why = !sized                                                            ? "damaged image"
               : (uint64_t)out->width * out->height > (uint64_t)IMAGE_PIXELS_MAX ? "too many pixels"
                                                                                 : NULL;
        return *why == NULL;
    }
    *why = "not a PNG, JPEG, GIF or WebP image";
    return false;
}
