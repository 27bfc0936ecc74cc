// The program tree as rows in order, without the rows inside folded programs.
import type { Profile } from '../data/profile';
import { programLabel } from './names';

export interface TreeRow {
  readonly id: number;
  readonly depth: number;
  readonly children: number;
  readonly open: boolean;
  readonly match: boolean; // the name or type of the program itself matches the search
}

/** Returns the programs whose name or type contains a word (hits), and these programs with all their ancestors (kept). */
export function matching(profile: Profile, word: string): { readonly hits: ReadonlySet<number>; readonly kept: ReadonlySet<number> } {
  const hits = new Set<number>();
  const kept = new Set<number>();
  const lower = word.toLowerCase();
  for (const p of profile.programs) {
    if (!`${programLabel(p)}\n${p.name}\n${p.type}`.toLowerCase().includes(lower)) continue;
    hits.add(p.id);
    for (let at: number | null = p.id; at !== null && !kept.has(at); at = profile.programs[at]?.parent ?? null) kept.add(at);
  }
  return { hits, kept };
}

/** Returns the ids of all programs that can be folded. */
export function foldable(profile: Profile): Set<number> {
  return new Set(profile.programs.filter((p) => (profile.children[p.id]?.length ?? 0) > 0).map((p) => p.id));
}

/** Returns the rows of some roots and of the programs below them. By default, the roots are those of the program. */
export function treeRows(profile: Profile, folded: ReadonlySet<number>, word: string, roots: readonly number[] = profile.roots): TreeRow[] {
  const search = word.trim() === '' ? null : matching(profile, word.trim());
  const rows: TreeRow[] = [];
  const stack = [...roots].reverse().map((id) => ({ id, depth: 0 }));
  while (stack.length > 0) {
    const at = stack.pop();
    if (!at) break;
    if (search && !search.kept.has(at.id)) continue;
    const children = profile.children[at.id] ?? [];
    const open = search !== null || !folded.has(at.id);
    rows.push({ id: at.id, depth: at.depth, children: children.length, open, match: search?.hits.has(at.id) ?? false });
    if (open) for (let i = children.length - 1; i >= 0; --i) stack.push({ id: children[i] ?? 0, depth: at.depth + 1 });
  }
  return rows;
}
