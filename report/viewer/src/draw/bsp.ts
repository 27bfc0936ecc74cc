// The chart of bulk-synchronous execution and the steps as nested names below it.
import type { Profile } from '../data/profile';
import { kDrawn, type PooledRun, type Raster, rasterize, type Span } from '../derived/bsp';
import { integer, shortNumber } from '../derived/format';
import type { Piece } from '../derived/critical';
import { activityOf, programLabel } from '../derived/names';
import { inkOn, rgb, type Theme } from '../theme';
import { type Box, drawBottomAxis, Scale } from './axes';
import type { Surface } from './surface';

/** Height of one level of names, in pixels. */
export const kLevel = 20;

export function chartBox(width: number, height: number): Box {
  return { x: 56, y: 6, width: Math.max(10, width - 66), height: Math.max(10, height - 44) };
}

/** What is drawn over the chart. */
export interface Marks {
  readonly path: readonly Piece[];
  readonly ipu: number; // whose clock says when the selected steps are
  readonly selected: readonly number[]; // executed steps
}

/** The last pictures of each run by what they show, latest last. */
const drawn = new WeakMap<PooledRun, Map<string, ImageData>>();
const kKept = 3; // such as the whole run, and where the zoom is

/** The picture of a run in a window: what is drawn over it, and zooming back, cost little. */
function chartPixels(profile: Profile, pooled: PooledRun, window: readonly [number, number], columns: number, theme: Theme): ImageData {
  const key = [...window, columns, pooled.read, theme.dark].join();
  let pictures = drawn.get(pooled);
  if (!pictures) drawn.set(pooled, (pictures = new Map<string, ImageData>()));
  const pixels = pictures.get(key) ?? paint(rasterize(profile, pooled, window[0], window[1], columns), pooled.rows, columns, theme);
  pictures.delete(key);
  pictures.set(key, pixels);
  for (const old of pictures.keys()) if (pictures.size > kKept) pictures.delete(old);
  return pixels;
}

/** Paints a chart before it is asked for: the whole run in a picture of some width. */
export function prepareChart(profile: Profile, pooled: PooledRun, end: number, width: number, theme: Theme): void {
  chartPixels(profile, pooled, [0, end], columnsOf(width), theme);
}

const columnsOf = (width: number): number => Math.max(1, Math.floor(chartBox(width, 0).width));

/** Columns that are painted together: as many pixels as a line of the processor's cache holds. */
const kStrip = 16;

const kLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

function paint({ shares, drawn }: Raster, rows: number, columns: number, theme: Theme): ImageData {
  const pixels = new ImageData(columns, rows);
  const words = new Uint32Array(pixels.data.buffer);
  const order = kLittleEndian ? ([0, 8, 16, 24] as const) : ([24, 16, 8, 0] as const);
  const [red, green, blue, alpha] = order;
  const opaque = 255 << alpha;
  const ground = rgb(theme.activity.sync);
  const still = opaque | (ground[0] << red) | (ground[1] << green) | (ground[2] << blue);
  const plane = rows * columns;
  // Most runs have two or three kinds of work.
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

export function drawChart(
  surface: Surface,
  profile: Profile,
  pooled: PooledRun,
  marks: Marks,
  window: readonly [number, number],
  width: number,
  height: number,
  theme: Theme,
): void {
  const box = chartBox(width, height);
  const columns = columnsOf(width);
  const pixels = chartPixels(profile, pooled, window, columns, theme);
  surface.image(pixels, box.x, box.y, box.width, box.height);
  const [firstTile, endTile] = pooled.tiles;
  const ipus = new Set(pooled.ipuOfRow).size;
  const apart = box.height / ipus >= 12;
  for (let row = 1; row < pooled.rows; ++row)
    if (pooled.ipuOfRow[row] !== pooled.ipuOfRow[row - 1]) {
      const y = box.y + (row * box.height) / pooled.rows;
      // A line between IPUs that are a few pixels high would hide as much as it parts.
      if (apart) surface.rect(box.x, y - 0.5, box.width, 1, theme.ground);
      else surface.rect(box.x - 4, y - 0.5, 4, 1, theme.faint);
    }
  drawPath(surface, marks.path, pooled.tiles, window, box, theme);
  drawSelected(surface, profile, marks, window, box, theme);
  surface.text('tile', 4, box.y + box.height / 2, { fill: theme.faint, size: 11 });
  surface.text(integer(firstTile), box.x - 6, box.y + 7, { fill: theme.faint, size: 11, align: 'right' });
  surface.text(integer(endTile - 1), box.x - 6, box.y + box.height - 6, { fill: theme.faint, size: 11, align: 'right' });
  drawBottomAxis(
    surface,
    box,
    new Scale(window[0], window[1], box.x, box.width),
    { label: 'cycles from the start of the run', format: (v) => (window[1] - window[0] > 20000 ? shortNumber(v) : integer(v)) },
    theme,
  );
}

/** The critical path as a line from tile to tile; what happens within a pixel is one point. Tiles out of sight are at the edge. */
function drawPath(
  surface: Surface,
  path: readonly Piece[],
  tiles: readonly [number, number],
  window: readonly [number, number],
  box: Box,
  theme: Theme,
): void {
  const x = new Scale(window[0], window[1], box.x, box.width);
  const height = box.height / Math.max(1, tiles[1] - tiles[0]);
  const points: [number, number][] = [];
  let previous = -1;
  for (const piece of path) {
    if (piece.to <= window[0] || piece.from >= window[1] || piece.kind === 'counters') continue;
    const tile = Math.min(Math.max(piece.tile, tiles[0]), tiles[1] - 1) - tiles[0];
    const y = box.y + (tile + 0.5) * height;
    const left = x.pixel(Math.max(window[0], piece.from));
    const right = x.pixel(Math.min(window[1], piece.to));
    if (right - left < 0.7 && Math.floor(left) === previous) continue;
    previous = Math.floor(right);
    points.push([left, y], [right, y]);
    if (piece.kind === 'work' && right - left > 2) surface.rect(left, y - 1.5, right - left, 3, theme.path);
  }
  if (points.length > 1) {
    surface.line(points, theme.ground, 3); // a rim, so that it is seen on every colour
    surface.line(points, theme.path, 1);
  }
}

/** Selected steps as a bar above the chart, steps that touch as one. */
function drawSelected(surface: Surface, profile: Profile, marks: Marks, window: readonly [number, number], box: Box, theme: Theme): void {
  const x = new Scale(window[0], window[1], box.x, box.width);
  const bar = (from: number, to: number) => {
    const [left, right] = [x.pixel(Math.max(window[0], from)), x.pixel(Math.min(window[1], to))];
    if (right >= left) surface.rect(left, box.y - 5, Math.max(1, right - left), 4, theme.mark);
  };
  const { steps } = profile;
  const pixel = (window[1] - window[0]) / box.width;
  let open: [number, number] | null = null;
  for (const step of marks.selected) {
    const at = step * steps.ipus + marks.ipu;
    const [from, to] = [steps.from[at] ?? NaN, steps.to[at] ?? NaN];
    if (!Number.isFinite(from) || !Number.isFinite(to)) continue;
    // Steps less than a pixel apart are one bar: thousands may be selected.
    if (open && from <= open[1] + pixel) open[1] = Math.max(open[1], to);
    else {
      if (open) bar(...open);
      open = [from, to];
    }
  }
  if (open) bar(...open);
}

export function drawFlame(
  surface: Surface,
  profile: Profile,
  spans: readonly Span[],
  window: readonly [number, number],
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
    // Narrower than a pixel: one rectangle a pixel and level is enough.
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
      const name = programLabel(program);
      const fill = activity === 'control' ? theme.text : inkOn(theme.activity[activity]);
      surface.text(name.length > room ? `${name.slice(0, room - 1)}…` : name, left + 4, top + (kLevel - 2) / 2, { fill, size: 11 });
    }
  }
}
