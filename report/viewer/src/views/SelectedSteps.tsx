// Several executed steps that are selected together: their sums, by IPU and by kind, and each of them.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { setParams } from '../app/route';
import type { Profile } from '../data/profile';
import { integer, percent, ranges } from '../derived/format';
import { kActivityLabels, programLabel } from '../derived/names';
import { type StepSum, sumOfStep, sumOfSteps, vertexTypesOf } from '../derived/selection';
import { Card, ProgramLink } from './common';
import { type Column, Table } from './Table';

interface Row extends StepSum {
  readonly label: string;
}

/** What sums of any kind have in common. */
function figures<R extends StepSum>(): Column<R>[] {
  return [
    { title: 'From', unit: 'cycle', value: (r) => r.from, help: 'The first tile enters' },
    { title: 'To', unit: 'cycle', value: (r) => r.to, help: 'The last tile leaves' },
    { title: 'Work', unit: 'cycles', value: (r) => r.work, help: 'Of the slowest tile of each step, added up' },
    { title: 'Busy', unit: 'tile cycles', value: (r) => r.busy, help: 'Over all tiles' },
    {
      title: 'Tile balance',
      value: (r) => r.busy / r.could,
      show: (r) => percent(r.busy, r.could),
      help: 'Busy tile cycles / what they would be if all tiles of the IPU worked as long as the slowest',
    },
    { title: 'Received', unit: 'B', value: (r) => r.received },
    { title: 'Sent', unit: 'B', value: (r) => r.sent },
  ];
}
const kSums: readonly Column<Row>[] = [
  { title: 'Of', value: (r) => r.label },
  { title: 'Steps', value: (r) => r.steps },
  ...figures<Row>(),
];

export function SelectedSteps({ profile, selected }: { readonly profile: Profile; readonly selected: readonly number[] }): JSX.Element {
  const sums = useMemo((): { rows: Row[]; threads: number } => {
    const sum = sumOfSteps(profile, selected);
    const rows = [
      { label: 'all selected', ...sum.all },
      ...(profile.ipus > 1 ? sum.byIpu.map((s, ipu) => ({ label: `IPU ${ipu}`, ...s })).filter((s) => s.steps > 0) : []),
      ...[...sum.byActivity].map(([activity, s]) => ({ label: kActivityLabels[activity], ...s })),
    ];
    return { rows, threads: sum.threadCycles };
  }, [profile, selected]);
  const steps = useMemo(
    () => selected.map((step) => ({ ...sumOfStep(profile, step), step, program: profile.steps.program[step] ?? -1 })),
    [profile, selected],
  );
  const types = useMemo(() => vertexTypesOf(profile, selected), [profile, selected]);
  const all = sums.rows[0];
  return (
    <Card
      title={`${integer(selected.length)} selected steps`}
      aside={
        <button type="button" onClick={() => setParams({ at: '', step: '' })}>
          Select none
        </button>
      }
    >
      <p>
        Executed steps {ranges(selected)}: {integer(all?.work ?? NaN)} cycles of the slowest tiles
        {Number.isFinite(sums.threads) && `, ${integer(sums.threads)} thread cycles`}.
      </p>
      <Table label="Sums of the selected steps" rows={sums.rows} columns={kSums} />
      {types.length > 0 && (
        <>
          <h3>Their vertices</h3>
          <Table
            label="Vertex types of the selected steps"
            rows={types}
            height={260}
            columns={[
              { title: 'Vertex type', value: (r) => r.type },
              { title: 'Vertices', value: (r) => r.vertices },
              { title: 'Thread cycles', value: (r) => r.cycles },
            ]}
          />
        </>
      )}
      <h3>Each of them</h3>
      <Table
        label="Selected steps"
        rows={steps}
        height={320}
        columns={[
          { title: 'Executed step', value: (r) => r.step },
          {
            title: 'Step',
            value: (r) => programLabel(profile.programs[r.program]),
            show: (r) => <ProgramLink profile={profile} id={r.program} />,
          },
          { title: 'Kind', value: (r) => profile.programs[r.program]?.type ?? '' },
          ...figures<(typeof steps)[number]>(),
        ]}
      />
    </Card>
  );
}
