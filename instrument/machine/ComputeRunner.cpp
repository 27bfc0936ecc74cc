#include "instrument/machine/ComputeRunner.hpp"

#include "base/Check.hpp"
#include "base/Parallel.hpp"
#include "instrument/machine/OperandGuards.hpp"
#include "target-models/model/TileMachine.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace popscope {
namespace {

struct FpException {
  std::uint32_t bit;
  int hostFlag;
  const char *what;
};
constexpr FpException kFpExceptions[] = {{kFpInvalid, FE_INVALID, "an invalid operation (one that gives NaN)"},
                                         {kFpDivideByZero, FE_DIVBYZERO, "a division by zero"},
                                         {kFpOverflow, FE_OVERFLOW, "an overflow"}};
constexpr std::uint32_t kFpExceptionBits = kFpInvalid | kFpDivideByZero | kFpOverflow;

} // namespace

ComputeRunner::ComputeRunner(const StepProgram &program, const DeviceState &state, const VertexObjects &objects,
                             const ComputeGroups &groups, const CodeletFaults &faults, bool guarded, Threads threads)
    : program_(program), state_(state), objects_(objects), groups_(groups), faults_(faults), guarded_(guarded),
      threads_(threads) {}

void ComputeRunner::run(std::uint32_t execute, const TileRegisters &registers) const {
  const auto groups = groups_.groups(execute);
  const ExecuteStep &step = program_.executes[execute];
  ++executed_;
  std::vector<std::uint8_t> good(groups.size());
  parallelRanges(threads_, groups.size(), groups_.grain(execute), [&](std::size_t begin, std::size_t end) {
    faults_.run(
        [&](volatile std::uint32_t &vertex) {
          try {
            for (std::size_t g = begin; g < end; ++g)
              good[g] = runTile(groups[g], registers.fpControl(groups[g].tile), vertex) ? 1 : 0;
          } catch (const popscope_device::TileOnly &tileOnly) {
            refuseTileOnly(vertex, tileOnly.why);
          }
        },
        [&](const CodeletFaults::Fault &fault) { fail(fault); });
  });
  if (step.result.valid())
    *state_.at(step.result, step.resultOffset) =
        std::all_of(good.begin(), good.end(), [](std::uint8_t g) { return g != 0; }) ? 1 : 0;
}

bool ComputeRunner::runTile(const TileGroup &group, std::uint32_t fpControl, volatile std::uint32_t &vertex) const {
  const VertexCall *const calls = objects_.calls().data();
  const bool watched = (fpControl & kFpExceptionBits) != 0;
  const bool direct = !watched && !guarded_;
  bool good = true;
  for (std::uint32_t v = group.firstVertex; v < group.endVertex; ++v) {
    vertex = v;
    if (direct && calls[v].run != nullptr)
      good = calls[v].run(calls[v].object, 0) && good;
    else
      good = (watched ? runVertexWatched(v, group.tile, v - group.firstVertex, fpControl)
                      : runVertex(v, group.tile, v - group.firstVertex)) &&
             good;
  }
  for (std::uint32_t c = group.firstCopy; c < group.endCopy; ++c) {
    const CopyVertex &copy = program_.copies[groups_.copy(c)];
    for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r) {
      const CopyRun &run = program_.copyRuns[r];
      if (run.bytes == Bytes())
        continue;
      if (!run.src.valid())
        fill(run);
      else
        state_.copy(run.dst, run.dstOffset, run.src, run.srcOffset, run.bytes);
    }
  }
  return good;
}

void ComputeRunner::fill(const CopyRun &run) const {
  const Bytes size = program_.elementSize(run.dst);
  state_.write({run.dst, run.dstOffset, size}, program_.data.data() + run.srcOffset.count());
  const std::uint8_t *const first = state_.at(run.dst, run.dstOffset);
  const auto held = static_cast<std::size_t>(state_.at(run.dst, run.dstOffset + size) - first);
  std::uint8_t *const end = state_.at(run.dst, run.dstOffset + run.bytes);
  for (std::uint8_t *to = state_.at(run.dst, run.dstOffset + size); to < end; to += held)
    std::memcpy(to, first, held);
}

std::string ComputeRunner::describe(std::uint32_t vertex) const {
  const StepVertex &v = program_.vertices[vertex];
  const auto execute = std::find_if(program_.executes.begin(), program_.executes.end(), [&](const ExecuteStep &e) {
    return e.firstVertex <= vertex && vertex - e.firstVertex < e.numVertices;
  });
  const std::string set =
      execute == program_.executes.end() ? "" : program_.names[program_.computeSets[execute->computeSet]];
  return fmt::format("vertex {} of type '{}'{} on tile {}", v.id, objects_.classOf(vertex).name,
                     set.empty() ? "" : " in compute set '" + set + "'", v.tile.index());
}

void ComputeRunner::refuseTileOnly(std::uint32_t vertex, const char *why) const {
  throw poplar::graph_program_compilation_error(
      fmt::format("{} calls a function that the host cannot run: {}. Write a C++ version of it for builds without "
                  "__IPU__",
                  describe(vertex), why));
}

// Runs one vertex. For builtins, a plain vertex has the worker that would run the vertex if all vertices of the tile
// took the same time, because the times are known only after the values.
bool ComputeRunner::runVertex(std::uint32_t vertex, TileId tile, std::uint32_t position) const {
  const VertexClass &vertexClass = objects_.classOf(vertex);
  POPSCOPE_CHECK(vertexClass.run != nullptr, "vertex class '{}' cannot be run", vertexClass.name);
  const std::span<const ConvertedOperand> converted = objects_.converted(vertex);
  for (const ConvertedOperand &operand : converted)
    operand.load();
  std::optional<OperandGuards> guards;
  if (guarded_)
    guards.emplace(program_, objects_, vertex);
  const unsigned calls = vertexClass.kind == VertexClassKind::Multi ? kMultiVertexWorkers : 1;
  const unsigned own = vertexClass.kind == VertexClassKind::Worker ? position % kMultiVertexWorkers : 0;
  bool good = true;
  for (unsigned call = 0; call < calls; ++call) {
    if (vertexClass.place != nullptr)
      setPlace(*vertexClass.place(), vertex, call, own + call, tile);
    good = vertexClass.run(objects_.object(vertex), call) && good;
  }
  if (guards)
    if (const std::string what = guards->finish(); !what.empty())
      throw poplar::application_runtime_error(fmt::format(
          "The codelet of {} {}. A vertex may write only to its Output and InOut fields.", describe(vertex), what));
  for (const ConvertedOperand &operand : converted)
    operand.store();
  return good;
}

// Sets the place and random bits of a vertex. Place and random bits depend only on the vertex and on the number of
// earlier compute sets, and not on the number of threads.
void ComputeRunner::setPlace(popscope_device::Place &place, std::uint32_t vertex, unsigned call, unsigned worker,
                             TileId tile) const {
  place.tile = tile.index();
  place.worker = worker;
  place.vertex = objects_.object(vertex);
  place.cycles = 0;
  place.numPuts = 0;
  std::fill(std::begin(place.accumulators), std::end(place.accumulators), 0.0f);
  place.scale = 0;
  std::uint64_t mixed = ((executed_ * 0x9e3779b97f4a7c15ULL) ^ vertex) * 8 + call + 1;
  for (unsigned long long &word : place.random) { // splitmix64
    mixed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = mixed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    word = z ^ (z >> 31);
  }
}

void ComputeRunner::fail(const CodeletFaults::Fault &fault) const {
  std::string what;
  switch (fault.kind) {
  case CodeletFaults::Kind::Exception:
    what = fmt::format("has thrown an exception{}{}. A codelet must not: no tile has exceptions.",
                       fault.what.empty() ? " that is no std::exception" : ": ", fault.what);
    break;
  case CodeletFaults::Kind::DivisionByZero: what = "has divided an integer by zero, or the least integer by -1."; break;
  case CodeletFaults::Kind::Endless:
    what = fmt::format("has not ended within {} s of processor time (engine option popscope.vertexSeconds; 0 = no "
                       "limit).",
                       faults_.seconds());
    break;
  }
  throw poplar::application_runtime_error(fmt::format("The codelet of {} {}", describe(fault.vertex), what));
}

bool ComputeRunner::runVertexWatched(std::uint32_t vertex, TileId tile, std::uint32_t position,
                                     std::uint32_t fpControl) const {
  std::feclearexcept(FE_ALL_EXCEPT);
  const bool good = runVertex(vertex, tile, position);
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  for (const FpException &e : kFpExceptions)
    if ((fpControl & e.bit) != 0 && (raised & e.hostFlag) != 0)
      throw poplar::application_runtime_error(
          fmt::format("Floating-point exception: {} did {}. Floating-point exceptions stop the program "
                      "(setFloatingPointBehaviour, or the engine option debug.floatPointOpException).",
                      describe(vertex), e.what));
  return good;
}

} // namespace popscope
