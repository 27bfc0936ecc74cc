// Answers of `popscope` about the profile, which `popscope html` puts into the page beside it: what takes an analysis of all tiles and
// steps is made once, there, and shown here as it is. A profile that is dropped on the page has none.
import { visible } from './visible';

export type AnswerCell = string | number | boolean | null;
type AnswerRow = Readonly<Record<string, AnswerCell | undefined>>;

export interface AnswerTable {
  readonly title: string;
  readonly columns: readonly { readonly key: string; readonly title: string; readonly unit: string }[];
  readonly rows: readonly AnswerRow[];
  readonly more: number; // rows that were left out
}

export interface Answer {
  readonly lines: readonly string[]; // sentences; a leading "!" marks an alarm
  readonly facts: AnswerRow;
  readonly tables: Readonly<Record<string, AnswerTable | undefined>>;
  readonly notes: readonly string[];
}

export interface Answers {
  readonly views: Readonly<Record<string, Answer | undefined>>; // by name; what the profile lacks for one is not there
  readonly lossOfRuns: readonly Answer[]; // by position of the run; empty where there is one run, or are very many
  readonly oomOfTiles: readonly Answer[]; // of each tile that does not fit, the fullest first; of very many tiles, the first ones
}

export function cellNumber(cell: AnswerCell | undefined): number {
  return typeof cell === 'number' ? cell : NaN;
}
export function cellText(cell: AnswerCell | undefined): string {
  return typeof cell === 'string' ? cell : cell === null || cell === undefined ? '' : String(cell);
}

/** What `popscope html` wrote; null where it is not that, as of another version. Its texts are shown as text, whatever they hold. */
export function readAnswers(bytes: Uint8Array): Answers | null {
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes), (_, value: unknown) =>
      typeof value === 'string' ? visible(value) : value,
    );
    const { views, lossOfRuns, oomOfTiles } = read as Partial<Answers>;
    if (typeof views !== 'object' || !Array.isArray(lossOfRuns)) return null;
    return { views, lossOfRuns, oomOfTiles: Array.isArray(oomOfTiles) ? oomOfTiles : [] };
  } catch {
    return null;
  }
}
