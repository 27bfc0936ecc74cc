#include "base/Check.hpp"
#include "graph/steps/StepProgram.hpp"
#include <doctest/doctest.h>

#include <functional>

using namespace popscope;

// Tables have millions of rows, so strong types must not enlarge them.
static_assert(sizeof(ExchangeTile) == 48 && sizeof(Message) == 20 && sizeof(CopyRun) == 24 && sizeof(StepVertex) == 32);
static_assert(sizeof(HostTile) == 24 && sizeof(TileCode) == 8 && sizeof(VertexFootprint) == 36);

namespace {

/// x[0,4) is on tile 0, [4,6) on tile 1; y[0,2) on tile 1. An exchange moves x[0,2) to y, and a copy vertex moves y to
/// x[4,6).
StepProgram smallProgram() {
  StepProgram p;
  p.numTiles = p.tilesPerIpu = 2;
  StepVar x, y;
  x.name = p.names.intern("x");
  x.elements = 6;
  x.numPieces = x.numHomes = 2;
  y.name = p.names.intern("y");
  y.elements = 2;
  y.firstPiece = y.firstHome = 2;
  y.numPieces = y.numHomes = 1;
  p.vars.push(x);
  p.vars.push(y);
  p.pieces = {{{0, 4}, HomeId(0), 0}, {{4, 6}, HomeId(1), 0}, {{0, 2}, HomeId(2), 0}};
  p.homes.push({VarId(0), TileId(0), 4});
  p.homes.push({VarId(0), TileId(1), 2});
  p.homes.push({VarId(1), TileId(1), 2});
  p.messages = {{HomeId(0), {}, HomeId(2), {}, Bytes32(8)}};
  p.exchanges = {{0, 1, 0, 0}};
  StepVertexType type;
  type.name = "poplar_rt::ShortMemcpy";
  p.vertexTypes.push(type);
  p.copyRuns = {{{}, HomeId(2), HomeId(1), {}, Bytes32(8)}};
  CopyVertex copy;
  copy.type = VertexTypeId(0);
  copy.tile = TileId(1);
  copy.numRuns = 1;
  copy.bytes = Bytes(8);
  p.copies = {copy};
  ExecuteStep execute;
  execute.numCopies = 1;
  p.executes = {execute};
  p.ranges = {{0, 2}, {0, 2}, {4, 6}, {0, 2}};
  p.accesses = {{VarId(0), AccessKind::Read, 0, 0, 1},
                {VarId(1), AccessKind::Write, 0, 1, 1},
                {VarId(0), AccessKind::Write, 0, 2, 1},
                {VarId(1), AccessKind::Read, 0, 3, 1}};
  Step sequence, exchange, run;
  sequence.end = 3;
  exchange.kind = StepKind::DoExchange;
  exchange.name = p.names.intern("move");
  exchange.end = 2;
  exchange.numAccesses = 2;
  run.kind = StepKind::OnTileExecute;
  run.end = 3;
  run.firstAccess = 2;
  run.numAccesses = 2;
  p.steps.push(sequence);
  p.steps.push(exchange);
  p.steps.push(run);
  return p;
}

/// Returns the message of verifySteps after `spoil`; "" if it finds nothing.
std::string faultAfter(const std::function<void(StepProgram &)> &spoil) {
  StepProgram p = smallProgram();
  spoil(p);
  try {
    verifySteps(p);
  } catch (const InternalError &e) {
    return e.what();
  }
  return "";
}
bool finds(const char *invariant, const std::function<void(StepProgram &)> &spoil) {
  return faultAfter(spoil).find(std::string(invariant) + ":") != std::string::npos;
}

} // namespace

TEST_SUITE("steps") {

  TEST_CASE("a program that holds all invariants passes") { CHECK_NOTHROW(verifySteps(smallProgram())); }

  TEST_CASE("the dump has one line per step") {
    CHECK(dumpSteps(smallProgram()) ==
          "0 Sequence\n"
          "  1 DoExchange: move; 1 message, 8 B; read x[0,2); write y[0,2)\n"
          "  2 OnTileExecute; poplar_rt::ShortMemcpy on tile 1: 1 run, 8 B; write x[4,6); read y[0,2)\n");
  }

  TEST_CASE("S1: trees that do not nest are found") {
    CHECK(finds("S1", [](StepProgram &p) { p.steps[StepIndex(1)].end = 3; }));                 // a leaf with a child
    CHECK(finds("S1", [](StepProgram &p) { p.steps[StepIndex(0)].end = 4; }));                 // beyond the table
    CHECK(finds("S1", [](StepProgram &p) { p.steps[StepIndex(0)].end = 2; }));                 // a step in no tree
    CHECK(finds("S1", [](StepProgram &p) { p.steps[StepIndex(0)].kind = StepKind::Repeat; })); // two children
  }

  TEST_CASE("S2: homes and pieces that do not fit are found") {
    CHECK(finds("S2", [](StepProgram &p) { p.homes[HomeId(1)].tile = TileId(0); }));
    CHECK(finds("S2", [](StepProgram &p) { p.homes[HomeId(1)].tile = TileId(2); }));
    CHECK(finds("S2", [](StepProgram &p) { p.pieces[1].elements = {3, 5}; }));
    CHECK(finds("S2", [](StepProgram &p) { p.homes[HomeId(2)].elements = 3; }));
    CHECK(finds("S2", [](StepProgram &p) { p.pieces[2].home = HomeId(0); }));
  }

  TEST_CASE("S2: several tiles may hold the same elements of a constant, and of nothing else") {
    const auto twice = [](StepProgram &p) { // y[0,2) is on tile 0, too
      p.homes.push({VarId(1), TileId(1), 2});
      p.homes[HomeId(2)].tile = TileId(0);
      p.pieces.push_back({{0, 2}, HomeId(3), 0});
      p.vars[VarId(1)].numPieces = p.vars[VarId(1)].numHomes = 2;
      p.copyRuns[0].src = HomeId(3);
      p.messages[0] = {HomeId(1), {}, HomeId(2), {}, Bytes32(8)};
      p.ranges[0] = {4, 6};
    };
    CHECK(finds("S2", twice));
    const auto constant = [&](StepProgram &p) {
      twice(p);
      p.vars[VarId(1)].constant = true;
    };
    CHECK(faultAfter(constant) == "");
    CHECK(finds("S2", [&](StepProgram &p) {
      constant(p);
      std::swap(p.pieces[2], p.pieces[3]);
    }));
  }

  TEST_CASE("S4: a fill needs a value, and reads nothing") {
    const auto fill = [](StepProgram &p) {
      p.copyRuns[0].src = HomeId();
      p.data.resize(4);
      p.steps[StepIndex(2)].numAccesses = 1;
    };
    CHECK(faultAfter(fill) == "");
    CHECK(finds("S4", [&](StepProgram &p) {
      fill(p);
      p.data.resize(3);
    }));
  }

  TEST_CASE("S3: an access of a source that does not exist is found") {
    const auto merged = [](StepProgram &p) {
      p.sources.push({p.names.intern("a"), ComputeSetId()});
      p.sources.push({p.names.intern("b"), ComputeSetId()});
      p.steps[StepIndex(1)].source = SourceId(0);
      p.accesses[1].member = 1;
    };
    CHECK(faultAfter(merged) == "");
    CHECK(finds("S3", [&](StepProgram &p) {
      merged(p);
      p.accesses[1].member = 2;
    }));
    CHECK(finds("S3", [](StepProgram &p) { p.accesses[1].member = 1; })); // of a step without a source
  }

  TEST_CASE("S3: ranges outside the variable, empty or out of order are found") {
    CHECK(finds("S3", [](StepProgram &p) { p.ranges[1] = {0, 3}; }));
    CHECK(finds("S3", [](StepProgram &p) { p.ranges[0] = {2, 2}; }));
    CHECK(finds("S3", [](StepProgram &p) { p.accesses[0].numRanges = 0; }));
  }

  TEST_CASE("S4: operands outside their home or on another tile are found") {
    CHECK(finds("S4", [](StepProgram &p) { p.messages[0].dstOffset = Bytes32(4); }));
    CHECK(finds("S4", [](StepProgram &p) { p.messages[0].srcOffset = Bytes32(2); }));
    CHECK(finds("S4", [](StepProgram &p) { p.copies[0].tile = TileId(0); }));
    CHECK(finds("S4", [](StepProgram &p) { p.copies[0].bytes = Bytes(4); }));
    CHECK(finds("S4", [](StepProgram &p) { p.messages[0].src = HomeId(1); }));
  }

  TEST_CASE("S5: vertices out of order are found") {
    CHECK(finds("S5", [](StepProgram &p) {
      StepVertex a, b;
      a.tile = TileId(1);
      b.tile = TileId(0);
      b.id = 1;
      p.forms.emplace_back();
      p.vertices = {a, b};
      p.executes[0].numVertices = 2;
    }));
  }

  TEST_CASE("S6: accesses that the operands do not make are found") {
    CHECK(finds("S6", [](StepProgram &p) { p.ranges[0] = {0, 3}; }));
    CHECK(finds("S6", [](StepProgram &p) { p.accesses[1].kind = AccessKind::Undef; }));
    CHECK(finds("S6", [](StepProgram &p) { p.steps[StepIndex(2)].numAccesses = 1; }));
    CHECK(finds("S6", [](StepProgram &p) { p.messages[0].srcOffset = Bytes32(4); }));
  }
}
