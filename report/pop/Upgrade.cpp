#include "report/pop/Upgrade.hpp"

#include "report/pop/PopReader.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlob.hpp"
#include "report/pop/TileBlocks.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace popscope {
namespace {

std::vector<std::uint32_t> narrow(PopFile &file, std::string_view blob, std::size_t tiles) {
  std::vector<std::uint32_t> numbers(tiles); // a short vector says that the other tiles were not involved
  std::vector<std::uint64_t> wide;
  try {
    wide = decodeDense(blob, tiles);
  } catch (const ProfileError &e) {
    file.fail(e.what());
  }
  for (std::size_t t = 0; t < wide.size(); ++t) {
    if (wide[t] > std::numeric_limits<std::uint32_t>::max())
      file.fail("the profile is corrupt: a step takes more cycles than 32 bits hold");
    numbers[t] = static_cast<std::uint32_t>(wide[t]);
  }
  return numbers;
}

void packCycles(PopFile &file) {
  const std::size_t tiles = readLimits(file).stepTiles;
  Query from(file, "SELECT id, cycles_by_tile FROM steps WHERE cycles_by_tile IS NOT NULL ORDER BY id");
  while (from.next()) {
    const std::uint64_t step = from.u64();
    const std::string packed = packTiles(narrow(file, from.blobView().value_or(""), tiles));
    Query to(file, insertStatement("steps_by_tile"));
    (to << step).blob(packed).run();
  }
}

/// Format 1 kept cycles by tile in steps, as one compressed vector a step, and found the steps of a run by reading them.
void upgradeFrom1(PopFile &file) {
  file.execute(tableDdl("steps_by_tile") + tableDdl("run_vertex_types"));
  packCycles(file);
  file.execute("INSERT INTO run_vertex_types SELECT s.run, v.vertex_type, SUM(v.instances), SUM(v.cycles) FROM steps s "
               "JOIN step_vertex_types v ON v.step_id = s.id GROUP BY s.run, v.vertex_type");
  file.execute("ALTER TABLE steps DROP COLUMN cycles_by_tile; "
               "ALTER TABLE runs ADD COLUMN first_step INTEGER NOT NULL DEFAULT 0; "
               "UPDATE runs SET first_step = COALESCE((SELECT MIN(id) FROM steps WHERE steps.run >= runs.id), "
               "(SELECT MAX(id) + 1 FROM steps), 0)");
}

/// Format 2 did not tell what instrumentation costs, and had no statistics of the simulator. What it recorded was known.
void upgradeFrom2(PopFile &file) {
  file.execute(tableDdl("simulator_step_statistics") +
               "ALTER TABLE execution_cycle_totals ADD COLUMN counter_reads INTEGER NOT NULL DEFAULT 0");
}

using Upgrade = void (*)(PopFile &);
constexpr std::array<Upgrade, kPopSchemaVersion - 1> kUpgrades = {upgradeFrom1, upgradeFrom2}; // [i]: from format i + 1 to the next

} // namespace

std::shared_ptr<PopFile> upgradedCopy(PopFile &file, int version) {
  auto copy = PopFile::copyOf(file);
  copy->execute("BEGIN");
  for (int v = version; v < kPopSchemaVersion; ++v)
    kUpgrades[static_cast<std::size_t>(v - 1)](*copy);
  Query meta(*copy, "UPDATE meta SET value = ? WHERE key = 'formatVersion'");
  (meta << std::to_string(kPopSchemaVersion) + ".0.0").run();
  copy->execute("COMMIT; PRAGMA user_version = " + std::to_string(kPopSchemaVersion));
  copy->protect();
  return copy;
}

} // namespace popscope
