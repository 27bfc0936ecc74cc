// Copies without a name have the names that the commands print: of the variables that they write, else of those that they read.
import { describe, expect, it } from 'vitest';
import type { Database } from '../src/data/database';
import { kindOfUnnamed, readMovedNames } from '../src/data/movedNames';
import type { RowBlock } from '../src/data/rows';
import type { Profile } from '../src/data/profile';
import type { Program, Variable } from '../src/data/types';
import { placeBefore, programLabel } from '../src/derived/names';

const variable = (id: number, name: string, category = 'variable'): Variable => ({
  id,
  name,
  bytes: 4 * (id + 1),
  alwaysLive: true,
  equivalenceClass: null,
  category,
});

/** Returns the names for accesses of the form [variable, program, read, written]. */
function namesOf(variables: readonly Variable[], accesses: readonly (readonly number[])[]): ReadonlyMap<number, string> {
  const column = ['variable', 'program', 'read', 'written'];
  const block: Partial<RowBlock> = {
    count: accesses.length,
    numbers: (name) => Float64Array.from(accesses, (access) => access[column.indexOf(name)] ?? NaN),
  };
  return readMovedNames({ blocks: () => [block] } as unknown as Database, variables);
}

describe('a copy without a name', () => {
  const variables = [variable(0, 'in'), variable(1, 'weights'), variable(2, 'bias'), variable(3, ''), variable(4, 'message', 'message')];
  it('is named by what it writes, the first variable first, and else by what it reads', () => {
    const accesses = [
      [2, 7, 0, 8], [1, 7, 0, 8], [0, 7, 3, 0], // writes two, reads one
      [0, 8, 4, 0], // reads
      [3, 9, 0, 1], [4, 9, 0, 1], // no name, another category
      [2, 10, 0, 0], // undefines
    ]; // prettier-ignore
    expect([...namesOf(variables, accesses)]).toEqual([
      [7, 'weights and 1 more'],
      [8, 'in'],
    ]);
  });
  it('counts several variables of one name once, however many variables the program has', () => {
    const many = Array.from({ length: 3000 }, (_, id) => variable(id, `v${id % 3}`));
    expect(namesOf(many, many.map(({ id }) => [id, 7, 0, 1])).get(7)).toBe('v0 and 2 more'); // prettier-ignore
  });
  it('is named after the variable of a host message buffer, which comes before an offset', () => {
    const moved = [
      variable(0, 'idx'),
      variable(1, 'w'),
      variable(2, '<hostMessage:w>', 'hostMessage'),
      variable(3, '<hostMessage:<x>>', 'hostMessage'),
    ];
    const accesses = [
      [0, 5, 4, 0], [2, 5, 0, 100], // a row from a remote buffer
      [0, 6, 4, 0], [2, 6, 100, 0], // a row to it
      [1, 7, 8, 0], [2, 7, 3, 0], // whole words of w, and the rest through the buffer
      [3, 8, 0, 4],
    ]; // prettier-ignore
    expect([...namesOf(moved, accesses)]).toEqual([
      [5, 'w'],
      [6, 'w and 1 more'],
      [7, 'w'],
      [8, '<x>'],
    ]);
  });
  it('has the name with its kind', () => {
    const program = (type: string, name: string, moved: string) => ({ type, name, count: 0, moved: () => moved }) as unknown as Program;
    expect(programLabel(program('StreamCopyMid', '', 'weights'))).toBe('<StreamCopyMid:weights>');
    expect(programLabel(program('OnTileExecute', 'OnTileCopy', 'a and 2 more'))).toBe('<OnTileCopy:a and 2 more>');
    expect(programLabel(program('StreamCopyMid', '', ''))).toBe('StreamCopyMid');
    expect(kindOfUnnamed('StreamCopyMid', 'mine')).toBe('');
    expect(kindOfUnnamed('Sequence', '')).toBe('');
  });
});

describe('the place of a WriteUndef', () => {
  const programs = [
    ['Sequence', '', null],
    ['Sync', '', 0],
    ['DoExchange', 'fast/ExchangePre', 0],
    ['OnTileExecute', 'fast', 0],
    ['Sync', '', 0],
    ['DoExchange', 'copy/ExchangePre', 0],
    ['OnTileExecute', 'slow', 0],
    ['Sync', '', 0],
  ].map(([type, name, parent], id) => ({ id, type: String(type), name: String(name), parent: parent === null ? null : Number(parent) }));
  const profile = { programs, children: [[1, 2, 3, 4, 5, 6, 7]] } as unknown as Profile;
  it('is called by the compute set or the copy that begins there, not by its barrier', () => {
    expect([1, 2, 3].map((id) => placeBefore(profile, id))).toEqual([3, 3, 3]);
    expect([4, 5].map((id) => placeBefore(profile, id))).toEqual([5, 5]);
    expect([0, 6, 7].map((id) => placeBefore(profile, id))).toEqual([0, 6, 7]);
  });
});
