// The critical path of a run: the chain of work and waits that decides when the run ends. It is exact, because the file has the busy cycles
// of each tile.
//
//   tile 0  |=== a ===|          ,-| b |    |        A barrier ends when the last signal has come (tile 1), an exchange begins with
//   tile 1  |====== a ======|----'          |        the last of the tiles that take part and ends with the longest. The path is
//                     last to arrive        end      what is left when each wait is traced to whom it waited for.
//
// The clocks of the tiles follow the rules of docs/CYCLES.md. If they do not end at the length that the file states for the run, the file
// lacks data, and there is no path.
import { blob, number } from '../data/database';
import { decodeTiles } from '../data/decode';
import { syncDelays } from '../data/extras';
import type { Profile, Run } from '../data/profile';
import { Machine, type Meeting } from './machine';

export type PieceKind = 'work' | 'barrier' | 'counters';

/** A part of the path on one tile; cycles count from the start of the run. Pieces follow each other without gaps. */
export interface Piece {
  readonly step: number;
  readonly tile: number;
  readonly kind: PieceKind;
  readonly from: number;
  readonly to: number;
}

/** Yields the steps of a run with the blobs of their busy cycles. Reads them in blocks, so that they are never all in memory. */
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

/** Returns the meetings of each step's tiles, in order; null if the file lacks data that the clocks depend on. */
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

/** Sums the path by program and kind, most cycles first. */
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
