// Tables that are kept as columns in packed_rows (docs/FORMAT-pop.md): blocks of rows to rows. Files come from strangers.
import { unzlibSync } from 'fflate';
import { DamagedBlob } from './decode';

type Cell = number | Uint8Array | null;

interface Column {
  readonly name: string;
  readonly mayBeNull?: boolean;
  readonly isBlob?: boolean;
}

/** The columns behind `id` of each packed table. */
export const kPackedTables: Readonly<Record<string, readonly Column[]>> = {
  vars_info: [
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
  liveness_variables: [
    { name: 'name' },
    { name: 'size_bytes' },
    { name: 'always_live' },
    { name: 'equivalence_class', mayBeNull: true },
    { name: 'category' },
    { name: 'bytes_by_tile', mayBeNull: true, isBlob: true },
  ],
};

const kCodec = 6;
const kMostRows = 65536;
const kMostBytes = 2 ** 28;

function need(condition: boolean, what: string): asserts condition {
  if (!condition) throw new DamagedBlob(what);
}

function signed(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getInt8(at);
  if (width === 2) return view.getInt16(at, true);
  return width === 4 ? view.getInt32(at, true) : Number(view.getBigInt64(at, true));
}

/** The rows of a block, each with its id first. */
export function unpackRows(columns: readonly Column[], first: number, rows: number, blob: Uint8Array): Cell[][] {
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
  const result: Cell[][] = Array.from({ length: rows }, (_, i) => [first + i]);
  let at = 0;
  for (const column of columns) {
    const log = raw[at++] ?? 4;
    const width = 1 << log;
    need(log <= 3 && at + rows * width <= raw.length, 'a block of rows ends inside a column');
    let sum = 0;
    for (const row of result) {
      sum += signed(view, at, width);
      at += width;
      need(sum >= 0, 'a number in a block of rows is negative');
      row.push(column.mayBeNull ? (sum === 0 ? null : sum - 1) : sum);
    }
  }
  columns.forEach((column, c) => {
    if (!column.isBlob) return;
    for (const row of result) {
      const length = row[c + 1];
      if (typeof length !== 'number') continue;
      need(at + length <= raw.length, 'a value is longer than its block of rows');
      row[c + 1] = raw.subarray(at, at + length);
      at += length;
    }
  });
  need(at === raw.length, 'a block of rows has more bytes than columns');
  return result;
}
