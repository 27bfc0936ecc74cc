// Runs one of the built tools in a separate folder.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace tools {

struct Outcome {
  int exitCode = -1;
  std::string out, err;
};

/// A folder with one profile, "small.pop"; the destructor removes it.
class Workplace {
public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace &) = delete;
  Workplace &operator=(const Workplace &) = delete;

  /// Runs a tool. `environment`: assignments such as "CLICOLOR=0". Colour variables of the caller have no effect.
  [[nodiscard]] Outcome run(const std::string &tool, const std::vector<std::string> &arguments,
                            const std::vector<std::string> &environment = {}) const;
  [[nodiscard]] std::string file(const std::string &name) const { return (folder_ / name).string(); }
  void write(const std::string &name, const std::string &bytes) const;
  [[nodiscard]] std::string read(const std::string &name) const;
  /// Returns the sorted names of all files.
  [[nodiscard]] std::vector<std::string> files() const;

private:
  std::filesystem::path folder_, output_; // output of programs goes to its own folder
};

[[nodiscard]] std::vector<std::string> lines(const std::string &text);
/// Checks that the exit code is 2, that stdout is empty, and that stderr has one line, which begins with `start` and
/// contains `what`.
void expectRefusal(const Outcome &outcome, const std::string &start, const std::string &what);

/// Returns all that a child of forkpty prints in its terminal, then closes the terminal. Checks that the child ends
/// with `exitCode`.
[[nodiscard]] std::string readTerminal(int terminal, int child, int exitCode = 0);

} // namespace tools
