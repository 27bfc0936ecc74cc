// One tile's addresses over the steps of the program: every allocation a rectangle, time across, address up.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, numberParam, type Route, setParams } from '../app/route';
import type { Allocation, Profile } from '../data/profile';
import { drawTile, intervalsOf, regionsOf, type TileScales, tileScales } from '../draw/tile';
import { clip, parseWindow, stretches } from '../derived/addresses';
import { bytes, integer, shortBytes } from '../derived/format';
import { occupiedAt, occupiedBytes } from '../derived/liveness';
import { whyAt } from '../derived/why';
import { categoryColour } from '../derived/memory';
import { categoryLabel, programLabel } from '../derived/names';
import { currentTheme } from '../theme';
import { Card, Legend, ProgramLink, TileField } from './common';
import type { Factors } from './gestures';
import { Picture, type Point } from './Picture';
import { Table } from './Table';
import { kNameColumn } from './Variables';

function fullestStep(occupied: Float64Array): number {
  let best = 0;
  for (let i = 1; i < occupied.length; ++i) if ((occupied[i] ?? 0) > (occupied[best] ?? 0)) best = i;
  return best;
}

/** What a box asks for: steps, addresses, or both, where it is more than a few pixels of them. */
function windowParams(
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

/** Why an allocation is in place at a step, as far as the file says. */
function whyText(profile: Profile, a: Allocation, step: number): string {
  if (a.alwaysLive) return 'always live';
  const variable = a.variable === null ? undefined : profile.variables[a.variable];
  const why = variable && whyAt(profile, variable, step);
  if (!why) return 'the file does not say why';
  const name = (id: number) => `${programLabel(profile.programs[id])} (${id})`;
  const written = why.born === null ? 'never written whole' : `written by ${name(why.born)}`;
  return `${written}, read by ${name(why.read)}${why.carrier ? `, carried by the ${why.carrier}` : ''}`;
}

export function Tile({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const fullest = useMemo(() => profile.memory.total.reduce((best, v, t, all) => (v > (all[best] ?? 0) ? t : best), 0), [profile]);
  const tile = Math.round(numberParam(route, 'tile', fullest, 0, profile.tiles - 1));
  const allocations = useMemo(() => profile.allocations(tile), [profile, tile]);
  const parts = useMemo(() => stretches(allocations, Math.max(256, profile.target.bytesPerTile / 256)), [allocations, profile]);
  const occupied = useMemo(() => occupiedBytes(profile, allocations), [profile, allocations]);
  const worst = fullestStep(occupied);
  const step = Math.round(numberParam(route, 'step', worst, 0, Math.max(0, profile.programs.length - 1)));
  const theme = currentTheme();
  const categories = useMemo(() => {
    const sums = new Map<string, number>();
    for (const a of allocations) sums.set(a.category, (sums.get(a.category) ?? 0) + a.bytes);
    return [...sums].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  }, [allocations]);
  const cut = useMemo(() => allocations.filter((a) => occupiedAt(profile, a, step)), [allocations, profile, step]);
  const height = 520;
  const ends: readonly [number, number] = [0, Math.max(1, profile.programs.length)];
  const steps = parseWindow(`${route.params.from ?? ''}-${route.params.to ?? ''}`, ...ends) ?? ends;
  const highest = parts[parts.length - 1]?.to ?? 0;
  const addresses = parseWindow(route.params.addresses ?? '', 0, highest);
  const shown = useMemo(() => (addresses ? clip(parts, ...addresses) : parts), [parts, addresses?.[0], addresses?.[1]]);
  const scales = (w: number, h: number) => tileScales(steps, shown, w, h);
  const zoomSteps = (a: number, b: number) => {
    const [low, high] = [Math.max(ends[0], Math.floor(Math.min(a, b))), Math.min(ends[1], Math.ceil(Math.max(a, b)))];
    if (high > low) setParams(low <= ends[0] && high >= ends[1] ? { from: '', to: '' } : { from: low, to: high });
  };
  const zoomAddresses = (a: number, b: number) => {
    const [low, high] = [Math.max(0, Math.floor(Math.min(a, b))), Math.min(highest, Math.ceil(Math.max(a, b)))];
    if (high > low) setParams({ addresses: low <= 0 && high >= highest ? '' : `${low}-${high}` });
  };
  const everything = () => setParams({ from: '', to: '', addresses: '' });
  const zoom = (p: Point, factors: Factors, w: number, h: number) => {
    const d = scales(w, h);
    const around = (middle: number, low: number, high: number, factor: number) =>
      [middle - (middle - low) * factor, middle + (high - middle) * factor] as const;
    if (factors.x !== 1) zoomSteps(...around(d.x.value(p.x), ...steps, factors.x));
    if (factors.y !== 1) zoomAddresses(...around(d.y.address(p.y), ...(addresses ?? [0, highest]), factors.y));
  };

  const at = (p: Point, w: number, h: number) => {
    const d = scales(w, h);
    const where = Math.floor(d.x.value(p.x));
    const address = d.y.address(p.y);
    if (where < steps[0] || where >= steps[1] || p.y > d.box.y + d.box.height) return null;
    const found = allocations.find((a) => a.offset <= address && address < a.offset + a.bytes && occupiedAt(profile, a, where));
    return { where, address, found };
  };
  /** Makes the window of steps follow the cut. */
  const cutAt = (to: number) => {
    const next = Math.min(profile.programs.length - 1, Math.max(0, to));
    const length = steps[1] - steps[0];
    const from = Math.min(Math.max(0, Math.floor(next - length / 2)), ends[1] - length);
    setParams({ step: next, ...(next >= steps[0] && next < steps[1] ? {} : { from, to: from + length }) });
  };
  const key = (event: KeyboardEvent) => {
    const half = ((steps[1] - steps[0]) * (event.key === '+' ? 0.8 : 1.25)) / 2;
    const [low, high] = addresses ?? [0, highest];
    const quarter = (high - low) / 4;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => cutAt(step - 1),
      ArrowRight: () => cutAt(step + 1),
      ArrowUp: () => zoomAddresses(Math.min(low + quarter, highest - (high - low)), Math.min(high + quarter, highest)),
      ArrowDown: () => zoomAddresses(Math.max(low - quarter, 0), Math.max(high - quarter, high - low)),
      PageUp: () => zoomAddresses(low + quarter / 2, high - quarter / 2),
      PageDown: () => zoomAddresses(low - quarter / 2, high + quarter / 2),
      '+': () => zoomSteps(step + 0.5 - half, step + 0.5 + half),
      '-': () => zoomSteps(step + 0.5 - half, step + 0.5 + half),
      '0': everything,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  return (
    <>
      <Card
        title={`Addresses of tile ${tile}`}
        aside={
          <div class="controls">
            <TileField tiles={profile.tiles} tile={tile} onChange={(v) => setParams({ tile: v })} />
            <button type="button" onClick={() => setParams({ tile: fullest, step: '' })}>
              Fullest tile
            </button>
            <button type="button" onClick={() => setParams({ step: worst })}>
              Fullest step
            </button>
            <label class="choice">
              Addresses
              <input
                type="text"
                size={13}
                placeholder={`0-${highest}`}
                value={route.params.addresses ?? ''}
                onChange={(e) => setParams({ addresses: e.currentTarget.value.trim() })}
              />
            </label>
            {(addresses || steps !== ends) && (
              <button type="button" onClick={everything}>
                Show all
              </button>
            )}
            <a href={link('memory', { tiles: tile })}>Its categories</a>
          </div>
        }
      >
        {!profile.hasAllocations ? (
          <p class="empty">
            This profile does not say where variables lie. Write it with the engine option autoReport.outputLoweredVars (autoReport.all has
            it).
          </p>
        ) : allocations.length === 0 ? (
          <p class="empty">Nothing lies on this tile.</p>
        ) : (
          <>
            <Picture
              title={`Addresses of tile ${tile} over steps`}
              height={height}
              draw={(surface, w, h, t) => drawTile(surface, profile, allocations, scales(w, h), step, t)}
              tip={(p, w, h) => {
                const hit = at(p, w, h);
                if (!hit) return null;
                if (!hit.found)
                  return (
                    <>
                      Step {hit.where}, address {integer(hit.address)}: empty
                    </>
                  );
                const a = hit.found;
                const span = intervalsOf(profile, a).find(([first, end]) => first <= hit.where && hit.where < end);
                return (
                  <>
                    <b>{a.name}</b>
                    <div>
                      {categoryLabel(a.category)}, {bytes(a.bytes)} at {integer(a.offset)}
                    </div>
                    <div>
                      {a.alwaysLive
                        ? 'in place during the whole program'
                        : `in place from step ${span?.[0] ?? '?'} to before ${span?.[1] ?? '?'}`}
                    </div>
                    {!a.alwaysLive && <div>{whyText(profile, a, hit.where)}</div>}
                    <div>
                      Step {hit.where}: {programLabel(profile.programs[hit.where])}
                    </div>
                  </>
                );
              }}
              onPick={(p, w, h) => {
                const hit = at(p, w, h);
                if (hit) setParams({ step: hit.where });
              }}
              onSpan={(a, b, w, h) => {
                const d = scales(w, h);
                // A flat box chooses steps alone, an upright one addresses alone.
                const change = { ...windowParams(d, a, b, ends, highest) };
                if (Object.keys(change).length > 0) setParams(change);
              }}
              box
              onZoom={zoom}
              onKey={key}
            />
            <Legend items={categories.map((c) => [categoryLabel(c), categoryColour(theme, c)] as const)} />
            <p class="hint">
              Click a step to cut there, or use ← →. Drag a box to see its steps and addresses closer; Ctrl and wheel, + − 0 zoom steps,
              Shift and wheel, PageUp and PageDown addresses, ↑ ↓ move through them. Allocations that share addresses over time lie side by
              side; folded bands are empty addresses; the strip at the right is the region:{' '}
              {regionsOf(profile)
                .filter((r) => r.from < highest)
                .map((r) => `${r.label} from ${integer(r.from)}`)
                .join(', ')}
              .
            </p>
          </>
        )}
      </Card>
      {allocations.length > 0 && (
        <Card title={`At step ${step}: ${programLabel(profile.programs[step])}`} aside={<ProgramLink profile={profile} id={step} />}>
          <p>
            {bytes(occupied[step] ?? NaN)} in {integer(cut.length)} allocations; the fullest step of this tile is {worst} with{' '}
            {shortBytes(occupied[worst] ?? NaN)}.
          </p>
          <Table
            label="Allocations at this step"
            rows={cut}
            columns={[
              { title: 'Address', value: (a) => a.offset },
              { title: 'Bytes', unit: 'B', value: (a) => a.bytes },
              kNameColumn,
              { title: 'Category', value: (a) => categoryLabel(a.category) },
              { title: 'Alignment', unit: 'B', value: (a) => a.alignment },
              { title: 'Why here now', value: (a) => whyText(profile, a, step) },
              {
                title: 'Steps',
                value: (a) =>
                  a.alwaysLive
                    ? 'all'
                    : intervalsOf(profile, a)
                        .map(([f, e]) => `${f}–${e - 1}`)
                        .join(', '),
                help: 'Steps in which its addresses are occupied',
              },
            ]}
          />
        </Card>
      )}
    </>
  );
}
