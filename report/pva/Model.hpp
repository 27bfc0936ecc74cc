// The state that the handles of the profile API share: the open profile and the sections read so far. Each section is
// read at its first use and then kept. There are two exceptions: if the file has changed since the latest read, the
// model reads the recorded execution and the sources of cycles again. A report that was made during a run therefore
// shows the new steps.
#pragma once
#include <pva/pva.hpp>

#include "base/BriefMutex.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pva/LiveRows.hpp"
#include "report/pva/ReadAhead.hpp"

#include <compare>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>

namespace pva {
namespace detail {

struct DebugRecords;

[[nodiscard]] Program::Type programTypeFromName(const std::string &name);
[[nodiscard]] std::unique_ptr<Program> makeProgram(const Model *model, std::uint32_t id, Program::Type type);

/// A part of the file that is read at its first use.
template <class T> class Section {
public:
  template <class Read> const T &get(popscope::BriefMutex &mutex, Read &&read) const {
    const std::lock_guard guard(mutex);
    if (!value_)
      value_.emplace(read());
    return *value_;
  }
  [[nodiscard]] bool isRead(popscope::BriefMutex &mutex) const {
    const std::lock_guard guard(mutex);
    return value_.has_value();
  }

private:
  mutable std::optional<T> value_;
};

struct Programs {
  std::vector<popscope::StoredProgram> rows; // by program id
  std::vector<Program::Type> types;
  std::vector<std::vector<std::uint32_t>> children;
  std::vector<std::uint32_t> control, functions;
  std::vector<std::unique_ptr<Program>> objects;
};

struct Variables {
  std::vector<popscope::LiveVariableRecord> rows;
  std::vector<std::uint32_t> alwaysLive;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> onTile; // per tile: (variable, bytes)
};

struct Execution {
  std::vector<popscope::StoredRun> runs;
  popscope::StepIds steps; // range of the step ids of all runs
  std::vector<popscope::StepIds> stepsOfRun;
};

class Model : public std::enable_shared_from_this<Model> {
public:
  /// Makes the model of an open file. `debugInfoPath` is the path of debug.cbor, or "". Throws ProfileError if the
  /// profile has no compiled graph.
  explicit Model(std::shared_ptr<popscope::PopFile> file, const std::string &debugInfoPath = std::string());

  [[nodiscard]] popscope::MetaRecord meta() const { return popscope::readMeta(*file_); }
  [[nodiscard]] const popscope::TargetRecord &target() const { return target_; }
  [[nodiscard]] const popscope::ProfileLimits &limits() const { return limits_; }
  [[nodiscard]] std::size_t tilesPerReplica() const { return limits_.tiles / target_.numReplicas; }
  [[nodiscard]] popscope::PopFile &file() const { return *file_; }

  [[nodiscard]] const popscope::GraphRecord &graph() const;
  [[nodiscard]] const std::vector<popscope::SyncDelayRecord> &syncDelays() const;
  /// Returns the records of debug.cbor, or null if the model has no path of such a file. Throws ProfileError if the
  /// file cannot be read or belongs to another profile.
  [[nodiscard]] std::shared_ptr<const DebugRecords> debugRecords() const;
  [[nodiscard]] const Programs &programs() const;
  [[nodiscard]] const std::vector<std::string> &computeSetNames() const;
  [[nodiscard]] const std::vector<popscope::FlopsRow> &flops() const;
  [[nodiscard]] const std::vector<popscope::VertexTypeRecord> &vertexTypes() const;
  [[nodiscard]] const std::vector<popscope::VertexOnTileRecord> &verticesOnTile() const;
  /// Returns the memory of a tile. If the profile stores only one replica, returns the memory of the corresponding tile
  /// of that replica. For a target without tile memory (a CPU), returns zeros.
  [[nodiscard]] const popscope::TileMemoryRecord &tile(std::size_t tile) const;
  /// Throws std::out_of_range if the target has no tile with this number.
  void requireTile(std::size_t tile) const;
  /// Returns the number of the tile whose stored rows describe `tile`; see tile().
  [[nodiscard]] std::size_t storedTile(std::size_t tile) const;
  [[nodiscard]] const Variables &variables() const;
  [[nodiscard]] const std::string &variableName(popscope::NameId name) const;
  [[nodiscard]] const std::vector<popscope::LivenessClassRecord> &classes() const;
  [[nodiscard]] const std::vector<popscope::LivenessStepRecord> &livenessSteps() const;
  [[nodiscard]] const std::vector<popscope::LoweredVariableRecord> &loweredVariables() const;
  /// Returns the lowered variable with this id. The id is the index in loweredVariables().
  [[nodiscard]] const popscope::LoweredVariableRecord &lowered(std::size_t id) const;
  /// Returns the indices in loweredVariables() of the variables on a stored tile, in ascending order. The first few
  /// calls read only the rows of the requested tile. A later call reads the rows of all tiles.
  [[nodiscard]] const std::vector<std::size_t> &loweredOnTile(std::size_t storedTile) const;
  [[nodiscard]] std::shared_ptr<const Execution> execution() const;
  /// Returns the sources of cycles, sorted by compute set.
  [[nodiscard]] std::shared_ptr<const std::vector<popscope::CycleSourceRecord>> cycleSources() const;
  /// Returns the step with this id. Recently read steps stay in memory.
  [[nodiscard]] popscope::StoredStep step(std::uint64_t id) const;
  [[nodiscard]] std::vector<popscope::StepOnIpu> stepIpus(std::uint64_t step) const;

  /// Returns an index of the variables that are live, but not always live, at each program.
  [[nodiscard]] const LiveRows &liveVariables() const;
  /// Returns an index of the lowered variables that occupy memory at each program, without always-live variables. The
  /// rows are indices in loweredVariables().
  [[nodiscard]] const LiveRows &liveLowered() const;
  /// Returns the intervals of liveness steps at which variables of the class are live, in ascending order. All calls
  /// for one class return the same array.
  [[nodiscard]] std::span<const StepInterval> stepsOfClass(std::size_t liveClass) const;
  /// Returns the index of the first liveness step whose program id is at least `program`. If there is no such step,
  /// returns the number of liveness steps.
  [[nodiscard]] std::size_t livenessStepFrom(std::uint32_t program) const;

  [[nodiscard]] std::shared_ptr<Program> program(std::uint32_t id) const;

  struct StepCycles { // the cycles per tile of a step
    friend auto operator<=>(const StepCycles &, const StepCycles &) = default;
  };
  struct ComputeSetEstimate { // the estimated cycles per tile of a compute set
    friend auto operator<=>(const ComputeSetEstimate &, const ComputeSetEstimate &) = default;
  };
  /// The kind of a per-tile vector: a vector of a program, the cycles of a step, or the estimate of a compute set.
  using Kind = std::variant<popscope::ProgramVector, StepCycles, ComputeSetEstimate>;
  /// Returns the vector of the program, step or compute set `id`. Recent vectors stay in memory, so that two calls in
  /// one expression return the same vector.
  [[nodiscard]] Values values(Kind kind, std::uint64_t id) const;

private:
  struct PackedValues {
    std::optional<std::string> bytes; // the packed vector as the file stores it; no value if there is none
    std::uint64_t everywhere = 0;     // a number that is added on each tile of the first replica
  };
  [[nodiscard]] PackedValues readPacked(Kind kind, std::uint64_t id) const;
  [[nodiscard]] std::shared_ptr<const std::vector<std::uint64_t>> unpack(Kind kind, const PackedValues &packed) const;

  std::shared_ptr<popscope::PopFile> file_;
  std::string debugInfoPath_;
  popscope::TargetRecord target_;
  popscope::ProfileLimits limits_;
  mutable popscope::BriefMutex mutex_;
  Section<popscope::GraphRecord> graph_;
  Section<std::vector<popscope::SyncDelayRecord>> syncDelays_;
  Section<std::shared_ptr<const DebugRecords>> debugRecords_;
  Section<Programs> programs_;
  Section<std::vector<std::string>> computeSets_;
  Section<std::vector<popscope::FlopsRow>> flops_;
  Section<std::vector<popscope::VertexTypeRecord>> vertexTypes_;
  Section<std::vector<popscope::VertexOnTileRecord>> verticesOnTile_;
  Section<std::vector<popscope::TileMemoryRecord>> tiles_;
  Section<std::vector<std::string>> variableNames_;
  Section<Variables> variables_;
  Section<std::vector<popscope::LivenessClassRecord>> classes_;
  Section<std::vector<popscope::LivenessStepRecord>> livenessSteps_;
  Section<LiveRows> liveVariables_, liveLowered_;
  Section<std::vector<std::vector<StepInterval>>> stepsOfClasses_;
  Section<std::vector<popscope::LoweredVariableRecord>> lowered_;
  Section<std::vector<std::vector<std::size_t>>> loweredOnTile_;
  mutable std::map<std::size_t, std::vector<std::size_t>> loweredAlone_; // per tile
  mutable std::unordered_map<std::size_t, popscope::LoweredVariableRecord> loweredOfAlone_;
  mutable std::shared_ptr<const Execution> execution_;
  mutable std::shared_ptr<const std::vector<popscope::CycleSourceRecord>> cycleSources_;
  mutable std::uint64_t executionRevision_ = 0, sourcesRevision_ = 0; // the file's revision at the latest read of
                                                                      // execution_, and of cycleSources_
  mutable std::map<std::uint64_t, std::vector<popscope::StoredStep>> stepPages_; // key: id / kStepsOfPage
  Section<std::shared_ptr<const std::vector<std::uint64_t>>> zeros_; // one zero per tile; all vectors of zeros share
                                                                     // this vector
  mutable std::uint64_t firstOfIpuPage_ = 0;                         // first step id of ipuPage_; one page suffices,
                                                                     // because callers mostly request steps in order
  mutable std::vector<std::vector<popscope::StepOnIpu>> ipuPage_;    // records per IPU of consecutive steps
  // A thread that needs several locks takes RecentValues::mutex first, then mutex_, then the file's lock.
  mutable ReadAhead ahead_;
  using Key = std::pair<Kind, std::uint64_t>;
  struct RecentValues {
    popscope::BriefMutex mutex;
    std::map<Key, Values> values;
    std::deque<Key> order; // oldest first
  };
  static constexpr std::size_t kRecents = 17; // number of entries of recent_. The number is not a power of two, because
                                              // the id of a thread modulo kRecents selects an entry, and the lowest
                                              // bits of all thread ids can be equal
  mutable std::array<RecentValues, kRecents> recent_;
};

/// Returns a List whose i-th element is make(i). `make` must keep alive the data that it uses.
template <class T> List<T> makeList(std::size_t size, std::function<T(std::size_t)> make) {
  struct Made : List<T>::Source {
    std::size_t count;
    std::function<T(std::size_t)> make;
    Made(std::size_t n, std::function<T(std::size_t)> m) : count(n), make(std::move(m)) {}
    [[nodiscard]] std::size_t size() const override { return count; }
    [[nodiscard]] T at(std::size_t i) const override { return make(i); }
  };
  return List<T>(std::make_shared<const Made>(size, std::move(make)));
}

/// Returns a List of existing elements.
template <class T> List<T> listOf(std::vector<T> elements) {
  const auto shared = std::make_shared<const std::vector<T>>(std::move(elements));
  return makeList<T>(shared->size(), [shared](std::size_t i) { return (*shared)[i]; });
}

} // namespace detail
} // namespace pva
