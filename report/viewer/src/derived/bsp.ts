// The execution of a run as pixels: tiles pooled to rows (the busiest tile of a row stands for it), steps pooled to columns by
// their share of the time, so that no work disappears at any zoom.
import { decodeTiles } from '../data/decode';
import { blob, number } from '../data/database';
import type { Profile, Run } from '../data/profile';
import { type Activity, activityOf } from './names';

/** Busy cycles of the busiest tile of each row, step by step; NaN where tiles were not recorded. */
export interface PooledRun {
  readonly rows: number;
  readonly tiles: readonly [number, number]; // what the rows stand for, half-open
  readonly ipuOfRow: Int32Array;
  readonly first: number; // step
  readonly count: number; // steps
  readonly busy: Float32Array; // [step - first][row]
  read: number; // steps whose tiles have been read
}

/**
 * Pools the tiles of one IPU, or with null of all, on at most `most` rows; no row has tiles of two IPUs. A long run takes a
 * while: work(ms) goes on for about so long, and until it is done steps without their tiles count as busy on all.
 */
export class PoolJob {
  readonly pooled: PooledRun;
  private readonly rowOf: Int32Array;
  private readonly scratch: Float64Array;
  private next: number; // step

  constructor(
    private readonly profile: Profile,
    private readonly run: Run,
    ipu: number | null,
    most: number,
  ) {
    const perIpu = Math.max(1, Math.floor(profile.tiles / profile.ipus));
    const ipus = ipu === null ? profile.ipus : 1;
    const rowsOfIpu = Math.max(1, Math.min(Math.floor(most / ipus), perIpu));
    const rows = rowsOfIpu * ipus;
    const offset = (ipu ?? 0) * perIpu;
    const count = Math.max(0, run.endStep - run.firstStep);
    this.rowOf = Int32Array.from(
      { length: perIpu * ipus },
      (_, tile) => Math.floor(tile / perIpu) * rowsOfIpu + Math.floor(((tile % perIpu) * rowsOfIpu) / perIpu),
    );
    this.scratch = new Float64Array(profile.tiles);
    this.next = run.firstStep;
    const ipuOfRow = Int32Array.from({ length: rows }, (_, row) => (ipu ?? 0) + Math.floor(row / rowsOfIpu));
    const busy = new Float32Array(count * rows).fill(NaN);
    this.pooled = { rows, tiles: [offset, offset + perIpu * ipus], ipuOfRow, first: run.firstStep, count, busy, read: 0 };
  }

  get done(): boolean {
    return this.next >= this.run.endStep;
  }

  work(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    const block = Math.max(1, Math.min(256, Math.floor(200_000 / this.profile.tiles)));
    while (!this.done && performance.now() < until) this.readBlock(block);
  }

  private readBlock(block: number): void {
    const { rows, busy, tiles } = this.pooled;
    const { rowOf } = this;
    const end = Math.min(this.next + block, this.run.endStep);
    for (const row of this.profile.db.query('SELECT step_id, cycles FROM steps_by_tile WHERE step_id >= ? AND step_id < ?', [
      this.next,
      end,
    ])) {
      const cycles = decodeTiles(blob(row.cycles), this.profile.tiles, this.scratch);
      const base = (number(row.step_id) - this.run.firstStep) * rows;
      if (!cycles || base < 0) continue;
      busy.fill(0, base, base + rows);
      for (let tile = 0; tile < rowOf.length; ++tile) {
        const value = cycles[tiles[0] + tile]!;
        const at = base + rowOf[tile]!;
        if (value > busy[at]!) busy[at] = value;
      }
    }
    this.next = end;
    this.pooled.read = end - this.run.firstStep;
  }
}

export const kChartRows = 380;

/** The job of a run and IPU (null: all), begun or not. */
export function poolJob(profile: Profile, run: Run, ipu: number | null): PoolJob {
  return profile.keep(`pool ${run.id} ${ipu}`, () => new PoolJob(profile, run, ipu, kChartRows));
}

export const kDrawn: readonly Activity[] = ['compute', 'exchange', 'global', 'host'];

/** When the last tile of an IPU leaves the last step of a run, in cycles from its start; at least 1. */
export function endOfRun(profile: Profile, run: Run, ipu: number): number {
  return profile.keep(`end ${run.id} ${ipu}`, () => {
    let last = 1;
    for (let s = run.firstStep; s < run.endStep; ++s) last = Math.max(last, profile.steps.to[s * profile.steps.ipus + ipu] || 0);
    return last;
  });
}

/** Shares of pixels' time, and which activities have any. */
export interface Raster {
  readonly shares: Float32Array;
  readonly drawn: readonly boolean[]; // by activity of kDrawn
}

/**
 * Share of each pixel's time that its tiles work, by activity of kDrawn: [activity][column][row]. Rows of a column lie side by
 * side, as a step has them: most steps of a long run are narrower than a pixel.
 */
export function rasterize(profile: Profile, pooled: PooledRun, from: number, to: number, columns: number): Raster {
  const { steps, programs } = profile;
  const { rows, busy } = pooled;
  const out = new Float32Array(kDrawn.length * rows * columns);
  const drawn = kDrawn.map(() => false);
  const perCycle = columns / (to - from);
  const rowsOfIpu = pooled.ipuOfRow.filter((ipu) => ipu === pooled.ipuOfRow[0]).length;
  for (let i = 0; i < pooled.count; ++i) {
    const step = pooled.first + i;
    const activity = kDrawn.indexOf(activityOf(programs[steps.program[step] ?? -1]?.type ?? ''));
    if (activity < 0) continue;
    for (let top = 0; top < rows; top += rowsOfIpu) {
      const at = step * steps.ipus + (pooled.ipuOfRow[top] ?? 0);
      const start = steps.activeFrom[at] ?? NaN;
      const length = steps.cycles[at] ?? NaN;
      if (!(length > 0) || !(start + length > from) || !(start < to)) continue;
      drawn[activity] = true;
      const begin = (start - from) * perCycle;
      const left = Math.max(0, begin);
      const first = Math.floor(left);
      const plane = activity * columns;
      const recorded = busy.subarray(i * rows + top, i * rows + top + rowsOfIpu);
      if (begin >= 0 && begin + length * perCycle <= Math.min(first + 1, columns)) {
        // Within one column, as most steps of a long run.
        const shares = out.subarray((plane + first) * rows + top, (plane + first) * rows + top + rowsOfIpu);
        for (let row = 0; row < shares.length; ++row) {
          const cycles = recorded[row]!;
          shares[row]! += (cycles >= 0 && cycles < length ? cycles : length) * perCycle; // NaN: not recorded
        }
        continue;
      }
      for (let row = 0; row < rowsOfIpu; ++row) {
        const cycles = recorded[row]!;
        const right = Math.min(columns, begin + (cycles >= 0 ? cycles : length) * perCycle);
        if (!(right > left)) continue;
        const place = (plane + first) * rows + top + row;
        if (right <= first + 1) out[place]! += right - left;
        else
          for (let c = first, to = place; c < right; ++c, to += rows) out[to]! += (right < c + 1 ? right : c + 1) - (left > c ? left : c);
      }
    }
  }
  return { shares: out, drawn };
}

/** A span of one program in a flame picture: its steps that follow each other. Cycles count from the run's start. */
export interface Span {
  readonly program: number;
  readonly depth: number;
  readonly from: number;
  readonly to: number;
  readonly step: number; // its first
  readonly endStep: number; // one past its last
}

/** When the next step with work on an IPU begins: what waits before it ends there. Else the end of the step itself. */
function nextWork(profile: Profile, run: Run, step: number, ipu: number): number {
  const { steps } = profile;
  const next = step + 1;
  if (next < run.endStep && (steps.cycles[next * steps.ipus + ipu] ?? NaN) > 0) return steps.activeFrom[next * steps.ipus + ipu] ?? NaN;
  return steps.to[step * steps.ipus + ipu] ?? NaN;
}

/** Steps of a run as nested spans, by the path of programs from the root; spans of one program that touch are one. */
export function flame(profile: Profile, run: Run, ipu: number, flat: boolean): readonly Span[] {
  return profile.keep(`flame ${run.id} ${ipu} ${flat}`, () => collectFlame(profile, run, ipu, flat));
}

function collectFlame(profile: Profile, run: Run, ipu: number, flat: boolean): Span[] {
  const { steps, programs } = profile;
  const open: { program: number; depth: number; from: number; to: number; step: number; endStep: number }[] = [];
  const out: Span[] = [];
  const close = (depth: number) => {
    while (open.length > depth) {
      const span = open.pop();
      if (span) out.push(span);
    }
  };
  let previous = -1;
  let cursor = 0; // end of the leaf before: leaves follow each other, waiting belongs to the sync before the work
  for (let step = run.firstStep; step < run.endStep; ++step) {
    const at = step * steps.ipus + ipu;
    const leaf = steps.program[step] ?? -1;
    const works = (steps.cycles[at] ?? NaN) > 0;
    const start = (works ? steps.activeFrom[at] : steps.from[at]) ?? NaN;
    const end = (works ? steps.activeTo[at] : nextWork(profile, run, step, ipu)) ?? NaN;
    const from = works ? Math.max(cursor, start) : cursor;
    const to = Math.max(from, Number.isFinite(end) ? end : from);
    if (!Number.isFinite(start)) continue;
    cursor = to;
    const path: number[] = [];
    for (let p: number | null = leaf; p !== null && path.length < 64; p = programs[p]?.parent ?? null) path.unshift(p);
    const shown = flat ? [leaf] : path.filter((id) => id === leaf || programs[id]?.type !== 'Sequence' || programs[id]?.name !== '');
    let same = 0;
    while (same < shown.length - 1 && open[same]?.program === shown[same]) ++same;
    // A leaf, or a loop body that begins again, is a span of its own.
    if (leaf <= previous)
      same = Math.min(
        same,
        shown.findIndex((id) => id === leaf),
      );
    close(same);
    for (const span of open) [span.to, span.endStep] = [Math.max(span.to, to), step + 1];
    for (let d = same; d < shown.length; ++d) open.push({ program: shown[d] ?? -1, depth: d, from, to, step, endStep: step + 1 });
    previous = leaf;
  }
  close(0);
  return out;
}
