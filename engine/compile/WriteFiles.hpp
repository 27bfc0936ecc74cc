// Files that engine options request during compilation, in addition to the profile.
#pragma once
#include "engine/compile/Compile.hpp"

#include <poplar/ArrayRef.hpp>
#include <poplar/Program.hpp>

namespace popscope {

/// Returns the path of a file in the report's folder, and creates the folder. Returns "" and prints a message on stderr
/// if there is no permission or no space. Throws poplar::invalid_option for an impossible folder.
[[nodiscard]] std::string reportPath(const EngineSettings &settings, const char *file);
/// Writes the files of target.saveOutputVertexGraph and autoReport.outputSerializedGraph. Throws
/// poplar::invalid_option, which names the option, if a file cannot be written; if there is no space, prints a message.
void writeGraphFiles(const EngineSettings &settings, const poplar::Graph &graph,
                     poplar::ArrayRef<poplar::program::Program> programs);
/// Returns records for debug.cbor: programs without DebugInfo, each with its name and the place of its construction.
[[nodiscard]] std::vector<poplar::ProfileValue::Map> debugSiteRecords(const CompiledProgram &compiled);
/// Writes the program after the pass to steps-NN-PASS.txt if popscope.dump requests this pass; NN is the pass's number
/// in kLoweringPasses. Calls `text` only then.
void writePassDump(const EngineSettings &settings, const char *pass, const std::function<std::string()> &text);
/// Writes the file of debug.loweredVarDumpFile: one row per allocation, in the order of tiles and addresses.
void writeLoweredVariables(const CompiledProgram &compiled);

} // namespace popscope
