// The accesses of each program to variables. A profile stores the rows of variable_accesses in order of variable; this module sorts them by
// program.
import { hasVariableAccesses } from '../data/extras';
import type { Profile } from '../data/profile';
import type { Variable } from '../data/types';

/** The rows of program p have the indices [start[p], start[p + 1]) in the columns. */
interface ByProgram {
  readonly start: Uint32Array;
  readonly variable: Float64Array;
  readonly read: Float64Array;
  readonly written: Float64Array;
  readonly undefined: Float64Array;
}

function byProgram(profile: Profile): ByProgram {
  return profile.keep('accesses by program', () => {
    const blocks = profile.db.blocks('variable_accesses');
    const programs = profile.programs.length;
    const start = new Uint32Array(programs + 1);
    for (const block of blocks) for (const p of block.numbers('program')) if (p < programs) ++start[p + 1]!;
    for (let p = 0; p < programs; ++p) start[p + 1]! += start[p]!;
    const next = start.slice();
    const make = () => new Float64Array(start[programs]!);
    const out = { start, variable: make(), read: make(), written: make(), undefined: make() };
    for (const block of blocks) {
      const columns = (['variable', 'read', 'written', 'undefined'] as const).map((name) => [out[name], block.numbers(name)] as const);
      block.numbers('program').forEach((p, i) => {
        if (!(p < programs)) return;
        const at = next[p]!++;
        for (const [to, from] of columns) to[at] = from[i]!;
      });
    }
    return out;
  });
}

/** Variables of the same name and category that a program accesses; element counts are sums over these variables. */
export interface AccessGroup {
  readonly first: Variable;
  readonly bytes: number;
  readonly read: number;
  readonly written: number;
  readonly undefined: number;
}

/** Returns the groups that a program accesses, largest first; null if the file lacks accesses. */
export function accessesOf(profile: Profile, program: number): readonly AccessGroup[] | null {
  if (!hasVariableAccesses(profile)) return null;
  const all = byProgram(profile);
  const groups = new Map<string, { -readonly [Key in keyof AccessGroup]: AccessGroup[Key] }>();
  for (let i = all.start[program] ?? 0; i < (all.start[program + 1] ?? 0); ++i) {
    const variable = profile.variables[all.variable[i] ?? -1];
    if (!variable) continue;
    const key = `${variable.category}\n${variable.name}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { first: variable, bytes: 0, read: 0, written: 0, undefined: 0 }));
    group.bytes += variable.bytes;
    group.read += all.read[i]!;
    group.written += all.written[i]!;
    group.undefined += all.undefined[i]!;
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes || a.first.id - b.first.id);
}
