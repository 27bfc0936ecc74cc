// A console for queries on the profile, with its tables beside it; the options; what the numbers mean.
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { KeyList } from '../app/KeyList';
import { type Route, setParams } from '../app/route';
import { number, text, type Value } from '../data/database';
import type { Profile } from '../data/profile';
import { decodeList, decodeTiles } from '../data/decode';
import { integer } from '../derived/format';
import { Card } from './common';
import { type Cell, Table } from './Table';
import { kPackedTables } from '../data/rows';

const kExample = `SELECT p.name AS step, count(*) AS executions, sum(i.cycles) AS cycles
FROM steps s JOIN programs p ON p.id = s.program JOIN steps_by_ipu i ON i.step_id = s.id
GROUP BY p.id ORDER BY cycles DESC LIMIT 20`;
const kMostRows = 10_000;

/** A value as a cell of the table; a blob by tile as its first numbers. */
function cell(value: Value | undefined, tiles: number): Cell {
  if (!(value instanceof Uint8Array)) return value ?? null;
  try {
    const numbers = value[0] === 3 ? decodeList(value) : decodeTiles(value, tiles);
    const shown = Array.from(numbers?.subarray(0, 6) ?? [], (v) => integer(v)).join(' ');
    return `[${shown}${(numbers?.length ?? 0) > 6 ? ' …' : ''}] ${integer(numbers?.length ?? 0)} numbers`;
  } catch {
    return `${value.length} bytes`;
  }
}

interface SchemaTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

function readSchema(profile: Profile): readonly SchemaTable[] {
  const tables = new Map<string, { name: string; type: string }[]>();
  for (const row of profile.db.query(
    "SELECT m.name AS t, c.name AS c, c.type AS k FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid",
  )) {
    const columns = tables.get(text(row.t)) ?? [];
    columns.push({ name: text(row.c), type: text(row.k) });
    tables.set(text(row.t), columns);
  }
  for (const [name, columns] of Object.entries(kPackedTables))
    // tables when a query names them
    if (tables.has('packed_rows'))
      tables.set(
        name,
        [{ name: 'id' }, ...columns].map((c) => ({ name: c.name, type: 'isBlob' in c && c.isBlob ? 'BLOB' : 'INTEGER' })),
      );
  return [...tables].map(([name, columns]) => ({ name, columns })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Result {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly more: boolean;
  readonly ms: number;
  readonly error: string;
}

/** The last query of each profile: to come back to the view takes no second run. */
const answered = new WeakMap<Profile, { readonly asked: string; readonly result: Result }>();

function ask(profile: Profile, asked: string): Result {
  try {
    const start = performance.now();
    const table = profile.db.table(asked, kMostRows);
    return { ...table, ms: performance.now() - start, error: '' };
  } catch (error) {
    return { columns: [], rows: [], more: false, ms: 0, error: error instanceof Error ? error.message : String(error) };
  }
}

export function Sql({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const [sql, setSql] = useState(route.params.q ?? kExample);
  const asked = route.params.q ?? kExample;
  const result = useMemo((): Result => {
    const before = answered.get(profile);
    if (before?.asked === asked) return before.result;
    const result = ask(profile, asked);
    answered.set(profile, { asked, result });
    return result;
  }, [profile, asked]);
  const schema = useMemo(() => readSchema(profile), [profile]);
  const [chosen, choose] = useState('');
  const table = schema.find((t) => t.name === chosen);
  const run = (query: string) => {
    setSql(query);
    setParams({ q: query });
  };
  return (
    <div class="columns">
      <Card title="Query">
        <textarea
          class="sql"
          aria-label="SQL query"
          rows={6}
          spellcheck={false}
          value={sql}
          onInput={(e) => setSql(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) run(sql);
          }}
        />
        <p class="controls">
          <button type="button" onClick={() => run(sql)}>
            Run
          </button>
          <span class="hint">Ctrl and Enter run it. The file is never changed.</span>
        </p>
        {result.error ? (
          <p class="error" role="alert">
            {result.error}
          </p>
        ) : (
          <>
            <Table
              label="Result"
              rows={result.rows}
              empty="No rows."
              columns={result.columns.map((name, i) => ({
                title: result.columns.indexOf(name) === i ? name : `${name} (${i})`,
                value: (r: readonly Value[]) => cell(r[i], profile.tiles),
              }))}
            />
            <p class="hint">
              {result.ms.toFixed(1)} ms{result.more ? `; the first ${integer(kMostRows)} rows` : ''}
            </p>
          </>
        )}
      </Card>
      <Card title="Tables">
        <Table
          label="Tables"
          rows={schema}
          height={340}
          selected={(t) => t === table}
          onPick={(t) => {
            choose(t.name);
            run(`SELECT * FROM ${t.name} LIMIT 100`);
          }}
          columns={[
            { title: 'Table', value: (t) => t.name },
            {
              title: 'Columns',
              value: (t) => t.columns.map((c) => c.name).join(', '), // so that a filter finds them
              show: (t) => integer(t.columns.length),
            },
          ]}
        />
        {table && (
          <>
            <h3>Columns of {table.name}</h3>
            <Table
              label="Columns"
              rows={table.columns}
              height={300}
              columns={[
                { title: 'Column', value: (c) => c.name },
                { title: 'Type', value: (c) => c.type },
              ]}
            />
          </>
        )}
        <p class="hint">A click shows a table’s columns and its first rows. docs/FORMAT-pop.md says what each column means.</p>
      </Card>
    </div>
  );
}

interface TargetRow {
  readonly what: string;
  readonly value: number | string;
  readonly unit: string;
}

/** The target as options of a target are: sizes first, then what its machine file says, and what costs are. */
function targetRows(profile: Profile): TargetRow[] {
  const t = profile.target;
  const rows: TargetRow[] = [
    { what: 'Type', value: t.type, unit: '' },
    { what: 'Architecture', value: t.architecture, unit: '' },
    { what: 'IPUs', value: t.ipus, unit: '' },
    { what: 'Replicas', value: t.replicas, unit: '' },
    { what: 'Tiles of an IPU', value: t.tilesPerIpu, unit: '' },
    { what: 'Memory of a tile', value: t.bytesPerTile, unit: 'B' },
    { what: 'Memory of all tiles', value: t.bytesPerTile * t.tilesPerIpu * t.ipus, unit: 'B' },
    { what: 'Interleaved memory from', value: t.interleavedOffset > 0 ? t.interleavedOffset : 'none', unit: 'B' },
    { what: 'Clock', value: t.clockHz, unit: 'Hz' },
    { what: 'Worker threads of a tile', value: t.workers, unit: '' },
  ];
  if (profile.db.has('machine_costs'))
    for (const row of profile.db.query('SELECT key, value, unit FROM machine_costs ORDER BY key'))
      rows.push({ what: text(row.key), value: typeof row.value === 'number' ? row.value : text(row.value), unit: text(row.unit) });
  return rows;
}

export function Options({ profile }: { readonly profile: Profile }): JSX.Element {
  const rows = useMemo(
    () => profile.db.query('SELECT scope, key, value, is_default FROM options ORDER BY is_default, scope, key'),
    [profile],
  );
  const target = useMemo(() => targetRows(profile), [profile]);
  const phases = useMemo(
    () =>
      profile.db.has('compile_phases')
        ? profile.db.query(
            'SELECT c.name, p.name AS outer, c.wall_us, c.cpu_us, c.bytes_after FROM compile_phases c LEFT JOIN compile_phases p ON p.id = c.parent ORDER BY c.id',
          )
        : [],
    [profile],
  );
  const optimisations = useMemo(() => profile.db.query('SELECT name, unit, before, after FROM optimisations ORDER BY id'), [profile]);
  return (
    <>
      <Card title="Options">
        <p>
          {integer(rows.filter((r) => r.is_default !== 1).length)} of {integer(rows.length)} were set; they come first.
        </p>
        <Table
          label="Options"
          rows={rows}
          height={560}
          columns={[
            { title: 'Of', value: (r) => text(r.scope) },
            { title: 'Option', value: (r) => text(r.key), show: (r) => (r.is_default === 1 ? text(r.key) : <b>{text(r.key)}</b>) },
            { title: 'Value', value: (r) => text(r.value) },
            { title: 'Set', value: (r) => (r.is_default === 1 ? 'default' : 'set') },
          ]}
        />
      </Card>
      <Card title="The target">
        <Table
          label="The target"
          rows={target}
          columns={[
            { title: 'What', value: (r) => r.what },
            { title: 'Value', value: (r) => r.value },
            { title: 'Unit', value: (r) => r.unit },
          ]}
        />
      </Card>
      {phases.length > 0 && (
        <Card title="What the compile took">
          <Table
            label="Phases of the compile"
            rows={phases}
            columns={[
              { title: 'Phase', value: (r) => text(r.name) },
              { title: 'Part of', value: (r) => text(r.outer) },
              { title: 'Time', unit: 'ms', value: (r) => number(r.wall_us) / 1000, show: (r) => (number(r.wall_us) / 1000).toFixed(1) },
              { title: 'CPU time', unit: 'ms', value: (r) => number(r.cpu_us) / 1000, show: (r) => (number(r.cpu_us) / 1000).toFixed(1) },
              { title: 'Memory after', unit: 'B', value: (r) => number(r.bytes_after) },
            ]}
          />
        </Card>
      )}
      <Card title="What compiler passes did">
        <Table
          label="Passes"
          rows={optimisations}
          empty="No pass left a record."
          columns={[
            { title: 'Pass', value: (r) => text(r.name) },
            { title: 'Before', value: (r) => Number(r.before) },
            { title: 'After', value: (r) => Number(r.after) },
            { title: 'Unit', value: (r) => text(r.unit) },
          ]}
        />
      </Card>
    </>
  );
}

const kMeanings: readonly (readonly [string, string])[] = [
  [
    'Occupied',
    'Addresses that hold something at some time, each counted once (memory_by_tile.total). Exact: the compiler placed every byte.',
  ],
  [
    'Including gaps',
    'The end of the highest used address (memory_by_tile.total_including_gaps). A tile fits if that is at most its memory.',
  ],
  [
    'By category',
    'Sums over allocations (memory_by_tile_category). Allocations that share addresses over time count each, so the sum can be more than what is occupied.',
  ],
  ['Always live', 'What is in place during the whole program: code, constants, stacks, and variables that live at every step.'],
  [
    'Lives in turn',
    'Variables whose addresses others can have at other steps. A variable dies where one compute set or copy writes all of it.',
  ],
  ['Compute', 'Cycles of worker threads, idle ones left out (execution_cycle_totals.thread_cycles).'],
  ['Idle threads', 'Tiles at work whose six worker threads are not all busy: compute less thread cycles.'],
  ['Waiting for the slowest tile', 'In each compute set: the slowest tile times the tiles, less the work of all; at most the run’s sync.'],
  ['Sync and other waiting', 'Time at barriers that is left: the machine’s delay, and waiting for exchanges and the host.'],
  ['Tile balance', 'Mean work of a tile over the work of the slowest one.'],
  [
    'Critical path',
    'What the end of a run waited for, traced to its start: through each barrier to the tile that arrived last, through each exchange to the last tile that took part. Its pieces add up to the run.',
  ],
  [
    'Live for nothing',
    'Bytes that live because only part of an array was overwritten, and that no path reads: a WriteUndef before frees them (false_live).',
  ],
  ['Operation', 'The steps that were made within one debug context (debug.cbor); of a layer, those in contexts inside of it, too.'],
  [
    'Who sends to whom',
    'Bytes of one execution of an exchange, from tile to tile, or between groups of neighbouring tiles where many pairs take part; what goes to several tiles counts for each (traffic). Of programs, not of runs. Files of format 6 or older do not have it.',
  ],
  [
    'FLOPs',
    'Floating-point operations as the program’s own estimates say (compute_set_vertices.flops): with ≥ where some vertices have none. Nothing counts them.',
  ],
  ['Cycles', 'Estimates of a cost model, not measured on a machine.'],
];

export function About({ profile }: { readonly profile: Profile | null }): JSX.Element {
  return (
    <>
      <Card title="What the numbers mean">
        <dl>
          {kMeanings.map(([name, meaning]) => (
            <>
              <dt key={name}>{name}</dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
        <p>An en dash (–) stands for what is not known. Nothing unknown is shown as 0.</p>
      </Card>
      <Card title="Keys">
        <KeyList />
      </Card>
      {profile && (
        <Card title="This file">
          <dl>
            <dt>Name</dt>
            <dd>
              {profile.db.name}, {integer(profile.db.bytes)} B
            </dd>
            {[...profile.meta].map(([key, value]) => (
              <>
                <dt key={key}>{key}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
          <p>The page reads the file itself. Nothing leaves this machine, and nothing is loaded from another.</p>
        </Card>
      )}
    </>
  );
}
