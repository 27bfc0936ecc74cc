// Saves pictures as files with title, profile and legend. On the page, the title, the profile and the legend are outside the picture.
import { textWidth } from '../draw/names';
import { CanvasSurface, drawStripes, type Surface, SvgSurface } from '../draw/surface';
import { currentTheme, type Fill, type Theme } from '../theme';

interface Point {
  readonly x: number;
  readonly y: number;
}

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name.replace(/[^\w.-]+/g, '_');
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export type Legend = readonly (readonly [label: string, fill: Fill])[];

export interface Saved {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly legend: Legend;
  readonly draw: (surface: Surface, width: number, height: number, theme: Theme) => void;
}

/** Returns the legend of the card around a picture, so that the file has the legend that the reader sees. */
export function legendBeside(element: Element | null): Legend {
  const entries = element?.closest('.card')?.querySelector('.legend')?.querySelectorAll('li') ?? [];
  return [...entries].map((entry) => {
    const style = entry.querySelector<HTMLElement>('.swatch')?.style;
    const stripes = style?.getPropertyValue('--stripes') ?? '';
    return [entry.textContent ?? '', { colour: style?.background || currentTheme().faint, ...(stripes ? { stripes } : {}) }];
  });
}

let source = ''; // name of the shown profile, for saved pictures
export function setPictureSource(name: string): void {
  source = name;
}

const kTitle = 30; // pixels above a saved picture
const kLine = 18; // pixels per line of its legend

/** Returns the position of each legend entry, and the height of the legend. */
function placeLegend(legend: Legend, width: number): { readonly places: readonly Point[]; readonly height: number } {
  const places: Point[] = [];
  let [x, y] = [10, 0];
  for (const [label] of legend) {
    const wide = 28 + textWidth(label, 11);
    if (x > 10 && x + wide > width) [x, y] = [10, y + kLine];
    places.push({ x, y });
    x += wide;
  }
  return { places, height: legend.length === 0 ? 0 : y + kLine + 6 };
}

/** Draws a picture for a file: title and profile above, legend below. */
function drawSaved(surface: Surface, saved: Saved, inside: (draw: () => void) => void): void {
  const { width, legend } = saved;
  const theme = currentTheme();
  const { places, height } = placeLegend(legend, width);
  surface.rect(0, 0, width, kTitle + saved.height + height, theme.ground);
  surface.text(saved.title, 10, 15, { fill: theme.text, size: 13, bold: true });
  surface.text(source, width - 10, 15, { fill: theme.faint, size: 11, align: 'right' });
  inside(() => saved.draw(surface, width, saved.height, theme));
  legend.forEach(([label, fill], i) => {
    const { x, y } = places[i] ?? { x: 0, y: 0 };
    const top = kTitle + saved.height + y;
    const box = { x, y: top + 4, width: 11, height: 11 };
    surface.rect(box.x, box.y, box.width, box.height, fill.colour);
    if (fill.stripes) drawStripes(surface, box, fill.stripes);
    surface.text(label, x + 16, top + 10, { fill: theme.text, size: 11 });
  });
}

const savedHeight = (saved: Saved): number => kTitle + saved.height + placeLegend(saved.legend, saved.width).height;

export function saveSvg(saved: Saved): void {
  const surface = new SvgSurface(saved.width, savedHeight(saved), source === '' ? saved.title : `${saved.title} – ${source}`);
  drawSaved(surface, saved, (draw) => surface.shifted(kTitle, draw));
  save(`${saved.title}.svg`, new Blob([surface.toString()], { type: 'image/svg+xml' }));
}

export function savePng(saved: Saved): void {
  const ratio = Math.max(1, devicePixelRatio || 1);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(saved.width * ratio);
  canvas.height = Math.round(savedHeight(saved) * ratio);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawSaved(new CanvasSurface(context), saved, (draw) => {
    context.translate(0, kTitle);
    draw();
    context.translate(0, -kTitle);
  });
  canvas.toBlob((content) => content && save(`${saved.title}.png`, content));
}
