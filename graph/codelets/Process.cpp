#include "graph/codelets/Process.hpp"

#include "base/Environment.hpp"
#include "base/ReadNumber.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; // NOLINT: POSIX gives no other way to pass the environment on

namespace popscope {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  void close(int end) {
    if (ends[end] >= 0)
      ::close(ends[end]);
    ends[end] = -1;
  }
};

using Clock = std::chrono::steady_clock;

/// Returns the milliseconds until `end`, for poll. Returns -1 if there is no end.
int remaining(std::optional<Clock::time_point> end) {
  if (!end)
    return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*end - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left + 1, 0, 1 << 30));
}

/// Reads both pipes until both are closed, so that a program that fills one pipe never waits for us. Returns false if
/// `end` comes first.
bool drain(Pipe &out, Pipe &err, std::optional<Clock::time_point> end, ProcessResult &result) {
  pollfd polled[2] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
  std::string *texts[2] = {&result.output, &result.errors};
  int open = 2;
  while (open > 0) {
    const int ready = ::poll(polled, 2, remaining(end));
    if (ready < 0 && errno != EINTR)
      return true;
    if (end && Clock::now() >= *end)
      return false;
    if (ready <= 0)
      continue;
    for (int i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0)
        continue;
      char buffer[4096];
      const ssize_t got = ::read(polled[i].fd, buffer, sizeof buffer);
      if (got > 0)
        texts[i]->append(buffer, static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR) {
        polled[i].fd = -1;
        --open;
      }
    }
  }
  return true;
}

/// Returns whether the environment variable could change the result of a compiler, its preprocessor or its linker for
/// the same command. Also returns true for variables that set the language of messages, because messages are parsed
/// here.
bool isForCompilers(std::string_view variable) {
  static constexpr std::string_view kNames[] = {"CPATH",
                                                "C_INCLUDE_PATH",
                                                "CPLUS_INCLUDE_PATH",
                                                "OBJC_INCLUDE_PATH",
                                                "OBJCPLUS_INCLUDE_PATH",
                                                "LIBRARY_PATH",
                                                "COMPILER_PATH",
                                                "GCC_EXEC_PREFIX",
                                                "GCC_COMPARE_DEBUG",
                                                "DEPENDENCIES_OUTPUT",
                                                "SUNPRO_DEPENDENCIES",
                                                "SDKROOT",
                                                "CCC_OVERRIDE_OPTIONS",
                                                "CCC_ADD_ARGS",
                                                "QA_OVERRIDE_GCC3_OPTIONS",
                                                "CC_PRINT_OPTIONS",
                                                "CC_PRINT_HEADERS",
                                                "CC_LOG_DIAGNOSTICS",
                                                "CC_PRINT_INTERNAL_STAT",
                                                "CC_PRINT_PROC_STAT",
                                                "LD_RUN_PATH",
                                                "LDEMULATION",
                                                "GNUTARGET",
                                                "COLLECT_NO_DEMANGLE",
                                                "SOURCE_DATE_EPOCH",
                                                "FORCE_SOURCE_DATE",
                                                "LANG",
                                                "LANGUAGE"};
  const std::string_view name = variable.substr(0, variable.find('='));
  return name.rfind("LC_", 0) == 0 || std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

char gLanguageOfCompilers[] = "LC_ALL=C"; // NOLINT: an element of environ is not const

std::vector<char *> compilersEnvironment() {
  std::vector<char *> kept;
  for (char **one = environ; *one != nullptr; ++one)
    if (!isForCompilers(*one))
      kept.push_back(*one);
  kept.push_back(gLanguageOfCompilers);
  kept.push_back(nullptr);
  return kept;
}

std::uint64_t secondsOfProcess() {
  const std::string text = environmentVariable("POPSCOPE_COMPILE_SECONDS").value_or("");
  if (text.empty())
    return 300;
  const auto seconds = readWhole(text, {0, 1000000});
  if (!seconds)
    throw poplar::invalid_option("POPSCOPE_COMPILE_SECONDS is \"" + text +
                                 "\"; give whole seconds from 0 (no limit) to 1000000");
  return *seconds;
}

/// Limits the processor time of the program and of the processes that the program started. These processes may outlive
/// the program.
void limitProcessorTime(pid_t child, std::uint64_t seconds) {
  rlimit limit{};
  if (::prlimit(child, RLIMIT_CPU, nullptr, &limit) == 0 && seconds < limit.rlim_cur) {
    limit.rlim_cur = seconds;
    (void)::prlimit(child, RLIMIT_CPU, &limit, nullptr);
  }
}

std::string findProgram(const std::string &program) {
  if (program.find('/') != std::string::npos)
    return program;
  std::istringstream folders(environmentVariable("PATH").value_or("/bin:/usr/bin"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + program;
    std::error_code error;
    if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate, error))
      return candidate;
  }
  return "";
}

} // namespace

namespace {

/// The entries NAME=VALUE of an environment.
class VariableList {
public:
  VariableList() = default;
  explicit VariableList(char **list) {
    for (; *list != nullptr; ++list)
      entries_.push_back(*list);
  }
  [[nodiscard]] bool contains(const char *entry) const {
    return std::find(entries_.begin(), entries_.end(), entry) != entries_.end();
  }
  [[nodiscard]] bool hasNameOf(const char *entry) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const char *one) { return nameOf(one) == nameOf(entry); });
  }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

  static std::string nameOf(const char *entry) { return {entry, std::strcspn(entry, "=")}; }
  /// Sets the variable of the entry in this process.
  static void set(const char *entry) {
    const std::string name = nameOf(entry);
    if (const char *value = entry + name.size(); *value == '=')
      ::setenv(name.c_str(), value + 1, 1);
  }

private:
  std::vector<const char *> entries_;
};

/// The original `environ`, while the compilers that this process starts get another environment. Only the pointer
/// changes, so another thread reads a variable either from the old list or from the new list. If another thread sets or
/// removes a variable meanwhile, only the compilers' list changes; restore() makes these changes in the caller's list.
struct SwappedEnvironment {
  std::mutex mutex;
  std::size_t users = 0;
  std::vector<char *> compilers; // the present environ, with the null at its end
  VariableList before, given;    // the variables of the caller, and those that the compilers got
  char **callers = nullptr;

  void restore() {
    const VariableList now(environ);
    if (environ == compilers.data()) {
      environ = callers;
      for (const char *variable : now)
        if (!given.contains(variable))
          VariableList::set(variable);
      for (const char *variable : given)
        if (!now.hasNameOf(variable))
          ::unsetenv(VariableList::nameOf(variable).c_str());
      return;
    }
    // If a new variable was set, the C library copied the list. The library then freed the caller's list if the library
    // had allocated this list.
    if (now.contains(gLanguageOfCompilers))
      ::unsetenv(VariableList::nameOf(gLanguageOfCompilers).c_str());
    const VariableList kept(environ);
    for (const char *variable : before)
      if (isForCompilers(variable) && !kept.hasNameOf(variable))
        VariableList::set(variable);
  }
};
SwappedEnvironment &swappedEnvironment() {
  static SwappedEnvironment one; // the environment belongs to the process
  return one;
}

} // namespace

CompilersEnvironment::CompilersEnvironment() {
  SwappedEnvironment &s = swappedEnvironment();
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (s.users++ != 0)
    return;
  s.callers = environ;
  s.before = VariableList(environ);
  s.compilers = compilersEnvironment();
  s.given = VariableList(s.compilers.data());
  environ = s.compilers.data();
}

CompilersEnvironment::~CompilersEnvironment() {
  SwappedEnvironment &s = swappedEnvironment();
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (--s.users == 0)
    s.restore();
}

std::string programIdentity(const std::string &program) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(findProgram(program), error);
  struct stat about {};
  if (error || ::stat(file.c_str(), &about) != 0)
    return "";
  return fmt::format("{} {} {} {}", file.string(), about.st_mtim.tv_sec, about.st_mtim.tv_nsec, about.st_size);
}

// Starts the program with posix_spawn, which is safe in a process with threads. Reads both pipes until they end or the
// time is over. The limit of processor time also ends grandchildren that outlive the killed child.
ProcessResult runProcess(const std::vector<std::string> &arguments) {
  const std::uint64_t seconds = secondsOfProcess(); // called first, because this function throws
  ProcessResult result;
  Pipe out, err;
  result.startError = out.ends[0] < 0 || err.ends[0] < 0 ? errno : EINVAL;
  if (arguments.empty() || out.ends[0] < 0 || err.ends[0] < 0)
    return result;
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), compilersEnvironment().data());
  posix_spawn_file_actions_destroy(&actions);
  result.startError = failed;
  if (failed != 0)
    return result;
  result.started = true;
  out.close(1);
  err.close(1);
  std::optional<Clock::time_point> end;
  if (seconds != 0) {
    end = Clock::now() + std::chrono::seconds(seconds);
    limitProcessorTime(child, seconds + 1);
  }
  const bool ended = drain(out, err, end, result);
  if (!ended)
    ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended)
    throw ProcessTimeout(fmt::format(
        "'{}' did not finish within {} s and was stopped; POPSCOPE_COMPILE_SECONDS sets another limit (0 = none)",
        arguments[0], seconds));
  if (WIFSIGNALED(status))
    result.errors += fmt::format("'{}' was ended by signal {} ({})\n", arguments[0], WTERMSIG(status),
                                 sigdescr_np(WTERMSIG(status)));
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return result;
}

} // namespace popscope
