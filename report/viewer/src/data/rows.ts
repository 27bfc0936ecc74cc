// Tables that are kept as columns in packed_rows (docs/FORMAT-pop.md): blocks of rows to rows. Files come from strangers.
import { unzlibSync } from 'fflate';
import { DamagedBlob } from './decode';

type Cell = number | Uint8Array | null;

export interface Column {
  readonly name: string;
  readonly mayBeNull?: boolean;
  readonly isBlob?: boolean;
}

export interface PackedTable {
  readonly by: string; // the column by which blocks are found; '' = by id alone
  readonly columns: readonly Column[]; // behind `id`
}

export const kPackedTables: Readonly<Record<'vars_info' | 'liveness_variables' | 'variable_accesses', PackedTable>> = {
  vars_info: {
    by: 'tile',
    columns: [
      { name: 'name' },
      { name: 'variable', mayBeNull: true },
      { name: 'tile' },
      { name: 'offset' },
      { name: 'size_bytes' },
      { name: 'alignment' },
      { name: 'category' },
      { name: 'always_live' },
      { name: 'overlapped' },
      { name: 'is_constant' },
      { name: 'equivalence_class', mayBeNull: true },
    ],
  },
  liveness_variables: {
    by: '',
    columns: [
      { name: 'name' },
      { name: 'size_bytes' },
      { name: 'always_live' },
      { name: 'equivalence_class', mayBeNull: true },
      { name: 'category' },
      { name: 'bytes_by_tile', mayBeNull: true, isBlob: true },
    ],
  },
  variable_accesses: {
    by: 'variable',
    columns: [
      { name: 'variable' },
      { name: 'program' },
      { name: 'elements' },
      { name: 'read' },
      { name: 'written' },
      { name: 'undefined' },
    ],
  },
};
export type PackedName = keyof typeof kPackedTables;

/** Rows by column: ids go on from `first`. */
export interface RowBlock {
  readonly first: number;
  readonly count: number;
  /** The numbers of a column; NaN = NULL. */
  numbers(column: string): Float64Array;
  /** A value of a column of BLOBs. */
  blob(column: string, row: number): Uint8Array | null;
}

const kCodec = 6;
const kMostRows = 65536;
const kMostBytes = 2 ** 28;

function need(condition: boolean, what: string): asserts condition {
  if (!condition) throw new DamagedBlob(what);
}

/** Running sums of `rows` signed differences of 2^log bytes. */
function sums(view: DataView, at: number, log: number, rows: number): Float64Array {
  const out = new Float64Array(rows);
  let sum = 0;
  for (let i = 0; i < rows; ++i) {
    const where = at + (i << log);
    sum +=
      log === 0
        ? view.getInt8(where)
        : log === 1
          ? view.getInt16(where, true)
          : log === 2
            ? view.getInt32(where, true)
            : Number(view.getBigInt64(where, true));
    need(sum >= 0, 'a number in a block of rows is negative');
    out[i] = sum;
  }
  return out;
}

/** A block of rows. Throws DamagedBlob. */
export function unpackBlock(columns: readonly Column[], first: number, rows: number, blob: Uint8Array): RowBlock {
  need(rows > 0 && rows <= kMostRows && blob.length > 5 && blob[0] === kCodec, 'a block of rows has an unknown header');
  const size = new DataView(blob.buffer, blob.byteOffset, blob.byteLength).getUint32(1, true);
  need(size <= kMostBytes && size <= blob.length * 1100, 'a block of rows is larger than its bytes can say');
  let raw: Uint8Array;
  try {
    raw = unzlibSync(blob.subarray(5), { out: new Uint8Array(size) });
  } catch {
    throw new DamagedBlob('a block of rows is damaged');
  }
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  let at = 0;
  const numbers = new Map<string, Float64Array>();
  for (const column of columns) {
    const log = raw[at++] ?? 4;
    need(log <= 3 && at + (rows << log) <= raw.length, 'a block of rows ends inside a column');
    const values = sums(view, at, log, rows);
    at += rows << log;
    if (column.mayBeNull) for (let i = 0; i < rows; ++i) values[i] = values[i] === 0 ? NaN : values[i]! - 1;
    numbers.set(column.name, values);
  }
  const starts = new Map<string, Float64Array>();
  for (const column of columns) {
    if (!column.isBlob) continue;
    const from = new Float64Array(rows);
    numbers.get(column.name)?.forEach((length, i) => {
      from[i] = at;
      at += length || 0;
    });
    need(at <= raw.length, 'a value is longer than its block of rows');
    starts.set(column.name, from);
  }
  need(at === raw.length, 'a block of rows has more bytes than columns');
  return {
    first,
    count: rows,
    numbers: (column) => numbers.get(column) ?? new Float64Array(rows).fill(NaN),
    blob: (column, row) => {
      const [from, length] = [starts.get(column)?.[row] ?? NaN, numbers.get(column)?.[row] ?? NaN];
      return Number.isNaN(from) || Number.isNaN(length) ? null : raw.subarray(from, from + length);
    },
  };
}

/** The rows of a block one by one, each with its id first, as SQL takes them. */
export function rowsOf(columns: readonly Column[], block: RowBlock): Cell[][] {
  const numbers = columns.map((column) => block.numbers(column.name));
  return Array.from({ length: block.count }, (_, row) => [
    block.first + row,
    ...columns.map((column, c) => {
      if (column.isBlob) return block.blob(column.name, row);
      const value = numbers[c]?.[row] ?? NaN;
      return Number.isNaN(value) ? null : value;
    }),
  ]);
}

/** What SQL read of a table of its own, as formats up to 8 have it: one block, whose ids go on only where the rows' do. */
export function blocksOfRows(columns: readonly Column[], rows: readonly Readonly<Record<string, unknown>>[]): RowBlock[] {
  if (rows.length === 0) return [];
  const value = (row: number, column: string) => rows[row]?.[column];
  const asNumber = (one: unknown) => (typeof one === 'number' ? one : NaN);
  const numbers = new Map(columns.map((c) => [c.name, Float64Array.from(rows, (row) => asNumber(row[c.name]))]));
  return [
    {
      first: asNumber(value(0, 'id')),
      count: rows.length,
      numbers: (column) => numbers.get(column) ?? new Float64Array(rows.length).fill(NaN),
      blob: (column, row) => {
        const one = value(row, column);
        return one instanceof Uint8Array ? one : null;
      },
    },
  ];
}
