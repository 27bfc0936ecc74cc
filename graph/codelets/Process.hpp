// Runs a program with an argument vector (no shell) and collects what it writes.
#pragma once
#include <string>
#include <vector>

namespace popscope {

struct ProcessResult {
  bool started = false; // false: the program could not be found or started
  int exitCode = -1;    // 128 + signal when it was killed
  std::string output, errors;
};

/// `arguments[0]` is looked up in PATH when it has no slash. Standard input is empty. Blocks until the program ends.
ProcessResult runProcess(const std::vector<std::string> &arguments);

/// Changes when the program that runProcess would start is replaced: its path, links followed, time and size. "" when
/// there is none. Starts no process.
std::string programIdentity(const std::string &program);

} // namespace popscope
