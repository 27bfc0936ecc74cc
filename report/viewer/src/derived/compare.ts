// What differs between two profiles, largest first. A step is known by its path of names, and by its position among equals.
import type { Profile } from '../data/profile';
import { namePaths } from './align';
import { categoryLabel } from './names';
import { collectFit, collectLoss, collectPeak, kLossLabels } from './verdict';

export interface Difference {
  readonly group: string;
  readonly name: string;
  readonly unit: string;
  readonly before: number; // NaN = not there
  readonly after: number;
}

/** Cycles of each step over its recorded executions, divided by them: a mean, so that more runs do not differ. */
function meanCycles(profile: Profile): Map<string, number> {
  const names = namePaths(profile);
  const sums = new Map<string, { cycles: number; count: number }>();
  const { steps } = profile;
  for (let s = 0; s < steps.count; ++s) {
    let longest = NaN;
    for (let i = 0; i < steps.ipus; ++i) {
      const c = steps.cycles[s * steps.ipus + i] ?? NaN;
      if (!Number.isNaN(c) && !(longest >= c)) longest = c;
    }
    if (!(longest > 0)) continue;
    const name = names[steps.program[s] ?? -1] ?? '';
    const row = sums.get(name) ?? { cycles: 0, count: 0 };
    row.cycles += longest;
    ++row.count;
    sums.set(name, row);
  }
  return new Map([...sums].map(([name, row]) => [name, row.cycles / row.count]));
}

function variableBytes(profile: Profile): Map<string, number> {
  const out = new Map<string, number>();
  for (const v of profile.variables) {
    const key = `${v.name} (${categoryLabel(v.category)})`;
    out.set(key, (out.get(key) ?? 0) + v.bytes);
  }
  return out;
}

function compareMaps(group: string, unit: string, a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Difference[] {
  const out: Difference[] = [];
  for (const name of new Set([...a.keys(), ...b.keys()]))
    out.push({ group, name, unit, before: a.get(name) ?? NaN, after: b.get(name) ?? NaN });
  return out;
}

function totals(profile: Profile): Map<string, number> {
  const fit = collectFit(profile);
  const out = new Map<string, number>([
    ['Occupied on the fullest tile', fit.occupied],
    ['Highest address', fit.highest],
    ['Occupied over all tiles', profile.memory.total.reduce((a, b) => a + b, 0)],
    ['Fullest step, live bytes', collectPeak(profile)?.bytes ?? NaN],
    ['Tiles that do not fit', fit.outOfMemory.length],
  ]);
  return out;
}

function categories(profile: Profile): Map<string, number> {
  return new Map([...profile.categoryBytes].map(([name, values]) => [categoryLabel(name), values.reduce((a, b) => a + b, 0)]));
}

function cycles(profile: Profile): Map<string, number> {
  const loss = collectLoss(profile);
  const runs = profile.runTotals.length || 1;
  const out = new Map<string, number>();
  if (!loss) return out;
  out.set('Cycles of a run, mean', profile.runTotals.reduce((sum, r) => sum + r.total, 0) / runs);
  for (const part of loss.parts) out.set(`${kLossLabels[part.key]}, tile cycles of a run`, part.tileCycles / runs);
  return out;
}

export function weight(d: Difference): number {
  return Math.abs((Number.isNaN(d.after) ? 0 : d.after) - (Number.isNaN(d.before) ? 0 : d.before));
}

export function compareProfiles(a: Profile, b: Profile): Difference[] {
  const all = [
    ...compareMaps('Totals', 'B or tiles', totals(a), totals(b)),
    ...compareMaps('Cycles', 'cycles', cycles(a), cycles(b)),
    ...compareMaps('Categories', 'B', categories(a), categories(b)),
    ...compareMaps('Variables', 'B', variableBytes(a), variableBytes(b)),
    ...compareMaps('Steps', 'cycles, mean', meanCycles(a), meanCycles(b)),
  ];
  return all.filter((d) => weight(d) > 0 || Number.isNaN(d.before) !== Number.isNaN(d.after));
}

export function compareOptions(a: Profile, b: Profile): { readonly key: string; readonly before: string; readonly after: string }[] {
  const read = (p: Profile) =>
    new Map(p.db.query('SELECT scope, key, value FROM options').map((r) => [`${String(r.scope)}: ${String(r.key)}`, String(r.value)]));
  const [first, second] = [read(a), read(b)];
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((key) => first.get(key) !== second.get(key))
    .map((key) => ({ key, before: first.get(key) ?? '–', after: second.get(key) ?? '–' }));
}
