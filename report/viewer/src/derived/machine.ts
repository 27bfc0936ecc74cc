// Simulates the clocks of all tiles through the steps of a run: when each tile begins a step, and the tile for which it waits at a meeting.
// A step without a meeting adds the busy cycles of each tile to the tile's clock. At a barrier, all tiles of a group wait until the signal
// of the last tile has arrived, and then for the release. An exchange begins when the last of the tiles that take part arrives, and ends
// for all of these tiles after the longest busy time. docs/CYCLES.md states these rules, and the profile has the data that they need. A
// step takes time in proportion to the number of tiles.
import type { Program } from '../data/profile';
import type { SyncDelay } from '../data/types';

/** The waits at a meeting of tiles, with one entry per group (an IPU, or all IPUs). */
export interface Meeting {
  readonly tiles: number; // tiles per group
  readonly last: Int32Array; // the tile for which all others waited; -1 = no tile took part
  readonly longest: Int32Array; // of an exchange: the tile with the most busy cycles, which determines the end
  readonly begin: Float64Array;
  readonly end: Float64Array; // cycle at which an exchange ends; 0 for barriers, which release each tile at another cycle
  readonly delay: SyncDelay | null; // of a barrier; null for an exchange
}

export const kExchanges: ReadonlySet<string> = new Set(['DoExchange', 'GlobalExchange', 'StreamCopyMid']);

export class Machine {
  readonly clock: Float64Array;
  /** For each tile, the tile cycles that other tiles waited at meetings at which this tile arrived last. */
  readonly caused: Float64Array;
  constructor(
    readonly tiles: number,
    readonly perIpu: number,
  ) {
    this.clock = new Float64Array(tiles);
    this.caused = new Float64Array(tiles);
  }

  private meeting(across: boolean, delay: SyncDelay | null): Meeting {
    const size = across ? this.tiles : this.perIpu;
    const groups = Math.max(1, Math.ceil(this.tiles / size));
    const numbers = () => new Float64Array(groups);
    return { tiles: size, last: new Int32Array(groups).fill(-1), longest: new Int32Array(groups), begin: numbers(), end: numbers(), delay };
  }

  barrier(delay: SyncDelay): Meeting {
    const m = this.meeting(delay.acrossIpus, delay);
    for (let group = 0; group < m.last.length; ++group) {
      const [first, end] = [group * m.tiles, Math.min(this.tiles, (group + 1) * m.tiles)];
      let latest = -1;
      for (let t = first; t < end; ++t) {
        const arrives = (this.clock[t] ?? 0) + (delay.to[t] ?? 0);
        if (arrives > latest) [latest, m.last[group]] = [arrives, t];
      }
      m.begin[group] = latest;
      const arrived = this.clock[m.last[group]!]!;
      let waited = 0;
      for (let t = first; t < end; ++t) {
        waited += Math.max(0, arrived - (this.clock[t] ?? 0)); // after `arrived`, the signal of the last tile is on the way
        this.clock[t] = latest + (delay.from[t] ?? 0);
      }
      this.caused[m.last[group]!]! += waited;
    }
    return m;
  }

  exchange(busy: Float64Array, across: boolean): Meeting {
    const m = this.meeting(across, null);
    for (let group = 0; group < m.last.length; ++group) {
      const [first, end] = [group * m.tiles, Math.min(this.tiles, (group + 1) * m.tiles)];
      let begin = -1;
      let length = 0;
      for (let t = first; t < end; ++t) {
        const cycles = busy[t] ?? 0;
        if (!(cycles > 0)) continue;
        if ((this.clock[t] ?? 0) > begin) [begin, m.last[group]] = [this.clock[t] ?? 0, t];
        if (cycles > length) [length, m.longest[group]] = [cycles, t];
      }
      m.begin[group] = begin;
      m.end[group] = begin + length;
      let waited = 0;
      for (let t = first; t < end; ++t)
        if ((busy[t] ?? 0) > 0) {
          waited += begin - this.clock[t]!;
          this.clock[t] = begin + length;
        }
      if (begin >= 0) this.caused[m.last[group]!]! += waited;
    }
    return m;
  }

  /**
   * Moves all tiles through a step with the busy cycles of each tile. Returns the meetings of the step; null if the file lacks the busy
   * cycles or the delays of a barrier.
   */
  advance(program: Program, busy: Float64Array | null, delays: ReadonlyMap<string, SyncDelay>): readonly Meeting[] | null {
    if (program.barriers.length > 0) {
      const passed: Meeting[] = [];
      for (const kind of program.barriers) {
        const delay = delays.get(kind);
        if (!delay) return null;
        passed.push(this.barrier(delay));
      }
      return passed;
    }
    if (!busy) return null;
    if (kExchanges.has(program.type)) return [this.exchange(busy, program.type === 'GlobalExchange')];
    for (let t = 0; t < busy.length; ++t) this.clock[t]! += busy[t]!;
    return kNoMeetings;
  }

  /**
   * Returns the tile that ends the run, and the cycle at which the run ends. Adds the waiting of the other tiles to `caused` of this tile.
   */
  finish(): { readonly tile: number; readonly cycle: number } {
    const cycle = this.clock.reduce((most, c) => (c > most ? c : most), 0);
    const tile = this.clock.indexOf(cycle);
    if (tile >= 0) this.caused[tile]! += this.clock.reduce((sum, c) => sum + cycle - c, 0);
    return { tile, cycle };
  }

  /** Adds the cycles that instrumentation takes after a step. */
  readCounters(cycles: Float64Array | null): void {
    if (cycles) for (let t = 0; t < cycles.length; ++t) this.clock[t]! += cycles[t] ?? 0;
  }
}

const kNoMeetings: readonly Meeting[] = [];
