// Every view, by day and by night, passes the rules of axe: names, contrasts, roles, headings, links that differ not only by colour.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kViewKeys } from '../../src/app/viewKeys';
import { kTool, launch, makePage, open, profilePath } from './pages';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const kAxe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(kTool === '')('axe', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    browser = await launch();
    file = makePage(profilePath('mlp'), 'access');
  });
  afterAll(async () => browser?.close());

  for (const scheme of ['light', 'dark'] as const)
    it(`finds nothing in any view, ${scheme}`, async () => {
      // The page's own content security policy would block the script of the test.
      const context = await browser.newContext({ colorScheme: scheme, bypassCSP: true, viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      const found: string[] = [];
      // The schemes differ in colours alone.
      const rules = scheme === 'light' ? {} : { runOnly: { type: 'tag', values: ['cat.color'] } };
      const routes = [
        ...kViewKeys.map((v) => v.key as string),
        'memory?tiles=3',
        'memory?plot=time',
        'liveness?variable=40',
        'execution?at=3&lane=3&cycle=9',
        'program?step=3',
      ];
      for (const route of routes) {
        await open(page, file, route);
        await page.evaluate(kAxe);
        const findings = await page.evaluate(async (options) => {
          const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } };
          return (await axe.run(options)).violations.map((v) => ({
            id: v.id,
            nodes: v.nodes.map((n) => ({ html: n.html, failureSummary: n.failureSummary ?? '' })),
          }));
        }, rules);
        for (const { id, nodes } of findings)
          found.push(`${route}: ${id} ×${nodes.length}: ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary?.slice(0, 200)}`);
      }
      expect(found).toEqual([]);
      await context.close();
    });

  it('draws pictures larger for a reader with larger text, and the pointer finds what is there', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const look = async (size: number) => {
      await page.goto('about:blank');
      await open(page, file, 'memory');
      await page.evaluate((px) => (document.documentElement.style.fontSize = `${px}px`), size);
      await page.setViewportSize({ width: 1440 + size, height: 900 });
      // The picture is drawn again at its new height.
      await page.waitForFunction((scale) => {
        const canvas = document.querySelector<HTMLCanvasElement>('main canvas');
        return canvas && canvas.clientHeight === 300 * scale && canvas.height === Math.round(canvas.clientHeight * devicePixelRatio);
      }, size / 16);
      const box = (await page.locator('main canvas').first().boundingBox())!;
      await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
      return { height: box.height, tip: await page.locator('.tip b').innerText() };
    };
    const [usual, large] = [await look(16), await look(24)];
    expect(large.height / usual.height).toBeCloseTo(1.5, 2);
    const tile = (text: string) => Number(/\d+/.exec(text)?.[0]);
    expect(Math.abs(tile(large.tip) - tile(usual.tip))).toBeLessThan(30); // of 1,216; margins grow, too
    await page.close();
  });
});
