// Sums the floating-point operations of vertices.
import { number } from '../data/database';
import type { Profile } from '../data/profile';

/** Floating-point operations: from the program's estimates, or else counted on the substitute instruction set. */
export interface Flops {
  readonly recorded: boolean; // false: the profile has no operations
  readonly vertices: number;
  readonly estimated: number; // number of vertices with an estimate of their operations
  readonly counted: number; // number of other vertices, whose operations were counted
  readonly operations: number; // estimated and counted operations
}

export const kNoFlops: Flops = { recorded: false, vertices: 0, estimated: 0, counted: 0, operations: 0 };

/** Adds two sums. A sum over no vertices is not recorded, and adding it changes nothing. */
export function addFlops(a: Flops, b: Flops): Flops {
  if (a.vertices === 0 || b.vertices === 0) return a.vertices === 0 ? b : a;
  return {
    recorded: a.recorded && b.recorded,
    vertices: a.vertices + b.vertices,
    estimated: a.estimated + b.estimated,
    counted: a.counted + b.counted,
    operations: a.operations + b.operations,
  };
}

/** Returns a lower bound of the operations of the vertices; NaN if nothing is known about their operations. */
export function flopsKnown(f: Flops): number {
  return f.recorded && (f.operations !== 0 || f.estimated + f.counted === f.vertices) ? f.operations : NaN;
}

/** Returns the operations of each compute set. */
export function flopsOfSets(profile: Profile): ReadonlyMap<number, Flops> {
  const sets = new Map<number, Flops>();
  for (const row of profile.db.query('SELECT compute_set AS c, instances AS n, flop_vertices AS k, flops AS f FROM compute_set_vertices')) {
    const one = {
      ...kNoFlops,
      recorded: row.k !== null,
      vertices: number(row.n),
      estimated: number(row.k ?? 0),
      operations: number(row.f ?? 0),
    };
    const set = number(row.c);
    sets.set(set, addFlops(sets.get(set) ?? kNoFlops, one));
  }
  const counted = 'SELECT compute_set AS c, sum(flop_vertices) AS k, sum(flops) AS f FROM vertex_cycle_sources GROUP BY compute_set';
  for (const row of profile.db.query(counted)) {
    const set = number(row.c);
    const all = sets.get(set) ?? kNoFlops;
    sets.set(set, { ...all, counted: number(row.k), operations: all.operations + number(row.f) });
  }
  return sets;
}
