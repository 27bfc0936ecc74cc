// Finds the fullest tiles.

/** Returns the `count` tiles with the most occupied bytes, most first. Equally full tiles are in order of tile number. */
export function fullestTiles(bytesByTile: Float64Array, count: number): number[] {
  const best: number[] = []; // fullest first
  bytesByTile.forEach((bytes, tile) => {
    let at = best.length;
    while (at > 0 && bytes > (bytesByTile[best[at - 1] ?? 0] ?? 0)) --at;
    if (at === count) return;
    best.splice(at, 0, tile);
    best.length = Math.min(best.length, count);
  });
  return best;
}
