// Draws stacked values over a range of positions (tiles, steps). If there are more positions than pixels, each pixel shows the maximum of
// its positions, so that a peak on one tile stays visible.
import type { Theme } from '../theme';
import { type AxisStyle, type Box, drawBottomAxis, drawLeftAxis, Scale } from './axes';
import { drawStripes, type Surface } from './surface';

export interface Series {
  readonly label: string;
  readonly colour: string;
  readonly values: Float64Array;
  readonly hatched?: boolean; // stripes, for addresses with several uses over time
}

export interface StackedBars {
  readonly series: readonly Series[]; // from the bottom up
  readonly from: number; // first position shown
  readonly to: number; // one past the last
  readonly top?: number; // value at the upper edge; default: the largest sum
  readonly limit?: { readonly value: number; readonly label: string };
  readonly marks: readonly number[]; // positions to mark
  readonly x: AxisStyle;
  readonly y: AxisStyle;
}

export function plotBox(width: number, height: number): Box {
  return { x: 70, y: 26, width: Math.max(10, width - 84), height: Math.max(10, height - 66) };
}

export function sumAt(series: readonly Series[], position: number): number {
  let sum = 0;
  for (const s of series) sum += s.values[position] || 0;
  return sum;
}

export function largestSum(series: readonly Series[], from: number, to: number): number {
  let top = 0;
  for (let i = from; i < to; ++i) top = Math.max(top, sumAt(series, i));
  return top;
}

export function barScales(data: StackedBars, width: number, height: number): { box: Box; x: Scale; y: Scale } {
  const box = plotBox(width, height);
  const shown = data.top ?? Math.max(largestSum(data.series, data.from, data.to), 1) * 1.04;
  return { box, x: new Scale(data.from, data.to, box.x, box.width), y: new Scale(0, shown, box.y + box.height, -box.height) };
}

/** Returns the marked positions in [from, to). Neighbours become one half-open span, because overlapping marks would hide the bars. */
export function markSpans(marks: readonly number[], from: number, to: number): [number, number][] {
  const spans: [number, number][] = [];
  for (const mark of [...marks].sort((a, b) => a - b)) {
    if (mark < from || mark >= to) continue;
    const last = spans[spans.length - 1];
    if (last && mark <= last[1]) last[1] = Math.max(last[1], mark + 1);
    else spans.push([mark, mark + 1]);
  }
  return spans;
}

export function drawStackedBars(surface: Surface, data: StackedBars, width: number, height: number, theme: Theme): void {
  const { box, x, y } = barScales(data, width, height);
  drawLeftAxis(surface, box, y, data.y, theme);
  const count = data.to - data.from;
  const columns = Math.min(count, Math.floor(box.width));
  for (let column = 0; column < columns; ++column) {
    const first = data.from + Math.floor((column * count) / columns);
    const last = data.from + Math.floor(((column + 1) * count) / columns);
    let best = first;
    let most = -1;
    for (let i = first; i < last; ++i) {
      const sum = sumAt(data.series, i);
      if (sum > most) [best, most] = [i, sum];
    }
    // Rounds to whole pixels, so that neighbours neither overlap nor leave a seam.
    const left = Math.round(box.x + (column * box.width) / columns);
    const right = Math.round(box.x + ((column + 1) * box.width) / columns);
    const gap = box.width / columns > 6 ? 1 : 0;
    let base = 0;
    for (const s of data.series) {
      const value = s.values[best] || 0;
      if (value <= 0) continue;
      const low = y.pixel(base);
      const high = y.pixel(base + value);
      surface.rect(left, high, right - left - gap, low - high, s.colour);
      if (s.hatched) drawStripes(surface, { x: left, y: high, width: right - left - gap, height: low - high }, theme.ground);
      base += value;
    }
  }
  for (const [first, end] of markSpans(data.marks, data.from, data.to)) {
    const left = x.pixel(first);
    const wide = Math.max(3, x.pixel(end) - left);
    surface.rect(left, box.y, wide, box.height, theme.mark, 0.22);
    surface.rect(left, box.y - 4, wide, 4, theme.mark);
  }
  if (data.limit && data.limit.value <= y.to) {
    const at = y.pixel(data.limit.value);
    surface.line(
      [
        [box.x, at],
        [box.x + box.width, at],
      ],
      theme.warning,
      1.5,
      true,
    );
    const wide = data.limit.label.length * 6.4 + 8; // the label gets its own background, because bars have any colour
    surface.rect(box.x + box.width - wide, at - 16, wide, 15, theme.ground, 0.9);
    surface.text(data.limit.label, box.x + box.width - 4, at - 8, { fill: theme.warning, size: 11, align: 'right' });
  }
  drawBottomAxis(surface, box, x, data.x, theme);
}
