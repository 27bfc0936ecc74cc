// Writes files that engine options request during compilation, in addition to the profile.
#pragma once
#include "engine/compile/Compile.hpp"

#include <poplar/ArrayRef.hpp>
#include <poplar/Program.hpp>

namespace popscope {

/// Returns the path of a file in the report's folder, and creates the folder. If there is no permission or no space,
/// prints a message on stderr and returns "". Throws poplar::invalid_option if the folder of autoReport.directory
/// cannot be created for another reason.
[[nodiscard]] std::string reportPath(const EngineSettings &settings, const char *file);
/// Writes the files of target.saveOutputVertexGraph and autoReport.outputSerializedGraph. If there is no space, or no
/// permission in the report's folder, prints a message. Throws poplar::invalid_option if a file cannot be written for
/// another reason; the message contains the option.
void writeGraphFiles(const EngineSettings &settings, const poplar::Graph &graph,
                     poplar::ArrayRef<poplar::program::Program> programs);
/// Returns records for debug.cbor about programs without DebugInfo: their names and the places of their construction.
[[nodiscard]] std::vector<poplar::ProfileValue::Map> debugSiteRecords(const CompiledProgram &compiled);
/// Writes the program after a pass to steps-NN-PASS.txt if popscope.dump requests the pass. NN is the pass's number in
/// kLoweringPasses. Calls `text` only if the file is to be written.
void writePassDump(const EngineSettings &settings, const char *pass, const std::function<std::string()> &text);
/// Writes the file of debug.loweredVarDumpFile if the option is set: one row per allocation, sorted by tile, then
/// address. If there is no space, prints a message. Throws poplar::invalid_option if the file cannot be written for
/// another reason.
void writeLoweredVariables(const CompiledProgram &compiled);

} // namespace popscope
