// Pools the tiles of a run into rows; the busiest tile of a row represents the row. Reads in slices, so that the page stays responsive. Also
// computes when each tile begins a step, and for which tile it waits (machine.ts). Time: steps times tiles. Memory grows with steps and rows.
import { blob, number } from '../data/database';
import { syncDelays } from '../data/extras';
import type { Profile, Run } from '../data/profile';
import type { SyncDelay } from '../data/types';
import { kExchanges, Machine, type Meeting } from './machine';

/** The rows of one IPU. */
export interface Segment {
  readonly ipu: number;
  readonly top: number; // row
  readonly rows: number;
  readonly first: number; // position of its first tile
  readonly tiles: number;
}

/** The tile for which the tiles of each IPU waited at the last meeting of a step, at index (step - first) * ipus + ipu. */
export interface Meetings {
  readonly last: Int32Array; // tile; -1 = no meeting
  readonly begin: Float64Array; // cycle at which this tile arrives, from the start of the run
}

/** Figures of each tile over a run, for all tiles of the replica. */
export interface TilesOfRun {
  readonly caused: Float64Array; // tile cycles that other tiles waited at meetings at which the tile arrived last
  readonly end: Float64Array; // cycle at which the last work of the tile ends
  readonly busy: Float64Array; // cycles
}

/** Busy cycles of the busiest tile of each row, step by step; NaN = not recorded. */
export interface PooledRun {
  readonly rows: number;
  readonly tiles: Int32Array; // the shown tiles, in the order of the rows
  readonly segments: readonly Segment[];
  readonly first: number; // first step
  readonly count: number; // number of steps
  readonly busy: Float32Array; // [step - first][row]
  readonly start: Float32Array; // start of the same tile, relative to the first tile of its IPU
  readonly late: Float64Array; // maximum of `start` in each segment: [step - first][segment]
  readonly meetings: Meetings;
  ending: { readonly tile: number; readonly cycle: number }; // the last tile of the run, for which the others wait; -1 = unknown
  exact: boolean; // `start` and `meetings` are known
  read: number; // number of steps whose tiles have been read
}

/** Returns the row of a position among the shown tiles. */
export function rowOf(pooled: PooledRun, position: number): number {
  const s = pooled.segments.find((one) => position < one.first + one.tiles);
  return s ? s.top + Math.floor(((position - s.first) * s.rows) / s.tiles) : pooled.rows - 1;
}

/**
 * Pools tiles, which are in order of IPUs, into about `most` rows. No row has tiles of two IPUs. A long run takes several slices: work(ms)
 * continues for about `ms` milliseconds. Until the job is done, steps that were not read yet count as busy on all tiles.
 */
export class PoolJob {
  readonly pooled: PooledRun;
  private readonly row: Int32Array; // row of each tile; -1 = not shown
  private readonly scratch: Float64Array;
  private readonly begins: Float64Array; // start of each row's busiest tile in a step
  private readonly machine: Machine;
  private readonly delays: ReadonlyMap<string, SyncDelay>;
  private readonly sums: TilesOfRun;
  private next: number; // next step

  constructor(
    private readonly profile: Profile,
    private readonly run: Run,
    tiles: Int32Array,
    most: number,
  ) {
    const perIpu = Math.max(1, Math.floor(profile.tiles / profile.ipus));
    const segments: Segment[] = [];
    this.row = new Int32Array(profile.tiles).fill(-1);
    let top = 0;
    for (let first = 0; first < tiles.length;) {
      const ipu = Math.floor(tiles[first]! / perIpu);
      let end = first;
      while (end < tiles.length && Math.floor(tiles[end]! / perIpu) === ipu) ++end;
      const rows = Math.max(1, Math.min(end - first, Math.floor((most * (end - first)) / tiles.length)));
      for (let i = first; i < end; ++i) this.row[tiles[i]!] = top + Math.floor(((i - first) * rows) / (end - first));
      segments.push({ ipu, top, rows, first, tiles: end - first });
      top += rows;
      first = end;
    }
    const count = Math.max(0, run.endStep - run.firstStep);
    this.scratch = new Float64Array(profile.tiles);
    this.begins = new Float64Array(top);
    this.next = run.firstStep;
    this.delays = syncDelays(profile);
    this.machine = new Machine(profile.tiles, perIpu);
    const zeros = () => new Float64Array(profile.tiles);
    this.sums = { caused: this.machine.caused, end: zeros(), busy: zeros() };
    this.pooled = {
      rows: top,
      tiles,
      segments,
      first: run.firstStep,
      count,
      busy: new Float32Array(count * top).fill(NaN),
      start: new Float32Array(count * top),
      late: new Float64Array(count * segments.length),
      meetings: { last: new Int32Array(count * profile.ipus).fill(-1), begin: new Float64Array(count * profile.ipus).fill(NaN) },
      ending: { tile: -1, cycle: NaN },
      exact: true,
      read: 0,
    };
  }

  get done(): boolean {
    return this.next >= this.run.endStep;
  }

  /** The figures of each tile; null until the job is done, or if the file lacks data on which the clocks depend. */
  get tilesOfRun(): TilesOfRun | null {
    return this.done && this.pooled.exact ? this.sums : null;
  }

  work(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    const block = Math.max(1, Math.min(256, Math.floor(200_000 / this.profile.tiles)));
    while (!this.done && performance.now() < until) this.readBlock(block);
  }

  private readBlock(block: number): void {
    const end = Math.min(this.next + block, this.run.endStep);
    const blobs = new Map<number, Uint8Array | null>();
    for (const row of this.profile.db.query('SELECT step_id, cycles FROM steps_by_tile WHERE step_id >= ? AND step_id < ?', [
      this.next,
      end,
    ]))
      blobs.set(number(row.step_id), blob(row.cycles));
    for (let step = this.next; step < end; ++step) {
      const packed = blobs.get(step) ?? null;
      const cycles = packed ? this.profile.columns.all(packed, this.scratch) : null;
      this.readStep(step, cycles);
    }
    this.next = end;
    this.pooled.read = end - this.run.firstStep;
    if (this.done) this.checkEnd();
  }

  private readStep(step: number, cycles: Float64Array | null): void {
    const { machine, pooled, profile } = this;
    const program = profile.programs[profile.steps.program[step] ?? -1];
    if (!program || !pooled.exact) {
      this.pool(step, cycles, null, null);
      return;
    }
    // An exchange begins on all tiles at once, at its meeting. Compute begins at the clock of each tile.
    const meets = program.barriers.length > 0 || kExchanges.has(program.type);
    if (!meets) this.pool(step, cycles, machine.clock, null);
    const met = machine.advance(program, cycles, this.delays);
    if (!met) {
      this.giveUp();
      if (meets) this.pool(step, cycles, null, null);
      return;
    }
    const last = met[met.length - 1];
    if (meets) this.pool(step, cycles, null, last ?? null);
    if (last) this.keepMeeting(step, last);
    if (cycles)
      for (let t = 0; t < cycles.length; ++t)
        if (cycles[t]! > 0) {
          this.sums.busy[t]! += cycles[t]!;
          this.sums.end[t] = machine.clock[t]!;
        }
    machine.readCounters(profile.programTiles(program.id, 'counter_cycles'));
  }

  private keepMeeting(step: number, met: Meeting): void {
    const { meetings } = this.pooled;
    const { perIpu } = this.machine;
    for (let ipu = 0; ipu < this.profile.ipus; ++ipu) {
      const group = Math.floor((ipu * perIpu) / met.tiles);
      const at = (step - this.run.firstStep) * this.profile.ipus + ipu;
      meetings.last[at] = met.last[group] ?? -1;
      meetings.begin[at] = met.begin[group] ?? NaN;
    }
  }

  private pool(step: number, cycles: Float64Array | null, clock: Float64Array | null, met: Meeting | null): void {
    if (!cycles) return;
    const { rows, busy, start, segments, late } = this.pooled;
    const { row, profile, begins, machine } = this;
    const index = step - this.run.firstStep;
    const base = index * rows;
    busy.fill(0, base, base + rows);
    for (let tile = 0; tile < row.length; ++tile) {
      const place = row[tile]!;
      const value = cycles[tile]!;
      if (place < 0 || !(value > busy[base + place]!)) continue;
      busy[base + place] = value;
      if (clock) begins[place] = clock[tile]!;
    }
    segments.forEach(({ ipu, top, rows: height }, s) => {
      const from = profile.steps.activeFrom[step * profile.ipus + ipu] ?? NaN;
      const begin = met ? (met.begin[Math.floor((ipu * machine.perIpu) / met.tiles)] ?? NaN) : NaN;
      let most = 0;
      for (let r = top; r < top + height; ++r) {
        const own = busy[base + r]! > 0 ? (clock ? begins[r]! : begin) - from : 0;
        start[base + r] = own > 0 ? own : 0; // NaN = unknown
        if (own > most) most = own;
      }
      late[index * segments.length + s] = most;
    });
  }

  private giveUp(): void {
    this.pooled.exact = false;
    this.pooled.start.fill(0);
    this.pooled.late.fill(0);
    this.pooled.meetings.last.fill(-1);
  }

  /** Checks that the clocks end at the length of the run. If they do not, the file lacks data on which the clocks depend. */
  private checkEnd(): void {
    const total = this.profile.runTotals.find((t) => t.run === this.run.id)?.total ?? NaN;
    this.pooled.ending = this.machine.finish();
    if (this.pooled.exact && this.pooled.ending.cycle !== total) this.giveUp();
  }
}

export const kChartRows = 380;

/** Returns the tiles of an IPU (null: of all IPUs). */
export function tilesShown(profile: Profile, ipu: number | null): Int32Array {
  const perIpu = Math.max(1, Math.floor(profile.tiles / profile.ipus));
  const first = (ipu ?? 0) * perIpu;
  return Int32Array.from({ length: ipu === null ? profile.tiles : perIpu }, (_, i) => first + i);
}

/** Returns the job of a run on an IPU (null: on all IPUs). The job may have begun already. */
export function poolJob(profile: Profile, run: Run, ipu: number | null): PoolJob {
  return profile.keep(`pool ${run.id} ${ipu}`, () => new PoolJob(profile, run, tilesShown(profile, ipu), kChartRows));
}

const kClose = 3; // maximum number of jobs that are kept for parts of the tiles

/** Returns the job of some tiles in some order; `key` identifies tiles and order. Keeps the last kClose jobs. */
export function closeJob(profile: Profile, run: Run, key: string, tiles: Int32Array): PoolJob {
  const jobs = profile.keep('close pools', () => new Map<string, PoolJob>());
  const name = `${run.id} ${key}`;
  const job = jobs.get(name) ?? new PoolJob(profile, run, tiles, kChartRows);
  jobs.delete(name);
  jobs.set(name, job);
  for (const old of jobs.keys()) if (jobs.size > kClose) jobs.delete(old);
  return job;
}
