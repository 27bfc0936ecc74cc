// Operations: what each debug context became, for a layer of software; by type; and one of them in full.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../app/route';
import { type DebugContext, itemJson } from '../data/debug';
import type { Profile } from '../data/profile';
import { integer } from '../derived/format';
import { categoryLabel, programLabel } from '../derived/names';
import { collectOperations, type Flops, flopsKnown, layersOf, type Operation, operationsByType, outwards } from '../derived/operations';
import { variablesOf } from '../derived/liveness';
import { Card, Choice, FileChoice, ProgramLink } from './common';
import { type Column, Table } from './Table';
import { ProgramTiles } from './TilePlot';
import { VariableLink } from './Variables';

function place(context: DebugContext | null): string {
  return context && context.file !== '' ? `${context.file}:${context.line}` : '';
}

/** A number, "at least" where some vertices have no estimate; or why there is none. */
function FlopsCell({ flops }: { readonly flops: Flops }): JSX.Element {
  if (flops.vertices === 0) return <></>;
  if (!flops.recorded) return <span class="id">not recorded</span>;
  const known = flopsKnown(flops);
  if (Number.isNaN(known)) return <span class="id">no estimate</span>;
  const part = `${integer(flops.estimated)} of ${integer(flops.vertices)} vertices have an estimate, ${integer(flops.counted)} are counted`;
  return <span title={part}>{(flops.estimated + flops.counted < flops.vertices ? '≥ ' : '') + integer(known)}</span>;
}

/** Cycles, "at least" where some steps that work have no estimate, as host copies; a dash where none has. */
function EstimateCell({ operation }: { readonly operation: Operation }): JSX.Element {
  return <>{(operation.estimatedAll || Number.isNaN(operation.estimated) ? '' : '≥ ') + integer(operation.estimated)}</>;
}

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
    value: (o) => o.estimated,
    show: (o) => <EstimateCell operation={o} />,
    help: 'At compile time, for one execution of each step: its slowest tile; ≥ where some steps have no estimate',
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

function One({
  profile,
  operation,
  route,
}: {
  readonly profile: Profile;
  readonly operation: Operation;
  readonly route: Route;
}): JSX.Element {
  const { context } = operation;
  const path = context && profile.debug ? outwards(profile.debug, context.id).reverse() : [];
  const variables = useMemo(() => variablesOf(profile, operation.programs), [profile, operation]);
  return (
    <Card
      title={operation.name === '' ? 'Without a name' : operation.name}
      aside={
        <div class="controls">
          {context && <a href={link('program', { context: context.id, step: operation.programs[0] ?? 0 })}>Mark it in the program</a>}
          <button type="button" onClick={() => setParams({ context: '' })}>
            Close
          </button>
        </div>
      }
    >
      <dl>
        <dt>Within</dt>
        <dd>
          {path.map((c, i) => (
            <span key={c.id}>
              {i > 0 && ' › '}
              {c.name || c.layer} <span class="id">{c.layer}</span>
            </span>
          ))}
        </dd>
        {place(context) !== '' && (
          <>
            <dt>Made at</dt>
            <dd>
              {place(context)} in {context?.functionName || 'no function'}
            </dd>
          </>
        )}
      </dl>
      <ProgramTiles profile={profile} route={route} programs={operation.programs} />
      <h3>Its steps</h3>
      <Table
        label="Steps of the operation"
        rows={operation.programs}
        height={260}
        empty="Nothing was made of it."
        columns={[
          { title: 'Step', value: (p) => programLabel(profile.programs[p]), show: (p) => <ProgramLink profile={profile} id={p} /> },
          { title: 'Kind', value: (p) => profile.programs[p]?.type ?? '' },
        ]}
      />
      <h3>Live there and not always</h3>
      <Table
        label="Variables of the operation"
        rows={variables}
        height={260}
        empty="Nothing."
        columns={[
          { title: 'Variable', value: (v) => v.name, show: (v) => <VariableLink name={v.name} id={v.id} /> },
          { title: 'Bytes', unit: 'B', value: (v) => v.bytes },
          { title: 'Category', value: (v) => categoryLabel(v.category) },
        ]}
      />
      {context && (
        <details>
          <summary>The record of debug.cbor</summary>
          <pre>{itemJson(context.record)}</pre>
        </details>
      )}
    </Card>
  );
}

/** What fits beside the rest on few screens; the fragment has a list of its own once a person chose. */
const kUsuallyHidden = 'FLOPs executed';

/** Which figures the tables show. */
function ColumnMenu({ hidden }: { readonly hidden: ReadonlySet<string> }): JSX.Element {
  const toggle = (title: string) => {
    const next = new Set(hidden);
    if (!next.delete(title)) next.add(title);
    setParams({ hide: next.size === 0 ? ',' : [...next].join(',') }); // a comma: nothing, and not what is usual
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
  const layer = layers.find(([name]) => name === route.params.layer)?.[0] ?? '';
  const operations = useMemo(() => collectOperations(profile, layer), [profile, debug, layer]);
  const types = useMemo(() => operationsByType(profile, operations), [profile, operations]);
  const rows = useMemo(() => [...operations].sort((a, b) => (b.cycles || 0) - (a.cycles || 0)), [operations]);
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
  const figures = kFigures.filter((c) => !hidden.has(c.title));
  const chosen = operations.find((o) => o.context && String(o.context.id) === route.params.context);
  return (
    <>
      <Card
        title="Operations"
        aside={
          <div class="controls">
            <Choice
              label="Layer"
              value={layer}
              options={[
                ['', 'all, each by itself'],
                ...layers.map(([name, count]) => [name, `${name || 'no name'} (${integer(count)})`] as const),
              ]}
              onChange={(v) => setParams({ layer: v, context: '' })}
            />
            <ColumnMenu hidden={hidden} />
          </div>
        }
      >
        <p class="hint">
          {layer === ''
            ? 'Each context with the steps that were made in it and in none inside of it.'
            : `Each context of the layer “${layer}” with the steps that were made in it or in a context inside of it.`}
        </p>
        <Table
          label="Operations"
          rows={rows}
          height={520}
          empty="The file names no contexts."
          selected={(o) => o === chosen}
          onPick={(o) => o.context && setParams({ context: o.context.id })}
          columns={[
            { title: 'Operation', value: (o) => o.name, show: (o) => o.name || <span class="id">no name</span> },
            { title: 'Type', value: (o) => o.type },
            ...figures,
            {
              title: 'Made at',
              value: (o) => place(o.context),
              show: (o) => <span title={place(o.context)}>{place(o.context).replace(/^.*[/\\]/, '')}</span>,
            },
          ]}
        />
      </Card>
      {chosen ? (
        <One profile={profile} operation={chosen} route={route} />
      ) : (
        <Card title="By type">
          <Table
            label="Operations by type"
            rows={types}
            columns={[{ title: 'Type', value: (o) => o.name }, { title: 'Operations', value: (o) => o.contexts }, ...figures]}
          />
        </Card>
      )}
    </>
  );
}
