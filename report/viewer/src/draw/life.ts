// Draws the life of one variable: when it is live, when it is false-live, and the steps that write, read or undefine it.
import type { Interval } from '../data/types';
import type { Touch, TouchKind } from '../derived/life';
import { integer } from '../derived/format';
import type { Theme } from '../theme';
import { drawBottomAxis, Scale } from './axes';
import type { Surface } from './surface';

const kLane = 20;
const kLanes = ['live', 'false-live', 'written', 'read', 'undefined'] as const;
export const kLifeHeight = kLanes.length * kLane + 50;
export const kTouchLabels: Readonly<Record<TouchKind, string>> = {
  whole: 'written whole',
  part: 'written in part',
  read: 'read',
  undefined: 'undefined',
  helps: 'a WriteUndef would help',
};
const kLaneOf: Readonly<Record<TouchKind, (typeof kLanes)[number]>> = {
  whole: 'written',
  part: 'written',
  read: 'read',
  undefined: 'undefined',
  helps: 'undefined',
};

export function touchColour(theme: Theme, kind: TouchKind): string {
  const { compute, exchange, host, control } = theme.activity;
  return { whole: compute, part: exchange, read: host, undefined: control, helps: theme.mark }[kind];
}

export function lifeScale(steps: readonly [number, number], width: number): Scale {
  return new Scale(steps[0], steps[1], 100, Math.max(10, width - 120));
}

export function drawLife(
  surface: Surface,
  steps: readonly [number, number],
  intervals: readonly Interval[],
  falseLive: readonly Interval[],
  touches: readonly Touch[],
  width: number,
  theme: Theme,
): void {
  const x = lifeScale(steps, width);
  const top = (lane: (typeof kLanes)[number]) => 8 + kLanes.indexOf(lane) * kLane;
  const bar = (from: number, to: number, lane: (typeof kLanes)[number], least: number, colour: string) => {
    if (to <= steps[0] || from >= steps[1]) return;
    const [left, right] = [x.pixel(Math.max(from, steps[0])), x.pixel(Math.min(to, steps[1]))];
    surface.rect(left, top(lane), Math.max(least, right - left), 14, colour);
  };
  for (const lane of kLanes) {
    surface.text(lane, x.at - 6, top(lane) + 7, { fill: theme.faint, size: 11, align: 'right' });
    surface.rect(x.at, top(lane), x.length, 14, theme.grid, 0.5);
  }
  for (const [from, to] of intervals) bar(from, to, 'live', 1.5, theme.accent);
  for (const [from, to] of falseLive) bar(from, to, 'false-live', 1.5, theme.warning);
  const last = new Map<TouchKind, number>(); // last marked pixel of each kind: one mark per pixel is enough
  for (const touch of touches) {
    const pixel = Math.floor(x.pixel(touch.step));
    if (last.get(touch.kind) === pixel) continue;
    last.set(touch.kind, pixel);
    // Draws a mark narrower than its step, so that consecutive steps stay separate.
    const gap = Math.min(1, (x.length / (steps[1] - steps[0])) * 0.1);
    bar(touch.step + (gap / x.length) * (steps[1] - steps[0]), touch.step + 1, kLaneOf[touch.kind], 2, touchColour(theme, touch.kind));
  }
  drawBottomAxis(
    surface,
    { x: x.at, y: 0, width: x.length, height: kLanes.length * kLane + 10 },
    x,
    { label: 'step (in order of compilation)', format: integer, items: true },
    theme,
  );
}
