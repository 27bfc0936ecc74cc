// The tiles of a run, sorted by the time that other tiles wait for each tile. A click shows a tile in the chart.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { setParams } from '../../app/route';
import type { Profile, Run } from '../../data/profile';
import { integer } from '../../derived/format';
import { doingAt } from './lanes';
import { closeJob, type PoolJob } from '../../derived/pool';
import { placesOf } from '../../draw/bsp';
import { Card } from '../common';
import { Table } from '../Table';
import { useJob } from '../useJob';
import { Sentence } from './DoingTip';

const kAround = 16; // neighbours shown with the chosen tile

export function TilesOfRun(props: { readonly job: PoolJob; readonly run: Run; readonly order: Int32Array }): JSX.Element | null {
  const { job, run, order } = props;
  const figures = job.tilesOfRun;
  const rows = useMemo(
    () =>
      figures &&
      Array.from(job.pooled.tiles, (tile) => ({
        tile,
        caused: figures.caused[tile] ?? NaN,
        end: figures.end[tile] ?? NaN,
        busy: figures.busy[tile] ?? NaN,
      })).sort((a, b) => b.caused - a.caused || a.tile - b.tile),
    [job, figures],
  );
  if (!job.done) return null;
  const show = (tile: number) => {
    const first = Math.max(0, Math.min(order.length - kAround, (placesOf(order).get(tile) ?? 0) - kAround / 2));
    setParams({ rows: `${first}-${Math.min(order.length, first + kAround) - 1}`, lane: tile, cycle: '' }, 'each');
  };
  return (
    <Card title="Tiles of the run">
      {rows ? (
        <Table
          label="Tiles of the run"
          rows={rows}
          height={260}
          onPick={(r) => show(r.tile)}
          columns={[
            { title: 'Tile', value: (r) => r.tile, show: (r) => String(r.tile) },
            {
              title: 'Waiting caused',
              unit: 'tile cycles',
              value: (r) => r.caused,
              help: 'Cycles for which other tiles waited at barriers and exchanges at which this tile arrived last, and at the end of the run',
            },
            { title: 'Last work ends', unit: 'cycle', value: (r) => r.end },
            { title: 'Work', unit: 'cycles', value: (r) => r.busy },
          ]}
        />
      ) : (
        <p class="empty">
          Not known: {run.complete ? 'the file lacks times that determine the clocks of the tiles' : 'the run was cut short'}.
        </p>
      )}
    </Card>
  );
}

/** The activity of the clicked tile at the clicked cycle. */
export function ClickedTile(props: {
  readonly profile: Profile;
  readonly run: Run;
  readonly base: PoolJob;
  readonly tile: number;
  readonly cycle: number;
}): JSX.Element | null {
  const { profile, run, base, tile, cycle } = props;
  const job = closeJob(profile, run, `tile ${tile}`, Int32Array.of(tile));
  useJob(job);
  if (!job.done) return null;
  const ipu = Math.floor(tile / (profile.tiles / profile.ipus));
  return (
    <p class="clicked">
      <b>Tile {tile}</b> at cycle {integer(cycle)}{' '}
      <Sentence
        profile={profile}
        run={run}
        base={base.pooled}
        tile={tile}
        cycle={cycle}
        doing={doingAt(profile, run, job.pooled, 0, ipu, cycle)}
      />
      .
    </p>
  );
}
