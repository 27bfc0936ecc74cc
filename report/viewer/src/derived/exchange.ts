// The data that exchanges and host copies move, from the bytes that each program sends and receives on each tile.
import { blob, number, type Value } from '../data/database';
import type { Profile } from '../data/profile';
import { activityOf } from './names';
import { summedParts, summedRuns } from './times';

export interface ExchangeRow {
  readonly program: number;
  readonly sent: number; // bytes over all tiles, in one execution
  readonly received: number; // exceeds `sent` if a message has several receivers
  readonly mostReceived: number; // bytes on one tile
  readonly busiest: number; // the tile that receives most
  readonly code: number; // bytes of exchange code over all tiles, without code that an earlier exchange has; NaN = not recorded
  readonly executions: number; // number of executions in the recorded runs that ended (summedParts); NaN = no run was recorded
  readonly cycles: number; // cycles by which the exchange makes the recorded runs longer; NaN = not recorded
}

function total(values: Float64Array | null): number {
  return values?.reduce((a, b) => a + b, 0) ?? NaN;
}

export interface Exchanges {
  readonly rows: readonly ExchangeRow[];
  readonly sent: Float64Array; // bytes per tile; each exchange counts once
  readonly received: Float64Array;
}

export function collectExchanges(profile: Profile): Exchanges {
  return profile.keep('exchanges', () => readExchanges(profile));
}

function readExchanges(profile: Profile): Exchanges {
  const executions = new Map<number, { count: number; cycles: number }>();
  const steps = summedParts(profile);
  steps.program.forEach((program, s) => {
    const row = executions.get(program) ?? { count: 0, cycles: 0 };
    ++row.count;
    row.cycles += steps.part[s] ?? NaN;
    executions.set(program, row);
  });
  const never = steps.program.length === 0 ? NaN : 0; // without a recorded run the number of executions is unknown
  const rows: ExchangeRow[] = [];
  const all = { sent: new Float64Array(profile.tiles), received: new Float64Array(profile.tiles) };
  const add = (into: Float64Array, values: Float64Array | null) => values?.forEach((v, t) => (into[t]! += v));
  const programs = profile.db.query('SELECT id, bytes_sent, bytes_received, exchange_code FROM programs ORDER BY id');
  const coded = programs.some((row) => blob(row.exchange_code)); // then an exchange without own code shares code of an earlier exchange
  for (const row of programs) {
    const program = profile.programs[number(row.id)];
    const activity = activityOf(program?.type ?? '');
    if (!program || (activity !== 'exchange' && activity !== 'global' && program.type !== 'StreamCopyMid')) continue;
    const sent = profile.columns.all(blob(row.bytes_sent));
    const received = profile.columns.all(blob(row.bytes_received));
    const code = profile.columns.all(blob(row.exchange_code));
    const busiest = received ? received.reduce((best, v, t) => (v > (received[best] ?? 0) ? t : best), 0) : 0;
    const ran = executions.get(program.id);
    add(all.sent, sent);
    add(all.received, received);
    const nothing = sent || received ? 0 : NaN; // the file leaves out a direction without bytes
    rows.push({
      program: program.id,
      sent: sent ? total(sent) : nothing,
      received: received ? total(received) : nothing,
      mostReceived: received?.[busiest] ?? nothing,
      busiest,
      code: code ? total(code) : coded ? 0 : NaN,
      executions: ran?.count ?? never,
      cycles: ran?.cycles ?? never,
    });
  }
  return { rows, ...all };
}

export interface TileExchange {
  readonly program: number;
  readonly sent: number; // bytes
  readonly received: number;
  readonly code: number;
}

/**
 * Returns for each exchange or host copy the bytes that some tiles send and receive in one execution, and their exchange code. Leaves out
 * programs for which all these figures are 0.
 */
export function exchangesOfTiles(profile: Profile, tiles: readonly number[]): readonly TileExchange[] {
  return profile.keep(`exchanges of ${tiles.join()}`, () => {
    const scratch = new Float64Array(profile.tiles);
    const [one] = tiles;
    const over = (value: Value | undefined): number => {
      const bytes = blob(value);
      if (!bytes || one === undefined) return 0;
      if (tiles.length === 1) return profile.columns.one(bytes, one);
      const values = profile.columns.all(bytes, scratch);
      return tiles.reduce((sum, tile) => sum + (values?.[tile] ?? 0), 0);
    };
    return profile.db
      .query(
        'SELECT id, bytes_sent, bytes_received, exchange_code FROM programs WHERE bytes_sent IS NOT NULL OR bytes_received IS NOT NULL',
      )
      .map((row) => ({
        program: number(row.id),
        sent: over(row.bytes_sent),
        received: over(row.bytes_received),
        code: over(row.exchange_code),
      }))
      .filter((row) => row.sent > 0 || row.received > 0 || row.code > 0);
  });
}

/**
 * Returns the cycles of an exchange (null: of all exchanges) per tile, summed over its executions in summedRuns(); null if nothing was
 * recorded.
 */
export function exchangeCycles(profile: Profile, program: number | null): Float64Array | null {
  return profile.keep(`exchange cycles ${program ?? 'of all'}`, () => {
    const { rows } = collectExchanges(profile);
    const wanted = new Set(program === null ? rows.map((r) => r.program) : [program]);
    const out = new Float64Array(profile.tiles);
    const scratch = new Float64Array(profile.tiles);
    let recorded = false;
    const runs = summedRuns(profile);
    const sql = `SELECT s.program, s.run, t.cycles FROM steps s JOIN steps_by_tile t ON t.step_id = s.id ${program === null ? '' : 'WHERE s.program = ?'}`;
    for (const row of profile.db.query(sql, program === null ? [] : [program])) {
      if (!wanted.has(number(row.program)) || !runs.has(number(row.run))) continue;
      const cycles = profile.columns.all(blob(row.cycles), scratch);
      if (!cycles) continue;
      recorded = true;
      for (let tile = 0; tile < out.length; ++tile) out[tile]! += cycles[tile]!;
    }
    return recorded ? out : null;
  });
}

/** Returns the bytes of exchange code per tile of one exchange (null: of all exchanges). */
export function exchangeCode(profile: Profile, program: number | null): Float64Array {
  return profile.keep(`exchange code ${program ?? 'of all'}`, () => {
    const out = new Float64Array(profile.tiles);
    for (const row of collectExchanges(profile).rows)
      if (program === null || row.program === program)
        profile.programTiles(row.program, 'exchange_code')?.forEach((size, tile) => (out[tile]! += size));
    return out;
  });
}

/** The data that one IPU sends to another in an exchange between IPUs. */
export interface LinkTransfer {
  readonly program: number;
  readonly from: number; // IPU, over all replicas
  readonly to: number;
  readonly bytes: number;
  readonly tiles: number; // number of tiles that send or receive a part of the data
}

/** Returns the transfers of one program (null: of all programs), most bytes first. */
export function linkTransfers(profile: Profile, program: number | null): readonly LinkTransfer[] {
  return profile.keep(`links ${program ?? 'of all'}`, () =>
    profile.db
      .query(
        `SELECT program, from_ipu, to_ipu, size_bytes, tiles FROM link_transfers ${program === null ? '' : 'WHERE program = ?'} ORDER BY size_bytes DESC, program, position`,
        program === null ? [] : [program],
      )
      .map((row) => ({
        program: number(row.program),
        from: number(row.from_ipu),
        to: number(row.to_ipu),
        bytes: number(row.size_bytes),
        tiles: total(profile.columns.all(blob(row.tiles))),
      })),
  );
}

/** Returns a sentence about the transfers that the rows lack; empty if the rows have all transfers. */
export function replicasNote(profile: Profile, rows: readonly LinkTransfer[]): string {
  const { replicas } = profile.target;
  if (replicas < 2 || rows.length === 0) return '';
  const within = rows.some((r) => r.from < profile.ipus && r.to < profile.ipus);
  const between = rows.some((r) => Math.floor(r.from / profile.ipus) !== Math.floor(r.to / profile.ipus));
  const own = within ? `Exchanges within a replica have the rows of replica 0; each of the ${replicas} replicas has the same. ` : '';
  return `${own}${between ? 'Copies between replicas have the rows of all replicas.' : ''}`.trim();
}
