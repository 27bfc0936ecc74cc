// Sums executed steps that are selected together.
import { number, text } from '../data/database';
import type { Profile, Run } from '../data/profile';
import { type Activity, activityOf, programLabel } from './names';
import { stepParts } from './times';

/** Sums for one step, or for several steps, on one IPU or on all. NaN = not recorded. */
export interface StepSum {
  readonly steps: number;
  readonly from: number; // cycle at which the first tile enters, from the start of the run
  readonly to: number; // cycle at which the last tile leaves
  readonly adds: number; // cycles by which the steps make the run longer (times.ts)
  readonly busy: number; // tile cycles
  readonly waiting: number; // tile cycles without work during `adds`; negative if the steps overlap with earlier ones
  readonly received: number; // bytes
  readonly sent: number; // bytes
}

type Sum = { -readonly [Key in keyof StepSum]: StepSum[Key] };
const kNothing: StepSum = { steps: 0, from: NaN, to: NaN, adds: NaN, busy: NaN, waiting: NaN, received: NaN, sent: NaN };
const nothing = (): Sum => ({ ...kNothing });

/** Returns the sum of two numbers. If one number is unknown (NaN), returns the other number; NaN if both are unknown. */
const plus = (a: number, b: number): number => (a !== a ? b : b !== b ? a : a + b);
const least = (a: number, b: number): number => (a !== a || b < a ? b : a);
const most = (a: number, b: number): number => (a !== a || b > a ? b : a);

/** Adds a later step on the same IPU. */
function addAfter(sum: Sum, other: StepSum): void {
  sum.steps += other.steps;
  sum.from = least(sum.from, other.from);
  sum.to = most(sum.to, other.to);
  sum.adds = plus(sum.adds, other.adds);
  sum.busy = plus(sum.busy, other.busy);
  sum.waiting = plus(sum.waiting, other.waiting);
  sum.received = plus(sum.received, other.received);
  sum.sent = plus(sum.sent, other.sent);
}

/** Adds the same step on another IPU. The step counts once, and the cycles that it adds to the run also count once. */
function addBeside(sum: Sum, other: StepSum): void {
  const [steps, adds] = [Math.max(sum.steps, other.steps), most(sum.adds, other.adds)];
  addAfter(sum, other);
  sum.steps = steps;
  sum.adds = adds;
}

/**
 * Computes the sums of a step on one IPU. The waiting of the tiles is relative to the cycles that the step adds to the whole run. The
 * waiting of all IPUs therefore adds up.
 */
function onIpu(profile: Profile, step: number, ipu: number, into: Sum): void {
  const { steps } = profile;
  const at = step * steps.ipus + ipu;
  const takesPart = Number.isFinite(steps.activeTiles[at] ?? NaN);
  const adds = stepParts(profile).part[step] ?? NaN;
  into.steps = takesPart ? 1 : 0;
  into.from = steps.from[at] ?? NaN;
  into.to = steps.to[at] ?? NaN;
  into.adds = adds;
  into.busy = takesPart ? (steps.busy[at] ?? NaN) : 0;
  into.waiting = (adds * profile.tiles) / profile.ipus - into.busy;
  into.received = steps.dataIn[at] ?? NaN;
  into.sent = steps.dataOut[at] ?? NaN;
}

const onOne = nothing();

function overIpus(profile: Profile, step: number, into: Sum): void {
  Object.assign(into, kNothing);
  for (let ipu = 0; ipu < profile.ipus; ++ipu) {
    onIpu(profile, step, ipu, onOne);
    addBeside(into, onOne);
  }
}

/** Returns the sums of one step over all IPUs. */
export function sumOfStep(profile: Profile, step: number): StepSum {
  const sum = nothing();
  overIpus(profile, step, sum);
  return sum;
}

export interface Selection {
  readonly all: StepSum;
  readonly byIpu: readonly StepSum[];
  readonly byActivity: ReadonlyMap<Activity, StepSum>;
  readonly threadCycles: number; // cycles of worker threads and supervisors
}

/** Returns the sums of the selected steps. Allocates no object per step, because a frame may sum thousands of steps. */
export function sumOfSteps(profile: Profile, selected: readonly number[]): Selection {
  const all = nothing();
  const one = nothing();
  let threadCycles = NaN;
  const byIpu = Array.from({ length: profile.ipus }, nothing);
  const byActivity = new Map<Activity, Sum>();
  for (const step of selected) {
    overIpus(profile, step, one);
    one.steps = 1;
    addAfter(all, one);
    const activity = activityOf(profile.programs[profile.steps.program[step] ?? -1]?.type ?? '');
    let kind = byActivity.get(activity);
    if (!kind) byActivity.set(activity, (kind = nothing()));
    addAfter(kind, one);
    for (let ipu = 0; ipu < profile.ipus; ++ipu) {
      onIpu(profile, step, ipu, onOne);
      addAfter(byIpu[ipu]!, onOne);
    }
    threadCycles = plus(threadCycles, profile.steps.threadCycles[step] ?? NaN);
  }
  return { all, byIpu, byActivity, threadCycles };
}

/**
 * Returns the steps of a run that overlap the cycles [from, to] on an IPU (null: on any IPU). A step of length 0 counts if its cycle is in
 * the range.
 */
export function stepsWithin(profile: Profile, run: Run, ipu: number | null, from: number, to: number): number[] {
  const { steps } = profile;
  const inSight = (at: number): boolean => {
    const [begin, end] = [steps.from[at] ?? NaN, steps.to[at] ?? NaN];
    return begin === end ? begin >= from && end <= to : begin < to && end > from;
  };
  const [first, last] = ipu === null ? [0, steps.ipus - 1] : [ipu, ipu];
  const out: number[] = [];
  for (let s = run.firstStep; s < run.endStep; ++s)
    for (let i = first; i <= last; ++i)
      if (inSight(s * steps.ipus + i)) {
        out.push(s);
        break;
      }
  return out;
}

export interface Found {
  readonly programs: ReadonlySet<number>; // programs that have the word in their own name or kind
  readonly steps: readonly number[]; // executed steps of these programs
}
export const kNoneFound: Found = { programs: new Set(), steps: [] };

/** Returns the executed steps of a run that match a word: their name or kind, or that of an enclosing program, contains the word. */
export function stepsNamed(profile: Profile, run: Run, word: string): Found {
  const wanted = word.trim().toLowerCase();
  if (wanted === '') return kNoneFound;
  const programs = new Set(
    profile.programs.filter((p) => `${programLabel(p)}\n${p.name}\n${p.type}`.toLowerCase().includes(wanted)).map((p) => p.id),
  );
  const within: boolean[] = []; // a program comes after the program that encloses it
  for (const p of profile.programs) within[p.id] = programs.has(p.id) || (p.parent !== null && within[p.parent] === true);
  const steps: number[] = [];
  for (let s = run.firstStep; s < run.endStep; ++s) if (within[profile.steps.program[s] ?? -1]) steps.push(s);
  return { programs, steps };
}

export interface TypeSum {
  readonly type: string;
  readonly vertices: number;
  readonly cycles: number; // thread cycles
}

/** Returns the executed vertices of each step per vertex type, as columns. */
export function typesOfSteps(profile: Profile): {
  readonly step: Float64Array;
  readonly type: Float64Array;
  readonly vertices: Float64Array;
  readonly cycles: Float64Array;
} {
  return profile.keep('vertex types of steps', () => {
    const none = new Float64Array(0);
    const [step = none, type = none, vertices = none, cycles = none] = profile.db.columns(
      ['step_id', 'vertex_type', 'instances', 'cycles'],
      'SELECT step_id, vertex_type, instances, cycles FROM step_vertex_types',
    );
    return { step, type, vertices, cycles };
  });
}

/** Returns the vertex types of the selected steps, most cycles first. */
export function vertexTypesOf(profile: Profile, selected: readonly number[]): TypeSum[] {
  const { step, type, vertices, cycles } = typesOfSteps(profile);
  const names = new Map(profile.db.query('SELECT id, name FROM vertex_types').map((row) => [number(row.id), text(row.name)]));
  const chosen = new Uint8Array(profile.steps.count);
  for (const s of selected) chosen[s] = 1;
  const sums = new Map<number, { vertices: number; cycles: number }>();
  step.forEach((s, i) => {
    if (chosen[s] !== 1) return;
    const id = type[i] ?? -1;
    const sum = sums.get(id) ?? { vertices: 0, cycles: 0 };
    sum.vertices += vertices[i] || 0;
    sum.cycles += cycles[i] ?? NaN; // NaN: the cycles of one step are unknown
    sums.set(id, sum);
  });
  return [...sums].map(([id, sum]) => ({ type: names.get(id) ?? '', ...sum })).sort((a, b) => (b.cycles || 0) - (a.cycles || 0));
}
