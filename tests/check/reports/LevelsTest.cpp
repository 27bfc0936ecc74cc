// Tests what views show of one program at each level of compute counters of an IPU device. The levels ipu and device
// keep only the longest tile: its cycles are shown, other figures are unknown, and nothing unknown is shown as 0.
#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace reports;

namespace {

const std::string kSet = "Layer1/scale";

/// Runs the program of `shape` with options of the environment, and returns the path of its profile in the folder.
std::string profileOf(const Folder &folder, const std::string &name, const std::string &options,
                      const std::string &shape = "device") {
  const Outcome made = shell(folder, "POPSCOPE_SIM_IPUS=ipu1:2 POPLAR_ENGINE_OPTIONS='" + options +
                                         "' '" REPORTS_SHAPES "' " + name + " " + shape);
  CAPTURE(made.out);
  REQUIRE(made.exitCode == 0);
  return name + "/profile.pop";
}

nlohmann::json answer(const Folder &folder, const std::string &command) {
  const Outcome o = shell(folder, kPopscope + " " + command + " --json");
  REQUIRE(o.exitCode == 0);
  return nlohmann::json::parse(o.out);
}

/// Returns a cell of the first row whose cell `key` is `value`; null if there is no such row.
nlohmann::json cell(const nlohmann::json &answer, const char *table, const char *key, const std::string &value,
                    const char *column) {
  for (const auto &row : answer.at("tables").at(table).at("rows"))
    if (row.at(key) == value)
      return row.at(column);
  return nullptr;
}

} // namespace

TEST_SUITE("check.levels") {
  TEST_CASE("the cycles that steps add are the length of the runs at every level") {
    const Folder folder;
    for (const std::string shape : {"device", "second-ipu"}) // both end with a compute set
      for (const std::string level : {"vertex", "tile", "ipu", "device"}) {
        CAPTURE(shape);
        CAPTURE(level);
        const std::string profile =
            profileOf(folder, shape + level, "{\"debug.computeInstrumentationLevel\":\"" + level + "\"}", shape);
        const Outcome runs = shell(folder, kPopscope + " sql --csv " + profile +
                                               " 'SELECT sum(total_cycles) FROM execution_cycle_totals'");
        std::uint64_t steps = 0;
        const auto top = answer(folder, "top --of steps -n 0 " + profile);
        for (const auto &row : top.at("tables").at("steps").at("rows"))
          steps += row.at("cycles").get<std::uint64_t>();
        REQUIRE(lines(runs.out).size() == 2);
        CHECK(steps == std::stoull(lines(runs.out)[1]));
      }
  }

  TEST_CASE("a replay needs the cycles of each tile, and says which option records them") {
    const Folder folder;
    for (const std::string level : {"ipu", "device"}) {
      const std::string profile = profileOf(folder, level, "{\"debug.computeInstrumentationLevel\":\"" + level + "\"}");
      for (const std::string view : {"loss", "whatif --sync-delay 60", "sensitivity"}) {
        CAPTURE(view);
        const Outcome refused = shell(folder, kPopscope + " " + view + " " + profile);
        CHECK(refused.exitCode == 2);
        REQUIRE(!refused.err.empty());
        CHECK(refused.err[0].find("level \"" + level +
                                  "\", which records only the longest tile; set "
                                  "debug.computeInstrumentationLevel to \"tile\"") != std::string::npos);
      }
    }
  }

  TEST_CASE("views show the cycles of the longest tile at every level, and no 0 for what is unknown") {
    const Folder folder;
    for (const char *level : {"vertex", "tile", "ipu", "device"}) {
      CAPTURE(level);
      const std::string profile =
          profileOf(folder, level, std::string("{\"debug.computeInstrumentationLevel\":\"") + level + "\"}");
      const Database db(folder.file(profile));
      const std::string scale = " FROM steps_by_ipu JOIN steps ON steps.id = step_id WHERE type = 'OnTileExecute'";
      REQUIRE(db.one("SELECT count(*)" + scale) == "4");
      const std::uint64_t longest = db.number("SELECT sum(cycles)" + scale);
      REQUIRE(longest > 1000);
      const auto numbers = answer(folder, "numbers " + profile);
      const auto adds = cell(numbers, "numbers", "name", "computeSet." + kSet + ".cycles", "value");
      REQUIRE(adds.is_number());
      CHECK(adds.get<double>() == doctest::Approx(double(longest)).epsilon(0.1)); // reads of counters may be next to it
      CHECK(cell(answer(folder, "top " + profile), "computeSets", "name", kSet, "cycles") == adds);
      const Outcome frame =
          shell(folder, kPython + " -c \"import popscope; print([r['cycles'] for r in popscope.open('" + profile +
                            "').frame('operators', 'rows') if r['name'] == '" + kSet + "'])\"");
      CHECK(frame.out == "[" + std::to_string(adds.get<std::uint64_t>()) + "]\n");
      const Outcome whatIf = shell(folder, kPopscope + " whatif " + profile + " --workers 3");
      if (std::string(level) == "vertex") {
        CHECK(whatIf.out.find("worker vertices are assigned to threads again") != std::string::npos);
        CHECK(whatIf.out.find("keep their recorded cycles") == std::string::npos);
      } else if (std::string(level) == "tile") {
        CHECK(whatIf.out.find("worker vertices are assigned") == std::string::npos);
        CHECK(whatIf.out.find("not computed again, because") == std::string::npos);
        CHECK(whatIf.out.find("Note: the compute sets keep their recorded cycles") != std::string::npos);
      }
      const auto operators = answer(folder, "operators " + profile + " --name " + kSet);
      const auto time = cell(operators, "operators", "name", kSet, "selfTime");
      REQUIRE(time.is_number());
      CHECK(time.get<std::uint64_t>() > 0);
      const auto sets = answer(folder, "stats " + profile + " --report compute-sets");
      CHECK(sets.at("facts").at("sum") == adds);
      const bool byTile = std::string(level) == "vertex" || std::string(level) == "tile";
      CHECK(cell(numbers, "numbers", "name", "cycles.compute", "value").is_number() == byTile);
      const auto types = answer(folder, "stats " + profile + " --report vertex-types");
      CHECK(types.at("facts").at("sum").is_number() == (std::string(level) == "vertex")); // else null, not 0
      const Outcome loss = shell(folder, kPopscope + " loss " + profile);
      CHECK(loss.exitCode == (byTile ? 0 : 2));
      if (!byTile) {
        REQUIRE(loss.err.size() == 1);
        CHECK(loss.err[0].find(std::string("recorded at level \"") + level + "\"") != std::string::npos);
        CHECK(loss.err[0].find("set debug.computeInstrumentationLevel to \"tile\"") != std::string::npos);
      }
    }
  }

  TEST_CASE("exports begin a compute set when its first tile begins, at every level, and no IPU has a time of 0") {
    const Folder folder;
    for (const std::string level : {"tile", "ipu", "device"}) {
      CAPTURE(level);
      const std::string profile =
          profileOf(folder, level, "{\"debug.computeInstrumentationLevel\":\"" + level + "\"}", "second-ipu");
      REQUIRE(shell(folder, kPopscope + " export " + profile + " --format csv,chrome -o x_" + level).exitCode == 0);
      const Outcome checked = shell(folder, "python3 -B '" REPORTS_EXPORTED_TIMES "' " + level);
      CHECK(checked.exitCode == 0);
      CHECK_MESSAGE(checked.err.empty(), (checked.err.empty() ? "" : checked.err.back()));
    }
  }

  TEST_CASE("the summary shows the cycles of a step on the second IPU at every level") {
    const Folder folder;
    std::vector<std::string> cycles;
    for (const char *level : {"tile", "ipu", "device"}) {
      const std::string profile = profileOf(
          folder, level, std::string("{\"debug.computeInstrumentationLevel\":\"") + level + "\"}", "second-ipu");
      const Outcome summary =
          shell(folder, kSummary + " --profile " + profile +
                            " --show-execution-steps | grep -A3 'Layer1/scale' | grep -o 'Cycles: *[0-9,]*'");
      CHECK(summary.exitCode == 0);
      cycles.push_back(summary.out);
    }
    CHECK(cycles[0].find_first_of("123456789") != std::string::npos);
    CHECK(cycles[1] == cycles[0]);
    CHECK(cycles[2] == cycles[0]);
  }

  TEST_CASE("tree counts branches that only call a function, from the recorded choices") {
    const Folder folder;
    const auto tree = answer(folder, "tree " + profileOf(folder, "branches", "{}", "branches"));
    std::string executions;
    for (const auto &row : tree.at("tables").at("programs").at("rows")) {
      CAPTURE(row.dump());
      CHECK(row.at("executions").is_number());
      const auto program = row.at("program").get<std::string>();
      if (program.find("Call") != std::string::npos || program.find("Repeat") != std::string::npos)
        executions += std::to_string(row.at("executions").get<int>()) + " ";
    }
    // Two runs. The calls of both Ifs, of the case 3, of the case 7, and of the Repeat in it; then of the last If: the
    // call, the Repeat and the call in it, and, never, those of its Switch.
    CHECK(executions == "0 2 0 2 2 10 2 2 6 0 0 0 0 ");
  }
}
