// Runs one of the built tools in a folder of its own.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace tools {

struct Outcome {
  int exitCode = -1;
  std::string out, err;
};

/// A folder with one profile, "small.pop"; removed at the end.
class Workplace {
public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace &) = delete;
  Workplace &operator=(const Workplace &) = delete;

  /// `environment`: assignments, "CLICOLOR=0". Variables of colour that the caller has do not count.
  [[nodiscard]] Outcome run(const std::string &tool, const std::vector<std::string> &arguments,
                            const std::vector<std::string> &environment = {}) const;
  [[nodiscard]] std::string file(const std::string &name) const { return (folder_ / name).string(); }
  void write(const std::string &name, const std::string &bytes) const;
  [[nodiscard]] std::string read(const std::string &name) const;
  /// Sorted names of all files.
  [[nodiscard]] std::vector<std::string> files() const;

private:
  std::filesystem::path folder_, output_; // what programs print is kept apart
};

[[nodiscard]] std::vector<std::string> lines(const std::string &text);
/// Checks: exit code 2, nothing on stdout, one line on stderr which begins with `start` and holds `what`.
void expectRefusal(const Outcome &outcome, const std::string &start, const std::string &what);

/// All that a child of forkpty prints in its terminal, which is closed then. Checks: it ends with exit code 0.
[[nodiscard]] std::string readTerminal(int terminal, int child);

} // namespace tools
