// Compares the decoder of blobs with encoders written from docs/FORMAT-pop.md, on numbers from a fixed seed.
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DamagedBlob, decodeList, decodeTile, decodeTiles, sumTiles } from '../src/data/decode';
import { type Column, rowsOf, unpackBlock } from '../src/data/rows';

/** Park and Miller's generator, so that the numbers are the same everywhere. */
function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => (state = (state * 48271) % 2147483647) % limit;
}

function littleEndian(value: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}

function plain(values: number[], width: number, compress: boolean, tiles: number[] | null): Uint8Array {
  const payload = [...(tiles ?? []).flatMap((t) => littleEndian(BigInt(t), 4)), ...values.flatMap((v) => littleEndian(BigInt(v), width))];
  const header = (compress ? 1 : 0) | (Math.log2(width) << 2) | (tiles ? 16 : 0);
  const body = compress ? [...deflateSync(Uint8Array.from(payload))] : payload;
  return Uint8Array.from([header, ...littleEndian(BigInt(values.length), 4), ...body]);
}

/** Packs values bit by bit into one long number, as the document describes. */
function packed(values: (number | null)[]): Uint8Array {
  const blocks: (number | null)[][] = [];
  for (let i = 0; i < values.length; i += 64) blocks.push(values.slice(i, i + 64));
  for (const block of blocks) while (block.length < 64) block.push(block[0] ?? null);
  const bits: number[] = [];
  const smallest: number[] = [];
  const stream: number[] = [];
  for (const block of blocks) {
    if (block.some((v) => v === null)) {
      bits.push(255);
      smallest.push(0);
      continue;
    }
    const numbers = block as number[];
    const low = Math.min(...numbers);
    const width = (Math.max(...numbers) - low).toString(2).length * (Math.max(...numbers) > low ? 1 : 0);
    bits.push(width);
    smallest.push(low);
    for (const v of numbers) for (let b = 0; b < width; ++b) stream.push(Number((BigInt(v - low) >> BigInt(b)) & 1n));
  }
  const bytes: number[] = [];
  for (let i = 0; i < stream.length; i += 8) bytes.push(stream.slice(i, i + 8).reduce((sum, bit, b) => sum + (bit << b), 0));
  return Uint8Array.from([
    2,
    ...littleEndian(BigInt(blocks.length), 4),
    ...bits,
    ...smallest.flatMap((s) => littleEndian(BigInt(s), 4)),
    ...bytes,
  ]);
}

/** Encodes a list whose zeros are marked in a mask, bit by bit. */
function masked(values: number[], shift: number): Uint8Array {
  const bits: number[] = values.map((v) => (v === 0 ? 0 : 1));
  while (bits.length % 64 !== 0) bits.push(0);
  const mask: number[] = [];
  for (let i = 0; i < bits.length; i += 8) mask.push(bits.slice(i, i + 8).reduce((sum, bit, b) => sum + (bit << b), 0));
  const others = values.filter((v) => v !== 0).map((v) => v / 2 ** shift);
  return Uint8Array.from([7, ...littleEndian(BigInt(values.length), 4), shift, ...mask, ...packed(others)]);
}

describe('values by tile', () => {
  it('reads dense numbers of every width, raw and compressed', () => {
    const random = generator(1);
    for (const width of [1, 2, 4, 8])
      for (const compress of [false, true]) {
        const values = Array.from({ length: 100 }, () => random(width === 1 ? 256 : 60000));
        expect([...(decodeTiles(plain(values, width, compress, null), 100) ?? [])]).toEqual(values);
      }
  });
  it('reads lists whose zeros a mask tells, as a whole and one by one', () => {
    const random = generator(5);
    for (const count of [1, 63, 64, 65, 200])
      for (const shift of [0, 2, 24]) {
        const values = Array.from({ length: count }, () => (random(2) === 0 ? 0 : (1 + random(200)) * 2 ** shift));
        const list = masked(values, shift);
        expect([...decodeList(list)]).toEqual(values);
        expect([...(decodeTiles(list, count + 3) ?? [])]).toEqual([...values, 0, 0, 0]);
        expect(values.map((_, tile) => decodeTile(list, count, tile))).toEqual(values);
        expect(sumTiles(list, count, 1, count)).toBe(values.slice(1).reduce((sum, v) => sum + v, 0));
      }
    const list = masked([0, 4, 0], 2);
    expect(() => decodeList(list.subarray(0, 12))).toThrow(DamagedBlob);
    expect(() => decodeList(Uint8Array.from([...list.subarray(0, 5), 32, ...list.subarray(6)]))).toThrow(DamagedBlob);
  });
  it('reads the value of one tile', () => {
    for (const [blob, tile, value] of [
      [[32, 5, 7], 5, 7],
      [[33, 2, 1, 7], 258, 7],
      [[34 + 8, 2, 1, 0, 0, 7, 0, 0, 1], 258, 16_777_223],
    ] as [number[], number, number][]) {
      const one = Uint8Array.from(blob);
      const values = new Array<number>(300).fill(0);
      values[tile] = value;
      expect([...(decodeTiles(one, 300) ?? [])]).toEqual(values);
      expect(decodeTile(one, 300, tile)).toBe(value);
      expect(decodeTile(one, 300, 9)).toBe(0);
      expect(() => decodeTiles(one.subarray(0, -1), 300)).toThrow(DamagedBlob);
      expect(() => decodeTiles(Uint8Array.from([...blob, 0]), 300)).toThrow(DamagedBlob);
    }
    expect(() => decodeTiles(Uint8Array.from([35, 0, 0, 0, 0, 0, 0, 0, 0, 1]), 300)).toThrow(DamagedBlob);
    expect(() => decodeTiles(Uint8Array.from([48, 5, 7]), 300)).toThrow(DamagedBlob);
  });
  it('puts sparse numbers on their tiles and 0 elsewhere', () => {
    expect([...(decodeTiles(plain([7, 9], 2, false, [1, 4]), 6) ?? [])]).toEqual([0, 7, 0, 0, 9, 0]);
  });
  it('takes the tiles of one replica from numbers of all, and refuses more than those', () => {
    for (const blob of [plain([5, 6, 7, 8], 1, false, null), plain([5, 6, 7, 8], 4, true, [0, 1, 2, 3]), masked([5, 6, 7, 8], 0)]) {
      expect([...(decodeTiles(blob, 2, undefined, 4) ?? [])]).toEqual([5, 6]);
      expect(sumTiles(blob, 2, 0, 2, 4)).toBe(11);
      expect(decodeTile(blob, 2, 1, 4)).toBe(6);
      expect(() => decodeTiles(blob, 2, undefined, 3)).toThrow(DamagedBlob);
      expect(() => decodeTiles(blob, 2)).toThrow(DamagedBlob);
    }
  });

  it('sums a part of the tiles as all of them say', () => {
    const random = generator(11);
    for (let i = 0; i < 60; ++i) {
      const count = 1 + random(300);
      const values = Array.from({ length: count }, () => random(50_000));
      const tiles = values.map((_, t) => t).filter(() => random(3) === 0);
      const blobs = [
        plain(values, 4, i % 2 === 0, null),
        plain(
          tiles.map((t) => values[t] ?? 0),
          2,
          i % 3 === 0,
          tiles,
        ),
        packed(values),
      ];
      const from = random(count);
      const to = Math.min(count, from + 1 + random(count));
      for (const blob of blobs)
        for (const end of [to, from + 1])
          expect(sumTiles(blob, count, from, end)).toBe([...(decodeTiles(blob, count) ?? [])].slice(from, end).reduce((a, b) => a + b, 0));
    }
  });
  it('reads packed blocks of every number of bits', () => {
    const random = generator(7);
    for (let bits = 0; bits <= 32; ++bits) {
      const count = 1 + random(200);
      const values = Array.from({ length: count }, () => (bits === 0 ? 5 : Math.floor((random(2147483646) / 2147483647) * 2 ** bits)));
      expect([...(decodeTiles(packed(values), count) ?? [])]).toEqual(values);
    }
  });
  it('says that a block is not known', () => {
    const values: (number | null)[] = Array.from({ length: 128 }, (_, i) => (i < 64 ? i : null));
    const out = decodeTiles(packed(values), 128);
    expect(out?.[63]).toBe(63);
    expect(out?.[64]).toBeNaN();
  });
  it('keeps null, and reads a list', () => {
    expect(decodeTiles(null, 4)).toBeNull();
    const list = Uint8Array.from([3, ...littleEndian(3n, 4), ...plain([1, 2, 3], 1, false, null)]);
    expect([...decodeList(list)]).toEqual([1, 2, 3]);
  });
  it('reads a list as numbers by tile', () => {
    const values = Array.from({ length: 150 }, (_, i) => i * i);
    for (const count of [150, 200]) {
      const list = Uint8Array.from([3, ...littleEndian(150n, 4), ...packed(values)]);
      const wanted = [...values, ...new Array<number>(count - 150).fill(0)];
      expect([...(decodeTiles(list, count) ?? [])]).toEqual(wanted);
      for (const tile of [0, 63, 64, 149, count - 1]) expect(decodeTile(list, count, tile)).toBe(wanted[tile]);
      expect(decodeTile(list, count, count)).toBeNaN();
      expect(sumTiles(list, count, 3, count - 1)).toBe(wanted.slice(3, count - 1).reduce((a, b) => a + b, 0));
    }
    const list = Uint8Array.from([3, ...littleEndian(150n, 4), ...packed(values)]);
    expect(() => decodeTiles(list, 149)).toThrow(DamagedBlob);
    expect(() => decodeTile(list, 149, 0)).toThrow(DamagedBlob);
    expect(() => decodeTiles(Uint8Array.from([3, ...littleEndian(150n, 4), ...list]), 150)).toThrow(DamagedBlob);
  });
});

describe('damaged blobs', () => {
  it('are errors or numbers, never anything else, for 20,000 random changes', () => {
    const random = generator(42);
    const good = [
      plain([1, 2, 3, 4], 4, false, null),
      plain([1, 2, 3], 2, true, null),
      plain([5], 1, false, [9]),
      Uint8Array.from([33, 9, 0, 5]),
      masked(
        Array.from({ length: 150 }, (_, i) => (i % 3) * 8),
        3,
      ),
      packed(Array.from({ length: 150 }, (_, i) => i * i)),
      Uint8Array.from([3, ...littleEndian(150n, 4), ...packed(Array.from({ length: 150 }, (_, i) => i * i))]),
    ];
    let errors = 0;
    for (let i = 0; i < 20_000; ++i) {
      const bytes = Uint8Array.from(good[random(good.length)] ?? []);
      for (let k = 0; k <= random(4); ++k) bytes[random(bytes.length)] = random(256);
      try {
        const out = decodeTiles(bytes.subarray(0, 1 + random(bytes.length)), 150);
        expect(out?.length).toBe(150);
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedBlob);
        ++errors;
      }
    }
    expect(errors).toBeGreaterThan(1000);
  });
});

/** Encodes a block of rows as docs/FORMAT-pop.md describes; the caller chooses the widths. */
function rowBlock(columns: { values: number[]; width: number }[], blobs: Uint8Array): Uint8Array {
  const raw = [
    ...columns.flatMap(({ values, width }) => [
      Math.log2(width),
      ...values.flatMap((v, i) =>
        i === 0 ? littleEndian(BigInt.asUintN(64, BigInt(v)), 8) : littleEndian(BigInt.asUintN(64, BigInt(v - values[i - 1]!)), width),
      ),
    ]),
    ...blobs,
  ];
  return Uint8Array.from([6, ...littleEndian(BigInt(raw.length), 4), ...deflateSync(Uint8Array.from(raw))]);
}

const unpackRows = (columns: readonly Column[], first: number, rows: number, blob: Uint8Array) =>
  rowsOf(columns, unpackBlock(columns, first, rows, blob));

describe('packed rows', () => {
  const columns = [{ name: 'a' }, { name: 'b', mayBeNull: true }, { name: 'c', mayBeNull: true, isBlob: true }];
  const block = rowBlock(
    [
      { values: [5, 2, 2 ** 40], width: 8 },
      { values: [1, 0, 301], width: 2 },
      { values: [3, 0, 1], width: 1 },
    ],
    Uint8Array.from([7, 8]),
  );

  it('come back with their ids, NULLs and BLOBs', () => {
    expect(unpackRows(columns, 10, 3, block)).toEqual([
      [10, 5, 0, Uint8Array.from([7, 8])],
      [11, 2, null, null],
      [12, 2 ** 40, 300, new Uint8Array(0)],
    ]);
  });
  it('come back from differences and runs, BLOBs of one length by position', () => {
    const from = (raw: number[]) => Uint8Array.from([6, ...littleEndian(BigInt(raw.length), 4), ...deflateSync(Uint8Array.from(raw))]);
    const plain = [0, ...littleEndian(256n, 8), 255, 2]; // 256, 255, 257
    const runs = [4, ...littleEndian(3n, 8), 0, 0, 1, 1, 0]; // 3, then twice 1 more
    const lengths = [4, ...littleEndian(3n, 8), 0, 0, 0, 1, 0]; // 3, then twice 0 more
    expect(unpackRows(columns, 0, 3, from([...plain, ...runs, ...lengths, 1, 3, 5, 2, 4, 6]))).toEqual([
      [0, 256, 2, Uint8Array.from([1, 2])],
      [1, 255, 3, Uint8Array.from([3, 4])],
      [2, 257, 4, Uint8Array.from([5, 6])],
    ]);
    for (const wrong of [
      [8, ...littleEndian(1n, 8), 1, 1], // an unknown bit
      [4, ...littleEndian(3n, 8), 0, 0, 1, 0, 0], // runs of two rows
      [4, ...littleEndian(3n, 8), 0, 0, 1, 2, 0], // runs of four rows
      [4, ...littleEndian(3n, 8), 0, 0, 252, 1, 0], // a negative number
      [0, ...littleEndian(2n ** 63n, 8), 0, 0],
    ])
      expect(() => unpackRows(columns, 0, 3, from([...wrong, ...runs, ...lengths, 1, 3, 5, 2, 4, 6]))).toThrow(DamagedBlob);
  });
  it('are at most 256 for each byte of a block', () => {
    const one = (length: number) => [4, ...littleEndian(BigInt(length), 8), 0, 0, 0, 0xff, 0xfe]; // 65,536 rows of one number
    const raw = Uint8Array.from([...one(0), ...one(1), ...one(0)]);
    const small = Uint8Array.from([6, ...littleEndian(BigInt(raw.length), 4), ...deflateSync(raw)]);
    expect(small.length).toBeLessThan(200);
    expect(() => unpackRows(columns, 0, 65536, small)).toThrow(/more rows than its bytes/);
  });
  it('are refused when they are damaged', () => {
    for (const [rows, bytes] of [
      [4, block],
      [2, block],
      [0, block],
      [3, block.subarray(0, block.length - 3)],
      [3, Uint8Array.from([3, ...block.subarray(1)])],
      [3, Uint8Array.from([6, 255, 255, 255, 15, ...block.subarray(5)])],
      [3, rowBlock([{ values: [1, -2, 3], width: 1 }], new Uint8Array(0))],
    ] as [number, Uint8Array][])
      expect(() => unpackRows(columns, 0, rows, bytes)).toThrow(DamagedBlob);
  });
});
