// The .pop profile: one SQLite database described by the one Schema table (Schema.hpp). PopWriter is the ProfileSink
// that fills it; PopFile is an open database shared by the writer and by pva::Report, so that a report of a running
// engine and the report of a saved file read the same way.
//
// On disk: written as profile_<random>.pop beside the final path, in transactions, and renamed when complete; a file
// that was not completed says so in `meta`.
#pragma once
#include "instrument/profile/CompilationRows.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

namespace popscope {

class ProfileError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The file could not be written for want of room or permission, or by a fault of the medium.
class StorageError : public ProfileError {
public:
  StorageError(const std::string &path, const std::string &cause) : ProfileError(path + ": " + cause), cause_(cause) {}
  /// "No space left on device".
  [[nodiscard]] const std::string &cause() const { return cause_; }

private:
  std::string cause_;
};

/// An open profile. Opaque; SQLite stays in the .cpp.
class PopFile;
struct HostSampleRecord; // HostSamples.hpp

/// Opens for reading. Throws popscope::ProfileError with a one-line message for a missing, empty, truncated, foreign
/// file, or one of another format; nothing is ever written.
std::shared_ptr<PopFile> openPop(const std::string &path);

/// Returns what savePop would write, as bytes.
[[nodiscard]] std::string popImage(PopFile &file);
/// Opens what popImage returned. Throws ProfileError, which names it `name`, as openPop does.
[[nodiscard]] std::shared_ptr<PopFile> openPopImage(const std::string &name, const std::string &image);

/// Makes one complete file `to` of what a program that was stopped has left in `from` (profile_<random>.pop, with the
/// log beside it). It stays marked as not complete. `to` appears at once or not at all. Throws ProfileError.
void recoverPop(const std::string &from, const std::string &to);
/// What `file` holds now as the file `to`, which appears at once or not at all. Of a file that is being written it is
/// complete unless the latest run is not. Throws ProfileError.
void savePop(PopFile &file, const std::string &to);

/// Where the file cannot be written any more (disk full, quota, size limit, a fault of the medium), the writer ends the
/// recording: it keeps what was committed, notes in the file where it ended, says so once on stderr, and takes further
/// records without effect. Room for what was committed is reserved before, so that it always becomes one file.
class PopWriter : public ProfileSink {
public:
  /// path empty: an in-memory database. `numbersByTile`: about how many the compilation has, programs times tiles; a
  /// file of many has larger pages. Throws StorageError where the file cannot be begun.
  explicit PopWriter(const std::string &path = "", std::uint64_t numbersByTile = 0);
  /// A writer to `path` that begins with what the profile `from` holds (its compilation and its runs) and
  /// adds runs to it. `from` may be `path`: it stays as it is until finish() or publish(). Throws
  /// ProfileError when `from` cannot be read or holds no compilation.
  static std::unique_ptr<PopWriter> append(const std::string &from, const std::string &path);
  ~PopWriter() override; // finish(), errors swallowed after logging
  PopWriter(const PopWriter &) = delete;
  PopWriter &operator=(const PopWriter &) = delete;

  /// Throws StorageError where there is no room for it; then no file appears, and what had its name stays.
  void compilation(const CompilationRecord &record) override;
  /// The same, of a record that leaves out what `rows` tells. What the rows follow from is needed during the call only.
  void compilation(const CompilationRecord &record, const CompilationRows &rows);
  void beginRun(const RunRecord &record) override;
  void statistics(const std::vector<StepStatisticsRecord> &records) override;
  void controlFlow(const std::vector<ControlFlowRecord> &records) override;
  void executions(const ExecutionsRecord &record) override;
  void memorySamples(const std::vector<MemorySampleRecord> &records) override;
  /// After the compilation; nothing of an empty list.
  void compilePhases(const std::vector<CompilePhaseRecord> &records);
  /// Adds to those that the file has. Also between runs; nothing of an empty list.
  void hostSamples(const std::vector<HostSampleRecord> &records);
  /// Also between runs.
  void cycleSources(const std::vector<CycleSourceRecord> &records) override;
  void vertices(const std::vector<VertexRecord> &records) override;
  void step(const StepRecord &record) override;
  void stepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) override;
  void blocks(const std::vector<BlockRecord> &records) override;
  /// One with the same first run takes the place of an earlier one.
  void paused(const PausedRecord &record) override;
  void endRun(const RunTotals &totals, double endMicroseconds) override;
  void resetExecution() override;
  /// The open run, if any, ended without its totals: it stays as one that was cut short.
  void cutRun();

  /// From now on a thread of its own writes the steps, some at a time, while the program goes on. What they are in the
  /// file does not change; every other record, and file(), waits for them. An error of a step is thrown by a later
  /// call.
  void writeStepsBeside();

  /// The id that debug.cbor next to the file has, too.
  void noteDebugInfo(const std::string &id);
  /// Runs that end so soon after a commit are committed together: at the latest when this time is over, by the thread
  /// of writeStepsBeside; without it with the first run that ends, or settle(), after that. Rows are the same in any
  /// case. Not called: each run is committed when it ends.
  void gatherRuns(std::chrono::milliseconds most);
  /// Commits runs whose time is over.
  void settle();

  /// Commits what is pending, so that readers of file() see it.
  void flush();
  /// savePop() under the final name, and writing goes on. Nothing for a profile in memory. Costs a copy of the file.
  void publish();
  /// Completes and renames the file. Further records are an error. Idempotent. Throws StorageError where it cannot be
  /// renamed.
  void finish();
  /// Shared with readers; stays valid after the writer is gone and after the rename.
  [[nodiscard]] std::shared_ptr<PopFile> file() const;

private:
  struct Impl;
  explicit PopWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace popscope
