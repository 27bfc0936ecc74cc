// Positions of tiles on the chip: numbers worked by hand from the published rule; each tile has one position.
import { describe, expect, it } from 'vitest';
import { byNumber, numberOfTile, tileOfNumber, tilePlaces } from '../src/derived/tilePlaces';
import { tileAt, tileBeside, tileMapGeometry, tileRect } from '../src/draw/tilemap';

const kIpu2 = { architecture: 'ipu2', tilesPerIpu: 1472 };

describe('places of tiles on the chip', () => {
  it('are known for 1,472 tiles of ipu2 and ipu21 alone', () => {
    expect(tilePlaces({ architecture: 'ipu1', tilesPerIpu: 1216 })).toBeNull();
    expect(tilePlaces({ architecture: 'ipu2', tilesPerIpu: 8 })).toBeNull();
    expect(tilePlaces({ architecture: 'ipu21', tilesPerIpu: 1472 })).not.toBeNull();
  });

  it('follow pairs of tiles up one column and down the next', () => {
    const places = tilePlaces(kIpu2)!;
    for (const [tile, number] of [
      [0, 0], // pair 0, lane 0: row 0, column 0
      [1, 2], // the other lane
      [2, 64], // pair 1: one row further
      [44, 22 * 64], // pair 22: the last row
      [46, 22 * 64 + 1], // pair 23: block 1, from the last row backwards
      [90, 1], // pair 45: block 1, row 0
      [92, 4], // pair 46: block 2, the next column of supertiles
      [1471, 63], // pair 735: block 31, row 0, lane 1: column 15, its last tile
    ] as const) {
      expect(numberOfTile(places, tile)).toBe(number);
      expect(tileOfNumber(places, number)).toBe(tile);
    }
    expect(numberOfTile(places, 1472 + 1)).toBe(1472 + 2); // of the second IPU
  });

  it('give each tile a number and a place of its own', () => {
    const places = tilePlaces(kIpu2)!;
    expect(new Set(places.numberOf).size).toBe(1472);
    expect(new Set(places.placeOf).size).toBe(1472);
    const values = Float64Array.from({ length: 2944 }, (_, tile) => tile);
    expect([...byNumber(places, values)].sort((a, b) => a - b)).toEqual([...values]);
    const g = tileMapGeometry(2944, 2, 1200, 460, places);
    for (let tile = 0; tile < 2944; ++tile) {
      const [x, y] = tileRect(g, tile);
      expect(tileAt(g, x + g.cell / 2, y + g.cell / 2, 2944)).toBe(tile);
    }
  });

  it('lead arrow keys from neighbour to neighbour', () => {
    const places = tilePlaces(kIpu2)!;
    const g = tileMapGeometry(1472, 1, 1200, 460, places);
    expect(tileBeside(g, 0, 1, 0, 1472)).toBe(90); // the next column at the same height
    expect(tileBeside(g, 0, 0, 1, 1472)).toBe(1); // the other lane below
    expect(tileBeside(g, 0, -1, 0, 1472)).toBe(0); // nothing lies there
    const plain = tileMapGeometry(1216, 1, 1200, 460);
    expect(tileBeside(plain, 30, 0, 1, 1216)).toBe(31);
    expect(tileBeside(plain, 30, 1, 0, 1216)).toBe(30 + plain.rows);
  });
});
