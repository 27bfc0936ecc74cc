// Operations: the programs of each debug context of a software layer, sums by type, and one operation in full.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { integer, middle } from '../../derived/format';
import { type Flops, flopsKnown } from '../../derived/flops';
import { operationsByPath, operationsByType } from './operationGroups';
import { collectOperations, layersOf, type Operation } from '../../derived/operations';
import { Card, Choice, FileChoice, kMaxName } from '../common';
import { type Column, Table } from '../Table';
import { OperationDetails, place } from './OperationDetails';

/** Shows a number, with "at least" if some vertices have no estimate, or else why there is no number. */
function FlopsCell({ flops }: { readonly flops: Flops }): JSX.Element {
  if (flops.vertices === 0) return <></>;
  if (!flops.recorded) return <span class="id">not recorded</span>;
  const known = flopsKnown(flops);
  if (Number.isNaN(known)) return <span class="id">no estimate</span>;
  const part = `${integer(flops.estimated)} of ${integer(flops.vertices)} vertices have an estimate, ${integer(flops.counted)} are counted`;
  return <span title={part}>{(flops.estimated + flops.counted < flops.vertices ? '≥ ' : '') + integer(known)}</span>;
}

/** Returns the estimated cycles only if all steps with work have an estimate, because a partial sum would look like the whole. */
const estimateOf = (operation: Operation): number => (operation.estimatedAll ? operation.estimated : NaN);

const kFigures: readonly Column<Operation>[] = [
  { title: 'Steps', value: (o) => o.programs.length, help: 'Programs that were made in it' },
  { title: 'Executed', value: (o) => o.executions, help: 'Steps of the recorded runs' },
  {
    title: 'Cycles',
    value: (o) => o.cycles,
    help: 'By how much these steps make the recorded runs longer, so that the steps of all operations add up; estimates of a cost model',
  },
  {
    title: 'Estimate',
    unit: 'cycles',
    value: estimateOf,
    help: 'At compile time, for one execution of each step: its slowest tile; a dash where some steps have no estimate, as those of compute sets',
  },
  { title: 'Vertices', value: (o) => o.vertices },
  {
    title: 'FLOPs',
    value: (o) => flopsKnown(o.flops),
    show: (o) => <FlopsCell flops={o.flops} />,
    help: 'Floating-point operations in one execution of each step, as the program’s estimates say',
  },
  {
    title: 'FLOPs executed',
    value: (o) => o.flopsExecuted,
    help: 'The same times the executions in the recorded runs',
  },
  { title: 'Control code', unit: 'B', value: (o) => o.controlCode, help: 'Over all tiles, without the code of other operations in it' },
  { title: 'Exchange code', unit: 'B', value: (o) => o.exchangeCode, help: 'Over all tiles' },
  {
    title: 'Memory',
    unit: 'B',
    value: (o) => o.memory,
    help: 'Allocations over all tiles that its steps occupy and that are not always live; operations share them, so rows do not add up',
  },
];

/** Columns that are hidden by default, because few screens have room for them. The fragment has its own list once the user chooses. */
const kUsuallyHidden = 'FLOPs executed';

/** A row, and its depth in the tree of names. */
interface Row {
  readonly depth: number;
  readonly row: Operation;
}

/** Returns a column that shows the same figure of a row's operation. */
const ofRow = ({ title, unit, help, value, show }: Column<Operation>): Column<Row> => ({
  title,
  ...(unit === undefined ? {} : { unit }),
  ...(help === undefined ? {} : { help }),
  value: (r) => value(r.row),
  ...(show ? { show: (r: Row) => show(r.row) } : {}),
});

const kByPath = '/'; // no layer has this name

const kBeside: ReadonlySet<string> = new Set(['Executed', 'Cycles', 'Memory']);

/** The menu that selects the shown figures. */
function ColumnMenu({ hidden }: { readonly hidden: ReadonlySet<string> }): JSX.Element {
  const toggle = (title: string) => {
    const next = new Set(hidden);
    if (!next.delete(title)) next.add(title);
    setParams({ hide: next.size === 0 ? ',' : [...next].join(',') }); // a comma alone hides nothing; an empty list would mean the default
  };
  return (
    <details class="menu">
      <summary>Columns</summary>
      <div>
        {kFigures.map((c) => (
          <label key={c.title}>
            <input type="checkbox" checked={!hidden.has(c.title)} onChange={() => toggle(c.title)} /> {c.title}
          </label>
        ))}
      </div>
    </details>
  );
}

export function Operations(props: {
  readonly profile: Profile;
  readonly route: Route;
  readonly onFiles: (files: readonly File[]) => void;
}): JSX.Element {
  const { profile, route } = props;
  const { debug } = profile;
  const layers = useMemo(() => (debug ? layersOf(debug) : []), [debug]);
  const byPath = route.params.layer === kByPath;
  const layer = layers.find(([name]) => name === route.params.layer)?.[0] ?? '';
  const operations = useMemo(() => collectOperations(profile, layer), [profile, debug, layer]);
  const types = useMemo(() => operationsByType(profile, operations), [profile, operations]);
  const rows = useMemo(
    (): readonly Row[] =>
      byPath
        ? operationsByPath(profile, operations)
        : operations.map((row) => ({ depth: 0, row })).sort((a, b) => (b.row.cycles || 0) - (a.row.cycles || 0)),
    [profile, operations, byPath],
  );
  if (!debug)
    return (
      <Card title="Operations">
        <p class="empty">
          What this program’s operations are called stands in debug.cbor, which is written beside the profile with the engine option
          autoReport.outputDebugInfo (autoReport.all has it). <code>popscope html</code> takes it along from there. Or choose it here, or
          drop it on the page:
        </p>
        <FileChoice label="Choose debug.cbor" accept=".cbor" onFiles={props.onFiles} />
      </Card>
    );
  const hidden = new Set((route.params.hide ?? kUsuallyHidden).split(',').filter(Boolean));
  const known = (c: Column<Operation>) => operations.some((o) => !Number.isNaN(c.value(o)));
  const figures = kFigures.filter((c) => !hidden.has(c.title) && known(c));
  const chosen = rows.find(({ row }) => row.context && String(row.context.id) === route.params.context);
  const madeAt: Column<Operation> = {
    title: 'Made at',
    value: (o) => place(o.context),
    show: (o) => <span title={place(o.context)}>{place(o.context).replace(/^.*[/\\]/, '')}</span>,
  };
  const list = (
    <Card
      title="Operations"
      aside={
        <div class="controls">
          <Choice
            label="Layer"
            value={byPath ? kByPath : layer}
            options={[
              ['', 'all, each by itself'],
              [kByPath, 'all, by the path of names'],
              ...layers.map(([name, count]) => [name, `${name || 'no name'} (${integer(count)})`] as const),
            ]}
            onChange={(v) => setParams({ layer: v, context: '' })}
          />
          {!chosen && <ColumnMenu hidden={hidden} />}
        </div>
      }
    >
      <p class="hint">
        {byPath
          ? 'Names are taken apart at each “/”: a part has the steps of all parts inside of it, so its parts add up to no more than it.'
          : layer === ''
            ? 'Each context with the steps that were made in it and in none inside of it.'
            : `Each context of the layer “${layer}” with the steps that were made in it or in a context inside of it.`}
      </p>
      <Table
        label="Operations"
        rows={rows}
        height={520}
        empty="The file names no contexts."
        selected={(r) => r === chosen}
        onPick={({ row }) => row.context && setParams({ context: row.context.id })}
        columns={[
          {
            title: 'Operation',
            value: (r) => r.row.name,
            show: (r) => (
              <span style={{ paddingLeft: `${r.depth}rem` }}>
                {r.row.name ? <span title={r.row.name}>{middle(r.row.name, kMaxName)}</span> : <span class="id">no name</span>}
              </span>
            ),
          },
          { title: 'Type', value: (r) => r.row.type },
          // Next to the details of one operation, the table has room for the most important columns only.
          ...(chosen ? kFigures.filter((c) => kBeside.has(c.title)) : [...figures, madeAt]).map(ofRow),
        ]}
      />
    </Card>
  );
  return chosen ? (
    <div class="columns">
      {list}
      <OperationDetails profile={profile} operation={chosen.row} route={route} facts={kFigures} />
    </div>
  ) : (
    <>
      {list}
      <Card title="By type">
        <Table
          label="Operations by type"
          rows={types}
          columns={[{ title: 'Type', value: (o) => o.name }, { title: 'Operations', value: (o) => o.contexts }, ...figures]}
        />
      </Card>
    </>
  );
}
