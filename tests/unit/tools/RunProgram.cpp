#include "RunProgram.hpp"

#include "tests/unit/report/SmallProfile.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace tools {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string &word) {
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text += '\'';
}

std::string readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace

Workplace::Workplace()
    : folder_(fs::temp_directory_path() / ("popscope-tools-" + std::to_string(::getpid()))),
      output_(folder_.string() + "-output") {
  fs::create_directories(folder_);
  fs::create_directories(output_);
  (void)small::write(file("small.pop"));
}

Workplace::~Workplace() {
  fs::remove_all(folder_);
  fs::remove_all(output_);
}

Outcome Workplace::run(const std::string &tool, const std::vector<std::string> &arguments,
                       const std::vector<std::string> &environment) const {
  std::string command = "cd " + quoted(folder_.string()) + " && env -u CLICOLOR -u CLICOLOR_FORCE -u NO_COLOR";
  for (const auto &assignment : environment)
    command.append(" ").append(quoted(assignment));
  command.append(" ").append(quoted(POPSCOPE_TOOLS "/" + tool));
  for (const auto &argument : arguments)
    command.append(" ").append(quoted(argument));
  command.append(" </dev/null >").append(quoted((output_ / "out").string()));
  command.append(" 2>").append(quoted((output_ / "err").string()));
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readFile(output_ / "out"), readFile(output_ / "err")};
}

void Workplace::write(const std::string &name, const std::string &bytes) const {
  std::ofstream(file(name), std::ios::binary) << bytes;
}

std::string Workplace::read(const std::string &name) const { return readFile(file(name)); }

std::vector<std::string> Workplace::files() const {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> lines(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);)
    result.push_back(line);
  return result;
}

void expectRefusal(const Outcome &outcome, const std::string &start, const std::string &what) {
  CAPTURE(outcome.err);
  CHECK(outcome.exitCode == 2);
  CHECK(outcome.out == "");
  CHECK(lines(outcome.err).size() == 1);
  CHECK(outcome.err.find(start) == 0);
  CHECK(outcome.err.find(what) != std::string::npos);
}

std::string readTerminal(int terminal, int child, int exitCode) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == exitCode));
  return text;
}

} // namespace tools
