// Zooms and pans a picture by wheel, touchpad or two fingers, or by a drag with the middle button or with Alt.
import { useEffect } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Point } from './Picture';

/** The factor by which each side of the window becomes longer; 1 = unchanged. */
export interface Factors {
  readonly x: number;
  readonly y: number;
}

export interface Gestures {
  readonly onZoom?: ((at: Point, factors: Factors, width: number, height: number) => void) | undefined;
  /** Moves the content by (-dx, -dy) pixels. Returns whether anything moved. */
  readonly onPan?: ((dx: number, dy: number, width: number, height: number) => boolean) | undefined;
}

const factorOf = (delta: number): number => Math.exp(Math.sign(delta) * Math.min(0.25, Math.abs(delta) / 300));

/** Listens for gestures. Registers the listeners itself, as not passive, because zooming must stop the page from scrolling. */
export function useGestures(canvas: RefObject<HTMLCanvasElement>, gestures: Gestures, width: number, height: number, scale: number): void {
  useEffect(() => {
    const element = canvas.current;
    const { onZoom, onPan } = gestures;
    if (!element || (!onZoom && !onPan)) return;
    const stop = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(name: K, listen: (event: HTMLElementEventMap[K]) => void) =>
      element.addEventListener(name, listen, { passive: false, signal: stop.signal });
    on('wheel', (event) => {
      const at = { x: event.offsetX / scale, y: event.offsetY / scale };
      const wheel = event.deltaY || event.deltaX;
      // Browsers report a pinch on a touchpad as a wheel with Ctrl, and some report a wheel with Shift as a horizontal wheel.
      if (onZoom && (event.ctrlKey || event.metaKey)) onZoom(at, { x: factorOf(wheel), y: 1 }, width, height);
      else if (onZoom && event.shiftKey) onZoom(at, { x: 1, y: factorOf(wheel) }, width, height);
      else if (!onPan?.(event.deltaX / scale, event.deltaY / scale, width, height)) return;
      event.preventDefault();
    });
    const fingers = pointers.get(element) ?? new Map<number, Point>();
    pointers.set(element, fingers); // kept per element, because the picture is drawn again while fingers touch it
    on('pointerdown', (event) => {
      if (event.pointerType === 'touch' || event.button === 1 || event.altKey)
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (event.button === 1) event.preventDefault(); // prevents scrolling by the middle button
    });
    on('pointermove', (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, now);
      if (other && onZoom) {
        const box = element.getBoundingClientRect();
        const ratio = (a: number, b: number, fixed: number) =>
          Math.abs(a - fixed) > 24 && Math.abs(b - fixed) > 24 ? Math.abs(a - fixed) / Math.abs(b - fixed) : 1;
        onZoom(
          { x: ((now.x + other.x) / 2 - box.left) / scale, y: ((now.y + other.y) / 2 - box.top) / scale },
          { x: ratio(before.x, now.x, other.x), y: ratio(before.y, now.y, other.y) },
          width,
          height,
        );
      } else if (event.pointerType !== 'touch') onPan?.((before.x - now.x) / scale, (before.y - now.y) / scale, width, height);
      event.preventDefault();
    });
    const lift = (event: PointerEvent) => fingers.delete(event.pointerId);
    for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const) on(name, lift);
    return () => stop.abort();
  });
}

const pointers = new WeakMap<HTMLCanvasElement, Map<number, Point>>();
