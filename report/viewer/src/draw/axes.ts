// Scales between values and pixels, and axes with round ticks.
import type { Theme } from '../theme';
import type { Surface } from './surface';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Maps values [from, to) linearly to `length` pixels that begin at `at`. A negative `length` runs upwards or to the left. */
export class Scale {
  constructor(
    readonly from: number,
    readonly to: number,
    readonly at: number,
    readonly length: number,
  ) {}
  pixel(value: number): number {
    return this.at + ((value - this.from) / (this.to - this.from || 1)) * this.length;
  }
  value(pixel: number): number {
    return this.from + ((pixel - this.at) / (this.length || 1)) * (this.to - this.from);
  }
}

/**
 * Returns about `count` round whole numbers in [from, to], because every axis counts something: tiles, steps, cycles or bytes. With `binary`,
 * the steps between large numbers are powers of two.
 */
export function ticks(from: number, to: number, count: number, binary = false): number[] {
  const span = to - from;
  if (!(span > 0)) return [from];
  const rough = Math.max(1, span / Math.max(1, count));
  let step: number;
  if (binary && (rough >= 1024 || (rough >= 64 && to > 1024))) step = 2 ** Math.ceil(Math.log2(rough));
  else {
    const power = 10 ** Math.floor(Math.log10(rough));
    step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10);
  }
  const out: number[] = [];
  for (let v = Math.ceil(from / step) * step; v <= to + step * 1e-9 && out.length < 64; v += step) out.push(v);
  return out;
}

/** Returns whether numbers of three digits distinguish the labels of an axis that covers `span` below `to`. */
export const threeDigits = (to: number, span: number): boolean => span > to / 8;

export interface AxisStyle {
  readonly label: string;
  readonly format: (value: number) => string;
  readonly binary?: boolean;
  readonly items?: boolean; // the item with the number v, such as a tile, takes the space from v to v + 1
}

/** Returns the values to label, each with its position. An item has its label in its middle. */
function labels(scale: Scale, count: number, { binary, items }: AxisStyle): (readonly [value: number, pixel: number])[] {
  const [low, high] = [Math.min(scale.from, scale.to), Math.max(scale.from, scale.to)];
  const values = ticks(low, high, count, binary);
  return values.flatMap((v) => (items && v >= high ? [] : [[v, scale.pixel(items ? v + 0.5 : v)] as const]));
}

export function drawBottomAxis(surface: Surface, box: Box, scale: Scale, style: AxisStyle, theme: Theme): void {
  const bottom = box.y + box.height;
  surface.line(
    [
      [box.x, bottom + 0.5],
      [box.x + box.width, bottom + 0.5],
    ],
    theme.faint,
  );
  for (const [value, x] of labels(scale, box.width / 110, style)) {
    if (x < box.x - 1 || x > box.x + box.width + 1) continue;
    surface.line(
      [
        [x, bottom],
        [x, bottom + 4],
      ],
      theme.faint,
    );
    const right = x > box.x + box.width - 18; // the edge would cut a centred label
    surface.text(style.format(value), right ? box.x + box.width + 8 : x, bottom + 13, {
      fill: theme.faint,
      size: 11,
      align: right ? 'right' : 'center',
    });
  }
  surface.text(style.label, box.x + box.width, bottom + 29, { fill: theme.faint, size: 11, align: 'right' });
}

export function drawLeftAxis(surface: Surface, box: Box, scale: Scale, style: AxisStyle, theme: Theme): void {
  for (const [value, y] of labels(scale, box.height / 44, style)) {
    if (y < box.y - 1 || y > box.y + box.height + 1) continue;
    surface.line(
      [
        [box.x, y],
        [box.x + box.width, y],
      ],
      theme.grid,
    );
    surface.text(style.format(value), box.x - 6, y, { fill: theme.faint, size: 11, align: 'right' });
  }
  surface.text(style.label, 4, Math.max(9, box.y - 12), { fill: theme.faint, size: 11 });
}
