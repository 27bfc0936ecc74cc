// Prints summaries of the profile trees of Engine::getGraphProfile and Engine::getExecutionProfile. The numbers come
// from the profile that each tree contains, and the text has the form of Engine::printProfileSummary.
#include "engine/legacy/LegacyProfile.hpp"
#include "engine/settings/SummaryRequest.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"

#include <poplar/Engine.hpp>

#include <ostream>

namespace poplar {

void printGraphSummary(std::ostream &out, const ProfileValue &graphProfile, const OptionFlags &opt) {
  const popscope::SummaryOptions options = popscope::readSummaryOptions(opt, out);
  popscope::printGraphPart(out, popscope::carriedReport(graphProfile, "Graph"), options);
}

void printExecutionSummary(std::ostream &out, const ProfileValue &, const ProfileValue &executionProfile,
                           const OptionFlags &opt) {
  const popscope::SummaryOptions options = popscope::readSummaryOptions(opt, out);
  popscope::printExecutionPart(out, popscope::carriedReport(executionProfile, "Execution"), options);
}

} // namespace poplar
