// Compares the critical path with a reference implementation in Python that simulates every tile forwards; worker threads with the file;
// and checks the pictures of blocks and runs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

/** Each tile carries the chain of pieces that led to its present clock. At the end, the slowest tile's chain is the path. */
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
const signed = (text: string | undefined): number => Number((text ?? '').replace(/,/g, '').replace('−', '-'));

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
      // rows that are not visible
      else expect(Object.entries(found).every(([key, value]) => String(sums[key]) === String(value))).toBe(true);
      expect(await page.locator('main').innerText()).toContain(`of ${total.toLocaleString('en-US')} cycles in all`);
      expect(page.complaints).toEqual([]);
      await page.close();
    });

  it('shows what each worker thread of a tile did, as the file says it', async () => {
    const profile = profilePath('layers');
    // A step without supervisor vertices: its thread cycles add up to the cycles that the step states.
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

  it('opens with the longest run that ended, and the first view names each run as the file does', async () => {
    const page = await newPage(browser);
    const file = makePage(profilePath('cut'), 'execution-cut'); // the first run was cut short
    const ended = sql(
      profilePath('cut'),
      'SELECT r.id, r.number, t.total_cycles AS c FROM runs r JOIN execution_cycle_totals t ON t.run = r.id ORDER BY r.id',
    );
    const longest = ended.reduce((best, run) => (Number(run.c) > Number(best.c) ? run : best));
    await open(page, file, 'execution');
    const title = `Run ${longest.number}: ${Number(longest.c).toLocaleString('en-US')} cycles`;
    expect(await page.locator('main h2').first().innerText()).toContain(title);
    // The other run has a name of 300 letters.
    const shown = await page.locator('label.choice', { hasText: /^Run/ }).locator('option').allTextContents();
    expect(shown.filter((name) => /^\d+ n{10,}…n{10,}$/.test(name)).length).toBe(1);
    for (const width of [400, 800, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), String(width)).toBeLessThanOrEqual(width);
    }
    await open(page, file, 'verdict');
    const rows = await tableRows(page, 'Recorded runs');
    expect(rows.map((r) => [Number(r.Run), count(r.Cycles)])).toEqual(ended.map((run) => [run.number, run.c]));
    const link = page.locator('table[aria-label="Recorded runs"] a').last();
    expect(await link.getAttribute('href')).toContain(`run=${ended[ended.length - 1]?.id}`);
    expect(await page.locator('main').innerText()).toContain('1 run was cut short and is in no sum of cycles.');
    await open(page, file, 'sql'); // the query that the view shows first
    const adds = (await tableRows(page, 'Result')).reduce((sum, r) => sum + count(r.adds_cycles), 0);
    expect(adds).toBe(ended.reduce((sum, run) => sum + Number(run.c), 0));
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('says which selected steps its run does not have', async () => {
    const profile = profilePath('layers');
    const [first, second] = sql(profile, 'SELECT min(id) AS f, max(id) AS l FROM steps GROUP BY run ORDER BY run');
    const page = await newPage(browser);
    const told = async (fragment: string) => {
      await open(page, pages.get('layers') ?? '', `execution?run=0&critical=no&${fragment}`);
      return (await page.locator('[role=status].error').allInnerTexts()).join(' ');
    };
    const inside = Number(first?.l);
    expect(await told(`at=${inside - 1}-${inside}`)).toBe('');
    const beyond = await told(`at=${inside}-${inside + 1},9999`);
    expect(beyond).toContain(
      `the executed steps ${Number(first?.f)} to ${inside}. The selected steps ${inside + 1}, 9999 are not in this run`,
    );
    await page.locator('a', { hasText: 'Run 1 has some' }).click();
    await page.locator('[role=status].error', { hasText: `the executed steps ${Number(second?.f)} to` }).waitFor();
    expect(await told('at=no-steps')).toContain('“no-steps” is not a list of executed steps');
    const [never] = sql(profile, 'SELECT min(id) AS v FROM programs WHERE id NOT IN (SELECT program FROM steps WHERE run = 0)');
    expect(await told(`step=${never?.v}`)).toContain('was not executed in run 0');
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('adds up the steps that are selected, as SQL does', async () => {
    for (const name of ['layers', 'pod', 'mlp']) {
      const profile = profilePath(name);
      const [last] = sql(profile, 'SELECT max(id) AS v FROM steps WHERE run = 0');
      const end = Number(last?.v);
      const chosen = `id BETWEEN 2 AND ${Math.min(end, 9)} OR id = ${end}`;
      const page = await newPage(browser);
      await open(page, pages.get(name) ?? makePage(profile, `execution-${name}`), `execution?run=0&at=2-${Math.min(end, 9)},${end}`);
      const rows = await tableRows(page, 'Sums of the selected steps');
      const [whole] = sql(
        profile,
        `SELECT count(*) AS n, sum(b) AS busy, sum(i) AS received, sum(o) AS sent, min(f) AS f, max(t) AS t FROM
         (SELECT sum(busy_cycles) AS b, sum(data_in) AS i, sum(data_out) AS o, min(cycles_base + all_cycles_from_min) AS f,
          max(cycles_base + all_cycles_to_max) AS t FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE (${chosen}) GROUP BY s.id)`,
      );
      const all = rows.find((r) => r.Of === 'all selected') ?? {};
      expect(count(all.Steps), name).toBe(whole?.n);
      for (const [column, key] of [
        ['From cycle', 'f'],
        ['To cycle', 't'],
        ['Busy tile cycles', 'busy'],
        ['Received B', 'received'],
        ['Sent B', 'sent'],
      ] as const)
        expect(count(all[column]), `${name} ${column}`).toBe(Number(whole?.[key] ?? NaN));
      const adds = (of: string) =>
        `SELECT step_id, ipu, t - lag(t, 1, 0) OVER (PARTITION BY ipu ORDER BY step_id) AS c, busy FROM
         (SELECT step_id, ipu, max(last) OVER (PARTITION BY ipu ORDER BY step_id) AS t, busy FROM (${of}))`;
      const [parts] = sql(
        profile,
        `SELECT sum(c) AS c, (SELECT count(*) FROM memory_by_tile) AS tiles FROM (${adds(
          'SELECT i.step_id, 0 AS ipu, max(cycles_base + all_cycles_to_max) AS last, 0 AS busy FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE s.run = 0 GROUP BY s.id',
        )}) WHERE ${chosen.replace(/id/g, 'step_id')}`,
      );
      expect(count(all['Adds cycles'])).toBe(Number(parts?.c));
      expect(signed(all['Waiting tile cycles'])).toBe(Number(parts?.c) * Number(parts?.tiles) - Number(whole?.busy));
      // The tiles of an IPU wait for the cycles that steps add to the run, wherever these arise, so the IPUs add up to the total.
      const ipus = sql(
        profile,
        `SELECT ipu, sum(busy_cycles) AS busy FROM steps_by_ipu WHERE ${chosen.replace(/id/g, 'step_id')} GROUP BY ipu`,
      );
      for (const ipu of ipus) {
        const row = rows.find((r) => r.Of === `IPU ${ipu.ipu}`);
        const busy = Number(ipu.busy);
        const waiting = (Number(parts?.c) * Number(parts?.tiles)) / ipus.length - busy;
        if (row)
          expect([row['Adds cycles'], row['Busy tile cycles'], row['Waiting tile cycles']].map(signed)).toEqual([parts?.c, busy, waiting]);
        else expect(rows.some((r) => r.Of?.startsWith('IPU'))).toBe(name === 'pod' && rows.length > 12);
      }
      const types = sql(
        profile,
        `SELECT t.name, sum(s.instances) AS n, sum(s.cycles) AS c FROM step_vertex_types s JOIN vertex_types t ON t.id = s.vertex_type
         WHERE ${chosen.replace(/id/g, 'step_id')} GROUP BY t.id`,
      );
      if (types.length > 0) {
        const shown = await tableRows(page, 'Vertex types of the selected steps');
        for (const row of shown)
          expect(types).toContainEqual({ name: row['Vertex type'], n: count(row.Vertices), c: count(row['Thread cycles']) });
      }
      expect((await tableRows(page, 'Selected steps')).length).toBeGreaterThan(2);
      expect(page.complaints).toEqual([]);
      await page.close();
    }
  });

  it('adds all steps of a run up to its length, whatever is late, uneven or beside others', async () => {
    const profile = profilePath('waits');
    const [run] = sql(
      profile,
      'SELECT max(s.id) AS last, t.total_cycles AS c FROM steps s JOIN execution_cycle_totals t ON t.run = s.run WHERE s.run = 0',
    );
    const page = await newPage(browser);
    await open(page, makePage(profile, 'execution-waits'), `execution?run=0&at=0-${run?.last}`);
    const rows = await tableRows(page, 'Sums of the selected steps');
    const all = rows.find((r) => r.Of === 'all selected') ?? {};
    expect(count(all['Adds cycles'])).toBe(run?.c);
    expect(signed(all['Busy tile cycles']) + signed(all['Waiting tile cycles'])).toBe(8 * Number(run?.c));
    const kinds = rows.filter((r) => r !== all);
    for (const column of ['Adds cycles', 'Waiting tile cycles'])
      expect(kinds.reduce((sum, r) => sum + signed(r[column]), 0)).toBe(signed(all[column]));
    await page.close();
  });

  it('accounts for the cycles of a run as popscope loss does, also where the file has one run', async () => {
    const page = await newPage(browser);
    for (const [name, run] of [
      ['two', 0],
      ['waits', 0],
      ['mlp', 1],
    ] as const) {
      await open(page, makePage(profilePath(name), `execution-loss-${name}`), `execution?run=${run}`);
      const text = execFileSync(kTool, ['loss', profilePath(name), '--runs', String(run), '--json'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const { causes } = (JSON.parse(text.toString()) as { tables: Record<string, { rows: Record<string, unknown>[] }> }).tables;
      const rows = await tableRows(page, 'Cycles of the run');
      expect(rows.map((row) => [row.Cause, count(row['Tile cycles'])])).toEqual(causes?.rows.map((row) => [row.cause, row.tileCycles]));
    }
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('counts cycles of exchanges as popscope exchange does', async () => {
    const page = await newPage(browser);
    // "cure" has no run: executions and cycles are unknown, not 0.
    for (const name of ['waits', 'two', 'layers', 'cure', 'replicas']) {
      await open(page, makePage(profilePath(name), `execution-exchange-${name}`), 'exchange');
      const text = execFileSync(kTool, ['exchange', profilePath(name), '-n', '0', '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
      const { exchanges } = (JSON.parse(text.toString()) as { tables: Record<string, { rows: Record<string, number>[] }> }).tables;
      const expected = new Map(exchanges?.rows.map((row) => [row.step, [row.executions ?? NaN, row.cycles ?? NaN, row.received ?? NaN]]));
      const rows = await tableRows(page, 'Exchanges');
      expect(rows.length).toBe(expected.size);
      for (const row of rows)
        expect([row.Executions, row.Cycles, row['Received B']].map(count), row.Exchange).toEqual(
          expected.get(Number(/(\d+)$/.exec(row.Exchange ?? '')?.[1])),
        );
    }
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('selects several steps by click, drag and key, and copies their sums as CSV', async () => {
    const page = await newPage(browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page, pages.get('layers') ?? '', 'execution?run=0');
    const chart = page.locator('canvas[aria-label^="Execution of run"]');
    const at = (x: number) => ({ position: { x, y: 100 } });
    await chart.click(at(200));
    await page.locator('table[aria-label="The step on each IPU"]').waitFor();
    await chart.click({ ...at(900), modifiers: ['Shift'] });
    await page.locator('h2', { hasText: '2 selected steps' }).waitFor();
    await chart.click({ ...at(900), modifiers: ['Control'] }); // deselects it
    await page.locator('h2', { hasText: 'selected steps' }).waitFor({ state: 'detached' });
    await page.keyboard.press('p');
    await page.locator('canvas[aria-label^="Execution of run"]').focus();
    await page.keyboard.press('s');
    const [steps] = sql(profilePath('layers'), 'SELECT count(*) AS v FROM steps WHERE run = 0');
    await page.locator('h2', { hasText: `${steps?.v} selected steps` }).waitFor();
    const sums = page.locator('.table', { has: page.locator('table[aria-label="Sums of the selected steps"]') });
    await sums.locator('button', { hasText: 'Copy as CSV' }).click();
    await sums.locator('button', { hasText: 'Copied' }).waitFor();
    const lines = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(lines).toMatch(/^Of,Steps,From \(cycle\),To \(cycle\),Adds \(cycles\)/);
    expect(lines).toContain(`\nall selected,${steps?.v},`);
    await page.locator('button', { hasText: 'Select none' }).click();
    await page.locator('h2', { hasText: 'selected steps' }).waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('at=');
    expect(page.complaints).toEqual([]);
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
