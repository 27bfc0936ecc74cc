// Who sends to whom in exchanges: bytes between groups of neighbouring tiles.
import type { Traffic } from '../data/types';

export interface TrafficMatrix {
  readonly tiles: number;
  readonly tilesPerCell: number;
  readonly cells: number; // of a side
  readonly bytes: Float64Array; // of sender row * cells + receiver column
  readonly pairs: readonly TrafficPair[]; // that are not 0, most bytes first
}
export interface TrafficPair {
  readonly from: number; // cells
  readonly to: number;
  readonly bytes: number;
}

/** Cells as fine as every exchange of it tells, and no more than `most` a side. */
export function trafficMatrix(all: readonly Traffic[], tiles: number, most: number): TrafficMatrix | null {
  if (all.length === 0 || tiles === 0) return null;
  let tilesPerCell = all.reduce((wide, t) => Math.max(wide, t.tilesPerGroup), 1);
  while (Math.ceil(tiles / tilesPerCell) > most) tilesPerCell *= 2;
  const cells = Math.ceil(tiles / tilesPerCell);
  const bytes = new Float64Array(cells * cells);
  for (const t of all) {
    const groups = tilesPerCell / t.tilesPerGroup;
    t.bytes.forEach((size, i) => {
      const from = Math.floor((t.from[i] ?? 0) / groups);
      const to = Math.floor((t.to[i] ?? 0) / groups);
      if (from < cells && to < cells) bytes[from * cells + to]! += size;
    });
  }
  const pairs: TrafficPair[] = [];
  bytes.forEach((size, at) => {
    if (size > 0) pairs.push({ from: Math.floor(at / cells), to: at % cells, bytes: size });
  });
  pairs.sort((a, b) => b.bytes - a.bytes);
  return { tiles, tilesPerCell, cells, bytes, pairs };
}

/** "tile 3", "tiles 0-15". */
export function cellTiles(matrix: TrafficMatrix, cell: number): string {
  const first = cell * matrix.tilesPerCell;
  const last = Math.min(first + matrix.tilesPerCell, matrix.tiles) - 1;
  return first === last ? `tile ${first}` : `tiles ${first}-${last}`;
}
