// The advice of the page: changes that make a program fit, what bounds it, other machines, and the layer that takes the memory. Each number
// equals that of the command line or of SQL on the file.
import { execFileSync, spawnSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

type Json = { facts: Record<string, number>; tables: Record<string, { rows: Record<string, number | string>[] }> };

function ask(...words: string[]): Json {
  return JSON.parse(execFileSync(kTool, [...words, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()) as Json;
}
const number = (text: string | undefined): number => Number((text ?? '').replace(/[^\d−-]/g, '').replace('−', '-'));

/** Moves a slider to the value with the given text. */
async function slide(page: Page, label: string, shown: string): Promise<void> {
  const slider = page.locator('label.slider', { hasText: label });
  const most = Number(await slider.locator('input').getAttribute('max'));
  for (let i = 0; i <= most; ++i) {
    await slider.locator('input').fill(String(i));
    if ((await slider.locator('output').innerText()).startsWith(shown)) return;
  }
  throw new Error(`${label} has no ${shown}`);
}

describe.skipIf(kTool === '')('what the page says to do', () => {
  let browser: Browser;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    browser = await launch();
    for (const name of ['mlp', 'overfull', 'cure', 'waits', 'control_flow', 'pod']) pages.set(name, makePage(profilePath(name), name));
  });
  afterAll(async () => browser?.close());

  it('names first the changes that make a program fit, with their tiles and variables', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('cure') ?? '', 'verdict');
    const headings = await page.locator('main .card h2').allInnerTexts();
    expect(headings.slice(0, 2)).toEqual(['It does not fit', 'What makes it fit']);
    const fit = ask('fit', profilePath('cure'));
    const rows = await tableRows(page, 'Changes');
    expect(rows.map((row) => row.Change)).toEqual(fit.tables.changes?.rows.map((row) => row.change));
    expect(rows.length).toBe(fit.facts.numChanges);
    // Each change has the tile that it relieves and that tile's fullest step; the link shows both.
    for (const [i, change] of (fit.tables.changes?.rows ?? []).entries()) {
      expect(number(rows[i]?.Tile)).toBe(change.tile);
      expect(rows[i]?.['Fullest at']).toMatch(new RegExp(` ${change.step}$`));
    }
    await page.locator('table[aria-label="Changes"] tbody tr').first().locator('a').last().click();
    await page.waitForURL(/#tile\?tile=\d+&step=\d+/);
    const [{ tile, step } = {}] = fit.tables.changes?.rows ?? [];
    await page.locator('h2', { hasText: `Addresses of tile ${tile}` }).waitFor();
    await page.locator('h2', { hasText: `At step ${step}:` }).waitFor();
    await page.locator('p', { hasText: `the fullest step of this tile is ${step} with` }).waitFor();
    // The saving of each proposal alone equals that of `popscope advise`.
    await open(page, pages.get('cure') ?? '', 'verdict');
    const { changes: proposals, effects } = ask('advise', profilePath('cure')).tables;
    const shown = await tableRows(page, 'Proposals that help, best first');
    expect(shown.map((row) => [row['No.'], row.Change, number(row.Tile)])).toEqual(
      proposals?.rows.map((row) => [String(row.number), row.change, row.tile]),
    );
    const gains = await tableRows(page, 'What each proposal changes');
    expect(gains.map((row) => [row['No.'], number(row['Past end B'])])).toEqual(
      effects?.rows.map((row) => [String(row.number), row.pastEnd]),
    );
    expect(gains.length).toBeGreaterThan(0);
    // A variable in a proposal links to the steps of its life.
    await open(page, pages.get('cure') ?? '', 'verdict');
    const moved = page.locator('table[aria-label="Changes"] a[href^="#liveness"]').first();
    const name = await moved.innerText();
    await moved.click();
    await page.locator('h2', { hasText: `The life of ${name}` }).waitFor();
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('says what must go at least where no change was tried', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('overfull') ?? '', 'verdict');
    const [must] = ask('oom', profilePath('overfull')).tables.mustGo?.rows ?? [];
    const [row] = await tableRows(page, 'What must go from tile 1 at least');
    expect(row?.Name).toBe(must?.name);
    expect(number(row?.['Bytes less B'])).toBe(must?.bytes);
    // The sentences speak of "the table below": the variables to map to more tiles.
    const fit = spawnSync(kTool, ['fit', profilePath('overfull'), '--json']); // ends with 1, because the program does not fit
    const { spread } = (JSON.parse(fit.stdout.toString()) as Json).tables;
    expect(spread?.rows.length).toBeGreaterThan(0);
    const label = 'Variables to map to more tiles, which make tile 1 full';
    expect((await tableRows(page, label)).map((one) => [one.Name, number(one['Bytes less B'])])).toEqual(
      spread?.rows.map((one) => [one.name, one.less]),
    );
    await page.close();
  });

  it('says for each tile that does not fit what must go, and what is enough alone', async () => {
    const page = await newPage(browser);
    const profile = profilePath('overfull_twice');
    await open(page, makePage(profile, 'overfull_twice'), 'verdict');
    const tiles = sql(profile, 'SELECT tile FROM tiles_out_of_memory ORDER BY tile').map((row) => Number(row.tile));
    expect(tiles).toEqual([2, 5]);
    for (const tile of tiles) {
      const { mustGo, enoughAlone } = ask('oom', profile, '--tiles', String(tile)).tables;
      const shown = async (label: string) => (await tableRows(page, label)).map((row) => [row.Name, number(row['Bytes less B'])]);
      expect(await shown(`What must go from tile ${tile} at least`)).toEqual(mustGo?.rows.map((row) => [row.name, row.bytes]));
      if (tile === 5) expect(enoughAlone?.rows.map((row) => row.name)).toEqual(['state', 'more']);
      if (enoughAlone)
        expect(await shown(`Each of these alone is enough on tile ${tile}`)).toEqual(enoughAlone.rows.map((row) => [row.name, row.bytes]));
    }
    // A name links to the life of its variable.
    await page.locator('table[aria-label="What must go from tile 2 at least"] a', { hasText: 'weights' }).click();
    await page.locator('h2', { hasText: 'The life of weights' }).waitFor();
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('says what binds the length of the runs, with a sum', async () => {
    const page = await newPage(browser);
    for (const name of ['mlp', 'waits', 'control_flow', 'pod']) {
      const bound = ask('loss', profilePath(name)).tables.bound?.rows ?? [];
      await open(page, pages.get(name) ?? '', 'verdict');
      if (bound.length === 0) {
        expect(await page.locator('h2', { hasText: 'Bound by' }).count(), name).toBe(0);
        continue;
      }
      const rows = await tableRows(page, 'What bounds the length');
      expect(rows.map((row) => number(row['On the path cycles']))).toEqual(bound.map((row) => row.cycles));
      const sum = bound.reduce((all, row) => all + Number(row.cycles), 0);
      await page.locator('p', { hasText: `Together ${sum.toLocaleString('en-US')} cycles` }).waitFor();
    }
    await page.close();
  });

  it('costs the runs on other machines as popscope whatif does, to the cycle', async () => {
    const page = await newPage(browser);
    for (const name of ['mlp', 'waits', 'pod']) {
      await open(page, pages.get(name) ?? '', 'whatif');
      const sync = number((await page.locator('label.slider', { hasText: 'Sync' }).locator('output').innerText()).split(' ')[0]);
      for (const [workers, exchange, delay] of [
        [3, 4, sync],
        [6, 8, sync],
        [12, 16, sync * 2],
        [1, 1, sync / 2],
      ] as const) {
        await slide(page, 'Workers', `${workers}`);
        await slide(page, 'Exchange', `${exchange} B`);
        await slide(page, 'Sync', `${delay} `);
        const expected = ask(
          'whatif',
          profilePath(name),
          ...['--workers', `${workers}`, '--exchange-bytes-per-cycle', `${exchange}`, '--sync-delay', `${delay}`],
        );
        const shown = await page.locator('main .headline').innerText();
        expect(number(shown.split(' ')[0]), `${name} ${workers} ${exchange} ${delay}`).toBe(expected.facts.cycles);
        const rows = await tableRows(page, 'Length of the runs by kind of step');
        expect(rows.map((row) => [row['Kind of step'], number(row['There cycles'])])).toEqual(
          expected.tables.kinds?.rows.map((row) => [row.kind, row.after]),
        );
      }
    }
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('states why the runs of a profile cannot be estimated, as popscope whatif does', async () => {
    const [page, profile] = [await newPage(browser), profilePath('some')];
    const { stderr } = spawnSync(kTool, ['whatif', profile, '--workers', '4'], { encoding: 'utf8' });
    const reason = stderr.trim().replace('popscope whatif: ', '');
    expect(reason).toContain('cannot be estimated');
    await open(page, makePage(profile, 'some-whatif'), 'whatif');
    expect((await page.locator('main').innerText()).toLowerCase()).toContain(reason.toLowerCase());
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('says what fits a tile of another size as popscope whatif does, and keeps the machine in the link', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('mlp') ?? '', 'whatif');
    await slide(page, 'Memory', '65,536');
    const { facts } = ask('whatif', profilePath('mlp'), '--tile-memory', '65536');
    const words = `${facts.tilesThatFit?.toLocaleString('en-US')} of 1,216 tiles fit as they are laid out, ${facts.tilesThatDoNotFit?.toLocaleString('en-US')} cannot, and ${facts.tilesNotKnown?.toLocaleString('en-US')} would`;
    await page.locator('p', { hasText: words }).waitFor();
    const command = await page.locator('main .card code').first().innerText();
    expect(command).toBe('popscope whatif mlp.pop --tile-memory 65536');
    const url = page.url();
    await page.close();
    const again = await newPage(browser);
    await again.goto(url);
    await again.locator('p', { hasText: words }).waitFor();
    await again.close();
  });

  it('has layers whose parts add up to the whole, in one click', async () => {
    const page = await newPage(browser);
    const one = (query: string, name: string) => Number(sql(profilePath(name), query)[0]?.v);
    for (const name of ['mlp', 'waits', 'overfull']) {
      await open(page, pages.get(name) ?? '', 'verdict');
      await page.locator('nav a', { hasText: 'Layers' }).click();
      for (const [measure, query] of [
        ['peak', 'SELECT max(size_bytes) + (SELECT always_live FROM liveness_totals) AS v FROM liveness_steps'],
        ['always', 'SELECT always_live AS v FROM liveness_totals'],
        ['cycles', 'SELECT sum(total_cycles) AS v FROM execution_cycle_totals'],
      ] as const) {
        await page.locator('label', { hasText: 'Of' }).locator('select').first().selectOption(measure);
        const rows = await tableRows(page, 'Layers');
        const sum = rows.reduce((all, row) => all + number(row['Bytes B'] ?? row['Cycles']), 0);
        expect(sum, `${name} ${measure}`).toBe(one(query, name));
        // No compute set's state and no exchange's code stays in a part of its own: both have a name.
        for (const row of rows) expect(row.Layer).not.toMatch(/^(Vertex instances|Internal exchange code)$/);
      }
    }
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('opens a layer by a click on the picture or a row, finds one, and draws a treemap', async () => {
    const page = await newPage(browser);
    await open(page, pages.get('mlp') ?? '', 'layers?of=cycles');
    await page.locator('table[aria-label="Layers"] tbody tr', { hasText: 'Layer1' }).first().click();
    await page.waitForURL(/path=Layer1/);
    await page.goBack();
    const canvas = page.locator('main .picture canvas');
    const box = await canvas.boundingBox();
    await canvas.click({ position: { x: (box?.width ?? 0) * 0.1, y: 33 } });
    await page.waitForURL(/path=Layer1/);
    await page.locator('input[aria-label="Find a layer"]').fill('dense');
    await page.waitForURL(/find=dense/);
    await open(page, pages.get('mlp') ?? '', 'layers?of=cycles&find=dense');
    expect((await tableRows(page, 'Layers')).every((row) => /dense/i.test(row.Layer ?? ''))).toBe(true);
    await open(page, pages.get('mlp') ?? '', 'layers?plot=map');
    await canvas.hover({ position: { x: 40, y: 60 } });
    expect(await page.locator('.tip').innerText()).toMatch(/% of all/);
    expect(page.complaints).toEqual([]);
    await page.close();
  });
});
