// The cause that the page states for a profile without runs, for each way in which a profile has none; and runs that were cut short.
import { describe, expect, it } from 'vitest';
import type { Value } from '../src/data/database';
import type { Profile } from '../src/data/profile';
import { readRuns, readRunTotals } from '../src/data/runs';
import {
  endedRuns,
  leastLength,
  lineOfRun,
  longestRun,
  noteOfCutRuns,
  noteOfMissedRuns,
  runOfProgram,
  whyNoRun,
} from '../src/derived/recorded';
import { collectNotes } from '../src/views/verdict/notes';
import { profileOf as profileOfTables } from './memory';

interface Shape {
  readonly type?: string;
  readonly complete?: boolean;
  readonly outOfMemory?: readonly number[];
  readonly chosen?: Readonly<Record<string, string>>; // options that the program set; the others are "false" by default
  readonly meta?: Readonly<Record<string, string>>;
  readonly paused?: readonly { readonly runs: number; readonly reason: string }[];
}

/** Returns an option's value as the engine writes it: some follow another option if the program does not set them. */
function valueOf(key: string, chosen: Readonly<Record<string, string>>): string {
  const follows: Readonly<Record<string, string>> = {
    'autoReport.outputExecutionProfile': 'autoReport.all',
    'debug.instrument': 'autoReport.outputExecutionProfile',
  };
  return chosen[key] ?? (follows[key] === undefined ? 'false' : valueOf(follows[key], chosen));
}

function profileOf({ type = 'IPU_MODEL', complete = true, outOfMemory = [], chosen = {}, meta = {}, paused = [] }: Shape): Profile {
  const query = (sql: string, parameters: readonly Value[] = []): unknown[] => {
    if (sql.includes('paused_spans')) return [...paused];
    const key = String(parameters[0]);
    return [{ value: valueOf(key, chosen), is_default: key in chosen ? 0 : 1 }];
  };
  return {
    db: { query },
    target: { type },
    complete,
    meta: new Map(Object.entries(meta)),
    outOfMemoryTiles: outOfMemory,
    runs: [],
  } as unknown as Profile;
}

describe('the cause of a profile without runs', () => {
  const all = { 'autoReport.all': 'true' };
  it('is the memory, whatever the program requested', () => {
    for (const chosen of [all, {}, { ...all, 'autoReport.outputExecutionProfile': 'false' }]) {
      expect(whyNoRun(profileOf({ outOfMemory: [3], chosen }))).toContain('does not fit');
    }
    const codeless = { outOfMemory: [3], chosen: all, meta: { codeIncluded: '0' } };
    expect(whyNoRun(profileOf(codeless))).toContain('did not call Engine::run');
    expect(whyNoRun(profileOf({ ...codeless, chosen: { ...all, 'debug.allowOutOfMemory': 'false' } }))).toContain('does not fit');
    const allowed = { ...all, 'debug.allowOutOfMemory': 'true' };
    expect(whyNoRun(profileOf({ outOfMemory: [3], chosen: allowed }))).toContain('did not call Engine::run');
  });
  it('is not given for a run without a step', () => {
    const recorded = { ...profileOf({ chosen: all }), runs: [{ id: 0, complete: true }] } as unknown as Profile;
    expect(whyNoRun(recorded)).toBe('This run executed no step.');
  });
  it('is the program, which did not run or was stopped', () => {
    expect(whyNoRun(profileOf({ chosen: all }))).toContain('did not call Engine::run');
    expect(whyNoRun(profileOf({ chosen: all, complete: false }))).toContain('was stopped before the end of its first run');
  });
  it('is the option that requests no execution, and what popscope.profile adds', () => {
    expect(whyNoRun(profileOf({ chosen: { 'autoReport.outputGraphProfile': 'true' } }))).toContain('only the profile of the compilation');
    const off = whyNoRun(profileOf({ chosen: { ...all, 'autoReport.outputExecutionProfile': 'false' } }));
    expect(off).toContain('outputExecutionProfile is "false"');
    expect(off).toContain('popscope.profile');
  });
  it('is the counters that an IPU device lacks', () => {
    expect(whyNoRun(profileOf({ type: 'IPU' }))).toContain('did not request them');
    expect(whyNoRun(profileOf({ type: 'IPU', chosen: { ...all, 'debug.instrument': 'false' } }))).toContain('debug.instrument is "false"');
    expect(whyNoRun(profileOf({ type: 'IPU', chosen: all }))).toContain('did not call Engine::run');
  });
  it('is the runs that were left out', () => {
    const paused = [
      { runs: 2, reason: 'popscope.profileRuns' },
      { runs: 1, reason: 'popscope.profileRuns' },
    ];
    expect(whyNoRun(profileOf({ paused }))).toContain('3 runs were left out (popscope.profileRuns)');
  });
});

/**
 * Returns a profile of runs with these cycles; null = the run was cut short, NaN = its length is unknown. The ids of the runs begin at 3,
 * their numbers at 10.
 */
async function profileOfRuns(cycles: readonly (number | null)[], missed = 0): Promise<Profile> {
  const runs = cycles.map((c, i) => `INSERT INTO runs VALUES (${3 + i}, 'run ${10 + i}', '', ${i}, 0, ${c === null ? 0 : 1}, ${10 + i});`);
  const totals = cycles.map((c, i) =>
    c === null ? '' : `INSERT INTO execution_cycle_totals (run, total_cycles) VALUES (${3 + i}, ${Number.isNaN(c) ? 'NULL' : c});`,
  );
  const profile = await profileOfTables(`
    CREATE TABLE steps (id);
    CREATE TABLE paused_spans (runs);
    INSERT INTO paused_spans VALUES (${missed});
    CREATE TABLE runs (id, name, label, program, first_step, complete, number);
    CREATE TABLE execution_cycle_totals (run, total_cycles, compute, thread_cycles, exchange, global_exchange, host_exchange, sync, unattributed);
    ${runs.join('')} ${totals.join('')}`);
  return Object.assign(profile, { runs: readRuns(profile.db), runTotals: readRunTotals(profile.db) });
}

describe('a run with a label', () => {
  it('has the label before its own name, as in the summary', async () => {
    const profile = await profileOfTables(`
      CREATE TABLE steps (id);
      CREATE TABLE runs (id, name, label, program, first_step, complete, number);
      INSERT INTO runs VALUES (0, 'train', 'epoch 3', 0, 0, 1, 0), (1, '', 'epoch 4', 0, 0, 1, 1), (2, 'test', '', 1, 0, 1, 2), (3, '', '', 1, 0, 1, 3);`);
    expect(readRuns(profile.db).map((run) => run.name)).toEqual(['epoch 3: train', 'epoch 4', 'test', '']);
  });
});

describe('a run that was cut short', () => {
  it('does not give its name and number to a run after it', async () => {
    const rows = endedRuns(await profileOfRuns([500, null, 700, 600, null, 900]));
    expect(rows.map((r) => [r.run.id, r.run.number, r.run.name, r.totals.run, r.totals.total])).toEqual([
      [3, 10, 'run 10', 3, 500],
      [5, 12, 'run 12', 5, 700],
      [6, 13, 'run 13', 6, 600],
      [8, 15, 'run 15', 8, 900],
    ]);
  });
  it('does not hide which run is longest', async () => {
    const longest = async (cycles: readonly (number | null)[]) => longestRun(await profileOfRuns(cycles))?.number;
    expect(await longest([500, null, 700, 900, 600])).toBe(13);
    expect(await longest([null, 500, 500])).toBe(11); // the first of equals
    expect(await longest([null, 0])).toBe(11);
    expect(await longest([null, null])).toBe(10);
    expect(await longest([])).toBe(undefined);
  });
  it('has the cycle at which it was cut short in the place of its length', async () => {
    const profile = await withSteps(
      [500, null],
      [
        [3, 0, 500],
        [4, 0, 300],
      ],
    );
    expect(profile.runs.map((run) => lineOfRun(profile, run))).toEqual([
      'Run 10: 500 cycles, 500 µs',
      'Run 11: cut short after 300 cycles',
    ]);
    const untimed = await withSteps([null], [[3, 0, NaN]]);
    expect(untimed.runs.map((run) => lineOfRun(untimed, run))).toEqual(['Run 10: cut short']);
  });
  it('has a length on the page that a click can reach', async () => {
    const profile = await withSteps(
      [500, null],
      [
        [3, 0, 500],
        [4, 0, 300],
      ],
    );
    expect(profile.runs.map((run) => leastLength(profile, run))).toEqual([500, 300]);
  });
  it('is counted in the notes, and is in no sum', async () => {
    const notes = async (cycles: readonly (number | null)[], missed = 0) => {
      const profile = await profileOfRuns(cycles, missed);
      return [noteOfCutRuns(profile), noteOfMissedRuns(profile)];
    };
    expect(await notes([500, 700])).toEqual(['', '']);
    expect(await notes([500, null, 700], 1)).toEqual([
      '1 run was cut short and is in no sum of cycles.',
      '1 run was not recorded; sums are over the 2 recorded runs that ended.',
    ]);
    expect(await notes([null, 500, null, 700], 4)).toEqual([
      '2 runs were cut short and are in no sum of cycles.',
      '4 runs were not recorded; sums are over the 2 recorded runs that ended.',
    ]);
    expect((await notes([null]))[0]).toContain('The run was cut short: its length is unknown');
    expect((await notes([null, null]))[0]).toContain('No run ended');
  });
});

/** Returns a profile of runs with steps of one IPU: the run, the program, and the cycle at which the step ends. */
async function withSteps(cycles: readonly (number | null)[], steps: readonly (readonly [number, number, number])[]): Promise<Profile> {
  const profile = await profileOfRuns(cycles);
  const part = steps.map(([run, , to], i) => to - (steps[i - 1]?.[0] === run ? (steps[i - 1]?.[2] ?? 0) : 0));
  const parts = { run: steps.map(([run]) => run), program: steps.map(([, program]) => program), part: Float64Array.from(part) };
  const runs = parts.run;
  const bounds = (id: number) => ({ firstStep: runs.indexOf(id), endStep: runs.lastIndexOf(id) + 1 });
  return Object.assign(profile, {
    runs: profile.runs.map((run) => ({ ...run, ...bounds(run.id) })),
    steps: { ipus: 1, to: Float64Array.from(steps, ([, , to]) => to) },
    target: { clockHz: 1e6 },
    keep: (key: string, make: () => unknown) => (key === 'parts of steps' ? parts : make()),
  });
}

describe('a run of unknown length', () => {
  const runs = () =>
    withSteps(
      [NaN, 200, NaN],
      [
        [3, 0, 300],
        [3, 1, NaN],
        [4, 0, 200],
        [5, 1, NaN],
      ],
    );
  it('does not hide the longest of the other runs', async () => {
    expect(longestRun(await runs())?.number).toBe(11);
    expect(longestRun(await profileOfRuns([NaN, NaN]))?.number).toBe(10);
  });
  it('has a lower bound of its length', async () => {
    const profile = await runs();
    expect(profile.runs.map((run) => lineOfRun(profile, run))).toEqual([
      'Run 10: length unknown, at least 300 cycles',
      'Run 11: 200 cycles, 200 µs',
      'Run 12: length unknown',
    ]);
    expect(profile.runs.map((run) => leastLength(profile, run))).toEqual([300, 200, 1]);
  });
  it('has the vertices as the cause in the notes of the first view', async () => {
    const note = async (totals: readonly object[]) => {
      const profile = await profileOfTables(`CREATE TABLE vertex_cycle_sources (source, vertices);
        CREATE TABLE warnings (id, about, text); CREATE TABLE paused_spans (runs);`);
      return collectNotes(Object.assign(profile, { complete: true, meta: new Map(), hasAllocations: true, runs: [], runTotals: totals }));
    };
    const unknown = await note([{ run: 0, total: NaN, sync: NaN, compute: NaN, hostExchange: 5 }]);
    expect(unknown.filter((text) => /unknown|instrumentation/.test(text))).toEqual([
      'Some times are unknown, and are shown as –. The cycles of some vertices are unknown; popscope sources lists them with the reasons.',
    ]);
    const level = await note([{ run: 0, total: 50, sync: NaN, compute: NaN, hostExchange: 5 }]);
    expect(level.filter((text) => /unknown|instrumentation/.test(text))).toEqual([
      'This level of instrumentation did not record some times; they are shown as – and left out of sums.',
    ]);
  });
});

describe('a link to a step', () => {
  it('opens the longest run that executed the step, or else the run in which it takes longest', async () => {
    const profile = await withSteps(
      [500, 900, 700, null],
      [
        [3, 18, 100],
        [3, 1, 500],
        [4, 1, 900],
        [5, 18, 300],
        [5, 2, 700],
        [6, 2, 900],
        [6, 5, 950],
      ],
    );
    expect([1, 18, 2, 5, 77, -1].map((program) => runOfProgram(profile, program)?.id)).toEqual([4, 5, 5, 6, undefined, undefined]);
  });
});
