// The first view's answers: does it fit, what is fullest, when is the peak, where do the cycles go.
import { number } from '../data/database';
import type { Profile } from '../data/profile';
import { fullestTiles } from './fullest';
import { waitsOf } from './waits';

export interface Fit {
  readonly fits: boolean;
  readonly fullestTile: number; // most occupied bytes, the lowest of equals
  readonly occupied: number; // bytes there, without gaps
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
  imbalance: 'Waiting for slower tiles of compute sets',
  exchange: 'Exchange',
  global: 'Exchange between IPUs',
  host: 'Host exchange',
  sync: 'Sync and other waiting',
  other: 'Reading counters',
};

/** Tile cycles that tiles wait in compute sets, from busy cycles and the longest tile of each step; by run. */
export function imbalanceByRun(profile: Profile): ReadonlyMap<number, number> {
  return profile.keep('imbalance', () => readImbalance(profile));
}

function readImbalance(profile: Profile): Map<number, number> {
  const sql = `SELECT s.run, sum(max(0, i.cycles * ${profile.tiles / profile.ipus} - i.busy_cycles)) AS w FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id
    WHERE s.type = 'OnTileExecute' GROUP BY s.run`;
  return new Map(profile.db.query(sql).map((row) => [number(row.run), number(row.w) || 0]));
}

const known = (value: number): number => (Number.isFinite(value) ? value : 0);

/** Of all recorded runs, or of one. */
export function collectLoss(profile: Profile, run?: number): Loss | null {
  return profile.keep(`loss ${run ?? 'of all'}`, () => readLoss(profile, run));
}

function readLoss(profile: Profile, run?: number): Loss | null {
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
    // Waiting counts as sync in the totals. Exact as `popscope loss` has it, or else from the steps, at most all of it.
    const found = profile.runs.find((r) => r.id === run.run);
    const waiting = (found && waitsOf(profile, found)?.get('compute')) ?? Math.min(imbalance.get(run.run) ?? 0, known(run.sync));
    sums.imbalance += waiting;
    sums.sync += known(run.sync) - waiting;
  }
  const parts = (Object.keys(sums) as LossKey[]).map((key) => ({ key, tileCycles: sums[key] }));
  return { whole, parts, runs: totals.length };
}

/** Compute sets by the tile cycles that their tiles wait for the slowest one, most first. */
export function idlest(profile: Profile, count: number): { readonly program: number; readonly waiting: number; readonly cycles: number }[] {
  const sql = `SELECT s.program, sum(i.cycles) AS c, sum(max(0, i.cycles * ${profile.tiles / profile.ipus} - coalesce(i.busy_cycles, 0))) AS w
    FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE s.type = 'OnTileExecute' GROUP BY s.program ORDER BY w DESC, s.program LIMIT ?`;
  return profile.keep(`idlest ${count}`, () =>
    profile.db
      .query(sql, [count])
      .map((row) => ({ program: number(row.program), waiting: number(row.w) || 0, cycles: number(row.c) || 0 })),
  );
}
