// Figures of a profile by the paths of names, which show the layer that takes the memory, the code or the time. The parts of the root add
// up to the figure of the whole program.
import type { Profile } from '../../data/profile';
import { variablesAt } from '../../derived/liveness';
import { contextsOfPrograms, figuresOf } from '../../derived/operations';
import { type PathNode, treeOf } from '../../derived/pathTree';
import { stepParts } from '../../derived/times';
import { collectPeak } from '../../derived/verdict';

export const kMeasures = [
  ['peak', 'bytes at the fullest step', 'B'],
  ['always', 'always-live bytes', 'B'],
  ['code', 'control and exchange code', 'B'],
  ['cycles', 'cycles of the recorded runs', 'cycles'],
  ['flops', 'floating-point operations executed', ''],
] as const;
export type Measure = (typeof kMeasures)[number][0];

/** Returns the named figures of a measure; null if the profile has none. They add up to the figure of the whole program. */
function figures(profile: Profile, measure: Measure): [string, number][] | null {
  if (measure === 'always') return profile.variables.filter((v) => v.alwaysLive).map((v) => [v.name, v.bytes]);
  if (measure === 'peak') {
    const peak = collectPeak(profile);
    return peak ? variablesAt(profile, peak.program, true).map((v) => [v.name, v.bytes]) : null;
  }
  const programs = figuresOf(profile);
  // A step without a name takes the name of its debug context, which has a path of the same kind.
  const contexts = contextsOfPrograms(profile);
  const nameOf = (id: number) =>
    profile.programs[id]?.name || profile.debug?.get(contexts[id] ?? 0)?.name || `(${profile.programs[id]?.type ?? 'no name'})`;
  if (measure === 'code')
    return profile.programs.map((p) => [nameOf(p.id), (programs.controlCode[p.id] ?? 0) + (programs.exchangeCode[p.id] || 0)]);
  if (profile.runs.length === 0) return null;
  if (measure === 'flops')
    return profile.programs.map((p) => [nameOf(p.id), (programs.flops[p.id]?.operations ?? 0) * (programs.executions[p.id] ?? 0)]);
  const { part } = stepParts(profile);
  const steps = part.reduce((all, cycles) => all + cycles, 0);
  const runs = profile.runTotals.reduce((all, t) => all + t.total, 0);
  const out: [string, number][] = profile.programs.map((p) => [nameOf(p.id), programs.cycles[p.id] ?? 0]);
  if (runs > steps) out.push(['(after the last step)', runs - steps]);
  return out;
}

/** Returns the tree of a measure; null if the profile lacks the measure. */
export function pathTree(profile: Profile, measure: Measure): PathNode | null {
  return profile.keep(`paths ${measure} ${profile.debug !== null}`, () => {
    const named = figures(profile, measure);
    const tree = named ? treeOf(named) : null;
    return tree && tree.sum > 0 ? tree : null;
  });
}
