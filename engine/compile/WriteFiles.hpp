// Writes, during a compilation, the files that engine options request in addition to the profile.
#pragma once
#include "engine/compile/Compile.hpp"

#include <poplar/ArrayRef.hpp>
#include <poplar/Program.hpp>

namespace popscope {

/// Returns the path of the file `file` in the report's folder. Creates the folder if it does not exist. If the folder
/// cannot be created because of missing permission or space, prints a message on stderr and returns "". Throws
/// poplar::invalid_option if the folder cannot be created for another reason.
[[nodiscard]] std::string reportPath(const EngineSettings &settings, const char *file);
/// Writes the files of target.saveOutputVertexGraph and autoReport.outputSerializedGraph. If a file cannot be written
/// because of missing space, prints a message. The same holds for missing permission in the report's folder. If a file
/// cannot be written for another reason, throws poplar::invalid_option; the message contains the option.
void writeGraphFiles(const EngineSettings &settings, const poplar::Graph &graph,
                     poplar::ArrayRef<poplar::program::Program> programs);
/// Returns the records of debug.cbor for programs without a DebugInfo. A record contains the name of the program, and
/// the place in the user's code that constructs the program, if this place is known.
[[nodiscard]] std::vector<poplar::ProfileValue::Map> debugSiteRecords(const CompiledProgram &compiled);
/// Writes the state of the program after the pass `pass` to the file steps-NN-PASS.txt, if popscope.dump requests this
/// pass. NN is the number of the pass in kLoweringPasses, counted from 1. Calls `text` only if the file is to be
/// written.
void writePassDump(const EngineSettings &settings, const char *pass, const std::function<std::string()> &text);
/// Writes the file of debug.loweredVarDumpFile if the option is set: a CSV table with one row per allocation, sorted by
/// tile, then by address. If there is no space, prints a message. Throws poplar::invalid_option if the file cannot be
/// written for another reason.
void writeLoweredVariables(const CompiledProgram &compiled);

} // namespace popscope
