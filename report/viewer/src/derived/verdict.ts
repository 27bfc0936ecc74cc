// The answers of the first view about memory: whether the program fits, which tile is fullest, and at which step most bytes are live.
import { number } from '../data/database';
import type { Profile } from '../data/profile';
import { fullestTiles } from './fullest';

export interface Fit {
  readonly fits: boolean;
  readonly fullestTile: number; // tile with the most occupied bytes; of equally full tiles, the one with the lowest number
  readonly occupied: number; // bytes on that tile, without gaps
  readonly highest: number; // end of the highest address used on any tile
  readonly capacity: number;
  readonly outOfMemory: readonly number[];
}

export function collectFit(profile: Profile): Fit {
  return profile.keep('fit', () => readFit(profile));
}

function readFit(profile: Profile): Fit {
  const { total, includingGaps } = profile.memory;
  const fullest = fullestTiles(total, 1)[0] ?? 0;
  return {
    fits: profile.outOfMemoryTiles.length === 0,
    fullestTile: fullest,
    occupied: total[fullest] ?? NaN,
    highest: includingGaps.reduce((a, b) => Math.max(a, b), 0),
    capacity: profile.target.bytesPerTile,
    outOfMemory: profile.outOfMemoryTiles,
  };
}

export interface Peak {
  readonly program: number;
  readonly bytes: number; // always-live bytes included, over all tiles of one replica
}

export function collectPeak(profile: Profile): Peak | null {
  const row = profile.db.query('SELECT program, size_bytes AS b FROM liveness_steps ORDER BY size_bytes DESC, id LIMIT 1')[0];
  return row ? { program: number(row.program), bytes: number(row.b) + profile.alwaysLiveBytes } : null;
}
