// Reads debug.cbor: the debug contexts in which programs were created. The file is untrusted, so the reader checks every length against the
// remaining bytes.
import { utf8, visible } from './visible';

export interface DebugContext {
  readonly id: number;
  readonly parent: number; // id of the enclosing context; 0 = none
  readonly layer: string; // software that created the context: poplar, poplibs, popart, …
  readonly name: string;
  readonly file: string;
  readonly functionName: string;
  readonly line: number;
  readonly record: ReadonlyMap<string, Item>; // all fields of the context in the file
}

export type Item = number | string | boolean | null | Uint8Array | readonly Item[] | ReadonlyMap<string, Item>;

/** An error whose message is a sentence for the user about the fault of a file of debug information. */
export class BadDebug extends Error {}

const kMaxDepth = 64;

class Reader {
  private at = 0;
  private readonly view: DataView;
  constructor(
    private readonly name: string,
    private readonly bytes: Uint8Array,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private refuse(what: string): never {
    throw new BadDebug(`${this.name} is not debug information: ${what}.`);
  }

  private take(count: number): number {
    if (!(count <= this.bytes.length - this.at)) this.refuse('it ends too early');
    const from = this.at;
    this.at += count;
    return from;
  }

  /** Returns the argument of an item: `extra` (the low bits of the head byte) or the number after the head byte. */
  private argument(extra: number): number {
    switch (extra) {
      case 24:
        return this.view.getUint8(this.take(1));
      case 25:
        return this.view.getUint16(this.take(2));
      case 26:
        return this.view.getUint32(this.take(4));
      case 27:
        return Number(this.view.getBigUint64(this.take(8)));
      default:
        return extra < 24 ? extra : this.refuse('an item does not state its length');
    }
  }

  private half(bits: number): number {
    const exponent = (bits >> 10) & 31;
    const mantissa = bits & 1023;
    const size =
      exponent === 0 ? mantissa * 2 ** -24 : exponent === 31 ? (mantissa ? NaN : Infinity) : (mantissa + 1024) * 2 ** (exponent - 25);
    return bits & 0x8000 ? -size : size;
  }

  private simple(extra: number): Item {
    if (extra === 20 || extra === 21) return extra === 21;
    if (extra === 25) return this.half(this.view.getUint16(this.take(2)));
    if (extra === 26) return this.view.getFloat32(this.take(4));
    if (extra === 27) return this.view.getFloat64(this.take(8));
    return extra === 22 || extra === 23 ? null : this.refuse('it has an unknown item');
  }

  item(depth = 0): Item {
    if (depth > kMaxDepth) this.refuse('it nests too deeply');
    const head = this.view.getUint8(this.take(1));
    const [major, extra] = [head >> 5, head & 31];
    if (major === 7) return this.simple(extra);
    const value = this.argument(extra);
    if (major === 0) return value;
    if (major === 1) return -1 - value;
    if (major === 6) return this.item(depth + 1); // a tag describes the item after it
    if (value > this.bytes.length - this.at) this.refuse('it ends too early');
    if (major === 2 || major === 3) {
      const from = this.take(value);
      const content = this.bytes.subarray(from, from + value);
      return major === 2 ? content : utf8(content);
    }
    if (major === 4) return Array.from({ length: value }, () => this.item(depth + 1));
    const map = new Map<string, Item>();
    for (let i = 0; i < value; ++i) {
      const key = this.item(depth + 1);
      map.set(typeof key === 'string' ? key : String(key), this.item(depth + 1));
    }
    return map;
  }

  root(): ReadonlyMap<string, Item> {
    const found = this.item();
    if (this.at !== this.bytes.length || !isMap(found)) this.refuse('it is not a CBOR map');
    return found;
  }
}

export function isMap(item: Item | undefined): item is ReadonlyMap<string, Item> {
  return item instanceof Map;
}

const wordOf = (map: ReadonlyMap<string, Item>, key: string): string => {
  const value = map.get(key);
  return typeof value === 'string' ? visible(value) : '';
};
const countOf = (map: ReadonlyMap<string, Item>, key: string): number => {
  const value = map.get(key);
  return typeof value === 'number' && value >= 0 ? value : 0;
};

/** Returns a text of a location: the text itself, or the entry of the file's string table whose number the location contains. */
const placeOf = (location: ReadonlyMap<string, Item>, key: string, table: Item | undefined): string => {
  const value = location.get(key);
  const text: unknown = typeof value === 'number' && Array.isArray(table) ? (table as readonly Item[])[value] : value;
  return typeof text === 'string' ? visible(text) : '';
};

/**
 * Returns the contexts by id, in the order of the file. `profile` is the id of debug information that the profile's meta table contains, or
 * '' if it contains none. Throws BadDebug if the file is damaged or belongs to another profile.
 */
export function readDebug(name: string, bytes: Uint8Array, profile: string): ReadonlyMap<number, DebugContext> {
  const root = new Reader(name, bytes).root();
  const contexts = root.get('contexts');
  const id = wordOf(root, 'profile');
  if (id !== '' && id !== profile) throw new BadDebug(`${name} is the debug information of another profile.`);
  if (!Array.isArray(contexts)) throw new BadDebug(`${name} is not debug information: it has no array "contexts".`);
  const table = root.get('stringTable');
  const out = new Map<number, DebugContext>();
  for (const record of contexts as readonly Item[]) {
    if (!isMap(record)) throw new BadDebug(`${name} is damaged: a context is not a map.`);
    const place = record.get('location');
    const at = isMap(place) ? place : new Map<string, Item>();
    const [id, parent] = [countOf(record, 'id'), countOf(record, 'parentId')];
    if (parent >= id || out.has(id)) throw new BadDebug(`${name} is damaged: context ${id} comes twice, or before its parent context.`);
    out.set(id, {
      id,
      parent,
      layer: wordOf(record, 'layer'),
      name: wordOf(record, 'name'),
      file: placeOf(at, 'fileName', table),
      functionName: placeOf(at, 'functionName', table),
      line: countOf(at, 'lineNumber'),
      record,
    });
  }
  return out;
}

/** Returns a record as JSON text for display. A byte string appears as its number of bytes. */
export function itemJson(item: Item): string {
  const plain = (value: Item): unknown =>
    isMap(value)
      ? Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]))
      : value instanceof Uint8Array
        ? `${value.length} bytes`
        : Array.isArray(value)
          ? (value as readonly Item[]).map(plain)
          : value;
  return JSON.stringify(plain(item), null, 2);
}
