// Each view in a real browser on real profiles: it shows something, its numbers are those of the file, nothing complains.
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damaged, emptyPage, kTool, launch, makePage, newPage, open, profilePath, sql } from './pages';

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
const kPrograms = ['mlp', 'control_flow', 'overfull', 'hostile', 'incomplete', 'layers', 'blocks', 'pod'].filter((name) =>
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
      expect(page.complaints).toEqual([]);
      expect(await page.evaluate('window.hostile')).toBeUndefined();
      await page.close();
    });

  it('shows the numbers of the file in the verdict', async () => {
    const page = await newPage(browser);
    for (const name of kPrograms) {
      const profile = profilePath(name);
      await open(page, pages.get(name) ?? '', 'verdict');
      const text = await page.locator('main').innerText();
      const shown = new Set(numbersIn(text));
      const [fullest] = sql(profile, 'SELECT tile, total FROM memory_by_tile ORDER BY total DESC, tile LIMIT 1');
      const [highest] = sql(profile, 'SELECT max(total_including_gaps) AS v FROM memory_by_tile');
      const [whole] = sql(
        profile,
        'SELECT sum(total_cycles) * (SELECT count(*) FROM memory_by_tile) AS v, count(*) AS runs FROM execution_cycle_totals',
      );
      const [live] = sql(profile, 'SELECT max(s.size_bytes) AS v, always_live AS a FROM liveness_steps s, liveness_totals');
      for (const value of [fullest?.tile, fullest?.total, highest?.v, live?.a, live?.v])
        expect(shown, `${name}: ${value}`).toContain(value);
      if (Number(whole?.runs) > 0) {
        expect(shown, name).toContain(whole?.v);
        const parts = await page.locator('table.plain tr td:last-child').allInnerTexts();
        const sum = parts.slice(0, -1).reduce((total, cell) => total + (numbersIn(cell)[0] ?? 0), 0);
        expect(sum, `${name}: the parts of the cycles`).toBe(whole?.v);
      }
    }
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('shows a tile that is chosen by list, with the categories of the file', async () => {
    const page = await newPage(browser);
    const profile = profilePath('mlp');
    await open(page, pages.get('mlp') ?? '', 'memory?tiles=3');
    const rows = sql(
      profile,
      `SELECT sum(size_bytes) AS v FROM memory_by_tile_category WHERE tile = 3
        AND category <> (SELECT id FROM var_categories WHERE name = 'multiple') GROUP BY category ORDER BY v DESC`,
    );
    const cells = await page.locator('table[aria-label="Categories"] tbody td:nth-child(2)').allInnerTexts();
    expect(cells.map((cell) => numbersIn(cell)[0])).toEqual(rows.map((row) => row.v));
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
    const page = await newPage(browser);
    const profile = profilePath('control_flow');
    let state = 11;
    const random = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
    const empty = emptyPage();
    await open(page, empty, '');
    expect(await page.locator('.welcome').innerText()).toContain('Drop a profile');
    for (let i = 0; i < 200; ++i) {
      const file = damaged(profile, `damaged${i}.pop`, (bytes) => {
        if (i % 4 === 0) return bytes.subarray(0, random(bytes.length));
        for (let k = 0; k < 1 + random(400); ++k) bytes[random(i % 4 === 1 ? Math.min(4096, bytes.length) : bytes.length)] = random(256);
        return bytes;
      });
      // Every fifth is the second profile beside a good one.
      await page.goto('about:blank');
      if (i % 5 === 4) await open(page, pages.get('mlp') ?? '', 'compare');
      else await open(page, empty, kViews[random(kViews.length)] ?? '');
      await page.locator('input[type=file]').setInputFiles(file);
      await page.locator(`body[data-shown="damaged${i}.pop"]`).waitFor();
      await page.locator('.error, main .card').first().waitFor();
      expect((await page.locator('body').innerText()).length).toBeGreaterThan(40);
    }
    expect(page.complaints.filter((text) => text.startsWith('error: ') && !/this view/i.test(text))).toEqual([]);
    await page.close();
  }, 600_000);
});
