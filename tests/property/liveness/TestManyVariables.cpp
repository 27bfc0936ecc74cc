// A program with more accesses, variables and lives than one task handles: every life equals that of a plain scan, and
// the result is the same for any number of threads.
#include "base/Parallel.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace popscope;

namespace {

constexpr std::uint32_t kVars = 60000, kElements = 4;

struct Use {
  std::uint32_t var;
  AccessKind kind;
};

// One step per variable and one for the root. A variable is written, read soon after, and sometimes written or read at
// any later step.
StepProgram manyVariables(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<std::vector<Use>> uses(kVars + 1); // by step; within a step, reads come first
  for (std::uint32_t v = 0; v < kVars; ++v) {
    const std::uint32_t born = v % 7 == 0 ? below(kVars / 2) : v;
    const auto later = [&] { return std::min(kVars, born + 1 + below(v % 11 == 0 ? kVars : 30)); };
    std::map<std::uint32_t, AccessKind> at; // one access per step
    at[born] = AccessKind::Write;
    at.emplace(later(), AccessKind::Read);
    at.emplace(later(), AccessKind::Read);
    at.emplace(later(), AccessKind::Write);
    at.erase(kVars);
    for (const auto &[step, kind] : at)
      uses[step].push_back({v, kind});
  }
  StepProgram p;
  p.numTiles = p.tilesPerIpu = 1;
  Step root;
  root.end = kVars + 1;
  p.steps.push(root);
  for (std::uint32_t s = 0; s < kVars; ++s) {
    Step step;
    step.kind = StepKind::OnTileExecute;
    step.end = s + 2;
    step.firstAccess = static_cast<std::uint32_t>(p.accesses.size());
    step.numAccesses = static_cast<std::uint32_t>(uses[s].size());
    for (const Use &use : uses[s]) {
      p.accesses.push_back({VarId(use.var), use.kind, 0, static_cast<std::uint32_t>(p.ranges.size()), 1});
      p.ranges.push_back({0, kElements});
    }
    p.steps.push(step);
    StepVar var;
    var.elements = kElements;
    var.firstHome = var.firstPiece = s;
    var.numHomes = var.numPieces = 1;
    const VarId id = p.vars.push(var);
    p.homes.push({id, TileId(0), kElements});
    p.pieces.push_back({{0, kElements}, HomeId(s), 0});
  }
  return p;
}

// In a straight-line program that starts with a write, each life extends from a write to the last read before the next
// write.
std::vector<std::vector<StepInterval>> scanned(const StepProgram &p) {
  std::vector<std::vector<StepInterval>> lives(p.vars.size());
  std::vector<std::uint32_t> written(p.vars.size(), 0);
  for (std::uint32_t s = 0; s < p.steps.size(); ++s)
    for (std::uint32_t a = 0; a < p.steps.raw()[s].numAccesses; ++a) {
      const Access &access = p.accesses[p.steps.raw()[s].firstAccess + a];
      auto &mine = lives[access.var.index()];
      std::uint32_t &since = written[access.var.index()];
      if (access.kind == AccessKind::Write)
        since = s;
      else if (!mine.empty() && mine.back().end.index() >= since)
        mine.back().end = StepIndex(s + 1);
      else
        mine.push_back({StepIndex(since), StepIndex(s + 1)});
    }
  return lives;
}

bool same(const LiveRanges &a, const LiveRanges &b) {
  const auto sameClass = [](const LiveClass &x, const LiveClass &y) {
    return x.firstInterval == y.firstInterval && x.numIntervals == y.numIntervals;
  };
  return a.intervals == b.intervals &&
         std::equal(a.classes.begin(), a.classes.end(), b.classes.begin(), b.classes.end(), sameClass) &&
         a.live.raw() == b.live.raw() && a.occupied.raw() == b.occupied.raw() && a.always.raw() == b.always.raw() &&
         a.liveBytes == b.liveBytes && a.alwaysLiveBytes == b.alwaysLiveBytes;
}

} // namespace

TEST_SUITE("liveness.many-variables") {
  TEST_CASE("lives of 60,000 variables are those of a plain scan, for one, two and five threads") {
    const StepProgram program = manyVariables(7);
    REQUIRE(program.accesses.size() > 2 * 65536); // several lanes collect them
    const LiveRanges one = analyseLiveness(program, {1});
    const auto wanted = scanned(program);
    std::size_t wrong = 0, several = 0;
    std::vector<std::uint64_t> bytes(program.steps.size(), 0);
    for (std::size_t v = 0; v < wanted.size(); ++v) {
      const LiveClass &k = one.classes[one.live.raw()[v].index()];
      const auto first = one.intervals.begin() + k.firstInterval;
      wrong += !std::equal(first, first + k.numIntervals, wanted[v].begin(), wanted[v].end());
      several += wanted[v].size() > 1;
      for (const StepInterval &i : wanted[v])
        for (std::uint32_t s = i.begin.index(); s < i.end.index(); ++s)
          bytes[s] += kElements * sizeof(float);
    }
    CHECK(wrong == 0);
    CHECK(several > 1000);
    std::size_t wrongBytes = 0;
    for (std::size_t s = 0; s < bytes.size(); ++s)
      wrongBytes += one.liveBytes[s].count() != bytes[s];
    CHECK(wrongBytes == 0);
    // equal lives must have one class
    std::map<std::vector<std::pair<std::uint32_t, std::uint32_t>>, std::size_t> classes;
    std::size_t twice = 0;
    for (const LiveClass &k : one.classes) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> key;
      for (std::uint32_t i = k.firstInterval; i < k.firstInterval + k.numIntervals; ++i)
        key.emplace_back(one.intervals[i].begin.index(), one.intervals[i].end.index());
      twice += ++classes[key] > 1;
    }
    CHECK(twice == 0);
    for (const unsigned threads : {2U, 5U})
      CHECK(same(analyseLiveness(program, {threads}), one));
  }
}
