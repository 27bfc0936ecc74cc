// Robustness: an invalid link is reported, a wrong file closes nothing, a query can be stopped, a saved picture has title and legend, print
// shows whole pictures, and an unknown number is not 0.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kViewKeys } from '../../src/app/viewKeys';
import { drop, kFolder, kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

/** A query that takes hours. */
const kEndless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i < 0';

describe.skipIf(kTool === '')('manners of the viewer', () => {
  let browser: Browser;
  let mlp = '';
  beforeAll(async () => {
    browser = await launch();
    mlp = makePage(profilePath('mlp'), 'mlp');
  });
  afterAll(async () => browser?.close());

  it('says what a link names and the profile has not', async () => {
    const page = await newPage(browser);
    for (const [route, said] of [
      ['tile?tile=99999', 'there is no tile 99999; the profile has 0 to'],
      ['memory?tiles=3,99998-99999', 'there is no tile 99999'],
      ['memory?tiles=x', '“x” is not a list of tiles'],
      ['program?step=123456', 'there is no step 123456'],
      ['execution?run=77', 'there is no run 77'],
      ['execution?ipu=9', 'there is no IPU 9'],
      ['liveness?variable=9999999', 'there is no variable 9999999'],
      ['nowhere', 'there is no view “nowhere”'],
      ['program?root=999', 'there is no program 999 at the root of the tree'],
      ['execution?beside=9', 'there is no run 9'],
      ['execution?lane=99999', 'there is no tile 99999'],
      ['execution?rows=0-99999', '“0-99999” is not a range of rows: valid values are 0 to 1,215'],
      ['execution?cycle=999999999', 'there is no cycle 999999999'],
      ['execution?from=900&to=100', '900 to 100 is not a range of cycles'],
      ['memory?from=-100&to=50000', '“-100” is not a valid tile: valid values are 0 to 1,216; “50000” is not a valid tile'],
      ['tile?addresses=0-99999999', '“0-99999999” is not a range of addresses'],
      ['operations?context=99999', 'there is no debug context 99999'],
      ['operations?layer=foo', '“foo” is not a value of layer; valid values are /, '],
      ['layers?path=nope', 'there is no layer “nope”'],
      ['layers?of=foo', '“foo” is not a value of of; valid values are peak, always'],
      ['whatif?workers=99', '“99” is not a value of workers; valid values are '],
      ['exchange?step=0', 'step 0 is not an exchange'],
      ['memory?plot=foo', '“foo” is not a value of plot; valid values are bars, map, histogram, time'],
      ['memory?by=foo', '“foo” is not a value of by; valid values are category'],
    ] as const) {
      await open(page, mlp, route);
      expect(await page.locator('main > .error').innerText(), route).toContain(said);
    }
    await open(page, mlp, 'tile?tile=3&step=2');
    expect(await page.locator('main > .error').count()).toBe(0);
    await page.close();
  });

  it('keeps the profile when a wrong file is dropped', async () => {
    const page = await newPage(browser);
    await open(page, mlp, 'memory?tiles=3');
    await drop(page, [{ name: 'notes.txt', bytes: Buffer.from('no profile') }]);
    await page.locator('.error').waitFor();
    expect(await page.locator('.error').innerText()).toBe('notes.txt is not a profile: it is not an SQLite file. mlp.pop stays open.');
    expect(await page.locator('table[aria-label="Categories"]').count()).toBe(1);
    expect(page.url()).toContain('memory?tiles=3');
    await page.close();
  });

  it('stops a query, and the page answers while one runs', async () => {
    const page = await newPage(browser);
    await open(page, mlp, `sql?q=${encodeURIComponent(kEndless)}`);
    await page.locator('button', { hasText: 'Stop' }).waitFor();
    const start = Date.now();
    await page.keyboard.press('2');
    await page.locator('h2', { hasText: 'Memory over tiles' }).waitFor();
    expect(Date.now() - start).toBeLessThan(5000);
    await page.goBack();
    await page.locator('button', { hasText: 'Stop' }).click();
    await page.locator('main .error').waitFor();
    expect(await page.locator('main .error').innerText()).toBe('Stopped.');
    await page.locator('textarea').fill('SELECT count(*) AS n FROM programs');
    await page.locator('button', { hasText: 'Run' }).click();
    const [expected] = sql(profilePath('mlp'), 'SELECT count(*) AS n FROM programs');
    expect((await tableRows(page, 'Result'))[0]?.n?.replace(/,/g, '')).toBe(String(expected?.n));
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('writes title, profile and legend into a saved picture', async () => {
    const page = await newPage(browser);
    await open(page, mlp, 'memory');
    const legend = await page.locator('main .legend li').allInnerTexts();
    expect(legend.length).toBeGreaterThan(3);
    await page.locator('main .picture').first().hover();
    const svg = page.waitForEvent('download');
    await page.locator('main .picture button', { hasText: 'SVG' }).first().click();
    const text = readFileSync(await (await svg).path(), 'utf8');
    for (const word of ['>Memory of tiles, by category<', '>mlp.pop<', ...legend.map((label) => `>${label.trim()}<`)])
      expect(text).toContain(word);
    const png = page.waitForEvent('download');
    await page.locator('main .picture button', { hasText: 'PNG' }).first().click();
    const bytes = readFileSync(await (await png).path());
    const canvas = await page
      .locator('main .picture canvas')
      .first()
      .evaluate((c) => (c as HTMLCanvasElement).height);
    expect(bytes.readUInt32BE(20)).toBeGreaterThan(canvas + 30); // room for the title and the legend
    await page.close();
  });

  it('prints pictures in their proportions, and says what of a table is left out', async () => {
    const page = await newPage(browser);
    await open(page, mlp, 'liveness');
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 900 });
    const shape = await page
      .locator('main .picture canvas')
      .first()
      .evaluate((c) => {
        const canvas = c as HTMLCanvasElement;
        const box = canvas.getBoundingClientRect();
        return { drawn: canvas.width / canvas.height, shown: box.width / box.height };
      });
    expect(Math.abs(shape.drawn / shape.shown - 1)).toBeLessThan(0.02);
    await open(page, mlp, `sql?q=${encodeURIComponent('SELECT tile FROM memory_by_tile')}`);
    await page.locator('.printed').waitFor();
    expect(await page.locator('.printed').innerText()).toContain('200 of 1,216 rows are printed');
    expect(await page.locator('table[aria-label="Result"] tbody tr:not([aria-hidden])').count()).toBe(200);
    await page.close();
  });

  it('prints each number on one line, and all steps of the tree or a sentence on the others', async () => {
    const page = await newPage(browser);
    await page.setViewportSize({ width: 600, height: 900 });
    const broken = `[...document.querySelectorAll('td.number')].filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const tops = [...range.getClientRects()].map((line) => line.top);
      return Math.max(...tops) - Math.min(...tops) > 8;
    }).map((cell) => cell.innerText)`;
    for (const route of ['verdict', 'liveness', 'execution', 'program']) {
      await page.emulateMedia({ media: 'screen' });
      await open(page, mlp, route);
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate(broken), route).toEqual([]);
    }
    const over = `[...document.querySelectorAll('.node')].pop().getBoundingClientRect().bottom - document.querySelector('.tree').getBoundingClientRect().bottom`;
    await expect.poll(() => page.evaluate(over)).toBeLessThanOrEqual(0);
    const all = sql(profilePath('mlp'), 'SELECT count(*) AS n FROM programs')[0]?.n as number;
    expect(await page.locator('.node').count()).toBe(Math.min(all, 200));
    expect(await page.locator('.printed', { hasText: 'steps are printed' }).count()).toBe(all > 200 ? 1 : 0);
    await page.close();
  });

  it('does not call unknown what is 0, nor 0 what is unknown', async () => {
    const page = await newPage(browser);
    const [root] = sql(profilePath('mlp'), "SELECT min(id) AS id FROM programs WHERE type = 'Sequence'");
    await open(page, mlp, `program?step=${root?.id}`);
    const executed = page.locator('dt', { hasText: /^Executed$/ }).locator('xpath=following-sibling::dd[1]');
    expect(await executed.innerText()).toMatch(/^not counted separately: [\d,]+ executions of the steps inside it/);
    const [never] = sql(
      profilePath('control_flow'),
      "SELECT min(id) AS id FROM programs WHERE type = 'OnTileExecute' AND id NOT IN (SELECT program FROM steps)",
    );
    if (typeof never?.id === 'number') {
      await open(page, makePage(profilePath('control_flow'), 'control_flow'), `program?step=${never.id}`);
      expect(await executed.innerText()).toBe('0 times in the recorded runs');
    }
    await page.close();
  });

  it('compares two profiles of one page, by names that tell them apart, and says that the machines differ', async () => {
    const page = await newPage(browser);
    const paths = ['before', 'after'].map((folder) => join(kFolder, folder, 'mlp', 'profile.pop')); // as popscope run makes them
    paths.forEach((path, i) => {
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(profilePath(i === 0 ? 'waits' : 'two'), path);
    });
    const to = join(kFolder, 'both.html');
    execFileSync(kTool, ['html', ...paths, '-o', to]);
    await page.goto(`file://${to}`);
    await page.locator('h2', { hasText: 'From before/mlp/profile.pop to after/mlp/profile.pop' }).waitFor();
    const said = await page.locator('main .warning').innerText();
    expect(said).toContain('IPUs: 1 and 2.');
    expect(said).not.toContain('directory');
    expect((await tableRows(page, 'Largest differences')).length).toBeGreaterThan(0);
    await page.locator('nav a', { hasText: 'Layers' }).click();
    expect(Object.keys((await tableRows(page, 'Layers'))[0] ?? {})).toContain('In the second B');
    execFileSync(kTool, ['html', paths[0] ?? '', paths[0] ?? '', '-o', to]);
    await page.goto('about:blank');
    await page.goto(`file://${to}`);
    await page.locator('p', { hasText: 'No figure differs.' }).waitFor();
    expect(await page.locator('main .warning').count()).toBe(0);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('has one heading of the first rank and names for all that can be reached, and Esc closes what is open', async () => {
    const page = await newPage(browser);
    for (const view of kViewKeys) {
      await open(page, mlp, view.key);
      expect(await page.locator('h1').allInnerTexts(), view.key).toEqual([`${view.title}: mlp.pop`]);
      const nameless = await page.locator('a, button, input, select, textarea, [tabindex="0"], canvas').evaluateAll((elements) =>
        elements
          .filter((element) => {
            const labels = (element as HTMLInputElement).labels;
            const name = [
              element.getAttribute('aria-label'),
              element.textContent,
              element.getAttribute('title'),
              ...[...(labels ?? [])].map((l) => l.textContent),
            ];
            return name.every((text) => (text ?? '').trim() === '');
          })
          .map((element) => element.outerHTML.slice(0, 120)),
      );
      expect(nameless, view.key).toEqual([]);
      const ids = await page.locator('[id]').evaluateAll((elements) => elements.map((element) => element.id));
      expect(new Set(ids).size, view.key).toBe(ids.length);
    }
    await open(page, mlp, 'memory?tiles=3');
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    expect(page.url()).toContain('tiles=3');
    await page.keyboard.press('Escape');
    await page.waitForURL(/#memory$/);
    await page.close();
  });
});
