// TileMachine: the description of a machine as plain data. loadTileMachine reads a description from
// target-models/data/<name>.json, and the fields of an IPUModel may change this description. The JSON file states the
// source and the confidence of every constant. Units are in the names of the fields or in comments.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "target-models/model/StandInModel.hpp"

#include <poplar/exceptions.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

enum class DeviceKind : std::uint8_t { Ipu, IpuModel, Cpu };
enum class RegionKind : std::uint8_t { NonInterleaved, Interleaved, Overflowed };
/// The kinds of sync. Sync programs use the first three. On a device, a host copy begins with HostRequest and ends with
/// HostAnswer. HostRequest and HostAnswer are external syncs: HostRequest waits for the host's answer, and HostAnswer
/// waits for the host's acknowledgement.
enum class SyncKind : std::uint8_t { Internal, External, Global, HostRequest, HostAnswer };
inline constexpr std::array kSyncKinds{SyncKind::Internal, SyncKind::External, SyncKind::Global, SyncKind::HostRequest,
                                       SyncKind::HostAnswer};

/// A range of tile memory with one access rule: [offset, offset + size), relative to the start of tile memory.
struct MemoryRegion {
  RegionKind kind = RegionKind::NonInterleaved;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::uint32_t elementSize = 0; // bytes of one memory element (bank)
  bool executable = false;
  friend bool operator==(const MemoryRegion &, const MemoryRegion &) = default;
};

struct SyncModel {
  bool relativeDelay = true;        // true: IPUModel::relativeSyncDelay is AUTO, and the delay of the release grows
                                    // with the position of the tile
  std::uint32_t minDelayCycles = 0; // cycles from arrival to release of the nearest tile, if this tile arrives last
  std::uint32_t maxDelayCycles = 0; // cycles from arrival to release of the furthest tile, if this tile arrives last
  std::uint32_t globalCycles = 0;   // cycles added to a sync of several IPUs
  friend bool operator==(const SyncModel &, const SyncModel &) = default;
};

struct ExchangeModel {
  std::uint32_t bytesPerCycle = 4;     // bytes per cycle that one tile sends or receives
  std::uint32_t tilesPerSharedBus = 2; // number of neighbouring tiles that may share a bus if they receive the same
                                       // data
  bool busSharing = true;
  std::uint32_t minLatencyCycles = 0; // cycles until the first word arrives from a neighbouring tile
  std::uint32_t maxLatencyCycles = 0; // cycles until the first word arrives from the most distant tile
  double latencyExponent = 1;         // for tiles in between, the latency grows with this power of the distance
  std::uint32_t perMessageCycles = 0; // cycles of one control instruction, with which a receiver changes the sender or
                                      // the address
  std::uint32_t maxSendWords = 64;    // maximum number of words of one SEND instruction
  friend bool operator==(const ExchangeModel &, const ExchangeModel &) = default;
};

struct HostModel {
  double bytesPerCycle = 0;             // rate of all tiles together, from the second packet on
  double singlePacketBytesPerCycle = 0; // rate within one packet, which one tile transfers
  std::uint32_t setupCycles = 0;        // set-up time of a host copy
  std::uint32_t beginCycles = 0;        // time before a host copy, until the host has answered
  std::uint32_t endCycles = 0;          // time after a host copy, until the host has acknowledged it
  std::uint32_t packetHeaderBytes = 8;
  std::uint32_t maxPacketBytes = 256;    // maximum payload of a packet
  std::uint32_t readRequestBytes = 1024; // number of bytes that one read request requests
  friend bool operator==(const HostModel &, const HostModel &) = default;
};

/// A flow of data (source IPU, destination IPU) that shares a link, as in IPUModel::globalExchangeConstraints.
struct LinkFlow {
  std::uint32_t source = 0, destination = 0;
  friend bool operator==(const LinkFlow &, const LinkFlow &) = default;
};
/// Flows that share the rate of one link (CostModel::globalExchange).
struct LinkConstraint {
  double bitsPerSecond = 0;
  std::vector<LinkFlow> flows;
  friend bool operator==(const LinkConstraint &, const LinkConstraint &) = default;
};

struct LinkModel {
  double bytesPerCycle = 0;        // rate between two IPUs, in one direction; each of `constraints` replaces this rate
                                   // for the flows in the constraint
  std::uint32_t setupCycles = 0;   // set-up time of one transfer
  std::uint32_t latencyCycles = 0; // cycles added to a transfer for each hop
  std::uint32_t packetHeaderBytes = 0;
  std::uint32_t maxPacketBytes = 0; // maximum payload of a packet
  std::vector<LinkConstraint> constraints;
  friend bool operator==(const LinkModel &, const LinkModel &) = default;
};

/// Constants of a device that differ from those of an IPU Model, because published measurements of hardware differ from
/// published reports of IPU Models (docs/CYCLES.md, Devices).
struct DeviceModel {
  double hostBytesPerCycle = 0; // if 0, the device has the constants of the IPU Model
  std::uint32_t hostSetupCycles = 0, hostBeginCycles = 0, hostEndCycles = 0;
  std::uint32_t minExchangeLatencyCycles = 0, maxExchangeLatencyCycles = 0;
  friend bool operator==(const DeviceModel &, const DeviceModel &) = default;
};

inline constexpr std::uint32_t kStackAlignment = 8; // in bytes; alignment of the stack pointer
struct StackModel {
  std::uint32_t workerBytes = 0; // for each worker
  std::uint32_t supervisorBytes = 0;
  friend bool operator==(const StackModel &, const StackModel &) = default;
};

/// Rules that differ between releases of the Poplar SDK (docs/inside/releases.md). ReadMachine.cpp lists the names of
/// the rules' values in machine files, in the order of the enumerators.
enum class StackRule : std::uint8_t {
  Own,   // TileMachine::stack, on tiles with code
  Fixed, // ReleaseStacks::fixed, on all tiles, with or without code (SDKs before April 2020)
  Linked // ReleaseStacks::linked, on tiles with code
};
/// Stack sizes in bytes under the rules Fixed and Linked, from published profiles.
struct ReleaseStacks {
  StackModel fixed{512, 96}, linked{32, 192};
  friend bool operator==(const ReleaseStacks &, const ReleaseStacks &) = default;
};
/// The number of control copies at the start of a run. Two: two control copies. ByPrograms: one control copy if the
/// engine has only one program, and two if the engine has several programs. If popscope.alwaysSwitch is false, an
/// engine with one program has no control copies under both rules.
enum class OpeningRule : std::uint8_t { Two, ByPrograms };
/// The side that reorders the elements of a stream into the order of tile memory: the host or the tiles.
enum class StreamOrder : std::uint8_t { Host, Tiles };
/// The cycles that a receiver needs for a one-word message if each message comes from a different sender than the
/// previous message.
enum class OneWordMessages : std::uint8_t { TwoCycles, OneCycle };
/// The condition under which neighbouring tiles share their buses. Whole: the tiles must receive the same data in the
/// whole exchange. Messages: the tiles share their buses for each message that several of them receive.
enum class SharedBus : std::uint8_t { Whole, Messages };
/// Whether the compiler keeps or removes a copy whose only effect is that elements of a tile get another name.
enum class RenamingCopies : std::uint8_t { Copied, Gone };
/// The destination of received elements that are contiguous at their sender, but not at their final addresses. InPlace:
/// the final addresses. AsSent: a buffer in the order of the sender.
enum class ReceivedPieces : std::uint8_t { InPlace, AsSent };
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

/// Size of a machine instruction, and numbers of instructions of control and exchange sequences. Lowering computes the
/// size of control code from these numbers; docs/CATEGORIES.md contains the formulas.
struct CodeModel {
  std::uint32_t instructionBytes = 4;
  std::uint32_t runtimeBytes = 0;          // vertex runtime that is always linked on every tile
  std::uint32_t syncInstr = 1;             // on every tile, for every sync
  std::uint32_t exchangeCallInstr = 0;     // on an active tile, for each exchange
  std::uint32_t exchangeIdleInstr = 0;     // on a tile that takes no part in the exchange
  std::uint32_t exchangeFrameInstr = 2;    // on a tile that takes part in an exchange: sync, return
  std::uint32_t exchangeDelayInstr = 1;    // per range of memory that a tile sends in an exchange, before its data
  std::uint32_t exchangeSendInstr = 1;     // per SEND instruction, which sends at most maxSendWords words
  std::uint32_t exchangePointerInstr = 1;  // per message that arrives
  std::uint32_t exchangeSenderInstr = 1;   // per change of the sender on a receiving tile, to set the multiplexer
  std::uint32_t exchangeEndInstr = 1;      // on a receiving tile, after the last message, to reset the multiplexer
  std::uint32_t executeCallInstr = 0;      // on an active tile, for each compute set, without the table scheduler
  std::uint32_t executePerVertexInstr = 0; // for each launch of a vertex, to load the state pointer and run the vertex
  std::uint32_t branchInstr = 0;           // on every tile: for each If, case of a Switch, test of a RepeatWhile, and
                                           // AbortOnCondition
  std::uint32_t loopInstr = 0;             // on every tile: for each Repeat and RepeatWhile
  std::uint32_t callInstr = 0;             // on every tile: for each Call (with the return), Abort and ErrorProgram.
                                           // Also for each access to the register of a tile, on this tile
  std::uint32_t hostCallInstr = 0;         // on an active tile, for each host copy
  std::uint32_t hostFrameInstr = 2;        // for each host copy: wait, return
  std::uint32_t hostSendInstr = 1;         // for each host copy: per packet or read request
  std::uint32_t hostPointerInstr = 1;      // for each host copy: per range of memory
  std::uint32_t tableCallInstr = 0;        // on an active tile, for each compute set, with the table scheduler
  std::uint32_t tableHeaderBytes = 0;      // for each table: size of the header, which contains the number of entries
  std::uint32_t tableEntryBytes = 0;       // for each vertex in a table: its state and its entry point
  std::uint32_t tableRunnerInstr = 0;      // the loop over a table, once on each tile with tables
  friend bool operator==(const CodeModel &, const CodeModel &) = default;
};

/// Storage and numbers of instructions of the counters that debug.instrument adds.
struct InstrumentModel {
  std::uint32_t counterBytes = 0;     // size of one result
  std::uint32_t countInstr = 0;       // to read the cycle counter twice, subtract and store
  std::uint32_t blockRecordBytes = 0; // lightweight profiling: size of one record in the buffer; at least 1
  std::uint32_t blockHeaderBytes = 0; // size of the buffer's header
  std::uint32_t blockEdgeInstr = 0;   // to record the beginning or the end of a block
  std::uint32_t pathInstr = 0;        // to store the executed branch or the number of iterations
  std::uint32_t iterationInstr = 0;   // to add 1 to the number of iterations, or to set this number to 0
  /// Returns the number of instructions with which a RepeatWhile counts its iterations: one part sets the count to 0,
  /// the other adds 1.
  [[nodiscard]] std::uint32_t countIterationsInstr() const { return 2 * iterationInstr; }
  friend bool operator==(const InstrumentModel &, const InstrumentModel &) = default;
};

/// The cycles and memory of one copy vertex. CostModel::copyVertexCycles contains the formula.
struct CopyVertexModel {
  std::string name; // e.g. "poplar_rt::ShortMemcpy"
  bool supervisor = false;
  std::uint32_t baseCycles = 0; // tile cycles for a supervisor vertex, thread cycles for a worker vertex
  std::uint32_t cyclesPerRun = 0;
  std::uint32_t bytesPerStep = 1;
  std::uint32_t cyclesPerStep = 0;   // for each bytesPerStep bytes, also for an incomplete last step
  std::uint32_t pointerBytes = 0;    // total size of the pointers that have 4 bytes on every machine
  std::uint32_t scaledPointers = 0;  // number of pointers of TileMachine::scaledPointerBytes bytes
  std::uint32_t otherStateBytes = 0; // size of the rest of the state
  std::uint32_t descriptorBytes = 0; // size of the descriptor without the count of runs; 0 if there is none
  std::uint32_t codeBytes = 0;
  friend bool operator==(const CopyVertexModel &, const CopyVertexModel &) = default;
};

/// Thresholds for the choice of a copy vertex.
struct CopyChoice {
  std::uint32_t wideCopyMinBytes = 0;  // minimum size for the kinds that move 8 bytes at once; the addresses and sizes
                                       // must also be multiples of 8 bytes
  std::uint32_t shortCopyMaxBytes = 0; // ShortMemcpy copies a single run of up to this size, unless
                                       // Memcpy64BitSupervisor copies it
  std::uint32_t shareMinCycles = 0;    // minimum thread cycles of a worker's share of a copy
  // Maximum size of the pieces that a copy vertex scatters. These pieces have gaps between them at the sender and at
  // the receiver. The pieces arrive without gaps, and then the copy vertex moves each piece to its final address. If
  // this field is 0, no copy vertex scatters such pieces.
  std::uint32_t scatterMaxBytes = 0;
  friend bool operator==(const CopyChoice &, const CopyChoice &) = default;
};

/// The known code size of a vertex class. This size replaces the size of the stand-in's code.
struct VertexClassCode {
  std::string name; // name as passed to addVertex
  std::uint32_t codeBytes = 0;
  friend bool operator==(const VertexClassCode &, const VertexClassCode &) = default;
};

/// A function of the compiler's library or the C library that vertex code calls.
struct LibraryFunction {
  std::string name;
  std::uint32_t issueSlots = 0; // for each call
  std::uint32_t codeBytes = 0;
  friend bool operator==(const LibraryFunction &, const LibraryFunction &) = default;
};

/// The result of MultiVertex::numWorkers() in codelets, on all machines and on the host.
inline constexpr unsigned kMultiVertexWorkers = 6;

/// Bits of the floating-point control register, from the public hardware constants.
inline constexpr std::uint32_t kFpInvalid = 1U << 0, kFpDivideByZero = 1U << 1, kFpOverflow = 1U << 2,
                               kFpStochasticRounding = 1U << 19, kFpNanOnOverflow = 1U << 20;

struct TileMachine {
  std::string name;         // "ipu1", "ipu2", "ipu21", "cpu", or the name of a custom machine
  std::string architecture; // equal to `name` for built-in machines
  DeviceKind kind = DeviceKind::IpuModel;
  bool compileIpuCode = false; // true: the program has code (always for DeviceKind::Ipu)
  bool accurateHalf = false;   // true: accurate halves were requested; a device always has them
  std::uint32_t numIpus = 1;
  std::uint32_t tilesPerIpu = 0;
  std::uint32_t workerContexts = 6;
  std::uint32_t bytesPerTile = 0;
  double clockHz = 0;
  std::vector<MemoryRegion> regions;         // sorted by offset; together they cover [0, bytesPerTile)
  std::uint32_t memoryBase = 0;              // address of the first byte of a tile's memory
  std::vector<std::uint32_t> elementOffsets; // addresses of the memory elements, including memoryBase
  std::uint32_t interleavedElementIndex = 0;
  std::uint32_t dataStartOffset = 0; // preferred start of stack and data (memory element 1 of the built-in IPUs); code
                                     // starts at 0
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
  std::uint32_t fpIctlRegIndex = 0, dbgDataRegIndex = 0; // numbers of the control and status registers
  SyncModel sync;
  ExchangeModel exchange;
  HostModel host;
  LinkModel link;
  DeviceModel device;
  StackModel stack;
  ReleaseStacks releaseStacks;
  ReleaseRules rules;
  std::uint32_t scaledPointerBytes = 4; // size of a pointer of the runtime's copy vertices: 2 if 16 bits reach all
                                        // memory
  CodeModel code;
  InstrumentModel instrument;
  std::vector<CopyVertexModel> copyVertices; // index: CopyVertexKind
  CopyChoice copyChoice;
  StandInModel standIn;
  std::vector<LibraryFunction> library;    // sorted by name
  std::vector<VertexClassCode> vertexCode; // sorted by name

  [[nodiscard]] std::uint32_t numTiles() const { return numIpus * tilesPerIpu; }
  [[nodiscard]] IpuId ipuOf(TileId t) const { return IpuId(t.index() / tilesPerIpu); }
  friend bool operator==(const TileMachine &, const TileMachine &) = default;
};

/// Returns whether codelets on the host compute with floats in place of halves, so that values in tile memory are not
/// rounded to 16 bits. Memory and cycles are computed with two bytes per half in both cases.
[[nodiscard]] inline bool halfIsFloat(const TileMachine &machine) {
  return machine.kind != DeviceKind::Ipu && !machine.accurateHalf;
}

/// Returns the built-in machine `name` ("ipu1", "ipu2", "ipu21" or "cpu"; compiled in from target-models/data). The
/// kind of the machine is IpuModel, or Cpu for "cpu". Throws poplar::invalid_machine_model for an unknown name; the
/// message suggests the nearest name.
TileMachine loadTileMachine(const std::string &name);
/// Reads a machine from JSON text. Throws poplar::invalid_machine_model for a mistake; the message contains `where`,
/// the name of the source, and the JSON path of the bad value. If the JSON has a member "base", this member names a
/// built-in machine, which provides all missing values.
TileMachine parseTileMachine(const std::string &json, const std::string &where);
/// Returns the names of the built-in machines, sorted.
std::vector<std::string> tileMachineNames();
/// Returns all fields as compact JSON, except derived fields, `kind` and `compileIpuCode`. parseTileMachine reads an
/// equal machine from this text, except that `kind` and `compileIpuCode` have the values of an IPU Model.
std::string tileMachineToJson(const TileMachine &machine);

/// An error for a machine field with an invalid value. The message contains the field's name in a machine file.
class MachineFieldError : public poplar::invalid_machine_model {
public:
  MachineFieldError(const std::string &field, const std::string &mistake)
      : invalid_machine_model("machine field " + field + " " + mistake), field_(field), mistake_(mistake) {}
  [[nodiscard]] const std::string &field() const { return field_; }     // "exchange/bytesPerCycle", for example
  [[nodiscard]] const std::string &mistake() const { return mistake_; } // "is 0; it must be at least 1", for example

private:
  std::string field_, mistake_;
};

/// Throws MachineFieldError if a field is invalid. The message contains the first invalid field, its value and the
/// limit.
void validateTileMachine(const TileMachine &machine);
/// Turns the machine into a device: sets TileMachine::kind and TileMachine::compileIpuCode. If
/// DeviceModel::hostBytesPerCycle is not 0, also replaces constants of the machine by the constants in DeviceModel.
void becomeDevice(TileMachine &machine);
/// Derives elementOffsets and interleavedElementIndex from the regions.
void placeMemoryElements(TileMachine &machine);
/// Sets the memory of every tile to `bytes`. Removes the regions that begin at or after `bytes`, and then cuts or
/// extends the last remaining region. Updates elementOffsets and interleavedElementIndex.
void setTileMemory(TileMachine &machine, std::uint32_t bytes);

} // namespace popscope
