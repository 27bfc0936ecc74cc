// Draws the steps of a run as nested names, on the same scale as the chart above.
import type { Profile } from '../data/profile';
import type { Span } from '../derived/flame';
import { middle } from '../derived/format';
import { activityOf, programLabel } from '../derived/names';
import type { Window } from '../derived/window';
import { inkOn, type Theme } from '../theme';
import { Scale } from './axes';
import { chartBox } from './bsp';
import type { Surface } from './surface';

/** Height of one level of names, in pixels. */
export const kLevel = 20;

export function drawFlame(
  surface: Surface,
  profile: Profile,
  spans: readonly Span[],
  window: Window,
  framed: { readonly steps: ReadonlySet<number>; readonly program: number; readonly found: ReadonlySet<number> },
  width: number,
  theme: Theme,
): void {
  const box = chartBox(width, 0);
  const x = new Scale(window[0], window[1], box.x, box.width);
  const edge: number[] = [];
  for (const span of spans) {
    if (span.to < window[0] || span.from > window[1]) continue;
    const left = Math.max(box.x, x.pixel(span.from));
    const right = Math.min(box.x + box.width, x.pixel(span.to));
    // Draws at most one rectangle per pixel and level for spans narrower than a pixel.
    if (right - left < 1 && (edge[span.depth] ?? -1) === Math.floor(left)) continue;
    edge[span.depth] = Math.floor(left);
    const program = profile.programs[span.program];
    const activity = activityOf(program?.type ?? '');
    const top = 4 + span.depth * kLevel;
    surface.rect(left, top, Math.max(0.8, right - left - 0.7), kLevel - 2, theme.activity[activity], activity === 'control' ? 0.35 : 1);
    const leaf = span.endStep === span.step + 1 && profile.steps.program[span.step] === span.program;
    if (span.program === framed.program || (leaf && framed.steps.has(span.step)))
      surface.frame(left, top, right - left, kLevel - 2, theme.mark, 2);
    else if (framed.found.has(span.program)) surface.frame(left + 1, top + 1, right - left - 2.5, kLevel - 4, theme.text, 1.5);
    const room = Math.floor((right - left - 8) / 6.6);
    if (room > 2) {
      const name = span.label || programLabel(program);
      const fill = activity === 'control' ? theme.text : inkOn(theme.activity[activity]);
      surface.text(middle(name, room), left + 4, top + (kLevel - 2) / 2, { fill, size: 11 });
    }
  }
}
