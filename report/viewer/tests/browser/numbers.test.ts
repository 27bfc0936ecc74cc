// Compares every number of the views Verdict and Memory with a slow reference: plain SQL on the file through `popscope sql`, combined here.
// The numbers of a card are compared in order, so that a missing, extra or misplaced number fails the test.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kTool, launch, makePage, newPage, open, profilePath, sql, tableRows } from './pages';

const numbersIn = (text: string): string[] => (text.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []).map((word) => word.replace(/,/g, ''));
const plain = (word: string): string => word.replace(/,/g, '');
const whole = (n: unknown): string => Number(n).toLocaleString('en-US', { maximumFractionDigits: 0 });
const share = (part: number, of: number): string => (part > 0 && part / of < 0.0005 ? '0.1' : ((100 * part) / of).toFixed(1));

type Row = Record<string, number | string | null>;

/** Builds the numbers that a card should show, in order; a name that contains digits is included as it is. */
class Twin {
  readonly tiles: number;
  readonly perIpu: number;
  readonly target: Row;
  constructor(private readonly profile: string) {
    this.target = this.row('SELECT * FROM target');
    this.tiles = Number(this.row('SELECT count(*) AS v FROM memory_by_tile').v);
    this.perIpu = this.tiles / (Number(this.target.num_ipus) / Number(this.target.num_replicas));
  }
  rows(query: string): Row[] {
    return sql(this.profile, query);
  }
  row(query: string): Row {
    return this.rows(query)[0] ?? {};
  }

  fit(): string {
    const full = this.row('SELECT tile, total FROM memory_by_tile ORDER BY total DESC, tile LIMIT 1');
    const capacity = Number(this.target.bytes_per_tile);
    const used = Number(full.total);
    const over = this.rows('SELECT tile FROM tiles_out_of_memory ORDER BY tile').map((r) => r.tile);
    const highest = this.row('SELECT max(total_including_gaps) AS v FROM memory_by_tile').v;
    const lines = [over.length === 0 ? whole(capacity - used) : `${over.length} ${whole(this.tiles)}`];
    const part = used <= capacity ? share(used, capacity) : whole(used - capacity);
    lines.push(`${full.tile} ${whole(used)} ${whole(capacity)} ${part} ${whole(highest)}`);
    if (over.length > 0) lines.push(`${over.join(' ')} ${whole(this.row('SELECT max(overflowed) AS v FROM memory_by_tile').v)}`);
    return lines.join('\n');
  }

  /** Returns the rows of `popscope loss`, which add up to tiles x cycles. */
  loss(): string {
    const runs = this.rows('SELECT total_cycles AS c FROM execution_cycle_totals ORDER BY run');
    if (runs.length === 0) return '';
    const all = this.tiles * runs.reduce((sum, r) => sum + Number(r.c), 0);
    const parts = answer(this.profile, 'loss').tables.causes?.rows.map((r) => Number(r.tileCycles)) ?? [];
    if (parts.length === 0) return '';
    expect(parts.reduce((sum, v) => sum + v, 0)).toBe(all);
    const lines = parts.filter((v) => v > 0).map((v) => `${share(v, all)} ${whole(v)}`);
    return `${counted(lines)} ${lines.join('\n')}\n${whole(all)} ${runs.length === 1 ? '' : runs.length}`;
  }

  fullest(): string {
    const rows = this.rows('SELECT tile, total FROM memory_by_tile ORDER BY total DESC, tile LIMIT 5');
    const lines = rows.map((r) => {
      const most = this.row(`SELECT max(size_bytes) AS v FROM memory_by_tile_use WHERE tile = ${r.tile}`);
      return `${whole(r.tile)} ${whole(r.total)} ${whole(most.v)}`;
    });
    return `${counted(lines)} ${lines.join('\n')}`;
  }

  /** Returns the compute sets in which tiles wait, from `popscope loss`: together they account for all waiting for slower tiles. */
  idlest(): string {
    const { waits, causes } = answer(this.profile, 'loss', '-n', '0').tables;
    const rows = waits?.rows.filter((r) => r.kind === 'compute') ?? [];
    const slower = causes?.rows.find((r) => r.cause === 'compute: waiting for slower tiles')?.tileCycles ?? 0;
    if (waits) expect(rows.reduce((sum, r) => sum + Number(r.waiting), 0)).toBe(slower);
    const tileCycles = this.tiles * Number(this.row('SELECT sum(total_cycles) AS v FROM execution_cycle_totals').v);
    // The page has the rows of the default answer, which cover all kinds of steps.
    const usual = (answer(this.profile, 'loss').tables.waits?.rows ?? []).filter((r) => r.kind === 'compute');
    const lines = usual.slice(0, 5).map((r) => {
      const { name } = this.row(`SELECT name FROM programs WHERE id = ${Number(r.step)}`);
      return `${name} ${Number(r.step)} ${whole(r.waiting)} ${share(Number(r.waiting), tileCycles)}`;
    });
    return rows.length === 0 ? '' : `${counted(lines)} ${lines.join('\n')}`;
  }

  peak(): string {
    const { a } = this.row('SELECT always_live AS a FROM liveness_totals');
    const top = this.row(
      'SELECT s.program, p.name, s.size_bytes AS v FROM liveness_steps s JOIN programs p ON p.id = s.program ORDER BY s.size_bytes DESC, s.id LIMIT 1',
    );
    const bytes = Number(a) + Number(top.v);
    const unit = Math.min(4, Math.floor(Math.log2(bytes) / 10));
    const scaled = bytes / 1024 ** unit;
    const digits = unit === 0 || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
    return `${scaled.toFixed(digits).replace(/\.0+$/, '')} ${top.name} ${top.program} ${whole(a)} ${whole(top.v)}`;
  }

  saving(): string {
    const advice = this.rows('SELECT a.*, p.name FROM liveness_advice a JOIN programs p ON p.id = a.worst_program')[0];
    if (!advice) return '';
    const places = this.rows(
      // A place before a compute set with a Sync and an exchange has the name of the compute set.
      `WITH first AS (SELECT u.id, min(f.id) AS at FROM undef_placements u JOIN programs b ON b.id = u.before
         JOIN programs f ON f.parent IS b.parent AND f.id >= b.id AND f.type NOT IN ('Sync', 'SyncAns') GROUP BY u.id),
       place AS (SELECT first.id, coalesce((SELECT min(e.id) FROM programs e WHERE e.parent IS f.parent AND e.id BETWEEN f.id AND f.id + 3
         AND e.type = 'OnTileExecute' AND f.name LIKE e.name || '/%ExchangePre'), f.id) AS at FROM first JOIN programs f ON f.id = first.at)
       SELECT s.string AS v, place.at AS before, p.name, u.saved_on_worst_tile AS w, u.saved_on_device AS d FROM undef_placements u
       JOIN liveness_variables l ON l.id = u.variable JOIN vars_string_table s ON s.id = l.name JOIN place ON place.id = u.id
       JOIN programs p ON p.id = place.at ORDER BY u.id`,
    );
    const place = `${whole(advice.worst_peak)} ${advice.worst_tile} ${advice.name} ${advice.worst_program} ${whole(advice.false_live_at_peak)}`;
    const tried = `${whole(Number(advice.worst_peak) - Number(advice.worst_peak_after_all))} ${whole(advice.tried)} ${whole(advice.candidates)}`;
    const head = advice.candidates === 0 ? place : `${tried} ${place}`;
    const lines = places.map((p) => `${p.v} ${p.name} ${p.before} ${whole(p.w)} ${whole(p.d)}`);
    return places.length === 0 ? head : `${head}\n${counted(lines)} ${lines.join('\n')}`;
  }

  machine(): string {
    const t = this.target;
    const hertz = Number(t.clock_hz);
    const replicas = Number(t.num_replicas) > 1 ? t.num_replicas : '';
    const head = `${t.type} ${t.architecture} ${whole(t.num_ipus)} ${whole(t.tiles_per_ipu)} ${whole(t.bytes_per_tile)} ${replicas} ${(hertz / 1e9).toFixed(2)}`;
    const runs = this.rows(
      'SELECT r.number, r.name, r.program, t.total_cycles AS c FROM runs r JOIN execution_cycle_totals t ON t.run = r.id ORDER BY r.id',
    );
    const time = (cycles: number) => {
      const seconds = cycles / hertz;
      return seconds >= 1
        ? seconds.toFixed(2)
        : seconds >= 1e-3
          ? (seconds * 1e3).toFixed(2)
          : (seconds * 1e6).toFixed(seconds >= 1e-5 ? 0 : 1);
    };
    const lines = runs.map((r) => `${r.number} ${r.name || whole(r.program)} ${whole(r.c)} ${time(Number(r.c))}`);
    const notes = this.rows('SELECT about, text FROM warnings ORDER BY id').map((w) => `${w.about} ${w.text}`);
    const missed = Number(this.row('SELECT sum(runs) AS v FROM paused_spans').v ?? 0);
    const paused = missed > 0 ? [`${whole(missed)} ${whole(this.row('SELECT count(*) AS v FROM runs').v)}`] : [];
    const g = this.row('SELECT * FROM graph');
    const graph = [g.num_compute_sets, g.num_vertices, g.num_edges, g.num_variables].map(whole).join(' ');
    const sources = this.rows('SELECT source, sum(vertices) AS n FROM vertex_cycle_sources GROUP BY source ORDER BY n DESC, source');
    paused.unshift(sources.map((r) => whole(r.n)).join(' '));
    return [head, graph, ...(runs.length > 0 ? [counted(lines), ...lines] : []), ...paused, ...notes].join('\n');
  }
}

interface Answer {
  readonly tables: Readonly<Record<string, { readonly rows: readonly Row[] } | undefined>>;
}
function answer(profile: string, view: string, ...options: readonly string[]): Answer {
  try {
    return JSON.parse(
      execFileSync(kTool, [view, profile, ...options, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    ) as Answer;
  } catch {
    return { tables: {} }; // the profile lacks data for this answer
  }
}

async function card(page: Page, title: string): Promise<string> {
  return page.locator('section.card', { has: page.locator('h2', { hasText: new RegExp(`^${title}`) }) }).innerText();
}

/** Prints the whole numbers of each card, as pva returns them in the Python package, which shares no code with the page. */
const kPva = `
import json, pva, sys
report, tile = pva.openReport(sys.argv[1]), int(sys.argv[2])
c, e, target = report.compilation, report.execution, report.compilation.target
tiles = [t.memory for t in c.tiles]
full = sorted(range(len(tiles)), key=lambda t: (-tiles[t].total.excludingGaps, t))[:5]
mine = tiles[tile]
totals = [r.totalCycles for r in e.runs]
steps = c.livenessProgramSteps
peak = max(steps, key=lambda s: s.notAlwaysLiveMemory.bytes) if steps else None
print(json.dumps({
    "It (fits|does not fit)": [full[0], tiles[full[0]].total.excludingGaps, target.bytesPerTile, max(t.total.includingGaps for t in tiles), *report.popscope.tilesOutOfMemory],
    "Fullest tiles": [n for t in full for n in (t, tiles[t].total.excludingGaps)],
    "Where the cycles went": [sum(t.total for t in totals) * len(tiles), sum(t.exchange for t in totals), sum(t.hostExchange for t in totals)],
    "Fullest step": [peak.program._id, report.popscope.alwaysLiveBytes, peak.notAlwaysLiveMemory.bytes] if peak else [],
    "The machine and the runs": [target.numIPUs, target.tilesPerIpu, c.graph.numComputeSets, c.graph.numVertices, c.graph.numEdges, c.graph.numVars, *(t.total for t in totals)],
    "tile": [mine.total.excludingGaps, mine.total.includingGaps, mine.alwaysLiveBytes, mine.notAlwaysLiveBytes],
    "categories": sorted((mine.category.byIndex(i).total for i, name in enumerate(pva.storageCategoryNames()) if name != "multiple" and mine.category.byIndex(i).total), reverse=True),
}))
`;

function pvaNumbers(profile: string, tile: number): Record<string, number[]> {
  const env = { ...process.env, PYTHONPATH: process.env.POPSCOPE_PYTHON ?? '' };
  return JSON.parse(execFileSync('python3', ['-c', kPva, profile, String(tile)], { env }).toString()) as Record<string, number[]>;
}

// A table that is fully visible (420 pixels, rows of 26 pixels, one for the titles) shows no count.
const counted = (lines: readonly string[]): string => ((lines.length + 1) * 26 > 420 ? String(lines.length) : '');

/** Titles of cards that show answers of the command line unchanged. */
const kAnswers = /^(Bound by|What is largest|What makes it fit|Changes that were tried)/;

describe.skipIf(kTool === '')('every number', () => {
  let browser: Browser;
  const names = ['mlp', 'control_flow', 'overfull', 'layers', 'blocks', 'liveness', 'waits', 'pod'].filter((name) =>
    existsSync(profilePath(name)),
  );
  const pages = new Map<string, string>();
  beforeAll(async () => {
    browser = await launch();
    for (const name of names) pages.set(name, makePage(profilePath(name), `numbers-${name}`));
  });
  afterAll(async () => browser?.close());

  for (const name of names)
    it(`of the verdict of ${name} is that of the file, and there is no other`, async () => {
      const page = await newPage(browser);
      await open(page, pages.get(name) ?? '', 'verdict');
      const twin = new Twin(profilePath(name));
      const cards: [string, string][] = [
        ['It (fits|does not fit)', twin.fit()],
        ['Where the cycles went', twin.loss()],
        ['Fullest tiles', twin.fullest()],
        ['Compute sets that idle most', twin.idlest()],
        ['Fullest step', twin.peak()],
        ['What WriteUndef would save', twin.saving()],
        ['The machine and the runs', twin.machine()],
      ];
      const answers = page.locator('section.card', { has: page.locator('h2', { hasText: kAnswers }) }); // cures.test.ts checks these
      expect((await page.locator('section.card').count()) - (await answers.count())).toBe(
        cards.filter(([title, text]) => text !== '' || !/idle/.test(title)).length,
      );
      for (const [title, text] of cards)
        if (text !== '') expect(numbersIn(await card(page, title)), `${name}: ${title}`).toEqual(numbersIn(text));
      expect(page.complaints).toEqual([]);
      await page.close();
    });

  for (const [name, tile] of [
    ['mlp', 482],
    ['control_flow', 0],
    ['overfull', 1],
    ['layers', 2],
    ['liveness', 0],
  ] as const)
    it(`that pva has of ${name} stands in its card`, async () => {
      const page = await newPage(browser);
      const { tile: facts = [], categories = [], ...cards } = pvaNumbers(profilePath(name), tile);
      await open(page, pages.get(name) ?? '', 'verdict');
      for (const [title, wanted] of Object.entries(cards)) {
        const shown = numbersIn(await card(page, title));
        for (const n of wanted.filter((v) => v !== 0)) expect(shown, `${name}: ${title}`).toContain(String(n)); // a part of 0 has no line
      }
      await open(page, pages.get(name) ?? '', `memory?tiles=${tile}`);
      const text = await page.locator('section.card', { hasText: 'Occupied' }).locator('p', { hasText: 'including gaps' }).innerText();
      expect(numbersIn(text)).toEqual(facts.map(String));
      const allocated = (await tableRows(page, 'Categories')).map((r) => Number(plain(r['Allocations B'] ?? ''))).filter((n) => n > 0);
      expect(allocated.sort((a, b) => b - a)).toEqual(categories);
      expect(page.complaints).toEqual([]);
      await page.close();
    });

  const kBreakdowns: [string, string[]][] = [
    ['gaps', ['total_including_gaps']],
    ['total', ['total']],
    ['region', ['non_interleaved', 'interleaved', 'overflowed']],
    ['liveness', ['always_live', 'max_not_always_live']],
  ];
  for (const name of ['layers', 'overfull', 'mlp'])
    it(`of the pictures of memory of ${name} is that of the file`, async () => {
      const page = await newPage(browser);
      const twin = new Twin(profilePath(name));
      const memory = twin.rows('SELECT * FROM memory_by_tile ORDER BY tile');
      const tiles = twin.tiles > 8 ? [0, 3, 391, 392, 700, twin.tiles - 1] : memory.map((_, t) => t);
      for (const [by, columns] of [...kBreakdowns, ['category', []], ['allocations', []]] as [string, string[]][]) {
        await open(page, pages.get(name) ?? '', `memory?by=${by}`);
        const box = (await page.locator('.picture canvas').first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
        for (const tile of tiles) {
          const x = box.x + 70 + ((tile + 0.5) * (box.width - 84)) / twin.tiles;
          await page.mouse.move(x, box.y + 120);
          await page.locator('.tip', { hasText: new RegExp(`^Tile ${tile}\\D`) }).waitFor();
          const tip = numbersIn(await page.locator('.tip').innerText());
          const parts =
            columns.length === 0
              ? twin
                  .rows(
                    by === 'category'
                      ? `SELECT size_bytes AS v FROM memory_by_tile_use WHERE tile = ${tile} AND size_bytes > 0`
                      : `SELECT sum(m.size_bytes) AS v FROM memory_by_tile_category m JOIN var_categories c ON c.id = m.category WHERE m.tile = ${tile} AND c.name <> 'multiple' GROUP BY c.name`,
                  )
                  .map((r) => Number(r.v))
              : columns.map((c) => Number(memory[tile]?.[c])).filter((v) => v > 0);
          const sum = parts.reduce((a, b) => a + b, 0);
          if (by === 'category') expect(sum, `what tile ${tile} of ${name} holds`).toBe(Number(memory[tile]?.total));
          const wanted = [whole(tile), ...parts.map(whole), ...(columns.length === 1 ? [] : [whole(sum)])];
          if (parts.length <= 8) expect([...tip].sort(), `${name}, ${by}, tile ${tile}`).toEqual(wanted.map(plain).sort());
          else expect(tip, `${name}, ${by}, tile ${tile}`).toContain(plain(whole(sum))); // the tip lists the eight largest
        }
      }
      expect(page.complaints).toEqual([]);
      await page.close();
    });

  it('of the histogram of memory counts tiles of the file', async () => {
    const page = await newPage(browser);
    const totals = new Twin(profilePath('mlp')).rows('SELECT total AS v FROM memory_by_tile').map((r) => Number(r.v));
    await open(page, pages.get('mlp') ?? '', 'memory?plot=histogram');
    const box = (await page.locator('.picture canvas').first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    let counted = 0;
    let last = ''; // the tip of the previous bin; empty before the first
    for (let bin = 0; bin < 48; ++bin) {
      await page.mouse.move(box.x + 70 + ((bin + 0.5) * (box.width - 84)) / 48, box.y + 120);
      // No two bins have the same text, because they begin at different bytes.
      const before = last;
      await expect.poll(async () => (last = (await page.locator('.tip').allInnerTexts())[0] ?? ''), { timeout: 120_000 }).not.toBe(before);
      const [count, all, low, high] = numbersIn(last).map(Number);
      expect(all).toBe(totals.length);
      expect(count).toBe(totals.filter((v) => v >= (low ?? 0) && v <= (high ?? 0)).length);
      counted += count ?? 0;
    }
    expect(counted).toBe(totals.length);
    await page.close();
  });

  for (const [name, tile] of [
    ['mlp', 392],
    ['layers', 0],
    ['overfull', 1],
  ] as const)
    it(`of the details of tile ${tile} of ${name} is that of the file`, async () => {
      const page = await newPage(browser);
      const twin = new Twin(profilePath(name));
      await open(page, pages.get(name) ?? '', `memory?tiles=${tile}`);
      const m = twin.row(`SELECT * FROM memory_by_tile WHERE tile = ${tile}`);
      const facts = await page.locator('section.card', { hasText: 'Occupied' }).locator('p', { hasText: 'including gaps' }).innerText();
      expect(numbersIn(facts)).toEqual([m.total, m.total_including_gaps, m.always_live, m.max_not_always_live].map(whole).map(plain));
      const uses = twin.rows(`SELECT size_bytes AS v FROM memory_by_tile_use WHERE tile = ${tile} AND size_bytes > 0 ORDER BY v DESC`);
      const shown = (await tableRows(page, 'Categories')).filter((r) => r['Occupied B'] !== '0');
      expect(shown.map((r) => [r['Occupied B'], numbersIn(r.Share ?? '')[0]])).toEqual(
        uses.map((c) => [whole(c.v), share(Number(c.v), Number(m.total))]),
      );
      expect(uses.reduce((sum, c) => sum + Number(c.v), 0)).toBe(Number(m.total));
      const vertices = twin.rows(
        `SELECT t.name AS n, v.instances AS i, v.code_bytes AS c, v.internal_state + v.edge_pointers + v.copy_pointers + v.padding AS s, v.descriptors AS d
         FROM vertices_by_tile v JOIN vertex_types t ON t.id = v.vertex_type WHERE v.tile = ${tile}`,
      );
      const key = (row: readonly unknown[]) => row.join('|');
      if (vertices.length > 0) {
        expect(
          (await tableRows(page, 'Vertices')).map((r) => key([r.Type, r.Vertices, r['Code B'], r['State B'], r['Descriptors B']])).sort(),
        ).toEqual(vertices.map((v) => key([v.n, whole(v.i), whole(v.c), whole(v.s), whole(v.d)])).sort());
      }
      const placed = twin.rows(`SELECT offset AS o, size_bytes AS b FROM vars_info WHERE tile = ${tile} ORDER BY offset, id`);
      const variables = await tableRows(page, 'Variables of the tile');
      expect(variables.map((r) => key([r.Address, r['Bytes B']]))).toEqual(
        placed.slice(0, variables.length).map((p) => key([whole(p.o), whole(p.b)])),
      );
      expect(variables.length).toBeGreaterThan(0);
      const exchanged = await tableRows(page, 'Exchanges of the tile').catch(() => []);
      for (const column of ['Sent B', 'Received B'])
        expect(exchanged.length, column).toBe(name === 'overfull' ? exchanged.length : Math.max(1, exchanged.length));
      expect(page.complaints).toEqual([]);
      await page.close();
    });
});
