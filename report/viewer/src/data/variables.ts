// Reads variables and their allocations, which the file stores as blocks of columns.
import type { Database } from './database';
import type { Allocation, LivePart, Variable } from './types';

/** Names by id. Columns contain ids instead of names. */
export interface Names {
  readonly strings: ReadonlyMap<number, string>;
  readonly categories: ReadonlyMap<number, string>;
}

const known = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value);

export function readVariables(db: Database, names: Names): Variable[] {
  const out: Variable[] = [];
  for (const block of db.blocks('liveness_variables')) {
    const [ids, sizes, always] = [block.numbers('name'), block.numbers('size_bytes'), block.numbers('always_live')];
    const [classes, categories] = [block.numbers('equivalence_class'), block.numbers('category')];
    for (let i = 0; i < block.count; ++i)
      out.push({
        id: block.first + i,
        name: names.strings.get(ids[i] ?? -1) ?? '',
        bytes: sizes[i] ?? NaN,
        alwaysLive: always[i] === 1,
        equivalenceClass: known(classes[i]),
        category: names.categories.get(categories[i] ?? -1) ?? '',
      });
  }
  return out;
}

/** Reads the parts of each variable: groups of tiles on which the variable is live at other steps than on the rest of the tiles. */
export function readLiveParts(db: Database): Map<number, LivePart[]> {
  const out = new Map<number, LivePart[]>();
  for (const block of db.blocks('liveness_parts')) {
    const [variables, classes, sizes] = [block.numbers('variable'), block.numbers('equivalence_class'), block.numbers('size_bytes')];
    for (let i = 0; i < block.count; ++i) {
      const bytesByTile = block.blob('bytes_by_tile', i);
      const list = out.get(variables[i] ?? -1) ?? [];
      if (bytesByTile) list.push({ equivalenceClass: classes[i] ?? -1, bytes: sizes[i] ?? NaN, bytesByTile });
      out.set(variables[i] ?? -1, list);
    }
  }
  return out;
}

/** Reads the allocations of a tile, in order of address. */
export function readAllocations(db: Database, names: Names, tile: number): Allocation[] {
  const out: Allocation[] = [];
  for (const block of db.blocks('vars_info', { key: tile })) {
    const column = (name: string) => block.numbers(name);
    const [tiles, ids, variables, offsets, sizes] = [
      column('tile'),
      column('name'),
      column('variable'),
      column('offset'),
      column('size_bytes'),
    ];
    const [alignments, categories, always] = [column('alignment'), column('category'), column('always_live')];
    const [overlapped, classes] = [column('overlapped'), column('equivalence_class')];
    for (let i = 0; i < block.count; ++i)
      if (tiles[i] === tile)
        out.push({
          name: names.strings.get(ids[i] ?? -1) ?? '',
          variable: known(variables[i]),
          offset: offsets[i] ?? NaN,
          bytes: sizes[i] ?? NaN,
          alignment: alignments[i] ?? NaN,
          category: names.categories.get(categories[i] ?? -1) ?? '',
          alwaysLive: always[i] === 1,
          overlapped: overlapped[i] === 1,
          equivalenceClass: known(classes[i]),
        });
  }
  return out.sort((a, b) => a.offset - b.offset); // allocations at the same address keep the order of the file
}
