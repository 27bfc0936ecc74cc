#include "graph/codelets/Process.hpp"

#include "base/Environment.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sstream>
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

/// Reads both pipes until both are closed: a program that fills one while we wait on the other must not hang.
void drain(Pipe &out, Pipe &err, ProcessResult &result) {
  pollfd polled[2] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
  std::string *texts[2] = {&result.output, &result.errors};
  int open = 2;
  while (open > 0) {
    if (::poll(polled, 2, -1) < 0 && errno != EINTR)
      return;
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

std::string programIdentity(const std::string &program) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(findProgram(program), error);
  struct stat about {};
  if (error || ::stat(file.c_str(), &about) != 0)
    return "";
  return fmt::format("{} {} {} {}", file.string(), about.st_mtim.tv_sec, about.st_mtim.tv_nsec, about.st_size);
}

ProcessResult runProcess(const std::vector<std::string> &arguments) {
  ProcessResult result;
  Pipe out, err;
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
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return result;
  result.started = true;
  out.close(1);
  err.close(1);
  drain(out, err, result);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return result;
}

} // namespace popscope
