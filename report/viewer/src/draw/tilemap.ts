// Draws tiles as a floor plan. Each IPU is a block of tiles, either in order of number down the columns, or at their positions on the chip.
import type { TilePlaces } from '../derived/tilePlaces';
import { heat, type Theme } from '../theme';
import type { Surface } from './surface';

export interface TileMapGeometry {
  readonly perIpu: number;
  readonly rows: number;
  readonly columns: number; // columns per IPU
  readonly ipuColumns: number;
  readonly ipuRows: number;
  readonly cell: number; // pixels
  readonly gap: number; // pixels between IPUs
  readonly left: number;
  readonly top: number;
  readonly places: TilePlaces | null; // null: numbered down the columns
}

export function tileMapGeometry(
  tiles: number,
  ipus: number,
  width: number,
  height: number,
  places: TilePlaces | null = null,
): TileMapGeometry {
  const perIpu = Math.max(1, Math.ceil(tiles / ipus));
  const left = 8;
  const top = 8;
  const gap = ipus > 16 ? 4 : 10;
  const usableW = width - 2 * left;
  const usableH = height - top - 50;
  let best: TileMapGeometry | null = null;
  for (let ipuColumns = 1; ipuColumns <= ipus; ++ipuColumns) {
    const ipuRows = Math.ceil(ipus / ipuColumns);
    const w = (usableW - gap * (ipuColumns - 1)) / ipuColumns;
    const h = (usableH - gap * (ipuRows - 1)) / ipuRows;
    if (w < 1 || h < 1) continue;
    const rows = places?.rows ?? Math.max(1, Math.round(Math.sqrt((perIpu * h) / w)));
    const columns = places?.columns ?? Math.ceil(perIpu / rows);
    const cell = Math.min(w / columns, h / rows, 26);
    if (!best || cell > best.cell) best = { perIpu, rows, columns, ipuColumns, ipuRows, cell, gap, left, top, places };
  }
  return best ?? { perIpu, rows: 1, columns: perIpu, ipuColumns: 1, ipuRows: ipus, cell: 1, gap, left, top, places: null };
}

/** Returns the column and row of a tile within its IPU. */
function placeOf(g: TileMapGeometry, local: number): readonly [number, number] {
  const place = g.places?.placeOf[local];
  return place === undefined ? [Math.floor(local / g.rows), local % g.rows] : [place % g.columns, Math.floor(place / g.columns)];
}

/** Returns the tile at a column and row within its IPU; -1 if there is none. */
function localAt(g: TileMapGeometry, column: number, row: number): number {
  if (column < 0 || column >= g.columns || row < 0 || row >= g.rows) return -1;
  const local = g.places ? (g.places.tileAt[row * g.columns + column] ?? -1) : column * g.rows + row;
  return local < g.perIpu ? local : -1;
}

/**
 * Returns the tile that lies `columns` columns and `rows` rows away from `tile`. If tiles are drawn in the order of their numbers, a walk
 * past an edge continues in the next column or IPU. If tiles are drawn at their positions on the chip, the walk stops at the edge.
 */
export function tileBeside(g: TileMapGeometry, tile: number, columns: number, rows: number, tiles: number): number {
  if (!g.places) return Math.min(tiles - 1, Math.max(0, tile + columns * g.rows + rows));
  const [column, row] = placeOf(g, tile % g.perIpu);
  const local = localAt(g, column + columns, row + rows);
  const next = tile - (tile % g.perIpu) + local;
  return local < 0 || next >= tiles ? tile : next;
}

export function tileRect(g: TileMapGeometry, tile: number): readonly [number, number] {
  const ipu = Math.floor(tile / g.perIpu);
  const [column, row] = placeOf(g, tile % g.perIpu);
  const x = g.left + (ipu % g.ipuColumns) * (g.columns * g.cell + g.gap) + column * g.cell;
  const y = g.top + Math.floor(ipu / g.ipuColumns) * (g.rows * g.cell + g.gap) + row * g.cell;
  return [x, y];
}

export function tileAt(g: TileMapGeometry, x: number, y: number, tiles: number): number | null {
  const ipuWidth = g.columns * g.cell + g.gap;
  const ipuHeight = g.rows * g.cell + g.gap;
  const ipuX = Math.floor((x - g.left) / ipuWidth);
  const ipuY = Math.floor((y - g.top) / ipuHeight);
  if (ipuX < 0 || ipuX >= g.ipuColumns || ipuY < 0) return null;
  const column = Math.floor((x - g.left - ipuX * ipuWidth) / g.cell);
  const row = Math.floor((y - g.top - ipuY * ipuHeight) / g.cell);
  const local = localAt(g, column, row);
  const tile = (ipuY * g.ipuColumns + ipuX) * g.perIpu + local;
  return local >= 0 && tile < tiles ? tile : null;
}

/** Returns the tiles whose centres lie in the box between two points, ascending. */
export function tilesInBox(
  g: TileMapGeometry,
  a: { readonly x: number; readonly y: number },
  b: { readonly x: number; readonly y: number },
  tiles: number,
): number[] {
  const out: number[] = [];
  for (let tile = 0; tile < tiles; ++tile) {
    const [left, top] = tileRect(g, tile);
    const [x, y] = [left + g.cell / 2, top + g.cell / 2];
    if (x >= Math.min(a.x, b.x) && x <= Math.max(a.x, b.x) && y >= Math.min(a.y, b.y) && y <= Math.max(a.y, b.y)) out.push(tile);
  }
  return out;
}

const kShades = 256;

export interface TileMap {
  readonly values: Float64Array;
  readonly ipus: number;
  readonly selected: readonly number[];
  readonly scale: readonly [number, number] | null; // values at the ends of the colour scale; null: minimum and maximum
  readonly format: (value: number) => string;
  readonly places?: TilePlaces | null; // null: numbered down the columns
}

/** Returns the minimum and maximum of the values, or the scale of the map. */
export function colourRange(map: TileMap): readonly [number, number] {
  if (map.scale) return map.scale;
  let low = Infinity;
  let high = -Infinity;
  for (const v of map.values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
}

export function drawTileMap(surface: Surface, map: TileMap, width: number, height: number, theme: Theme): void {
  const { values, selected } = map;
  const g = tileMapGeometry(values.length, map.ipus, width, height, map.places ?? null);
  const [low, high] = colourRange(map);
  const span = high - low || 1;
  const line = g.cell > 5 ? 1 : g.cell > 3 ? 0.5 : 0;
  // Draws the tiles of one shade together, because 100,000 changes of colour take longer than 100,000 squares.
  const shadeOf = (value: number) =>
    high === low ? kShades >> 1 : Math.round((Math.min(1, Math.max(0, (value - low) / span)) || 0) * (kShades - 1));
  const counts = new Int32Array(kShades + 1);
  const shades = Uint16Array.from(values, (value) => shadeOf(value));
  for (const shade of shades) ++counts[shade + 1]!;
  for (let i = 1; i <= kShades; ++i) counts[i]! += counts[i - 1]!;
  const order = new Int32Array(values.length);
  const next = counts.slice();
  shades.forEach((shade, tile) => (order[next[shade]!++] = tile));
  for (let shade = 0; shade < kShades; ++shade) {
    if (counts[shade] === counts[shade + 1]) continue;
    const [r, gr, b] = heat(theme, shade / (kShades - 1));
    const colour = `rgb(${Math.round(r)},${Math.round(gr)},${Math.round(b)})`;
    for (let i = counts[shade]!; i < counts[shade + 1]!; ++i) {
      const [x, y] = tileRect(g, order[i]!);
      surface.rect(x, y, g.cell - line, g.cell - line, colour);
    }
  }
  for (const tile of selected) {
    const [x, y] = tileRect(g, tile);
    surface.frame(x - 0.5, y - 0.5, g.cell, g.cell, theme.mark, Math.max(1.5, g.cell / 6));
  }
  drawLegend(surface, low, high, map.format, height, theme);
}

function drawLegend(surface: Surface, low: number, high: number, format: (value: number) => string, height: number, theme: Theme): void {
  const y = height - 30;
  const wide = 200;
  surface.text(Number.isFinite(low) ? format(low) : '', 8, y + 18, { fill: theme.faint, size: 11 });
  surface.text(Number.isFinite(high) ? format(high) : '', 8 + wide, y + 18, { fill: theme.faint, size: 11, align: 'right' });
  for (let i = 0; i < wide; i += 4) {
    const [r, g, b] = heat(theme, i / (wide - 4));
    surface.rect(8 + i, y - 4, 4.3, 10, `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})`);
  }
}
