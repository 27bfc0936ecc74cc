// The worker threads of a compute set, and the vertices that occupy all workers.
import { describe, expect, it } from 'vitest';
import { barsOf, kAllWorkers, lengthOnTile, workerRows } from '../src/views/execution/workerRows';

const slots = (threads: readonly (readonly number[])[], supervisor: readonly number[]) => ({
  slots: threads.map((cycles) => Float64Array.from(cycles)),
  supervisor: Float64Array.from(supervisor),
});
const rows = (of: ReturnType<typeof slots>, tile: number) =>
  workerRows(of, tile).map((row) => [row.worker, row.here, row.sum, row.most, row.tiles]);

describe('the worker threads of a compute set', () => {
  it('have a row each, without a row for vertices that the compute set does not have', () => {
    const of = slots([[7, 9], [5, 0]], [0, 0]); // prettier-ignore
    expect(rows(of, 1)).toEqual([
      [0, 9, 16, 9, 2],
      [1, 0, 5, 5, 1],
    ]);
    expect(lengthOnTile(barsOf(of, 0), 0)).toBe('14 cycles on tile 0. The workers take turns, so the busiest of 2 determines the length.');
  });
  it('have the cycles of MultiVertices in a row of their own', () => {
    const of = slots([[0, 0, 9], [0, 0, 0]], [252, 240, 10]); // prettier-ignore
    expect(rows(of, 0)).toEqual([
      [0, 0, 9, 9, 1],
      [1, 0, 0, 0, 0],
      [kAllWorkers, 252, 502, 252, 3],
    ]);
    expect(lengthOnTile(barsOf(of, 0), 0)).toBe(
      '252 cycles on tile 0. They are supervisor vertices and MultiVertices, which count as work of all workers.',
    );
    expect(lengthOnTile(barsOf(of, 2), 2)).toBe(
      '28 cycles on tile 2. 10 of them are supervisor vertices and MultiVertices, which count as work of all workers. ' +
        'The workers take turns, so the busiest of 2 determines the length of the rest.',
    );
  });
});
