// The execution of a run as pixels: steps pooled to columns by their share of the time, so that no work disappears at any zoom.
import type { Profile, Run } from '../data/profile';
import { type Activity, activityOf } from './names';
import type { PooledRun } from './pool';

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
  for (let i = 0; i < pooled.count; ++i) {
    const step = pooled.first + i;
    const activity = kDrawn.indexOf(activityOf(programs[steps.program[step] ?? -1]?.type ?? ''));
    if (activity < 0) continue;
    pooled.segments.forEach(({ ipu, top, rows: height }, segment) => {
      const at = step * steps.ipus + ipu;
      const start = steps.activeFrom[at] ?? NaN;
      const length = steps.cycles[at] ?? NaN;
      const late = pooled.late[i * pooled.segments.length + segment]!; // after the first tile's start
      if (!(length > 0) || !(start + late + length > from) || !(start < to)) return;
      drawn[activity] = true;
      const begin = (start - from) * perCycle;
      const left = Math.max(0, begin);
      const first = Math.floor(left);
      const plane = activity * columns;
      const recorded = busy.subarray(i * rows + top, i * rows + top + height);
      if (begin >= 0 && begin + (late + length) * perCycle <= Math.min(first + 1, columns)) {
        // Within one column, as most steps of a long run.
        const shares = out.subarray((plane + first) * rows + top, (plane + first) * rows + top + height);
        for (let row = 0; row < shares.length; ++row) {
          const cycles = recorded[row]!;
          shares[row]! += (cycles >= 0 && cycles < length ? cycles : length) * perCycle; // NaN: not recorded
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
