// The view Layers if the file lacks the times of some steps: the layers add up to the length of the runs.
import { expect, it } from 'vitest';
import { nodeAt } from '../src/derived/pathTree';
import { pathTree } from '../src/views/layers/paths';
import { profileOf } from './memory';

const program = (id: number, name: string) => ({
  id,
  name,
  type: 'OnTileExecute',
  parent: null,
  computeSet: null,
  controlCode: 0,
  context: 0,
});

it('gives the cycles of steps without a time to no layer, and leaves no layer out', async () => {
  const profile = await profileOf('', {
    programs: [program(0, 'fn/a'), program(1, 'fn/b'), program(2, 'host')],
    debug: null,
    tiles: 1,
    runs: [{ id: 0, complete: true }],
    runTotals: [{ run: 0, total: 1000 }],
    meta: new Map(),
  });
  profile.keep('parts of steps', () => ({
    run: Float64Array.of(0, 0, 0, 0, 0),
    program: Float64Array.of(0, 1, 0, 2, 1),
    part: Float64Array.of(100, NaN, 50, NaN, 25),
    busy: new Float64Array(5),
  }));
  profile.keep('figures', () => ({})); // code and operations, which this measure does not need
  const tree = pathTree(profile, 'cycles');
  expect(tree?.sum).toBe(1000);
  expect(tree?.unknown).toBe(true);
  expect(tree?.children.map((layer) => [layer.name, layer.sum, layer.unknown])).toEqual([
    ['(steps without a recorded time)', 825, false],
    ['fn', 175, true],
    ['host', 0, true],
  ]);
  expect(tree && nodeAt(tree, 'fn').children.map((layer) => [layer.name, layer.sum, layer.unknown])).toEqual([
    ['a', 150, false],
    ['b', 25, true],
  ]);
});
