"""The tables of a .pop file. Made by scripts/update-docs.sh from `popscope schema --markdown`: change it there."""

from typing import NamedTuple, Tuple


class Column(NamedTuple):
    name: str
    sqlType: str
    unit: str
    meaning: str
    since: int


class Table(NamedTuple):
    meaning: str
    columns: Tuple[Column, ...]


APPLICATION_ID = 0x506F7053
USER_VERSION = 1
TABLES = {
    'meta': Table('Facts about the file.', (
        Column('key', 'TEXT PRIMARY KEY NOT NULL', '', 'poplarVersion, formatVersion, complete, compilation, codeIncluded', 1),
        Column('value', 'TEXT NOT NULL', '', 'complete is 1 once the writer finished; compilation is 1 once the compile part is there', 1),
    )),
    'target': Table('The target: one row.', (
        Column('type', 'TEXT NOT NULL', '', 'IPU, IPU_MODEL or CPU', 1),
        Column('architecture', 'TEXT NOT NULL', '', "ipu1, ipu2, ipu21, cpu or a model's name", 1),
        Column('num_ipus', 'INTEGER NOT NULL', 'IPUs', 'over all replicas', 1),
        Column('tiles_per_ipu', 'INTEGER NOT NULL', 'tiles', 'tiles of one IPU', 1),
        Column('num_replicas', 'INTEGER NOT NULL', '', 'copies of the graph', 1),
        Column('bytes_per_tile', 'INTEGER NOT NULL', 'bytes', 'memory of one tile', 1),
        Column('clock_hz', 'REAL NOT NULL', 'Hz', 'clock of the tiles', 1),
        Column('worker_contexts', 'INTEGER NOT NULL', '', 'worker threads of a tile', 1),
        Column('interleaved_offset', 'INTEGER NOT NULL', 'bytes', 'start of the interleaved region from the base; 0 = none', 1),
    )),
    'graph': Table('Counts after lowering: one row.', (
        Column('num_vertices', 'INTEGER NOT NULL', '', 'copy vertices included', 1),
        Column('num_edges', 'INTEGER NOT NULL', '', 'connections of vertex fields', 1),
        Column('num_variables', 'INTEGER NOT NULL', '', 'those that lowering adds included', 1),
        Column('num_compute_sets', 'INTEGER NOT NULL', '', 'those that lowering adds included', 1),
    )),
    'options': Table('Options of the engine and the target.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('scope', 'TEXT NOT NULL', '', 'engine or target', 1),
        Column('key', 'TEXT NOT NULL', '', 'name of the option', 1),
        Column('value', 'TEXT NOT NULL', '', 'as text', 1),
        Column('is_default', 'INTEGER NOT NULL', '', '1 = not set by the user', 1),
    )),
    'optimisations': Table('What compiler passes did, in order.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('name', 'TEXT NOT NULL', '', 'the pass', 1),
        Column('unit', 'TEXT NOT NULL', '', 'of before and after', 1),
        Column('before', 'INTEGER NOT NULL', 'see unit', 'count before the pass', 1),
        Column('after', 'INTEGER NOT NULL', 'see unit', 'count after it', 1),
    )),
    'programs': Table('Lowered programs in compile-time order; id = position.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('type', 'TEXT NOT NULL', '', 'name of a pva Program type', 1),
        Column('name', 'TEXT NOT NULL', '', 'name, or empty', 1),
        Column('parent', 'INTEGER', 'program', 'NULL = a root', 1),
        Column('is_function', 'INTEGER NOT NULL', '', '1 = root of a function body', 1),
        Column('compute_set', 'INTEGER', 'compute set', 'of OnTileExecute', 1),
        Column('count', 'INTEGER NOT NULL', '', 'of a Repeat', 1),
        Column('liveness_point', 'INTEGER NOT NULL', '', '1 = listed in liveness_steps', 1),
        Column('control_code_every_tile', 'INTEGER NOT NULL', 'bytes', 'control code on each tile, children included', 1),
        Column('control_code', 'BLOB', 'bytes by tile', 'control code beyond control_code_every_tile', 1),
        Column('exchange_code', 'BLOB', 'bytes by tile', 'exchange code', 1),
        Column('bytes_sent', 'BLOB', 'bytes by tile', 'by an exchange or host copy', 1),
        Column('bytes_received', 'BLOB', 'bytes by tile', 'by an exchange or host copy', 1),
        Column('estimated_cycles', 'BLOB', 'cycles by tile', 'compile-time estimate', 1),
    )),
    'control_programs': Table('Programs given to the engine, in its order.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('program', 'INTEGER NOT NULL', 'program', 'root program', 1),
    )),
    'compute_sets': Table('Compute sets; id = position.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('name', 'TEXT NOT NULL', '', 'name, or empty', 1),
        Column('estimated_cycles', 'BLOB', 'cycles by tile', 'NULL = not estimated', 1),
    )),
    'compute_set_vertices': Table('Vertices of a compute set by type.', (
        Column('compute_set', 'INTEGER NOT NULL', 'compute set', 'whose vertices', 1),
        Column('position', 'INTEGER NOT NULL', '', 'order within the compute set', 1),
        Column('vertex_type', 'INTEGER NOT NULL', 'vertex type', 'which type', 1),
        Column('instances', 'INTEGER NOT NULL', 'vertices', 'over all tiles', 1),
        Column('count_by_tile', 'BLOB', 'vertices by tile', 'instances on each tile', 1),
    )),
    'vertex_types': Table('Vertex types; id = position.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('name', 'TEXT NOT NULL', '', 'as it was registered, with template arguments', 1),
        Column('state_bytes', 'INTEGER NOT NULL', 'bytes', 'state of one instance', 1),
        Column('instances', 'INTEGER NOT NULL', 'vertices', 'over all tiles', 1),
        Column('memory_bytes', 'INTEGER NOT NULL', 'bytes', 'state, field data and descriptors of all instances, and code once per tile', 1),
        Column('cycle_provenance', 'TEXT NOT NULL', '', 'estimate, estimator, codelet, stand-in, runtime or empty', 1),
    )),
    'vertex_fields': Table('State of one instance of a vertex type on the tile, in declaration order; the lines add up to state_bytes.', (
        Column('vertex_type', 'INTEGER NOT NULL', 'vertex type', 'which type; copy vertices have no lines', 1),
        Column('position', 'INTEGER NOT NULL', '', 'order in the state', 1),
        Column('name', 'TEXT NOT NULL', '', 'of the field; empty for padding', 1),
        Column('kind', 'TEXT NOT NULL', '', 'state, edge or padding', 1),
        Column('offset', 'INTEGER NOT NULL', 'bytes', 'from the start of the state', 1),
        Column('size_bytes', 'INTEGER NOT NULL', 'bytes', 'within the state', 1),
        Column('bytes_per_element', 'INTEGER NOT NULL', 'bytes', 'outside of the state, for each element or inner vector; 0 = none', 1),
        Column('outside', 'TEXT NOT NULL', '', 'storage category of those, or empty', 1),
    )),
    'vertices_by_tile': Table('Vertex memory of each type on each tile that has it.', (
        Column('tile', 'INTEGER NOT NULL', 'tile', 'which tile', 1),
        Column('vertex_type', 'INTEGER NOT NULL', 'vertex type', 'which type', 1),
        Column('instances', 'INTEGER NOT NULL', 'vertices', 'on this tile', 1),
        Column('code_bytes', 'INTEGER NOT NULL', 'bytes', 'code, once per tile', 1),
        Column('internal_state', 'INTEGER NOT NULL', 'bytes', 'fields that are no edges', 1),
        Column('edge_pointers', 'INTEGER NOT NULL', 'bytes', 'pointers and lengths of edges', 1),
        Column('copy_pointers', 'INTEGER NOT NULL', 'bytes', 'pointers of copy vertices', 1),
        Column('padding', 'INTEGER NOT NULL', 'bytes', 'lost to alignment between fields', 1),
        Column('descriptors', 'INTEGER NOT NULL', 'bytes', 'of copies and of nested vectors', 1),
    )),
    'memory_by_tile': Table('Memory of each tile of one replica.', (
        Column('tile', 'INTEGER PRIMARY KEY', 'tile', 'which tile', 1),
        Column('total', 'INTEGER NOT NULL', 'bytes', 'occupied, without gaps', 1),
        Column('total_including_gaps', 'INTEGER NOT NULL', 'bytes', 'end of the highest used address', 1),
        Column('non_interleaved', 'INTEGER NOT NULL', 'bytes', 'without gaps', 1),
        Column('interleaved', 'INTEGER NOT NULL', 'bytes', 'without gaps', 1),
        Column('overflowed', 'INTEGER NOT NULL', 'bytes', 'past the end of memory, without gaps', 1),
        Column('non_interleaved_including_gaps', 'INTEGER NOT NULL', 'bytes', 'up to the highest used address of the region', 1),
        Column('interleaved_including_gaps', 'INTEGER NOT NULL', 'bytes', 'up to the highest used address of the region', 1),
        Column('overflowed_including_gaps', 'INTEGER NOT NULL', 'bytes', 'up to the highest used address past the end', 1),
        Column('after_overlapping', 'INTEGER NOT NULL', 'bytes', 'addresses occupied by overlapped allocations', 1),
        Column('lower_bound_overlapped', 'INTEGER NOT NULL', 'bytes', 'peak of live overlapped bytes', 1),
        Column('always_live', 'INTEGER NOT NULL', 'bytes', 'occupied during the whole program', 1),
        Column('max_not_always_live', 'INTEGER NOT NULL', 'bytes', 'largest over the steps', 1),
    )),
    'memory_by_tile_category': Table('Bytes of each category where not 0.', (
        Column('tile', 'INTEGER NOT NULL', 'tile', 'which tile', 1),
        Column('category', 'INTEGER NOT NULL', 'var_categories.id', 'what the bytes are for', 1),
        Column('region', 'INTEGER NOT NULL', '', '0 non-interleaved, 1 interleaved, 2 overflowed', 1),
        Column('overlapped', 'INTEGER NOT NULL', '', '1 = shares its addresses with others over time', 1),
        Column('size_bytes', 'INTEGER NOT NULL', 'bytes', 'sum over allocations', 1),
    )),
    'memory_by_tile_use': Table("Occupied addresses by what they are used for; a tile's rows add up to memory_by_tile.total.", (
        Column('tile', 'INTEGER NOT NULL', 'tile', 'which tile', 1),
        Column('category', 'INTEGER NOT NULL', 'var_categories.id', 'multiple = several categories at different times', 1),
        Column('size_bytes', 'INTEGER NOT NULL', 'bytes', 'addresses, each once', 1),
    )),
    'tiles_out_of_memory': Table('Tiles that do not fit, fullest first.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('tile', 'INTEGER NOT NULL', 'tile', 'which tile', 1),
    )),
    'var_categories': Table('Storage categories.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position in the table of storage categories', 1),
        Column('name', 'TEXT NOT NULL', '', 'key, e.g. variable', 1),
    )),
    'vars_string_table': Table('Names of variables, each once.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('string', 'TEXT NOT NULL', '', 'the name', 1),
    )),
    'vars_info': Table('Lowered variables (autoReport.outputLoweredVars).', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('name', 'INTEGER NOT NULL', 'vars_string_table.id', 'name of the variable or of its category', 1),
        Column('variable', 'INTEGER', 'liveness_variables.id', 'NULL = code or system data', 1),
        Column('tile', 'INTEGER NOT NULL', 'tile', 'where it lies', 1),
        Column('offset', 'INTEGER NOT NULL', 'bytes', 'address from the base of tile memory', 1),
        Column('size_bytes', 'INTEGER NOT NULL', 'bytes', 'of this allocation', 1),
        Column('alignment', 'INTEGER NOT NULL', 'bytes', 'what its address is a multiple of', 1),
        Column('category', 'INTEGER NOT NULL', 'var_categories.id', 'what it is for', 1),
        Column('always_live', 'INTEGER NOT NULL', '', '1 = occupied during the whole program', 1),
        Column('overlapped', 'INTEGER NOT NULL', '', '1 = shares its addresses with others over time', 1),
        Column('is_constant', 'INTEGER NOT NULL', '', '1 = its value never changes', 1),
        Column('equivalence_class', 'INTEGER', 'equivalence_classes.id', 'when its addresses are occupied; class 1 = at every program', 1),
    )),
    'liveness_variables': Table('Variables of the liveness lists, pseudo-variables of code and system data included.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('name', 'INTEGER NOT NULL', 'vars_string_table.id', 'name of the variable or category', 1),
        Column('size_bytes', 'INTEGER NOT NULL', 'bytes', 'over all tiles of one replica', 1),
        Column('always_live', 'INTEGER NOT NULL', '', '1 = live at every step', 1),
        Column('equivalence_class', 'INTEGER', 'equivalence_classes.id', 'when it is live; NULL for pseudo-variables', 1),
        Column('category', 'INTEGER NOT NULL', 'var_categories.id', 'what it is for', 1),
        Column('bytes_by_tile', 'BLOB', 'bytes by tile', 'its bytes on each tile', 1),
    )),
    'equivalence_classes': Table('Sets of variables with equal live intervals.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('num_intervals', 'INTEGER NOT NULL', '', 'how many rows equivalence_class_intervals has', 1),
    )),
    'equivalence_class_intervals': Table('Half-open intervals of program ids.', (
        Column('class', 'INTEGER NOT NULL', 'equivalence_classes.id', 'whose interval', 1),
        Column('position', 'INTEGER NOT NULL', '', 'ascending', 1),
        Column('first_program', 'INTEGER NOT NULL', 'program', 'the first in which it is live', 1),
        Column('end_program', 'INTEGER NOT NULL', 'program', 'one past the last', 1),
    )),
    'liveness_steps': Table('Live bytes at each program position, always-live bytes excluded.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position in livenessProgramSteps', 1),
        Column('program', 'INTEGER NOT NULL', 'program', 'which program', 1),
        Column('size_bytes', 'INTEGER NOT NULL', 'bytes', 'over all tiles of one replica', 1),
    )),
    'liveness_steps_by_ipu': Table('The same by IPU.', (
        Column('step', 'INTEGER NOT NULL', 'liveness_steps.id', 'which step', 1),
        Column('ipu', 'INTEGER NOT NULL', 'IPU', 'which IPU', 1),
        Column('size_bytes', 'INTEGER NOT NULL', 'bytes', 'over the tiles of the IPU', 1),
    )),
    'liveness_totals': Table('One row.', (
        Column('always_live', 'INTEGER NOT NULL', 'bytes', 'sum of the always-live variables', 1),
        Column('max_live', 'INTEGER NOT NULL', 'bytes', 'always-live bytes included', 1),
    )),
    'runs': Table('Recorded calls of Engine::run.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('name', 'TEXT NOT NULL', '', 'debug name', 1),
        Column('program', 'INTEGER NOT NULL', '', 'index given to run', 1),
        Column('start_us', 'REAL NOT NULL', 'microseconds', 'host clock', 1),
        Column('end_us', 'REAL NOT NULL', 'microseconds', 'host clock; equal to start_us for the IPU Model', 1),
        Column('complete', 'INTEGER NOT NULL', '', '1 once the run ended', 1),
    )),
    'steps': Table('Executed steps in order.', (
        Column('id', 'INTEGER PRIMARY KEY', '', 'position', 1),
        Column('run', 'INTEGER NOT NULL', 'runs.id', 'which run', 1),
        Column('type', 'TEXT NOT NULL', '', "name of the program's type", 1),
        Column('program', 'INTEGER NOT NULL', 'program', 'what was executed', 1),
        Column('compute_set', 'INTEGER', 'compute set', 'NULL = the step has none', 1),
        Column('thread_cycles', 'INTEGER', 'cycles', 'sum over tiles, idle threads excluded; NULL = not known', 1),
        Column('cycles_by_tile', 'BLOB', 'cycles by tile', '0 = not involved; NULL = not known', 1),
    )),
    'steps_by_ipu': Table('What a step did on each IPU. Cycle columns beyond cycles_base are offsets from it.', (
        Column('step_id', 'INTEGER NOT NULL', 'steps.id', 'which step', 1),
        Column('ipu', 'INTEGER NOT NULL', 'IPU', 'which IPU', 1),
        Column('cycles', 'INTEGER NOT NULL', 'cycles', 'active_cycles_to_max - active_cycles_from_min; 0 without active tile', 1),
        Column('active_tiles', 'INTEGER NOT NULL', 'tiles', 'tiles with work in the step', 1),
        Column('busy_cycles', 'INTEGER NOT NULL', 'cycles', "sum over tiles of cycles in this step's work", 1),
        Column('cycles_base', 'INTEGER NOT NULL', 'cycles', 'cycles since the start of the run that the offsets count from', 1),
        Column('all_cycles_from_min', 'INTEGER NOT NULL', 'cycles', 'first tile enters', 1),
        Column('all_cycles_from_max', 'INTEGER NOT NULL', 'cycles', 'last tile enters', 1),
        Column('all_cycles_to_min', 'INTEGER NOT NULL', 'cycles', 'first tile leaves', 1),
        Column('all_cycles_to_max', 'INTEGER NOT NULL', 'cycles', 'last tile leaves', 1),
        Column('active_cycles_from_min', 'INTEGER NOT NULL', 'cycles', 'the same over active tiles', 1),
        Column('active_cycles_from_max', 'INTEGER NOT NULL', 'cycles', 'last active tile enters', 1),
        Column('active_cycles_to_min', 'INTEGER NOT NULL', 'cycles', 'first active tile leaves', 1),
        Column('active_cycles_to_max', 'INTEGER NOT NULL', 'cycles', 'last active tile leaves', 1),
        Column('data_in', 'INTEGER NOT NULL', 'bytes', 'received', 1),
        Column('data_out', 'INTEGER NOT NULL', 'bytes', 'sent', 1),
        Column('max_tile_data', 'INTEGER NOT NULL', 'bytes', 'largest sent + received of one tile', 1),
    )),
    'step_vertex_types': Table('Cycles of a step by vertex type, most first.', (
        Column('step_id', 'INTEGER NOT NULL', 'steps.id', 'which step', 1),
        Column('position', 'INTEGER NOT NULL', '', 'order by cycles', 1),
        Column('vertex_type', 'INTEGER NOT NULL', 'vertex type', 'which type', 1),
        Column('instances', 'INTEGER NOT NULL', 'vertices', 'executed in the step', 1),
        Column('cycles', 'INTEGER', 'cycles', 'NULL = not known', 1),
    )),
    'execution_cycle_totals': Table('Sums over tiles of a run.', (
        Column('run', 'INTEGER PRIMARY KEY', 'runs.id', 'which run', 1),
        Column('total_cycles', 'INTEGER NOT NULL', 'cycles', 'of the run, not summed over tiles; waiting for the host included', 1),
        Column('compute', 'INTEGER NOT NULL', 'tile cycles', 'idle threads included', 1),
        Column('thread_cycles', 'INTEGER', 'tile cycles', 'idle threads excluded; NULL = not known', 1),
        Column('exchange', 'INTEGER NOT NULL', 'tile cycles', 'internal exchange', 1),
        Column('global_exchange', 'INTEGER NOT NULL', 'tile cycles', 'between IPUs', 1),
        Column('host_exchange', 'INTEGER NOT NULL', 'tile cycles', 'with the host', 1),
        Column('shared_structure_copy', 'INTEGER NOT NULL', 'tile cycles', 'always 0: nothing is lowered to such copies', 1),
        Column('sync', 'INTEGER NOT NULL', 'tile cycles', 'waiting at barriers', 1),
        Column('unattributed', 'INTEGER NOT NULL', 'tile cycles', 'named causes that are none of the above', 1),
    )),
}
