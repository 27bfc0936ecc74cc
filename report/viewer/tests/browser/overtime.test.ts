// All tiles at a step: compares the bytes of each with the addresses in the file; tests the slider, playing, and the chain that keeps a
// variable alive.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRoute } from '../../src/app/route';
import { kTool, launch, makePage, newPage, open, profilePath, sql } from './pages';

const number = (text: string | undefined): number => Number((text ?? '').replace(/[^\d]/g, ''));

/** Sums the bytes that are in place on each tile at a step, from the addresses in the file. */
const kHeld = (step: number, where: string) =>
  `SELECT v.tile AS tile, sum(v.size_bytes) AS b FROM vars_info v JOIN var_categories c ON c.id = v.category WHERE ${where} AND (v.always_live OR EXISTS (
   SELECT 1 FROM equivalence_class_intervals i WHERE i.class = v.equivalence_class AND i.first_program <= ${step} AND ${step} < i.end_program))
   GROUP BY v.tile ORDER BY b DESC, v.tile`;

describe.skipIf(kTool === '')('tiles over time', () => {
  let browser: Browser;
  let mlp = '';
  beforeAll(async () => {
    browser = await launch();
    mlp = makePage(profilePath('mlp'), 'overtime');
  });
  afterAll(async () => browser?.close());

  it('shows what every tile holds at a step, of all, of a category, of a region, and what is left', async () => {
    const page = await newPage(browser);
    const steps = sql(profilePath('mlp'), 'SELECT program AS p FROM liveness_steps ORDER BY size_bytes DESC LIMIT 2');
    const [target] = sql(profilePath('mlp'), 'SELECT bytes_per_tile AS b, (SELECT count(*) FROM memory_by_tile) AS n FROM target');
    for (const { p } of [...steps, { p: 0 }])
      for (const [of, where] of [
        ['', '1'],
        ['stack', "c.name = 'stack'"],
        ['message', "c.name = 'message'"],
        ['region:0', 'v.offset < (SELECT CASE WHEN interleaved_offset > 0 THEN interleaved_offset ELSE bytes_per_tile END FROM target)'],
        ['headroom', '1'],
      ] as const) {
        await open(page, mlp, `memory?plot=time&step=${p}&of=${of}`);
        const rows = sql(profilePath('mlp'), kHeld(Number(p), where));
        const said = await page.locator('main .card p', { hasText: 'on all tiles' }).innerText();
        const [, tile, most, , all] = /tile (\d+): ([\d,]+) \S+ of ([\d,]+) \S+; ([\d,]+) /.exec(said) ?? [];
        const sum = rows.reduce((total, row) => total + Number(row.b), 0);
        const first = Number(rows[0]?.b ?? 0);
        if (of === 'headroom')
          expect([number(most), number(all)]).toEqual([Number(target?.b) - first, Number(target?.b) * Number(target?.n) - sum]);
        else expect([number(most), number(all)], `${String(p)} ${of}`).toEqual([first, sum]);
        if (rows.length > 0) expect(Number(tile)).toBe(rows[0]?.tile);
      }
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('scrubs by keys and plays to the end', async () => {
    const page = await newPage(browser);
    const programs = sql(profilePath('mlp'), 'SELECT program AS p FROM liveness_steps ORDER BY id').map((r) => String(r.p));
    await open(page, mlp, `memory?plot=time&step=${programs[3]}`);
    await page.locator('input[type=range]').focus();
    await page.keyboard.press('ArrowRight');
    const step = () => parseRoute(new URL(page.url()).hash).params.step;
    expect(step()).toBe(programs[4]);
    await open(page, mlp, `memory?plot=time&step=${programs[programs.length - 4]}`);
    await page.locator('button', { hasText: 'Play' }).click();
    await page.waitForFunction((last) => location.hash.includes(`step=${last}`), programs[programs.length - 1]);
    await page.locator('button', { hasText: 'Play' }).waitFor(); // playing stops there
    await page.close();
  });

  it('shows what keeps a variable alive, and goes along', async () => {
    const page = await newPage(browser);
    const [why] = sql(
      profilePath('mlp'),
      `SELECT e.variable AS v, e.read AS r, e.born AS b FROM liveness_explanations e WHERE e.born IS NOT NULL AND EXISTS
       (SELECT 1 FROM variable_accesses a WHERE a.program = e.read AND a.written > 0 AND a.variable <> e.variable) ORDER BY e.id LIMIT 1`,
    );
    const written = sql(
      profilePath('mlp'),
      `SELECT DISTINCT s.string AS n FROM variable_accesses a JOIN liveness_variables l ON l.id = a.variable JOIN vars_string_table s ON s.id = l.name
       WHERE a.program = ${why?.r} AND a.written > 0`,
    ).map((r) => String(r.n));
    await open(page, mlp, `liveness?variable=${why?.v}`);
    // Boxes by column: variables that were read, steps that wrote it, the variable, steps for which it is kept, variables that these write.
    const boxes = (column: number) => page.locator(`.chainbox[data-column="${column}"]`);
    expect(await boxes(1).locator(`a[href*="step=${why?.b}"]`).count()).toBeGreaterThan(0);
    expect(await boxes(3).locator(`a[href*="step=${why?.r}"]`).count()).toBeGreaterThan(0);
    const lines = await page.locator('.chaingraph path').count();
    expect(lines).toBeGreaterThanOrEqual((await boxes(1).count()) + (await boxes(3).count()));
    const next = boxes(4).locator('a').first();
    const name = await next.innerText();
    expect(written.some((w) => w === name || w.startsWith(name.slice(0, 12)))).toBe(true);
    await next.click();
    await page.locator('h2', { hasText: `The life of ${name}` }).waitFor();
    expect(page.complaints).toEqual([]);
    await page.close();
  });
});
