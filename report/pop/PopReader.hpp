// Reads the tables of an open profile back into records (instrument/profile/Records.hpp). One call reads the per-tile
// vectors of one program. One call reads the per-tile cycles of one step, or of a range of steps. The reader checks all
// data (ids in range, positions without gaps). For a corrupt file, the reader throws a ProfileError that names the
// file.
#pragma once
#include "report/pop/PopFile.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace popscope {

/// Values of the column `part` of slot_cycles.
enum : std::uint64_t { kFullestSlot = 0, kFirstSlot = 1 };

struct MetaRecord {
  std::string poplarVersion, formatVersion;
  bool complete = false; // true: the writer completed the file
  std::string ended;     // where and why the recording ended early; "" if it did not end early
  bool hasCompilation = false;
  std::string cycleProvenance = "estimated"; // the default applies to files that do not state the origin
  bool codeIncluded = true;
  bool debugContexts = false;
  std::string debugInfo; // id of the debug.cbor that belongs to the profile; "" without debug.cbor
  std::string program;   // name of the program that wrote the profile; "" if unknown
};
/// The numbers of tiles, programs and other objects in the profile. The reader checks each id against these numbers.
/// `stepTiles` is the number of tiles of one replica; a step has cycles for each of these tiles. `names` is the number
/// of names of variables.
struct ProfileLimits {
  std::size_t tiles = 0, stepTiles = 0, ipus = 0, programs = 0, computeSets = 0, vertexTypes = 0, variables = 0,
              classes = 0, names = 0;
};

struct StoredRun {
  std::uint64_t id = 0, firstStep = 0;
  RunRecord run;
  bool numberKnown = false;
  bool complete = false;
  bool hasTotals = false;
  RunTotals totals;
};
/// Returns the text with which the file stores a BlockRecord::Kind.
[[nodiscard]] const char *blockKindName(BlockRecord::Kind kind);
/// Returns the blocks of one tile in the order in which they were recorded.
[[nodiscard]] std::vector<BlockRecord> readBlocks(PopFile &file, const ProfileLimits &limits, std::size_t tile);
[[nodiscard]] std::vector<PausedRecord> readPausedSpans(PopFile &file);

struct StoredStep {
  std::uint64_t id = 0, run = 0;
  std::uint32_t program = 0;
  std::int64_t computeSet = -1;
  std::optional<std::uint64_t> threadCycles;
  std::optional<std::uint64_t> slotCycles; // id in slot_cycles
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
[[nodiscard]] bool isOurs(const PopFile &file);              // true: this process writes or wrote the file
[[noreturn]] void failProfile(const PopFile &file, const std::string &what);

[[nodiscard]] MetaRecord readMeta(PopFile &file);
[[nodiscard]] ProfileLimits readLimits(PopFile &file);
[[nodiscard]] TargetRecord readTarget(PopFile &file);
[[nodiscard]] GraphRecord readGraph(PopFile &file);
[[nodiscard]] std::vector<WarningRecord> readWarnings(PopFile &file);
[[nodiscard]] std::vector<OptionRecord> readOptions(PopFile &file);
[[nodiscard]] std::vector<PassOptimisationRecord> readOptimisations(PopFile &file);
/// The fields of a ProgramRecord that are not per tile.
struct StoredProgram {
  std::string type, name;
  std::int64_t parent = -1, computeSet = -1, exchangeCodeOf = -1;
  std::int64_t callee = -1; // for a Call: the root of the function's body; -1 if not recorded
  std::uint64_t controlCodeEveryTile = 0, count = 0, debugContext = 0;
  std::vector<std::string> barriers;
  bool isFunction = false, livenessPoint = false, hasCounters = false;
};
[[nodiscard]] std::vector<StoredProgram> readPrograms(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<std::uint32_t> readControlPrograms(PopFile &file, const ProfileLimits &limits);
/// Returns vectors of one program as the file stores them, in the order of `which`. The entry of a vector that the file
/// lacks has no value. unpackVector() returns the numbers of a vector for all tiles. Unpacking does not read the file,
/// so other threads may read the file at the same time.
[[nodiscard]] std::vector<std::optional<std::string>> readPackedProgramVectors(PopFile &file, std::uint32_t program,
                                                                               const std::vector<ProgramVector> &which);
[[nodiscard]] std::optional<std::string> readPackedEstimate(PopFile &file, std::uint32_t computeSet);
[[nodiscard]] std::vector<std::uint64_t> unpackVector(const PopFile &file, const ProfileLimits &limits,
                                                      const std::string &packed);
[[nodiscard]] std::vector<SyncDelayRecord> readSyncDelays(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<MachineCostRecord> readMachineCosts(PopFile &file);
[[nodiscard]] std::vector<MessageSizesRecord> readMessageSizes(PopFile &file);
/// Reads the traffic of an exchange. TrafficRecord::bytes is empty if the file has no traffic of the exchange. Throws
/// ProfileError if the file has traffic of a group that contains no tiles.
[[nodiscard]] TrafficRecord readTraffic(PopFile &file, const ProfileLimits &limits, std::uint32_t program);
[[nodiscard]] std::vector<std::uint64_t> readMoreContexts(PopFile &file, std::uint32_t program);
[[nodiscard]] std::vector<LinkTransferRecord> readLinkTransfers(PopFile &file, const ProfileLimits &limits,
                                                                std::uint32_t program);
/// The worker vertices of one compute set in the order in which they were assigned to the slots; see table
/// dealt_vertices.
struct DealtVertices {
  std::vector<std::uint64_t> patternByTile; // per tile: index into `patterns` plus 1, or 0 if the tile has no pattern.
                                            // The list is empty if no tile has a pattern
  std::vector<std::vector<DealtRun>> patterns;
};
[[nodiscard]] DealtVertices readDealtVertices(PopFile &file, const ProfileLimits &limits, std::uint64_t slotCycles);
[[nodiscard]] std::vector<std::string> readComputeSetNames(PopFile &file);
[[nodiscard]] std::vector<ComputeSetVertices> readComputeSetVertices(PopFile &file, const ProfileLimits &limits,
                                                                     std::uint32_t computeSet);
[[nodiscard]] std::vector<VertexOperandRecord> readOperands(PopFile &file, const ProfileLimits &limits,
                                                            std::uint32_t computeSet);
/// The floating-point operations in a row of compute_set_vertices. ComputeSetVertices describes flopVertices and flops.
struct FlopsRow {
  std::uint32_t computeSet = 0, vertexType = 0;
  std::uint64_t vertices = 0;
  std::int64_t flopVertices = -1, flops = -1;
};
/// Reads the rows of all compute sets, in the order of the compute sets.
[[nodiscard]] std::vector<FlopsRow> readFlops(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<VertexTypeRecord> readVertexTypes(PopFile &file);
/// Reads the vertices of all tiles, sorted by tile, then type.
[[nodiscard]] std::vector<VertexOnTileRecord> readVerticesOnTile(PopFile &file, const ProfileLimits &limits);

[[nodiscard]] std::vector<TileMemoryRecord> readTiles(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<std::uint32_t> readTilesOutOfMemory(PopFile &file, const ProfileLimits &limits);
/// Reads the names of variables. The index of a name is the NameId in the records of variables.
[[nodiscard]] std::vector<std::string> readVariableNames(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<LiveVariableRecord> readVariables(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<LivenessClassRecord> readClasses(PopFile &file, const ProfileLimits &limits);
[[nodiscard]] std::vector<LivenessStepRecord> readLivenessSteps(PopFile &file, const ProfileLimits &limits);
struct LivenessTotals {
  std::uint64_t alwaysLive = 0, maxLive = 0;
};
[[nodiscard]] LivenessTotals readLivenessTotals(PopFile &file);
[[nodiscard]] std::vector<LoweredVariableRecord> readLoweredVariables(PopFile &file, const ProfileLimits &limits);
/// Reads the lowered variables of one tile, each with its position among all lowered variables, sorted by position.
[[nodiscard]] std::vector<std::pair<std::uint64_t, LoweredVariableRecord>>
readLoweredVariablesOf(PopFile &file, const ProfileLimits &limits, std::size_t tile);

[[nodiscard]] std::vector<StoredRun> readRuns(PopFile &file);
/// A half-open range of step ids. The step ids of a file have no gaps.
struct StepIds {
  std::uint64_t first = 0, end = 0;
};
[[nodiscard]] StepIds readStepIds(PopFile &file);
/// Reads the steps of `ids`. Leaves out ids after the file's last step. Throws ProfileError if any other step is
/// missing.
[[nodiscard]] std::vector<StoredStep> readSteps(PopFile &file, const ProfileLimits &limits, StepIds ids);
/// Reads, for each step of `ids`, one record per IPU, sorted by IPU. The list of a step without records is empty.
[[nodiscard]] std::vector<std::vector<StepOnIpu>> readStepIpus(PopFile &file, const ProfileLimits &limits, StepIds ids);
/// Returns the cycles of a step as the file stores them, or no value if the file has no cycles of the step.
/// unpackStepCycles() returns the numbers per tile.
[[nodiscard]] std::optional<std::string> readPackedStepCycles(PopFile &file, std::uint64_t step);
/// Returns the packed cycles of the steps of `ids`, each with the id of its step, in the order of the ids. Leaves out
/// steps without cycles.
[[nodiscard]] std::vector<std::pair<std::uint64_t, std::string>> readPackedStepCycles(PopFile &file, StepIds ids);
[[nodiscard]] std::vector<std::uint64_t> unpackStepCycles(const PopFile &file, const ProfileLimits &limits,
                                                          const std::string &packed);
/// Reads one part of the data about worker slots, per tile of one replica. `id` is the id of the row of part 0. The
/// description of table slot_cycles lists the parts. Returns zeros for a part that the file leaves out.
[[nodiscard]] std::vector<std::uint64_t> readSlotCycles(PopFile &file, const ProfileLimits &limits, std::uint64_t id,
                                                        std::uint64_t part);
/// Returns the cycles of one tile of the first replica in each step of `ids`, or 0 for a step whose cycles are unknown.
[[nodiscard]] std::vector<std::uint64_t> readTileCycles(PopFile &file, const ProfileLimits &limits, std::size_t tile,
                                                        StepIds ids);
/// Reads the cycles by vertex type of the complete runs, or of all runs if no run is complete. The result is sorted by
/// run, then vertex type.
[[nodiscard]] std::vector<VertexTypeCycles> readRunVertexTypes(PopFile &file, const ProfileLimits &limits);
/// Reads cycles by vertex type. Each vertex counts once: with the cycles of its last execution in the recorded runs, or
/// with its estimate if no recorded run executed the vertex. If the cycles of one executed vertex are unknown, no
/// vertex of the same type in the same compute set counts. A vertex that no recorded run executed counts only if it has
/// an estimate. `instances` is the number of counted vertices. If `run` is given, reads the last execution in that run,
/// and leaves out vertices that the run did not execute.
[[nodiscard]] std::vector<VertexTypeCycles> readLastVertexTypes(PopFile &file, const ProfileLimits &limits,
                                                                std::optional<std::uint64_t> run = {});
[[nodiscard]] std::vector<VertexTypeCycles> readStepVertexTypes(PopFile &file, const ProfileLimits &limits,
                                                                std::uint64_t step);

} // namespace popscope
