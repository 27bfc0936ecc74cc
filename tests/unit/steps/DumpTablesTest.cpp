#include "graph/steps/DumpTables.hpp"
#include "graph/steps/StepProgram.hpp"

#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("graph.steps.dump") {
  TEST_CASE("the dump of the tables names each with its rows, and adds up bytes") {
    StepProgram p;
    for (int i = 0; i < 3; ++i)
      p.vars.push({});
    for (int i = 0; i < 4; ++i)
      p.homes.push({VarId(0), TileId(0), 1});
    p.vertices.resize(5);
    p.copies.resize(6);
    p.messages.resize(7);
    p.transfers.resize(8);
    p.exchangeTiles.resize(2);
    p.exchangeTiles[0].codeBytes = Bytes32(12);
    p.exchangeTiles[1].codeBytes = Bytes32(30);
    p.apart.resize(9);
    p.sharedData = {{TileId(0), Bytes32(16), 0, 0}, {TileId(1), Bytes32(5), 0, 0}};
    p.storage = {{StepIndex(0), TileId(0), StorageCategory::ControlTable, Bytes32(8), 0},
                 {StepIndex(0), TileId(1), StorageCategory::InstrumentationResults, Bytes32(20), 0},
                 {StepIndex(1), TileId(0), StorageCategory::ControlTable, Bytes32(3), 0}};
    p.tileCode = {{TileId(0), Bytes32(100)}, {TileId(1), Bytes32(24)}};
    CHECK(dumpTables(p) == "tables\n"
                           "  variables 3\n"
                           "  homes 4\n"
                           "  vertices 5\n"
                           "  copies 6\n"
                           "  messages 7\n"
                           "  transfers 8\n"
                           "  exchange tiles 2, 42 B of code\n"
                           "  homes apart 9\n"
                           "  shared field data 2, 21 B\n"
                           "  storage of steps 3, 11 B of control tables, 20 B of counters\n"
                           "  control code rows 2, 124 B\n");
  }
}
