// TileMachine: what the machine is, as plain data. Built from target-models/data/<name>.json by
// loadTileMachine and then adjusted by the fields of an IPUModel. Every constant's source and
// confidence stand in the JSON file beside it. Units are in the field names or comments.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

enum class DeviceKind : std::uint8_t { Ipu, IpuModel, Cpu };
enum class RegionKind : std::uint8_t { NonInterleaved, Interleaved, Overflowed };
enum class SyncKind : std::uint8_t { Internal, External, Global };

/// A run of tile memory with one access rule. [offset, offset + size) from the base of tile memory.
struct MemoryRegion {
  RegionKind kind = RegionKind::NonInterleaved;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::uint32_t elementSize = 0; // bytes of one memory element (bank)
  bool executable = false;
};

struct SyncModel {
  bool relativeDelay = true;          // IPUModel::relativeSyncDelay AUTO: release time grows with tile position
  std::uint32_t minDelayCycles = 0;   // from the last arrival to the release of the nearest tile
  std::uint32_t maxDelayCycles = 0;   // ... of the furthest tile
  std::uint32_t globalCycles = 0;     // added to a sync that spans IPUs
};

struct ExchangeModel {
  std::uint32_t bytesPerCycle = 4;            // one tile, each direction
  std::uint32_t tilesPerSharedBus = 2;        // neighbours that may share one bus when receiving the same data
  bool busSharing = true;
  std::uint32_t minLatencyCycles = 0;         // first word, neighbouring tiles
  std::uint32_t maxLatencyCycles = 0;         // first word, most distant pair
  std::uint32_t perMessageCycles = 0;         // extra receive cycles for each further message
  std::uint32_t maxSendWords = 64;            // one SEND instruction
};

struct HostModel {
  double bytesPerCycle = 0;           // all tiles together
  std::uint32_t setupCycles = 0;      // of one stream copy
  std::uint32_t packetHeaderBytes = 8;
  std::uint32_t maxPacketBytes = 256; // payload of one packet
};

struct LinkModel {
  double bytesPerCycle = 0;           // between two IPUs, one direction
  std::uint32_t latencyCycles = 0;
};

struct StackModel {
  std::uint32_t workerBytes = 0;      // each worker
  std::uint32_t supervisorBytes = 0;
};

/// Bytes of one machine instruction and instruction counts of control and exchange sequences.
/// Used by lowering to size control code; see docs/MEMORY.md once issue "Exact memory" lands.
struct CodeModel {
  std::uint32_t instructionBytes = 4;
  std::uint32_t runtimeBytes = 0;          // always-linked vertex runtime of every tile
  std::uint32_t syncInstr = 1;             // every tile, every sync
  std::uint32_t exchangeCallInstr = 0;     // active tile, around one exchange row
  std::uint32_t exchangeIdleInstr = 0;     // tile that takes no part
  std::uint32_t executeCallInstr = 0;      // active tile, one compute set
  std::uint32_t executePerVertexInstr = 0; // launch of one vertex (load state pointer, run)
  std::uint32_t branchInstr = 0;           // If / Switch case / While test, every tile
  std::uint32_t loopInstr = 0;             // Repeat, every tile
  std::uint32_t callInstr = 0;             // Call + return, every tile
  std::uint32_t hostCallInstr = 0;         // active tile, around one host copy
};

struct TileMachine {
  std::string name;                        // "ipu1", "ipu2", "ipu21", "cpu"
  std::string architecture;                // the same for the built-in ones
  DeviceKind kind = DeviceKind::IpuModel;
  bool compileIpuCode = false;             // code categories exist (always for Ipu)
  bool accurateHalf = false;
  std::uint32_t numIpus = 1;
  std::uint32_t tilesPerIpu = 0;
  std::uint32_t workerContexts = 6;
  std::uint32_t bytesPerTile = 0;
  double clockHz = 0;
  std::vector<MemoryRegion> regions;       // ascending offsets, covering [0, bytesPerTile)
  std::vector<std::uint32_t> elementOffsets; // absolute addresses (memory base added), as Target reports them
  std::uint32_t interleavedElementIndex = 0;
  std::uint32_t dataStartOffset = 0;       // stack and data start here (element 1); code lives below
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
  SyncModel sync;
  ExchangeModel exchange;
  HostModel host;
  LinkModel link;
  StackModel stack;
  CodeModel code;

  [[nodiscard]] std::uint32_t numTiles() const { return numIpus * tilesPerIpu; }
  [[nodiscard]] IpuId ipuOf(TileId t) const { return IpuId(t.index() / tilesPerIpu); }
  friend bool operator==(const TileMachine &a, const TileMachine &b); // all fields
};

/// Reads the built-in model `name` ("ipu1", "ipu2", "ipu21", "cpu"; compiled in from target-models/data).
/// Throws poplar::invalid_machine_model naming the nearest known model. kind is IpuModel (Cpu for "cpu").
TileMachine loadTileMachine(const std::string &name);
/// The same from JSON text; `where` names the source in errors, which give the JSON path of a bad value.
TileMachine parseTileMachine(const std::string &json, const std::string &where);
/// Names of the built-in models, sorted.
std::vector<std::string> tileMachineNames();

} // namespace popscope
