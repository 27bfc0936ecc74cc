// Edge cases of programs: labels that match no case, nested control flow, and reasons to stop a program.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <pva/pva.hpp>

#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// An int x that decides, and an int y that cases set to constants.
struct Choice {
  Device device;
  Graph graph{device.getTarget()};
  Tensor x = graph.addVariable(INT, {1}, "x"), y = graph.addVariable(INT, {1}, "y");
  explicit Choice(Device on = smallModel()) : device(std::move(on)) {
    graph.setTileMapping(x, 0);
    graph.setTileMapping(y, 1);
    graph.createHostWrite("x", x);
    graph.createHostWrite("y", y);
    graph.createHostRead("y", y);
  }
  Program set(int value) {
    Tensor c = graph.addConstant(INT, {1}, value);
    graph.setTileMapping(c, 2);
    return Copy(c, y);
  }
  /// Returns y after a run that began with y = 0 and the given x.
  int run(const Program &program, int value) {
    Engine engine(graph, program);
    engine.load(device);
    int zero = 0, result = 0;
    engine.writeTensor("x", &value, &value + 1);
    engine.writeTensor("y", &zero, &zero + 1);
    engine.run();
    engine.readTensor("y", &result, &result + 1);
    return result;
  }
};

} // namespace

TEST_SUITE("engine.programErrors") {

  TEST_CASE("Switch: negative labels, no case and no default, a label twice") {
    Choice c;
    Switch choose(c.x[0]);
    choose.add(-3, c.set(1)).add(2147483647, c.set(2));
    CHECK(c.run(choose, -3) == 1);
    CHECK(c.run(choose, 2147483647) == 2);
    CHECK(c.run(choose, 7) == 0);
    CHECK_THROWS_AS(choose.add(-3, c.set(4)), control_program_error);
  }

  TEST_CASE("Switch on an unsigned control compares the bits of a label") {
    Choice c;
    Switch choose(c.x.reinterpret(UNSIGNED_INT)[0], c.set(9));
    choose.add(-1, c.set(1));
    CHECK(c.run(choose, -1) == 1);
    CHECK(c.run(choose, 1) == 9);
  }

  TEST_CASE("the title of PrintTensor is printed without control characters, and keeps its line ends") {
    Choice c;
    Engine engine(c.graph, PrintTensor("a\x1b[31m\nb", c.x[0]));
    std::ostringstream printed;
    engine.setPrintTensorStream(printed);
    engine.load(c.device);
    engine.run();
    CHECK(printed.str().rfind("a\\x1b[31m\nb: ", 0) == 0);
  }

  TEST_CASE("switchWithBoundsChecking prints the control value and stops where no case fits") {
    Choice c;
    Engine engine(c.graph, Switch::switchWithBoundsChecking(c.x[0], {{0, c.set(1)}}));
    std::ostringstream printed;
    engine.setPrintStream(printed);
    engine.load(c.device);
    const int value = 5;
    engine.writeTensor("x", &value, &value + 1);
    CHECK_THROWS_AS(engine.run(), application_runtime_error);
    CHECK(printed.str().find("5") != std::string::npos);
  }

  TEST_CASE("the error of switchWithBoundsChecking names the Switch, its control value and its cases") {
    Choice c;
    const auto messageOf = [&](const Program &program, int value) {
      Engine engine(c.graph, program);
      std::ostringstream printed;
      engine.setPrintStream(printed);
      engine.load(c.device);
      engine.writeTensor("x", &value, &value + 1);
      try {
        engine.run();
      } catch (const application_runtime_error &e) {
        return std::string(e.what());
      }
      return std::string();
    };
    Switch choose = Switch::switchWithBoundsChecking(c.x[0], {{0, c.set(1)}}, "choose");
    choose.add(-4, c.set(2));
    const std::string message = messageOf(Sequence(choose), 7);
    CAPTURE(message);
    CHECK(message.find("Switch 'choose' stopped the program: its control value 7 has no case; its cases are 0, -4.") !=
          std::string::npos);
    CHECK(message.find("ErrorProgram") == std::string::npos);
    Switch many = Switch::switchWithBoundsChecking(c.x[0]);
    CHECK(messageOf(many, -2).find("Switch stopped the program: its control value -2 has no case; it has no cases.") !=
          std::string::npos);
    for (int i = 0; i < 20; ++i)
      many.add(i, c.set(i));
    CHECK(messageOf(many, 20).find("14, 15 and 4 more.") != std::string::npos);
  }

  TEST_CASE("ErrorProgram shows its tensor and stops with its message") {
    Choice c;
    Engine engine(c.graph, ErrorProgram("it went wrong", c.x));
    std::ostringstream printed;
    engine.setPrintStream(printed);
    engine.load(c.device);
    const int value = 42;
    engine.writeTensor("x", &value, &value + 1);
    CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("it went wrong"), application_runtime_error);
    CHECK(printed.str() == "it went wrong: [42]\n");
  }

  TEST_CASE("a Repeat of an If of a Switch keeps its state from round to round") {
    Choice c;
    // x counts its own rounds: 3 -> 2 -> 1 -> 0, each through its own case. At 0, no case matches.
    const auto setX = [&](int value) {
      Tensor k = c.graph.addConstant(INT, {1}, value);
      c.graph.setTileMapping(k, 3);
      return Copy(k, c.x);
    };
    Switch inner(c.x[0], ErrorProgram("no such round", c.x));
    for (int i = 1; i <= 3; ++i)
      inner.add(i, Sequence(c.set(10 * i), setX(i - 1)));
    const Program program = Repeat(5, If(c.x[0], inner, Sequence()));
    CHECK(c.run(program, 3) == 10);
    CHECK(c.run(program, 0) == 0);
    CHECK_THROWS_AS(c.run(program, 4), application_runtime_error);
    CHECK(c.run(Repeat(0, c.set(1)), 0) == 0);
  }

  TEST_CASE("after a program that stopped itself the engine runs other programs, from the state of the steps before") {
    Choice c;
    Engine engine(c.graph, {Sequence(c.set(7), AbortOnCondition(c.x[0], "stop"), c.set(8)), c.set(3)});
    engine.load(c.device);
    const int one = 1;
    engine.writeTensor("x", &one, &one + 1);
    int y = 0;
    for (int i = 0; i != 2; ++i) {
      CHECK_THROWS_WITH_AS(engine.run(0), doctest::Contains("stop"), application_runtime_error);
      engine.readTensor("y", &y, &y + 1);
      CHECK(y == 7);
      engine.run(1);
      engine.readTensor("y", &y, &y + 1);
      CHECK(y == 3);
    }
    CHECK(engine.getReport().execution().runs().size() == 4);
    CHECK(!summaryOf(engine).empty());
  }

  TEST_CASE("after a run that failed the engine runs again only once it is loaded again, and its profile stays whole") {
    for (const bool onDevice : {false, true}) {
      CAPTURE(onDevice);
      Choice c(onDevice ? Device::createSimulatorDevice(Target::createIPUTarget(1, 4, "ipu2")) : smallModel());
      const DataStream in = c.graph.addHostToDeviceFIFO("in", INT, 1);
      Engine engine(c.graph, {Copy(in, c.x), c.set(3)}, {{"debug.instrument", "true"}});
      bool fails = true;
      engine.connectStreamToCallback("in", [&](void *data) {
        if (fails)
          throw std::runtime_error("no data");
        *static_cast<int *>(data) = 1;
      });
      engine.load(c.device);
      CHECK_THROWS_WITH(engine.run(0), doctest::Contains("no data"));
      const int one = 1;
      int y = 0;
      CHECK_THROWS_WITH_AS(engine.run(1), doctest::Contains("The program cannot run again"), application_runtime_error);
      CHECK_THROWS_WITH_AS(engine.readTensor("y", &y, &y + 1),
                           doctest::Contains("readTensor: the tensor of handle \"y\" cannot be read after a run"),
                           application_runtime_error);
      CHECK_THROWS_WITH_AS(engine.writeTensor("x", &one, &one + 1),
                           doctest::Contains("writeTensor: the tensor of handle \"x\" cannot be written after a run"),
                           application_runtime_error);
      fails = false;
      engine.load(c.device);
      engine.run(1);
      engine.readTensor("y", &y, &y + 1);
      CHECK(y == 3);
      CHECK(!summaryOf(engine).empty());
    }
  }

  TEST_CASE("runs that were all cut short have unknown cycles in each report, and the sources of their steps") {
    Choice c;
    addTestCodelets(c.graph);
    const Tensor f = c.graph.addVariable(FLOAT, {4}, "f");
    c.graph.setTileMapping(f, 1);
    const ComputeSet cs = c.graph.addComputeSet("before");
    const VertexRef v = c.graph.addVertex(cs, "Increment", {{"x", f}});
    c.graph.setInitialValue(v["by"], 1.0f);
    c.graph.setTileMapping(v, 1);
    Engine engine(c.graph, Sequence(Execute(cs), AbortOnCondition(c.x[0], "stop"), c.set(3)));
    const auto run = [&](int x) {
      engine.load(c.device);
      engine.writeTensor("x", &x, &x + 1);
      if (x == 0)
        engine.run(0);
      else
        CHECK_THROWS_AS(engine.run(0), application_runtime_error);
    };
    run(1);
    const pva::CycleTotals cut = engine.getReport().execution().totalCycles();
    CHECK_FALSE(cut.known());
    CHECK_FALSE(cut.computeKnown());
    CHECK_FALSE(cut.syncKnown());
    CHECK_FALSE(cut.externalExchangeKnown());
    CHECK_FALSE(cut.computeWithoutIdleKnown());
    CHECK_FALSE(engine.getReport().execution().runs()[0].totalCycles().known());
    CHECK(engine.getReport().compilation().computeSets()[0].cycleSources().size() == 1);
    const std::string summary = summaryOf(engine);
    CHECK(summary.find("Total cycles:                                  unknown, because no recorded run ended\n") !=
          std::string::npos);
    CHECK(summary.find("balance") == std::string::npos);
    const ProfileValue simulation = engine.getExecutionProfile()["simulation"];
    CHECK(simulation.asMap().count("cycles") == 0);
    CHECK(simulation["tileCycles"].asMap().empty());
    CHECK(simulation["steps"].size() != 0);
    run(0); // one run that ended is enough: the sums are over it
    CHECK(engine.getReport().execution().totalCycles().known());
    CHECK(engine.getReport().execution().totalCycles().total() ==
          engine.getReport().execution().runs()[1].totalCycles().total());
    CHECK(engine.getExecutionProfile()["simulation"]["cycles"].asUint64() > 0);
  }

  TEST_CASE("control tensors of the wrong type or size are refused when the program is made") {
    Choice c;
    Tensor f = c.graph.addVariable(FLOAT, {1}, "f"), two = c.graph.addVariable(INT, {2}, "two");
    CHECK_THROWS_AS(If(f[0], Sequence(), Sequence()), control_program_error);
    CHECK_THROWS_AS(RepeatWhileTrue(Sequence(), two, Sequence()), control_program_error);
    CHECK_THROWS_AS(Switch{f[0]}, control_program_error);
    CHECK_THROWS_AS(AbortOnCondition(two, "x"), control_program_error);
  }

  TEST_CASE("an offset past the rows of a remote buffer stops the program") {
    Choice c;
    const RemoteBuffer buffer = c.graph.addRemoteBuffer("far", INT, 1, 2);
    CHECK(c.run(Copy(buffer, c.y, c.x), 1) == 0);
    CHECK_THROWS_AS(c.run(Copy(buffer, c.y, c.x), 2), application_runtime_error);
    CHECK_THROWS_AS(c.run(Copy(buffer, c.y, c.x), -1), application_runtime_error);
  }

} // TEST_SUITE
