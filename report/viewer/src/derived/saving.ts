// The memory that WriteUndef would save, if the profile explains liveness.
import { number } from '../data/database';
import { explainsLiveness, falseLive, undefPlacements } from '../data/extras';
import type { Profile } from '../data/profile';
import type { UndefPlacement } from '../data/types';

export interface Saving {
  readonly tile: number; // tile with the highest peak of live variables
  readonly program: number; // program of the peak
  readonly peak: number; // bytes of variables at the peak
  readonly after: number; // bytes at the peak with all tried placements
  readonly falseLive: number; // bytes of the peak that no path reads
  readonly candidates: number;
  readonly tried: number;
  readonly placements: readonly UndefPlacement[]; // best first
}

/** Returns the saving; null if the profile does not explain liveness. */
export function collectSaving(profile: Profile): Saving | null {
  if (!explainsLiveness(profile)) return null;
  const row = profile.db.query('SELECT * FROM liveness_advice')[0] ?? {};
  return {
    tile: number(row.worst_tile),
    program: number(row.worst_program),
    peak: number(row.worst_peak),
    after: number(row.worst_peak_after_all),
    falseLive: number(row.false_live_at_peak),
    candidates: number(row.candidates),
    tried: number(row.tried),
    placements: undefPlacements(profile),
  };
}

/** Returns the false-live bytes over all tiles at every program, either of always-live variables or of all others. */
export function falseLiveBytes(profile: Profile, alwaysLive: boolean): Float64Array {
  return profile.keep(`falseLiveBytes ${alwaysLive}`, () => {
    const programs = profile.programs.length;
    const change = new Float64Array(programs + 1);
    for (const f of falseLive(profile)) {
      if ((profile.variables[f.variable]?.alwaysLive ?? false) !== alwaysLive) continue;
      change[Math.min(f.from, programs)]! += f.bytes;
      change[Math.min(f.end, programs)]! -= f.bytes;
    }
    let sum = 0;
    return change.map((c) => (sum += c)).subarray(0, programs);
  });
}
