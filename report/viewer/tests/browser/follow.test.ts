// Tests `popscope view --follow`: the page of a running program shows each run once it is committed, and sends requests only to its own
// server.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kFolder, kTool, launch, newPage } from './pages';

/** Returns a function that reads the next line of a program's output. */
function linesOf(program: ChildProcess): () => Promise<string> {
  const lines = createInterface({ input: program.stdout! })[Symbol.asyncIterator]();
  return async () => String((await lines.next()).value);
}

describe.skipIf(kTool === '')('a followed program', () => {
  let browser: Browser;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    for (const child of children) child.kill();
    await browser?.close();
  });
  const start = (command: string, args: readonly string[], env: Record<string, string>) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    return child;
  };

  it('shows runs as they are committed, on loopback only, and keeps the view', async () => {
    const folder = join(kFolder, 'live');
    mkdirSync(folder);
    const view = start(kTool, ['view', '--follow', join(folder, 'profile.pop')], { BROWSER: '', DISPLAY: '', WAYLAND_DISPLAY: '' });
    const address = await linesOf(view)();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
    const page = await newPage(browser);
    await page.goto(`${address}#execution`);
    await page.locator('[role=status]', { hasText: 'Waiting for profile.pop' }).waitFor();
    const program = start(join(dirname(kTool), 'viewer_programs'), ['live'], {
      POPLAR_ENGINE_OPTIONS: JSON.stringify({
        'autoReport.all': 'true',
        'autoReport.directory': folder,
        'autoReport.executionProfileProgramRunCount': '10',
      }),
    });
    const said = linesOf(program);
    expect(await said()).toBe('ready');
    const runs = async (count: number) => {
      program.stdin!.write(`run number ${count}\n`);
      expect(await said()).toBe('ran');
      if (count > 1) await page.locator('nav', { hasText: 'Follows profile.pop' }).waitFor();
      await page.waitForFunction(
        (n) =>
          n === 1
            ? document.querySelector('h2')?.textContent?.startsWith('Run 0')
            : document.querySelectorAll('label.choice select')[0]?.children.length === n,
        count,
      );
    };
    for (const count of [1, 2, 3]) await runs(count);
    expect(page.url()).toContain('#execution');
    expect(await page.locator('nav .file').innerText()).toContain('(not complete)');
    program.stdin!.end();
    await page.waitForFunction(() => !document.querySelector('nav .file')?.textContent?.includes('not complete'));
    const asked = page.complaints.filter((c) => !c.startsWith(`request: ${address}`) && !/status of (404|503)/.test(c));
    expect(asked).toEqual([]);
    // The server refuses requests without the secret, and requests under another host's name.
    const { port, pathname } = new URL(address);
    const statusOf = (path: string, host: string) =>
      new Promise<number>((done) => request({ host: '127.0.0.1', port, path, headers: { host } }, (r) => done(r.statusCode ?? 0)).end());
    expect(await statusOf('/', `127.0.0.1:${port}`)).toBe(404);
    expect(await statusOf('/state', `127.0.0.1:${port}`)).toBe(404);
    expect(await statusOf(`${pathname}state`, 'elsewhere.example')).toBe(403);
    expect(await statusOf(`${pathname}state`, `127.0.0.1:${port}`)).toBe(200);
    const ended = new Promise<number | null>((done) => view.once('exit', (code) => done(code)));
    view.kill('SIGINT');
    expect(await ended).toBe(0);
    await page.locator('nav', { hasText: 'popscope view has ended' }).waitFor();
    await page.close();
  });
});
