// The .pop profile: one SQLite database described by the one Schema table (Schema.hpp). PopWriter is the ProfileSink
// that fills it; PopFile is an open database shared by the writer and by pva::Report, so that a report of a running
// engine and the report of a saved file read the same way.
//
// On disk: written as profile_<random>.pop beside the final path, in transactions, and renamed when complete; a file
// that was not completed says so in `meta`.
#pragma once
#include "instrument/profile/Records.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace popscope {

/// An open profile. Opaque; SQLite stays in the .cpp.
class PopFile;

/// Opens for reading. Throws popscope::ProfileError with a one-line message for a missing, empty, truncated, foreign or
/// newer file; nothing is ever written.
std::shared_ptr<PopFile> openPop(const std::string &path);

class PopWriter : public ProfileSink {
public:
  /// path empty: an in-memory database.
  explicit PopWriter(const std::string &path = "");
  ~PopWriter() override;                 // finish(), errors swallowed after logging
  PopWriter(const PopWriter &) = delete;
  PopWriter &operator=(const PopWriter &) = delete;

  void compilation(const CompilationRecord &record) override;
  void beginRun(const RunRecord &record) override;
  void statistics(const std::vector<StepStatisticsRecord> &records) override;
  void step(const StepRecord &record) override;
  void endRun(const RunTotals &totals, double endMicroseconds) override;
  void resetExecution() override;
  /// The open run, if any, ended without its totals: it stays as one that was cut short.
  void cutRun();

  /// Commits what is pending, so that readers of file() see it.
  void flush();
  /// Completes and renames the file. Further records are an error. Idempotent.
  void finish();
  /// Shared with readers; stays valid after the writer is gone and after the rename.
  [[nodiscard]] std::shared_ptr<PopFile> file() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class ProfileError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace popscope
