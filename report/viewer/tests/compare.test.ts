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

/** Returns a profile of one run with one step of each program; `part` = the cycles that these steps add. */
async function timed(part: readonly number[], total = 1000): Promise<Profile> {
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
    runs: [{ id: 0, complete: true }],
    runTotals: [{ run: 0, total }],
  });
  const busy = new Float64Array(part.length);
  profile.keep('parts of steps', () => ({ run: busy, program: Float64Array.from(part, (_, i) => i), part: Float64Array.from(part), busy }));
  profile.keep('exchanges', () => ({ rows: [] }));
  return profile;
}

const differences = (a: Profile, b: Profile) => compareProfiles(a, b).map((d) => [d.name, d.before, d.after]);

describe('the differences of two profiles', () => {
  it('do not contain times that one of them does not have', async () => {
    expect(differences(await timed([600, 300]), await timed([600, NaN]))).toEqual([]);
    expect(differences(await timed([NaN, 300]), await timed([600, 300]))).toEqual([]);
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
});
