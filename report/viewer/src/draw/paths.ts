// Draws a tree of names as a flame graph or a treemap. The first word of a path has the same colour in both pictures, and in every profile.
import { categoryLabel } from '../derived/names';
import { flamePlaces, type PathNode, type Place, treemapPlaces } from '../derived/pathTree';
import { inkOn, mixed, type Theme } from '../theme';
import { drawName } from './names';
import type { Surface } from './surface';

export const kRow = 22; // pixels per level

/** Returns the colour of a path, which depends on its first word. A storage category has its own colour. */
export function layerColour(theme: Theme, path: string): string {
  const [first = ''] = path.split('/', 1);
  const category = theme.category.get(first); // allocations without a name have the name of their category
  if (category !== undefined) return category;
  let hash = 2166136261; // FNV-1a
  for (const c of first) hash = Math.imul(hash ^ (c.codePointAt(0) ?? 0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  // Mixes the colour with the background, so that nobody mistakes it for the colour of a category.
  return mixed(theme.series[hash % theme.series.length] ?? theme.accent, theme.ground);
}

/** Returns the name of a node. A node at the top level with the name of a storage category has the label of this category. */
export const layerName = (node: PathNode): string => (node.path === node.name ? categoryLabel(node.name) : node.name);

function label(surface: Surface, place: { x: number; y: number; width: number }, text: string, fill: string): void {
  drawName(surface, text, place.x + 4, place.y + 8, place.width - 8, fill);
}

function drawPlaces(
  surface: Surface,
  places: readonly Place[],
  found: ReadonlySet<string>,
  theme: Theme,
  rest: (depth: number) => number,
): void {
  for (const place of places) {
    const { node, x, y, width, height, depth } = place;
    if (node.path === '') {
      surface.rect(x, y, width, height, theme.grid);
      label(surface, place, node.name, theme.text);
      continue;
    }
    const colour = layerColour(theme, node.path);
    surface.rect(x, y, width, height, theme.ground);
    surface.rect(x + 0.5, y + 0.5, Math.max(0.5, width - 1), Math.max(0.5, height - 1), colour, rest(depth));
    label(surface, place, layerName(node), rest(depth) < 1 ? theme.text : inkOn(colour));
    if (found.has(node.path)) surface.frame(x + 1, y + 1, Math.max(1, width - 2), Math.max(1, height - 2), theme.mark, 2);
  }
}

export function placesOfFlame(root: PathNode, width: number): Place[] {
  return flamePlaces(root, 1 / Math.max(1, width)).map((p) => ({
    ...p,
    x: p.x * width,
    y: p.depth * kRow,
    width: p.width * width,
    height: kRow,
  }));
}

export function drawFlamePaths(surface: Surface, root: PathNode, found: ReadonlySet<string>, width: number, theme: Theme): void {
  drawPlaces(surface, placesOfFlame(root, width), found, theme, () => 1);
}

export const placesOfMap = (root: PathNode, width: number, height: number): Place[] => treemapPlaces(root, width, height, 3);

export function drawTreemap(
  surface: Surface,
  root: PathNode,
  found: ReadonlySet<string>,
  width: number,
  height: number,
  theme: Theme,
): void {
  // Inner parts have stronger colours, so that nesting is visible.
  drawPlaces(surface, placesOfMap(root, width, height), found, theme, (depth) => (depth === 1 ? 0.35 : depth === 2 ? 0.6 : 1));
}
