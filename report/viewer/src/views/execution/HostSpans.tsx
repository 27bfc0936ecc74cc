// The spans of the host during a run, on the clock of the run, from a .pvti file that the user dropped on the page.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Profile, Run } from '../../data/profile';
import { hostSpans } from './spansOfHost';
import { duration } from '../../derived/format';
import type { Window } from '../../derived/window';
import { Scale } from '../../draw/axes';
import { chartBox } from '../../draw/bsp';
import { drawSpans, kSpanHeight } from '../../draw/spans';
import { currentTheme } from '../../theme';
import { Picture } from '../Picture';

export function HostSpans({
  profile,
  run,
  window,
}: {
  readonly profile: Profile;
  readonly run: Run;
  readonly window: Window;
}): JSX.Element | null {
  const theme = currentTheme();
  const { host } = profile;
  const spans = useMemo(() => host && hostSpans(profile, run, host), [profile, run, host]);
  const drawn = useMemo(
    () => (spans ?? []).map((s) => ({ ...s, depth: s.level, colour: theme.activity.host, marked: false })),
    [spans, theme],
  );
  if (!host) return null;
  if (!spans) return <p class="note">The time at which the host called this run is not known.</p>;
  const scale = (w: number) => {
    const box = chartBox(w, 0);
    return new Scale(window[0], window[1], box.x, box.width);
  };
  const levels = drawn.reduce((most, s) => Math.max(most, s.depth + 1), 1);
  return (
    <Picture
      title={`The host during run ${run.id}`}
      height={levels * kSpanHeight + 8}
      aside
      draw={(surface, w, h, t) => drawSpans(surface, drawn, window[0], window[1], null, w, h, t, scale(w))}
      tip={(p, w) => {
        const at = scale(w).value(p.x);
        const hit = drawn.find((s) => s.depth === Math.floor((p.y - 4) / kSpanHeight) && s.from <= at && at < s.to);
        return hit ? (
          <>
            <b>{hit.label}</b>
            <div>
              Host, channel {hit.channel}: {duration(hit.to - hit.from, profile.target.clockHz)}
            </div>
          </>
        ) : null;
      }}
    />
  );
}
