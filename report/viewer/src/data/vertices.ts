// Reads the vertices of some tiles, summed by type.
import { type Database, number, text } from './database';
import type { VertexRow } from './types';

/** Reads the vertices of some tiles, summed by type, most bytes first. The code of a type counts once per tile. */
export function readVertices(db: Database, tiles: readonly number[]): VertexRow[] {
  const spans: string[] = [];
  for (let i = 0; i < tiles.length;) {
    let end = i + 1;
    while (end < tiles.length && tiles[end] === (tiles[end - 1] ?? 0) + 1) ++end;
    spans.push(`v.tile BETWEEN ${tiles[i]} AND ${tiles[end - 1]}`);
    i = end;
  }
  if (spans.length > 400) spans.splice(0, spans.length, `v.tile IN (${tiles.join()})`); // SQLite nests at most 1,000 ORs
  return db
    .query(
      `SELECT t.name, sum(v.instances) AS instances, sum(v.code_bytes) AS code, sum(v.internal_state + v.edge_pointers + v.copy_pointers + v.padding) AS state,
            sum(v.descriptors) AS descriptors FROM vertices_by_tile v JOIN vertex_types t ON t.id = v.vertex_type
            WHERE ${spans.join(' OR ') || '0'} GROUP BY t.id ORDER BY code + state + sum(v.descriptors) DESC`,
    )
    .map((row) => ({
      type: text(row.name),
      instances: number(row.instances),
      codeBytes: number(row.code),
      stateBytes: number(row.state),
      descriptorBytes: number(row.descriptors),
    }));
}
