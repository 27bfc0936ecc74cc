// The .pop profile: one SQLite database described by the one Schema table (Schema.hpp). PopWriter is the ProfileSink
// that fills it; PopFile is an open database shared by the writer and by pva::Report, so that a report of a running
// engine and the report of a saved file read the same way.
//
// The writer creates profile_<random>.pop next to the final path, writes in transactions, and renames the file when it
// is complete. An incomplete file is marked in table `meta`.
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

/// Reports that the file could not be written: no space, no permission, or a fault of the medium.
class StorageError : public ProfileError {
public:
  StorageError(const std::string &path, const std::string &cause) : ProfileError(path + ": " + cause), cause_(cause) {}
  /// Returns the cause, e.g. "No space left on device".
  [[nodiscard]] const std::string &cause() const { return cause_; }

private:
  std::string cause_;
};

/// An open profile. It is opaque: SQLite stays in the .cpp.
class PopFile;
struct HostSampleRecord; // HostSamples.hpp

/// Opens a file for reading and never writes to it. Throws popscope::ProfileError, with a one-line message, for a file
/// that is missing, empty, truncated, no profile, or of another format.
std::shared_ptr<PopFile> openPop(const std::string &path);

/// Returns the bytes that savePop would write.
[[nodiscard]] std::string popImage(PopFile &file);
/// Opens the result of popImage. Throws ProfileError, which names it `name`, as openPop does.
[[nodiscard]] std::shared_ptr<PopFile> openPopImage(const std::string &name, const std::string &image);

/// Makes one valid file `to` from the file `from` (profile_<random>.pop, with its log next to it) that a stopped
/// program left. `to` stays marked as not complete. `to` appears at once or not at all. Throws ProfileError.
void recoverPop(const std::string &from, const std::string &to);
/// Writes the present contents of `file` to `to`, atomically. If `file` is still being written, the copy is marked as
/// complete if the latest run is complete. Throws ProfileError.
void savePop(PopFile &file, const std::string &to);

/// Writes a profile. If the system refuses a write (disk full, quota, size limit, a fault of the medium), the writer
/// ends the recording: it keeps the committed data, notes in the file where the recording ended, prints one line on
/// stderr, and ignores further records. The writer reserves space before each commit, so the committed data always
/// becomes one file.
class PopWriter : public ProfileSink {
public:
  /// Creates a profile; an empty path gives an in-memory database. `numbersByTile` estimates the compilation's numbers,
  /// programs times tiles; a large estimate gives larger pages. Throws StorageError if the file cannot be created.
  explicit PopWriter(const std::string &path = "", std::uint64_t numbersByTile = 0);
  /// Returns a writer to `path` that begins with the contents of the profile `from` (its compilation and its runs) and
  /// adds runs. `from` may be `path`: it stays unchanged until finish() or publish(). Throws ProfileError if `from`
  /// cannot be read or has no compilation.
  static std::unique_ptr<PopWriter> append(const std::string &from, const std::string &path);
  ~PopWriter() override; // calls finish(); logs errors and does not throw
  PopWriter(const PopWriter &) = delete;
  PopWriter &operator=(const PopWriter &) = delete;

  /// Throws StorageError if the disk has no room for the compilation; then no new file appears, and an old file of this
  /// name stays.
  void compilation(const CompilationRecord &record) override;
  /// Writes the compilation from a record without the tables that `rows` provides. `rows` may refer to data that live
  /// only during the call.
  void compilation(const CompilationRecord &record, const CompilationRows &rows);
  void beginRun(const RunRecord &record) override;
  void statistics(const std::vector<StepStatisticsRecord> &records) override;
  void controlFlow(const std::vector<ControlFlowRecord> &records) override;
  void executions(const ExecutionsRecord &record) override;
  void memorySamples(const std::vector<MemorySampleRecord> &records) override;
  /// Writes phases after the compilation; does nothing for an empty list.
  void compilePhases(const std::vector<CompilePhaseRecord> &records);
  /// Adds rows to those of the file. May also be called between runs. Does nothing for an empty list.
  void hostSamples(const std::vector<HostSampleRecord> &records);
  /// Writes sources of cycles; the call may also come between runs.
  void cycleSources(const std::vector<CycleSourceRecord> &records) override;
  void vertices(const std::vector<VertexRecord> &records) override;
  void step(const StepRecord &record) override;
  void stepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) override;
  void blocks(const std::vector<BlockRecord> &records) override;
  /// Records a span of paused runs; replaces an earlier span with the same first run.
  void paused(const PausedRecord &record) override;
  void endRun(const RunTotals &totals, std::optional<double> endMicroseconds) override;
  void resetExecution() override;
  /// Ends the open run, if any, without totals: the profile shows it as cut short.
  void cutRun();

  /// Starts a thread that writes steps in batches while the program continues. The file has the same contents as
  /// without the thread: every other record, and file(), waits for the steps. A later call throws the error of a step.
  void writeStepsBeside();

  /// Stores the id that debug.cbor next to the file also has.
  void noteDebugInfo(const std::string &id);
  /// Stores the name of the program that writes the profile.
  void noteProgram(const std::string &name);
  /// Commits runs together that end within this time after a commit. The thread of writeStepsBeside commits them when
  /// the time is over. Without the thread, the next run that ends after this time, or settle(), commits them. The rows
  /// are the same in any case. Without a call of gatherRuns, each run is committed when it ends.
  void gatherRuns(std::chrono::milliseconds most);
  /// Commits runs whose time is over.
  void settle();

  /// Commits pending records, so that readers of file() see them.
  void flush();
  /// Calls savePop() with the final name and continues to write. Does nothing for a profile in memory. Costs a copy of
  /// the file.
  void publish();
  /// Completes and renames the file. Further records are an error. Idempotent. Throws StorageError if the file cannot
  /// be renamed.
  void finish();
  /// Returns the database, which readers share; it stays valid after the writer is destroyed and after the rename.
  [[nodiscard]] std::shared_ptr<PopFile> file() const;

private:
  struct Impl;
  explicit PopWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace popscope
