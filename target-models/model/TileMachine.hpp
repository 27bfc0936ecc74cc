// TileMachine: the facts about a machine as plain data. loadTileMachine builds it from target-models/data/<name>.json,
// and the fields of an IPUModel may change it. The JSON file states the source and confidence of every constant. Units
// are in the field names or comments.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "target-models/model/StandInModel.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

enum class DeviceKind : std::uint8_t { Ipu, IpuModel, Cpu };
enum class RegionKind : std::uint8_t { NonInterleaved, Interleaved, Overflowed };
/// The kinds of sync. The first three are those of Sync programs. A host copy of a device begins with HostRequest, an
/// external sync that waits for the host's answer, and ends with HostAnswer, one that waits for the host's
/// acknowledgement.
enum class SyncKind : std::uint8_t { Internal, External, Global, HostRequest, HostAnswer };
inline constexpr std::array kSyncKinds{SyncKind::Internal, SyncKind::External, SyncKind::Global, SyncKind::HostRequest,
                                       SyncKind::HostAnswer};

/// A range of tile memory with one access rule: [offset, offset + size) from the base of tile memory.
struct MemoryRegion {
  RegionKind kind = RegionKind::NonInterleaved;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::uint32_t elementSize = 0; // bytes of one memory element (bank)
  bool executable = false;
  friend bool operator==(const MemoryRegion &, const MemoryRegion &) = default;
};

struct SyncModel {
  bool relativeDelay = true;        // IPUModel::relativeSyncDelay AUTO: release time grows with tile position
  std::uint32_t minDelayCycles = 0; // cycles from the last arrival to the release of the nearest tile
  std::uint32_t maxDelayCycles = 0; // ... to the release of the furthest tile
  std::uint32_t globalCycles = 0;   // added to a sync that spans IPUs
  friend bool operator==(const SyncModel &, const SyncModel &) = default;
};

struct ExchangeModel {
  std::uint32_t bytesPerCycle = 4;     // one tile, each direction
  std::uint32_t tilesPerSharedBus = 2; // neighbours that may share one bus if they receive the same data
  bool busSharing = true;
  std::uint32_t minLatencyCycles = 0; // first word, neighbouring tiles
  std::uint32_t maxLatencyCycles = 0; // first word, most distant pair
  double latencyExponent = 1;         // between them the latency grows with this power of the distance
  std::uint32_t perMessageCycles = 0; // each control of a receiver: another sender or another address
  std::uint32_t maxSendWords = 64;    // one SEND instruction
  friend bool operator==(const ExchangeModel &, const ExchangeModel &) = default;
};

struct HostModel {
  double bytesPerCycle = 0;             // all tiles together, from the second packet on
  double singlePacketBytesPerCycle = 0; // within one packet: the rate of one tile
  std::uint32_t setupCycles = 0;        // set-up time of one stream copy
  std::uint32_t beginCycles = 0;        // time before the copy, until the host has answered
  std::uint32_t endCycles = 0;          // time after the copy, until the host has acknowledged it
  std::uint32_t packetHeaderBytes = 8;
  std::uint32_t maxPacketBytes = 256;    // payload of one packet
  std::uint32_t readRequestBytes = 1024; // payload of one read request to the host
  friend bool operator==(const HostModel &, const HostModel &) = default;
};

/// A flow (source IPU, destination IPU) that shares a link, as in IPUModel::globalExchangeConstraints.
struct LinkFlow {
  std::uint32_t source = 0, destination = 0;
  friend bool operator==(const LinkFlow &, const LinkFlow &) = default;
};
struct LinkConstraint {
  double bitsPerSecond = 0;
  std::vector<LinkFlow> flows;
  friend bool operator==(const LinkConstraint &, const LinkConstraint &) = default;
};

struct LinkModel {
  double bytesPerCycle = 0;        // between two IPUs, one direction; constraints replace it for the flows that they
                                   // name
  std::uint32_t setupCycles = 0;   // of one transfer
  std::uint32_t latencyCycles = 0; // ... more for each hop
  std::uint32_t packetHeaderBytes = 0;
  std::uint32_t maxPacketBytes = 0; // payload of one packet
  std::vector<LinkConstraint> constraints;
  friend bool operator==(const LinkModel &, const LinkModel &) = default;
};

/// Figures of a device that differ from those of a model. Published reports of models show the latter.
struct DeviceModel {
  double hostBytesPerCycle = 0; // 0: not known; a device then has the model's figures
  std::uint32_t hostSetupCycles = 0, hostBeginCycles = 0, hostEndCycles = 0;
  std::uint32_t minExchangeLatencyCycles = 0, maxExchangeLatencyCycles = 0;
  friend bool operator==(const DeviceModel &, const DeviceModel &) = default;
};

inline constexpr std::uint32_t kStackAlignment = 8; // bytes; alignment of the stack pointer
struct StackModel {
  std::uint32_t workerBytes = 0; // per worker
  std::uint32_t supervisorBytes = 0;
  friend bool operator==(const StackModel &, const StackModel &) = default;
};

/// Rules that differ between releases of the software (docs/inside/releases.md). Machine files name them in the same
/// order.
enum class StackRule : std::uint8_t {
  Own,   // StackModel, on tiles with code
  Fixed, // ReleaseStacks::fixed, with or without code: SDKs before April 2020
  Linked // ReleaseStacks::linked, on tiles with code
};
/// Stack sizes in bytes, from published profiles.
struct ReleaseStacks {
  StackModel fixed{512, 96}, linked{32, 192};
  friend bool operator==(const ReleaseStacks &, const ReleaseStacks &) = default;
};
enum class OpeningRule : std::uint8_t { Two, ByPrograms }; // number of control copies at the start of a run
enum class StreamOrder : std::uint8_t { Host, Tiles };     // who reorders a stream to the order of tile memory
enum class OneWordMessages : std::uint8_t {
  TwoCycles,
  OneCycle
}; // the time of one word for a receiver whose sender changes with each word
enum class SharedBus : std::uint8_t { Whole, Messages };           // what shared buses carry: only whole transfers that
                                                                   // neighbours share, or single messages
enum class RenamingCopies : std::uint8_t { Copied, Gone };         // copies that only give a tile's elements another
                                                                   // name
enum class ReceivedPieces : std::uint8_t { InPlace, AsSent };      // placement of elements that are contiguous only at
                                                                   // their sender
struct ReleaseRules {
  StackRule stack = StackRule::Own;
  OpeningRule opening = OpeningRule::Two;
  StreamOrder streamOrder = StreamOrder::Host;
  OneWordMessages oneWordMessages = OneWordMessages::TwoCycles;
  SharedBus sharedBus = SharedBus::Whole;
  RenamingCopies renamingCopies = RenamingCopies::Copied;
  ReceivedPieces receivedPieces = ReceivedPieces::InPlace;
  friend bool operator==(const ReleaseRules &, const ReleaseRules &) = default;
};

/// Bytes of one machine instruction, and instruction counts of control and exchange sequences. Lowering computes the
/// size of control code from them; docs/CATEGORIES.md has the formulas.
struct CodeModel {
  std::uint32_t instructionBytes = 4;
  std::uint32_t runtimeBytes = 0;          // always-linked vertex runtime of every tile
  std::uint32_t syncInstr = 1;             // every tile, every sync
  std::uint32_t exchangeCallInstr = 0;     // active tile, per exchange row
  std::uint32_t exchangeIdleInstr = 0;     // tile that takes no part
  std::uint32_t exchangeFrameInstr = 2;    // per exchange row: sync, return
  std::uint32_t exchangeDelayInstr = 1;    // ... before the data of one range of memory
  std::uint32_t exchangeSendInstr = 1;     // ... per send of at most maxSendWords
  std::uint32_t exchangePointerInstr = 1;  // ... per message that arrives
  std::uint32_t exchangeSenderInstr = 1;   // ... if it comes from another sender than the previous one: the mux
  std::uint32_t exchangeEndInstr = 1;      // ... after the last message: neutralise
  std::uint32_t executeCallInstr = 0;      // active tile, per compute set
  std::uint32_t executePerVertexInstr = 0; // per launch of a vertex (load state pointer, run)
  std::uint32_t branchInstr = 0;           // If / Switch case / While test, every tile
  std::uint32_t loopInstr = 0;             // Repeat, every tile
  std::uint32_t callInstr = 0;             // Call + return, every tile
  std::uint32_t hostCallInstr = 0;         // active tile, per host copy
  std::uint32_t hostFrameInstr = 2;        // ... wait, return
  std::uint32_t hostSendInstr = 1;         // ... per packet or read request
  std::uint32_t hostPointerInstr = 1;      // ... per range of memory
  std::uint32_t tableCallInstr = 0;        // active tile, per compute set, with the table scheduler
  std::uint32_t tableHeaderBytes = 0;      // per table: the number of its entries
  std::uint32_t tableEntryBytes = 0;       // per vertex in a table: its state and its entry point
  std::uint32_t tableRunnerInstr = 0;      // the loop over a table; once on each tile with tables
  friend bool operator==(const CodeModel &, const CodeModel &) = default;
};

/// Storage and instructions of the counters that debug.instrument adds.
struct InstrumentModel {
  std::uint32_t counterBytes = 0;     // of one result
  std::uint32_t countInstr = 0;       // reads the cycle counter twice, subtracts, stores
  std::uint32_t blockRecordBytes = 0; // lightweight profiling: one block in the buffer; at least 1
  std::uint32_t blockHeaderBytes = 0; // of the buffer
  std::uint32_t blockEdgeInstr = 0;   // records the beginning or the end of a block
  std::uint32_t pathInstr = 0;        // stores the branch taken or the number of iterations
  std::uint32_t iterationInstr = 0;   // adds to the number of iterations, or sets it to 0
  /// Returns the instructions of a RepeatWhile that counts its iterations: one part sets the count to 0, another adds
  /// 1.
  [[nodiscard]] std::uint32_t countIterationsInstr() const { return 2 * iterationInstr; }
  friend bool operator==(const InstrumentModel &, const InstrumentModel &) = default;
};

/// Cost and memory of one copy vertex; CostModel::copyVertexCycles has the formula.
struct CopyVertexModel {
  std::string name; // e.g. "poplar_rt::ShortMemcpy"
  bool supervisor = false;
  std::uint32_t baseCycles = 0; // tile cycles of a supervisor, thread cycles of a worker
  std::uint32_t cyclesPerRun = 0;
  std::uint32_t bytesPerStep = 1;
  std::uint32_t cyclesPerStep = 0;   // per begun bytesPerStep bytes
  std::uint32_t pointerBytes = 0;    // bytes of pointers that are 4 bytes wide on every machine
  std::uint32_t scaledPointers = 0;  // number of pointers of TileMachine::scaledPointerBytes
  std::uint32_t otherStateBytes = 0; // bytes of the state that are not pointers
  std::uint32_t descriptorBytes = 0; // 0 = no descriptor; otherwise without the count of runs
  std::uint32_t codeBytes = 0;
  friend bool operator==(const CopyVertexModel &, const CopyVertexModel &) = default;
};

/// Thresholds for the choice of a copy vertex.
struct CopyChoice {
  std::uint32_t wideCopyMinBytes = 0;  // Memcpy64BitSupervisor copies one run of multiples of 8 bytes from this size on
  std::uint32_t shortCopyMaxBytes = 0; // ShortMemcpy copies one run up to this size
  std::uint32_t shareMinCycles = 0;    // minimum thread cycles of a worker's share of a copy
  // Pieces up to this size that are scattered both at their sender and at the destination of a copy arrive
  // contiguously, and a copy vertex scatters them. 0: each piece arrives at its place.
  std::uint32_t scatterMaxBytes = 0;
  friend bool operator==(const CopyChoice &, const CopyChoice &) = default;
};

/// The known code size of a vertex class; it replaces the stand-in's size.
struct VertexClassCode {
  std::string name; // the name as addVertex takes it
  std::uint32_t codeBytes = 0;
  friend bool operator==(const VertexClassCode &, const VertexClassCode &) = default;
};

/// A function of the compiler's or C library that vertex code calls.
struct LibraryFunction {
  std::string name;
  std::uint32_t issueSlots = 0; // per call
  std::uint32_t codeBytes = 0;
  friend bool operator==(const LibraryFunction &, const LibraryFunction &) = default;
};

/// The result of MultiVertex::numWorkers() in codelets, on every machine and on the host.
inline constexpr unsigned kMultiVertexWorkers = 6;

/// Fields of the floating-point control register, from the public hardware constants.
inline constexpr std::uint32_t kFpInvalid = 1U << 0, kFpDivideByZero = 1U << 1, kFpOverflow = 1U << 2,
                               kFpStochasticRounding = 1U << 19, kFpNanOnOverflow = 1U << 20;

struct TileMachine {
  std::string name;         // "ipu1", "ipu2", "ipu21", "cpu"
  std::string architecture; // equal to the name for built-in machines
  DeviceKind kind = DeviceKind::IpuModel;
  bool compileIpuCode = false; // code categories exist (always for Ipu)
  bool accurateHalf = false;   // requested; a device always has it
  std::uint32_t numIpus = 1;
  std::uint32_t tilesPerIpu = 0;
  std::uint32_t workerContexts = 6;
  std::uint32_t bytesPerTile = 0;
  double clockHz = 0;
  std::vector<MemoryRegion> regions;         // ascending offsets, covering [0, bytesPerTile)
  std::uint32_t memoryBase = 0;              // address of a tile's first byte
  std::vector<std::uint32_t> elementOffsets; // absolute addresses (with memoryBase), as Target reports them
  std::uint32_t interleavedElementIndex = 0;
  std::uint32_t dataStartOffset = 0; // stack and data start here (element 1); code lies below
  std::uint32_t memcpyBytesPerCycle = 8;
  std::uint32_t dataPathBits = 64;
  std::uint32_t numStrideBits = 10;
  std::uint32_t rptCountMax = 4095;
  std::uint32_t atomicStoreGranularity = 4;
  std::uint32_t fp8ConvUnitMaxPipelineDepth = 4, fp16ConvUnitMaxPipelineDepth = 4, fp32ConvUnitMaxPipelineDepth = 2;
  std::uint32_t fp8ConvUnitInputLoadElemsPerCycle = 8, fp16ConvUnitInputLoadElemsPerCycle = 4,
                fp32ConvUnitInputLoadElemsPerCycle = 2;
  std::uint32_t fp8InFp16OutConvUnitsPerTile = 16, fp16InFp16OutConvUnitsPerTile = 8, fp16InFp32OutConvUnitsPerTile = 8,
                fp32InFp32OutConvUnitsPerTile = 8;
  std::uint32_t convUnitCoeffLoadBytesPerCycle = 8;
  std::uint32_t exchangePacketBytes = 8;
  std::uint32_t fpIctlRegIndex = 0, dbgDataRegIndex = 0; // control and status registers
  SyncModel sync;
  ExchangeModel exchange;
  HostModel host;
  LinkModel link;
  DeviceModel device;
  StackModel stack;
  ReleaseStacks releaseStacks;
  ReleaseRules rules;
  std::uint32_t scaledPointerBytes = 4; // a pointer of the runtime's block copies: 2 if 16 bits reach all memory
  CodeModel code;
  InstrumentModel instrument;
  std::vector<CopyVertexModel> copyVertices; // sorted by CopyVertexKind
  CopyChoice copyChoice;
  StandInModel standIn;
  std::vector<LibraryFunction> library;    // sorted by name
  std::vector<VertexClassCode> vertexCode; // sorted by name

  [[nodiscard]] std::uint32_t numTiles() const { return numIpus * tilesPerIpu; }
  [[nodiscard]] IpuId ipuOf(TileId t) const { return IpuId(t.index() / tilesPerIpu); }
  friend bool operator==(const TileMachine &, const TileMachine &) = default;
};

/// Returns whether codelets on the host compute with floats in place of halves, so that values in tile memory are not
/// rounded to 16 bits. Memory and cycles count two bytes per half in either case.
[[nodiscard]] inline bool halfIsFloat(const TileMachine &machine) {
  return machine.kind != DeviceKind::Ipu && !machine.accurateHalf;
}

/// Reads the built-in model `name` ("ipu1", "ipu2", "ipu21", "cpu"; compiled in from target-models/data). Throws
/// poplar::invalid_machine_model, which names the nearest known model. kind is IpuModel (Cpu for "cpu").
TileMachine loadTileMachine(const std::string &name);
/// Reads a machine from JSON text. `where` names the source in errors, which contain the JSON path of a bad value. A
/// member "base" names a built-in model whose values apply where the text has none.
TileMachine parseTileMachine(const std::string &json, const std::string &where);
/// Returns the names of the built-in models, sorted.
std::vector<std::string> tileMachineNames();
/// Returns all fields except the derived ones as compact JSON. parseTileMachine reads the same machine from it, with
/// the kind and the IPU code choice of a model.
std::string tileMachineToJson(const TileMachine &machine);

/// Throws poplar::invalid_machine_model, which names the first invalid field, its value and the limit.
void validateTileMachine(const TileMachine &machine);
/// Turns the machine into a device: its kind, its code, and DeviceModel in place of the model's figures.
void becomeDevice(TileMachine &machine);
/// Derives elementOffsets and interleavedElementIndex from the regions.
void placeMemoryElements(TileMachine &machine);
/// Gives every tile `bytes` of memory: cuts or extends the last region and removes regions that would be empty. Updates
/// elementOffsets and interleavedElementIndex.
void setTileMemory(TileMachine &machine, std::uint32_t bytes);

} // namespace popscope
