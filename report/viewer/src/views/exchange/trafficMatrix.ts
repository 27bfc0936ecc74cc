// Computes the traffic between tiles in exchanges: bytes between groups of neighbouring tiles.
import type { Traffic } from '../../data/types';

/** A square part of all pairs of tiles: `span` consecutive senders and `span` consecutive receivers. */
export interface TrafficWindow {
  readonly from: number; // first sender
  readonly to: number; // first receiver
  readonly span: number; // number of tiles
}

export interface TrafficMatrix {
  readonly tiles: number;
  readonly window: TrafficWindow; // whole cells
  readonly tilesPerCell: number;
  readonly cells: number; // cells per side
  readonly bytes: Float64Array; // at sender row * cells + receiver column
  readonly pairs: readonly TrafficPair[]; // pairs with bytes, most bytes first
}
export interface TrafficPair {
  readonly from: number; // cells
  readonly to: number;
  readonly bytes: number;
}

/**
 * Returns a matrix with at most `most` cells per side. The cells are as small as this limit and the groups of every exchange allow. Returns
 * null if there is no traffic.
 */
export function trafficMatrix(all: readonly Traffic[], tiles: number, most: number, wanted?: TrafficWindow): TrafficMatrix | null {
  if (all.length === 0 || tiles === 0) return null;
  const asked = wanted ?? { from: 0, to: 0, span: tiles };
  let tilesPerCell = all.reduce((wide, t) => Math.max(wide, t.tilesPerGroup), 1);
  while (Math.ceil(asked.span / tilesPerCell) > most) tilesPerCell *= 2;
  const firstRow = Math.floor(asked.from / tilesPerCell);
  const firstColumn = Math.floor(asked.to / tilesPerCell);
  const cells = Math.ceil(asked.span / tilesPerCell);
  const bytes = new Float64Array(cells * cells);
  for (const t of all) {
    const groups = tilesPerCell / t.tilesPerGroup;
    t.bytes.forEach((size, i) => {
      const from = Math.floor((t.from[i] ?? 0) / groups) - firstRow;
      const to = Math.floor((t.to[i] ?? 0) / groups) - firstColumn;
      if (from >= 0 && to >= 0 && from < cells && to < cells) bytes[from * cells + to]! += size;
    });
  }
  const pairs: TrafficPair[] = [];
  bytes.forEach((size, at) => {
    if (size > 0) pairs.push({ from: Math.floor(at / cells), to: at % cells, bytes: size });
  });
  pairs.sort((a, b) => b.bytes - a.bytes);
  const window = { from: firstRow * tilesPerCell, to: firstColumn * tilesPerCell, span: cells * tilesPerCell };
  return { tiles, window, tilesPerCell, cells, bytes, pairs };
}

/** Returns the tiles of a cell of senders or receivers as text: "tile 3", "tiles 0-15". */
export function cellTiles(matrix: TrafficMatrix, cell: number, side: 'from' | 'to'): string {
  const first = matrix.window[side] + cell * matrix.tilesPerCell;
  const last = Math.min(first + matrix.tilesPerCell, matrix.tiles) - 1;
  return first === last ? `tile ${first}` : `tiles ${first}-${last}`;
}

/** Returns the window of a text such as "12,40,64" (first sender, first receiver, tiles per side); undefined = all tiles. */
export function parseTrafficWindow(text: string, tiles: number): TrafficWindow | undefined {
  const match = /^(\d{1,9}),(\d{1,9}),(\d{1,9})$/.exec(text);
  if (!match) return undefined;
  const span = Math.min(Math.max(1, Number(match[3])), tiles);
  if (span === tiles) return undefined;
  const first = (word: string | undefined) => Math.min(Number(word), tiles - span);
  return { from: first(match[1]), to: first(match[2]), span };
}
