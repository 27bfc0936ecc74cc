// The order of the tiles of a chart: by number, or by a figure with the largest values first.
import type { Profile } from '../../data/profile';
import { tilesShown, type TilesOfRun } from '../../derived/pool';

export const kTileOrders = [
  ['number', 'by number'],
  ['caused', 'by waiting caused'],
  ['end', 'by end of work'],
  ['busy', 'by work'],
] as const;
export type TileOrder = (typeof kTileOrders)[number][0];

/**
 * Returns the tiles of an IPU (null: of all IPUs, one after the other). If `by` is a figure, the tiles with the largest values come first
 * in each IPU. If the figures are unknown, tiles are in order of number.
 */
export function orderTiles(profile: Profile, ipu: number | null, figures: TilesOfRun | null, by: TileOrder): Int32Array {
  const tiles = tilesShown(profile, ipu);
  if (by === 'number' || !figures) return tiles;
  const values = figures[by];
  const perIpu = Math.max(1, Math.floor(profile.tiles / profile.ipus));
  for (let first = 0; first < tiles.length; first += perIpu)
    tiles.subarray(first, first + perIpu).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  return tiles;
}
