// The positions of an IPU's tiles on the chip. The positions are known for 1,472 tiles (ipu2, ipu21): 16 columns of 23 supertiles of four
// tiles. Pairs of tile numbers run along one column and back along the next. A column of supertiles holds two such columns of pairs
// (blocks).
//
//   pair = tile / 2, lane = tile % 2, block = pair / 23, row = pair % 23 in even blocks, 22 - pair % 23 in odd blocks
//   physical number = 64 * row + 4 * (block / 2) + block % 2 + 2 * lane
//
// The physical number is published: bits 0-1 choose a tile within its supertile, bits 2-5 the column and the other bits the row. The
// position of a tile within its supertile is not published. The page draws the four tiles as a square, with the lanes one above the other.
import type { Target } from '../data/types';

const kTiles = 1472;
const kColumns = 16;
const kRows = 23;

/** The tiles of one IPU in the order of their physical numbers, and as positions in a grid. */
export interface TilePlaces {
  readonly columns: number;
  readonly rows: number;
  readonly numberOf: Int32Array; // the physical number of each tile
  readonly tileOf: Int32Array; // the tile of each physical number
  readonly placeOf: Int32Array; // row * columns + column of each tile
  readonly tileAt: Int32Array; // the tile of each place
}

function places(): TilePlaces {
  const make = () => new Int32Array(kTiles);
  const out = { columns: 2 * kColumns, rows: 2 * kRows, numberOf: make(), tileOf: make(), placeOf: make(), tileAt: make() };
  for (let tile = 0; tile < kTiles; ++tile) {
    const [pair, lane] = [tile >> 1, tile & 1];
    const block = Math.floor(pair / kRows);
    const row = block % 2 === 0 ? pair % kRows : kRows - 1 - (pair % kRows);
    const number = 64 * row + 4 * (block >> 1) + (block & 1) + 2 * lane;
    const place = (2 * row + lane) * out.columns + block;
    out.numberOf[tile] = number;
    out.tileOf[number] = tile;
    out.placeOf[tile] = place;
    out.tileAt[place] = tile;
  }
  return out;
}

let known: TilePlaces | null = null;

/** Returns the positions of a machine's tiles; null if they are unknown. */
export function tilePlaces(target: Pick<Target, 'architecture' | 'tilesPerIpu'>): TilePlaces | null {
  if (!/^ipu21?$/.test(target.architecture) || target.tilesPerIpu !== kTiles) return null;
  known ??= places();
  return known;
}

/** Returns values per tile, reordered by physical number, IPU by IPU. */
export function byNumber(places: TilePlaces, values: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  for (let at = 0; at < values.length; ++at) out[at] = values[tileOfNumber(places, at)] ?? NaN;
  return out;
}

/** Converts between physical numbers and tile numbers, over all IPUs. */
export const tileOfNumber = (places: TilePlaces, number: number): number =>
  number - (number % kTiles) + (places.tileOf[number % kTiles] ?? 0);
export const numberOfTile = (places: TilePlaces, tile: number): number => tile - (tile % kTiles) + (places.numberOf[tile % kTiles] ?? 0);
