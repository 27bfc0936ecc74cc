// Gives names to copies without a name of their own, after the variables that the copies access: "<StreamCopyMid:weights and 2 more>". The
// commands print the same names (report/answers/MovedNames.hpp).
import type { Database } from './database';
import type { Variable } from './types';

/** Names that the compiler chose for the parts of a copy without a name (isCompilersName in report/answers/StepNames.cpp). */
const kCompilersNames: ReadonlySet<string> = new Set([
  'Exchange',
  'ExchangePre',
  'GlobalExchange',
  'GlobalExchangePre',
  'CrossReplicaExchange',
  'OnTileCopy',
  'OnTileCopyPre',
  'OnTileCopyPost',
]);

export const isCompilersName = (name: string): boolean => kCompilersNames.has(name);

/** Returns the name of a copy without a name of its own, but leaves out the variables in this name; empty for any other program. */
export function kindOfUnnamed(type: string, name: string): string {
  return kCompilersNames.has(name) ? name : name === '' && type === 'StreamCopyMid' ? type : '';
}

/** A variable whose accesses name programs, or a buffer for the data of the variable `name` on the way to or from the host. */
interface Naming {
  readonly variable: Variable;
  readonly name: string;
  readonly isBuffer: boolean;
}

function namingOf(variable: Variable): Naming | null {
  if (variable.category === 'variable' && variable.name !== '') return { variable, name: variable.name, isBuffer: false };
  const buffered = variable.category === 'hostMessage' ? /^<hostMessage:(.*)>$/s.exec(variable.name)?.[1] : undefined;
  return buffered === undefined ? null : { variable, name: buffered, isBuffer: true };
}

/** Returns the first name and the number of the other names. */
function nameOf(namings: readonly Naming[]): string {
  const sorted = [...namings].sort((a, b) => Number(b.isBuffer) - Number(a.isBuffer) || a.variable.id - b.variable.id);
  const names = [...new Set(sorted.map((one) => one.name))];
  return (names[0] ?? '') + (names.length > 1 ? ` and ${names.length - 1} more` : '');
}

/**
 * Returns for each program the variables that name it, such as "weights and 2 more": the variables that it writes or, if it writes none,
 * the variables that it reads. Counts different names of variables that have the category "variable". A buffer <hostMessage:weights> counts as
 * the variable weights, and comes before other variables, such as the offset of the copy.
 */
export function readMovedNames(db: Database, variables: readonly Variable[]): ReadonlyMap<number, string> {
  const namings = new Map(variables.flatMap((variable) => namingOf(variable) ?? []).map((naming) => [naming.variable.id, naming]));
  const accessed = new Map<number, { readonly written: boolean; readonly of: Set<Naming> }>();
  for (const block of db.blocks('variable_accesses')) {
    const [ids, programs, reads, writes] = ['variable', 'program', 'read', 'written'].map((name) => block.numbers(name));
    for (let i = 0; i < block.count; ++i) {
      const [naming, program, written] = [namings.get(ids?.[i] ?? -1), programs?.[i] ?? -1, (writes?.[i] ?? 0) > 0];
      if (!naming || (!written && !((reads?.[i] ?? 0) > 0))) continue;
      const one = accessed.get(program);
      if (!one || (written && !one.written)) accessed.set(program, { written, of: new Set([naming]) });
      else if (written === one.written) one.of.add(naming);
    }
  }
  return new Map([...accessed].map(([program, { of }]) => [program, nameOf([...of])]));
}
