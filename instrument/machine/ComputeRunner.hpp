// ComputeRunner: computes the values of OnTileExecute steps. Tiles run in parallel. On a tile, the vertices run first,
// in the order in which they were added to the compute set, and then the copy vertices.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/CodeletFaults.hpp"
#include "instrument/machine/ComputeGroups.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/TileRegisters.hpp"
#include "instrument/machine/VertexObjects.hpp"

namespace popscope {

class ComputeRunner {
public:
  /// Keeps all references, which must outlive the runner. If `guarded` is true, each vertex runs with OperandGuards.
  ComputeRunner(const StepProgram &program, const DeviceState &state, const VertexObjects &objects,
                const ComputeGroups &groups, const CodeletFaults &faults, bool guarded, Threads threads);

  /// Runs all vertices and copy vertices of StepProgram::executes[execute]. If the step has a result operand, stores
  /// the AND of the vertices' return values in this operand.
  ///
  /// Throws poplar::application_runtime_error if a floating-point operation of a vertex divides by zero, overflows or
  /// is invalid, and the tile's floating-point control makes this fault an error. The host's arithmetic detects the
  /// fault. The message names the first faulty vertex, by number, type, compute set and tile. Throws
  /// poplar::graph_program_compilation_error if a vertex calls a function that only a tile can run
  /// (graph/codelets/TileOnly.hpp). Also throws poplar::application_runtime_error if a codelet throws an exception,
  /// divides an integer by zero or exceeds the time limit of CodeletFaults. With `guarded`, also throws
  /// poplar::application_runtime_error if a vertex writes outside of its operands or to an input.
  void run(std::uint32_t execute, const TileRegisters &registers) const;

private:
  /// Runs the vertices and copy vertices of a tile, and returns the AND of the vertices' return values. Stores the
  /// number of each vertex in `vertex` before this vertex runs.
  bool runTile(const TileGroup &group, std::uint32_t fpControl, volatile std::uint32_t &vertex) const;
  void fill(const CopyRun &run) const;
  /// Runs StepProgram::vertices[vertex]. `position` is the number of the vertex among the vertices of the compute set
  /// on the tile.
  bool runVertex(std::uint32_t vertex, TileId tile, std::uint32_t position) const;
  /// Sets the members of `place` that the builtins of codelets read or change. `call` is the number of the call of
  /// compute(), for vertices with several calls.
  void setPlace(popscope_device::Place &place, std::uint32_t vertex, unsigned call, unsigned worker, TileId tile) const;
  /// Returns, for example, "vertex 12 of type 'Add' in compute set 'sum' on tile 3". Cost: linear in
  /// StepProgram::executes.
  [[nodiscard]] std::string describe(std::uint32_t vertex) const;
  /// Throws graph_program_compilation_error. The message contains the vertex and the reason `why`.
  [[noreturn]] void refuseTileOnly(std::uint32_t vertex, const char *why) const;
  [[noreturn]] void fail(const CodeletFaults::Fault &fault) const;
  bool runVertexWatched(std::uint32_t vertex, TileId tile, std::uint32_t position, std::uint32_t fpControl) const;

  const StepProgram &program_;
  const DeviceState &state_;
  const VertexObjects &objects_;
  const ComputeGroups &groups_;
  const CodeletFaults &faults_;
  bool guarded_;
  Threads threads_;
  mutable std::uint64_t executed_ = 0; // number of calls of run()
};

} // namespace popscope
