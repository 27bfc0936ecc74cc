// BlockRecorder: which records buffers keep and lose, and in which order the records reach the host.
#include "instrument/counters/BlockRecorder.hpp"
#include "base/Check.hpp"
#include "tests/unit/instrument/ProgramBuilder.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace popscope;
using namespace popscope::test;

namespace {

// Blocks 1 and 2 and the middle of a flush (3) on tile 0; the test sends events by hand.
struct Recording : ProfileSink {
  ProgramBuilder b{1};
  StepIndex outer, inner, flush;
  std::string records;
  Cycles clock;
  std::unique_ptr<BlockRecorder> recorder;

  explicit Recording(std::uint32_t room) {
    b.program.blocks = {{true, false}, {true, false}};
    outer = b.open(StepKind::Block, "outer", 0);
    inner = b.add(StepKind::Block, "inner", 1);
    b.close();
    StreamCopyStep copy;
    copy.engine = StreamCopyStep::Engine::BlockFlush;
    copy.numTiles = 1;
    copy.firstTile = static_cast<std::uint32_t>(b.program.hostTiles.size());
    b.program.hostTiles.push_back({TileId(0), Bytes(1), {}, {}});
    b.program.streamCopies.push_back(copy);
    flush = b.add(StepKind::StreamCopyMid, "BlockFlush", static_cast<std::uint32_t>(b.program.streamCopies.size() - 1));
    b.finishRoot();
    b.program.blockProfile = {true, false, room, {TileId(0)}, {TileId(0)}};
    recorder = std::make_unique<BlockRecorder>(b.program, std::vector<std::vector<TileId>>(2, {TileId(0)}));
    start(0);
  }
  void start(std::uint64_t run) {
    clock = {};
    recorder->attach(run, nullptr, *this);
    recorder->beginRun(0, "");
  }
  // Sends one cycle of recording, then ten cycles of other work.
  void tell(StepIndex step, BlockEdge edge) {
    const Cycles before = clock, after = clock + Cycles(1);
    StepEvent event;
    event.step = step;
    event.edge = edge;
    event.begin = std::span(&before, 1);
    event.end = std::span(&after, 1);
    recorder->step(event);
    clock += Cycles(11);
  }
  void block(StepIndex step) {
    tell(step, BlockEdge::Begin);
    tell(step, BlockEdge::End);
  }
  void end() { recorder->endRun(std::span(&clock, 1)); }

  void compilation(const CompilationRecord &) override {}
  void beginRun(const RunRecord &) override {}
  void step(const StepRecord &) override {}
  void endRun(const RunTotals &, std::optional<double>) override {}
  void resetExecution() override {}
  void blocks(const std::vector<BlockRecord> &rows) override {
    for (const BlockRecord &r : rows)
      records += (r.kind == BlockRecord::Kind::Overflow ? "lost " : "") +
                 b.program.names[b.program.steps[StepIndex(r.program)].name] + "[" + std::to_string(r.from.count()) +
                 "," + (r.to ? std::to_string(r.to->count()) : "?") + ")" + std::to_string(r.run) + " ";
  }
};

} // namespace

TEST_SUITE("instrument.blocks") {

  TEST_CASE("a block lasts from after its begin to before its end; an outer one comes first") {
    Recording r(4);
    r.tell(r.outer, BlockEdge::Begin);
    r.block(r.inner);
    r.tell(r.outer, BlockEdge::End);
    CHECK(r.records.empty()); // still in the buffer
    r.end();
    CHECK(r.records == "outer[1,33)0 inner[12,22)0 ");
  }

  TEST_CASE("what does not fit is one overflow, and a flush makes room") {
    Recording r(2);
    for (int i = 0; i < 4; ++i)
      r.block(r.inner);
    r.tell(r.flush, BlockEdge::None);
    CHECK(r.records == "inner[1,11)0 inner[23,33)0 lost inner[45,77)0 ");
    r.records.clear();
    r.block(r.inner);
    r.end();
    CHECK(r.records == "inner[100,110)0 ");
  }

  TEST_CASE("an outer block that is in the buffer ends there, though those in it were lost") {
    Recording r(1);
    r.tell(r.outer, BlockEdge::Begin);
    r.block(r.inner);
    r.tell(r.outer, BlockEdge::End);
    r.end();
    CHECK(r.records == "outer[1,33)0 lost inner[12,22)0 ");
  }

  TEST_CASE("without buffers nothing is lost; time goes on from run to run") {
    Recording r(0);
    for (int i = 0; i < 3; ++i)
      r.block(r.inner);
    r.end();
    const std::string first = r.records;
    r.records.clear();
    r.start(7);
    r.block(r.inner);
    r.end();
    CHECK(first == "inner[1,11)0 inner[23,33)0 inner[45,55)0 ");
    CHECK(r.records == "inner[67,77)7 ");
    CHECK(r.recorder->runCycles().count() == 22);
  }

  TEST_CASE("a run that is cut leaves its open blocks without an end") {
    Recording r(4);
    r.tell(r.outer, BlockEdge::Begin);
    r.block(r.inner);
    r.recorder->cutRun();
    CHECK(r.records == "outer[1,?)0 inner[12,22)0 ");
  }

  TEST_CASE("a flush within an open block is a fault, and is found") {
    Recording r(4);
    r.tell(r.outer, BlockEdge::Begin);
    CHECK_THROWS_WITH_AS(r.tell(r.flush, BlockEdge::None), doctest::Contains("while a block is open"), InternalError);
  }
}
