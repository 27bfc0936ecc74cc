// What exchanges move, from the bytes that each program sends and receives on each tile.
import { blob, number, type Value } from '../data/database';
import { decodeTile, decodeTiles } from '../data/decode';
import type { Profile } from '../data/profile';
import { activityOf } from './names';

export interface ExchangeRow {
  readonly program: number;
  readonly sent: number; // bytes over all tiles, in one execution
  readonly received: number; // more than sent where one message has several receivers
  readonly mostReceived: number; // bytes on one tile
  readonly busiest: number; // that tile
  readonly code: number; // bytes of exchange code over all tiles
  readonly executions: number; // in the recorded runs
  readonly cycles: number; // of the slowest IPU, summed over them; NaN = not recorded
}

function total(values: Float64Array | null): number {
  return values?.reduce((a, b) => a + b, 0) ?? NaN;
}

export interface Exchanges {
  readonly rows: readonly ExchangeRow[];
  readonly sent: Float64Array; // bytes by tile, each exchange once
  readonly received: Float64Array;
}

export function collectExchanges(profile: Profile): Exchanges {
  return profile.keep('exchanges', () => readExchanges(profile));
}

function readExchanges(profile: Profile): Exchanges {
  const executions = new Map<number, { count: number; cycles: number }>();
  const { steps } = profile;
  for (let s = 0; s < steps.count; ++s) {
    const program = steps.program[s] ?? -1;
    const row = executions.get(program) ?? { count: 0, cycles: 0 };
    let longest = NaN;
    for (let i = 0; i < steps.ipus; ++i) {
      const cycles = steps.cycles[s * steps.ipus + i] ?? NaN;
      if (!(cycles <= longest)) longest = Number.isNaN(cycles) ? longest : cycles;
    }
    ++row.count;
    row.cycles += longest;
    executions.set(program, row);
  }
  const rows: ExchangeRow[] = [];
  const all = { sent: new Float64Array(profile.tiles), received: new Float64Array(profile.tiles) };
  const add = (into: Float64Array, values: Float64Array | null) => values?.forEach((v, t) => (into[t]! += v));
  for (const row of profile.db.query('SELECT id, bytes_sent, bytes_received, exchange_code FROM programs ORDER BY id')) {
    const program = profile.programs[number(row.id)];
    const activity = activityOf(program?.type ?? '');
    if (!program || (activity !== 'exchange' && activity !== 'global' && program.type !== 'StreamCopyMid')) continue;
    const sent = decodeTiles(blob(row.bytes_sent), profile.tiles);
    const received = decodeTiles(blob(row.bytes_received), profile.tiles);
    const busiest = received ? received.reduce((best, v, t) => (v > (received[best] ?? 0) ? t : best), 0) : 0;
    const ran = executions.get(program.id);
    add(all.sent, sent);
    add(all.received, received);
    rows.push({
      program: program.id,
      sent: total(sent),
      received: total(received),
      mostReceived: received?.[busiest] ?? NaN,
      busiest,
      code: total(decodeTiles(blob(row.exchange_code), profile.tiles)),
      executions: ran?.count ?? 0,
      cycles: ran?.cycles ?? NaN,
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

/** What one tile sends and receives in each exchange that it takes part in. */
export function exchangesOfTile(profile: Profile, tile: number): TileExchange[] {
  return profile.keep(`exchanges of ${tile}`, () => {
    const at = (value: Value | undefined): number => {
      const bytes = blob(value);
      return bytes ? decodeTile(bytes, profile.tiles, tile) : 0;
    };
    return profile.db
      .query(
        'SELECT id, bytes_sent, bytes_received, exchange_code FROM programs WHERE bytes_sent IS NOT NULL OR bytes_received IS NOT NULL',
      )
      .map((row) => ({ program: number(row.id), sent: at(row.bytes_sent), received: at(row.bytes_received), code: at(row.exchange_code) }))
      .filter((row) => row.sent > 0 || row.received > 0 || row.code > 0);
  });
}
