// The shown steps and addresses of a tile, and the effect of boxes, wheels and keys on them.
import { setParams } from '../../app/route';
import type { TileScales } from '../../draw/tile';
import type { Factors } from '../gestures';
import type { Point } from '../Picture';

/** Returns the link parameters for the steps, addresses or both that a box selects. A side of at most 8 pixels selects nothing. */
export function windowParams(
  d: TileScales,
  a: Point,
  b: Point,
  ends: readonly [number, number],
  highest: number,
): Readonly<Record<string, string | number>> {
  const out: Record<string, string | number> = {};
  if (Math.abs(a.x - b.x) > 8) {
    const [low, high] = [d.x.value(Math.min(a.x, b.x)), d.x.value(Math.max(a.x, b.x))];
    out.from = Math.max(ends[0], Math.floor(low));
    out.to = Math.min(ends[1], Math.max(Math.ceil(high), Math.floor(low) + 1));
  }
  if (Math.abs(a.y - b.y) > 8) {
    const [low, high] = [d.y.address(Math.max(a.y, b.y)), d.y.address(Math.min(a.y, b.y))];
    const from = Math.max(0, Math.floor(low));
    const to = Math.min(highest, Math.ceil(high));
    if (to > from) out.addresses = `${from}-${to}`;
  }
  return out;
}

type Span = readonly [number, number];

/** The shown steps and addresses, and their limits. */
export interface TileWindow {
  readonly steps: Span;
  readonly ends: Span; // all steps
  readonly addresses: Span | null; // null: all
  readonly highest: number;
}

export function zoomSteps({ ends }: TileWindow, a: number, b: number): void {
  const [low, high] = [Math.max(ends[0], Math.floor(Math.min(a, b))), Math.min(ends[1], Math.ceil(Math.max(a, b)))];
  if (high > low) setParams(low <= ends[0] && high >= ends[1] ? { from: '', to: '' } : { from: low, to: high });
}

export function zoomAddresses({ highest }: TileWindow, a: number, b: number): void {
  const [low, high] = [Math.max(0, Math.floor(Math.min(a, b))), Math.min(highest, Math.ceil(Math.max(a, b)))];
  if (high > low) setParams({ addresses: low <= 0 && high >= highest ? '' : `${low}-${high}` });
}

export const showAll = (): void => setParams({ from: '', to: '', addresses: '' });

/** Zooms by factors around a point of the picture. */
export function zoomAt(window: TileWindow, d: TileScales, p: Point, factors: Factors): void {
  const around = (middle: number, [low, high]: Span, factor: number): Span => [
    middle - (middle - low) * factor,
    middle + (high - middle) * factor,
  ];
  if (factors.x !== 1) zoomSteps(window, ...around(d.x.value(p.x), window.steps, factors.x));
  if (factors.y !== 1) zoomAddresses(window, ...around(d.y.address(p.y), window.addresses ?? [0, window.highest], factors.y));
}

/** Selects a step. If the step is outside the window of steps, moves the window to the step. */
function cutAt({ steps, ends }: TileWindow, to: number, programs: number): void {
  const next = Math.min(programs - 1, Math.max(0, to));
  const length = steps[1] - steps[0];
  const from = Math.min(Math.max(0, Math.floor(next - length / 2)), ends[1] - length);
  setParams({ step: next, ...(next >= steps[0] && next < steps[1] ? {} : { from, to: from + length }) });
}

export function keyInTile(window: TileWindow, event: KeyboardEvent, step: number, programs: number): void {
  const { steps, highest } = window;
  const half = ((steps[1] - steps[0]) * (event.key === '+' ? 0.8 : 1.25)) / 2;
  const [low, high] = window.addresses ?? [0, highest];
  const quarter = (high - low) / 4;
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => cutAt(window, step - 1, programs),
    ArrowRight: () => cutAt(window, step + 1, programs),
    ArrowUp: () => zoomAddresses(window, Math.min(low + quarter, highest - (high - low)), Math.min(high + quarter, highest)),
    ArrowDown: () => zoomAddresses(window, Math.max(low - quarter, 0), Math.max(high - quarter, high - low)),
    PageUp: () => zoomAddresses(window, low + quarter / 2, high - quarter / 2),
    PageDown: () => zoomAddresses(window, low - quarter / 2, high + quarter / 2),
    '+': () => zoomSteps(window, step + 0.5 - half, step + 0.5 + half),
    '-': () => zoomSteps(window, step + 0.5 - half, step + 0.5 + half),
    '0': showAll,
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
