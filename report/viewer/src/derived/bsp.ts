// The execution of a run as pixels. Each pixel has the shares of its time that belong to each activity, so that work stays visible at any
// zoom.
import type { Profile, Run } from '../data/profile';
import { type Activity, activityOf } from './names';
import type { PooledRun } from './pool';
import { timeAt } from './times';

export const kDrawn: readonly Activity[] = ['compute', 'exchange', 'global', 'host'];

/** Returns the cycle, from the start of the run, at which the last tile of an IPU (null: of any IPU) leaves its last step; at least 1. */
export function endOfRun(profile: Profile, run: Run, ipu: number | null): number {
  return profile.keep(`end ${run.id} ${ipu}`, () => {
    const { ipus, to } = profile.steps;
    const [first, end] = ipu === null ? [0, ipus] : [ipu, ipu + 1];
    let last = 1;
    for (let s = run.firstStep; s < run.endStep; ++s) for (let i = first; i < end; ++i) last = Math.max(last, to[s * ipus + i] || 0);
    return last;
  });
}

/** Shares of each pixel's time per activity, and the activities that occur. */
export interface Raster {
  readonly shares: Float32Array;
  readonly drawn: readonly boolean[]; // whether the activity occurs, in the order of kDrawn
}

/**
 * Returns the share of each pixel's time in which its tiles work, for each activity of kDrawn: [activity][column][row]. The rows of a
 * column are contiguous, because a step fills whole columns and most steps of a long run are narrower than a pixel.
 */
export function rasterize(profile: Profile, pooled: PooledRun, from: number, to: number, columns: number): Raster {
  const { steps, programs } = profile;
  const { rows, busy } = pooled;
  const out = new Float32Array(kDrawn.length * rows * columns);
  const drawn = kDrawn.map(() => false);
  const perCycle = columns / (to - from);
  for (let i = 0; i < pooled.count; ++i) {
    const step = pooled.first + i;
    const activity = kDrawn.indexOf(activityOf(programs[steps.program[step] ?? -1]?.type ?? ''));
    if (activity < 0) continue;
    pooled.segments.forEach(({ ipu, top, rows: height }, segment) => {
      if (steps.activeTiles[step * steps.ipus + ipu] === 0) return; // the time of all IPUs can be in the row of such an IPU
      const at = timeAt(profile, step, ipu);
      const start = steps.activeFrom[at] ?? NaN;
      const length = steps.cycles[at] ?? NaN;
      const late = pooled.late[i * pooled.segments.length + segment]!; // the maximum delay of a row after the first tile's start
      if (!(length > 0) || !(start + late + length > from) || !(start < to)) return;
      drawn[activity] = true;
      const begin = (start - from) * perCycle;
      const left = Math.max(0, begin);
      const first = Math.floor(left);
      const plane = activity * columns;
      const recorded = busy.subarray(i * rows + top, i * rows + top + height);
      if (begin >= 0 && begin + (late + length) * perCycle <= Math.min(first + 1, columns)) {
        // The step lies within one column, like most steps of a long run.
        const shares = out.subarray((plane + first) * rows + top, (plane + first) * rows + top + height);
        for (let row = 0; row < shares.length; ++row) {
          const cycles = recorded[row]!;
          shares[row]! += (cycles >= 0 && cycles < length ? cycles : length) * perCycle; // NaN = not recorded
        }
        return;
      }
      for (let row = 0; row < height; ++row) {
        const cycles = recorded[row]!;
        const own = late > 0 ? begin + pooled.start[i * rows + top + row]! * perCycle : begin;
        const [l, right] = [Math.max(0, own), Math.min(columns, own + (cycles >= 0 ? cycles : length) * perCycle)];
        if (!(right > l)) continue;
        const c0 = Math.floor(l);
        const place = (plane + c0) * rows + top + row;
        if (right <= c0 + 1) out[place]! += right - l;
        else for (let c = c0, to = place; c < right; ++c, to += rows) out[to]! += (right < c + 1 ? right : c + 1) - (l > c ? l : c);
      }
    });
  }
  return { shares: out, drawn };
}
