// The picture of one variable's life, at any zoom.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Route, setParams } from '../../app/route';
import type { Interval, Profile, Variable } from '../../data/profile';
import { parseWindow } from '../../derived/addresses';
import { lifeWindow, partText, type Touch, type TouchKind } from '../../derived/life';
import { programLabel } from '../../derived/names';
import { drawLife, kLifeHeight, kTouchLabels, lifeScale, touchColour } from '../../draw/life';
import { currentTheme } from '../../theme';
import { Legend } from '../common';
import { Picture } from '../Picture';

/** Shows when a variable is live and which steps access it, within a window of steps. A drag zooms, and a click selects the step. */
export function LifePicture(props: {
  readonly profile: Profile;
  readonly route: Route;
  readonly variable: Variable;
  readonly intervals: readonly Interval[];
  readonly vain: readonly Interval[];
  readonly touches: readonly Touch[];
}): JSX.Element {
  const { profile, route, variable, intervals, vain, touches } = props;
  const all: readonly [number, number] = [0, Math.max(1, profile.programs.length)];
  const near = useMemo(() => lifeWindow(intervals, touches, all[1]), [intervals, touches, all[1]]);
  const shown = parseWindow(route.params.life ?? '', ...all) ?? all;
  const zoom = (a: number, b: number) => {
    const [from, to] = [Math.max(0, Math.floor(Math.min(a, b))), Math.min(all[1], Math.ceil(Math.max(a, b)))];
    if (to > from) setParams({ life: from === 0 && to === all[1] ? '' : `${from}-${to}` });
  };
  const stepAt = (pixel: number, width: number): number | null => {
    const step = Math.floor(lifeScale(shown, width).value(pixel));
    return step >= shown[0] && step < shown[1] && step < profile.programs.length ? step : null;
  };
  const kinds = (Object.keys(kTouchLabels) as TouchKind[]).filter((kind) => touches.some((t) => t.kind === kind));
  return (
    <>
      <Picture
        title={`The life of ${variable.name}`}
        height={kLifeHeight}
        draw={(surface, w, _h, theme) => drawLife(surface, shown, intervals, vain, touches, w, theme)}
        tip={(p, w) => {
          const step = stepAt(p.x, w);
          if (step === null) return null;
          const x = lifeScale(shown, w);
          const near = (t: Touch) => Math.max(0, x.pixel(t.step) - p.x, p.x - x.pixel(t.step + 1));
          const best = touches.reduce((least, t) => Math.min(least, near(t)), 4);
          const first = touches.find((t) => near(t) === best);
          const here = touches.filter((t) => t.step === first?.step);
          return (
            <>
              <b>
                Step {first?.step ?? step}: {programLabel(profile.programs[first?.step ?? step])}
              </b>
              {here.map((t) => (
                <div key={t.kind}>
                  {kTouchLabels[t.kind]}
                  {Number.isNaN(t.elements) ? '' : `: ${partText(t.elements, t.of)} elements`}
                </div>
              ))}
            </>
          );
        }}
        onPick={(p, w) => {
          const step = stepAt(p.x, w);
          if (step !== null) setParams({ step });
        }}
        onSpan={(a, b, w) => {
          const x = lifeScale(shown, w);
          zoom(x.value(a.x), x.value(b.x));
        }}
        onKey={(event) => {
          const quarter = (shown[1] - shown[0]) / 4;
          const moves: Readonly<Record<string, () => void>> = {
            '+': () => zoom(shown[0] + quarter / 2, shown[1] - quarter / 2),
            '-': () => zoom(shown[0] - quarter, shown[1] + quarter),
            '0': () => setParams({ life: '' }),
            ArrowLeft: () => zoom(Math.max(0, shown[0] - quarter), Math.max(4 * quarter, shown[1] - quarter)),
            ArrowRight: () => zoom(Math.min(all[1] - 4 * quarter, shown[0] + quarter), Math.min(all[1], shown[1] + quarter)),
          };
          const move = moves[event.key];
          if (!move) return;
          event.preventDefault();
          move();
        }}
      />
      <Legend items={kinds.map((kind) => [kTouchLabels[kind], touchColour(currentTheme(), kind)] as const)} />
      <p class="controls">
        {near && (near[0] !== shown[0] || near[1] !== shown[1]) && (
          <button type="button" onClick={() => zoom(...near)}>
            Zoom to its life
          </button>
        )}
        {(shown[0] !== all[0] || shown[1] !== all[1]) && (
          <button type="button" onClick={() => setParams({ life: '' })}>
            The whole program
          </button>
        )}
        <span class="hint">Drag to zoom; click to choose a step. In the picture, the keys + − 0 zoom, and ← → move.</span>
      </p>
    </>
  );
}
