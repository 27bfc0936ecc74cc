// The address axis of one tile: draws occupied ranges to scale and folds long empty ranges to a thin band.
import type { Allocation } from '../data/profile';

export interface Stretch {
  readonly from: number; // address
  readonly to: number;
  readonly occupied: boolean;
}

/**
 * Returns the occupied and empty ranges from 0 to the highest used address, ascending. Empty ranges shorter than `fold` join their
 * neighbours.
 */
export function stretches(allocations: readonly Allocation[], fold: number): Stretch[] {
  const sorted = [...allocations].filter((a) => a.bytes > 0).sort((a, b) => a.offset - b.offset);
  const out: { from: number; to: number; occupied: boolean }[] = [];
  let end = 0;
  for (const a of sorted) {
    const last = out[out.length - 1];
    if (a.offset - end >= fold) {
      out.push({ from: end, to: a.offset, occupied: false });
      out.push({ from: a.offset, to: a.offset + a.bytes, occupied: true });
    } else if (last?.occupied) last.to = Math.max(last.to, a.offset + a.bytes);
    else out.push({ from: end, to: a.offset + a.bytes, occupied: true });
    end = Math.max(end, a.offset + a.bytes);
  }
  return out;
}

/** Returns the parts of ranges within [low, high). Each part is occupied or empty, like its range. */
export function clip(parts: readonly Stretch[], low: number, high: number): Stretch[] {
  const out: Stretch[] = [];
  for (const part of parts) {
    const [from, to] = [Math.max(part.from, low), Math.min(part.to, high)];
    if (from < to) out.push({ from, to, occupied: part.occupied });
  }
  return out;
}

/** Returns a text such as "4096-8192" as a half-open window, cut to [least, most]; null if the text is no window or the window is empty. */
export function parseWindow(text: string, least: number, most: number): readonly [number, number] | null {
  const match = /^\s*(\d{1,15})\s*[-–]\s*(\d{1,15})\s*$/.exec(text.replace(/,/g, ''));
  if (!match) return null;
  const [low, high] = [Math.max(least, Number(match[1])), Math.min(most, Number(match[2]))];
  return low < high ? [low, high] : null;
}

/** Maps addresses to pixels from the bottom up; each empty range is `band` pixels high. */
export class FoldedScale {
  private readonly starts: number[] = []; // pixels above the bottom
  readonly scale: number; // pixels per byte
  constructor(
    readonly parts: readonly Stretch[],
    readonly bottom: number,
    readonly height: number,
    readonly band: number,
  ) {
    const occupied = parts.reduce((sum, p) => sum + (p.occupied ? p.to - p.from : 0), 0);
    const bands = parts.filter((p) => !p.occupied).length * band;
    this.scale = Math.max(1, height - bands) / Math.max(1, occupied);
    let at = 0;
    for (const p of parts) {
      this.starts.push(at);
      at += p.occupied ? (p.to - p.from) * this.scale : band;
    }
  }
  pixel(address: number): number {
    let i = this.parts.length - 1;
    while (i > 0 && address < (this.parts[i]?.from ?? 0)) --i;
    const part = this.parts[i];
    if (!part) return this.bottom;
    const factor = part.occupied ? this.scale : this.band / (part.to - part.from);
    return this.bottom - ((this.starts[i] ?? 0) + (Math.min(address, part.to) - part.from) * factor);
  }
  address(pixel: number): number {
    const up = this.bottom - pixel;
    let i = this.parts.length - 1;
    while (i > 0 && up < (this.starts[i] ?? 0)) --i;
    const part = this.parts[i];
    if (!part) return 0;
    const factor = part.occupied ? this.scale : this.band / (part.to - part.from);
    return part.from + (up - (this.starts[i] ?? 0)) / factor;
  }
}
