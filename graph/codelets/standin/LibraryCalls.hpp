// LibraryCalls: executes, on the host, the functions that a codelet calls and that its image does not define. The
// arguments of these functions follow the stand-in's calling convention: floats in fa0-fa7, integers in a0-a7, 64-bit
// values in pairs of integer registers.
#pragma once
#include "graph/codelets/standin/Rv32.hpp"

#include <cstdint>
#include <string>

namespace popscope {

enum class LibraryCallStatus : std::uint8_t { Done, Unknown, Failed };

struct LibraryWork {
  std::uint64_t words = 0; // words of 4 bytes that a memory function moved or set
  std::uint64_t flops = 0; // floating-point operations
};

/// Executes a function: reads its arguments from the registers of `machine`, and writes the result to these registers.
/// `work` receives the words and the floating-point operations of this call. If the result is Failed, `problem`
/// contains the reason: a bad address, a call of abort() or a failed assertion.
LibraryCallStatus callLibrary(const std::string &function, Rv32 &machine, LibraryWork &work, std::string &problem);

} // namespace popscope
