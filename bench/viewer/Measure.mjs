// How long the viewer takes: the first picture, each view, and what a person does in them, in headless Chromium.
//
// Usage: node Measure.mjs BUILD PROFILE...   (BUILD: a build folder with bin/popscope and viewer/node_modules)
// Prints milliseconds by the page's own performance.now(); a time ends when the frame after the change was drawn. Of the first
// picture also CPU time of the page's main thread.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [build, ...profiles] = process.argv.slice(2);
const tool = join(resolve(build), 'bin', 'popscope');
const { chromium } = createRequire(join(resolve(build), 'viewer', 'package.json'))('playwright-core');
const folder = mkdtempSync(join(tmpdir(), 'popscope-measure-'));
const browser = await chromium.launch({
  executablePath: process.env.POPSCOPE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
const kLimit = 10 * 60_000;

/** Milliseconds from a change of the fragment to the second frame after it: by then it is on the screen. */
const go = (page, hash) =>
  page.evaluate(
    (to) =>
      new Promise((done) => {
        const start = performance.now();
        location.hash = to;
        addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start))), { once: true });
      }),
    hash,
  );

/** The longest of `count` frames while the pointer walks over the first picture. */
async function hover(page, count) {
  const box = await page.locator('.picture canvas').first().boundingBox();
  if (!box) return NaN;
  return page.evaluate(
    async ({ x, y, width, steps }) => {
      const canvas = document.querySelector('.picture canvas');
      let longest = 0;
      for (let i = 0; i < steps; ++i) {
        const start = performance.now();
        canvas.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: x + 60 + ((width - 80) * i) / steps, clientY: y + 60 }));
        await new Promise((done) => requestAnimationFrame(() => done()));
        longest = Math.max(longest, performance.now() - start);
      }
      return longest;
    },
    { ...box, steps: count },
  );
}

/** CPU milliseconds of the page's main thread so far: what a busy machine does not change. */
async function cpu(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find((m) => m.name === 'TaskDuration')?.value ?? NaN);
}
async function clockOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await session.send('Performance.enable');
  return session;
}

async function firstPicture(page) {
  await page.waitForSelector('body[data-ready] main .card', { timeout: kLimit });
  return Number(await page.evaluate(() => document.body.dataset.ready));
}

const ms = (value) => value.toFixed(0).padStart(7);

for (const profile of profiles) {
  const size = statSync(profile).size;
  console.log(`${profile}: ${(size / 1e6).toFixed(1)} MB`);
  let page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(kLimit);
  if (size < 300e6) {
    const html = join(folder, 'page.html');
    execFileSync(tool, ['html', profile, '-o', html]);
    const session = await clockOf(page);
    for (const view of ['verdict', 'execution']) {
      const before = await cpu(session);
      await page.goto(`file://${html}#${view}`, { timeout: kLimit });
      console.log(`  ${ms(await firstPicture(page))}  first picture, ${view}; ${(await cpu(session) - before).toFixed(0)} ms CPU`);
      await page.goto('about:blank');
    }
    await page.goto(`file://${html}#verdict`, { timeout: kLimit });
    await firstPicture(page);
  } else {
    const html = join(folder, 'empty.html');
    execFileSync(tool, ['html', '-o', html]);
    await page.goto(`file://${html}`);
    const input = page.locator('input[type=file]');
    await input.waitFor();
    const start = await page.evaluate(() => performance.now());
    await input.setInputFiles(profile);
    console.log(`  ${ms((await firstPicture(page)) - start)}  first picture, verdict, from the choice of the file`);
  }
  for (const view of ['memory', 'memory?plot=map', 'memory?plot=histogram', 'tile', 'liveness', 'program', 'operations', 'execution', 'exchange', 'sql', 'options', 'about', 'verdict'])
    console.log(`  ${ms(await go(page, view))}  to ${view}`);
  for (const [what, first, hash] of [
    ['another step', 'liveness?step=1', 'liveness?step=40'],
    ['zoom', 'execution?from=0&to=4000000', 'execution?from=100000&to=1000000'],
    ['a tile', 'memory', 'memory?tiles=7'],
    ['a step of the program', 'program?step=3', 'program?step=30'],
    ['search', 'program', 'program?find=layer1'],
  ]) {
    await go(page, first);
    console.log(`  ${ms(await go(page, hash))}  ${what} (${hash})`);
  }
  for (const view of ['memory', 'liveness', 'execution']) {
    await go(page, view);
    console.log(`  ${ms(await hover(page, 40))}  longest of 40 moves of the pointer, ${view}`);
  }
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
