#include "base/Check.hpp"
#include "report/pop/ExtensionRows.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/ReplaceFile.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlocks.hpp"
#include "report/pop/WriteCompilation.hpp"
#include "report/pop/WriteSlots.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace popscope {
namespace {

constexpr std::uint64_t kStepsPerTransaction = 4096;
constexpr int kPageBytes = 8192; // bench/pop: larger ones read 10 % faster, and make every small profile larger

struct TypeTotal { std::uint64_t instances = 0; std::optional<std::uint64_t> cycles; };

} // namespace

struct PopWriter::Impl {
  std::shared_ptr<PopFile> file;
  std::string finalPath, temporaryPath;
  bool inTransaction = false, finished = false, compiled = false;
  std::vector<std::string> programTypes;
  std::vector<std::int64_t> programComputeSets;
  std::uint64_t nextRun = 0, nextStep = 0, pendingSteps = 0; // ids are never used twice, see resetExecution
  bool runOpen = false;
  std::size_t stepTiles = 0; // of one replica
  std::map<std::uint32_t, TypeTotal> runTypes; // of the open run
  SlotWriter slots;
  std::map<std::uint32_t, std::uint64_t> nextBlock; // by tile

  void openOnDisk();
  void readState();
  void writeRunTypes();
  void leaveRun();
  void begin() {
    POPSCOPE_CHECK(!finished, "a record after finish() of profile '{}'", finalPath);
    if (!inTransaction)
      file->execute("BEGIN");
    inTransaction = true;
  }
  void commit() {
    if (inTransaction) {
      writeRunTypes();
      file->execute("COMMIT");
    }
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

void PopWriter::Impl::openOnDisk() {
  file = std::make_shared<PopFile>(temporaryPath, PopFile::Mode::Write);
}

/// What follows a schema in the main file, so that what a killed program leaves can be opened.
constexpr const char *kWriteAhead = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;";

PopWriter::PopWriter(const std::string &path) : impl_(std::make_unique<Impl>()) {
  impl_->finalPath = path;
  if (path.empty()) {
    impl_->file = std::make_shared<PopFile>("", PopFile::Mode::Memory);
    impl_->createSchema();
    return;
  }
  impl_->temporaryPath = createTemporary(path);
  try {
    impl_->openOnDisk();
    // Without a journal: a file whose tables were not all made holds nothing to roll back to.
    impl_->file->execute(fmt::format("PRAGMA page_size = {}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;", kPageBytes));
    impl_->createSchema();
    impl_->file->execute(kWriteAhead);
  } catch (...) {
    impl_->file.reset();
    std::remove(impl_->temporaryPath.c_str());
    throw;
  }
}

PopWriter::PopWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

std::unique_ptr<PopWriter> PopWriter::append(const std::string &from, const std::string &path) {
  const auto source = openPop(from);
  if (!readMeta(*source).hasCompilation)
    source->fail("the profile holds no compiled graph to add runs to");
  auto impl = std::make_unique<Impl>();
  impl->finalPath = path;
  impl->temporaryPath = createTemporary(path);
  try {
    source->copyInto(impl->temporaryPath);
    impl->openOnDisk();
    impl->readState();
    impl->setMeta("complete", "0");
    impl->file->execute(kWriteAhead);
  } catch (...) {
    impl->file.reset();
    std::remove(impl->temporaryPath.c_str());
    throw;
  }
  return std::unique_ptr<PopWriter>(new PopWriter(std::move(impl)));
}

/// Of a file that has a compilation.
void PopWriter::Impl::readState() {
  const ProfileLimits limits = readLimits(*file);
  compiled = true;
  stepTiles = limits.stepTiles;
  for (const auto &p : readPrograms(*file, limits)) {
    programTypes.push_back(p.type);
    programComputeSets.push_back(p.computeSet);
  }
  nextStep = readStepIds(*file).end;
  slots.startAfter(*file);
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
    i.setMeta("debugContexts", record.debugContexts ? "1" : "0");
    i.setMeta("compilation", "1");
    i.commit();
  } catch (...) {
    i.file->execute("ROLLBACK");
    i.inTransaction = false;
    throw;
  }
  i.compiled = true;
  i.stepTiles = record.target.numIpus * record.target.tilesPerIpu / record.target.numReplicas;
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
  (q << i.nextRun << run.name << run.program << i.nextStep << run.startMicroseconds << run.endMicroseconds << false << run.number << run.label).run();
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
  const auto slots = i.slots.write(*i.file, record, i.stepTiles);
  {
    Query q(*i.file, insertStatement("steps"));
    q << id << i.nextRun << i.programTypes[record.program] << record.program;
    if (const auto cs = i.programComputeSets[record.program]; cs < 0)
      q.null();
    else
      q << cs;
    (q << record.threadCycles << slots).run();
  }
  if (!record.cyclesByTile.empty()) {
    POPSCOPE_CHECK(record.cyclesByTile.size() == i.stepTiles, "cycles on {} of {} tiles", record.cyclesByTile.size(),
                   i.stepTiles);
    Query q(*i.file, insertStatement("steps_by_tile"));
    (q << id).borrowedBlob(packTiles(record.cyclesByTile)).run();
  }
  for (std::uint64_t ipu = 0; ipu < record.ipus.size(); ++ipu)
    i.writeStepOnIpu(id, ipu, record.ipus[ipu]);
  Query types(*i.file, insertStatement("step_vertex_types"));
  std::uint64_t position = 0;
  for (const auto &v : record.vertexTypes) {
    (types << id << position++ << v.vertexType << v.instances << v.cycles).run();
    TypeTotal &total = i.runTypes[v.vertexType];
    total.instances += v.instances;
    if (v.cycles)
      total.cycles = total.cycles.value_or(0) + *v.cycles;
  }
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

void PopWriter::blocks(const std::vector<BlockRecord> &records) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.compiled, "blocks before the compilation record");
  const auto guard = i.file->lock();
  i.begin();
  Query q(*i.file, insertStatement("blocks"));
  for (const BlockRecord &r : records) {
    POPSCOPE_CHECK(r.program < i.programTypes.size(), "a block of program {} of {}", r.program, i.programTypes.size());
    (q << r.tile << i.nextBlock[r.tile]++ << r.program << blockKindName(r.kind) << r.from << r.to << r.run).run();
  }
  if ((i.pendingSteps += records.size()) >= kStepsPerTransaction)
    i.commit();
  i.file->changed();
}

void PopWriter::paused(const PausedRecord &record) {
  Impl &i = *impl_;
  const auto guard = i.file->lock();
  i.begin();
  Query q(*i.file, "INSERT OR REPLACE INTO paused_spans (first_run, runs, reason, cycles) VALUES (?, ?, ?, ?)");
  (q << record.firstRun << record.runs << record.reason << record.cycles).run();
  i.file->changed();
}

void PopWriter::controlFlow(const std::vector<ControlFlowRecord> &records) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.runOpen, "control flow outside of a run");
  const auto guard = i.file->lock();
  i.begin();
  writeControlFlow(*i.file, i.nextRun, records);
}

void PopWriter::executions(const ExecutionsRecord &record) {
  Impl &i = *impl_;
  POPSCOPE_CHECK(i.runOpen, "executions outside of a run");
  const auto guard = i.file->lock();
  i.begin();
  writeExecutions(*i.file, i.nextRun, record);
}

void PopWriter::cycleSources(const std::vector<CycleSourceRecord> &records) {
  Impl &i = *impl_;
  const auto guard = i.file->lock();
  i.begin();
  writeCycleSources(*i.file, records);
  i.commit();
  i.file->changed();
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
     << known(t.computeKnown && t.externalKnown, t.sync) << t.unattributed << t.counterReads << t.controlFlowReads)
      .run();
  i.commit();
  i.leaveRun();
  i.file->changed();
}

void PopWriter::Impl::leaveRun() {
  if (runOpen)
    ++nextRun;
  runOpen = false;
  runTypes.clear();
}

/// With every commit, so that what a killed program leaves agrees with its steps.
void PopWriter::Impl::writeRunTypes() {
  Query q(*file, "INSERT OR REPLACE INTO run_vertex_types (run, vertex_type, instances, cycles) VALUES (?, ?, ?, ?)");
  for (const auto &[type, total] : runTypes)
    (q << nextRun << type << total.instances << total.cycles).run();
}

void PopWriter::resetExecution() {
  Impl &i = *impl_;
  const auto guard = i.file->lock();
  i.begin();
  for (const char *table : {"runs", "steps", "slot_cycles", "steps_by_tile", "steps_by_ipu", "step_vertex_types", "run_vertex_types",
                            "simulator_step_statistics", "execution_cycle_totals", "paused_spans", "blocks"})
    i.file->execute(std::string("DELETE FROM ") + table);
  clearExtensions(*i.file);
  i.runTypes.clear();
  i.slots.forget();
  i.nextBlock.clear();
  i.commit();
  i.leaveRun(); // ids go on: a reader that still holds a step of before finds nothing, not another step
  i.file->changed();
}

void PopWriter::cutRun() {
  Impl &i = *impl_;
  const auto guard = i.file->lock();
  i.commit();
  i.leaveRun();
  i.file->changed();
}

void PopWriter::flush() {
  const auto guard = impl_->file->lock();
  impl_->commit();
  impl_->file->changed();
}

void PopWriter::publish() {
  Impl &i = *impl_;
  if (i.finished || i.finalPath.empty())
    return;
  const auto guard = i.file->lock();
  i.commit();
  savePop(*i.file, i.finalPath);
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
    replaceFile(i.temporaryPath, i.finalPath);
    i.file->reopenReadOnly(i.finalPath);
  }
  i.file->changed();
}

std::shared_ptr<PopFile> PopWriter::file() const { return impl_->file; }

} // namespace popscope
