// ProfileWriters: passes the records of a run to the automatic report, to the profile that the engine's own reports
// read, or to both. Between two records, another thread may take the writers: when the process ends during a run, that
// thread completes the profile.
#pragma once
#include "base/BriefMutex.hpp"
#include "report/pop/PopFile.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace popscope {

/// A sink that passes every record on to all writers, in the order in which the writers were added. The writers must
/// outlive this object.
class ProfileWriters : public ProfileSink {
public:
  void add(PopWriter &writer) { writers_.push_back(&writer); }
  void clear() { writers_.clear(); }
  [[nodiscard]] bool empty() const { return writers_.empty(); }
  /// Returns a lock. While the lock exists, other threads wait before they pass on a record.
  [[nodiscard]] std::unique_lock<BriefMutex> lock() { return std::unique_lock(mutex_); }
  /// Drops all later records. The caller must hold the lock of lock().
  void close() { closed_ = true; }
  /// Returns whether later records are dropped. The caller must hold the lock of lock().
  [[nodiscard]] bool isClosed() const { return closed_; }

  void compilation(const CompilationRecord &record) override {
    each<const CompilationRecord &>(&PopWriter::compilation, record);
  }
  void beginRun(const RunRecord &record) override { each(&PopWriter::beginRun, record); }
  void step(const StepRecord &record) override { each(&PopWriter::step, record); }
  void stepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) override {
    each(&PopWriter::stepAgain, record, later);
  }
  void statistics(const std::vector<StepStatisticsRecord> &records) override { each(&PopWriter::statistics, records); }
  void blocks(const std::vector<BlockRecord> &records) override { each(&PopWriter::blocks, records); }
  void paused(const PausedRecord &record) override { each(&PopWriter::paused, record); }
  void controlFlow(const std::vector<ControlFlowRecord> &records) override { each(&PopWriter::controlFlow, records); }
  void cycleSources(const std::vector<CycleSourceRecord> &records) override { each(&PopWriter::cycleSources, records); }
  void vertices(const std::vector<VertexRecord> &records) override { each(&PopWriter::vertices, records); }
  void executions(const ExecutionsRecord &record) override { each(&PopWriter::executions, record); }
  void memorySamples(const std::vector<MemorySampleRecord> &records) override {
    each(&PopWriter::memorySamples, records);
  }
  void endRun(const RunTotals &totals, std::optional<double> endMicroseconds) override {
    each(&PopWriter::endRun, totals, endMicroseconds);
  }
  void resetExecution() override { each(&PopWriter::resetExecution); }
  void cutRun() { each(&PopWriter::cutRun); }
  void flush() { each(&PopWriter::flush); }

private:
  template <class... Taken, class... Given>
  void each(void (PopWriter::*function)(Taken...), const Given &...arguments) {
    const auto held = lock();
    if (closed_)
      return;
    for (PopWriter *writer : writers_)
      (writer->*function)(arguments...);
  }
  std::vector<PopWriter *> writers_;
  BriefMutex mutex_; // protects the writers
  bool closed_ = false;
};

} // namespace popscope
