// Draws the chart of bulk-synchronous execution: cycles on the horizontal axis, tiles on the vertical axis.
import type { Profile } from '../data/profile';
import { kDrawn, type Raster, rasterize } from '../derived/bsp';
import { integer, shortNumber } from '../derived/format';
import type { Piece } from '../derived/critical';
import { type PooledRun, rowOf } from '../derived/pool';
import { timeAt } from '../derived/times';
import type { Window } from '../derived/window';
import { rgb, type Theme } from '../theme';
import { type Box, drawBottomAxis, Scale, threeDigits } from './axes';
import type { Surface } from './surface';

export function chartBox(width: number, height: number): Box {
  return { x: 56, y: 6, width: Math.max(10, width - 66), height: Math.max(10, height - 44) };
}

/** The tiles that a chart shows: a window of positions in an order of tiles, and the pooled rows that contain them. */
export interface TilesInSight {
  readonly order: Int32Array;
  readonly window: Window; // positions
  readonly pooled: PooledRun;
  readonly offset: number; // position of the first pooled tile
}

/** Returns the position at the height `y` of a picture; null outside the chart. */
export function positionAt(sight: TilesInSight, y: number, height: number): number | null {
  const box = chartBox(0, height);
  const [from, to] = sight.window;
  const at = from + Math.floor(((y - box.y) / box.height) * (to - from));
  return y >= box.y && at >= from && at < to ? at : null;
}

/** Marks drawn over the chart. */
export interface Marks {
  readonly end: number; // cycle at which the run ends or was cut short; the chart is empty after it
  readonly path: readonly Piece[];
  readonly ipu: number; // the IPU by whose clock the selected steps are drawn
  readonly selected: readonly number[]; // executed steps
}

/** The last pictures of each run, by the values on which their contents depend; the latest comes last. */
const drawn = new WeakMap<PooledRun, Map<string, ImageData>>();
const kKept = 3; // for example the whole run and the current zoom

/** Returns the picture of a run in a window. Keeps the last kKept pictures, so that new marks and zooming back cost little. */
function chartPixels(profile: Profile, pooled: PooledRun, window: Window, columns: number, theme: Theme): ImageData {
  const key = [...window, columns, pooled.read, theme.dark].join();
  let pictures = drawn.get(pooled);
  if (!pictures) drawn.set(pooled, (pictures = new Map<string, ImageData>()));
  const pixels = pictures.get(key) ?? paint(rasterize(profile, pooled, window[0], window[1], columns), pooled.rows, columns, theme);
  pictures.delete(key);
  pictures.set(key, pixels);
  for (const old of pictures.keys()) if (pictures.size > kKept) pictures.delete(old);
  return pixels;
}

/** Paints the picture of the whole run in advance, for a given width of the chart. */
export function prepareChart(profile: Profile, pooled: PooledRun, end: number, width: number, theme: Theme): void {
  chartPixels(profile, pooled, [0, end], columnsOf(width), theme);
}

const columnsOf = (width: number): number => Math.max(1, Math.floor(chartBox(width, 0).width));

/** Number of columns that are painted together: a cache line has room for the pixels of so many columns. */
const kStrip = 16;

const kLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * Paints a raster. Each pixel mixes the colours of its activities in proportion to their shares, and the rest of the pixel has the colour
 * of waiting. If the shares of a pixel exceed 1, they are scaled down to 1. The shares are contiguous by column, and the pixels by row.
 * Therefore the loop runs over strips of kStrip columns.
 */
function paint({ shares, drawn }: Raster, rows: number, columns: number, theme: Theme): ImageData {
  const pixels = new ImageData(columns, rows);
  const words = new Uint32Array(pixels.data.buffer);
  const order = kLittleEndian ? ([0, 8, 16, 24] as const) : ([24, 16, 8, 0] as const);
  const [red, green, blue, alpha] = order;
  const opaque = 255 << alpha;
  const ground = rgb(theme.activity.sync);
  const still = opaque | (ground[0] << red) | (ground[1] << green) | (ground[2] << blue);
  const plane = rows * columns;
  // Skips kinds of work that do not occur; most runs have two or three kinds.
  const kinds = kDrawn.map((_, a) => a).filter((a) => drawn[a]);
  const colours = kinds.map((a) => rgb(theme.activity[kDrawn[a]!]));
  const [reds, greens, blues] = [0, 1, 2].map((part) => Float64Array.from(colours, (c) => c[part]!)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const starts = Int32Array.from(kinds, (a) => a * plane);
  for (let strip = 0; strip < columns; strip += kStrip)
    for (let row = 0; row < rows; ++row)
      for (let column = strip; column < strip + kStrip && column < columns; ++column) {
        const from = column * rows + row;
        let r = 0;
        let g = 0;
        let b = 0;
        let covered = 0;
        for (let k = 0; k < starts.length; ++k) {
          const share = shares[starts[k]! + from]!;
          covered += share;
          r += reds[k]! * share;
          g += greens[k]! * share;
          b += blues[k]! * share;
        }
        if (covered <= 0) {
          words[row * columns + column] = still;
          continue;
        }
        const rest = covered < 1 ? 1 - covered : 0;
        const scale = covered > 1 ? 1 / covered : 1;
        words[row * columns + column] =
          opaque |
          ((r * scale + ground[0] * rest + 0.5) << red) |
          ((g * scale + ground[1] * rest + 0.5) << green) |
          ((b * scale + ground[2] * rest + 0.5) << blue);
      }
  return pixels;
}

/** Returns the rows [first, end) of a picture. */
function crop(pixels: ImageData, first: number, end: number): ImageData {
  if (first === 0 && end === pixels.height) return pixels;
  const line = 4 * pixels.width;
  return new ImageData(pixels.data.slice(first * line, end * line), pixels.width, end - first);
}

export function drawChart(
  surface: Surface,
  profile: Profile,
  sight: TilesInSight,
  marks: Marks,
  window: Window,
  width: number,
  height: number,
  theme: Theme,
): void {
  const box = chartBox(width, height);
  const { pooled, offset, order } = sight;
  const [firstAt, endAt] = sight.window;
  const pixels = chartPixels(profile, pooled, window, columnsOf(width), theme);
  const rows = crop(pixels, rowOf(pooled, firstAt - offset), rowOf(pooled, endAt - 1 - offset) + 1);
  surface.image(rows, box.x, box.y, box.width, box.height);
  const ended = new Scale(window[0], window[1], box.x, box.width).pixel(Math.max(window[0], marks.end));
  if (ended < box.x + box.width) surface.rect(ended, box.y, box.x + box.width - ended, box.height, theme.ground);
  const perIpu = profile.tiles / profile.ipus;
  const tall = box.height / (endAt - firstAt); // pixels per tile
  const apart = tall * perIpu >= 12;
  for (let at = Math.ceil((firstAt + 1) / perIpu) * perIpu; at < endAt; at += perIpu) {
    const y = box.y + (at - firstAt) * tall;
    // Draws no line between IPUs that are only a few pixels high, because the line would hide too much of them.
    if (apart) surface.rect(box.x, y - 0.5, box.width, 1, theme.ground);
    else surface.rect(box.x - 4, y - 0.5, 4, 1, theme.faint);
  }
  drawPath(surface, marks.path, sight, window, box, theme);
  drawSelected(surface, profile, marks, window, box, theme);
  surface.text('tile', 4, box.y + box.height / 2, { fill: theme.faint, size: 11 });
  const tileAt = (at: number, y: number) =>
    surface.text(String(order[at] ?? ''), box.x - 6, y, { fill: theme.faint, size: 11, align: 'right' });
  if (tall >= 14) for (let at = firstAt; at < endAt; ++at) tileAt(at, box.y + (at - firstAt + 0.5) * tall);
  else {
    tileAt(firstAt, box.y + 7);
    tileAt(endAt - 1, box.y + box.height - 6);
  }
  const span = window[1] - window[0];
  drawBottomAxis(
    surface,
    box,
    new Scale(window[0], window[1], box.x, box.width),
    { label: 'cycles from the start of the run', format: span > 20_000 && threeDigits(window[1], span) ? shortNumber : integer },
    theme,
  );
}

const placesByOrder = new WeakMap<Int32Array, ReadonlyMap<number, number>>();
/** Returns the position of each tile in an order. */
export function placesOf(order: Int32Array): ReadonlyMap<number, number> {
  let places = placesByOrder.get(order);
  if (!places) placesByOrder.set(order, (places = new Map(Array.from(order, (tile, at) => [tile, at]))));
  return places;
}

/**
 * Draws the critical path as a line from tile to tile. Pieces within one pixel become one point. Tiles outside the window appear at its
 * edge.
 */
function drawPath(
  surface: Surface,
  path: readonly Piece[],
  { order, window: rows }: TilesInSight,
  window: Window,
  box: Box,
  theme: Theme,
): void {
  const x = new Scale(window[0], window[1], box.x, box.width);
  const height = box.height / Math.max(1, rows[1] - rows[0]);
  const places = placesOf(order);
  const points: [number, number][] = [];
  let previous = -1;
  for (const piece of path) {
    if (piece.to <= window[0] || piece.from >= window[1] || piece.kind === 'counters') continue;
    const place = places.get(piece.tile) ?? (piece.tile < (order[0] ?? 0) ? -1 : order.length);
    const y = box.y + (Math.min(Math.max(place, rows[0]), rows[1] - 1) - rows[0] + 0.5) * height;
    const left = x.pixel(Math.max(window[0], piece.from));
    const right = x.pixel(Math.min(window[1], piece.to));
    if (right - left < 0.7 && Math.floor(left) === previous) continue;
    previous = Math.floor(right);
    points.push([left, y], [right, y]);
    if (piece.kind === 'work' && right - left > 2) surface.rect(left, y - 1.5, right - left, 3, theme.path);
  }
  if (points.length > 1) {
    surface.line(points, theme.ground, 3); // an outline, so that the path is visible on every colour
    surface.line(points, theme.path, 1);
  }
}

/** Draws the selected steps as a bar above the chart. Adjacent steps share one bar. */
function drawSelected(surface: Surface, profile: Profile, marks: Marks, window: Window, box: Box, theme: Theme): void {
  const x = new Scale(window[0], window[1], box.x, box.width);
  const bar = (from: number, to: number) => {
    const [left, right] = [x.pixel(Math.max(window[0], from)), x.pixel(Math.min(window[1], to))];
    if (right >= left) surface.rect(left, box.y - 5, Math.max(1, right - left), 4, theme.mark);
  };
  const { steps } = profile;
  const pixel = (window[1] - window[0]) / box.width;
  let open: [number, number] | null = null;
  for (const step of marks.selected) {
    const at = timeAt(profile, step, marks.ipu);
    const [from, to] = [steps.from[at] ?? NaN, steps.to[at] ?? NaN];
    if (!Number.isFinite(from) || !Number.isFinite(to)) continue;
    // Steps less than a pixel apart share one bar, because thousands may be selected.
    if (open && from <= open[1] + pixel) open[1] = Math.max(open[1], to);
    else {
      if (open) bar(...open);
      open = [from, to];
    }
  }
  if (open) bar(...open);
}
