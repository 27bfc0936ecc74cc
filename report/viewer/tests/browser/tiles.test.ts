// The chart of execution tile by tile: compares the activity of a tile at a cycle with a reference that simulates every tile; tests zooming
// and panning in both directions, the history, orders in which a late tile is first, runs next to each other, and the host on the same
// clock.
import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRoute } from '../../src/app/route';
import { drop, kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

/** Computes when each tile works in each step of a run, and how long others waited for the tile that came last to each meeting. */
const kTwin = `
import json, pva, sys
report = pva.openReport(sys.argv[1])
tiles, per = report.compilation.target.tilesPerReplica, report.compilation.target.tilesPerIpu
delays = {d.kind: d for d in report.compilation.target.syncDelays}
clock, caused, spans = [0] * tiles, [0] * tiles, []
groups = lambda across: [range(tiles)] if across else [range(f, f + per) for f in range(0, tiles, per)]
def meet(arrivals):
    last = max(arrivals, key=lambda t: (arrivals[t], -t))
    caused[last] += sum(max(0, clock[last] - clock[t]) for t in arrivals)
    return arrivals[last]
for number, step in enumerate(report.execution.runs[int(sys.argv[2])].steps):
    program, busy = step.program, step.cyclesByTile
    if program.barriers:
        for kind in program.barriers:
            delay = delays[kind]
            for group in groups(delay.acrossIpus):
                at = meet({t: clock[t] + delay.toControllerByTile[t] for t in group})
                for t in group:
                    clock[t] = at + delay.fromControllerByTile[t]
    elif program.type.name in ("DoExchange", "GlobalExchange", "StreamCopyMid"):
        for group in groups(program.type.name == "GlobalExchange"):
            taking = {t: clock[t] for t in group if busy[t]}
            if taking:
                begin, length = meet(taking), max(busy[t] for t in taking)
                for t in taking:
                    spans.append([number, t, begin, begin + busy[t]])
                    clock[t] = begin + length
    else:
        for t in range(tiles):
            if busy[t]:
                spans.append([number, t, clock[t], clock[t] + busy[t]])
                clock[t] += busy[t]
    for t, cycles in enumerate(program.counterCyclesByTile):
        if cycles and t < tiles:
            clock[t] += cycles
meet(dict(enumerate(clock)))  # the run ends with the last of them
print(json.dumps({"spans": spans, "caused": caused, "end": max(clock)}))
`;

interface Twin {
  readonly spans: readonly (readonly [step: number, tile: number, from: number, to: number])[];
  readonly caused: readonly number[];
  readonly end: number;
}

function twin(profile: string, run: number): Twin {
  const env = { ...process.env, PYTHONPATH: process.env.POPSCOPE_PYTHON ?? '' };
  return JSON.parse(execFileSync('python3', ['-c', kTwin, profile, String(run)], { env, maxBuffer: 1 << 28 }).toString()) as Twin;
}

const count = (cell: string | undefined): number => Number((cell ?? '').replace(/,/g, ''));
const params = (page: Page) => parseRoute(new URL(page.url()).hash).params;
const chart = (page: Page) => page.locator('canvas[aria-label^="Execution of run"]').first();

/** Waits until the chart has read its tiles; until then it shows a step as busy on all tiles. */
const tilesRead = (page: Page) => page.locator('main [role=status]', { hasText: 'still being read' }).waitFor({ state: 'detached' });

/** Returns the position of the chart in the page: left, top, width and height of its tiles. */
async function boxOf(page: Page): Promise<readonly [number, number, number, number]> {
  const box = (await chart(page).boundingBox())!;
  return [box.x + 56, box.y + 6, box.width - 66, box.height - 44];
}

describe.skipIf(kTool === '')('execution by tile', () => {
  let browser: Browser;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    browser = await launch();
    for (const name of ['waits', 'mlp', 'control_flow', 'two', 'pod']) pages.set(name, makePage(profilePath(name), `tiles-${name}`));
  });
  afterAll(async () => browser?.close());

  it('says of a tile at a cycle what it does, and for whom it waits, as a twin that follows every tile', async () => {
    for (const name of ['waits', 'two']) {
      const { spans, end } = twin(profilePath(name), 0);
      const page = await newPage(browser);
      const tiles = sql(profilePath(name), 'SELECT count(*) AS n FROM memory_by_tile')[0]?.n as number;
      let waited = 0;
      let worked = 0;
      for (const tile of [0, 3, tiles - 1]) {
        await open(page, pages.get(name) ?? '', `execution?run=0&ipu=all&critical=no&rows=${tile}-${tile}`);
        await tilesRead(page);
        const [left, top, width, height] = await boxOf(page);
        for (const share of [0.02, 0.11, 0.23, 0.37, 0.52, 0.68, 0.81, 0.97]) {
          const cycle = share * end;
          await page.mouse.move(left + share * width, top + height / 2);
          const said = await page.locator('.tip').innerText();
          expect(said, name).toContain(`Tile ${tile}`);
          const pixel = (2 * end) / width;
          if (spans.some(([, t, from, to]) => t === tile && (Math.abs(from - cycle) < pixel || Math.abs(to - cycle) < pixel))) continue;
          const span = spans.find(([, t, from, to]) => t === tile && from <= cycle && cycle < to);
          if (span) {
            expect(said, `${name} ${tile} ${cycle}`).toContain(`executed step ${span[0]}): cycles ${span[2].toLocaleString('en-US')}`);
            ++worked;
          } else {
            expect(said, `${name} ${tile} ${cycle}`).toMatch(/waits in|waits for its work|came last|waits for tile|has ended/);
            const until = /(?:until|at) cycle ([\d,]+)/.exec(said)?.[1];
            if (until) expect(count(until), `${name} ${tile} ${cycle}: ${said}`).toBeGreaterThanOrEqual(cycle - pixel);
            const next = Math.min(...spans.filter(([, t, from]) => t === tile && from > cycle).map(([, , from]) => from));
            if (until && Number.isFinite(next) && /waits for its work/.test(said)) expect(count(until)).toBe(next);
            ++waited;
          }
        }
      }
      expect(Math.min(waited, worked), name).toBeGreaterThan(2);
      expect(page.complaints).toEqual([]);
      await page.close();
    }
  });

  it('finds one late tile: the first by waiting caused, in the chart and in the table, with the cause', async () => {
    const { caused, spans } = twin(profilePath('waits'), 0);
    const page = await newPage(browser);
    await open(page, pages.get('waits') ?? '', 'execution?run=0&critical=no');
    const rows = await tableRows(page, 'Tiles of the run');
    expect(rows[0]?.Tile).toBe('3');
    for (const row of rows) expect(count(row['Waiting caused tile cycles']), `tile ${row.Tile}`).toBe(caused[count(row.Tile)]);
    await page.locator('label', { hasText: 'Tiles' }).locator('select').selectOption('caused');
    const [left, top, width, height] = await boxOf(page);
    const tiles = rows.length;
    await page.mouse.move(left + width / 2, top + height / tiles / 2);
    await page.locator('.tip', { hasText: 'Tile 3' }).waitFor();
    // At a cycle at which only tile 3 works, another tile waits for it.
    const longest = spans.filter(([, t]) => t === 3).reduce((a, b) => (b[3] - b[2] > a[3] - a[2] ? b : a));
    await open(page, pages.get('waits') ?? '', 'execution?run=0&critical=no&rows=5-5&lane=5');
    await tilesRead(page);
    const total = sql(profilePath('waits'), 'SELECT total_cycles AS v FROM execution_cycle_totals WHERE run = 0')[0]?.v as number;
    await page.mouse.move(left + (width * (longest[2] + longest[3])) / 2 / total, top + height / 2);
    await page.locator('.tip', { hasText: 'for tile 3: compute in uneven' }).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    const clicked = await page.locator('.clicked').innerText();
    expect(clicked).toContain('Tile 5 at cycle');
    expect(clicked).toContain('for tile 3: compute in uneven');
    // A click in the table shows the tile among its neighbours.
    await page.locator('table[aria-label="Tiles of the run"] tbody tr').first().click();
    const [low, high] = (params(page).rows ?? '').split('-').map(Number);
    expect((low ?? 9) <= 3 && 3 <= (high ?? 0)).toBe(true);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('zooms and moves both ways by wheel, touchpad, box, keys and drag; Back undoes it', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('mlp') ?? '', 'execution?critical=no');
    const [left, top, width, height] = await boxOf(page);
    const middle = [left + width / 2, top + height / 2] as const;
    const wheel = async (key: 'Control' | 'Shift' | null, dx: number, dy: number) => {
      await page.mouse.move(...middle);
      const before = page.url();
      if (key) await page.keyboard.down(key);
      await page.mouse.wheel(dx, dy);
      if (key) await page.keyboard.up(key);
      await expect.poll(() => page.url()).not.toBe(before);
    };
    const cycles = () => [Number(params(page).from), Number(params(page).to)] as const;
    const rows = () => (params(page).rows ?? '').split('-').map(Number) as [number, number];
    await wheel('Control', 0, -120);
    const zoomed = cycles();
    expect(zoomed[0]).toBeGreaterThan(0);
    expect(params(page).rows ?? '').toBe('');
    await wheel('Shift', 0, -120);
    expect(cycles()).toEqual(zoomed);
    const tiles = rows();
    expect(tiles[0]).toBeGreaterThan(0);
    expect(tiles[1]).toBeLessThan(1215);
    // A touchpad pans both ways; at the end of the tiles the page scrolls on.
    await wheel(null, 60, 0);
    expect(cycles()[0]).toBeGreaterThan(zoomed[0]);
    expect(cycles()[1] - cycles()[0]).toBe(zoomed[1] - zoomed[0]);
    await wheel(null, 0, 40);
    expect(rows()[0]).toBeGreaterThan(tiles[0]);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.waitForTimeout(900); // longer than a burst, so that the drag has a history entry of its own
    // A drag with Alt moves the content.
    const before = [cycles(), rows()] as const;
    await page.mouse.move(...middle);
    await page.keyboard.down('Alt');
    await page.mouse.down();
    await page.mouse.move(middle[0] + 80, middle[1] + 60, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Alt');
    expect(cycles()[0]).toBeLessThan(before[0][0]);
    expect(rows()[0]).toBeLessThan(before[1][0]);
    // Back undoes the whole drag.
    await page.goBack();
    await expect.poll(() => [cycles(), rows()]).toEqual(before);
    // A box zooms in both directions, and Back undoes it.
    await page.mouse.move(left + width * 0.25, top + height * 0.25);
    await page.mouse.down();
    await page.mouse.move(left + width * 0.75, top + height * 0.5, { steps: 4 });
    await page.mouse.up();
    const [a, b] = before[0];
    expect(cycles()[0] / (a + (b - a) * 0.25)).toBeCloseTo(1, 2);
    expect(cycles()[1] / (a + (b - a) * 0.75)).toBeCloseTo(1, 2);
    expect(rows()[1] - rows()[0]).toBeLessThan((before[1][1] - before[1][0]) * 0.3);
    await page.goBack();
    await expect.poll(() => [cycles(), rows()]).toEqual(before);
    // Keys: show all, zoom both axes, pan both axes.
    await page.locator('body').press('p');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Execution of run/);
    await page.keyboard.press('0');
    expect(params(page).from ?? '').toBe('');
    await page.keyboard.press('PageUp');
    expect(rows()[1] - rows()[0]).toBeLessThan(1216);
    const first = rows()[0];
    await page.keyboard.press('ArrowDown');
    expect(rows()[0]).toBeGreaterThan(first);
    await page.keyboard.press('+');
    const start = cycles()[0];
    await page.keyboard.press('ArrowRight');
    expect(cycles()[0]).toBeGreaterThan(start);
    expect(params(page).run ?? '').toBe(''); // the strip of runs has not handled the key
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('zooms with two fingers', async () => {
    const context = await browser.newContext({ hasTouch: true, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await open(page, pages.get('mlp') ?? '', 'execution?critical=no');
    const [left, top, width, height] = await boxOf(page);
    const client = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly (readonly [number, number])[]) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y], id) => ({ x: left + x * width, y: top + y * height, id })),
      });
    await touch('touchStart', [
      [0.45, 0.5],
      [0.55, 0.5],
    ]);
    for (const spread of [0.1, 0.15, 0.2])
      await touch('touchMove', [
        [0.45 - spread, 0.5],
        [0.55 + spread, 0.5],
      ]);
    await touch('touchEnd', []);
    await expect.poll(() => Number(params(page).from)).toBeGreaterThan(0);
    expect(Number(params(page).to)).toBeGreaterThan(Number(params(page).from));
    await context.close();
  });

  it('shows runs side by side on one scale, and goes to the other by a click', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('mlp') ?? '', 'execution?run=0&beside=1&critical=no');
    const labels = await page
      .locator('canvas[aria-label^="Execution of run"]')
      .evaluateAll((all) => all.map((c) => c.getAttribute('aria-label')));
    expect(labels).toEqual(['Execution of run 0 on IPU 0', 'Execution of run 1 on IPU 0']);
    await page.locator('canvas[aria-label="Execution of run 1 on IPU 0"]').click({ position: { x: 120, y: 100 } });
    expect(params(page).run).toBe('1');
    await page.close();
  });

  it('draws the host’s spans on the clock of the run', async () => {
    const page = await newPage(browser);
    const [run] = sql(
      profilePath('mlp'),
      'SELECT r.start_us AS s, r.number AS n, t.clock_hz AS hz, total_cycles AS c FROM runs r JOIN execution_cycle_totals e ON e.run = r.id, target t WHERE r.id = 0',
    );
    const start = Math.round(Number(run?.s)) || 1_700_000_000_000_000;
    const half = Math.round((Number(run?.c) / Number(run?.hz)) * 5e5);
    const line = (ph: string, name: string, ts: number) =>
      JSON.stringify({ ph, pid: 1, tid: 1, ts, cat: name.startsWith('run') ? 'poplar' : 'mine', name });
    const lines = [
      '[{"ph": "M", "name": "popscope_pvti", "args": {"version": 1}, "pid": 1, "tid": 1, "ts": 0}',
      line('B', 'before', start - 1000),
      line('E', 'before', start - 500),
      line('B', 'run 0', start),
      line('B', 'callback', start + half),
      line('E', 'callback', start + half + 5000),
      line('E', 'run 0', start + 2 * half + 9000),
    ];
    await open(page, pages.get('mlp') ?? '', 'execution?run=0&critical=no');
    await drop(page, [{ name: 'host.pvti', bytes: Buffer.from(lines.join(',\n') + ',\n') }]);
    const host = page.locator('canvas[aria-label="The host during run 0"]');
    await host.waitFor();
    const box = (await host.boundingBox())!;
    await page.mouse.move(box.x + 56 + (box.width - 66) * 0.25, box.y + 4 + 11);
    expect(await page.locator('.tip').innerText()).toContain('run 0');
    await page.mouse.move(box.x + 56 + (box.width - 66) * 0.25, box.y + 4 + 33);
    expect(await page.locator('.tip').count()).toBe(0);
    await page.mouse.move(box.x + 56 + (box.width - 66) * 0.55, box.y + 4 + 33);
    expect(await page.locator('.tip').innerText()).toContain('callback');
    await drop(page, [{ name: 'other.pvti', bytes: Buffer.from('[{"ph": "M", "name": "else"}\n') }]);
    expect(await page.locator('main > .error').innerText()).toContain('other.pvti is not a trace of a host');
    await page.close();
  });
});
