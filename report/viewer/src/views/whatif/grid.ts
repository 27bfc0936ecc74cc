// The recorded runs on other machines, as points that `popscope html` estimated, and the fit of tiles with another memory size. The page
// itself estimates no cycles.
import { cellNumber } from '../../data/answers';
import type { Profile } from '../../data/profile';
import { whyNoRun } from '../../derived/recorded';

export const kKinds = ['compute', 'exchange', 'exchange between IPUs', 'host', 'waiting for the host', 'barrier', 'control'] as const;
export type Kind = (typeof kKinds)[number];

export interface Point {
  readonly workers: number;
  readonly exchange: number; // bytes per cycle
  readonly sync: number; // cycles
  readonly cycles: number; // sum over the recorded runs
  readonly kinds: Readonly<Record<Kind, number>>; // cycles per kind of step; they add up to `cycles`
}

export const kAxes = ['workers', 'exchange', 'sync'] as const;
export type Axis = (typeof kAxes)[number];
const kFacts: Readonly<Record<Axis, string>> = { workers: 'workers', exchange: 'exchangeBytesPerCycle', sync: 'syncDelay' };

export interface Grid {
  readonly recorded: Point;
  readonly values: Readonly<Record<Axis, readonly number[]>>; // ascending
  readonly points: readonly Point[];
  readonly all: boolean; // false: each point differs from the recorded machine in at most one respect
  readonly notes: readonly string[];
}

/** Reads the grid; null if the page has no such answer (for a dropped profile, or a profile without a run). */
export function readGrid(profile: Profile): Grid | null {
  return profile.keep('what-if grid', () => {
    const answer = profile.answers?.views.whatifGrid;
    const rows = answer?.tables.points?.rows;
    if (!answer || !rows) return null;
    const points = rows.map((row): Point => ({
      workers: cellNumber(row.workers),
      exchange: cellNumber(row.exchangeBytesPerCycle),
      sync: cellNumber(row.syncDelay),
      cycles: cellNumber(row.cycles),
      kinds: Object.fromEntries(kKinds.map((kind) => [kind, cellNumber(row[kind])])) as Record<Kind, number>,
    }));
    const recorded = points.find((p) => kAxes.every((axis) => p[axis] === cellNumber(answer.facts[kFacts[axis]])));
    if (!recorded) return null;
    const valuesOf = (axis: Axis) => [...new Set(points.map((p) => p[axis]))].sort((a, b) => a - b);
    return {
      recorded,
      values: { workers: valuesOf('workers'), exchange: valuesOf('exchange'), sync: valuesOf('sync') },
      points,
      all: answer.facts.allPoints === 1,
      notes: answer.notes,
    };
  });
}

/** Returns sentences about why there is no grid. If `popscope html` wrote an answer in place of the grid, returns this answer. */
export function whyNoGrid(profile: Profile): string {
  if (profile.runs.length === 0) return whyNoRun(profile);
  const reason = profile.answers?.refused.whatifGrid;
  if (reason !== undefined) return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return 'popscope html estimates the runs on other machines and puts the results into the page. A dropped profile has no such results; popscope whatif prints them.';
}

const kPercent = [25, 50, 75, 90, 100, 110, 125, 150, 200, 400]; // percent of the recorded clock and memory size

/** Returns the clocks of a slider, in Hz. */
export const clocksOf = ({ target }: Profile): number[] => kPercent.map((p) => Math.round((target.clockHz * p) / 100));
/** Returns the memory sizes of a slider, in bytes per tile. */
export const sizesOf = ({ target }: Profile): number[] => kPercent.map((p) => Math.round((target.bytesPerTile * p) / 100 / 1024) * 1024);

/** Returns the point of a machine; null if the grid has no estimate for the machine. */
export function pointAt(grid: Grid, at: Readonly<Record<Axis, number>>): Point | null {
  return grid.points.find((p) => kAxes.every((axis) => p[axis] === at[axis])) ?? null;
}

export interface OtherMemory {
  readonly fit: number; // number of tiles that fit in their present layout
  readonly cannot: number; // number of tiles that need more bytes than this memory has, at one step
  readonly open: number; // number of tiles that would need a new layout
}

/** Returns how many tiles fit if each tile has `bytes` of memory. Addresses stay unchanged. */
export function withMemory(profile: Profile, bytes: number): OtherMemory {
  const { includingGaps, alwaysLive, maxNotAlwaysLive } = profile.memory;
  const out = { fit: 0, cannot: 0, open: 0 };
  for (let t = 0; t < profile.tiles; ++t) {
    if ((includingGaps[t] ?? 0) <= bytes) ++out.fit;
    else if ((alwaysLive[t] ?? 0) + (maxNotAlwaysLive[t] ?? 0) > bytes) ++out.cannot;
    else ++out.open;
  }
  return out;
}

/** Returns the `popscope` command that answers the same question as the sliders. */
export function commandOf(
  name: string,
  grid: Grid,
  at: Readonly<Record<Axis, number>>,
  clockHz: number,
  bytes: number,
  profile: Profile,
): string {
  const flags: string[] = [];
  if (at.workers !== grid.recorded.workers) flags.push(`--workers ${at.workers}`);
  if (at.exchange !== grid.recorded.exchange) flags.push(`--exchange-bytes-per-cycle ${at.exchange}`);
  if (at.sync !== grid.recorded.sync) flags.push(`--sync-delay ${at.sync}`);
  if (clockHz !== profile.target.clockHz) flags.push(`--clock ${clockHz}`);
  if (bytes !== profile.target.bytesPerTile) flags.push(`--tile-memory ${bytes}`);
  return `popscope whatif ${name} ${flags.join(' ')}`.trim();
}
