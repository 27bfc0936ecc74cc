// Compares pure functions of the page with slow, obvious reference implementations and worked examples.
import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute } from '../src/app/route';
import type { Allocation, Traffic } from '../src/data/types';
import { align } from '../src/derived/align';
import { clip, FoldedScale, parseWindow, stretches } from '../src/derived/addresses';
import { bytes, duration, kUnknown, parseRanges, percent, ranges, shortBytes, stepsOutside } from '../src/derived/format';
import { listOutside } from '../src/derived/links';
import { histogram, occupiedWindow } from '../src/derived/histogram';
import { ticks } from '../src/draw/axes';
import { markSpans } from '../src/draw/bars';
import { SvgSurface } from '../src/draw/surface';
import { colourRange, tileAt, tileMapGeometry, tileRect, tilesInBox } from '../src/draw/tilemap';
import { cellTiles, parseTrafficWindow, trafficMatrix } from '../src/views/exchange/trafficMatrix';
import { visible } from '../src/data/visible';
import { fullestTiles } from '../src/derived/fullest';
import { toggleSteps } from '../src/views/execution/toggle';
import { kKinds } from '../src/views/KindIcon';
import { csvLine, csvOf } from '../src/views/csv';
import { countText, searched, shareColumn, shownNumber, sortRows } from '../src/views/Table';

const allocation = (offset: number, size: number): Allocation => ({
  name: '',
  variable: null,
  offset,
  bytes: size,
  alignment: 1,
  category: 'variable',
  alwaysLive: true,
  overlapped: false,
  equivalenceClass: null,
});

describe('a column of shares', () => {
  it('copies as a number of percent, not as what it is a part of', () => {
    const column = shareColumn<number>(
      (cycles) => cycles,
      () => 300,
    );
    expect(csvLine([column.value(100), column.value(300), column.value(NaN)])).toBe('33.333,100,');
    expect(column.show?.(100)).toBe('33.3 %');
    expect(column.unit).toBe('%');
  });
});

describe('numbers as text', () => {
  it('shows what is not known as a dash', () => {
    for (const text of [bytes(NaN), shortBytes(NaN), percent(1, 0), percent(NaN, 4), duration(NaN, 1)]) expect(text).toBe(kUnknown);
  });
  it('never rounds a share to a false 0', () => {
    expect(percent(1, 1e6)).toBe('<0.1 %');
    expect(percent(-1, 1e6)).toBe('>-0.1 %');
    expect(percent(0, 5)).toBe('0.0 %');
    expect(percent(1, 3)).toBe('33.3 %');
  });
  it('writes ranges that it can read', () => {
    for (const values of [[0], [0, 1, 2], [3, 5, 6, 7, 100], []])
      expect(parseRanges(ranges(values, 1e9).replace(/–/g, '-'), 1000)).toEqual(values);
    expect(parseRanges('2-4, 9', 4)).toEqual([2, 3]);
    expect(parseRanges('', 4)).toEqual([]);
    for (const wrong of ['x', '1--2', '-1', '1.5', '99999999999999999999', '3-1', '1,,2', '1,', ',', ' ']) {
      expect(parseRanges(wrong, 10), wrong).toBeNull();
      expect(stepsOutside(wrong, 0, 10), wrong).toBeNull();
      expect(listOutside('tile', 10)(wrong), wrong).toContain('is not a list of tiles');
    }
  });

  it('tells which steps of a list lie outside of a run', () => {
    expect(stepsOutside('', 10, 20)).toEqual([]);
    expect(stepsOutside('10-19', 10, 20)).toEqual([]);
    expect(stepsOutside('8-11, 15', 10, 20)).toEqual([[8, 10]]);
    expect(stepsOutside('19-25,23-30,5', 10, 20)).toEqual([
      [5, 6],
      [20, 31],
    ]);
    expect(stepsOutside('0-99', 10, 20)).toEqual([
      [0, 10],
      [20, 100],
    ]);
    expect(stepsOutside('x', 10, 20)).toBeNull();
  });
});

describe('a selection of steps', () => {
  it('takes steps in, and out where all of them are in', () => {
    expect(toggleSteps([1, 5], [3, 4])).toEqual([1, 3, 4, 5]);
    expect(toggleSteps([1, 5], [5, 6])).toEqual([1, 5, 6]);
    expect(toggleSteps([1, 3, 4, 5], [3, 4])).toEqual([1, 5]);
  });
});

describe('marks of a picture', () => {
  it('are drawn once each, neighbours together', () => {
    expect(markSpans([], 0, 10)).toEqual([]);
    expect(markSpans([4, 2, 3, 9, 3, 12, -1], 0, 10)).toEqual([
      [2, 5],
      [9, 10],
    ]);
    expect(
      markSpans(
        Array.from({ length: 1000 }, (_, i) => i),
        100,
        900,
      ),
    ).toEqual([[100, 900]]);
  });
});

describe('the tiles that a picture begins with', () => {
  it('are all, or those around the few that have anything', () => {
    const values = new Float64Array(1000);
    expect(occupiedWindow(values)).toEqual([0, 1000]);
    values[500] = 1;
    expect(occupiedWindow(values)).toEqual([492, 509]);
    values[510] = 1;
    expect(occupiedWindow(values)).toEqual([489, 522]);
    values[0] = 1;
    expect(occupiedWindow(values)).toEqual([0, 1000]);
    expect(occupiedWindow(Float64Array.of(0, 0, 3))).toEqual([0, 3]);
  });
});

describe('the fullest tiles', () => {
  it('are those that a sort has first, ties by tile', () => {
    let state = 9;
    const random = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
    for (let round = 0; round < 50; ++round) {
      const bytes = Float64Array.from({ length: 1 + random(60) }, () => random(12));
      const sorted = [...bytes.keys()].sort((a, b) => (bytes[b] ?? 0) - (bytes[a] ?? 0) || a - b);
      expect(fullestTiles(bytes, 5)).toEqual(sorted.slice(0, 5));
    }
    expect(fullestTiles(new Float64Array(0), 5)).toEqual([]);
  });
});

describe('a window of addresses', () => {
  it('keeps of each stretch what lies within', () => {
    const parts = [
      { from: 0, to: 100, occupied: true },
      { from: 100, to: 900, occupied: false },
      { from: 900, to: 950, occupied: true },
    ];
    expect(clip(parts, 40, 200)).toEqual([
      { from: 40, to: 100, occupied: true },
      { from: 100, to: 200, occupied: false },
    ]);
    expect(clip(parts, 0, 950)).toEqual(parts);
    expect(clip(parts, 950, 2000)).toEqual([]);
  });
  it('is read from the fragment, and no other text is', () => {
    expect(parseWindow('4,096-8192', 0, 10000)).toEqual([4096, 8192]);
    expect(parseWindow(' 5 – 99999', 10, 100)).toEqual([10, 100]);
    for (const wrong of ['', '-', '7', '9-4', 'x-y', '200-300', '-5-9']) expect(parseWindow(wrong, 0, 100)).toBeNull();
  });
});

describe('names', () => {
  it('show controls as the commands do, so that no name changes the text after it', () => {
    expect(visible('a\u202eb\u2066c\u061c')).toBe('a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c\\xd8\\x9c');
    expect(visible('\u0001a\n\tb\u001b\u0085\ufeff')).toBe('\\x01a\\x0a\\x09b\\x1b\\xc2\\x85\\xef\\xbb\\xbf');
    for (const name of ['', 'Layer1/Fwd', '<b>', 'שלום', '日本', 'a\\xffb', '\ufffd', '🙂']) expect(visible(name)).toBe(name);
  });
});

describe('kinds of programs', () => {
  it('have a picture for every type of pva', () => {
    const types =
      'DoExchange GlobalExchange OnTileExecute StreamCopyBegin StreamCopyMid StreamCopyEnd Sync SyncAns Sans Repeat Sequence OnEveryTileSwitch Call Copy CopySharedStructure CrossReplicaCopy Execute OnTileCopy OnTileSwitch RepeatWhile SetLocalConsensus SetLocalConsensusFromVar GetGlobalConsensus WriteUndef Switch While Block';
    expect(types.split(' ').filter((type) => !kKinds.has(type))).toEqual([]);
  });
});

describe('the colours of a floor plan', () => {
  const map = { values: Float64Array.of(40, 10, 70), ipus: 1, selected: [], scale: null, format: String };
  it('go from the least to the most, or to the maximum that is asked for', () => {
    expect(colourRange(map)).toEqual([10, 70]);
    expect(colourRange({ ...map, scale: [0, 256] })).toEqual([0, 256]);
  });
});

describe('the address axis', () => {
  it('covers addresses from 0 to the highest without holes or overlap', () => {
    const parts = stretches([allocation(100, 50), allocation(120, 10), allocation(5000, 8), allocation(160, 4)], 256);
    expect(parts).toEqual([
      { from: 0, to: 164, occupied: true },
      { from: 164, to: 5000, occupied: false },
      { from: 5000, to: 5008, occupied: true },
    ]);
  });
  it('maps pixels back to addresses', () => {
    const scale = new FoldedScale(stretches([allocation(0, 1000), allocation(100_000, 3000)], 256), 500, 480, 12);
    for (const address of [0, 10, 999, 50_000, 100_000, 102_999]) expect(scale.address(scale.pixel(address))).toBeCloseTo(address, 3);
    expect(scale.pixel(103_000)).toBeCloseTo(20, 6);
  });
});

describe('tables', () => {
  it('finds numbers as they are and as they are shown, and steps by their names and numbers', () => {
    expect(searched({ title: 'Bytes', value: (n: number) => n }, 2076)).toEqual(expect.arrayContaining(['2076', '2,076']));
    expect(searched({ title: 'Saves', value: (n: number) => n }, -1500)).toContain('−1,500');
    expect(
      searched(
        shareColumn(
          (n: number) => n,
          () => 60,
        ),
        3,
      ),
    ).toContain('5.0 %');
    const step = { title: 'Step', value: () => 'net/sum', step: (id: number | null) => [id, 'net/sum'] as const };
    const found = (id: number | null, word: string) => searched(step, id).some((text) => text.includes(word));
    expect(['46', 'net/sum', '46 net/sum', 'net/sum 46'].map((word) => found(46, word))).toEqual([true, true, true, true]);
    expect([found(8, '46'), found(null, 'net/sum'), found(null, 'null')]).toEqual([false, true, false]);
  });
  it('show numbers with separators, and with an exponent if only zeros or very many digits would be visible', () => {
    expect([0, -1500, 0.25, 123456789012345680, 1e300, -2e-7].map(shownNumber)).toEqual([
      '0',
      '−1,500',
      '0.25',
      '123,456,789,012,345,680',
      '1e+300',
      '−2e-7',
    ]);
  });
  it('sort with unknown values last, both ways, and keep the order of equals', () => {
    const rows = [
      { v: 2 as number | null, n: 'a' },
      { v: null, n: 'b' },
      { v: 1, n: 'c' },
      { v: 2, n: 'd' },
    ];
    expect(sortRows(rows, (r) => r.v, false).map((r) => r.n)).toEqual(['c', 'a', 'd', 'b']);
    expect(sortRows(rows, (r) => r.v, true).map((r) => r.n)).toEqual(['a', 'd', 'c', 'b']);
  });
  it('sort names by their numbers, whatever the size of their letters', () => {
    const names = [
      'b',
      'layer10',
      'layer2',
      'Layer9/x',
      'layer02b',
      'layer2/b10',
      'layer2/b9',
      'layer',
      'ä',
      '',
      'layer100000000000',
      'layer99999999999',
    ];
    const sorted = sortRows(names, (n) => n, false);
    expect(sorted).toEqual([
      '',
      'b',
      'layer',
      'layer2',
      'layer2/b9',
      'layer2/b10',
      'layer02b',
      'Layer9/x',
      'layer10',
      'layer99999999999',
      'layer100000000000',
      'ä',
    ]);
    expect(sortRows(names, (n) => n, true)).toEqual([...sorted].reverse());
  });
  it('quote what a spreadsheet would take for a formula or a new cell', () => {
    expect(csvLine(['a,b', '=1+1', 'say "x"', 3.5, null, NaN])).toBe(`"a,b",'=1+1,"say ""x""",3.5,,`);
  });
  it('copies steps with number and name, and a time in its own unit', () => {
    const columns = [
      {
        title: 'Step',
        value: (r: readonly number[]) => r[0] ?? null,
        step: (r: readonly number[]) => [r[0] ?? null, `step ${r[0]}`] as const,
      },
      {
        title: 'Time',
        value: (r: readonly number[]) => r[1] ?? null,
        copies: ['Time (s)', (r: readonly number[]) => (r[1] ?? NaN) / 2] as const,
      },
      { title: 'Code', unit: 'B', value: () => 7 },
    ];
    expect(csvOf(columns, [[3, 5]])).toBe('Step (number),Step,Time (s),Code (B)\n3,step 3,2.5,7\n');
  });
  it('count rows', () => {
    expect([countText(1, 1), countText(3, 2000)]).toEqual(['1 row', '3 of 2,000 rows']);
  });
});

describe('pictures', () => {
  it('find the tile that was drawn at a place', () => {
    for (const [tiles, ipus] of [
      [1216, 1],
      [1472 * 4, 4],
      [7, 1],
      [94_208, 64],
    ] as const) {
      const g = tileMapGeometry(tiles, ipus, 1200, 500);
      for (let tile = 0; tile < tiles; tile += Math.max(1, Math.floor(tiles / 97))) {
        const [x, y] = tileRect(g, tile);
        expect(tileAt(g, x + g.cell / 2, y + g.cell / 2, tiles)).toBe(tile);
        expect(x + g.cell).toBeLessThanOrEqual(1200);
        expect(y + g.cell).toBeLessThanOrEqual(500 - 40);
      }
    }
  });
  it('have round ticks inside the range', () => {
    expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticks(0, 262_144, 4, true)).toEqual([0, 65_536, 131_072, 196_608, 262_144]);
  });
  it('never let a name be markup in SVG', () => {
    const svg = new SvgSurface(10, 10, '<script>&"');
    svg.text('</text><script>x</script>\u0001', 0, 0, { fill: '#000000' });
    expect(svg.toString()).not.toContain('<script');
    expect(svg.toString()).not.toContain('\u0001');
  });
  it('count every tile in a histogram', () => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => (i * 7919) % 613);
    expect(histogram(values, 48).counts.reduce((a, b) => a + b, 0)).toBe(1000);
    expect([...histogram(Float64Array.of(5, 5, 5), 48).counts]).toEqual([3]);
  });

  it('tell the values of each bin of a histogram', () => {
    let state = 7;
    const random = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
    for (let i = 0; i < 200; ++i) {
      const spread = 1 + random(i % 2 ? 60 : 500_000);
      const values = Float64Array.from({ length: 1 + random(300) }, () => 1000 + random(spread));
      const bins = histogram(values, 48);
      const counted = [...bins.counts.keys()].map((bin) => {
        const [least, most] = bins.range(bin);
        return values.filter((v) => v >= least && v <= most).length;
      });
      expect(counted).toEqual([...bins.counts]);
    }
  });
});

describe('the fragment', () => {
  it('says a view and its parameters, whatever they hold', () => {
    const route = { view: 'memory', params: { tiles: '3,5-9', of: 'a&b=c #?"<x>' } };
    expect(parseRoute(formatRoute(route))).toEqual(route);
  });
});

describe('two lists of steps as one', () => {
  /** Returns the longest common subsequence by trying all: the slow reference. */
  const most = (a: readonly string[], b: readonly string[]): number => {
    const best = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
    for (let i = 1; i <= a.length; ++i)
      for (let j = 1; j <= b.length; ++j)
        best[i]![j] = a[i - 1] === b[j - 1] ? best[i - 1]![j - 1]! + 1 : Math.max(best[i - 1]![j]!, best[i]![j - 1]!);
    return best[a.length]![b.length]!;
  };
  it('hold all of both in order, with as many together as can be', () => {
    let state = 5;
    const random = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
    const shuffled = () => {
      const names = Array.from({ length: 12 }, (_, i) => `s${i}`).filter(() => random(4) > 0);
      for (let k = 0; k < random(5); ++k) names.push(...names.splice(random(names.length), 1));
      return names;
    };
    for (let round = 0; round < 300; ++round) {
      const [a, b] = [shuffled(), shuffled()];
      const pairs = align(a, b);
      expect(pairs.flatMap((p) => (p.before === null ? [] : [a[p.before]]))).toEqual(a);
      expect(pairs.flatMap((p) => (p.after === null ? [] : [b[p.after]]))).toEqual(b);
      const together = pairs.filter((p) => p.before !== null && p.after !== null);
      for (const p of together) expect(a[p.before ?? 0]).toBe(b[p.after ?? 0]);
      expect(together.length).toBe(most(a, b));
    }
  });
});

describe('a box in the floor plan', () => {
  it('chooses the tiles whose middle is in it', () => {
    const g = tileMapGeometry(1216, 1, 1200, 460);
    const [x, y] = tileRect(g, 100);
    expect(tilesInBox(g, { x: x + 1, y: y + 1 }, { x: x + g.cell - 1, y: y + g.cell - 1 }, 1216)).toEqual([100]);
    expect(tilesInBox(g, { x: 0, y: 0 }, { x: 1200, y: 460 }, 1216).length).toBe(1216);
    expect(tilesInBox(g, { x: -5, y: -5 }, { x: 1, y: 1 }, 1216)).toEqual([]);
  });
});

describe('who sends to whom', () => {
  const traffic = (tilesPerGroup: number, ...pairs: (readonly [number, number, number])[]): Traffic => ({
    tilesPerGroup,
    from: Float64Array.from(pairs, (p) => p[0]),
    to: Float64Array.from(pairs, (p) => p[1]),
    bytes: Float64Array.from(pairs, (p) => p[2]),
  });
  it('is as coarse as the coarsest exchange, and keeps every byte', () => {
    const matrix = trafficMatrix([traffic(1, [0, 5, 8], [1, 4, 4], [2, 0, 1]), traffic(2, [0, 2, 100])], 6, 100);
    expect(matrix?.tilesPerCell).toBe(2);
    expect(matrix?.cells).toBe(3);
    expect(matrix?.pairs).toEqual([
      { from: 0, to: 2, bytes: 112 },
      { from: 1, to: 0, bytes: 1 },
    ]);
    expect(matrix && cellTiles(matrix, 2, 'from')).toBe('tiles 4-5');
  });
  it('has no more cells than a picture has room for', () => {
    const matrix = trafficMatrix([traffic(1, [0, 1000, 3], [7, 1001, 4])], 1003, 64);
    expect(matrix?.tilesPerCell).toBe(16);
    expect(matrix?.cells).toBe(63);
    expect(matrix?.pairs).toEqual([{ from: 0, to: 62, bytes: 7 }]);
    expect(matrix && cellTiles(matrix, 62, 'to')).toBe('tiles 992-1002'); // the last group is incomplete
  });
  it('has the bytes of a part as the whole has them', () => {
    let state = 5;
    const random = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
    const tiles = 200;
    const pairs = Array.from({ length: 3000 }, () => [random(tiles), random(tiles), 1 + random(50)] as const);
    for (let i = 0; i < 40; ++i) {
      const window = parseTrafficWindow(`${random(tiles)},${random(tiles)},${1 + random(150)}`, tiles);
      const matrix = trafficMatrix([traffic(1, ...pairs)], tiles, 64, window);
      if (!window || !matrix) throw new Error('no window');
      const { from, to, span } = matrix.window;
      expect(from <= window.from && window.from + window.span <= from + span + matrix.tilesPerCell).toBe(true);
      const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
      const inside = pairs.filter(([f, t]) => f >= from && f < from + span && t >= to && t < to + span);
      expect(sum([...matrix.bytes])).toBe(sum(inside.map((p) => p[2])));
    }
    for (const wrong of ['', '1,2', '1,2,3,4', 'a,b,c', `0,0,${tiles}`, '-1,0,4']) expect(parseTrafficWindow(wrong, tiles)).toBeUndefined();
    expect(parseTrafficWindow('190,0,50', tiles)).toEqual({ from: 150, to: 0, span: 50 });
  });
  it('is nothing where nothing is told', () => expect(trafficMatrix([], 4, 10)).toBeNull());
});
