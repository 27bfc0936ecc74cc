// The data of Schema.hpp. Names, columns and meaning of steps, steps_by_ipu, programs, compute_sets, vars_info,
// var_categories, vars_string_table, memory_by_tile and execution_cycle_totals are those that scripts for Poplar's
// profiles use, except for compute_sets.id. All other tables and columns are our own.
#include "report/pop/AdviceTables.hpp"
#include "report/pop/ColumnTypes.hpp"

namespace popscope {
namespace {
using namespace columnTypes;

std::vector<SchemaTable> generalTables() {
  return {
      {"meta",
       "Facts about the file.",
       {{"key", "TEXT PRIMARY KEY NOT NULL", "",
         "poplarVersion, formatVersion, complete, ended, compilation, cycleProvenance, codeIncluded, debugContexts, "
         "debugInfo, program"},
        {"value", kText, "",
         "poplarVersion contains the versions of the Poplar interface and of Popscope; formatVersion is the version of "
         "the file format; complete is 1 once the writer has finished; ended states where and why an incomplete "
         "recording stopped; compilation is 1 once the data of the compilation is written; cycleProvenance is "
         "estimated, because cycles come from a model of the machine; codeIncluded is 0 for an IPU Model without "
         "compileIPUCode, else 1; debugContexts is 1 if the column programs.debug_context is recorded; debugInfo is "
         "the id of debug.cbor, if a debug.cbor was written; program is the file name of the executable that wrote the "
         "profile or, for Python, the name of the script or module"}}},
      {"target",
       "The target of the program. The table has one row.",
       {{"type", kText, "", "IPU, IPU_MODEL or CPU"},
        {"architecture", kText, "", "ipu1, ipu2, ipu21 or cpu; the field /architecture of the machine"},
        {"num_ipus", kInt, "IPUs", "number of IPUs over all replicas"},
        {"tiles_per_ipu", kInt, "tiles", "number of tiles of one IPU"},
        {"num_replicas", kInt, "", "number of copies of the graph"},
        {"bytes_per_tile", kInt, "bytes", "memory of one tile"},
        {"clock_hz", kReal, "Hz", "clock rate of the tiles"},
        {"worker_contexts", kInt, "", "number of worker threads of a tile"},
        {"interleaved_offset", kInt, "bytes",
         "bytes from the start of a tile's memory to the interleaved region; 0 if the memory has no interleaved "
         "region"},
        {"machine", kText, "",
         "all fields of the machine as JSON, in the format of docs/MACHINES.md; empty if unknown"}}},
      {"graph",
       "Numbers of objects in the graph. The table has one row. Vertices and compute sets that no program executes "
       "also count, although they take no memory.",
       {{"num_vertices", kInt, "", "number of vertices, including copy vertices"},
        {"num_edges", kInt, "", "number of edges of all vertices"},
        {"num_variables", kInt, "", "number of variables, including variables that lowering adds"},
        {"num_compute_sets", kInt, "", "number of compute sets, including compute sets that lowering adds"}}},
      {"options",
       "Options of the engine and the target. If the engine was constructed from an executable, options that act only "
       "at compilation have the values of the compilation. All other options have the values of the engine.",
       {{"id", kId, "", "number of the row, from 0"},
        {"scope", kText, "", "engine or target"},
        {"key", kText, "", "name of the option"},
        {"value", kText, "", "value of the option, as text"},
        {"is_default", kInt, "", "1 if neither the program nor its environment set the option"}}},
      {"warnings",
       "Messages about settings that have no effect, about the changes of popscope.applyAdvice, and about code of "
       "unknown size.",
       {{"id", kId, "", "number of the row, from 0"},
        {"about", kText, "", "name of the option, or the vertex type"},
        {"text", kText, "", "the reason for the message, or the change in words"}}},
      {"optimisations",
       "Effects of the compiler passes, in the order of the passes.",
       {{"id", kId, "", "number of the row, from 0"},
        {"name", kText, "", "name of the pass"},
        {"unit", kText, "", "unit of the columns before and after"},
        {"before", kInt, "see unit", "number before the pass"},
        {"after", kInt, "see unit", "number after the pass"}}},
  };
}

std::vector<SchemaTable> programTables() {
  return {
      {"programs",
       "The lowered programs, which form a tree. Each program comes before its children. A BLOB by tile is NULL if its "
       "numbers are 0 on all tiles or unknown.",
       {{"id", kId, "", "number of the row, from 0"},
        {"type", kText, "", "name of the program's type, as in pva::Program::Type"},
        {"name", kText, "", "name of the program, or empty"},
        {"parent", kIntNull, "program", "the program that contains this program; NULL for a root"},
        {"is_function", kInt, "", "1 if the program is the root of a function body"},
        {"compute_set", kIntNull, "compute set", "id of the compute set of an OnTileExecute; NULL for other programs"},
        {"count", kInt, "", "number of iterations of a Repeat; 0 for other programs"},
        {"liveness_point", kInt, "", "1 if the table liveness_steps lists the program"},
        {"control_code_every_tile", kInt, "bytes", "control code of the program and its children that every tile has"},
        {"exchange_code_of", kIntNull, "program",
         "the program whose exchange code this program executes; NULL if this program has its own exchange code, or "
         "none"},
        {"debug_context", kIntNull, "id in debug.cbor",
         "the DebugInfo in which the program was created. A program without a DebugInfo has the id of its place in the "
         "source, or NULL"},
        {"barriers", kText, "",
         "barriers that the tiles pass in the program, in the order of time: values of sync_delays.kind, separated by "
         "commas"},
        {"counter_cycles", kBlob, "cycles by tile",
         "time to read counters of instrumentation, after the work of the program"},
        {"control_code", kBlob, "bytes by tile",
         "control code of the program and its children, in addition to control_code_every_tile"},
        {"exchange_code", kBlob, "bytes by tile", "exchange code of the program; NULL if exchange_code_of is not NULL"},
        {"bytes_sent", kBlob, "bytes by tile",
         "bytes that the tile sends in an exchange or host copy; data for several tiles counts once"},
        {"bytes_received", kBlob, "bytes by tile", "bytes that the tile receives in an exchange or host copy"},
        {"estimated_cycles", kBlob, "cycles by tile",
         "cycles of one execution of an exchange or host copy, estimated at compile time"},
        {"messages_received", kBlob, "messages by tile",
         "number of messages that the tile receives in a DoExchange or GlobalExchange"},
        {"receive_latency", kBlob, "cycles by tile",
         "time in a DoExchange until the first word of the furthest sender arrives"},
        {"receive_transfer", kBlob, "cycles by tile", "time in a DoExchange during which the received words arrive"},
        {"receive_controls", kBlob, "controls by tile",
         "number of control instructions that the tile executes between the messages of a DoExchange. A new sender "
         "takes 2 instructions (1 by the rules of some releases). A new address for the same sender takes 1 "
         "instruction"},
        {"counter_stores", kBlob, "by tile",
         "number of stores whose time counter_cycles includes; each store takes worker_contexts cycles"},
        {"receive_distance", kBlob, "tiles by tile", "distance from the tile to the furthest sender of a DoExchange"},
        {"message_sizes", kBlob, "by tile",
         "1 + message_sizes.id of the messages that the tile receives in a DoExchange; 0 if the tile receives no "
         "message, or if some messages use more buses than others"}}},
      {"message_sizes",
       "Combinations of message sizes. The messages that one tile receives in one DoExchange have one of these "
       "combinations. The transfer of each message takes a whole number of cycles.",
       {{"id", kId, "", "number of the row, from 0"},
        {"buses", kInt, "buses",
         "number of buses that carry the messages: the tile's own bus, and the buses of neighbouring tiles that "
         "receive the same data"},
        {"bytes", kBlobFull, "bytes, packed list", "sizes of the messages, in ascending order"},
        {"messages", kBlobFull, "messages, packed list", "for each size in bytes, the number of messages"}}},
      {"link_transfers",
       "Data that one IPU sends to another IPU in a GlobalExchange. A tile takes at least as long as the slowest "
       "transfer with data from or for this tile. The tile takes longer if its own data needs more time to leave or "
       "enter the tile. In a replicated graph, an exchange within a replica has rows only for replica 0. A copy "
       "between replicas has rows for all replicas.",
       {{"program", kInt, "program", "id of the GlobalExchange"},
        {"position", kInt, "", "number of the transfer within the program, from 0"},
        {"from_ipu", kInt, "IPU", "number of the sending IPU over all replicas"},
        {"to_ipu", kInt, "IPU",
         "number of the receiving IPU over all replicas; in a copy between replicas, this IPU belongs to another "
         "replica"},
        {"size_bytes", kInt, "bytes", "bytes of the transfer"},
        {"tiles", kBlob, "by tile", "1 for each tile of one replica that sends or receives a part of the data"}},
       "program, position"},
      {"traffic",
       "Bytes that a DoExchange or a GlobalExchange moves between groups of neighbouring tiles. The number of a tile's "
       "group is tile / tiles_per_group, rounded down. Data for several tiles counts once for each receiving tile. An "
       "exchange has no row if it copies data between replicas, or if a pair of groups exchanges 2^32 bytes or more.",
       {{"program", kId, "program", "id of the exchange"},
        {"tiles_per_group", kInt, "tiles",
         "number of tiles in a group: a power of two, and 1 if few pairs of tiles exchange data"},
        {"from_groups", kBlobFull, "groups, packed list",
         "for each pair of groups that exchange data, the sending group. The pairs are sorted by sending group, then "
         "by receiving group"},
        {"to_groups", kBlobFull, "groups, packed list", "for each pair of groups, the receiving group"},
        {"size_bytes", kBlobFull, "bytes, packed list",
         "for each pair of groups, the bytes from the sending group to the receiving group in one execution"}}},
      {"more_contexts",
       "Debug contexts of programs that lowering merged into one program, in addition to programs.debug_context.",
       {{"program", kInt, "program", "id of the merged program"},
        {"position", kInt, "", "number of the context within the program, from 0"},
        {"debug_context", kInt, "id in debug.cbor",
         "the DebugInfo of a program that lowering merged into this program. A merged program without a DebugInfo has "
         "the id of its place in the source"}},
       "program, position"},
      {"sync_delays",
       "Kinds of syncs. The signal of a tile takes to_controller cycles to the sync controller. The release of a tile "
       "comes from_controller cycles after the last signal has arrived at the controller.",
       {{"kind", "TEXT PRIMARY KEY NOT NULL", "",
         "internal, external, global, host request or host answer. The last two kinds exist only if the machine's host "
         "copies wait for the host"},
        {"across_ipus", kInt, "",
         "1 if the sync waits for all tiles, 0 if the sync waits only for the tiles of one IPU"},
        {"to_controller", kBlobFull, "cycles by tile of one replica, packed",
         "time of a signal from the tile to the sync controller"},
        {"from_controller", kBlobFull, "cycles by tile of one replica, packed",
         "time from the arrival of the last signal at the controller to the release of the tile"}}},
      {"machine_costs",
       "Costs of the machine, from which the cycles were estimated.",
       {{"key", "TEXT PRIMARY KEY NOT NULL", "", "name of the cost"},
        {"value", kReal, "see unit", "value of the cost"},
        {"unit", kText, "", "unit of the column value; empty if the cost has no unit"}}},
      {"control_programs",
       "Roots of the lowered programs, without function bodies. The table has one row, whose program contains all "
       "programs that the user gave to the engine.",
       {{"id", kId, "", "number of the row, from 0"}, {"program", kInt, "program", "id of the root"}}},
      {"compute_sets",
       "Compute sets, including compute sets that lowering adds. A compute set that no program executes has no rows in "
       "compute_set_vertices and compute_set_operands.",
       {{"id", kId, "", "number of the row, from 0; scripts for Poplar's profiles call this column compute_set"},
        {"name", kText, "", "name of the compute set, or empty"},
        {"estimated_cycles", kBlob, "cycles by tile",
         "cycles of each tile in one execution: worker vertices share the worker slots of the tile, and each "
         "supervisor vertex runs alone; NULL if a vertex has no estimate, or if the target is a device, because a "
         "device measures cycles"}}},
      {"compute_set_vertices",
       "Vertices of each compute set, by vertex type.",
       {{"compute_set", kInt, "compute set", "id of the compute set of the vertices"},
        {"position", kInt, "", "number of the row within the compute set, from 0"},
        {"vertex_type", kInt, "vertex type", "id of the vertex type"},
        {"instances", kInt, "vertices", "number of vertices over all tiles"},
        {"count_by_tile", kBlob, "vertices by tile", "number of vertices on each tile"},
        {"flop_vertices", kIntNull, "vertices",
         "number of vertices whose floating-point operations are known before a run: vertices with an estimate of "
         "operations, and copy vertices, which do no operations; NULL if not recorded"},
        {"flops", kIntNull, "operations",
         "floating-point operations of these flop_vertices in one execution; NULL if flop_vertices is 0 or NULL"},
        {"estimated_vertices", kIntNull, "vertices",
         "number of vertices whose cycles are known before a run: vertices with an estimate of cycles, and copy "
         "vertices; 0 on a device, because a device measures cycles; NULL if not recorded"},
        {"estimated_cycles", kIntNull, "cycles",
         "cycles of these estimated_vertices in one execution: thread cycles for worker vertices, tile cycles for "
         "supervisor vertices; NULL if estimated_vertices is 0 or NULL"}},
       "compute_set, position"},
      {"compute_set_operands",
       "Elements that the vertices of one type in a compute set read and write through one field. An element counts "
       "once for each edge that contains it.",
       {{"compute_set", kInt, "compute set", "id of the compute set of the vertices"},
        {"position", kInt, "",
         "number of the row within the compute set, from 0; the rows are sorted by vertex type, then by field"},
        {"vertex_type", kInt, "vertex type", "id of the vertex type"},
        {"field", kText, "", "name of the field; for a copy, from or to; empty if unknown"},
        {"element_type", kText, "",
         "type of the elements, such as float or unsigned int; empty for copies (their elements are bytes), and for "
         "edges without elements"},
        {"is_read", kInt, "", "1 if the vertices read the values that the elements have before the step"},
        {"is_written", kInt, "", "1 if the vertices write the elements"},
        {"edges", kInt, "",
         "number of edges of these vertices; each inner vector of a vector of vectors counts as one edge"},
        {"elements", kInt, "", "number of elements of all these edges"},
        {"least_elements", kInt, "", "number of elements of the smallest edge"},
        {"most_elements", kInt, "", "number of elements of the largest edge"},
        {"size_bytes", kInt, "bytes", "total size of these elements"}},
       "compute_set, position"},
      {"vertex_types",
       "Vertex types, including the types of copy vertices.",
       {{"id", kId, "", "number of the row, from 0"},
        {"name", kText, "", "registered name, with template arguments"},
        {"state_bytes", kInt, "bytes", "state of one instance"},
        {"instances", kInt, "vertices", "number of vertices over all tiles"},
        {"memory_bytes", kInt, "bytes",
         "state, field data and descriptors of all instances, plus the code once for each tile that has an instance"},
        {"cycle_provenance", kText, "",
         "source of the cycles, as in vertex_cycle_sources. A type with several sources has the last of these sources "
         "in this order: estimate, estimator, codelet, stand-in, last known, runtime. The column is empty before the "
         "first recorded run, and if all sources are unknown"}}},
      {"vertex_fields",
       "State of one instance of a vertex type on the tile: one row for each field and each gap of padding, in "
       "declaration order. The sizes of the rows add up to vertex_types.state_bytes.",
       {{"vertex_type", kInt, "vertex type", "id of the vertex type; copy vertices have no rows"},
        {"position", kInt, "", "number of the row within the vertex type, from 0"},
        {"name", kText, "", "name of the field; empty for padding"},
        {"kind", kText, "", "state, edge or padding"},
        {"offset", kInt, "bytes", "offset from the start of the state"},
        {"size_bytes", kInt, "bytes", "size of the field within the state"},
        {"bytes_per_element", kInt, "bytes",
         "bytes outside of the state for each element or inner vector; 0 if the field has no such bytes"},
        {"outside", kText, "", "storage category of the bytes outside of the state, or empty"}},
       "vertex_type, position"},
      {"vertices_by_tile",
       "Memory of the vertices of one type on one tile.",
       {{"tile", kInt, "tile", "number of the tile"},
        {"vertex_type", kInt, "vertex type", "id of the vertex type"},
        {"instances", kInt, "vertices", "number of vertices on this tile"},
        {"code_bytes", kInt, "bytes",
         "code of the type on this tile, including library functions that only this type uses on the tile"},
        {"internal_state", kInt, "bytes", "size of fields that are not edges"},
        {"edge_pointers", kInt, "bytes", "pointers and lengths of edges"},
        {"copy_pointers", kInt, "bytes", "pointers of copy vertices"},
        {"padding", kInt, "bytes", "bytes lost to alignment between fields"},
        {"descriptors", kInt, "bytes", "descriptors of copies and of nested vectors"}},
       "tile, vertex_type"},
  };
}

std::vector<SchemaTable> memoryTables() {
  return {
      {"memory_by_tile",
       "Memory of each tile of one replica.",
       {{"tile", kId, "tile", "number of the tile"},
        {"total", kInt, "bytes", "number of addresses that are occupied at some step"},
        {"total_including_gaps", kInt, "bytes", "bytes from the start of memory to the highest used address"},
        {"non_interleaved", kInt, "bytes",
         "number of addresses in the non-interleaved region that are occupied at some step"},
        {"interleaved", kInt, "bytes", "number of addresses in the interleaved region that are occupied at some step"},
        {"overflowed", kInt, "bytes", "number of addresses past the end of memory that are occupied at some step"},
        {"non_interleaved_including_gaps", kInt, "bytes",
         "bytes from the start of the non-interleaved region to the highest used address in this region"},
        {"interleaved_including_gaps", kInt, "bytes",
         "bytes from the start of the interleaved region to the highest used address in this region"},
        {"overflowed_including_gaps", kInt, "bytes", "bytes from the end of memory to the highest used address"},
        {"after_overlapping", kInt, "bytes", "number of addresses that overlapped allocations occupy"},
        {"lower_bound_overlapped", kInt, "bytes",
         "largest number of bytes that overlapped allocations occupy at one step"},
        {"always_live", kInt, "bytes",
         "bytes of always-live variables, and of all allocations that are not variables, such as code"},
        {"max_not_always_live", kInt, "bytes",
         "largest number of live bytes at one step, of variables that are not always live"}}},
      {"memory_by_tile_category",
       "Bytes of each storage category on each tile. The table has no rows with 0 bytes.",
       {{"tile", kInt, "tile", "number of the tile"},
        {"category", kInt, "var_categories.id", "id of the category of the bytes"},
        {"region", kInt, "", "0 non-interleaved, 1 interleaved, 2 overflowed"},
        {"overlapped", kInt, "", "1 if the allocations share addresses with other allocations at different times"},
        {"size_bytes", kInt, "bytes",
         "sum of the sizes of all allocations of the row. For the category multiple, number of addresses that several "
         "categories occupy at different times; the rows of these categories count the same addresses"}},
       "tile, category, region, overlapped"},
      {"memory_by_tile_use",
       "Number of addresses of each tile that each category occupies; the rows of a tile add up to "
       "memory_by_tile.total.",
       {{"tile", kInt, "tile", "number of the tile"},
        {"category", kInt, "var_categories.id",
         "id of the category of the addresses; the category multiple stands for several categories at different times"},
        {"size_bytes", kInt, "bytes", "number of addresses; an address counts once"}},
       "tile, category"},
      {"tiles_out_of_memory",
       "Tiles that do not fit, fullest first.",
       {{"id", kId, "", "number of the row, from 0"}, {"tile", kInt, "tile", "number of the tile"}}},
      {"var_categories",
       "Storage categories.",
       {{"id", kId, "", "number of the storage category, from 0"},
        {"name", kText, "", "key of the storage category, for example variable"}}},
      {"vars_string_table",
       "Names of variables and of other owners of allocations; each name has one row.",
       {{"id", kId, "", "number of the row, from 0"}, {"string", kText, "", "the name"}}},
      {"packed_rows",
       "Blocks of rows of all packed tables.",
       {{"table_name", kText, "", "name of the packed table to which the rows belong"},
        {"first", kInt, "", "id of the first row of the block"},
        {"count", kInt, "rows", "number of rows of the block, at most 65536"},
        {"raw_size", kInt, "bytes", "size of the block's data before compression"},
        {"low", kIntNull, "",
         "smallest number of the block in the column by which readers find blocks: tile in vars_info, variable in "
         "liveness_parts and variable_accesses; NULL for liveness_variables"},
        {"high", kIntNull, "",
         "largest number of the block in the same column as for low; NULL for liveness_variables"},
        {"columns", kBlobFull, "", "rows of the block, in the format of the section Packed rows"}},
       "table_name, first"},
      {"vars_info",
       "Allocations with their addresses (autoReport.outputLoweredVars, debug.loweredVarDumpFile).",
       {{"id", kId, "", "number of the row, from 0"},
        {"name", kInt, "vars_string_table.id",
         "name of the variable, vertex type, library function or step that owns the allocation; without such an owner, "
         "name of the category"},
        {"variable", kIntNull, "liveness_variables.id", "id of the variable; NULL for code and system data"},
        {"tile", kInt, "tile", "number of the allocation's tile"},
        {"offset", kInt, "bytes", "bytes from the start of the tile's memory to the allocation"},
        {"size_bytes", kInt, "bytes", "size of the allocation"},
        {"alignment", kInt, "bytes", "alignment of the address"},
        {"category", kInt, "var_categories.id", "id of the storage category"},
        {"always_live", kInt, "", "1 if the allocation is always live"},
        {"overlapped", kInt, "", "1 if the allocation shares addresses with other allocations at different times"},
        {"is_constant", kInt, "", "1 if the contents never change"},
        {"equivalence_class", kIntNull, "equivalence_classes.id",
         "class of the programs at which the addresses are occupied; class 1 contains all programs"}},
       "",
       "tile"},
  };
}

std::vector<SchemaTable> livenessTables() {
  return {
      {"liveness_variables",
       "Variables that take memory, and pseudo-variables for code and system data. The table also contains variables "
       "that are never live because nothing reads them.",
       {{"id", kId, "", "number of the row, from 0"},
        {"name", kInt, "vars_string_table.id", "name of the variable or category"},
        {"size_bytes", kInt, "bytes", "bytes of the variable over all tiles of one replica"},
        {"always_live", kInt, "", "1 if the variable is always live"},
        {"equivalence_class", kIntNull, "equivalence_classes.id",
         "class of the programs at which the variable is live; NULL for pseudo-variables"},
        {"category", kInt, "var_categories.id", "id of the storage category"},
        {"bytes_by_tile", kBlob, "bytes by tile", "bytes of the variable on each tile"}},
       "",
       ""},
      {"equivalence_classes",
       "Sets of intervals: variables that are live in the same intervals share a class, and so do allocations that are "
       "occupied in the same intervals.",
       {{"id", kId, "", "number of the row, from 0"},
        {"num_intervals", kInt, "", "number of rows of this class in equivalence_class_intervals"}}},
      {"equivalence_class_intervals",
       "Half-open intervals of program ids.",
       {{"class", kInt, "equivalence_classes.id", "id of the class of the interval"},
        {"position", kInt, "", "number of the interval within the class, from 0, in the order of first_program"},
        {"first_program", kInt, "program", "the first program of the interval"},
        {"end_program", kInt, "program", "the program after the last program of the interval"}},
       "class, position"},
      {"liveness_steps",
       "Live bytes at each liveness step, always-live bytes excluded.",
       {{"id", kId, "", "number of the row, from 0; also the index in pva's livenessProgramSteps"},
        {"program", kInt, "program", "id of the program"},
        {"size_bytes", kInt, "bytes", "live bytes over all tiles of one replica"}}},
      {"liveness_steps_by_ipu",
       "Live bytes at each liveness step on each IPU, always-live bytes excluded.",
       {{"step", kInt, "liveness_steps.id", "id of the step"},
        {"ipu", kInt, "IPU", "number of the IPU"},
        {"size_bytes", kInt, "bytes", "live bytes over the tiles of the IPU in one replica"}},
       "step, ipu"},
      {"liveness_totals",
       "Live bytes of the whole program over all tiles of one replica. The table has one row.",
       {{"always_live", kInt, "bytes", "bytes of all always-live variables, and of code and system data"},
        {"max_live", kInt, "bytes", "largest number of live bytes at one liveness step, always-live bytes included"}}},
  };
}

std::vector<SchemaTable> executionTables() {
  return {
      {"runs",
       "Recorded calls of Engine::run.",
       {{"id", kId, "", "number of the row; the numbers ascend in time"},
        {"name", kText, "", "debug name of the run"},
        {"program", kInt, "", "number of the program, as passed to Engine::run"},
        {"first_step", kInt, "steps.id", "first step of the run; the run ends before the first step of the next run"},
        {"start_us", kRealNull, "microseconds",
         "time at which the run began, by the host's clock, since 1970; NULL if neither popscope.sampleHost nor a host "
         "trace requested this time"},
        {"end_us", kRealNull, "microseconds",
         "time at which the run ended, by the host's clock, since 1970; NULL if start_us is NULL, or if the run did "
         "not end"},
        {"complete", kInt, "", "1 if the run ended"},
        {"number", kIntNull, "", "number of earlier calls of Engine::run on this engine; NULL if unknown"},
        {"label", kText, "", "label of the popscope::profile::Scope in which the run was called, or empty"}}},
      {"paused_spans",
       "Calls of Engine::run that were not recorded. Each row contains consecutive calls with the same reason.",
       {{"first_run", kId, "runs.number", "number of the first of these calls"},
        {"runs", kInt, "runs", "number of calls"},
        {"reason", kText, "",
         "reason why the calls were not recorded: run count, sample rate, profileRuns, profileNames, profileSeconds, "
         "disabled, scope or paused"},
        {"cycles", kIntNull, "cycles", "sum of the cycles of these calls; NULL if unknown"}}},
      {"blocks",
       "Lightweight profiling: beginning and end of each block, on each tile that records the block.",
       {{"tile", kInt, "tile", "number of the tile; only tiles of one replica have rows"},
        {"position", kInt, "",
         "number of the block on the tile, from 0, in the order in which the blocks begin; an outer block comes before "
         "its inner blocks"},
        {"program", kInt, "program",
         "the Block, or the phase of a host copy; for an overflow, the first program without a record"},
        {"kind", kText, "", "common, stream copy, block flush or overflow"},
        {"from_cycles", kInt, "cycles",
         "cycle counter of the tile at the beginning of the block; the counter continues from run to run"},
        {"to_cycles", kIntNull, "cycles",
         "cycle counter of the tile at the end of the block; NULL if the run stopped before the end"},
        {"run_number", kInt, "runs.number",
         "number of the call of Engine::run; calls that were not recorded also count"}},
       "tile, position"},
      {"steps",
       "Executed steps, in the order of time. Loops, conditionals and Blocks have no rows.",
       {{"id", kId, "", "number of the row; the numbers ascend in time"},
        {"run", kInt, "runs.id", "id of the run"},
        {"type", kText, "", "name of the program's type"},
        {"program", kInt, "program", "id of the executed program"},
        {"compute_set", kIntNull, "compute set", "the executed compute set; NULL if the step executes no compute set"},
        {"thread_cycles", kIntNull, "tile cycles",
         "busy cycles of all worker slots, summed over tiles and divided by worker_contexts; NULL if not recorded or "
         "unknown, or if the step executes no compute set"},
        {"slot_cycles", kIntNull, "slot_cycles.id",
         "id of part 0 of the worker slots; NULL if the slots are not recorded or unknown, if a number exceeds 32 "
         "bits, or if the step executes no compute set"}}},
      {"slot_cycles",
       "Cycles of worker slots in executed compute sets. If two consecutive executions of a program have the same "
       "cycles, their steps refer to the same rows. A part without a row is 0 on all tiles. The tile cycles are "
       "worker_contexts times part 0, plus part worker_contexts + 1.",
       {{"id", kId, "", "number of the row; the parts of the same slots have consecutive numbers"},
        {"first", kInt, "slot_cycles.id",
         "id of part 0 of the same slots. Part 0 always has a row, to which steps.slot_cycles refers"},
        {"part", kInt, "",
         "0 for the cycles of the fullest slot, s + 1 for these cycles minus the cycles of slot s, worker_contexts + 1 "
         "for the cycles of supervisor vertices"},
        {"cycles", kBlobFull, "cycles by tile of one replica, packed",
         "thread cycles of a slot, or tile cycles of supervisor vertices"}}}, // a composite key would put each of these large blobs on overflow pages of its own
      {"dealt_vertices",
       "Worker vertices in the order of their assignment to worker slots. Each vertex goes to the slot with the fewest "
       "cycles so far. "
       "The table contains only vertices that take time, and only tiles with more of these vertices than slots. On "
       "every other tile, vertex i is alone in slot i of slot_cycles. A pattern contains the vertices of one tile; "
       "tiles with equal lists of vertices share one pattern. If no tile has more vertices than slots, the "
       "slots have no row.",
       {{"first", kId, "slot_cycles.id", "id of part 0 of the slots"},
        {"pattern", kBlobFull, "by tile of one replica, packed",
         "number of the tile's pattern, from 1; 0 if the tile has no pattern"},
        {"runs", kBlobFull, "packed list",
         "for each pattern, the number of runs. A run consists of consecutive vertices with equal cycles"},
        {"cycles", kBlobFull, "cycles, packed list", "for each run of all patterns, the thread cycles of one vertex"},
        {"vertices", kBlobFull, "vertices, packed list", "for each run of all patterns, the number of vertices"}}},
      {"steps_by_tile",
       "Cycles of a step on each tile. A step that only passes barriers has no row. A step has no row either if its "
       "cycles by tile are unknown or not recorded, or if a tile works 2^32 cycles or more.",
       {{"step_id", kId, "steps.id", "id of the step"},
        {"cycles", kBlobFull, "cycles by tile of one replica, packed",
         "busy cycles of the tile; 0 if the tile does no work in the step"}}},
      {"steps_by_ipu",
       "Cycles and data of a step on each IPU. The cycle columns after cycles_base are offsets from cycles_base. If "
       "debug.computeInstrumentationLevel is device, a step of a compute set has cycles only in the row of IPU 0: the "
       "cycles of the slowest IPU.",
       {{"step_id", kInt, "steps.id", "id of the step"},
        {"ipu", kInt, "IPU", "number of the IPU"},
        {"cycles", kIntNull, "cycles",
         "active_cycles_to_max minus active_cycles_from_min; 0 if no tile is active; NULL if not recorded, or if the "
         "cycles of some vertices of the step are unknown"},
        {"active_tiles", kInt, "tiles", "tiles with work in the step"},
        {"busy_cycles", kIntNull, "tile cycles",
         "cycles of work in this step, summed over tiles; NULL if not recorded or unknown"},
        {"cycles_base", kIntNull, "cycles",
         "time that is added to each offset of the following columns, in cycles since the start of the run. The time "
         "does not include vertices with unknown cycles in earlier steps. This column and the following columns of "
         "cycles are NULL if not recorded or unknown"},
        {"all_cycles_from_min", kIntNull, "cycles", "time at which the first tile enters the step"},
        {"all_cycles_from_max", kIntNull, "cycles", "time at which the last tile enters the step"},
        {"all_cycles_to_min", kIntNull, "cycles", "time at which the first tile leaves the step"},
        {"all_cycles_to_max", kIntNull, "cycles", "time at which the last tile leaves the step"},
        {"active_cycles_from_min", kIntNull, "cycles", "time at which the first active tile enters the step"},
        {"active_cycles_from_max", kIntNull, "cycles", "time at which the last active tile enters the step"},
        {"active_cycles_to_min", kIntNull, "cycles", "time at which the first active tile leaves the step"},
        {"active_cycles_to_max", kIntNull, "cycles", "time at which the last active tile leaves the step"},
        {"data_in", kInt, "bytes", "bytes that the tiles of the IPU receive"},
        {"data_out", kInt, "bytes", "bytes that the tiles of the IPU send"},
        {"max_tile_data", kInt, "bytes", "largest number of bytes that one tile sends and receives together"}},
       "step_id, ipu"},
      {"step_vertex_types",
       "Cycles of each step by vertex type.",
       {{"step_id", kInt, "steps.id", "id of the step"},
        {"position", kInt, "", "number of the row within the step, from 0; the type with the most cycles is first"},
        {"vertex_type", kInt, "vertex type", "id of the vertex type"},
        {"instances", kInt, "vertices", "number of vertices of this type that the step executes"},
        {"cycles", kIntNull, "cycles",
         "cycles of these vertices: thread cycles for worker vertices, tile cycles for supervisor vertices; NULL if "
         "not recorded or unknown"}},
       "step_id, position"},
      {"run_vertex_types",
       "Cycles of each run by vertex type, summed over the steps of the run.",
       {{"run", kInt, "runs.id", "id of the run"},
        {"vertex_type", kInt, "vertex type", "id of the vertex type"},
        {"instances", kInt, "vertices", "number of vertices of this type that the run executes"},
        {"cycles", kIntNull, "cycles",
         "cycles of these vertices (thread cycles for worker vertices, tile cycles for supervisor vertices), summed "
         "over the steps with known cycles; NULL if unknown for all steps"}},
       "run, vertex_type"},
      {"execution_cycle_totals",
       "Cycles of each run, summed over tiles.",
       {{"run", kId, "runs.id", "id of the run"},
        {"total_cycles", kIntNull, "cycles",
         "length of the run, including the time of waiting for the host; not summed over tiles; NULL if the cycles of "
         "some vertices are unknown"},
        {"compute", kIntNull, "tile cycles", "compute cycles, idle threads included; NULL if not recorded or unknown"},
        {"thread_cycles", kIntNull, "tile cycles", "compute cycles, idle threads excluded; NULL if unknown"},
        {"exchange", kInt, "tile cycles", "cycles of exchanges within IPUs"},
        {"global_exchange", kIntNull, "tile cycles", "cycles of exchanges between IPUs; NULL if not recorded"},
        {"host_exchange", kIntNull, "tile cycles", "cycles of exchanges with the host; NULL if not recorded"},
        {"shared_structure_copy", kInt, "tile cycles",
         "always 0, because lowering creates no copies of shared structures"},
        {"sync", kIntNull, "tile cycles",
         "cycles of waiting at barriers, in exchanges and for the end of the run; NULL if compute, global_exchange or "
         "host_exchange is NULL"},
        {"unattributed", kInt, "tile cycles", "sum of counter_reads and control_flow_reads"},
        {"counter_reads", kInt, "tile cycles",
         "cycles of reading the counters of compute and external exchange, and of recording blocks"},
        {"control_flow_reads", kInt, "tile cycles", "cycles of reading the counters of control flow"}}},
      {"simulator_step_statistics",
       "Statistics of all executions of each program in a run. The simulator records these statistics at any level of "
       "instrumentation. This table is an extension of the simulator, because a device records only the last execution "
       "of each step.",
       {{"run", kInt, "runs.id", "id of the run"},
        {"program", kInt, "program", "id of the executed program"},
        {"executions", kInt, "", "number of executions"},
        {"min_cycles", kIntNull, "cycles",
         "cycles for which the slowest tile works in the fastest execution; NULL if the cycles of some vertices are "
         "unknown"},
        {"max_cycles", kIntNull, "cycles",
         "cycles for which the slowest tile works in the slowest execution; NULL if min_cycles is NULL"},
        {"sum_cycles", kIntNull, "cycles",
         "cycles for which the slowest tile works, summed over all executions; NULL if min_cycles is NULL"}},
       "run, program"},
      {"simulator_executions",
       "All executions of each program in a run, in the order of time (popscope.recordEveryExecution). This table is "
       "an extension of the simulator, because a device records only the last execution of each step.",
       {{"run", kInt, "runs.id", "id of the run"},
        {"program", kInt, "program", "id of the executed program"},
        {"first", kInt, "", "number of executions of the program in the run before the first execution of this row"},
        {"executions", kInt, "", "number of executions in this row"},
        {"start_base", kInt, "cycles",
         "time that is added to each offset of the column starts, in cycles since the start of the run"},
        {"starts", kBlobFull, "cycles, packed list",
         "for each execution, the time from start_base until the first active tile starts to work"},
        {"cycles", kBlobFull, "cycles, packed list",
         "for each execution, the cycles for which the slowest tile works, without vertices of unknown cycles; "
         "4294967295 stands for 4294967295 or more"}},
       "run, program, first"},
      {"control_flow",
       "The last execution of each loop and conditional of a run. If loops and conditionals are not recorded, the "
       "table is empty.",
       {{"run", kInt, "runs.id", "id of the run"},
        {"program", kInt, "program", "id of the loop or conditional"},
        {"cycles", kInt, "cycles",
         "cycles from the entry to the exit of the loop or conditional, on the tile that records the control flow"},
        {"taken", kIntNull, "",
         "for a loop, the number of iterations; for a conditional, the index of the executed child, or NULL if no "
         "child was executed"}},
       "run, program"},
      {"vertex_cycle_sources",
       "Sources of the cycles of vertices in the recorded runs, for each compute set, vertex type and source.",
       {{"compute_set", kInt, "compute set", "id of the compute set of the vertices"},
        {"vertex_type", kInt, "vertex type", "id of the vertex type"},
        {"source", kText, "",
         "estimate (setPerfEstimate), estimator (a registered function), codelet (getCycleEstimate), stand-in (counted "
         "instructions), last known (the last count of the same vertex, or else of a vertex with the same type and "
         "operand sizes), runtime (copy vertices); empty if the cycles are unknown"},
        {"vertices", kInt, "vertices", "largest number of vertices with this source in one execution"},
        {"reason", kText, "",
         "reason for unknown cycles, for cycles of the source last known, or for an estimate on a device; empty in all "
         "other cases"},
        {"flop_vertices", kInt, "vertices",
         "number of vertices without an estimate of operations for which the stand-in counted the floating-point "
         "operations. The count is that of the last execution, or of the first execution if the cycles are estimates"},
        {"flops", kInt, "operations", "floating-point operations of these flop_vertices"}},
       "compute_set, vertex_type, source"},
  };
}
std::vector<SchemaTable> makeTablesOnDemand() {
  return {
      {"measured_cycles",
       "Cycles that a real machine took, imported by popscope import-cycles: one row for each measurement.",
       {{"id", kId, "", "number of the measurement, in the order of import"},
        {"source", kText, "", "name of the source, as given to import-cycles"},
        {"line", kInt, "", "line of the measurement in the imported file"},
        {"program", kIntNull, "program", "the measured step; NULL if a compute set or a vertex type was measured"},
        {"compute_set", kIntNull, "compute set",
         "the measured compute set; the measurement holds for every step that executes the compute set; NULL if a step "
         "or a vertex type was measured"},
        {"vertex_type", kIntNull, "vertex type",
         "the vertex type of which one vertex was measured; NULL if a step or a compute set was measured"},
        {"tile", kIntNull, "tile", "the measured tile; NULL if the cycles are those of the slowest tile"},
        {"cycles", kInt, "cycles", "cycles of one execution"}}},
      {"vertex_cycles",
       "Vertices of the executed compute sets, including copy vertices (debug.computeInstrumentationLevel = vertex).",
       {{"id", kId, "", "number of the row, from 0; the rows are sorted by compute set, then by tile"},
        {"compute_set", kInt, "compute set", "id of the compute set of the vertex"},
        {"vertex_type", kInt, "vertex type", "id of the vertex type"},
        {"tile", kInt, "tile", "number of the vertex's tile"},
        {"operands", kText, "", "fields, each with the connected variable, for example in: a, out: b"},
        {"cycles", kIntNull, "cycles",
         "cycles of the last recorded execution of the vertex: thread cycles for worker vertices, tile cycles for "
         "other vertices; NULL if unknown"}}},
      {"compile_phases",
       "Time and memory of each phase of the compilation, and of writing the results of the compilation to the profile "
       "(popscope.recordCompilePhases).",
       {{"id", kId, "", "number of the phase, from 0, in the order in which the phases begin"},
        {"parent", kIntNull, "compile_phases.id", "the phase that contains this phase; NULL if none"},
        {"name", kText, "", "name of a stage of the compilation, or of a pass of lowering"},
        {"start_us", kReal, "microseconds", "time since the first phase began"},
        {"wall_us", kReal, "microseconds", "wall time of the phase, including the phases inside it"},
        {"cpu_us", kReal, "microseconds", "CPU time of all threads of the process during the phase"},
        {"bytes_before", kIntNull, "bytes",
         "memory of the process at the beginning of the phase; NULL if the system does not report the memory"},
        {"bytes_after", kIntNull, "bytes", "memory of the process at the end of the phase"},
        {"peak_bytes", kIntNull, "bytes",
         "largest memory of the process until the end of the phase. If this value is larger than in the previous "
         "phase, the process reached the value during this phase"}}},
      {"host_samples",
       "Processor time and memory that the process takes on the host, sampled at regular intervals "
       "(popscope.sampleHost). These figures differ from one execution of the program to the next.",
       {{"id", kId, "", "number of the sample, in the order of time"},
        {"time_us", kInt, "microseconds", "time since 1970, by the same clock as runs.start_us"},
        {"cpu_user_us", kIntNull, "microseconds",
         "processor time that all threads have spent in user mode so far; NULL if not sampled"},
        {"cpu_system_us", kIntNull, "microseconds",
         "processor time that all threads have spent in the operating system so far; NULL if not sampled"},
        {"resident_bytes", kIntNull, "bytes", "memory of the process; NULL if not sampled"},
        {"peak_bytes", kIntNull, "bytes", "largest memory of the process so far"},
        {"read_bytes", kIntNull, "bytes",
         "bytes that the process has read from disks so far; NULL if not sampled, or if the system does not report "
         "this figure"},
        {"written_bytes", kIntNull, "bytes", "bytes that the process has written to disks so far"},
        {"threads", kIntNull, "", "number of threads of the process; NULL if not sampled"}}},
      {"memory_samples",
       "Live bytes during runs. An executed step counts if its program is in liveness_steps and is neither a loop nor "
       "a conditional. If popscope.sampleMemory is n, the table has a row for the first step that counts, and then for "
       "every n-th. This table is an extension of the simulator, because a device records only the last execution of "
       "each step.",
       {{"run", kInt, "runs.id", "id of the run"},
        {"position", kInt, "", "number of earlier steps of the run that count, from 0"},
        {"cycle", kInt, "cycles",
         "cycles from the start of the run until the step's first active tile starts; if the previous sample has a "
         "later time, the time of that sample"},
        {"program", kInt, "program", "id of the program that the step executes"},
        {"size_bytes", kInt, "bytes", "live bytes over all tiles of one replica, always-live bytes included"}},
       "run, position"},
      {"run_categories",
       "Runs in which only the steps of some categories have a time (popscope.profileCategories and "
       "popscope::profile::Scope).",
       {{"run", kId, "runs.id", "id of the run"},
        {"categories", kText, "",
         "categories of the steps that have a time: compute, exchange, globalExchange, host, sync, controlFlow, "
         "separated by commas"}}},
      {"liveness_parts",
       "Tiles on which a variable is live at other programs than its row of liveness_variables states. The tiles of a "
       "variable with equal programs share one row. On these tiles, the last read of the variable ends earlier than on "
       "other tiles, or the first write of the variable begins later.",
       {{"id", kId, "", "number of the row, from 0; the rows are sorted by variable, then by class"},
        {"variable", kInt, "liveness_variables.id", "id of the variable"},
        {"equivalence_class", kInt, "equivalence_classes.id",
         "class of the programs at which the variable is live on these tiles"},
        {"size_bytes", kInt, "bytes", "bytes of the variable over these tiles of one replica"},
        {"bytes_by_tile", kBlob, "bytes by tile", "bytes of the variable on each of these tiles; 0 on other tiles"}},
       "",
       "variable"},
      {"calls",
       "The function that each Call executes.",
       {{"program", kId, "program", "id of the Call"},
        {"function", kInt, "program", "the root of the function's body"}}},
      adviceTrialsTable(),
      variableAccessesTable()};
}

} // namespace

const std::vector<SchemaTable> &schemaTables() {
  static const std::vector<SchemaTable> tables = [] {
    std::vector<SchemaTable> all;
    for (auto &&part :
         {generalTables(), programTables(), memoryTables(), livenessTables(), adviceTables(), executionTables()})
      all.insert(all.end(), part.begin(), part.end());
    for (SchemaTable &table : makeTablesOnDemand()) {
      all.push_back(std::move(table));
      all.back().onDemand = true;
    }
    return all;
  }();
  return tables;
}

} // namespace popscope
