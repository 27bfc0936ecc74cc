// Executed steps that are selected together: what each of them did, and what they sum to.
import { number, text } from '../data/database';
import type { Profile, Run } from '../data/profile';
import { type Activity, activityOf } from './names';

/** Of one step, or of several on one IPU or on all. NaN = not recorded. */
export interface StepSum {
  readonly steps: number;
  readonly from: number; // cycle at which its first tile enters, from the start of the run
  readonly to: number; // cycle at which its last tile leaves
  readonly work: number; // cycles of the slowest tile, summed over steps
  readonly busy: number; // tile cycles
  readonly could: number; // tile cycles if all tiles of the IPU worked as long as the slowest
  readonly received: number; // bytes
  readonly sent: number; // bytes
}

const kNothing: StepSum = { steps: 0, from: NaN, to: NaN, work: NaN, busy: NaN, could: NaN, received: NaN, sent: NaN };

/** A sum of what is known: NaN only where neither is. */
const plus = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b);
const least = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));
const most = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));

function onIpu(profile: Profile, step: number, ipu: number): StepSum {
  const { steps } = profile;
  const at = step * steps.ipus + ipu;
  if (!Number.isFinite(steps.activeTiles[at] ?? NaN)) return kNothing;
  const work = steps.cycles[at] ?? NaN;
  return {
    steps: 1,
    from: steps.from[at] ?? NaN,
    to: steps.to[at] ?? NaN,
    work,
    busy: steps.busy[at] ?? NaN,
    could: (work * profile.tiles) / profile.ipus,
    received: steps.dataIn[at] ?? NaN,
    sent: steps.dataOut[at] ?? NaN,
  };
}

/** The same steps on two IPUs: the slower decides how long they take. */
function beside(a: StepSum, b: StepSum): StepSum {
  return { ...after(a, b), steps: Math.max(a.steps, b.steps), work: most(a.work, b.work) };
}

/** Different steps on one IPU. */
function after(a: StepSum, b: StepSum): StepSum {
  return {
    steps: a.steps + b.steps,
    from: least(a.from, b.from),
    to: most(a.to, b.to),
    work: plus(a.work, b.work),
    busy: plus(a.busy, b.busy),
    could: plus(a.could, b.could),
    received: plus(a.received, b.received),
    sent: plus(a.sent, b.sent),
  };
}

/** One step over all IPUs. */
export function sumOfStep(profile: Profile, step: number): StepSum {
  let sum = kNothing;
  for (let ipu = 0; ipu < profile.ipus; ++ipu) sum = beside(sum, onIpu(profile, step, ipu));
  return sum;
}

export interface Selection {
  readonly all: StepSum;
  readonly byIpu: readonly StepSum[];
  readonly byActivity: ReadonlyMap<Activity, StepSum>;
  readonly threadCycles: number; // of worker threads and supervisors
}

export function sumOfSteps(profile: Profile, selected: readonly number[]): Selection {
  let all = kNothing;
  let threadCycles = NaN;
  const byIpu = Array.from({ length: profile.ipus }, () => kNothing);
  const byActivity = new Map<Activity, StepSum>();
  for (const step of selected) {
    const sum = { ...sumOfStep(profile, step), steps: 1 };
    all = after(all, sum);
    const activity = activityOf(profile.programs[profile.steps.program[step] ?? -1]?.type ?? '');
    byActivity.set(activity, after(byActivity.get(activity) ?? kNothing, sum));
    byIpu.forEach((before, ipu) => (byIpu[ipu] = after(before, onIpu(profile, step, ipu))));
    threadCycles = plus(threadCycles, profile.steps.threadCycles[step] ?? NaN);
  }
  return { all, byIpu, byActivity, threadCycles };
}

/** Steps of a run that are under way on an IPU in [from, to) cycles. */
export function stepsWithin(profile: Profile, run: Run, ipu: number, from: number, to: number): number[] {
  const { steps } = profile;
  const out: number[] = [];
  for (let s = run.firstStep; s < run.endStep; ++s) {
    const at = s * steps.ipus + ipu;
    if ((steps.from[at] ?? NaN) < to && (steps.to[at] ?? NaN) > from) out.push(s);
  }
  return out;
}

export interface Found {
  readonly programs: ReadonlySet<number>; // that have the word in their own name or kind
  readonly steps: readonly number[]; // executed ones of these
}
export const kNoneFound: Found = { programs: new Set(), steps: [] };

/** Executed steps of a run by a part of their name or kind, or of one of the programs around them. */
export function stepsNamed(profile: Profile, run: Run, word: string): Found {
  const wanted = word.trim().toLowerCase();
  if (wanted === '') return kNoneFound;
  const programs = new Set(profile.programs.filter((p) => `${p.name}\n${p.type}`.toLowerCase().includes(wanted)).map((p) => p.id));
  const within: boolean[] = []; // a program comes after the one around it
  for (const p of profile.programs) within[p.id] = programs.has(p.id) || (p.parent !== null && within[p.parent] === true);
  const steps: number[] = [];
  for (let s = run.firstStep; s < run.endStep; ++s) if (within[profile.steps.program[s] ?? -1]) steps.push(s);
  return { programs, steps };
}

export interface TypeSum {
  readonly type: string;
  readonly vertices: number;
  readonly cycles: number; // of threads
}

/** What each step executed of each vertex type, as columns. */
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

/** Vertex types of the selected steps, most cycles first. */
export function vertexTypesOf(profile: Profile, selected: readonly number[]): TypeSum[] {
  const { step, type, vertices, cycles } = typesOfSteps(profile);
  const names = new Map(profile.db.query('SELECT id, name FROM vertex_types').map((row) => [number(row.id), text(row.name)]));
  const chosen = new Set(selected);
  const sums = new Map<number, { vertices: number; cycles: number }>();
  step.forEach((s, i) => {
    if (!chosen.has(s)) return;
    const id = type[i] ?? -1;
    const sum = sums.get(id) ?? { vertices: 0, cycles: 0 };
    sum.vertices += vertices[i] || 0;
    sum.cycles += cycles[i] || 0;
    sums.set(id, sum);
  });
  return [...sums].map(([id, sum]) => ({ type: names.get(id) ?? '', ...sum })).sort((a, b) => b.cycles - a.cycles);
}
