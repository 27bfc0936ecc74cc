// Compares the reader of debug.cbor with an encoder written from RFC 8949, and checks operations of a worked example.
import { describe, expect, it } from 'vitest';
import { BadDebug, isMap, itemJson, readDebug } from '../src/data/debug';

type Plain = number | string | boolean | null | Plain[] | { [key: string]: Plain };

const text = new TextEncoder();

function head(major: number, value: number): number[] {
  if (value < 24) return [(major << 5) | value];
  const width = value < 256 ? 1 : value < 65536 ? 2 : value < 2 ** 32 ? 4 : 8;
  const bytes = Array.from({ length: width }, (_, i) => Number((BigInt(value) >> BigInt(8 * (width - 1 - i))) & 255n));
  return [(major << 5) | (24 + Math.log2(width)), ...bytes];
}

function cbor(value: Plain): number[] {
  if (value === null) return [0xf6];
  if (typeof value === 'boolean') return [value ? 0xf5 : 0xf4];
  if (typeof value === 'string') return [...head(3, text.encode(value).length), ...text.encode(value)];
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return value < 0 ? head(1, -1 - value) : head(0, value);
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setFloat64(0, value);
    return [0xfb, ...new Uint8Array(bytes.buffer)];
  }
  if (Array.isArray(value)) return [...head(4, value.length), ...value.flatMap(cbor)];
  return [...head(5, Object.keys(value).length), ...Object.entries(value).flatMap(([k, v]) => [...cbor(k), ...cbor(v)])];
}

const kContexts: Plain[] = [
  { id: 1, parentId: 0, layer: 'application', name: 'model', location: { fileName: 'm.cpp', functionName: 'main', lineNumber: 70000 } },
  {
    id: 2 ** 48 + 5,
    parentId: 1,
    layer: 'library',
    name: 'model/größe',
    api: 'f',
    args: [1, -2, 2.5, true, null, 'x', 2 ** 40, { a: [] }],
  },
];
const kFile = Uint8Array.from(cbor({ contexts: kContexts, dropped: 0 }));

describe('debug information', () => {
  it('is read as it was written', () => {
    const contexts = readDebug('debug.cbor', kFile, '');
    expect([...contexts.keys()]).toEqual([1, 2 ** 48 + 5]);
    expect(contexts.get(1)).toMatchObject({
      layer: 'application',
      name: 'model',
      file: 'm.cpp',
      functionName: 'main',
      line: 70000,
      parent: 0,
    });
    const second = contexts.get(2 ** 48 + 5);
    expect(second).toMatchObject({ parent: 1, name: 'model/größe', file: '', line: 0 });
    expect(JSON.parse(itemJson(second?.record ?? null))).toEqual(kContexts[1]);
  });
  it('may have its texts of places in a table', () => {
    const contexts = [{ id: 1, parentId: 0, layer: 'l', name: 'n', location: { fileName: 1, functionName: 0, lineNumber: 3 } }];
    const read = readDebug('debug.cbor', Uint8Array.from(cbor({ contexts, stringTable: ['main', 'm.cpp'] })), '');
    expect(read.get(1)).toMatchObject({ file: 'm.cpp', functionName: 'main', line: 3 });
    const none = readDebug('debug.cbor', Uint8Array.from(cbor({ contexts, stringTable: ['main'] })), '');
    expect(none.get(1)).toMatchObject({ file: '', functionName: 'main' });
  });
  it('is not that of another profile', () => {
    const file = Uint8Array.from(cbor({ profile: 'a1', contexts: kContexts }));
    expect(readDebug('a', file, 'a1').size).toBe(2);
    expect(() => readDebug('a', file, 'b2')).toThrow('a is the debug information of another profile.');
    expect(() => readDebug('a', file, '')).toThrow('of another profile');
    expect(readDebug('a', kFile, 'b2').size).toBe(2); // the file of a DebugStreamer belongs to no profile
  });
  it('says in a sentence what is wrong with 2,000 damaged files', () => {
    let state = 3;
    const random = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
    let refused = 0;
    for (let i = 0; i < 2000; ++i) {
      const bytes = i % 3 === 0 ? kFile.slice(0, random(kFile.length)) : kFile.slice();
      if (i % 3 !== 0) for (let k = 0; k < 1 + random(5); ++k) bytes[random(bytes.length)] = random(256);
      try {
        readDebug('debug.cbor', bytes, '');
      } catch (error) {
        expect(error).toBeInstanceOf(BadDebug);
        ++refused;
      }
    }
    expect(refused).toBeGreaterThan(700);
  });
  it('is refused where it nests without end, claims more than it has, or has no order', () => {
    const nested = Uint8Array.from([...Array<number>(100_000).fill(0x81), 0]);
    expect(() => readDebug('a', nested, '')).toThrow('nests too deeply');
    expect(() => readDebug('a', Uint8Array.from([0x9b, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff]), '')).toThrow('ends too early');
    expect(() => readDebug('a', Uint8Array.from([0x9f, 0xff]), '')).toThrow('does not state its length');
    expect(() => readDebug('a', Uint8Array.from(cbor({ contexts: [{ id: 1 }, { id: 1 }] })), '')).toThrow('comes twice');
    expect(() => readDebug('a', Uint8Array.from(cbor({ contexts: [{ id: 1, parentId: 2 }] })), '')).toThrow('damaged');
    expect(() => readDebug('a', Uint8Array.from(cbor([1])), '')).toThrow('not a CBOR map');
    expect(() => readDebug('a', new Uint8Array(0), '')).toThrow('ends too early');
  });
  it('takes a key named like a part of objects for what it is', () => {
    const contexts = readDebug(
      'a',
      Uint8Array.from(cbor({ contexts: [JSON.parse('{"id": 1, "__proto__": {"layer": "x"}}') as Plain] })),
      '',
    );
    expect(contexts.get(1)?.layer).toBe('');
    expect(isMap(contexts.get(1)?.record.get('__proto__'))).toBe(true);
  });
});
