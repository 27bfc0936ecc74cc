// Computes the variables that are live at a step, from the intervals of equivalence classes.
import type { RowBlock } from '../data/rows';
import type { Allocation, Interval, LivePart, Profile, Variable } from '../data/profile';

/** Returns whether one of some half-open intervals contains a program. */
export function contains(intervals: readonly Interval[] | undefined, program: number): boolean {
  return intervals?.some(([first, end]) => first <= program && program < end) ?? false;
}

export function liveAt(profile: Profile, variable: Variable, program: number): boolean {
  return variable.alwaysLive || (variable.equivalenceClass !== null && contains(profile.intervals.get(variable.equivalenceClass), program));
}

/**
 * Returns the parts of a variable on tiles where the variable is dead at a program. At this program, the variable is live on other tiles.
 */
function deadParts(profile: Profile, variable: Variable, program: number): readonly LivePart[] {
  const parts = profile.liveParts.get(variable.id) ?? [];
  return parts.filter((part) => !contains(profile.intervals.get(part.equivalenceClass), program));
}

/** Returns the live bytes of a variable at a program, over all tiles. */
export function liveBytes(profile: Profile, variable: Variable, program: number): number {
  if (!liveAt(profile, variable, program)) return 0;
  return deadParts(profile, variable, program).reduce((bytes, part) => bytes - part.bytes, variable.bytes);
}

/** Returns the live variables at a program with their live bytes, largest first; with `alwaysLive`, also those that are always live. */
export function variablesAt(profile: Profile, program: number, alwaysLive: boolean): Variable[] {
  return profile.variables
    .filter((v) => (alwaysLive || !v.alwaysLive) && liveAt(profile, v, program))
    .map((v) => (profile.liveParts.has(v.id) ? { ...v, bytes: liveBytes(profile, v, program) } : v))
    .filter((v) => v.bytes > 0 || !profile.liveParts.has(v.id))
    .sort((a, b) => b.bytes - a.bytes || a.id - b.id);
}

/** Returns the variables that are live at one or more of the programs, largest first. Leaves out variables that are always live. */
export function variablesOf(profile: Profile, programs: readonly number[]): Variable[] {
  const classes = new Map<number, boolean>();
  const there = (id: number): boolean => {
    let known = classes.get(id);
    if (known === undefined) {
      const intervals = profile.intervals.get(id);
      classes.set(id, (known = programs.some((p) => contains(intervals, p))));
    }
    return known;
  };
  return profile.variables
    .filter((v) => !v.alwaysLive && v.equivalenceClass !== null && there(v.equivalenceClass))
    .sort((a, b) => b.bytes - a.bytes || a.id - b.id);
}

/** Returns the blocks of variables with their bytes per tile. The blocks are unpacked only once. */
function variableBlocks(profile: Profile): readonly RowBlock[] {
  return profile.keep('variable blocks', () => profile.db.blocks('liveness_variables'));
}

/** Returns those of the variables that have live bytes on the tiles [from, to), with these bytes, largest first. */
export function variablesOn(profile: Profile, variables: readonly Variable[], program: number, from: number, to: number): Variable[] {
  const blocks = variableBlocks(profile);
  const bytesOf = (id: number): number => {
    const block = blocks.find((b) => id >= b.first && id < b.first + b.count);
    const bytes = block?.blob('bytes_by_tile', id - block.first);
    return bytes ? profile.columns.sum(bytes, from, to) : 0;
  };
  const deadOn = (v: Variable): number =>
    deadParts(profile, v, program).reduce((bytes, part) => bytes + profile.columns.sum(part.bytesByTile, from, to), 0);
  return variables
    .map((v) => ({ ...v, bytes: bytesOf(v.id) - (v.alwaysLive ? 0 : deadOn(v)) }))
    .filter((v) => v.bytes > 0)
    .sort((a, b) => b.bytes - a.bytes || a.id - b.id);
}

export interface Difference {
  readonly variable: Variable;
  readonly change: 'born' | 'died';
}

/**
 * Returns the variables whose live bytes differ between two programs, largest difference first. The bytes of a result are the difference:
 * `born` = more bytes at `to` than at `from`, `died` = fewer.
 */
export function difference(profile: Profile, from: number, to: number): Difference[] {
  const out: Difference[] = [];
  for (const variable of profile.variables) {
    if (variable.alwaysLive) continue;
    const before = liveBytes(profile, variable, from);
    const after = liveBytes(profile, variable, to);
    if (before !== after)
      out.push({ variable: { ...variable, bytes: Math.abs(after - before) }, change: after > before ? 'born' : 'died' });
  }
  return out.sort((a, b) => b.variable.bytes - a.variable.bytes || a.variable.id - b.variable.id);
}

export function occupiedAt(profile: Profile, allocation: Allocation, program: number): boolean {
  return (
    allocation.alwaysLive || (allocation.equivalenceClass !== null && contains(profile.intervals.get(allocation.equivalenceClass), program))
  );
}

/** Returns the occupied bytes of a tile at each program: the sum over its allocations. */
export function occupiedBytes(profile: Profile, allocations: readonly Allocation[]): Float64Array {
  const programs = profile.programs.length;
  const change = new Float64Array(programs + 1);
  for (const a of allocations) {
    const intervals: readonly Interval[] = a.alwaysLive ? [[0, programs]] : (profile.intervals.get(a.equivalenceClass ?? -1) ?? []);
    for (const [first, end] of intervals) {
      change[Math.min(first, programs)]! += a.bytes;
      change[Math.min(end, programs)]! -= a.bytes;
    }
  }
  const out = new Float64Array(programs);
  let sum = 0;
  for (let i = 0; i < programs; ++i) out[i] = sum += change[i] ?? 0;
  return out;
}

/** Variables of the same name and category in one row. For example, an exchange creates a message for each sending tile. */
export interface VariableGroup {
  readonly first: Variable;
  readonly count: number;
  readonly bytes: number; // bytes of all variables
}

export function groupByName(variables: readonly Variable[]): VariableGroup[] {
  const groups = new Map<string, { first: Variable; count: number; bytes: number }>();
  for (const v of variables) {
    const key = `${v.category}\n${v.name}`;
    const group = groups.get(key);
    if (group) {
      ++group.count;
      group.bytes += v.bytes;
    } else groups.set(key, { first: v, count: 1, bytes: v.bytes });
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes || a.first.id - b.first.id);
}
