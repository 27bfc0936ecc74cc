// The life of one variable: from accesses in the file or, for an older file, from the reasons of its lives.
import { describe, expect, it } from 'vitest';
import { lifeWindow, partText, touchesOf } from '../src/derived/life';
import type { WhyLive } from '../src/derived/why';

const why = (born: number | null, read: number, failedKill: number | null): WhyLive => ({
  from: born ?? 0,
  end: read + 1,
  born,
  read,
  failedKill,
  missed: failedKill === null ? 0 : 2,
  carrier: '',
});

describe('the life of a variable', () => {
  it('has every access that the file has, and no reason beside them', () => {
    const accesses = [
      { program: 3, elements: 8, read: 0, written: 8, undefined: 0 },
      { program: 5, elements: 8, read: 8, written: 2, undefined: 0 },
      { program: 9, elements: 8, read: 0, written: 0, undefined: 8 },
    ];
    expect(touchesOf(accesses, [why(1, 2, null)], [7]).map((t) => `${t.step} ${t.kind} ${t.elements}`)).toEqual([
      '3 whole 8',
      '5 read 8',
      '5 part 2',
      '7 helps NaN',
      '9 undefined 8',
    ]);
  });
  it('has what begins and ends lives, each once, where the file has no accesses', () => {
    const touches = touchesOf(null, [why(1, 4, null), why(1, 6, 5), why(null, 4, null)], []);
    expect(touches.map((t) => `${t.step} ${t.kind}`)).toEqual(['1 whole', '4 read', '5 part', '6 read']);
  });
  it('says how much of the variable a step touches', () => {
    expect([partText(0, 8), partText(8, 8), partText(2, 4096), partText(NaN, 8)]).toEqual(['', 'all', '2 of 4,096', '']);
  });
  it('is seen with some room around it, within the program', () => {
    const touches = touchesOf([{ program: 40, elements: 1, read: 1, written: 0, undefined: 0 }], [], []);
    expect(lifeWindow([[100, 110]], touches, 1000)).toEqual([33, 117]);
    expect(lifeWindow([[0, 10]], [], 10)).toEqual([0, 10]);
    expect(lifeWindow([], [], 10)).toBeNull();
  });
});
