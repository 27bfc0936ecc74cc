// FloatPairs: which float instructions of the stand-in are halves of one that works on two floats side by side. The
// stand-in has no vectors: its compiler takes float2 apart, lane by lane.
//
//   flw ft0, 0(a0); flw ft1, 4(a0)                  ld64    where the address is a multiple of 8
//   fadd.s ft2, ft0, fa0; fadd.s ft3, ft1, fa0      f32v2add
//   fsw ft2, 0(a1); fsw ft3, 4(a1)                  st64
//
// Loads alone make no vector: two that lie side by side are one only where an operation has both as its lanes.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace popscope {

class FloatPairs {
public:
  /// Forgets everything: lanes are of one stretch of code without jumps.
  void clear();
  void load(unsigned rd, std::uint32_t address);
  /// Something is stored: what was read before is no half of what is read from now on.
  void forgetLoads() { loads_.clear(); }
  /// Slots spared: 1 where the store is the second half of a pair's.
  [[nodiscard]] unsigned store(unsigned rs, std::uint32_t address);
  /// `operation` tells operations apart. Slots spared: 1 where it is the second lane, and 1 for each operand that
  /// both loads were for.
  [[nodiscard]] unsigned operate(std::uint32_t operation, unsigned rd, unsigned rs1, unsigned rs2);
  /// `rd` gets a value that is no lane.
  void write(unsigned rd);

private:
  struct Lane { // of one register
    std::uint32_t pair = 0, version = 0;
    unsigned lane = 0; // 0 or 1; means nothing without a pair
  };
  struct Pair {
    bool full = false, loaded = false;
  };
  struct Half { // of a load or store
    std::uint32_t address = 0, pair = 0;
  };
  struct Operation {
    std::uint32_t operation = 0, result = 0;
    std::array<unsigned, 2> registers{};
    std::array<Lane, 2> operands{};
    unsigned lane = 0;
  };
  [[nodiscard]] std::uint32_t newPair();
  [[nodiscard]] bool isFull(const Lane &lane) const;
  [[nodiscard]] bool isOther(const Operation &first, const Operation &second) const;
  void set(unsigned rd, std::uint32_t pair, unsigned lane);

  std::array<Lane, 32> lanes_{};
  std::vector<Pair> pairs_{{}}; // pair 0 = none
  std::vector<Half> loads_, stores_;
  std::vector<Operation> operations_;
  std::uint32_t version_ = 0;
};

} // namespace popscope
