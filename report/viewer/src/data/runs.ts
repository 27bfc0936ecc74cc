// Reads the recorded runs and their totals.
import { type Database, number, text } from './database';
import type { Run, RunTotals } from './types';

export function readRuns(db: Database): Run[] {
  const steps = db.numbers('SELECT count(*) FROM steps')[0] ?? 0;
  const rows = db.query('SELECT id, name, label, program, first_step, complete, number FROM runs ORDER BY id');
  return rows.map((row, i) => ({
    id: number(row.id),
    name: [text(row.label), text(row.name)].filter((part) => part !== '').join(': '), // as in the summary
    program: number(row.program),
    firstStep: number(row.first_step),
    endStep: i + 1 < rows.length ? number(rows[i + 1]?.first_step) : steps,
    number: number(row.number),
    complete: row.complete === 1,
  }));
}

export function readRunTotals(db: Database): RunTotals[] {
  return db.query('SELECT * FROM execution_cycle_totals ORDER BY run').map((row) => ({
    run: number(row.run),
    total: number(row.total_cycles),
    compute: number(row.compute),
    threads: number(row.thread_cycles),
    exchange: number(row.exchange),
    globalExchange: number(row.global_exchange),
    hostExchange: number(row.host_exchange),
    sync: number(row.sync),
    unattributed: number(row.unattributed),
  }));
}
