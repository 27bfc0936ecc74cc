#include "report/pva/Model.hpp"

#include "base/AbsolutePath.hpp"
#include "report/pop/ExtensionRows.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pva/DebugRecords.hpp"

#include <algorithm>
#include <stdexcept>

namespace pva {
namespace detail {
namespace {

constexpr std::size_t kRecentVectors = 32; // per thread; more would not fit into the processor's cache
constexpr std::uint64_t kStepsOfPage = 16;
constexpr std::uint64_t kPagesAhead = 16; // read together if pages are requested in order
constexpr std::size_t kStepPages = 8192;
constexpr std::size_t kTilesAlone = 16;

Programs readAllPrograms(popscope::PopFile &file, const popscope::ProfileLimits &limits, const Model *model) {
  Programs p;
  p.rows = popscope::readPrograms(file, limits);
  p.control = popscope::readControlPrograms(file, limits);
  p.children.resize(p.rows.size());
  for (std::uint32_t id = 0; id < p.rows.size(); ++id) {
    p.types.push_back(programTypeFromName(p.rows[id].type));
    p.objects.push_back(makeProgram(model, id, p.types.back()));
    if (p.rows[id].parent >= 0)
      p.children[static_cast<std::size_t>(p.rows[id].parent)].push_back(id);
    if (p.rows[id].isFunction)
      p.functions.push_back(id);
  }
  return p;
}

Variables readAllVariables(popscope::PopFile &file, const popscope::ProfileLimits &limits) {
  Variables v;
  v.rows = popscope::readVariables(file, limits);
  v.onTile.resize(limits.tiles);
  for (std::uint32_t id = 0; id < v.rows.size(); ++id) {
    if (v.rows[id].alwaysLive)
      v.alwaysLive.push_back(id);
    for (const auto &entry : v.rows[id].bytesByTile)
      v.onTile[entry.first].emplace_back(id, entry.second);
  }
  return v;
}

std::size_t stepFrom(const std::vector<popscope::LivenessStepRecord> &steps, std::uint32_t program) {
  const auto it = std::lower_bound(steps.begin(), steps.end(), program,
                                   [](const auto &step, std::uint32_t p) { return step.program < p; });
  return static_cast<std::size_t>(it - steps.begin());
}

std::shared_ptr<const Execution> readExecution(popscope::PopFile &file) {
  auto e = std::make_shared<Execution>();
  const auto guard = file.lock(); // another thread may write a run between the tables
  e->runs = popscope::readRuns(file);
  e->steps = popscope::readStepIds(file);
  const std::uint64_t end = e->steps.end;
  for (std::size_t run = 0; run < e->runs.size(); ++run) {
    const std::uint64_t first = e->runs[run].firstStep;
    const std::uint64_t next = run + 1 < e->runs.size() ? e->runs[run + 1].firstStep : std::max(first, end);
    if (first > next || (end > 0 && next > end))
      popscope::failProfile(file, "the profile is corrupt: the steps of its runs are not in order");
    e->stepsOfRun.push_back({first, next});
  }
  if (e->steps.first != end && (e->runs.empty() || e->runs.front().firstStep != e->steps.first))
    popscope::failProfile(file, "the profile is corrupt: it has steps of a run that is not in the table of runs");
  return e;
}

} // namespace

// Stores the absolute path, because the program can change its current folder before the file is read.
Model::Model(std::shared_ptr<popscope::PopFile> file, const std::string &debugInfoPath)
    : file_(std::move(file)), debugInfoPath_(popscope::absolutePath(debugInfoPath)), ahead_(*file_) {
  if (!meta().hasCompilation)
    popscope::failProfile(*file_, "the profile holds no compiled graph (its program stopped before it was written)");
  target_ = popscope::readTarget(*file_);
  limits_ = popscope::readLimits(*file_);
}

const popscope::GraphRecord &Model::graph() const {
  return graph_.get(mutex_, [&] { return popscope::readGraph(*file_); });
}
const std::vector<popscope::SyncDelayRecord> &Model::syncDelays() const {
  return syncDelays_.get(mutex_, [&] { return popscope::readSyncDelays(*file_, limits_); });
}
std::shared_ptr<const DebugRecords> Model::debugRecords() const {
  return debugRecords_.get(mutex_, [&] {
    if (debugInfoPath_.empty())
      return std::shared_ptr<const DebugRecords>();
    auto records = std::make_shared<const DebugRecords>(readDebugRecords(debugInfoPath_));
    if (!records->profile.empty() && records->profile != meta().debugInfo)
      throw popscope::ProfileError(debugInfoPath_ + ": is the debug information of another profile. Give the debug "
                                                    "information that was written with this profile");
    return records;
  });
}
const Programs &Model::programs() const {
  return programs_.get(mutex_, [&] { return readAllPrograms(*file_, limits_, this); });
}
const std::vector<std::string> &Model::computeSetNames() const {
  return computeSets_.get(mutex_, [&] { return popscope::readComputeSetNames(*file_); });
}
const std::vector<popscope::FlopsRow> &Model::flops() const {
  return flops_.get(mutex_, [&] { return popscope::readFlops(*file_, limits_); });
}
const std::vector<popscope::VertexTypeRecord> &Model::vertexTypes() const {
  return vertexTypes_.get(mutex_, [&] { return popscope::readVertexTypes(*file_); });
}
const std::vector<popscope::VertexOnTileRecord> &Model::verticesOnTile() const {
  return verticesOnTile_.get(mutex_, [&] { return popscope::readVerticesOnTile(*file_, limits_); });
}
const Variables &Model::variables() const {
  return variables_.get(mutex_, [&] { return readAllVariables(*file_, limits_); });
}
const std::string &Model::variableName(popscope::NameId name) const {
  return variableNames_.get(mutex_, [&] { return popscope::readVariableNames(*file_, limits_); }).at(name.index());
}
const std::vector<popscope::LivenessClassRecord> &Model::classes() const {
  return classes_.get(mutex_, [&] { return popscope::readClasses(*file_, limits_); });
}
const std::vector<popscope::LivenessStepRecord> &Model::livenessSteps() const {
  return livenessSteps_.get(mutex_, [&] {
    auto rows = popscope::readLivenessSteps(*file_, limits_);
    const auto before = [](const auto &a, const auto &b) { return a.program < b.program; };
    if (!std::is_sorted(rows.begin(), rows.end(), before))
      popscope::failProfile(*file_, "the profile is corrupt: its liveness steps are not in program order");
    return rows;
  });
}
const std::vector<popscope::LoweredVariableRecord> &Model::loweredVariables() const {
  return lowered_.get(mutex_, [&] { return popscope::readLoweredVariables(*file_, limits_); });
}

const popscope::LoweredVariableRecord &Model::lowered(std::size_t id) const {
  {
    const std::lock_guard guard(mutex_);
    if (const auto alone = loweredOfAlone_.find(id); alone != loweredOfAlone_.end())
      return alone->second;
  }
  return loweredVariables().at(id);
}

const std::vector<std::size_t> &Model::loweredOnTile(std::size_t storedTile) const {
  static const std::vector<std::size_t> kNone;
  if (!lowered_.isRead(mutex_)) {
    const std::lock_guard guard(mutex_);
    const auto alone = loweredAlone_.find(storedTile);
    if (alone != loweredAlone_.end())
      return alone->second;
    if (loweredAlone_.size() < kTilesAlone) {
      const auto read = popscope::readLoweredVariablesOf(*file_, limits_, storedTile); // throws for a damaged file
      std::vector<std::size_t> &rows = loweredAlone_[storedTile];
      for (const auto &[position, row] : read) {
        rows.push_back(position);
        loweredOfAlone_.emplace(position, row);
      }
      return rows;
    }
  }
  const auto &tiles = loweredOnTile_.get(mutex_, [&] {
    std::vector<std::vector<std::size_t>> all(limits_.tiles);
    const auto &rows = loweredVariables();
    for (std::size_t i = 0; i < rows.size(); ++i)
      all[rows[i].tile].push_back(i);
    return all;
  });
  return storedTile < tiles.size() ? tiles[storedTile] : kNone;
}

void Model::requireTile(std::size_t tile) const {
  if (tile >= limits_.tiles)
    throw std::out_of_range("pva: no tile " + std::to_string(tile) + ": there are " + std::to_string(limits_.tiles));
}

std::size_t Model::storedTile(std::size_t tile) const {
  requireTile(tile);
  const std::size_t stored = tiles_.get(mutex_, [&] { return popscope::readTiles(*file_, limits_); }).size();
  return tile < stored || stored != tilesPerReplica() ? tile : tile % stored;
}

const popscope::TileMemoryRecord &Model::tile(std::size_t tile) const {
  static const popscope::TileMemoryRecord kUnknown; // a CPU target has no tile memory
  const auto &rows = tiles_.get(mutex_, [&] { return popscope::readTiles(*file_, limits_); });
  const std::size_t stored = storedTile(tile);
  return stored < rows.size() ? rows[stored] : kUnknown;
}

std::shared_ptr<const Execution> Model::execution() const {
  const std::lock_guard guard(mutex_);
  const std::uint64_t revision = popscope::revisionOf(*file_);
  if (!execution_ || revision != executionRevision_)
    execution_ = readExecution(*file_);
  executionRevision_ = revision;
  return execution_;
}

std::shared_ptr<const std::vector<popscope::CycleSourceRecord>> Model::cycleSources() const {
  const std::lock_guard guard(mutex_);
  const std::uint64_t revision = popscope::revisionOf(*file_);
  if (!cycleSources_ || revision != sourcesRevision_)
    cycleSources_ =
        std::make_shared<const std::vector<popscope::CycleSourceRecord>>(popscope::readCycleSources(*file_, limits_));
  sourcesRevision_ = revision;
  return cycleSources_;
}

popscope::StoredStep Model::step(std::uint64_t id) const {
  const std::lock_guard guard(mutex_);
  const std::uint64_t page = id / kStepsOfPage, first = std::max(page * kStepsOfPage, execution()->steps.first);
  auto it = stepPages_.find(page);
  if (it == stepPages_.end() || it->second.empty() || id < it->second.front().id || id > it->second.back().id) {
    const bool goesOn = page > 0 && stepPages_.contains(page - 1);
    if (stepPages_.size() >= kStepPages)
      stepPages_.clear();
    const std::uint64_t pages = goesOn ? kPagesAhead : 1;
    std::vector<popscope::StoredStep> read =
        popscope::readSteps(*file_, limits_, {first, (page + pages) * kStepsOfPage});
    for (std::uint64_t i = 1; i < pages; ++i) { // complete pages only: the last one may grow
      const std::uint64_t begin = (page + i) * kStepsOfPage - first;
      if (read.size() >= begin + kStepsOfPage)
        stepPages_[page + i].assign(read.begin() + static_cast<std::ptrdiff_t>(begin),
                                    read.begin() + static_cast<std::ptrdiff_t>(begin + kStepsOfPage));
    }
    read.resize(std::min<std::size_t>(read.size(), (page + 1) * kStepsOfPage - first));
    it = stepPages_.insert_or_assign(page, std::move(read)).first;
  }
  const auto &rows = it->second;
  if (rows.empty() || id < rows.front().id || id > rows.back().id)
    popscope::failProfile(*file_, "step " + std::to_string(id) + " is not recorded any more");
  return rows[id - rows.front().id];
}

std::vector<popscope::StepOnIpu> Model::stepIpus(std::uint64_t step) const {
  const std::lock_guard guard(mutex_);
  const bool here =
      step >= firstOfIpuPage_ && step - firstOfIpuPage_ < ipuPage_.size() && !ipuPage_[step - firstOfIpuPage_].empty();
  if (!here) { // true also for a step that was recorded after the last read
    const std::uint64_t first = step / kStepsOfPage * kStepsOfPage;
    const bool goesOn = !ipuPage_.empty() && first == firstOfIpuPage_ + ipuPage_.size();
    ipuPage_ = popscope::readStepIpus(*file_, limits_, {first, first + (goesOn ? kPagesAhead : 1) * kStepsOfPage});
    firstOfIpuPage_ = first;
  }
  return ipuPage_[step - firstOfIpuPage_];
}

const LiveRows &Model::liveVariables() const {
  return liveVariables_.get(mutex_, [&] {
    std::vector<std::int64_t> classOfRow;
    for (const auto &row : variables().rows)
      classOfRow.push_back(row.alwaysLive ? -1 : row.liveClass);
    return LiveRows(classes(), classOfRow, limits_.programs);
  });
}

const LiveRows &Model::liveLowered() const {
  return liveLowered_.get(mutex_, [&] {
    std::vector<std::int64_t> classOfRow;
    for (const auto &row : loweredVariables())
      classOfRow.push_back(row.alwaysLive ? -1 : row.occupiedClass);
    return LiveRows(classes(), classOfRow, limits_.programs);
  });
}

std::span<const StepInterval> Model::stepsOfClass(std::size_t liveClass) const {
  return stepsOfClasses_
      .get(mutex_,
           [&] {
             const auto &steps = livenessSteps();
             std::vector<std::vector<StepInterval>> all;
             for (const auto &one : classes()) {
               auto &intervals = all.emplace_back();
               for (const auto &[first, last] : one.intervals) {
                 const std::size_t start = stepFrom(steps, first), end = stepFrom(steps, last);
                 if (start < end) // otherwise the interval lies between two liveness steps
                   intervals.emplace_back(start, end);
               }
             }
             return all;
           })
      .at(liveClass);
}

std::size_t Model::livenessStepFrom(std::uint32_t program) const { return stepFrom(livenessSteps(), program); }

std::shared_ptr<Program> Model::program(std::uint32_t id) const {
  return std::shared_ptr<Program>(shared_from_this(), programs().objects.at(id).get());
}

Values Model::values(Kind kind, std::uint64_t id) const {
  const Key key(kind, id);
  // Each thread, or a few threads together, has its own recent values, because freeing memory is fastest on the thread
  // that allocated it.
  RecentValues &recent = recent_[std::hash<std::thread::id>()(std::this_thread::get_id()) % recent_.size()];
  const std::lock_guard guard(recent.mutex);
  if (const auto it = recent.values.find(key); it != recent.values.end())
    return it->second;
  const PackedValues packed = readPacked(kind, id);
  Values values(unpack(kind, packed));
  if (!packed.bytes && packed.everywhere == 0)
    return values; // all programs without values share one object
  recent.values.emplace(key, values);
  recent.order.push_back(key);
  if (recent.order.size() > kRecentVectors) {
    recent.values.erase(recent.order.front());
    recent.order.pop_front();
  }
  return values;
}

Model::PackedValues Model::readPacked(Kind kind, std::uint64_t id) const {
  const auto row = static_cast<std::uint32_t>(id);
  if (std::holds_alternative<StepCycles>(kind))
    return {ahead_.stepCycles(id), 0};
  if (std::holds_alternative<ComputeSetEstimate>(kind))
    return {popscope::readPackedEstimate(*file_, row), 0};
  const auto which = std::get<popscope::ProgramVector>(kind);
  if (which == popscope::ProgramVector::CounterCycles && !programs().rows.at(row).hasCounters)
    return {};
  return {ahead_.programVector(row, which),
          which == popscope::ProgramVector::ControlCode ? programs().rows.at(row).controlCodeEveryTile : 0};
}

std::shared_ptr<const std::vector<std::uint64_t>> Model::unpack(Kind kind, const PackedValues &packed) const {
  using Numbers = std::vector<std::uint64_t>;
  static const auto kNothing = std::make_shared<const Numbers>();
  if (std::holds_alternative<StepCycles>(kind))
    return packed.bytes ? std::make_shared<const Numbers>(popscope::unpackStepCycles(*file_, limits_, *packed.bytes))
                        : kNothing;
  Numbers numbers;
  bool any = packed.everywhere != 0;
  if (packed.bytes) {
    numbers = popscope::unpackVector(*file_, limits_, *packed.bytes);
    any = any || std::any_of(numbers.begin(), numbers.end(), [](std::uint64_t number) { return number != 0; });
  }
  if (packed.everywhere != 0) { // every tile of the first replica has the value
    numbers.resize(limits_.tiles);
    for (std::size_t tile = 0; tile < tilesPerReplica(); ++tile)
      numbers[tile] += packed.everywhere;
  }
  if (any)
    return std::make_shared<const Numbers>(std::move(numbers));
  if (kind == Kind(popscope::ProgramVector::EstimatedCycles) || std::holds_alternative<ComputeSetEstimate>(kind))
    return kNothing; // not estimated
  return zeros_.get(mutex_, [&] { return std::make_shared<const Numbers>(limits_.tiles); });
}

} // namespace detail
} // namespace pva
