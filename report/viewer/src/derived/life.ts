// The life of a variable: the steps that write, read or undefine the variable.
import type { VariableAccess } from '../data/types';
import type { WhyLive } from './why';

/** `whole` and `part`: the step writes all elements or some of them. `helps`: a WriteUndef before the step would save memory. */
export type TouchKind = 'whole' | 'part' | 'read' | 'undefined' | 'helps';

export interface Touch {
  readonly step: number;
  readonly kind: TouchKind;
  readonly elements: number; // NaN = unknown
  readonly of: number;
}

/**
 * Returns the accesses that the file has, in order of steps. If `accesses` is null, returns the steps of `reasons` that begin and end
 * lives. The result also contains the steps of `placements`, as `helps`.
 */
export function touchesOf(
  accesses: readonly VariableAccess[] | null,
  reasons: readonly WhyLive[],
  placements: readonly number[],
): readonly Touch[] {
  const out: Touch[] = [];
  const add = (step: number, kind: TouchKind, elements = NaN, of = NaN) => out.push({ step, kind, elements, of });
  for (const a of accesses ?? []) {
    if (a.read > 0) add(a.program, 'read', a.read, a.elements);
    if (a.written > 0) add(a.program, a.written === a.elements ? 'whole' : 'part', a.written, a.elements);
    if (a.undefined > 0) add(a.program, 'undefined', a.undefined, a.elements);
  }
  if (!accesses) {
    const once = (steps: readonly (number | null)[], kind: TouchKind) => {
      for (const step of new Set(steps)) if (step !== null) add(step, kind);
    };
    once(
      reasons.map((r) => r.born),
      'whole',
    );
    once(
      reasons.map((r) => r.failedKill),
      'part',
    );
    once(
      reasons.map((r) => r.read),
      'read',
    );
  }
  for (const step of placements) add(step, 'helps');
  return out.sort((a, b) => a.step - b.step);
}

/** Returns "all", a text such as "16 of 64", or an empty text if there are no elements. */
export function partText(elements: number, of: number): string {
  if (!(elements > 0)) return '';
  return elements === of ? 'all' : `${elements.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`;
}

/** Returns the range of steps that covers all intervals and touches, with a margin; null if there are none. */
export function lifeWindow(
  intervals: readonly (readonly [number, number])[],
  touches: readonly Touch[],
  programs: number,
): readonly [number, number] | null {
  let [first, end] = [Infinity, 0];
  for (const [from, to] of [...intervals, ...touches.map((t) => [t.step, t.step + 1] as const)]) {
    first = Math.min(first, from);
    end = Math.max(end, to);
  }
  if (!(first < end)) return null;
  const room = Math.ceil((end - first) / 10);
  return [Math.max(0, first - room), Math.min(programs, end + room)];
}
