// Builds StepPrograms by hand. Tests add steps in compile-time order; begin() and end() nest steps.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "target-models/model/TileMachine.hpp"

#include <functional>
#include <string>
#include <vector>

namespace popscope::testing {

struct AccessSpec {
  VarId var;
  AccessKind kind;
  std::vector<ElementRange> ranges;
};

class StepBuilder {
public:
  /// Creates a builder whose root Sequence is open.
  explicit StepBuilder(std::uint32_t numTiles = 1);

  /// Adds a variable whose elements (float, 4 bytes each) are spread evenly over `tiles`; elements % tiles.size() == 0.
  VarId variable(const std::string &name, std::uint64_t elements, const std::vector<std::uint32_t> &tiles = {0});
  StepVar &info(VarId v) { return program_.vars[v]; }
  SourceId source();

  AccessSpec read(VarId v) const { return whole(v, AccessKind::Read); }
  AccessSpec write(VarId v) const { return whole(v, AccessKind::Write); }
  AccessSpec undef(VarId v) const { return whole(v, AccessKind::Undef); }
  static AccessSpec readPart(VarId v, std::uint64_t b, std::uint64_t e) { return {v, AccessKind::Read, {{b, e}}}; }
  static AccessSpec writePart(VarId v, std::uint64_t b, std::uint64_t e) { return {v, AccessKind::Write, {{b, e}}}; }
  static AccessSpec undefPart(VarId v, std::uint64_t b, std::uint64_t e) { return {v, AccessKind::Undef, {{b, e}}}; }

  /// Adds an OnTileExecute. Without `source`, the step gets a new source of its own.
  std::uint32_t step(const std::vector<AccessSpec> &accesses, SourceId source = SourceId());
  std::uint32_t leaf(StepKind kind, const std::vector<AccessSpec> &accesses = {}, std::uint32_t payload = 0,
                     SourceId source = SourceId());
  std::uint32_t begin(StepKind kind, const std::vector<AccessSpec> &accesses = {}, std::uint32_t payload = 0);
  void end();

  std::uint32_t beginRepeat(std::uint32_t count);
  std::uint32_t beginSwitch(std::vector<std::int32_t> labels, bool engine = false);
  std::uint32_t call(std::uint32_t function);
  /// Closes the current tree and opens function `functions.size()`.
  void beginFunction();
  StepProgram finish();
  StepProgram &program() { return program_; }

private:
  AccessSpec whole(VarId v, AccessKind kind) const { return {v, kind, {{0, program_.vars[v].elements}}}; }

  StepProgram program_;
  std::vector<std::uint32_t> open_;
};

/// Returns a machine with 1 KiB per tile: [0, 256) executable, data from 128; [256, 512) not executable; [512, 1024)
/// interleaved. The stack takes 16 B.
TileMachine smallMachine(std::uint32_t numTiles);

} // namespace popscope::testing
