// Makes a report of an open profile: of a running engine (PopWriter::file()) or of a saved file (openPop()).
#pragma once
#include <pva/pva.hpp>

#include <memory>

namespace popscope {
class PopFile;
}
namespace pva {
/// Makes a report. Throws popscope::ProfileError if the profile has no compilation record. If reportExecution is false,
/// the report hides all runs.
Report makeReport(std::shared_ptr<popscope::PopFile> file, bool reportExecution = true);
} // namespace pva
