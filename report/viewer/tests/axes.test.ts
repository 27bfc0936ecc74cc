// Axes: whole numbers, and the label of a tile or step in the middle of its bar or row.
import { describe, expect, it } from 'vitest';
import { type AxisStyle, drawBottomAxis, drawLeftAxis, Scale, ticks } from '../src/draw/axes';
import { SvgSurface } from '../src/draw/surface';
import { kThemes, type Theme } from '../src/theme';

const kTheme = kThemes[0] as Theme;

/** Returns the labels of an axis, each with its position. */
function labelsOf(draw: (surface: SvgSurface) => void, coordinate: 'x' | 'y'): (readonly [string, number])[] {
  const surface = new SvgSurface(1000, 1000, '');
  draw(surface);
  const texts = [...surface.toString().matchAll(/<text x="([-\d.]+)" y="([-\d.]+)" font-size="11"[^>]*>([^<]*)</g)];
  return texts.map(([, x, y, text]) => [text ?? '', Number(coordinate === 'x' ? x : y)] as const).slice(0, -1); // the last is the title
}

const box = { x: 0, y: 0, width: 1000, height: 400 };
const bottom = (from: number, to: number, style: AxisStyle) =>
  labelsOf((surface) => drawBottomAxis(surface, box, new Scale(from, to, 0, 1000), style, kTheme), 'x');
const left = (from: number, to: number, style: AxisStyle) =>
  labelsOf((surface) => drawLeftAxis(surface, box, new Scale(from, to, 0, 400), style, kTheme), 'y');
const tiles: AxisStyle = { label: 'tile', format: String, items: true };

describe('axes', () => {
  it('have whole numbers, each once', () => {
    expect(ticks(0, 1, 9)).toEqual([0, 1]);
    expect(ticks(1000, 1004, 9)).toEqual([1000, 1001, 1002, 1003, 1004]);
    expect(ticks(0, 4.16, 9)).toEqual([0, 1, 2, 3, 4]);
    expect(bottom(1000, 1004, { label: 'cycle', format: String }).map(([text]) => text)).toEqual(['1000', '1001', '1002', '1003', '1004']);
  });

  it('have the number of a tile in the middle of its bar or row', () => {
    expect(bottom(0, 1, tiles)).toEqual([['0', 500]]);
    expect(bottom(16, 18, tiles)).toEqual([
      ['16', 250],
      ['17', 750],
    ]);
    const rows = left(0, 4, tiles);
    expect(rows.map(([text]) => text)).toEqual(['0', '1', '2', '3']);
    rows.forEach(([, y], tile) => expect(Math.floor(y / 100)).toBe(tile));
  });
});
