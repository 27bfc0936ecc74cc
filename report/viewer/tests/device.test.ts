// The chart of a run: on several IPUs if the file has only one time of a compute set, for all IPUs together (level device); and after the end
// of the run.
import { describe, expect, it } from 'vitest';
import type { Profile, Run } from '../src/data/profile';
import { kDrawn, rasterize } from '../src/derived/bsp';
import { flame } from '../src/derived/flame';
import type { PooledRun } from '../src/derived/pool';
import { oneForAll } from '../src/derived/times';
import { chartBox, drawChart } from '../src/draw/bsp';
import type { Surface } from '../src/draw/surface';
import { kThemes, type Theme } from '../src/theme';
import { doingAt } from '../src/views/execution/lanes';

// An exchange with the time of each tile, a compute set of both IPUs, one of IPU 1 alone, and another exchange.
const kSteps = [
  { type: 'DoExchange', cycles: [10, 10], active: [1, 1], from: [0, 0], to: [10, 10] },
  { type: 'OnTileExecute', cycles: [20, NaN], active: [1, 1], from: [10, NaN], to: [30, NaN] },
  { type: 'OnTileExecute', cycles: [40, NaN], active: [0, 1], from: [40, NaN], to: [80, NaN] },
  { type: 'DoExchange', cycles: [20, 20], active: [1, 1], from: [80, 80], to: [100, 100] },
];
const run = { id: 0, firstStep: 0, endStep: 4 } as Run;

const column = (of: (step: (typeof kSteps)[number]) => readonly number[]) => Float64Array.from(kSteps.flatMap(of));
const profile = {
  programs: kSteps.map(({ type }, id) => ({ id, type, name: `step ${id}`, parent: null, barriers: [] })),
  steps: {
    ipus: 2,
    count: 4,
    program: Int32Array.of(0, 1, 2, 3),
    cycles: column((s) => s.cycles),
    activeTiles: column((s) => s.active),
    from: column((s) => s.from),
    activeFrom: column((s) => s.from),
    to: column((s) => s.to),
    activeTo: column((s) => s.to),
  },
  ipus: 2,
  tiles: 4,
  keep: <T>(_: string, make: () => T) => make(),
} as unknown as Profile;

/** Returns the rows of one or both IPUs; a row is a tile. */
function pooledOf(...ipus: number[]): PooledRun {
  const rows = 2 * ipus.length;
  const recorded = kSteps.flatMap(({ type, cycles }) => Array<number>(rows).fill(type === 'DoExchange' ? (cycles[0] ?? NaN) : NaN));
  return {
    rows,
    tiles: Int32Array.from(ipus.flatMap((ipu) => [2 * ipu, 2 * ipu + 1])),
    segments: ipus.map((ipu, s) => ({ ipu, top: 2 * s, rows: 2, first: 2 * s, tiles: 2 })),
    first: 0,
    count: 4,
    busy: Float32Array.from(recorded),
    start: new Float32Array(4 * rows),
    late: new Float64Array(4 * ipus.length),
    meetings: { last: new Int32Array(8).fill(-1), begin: new Float64Array(8).fill(NaN) },
    ending: { tile: -1, cycle: NaN },
    exact: false,
    read: 4,
  };
}

/** Returns for each row and each 10 cycles whether compute is drawn. */
function computeOf(pooled: PooledRun): string[] {
  const { shares } = rasterize(profile, pooled, 0, 100, 10);
  const plane = kDrawn.indexOf('compute') * pooled.rows * 10;
  const cell = (row: number, column: number) => ((shares[plane + column * pooled.rows + row] ?? NaN) > 0.99 ? '#' : '.');
  return Array.from({ length: pooled.rows }, (_, row) => Array.from({ length: 10 }, (_, c) => cell(row, c)).join(''));
}

describe('a compute set with one time for all IPUs', () => {
  it('is drawn on the IPUs that have active tiles', () => {
    expect(computeOf(pooledOf(0, 1))).toEqual(['.##.......', '.##.......', '.##.####..', '.##.####..']);
    expect(computeOf(pooledOf(1))).toEqual(['.##.####..', '.##.####..']);
  });
  it('has a name below the picture of each IPU', () => {
    for (const ipu of [0, 1, null])
      expect(flame(profile, run, ipu, 'flat').map((s) => [s.program, s.from, s.to])).toEqual([
        [0, 0, 10],
        [1, 10, 30],
        [2, 40, 80],
        [3, 80, 100],
      ]);
  });
  it('can be the activity of a tile, which then does not count as waiting', () => {
    const at = (ipu: number, cycle: number) => doingAt(profile, run, pooledOf(0, 1), 2 * ipu, ipu, cycle);
    const both = { kind: 'unknown', step: 1, from: 10, to: 30 };
    expect([at(0, 15), at(1, 15)]).toEqual([both, both]);
    expect(at(1, 45)).toEqual({ kind: 'unknown', step: 2, from: 40, to: 80 });
    expect(at(1, 35)).toBe(null); // waits for work in step 2 or in step 3
    expect(at(0, 45)).toEqual({ kind: 'begins', step: 3, at: 80 }); // no tile of IPU 0 works in step 2
    expect(at(1, 85)).toEqual({ kind: 'works', step: 3, from: 80, to: 100 });
  });
  it('is not one that an IPU without work does not take part in', () => {
    expect([0, 1, 2, 3].map((step) => oneForAll(profile, step))).toEqual([false, true, true, false]);
  });
});

describe('the chart of a run', () => {
  it('is empty after the end of the run, next to a longer run', () => {
    Object.assign(globalThis, { ImageData: class { data = new Uint8ClampedArray(4 * 2000 * 10); constructor(readonly width: number, readonly height: number) {} } }); // prettier-ignore
    const theme = kThemes[0] as Theme;
    const sight = { order: Int32Array.of(0, 1, 2, 3), window: [0, 4] as const, pooled: pooledOf(0, 1), offset: 0 };
    const box = chartBox(866, 400); // 800 pixels wide
    const emptied = (end: number) => {
      const rects: number[][] = [];
      const nothing = () => undefined;
      const surface: Surface = {
        ...{ frame: nothing, line: nothing, text: nothing, image: nothing },
        rect: (x, _, width, height, fill) => fill === theme.ground && height === box.height && rects.push([x - box.x, width]),
      };
      drawChart(surface, profile, sight, { end, path: [], ipu: 0, selected: [] }, [0, 400], 866, 400, theme);
      return rects;
    };
    expect(emptied(100)).toEqual([[200, 600]]);
    expect(emptied(400)).toEqual([]);
  });
});
