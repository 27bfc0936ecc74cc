// Finds the activity of one tile at a cycle of a run: the tile works in a step, or waits at a meeting for another tile.
import type { Profile, Run } from '../../data/profile';
import { kExchanges } from '../../derived/machine';
import { type PooledRun, rowOf } from '../../derived/pool';
import { timeAt } from '../../derived/times';
import type { Window } from '../../derived/window';

export type Doing =
  | { readonly kind: 'works'; readonly step: number; readonly from: number; readonly to: number }
  | { readonly kind: 'waits'; readonly step: number; readonly for: number; readonly until: number } // cycle at which `for` arrives
  | { readonly kind: 'syncs'; readonly step: number; readonly until: number } // all tiles have arrived; the barrier ends at `until`
  | { readonly kind: 'begins'; readonly step: number; readonly at: number } // the next work of the tile begins at `at`
  | { readonly kind: 'unknown'; readonly step: number; readonly from: number; readonly to: number } // the first and last work of any tile
  | { readonly kind: 'unread' } // the tiles of later steps are still being read
  | { readonly kind: 'ends'; readonly for: number; readonly until: number } // waits for the tile that ends the run
  | { readonly kind: 'ended' };

/**
 * Returns the activity at a cycle of the busiest tile in the row that contains a position; null if the file lacks the activity. Takes time
 * in proportion to the steps of the run.
 */
export function doingAt(profile: Profile, run: Run, pooled: PooledRun, position: number, ipu: number, cycle: number): Doing | null {
  const { steps, programs } = profile;
  const row = rowOf(pooled, position);
  /** Returns the cycles of a step with work on the IPU whose tiles were not recorded; null for other steps. */
  const unrecorded = (step: number): Window | null => {
    const at = timeAt(profile, step, ipu);
    const works = (steps.cycles[at] ?? NaN) > 0 && (steps.activeTiles[step * steps.ipus + ipu] ?? NaN) > 0;
    return works ? [steps.activeFrom[at] ?? NaN, steps.activeTo[at] ?? NaN] : null;
  };
  for (let step = run.firstStep; step < run.endStep; ++step) {
    const i = step - pooled.first;
    if (i >= pooled.read) return { kind: 'unread' };
    const at = step * steps.ipus + ipu;
    const busy = pooled.busy[i * pooled.rows + row] ?? NaN;
    const from = (steps.activeFrom[at] ?? NaN) + (pooled.start[i * pooled.rows + row] ?? 0);
    if (busy > 0 && from <= cycle && cycle < from + busy) return { kind: 'works', step, from, to: from + busy };
    const [first, end] = (Number.isNaN(busy) && unrecorded(step)) || [NaN, NaN];
    if (cycle < first) return null; // the tile waits for work in this step or in a later one
    if (cycle < end) return { kind: 'unknown', step, from: first, to: end };
    const meets = i * steps.ipus + ipu;
    const last = pooled.meetings.last[meets] ?? -1;
    const program = programs[steps.program[step] ?? -1];
    const takesPart = last >= 0 && (busy > 0 || !kExchanges.has(program?.type ?? ''));
    const until = pooled.meetings.begin[meets] ?? NaN;
    if (takesPart && until > cycle) return { kind: 'waits', step, for: last, until };
    const leaves = steps.to[at] ?? NaN;
    if (takesPart && program?.barriers.length && leaves > cycle) return { kind: 'syncs', step, until: leaves };
    if (busy > 0 && from > cycle) return { kind: 'begins', step, at: from };
  }
  const { ending } = pooled;
  if (pooled.exact && cycle < ending.cycle) return { kind: 'ends', for: ending.tile, until: ending.cycle };
  return pooled.exact ? { kind: 'ended' } : null;
}
