// InsertBlocks: which blocks are recorded, and where implicit blocks and flushes are inserted.
#include "graph/steps/BlockTiles.hpp"
#include "tests/unit/lowering/GraphFixture.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;

namespace {

struct BlockFixture : GraphFixture {
  BlockFixture() {
    const int move = moveCodelet();
    const GraphVarId a = onTile("a", 4, 0), b = onTile("b", 4, 0);
    for (ComputeSetId *cs : {&first, &second}) {
      *cs = computeSet(cs == &first ? "first" : "second");
      vertex(*cs, move, 0, {{0, all(a)}, {1, all(b)}});
    }
  }
  static ProgramPtr block(const std::string &name, ProgramPtr body) {
    return node(ProgramKind::Block, name, {std::move(body)});
  }
  static ProgramPtr repeat(std::uint32_t count, ProgramPtr body) {
    auto n = node(ProgramKind::Repeat, "", {std::move(body)});
    n->arguments = RepeatArguments{count};
    return n;
  }
  ProgramPtr call(FunctionId f) const {
    auto n = node(ProgramKind::Call, "", {});
    n->arguments = CallArguments{f};
    return n;
  }
  LoweringOptions options(const std::string &blocks, const std::string &programs = "") const {
    LoweringOptions o;
    o.blocks.blocksFilter = blocks;
    o.blocks.programsFilter = programs;
    return o;
  }
  ComputeSetId first, second;
};

// Returns the kinds of a subtree: "Block*(OnTileExecute) Flush". `*` = recorded; the middle of a flush represents it.
std::string shape(const StepProgram &p, StepIndex s) {
  const Step &step = p.steps[s];
  std::string text;
  if (step.kind == StepKind::StreamCopyBegin || step.kind == StepKind::StreamCopyEnd)
    return "";
  if (step.kind == StepKind::StreamCopyMid)
    return p.streamCopies[step.payload].engine == StreamCopyStep::Engine::BlockFlush ? "Flush" : "Copy";
  if (step.kind == StepKind::OnTileExecute)
    return p.names[step.name];
  if (step.kind == StepKind::Call)
    return "Call";
  if (step.kind == StepKind::Block)
    text = p.names[step.name] + (p.blocks[step.payload].recorded ? "*" : "");
  else if (step.kind == StepKind::Sequence)
    text = "S";
  else
    text = step.kind == StepKind::Repeat ? "R" : stepKindName(step.kind);
  std::string inner;
  for (std::uint32_t c = s.index() + 1; c < step.end; c = p.steps[StepIndex(c)].end)
    if (const std::string child = shape(p, StepIndex(c)); !child.empty())
      inner += (inner.empty() ? "" : " ") + child;
  return inner.empty() ? text : text + "(" + inner + ")";
}
std::string userShape(const StepProgram &p) { return shape(p, p.programs[0].root); }

} // namespace

TEST_SUITE("lowering.blocks") {

  TEST_CASE("without a filter nothing is recorded and nothing added") {
    BlockFixture f;
    const StepProgram p = f.lower({f.sequence({f.block("x", f.execute(f.first))})});
    CHECK(userShape(p) == "S(x(first))");
    CHECK_FALSE(p.blockProfile.on);
    CHECK(p.storage.empty());
    CHECK(p.programs.size() == 1);
  }

  TEST_CASE("a filter takes whole names; the profile has a tile of each IPU and a program that reads the buffers") {
    BlockFixture f;
    f.graph.machine = loweringMachine(4, 2);
    const ProgramPtr program = f.sequence(
        {f.block("x1", f.execute(f.first)), f.block("y", f.execute(f.second)), f.block("ax1", f.execute(f.second))});
    LoweringOptions options = f.options("x.");
    options.blocks.tile = 3;
    const StepProgram p = f.lower({program}, options);
    CHECK(userShape(p) == "S(x1*(first) y(second) ax1(second))");
    CHECK(p.blockProfile.tiles == std::vector<TileId>{TileId(3), TileId(7)});
    REQUIRE(p.programs.size() == 2);
    CHECK(p.programs[1].kind == EngineProgram::Kind::ReadBlocks);
    CHECK(shape(p, p.programs[1].root) == "S(Flush)");
  }

  TEST_CASE("a block is recorded on the IPUs that work in it, also through calls; where none does, on all") {
    BlockFixture f;
    f.graph.machine = loweringMachine(4, 2);
    f.graph.functions.push({f.sequence({f.execute(f.first)}), "f"}); // on tile 0
    const GraphVarId far = f.onTile("far", 4, 6), there = f.onTile("there", 4, 5);
    const StepProgram p =
        f.lower({f.sequence({f.block("x", f.call(FunctionId(0))), f.block("x", f.copy(f.all(far), f.all(there))),
                             f.block("x", f.sequence({})), f.block("y", f.execute(f.first))})},
                f.options("x"));
    const auto tiles = blockTiles(p);
    REQUIRE(tiles.size() == 4);
    CHECK(tiles[0] == std::vector<TileId>{TileId(0)});
    CHECK(tiles[1] == std::vector<TileId>{TileId(4)});
    CHECK(tiles[2] == p.blockProfile.tiles);
    CHECK(tiles[3].empty());
  }

  TEST_CASE("a recorded block has code for its two edges on its tiles, unless no tile has a buffer") {
    BlockFixture f;
    const ProgramPtr program = f.sequence({f.block("x", f.execute(f.first)), f.block("y", f.execute(f.second))});
    for (const bool buffered : {true, false}) {
      LoweringOptions options = f.options("x");
      options.blocks.buffered = buffered;
      const StepProgram p = f.lower({program}, options);
      std::vector<std::uint32_t> rows; // per block
      for (const Step &step : p.steps)
        if (step.kind == StepKind::Block) {
          rows.push_back(step.controlCode.numRows);
          for (std::uint32_t r = step.controlCode.firstRow; r < step.controlCode.firstRow + rows.back(); ++r) {
            CHECK(p.tileCode[r].tile == TileId(0));
            CHECK(p.tileCode[r].bytes.count() == 2 * 10 * 4); // blockEdgeInstr is 10
          }
        }
      CHECK(rows == (buffered ? std::vector<std::uint32_t>{1, 0} : std::vector<std::uint32_t>{0, 0}));
    }
  }

  TEST_CASE("a program gets an implicit block around it; a sequence takes it inside") {
    BlockFixture f;
    const ProgramPtr program = f.sequence({f.execute(f.first), f.sequence({f.execute(f.second)}, "stage")}, "all");
    CHECK(userShape(f.lower({program}, f.options("", "first|stage"))) == "S(first*(first) S(stage*(second)))");
    CHECK(userShape(f.lower({program}, f.options("", "all"))) == "S(all*(first S(second)))");
  }

  TEST_CASE("a body that records something itself ends with a flush, one within a recorded block does not") {
    BlockFixture f;
    const ProgramPtr x = f.block("x", f.execute(f.first)), other = f.execute(f.second);
    CHECK(userShape(f.lower({f.sequence({f.repeat(3, f.sequence({x}))})}, f.options("x"))) ==
          "S(R(S(x*(first) Flush)))");
    CHECK(userShape(f.lower({f.sequence({f.repeat(3, f.sequence({other}))})}, f.options("x"))) == "S(R(S(second)))");
    CHECK(userShape(f.lower({f.sequence({f.repeat(3, f.sequence({f.repeat(2, f.sequence({x})), other}))})},
                            f.options("x"))) == "S(R(S(R(S(x*(first) Flush)) second)))");
    CHECK(userShape(f.lower({f.sequence({f.block("out", f.repeat(3, f.sequence({x})))})}, f.options("out|x"))) ==
          "S(out*(R(S(x*(first)))))");
    LoweringOptions options = f.options("x");
    options.blocks.implicitFlush = false;
    CHECK(userShape(f.lower({f.sequence({f.repeat(3, f.sequence({x}))})}, options)) == "S(R(S(x*(first))))");
    options.blocks.buffered = false;
    options.blocks.implicitFlush = true;
    const StepProgram model = f.lower({f.sequence({f.repeat(3, f.sequence({x}))})}, options);
    CHECK(userShape(model) == "S(R(S(x*(first))))");
    CHECK(model.storage.empty());
    CHECK(model.programs.size() == 1);
  }

  TEST_CASE("a call records what its function records, and a function that is called within a block flushes nothing") {
    BlockFixture f;
    const auto lowerWith = [&](const ProgramPtr &program) {
      f.graph.functions = {};
      f.graph.functions.push({f.sequence({f.repeat(2, f.sequence({f.block("x", f.execute(f.first))}))}), "f"});
      return f.lower({program}, f.options("x|out"));
    };
    const FunctionId id(0);
    const StepProgram plain = lowerWith(f.sequence({f.repeat(3, f.sequence({f.call(id)}))}));
    CHECK(userShape(plain) == "S(R(S(Call Flush)))");
    CHECK(shape(plain, plain.functions[id].root) == "S(R(S(x*(first) Flush)))");
    const StepProgram within = lowerWith(f.sequence({f.block("out", f.call(id))}));
    CHECK(shape(within, within.functions[id].root) == "S(R(S(x*(first))))");
  }

  TEST_CASE("every buffer has its bytes, and the flush takes them all") {
    BlockFixture f;
    LoweringOptions options = f.options("x");
    options.blocks.bufferBytes = 100; // 5 records
    const StepProgram p = f.lower({f.sequence({f.repeat(3, f.sequence({f.block("x", f.execute(f.first))}))})}, options);
    CHECK(p.blockProfile.recordsPerTile == 5);
    std::uint64_t bytes = 0;
    for (const StepStorage &row : p.storage)
      bytes += row.category == StorageCategory::InstrumentationResults ? row.bytes.count() : 0;
    CHECK(bytes == 140);
    for (const StreamCopyStep &copy : p.streamCopies)
      if (copy.engine == StreamCopyStep::Engine::BlockFlush) {
        CHECK(copy.bytes.count() == 140);
        CHECK(copy.numTiles == 1);
      }
  }
}
