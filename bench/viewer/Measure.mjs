// How long the viewer takes: the first picture, each view, and what a person does in them, in headless Chromium.
//
// Usage: node Measure.mjs BUILD PROFILE...   (BUILD: a build folder with bin/popscope and viewer/node_modules)
// Prints milliseconds by the page's own performance.now(); a time ends when the frame after the change was drawn. Of the first
// picture also CPU time of the page's main thread.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
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
const processes = await browser.newBrowserCDPSession();
const kLimit = 10 * 60_000;
const kSettle = 8_000;
const kTimes = 5; // each change within a view; its middle one is printed

/** Milliseconds from a change of the fragment to the second frame after it: by then it is on the screen. */
const go = (page, hash) =>
  page.evaluate(
    (to) =>
      new Promise((done) => {
        if (location.hash === `#${to}`) return done(0);
        const start = performance.now();
        location.hash = to;
        addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start))), { once: true });
      }),
    hash,
  );

/** The longest of `count` frames while the pointer walks over the first picture. */
async function hover(page, count) {
  const picture = page.locator('.picture canvas').first();
  const box = (await picture.count()) > 0 ? await picture.boundingBox() : null;
  if (!box) return null; // nothing to draw in this profile
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

/** CPU milliseconds that main threads of pages have used so far (Linux): what a busy machine changes little. */
async function cpu() {
  const { processInfo } = await processes.send('SystemInfo.getProcessInfo');
  return processInfo
    .filter((p) => p.type === 'renderer')
    .reduce((sum, p) => sum + Number(readFileSync(`/proc/${p.id}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
}

/** The most megabytes that a page's process has had in memory (Linux). */
async function memory() {
  const { processInfo } = await processes.send('SystemInfo.getProcessInfo');
  const peaks = processInfo.filter((p) => p.type === 'renderer').map((p) => /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${p.id}/status`, 'utf8')));
  return Math.max(...peaks.map((found) => Number(found?.[1] ?? 0) / 1024));
}

async function firstPicture(page) {
  await page.waitForSelector('body[data-ready] main .card', { timeout: kLimit });
  return Number(await page.evaluate(() => document.body.dataset.ready));
}

/** What a person changes in a view, by the fragment: from, to. */
const kSteps = [
  ['a tile', 'memory', 'memory?tiles=7'],
  ['another tile', 'memory?tiles=7', 'memory?tiles=8'],
  ['all tiles', 'memory', 'memory?tiles=0-1471'],
  ['breakdown', 'memory', 'memory?by=region'],
  ['up to the memory of a tile', 'memory', 'memory?max=tile'],
  ['zoom', 'memory', 'memory?from=100&to=400'],
  ['a category', 'memory?plot=map', 'memory?plot=map&of=Stack'],
  ['a tile of the map', 'memory?plot=map', 'memory?plot=map&tiles=700'],
  ['another tile', 'tile?tile=3', 'tile?tile=4'],
  ['another step', 'tile?tile=3&step=5', 'tile?tile=3&step=6'],
  ['another step', 'liveness?step=1', 'liveness?step=40'],
  ['two steps', 'liveness?step=40', 'liveness?step=40&vs=30'],
  ['of a tile', 'liveness', 'liveness?tile=3'],
  ['zoom', 'liveness', 'liveness?from=100&to=400'],
  ['find', 'liveness', 'liveness?find=layer1'],
  ['the life of a variable', 'liveness', 'liveness?variable=5000'],
  ['of another', 'liveness?variable=5000', 'liveness?variable=5001'],
  ['its life closer', 'liveness?variable=5000', 'liveness?variable=5000&life=4900-5100'],
  ['a step of the program', 'program?step=3', 'program?step=30'],
  ['search', 'program', 'program?find=layer1'],
  ['zoom', 'execution?critical=no', 'execution?critical=no&from=100000&to=1000000'],
  ['zoom to half', 'execution?critical=no', 'execution?critical=no&from=0&to=120000000'],
  ['out again', 'execution?critical=no&from=100000&to=1000000', 'execution?critical=no'],
  ['flat names', 'execution', 'execution?names=flat'],
  ['a step', 'execution', 'execution?at=500'],
  ['another step', 'execution?at=500', 'execution?at=501'],
  ['twenty steps', 'execution', 'execution?at=500-519'],
  ['all steps', 'execution', 'execution?at=0-9999'],
  ['an exchange', 'exchange', 'exchange?step=3'],
];

/** What a person does with the mouse: runs in the page and returns once it has dispatched its events. */
const kClick = (selector, fraction = 0.5) => `{
  const element = document.querySelector(${JSON.stringify(selector)});
  const box = element.getBoundingClientRect();
  const at = { bubbles: true, clientX: box.left + box.width * ${fraction}, clientY: box.top + box.height / 2, detail: 1 };
  for (const type of ['mousedown', 'mouseup', 'click']) element.dispatchEvent(new MouseEvent(type, at));
}`;
const kType = (selector, text) => `{
  const input = document.querySelector(${JSON.stringify(selector)});
  input.value = ${JSON.stringify(text)};
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}`;
const kWheel = (selector) => `{
  const element = document.querySelector(${JSON.stringify(selector)});
  const box = element.getBoundingClientRect();
  element.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ctrlKey: true, deltaY: -100, clientX: box.left + 400, clientY: box.top + 90 }));
}`;
const kActions = [
  ['click in the picture', 'memory', kClick('.picture canvas', 0.4)],
  ['click in the picture', 'memory?plot=map', kClick('.picture canvas', 0.4)],
  ['click in the picture', 'liveness', kClick('.picture canvas', 0.4)],
  ['click in the chart', 'execution', kClick('.picture canvas', 0.4)],
  ['click on a name', 'execution', kClick('.picture:nth-of-type(2) canvas', 0.4)],
  ['select all in sight', 'execution', `{ [...document.querySelectorAll('button')].find((b) => b.textContent === 'Select visible steps').click(); }`],
  ['wheel', 'execution', kWheel('.picture canvas')],
  ['sort steps by time', 'execution', kClick('table[aria-label="Steps by time"] th:nth-child(4) button')],
  ['sort names', 'execution', kClick('table[aria-label="Steps by time"] th button')],
  ['filter steps', 'execution', kType('input[aria-label="Filter Steps by time"]', 'layer12')],
  ['sort exchanges', 'exchange', kClick('table[aria-label="Exchanges"] th:nth-child(3) button')],
  ['filter exchanges', 'exchange', kType('input[aria-label="Filter Exchanges"]', 'layer12')],
  ['a row of exchanges', 'exchange', kClick('table[aria-label="Exchanges"] tbody tr:nth-child(3)')],
  ['a node of the tree', 'program', kClick('.node:nth-child(4)')],
  ['find steps', 'liveness', kType('main input[type=search]', 'layer12')],
];

/** Milliseconds from an action to the second frame after it. */
const act = (page, action) =>
  page.evaluate(`new Promise((done) => {
    const start = performance.now();
    ${action}
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  })`);

const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Prints how long something takes in the page, and its CPU time: the middle ones of `count`, each after `prepare`. */
async function time(doing, what, count = 1, prepare = async () => {}) {
  const walls = [];
  const cpus = [];
  for (let i = 0; i < count; ++i) {
    await prepare();
    const before = await cpu();
    walls.push(await doing());
    cpus.push(await cpu() - before);
  }
  console.log(`  ${ms(middle(walls))} ${ms(middle(cpus))}  ${what}`);
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
    for (const view of ['verdict', 'execution']) {
      const before = await cpu();
      await page.goto(`file://${html}#${view}`, { timeout: kLimit });
      console.log(`  ${ms(await firstPicture(page))}  first picture, ${view}; ${(await cpu() - before).toFixed(0)} ms CPU`);
      await page.goto('about:blank');
    }
    await page.goto(`file://${html}#verdict`, { timeout: kLimit });
    await firstPicture(page);
  } else {
    const html = join(folder, 'empty.html');
    execFileSync(tool, ['html', '-o', html]);
    await page.goto(`file://${html}`);
    await page.locator('input[type=file]').waitFor();
    const drag = await page.context().newCDPSession(page);
    const data = { items: [], files: [resolve(profile)], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver']) await drag.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
    const [start, before] = [await page.evaluate(() => performance.now()), await cpu()];
    await drag.send('Input.dispatchDragEvent', { type: 'drop', x: 600, y: 400, data });
    const shown = await firstPicture(page);
    console.log(`  ${ms(shown - start)}  first picture, verdict, from the drop of the file; ${(await cpu() - before).toFixed(0)} ms CPU`);
    console.log(`  ${ms(await memory())}  MB of the page's process at most until then`);
  }
  const views = ['memory', 'memory?plot=map', 'memory?plot=histogram', 'tile', 'liveness', 'program', 'operations', 'execution', 'exchange', 'sql', 'options', 'about', 'verdict'];
  await page.waitForTimeout(kSettle); // what is read ahead
  console.log('  wall ms, CPU ms of the main thread');
  for (const again of ['for the first time', 'again'])
    for (const view of views) await time(() => go(page, view), `to ${view}, ${again}`);
  for (const [what, first, hash] of kSteps) await time(() => go(page, hash), `${what} (${first} to ${hash})`, kTimes, () => go(page, first));
  for (const [what, view, action] of kActions)
    await time(
      () => act(page, action),
      `${what}, ${view}`,
      kTimes,
      async () => {
        await go(page, 'about');
        await go(page, view);
      },
    );
  for (const view of ['memory', 'memory?plot=map', 'tile', 'liveness', 'execution', 'exchange']) {
    await go(page, view);
    const longest = await hover(page, 40);
    if (longest === null) console.log(`        -  ${view} has no picture of this profile: no moves of the pointer`);
    else console.log(`  ${ms(longest)}  longest of 40 moves of the pointer, ${view}`);
  }
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
