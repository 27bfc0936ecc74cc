// Shared by browser tests: Debian's Chromium, and pages that `popscope html` (POPSCOPE_TOOL) writes from profiles that CMake names.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { formatRoute, parseRoute } from '../../src/app/route';

export const kTool = process.env.POPSCOPE_TOOL ?? '';
export const kProfiles = process.env.POPSCOPE_PROFILES ?? '';
export const kFolder = mkdtempSync(join(tmpdir(), 'popscope-viewer-'));
afterAll(() => rmSync(kFolder, { recursive: true, force: true }));

export function profilePath(name: string): string {
  return join(kProfiles, name, `${name}.pop`);
}

export function makePage(profile: string, name: string): string {
  const to = join(kFolder, `${name}.html`);
  execFileSync(kTool, ['html', profile, '-o', to], { stdio: ['ignore', 'pipe', 'inherit'] });
  return to;
}

/** Writes the empty viewer, for files that `popscope html` would refuse. */
export function emptyPage(): string {
  const to = join(kFolder, 'empty.html');
  execFileSync(kTool, ['html', '-o', to], { stdio: ['ignore', 'pipe', 'inherit'] });
  return to;
}

export function sql(profile: string, query: string): Record<string, number | string | null>[] {
  const text = execFileSync(kTool, ['sql', profile, query, '--json'], { maxBuffer: 1 << 28 }).toString();
  return JSON.parse(text) as Record<string, number | string | null>[];
}

export async function launch(): Promise<Browser> {
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
  args.push('--disable-background-networking', '--disable-component-update', '--disable-sync');
  return chromium.launch({ executablePath: process.env.POPSCOPE_CHROMIUM ?? '/usr/bin/chromium-headless-shell', args });
}

/** Opens a page that records its console messages and errors. */
export async function newPage(browser: Browser): Promise<Page & { readonly complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() !== 'info' && complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => !/^(file|data|blob):/.test(request.url()) && complaints.push(`request: ${request.url()}`));
  return Object.assign(page, { complaints });
}

export async function open(page: Page, file: string, route: string): Promise<void> {
  await page.goto(`file://${file}#${route}`);
  const shown = JSON.stringify(formatRoute(parseRoute(`#${route}`)));
  await page.waitForSelector(`body[data-shown][data-route=${shown}] :is(main, .welcome)`);
}

/** Returns the rows of a table in the page, keyed by column titles. */
export async function tableRows(page: Page, label: string): Promise<Record<string, string>[]> {
  const table = page.locator(`table[aria-label="${label}"]`).first();
  await table.waitFor();
  const lines = await table
    .locator('tr:not([aria-hidden])')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())));
  const titles = (lines[0] ?? []).map((title) => title.replace(/ [▾▴]$/, ''));
  return lines.slice(1).map((cells) => Object.fromEntries(titles.map((title, i) => [title, cells[i] ?? ''])));
}

/** Drops files on the page, as a user does. */
export async function drop(page: Page, files: readonly { readonly name: string; readonly bytes: Buffer }[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (dropped) => {
      const transfer = new DataTransfer();
      for (const { name, data } of dropped) transfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
      return transfer;
    },
    files.map(({ name, bytes }) => ({ name, data: bytes.toString('base64') })),
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer });
  await dataTransfer.dispose();
}
