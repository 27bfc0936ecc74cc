// Rv32: an interpreter of the RV32IMF instruction set with the extension Zfh (halves). The memory of the interpreted
// code is one flat block. Rv32 counts instructions. An access outside the block, or a store to read-only memory, ends
// the run with an error. Floating-point arithmetic rounds to nearest even; conversions to integers use the rounding
// mode of the instruction.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace popscope {

/// Memory at addresses [base, base + bytes.size()). Addresses below `writableFrom` are read-only.
struct Rv32Memory {
  std::uint32_t base = 0, writableFrom = 0;
  std::vector<std::uint8_t> bytes;
  [[nodiscard]] bool contains(std::uint32_t address, std::uint64_t count) const {
    return address >= base && std::uint64_t(address) - base + count <= bytes.size();
  }
  [[nodiscard]] std::uint8_t *at(std::uint32_t address) { return bytes.data() + (address - base); }
  /// Loads little-endian bytes; the caller has checked contains().
  [[nodiscard]] std::uint32_t load(std::uint32_t address, unsigned count) const;
  void store(std::uint32_t address, std::uint32_t value, unsigned count);
};

struct Rv32Outcome {
  bool completed = false;
  std::uint64_t instructions = 0; // executed instructions, including the cost of traps
  std::uint64_t accesses = 0;     // instructions that access memory or may jump
  std::uint64_t flops = 0;        // floating-point operations, without the operations of traps
  std::string problem;            // empty when completed
};

class IssueSlots;

class Rv32 {
public:
  /// A function that executes a library function. The interpreter calls the trap when the program counter enters
  /// [kTrapsBegin, kTrapsEnd). The trap reads and writes registers and memory, and adds to `cost`. If the run must end,
  /// the trap sets `problem` and returns false. Otherwise, execution continues at x[1].
  using Trap = std::function<bool(Rv32 &, std::uint32_t address, std::uint64_t &cost, std::string &problem)>;

  static constexpr std::uint32_t kReturn = 0xff0; // a jump to this address ends the call
  static constexpr std::uint32_t kTrapsBegin = 0x1000, kTrapsEnd = 0x10000;

  /// Creates the interpreter. `memory`, `trap` and `issue` must outlive the interpreter; `issue` receives each
  /// instruction before execution, and may be null.
  Rv32(Rv32Memory &memory, const Trap &trap, IssueSlots *issue = nullptr)
      : memory_(memory), trap_(trap), issue_(issue) {}

  /// Runs the function at `entry` until the function returns, fails or has executed `limit` instructions. The
  /// function's arguments are in x and f.
  Rv32Outcome call(std::uint32_t entry, std::uint32_t stackTop, std::uint64_t limit);

  std::array<std::uint32_t, 32> x{}; // x[0] is always 0
  std::array<std::uint32_t, 32> f{}; // bit patterns
  [[nodiscard]] Rv32Memory &memory() { return memory_; }
  [[nodiscard]] float floatOf(unsigned reg) const;
  void setFloat(unsigned reg, float value);
  /// Returns a half from the low 16 bits if all higher bits are set; returns NaN otherwise.
  [[nodiscard]] float halfOf(unsigned reg) const;
  /// Rounds `value` to the nearest half.
  void setHalf(unsigned reg, double value);

private:
  bool step(std::uint32_t word);
  bool load(std::uint32_t word);
  bool store(std::uint32_t word);
  bool branch(std::uint32_t word);
  bool immediate(std::uint32_t word);
  bool registers(std::uint32_t word);
  bool multiply(std::uint32_t word);
  bool floating(std::uint32_t word);
  bool singles(std::uint32_t word);
  bool singleConvert(std::uint32_t word);
  bool compare(std::uint32_t word, float a, float b);
  bool fused(std::uint32_t word);
  bool halves(std::uint32_t word);
  bool halfConvert(std::uint32_t word);
  bool fail(const std::string &why);
  bool unknown(std::uint32_t word);                  // fails with a message that shows the instruction's bits
  void set(std::uint32_t word, std::uint32_t value); // sets the destination register of `word`

  Rv32Memory &memory_;
  const Trap &trap_;
  IssueSlots *issue_;
  std::uint32_t pc_ = 0, next_ = 0;
  std::string problem_;
};

} // namespace popscope
