// Each view in a real browser on real profiles: it shows content, its numbers equal those of the file, and the console stays empty.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatRoute, parseRoute } from '../../src/app/route';
import { editedProfile } from '../memory';
import { drop, emptyPage, kFolder, kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

const kViews = [
  'verdict',
  'memory',
  'memory?plot=map',
  'memory?plot=histogram&by=region',
  'tile',
  'liveness',
  'program',
  'operations',
  'execution',
  'exchange',
  'compare',
  'sql',
  'options',
  'about',
];
const kPrograms = ['mlp', 'control_flow', 'overfull', 'hostile', 'incomplete', 'layers', 'blocks', 'pod', 'replicas'].filter((name) =>
  existsSync(profilePath(name)),
);

const numbersIn = (text: string): number[] => (text.match(/\d[\d,]*/g) ?? []).map((word) => Number(word.replace(/,/g, '')));

describe.skipIf(kTool === '')('the viewer', () => {
  let browser: Browser;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    browser = await launch();
    for (const name of kPrograms) pages.set(name, makePage(profilePath(name), name));
  });
  afterAll(async () => browser?.close());

  it('shows who sends to whom, every byte that arrives once', async () => {
    const page = await newPage(browser);
    const exchanges = sql(
      profilePath('layers'),
      "SELECT p.id AS id FROM programs p JOIN traffic t ON t.program = p.id WHERE p.type = 'DoExchange' ORDER BY p.id LIMIT 3",
    );
    expect(exchanges.length).toBeGreaterThan(0);
    for (const { id } of exchanges) {
      await open(page, pages.get('layers') ?? '', `exchange?step=${id}`);
      const received = await page.locator('table[aria-label="Exchanges"] tr.selected td').nth(1).innerText();
      const pairs = await tableRows(page, 'Who sends to whom');
      const sum = pairs.reduce((all, row) => all + Number((row['Arrives B'] ?? '').replace(/,/g, '')), 0);
      expect(sum.toLocaleString('en-US')).toBe(received);
    }
    expect(page.complaints).toEqual([]);
    await page.close();
  });
  it('does not state that no run was recorded, if the runs execute no step', async () => {
    const still = `DELETE FROM steps; DELETE FROM steps_by_ipu; UPDATE runs SET first_step = 0;
      UPDATE execution_cycle_totals SET total_cycles = 0`;
    const profile = join(kFolder, 'still.pop');
    writeFileSync(profile, await editedProfile(readFileSync(profilePath('mlp')), still));
    const file = makePage(profile, 'still');
    const page = await newPage(browser);
    await open(page, file, 'verdict');
    const card = page.locator('.card', { hasText: 'Length of the runs by kind of step' });
    expect(await card.innerText()).toContain('No step adds cycles to the length of the runs.');
    expect(await page.locator('main').innerText()).not.toContain('No execution was recorded');
    await open(page, file, 'execution');
    expect(await page.locator('main').innerText()).toContain('This run executed no step.');
    expect(page.complaints).toEqual([]);
    await page.close();
  });
  it('has profiles to open', () => expect(kPrograms).toContain('mlp'));

  for (const name of kPrograms)
    it(`shows every view of ${name} without a complaint`, async () => {
      const page = await newPage(browser);
      for (const view of kViews) {
        await open(page, pages.get(name) ?? '', view);
        expect(await page.locator('main .card').count(), view).toBeGreaterThan(0);
        expect(await page.locator('main .error').count(), view).toBe(0);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${view} is cut off`).toBe(true);
      }
      for (const route of [
        'memory?plot=time',
        'memory?tiles=0-1',
        'liveness?tile=1',
        'liveness?ipu=0',
        'exchange?by=code',
        'layers?of=code',
      ]) {
        await open(page, pages.get(name) ?? '', route);
        expect(await page.locator('main .error').count(), route).toBe(0);
      }
      expect(page.complaints).toEqual([]);
      expect(await page.evaluate('window.hostile')).toBeUndefined();
      await page.close();
    });

  it('shows a tile that is chosen by list, with the categories of the file', async () => {
    const page = await newPage(browser);
    const profile = profilePath('mlp');
    await open(page, pages.get('mlp') ?? '', 'memory?tiles=3');
    const rows = sql(profile, 'SELECT size_bytes AS v FROM memory_by_tile_use WHERE tile = 3 AND size_bytes > 0 ORDER BY v DESC');
    const cells = await page.locator('table[aria-label="Categories"] tbody td:nth-child(2)').allInnerTexts();
    expect(cells.map((cell) => numbersIn(cell)[0]).filter((v) => v !== 0)).toEqual(rows.map((row) => row.v));
    await page.close();
  });

  it('shows bars and colours up to the memory of a tile where that is asked for', async () => {
    const page = await newPage(browser);
    const [target] = sql(profilePath('mlp'), 'SELECT bytes_per_tile AS v FROM target');
    const svg = async (route: string) => {
      await open(page, pages.get('mlp') ?? '', route);
      const saved = page.waitForEvent('download');
      await page.locator('main .picture').first().hover();
      await page.locator('main .picture button', { hasText: 'SVG' }).first().click();
      return readFileSync(await (await saved).path(), 'utf8');
    };
    const limit = `memory of a tile: ${Number(target?.v).toLocaleString('en-US')} B`;
    expect(await svg('memory')).not.toContain(limit);
    expect(await svg('memory?max=tile')).toContain(limit);
    expect(await svg('memory?plot=map')).not.toContain('>256 KiB<');
    expect(await svg('memory?plot=map&max=tile')).toContain('>256 KiB<');
    await open(page, pages.get('mlp') ?? '', 'memory');
    await page.locator('label', { hasText: 'Maximum' }).locator('select').selectOption('tile');
    expect(page.url()).toContain('max=tile');
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('walks by keyboard from view to view', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('mlp') ?? '', 'verdict');
    for (const [key, heading] of [
      ['2', 'Memory over tiles'],
      ['4', 'Live bytes'],
      ['6', 'Operations'],
      ['7', 'Run'],
      ['a', 'What the numbers mean'],
      ['?', 'Keys'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator('h2', { hasText: heading }).first().waitFor();
    }
    await page.close();
  });

  it('copies nothing into the page as markup, and sorts tables', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('mlp') ?? '', 'options');
    await page.locator('table[aria-label="Options"] th button').nth(1).click();
    const first = await page.locator('table[aria-label="Options"] tbody td:nth-child(2)').first().innerText();
    const [least] = sql(profilePath('mlp'), 'SELECT min(key) AS v FROM options');
    expect(first.toLowerCase()).toBe(String(least?.v).toLowerCase());
    await page.close();
  });

  it('says in a sentence what is wrong with 200 damaged files', async () => {
    const profile = readFileSync(profilePath('control_flow'));
    let state = 11;
    const random = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
    const [alone, beside] = [await newPage(browser), await newPage(browser)];
    await open(alone, emptyPage(), '');
    expect(await alone.locator('.welcome').innerText()).toContain('Drop a profile');
    await open(beside, pages.get('mlp') ?? '', 'compare');
    for (let i = 0; i < 200; ++i) {
      let bytes = Buffer.from(profile);
      if (i % 4 === 0) bytes = bytes.subarray(0, random(bytes.length));
      else for (let k = 0; k < 1 + random(400); ++k) bytes[random(i % 4 === 1 ? Math.min(4096, bytes.length) : bytes.length)] = random(256);
      const name = `damaged${i}.pop`;
      const page = i % 5 === 4 ? beside : alone; // every fifth file is the second profile of a page with a valid one
      await drop(page, [{ name, bytes }]);
      await page.locator(`body[data-shown="${name}"]`).waitFor();
      const view = i % 5 === 4 ? 'compare' : (kViews[random(kViews.length)] ?? '');
      await page.evaluate((hash) => (location.hash = hash), `#${view}`);
      await page
        .locator(`body[data-route=${JSON.stringify(formatRoute(parseRoute(view)))}] :is(.error, .card, .welcome)`)
        .first()
        .waitFor();
      expect((await page.locator('body').innerText()).length).toBeGreaterThan(40);
    }
    for (const page of [alone, beside]) {
      expect(page.complaints.filter((text) => text.startsWith('error: ') && !/this view/i.test(text))).toEqual([]);
      await page.close();
    }
  }, 600_000);

  it('takes keys in tables, pictures and fields', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('mlp') ?? '', 'memory?plot=map&tiles=30');
    await page.keyboard.press('p');
    await page.keyboard.press('ArrowDown');
    await page.locator('h2', { hasText: /^Tile 31$/ }).waitFor();
    await open(page, pages.get('mlp') ?? '', 'exchange');
    await page.locator('table[aria-label="Exchanges"] tbody tr').nth(2).focus();
    await page.keyboard.press('Enter');
    await page.locator('table[aria-label="Exchanges"] tr.selected').waitFor();
    await open(page, pages.get('mlp') ?? '', 'options');
    await page.keyboard.press('/');
    await page.keyboard.type('outputLowered');
    await page.locator('.count', { hasText: '1 of ' }).waitFor();
    await page.locator('body').click({ position: { x: 1, y: 600 } });
    await page.keyboard.press('?');
    await page.locator('dialog[open] kbd').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('compares two profiles that are dropped together', async () => {
    const page = await newPage(browser);
    await open(page, emptyPage(), '');
    const file = (name: string) => ({ name: `${name}.pop`, bytes: readFileSync(profilePath(name)) });
    await drop(page, [file('layers'), file('blocks')]);
    await page.locator('h2', { hasText: 'From layers.pop to blocks.pop' }).waitFor();
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('states of a dropped file what its tables have, and names what popscope adds', async () => {
    const page = await newPage(browser);
    for (const name of ['waits', 'two', 'cure']) {
      await open(page, emptyPage(), '');
      await drop(page, [{ name: `${name}.pop`, bytes: readFileSync(profilePath(name)) }]);
      const said = await page.locator('main p', { hasText: 'popscope html' }).first().innerText();
      expect(said).toContain(`popscope view ${name}.pop`);
      expect(said).toContain(name === 'cure' ? 'what makes the program fit' : 'where the cycles went');
      expect(await page.locator('table[aria-label="Where the cycles went"]').count()).toBe(0);
      if (name === 'cure') continue; // this program has no run
      const rows = await tableRows(page, 'Length by kind of step');
      const [run] = sql(profilePath(name), 'SELECT sum(total_cycles) AS c FROM execution_cycle_totals');
      expect(rows.reduce((sum, row) => sum + Number((row['Adds cycles'] ?? '').replace(/,/g, '')), 0)).toBe(run?.c);
    }
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('compares the causes of popscope loss in a page of two profiles', async () => {
    const page = await newPage(browser);
    const [a, b] = [profilePath('waits'), profilePath('two')];
    const file = join(kFolder, 'two-profiles.html');
    execFileSync(kTool, ['html', a, b, '-o', file], { stdio: 'ignore' });
    await open(page, file, 'compare');
    const causes = (profile: string) => {
      const text = execFileSync(kTool, ['loss', profile, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
      const { facts, tables } = JSON.parse(text) as {
        facts: { runs: number };
        tables: Record<string, { rows: Record<string, unknown>[] }>;
      };
      return new Map(tables.causes?.rows.map((r) => [String(r.cause), Number(r.tileCycles) / facts.runs]));
    };
    const [first, second] = [causes(a), causes(b)];
    const rows = new Map((await tableRows(page, 'Cycles')).map((r) => [r.What ?? '', r]));
    const name = 'compute: waiting for slower tiles';
    const shown = (cell: string | undefined) => Number((cell ?? '').replace(/,/g, ''));
    expect(shown(rows.get(name)?.Before)).toBeCloseTo(first.get(name) ?? NaN, 0);
    expect(shown(rows.get(name)?.After)).toBeCloseTo(second.get(name) ?? NaN, 0);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('answers the three questions of docs/VIEWER.md by clicks from the first view', async () => {
    const page = await newPage(browser);
    const profile = profilePath('mlp');
    const card = (title: string) => page.locator('section.card', { has: page.locator('h2', { hasText: title }) }).first();
    let told = ''; // text of all views that the walk has visited
    const see = async () => (told += await page.locator('main').innerText());
    await open(page, pages.get('mlp') ?? '', 'verdict');
    await see();
    const [full] = sql(profile, 'SELECT tile FROM memory_by_tile ORDER BY total DESC, tile LIMIT 1');
    await card('Fullest tiles').locator('tbody a').first().click();
    await page.locator('h2', { hasText: `Addresses of tile ${full?.tile}` }).waitFor();
    expect((await tableRows(page, 'Allocations at this step')).length).toBeGreaterThan(10);
    await page.locator('a', { hasText: 'Its categories' }).click();
    await page.locator('table[aria-label="Categories"]').waitFor();
    await see();

    await open(page, pages.get('mlp') ?? '', 'verdict');
    const name = await card('Compute sets that idle most').locator('tbody a').first().innerText();
    await card('Compute sets that idle most').locator('tbody a').first().click();
    await page.locator('h2', { hasText: name.replace(/\s*\d+$/, '') }).waitFor();
    const [on] = await tableRows(page, 'The step on each IPU');
    expect(on?.['Tile balance']).toMatch(/^\d+\.\d %$/);
    await see();

    await open(page, pages.get('mlp') ?? '', 'verdict');
    const turn = await card('Fullest step').locator('a').last().innerText();
    await card('Fullest step').locator('a').last().click();
    await page.locator('h2', { hasText: 'Live at step' }).waitFor();
    await see();
    expect(await card('Live at step').locator('p').first().innerText()).toContain(turn);
    await page.locator('table[aria-label="Live variables"] a').first().click();
    await page.locator('h2', { hasText: 'The life of' }).waitFor();
    const accesses = await tableRows(page, 'Steps that access it');
    expect(accesses.map((r) => [r['Kind'], r['Reads elements'], r['Writes elements']])).toEqual([
      ['DoExchange', '', 'all'],
      ['OnTileExecute', 'all', ''],
    ]);
    await see();
    // The walk has shown each figure in the text of the page's manual.
    const text = readFileSync(join(process.env.POPSCOPE_DOCS ?? '', 'VIEWER.md'), 'utf8');
    const walk = text.slice(text.indexOf('**Which step idles most?**'), text.indexOf('Exchange (key `8`)'));
    const fullest = text.slice(text.indexOf('**Why is the fullest tile full?**'), text.indexOf('![Addresses of the fullest tile'));
    const figures = `${fullest}${walk}`.match(/\d{1,3}(,\d{3})+|\d+\.\d %/g) ?? [];
    expect(figures.length).toBeGreaterThan(12);
    expect(figures.filter((figure) => !told.includes(figure))).toEqual([]);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('lays two profiles over each other, steps aligned by their path of names', async () => {
    const page = await newPage(browser);
    const [a, b] = [profilePath('layers'), profilePath('blocks')];
    await open(page, pages.get('layers') ?? '', 'compare');
    await drop(page, [{ name: 'blocks.pop', bytes: readFileSync(b) }]);
    await page.locator('h2', { hasText: 'From layers.pop to blocks.pop' }).waitFor();
    const [first, second] = [pathsOf(a), pathsOf(b)];
    const both = commonLength(first, second);
    const text = await page.locator('main').innerText();
    expect(both).toBeGreaterThan(3);
    expect(text).toContain(`${both} steps are in both profiles, ${first.length + second.length - 2 * both} in only one`);
    const live = (profile: string) =>
      sql(profile, 'SELECT s.program AS p, s.size_bytes + t.always_live AS v FROM liveness_steps s, liveness_totals t');
    const shown = await tableRows(page, 'Aligned steps');
    for (const [side, profile] of [
      ['before', a],
      ['after', b],
    ] as const)
      for (const row of shown)
        if (row[`No. ${side}`] !== '–')
          expect(row[`Live ${side} B`]).toBe(
            Number(live(profile).find((r) => String(r.p) === row[`No. ${side}`])?.v).toLocaleString('en-US'),
          );
    expect(page.complaints).toEqual([]);
    await page.close();
  });
});

/** Returns the path of names of each liveness step; equal paths are numbered in the order of programs. */
function pathsOf(profile: string): string[] {
  const programs = sql(profile, 'SELECT id, type, name, parent, count FROM programs ORDER BY id');
  const paths: string[] = [];
  const label = (r: (typeof programs)[number]) =>
    r.name !== '' ? String(r.name) : r.type === 'Repeat' && Number(r.count) > 0 ? `${r.type} × ${r.count}` : String(r.type);
  for (const r of programs) {
    const path = (r.parent === null ? '' : `${paths[Number(r.parent)]} › `) + label(r);
    const before = paths.filter(
      (other) => other === path || (other.startsWith(`${path} (`) && /^ \(\d+\)$/.test(other.slice(path.length))),
    );
    paths.push(before.length === 0 ? path : `${path} (${before.length + 1})`);
  }
  return sql(profile, 'SELECT program FROM liveness_steps ORDER BY id').map((r) => paths[Number(r.program)] ?? '');
}

/** Returns the length of the longest common subsequence of two lists. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const name of a) {
    const next = [0];
    b.forEach((other, j) => next.push(name === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0)));
    row = next;
  }
  return row[b.length] ?? 0;
}
