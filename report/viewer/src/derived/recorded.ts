// Describes the recorded executions of a profile: why there is none, and how often and how long each program ran.
import type { Profile } from '../data/profile';
import { visible } from '../data/visible';
import { summedParts } from './times';

interface Option {
  readonly isTrue: boolean;
  readonly isChosen: boolean; // false: the value is the default
}

function engineOption(profile: Profile, key: string): Option {
  const row = profile.db.query("SELECT value, is_default FROM options WHERE scope = 'engine' AND key = ?", [key])[0];
  return { isTrue: row !== undefined && row.value === 'true', isChosen: row !== undefined && row.is_default === 0 };
}

/** Returns sentences about why the file has no run, and which option records one. The cause is the one that `popscope info` prints. */
export function whyNoRun(profile: Profile): string {
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
  const hasNoCode = profile.target.type === 'IPU_MODEL' && profile.meta.get('codeIncluded') === '0'; // such a model continues
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

/** Returns a program and all programs inside it. */
function within(profile: Profile, id: number): number[] {
  const all = [id];
  for (let i = 0; i < all.length; ++i) all.push(...(profile.children[all[i] ?? -1] ?? []));
  return all;
}

/** Recorded executions of a program. If the file records only the programs inside it, the executions are theirs. */
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
  const kinds = profile.keep('recorded kinds', () => new Set(Array.from(program, (p) => profile.programs[p]?.type ?? '')));
  const own = kinds.has(profile.programs[id]?.type ?? '');
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
