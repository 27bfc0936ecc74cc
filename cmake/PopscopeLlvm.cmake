# Finds the LLVM whose libclang, clang++ and ld.lld read and compile codelets: version 14, whose code sizes the
# documents show, or else the newest installed version. Sets POPSCOPE_CLANG_LIBRARY, POPSCOPE_CLANG_INCLUDE,
# POPSCOPE_LLVM, which is empty if the library's name states no version, and POPSCOPE_LLVM_SUFFIX, which ends the names
# of this version's tools and Debian packages ("-14", or empty). Each folder that uses the variables includes this file.
find_library(POPSCOPE_CLANG_LIBRARY NAMES clang-14 clang-19 clang-18 clang-17 clang-16 clang-15 clang
             PATH_SUFFIXES llvm-14/lib llvm-19/lib llvm-18/lib llvm-17/lib llvm-16/lib llvm-15/lib REQUIRED)
if(POPSCOPE_CLANG_LIBRARY MATCHES "(clang|llvm)-([0-9]+)")
  set(POPSCOPE_LLVM ${CMAKE_MATCH_2})
endif()
set(POPSCOPE_LLVM_SUFFIX "")
if(POPSCOPE_LLVM)
  set(POPSCOPE_LLVM_SUFFIX "-${POPSCOPE_LLVM}")
endif()
find_path(POPSCOPE_CLANG_INCLUDE clang-c/Index.h PATHS ${CMAKE_SYSTEM_PREFIX_PATH}
          PATH_SUFFIXES lib/llvm-${POPSCOPE_LLVM}/include REQUIRED)
