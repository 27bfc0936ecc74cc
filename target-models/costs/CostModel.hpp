// CostModel: how many cycles the machine's own actions take. Vertices' compute cycles are not here
// (they come from estimates or the stand-in object); everything else that passes time is.
// All functions are pure, thread-safe and O(1) unless said otherwise. Units: tile cycles, bytes.
#pragma once
#include "base/ElementType.hpp"
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "target-models/model/TileMachine.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace popscope {

/// On-tile copy and fill vertices of the runtime (ipu-machine facts, section 5).
enum class CopyVertexKind : std::uint8_t {
  Memcpy64BitSupervisor,          // one run, both ends and size multiples of 8 bytes, long
  ShortMemcpy,                    // one short run
  StridedCopyDA32,                // several runs, 4-byte aligned, both sides may be strided
  DstStridedCopyDA32,             // several runs gathered from one contiguous source
  SubWordCopy,                    // runs that are not 4-byte aligned
  Memcpy64Bit,                    // one run as the first kind's, or a part of it, by one worker
  StridedCopy64BitMultiAccess,    // several runs, addresses and sizes multiples of 8 bytes
  DstStridedCopy64BitMultiAccess, // the same from one contiguous source
  MemsetZero,                     // fills: one run of zeros,
  MemsetZero64Bit,                // ... all multiples of 8 bytes
  DstStridedMemsetZero64Bit,      // several runs of them
  DstStridedMemsetZero,           // several runs of words
  Memset,                         // the same four with another value: one run of words,
  Memset64Bit,
  DstStridedMemset64Bit,
  DstStridedMemset,
  SubWordMemset, // runs that are not 4-byte aligned
};
inline constexpr std::size_t kNumCopyVertexKinds = 17;
/// Vertices named 64Bit move so many bytes at once: addresses and sizes are multiples.
inline constexpr std::uint32_t kWideCopyBytes = 8;
/// e.g. "poplar_rt::ShortMemcpy"
const char *copyVertexName(CopyVertexKind kind);
bool copyVertexIsSupervisor(CopyVertexKind kind);

/// What one copy vertex is to do. `align` divides all addresses and sizes.
struct CopyShape {
  Bytes bytes;
  std::uint64_t runs = 1;
  std::uint32_t align = 4;
  bool contiguousSource = true;                                                  // the source is one run
  enum class Value : std::uint8_t { Copied, Zero, Other } value = Value::Copied; // or filled
  bool multiAccess = true; // may load and store in one cycle, from and to different memory elements
};

/// Tile-side memory of one on-tile copy vertex.
struct CopyVertexFootprint {
  std::uint32_t pointerBytes = 0;    // "copy pointers"
  std::uint32_t stateBytes = 0;      // whole vertexInstanceState, pointers included
  std::uint32_t descriptorBytes = 0; // copyDescriptor
};

class CostModel {
public:
  /// Controls of a receiver between two messages, while words arrive: to listen to another sender, the mux and the
  /// address (in one cycle by some releases' figures: docs/CYCLES.md, "Releases"); or the address alone.
  static constexpr std::uint32_t kSenderControls = 2, kSenderControlsInOne = 1, kAddressControls = 1;

  /// Keeps a copy of the machine.
  explicit CostModel(TileMachine machine);
  [[nodiscard]] const TileMachine &machine() const { return machine_; }

  /// A sync, from the last arrival to this tile's release: the signal of the tile that arrives last travels to the
  /// controller (syncArrival of that tile), the release travels back (syncRelease of this one).
  [[nodiscard]] Cycles syncArrival(TileId tile) const;
  [[nodiscard]] Cycles syncRelease(SyncKind kind, TileId tile) const;
  /// Cycles from the common start of an exchange until the first word sent by `src` is in `dst`'s memory.
  [[nodiscard]] Cycles exchangeLatency(TileId src, TileId dst) const;
  /// Cycles that moving `bytes` in or out of one tile takes, latency not included. `buses`: of how many tiles the buses
  /// carry it: 1, or as many as there are of its group (tilesPerSharedBus) that receive the same data.
  [[nodiscard]] Cycles exchangeTransfer(Bytes bytes, std::uint32_t buses) const;
  /// Cycles in which a receiver executes `controls` controls (another sender, another address), one after the other.
  [[nodiscard]] Cycles exchangeControls(std::uint64_t controls) const;
  /// Reading `counters` cycle counters by `instructions` instructions of the supervisor, one of them a store for each
  /// counter. An instruction takes a cycle, a memory access a whole round of the workers (ipu-machine facts, 3).
  [[nodiscard]] Cycles counterRead(std::uint64_t counters, std::uint64_t instructions) const;
  /// Duration of a host copy that moves `bytes` in total.
  [[nodiscard]] Cycles hostCopy(Bytes bytes) const;
  /// Duration of a transfer between two different IPUs.
  [[nodiscard]] Cycles globalTransfer(IpuId src, IpuId dst, Bytes bytes) const;

  /// Which copy vertex does it, when it is the only one on its tile.
  [[nodiscard]] CopyVertexKind chooseCopyVertex(const CopyShape &shape) const;
  /// Thread cycles for worker kinds, tile cycles for supervisor kinds.
  [[nodiscard]] Cycles copyVertexCycles(CopyVertexKind kind, Bytes bytes, std::uint64_t runs) const;
  [[nodiscard]] CopyVertexFootprint copyVertexFootprint(CopyVertexKind kind, std::uint64_t runs) const;
  [[nodiscard]] Bytes copyVertexCodeBytes(CopyVertexKind kind) const;

  /// The most floating-point operations of one tile in a cycle, a multiplication and an addition each counted, on
  /// operands and results of `type`; 0 for others than Float and Half. docs/CYCLES.md, "Floating-point operations".
  [[nodiscard]] std::uint64_t peakFlops(ElementType type) const;

  /// Issue slots (thread cycles) of a call to a library function that vertex code makes and the stand-in object
  /// leaves undefined ("expf", "__divdf3", ...); 0 when unknown.
  [[nodiscard]] Cycles libraryCall(const char *function) const;
  /// Code bytes of that function; 0 when unknown.
  [[nodiscard]] Bytes libraryCode(const char *function) const;
  /// Code bytes of a vertex class that the machine's table names; nothing otherwise.
  [[nodiscard]] std::optional<Bytes> vertexCode(const std::string &vertexClass) const;

private:
  TileMachine machine_;
};

} // namespace popscope
