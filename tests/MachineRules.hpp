// While a MachineRules exists, new models and devices of one architecture follow changed rules. The object sets
// POPSCOPE_MACHINE to a machine file that changes the rules of the built-in machine.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

class MachineRules {
public:
  /// `rules`: members of /rules, such as "\"stack\": \"linked\"".
  MachineRules(const std::string &architecture, const std::string &rules)
      : path_(std::filesystem::temp_directory_path() / ("popscope-rules-" + std::to_string(::getpid()) + ".json")) {
    std::ofstream(path_) << R"({"base": ")" << architecture << R"(", "rules": {)" << rules << "}}";
    setenv("POPSCOPE_MACHINE", path_.c_str(), 1);
  }
  ~MachineRules() {
    unsetenv("POPSCOPE_MACHINE");
    std::filesystem::remove(path_);
  }
  MachineRules(const MachineRules &) = delete;
  MachineRules &operator=(const MachineRules &) = delete;

private:
  std::filesystem::path path_;
};
