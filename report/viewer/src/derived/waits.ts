// What the tiles of a run waited for: what the tile that came last did meanwhile. The same sums as `popscope loss`.
//
//   tile 0  |=== a ===|.......|          Tile 0 waits at the barrier for tile 1: of its wait, the latest cycles are those that tile 1 spent
//   tile 1  |= a =|==== b ====|          in b, then those in a. What is left of a wait is a signal on its way.
//
// History keeps, by tile, what it did since its last barrier; nobody waits for what lies before. Time and memory: steps times tiles.
import { syncDelays } from '../data/extras';
import type { Profile, Run } from '../data/profile';
import { blobsOf, Machine, programOf } from './critical';
import { decodeTiles } from '../data/decode';

export type Waited = 'compute' | 'exchange' | 'global' | 'host' | 'control' | 'counters' | 'release';
type Part = readonly [what: Waited, cycles: number];

const kCauses: Readonly<Record<string, Waited>> = {
  OnTileExecute: 'compute',
  OnTileCopy: 'compute',
  DoExchange: 'exchange',
  GlobalExchange: 'global',
  StreamCopyMid: 'host',
};

/** What each tile did since its last barrier, the latest last. */
class History {
  private readonly parts: Part[][];
  constructor(tiles: number) {
    this.parts = Array.from({ length: tiles }, () => []);
  }
  add(tile: number, what: Waited, cycles: number): void {
    if (!(cycles > 0)) return;
    const parts = this.parts[tile] ?? [];
    const last = parts[parts.length - 1];
    if (last?.[0] === what) parts[parts.length - 1] = [what, last[1] + cycles];
    else parts.push([what, cycles]);
  }
  /** The latest `cycles` of a tile, the latest first; a signal's way where it did not do as much. */
  trace(tile: number, cycles: number): Part[] {
    const parts = this.parts[tile] ?? [];
    const found: Part[] = [];
    let left = cycles;
    for (let i = parts.length; left > 0 && i-- > 0;) {
      const [what, did] = parts[i] ?? ['release', 0];
      found.push([what, Math.min(left, did)]);
      left -= Math.min(left, did);
    }
    if (left > 0) found.push(['release', left]);
    return found;
  }
  clear(tile: number): void {
    this.parts[tile] = [];
  }
}

/** The first `cycles` of parts. */
function* first(parts: readonly Part[], cycles: number): Generator<Part> {
  let left = cycles;
  for (const [what, did] of parts) {
    if (!(left > 0)) return;
    yield [what, Math.min(left, did)];
    left -= did;
  }
}

class Account {
  readonly sums = new Map<Waited, number>();
  readonly history: History;
  constructor(readonly machine: Machine) {
    this.history = new History(machine.tiles);
  }
  add(what: Waited, cycles: number): void {
    if (cycles > 0) this.sums.set(what, (this.sums.get(what) ?? 0) + cycles);
  }
  /** Tiles that waited so long for `last`; returns what it did in the longest of these waits. */
  waited(last: number, waits: readonly (readonly [tile: number, cycles: number])[]): readonly Part[] {
    const parts = this.history.trace(
      last,
      waits.reduce((most, [, cycles]) => Math.max(most, cycles), 0),
    );
    for (const [, cycles] of waits) for (const [what, part] of first(parts, cycles)) this.add(what, part);
    return parts;
  }
  /** Begin and end of a group of tiles that meet. */
  group(size: number, index: number): readonly number[] {
    const end = Math.min(this.machine.tiles, (index + 1) * size);
    return Array.from({ length: Math.max(0, end - index * size) }, (_, i) => index * size + i);
  }
}

function passBarriers(account: Account, kinds: readonly string[], delays: ReturnType<typeof syncDelays>): boolean {
  let isFirst = true;
  for (const kind of kinds) {
    const delay = delays.get(kind);
    if (!delay) return false;
    const before = account.machine.clock.slice();
    const met = account.machine.barrier(delay);
    met.last.forEach((last, index) => {
      const tiles = account.group(met.tiles, index);
      const waits = tiles.map((t) => [t, (met.begin[index] ?? 0) - (delay.to[t] ?? 0) - (before[t] ?? 0)] as const);
      if (isFirst) account.waited(last, waits);
      else for (const [, cycles] of waits) account.add('release', cycles);
      for (const t of tiles) account.add('release', (delay.to[t] ?? 0) + (delay.from[t] ?? 0));
    });
    for (let t = 0; t < account.machine.tiles; ++t) account.history.clear(t);
    isFirst = false;
  }
  return true;
}

function passExchange(account: Account, busy: Float64Array, across: boolean, cause: Waited): void {
  const before = account.machine.clock.slice();
  const met = account.machine.exchange(busy, across);
  met.last.forEach((last, index) => {
    if (last < 0) return;
    const [begin, length] = [met.begin[index] ?? 0, (met.end[index] ?? 0) - (met.begin[index] ?? 0)];
    const waits = account
      .group(met.tiles, index)
      .filter((t) => (busy[t] ?? 0) > 0)
      .map((t) => [t, begin - (before[t] ?? 0)] as const);
    const parts = account.waited(last, waits);
    for (const [t, cycles] of waits) {
      for (const [what, part] of [...first(parts, cycles)].reverse()) account.history.add(t, what, part);
      account.history.add(t, cause, length);
      account.add(cause, length - (busy[t] ?? 0));
    }
  });
}

/** Tile cycles by what was waited for; null where the file does not say all that is needed. */
export function waitsOf(profile: Profile, run: Run): ReadonlyMap<Waited, number> | null {
  return profile.keep(`waits ${run.id}`, () => readWaits(profile, run));
}

function readWaits(profile: Profile, run: Run): ReadonlyMap<Waited, number> | null {
  const total = profile.runTotals.find((t) => t.run === run.id)?.total ?? NaN;
  if (!profile.db.has('programs', 'counter_cycles')) return null;
  const delays = syncDelays(profile);
  const account = new Account(new Machine(profile.tiles, Math.max(1, Math.floor(profile.tiles / profile.ipus))));
  const { machine, history } = account;
  for (const [step, cycles] of blobsOf(profile, run, false)) {
    const program = programOf(profile, step);
    if (!program) return null;
    if (program.barriers.length > 0) {
      if (!passBarriers(account, program.barriers, delays)) return null;
    } else {
      const busy = decodeTiles(cycles, machine.tiles);
      if (!busy) return null;
      const cause = kCauses[program.type] ?? 'control';
      if (cause === 'exchange' || cause === 'global' || cause === 'host') passExchange(account, busy, cause === 'global', cause);
      else
        busy.forEach((did, t) => {
          machine.clock[t] = (machine.clock[t] ?? 0) + did;
          history.add(t, cause, did);
        });
    }
    profile.programTiles(program.id, 'counter_cycles')?.forEach((read, t) => {
      machine.clock[t] = (machine.clock[t] ?? 0) + read;
      history.add(t, 'counters', read);
    });
  }
  const last = machine.clock.reduce((best, v, t) => (v > (machine.clock[best] ?? 0) ? t : best), 0);
  const end = machine.clock[last] ?? 0;
  if (end !== total) return null;
  account.waited(
    last,
    Array.from(machine.clock, (now, t) => [t, end - now] as const),
  );
  return account.sums;
}
