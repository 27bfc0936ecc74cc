// Columns of tables that list variables or their allocations.
import type { JSX } from 'preact';
import { link } from '../app/route';
import type { VariableGroup } from '../derived/liveness';
import { categoryLabel } from '../derived/names';
import { kMaxName, Short } from './Short';
import { type Column, shareColumn } from './Table';

/** The name of a variable as a link to its life. Code and system data (id null) have no life. */
export function VariableLink(props: {
  readonly name: string;
  readonly id: number | null;
  readonly step?: number;
  readonly most?: number;
}): JSX.Element {
  const { name, id, step, most = kMaxName } = props;
  const shown = name === '' ? <span class="id">no name</span> : <Short name={name} most={most} />;
  return id === null ? shown : <a href={link('liveness', { variable: id, ...(step === undefined ? {} : { step }) })}>{shown}</a>;
}

/** The name column for allocations and similar rows. */
export const kNameColumn: Column<{ readonly name: string; readonly variable: number | null }> = {
  title: 'Name',
  value: (a) => a.name,
  show: (a) => <VariableLink name={a.name} id={a.variable} />,
};

/** Columns for groups of variables of the same name; shares are relative to `total`. If `total` is 0, there are no shares. */
export function groupColumns(total: number): readonly Column<VariableGroup>[] {
  return [
    { title: 'Variable', value: (g) => g.first.name, show: (g) => <VariableLink name={g.first.name} id={g.first.id} /> },
    { title: 'Bytes', unit: 'B', value: (g) => g.bytes },
    ...(total > 0
      ? [
          shareColumn<VariableGroup>(
            (g) => g.bytes,
            () => total,
          ),
        ]
      : []),
    { title: 'Variables', value: (g) => g.count, help: 'Number of variables with this name; an exchange has one message per sender' },
    { title: 'Category', value: (g) => categoryLabel(g.first.category) },
  ];
}
