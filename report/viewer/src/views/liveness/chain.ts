// The chain of steps and variables that keeps a variable alive. The first part consists of the steps that write the variable, and of the
// variables that these steps read. The second part consists of the steps that still read the variable, and of the variables that these
// steps write.
import type { Profile, Variable } from '../../data/profile';
import { type AccessGroup, accessesOf } from '../../derived/accesses';
import { whyLive } from '../../derived/why';

/** A step that writes the variable (before) or reads it (after). */
export interface Link {
  readonly step: number;
  readonly carrier: string; // loop, call, next run, or empty
  readonly variables: readonly AccessGroup[]; // variables that the step reads (before) or writes (after); largest first
}

export interface Chain {
  readonly before: readonly Link[]; // steps that write the variable
  readonly after: readonly Link[]; // steps that keep the variable alive because they read it
}

/** Returns the chain; null if the file does not explain why the variable is live. */
export function chainOf(profile: Profile, variable: Variable): Chain | null {
  const reasons = whyLive(profile, variable);
  if (reasons.length === 0) return null;
  const others = (step: number, touched: (group: AccessGroup) => boolean) =>
    (accessesOf(profile, step) ?? []).filter((group) => touched(group) && group.first.name !== variable.name);
  const links = (steps: ReadonlyMap<number, string>, touched: (group: AccessGroup) => boolean): Link[] =>
    [...steps].sort((a, b) => a[0] - b[0]).map(([step, carrier]) => ({ step, carrier, variables: others(step, touched) }));
  const born = new Map(reasons.flatMap((r) => (r.born === null ? [] : [[r.born, ''] as const])));
  const read = new Map(reasons.map((r) => [r.read, r.carrier] as const));
  return { before: links(born, (g) => g.read > 0), after: links(read, (g) => g.written > 0) };
}
