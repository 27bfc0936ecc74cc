// libFuzzer target: the variable POPSCOPE_READER names a reader of Readers.hpp. The reader must read any bytes, or
// refuse them with an exception whose message a user may see.
#include "tests/fuzz/readers/Readers.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const fuzz::Reader &reader = []() -> const fuzz::Reader & {
    const char *const name = std::getenv("POPSCOPE_READER");
    for (const fuzz::Reader &one : fuzz::readers())
      if (name != nullptr && std::string(name) == one.name)
        return one;
    std::fputs("POPSCOPE_READER names no reader of tests/fuzz/readers/Readers.cpp\n", stderr);
    std::exit(2);
  }();
  try {
    reader.read(std::string(reinterpret_cast<const char *>(data), size));
  } catch (const std::runtime_error &) { // anything else is a finding
  } catch (const std::invalid_argument &) {
  }
  return 0;
}
