// Control flow follows the values in tile memory.
#include "TestClasses.hpp"

#include "base/Check.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

#include <optional>

using namespace popscope;
using namespace popscope::test;

namespace {

// An int that a compute set increments or decrements; tests read it by printing.
struct Counter {
  Counter(ProgramBuilder &builder, std::int32_t start) : b(builder) {
    home = b.ints("n", 0, {start});
    type = b.type("Decrement", classes().decrement);
  }
  void decrement() {
    b.execute("decrement");
    b.vertex(type, 0);
    b.edge(0, home, 0, 1, true, true);
  }
  ProgramBuilder &b;
  HomeId home;
  VertexTypeId type;
};

std::uint32_t addSwitch(ProgramBuilder &b, HomeId control, ElementType type, std::vector<std::int32_t> labels,
                        bool engineSwitch = false) {
  SwitchStep s;
  if (control.valid())
    s.control = {control, {}, Bytes(elementBytes(type))};
  s.type = type;
  s.labels = std::move(labels);
  s.engineSwitch = engineSwitch;
  b.program.switches.push_back(s);
  return static_cast<std::uint32_t>(b.program.switches.size() - 1);
}

std::vector<std::string> printed(ProgramBuilder &b, std::uint32_t index = 0) {
  Rig rig(b);
  rig.run(index);
  return rig.host.printed;
}

} // namespace

TEST_SUITE("instrument.control flow") {

  TEST_CASE("Repeat runs its body count times, a count of zero not at all") {
    for (const std::uint32_t count : {0U, 1U, 5U}) {
      ProgramBuilder b(1);
      Counter n(b, 100);
      b.program.repeats.push_back({count});
      b.open(StepKind::Repeat);
      b.open(StepKind::Sequence);
      n.decrement();
      b.close();
      b.close();
      show(b, "n", n.home);
      b.finishRoot();
      CHECK(printed(b).at(0) == "n[1] " + std::to_string(100 - count));
    }
  }

  TEST_CASE("the progress of a run: leaf steps, and their number before the run unless a value decides it") {
    enum class Part { None, Loop, EqualCases, OtherCases };
    for (const Part part : {Part::None, Part::Loop, Part::EqualCases, Part::OtherCases}) {
      ProgramBuilder b(1);
      Counter n(b, 2), m(b, 1);
      b.program.repeats.push_back({3});
      b.open(StepKind::Repeat); // 3 times 2 steps
      b.open(StepKind::Sequence);
      n.decrement();
      b.sync(SyncKind::Internal);
      b.close();
      b.close();
      if (part == Part::Loop) { // the test twice and the body once: 3 steps
        b.open(StepKind::RepeatWhile);
        b.open(StepKind::Sequence);
        b.test(StepKind::WhileTest, m.home, ElementType::Int, true);
        b.close();
        b.open(StepKind::Sequence);
        m.decrement();
        b.close();
        b.close();
      } else if (part != Part::None) { // case 1 has 1 step, the default 1 or 2
        b.open(StepKind::Switch, "", addSwitch(b, m.home, ElementType::Int, {1}));
        b.open(StepKind::Sequence);
        m.decrement();
        b.close();
        b.open(StepKind::Sequence);
        m.decrement();
        if (part == Part::OtherCases)
          m.decrement();
        b.close();
        b.close();
      }
      show(b, "n", n.home); // 1 step
      b.finishRoot();
      Rig rig(b);
      rig.run(0);
      const Machine::Progress progress = rig.machine.progress();
      const std::uint64_t inPart = part == Part::Loop ? 3 : part == Part::None ? 0 : 1;
      CHECK(progress.steps == 7 + inPart);
      const bool known = part == Part::None || part == Part::EqualCases;
      CHECK(progress.all == (known ? std::optional<std::uint64_t>(7 + inPart) : std::nullopt));
    }
  }

  TEST_CASE("RepeatWhile tests before the body: true keeps it going, or false where the step says so") {
    for (const bool continueOn : {true, false}) {
      CAPTURE(continueOn);
      ProgramBuilder b(1);
      Counter n(b, continueOn ? 3 : 0);
      const HomeId rounds = b.ints("rounds", 0, {0});
      const auto tick = b.type("Tick", classes().tick);
      b.open(StepKind::RepeatWhile);
      b.open(StepKind::Sequence);
      b.test(StepKind::WhileTest, n.home, ElementType::Int, continueOn);
      b.close();
      b.open(StepKind::Sequence);
      n.decrement();
      b.execute("tick");
      b.vertex(tick, 0);
      b.state<std::int32_t>(0, {0});
      b.edge(1, rounds, 0, 1, false, true);
      b.close();
      b.close();
      show(b, "rounds", rounds);
      show(b, "n", n.home);
      b.finishRoot();
      // From 3 while not 0: three iterations. From 0 while 0: one iteration, to -1.
      CHECK(printed(b) == (continueOn ? std::vector<std::string>{"rounds[1] 3", "n[1] 0"}
                                      : std::vector<std::string>{"rounds[1] 1", "n[1] -1"}));
    }
  }

  TEST_CASE("a loop in the body of a loop does not disturb the outer loop's test") {
    ProgramBuilder b(1);
    Counter outer(b, 2), inner(b, 3);
    const auto loop = [&](Counter &n, auto body) {
      b.open(StepKind::RepeatWhile);
      b.open(StepKind::Sequence);
      b.test(StepKind::WhileTest, n.home, ElementType::Int, true);
      b.close();
      b.open(StepKind::Sequence);
      n.decrement();
      body();
      b.close();
      b.close();
    };
    loop(outer, [&] {
      loop(inner, [] {});
      show(b, "outer", outer.home);
    });
    b.finishRoot();
    CHECK(printed(b) == std::vector<std::string>{"outer[1] 1", "outer[1] 0"});
  }

  TEST_CASE("a condition without a WhileTest is our bug") {
    ProgramBuilder b(1);
    b.open(StepKind::RepeatWhile);
    b.open(StepKind::Sequence);
    b.close();
    b.close();
    b.finishRoot();
    CHECK_THROWS_AS(printed(b), InternalError);
  }

  TEST_CASE("If takes the first child when the predicate is true and the second when it is not") {
    for (const std::int32_t predicate : {0, 1, -7}) {
      ProgramBuilder b(1);
      const HomeId p = b.ints("p", 0, {predicate}), yes = b.ints("yes", 0, {1}), no = b.ints("no", 0, {0});
      b.open(StepKind::If, "", addSwitch(b, p, ElementType::Int, {}));
      b.open(StepKind::Sequence);
      show(b, "yes", yes);
      b.close();
      b.open(StepKind::Sequence);
      show(b, "no", no);
      b.close();
      b.close();
      b.finishRoot();
      CHECK(printed(b) == std::vector<std::string>{predicate != 0 ? "yes[1] 1" : "no[1] 0"});
    }
  }

  TEST_CASE("a BOOL predicate is one byte: what follows it does not count") {
    ProgramBuilder b(1);
    const HomeId p = b.var<std::uint8_t>("p", ElementType::Bool, 0, {0, 1, 1, 1}), v = b.ints("v", 0, {0});
    b.open(StepKind::If, "", addSwitch(b, p, ElementType::Bool, {}));
    show(b, "true", v);
    show(b, "false", v);
    b.close();
    b.finishRoot();
    CHECK(printed(b) == std::vector<std::string>{"false[1] 0"});
  }

  TEST_CASE("Switch takes the child whose label is the control value, else the default, else nothing") {
    struct Row {
      std::int32_t control;
      bool hasDefault;
      std::vector<std::string> expected;
    };
    const std::vector<Row> rows{{7, true, {"seven[1] 0"}},
                                {-2, true, {"minus two[1] 0"}},
                                {3, true, {"default[1] 0"}},
                                {3, false, {}},
                                {-2, false, {"minus two[1] 0"}}};
    for (const Row &row : rows)
      for (const auto type : {ElementType::Int, ElementType::UnsignedInt}) { // the same bits either way
        CAPTURE(row.control);
        ProgramBuilder b(1);
        const HomeId c = b.var<std::int32_t>("c", type, 0, {row.control});
        const HomeId v = b.ints("v", 0, {0});
        b.open(StepKind::Switch, "", addSwitch(b, c, type, {7, -2}));
        show(b, "seven", v);
        show(b, "minus two", v);
        if (row.hasDefault)
          show(b, "default", v);
        b.close();
        b.finishRoot();
        CHECK(printed(b) == row.expected);
      }
  }

  TEST_CASE("the engine's Switch takes the program that is run, and its control word reaches the device") {
    for (const std::uint32_t index : {0U, 1U, 2U}) {
      ProgramBuilder b(2);
      const HomeId id = b.ints("programId", 1, {-1});
      StreamCopyStep &copy = b.streamCopy(StreamId(), true, 4);
      copy.engine = StreamCopyStep::Engine::ProgramId;
      b.transfer(id, 0, 4, 0);
      b.open(StepKind::Switch, "", addSwitch(b, HomeId(), ElementType::UnsignedInt, {0, 1, 2}, true));
      for (const char *name : {"zero", "one", "two"})
        show(b, name, id);
      b.close();
      b.finishRoot(3);
      const std::vector<std::string> expected{"zero[1] 0", "one[1] 1", "two[1] 2"};
      Rig rig(b);
      rig.run(index);
      CHECK(rig.host.printed == std::vector<std::string>{expected[index]});
      CHECK(rig.host.calls == 0);
      CHECK_THROWS_AS(rig.run(3), InternalError);
    }
  }

  TEST_CASE("Call runs the body of a function at each call site") {
    ProgramBuilder b(1);
    Counter n(b, 10);
    b.program.calls.push_back({FunctionId(0)});
    b.add(StepKind::Call);
    show(b, "n", n.home);
    b.add(StepKind::WriteUndef);
    b.add(StepKind::Call);
    b.add(StepKind::AssumeEqualAcrossReplicas);
    show(b, "n", n.home);
    b.finishRoot();
    b.openFunction("f");
    n.decrement();
    n.decrement();
    b.close();
    CHECK(printed(b) == std::vector<std::string>{"n[1] 8", "n[1] 6"});
  }

  TEST_CASE("PrintTensor gives the host the pieces in view order with title and shape") {
    ProgramBuilder b(2);
    const HomeId left = b.ints("left", 0, {1, 2, 3}), right = b.ints("right", 1, {4, 5});
    PrintStep print;
    print.pieces = {{right, Bytes(4), Bytes(4)}, {left, {}, Bytes(8)}, {right, {}, Bytes(4)}};
    print.shape = {2, 2};
    print.type = ElementType::Int;
    b.program.prints.push_back(print);
    b.add(StepKind::PrintTensor, "title");
    b.finishRoot();
    CHECK(printed(b) == std::vector<std::string>{"title[2, 2] 5 1 2 4"});
  }

  TEST_CASE("Abort and ErrorProgram throw with their message and name, and end the machine") {
    for (const auto kind : {StepKind::Abort, StepKind::ErrorProgram}) {
      ProgramBuilder b(1);
      const HomeId v = b.ints("v", 0, {0});
      b.program.messagesText = {{"unused"}, {"out of range"}};
      b.add(kind, "guard", 1);
      show(b, "after", v);
      b.finishRoot();
      Rig rig(b);
      try {
        rig.run();
        FAIL("no exception");
      } catch (const poplar::application_runtime_error &e) {
        CHECK(std::string(e.what()).find("'guard'") != std::string::npos);
        CHECK(std::string(e.what()).find("out of range") != std::string::npos);
      }
      CHECK(rig.host.printed.empty());
      CHECK_THROWS_AS(rig.run(), poplar::application_runtime_error);
    }
  }

  TEST_CASE("AbortOnCondition goes on with the truth that its test says and throws its own text on the other") {
    for (const std::int32_t predicate : {0, 1})
      for (const bool continueOn : {false, true}) {
        CAPTURE(predicate);
        CAPTURE(continueOn);
        ProgramBuilder b(1);
        const HomeId p = b.ints("p", 0, {predicate});
        b.program.messagesText = {{"other text"}, {"diverged"}};
        b.test(StepKind::AbortOnCondition, p, ElementType::Int, continueOn, 1);
        show(b, "after", p);
        b.finishRoot();
        Rig rig(b);
        if ((predicate != 0) == continueOn) {
          rig.run();
          CHECK(rig.host.printed.size() == 1);
        } else {
          CHECK_THROWS_WITH_AS(rig.run(), doctest::Contains("diverged"), poplar::application_runtime_error);
        }
      }
  }

} // TEST_SUITE
