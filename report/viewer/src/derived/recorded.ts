// What is known of executions: why a profile has none, and what the recorded steps say of a program.
import type { Profile } from '../data/profile';
import { stepParts } from './times';

/** Why no run is in the file, and what records one. */
export function whyNoRun(profile: Profile): string {
  if (profile.outOfMemoryTiles.length > 0)
    return 'No execution was recorded: the program does not fit. With the engine option debug.allowOutOfMemory an IPU Model runs it all the same.';
  if (!profile.complete) return 'No execution was recorded: the program that wrote this file ended before its first recorded run did.';
  return profile.target.type === 'IPU'
    ? 'No execution was recorded. An IPU records runs with the engine option debug.instrument.'
    : 'No execution was recorded: the engine did not run, or the engine option autoReport.outputExecutionProfile is off.';
}

/** The program with all that is in it. */
function within(profile: Profile, id: number): number[] {
  const all = [id];
  for (let i = 0; i < all.length; ++i) all.push(...(profile.children[all[i] ?? -1] ?? []));
  return all;
}

/** Executed steps of a program, or of those inside of it, which are recorded in its place. */
export interface Executed {
  readonly own: boolean; // false: of steps inside
  readonly steps: number; // executions of steps in the recorded runs
  readonly adds: number; // cycles by which they make the runs longer; NaN = not known
}

/** Null where the file does not tell: it has no run, or steps of this kind are not recorded. */
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
