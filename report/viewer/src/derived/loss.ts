// Where the tile cycles of the recorded runs went: the causes of `popscope loss`, from its answer where the page holds it, and else by
// the parts of steps (times.ts), as `popscope loss` does where it knows no critical path.
import { type Answer, cellNumber, cellText } from '../data/answers';
import type { Profile } from '../data/profile';
import { timesByCause } from './times';

/** The causes by what `popscope loss` calls them; a colour stands for each. */
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
  readonly tileCycles: number; // below 0: what earlier steps seem to wait and do not
}

/** The parts add up to `whole`. */
export interface Loss {
  readonly whole: number; // tiles x cycles, over runs
  readonly parts: readonly LossPart[];
  readonly runs: number;
  readonly exact: boolean; // each wait is known by what it waited for
}

/** By the parts of steps alone: what two profiles are compared by where one of them has no answer. */
export function lossOfParts(profile: Profile): Loss | null {
  return profile.keep('loss of parts', () => ofParts(profile));
}

/** Of all recorded runs, or of one; null: the file does not hold all of it. */
export function collectLoss(profile: Profile, run?: number): Loss | null {
  return profile.keep(`loss ${run ?? 'of all'}`, () => {
    const at = profile.runs.findIndex((r) => r.id === run);
    const all = run === undefined || (at === 0 && profile.runs.length === 1);
    const answer = all ? profile.answers?.views.loss : profile.answers?.lossOfRuns[at];
    return (answer && ofAnswer(answer)) ?? ofParts(profile, run);
  });
}

function ofAnswer(answer: Answer): Loss | null {
  const rows = answer.tables.causes?.rows;
  if (!rows) return null;
  return {
    whole: cellNumber(answer.facts.tileCycles),
    runs: cellNumber(answer.facts.runs),
    exact: answer.tables.path !== undefined,
    parts: rows.map((row) => {
      const label = cellText(row.cause);
      return { key: keyOf.get(label) ?? 'control', label, tileCycles: cellNumber(row.tileCycles) };
    }),
  };
}

function ofParts(profile: Profile, run?: number): Loss | null {
  const totals = profile.runTotals.filter((t) => run === undefined || t.run === run);
  const times = totals.length === 0 ? null : timesByCause(profile, run);
  if (!times) return null;
  const sum = (of: (t: (typeof totals)[number]) => number) => totals.reduce((all, t) => all + of(t), 0);
  const whole = sum((t) => t.total) * profile.tiles;
  const [compute, threads] = [sum((t) => t.compute), sum((t) => t.threads)];
  const parts: LossPart[] = [];
  const add = (key: LossKey, tileCycles: number) => {
    if (tileCycles !== 0) parts.push({ key, label: kCauses[key], tileCycles });
  };
  const waits = (cause: Parameters<typeof times.get>[0]) => times.get(cause)?.waiting ?? 0;
  if (Number.isFinite(threads)) {
    add('work', threads);
    add('idle', compute - threads);
  } else add('both', compute);
  add('imbalance', waits('compute'));
  add(
    'exchange',
    sum((t) => t.exchange),
  );
  add('exchangeWait', waits('exchange'));
  add(
    'global',
    sum((t) => t.globalExchange),
  );
  add('globalWait', waits('global'));
  add(
    'host',
    sum((t) => t.hostExchange),
  );
  add('hostWait', waits('host'));
  add('sync', waits('barrier'));
  add('control', waits('control'));
  const rest = whole - parts.reduce((all, part) => all + part.tileCycles, 0);
  if (Number.isNaN(rest)) return null;
  add(rest < 0 ? 'unexplained' : 'after', rest);
  return { whole, parts, runs: totals.length, exact: false };
}
