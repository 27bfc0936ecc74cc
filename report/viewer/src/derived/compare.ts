// Lists the differences between two profiles, largest first. The names from the root to a step identify the step (align.ts).
import type { Profile } from '../data/profile';
import { namePaths } from './align';
import { number, text } from '../data/database';
import { collectExchanges } from './exchange';
import { categoryLabel, kCauseLabels } from './names';
import { collectLoss } from './loss';
import { largestFirst } from './order';
import { recordedKinds } from './recorded';
import { partsByKind, timesOfPrograms } from './times';
import { collectFit, collectPeak } from './verdict';

export interface Difference {
  readonly group: 'Totals' | 'Cycles' | 'Graph' | 'Categories' | 'Vertex types' | 'Steps' | 'Variables';
  readonly name: string;
  readonly unit: string;
  readonly before: number; // NaN = the first profile has no object of this name; the change then counts from 0
  readonly after: number;
  /**
   * The change as a share of its whole (memory of a tile, memory of all tiles, or cycles of a run). Differences are sorted by this share.
   */
  readonly share: number;
}

/** Returns the mean cycles that each step adds to a run, 0 for a step that did not run; NaN = unknown. */
function cyclesOfSteps(profile: Profile): Map<string, number> {
  const names = namePaths(profile);
  const runs = profile.runTotals.length || 1;
  const kinds = recordedKinds(profile);
  const sums = new Map(profile.programs.filter((p) => kinds.has(p.type)).map((p): [string, number] => [names[p.id] ?? '', 0]));
  for (const time of timesOfPrograms(profile)) {
    const name = names[time.program] ?? '';
    sums.set(name, (sums.get(name) ?? 0) + time.cycles);
  }
  return new Map([...sums].map(([name, cycles]) => [name, cycles / runs]));
}

/**
 * Returns bytes by name. Variables and constants have the names of `variable.NAME.bytes` in `popscope diff`; buffers also have their
 * category.
 */
function variableBytes(profile: Profile): Map<string, number> {
  const out = new Map<string, number>();
  for (const v of profile.variables) {
    const ofProgram = v.category === 'variable' || v.category === 'constant';
    if (!ofProgram && v.name === v.category) continue; // code and system data: the rows of categories contain them
    const name = v.name || '<anonymous>';
    const key = ofProgram ? name : `${name} (${categoryLabel(v.category)})`;
    out.set(key, (out.get(key) ?? 0) + v.bytes);
  }
  return out;
}

const zero = (value: number): number => (Number.isNaN(value) ? 0 : value);

export function change(d: Pick<Difference, 'before' | 'after'>): number {
  return zero(d.after) - zero(d.before);
}

type Whole = (before: number, after: number) => number;

const part =
  (whole: number): Whole =>
  (before, after) =>
    Math.abs(change({ before, after })) / whole;

/**
 * Compares figures by name. If a map lacks a name, its profile does not have the object, and the figure counts as 0. NaN = the figure is
 * unknown; then there is nothing to compare.
 */
function compareMaps(
  group: Difference['group'],
  unit: string,
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
  share: Whole,
): Difference[] {
  const out: Difference[] = [];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [before, after] = [a.get(name) ?? NaN, b.get(name) ?? NaN];
    if ((a.has(name) && Number.isNaN(before)) || (b.has(name) && Number.isNaN(after))) continue;
    out.push({ group, name, unit, before, after, share: share(before, after) });
  }
  return out;
}

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

/** Returns rows of four: name, unit, value, and the whole of which the value is a part. */
function totals(profile: Profile): readonly (readonly [string, string, number, number])[] {
  const fit = collectFit(profile);
  const occupied = sum(profile.memory.total);
  return [
    ['Tiles that do not fit', 'tiles', fit.outOfMemory.length, profile.tiles],
    ['Occupied on the fullest tile', 'B', fit.occupied, fit.capacity],
    ['Highest address', 'B', fit.highest, fit.capacity],
    ['Occupied over all tiles', 'B', occupied, occupied],
    ['Fullest step, live bytes', 'B', collectPeak(profile)?.bytes ?? NaN, occupied],
    ['Always live', 'B', profile.alwaysLiveBytes, occupied],
    ['Exchange code', 'B', collectExchanges(profile).rows.reduce((all, row) => all + zero(row.code), 0), occupied],
  ];
}

function compareTotals(a: Profile, b: Profile): Difference[] {
  const second = totals(b);
  return totals(a).flatMap(([name, unit, before, whole], i) => {
    const [, , after = NaN, other = NaN] = second[i] ?? [];
    if (Number.isNaN(before) || Number.isNaN(after)) return []; // one of the two values is unknown
    const share = Math.abs(change({ before, after })) / Math.max(zero(whole), zero(other), before, after, 1);
    return [{ group: 'Totals', name, unit, before, after, share }];
  });
}

/**
 * Returns the bytes of all allocations of each category, as `category.NAME` in `popscope diff`. Allocations can share addresses. The last
 * row has the addresses that serve several categories; other rows contain these addresses too.
 */
function categories(profile: Profile): Map<string, number> {
  const rows = [...profile.categoryBytes].map(([name, values]): [string, number] => [categoryLabel(name), sum(values)]);
  const shared = profile.useBytes.get('multiple');
  return new Map(shared ? [...rows, [categoryLabel('multiple'), sum(shared)]] : rows);
}

/** Returns the counts of the graph: `vertices`, `edges`, `variables` and `computeSets` of `popscope diff`. */
function counts(profile: Profile): Map<string, number> {
  const row = profile.db.query('SELECT num_vertices, num_edges, num_variables, num_compute_sets FROM graph')[0];
  return new Map([
    ['Vertices', number(row?.num_vertices)],
    ['Edges', number(row?.num_edges)],
    ['Variables', number(row?.num_variables)],
    ['Compute sets', number(row?.num_compute_sets)],
  ]);
}

/** Returns the bytes of each vertex type, its code included, as `vertexType.NAME.bytes` in `popscope diff`. */
function vertexTypeBytes(profile: Profile): Map<string, number> {
  return new Map(profile.db.query('SELECT name, memory_bytes FROM vertex_types').map((row) => [text(row.name), number(row.memory_bytes)]));
}

/** The change relative to the larger of the two values. */
const ofLarger: Whole = (before, after) => Math.abs(change({ before, after })) / Math.max(zero(before), zero(after), 1);

/** Returns the bytes of all variables over all tiles. */
const allocatedBytes = (profile: Profile): number => profile.variables.reduce((all, v) => all + v.bytes, 0);

const meanRun = (profile: Profile): number => profile.runTotals.reduce((all, r) => all + r.total, 0) / (profile.runTotals.length || 1);

/** Returns the mean tile cycles of a run for each cause. */
function causes(profile: Profile): Map<string, number> {
  const runs = profile.runTotals.length || 1;
  return new Map(collectLoss(profile)?.parts.map((part) => [part.label, part.tileCycles / runs]) ?? []);
}

/** Returns the mean cycles of a run for each kind of step; NaN = unknown. */
function lengths(profile: Profile): Map<string, number> {
  const runs = profile.runTotals.length || 1;
  const none = { kind: 'after', cycles: 0 } as const; // no cycles after the last step
  return new Map([none, ...partsByKind(profile).values()].map((p) => [`Steps: ${kCauseLabels[p.kind]}`, p.cycles / runs]));
}

/** Compares cycles if both profiles have recorded runs, and causes if both profiles have causes. */
function compareTimes(a: Profile, b: Profile): Difference[] {
  if (a.runTotals.length === 0 || b.runTotals.length === 0) return [];
  const answered = collectLoss(a) !== null && collectLoss(b) !== null;
  const cycles = Math.max(meanRun(a), meanRun(b), 1);
  const tileCycles = Math.max(meanRun(a) * a.tiles, meanRun(b) * b.tiles, 1);
  const run = (p: Profile) => new Map([['A run, mean', meanRun(p)]]);
  return [
    ...compareMaps('Cycles', 'cycles', run(a), run(b), part(cycles)),
    ...compareMaps('Cycles', 'cycles of a run', lengths(a), lengths(b), part(cycles)),
    ...(answered ? compareMaps('Cycles', 'tile cycles of a run', causes(a), causes(b), part(tileCycles)) : []),
    ...compareMaps('Steps', 'cycles of a run', cyclesOfSteps(a), cyclesOfSteps(b), part(cycles)),
  ].filter((d) => change(d) !== 0); // a step of one profile that adds nothing makes no difference
}

export function compareProfiles(a: Profile, b: Profile): Difference[] {
  const allocated = Math.max(allocatedBytes(a), allocatedBytes(b), 1); // sums over allocations, which can share addresses, are parts of this sum
  const all = [
    ...compareTotals(a, b),
    ...compareTimes(a, b),
    ...compareMaps('Graph', '', counts(a), counts(b), ofLarger),
    ...compareMaps('Vertex types', 'B', vertexTypeBytes(a), vertexTypeBytes(b), part(allocated)),
    ...compareMaps('Categories', 'B', categories(a), categories(b), part(allocated)),
    ...compareMaps('Variables', 'B', variableBytes(a), variableBytes(b), part(allocated)),
  ];
  return all
    .filter((d) => change(d) !== 0 || Number.isNaN(d.before) !== Number.isNaN(d.after))
    .sort((x, y) => largestFirst(x.share, y.share) || Math.abs(change(y)) - Math.abs(change(x)));
}

export function compareOptions(a: Profile, b: Profile): { readonly key: string; readonly before: string; readonly after: string }[] {
  const read = (p: Profile) =>
    new Map(p.db.query('SELECT scope, key, value FROM options').map((r) => [`${text(r.scope)}: ${text(r.key)}`, text(r.value)]));
  const [first, second] = [read(a), read(b)];
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((key) => first.get(key) !== second.get(key))
    .map((key) => ({ key, before: first.get(key) ?? '–', after: second.get(key) ?? '–' }));
}
