// A real codelet that is compiled and counted on its stand-in: the machine passes the operands in the required form.
#include "TestClasses.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

TEST_CASE("a compiled codelet computes its values and its cycles follow the size of its operands") {
  CodeletSet codelets;
  codelets.addSource("#include <poplar/Vertex.hpp>\n"
                     "class Sum : public poplar::Vertex {\n"
                     "public:\n"
                     "  poplar::Input<poplar::Vector<int>> in;\n"
                     "  poplar::Output<int> out;\n"
                     "  int start;\n"
                     "  bool compute() { int s = start; for (unsigned i = 0; i < in.size(); ++i) s += in[i]; *out = s; "
                     "return true; }\n"
                     "};\n",
                     CodeletSourceKind::Cpp, {}, nullptr);
  const VertexClass *sum = codelets.find("Sum");
  REQUIRE(sum != nullptr);
  CAPTURE(sum->standInProblem);
  REQUIRE(sum->standIn != nullptr);
  const auto in = static_cast<std::uint16_t>(findField(*sum, "in")),
             out = static_cast<std::uint16_t>(findField(*sum, "out")),
             start = static_cast<std::uint16_t>(findField(*sum, "start"));

  ProgramBuilder b(3);
  const auto type = b.type("Sum", codelets.indexOf("Sum"));
  std::vector<HomeId> inputs, outputs;
  for (std::uint32_t t = 0; t < 3; ++t) {
    inputs.push_back(b.ints("in", t, std::vector<std::int32_t>(10 * t + 10, 1)));
    outputs.push_back(b.ints("out", t, {0}));
  }
  b.execute();
  for (std::uint32_t t = 0; t < 3; ++t) {
    b.vertex(type, t);
    b.edge(in, inputs[t], 0, 10 * t + 10, true, false);
    b.edge(out, outputs[t], 0, 1, false, true);
    b.state<std::int32_t>(start, {100});
  }
  for (const HomeId h : outputs)
    show(b, "out", h);
  b.finishRoot();
  const CostModel costs(testMachine(3));
  Machine machine(b.program, codelets, costs, {});
  TestHost host;
  EventLog log;
  machine.run(0, "run", host, &log);
  CHECK(host.printed == std::vector<std::string>{"out[1] 110", "out[1] 120", "out[1] 130"});
  CHECK(machine.cycleProvenance(type) == "stand-in");
  const auto &busy = log.entries.at(0).busy;
  CHECK(busy[0] >= 6 * 10);                      // at least one instruction per element, and one slot in six cycles
  CHECK(busy[2] - busy[1] == busy[1] - busy[0]); // ten more elements always cost the same
  CHECK(busy[1] > busy[0]);
  CHECK(log.entries[0].threadCycles == (busy[0] + busy[1] + busy[2]) / 6);
}
