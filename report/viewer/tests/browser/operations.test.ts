// Compares the view of operations with pva's own OperationAnalysis, read through the Python package, which shares no code with the page.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCompilersName } from '../../src/data/movedNames';
import { emptyPage, kTool, launch, makePage, newPage, open, profilePath, tableRows } from './pages';

const kScript = `
import json, pva, sys
report = pva.openReport(sys.argv[1], sys.argv[2])
cycles, executions = {}, {}
for run in report.execution.runs:
    end = 0
    for step in run.steps:
        id = step.program._id
        executions[id] = executions.get(id, 0) + 1
        last = max([end] + [i.allCycles.cyclesTo.max for i in step.ipus])
        cycles[id] = cycles.get(id, 0) + last - end  # by how much the run is longer for it
        end = last
def flops(f):
    if f.known:
        return ("" if f.complete else "≥ ") + format(f.operations, ",")
    return "no estimate" if f.vertices else ""
rows = []
for o in pva.OperationAnalysis(report).operations:
    ids = [p._id for p in o.programs()]
    rows.append([o.name, len(ids), sum(executions.get(i, 0) for i in ids), sum(cycles.get(i, 0) for i in ids), sum(v.bytes for v in o.vars),
                 flops(o.flops)])
print(json.dumps(rows))
`;

function operationsOfPva(profile: string): [string, number, number, number, number, string][] {
  const text = execFileSync('python3', ['-c', kScript, profile, join(dirname(profile), 'debug.cbor')], {
    env: { ...process.env, PYTHONPATH: process.env.POPSCOPE_PYTHON ?? '' },
  });
  return JSON.parse(text.toString()) as [string, number, number, number, number, string][];
}

/** Returns the name in the profile of an operation that the page shows by its kind and the variables that it moves. */
function ownName(shown: string): string {
  const kind = /^<(\w+)(?::.*)?>$/s.exec(shown)?.[1];
  return shown === 'no name' ? '' : kind === undefined ? shown : isCompilersName(kind) ? kind : '';
}

describe.skipIf(kTool === '')('operations', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => browser?.close());

  for (const name of ['layers', 'mlp', 'control_flow'].filter((n) => existsSync(profilePath(n))))
    it(`of ${name} have the steps, cycles and memory that pva gives them`, async () => {
      const page = await newPage(browser);
      await open(page, makePage(profilePath(name), `operations-${name}`), 'operations');
      const rows = await tableRows(page, 'Operations');
      const shown = rows.map((r) => [ownName(r.Operation ?? ''), r.Steps, r.Executed, r.Cycles, r['Memory B'], r.FLOPs]);
      const key = (row: readonly unknown[]) => row.join('|');
      const wanted = operationsOfPva(profilePath(name)).map((row) => [row[0], ...row.slice(1).map((v) => v.toLocaleString('en-US'))]);
      expect(wanted.length).toBeGreaterThan(0);
      expect(
        shown
          .filter((row) => row[0] !== 'in no context')
          .map(key)
          .sort(),
      ).toEqual(wanted.map(key).sort());
      expect(page.complaints).toEqual([]);
      await page.close();
    });

  it('have only the cycles of recorded steps, as popscope top counts them', async () => {
    const page = await newPage(browser);
    await open(page, makePage(profilePath('some'), 'operations-some'), 'operations');
    const counted = (values: string[]) => values.filter((v) => v !== '0').sort();
    const shown = (await tableRows(page, 'Operations')).filter((r) => r.Operation !== 'in no context').map((r) => r.Cycles ?? '');
    const top = execFileSync(kTool, ['top', profilePath('some'), '--of', 'operations', '-n', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { tables } = JSON.parse(top.toString()) as { tables: { operations: { rows: { name: string; cycles: number | null }[] } } };
    const wanted = tables.operations.rows
      .filter((row) => row.name !== '<no operation>')
      .map((row) => row.cycles?.toLocaleString('en-US') ?? '–'); // unknown: some steps have no time
    expect(wanted).toContain('–');
    expect(counted(wanted).length).toBeGreaterThan(3);
    expect(counted(shown)).toEqual(counted(wanted));
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('of a layer hold those inside of them, show the place in the code and lead to the program', async () => {
    const page = await newPage(browser);
    await open(page, makePage(profilePath('layers'), 'layers'), 'operations?layer=application&hide=,');
    const [quadruple] = (await tableRows(page, 'Operations')).filter((r) => r.Operation === 'model/quadruple');
    // Two compute sets of 64 operations, a sync and an exchange, in each of two runs.
    expect([quadruple?.Type, quadruple?.Steps, quadruple?.Vertices]).toEqual(['Quadruple', '4', '2']);
    expect([quadruple?.FLOPs, quadruple?.['FLOPs executed']]).toEqual(['128', '256']);
    await page.locator('table[aria-label="Operations"] tbody tr', { hasText: 'model/quadruple' }).click();
    await page.locator('h2', { hasText: 'model/quadruple' }).waitFor();
    expect(await page.locator('main').innerText()).toMatch(/ViewerPrograms\.cpp:\d+/);
    await page.locator('a', { hasText: 'Mark it in the program' }).click();
    await page.locator('.node.marked, .node.selected').first().waitFor();
    expect(await page.locator('main').innerText()).toContain('4 steps of an operation marked');
    await page.close();
  });

  it('stand as a tree of names, in which a part has the steps and cycles of all inside of it', async () => {
    const page = await newPage(browser);
    await open(page, makePage(profilePath('mlp'), 'operations-tree'), 'operations');
    const flat = await tableRows(page, 'Operations');
    await page.locator('main label', { hasText: 'Layer' }).locator('select').selectOption('/');
    const tree = await tableRows(page, 'Operations');
    const count = (text: string | undefined) => Number((text ?? '').replace(/,/g, ''));
    for (const layer of ['Layer1', 'Layer3', 'init']) {
      const parts = flat.filter((row) => row.Operation === layer || row.Operation?.startsWith(`${layer}/`));
      const [whole] = tree.filter((row) => row.Operation === layer);
      expect(parts.length, layer).toBeGreaterThan(1);
      for (const column of ['Steps', 'Executed', 'Cycles', 'Exchange code B'])
        expect(count(whole?.[column]), `${layer} ${column}`).toBe(parts.reduce((sum, row) => sum + count(row[column]), 0));
    }
    await page.locator('table[aria-label="Operations"] tbody tr', { hasText: 'Multiply' }).first().click();
    await page.locator('h2', { hasText: 'Multiply' }).waitFor();
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  it('come with a debug.cbor that is dropped later, and a damaged one is named in a sentence', async () => {
    const page = await newPage(browser);
    const profile = profilePath('layers');
    await open(page, emptyPage(), 'operations');
    await page.locator('input[type=file]').setInputFiles(profile);
    await page.locator('body[data-shown="layers.pop"]').waitFor();
    expect(await page.locator('main').innerText()).toContain('autoReport.outputDebugInfo');
    const debug = readFileSync(join(dirname(profile), 'debug.cbor'));
    const drop = async (name: string, buffer: Buffer) => {
      await page.locator('main input[type=file]').setInputFiles({ name, mimeType: 'application/cbor', buffer });
      await page.locator(`body[data-shown="${name}"]`).waitFor();
    };
    await drop('wrong.cbor', debug.subarray(0, 100));
    expect(await page.locator('[role=alert]').innerText()).toContain('wrong.cbor is not debug information');
    await drop('debug.cbor', debug);
    expect((await tableRows(page, 'Operations')).length).toBeGreaterThan(5);
    expect(await page.locator('[role=alert]').count()).toBe(0);
    expect(page.complaints).toEqual([]);
    await page.close();
  });
});
