// popscope run: starts a program with a configuration that overrides all others, passes signals on, and prints the
// verdicts.
#include "report/tool/ConfigCommands.hpp"

#include "base/AbsolutePath.hpp"
#include "base/EditDistance.hpp"
#include "base/Environment.hpp"
#include "base/JsonText.hpp"
#include "base/TerminalText.hpp"
#include "base/settings/Configuration.hpp"
#include "base/settings/ProfileTemplates.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/answers/View.hpp"
#include "report/export/WriteExports.hpp"
#include "report/pop/PopFile.hpp"
#include "report/summary/Format.hpp"
#include "report/tool/Arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char **environ; // NOLINT: POSIX gives no other way to pass the environment on

namespace popscope {
namespace {

namespace fs = std::filesystem;

constexpr int kNotStarted = 127; // exit code of a program that the loader or a shell could not start

struct RunArguments {
  std::string templateName, directory; // "" = not given
  std::vector<std::string> options, formats, command;
  bool quiet = false, list = false;
};

/// The child while it runs; a handler passes signals on to it.
volatile pid_t runningChild = 0; // NOLINT: a handler has no arguments

class ForwardSignals {
public:
  ForwardSignals() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      struct sigaction pass {};
      pass.sa_flags = SA_SIGINFO;
      pass.sa_sigaction = [](int number, siginfo_t *about, void *) {
        // The kernel signals all processes of a terminal, but reports a hangup only to the leader of the session.
        const bool isForAll = about->si_code > 0 && (number != SIGHUP || ::getsid(0) != ::getpid());
        if (runningChild > 0 && !isForAll)
          ::kill(runningChild, number);
      };
      ::sigaction(kSignals[i], &pass, &before_[i]);
    }
  }
  ~ForwardSignals() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i)
      ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  ForwardSignals(const ForwardSignals &) = delete;
  ForwardSignals &operator=(const ForwardSignals &) = delete;

private:
  static constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  struct sigaction before_[std::size(kSignals)] = {};
};

/// Returns the options as a configuration, which overrides all others. `directory` is the folder for profiles; "" = not
/// given.
std::string runOptions(const RunArguments &a, const std::string &directory) {
  nlohmann::ordered_json engine = nlohmann::ordered_json::object(), all = nlohmann::ordered_json::object();
  for (const std::string &option : a.options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      throw AnswerError("--set: \"" + option + "\" is not allowed; give OPTION=VALUE");
    const std::string name = option.substr(0, equals);
    if (engine.contains(name))
      throw AnswerError("--set: " + name + " has two values; give one");
    engine[name] = option.substr(equals + 1);
  }
  all["engine"] = engine;
  if (!directory.empty())
    all["directory"] = directory;
  std::string formats;
  for (const std::string &format : a.formats) {
    (void)exportNamed(format); // throws for an unknown format
    formats += (formats.empty() ? "" : ",") + format;
  }
  if (!formats.empty())
    all["formats"] = formats;
  const std::string text = jsonText(all);
  (void)readConfiguration(text, "--set", OriginLines::None); // reports mistakes before the program starts
  return text;
}

/// The folder of the sessions while the program runs. If the folder did not exist and no session is written, the
/// destructor removes the folder.
class SessionFolder {
public:
  /// Creates the folder. Throws AnswerError, which names the setting, if the folder cannot be created or written.
  explicit SessionFolder(const ConfiguredValue &directory) : path_(homePath(directory.value)) {
    std::error_code error;
    for (fs::path folder = path_; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path())
      made_.push_back(folder);
    fs::create_directories(path_, error);
    const std::string cause = error ? "cannot be created: " + error.message()
                              : ::access(path_.c_str(), W_OK | X_OK) != 0
                                  ? std::string("cannot be written: ") + std::strerror(errno)
                                  : "";
    if (cause.empty())
      return;
    removeEmpty();
    const std::string setting =
        directory.origin == kRunOrigin ? "--directory" : directorySetting(directory); // no setting: the default
    throw AnswerError((setting.empty() ? "" : setting + ": ") + "the folder " + path_.string() + " " + cause +
                      (setting.empty() ? "; name another with --directory" : ""));
  }
  ~SessionFolder() { removeEmpty(); }
  SessionFolder(const SessionFolder &) = delete;
  SessionFolder &operator=(const SessionFolder &) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

private:
  void removeEmpty() const {
    std::error_code notEmpty;
    for (const fs::path &folder : made_) // the innermost first
      fs::remove(folder, notEmpty);
  }
  fs::path path_;
  std::vector<fs::path> made_;
};

/// A session that the program, or a process that it started, has written.
struct WrittenSession {
  fs::path folder;
  nlohmann::json index; // contents of session.json
};
/// Returns the sessions in the folder whose session.json has this id, in the order of their names.
std::vector<WrittenSession> sessionsIn(const std::string &folder, const std::string &runId) {
  std::vector<WrittenSession> found;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder, error)) {
    std::ifstream in(entry.path() / "session.json");
    auto index = jsonOf(std::string{std::istreambuf_iterator<char>(in), {}});
    if (index.is_object() && index.contains("run") && index["run"] == runId)
      found.push_back({entry.path(), std::move(index)});
  }
  std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.folder < b.folder; });
  return found;
}

/// Returns a text that no other popscope run has.
std::string newRunId() {
  return fmt::format("{}-{}", ::getpid(), std::chrono::system_clock::now().time_since_epoch().count());
}

struct Ended {
  int code = 0;   // exit code of the program, or 128 + signal if a signal ended it, as in shells
  int signal = 0; // 0 = none
};
Ended runProgram(const std::vector<std::string> &command, const std::vector<std::string> &assignments) {
  std::vector<char *> words, environment;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  std::set<std::string> replaced;
  for (const std::string &assignment : assignments) {
    environment.push_back(const_cast<char *>(assignment.c_str()));
    replaced.insert(assignment.substr(0, assignment.find('=')));
  }
  for (char **entry = environ; *entry != nullptr; ++entry)
    if (const char *equals = std::strchr(*entry, '=');
        equals == nullptr || replaced.count(std::string(*entry, static_cast<std::size_t>(equals - *entry))) == 0)
      environment.push_back(*entry);
  environment.push_back(nullptr);
  const ForwardSignals forward;
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environment.data()); error != 0)
    throw AnswerError(command[0] + ": cannot be started: " + std::strerror(error));
  runningChild = child;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  runningChild = 0;
  if (WIFEXITED(status))
    return {WEXITSTATUS(status), 0};
  return {128 + WTERMSIG(status), WTERMSIG(status)};
}

/// Returns the sentence for a program that the system's loader could not start. Such a program ends with the exit code
/// 127.
std::string notStartedText() {
  std::error_code error;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  const std::string enable =
      !error && fs::exists(prefix / "enable.sh", error) ? (prefix / "enable.sh").string() : "PREFIX/enable.sh";
  return " ended with 127, so it probably did not start. If the message above names libpoplar.so, the system does not "
         "find this library: run \". " +
         enable + "\" first, or link with the flags of \"pkg-config --libs poplar\"";
}

void printVerdict(std::ostream &out, const std::string &profile, const Screen &screen) {
  Request request;
  request.report = pva::openReportQuietly(profile); // the view states where an incomplete profile ends
  request.profile = profile;
  for (const ViewRow &view : views())
    if (std::string(view.name) == "info")
      printText(out, view.collect(request), screen.style, screen.columns);
}

/// Prints the verdict on each profile of a session. A profile that cannot be read, because the program was killed for
/// instance, is reported on stderr, but must not change the exit code.
void printVerdicts(std::ostream &out, const WrittenSession &written, const Screen &screen) {
  const fs::path &session = written.folder;
  for (const auto &engine : written.index.at("engines"))
    try {
      const std::string profile = engine["profile"].get<std::string>();
      if (profile.empty())
        continue;
      printVerdict(out, (session / profile).lexically_normal().string(), screen);
      for (const auto &file : engine["files"])
        out << (session / file.get<std::string>()).lexically_normal().string() << "\n";
    } catch (const ProfileError &e) {
      std::cerr << messageText(std::string("popscope run: ") + e.what()) << "\n";
    }
}

int run(std::ostream &out, const RunArguments &a, const Screen &screen) {
  if (a.command.empty())
    throw AnswerError("give a program and its arguments after --");
  std::string profile = a.templateName.empty() ? environmentVariable("POPSCOPE_PROFILE").value_or("") : a.templateName;
  if (profile.empty() || (a.templateName.empty() && turnsProfilesOff(profile)))
    profile = "1"; // the template of a configuration file, or else the default
  const std::string id = newRunId();
  std::vector<std::string> assignments = {"POPSCOPE_RUN_OPTIONS=" + runOptions(a, a.directory), "POPSCOPE_RUN_ID=" + id,
                                          "POPSCOPE_PROFILE=" + profile};
  const Configuration configuration = readEnvironmentConfiguration(
      [&](const std::string &name) -> std::optional<std::string> {
        for (const std::string &assignment : assignments)
          if (assignment.rfind(name + "=", 0) == 0)
            return assignment.substr(name.size() + 1);
        return environmentVariable(name);
      },
      a.templateName.empty() ? "POPSCOPE_PROFILE" : "--template");
  const SessionFolder folder(configuration.session.at("directory"));
  // The program may change its current folder.
  assignments.front() = "POPSCOPE_RUN_OPTIONS=" + runOptions(a, absolutePath(folder.path()));
  for (const std::string name : {"POPSCOPE_CONFIG", "POPSCOPE_TRACE"})
    if (const std::string file = environmentVariable(name).value_or(""); !file.empty())
      assignments.push_back(name + "=" + absolutePath(homePath(file)));
  const Ended ended = runProgram(a.command, assignments);
  if (ended.signal != 0)
    std::cerr << messageText("popscope run: " + a.command[0] + " was ended by signal " + std::to_string(ended.signal) +
                             " (" + ::strsignal(ended.signal) + ")")
              << "\n";
  const std::vector<WrittenSession> sessions = sessionsIn(folder.path(), id);
  if (!a.quiet)
    for (const WrittenSession &session : sessions)
      printVerdicts(out, session, screen);
  if (sessions.empty())
    std::cerr << messageText("popscope run: " + a.command[0] +
                             (ended.code == kNotStarted ? notStartedText()
                                                        : " wrote no profile: its settings switch profiles off (then a "
                                                          "message above names them), it made no engine for a device "
                                                          "that has profiles (a CPU target has none), or it does not "
                                                          "link this libpoplar"))
              << "\n";
  return ended.code;
}

} // namespace

CommandAction makeRun(CLI::App &app) {
  auto a = std::make_shared<RunArguments>();
  app.add_option("--template", a->templateName,
                 "Template that chooses what to record and write; popscope config templates lists all; default: the "
                 "template of POPSCOPE_PROFILE or of a configuration file, or else default")
      ->type_name(templateNames());
  app.add_flag("--list-templates", a->list, "Only list the templates and their costs");
  app.add_option("--set", a->options,
                 "Engine option that overrides the program's own: --set debug.instrument=false; default none")
      ->type_name("OPTION=VALUE")
      ->allow_extra_args(false);
  app.add_option("--directory", a->directory,
                 "Folder for profiles; default: the folder of the configuration, or else popscope-profiles")
      ->type_name("DIR");
  app.add_option("--format", a->formats,
                 "Formats of popscope export to write, separated by commas; msprof writes tables and a trace in "
                 "Ascend's layout; default: the formats of the configuration, or else of the template")
      ->type_name(formatNames())
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("-q,--quiet", a->quiet, "Do not print the verdict");
  app.add_option("command", a->command, "The program and its arguments, after --")->type_name("-- PROGRAM");
  app.footer("Examples:\n  popscope run -- ./program arguments\n  popscope run --template trace --set "
             "popscope.profileRuns=10-19 -- ./program\nThe exit code is the code of the program, or 128 + N if signal "
             "N ended it.");
  return [a](std::ostream &out, const Screen &screen) {
    if (!a->list)
      return run(out, *a, screen);
    for (const ProfileTemplate &one : profileTemplates())
      out << padRight(one.name, 9) << one.help << "\n         cost: " << one.cost << "\n";
    return kDone;
  };
}

} // namespace popscope
