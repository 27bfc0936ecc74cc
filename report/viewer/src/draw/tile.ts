// Draws the allocations of one tile as rectangles: steps on the horizontal axis, addresses on the vertical axis.
import type { Allocation, Interval, Profile } from '../data/profile';
import { FoldedScale, type Stretch } from '../derived/addresses';
import { bytes, integer } from '../derived/format';
import { categoryColour } from '../derived/memory';
import { inkOn, type Theme } from '../theme';
import { type Box, drawBottomAxis, Scale, ticks } from './axes';
import { drawName } from './names';
import type { Surface } from './surface';

export interface TileScales {
  readonly box: Box;
  readonly x: Scale;
  readonly y: FoldedScale;
}

/** Returns the scales for the steps [from, to) and for the addresses of some stretches. */
export function tileScales(steps: readonly [number, number], parts: readonly Stretch[], width: number, height: number): TileScales {
  const box = { x: 78, y: 14, width: Math.max(10, width - 92), height: Math.max(10, height - 54) };
  return {
    box,
    x: new Scale(steps[0], Math.max(steps[0] + 1, steps[1]), box.x, box.width),
    y: new FoldedScale(parts, box.y + box.height, box.height, 12),
  };
}

export function intervalsOf(profile: Profile, a: Allocation): readonly Interval[] {
  return a.alwaysLive ? [[0, profile.programs.length]] : (profile.intervals.get(a.equivalenceClass ?? -1) ?? []);
}

export function drawTile(
  surface: Surface,
  profile: Profile,
  allocations: readonly Allocation[],
  d: TileScales,
  step: number,
  theme: Theme,
): void {
  let free = Infinity; // the next address label must lie above this pixel
  const label = (address: number, at: number) => {
    if (at + 5 > free || at < d.box.y) return;
    surface.text(integer(address), d.box.x - 6, at, { fill: theme.faint, size: 10, align: 'right' });
    free = at - 6;
  };
  for (const part of d.y.parts) {
    const top = d.y.pixel(part.to);
    const bottom = d.y.pixel(part.from);
    if (!part.occupied) {
      surface.rect(d.box.x, top, d.box.width, bottom - top, theme.grid, 0.5);
      surface.text(`${bytes(part.to - part.from)} empty`, d.box.x + 6, (top + bottom) / 2, { fill: theme.faint, size: 10 });
    }
    label(part.from, bottom - 5);
    if (part.occupied)
      for (const address of ticks(part.from, part.to, (bottom - top) / 44, true)) {
        const at = d.y.pixel(address);
        if (address <= part.from || at > bottom - 18 || at < top + 8) continue;
        label(address, at);
        surface.rect(d.box.x - 4, at - 0.5, 4, 1, theme.faint);
      }
  }
  surface.text('address', 4, 7, { fill: theme.faint, size: 11 });
  const lowest = d.y.parts[0]?.from ?? 0;
  const highest = d.y.parts[d.y.parts.length - 1]?.to ?? 0;
  for (const a of allocations) {
    const [low, above] = [Math.max(lowest, a.offset), Math.min(highest, a.offset + a.bytes)];
    if (low >= above) continue;
    const top = d.y.pixel(above);
    const high = Math.max(0.6, d.y.pixel(low) - top);
    const colour = categoryColour(theme, a.category);
    for (const [first, end] of intervalsOf(profile, a)) {
      if (end <= d.x.from || first >= d.x.to) continue;
      const left = d.x.pixel(Math.max(first, d.x.from));
      const wide = d.x.pixel(Math.min(end, d.x.to)) - left;
      surface.rect(left, top, wide, high, colour);
      if (high > 4) surface.frame(left, top, wide, high, theme.ground, 0.7);
      if (high > 12 && wide > 60) drawName(surface, a.name, left + 4, top + high / 2, wide - 8, inkOn(colour));
    }
  }
  drawBorders(surface, profile, d, theme);
  if (step >= d.x.from && step < d.x.to) {
    const at = d.x.pixel(step);
    surface.rect(at, d.box.y, Math.max(2, d.x.pixel(step + 1) - at), d.box.height, theme.mark, 0.25);
  }
  drawBottomAxis(surface, d.box, d.x, { label: 'step (in order of compilation)', format: integer, items: true }, theme);
}

/** Draws lines at the borders of memory regions and at the end of memory. Draws a shaded strip for each region at the right edge. */
function drawBorders(surface: Surface, profile: Profile, d: TileScales, theme: Theme): void {
  const lowest = d.y.parts[0]?.from ?? 0;
  const highest = d.y.parts[d.y.parts.length - 1]?.to ?? 0;
  const right = d.box.x + d.box.width;
  const { interleavedOffset: interleaved, bytesPerTile: end } = profile.target;
  const border = (address: number, label: string, colour: string) => {
    if (!(address > lowest && address < highest)) return;
    const at = d.y.pixel(address);
    surface.line(
      [
        [d.box.x, at],
        [right, at],
      ],
      colour,
      1.5,
      true,
    );
    const wide = label.length * 6.4 + 8; // the label gets its own background, because allocations have any colour
    surface.rect(right - wide, at - 16, wide, 15, theme.ground, 0.85);
    surface.text(label, right - 4, at - 8, { fill: colour, size: 11, align: 'right' });
  };
  for (const region of regionsOf(profile)) {
    const [low, high] = [Math.max(lowest, region.from), Math.min(highest, region.to)];
    if (low >= high) continue;
    const top = d.y.pixel(high);
    surface.rect(right + 3, top, 5, d.y.pixel(low) - top, region.past ? theme.warning : theme.accent, region.interleaved ? 0.9 : 0.45);
  }
  if (interleaved > 0) border(interleaved, `interleaved memory from ${integer(interleaved)}`, theme.accent);
  border(end, `end of memory: ${bytes(end)}`, theme.warning);
}

export interface Region {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly interleaved: boolean;
  readonly past: boolean; // the region lies past the end of memory
}

/** Returns the regions of memory in order of address. Addresses past the end of memory form a region of their own. */
export function regionsOf(profile: Profile): readonly Region[] {
  const { interleavedOffset, bytesPerTile } = profile.target;
  const split = interleavedOffset > 0 && interleavedOffset < bytesPerTile ? interleavedOffset : bytesPerTile;
  const region = (label: string, from: number, to: number, interleaved = false, past = false): Region => ({
    label,
    from,
    to,
    interleaved,
    past,
  });
  return [
    region('non-interleaved memory', 0, split),
    ...(split < bytesPerTile ? [region('interleaved memory', split, bytesPerTile, true)] : []),
    region('past the end of memory', bytesPerTile, Infinity, false, true),
  ];
}
