// Makes a report of an open profile. The profile belongs to a running engine (PopWriter::file()), or is a saved file
// (openPop()).
#pragma once
#include <pva/pva.hpp>

#include <memory>

namespace popscope {
class PopFile;
}
namespace pva {
/// Makes a report. If reportExecution is false, the report contains no runs. Throws popscope::ProfileError if the
/// profile has no compilation record.
Report makeReport(std::shared_ptr<popscope::PopFile> file, bool reportExecution = true);
} // namespace pva
