"""Per-tile vectors as they are stored: docs/FORMAT-pop.md, "by tile". Nothing in a blob is trusted."""

from __future__ import annotations

import array
import sys
import zlib
from typing import List, Tuple

_HEADER_BYTES = 5
_TYPES = [next(t for t in "BHILQ" if array.array(t).itemsize == width) for width in (1, 2, 4, 8)]


class BlobError(ValueError):
    """A blob that is not what the format says."""


def _numbers(payload: bytes, widthLog: int) -> List[int]:
    values = array.array(_TYPES[widthLog])
    values.frombytes(payload)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tolist()


def _inflateExactly(body: bytes, size: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        payload = inflater.decompress(body, size + 1)  # one more than allowed shows that there is more
    except zlib.error:
        payload = b""
    if not inflater.eof or inflater.unused_data or len(payload) != size:
        raise BlobError("it does not decompress to the stated size")
    return payload


def _open(blob: bytes, maxTiles: int) -> Tuple[bool, List[int], List[int]]:
    """Sparse or not, tile numbers (sparse only), values."""
    if len(blob) < _HEADER_BYTES:
        raise BlobError("it is shorter than its header")
    flags, count = blob[0], int.from_bytes(blob[1:_HEADER_BYTES], "little")
    codec, widthLog, sparse = flags & 3, flags >> 2 & 3, bool(flags & 16)
    if codec > 1 or flags & ~0x1F:
        raise BlobError("unknown header byte")
    if count > maxTiles:
        raise BlobError("more values than tiles")
    split = count * 4 if sparse else 0
    size = split + (count << widthLog)
    payload = bytes(blob[_HEADER_BYTES:])
    if codec == 1:
        payload = _inflateExactly(payload, size)
    if len(payload) != size:
        raise BlobError("its size does not match its count")
    return sparse, _numbers(payload[:split], 2), _numbers(payload[split:], widthLog)


def decodeTileValues(blob: bytes, maxTiles: int) -> List[Tuple[int, int]]:
    """(tile, value) where the value is not 0, by tile."""
    sparse, tiles, values = _open(blob, maxTiles)
    if not sparse:
        return [entry for entry in enumerate(values) if entry[1]]
    if tiles and (tiles[-1] >= maxTiles or any(a >= b for a, b in zip(tiles, tiles[1:]))):
        raise BlobError("tile numbers do not ascend")
    return [entry for entry in zip(tiles, values) if entry[1]]


def decodeDense(blob: bytes, maxTiles: int) -> List[int]:
    """One value per tile; a dense blob may stop early, a sparse one gives exactly maxTiles."""
    sparse, _, values = _open(blob, maxTiles)
    if not sparse:
        return values
    values = [0] * maxTiles
    for tile, value in decodeTileValues(blob, maxTiles):
        values[tile] = value
    return values
