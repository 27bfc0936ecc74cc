// Draws the steps of a run as nested names, on the same scale as the chart above.
import type { Profile } from '../data/profile';
import type { Span } from '../derived/flame';
import { type Activity, activityOf, programLabel } from '../derived/names';
import type { Window } from '../derived/window';
import { inkOn, type Theme } from '../theme';
import { Scale } from './axes';
import { chartBox } from './bsp';
import { drawName } from './names';
import type { Surface } from './surface';

/** Height of one level of names, in pixels. */
export const kLevel = 20;

const kLeast = 16; // pixels, the width of the narrowest span with a name

/** How a span is marked: it is selected, or a search found it. */
type Mark = 'selected' | 'found' | null;

/**
 * Spans narrower than a pixel that begin in the same pixel of a level. The pixel has the colour of the activity on which these spans spend
 * most cycles.
 */
class Pixel {
  private readonly cycles = new Map<Activity, number>();
  private mark: Mark = null;
  constructor(
    private readonly column: number,
    private readonly top: number,
  ) {}
  add(activity: Activity, cycles: number, mark: Mark): void {
    this.cycles.set(activity, (this.cycles.get(activity) ?? 0) + cycles);
    if (mark && this.mark !== 'selected') this.mark = mark;
  }
  has(x: number): boolean {
    return Math.floor(x) === this.column;
  }
  draw(surface: Surface, theme: Theme): void {
    const [activity] = [...this.cycles].reduce((a, b) => (b[1] > a[1] ? b : a));
    drawBox(surface, this.column, this.top, 1, activity, theme);
    drawMark(surface, this.column, this.top, 1, this.mark, theme);
  }
}

function drawBox(surface: Surface, left: number, top: number, width: number, activity: Activity, theme: Theme): void {
  surface.rect(left, top, width, kLevel - 2, theme.activity[activity], activity === 'control' ? 0.35 : 1);
}

function drawMark(surface: Surface, left: number, top: number, width: number, mark: Mark, theme: Theme): void {
  if (mark === 'selected') surface.frame(left, top, width, kLevel - 2, theme.mark, 2);
  else if (mark === 'found') surface.frame(left + 1, top + 1, width - 2.5, kLevel - 4, theme.text, 1.5);
}

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
  const open: (Pixel | undefined)[] = []; // the last pixel of each level
  for (const span of spans) {
    if (span.to < window[0] || span.from > window[1]) continue;
    const left = Math.max(box.x, x.pixel(span.from));
    const right = Math.min(box.x + box.width, x.pixel(span.to));
    const program = profile.programs[span.program];
    const activity = activityOf(program?.type ?? '');
    const top = 4 + span.depth * kLevel;
    const leaf = span.endStep === span.step + 1 && profile.steps.program[span.step] === span.program;
    const selected = span.program === framed.program || (leaf && framed.steps.has(span.step));
    const mark: Mark = selected ? 'selected' : framed.found.has(span.program) ? 'found' : null;
    const narrow = right - left < 1;
    let pixel = open[span.depth];
    if (pixel && !(narrow && pixel.has(left))) {
      pixel.draw(surface, theme);
      pixel = open[span.depth] = undefined;
    }
    if (narrow) {
      pixel ??= open[span.depth] = new Pixel(Math.floor(left), top);
      pixel.add(activity, span.to - span.from, mark);
      continue;
    }
    drawBox(surface, left, top, Math.max(0.8, right - left - 0.7), activity, theme);
    drawMark(surface, left, top, right - left, mark, theme);
    if (right - left < kLeast) continue;
    const fill = activity === 'control' ? theme.text : inkOn(theme.activity[activity]);
    drawName(surface, span.label || programLabel(program), left + 4, top + (kLevel - 2) / 2, right - left - 8, fill);
  }
  for (const pixel of open) pixel?.draw(surface, theme);
}
