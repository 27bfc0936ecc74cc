// Values over tiles as bars: a drag zooms, and a click opens the tile's memory.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../app/route';
import type { Profile } from '../data/profile';
import { barScales, drawStackedBars, type StackedBars } from '../draw/bars';
import { bytes, integer, shortBytes, shortNumber } from '../derived/format';
import { occupiedWindow } from '../derived/histogram';
import { hasOverTiles, kTileFigures, overTiles, type TileFigure, unitOfFigure } from '../derived/overTiles';
import { currentTheme } from '../theme';
import { Choice } from './common';
import { Picture } from './Picture';

/** In the fragment, `prefix` distinguishes the window of this picture from the windows of other pictures. */
export function TilePlot(props: {
  readonly profile: Profile;
  readonly route: Route;
  readonly prefix: string;
  readonly title: string;
  readonly label: string;
  readonly unit: 'B' | 'cycles' | 'vertices';
  readonly values: Float64Array;
}): JSX.Element {
  const { profile, route, prefix, unit, values } = props;
  const usual = useMemo(() => occupiedWindow(values), [values]);
  const [a, b] = [Number(route.params[`${prefix}from`] || NaN), Number(route.params[`${prefix}to`] || NaN)];
  const good = a >= 0 && b <= profile.tiles && a < b;
  const [from, to] = good ? [Math.floor(a), Math.floor(b)] : usual;
  const zoom = (low: number, high: number) => {
    const [first, end] = [Math.max(0, Math.floor(Math.min(low, high))), Math.min(profile.tiles, Math.ceil(Math.max(low, high)))];
    if (end > first) setParams({ [`${prefix}from`]: first, [`${prefix}to`]: end });
  };
  const all = { [`${prefix}from`]: '', [`${prefix}to`]: '' };
  const data: StackedBars = {
    series: [{ label: props.label, colour: currentTheme().accent, values }],
    from,
    to,
    marks: [],
    x: { label: 'tile', format: String, items: true },
    y: unit === 'B' ? { label: 'bytes', format: shortBytes, binary: true } : { label: unit, format: shortNumber },
  };
  const text = (n: number) => (unit === 'B' ? bytes(n) : `${integer(n)} ${unit}`);
  const tileOf = (x: number, w: number, h: number) => {
    const tile = Math.floor(barScales(data, w, h).x.value(x));
    return tile >= from && tile < to ? tile : null;
  };
  const key = (event: KeyboardEvent) => {
    const length = to - from;
    if (event.key === '+') zoom(from + length / 8, to - length / 8);
    else if (event.key === '-') zoom(from - length / 6, to + length / 6);
    else if (event.key === '0') setParams(all);
    else if (event.key === 'ArrowLeft' && from > 0) zoom(Math.max(0, from - length / 4), Math.max(length, to - length / 4));
    else if (event.key === 'ArrowRight' && to < profile.tiles)
      zoom(Math.min(profile.tiles - length, from + length / 4), Math.min(profile.tiles, to + length / 4));
    else return;
    event.preventDefault();
  };
  return (
    <Picture
      title={props.title}
      height={200}
      draw={(surface, w, h, t) => drawStackedBars(surface, data, w, h, t)}
      tip={(p, w, h) => {
        const tile = tileOf(p.x, w, h);
        return tile === null ? null : (
          <>
            <b>Tile {tile}</b>
            <div>
              {props.label}: {text(values[tile] ?? NaN)}
            </div>
          </>
        );
      }}
      onPick={(p, w, h) => {
        const tile = tileOf(p.x, w, h);
        if (tile !== null) location.hash = link('memory', { tiles: tile });
      }}
      onSpan={(p, q, w, h) => {
        const { x } = barScales(data, w, h);
        zoom(x.value(p.x), x.value(q.x));
      }}
      onKey={key}
    />
  );
}

/** Figures of programs on each tile, one figure at a time. Offers only figures that the file has. */
export function ProgramTiles(props: {
  readonly profile: Profile;
  readonly route: Route;
  readonly programs: readonly number[];
}): JSX.Element | null {
  const { profile, route, programs } = props;
  const some = useMemo(() => kTileFigures.filter(([figure]) => hasOverTiles(profile, programs, figure)), [profile, programs.join()]);
  const [figure, label] = some.find(([key]) => key === route.params.over) ?? some[0] ?? [null, ''];
  if (figure === null) return null;
  const values = overTiles(profile, programs, figure);
  if (!values) return null;
  return (
    <>
      <h3>Over tiles</h3>
      <Choice label="Show" value={figure} options={some} onChange={(v: TileFigure) => setParams({ over: v })} />
      {values.every((v) => v === 0) ? (
        <p class="empty">This figure is 0 on every tile.</p>
      ) : (
        <TilePlot
          profile={profile}
          route={route}
          prefix="t"
          title={`${label} over tiles`}
          label={label.charAt(0).toUpperCase() + label.slice(1)}
          unit={unitOfFigure(figure)}
          values={values}
        />
      )}
    </>
  );
}
