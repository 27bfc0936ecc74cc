// The work of each worker thread in a compute set, and of the vertices that occupy all workers of a tile at once.
import type { WorkerSlots } from '../../data/types';
import { integer } from '../../derived/format';
import { type SlotBars, slotLength } from '../../draw/slots';

/** The name of the work of supervisor vertices and MultiVertices, which count as work of all workers (docs/CYCLES.md). */
export const kAllWorkers = 'supervisor or MultiVertex';

export interface WorkerRow {
  readonly worker: number | string; // kAllWorkers: supervisor vertices and MultiVertices
  readonly here: number; // thread cycles on the tile; cycles of the tile for kAllWorkers
  readonly sum: number; // over all tiles
  readonly most: number; // maximum over all tiles
  readonly tiles: number; // number of tiles with work
}

/** Returns the bars of a tile. */
export function barsOf({ slots, supervisor }: WorkerSlots, tile: number): SlotBars {
  return { supervisor: supervisor[tile] ?? 0, threads: slots.map((slot) => slot[tile] ?? 0) };
}

/** Returns a row for each worker and, if a tile has supervisor vertices or MultiVertices, a row for these vertices. */
export function workerRows({ slots, supervisor }: WorkerSlots, tile: number): readonly WorkerRow[] {
  const row = (worker: number | string, cycles: Float64Array): WorkerRow => ({
    worker,
    here: cycles[tile] ?? 0,
    sum: cycles.reduce((a, b) => a + b, 0),
    most: cycles.reduce((a, b) => Math.max(a, b), 0),
    tiles: cycles.reduce((n, v) => n + (v > 0 ? 1 : 0), 0),
  });
  const all = row(kAllWorkers, supervisor);
  return [...slots.map((cycles, worker) => row(worker, cycles)), ...(all.tiles > 0 ? [all] : [])];
}

/** Returns sentences about which work determines the cycles of a tile. */
export function lengthOnTile(bars: SlotBars, tile: number): string {
  const alternate = `The workers take turns, so the busiest of ${bars.threads.length} determines the length`;
  const some = bars.threads.some((cycles) => cycles > 0);
  const whole = `${integer(slotLength(bars))} cycles on tile ${tile}.`;
  if (!(bars.supervisor > 0)) return `${whole} ${alternate}.`;
  const all = `supervisor vertices and MultiVertices, which count as work of all workers`;
  return some ? `${whole} ${integer(bars.supervisor)} of them are ${all}. ${alternate} of the rest.` : `${whole} They are ${all}.`;
}
