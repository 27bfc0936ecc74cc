// Prints summaries of profile trees (Engine::getGraphProfile and getExecutionProfile), as Engine::printProfileSummary
// does, from the profile that each tree carries.
#include "engine/legacy/LegacyProfile.hpp"
#include "engine/settings/SummaryRequest.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"

#include <poplar/Engine.hpp>

#include <ostream>

namespace poplar {
namespace {

popscope::SummaryOptions optionsFor(std::ostream &out, const OptionFlags &options) {
  return popscope::readSummaryOptions(options, popscope::isTerminal(out));
}

} // namespace

void printGraphSummary(std::ostream &out, const ProfileValue &graphProfile, const OptionFlags &opt) {
  const popscope::SummaryOptions options = optionsFor(out, opt);
  popscope::printGraphPart(out, popscope::carriedReport(graphProfile, "Graph"), options);
}

void printExecutionSummary(std::ostream &out, const ProfileValue &, const ProfileValue &executionProfile,
                           const OptionFlags &opt) {
  const popscope::SummaryOptions options = optionsFor(out, opt);
  popscope::printExecutionPart(out, popscope::carriedReport(executionProfile, "Execution"), options);
}

} // namespace poplar
