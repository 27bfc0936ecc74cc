// Compares checkRaces with a reference that examines every pair of elements.
#include "GraphFixture.hpp"
#include "graph/lowering/CheckGraph.hpp"

#include <poplar/exceptions.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace popscope;

namespace {

struct Use {
  std::uint32_t vertex, var;
  std::uint64_t element;
  bool write;
};

std::vector<Use> usesOf(const GraphIr &g, ComputeSetId cs) {
  std::vector<Use> uses;
  for (const VertexId v : g.computeSets[cs].vertices)
    for (const GraphEdge &edge : g.vertices[v].edges()) {
      const bool write = g.codelets.at(g.vertices[v].codelet).fields[edge.field].direction != FieldDirection::Input;
      for (const ViewRun &run : edge.runs)
        for (std::uint64_t i = 0; i < run.count; ++i)
          uses.push_back({v.index(), run.var.index(),
                          run.begin + static_cast<std::uint64_t>(run.stride * static_cast<std::int64_t>(i)), write});
    }
  return uses;
}

/// Returns whether the set is refused; `flagged`: vertices that read and write one element through different fields.
bool isRefused(const GraphIr &g, ComputeSetId cs, std::vector<VertexId> &flagged) {
  const std::vector<Use> uses = usesOf(g, cs);
  for (std::size_t a = 0; a < uses.size(); ++a)
    for (std::size_t b = 0; b < uses.size(); ++b) {
      if (a == b || !uses[a].write || uses[a].var != uses[b].var || uses[a].element != uses[b].element)
        continue;
      if (uses[b].write || uses[a].vertex != uses[b].vertex)
        return true;
      flagged.push_back(VertexId(uses[a].vertex));
    }
  std::sort(flagged.begin(), flagged.end());
  flagged.erase(std::unique(flagged.begin(), flagged.end()), flagged.end());
  return false;
}

} // namespace

TEST_SUITE("lowering.races") {
  TEST_CASE("what is refused, and which vertices read what they write, as a look at every pair says") {
    unsigned refused = 0, passed = 0, separated = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
      CAPTURE(seed);
      std::mt19937 random(seed);
      GraphFixture f(2);
      // several pages, and a part of one
      const GraphVarId big = f.onTile("big", 9000, 0), small = f.onTile("small", 70, 1);
      const int codelet = f.codelet("Any", {GraphFixture::edge("in", FieldDirection::Input),
                                            GraphFixture::edge("out", FieldDirection::Output),
                                            GraphFixture::edge("both", FieldDirection::InOut)});
      const ComputeSetId cs = f.computeSet("cs");
      const auto view = [&](std::uint64_t first, std::uint64_t end) {
        const GraphVarId var = random() % 2 == 0 ? big : small;
        const std::uint64_t scale = var == big ? 128 : 1, begin = (first + random() % (end - first)) * scale;
        const std::uint64_t count = 1 + random() % 3;
        if (random() % 4 == 0)
          return f.strided(var, begin, random() % 2 == 0 ? 0 : 2, random() % 6 == 0 ? count : 1);
        return f.slice(var, begin, begin + (var == big && random() % 2 == 0 ? 100 : count));
      };
      for (std::uint32_t v = 0; v < 5; ++v) {
        std::vector<Connection> connections;
        if (random() % 3 != 0) {
          const View one = view(v * 10, v * 10 + 5);
          connections.push_back({1, random() % 4 == 0 ? GraphFixture::concat(one, view(v * 10, v * 10 + 5)) : one});
        }
        if (random() % 3 == 0)
          connections.push_back({2, view(v * 10 + 5, v * 10 + 8)});
        connections.insert(
            connections.begin(),
            {0, random() % 8 == 0 ? view(0, 50) : view(v * 10 + (random() % 6 == 0 ? 0 : 8), v * 10 + 10)});
        f.vertex(cs, codelet, 0, connections);
      }
      std::vector<VertexId> wanted;
      const bool refuse = isRefused(f.graph, cs, wanted);
      if (refuse) {
        ++refused;
        CHECK_THROWS_AS((void)checkRaces(f.graph, {cs}, {1}), poplar::poplar_error);
      } else {
        ++passed;
        separated += wanted.empty() ? 0 : 1;
        CHECK(checkRaces(f.graph, {cs}, {1}) == wanted);
      }
    }
    CHECK(refused > 50);
    CHECK(passed > 50);
    CHECK(separated > 10);
  }
}
