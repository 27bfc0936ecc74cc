// The causes of the tile cycles of the recorded runs, from the answer of `popscope loss`; unknown without an answer.
import { type Answer, cellNumber, cellText } from '../data/answers';
import type { Profile } from '../data/profile';

/** The causes and their names in `popscope loss`. Each cause has a colour of its own. */
export const kCauses = {
  work: 'compute: threads at work',
  both: 'compute, idle threads included',
  idle: 'compute: idle threads',
  imbalance: 'compute: waiting for slower tiles',
  exchange: 'exchange: sending and receiving',
  exchangeWait: 'exchange: waiting for longer exchanges',
  global: 'between IPUs: sending and receiving',
  globalWait: 'between IPUs: waiting',
  host: 'host: copying',
  hostWait: 'host: waiting for tiles that copy',
  hostAnswer: 'waiting for the host',
  sync: 'barriers',
  control: 'control flow',
  counters: 'counters: reading them',
  countersWait: 'counters: waiting for tiles that read them',
  after: 'after the last step',
  unexplained: 'not explained by the steps in the file',
} as const;
export type LossKey = keyof typeof kCauses;

const keyOf = new Map((Object.keys(kCauses) as LossKey[]).map((key) => [kCauses[key] as string, key]));

export interface LossPart {
  readonly key: LossKey;
  readonly label: string;
  readonly tileCycles: number; // negative only for `unexplained`
}

/** The tile cycles of runs, split into parts that add up to `whole`. */
export interface Loss {
  readonly whole: number; // tiles x cycles, summed over runs
  readonly parts: readonly LossPart[];
  readonly runs: number;
}

/** Returns the loss of one run, or of all recorded runs; null if the page has no such answer. */
export function collectLoss(profile: Profile, run?: number): Loss | null {
  return profile.keep(`loss ${run ?? 'of all'}`, () => {
    const at = profile.runs.findIndex((r) => r.id === run);
    const all = run === undefined || (at === 0 && profile.runs.length === 1);
    const answer = all ? profile.answers?.views.loss : profile.answers?.lossOfRuns[at];
    return answer ? ofAnswer(answer) : null;
  });
}

function ofAnswer(answer: Answer): Loss | null {
  const rows = answer.tables.causes?.rows;
  if (!rows) return null;
  return {
    whole: cellNumber(answer.facts.tileCycles),
    runs: cellNumber(answer.facts.runs),
    parts: rows.map((row) => {
      const label = cellText(row.cause);
      return { key: keyOf.get(label) ?? 'control', label, tileCycles: cellNumber(row.tileCycles) };
    }),
  };
}
