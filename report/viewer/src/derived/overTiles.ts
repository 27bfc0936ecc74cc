// Sums figures of programs per tile: code, bytes, cycles, vertices.
import { blob, number } from '../data/database';
import type { Profile } from '../data/profile';
import { summedRuns } from './times';

export const kTileFigures = [
  ['estimated', 'estimated cycles'],
  ['recorded', 'recorded cycles'],
  ['vertices', 'vertices'],
  ['control', 'control code of its own'],
  ['exchange', 'exchange code'],
  ['sent', 'bytes sent'],
  ['received', 'bytes received'],
] as const;
export type TileFigure = (typeof kTileFigures)[number][0];

export function unitOfFigure(figure: TileFigure): 'cycles' | 'vertices' | 'B' {
  return figure === 'estimated' || figure === 'recorded' ? 'cycles' : figure === 'vertices' ? 'vertices' : 'B';
}

/** The column of a figure in the row of a program. The estimate of a compute set is in the row of the compute set. */
const kColumns: Partial<Readonly<Record<TileFigure, string>>> = {
  estimated: 'coalesce((SELECT c.estimated_cycles FROM compute_sets c WHERE c.id = p.compute_set), p.estimated_cycles)',
  control: 'p.control_code',
  exchange: 'p.exchange_code',
  sent: 'p.bytes_sent',
  received: 'p.bytes_received',
};

const kMaxIds = 200; // for more ids, the query reads all rows

/** Returns the source of the rows of a figure. The id of a row is a program; for vertices, it is a compute set. */
function source(figure: TileFigure): { readonly sql: string; readonly id: string; readonly value: string } {
  if (figure === 'recorded') return { sql: 'FROM steps s JOIN steps_by_tile t ON t.step_id = s.id', id: 's.program', value: 't.cycles' };
  if (figure === 'vertices') return { sql: 'FROM compute_set_vertices', id: 'compute_set', value: 'count_by_tile' };
  return { sql: 'FROM programs p', id: 'p.id', value: kColumns[figure] ?? 'NULL' };
}

/**
 * Returns the ids of the rows to add up, with the weight of each row. The control code of a step includes the control code of its children,
 * so the children have negative weights.
 */
function weights(profile: Profile, programs: readonly number[], figure: TileFigure): ReadonlyMap<number, number> {
  const out = new Map<number, number>();
  const add = (id: number | null | undefined, weight: number) => {
    if (typeof id === 'number') out.set(id, (out.get(id) ?? 0) + weight);
  };
  if (figure === 'vertices') {
    for (const program of programs) {
      const set = profile.programs[program]?.computeSet;
      if (typeof set === 'number') out.set(set, 1);
    }
    return out;
  }
  for (const program of programs) {
    add(program, 1);
    if (figure === 'control') for (const child of profile.children[program] ?? []) add(child, -1);
  }
  for (const [id, weight] of out) if (weight === 0) out.delete(id);
  return out;
}

function where(id: string, ids: readonly number[]): string {
  return ids.length > kMaxIds ? '1' : `${id} IN (${ids.join()})`;
}

/** Returns whether the file has a figure for some of the programs, without reading the figure. */
export function hasOverTiles(profile: Profile, programs: readonly number[], figure: TileFigure): boolean {
  const ids = [...weights(profile, programs, figure).keys()];
  if (ids.length === 0) return false;
  if (figure === 'control' && programs.some((p) => (profile.programs[p]?.controlCode ?? 0) > 0)) return true;
  const { sql, id, value } = source(figure);
  return profile.db.query(`SELECT 1 ${sql} WHERE ${where(id, ids)} AND ${value} IS NOT NULL LIMIT 1`).length > 0;
}

/** Returns the sum of a figure over some programs on each tile; null if the file has the figure for none of the programs. */
export function overTiles(profile: Profile, programs: readonly number[], figure: TileFigure): Float64Array | null {
  return profile.keep(`over tiles ${figure} ${programs.join()}`, () => {
    const out = new Float64Array(profile.tiles);
    const scratch = new Float64Array(profile.tiles);
    let known = false;
    const weight = weights(profile, programs, figure);
    const { sql, id, value } = source(figure);
    const runs = summedRuns(profile);
    const run = figure === 'recorded' ? 's.run' : 'NULL'; // only recorded cycles belong to a run
    for (const row of profile.db.query(`SELECT ${id} AS id, ${run} AS run, ${value} AS v ${sql} WHERE ${where(id, [...weight.keys()])}`)) {
      if (typeof row.run === 'number' && !runs.has(row.run)) continue;
      const times = weight.get(number(row.id));
      const decoded = times === undefined ? null : profile.columns.all(blob(row.v), scratch);
      if (!decoded || times === undefined) continue;
      known = true;
      for (let tile = 0; tile < out.length; ++tile) out[tile]! += times * (decoded[tile] || 0);
    }
    if (figure === 'control')
      for (const [program, times] of weight) {
        const every = times * (profile.programs[program]?.controlCode ?? 0);
        if (every !== 0) known = true;
        for (let tile = 0; tile < out.length && every !== 0; ++tile) out[tile]! += every;
      }
    return known ? out : null;
  });
}
