// The pictures of memory over tiles: bars, a floor plan, a histogram.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { threeDigits } from '../../draw/axes';
import { barScales, drawStackedBars, largestSum, type Series, type StackedBars, sumAt } from '../../draw/bars';
import { drawTileMap, tileAt, tileBeside, tileMapGeometry, tilesInBox } from '../../draw/tilemap';
import { bytes, counted, integer, rangeList, shortBytes } from '../../derived/format';
import { histogram } from '../../derived/histogram';
import { type Breakdown, isOccupied, kBreakdowns } from '../../derived/memory';
import { byNumber, numberOfTile, type TilePlaces, tileOfNumber } from '../../derived/tilePlaces';
import { currentTheme } from '../../theme';
import { Picture, type Point } from '../Picture';

export function TileBars(props: {
  readonly profile: Profile;
  readonly series: readonly Series[];
  readonly route: Route;
  readonly selected: readonly number[];
  readonly by: Breakdown;
  readonly whole: boolean; // the axis ends at the memory of a tile
  readonly places: TilePlaces | null; // bars are in order of physical number; null: in order of tile number
}): JSX.Element {
  const { profile, series, selected, places } = props;
  const [from, to] = viewRange(props.route, profile.tiles);
  const drawn = useMemo(() => (places ? series.map((s) => ({ ...s, values: byNumber(places, s.values) })) : series), [series, places]);
  const tileAtBar = (at: number) => (places ? tileOfNumber(places, at) : at);
  const barOf = (tile: number) => (places ? numberOfTile(places, tile) : tile);
  const data: StackedBars = {
    series: drawn,
    from,
    to,
    ...(props.whole ? { top: Math.max(profile.target.bytesPerTile, largestSum(drawn, from, to)) * 1.04 } : {}),
    ...(isOccupied(props.by)
      ? { limit: { value: profile.target.bytesPerTile, label: `memory of a tile: ${bytes(profile.target.bytesPerTile)}` } }
      : {}),
    marks: selected.map(barOf),
    x: { label: places ? 'physical number of the tile' : 'tile', format: String, items: true },
    y: { label: isOccupied(props.by) ? 'bytes' : 'bytes of allocations', format: shortBytes, binary: true },
  };
  const tileOf = (p: Point, w: number, h: number): number | null => {
    const bar = Math.floor(barScales(data, w, h).x.value(p.x));
    return bar >= from && bar < to ? tileAtBar(bar) : null;
  };
  return (
    <Picture
      title={`Memory of tiles, ${kBreakdowns.find(([key]) => key === props.by)?.[1]}`}
      height={300}
      draw={(surface, w, h, theme) => drawStackedBars(surface, data, w, h, theme)}
      tip={(p, w, h) => {
        const tile = tileOf(p, w, h);
        if (tile === null) return null;
        return (
          <>
            <b>Tile {tile}</b>
            {places && <span class="id"> physical number {barOf(tile)}</span>}
            {series
              .filter((s) => (s.values[tile] ?? 0) > 0)
              .sort((a, b) => (b.values[tile] ?? 0) - (a.values[tile] ?? 0))
              .slice(0, 8)
              .map((s) => (
                <div key={s.label}>
                  <span class="swatch" style={{ background: s.colour }} /> {s.label}: {bytes(s.values[tile] ?? 0)}
                </div>
              ))}
            {series.length > 1 && <div>Sum: {bytes(sumAt(series, tile))}</div>}
          </>
        );
      }}
      onPick={(p, w, h, event) => {
        const tile = tileOf(p, w, h);
        if (tile !== null) select(toggle(selected, tile, event.shiftKey || event.ctrlKey || event.metaKey));
      }}
      onSpan={(a, b, w, h) => {
        const x = barScales(data, w, h).x;
        const first = Math.max(from, Math.floor(x.value(Math.min(a.x, b.x))));
        const last = Math.min(to, Math.ceil(x.value(Math.max(a.x, b.x))));
        if (last > first) setParams({ from: first, to: last });
      }}
      onKey={(event) => {
        const at = selected[0] === undefined ? Math.floor((from + to) / 2) : barOf(selected[0]);
        const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        const half = ((to - from) * (event.key === '+' ? 0.8 : 1.25)) / 2;
        if (move !== 0) select([tileAtBar(Math.min(profile.tiles - 1, Math.max(0, at + move)))]);
        else if (event.key === '+' || event.key === '-')
          setParams({ from: Math.max(0, Math.floor(at - half)), to: Math.min(profile.tiles, Math.ceil(at + half) + 1) });
        else if (event.key === '0') setParams({ from: '', to: '' });
        else return;
        event.preventDefault();
      }}
    />
  );
}

function viewRange(route: Route, tiles: number): [number, number] {
  const from = Number(route.params.from ?? 0);
  const to = Number(route.params.to ?? tiles);
  return from >= 0 && to <= tiles && from < to ? [Math.floor(from), Math.floor(to)] : [0, tiles];
}

function toggle(selected: readonly number[], tile: number, add: boolean): number[] {
  if (!add) return [tile];
  return selected.includes(tile) ? selected.filter((t) => t !== tile) : [...selected, tile].sort((a, b) => a - b);
}

/** Returns the IPU if exactly all its tiles are selected; otherwise an empty text. */
export function ipuOf(profile: Profile, selected: readonly number[]): string {
  const perIpu = profile.tiles / profile.ipus;
  const ipu = (selected[0] ?? -1) / perIpu;
  return selected.length === perIpu && Number.isInteger(ipu) && selected[perIpu - 1] === (ipu + 1) * perIpu - 1 ? String(ipu) : '';
}

function select(tiles: readonly number[]): void {
  setParams({ tiles: rangeList(tiles) });
}

export function Floor(props: {
  readonly profile: Profile;
  readonly values: Float64Array;
  readonly selected: readonly number[];
  readonly label: string;
  readonly whole: boolean; // the colours range from 0 to the memory of a tile
  readonly range?: readonly [number, number]; // range of the colours if `whole` is false; default: minimum and maximum of the values
  readonly places: TilePlaces | null; // positions of tiles on the chip; null: down the columns by number
}): JSX.Element {
  const { profile, values, selected, places } = props;
  const height = 460;
  const geometry = (w: number, h: number) => tileMapGeometry(values.length, profile.ipus, w, h, places);
  const scale = props.whole ? ([0, profile.target.bytesPerTile] as const) : (props.range ?? null);
  return (
    <Picture
      title={`Floor plan: ${props.label}`}
      height={height}
      draw={(surface, w, h, theme) =>
        drawTileMap(surface, { values, ipus: profile.ipus, selected, scale, format: shortBytes, places }, w, h, theme)
      }
      tip={(p, w, h) => {
        const tile = tileAt(geometry(w, h), p.x, p.y, values.length);
        return tile === null ? null : (
          <>
            <b>Tile {tile}</b>
            {profile.ipus > 1 && <span class="id"> IPU {Math.floor((tile * profile.ipus) / profile.tiles)}</span>}
            {places && <span class="id"> physical number {numberOfTile(places, tile)}</span>}
            <div>
              {props.label}: {bytes(values[tile] ?? 0)}
            </div>
          </>
        );
      }}
      onPick={(p, w, h, event) => {
        const tile = tileAt(geometry(w, h), p.x, p.y, values.length);
        if (tile !== null) select(toggle(selected, tile, event.shiftKey || event.ctrlKey || event.metaKey));
      }}
      onSpan={(a, b, w, h) => select(tilesInBox(geometry(w, h), a, b, values.length))}
      box
      onKey={(event) => {
        const moves: Readonly<Record<string, readonly [number, number]>> = {
          ArrowUp: [0, -1],
          ArrowDown: [0, 1],
          ArrowLeft: [-1, 0],
          ArrowRight: [1, 0],
        };
        const move = moves[event.key];
        if (move === undefined) return;
        event.preventDefault();
        select([tileBeside(geometry(1000, height), selected[0] ?? 0, ...move, values.length)]);
      }}
    />
  );
}

export function Histogram({
  profile,
  values,
  label,
}: {
  readonly profile: Profile;
  readonly values: Float64Array;
  readonly label: string;
}): JSX.Element {
  const theme = currentTheme();
  const bins = useMemo(() => histogram(values, 48), [values]);
  const span = bins.counts.length * bins.width;
  const text = threeDigits(bins.low + span, span) ? shortBytes : (v: number) => bytes(Math.round(v));
  const data: StackedBars = {
    series: [{ label: 'Tiles', colour: theme.accent, values: bins.counts }],
    from: 0,
    to: bins.counts.length,
    marks: [],
    x: { label: `${label}, bytes`, format: (v) => text(bins.low + v * bins.width) },
    y: { label: 'tiles', format: integer },
  };
  return (
    <Picture
      title="Histogram of tiles by memory"
      height={260}
      draw={(surface, w, h, t) => drawStackedBars(surface, data, w, h, t)}
      tip={(p, w, h) => {
        const bin = Math.floor(barScales(data, w, h).x.value(p.x));
        const count = bins.counts[bin];
        if (count === undefined) return null;
        const [least, most] = bins.range(bin);
        return (
          <>
            {integer(count)} of {counted(profile.tiles, 'tile')} {count === 1 ? 'holds' : 'hold'} {bytes(least)} to {bytes(most)}
          </>
        );
      }}
    />
  );
}
