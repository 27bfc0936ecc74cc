// Allocations of one tile as rectangles: steps across, addresses up.
import type { Allocation, Interval, Profile } from '../data/profile';
import { FoldedScale, type Stretch } from '../derived/addresses';
import { bytes, integer } from '../derived/format';
import { inkOn, type Theme } from '../theme';
import { type Box, drawBottomAxis, Scale } from './axes';
import type { Surface } from './surface';

export interface TileScales {
  readonly box: Box;
  readonly x: Scale;
  readonly y: FoldedScale;
}

export function tileScales(profile: Profile, parts: readonly Stretch[], width: number, height: number): TileScales {
  const box = { x: 78, y: 14, width: Math.max(10, width - 92), height: Math.max(10, height - 54) };
  return {
    box,
    x: new Scale(0, Math.max(1, profile.programs.length), box.x, box.width),
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
  colours: ReadonlyMap<string, string>,
  step: number,
  theme: Theme,
): void {
  for (const part of d.y.parts) {
    const top = d.y.pixel(part.to);
    const bottom = d.y.pixel(part.from);
    if (!part.occupied) {
      surface.rect(d.box.x, top, d.box.width, bottom - top, theme.grid, 0.5);
      surface.text(`${bytes(part.to - part.from)} empty`, d.box.x + 6, (top + bottom) / 2, { fill: theme.faint, size: 10 });
    }
    surface.text(integer(part.from), d.box.x - 6, bottom - 5, { fill: theme.faint, size: 10, align: 'right' });
  }
  for (const a of allocations) {
    const top = d.y.pixel(a.offset + a.bytes);
    const high = Math.max(0.6, d.y.pixel(a.offset) - top);
    for (const [first, end] of intervalsOf(profile, a)) {
      const left = d.x.pixel(first);
      const wide = d.x.pixel(end) - left;
      surface.rect(left, top, wide, high, colours.get(a.category) ?? theme.faint, a.alwaysLive ? 0.75 : 1);
      if (high > 4) surface.frame(left, top, wide, high, theme.ground, 0.7);
      if (high > 12 && wide > 60) {
        const room = Math.floor(wide / 7);
        surface.text(a.name.length > room ? `${a.name.slice(0, Math.max(1, room - 1))}…` : a.name, left + 4, top + high / 2, {
          fill: inkOn(colours.get(a.category) ?? theme.faint),
          size: 11,
        });
      }
    }
  }
  const end = profile.target.bytesPerTile;
  const highest = d.y.parts[d.y.parts.length - 1]?.to ?? 0;
  if (highest > end) {
    const at = d.y.pixel(end);
    surface.line(
      [
        [d.box.x, at],
        [d.box.x + d.box.width, at],
      ],
      theme.warning,
      1.5,
      true,
    );
    surface.text(`end of memory: ${bytes(end)}`, d.box.x + d.box.width - 4, at - 8, { fill: theme.warning, size: 11, align: 'right' });
  }
  const at = d.x.pixel(step);
  surface.rect(at, d.box.y, Math.max(2, d.x.pixel(step + 1) - at), d.box.height, theme.mark, 0.25);
  drawBottomAxis(surface, d.box, d.x, { label: 'step (order of compilation)', format: integer }, theme);
}
