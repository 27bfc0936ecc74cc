// Opens a profile as an SQLite database in this page. Only this file uses sql.js. The functions number(), text() and blob() of this file
// check the type of a value.
import initSqlJs, { type Database as Sqlite, type SqlJsStatic, type Statement } from 'sql.js';
import { mayLackBytes, utf8, visible } from './visible';
import wasm from 'sql.js/dist/sql-wasm-browser.wasm';
import { kPackedNames, kPackedTables, type PackedName, type RowBlock, rowsOf, unpackBlock } from './rows';
import { kFormat, kTables } from './schema';

export type Value = number | string | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** An error whose message is a sentence for the user about the fault of the file. */
export class BadProfile extends Error {}

const kApplicationId = 0x506f7053;

let engine: Promise<SqlJsStatic> | null = null;

function sqlite(): Promise<SqlJsStatic> {
  const binary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
  engine ??= initSqlJs({ wasmBinary: binary });
  return engine;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Returns the values of the current row. A text has \xNN in place of each byte that is not UTF-8. */
function valuesOf(statement: Statement, options: object = {}): (Value | bigint)[] {
  const values = (statement.get as (parameters: null, options: object) => (Value | bigint)[]).call(statement, null, options);
  const { getBlob } = statement as unknown as { readonly getBlob: (column: number) => Uint8Array };
  return values.map((value, i) => (typeof value === 'string' && mayLackBytes(value) ? utf8(getBlob.call(statement, i)) : value));
}

export class Database {
  private readonly readable = new Set<string>(); // packed tables for which this page has already created SQL tables
  constructor(
    readonly name: string,
    readonly bytes: number,
    private readonly db: Sqlite,
  ) {}

  private *packedBlocks(table: PackedName, tail = '', parameters: readonly number[] = []): Generator<RowBlock> {
    const blocks = this.db.prepare(`SELECT first, count, columns FROM packed_rows WHERE table_name = '${table}' ${tail} ORDER BY first`, [
      ...parameters,
    ]);
    try {
      while (blocks.step()) {
        const [first, count, packed] = blocks.get();
        if (typeof first !== 'number' || typeof count !== 'number' || !(packed instanceof Uint8Array))
          throw new Error('a block of rows is damaged');
        yield unpackBlock(kPackedTables[table].columns, first, count, packed);
      }
    } finally {
      blocks.free();
    }
  }

  /** Creates an SQL table for each packed table whose name occurs in the query. */
  private unpackFor(sql: string): void {
    for (const table of kPackedNames) {
      if (this.readable.has(table) || !sql.includes(table)) continue;
      this.readable.add(table);
      const { columns } = kPackedTables[table];
      this.db.run(
        `PRAGMA query_only = OFF; CREATE TEMP TABLE ${table} (id INTEGER PRIMARY KEY, ${columns.map((c) => c.name).join(', ')}); BEGIN`,
      );
      const insert = this.db.prepare(`INSERT INTO temp.${table} VALUES (?, ${columns.map(() => '?').join(', ')})`);
      try {
        for (const block of this.packedBlocks(table)) for (const row of rowsOf(columns, block)) insert.run(row);
      } finally {
        insert.free();
        this.db.run('COMMIT; PRAGMA query_only = ON');
      }
    }
  }

  /**
   * Returns rows of a packed table as columns. With `key`, returns the blocks that may contain the key in the table's `by` column. With
   * `id`, returns the block that contains this row. With neither, returns all blocks. This function is much faster than SQL, which first
   * needs an SQL table of all rows. Throws BadProfile if a block is damaged.
   */
  blocks(table: PackedName, where: { readonly key?: number; readonly id?: number } = {}): readonly RowBlock[] {
    const { key, id } = where;
    try {
      return [
        ...(key !== undefined
          ? this.packedBlocks(table, 'AND low <= ? AND ? <= high', [key, key])
          : id !== undefined
            ? this.packedBlocks(table, 'AND first <= ? AND ? < first + count', [id, id])
            : this.packedBlocks(table)),
      ];
    } catch (error) {
      throw error instanceof BadProfile ? error : this.damaged(error);
    }
  }

  /** Returns whether the file has rows of a packed table. */
  hasRows(table: PackedName): boolean {
    return (this.db.exec(`SELECT 1 FROM packed_rows WHERE table_name = '${table}' LIMIT 1`)[0]?.values.length ?? 0) > 0;
  }

  private damaged(error: unknown): BadProfile {
    return new BadProfile(`${this.name}: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** Returns the rows of a query as objects. Throws BadProfile if the query fails, for example at a damaged page of the file. */
  query(sql: string, parameters: readonly Value[] = []): Row[] {
    const rows: Row[] = [];
    try {
      this.unpackFor(sql);
      const statement = this.db.prepare(sql, parameters as Value[]);
      try {
        const names = statement.getColumnNames(); // once per query, because getAsObject would ask for the names at each row
        while (statement.step()) {
          const values = valuesOf(statement) as Value[];
          const row: Record<string, Value> = {};
          for (let i = 0; i < names.length; ++i) row[names[i]!] = values[i] ?? null;
          rows.push(row);
        }
      } finally {
        statement.free();
      }
    } catch (error) {
      throw this.damaged(error);
    }
    return rows;
  }

  /** Returns one number for each row of a one-column query. */
  numbers(sql: string, parameters: readonly Value[] = []): number[] {
    return this.query(sql, parameters).map((row) => number(Object.values(row)[0] ?? null));
  }

  /**
   * Returns columns of numbers for many rows, in the order of the query; a value that is not a number becomes NaN. SQLite writes each
   * column as one text, which is several times faster than reading value by value.
   */
  columns(names: readonly string[], sql: string, parameters: readonly Value[] = []): Float64Array[] {
    const row = this.query(`SELECT ${names.map((n) => `json_group_array(${n}) AS ${n}`).join(', ')} FROM (${sql})`, parameters)[0];
    return names.map((name) => {
      const values: unknown = JSON.parse(text(row?.[name]) || '[]');
      return Float64Array.from(Array.isArray(values) ? (values as unknown[]) : [], (v) => (typeof v === 'number' ? v : NaN));
    });
  }

  /**
   * Returns at most `limit` rows of a query that the user wrote, and whether there are more rows. Throws if the query fails or has several
   * statements.
   */
  table(sql: string, limit: number): Table & { readonly more: boolean } {
    this.unpackFor(sql);
    let statements = 0;
    for (const one of this.db.iterateStatements(sql)) statements += one ? 1 : 0; // compiled, not run
    if (statements === 0) throw new Error('The SQL is empty: enter a SELECT statement.');
    if (statements > 1) throw new Error(`The query has ${statements} statements, but only one can run: keep one of them, up to its “;”.`);
    const statement = this.db.prepare(sql);
    try {
      const rows: Value[][] = [];
      let more = false;
      while (statement.step()) {
        if (rows.length === limit) {
          more = true;
          break;
        }
        rows.push(valuesOf(statement, { useBigInt: true }).map(exact));
      }
      return { columns: statement.getColumnNames(), rows, more };
    } finally {
      statement.free();
    }
  }

  /** Returns whether the file has an SQL table of this name. */
  has(table: string): boolean {
    return this.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [table]).length > 0;
  }

  /**
   * Returns the first fault of the file's tables, in words that can follow “has”: an SQL table with the name of a packed table, or a
   * missing column. Returns null if there is no fault.
   */
  fault(): string | null {
    const found = new Set(
      this.query("SELECT m.name || '.' || c.name AS n FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'").map(
        (row) => text(row.n),
      ),
    );
    for (const table of kPackedNames) if (this.has(table)) return `a table "${table}" of its own`;
    for (const [table, columns] of Object.entries(kTables))
      for (const column of columns.split(' ')) if (!found.has(`${table}.${column}`)) return `no column "${column}" of the table "${table}"`;
    return null;
  }

  close(): void {
    this.db.close();
  }
}

/** Returns an integer as a number or, if a number cannot hold all its digits, as text. */
const exact = (value: Value | bigint): Value =>
  typeof value !== 'bigint' ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

export function number(value: Value | undefined): number {
  return typeof value === 'number' ? value : NaN;
}
export function text(value: Value | undefined): string {
  return typeof value === 'string' ? visible(value) : typeof value === 'number' ? String(value) : '';
}
export function blob(value: Value | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}

/** Opens the bytes of a .pop file. Throws BadProfile if the bytes are not a profile, have another format, or are damaged. */
export async function openDatabase(name: string, bytes: Uint8Array): Promise<Database> {
  if (bytes.length < 100 || new TextDecoder('latin1').decode(bytes.subarray(0, 15)) !== 'SQLite format 3')
    throw new BadProfile(`${name} is not a profile: it is not an SQLite file.`);
  const library = await sqlite();
  let database: Database;
  try {
    database = new Database(name, bytes.length, new library.Database(bytes));
    database.query('PRAGMA query_only = ON');
    database.query('SELECT count(*) FROM sqlite_master');
  } catch (error) {
    throw new BadProfile(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const [application] = database.numbers('PRAGMA application_id');
  const [version] = database.numbers('PRAGMA user_version');
  if (application !== kApplicationId) {
    database.close();
    throw new BadProfile(`${name} is an SQLite file, but not a profile of Popscope.`);
  }
  if (version !== kFormat) {
    database.close();
    throw new BadProfile(
      `${name} has format ${version}; this page reads format ${kFormat}. Make the page with the Popscope that wrote it.`,
    );
  }
  const fault = database.fault();
  if (fault !== null) {
    database.close();
    throw new BadProfile(`${name} has ${fault}. It was damaged, or left by a program that stopped: popscope recover may help.`);
  }
  return database;
}
