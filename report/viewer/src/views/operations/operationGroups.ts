// Groups operations: by type, and by the path of their names.
import type { Profile } from '../../data/profile';
import { type Operation, operation } from '../../derived/operations';
import { largestFirst } from '../../derived/order';
import { wordsOf } from '../../derived/pathTree';

/** Groups operations by type. Every program counts once, so the rows add up to the sums of the operations, except for memory. */
export function operationsByType(profile: Profile, operations: readonly Operation[]): Operation[] {
  const types = new Map<string, { programs: number[]; contexts: number }>();
  for (const one of operations) {
    const entry = types.get(one.type) ?? { programs: [], contexts: 0 };
    entry.programs.push(...one.programs);
    entry.contexts += one.contexts;
    types.set(one.type, entry);
  }
  return [...types].map(([type, e]) =>
    operation(
      profile,
      { name: type === '' ? 'in no context' : type, type, context: null, contexts: e.contexts },
      e.programs.sort((a, b) => a - b),
    ),
  );
}

/**
 * Groups operations as a tree of the paths of names. Each part has the programs of all parts below it. A part comes before the parts below
 * it; the parts of one parent are in order of cycles, most first.
 */
export function operationsByPath(
  profile: Profile,
  operations: readonly Operation[],
): { readonly depth: number; readonly row: Operation }[] {
  interface Part {
    readonly word: string;
    readonly children: Map<string, Part>;
    own: Operation | null; // the operation with exactly this name
    readonly programs: number[];
    contexts: number;
  }
  const part = (word: string): Part => ({ word, children: new Map(), own: null, programs: [], contexts: 0 });
  const root = part('');
  for (const one of operations) {
    let at = root;
    for (const word of one.context ? wordsOf(one.name) : [one.name]) {
      let next = at.children.get(word);
      if (!next) at.children.set(word, (next = part(word)));
      at = next;
      at.programs.push(...one.programs);
      at.contexts += one.contexts;
    }
    at.own ??= one;
  }
  const out: { depth: number; row: Operation }[] = [];
  const visit = (of: Part, depth: number) => {
    const rows = [...of.children.values()].map((child) => {
      const head = { name: child.word, type: child.own?.type ?? '', context: child.own?.context ?? null, contexts: child.contexts };
      return {
        child,
        row: operation(
          profile,
          head,
          [...new Set(child.programs)].sort((a, b) => a - b),
        ),
      };
    });
    for (const { child, row } of rows.sort((a, b) => largestFirst(a.row.cycles, b.row.cycles))) {
      out.push({ depth, row });
      visit(child, depth + 1);
    }
  };
  visit(root, 0);
  return out;
}
