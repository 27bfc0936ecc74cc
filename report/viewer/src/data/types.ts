// The parts of a profile as plain data. A comment or the name of a field states its unit. NaN = unknown.

export interface Target {
  readonly type: string;
  readonly architecture: string;
  readonly ipus: number; // over all replicas
  readonly tilesPerIpu: number;
  readonly replicas: number;
  readonly bytesPerTile: number;
  readonly clockHz: number;
  readonly workers: number;
  readonly interleavedOffset: number; // bytes from the base; 0 = no such region
}

export interface Program {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly parent: number | null;
  readonly isFunction: boolean;
  readonly computeSet: number | null;
  readonly count: number; // iterations of a Repeat
  readonly livenessPoint: boolean;
  readonly controlCode: number; // bytes on each tile, children included
  readonly context: number; // id of the debug context in which the program was created; 0 = none
  readonly barriers: readonly string[]; // barriers that all tiles pass, in order
  readonly moved?: () => string; // only of a copy without a name of its own: the variables that it moves; '' = unknown
}

export interface Run {
  readonly id: number;
  readonly name: string; // the label of popscope::profile::Scope and the name passed to Engine::run: "epoch 3: train"
  readonly program: number; // the program number passed to Engine::run
  readonly firstStep: number;
  readonly endStep: number;
  readonly number: number; // number of earlier calls of Engine::run
  readonly complete: boolean;
}

/** Sums over the tiles of a run in tile cycles; `total` is the length of the run in cycles. */
export interface RunTotals {
  readonly run: number;
  readonly total: number;
  readonly compute: number; // idle threads included
  readonly threads: number; // idle threads excluded
  readonly exchange: number;
  readonly globalExchange: number;
  readonly hostExchange: number;
  readonly sync: number;
  readonly unattributed: number;
}

/** Columns over the executed steps. The value of (step, IPU) is at index step * ipus + ipu. Cycles count from the start of the run. */
export interface Steps {
  readonly count: number;
  readonly ipus: number;
  readonly run: Int32Array;
  readonly program: Int32Array;
  readonly threadCycles: Float64Array;
  readonly cycles: Float64Array;
  readonly busy: Float64Array;
  readonly activeTiles: Float64Array;
  readonly from: Float64Array; // cycle at which the first tile enters; idle tiles included
  readonly to: Float64Array; // cycle at which the last tile leaves; idle tiles included
  readonly enters: Float64Array; // cycle at which the last tile enters; idle tiles included
  readonly activeFrom: Float64Array; // cycle at which the first tile with work enters
  readonly activeTo: Float64Array; // cycle at which the last tile with work leaves
  readonly dataIn: Float64Array; // bytes
  readonly dataOut: Float64Array; // bytes
  readonly maxTileData: Float64Array; // bytes
}

/** Columns over the tiles of one replica, in bytes. */
export interface TileMemory {
  readonly total: Float64Array;
  readonly includingGaps: Float64Array;
  readonly nonInterleaved: Float64Array;
  readonly interleaved: Float64Array;
  readonly overflowed: Float64Array;
  readonly alwaysLive: Float64Array;
  readonly maxNotAlwaysLive: Float64Array;
}

export interface LivenessStep {
  readonly program: number;
  readonly bytes: number; // always-live bytes excluded
}

export interface Variable {
  readonly id: number;
  readonly name: string;
  readonly bytes: number; // over all tiles of one replica
  readonly alwaysLive: boolean;
  readonly equivalenceClass: number | null;
  readonly category: string;
}

/** Tiles on which a variable is live at steps other than those of the variable's equivalence class. */
export interface LivePart {
  readonly equivalenceClass: number;
  readonly bytes: number;
  readonly bytesByTile: Uint8Array;
}

/** One allocation on one tile. */
export interface Allocation {
  readonly name: string;
  readonly variable: number | null;
  readonly offset: number; // bytes from the base of tile memory
  readonly bytes: number;
  readonly alignment: number;
  readonly category: string;
  readonly alwaysLive: boolean;
  readonly overlapped: boolean;
  readonly equivalenceClass: number | null;
}

export interface VertexRow {
  readonly type: string;
  readonly instances: number;
  readonly codeBytes: number;
  readonly stateBytes: number; // state, pointers, padding
  readonly descriptorBytes: number;
}

/** A half-open interval of program ids. */
export type Interval = readonly [number, number];

/**
 * Delays of a kind of sync per tile, in cycles. The signal of a tile needs `to` cycles to reach the controller. The release reaches a tile
 * `from` cycles after the last signal arrived.
 */
export interface SyncDelay {
  readonly acrossIpus: boolean;
  readonly to: Float64Array;
  readonly from: Float64Array;
}

/** Thread cycles of each worker slot, and tile cycles of supervisor vertices and MultiVertices, per tile. */
export interface WorkerSlots {
  readonly slots: readonly Float64Array[];
  readonly supervisor: Float64Array;
}

/** A block of lightweight profiling on a tile, in cycles of the tile's counter. */
export interface Block {
  readonly tile: number;
  readonly program: number;
  readonly kind: string;
  readonly from: number;
  readonly to: number; // NaN = the run stopped before the block ended
  readonly run: number; // number of earlier calls of Engine::run
  readonly depth: number; // number of enclosing blocks
}

/** Bytes that are live by the array rule, although no path reads them, over a half-open interval of programs. */
export interface FalseLive {
  readonly variable: number;
  readonly from: number;
  readonly end: number;
  readonly bytes: number;
}

/** The accesses of one program to one variable: numbers of elements, each element counted once; 0 = no such access. */
export interface VariableAccess {
  readonly program: number;
  readonly elements: number; // number of elements of the variable
  readonly read: number;
  readonly written: number;
  readonly undefined: number;
}

/** A place in the program where a WriteUndef would save memory. Savings are in bytes. */
export interface UndefPlacement {
  readonly variable: number;
  readonly before: number; // the program before which the WriteUndef would stand
  readonly onWorstTile: number;
  readonly onDevice: number;
}

/** Bytes between groups of neighbouring tiles in one exchange. All lists have the same length. */
export interface Traffic {
  readonly tilesPerGroup: number;
  readonly from: Float64Array; // group of each sender
  readonly to: Float64Array;
  readonly bytes: Float64Array;
}
