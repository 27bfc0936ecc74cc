// Makes the pictures of docs/VIEWER.md: the three walks from the first view, by clicks, exchanges and operands, in headless Chromium.
//
// Usage: node Pictures.mjs BUILD PROFILE FOLDER   (PROFILE: what scripts/demo.sh leaves in build/demo/report)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [build, profile, to] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(build), 'viewer', 'package.json'))('playwright-core');
const folder = mkdtempSync(join(tmpdir(), 'popscope-pictures-'));
const html = join(folder, 'profile.html');
execFileSync(join(resolve(build), 'bin', 'popscope'), ['html', profile, '-o', html]);
const browser = await chromium.launch({ executablePath: process.env.POPSCOPE_CHROMIUM ?? '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1100, height: 1400 }, colorScheme: 'light' });

const heading = (text) => page.locator('h2', { hasText: text }).first().waitFor();
const card = (title) => page.locator('section.card', { has: page.locator('h2', { hasText: title }) }).first();
async function first() {
  await page.goto('about:blank');
  await page.goto(`file://${html}#verdict`);
  await heading('Fullest tiles');
}
async function shoot(name, what = page) {
  await page.mouse.move(0, 0);
  await what.screenshot({ path: join(to, `${name}.png`), ...(what === page ? { fullPage: true } : {}) });
}

await first();
await page.mouse.move(0, 0);
await page.screenshot({ path: join(to, 'verdict.png') }); // the first screen: README shows it
await card('Fullest tiles').locator('tbody a').first().click();
await heading('Addresses of tile');
await shoot('tile', card('Addresses of tile'));
await first();
await card('Compute sets that idle most').locator('tbody a').first().click();
await heading('Run');
await page.locator('table[aria-label="The step on each IPU"]').waitFor();
await shoot('execution', card('Run'));
await first();
await card('Fullest step').locator('a').last().click(); // what is not always live
await heading('Live at step');
await page.locator('table[aria-label="Live variables"] a').first().click();
await heading('The life of');
await shoot('life', card('The life of'));
await first();
await page.keyboard.press('2');
await heading('Memory over tiles');
await shoot('memory', card('Memory over tiles'));
await page.keyboard.press('8');
await heading('Who sends to whom');
await shoot('exchange', card('Who sends to whom'));
await page.keyboard.press('5');
await heading('Compute sets');
await shoot('operands', card('Compute sets'));
await browser.close();
rmSync(folder, { recursive: true });
