// Draws the worker slots of one tile in a compute set. Each bar shows the tile cycles that the work of a slot takes while the workers
// alternate.
import { integer } from '../derived/format';
import type { Theme } from '../theme';
import { drawBottomAxis, Scale } from './axes';
import type { Surface } from './surface';

export const kSlotHeight = 20;

export interface SlotBars {
  readonly supervisor: number; // tile cycles of supervisor vertices and MultiVertices
  readonly threads: readonly number[]; // thread cycles of each slot
}

/** Returns the tile cycles of the compute set on the tile: those of vertices that occupy all workers, then those of the fullest slot. */
export function slotLength(bars: SlotBars): number {
  return bars.supervisor + bars.threads.length * bars.threads.reduce((a, b) => Math.max(a, b), 0);
}

export function drawSlots(surface: Surface, bars: SlotBars, width: number, height: number, theme: Theme): void {
  const box = { x: 90, y: 4, width: Math.max(10, width - 110), height: Math.max(10, height - 40) };
  const whole = slotLength(bars);
  const x = new Scale(0, Math.max(1, whole), box.x, box.width);
  const row = (index: number, label: string, from: number, cycles: number) => {
    const y = box.y + index * kSlotHeight;
    surface.text(label, box.x - 6, y + kSlotHeight / 2, { fill: theme.faint, size: 11, align: 'right' });
    surface.rect(x.pixel(from), y + 2, x.pixel(whole) - x.pixel(from), kSlotHeight - 4, theme.loss.idle.colour, 0.35);
    surface.rect(x.pixel(from), y + 2, x.pixel(from + cycles) - x.pixel(from), kSlotHeight - 4, theme.loss.work.colour);
  };
  bars.threads.forEach((cycles, slot) => row(slot, `worker ${slot}`, bars.supervisor, cycles * bars.threads.length));
  if (bars.supervisor > 0) {
    surface.text('all workers', box.x - 6, box.y + (bars.threads.length + 0.5) * kSlotHeight, {
      fill: theme.faint,
      size: 11,
      align: 'right',
    });
    surface.rect(
      x.pixel(0),
      box.y + bars.threads.length * kSlotHeight + 2,
      x.pixel(bars.supervisor) - x.pixel(0),
      kSlotHeight - 4,
      theme.loss.global.colour,
    );
  }
  drawBottomAxis(surface, box, x, { label: 'tile cycles of the compute set', format: integer }, theme);
}
