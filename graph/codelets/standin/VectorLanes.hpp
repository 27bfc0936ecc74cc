// VectorLanes: finds instructions of the stand-in that would be the lanes of one vector instruction on the machine. A
// vector has two floats, or two or four halves. The stand-in has no vectors: its compiler splits float2, half2 and
// half4 into lanes.
//
//   flw ft0, 0(a0); flw ft1, 4(a0)                  ld64    where the address is a multiple of 8
//   fadd.s ft2, ft0, fa0; fadd.s ft3, ft1, fa0      f32v2add
//   fsw ft2, 0(a1); fsw ft3, 4(a1)                  st64
//
// Loads alone form no vector: two adjacent loads are one vector load only if a vector operation uses both loaded values
// as lanes. Two halves form a pair of 4 bytes (f16v2add, ld32, st32), and two pairs form a vector of 8 bytes (f16v4add,
// ld64, st64).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace popscope {

/// The properties of an operation that VectorLanes needs.
struct LaneOperation {
  std::uint32_t kind = 0;              // the number of the operation
  unsigned bytes = 4, resultBytes = 4; // bytes of one lane of the operands, and of the result: 4 or 2
};

class VectorLanes {
public:
  /// Forgets all lanes, loads, stores and operations. Call clear at each jump, because no vector instruction has lanes
  /// on both sides of a jump.
  void clear();
  /// Notes a load of `bytes` bytes, 4 or 2.
  void load(unsigned rd, std::uint32_t address, unsigned bytes);
  /// Forgets earlier loads, so that later loads form no vector with them. Call forgetLoads when a store may come
  /// between the loads.
  void forgetLoads() { loads_.clear(); }
  /// Notes a store. Returns the number of slots that the store saves by joining earlier stores of the same vector, or 0
  /// if there is no store to join. `slots` is the number of slots that the store of one lane alone takes.
  [[nodiscard]] std::int32_t store(unsigned rs, std::uint32_t address, unsigned bytes, std::int32_t slots);
  /// Notes an operation. Returns the number of slots that the operation saves by joining earlier operations of the same
  /// vector. The number includes the slots that the loads of the operands save if these loads become one vector load.
  /// For an operation on one register, rs1 and rs2 are equal.
  [[nodiscard]] std::int32_t operate(const LaneOperation &operation, unsigned rd, unsigned rs1, unsigned rs2,
                                     std::int32_t slots);
  /// Notes that `rd` receives a value that is not a lane.
  void write(unsigned rd);

private:
  struct Lane { // the lane that one register holds
    std::uint32_t group = 0, version = 0;
    unsigned lane = 0; // number of the lane; undefined without a group
  };
  struct Group { // the possible contents of a vector register of 8 bytes; masks have one bit per lane
    unsigned bytes = 4, present = 0;
    bool isLoaded = false;
    unsigned joined = 0; // lanes whose load is joined with the load of a neighbouring lane
  };
  struct Load {
    std::uint32_t address = 0, group = 0; // address: a multiple of 8
  };
  struct Store {
    std::uint32_t address = 0, group = 0;
    unsigned bytes = 4, stored = 0;
  };
  struct Operation {
    LaneOperation operation;
    std::uint32_t result = 0;
    std::array<unsigned, 2> registers{};
    std::array<Lane, 2> operands{};
    unsigned lane = 0, done = 0; // the lane number of the operands; a mask of the lanes that instructions cover so far
  };
  [[nodiscard]] std::uint32_t newGroup(unsigned bytes, bool isLoaded);
  [[nodiscard]] bool isVector(const Lane &lane) const;
  [[nodiscard]] bool isBeside(const Operation &first, const Operation &second) const;
  void set(unsigned rd, std::uint32_t group, unsigned lane);
  [[nodiscard]] std::int32_t joinLoads(const Lane &operand);

  std::array<Lane, 32> lanes_{};
  std::vector<Group> groups_{{}}; // group 0 means no group
  std::vector<Load> loads_;
  std::vector<Store> stores_;
  std::vector<Operation> operations_;
  std::uint32_t version_ = 0;
};

} // namespace popscope
