// A table of an answer of `popscope`, as it is: tiles and steps lead to their views.
import type { ComponentChildren, JSX } from 'preact';
import { link } from '../../app/route';
import { type AnswerTable as Answered, cellNumber, cellText } from '../../data/answers';
import type { Profile } from '../../data/profile';
import { middle } from '../../derived/format';
import { categoryLabel } from '../../derived/names';
import { ProgramLink } from '../common';
import { type Column, Table } from '../Table';

type Row = Answered['rows'][number];

const kUnits: Readonly<Record<string, string>> = { bytes: 'B', percent: '%', cycles: 'cycles', 'tile cycles': 'tile cycles' };

/** Tiles and variables in a sentence as links: `move "input", tiles 0,2,4,... (8) to 1`. A variable leads to the steps of its life. */
function withLinks(text: string, profile: Profile): ComponentChildren {
  const parts = text.split(/((?<=tiles? )\d+|(?<=")[^"]+(?="))/);
  return parts.map((part, i) => {
    if (i % 2 === 0) return part;
    const variable = /^\d+$/.test(part) ? undefined : profile.variables.find((v) => v.name === part);
    if (!variable && !(Number(part) < profile.tiles)) return part;
    return (
      <a key={i} href={variable ? link('liveness', { variable: variable.id }) : link('tile', { tile: part })}>
        {part}
      </a>
    );
  });
}

const kCardName = 24; // letters, in a table of a card

/** A name as the page calls it: what has no name of its own is called by its category. */
function NameCell({ name }: { readonly name: string }): JSX.Element {
  return <span title={name}>{middle(categoryLabel(name), kCardName)}</span>;
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
    return {
      ...base,
      names: true,
      show: (row) => {
        if (typeof row[key] !== 'number') return '–';
        const tile: Record<string, number> = stepView === 'tile' && typeof row.tile === 'number' ? { tile: row.tile } : {};
        return <ProgramLink profile={profile} id={row[key]} view={stepView} with={tile} most={kCardName} />;
      },
    };
  if (key === 'category') return { ...base, value: (row) => categoryLabel(cellText(row[key])) };
  if (key === 'name') return { ...base, show: (row) => <NameCell name={cellText(row[key])} /> };
  if (key === 'change' && texts) return { ...base, long: true, show: (row) => withLinks(cellText(row[key]), profile) };
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
