// The compile pipeline: GraphIr -> StepProgram -> LiveRanges -> LayoutResult -> CompilationRecord.
#pragma once
#include "base/Phases.hpp"
#include "engine/advice/Variant.hpp"
#include "engine/collect/Collect.hpp"
#include "engine/settings/Settings.hpp"
#include "graph/ir/GraphIr.hpp"
#include "instrument/profile/CompilationRows.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace poplar {
class Graph;
class Executable;
} // namespace poplar

namespace popscope {

/// The result of a compilation, with all data that a run needs. The object is immutable and must not move. An
/// Executable and its engines share the object.
struct CompiledProgram : Variant {
  std::vector<std::string> linkOptions; // link options of the graph's target, as linkOptionsOf returns them
  CodeletSet codelets;
  std::vector<PrintFormat> printFormats;
  CompilationRecord record;                    // the compilation record, without the rows of `rows`
  std::unique_ptr<const CompilationRows> rows; // rows about variables, and rows with per-tile data of programs; the
                                               // rows refer to the tables of the Variant
  EngineSettings settings;
  std::vector<CompilePhaseRecord> phases; // filled only with popscope.recordCompilePhases; empty for a loaded
                                          // executable
  std::chrono::steady_clock::time_point phasesBegan; // beginning of the first phase
  WaitingSession session;                            // session of the profile that compileGraph wrote
  std::string debugInfo; // id of the debug.cbor that compileGraph wrote; "" if it wrote none
};

using CompileProgress = std::function<void(int, int)>;

/// Compiles a graph. `phases` may be null. Throws poplar exceptions for mistakes of the user. Does not throw if a
/// program exceeds the tiles' memory: `layout.tilesOutOfMemory` then lists the tiles.
std::shared_ptr<CompiledProgram> compileProgram(const GraphIr &graph, const std::vector<ProgramPtr> &programs,
                                                const VertexEstimates &estimates, EngineSettings settings,
                                                const CompileProgress &progress, PhaseListener *phases);

/// Returns the input of collectCompilation. The input refers to `compiled`.
CollectInput collectInput(const CompiledProgram &compiled, bool explained);

/// Returns the exception text for a program that does not fit. The first line has the wording of Poplar, because
/// programs compare this line. If a profile was written, the first line contains `profilePath`. Otherwise, the first
/// line contains the fullest tile, the bytes on this tile and the limit. The next lines describe at most three tiles:
/// the tiles that exceed the limit most. For each of these tiles, the lines contain the bytes above the limit, the
/// largest contents, and the bytes that must leave the tile. If popscope.tryAdvice compiled the program with changes,
/// the last line reports whether the program fits with changes.
std::string describeOutOfMemory(const CompiledProgram &compiled, const std::string &profilePath);
/// Returns the exception text for a program that would fit if no two operands had to lie in different memory elements
/// (StepProgram::apart). These demands for different memory elements come from constraints of codelets
/// ([[poplar::constraint("elem(*a) != elem(*b)")]]), and from copy vertices that load and store in one cycle. The text
/// names the variables, their memory elements and, for a constraint, the vertex and its fields. Returns "" if no
/// operand with a demand lies past the end of memory, or if the program would not fit even without the demands.
/// Computes the layout a second time if an operand with a demand lies past the end of memory.
std::string describeApart(const CompiledProgram &compiled);
/// Returns whether tiles of this machine contain code.
bool hasCode(const TileMachine &machine);
/// Returns the machine for which a program with these settings is compiled. `machine` is the machine of the target. The
/// settings replace the rule for renaming copies and, if the settings contain them, the stack sizes. Otherwise, the
/// machine's rule for stacks chooses the stack sizes. If the tiles contain no code, dataStartOffset becomes 0.
TileMachine machineWith(TileMachine machine, const EngineSettings &settings);

struct ExecutableAccess {
  static std::shared_ptr<const CompiledProgram> &of(poplar::Executable &executable);
  static const std::shared_ptr<const CompiledProgram> &of(const poplar::Executable &executable);
};

} // namespace popscope
