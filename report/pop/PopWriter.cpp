#include "base/Check.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlob.hpp"
#include "report/pop/WriteCompilation.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <unistd.h>

namespace popscope {
namespace {

constexpr std::uint64_t kStepsPerTransaction = 4096;

/// Creates an empty profile_<random>.pop in the folder of `path`.
std::string createTemporary(const std::string &path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string name = (folder / fmt::format("profile_{:08x}.pop", random())).string();
    const int fd = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0) {
      ::close(fd);
      return name;
    }
    if (errno != EEXIST)
      throw ProfileError(path + ": cannot be written: " + std::strerror(errno));
  }
  throw ProfileError(path + ": no free temporary name beside it");
}

} // namespace

struct PopWriter::Impl {
  std::shared_ptr<PopFile> file;
  std::string finalPath, temporaryPath;
  bool inTransaction = false, finished = false, compiled = false;
  std::vector<std::string> programTypes;
  std::vector<std::int64_t> programComputeSets;
  std::uint64_t nextRun = 0, nextStep = 0, pendingSteps = 0; // ids are never used twice, see resetExecution
  bool runOpen = false;

  void begin() {
    POPSCOPE_CHECK(!finished, "a record after finish() of profile '{}'", finalPath);
    if (!inTransaction)
      file->execute("BEGIN");
    inTransaction = true;
  }
  void commit() {
    if (inTransaction)
      file->execute("COMMIT");
    inTransaction = false;
    pendingSteps = 0;
  }
  void setMeta(const char *key, const std::string &value) {
    Query q(*file, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
    (q << key << value).run();
  }
  void createSchema() {
    file->execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kPopApplicationId,
                              kPopSchemaVersion));
    file->execute("BEGIN; " + schemaDdl() + "COMMIT;");
    setMeta("complete", "0");
    setMeta("compilation", "0");
    setMeta("formatVersion", fmt::format("{}.0.0", kPopSchemaVersion));
  }
  void writeStepOnIpu(std::uint64_t step, std::uint64_t ipu, const StepOnIpu &s);
};

PopWriter::PopWriter(const std::string &path) : impl_(std::make_unique<Impl>()) {
  impl_->finalPath = path;
  if (path.empty()) {
    impl_->file = std::make_shared<PopFile>("", PopFile::Mode::Memory);
    impl_->createSchema();
    return;
  }
  impl_->temporaryPath = createTemporary(path);
  try {
    impl_->file = std::make_shared<PopFile>(impl_->temporaryPath, PopFile::Mode::Create);
    impl_->createSchema();
    // Only now: the schema is then in the main file, so that what a killed program leaves can be opened.
    impl_->file->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  } catch (...) {
    impl_->file.reset();
    std::remove(impl_->temporaryPath.c_str());
    throw;
  }
}

PopWriter::~PopWriter() {
  try {
    finish();
  } catch (const std::exception &e) {
    std::fprintf(stderr, "popscope: the profile was not completed: %s\n", e.what());
  }
}

void PopWriter::compilation(const CompilationRecord &record) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(!i.compiled, "a second compilation record for profile '{}'", i.finalPath);
  const auto guard = i.file->lock();
  i.begin();
  try {
    writeCompilation(*i.file, record);
    i.setMeta("poplarVersion", record.poplarVersion);
    i.setMeta("codeIncluded", record.codeIncluded ? "1" : "0");
    i.setMeta("compilation", "1");
    i.commit();
  } catch (...) {
    i.file->execute("ROLLBACK");
    i.inTransaction = false;
    throw;
  }
  i.compiled = true;
  for (const auto &p : record.programs) {
    i.programTypes.push_back(p.type);
    i.programComputeSets.push_back(p.computeSet);
  }
  i.file->changed();
}

void PopWriter::beginRun(const RunRecord &run) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.compiled, "a run before the compilation record");
  POPSCOPE_CHECK(!i.runOpen, "run {} begins inside another run", run.name);
  const auto guard = i.file->lock();
  i.begin();
  Query q(*i.file, insertStatement("runs"));
  (q << i.nextRun << run.name << run.program << run.startMicroseconds << run.endMicroseconds << false).run();
  i.runOpen = true;
  i.file->changed();
}

void PopWriter::Impl::writeStepOnIpu(std::uint64_t step, std::uint64_t ipu, const StepOnIpu &s) {
  const std::uint64_t times[] = {s.allFromMin,    s.allFromMax,    s.allToMin,    s.allToMax,
                                 s.activeFromMin, s.activeFromMax, s.activeToMin, s.activeToMax};
  const std::uint64_t base = *std::min_element(std::begin(times), std::end(times));
  const auto known = [](bool is, std::uint64_t value) { return is ? std::optional(value) : std::nullopt; };
  const bool all = s.detail == TimeDetail::EveryTile, some = all || s.detail == TimeDetail::Longest;
  // The entry of the first active tile and the exit of the last one.
  static constexpr bool kOfLongest[] = {false, false, false, false, true, false, false, true};
  Query q(*file, insertStatement("steps_by_ipu"));
  q << step << ipu << known(s.detail != TimeDetail::Nothing, s.cycles) << s.activeTiles
    << known(all || s.detail == TimeDetail::Duration, s.busyCycles) << known(some, base);
  for (std::size_t i = 0; i < std::size(times); ++i)
    q << known(all || (some && kOfLongest[i]), times[i] - base);
  (q << s.dataIn << s.dataOut << s.maxTileData).run();
}

void PopWriter::step(const StepRecord &record) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.runOpen, "a step outside of a run");
  POPSCOPE_CHECK(record.program < i.programTypes.size(), "a step of program {} of {}", record.program,
                 i.programTypes.size());
  const auto guard = i.file->lock();
  i.begin();
  const std::uint64_t id = i.nextStep++;
  {
    Query q(*i.file, insertStatement("steps"));
    q << id << i.nextRun << i.programTypes[record.program] << record.program;
    if (const auto cs = i.programComputeSets[record.program]; cs < 0)
      q.null();
    else
      q << cs;
    q << record.threadCycles;
    if (record.cyclesByTile.empty())
      q.null();
    else
      q.blob(encodeDense(record.cyclesByTile));
    q.run();
  }
  for (std::uint64_t ipu = 0; ipu < record.ipus.size(); ++ipu)
    i.writeStepOnIpu(id, ipu, record.ipus[ipu]);
  Query types(*i.file, insertStatement("step_vertex_types"));
  std::uint64_t position = 0;
  for (const auto &v : record.vertexTypes)
    (types << id << position++ << v.vertexType << v.instances << v.cycles).run();
  if (++i.pendingSteps >= kStepsPerTransaction)
    i.commit();
  i.file->changed();
}

void PopWriter::statistics(const std::vector<StepStatisticsRecord> &records) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.runOpen, "statistics outside of a run");
  const auto guard = i.file->lock();
  i.begin();
  Query q(*i.file, insertStatement("simulator_step_statistics"));
  for (const StepStatisticsRecord &r : records)
    (q << i.nextRun << r.program << r.executions << r.minCycles << r.maxCycles << r.sumCycles).run();
}

void PopWriter::endRun(const RunTotals &t, double endMicroseconds) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.runOpen, "the end of a run that did not begin");
  const auto guard = i.file->lock();
  i.begin();
  {
    Query q(*i.file, "UPDATE runs SET end_us = ?, complete = 1 WHERE id = ?");
    (q << endMicroseconds << i.nextRun).run();
  }
  Query q(*i.file, insertStatement("execution_cycle_totals"));
  const auto known = [](bool is, std::uint64_t value) { return is ? std::optional(value) : std::nullopt; };
  (q << i.nextRun << t.totalCycles << known(t.computeKnown, t.compute) << t.threadCycles << t.exchange
     << known(t.externalKnown, t.globalExchange) << known(t.externalKnown, t.hostExchange) << t.sharedStructureCopy
     << known(t.computeKnown && t.externalKnown, t.sync) << t.unattributed << t.counterReads)
      .run();
  i.commit();
  i.runOpen = false;
  ++i.nextRun;
  i.file->changed();
}

void PopWriter::resetExecution() {
  Impl &i = *impl_;
  const auto guard = i.file->lock();
  i.begin();
  for (const char *table : {"runs", "steps", "steps_by_ipu", "step_vertex_types", "simulator_step_statistics",
                            "execution_cycle_totals"})
    i.file->execute(std::string("DELETE FROM ") + table);
  i.commit();
  // Ids go on: a reader that still holds a step of before finds nothing, not another step.
  if (i.runOpen)
    ++i.nextRun;
  i.runOpen = false;
  i.file->changed();
}

void PopWriter::cutRun() {
  Impl &i = *impl_;
  const auto guard = i.file->lock();
  i.commit();
  if (i.runOpen)
    ++i.nextRun;
  i.runOpen = false;
  i.file->changed();
}

void PopWriter::flush() {
  const auto guard = impl_->file->lock();
  impl_->commit();
  impl_->file->changed();
}

void PopWriter::finish() {
  Impl &i = *impl_;
  if (i.finished)
    return;
  const auto guard = i.file->lock();
  i.commit();
  i.setMeta("complete", "1");
  i.finished = true; // before what can fail: a second try would not do better
  if (!i.finalPath.empty()) {
    i.file->execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;");
    if (std::rename(i.temporaryPath.c_str(), i.finalPath.c_str()) != 0)
      throw ProfileError(i.finalPath + ": cannot be written: " + std::strerror(errno) + "; the profile is in " +
                         i.temporaryPath);
    i.file->reopenReadOnly(i.finalPath);
  }
  i.file->changed();
}

std::shared_ptr<PopFile> PopWriter::file() const { return impl_->file; }

} // namespace popscope
