// Programs: value semantics, checks and text.
#include "MessageOf.hpp"
#include "graph/api/GraphAccess.hpp"

#include <poplar/Graph.hpp>

#include <doctest/doctest.h>

#include <sstream>

using namespace poplar;
using namespace poplar::program;
using popscope::nodeOf;
using popscope::ProgramKind;
using popscope::TextArguments;

namespace {
struct Fixture {
  Graph graph{Target::createCPUTarget()};
  Tensor a = graph.addVariable(FLOAT, {4}, "a"), b = graph.addVariable(FLOAT, {4}, "b");
  Tensor flag = graph.addVariable(BOOL, {}, "flag"), number = graph.addVariable(INT, {1}, "number");
};
Sequence copyAsSequence(const Tensor &x, const Tensor &y) { return Copy(x, y); }
} // namespace

TEST_SUITE("graph_api.program") {

  TEST_CASE_FIXTURE(Fixture, "a program that was added to a sequence does not change with the original") {
    Sequence inner;
    inner.add(Copy(a, b));
    Sequence outer(inner, Sync(SyncType::INTERNAL));
    inner.add(Copy(b, a));
    CHECK(nodeOf(inner)->children.size() == 2);
    CHECK(nodeOf(outer)->children[0]->children.size() == 1);
    const Sequence copy = inner;
    inner.add(Copy(a, b));
    CHECK(nodeOf(copy)->children.size() == 2);
    CHECK(nodeOf(inner)->children.size() == 3);
  }

  TEST_CASE_FIXTURE(Fixture, "a sequence may be added to itself") {
    Sequence s;
    s.add(Copy(a, b));
    s.add(s);
    CHECK(nodeOf(s)->children.size() == 2);
    CHECK(nodeOf(s)->children[1]->children.size() == 1);
  }

  TEST_CASE_FIXTURE(Fixture, "the ways to write a sequence give the children that they name") {
    const Copy x(a, b), y(b, a);
    CHECK(nodeOf(Sequence(x, y))->children.size() == 2);
    CHECK(nodeOf(Sequence{x, y})->children.size() == 2);
    CHECK(nodeOf(Sequence{x})->children.size() == 1);
    CHECK(nodeOf(copyAsSequence(a, b))->children.size() == 1);
    const DebugNameAndId dnai("parent");
    const Sequence named({x, y}, {dnai, "x"});
    CHECK(nodeOf(named)->children.size() == 2);
    CHECK(nodeOf(named)->name == "parent/x");
    const Sequence emptyNamed({}, {dnai, "x"});
    CHECK(emptyNamed.isEmpty());
    CHECK(nodeOf(emptyNamed)->name == "parent/x");
    const Sequence emptyBraced{{}, {dnai}};
    CHECK(emptyBraced.isEmpty());
    CHECK(nodeOf(emptyBraced)->name == "parent");
    CHECK(nodeOf(Sequence(std::vector<Program>{x, y, x}))->children.size() == 3);
    CHECK(Program{}.isEmpty());
    CHECK_FALSE(Program(x).isEmpty());
  }

  TEST_CASE_FIXTURE(Fixture, "bodies keep their places") {
    const Copy x(a, b), y(b, a);
    const If branch(flag, x, Program{});
    CHECK(nodeOf(branch)->children.size() == 2);
    CHECK(nodeOf(branch)->children[1]->kind == ProgramKind::Sequence);
    Switch choice(number, {{3, x}}, y);
    choice.add(7, x);
    CHECK(nodeOf(choice)->as<popscope::SwitchArguments>().labels == std::vector<std::int32_t>{3, 7});
    CHECK(nodeOf(choice)->children.size() == 3);
    CHECK(nodeOf(choice)->as<popscope::SwitchArguments>().hasDefault);
    CHECK(nodeOf(choice)->children[2] == nodeOf(y));
    CHECK_THROWS_AS(choice.add(7, y), control_program_error);
    const RepeatWhileTrue loop(x, flag, y);
    CHECK(nodeOf(loop)->children[0] == nodeOf(x));
    CHECK(nodeOf(loop)->children[1] == nodeOf(y));
  }

  TEST_CASE_FIXTURE(Fixture, "copies check counts, types, graphs and destinations") {
    const std::string message = messageOf([&] { Copy(a, graph.addVariable(FLOAT, {5}, "c")); });
    CHECK(message.find("4 elements") != std::string::npos);
    CHECK(message.find("5") != std::string::npos);
    CHECK_THROWS_AS(Copy(a, graph.addVariable(INT, {4})), type_error);
    CHECK_THROWS_AS(Copy(a, graph.addConstant(FLOAT, {4}, 1.0f)), control_program_error);
    CHECK_THROWS_AS(Copy(a, b.slice(0, 1).broadcast(4, 0)), control_program_error);
    CHECK_NOTHROW(Copy(b.slice(0, 1).broadcast(4, 0), a));
    CHECK_NOTHROW(Copy(a, b.reshape({2, 2}).transpose()));
    Graph other(Target::createCPUTarget());
    CHECK_THROWS_AS(Copy(a, other.addVariable(FLOAT, {4})), control_program_error);
  }

  TEST_CASE_FIXTURE(Fixture, "stream copies check direction and size") {
    const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 4);
    const DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 3);
    const RemoteBuffer rows = graph.addRemoteBuffer("rows", FLOAT, 2, 8);
    CHECK_NOTHROW(Copy(in, a));
    CHECK_THROWS_AS(Copy(a, in), control_program_error);
    CHECK_THROWS_AS(Copy(a, out), control_program_error);
    CHECK_THROWS_AS(Copy(rows, a), control_program_error);
    const Tensor offset = graph.addVariable(UNSIGNED_INT, {2});
    CHECK(nodeOf(Copy(rows, a, offset))->offset.elements() == 2);
    CHECK_THROWS_AS(Copy(rows, a, graph.addVariable(FLOAT, {2})), control_program_error);
  }

  TEST_CASE_FIXTURE(Fixture, "predicates and controls are single elements of the right type") {
    CHECK_NOTHROW(If(number, Program{}, Program{}));
    CHECK_THROWS_AS(If(a, Program{}, Program{}), control_program_error);
    CHECK_THROWS_AS(If(a[0], Program{}, Program{}), control_program_error);
    CHECK_THROWS_AS(Switch{flag}, control_program_error);
    CHECK_THROWS_AS(AbortOnCondition(a, "stop"), control_program_error);
    CHECK_THROWS_AS(WriteUndef(graph.addConstant(FLOAT, {4}, 1.0f)), control_program_error);
  }

  TEST_CASE_FIXTURE(Fixture, "programs are equal when they do the same") {
    CHECK(Sequence(Copy(a, b, false, "x")) == Sequence(Copy(a, b, false, "y")));
    CHECK(Copy(a, b) != Copy(b, a));
    CHECK(Program{} == Sequence());
    CHECK(Repeat(2, Copy(a, b)) != Repeat(3, Copy(a, b)));
    Sequence one(Copy(a, b)), other(Copy(a, b));
    for (int i = 0; i < 60; ++i) { // 2^60 copies, if each place of a shared part counted
      one = Sequence({one, one});
      other = Sequence({other, other});
    }
    CHECK(one == other);
    CHECK(one != Sequence({other, Copy(b, a)}));
  }

  TEST_CASE_FIXTURE(Fixture, "what cannot be says why") {
    CHECK(messageOf([&] { Call(Function(0), FunctionBuffer()); }).find("default-constructed") != std::string::npos);
    CHECK_THROWS_AS(Graph(Target::createCPUTarget(), replication_factor(2)), graph_replication_error);
  }

  TEST_CASE_FIXTURE(Fixture, "texts and files take functions that call one another to any depth") {
    Function function = graph.addFunction(Copy(a, b));
    for (int i = 0; i < 200'000; ++i)
      function = graph.addFunction(Call(function));
    std::ostringstream dot, dump, binary;
    graph.outputComputeGraph(dot, {Call(function)});
    dumpProgram(graph, Call(function), dump);
    graph.serialize(binary, {Call(function)}, SerializationFormat::Binary);
    CHECK(dot.str().rfind("digraph", 0) == 0);
    CHECK_FALSE(dump.str().empty());
    CHECK_FALSE(binary.str().empty());
  }

  TEST_CASE_FIXTURE(Fixture, "dumpProgram shows the tree") {
    std::ostringstream out;
    dumpProgram(graph, Sequence(Copy(a, b), Repeat(2, Copy(b, a))), out);
    CHECK(out.str() == "Sequence\n  Copy a{4} -> b{4}\n  Repeat 2 times\n    Copy b{4} -> a{4}\n");
  }

  TEST_CASE_FIXTURE(Fixture, "texts and files of programs refuse another graph and numbers that do not exist") {
    Graph other(Target::createCPUTarget());
    for (int i = 0; i < 3; ++i)
      other.addComputeSet("set");
    const Tensor first = other.addVariable(FLOAT, {4}, "c"), second = other.addVariable(FLOAT, {4}, "d");
    const Function function = other.addFunction(Copy(first, second));
    const std::vector<std::pair<Program, std::string>> wrong = {
        {Sequence{Copy(a, b), Copy(first, second)}, "another graph"},
        {Repeat(2, Execute(ComputeSet(2))), "no compute set 2"},
        {Call(function), "another graph"},
        {Call(Function(0)), "no function 0"}};
    for (const auto &[program, message] : wrong) {
      std::ostringstream out;
      CHECK(mentions(messageOf([&, p = program] { dumpProgram(graph, p, out); }), message));
      CHECK(mentions(messageOf([&, p = program] { graph.outputVertexGraph(out, {p}); }), message));
      CHECK(mentions(messageOf([&, p = program] { graph.outputComputeGraph(out, {p}); }), message));
      CHECK(mentions(messageOf([&, p = program] { graph.serialize(out, {p}, SerializationFormat::Binary); }), message));
      CHECK(out.str().empty());
    }
    graph.addFunction(Sequence{Copy(first, second)}); // which no program calls
    std::ostringstream out;
    CHECK(mentions(messageOf([&] { graph.serialize(out, SerializationFormat::Binary); }), "another graph"));
  }

  TEST_CASE_FIXTURE(Fixture, "all tensors of a program belong to one graph, also offsets and results") {
    Graph other(Target::createCPUTarget());
    const Tensor theirs = other.addVariable(FLOAT, {4}, "theirs");
    const Tensor offset = other.addVariable(UNSIGNED_INT, {1}, "offset");
    const RemoteBuffer buffer = graph.addRemoteBuffer("buffer", FLOAT, 4, 8);
    const DataStream stream = graph.addHostToDeviceFIFO("stream", FLOAT, 4);
    for (const std::string &message :
         {messageOf([&] { Copy(a, theirs); }), messageOf([&] { Copy(buffer, a, offset); }),
          messageOf([&] { Copy(a, buffer, offset); }), messageOf([&] { Copy(stream, a, offset, 8); }), messageOf([&] {
            CrossReplicaCopy(a, theirs, {{0, 0}});
          })})
      CHECK_MESSAGE(mentions(message, "belong to different graphs"), message);
  }

  TEST_CASE_FIXTURE(Fixture, "programs of two graphs differ, although their numbers are equal") {
    Graph other(Target::createCPUTarget());
    const Tensor x = other.addVariable(FLOAT, {4}, "a"), y = other.addVariable(FLOAT, {4}, "b");
    CHECK(Copy(a, b) == Copy(a, b));
    CHECK(Copy(a, b) != Copy(x, y));
    const ComputeSet ours = graph.addComputeSet("set"), theirs = other.addComputeSet("set");
    CHECK(Sequence{Execute(ours)} != Sequence{Execute(theirs)});
    CHECK(Execute(ours) == Execute(ComputeSet(ours.getId()))); // a number fits both
  }

  TEST_CASE_FIXTURE(Fixture, "print formats are stored once") {
    const PrintTensor plain(a), wide("t", a, PrintTensorFmt(5)), wideAgain("u", b, PrintTensorFmt(5));
    CHECK(nodeOf(plain)->as<TextArguments>().format == 0);
    CHECK(nodeOf(plain)->as<TextArguments>().text == "a");
    CHECK(nodeOf(wide)->as<TextArguments>().format == nodeOf(wideAgain)->as<TextArguments>().format);
    CHECK(popscope::irOf(graph).printFormats.size() == 2);
  }
}
