// The work of an executed step on each IPU, and the steps of a run by time.
import type { JSX } from 'preact';
import { link, type Route } from '../../app/route';
import { number, text } from '../../data/database';
import type { Profile, Run } from '../../data/profile';
import { percent } from '../../derived/format';
import { programLabel } from '../../derived/names';
import { sumOfStep } from '../../derived/selection';
import { oneForAll, partsOnIpu, type ProgramTime, slowestTile, stepTimes } from '../../derived/times';
import { Card, Path, ProgramLink } from '../common';
import { Short } from '../Short';
import { shareColumn, Table } from '../Table';
import { Workers } from './Workers';

/** Returns the position of the largest value; the first of equals. */
const latestOf = (values: Float64Array): number => values.reduce((best, v, i) => (v > (values[best] ?? 0) ? i : best), 0);

interface IpuRow {
  readonly ipu: number; // NaN: the row is that of all IPUs
  readonly tiles: number;
  readonly part: number;
  readonly slowest: number; // cycles of the slowest tile
  readonly guilty: number; // the slowest tile
  readonly busy: number;
  readonly active: number;
  readonly from: number;
  readonly to: number;
  readonly in: number;
  readonly out: number;
}

/** Returns the rows of the IPUs that take part in a step, or one row if the file has only the time of all IPUs together. */
function rowsOfStep(profile: Profile, step: number): readonly IpuRow[] {
  const { steps } = profile;
  const tiles = profile.tiles / profile.ipus;
  const all = Array.from({ length: profile.ipus }, (_, ipu) => step * steps.ipus + ipu);
  if (oneForAll(profile, step)) {
    const sum = sumOfStep(profile, step);
    const longest = Math.max(...all.map((at) => steps.cycles[at] || 0));
    const active = all.reduce((a, at) => a + (steps.activeTiles[at] || 0), 0);
    const rest = { tiles: profile.tiles, part: sum.adds, slowest: longest, guilty: NaN, busy: NaN, active };
    return [{ ipu: NaN, ...rest, from: sum.from, to: sum.to, in: sum.received, out: sum.sent }];
  }
  const byTile = profile.tileCycles(step);
  return all
    .map((at, ipu) => ({
      ipu,
      tiles,
      part: partsOnIpu(profile, ipu)[step] ?? NaN,
      slowest: byTile ? slowestTile(byTile, ipu * tiles, (ipu + 1) * tiles) : (steps.cycles[at] ?? NaN),
      guilty: byTile ? ipu * tiles + latestOf(byTile.subarray(ipu * tiles, (ipu + 1) * tiles)) : NaN,
      busy: steps.busy[at] ?? NaN,
      active: steps.activeTiles[at] ?? NaN,
      from: steps.from[at] ?? NaN,
      to: steps.to[at] ?? NaN,
      in: steps.dataIn[at] ?? NaN,
      out: steps.dataOut[at] ?? NaN,
    }))
    .filter((r) => Number.isFinite(r.active));
}

export function StepDetails({
  profile,
  step,
  route,
}: {
  readonly profile: Profile;
  readonly step: number;
  readonly route: Route;
}): JSX.Element {
  const id = profile.steps.program[step] ?? -1;
  const program = profile.programs[id];
  const rows = rowsOfStep(profile, step);
  const types = profile.db.query(
    'SELECT t.name, s.instances, s.cycles FROM step_vertex_types s JOIN vertex_types t ON t.id = s.vertex_type WHERE s.step_id = ? ORDER BY s.position',
    [step],
  );
  return (
    <Card title={programLabel(program)} aside={<ProgramLink profile={profile} id={id} />}>
      <p>
        Executed step {step}, of kind {program?.type}. <Path profile={profile} id={id} />
      </p>
      <Table
        label="The step on each IPU"
        rows={rows}
        columns={[
          { title: 'IPU', value: (r) => r.ipu, show: (r) => (Number.isNaN(r.ipu) ? 'all' : r.ipu) },
          { title: 'From', unit: 'cycle', value: (r) => r.from },
          { title: 'To', unit: 'cycle', value: (r) => r.to },
          {
            title: 'Adds',
            unit: 'cycles',
            value: (r) => r.part,
            help: 'Cycles that the step adds to the run of this IPU; time that overlaps earlier steps adds nothing',
          },
          { title: 'Slowest tile', unit: 'cycles', value: (r) => r.slowest, help: 'Work of the slowest tile in this step' },
          {
            title: 'which is',
            value: (r) => r.guilty,
            show: (r) => (Number.isFinite(r.guilty) ? <a href={link('tile', { tile: r.guilty })}>{r.guilty}</a> : '–'),
            help: 'The slowest tile, for which the other tiles wait at the next barrier or exchange',
          },
          { title: 'Active tiles', value: (r) => r.active },
          {
            title: 'Tile balance',
            value: (r) => (100 * r.busy) / (r.slowest * r.tiles),
            show: (r) => percent(r.busy, r.slowest * r.tiles),
            help: 'Mean work of all tiles of the IPU, divided by the work of the slowest tile',
          },
          {
            title: 'Active tile balance',
            value: (r) => (100 * r.busy) / (r.slowest * r.active),
            show: (r) => percent(r.busy, r.slowest * r.active),
          },
          { title: 'Received', unit: 'B', value: (r) => r.in },
          { title: 'Sent', unit: 'B', value: (r) => r.out },
        ]}
      />
      {types.length > 0 && (
        <Table
          label="Vertex types of the step"
          rows={types}
          columns={[
            { title: 'Vertex type', value: (r) => text(r.name) },
            { title: 'Vertices', value: (r) => number(r.instances) },
            { title: 'Thread cycles', value: (r) => number(r.cycles) },
          ]}
        />
      )}
      <Workers profile={profile} step={step} route={route} />
    </Card>
  );
}

export function SlowSteps({ profile, run }: { readonly profile: Profile; readonly run: Run }): JSX.Element {
  const rows = stepTimes(profile, run);
  const total = profile.runTotals.find((t) => t.run === run.id)?.total ?? NaN;
  return (
    <Card title="Steps of this run by time">
      <Table
        label="Steps by time"
        rows={rows}
        columns={[
          {
            title: 'Step',
            step: (r) => [r.program, programLabel(profile.programs[r.program])] as const,
            value: (r) => programLabel(profile.programs[r.program]),
            show: (r) => (
              <a href={link('execution', { run: run.id, step: r.program })}>
                {r.program} <Short name={programLabel(profile.programs[r.program])} beside={50} />
              </a>
            ),
          },
          { title: 'Kind', value: (r) => profile.programs[r.program]?.type ?? '' },
          { title: 'Executions', value: (r) => r.executions },
          {
            title: 'Time',
            unit: 'cycles',
            value: (r) => r.cycles,
            help: 'Cycles that its executions add to the run; time that overlaps earlier steps adds nothing, so all steps add up to the length of the run',
          },
          { title: 'Longest', unit: 'cycles', value: (r) => r.most },
          shareColumn<ProgramTime>(
            (r) => r.cycles,
            () => total,
          ),
        ]}
      />
    </Card>
  );
}
