// Reads columns with one number per tile. In a profile of a replicated graph, some columns have numbers for the tiles of all replicas. The
// page shows the first replica and leaves the others out.
import { decodeTile, decodeTiles, eachTile, sumTiles } from './decode';

export class TileColumns {
  /** `tiles` is the number of tiles of one replica, and `most` that of all replicas. */
  constructor(
    private readonly tiles: number,
    private readonly most: number,
  ) {}

  /** Returns the numbers of all tiles of one replica; null = unknown. May reuse the array `into`. */
  all(column: Uint8Array | null, into?: Float64Array): Float64Array | null {
    return decodeTiles(column, this.tiles, into, this.most);
  }

  /** Returns the number of one tile. */
  one(column: Uint8Array, tile: number): number {
    return decodeTile(column, this.tiles, tile, this.most);
  }

  /** Returns the sum over the tiles [from, to). */
  sum(column: Uint8Array, from: number, to: number): number {
    return sumTiles(column, this.tiles, from, to, this.most);
  }

  /** Calls `take` for each tile that has a number. */
  each(column: Uint8Array, take: (tile: number, value: number) => void): void {
    eachTile(column, this.tiles, this.most, take);
  }
}
