// Command line of the example.
#pragma once
#include <cstdint>
#include <string>

struct Options {
  std::string dataFolder; // empty: make the digits
  std::string codelets;   // path of mlp_codelets.cpp
  unsigned epochs = 3;
  unsigned batchesPerRun = 5;
  std::uint32_t seed = 1;
  bool summary = true, steps = true;
  bool splitBackward = false, writeUndef = false;
  bool help = false;
};

/// Throws std::invalid_argument naming the argument, what is wrong with it and what is possible.
Options parseOptions(int argc, char **argv);
/// Text for --help.
std::string usage(const std::string &program);
