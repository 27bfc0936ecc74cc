// CycleSources: records from which sources (CycleSource) the vertices got their cycles, for each compute set and vertex
// type. Profiles contain the sources next to the cycles.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Machine.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace popscope {

/// The sources of cycles. After None, the order is from the most direct to the least direct source (see CycleOrigin).
enum class CycleSource : std::uint8_t { None, Estimate, Estimator, Codelet, StandIn, LastKnown, Runtime };
constexpr std::uint64_t kNotCounted = ~std::uint64_t(0); // value of `flops` for a vertex whose floating-point
                                                         // operations were not counted
/// Returns the text that CycleOrigin::source contains, for example "stand-in"; "" for None.
const char *cycleSourceName(CycleSource source);

class CycleSources {
public:
  /// Makes an empty record. `program` must outlive the record, and the tables of `program` must not move.
  explicit CycleSources(const StepProgram &program)
      : program_(program), ofType_(program.vertexTypes.size(), CycleSource::None) {}

  /// Replaces the records of this object by the records of `earlier`, an object of the same program.
  void takeRecords(CycleSources &&earlier);
  /// Records one execution of a compute set. `sources` contains the source of the cycles of each vertex of the compute
  /// set. `flops` contains the counted floating-point operations of each vertex, or kNotCounted. `sources` and `flops`
  /// are in the order of the vertices.
  void add(const ExecuteStep &execute, const std::vector<CycleSource> &sources,
           const std::vector<std::uint64_t> &flops);
  /// Records executions of a compute set in which each vertex has an estimate. origins() and leastDirect() evaluate the
  /// sources later.
  void addStatic(const ExecuteStep &execute) { static_.push_back(&execute); }
  /// Adds the floating-point operations of one vertex whose cycles are an estimate. Later executions do not replace
  /// these operations.
  void addFlops(const ExecuteStep &execute, VertexTypeId type, CycleSource source, std::uint64_t operations);
  /// Records the reason why the vertices of the type in this compute set get their cycles from `source`, and not from a
  /// source that VertexCycles tries earlier. An earlier reason stays.
  void addReason(const ExecuteStep &execute, VertexTypeId type, CycleSource source, const std::string &reason);
  [[nodiscard]] CycleSource leastDirect(VertexTypeId type);
  /// Returns the sources, sorted by compute set, type and source.
  [[nodiscard]] std::vector<CycleOrigin> origins();

private:
  using Key = std::tuple<ComputeSetId, VertexTypeId, CycleSource>;
  struct Origin {
    std::uint64_t most = 0;
    CountedFlops flops;
    std::string reason;
  };
  template <class SourceOf> void tally(const ExecuteStep &execute, const SourceOf &sourceOf);
  void tallyFlops(const ExecuteStep &execute, const std::vector<CycleSource> &sources,
                  const std::vector<std::uint64_t> &flops);
  void settle();

  const StepProgram &program_;
  IdVector<VertexTypeId, CycleSource> ofType_;
  std::map<Key, Origin> origins_;
  std::vector<const ExecuteStep *> static_; // compute sets that have not been added to origins_ yet
};

} // namespace popscope
