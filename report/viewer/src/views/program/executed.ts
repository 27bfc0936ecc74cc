// How often a program ran, and what the last recorded execution of a loop or conditional did.
import { number } from '../../data/database';
import type { Profile } from '../../data/profile';
import { counted, integer } from '../../derived/format';
import { kLoops } from '../../derived/names';
import { callsFunctions, executedOf } from '../../derived/recorded';

/** Returns how often a program ran, in words; an unknown number is not reported as 0. */
export function executedText(profile: Profile, id: number): string {
  const executed = executedOf(profile, id);
  if (!executed) return profile.runs.length === 0 ? 'no run was recorded' : 'not known: executions of this kind are not recorded';
  const adds =
    executed.steps > 0 && Number.isFinite(executed.adds)
      ? `; they add ${integer(executed.adds)} cycles to the runs${callsFunctions(profile, id) ? ', without the bodies of the functions that are called' : ''}`
      : '';
  return executed.own
    ? `${counted(executed.steps, 'time')} in the recorded runs${adds}`
    : `not counted separately: ${counted(executed.steps, 'execution')} of the steps inside it${adds}`;
}

/** The last recorded execution of a loop or conditional in a run. */
export interface Flow {
  readonly run: number;
  readonly did: string; // text before the name of the branch
  readonly branch: number | null; // the program of the branch that was taken
  readonly cycles: number;
}

/** Returns the last recorded executions of a loop or conditional, one per run; empty if they were not recorded. */
export function controlFlow(profile: Profile, id: number): readonly Flow[] {
  const isLoop = kLoops.has(profile.programs[id]?.type ?? '');
  return profile.db.query('SELECT run, cycles, taken FROM control_flow WHERE program = ? ORDER BY run', [id]).map((row) => {
    const taken = number(row.taken);
    const branch = isLoop ? null : (profile.children[id]?.[taken] ?? null);
    const did = isLoop ? counted(taken, 'iteration') : branch === null ? 'no branch taken' : 'took';
    return { run: number(row.run), did, branch, cycles: number(row.cycles) };
  });
}
