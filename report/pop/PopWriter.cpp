#include "base/Check.hpp"
#include "base/FileSizeSignal.hpp"
#include "base/TerminalText.hpp"
#include "base/WholeFile.hpp"
#include "report/pop/Ending.hpp"
#include "report/pop/ExtensionRows.hpp"
#include "report/pop/GrowthNote.hpp"
#include "report/pop/HostSamples.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/ReplaceFile.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/StepQueue.hpp"
#include "report/pop/WriteCompilation.hpp"
#include "report/pop/WriteSteps.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <system_error>
#include <unistd.h>

namespace popscope {
namespace {

// maximum number of steps that are lost if the program is killed or the disk is full
constexpr std::uint64_t kStepsPerTransaction = 1024;
constexpr int kPageBytes = 8192; // bench/pop: larger pages read 10 % faster but enlarge every small profile
// The page size of profiles with many numbers per tile. The row of a program that works on all tiles has about 4 KB of
// numbers, and a small page holds only one row of this size.
constexpr int kLargePageBytes = 32768;
constexpr std::uint64_t kManyNumbers = std::uint64_t(1) << 23;

void writeTotals(PopFile &file, std::uint64_t run, const RunTotals &t, std::optional<double> endMicroseconds) {
  {
    Query q(file, "UPDATE runs SET end_us = ?, complete = 1 WHERE id = ?");
    (q << endMicroseconds << run).run();
  }
  Query q(file, insertStatement("execution_cycle_totals"));
  const auto known = [](bool is, Cycles value) { return is ? std::optional(value) : std::nullopt; };
  (q << run << known(t.totalKnown, t.totalCycles) << known(t.computeKnown, t.compute) << t.threadCycles << t.exchange
     << known(t.externalKnown, t.globalExchange) << known(t.externalKnown, t.hostExchange) << t.sharedStructureCopy
     << known(t.computeKnown && t.externalKnown, t.sync) << t.unattributed << t.counterReads << t.controlFlowReads)
      .run();
}

} // namespace

struct PopWriter::Impl {
  const pid_t process = ::getpid();
  std::shared_ptr<PopFile> file;
  std::string finalPath, temporaryPath;
  bool inTransaction = false, finished = false, compiled = false;
  std::atomic<bool> ended = false; // recording ended early: full disk or failed compilation record; set by any thread
  bool limited = false;            // true: files have a size limit
  bool endedBefore = false;        // the profile that was appended to had ended early
  bool running = false;            // a run has begun, as the thread that records sees it
  std::optional<OpenRun> open;     // the run that has begun, as the writing thread sees it
  StepWriter steps;
  std::uint64_t nextRun = 0, nextStep = 0, pendingSteps = 0; // ids are never used twice, see resetExecution
  std::map<std::uint32_t, std::uint64_t> nextBlock;          // by tile
  GrowthNote growth;
  std::chrono::milliseconds gathered{0};           // see gatherRuns
  std::chrono::steady_clock::time_point commitAt;  // the time at which pending runs must be committed
  StepQueue queue{[this](const QueuedStep &step) { // last, because it refers to the other members
    step.again ? addStepAgain(step.record, step.later) : addStep(*step.record);
  }};

  void openOnDisk();
  void readState();
  template <class Programs> void beginSteps(const Programs &programs, std::uint64_t stepTiles) {
    std::vector<std::string> types;
    std::vector<std::int64_t> computeSets;
    for (const auto &p : programs) {
      types.push_back(p.type);
      computeSets.push_back(p.computeSet);
    }
    steps.begin(std::move(types), std::move(computeSets), stepTiles);
  }
  void leaveRun();
  void endRunSoon();
  void begin() {
    POPSCOPE_CHECK(!finished, "a record after finish() of profile '{}'", finalPath);
    if (!inTransaction)
      file->execute("BEGIN");
    inTransaction = true;
  }
  void commit() {
    if (inTransaction) {
      if (open)
        steps.writeRunTypes(*file,
                            nextRun); // with every commit, so that the file of a killed program agrees with its steps
      file->reserveRoom();
      file->execute("COMMIT");
      warnOfGrowth();
    }
    inTransaction = false;
    pendingSteps = 0;
    if (gathered.count() != 0)
      commitAt = std::chrono::steady_clock::now() + gathered;
  }
  void warnOfGrowth() {
    std::error_code error;
    const std::uintmax_t bytes = temporaryPath.empty() ? 0 : std::filesystem::file_size(temporaryPath, error);
    if (const std::string line = error ? "" : growth.at(bytes, finalPath); !line.empty())
      printMessage(line);
  }
  /// Returns whether the run is committed by itself, not together with other runs.
  [[nodiscard]] bool commitsNow() const {
    return gathered.count() == 0 || std::chrono::steady_clock::now() >= commitAt;
  }
  void commitAfter(std::uint64_t records) {
    if ((pendingSteps += records) >= kStepsPerTransaction)
      commit();
  }
  /// Writes the rows of a record after those of all earlier steps, in a transaction. If the disk has no space, the
  /// recording ends.
  template <class Write> void add(Write write) {
    waitForSteps();
    addNow(write);
  }
  template <class Write> void addAndCommit(const Write &write) {
    add([&] {
      write();
      commit();
    });
  }
  void waitForSteps() { queue.wait(); }
  /// Writes a record of a run in its order among the steps. `write` may run later, so it must own its data.
  template <class Write> void addInOrder(Write write) {
    if (queue.isBeside())
      queue.push({nullptr, false, {}, [this, write = std::move(write)] { addNow(write); }});
    else
      add(std::move(write));
  }
  void addStep(const StepRecord &record) {
    addNow([&] {
      steps.write(*file, nextStep++, nextRun, record);
      commitAfter(1);
    });
  }
  void addStepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) {
    addNow([&] {
      steps.writeAgain(*file, nextStep++, nextRun, record, later);
      commitAfter(1);
    });
  }
  template <class Write> void addNow(const Write &write) {
    if (ended)
      return;
    const auto guard = file->lock();
    std::optional<FileSizeSignal> quiet;
    if (!inTransaction || limited) { // checks the limit once per transaction, not per step
      quiet.emplace();
      limited = quiet->isHeld();
    }
    try {
      begin();
      write();
    } catch (const StorageError &e) {
      end(e);
    }
    file->changed();
  }
  void end(const StorageError &why);
  void mergeLog() { file->execute("PRAGMA wal_checkpoint(TRUNCATE)"); }
  void abandon();
  void setMeta(const char *key, const std::string &value) {
    Query q(*file, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
    (q << key << value).run();
  }
  void note(const char *key, const std::string &value) {
    const auto guard = file->lock();
    const FileSizeSignal quiet;
    setMeta(key, value);
  }
  void createSchema() {
    file->execute(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kPopApplicationId, kPopSchemaVersion));
    file->execute("BEGIN; " + schemaDdl() + "COMMIT;");
    setMeta("complete", "0");
    setMeta("compilation", "0");
    setMeta("formatVersion", fmt::format("{}.0.0", kPopSchemaVersion));
  }
};

void PopWriter::Impl::openOnDisk() { file = std::make_shared<PopFile>(temporaryPath, PopFile::Mode::Write); }

/// Closes and removes the file.
void PopWriter::Impl::abandon() {
  file.reset();
  removeBeside(temporaryPath);
}

/// The SQL that turns the log on. The SQL runs after the schema is in the main file, so that the file of a killed
/// program can be opened.
constexpr const char *kWriteAhead = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;";

PopWriter::PopWriter(const std::string &path, std::uint64_t numbersByTile) : impl_(std::make_unique<Impl>()) {
  impl_->finalPath = path;
  if (path.empty()) {
    impl_->file = std::make_shared<PopFile>("", PopFile::Mode::Memory);
    impl_->createSchema();
    return;
  }
  const FileSizeSignal quiet;
  removeOldLeftovers(path);
  impl_->temporaryPath = createTemporary(path);
  try {
    impl_->openOnDisk();
    // Writes without a journal, because a file without all its tables has no state to roll back to.
    impl_->file->execute(fmt::format("PRAGMA page_size = {}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;",
                                     numbersByTile < kManyNumbers ? kPageBytes : kLargePageBytes));
    impl_->createSchema();
    impl_->file->execute(kWriteAhead);
  } catch (...) {
    impl_->abandon();
    throw;
  }
}

PopWriter::PopWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

std::unique_ptr<PopWriter> PopWriter::append(const std::string &from, const std::string &path) {
  const auto source = openPop(from);
  const MetaRecord meta = readMeta(*source);
  if (!meta.hasCompilation)
    source->fail("the profile holds no compiled graph to add runs to");
  auto impl = std::make_unique<Impl>();
  impl->finalPath = path;
  impl->endedBefore = !meta.ended.empty();
  const FileSizeSignal quiet;
  impl->temporaryPath = createTemporary(path);
  try {
    source->copyInto(impl->temporaryPath);
    impl->openOnDisk();
    impl->readState();
    impl->setMeta("complete", "0");
    impl->file->execute(kWriteAhead);
  } catch (...) {
    impl->abandon();
    throw;
  }
  return std::unique_ptr<PopWriter>(new PopWriter(std::move(impl)));
}

/// Reads the state of a file that has a compilation.
void PopWriter::Impl::readState() {
  const ProfileLimits limits = readLimits(*file);
  compiled = true;
  beginSteps(readPrograms(*file, limits), limits.stepTiles);
  steps.startAfter(*file);
  nextStep = readStepIds(*file).end;
  for (const auto &run : readRuns(*file)) {
    nextRun = std::max(nextRun, run.id + 1);
    nextStep = std::max(nextStep, run.firstStep);
  }
  Query last(*file, "SELECT tile, MAX(position) FROM blocks GROUP BY tile");
  while (last.next()) {
    const std::uint32_t tile = last.id(limits.tiles);
    nextBlock[tile] = last.u64() + 1;
  }
}

PopWriter::~PopWriter() {
  if (::getpid() != impl_->process) { // a forked child: thread, connection and file are its parent's
    (void)impl_.release();
    return;
  }
  try {
    finish();
  } catch (const std::exception &e) {
    printMessage(std::string("Popscope: the profile was not completed: ") + e.what());
  }
}

void PopWriter::Impl::end(const StorageError &why) {
  ended = true;
  inTransaction = false;
  std::string where = "at an unknown place", size;
  try {
    file->rollBack();
    size = std::to_string(file->bytes());
    where = open ? whereItEnds(*file, *open) : nextRun == 0 ? "before the first run" : "between two runs";
    mergeLog(); // the log's space then serves the note about the end
    setMeta("ended", fmt::format("{}: {}, at {} bytes", where, why.cause(), size));
    mergeLog();
  } catch (const ProfileError &) { // the file is already marked as incomplete
  }
  printMessage(fmt::format("Popscope: the profile '{}' ends {}: with {} bytes it cannot grow: {}. What was recorded is "
                           "kept; the program goes on.",
                           finalPath, where, size.empty() ? "an unknown number of" : size, why.cause()));
}

void PopWriter::compilation(const CompilationRecord &record) {
  /// The rows of the record itself.
  struct Recorded : CompilationRows {
    explicit Recorded(const CompilationRecord &rows) : of(rows) {}
    void programTiles(const Prepare &prepare) const override {
      for (std::size_t p = 0; p < of.programs.size(); ++p)
        prepare(p, p < of.programTiles.size() ? of.programTiles[p] : ProgramTilesRecord())();
    }
    void variables(const Take<LiveVariableRecord> &take) const override {
      std::for_each(of.variables.begin(), of.variables.end(), take);
    }
    void loweredVariables(const TakeSome<LoweredVariableRecord> &take) const override { take(of.loweredVariables); }
    void accesses(const TakeSome<VariableAccessRecord> &take) const override { take(of.advice.accesses); }
    const CompilationRecord &of;
  };
  compilation(record, Recorded(record));
}

void PopWriter::noteDebugInfo(const std::string &id) { impl_->note("debugInfo", id); }

void PopWriter::noteProgram(const std::string &name) { impl_->note("program", name); }

// Writes the compilation in one transaction, so that the file contains the whole compilation or nothing of it. After a
// failure the writer is `ended`: the writer ignores further records, and an old file at the final path stays.
void PopWriter::compilation(const CompilationRecord &record, const CompilationRows &rows,
                            const SettingsRecord *settings) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(!i.compiled, "a second compilation record for profile '{}'", i.finalPath);
  const auto guard = i.file->lock();
  const FileSizeSignal quiet;
  i.begin();
  try {
    writeCompilation(*i.file, record, rows, settings);
    i.setMeta("poplarVersion", record.poplarVersion);
    i.setMeta("codeIncluded", record.codeIncluded ? "1" : "0");
    i.setMeta("debugContexts", record.debugContexts ? "1" : "0");
    i.setMeta("cycleProvenance", "estimated"); // all simulated cycles are estimates
    i.setMeta("compilation", "1");
    i.commit();
    if (!i.finalPath.empty())
      i.mergeLog(); // otherwise the log keeps a second copy of the compiled graph while steps are written
  } catch (...) {
    i.ended = true;
    i.inTransaction = false;
    i.file->rollBack();
    throw;
  }
  i.compiled = true;
  i.beginSteps(record.programs, record.target.numIpus * record.target.tilesPerIpu / record.target.numReplicas);
  i.file->changed();
}

void PopWriter::beginRun(const RunRecord &run) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.compiled || i.ended, "a run before the compilation record");
  POPSCOPE_CHECK(!i.running || i.ended, "run {} begins inside another run", run.name);
  i.running = true;
  i.addInOrder([&i, run] {
    i.open = OpenRun{i.nextRun, run.number, i.nextStep, run.name};
    Query q(*i.file, insertStatement("runs"));
    (q << i.nextRun << run.name << run.program << i.nextStep << run.startMicroseconds << run.endMicroseconds << false
       << run.number << run.label)
        .run();
    if (run.kinds != kAllStepKinds)
      writeRunCategories(*i.file, i.nextRun, run.kinds);
  });
}

void PopWriter::step(const StepRecord &record) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.running || i.ended, "a step outside of a run");
  i.queue.push({std::make_shared<StepRecord>(record), false, {}});
}

void PopWriter::stepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.running || i.ended, "a step outside of a run");
  i.queue.push({record, true, later});
}

void PopWriter::writeStepsBeside() {
  if (std::thread::hardware_concurrency() > 1)
    impl_->queue.writeBeside();
}

void PopWriter::statistics(const std::vector<StepStatisticsRecord> &records) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.running || i.ended, "statistics outside of a run");
  i.addInOrder([&i, records] {
    Query q(*i.file, insertStatement("simulator_step_statistics"));
    for (const StepStatisticsRecord &r : records) {
      const auto known = [&](Cycles cycles) { return r.known ? std::optional(cycles) : std::nullopt; };
      (q << i.nextRun << r.program << r.executions << known(r.minCycles) << known(r.maxCycles) << known(r.sumCycles))
          .run();
    }
  });
}

void PopWriter::blocks(const std::vector<BlockRecord> &records) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.compiled || i.ended, "blocks before the compilation record");
  i.add([&] {
    Query q(*i.file, insertStatement("blocks"));
    for (const BlockRecord &r : records) {
      POPSCOPE_CHECK(r.program < i.steps.programs(), "a block of program {} of {}", r.program, i.steps.programs());
      (q << r.tile << i.nextBlock[r.tile]++ << r.program << blockKindName(r.kind) << r.from << r.to << r.run).run();
    }
    i.commitAfter(records.size());
  });
}

void PopWriter::paused(const PausedRecord &record) {
  Impl &i = *impl_;
  i.add([&] {
    Query q(*i.file, "INSERT OR REPLACE INTO paused_spans (first_run, runs, reason, cycles) VALUES (?, ?, ?, ?)");
    (q << record.firstRun << record.runs << record.reason << record.cycles).run();
  });
}

void PopWriter::controlFlow(const std::vector<ControlFlowRecord> &records) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.running || i.ended, "control flow outside of a run");
  i.addInOrder([&i, records] { writeControlFlow(*i.file, i.nextRun, records); });
}

void PopWriter::executions(const ExecutionsRecord &record) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.running || i.ended, "executions outside of a run");
  i.addInOrder([&i, record] { writeExecutions(*i.file, i.nextRun, record); });
}

void PopWriter::memorySamples(const std::vector<MemorySampleRecord> &records) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.running || i.ended, "samples of memory outside of a run");
  i.addInOrder([&i, records] {
    writeMemorySamples(*i.file, i.nextRun, records);
    i.commitAfter(records.size());
  });
}

void PopWriter::compilePhases(const std::vector<CompilePhaseRecord> &records) {
  Impl &i = *impl_;
  if (!records.empty())
    i.addAndCommit([&] { writeCompilePhases(*i.file, records); });
}

void PopWriter::hostSamples(const std::vector<HostSampleRecord> &records) {
  Impl &i = *impl_;
  if (!records.empty())
    i.addAndCommit([&] { writeHostSamples(*i.file, records); });
}

void PopWriter::cycleSources(const std::vector<CycleSourceRecord> &records) {
  Impl &i = *impl_;
  i.addAndCommit([&] { writeCycleSources(*i.file, records); });
}

void PopWriter::vertices(const std::vector<VertexRecord> &records) {
  Impl &i = *impl_;
  i.addAndCommit([&] { writeVertices(*i.file, records); });
}

void PopWriter::endRun(const RunTotals &totals, std::optional<double> endMicroseconds) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.running || i.ended, "the end of a run that did not begin");
  i.running = false;
  i.addInOrder([&i, totals, endMicroseconds] {
    writeTotals(*i.file, i.nextRun, totals, endMicroseconds);
    i.endRunSoon();
  });
  i.queue.hand();
  if (i.gathered.count() == 0) // the run is then in the file when this returns
    i.waitForSteps();
}

/// Ends a run after all its rows are written.
void PopWriter::Impl::endRunSoon() {
  if (commitsNow())
    commit();
  else
    steps.writeRunTypes(*file, nextRun);
  leaveRun();
  if (inTransaction && queue.isBeside())
    queue.callAt(commitAt, [this] {
      const auto guard = file->lock();
      if (inTransaction)
        addNow([&] { commit(); });
    });
}

void PopWriter::Impl::leaveRun() {
  if (open)
    ++nextRun;
  open.reset();
  steps.leaveRun();
}

void PopWriter::resetExecution() {
  Impl &i = *impl_;
  i.add([&] {
    for (const char *table :
         {"runs", "steps", "slot_cycles", "dealt_vertices", "steps_by_tile", "steps_by_ipu", "step_vertex_types",
          "run_vertex_types", "simulator_step_statistics", "execution_cycle_totals", "paused_spans", "blocks"})
      i.file->execute(std::string("DELETE FROM ") + table);
    clearExtensions(*i.file);
    i.steps.forget();
    i.nextBlock.clear();
    i.commit();
  });
  i.running = false;
  const auto guard = i.file->lock(); // a thread may commit
  i.leaveRun(); // ids continue, so that a reader with an earlier step's id finds nothing instead of another step
}

void PopWriter::gatherRuns(std::chrono::milliseconds most) { impl_->gathered = most; }

void PopWriter::settle() {
  Impl &i = *impl_;
  if (i.queue.isBeside() || i.gathered.count() == 0)
    return;
  if (i.inTransaction && i.commitsNow())
    flush();
}

void PopWriter::cutRun() {
  flush();
  impl_->running = false;
  const auto guard = impl_->file->lock(); // a thread may commit
  impl_->leaveRun();
}

void PopWriter::flush() {
  Impl &i = *impl_;
  if (!i.finished)
    i.add([&] { i.commit(); });
}

void PopWriter::publish() {
  Impl &i = *impl_;
  if (i.finished || i.finalPath.empty())
    return;
  flush();
  const auto guard = i.file->lock();
  savePop(*i.file, i.finalPath);
}

void PopWriter::finish() {
  Impl &i = *impl_;
  if (i.finished)
    return;
  const FileSizeSignal quiet;
  flush();
  i.queue.forgetCall();
  i.waitForSteps();  // also waits for a call that the queue has begun
  i.finished = true; // set before calls that can fail: a second attempt would fail, too
  if (i.ended && !i.compiled)
    return i.abandon();
  const auto guard = i.file->lock();
  const bool onDisk = !i.finalPath.empty();
  if (!i.ended && !i.endedBefore)
    try {
      if (onDisk)
        i.mergeLog();
      i.setMeta("complete", "1");
    } catch (const StorageError &e) {
      i.end(e);
    }
  if (onDisk) {
    i.file->execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;");
    i.file->giveBackRoom();
    replaceFile(i.temporaryPath, i.finalPath);
    i.file->reopenReadOnly(i.finalPath);
  }
  i.file->changed();
}

std::shared_ptr<PopFile> PopWriter::file() const {
  impl_->waitForSteps();
  return impl_->file;
}

} // namespace popscope
