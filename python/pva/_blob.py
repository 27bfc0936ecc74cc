"""Per-tile vectors as they are stored: docs/FORMAT-pop.md, "by tile" and "packed". Nothing in a blob is trusted."""

from __future__ import annotations

import array
import sys
import zlib
from typing import Any, List, Tuple

_HEADER_BYTES = 5
_ONE_TILE = 32
_TYPES = [next(t for t in "BHILQ" if array.array(t).itemsize == width) for width in (1, 2, 4, 8)]


class BlobError(ValueError):
    """A blob that is not what the format says."""


def numbersOf(payload: bytes, widthLog: int) -> List[int]:
    values = array.array(_TYPES[widthLog])
    values.frombytes(payload)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tolist()


def signedNumbers(payload: bytes, widthLog: int) -> Any:
    values = array.array(_TYPES[widthLog].lower())
    values.frombytes(payload)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def inflateExactly(body: bytes, size: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        payload = inflater.decompress(body, size + 1)  # one more than allowed shows that there is more
    except zlib.error:
        payload = b""
    if not inflater.eof or inflater.unused_data or len(payload) != size:
        raise BlobError("it does not decompress to the stated size")
    return payload


def _openOneTile(blob: bytes) -> Tuple[bool, List[int], List[int]]:
    tileLog, widthLog = blob[0] & 3, blob[0] >> 2 & 3
    if tileLog > 2 or blob[0] & ~0x2F:
        raise BlobError("unknown header byte")
    split = 1 + (1 << tileLog)
    if len(blob) != split + (1 << widthLog):
        raise BlobError("its size does not match its widths")
    return True, numbersOf(blob[1:split], tileLog), numbersOf(blob[split:], widthLog)


def _open(blob: bytes, maxTiles: int) -> Tuple[bool, List[int], List[int]]:
    """Sparse or not, tile numbers (sparse only), values."""
    if isPackedList(blob):
        numbers = decodePackedList(blob)
        if len(numbers) > maxTiles:
            raise BlobError("more values than tiles")
        return False, [], numbers
    if blob and blob[0] & _ONE_TILE:
        return _openOneTile(blob)
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
        payload = inflateExactly(payload, size)
    if len(payload) != size:
        raise BlobError("its size does not match its count")
    return sparse, numbersOf(payload[:split], 2), numbersOf(payload[split:], widthLog)


def decodeTileValues(blob: bytes, maxTiles: int) -> List[Tuple[int, int]]:
    """(tile, value) where the value is not 0, by tile."""
    sparse, tiles, values = _open(blob, maxTiles)
    if not sparse:
        return [entry for entry in enumerate(values) if entry[1]]
    if tiles and (tiles[-1] >= maxTiles or any(a >= b for a, b in zip(tiles, tiles[1:]))):
        raise BlobError("tile numbers do not ascend")
    return [entry for entry in zip(tiles, values) if entry[1]]


class Packed:
    """A blob of blocks of 64 numbers."""

    NUMBERS, CODEC, _UNKNOWN = 64, 2, 255

    def __init__(self, blob: bytes, tiles: int) -> None:
        blocks = -(-tiles // self.NUMBERS)
        if len(blob) < _HEADER_BYTES:
            raise BlobError("it is shorter than its header")
        if blob[0] != self.CODEC:
            raise BlobError("unknown header byte")
        if int.from_bytes(blob[1:_HEADER_BYTES], "little") != blocks:
            raise BlobError("it does not hold the stated number of blocks")
        self.words = _HEADER_BYTES + 5 * blocks
        if len(blob) < self.words:
            raise BlobError("it is shorter than its blocks")
        self.bits = [0 if b == self._UNKNOWN else b for b in blob[_HEADER_BYTES:_HEADER_BYTES + blocks]]
        if any(b > 32 for b in self.bits):
            raise BlobError("a block has more than 32 bits")
        if len(blob) != self.words + 8 * sum(self.bits):
            raise BlobError("its size does not match its blocks")
        self.smallest = numbersOf(blob[_HEADER_BYTES + blocks:self.words], 2)
        self.blob, self.tiles = blob, tiles

    def all(self) -> List[int]:
        """One number per tile."""
        numbers: List[int] = []
        at = self.words
        for bits, smallest in zip(self.bits, self.smallest):
            block = int.from_bytes(self.blob[at:at + 8 * bits], "little")
            mask = (1 << bits) - 1
            numbers += [(smallest + (block >> i * bits & mask)) & 0xFFFFFFFF for i in range(self.NUMBERS)]
            at += 8 * bits
        return numbers[:self.tiles]

    def one(self, tile: int) -> int:
        index, position = divmod(tile, self.NUMBERS)
        bits = self.bits[index]
        at = self.words + 8 * sum(self.bits[:index])
        block = int.from_bytes(self.blob[at:at + 8 * bits], "little")
        return (self.smallest[index] + (block >> position * bits & ((1 << bits) - 1))) & 0xFFFFFFFF

    def array(self) -> Any:
        """all() as a numpy array of uint32."""
        import numpy

        payload = numpy.frombuffer(self.blob, dtype=numpy.uint8, offset=self.words)
        bits = numpy.array(self.bits, dtype=numpy.int64)
        starts = 8 * (numpy.cumsum(bits) - bits)
        out = numpy.repeat(numpy.array(self.smallest, dtype=numpy.uint32), self.NUMBERS).reshape(-1, self.NUMBERS)
        for width in {b for b in self.bits if b}:
            blocks = numpy.flatnonzero(bits == width)
            rows = payload[starts[blocks][:, None] + numpy.arange(8 * width)]
            flags = numpy.unpackbits(rows, axis=1, bitorder="little").reshape(len(blocks), self.NUMBERS, width)
            weights = numpy.left_shift(numpy.uint32(1), numpy.arange(width, dtype=numpy.uint32))
            out[blocks] += (flags * weights).sum(axis=2, dtype=numpy.uint32)
        return out.reshape(-1)[:self.tiles]


def packed(numbers: List[int]) -> bytes:
    """The blob of blocks that Packed reads; numbers below 2**32."""
    bits, smallest, words = b"", [], b""
    for first in range(0, len(numbers), Packed.NUMBERS):
        block = numbers[first:first + Packed.NUMBERS]
        low = min(block)
        width = (max(block) - low).bit_length()
        block += block[-1:] * (Packed.NUMBERS - len(block))
        bits += bytes([width])
        smallest.append(low.to_bytes(4, "little"))
        words += sum((n - low) << i * width for i, n in enumerate(block)).to_bytes(8 * width, "little")
    return bytes([Packed.CODEC]) + len(bits).to_bytes(4, "little") + bits + b"".join(smallest) + words


_LIST_CODEC, _MASKED_CODEC = 3, 7
_MASKED_HEADER_BYTES = 6


def isPackedList(blob: bytes) -> bool:
    return blob[:1] in (bytes([_LIST_CODEC]), bytes([_MASKED_CODEC]))


def _decodeMasked(blob: bytes, count: int) -> List[int]:
    mask = (count + 63) // 64 * 8
    if len(blob) < _MASKED_HEADER_BYTES + mask:
        raise BlobError("it is shorter than its mask")
    shift = blob[_HEADER_BYTES]
    if shift > 31:
        raise BlobError("its numbers are shifted by more than 31 bits")
    bits = int.from_bytes(blob[_MASKED_HEADER_BYTES:_MASKED_HEADER_BYTES + mask], "little")
    if bits >> count:
        raise BlobError("its mask has more bits than numbers")
    there = [at for at, bit in enumerate(reversed(bin(bits))) if bit == "1"]
    numbers = [0] * count
    for at, number in zip(there, Packed(blob[_MASKED_HEADER_BYTES + mask:], len(there)).all()):
        if number << shift > 0xFFFFFFFF:
            raise BlobError("a number has more than 32 bits")
        numbers[at] = number << shift
    return numbers


def decodePackedList(blob: bytes) -> List[int]:
    """Numbers that are not by tile."""
    if len(blob) < _HEADER_BYTES or not isPackedList(blob):
        raise BlobError("unknown header byte")
    count = int.from_bytes(blob[1:_HEADER_BYTES], "little")
    if blob[0] == _MASKED_CODEC:
        return _decodeMasked(blob, count)
    return Packed(blob[_HEADER_BYTES:], count).all()


def isPacked(blob: bytes) -> bool:
    return blob[:1] == bytes([Packed.CODEC])


def decodePacked(blob: bytes, tiles: int) -> List[int]:
    """One number per tile."""
    return Packed(blob, tiles).all()


def decodeDense(blob: bytes, maxTiles: int) -> List[int]:
    """One value per tile; a dense blob may stop early, a sparse one gives exactly maxTiles."""
    sparse, _, values = _open(blob, maxTiles)
    if not sparse:
        return values
    values = [0] * maxTiles
    for tile, value in decodeTileValues(blob, maxTiles):
        values[tile] = value
    return values
