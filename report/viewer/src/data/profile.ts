// A profile as typed data. Data that every view needs is read when the file opens. Data that only one view needs (rows of a tile, a
// variable or a step) is read on first use and kept.
import type { Answers } from './answers';
import { blob, type Database, number, text } from './database';
import type { DebugContext } from './debug';
import { readMovedNames } from './movedNames';
import type { Queries } from './queries';
import { readPrograms } from './programs';
import { readRuns, readRunTotals } from './runs';
import { readSteps } from './steps';
import { readByCategory, readTarget, readTileMemory, readUsesOf } from './target';
import { TileColumns } from './tileColumns';
import type { HostTrace } from './trace';
import { readVertices } from './vertices';
import { type Names, readAllocations, readLiveParts, readVariables } from './variables';
import type {
  Allocation,
  Interval,
  LivenessStep,
  LivePart,
  Program,
  Run,
  RunTotals,
  Steps,
  Target,
  TileMemory,
  Variable,
  VertexRow,
} from './types';

export type * from './types';

export class Profile {
  readonly target: Target;
  readonly tiles: number; // of one replica
  readonly columns: TileColumns;
  readonly ipus: number; // of one replica
  readonly memory: TileMemory;
  readonly meta: ReadonlyMap<string, string>;
  /** The contexts of debug.cbor by id; null if the user did not give debug.cbor. */
  debug: ReadonlyMap<number, DebugContext> | null = null;
  /** The host's trace; null if the user gave none. */
  host: HostTrace | null = null;
  /** Runs queries that the user writes; null if the file's bytes cannot be read again. */
  queries: Queries | null = null;
  /** The time at which the file was written, in milliseconds since 1970; NaN if unknown. */
  written = NaN;
  /** The answers of `popscope html` about this profile; null if the page has none. */
  answers: Answers | null = null;
  private readonly kept = new Map<string, unknown>();

  constructor(readonly db: Database) {
    this.target = readTarget(db);
    this.ipus = Math.max(1, Math.round(this.target.ipus / this.target.replicas) || 1);
    this.meta = new Map(db.query('SELECT key, value FROM meta').map((row) => [text(row.key), text(row.value)]));
    this.memory = readTileMemory(db);
    this.tiles = this.memory.total.length || this.ipus * this.target.tilesPerIpu || 0;
    this.columns = new TileColumns(this.tiles, Math.max(this.tiles, this.target.ipus * this.target.tilesPerIpu || 0));
  }

  private readonly moved = (program: number): string =>
    this.keep('moved names', () => readMovedNames(this.db, this.variables)).get(program) ?? '';

  get programs(): readonly Program[] {
    return this.keep('programs', () => readPrograms(this.db, '', [], this.moved));
  }

  /** Returns one program without reading all programs, because the first view needs few. */
  program(id: number): Program | undefined {
    if (this.kept.has('programs')) return this.programs[id];
    return this.keep(`program ${id}`, () => readPrograms(this.db, 'WHERE id = ?', [id], this.moved)[0]);
  }

  private get tree(): { readonly children: readonly (readonly number[])[]; readonly roots: readonly number[] } {
    return this.keep('tree', () => {
      const children: number[][] = this.programs.map(() => []);
      const roots: number[] = [];
      for (const program of this.programs) {
        const list = program.parent === null ? undefined : children[program.parent];
        (list ?? roots).push(program.id);
      }
      return { children, roots };
    });
  }
  get children(): readonly (readonly number[])[] {
    return this.tree.children;
  }
  get roots(): readonly number[] {
    return this.tree.roots;
  }

  /** The name of the program that wrote the file; empty if unknown. */
  get writtenBy(): string {
    return this.meta.get('program') ?? '';
  }

  /** The name of the file or, if the file has the default name that every engine uses, the name of the program. */
  get shortName(): string {
    return this.db.name === 'profile.pop' && this.writtenBy !== '' ? this.writtenBy : this.db.name;
  }

  /** The title that the page shows for this profile. */
  get title(): string {
    return this.shortName === this.db.name ? this.db.name : `${this.shortName}, ${this.db.name}`;
  }

  get complete(): boolean {
    return this.meta.get('complete') === '1';
  }

  /** Returns the result of the first call of `make` for this key. */
  keep<T>(key: string, make: () => T): T {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key) as T;
  }

  get outOfMemoryTiles(): readonly number[] {
    return this.keep('oom', () => this.db.numbers('SELECT tile FROM tiles_out_of_memory ORDER BY id'));
  }

  get runs(): readonly Run[] {
    return this.keep('runs', () => readRuns(this.db));
  }

  get runTotals(): readonly RunTotals[] {
    return this.keep('totals', () => readRunTotals(this.db));
  }

  get steps(): Steps {
    return this.keep('steps', () => readSteps(this.db, this.ipus));
  }

  /** Returns the busy cycles of a step per tile; null if they were not recorded. */
  tileCycles(step: number): Float64Array | null {
    return this.keep(`tileCycles ${step}`, () => {
      const row = this.db.query('SELECT cycles FROM steps_by_tile WHERE step_id = ?', [step])[0];
      return this.columns.all(blob(row?.cycles));
    });
  }

  /** Bytes of each storage category per tile. The bytes are sums over allocations, which may share addresses. */
  get categoryBytes(): ReadonlyMap<string, Float64Array> {
    return this.keep('categories', () => {
      const out = readByCategory(this.db, this.tiles, this.categoryNames, 'memory_by_tile_category');
      out.delete('multiple'); // `multiple` counts addresses of the other categories a second time
      return out;
    });
  }

  /** Occupied addresses per tile and use, including `multiple`. The uses of a tile add up to its occupied bytes. */
  get useBytes(): ReadonlyMap<string, Float64Array> {
    return this.keep('uses', () => readByCategory(this.db, this.tiles, this.categoryNames, 'memory_by_tile_use'));
  }

  /** Returns the number of occupied addresses of a tile for each use, largest first. The numbers add up to the occupied bytes. */
  usesOf(tile: number): readonly { readonly category: string; readonly bytes: number }[] {
    return this.keep(`uses ${tile}`, () => readUsesOf(this.db, tile));
  }

  get livenessSteps(): readonly LivenessStep[] {
    return this.keep('liveness', () => {
      const none = new Float64Array(0);
      const [program = none, bytes = none] = this.db.columns(
        ['program', 'size_bytes'],
        'SELECT program, size_bytes FROM liveness_steps ORDER BY id',
      );
      return Array.from(program, (p, i) => ({ program: p, bytes: bytes[i] ?? NaN }));
    });
  }

  get alwaysLiveBytes(): number {
    return this.keep('always', () => this.db.numbers('SELECT always_live FROM liveness_totals')[0] ?? NaN);
  }

  /** Names of storage categories by id. */
  private get categoryNames(): ReadonlyMap<number, string> {
    return this.keep(
      'category names',
      () => new Map(this.db.query('SELECT id, name FROM var_categories').map((row) => [number(row.id), text(row.name)])),
    );
  }

  /** Names of variables by id of the string, and of storage categories by id. */
  private get names(): Names {
    return this.keep('names', () => ({
      strings: new Map(this.db.query('SELECT id, string FROM vars_string_table').map((row) => [number(row.id), text(row.string)])),
      categories: this.categoryNames,
    }));
  }

  get variables(): readonly Variable[] {
    return this.keep('variables', () => readVariables(this.db, this.names));
  }

  /** Parts of variables that are live on some tiles at other steps than on the rest of the tiles, by variable. Most variables have none. */
  get liveParts(): ReadonlyMap<number, readonly LivePart[]> {
    return this.keep('live parts', () => readLiveParts(this.db));
  }

  /** The half-open intervals of program ids of every equivalence class. */
  get intervals(): ReadonlyMap<number, readonly Interval[]> {
    return this.keep('intervals', () => {
      const out = new Map<number, Interval[]>();
      for (const row of this.db.query(
        'SELECT class, first_program, end_program FROM equivalence_class_intervals ORDER BY class, position',
      )) {
        const list = out.get(number(row.class)) ?? [];
        list.push([number(row.first_program), number(row.end_program)]);
        out.set(number(row.class), list);
      }
      return out;
    });
  }

  /** Returns the bytes of a variable on each tile. */
  variableTiles(id: number): Float64Array | null {
    return this.keep(`variable ${id}`, () => {
      const block = this.db.blocks('liveness_variables', { id })[0];
      return block ? this.columns.all(block.blob('bytes_by_tile', id - block.first)) : null;
    });
  }

  get hasAllocations(): boolean {
    return this.keep('hasAllocations', () => this.db.hasRows('vars_info'));
  }

  /** Returns the allocations of a tile, in order of address. */
  allocations(tile: number): readonly Allocation[] {
    return this.keep(`allocations ${tile}`, () => readAllocations(this.db, this.names, tile));
  }

  /** Returns the vertices of some tiles by type. The code of a type counts once per tile. */
  vertices(tiles: readonly number[]): readonly VertexRow[] {
    return this.keep(`vertices ${tiles.join()}`, () => readVertices(this.db, tiles));
  }

  /** Returns a column of numbers per tile of a program, for example exchange_code; null = unknown. */
  programTiles(
    program: number,
    columnName: 'control_code' | 'exchange_code' | 'bytes_sent' | 'bytes_received' | 'estimated_cycles' | 'counter_cycles',
  ): Float64Array | null {
    return this.keep(`program ${program} ${columnName}`, () =>
      this.columns.all(blob(this.db.query(`SELECT ${columnName} AS b FROM programs WHERE id = ?`, [program])[0]?.b)),
    );
  }
}
