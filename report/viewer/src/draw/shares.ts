// Draws the shares of a whole as one bar.
import type { Fill } from '../theme';
import { drawStripes, type Surface } from './surface';

const kTop = 4;
const kHigh = 26; // pixels

export function drawShares(
  surface: Surface,
  parts: readonly { readonly value: number; readonly fill: Fill }[],
  whole: number,
  width: number,
): void {
  let at = 0;
  for (const part of parts) {
    const wide = (part.value / whole) * width;
    surface.rect(at, kTop, Math.max(0.6, wide), kHigh, part.fill.colour);
    if (part.fill.stripes) drawStripes(surface, { x: at, y: kTop, width: wide, height: kHigh }, part.fill.stripes);
    at += wide;
  }
}

/** Returns the part at a position; -1 = none. */
export function shareAt(values: readonly number[], whole: number, x: number, width: number): number {
  let end = 0;
  return values.findIndex((value) => x < (end += (value / whole) * width));
}
