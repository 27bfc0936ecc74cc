// The activity of a tile at a cycle in words, for the tip at the pointer and for the card of the clicked point.
import type { JSX } from 'preact';
import type { Profile, Run } from '../../data/profile';
import { integer } from '../../derived/format';
import { type Doing, doingAt } from './lanes';
import { activityOf, kActivityLabels, programLabel } from '../../derived/names';
import { type PoolJob, type PooledRun, rowOf } from '../../derived/pool';
import type { TilesInSight } from '../../draw/bsp';

const stepName = (profile: Profile, step: number): string => {
  const program = profile.programs[profile.steps.program[step] ?? -1];
  return `${programLabel(program)} (${program?.type ?? '?'}, executed step ${step})`;
};

/** Returns what the late tile does while others wait for it. */
function why(profile: Profile, run: Run, base: PooledRun, tile: number, cycle: number): string {
  const position = base.tiles.indexOf(tile);
  const ipu = Math.floor(tile / (profile.tiles / profile.ipus));
  const doing = position < 0 ? null : doingAt(profile, run, base, position, ipu, cycle);
  if (doing?.kind !== 'works') return '';
  const activity = activityOf(profile.programs[profile.steps.program[doing.step] ?? -1]?.type ?? '');
  return `${kActivityLabels[activity].toLowerCase()} in ${programLabel(profile.programs[profile.steps.program[doing.step] ?? -1])}`;
}

export function Sentence(props: {
  readonly profile: Profile;
  readonly run: Run;
  readonly base: PooledRun; // rows of all tiles shown
  readonly tile: number;
  readonly cycle: number;
  readonly doing: Doing | null;
}): JSX.Element {
  const { profile, run, base, tile, cycle, doing } = props;
  if (!doing) return <>has an activity that the file does not contain</>;
  if (doing.kind === 'unread') return <>has an activity that is still being read</>;
  if (doing.kind === 'ended') return <>has ended: no more work follows in this run</>;
  if (doing.kind === 'ends') {
    const cause = why(profile, run, base, doing.for, cycle);
    return (
      <>
        has no more work, and waits for tile {doing.for}
        {cause !== '' && `: ${cause}`}; this tile ends the run at cycle {integer(doing.until)}
      </>
    );
  }
  const step = stepName(profile, doing.step);
  if (doing.kind === 'works')
    return (
      <>
        works in {step}: cycles {integer(doing.from)} – {integer(doing.to)} ({integer(doing.to - doing.from)} cycles)
      </>
    );
  if (doing.kind === 'unknown')
    return (
      <>
        works in {step} or waits: tiles of its IPU work in this step, at some of the cycles {integer(doing.from)} – {integer(doing.to)}, and
        the file does not contain the times of each tile
      </>
    );
  if (doing.kind === 'syncs')
    return (
      <>
        waits in {step}: all tiles have arrived, and the barrier ends at cycle {integer(doing.until)}
      </>
    );
  if (doing.kind === 'begins')
    return (
      <>
        waits for its work in {step}, which begins at cycle {integer(doing.at)}
      </>
    );
  if (doing.for === tile) return <>came last in {step}; its signal is on the way</>;
  const cause = why(profile, run, base, doing.for, cycle);
  return (
    <>
      waits in {step} for tile {doing.for}
      {cause !== '' && `: ${cause}`}, until cycle {integer(doing.until)}
    </>
  );
}

export function DoingTip(props: {
  readonly profile: Profile;
  readonly run: Run;
  readonly sight: TilesInSight;
  readonly base: PoolJob;
  readonly position: number;
  readonly cycle: number;
}): JSX.Element {
  const { profile, run, sight, position } = props;
  const tile = sight.order[position] ?? NaN;
  const ipu = Math.floor(tile / (profile.tiles / profile.ipus));
  const row = rowOf(sight.pooled, position - sight.offset);
  const same = (at: number) => sight.pooled.tiles[at - sight.offset] !== undefined && rowOf(sight.pooled, at - sight.offset) === row;
  const alone = !same(position - 1) && !same(position + 1);
  const doing = doingAt(profile, run, sight.pooled, position - sight.offset, ipu, props.cycle);
  return (
    <>
      <b>Tile {tile}</b>
      {profile.ipus > 1 && <span class="id"> IPU {ipu}</span>}
      {!alone && <span class="id"> and its neighbours; the row shows the busiest of them</span>}
      <div>
        Cycle {integer(Math.floor(props.cycle))}:{' '}
        <Sentence profile={profile} run={run} base={props.base.pooled} tile={tile} cycle={props.cycle} doing={doing} />
      </div>
    </>
  );
}
