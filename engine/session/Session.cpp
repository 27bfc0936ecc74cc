#include "engine/session/Session.hpp"

#include "base/AbsolutePath.hpp"
#include "base/Environment.hpp"
#include "base/JsonText.hpp"
#include "base/ShownText.hpp"
#include "base/TerminalText.hpp"
#include "base/WholeFile.hpp"
#include "report/export/WriteExports.hpp"
#include "report/pop/ReplaceFile.hpp"
#include "report/pvti/HostTrace.hpp"
#include "report/summary/Summary.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/types.h>
#include <thread>
#include <unistd.h>

namespace popscope {
namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string path;
  std::shared_ptr<PopFile> file; // null if it is not open
  ProcessEnd::Call settle;
  std::string state = "running"; // then "complete", or how the process ended
  std::vector<std::string> written;
};

/// Returns a path of absolutePath() for a message: without the current folder, if this folder contains the file.
std::string fromHere(const std::string &path) {
  std::error_code error;
  const std::string here = fs::current_path(error).string() + "/";
  return !error && path.starts_with(here) ? path.substr(here.size()) : path;
}

} // namespace

/// The session of a process.
class Session {
public:
  /// Returns the session of this process. If the session has not begun, begins it with the settings. A forked child
  /// begins a session of its own.
  static Session &of(const SessionSettings &settings) {
    static std::mutex mutex;
    static Session *session = nullptr; // never destroyed, because engines of static duration end late
    const std::lock_guard guard(mutex);
    if (session == nullptr || !session->isOfThisProcess())
      session = new Session(settings); // NOLINT: see above
    return *session;
  }

  [[nodiscard]] const std::string &folder() const { return folder_; }
  [[nodiscard]] bool isOfThisProcess() const { return ::getpid() == process_; }
  /// Keeps a signal from ending the process while an engine begins or completes its files. If a signal has already
  /// ended the session, waits for the end of the process, which is near.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> hold() {
    std::unique_lock lock(mutex_);
    if (endedBySignal_ && isOfThisProcess()) {
      lock.unlock();
      while (true)
        std::this_thread::sleep_for(std::chrono::hours(1));
    }
    return lock;
  }
  std::size_t add() {
    const std::lock_guard guard(mutex_);
    entries_.emplace_back();
    return entries_.size() - 1;
  }
  [[nodiscard]] std::string folderOf(std::size_t number) const {
    return number == 0 ? folder_ : (fs::path(folder_) / ("engine-" + std::to_string(number + 1))).string();
  }
  void begun(std::size_t number, const std::string &path, std::shared_ptr<PopFile> file, ProcessEnd::Call settle) {
    const std::lock_guard guard(mutex_);
    entries_[number].path = path; // first the compilation's file, then the engine's
    entries_[number].settle = std::move(settle);
    entries_[number].file = std::move(file);
    writeIndex();
    ProcessEnd::watchExitAgain();
  }
  void ended(std::size_t number) {
    if (!isOfThisProcess())
      return; // a forked child: the open files belong to the parent
    const std::lock_guard guard(mutex_);
    Entry &entry = entries_[number];
    if (entry.file == nullptr)
      return; // endAll has completed it
    entry.file.reset();
    finish(entry, "complete");
    writeIndex();
    ProcessEnd::watchExitAgain();
  }
  /// Completes every open profile, with the records that are written so far.
  void endAll(const std::string &how) {
    const std::lock_guard guard(mutex_);
    endedBySignal_ = how.rfind("SIG", 0) == 0;
    for (Entry &entry : entries_)
      if (entry.file != nullptr)
        endOpen(entry, how);
    writeIndex();
  }

private:
  explicit Session(const SessionSettings &settings)
      : settings_(settings), folder_(absolutePath(makeFolder(settings))),
        end_([this](const std::string &how) { endAll(how); }) {
    settings_.trace = absolutePath(settings.trace); // the program may change its current folder
  }

  /// Creates the folder and returns its path. mkdir fails for an existing folder, so two processes never share a
  /// folder.
  static std::string makeFolder(const SessionSettings &settings) {
    std::error_code error;
    fs::create_directories(settings.directory, error);
    for (int attempt = 1; !error && attempt < 100000; ++attempt) {
      std::string folder =
          (fs::path(settings.directory) / (settings.program + (attempt == 1 ? "" : "-" + std::to_string(attempt))))
              .string();
      if (fs::create_directory(folder, error))
        return folder;
    }
    const std::string cause = error ? error.message() : "too many sessions have this name";
    throw poplar::invalid_option(
        settings.directorySetting.empty()
            ? fmt::format("the folder '{}' for profiles cannot be created: {}; name one that can be written, with "
                          "--directory of popscope run or \"directory\" of POPSCOPE_CONFIG",
                          settings.directory, cause)
            : fmt::format("the folder '{}' for profiles, from {}, cannot be created: {}; name one that can be written",
                          settings.directory, settings.directorySetting, cause));
  }

  void endOpen(Entry &entry, const std::string &how) {
    try {
      entry.settle(how);
      if (const std::string own = entry.file->path(); isTemporaryName(fs::path(own).filename().string())) {
        savePop(*entry.file, entry.path); // a finished file has its final name already
        if (how == "exit")                // the engine may still be destroyed, and then completes its own file
          ProcessEnd::removeAtEnd(own);
        else
          removeBeside(own);
      }
    } catch (const std::exception &e) {
      printMessage(std::string("Popscope: ") + e.what());
    }
    entry.file.reset();
    if (fs::exists(entry.path))
      finish(entry, how);
    else
      entry.state = "no profile";
  }

  void finish(Entry &entry, const std::string &state) {
    entry.state = state;
    try {
      const pva::Report report = pva::openReportQuietly(entry.path);
      writeSummary(entry, report);
      ExportRequest request;
      request.report = report;
      request.profile = entry.path;
      request.options.timeline.pvti = hostTraceFile();
      const std::string folder = fs::path(entry.path).parent_path().string();
      for (const std::string &name : settings_.formats)
        writeFormat(entry, request, name, (folder.empty() ? "." : folder) + "/");
      if (!settings_.trace.empty()) {
        const fs::path named(settings_.trace);
        const std::string number =
            &entry == &entries_.front() ? "" : "-" + std::to_string(&entry - entries_.data() + 1);
        writeFormat(entry, request, named.extension() == ".pftrace" ? "perfetto" : "chrome",
                    (named.parent_path() / (named.stem().string() + number + named.extension().string())).string());
      }
      const std::string path = fromHere(entry.path);
      printMessage(fmt::format("Popscope: {} ({}); popscope info {} shows it", shownText(path),
                               shownState(entry, !report.popscope().ending().empty()), shellWord(path)));
    } catch (const std::exception &e) {
      printMessage(std::string("Popscope: ") + e.what());
    }
  }
  /// Returns a text that states how the engine ended and which files it wrote. If the disk was full, the engine's
  /// writer has already reported where the profile ends, so this text only states that the profile is not complete.
  static std::string shownState(const Entry &entry, bool cutShort) {
    std::string text = !cutShort                   ? entry.state
                       : entry.state == "complete" ? "not complete"
                                                   : entry.state + ", not complete";
    if (const std::size_t files = entry.written.size(); files == 1)
      text += ", with " + shownText(fromHere(entry.written.front()));
    else if (files != 0)
      text += fmt::format(", with {} exported files", files);
    return text;
  }
  void writeSummary(Entry &entry, const pva::Report &report) {
    if (!settings_.summary)
      return;
    std::ostringstream text;
    printSummary(text, report, SummaryOptions());
    const std::string path = (fs::path(entry.path).parent_path() / "summary.txt").string();
    writeWholeFile(path, text.str());
    entry.written.push_back(path);
  }
  /// Writes one format. A failure must not prevent the other formats.
  void writeFormat(Entry &entry, const ExportRequest &request, const std::string &format, const std::string &path) {
    try {
      ExportTarget target;
      target.path = path;
      target.overwrite = true; // the folder belongs to this session, and the user named the file
      const NamedExport named = exportNamed(format);
      target.layout = named.layout;
      target.time = exportTimeNow();
      for (const WrittenFile &file : writeExports(planExports(request, named.formats, target), target))
        entry.written.push_back(file.path);
    } catch (const std::exception &e) {
      printMessage("Popscope: no " + format + ": " + e.what());
    }
  }

  void writeIndex() {
    nlohmann::ordered_json index = {{"program", settings_.program},
                                    {"template", settings_.templateName},
                                    {"engines", nlohmann::ordered_json::array()}};
    if (const auto run = environmentVariable("POPSCOPE_RUN_ID")) // popscope run finds its sessions by this id
      index["run"] = *run;
    for (const Entry &entry : entries_) {
      nlohmann::ordered_json files = nlohmann::ordered_json::array();
      for (const std::string &file : entry.written)
        files.push_back(relative(file));
      index["engines"].push_back({{"profile", relative(entry.path)},
                                  {"state", entry.path.empty() ? "no profile" : entry.state},
                                  {"files", files}});
    }
    try {
      writeWholeFile((fs::path(folder_) / "session.json").string(), jsonText(index, 2) + "\n");
    } catch (const std::exception &e) {
      if (!indexFailed_)
        printMessage(std::string("Popscope: session.json is not written: ") + e.what());
      indexFailed_ = true; // each engine writes the index again; one message is enough
    }
  }
  [[nodiscard]] std::string relative(const std::string &path) const {
    return path.empty() ? "" : fs::absolute(path).lexically_relative(fs::absolute(folder_)).string();
  }

  SessionSettings settings_;
  const pid_t process_ = ::getpid();
  std::string folder_;
  std::recursive_mutex mutex_; // recursive: an engine ends its entry while it holds the session
  bool endedBySignal_ = false, indexFailed_ = false;
  std::vector<Entry> entries_;
  ProcessEnd end_; // last, because its call uses the other members
};

namespace {

std::atomic<std::size_t> begunEngines{0}; // NOLINT: counts the engines of the process

bool drawsTrace(const SessionSettings &settings) {
  return !settings.trace.empty() ||
         std::any_of(settings.formats.begin(), settings.formats.end(), [](const std::string &format) {
           return format == "chrome" || format == "perfetto" || format == "msprof";
         });
}

} // namespace

std::size_t enginesBegun() { return begunEngines; }
void noteEngine() { ++begunEngines; }

void beginHostTrace(const std::optional<SessionSettings> &session) {
  if (session && drawsTrace(*session))
    traceHost(Session::of(*session).folder(), "host.pvti");
}

SessionEngine::SessionEngine(const SessionSettings &settings)
    : session_(Session::of(settings)), number_(session_.add()), folder_(session_.folderOf(number_)) {}
SessionEngine::~SessionEngine() { ended(); }

bool SessionEngine::isOfThisProcess() const { return session_.isOfThisProcess(); }
std::unique_lock<std::recursive_mutex> SessionEngine::hold() { return session_.hold(); }
void SessionEngine::begun(const std::string &path, std::shared_ptr<PopFile> file, ProcessEnd::Call settle) {
  open_ = true;
  session_.begun(number_, path, std::move(file), std::move(settle));
}
void SessionEngine::ran(std::uint64_t number) {
  if (open_)
    ProcessEnd::ran(number);
}
void SessionEngine::ended() {
  if (open_)
    session_.ended(number_);
  open_ = false;
}

} // namespace popscope
