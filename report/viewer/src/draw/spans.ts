// Draws named ranges on levels over one axis, for example runs of a profile or blocks of a tile.
import type { Theme } from '../theme';
import { type AxisStyle, drawBottomAxis, Scale } from './axes';
import { drawName } from './names';
import type { Surface } from './surface';

export interface NamedSpan {
  readonly label: string;
  readonly depth: number;
  readonly from: number;
  readonly to: number;
  readonly colour: string;
  readonly marked: boolean;
}

export const kSpanHeight = 22;

export function spanScale(from: number, to: number, width: number): Scale {
  return new Scale(from, to, 10, Math.max(10, width - 20));
}

export function drawSpans(
  surface: Surface,
  spans: readonly NamedSpan[],
  from: number,
  to: number,
  axis: AxisStyle | null,
  width: number,
  height: number,
  theme: Theme,
  x = spanScale(from, to, width),
): void {
  for (const span of spans) {
    if (span.to < from || span.from > to) continue;
    const left = Math.max(x.at, x.pixel(span.from));
    const wide = Math.max(1, Math.min(x.at + x.length, x.pixel(span.to)) - left - 0.7);
    const top = 4 + span.depth * kSpanHeight;
    surface.rect(left, top, wide, kSpanHeight - 3, span.colour, 0.45);
    if (span.marked) surface.frame(left + 1, top + 1, Math.max(1, wide - 2), kSpanHeight - 5, theme.mark, 2);
    drawName(surface, span.label, left + 4, top + (kSpanHeight - 3) / 2, wide - 8, theme.text);
  }
  if (axis) drawBottomAxis(surface, { x: x.at, y: 0, width: x.length, height: height - 38 }, x, axis, theme);
}
