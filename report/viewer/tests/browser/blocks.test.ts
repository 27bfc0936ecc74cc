// Compares the page's decoder with the C++ reader (`popscope sql --expand`) on blobs of random form and contents: packed blocks of every
// number of bits, unknown numbers, plain, sparse and compressed numbers of every width, and lists.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { decodeList, decodeTiles } from '../../src/data/decode';
import { kFolder, kTool, profilePath } from './pages';

/** Park and Miller's generator, so that the blobs are the same everywhere. */
let state = 20261123;
const random = (limit: number): number => Math.floor(((state = (state * 48271) % 2147483647) / 2147483647) * limit);

function header(kind: number, count: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes[0] = kind;
  bytes.writeUInt32LE(count, 1);
  return bytes;
}

/** Returns blocks of random widths with random words. Every such blob is valid. */
function packed(tiles: number): Buffer {
  const blocks = Math.ceil(tiles / 64);
  const bits = Buffer.from(Array.from({ length: blocks }, () => (random(12) === 0 ? 255 : random(3) === 0 ? 0 : random(33))));
  const smallest = Buffer.alloc(4 * blocks);
  for (let i = 0; i < blocks; ++i) smallest.writeUInt32LE(bits[i] === 32 ? 0 : random(2 ** (32 - Math.min(31, bits[i] ?? 0)) - 1), 4 * i);
  const words = [...bits].reduce((sum, b) => sum + (b === 255 ? 0 : 8 * b), 0);
  return Buffer.concat([header(2, blocks), bits, smallest, Buffer.from(Array.from({ length: words }, () => random(256)))]);
}

function plain(tiles: number): Buffer {
  const log = random(4);
  const width = 1 << log;
  const sparse = random(2) === 1;
  const on = Array.from({ length: tiles }, (_, t) => t).filter(() => !sparse || random(5) === 0);
  const count = sparse ? on.length : random(tiles + 1); // omitted numbers at the end are 0
  const payload = Buffer.alloc((sparse ? 4 * count : 0) + width * count);
  for (let i = 0; i < count; ++i) {
    if (sparse) payload.writeUInt32LE(on[i] ?? 0, 4 * i);
    const at = (sparse ? 4 * count : 0) + width * i;
    if (width === 8)
      payload.writeBigUInt64LE(BigInt(random(2 ** 31)) * BigInt(random(2 ** 20)), at); // a double represents it exactly
    else payload.writeUIntLE(random(2 ** (8 * width)), at, width);
  }
  const compressed = random(2) === 1;
  return Buffer.concat([header((compressed ? 1 : 0) | (log << 2) | (sparse ? 16 : 0), count), compressed ? deflateSync(payload) : payload]);
}

function list(): Buffer {
  const count = random(500);
  return Buffer.concat([header(3, count), packed(count)]);
}

describe.skipIf(kTool === '')('the decoder', () => {
  for (const name of ['control_flow', 'mlp'])
    it(`reads 1,000 random blobs as the C++ reader does, with the tiles of ${name}`, async () => {
      const library = await initSqlJs();
      const db = new library.Database(readFileSync(profilePath(name)));
      const tiles = Number(db.exec('SELECT count(*) FROM memory_by_tile')[0]?.values[0]?.[0]);
      const blobs = Array.from({ length: 1000 }, (_, i) => (i % 3 === 0 ? packed(tiles) : i % 3 === 1 ? plain(tiles) : list()));
      db.run('CREATE TABLE random_blobs (id INTEGER PRIMARY KEY, numbers BLOB)');
      blobs.forEach((blob, i) => db.run('INSERT INTO random_blobs VALUES (?, ?)', [i, blob]));
      const file = join(kFolder, `random-${name}.pop`);
      writeFileSync(file, db.export());
      db.close();
      const text = execFileSync(kTool, ['sql', file, 'SELECT id, numbers FROM random_blobs ORDER BY id', '--expand', '--json'], {
        maxBuffer: 1 << 28,
      });
      const rows = JSON.parse(text.toString()) as { readonly id: number; readonly numbers: readonly number[] }[];
      expect(rows.length).toBe(blobs.length);
      let numbers = 0;
      rows.forEach((row, i) => {
        const blob = Uint8Array.from(blobs[i] ?? []);
        const ours = [...((blob[0] === 3 ? decodeList(blob) : decodeTiles(blob, tiles)) ?? [])];
        const from = blob[0] === 3 ? 5 : 0; // a list contains a blob
        const unknown = (at: number) => blob[from] === 2 && blob[from + 5 + (at >> 6)] === 255;
        expect(
          ours.every((v, at) => Number.isNaN(v) === unknown(at)),
          `blob ${i}`,
        ).toBe(true);
        // The tool prints 0 for an unknown number. For a plain blob it prints nothing after the last stored number; these numbers are 0.
        const theirs = blob[0] === 2 || blob[0] === 3 ? row.numbers : [...row.numbers, ...ours.slice(row.numbers.length).fill(0)];
        expect(
          ours.map((v) => (Number.isNaN(v) ? 0 : v)),
          `blob ${i} of kind ${blob[0]}`,
        ).toEqual(theirs);
        numbers += ours.length;
      });
      expect(numbers).toBeGreaterThan(10_000);
    });
});
