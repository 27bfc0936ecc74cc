// Describes the recorded executions of a profile: why there is none, and how often and how long each program ran.
import type { Profile, Run, RunTotals } from '../data/profile';
import { visible } from '../data/visible';
import { endOfRun } from './bsp';
import { duration, integer } from './format';
import { largestFirst } from './order';
import { stepParts, stepsWithoutTime, summedParts, summedRuns } from './times';

interface Option {
  readonly isTrue: boolean;
  readonly isChosen: boolean; // false: the value is the default
}

function engineOption(profile: Profile, key: string): Option {
  const row = profile.db.query("SELECT value, is_default FROM options WHERE scope = 'engine' AND key = ?", [key])[0];
  return { isTrue: row !== undefined && row.value === 'true', isChosen: row !== undefined && row.is_default === 0 };
}

/**
 * Returns sentences about why there is no execution to show. If the file has no run, the sentences name the cause that `popscope info`
 * prints, and the option that records a run. If the file has runs, returns that this run executed no step.
 */
export function whyNoRun(profile: Profile): string {
  if (profile.runs.length > 0) return 'This run executed no step.';
  return `No execution was recorded. ${causeOfNoRun(profile)}`;
}

function causeOfNoRun(profile: Profile): string {
  const option = (key: string): Option => engineOption(profile, key);
  const paused = profile.db.query('SELECT runs, reason FROM paused_spans ORDER BY rowid');
  if (paused.length > 0) {
    const runs = paused.reduce((sum, row) => sum + Number(row.runs), 0);
    const reasons = [...new Set(paused.map((row) => visible(String(row.reason))))].join(', ');
    return `${runs} ${runs === 1 ? 'run was' : 'runs were'} left out (${reasons}); popscope runs lists which.`;
  }
  const isIpu = profile.target.type === 'IPU';
  const allow = option('debug.allowOutOfMemory');
  const hasNoCode = profile.target.type === 'IPU_MODEL' && profile.meta.get('codeIncluded') === '0'; // such a model runs the program anyway
  if (profile.outOfMemoryTiles.length > 0 && !allow.isTrue && (!hasNoCode || allow.isChosen))
    return `It does not fit, so no program could run.${isIpu ? '' : ' With the engine option debug.allowOutOfMemory, an IPU Model runs it anyway.'}`;
  const execution = option('autoReport.outputExecutionProfile');
  const wants = execution.isTrue;
  const counts = ['', 'Compute', 'ExternalExchange', 'ControlFlow'].some((part) => option(`debug.instrument${part}`).isTrue);
  if (isIpu && !counts)
    return wants
      ? 'An IPU device knows its cycles by counters, and debug.instrument is "false": leave it out or set it to "true".'
      : 'An IPU device knows its cycles by counters, and the program did not request them: set autoReport.outputExecutionProfile or debug.instrument to "true".';
  if (!wants && execution.isChosen)
    return 'autoReport.outputExecutionProfile is "false": set it to "true". (popscope.profile in Python writes such a file first; the runs follow at the end of its region.)';
  if (!profile.complete)
    return 'The program has not run yet, was stopped before the end of its first run, or discarded its runs with Engine::resetExecutionProfile.';
  if (!wants) return 'The engine options request only the profile of the compilation: set autoReport.outputExecutionProfile to "true".';
  return 'No run reached this file: the program did not call Engine::run, or compileGraph wrote the file, and an engine that ran wrote another file or did not end.';
}

/** Returns the number of earlier calls of Engine::run; if the file lacks it, returns the id of the run. */
export const numberOfRun = (run: Run): number => (Number.isFinite(run.number) ? run.number : run.id);

/** A run with its totals. */
export interface EndedRun {
  readonly run: Run;
  readonly totals: RunTotals;
}

/** Returns the runs that have totals. A run that was cut short has no totals, so `runs` and `runTotals` differ in their indices. */
export function endedRuns(profile: Profile): readonly EndedRun[] {
  return profile.keep('ended runs', () => {
    const totals = new Map(profile.runTotals.map((one) => [one.run, one]));
    return profile.runs.flatMap((run) => {
      const found = totals.get(run.id);
      return found ? [{ run, totals: found }] : [];
    });
  });
}

/**
 * Returns the longest run that ended, the first of equals. A run of known length comes before one of unknown length. If no run ended,
 * returns the first run.
 */
export function longestRun(profile: Profile): Run | undefined {
  const [longest] = [...endedRuns(profile)].sort((a, b) => largestFirst(a.totals.total, b.totals.total));
  return longest?.run ?? profile.runs[0];
}

/**
 * Returns the run in which to show the executions of a program. This is the longest run if it executed the program, else the first of the
 * runs in which the program adds most cycles. Runs that ended come before others. Returns undefined if no run executed the program.
 */
export function runOfProgram(profile: Profile, program: number): Run | undefined {
  return program < 0 ? undefined : profile.keep(`run of program ${program}`, () => findRun(profile, program));
}

function findRun(profile: Profile, program: number): Run | undefined {
  const steps = stepParts(profile);
  const adds = new Map<number, number>();
  steps.program.forEach((p, s) => {
    const run = steps.run[s] ?? -1;
    if (p === program) adds.set(run, (adds.get(run) ?? 0) + (steps.part[s] || 0));
  });
  const longest = longestRun(profile);
  if (longest && adds.has(longest.id)) return longest;
  const ran = profile.runs.filter((run) => adds.has(run.id));
  const ended = ran.filter((run) => run.complete);
  const [first, ...others] = ended.length > 0 ? ended : ran;
  return others.reduce((best, run) => (best && (adds.get(run.id) ?? 0) > (adds.get(best.id) ?? 0) ? run : best), first);
}

const totalOf = (profile: Profile, run: Run): number => profile.runTotals.find((t) => t.run === run.id)?.total ?? NaN;

/**
 * Returns the length of a run in cycles. If the run was cut short, or if its length is unknown, returns a lower bound: the end of the last
 * step of known time.
 */
export function leastLength(profile: Profile, run: Run): number {
  const total = totalOf(profile, run);
  return Number.isNaN(total) ? endOfRun(profile, run, null) : total;
}

/** Returns the length of a run as text, or where the run was cut short. */
export function lengthText(profile: Profile, run: Run): string {
  const total = totalOf(profile, run);
  if (!Number.isNaN(total)) return `${integer(total)} cycles, ${duration(total, profile.target.clockHz)}`;
  if (stepsWithoutTime(profile, run) === run.endStep - run.firstStep) return run.complete ? 'length unknown' : 'cut short';
  const cycles = integer(leastLength(profile, run));
  return run.complete ? `length unknown, at least ${cycles} cycles` : `cut short after ${cycles} cycles`;
}

/** Returns a run in one line: its number and length, or where it was cut short. */
export const lineOfRun = (profile: Profile, run: Run): string => `Run ${numberOfRun(run)}: ${lengthText(profile, run)}`;

/** Returns a note on the runs that were cut short, with the words of the notes of `popscope`; empty if all runs ended. */
export function noteOfCutRuns(profile: Profile): string {
  const cut = profile.runs.filter((run) => !run.complete).length;
  if (cut === 0) return '';
  if (cut < profile.runs.length)
    return `${integer(cut)} ${cut === 1 ? 'run was cut short and is' : 'runs were cut short and are'} in no sum of cycles.`;
  return cut === 1
    ? 'The run was cut short: its length is unknown, and cycles and executions are those of the steps up to its last step.'
    : 'No run ended: the length of the runs is unknown, and cycles and executions are those of the steps of runs that were cut short.';
}

/** Returns a note on the runs that were not recorded; empty if there are none. */
export function noteOfMissedRuns(profile: Profile): string {
  const missed = profile.db.numbers('SELECT coalesce(sum(runs), 0) FROM paused_spans')[0] ?? 0;
  if (missed === 0) return '';
  const summed = summedRuns(profile).size;
  const recorded = `${integer(summed)} recorded ${summed === 1 ? 'run' : 'runs'}${summed < profile.runs.length ? ' that ended' : ''}`;
  return `${integer(missed)} ${missed === 1 ? 'run was' : 'runs were'} not recorded; sums are over the ${recorded}.`;
}

/** Returns a program and all programs inside it. */
function within(profile: Profile, id: number): number[] {
  const all = [id];
  for (let i = 0; i < all.length; ++i) all.push(...(profile.children[all[i] ?? -1] ?? []));
  return all;
}

/** Returns the types of programs whose executions the file records. */
export function recordedKinds(profile: Profile): ReadonlySet<string> {
  return profile.keep('recorded kinds', () => new Set(Array.from(summedParts(profile).program, (p) => profile.programs[p]?.type ?? '')));
}

/**
 * Recorded executions of a program. If the file records only programs inside this program, the executions are those of the inner programs.
 */
export interface Executed {
  readonly own: boolean; // false: the executions are those of programs inside
  readonly steps: number; // number of executed steps in the recorded runs that ended (summedParts)
  readonly adds: number; // cycles by which these steps make the runs longer; NaN = unknown
}

/**
 * Returns the recorded executions of a program. Returns null if the file has no run, or if steps of the program's type were not recorded
 * and there is no program inside this program.
 */
export function executedOf(profile: Profile, id: number): Executed | null {
  const { program, part } = summedParts(profile);
  if (program.length === 0) return null;
  const own = recordedKinds(profile).has(profile.programs[id]?.type ?? '');
  const counted = new Set(own ? [id] : within(profile, id).slice(1));
  if (!own && counted.size === 0) return null;
  let steps = 0;
  let adds = 0;
  program.forEach((p, s) => {
    if (!counted.has(p)) return;
    ++steps;
    adds += part[s] ?? NaN;
  });
  return { own, steps, adds };
}

/** Returns whether a program or a program inside it calls a function. The body of a function is a program of its own. */
export function callsFunctions(profile: Profile, id: number): boolean {
  return within(profile, id).some((inside) => profile.programs[inside]?.type === 'Call');
}
