// Names in pictures and tables: measures their width, and shortens them in the middle.
import { fitted } from '../derived/format';
import { kFont, type Surface } from './surface';

let context: CanvasRenderingContext2D | null = null;
let font = '';

/** Returns the width of a text in pixels at a font size. Without a page, estimates the width from the number of letters. */
export function textWidth(text: string, size: number): number {
  if (typeof document === 'undefined') return text.length * size * 0.6;
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * size;
  if (font !== `${size}px ${kFont}`) context.font = font = `${size}px ${kFont}`;
  return context.measureText(text).width;
}

export const kNameSize = 11; // pixels, the font size of names in pictures

/** Draws a name from `x` on, shortened in the middle to `room` pixels. Draws nothing if less than three letters fit. */
export function drawName(surface: Surface, name: string, x: number, y: number, room: number, fill: string): void {
  const text = room < kNameSize / 2 ? '' : fitted(name, room, (part) => textWidth(part, kNameSize));
  if (text !== '') surface.text(text, x, y, { fill, size: kNameSize });
}
