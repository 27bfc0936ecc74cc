// Two pictures for two profiles: memory over tiles, and live bytes over steps.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { drawOverlay, type Overlay, overlayScales } from '../../draw/overlay';
import { alignLiveness } from '../../derived/align';
import { bytes, counted, integer, shortBytes, signed } from '../../derived/format';
import { currentTheme } from '../../theme';
import { Card, Legend, Name } from '../common';
import { Picture } from '../Picture';
import { Table } from '../Table';

const kBytes = { label: 'bytes', format: shortBytes, binary: true };

/** Returns the window of positions in the fragment, and functions that change it. */
function windowOf(
  route: Route,
  prefix: string,
  count: number,
): { from: number; to: number; zoom: (a: number, b: number) => void; all: () => void } {
  const [a, b] = [Number(route.params[`${prefix}from`] ?? 0), Number(route.params[`${prefix}to`] ?? count)];
  const good = a >= 0 && b <= count && a < b;
  return {
    from: good ? Math.floor(a) : 0,
    to: good ? Math.floor(b) : count,
    zoom: (x, y) =>
      setParams({
        [`${prefix}from`]: Math.max(0, Math.floor(Math.min(x, y))),
        [`${prefix}to`]: Math.min(count, Math.ceil(Math.max(x, y))),
      }),
    all: () => setParams({ [`${prefix}from`]: '', [`${prefix}to`]: '' }),
  };
}

interface PlotProps {
  readonly title: string;
  readonly card: string;
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly axis: string;
  readonly route: Route;
  readonly prefix: string;
  readonly nameOf: (position: number) => string;
  readonly labels: readonly [string, string];
  readonly note?: string;
}

function Plot(props: PlotProps): JSX.Element {
  const theme = currentTheme();
  const view = windowOf(props.route, props.prefix, props.before.length);
  const data: Overlay = {
    before: props.before,
    after: props.after,
    from: view.from,
    to: view.to,
    x: { label: props.axis, format: integer, items: true },
    y: kBytes,
  };
  return (
    <Card
      title={props.card}
      aside={
        (view.from > 0 || view.to < props.before.length) && (
          <button type="button" onClick={view.all}>
            Show all
          </button>
        )
      }
    >
      <Picture
        title={props.title}
        height={280}
        draw={(surface, w, h, t) => drawOverlay(surface, data, w, h, t)}
        tip={(p, w, h) => {
          const at = Math.floor(overlayScales(data, w, h).x.value(p.x));
          if (at < view.from || at >= view.to) return null;
          const [a, b] = [props.before[at] ?? NaN, props.after[at] ?? NaN];
          return (
            <>
              <b>{props.nameOf(at)}</b>
              <div>before: {Number.isNaN(a) ? 'not in this profile' : bytes(a)}</div>
              <div>after: {Number.isNaN(b) ? 'not in this profile' : bytes(b)}</div>
            </>
          );
        }}
        onSpan={(a, b, w, h) => {
          const { x } = overlayScales(data, w, h);
          view.zoom(x.value(a.x), x.value(b.x));
        }}
        onKey={(event) => {
          const length = view.to - view.from;
          if (event.key === '+') view.zoom(view.from + length / 8, view.to - length / 8);
          else if (event.key === '-') view.zoom(view.from - length / 6, view.to + length / 6);
          else if (event.key === '0') view.all();
          else if (event.key === 'ArrowLeft' && view.from > 0) view.zoom(view.from - length / 4, view.to - length / 4);
          else if (event.key === 'ArrowRight' && view.to < props.before.length) view.zoom(view.from + length / 4, view.to + length / 4);
          else return;
          event.preventDefault();
        }}
      />
      <Legend
        items={[
          [`Before: ${props.labels[0]}`, theme.series[0] ?? theme.accent],
          [`After: ${props.labels[1]}`, theme.mark],
        ]}
      />
      {props.note && <p class="hint">{props.note}</p>}
    </Card>
  );
}

export function MemoryOverlay({
  profile,
  other,
  route,
}: {
  readonly profile: Profile;
  readonly other: Profile;
  readonly route: Route;
}): JSX.Element {
  const [before, after] = useMemo(() => {
    const tiles = Math.max(profile.tiles, other.tiles);
    const over = (values: Float64Array) => Float64Array.from({ length: tiles }, (_, t) => values[t] ?? NaN);
    return [over(profile.memory.total), over(other.memory.total)];
  }, [profile, other]);
  return (
    <Plot
      card="Occupied bytes over tiles"
      title="Occupied bytes of two profiles over tiles"
      before={before}
      after={after}
      axis="tile"
      route={route}
      prefix="m"
      nameOf={(tile) => `Tile ${tile}`}
      labels={[profile.title, other.title]}
    />
  );
}

export function LivenessOverlay({
  profile,
  other,
  route,
}: {
  readonly profile: Profile;
  readonly other: Profile;
  readonly route: Route;
}): JSX.Element | null {
  const steps = useMemo(() => alignLiveness(profile, other), [profile, other]);
  const rows = useMemo(
    () =>
      steps.pairs.map((pair, i) => ({ pair, name: steps.names[i] ?? '', before: steps.before[i] ?? NaN, after: steps.after[i] ?? NaN })),
    [steps],
  );
  if (steps.pairs.length === 0) return null;
  const both = steps.pairs.filter((p) => p.before !== null && p.after !== null).length;
  const program = (p: Profile, at: number | null) => (at === null ? null : (p.livenessSteps[at]?.program ?? null));
  return (
    <>
      <Plot
        card="Live bytes over steps"
        title="Live bytes of two profiles over aligned steps"
        before={steps.before}
        after={steps.after}
        axis="steps of both profiles, aligned by their path of names"
        route={route}
        prefix="l"
        nameOf={(i) => steps.names[i] ?? ''}
        labels={[profile.title, other.title]}
        note={`${counted(both, 'step')} ${both === 1 ? 'is' : 'are'} in both profiles, ${integer(steps.pairs.length - both)} in only one. Always-live bytes are included.`}
      />
      <Card title="Steps side by side">
        <Table
          label="Aligned steps"
          rows={rows}
          columns={[
            { title: 'Step', value: (r) => r.name, show: (r) => <Name name={r.name} /> },
            {
              title: 'No. before',
              value: (r) => program(profile, r.pair.before),
              show: (r) => {
                const id = program(profile, r.pair.before);
                return id === null ? '–' : <a href={link('liveness', { step: id })}>{id}</a>;
              },
            },
            { title: 'No. after', value: (r) => program(other, r.pair.after) },
            { title: 'Live before', unit: 'B', value: (r) => r.before },
            { title: 'Live after', unit: 'B', value: (r) => r.after },
            { title: 'Change', unit: 'B', value: (r) => r.after - r.before, show: (r) => signed(r.after - r.before) },
          ]}
        />
      </Card>
    </>
  );
}
