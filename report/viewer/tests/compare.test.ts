// Differences of profiles of which one lacks times: the page compares only figures that both profiles have.
import { describe, expect, it } from 'vitest';
import type { Profile } from '../src/data/profile';
import { compareProfiles } from '../src/derived/compare';
import { profileOf } from './memory';

const kGraph = `
  CREATE TABLE graph (num_vertices, num_edges, num_variables, num_compute_sets);
  INSERT INTO graph VALUES (1, 1, 1, 1);
  CREATE TABLE vertex_types (id, name, memory_bytes);
  CREATE TABLE liveness_steps (id, program, size_bytes);
  CREATE TABLE programs (id, exchange_code, bytes_sent, bytes_received, messages_received);`;
const kPrograms = [
  { id: 0, name: 'compute', type: 'OnTileExecute', parent: null, barriers: [], count: 0 },
  { id: 1, name: 'exchange', type: 'DoExchange', parent: null, barriers: [], count: 0 },
];

type Executed = readonly [run: number, program: number, part: number]; // part = the cycles that the step adds

/** Returns a profile of executed steps in runs of `total` cycles. */
async function executed(steps: readonly Executed[], total: number, runs = 1): Promise<Profile> {
  const profile = await profileOf(kGraph, {
    programs: kPrograms,
    variables: [],
    categoryBytes: new Map(),
    useBytes: new Map(),
    tiles: 1,
    ipus: 1,
    alwaysLiveBytes: 0,
    memory: { total: new Float64Array(1), includingGaps: new Float64Array(1) },
    outOfMemoryTiles: [],
    target: { bytesPerTile: 1 },
    answers: null,
    runs: Array.from({ length: runs }, (_, id) => ({ id, complete: true })),
    runTotals: Array.from({ length: runs }, (_, run) => ({ run, total })),
  });
  const column = (at: 0 | 1 | 2) => Float64Array.from(steps, (step) => step[at]);
  profile.keep('parts of steps', () => ({ run: column(0), program: column(1), part: column(2), busy: new Float64Array(steps.length) }));
  profile.keep('exchanges', () => ({ rows: [] }));
  return profile;
}

/** Returns a profile of one run with one step of each program; `part` = the cycles that these steps add. */
const timed = (part: readonly number[]): Promise<Profile> =>
  executed(
    part.map((cycles, program) => [0, program, cycles]),
    1000,
  );

const differences = (a: Profile, b: Profile) => compareProfiles(a, b).map((d) => [d.name, d.before, d.after]);

describe('the differences of two profiles', () => {
  it('do not contain times that one of them does not have', async () => {
    expect(differences(await timed([600, 300]), await timed([600, NaN]))).toEqual([]);
    expect(differences(await timed([NaN, 300]), await timed([600, 300]))).toEqual([]);
  });
  it('begin with the largest shares, and end with shares of an unknown length', async () => {
    const variables = [60, 10].map((bytes, id) => ({ id, bytes, name: `v${id}`, category: 'variable' }));
    const parts = [300, 5, 20].map((cycles, program) => [0, program, cycles] as const);
    const programs = ['a', 'b', 'c'].map((name, id) => ({ ...kPrograms[0], id, name }));
    const [before, after] = [await executed([], 1000), await executed(parts, NaN)];
    const differ = compareProfiles(Object.assign(before, { programs: [] }), Object.assign(after, { programs, variables }));
    expect(differ.map((d) => d.name)).toEqual(['v0', 'v1', 'Steps: compute', 'a', 'c', 'b']);
  });
  it('contain the times that both have', async () => {
    expect(differences(await timed([600, 300]), await timed([500, NaN]))).toEqual([
      ['Steps: compute', 600, 500],
      ['compute', 600, 500],
    ]);
  });
  it('contain a step that only one of them has', async () => {
    expect(differences(await timed([600, 400]), await timed([1000]))).toContainEqual(['exchange', 400, NaN]);
  });
  it('have 0 cycles of a step that adds none, because the profile has the step', async () => {
    const rows = differences(await timed([600, 400]), await timed([1000, 0]));
    expect(rows).toContainEqual(['exchange', 400, 0]);
    expect(rows).toContainEqual(['Steps: exchange', 400, 0]);
    const [less, more] = [await executed([[0, 0, 900]], 900), await executed([[0, 0, 900]], 1000)];
    expect(differences(less, more)).toContainEqual(['Steps: after the last step', 0, 100]);
  });
  const steps = (a: Profile, b: Profile) =>
    compareProfiles(a, b)
      .filter((d) => d.group === 'Steps')
      .map((d) => [d.name, d.before, d.after, d.unit, d.share]);
  const run = (id: number, ...exchanges: readonly number[]): Executed[] => [
    [id, 0, 900],
    ...exchanges.map((part) => [id, 1, part] as const),
  ];
  it('state the cycles of a run, also of a step that only runs more often', async () => {
    const [once, thrice] = [await executed(run(0, 100), 1000), await executed(run(0, 100, 100, 100), 1200)];
    expect(steps(once, thrice)).toEqual([['exchange', 100, 300, 'cycles of a run', 200 / 1200]]);
  });
  it('do not depend on how many runs of the same length were recorded', async () => {
    const [one, two] = [await executed(run(0, 60, 40), 1000), await executed([...run(0, 60, 40), ...run(1, 60, 40)], 1000, 2)];
    expect(steps(one, two)).toEqual([]);
    expect(steps(two, await executed(run(0, 50, 40), 990))).toEqual([['exchange', 100, 90, 'cycles of a run', 10 / 1000]]);
  });
});
