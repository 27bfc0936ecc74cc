// The length of runs. The part of a step is the number of cycles by which the step makes its run longer:
//
//   tiles  |==== a ====|....|== b ==|        T(a)            T(b)
//          |=== a ==|.......|====== b ======|
//
// T(s) is the cycle at which the last tile leaves step s or any earlier step. The part of s is T(s) minus T of the previous step. The parts
// add up to the end of the last step. A step that overlaps with earlier steps adds little or nothing. `popscope top` and `popscope loss`
// use the same parts. Only `popscope loss` computes the causes for which tiles wait (loss.ts).
import type { Profile, Run } from '../data/profile';
import { kTo } from '../data/steps';
import { causeOf, type StepCause } from './names';
import { largestFirst } from './order';

/** Columns over the executed steps of all runs; NaN = not recorded. */
export interface StepParts {
  readonly run: Float64Array;
  readonly program: Float64Array;
  readonly part: Float64Array; // cycles
  readonly busy: Float64Array; // tile cycles of all IPUs
}

/**
 * Computes the parts from `to`, the cycle at which the last tile leaves each step, counted from the start of the run. Steps are in order,
 * run by run. `most` limits the parts of steps; NaN = no limit. If the time of the previous step is unknown (NaN), a part begins no earlier
 * than `enters`, the cycle at which the last tile enters the step. Otherwise the part would contain the unknown time. StepParts in
 * report/answers/StepTimes.hpp has the same rules.
 */
export function partsOf(run: ArrayLike<number>, to: Float64Array, enters?: Float64Array, most?: Float64Array): Float64Array {
  let end = 0;
  let unknownBefore = false;
  return to.map((last, s) => {
    if (s === 0 || run[s] !== run[s - 1]) [end, unknownBefore] = [0, false];
    if (unknownBefore && (enters?.[s] ?? NaN) > end) end = enters?.[s] ?? NaN;
    unknownBefore = Number.isNaN(last);
    const whole = Number.isNaN(last) ? NaN : Math.max(0, last - end);
    const part = whole > (most?.[s] ?? NaN) ? (most?.[s] ?? NaN) : whole;
    if (last > end) end = last;
    return part;
  });
}

/** Returns the parts of all steps. Reads the parts separately, because the first view needs no other columns of the steps. */
export function stepParts(profile: Profile): StepParts {
  return profile.keep('parts of steps', () => {
    const none = new Float64Array(0);
    // If a run has a time only for some categories of steps, a part is at most the step's own cycles (StepParts in
    // report/answers/StepTimes.hpp).
    const own = profile.db.has('run_categories') ? 'CASE WHEN i.c > 0 AND s.run IN (SELECT run FROM run_categories) THEN i.c END' : 'NULL';
    const [run = none, program = none, to = none, enters = none, busy = none, most = none] = profile.db.columns(
      ['run', 'program', 't', 'f', 'b', 'most'],
      `SELECT s.run, s.program, i.t, i.f, i.b, ${own} AS most FROM steps s LEFT JOIN (SELECT step_id, max(cycles) AS c,
        max(${kTo}) AS t, max(cycles_base + all_cycles_from_max) AS f,
        CASE WHEN count(busy_cycles) = count(*) THEN sum(busy_cycles) END AS b FROM steps_by_ipu
        GROUP BY step_id) i ON i.step_id = s.id ORDER BY s.id`,
    );
    return { run, program, part: partsOf(run, to, enters, most), busy };
  });
}

/**
 * Returns the ids of the runs that a sum over runs includes: the runs that ended. A run that was cut short has no length. If no run ended,
 * returns all runs.
 */
export function summedRuns(profile: Profile): ReadonlySet<number> {
  return profile.keep('summed runs', () => {
    const ended = profile.runs.filter((run) => run.complete);
    return new Set((ended.length === 0 ? profile.runs : ended).map((run) => run.id));
  });
}

/** Returns the parts of the steps of summedRuns(). */
export function summedParts(profile: Profile): StepParts {
  return profile.keep('summed parts of steps', () => {
    const all = stepParts(profile);
    const runs = summedRuns(profile);
    if (runs.size === profile.runs.length) return all;
    const ended = (values: Float64Array) => values.filter((_, s) => runs.has(all.run[s] ?? -1));
    return { run: ended(all.run), program: ended(all.program), part: ended(all.part), busy: ended(all.busy) };
  });
}

/** Returns the parts of the steps on one IPU, from the cycles at which the tiles of this IPU leave the steps. */
export function partsOnIpu(profile: Profile, ipu: number): Float64Array {
  return profile.keep(`parts on ${ipu}`, () => {
    const { steps } = profile;
    const onIpu = (values: Float64Array) => Float64Array.from({ length: steps.count }, (_, s) => values[s * steps.ipus + ipu] ?? NaN);
    return partsOf(steps.run, onIpu(steps.to), onIpu(steps.enters));
  });
}

/** Returns the number of steps of a run whose time was not recorded. */
export function stepsWithoutTime(profile: Profile, run: Run): number {
  return stepParts(profile).part.subarray(run.firstStep, run.endStep).filter(Number.isNaN).length;
}

/** Returns whether the file has only one time of a step, for all IPUs together (level device). Nothing is then known about a single IPU. */
export function oneForAll({ steps }: Profile, step: number): boolean {
  const known = steps.cycles.subarray(step * steps.ipus, (step + 1) * steps.ipus).filter((cycles) => !Number.isNaN(cycles)).length;
  return known > 0 && known < steps.ipus;
}

/**
 * Returns the index of the time of a step on an IPU in the columns of Steps: that of the IPU or, if the file has only one time for all IPUs
 * (oneForAll), the index of this time.
 */
export function timeAt({ steps }: Profile, step: number, ipu: number): number {
  const first = step * steps.ipus;
  if (!Number.isNaN(steps.cycles[first + ipu])) return first + ipu;
  for (let at = first; at < first + steps.ipus; ++at) if (!Number.isNaN(steps.cycles[at])) return at;
  return first + ipu;
}

/** Returns the cycles of the busiest of the tiles [from, to). */
export function slowestTile(cyclesByTile: Float64Array, from: number, to: number): number {
  return cyclesByTile.subarray(from, to).reduce((most, c) => (c > most ? c : most), 0);
}

/** The sum over the executions of one program. */
export interface ProgramTime {
  readonly program: number;
  readonly cycles: number; // sum of the parts
  readonly busy: number; // tile cycles
  readonly executions: number;
  readonly most: number; // cycles of the longest execution
}

function add({ program, part, busy }: StepParts, from: number, end: number): ProgramTime[] {
  const by = new Map<number, { program: number; cycles: number; busy: number; executions: number; most: number }>();
  for (let s = from; s < end; ++s) {
    const id = program[s] ?? -1;
    let row = by.get(id);
    if (!row) by.set(id, (row = { program: id, cycles: 0, busy: 0, executions: 0, most: 0 }));
    const [cycles, work] = [part[s] ?? NaN, busy[s] ?? NaN];
    row.cycles += cycles;
    row.busy += work;
    row.most = Math.max(row.most, cycles);
    ++row.executions;
  }
  return [...by.values()];
}

/** Returns the times of programs over all runs that ended; if no run ended, over all runs. */
export function timesOfPrograms(profile: Profile): readonly ProgramTime[] {
  return profile.keep('times of programs', () => add(summedParts(profile), 0, summedParts(profile).run.length));
}

/** Returns the times of programs in one run, most cycles first, and unknown cycles last. */
export function stepTimes(profile: Profile, run: Run): readonly ProgramTime[] {
  return profile.keep(`step times ${run.id}`, () =>
    add(stepParts(profile), run.firstStep, run.endStep).sort((a, b) => largestFirst(a.cycles, b.cycles) || a.program - b.program),
  );
}

/** Cycles of runs for one kind of step. The parts of all kinds add up to the length of one run, or of all recorded runs. */
export interface LengthPart {
  readonly kind: StepCause | 'after'; // after: cycles after the last step
  readonly steps: number;
  readonly cycles: number;
}

/**
 * Returns the parts by kind. A kind is NaN if the time of one of its steps is unknown. The cycles after the last step are then also NaN.
 */
export function partsByKind(profile: Profile, run?: number): ReadonlyMap<LengthPart['kind'], LengthPart> {
  return profile.keep(`length ${run ?? 'of all'}`, () => {
    const { run: runs, program, part } = run === undefined ? summedParts(profile) : stepParts(profile);
    const totals = profile.runTotals.filter((t) => run === undefined || t.run === run);
    const parts = new Map<LengthPart['kind'], LengthPart>();
    let rest = totals.reduce((sum, t) => sum + t.total, 0);
    for (let s = 0; s < runs.length; ++s) {
      if (run !== undefined && runs[s] !== run) continue;
      const kind = causeOf(profile.programs[program[s] ?? -1]);
      const { steps, cycles } = parts.get(kind) ?? { steps: 0, cycles: 0 };
      parts.set(kind, { kind, steps: steps + 1, cycles: cycles + (part[s] ?? NaN) });
      rest -= part[s] ?? NaN;
    }
    if (!(rest <= 0)) parts.set('after', { kind: 'after', steps: 0, cycles: rest });
    return parts;
  });
}

/** Returns whether the times of all steps are known. */
const allKnown = (profile: Profile, run?: number): boolean => ![...partsByKind(profile, run).values()].some((p) => Number.isNaN(p.cycles));

/** Returns the parts that are not 0, most cycles first; empty if some time is unknown. */
export function lengthByKind(profile: Profile, run?: number): readonly LengthPart[] {
  if (!allKnown(profile, run)) return [];
  return [...partsByKind(profile, run).values()].filter((p) => p.cycles > 0).sort((a, b) => b.cycles - a.cycles);
}

/**
 * Returns a sentence about why the file lacks times of a run (default: of any run). whyNotTimed in report/answers/LossAnswer.cpp has the
 * same rule.
 */
export function whyNoTime(profile: Profile, run?: number): string {
  return profile.runTotals.some((t) => (run === undefined || t.run === run) && Number.isNaN(t.total))
    ? 'The cycles of some vertices are unknown; popscope sources lists them with the reasons.'
    : 'The counters of a device, and the option popscope.profileCategories, decide which times a profile has.';
}

/** Returns sentences about why lengthByKind() returns no parts. */
export function whyNoLength(profile: Profile, run?: number): string {
  if (allKnown(profile, run)) return 'No step adds cycles to the length of the runs.';
  return `The file lacks the times of some steps. ${whyNoTime(profile, run)}`;
}
