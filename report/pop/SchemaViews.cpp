// Views: tables with names in place of ids, for people who use SQL. The views are not part of the file, which contains
// only tables (OpenPop.cpp refuses views). `popscope sql` creates the views for its own connection, so that every
// profile has the views, whichever version wrote the profile.
#include "report/pop/Schema.hpp"

namespace popscope {
namespace {

// Descriptions that occur more than once.
constexpr const char *kProgramType = "name of the program's type";
constexpr const char *kVariable = "name of the variable or category";

std::vector<SchemaView> timeViews() {
  return {
      {"compute_set_cycles",
       "Compute sets that were executed in runs that ended, slowest first. If no run ended, the view contains the "
       "compute sets of the runs that were cut short.",
       {{"name", "", "name of the compute set"},
        {"executions", "", "number of recorded executions"},
        {"cycles", "cycles",
         "cycles of the slowest IPU in each execution, summed over executions; NULL if unknown for an execution"},
        {"max_cycles", "cycles",
         "cycles of the slowest IPU in the slowest execution; NULL if unknown for an execution"},
        {"busy_cycles", "tile cycles",
         "cycles of work, summed over tiles and executions; NULL if unknown for an execution"},
        {"thread_cycles", "tile cycles",
         "compute cycles, idle threads excluded, summed over executions; NULL if unknown for an execution"},
        {"compute_set", "compute set", "id of the compute set"}},
       "SELECT c.name, COUNT(*) AS executions, CASE WHEN COUNT(n.cycles) = COUNT(*) THEN SUM(n.cycles) END AS cycles, "
       "CASE WHEN COUNT(n.cycles) = COUNT(*) THEN MAX(n.cycles) END AS max_cycles, CASE WHEN COUNT(n.busy_cycles) = "
       "COUNT(*) THEN SUM(n.busy_cycles) END AS busy_cycles, CASE WHEN COUNT(n.thread_cycles) = COUNT(*) THEN "
       "SUM(n.thread_cycles) END AS thread_cycles, n.compute_set FROM named_steps n JOIN compute_sets c ON c.id = "
       "n.compute_set WHERE n.run IN (SELECT id FROM runs WHERE complete) OR NOT EXISTS (SELECT 1 FROM runs WHERE "
       "complete) GROUP BY n.compute_set ORDER BY cycles DESC, n.compute_set"},
      {"named_steps",
       "Executed steps, with sums and maxima over all IPUs.",
       {{"id", "", "id of the step in the table steps"},
        {"run", "runs.id", "id of the run, which distinguishes runs of the same name"},
        {"run_name", "", "name of the run, or empty"},
        {"type", "", kProgramType},
        {"name", "", "name of the compute set; for a step without a compute set, name of the program"},
        {"cycles", "cycles", "cycles of the slowest IPU; NULL if not recorded"},
        {"active_tiles", "tiles", "number of tiles with work in the step"},
        {"busy_cycles", "tile cycles", "cycles of work, summed over tiles; NULL if not recorded"},
        {"thread_cycles", "tile cycles", "compute cycles, idle threads excluded; NULL if unknown"},
        {"start", "cycles",
         "time from the start of the run until the first tile enters the step; NULL if not recorded"},
        {"data_in", "bytes", "bytes that the tiles of all IPUs receive in the step"},
        {"data_out", "bytes", "bytes that the tiles of all IPUs send in the step"},
        {"program", "program", "id of the program"},
        {"compute_set", "compute set", "id of the compute set; NULL if none"}},
       "SELECT s.id, r.id AS run, r.name AS run_name, s.type, COALESCE(c.name, p.name) AS name, MAX(i.cycles) AS "
       "cycles, SUM(i.active_tiles) AS active_tiles, SUM(i.busy_cycles) AS busy_cycles, s.thread_cycles, "
       "MIN(i.cycles_base + i.all_cycles_from_min) AS start, SUM(i.data_in) AS data_in, SUM(i.data_out) AS data_out, "
       "s.program, s.compute_set FROM steps s JOIN runs r ON r.id = s.run JOIN programs p ON p.id = s.program LEFT "
       "JOIN compute_sets c ON c.id = s.compute_set LEFT JOIN steps_by_ipu i ON i.step_id = s.id GROUP BY s.id"},
      {"named_step_vertex_types",
       "Cycles of each step by vertex type.",
       {{"step", "steps.id", "id of the step"},
        {"name", "", "name of the compute set; for a step without a compute set, name of the program"},
        {"vertex_type", "", "name of the vertex type"},
        {"instances", "vertices", "number of vertices of this type that the step executes"},
        {"cycles", "cycles",
         "cycles of these vertices: thread cycles for worker vertices, tile cycles for supervisor vertices; NULL if "
         "not recorded or unknown"}},
       "SELECT v.step_id AS step, COALESCE(c.name, p.name) AS name, t.name AS vertex_type, v.instances, v.cycles FROM "
       "step_vertex_types v JOIN steps s ON s.id = v.step_id JOIN programs p ON p.id = s.program LEFT JOIN "
       "compute_sets c ON c.id = s.compute_set JOIN vertex_types t ON t.id = v.vertex_type"},
      {"named_run_vertex_types",
       "Cycles of each run by vertex type.",
       {{"run", "runs.id", "id of the run, which distinguishes runs of the same name"},
        {"run_name", "", "name of the run, or empty"},
        {"vertex_type", "", "name of the vertex type"},
        {"instances", "vertices", "number of vertices of this type that the run executes"},
        {"cycles", "cycles",
         "cycles of these vertices: thread cycles for worker vertices, tile cycles for supervisor vertices; NULL if "
         "not recorded or unknown"}},
       "SELECT r.id AS run, r.name AS run_name, t.name AS vertex_type, v.instances, v.cycles FROM run_vertex_types v "
       "JOIN runs r ON r.id = v.run JOIN vertex_types t ON t.id = v.vertex_type"},
      {"named_simulator_step_statistics",
       "Statistics of all executions of each program in a run. The simulator counts all executions at any level of "
       "instrumentation.",
       {{"run", "runs.id", "id of the run, which distinguishes runs of the same name"},
        {"run_name", "", "name of the run, or empty"},
        {"type", "", kProgramType},
        {"name", "", "name of the program"},
        {"executions", "", "number of executions"},
        {"min_cycles", "cycles", "cycles for which the slowest tile works in the fastest execution; NULL if unknown"},
        {"max_cycles", "cycles", "cycles for which the slowest tile works in the slowest execution; NULL if unknown"},
        {"sum_cycles", "cycles",
         "cycles for which the slowest tile works, summed over all executions; NULL if unknown"},
        {"program", "program", "id of the program"}},
       "SELECT r.id AS run, r.name AS run_name, p.type, p.name, e.executions, e.min_cycles, e.max_cycles, "
       "e.sum_cycles, e.program FROM simulator_step_statistics e JOIN runs r ON r.id = e.run JOIN programs p ON p.id = "
       "e.program"},
      {"named_control_flow",
       "The last execution of each loop and conditional of a run.",
       {{"run", "runs.id", "id of the run, which distinguishes runs of the same name"},
        {"run_name", "", "name of the run, or empty"},
        {"type", "", kProgramType},
        {"name", "", "name of the program"},
        {"cycles", "cycles",
         "cycles from the entry to the exit of the loop or conditional, on the tile that records the control flow"},
        {"taken", "",
         "for a loop, the number of iterations; for a conditional, the index of the executed child, or NULL if no "
         "child was executed"},
        {"program", "program", "id of the program"}},
       "SELECT r.id AS run, r.name AS run_name, p.type, p.name, f.cycles, f.taken, f.program FROM control_flow f JOIN "
       "runs r ON r.id = f.run JOIN programs p ON p.id = f.program"},
      {"named_blocks",
       "Blocks of lightweight profiling.",
       {{"tile", "tile", "number of the tile"},
        {"kind", "", "common, stream copy, block flush or overflow"},
        {"name", "", "name of the Block, or of the phase of a host copy"},
        {"from_cycles", "cycles", "cycle counter of the tile at the beginning of the block"},
        {"to_cycles", "cycles",
         "cycle counter of the tile at the end of the block; NULL if the run stopped before the end"},
        {"run_number", "runs.number", "number of the call of Engine::run"},
        {"program", "program", "id of the program"}},
       "SELECT b.tile, b.kind, p.name, b.from_cycles, b.to_cycles, b.run_number, b.program FROM blocks b JOIN programs "
       "p ON p.id = b.program"},
      {"named_vertex_cycle_sources",
       "Sources of the cycles of vertices.",
       {{"compute_set", "", "name of the compute set"},
        {"vertex_type", "", "name of the vertex type"},
        {"source", "", "source of the cycles, as in vertex_cycle_sources"},
        {"vertices", "vertices", "largest number of vertices with this source in one execution"},
        {"reason", "",
         "reason for unknown cycles, for cycles of the source last known, or for an estimate on a device; empty in all "
         "other cases"}},
       "SELECT c.name AS compute_set, t.name AS vertex_type, v.source, v.vertices, v.reason FROM vertex_cycle_sources "
       "v JOIN compute_sets c ON c.id = v.compute_set JOIN vertex_types t ON t.id = v.vertex_type"},
  };
}

std::vector<SchemaView> programViews() {
  return {
      {"named_programs",
       "Lowered programs, with the names of their compute sets and parents. The view has no columns by tile.",
       {{"id", "", "id of the program"},
        {"type", "", kProgramType},
        {"name", "", "name of the program, or empty"},
        {"compute_set", "", "name of the compute set; NULL if none"},
        {"parent_type", "", "type of the program that contains this program; NULL for a root"},
        {"parent_name", "", "name of the program that contains this program"},
        {"count", "", "number of iterations of a Repeat; 0 for other programs"},
        {"parent", "program", "id of the program that contains this program"}},
       "SELECT p.id, p.type, p.name, c.name AS compute_set, q.type AS parent_type, q.name AS parent_name, p.count, "
       "p.parent FROM programs p LEFT JOIN compute_sets c ON c.id = p.compute_set LEFT JOIN programs q ON q.id = "
       "p.parent"},
      {"named_link_transfers",
       "Data that one IPU sends to another IPU, with the name of the exchange. The view has no columns by tile.",
       {{"program", "program", "id of the exchange"},
        {"name", "", "name of the exchange, or empty"},
        {"from_ipu", "IPU", "number of the sending IPU over all replicas"},
        {"to_ipu", "IPU", "number of the receiving IPU over all replicas"},
        {"size_bytes", "bytes", "bytes of the transfer"}},
       "SELECT l.program, p.name, l.from_ipu, l.to_ipu, l.size_bytes FROM link_transfers l JOIN programs p ON p.id = "
       "l.program ORDER BY l.program, l.position"},
      {"named_more_contexts",
       "Programs into which lowering merged other programs, with the debug contexts of the other programs.",
       {{"program", "program", "id of the program"},
        {"name", "", "name of the program, or empty"},
        {"debug_context", "id in debug.cbor",
         "the DebugInfo of a program that lowering merged into this program. A merged program without a DebugInfo has "
         "the id of its place in the source"}},
       "SELECT m.program, p.name, m.debug_context FROM more_contexts m JOIN programs p ON p.id = m.program ORDER BY "
       "m.program, m.position"},
      {"named_compute_set_vertices",
       "Vertices of each compute set, by vertex type.",
       {{"compute_set", "", "name of the compute set"},
        {"vertex_type", "", "name of the vertex type"},
        {"instances", "vertices", "number of vertices over all tiles"}},
       "SELECT c.name AS compute_set, t.name AS vertex_type, v.instances FROM compute_set_vertices v JOIN compute_sets "
       "c ON c.id = v.compute_set JOIN vertex_types t ON t.id = v.vertex_type"},
      {"named_compute_set_operands",
       "Elements that vertices read and write, by compute set, vertex type and field.",
       {{"compute_set", "", "name of the compute set"},
        {"vertex_type", "", "name of the vertex type"},
        {"field", "", "name of the field; for a copy, from or to"},
        {"element_type", "", "type of the elements, such as float or unsigned int; empty for copies"},
        {"is_read", "", "1 if the vertices read the elements"},
        {"is_written", "", "1 if the vertices write the elements"},
        {"edges", "", "number of edges of all these vertices"},
        {"elements", "", "number of elements of all these edges"},
        {"size_bytes", "bytes", "total size of these elements"}},
       "SELECT c.name AS compute_set, t.name AS vertex_type, o.field, o.element_type, o.is_read, o.is_written, "
       "o.edges, o.elements, o.size_bytes FROM compute_set_operands o JOIN compute_sets c ON c.id = o.compute_set JOIN "
       "vertex_types t ON t.id = o.vertex_type ORDER BY o.compute_set, o.position"},
      {"named_vertex_fields",
       "State of one instance of a vertex type: one row for each field and each gap of padding.",
       {{"vertex_type", "", "name of the vertex type"},
        {"name", "", "name of the field; empty for padding"},
        {"kind", "", "state, edge or padding"},
        {"offset", "bytes", "offset from the start of the state"},
        {"size_bytes", "bytes", "size of the field within the state"},
        {"bytes_per_element", "bytes", "bytes outside of the state for each element or inner vector"},
        {"outside", "", "storage category of the bytes outside of the state, or empty"}},
       "SELECT t.name AS vertex_type, f.name, f.kind, f.offset, f.size_bytes, f.bytes_per_element, f.outside FROM "
       "vertex_fields f JOIN vertex_types t ON t.id = f.vertex_type"},
      {"named_vertices_by_tile",
       "Memory of vertices, by tile and vertex type.",
       {{"tile", "tile", "number of the tile"},
        {"vertex_type", "", "name of the vertex type"},
        {"instances", "vertices", "number of vertices on this tile"},
        {"code_bytes", "bytes",
         "code of the type on this tile, including library functions that only this type uses on the tile"},
        {"internal_state", "bytes", "size of fields that are not edges"},
        {"edge_pointers", "bytes", "pointers and lengths of edges"},
        {"copy_pointers", "bytes", "pointers of copy vertices"},
        {"padding", "bytes", "bytes lost to alignment between fields"},
        {"descriptors", "bytes", "descriptors of copies and of nested vectors"}},
       "SELECT v.tile, t.name AS vertex_type, v.instances, v.code_bytes, v.internal_state, v.edge_pointers, "
       "v.copy_pointers, v.padding, v.descriptors FROM vertices_by_tile v JOIN vertex_types t ON t.id = v.vertex_type"},
  };
}

std::vector<SchemaView> memoryViews() {
  return {
      {"named_memory_by_tile_category",
       "Bytes of each storage category on each tile.",
       {{"tile", "tile", "number of the tile"},
        {"category", "", "name of the category of the bytes"},
        {"region", "", "non-interleaved, interleaved or overflowed"},
        {"overlapped", "", "1 if the allocations share addresses with other allocations at different times"},
        {"size_bytes", "bytes",
         "sum of the sizes of all allocations of the row; for the category multiple, number of addresses as in "
         "memory_by_tile_category"}},
       "SELECT m.tile, c.name AS category, CASE m.region WHEN 0 THEN 'non-interleaved' WHEN 1 THEN 'interleaved' ELSE "
       "'overflowed' END AS region, m.overlapped, m.size_bytes FROM memory_by_tile_category m JOIN var_categories c ON "
       "c.id = m.category"},
      {"named_memory_by_tile_use",
       "Number of addresses of each tile that each category occupies.",
       {{"tile", "tile", "number of the tile"},
        {"category", "",
         "name of the category of the addresses; multiple stands for several categories at different times"},
        {"size_bytes", "bytes", "number of addresses; an address counts once"}},
       "SELECT m.tile, c.name AS category, m.size_bytes FROM memory_by_tile_use m JOIN var_categories c ON c.id = "
       "m.category"},
      {"named_vars_info",
       "Allocations with their addresses (autoReport.outputLoweredVars).",
       {{"id", "", "id of the allocation in the table vars_info"},
        {"name", "",
         "name of the variable, vertex type, library function or step that owns the allocation; without such an owner, "
         "name of the category"},
        {"tile", "tile", "number of the allocation's tile"},
        {"offset", "bytes", "bytes from the start of the tile's memory to the allocation"},
        {"size_bytes", "bytes", "size of the allocation"},
        {"category", "", "name of the storage category"},
        {"always_live", "", "1 if the allocation is always live"},
        {"overlapped", "", "1 if the allocation shares addresses with other allocations at different times"},
        {"equivalence_class", "equivalence_classes.id", "class of the programs at which the addresses are occupied"}},
       "SELECT v.id, s.string AS name, v.tile, v.offset, v.size_bytes, c.name AS category, v.always_live, "
       "v.overlapped, v.equivalence_class FROM vars_info v JOIN vars_string_table s ON s.id = v.name JOIN "
       "var_categories c ON c.id = v.category"},
      {"named_liveness_variables",
       "Variables with their size over all tiles.",
       {{"id", "", "id of the variable in the table liveness_variables"},
        {"name", "", kVariable},
        {"category", "", "name of the storage category"},
        {"size_bytes", "bytes", "bytes of the variable over all tiles of one replica"},
        {"always_live", "", "1 if the variable is always live"},
        {"equivalence_class", "equivalence_classes.id",
         "class of the programs at which the variable is live; NULL for code and system data"}},
       "SELECT v.id, s.string AS name, c.name AS category, v.size_bytes, v.always_live, v.equivalence_class FROM "
       "liveness_variables v JOIN vars_string_table s ON s.id = v.name JOIN var_categories c ON c.id = v.category"},
      {"named_live_intervals",
       "Intervals of programs at which variables are live. Always-live variables have no rows.",
       {{"name", "", kVariable},
        {"size_bytes", "bytes", "bytes of the variable over all tiles of one replica"},
        {"first_program", "program", "the first program of the interval"},
        {"first_type", "", "type of the first program"},
        {"first_name", "", "name of the first program"},
        {"end_program", "program", "the program after the last program of the interval"}},
       "SELECT v.name, v.size_bytes, i.first_program, p.type AS first_type, p.name AS first_name, i.end_program FROM "
       "named_liveness_variables v JOIN equivalence_class_intervals i ON i.class = v.equivalence_class JOIN programs p "
       "ON p.id = i.first_program WHERE v.always_live = 0"},
      {"named_liveness_steps",
       "Live bytes at each liveness step, always-live bytes excluded.",
       {{"id", "", "number of the row, from 0"},
        {"type", "", kProgramType},
        {"name", "", "name of the program"},
        {"size_bytes", "bytes", "live bytes over all tiles of one replica"},
        {"program", "program", "id of the program"}},
       "SELECT l.id, p.type, p.name, l.size_bytes, l.program FROM liveness_steps l JOIN programs p ON p.id = "
       "l.program"},
  };
}

std::vector<SchemaView> adviceViews() {
  return {
      {"named_liveness_explanations",
       "Why a variable is live (autoReport.outputLivenessExplanation).",
       {{"variable", "", kVariable},
        {"first_program", "program", "first program of the interval"},
        {"end_program", "program", "the program after the last program of the interval"},
        {"born", "", "name of the program that last replaced every element; NULL if none"},
        {"read", "", "name of the nearest later program that reads the variable"},
        {"failed_kill", "",
         "name of the first program, from first_program to this read, that wrote only a part of the variable; NULL if "
         "none"},
        {"missed_elements", "elements", "number of elements that failed_kill did not write"},
        {"carrier", "",
         "first construct through which the value reaches the read: loop, call or next run; empty if none"}},
       "SELECT n.name AS variable, e.first_program, e.end_program, b.name AS born, r.name AS read, k.name AS "
       "failed_kill, e.missed_elements, e.carrier FROM liveness_explanations e JOIN named_liveness_variables n ON n.id "
       "= e.variable LEFT JOIN programs b ON b.id = e.born JOIN programs r ON r.id = e.read LEFT JOIN programs k ON "
       "k.id = e.failed_kill"},
      {"named_false_live",
       "Live bytes that no later step reads.",
       {{"variable", "", kVariable},
        {"first_program", "program", "first program of the interval"},
        {"end_program", "program", "the program after the last program of the interval"},
        {"size_bytes", "bytes", "false-live bytes over all tiles"},
        {"worst_tile_bytes", "bytes", "false-live bytes on the tile of liveness_advice"}},
       "SELECT n.name AS variable, f.first_program, f.end_program, f.size_bytes, f.worst_tile_bytes FROM false_live f "
       "JOIN named_liveness_variables n ON n.id = f.variable"},
      {"named_variable_accesses",
       "Numbers of elements that each program reads, writes and undefines in each variable. Rows are sorted by "
       "variable, then by program.",
       {{"variable", "", kVariable},
        {"type", "", kProgramType},
        {"name", "", "name of the program"},
        {"elements", "elements", "number of elements of the variable"},
        {"read", "elements", "number of elements that the program reads"},
        {"written", "elements", "number of elements that the program writes"},
        {"undefined", "elements", "number of elements that the program, a WriteUndef, makes undefined"},
        {"program", "program", "id of the program"}},
       "SELECT n.name AS variable, p.type, p.name, a.elements, a.read, a.written, a.undefined, a.program FROM "
       "variable_accesses a JOIN named_liveness_variables n ON n.id = a.variable JOIN programs p ON p.id = a.program "
       "ORDER BY a.id"},
      {"named_undef_placements",
       "Places where a WriteUndef saves memory, alone or together with the WriteUndefs of other rows.",
       {{"variable", "", kVariable},
        {"before_type", "", "type of the program directly before which the variable is undefined"},
        {"before_name", "", "name of the program directly before which the variable is undefined"},
        {"saved_on_worst_tile", "bytes", "reduction of the peak of live variable bytes on the tile of liveness_advice"},
        {"saved_on_device", "bytes", "reduction of the peak of the live variable bytes of all tiles together"},
        {"together", "", "1 if undef_placements.together is 1"},
        {"before", "program", "id of the program directly before which the variable is undefined"}},
       "SELECT n.name AS variable, p.type AS before_type, p.name AS before_name, u.saved_on_worst_tile, "
       "u.saved_on_device, u.together, u.before FROM undef_placements u JOIN named_liveness_variables n ON n.id = "
       "u.variable JOIN programs p ON p.id = u.before ORDER BY u.id"},
  };
}

} // namespace

const std::vector<SchemaView> &schemaViews() {
  static const std::vector<SchemaView> views = [] {
    std::vector<SchemaView> all;
    for (auto &&part : {timeViews(), programViews(), memoryViews(), adviceViews()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return views;
}

std::string schemaViewsDdl() {
  std::string ddl;
  for (const auto &view : schemaViews())
    ddl += "CREATE TEMP VIEW " + std::string(view.name) + " AS " + view.select + ";\n";
  return ddl;
}

} // namespace popscope
