// CostModel: the cycles of the machine's own actions. Vertices' compute cycles come from estimates or the stand-in
// object instead. All functions are pure, thread-safe and O(1) unless stated otherwise. Units: tile cycles, bytes.
#pragma once
#include "base/ElementType.hpp"
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "target-models/model/TileMachine.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace popscope {

/// The copy and fill vertices of the runtime, within a tile (docs/inside/cost-model.md).
enum class CopyVertexKind : std::uint8_t {
  Memcpy64BitSupervisor,          // one run, both ends and size multiples of 8 bytes, long
  ShortMemcpy,                    // one short run
  StridedCopyDA32,                // several runs, 4-byte aligned, both sides may be strided
  DstStridedCopyDA32,             // several runs gathered from one contiguous source
  SubWordCopy,                    // runs that are not 4-byte aligned
  Memcpy64Bit,                    // one worker copies a run that the first kind could copy, or a part of it
  StridedCopy64BitMultiAccess,    // several runs, addresses and sizes multiples of 8 bytes
  DstStridedCopy64BitMultiAccess, // like the previous kind, from one contiguous source
  MemsetZero,                     // fills: one run of zeros,
  MemsetZero64Bit,                // ... address and size multiples of 8 bytes
  DstStridedMemsetZero64Bit,      // several runs of zeros, multiples of 8 bytes
  DstStridedMemsetZero,           // several runs of zero words
  Memset,                         // the same four kinds with another value: one run of words,
  Memset64Bit,
  DstStridedMemset64Bit,
  DstStridedMemset,
  SubWordMemset, // runs that are not 4-byte aligned
};
inline constexpr std::size_t kNumCopyVertexKinds = 17;
/// The bytes that vertices named 64Bit move at once. Their addresses and sizes are multiples of this number.
inline constexpr std::uint32_t kWideCopyBytes = 8;
/// Returns the name, e.g. "poplar_rt::ShortMemcpy".
const char *copyVertexName(CopyVertexKind kind);
bool copyVertexIsSupervisor(CopyVertexKind kind);

/// The task of one copy vertex. `align` divides all addresses and sizes.
struct CopyShape {
  Bytes bytes;
  std::uint64_t runs = 1;
  std::uint32_t align = 4;
  bool contiguousSource = true; // the source is one run
  enum class Value : std::uint8_t {
    Copied,
    Zero,
    Other
  } value = Value::Copied; // the copied data, or the value that fills
  bool multiAccess =
      true; // true: it may load and store in one cycle, since the two sides are in different memory elements
};

/// Memory of one copy vertex on its tile.
struct CopyVertexFootprint {
  std::uint32_t pointerBytes = 0;    // "copy pointers"
  std::uint32_t stateBytes = 0;      // whole vertexInstanceState, with pointers
  std::uint32_t descriptorBytes = 0; // copyDescriptor
};

class CostModel {
public:
  /// Control instructions of a receiver between two messages while words arrive. To listen to another sender, the
  /// receiver sets the multiplexer and the address (in one cycle by some releases' figures: docs/inside/releases.md).
  /// For the same sender, it sets only the address.
  static constexpr std::uint32_t kSenderControls = 2, kSenderControlsInOne = 1, kAddressControls = 1;

  /// Makes a model with a copy of the machine. Throws poplar::invalid_machine_model for a bad machine.
  explicit CostModel(TileMachine machine);
  [[nodiscard]] const TileMachine &machine() const { return machine_; }

  /// Returns the cycles of one half of a sync. A sync lasts from the last arrival to this tile's release: the signal of
  /// the tile that arrives last travels to the controller (syncArrival of that tile), and the release travels back
  /// (syncRelease of this tile).
  [[nodiscard]] Cycles syncArrival(TileId tile) const;
  [[nodiscard]] Cycles syncRelease(SyncKind kind, TileId tile) const;
  /// Returns the cycles from the common start of an exchange until the first word sent by `src` is in `dst`'s memory.
  [[nodiscard]] Cycles exchangeLatency(TileId src, TileId dst) const;
  /// Returns the cycles for moving `bytes` in or out of one tile, without latency. `buses`: the number of tiles whose
  /// buses carry the data: 1, or the number of tiles of its group (tilesPerSharedBus) that receive the same data.
  [[nodiscard]] Cycles exchangeTransfer(Bytes bytes, std::uint32_t buses) const;
  /// Returns the cycles in which a receiver executes `controls` controls (another sender, another address) in sequence.
  [[nodiscard]] Cycles exchangeControls(std::uint64_t controls) const;
  /// Returns the cycles of reading `counters` cycle counters by `instructions` instructions of the supervisor, one of
  /// them a store per counter. An instruction takes a cycle, a memory access a whole round of the workers (ipu-machine
  /// facts, 3).
  [[nodiscard]] Cycles counterRead(std::uint64_t counters, std::uint64_t instructions) const;
  /// Returns the duration of a host copy that moves `bytes` in total.
  [[nodiscard]] Cycles hostCopy(Bytes bytes) const;
  /// Returns the duration of a transfer between two different IPUs.
  [[nodiscard]] Cycles globalTransfer(IpuId src, IpuId dst, Bytes bytes) const;

  /// Returns the kind of copy vertex for the copy, if it is the only one on its tile.
  [[nodiscard]] CopyVertexKind chooseCopyVertex(const CopyShape &shape) const;
  /// Returns thread cycles for worker kinds and tile cycles for supervisor kinds.
  [[nodiscard]] Cycles copyVertexCycles(CopyVertexKind kind, Bytes bytes, std::uint64_t runs) const;
  [[nodiscard]] CopyVertexFootprint copyVertexFootprint(CopyVertexKind kind, std::uint64_t runs) const;
  [[nodiscard]] Bytes copyVertexCodeBytes(CopyVertexKind kind) const;

  /// Returns the maximum number of floating-point operations of one tile in a cycle on operands and results of `type`.
  /// A multiplication and an addition each count as one. The result is 0 for types other than Float and Half. See
  /// docs/CYCLES.md, "Floating-point operations".
  [[nodiscard]] std::uint64_t peakFlops(ElementType type) const;

  /// Returns the issue slots (thread cycles) of a library function that vertex code calls and that the stand-in object
  /// leaves undefined ("expf", "__divdf3", ...); 0 if unknown.
  [[nodiscard]] Cycles libraryCall(const char *function) const;
  /// Returns the code bytes of that function; 0 if unknown.
  [[nodiscard]] Bytes libraryCode(const char *function) const;
  /// Returns the code bytes of a vertex class that the machine's table names; nothing otherwise.
  [[nodiscard]] std::optional<Bytes> vertexCode(const std::string &vertexClass) const;

private:
  TileMachine machine_;
};

} // namespace popscope
