// Names and numbers as text.
import { describe, expect, it } from 'vitest';
import { counted, integer, middle, signed } from '../src/derived/format';

describe('text', () => {
  it('of a long name has its beginning and its end', () => {
    expect(middle('Layer1/Fwd', 10)).toBe('Layer1/Fwd');
    expect(middle('Layer1/Fwd/Multiply/ExchangePre', 11)).toBe('Layer…gePre');
    expect(middle('Layer1/Fwd/Multiply/ExchangePre', 12)).toBe('Layer1…gePre');
    expect(Array.from(middle('🙂'.repeat(40), 9)).length).toBe(9); // no character is cut in two
  });
  it('of a count has the noun in the singular or the plural', () => {
    expect([counted(0, 'tile'), counted(1, 'tile'), counted(1234, 'tile'), counted(NaN, 'tile')]).toEqual([
      '0 tiles',
      '1 tile',
      '1,234 tiles',
      '– tiles',
    ]);
    expect([counted(1, 'vertex', 'vertices'), counted(2, 'vertex', 'vertices')]).toEqual(['1 vertex', '2 vertices']);
  });
  it('of a number has a sign as wide as a plus', () => {
    expect([integer(-1234), signed(5), signed(0), signed(-5), signed(NaN)]).toEqual(['−1,234', '+5', '0', '−5', '–']);
  });
});
