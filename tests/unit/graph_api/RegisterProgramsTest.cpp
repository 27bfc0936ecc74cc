// Programs on registers of tiles in the graph: which programs they add and which arguments they refuse. The engine
// tests cover their effect at run time.
#include "graph/api/GraphAccess.hpp"

#include <poplar/CSRFunctions.hpp>
#include <poplar/CycleCount.hpp>
#include <poplar/Graph.hpp>
#include <poplar/RandomSeed.hpp>

#include <doctest/doctest.h>

using namespace poplar;
using namespace poplar::program;
using popscope::ProgramKind;

namespace {
std::vector<ProgramKind> kindsOf(const Program &p) {
  std::vector<ProgramKind> kinds;
  for (const popscope::ProgramPtr &child : popscope::nodeOf(p)->children)
    kinds.push_back(child->kind);
  return kinds;
}
struct RegisterFixture {
  Graph graph{Target::createIPUTarget(1, 4, "ipu2")};
  Sequence prog;
};
} // namespace

TEST_SUITE("graph_api.registers") {

  TEST_CASE("cycleCount puts reads around the program and leaves the program in the middle") {
    RegisterFixture f;
    const Tensor x = f.graph.addVariable(FLOAT, {1}, "x");
    f.prog.add(WriteUndef(x));
    const Tensor cycles = cycleCount(f.graph, f.prog, 3, SyncType::EXTERNAL, "timer");
    CHECK(cycles.shape() == std::vector<std::size_t>{2});
    CHECK(cycles.elementType() == UNSIGNED_INT);
    CHECK(f.graph.getTileMapping(cycles)[3] == std::vector<Interval>{{0, 2}});
    CHECK(kindsOf(f.prog) == std::vector<ProgramKind>{ProgramKind::Sync, ProgramKind::ReadTileRegister,
                                                      ProgramKind::Sequence, ProgramKind::Sync,
                                                      ProgramKind::ReadTileRegister});
    CHECK(popscope::nodeOf(f.prog)->children[0]->as<popscope::SyncArguments>().type == 0);
  }

  TEST_CASE("cycleStamp makes one stamp a tile behind one sync, and none for a tile that does not exist") {
    RegisterFixture f;
    const std::vector<Tensor> stamps = cycleStamp(f.graph, f.prog, {0, 2}, SyncType::INTERNAL);
    REQUIRE(stamps.size() == 2);
    CHECK(f.graph.getTileMapping(stamps[1])[2] == std::vector<Interval>{{0, 2}});
    CHECK(kindsOf(f.prog) ==
          std::vector<ProgramKind>{ProgramKind::Sync, ProgramKind::ReadTileRegister, ProgramKind::ReadTileRegister});
    const Sequence before = f.prog;
    CHECK_THROWS_AS(cycleStamp(f.graph, f.prog, 4, SyncType::INTERNAL), invalid_tile_mapping);
    CHECK(f.prog == before);
  }

  TEST_CASE("seeds have one row per tile, and other shapes and types are refused") {
    RegisterFixture f;
    const Tensor seeds = getHwSeeds(f.graph, f.prog, "seeds");
    CHECK(seeds.shape() == std::vector<std::size_t>{4, f.graph.getTarget().getNumWorkerContexts(), 4});
    setHwSeeds(f.graph, seeds, f.prog);
    CHECK(kindsOf(f.prog) == std::vector<ProgramKind>{ProgramKind::ReadTileRegister, ProgramKind::WriteTileRegister});
    CHECK_THROWS_AS(setHwSeeds(f.graph, seeds.flatten(), f.prog), poplar_error);
    CHECK_THROWS_AS(setHwSeeds(f.graph, seeds.reinterpret(INT), f.prog), type_error);
    // Seeds on other tiles are first copied to their own tiles.
    const Tensor elsewhere = f.graph.addVariable(UNSIGNED_INT, seeds.shape(), "elsewhere");
    f.graph.setTileMapping(elsewhere, 0);
    Sequence more;
    setHwSeeds(f.graph, elsewhere, more);
    CHECK(kindsOf(more) == std::vector<ProgramKind>{ProgramKind::Copy, ProgramKind::WriteTileRegister});
  }

  TEST_CASE("floating-point behaviour becomes bits to clear and to set, on the graph's tiles only") {
    RegisterFixture f;
    const Target &target = f.graph.getTarget();
    setFloatingPointBehaviour(f.graph, f.prog, FloatingPointBehaviour(true, false, true, false, false));
    const auto change = popscope::nodeOf(f.prog)->children.back()->as<popscope::TileRegisterArguments>();
    CHECK(change.clearBits == target.makeFpIctlValue(true, true, true, true, true));
    CHECK(change.setBits == target.makeFpIctlValue(true, false, true, false, false));
    CHECK(change.tiles.empty());
    Graph part = f.graph.createVirtualGraph(1, 3);
    setStochasticRounding(part, f.prog, true);
    const auto esr = popscope::nodeOf(f.prog)->children.back()->as<popscope::TileRegisterArguments>();
    CHECK(esr.clearBits == target.makeFpIctlValue(false, false, false, true, false));
    CHECK(esr.setBits == esr.clearBits);
    CHECK(esr.tiles == std::vector<popscope::TileId>{popscope::TileId(1), popscope::TileId(2)});
    CHECK(!FloatingPointBehaviour() == FloatingPointBehaviour(false, false, false, false, false));
  }

  TEST_CASE("programs that set different bits are not equal") {
    RegisterFixture on, off;
    setStochasticRounding(on.graph, on.prog, true);
    setStochasticRounding(off.graph, off.prog, false);
    CHECK(on.prog != off.prog);
    CHECK(on.prog == Sequence(on.prog));
  }
}
