// Files that engine options ask for while a graph is compiled, beside the profile.
#pragma once
#include "engine/Compile.hpp"

#include <poplar/ArrayRef.hpp>
#include <poplar/Program.hpp>

namespace popscope {

/// target.saveOutputVertexGraph and autoReport.outputSerializedGraph. Throws poplar::invalid_option naming the option for a
/// file that cannot be written.
void writeGraphFiles(const EngineSettings &settings, const poplar::Graph &graph, poplar::ArrayRef<poplar::program::Program> programs);
/// debug.loweredVarDumpFile: one row for each allocation, in the order of tiles and addresses.
void writeLoweredVariables(const CompiledProgram &compiled);

} // namespace popscope
