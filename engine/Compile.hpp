// The compile pipeline: GraphIr -> StepProgram -> LiveRanges -> LayoutResult -> CompilationRecord.
#pragma once
#include "engine/Settings.hpp"
#include "graph/ir/GraphIr.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/profile/Records.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace poplar {
class Graph;
class Executable;
} // namespace poplar

namespace popscope {

/// All that running needs; immutable, shared by an Executable and its engines.
struct CompiledProgram {
  TileMachine machine;
  CodeletSet codelets;
  std::vector<PrintFormat> printFormats;
  StepProgram program;
  LiveRanges ranges;
  LayoutResult layout;
  CompilationRecord record;
  EngineSettings settings;
};

using CompileProgress = std::function<void(int, int)>;

/// Throws the user's mistakes as poplar exceptions. Running out of tile memory is not one of them: it stands in
/// `layout.tilesOutOfMemory`.
std::shared_ptr<const CompiledProgram> compileProgram(const GraphIr &graph, const std::vector<ProgramPtr> &programs,
                                                      const VertexEstimates &estimates, EngineSettings settings,
                                                      const CompileProgress &progress);

/// Exception text for a program that does not fit: the worst tiles, by how much, and what fills them.
std::string describeOutOfMemory(const CompiledProgram &compiled);

struct ExecutableAccess {
  static std::shared_ptr<const CompiledProgram> &of(poplar::Executable &executable);
};

} // namespace popscope
