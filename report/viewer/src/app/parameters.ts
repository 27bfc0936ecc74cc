// The table of valid link parameters. The page reports each invalid value at the top, and shows the view as if the link did not have the
// parameter. The page never silently replaces a value by a similar one.
import type { Profile } from '../data/profile';
import { blocks } from '../data/extras';
import { alignLiveness } from '../derived/align';
import { endOfRun } from '../derived/bsp';
import { collectExchanges } from '../derived/exchange';
import { kNestings } from '../derived/flame';
import { integer } from '../derived/format';
import { listOutside, notNumber, outside } from '../derived/links';
import { type Breakdown, kBreakdowns, memorySeries } from '../derived/memory';
import { layersOf } from '../derived/operations';
import { kTileFigures } from '../derived/overTiles';
import { nodeAt } from '../derived/pathTree';
import { currentTheme } from '../theme';
import { kShown } from '../views/exchange/shown';
import { kTileOrders } from '../views/execution/tileOrder';
import { kMeasures, pathTrees } from '../views/layers/paths';
import { countable } from '../views/memory/occupancy';
import { type Axis, clocksOf, readGrid, sizesOf } from '../views/whatif/grid';
import type { Route } from './route';

interface Asked {
  readonly profile: Profile;
  readonly other: Profile | null; // the profile to compare with
  readonly params: Route['params'];
}

/** Returns a clause that describes the fault in the value of a parameter, or null if the value is valid. */
type Rule = (word: string, asked: Asked) => string | null;

const upTo = (end: number): string => `valid values are 0 to ${integer(end)}`;

const tile: Rule = (word, { profile }) => outside('tile', profile.tiles)(word);
const step: Rule = (word, { profile }) => outside('step', profile.programs.length)(word);
const runOf = ({ profile, params }: Asked) => profile.runs.find((run) => String(run.id) === params.run);
const run: Rule = (word, { profile }) => (profile.runs.some((one) => String(one.id) === word) ? null : `there is no run ${word}`);

/** Accepts one of a few words. */
function oneOf(name: string, words: (asked: Asked) => readonly string[] | null): Rule {
  return (word, asked) => {
    const allowed = words(asked);
    const list = allowed?.filter((one) => one !== '').join(', ');
    return !allowed || allowed.includes(word) ? null : `“${word}” is not a value of ${name}; valid values are ${list || 'none'}`;
  };
}
const keysOf = (table: readonly (readonly [string, ...unknown[]])[]): readonly string[] => table.map(([key]) => key);

/** Accepts one end of a window [from, to) on a scale from 0 to `endOf`. */
function edge(what: string, key: string, fromKey: string, toKey: string, endOf: (asked: Asked) => number): Rule {
  return (word, asked) => {
    const bad = notNumber(word);
    if (bad) return bad;
    const [value, end] = [Number(word), endOf(asked)];
    if (!(value >= 0 && value <= end)) return `“${word}” is not a valid ${what}: ${upTo(end)}`;
    const [from, to] = [asked.params[fromKey] ?? '', asked.params[toKey] ?? ''];
    return key === fromKey && from !== '' && to !== '' && Number(from) >= Number(to) ? `${from} to ${to} is not a range of ${what}s` : null;
  };
}
function window(what: string, endOf: (asked: Asked) => number, prefix = ''): (readonly [string, Rule])[] {
  const [from, to] = [`${prefix}from`, `${prefix}to`];
  return [
    [from, edge(what, from, from, to, endOf)],
    [to, edge(what, to, from, to, endOf)],
  ];
}

/** Accepts a range such as "3-9" with an end of at most `endOf`; `what` names the numbers in the plural. */
function range(what: string, endOf: (asked: Asked) => number): Rule {
  return (word, asked) => {
    const match = /^\s*(\d{1,15})\s*[-–]\s*(\d{1,15})\s*$/.exec(word.replace(/,/g, ''));
    if (!match || Number(match[1]) > Number(match[2])) return `“${word}” is not a range of ${what}, such as 3-9`;
    return Number(match[2]) <= endOf(asked) ? null : `“${word}” is not a range of ${what}: ${upTo(endOf(asked))}`;
  };
}

const programs = ({ profile }: Asked): number => Math.max(1, profile.programs.length);
const tiles = ({ profile }: Asked): number => profile.tiles;
/** Returns the last cycle, over all IPUs, of the runs that the link names (`run` and `beside`); without `run`, of all runs. */
function lastCycle(asked: Asked): number {
  const { profile, params } = asked;
  const chosen = runOf(asked);
  const beside = profile.runs.find((one) => String(one.id) === params.beside);
  const runs = chosen ? [chosen, ...(beside ? [beside] : [])] : profile.runs;
  const ends = runs.map((one) => endOfRun(profile, one, null));
  return Math.max(0, ...profile.runTotals.filter((t) => runs.some((one) => one.id === t.run)).map((t) => t.total || 0), ...ends);
}
const lastAddress = ({ profile }: Asked): number =>
  profile.memory.includingGaps.reduce((a, b) => Math.max(a, b), profile.target.bytesPerTile);
const yesNo = (name: string): Rule => oneOf(name, () => ['yes', 'no']);
const context: Rule = (word, { profile }) =>
  !profile.debug || profile.debug.has(Number(word)) ? null : `there is no debug context ${word}`;
const axis = (name: Axis): Rule => oneOf(name, ({ profile }) => readGrid(profile)?.values[name].map(String) ?? null);
const over: readonly (readonly [string, Rule])[] = [['over', oneOf('over', () => keysOf(kTileFigures))], ...window('tile', tiles, 't')];
const layerPath: Rule = (word, { profile, other, params }) => {
  const measure = kMeasures.find(([key]) => key === params.of)?.[0] ?? kMeasures[0][0];
  const trees = pathTrees(profile, other, measure);
  return trees.some((tree) => tree && nodeAt(tree, word).path === word) || !trees[0] ? null : `there is no layer “${word}”`;
};

/** Rules for parameters of all views. A rule of the view itself takes precedence. */
const kEverywhere: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['tile', (word, asked) => (word === 'all' ? null : tile(word, asked))],
  ['worker', tile],
  ['tiles', (word, { profile }) => listOutside('tile', profile.tiles)(word)],
  ['step', step],
  ['vs', step],
  ['variable', (word, { profile }) => outside('variable', profile.variables.length)(word)],
  ['at', (word, { profile }) => listOutside('executed step', profile.steps.count)(word)],
  ['ipu', (word, { profile }) => (word === 'all' ? null : outside('IPU', profile.ipus)(word))],
  ['run', run],
]);

const kOfViews: ReadonlyMap<string, ReadonlyMap<string, Rule>> = new Map(
  Object.entries({
    memory: [
      ['by', oneOf('by', () => keysOf(kBreakdowns))],
      ['plot', oneOf('plot', () => ['bars', 'map', 'histogram', 'time'])],
      ['max', oneOf('max', () => ['fullest', 'tile'])],
      ['order', oneOf('order', () => ['physical'])],
      [
        'of',
        oneOf('of', ({ profile, params }) => {
          if (params.plot === 'time') return keysOf(countable(profile));
          const by = (keysOf(kBreakdowns).find((key) => key === params.by) ?? 'category') as Breakdown;
          return memorySeries(profile, by, currentTheme()).map((series) => series.label);
        }),
      ],
      ...window('tile', tiles),
    ],
    tile: [['addresses', range('addresses', lastAddress)], ...window('step', programs)],
    liveness: [
      ['always', yesNo('always')],
      ['life', range('steps', programs)],
      ...window('position', (a) => a.profile.livenessSteps.length),
    ],
    program: [
      [
        'root',
        (word, { profile }) =>
          profile.roots.some((id) => String(id) === word) ? null : `there is no program ${word} at the root of the tree`,
      ],
      ['context', context],
      ...over,
    ],
    operations: [
      ['context', context],
      ['layer', oneOf('layer', ({ profile }) => (profile.debug ? ['/', ...keysOf(layersOf(profile.debug))] : null))],
      ...over,
    ],
    layers: [
      ['of', oneOf('of', () => keysOf(kMeasures))],
      ['plot', oneOf('plot', () => ['flame', 'map'])],
      ['path', layerPath],
    ],
    whatif: [
      ['workers', axis('workers')],
      ['exchange', axis('exchange')],
      ['sync', axis('sync')],
      ['clock', oneOf('clock', ({ profile }) => clocksOf(profile).map(String))],
      ['memory', oneOf('memory', ({ profile }) => sizesOf(profile).map(String))],
    ],
    compare: [
      ...window('tile', ({ profile, other }) => (other ? Math.max(profile.tiles, other.tiles) : Infinity), 'm'),
      ...window('aligned step', ({ profile, other }) => (other ? alignLiveness(profile, other).pairs.length : Infinity), 'l'),
    ],
    execution: [
      ['beside', (word, asked) => run(word, asked) ?? (word === asked.params.run ? `run ${word} is already shown` : null)],
      ['sort', oneOf('sort', () => keysOf(kTileOrders))],
      ['names', oneOf('names', () => keysOf(kNestings))],
      ['critical', yesNo('critical')],
      ['rows', range('rows', (asked) => asked.profile.tiles - 1)],
      ['lane', tile],
      [
        'cycle',
        (word, asked) =>
          /^\d+$/.test(word) && Number(word) <= lastCycle(asked) ? null : `there is no cycle ${word}: ${upTo(lastCycle(asked))}`,
      ],
      ['blocks', (word, { profile }) => (blocks(profile).some((b) => String(b.tile) === word) ? null : `tile ${word} recorded no blocks`)],
      ['bfrom', notNumber],
      ['bto', notNumber],
      ...window('cycle', lastCycle),
      ...over,
    ],
    exchange: [
      ['by', oneOf('by', () => keysOf(kShown))],
      [
        'step',
        (word, asked) =>
          step(word, asked) ??
          (collectExchanges(asked.profile).rows.some((row) => String(row.program) === word) ? null : `step ${word} is not an exchange`),
      ],
      [
        'pairs',
        (word, { profile }) =>
          /^\d+,\d+,\d+$/.test(word) && word.split(',').every((n) => Number(n) <= profile.tiles)
            ? null
            : `“${word}” is not a part of the tiles`,
      ],
    ],
  } satisfies Record<string, readonly (readonly [string, Rule])[]>).map(
    ([view, rules]) => [view, new Map(rules as readonly (readonly [string, Rule])[])] as const,
  ),
);

/** Lists of numbers: the view shows those numbers of an invalid list that exist in the profile. */
const kLists: ReadonlySet<string> = new Set(['at', 'tiles']);

/** Returns a route without the values that the profile lacks, and for each such value a clause that describes the fault. */
export function checkedRoute(
  profile: Profile,
  other: Profile | null,
  route: Route,
): { readonly route: Route; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const asked = { profile, other, params: route.params };
  const own = kOfViews.get(route.view);
  const kept = Object.entries(route.params).filter(([key, word]) => {
    const problem = word === '' ? null : ((own?.get(key) ?? kEverywhere.get(key))?.(word, asked) ?? null);
    if (problem) problems.push(problem);
    return !problem || kLists.has(key);
  });
  return problems.length === 0 ? { route, problems } : { route: { view: route.view, params: Object.fromEntries(kept) }, problems };
}
