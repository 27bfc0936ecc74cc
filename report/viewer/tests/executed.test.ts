// How often programs ran, the branches that they took, and steps without a time.
import { describe, expect, it } from 'vitest';
import { stepsWithoutTime } from '../src/derived/times';
import { collectExchanges, replicasNote } from '../src/derived/exchange';
import { controlFlow, executedText } from '../src/views/program/executed';
import { whyNoGrid } from '../src/views/whatif/grid';
import { readAnswers } from '../src/data/answers';
import { profileOf } from './memory';
import type { Profile } from '../src/data/profile';

const kFlow = `CREATE TABLE control_flow (run, program, cycles, taken);
  INSERT INTO control_flow VALUES (0, 0, 666, 2), (1, 0, 20, NULL), (2, 0, 1332, 0), (0, 4, 100, 3);`;

/** A Switch of three branches without names, and a loop that calls a function. */
async function flowing(): Promise<Profile> {
  const types = ['Switch', 'Sequence', 'Sequence', 'Sequence', 'Repeat', 'OnTileExecute', 'Call'];
  const parents = [null, 0, 0, 0, null, 4, 4];
  const children = types.map((_, id) => parents.flatMap((parent, child) => (parent === id ? [child] : [])));
  const programs = types.map((type, id) => ({ id, type, name: '', parent: parents[id], barriers: [], count: 0 }));
  const profile = await profileOf(kFlow, { programs, children, runs: [{ id: 0, complete: true }] });
  const run = new Float64Array(3);
  profile.keep('parts of steps', () => ({ run, program: Float64Array.of(5, 5, 6), part: Float64Array.of(30, 50, 0), busy: run }));
  return profile;
}

describe('the last execution of a conditional', () => {
  it('names the branch by its number, because branches may have no names', async () => {
    const flow = controlFlow(await flowing(), 0);
    expect(flow.map((f) => [f.run, f.did, f.branch, f.cycles])).toEqual([
      [0, 'took', 3, 666],
      [1, 'no branch taken', null, 20],
      [2, 'took', 1, 1332],
    ]);
  });
});

describe('the executions of a loop', () => {
  it('state that they lack the bodies of functions', async () => {
    const profile = await flowing();
    expect(controlFlow(profile, 4).map((f) => [f.did, f.branch, f.cycles])).toEqual([['3 iterations', null, 100]]);
    expect(executedText(profile, 4)).toContain('they add 80 cycles to the runs, without the bodies of the functions that are called');
    expect(executedText(profile, 5)).toBe('2 times in the recorded runs; they add 80 cycles to the runs');
    expect(executedText(profile, 6)).toContain('1 time in the recorded runs; ');
  });
});

it('the steps of a run without a time are counted', async () => {
  const profile = await profileOf('');
  profile.keep('parts of steps', () => ({ part: Float64Array.of(1, NaN, NaN, 0, NaN) }));
  const without = (firstStep: number, endStep: number) =>
    stepsWithoutTime(profile, { firstStep, endStep } as Parameters<typeof stepsWithoutTime>[1]);
  expect([without(0, 3), without(3, 5), without(0, 1)]).toEqual([2, 1, 0]);
});

describe('the code of an exchange', () => {
  const codes = async (...code: readonly (string | null)[]) => {
    const values = code.map((bytes, id) => `(${id}, x'01', x'01', ${bytes === null ? 'NULL' : `x'${bytes}'`})`);
    const profile = await profileOf(
      `CREATE TABLE programs (id, bytes_sent, bytes_received, exchange_code); INSERT INTO programs VALUES ${values.join()};`,
      {
        tiles: 1,
        programs: code.map((_, id) => ({ id, type: 'DoExchange' })),
        columns: { all: (bytes: Uint8Array | null) => bytes && Float64Array.from(bytes) },
      },
    );
    profile.keep('summed parts of steps', () => ({ program: [], part: [] }));
    return collectExchanges(profile).rows.map((row) => row.code);
  };
  it('is 0 if an earlier exchange has it, and unknown if the file has no code', async () => {
    expect(await codes('20', null, '10')).toEqual([32, 0, 16]);
    expect(await codes(null, null)).toEqual([NaN, NaN]);
  });
});

describe('transfers between IPUs', () => {
  const row = (from: number, to: number) => ({ program: 0, from, to, bytes: 64, tiles: 2 });
  const note = (replicas: number, rows: readonly ReturnType<typeof row>[]) =>
    replicasNote({ target: { replicas }, ipus: 2 } as unknown as Profile, rows);
  it('state of which replicas they are', () => {
    expect(note(1, [row(0, 1)])).toBe('');
    expect(note(2, [row(0, 1)])).toBe('Exchanges within a replica have the rows of replica 0; each of the 2 replicas has the same.');
    expect(note(2, [row(0, 2), row(2, 0)])).toBe('Copies between replicas have the rows of all replicas.');
    expect(note(2, [row(0, 1), row(0, 2)])).toMatch(/replica 0.*between replicas/);
  });
});

it('the page states why the runs cannot be estimated on other machines', async () => {
  const bytes = new TextEncoder().encode('{"views":{},"refused":{"whatifGrid":"run 0 lacks times"},"lossOfRuns":[]}');
  const runs = [{ id: 0, complete: true }];
  expect(whyNoGrid(await profileOf('', { runs, answers: readAnswers(bytes) }))).toBe('Run 0 lacks times.');
  expect(whyNoGrid(await profileOf('', { runs, answers: null }))).toContain('popscope whatif prints them');
});
