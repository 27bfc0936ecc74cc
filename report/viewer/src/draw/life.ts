// The life of one variable: when it lives, when in vain, and the steps that write, read and undefine it.
import type { Interval } from '../data/types';
import { integer } from '../derived/format';
import type { Theme } from '../theme';
import { drawBottomAxis, Scale } from './axes';
import type { Surface } from './surface';

export type TouchKind = 'written' | 'partly' | 'read' | 'undef';
export interface Touch {
  readonly step: number;
  readonly kind: TouchKind;
}

export const kLifeHeight = 112;
export const kTouchLabels: Readonly<Record<TouchKind, string>> = {
  written: 'written whole',
  partly: 'written in part',
  read: 'read',
  undef: 'a WriteUndef would help',
};

export function touchColour(theme: Theme, kind: TouchKind): string {
  return kind === 'written'
    ? theme.activity.compute
    : kind === 'partly'
      ? theme.activity.exchange
      : kind === 'read'
        ? theme.activity.host
        : theme.mark;
}

export function lifeScale(programs: number, width: number): Scale {
  return new Scale(0, Math.max(1, programs), 100, Math.max(10, width - 120));
}

export function drawLife(
  surface: Surface,
  programs: number,
  intervals: readonly Interval[],
  vain: readonly Interval[],
  touches: readonly Touch[],
  width: number,
  height: number,
  theme: Theme,
): void {
  const x = lifeScale(programs, width);
  const bar = (spans: readonly Interval[], y: number, colour: string) => {
    for (const [from, end] of spans) surface.rect(x.pixel(from), y, Math.max(1.5, x.pixel(end) - x.pixel(from)), 14, colour);
  };
  const label = (name: string, y: number) => surface.text(name, x.at - 6, y, { fill: theme.faint, size: 11, align: 'right' });
  label('live', 15);
  surface.rect(x.at, 8, x.length, 14, theme.grid, 0.5);
  bar(intervals, 8, theme.accent);
  label('for nothing', 35);
  surface.rect(x.at, 28, x.length, 14, theme.grid, 0.5);
  bar(vain, 28, theme.warning);
  label('steps', 55);
  for (const touch of touches) {
    const at = (x.pixel(touch.step) + x.pixel(touch.step + 1)) / 2;
    surface.rect(at - 1.5, touch.kind === 'read' ? 56 : 48, 3, touch.kind === 'read' ? 9 : 15, touchColour(theme, touch.kind));
  }
  drawBottomAxis(
    surface,
    { x: x.at, y: 0, width: x.length, height: height - 40 },
    x,
    { label: 'step (in order of compilation)', format: integer },
    theme,
  );
}
