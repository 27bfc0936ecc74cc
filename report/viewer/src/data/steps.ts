// Reads the executed steps of a profile as columns.
import type { Database } from './database';
import type { Steps } from './types';

/**
 * SQL of two cycles from the start of the run, for a row of steps_by_ipu. At the first cycle, the first tile enters the step. At the second
 * cycle, the last tile leaves the step. At the levels ipu and device, the first tile is the first active tile (docs/CYCLES.md), and the first
 * cycle is unknown on an IPU without work. At level device, IPU 0 has the times of the device, also for a step that works only on other
 * IPUs. timesOnIpu and StepParts::Step in report/answers/StepTimes.hpp have the same rules.
 */
const kFrom = 'cycles_base + coalesce(all_cycles_from_min, CASE WHEN active_tiles + cycles > 0 THEN active_cycles_from_min END)';
export const kTo = 'cycles_base + coalesce(max(all_cycles_to_max, active_cycles_to_max), all_cycles_to_max, active_cycles_to_max)';

/** Reads the executed steps of all runs; `ipus` is the number of IPUs of one replica. */
export function readSteps(db: Database, ipus: number): Steps {
  const none = new Float64Array(0);
  const [run = none, program = none, threadCycles = none] = db.columns(
    ['run', 'program', 'thread_cycles'],
    'SELECT run, program, thread_cycles FROM steps ORDER BY id',
  );
  const size = run.length * ipus;
  const names = ['step_id', 'ipu', 'cycles', 'busy', 'active', 'f', 't', 'e', 'af', 'at', 'data_in', 'data_out', 'max_tile_data'];
  const columns = db.columns(
    names,
    `SELECT step_id, ipu, cycles, busy_cycles AS busy, active_tiles AS active, ${kFrom} AS f, ${kTo} AS t,
      cycles_base + all_cycles_from_max AS e, cycles_base + active_cycles_from_min AS af, cycles_base + active_cycles_to_max AS at, data_in, data_out, max_tile_data FROM steps_by_ipu`,
  );
  const place = Float64Array.from(columns[0] ?? none, (step, i) => step * ipus + (columns[1]?.[i] ?? NaN));
  const spread = (name: string): Float64Array => {
    const out = new Float64Array(size).fill(NaN);
    const values = columns[names.indexOf(name)] ?? none;
    place.forEach((at, i) => {
      if (at >= 0 && at < size) out[at] = values[i] ?? NaN;
    });
    return out;
  };
  return {
    count: run.length,
    ipus,
    run: Int32Array.from(run),
    program: Int32Array.from(program),
    threadCycles,
    cycles: spread('cycles'),
    busy: spread('busy'),
    activeTiles: spread('active'),
    from: spread('f'),
    enters: spread('e'),
    to: spread('t'),
    activeFrom: spread('af'),
    activeTo: spread('at'),
    dataIn: spread('data_in'),
    dataOut: spread('data_out'),
    maxTileData: spread('max_tile_data'),
  };
}
