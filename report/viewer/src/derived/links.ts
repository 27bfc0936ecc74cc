// Checks numbers and lists in a link. A check returns a clause that describes the fault, or null if there is none.
import { integer, parseRanges } from './format';

const upTo = (last: number): string => (last < 0 ? 'none' : last === 0 ? 'only 0' : `0 to ${integer(last)}`);

/** Checks for a whole number below `end`. */
export function outside(what: string, end: number): (word: string) => string | null {
  return (word) => (/^\d+$/.test(word) && Number(word) < end ? null : `there is no ${what} ${word}; the profile has ${upTo(end - 1)}`);
}

/** Checks for a list such as "3,5-9" whose numbers are all below `end`. */
export function listOutside(what: string, end: number): (word: string) => string | null {
  return (word) => {
    if (parseRanges(word, end) === null) return `“${word}” is not a list of ${what}s, such as 3,5-9`;
    const most = Math.max(...(word.match(/\d+/g) ?? ['0']).map(Number));
    return most < end ? null : `there is no ${what} ${most}; the profile has ${upTo(end - 1)}`;
  };
}

export const notNumber = (word: string): string | null => (/^-?\d+(\.\d+)?$/.test(word) ? null : `“${word}” is not a number`);
