// Names of copies that the program did not name, after the variables that they access: "<StreamCopyMid:weights and 2 more>". The commands
// print the same names (report/answers/MovedNames.hpp).
import type { Database } from './database';
import type { Variable } from './types';

const kMaxVariablesRead = 1000; // the largest variables; a copy of smaller variables moves little data

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

/** Returns what a copy without a name of its own is called, without its variables; empty if the program has a name or is no such copy. */
export function kindOfUnnamed(type: string, name: string): string {
  return kCompilersNames.has(name) ? name : name === '' && type === 'StreamCopyMid' ? type : '';
}

/**
 * Returns for each program the variables that name it, such as "weights and 2 more": the variables that it writes or, if it writes none,
 * the variables that it reads. Only variables that have a name and the category "variable" count.
 */
export function readMovedNames(db: Database, variables: readonly Variable[]): ReadonlyMap<number, string> {
  const read = new Set(
    variables
      .filter((v) => v.category === 'variable' && v.name !== '')
      .sort((a, b) => b.bytes - a.bytes || a.id - b.id)
      .slice(0, kMaxVariablesRead)
      .map((v) => v.id),
  );
  const accessed = new Map<number, { readonly written: boolean; readonly of: Set<number> }>();
  for (const block of db.blocks('variable_accesses')) {
    const [ids, programs, reads, writes] = ['variable', 'program', 'read', 'written'].map((name) => block.numbers(name));
    for (let i = 0; i < block.count; ++i) {
      const [variable, program, written] = [ids?.[i] ?? -1, programs?.[i] ?? -1, (writes?.[i] ?? 0) > 0];
      if (!read.has(variable) || (!written && !((reads?.[i] ?? 0) > 0))) continue;
      const one = accessed.get(program);
      if (!one || (written && !one.written)) accessed.set(program, { written, of: new Set([variable]) });
      else if (written === one.written) one.of.add(variable);
    }
  }
  return new Map(
    [...accessed].map(([program, { of }]) => {
      const first = Math.min(...of);
      return [program, (variables[first]?.name ?? '') + (of.size > 1 ? ` and ${of.size - 1} more` : '')];
    }),
  );
}
