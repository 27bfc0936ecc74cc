// Figures of a profile by the paths of names. The figures show the layer that takes the memory, the code or the time. The parts of the root
// add up to the figure of the whole program.
import { number, text } from '../../data/database';
import { isCompilersName } from '../../data/movedNames';
import type { Profile } from '../../data/profile';
import type { Variable } from '../../data/types';
import { variablesAt } from '../../derived/liveness';
import { kNoFlops } from '../../derived/flops';
import { type Activity, activityOf, programLabel } from '../../derived/names';
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

type NameOf = (id: number) => string;

/**
 * Returns a function for the names of steps. A step without a name takes the name of its debug context, which has a path of the same kind.
 * If it has no context, a copy takes the name of the variable that it moves, and any other step that of its type.
 */
function stepNames(profile: Profile, useContexts: boolean): NameOf {
  const contexts = useContexts ? contextsOfPrograms(profile) : [];
  return (id) => {
    const program = profile.programs[id];
    const names = [program?.name ?? '', profile.debug?.get(contexts[id] ?? 0)?.name ?? ''];
    const named = names.find((name) => name !== '' && !isCompilersName(name));
    return named ?? (program?.moved?.() ? programLabel(program) : `(${program?.type ?? 'no name'})`);
  };
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
function partsOfCategory(profile: Profile, category: string, nameOf: NameOf): [string, number][] {
  if (category === 'vertexInstanceState') {
    const steps = new Map(profile.programs.flatMap((p) => (isCompilersName(p.name) ? [[p.computeSet, p.id] as const] : [])));
    return profile.db
      .query(
        'SELECT c.id, c.name, sum(v.instances * t.state_bytes) AS b FROM compute_set_vertices v JOIN compute_sets c ON c.id = v.compute_set JOIN vertex_types t ON t.id = v.vertex_type GROUP BY c.id',
      )
      .map((row) => {
        const step = steps.get(number(row.id)); // of a copy without a name
        return [`<vertices:${step === undefined ? text(row.name) : nameOf(step)}>`, number(row.b)];
      });
  }
  const { controlCode, exchangeCode } = figuresOf(profile);
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
function variableFigures(profile: Profile, variables: readonly Variable[], nameOf: NameOf): [string, number][] {
  return variables.flatMap((v) => {
    const parts = v.name === v.category ? partsOfCategory(profile, v.category, nameOf) : [];
    const rest = v.bytes - parts.reduce((sum, [, bytes]) => sum + bytes, 0);
    return rest >= 0 ? [...parts, [v.name, rest] as [string, number]] : [[v.name, v.bytes] as [string, number]];
  });
}

const lengthOfRuns = (profile: Profile): number => profile.runTotals.reduce((all, t) => all + t.total, 0);

/**
 * Returns the cycles that the steps of each program add to the recorded runs, and NaN for a program of which some steps have no time.
 * Cycles of the runs that belong to no known step form a figure of their own, if the length of the runs is known.
 */
function cyclesByName(profile: Profile, nameOf: NameOf): [string, number][] {
  const { program, part } = summedParts(profile);
  const sums = new Float64Array(profile.programs.length);
  const unknown = new Set<number>();
  program.forEach((id, s) => {
    const cycles = part[s] ?? NaN;
    if (Number.isNaN(cycles)) unknown.add(id);
    else sums[id]! += cycles;
  });
  const rest = lengthOfRuns(profile) - sums.reduce((all, cycles) => all + cycles, 0);
  return [
    ...profile.programs.map((p): [string, number] => [nameOf(p.id), sums[p.id] ?? 0]),
    ...[...unknown].map((id): [string, number] => [nameOf(id), NaN]),
    [unknown.size > 0 ? kNoTime : '(after the last step)', rest > 0 ? rest : 0],
  ];
}

/** Returns the floating-point operations of the recorded runs by program, and NaN for a program with vertices of unknown operations. */
function flopsByName(profile: Profile, nameOf: NameOf): [string, number][] {
  const { flops, executions } = figuresOf(profile);
  return profile.programs.flatMap(({ id }): [string, number][] => {
    const { vertices, estimated, counted, operations } = flops[id] ?? kNoFlops;
    const executed = executions[id] ?? 0;
    const known: [string, number] = [nameOf(id), operations * executed];
    return executed > 0 && estimated + counted < vertices ? [known, [nameOf(id), NaN]] : [known];
  });
}

/** Returns the named figures of a measure, which add up to the figure of the whole program; null if the profile has none. */
function figures(profile: Profile, measure: Measure, nameOf: NameOf): [string, number][] | null {
  if (measure === 'always') {
    const always = profile.variables.filter((v) => v.alwaysLive);
    return variableFigures(profile, always, nameOf);
  }
  if (measure === 'peak') {
    const peak = collectPeak(profile);
    return peak ? variableFigures(profile, variablesAt(profile, peak.program, true), nameOf) : null;
  }
  const programs = figuresOf(profile);
  if (measure === 'code')
    return profile.programs.map((p) => [nameOf(p.id), (programs.controlCode[p.id] ?? 0) + (programs.exchangeCode[p.id] || 0)]);
  if (profile.runs.length === 0) return null;
  return measure === 'flops' ? flopsByName(profile, nameOf) : cyclesByName(profile, nameOf);
}

function pathTree(profile: Profile, measure: Measure, useContexts: boolean): PathNode | null {
  return profile.keep(`paths ${measure} ${useContexts && profile.debug !== null}`, () => {
    const named = figures(profile, measure, stepNames(profile, useContexts));
    const tree = named ? treeOf(named) : null;
    if (!tree || tree.sum === 0) return null;
    if (measure !== 'cycles') return tree;
    // The cycles of all layers can be known although the times of some steps are not: they are the length of the runs.
    const length = lengthOfRuns(profile);
    return { ...tree, unknown: Number.isNaN(length) || (tree.unknown && tree.sum !== length) };
  });
}

/**
 * Returns the tree of a measure for a profile, and for a second profile if there is one; null if the profile lacks the measure. Steps
 * without a name take the names of their debug contexts only if both profiles have debug contexts; otherwise their layers would differ.
 */
export function pathTrees(profile: Profile, second: Profile | null, measure: Measure): readonly [PathNode | null, PathNode | null] {
  const useContexts = profile.debug !== null && (second === null || second.debug !== null);
  return [pathTree(profile, measure, useContexts), second && pathTree(second, measure, useContexts)];
}
