// Files that engine options ask for while a graph is compiled, beside the profile.
#pragma once
#include "engine/compile/Compile.hpp"

#include <poplar/ArrayRef.hpp>
#include <poplar/Program.hpp>

namespace popscope {

/// Of a file in the report's folder, which is made. "" where it may not be, or has no room: that is said on stderr.
/// Throws poplar::invalid_option for a folder that cannot be.
[[nodiscard]] std::string reportPath(const EngineSettings &settings, const char *file);
/// target.saveOutputVertexGraph and autoReport.outputSerializedGraph. Throws poplar::invalid_option naming the option
/// for a file that cannot be written; for want of room a line on stderr says so.
void writeGraphFiles(const EngineSettings &settings, const poplar::Graph &graph,
                     poplar::ArrayRef<poplar::program::Program> programs);
/// For debug.cbor: programs that lie in no DebugInfo, each with its name and the place where it was made.
[[nodiscard]] std::vector<poplar::ProfileValue::Map> debugSiteRecords(const CompiledProgram &compiled);
/// popscope.dump: the program after the pass, if it is one of those asked for, into steps-NN-PASS.txt; NN is the pass's
/// number in kLoweringPasses. Calls `text` only then.
void writePassDump(const EngineSettings &settings, const char *pass, const std::function<std::string()> &text);
/// debug.loweredVarDumpFile: one row for each allocation, in the order of tiles and addresses.
void writeLoweredVariables(const CompiledProgram &compiled);

} // namespace popscope
