// Bytes over tiles as bars, as a histogram, or as a floor plan. A click, a drag or a list selects tiles.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { sumAt } from '../../draw/bars';
import { fullestTiles } from '../../derived/fullest';
import { parseRanges } from '../../derived/format';
import { type Breakdown, isOccupied, kBreakdowns, memorySeries } from '../../derived/memory';
import { tilePlaces } from '../../derived/tilePlaces';
import { currentTheme } from '../../theme';
import { Card, Choice, fillOf, Legend } from '../common';
import { TileDetails } from './TileDetails';
import { TilesOverTime } from './TilesOverTime';
import { Floor, Histogram, ipuOf, TileBars } from './MemoryPictures';

export function Memory({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const theme = currentTheme();
  const by = (kBreakdowns.find(([key]) => key === route.params.by)?.[0] ?? 'category') as Breakdown;
  const plot = (['map', 'histogram', 'time'] as const).find((p) => p === route.params.plot) ?? 'bars';
  const series = useMemo(() => memorySeries(profile, by, theme), [profile, by, theme]);
  const whole = route.params.max === 'tile';
  const what = route.params.of ?? '';
  const chosen = series.find((s) => s.label === what);
  const values = useMemo(() => {
    if (chosen) return chosen.values;
    const out = new Float64Array(profile.tiles);
    for (let t = 0; t < out.length; ++t) out[t] = sumAt(series, t);
    return out;
  }, [profile, series, chosen]);
  const selected = useMemo(() => parseRanges(route.params.tiles ?? '', profile.tiles) ?? [], [route.params.tiles, profile]);
  const fullest = useMemo(() => fullestTiles(profile.memory.total, 1), [profile]);
  const details = selected.length > 0 ? selected : fullest;
  const known = tilePlaces(profile.target);
  const places = route.params.order === 'physical' ? known : null;
  const zoomed = route.params.from !== undefined && route.params.from !== '';
  return (
    <>
      <Card
        title="Memory over tiles"
        aside={
          <div class="controls">
            <Choice
              label="Show"
              value={plot}
              options={[
                ['bars', 'bars'],
                ['map', 'floor plan'],
                ['histogram', 'histogram'],
                ['time', 'floor plan at a step'],
              ]}
              onChange={(v) => setParams({ plot: v, of: '' })}
            />
            {plot !== 'time' && (
              <Choice label="Break down" value={by} options={kBreakdowns} onChange={(v) => setParams({ by: v, of: '' })} />
            )}
            {plot !== 'bars' && plot !== 'time' && series.length > 1 && (
              <Choice
                label="of"
                value={chosen?.label ?? ''}
                options={[['', 'all'], ...series.map((s) => [s.label, s.label] as const)]}
                onChange={(v) => setParams({ of: v })}
              />
            )}
            {plot !== 'histogram' && (
              <Choice
                label="Maximum"
                value={whole ? 'tile' : 'fullest'}
                options={[
                  ['fullest', plot === 'time' ? 'the fullest tile' : 'largest shown value'],
                  ['tile', 'memory of a tile'],
                ]}
                onChange={(v) => setParams({ max: v === 'tile' ? v : '' })}
              />
            )}
            {known && plot !== 'histogram' && (
              <Choice
                label="Order"
                value={places ? 'physical' : ''}
                options={[
                  ['', 'by tile number'],
                  ['physical', 'as on the chip'],
                ]}
                onChange={(v) => setParams({ order: v })}
              />
            )}
            {profile.ipus > 1 && (
              <Choice
                label="Choose IPU"
                value={ipuOf(profile, selected)}
                options={[['', 'none'], ...Array.from({ length: profile.ipus }, (_, i) => [String(i), String(i)] as const)]}
                onChange={(v) => {
                  const perIpu = profile.tiles / profile.ipus;
                  setParams({ tiles: v === '' ? '' : `${Number(v) * perIpu}-${(Number(v) + 1) * perIpu - 1}` });
                }}
              />
            )}
            <label class="choice">
              Tiles
              <input
                type="text"
                size={10}
                placeholder="0, 5-9"
                value={route.params.tiles ?? ''}
                onChange={(e) => setParams({ tiles: e.currentTarget.value })}
              />
            </label>
            {zoomed && (
              <button type="button" onClick={() => setParams({ from: '', to: '' })}>
                Show all tiles
              </button>
            )}
          </div>
        }
      >
        {plot === 'bars' && (
          <>
            <TileBars profile={profile} series={series} route={route} selected={selected} by={by} whole={whole} places={places} />
            <Legend items={series.filter((s) => s.values.some((v) => v > 0)).map((s) => [s.label, fillOf(s)] as const)} />
            <p class="hint">
              Click a tile to see its details; click with Shift to choose several. Drag to zoom; arrow keys move, + − 0 zoom.
            </p>
          </>
        )}
        {plot === 'map' && (
          <Floor
            profile={profile}
            values={values}
            selected={selected}
            whole={whole}
            places={places}
            label={chosen?.label ?? (series.length > 1 ? (isOccupied(by) ? 'Occupied' : 'Allocations') : (series[0]?.label ?? ''))}
          />
        )}
        {plot === 'time' && <TilesOverTime profile={profile} route={route} selected={selected} places={places} />}
        {(plot === 'map' || plot === 'time') && (
          <p class="hint">
            Click a tile to see its details; click with Shift to choose several. Drag a box to choose the tiles in it; arrow keys move.
            {places && ' Four tiles form a supertile, drawn as a square; their positions in the supertile are not published.'}
          </p>
        )}
        {plot === 'histogram' && (
          <Histogram profile={profile} values={values} label={chosen?.label ?? (isOccupied(by) ? 'occupied' : 'allocations')} />
        )}
        {!isOccupied(by) && plot !== 'time' && (
          <p class="note">
            These are sums over allocations. Allocations that are never live together can share addresses, so the sum can exceed the memory
            of a tile. The occupied bytes are shown <a href={link('memory', { ...route.params, by: 'category' })}>by category</a>.
          </p>
        )}
      </Card>
      {details.length > 0 && <TileDetails profile={profile} tiles={details} fullest={selected.length === 0} />}
    </>
  );
}
