// Gives names to copies without a name of their own, after the variables that the copies access: "<StreamCopyMid:weights and 2 more>". The
// commands print the same names (report/answers/MovedNames.hpp).
import type { Database } from './database';
import type { Variable } from './types';

const kMaxVariablesRead = 1000; // the largest variables; a copy of smaller variables moves little data
const kMaxNamed = 3; // kMaxNamed of MovedNames.cpp

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

/** Returns the first name and the number of the other names; a variable with a buffer counts once. */
function nameOf(namings: readonly Naming[]): string {
  const buffers = namings.filter((one) => one.isBuffer).sort((a, b) => a.variable.id - b.variable.id);
  const buffered = new Set(buffers.slice(0, kMaxNamed).map((one) => one.name));
  const others = namings.filter((one) => !one.isBuffer && !buffered.has(one.name)).sort((a, b) => a.variable.id - b.variable.id);
  const all = [...buffers, ...others];
  return (all[0]?.name ?? '') + (all.length > 1 ? ` and ${all.length - 1} more` : '');
}

/**
 * Returns for each program the variables that name it, such as "weights and 2 more": the variables that it writes or, if it writes none,
 * the variables that it reads. Only variables that have a name and the category "variable" count. A buffer <hostMessage:weights> counts as the
 * variable weights, and comes before other variables, such as the offset of the copy.
 */
export function readMovedNames(db: Database, variables: readonly Variable[]): ReadonlyMap<number, string> {
  const largest = variables
    .flatMap((variable) => namingOf(variable) ?? [])
    .sort((a, b) => b.variable.bytes - a.variable.bytes || a.variable.id - b.variable.id)
    .slice(0, kMaxVariablesRead);
  const namings = new Map(largest.map((naming) => [naming.variable.id, naming]));
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
