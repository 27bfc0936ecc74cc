// Names from a file that are also properties of every JavaScript object, and the page as text in a frame of another page.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kViewKeys } from '../../src/app/viewKeys';
import { kFolder, kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

describe.skipIf(kTool === '')('names of properties, and frames', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => browser?.close());

  it('shows names of properties as they are, in all views', async () => {
    const file = makePage(profilePath('properties'), 'properties');
    const page = await newPage(browser);
    await open(page, file, 'verdict');
    const own = () => page.evaluate(() => Object.getOwnPropertyNames(Object.prototype).sort().join());
    const before = await own();
    const routes = ['memory?tiles=0-7', 'memory?plot=time', 'tile?tile=1', 'layers?of=always', 'layers?of=cycles', 'layers?plot=map'];
    for (const route of [...kViewKeys.map((view) => view.key), ...routes]) {
      await open(page, file, route);
      expect(await page.locator('main').innerText(), route).not.toMatch(/native code|\[object/);
      expect(await page.locator('main .error').count(), route).toBe(0);
      expect(await own(), `${route} writes on Object.prototype`).toBe(before);
    }
    await open(page, file, 'layers?of=always');
    const sizes = new Map(
      sql(
        profilePath('properties'),
        `SELECT name, sum(bytes) AS bytes FROM (
           SELECT s.string AS name, v.size_bytes AS bytes FROM liveness_variables v JOIN vars_string_table s ON s.id = v.name WHERE v.always_live
           UNION ALL SELECT c.name, v.instances * t.state_bytes FROM compute_set_vertices v JOIN compute_sets c ON c.id = v.compute_set
             JOIN vertex_types t ON t.id = v.vertex_type) GROUP BY 1`,
      ).map((row) => [row.name, Number(row.bytes)]),
    );
    const shown = new Map((await tableRows(page, 'Layers')).map((row) => [row.Layer, Number((row['Bytes B'] ?? '').replace(/,/g, ''))]));
    expect(sizes.get('toString')).toBeGreaterThan(0);
    expect(shown.get('toString')).toBe(sizes.get('toString'));
    // includes the variable of exactly this name
    expect(shown.get('__proto__')).toBeGreaterThan(Number(sizes.get('__proto__/constructor')));
    await open(page, file, 'verdict');
    const largest = page.locator('.card', { hasText: 'What is largest' });
    await largest.locator('a[href^="#liveness"]', { hasText: 'toString' }).first().click();
    await page.locator('h2', { hasText: 'The life of toString' }).waitFor();
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('follows its links in a frame that holds the page as text', async () => {
    const text = readFileSync(makePage(profilePath('control_flow'), 'framed'), 'utf8');
    const around = join(kFolder, 'around.html');
    const quoted = text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
    writeFileSync(around, `<!doctype html><h1>Notebook</h1><iframe srcdoc="${quoted}" width="1200" height="800"></iframe>`);
    const page = await newPage(browser);
    await page.goto(`file://${around}`);
    const frame = page.frameLocator('iframe');
    const layers = frame.locator('nav a', { hasText: 'Layers' });
    await layers.waitFor({ timeout: 20_000 }).catch(() => page.reload()); // a busy browser once never started the frame
    await layers.click();
    await frame.locator('h2', { hasText: 'Layers by' }).waitFor();
    // A choice in a view changes the frame's own address, too.
    await frame.locator('label', { hasText: 'Of' }).locator('select').selectOption('cycles');
    await frame.locator('h2', { hasText: 'Layers by cycles' }).waitFor();
    await frame.locator('table[aria-label="Layers"] tbody tr').first().click();
    await frame.locator('main .card a', { hasText: 'all' }).first().click();
    await frame.locator('nav a', { hasText: 'Execution' }).click();
    await frame.locator('h2', { hasText: 'Run 1:' }).waitFor();
    expect(page.url()).toBe(`file://${around}`);
    expect(await page.locator('h1').innerText()).toBe('Notebook');
    expect(page.complaints).toEqual([]);
    await page.close();
  });
});
