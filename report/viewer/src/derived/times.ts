// The one accounting of time. A step's part is by how much it makes its run longer:
//
//   tiles  |==== a ====|....|== b ==|        T(a)            T(b)
//          |=== a ==|.......|====== b ======|
//
// T(s) is when the last tile leaves step s or one before it; the part of s is T(s) less that of the step before. Parts add up to where
// the last step ends. What the tiles do not work in a step's part they wait. A step that ran beside earlier ones can have more work than
// its part: its waiting is then below 0 and makes up for what the earlier ones seem to wait, so that work and waiting of all steps add
// up to tiles x cycles, with nothing twice. `popscope top` and `popscope loss` account by the same parts.
import type { Profile, Run } from '../data/profile';
import { causeOf, type StepCause } from './names';

/** Columns over the executed steps of all runs; NaN: not recorded. */
export interface StepParts {
  readonly run: Float64Array;
  readonly program: Float64Array;
  readonly part: Float64Array; // cycles
  readonly busy: Float64Array; // tile cycles of all IPUs
}

/** Parts from when the last tile leaves each step, in cycles from the start of its run; steps are in order, run by run. */
export function partsOf(run: ArrayLike<number>, to: Float64Array): Float64Array {
  let end = 0;
  return to.map((last, s) => {
    if (s === 0 || run[s] !== run[s - 1]) end = 0;
    const part = Number.isNaN(last) ? NaN : Math.max(0, last - end);
    if (last > end) end = last;
    return part;
  });
}

/** Read by itself: the first view needs no more of the steps. */
export function stepParts(profile: Profile): StepParts {
  return profile.keep('parts of steps', () => {
    const none = new Float64Array(0);
    const [run = none, program = none, to = none, busy = none] = profile.db.columns(
      ['run', 'program', 't', 'b'],
      `SELECT s.run, s.program, i.t, i.b FROM steps s LEFT JOIN (SELECT step_id,
        max(cycles_base + all_cycles_to_max) AS t, CASE WHEN count(busy_cycles) = count(*) THEN sum(busy_cycles) END AS b FROM steps_by_ipu
        GROUP BY step_id) i ON i.step_id = s.id ORDER BY s.id`,
    );
    return { run, program, part: partsOf(run, to), busy };
  });
}

/** The parts of the steps on one IPU, as its own tiles leave them. */
export function partsOnIpu(profile: Profile, ipu: number): Float64Array {
  return profile.keep(`parts on ${ipu}`, () => {
    const { steps } = profile;
    const to = Float64Array.from({ length: steps.count }, (_, s) => steps.to[s * steps.ipus + ipu] ?? NaN);
    return partsOf(steps.run, to);
  });
}

/** The most that one of the tiles [from, to) works; NaN: not recorded. */
export function slowestTile(cyclesByTile: Float64Array | null, from: number, to: number): number {
  return cyclesByTile ? cyclesByTile.subarray(from, to).reduce((most, c) => (c > most ? c : most), 0) : NaN;
}

/** Executions of one program together. */
export interface ProgramTime {
  readonly program: number;
  readonly cycles: number; // parts of the length of the runs
  readonly busy: number; // tile cycles
  readonly waiting: number; // tile cycles; below 0 where it ran beside earlier steps
  readonly executions: number;
  readonly most: number; // cycles of one execution
}

function add(profile: Profile, from: number, end: number): ProgramTime[] {
  const { program, part, busy } = stepParts(profile);
  const by = new Map<number, { program: number; cycles: number; busy: number; waiting: number; executions: number; most: number }>();
  for (let s = from; s < end; ++s) {
    const id = program[s] ?? -1;
    let row = by.get(id);
    if (!row) by.set(id, (row = { program: id, cycles: 0, busy: 0, waiting: 0, executions: 0, most: 0 }));
    const [cycles, work] = [part[s] ?? NaN, busy[s] ?? NaN];
    row.cycles += cycles;
    row.busy += work;
    row.waiting += profile.tiles * cycles - work;
    row.most = Math.max(row.most, cycles);
    ++row.executions;
  }
  return [...by.values()];
}

/** By program over all recorded runs, those that make tiles wait most first. */
export function waitingOfPrograms(profile: Profile): readonly ProgramTime[] {
  return profile.keep('waiting of programs', () =>
    add(profile, 0, stepParts(profile).run.length).sort((a, b) => b.waiting - a.waiting || a.program - b.program),
  );
}

/** The compute sets that make tiles wait most. */
export function idlest(profile: Profile, count: number): readonly ProgramTime[] {
  const sets = new Set(profile.db.numbers("SELECT id FROM programs WHERE type = 'OnTileExecute'"));
  return waitingOfPrograms(profile)
    .filter((row) => sets.has(row.program) && row.waiting > 0)
    .slice(0, count);
}

/** Of one run, those that make it longest first. */
export function stepTimes(profile: Profile, run: Run): readonly ProgramTime[] {
  return profile.keep(`step times ${run.id}`, () =>
    add(profile, run.firstStep, run.endStep).sort((a, b) => b.cycles - a.cycles || a.program - b.program),
  );
}

/** Work and waiting of a kind of step, in tile cycles. */
export interface CauseTime {
  readonly busy: number;
  readonly waiting: number;
}

/** By kind of step, of all recorded runs or of one; null where some time is not known. */
export function timesByCause(profile: Profile, run?: number): ReadonlyMap<StepCause, CauseTime> | null {
  const { run: runs, program, part, busy } = stepParts(profile);
  const out = new Map<StepCause, { busy: number; waiting: number }>();
  for (let s = 0; s < runs.length; ++s) {
    if (run !== undefined && runs[s] !== run) continue;
    const cause = causeOf(profile.programs[program[s] ?? -1]?.type ?? '');
    let sum = out.get(cause);
    if (!sum) out.set(cause, (sum = { busy: 0, waiting: 0 }));
    const waits = profile.tiles * (part[s] ?? NaN) - (busy[s] ?? NaN);
    if (Number.isNaN(waits)) return null;
    sum.busy += busy[s] ?? 0;
    sum.waiting += waits;
  }
  return out;
}
