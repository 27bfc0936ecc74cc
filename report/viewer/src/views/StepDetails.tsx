// What an executed step did on each IPU, and the steps of a run by time.
import type { JSX } from 'preact';
import { link, type Route } from '../app/route';
import { number, text } from '../data/database';
import type { Profile, Run } from '../data/profile';
import { percent } from '../derived/format';
import { programLabel } from '../derived/names';
import { stepTimes } from '../derived/stepTimes';
import { Card, Path, ProgramLink } from './common';
import { Table } from './Table';
import { Workers } from './Workers';

export function StepDetails({
  profile,
  step,
  route,
}: {
  readonly profile: Profile;
  readonly step: number;
  readonly route: Route;
}): JSX.Element {
  const { steps } = profile;
  const id = steps.program[step] ?? -1;
  const program = profile.programs[id];
  const perIpu = profile.tiles / profile.ipus;
  const rows = Array.from({ length: profile.ipus }, (_, ipu) => {
    const at = step * steps.ipus + ipu;
    return {
      ipu,
      cycles: steps.cycles[at] ?? NaN,
      busy: steps.busy[at] ?? NaN,
      active: steps.activeTiles[at] ?? NaN,
      from: steps.from[at] ?? NaN,
      to: steps.to[at] ?? NaN,
      in: steps.dataIn[at] ?? NaN,
      out: steps.dataOut[at] ?? NaN,
    };
  }).filter((r) => Number.isFinite(r.active));
  const types = profile.db.query(
    'SELECT t.name, s.instances, s.cycles FROM step_vertex_types s JOIN vertex_types t ON t.id = s.vertex_type WHERE s.step_id = ? ORDER BY s.position',
    [step],
  );
  return (
    <Card title={programLabel(program)} aside={<ProgramLink profile={profile} id={id} />}>
      <p>
        Executed step {step}, a {program?.type}. <Path profile={profile} id={id} />
      </p>
      <Table
        label="The step on each IPU"
        rows={rows}
        columns={[
          { title: 'IPU', value: (r) => r.ipu },
          { title: 'From', unit: 'cycle', value: (r) => r.from },
          { title: 'To', unit: 'cycle', value: (r) => r.to },
          { title: 'Work', unit: 'cycles', value: (r) => r.cycles, help: 'Of the slowest tile' },
          { title: 'Active tiles', value: (r) => r.active },
          {
            title: 'Tile balance',
            value: (r) => r.busy / (r.cycles * perIpu),
            show: (r) => percent(r.busy, r.cycles * perIpu),
            help: 'Mean work over all tiles of the IPU / work of the slowest',
          },
          { title: 'Active tile balance', value: (r) => r.busy / (r.cycles * r.active), show: (r) => percent(r.busy, r.cycles * r.active) },
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
  const sum = rows.reduce((total, r) => total + r.cycles, 0);
  return (
    <Card title="Steps of this run by time">
      <Table
        label="Steps by time"
        rows={rows}
        columns={[
          {
            title: 'Step',
            value: (r) => programLabel(profile.programs[r.program]),
            show: (r) => <a href={link('execution', { run: run.id, step: r.program })}>{programLabel(profile.programs[r.program])}</a>,
          },
          { title: 'Kind', value: (r) => profile.programs[r.program]?.type ?? '' },
          { title: 'Executions', value: (r) => r.executions },
          {
            title: 'Time',
            unit: 'cycles',
            value: (r) => r.cycles,
            help: 'From the first tile that enters to the last that leaves; steps can overlap',
          },
          { title: 'Longest', unit: 'cycles', value: (r) => r.most },
          { title: 'Share', value: (r) => r.cycles, show: (r) => percent(r.cycles, sum) },
        ]}
      />
    </Card>
  );
}
