// Command line of the example.
#pragma once
#include <cstdint>
#include <string>

struct Options {
  std::string dataFolder; // empty: the example makes the digits
  std::string codelets;   // path of mlp_codelets.cpp
  unsigned epochs = 3;
  unsigned batchesPerRun = 5;
  std::uint32_t seed = 1;
  bool summary = true, steps = true;
  bool splitBackward = false, writeUndef = false;
  bool help = false;
};

/// Parses the command line. Throws std::invalid_argument for an unknown argument and for a missing or bad value. The
/// message contains the argument, the mistake and, for a number, the allowed values.
Options parseOptions(int argc, char **argv);
/// Returns the text of --help.
std::string usage(const std::string &program);
