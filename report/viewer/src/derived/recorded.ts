// What a profile records of executions: why it has none, and how often and how long each program ran.
import type { Profile } from '../data/profile';
import { stepParts } from './times';

/** Returns why the file has no run, and which option records one. */
export function whyNoRun(profile: Profile): string {
  if (profile.outOfMemoryTiles.length > 0)
    return 'No execution was recorded: the program does not fit. With the engine option debug.allowOutOfMemory an IPU Model runs it all the same.';
  if (!profile.complete) return 'No execution was recorded: the program that wrote this file ended before its first recorded run did.';
  return profile.target.type === 'IPU'
    ? 'No execution was recorded. An IPU records runs with the engine option debug.instrument.'
    : 'No execution was recorded: the engine did not run, or the engine option autoReport.outputExecutionProfile is off.';
}

/** Returns a program and all programs inside it. */
function within(profile: Profile, id: number): number[] {
  const all = [id];
  for (let i = 0; i < all.length; ++i) all.push(...(profile.children[all[i] ?? -1] ?? []));
  return all;
}

/** Recorded executions of a program or, if only the programs inside it were recorded, of those. */
export interface Executed {
  readonly own: boolean; // false: the executions are those of programs inside
  readonly steps: number; // number of step executions in the recorded runs
  readonly adds: number; // cycles by which they make the runs longer; NaN = unknown
}

/** Returns null if the file has no run, or if steps of this kind are not recorded. */
export function executedOf(profile: Profile, id: number): Executed | null {
  const { program, part } = stepParts(profile);
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
