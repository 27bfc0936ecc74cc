// Reads the tables of an open profile back into the records. Big per-tile vectors are read one at a time. The reader
// checks all data (ids in range, positions without gaps): for a corrupt file it throws a ProfileError that names the
// file.
#pragma once
#include "report/pop/PopFile.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace popscope {

/// Parts of slot_cycles.
enum : std::uint64_t { kFullestSlot = 0, kFirstSlot = 1 };

struct MetaRecord {
  std::string poplarVersion, formatVersion;
  bool complete = false; // the writer finished
  std::string ended;     // where and why the recording ended early; "" = it did not
  bool hasCompilation = false;
  std::string cycleProvenance = "estimated"; // the default of a profile that does not state it
  bool codeIncluded = true;
  bool debugContexts = false;
  std::string debugInfo; // the id of its debug.cbor; "" = none was written
  std::string program;   // the name of the program that wrote it; "" = not known
};
/// Sizes that ids are checked against.
struct ProfileLimits {
  std::size_t tiles = 0, stepTiles = 0 /* of one replica: what a step has cycles of */, ipus = 0, programs = 0,
              computeSets = 0, vertexTypes = 0, variables = 0, classes = 0, names = 0 /* of variables */;
};

struct StoredRun {
  std::uint64_t id = 0, firstStep = 0;
  RunRecord run;
  bool numberKnown = false;
  bool complete = false;
  bool hasTotals = false;
  RunTotals totals;
};
/// Returns the name of a BlockRecord::Kind in the file.
[[nodiscard]] const char *blockKindName(BlockRecord::Kind kind);
/// Reads the blocks of one tile, in order.
[[nodiscard]] std::vector<BlockRecord> readBlocks(PopFile &file, const ProfileLimits &limits, std::size_t tile);
[[nodiscard]] std::vector<PausedRecord> readPausedSpans(PopFile &file);

struct StoredStep {
  std::uint64_t id = 0, run = 0;
  std::uint32_t program = 0;
  std::int64_t computeSet = -1;
  std::optional<std::uint64_t> threadCycles;
  std::optional<std::uint64_t> slotCycles; // id
};
enum class ProgramVector : std::uint8_t {
  ControlCode,
  ExchangeCode,
  BytesSent,
  BytesReceived,
  EstimatedCycles,
  CounterCycles,
  MessagesReceived,
  ReceiveLatency,
  ReceiveTransfer,
  ReceiveControls,
  CounterStores,
  ReceiveDistance,
  MessageSizes
};

[[nodiscard]] std::uint64_t revisionOf(const PopFile &file); // see PopFile::revision
[[nodiscard]] bool isOurs(const PopFile &file);              // returns whether this process writes or wrote the file
[[noreturn]] void failProfile(const PopFile &file, const std::string &what);

[[nodiscard]] MetaRecord readMeta(PopFile &file);
[[nodiscard]] ProfileLimits readLimits(PopFile &file);
[[nodiscard]] TargetRecord readTarget(PopFile &file);
[[nodiscard]] GraphRecord readGraph(PopFile &file);
[[nodiscard]] std::vector<WarningRecord> readWarnings(PopFile &file);
[[nodiscard]] std::vector<OptionRecord> readOptions(PopFile &file);
[[nodiscard]] std::vector<PassOptimisationRecord> readOptimisations(PopFile &file);
/// The fields of a ProgramRecord that do not depend on the tile.
struct StoredProgram {
  std::string type, name;
  std::int64_t parent = -1, computeSet = -1, exchangeCodeOf = -1;
  std::uint64_t controlCodeEveryTile = 0, count = 0, debugContext = 0;
  std::vector<std::string> barriers;
  bool isFunction = false, livenessPoint = false, hasCounters = false;
};
[[nodiscard]] std::vector<StoredProgram> readPrograms(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<std::uint32_t> readControlPrograms(PopFile &file, const ProfileLimits &limits);
/// Returns vectors of one program, in this order, as the file stores them; nothing for a vector that the file lacks.
/// unpackVector() gives their numbers for all tiles. Unpacking does not read the file, so other threads may read the
/// file at the same time.
[[nodiscard]] std::vector<std::optional<std::string>> readPackedProgramVectors(PopFile &file, std::uint32_t program,
                                                                               const std::vector<ProgramVector> &which);
[[nodiscard]] std::optional<std::string> readPackedEstimate(PopFile &file, std::uint32_t computeSet);
[[nodiscard]] std::vector<std::uint64_t> unpackVector(const PopFile &file, const ProfileLimits &limits,
                                                      const std::string &packed);
[[nodiscard]] std::vector<SyncDelayRecord> readSyncDelays(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<MachineCostRecord> readMachineCosts(PopFile &file);
[[nodiscard]] std::vector<MessageSizesRecord> readMessageSizes(PopFile &file);
/// Reads the traffic of an exchange; without bytes if there is none. Throws ProfileError for groups beyond the tiles.
[[nodiscard]] TrafficRecord readTraffic(PopFile &file, const ProfileLimits &limits, std::uint32_t program);
[[nodiscard]] std::vector<std::uint64_t> readMoreContexts(PopFile &file, std::uint32_t program);
[[nodiscard]] std::vector<LinkTransferRecord> readLinkTransfers(PopFile &file, const ProfileLimits &limits,
                                                                std::uint32_t program);
/// Worker vertices of one compute set in the order of dealing; see table dealt_vertices.
struct DealtVertices {
  std::vector<std::uint64_t> patternByTile; // numbers from 1; 0 = none; empty = no tile has one
  std::vector<std::vector<DealtRun>> patterns;
};
[[nodiscard]] DealtVertices readDealtVertices(PopFile &file, const ProfileLimits &limits, std::uint64_t slotCycles);
[[nodiscard]] std::vector<std::string> readComputeSetNames(PopFile &file);
[[nodiscard]] std::vector<ComputeSetVertices> readComputeSetVertices(PopFile &file, const ProfileLimits &limits,
                                                                     std::uint32_t computeSet);
[[nodiscard]] std::vector<VertexOperandRecord> readOperands(PopFile &file, const ProfileLimits &limits,
                                                            std::uint32_t computeSet);
/// The floating-point operations in a row of compute_set_vertices; ComputeSetVertices describes flopVertices and flops.
struct FlopsRow {
  std::uint32_t computeSet = 0, vertexType = 0;
  std::uint64_t vertices = 0;
  std::int64_t flopVertices = -1, flops = -1;
};
/// Reads rows of all compute sets, in their order.
[[nodiscard]] std::vector<FlopsRow> readFlops(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<VertexTypeRecord> readVertexTypes(PopFile &file);
/// Reads vertices of all tiles, by tile, then type.
[[nodiscard]] std::vector<VertexOnTileRecord> readVerticesOnTile(PopFile &file, const ProfileLimits &limits);

[[nodiscard]] std::vector<TileMemoryRecord> readTiles(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<std::uint32_t> readTilesOutOfMemory(PopFile &file, const ProfileLimits &limits);
/// Reads names, indexed by the NameId of variable records.
[[nodiscard]] std::vector<std::string> readVariableNames(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<LiveVariableRecord> readVariables(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<LivenessClassRecord> readClasses(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<LivenessStepRecord> readLivenessSteps(PopFile &file, const ProfileLimits &limits);
struct LivenessTotals {
  std::uint64_t alwaysLive = 0, maxLive = 0;
};
[[nodiscard]] LivenessTotals readLivenessTotals(PopFile &file);
[[nodiscard]] std::vector<LoweredVariableRecord> readLoweredVariables(PopFile &file, const ProfileLimits &limits);
/// Reads the variables of one tile with their positions among all, by position.
[[nodiscard]] std::vector<std::pair<std::uint64_t, LoweredVariableRecord>>
readLoweredVariablesOf(PopFile &file, const ProfileLimits &limits, std::size_t tile);

[[nodiscard]] std::vector<StoredRun> readRuns(PopFile &file);
/// A half-open range of step ids; the ranges of a file follow each other without gaps.
struct StepIds {
  std::uint64_t first = 0, end = 0;
};
[[nodiscard]] StepIds readStepIds(PopFile &file);
/// Reads the requested steps, except those that do not exist.
[[nodiscard]] std::vector<StoredStep> readSteps(PopFile &file, const ProfileLimits &limits, StepIds ids);
/// Reads records by step of `ids`, then IPU; nothing for a step without a row.
[[nodiscard]] std::vector<std::vector<StepOnIpu>> readStepIpus(PopFile &file, const ProfileLimits &limits, StepIds ids);
/// Returns the cycles of a step as the file stores them; nothing if there are none. unpackStepCycles() gives the
/// numbers per tile.
[[nodiscard]] std::optional<std::string> readPackedStepCycles(PopFile &file, std::uint64_t step);
/// Reads the packed cycles of the steps that have some, by id.
[[nodiscard]] std::vector<std::pair<std::uint64_t, std::string>> readPackedStepCycles(PopFile &file, StepIds ids);
[[nodiscard]] std::vector<std::uint64_t> unpackStepCycles(const PopFile &file, const ProfileLimits &limits,
                                                          const std::string &packed);
/// Reads one part of the slots' data (`id` is that of part 0), by tile of one replica; for `part` see table
/// slot_cycles.
[[nodiscard]] std::vector<std::uint64_t> readSlotCycles(PopFile &file, const ProfileLimits &limits, std::uint64_t id,
                                                        std::uint64_t part);
/// Reads one tile of the first replica over all these steps; 0 if unknown.
[[nodiscard]] std::vector<std::uint64_t> readTileCycles(PopFile &file, const ProfileLimits &limits, std::size_t tile,
                                                        StepIds ids);
/// Reads records by run, then vertex type.
[[nodiscard]] std::vector<VertexTypeCycles> readRunVertexTypes(PopFile &file, const ProfileLimits &limits);
/// Reads cycles by type, each vertex once: its last execution in the recorded runs, or else its estimate. Instances
/// are the vertices with known cycles. With a run, reads the last execution in that run, and omits vertices that it did
/// not execute.
[[nodiscard]] std::vector<VertexTypeCycles> readLastVertexTypes(PopFile &file, const ProfileLimits &limits,
                                                                std::optional<std::uint64_t> run = {});
[[nodiscard]] std::vector<VertexTypeCycles> readStepVertexTypes(PopFile &file, const ProfileLimits &limits,
                                                                std::uint64_t step);

} // namespace popscope
