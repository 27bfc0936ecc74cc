#include "report/pop/PopReader.hpp"
#include "report/pop/ReplaceFile.hpp"

#include <filesystem>

namespace popscope {

void recoverPop(const std::string &from, const std::string &to) {
  // Only a connection that writes can apply a roll-back journal. A write-ahead log needs no such connection.
  std::error_code error;
  if (std::filesystem::exists(from + "-journal", error))
    PopFile(from, PopFile::Mode::Write).execute("SELECT COUNT(*) FROM sqlite_schema");
  const auto file = openPop(from);
  if (!readMeta(*file).hasCompilation)
    file->fail("nothing to recover: its program stopped before the compiled graph was written");
  copyToFile(*file, to, "");
}

namespace {

/// Returns the SQL that marks a copy as complete. A copy of a file that was opened for reading keeps the mark of that
/// file.
std::string completing(const PopFile &file) {
  const bool ours = !file.bounds();
  return ours ? "UPDATE meta SET value = COALESCE((SELECT complete FROM runs ORDER BY id DESC LIMIT 1), 1) "
                "WHERE key = 'complete' AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'ended');"
              : "";
}

/// Returns the SQL that deletes the runs before the call of Engine::run with the number `first`, and the data of these
/// runs. Ids stay: all readers allow that the steps of the first run do not begin with 0 (see
/// PopWriter::resetExecution). Only blocks are numbered from 0 on each tile.
std::string withoutRunsBefore(PopFile &file, std::uint64_t first) {
  if (first == 0)
    return "";
  const std::string number = std::to_string(first);
  std::string sql = "BEGIN; DELETE FROM runs WHERE number < " + number + ";";
  for (const char *table : {"steps", "run_vertex_types", "execution_cycle_totals", "simulator_step_statistics",
                            "simulator_executions", "control_flow", "memory_samples", "run_categories"})
    if (hasTable(file, table))
      sql += std::string("DELETE FROM ") + table + " WHERE run NOT IN (SELECT id FROM runs);";
  for (const char *table : {"steps_by_tile", "steps_by_ipu", "step_vertex_types"})
    sql += std::string("DELETE FROM ") + table + " WHERE step_id NOT IN (SELECT id FROM steps);";
  for (const char *table : {"slot_cycles", "dealt_vertices"})
    sql += std::string("DELETE FROM ") + table +
           " WHERE first NOT IN (SELECT slot_cycles FROM steps WHERE slot_cycles IS NOT NULL);";
  // a span that began earlier keeps its later calls, whose cycles are unknown
  sql += "DELETE FROM paused_spans WHERE first_run + runs <= " + number +
         "; UPDATE paused_spans SET runs = first_run + runs - " + number + ", first_run = " + number +
         ", cycles = NULL WHERE first_run < " + number + ";";
  sql += "CREATE TEMP TABLE kept AS SELECT tile, row_number() OVER (PARTITION BY tile ORDER BY position) - 1, program, "
         "kind, from_cycles, to_cycles, run_number FROM blocks WHERE run_number >= " +
         number + "; DELETE FROM blocks; INSERT INTO blocks SELECT * FROM kept; DROP TABLE kept;";
  return sql + "COMMIT; VACUUM;";
}

} // namespace

void savePop(PopFile &file, const std::string &to, std::uint64_t firstRun) {
  copyToFile(file, to, withoutRunsBefore(file, firstRun) + completing(file));
}

std::string popImage(PopFile &file) {
  const std::shared_ptr<PopFile> copy = PopFile::copyOf(file);
  copy->execute(completing(file));
  return copy->image();
}

} // namespace popscope
