// The stand-in object: codelets compiled for RV32, a 32-bit instruction set. An instruction of RV32 has 4 bytes, like
// an instruction of the modelled machine. Popscope links the object of each codelet source to an image
// (CompiledLibrary::standInImage), and measures the size of each symbol. A small interpreter runs this image to count
// the instructions that a vertex executes for the values of its fields. A call of a library function costs the issue
// slots that the LibraryCost function returns. For memcpy, memmove and memset, each 4-byte word that the call moves or
// sets costs two slots more.
#pragma once
#include "graph/codelets/VertexClass.hpp"
#include "target-models/model/StandInModel.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace popscope {

/// An operand of the vertex that runs: the data of one field, or of one edge of a field, in host memory.
struct StandInOperand {
  std::uint16_t field = 0;
  std::uint32_t subIndex = 0;
  const void *data = nullptr; // null means that all elements are 0
  std::uint64_t elements = 0;
};
struct StandInResult {
  std::uint64_t instructions = 0; // executed instructions, including the cost of library calls
  std::int64_t slotsBeyond = 0;   // issue slots on the machine minus `instructions`
  std::uint64_t accesses = 0;     // instructions that touch memory or may jump
  std::uint64_t flops = 0;        // floating-point operations
  std::uint64_t waits = 0;        // cycles that a supervisor waits for results, in addition to the cycles of the
                                  // supervisor's instructions
  bool completed = false;         // false: the run could not begin, or stopped at the limit, an unknown function, a
                                  // failed library call, or a bad instruction or address
  std::string problem;
};
/// A function that returns the issue slots of one call of `function`, a library function that the image does not
/// define. Returns 0 if the slots are unknown.
using LibraryCost = std::function<std::uint64_t(const std::string &function)>;

/// The rules for the issue slots that instructions take on a machine. By default, each instruction takes one slot.
/// `rptCountMax` and `workerContexts` have the values of the members of TileMachine with the same names.
struct StandInIssue {
  StandInModel model;
  std::uint32_t rptCountMax = 4095, workerContexts = 6;
};

/// Runs the class's entry point in the image on copies of the operands, so that the operands themselves do not change.
/// Thread-safe. `worker` is the number of the worker of a MultiVertex. If `after` is not null, `after` receives the
/// bytes of every operand after the run, in the order of the operands. The operand of a scalar state field contains the
/// field's initial value. `after` receives this initial value, too, because the vertex changes the field only in its
/// state. If `cost` is empty, each call of a library function costs one slot instead of the slots that `cost` would
/// return.
StandInResult runStandIn(const VertexClass &vertexClass, const std::vector<StandInOperand> &operands,
                         const LibraryCost &cost, unsigned worker, std::uint64_t instructionLimit,
                         std::vector<std::vector<std::uint8_t>> *after = nullptr, const StandInIssue &issue = {});

} // namespace popscope
