// What a link names and the profile has not: said at the top of the page, and not quietly replaced by something near.
import type { Profile } from '../data/profile';
import { integer, parseRanges } from './format';

interface Asked {
  readonly view: string;
  readonly params: Readonly<Record<string, string>>;
}

const upTo = (last: number): string => (last < 0 ? 'none' : last === 0 ? '0 alone' : `0 to ${integer(last)}`);

/** A whole number below `end`. */
function outside(what: string, end: number): (word: string) => string | null {
  return (word) => (/^\d+$/.test(word) && Number(word) < end ? null : `there is no ${what} ${word}; the profile has ${upTo(end - 1)}`);
}

/** A list such as "3,5-9", each number below `end`. */
function listOutside(what: string, end: number): (word: string) => string | null {
  return (word) => {
    if (parseRanges(word, end) === null) return `“${word}” is no list of ${what}s, such as 3,5-9`;
    const most = Math.max(...(word.match(/\d+/g) ?? ['0']).map(Number));
    return most < end ? null : `there is no ${what} ${most}; the profile has ${upTo(end - 1)}`;
  };
}

const notNumber = (word: string): string | null => (/^-?\d+(\.\d+)?$/.test(word) ? null : `“${word}” is no number`);

/** Sentences on the parameters of a link that name nothing in the profile. */
export function linkProblems(profile: Profile, asked: Asked, views: readonly string[]): readonly string[] {
  const { params } = asked;
  const problems: string[] = [];
  if (asked.view !== '' && !views.includes(asked.view)) problems.push(`there is no view “${asked.view}”`);
  const check = (keys: readonly string[], wrong: (word: string) => string | null) => {
    for (const key of keys) {
      const word = params[key] ?? '';
      const problem = word === '' ? null : wrong(word);
      if (problem) problems.push(problem);
    }
  };
  if (params.tile !== 'all') check(['tile', 'worker'], outside('tile', profile.tiles));
  check(['tiles'], listOutside('tile', profile.tiles));
  if (params.step || params.vs) check(['step', 'vs'], outside('step', profile.programs.length));
  if (params.variable) check(['variable'], outside('variable', profile.variables.length));
  if (params.at) check(['at'], listOutside('executed step', profile.steps.count));
  if (params.ipu !== 'all') check(['ipu'], outside('IPU', profile.ipus));
  check(['run'], (word) => (profile.runs.some((run) => String(run.id) === word) ? null : `there is no run ${word}`));
  check(['from', 'to', 'bfrom', 'bto'], notNumber);
  return problems;
}
