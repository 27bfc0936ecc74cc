// Explains why a variable is live, from rows of liveness_explanations. Adds the simple intervals that the file leaves out.
import { number, text } from '../data/database';
import { explainsLiveness } from '../data/extras';
import type { Profile, Variable } from '../data/profile';

export interface WhyLive {
  readonly from: number; // program
  readonly end: number; // one past the last program
  readonly born: number | null; // the program that last replaced every element
  readonly read: number; // the nearest program that reads the variable
  readonly failedKill: number | null; // the nearest program before `read` that writes only a part of the variable
  readonly missed: number; // elements that `failedKill` does not write
  readonly carrier: string; // loop, call, next run, or empty
}

/** Returns the explanations of a variable; empty if the profile has none (autoReport.outputLivenessExplanation). */
export function whyLive(profile: Profile, variable: Variable): readonly WhyLive[] {
  return profile.keep(`why ${variable.id}`, () => collectWhy(profile, variable));
}

/** Returns why a variable is live at one program; undefined if this was not recorded, or if the variable is not live there. */
export function whyAt(profile: Profile, variable: Variable, program: number): WhyLive | undefined {
  return whyLive(profile, variable).find((why) => why.from <= program && program < why.end);
}

/** Returns the explanations per variable. Reads all rows at once, because the table has no index. */
function explanations(profile: Profile): ReadonlyMap<number, readonly WhyLive[]> {
  return profile.keep('explanations', () => {
    const out = new Map<number, WhyLive[]>();
    const sql =
      'SELECT variable, first_program, end_program, born, read, failed_kill, missed_elements, carrier FROM liveness_explanations ORDER BY id';
    for (const row of profile.db.query(sql)) {
      const why = {
        from: number(row.first_program),
        end: number(row.end_program),
        born: typeof row.born === 'number' ? row.born : null,
        read: number(row.read),
        failedKill: typeof row.failed_kill === 'number' ? row.failed_kill : null,
        missed: number(row.missed_elements),
        carrier: text(row.carrier),
      };
      const list = out.get(number(row.variable));
      if (list) list.push(why);
      else out.set(number(row.variable), [why]);
    }
    return out;
  });
}

function collectWhy(profile: Profile, variable: Variable): WhyLive[] {
  if (!explainsLiveness(profile)) return [];
  const rows = [...(explanations(profile).get(variable.id) ?? [])];
  // An interval without a row is simple: its first program writes every element, and its last program reads the variable
  // (docs/FORMAT-pop.md).
  if (!variable.alwaysLive && variable.equivalenceClass !== null)
    for (const [from, end] of profile.intervals.get(variable.equivalenceClass) ?? [])
      if (!rows.some((row) => row.from < end && from < row.end))
        rows.push({ from, end, born: from, read: end - 1, failedKill: null, missed: 0, carrier: '' });
  return rows.sort((a, b) => a.from - b.from);
}
