// popscope measured: cycles measured on a real machine next to the model's estimates.
#pragma once
#include "report/answers/View.hpp"

#include <pva/Measured.hpp>

namespace popscope {

[[nodiscard]] Rows collectMeasured(const Request &request);

/// The measurements from one source for one place. A place is a step, a compute set or a vertex type, on one tile or on
/// the slowest tile.
struct MeasuredPlace {
  pva::MeasuredCycles::Of of = pva::MeasuredCycles::Of::Step;
  std::size_t id = 0;     // program id, compute set id or vertex type id, depending on `of`
  std::int64_t tile = -1; // -1 stands for the slowest tile
  std::string source, name;
  std::uint64_t samples = 0, sum = 0, least = ~std::uint64_t(0), most = 0;
  std::uint64_t executions = 0, estimated = 0; // `executions`: number of executions with known cycles or, for a vertex
                                               // type, number of executed vertices; `estimated`: the estimated cycles
                                               // of all these executions or vertices together

  [[nodiscard]] std::uint64_t mean() const { return (sum + samples / 2) / samples; }
  [[nodiscard]] std::optional<std::uint64_t> estimate() const {
    return executions == 0 ? std::nullopt : std::optional((estimated + executions / 2) / executions);
  }
};
/// Returns the places, sorted by source, kind, id and tile. The estimate of a step or compute set is the mean of the
/// cycles of one execution, over the selected steps of the selected runs. The estimate of a vertex type is the mean of
/// the cycles of one vertex, over the runs that ExecutionReport::vertexTypes() sums up. A vertex type on one tile has
/// no estimate.
[[nodiscard]] std::vector<MeasuredPlace> measuredPlaces(const pva::List<pva::MeasuredCycles> &measured,
                                                        const pva::Report &report, const Selection &selection);

} // namespace popscope
