// Reads the programs of a profile: one row for each step, sequence, loop or branch.
import { type Database, number, text } from './database';
import { kindOfUnnamed } from './movedNames';
import type { Program } from './types';

/**
 * Reads programs. `moved` returns the variables that name a copy without a name, or an empty text. `moved` is called when a view names the
 * copy.
 */
export function readPrograms(db: Database, where: string, parameters: readonly number[], moved: (program: number) => string): Program[] {
  const sql = `SELECT id, type, name, parent, is_function, compute_set, count, liveness_point, control_code_every_tile, debug_context,
      barriers FROM programs`;
  return db.query(`${sql} ${where} ORDER BY id`, parameters).map((row) => ({
    id: number(row.id),
    type: text(row.type),
    name: text(row.name),
    parent: typeof row.parent === 'number' ? row.parent : null,
    isFunction: row.is_function === 1,
    computeSet: typeof row.compute_set === 'number' ? row.compute_set : null,
    count: number(row.count),
    livenessPoint: row.liveness_point === 1,
    controlCode: number(row.control_code_every_tile),
    context: typeof row.debug_context === 'number' ? row.debug_context : 0,
    barriers: text(row.barriers).split(',').filter(Boolean),
    ...(kindOfUnnamed(text(row.type), text(row.name)) === '' ? {} : { moved: () => moved(number(row.id)) }),
  }));
}
