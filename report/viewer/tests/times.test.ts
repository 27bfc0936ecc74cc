// The accounting of time on steps that are late, uneven and overlap, compared with tile clocks that this test simulates.
import { describe, expect, it } from 'vitest';
import { atStep, causeOf } from '../src/derived/names';
import type { Profile, Run } from '../src/data/profile';
import { lengthByKind, partsOf, stepTimes, summedRuns, whyNoLength, whyNoTime } from '../src/derived/times';

/** Simulates steps, given the cycles that each tile works in them. A tile continues when it is done or, with `meet`, when all are done. */
function follow(steps: readonly { readonly work: readonly number[]; readonly meet?: boolean }[]): { to: number[]; end: number } {
  const clock = (steps[0]?.work ?? []).map(() => 0);
  const to = steps.map(({ work, meet }) => {
    if (meet) clock.fill(Math.max(...clock));
    work.forEach((cycles, tile) => (clock[tile]! += cycles));
    return Math.max(...clock);
  });
  return { to, end: Math.max(...clock) };
}

function waiting(steps: Parameters<typeof follow>[0]): { waits: number[]; sum: number; whole: number } {
  const { to, end } = follow(steps);
  const parts = partsOf(new Array(to.length).fill(0), Float64Array.from(to));
  const tiles = steps[0]?.work.length ?? 0;
  const busy = steps.map(({ work }) => work.reduce((a, b) => a + b, 0));
  const waits = busy.map((b, s) => tiles * (parts[s] ?? NaN) - b);
  return { waits, sum: waits.reduce((a, b) => a + b, 0) + busy.reduce((a, b) => a + b, 0), whole: tiles * end };
}

describe('runs of sums', () => {
  const runsOf = (...complete: boolean[]): number[] => {
    const profile = { runs: complete.map((c, id) => ({ id, complete: c })), keep: (_: string, make: () => unknown) => make() };
    return [...summedRuns(profile as unknown as Profile)];
  };
  it('leave out a run that was cut short, unless no run ended', () => {
    expect(runsOf(true, false, true)).toEqual([0, 2]);
    expect(runsOf(false, false)).toEqual([0, 1]);
    expect(runsOf()).toEqual([]);
  });
});

const kVertices = 'The cycles of some vertices are unknown; popscope sources lists them with the reasons.';
const kCounters = 'The counters of a device, and the option popscope.profileCategories, decide which times a profile has.';

describe('the length of runs', () => {
  const profileOf = (...part: readonly number[]): Profile => {
    const run = new Float64Array(part.length);
    const parts = { run, program: run, part: Float64Array.from(part), busy: run };
    const total = part.reduce((sum, cycles) => sum + cycles, 0);
    const keep = (key: string, make: () => unknown) => (key === 'parts of steps' ? parts : make());
    const runs = [{ id: 0, complete: true }];
    return { runs, runTotals: [{ run: 0, total }], programs: [{ type: 'OnTileExecute' }], keep } as unknown as Profile;
  };
  it('has parts if a step takes cycles and all times are known', () => {
    expect(lengthByKind(profileOf(5, 0)).map((p) => [p.kind, p.steps, p.cycles])).toEqual([['compute', 2, 5]]);
    expect(lengthByKind(profileOf())).toEqual([]);
    expect(whyNoLength(profileOf())).toBe('No step adds cycles to the length of the runs.');
    expect(whyNoLength(profileOf(0), 0)).toBe('No step adds cycles to the length of the runs.');
    const lacks = whyNoLength(Object.assign(profileOf(5, NaN), { runTotals: [{ run: 0, total: 20 }] }));
    expect(lacks).toBe(`The file lacks the times of some steps. ${kCounters}`);
  });
  it('is unknown if the cycles of some vertices are unknown', () => {
    const profile = profileOf(5, NaN); // the length of run 0 is unknown
    expect(whyNoLength(profile)).toBe(`The file lacks the times of some steps. ${kVertices}`);
    expect([0, 1].map((run) => whyNoTime(profile, run))).toEqual([kVertices, kCounters]);
  });
});

describe('the steps of a run by time', () => {
  it('begin with the longest, and end with those of unknown time', () => {
    const part = Float64Array.of(NaN, 3, NaN, 0, 20, NaN, 7, NaN, 20, 120);
    const program = Float64Array.from(part, (_, id) => id);
    const parts = { run: program, program, part, busy: part };
    const profile = { keep: (key: string, make: () => unknown) => (key === 'parts of steps' ? parts : make()) } as unknown as Profile;
    const run = { id: 0, firstStep: 0, endStep: part.length } as Run;
    expect(stepTimes(profile, run).map((time) => time.program)).toEqual([9, 4, 8, 6, 1, 3, 0, 2, 5, 7]);
  });
});

describe('parts of steps', () => {
  it('names the uneven step, and not the balanced one that a late tile begins', () => {
    const { waits, sum, whole } = waiting([{ work: [100, 10, 10, 10] }, { work: [20, 20, 20, 20] }]);
    expect(waits).toEqual([270, 0]); // 130 of the 4 x 100 cycles are work; the second step adds 20, in which all tiles work
    expect(sum).toBe(whole);
  });
  it('counts nothing twice where a step runs beside an earlier one', () => {
    const { waits, sum, whole } = waiting([{ work: [100, 0, 0, 0] }, { work: [0, 60, 0, 0] }, { work: [5, 5, 5, 5], meet: true }]);
    expect(waits).toEqual([300, -60, 0]); // tile 1 works in 60 of the cycles in which it seems to wait for tile 0
    expect(sum).toBe(whole);
  });
  it('adds up to tiles x cycles, whatever the steps are', () => {
    let seed = 5;
    const next = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
    for (let trial = 0; trial < 200; ++trial) {
      const tiles = 1 + next(6);
      const steps = Array.from({ length: 1 + next(8) }, () => ({
        work: Array.from({ length: tiles }, () => (next(3) === 0 ? 0 : next(50))),
        meet: next(2) === 0,
      }));
      const { sum, whole } = waiting(steps);
      expect(sum).toBe(whole);
    }
  });
  it('begins again with each run, and knows nothing where the time is not known', () => {
    expect([...partsOf([0, 0, 1, 1], Float64Array.from([5, 9, 4, 4]))]).toEqual([5, 4, 4, 0]);
    expect([...partsOf([0, 0, 0], Float64Array.from([5, NaN, 7]))]).toEqual([5, NaN, 2]);
  });
  it('gives no step the time of an unknown one before it', () => {
    const parts = (to: readonly number[], enters: readonly number[]) => [
      ...partsOf([0, 0, 0, 0], Float64Array.from(to), Float64Array.from(enters)),
    ];
    expect(parts([5, NaN, 20, 25], [0, NaN, 17, 17])).toEqual([5, NaN, 3, 5]); // 12 cycles are those of the second step
    expect(parts([5, 10, 20, 25], [0, 8, 17, 17])).toEqual([5, 5, 10, 5]); // without an unknown step, cycles between steps count
    expect(parts([30, NaN, 20, 35], [0, NaN, 17, 17])).toEqual([30, NaN, 0, 5]);
  });
  it('has a sentence for what is live at the step of a loop', () => {
    const program = (type: string, count = 2) => ({ type, count }) as Parameters<typeof atStep>[0];
    expect(['OnTileExecute', 'Repeat', 'RepeatWhile', 'If'].map((type) => atStep(program(type)))).toEqual([
      'at',
      'between the iterations of',
      'between the iterations of',
      'at',
    ]);
    expect(atStep(program('Repeat', 1))).toBe('at');
    expect(atStep(undefined)).toBe('at');
  });
  it('has the causes of popscope loss: the ends of a copy with the host are barriers, or waits for the host', () => {
    const cause = (type: string, ...barriers: string[]) => causeOf({ type, barriers });
    expect(['OnTileExecute', 'StreamCopyMid', 'Repeat'].map((type) => cause(type))).toEqual(['compute', 'host', 'control']);
    expect(cause('StreamCopyBegin', 'external')).toBe('barrier');
    expect(cause('StreamCopyBegin', 'host request')).toBe('hostWait');
    expect(cause('StreamCopyEnd', 'host answer', 'internal')).toBe('hostWait');
  });
});
