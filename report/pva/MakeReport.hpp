// A report over an open profile: of a running engine (PopWriter::file()) or of a saved file (openPop()).
#pragma once
#include <pva/pva.hpp>

#include <memory>

namespace popscope {
class PopFile;
}
namespace pva {
/// Throws popscope::ProfileError if the profile holds no compilation record. reportExecution false hides all runs.
Report makeReport(std::shared_ptr<popscope::PopFile> file, bool reportExecution = true);
} // namespace pva
