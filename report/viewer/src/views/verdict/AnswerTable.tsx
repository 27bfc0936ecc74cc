// A table of an answer of `popscope`; tiles and steps are links to their views.
import type { ComponentChildren, JSX } from 'preact';
import { link } from '../../app/route';
import { type AnswerTable as Answered, cellNumber, cellText } from '../../data/answers';
import type { Profile, Variable } from '../../data/profile';
import { integer, percent } from '../../derived/format';
import { categoryLabel } from '../../derived/names';
import { ProgramLink, stepCells } from '../common';
import { Short } from '../Short';
import { type Column, Table } from '../Table';

type Row = Answered['rows'][number];

const kUnits: ReadonlyMap<string, string> = new Map([
  ['bytes', 'B'],
  ['percent', '%'],
  ['cycles', 'cycles'],
  ['tile cycles', 'tile cycles'],
]);

/** Returns the largest variable of each name, because several variables may share a name. */
function variablesByName(profile: Profile): ReadonlyMap<string, Variable> {
  return profile.keep('variables by name', () => {
    const out = new Map<string, Variable>();
    for (const variable of profile.variables) {
      const known = out.get(variable.name);
      if (!known || variable.bytes > known.bytes) out.set(variable.name, variable);
    }
    return out;
  });
}

/**
 * Shows a sentence with its tiles and variables as links, for example `move "input" from tiles 0,2,4,... (8) to tile 1`. A variable links to the
 * steps of its life.
 */
function withLinks(text: string, profile: Profile): ComponentChildren {
  const parts = text.split(/((?<=tiles? )\d+|(?<=")[^"]+(?="))/);
  return parts.map((part, i) => {
    if (i % 2 === 0) return part;
    const quoted = parts[i - 1]?.endsWith('"') ?? false;
    const variable = quoted ? variablesByName(profile).get(part) : undefined;
    if (!variable && (quoted || !(Number(part) < profile.tiles))) return part;
    return (
      <a key={i} href={variable ? link('liveness', { variable: variable.id }) : link('tile', { tile: part })}>
        {part}
      </a>
    );
  });
}

const kCardName = 24; // letters of a name in a table of a card

/** The kind of objects that a table names. */
type Names = 'variables' | 'vertices';

/**
 * A name as the page shows it: an object without a name shows the name of its category. A variable links to the steps of its life, a vertex type
 * to its vertices on all tiles.
 */
function NameCell({
  profile,
  name,
  of,
}: {
  readonly profile: Profile;
  readonly name: string;
  readonly of: Names | undefined;
}): JSX.Element {
  const shown = <Short name={categoryLabel(name)} most={kCardName} />;
  if (of === 'vertices') return <a href={link('memory', { tiles: `0-${profile.tiles - 1}` })}>{shown}</a>;
  const variable = of === 'variables' && name !== '' ? variablesByName(profile).get(name) : undefined;
  return variable ? <a href={link('liveness', { variable: variable.id })}>{shown}</a> : shown;
}

function columnOf(
  profile: Profile,
  { key, title, unit }: Answered['columns'][number],
  stepView: string,
  texts: boolean,
  names: Names | undefined,
): Column<Row> {
  const value = (row: Row) => {
    const cell = row[key];
    return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : (cell ?? null);
  };
  const shown = kUnits.get(unit);
  const base = { title, ...(shown === undefined || title.toLowerCase().endsWith(shown) ? {} : { unit: shown }), value };
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
      step: (row) => stepCells(profile, typeof row[key] === 'number' ? row[key] : null),
      show: (row) => {
        if (typeof row[key] !== 'number') return '–';
        const tile: Record<string, number> = stepView === 'tile' && typeof row.tile === 'number' ? { tile: row.tile } : {};
        return <ProgramLink profile={profile} id={row[key]} view={stepView} with={tile} most={kCardName} />;
      },
    };
  if (unit === 'percent') return { ...base, show: (row) => percent(cellNumber(row[key]), 100) };
  if (key === 'category') return { ...base, value: (row) => categoryLabel(cellText(row[key])) };
  if (key === 'name') return { ...base, show: (row) => <NameCell profile={profile} name={cellText(row[key])} of={names} /> };
  if (key === 'change' && texts) return { ...base, long: true, show: (row) => withLinks(cellText(row[key]), profile) };
  return base;
}

export function AnswerTable(props: {
  readonly profile: Profile;
  readonly table: Answered | undefined;
  readonly only?: readonly string[]; // keys of columns; default all
  readonly stepView?: string; // the view that a step links to
  readonly most?: number; // rows
  readonly names?: Names; // default: names are not links
}): JSX.Element | null {
  const { profile, table, only } = props;
  if (!table || table.rows.length === 0) return null;
  const columns = table.columns
    .filter((c) => !only || only.includes(c.key))
    .map((c) => columnOf(profile, c, props.stepView ?? 'program', typeof table.rows[0]?.[c.key] === 'string', props.names));
  const rows = props.most === undefined ? table.rows : table.rows.slice(0, props.most);
  const more = table.more + table.rows.length - rows.length;
  return (
    <>
      <Table label={table.title} rows={rows} columns={columns} height={300} />
      {more > 0 && <p class="hint">{integer(more)} more</p>}
    </>
  );
}
