#include "engine/Compile.hpp"

#include "base/Check.hpp"
#include "base/Version.hpp"
#include "engine/collect/Collect.hpp"
#include "engine/executable/ExecutableFile.hpp"
#include "graph/lowering/Lower.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/layout/PlaceAllocations.hpp"

#include <poplar/Executable.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <istream>
#include <iterator>
#include <map>
#include <ostream>

namespace popscope {
namespace {

void runCheckers(const CompiledProgram &compiled) {
  verifySteps(compiled.program);
  std::vector<std::string> findings = checkLiveness(compiled.program, compiled.ranges);
  const auto layout = checkLayout(compiled.program, compiled.ranges, compiled.layout, compiled.machine);
  findings.insert(findings.end(), layout.begin(), layout.end());
  POPSCOPE_CHECK(findings.empty(), "{} findings of the checkers, the first: {}", findings.size(), findings.front());
}

std::string allocationOwner(const StepProgram &program, const Allocation &a) {
  if (a.owner == OwnerKind::Home)
    return program.names[program.vars[program.homes[HomeId(a.ownerIndex)].var].name];
  return storageCategoryKey(a.category);
}

// The largest owners of one tile, by name.
std::string largestOwners(const CompiledProgram &compiled, TileId tile, std::size_t count) {
  std::map<std::string, std::uint64_t> bytes;
  const auto &first = compiled.layout.firstOfTile;
  for (std::uint32_t i = first[tile.index()]; i < first[tile.index() + 1]; ++i) {
    const Allocation &a = compiled.layout.allocations[i];
    const std::string owner = allocationOwner(compiled.program, a);
    bytes[owner.empty() ? "<anon>" : owner] += a.bytes;
  }
  std::vector<std::pair<std::string, std::uint64_t>> sorted(bytes.begin(), bytes.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(count, sorted.size()); ++i)
    text += fmt::format("{}{} {} B", i == 0 ? "" : ", ", sorted[i].first, sorted[i].second);
  return text;
}

} // namespace

std::shared_ptr<const CompiledProgram> compileProgram(const GraphIr &graph, const std::vector<ProgramPtr> &programs,
                                                      const VertexEstimates &estimates, EngineSettings settings,
                                                      const CompileProgress &progress) {
  constexpr int kStages = 5;
  int done = 0;
  const auto tick = [&] {
    if (progress)
      progress(++done, kStages);
  };
  auto compiled = std::make_shared<CompiledProgram>();
  compiled->machine = graph.machine;
  compiled->codelets = graph.codelets;
  compiled->printFormats = graph.printFormats;
  compiled->settings = std::move(settings);
  const CostModel costs(graph.machine);
  compiled->program = lower(graph, programs, estimates, costs, LoweringOptions{});
  tick();
  compiled->ranges = analyseLiveness(compiled->program);
  tick();
  const bool code = graph.machine.kind == DeviceKind::Ipu || graph.machine.compileIpuCode;
  compiled->layout = placeAllocations(compiled->program, compiled->ranges, graph.machine, LayoutOptions{code});
  tick();
  if (compiled->settings.verify)
    runCheckers(*compiled);
  tick();
  compiled->record = collectCompilation({compiled->program, compiled->ranges, compiled->layout, compiled->machine, code,
                                         compiled->settings.writeLoweredVars});
  compiled->record.options = compiled->settings.all;
  compiled->record.poplarVersion = kVersionText;
  tick();
  return compiled;
}

std::string describeOutOfMemory(const CompiledProgram &compiled) {
  const auto &over = compiled.layout.tilesOutOfMemory;
  const std::uint64_t limit = compiled.machine.bytesPerTile;
  std::string text = fmt::format("Out of memory: {} of {} tiles need more than the {} bytes that a tile has.",
                                 over.size(), compiled.program.numTiles, limit);
  for (std::size_t i = 0; i < std::min<std::size_t>(over.size(), 3); ++i) {
    const TileMemory &tile = compiled.layout.tiles[over[i].index()];
    text += fmt::format("\n  tile {}: {} bytes used (highest address), {} over; largest: {}", over[i].index(),
                        tile.totalIncludingGaps, tile.totalIncludingGaps - limit,
                        largestOwners(compiled, over[i], 5));
  }
  text += "\nSpread the largest variables over more tiles, or set the engine option debug.allowOutOfMemory to \"true\" "
          "to get a profile of the whole program.";
  return text;
}

std::shared_ptr<const CompiledProgram> &ExecutableAccess::of(poplar::Executable &executable) {
  return executable.compiled_;
}

} // namespace popscope

namespace poplar {

Executable::Executable() = default;
Executable::~Executable() = default;
Executable::Executable(Executable &&) noexcept = default;
Executable &Executable::operator=(Executable &&) noexcept = default;
bool Executable::isValid() const { return compiled_ != nullptr; }

void Executable::serialize(std::ostream &out) const {
  if (!compiled_)
    throw poplar_error("an empty Executable cannot be serialized: compile one with compileGraph first");
  const std::string bytes = popscope::executableToBytes(*compiled_);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out)
    throw poplar_error("the executable could not be written: the stream failed (disk full, or not open?)");
}

Executable Executable::deserialize(std::istream &in) {
  if (!in)
    throw poplar_error("an executable cannot be read from this stream: it is not open or has failed");
  Executable executable;
  executable.compiled_ = popscope::executableFromBytes(std::string(std::istreambuf_iterator<char>(in), {}));
  return executable;
}

} // namespace poplar
