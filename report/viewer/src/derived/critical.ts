// The critical path of a run: the chain of work and waits that decides when the run ends. The path is exact, because the file has the busy
// cycles of each tile.
//
//   tile 0  |=== a ===|          ,-| b |    |        A barrier ends when the last signal has arrived (here, of tile 1). An exchange
//   tile 1  |====== a ======|----'          |        begins when the last of its tiles arrives, and ends with the tile that takes
//                     last to arrive        end      longest. The path follows each wait back to the tile that caused it.
//
// A first pass over the steps computes the clocks of all tiles and the meetings (machine.ts). A second pass goes back from the last tile of
// the run. The pieces leave no gap between cycle 0 and the end. The first pass takes time in proportion to steps times tiles. If the clocks
// do not end at the length that the file states for the run, the file lacks data, and there is no path.
import { blob, number } from '../data/database';
import { decodeTiles } from '../data/decode';
import { syncDelays } from '../data/extras';
import type { Profile, Run } from '../data/profile';
import { Machine, type Meeting } from './machine';

export type PieceKind = 'work' | 'barrier' | 'counters';

/** A part of the path on one tile. Cycles count from the start of the run. Each piece begins where the previous piece ends. */
export interface Piece {
  readonly step: number;
  readonly tile: number;
  readonly kind: PieceKind;
  readonly from: number;
  readonly to: number;
}

/**
 * Yields the steps of a run with the BLOBs of their busy cycles. Reads the BLOBs in blocks of steps, so that they are never all in memory.
 */
function* blobsOf(profile: Profile, run: Run, backwards: boolean): Generator<readonly [number, Uint8Array | null]> {
  const block = 256;
  const starts: number[] = [];
  for (let first = run.firstStep; first < run.endStep; first += block) starts.push(first);
  if (backwards) starts.reverse();
  for (const first of starts) {
    const end = Math.min(first + block, run.endStep);
    const blobs = new Map<number, Uint8Array | null>();
    for (const row of profile.db.query('SELECT step_id, cycles FROM steps_by_tile WHERE step_id >= ? AND step_id < ?', [first, end]))
      blobs.set(number(row.step_id), blob(row.cycles));
    for (let i = 0; i < end - first; ++i) {
      const step = backwards ? end - 1 - i : first + i;
      yield [step, blobs.get(step) ?? null];
    }
  }
}

const programOf = (profile: Profile, step: number) => profile.programs[profile.steps.program[step] ?? -1];

/** Returns the meetings of tiles at each step, in order; null if the file lacks data on which the clocks depend. */
function replay(profile: Profile, run: Run, machine: Machine): Map<number, readonly Meeting[]> | null {
  const delays = syncDelays(profile);
  const meetings = new Map<number, readonly Meeting[]>();
  const scratch = new Float64Array(machine.tiles);
  for (const [step, cycles] of blobsOf(profile, run, false)) {
    const program = programOf(profile, step);
    if (!program) return null;
    const busy = program.barriers.length > 0 ? null : decodeTiles(cycles, machine.tiles, scratch);
    const met = machine.advance(program, busy, delays);
    if (!met) return null;
    if (met.length > 0) meetings.set(step, met);
    machine.readCounters(profile.programTiles(program.id, 'counter_cycles'));
  }
  return meetings;
}

/** Returns the pieces from the start of the run to its end; null if unknown. */
export function criticalPath(profile: Profile, run: Run): readonly Piece[] | null {
  return profile.keep(`critical ${run.id}`, () => trace(profile, run));
}

function trace(profile: Profile, run: Run): readonly Piece[] | null {
  const total = profile.runTotals.find((t) => t.run === run.id)?.total ?? NaN;
  const machine = new Machine(profile.tiles, Math.max(1, Math.floor(profile.tiles / profile.ipus)));
  const meetings = replay(profile, run, machine);
  let tile = machine.clock.reduce((best, v, t) => (v > (machine.clock[best] ?? 0) ? t : best), 0);
  let now = machine.clock[tile] ?? 0;
  if (!meetings || now !== total) return null;
  const pieces: Piece[] = [];
  const back = (step: number, on: number, kind: PieceKind, cycles: number) => {
    if (!(cycles > 0)) return;
    pieces.push({ step, tile: on, kind, from: now - cycles, to: now });
    now -= cycles;
  };
  for (const [step, cycles] of blobsOf(profile, run, true)) {
    const program = programOf(profile, step);
    back(step, tile, 'counters', profile.programTiles(program?.id ?? -1, 'counter_cycles')?.[tile] ?? 0);
    const met = meetings.get(step);
    if (!met) {
      if (cycles) back(step, tile, 'work', profile.columns.one(cycles, tile));
      continue;
    }
    for (const m of [...met].reverse()) {
      const group = Math.floor(tile / m.tiles);
      const last = m.last[group] ?? -1;
      if (m.delay) {
        back(step, last, 'barrier', now - (m.begin[group] ?? 0) + (m.delay.to[last] ?? 0));
        tile = last;
      } else if (last >= 0 && cycles && profile.columns.one(cycles, tile) > 0) {
        back(step, m.longest[group] ?? last, 'work', now - (m.begin[group] ?? 0));
        tile = last;
      }
    }
  }
  return now === 0 ? pieces.reverse() : null;
}

export interface PathRow {
  readonly program: number;
  readonly kind: PieceKind;
  readonly cycles: number;
  readonly pieces: number;
  readonly tiles: number; // number of distinct tiles
}

/** Returns the sums of the path for each program and kind, most cycles first. */
export function pathByProgram(profile: Profile, pieces: readonly Piece[]): PathRow[] {
  const by = new Map<string, { program: number; kind: PieceKind; cycles: number; pieces: number; on: Set<number> }>();
  for (const piece of pieces) {
    const program = profile.steps.program[piece.step] ?? -1;
    const key = `${program} ${piece.kind}`;
    const row = by.get(key) ?? { program, kind: piece.kind, cycles: 0, pieces: 0, on: new Set<number>() };
    row.cycles += piece.to - piece.from;
    ++row.pieces;
    row.on.add(piece.tile);
    by.set(key, row);
  }
  return [...by.values()]
    .map(({ on, ...row }) => ({ ...row, tiles: on.size }))
    .sort((a, b) => b.cycles - a.cycles || a.program - b.program);
}
