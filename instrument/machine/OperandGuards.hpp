// OperandGuards: finds stray writes, for debug.runtimeVerify. A vertex runs on copies of its operands and of the
// vectors in its state, with guard bytes around each copy. Changed guard bytes show a write before or after an operand.
// If the copy of an input differs from the original, the vertex wrote to the input.
//
//   | guard | x | guard | y and z, which share elements | guard |      the vertex's object points to these copies
//
// Operands that share elements have one common copy, so that a vertex can work in place on shared elements. Reads
// outside of operands are not detected; these reads return guard bytes. Cost: a copy of each operand, and some 4 KiB of
// guard bytes per operand.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/VertexObjects.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

class OperandGuards {
public:
  /// Size in bytes of each guard. Writes beyond a guard are not detected.
  static constexpr std::size_t kGuardBytes = 4096;

  OperandGuards(const StepProgram &program, const VertexObjects &objects, std::uint32_t vertex);
  /// Restores the pointers of the vertex's object. Values that the vertex wrote are in the homes only if finish() found
  /// no fault.
  ~OperandGuards();
  OperandGuards(const OperandGuards &) = delete;
  OperandGuards &operator=(const OperandGuards &) = delete;

  /// If there is no fault, copies the outputs to the homes and returns "". If there is a fault, copies nothing and
  /// returns a description of the fault, such as "writes up to 336 bytes behind field 'o' (4 elements)".
  [[nodiscard]] std::string finish();

private:
  struct Operand {
    void **slot = nullptr; // the pointer to the operand in the vertex's object
    std::uint8_t *data = nullptr;
    std::size_t bytes = 0;
    std::uint64_t elements = 0;
    std::uint16_t field = 0;
    std::uint32_t subIndex = 0;
    bool nested = false, writes = false;
    std::size_t block = 0;
  };
  struct Block { // a range of bytes in a home or in the vertex's state; operands that share bytes have one block
    std::uint8_t *begin = nullptr, *end = nullptr;
    std::uint8_t *copy = nullptr; // copy of [begin, end) in memory_
  };
  [[nodiscard]] const Operand *changedInput(std::size_t block) const;
  [[nodiscard]] std::string describe(const char *what, std::size_t block, bool behind, std::size_t bytes) const;

  const VertexClass &class_;
  std::vector<Operand> operands_;
  std::vector<Block> blocks_;
  std::vector<std::uint8_t> memory_;
};

} // namespace popscope
