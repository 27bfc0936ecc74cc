// Reads the tables whose rows packed_rows stores as blocks of columns (docs/FORMAT-pop.md). Files are untrusted, so the reader checks every
// length.
import { unzlibSync } from 'fflate';
import { DamagedBlob } from './decode';
import { kPackedBy, kPackedColumns } from './schema';

type Cell = number | Uint8Array | null;

export interface Column {
  readonly name: string;
  readonly mayBeNull?: boolean;
  readonly isBlob?: boolean;
}

export interface PackedTable {
  readonly by: string; // column by whose values blocks are found (low and high in packed_rows); '' = by id only
  readonly columns: readonly Column[]; // all columns except `id`
}

export type PackedName = keyof typeof kPackedColumns;

function packedTable(name: PackedName): PackedTable {
  const columns = kPackedColumns[name].split(' ').map((text) => ({
    name: text.replace(/[?*]/g, ''),
    mayBeNull: text.includes('?'),
    isBlob: text.includes('*'),
  }));
  return { by: kPackedBy[name], columns };
}

export const kPackedNames = Object.keys(kPackedColumns) as readonly PackedName[];
export const kPackedTables = Object.fromEntries(kPackedNames.map((name) => [name, packedTable(name)])) as Readonly<
  Record<PackedName, PackedTable>
>;

/** A block of rows by column; the ids of the rows count up from `first`. */
export interface RowBlock {
  readonly first: number;
  readonly count: number;
  /** Returns the numbers of a column; NaN = NULL. */
  numbers(column: string): Float64Array;
  /** Returns a value of a column of BLOBs; null = NULL. */
  blob(column: string, row: number): Uint8Array | null;
}

const kCodec = 6;
const kMaxRows = 65536;
const kMaxRowsOfByte = 256;
const kMaxBytes = 2 ** 28;

function need(condition: boolean, what: string): asserts condition {
  if (!condition) throw new DamagedBlob(what);
}

/** A bit in the first byte of a column. If it is set, the column stores equal differences between neighbouring numbers as runs. */
const kRuns = 4;

/** A column: its numbers, whether it is known that all of them are equal, and the offset of its end. */
interface Numbers {
  readonly values: Float64Array;
  readonly constant: boolean;
  readonly end: number;
}

function difference(view: DataView, at: number, log: number): number {
  switch (log) {
    case 0:
      return view.getInt8(at);
    case 1:
      return view.getInt16(at, true);
    case 2:
      return view.getInt32(at, true);
    default:
      return Number(view.getBigInt64(at, true));
  }
}

/**
 * Reads the column at offset `at`: the first number, then signed differences of up to 8 bytes, with or without runs. Throws DamagedBlob.
 */
function columnAt(view: DataView, at: number, rows: number): Numbers {
  const size = view.byteLength;
  need(at < size && view.getUint8(at) < 2 * kRuns, 'a column has no width');
  const code = view.getUint8(at++);
  const log = code & 3;
  const isRuns = (code & kRuns) !== 0;
  const values = new Float64Array(rows);
  let [sum, row, constant] = [0, 0, isRuns];
  const add = (step: number, count: number) => {
    need(count <= rows - row, 'the runs of a column are longer than its rows');
    for (let k = 0; k < count; ++k) {
      sum += step;
      need(sum >= 0, 'a number in a block of rows is negative');
      values[row++] = sum;
    }
  };
  need(at + 8 <= size, 'a block of rows ends inside a column');
  add(difference(view, at, 3), 1); // the first row's number
  at += 8;
  need(!isRuns || at + 2 <= size, 'a block of rows ends inside a column');
  const stored = isRuns ? view.getUint16(at, true) + 1 : rows - row;
  if (isRuns) at += 2;
  const lengths = at + (stored << log);
  const end = lengths + (isRuns ? 2 * stored : 0);
  need(end <= size, 'a block of rows ends inside a column');
  for (let i = 0; i < stored; ++i) {
    const step = difference(view, at + (i << log), log);
    const length = isRuns ? view.getUint16(lengths + 2 * i, true) + 1 : 1;
    if (step !== 0 && (row > 0 || length > 1)) constant = false;
    add(step, length);
  }
  need(row === rows, 'the runs of a column are shorter than its rows');
  return { values, constant, end };
}

/** Transposes BLOBs from "the first byte of each of `rows` values, then the second byte of each, ..." to one value after the other. */
function orderByRow(raw: Uint8Array, at: number, rows: number, length: number): void {
  const bytes = raw.slice(at, at + rows * length);
  for (let row = 0; row < rows; ++row) for (let i = 0; i < length; ++i) raw[at + row * length + i] = bytes[i * rows + row]!;
}

/** Unpacks a block of rows. Throws DamagedBlob. */
export function unpackBlock(columns: readonly Column[], first: number, rows: number, blob: Uint8Array): RowBlock {
  need(rows > 0 && rows <= kMaxRows && blob.length > 5 && blob[0] === kCodec, 'a block of rows has an unknown header');
  need(rows <= blob.length * kMaxRowsOfByte, 'a block has more rows than its bytes can say');
  const size = new DataView(blob.buffer, blob.byteOffset, blob.byteLength).getUint32(1, true);
  need(size <= kMaxBytes && size <= blob.length * 1100, 'a block of rows is larger than its bytes can say');
  let raw: Uint8Array;
  try {
    raw = unzlibSync(blob.subarray(5), { out: new Uint8Array(size) });
  } catch {
    throw new DamagedBlob('a block of rows is damaged');
  }
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  let at = 0;
  const numbers = new Map<string, Float64Array>();
  const constant = new Set<string>(); // columns in which all numbers are known to be equal
  for (const column of columns) {
    const read = columnAt(view, at, rows);
    const values = read.values;
    if (read.constant) constant.add(column.name);
    at = read.end;
    if (column.mayBeNull) for (let i = 0; i < rows; ++i) values[i] = values[i] === 0 ? NaN : values[i]! - 1;
    numbers.set(column.name, values);
  }
  const starts = new Map<string, Float64Array>();
  for (const column of columns) {
    if (!column.isBlob) continue;
    const from = new Float64Array(rows);
    const begin = at;
    numbers.get(column.name)?.forEach((length, i) => {
      from[i] = at;
      at += length || 0;
    });
    need(at <= raw.length, 'a value is longer than its block of rows');
    if (constant.has(column.name)) orderByRow(raw, begin, rows, (at - begin) / rows);
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

/** Returns the rows of a block as lists of SQL values. Each row begins with its id. */
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
