// The two lists of checkConsumers: both are empty for valid layouts (compile() checks that in every test here), and
// each planted fault appears in them.
#include "liveness/check/CheckConsumers.hpp"
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace memory_tests;
using namespace poplar;
using namespace poplar::program;

namespace {

struct ConsumerFixture {
  Compiled compiled;
  popscope::StepProgram program;
  popscope::LayoutResult layout;
  ConsumerFixture() {
    Graph graph(ipuTarget(4, 2));
    addCodelets(graph);
    const Tensor a = onTile(graph, 12, 0, "a"), b = onTile(graph, 2, 5, "b"), x = onTile(graph, 2, 5, "x");
    const ComputeSet cs = graph.addComputeSet("cs");
    for (unsigned i = 0; i < 2; ++i) {
      const VertexRef v = vertexOn(graph, cs, "Rows", 5), e = vertexOn(graph, cs, i == 0 ? "ExpA" : "ExpB", 5);
      graph.connect(v["rows"], a.reshape({3, 4}));
      graph.connect(v["out"], b[i]);
      graph.connect(e["x"], x[i]);
    }
    graph.createHostRead("b", b);
    compiled = compile(graph, {Execute(cs), Copy(a.reshape({4, 3}).transpose().flatten(), a.flatten())},
                       {{"debug.instrument", "true"}, {"popscope.scheduler", "table"}});
    program = compiled->program;
    layout = compiled->layout;
  }
  /// Adds an allocation on the last tile.
  void add(const popscope::Allocation &allocation) {
    layout.allocations.push_back(allocation);
    ++layout.firstOfTile.back();
  }
  void remove(const popscope::Allocation &allocation) {
    const auto at = static_cast<std::uint32_t>(&allocation - layout.allocations.data());
    layout.allocations.erase(layout.allocations.begin() + at);
    for (std::uint32_t &first : layout.firstOfTile)
      first -= first > at ? 1 : 0;
  }
  [[nodiscard]] popscope::ConsumerFindings check() const {
    return popscope::checkConsumers(program, layout, compiled->machine, true);
  }
  popscope::Allocation &first(StorageCategory category) {
    const auto found = std::find_if(layout.allocations.begin(), layout.allocations.end(),
                                    [&](const popscope::Allocation &a) { return a.category == category; });
    REQUIRE_MESSAGE(found != layout.allocations.end(), popscope::storageCategoryKey(category));
    return *found;
  }
};

const std::vector<StorageCategory> kPresent = {StorageCategory::ControlCode,
                                               StorageCategory::ControlId,
                                               StorageCategory::ControlTable,
                                               StorageCategory::CopyDescriptor,
                                               StorageCategory::GlobalExchangeCode,
                                               StorageCategory::GlobalExchangePacketHeader,
                                               StorageCategory::HostExchangeCode,
                                               StorageCategory::HostExchangePacketHeader,
                                               StorageCategory::InstrumentationResults,
                                               StorageCategory::InternalExchangeCode,
                                               StorageCategory::SharedCodeStorage,
                                               StorageCategory::SharedDataStorage,
                                               StorageCategory::Stack,
                                               StorageCategory::Variable,
                                               StorageCategory::VertexCode,
                                               StorageCategory::VertexInstanceState};

} // namespace

TEST_SUITE("memory.consumers") {

  TEST_CASE("both lists are empty for a layout as it is made") {
    const ConsumerFixture f;
    CHECK(f.check().unreferenced.empty());
    CHECK(f.check().unplaced.empty());
  }

  TEST_CASE("an allocation that is missing is listed by what refers to it, whatever its category") {
    for (const StorageCategory category : kPresent) {
      ConsumerFixture f;
      f.remove(f.first(category));
      CHECK_MESSAGE(f.check().unplaced.size() == 1, popscope::storageCategoryKey(category));
    }
  }

  TEST_CASE("an allocation of another size is listed twice") {
    ConsumerFixture f;
    popscope::Bytes32 &bytes = f.first(StorageCategory::VertexInstanceState).bytes;
    bytes = popscope::narrow(bytes + popscope::Bytes(4));
    CHECK(f.check().unplaced.size() == 1);
    CHECK(f.check().unreferenced.size() == 1);
  }

  TEST_CASE("control code that is said to begin at a step without any is found") {
    ConsumerFixture f;
    f.first(StorageCategory::ControlCode).ownerIndex = f.program.root.index();
    CHECK(f.check().unplaced.size() == 1);
    CHECK(f.check().unreferenced.size() == 1);
  }

  TEST_CASE("an allocation to which nothing refers is listed") {
    for (const StorageCategory category : kPresent) {
      ConsumerFixture f;
      popscope::Allocation extra = f.first(category);
      extra.ownerIndex += 100000;
      f.add(extra);
      CHECK_MESSAGE(f.check().unreferenced.size() == 1, popscope::storageCategoryKey(category));
    }
  }

  TEST_CASE("what lowering made and no step reads is referred to by nothing, and what the user made is") {
    Graph graph(ipuTarget(4, 1));
    addCodelets(graph);
    const Tensor a = onTile(graph, 4, 0, "a"), b = onTile(graph, 4, 1, "b");
    const ComputeSet cs = graph.addComputeSet("cs");
    const VertexRef v = vertexOn(graph, cs, "Copy", 1);
    graph.connect(v["in"], a);
    graph.connect(v["out"], b); // b is written and never read
    Executable executable = compileGraph(graph, {Execute(cs), Execute(cs)});
    const Compiled compiled = popscope::ExecutableAccess::of(executable);
    const auto findings = [&](const popscope::StepProgram &program) {
      return popscope::checkConsumers(program, compiled->layout, compiled->machine, compiled->record.codeIncluded);
    };
    const popscope::ConsumerFindings good = findings(compiled->program);
    for (const std::string &finding : good.unreferenced)
      FAIL_CHECK(finding);
    CHECK(good.unplaced.empty());

    // The Switch no longer reads the words to which the program's number was broadcast: 3 words, on the other tiles.
    popscope::StepProgram forgets = compiled->program;
    for (popscope::Step &step : forgets.steps.raw())
      if (step.kind == popscope::StepKind::Switch) {
        step.numAccesses = 0;
        forgets.switches[step.payload].copies = popscope::VarId();
      }
    const popscope::ConsumerFindings found = findings(forgets);
    CHECK(found.unreferenced.size() == 3);
    for (const std::string &finding : found.unreferenced)
      CHECK(finding.find("controlId of 4 bytes") != std::string::npos);
    CHECK(found.unplaced.empty());
  }

  TEST_CASE("the code of a vertex class whose vertices never run is referred to by nothing") {
    ConsumerFixture f;
    for (popscope::Step &step : f.program.steps.raw())
      if (step.kind == popscope::StepKind::OnTileExecute && f.program.executes[step.payload].numVertices > 0)
        step.kind = popscope::StepKind::Sync;
    CHECK(f.check().unreferenced.size() > 3);
  }

} // TEST_SUITE
