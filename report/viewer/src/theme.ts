// The table of colours. The hues are from Okabe and Ito's set, which colour-blind people can distinguish. Light and dark themes have the
// same hues; their lightness contrasts with the background.
import type { Activity } from './derived/names';
import type { LossKey } from './derived/loss';

/** A colour. Stripes stand for waiting; their colour is that of the work for which tiles wait. */
export interface Fill {
  readonly colour: string;
  readonly stripes?: string;
}

export interface Theme {
  readonly dark: boolean;
  readonly ground: string;
  readonly text: string;
  readonly faint: string; // axis lines, secondary text
  readonly grid: string;
  readonly accent: string;
  readonly mark: string; // selections
  readonly warning: string;
  readonly activity: Readonly<Record<Activity, string>>;
  readonly loss: Readonly<Record<LossKey, Fill>>;
  readonly series: readonly string[]; // for positions, profiles and runs, which have no colour of their own
  readonly category: ReadonlyMap<string, string>; // storage categories, the same in every picture
  readonly path: string; // the critical path, over the colours of activities
}

/**
 * Storage categories with their colours in the light and in the dark theme. Any two colours of a theme differ visibly, also for
 * colour-blind people (a test checks this).
 */
const kCategoryColours: readonly (readonly [string, string, string])[] = [
  ['variable', '#0072b2', '#3b95d0'],
  ['message', '#e69f00', '#e6a720'],
  ['rearrangement', '#009e73', '#1fb78c'],
  ['stack', '#cc79a7', '#d98bb5'],
  ['vertexCode', '#56b4e9', '#8fd0f5'],
  ['internalExchangeCode', '#d55e00', '#ef7f37'],
  ['multiple', '#a8aea2', '#7d8794'],
  ['controlCode', '#4b003c', '#692d0f'],
  ['vertexInstanceState', '#f0e196', '#3c2d96'],
  ['constant', '#0f0f87', '#f0ff96'],
  ['outputEdge', '#b4e1c3', '#5a3c69'],
  ['vertexFieldData', '#69001e', '#4bffc3'],
  ['copyDescriptor', '#4b5a5a', '#d21e4b'],
  ['vectorListDescriptor', '#b4a55a', '#a54b00'],
  ['hostMessage', '#2df0ff', '#5a5ae1'],
  ['hostExchangeCode', '#870078', '#d2ffff'],
  ['globalMessage', '#b478ff', '#1e693c'],
  ['globalExchangeCode', '#5a4bc3', '#ffe13c'],
  ['instrumentationResults', '#a55a4b', '#c32da5'],
  ['sharedCodeStorage', '#f0c35a', '#b4d269'],
  ['sharedDataStorage', '#78c387', '#8787ff'],
  ['controlId', '#875a87', '#964b69'],
  ['controlTable', '#e1b4d2', '#a5b4ff'],
  ['hostExchangePacketHeader', '#1e5a00', '#b4874b'],
  ['globalExchangePacketHeader', '#3c0069', '#ffb4d2'],
];

const kWaiting = { light: '#c9ced6', dark: '#454d58' }; // colours of tiles without work

type WaitKey = 'imbalance' | 'exchangeWait' | 'globalWait' | 'hostWait' | 'countersWait' | 'sync';

/**
 * Returns the colours of the causes of lost time. Work has a colour of its own. Waiting has the colour of barriers, as in a chart over
 * time, and stripes in the colour of the work for which tiles wait.
 */
function lossFills(waiting: string, work: Readonly<Record<Exclude<LossKey, WaitKey>, string>>): Theme['loss'] {
  const own = Object.fromEntries(Object.entries(work).map(([key, colour]) => [key, { colour }])) as Record<keyof typeof work, Fill>;
  const waitFor = (stripes: string): Fill => ({ colour: waiting, stripes });
  return {
    ...own,
    sync: { colour: waiting },
    imbalance: waitFor(work.work),
    exchangeWait: waitFor(work.exchange),
    globalWait: waitFor(work.global),
    hostWait: waitFor(work.host),
    countersWait: waitFor(work.counters),
  };
}

const kLight: Theme = {
  dark: false,
  ground: '#ffffff',
  text: '#1b1f24',
  faint: '#59636e',
  grid: '#d8dee4',
  accent: '#0072b2',
  mark: '#d55e00',
  warning: '#b3261e',
  activity: { compute: '#0072b2', exchange: '#e69f00', global: '#cc79a7', host: '#009e73', sync: kWaiting.light, control: '#4d555f' },
  loss: lossFills(kWaiting.light, {
    work: '#0072b2',
    both: '#0f1e87',
    idle: '#56b4e9',
    exchange: '#e69f00',
    global: '#cc79a7',
    host: '#009e73',
    hostAnswer: '#2dc387',
    control: '#4d555f',
    counters: '#78a55a',
    after: '#963c3c',
    unexplained: '#5a000f',
  }),
  category: new Map(kCategoryColours.map(([name, light]) => [name, light])),
  path: '#1b1f24',
  series: [
    '#0072b2',
    '#e69f00',
    '#009e73',
    '#cc79a7',
    '#56b4e9',
    '#d55e00',
    '#b8a800',
    '#7a5195',
    '#8c959f',
    '#3d6b47',
    '#a05a2c',
    '#446a99',
  ],
};

const kDark: Theme = {
  dark: true,
  ground: '#14171b',
  text: '#e6e9ed',
  faint: '#9aa4b0',
  grid: '#333a43',
  accent: '#56b4e9',
  mark: '#ff9a4d',
  warning: '#ff8a80',
  activity: { compute: '#3b95d0', exchange: '#e6a720', global: '#d98bb5', host: '#1fb78c', sync: kWaiting.dark, control: '#7d8794' },
  loss: lossFills(kWaiting.dark, {
    work: '#3b95d0',
    both: '#5a5ac3',
    idle: '#a9ddf9',
    exchange: '#e6a720',
    global: '#d98bb5',
    host: '#1fb78c',
    hostAnswer: '#4be1b4',
    control: '#7d8794',
    counters: '#96693c',
    after: '#78695a',
    unexplained: '#4b3c2d',
  }),
  category: new Map(kCategoryColours.map(([name, , dark]) => [name, dark])),
  path: '#ffffff',
  series: [
    '#3b95d0',
    '#e6a720',
    '#1fb78c',
    '#d98bb5',
    '#8fd0f5',
    '#ef7f37',
    '#d9cb3c',
    '#a98bd0',
    '#7d8794',
    '#6fa67b',
    '#c98a5e',
    '#7f9fc9',
  ],
};

export const kThemes: readonly Theme[] = [kLight, kDark];

/** Returns the current theme. Print uses the light theme. */
export function currentTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches ? kDark : kLight;
}

/**
 * Returns the colour of a value in [0, 1] on a scale from the background to its opposite: light to dark in the light theme, dark to light
 * in the dark theme.
 */
export function heat(theme: Theme, value: number): readonly [number, number, number] {
  const stops: readonly (readonly [number, number, number])[] = theme.dark
    ? [
        [32, 38, 46],
        [32, 78, 120],
        [52, 148, 170],
        [200, 205, 90],
        [255, 242, 190],
      ]
    : [
        [240, 243, 246],
        [150, 200, 222],
        [62, 134, 184],
        [52, 72, 140],
        [38, 14, 70],
      ];
  const at = Math.min(1, Math.max(0, value)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const a = stops[low] ?? [0, 0, 0];
  const b = stops[low + 1] ?? [0, 0, 0];
  const f = at - low;
  return [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f, a[2] + (b[2] - a[2]) * f];
}

export function rgb(hex: string): readonly [number, number, number] {
  return [parseInt(hex.slice(1, 3), 16), parseInt(hex.slice(3, 5), 16), parseInt(hex.slice(5, 7), 16)];
}

/** Returns the mean of two colours. */
export function mixed(hex: string, other: string): string {
  const [a, b] = [rgb(hex), rgb(other)];
  return `#${a
    .map((c, i) =>
      Math.round((c + (b[i] ?? c)) / 2)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Returns the relative luminance (WCAG 2.2) of a colour. */
function luminance(hex: string): number {
  const [r, g, b] = rgb(hex).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** Returns the ink, dark or light, that is easier to read on a colour. At luminance 0.18 both have the same contrast. */
export function inkOn(hex: string): string {
  return luminance(hex) > 0.18 ? '#0b0d10' : '#ffffff';
}
