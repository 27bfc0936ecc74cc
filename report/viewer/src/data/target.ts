// Reads the machine of a profile, and the bytes of its tiles.
import { type Database, number, text } from './database';
import type { Target, TileMemory } from './types';

export function readTarget(db: Database): Target {
  const target = db.query('SELECT * FROM target')[0] ?? {};
  return {
    type: text(target.type),
    architecture: text(target.architecture),
    ipus: number(target.num_ipus),
    tilesPerIpu: number(target.tiles_per_ipu),
    replicas: Math.max(1, number(target.num_replicas) || 1),
    bytesPerTile: number(target.bytes_per_tile),
    clockHz: number(target.clock_hz),
    workers: number(target.worker_contexts),
    interleavedOffset: number(target.interleaved_offset),
  };
}

export function readTileMemory(db: Database): TileMemory {
  const kinds = ['total', 'total_including_gaps', 'non_interleaved', 'interleaved', 'overflowed', 'always_live', 'max_not_always_live'];
  const none = new Float64Array(0);
  const [
    total = none,
    includingGaps = none,
    nonInterleaved = none,
    interleaved = none,
    overflowed = none,
    alwaysLive = none,
    maxNotAlwaysLive = none,
  ] = db.columns(kinds, `SELECT ${kinds.join(', ')} FROM memory_by_tile ORDER BY tile`);
  return { total, includingGaps, nonInterleaved, interleaved, overflowed, alwaysLive, maxNotAlwaysLive };
}

/** Reads the bytes of each storage category per tile, from a table with a row for each tile and category. */
export function readByCategory(db: Database, tiles: number, names: ReadonlyMap<number, string>, table: string): Map<string, Float64Array> {
  const out = new Map<string, Float64Array>();
  const none = new Float64Array(0);
  const [on = none, categories = none, sizes = none] = db.columns(
    ['tile', 'category', 'size_bytes'],
    `SELECT tile, category, size_bytes FROM ${table}`,
  );
  on.forEach((tile, i) => {
    const name = names.get(categories[i] ?? -1) ?? '';
    if (!(tile >= 0 && tile < tiles)) return;
    let bytes = out.get(name);
    if (!bytes) out.set(name, (bytes = new Float64Array(tiles)));
    bytes[tile]! += sizes[i] ?? 0;
  });
  return out;
}

/** Reads the number of occupied addresses of a tile for each use, largest first. */
export function readUsesOf(db: Database, tile: number): { readonly category: string; readonly bytes: number }[] {
  return db
    .query(
      'SELECT c.name, u.size_bytes AS b FROM memory_by_tile_use u JOIN var_categories c ON c.id = u.category WHERE u.tile = ? ORDER BY b DESC, c.id',
      [tile],
    )
    .map((row) => ({ category: text(row.name), bytes: number(row.b) }));
}
