// Operations: the programs of each debug context of a software layer, sums by type, and one operation in full.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { counted, integer } from '../../derived/format';
import { type Flops, flopsKnown } from '../../derived/flops';
import { operationsByPath, operationsByType } from './operationGroups';
import { collectOperations, layersOf, type Operation } from '../../derived/operations';
import { largestFirst } from '../../derived/order';
import { Card, Choice, FileChoice } from '../common';
import { Short } from '../Short';
import { type Column, Table } from '../Table';
import { OperationDetails, place } from './OperationDetails';

/** Shows a number, with "≥" if the operations of some vertices are unknown. Without a number, shows the reason. */
function FlopsCell({ flops }: { readonly flops: Flops }): JSX.Element {
  if (flops.vertices === 0) return <></>;
  if (!flops.recorded) return <span class="id">not recorded</span>;
  const known = flopsKnown(flops);
  if (Number.isNaN(known)) return <span class="id">no estimate</span>;
  const part = `${integer(flops.estimated)} of ${counted(flops.vertices, 'vertex', 'vertices')} ${flops.estimated === 1 ? 'has' : 'have'} an estimate; those of ${counted(flops.counted, 'other')} were counted`;
  return <span title={part}>{(flops.estimated + flops.counted < flops.vertices ? '≥ ' : '') + integer(known)}</span>;
}

/** Returns the estimated cycles only if all steps with work have an estimate, because a partial sum would look like the whole. */
const estimateOf = (operation: Operation): number => (operation.estimatedAll ? operation.estimated : NaN);

const kFigures: readonly Column<Operation>[] = [
  { title: 'Steps', value: (o) => o.programs.length, help: 'Programs that were created in it' },
  { title: 'Executed', value: (o) => o.executions, help: 'Executions of its steps in the recorded runs' },
  {
    title: 'Cycles',
    value: (o) => o.cycles,
    help: 'Cycles that these steps add to the recorded runs, so the steps of all operations add up; estimates of a cost model',
  },
  {
    title: 'Estimate',
    unit: 'cycles',
    value: estimateOf,
    help: 'Estimate at compile time for one execution of each step, on its slowest tile; a dash if some steps have no estimate, such as those of compute sets',
  },
  { title: 'Vertices', value: (o) => o.vertices },
  {
    title: 'FLOPs',
    value: (o) => flopsKnown(o.flops),
    show: (o) => <FlopsCell flops={o.flops} />,
    help: 'Floating-point operations in one execution of each step: estimates of the program, or else counted',
  },
  {
    title: 'FLOPs executed',
    value: (o) => o.flopsExecuted,
    help: 'Floating-point operations in all executions of the recorded runs',
  },
  { title: 'Control code', unit: 'B', value: (o) => o.controlCode, help: 'Over all tiles, without the code of other operations inside it' },
  { title: 'Exchange code', unit: 'B', value: (o) => o.exchangeCode, help: 'Over all tiles' },
  {
    title: 'Memory',
    unit: 'B',
    value: (o) => o.memory,
    help: 'Allocations, over all tiles, that its steps occupy and that are not always live; operations share allocations, so the rows do not add up',
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
        : operations.map((row) => ({ depth: 0, row })).sort((a, b) => largestFirst(a.row.cycles, b.row.cycles)),
    [profile, operations, byPath],
  );
  if (!debug)
    return (
      <Card title="Operations">
        <p class="empty">
          The file debug.cbor has the names of this program’s operations. The engine writes it next to the profile with the engine option
          autoReport.outputDebugInfo (autoReport.all includes this option). <code>popscope html</code> takes the file from there. You can
          also choose the file here, or drop it on the page:
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
              ['', 'all, one by one'],
              [kByPath, 'all, as a tree of names'],
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
          ? 'Names are split at each “/”. A part has the steps of all parts inside it, so the inner parts add up to at most the outer part.'
          : layer === ''
            ? 'Each context has the steps that were created in it, but not in a context inside it.'
            : `Each context of the layer “${layer}” has the steps that were created in it or in a context inside it.`}
      </p>
      <Table
        label="Operations"
        rows={rows}
        height={520}
        empty="The file has no contexts."
        selected={(r) => r === chosen}
        onPick={({ row }) => row.context && setParams({ context: row.context.id })}
        columns={[
          {
            title: 'Operation',
            value: (r) => r.row.name,
            show: (r) => (
              <span style={{ paddingLeft: `${r.depth}rem` }}>
                {r.row.name ? <Short name={r.row.name} beside={16 * r.depth} /> : <span class="id">no name</span>}
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
