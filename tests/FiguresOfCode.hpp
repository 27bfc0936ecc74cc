// Golden figures of code sizes and of cycles of codelets are those of code that LLVM 14 generates. Other versions
// generate other code.
#pragma once
#include <doctest/doctest.h>

#include <string_view>

/// Returns whether LLVM 14 compiles the codelets of this build. If not, prints why the test compares nothing.
inline bool figuresOfCodeApply() {
  if (std::string_view(POPSCOPE_LLVM) == "14")
    return true;
  MESSAGE("the golden figures are those of LLVM 14, and this build compiles codelets with LLVM " POPSCOPE_LLVM);
  return false;
}
