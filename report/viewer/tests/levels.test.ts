// Steps of devices whose counters record less than every tile: the page uses the times that the file has (report/answers/StepTimes.cpp).
import { beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../src/data/profile';
import { readSteps } from '../src/data/steps';
import { oneForAll, stepParts } from '../src/derived/times';
import { stepsWithin, sumOfStep, vertexTypesOf } from '../src/derived/selection';
import { kStepTables, profileOf } from './memory';

// An exchange with all times, and compute sets of two IPUs with the longest tile of each IPU, of the device, and without any time. Then
// compute sets that work only on IPU 1: at level ipu, and at level device.
const kSteps = `${kStepTables}
  INSERT INTO steps VALUES (0, 0, 0, NULL), (1, 0, 1, NULL), (2, 0, 1, NULL), (3, 0, 1, NULL), (4, 0, 1, NULL), (5, 0, 1, NULL);
  INSERT INTO steps_by_ipu (step_id, ipu, cycles, active_tiles, busy_cycles, cycles_base, all_cycles_from_min, all_cycles_from_max,
    all_cycles_to_max, active_cycles_from_min, active_cycles_to_max) VALUES
    (0, 0, 93, 8, 667, 1000, 0, 27, 120, 27, 120), (0, 1, 93, 8, 667, 1000, 0, 27, 120, 27, 120),
    (1, 0, 500, 8, NULL, 1120, NULL, NULL, NULL, 0, 500), (1, 1, 516, 8, NULL, 1120, NULL, NULL, NULL, 0, 516),
    (2, 0, 504, 8, NULL, 1636, NULL, NULL, NULL, 0, 504), (2, 1, NULL, 8, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (3, 0, NULL, 8, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (3, 1, NULL, 8, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (4, 0, 0, 0, NULL, 0, NULL, NULL, 2200, 0, 0), (4, 1, 50, 1, NULL, 2150, NULL, NULL, 50, 0, 50),
    (5, 0, 70, 0, NULL, 2200, NULL, NULL, 70, 0, 70), (5, 1, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL);`;

describe('a step of which only the longest tile was recorded', () => {
  let profile: Profile;
  beforeAll(async () => {
    const bare = await profileOf(kSteps);
    const programs = [
      { type: 'DoExchange', name: '', barriers: [] },
      { type: 'OnTileExecute', name: '', barriers: [] },
    ];
    profile = Object.assign(bare, { steps: readSteps(bare.db, 2), programs, ipus: 2, tiles: 16 });
  });
  it('makes its run longer by the cycles of this tile', () => {
    expect([...stepParts(profile).part]).toEqual([1120, 516, 504, NaN, 60, 70]);
  });
  it('has a begin and an end', () => {
    expect([1, 2, 3].map((s) => sumOfStep(profile, s)).map((s) => [s.from, s.to, s.adds])).toEqual([
      [1120, 1636, 516],
      [1636, 2140, 504],
      [NaN, NaN, NaN],
    ]);
  });
  it('has an unknown begin on an IPU without work, unless this IPU has the times of the device', () => {
    expect([8, 9, 10, 11].map((at) => profile.steps.from[at])).toEqual([NaN, 2150, 2200, NaN]);
    expect([4, 5].map((s) => sumOfStep(profile, s)).map((s) => [s.from, s.to])).toEqual([
      [2150, 2200],
      [2200, 2270],
    ]);
  });
  it('is among the visible steps', () => {
    const run = { id: 0, firstStep: 0, endStep: 6 } as Parameters<typeof stepsWithin>[1];
    expect(stepsWithin(profile, run, null, 1100, 1700)).toEqual([0, 1, 2]);
    expect(stepsWithin(profile, run, 1, 1100, 1700)).toEqual([0, 1]);
  });
  it('has one row for the device if one IPU stands for all', () => {
    expect([0, 1, 2, 3, 4, 5].map((s) => oneForAll(profile, s))).toEqual([false, false, true, false, false, true]);
  });
});

describe('the vertex types of selected steps', () => {
  it('have unknown cycles if the cycles of one step are unknown', async () => {
    const bare = await profileOf(`CREATE TABLE vertex_types (id INTEGER, name TEXT); INSERT INTO vertex_types VALUES (0, 'Add'), (1, 'Inc');
      CREATE TABLE step_vertex_types (step_id INTEGER, vertex_type INTEGER, instances INTEGER, cycles INTEGER);
      INSERT INTO step_vertex_types VALUES (0, 0, 8, NULL), (0, 1, 4, 70), (1, 0, 8, 50), (1, 1, 4, 30);`);
    const profile = Object.assign(bare, { steps: { count: 2 } }) as Profile;
    expect(vertexTypesOf(profile, [0, 1])).toEqual([
      { type: 'Inc', vertices: 8, cycles: 100 },
      { type: 'Add', vertices: 16, cycles: NaN },
    ]);
  });
});
