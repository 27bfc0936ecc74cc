// Figures of a profile by the paths of names. The figures show the layer that takes the memory, the code or the time. The parts of the root
// add up to the figure of the whole program.
import { number, text } from '../../data/database';
import type { Profile } from '../../data/profile';
import type { Variable } from '../../data/types';
import { variablesAt } from '../../derived/liveness';
import { type Activity, activityOf } from '../../derived/names';
import { contextsOfPrograms, figuresOf } from '../../derived/operations';
import { type PathNode, treeOf } from '../../derived/pathTree';
import { summedParts } from '../../derived/times';
import { collectPeak } from '../../derived/verdict';

export const kMeasures = [
  ['peak', 'bytes at the fullest step', 'B'],
  ['always', 'always-live bytes', 'B'],
  ['code', 'control and exchange code', 'B'],
  ['cycles', 'cycles of the recorded runs', 'cycles'],
  ['flops', 'floating-point operations executed', ''],
] as const;
/** The name of the cycles of runs whose steps have no recorded time. */
export const kNoTime = '(steps without a recorded time)';

export type Measure = (typeof kMeasures)[number][0];

/**
 * Returns a function for the names of steps. A step without a name takes the name of its debug context, which has a path of the same kind.
 */
function stepNames(profile: Profile): (id: number) => string {
  const contexts = contextsOfPrograms(profile);
  return (id) =>
    profile.programs[id]?.name || profile.debug?.get(contexts[id] ?? 0)?.name || `(${profile.programs[id]?.type ?? 'no name'})`;
}

/** For each storage category of exchange code: the kind of step to which the code belongs. */
const kExchangeCode: ReadonlyMap<string, Activity> = new Map([
  ['internalExchangeCode', 'exchange'],
  ['globalExchangeCode', 'global'],
  ['hostExchangeCode', 'host'],
]);

/**
 * Returns the bytes of each compute set or step within a storage category. The compiler adds only one variable for all bytes of such a
 * category.
 */
function partsOfCategory(profile: Profile, category: string): [string, number][] {
  if (category === 'vertexInstanceState')
    return profile.db
      .query(
        'SELECT c.name, sum(v.instances * t.state_bytes) AS b FROM compute_set_vertices v JOIN compute_sets c ON c.id = v.compute_set JOIN vertex_types t ON t.id = v.vertex_type GROUP BY c.id',
      )
      .map((row) => [`<vertices:${text(row.name)}>`, number(row.b)]);
  const { controlCode, exchangeCode } = figuresOf(profile);
  const nameOf = stepNames(profile);
  if (category === 'controlCode') return profile.programs.map((p) => [`<control code:${nameOf(p.id)}>`, controlCode[p.id] || 0]);
  const kind = kExchangeCode.get(category);
  return profile.programs
    .filter((p) => activityOf(p.type) === kind)
    .map((p) => [`<exchange code:${nameOf(p.id)}>`, exchangeCode[p.id] || 0]);
}

/**
 * Returns the bytes of variables by name. Splits the variables that the compiler adds, so that each layer has the part of its compute sets
 * and steps.
 */
function variableFigures(profile: Profile, variables: readonly Variable[]): [string, number][] {
  return variables.flatMap((v) => {
    const parts = v.name === v.category ? partsOfCategory(profile, v.category) : [];
    const rest = v.bytes - parts.reduce((sum, [, bytes]) => sum + bytes, 0);
    return rest >= 0 ? [...parts, [v.name, rest] as [string, number]] : [[v.name, v.bytes] as [string, number]];
  });
}

/**
 * Returns the cycles that the steps of each program add to the recorded runs, and NaN for a program of which some steps have no time.
 * Cycles of the runs that belong to no known step form a figure of their own.
 */
function cyclesByName(profile: Profile, nameOf: (id: number) => string): [string, number][] {
  const { program, part } = summedParts(profile);
  const sums = new Float64Array(profile.programs.length);
  const unknown = new Set<number>();
  program.forEach((id, s) => {
    const cycles = part[s] ?? NaN;
    if (Number.isNaN(cycles)) unknown.add(id);
    else sums[id]! += cycles;
  });
  const rest = profile.runTotals.reduce((all, t) => all + t.total, 0) - sums.reduce((all, cycles) => all + cycles, 0);
  return [
    ...profile.programs.map((p): [string, number] => [nameOf(p.id), sums[p.id] ?? 0]),
    ...[...unknown].map((id): [string, number] => [nameOf(id), NaN]),
    [unknown.size > 0 ? kNoTime : '(after the last step)', rest > 0 ? rest : 0],
  ];
}

/** Returns the named figures of a measure, which add up to the figure of the whole program; null if the profile has none. */
function figures(profile: Profile, measure: Measure): [string, number][] | null {
  if (measure === 'always')
    return variableFigures(
      profile,
      profile.variables.filter((v) => v.alwaysLive),
    );
  if (measure === 'peak') {
    const peak = collectPeak(profile);
    return peak ? variableFigures(profile, variablesAt(profile, peak.program, true)) : null;
  }
  const programs = figuresOf(profile);
  const nameOf = stepNames(profile);
  if (measure === 'code')
    return profile.programs.map((p) => [nameOf(p.id), (programs.controlCode[p.id] ?? 0) + (programs.exchangeCode[p.id] || 0)]);
  if (profile.runs.length === 0) return null;
  if (measure === 'flops')
    return profile.programs.map((p) => [nameOf(p.id), (programs.flops[p.id]?.operations ?? 0) * (programs.executions[p.id] ?? 0)]);
  return cyclesByName(profile, nameOf);
}

/** Returns the tree of a measure; null if the profile lacks the measure. */
export function pathTree(profile: Profile, measure: Measure): PathNode | null {
  return profile.keep(`paths ${measure} ${profile.debug !== null}`, () => {
    const named = figures(profile, measure);
    const tree = named ? treeOf(named) : null;
    return tree && tree.sum > 0 ? tree : null;
  });
}
