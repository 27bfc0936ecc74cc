// The programs whose profiles are checked. A test process runs each program's binary once, with all parts of the report
// in a temporary folder and with the compiler's checkers enabled.
#pragma once
#include <string>
#include <vector>

namespace profile_check {

struct RunResult {
  int status = -1; // exit code
  std::string out, err;
};
/// Runs a shell command with POPLAR_ENGINE_OPTIONS (JSON) set, or without the variable if `engineOptions` is empty.
/// Output has no colour, whatever the caller's environment requests.
RunResult run(const std::string &command, const std::string &engineOptions = {});

struct ProfiledProgram {
  std::string name, command;
  std::vector<std::string> flags; // of profile_summary, which then prints what the program did
  std::string profile;            // path of the saved profile
  RunResult result;
  std::string liveSummary; // what the program printed from "Target:" on
  std::string summary;     // output of profile_summary with every flag
};

/// Returns mlp, control_flow and the sample program of this folder. Throws if one of them fails.
const std::vector<ProfiledProgram> &profiledPrograms();
/// Returns the program with this name.
const ProfiledProgram &profiled(const std::string &name);

/// Returns the output of profile_summary for a saved profile.
std::string summaryOf(const std::string &profile, const std::vector<std::string> &flags);
/// Returns the output from "Target:" on.
std::string summaryPart(const std::string &output);
std::string binary(const std::string &name);

} // namespace profile_check
