// Draws two series over the same positions: the first as an area, the second as a line over it. If there are more positions than pixels,
// each pixel shows the maximum. NaN = no value.
import type { Theme } from '../theme';
import { type AxisStyle, type Box, drawBottomAxis, drawLeftAxis, Scale } from './axes';
import { plotBox } from './bars';
import type { Surface } from './surface';

export interface Overlay {
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly x: AxisStyle;
  readonly y: AxisStyle;
}

export function overlayScales(data: Overlay, width: number, height: number): { box: Box; x: Scale; y: Scale } {
  const box = plotBox(width, height);
  let top = 1;
  for (let i = data.from; i < data.to; ++i) top = Math.max(top, data.before[i] || 0, data.after[i] || 0);
  return { box, x: new Scale(data.from, data.to, box.x, box.width), y: new Scale(0, top * 1.04, box.y + box.height, -box.height) };
}

function pooled(values: Float64Array, from: number, to: number, columns: number): Float64Array {
  return Float64Array.from({ length: columns }, (_, column) => {
    let most = NaN;
    const end = from + Math.floor(((column + 1) * (to - from)) / columns);
    for (let i = from + Math.floor((column * (to - from)) / columns); i < end; ++i)
      if (!((values[i] ?? NaN) <= most) && !Number.isNaN(values[i])) most = values[i] ?? NaN;
    return most;
  });
}

export function drawOverlay(surface: Surface, data: Overlay, width: number, height: number, theme: Theme): void {
  const { box, x, y } = overlayScales(data, width, height);
  drawLeftAxis(surface, box, y, data.y, theme);
  const columns = Math.max(1, Math.min(data.to - data.from, Math.floor(box.width)));
  const edge = (column: number) => Math.round(box.x + (column * box.width) / columns);
  pooled(data.before, data.from, data.to, columns).forEach((value, column) => {
    if (value > 0)
      surface.rect(
        edge(column),
        y.pixel(value),
        edge(column + 1) - edge(column),
        y.pixel(0) - y.pixel(value),
        theme.series[0] ?? theme.accent,
        0.55,
      );
  });
  let line: [number, number][] = [];
  const flush = () => {
    if (line.length > 1) surface.line(line, theme.mark, 1.6);
    line = [];
  };
  pooled(data.after, data.from, data.to, columns).forEach((value, column) => {
    if (Number.isNaN(value)) flush();
    else line.push([edge(column), y.pixel(value)], [edge(column + 1), y.pixel(value)]);
  });
  flush();
  drawBottomAxis(surface, box, x, data.x, theme);
}
