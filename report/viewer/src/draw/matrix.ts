// Draws a square of coloured cells: senders are rows, receivers are columns. Colours are logarithmic, because in an exchange few pairs move
// much data and many pairs move little.
import { heat, type Theme } from '../theme';
import { type AxisStyle, type Box, drawBottomAxis, drawLeftAxis, Scale } from './axes';
import type { Surface } from './surface';

export interface Matrix {
  readonly values: Float64Array; // bytes of each cell, at index row * cells + column; 0 = no bytes
  readonly cells: number; // cells per side
  readonly perCell: number; // positions per cell
  readonly left: number; // position of the first column
  readonly top: number; // position of the first row
  readonly x: AxisStyle;
  readonly y: AxisStyle;
  readonly format: (value: number) => string;
}

const kMargins = { right: 104, bottom: 40 }; // pixels, for the scale of colours and the labels of the axis
const kBox = { x: 70, y: 26 };

/** Returns the height of the picture at a width: at most 440 pixels, and less if the square is narrower. */
export function matrixHeight(width: number): number {
  return Math.min(440, Math.max(10, width - kBox.x - kMargins.right) + kBox.y + kMargins.bottom);
}

export function matrixScales(matrix: Matrix, width: number, height: number): { box: Box; x: Scale; y: Scale } {
  const side = Math.max(10, Math.min(width - kBox.x - kMargins.right, height - kBox.y - kMargins.bottom));
  const box = { ...kBox, width: side, height: side };
  const { left, top, cells, perCell } = matrix;
  return { box, x: new Scale(left, left + cells * perCell, box.x, side), y: new Scale(top, top + cells * perCell, box.y, side) };
}

/** Returns the row and column of the cell at a point; null outside the square. */
export function cellAt(matrix: Matrix, x: number, y: number, width: number, height: number): { row: number; column: number } | null {
  const scales = matrixScales(matrix, width, height);
  const column = Math.floor((scales.x.value(x) - matrix.left) / matrix.perCell);
  const row = Math.floor((scales.y.value(y) - matrix.top) / matrix.perCell);
  return column >= 0 && row >= 0 && column < matrix.cells && row < matrix.cells ? { row, column } : null;
}

export function drawMatrix(surface: Surface, matrix: Matrix, width: number, height: number, theme: Theme): void {
  const { box, x, y } = matrixScales(matrix, width, height);
  let low = Infinity;
  let high = 0;
  for (const value of matrix.values) {
    if (value <= 0) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const shade = (value: number): string => {
    const at = high > low ? Math.log(value / low) / Math.log(high / low) : 1;
    const [r, g, b] = heat(theme, 0.2 + 0.8 * at); // the smallest value still differs from 0
    return `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})`;
  };
  drawLeftAxis(surface, box, y, matrix.y, theme);
  matrix.values.forEach((value, at) => {
    if (value <= 0) return;
    const [row, column] = [Math.floor(at / matrix.cells), at % matrix.cells];
    const left = Math.round(x.pixel(matrix.left + column * matrix.perCell));
    const right = Math.round(x.pixel(matrix.left + (column + 1) * matrix.perCell));
    const top = Math.round(y.pixel(matrix.top + row * matrix.perCell));
    const bottom = Math.round(y.pixel(matrix.top + (row + 1) * matrix.perCell));
    surface.rect(left, top, Math.max(1, right - left), Math.max(1, bottom - top), shade(value));
  });
  drawBottomAxis(surface, box, x, matrix.x, theme);
  surface.frame(box.x, box.y, box.width, box.height, theme.grid);
  if (high > 0) drawShades(surface, box, high > low ? [low, high] : [high], shade, matrix.format, theme);
}

/** Draws the scale of colours with the largest value at the top and the smallest at the bottom. */
function drawShades(
  surface: Surface,
  box: Box,
  ends: readonly number[],
  shade: (value: number) => string,
  format: (value: number) => string,
  theme: Theme,
): void {
  const [low = 1, high = low] = ends;
  const steps = ends.length === 1 ? 1 : 40;
  const tall = steps === 1 ? 12 : Math.min(160, box.height) / steps;
  const left = box.x + box.width + 18;
  for (let i = 0; i < steps; ++i) {
    const value = steps === 1 ? high : high * (low / high) ** (i / (steps - 1));
    surface.rect(left, box.y + i * tall, 12, tall + 0.4, shade(value));
  }
  surface.text(format(high), left + 18, box.y + 6, { fill: theme.faint, size: 11 });
  if (steps > 1) surface.text(format(low), left + 18, box.y + steps * tall - 6, { fill: theme.faint, size: 11 });
}
