#include "GraphFixture.hpp"
#include <doctest/doctest.h>
#include <string>

using namespace popscope;

namespace {

std::shared_ptr<ProgramNode> controlled(ProgramKind kind, const View &control, std::vector<ProgramPtr> children) {
  auto p = GraphFixture::node(kind, "c", std::move(children));
  p->a = control;
  return p;
}

ProgramPtr undef(const View &view) {
  auto p = GraphFixture::node(ProgramKind::WriteUndef, "");
  p->a = view;
  return p;
}

} // namespace

TEST_SUITE("lowering.control") {

  TEST_CASE("If sends its predicate to every other tile and has two Sequences") {
    GraphFixture f(3);
    const auto pred = f.onTile("pred", 1, 1, ElementType::Bool), x = f.onTile("x", 2, 0);
    const StepProgram p = f.lower({controlled(ProgramKind::If, f.all(pred), {undef(f.all(x)), nullptr})});
    CHECK(
        dumpSteps(p) ==
        "0 Sequence\n"
        "  1 Sync #0 internal\n"
        "  2 DoExchange: c/ControlBroadcast/ExchangePre #0; 2 messages, 2 B; read pred[0,1); write broadcastPred[0,2)\n"
        "  3 If: c on pred@1+0; read pred[0,1); read broadcastPred[0,2)\n"
        "    4 Sequence\n"
        "      5 WriteUndef; undef x[0,2)\n"
        "    6 Sequence\n");
    CHECK(p.vars[VarId(2)].category == StorageCategory::ControlId);
    CHECK(p.vars[VarId(2)].numHomes == 2);
  }

  TEST_CASE("a machine of one tile needs no broadcast") {
    GraphFixture f(1);
    const auto pred = f.onTile("pred", 1, 0, ElementType::Bool);
    CHECK(f.dump({controlled(ProgramKind::If, f.all(pred), {})}) == "0 Sequence\n"
                                                                    "  1 If: c on pred@0+0; read pred[0,1)\n"
                                                                    "    2 Sequence\n"
                                                                    "    3 Sequence\n");
  }

  TEST_CASE("words for tiles of another IPU travel in a global exchange") {
    GraphFixture f(2, 2);
    const auto pred = f.onTile("pred", 1, 0, ElementType::Bool);
    const std::string dump = f.dump({controlled(ProgramKind::If, f.all(pred), {})});
    CHECK(contains(dump, "1 Sync #0 global\n"));
    CHECK(contains(dump, "2 GlobalExchange: c/ControlBroadcast/GlobalExchangePre #0; 2 messages, 2 B"));
    CHECK(contains(dump, "4 DoExchange: c/ControlBroadcast/ExchangePre #0; 1 message, 1 B"));
  }

  TEST_CASE("RepeatWhileTrue has a condition that ends with the broadcast and the test, and a body") {
    GraphFixture f(2);
    const auto pred = f.onTile("pred", 1, 0, ElementType::Bool), x = f.onTile("x", 1, 0);
    const auto loop = controlled(ProgramKind::RepeatWhileTrue, f.all(pred), {undef(f.all(pred)), undef(f.all(x))});
    CHECK(f.dump({loop}) ==
          "0 Sequence\n"
          "  1 RepeatWhile: c\n"
          "    2 Sequence\n"
          "      3 WriteUndef; undef pred[0,1)\n"
          "      4 Sync #0 internal\n"
          "      5 DoExchange: c/ControlBroadcast/ExchangePre #0; 1 message, 1 B; read pred[0,1); write "
          "broadcastPred[0,1)\n"
          "      6 WhileTest: c on pred@0+0, goes on if true; read pred[0,1); read broadcastPred[0,1)\n"
          "    7 Sequence\n"
          "      8 WriteUndef; undef x[0,1)\n");
    loop->kind = ProgramKind::RepeatWhileFalse;
    CHECK(contains(f.dump({loop}), "goes on if false"));
  }

  TEST_CASE("Switch keeps its labels; the default comes last") {
    GraphFixture f(1);
    const auto control = f.onTile("control", 1, 0, ElementType::Int);
    auto p = controlled(ProgramKind::Switch, f.all(control), {nullptr, nullptr, nullptr});
    p->arguments = SwitchArguments{{7, -3}, true};
    CHECK(f.dump({p}) == "0 Sequence\n"
                         "  1 Switch: c on control@0+0 [7 -3]; read control[0,1)\n"
                         "    2 Sequence\n"
                         "    3 Sequence\n"
                         "    4 Sequence\n");
  }

  TEST_CASE("Repeat, Call, Sync, Abort and PrintTensor have their steps; a function has its own tree") {
    GraphFixture f(1);
    const auto x = f.onTile("x", 2, 0);
    f.graph.functions.push({undef(f.all(x)), "unused"});
    f.graph.functions.push({undef(f.all(x)), "clear"});
    auto call = GraphFixture::node(ProgramKind::Call, "call");
    call->arguments = CallArguments{FunctionId(1)};
    auto repeat = GraphFixture::node(ProgramKind::Repeat, "loop", {call});
    repeat->arguments = RepeatArguments{3};
    auto sync = GraphFixture::node(ProgramKind::Sync, "");
    sync->arguments = SyncArguments{0};
    auto abort = GraphFixture::node(ProgramKind::Abort, "");
    abort->arguments = TextArguments{"stop"};
    auto print = GraphFixture::node(ProgramKind::PrintTensor, "");
    print->a = f.all(x);
    print->arguments = TextArguments{"title"};
    const StepProgram p = f.lower({GraphFixture::sequence({repeat, call, sync, print, abort})});
    CHECK(dumpSteps(p) == "0 Sequence\n"
                          "  1 Repeat: loop (count 3)\n"
                          "    2 Sequence\n"
                          "      3 Call: call function 0\n"
                          "  4 Call: call function 0\n"
                          "  5 Sync external\n"
                          "  6 PrintTensor: title; read x[0,2)\n"
                          "  7 Abort \"stop\"\n"
                          "8 Sequence\n"
                          "  9 WriteUndef; undef x[0,2)\n");
    REQUIRE(p.functions.size() == 1);
    CHECK(p.functions[FunctionId(0)].root == StepIndex(8));
  }

  TEST_CASE("reads and writes of tile registers have a payload each, with what they touch") {
    GraphFixture f(2);
    const auto count = f.onTile("count", 2, 1, ElementType::UnsignedInt);
    auto read = GraphFixture::node(ProgramKind::ReadTileRegister, "read");
    read->b = f.all(count);
    auto write = GraphFixture::node(ProgramKind::WriteTileRegister, "write");
    TileRegisterArguments bits;
    bits.setBits = 4;
    bits.tiles = {TileId(0)};
    write->arguments = bits;
    const StepProgram p = f.lower({GraphFixture::sequence({read, write})});
    REQUIRE(p.tileRegisters.size() == 2);
    std::vector<std::uint32_t> payloads;
    for (const Step &step : p.steps)
      if (step.kind == StepKind::TileRegister)
        payloads.push_back(step.payload);
    CHECK(payloads == std::vector<std::uint32_t>{0, 1});
    CHECK_FALSE(p.tileRegisters[0].write);
    REQUIRE(p.tileRegisters[0].pieces.size() == 1);
    CHECK(p.homes[p.tileRegisters[0].pieces[0].home].tile == TileId(1));
    CHECK(p.tileRegisters[1].write);
    CHECK(p.tileRegisters[1].setBits == 4);
    CHECK(p.tileRegisters[1].tiles == std::vector<TileId>{TileId(0)});
  }

  TEST_CASE("AbortOnCondition goes on while its predicate is false and carries its text") {
    GraphFixture f(1);
    const auto bad = f.onTile("bad", 1, 0, ElementType::Bool);
    auto p = controlled(ProgramKind::AbortOnCondition, f.all(bad), {});
    p->arguments = TextArguments{"went wrong"};
    const StepProgram s = f.lower({p});
    CHECK(contains(dumpSteps(s), "1 AbortOnCondition: c on bad@0+0, goes on if false; read bad[0,1)"));
    CHECK(s.messagesText.at(static_cast<std::size_t>(s.tests.at(0).text)).text == "went wrong");
  }

  TEST_CASE("control code: every tile has the branch, active tiles have their launches") {
    GraphFixture f(3);
    const auto pred = f.onTile("pred", 1, 1, ElementType::Bool), x = f.onTile("x", 4, 0);
    const auto cs = f.computeSet("cs");
    const int set = f.codelet("Set", {f.edge("out", FieldDirection::Output)});
    f.vertex(cs, set, 0, {{0, f.slice(x, 0, 2)}});
    f.vertex(cs, set, 0, {{0, f.slice(x, 2, 4)}});
    const StepProgram p = f.lower({controlled(ProgramKind::If, f.all(pred), {f.execute(cs), nullptr})});
    // Steps: 0 Sequence, 1 Sync, 2 DoExchange, 3 If, 4 Sequence, 5 OnTileExecute, 6 Sequence.
    CHECK(p.steps[StepIndex(1)].controlCode.everyTile.count() == 4);
    CHECK(p.steps[StepIndex(2)].controlCode.everyTile.count() == 8);
    CHECK(p.steps[StepIndex(2)].controlCode.numRows == 3);
    CHECK(p.tileCode[p.steps[StepIndex(2)].controlCode.firstRow].bytes.count() == 5 * 4); // 7 instructions instead of 2
    CHECK(p.steps[StepIndex(3)].controlCode.everyTile.count() == 16);
    REQUIRE(p.steps[StepIndex(5)].controlCode.numRows == 1);
    CHECK(p.tileCode[p.steps[StepIndex(5)].controlCode.firstRow].bytes.count() == (5 + 2 * 3) * 4);
  }

  TEST_CASE("control code: compute sets with as many vertices on each tile have the same rows") {
    GraphFixture f(3);
    const int set = f.codelet("Set", {f.edge("out", FieldDirection::Output)});
    std::vector<ProgramPtr> sequence;
    for (const std::vector<std::uint32_t> &tiles :
         {std::vector<std::uint32_t>{0, 1, 1}, {0, 1, 1}, {0, 0, 1}, {0, 1}}) {
      const auto cs = f.computeSet("cs" + std::to_string(sequence.size()));
      for (const std::uint32_t tile : tiles)
        f.vertex(cs, set, tile, {{0, f.all(f.onTile("x" + std::to_string(f.graph.vertices.size()), 1, tile))}});
      sequence.push_back(f.execute(cs));
    }
    const StepProgram p = f.lower({GraphFixture::sequence(sequence)});
    std::vector<CodeBytes> rows;
    for (const Step &step : p.steps)
      if (step.kind == StepKind::OnTileExecute)
        rows.push_back(step.controlCode);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].firstRow == rows[1].firstRow);
    CHECK(rows[0].numRows == rows[1].numRows);
    CHECK(rows[2].firstRow != rows[0].firstRow);
    CHECK(rows[3].firstRow != rows[0].firstRow);
    const auto bytesOf = [&](const CodeBytes &code) {
      std::vector<std::uint64_t> bytes;
      for (std::uint32_t r = code.firstRow; r < code.firstRow + code.numRows; ++r)
        bytes.push_back(p.tileCode[r].bytes.count());
      return bytes;
    };
    CHECK(bytesOf(rows[0]) == std::vector<std::uint64_t>{(5 + 3) * 4, (5 + 2 * 3) * 4});
    CHECK(bytesOf(rows[2]) == std::vector<std::uint64_t>{(5 + 2 * 3) * 4, (5 + 3) * 4});
    CHECK(bytesOf(rows[3]) == std::vector<std::uint64_t>{(5 + 3) * 4, (5 + 3) * 4});
  }

  TEST_CASE(
      "counters: each step of a host copy has one on each of its tiles, a loop and a branch have theirs on one tile") {
    GraphFixture f(3);
    f.graph.machine.instrument.counterBytes = 4;
    f.graph.machine.instrument.countInstr = 5;
    f.graph.machine.instrument.pathInstr = 2;
    const auto pred = f.onTile("pred", 1, 0, ElementType::Bool);
    const auto x = f.var("x", 4, {{0, 2, TileId(0)}, {2, 4, TileId(1)}});
    GraphStream in;
    in.handle = "in";
    in.kind = GraphStream::Kind::HostToDevice;
    in.elements = 4;
    auto io = GraphFixture::node(ProgramKind::StreamToTensor, "io");
    io->arguments = HostCopyArguments{f.graph.streams.push(in)};
    io->b = f.all(x);
    auto repeat = GraphFixture::node(ProgramKind::Repeat, "loop", {undef(f.all(x))});
    repeat->arguments = RepeatArguments{3};
    const ProgramPtr program =
        GraphFixture::sequence({io, repeat, controlled(ProgramKind::If, f.all(pred), {nullptr, nullptr})});
    LoweringOptions options;
    options.externalExchangeCounters = true;
    options.controlFlowCounters = true;
    const StepProgram p = f.lower({program}, options);
    std::string rows;
    for (const StepStorage &row : p.storage)
      rows += std::string(stepKindName(p.steps[row.step].kind)) + " on tile " + std::to_string(row.tile.index()) +
              ": " + std::to_string(row.bytes.count()) + " B, " + std::to_string(row.instructions) + " instructions\n";
    CHECK(rows == "StreamCopyBegin on tile 0: 4 B, 5 instructions\n"
                  "StreamCopyBegin on tile 1: 4 B, 5 instructions\n"
                  "StreamCopyMid on tile 0: 4 B, 5 instructions\n"
                  "StreamCopyMid on tile 1: 4 B, 5 instructions\n"
                  "StreamCopyEnd on tile 0: 4 B, 5 instructions\n"
                  "StreamCopyEnd on tile 1: 4 B, 5 instructions\n"
                  "Repeat on tile 2: 4 B, 5 instructions\n"
                  "If on tile 2: 8 B, 7 instructions\n");
  }
}
