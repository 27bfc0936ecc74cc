// Which variables are live at which steps: the profile API next to a search through all intervals of all variables.
#include "RandomRecords.hpp"

#include "report/pop/PopFile.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/pva/Model.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace popscope;

namespace {

using Found = std::vector<std::pair<std::uint64_t, std::uint64_t>>; // (variable or lowered variable, bytes)

std::uint64_t drawn(std::mt19937_64 &random, std::uint64_t end) { return random() % end; }

LivenessClassRecord randomClass(std::mt19937_64 &random, std::uint64_t programs) {
  LivenessClassRecord c;
  for (std::uint64_t first = drawn(random, programs + 1); first < programs; first += drawn(random, 4)) {
    const std::uint64_t end = std::min(programs, first + 1 + drawn(random, 5));
    c.intervals.emplace_back(first, end);
    first = end;
  }
  return c;
}

/// Returns a profile in which variables and their parts have random intervals, and some programs are no liveness steps.
CompilationRecord randomLives(std::mt19937_64 &random) {
  CompilationRecord r = randomCompilation(random);
  ProgramRecord program = r.programs.back();
  program.parent = 0;
  for (std::uint64_t more = drawn(random, 30); more > 0; --more) {
    r.programs.push_back(program);
    r.programTiles.push_back(r.programTiles.back());
    const auto id = static_cast<std::uint32_t>(r.programs.size() - 1);
    r.livenessSteps.push_back({id, {}, {{}, {}}});
  }
  std::erase_if(r.livenessSteps, [&](const auto &) { return drawn(random, 4) == 0; });
  const std::uint64_t programs = r.programs.size(), tiles = r.tiles.size();
  r.livenessClasses.clear();
  for (std::uint64_t c = 0, n = 1 + drawn(random, 6); c < n; ++c)
    r.livenessClasses.push_back(randomClass(random, programs));
  const auto anyClass = [&] { return static_cast<std::int64_t>(drawn(random, r.livenessClasses.size())); };
  r.variables.clear();
  for (std::uint64_t i = 0, n = drawn(random, 12); i < n; ++i) {
    LiveVariableRecord v;
    v.name = r.variableNames.intern("v" + std::to_string(i % 3));
    v.alwaysLive = drawn(random, 5) == 0;
    v.liveClass = v.alwaysLive && drawn(random, 2) == 0 ? -1 : anyClass();
    for (std::uint32_t tile = 0; tile < tiles; ++tile)
      if (drawn(random, 3) == 0)
        v.bytesByTile.emplace_back(tile, drawn(random, 3) * 4);
    for (const auto &[tile, bytes] : v.bytesByTile) {
      v.bytes += Bytes(bytes);
      const std::int64_t other = anyClass();
      if (!v.alwaysLive && drawn(random, 3) == 0 && other != v.liveClass &&
          std::none_of(v.parts.begin(), v.parts.end(), [&](const auto &part) { return part.liveClass == other; }))
        v.parts.push_back({other, Bytes(bytes), {{tile, bytes}}});
    }
    std::sort(v.parts.begin(), v.parts.end(), [](const auto &a, const auto &b) { return a.liveClass < b.liveClass; });
    r.variables.push_back(v);
  }
  for (LoweredVariableRecord &row : r.loweredVariables) {
    row.variable = -1;
    row.occupiedClass = row.alwaysLive ? -1 : anyClass();
  }
  r.advice = {};
  return r;
}

bool liveAt(const CompilationRecord &r, std::int64_t liveClass, std::uint32_t program) {
  if (liveClass < 0)
    return false;
  const auto &intervals = r.livenessClasses[static_cast<std::size_t>(liveClass)].intervals;
  return std::any_of(intervals.begin(), intervals.end(),
                     [&](const auto &i) { return i.first <= program && program < i.second; });
}

/// Returns the class of the variable's part on a tile.
std::int64_t classOn(const LiveVariableRecord &v, std::uint32_t tile) {
  for (const LivePartRecord &part : v.parts)
    for (const auto &entry : part.bytesByTile)
      if (entry.first == tile)
        return part.liveClass;
  return v.liveClass;
}

/// Returns the live variables with their live bytes on the tiles [first, end). Without `zeros`, leaves out variables
/// without live bytes there; with `zeros`, only those of them that have parts.
Found liveOn(const CompilationRecord &r, std::uint32_t program, std::size_t first, std::size_t end, bool zeros) {
  Found found;
  for (std::size_t id = 0; id < r.variables.size(); ++id) {
    const LiveVariableRecord &v = r.variables[id];
    if (v.alwaysLive || !liveAt(r, v.liveClass, program))
      continue;
    std::uint64_t bytes = 0;
    for (const auto &[tile, size] : v.bytesByTile)
      if (tile >= first && tile < end && liveAt(r, classOn(v, tile), program))
        bytes += size;
    if (bytes != 0 || (zeros && v.parts.empty()))
      found.emplace_back(id, bytes);
  }
  return found;
}

Found listOf(const pva::List<pva::Variable> &variables) {
  Found found;
  for (const pva::Variable &v : variables)
    found.emplace_back(v._id(), v.size());
  return found;
}

template <class F> void forRandomLives(F &&check) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const CompilationRecord record = randomLives(random);
    PopWriter writer;
    writer.compilation(record);
    check(record, writer.file());
  }
}

} // namespace

TEST_SUITE("report.live_steps") {
  TEST_CASE("the live variables of a step are those that a search through all variables finds") {
    std::size_t seen = 0;
    forRandomLives([&](const CompilationRecord &r, const std::shared_ptr<PopFile> &file) {
      const pva::Report report = pva::makeReport(file);
      const std::size_t perIpu = r.target.tilesPerIpu;
      const auto steps = report.compilation().livenessProgramSteps();
      REQUIRE(steps.size() == r.livenessSteps.size());
      for (std::size_t s = 0; s < steps.size(); ++s) {
        CAPTURE(s);
        const std::uint32_t program = r.livenessSteps[s].program;
        const Found all = listOf(steps[s].notAlwaysLiveMemory().variables());
        CHECK(all == liveOn(r, program, 0, r.tiles.size(), true));
        seen += all.size();
        for (std::size_t ipu = 0; ipu < r.target.numIpus / r.target.numReplicas; ++ipu)
          CHECK(listOf(steps[s].notAlwaysLiveMemoryForIpu(ipu).variables()) ==
                liveOn(r, program, ipu * perIpu, (ipu + 1) * perIpu, false));
        for (std::uint32_t tile = 0; tile < r.tiles.size(); ++tile) {
          Found there = listOf(steps[s].notAlwaysLiveMemoryForTile(tile).variables());
          std::erase_if(there, [](const auto &entry) { return entry.second == 0; }); // a part may have no bytes
          CHECK(there == liveOn(r, program, tile, tile + 1, false));
        }
      }
    });
    CHECK(seen > 1000);
  }

  TEST_CASE("the lowered variables of a program are those that a search through all of them finds") {
    forRandomLives([](const CompilationRecord &r, const std::shared_ptr<PopFile> &file) {
      const pva::Report report = pva::makeReport(file);
      for (const auto &program : report.compilation().programs()) {
        const auto id = static_cast<std::uint32_t>(program->_id());
        std::vector<std::string> expected, found;
        for (const LoweredVariableRecord &row : r.loweredVariables)
          if (!row.alwaysLive && liveAt(r, row.occupiedClass, id))
            expected.push_back(std::to_string(row.tile) + " " + std::to_string(row.offset.count()));
        for (const pva::LoweredVariable &v : program->vars())
          found.push_back(std::to_string(v.tile()) + " " + std::to_string(v.offset()));
        CHECK(found == expected);
      }
    });
  }

  TEST_CASE("the intervals of a class are converted to liveness steps once, whatever asks for them") {
    forRandomLives([](const CompilationRecord &r, const std::shared_ptr<PopFile> &file) {
      const auto model = std::make_shared<pva::detail::Model>(file);
      for (std::size_t c = 0; c < r.livenessClasses.size(); ++c) {
        const auto first = model->stepsOfClass(c), again = model->stepsOfClass(c);
        CHECK(first.data() == again.data());
        std::vector<bool> expected, found(r.livenessSteps.size());
        for (const auto &step : r.livenessSteps)
          expected.push_back(liveAt(r, static_cast<std::int64_t>(c), step.program));
        for (const pva::StepInterval &interval : first) {
          CHECK(interval.start() < interval.end());
          for (std::uint64_t s = interval.start(); s < interval.end(); ++s)
            found[s] = true;
        }
        CHECK(found == expected);
      }
    });
  }

  TEST_CASE("a query reads only the rows that are live") {
    std::mt19937_64 random(7);
    for (std::uint64_t programs : {1, 2, 3, 7, 64, 100}) {
      CAPTURE(programs);
      CompilationRecord r;
      for (int c = 0; c < 9; ++c)
        r.livenessClasses.push_back(randomClass(random, programs));
      std::vector<std::int64_t> classOfRow;
      for (int row = 0; row < 40; ++row)
        classOfRow.push_back(static_cast<std::int64_t>(drawn(random, 10)) - 1);
      const pva::detail::LiveRows live(r.livenessClasses, classOfRow, programs);
      for (std::uint32_t p = 0; p < programs; ++p) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t row = 0; row < classOfRow.size(); ++row)
          if (liveAt(r, classOfRow[row], p))
            expected.push_back(row);
        CHECK(live.at(p) == expected);
        CHECK(live.countAt(p) == expected.size()); // the rows on the way from the program to the root
        for (const LivenessClassRecord &c : r.livenessClasses)
          CHECK(pva::detail::isLive(c, p) == std::any_of(c.intervals.begin(), c.intervals.end(),
                                                         [&](const auto &i) { return i.first <= p && p < i.second; }));
      }
      CHECK(live.at(static_cast<std::uint32_t>(programs)).empty());
    }
    CHECK(pva::detail::LiveRows({}, {}, 0).at(0).empty());
  }
}
