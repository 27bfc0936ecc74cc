// One tile's addresses over the steps of the program: every allocation a rectangle, time across, address up.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, numberParam, type Route, setParams } from '../app/route';
import type { Profile } from '../data/profile';
import { drawTile, intervalsOf, tileScales } from '../draw/tile';
import { stretches } from '../derived/addresses';
import { bytes, integer, shortBytes } from '../derived/format';
import { occupiedAt, occupiedBytes } from '../derived/liveness';
import { categoryLabel, programLabel } from '../derived/names';
import { currentTheme } from '../theme';
import { Card, Legend, ProgramLink, TileField } from './common';
import { Picture, type Point } from './Picture';
import { Table } from './Table';

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
  const colours = new Map(categories.map((c, i) => [c, theme.series[i % theme.series.length] ?? theme.faint]));
  const cut = useMemo(() => allocations.filter((a) => occupiedAt(profile, a, step)), [allocations, profile, step]);
  const height = 520;

  const at = (p: Point, w: number, h: number) => {
    const d = tileScales(profile, parts, w, h);
    const where = Math.floor(d.x.value(p.x));
    const address = d.y.address(p.y);
    if (where < 0 || where >= profile.programs.length || p.y > d.box.y + d.box.height) return null;
    const found = allocations.find((a) => a.offset <= address && address < a.offset + a.bytes && occupiedAt(profile, a, where));
    return { where, address, found };
  };
  const key = (event: KeyboardEvent) => {
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (move === 0) return;
    event.preventDefault();
    setParams({ step: Math.min(profile.programs.length - 1, Math.max(0, step + move)) });
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
              draw={(surface, w, h, t) => drawTile(surface, profile, allocations, tileScales(profile, parts, w, h), colours, step, t)}
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
              onKey={key}
            />
            <Legend items={categories.map((c) => [categoryLabel(c), colours.get(c) ?? theme.faint] as const)} />
            <p class="hint">
              Click a step to cut there, or use the arrow keys. Allocations that share addresses over time lie side by side; folded bands
              are empty addresses.
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
              {
                title: 'Name',
                value: (a) => a.name,
                show: (a) =>
                  a.name === '' ? (
                    <span class="id">no name</span>
                  ) : a.variable === null ? (
                    a.name
                  ) : (
                    <a href={link('liveness', { variable: a.variable })}>{a.name}</a>
                  ),
              },
              { title: 'Category', value: (a) => categoryLabel(a.category) },
              { title: 'Alignment', unit: 'B', value: (a) => a.alignment },
              {
                title: 'Why here now',
                value: (a) =>
                  a.alwaysLive
                    ? 'always live'
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
