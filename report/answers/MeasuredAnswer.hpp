// popscope measured: cycles of a real machine beside the estimates of the model.
#pragma once
#include "report/answers/View.hpp"

#include <pva/Measured.hpp>

namespace popscope {

[[nodiscard]] Rows collectMeasured(const Request &request);

/// What was measured of a place: a step, a compute set or a vertex type, of one source.
struct MeasuredPlace {
  pva::MeasuredCycles::Of of = pva::MeasuredCycles::Of::Step;
  std::size_t id = 0;
  std::int64_t tile = -1; // -1: the slowest
  std::string source, name;
  std::uint64_t samples = 0, sum = 0, least = ~std::uint64_t(0), most = 0;
  std::uint64_t executions = 0, estimated = 0; // sum over the executions with known cycles

  [[nodiscard]] std::uint64_t mean() const { return (sum + samples / 2) / samples; }
  [[nodiscard]] std::optional<std::uint64_t> estimate() const {
    return executions == 0 ? std::nullopt : std::optional((estimated + executions / 2) / executions);
  }
};
/// By source, kind, id and tile. The estimates are means over the chosen runs; of vertex types over all recorded runs.
[[nodiscard]] std::vector<MeasuredPlace> measuredPlaces(const pva::List<pva::MeasuredCycles> &measured,
                                                        const pva::Report &report, const Selection &selection);

} // namespace popscope
