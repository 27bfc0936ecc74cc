#include "bench/compare/Inputs.hpp"

namespace compare {
namespace {

bool given(const std::string &source) { return source == "estimate" || source == "estimator"; }

} // namespace

double givenByProgram(const pva::Report &report) {
  double all = 0, input = 0;
  for (const pva::VertexTypeCycles &type : report.execution().vertexTypes()) {
    all += static_cast<double>(type.cycles);
    // the least direct source of the type's cycles; if this source is not the program, no cycles of the type count
    if (given(type.type.cycleProvenance()))
      input += static_cast<double>(type.cycles);
  }
  return all == 0 ? 0 : input / all;
}

double givenByProgram(const pva::ComputeSet &computeSet) {
  std::size_t sources = 0;
  for (const pva::CycleSource &source : computeSet.cycleSources()) {
    if (!given(source.source))
      return 0;
    ++sources;
  }
  return sources == 0 ? 0 : 1;
}

} // namespace compare
