// Answers of `popscope` about the profile. `popscope html` computes the answers that need an analysis of all tiles and steps, and stores
// these answers in the page. A profile that the user drops on the page has no answers.
import { visible } from './visible';

export type AnswerCell = string | number | boolean | null;
type AnswerRow = Readonly<Record<string, AnswerCell | undefined>>;

export interface AnswerTable {
  readonly title: string;
  readonly columns: readonly { readonly key: string; readonly title: string; readonly unit: string }[];
  readonly rows: readonly AnswerRow[];
  readonly more: number; // number of rows that were left out
}

export interface Answer {
  readonly lines: readonly string[]; // sentences; a leading "!" marks an alarm
  readonly facts: AnswerRow;
  readonly tables: Readonly<Record<string, AnswerTable | undefined>>;
  readonly notes: readonly string[];
}

export interface Answers {
  readonly views: Readonly<Record<string, Answer | undefined>>; // by name; a view for which the profile has no data is absent
  readonly refused: Readonly<Record<string, string | undefined>>; // for each absent view: what the profile lacks
  readonly lossOfRuns: readonly Answer[]; // one per run, in order; empty for a single run or for very many runs
  // one per tile that does not fit, fullest tile first; if very many tiles do not fit, only for the fullest of them
  readonly oomOfTiles: readonly Answer[];
}

export function cellNumber(cell: AnswerCell | undefined): number {
  return typeof cell === 'number' ? cell : NaN;
}
export function cellText(cell: AnswerCell | undefined): string {
  return typeof cell === 'string' ? cell : cell === null || cell === undefined ? '' : String(cell);
}

/**
 * Returns the answers that `popscope html` wrote, or null for any other data, for example of another version. The page shows texts of
 * answers as plain text.
 */
export function readAnswers(bytes: Uint8Array): Answers | null {
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes), (_, value: unknown) =>
      typeof value === 'string' ? visible(value) : value,
    );
    const { views, refused, lossOfRuns, oomOfTiles } = read as Partial<Answers>;
    if (typeof views !== 'object' || !Array.isArray(lossOfRuns)) return null;
    return {
      views,
      refused: typeof refused === 'object' ? refused : {},
      lossOfRuns,
      oomOfTiles: Array.isArray(oomOfTiles) ? oomOfTiles : [],
    };
  } catch {
    return null;
  }
}
