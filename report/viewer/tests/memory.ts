// Profiles that tests write as SQL, in memory. The page's own code reads them.
import initSqlJs from 'sql.js';
import wasm from 'sql.js/dist/sql-wasm-browser.wasm';
import { Database } from '../src/data/database';
import type { Profile } from '../src/data/profile';

const sqlite = initSqlJs({ wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer });

/** Returns a database with the tables and rows of `sql`. */
export async function databaseOf(sql: string): Promise<Database> {
  const database = new (await sqlite).Database();
  database.exec(sql);
  return new Database('test.pop', 0, database);
}

/** Returns the file of a profile after the statements of `sql`. */
export async function editedProfile(file: Uint8Array, sql: string): Promise<Uint8Array> {
  const database = new (await sqlite).Database(file);
  database.exec(sql);
  return database.export();
}

/** Returns a part of a profile: its database, a `keep` that keeps, and the given members. */
export async function profileOf(sql: string, members: object = {}): Promise<Profile> {
  const kept = new Map<string, unknown>();
  const keep = (key: string, make: () => unknown) => {
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key);
  };
  return { db: await databaseOf(sql), keep, ...members } as unknown as Profile;
}

const kTimes = ['from_min', 'from_max', 'to_min', 'to_max'].flatMap((t) => [`all_cycles_${t}`, `active_cycles_${t}`]);

/** The tables of steps, without rows. */
export const kStepTables = `
  CREATE TABLE steps (id INTEGER PRIMARY KEY, run, program, thread_cycles);
  CREATE TABLE steps_by_ipu (step_id, ipu, cycles, active_tiles, busy_cycles, cycles_base, ${kTimes.join(', ')}, data_in DEFAULT 0,
    data_out DEFAULT 0, max_tile_data DEFAULT 0);`;
