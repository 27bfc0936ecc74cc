// Simulates the colours of both themes for people who lack one kind of cone: adjacent colours must still differ.
import { describe, expect, it } from 'vitest';
import { heat, inkOn, kThemes, rgb, type Theme } from '../src/theme';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

// Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009), severity 1,
// on linear RGB.
const kSeen: Readonly<Record<string, Matrix>> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (m: Matrix, v: Triple): Triple => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
const map = (v: Triple, f: (x: number) => number): Triple => [f(v[0]), f(v[1]), f(v[2])];
const linear = (colour: Triple): Triple => map(colour, (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));

/** CIELAB (D65) of linear RGB. */
function lab(colour: Triple): Triple {
  const clipped = map(colour, (c) => Math.min(1, Math.max(0, c)));
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 27 / 116 + 16 / 116);
  const x = f(dot([0.4124564, 0.3575761, 0.1804375], clipped) / 0.95047);
  const y = f(dot([0.2126729, 0.7151522, 0.072175], clipped));
  const z = f(dot([0.0193339, 0.119192, 0.9503041], clipped) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const seen = (colour: Triple, by: string): Triple => lab(times(kSeen[by] as Matrix, linear(colour)));

/** Returns the distance in CIELAB: 2.3 is a just noticeable difference, and 10 is visible at a glance. */
function distance(a: string, b: string, by: string): number {
  const [p, q] = [seen(rgb(a), by), seen(rgb(b), by)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

const luminance = (colour: Triple): number => dot([0.2126, 0.7152, 0.0722], linear(colour));
function contrast(a: string, b: string): number {
  const [p, q] = [luminance(rgb(a)), luminance(rgb(b))];
  return (Math.max(p, q) + 0.05) / (Math.min(p, q) + 0.05);
}

const pairs = (colours: readonly string[]): (readonly [string, string])[] =>
  colours.flatMap((a, i) => colours.slice(i + 1).map((b) => [a, b] as const));
const neighbours = (colours: readonly string[]): (readonly [string, string])[] =>
  colours.slice(1).map((b, i) => [colours[i] ?? '', b] as const);

/** Returns the pairs that are nearer than a limit, as a list that names the colours to change. */
function tooNear(list: readonly (readonly [string, string])[], limit: number): string[] {
  const out: string[] = [];
  for (const by of Object.keys(kSeen))
    for (const [a, b] of list) {
      const d = distance(a, b, by);
      if (d < limit) out.push(`${a} and ${b} with ${by}: ${d.toFixed(1)}`);
    }
  return out;
}

const named = (theme: Theme): string => (theme.dark ? 'dark' : 'light');

describe.each(kThemes.map((theme) => [named(theme), theme] as const))('colours, %s', (_name, theme) => {
  it('tells the kinds of time of a chart apart, each from each', () => {
    expect(tooNear(pairs(Object.values(theme.activity)), 10)).toEqual([]);
  });
  it('tells causes of time apart, each from each, and storage categories', () => {
    const fills = Object.values(theme.loss);
    expect(tooNear(pairs(fills.flatMap((fill) => (fill.stripes ? [] : [fill.colour]))), 10)).toEqual([]);
    expect(tooNear(pairs(fills.flatMap((fill) => fill.stripes ?? [])), 10)).toEqual([]);
    expect(theme.category.size).toBe(25);
    expect(tooNear(pairs([...theme.category.values()]), 10)).toEqual([]);
  });
  it('has the colour of a chart over time for work and waiting of each cause, with stripes for what is waited for', () => {
    const { loss, activity } = theme;
    expect(loss.work).toEqual({ colour: activity.compute });
    for (const kind of ['exchange', 'global', 'host', 'sync', 'control'] as const) expect(loss[kind]).toEqual({ colour: activity[kind] });
    expect(loss.imbalance).toEqual({ colour: activity.sync, stripes: activity.compute });
    for (const kind of ['exchange', 'global', 'host'] as const)
      expect(loss[`${kind}Wait`]).toEqual({ colour: activity.sync, stripes: activity[kind] });
  });
  it('tells the critical path from what it crosses', () => {
    const { compute, exchange, global, host, sync } = theme.activity;
    expect(
      tooNear(
        [compute, exchange, global, host, sync].map((colour) => [theme.path, colour] as const),
        15,
      ),
    ).toEqual([]);
  });
  it('tells the six largest series apart each from each, and all from their neighbours', () => {
    expect(tooNear(pairs(theme.series.slice(0, 6)), 10)).toEqual([]);
    expect(tooNear(neighbours(theme.series), 10)).toEqual([]);
  });
  it('tells series from the ground, and marks and warnings from what they lie on', () => {
    for (const colour of [...theme.series, ...Object.values(theme.loss).map((fill) => fill.colour), ...theme.category.values()])
      expect(tooNear([[colour, theme.ground]], 12)).toEqual([]);
    for (const mark of [theme.mark, theme.warning]) expect(tooNear([[mark, theme.series[0] ?? '']], 20)).toEqual([]);
  });
  it('has a scale of colours on which more is always darker, or by night lighter, in steps that are seen', () => {
    const steps = 16;
    for (const by of Object.keys(kSeen)) {
      const light = Array.from({ length: steps + 1 }, (_, i) => seen(heat(theme, i / steps), by)[0]);
      light.slice(1).forEach((l, i) => expect((theme.dark ? 1 : -1) * (l - (light[i] ?? 0)), `${by}, step ${i}`).toBeGreaterThan(2.3));
    }
  });
  it('has text that can be read', () => {
    for (const text of [theme.text, theme.faint, theme.warning]) expect(contrast(text, theme.ground)).toBeGreaterThan(4.5);
    for (const colour of Object.values(theme.activity)) expect(contrast(inkOn(colour), colour), colour).toBeGreaterThan(4.5);
  });
});

describe('the simulation', () => {
  it('leaves grey as it is, and takes red and green of one lightness together', () => {
    for (const by of Object.keys(kSeen)) expect(distance('#808080', '#818181', by)).toBeLessThan(1.5);
    expect(distance('#c05050', '#707a00', 'all cones')).toBeGreaterThan(50);
    expect(distance('#c05050', '#707a00', 'deuteranopia')).toBeLessThan(25);
  });
});
