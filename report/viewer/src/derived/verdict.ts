// The first view's answers: does it fit, what is fullest, when is the peak, where do the cycles go.
import type { Profile } from '../data/profile';
import { activityOf } from './names';

export interface Fit {
  readonly fits: boolean;
  readonly fullestTile: number; // most occupied bytes, the lowest of equals
  readonly occupied: number; // bytes there, without gaps
  readonly highest: number; // end of the highest address used on any tile
  readonly capacity: number;
  readonly outOfMemory: readonly number[];
}

export function collectFit(profile: Profile): Fit {
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

/** The tiles with most occupied bytes, most first, ties by tile. */
export function fullestTiles(bytesByTile: Float64Array, count: number): number[] {
  return Array.from(bytesByTile.keys())
    .sort((a, b) => (bytesByTile[b] ?? 0) - (bytesByTile[a] ?? 0) || a - b)
    .slice(0, count);
}

export interface Peak {
  readonly program: number;
  readonly bytes: number; // always-live bytes included, over all tiles of one replica
}

export function collectPeak(profile: Profile): Peak | null {
  let best: Peak | null = null;
  for (const step of profile.livenessSteps) {
    const bytes = step.bytes + profile.alwaysLiveBytes;
    if (!best || bytes > best.bytes) best = { program: step.program, bytes };
  }
  return best;
}

/** Where the tile cycles of the recorded runs went. The parts add up to `whole`. */
export interface Loss {
  readonly whole: number; // tiles x cycles, over runs
  readonly parts: readonly { readonly key: LossKey; readonly tileCycles: number }[];
  readonly runs: number;
}
export type LossKey = 'work' | 'both' | 'idle' | 'imbalance' | 'exchange' | 'global' | 'host' | 'sync' | 'other';

export const kLossLabels: Readonly<Record<LossKey, string>> = {
  work: 'Compute',
  both: 'Compute, idle threads included',
  idle: 'Idle threads',
  imbalance: 'Waiting for the slowest tile of a compute set',
  exchange: 'Exchange',
  global: 'Exchange between IPUs',
  host: 'Host exchange',
  sync: 'Sync and other waiting',
  other: 'Reading counters',
};

/** Tile cycles that tiles wait in compute sets, from busy cycles and the longest tile of each step; by run. */
export function imbalanceByRun(profile: Profile): Map<number, number> {
  const { steps } = profile;
  const out = new Map<number, number>();
  for (let step = 0; step < steps.count; ++step) {
    if (activityOf(profile.programs[steps.program[step] ?? -1]?.type ?? '') !== 'compute') continue;
    for (let ipu = 0; ipu < steps.ipus; ++ipu) {
      const at = step * steps.ipus + ipu;
      const wait = (steps.cycles[at] ?? NaN) * (profile.tiles / steps.ipus) - (steps.busy[at] ?? NaN);
      const run = steps.run[step] ?? 0;
      if (wait > 0) out.set(run, (out.get(run) ?? 0) + wait);
    }
  }
  return out;
}

const known = (value: number): number => (Number.isFinite(value) ? value : 0);

/** Of all recorded runs, or of one. */
export function collectLoss(profile: Profile, run?: number): Loss | null {
  const totals = profile.runTotals.filter((t) => run === undefined || t.run === run);
  if (totals.length === 0) return null;
  const imbalance = imbalanceByRun(profile);
  const sums: Record<LossKey, number> = { work: 0, both: 0, idle: 0, imbalance: 0, exchange: 0, global: 0, host: 0, sync: 0, other: 0 };
  let whole = 0;
  for (const run of totals) {
    whole += run.total * profile.tiles;
    if (Number.isFinite(run.threads)) {
      sums.work += run.threads;
      sums.idle += known(run.compute) - run.threads;
    } else sums.both += known(run.compute); // an IPU counts the cycles of tiles, not of their threads
    sums.exchange += known(run.exchange);
    sums.global += known(run.globalExchange);
    sums.host += known(run.hostExchange);
    sums.other += known(run.unattributed);
    // Waiting counts as sync in the totals; what a compute set's slowest tile causes is at most that.
    const waiting = Math.min(imbalance.get(run.run) ?? 0, known(run.sync));
    sums.imbalance += waiting;
    sums.sync += known(run.sync) - waiting;
  }
  const parts = (Object.keys(sums) as LossKey[]).map((key) => ({ key, tileCycles: sums[key] }));
  return { whole, parts, runs: totals.length };
}

/** Compute sets by the tile cycles that their tiles wait for the slowest one, most first. */
export function idlest(
  profile: Profile,
  count: number,
): { readonly program: number; readonly waiting: number; readonly cycles: number; readonly executions: number }[] {
  const { steps } = profile;
  const by = new Map<number, { program: number; waiting: number; cycles: number; executions: number }>();
  for (let step = 0; step < steps.count; ++step) {
    const program = steps.program[step] ?? -1;
    if (activityOf(profile.programs[program]?.type ?? '') !== 'compute') continue;
    const row = by.get(program) ?? { program, waiting: 0, cycles: 0, executions: 0 };
    ++row.executions;
    for (let ipu = 0; ipu < steps.ipus; ++ipu) {
      const at = step * steps.ipus + ipu;
      const cycles = steps.cycles[at] ?? NaN;
      if (!Number.isFinite(cycles)) continue;
      row.cycles += cycles;
      row.waiting += Math.max(0, cycles * (profile.tiles / steps.ipus) - known(steps.busy[at] ?? NaN));
    }
    by.set(program, row);
  }
  return [...by.values()].sort((a, b) => b.waiting - a.waiting || a.program - b.program).slice(0, count);
}
