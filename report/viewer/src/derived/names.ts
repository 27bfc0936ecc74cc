// The page's names for steps and storage categories. The tables are maps, because a name from a file can be “toString” or “__proto__”,
// which exist in every plain object.
import { isCompilersName, kindOfUnnamed } from '../data/movedNames';
import type { Profile, Program } from '../data/profile';

const kCategoryLabels: ReadonlyMap<string, string> = new Map([
  ['constant', 'Constants'],
  ['controlCode', 'Control code'],
  ['controlId', 'Control IDs'],
  ['controlTable', 'Control table'],
  ['copyDescriptor', 'Copy descriptors'],
  ['globalExchangeCode', 'Global exchange code'],
  ['globalExchangePacketHeader', 'Global exchange packet headers'],
  ['globalMessage', 'Global exchange message buffers'],
  ['hostExchangeCode', 'Host exchange code'],
  ['hostExchangePacketHeader', 'Host exchange packet headers'],
  ['hostMessage', 'Host exchange message buffers'],
  ['instrumentationResults', 'Instrumentation results'],
  ['internalExchangeCode', 'Internal exchange code'],
  ['message', 'Internal exchange message buffers'],
  ['multiple', 'Several categories over time'],
  ['outputEdge', 'Data rearrangement buffers (outputs)'],
  ['rearrangement', 'Data rearrangement buffers'],
  ['sharedCodeStorage', 'Shared code storage'],
  ['sharedDataStorage', 'Shared data storage'],
  ['stack', 'Stack'],
  ['variable', 'Variables'],
  ['vectorListDescriptor', 'Vector list descriptors'],
  ['vertexCode', 'Vertex code'],
  ['vertexFieldData', 'Vertex field data'],
  ['vertexInstanceState', 'Vertex instances'],
]);

export function categoryLabel(category: string): string {
  return kCategoryLabels.get(category) ?? category;
}

export type Activity = 'compute' | 'exchange' | 'global' | 'host' | 'sync' | 'control';

const kActivities: ReadonlyMap<string, Activity> = new Map<string, Activity>([
  ['OnTileExecute', 'compute'],
  ['DoExchange', 'exchange'],
  ['GlobalExchange', 'global'],
  ['StreamCopyBegin', 'host'],
  ['StreamCopyMid', 'host'],
  ['StreamCopyEnd', 'host'],
  ['Sync', 'sync'],
  ['SyncAns', 'sync'],
]);

/** Returns the activity on which a step of a type spends its time. */
export function activityOf(type: string): Activity {
  return kActivities.get(type) ?? 'control';
}

/** The cause that `popscope loss` assigns to a step's time. `hostWait`: the barriers of the step include a wait for the host. */
export type StepCause = 'compute' | 'exchange' | 'global' | 'host' | 'hostWait' | 'barrier' | 'control';

const kCauses: ReadonlyMap<string, StepCause> = new Map<string, StepCause>([
  ['OnTileExecute', 'compute'],
  ['OnTileCopy', 'compute'],
  ['DoExchange', 'exchange'],
  ['GlobalExchange', 'global'],
  ['StreamCopyMid', 'host'],
  ['StreamCopyBegin', 'barrier'],
  ['StreamCopyEnd', 'barrier'],
  ['Sync', 'barrier'],
  ['SyncAns', 'barrier'],
  ['Sans', 'barrier'],
]);

export function causeOf(program: Pick<Program, 'type' | 'barriers'> | undefined): StepCause {
  const cause = kCauses.get(program?.type ?? '') ?? 'control';
  return cause === 'barrier' && program?.barriers.some((kind) => kind === 'host request' || kind === 'host answer') ? 'hostWait' : cause;
}

export const kCauseLabels: Readonly<Record<StepCause | 'after', string>> = {
  compute: 'compute',
  exchange: 'exchange',
  global: 'exchange between IPUs',
  host: 'host',
  hostWait: 'waiting for the host',
  barrier: 'barrier',
  control: 'control',
  after: 'after the last step',
};

export const kActivityLabels: Readonly<Record<Activity, string>> = {
  compute: 'Compute',
  exchange: 'Exchange',
  global: 'Exchange between IPUs',
  host: 'Host exchange',
  sync: 'Sync and waiting',
  control: 'Control',
};

/** Returns the name of a program; for a copy without a name, the name that the commands print; for all others, the type. */
export function programLabel(program: Program | undefined): string {
  if (!program) return 'unknown step';
  const repeat = program.type === 'Repeat' && program.count > 0 ? ` × ${program.count}` : '';
  const moved = program.moved?.() ?? '';
  if (moved !== '') return `<${kindOfUnnamed(program.type, program.name)}:${moved}>`;
  return program.name === '' ? program.type + repeat : program.name;
}

const kBarriers: ReadonlySet<string> = new Set(['Sync', 'SyncAns']);

/**
 * Returns the program whose name stands for the place before program `before`. If a compute set or a named copy begins at `before` with a
 * Sync and an exchange, returns the compute set or the exchange. The author of the program knows this name. namedFrom in
 * report/answers/LivenessAdvice.cpp has the same rule.
 */
export function placeBefore({ programs, children }: Pick<Profile, 'programs' | 'children'>, before: number): number {
  const parent = programs[before]?.parent ?? null;
  if (parent === null) return before;
  const after = (children[parent] ?? []).flatMap((id) => (id >= before ? (programs[id] ?? []) : []));
  const first = after.findIndex((p, i) => !kBarriers.has(p.type) || i + 1 === after.length);
  const [at, ...rest] = after.slice(first);
  const [, set = '', part = ''] = /^(.*)\/([^/]*)$/s.exec(at?.name ?? '') ?? [];
  if (!at || !isCompilersName(part)) return at?.id ?? before;
  for (const p of rest) {
    if (p.type === 'OnTileExecute' && p.name === set) return p.id;
    if (!kBarriers.has(p.type) && !p.name.startsWith(`${set}/`)) break;
  }
  return at.id;
}

export const kLoops: ReadonlySet<string> = new Set(['Repeat', 'RepeatWhile', 'While']);

/**
 * Returns the words before the label of a step at which something is live. At the step of a loop, something is live if it is live between
 * iterations. A Repeat of one iteration has no next iteration.
 */
export function atStep(program: Program | undefined): 'at' | 'between the iterations of' {
  return program && kLoops.has(program.type) && (program.type !== 'Repeat' || program.count > 1) ? 'between the iterations of' : 'at';
}

/** Returns the ids of the programs from a root to a program, which is the last. */
export function pathTo(profile: Profile, id: number): number[] {
  const path: number[] = [];
  let at: number | null = id;
  while (at !== null && path.length < 4096) {
    path.unshift(at);
    at = profile.programs[at]?.parent ?? null;
  }
  return path;
}
