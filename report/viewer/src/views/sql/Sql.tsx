// A console for queries on the profile, with its tables next to it.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Route, setParams } from '../../app/route';
import { text, type Value } from '../../data/database';
import { visible } from '../../data/visible';
import { type Answered, kMaxSeconds } from '../../data/queries';
import type { Profile } from '../../data/profile';
import { decodeList } from '../../data/decode';
import { counted, integer } from '../../derived/format';
import { Card } from '../common';
import type { Cell } from '../csv';
import { Table } from '../Table';
import { kPackedTables } from '../../data/rows';

/** Cycles by which each step makes the runs that ended longer (times.ts); their sum is the length of these runs. */
const kExample = `WITH ends AS (SELECT s.id, s.run, s.program, max(i.cycles_base + coalesce(i.all_cycles_to_max, i.active_cycles_to_max)) AS t
  FROM steps s JOIN runs r ON r.id = s.run AND r.complete JOIN steps_by_ipu i ON i.step_id = s.id GROUP BY s.id),
parts AS (SELECT run, program, t, coalesce(max(t) OVER (PARTITION BY run ORDER BY id
  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM ends)
SELECT p.type, p.name AS step, count(*) AS executions, sum(max(0, t - before)) AS adds_cycles
FROM parts JOIN programs p ON p.id = parts.program
GROUP BY p.id ORDER BY adds_cycles DESC`;
const kMaxRows = 10_000;

/** Returns a value as a cell of the table; a blob with a number per tile shows its first numbers. */
function cell(value: Value | undefined, profile: Profile): Cell {
  if (typeof value === 'string') return visible(value);
  if (!(value instanceof Uint8Array)) return value ?? null;
  try {
    const numbers = value[0] === 3 ? decodeList(value) : profile.columns.all(value);
    const shown = Array.from(numbers?.subarray(0, 6) ?? [], (v) => integer(v)).join(' ');
    return `[${shown}${(numbers?.length ?? 0) > 6 ? ' …' : ''}] ${counted(numbers?.length ?? 0, 'number')}`;
  } catch {
    return counted(value.length, 'byte');
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
  for (const [name, { columns }] of Object.entries(kPackedTables))
    // packed tables become real tables when a query names them
    tables.set(name, [{ name: 'id', type: 'INTEGER' }, ...columns.map((c) => ({ name: c.name, type: c.isBlob ? 'BLOB' : 'INTEGER' }))]);
  return [...tables].map(([name, columns]) => ({ name, columns })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Result extends Answered {
  readonly error: string;
}

const kNothing: Answered = { columns: [], rows: [], more: false, ms: 0 };

/** The last query of each profile, so that returning to the view does not run it again. */
const answered = new WeakMap<Profile, { readonly asked: string; readonly result: Result }>();

const asError = (error: unknown): Result => ({ ...kNothing, error: error instanceof Error ? error.message : String(error) });

/** Returns the result of a query; null until it is available. */
function useAnswer(profile: Profile, asked: string): Result | null {
  const before = answered.get(profile);
  const known = before?.asked === asked ? before.result : null;
  const [, draw] = useState(0);
  useEffect(() => {
    if (known || !profile.queries) return;
    let left = false;
    const keep = (result: Result) => {
      if (left) return;
      answered.set(profile, { asked, result });
      draw((count) => count + 1);
    };
    profile.queries.ask(asked, kMaxRows).then(
      (answer) => keep({ ...answer, error: '' }),
      (error: unknown) => keep(asError(error)),
    );
    return () => {
      left = true;
      profile.queries?.stop('The view was left.');
    };
  }, [profile, asked, known]);
  return known;
}

export function Sql({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const [sql, setSql] = useState(route.params.q ?? kExample);
  const asked = route.params.q ?? kExample;
  const result = useAnswer(profile, asked);
  const schema = useMemo(() => readSchema(profile), [profile]);
  const [chosen, choose] = useState('');
  const table = schema.find((t) => t.name === chosen);
  const run = (query: string) => {
    setSql(query);
    if (answered.get(profile)?.result.error) answered.delete(profile); // runs it again
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
          {!result && (
            <button type="button" onClick={() => profile.queries?.stop('Stopped.')}>
              Stop
            </button>
          )}
          <span class="hint" role="status">
            {result
              ? `Ctrl+Enter runs the query, for at most ${kMaxSeconds} seconds. Queries never change the file.`
              : 'The query runs in the background. It stops if you open another view.'}
          </span>
        </p>
        {!result ? null : result.error ? (
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
                value: (r: readonly Value[]) => cell(r[i], profile),
              }))}
            />
            <p class="hint">
              {result.ms.toFixed(1)} ms{result.more ? `; the first ${integer(kMaxRows)} rows` : ''}
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
              value: (t) => t.columns.map((c) => c.name).join(', '), // names of columns, so that the filter finds them
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
        <p class="hint">
          Click a table to see its columns and its first rows. docs/FORMAT-pop.md explains each column. Its views, and the function
          numbers(), exist only in <code>popscope sql</code>.
        </p>
      </Card>
    </div>
  );
}
