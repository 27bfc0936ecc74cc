// Shares of a whole as one bar.
import type { Surface } from './surface';

export function drawShares(
  surface: Surface,
  parts: readonly { readonly value: number; readonly colour: string }[],
  whole: number,
  width: number,
): void {
  let at = 0;
  for (const part of parts) {
    const wide = (part.value / whole) * width;
    surface.rect(at, 4, Math.max(0.6, wide), 26, part.colour);
    at += wide;
  }
}

/** Returns the part at a position; -1 = none. */
export function shareAt(values: readonly number[], whole: number, x: number, width: number): number {
  let end = 0;
  return values.findIndex((value) => x < (end += (value / whole) * width));
}
