// Computes the bytes that are live on every tile at a step of the program: of all allocations, of one storage category, or in one region.
import type { RowBlock } from '../../data/rows';
import type { Profile } from '../../data/profile';
import { contains } from '../../derived/liveness';
import { categoryLabel } from '../../derived/names';

/** The allocations to count: all, one category, or one region of addresses. */
export type Counted =
  | { readonly kind: 'all' }
  | { readonly kind: 'category'; readonly name: string }
  | { readonly kind: 'region'; readonly from: number; readonly to: number };

/** The largest number of allocations for which the page counts regions. A count for a region needs the addresses of all tiles. */
const kMaxAllocations = 6_000_000;

/** Returns a function that finds out whether an equivalence class is live at a step. */
function liveClasses(profile: Profile, step: number): (id: number) => boolean {
  const known = new Map<number, boolean>();
  return (id) => {
    let live = known.get(id);
    if (live === undefined) known.set(id, (live = contains(profile.intervals.get(id), step)));
    return live;
  };
}

const isLive = (always: number | undefined, of: number | undefined, live: (id: number) => boolean): boolean =>
  always === 1 || (of !== undefined && !Number.isNaN(of) && live(of));

function addTiles(profile: Profile, to: Float64Array, bytes: Uint8Array | null, sign: number): void {
  if (bytes) profile.columns.each(bytes, (tile, value) => (to[tile]! += sign * value));
}

function byVariables(profile: Profile, step: number, category: string | null): Float64Array {
  const out = new Float64Array(profile.tiles);
  const live = liveClasses(profile, step);
  const wanted = profile.variables.map((v) => category === null || v.category === category);
  for (const block of variableBlocks(profile)) {
    const [always, classes] = [block.numbers('always_live'), block.numbers('equivalence_class')];
    for (let i = 0; i < block.count; ++i)
      if (wanted[block.first + i] && isLive(always[i], classes[i], live)) addTiles(profile, out, block.blob('bytes_by_tile', i), 1);
  }
  // Subtracts the tiles on which a variable is dead at the step although it is live on other tiles.
  for (const [id, parts] of profile.liveParts) {
    const variable = profile.variables[id];
    if (!variable || variable.alwaysLive || !wanted[id] || !live(variable.equivalenceClass ?? -1)) continue;
    for (const part of parts) if (!live(part.equivalenceClass)) addTiles(profile, out, part.bytesByTile, -1);
  }
  return out;
}

function variableBlocks(profile: Profile): readonly RowBlock[] {
  return profile.keep('variable blocks', () => profile.db.blocks('liveness_variables'));
}

function byAddresses(profile: Profile, step: number, from: number, to: number): Float64Array | null {
  const blocks = profile.keep('allocation blocks', () => profile.db.blocks('vars_info'));
  if (blocks.length === 0 || blocks.reduce((sum, b) => sum + b.count, 0) > kMaxAllocations) return null;
  const out = new Float64Array(profile.tiles);
  const live = liveClasses(profile, step);
  for (const block of blocks) {
    const [tiles, offsets, sizes] = [block.numbers('tile'), block.numbers('offset'), block.numbers('size_bytes')];
    const [always, classes] = [block.numbers('always_live'), block.numbers('equivalence_class')];
    for (let i = 0; i < block.count; ++i) {
      const [low, high] = [Math.max(from, offsets[i]!), Math.min(to, offsets[i]! + sizes[i]!)];
      if (high > low && isLive(always[i], classes[i], live)) out[tiles[i]!]! += high - low;
    }
  }
  return out;
}

/** Returns the bytes on each tile. For a region, returns null if the file has no addresses, or too many to count here. */
export function occupancyAt(profile: Profile, step: number, counted: Counted): Float64Array | null {
  if (counted.kind === 'region') return byAddresses(profile, step, counted.from, counted.to);
  return byVariables(profile, step, counted.kind === 'category' ? counted.name : null);
}

/** Returns the possible choices, each with its word in a link, its label, and the allocations that it counts. */
export function countable(profile: Profile): readonly (readonly [key: string, label: string, counted: Counted])[] {
  return profile.keep('countable', () => {
    const { bytesPerTile, interleavedOffset } = profile.target;
    const categories = [...new Set(profile.variables.map((v) => v.category))].sort();
    const regions: (readonly [string, string, Counted])[] = [];
    const region = (key: string, label: string, from: number, to: number) => regions.push([key, label, { kind: 'region', from, to }]);
    if (profile.hasAllocations) {
      const split = interleavedOffset > 0 ? interleavedOffset : bytesPerTile;
      region('region:0', 'Non-interleaved', 0, split);
      if (interleavedOffset > 0) region('region:1', 'Interleaved', split, bytesPerTile);
      if (profile.outOfMemoryTiles.length > 0) region('region:2', 'Past the end of memory', bytesPerTile, Infinity);
    }
    return [
      ['', 'All live bytes', { kind: 'all' }],
      ['headroom', 'Headroom: free memory', { kind: 'all' }],
      ...categories.map((name) => [name, categoryLabel(name), { kind: 'category', name }] as const),
      ...regions,
    ];
  });
}
