// The data that vertices read and write: one row per field of a compute set, or one row per compute set.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Profile } from '../../data/profile';
import { integer } from '../../derived/format';
import { type ComputeSetRow, collectComputeSets, type Operand, operandsOf } from '../../derived/operands';
import { Card, ProgramLink } from '../common';
import { Short } from '../Short';
import { Table } from '../Table';

function access(o: Operand): string {
  return o.read && o.written ? 'read and written' : o.written ? 'written' : 'read';
}

/** The fields of one compute set. */
export function OperandFields({ profile, computeSet }: { readonly profile: Profile; readonly computeSet: number }): JSX.Element {
  const rows = useMemo(() => operandsOf(profile, computeSet), [profile, computeSet]);
  return (
    <>
      <h3>Data that the vertices read and write</h3>
      <Table
        label="Operands of the step"
        rows={rows}
        height={260}
        empty="The vertices have no connected fields."
        columns={[
          { title: 'Vertex type', value: (o) => o.type },
          { title: 'Field', value: (o) => o.field, show: (o) => o.field || <span class="id">not known</span> },
          { title: 'Access', value: access },
          { title: 'Bytes', unit: 'B', value: (o) => o.bytes, help: 'Over all vertices; an element that two vertices access counts twice' },
          { title: 'Elements', value: (o) => o.elements },
          { title: 'of type', value: (o) => o.elementType, show: (o) => o.elementType || <span class="id">bytes</span> },
          { title: 'Edges', value: (o) => o.edges, help: 'Connections; in a vector of vectors, each inner vector counts' },
          {
            title: 'Elements of an edge',
            value: (o) => o.most,
            show: (o) => (o.least === o.most ? integer(o.most) : `${integer(o.least)}–${integer(o.most)}`),
          },
        ]}
      />
    </>
  );
}

/** Every compute set with the bytes of its operands. */
export function ComputeSets({ profile }: { readonly profile: Profile }): JSX.Element {
  const rows = useMemo(() => collectComputeSets(profile), [profile]);
  return (
    <Card title="Compute sets">
      <Table
        label="Compute sets"
        rows={rows}
        empty="The program has no compute set."
        columns={[
          {
            title: 'Compute set',
            step: (r: ComputeSetRow) => [r.program, r.name],
            value: (r: ComputeSetRow) => r.name,
            show: (r) =>
              r.program === null ? (
                r.name ? (
                  <Short name={r.name} most={26} />
                ) : (
                  <span class="id">no name</span>
                )
              ) : (
                <ProgramLink profile={profile} id={r.program} most={26} />
              ),
          },
          { title: 'Vertices', value: (r) => r.vertices },
          {
            title: 'Reads',
            unit: 'B',
            value: (r) => r.readBytes,
            help: 'Bytes of operands that are read, including those that are also written',
          },
          {
            title: 'Writes',
            unit: 'B',
            value: (r) => r.writtenBytes,
            help: 'Bytes of operands that are written, including those that are also read',
          },
          {
            title: 'Operands',
            unit: 'B',
            value: (r) => r.bytes,
            help: 'Bytes of all operands; a field that is read and written counts once',
          },
          { title: 'Edges', value: (r) => r.edges },
          ...(rows.some((r) => Number.isFinite(r.estimated))
            ? [
                {
                  title: 'Estimate',
                  unit: 'cycles',
                  value: (r: ComputeSetRow) => r.estimated,
                  help: 'Estimate at compile time for one execution on the slowest tile',
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
}
