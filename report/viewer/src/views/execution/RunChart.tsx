// The chart of one run: tiles on the vertical axis, cycles on the horizontal axis, and the steps as names below the chart. Both axes zoom
// and pan.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Route, setParams } from '../../app/route';
import type { Profile, Run } from '../../data/profile';
import { endOfRun } from '../../derived/bsp';
import type { Piece } from '../../derived/critical';
import { flame, type Nesting, type Span } from '../../derived/flame';
import { counted, integer, percent } from '../../derived/format';
import { programLabel } from '../../derived/names';
import { closeJob, kChartRows, poolJob } from '../../derived/pool';
import { leastLength } from '../../derived/recorded';
import { stepsWithin } from '../../derived/selection';
import { timeAt } from '../../derived/times';
import { orderTiles, type TileOrder } from './tileOrder';
import { panWindow, spanWindow, type Window, zoomWindow } from '../../derived/window';
import { Scale } from '../../draw/axes';
import { chartBox, drawChart, positionAt, type TilesInSight } from '../../draw/bsp';
import { drawFlame, kLevel } from '../../draw/flame';
import type { Factors } from '../gestures';
import { Picture, type Point } from '../Picture';
import { useJob } from '../useJob';
import { DoingTip } from './DoingTip';

interface Props {
  readonly profile: Profile;
  readonly run: Run;
  readonly route: Route;
  readonly ipu: number | null; // null: all IPUs
  readonly window: Window; // cycles
  readonly rows: Window; // positions of tiles
  readonly order: TileOrder;
  readonly names: Nesting;
  readonly path: readonly Piece[];
  readonly selected: readonly number[];
  readonly found: ReadonlySet<number>; // programs
  readonly onSelect: (steps: readonly number[], event: MouseEvent | null) => void;
  readonly second?: boolean; // the second of two runs: the first handles the keys
}

/**
 * Returns the tiles that the chart shows. Pools the tiles again if the chart shows a part of the tiles, or shows tiles in another order.
 */
function useTiles(p: Props): { readonly sight: TilesInSight; readonly done: boolean } {
  const { profile, run, ipu } = p;
  const base = poolJob(profile, run, ipu);
  useJob(base);
  const order = useMemo(() => orderTiles(profile, ipu, base.tilesOfRun, p.order), [profile, ipu, base, base.tilesOfRun, p.order]);
  const ordered = p.order !== 'number' && base.tilesOfRun !== null;
  const part = p.rows[1] - p.rows[0] < order.length && base.pooled.rows < order.length;
  const close = useMemo(
    () => (part || ordered ? closeJob(profile, run, `${ipu} ${p.order} ${p.rows.join('-')}`, order.slice(...p.rows)) : null),
    [profile, run, ipu, p.order, p.rows[0], p.rows[1], order, part || ordered],
  );
  useJob(close, 120); // the delay avoids work at each turn of a wheel
  // Until the tiles are read, shows the coarser rows, which are in order of number.
  const ready = close && (close.done || ordered) ? close : null;
  const sight = { order, window: p.rows, pooled: (ready ?? base).pooled, offset: ready ? p.rows[0] : 0 };
  return { sight, done: base.done && (close?.done ?? true) };
}

export function RunChart(p: Props): JSX.Element {
  const { profile, run, window, rows, selected } = p;
  const { sight, done } = useTiles(p);
  const first = p.ipu ?? 0; // the IPU whose clock is the scale
  const end = endOfRun(profile, run, p.ipu);
  const ended = leastLength(profile, run); // the window can be that of a longer run
  const tiles = sight.order.length;
  const spans = useMemo(() => flame(profile, run, p.ipu, p.names), [profile, run, p.ipu, p.names]);
  const depth = spans.reduce((most, s) => Math.max(most, s.depth + 1), 1);
  const framed = useMemo(
    () => ({
      steps: new Set(selected),
      program: selected.length === 1 ? (profile.steps.program[selected[0] ?? -1] ?? -1) : -1,
      found: p.found,
    }),
    [profile, selected, p.found],
  );
  const show = (cycles: Window, positions: Window, entry: 'each' | 'burst') =>
    setParams(
      {
        ...(cycles[0] <= 0 && cycles[1] >= end ? { from: '', to: '' } : { from: cycles[0], to: cycles[1] }),
        rows: positions[0] <= 0 && positions[1] >= tiles ? '' : `${positions[0]}-${positions[1] - 1}`,
      },
      entry,
    );
  const cycleAt = (x: number, w: number) => {
    const box = chartBox(w, 0);
    return new Scale(window[0], window[1], box.x, box.width).value(x);
  };
  const perIpu = Math.max(1, Math.floor(profile.tiles / profile.ipus));
  const stepAt = (cycle: number, tile: number) => {
    const ipu = p.ipu ?? Math.floor(tile / perIpu);
    for (let s = run.firstStep; s < run.endStep; ++s) {
      const at = timeAt(profile, s, ipu);
      if (cycle >= (profile.steps.from[at] ?? NaN) && cycle < (profile.steps.to[at] ?? NaN)) return s;
    }
    return null;
  };
  const spanAt = (point: Point, w: number): Span | null => {
    const cycle = cycleAt(point.x, w);
    const level = Math.floor((point.y - 4) / kLevel);
    return spans.find((s) => s.depth === level && s.from <= cycle && cycle < s.to) ?? null;
  };
  const positionOf = (y: number, h: number) => {
    const box = chartBox(0, h);
    return new Scale(rows[0], rows[1], box.y, box.height).value(y);
  };
  const zoom = (at: Point, { x, y }: Factors, w: number, h: number) =>
    show(
      x === 1 ? window : zoomWindow(window, x, cycleAt(at.x, w), end),
      y === 1 ? rows : zoomWindow(rows, y, positionOf(at.y, h), tiles, 1),
      'burst',
    );
  const pan = (dx: number, dy: number, w: number, h: number) => {
    const box = chartBox(w, h);
    const cycles = Math.abs(dx) >= Math.abs(dy) / 2 ? panWindow(window, (dx * (window[1] - window[0])) / box.width, end) : window;
    const step = (dy * (rows[1] - rows[0])) / box.height;
    const positions = panWindow(rows, Math.abs(step) < 1 ? Math.sign(step) : step, tiles);
    if (cycles[0] === window[0] && positions[0] === rows[0]) return false;
    show(cycles, positions, 'burst');
    return true;
  };
  const add = (event: MouseEvent) => event.shiftKey || event.ctrlKey || event.metaKey;
  const span = (a: Point, b: Point, w: number, h: number, event: MouseEvent, tall: boolean) => {
    const [low, high] = [cycleAt(a.x, w), cycleAt(b.x, w)];
    if (add(event)) p.onSelect(stepsWithin(profile, run, p.ipu, Math.min(low, high), Math.max(low, high)), event);
    else
      show(
        (Math.abs(a.x - b.x) > 8 && spanWindow(low, high, end)) || window,
        (tall && Math.abs(a.y - b.y) > 8 && spanWindow(positionOf(a.y, h), positionOf(b.y, h), tiles, 1)) || rows,
        'each',
      );
  };
  /** Selects the next or previous step, and moves the window to it. Without a selection, selects the first visible step. */
  const walk = (by: number) => {
    const last = selected[by > 0 ? selected.length - 1 : 0];
    const next = last === undefined ? stepsWithin(profile, run, p.ipu, ...window)[0] : last + by;
    if (next === undefined || next < run.firstStep || next >= run.endStep) return;
    const at = timeAt(profile, next, first);
    const [start, stop] = [profile.steps.from[at] ?? NaN, profile.steps.to[at] ?? NaN];
    const place = Number.isNaN(start) ? stop : start; // the begin is unknown on an IPU without work at level ipu
    const [from, to] = panWindow(window, place - (window[1] - window[0]) / 3 - window[0], end);
    setParams({ at: String(next), ...(stop < window[0] || place >= window[1] ? { from, to } : {}) });
  };
  const key = (event: KeyboardEvent) => {
    const [length, height] = [window[1] - window[0], rows[1] - rows[0]];
    const [middle, centre] = [window[0] + length / 2, rows[0] + height / 2];
    const quarter = Math.max(1, Math.floor(height / 4));
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => show(panWindow(window, -length / 4, end), rows, 'burst'),
      ArrowRight: () => show(panWindow(window, length / 4, end), rows, 'burst'),
      ArrowUp: () => show(window, panWindow(rows, -quarter, tiles), 'burst'),
      ArrowDown: () => show(window, panWindow(rows, quarter, tiles), 'burst'),
      '+': () => show(zoomWindow(window, 0.75, middle, end), rows, 'burst'),
      '-': () => show(zoomWindow(window, 4 / 3, middle, end), rows, 'burst'),
      PageUp: () => show(window, zoomWindow(rows, 0.75, centre, tiles, 1), 'burst'),
      PageDown: () => show(window, zoomWindow(rows, height < 4 ? 2 : 4 / 3, centre, tiles, 1), 'burst'),
      '0': () => setParams({ from: '', to: '', rows: '' }, 'each'),
      s: () => p.onSelect(stepsWithin(profile, run, p.ipu, ...window), null),
      ',': () => walk(-1),
      '.': () => walk(1),
    };
    const action = moves[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const name = `${p.ipu === null ? 'all IPUs' : `IPU ${p.ipu}`}`;
  return (
    <>
      <Picture
        title={`Execution of run ${run.id} on ${name}`}
        height={kChartRows}
        draw={(surface, w, h, t) => drawChart(surface, profile, sight, { end: ended, path: p.path, ipu: first, selected }, window, w, h, t)}
        tip={(point, w, h) => {
          const [position, cycle] = [positionAt(sight, point.y, h), cycleAt(point.x, w)];
          if (position === null || cycle < window[0] || cycle >= window[1]) return null;
          if (!run.complete && cycle >= ended) return null;
          return (
            <DoingTip profile={profile} run={run} sight={sight} base={poolJob(profile, run, p.ipu)} position={position} cycle={cycle} />
          );
        }}
        onPick={(point, w, h, event) => {
          const [position, cycle] = [positionAt(sight, point.y, h), cycleAt(point.x, w)];
          const step = stepAt(cycle, sight.order[position ?? -1] ?? 0);
          p.onSelect(step === null ? [] : [step], event);
          if (step !== null && position !== null && !p.second) setParams({ lane: sight.order[position] ?? '', cycle: Math.floor(cycle) });
        }}
        onSpan={(a, b, w, h, event) => span(a, b, w, h, event, true)}
        box
        onZoom={zoom}
        onPan={pan}
        onKey={key}
        aside={p.second === true}
      />
      <Picture
        title={`Steps of run ${run.id} by name`}
        height={10 + depth * kLevel}
        draw={(surface, w, _h, t) => drawFlame(surface, profile, spans, window, framed, w, t)}
        tip={(point, w) => {
          const s = spanAt(point, w);
          if (!s) return null;
          return (
            <>
              <b>{s.label || programLabel(profile.programs[s.program])}</b>
              <div>
                {s.label === '' ? profile.programs[s.program]?.type : counted(s.endStep - s.step, 'step')}: {integer(s.to - s.from)} cycles,{' '}
                {percent(s.to - s.from, end)} of the run
              </div>
            </>
          );
        }}
        onPick={(point, w, _h, event) => {
          const s = spanAt(point, w);
          if (!s) return;
          if (event.detail === 2) show(spanWindow(s.from, s.to, end) ?? window, rows, 'each');
          else
            p.onSelect(
              Array.from({ length: s.endStep - s.step }, (_, i) => s.step + i),
              event,
            );
        }}
        onSpan={(a, b, w, h, event) => span(a, b, w, h, event, false)}
        onZoom={(at, { x }, w, h) => zoom(at, { x, y: 1 }, w, h)}
        onPan={(dx, _dy, w, h) => dx !== 0 && pan(dx, 0, w, h)}
        onKey={key}
        aside={p.second === true}
      />
      {!done && (
        <p class="hint" role="status">
          <b>Tiles are still being read. Until then, the chart shows a step as busy on all tiles.</b>
        </p>
      )}
    </>
  );
}
