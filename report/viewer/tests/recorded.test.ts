// The cause that the page states for a profile without runs, for each way in which a profile has none.
import { describe, expect, it } from 'vitest';
import type { Value } from '../src/data/database';
import type { Profile } from '../src/data/profile';
import { whyNoRun } from '../src/derived/recorded';

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
