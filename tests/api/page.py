"""Bytes of answers: items as compressed fragments that are joined into pages.

Each item is compressed once, as a piece of deflate stream that stands alone; a page is these pieces
between stored blocks. So a page costs little though the end of every answer (the quota) differs.
"""
import json
import struct
import zlib

from corpus import render

COMMA = b'\x00\x01\x00\xfe\xff,'
GZIP_HEAD = b'\x1f\x8b\x08\x00\x00\x00\x00\x00\x04\x00'


def dump(value):
    """Compact JSON in UTF-8; what UTF-8 cannot hold (a lone surrogate) stays an escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(',', ':'))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(',', ':')).encode()


def piece(data):
    squeeze = zlib.compressobj(1, zlib.DEFLATED, -15)
    return squeeze.compress(data) + squeeze.flush(zlib.Z_FULL_FLUSH)


def last_piece(data):
    squeeze = zlib.compressobj(1, zlib.DEFLATED, -15)
    return squeeze.compress(data) + squeeze.flush()


class Body:
    """A body: the deflate pieces of its head with (crc32, adler32, length), and a plain tail."""

    def __init__(self, pieces, sums, tail):
        self.pieces, self.tail = pieces, tail
        self.crc, self.adler, self.length = sums

    def plain(self):
        return zlib.decompressobj(-15).decompress(self.pieces) + self.tail

    def raw_deflate(self):
        return self.pieces + last_piece(self.tail)

    def zlib(self):
        return b'\x78\x01' + self.raw_deflate() + struct.pack('>I', zlib.adler32(self.tail, self.adler))

    def gzip(self):
        size = (self.length + len(self.tail)) & 0xffffffff
        return GZIP_HEAD + self.raw_deflate() + struct.pack('<II', zlib.crc32(self.tail, self.crc), size)


def body_of(data):
    return Body(b'', (0, 1, 0), data)


class Pages:
    """Caches items and the heads of pages; both know the version they were made from."""

    def __init__(self, again):
        self.again = again
        self.items = {}
        self.heads = {}

    def clear(self):
        self.items.clear()
        self.heads.clear()

    def item(self, thing, kind, filt):
        if isinstance(thing, dict):
            data = dump(render(thing, kind, filt))
            return data, piece(data)
        root = thing.root if hasattr(thing, 'root') else thing.post.root
        key = (filt.name, kind, thing.id)
        found = self.items.get(key)
        if found is None or found[0] != root.version:
            data = dump(render(thing, kind, filt, self.again))
            found = self.items[key] = (root.version, data, piece(data))
        return found[1:]

    def head(self, things, kind, filt, key):
        """(deflate pieces, (crc32, adler32, length)) of '{"items":[…]'; cached by key if any."""
        found = self.heads.get(key)
        if found is None:
            parts = [self.item(thing, kind, filt) for thing in things]
            plain = b'{"items":[' + b','.join(p for p, _ in parts) + b']'
            pieces = piece(b'{"items":[') + COMMA.join(z for _, z in parts) + piece(b']')
            found = pieces, (zlib.crc32(plain), zlib.adler32(plain), len(plain))
            if len(self.heads) > 1000:
                self.heads.clear()
            if key is not None:
                self.heads[key] = found
        return found
