// The "by tile" columns of a file: one number per tile. Those of replicated graphs have numbers of all replicas; the profile is that
// of the first replica, so the others are left out.
import { decodeTile, decodeTiles, eachTile, sumTiles } from './decode';

export class TileColumns {
  /** `tiles`: those of one replica; `most`: those of all replicas. */
  constructor(
    private readonly tiles: number,
    private readonly most: number,
  ) {}

  /** The numbers of all tiles; null = not known. `into` may be used for them. */
  all(column: Uint8Array | null, into?: Float64Array): Float64Array | null {
    return decodeTiles(column, this.tiles, into, this.most);
  }

  /** The number of one tile. */
  one(column: Uint8Array, tile: number): number {
    return decodeTile(column, this.tiles, tile, this.most);
  }

  /** The sum over the tiles of [from, to). */
  sum(column: Uint8Array, from: number, to: number): number {
    return sumTiles(column, this.tiles, from, to, this.most);
  }

  /** Calls `take` for each tile that has a number. */
  each(column: Uint8Array, take: (tile: number, value: number) => void): void {
    eachTile(column, this.tiles, this.most, take);
  }
}
