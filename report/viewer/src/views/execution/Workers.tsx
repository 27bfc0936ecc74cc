// The work of each worker thread of one tile in a compute set, and the sum over the threads.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { numberParam, type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { workerSlots } from '../../data/extras';
import { drawSlots, kSlotHeight, slotLength } from '../../draw/slots';
import { integer, percent } from '../../derived/format';
import { TileField } from '../common';
import { Picture } from '../Picture';
import { Table } from '../Table';
import { barsOf, lengthOnTile, workerRows } from './workerRows';

export function Workers({
  profile,
  step,
  route,
}: {
  readonly profile: Profile;
  readonly step: number;
  readonly route: Route;
}): JSX.Element | null {
  const slots = useMemo(() => workerSlots(profile, step), [profile, step]);
  const slowest = useMemo(() => {
    if (!slots) return 0;
    let [best, most] = [0, -1];
    for (let tile = 0; tile < profile.tiles; ++tile) {
      const length = slotLength(barsOf(slots, tile));
      if (length > most) [best, most] = [tile, length];
    }
    return best;
  }, [slots, profile]);
  if (!slots) return null;
  const tile = Math.round(numberParam(route, 'worker', slowest, 0, profile.tiles - 1));
  const bars = barsOf(slots, tile);
  const whole = slotLength(bars);
  return (
    <>
      <h3>Worker threads</h3>
      <p class="controls">
        <TileField tiles={profile.tiles} tile={tile} onChange={(v) => setParams({ worker: v })} />
        <button type="button" onClick={() => setParams({ worker: '' })}>
          Slowest tile
        </button>
        <span class="hint">{lengthOnTile(bars, tile)} Pale: idle.</span>
      </p>
      <Picture
        title={`Worker threads of tile ${tile} in step ${step}`}
        height={(bars.threads.length + (bars.supervisor > 0 ? 1 : 0)) * kSlotHeight + 44}
        draw={(surface, w, h, theme) => drawSlots(surface, bars, w, h, theme)}
        tip={(p) => {
          const slot = Math.floor((p.y - 4) / kSlotHeight);
          const cycles = bars.threads[slot];
          if (slot === bars.threads.length && bars.supervisor > 0)
            return (
              <>
                <b>Supervisor vertices and MultiVertices</b>
                <div>{integer(bars.supervisor)} cycles, which count as work of all workers</div>
              </>
            );
          return cycles === undefined ? null : (
            <>
              <b>Worker {slot}</b>
              <div>
                {integer(cycles)} thread cycles, busy for {percent(cycles * bars.threads.length, whole - bars.supervisor)} of the workers’
                time
              </div>
            </>
          );
        }}
      />
      <Table
        label="Worker threads"
        rows={workerRows(slots, tile)}
        columns={[
          { title: 'Worker', value: (r) => r.worker },
          { title: `On tile ${tile}`, unit: 'thread cycles', value: (r) => r.here },
          { title: 'On all tiles', unit: 'thread cycles', value: (r) => r.sum },
          { title: 'Most on a tile', unit: 'thread cycles', value: (r) => r.most },
          { title: 'Tiles', value: (r) => r.tiles, help: 'Number of tiles on which this worker, or such a vertex, has work' },
        ]}
      />
    </>
  );
}
