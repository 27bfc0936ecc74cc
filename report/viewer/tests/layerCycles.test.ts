// The view Layers: the layers of steps without a name, layers of two profiles, and figures that the file lacks.
import { describe, expect, it } from 'vitest';
import type { DebugContext } from '../src/data/debug';
import type { Profile } from '../src/data/profile';
import { nodeAt, type PathNode } from '../src/derived/pathTree';
import { pathTrees } from '../src/views/layers/paths';
import { profileOf } from './memory';

const program = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  type: 'OnTileExecute',
  parent: null,
  computeSet: null,
  controlCode: 0,
  context: 0,
  ...more,
});

type Executed = readonly [program: number, part: number]; // part = the cycles that the step adds

/** Returns a profile of one run of `total` cycles. */
async function executed(programs: readonly { name: string }[], steps: readonly Executed[], total: number, more: object = {}) {
  const runs = { runs: [{ id: 0, complete: true }], runTotals: [{ run: 0, total }] };
  const profile = await profileOf('', { programs, debug: null, tiles: 1, ...runs, meta: new Map([['debugContexts', '1']]), ...more });
  const column = (at: 0 | 1) => Float64Array.from(steps, (step) => step[at]);
  const [run, busy] = [new Float64Array(steps.length), new Float64Array(steps.length)];
  profile.keep('parts of steps', () => ({ run, program: column(0), part: column(1), busy }));
  profile.keep('figures', () => ({})); // code and operations, which cycles do not need
  return profile;
}

const layersOf = (tree: PathNode | null) => tree?.children.map((layer) => [layer.name, layer.sum, layer.unknown]);

describe('the layers of steps without a time', () => {
  const programs = [program(0, 'fn/a'), program(1, 'fn/b'), program(2, 'host')];
  const steps: Executed[] = [
    [0, 100],
    [1, NaN],
    [0, 50],
    [2, NaN],
    [1, 25],
  ];
  it('have none of the remaining cycles of the runs, which form a row of their own', async () => {
    const [tree] = pathTrees(await executed(programs, steps, 1000), null, 'cycles');
    expect([tree?.sum, tree?.unknown]).toEqual([1000, false]); // the length of the run, which is known
    expect(layersOf(tree)).toEqual([
      ['(steps without a recorded time)', 825, false],
      ['fn', 175, true],
      ['host', 0, true],
    ]);
    expect(tree && layersOf(nodeAt(tree, 'fn'))).toEqual([
      ['a', 150, false],
      ['b', 25, true],
    ]);
  });
  it('make the sum of all layers a lower bound if the length of the runs is unknown', async () => {
    const [tree] = pathTrees(await executed(programs, steps, NaN), null, 'cycles');
    expect([tree?.sum, tree?.unknown]).toEqual([175, true]);
    expect(layersOf(tree)).toEqual([
      ['fn', 175, true],
      ['host', 0, true],
    ]);
  });
});

describe('the layers of vertices with unknown operations', () => {
  it('have lower bounds, and only for compute sets that ran', async () => {
    const programs = ['known', 'part', 'none', 'idle'].map((name, id) => program(id, `${name}/a`));
    const profile = await executed(programs, [], 1000);
    const flops = [
      { vertices: 2, estimated: 1, counted: 1, operations: 10 },
      { vertices: 2, estimated: 1, counted: 0, operations: 5 },
      { vertices: 2, estimated: 0, counted: 0, operations: 0 },
      { vertices: 2, estimated: 0, counted: 0, operations: 0 },
    ];
    Object.assign(profile, {
      keep: (key: string, make: () => unknown) => (key === 'figures' ? { flops, executions: Float64Array.of(3, 2, 1, 0) } : make()),
    });
    const [tree] = pathTrees(profile, null, 'flops');
    expect([tree?.sum, tree?.unknown]).toEqual([40, true]);
    expect(layersOf(tree)).toEqual([
      ['known', 30, false],
      ['part', 10, true],
      ['none', 0, true],
    ]);
  });
});

describe('the layers of steps without a name', () => {
  const moved = (name: string) => ({ moved: () => name });
  const programs = [
    program(0, 'net/sum'),
    program(1, 'GlobalExchange', { type: 'GlobalExchange', context: 1, ...moved('net/y') }),
    program(2, 'OnTileCopy', { context: 2, ...moved('') }),
    program(3, '', { type: 'StreamCopyMid', ...moved('weights') }),
    program(4, '', { type: 'Sync', context: 1 }),
  ];
  const steps = programs.map(({ id }): Executed => [id, 2 ** id]);
  const contexts = [
    [1, 'main'],
    [2, 'OnTileCopy'], // the context of a copy that the program did not name
  ].map(([id, name]) => [id, { id, name, parent: 0, layer: 'poplar' }] as unknown as [number, DebugContext]);
  const made = (debug: ReadonlyMap<number, DebugContext> | null): Promise<Profile> => executed(programs, steps, 31, { debug });
  const paths = (tree: PathNode | null): (string | number)[][] =>
    (tree?.children ?? []).flatMap((child) => [...(child.own > 0 ? [[child.path, child.own]] : []), ...paths(child)]);

  it('are those of their debug contexts, and then those of the variables that they move', async () => {
    const [tree] = pathTrees(await made(new Map(contexts)), null, 'cycles');
    expect(paths(tree)).toEqual([
      ['main', 18],
      ['weights/<StreamCopyMid>', 8],
      ['(OnTileExecute)', 4],
      ['net/sum', 1],
    ]);
  });
  it('have the state of the vertices of copies', async () => {
    const profile = await profileOf(
      `CREATE TABLE compute_sets (id, name); INSERT INTO compute_sets VALUES (0, 'net/sum'), (1, 'OnTileCopy');
      CREATE TABLE compute_set_vertices (compute_set, vertex_type, instances); INSERT INTO compute_set_vertices VALUES (0, 0, 3), (1, 0, 2);
      CREATE TABLE vertex_types (id, state_bytes); INSERT INTO vertex_types VALUES (0, 10);`,
      {
        programs: [program(0, 'net/sum', { computeSet: 0 }), program(1, 'OnTileCopy', { computeSet: 1, ...moved('w') })],
        variables: [{ name: 'vertexInstanceState', category: 'vertexInstanceState', bytes: 50, alwaysLive: true }],
        debug: null,
      },
    );
    expect(paths(pathTrees(profile, null, 'always')[0])).toEqual([
      ['net/sum/<vertices>', 30],
      ['w/<OnTileCopy>/<vertices>', 20],
    ]);
  });
  it('are the same in two profiles, of which one has no debug contexts', async () => {
    const [first, second] = [await made(new Map(contexts)), await made(null)];
    for (const [a, b] of [
      [first, second],
      [second, first],
    ] as const) {
      const [before, after] = pathTrees(a, b, 'cycles');
      expect(paths(before)).toEqual(paths(after));
      expect(paths(before)).toEqual([
        ['(Sync)', 16],
        ['weights/<StreamCopyMid>', 8],
        ['(OnTileExecute)', 4],
        ['net/y/<GlobalExchange>', 2],
        ['net/sum', 1],
      ]);
    }
  });
});
