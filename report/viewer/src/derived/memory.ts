// Bytes per tile as series of a chart, in the available breakdowns.
import type { Profile } from '../data/profile';
import type { Series } from '../draw/bars';
import type { Theme } from '../theme';
import { categoryLabel } from './names';

export const kBreakdowns = [
  ['category', 'by category'],
  ['region', 'by region'],
  ['liveness', 'by liveness'],
  ['total', 'occupied'],
  ['gaps', 'including gaps'],
  ['allocations', 'allocations (can share addresses)'],
] as const;
export type Breakdown = (typeof kBreakdowns)[number][0];

/** Returns whether the bars of a breakdown show occupied bytes. Sums of allocations do not, because allocations can share addresses. */
export function isOccupied(by: Breakdown): boolean {
  return by !== 'allocations';
}

export function categoryColour(theme: Theme, category: string): string {
  return theme.category.get(category) ?? theme.faint;
}

/**
 * Returns categories as series. The category with the most bytes over all tiles is at the bottom. Addresses that serve several categories
 * are on top, hatched.
 */
function categorySeries(of: ReadonlyMap<string, Float64Array>, theme: Theme): Series[] {
  return [...of]
    .map(([name, values]) => ({ name, values, sum: name === 'multiple' ? -1 : values.reduce((a, b) => a + b, 0) }))
    .sort((a, b) => b.sum - a.sum)
    .map(({ name, values }) => ({
      label: categoryLabel(name),
      colour: categoryColour(theme, name),
      values,
      ...(name === 'multiple' ? { hatched: true } : {}),
    }));
}

/** Returns the series of a breakdown, from the bottom up. */
export function memorySeries(profile: Profile, by: Breakdown, theme: Theme): Series[] {
  const m = profile.memory;
  const colour = (i: number) => theme.series[i] ?? theme.accent;
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
        { label: 'Peak of not always live', colour: colour(1), values: m.maxNotAlwaysLive },
      ];
    case 'category':
      return categorySeries(profile.useBytes, theme);
    case 'allocations':
      return categorySeries(profile.categoryBytes, theme);
  }
}

/** The bytes of a category on some tiles. */
export interface CategoryOfTiles {
  readonly category: string;
  readonly occupied: number; // bytes of addresses that serve only this category; for `multiple`, of addresses that serve several over time
  readonly allocated: number; // bytes of allocations; NaN for `multiple`, whose addresses belong to allocations of other categories
}

/** Returns the categories of some tiles, most occupied bytes first. The occupied bytes add up to those of the tiles. */
export function categoriesOfTiles(profile: Profile, tiles: readonly number[]): CategoryOfTiles[] {
  const sum = (values: Float64Array | undefined) => tiles.reduce((total, t) => total + (values?.[t] ?? 0), 0);
  const names = new Set([...profile.useBytes.keys(), ...profile.categoryBytes.keys()]);
  return [...names]
    .map((category) => ({
      category,
      occupied: sum(profile.useBytes.get(category)),
      allocated: category === 'multiple' ? NaN : sum(profile.categoryBytes.get(category)),
    }))
    .filter((row) => row.occupied > 0 || row.allocated > 0)
    .sort((a, b) => b.occupied - a.occupied || b.allocated - a.allocated);
}
