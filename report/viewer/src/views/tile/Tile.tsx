// One tile's addresses over the steps of the program: every allocation is a rectangle, with steps on the horizontal and addresses on the
// vertical axis.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, numberParam, type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { drawTile, intervalsOf, regionsOf, tileScales } from '../../draw/tile';
import { clip, parseWindow, stretches } from '../../derived/addresses';
import { bytes, integer } from '../../derived/format';
import { occupiedAt, occupiedBytes } from '../../derived/liveness';
import { categoryColour } from '../../derived/memory';
import { categoryLabel, programLabel } from '../../derived/names';
import { currentTheme } from '../../theme';
import { Card, Legend, TileField } from '../common';
import { Picture, type Point } from '../Picture';
import { AtStep, whyText } from './AtStep';
import { keyInTile, showAll, type TileWindow, windowParams, zoomAt } from './window';

function fullestStep(occupied: Float64Array): number {
  let best = 0;
  for (let i = 1; i < occupied.length; ++i) if ((occupied[i] ?? 0) > (occupied[best] ?? 0)) best = i;
  return best;
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
  const window: TileWindow = { steps, ends, addresses, highest };

  const at = (p: Point, w: number, h: number) => {
    const d = scales(w, h);
    const where = Math.floor(d.x.value(p.x));
    const address = d.y.address(p.y);
    if (where < steps[0] || where >= steps[1] || p.y > d.box.y + d.box.height) return null;
    const found = allocations.find((a) => a.offset <= address && address < a.offset + a.bytes && occupiedAt(profile, a, where));
    return { where, address, found };
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
              <button type="button" onClick={showAll}>
                Show all
              </button>
            )}
            <a href={link('memory', { tiles: tile })}>Its categories</a>
          </div>
        }
      >
        {!profile.hasAllocations ? (
          <p class="empty">
            This profile has no addresses of variables. The engine option autoReport.outputLoweredVars records them (autoReport.all includes
            this option).
          </p>
        ) : allocations.length === 0 ? (
          <p class="empty">No allocations on this tile.</p>
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
                        : `in place from step ${span?.[0] ?? '?'} until before step ${span?.[1] ?? '?'}`}
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
                // A flat box selects only steps, and a tall box only addresses.
                const change = { ...windowParams(d, a, b, ends, highest) };
                if (Object.keys(change).length > 0) setParams(change);
              }}
              box
              onZoom={(p, factors, w, h) => zoomAt(window, scales(w, h), p, factors)}
              onKey={(event) => keyInTile(window, event, step, profile.programs.length)}
            />
            <Legend items={categories.map((c) => [categoryLabel(c), categoryColour(theme, c)] as const)} />
            <p class="hint">
              Click a step, or press ← →, to list its allocations below. Drag a box to zoom into its steps and addresses. Ctrl and wheel, or
              + − 0, zoom the steps; Shift and wheel, or PageUp and PageDown, zoom the addresses; ↑ ↓ move through the addresses.
              Allocations that share addresses over time are side by side. Folded bands are empty addresses. The strip at the right shows
              the region:{' '}
              {regionsOf(profile)
                .filter((r) => r.from < highest)
                .map((r) => `${r.label} from ${integer(r.from)}`)
                .join(', ')}
              .
            </p>
          </>
        )}
      </Card>
      {allocations.length > 0 && <AtStep profile={profile} step={step} cut={cut} occupied={occupied} worst={worst} />}
    </>
  );
}
