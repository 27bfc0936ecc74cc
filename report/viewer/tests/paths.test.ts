// Names as a tree: words, sums, and the layouts of its pictures.
import { describe, expect, it } from 'vitest';
import { flamePlaces, namedNodes, nodeAt, treemapPlaces, treeOf, withPartsOf, wordsOf } from '../src/derived/pathTree';

const kFigures: readonly (readonly [string, number])[] = [
  ['Layer1/Fwd/w', 60],
  ['Layer1/Fwd', 5],
  ['Layer1/Wu/g', 25],
  ['<message:Layer1/Fwd/in>', 10],
  ['Layer2/w', 40],
  ['stack', 20],
  ['', 3],
  ['nothing', 0],
];

describe('paths', () => {
  it('takes names apart at slashes, and not within braces and brackets', () => {
    expect(wordsOf('a/b/c')).toEqual(['a', 'b', 'c']);
    expect(wordsOf('{clear/x,clear/y}/OnTileCopy')).toEqual(['{clear/x,clear/y}', 'OnTileCopy']);
    expect(wordsOf('<message:Layer1/Fwd/in>')).toEqual(['Layer1', 'Fwd', 'in', '<message>']);
    expect(wordsOf('/a//b/')).toEqual(['a', 'b']);
    expect(wordsOf('')).toEqual(['(no name)']);
    expect(wordsOf('a>b/c')).toEqual(['a>b', 'c']);
  });

  it('has the parts of two, so that a difference adds up for both', () => {
    const [first, second] = [treeOf([['a/x', 3], ['b', 1]]), treeOf([['a/y', 5], ['a', 2], ['c/z', 7]])]; // prettier-ignore
    const both = withPartsOf(first, second);
    expect(both.sum).toBe(4);
    for (const [path, parts] of [
      ['', ['a', 'b', 'c']],
      ['a', ['x', 'y']],
      ['c', ['z']],
    ] as const) {
      const rows = nodeAt(both, path).children;
      expect(rows.map((row) => row.name)).toEqual(parts);
      const there = nodeAt(second, path);
      const added = rows.reduce((sum, row) => sum + (nodeAt(second, row.path).path === row.path ? nodeAt(second, row.path).sum : 0), 0);
      expect(added + there.own).toBe(there.sum);
      expect(rows.reduce((sum, row) => sum + row.sum, nodeAt(both, path).own)).toBe(nodeAt(both, path).sum);
    }
  });

  it('adds up to the whole, at each node', () => {
    const root = treeOf(kFigures);
    expect(root.sum).toBe(163);
    expect(root.children.map((c) => [c.name, c.sum])).toEqual([
      ['Layer1', 100],
      ['Layer2', 40],
      ['stack', 20],
      ['(no name)', 3],
    ]);
    const fwd = nodeAt(root, 'Layer1/Fwd');
    expect([fwd.path, fwd.sum, fwd.own]).toEqual(['Layer1/Fwd', 75, 5]);
    expect(nodeAt(root, 'Layer1/In').path).toBe('');
    const check = (node: typeof root) => {
      expect(node.children.reduce((sum, child) => sum + child.sum, node.own)).toBe(node.sum);
      node.children.forEach(check);
    };
    check(root);
  });

  it('finds parts by a word, outermost alone', () => {
    const root = treeOf(kFigures);
    expect(namedNodes(root, 'layer').map((n) => n.path)).toEqual(['Layer1', 'Layer2']);
    expect(namedNodes(root, 'W').map((n) => n.path)).toEqual(['Layer1/Fwd', 'Layer1/Wu', 'Layer2/w']);
    expect(namedNodes(root, '')).toEqual([]);
  });

  it('draws flame graphs and treemaps with places as large as what they stand for', () => {
    const root = treeOf(kFigures);
    for (const place of flamePlaces(root, 0)) expect(place.width).toBeCloseTo(place.node.sum / root.sum, 9);
    const places = treemapPlaces(root, 800, 400, 1);
    for (const { node, width, height, depth } of places)
      if (depth === 1) expect((width * height) / (800 * 400)).toBeCloseTo(node.sum / root.sum, 6);
    for (const a of places)
      for (const b of places)
        if (a !== b && a.depth === b.depth) {
          const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
          const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
          expect(Math.min(across, down)).toBeLessThan(1e-6);
        }
  });
});
