// Decodes the BLOBs of a profile, which docs/FORMAT-pop.md defines: values by tile, packed blocks of 64 values, and packed lists. An
// unknown number is NaN. Files are untrusted, so the decoder checks every length against the BLOB.
import { unzlibSync } from 'fflate';

export class DamagedBlob extends Error {}

const kPacked = 2;
const kList = 3;
const kMasked = 7;
const kSparse = 16;
const kOneTile = 32;
/** The maximum number of elements of a BLOB. No machine has so many tiles, so a larger count means that the file is damaged. */
const kMaxCount = 1 << 26;

function need(condition: boolean, what: string): asserts condition {
  if (!condition) throw new DamagedBlob(what);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function element(view: DataView, at: number, width: number): number {
  switch (width) {
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at, true);
    case 4:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

/**
 * Returns `bits` (1 to 32) bits from bit position `at` of little-endian 64-bit words. The byte order makes the words one continuous bit
 * string.
 */
function bitsAt(bytes: Uint8Array, at: number, bits: number): number {
  const from = at >> 3;
  const shift = at & 7;
  const low =
    ((bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8) | ((bytes[from + 2] ?? 0) << 16) | ((bytes[from + 3] ?? 0) << 24)) >>> shift;
  if (bits + shift <= 32) return bits === 32 ? low : low & ((1 << bits) - 1);
  const more = bits + shift - 32; // bits that come from the fifth byte
  return low + ((bytes[from + 4] ?? 0) & ((1 << more) - 1)) * 2 ** (32 - shift);
}

/** A buffer for a copy of the payload with padding, so that reads may pass the end of the payload. All calls share the buffer. */
let padded = new Uint8Array(1 << 16);

function decodePacked(blob: Uint8Array, count: number, into?: Float64Array): Float64Array {
  need(blob.length >= 5, 'a packed blob is shorter than its header');
  const view = viewOf(blob);
  const blocks = view.getUint32(1, true);
  need(blocks <= kMaxCount / 64 && blob.length >= 5 + 5 * blocks, 'a packed blob is shorter than its blocks');
  need(blocks * 64 >= count, 'a packed blob has fewer numbers than tiles');
  const out = into ?? new Float64Array(count);
  const length = blob.length - 5 - 5 * blocks;
  if (padded.length < length + 8) padded = new Uint8Array(2 * length + 8);
  padded.set(blob.subarray(5 + 5 * blocks));
  const bytes = padded;
  let word = 0; // position in bits; 2^26 numbers of at most 32 bits lie at positions below 2^31
  for (let block = 0; block < blocks; ++block) {
    const bits = blob[5 + block] ?? 0;
    const first = block * 64;
    const last = Math.min(first + 64, count);
    if (bits === 255) {
      out.fill(NaN, first, Math.max(first, last));
      continue;
    }
    need(bits <= 32, 'a packed block has more than 32 bits a number');
    const smallest = view.getUint32(5 + blocks + 4 * block, true);
    need((word + bits * 64) / 8 <= length, 'a packed blob ends inside a block');
    if (bits === 0) out.fill(smallest, first, Math.max(first, last));
    else if (bits <= 24) {
      // The shift is at most 7 bits, so four bytes hold a number.
      const mask = (1 << bits) - 1;
      for (let i = first, at = word; i < last; ++i, at += bits) {
        const from = at >> 3;
        const low = bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24);
        out[i] = smallest + ((low >>> (at & 7)) & mask);
      }
    } else for (let i = first; i < last; ++i) out[i] = smallest + bitsAt(bytes, word + (i - first) * bits, bits);
    word += bits * 64;
  }
  return out;
}

/** Returns the tile and the value of a BLOB of one tile. */
function oneTile(blob: Uint8Array): [number, number] {
  const header = blob[0] ?? 0;
  const [tileWidth, width] = [1 << (header & 3), 1 << ((header >> 2) & 3)];
  need((header & ~0x2f) === 0 && tileWidth <= 4, 'a blob has an unknown coding');
  need(blob.length === 1 + tileWidth + width, 'a blob of one tile has a wrong length');
  const view = viewOf(blob);
  return [element(view, 1, tileWidth), element(view, 1 + tileWidth, width)];
}

/** Calls `take` for each element of a BLOB that is not packed, with the tile of the element. Leaves out tiles from `count` on. */
function eachPlain(blob: Uint8Array, count: number, most: number, take: (tile: number, value: number) => void): void {
  if (((blob[0] ?? 0) & kOneTile) !== 0) {
    const [tile, value] = oneTile(blob);
    if (tile < count) take(tile, value);
    return;
  }
  need(blob.length >= 5, 'a blob is shorter than its header');
  const header = blob[0] ?? 0;
  const width = 1 << ((header >> 2) & 3);
  const stored = viewOf(blob).getUint32(1, true);
  need(stored <= most, 'a blob has more numbers than there are tiles');
  const sparse = (header & kSparse) !== 0;
  let payload = blob.subarray(5);
  if ((header & 3) === 1) {
    const size = stored * (width + (sparse ? 4 : 0));
    try {
      payload = unzlibSync(payload, { out: new Uint8Array(size) });
    } catch {
      throw new DamagedBlob('a compressed blob is damaged');
    }
  } else need((header & 3) === 0, 'a blob has an unknown coding');
  need(payload.length >= stored * (width + (sparse ? 4 : 0)), 'a blob is shorter than its elements');
  const view = viewOf(payload);
  for (let i = 0; i < stored; ++i) {
    const tile = sparse ? view.getUint32(4 * i, true) : i;
    if (tile < count) take(tile, element(view, (sparse ? 4 * stored : 0) + i * width, width));
  }
}

function decodePlain(blob: Uint8Array, count: number, most: number): Float64Array {
  const out = new Float64Array(count);
  eachPlain(blob, count, most, (tile, value) => (out[tile] = value));
  return out;
}

/** Returns the sum over the tiles [from, to) of a column of numbers per tile, in any form. `most` is as in decodeTiles. */
export function sumTiles(blob: Uint8Array, count: number, from: number, to: number, most = count): number {
  need(blob.length > 0, 'a blob is empty');
  let sum = 0;
  if (blob[0] === kPacked) {
    if (to === from + 1) return decodeTile(blob, count, from, most);
    for (const value of decodePacked(blob, count).subarray(from, to)) sum += value;
  } else if (isList(blob)) {
    if (to === from + 1) return decodeTile(blob, count, from, most);
    for (const value of decodeList(blob, most).subarray(from, to)) sum += value;
  } else
    eachPlain(blob, count, most, (tile, value) => {
      if (tile >= from && tile < to) sum += value;
    });
  return sum;
}

/**
 * Returns the numbers of a column for the tiles [0, count), whatever the form of the BLOB; null (unknown) stays null. May reuse the array
 * `into`. The BLOB may have numbers of up to `most` tiles, for example of all replicas. Numbers of tiles from `count` on are left out.
 */
export function decodeTiles(blob: Uint8Array | null, count: number, into?: Float64Array, most = count): Float64Array | null {
  if (blob === null) return null;
  need(blob.length > 0, 'a blob is empty');
  if (blob[0] === kPacked) return decodePacked(blob, count, into);
  if (!isList(blob)) return decodePlain(blob, count, most);
  const list = decodeList(blob, most);
  if (list.length >= count) return list.subarray(0, count);
  const out = new Float64Array(count);
  out.set(list);
  return out;
}

/**
 * Calls `take` for each tile of [0, count) for which the BLOB has a number. For BLOBs of few tiles, eachTile is much faster than
 * decodeTiles.
 */
export function eachTile(blob: Uint8Array, count: number, most: number, take: (tile: number, value: number) => void): void {
  need(blob.length > 0, 'a blob is empty');
  if (blob[0] === kPacked || isList(blob)) decodeTiles(blob, count, undefined, most)?.forEach((value, tile) => take(tile, value));
  else eachPlain(blob, count, most, take);
}

const isList = (blob: Uint8Array): boolean => blob[0] === kList || blob[0] === kMasked;

/**
 * A list: the count of its numbers, and the bytes that store them. A masked list also has a mask of the numbers that are not 0, and their
 * shift.
 */
interface List {
  readonly count: number;
  readonly numbers: Uint8Array;
  readonly mask: Uint8Array | null;
  readonly shift: number;
}

function openList(blob: Uint8Array, most: number): List {
  need(blob.length >= 6 && isList(blob), 'a list does not begin as one');
  const count = viewOf(blob).getUint32(1, true);
  need(count <= most, 'a list states too many numbers');
  const masked = blob[0] === kMasked;
  const maskEnd = 6 + Math.ceil(count / 64) * 8;
  need(!masked || maskEnd < blob.length, 'a list is shorter than its mask');
  const mask = masked ? blob.subarray(6, maskEnd) : null;
  const numbers = blob.subarray(masked ? maskEnd : 5);
  const shift = masked ? (blob[5] ?? 32) : 0;
  need(shift < 32, 'numbers of a list are shifted by more than 31 bits');
  need(!isList(numbers), 'a list is in a list');
  return { count, numbers, mask, shift };
}

const isThere = (mask: Uint8Array, at: number): boolean => (((mask[at >> 3] ?? 0) >> (at & 7)) & 1) !== 0;

/** Returns how many of the first `end` numbers of a masked list are not 0. */
function countThere(mask: Uint8Array, end: number): number {
  let count = 0;
  for (let at = 0; at < end; ++at) count += isThere(mask, at) ? 1 : 0;
  return count;
}

/** Returns the numbers of a packed list. Throws DamagedBlob if the list has more than `most` numbers. */
export function decodeList(blob: Uint8Array, most = kMaxCount): Float64Array {
  const { count, numbers, mask, shift } = openList(blob, most);
  if (mask === null) return decodeTiles(numbers, count) ?? new Float64Array(0);
  const others = decodeTiles(numbers, countThere(mask, count)) ?? new Float64Array(0);
  const out = new Float64Array(count);
  for (let at = 0, next = 0; at < count; ++at) if (isThere(mask, at)) out[at] = (others[next++] ?? NaN) * 2 ** shift;
  return out;
}

/** Returns the number of one tile in a column of numbers per tile, in any form; NaN if the tile is unknown. */
export function decodeTile(blob: Uint8Array, count: number, tile: number, most = count): number {
  if (isList(blob)) {
    const list = openList(blob, most);
    if (tile >= list.count) return tile < count ? 0 : NaN;
    if (list.mask === null) return decodeTile(list.numbers, list.count, tile);
    if (!isThere(list.mask, tile)) return 0;
    return decodeTile(list.numbers, countThere(list.mask, list.count), countThere(list.mask, tile)) * 2 ** list.shift;
  }
  if (blob[0] !== kPacked) return tile < count ? sumTiles(blob, count, tile, tile + 1, most) : NaN;
  need(blob.length >= 5, 'a packed blob is shorter than its header');
  const view = viewOf(blob);
  const blocks = view.getUint32(1, true);
  const block = tile >> 6;
  need(blocks <= kMaxCount / 64 && blob.length >= 5 + 5 * blocks && block < blocks, 'a packed blob is shorter than its blocks');
  const bits = blob[5 + block] ?? 0;
  if (bits === 255) return NaN;
  let at = 0;
  for (let b = 0; b < block; ++b) if (blob[5 + b] !== 255) at += (blob[5 + b] ?? 0) * 64;
  need(bits <= 32 && 5 + 5 * blocks + (at + bits * 64) / 8 <= blob.length, 'a packed blob ends inside a block');
  const smallest = view.getUint32(5 + blocks + 4 * block, true);
  return bits === 0 ? smallest : smallest + bitsAt(blob.subarray(5 + 5 * blocks), at + (tile & 63) * bits, bits);
}
