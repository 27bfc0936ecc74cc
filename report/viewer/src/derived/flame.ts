// The steps of a run as nested spans, in one of three nestings: by the sequences and loops of the program, by the path of names, or flat.
import type { Profile, Run } from '../data/profile';
import { activityOf } from './names';
import { wordsOf } from './pathTree';
import { timeAt } from './times';

/** A span of a flame graph: consecutive steps of a run. Cycles count from the start of the run. */
export interface Span {
  readonly program: number; // kLayer: the span is a part of a name
  readonly label: string; // the part of a name; empty if the program gives the label
  readonly depth: number;
  readonly from: number;
  readonly to: number;
  readonly step: number; // first step
  readonly endStep: number; // one past the last step
}

export const kLayer = -2;

export const kNestings = [
  ['nested', 'as program tree'],
  ['layers', 'by layer'],
  ['flat', 'flat'],
] as const;
export type Nesting = (typeof kNestings)[number][0];

/**
 * Returns the cycle at which waiting in a step without work ends. If the next step has work on the IPU, waiting ends at the beginning of
 * the next step, else at the end of the step without work.
 */
function nextWork(profile: Profile, run: Run, step: number, ipu: number): number {
  const { steps } = profile;
  const next = timeAt(profile, step + 1, ipu);
  if (step + 1 < run.endStep && (steps.cycles[next] ?? NaN) > 0) return steps.activeFrom[next] ?? NaN;
  return steps.to[timeAt(profile, step, ipu)] ?? NaN;
}

/** A box that encloses a step: a program, or a word of the step's name. */
interface Level {
  readonly key: string;
  readonly program: number;
  readonly label: string;
}

/** Returns the IPU that works longest in a step. If no IPU works, returns the IPU that leaves the step last. */
function busiestIpu({ steps }: Profile, step: number): number {
  let best = 0;
  const weight = (ipu: number): readonly [number, number] => {
    const at = step * steps.ipus + ipu;
    return [steps.cycles[at] || 0, steps.to[at] || 0];
  };
  for (let ipu = 1; ipu < steps.ipus; ++ipu) {
    const [a, b] = [weight(ipu), weight(best)];
    if (a[0] > b[0] || (a[0] === b[0] && a[1] > b[1])) best = ipu;
  }
  return best;
}

/** Builds spans from the levels of each step. Adjacent boxes with the same key become one span, and each step is a span of its own. */
function collect(profile: Profile, run: Run, of: number | null, levelsOf: (step: number) => readonly Level[]): Span[] {
  const { steps } = profile;
  const open: { -readonly [Key in keyof Span]: Span[Key] }[] = [];
  const keys: string[] = [];
  const out: Span[] = [];
  const close = (depth: number) => {
    while (open.length > depth) {
      const span = open.pop();
      keys.pop();
      if (span) out.push(span);
    }
  };
  let cursor = 0; // end of the previous leaf; a leaf without work begins there, so that waiting before work belongs to the sync
  for (let step = run.firstStep; step < run.endStep; ++step) {
    const ipu = of ?? busiestIpu(profile, step);
    const at = timeAt(profile, step, ipu);
    const works = (steps.cycles[at] ?? NaN) > 0;
    const start = (works ? steps.activeFrom[at] : steps.from[at]) ?? NaN;
    const end = (works ? steps.activeTo[at] : nextWork(profile, run, step, ipu)) ?? NaN;
    const from = works ? Math.max(cursor, start) : cursor;
    const to = Math.max(from, Number.isFinite(end) ? end : from);
    if (!Number.isFinite(start)) continue;
    cursor = to;
    const levels = levelsOf(step);
    let same = 0;
    while (same < levels.length - 1 && keys[same] === levels[same]?.key) ++same;
    close(same);
    for (const span of open) [span.to, span.endStep] = [Math.max(span.to, to), step + 1];
    for (let d = same; d < levels.length; ++d) {
      const { key, program, label } = levels[d]!;
      keys.push(key);
      open.push({ program, label, depth: d, from, to, step, endStep: step + 1 });
    }
  }
  close(0);
  return out;
}

const levelOf = (program: number): Level => ({ key: String(program), program, label: '' });

function nestedLevels({ programs, steps }: Profile): (step: number) => readonly Level[] {
  return (step) => {
    const leaf = steps.program[step] ?? -1;
    const path: number[] = [];
    for (let p: number | null = leaf; p !== null && path.length < 64; p = programs[p]?.parent ?? null) path.unshift(p);
    return path.filter((id) => id === leaf || programs[id]?.type !== 'Sequence' || programs[id]?.name !== '').map(levelOf);
  };
}

/** Returns the words of the name of a step, then the step itself. A barrier has the words of the step that follows. */
function layerLevels({ programs, steps }: Profile, run: Run): (step: number) => readonly Level[] {
  const pathOf = (program: number): Level[] =>
    wordsOf(programs[program]?.name ?? '')
      .slice(0, -1)
      .map((word, i, all) => ({ key: `/${all.slice(0, i + 1).join('/')}`, program: kLayer, label: word }));
  return (step) => {
    let named = step;
    while (named + 1 < run.endStep && activityOf(programs[steps.program[named] ?? -1]?.type ?? '') === 'sync') ++named;
    return [...pathOf(steps.program[named] ?? -1), levelOf(steps.program[step] ?? -1)];
  };
}

/** Returns the spans of a run on one IPU. If `ipu` is null, each step has its length on the IPU that works longest in the step. */
export function flame(profile: Profile, run: Run, ipu: number | null, by: Nesting): readonly Span[] {
  return profile.keep(`flame ${run.id} ${ipu} ${by}`, () => {
    if (by === 'flat') return collect(profile, run, ipu, (step) => [levelOf(profile.steps.program[step] ?? -1)]);
    return collect(profile, run, ipu, by === 'layers' ? layerLevels(profile, run) : nestedLevels(profile));
  });
}
