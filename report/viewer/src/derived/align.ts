// Aligns the steps of two profiles. The names from the root to a step identify the step. Steps with equal names are numbered in order.
import type { Profile } from '../data/profile';
import { programLabel } from './names';

/** Returns for every program the names from the root to the program, as one text. Equal texts are numbered. */
export function namePaths(profile: Profile): readonly string[] {
  return profile.keep('namePaths', () => {
    const full: string[] = [];
    const seen = new Map<string, number>();
    for (const program of profile.programs) {
      const parent = program.parent === null ? '' : `${full[program.parent] ?? ''} › `;
      const name = parent + programLabel(program);
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      full.push(count === 0 ? name : `${name} (${count + 1})`);
    }
    return full;
  });
}

export interface Pair {
  readonly before: number | null; // position in the first list
  readonly after: number | null;
}

/**
 * Merges two lists of distinct names. Equal names form pairs as far as the order of both lists allows (a longest common sequence). Other
 * names stand alone. The result keeps the order of each list. Takes n log n time.
 */
export function align(before: readonly string[], after: readonly string[]): Pair[] {
  const place = new Map(after.map((name, i) => [name, i]));
  const common = before.flatMap((name, i) => {
    const j = place.get(name);
    return j === undefined ? [] : [{ i, j }];
  });
  const out: Pair[] = [];
  let [i, j] = [0, 0];
  const alone = (toBefore: number, toAfter: number) => {
    for (; i < toBefore; ++i) out.push({ before: i, after: null });
    for (; j < toAfter; ++j) out.push({ before: null, after: j });
  };
  for (const pair of longestAscending(common)) {
    alone(pair.i, pair.j);
    out.push({ before: i++, after: j++ });
  }
  alone(before.length, after.length);
  return out;
}

/** Returns the longest subsequence of pairs (ascending in i) that also ascends in j. Uses patience sorting, in n log n time. */
function longestAscending(pairs: readonly { readonly i: number; readonly j: number }[]): { readonly i: number; readonly j: number }[] {
  const ends: number[] = []; // for each length, the index of the last pair of the best chain
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach((pair, k) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.j ?? 0) < pair.j) low = middle + 1;
      else high = middle;
    }
    previous[k] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = k;
  });
  const out: { readonly i: number; readonly j: number }[] = [];
  for (let k = ends[ends.length - 1] ?? -1; k >= 0; k = previous[k] ?? -1) {
    const pair = pairs[k];
    if (pair) out.push(pair);
  }
  return out.reverse();
}

export interface AlignedSteps {
  readonly pairs: readonly Pair[]; // pairs of liveness steps
  readonly before: Float64Array; // live bytes, always-live bytes included; NaN = the profile lacks the step
  readonly after: Float64Array;
  readonly names: readonly string[];
}

/** Returns the live bytes of two profiles over their aligned steps. */
export function alignLiveness(a: Profile, b: Profile): AlignedSteps {
  const keys = (p: Profile) => p.livenessSteps.map((s) => namePaths(p)[s.program] ?? `step ${s.program}`);
  const [first, second] = [keys(a), keys(b)];
  const pairs = align(first, second);
  const live = (p: Profile, at: number | null) => (at === null ? NaN : (p.livenessSteps[at]?.bytes ?? NaN) + p.alwaysLiveBytes);
  return {
    pairs,
    before: Float64Array.from(pairs, (pair) => live(a, pair.before)),
    after: Float64Array.from(pairs, (pair) => live(b, pair.after)),
    names: pairs.map((pair) => (pair.before === null ? second[pair.after ?? 0] : first[pair.before]) ?? ''),
  };
}
