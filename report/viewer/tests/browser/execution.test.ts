// The critical path against a twin that follows every tile forwards, on what the Python package reads; worker threads against
// the file; blocks and runs in their pictures.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

/** Each tile drags along all that led to where it is; at the end the slowest tile's history is the path. */
const kTwin = `
import json, pva, sys
report = pva.openReport(sys.argv[1])
tiles, per = report.compilation.target.tilesPerReplica, report.compilation.target.tilesPerIpu
delays = {d.kind: d for d in report.compilation.target.syncDelays}
run = report.execution.runs[int(sys.argv[2])]
clock, chain = [0] * tiles, [None] * tiles
groups = lambda across: [range(tiles)] if across else [range(f, f + per) for f in range(0, tiles, per)]
for step in run.steps:
    program = step.program
    id, busy = program._id, step.cyclesByTile
    if program.barriers:
        for kind in program.barriers:
            delay = delays[kind]
            to, back = delay.toControllerByTile, delay.fromControllerByTile
            for group in groups(delay.acrossIpus):
                last = max(group, key=lambda t: (clock[t] + to[t], -t))
                at, before, history = clock[last] + to[last], clock[last], chain[last]
                for t in group:
                    clock[t] = at + back[t]
                    chain[t] = (history, id, "Barrier", clock[t] - before)
    elif program.type.name in ("DoExchange", "GlobalExchange", "StreamCopyMid"):
        for group in groups(program.type.name == "GlobalExchange"):
            taking = [t for t in group if busy[t]]
            if not taking:
                continue
            last = max(taking, key=lambda t: (clock[t], -t))
            begin, length, history = clock[last], max(busy[t] for t in taking), chain[last]
            for t in taking:
                clock[t], chain[t] = begin + length, (history, id, "Work", length)
    else:
        for t in range(tiles):
            if busy[t]:
                clock[t], chain[t] = clock[t] + busy[t], (chain[t], id, "Work", busy[t])
    for t, cycles in enumerate(program.counterCyclesByTile):
        if cycles and t < tiles:
            clock[t], chain[t] = clock[t] + cycles, (chain[t], id, "Reading counters", cycles)
last = max(range(tiles), key=lambda t: (clock[t], -t))
sums, at = {}, chain[last]
while at:
    if at[3] > 0:
        key = "%d %s" % (at[1], at[2])
        sums[key] = [sums.get(key, [0, 0])[0] + at[3], sums.get(key, [0, 0])[1] + 1]
    at = at[0]
print(json.dumps([clock[last], sums]))
`;

function twin(profile: string, run: number): [number, Record<string, [number, number]>] {
  const env = { ...process.env, PYTHONPATH: process.env.POPSCOPE_PYTHON ?? '' };
  return JSON.parse(execFileSync('python3', ['-c', kTwin, profile, String(run)], { env }).toString()) as [
    number,
    Record<string, [number, number]>,
  ];
}

const count = (cell: string | undefined): number => Number((cell ?? '').replace(/,/g, ''));

describe.skipIf(kTool === '')('execution', () => {
  let browser: Browser;
  const pages = new Map<string, string>();
  const names = ['mlp', 'control_flow', 'layers', 'blocks'].filter((name) => existsSync(profilePath(name)));
  beforeAll(async () => {
    browser = await launch();
    for (const name of names) pages.set(name, makePage(profilePath(name), `execution-${name}`));
  });
  afterAll(async () => browser?.close());

  for (const [name, run] of [
    ['mlp', 0],
    ['mlp', 1],
    ['control_flow', 1],
    ['layers', 0],
    ['hostile', 0],
  ] as const)
    it(`marks the critical path of run ${run} of ${name}, as a twin finds it tile by tile`, async () => {
      const profile = profilePath(name);
      const page = await newPage(browser);
      await open(page, pages.get(name) ?? makePage(profile, `execution-${name}`), `execution?run=${run}&critical=yes`);
      const [total, sums] = twin(profile, run);
      const [recorded] = sql(profile, `SELECT total_cycles AS v FROM execution_cycle_totals WHERE run = ${run}`);
      expect(total).toBe(recorded?.v);
      const rows = await tableRows(page, 'Critical path');
      expect(rows.length).toBeGreaterThan(0);
      const found = Object.fromEntries(
        rows.map((r) => [`${/(\d+)$/.exec(r.Step ?? '')?.[1]} ${r.What}`, [count(r.Cycles), count(r.Pieces)]]),
      );
      const shown = Number(Object.keys(found).length);
      if (shown === Object.keys(sums).length) expect(found).toEqual(sums);
      else expect(Object.entries(found).every(([key, value]) => String(sums[key]) === String(value))).toBe(true); // rows out of sight
      expect(await page.locator('main').innerText()).toContain(`of ${total.toLocaleString('en-US')} cycles in all`);
      expect(page.complaints).toEqual([]);
      await page.close();
    });

  it('shows what each worker thread of a tile did, as the file says it', async () => {
    const profile = profilePath('layers');
    // A step without supervisor vertices: its threads add up to what the step states.
    const [step] = sql(
      profile,
      `SELECT s.id, s.run, s.thread_cycles AS v, t.worker_contexts AS w FROM steps s, target t WHERE s.slot_cycles IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM slot_cycles c WHERE c.first = s.slot_cycles AND c.part = t.worker_contexts + 1) ORDER BY s.thread_cycles DESC LIMIT 1`,
    );
    const page = await newPage(browser);
    await open(page, pages.get('layers') ?? '', `execution?run=${step?.run}&at=${step?.id}&critical=no`);
    const rows = await tableRows(page, 'Worker threads');
    expect(rows.length).toBe(step?.w);
    expect(step?.v).toBeGreaterThan(0);
    expect(rows.reduce((total, r) => total + count(r['On all tiles thread cycles']), 0)).toBe(step?.v);
    await page.close();
  });

  it('lists the blocks that tiles recorded, by tile', async () => {
    const profile = profilePath('blocks');
    const page = await newPage(browser);
    await open(page, pages.get('blocks') ?? '', 'execution');
    const wanted = sql(
      profile,
      'SELECT kind, to_cycles - from_cycles AS v FROM blocks WHERE tile = (SELECT min(tile) FROM blocks) ORDER BY position',
    );
    const rows = await tableRows(page, 'Blocks');
    expect(rows.map((r) => [r.Kind, count(r.Cycles)])).toEqual(wanted.map((w) => [w.kind, w.v]));
    expect(rows.some((r) => r.Within !== '0')).toBe(true);
    await page.close();
  });

  it('goes from run to run in their picture', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('layers') ?? '', 'execution?run=0');
    await page.locator('canvas[aria-label="Recorded runs one after the other"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('h2', { hasText: 'Run 1' }).first().waitFor();
    expect(page.url()).toContain('run=1');
    await page.close();
  });
});
