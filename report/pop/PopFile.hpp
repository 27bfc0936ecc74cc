// The .pop profile: one SQLite database. Schema.hpp describes the tables of the database. PopWriter is the ProfileSink
// that fills the database. PopFile is an open database that the writer and pva::Report share. So pva::Report reads the
// profile of a running engine in the same way as a saved file.
//
// The writer creates profile_<random>.pop next to the final path, writes in transactions, and renames the complete
// file. The table `meta` states whether a file is complete.
#pragma once
#include "base/ShownText.hpp"
#include "instrument/profile/CompilationRows.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

namespace popscope {

/// A fault of a profile file. The message is one line, in which control characters of names and paths are escaped.
class ProfileError : public std::runtime_error {
public:
  explicit ProfileError(const std::string &what) : std::runtime_error(shownText(what)) {}
};

/// A failure of the system to open, read or write the file: no space, no permission, or a fault of the medium.
class StorageError : public ProfileError {
public:
  StorageError(const std::string &path, const std::string &cause) : ProfileError(path + ": " + cause), cause_(cause) {}
  /// Returns the cause, e.g. "No space left on device".
  [[nodiscard]] const std::string &cause() const { return cause_; }

private:
  std::string cause_;
};

/// An open profile. The type is opaque here; PopDatabase.hpp defines it.
class PopFile;
struct HostSampleRecord; // HostSamples.hpp

/// Opens a file for reading. Throws popscope::ProfileError, with a one-line message, for a file that is missing, not
/// readable, empty, truncated, not a profile, or of another format. Also refuses a file with a view, a trigger, a
/// virtual table, a computed column, or a table that has the name of a packed table.
std::shared_ptr<PopFile> openPop(const std::string &path);
/// Returns the path of the newest unfinished, readable profile in the folder of `path`, or "" if there is no such
/// profile. If the file `path` exists, profiles that are older than this file do not count. A program leaves an
/// unfinished profile if the program is killed before it renames the profile.
std::string unfinishedBeside(const std::string &path);

/// Returns the contents of the file that savePop would write.
[[nodiscard]] std::string popImage(PopFile &file);
/// Opens a result of popImage. Throws ProfileError as openPop does; the message calls the profile `name`.
[[nodiscard]] std::shared_ptr<PopFile> openPopImage(const std::string &name, const std::string &image);

/// Makes a valid file `to` from `from`, the file profile_<random>.pop that a stopped program left behind. If a log of
/// SQLite lies next to `from`, applies this log. The file `to` gets its name after it is written, so no reader sees
/// only a part of the file. The profile stays marked as incomplete. Throws ProfileError if a file cannot be read or
/// written, or if `from` has no compiled graph.
void recoverPop(const std::string &from, const std::string &to);
/// Writes the present contents of `file` to `to`, atomically. If this process writes `file`, the copy is marked as
/// complete, unless the latest run is incomplete or the recording ended early. A copy of a file that was opened for
/// reading keeps the mark of that file. Leaves out the runs with numbers below `firstRun`. Throws ProfileError if `to`
/// cannot be written.
void savePop(PopFile &file, const std::string &to, std::uint64_t firstRun = 0);

/// A writer of a profile. If the system refuses a write (disk full, quota, size limit, a fault of the medium), the
/// writer ends the recording. The writer keeps the committed data. The writer also stores in the file where and
/// why the recording ended, and prints one line on stderr. Then the writer ignores further records. The writer reserves
/// space before each commit, so the committed data is always a usable file.
class PopWriter : public ProfileSink {
public:
  /// Creates a profile; an empty path gives a database in memory. `numbersByTile` is an estimate of the number of
  /// values in the compilation (programs * tiles); a large estimate gives larger pages. Throws StorageError if the
  /// file cannot be created.
  explicit PopWriter(const std::string &path = "", std::uint64_t numbersByTile = 0);
  /// Returns a writer to `path` that begins with the contents of the profile `from` (its compilation and its runs) and
  /// adds runs. `from` may be equal to `path`: the file stays unchanged until finish() or publish(). Throws
  /// ProfileError if `from` cannot be read or has no compilation, or if the new file cannot be created.
  static std::unique_ptr<PopWriter> append(const std::string &from, const std::string &path);
  ~PopWriter() override; // calls finish(), except in a forked child; prints errors and does not throw
  PopWriter(const PopWriter &) = delete;
  PopWriter &operator=(const PopWriter &) = delete;

  /// Writes the compilation. Throws StorageError if the system refuses the write, for example because the disk is full.
  /// After this error, no new file appears, and an old file at the final path stays.
  void compilation(const CompilationRecord &record) override;
  /// Writes the compilation. `rows` provides the tables that `record` leaves out, and may refer to data that lives only
  /// during the call. If `settings` is not null, its options and warnings replace those of `record`.
  void compilation(const CompilationRecord &record, const CompilationRows &rows,
                   const SettingsRecord *settings = nullptr);
  void beginRun(const RunRecord &record) override;
  void statistics(const std::vector<StepStatisticsRecord> &records) override;
  void controlFlow(const std::vector<ControlFlowRecord> &records) override;
  void executions(const ExecutionsRecord &record) override;
  void memorySamples(const std::vector<MemorySampleRecord> &records) override;
  /// Writes the phases. Call compilePhases() after compilation(). Does nothing for an empty list.
  void compilePhases(const std::vector<CompilePhaseRecord> &records);
  /// Adds samples to the samples of the file. The call is also allowed between runs. Does nothing for an empty list.
  void hostSamples(const std::vector<HostSampleRecord> &records);
  /// Writes sources of cycles. The call is also allowed between runs.
  void cycleSources(const std::vector<CycleSourceRecord> &records) override;
  void vertices(const std::vector<VertexRecord> &records) override;
  void step(const StepRecord &record) override;
  void stepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) override;
  void blocks(const std::vector<BlockRecord> &records) override;
  /// Records a span of unrecorded runs. Replaces an earlier span with the same first run.
  void paused(const PausedRecord &record) override;
  void endRun(const RunTotals &totals, std::optional<double> endMicroseconds) override;
  void resetExecution() override;
  /// If a run is open, ends this run without totals. The profile then shows the run as cut short.
  void cutRun();

  /// Makes a thread write the steps in batches while the program continues. Does nothing on a machine with a single
  /// processor. The file has the same contents as without the thread, because the steps and other records are written
  /// in the order of the calls. file() waits until the steps are written. A later call throws an error of the thread,
  /// except a StorageError, which ends the recording.
  void writeStepsBeside();

  /// Stores the id of the engine's debug.cbor in the profile. The debug.cbor contains the same id.
  void noteDebugInfo(const std::string &id);
  /// Stores the name of the program that writes the profile.
  void noteProgram(const std::string &name);
  /// Makes the writer commit several runs together: all runs that end within the time `most` after a commit. When this
  /// time is over, the thread of writeStepsBeside commits the runs. Without such a thread, settle() or the end of the
  /// next run commits the runs. The rows of the file are the same in all cases. Without a call of gatherRuns, each run
  /// is committed when it ends.
  void gatherRuns(std::chrono::milliseconds most);
  /// Commits pending runs if the time of gatherRuns is over. Does nothing if writeStepsBeside made a thread write the
  /// steps, because this thread commits the runs.
  void settle();

  /// Commits pending records, so that other processes can read them from the file.
  void flush();
  /// Saves a copy with savePop() under the final name and continues to write. Does nothing for a profile in memory, or
  /// after finish(). Costs a copy of the file.
  void publish();
  /// Marks the file as complete, unless the recording ended early, and renames the file to its final name. If the
  /// compilation could not be written, removes the file instead. After finish(), further records are an error, and
  /// further calls of finish() do nothing. Throws StorageError if the file cannot be renamed.
  void finish();
  /// Returns the database, which readers share. The database stays valid after the rename and after the writer is
  /// destroyed.
  [[nodiscard]] std::shared_ptr<PopFile> file() const;

private:
  struct Impl;
  explicit PopWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace popscope
