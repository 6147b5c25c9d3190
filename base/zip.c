/* zip: a zip archive of stored files. */
#include "base/zip.h"

static void add_le(struct buf *out, uint64_t value, size_t bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        buf_add_char(out, (char)(value & 0xff));
}

static uint32_t crc32_of(struct span s)
{
    uint32_t table[256], crc = 0xffffffff;

    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
    }
    for (size_t i = 0; i < s.len; i++)
        crc = crc >> 8 ^ table[(crc ^ (unsigned char)s.ptr[i]) & 0xff];
    return ~crc;
}

static void add_entry(struct buf *out, const char *magic, const char *name, struct span content, uint32_t crc)
{
    buf_add_text(out, magic);
    add_le(out, 20, 8); /* version 2.0 unpacks it; no flags, no method, no time */
    add_le(out, 1 << 5 | 1, 2);
    add_le(out, crc, 4);
    add_le(out, content.len, 4);
    add_le(out, content.len, 4);
    add_le(out, strlen(name), 4);
}

void zip_add(struct zip *z, struct buf *out, const char *name, struct span content)
{
    uint32_t crc = crc32_of(content);
    size_t before = out->len;

    z->too_large |= z->written + content.len > UINT32_MAX - UINT16_MAX || z->n_files >= UINT16_MAX;
    if (z->too_large)
        return;
    buf_add_text(&z->directory, "PK\1\2");
    add_le(&z->directory, 20, 2);
    add_entry(&z->directory, "", name, content, crc);
    add_le(&z->directory, 0, 10);
    add_le(&z->directory, z->written, 4);
    buf_add_text(&z->directory, name);
    z->n_files++;
    add_entry(out, "PK\3\4", name, content, crc);
    buf_add_text(out, name);
    buf_add_span(out, content);
    z->written += out->len - before;
}

void zip_end(struct zip *z, struct buf *out)
{
    buf_add_span(out, buf_span(&z->directory));
    buf_add_text(out, "PK\5\6");
    add_le(out, 0, 4);
    add_le(out, z->n_files, 2);
    add_le(out, z->n_files, 2);
    add_le(out, z->directory.len, 4);
    add_le(out, z->written, 4);
    add_le(out, 0, 2);
}

void zip_clear(struct zip *z)
{
    buf_clear(&z->directory);
}
