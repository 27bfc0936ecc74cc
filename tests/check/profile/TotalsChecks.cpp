#include "tests/check/profile/TotalsChecks.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace profile_check {
namespace {

void expectColumn(Findings &findings, const Database &db, const std::string &what, std::uint64_t printed,
                  const std::string &sql) {
  expectEqual(findings, what + ", printed and " + sql, printed, db.number(sql));
}

} // namespace

Findings checkMemoryTotals(const SummaryText &text, const Database &db) {
  Findings f;
  const MemoryText &m = text.memory.at(0);
  const auto tiles = [](const std::string &column) { return "SELECT sum(" + column + ") FROM memory_by_tile"; };
  expectColumn(f, db, "including gaps", m.including, tiles("total_including_gaps"));
  expectColumn(f, db, "excluding gaps", m.total, tiles("total"));
  const char *const columns[] = {"non_interleaved", "interleaved", "overflowed"};
  for (std::size_t r = 0; r < 3; ++r)
    expectColumn(f, db, columns[r], m.regions.at(r).value, tiles(columns[r]));
  expectColumn(f, db, "after overlapping", m.afterOverlapping, tiles("after_overlapping"));
  const std::string category = "SELECT coalesce(sum(size_bytes), 0) FROM memory_by_tile_category WHERE overlapped = ";
  expectColumn(f, db, "not overlapped", m.notOverlappedTotal, category + "0");
  expectColumn(f, db, "overlapped", m.overlappedTotal,
               category + "1 AND category != (SELECT id FROM var_categories WHERE name = 'multiple')");
  for (const char *table : {"memory_by_tile_category", "memory_by_tile_use"}) // the column has the same meaning in both
    expectColumn(f, db, "of several categories", m.multiple,
                 std::string("SELECT coalesce(sum(size_bytes), 0) FROM ") + table +
                     " WHERE category = (SELECT id FROM var_categories WHERE name = 'multiple')");
  expectColumn(
      f, db, "vertex data", m.vertexData,
      "SELECT sum(internal_state + edge_pointers + copy_pointers + padding + descriptors) FROM vertices_by_tile");
  expectColumn(f, db, "vertex types", sum(m.vertexTypes), "SELECT sum(memory_bytes) FROM vertex_types");
  expectColumn(f, db, "fullest tile, gaps included", text.maxIncluding,
               "SELECT max(total_including_gaps) FROM memory_by_tile");
  expectColumn(f, db, "fullest tile, gaps excluded", text.maxExcluding, "SELECT max(total) FROM memory_by_tile");
  expectColumn(f, db, "tiles out of memory", text.tilesOutOfMemory, "SELECT count(*) FROM tiles_out_of_memory");
  const char *const counts[] = {"num_vertices", "num_edges", "num_variables", "num_compute_sets"};
  for (std::size_t i = 0; i < 4; ++i)
    expectColumn(f, db, counts[i], text.graph.at(i).value, std::string("SELECT ") + counts[i] + " FROM graph");
  return f;
}

Findings checkLivenessTotals(const SummaryText &text, const Database &db) {
  Findings f;
  expectColumn(f, db, "always-live bytes", text.alwaysLive,
               "SELECT sum(size_bytes) FROM liveness_variables WHERE always_live = 1");
  expectColumn(f, db, "always-live bytes", text.alwaysLive, "SELECT sum(always_live) FROM memory_by_tile");
  expectColumn(f, db, "maximum live bytes", text.maxLive,
               "SELECT max(size_bytes) + (SELECT always_live FROM liveness_totals) FROM liveness_steps");
  std::uint64_t printed = 0;
  for (const LiveText &live : text.live)
    printed += live.bytes;
  // The text leaves out the beginnings and ends of host copies.
  expectColumn(f, db, "live bytes of all programs", printed,
               "SELECT sum(s.size_bytes) FROM liveness_steps s JOIN programs p ON p.id = s.program "
               "WHERE p.type NOT IN ('StreamCopyBegin', 'StreamCopyEnd')");
  return f;
}

Findings checkExecutionTotals(const SummaryText &text, const Database &db) {
  Findings f;
  const char *const columns[] = {"compute",       "thread_cycles",         "exchange", "global_exchange",
                                 "host_exchange", "shared_structure_copy", "sync"};
  expectColumn(f, db, "total cycles", text.cycles, "SELECT sum(total_cycles) FROM execution_cycle_totals");
  expectEqual(f, "printed lines of cycles", text.cycleTotals.size(), std::size(columns));
  for (std::size_t i = 0; i < std::min(text.cycleTotals.size(), std::size(columns)); ++i)
    expectColumn(f, db, columns[i], text.cycleTotals[i].value,
                 std::string("SELECT sum(") + columns[i] + ") FROM execution_cycle_totals");
  expectEqual(f, "printed cycles, unattributed ones and tiles x total",
              sum(text.cycleTotals) - text.cycleTotals.at(1).value +
                  db.number("SELECT sum(unattributed) FROM execution_cycle_totals"),
              text.tiles * text.cycles);
  std::uint64_t types = 0;
  for (const TypeText &t : text.cyclesByType)
    types += t.cycles;
  // Each vertex counts once: with the latest execution of its compute set or, if no step executes the set, with its
  // estimate.
  expectEqual(
      f, "cycles by vertex type", types,
      db.number("SELECT coalesce(sum(v.cycles), 0) FROM step_vertex_types v JOIN steps s ON s.id = v.step_id "
                "WHERE NOT EXISTS (SELECT 1 FROM steps l WHERE l.compute_set = s.compute_set AND l.id > s.id)") +
          db.number("SELECT coalesce(sum(c.estimated_cycles), 0) FROM compute_set_vertices c WHERE NOT EXISTS "
                    "(SELECT 1 FROM steps s WHERE s.compute_set = c.compute_set)"));
  expectEqual(f, "thread cycles of steps and of their types", db.number("SELECT sum(thread_cycles) FROM steps"),
              db.number("SELECT sum(cycles) FROM step_vertex_types"));
  expectColumn(f, db, "printed steps", text.steps.size(),
               "SELECT count(*) FROM steps WHERE type NOT IN ('Sync', 'StreamCopyBegin', 'StreamCopyEnd')");
  return f;
}

Findings checkNothingNegative(const Database &db) {
  Findings f;
  for (const auto &table : db.texts("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"))
    for (const auto &column : db.texts("SELECT name FROM pragma_table_info('" + table[0] + "') WHERE type = 'INTEGER'"))
      try {
        db.number("SELECT coalesce(min(\"" + column[0] + "\"), 0) FROM \"" + table[0] + "\"");
      } catch (const std::runtime_error &negative) {
        f.push_back(negative.what());
      }
  return f;
}

} // namespace profile_check
