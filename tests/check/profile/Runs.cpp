#include "tests/check/profile/Runs.hpp"

#include "tests/TemporaryFolder.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

namespace profile_check {
namespace {

namespace fs = std::filesystem;

/// Returns a folder that is removed when the process ends.
const fs::path &folder() {
  static const TemporaryFolder temporary("check");
  return temporary.path;
}

std::string contents(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string quoted(const std::string &text) { return "'" + text + "'"; }

ProfiledProgram profile(const std::string &name, const std::string &command, std::vector<std::string> flags) {
  ProfiledProgram p{name, command, std::move(flags), "", {}, "", ""};
  const fs::path directory = folder() / name;
  fs::create_directories(directory);
  p.profile = (directory / "profile.pop").string();
  p.result = run(command, R"({"autoReport.all":"true","debug.verify":"true","autoReport.directory":")" +
                              directory.string() + "\"}");
  if (p.result.status != 0)
    throw std::runtime_error(name + " ended with " + std::to_string(p.result.status) + ": " + p.result.err);
  p.liveSummary = summaryPart(p.result.out);
  p.summary = summaryOf(p.profile, {"--show-var-storage", "--show-execution-steps", "--show-optimizations",
                                    "--show-per-ipu-memory-usage"});
  return p;
}

} // namespace

std::string binary(const std::string &name) { return quoted(std::string(POPSCOPE_BINARY_DIR) + "/bin/" + name); }

RunResult run(const std::string &command, const std::string &engineOptions) {
  const fs::path out = folder() / "out", err = folder() / "err";
  const std::string environment = "env -u CLICOLOR -u CLICOLOR_FORCE -u POPLAR_ENGINE_OPTIONS " +
                                  (engineOptions.empty() ? "" : quoted("POPLAR_ENGINE_OPTIONS=" + engineOptions) + " ");
  const int status =
      std::system((environment + command + " >" + quoted(out.string()) + " 2>" + quoted(err.string())).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
}

std::string summaryPart(const std::string &output) {
  const std::size_t start = output.find("Target:\n");
  if (start == std::string::npos)
    throw std::runtime_error("no summary in the output: " + output.substr(0, 200));
  return output.substr(start);
}

std::string summaryOf(const std::string &profile, const std::vector<std::string> &flags) {
  std::string command = binary("profile_summary") + " --profile " + quoted(profile);
  for (const std::string &flag : flags)
    command += " " + flag;
  const RunResult result = run(command);
  if (result.status != 0)
    throw std::runtime_error("profile_summary " + profile + ": " + result.err);
  return result.out;
}

const std::vector<ProfiledProgram> &profiledPrograms() {
  static const std::vector<ProfiledProgram> programs = {
      profile("mlp", binary("mlp") + " --epochs 2", {"--show-var-storage", "--show-execution-steps"}),
      profile("control_flow", binary("control_flow"), {"--show-per-ipu-memory-usage"}),
      profile("sample", binary("profile_check_sample"),
              {"--show-var-storage", "--show-execution-steps", "--show-optimizations", "--show-per-ipu-memory-usage"}),
  };
  return programs;
}

const ProfiledProgram &profiled(const std::string &name) {
  for (const ProfiledProgram &p : profiledPrograms())
    if (p.name == name)
      return p;
  throw std::runtime_error("no program " + name);
}

} // namespace profile_check
