// A surface to draw on: a canvas, or an SVG text with the same picture. All lengths are logical pixels.
export interface TextStyle {
  readonly fill: string;
  readonly size?: number;
  readonly align?: 'left' | 'center' | 'right';
  readonly bold?: boolean;
}

export interface Surface {
  rect(x: number, y: number, width: number, height: number, fill: string, opacity?: number): void;
  frame(x: number, y: number, width: number, height: number, stroke: string, thickness?: number): void;
  line(points: readonly (readonly [number, number])[], stroke: string, thickness?: number, dashed?: boolean): void;
  text(value: string, x: number, y: number, style: TextStyle): void;
  /** Draws pixels (RGBA) scaled to a box, without smoothing. */
  image(pixels: ImageData, x: number, y: number, width: number, height: number): void;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Draws stripes over a filled rectangle. */
export function drawStripes(surface: Surface, box: Rectangle, fill: string): void {
  for (let at = box.y + 2; at < box.y + box.height - 1; at += 4) surface.rect(box.x, at, box.width, 1.5, fill);
}

export const kFont = 'system-ui, "DejaVu Sans", sans-serif';

function imageCanvas(pixels: ImageData): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = pixels.width;
  canvas.height = pixels.height;
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return canvas;
}

export class CanvasSurface implements Surface {
  private filled = ''; // the last value of fillStyle
  constructor(private readonly context: CanvasRenderingContext2D) {
    context.textBaseline = 'middle';
  }
  rect(x: number, y: number, width: number, height: number, fill: string, opacity = 1): void {
    if (fill !== this.filled) this.context.fillStyle = this.filled = fill;
    if (opacity !== 1) this.context.globalAlpha = opacity;
    this.context.fillRect(x, y, width, height);
    if (opacity !== 1) this.context.globalAlpha = 1;
  }
  frame(x: number, y: number, width: number, height: number, stroke: string, thickness = 1): void {
    this.context.strokeStyle = stroke;
    this.context.lineWidth = thickness;
    this.context.strokeRect(x, y, width, height);
  }
  line(points: readonly (readonly [number, number])[], stroke: string, thickness = 1, dashed = false): void {
    this.context.strokeStyle = stroke;
    this.context.lineWidth = thickness;
    this.context.setLineDash(dashed ? [4, 3] : []);
    this.context.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? this.context.moveTo(x, y) : this.context.lineTo(x, y)));
    this.context.stroke();
    this.context.setLineDash([]);
  }
  text(value: string, x: number, y: number, style: TextStyle): void {
    this.context.font = `${style.bold ? '600 ' : ''}${style.size ?? 12}px ${kFont}`;
    this.context.textAlign = style.align ?? 'left';
    this.context.fillStyle = this.filled = style.fill;
    this.context.fillText(value, x, y);
  }
  image(pixels: ImageData, x: number, y: number, width: number, height: number): void {
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(imageCanvas(pixels), x, y, width, height);
  }
}

/**
 * Escapes text for an XML document. Markup becomes references, and a replacement character takes the place of characters that XML does not
 * allow.
 */
function escape(value: string): string {
  let out = '';
  for (const c of value) {
    const code = c.codePointAt(0) ?? 0;
    const allowed =
      code === 9 || code === 10 || code === 13 || (code >= 32 && code !== 0xfffe && code !== 0xffff && !(code >= 0xd800 && code < 0xe000));
    out += !allowed ? '\ufffd' : '&<>"\''.includes(c) ? `&#${code};` : c;
  }
  return out;
}

const short = (value: number): string => String(Math.round(value * 100) / 100);

export class SvgSurface implements Surface {
  private readonly parts: string[] = [];
  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly title: string,
  ) {}
  rect(x: number, y: number, width: number, height: number, fill: string, opacity = 1): void {
    this.parts.push(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, width))}" height="${short(Math.max(0, height))}" fill="${fill}"${opacity < 1 ? ` fill-opacity="${opacity}"` : ''}/>`,
    );
  }
  frame(x: number, y: number, width: number, height: number, stroke: string, thickness = 1): void {
    this.parts.push(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, width))}" height="${short(Math.max(0, height))}" fill="none" stroke="${stroke}" stroke-width="${thickness}"/>`,
    );
  }
  line(points: readonly (readonly [number, number])[], stroke: string, thickness = 1, dashed = false): void {
    const path = points.map(([x, y]) => `${short(x)},${short(y)}`).join(' ');
    this.parts.push(
      `<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="${thickness}"${dashed ? ' stroke-dasharray="4 3"' : ''}/>`,
    );
  }
  text(value: string, x: number, y: number, style: TextStyle): void {
    const anchor = style.align === 'center' ? 'middle' : style.align === 'right' ? 'end' : 'start';
    const size = style.size ?? 12;
    this.parts.push(
      `<text x="${short(x)}" y="${short(y + size * 0.35)}" font-size="${size}" text-anchor="${anchor}"${style.bold ? ' font-weight="600"' : ''} fill="${style.fill}">${escape(value)}</text>`,
    );
  }
  image(pixels: ImageData, x: number, y: number, width: number, height: number): void {
    const data = imageCanvas(pixels).toDataURL('image/png');
    this.parts.push(
      `<image x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" preserveAspectRatio="none" image-rendering="pixelated" href="${data}"/>`,
    );
  }
  /** Calls `draw` and shifts its output down by `down` pixels. */
  shifted(down: number, draw: () => void): void {
    this.parts.push(`<g transform="translate(0 ${short(down)})">`);
    draw();
    this.parts.push('</g>');
  }
  toString(): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${short(this.width)} ${short(this.height)}" font-family='${kFont}'><title>${escape(this.title)}</title>${this.parts.join('\n')}</svg>\n`;
  }
}
