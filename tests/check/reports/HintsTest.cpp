// Each command that a view proposes is run in a shell, for profiles of every shape, and must exit with 0. No share of a
// whole may exceed 100 %. An option that selects a part of the profile must apply to every ranking, or be refused.
#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace reports;
using nlohmann::json;

namespace {

const std::vector<std::string> kShapes = {"plain", "sparse", "compiled", "unrecorded", "overfull",
                                          "tried", "killed", "two-ipus", "replicated", "device"};
/// The commands of each view. If a profile lacks the data of a view, the view exits with 2 and proposes nothing.
const std::vector<std::string> kAsked = {"info",
                                         "top",
                                         "top --of steps",
                                         "top --of vertex-types",
                                         "top --of variables",
                                         "top --of tiles",
                                         "top --of operations",
                                         "stats",
                                         "stats --report tiles",
                                         "loss",
                                         "peak",
                                         "vars",
                                         "vars a",
                                         "tile",
                                         "oom",
                                         "gap",
                                         "advise",
                                         "fit",
                                         "exchange",
                                         "tree",
                                         "live",
                                         "runs",
                                         "measured",
                                         "why",
                                         "overhead",
                                         "sources",
                                         "operators",
                                         "numbers",
                                         "whatif --workers 4",
                                         "sensitivity"};
/// Views that show percentages of change, which may have any value.
const std::set<std::string> kChanges = {"whatif --workers 4", "sensitivity", "advise", "fit"};

std::string profileOf(const Folder &folder, const std::string &shape) {
  const std::string program = "'" REPORTS_SHAPES "' " + shape + " " + shape;
  const Outcome made = shell(folder, shape == "device" ? "POPSCOPE_SIM_IPUS=ipu1:1 " + program : program);
  CAPTURE(made.err.empty() ? "" : made.err.front());
  REQUIRE(made.exitCode == (shape == "killed" ? 137 : 0));
  if (shape == "killed") // its unfinished file has another name
    REQUIRE(shell(folder, kPopscope + " recover killed/profile_*.pop -o killed/profile.pop").exitCode == 0);
  return shape + "/profile.pop";
}

void expectHints(const Folder &folder, const std::string &command, std::set<std::string> &pasted) {
  const Outcome asked = shell(folder, "PATH='" POPSCOPE_TOOLS "':$PATH; popscope " + command + " --json");
  CAPTURE(command);
  if (asked.exitCode == 2) {
    // one more line states that the profile is truncated
    CHECK(asked.err.size() == (command.find("killed") == std::string::npos ? 1 : 2));
    return;
  }
  REQUIRE(asked.exitCode <= 1);
  const json answer = json::parse(asked.out);
  CHECK_FALSE(answer["next"].empty());
  for (const json &hint : answer["next"]) {
    const auto text = hint.get<std::string>();
    CAPTURE(text);
    if (!pasted.insert(text).second)
      continue;
    const Outcome next = shell(folder, "PATH='" POPSCOPE_TOOLS "':$PATH; " + text + " > out.txt");
    CAPTURE(next.err.empty() ? "" : next.err.front());
    CHECK(next.exitCode == 0);
  }
}

/// Returns the sum of a column over the rows of the answer's first table.
std::uint64_t sumOf(const Folder &folder, const std::string &command, const char *table, const char *column) {
  const Outcome asked = shell(folder, kPopscope + " " + command + " --json");
  REQUIRE(asked.exitCode == 0);
  std::uint64_t sum = 0;
  const json answer = json::parse(asked.out);
  for (const json &row : answer["tables"][table]["rows"])
    sum += row[column].is_null() ? 0 : row[column].get<std::uint64_t>();
  return sum;
}

/// A cell may be unknown; a sentence leaves out what is.
void expectKnownSentences(const Folder &folder, const std::string &command) {
  for (const std::string &line : lines(shell(folder, kPopscope + " " + command).out))
    if (!line.empty() && line.back() == '.' && line.rfind("Note: ", 0) != 0)
      CHECK_MESSAGE(line.find("unknown") == std::string::npos, command << ": " << line);
}

/// A tile alone may use more than its whole: the contents of a tile out of memory exceed it (top --of tiles).
void expectShares(const Folder &folder, const std::string &command) {
  if (command.find("--of tiles") != std::string::npos)
    return;
  const Outcome asked = shell(folder, kPopscope + " " + command);
  if (asked.exitCode == 2)
    return;
  const std::regex percent("([0-9][0-9,]*)\\.[0-9]%");
  for (const std::string &line : lines(asked.out))
    for (std::sregex_iterator at(line.begin(), line.end(), percent), end; at != end; ++at) {
      std::string whole = (*at)[1];
      whole.erase(std::remove(whole.begin(), whole.end(), ','), whole.end());
      CHECK_MESSAGE((std::stoull(whole) < 100 || at->str() == "100.0%"), command << ": " << line);
    }
}

} // namespace

TEST_SUITE("check.hints") {
  TEST_CASE("what a view proposes next ends with 0, for profiles of every shape, and no share is above 100 %") {
    const Folder folder;
    for (const std::string &shape : kShapes) {
      CAPTURE(shape);
      const std::string profile = profileOf(folder, shape);
      std::set<std::string> pasted;
      for (const std::string &view : kAsked) {
        const std::size_t space = std::min(view.find(' '), view.size());
        const std::string command = view.substr(0, space) + " " + profile + view.substr(space);
        expectHints(folder, command, pasted);
        expectKnownSentences(folder, command);
        if (kChanges.count(view) == 0)
          expectShares(folder, command);
      }
      CHECK(pasted.size() > 5);
      const bool timed = shape != "compiled" && shape != "unrecorded" && shape != "overfull" && shape != "tried";
      CHECK(pasted.count("popscope loss " + profile) == (timed ? 1 : 0));
      CHECK(pasted.count("popscope top " + profile) == 1);
    }
    std::set<std::string> pasted;
    expectHints(folder, "diff plain/profile.pop two-ipus/profile.pop", pasted);
    expectHints(folder, "history .", pasted);
    expectHints(folder, "options", pasted);
    expectHints(folder, "stats --list-reports", pasted);
  }

  TEST_CASE("top --tiles chooses in each of its rankings: single tiles add up to all of them") {
    const Folder folder;
    const std::string profile = profileOf(folder, "plain");
    struct Ranked {
      const char *of, *by, *table, *column;
    };
    for (const Ranked &r : std::vector<Ranked>{{"compute-sets", "vertices", "computeSets", "vertices"},
                                               {"steps", "code", "steps", "code"},
                                               {"vertex-types", "vertices", "vertexTypes", "vertices"},
                                               {"vertex-types", "bytes", "vertexTypes", "bytes"},
                                               {"vertex-types", "code", "vertexTypes", "code"},
                                               {"variables", "bytes", "variables", "bytes"},
                                               {"tiles", "bytes", "tiles", "bytes"},
                                               {"operations", "code", "operations", "code"}}) {
      CAPTURE(std::string(r.of) + " by " + r.by);
      const std::string command = "top " + profile + " -n 0 --of " + r.of + " --by " + r.by;
      const std::uint64_t all = sumOf(folder, command, r.table, r.column);
      std::uint64_t parts = 0;
      for (const char *tile : {"0", "1", "2", "3"}) {
        parts += sumOf(folder, command + " --tiles " + tile, r.table, r.column);
        CHECK(sumOf(folder, command + " --tiles " + tile, r.table, r.column) < all);
      }
      CHECK(all != 0);
      CHECK(parts == all);
    }
    for (const char *of : {"compute-sets", "steps"}) {
      const char *table = of == std::string("steps") ? "steps" : "computeSets";
      const std::uint64_t onOne = sumOf(folder, "top " + profile + " -n 0 --tiles 1 --of " + std::string(of), table,
                                        "cycles"),
                          onAll = sumOf(folder, "top " + profile + " -n 0 --of " + std::string(of), table, "cycles");
      CHECK(onOne < onAll);
    }
  }

  TEST_CASE("a number that the profile has not is refused with the range of the profile, by every view") {
    const Folder folder;
    const std::string profile = profileOf(folder, "plain");
    const std::string last = shell(folder, kPopscope + " sql " + profile +
                                               " 'SELECT max(id) FROM programs' --csv | tail -n 1 | tr -d '\\r\\n'")
                                 .out;
    const std::vector<std::pair<std::string, std::string>> wrong = {{"--tiles 99", "0 to 3"},
                                                                    {"--ipu 7", "0 alone"},
                                                                    {"--ipu -1", "0 alone"},
                                                                    {"--runs 5", "0 to 1"},
                                                                    {"--steps 9999", "0 to " + last}};
    for (const std::string &view : kAsked) {
      const std::size_t space = std::min(view.find(' '), view.size());
      for (const auto &[flag, range] : wrong) {
        if (view == "sensitivity" && (flag[2] == 't' || flag[2] == 'i'))
          continue; // a constant applies to all tiles
        if (view == "operators" && (flag[2] == 't' || flag[2] == 'i'))
          continue; // an operator has the sums of all tiles
        const Outcome o =
            shell(folder, kPopscope + " " + view.substr(0, space) + " " + profile + view.substr(space) + " " + flag);
        CAPTURE(view);
        const std::string wrongFlag = flag; // clang 14 captures no structured binding
        CAPTURE(wrongFlag);
        CHECK(o.exitCode == 2);
        REQUIRE(o.err.size() == 1);
        CHECK_MESSAGE(o.err.front().find("the profile has " + range) != std::string::npos, o.err.front());
      }
    }
    for (const std::string &command : {"why " + profile + " --step -1", "why " + profile + " --step 9999"}) {
      const Outcome o = shell(folder, kPopscope + " " + command);
      CHECK(o.exitCode == 2);
      REQUIRE(o.err.size() == 1);
      CHECK_MESSAGE(o.err.front().find("the profile has 0 to " + last) != std::string::npos, o.err.front());
    }
    for (const char *command :
         {"live P --at -1", "live P --at 1 --vs -1", "tile P -- -1", "tree P --depth -1", "top P -n -1"}) {
      const Outcome o =
          shell(folder, std::regex_replace(kPopscope + " " + command, std::regex(" P "), " " + profile + " "));
      CAPTURE(command);
      CHECK(o.exitCode == 2);
      REQUIRE(o.err.size() == 1);
      CHECK(o.err.front().find("18446744073709551615") == std::string::npos);
      CHECK(o.err.front().find("whole number") != std::string::npos);
    }
  }

  TEST_CASE("a profile without a run states the same, true cause in every view") {
    const Folder folder;
    for (const auto &[shape, cause] :
         {std::pair<const char *, const char *>{"overfull", "It does not fit, so no program could run."},
          {"tried", "It does not fit, so no program could run."},
          {"compiled", "No run reached this file: the program did not call Engine::run"},
          {"unrecorded", "autoReport.outputExecutionProfile is \"false\""}}) {
      CAPTURE(shape);
      const std::string profile = profileOf(folder, shape);
      for (const char *view : {"loss", "operators", "stats", "whatif --workers 4", "export --format chrome",
                               "export --format perfetto --estimate"}) {
        CAPTURE(view);
        const Outcome o = shell(folder, kPopscope + " " + view + " " + profile);
        CHECK(o.exitCode == 2);
        REQUIRE(o.err.size() == 1);
        CHECK_MESSAGE(o.err.front().find(cause) != std::string::npos, o.err.front());
      }
      for (const char *view : {"info", "runs"})
        CHECK(shell(folder, kPopscope + " " + view + " " + profile).out.find(cause) != std::string::npos);
      if (cause[0] == 'I') {
        const std::string summary = shell(folder, kSummary + " --profile " + profile).out;
        CHECK(summary.find("No execution was recorded. It does not fit, so no program could run.") !=
              std::string::npos);
      }
    }
  }

  TEST_CASE("a list of formats names those that cannot be written, and writes nothing") {
    const Folder folder;
    const std::string profile = profileOf(folder, "overfull");
    for (const char *flag : {"", " --estimate"}) {
      const Outcome o =
          shell(folder, kPopscope + " export " + profile + " --format md,chrome,csv,perfetto -o written" + flag);
      CHECK(o.exitCode == 2);
      REQUIRE(o.err.size() == 1);
      CHECK_MESSAGE(o.err.front().find("--format chrome,perfetto: the profile has no recorded run. It does not fit") !=
                        std::string::npos,
                    o.err.front());
      CHECK_FALSE(std::filesystem::exists(folder.path / "written"));
    }
    CHECK(shell(folder, kPopscope + " export " + profile + " --format md,csv -o written").exitCode == 0);
  }

  TEST_CASE("the measures that top proposes work on the profile") {
    const Folder folder;
    const std::string profile = profileOf(folder, "overfull");
    for (const char *of : {"compute-sets", "operations", "vertex-types", "tiles", "steps"})
      for (const char *by : {"cycles", "flops"}) {
        CAPTURE(of);
        CAPTURE(by);
        const std::string command = kPopscope + " top " + profile + " --of " + of + " --by ";
        const Outcome o = shell(folder, command + by);
        CHECK(o.exitCode == 2);
        REQUIRE(o.err.size() == 1);
        const std::string &line = o.err.front();
        const std::size_t give = line.rfind("give ");
        REQUIRE_MESSAGE(give != std::string::npos, line);
        std::string list = line.substr(give + 5);
        if (list.rfind("one of ", 0) == 0)
          list.erase(0, 7);
        std::replace(list.begin(), list.end(), ',', ' ');
        std::istringstream words(list);
        std::size_t proposed = 0;
        for (std::string word; words >> word; ++proposed)
          CHECK_MESSAGE(shell(folder, command + word).exitCode == 0, line);
        CHECK(proposed != 0);
      }
  }

  TEST_CASE("a limit that fails is a finding even if another limit has no number") {
    const Folder folder;
    const std::string profile = profileOf(folder, "overfull");
    const auto check = [&](const char *limits) {
      std::ofstream(folder.path / "limits.json") << "{\"limits\": {" << limits << "}}";
      return shell(folder, kPopscope + " check " + profile + " --budget limits.json --json");
    };
    const Outcome both = check(R"("cycles": {"max": 100}, "bytes.fullestTile": {"max": 1})");
    CHECK(both.exitCode == 1);
    const json answer = json::parse(both.out);
    std::set<std::string> failed;
    for (const json &row : answer["tables"]["limits"]["rows"])
      if (!row["kept"].get<bool>())
        failed.insert(row["number"].get<std::string>());
    CHECK(failed == std::set<std::string>{"bytes.fullestTile", "cycles"});
    CHECK(answer["notes"].dump().find("It does not fit") != std::string::npos);
    const Outcome kept = check(R"("cycles": {"max": 100}, "bytes.fullestTile": {"min": 1})");
    CHECK(kept.exitCode == 2);
    REQUIRE(kept.err.size() == 1);
    CHECK(kept.err.front().find("no number \"cycles\"") != std::string::npos);
    CHECK(kept.err.front().find("It does not fit") != std::string::npos);
  }

  TEST_CASE("oom states when variables are live as tile and vars do, and advises no trials that were made") {
    const Folder folder;
    const std::string profile = profileOf(folder, "tried");
    const Outcome asked = shell(folder, kPopscope + " oom " + profile + " -n 0 --json");
    CHECK(asked.exitCode <= 1);
    const json oom = json::parse(asked.out);
    CHECK(oom["notes"].dump().find("compile with popscope.tryAdvice") == std::string::npos);
    const std::string tile = std::to_string(oom["facts"]["worstTile"].get<std::uint64_t>());
    std::map<std::string, std::string> live;
    const json vars = json::parse(shell(folder, kPopscope + " vars " + profile + " -n 0 --json --tiles " + tile).out);
    for (const json &row : vars["tables"]["variables"]["rows"])
      live[row["name"].get<std::string>()] = row["live"].get<std::string>();
    std::size_t compared = 0;
    for (const json &row : oom["tables"]["filling"]["rows"])
      if (const std::string name = row["name"].get<std::string>(); row["category"] == "variable") {
        CHECK_MESSAGE(row["live"].get<std::string>() == live[name], name);
        CHECK_FALSE(row["occupied"].get<std::string>().empty());
        ++compared;
      }
    CHECK(compared != 0);
  }

  TEST_CASE("the exception, oom and gap assign the same bytes of gaps to each cause") {
    const Folder folder;
    const Outcome made = shell(folder, "'" REPORTS_SHAPES "' gaps gaps");
    REQUIRE(made.exitCode == 0);
    std::smatch tile;
    REQUIRE_MESSAGE(std::regex_search(made.out, tile, std::regex("tile 0: .* bytes of gaps: ([^.]*)\\.")), made.out);
    const std::string causes = tile[1];
    const auto stated = [&](const std::string &cause) {
      std::smatch found;
      return std::regex_search(causes, found, std::regex("(\\d+) from " + cause)) ? std::stoull(found[1]) : 0;
    };
    const json oom = json::parse(shell(folder, kPopscope + " oom gaps/profile.pop --json").out)["facts"];
    const json gap = json::parse(shell(folder, kPopscope + " gap gaps/profile.pop --tiles 0 --json").out)["facts"];
    std::uint64_t sum = 0, kinds = 0;
    for (const auto &[cause, inOom, inGap] : {std::tuple("alignment", "gapsFromAlignment", "alignment"),
                                              {"operands in different memory elements", "gapsFromElements", "elements"},
                                              {"rules of regions", "gapsFromRegions", "regionRules"},
                                              {"fragmentation", "gapsFromFragmentation", "fragmentation"}}) {
      CAPTURE(std::string(cause));
      CHECK(stated(cause) == oom[inOom]);
      CHECK(stated(cause) == gap[inGap]);
      sum += stated(cause);
      kinds += stated(cause) != 0 ? 1 : 0;
    }
    CHECK(sum == gap["difference"]);
    CHECK(kinds >= 2);
  }

  TEST_CASE("copies of streams without a name are told apart by the tensors they fill") {
    const Folder folder;
    const std::string profile = profileOf(folder, "streams");
    const auto names = [&](const std::string &view, const std::string &table) {
      std::multiset<std::string> found;
      const Outcome o = shell(folder, kPopscope + " " + view + " --json -n 0 " + profile);
      REQUIRE(o.exitCode == 0);
      const json answer = json::parse(o.out);
      for (const json &row : answer["tables"][table]["rows"])
        if (const std::string name = row[view == "loss" ? "program" : "name"]; name.find("<StreamCopy") == 0)
          found.insert(name);
      return found;
    };
    CHECK(names("top --of operations", "operations") == std::multiset<std::string>{"<StreamCopy:pair/left>",
                                                                                   "<StreamCopy:pair/left and 1 more>",
                                                                                   "<StreamCopy:third>"});
    CHECK(names("operators", "operators") == std::multiset<std::string>{"<StreamCopyMid:pair/left>",
                                                                        "<StreamCopyMid:pair/left and 1 more>",
                                                                        "<StreamCopyMid:third>"});
    CHECK(names("loss", "path").count("<StreamCopyMid:third>") == 1);
  }

  TEST_CASE("copies of rows through host message buffers are named after the row, not after its index") {
    const Folder folder;
    const Outcome o = shell(folder, kPopscope + " exchange --json -n 0 " + profileOf(folder, "rows"));
    REQUIRE(o.exitCode == 0);
    const json answer = json::parse(o.out);
    std::multiset<std::string> found;
    for (const json &row : answer["tables"]["exchanges"]["rows"])
      if (const std::string name = row["program"]; name.find("<StreamCopyMid") != std::string::npos)
        found.insert(name + " moves " + row["moves"].get<std::string>());
    CHECK(found == std::multiset<std::string>{"<StreamCopyMid:row and 1 more> moves row, index",
                                              "<StreamCopyMid:row> moves index to row"});
  }
}
