// Does six jobs by clicking and counts the clicks, on seven programs: the demo, a program that does not fit, one with a late tile among
// eight and one among 1,472, one on two IPUs, one with a thousand compute sets, and one that a WriteUndef helps. Every click counts: on a
// link, on a row, or in the file dialog.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

const kPrograms = ['mlp', 'overfull', 'waits', 'late', 'two', 'many', 'layers'] as const;
const number = (text: string | undefined): number => Number((text ?? '').replace(/[^\d]/g, '') || NaN);

/** Counts clicks. */
class Hand {
  clicks = 0;
  constructor(readonly page: Page) {}
  async click(target: Locator): Promise<void> {
    ++this.clicks;
    await target.click();
  }
}

describe.skipIf(kTool === '')('six jobs', () => {
  let browser: Browser;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    browser = await launch();
    for (const name of kPrograms) pages.set(name, makePage(profilePath(name), `job-${name}`));
  });
  afterAll(async () => browser?.close());

  for (const name of kPrograms) {
    const one = (query: string) => sql(profilePath(name), query)[0] ?? {};
    const job = (title: string, most: number, run: (hand: Hand) => Promise<void>) =>
      it(`${title} in ${most}: ${name}`, async () => {
        const page = await newPage(browser);
        await open(page, pages.get(name) ?? '', 'verdict');
        const hand = new Hand(page);
        await run(hand);
        expect(hand.clicks).toBeLessThanOrEqual(most);
        expect(page.complaints).toEqual([]);
        await page.close();
      });

    job('why is the fullest tile full', 2, async (hand) => {
      const { page } = hand;
      const fullest = one('SELECT tile FROM memory_by_tile ORDER BY total DESC, tile LIMIT 1').tile;
      await hand.click(page.locator('table[aria-label="Fullest tiles"] a').first());
      await page.waitForURL(new RegExp(`tile\\?tile=${fullest}\\b`));
      await hand.click(page.locator('a', { hasText: 'Its categories' }).first());
      const [first] = await tableRows(page, 'Categories');
      const most = one(`SELECT max(size_bytes) AS v FROM memory_by_tile_use WHERE tile = ${fullest}`).v;
      expect(Object.values(first ?? {}).some((cell) => number(cell) === most)).toBe(true);
    });

    job('what to undefine', 1, async (hand) => {
      const { page } = hand;
      const card = page.locator('section.card', { has: page.locator('h2', { hasText: 'What WriteUndef would save' }) });
      const places = card.locator('table[aria-label="Placements of WriteUndef"] a');
      const [best] = sql(profilePath(name), 'SELECT variable, before FROM undef_placements ORDER BY id LIMIT 1');
      if (!best) {
        // The card itself states that there is nothing to do: no placement exists, or none alone saves memory.
        const { candidates } = one('SELECT candidates FROM liveness_advice');
        expect(await card.innerText()).toMatch(candidates === 0 ? /Nothing/ : /No placement saves memory by itself/);
        expect(await places.count()).toBe(0);
        return;
      }
      await hand.click(places.first());
      await page.waitForURL(new RegExp(`liveness\\?.*variable=${best.variable}\\b`));
      await page
        .locator('h2', { hasText: /life|Life/ })
        .first()
        .waitFor();
    });

    job('which step idles and who is guilty', 2, async (hand) => {
      const { page } = hand;
      const idle = page.locator('table[aria-label="Compute sets that idle most"] a').first();
      if ((await idle.count()) === 0) {
        expect(Number(one('SELECT count(*) AS n FROM steps').n)).toBe(0);
        return;
      }
      await hand.click(idle);
      const [row] = await tableRows(page, 'The step on each IPU');
      const guilty = number(row?.['which is']);
      expect(guilty).toBeGreaterThanOrEqual(0);
      expect(guilty).toBeLessThan(Number(one('SELECT count(*) AS n FROM memory_by_tile').n));
      if (name === 'waits') expect(guilty).toBe(3); // the compute set "uneven" keeps this tile busy for 50,000 cycles
      if (name === 'late') expect(guilty).toBe(1040); // the tile among 1,472 that works a hundred times as long as the others
    });

    job('exchange-bound between whom', 2, async (hand) => {
      const { page } = hand;
      const exchanges = page.locator('table[aria-label="Exchanges by bytes received"] a[href^="#exchange"]').first();
      await hand.click((await exchanges.count()) > 0 ? exchanges : page.locator('nav a', { hasText: 'Exchange' }));
      const pairs = await tableRows(page, 'Who sends to whom');
      expect(pairs.length).toBeGreaterThan(0);
      expect(number(pairs[0]?.['Arrives B'])).toBeGreaterThan(0);
      expect(pairs.every((pair) => /^tiles? \d/.test(pair.From ?? '') && /^tiles? \d/.test(pair.To ?? ''))).toBe(true);
      expect(Object.keys(pairs[0] ?? {})).toContain('Arrives B');
    });

    job('what changed', 2, async (hand) => {
      const { page } = hand;
      await hand.click(page.locator('nav a', { hasText: 'Compare' }));
      ++hand.clicks; // in the browser's file dialog
      await page.locator('main input[type=file]').setInputFiles(profilePath(name === 'waits' ? 'control_flow' : 'waits'));
      expect((await tableRows(page, 'Largest differences')).length).toBeGreaterThan(0);
    });

    job('which layer takes the memory', 1, async (hand) => {
      const { page } = hand;
      await hand.click(page.locator('nav a', { hasText: 'Layers' }));
      const rows = await tableRows(page, 'Layers');
      const peak = one('SELECT max(size_bytes) + (SELECT always_live FROM liveness_totals) AS v FROM liveness_steps').v;
      expect(rows.reduce((sum, row) => sum + number(row['Bytes B']), 0)).toBe(peak);
    });
  }
});
