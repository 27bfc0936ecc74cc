// A picture that tracks its size, draws on a canvas, saves as PNG and SVG, reports the position of the pointer, and shows a tip there.
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CanvasSurface, type Surface } from '../draw/surface';
import { currentTheme, type Theme } from '../theme';
import { type Factors, useGestures } from './gestures';
import { textScale } from './textScale';
import { type Legend, legendBeside, savePng, saveSvg } from './savePicture';

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly title: string; // text for screen readers, and the name of a saved file
  readonly height: number | ((width: number) => number);
  readonly draw: (surface: Surface, width: number, height: number, theme: Theme) => void;
  readonly tip?: (point: Point, width: number, height: number) => ComponentChildren;
  readonly onPick?: (point: Point, width: number, height: number, event: MouseEvent) => void;
  readonly onSpan?: (from: Point, to: Point, width: number, height: number, event: MouseEvent) => void;
  readonly box?: boolean; // a drag selects a box, not the full height
  readonly onZoom?: (at: Point, factors: Factors, width: number, height: number) => void;
  readonly onPan?: (dx: number, dy: number, width: number, height: number) => boolean;
  readonly legend?: Legend; // legend of a saved file; default: the legend of the card
  readonly aside?: boolean; // the key p skips this picture, because the view has a main one
  readonly onKey?: (event: KeyboardEvent) => void;
}

function spanStyle([from, to]: readonly [Point, Point], box: boolean, scale: number): Record<string, string> {
  const [a, b] = [from, to].map(({ x, y }) => ({ x: x * scale, y: y * scale })) as [Point, Point];
  const across = { left: `${Math.min(a.x, b.x)}px`, width: `${Math.abs(b.x - a.x)}px` };
  return box ? { ...across, top: `${Math.min(a.y, b.y)}px`, bottom: 'auto', height: `${Math.abs(b.y - a.y)}px` } : across;
}

export function Picture(props: Props): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0); // as drawn: the picture and its contents grow with the reader's text size
  const scale = textScale();
  const height = typeof props.height === 'number' ? props.height : props.height(width);
  const high = height * scale;
  const [tip, setTip] = useState<{ at: Point; content: ComponentChildren } | null>(null);
  const start = useRef<Point | null>(null);
  const [span, setSpan] = useState<readonly [Point, Point] | null>(null);

  useLayoutEffect(() => {
    const element = canvas.current?.parentElement;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth / textScale());
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || width === 0) return;
    const ratio = Math.max(1, devicePixelRatio || 1);
    element.width = Math.round(width * scale * ratio);
    element.height = Math.round(high * ratio);
    const context = element.getContext('2d');
    if (!context) return;
    context.setTransform(ratio * scale, 0, 0, ratio * scale, 0, 0);
    const theme = currentTheme();
    const surface = new CanvasSurface(context);
    surface.rect(0, 0, width, height, theme.ground);
    props.draw(surface, width, height, theme);
  }, [props.draw, width, height, scale]); // the tip needs no dependency: `draw` is a new function whenever the view renders

  useGestures(canvas, props, width, height, scale);

  const point = (event: MouseEvent): Point => ({ x: event.offsetX / scale, y: event.offsetY / scale });
  const move = (event: MouseEvent) => {
    const at = point(event);
    if (start.current && props.onSpan) setSpan([start.current, at]);
    const content = props.tip?.(at, width, height);
    setTip(content ? { at, content } : null);
  };
  const saved = () => ({ ...props, width, height, legend: props.legend ?? legendBeside(canvas.current) });
  const up = (event: MouseEvent) => {
    const at = point(event);
    const from = start.current;
    start.current = null;
    setSpan(null);
    if (from && props.onSpan && (Math.abs(from.x - at.x) > 4 || (props.box && Math.abs(from.y - at.y) > 4)))
      props.onSpan(from, at, width, height, event);
    else if (from) props.onPick?.(at, width, height, event);
  };
  return (
    <figure class="picture">
      <div class="drawing" style={{ height: `${high}px` }}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={props.title}
          tabIndex={props.onKey ? 0 : undefined}
          data-aside={props.aside ? '' : undefined}
          style={{ width: '100%', height: `${high}px` }}
          onMouseDown={(event) => {
            if (event.button === 0 && !event.altKey) start.current = point(event);
          }}
          onMouseMove={move}
          onMouseUp={up}
          onMouseLeave={() => {
            start.current = null;
            setSpan(null);
            setTip(null);
          }}
          onKeyDown={props.onKey}
        />
        {span && <div class="span" style={spanStyle(span, props.box === true, scale)} />}
        {tip && (
          <div
            class="tip"
            style={{
              left: tip.at.x > width / 2 ? 'auto' : `${tip.at.x * scale + 14}px`,
              right: tip.at.x > width / 2 ? `${(width - tip.at.x) * scale + 14}px` : 'auto',
              top: `${Math.max(0, Math.min(tip.at.y * scale + 12, high - 90))}px`,
            }}
          >
            {tip.content}
          </div>
        )}
      </div>
      <figcaption class="save">
        <button type="button" onClick={() => savePng(saved())} title="Save this picture as PNG">
          PNG
        </button>
        <button type="button" onClick={() => saveSvg(saved())} title="Save this picture as SVG">
          SVG
        </button>
      </figcaption>
    </figure>
  );
}
