// The life of a variable: the view shows every access that the Python package reads.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kTool, launch, makePage, newPage, open, profilePath, tableRows } from './pages';

const env = { ...process.env, PYTHONPATH: process.env.POPSCOPE_PYTHON ?? '' };
const python = (script: string, ...words: string[]): string => execFileSync('python3', ['-c', script, ...words], { env }).toString();

/** Prints the accesses of the variables of a name as the table shows them, and one step with its access to each name. */
const kAccesses = `
import json, pva, sys
report = pva.openReport(sys.argv[1])
def part(n, of): return "" if n == 0 else "all" if n == of else "{:,} of {:,}".format(n, of)
out = []
for v in report.compilation.variables:
    rows = report.popscope.variableAccesses(v)
    if rows and len(out) < 40:
        out.append({"id": v._id, "name": v.name, "rows": [[a.program._id, part(a.read, a.elements), part(a.written, a.elements),
                    part(a.undefined, a.elements)] for a in rows]})
steps = {}
for v in report.compilation.variables:
    for a in report.popscope.variableAccesses(v):
        sums = steps.setdefault(a.program._id, {}).setdefault(v.name, [0, 0])
        sums[0] += a.read
        sums[1] += a.written
busiest = max(steps, key=lambda s: (len(steps[s]), s))
print(json.dumps({"variables": out, "step": busiest, "names": steps[busiest]}))
`;

interface Answer {
  readonly variables: readonly {
    readonly id: number;
    readonly name: string;
    readonly rows: readonly (readonly [number, string, string, string])[];
  }[];
  readonly step: number;
  readonly names: Readonly<Record<string, readonly [number, number]>>;
}

describe.skipIf(kTool === '')('the life of a variable', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => browser?.close());
  for (const name of ['liveness', 'mlp'].filter((one) => existsSync(profilePath(one)))) {
    it(`of ${name} has every access that pva has, and a step every variable that it touches`, async () => {
      const answer = JSON.parse(python(kAccesses, profilePath(name))) as Answer;
      const page = await newPage(browser);
      const html = makePage(profilePath(name), `life-${name}`);
      expect(answer.variables.length).toBeGreaterThan(5);
      for (const variable of answer.variables.slice(0, 12)) {
        await open(page, html, `liveness?variable=${variable.id}`);
        const rows = await tableRows(page, 'Steps that access it');
        expect(
          rows.map((r) => [
            Number(/\d+$/.exec(r['Step'] ?? '')?.[0]),
            r['Reads elements'],
            r['Writes elements'],
            r['Undefines elements'] ?? '',
          ]),
        ).toEqual(variable.rows.slice(0, rows.length));
        expect(rows.length).toBe(Math.min(variable.rows.length, 24)); // the page contains only the visible rows
      }
      await open(page, html, `program?step=${answer.step}`);
      const rows = await tableRows(page, 'Variables that it reads and writes');
      expect(Object.fromEntries(rows.map((r) => [r['Variable'], [r['Reads elements'], r['Writes elements']]]))).toEqual(
        Object.fromEntries(Object.entries(answer.names).map(([n, sums]) => [n, sums.map((s) => s.toLocaleString('en-US'))])),
      );
      expect(page.complaints).toEqual([]);
      await page.close();
    });
  }
  it('zooms by keys and buttons, and the fragment keeps where', async () => {
    const page = await newPage(browser);
    await open(page, makePage(profilePath('liveness'), 'life-zoom'), 'liveness?variable=1');
    const picture = page.locator('canvas[aria-label^="The life of"]');
    await picture.focus();
    await page.keyboard.press('+');
    await page.waitForFunction(() => location.hash.includes('life='));
    await page.getByText('The whole program').click();
    await page.waitForFunction(() => !location.hash.includes('life='));
    await page.getByText('Zoom to its life').click();
    await page.waitForFunction(() => /life=\d+-\d+/.test(location.hash));
    expect(page.complaints).toEqual([]);
    await page.close();
  });
});
