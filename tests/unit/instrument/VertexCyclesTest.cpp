// Stand-in runs: values, workers, the budget and what is used when it is spent. The stand-in itself is substituted: it
// counts 1000 instructions plus the sum of the vertex's operand, so that counts follow values.
#include "TestClasses.hpp"

#include "base/Parallel.hpp"
#include "instrument/machine/VertexCycles.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

namespace {

using Cycles64 = std::vector<std::optional<std::uint64_t>>;

StandInResult countSum(const VertexClass &, const std::vector<StandInOperand> &operands, const LibraryCost &,
                       unsigned worker, std::uint64_t limit) {
  StandInResult result;
  result.instructions = 1000 + worker;
  result.accesses = 40;
  for (const StandInOperand &o : operands)
    for (std::uint64_t i = 0; i < o.elements; ++i)
      result.instructions += static_cast<std::uint64_t>(static_cast<const std::int32_t *>(o.data)[i]);
  result.completed = result.instructions < limit;
  if (!result.completed)
    result.instructions = limit;
  return result;
}

StandInResult failAlways(const VertexClass &, const std::vector<StandInOperand> &, const LibraryCost &, unsigned,
                         std::uint64_t) {
  StandInResult result;
  result.instructions = 3;
  result.problem = "unknown function 'mystery'";
  return result;
}

// Classes "Silent" (worker) and "Workers" (multi) with a stand-in image that is never read.
struct Bench {
  explicit Bench(const std::vector<std::int32_t> &values, VertexClassKind kind = VertexClassKind::Worker) : b(1) {
    const bool multi = kind == VertexClassKind::Multi;
    const auto image = std::make_shared<int>(0);
    VertexClass c = classes().codelets.at(multi ? classes().workers : classes().silent);
    c.kind = kind;
    c.standIn = std::shared_ptr<const StandInImage>(image, reinterpret_cast<const StandInImage *>(image.get()));
    type = b.type(c.name, codelets.addClass(c),
                  multi                                 ? VertexKind::Multi
                  : kind == VertexClassKind::Supervisor ? VertexKind::Supervisor
                                                        : VertexKind::Worker);
    b.execute();
    for (const std::int32_t v : values) {
      homes.push_back(b.ints("v", 0, {v}));
      b.vertex(type, 0);
      b.edge(0, homes.back(), 0, 1, true, false);
    }
    b.finishRoot();
  }
  void set(std::size_t i, std::int32_t value) { state().write({homes[i], {}, Bytes(4)}, &value); }
  const DeviceState &state() {
    if (!state_)
      state_ = std::make_unique<DeviceState>(b.program);
    return *state_;
  }
  VertexCycles &cycles(MachineOptions options = {}, StandInFunction standIn = countSum) {
    objects_ = std::make_unique<VertexObjects>(b.program, codelets, state());
    cycles_ = std::make_unique<VertexCycles>(b.program, *objects_, costs, options, std::move(standIn));
    cycles_->startRun();
    return *cycles_;
  }
  Cycles64 next() {
    Cycles64 numbers;
    for (const std::optional<Cycles> &c : cycles_->of(b.program.executes.at(0)))
      numbers.push_back(c ? std::optional(c->count()) : std::nullopt);
    return numbers;
  }

  ProgramBuilder b;
  CodeletSet codelets;
  CostModel costs{testMachine(1)};
  VertexTypeId type;
  std::vector<HomeId> homes;

private:
  std::unique_ptr<DeviceState> state_;
  std::unique_ptr<VertexObjects> objects_;
  std::unique_ptr<VertexCycles> cycles_;
};

MachineOptions budget(std::uint64_t run, std::uint64_t vertex = 1'000'000) {
  MachineOptions options;
  options.standInBudget = run;
  options.standInInstructionLimit = vertex;
  return options;
}

} // namespace

TEST_SUITE("instrument.vertex cycles") {

  TEST_CASE("the stand-in counts on the values of each execution") {
    Bench bench({1, 2});
    auto &cycles = bench.cycles();
    CHECK(cycles.source(bench.type) == CycleSource::None);
    CHECK(bench.next() == Cycles64{1001, 1002});
    bench.set(0, 50);
    CHECK(bench.next() == Cycles64{1050, 1002});
    CHECK(cycles.source(bench.type) == CycleSource::StandIn);
    CHECK_FALSE(cycles.isStatic(bench.b.program.executes[0]));
  }

  TEST_CASE("a MultiVertex takes workerContexts times its slowest worker") {
    Bench bench({0}, VertexClassKind::Multi);
    bench.cycles();
    CHECK(bench.next() == Cycles64{6 * 1005}); // workers count 1000 ... 1005
  }

  TEST_CASE("a supervisor's accesses and jumps take a round of the workers each") {
    Bench bench({7}, VertexClassKind::Supervisor);
    bench.cycles();
    CHECK(bench.next() == Cycles64{1007 + 5 * 40});
  }

  TEST_CASE("what the machine takes beyond the instructions is added, the budget counts instructions") {
    const StandInFunction slots = [](const VertexClass &c, const std::vector<StandInOperand> &operands,
                                     const LibraryCost &cost, unsigned worker, std::uint64_t limit) {
      StandInResult result = countSum(c, operands, cost, worker, limit);
      result.slotsBeyond = -300;
      result.waits = 11;
      return result;
    };
    Bench worker({1, 2});
    worker.cycles(budget(2003), slots);
    CHECK(worker.next() == Cycles64{701, 702});
    Bench supervisor({7}, VertexClassKind::Supervisor);
    supervisor.cycles({}, slots);
    CHECK(supervisor.next() == Cycles64{707 + 5 * 40 + 11});
    Bench multi({0}, VertexClassKind::Multi);
    multi.cycles({}, slots);
    CHECK(multi.next() == Cycles64{6 * 705});
  }

  TEST_CASE("when the budget of a run is spent, last known cycles are reused until the next run") {
    Bench bench({1, 2, 3});
    auto &cycles = bench.cycles(budget(3500));
    CHECK(bench.next() == Cycles64{1001, 1002, 1003}); // 3006 of 3500 instructions
    for (std::size_t i = 0; i < 3; ++i)
      bench.set(i, 100);
    // 1100 instructions do not fit into 494, so each vertex uses its own last count
    CHECK(bench.next() == Cycles64{1001, 1002, 1003});
    cycles.startRun();
    CHECK(bench.next() == Cycles64{1100, 1100, 1100});
  }

  TEST_CASE("a vertex that never ran takes the last count of its type and operand sizes") {
    Bench bench({1, 2, 3});
    bench.cycles(budget(2500));
    CHECK(bench.next() == Cycles64{1001, 1002, 1002});
    Bench other({1, 2});
    other.b.program.operandKinds[1].elements = 0; // a different size, for which nothing is known
    other.b.program.edges[1].home = HomeId();
    other.cycles(budget(1500));
    CHECK(other.next() == Cycles64{1001, std::nullopt});
  }

  TEST_CASE("a budget that is used up exactly counts the last vertex that fits") {
    Bench bench({1, 2, 7});
    bench.cycles(budget(2003));
    CHECK(bench.next() == Cycles64{1001, 1002, 1002});
  }

  TEST_CASE("without any budget, or when the stand-in cannot run the code, cycles are unknown") {
    Bench bench({1});
    bench.cycles(budget(0));
    CHECK(bench.next() == Cycles64{std::nullopt});
    auto &failing = bench.cycles(budget(1'000'000), failAlways);
    CHECK(bench.next() == Cycles64{std::nullopt});
    CHECK(failing.source(bench.type) == CycleSource::None);
  }

  TEST_CASE("a vertex that reaches the limit of one vertex reuses what is known and leaves the rest their stand-ins") {
    Bench bench({1, 2});
    bench.cycles(budget(1'000'000, 2000));
    CHECK(bench.next() == Cycles64{1001, 1002});
    bench.set(0, 5000);
    bench.set(1, 9);
    CHECK(bench.next() == Cycles64{1001, 1009});
  }

  TEST_CASE("the vertex at which the budget ends is the same for one and two threads and any wave") {
    // 700 vertices are three waves with counts 1000 + i % 10; the budget ends within the second wave.
    std::vector<std::int32_t> values(700);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<std::int32_t>(i % 10);
    const std::uint64_t limit = 300 * 1000 + 30 * 45; // exactly the first 300
    Cycles64 seen[2];
    for (const unsigned threads : {1U, 2U}) {
      Bench bench(values);
      MachineOptions options = budget(limit);
      options.threads = {threads};
      bench.cycles(options);
      seen[threads - 1] = bench.next();
    }
    CHECK(seen[0] == seen[1]);
    CHECK(seen[0][299] == 1009);
    for (std::size_t i = 300; i < 700; ++i)
      REQUIRE(seen[0][i] == 1009); // the count of the last vertex of that size
  }

} // TEST_SUITE
