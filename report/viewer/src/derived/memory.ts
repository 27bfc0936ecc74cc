// Bytes over tiles in the ways that they can be broken down.
import type { Profile } from '../data/profile';
import type { Series } from '../draw/bars';
import { categoryLabel } from './names';

export const kBreakdowns = [
  ['category', 'by category'],
  ['region', 'by region'],
  ['liveness', 'by liveness'],
  ['total', 'occupied'],
  ['gaps', 'including gaps'],
] as const;
export type Breakdown = (typeof kBreakdowns)[number][0];

interface CategorySum {
  readonly name: string;
  readonly values: Float64Array;
  readonly sum: number;
}

/** Categories by their bytes over all tiles, most first: the order of their colours in every view. */
function categoriesBySize(profile: Profile): readonly CategorySum[] {
  return profile.keep('categories by size', () =>
    [...profile.categoryBytes]
      .map(([name, values]) => ({ name, values, sum: values.reduce((a, b) => a + b, 0) }))
      .sort((a, b) => b.sum - a.sum),
  );
}

/** The colour of each category; those beyond the colours share the last. */
export function categoryColours(profile: Profile, colours: readonly string[]): ReadonlyMap<string, string> {
  return new Map(categoriesBySize(profile).map(({ name }, i) => [name, colours[Math.min(i, colours.length - 1)] ?? '#888888']));
}

/** The series of a breakdown, largest at the bottom; categories beyond the colours of the theme join in the last. */
export function memorySeries(profile: Profile, by: Breakdown, colours: readonly string[]): Series[] {
  const m = profile.memory;
  const colour = (i: number) => colours[i % colours.length] ?? '#888888';
  switch (by) {
    case 'gaps':
      return [{ label: 'Up to the highest used address', colour: colour(0), values: m.includingGaps }];
    case 'total':
      return [{ label: 'Occupied', colour: colour(0), values: m.total }];
    case 'region':
      return [
        { label: 'Non-interleaved', colour: colour(0), values: m.nonInterleaved },
        { label: 'Interleaved', colour: colour(1), values: m.interleaved },
        { label: 'Past the end of memory', colour: colour(5), values: m.overflowed },
      ];
    case 'liveness':
      return [
        { label: 'Always live', colour: colour(0), values: m.alwaysLive },
        { label: 'Most that lives in turn', colour: colour(1), values: m.maxNotAlwaysLive },
      ];
    case 'category': {
      const sums = categoriesBySize(profile);
      const named = sums.slice(0, colours.length - 1);
      const rest = sums.slice(colours.length - 1);
      const series = named.map((s, i) => ({ label: categoryLabel(s.name), colour: colour(i), values: s.values }));
      if (rest.length > 0) {
        const values = new Float64Array(profile.tiles);
        for (const r of rest) for (let t = 0; t < values.length; ++t) values[t]! += r.values[t] ?? 0;
        series.push({
          label: rest.length === 1 ? categoryLabel(rest[0]?.name ?? '') : 'Other categories',
          colour: colour(colours.length - 1),
          values,
        });
      }
      return series;
    }
  }
}
