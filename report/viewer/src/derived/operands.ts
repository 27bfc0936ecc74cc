// Reads the data that vertices read and write, from the table of operands: per field of one compute set, and summed per compute set.
import { blob, number, text } from '../data/database';
import type { Profile } from '../data/profile';

/** The data that the vertices of one type in a compute set read and write through one field. */
export interface Operand {
  readonly type: string;
  readonly field: string; // empty = unknown
  readonly elementType: string; // empty = bytes
  readonly read: boolean;
  readonly written: boolean;
  readonly edges: number;
  readonly elements: number;
  readonly least: number; // elements of the smallest edge
  readonly most: number;
  readonly bytes: number;
}

export interface ComputeSetRow {
  readonly id: number;
  readonly name: string;
  readonly program: number | null; // the first program that executes the compute set
  readonly vertices: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly bytes: number;
  readonly edges: number;
  readonly estimated: number; // estimated cycles of the slowest tile
}

export function operandsOf(profile: Profile, computeSet: number): readonly Operand[] {
  const sql = `SELECT t.name AS type, o.field, o.element_type, o.is_read, o.is_written, o.edges, o.elements, o.least_elements, o.most_elements, o.size_bytes
    FROM compute_set_operands o LEFT JOIN vertex_types t ON t.id = o.vertex_type WHERE o.compute_set = ? ORDER BY o.position`;
  return profile.keep(`operands ${computeSet}`, () =>
    profile.db.query(sql, [computeSet]).map((row) => ({
      type: text(row.type),
      field: text(row.field),
      elementType: text(row.element_type),
      read: row.is_read === 1,
      written: row.is_written === 1,
      edges: number(row.edges),
      elements: number(row.elements),
      least: number(row.least_elements),
      most: number(row.most_elements),
      bytes: number(row.size_bytes),
    })),
  );
}

/** Returns all compute sets, most bytes of operands first. */
export function collectComputeSets(profile: Profile): readonly ComputeSetRow[] {
  return profile.keep('compute sets', () => {
    const first = new Map<number, number>();
    for (const program of profile.programs)
      if (program.computeSet !== null && !first.has(program.computeSet)) first.set(program.computeSet, program.id);
    const sums = new Map<number, { read: number; written: number; all: number; edges: number }>();
    const scratch = new Float64Array(profile.tiles);
    for (const row of profile.db.query(
      `SELECT compute_set AS c, sum(size_bytes) AS b, sum(CASE is_read WHEN 1 THEN size_bytes ELSE 0 END) AS r,
          sum(CASE is_written WHEN 1 THEN size_bytes ELSE 0 END) AS w, sum(edges) AS e FROM compute_set_operands GROUP BY compute_set`,
    ))
      sums.set(number(row.c), { read: number(row.r), written: number(row.w), all: number(row.b), edges: number(row.e) });
    const vertices = new Map(
      profile.db
        .query('SELECT compute_set AS c, sum(instances) AS n FROM compute_set_vertices GROUP BY compute_set')
        .map((row) => [number(row.c), number(row.n)]),
    );
    // The estimate of a copy is in the row of the program.
    const estimates = new Map<number, number>();
    for (const row of profile.db.query(
      `SELECT p.compute_set AS c, coalesce(c.estimated_cycles, p.estimated_cycles) AS e FROM programs p JOIN compute_sets c ON c.id = p.compute_set`,
    )) {
      const slowest = profile.columns.all(blob(row.e), scratch)?.reduce((a, b) => Math.max(a, b), 0);
      if (slowest !== undefined) estimates.set(number(row.c), slowest);
    }
    const rows = profile.db.query('SELECT id, name FROM compute_sets ORDER BY id').map((row): ComputeSetRow => {
      const id = number(row.id);
      const sum = sums.get(id);
      return {
        id,
        name: text(row.name),
        program: first.get(id) ?? null,
        vertices: vertices.get(id) ?? 0,
        readBytes: sum?.read ?? 0,
        writtenBytes: sum?.written ?? 0,
        bytes: sum?.all ?? 0,
        edges: sum?.edges ?? 0,
        estimated: estimates.get(id) ?? NaN,
      };
    });
    return rows.sort((a, b) => b.bytes - a.bytes || a.id - b.id);
  });
}
