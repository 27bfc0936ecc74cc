// Random tiles that are nearly full or more than full. The reported excess must match its definition: the bytes at the
// worst step, with the maximum cost of alignment, minus the memory of a tile. The test reads only addresses and sizes.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/layout/PlaceAllocations.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace popscope;
using popscope::testing::StepBuilder;

namespace {

// A random tile and the figures that follow from the definition.
struct Case {
  StepProgram program;
  std::uint64_t atOnce = 0; // bytes at the worst step, each size rounded up to its alignment, with stack and runtime
};

struct Kind {
  const char *name;
  bool shortLives, interleaved, odd; // some interleaved variables; sizes that are no multiple of the alignment
  double fullness;                   // of the tile at the worst step, approximately
};

std::uint64_t roundedUp(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t stackOf(const TileMachine &m) {
  return std::uint64_t(m.workerContexts) * m.stack.workerBytes + m.stack.supervisorBytes;
}

struct Life {
  std::uint32_t written, read; // step numbers below kSteps
};
constexpr std::uint32_t kSteps = 24;

Case randomCase(std::mt19937 &random, const TileMachine &machine, const Kind &kind) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  StepBuilder b;
  Case out;
  const auto goal = static_cast<std::uint64_t>(kind.fullness * machine.bytesPerTile);
  std::vector<std::uint64_t> at(kSteps, roundedUp(stackOf(machine), 16) + roundedUp(machine.code.runtimeBytes, 16)),
      interleaved(kSteps, 0);
  std::vector<std::pair<VarId, Life>> lives;
  const std::uint64_t largest = 64 + below(machine.bytesPerTile / (2 + below(12)));
  for (;;) {
    Life life{0, kSteps - 1};
    if (kind.shortLives && below(4) != 0) {
      life.written = static_cast<std::uint32_t>(below(kSteps - 1));
      life.read =
          life.written + 1 + static_cast<std::uint32_t>(below(std::min<std::uint64_t>(kSteps - 1 - life.written, 8)));
    }
    std::uint64_t elements = 1 + below(largest / 4);
    if (!kind.odd)
      elements = (elements + 3) / 4 * 4;
    const std::uint32_t alignment = below(2) == 0 ? 4 : below(2) == 0 ? 8 : 16;
    const std::uint64_t bytes = roundedUp(4 * elements, alignment);
    const bool inter = kind.interleaved && below(4) == 0;
    bool fits = true;
    for (std::uint32_t s = life.written; s <= life.read; ++s)
      fits = fits && at[s] + bytes <= goal && (!inter || interleaved[s] + bytes <= machine.bytesPerTile / 4);
    if (!fits)
      break;
    for (std::uint32_t s = life.written; s <= life.read; ++s) {
      at[s] += bytes;
      interleaved[s] += inter ? bytes : 0;
    }
    const VarId v = b.variable("v" + std::to_string(lives.size()), elements);
    b.info(v).alignment = alignment;
    b.info(v).interleaved = inter;
    if (life.written == 0 && life.read == kSteps - 1 && below(3) == 0)
      b.info(v).constant = true;
    lives.emplace_back(v, life);
  }
  for (std::uint32_t s = 0; s < kSteps; ++s) {
    std::vector<popscope::testing::AccessSpec> accesses;
    for (const auto &entry : lives) {
      if (entry.second.written == s && !b.info(entry.first).constant)
        accesses.push_back(b.write(entry.first));
      if (entry.second.read == s)
        accesses.push_back(b.read(entry.first));
    }
    b.step(accesses);
  }
  out.program = b.finish();
  out.atOnce = *std::max_element(at.begin(), at.end());
  return out;
}

struct Outcome {
  std::uint64_t over = 0;
  std::vector<std::string> findings;
};
/// Returns the same tile without interleaved memory.
Case withoutDemands(Case c) {
  for (StepVar &var : c.program.vars.raw())
    var.interleaved = false;
  return c;
}
Outcome place(const Case &c, const TileMachine &machine) {
  const LiveRanges ranges = analyseLiveness(c.program);
  const LayoutResult layout = placeAllocations(c.program, ranges, machine, {});
  Outcome out;
  std::uint64_t highest = 0;
  for (const Allocation &a : layout.allocations)
    highest = std::max(highest, a.end());
  out.over = highest > machine.bytesPerTile ? highest - machine.bytesPerTile : 0;
  out.findings = checkLayout(c.program, ranges, layout, machine);
  return out;
}

TileMachine machineOf(std::uint32_t round) {
  TileMachine m = loadTileMachine(round % 2 == 0 ? "ipu1" : "ipu2");
  m.tilesPerIpu = 1;
  return m;
}

} // namespace

TEST_SUITE("liveness.fullTiles") {
  TEST_CASE("what lives together and asks for nothing is over by what it has more than the tile, and no more") {
    constexpr Kind kinds[] = {{"plain", false, false, false, 0.97},
                              {"odd sizes", false, false, true, 0.97},
                              {"over", false, false, true, 1.3},
                              {"interleaved too", false, true, false, 0.97},
                              {"interleaved, over", false, true, true, 1.2}};
    std::size_t full = 0;
    for (const Kind &kind : kinds)
      for (std::uint32_t seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        const TileMachine machine = machineOf(seed);
        const Case c = randomCase(random, machine, kind);
        const Outcome outcome = place(c, machine);
        INFO(std::string(kind.name), ", seed ", seed, ", ", c.program.vars.size(), " variables, ", c.atOnce, " of ",
             machine.bytesPerTile, " bytes at once");
        CHECK(outcome.over <= (c.atOnce > machine.bytesPerTile ? c.atOnce - machine.bytesPerTile : 0));
        for (const std::string &finding : outcome.findings)
          FAIL_CHECK(finding);
        full += c.atOnce > machine.bytesPerTile - machine.dataStartOffset ? 1 : 0;
      }
    CHECK(full > 100); // otherwise the test proves little
  }

  TEST_CASE(
      "a tile that is under 97 % full at its worst step fits, whatever lives when; else its demands are the cause") {
    constexpr Kind kinds[] = {{"lives", true, false, false, 0.97},
                              {"lives, odd sizes", true, false, true, 0.97},
                              {"lives, some interleaved", true, true, true, 0.97}};
    std::size_t full = 0, byDemand = 0;
    for (const Kind &kind : kinds)
      for (std::uint32_t seed = 0; seed < 100; ++seed) {
        std::mt19937 random(seed);
        const TileMachine machine = machineOf(seed);
        const Case c = randomCase(random, machine, kind);
        const Outcome outcome = place(c, machine);
        INFO(std::string(kind.name), ", seed ", seed, ", ", c.program.vars.size(), " variables, ", c.atOnce, " of ",
             machine.bytesPerTile, " bytes at once");
        if (outcome.over > 0 && kind.interleaved) {
          CHECK(place(withoutDemands(c), machine).over == 0);
          ++byDemand;
        } else {
          CHECK(outcome.over == 0);
        }
        for (const std::string &finding : outcome.findings)
          FAIL_CHECK(finding);
        full += c.atOnce > machine.bytesPerTile * 9 / 10 ? 1 : 0;
      }
    CHECK(full > 50);
    CHECK(byDemand <= 3); // of 100
  }
}
