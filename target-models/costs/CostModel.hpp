// CostModel: the cycles that the machine itself takes for exchanges, syncs, host copies and copies within a tile. The
// cycles of the user's vertices come from estimates or the stand-in. All functions are pure and thread-safe. All
// functions take constant time, with two exceptions: globalExchange, and the functions that take a name and search a
// sorted table. Cycles are tile cycles (cycles of the clock of a tile), and sizes are in bytes, unless a comment states
// something else. A thread cycle is one issue slot of a worker.
#pragma once
#include "base/ElementType.hpp"
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "target-models/model/TileMachine.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace popscope {

/// The copy and fill vertices of the runtime, which work within a tile (docs/inside/cost-model.md).
enum class CopyVertexKind : std::uint8_t {
  Memcpy64BitSupervisor,          // one long run to another memory element; addresses and size are multiples of 8 bytes
  ShortMemcpy,                    // one short run
  StridedCopyDA32,                // several 4-byte aligned runs; source and destination may be strided
  DstStridedCopyDA32,             // 4-byte aligned runs from one contiguous source, or one run that suits no other kind
  SubWordCopy,                    // runs that are not 4-byte aligned
  Memcpy64Bit,                    // one worker copies a run that Memcpy64BitSupervisor could copy, or a part of the run
  StridedCopy64BitMultiAccess,    // several runs to another memory element; addresses and sizes: multiples of 8 bytes
  DstStridedCopy64BitMultiAccess, // like StridedCopy64BitMultiAccess, but from one contiguous source
  MemsetZero,                     // fills one run of words with zeros
  MemsetZero64Bit,                // fills one run with zeros; address and size are multiples of 8 bytes
  DstStridedMemsetZero64Bit,      // fills several runs with zeros; addresses and sizes are multiples of 8 bytes
  DstStridedMemsetZero,           // fills several runs of words with zeros
  Memset,                         // fills one run of words with a value other than zero
  Memset64Bit,                    // like MemsetZero64Bit, but with a value other than zero
  DstStridedMemset64Bit,          // like DstStridedMemsetZero64Bit, but with a value other than zero
  DstStridedMemset,               // like DstStridedMemsetZero, but with a value other than zero
  SubWordMemset,                  // fills runs that are not 4-byte aligned
};
inline constexpr std::size_t kNumCopyVertexKinds = 17;
/// Number of bytes that the vertices with 64Bit in their names move at once. The addresses and sizes of the data that
/// these vertices move are multiples of this number.
inline constexpr std::uint32_t kWideCopyBytes = 8;
/// Returns the name of the vertex, e.g. "poplar_rt::ShortMemcpy".
const char *copyVertexName(CopyVertexKind kind);
bool copyVertexIsSupervisor(CopyVertexKind kind);
/// Returns whether a copy vertex of this kind needs homes that begin at multiples of kWideCopyBytes.
bool wantsWideHomes(CopyVertexKind kind);
/// Returns whether a copy vertex of this kind loads and stores in the same cycle. For these kinds, source and
/// destination must lie in different memory elements.
bool wantsTwoElements(CopyVertexKind kind);

/// The task of one copy vertex. All addresses and sizes are multiples of `align`.
struct CopyShape {
  Bytes bytes;
  std::uint64_t runs = 1;
  std::uint32_t align = 4;
  bool contiguousSource = true; // true: the source is one run
  /// Copied: the vertex copies data. Zero: the vertex fills memory with zeros. Other: the vertex fills memory with
  /// another value.
  enum class Value : std::uint8_t { Copied, Zero, Other } value = Value::Copied;
  /// True if source and destination are in different memory elements, so that a load and a store can execute in the
  /// same cycle.
  bool multiAccess = true;
};

/// The memory of one copy vertex on its tile.
struct CopyVertexFootprint {
  std::uint32_t pointerBytes = 0;    // counted as "copy pointers"
  std::uint32_t stateBytes = 0;      // the whole vertexInstanceState, including pointers
  std::uint32_t descriptorBytes = 0; // the copyDescriptor
};

/// The bytes that go from one IPU to another in one exchange. The ids number the IPUs of all replicas.
struct IpuTransfer {
  IpuId from, to;
  Bytes bytes;
};
/// Cycles from the start of an exchange until the first byte of a transfer arrives, and until all bytes have arrived.
struct IpuTransferCycles {
  Cycles latency, total;
};

class CostModel {
public:
  /// Numbers of control instructions that a receiver executes between two messages, while words arrive. For a change of
  /// sender, the receiver sets the address and the multiplexer, which selects the sender. This takes kSenderControls
  /// instructions, or kSenderControlsInOne by the rules of some releases (docs/inside/releases.md). For another message
  /// of the same sender, the receiver sets only the address (kAddressControls), or nothing if the data continues
  /// directly after the previous message.
  static constexpr std::uint32_t kSenderControls = 2, kSenderControlsInOne = 1, kAddressControls = 1;

  /// Makes a model with a copy of the machine. Throws poplar::invalid_machine_model for an invalid machine.
  explicit CostModel(TileMachine machine);
  [[nodiscard]] const TileMachine &machine() const { return machine_; }

  /// syncArrival() and syncRelease() return the cycles of the two parts of a sync. The signal of a tile travels to the
  /// sync controller (syncArrival). When the last signal has arrived, the release travels back to each tile
  /// (syncRelease).
  [[nodiscard]] Cycles syncArrival(TileId tile) const;
  [[nodiscard]] Cycles syncRelease(SyncKind kind, TileId tile) const;
  /// Returns the cycles from the start of an exchange until the first word that `src` sends is in the memory of `dst`.
  [[nodiscard]] Cycles exchangeLatency(TileId src, TileId dst) const;
  /// Returns the cycles in which `bytes` move into or out of one tile, without latency. `buses` is the number of tiles
  /// whose buses carry the data: 1, or the number of tiles of a group (tilesPerSharedBus) that receive the same data.
  /// If the machine has no busSharing, `buses` has no effect.
  [[nodiscard]] Cycles exchangeTransfer(Bytes bytes, std::uint32_t buses) const;
  /// Returns the cycles in which a receiver executes `controls` control instructions in sequence.
  [[nodiscard]] Cycles exchangeControls(std::uint64_t controls) const;
  /// Returns the cycles of reading `counters` cycle counters with `instructions` supervisor instructions. One of these
  /// instructions per counter is a store. A store takes workerContexts cycles, and any other instruction takes one
  /// cycle (docs/CYCLES.md).
  [[nodiscard]] Cycles counterRead(std::uint64_t counters, std::uint64_t instructions) const;
  /// Returns the cycles of a host copy that moves `bytes` in total.
  [[nodiscard]] Cycles hostCopy(Bytes bytes) const;
  /// Returns the cycles of all transfers of one exchange between IPUs, in the order of `transfers`. All transfers that
  /// one link constraint names share the rate of the constraint. Each of these transfers takes as long as one transfer
  /// with the bytes of all these transfers. If several constraints name a transfer, the slowest constraint decides. A
  /// transfer that no constraint names has the general rate to itself. So the two directions between two IPUs share a
  /// rate only if one constraint names both directions. The time is linear in the numbers of transfers and of flows in
  /// constraints, times the logarithm of these numbers.
  [[nodiscard]] std::vector<IpuTransferCycles> globalExchange(std::span<const IpuTransfer> transfers) const;
  /// Returns the cycles of a tile that sends or receives a part of a transfer: the larger of two numbers. The first
  /// number is the cycles of the transfer. The second number is the latency of the transfer plus the time of `bytes` at
  /// the port of the tile. `bytes` are all bytes that pass this port in the direction of the transfer during the
  /// exchange. A port sends and receives at the same time, in each direction as fast as in an exchange within an IPU.
  [[nodiscard]] Cycles globalExchangeTile(const IpuTransferCycles &transfer, Bytes bytes) const;

  /// Returns the kind of copy vertex for a copy that is the only copy on its tile.
  [[nodiscard]] CopyVertexKind chooseCopyVertex(const CopyShape &shape) const;
  /// Returns the cycles of a copy vertex: thread cycles for worker kinds, tile cycles for supervisor kinds.
  [[nodiscard]] Cycles copyVertexCycles(CopyVertexKind kind, Bytes bytes, std::uint64_t runs) const;
  [[nodiscard]] CopyVertexFootprint copyVertexFootprint(CopyVertexKind kind, std::uint64_t runs) const;
  [[nodiscard]] Bytes copyVertexCodeBytes(CopyVertexKind kind) const;

  /// Returns the maximum number of floating-point operations that one tile can execute per cycle on operands and
  /// results of `type`. A multiplication and an addition each count as one. Returns 0 for types other than Float and
  /// Half. See docs/CYCLES.md, "Floating-point operations".
  [[nodiscard]] std::uint64_t peakFlops(ElementType type) const;

  /// Returns the issue slots (thread cycles) of one call of a library function, such as "expf" or "__divdf3", or 0 if
  /// the machine's table does not contain the function. A library function is a function that vertex code calls and the
  /// stand-in's object file does not define.
  [[nodiscard]] Cycles libraryCall(const char *function) const;
  /// Returns the bytes of code of a library function, or 0 if the machine's table does not contain the function.
  [[nodiscard]] Bytes libraryCode(const char *function) const;
  /// Returns the bytes of code of a vertex class, or no value if the machine's table does not contain the class.
  [[nodiscard]] std::optional<Bytes> vertexCode(const std::string &vertexClass) const;

private:
  TileMachine machine_;
};

} // namespace popscope
