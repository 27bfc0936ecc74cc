// Runs a program with an argument vector (no shell) and collects its output.
#pragma once
#include <poplar/exceptions.hpp>
#include <string>
#include <vector>

namespace popscope {

struct ProcessResult {
  bool started = false;       // false: the program could not be found or started
  int startError = 0;         // errno of the failed start; 0 if the program was started
  int exitCode = -1;          // 128 + number of the signal if a signal ended the program
  std::string output, errors; // if the program was killed, `errors` ends with a line that Popscope adds
};

/// The exception for a program that Popscope stopped, because the program did not end in time.
class ProcessTimeout : public poplar::graph_program_compilation_error {
public:
  using poplar::graph_program_compilation_error::graph_program_compilation_error;
};

/// Runs a program. `arguments[0]` is looked up in PATH if it has no slash. Standard input is empty. Blocks until the
/// program ends. Stops the program after POPSCOPE_COMPILE_SECONDS seconds (300 if unset, no limit if 0), and then
/// throws ProcessTimeout. Does not pass on environment variables that affect compilers and linkers (CPATH, LIBRARY_PATH
/// and others), and sets LC_ALL to C. Throws poplar::invalid_option if POPSCOPE_COMPILE_SECONDS is not a whole number
/// from 0 to 1000000.
ProcessResult runProcess(const std::vector<std::string> &arguments);

/// While the object exists, this process has the environment that runProcess passes on. A compiler library that runs in
/// this process needs this environment, because the library reads the variables itself. If several objects exist at a
/// time, the first object sets the environment. The last object restores the caller's environment. Variables that the
/// process has set or removed in the meantime stay set or removed.
class CompilersEnvironment {
public:
  CompilersEnvironment();
  ~CompilersEnvironment();
  CompilersEnvironment(const CompilersEnvironment &) = delete;
  CompilersEnvironment &operator=(const CompilersEnvironment &) = delete;
};

/// Returns a text that identifies the program that runProcess would start: its path with links resolved, its
/// modification time and its size. Returns "" if there is no such program. Starts no process.
std::string programIdentity(const std::string &program);

} // namespace popscope
