// Working with the page: notes in a link, files that were opened before, the distinction of two profiles, tiles at their positions on the
// chip, and one late tile of 1,472.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseNotes } from '../../src/derived/bookmarks';
import { emptyPage, kFolder, kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

const kLate = 1040; // the late tile of ViewerPrograms.cpp

describe.skipIf(kTool === '')('working with the viewer', () => {
  let browser: Browser;
  let waits = '';
  let late = '';
  beforeAll(async () => {
    browser = await launch();
    waits = makePage(profilePath('waits'), 'working-waits');
    late = makePage(profilePath('late'), 'working-late');
  });
  afterAll(async () => browser?.close());

  const note = async (page: Page, text: string) => {
    await page.keyboard.press('n');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
  };
  const notesOf = (page: Page) => parseNotes(new URL(page.url()).hash);

  it('keeps notes in the address through all views, and a copy of the address opens with them', async () => {
    const page = await newPage(browser);
    await open(page, waits, 'memory?tiles=3');
    await note(page, 'tile 3 & <b>its</b> code');
    await page.locator('nav a', { hasText: 'Execution' }).click();
    await page.locator('h2', { hasText: 'Run' }).first().waitFor();
    await note(page, 'who is late?');
    const expected = [
      { route: 'memory?tiles=3', text: 'tile 3 & <b>its</b> code' },
      { route: 'execution', text: 'who is late?' },
    ];
    expect(notesOf(page)).toEqual(expected);
    await page.keyboard.press('4');
    await page.locator('h2', { hasText: 'Live bytes' }).waitFor();
    expect(notesOf(page)).toEqual(expected);
    await page.goBack(); // to an entry that is older than the second note
    await page.goBack();
    await page.locator('h2', { hasText: /^Tile 3$/ }).waitFor();
    expect(notesOf(page)).toEqual(expected);
    expect(await page.locator('.noted').innerText()).toBe('tile 3 & <b>its</b> code');

    const second = await newPage(browser);
    await second.goto(page.url());
    await second.locator('.noted').waitFor();
    await second.locator('summary', { hasText: 'Notes (2)' }).click();
    await second.locator('.notelist a', { hasText: 'who is late?' }).click();
    await second.locator('h2', { hasText: 'Run' }).first().waitFor();
    expect(new URL(second.url()).hash.startsWith('#execution?note=')).toBe(true);
    for (let left = 1; left >= 0; --left) {
      await second.locator('.notelist button').first().click();
      expect(notesOf(second).length).toBe(left);
    }
    await second.reload();
    await second.locator('h2', { hasText: 'Run' }).first().waitFor();
    expect(notesOf(second)).toEqual([]);
    for (const one of [page, second]) {
      expect(one.complaints).toEqual([]);
      await one.close();
    }
  });

  it('opens another profile from the menu, and the first one again', async () => {
    const page = await newPage(browser);
    await open(page, waits, 'verdict');
    await page.locator('summary.file').click();
    await page.locator('nav input[type=file]').setInputFiles(profilePath('two'));
    await page.locator('summary.file', { hasText: 'two.pop' }).waitFor();
    await page.locator('summary.file').click();
    expect(await page.locator('nav .recent button.plain').allInnerTexts()).toEqual(['waits.pop']);
    await page.locator('nav .recent button', { hasText: 'waits.pop' }).click();
    await page.locator('summary.file', { hasText: 'waits.pop' }).waitFor();
    expect((await tableRows(page, 'Recorded runs')).length).toBe(1);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('remembers a dropped file for a later page by its name alone', async () => {
    const page = await newPage(browser);
    const file = emptyPage();
    await open(page, file, '');
    const drag = await page.context().newCDPSession(page);
    const data = { items: [], files: [profilePath('two')], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await drag.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
    await page.locator('summary.file', { hasText: 'two.pop' }).waitFor();
    // The browser keeps the file's handle, if it supports handles; the page stores nothing else.
    await page.waitForFunction(async () => (await indexedDB.databases()).some((one) => one.name === 'popscope'));
    await page.reload();
    await page.locator('.welcome .recent button.plain', { hasText: 'two.pop' }).waitFor();
    await page.locator('.welcome .recent button', { hasText: 'Forget them' }).click();
    await page.locator('.recent').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.welcome').waitFor();
    expect(await page.locator('.recent').count()).toBe(0);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('tells two profiles of one name apart by programs, folder and time', async () => {
    const page = await newPage(browser);
    const copy = join(kFolder, 'elsewhere', 'waits.pop');
    mkdirSync(join(kFolder, 'elsewhere'), { recursive: true });
    copyFileSync(profilePath('two'), copy);
    await open(page, waits, 'compare');
    await page.locator('main input[type=file]').setInputFiles(copy);
    const rows = await tableRows(page, 'The two profiles');
    expect(rows.map((row) => row.Profile)).toEqual(['Program', 'Runs', 'Folder', 'Written', 'Machine']);
    const of = (what: string) => Object.values(rows.find((row) => row.Profile === what) ?? {}).slice(1);
    expect(of('Program')).toEqual(['viewer_programs', 'viewer_programs']);
    expect(of('Runs')).toEqual(['program 0', 'program 0']); // both have a run without a name
    for (const [i, name] of ['waits', 'two'].entries()) {
      const [folder] = sql(profilePath(name), "SELECT value AS v FROM options WHERE key = 'autoReport.directory'");
      expect(of('Folder')[i]).toBe(folder?.v);
    }
    expect(of('Written').every((time) => /\d{4}/.test(time))).toBe(true);
    expect(of('Machine')[1]).toContain('2 × 8 tiles');
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('compares no cycles with a profile that has no run', async () => {
    const page = await newPage(browser);
    await open(page, waits, 'compare');
    await page.locator('main input[type=file]').setInputFiles(profilePath('cure'));
    const rows = await tableRows(page, 'Largest differences');
    expect(rows.map((row) => row.Of)).not.toContain('cycles');
    expect(rows.map((row) => row.Of)).not.toContain('steps');
    expect(rows.length).toBeGreaterThan(5);
    await page.locator('.warning li', { hasText: 'cure.pop has no recorded run: cycles are not compared.' }).waitFor();
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('shows tiles as they lie on the chip where that is known, in all pictures', async () => {
    const page = await newPage(browser);
    await open(page, late, 'memory?plot=map');
    await page.locator('label', { hasText: 'Order' }).locator('select').selectOption('physical');
    expect(page.url()).toContain('order=physical');
    await page.keyboard.press('p');
    await page.keyboard.press('ArrowRight'); // from tile 0
    await page.locator('h2', { hasText: /^Tile 90$/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('h2', { hasText: /^Tile 91$/ }).waitFor();
    await open(page, late, 'memory?order=physical&tiles=90');
    await page.keyboard.press('p');
    await page.keyboard.press('ArrowRight'); // number 1 to number 2
    await page.locator('h2', { hasText: /^Tile 1$/ }).waitFor();
    await open(page, waits, 'memory?plot=map');
    expect(await page.locator('label', { hasText: 'Order' }).count()).toBe(0);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('finds the late tile of 1,472, by its number and in the picture', async () => {
    const page = await newPage(browser);
    await open(page, late, 'execution?sort=caused');
    const [first] = await tableRows(page, 'Tiles of the run');
    expect(Number((first?.Tile ?? '').replace(/,/g, ''))).toBe(kLate);
    await page.locator('table[aria-label="Tiles of the run"] tbody tr').first().click();
    const chart = page.locator('canvas[aria-label^="Execution of run"]');
    const box = (await chart.boundingBox())!;
    await page.locator('[role=status]', { hasText: 'still being read' }).waitFor({ state: 'detached' });
    await page.mouse.move(box.x + box.width / 2, box.y + 12); // the first of sixteen rows, in the middle of the run
    expect(await page.locator('.tip').innerText()).toMatch(/^Tile 1040[\s\S]*works in uneven/);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    expect(await page.locator('.tip').innerText()).toMatch(/waits in [\s\S]* for tile 1040/);
    await page.mouse.move(0, 0);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('shows all of a few IPUs at first, since a late tile is on any of them', async () => {
    const page = await newPage(browser);
    await open(page, makePage(profilePath('two'), 'working-two'), 'execution');
    expect((await tableRows(page, 'Tiles of the run')).length).toBe(16);
    expect(page.complaints).toEqual([]);
    await page.close();
  });
});
