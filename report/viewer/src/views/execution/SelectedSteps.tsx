// Several selected executed steps: their sums, sums by IPU and by kind, and each step.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import type { Run } from '../../data/types';
import { counted, integer, ranges, stepsOutside } from '../../derived/format';
import { kActivityLabels, programLabel } from '../../derived/names';
import { type StepSum, sumOfStep, sumOfSteps, vertexTypesOf } from '../../derived/selection';
import { Card, ProgramLink, stepCells } from '../common';
import { type Column, shareColumn, Table } from '../Table';

interface Row extends StepSum {
  readonly label: string;
}

/** Returns the columns that all sums share. */
function figures<R>(of: (row: R) => StepSum): Column<R>[] {
  return [
    { title: 'From', unit: 'cycle', value: (r) => of(r).from, help: 'Cycle at which the first tile enters' },
    { title: 'To', unit: 'cycle', value: (r) => of(r).to, help: 'Cycle at which the last tile leaves' },
    {
      title: 'Adds',
      unit: 'cycles',
      value: (r) => of(r).adds,
      help: 'Cycles that the steps add to the run; time that overlaps earlier steps adds nothing, so all steps add up to the length of the run',
    },
    { title: 'Busy', unit: 'tile cycles', value: (r) => of(r).busy, help: 'Over all tiles' },
    {
      title: 'Waiting',
      unit: 'tile cycles',
      value: (r) => of(r).waiting,
      help: 'Tile cycles without work during these cycles; negative if the steps overlap earlier steps',
    },
    shareColumn(
      (r) => of(r).busy,
      (r) => of(r).busy + Math.max(0, of(r).waiting),
      'Tiles busy',
      'Share of busy tile cycles in all tile cycles that the steps add',
    ),
    { title: 'Received', unit: 'B', value: (r) => of(r).received },
    { title: 'Sent', unit: 'B', value: (r) => of(r).sent },
  ];
}
const kSums: readonly Column<Row>[] = [
  { title: 'Of', value: (r) => r.label },
  { title: 'Steps', value: (r) => r.steps },
  ...figures<Row>((r) => r),
];

/** Lists the steps of the fragment that the run lacks and that are therefore not shown. */
export function StepsLeftOut(props: {
  readonly profile: Profile;
  readonly run: Run;
  readonly at: string;
  readonly program: number;
}): JSX.Element {
  const { profile, run, at, program } = props;
  const outside = stepsOutside(at, run.firstStep, run.endStep);
  const has = `Run ${run.id} has the executed steps ${ranges([run.firstStep])} to ${ranges([run.endStep - 1])}`;
  const one = outside?.reduce((count, [from, end]) => count + end - from, 0) === 1;
  let text = '';
  if (outside === null) text = `“${at}” is not a list of executed steps, such as 2-9,40: nothing is selected.`;
  else if (outside.length > 0) {
    const named = outside.slice(0, 8).map(([from, end]) => (end - from === 1 ? `${from}` : `${from}–${end - 1}`));
    text = one
      ? `${has}. The selected step ${named.join()} is not in this run and is left out.`
      : `${has}. The selected steps ${named.join(', ')}${outside.length > named.length ? ' and others' : ''} are not in this run and are left out.`;
  } else if (at === '' && program >= 0 && !runHasProgram(profile, run, program))
    text = `${programLabel(profile.programs[program])} (step ${program} of the program) was not executed in run ${run.id}: nothing is selected.`;
  if (text === '') return <></>;
  const others = profile.runs.filter((r) => r.id !== run.id && outside?.some(([from, end]) => from < r.endStep && end > r.firstStep));
  return (
    <p class="error" role="status">
      {text}{' '}
      {others.slice(0, 5).map((r) => (
        <a key={r.id} href={link('execution', { run: r.id, at })}>
          Run {r.id} has {one ? 'it' : 'some of them'}.{' '}
        </a>
      ))}
    </p>
  );
}

function runHasProgram(profile: Profile, run: Run, program: number): boolean {
  for (let s = run.firstStep; s < run.endStep; ++s) if (profile.steps.program[s] === program) return true;
  return false;
}

export function SelectedSteps({ profile, selected }: { readonly profile: Profile; readonly selected: readonly number[] }): JSX.Element {
  const sum = useMemo(() => sumOfSteps(profile, selected), [profile, selected]);
  const rows = useMemo(
    (): Row[] => [
      { label: 'all selected', ...sum.all },
      ...(profile.ipus > 1 ? sum.byIpu.map((s, ipu) => ({ label: `IPU ${ipu}`, ...s })).filter((s) => s.steps > 0) : []),
      ...[...sum.byActivity].map(([activity, s]) => ({ label: kActivityLabels[activity], ...s })),
    ],
    [profile, sum],
  );
  const program = (step: number) => profile.steps.program[step] ?? -1;
  const types = useMemo(() => vertexTypesOf(profile, selected), [profile, selected]);
  return (
    <Card
      title={counted(selected.length, 'selected step')}
      aside={
        <button type="button" onClick={() => setParams({ at: '', step: '' })}>
          Select none
        </button>
      }
    >
      <p>
        Executed steps {ranges(selected)}: {integer(sum.all.adds)} cycles added to the run
        {Number.isFinite(sum.threadCycles) && `, ${integer(sum.threadCycles)} thread cycles`}.
      </p>
      <Table label="Sums of the selected steps" rows={rows} columns={kSums} />
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
      <h3>Each step</h3>
      <Table
        label="Selected steps"
        rows={selected}
        height={320}
        columns={[
          { title: 'Executed step', value: (s) => s },
          {
            title: 'Step',
            step: (s) => stepCells(profile, program(s)),
            value: (s) => programLabel(profile.programs[program(s)]),
            show: (s) => <ProgramLink profile={profile} id={program(s)} />,
          },
          { title: 'Kind', value: (s) => profile.programs[program(s)]?.type ?? '' },
          ...figures<number>((s) => sumOfStep(profile, s)),
        ]}
      />
    </Card>
  );
}
