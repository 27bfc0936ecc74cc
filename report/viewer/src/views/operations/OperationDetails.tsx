// One operation in full: where it was created, its figures on tiles, its steps, and its live variables.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../../app/route';
import { type DebugContext, itemJson } from '../../data/debug';
import type { Profile } from '../../data/profile';
import { integer } from '../../derived/format';
import { variablesOf } from '../../derived/liveness';
import { categoryLabel, programLabel } from '../../derived/names';
import { type Operation, outwards } from '../../derived/operations';
import { Card, ProgramLink, stepCells } from '../common';
import { type Column, Table } from '../Table';
import { ProgramTiles } from '../TilePlot';
import { VariableLink } from '../Variables';

export function place(context: DebugContext | null): string {
  return context && context.file !== '' ? `${context.file}:${context.line}` : '';
}

export function OperationDetails({
  profile,
  operation,
  route,
  facts,
}: {
  readonly profile: Profile;
  readonly operation: Operation;
  readonly route: Route;
  readonly facts: readonly Column<Operation>[];
}): JSX.Element {
  const { context } = operation;
  const path = context && profile.debug ? outwards(profile.debug, context.id).reverse() : [];
  const variables = useMemo(() => variablesOf(profile, operation.programs), [profile, operation]);
  return (
    <Card
      title={operation.name === '' ? 'No name' : operation.name}
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
        {facts.map((fact) => (
          <>
            <dt title={fact.help}>{fact.title}</dt>
            <dd>
              {fact.show ? fact.show(operation) : integer(Number(fact.value(operation) ?? NaN))} {fact.unit}
            </dd>
          </>
        ))}
      </dl>
      <ProgramTiles profile={profile} route={route} programs={operation.programs} />
      <h3>Its steps</h3>
      <Table
        label="Steps of the operation"
        rows={operation.programs}
        height={260}
        empty="It has no steps."
        columns={[
          {
            title: 'Step',
            step: (p) => stepCells(profile, p),
            value: (p) => programLabel(profile.programs[p]),
            show: (p) => <ProgramLink profile={profile} id={p} />,
          },
          { title: 'Kind', value: (p) => profile.programs[p]?.type ?? '' },
        ]}
      />
      <h3>Live at these steps, but not always</h3>
      <Table
        label="Variables of the operation"
        rows={variables}
        height={260}
        empty="No variables."
        columns={[
          { title: 'Variable', value: (v) => v.name, show: (v) => <VariableLink name={v.name} id={v.id} /> },
          { title: 'Bytes', unit: 'B', value: (v) => v.bytes },
          { title: 'Category', value: (v) => categoryLabel(v.category) },
        ]}
      />
      {context && (
        <details>
          <summary>Its record in debug.cbor</summary>
          <pre>{itemJson(context.record)}</pre>
        </details>
      )}
    </Card>
  );
}
