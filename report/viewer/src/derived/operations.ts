// Groups programs by the debug contexts in which they were created: a table of operations for each software layer.
import { blob, number } from '../data/database';
import { type DebugContext, type Item } from '../data/debug';
import { isCompilersName } from '../data/movedNames';
import type { Profile } from '../data/profile';
import type { Program } from '../data/types';
import { addFlops, type Flops, flopsKnown, flopsOfSets, kNoFlops } from './flops';
import { activityOf } from './names';
import { summedParts } from './times';

export interface Operation {
  readonly name: string;
  readonly type: string;
  readonly context: DebugContext | null; // null: the row stands for a whole type, or for the programs outside all contexts of the layer
  readonly contexts: number; // number of contexts in this row
  readonly programs: readonly number[]; // ascending
  readonly executions: number; // number of executions in the recorded runs that ended (summedParts)
  readonly cycles: number; // cycles by which the programs make the recorded runs longer (times.ts); NaN = not recorded
  readonly estimated: number; // estimated cycles of the slowest tile, one execution of each program; NaN = unknown
  readonly estimatedAll: boolean; // false: some steps with work have no estimate, so the sum is a lower bound
  readonly vertices: number;
  readonly flops: Flops; // operations of one execution of each program
  readonly flopsExecuted: number; // lower bound of the operations in the recorded runs that ended; NaN = unknown
  readonly controlCode: number; // bytes over all tiles; excludes the code of programs in other rows
  readonly exchangeCode: number; // bytes over all tiles
  readonly memory: number; // bytes of allocations live at one of the programs, without always-live allocations; NaN = not recorded
}

/** Returns the software layers with their numbers of contexts, most contexts first. */
export function layersOf(debug: ReadonlyMap<number, DebugContext>): [string, number][] {
  const counts = new Map<string, number>();
  for (const context of debug.values()) counts.set(context.layer, (counts.get(context.layer) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

/** The keys under which records of contexts store the type of an operation. The first key with a text counts. */
const kTypeKeys = ['api', 'op_type', 'opType', 'opcode', 'opid', 'class', 'category'];

const words = (item: Item | undefined): string => (typeof item === 'string' ? item : '');

export function typeOf(context: DebugContext): string {
  for (const key of kTypeKeys) {
    const found = words(context.record.get(key));
    if (found !== '') return found;
  }
  return context.layer || 'no type';
}

/** Returns a context and the contexts that enclose it, innermost first. */
export function outwards(debug: ReadonlyMap<number, DebugContext>, id: number): DebugContext[] {
  const path: DebugContext[] = [];
  for (let at = debug.get(id); at && path.length < 4096; at = debug.get(at.parent)) path.push(at);
  return path;
}

/**
 * Returns a lookup for the programs of a loaded executable, which have no debug contexts. The lookup finds the context with the name of the
 * program or with the nearest enclosing name.
 */
function byName(debug: ReadonlyMap<number, DebugContext>): (name: string) => number {
  const ids = new Map<string, number>();
  for (const context of debug.values()) if (context.name !== '' && !ids.has(context.name)) ids.set(context.name, context.id);
  return (name) => {
    for (let path = name; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
      const id = ids.get(path);
      if (id !== undefined) return id;
    }
    return 0;
  };
}

/** Returns the debug context of every program; 0 = the debug information has no context for the program. */
export function contextsOfPrograms(profile: Profile): readonly number[] {
  const { debug } = profile;
  if (!debug) return profile.programs.map(() => 0);
  if (profile.meta.get('debugContexts') === '1') return profile.programs.map((p) => (debug.has(p.context) ? p.context : 0));
  const find = byName(debug);
  return profile.programs.map((p) => find(p.name));
}

interface Figures {
  readonly executions: Float64Array;
  readonly cycles: Float64Array;
  readonly estimated: Float64Array;
  readonly vertices: Float64Array;
  readonly flops: readonly Flops[];
  readonly controlCode: Float64Array;
  readonly exchangeCode: Float64Array;
}

const sum = (values: Float64Array | null): number => values?.reduce((a, b) => a + b, 0) ?? 0;

/** Returns the figures of each program alone. The control code of a program excludes the code of its children. */
export function figuresOf(profile: Profile): Figures {
  return profile.keep('figures', () => {
    const make = () => new Float64Array(profile.programs.length);
    const out = { executions: make(), cycles: make(), estimated: make(), vertices: make(), controlCode: make(), exchangeCode: make() };
    const parts = summedParts(profile);
    for (let s = 0; s < parts.program.length; ++s) {
      const program = parts.program[s] ?? -1;
      out.executions[program]! += 1;
      out.cycles[program]! += parts.part[s] ?? NaN;
    }
    const sets = flopsOfSets(profile);
    const flops = profile.programs.map((p) => (p.computeSet === null ? kNoFlops : (sets.get(p.computeSet) ?? kNoFlops)));
    const sql = `SELECT p.id, p.control_code, p.exchange_code, coalesce(c.estimated_cycles, p.estimated_cycles) AS estimated_cycles
      FROM programs p LEFT JOIN compute_sets c ON c.id = p.compute_set`;
    for (const row of profile.db.query(sql)) {
      const id = number(row.id);
      const program = profile.programs[id];
      if (!program) continue;
      const code = program.controlCode * profile.tiles + sum(profile.columns.all(blob(row.control_code)));
      out.controlCode[id]! += code;
      if (program.parent !== null) out.controlCode[program.parent]! -= code;
      out.exchangeCode[id] = sum(profile.columns.all(blob(row.exchange_code)));
      out.estimated[id] = profile.columns.all(blob(row.estimated_cycles))?.reduce((a, b) => Math.max(a, b), 0) ?? NaN;
      out.vertices[id] = flops[id]?.vertices ?? 0;
    }
    return { ...out, flops };
  });
}

/** Returns the bytes of allocations that are not always live, per equivalence class. */
function bytesByClass(profile: Profile): ReadonlyMap<number, number> {
  return profile.keep('bytesByClass', () => {
    const out = new Map<number, number>();
    for (const block of profile.db.blocks('vars_info')) {
      const [classes, sizes, always] = [block.numbers('equivalence_class'), block.numbers('size_bytes'), block.numbers('always_live')];
      for (let i = 0; i < block.count; ++i) {
        const id = classes[i] ?? NaN;
        if (always[i] === 0 && !Number.isNaN(id)) out.set(id, (out.get(id) ?? 0) + (sizes[i] ?? NaN));
      }
    }
    return out;
  });
}

/** Returns whether a list of ascending programs has a program in [from, end). */
function anyIn(programs: readonly number[], from: number, end: number): boolean {
  let [low, high] = [0, programs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((programs[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low < programs.length && (programs[low] ?? end) < end;
}

function memoryOf(profile: Profile, programs: readonly number[]): number {
  if (!profile.hasAllocations) return NaN;
  let bytes = 0;
  for (const [id, size] of bytesByClass(profile))
    if ((profile.intervals.get(id) ?? []).some(([from, end]) => anyIn(programs, from, end))) bytes += size;
  return bytes;
}

/** Types of programs that are parts of another step (kindName in report/answers/TopSteps.cpp). */
const kParts: ReadonlySet<string> = new Set(['Sync', 'SyncAns', 'Sans', 'Sequence', 'DoExchange', 'GlobalExchange', 'OnTileExecute']);

/** Returns the name of a context, or for a context without a name of its own, the name that the commands print. */
function nameOfContext(profile: Profile, own: string, ids: readonly number[]): string {
  const programs = ids.flatMap((id) => profile.programs[id] ?? []);
  const named = (kind: string, from: readonly Program[]): string => {
    const moved = from.map((p) => p.moved?.() ?? '').find((text) => text !== '');
    return moved === undefined ? '' : `<${kind}:${moved}>`;
  };
  if (isCompilersName(own))
    return (
      named(
        own,
        programs.filter((p) => p.name === own),
      ) || own
    );
  if (own !== '' || programs.length === 0) return own;
  const at = programs.findIndex((p) => !kParts.has(p.type));
  if (at < 0) return named('Copy', programs.filter((p) => isCompilersName(p.name)).reverse()) || `<${programs[0]?.type ?? ''}>`;
  const type = programs[at]?.type ?? '';
  if (type !== 'StreamCopyBegin') return `<${type}>`;
  return (
    named(
      'StreamCopy',
      programs.slice(at).filter((p) => p.type === 'StreamCopyMid'),
    ) || '<StreamCopy>'
  );
}

/** Returns an operation that consists of `programs`: the sums of their figures, and the name, type and contexts in `head`. */
export function operation(
  profile: Profile,
  head: Pick<Operation, 'name' | 'type' | 'context' | 'contexts'>,
  programs: readonly number[],
): Operation {
  const figures = figuresOf(profile);
  const over = (values: Float64Array) => programs.reduce((total, p) => total + (values[p] ?? 0), 0);
  const recorded = profile.runs.length > 0 ? 0 : NaN;
  const estimates = programs.map((p) => figures.estimated[p] ?? NaN).filter((cycles) => !Number.isNaN(cycles));
  const working = programs.filter((p) => !['sync', 'control'].includes(activityOf(profile.programs[p]?.type ?? '')));
  const flops = programs.reduce((total, p) => addFlops(total, figures.flops[p] ?? kNoFlops), kNoFlops);
  return {
    ...head,
    programs,
    executions: over(figures.executions) + recorded,
    cycles: over(figures.cycles) + recorded,
    estimated: estimates.length === 0 ? NaN : estimates.reduce((total, cycles) => total + cycles, 0),
    estimatedAll: working.every((p) => !Number.isNaN(figures.estimated[p] ?? NaN)),
    vertices: over(figures.vertices),
    flops,
    flopsExecuted: Number.isNaN(flopsKnown(flops))
      ? NaN
      : programs.reduce((total, p) => total + (figures.flops[p]?.operations ?? 0) * (figures.executions[p] ?? 0), 0),
    controlCode: over(figures.controlCode),
    exchangeCode: over(figures.exchangeCode),
    memory: memoryOf(profile, programs),
  };
}

/**
 * Returns one operation for each context of a layer. An operation has the programs that were created in its context or in contexts within
 * it. If a nearer context of the layer encloses a program, the program belongs to the nearer context. The last row has the programs outside
 * all contexts of the layer. For the layer "", each context has only its own programs, as in pva.
 */
export function collectOperations(profile: Profile, layer: string): Operation[] {
  const { debug } = profile;
  if (!debug) return [];
  const programs = new Map<number, number[]>();
  contextsOfPrograms(profile).forEach((context, program) => {
    const found = layer === '' ? context : (outwards(debug, context).find((c) => c.layer === layer)?.id ?? 0);
    const list = programs.get(found);
    if (list) list.push(program);
    else programs.set(found, [program]);
  });
  const out: Operation[] = [];
  for (const context of debug.values())
    if (layer === '' || context.layer === layer) {
      const ids = programs.get(context.id) ?? [];
      out.push(operation(profile, { name: nameOfContext(profile, context.name, ids), type: typeOf(context), context, contexts: 1 }, ids));
    }
  const rest = programs.get(0);
  if (rest) out.push(operation(profile, { name: 'in no context', type: '', context: null, contexts: 0 }, rest));
  return out;
}
