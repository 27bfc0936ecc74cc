// Accessibility: all controls have names for screen readers, large text and magnified pages cut nothing off, and pages print.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kTool, launch, makePage, newPage, open, profilePath } from './pages';

const kRoutes = [
  'verdict',
  'memory?tiles=3',
  'memory?plot=map&tiles=3,4',
  'memory?plot=histogram',
  'tile?tile=3',
  'liveness?variable=3',
  'program?step=12',
  'operations',
  'execution?run=1&at=40',
  'execution?run=1&at=40-60',
  'exchange',
  'compare',
  'sql',
  'options',
  'about',
];

const kControls = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'checkbox',
  'radio',
  'spinbutton',
  'slider',
  'image',
  'table',
  'region',
  'dialog',
  'tree',
  'treeitem',
  'navigation',
]);

interface Node {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
}

async function unnamed(page: Page): Promise<{ readonly controls: number; readonly without: string[] }> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: Node[] };
  await session.detach();
  const controls = nodes.filter((n) => !n.ignored && kControls.has(n.role?.value ?? ''));
  return {
    controls: controls.length,
    without: controls.filter((n) => (n.name?.value ?? '').trim() === '').map((n) => n.role?.value ?? ''),
  };
}

/** Finds elements whose text passes an edge that hides it, except names that end in an ellipsis and show their full text on hover. */
const kCut = `[...document.querySelectorAll('body *')].filter((e) => {
  const style = getComputedStyle(e);
  if (e.closest('[aria-hidden=true], .visually-hidden') || e.closest('option') || e.clientWidth === 0) return false;
  const hides = (o) => o === 'hidden' || o === 'clip';
  const wide = hides(style.overflowX) && e.scrollWidth > e.clientWidth + 1 && style.textOverflow !== 'ellipsis';
  const high = hides(style.overflowY) && e.scrollHeight > e.clientHeight + 1 && e.textContent !== '';
  const box = e.getBoundingClientRect();
  const outside = !e.closest('.scroll, .tree, pre, .node') && box.width > 0 && box.right > innerWidth + 1;
  return wide || high || outside;
}).map((e) => e.tagName + '.' + e.className + ': ' + e.textContent.slice(0, 60))`;

describe.skipIf(kTool === '')('every reader', () => {
  let browser: Browser;
  let file = '';
  beforeAll(async () => {
    browser = await launch();
    file = makePage(profilePath('mlp'), 'readers');
  });
  afterAll(async () => browser?.close());

  it('finds a name on every control of every view', async () => {
    const page = await newPage(browser);
    for (const route of kRoutes) {
      await open(page, file, route);
      const { controls, without } = await unnamed(page);
      expect(controls, route).toBeGreaterThan(12);
      expect(without, route).toEqual([]);
    }
    // Checks that the check fails on a page with a fault.
    await page.evaluate(`document.querySelector('main').append(document.createElement('button'))`);
    expect((await unnamed(page)).without).toEqual(['button']);
    await page.close();
  });

  for (const [what, width, height, size] of [
    ['text of twice the size', 1440, 900, '200%'],
    ['a page that is magnified twice', 720, 450, '100%'],
    ['a narrow window', 900, 700, '100%'],
  ] as const)
    it(`cuts nothing off in ${what}`, async () => {
      const page = await newPage(browser);
      await page.setViewportSize({ width, height });
      for (const route of kRoutes) {
        await open(page, file, 'about');
        await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
        await page.evaluate((to) => (location.hash = to), route);
        await page.locator('main .card').first().waitFor();
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        expect(await page.evaluate('document.documentElement.scrollWidth'), route).toBeLessThanOrEqual(width);
        expect(await page.evaluate(kCut), route).toEqual([]);
      }
      // Checks that the check fails on a page with a fault.
      await page.evaluate(
        `document.querySelector('main').insertAdjacentHTML('beforeend', '<p id="low">cut off</p><p id="far">far away</p>');
         document.getElementById('low').style.cssText = 'height: 0.5rem; overflow: hidden';
         document.getElementById('far').style.cssText = 'position: absolute; left: 5000px'`,
      );
      expect(await page.evaluate(kCut)).toEqual(['P.: cut off', 'P.: far away']);
      await page.close();
    });

  it('names the columns that a narrow table hides, until one has scrolled to them', async () => {
    const page = await newPage(browser);
    await page.setViewportSize({ width: 800, height: 900 });
    // Returns for each table whether the text of the last column can be past the edge, the column's title, and the text of the hint.
    const hints = `[...document.querySelectorAll('.table')].map((table) => {
      const last = [...table.querySelectorAll('thead th')].pop();
      const box = table.querySelector('.scroll');
      const edge = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth;
      return [last.getBoundingClientRect().right - parseFloat(getComputedStyle(last.firstChild).paddingRight) > edge + 0.5, last.dataset.title, table.querySelector('.morecolumns')?.innerText ?? ''];
    })`;
    let hidden = 0;
    for (const route of kRoutes) {
      await open(page, file, route);
      await expect
        .poll(async () =>
          ((await page.evaluate(hints)) as [boolean, string, string][]).filter(([out, title, hint]) => hint.endsWith(title) !== out),
        )
        .toEqual([]);
      hidden += ((await page.evaluate(hints)) as [boolean, string, string][]).filter(([out]) => out).length;
    }
    expect(hidden).toBeGreaterThan(0);
    await open(page, file, 'operations');
    await page.locator('.morecolumns').first().waitFor();
    await page.evaluate(`document.querySelectorAll('.scroll').forEach((box) => (box.scrollLeft = box.scrollWidth))`);
    await expect.poll(() => page.locator('.morecolumns').count()).toBe(0);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('prints light, without menus, and tables without their bars', async () => {
    const page = await newPage(browser);
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, file, 'memory?tiles=3');
    const corner = `(() => { const c = document.querySelector('main canvas'); return [...c.getContext('2d').getImageData(2, 2, 1, 1).data]; })()`;
    expect(((await page.evaluate(corner)) as number[])[0]).toBeLessThan(60);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(corner)).toEqual([255, 255, 255, 255]); // the page handles the event a moment later
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.locator('main .controls').first().isVisible()).toBe(false);
    const style = (selector: string, property: string) =>
      page.evaluate(
        ([s, p]) => getComputedStyle(document.querySelector(s ?? '') as Element).getPropertyValue(p ?? ''),
        [selector, property],
      );
    expect(await style('body', 'color')).toBe('rgb(27, 31, 36)');
    expect(await style('.scroll', 'overflow-y')).toBe('visible');
    expect(await style('.scroll', 'max-height')).toBe('none');
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await expect.poll(async () => ((await page.evaluate(corner)) as number[])[0]).toBeLessThan(60);
    expect(page.complaints.filter((text) => !text.includes('getImageData'))).toEqual([]); // this test itself causes those messages
    await page.close();
  });
});
