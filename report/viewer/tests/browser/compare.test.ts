// Compares the bytes of the view Compare with `popscope diff`, which shares no code with the page.
import { execFileSync } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categoryLabel } from '../../src/derived/names';
import { kTool, launch, makePage, newPage, open, profilePath, tableRows } from './pages';

interface Change {
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** Returns the changed numbers of bytes. Code and data that the compiler adds to a program have names of their own. */
function changedBytes(before: string, after: string): Change[] {
  const text = execFileSync(kTool, ['diff', before, after, '-n', '0', '--json']).toString();
  return (JSON.parse(text) as { tables: { bytes: { rows: Change[] } } }).tables.bytes.rows;
}

const whole = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en-US'));

describe.skipIf(kTool === '')('two profiles of one program', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  for (const [before, after] of [
    ['overfull', 'overfull_twice'],
    ['layers', 'waits'],
  ] as const)
    it(`have the bytes of popscope diff: ${before} and ${after}`, async () => {
      const page = await newPage(browser);
      await open(page, makePage(profilePath(before), before), 'compare');
      await page.locator('main input[type=file]').setInputFiles(profilePath(after));
      const changes = changedBytes(profilePath(before), profilePath(after));
      const expected = (pattern: RegExp, label: (name: string) => string) =>
        changes.flatMap(({ name, before: was, after: is }) => {
          const [, key] = pattern.exec(name) ?? [];
          return key === undefined ? [] : [`${label(key)}: ${whole(was)} ${whole(is)}`];
        });
      const shown = async (title: string) =>
        (await tableRows(page, title)).map((row) => `${row.What}: ${row.Before} ${row.After}`).filter((row) => !/\(.*\): /.test(row));
      const categories = expected(/^category\.(.*)$/, categoryLabel);
      expect(categories.length).toBeGreaterThan(0);
      expect((await shown('Categories')).sort()).toEqual(categories.sort());
      expect((await shown('Variables')).sort()).toEqual(expected(/^variable\.(.*)\.bytes$/, (name) => name).sort());
      expect((await shown('Vertex types')).sort()).toEqual(expected(/^vertexType\.(.*)\.bytes$/, (name) => name).sort());
      const totals = new Map((await tableRows(page, 'Totals')).map((row) => [row.What, `${row.Before} ${row.After}`]));
      for (const [number, title] of [
        ['bytes.fullestTile', 'Occupied on the fullest tile'],
        ['bytes.allTiles', 'Occupied over all tiles'],
        ['bytes.live', 'Fullest step, live bytes'],
        ['bytes.alwaysLive', 'Always live'],
        ['bytes.exchangeCode', 'Exchange code'],
      ] as const) {
        const change = changes.find(({ name }) => name === number);
        expect(totals.get(title), title).toBe(change && `${whole(change.before)} ${whole(change.after)}`);
      }
      expect(page.complaints).toEqual([]);
      await page.close();
    });
});
