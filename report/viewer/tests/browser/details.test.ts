// Details of views: operands of compute sets, the folded program, a part of a tile's addresses, the live variables of one tile or IPU,
// cycles and code of exchanges, links. Each number is compared with SQL on the file.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { middle } from '../../src/derived/format';
import { kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

const whole = (n: unknown): string => Number(n).toLocaleString('en-US');
const plain = (text: string | undefined): number => Number((text ?? '').replace(/,/g, ''));

async function total(page: Page, label: string, column: string): Promise<number> {
  return (await tableRows(page, label)).reduce((sum, row) => sum + plain(row[column]), 0);
}

/** Computes the cycles of a program on a tile over its recorded executions, and its exchange code there, with the Python package. */
const kExchangeTwin = `
import json, pva, sys
report = pva.openReport(sys.argv[1])
program, tile = int(sys.argv[2]), int(sys.argv[3])
cycles = sum(s.cyclesByTile[tile] for r in report.execution.runs for s in r.steps if s.program._id == program)
print(json.dumps({"cycles": cycles, "code": report.compilation.programs[program].codeBytesByTile[tile]}))
`;

/** Computes one number of a program on a tile with the Python package; without a field, the cycles of its recorded executions. */
const kStepTwin = `
import pva, sys
report, program, tile, field = pva.openReport(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
one = report.compilation.programs[program]
print(getattr(one, field)[tile] if field else sum(s.cyclesByTile[tile] for r in report.execution.runs for s in r.steps if s.program._id == program))
`;

/** Computes what some tiles together send, receive and have as code in each exchanging program, with the Python package. */
const kExchangesTwin = `
import json, pva, sys
tiles = [int(t) for t in sys.argv[2].split(",")]
rows = []
for p in pva.openReport(sys.argv[1]).compilation.programs:
    sent, received = getattr(p, "bytesSentByTile", []), getattr(p, "bytesReceivedByTile", [])
    if any(sent) or any(received):
        of = lambda values: sum(values[t] for t in tiles) if len(values) else 0
        row = [p._id, of(sent), of(received), of(p.codeBytesByTile)]
        if any(row[1:]):
            rows.append(row)
print(json.dumps(rows))
`;

describe.skipIf(kTool === '')('details of the viewer', () => {
  let browser: Browser;
  let page: Awaited<ReturnType<typeof newPage>>;
  const pages = new Map<string, string>();
  const at = (name: string) => pages.get(name) ?? '';
  beforeAll(async () => {
    browser = await launch();
    for (const name of ['mlp', 'pod', 'control_flow', 'layers'])
      if (existsSync(profilePath(name))) pages.set(name, makePage(profilePath(name), name));
    page = await newPage(browser);
  });
  afterAll(async () => {
    expect(page.complaints).toEqual([]);
    await browser?.close();
  });

  it('lists what the vertices of each compute set read and write', async () => {
    await open(page, at('mlp'), 'program');
    const rows = await tableRows(page, 'Compute sets');
    const wanted = sql(
      profilePath('mlp'),
      `SELECT c.name, (SELECT sum(instances) FROM compute_set_vertices v WHERE v.compute_set = c.id) AS n,
        sum(o.size_bytes * o.is_read) AS r, sum(o.size_bytes * o.is_written) AS w, sum(o.size_bytes) AS b, sum(o.edges) AS e
        FROM compute_sets c JOIN compute_set_operands o ON o.compute_set = c.id GROUP BY c.id ORDER BY b DESC, c.id`,
    );
    expect(wanted.length).toBeGreaterThan(5);
    expect(rows.map((r) => [r['Vertices'], r['Reads B'], r['Writes B'], r['Operands B'], r['Edges']])).toEqual(
      wanted.map((r) => [r.n, r.r, r.w, r.b, r.e].map(whole)),
    );
    expect(rows.map((r) => (r['Compute set'] ?? '').replace(/\s*\d+$/, ''))).toEqual(wanted.map((r) => middle(String(r.name), 26)));
  });

  it('tells the fields of one compute set', async () => {
    const [set] = sql(
      profilePath('mlp'),
      'SELECT p.id, p.compute_set AS c FROM programs p JOIN compute_set_operands o ON o.compute_set = p.compute_set GROUP BY p.id ORDER BY count(*) DESC, p.id LIMIT 1',
    );
    await open(page, at('mlp'), `program?step=${set?.id}`);
    const rows = await tableRows(page, 'Operands of the step');
    const wanted = sql(profilePath('mlp'), `SELECT * FROM compute_set_operands WHERE compute_set = ${set?.c} ORDER BY position`);
    expect(rows.map((r) => [r.Field, r['Bytes B'], r.Elements, r.Edges])).toEqual(
      wanted.map((r) => [String(r.field), whole(r.size_bytes), whole(r.elements), whole(r.edges)]),
    );
    expect(rows.map((r) => r.Access)).toEqual(
      wanted.map((r) => (r.is_read === 1 && r.is_written === 1 ? 'read and written' : r.is_written === 1 ? 'written' : 'read')),
    );
  });

  it('folds and unfolds the whole program, and shows one of its roots', async () => {
    await open(page, at('control_flow'), 'program');
    const nodes = page.locator('.node');
    const all = await nodes.count();
    await page.getByRole('button', { name: 'Fold all', exact: true }).click();
    const roots = sql(profilePath('control_flow'), 'SELECT id, name, is_function FROM programs WHERE parent IS NULL ORDER BY id');
    expect(await nodes.count()).toBe(roots.length);
    await page.locator('.tree').focus();
    await page.keyboard.press('+');
    expect(await nodes.count()).toBe(all);
    expect(await page.locator('.node .kindicon').count()).toBe(all);
    expect(roots.length).toBeGreaterThan(1);
    const last = roots[roots.length - 1];
    await page.locator('label', { hasText: /^Of/ }).locator('select').selectOption(String(last?.id));
    expect(await nodes.first().innerText()).toContain(String(last?.id));
    const [below] = sql(
      profilePath('control_flow'),
      `WITH RECURSIVE t(id) AS (SELECT ${last?.id} UNION ALL SELECT p.id FROM programs p JOIN t ON p.parent = t.id) SELECT count(*) AS n FROM t`,
    );
    expect(await nodes.count()).toBe(below?.n);
  });

  it('shows a part of a tile’s addresses and steps, by a box, keys and text', async () => {
    await open(page, at('mlp'), 'tile?tile=482');
    const canvas = page.locator('.picture canvas').first();
    const box = await canvas.boundingBox();
    if (!box) throw new Error('no picture');
    await page.mouse.move(box.x + 300, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 700, box.y + 240, { steps: 4 });
    await page.mouse.up();
    const params = () => new URLSearchParams(page.url().split('?')[1] ?? '');
    // waits until the page has handled the event
    await expect.poll(() => Number(params().get('from')), { timeout: 10_000 }).toBeGreaterThan(0);
    const [from, to] = [Number(params().get('from')), Number(params().get('to'))];
    expect(to).toBeGreaterThan(from);
    const window = /^(\d+)-(\d+)$/.exec(params().get('addresses') ?? '');
    expect(Number(window?.[1])).toBeGreaterThan(0);
    expect(Number(window?.[2])).toBeGreaterThan(Number(window?.[1]));
    await canvas.focus();
    await page.keyboard.press('+');
    await expect.poll(() => Number(params().get('to')) - Number(params().get('from'))).toBeLessThan(to - from);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => Number((params().get('addresses') ?? '').split('-')[0])).toBeLessThan(Number(window?.[1]));
    await page.keyboard.press('0');
    await expect.poll(() => [params().get('from'), params().get('addresses')]).toEqual([null, null]);
    await page.locator('label', { hasText: 'Addresses' }).locator('input').fill('0-2048');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => params().get('addresses')).toBeNull();
  });

  it('says in the cut why a variable is in place', async () => {
    const [why] = sql(
      profilePath('mlp'),
      `SELECT a.tile, e.first_program AS step, p.name AS reader, e.read FROM liveness_explanations e JOIN vars_info a ON a.variable = e.variable
        JOIN programs p ON p.id = e.read WHERE a.always_live = 0 AND p.name <> '' AND e.carrier <> '' ORDER BY e.id LIMIT 1`,
    );
    expect(why).toBeDefined();
    await open(page, at('mlp'), `tile?tile=${why?.tile}&step=${why?.step}`);
    await page.locator('input[aria-label="Filter Allocations at this step"]').fill(`read by ${why?.reader} (${why?.read})`);
    const rows = await tableRows(page, 'Allocations at this step');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]?.['Why here now']).toContain(`read by ${why?.reader} (${why?.read}), carried by the`);
  });

  it('lists what lives on one tile, as the tile’s own bytes', async () => {
    const [peak] = sql(profilePath('mlp'), 'SELECT program AS p FROM liveness_steps ORDER BY size_bytes DESC, id LIMIT 1');
    const tile = 392;
    const [wanted] = sql(
      profilePath('mlp'),
      `SELECT sum(v.size_bytes) AS b FROM vars_info v WHERE v.tile = ${tile} AND v.always_live = 0 AND EXISTS
        (SELECT 1 FROM equivalence_class_intervals i WHERE i.class = v.equivalence_class AND i.first_program <= ${peak?.p} AND i.end_program > ${peak?.p})`,
    );
    await open(page, at('mlp'), `liveness?tile=${tile}&always=no&step=${peak?.p}`);
    expect(await total(page, 'Live variables', 'Bytes B')).toBe(wanted?.b);
    await page.locator('h2', { hasText: `Live at step ${peak?.p} on tile ${tile}` }).waitFor();
  });

  it('shows bytes of exchanges, their cycles and their code', async () => {
    const [exchange] = sql(
      profilePath('mlp'),
      "SELECT s.program AS p, count(*) AS n FROM steps s JOIN programs p ON p.id = s.program WHERE p.type = 'DoExchange' GROUP BY s.program ORDER BY n DESC, s.program LIMIT 1",
    );
    for (const [by, title] of [
      ['cycles', 'Cycles over tiles'],
      ['code', 'Code over tiles'],
    ] as const) {
      await open(page, at('mlp'), `exchange?step=${exchange?.p}`);
      await page.locator('label', { hasText: 'Show' }).locator('select').selectOption(by);
      await page.locator('h2', { hasText: title }).waitFor();
      const box = await page.locator('.picture canvas').first().boundingBox();
      await page.mouse.move((box?.x ?? 0) + 120, (box?.y ?? 0) + 150);
      const tip = await page.locator('.tip').innerText();
      const tile = Number(/Tile (\d+)/.exec(tip)?.[1]);
      const read = execFileSync('python3', ['-c', kExchangeTwin, profilePath('mlp'), String(exchange?.p), String(tile)], {
        env: { ...process.env, PYTHONPATH: process.env.POPSCOPE_PYTHON ?? '' },
      });
      const twin = JSON.parse(read.toString()) as Record<string, number>;
      expect(twin[by]).toBeGreaterThan(0);
      expect(tip).toContain(`: ${whole(twin[by])} ${by === 'code' ? 'B' : 'cycles'}`);
    }
  });

  it('shows the columns and the first rows of a table that is picked', async () => {
    await open(page, at('mlp'), 'sql');
    await page.locator('input[aria-label="Filter Tables"]').fill('compute_set_operands');
    await page.locator('table[aria-label="Tables"] tbody tr').first().click();
    const [row] = sql(profilePath('mlp'), 'SELECT * FROM compute_set_operands ORDER BY compute_set, position LIMIT 1');
    const shown = await tableRows(page, 'Columns');
    expect(shown.map((r) => r.Column)).toEqual(Object.keys(row ?? {}));
    for (const { Column, Type } of shown) expect(Type).toMatch(typeof row?.[Column ?? ''] === 'string' ? /^TEXT/ : /^INTEGER/);
    const [first] = await tableRows(page, 'Result');
    expect(Object.keys(first ?? {})).toEqual(Object.keys(row ?? {}));
    await page.locator('textarea').fill('SELECT 1 +');
    await page.keyboard.press('Control+Enter');
    expect(await page.locator('.error').innerText()).toContain('incomplete input');
  });

  it('tells the target beside the options', async () => {
    await open(page, at('pod'), 'options');
    const rows = await tableRows(page, 'The target');
    const [target] = sql(profilePath('pod'), 'SELECT * FROM target');
    expect(rows.find((r) => r.What === 'IPUs')?.Value).toBe(whole(target?.num_ipus));
    expect(rows.find((r) => r.What === 'Memory of a tile')?.Value).toBe(whole(target?.bytes_per_tile));
    const costs = sql(profilePath('pod'), 'SELECT count(*) AS n FROM machine_costs')[0];
    expect(Number(costs?.n)).toBeGreaterThan(3);
    const [set] = sql(profilePath('pod'), 'SELECT sum(is_default = 0) AS s, count(*) AS n FROM options');
    expect(await page.locator('main').innerText()).toContain(`${set?.s} of ${set?.n} were set`);
  });

  it('ranks what differs between two profiles by what it is a part of', async () => {
    await open(page, at('layers'), 'compare');
    await page.locator('main input[type=file]').setInputFiles(profilePath('control_flow'));
    await page.locator('h2', { hasText: 'From layers.pop to control_flow.pop' }).waitFor();
    for (const [window, said] of [
      ['mfrom=0&mto=9999999', '“9999999” is not a valid tile'],
      ['lfrom=7&lto=2', '7 to 2 is not a range of aligned steps'],
    ]) {
      await page.evaluate((to) => (location.hash = `compare?${to}`), window);
      await page.locator('main > .error', { hasText: said ?? '' }).waitFor();
    }
    await page.evaluate(() => (location.hash = 'compare'));
    await page.locator('main > .error').waitFor({ state: 'detached' });
    const [a, b] = ['layers', 'control_flow'].map((name) => {
      const one = (query: string) => Number(sql(profilePath(name), query)[0]?.v);
      return {
        occupied: one('SELECT sum(total) AS v FROM memory_by_tile'),
        run: one('SELECT avg(total_cycles) AS v FROM execution_cycle_totals'),
        perTile: one('SELECT max(total) AS v FROM memory_by_tile'),
        capacity: one('SELECT bytes_per_tile AS v FROM target'),
      };
    });
    if (!a || !b) throw new Error('no profile');
    const rows = await tableRows(page, 'Largest differences');
    const shares = rows.map((r) => Number((r['Of the whole'] ?? '').replace(/[<%\s]/g, '')));
    expect(shares.length).toBeGreaterThan(5);
    expect(shares).toEqual([...shares].sort((x, y) => y - x));
    const group = async (label: string, what: string) => (await tableRows(page, label)).find((r) => r.What === what);
    const occupied = await group('Totals', 'Occupied over all tiles');
    expect([occupied?.Before, occupied?.After, occupied?.Unit]).toEqual([whole(a.occupied), whole(b.occupied), 'B']);
    const run = await group('Cycles', 'A run, mean');
    expect([run?.Before, run?.After]).toEqual([whole(Math.round(a.run)), whole(Math.round(b.run))]);
    const named = rows.find((r) => r.What === 'A run, mean');
    if (named) expect(named['Of the whole']).toBe(`${((100 * Math.abs(b.run - a.run)) / Math.max(a.run, b.run)).toFixed(1)} %`);
  });

  it('writes controls of direction in names out', async () => {
    const hostile = makePage(profilePath('hostile'), 'hostile-names');
    for (const view of ['program?step=13', 'liveness', 'execution', 'tile?tile=0', 'exchange', 'operations', 'memory?tiles=0']) {
      await open(page, hostile, view);
      const text = await page.locator('body').innerText();
      expect(text, view).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      if (/program|operations/.test(view)) expect(text, view).toContain('\\xe2\\x80\\xae');
    }
  });

  it('shows what does not fit: past the end of memory, on the tile that is too small', async () => {
    const overfull = profilePath('overfull');
    const [full] = sql(overfull, 'SELECT tile, overflowed FROM memory_by_tile ORDER BY total DESC LIMIT 1');
    expect(Number(full?.overflowed)).toBeGreaterThan(0);
    expect(sql(overfull, 'SELECT tile FROM tiles_out_of_memory').map((r) => r.tile)).toEqual([full?.tile]);
    const file = makePage(overfull, 'overfull-details');
    await open(page, file, 'verdict');
    await page.locator('h2', { hasText: 'It does not fit' }).waitFor();
    await open(page, file, 'memory?by=region');
    expect(await page.locator('.legend').innerText()).toContain('Past the end of memory');
    await open(page, file, 'tile');
    expect(await page.locator('main .hint').first().innerText()).toContain('past the end of memory from');
  });

  it('shows what a step and an operation have on each tile', async () => {
    const [step] = sql(profilePath('mlp'), "SELECT id FROM programs WHERE name = 'Layer1/Fwd/Reduce/ExchangePre' ORDER BY id LIMIT 1");
    const tip = async () => {
      const picture = page.locator('.picture', { has: page.locator('canvas[aria-label$="over tiles"]') }).first();
      await picture.scrollIntoViewIfNeeded();
      const box = await picture.locator('canvas').boundingBox();
      await page.mouse.move((box?.x ?? 0) + 70 + ((box?.width ?? 0) - 84) * 0.34, (box?.y ?? 0) + 90);
      const text = await picture.locator('.tip').innerText();
      return { tile: Number(/Tile (\d+)/.exec(text)?.[1]), value: plain(/: ([\d,]+)/.exec(text)?.[1]) };
    };
    for (const [over, field] of [
      ['received', 'bytesReceivedByTile'],
      ['sent', 'bytesSentByTile'],
      ['exchange', 'codeBytesByTile'],
      ['estimated', 'estimatedCyclesByTile'],
      ['recorded', ''],
    ] as const) {
      await open(page, at('mlp'), `program?step=${step?.id}`);
      await page.locator('h3', { hasText: 'Over tiles' }).waitFor();
      await page.locator('label', { hasText: 'Show' }).locator('select').selectOption(over);
      const shown = await tip();
      const twin = execFileSync('python3', ['-c', kStepTwin, profilePath('mlp'), String(step?.id), String(shown.tile), field], {
        env: { ...process.env, PYTHONPATH: process.env.POPSCOPE_PYTHON ?? '' },
      });
      expect(shown.value, over).toBe(Number(twin.toString()));
      if (over !== 'sent') expect(shown.value, over).toBeGreaterThan(0);
    }
  });

  it('has the code of an operation on all tiles as the table sums it', async () => {
    await open(page, at('control_flow'), 'operations');
    const rows = (await tableRows(page, 'Operations'))
      .map((r, i) => ({ i, name: r.Operation, code: plain(r['Control code B']) }))
      .filter((r) => r.code > 0 && r.name !== 'in no context'); // that row cannot be selected
    expect(rows.length).toBeGreaterThan(2);
    const tiles = Number(sql(profilePath('control_flow'), 'SELECT count(*) AS n FROM memory_by_tile')[0]?.n);
    for (const { i, code } of rows.slice(0, 3)) {
      await open(page, at('control_flow'), 'operations');
      await page.locator('table[aria-label="Operations"] tbody tr').nth(i).locator('td').nth(2).click();
      await page.locator('label', { hasText: 'Show' }).locator('select').selectOption('control');
      const picture = page.locator('.picture').first();
      await picture.scrollIntoViewIfNeeded();
      const box = await picture.locator('canvas').boundingBox();
      let sum = 0;
      for (let tile = 0; tile < tiles; ++tile) {
        await page.mouse.move((box?.x ?? 0) + 70 + (((box?.width ?? 0) - 84) * (tile + 0.5)) / tiles, (box?.y ?? 0) + 90);
        const tip = picture.locator('.tip', { hasText: new RegExp(`^Tile ${tile}\\D`) });
        sum += plain(/: ([\d,]+)/.exec(await tip.innerText())?.[1]);
      }
      expect(sum).toBe(code);
    }
  });

  it('hides and shows columns of operations, and keeps that in the link', async () => {
    await open(page, at('mlp'), 'operations');
    const titles = async () => Object.keys((await tableRows(page, 'Operations'))[0] ?? {});
    expect(await titles()).not.toContain('FLOPs executed');
    await page.locator('main .menu summary').click();
    await page.locator('main .menu label', { hasText: 'FLOPs executed' }).click();
    await page.locator('main .menu label', { hasText: 'Vertices' }).click();
    expect(await titles()).toContain('FLOPs executed');
    expect(await titles()).not.toContain('Vertices');
    expect(page.url()).toContain('hide=Vertices');
    await page.locator('main .menu label', { hasText: 'Vertices' }).click();
    expect(await titles()).toContain('Vertices');
    expect(await titles()).toContain('FLOPs executed');
  });

  it('tells what the last execution of a loop and of a conditional did', async () => {
    const flow = sql(
      profilePath('control_flow'),
      'SELECT c.*, p.type FROM control_flow c JOIN programs p ON p.id = c.program WHERE c.run = 1 ORDER BY c.program',
    );
    expect(flow.length).toBeGreaterThan(1);
    for (const row of flow) {
      await open(page, at('control_flow'), `program?step=${row.program}`);
      const text = await page.locator('main dl').first().innerText();
      expect(text).toContain(`run 1: ${row.type === 'RepeatWhile' ? `${whole(row.taken)} iterations` : 'took'}`);
      expect(text).toContain(`${whole(row.cycles)} cycles`);
    }
  });

  it('sums what several tiles hold', async () => {
    const profile = profilePath('mlp');
    await open(page, at('mlp'), 'memory?tiles=392-394,482');
    const where = 'tile IN (392, 393, 394, 482)';
    const vertices = sql(
      profile,
      `SELECT t.name, sum(v.instances) AS n, sum(v.code_bytes) AS c FROM vertices_by_tile v JOIN vertex_types t ON t.id = v.vertex_type WHERE ${where} GROUP BY t.id`,
    );
    const key = (row: readonly unknown[]) => row.join('|');
    expect((await tableRows(page, 'Vertices')).map((r) => key([r.Type, r.Vertices, r['Code B']])).sort()).toEqual(
      vertices.map((v) => key([v.name, whole(v.n), whole(v.c)])).sort(),
    );
    const twin = execFileSync('python3', ['-c', kExchangesTwin, profile, '392,393,394,482'], {
      env: { ...process.env, PYTHONPATH: process.env.POPSCOPE_PYTHON ?? '' },
    });
    const exchanges = JSON.parse(twin.toString()) as [number, number, number, number][];
    const shown = await tableRows(page, 'Exchanges of the tile');
    expect(
      shown.map((r) => [Number(/(\d+)$/.exec(r.Exchange ?? '')?.[1]), ...['Sent B', 'Received B', 'Code B'].map((c) => plain(r[c]))]),
    ).toEqual(exchanges.slice(0, shown.length));
    expect(shown.length).toBeGreaterThan(5);
    const [placed] = sql(profile, `SELECT sum(size_bytes) AS b, count(*) AS n FROM vars_info WHERE ${where}`);
    const variables = page.locator('table[aria-label="Variables of the tiles"]');
    await variables.waitFor();
    const copied = await tableRows(page, 'Variables of the tiles');
    expect(copied.reduce((sum, r) => sum + plain(r['Bytes B']), 0)).toBeLessThanOrEqual(Number(placed?.b));
    const [stack] = sql(
      profile,
      `SELECT sum(v.size_bytes) AS b, count(*) AS n FROM vars_info v JOIN var_categories c ON c.id = v.category WHERE v.${where} AND c.name = 'stack'`,
    );
    const row = copied.find((r) => r.Category === 'Stack');
    expect([row?.['Bytes B'], row?.Allocations, row?.Tiles]).toEqual([whole(stack?.b), whole(stack?.n), '4']);
    const [region] = sql(profile, `SELECT sum(non_interleaved) AS n, sum(interleaved) AS i FROM memory_by_tile WHERE ${where}`);
    expect(await page.locator('main').innerText()).toContain(
      `By region: non-interleaved ${whole(region?.n)} B, interleaved ${whole(region?.i)} B.`,
    );
  });

  it('chooses the tiles of an IPU', async () => {
    await open(page, at('pod'), 'memory');
    await page.locator('label', { hasText: 'Choose IPU' }).locator('select').selectOption('2');
    const perIpu = Number(sql(profilePath('pod'), 'SELECT tiles_per_ipu AS v FROM target')[0]?.v);
    expect(page.url()).toContain(`tiles=${2 * perIpu}-${3 * perIpu - 1}`);
    const [sum] = sql(
      profilePath('pod'),
      `SELECT sum(total) AS v FROM memory_by_tile WHERE tile >= ${2 * perIpu} AND tile < ${3 * perIpu}`,
    );
    await page.locator('p', { hasText: `Occupied ${whole(sum?.v)} B` }).waitFor();
  });

  it('finds executed steps by name, and walks from step to step', async () => {
    await open(page, at('mlp'), 'execution?run=2');
    const [run] = sql(
      profilePath('mlp'),
      'SELECT r.first_step AS first, (SELECT count(*) FROM steps s WHERE s.run = r.id) AS n FROM runs r WHERE r.id = 2',
    );
    await page.locator('input[aria-label="Find executed steps"]').fill('layer1/fwd');
    const [named] = sql(
      profilePath('mlp'),
      `SELECT count(*) AS n FROM steps s JOIN programs p ON p.id = s.program WHERE s.run = 2 AND (lower(p.name) LIKE '%layer1/fwd%')`,
    );
    expect(Number(named?.n)).toBeGreaterThan(5);
    await page.locator('p', { hasText: `${whole(named?.n)} of ${whole(run?.n)} executed steps have` }).waitFor();
    await page.getByRole('button', { name: 'Select them' }).click();
    expect((await tableRows(page, 'Selected steps')).length).toBeGreaterThan(5);
    await page.locator('input[aria-label="Find executed steps"]').fill('');
    await open(page, at('mlp'), `execution?run=2&at=${Number(run?.first) + 4}`);
    await page.locator('.picture canvas').nth(1).focus();
    await page.keyboard.press('.');
    expect(page.url()).toContain(`at=${Number(run?.first) + 5}`);
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    expect(page.url()).toContain(`at=${Number(run?.first) + 3}`);
  });

  it('lists what goes between IPUs', async () => {
    await open(page, at('pod'), 'exchange');
    const rows = await tableRows(page, 'Between IPUs');
    const wanted = sql(
      profilePath('pod'),
      'SELECT from_ipu, to_ipu, size_bytes FROM link_transfers ORDER BY size_bytes DESC, program, position LIMIT 10',
    );
    expect(wanted.length).toBe(10);
    expect(rows.slice(0, 10).map((r) => [r['From IPU'], r['To IPU'], r['Bytes B']])).toEqual(
      wanted.map((r) => [String(r.from_ipu), String(r.to_ipu), whole(r.size_bytes)]),
    );
    await open(page, at('mlp'), 'exchange');
    expect(await page.locator('table[aria-label="Between IPUs"]').count()).toBe(0);
  });

  it('shows always-live bytes of an IPU, too', async () => {
    await open(page, at('pod'), 'liveness?ipu=2');
    const text = await page.locator('section.card', { hasText: 'Live at step' }).first().innerText();
    const perIpu = Number(sql(profilePath('pod'), 'SELECT tiles_per_ipu AS v FROM target')[0]?.v);
    const [always] = sql(
      profilePath('pod'),
      `SELECT sum(always_live) AS v FROM memory_by_tile WHERE tile >= ${2 * perIpu} AND tile < ${3 * perIpu}`,
    );
    const [step] = /Live at step (\d+)/.exec(text)?.slice(1) ?? [];
    const [turn] = sql(
      profilePath('pod'),
      `SELECT b.size_bytes AS v FROM liveness_steps_by_ipu b JOIN liveness_steps s ON s.id = b.step WHERE b.ipu = 2 AND s.program = ${step}`,
    );
    expect(text).toContain(`${whole(Number(always?.v) + Number(turn?.v))} B in `);
  });
});
