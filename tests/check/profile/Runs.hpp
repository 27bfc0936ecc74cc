// The programs whose profiles are checked. Each is run once a process, through its binary, with every part of the
// report written to a temporary folder and the compiler's own checkers on.
#pragma once
#include <string>
#include <vector>

namespace profile_check {

struct RunResult {
  int status = -1; // exit code
  std::string out, err;
};
/// Runs a shell command with POPLAR_ENGINE_OPTIONS (JSON) set, or without it when empty. No colour, whatever the caller
/// has.
RunResult run(const std::string &command, const std::string &engineOptions = {});

struct ProfiledProgram {
  std::string name, command;
  std::vector<std::string> flags; // of profile_summary, for what the program printed
  std::string profile;            // path of the saved profile
  RunResult result;
  std::string liveSummary; // what it printed from "Target:" on
  std::string summary;     // profile_summary with every flag
};

/// mlp, control_flow and the sample program of this folder. Throws when one fails.
const std::vector<ProfiledProgram> &profiledPrograms();
/// The one with this name.
const ProfiledProgram &profiled(const std::string &name);

/// Output of profile_summary on a saved profile.
std::string summaryOf(const std::string &profile, const std::vector<std::string> &flags);
/// From "Target:" on.
std::string summaryPart(const std::string &output);
std::string binary(const std::string &name);

} // namespace profile_check
