// Reads parts of a profile that only a few views need: sync delays, worker slots, blocks, false-live bytes, accesses, placements of
// WriteUndef, live bytes of an IPU, and traffic.
import { blob, number, type Row, text } from './database';
import { decodeList } from './decode';
import type { Profile } from './profile';
import type { Block, FalseLive, SyncDelay, Traffic, UndefPlacement, VariableAccess, WorkerSlots } from './types';

/** Returns the sync delays by kind. */
export function syncDelays(profile: Profile): ReadonlyMap<string, SyncDelay> {
  return profile.keep('syncDelays', () => {
    const out = new Map<string, SyncDelay>();
    for (const row of profile.db.query('SELECT kind, across_ipus, to_controller, from_controller FROM sync_delays')) {
      const to = profile.columns.all(blob(row.to_controller));
      const from = profile.columns.all(blob(row.from_controller));
      if (to && from) out.set(text(row.kind), { acrossIpus: row.across_ipus === 1, to, from });
    }
    return out;
  });
}

/** Returns the debug contexts of the programs that were merged into a program, except the program's own context. */
export function moreContexts(profile: Profile, program: number): readonly number[] {
  return profile.db.numbers('SELECT debug_context FROM more_contexts WHERE program = ? ORDER BY position', [program]);
}

/** Returns the cycles of the worker slots in an executed step; null if they were not recorded or the step has no compute set. */
export function workerSlots(profile: Profile, step: number): WorkerSlots | null {
  const first = profile.db.query('SELECT slot_cycles FROM steps WHERE id = ?', [step])[0]?.slot_cycles;
  const count = profile.target.workers;
  if (typeof first !== 'number' || !(count > 0 && count <= 256)) return null;
  const parts = new Map<number, Float64Array>();
  for (const row of profile.db.query('SELECT part, cycles FROM slot_cycles WHERE first = ?', [first])) {
    const cycles = profile.columns.all(blob(row.cycles));
    if (cycles) parts.set(number(row.part), cycles);
  }
  const fullest = parts.get(0);
  if (!fullest) return null;
  const slots = Array.from({ length: count }, (_, slot) => fullest.map((most, tile) => most - (parts.get(slot + 1)?.[tile] ?? 0)));
  return { slots, supervisor: parts.get(count + 1) ?? new Float64Array(profile.tiles) };
}

/** Returns the blocks of lightweight profiling, in order of tile and beginning. */
export function blocks(profile: Profile): readonly Block[] {
  return profile.keep('blocks', () => {
    const open: { tile: number; to: number }[] = [];
    return profile.db
      .query('SELECT tile, program, kind, from_cycles, to_cycles, run_number FROM blocks ORDER BY tile, position')
      .map((row) => {
        const [tile, from, to] = [number(row.tile), number(row.from_cycles), number(row.to_cycles)];
        while (open.length > 0) {
          const last = open[open.length - 1];
          if (last && last.tile === tile && (Number.isNaN(last.to) || from < last.to)) break;
          open.pop();
        }
        const block = {
          tile,
          program: number(row.program),
          kind: text(row.kind),
          from,
          to,
          run: number(row.run_number),
          depth: open.length,
        };
        open.push({ tile, to });
        return block;
      });
  });
}

/**
 * Returns whether the profile explains liveness (autoReport.outputLivenessExplanation). If it does, an empty list of explanations means
 * that there is nothing to explain.
 */
export function explainsLiveness(profile: Profile): boolean {
  return profile.keep('explains', () => profile.db.numbers('SELECT count(*) FROM liveness_advice')[0] === 1);
}

export function falseLive(profile: Profile): readonly FalseLive[] {
  return profile.keep('falseLive', () =>
    profile.db.query('SELECT variable, first_program, end_program, size_bytes FROM false_live ORDER BY id').map((row) => ({
      variable: number(row.variable),
      from: number(row.first_program),
      end: number(row.end_program),
      bytes: number(row.size_bytes),
    })),
  );
}

/** Returns whether the file records the accesses of programs to variables. */
export function hasVariableAccesses(profile: Profile): boolean {
  return profile.keep('hasAccesses', () => profile.db.hasRows('variable_accesses'));
}

/**
 * Returns the accesses of programs to a variable, in order of program; null if the profile does not explain liveness
 * (docs/FORMAT-pop.md, variable_accesses).
 */
export function variableAccesses(profile: Profile, variable: number): readonly VariableAccess[] | null {
  if (!hasVariableAccesses(profile)) return explainsLiveness(profile) ? [] : null;
  return profile.keep(`accesses ${variable}`, () => {
    const out: VariableAccess[] = [];
    for (const block of profile.db.blocks('variable_accesses', { key: variable })) {
      const [variables, programs, elements] = [block.numbers('variable'), block.numbers('program'), block.numbers('elements')];
      const [read, written, gone] = [block.numbers('read'), block.numbers('written'), block.numbers('undefined')];
      for (let i = 0; i < block.count; ++i)
        if (variables[i] === variable)
          out.push({
            program: programs[i] ?? NaN,
            elements: elements[i] ?? NaN,
            read: read[i] ?? NaN,
            written: written[i] ?? NaN,
            undefined: gone[i] ?? NaN,
          });
    }
    return out;
  });
}

/** Returns the placements of WriteUndef, best first. */
export function undefPlacements(profile: Profile): readonly UndefPlacement[] {
  return profile.keep('undefs', () =>
    profile.db.query('SELECT variable, before, saved_on_worst_tile, saved_on_device FROM undef_placements ORDER BY id').map((row) => ({
      variable: number(row.variable),
      before: number(row.before),
      onWorstTile: number(row.saved_on_worst_tile),
      onDevice: number(row.saved_on_device),
    })),
  );
}

/** Returns the live bytes of an IPU at each liveness step, always-live bytes excluded; NaN = unknown. */
export function livenessOfIpu(profile: Profile, ipu: number): Float64Array {
  return profile.keep(`livenessOfIpu ${ipu}`, () => {
    const out = new Float64Array(profile.livenessSteps.length).fill(NaN);
    for (const row of profile.db.query('SELECT step, size_bytes FROM liveness_steps_by_ipu WHERE ipu = ?', [ipu]))
      out[number(row.step)] = number(row.size_bytes);
    return out;
  });
}

function trafficIn(row: Row): Traffic | null {
  const [from, to, bytes] = [blob(row.from_groups), blob(row.to_groups), blob(row.size_bytes)].map((list) =>
    list ? decodeList(list) : null,
  );
  const tilesPerGroup = number(row.tiles_per_group);
  if (!from || !to || !bytes || from.length !== to.length || from.length !== bytes.length || !(tilesPerGroup >= 1)) return null;
  return { tilesPerGroup, from, to, bytes };
}

/**
 * Returns the traffic of one exchange. If `program` is null, returns the traffic of all exchanges, each counted once. Returns an empty list
 * if the file has no traffic.
 */
export function readTraffic(profile: Profile, program: number | null): readonly Traffic[] {
  return profile.keep(`traffic ${program ?? 'of all'}`, () => {
    const where = program === null ? '' : 'WHERE program = ?';
    return profile.db
      .query(`SELECT tiles_per_group, from_groups, to_groups, size_bytes FROM traffic ${where}`, program === null ? [] : [program])
      .map(trafficIn)
      .filter((t): t is Traffic => t !== null);
  });
}
