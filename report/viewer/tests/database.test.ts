// Values of a file that JavaScript cannot hold as they are: bytes that are not UTF-8, and integers of more than 53 bits.
import { describe, expect, it } from 'vitest';
import { text } from '../src/data/database';
import { utf8 } from '../src/data/visible';
import { databaseOf } from './memory';

describe('a name', () => {
  it('keeps bytes that are not UTF-8 apart', async () => {
    const db = await databaseOf(
      "CREATE TABLE t (id, n); INSERT INTO t VALUES (0, CAST(X'73ff' AS TEXT)), (1, CAST(X'73fe' AS TEXT)), (2, 's�')",
    );
    const names = db.query('SELECT n FROM t ORDER BY id').map((row) => text(row.n));
    expect(names).toEqual(['s\\xff', 's\\xfe', 's\ufffd']);
    expect(db.table('SELECT n FROM t ORDER BY id', 9).rows.map((row) => row[0])).toEqual(names);
  });
  it('has \\xNN for each byte that is not UTF-8, and no other', () => {
    const shown = (...bytes: number[]) => utf8(Uint8Array.from(bytes));
    const x = (...bytes: number[]) => bytes.map((b) => `\\x${b.toString(16)}`).join('');
    expect(shown(0x61, 0xc3, 0xa4, 0xff)).toBe('aä\\xff');
    expect(shown(0xf0, 0x9f, 0x99, 0x82, 0xe2, 0x82)).toBe(`🙂${x(0xe2, 0x82)}`);
    expect(shown(0xc0, 0xaf)).toBe(x(0xc0, 0xaf)); // too long for its character
    expect(shown(0xe0, 0x80, 0xaf)).toBe(x(0xe0, 0x80, 0xaf));
    expect(shown(0xed, 0xa0, 0x80)).toBe(x(0xed, 0xa0, 0x80)); // half of a pair
    expect(shown(0xf4, 0x90, 0x80, 0x80)).toBe(x(0xf4, 0x90, 0x80, 0x80)); // above the last character
    expect(shown(0xef, 0xbf, 0xbd, 0x80)).toBe('\ufffd\\x80');
  });
});

it('prints all digits of an integer in an answer to a query of the user', async () => {
  const db = await databaseOf('');
  const query = 'SELECT 9007199254740993, -9223372036854775808, 9007199254740991, -5, 0.5, NULL';
  expect(db.table(query, 1).rows).toEqual([['9007199254740993', '-9223372036854775808', 9007199254740991, -5, 0.5, null]]);
});

it('asks for a statement if a query of the user has none', async () => {
  const db = await databaseOf('');
  for (const query of ['', ' ;', '-- nothing']) expect(() => db.table(query, 1)).toThrow('The SQL is empty: enter a SELECT statement.');
});
