// A table of an answer of `popscope`, as it is: tiles and steps lead to their views.
import type { ComponentChildren, JSX } from 'preact';
import { link } from '../app/route';
import { type AnswerTable as Answered, cellNumber, cellText } from '../data/answers';
import type { Profile } from '../data/profile';
import { middle } from '../derived/format';
import { categoryLabel } from '../derived/names';
import { kMaxName, ProgramLink } from './common';
import { type Column, Table } from './Table';

type Row = Answered['rows'][number];

const kUnits: Readonly<Record<string, string>> = { bytes: 'B', percent: '%', cycles: 'cycles', 'tile cycles': 'tile cycles' };

/** Names of tiles in a sentence as links: `move "input", tiles 0,2,4,... (8) to 1`. */
function withTiles(text: string, tiles: number): ComponentChildren {
  const parts = text.split(/((?<=tiles? )\d+)/);
  return parts.map((part, i) =>
    i % 2 === 1 && Number(part) < tiles ? (
      <a key={i} href={link('tile', { tile: part })}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}

/** A name as the page calls it: what has no name of its own is called by its category. */
function NameCell({ name }: { readonly name: string }): JSX.Element {
  return <span title={name}>{middle(categoryLabel(name), kMaxName)}</span>;
}

function columnOf(profile: Profile, { key, title, unit }: Answered['columns'][number], stepView: string, texts: boolean): Column<Row> {
  const value = (row: Row) => {
    const cell = row[key];
    return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : (cell ?? null);
  };
  const shown = kUnits[unit];
  const base = { title, ...(shown === undefined || shown === title.toLowerCase() ? {} : { unit: shown }), value };
  if (/tile$/i.test(key))
    return {
      ...base,
      show: (row) =>
        typeof row[key] === 'number' ? <a href={link('tile', { tile: cellNumber(row[key]) })}>{cellNumber(row[key])}</a> : '–',
    };
  if (key === 'step')
    return { ...base, names: true, show: (row) => <ProgramLink profile={profile} id={cellNumber(row[key])} view={stepView} /> };
  if (key === 'category') return { ...base, value: (row) => categoryLabel(cellText(row[key])) };
  if (key === 'name') return { ...base, show: (row) => <NameCell name={cellText(row[key])} /> };
  if (key === 'change' && texts) return { ...base, show: (row) => withTiles(cellText(row[key]), profile.tiles) };
  return base;
}

export function AnswerTable(props: {
  readonly profile: Profile;
  readonly table: Answered | undefined;
  readonly only?: readonly string[]; // keys of columns; default all
  readonly stepView?: string; // what a step leads to
  readonly most?: number; // rows
}): JSX.Element | null {
  const { profile, table, only } = props;
  if (!table || table.rows.length === 0) return null;
  const columns = table.columns
    .filter((c) => !only || only.includes(c.key))
    .map((c) => columnOf(profile, c, props.stepView ?? 'program', typeof table.rows[0]?.[c.key] === 'string'));
  const rows = props.most === undefined ? table.rows : table.rows.slice(0, props.most);
  return <Table label={table.title} rows={rows} columns={columns} height={300} />;
}
