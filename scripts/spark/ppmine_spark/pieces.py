"""Pieces: byte ranges of files, each of which one task reads.

A piece has the records that begin in it. Plain files are cut anywhere: a task looks for the first
record in its range, and reads the last one to its end, which may be in the next range. Compressed
files are cut where decompression can begin: blocks of bzip2, members of BGZF (bgzip), frames of Zstandard.
Others (gzip, xz, 7z) are one piece.

Standard library only: this runs where the plan is made, and on every executor.
"""

import bz2
import re
import struct
import subprocess
import zlib

PLAIN, BZIP2, BGZF, ZSTD, WHOLE = "plain", "bzip2", "bgzf", "zstd", "whole"
ROWS, LINES = "rows", "lines"

ROW = re.compile(rb"<row[ \t\r\n/>]")
MARK_BYTES = 5  # of what begins with a mark, tells it
CHUNK = 1 << 20
# A task costs Spark some 30 ms of processor time, as much as 20 MB of posts; the last ones leave others idle.
PIECES_PER_CORE, LEAST_PIECE, GREATEST_PIECE = 8, 128 << 20, 1024 << 20


class BadFile(Exception):
    """A file that cannot be cut, with words on why."""


# --- what a file is ---

def compression_of(head):
    """By its first bytes, whatever its name is."""
    if head.startswith(b"BZh") and head[4:10] == b"1AY&SY":
        return BZIP2
    if head.startswith(b"\x28\xb5\x2f\xfd") or _is_skippable(head):
        return ZSTD
    if _bgzf_size(head) is not None:
        return BGZF
    if head.startswith((b"\x1f\x8b", b"\xfd7zXZ", b"7z\xbc\xaf", b"PK")):
        return WHOLE
    return PLAIN


def form_of(text):
    """Of the first bytes of the plain text: rows, lines, or None for what can only be read whole."""
    text = text.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in text[:64]:
        return None  # UTF-16
    if text.startswith(b"{"):
        line = text.split(b"\n", 1)[0].strip()
        return None if line == b"{" else LINES  # indented: a record has several lines
    declared = re.match(rb"<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)", text)
    if declared and declared.group(1).lower() not in (b"utf-8", b"us-ascii", b"iso-8859-1"):
        return None
    return ROWS


# --- where decompression can begin ---

def _is_skippable(head):
    return len(head) >= 4 and 0x184D2A50 <= struct.unpack("<I", head[:4])[0] <= 0x184D2A5F


def _bgzf_size(head):
    """The size of a member of BGZF (SAM specification, section 4.1); None for other gzip."""
    if len(head) < 18 or head[:4] != b"\x1f\x8b\x08\x04":
        return None
    extra = head[12:12 + struct.unpack("<H", head[10:12])[0]]
    while len(extra) >= 4:
        name, size = extra[:2], struct.unpack("<H", extra[2:4])[0]
        if name == b"BC" and size == 2 and len(extra) >= 6:
            return struct.unpack("<H", extra[4:6])[0] + 1
        extra = extra[4 + size:]
    return None


def _zstd_frame_end(file, at):
    """Where a frame of Zstandard ends (RFC 8878, section 3.1), by its headers alone."""
    file.seek(at)
    head = file.read(18)
    if len(head) < 4:
        raise BadFile(f"byte {at}: ends in the middle of a frame")
    if _is_skippable(head):
        if len(head) < 8:
            raise BadFile(f"byte {at}: ends in the middle of a frame")
        return at + 8 + struct.unpack("<I", head[4:8])[0]
    if not head.startswith(b"\x28\xb5\x2f\xfd") or len(head) < 6:
        raise BadFile(f"byte {at}: no frame of Zstandard")
    descriptor = head[4]
    single = descriptor >> 5 & 1
    content = (1 if single else 0, 2, 4, 8)[descriptor >> 6]
    at += 5 + (0 if single else 1) + (0, 1, 2, 4)[descriptor & 3] + content
    while True:
        file.seek(at)
        block = file.read(3)
        if len(block) < 3:
            raise BadFile(f"byte {at}: ends in the middle of a frame")
        block = int.from_bytes(block, "little")
        last, kind, size = block & 1, block >> 1 & 3, block >> 3
        at += 3 + (1 if kind == 1 else size)  # a run has one byte
        if last:
            return at + (4 if descriptor & 4 else 0)


def units_of(file, size, kind):
    """Byte offsets at which decompression can begin, the first 0; for bzip2 any will do."""
    at = 0
    while at < size:
        yield at
        if kind == ZSTD:
            at = _zstd_frame_end(file, at)
        else:
            file.seek(at)
            member = _bgzf_size(file.read(64))
            if member is None:
                raise BadFile(f"byte {at}: no member of BGZF")
            at += member


# --- the plan ---

def size_of_pieces(n_bytes, n_cores):
    """For files of so many bytes together, where the user names none."""
    return min(max(n_bytes // (n_cores * PIECES_PER_CORE), LEAST_PIECE), GREATEST_PIECE)


def plan_file(path, file, size, piece_size):
    """The pieces of an open file: dicts with path, kind, form, start, end, size."""
    head = file.read(CHUNK if size < CHUNK else 4096)
    kind = compression_of(head)
    form = form_of(_plain_head(head, kind))
    if kind == WHOLE or form is None:
        return [_piece(path, WHOLE, form, 0, size, size)]
    if kind in (PLAIN, BZIP2):
        starts = range(0, max(size, 1), piece_size)
    else:
        starts = _grouped(units_of(file, size, kind), piece_size)
    starts = list(starts)
    return [_piece(path, kind, form, start, end, size)
            for start, end in zip(starts, starts[1:] + [size])]


def _piece(path, kind, form, start, end, size):
    return {"path": path, "kind": kind, "form": form or ROWS, "start": start, "end": end,
            "size": size}


def _grouped(units, piece_size):
    wanted = 0
    for unit in units:
        if unit >= wanted:
            yield unit
            wanted = unit + piece_size


def _plain_head(head, kind):
    """The beginning of the text; of Zstandard it is not known, and rows are assumed."""
    try:
        if kind == BZIP2:
            return bz2.BZ2Decompressor().decompress(head, 4096) or b"<"
        if kind == BGZF:
            return zlib.decompressobj(31).decompress(head, 4096)
    except (OSError, zlib.error) as error:
        raise BadFile(f"damaged: {error}") from error
    return head if kind == PLAIN else b"<"


# --- text of compressed files ---

BLOCK, STREAM_END = 0x314159265359, 0x177245385090  # of bzip2: 48 bits, anywhere
MARK_BITS = 48


def _bits(data, start, end):
    """The bits from `start` to `end` of the bytes, as a number."""
    number = int.from_bytes(data[start // 8:(end + 7) // 8], "big") >> (-end % 8)
    return number & ((1 << (end - start)) - 1)


def _find_mark(data, mark):
    """Where the mark stands, in bits. Of one that begins in the middle of a byte, whole bytes
    that are behind it are looked for."""
    for shift in range(8):
        width = 5 if shift else 6
        pattern = (mark >> shift & ((1 << 8 * width) - 1)).to_bytes(width, "big")
        at = data.find(pattern)
        while at >= 0:
            bit = at * 8 - (8 - shift if shift else 0)
            if 0 <= bit <= len(data) * 8 - MARK_BITS and _bits(data, bit, bit + MARK_BITS) == mark:
                yield bit, mark
            at = data.find(pattern, at + 1)


def _as_stream(data, start, end):
    """A block as a stream of bzip2 by itself; the block's checksum is the stream's."""
    checksum = _bits(data, start + MARK_BITS, start + MARK_BITS + 32)
    number = (_bits(data, start, end) << MARK_BITS | STREAM_END) << 32 | checksum
    bits = end - start + MARK_BITS + 32
    return b"BZh9" + (number << (-bits % 8)).to_bytes((bits + 7) // 8, "big")


def _bzip2_blocks(file, start):
    """Where each block begins that begins at `start` or behind it, and the block as a stream."""
    file.seek(start)
    data, base, block = b"", start, None  # block: where one begins whose end was not seen yet
    while True:
        more = file.read(CHUNK)
        data += more
        for bit, mark in sorted([*_find_mark(data, BLOCK), *_find_mark(data, STREAM_END)]):
            if block is not None and bit > block:
                yield base + block // 8, _as_stream(data, block, bit)
                block = None
            if mark == BLOCK and block is None:
                block = bit
        if not more:
            break
        done = (max(0, len(data) * 8 - MARK_BITS) if block is None else block) // 8
        data, base = data[done:], base + done
        block = None if block is None else block - done * 8
    if block is not None:
        raise BadFile(f"byte {base + block // 8}: ends in the middle of a block")


def _bzip2_texts(file, start, _size):
    for at, block in _bzip2_blocks(file, start):
        try:
            yield at, bz2.decompress(block)
        except (OSError, ValueError) as error:
            raise BadFile(f"byte {at}: a damaged block of bzip2: {error}") from error


def _bgzf_texts(file, start, size):
    at = start
    while at < size:
        file.seek(at)
        length = _bgzf_size(file.read(64))
        if length is None:
            raise BadFile(f"byte {at}: no member of BGZF")
        file.seek(at)
        try:
            yield at, zlib.decompress(file.read(length), 31)
        except zlib.error as error:
            raise BadFile(f"byte {at}: a damaged member of BGZF: {error}") from error
        at += length


def _zstd_texts(file, start, size):
    for at in _zstd_frames(file, start, size):
        file.seek(at[0])
        done = subprocess.run(["zstd", "-dcq"], input=file.read(at[1] - at[0]),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            words = done.stderr.decode("utf-8", "replace").strip()
            raise BadFile(f"byte {at[0]}: a damaged frame of Zstandard: {words}")
        yield at[0], done.stdout


def _zstd_frames(file, start, size):
    while start < size:
        end = _zstd_frame_end(file, start)
        yield start, end
        start = end


_TEXTS = {BZIP2: _bzip2_texts, BGZF: _bgzf_texts, ZSTD: _zstd_texts}


def texts(piece, file):
    """(offset, text) of what can be decompressed from the piece's start on, to the file's end."""
    return _TEXTS[piece["kind"]](file, piece["start"], piece["size"])


# --- where records begin ---
#
# A record belongs to the piece in which its mark begins: of a row the row itself, of a line the end
# of the line before it. So a piece need not know what stands before it.

def find_record(form, text, start):
    """(mark, record): where the first mark at `start` or behind it begins, and its record; or None."""
    if form == LINES:
        mark = text.find(b"\n", start)
        return None if mark < 0 else (mark, mark + 1)
    found = ROW.search(text, start)
    return None if found is None else (found.start(), found.start())


def own_texts(piece, chunks):
    """The text of the records that belong to a piece, out of all text from its start on: pairs of
    the offset at which a text was decompressed, and the text."""
    form, started = piece["form"], piece["start"] == 0
    data, n_own = b"", 0  # what was not handed out yet, and how much of it is before the piece's end
    for offset, text in chunks:
        data += text
        if offset < piece["end"]:
            n_own = len(data)
        at_end = n_own < len(data)
        if not started:
            found = find_record(form, data, 0)
            if found is None or found[0] >= n_own:
                if at_end and (found is not None or len(data) - n_own >= MARK_BYTES):
                    return  # no record begins here
                data = data[-MARK_BYTES:] if not at_end else data
                n_own = min(n_own, len(data))
                continue
            started, data, n_own = True, data[found[1]:], max(0, n_own - found[1])
        if at_end:
            found = find_record(form, data, n_own)
            if found is not None:
                yield data[:found[1]]
                return
        done = max(0, len(data) - MARK_BYTES)
        yield data[:done]
        data, n_own = data[done:], max(0, n_own - done)
    if started:
        yield data
