// Names and numbers as text.
import { describe, expect, it } from 'vitest';
import { counted, fitted, integer, middle, signed } from '../src/derived/format';

describe('text', () => {
  it('of a long name has its beginning and its end', () => {
    expect(middle('Layer1/Fwd', 10)).toBe('Layer1/Fwd');
    expect(middle('Layer1/Fwd/Multiply/ExchangePre', 11)).toBe('Layer…gePre');
    expect(middle('Layer1/Fwd/Multiply/ExchangePre', 12)).toBe('Layer1…gePre');
    expect(Array.from(middle('🙂'.repeat(40), 9)).length).toBe(9); // no character is cut in two
  });
  it('of a long name fits a width, whether its letters are wide or narrow', () => {
    const widthOf = (text: string) => Array.from(text).reduce((sum, c) => sum + (c === 'w' ? 12 : c === 'i' ? 3 : 7), 0);
    for (const name of ['w'.repeat(300), 'i'.repeat(300), 'wide/'.repeat(40), 'ab', 'abc']) {
      for (const room of [10, 30, 100, 333]) {
        const text = fitted(name, room, widthOf);
        expect(widthOf(text), `${name} ${room}`).toBeLessThanOrEqual(room);
        if (text !== name && text !== '') expect(widthOf(text), `${name} ${room}`).toBeGreaterThan(room - 24); // as long as fits
      }
    }
    expect(fitted('Layer1/Fwd/Multiply', 60, widthOf)).toBe('Laye…iply');
    expect(fitted('wwww', 20, widthOf)).toBe('');
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
